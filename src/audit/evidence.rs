//! Evidence in saved mails: heads that the service signed and hands that it dealt.
//!
//! A letter names the journal's head twice, in its header and in its last lines, and names the
//! reader's hidden cards with their salts. Here both are read back, from letters as they came,
//! forwarded, attached or quoted in an answer; whether they fit a journal is judged elsewhere.

use data_encoding::BASE64URL_NOPAD;
use postrider_dice::{Hash, sha256};
use postrider_journal::Head;
use postrider_mail::{MOST_NESTED, Mailbox, NotRead, Saved, SavedMail, SavedMessage, Unreadable};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, io, path::Path};

/// A head of a journal as one mail names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Receipt {
    /// The game.
    pub game: String,
    /// n of the line that was the last one.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
    /// The service's signature, 86 characters of base64url; "" where the mail shows none.
    pub signature: String,
    /// Whose letter it was; "" where that is not to be seen. This is not signed.
    pub seat: String,
    /// The key that the mail names as the service's, where it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Hash>,
    /// SHA-256 of the mail, as saved, in which this copy was found.
    pub mail: Hash,
    /// Where that mail lies.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The date of the letter, RFC 3339; `None` if it has none. This is not signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<String>,
}

impl Receipt {
    /// The head itself.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { game: self.game.clone(), n: self.n, hash: self.hash }
    }
}

/// A hidden card as a letter shows it to the one who holds it (section 7).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct HeldCard {
    /// The deck.
    pub deck: String,
    /// Which shuffle of it.
    pub epoch: u64,
    /// The position in it, from 0.
    pub pos: u64,
    /// The card.
    pub card: String,
    /// Its salt.
    pub salt: Hash,
}

/// The hidden cards of one letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The cards.
    pub cards: Vec<HeldCard>,
    /// Which of [`Evidence::receipts`] the letter carries, if it is known.
    pub receipt: Option<usize>,
    /// Where the mail lies.
    pub place: String,
    /// Set for a hand that was given to be checked, not for one found in a mailbox.
    pub asked: bool,
}

/// A receipt that begins in a mail and does not go on, so that it says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Where the mail lies.
    pub place: String,
    /// The game and n of the head, where that much is to be seen.
    pub head: Option<(String, u64)>,
}

/// A path that was given as a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMailbox {
    /// The path.
    pub place: String,
    /// Which of [`Evidence::receipts`] it holds.
    pub receipts: Vec<usize>,
}

/// A file of a mailbox and how much of it was a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadFile {
    /// Where it lies.
    pub place: String,
    /// The number of its mails; 1 except for mbox files.
    pub mails: u64,
    /// The number of mails with a head, the beginning of one, or a hand, of any game.
    pub letters: u64,
}

/// All that the mails say.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The number of mails read.
    pub mails: u64,
    /// Every head, once for each seat and signature, in the order in which the mails were read.
    pub receipts: Vec<Receipt>,
    /// Every hand.
    pub hands: Vec<Hand>,
    /// Receipts whose rest is damaged.
    pub damaged: Vec<Damaged>,
    /// Every path that was given as a mailbox.
    pub mailboxes: Vec<GivenMailbox>,
    /// Every file that was read.
    pub files: Vec<ReadFile>,
    /// Files that were not read.
    pub not_read: Vec<NotRead>,
    /// The raw mails that hold receipts or hands, where [`Evidence::keeping_mails`] asked for them.
    pub raw: Vec<SavedMail>,
    keep: bool,
}

impl Evidence {
    /// Also keeps the mails themselves.
    #[must_use]
    pub fn keeping_mails() -> Evidence {
        Evidence { keep: true, ..Evidence::default() }
    }

