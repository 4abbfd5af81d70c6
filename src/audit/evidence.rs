//! Evidence in saved mails: signed heads and hands of cards.
//!
//! A letter names the journal's head twice, in its header and in its last lines, and lists the
//! reader's hidden cards with their salts. This module reads both from letters in any form:
//! original, forwarded, attached, or quoted in an answer. Other modules judge whether they match a
//! journal.

use data_encoding::BASE64URL_NOPAD;
use postrider_dice::{Hash, sha256};
use postrider_journal::Head;
use postrider_mail::SavedMessage;
use postrider_mailbox::{MOST_NESTED, Mailbox, NotRead, Saved, SavedMail, Unreadable, is_archive};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, io, path::Path};

/// A journal's head as named in a mail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Receipt {
    /// The game's id.
    pub game: String,
    /// The `n` of the last line at the time of the letter.
    pub n: u64,
    /// The hash of that line.
    pub hash: Hash,
    /// The service's signature, 86 characters of base64url; "" if there is none.
    pub signature: String,
    /// The seat to which the letter was sent; "" if unknown. Not signed.
    pub seat: String,
    /// The service's key as named in the mail, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Hash>,
    /// SHA-256 of the saved mail in which this copy was found.
    pub mail: Hash,
    /// The place of that mail.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The date of the letter, RFC 3339; `None` if it has none. Not signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<String>,
}

impl Receipt {
    /// Returns the head.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { game: self.game.clone(), n: self.n, hash: self.hash }
    }
}

/// A hidden card as listed in a letter to its holder (section 7).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct HeldCard {
    /// The deck.
    pub deck: String,
    /// The number of the shuffle.
    pub epoch: u64,
    /// The card's position, from 0.
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
    /// The index in [`Evidence::receipts`] of the letter's head, if known.
    pub receipt: Option<usize>,
    /// The place of the mail.
    pub place: String,
    /// `true` if it was given as a hand to check, not found in a mailbox.
    pub asked: bool,
}

/// A receipt that begins in a mail but is incomplete, and so proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The place of the mail.
    pub place: String,
    /// The game and the `n` of the head, if they can be read.
    pub head: Option<(String, u64)>,
}

/// A path that was given as a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMailbox {
    /// The path.
    pub place: String,
    /// The indexes in [`Evidence::receipts`] of the heads found there.
    pub receipts: Vec<usize>,
}

/// A file of a mailbox and the number of letters in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadFile {
    /// The place of the file.
    pub place: String,
    /// The number of its mails; 1 except for mbox files.
    pub mails: u64,
    /// The number of mails with a head, part of a head, or a hand, of any game.
    pub letters: u64,
}

/// All evidence found in mails.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The number of mails read.
    pub mails: u64,
    /// Every head, once per seat and signature, in the order in which the mails were read.
    pub receipts: Vec<Receipt>,
    /// Every hand.
    pub hands: Vec<Hand>,
    /// The incomplete receipts.
    pub damaged: Vec<Damaged>,
    /// Every path given as a mailbox.
    pub mailboxes: Vec<GivenMailbox>,
    /// Every file that was read.
    pub files: Vec<ReadFile>,
    /// Files that were not read.
    pub not_read: Vec<NotRead>,
    /// The raw mails with receipts or hands; only with [`Evidence::keeping_mails`].
    pub raw: Vec<SavedMail>,
    keep: bool,
}

impl Evidence {
    /// Creates an empty collection that also keeps the mails themselves.
    #[must_use]
    pub fn keeping_mails() -> Evidence {
        Evidence { keep: true, ..Evidence::default() }
    }

    /// Returns true if no mails were given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mails == 0 && self.receipts.is_empty() && self.mailboxes.is_empty() && self.not_read.is_empty()
    }

    /// Reads a mailbox in any form that [`Mailbox`] supports, or a list of receipts (`.json`) as
    /// found in a bundle.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read or the list is invalid.
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

    /// Reads mails whose hands are to be checked, with or without a signed head.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read or shows no hand.
    pub fn add_hand(&mut self, path: &Path) -> io::Result<()> {
        let before = self.hands.len();
        Mailbox::open(path)?.for_each(|saved| _ = self.add_saved(saved, true, 0));
        if self.hands.len() == before {
            let why = format!("{} shows no cards with their salts", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(())
    }

    /// Reads one mail. With `asked`, its hand is checked even without a signed head.
    pub fn add(&mut self, mail: &SavedMail, asked: bool) {
        self.add_saved(Saved::Mail { file: mail.place.clone(), mail: mail.clone() }, asked, 0);
    }

    /// Adds a list of receipts; returns their indexes.
    fn add_list(&mut self, list: Vec<Receipt>) -> Vec<usize> {
        self.mails += list.iter().map(|receipt| receipt.mail).collect::<BTreeSet<_>>().len() as u64;
        list.into_iter().map(|receipt| self.keep(receipt)).collect()
    }

    /// Adds a mail of a mailbox, or of an archive attached to a mail, at a depth of `nested`
    /// archives. Returns the indexes of its receipts.
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
        // A list of receipts may be next to the mails, as in a bundle.
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

    /// Reads one mail. Returns the indexes of its receipts, and whether it is a letter at all.
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
                        // The cards of a letter are above its head.
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
            archives.extend(message.files.into_iter().filter(|(_, bytes)| is_archive(bytes)));
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

    /// Returns a copy with the places of the mails replaced by `mails/0001.eml`, `mails/0002.eml`
    /// and so on, in the order in which they were read. Mailboxes, files and unread files are
    /// numbered too.
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

    /// Returns the service's key as named in the header of a mail or, for an invitation, in its
    /// text.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read, or if it names no key or more than one.
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

    /// Adds a receipt unless it is already known; returns its index.
    fn keep(&mut self, receipt: Receipt) -> usize {
        let same = |old: &Receipt| {
            (&old.game, old.n, old.hash, &old.signature) == (&receipt.game, receipt.n, receipt.hash, &receipt.signature)
                && (old.seat == receipt.seat || receipt.seat.is_empty())
        };
        match self.receipts.iter().position(same) {
            Some(at) => {
                let old = &mut self.receipts[at];
                old.key = old.key.or(receipt.key);
                // A forwarded copy is dated later than the letter.
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

/// Returns the receipt in the header of a letter.
fn header_receipt(message: &SavedMessage, mail: Hash, place: &str) -> Option<Receipt> {
    let mut words = message.field("X-Postrider-Head")?.split(' ');
    // The values may have spaces, so that the field can be folded.
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

/// Returns the date of a message in the format of journals.
fn dated(message: &SavedMessage) -> Option<String> {
    Some(message.date?.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Returns the seat in `<game.seat.n.hash8.kind…@host>`, if the id belongs to this head; else "".
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

/// A head or card in a letter's text.
enum Piece {
    Head(Shown),
    Card(HeldCard),
    /// An incomplete head of this game and n.
    Damaged(String, u64),
}

/// A head as shown in the last lines of a letter.
#[derive(Default)]
struct Shown {
    game: String,
    n: u64,
    hash: Hash,
    signature: String,
    seat: String,
}

/// Finds heads and cards. Only words matter, not lines, so mail programs may break lines anywhere.
fn pieces(text: &str) -> Vec<Piece> {
    // Some programs insert invisible characters into long words to allow line breaks.
    let text = text.replace(['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'], "");
    // Some programs mark quoted lines with these; no word of ours begins with them.
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

/// Parses `Journal <game>, entry <n>, for seat <seat>, signed`, followed by 128 characters of
/// base64url that hold hash and signature. Returns the head and the number of words. Returns `None`
/// if no such characters follow, because the text is then prose.
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
    // Prose continues with words; a damaged proof at least begins like a proof.
    let long = |at: usize, than: usize| words.get(at).is_some_and(|word| word.len() > than);
    let begins = long(at + 1, LONG_WORD) || (long(at + 1, GROUP) && long(at + 2, GROUP));
    let piece = match proof {
        Some((hash, signature)) => Piece::Head(Shown { game, n, hash, signature, seat }),
        None if begins => Piece::Damaged(game, n),
        None => return None,
    };
    Some((piece, at + 1 + taken))
}

/// Longer than any word of a language that may follow `signed`.
const LONG_WORD: usize = 30;

/// Shorter than the groups of characters in a proof, and longer than two successive words of prose.
const GROUP: usize = 18;

/// Parses hash and signature of a head from one or more words; also returns the number of words.
fn proof(words: &[&str]) -> (Option<(Hash, String)>, usize) {
    let (text, taken) = characters(words, PROOF_CHARACTERS);
    let bytes = text.and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
    let parts = bytes.as_deref().and_then(<[u8]>::split_first_chunk::<32>);
    (parts.map(|(hash, signature)| (Hash(*hash), BASE64URL_NOPAD.encode(signature))), taken)
}

/// The number of base64url characters for a hash of 32 bytes and a signature of 64 bytes.
const PROOF_CHARACTERS: usize = 128;

/// Joins words of base64url to `wanted` characters; also returns the number of words.
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

/// Parses `<deck>, epoch <e>, position <p>: <card> salt <43 characters>`; `words` begin at `epoch`.
/// Returns the card and the number of words.
fn card(deck: &str, words: &[&str]) -> Option<(HeldCard, usize)> {
    /// A card's id has at most 64 bytes.
    const MOST_WORDS: usize = 33;
    let deck = deck.strip_suffix(',')?;
    let epoch = words.get(1)?.strip_suffix(',')?.parse().ok()?;
    let pos = words.get(3).filter(|_| words[2] == "position")?.strip_suffix(':')?.parse().ok()?;
    let name = &words[4..];
    // The word `salt` may be part of a card's name.
    let (end, salt, taken) = (0..name.len().min(MOST_WORDS)).filter(|&at| name[at] == "salt").find_map(|at| {
        let (salt, taken) = characters(&name[at + 1..], 43);
        Some((at, salt?.parse().ok()?, taken))
    })?;
    Some((HeldCard { deck: deck.to_owned(), epoch, pos, card: name[..end].join(" "), salt }, 4 + end + 1 + taken))
}

/// Returns the key in the text of an invitation.
fn key_in(text: &str) -> Option<Hash> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| pair[1].parse().ok().filter(|_| pair[0] == "key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "_XM3dbFg84N7-0lQDWXsq2G0lVYEFS0MNBxHLpnXrSc";

    /// A signature that matches nothing.
    fn signature() -> String {
        BASE64URL_NOPAD.encode(&[[0xab; 32], [0xcd; 32]].concat())
    }

    /// The end of a letter in its current form.
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
        // A program that wraps at 60 columns also breaks long words.
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
        // The header alone also identifies the seat, unless its id belongs to another head.
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