    /// Returns true if no mails were given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mails == 0 && self.receipts.is_empty() && self.mailboxes.is_empty() && self.not_read.is_empty()
    }

    /// Reads a mailbox, in any form that [`Mailbox`] knows, or a list of receipts as a bundle holds
    /// it (`.json`).
    ///
    /// # Errors
    /// When the path cannot be read, or a list is none.
    pub fn add_mailbox(&mut self, path: &Path) -> io::Result<()> {
        if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
            let list: Vec<Receipt> = serde_json::from_slice(&fs_err::read(path)?)
                .map_err(|why| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", path.display())))?;
            let receipts = self.add_list(list);
            self.mailboxes.push(GivenMailbox { place: path.display().to_string(), receipts });
            return Ok(());
        }
        let mut receipts = Vec::new();
        for saved in Mailbox::open(path)? {
            receipts.extend(self.add_saved(saved, false, 0));
        }
        self.mailboxes.push(GivenMailbox { place: path.display().to_string(), receipts });
        Ok(())
    }

    /// Reads mails whose hands are to be checked, whether or not a signature stands beside them.
    ///
    /// # Errors
    /// When the path cannot be read, or holds no hand.
    pub fn add_hand(&mut self, path: &Path) -> io::Result<()> {
        let before = self.hands.len();
        Mailbox::open(path)?.for_each(|saved| _ = self.add_saved(saved, true, 0));
        if self.hands.len() == before {
            let why = format!("{} shows no cards with their salts", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(())
    }

    /// Reads one mail. `asked`: its hand is to be checked even if no signed head stands beside it.
    pub fn add(&mut self, mail: &SavedMail, asked: bool) {
        self.add_saved(Saved::Mail { file: mail.place.clone(), mail: mail.clone() }, asked, 0);
    }

    /// Takes the receipts of a list; gives which they are.
    fn add_list(&mut self, list: Vec<Receipt>) -> Vec<usize> {
        self.mails += list.iter().map(|receipt| receipt.mail).collect::<BTreeSet<_>>().len() as u64;
        list.into_iter().map(|receipt| self.keep(receipt)).collect()
    }

    /// Takes what lies in a mailbox, or in an archive that so many mails carry along, one in the
    /// other; gives which receipts it holds.
    fn add_saved(&mut self, saved: Saved, asked: bool, nested: usize) -> Vec<usize> {
        let (file, mail) = match saved {
            Saved::Mail { file, mail } => (file, mail),
            Saved::NotRead(not_read) => {
                self.not_read.push(not_read);
                return Vec::new();
            }
        };
        let (mut receipts, letter) = self.read_mail(&mail, asked, nested);
        let mut letters = u64::from(letter);
        // A list of receipts may lie beside the mails, as in a bundle.
        if !letter
            && Path::new(&mail.place).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
            && let Ok(list) = serde_json::from_slice::<Vec<Receipt>>(&mail.raw)
        {
            letters = u64::from(!list.is_empty());
            receipts = self.add_list(list);
        }
        match self.files.last_mut().filter(|last| last.place == file) {
            Some(last) => {
                last.mails += 1;
                last.letters += letters;
            }
            None => self.files.push(ReadFile { place: file, mails: 1, letters }),
        }
        receipts
    }

    /// Reads one mail: which receipts it holds, and whether it is a letter at all.
    fn read_mail(&mut self, mail: &SavedMail, asked: bool, nested: usize) -> (Vec<usize>, bool) {
        self.mails += 1;
        let mut found = false;
        let mut receipts = Vec::new();
        let mut archives = Vec::new();
        let sha256 = sha256(&mail.raw);
        for message in SavedMessage::read(&mail.raw) {
            let own = header_receipt(&message, sha256, &mail.place);
            if own.is_none() && message.field("X-Postrider-Head").is_some() {
                self.damaged.push(Damaged { place: mail.place.clone(), head: None });
                found = true;
            }
            let own = own.map(|receipt| self.keep(receipt));
            receipts.extend(own);
            found |= own.is_some();
            let mut cards = Vec::new();
            for piece in pieces(&message.text) {
                match piece {
                    Piece::Card(card) => cards.push(card),
                    Piece::Head(head) => {
                        let receipt = Receipt {
                            seat: if head.seat.is_empty() { seat_in_id(&message, &head) } else { head.seat },
                            key: own.and_then(|own| self.receipts[own].key),
                            mail: sha256,
                            place: mail.place.clone(),
                            dated: dated(&message),
                            game: head.game,
                            n: head.n,
                            hash: head.hash,
                            signature: head.signature,
                        };
                        let at = self.keep(receipt);
                        receipts.push(at);
                        found = true;
                        // The cards of a letter stand above its head.
                        let cards = std::mem::take(&mut cards);
                        self.keep_hand(Hand { cards, receipt: Some(at), place: mail.place.clone(), asked });
                    }
                    Piece::Damaged(game, n) => {
                        self.damaged.push(Damaged { place: mail.place.clone(), head: Some((game, n)) });
                        found = true;
                    }
                }
            }
            found |= !cards.is_empty();
            self.keep_hand(Hand { cards, receipt: own, place: mail.place.clone(), asked });
            archives.extend(message.archives);
        }
        if found && self.keep {
            self.raw.push(mail.clone());
        }
        for (name, bytes) in archives {
            let place = format!("{}/{name}", mail.place);
            if nested == MOST_NESTED {
                self.not_read.push(NotRead { place, why: Unreadable::Nested });
                continue;
            }
            for saved in Mailbox::of_bytes(place, bytes) {
                receipts.extend(self.add_saved(saved, asked, nested + 1));
            }
        }
        (receipts, found)
    }

    /// The same with the mails' places replaced by `mails/0001.eml`, `mails/0002.eml` …, in the
    /// order in which they were read. Mailboxes and files that hold no letter are numbered too.
    #[must_use]
    pub fn numbered(&self) -> Evidence {
        let mut known: Vec<String> = Vec::new();
        let mut number = |place: &mut String| {
            let at = known.iter().position(|old| old == place).unwrap_or_else(|| {
                known.push(place.clone());
                known.len() - 1
            });
            *place = format!("mails/{:04}.eml", at + 1);
        };
        let mut all = self.clone();
        all.raw.iter_mut().for_each(|mail| number(&mut mail.place));
        all.receipts.iter_mut().for_each(|receipt| number(&mut receipt.place));
        all.hands.iter_mut().for_each(|hand| number(&mut hand.place));
        all.damaged.iter_mut().for_each(|damaged| number(&mut damaged.place));
        let nth = |what: &str, k: usize, place: &mut String| *place = format!("{what} {}", k + 1);
        all.mailboxes.iter_mut().enumerate().for_each(|(k, one)| nth("mailbox", k, &mut one.place));
        all.files.iter_mut().enumerate().for_each(|(k, one)| nth("file", k, &mut one.place));
        all.not_read.iter_mut().enumerate().for_each(|(k, one)| nth("unread file", k, &mut one.place));
        all
    }

    /// The key that a mail names as the service's, in its header or, if it is an invitation, in its
    /// text.
    ///
    /// # Errors
    /// When the path cannot be read, names no key, or more than one.
    pub fn key_of(path: &Path) -> io::Result<Hash> {
        let mut keys = BTreeSet::new();
        for saved in Mailbox::open(path)? {
            let Saved::Mail { mail, .. } = saved else { continue };
            for message in SavedMessage::read(&mail.raw) {
                let key = message.field("X-Postrider-Key").map(|key| key.split_whitespace().collect::<String>());
                let named = key.and_then(|key| key.parse::<Hash>().ok());
                keys.extend(named.or_else(|| key_in(&message.text)));
            }
        }
        let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{} {why}", path.display()));
        match (keys.len(), keys.first()) {
            (1, Some(key)) => Ok(*key),
            (0, _) => Err(wrong("names no key: every letter has it in its header, the invitation in its text too")),
            _ => Err(wrong("names more than one key")),
        }
    }

    /// Keeps a receipt and gives its place; the same one is kept once.
    fn keep(&mut self, receipt: Receipt) -> usize {
        let same = |old: &Receipt| {
            (&old.game, old.n, old.hash, &old.signature) == (&receipt.game, receipt.n, receipt.hash, &receipt.signature)
                && (old.seat == receipt.seat || receipt.seat.is_empty())
        };
        match self.receipts.iter().position(same) {
            Some(at) => {
                let old = &mut self.receipts[at];
                old.key = old.key.or(receipt.key);
                // A copy that was sent on is later than the letter.
                old.dated = old.dated.take().into_iter().chain(receipt.dated).min();
                at
            }
            None => {
                self.receipts.push(receipt);
                self.receipts.len() - 1
            }
        }
    }

    fn keep_hand(&mut self, hand: Hand) {
        let old = self.hands.iter_mut().find(|old| old.cards == hand.cards && old.receipt == hand.receipt);
        match old {
            _ if hand.cards.is_empty() => {}
            Some(old) => old.asked |= hand.asked,
            None => self.hands.push(hand),
        }
    }
}

/// The receipt in the header of one of our letters.
fn header_receipt(message: &SavedMessage, mail: Hash, place: &str) -> Option<Receipt> {
    let mut words = message.field("X-Postrider-Head")?.split(' ');
    // They may be several words, so that the field can be folded.
    let joined = |name: &str| Some(message.field(name)?.split_whitespace().collect::<String>());
    let (game, n, hash) = (words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let mut receipt = Receipt {
        game,
        n,
        hash,
        signature: joined("X-Postrider-Signature").unwrap_or_default(),
        seat: String::new(),
        key: joined("X-Postrider-Key").and_then(|key| key.parse().ok()),
        mail,
        place: place.to_owned(),
        dated: dated(message),
    };
    let head = Shown { game: receipt.game.clone(), n, hash, ..Shown::default() };
    receipt.seat = seat_in_id(message, &head);
    Some(receipt)
}

/// The date of a message as journals write times.
fn dated(message: &SavedMessage) -> Option<String> {
    Some(message.date?.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// The seat in `<game.seat.n.hash8.kind…@host>`, if the id is that of this head.
fn seat_in_id(message: &SavedMessage, head: &Shown) -> String {
    let id = message.field("Message-ID").unwrap_or_default().trim_start_matches('<');
    let parts: Vec<&str> = id.split('@').next().unwrap_or_default().split('.').collect();
    match parts[..] {
        [game, seat, n, hash, _, ..] if game == head.game && n == head.n.to_string() => match head.hash.to_string() {
            whole if whole.starts_with(hash) && hash.len() == 8 => seat.to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The pieces of a letter's text, in order.
enum Piece {
    Head(Shown),
    Card(HeldCard),
    /// A head of this game and n that does not go on.
    Damaged(String, u64),
}

/// A head as the last lines of a letter show it.
#[derive(Default)]
struct Shown {
    game: String,
    n: u64,
    hash: Hash,
    signature: String,
    seat: String,
}

/// Finds heads and cards. Words count, not lines, so it does not matter where a mail program broke
/// them.
fn pieces(text: &str) -> Vec<Piece> {
    // What some programs put into long words, so that they can be broken there, and cannot be seen.
    let text = text.replace(['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'], "");
    // Marks that some programs put at the beginning of quoted lines and that no word of ours begins
    // with.
    let words = text.split_whitespace().map(|word| word.trim_start_matches(['>', '|']));
    let words: Vec<&str> = words.filter(|word| !matches!(*word, "" | ":")).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        let taken = match rest[0] {
            "Journal" => head(rest),
            "epoch" if at > 0 => card(words[at - 1], rest).map(|(card, taken)| (Piece::Card(card), taken)),
            _ => None,
        };
        match taken {
            Some((piece, taken)) => {
                found.push(piece);
                at += taken;
            }
            None => at += 1,
        }
    }
    found
}

/// `Journal <game>, entry <n>, for seat <seat>, signed` and 128 characters of base64url that hold hash and signature: the head and
/// the number of its words. Where they do not follow it is somebody's prose.
fn head(words: &[&str]) -> Option<(Piece, usize)> {
    let game = words.get(1)?.strip_suffix(',')?;
    let n = words.get(3).filter(|_| words[2] == "entry")?.trim_end_matches(',').parse().ok()?;
    let (seat, at) = match words.get(4..7) {
        Some(["for", "seat", seat]) => (seat.trim_end_matches(','), 7),
        _ => ("", 4),
    };
    words.get(at).filter(|word| **word == "signed")?;
    let (proof, taken) = proof(&words[at + 1..]);
    let (game, seat) = (game.to_owned(), seat.to_owned());
    // Prose goes on in words; a damaged proof still begins like one.
    let long = |at: usize, than: usize| words.get(at).is_some_and(|word| word.len() > than);
    let begins = long(at + 1, LONG_WORD) || (long(at + 1, GROUP) && long(at + 2, GROUP));
    let piece = match proof {
        Some((hash, signature)) => Piece::Head(Shown { game, n, hash, signature, seat }),
        None if begins => Piece::Damaged(game, n),
        None => return None,
    };
    Some((piece, at + 1 + taken))
}

/// No word of any language that stands behind `signed` is so long.
const LONG_WORD: usize = 30;

/// Nor two such words one after the other: a proof stands in groups that are longer.
const GROUP: usize = 18;

/// Hash and signature of a head, in one word or several, and the number of these.
fn proof(words: &[&str]) -> (Option<(Hash, String)>, usize) {
    let (text, taken) = characters(words, PROOF_CHARACTERS);
    let bytes = text.and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
    let parts = bytes.as_deref().and_then(<[u8]>::split_first_chunk::<32>);
    (parts.map(|(hash, signature)| (Hash(*hash), BASE64URL_NOPAD.encode(signature))), taken)
}

/// The number of characters for a hash of 32 bytes and a signature of 64.
const PROOF_CHARACTERS: usize = 128;

/// Characters of base64url in one word or several, and the number of words.
fn characters(words: &[&str], wanted: usize) -> (Option<String>, usize) {
    let (mut text, mut taken) = (String::new(), 0);
    while text.len() < wanted
        && let Some(word) = words.get(taken)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    {
        text.push_str(word);
        taken += 1;
    }
    (Some(text).filter(|text| text.len() == wanted), taken)
}

/// `<deck>, epoch <e>, position <p>: <card> salt <43 characters>`: the card and the number of words from `epoch` on.
fn card(deck: &str, words: &[&str]) -> Option<(HeldCard, usize)> {
    /// A card's id is 64 bytes long at most.
    const MOST_WORDS: usize = 33;
    let deck = deck.strip_suffix(',')?;
    let epoch = words.get(1)?.strip_suffix(',')?.parse().ok()?;
    let pos = words.get(3).filter(|_| words[2] == "position")?.strip_suffix(':')?.parse().ok()?;
    let name = &words[4..];
    // The word may be part of a card's name.
    let (end, salt, taken) = (0..name.len().min(MOST_WORDS)).filter(|&at| name[at] == "salt").find_map(|at| {
        let (salt, taken) = characters(&name[at + 1..], 43);
        Some((at, salt?.parse().ok()?, taken))
    })?;
    Some((HeldCard { deck: deck.to_owned(), epoch, pos, card: name[..end].join(" "), salt }, 4 + end + 1 + taken))
}

/// The key as an invitation shows it.
fn key_in(text: &str) -> Option<Hash> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| pair[1].parse().ok().filter(|_| pair[0] == "key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "_XM3dbFg84N7-0lQDWXsq2G0lVYEFS0MNBxHLpnXrSc";

    /// A signature that fits nothing.
    fn signature() -> String {
        BASE64URL_NOPAD.encode(&[[0xab; 32], [0xcd; 32]].concat())
    }

    /// The end of a letter as it is written now.
    fn letter() -> String {
        let bytes = [HASH, &signature()].map(|text| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap());
        let proof = BASE64URL_NOPAD.encode(&bytes.concat());
        let grouped: Vec<&str> = (0..6).map(|at| &proof[at / 3 * 64 + at % 3 * 22..][..[22, 22, 20][at % 3]]).collect();
        let (first, second) = (grouped[..3].join(" "), grouped[3..].join(" "));
        format!(
            "Ben, one thing is asked of you.\n\nYOUR HIDDEN CARDS, as the journal has sealed them\n\
             \x20 shaman, epoch 0, position 5: Texas Rangers\n    salt {HASH}\n\
             \x20 shaman, epoch 0, position 6: Raid\n    salt {HASH}\n\n\
             Journal lone-pine, entry 10, for seat B, signed\n{first}\n{second}\n"
        )
    }

    fn evidence(raw: &str) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(&SavedMail { place: "x.eml".into(), raw: raw.replace('\n', "\r\n").into_bytes() }, false);
        evidence
    }

    #[test]
    fn a_receipt_is_read_from_whatever_became_of_the_letter() {
        let whole = letter();
        let (above, proof) = whole.rsplit_once("signed\n").unwrap();
        for letter in [letter(), format!("{above}signed\n{}", proof.replace(' ', ""))] {
            read_in_every_form(&letter);
        }
    }

    fn read_in_every_form(letter: &str) {
        let quote = |mark: &str| letter.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
        // A program that wraps at 60 columns breaks long words as well.
        let wrapped: String = letter
            .lines()
            .flat_map(|line| line.as_bytes().chunks(60).map(|piece| String::from_utf8_lossy(piece).into_owned() + "\n"))
            .collect();
        let html = format!("<html><body><div><blockquote><pre>{letter}</pre></blockquote></div></body></html>");
        let coded: String = letter.replace('=', "=3D").replace("salt ", "salt=\n ").replace("signed", "sig=\nned");
        for (what, fields, body) in [
            ("as it came", "", letter.to_owned()),
            ("quoted", "", format!("pass\n\nOn Monday Postrider wrote:\n{}", quote("> "))),
            ("quoted twice", "", quote(">> ")),
            ("quoted by bars", "", quote("| ")),
            ("flowed", "Content-Type: text/plain; format=flowed\n", quote("> ").replace("seat ", "seat \n> ")),
            ("html", "Content-Type: text/html\n", html),
            ("quoted-printable", "Content-Transfer-Encoding: quoted-printable\n", coded),
            ("wrapped", "", wrapped.replace(HASH, &format!("{}\n{}", &HASH[..20], &HASH[20..]))),
        ] {
            let found = evidence(&format!("From: a@b.example\nSubject: x\nMIME-Version: 1.0\n{fields}\n{body}"));
            let [receipt] = &found.receipts[..] else { panic!("{what}: {found:?}") };
            assert_eq!((receipt.game.as_str(), receipt.n, receipt.seat.as_str()), ("lone-pine", 10, "B"), "{what}");
            assert_eq!(receipt.hash.to_string(), HASH, "{what}");
            assert_eq!(receipt.signature, signature(), "{what}");
            let [hand] = &found.hands[..] else { panic!("{what}: {found:?}") };
            assert_eq!((hand.cards.len(), hand.receipt, hand.asked), (2, Some(0), false), "{what}");
            assert_eq!((hand.cards[0].card.as_str(), hand.cards[0].pos), ("Texas Rangers", 5), "{what}");
        }
    }

    #[test]
    fn the_header_and_the_text_of_a_letter_are_one_receipt() {
        let signature = signature();
        let header = format!(
            "From: p@play.example\nMessage-ID: <lone-pine.B.10.{}.letter@play.example>\n\
             X-Postrider-Head: lone-pine 10\n {HASH}\nX-Postrider-Signature: {signature}\nX-Postrider-Key: {HASH}\n\n",
            &HASH[..8]
        );
        let found = evidence(&(header.clone() + &letter()));
        assert_eq!((found.receipts.len(), found.hands.len(), found.mails), (1, 1, 1));
        assert_eq!(
            (found.receipts[0].seat.as_str(), found.receipts[0].key.map(|key| key.to_string())),
            ("B", Some(HASH.into()))
        );
        // The header alone tells the seat too, unless its id is that of another head.
        assert_eq!(evidence(&header).receipts[0].seat, "B");
        assert_eq!(evidence(&header.replace(".B.10.", ".B.11.")).receipts[0].seat, "");
        assert_eq!(evidence(&header).receipts[0].signature, signature);
    }

    #[test]
    fn what_is_damaged_is_said_and_what_is_none_is_passed_over() {
        let proof = letter().lines().rev().nth(1).unwrap().to_owned();
        let damaged = letter().replace(&proof[30..34], "....");
        let found = evidence(&format!("From: a@b.example\n\n{damaged}"));
        let head = Some(("lone-pine".to_owned(), 10));
        assert_eq!((found.receipts.len(), &found.damaged[..]), (0, &[Damaged { place: "x.eml".into(), head }][..]));
        let field = format!("From: a@b.example\nX-Postrider-Head: lone-pine ten {HASH}\n\n");
        assert_eq!(evidence(&field).damaged, [Damaged { place: "x.eml".into(), head: None }]);
        let prose = "From: a@b.example\n\nJournal of a plague year, entry\nJournal lone-pine, entry 12, says so\nJournal lone-pine, entry 12, signed by the host\nthe epoch 5, position\n";
        let found = evidence(prose);
        assert!(found.receipts.is_empty() && found.damaged.is_empty() && found.hands.is_empty());
    }
}
