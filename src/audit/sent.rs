//! Whose words an order is: a player's own copies of his mails, held against the decisions of his seat.

use postrider_dice::{Hash, sha256};
use postrider_journal::{Body, Checker, LinesFault, Via, words_digest};
use postrider_mail::{Incoming, Mailbox, Saved};
use postrider_orders::{list_and, visible};
use postrider_replay::Source;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt, io,
    ops::Range,
    path::Path,
};

/// The maximum number of lines into which an order may have been wrapped.
const MOST_WRAPPED: usize = 4;

/// What a player's copies of his mails say of what the journal says he did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The outcome in one line that can be quoted.
    pub quote: String,
    /// The seats whose letters the mails answer.
    pub seats: Vec<String>,
    /// Everything that the journal says these seats did, in its order.
    pub entries: Vec<SentEntry>,
    /// The mails to this game, in the order of the folder.
    pub mails: Vec<SentLines>,
}

/// Something that the journal says a seat did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentEntry {
    /// n of its entry.
    pub n: u64,
    /// The seat.
    pub seat: String,
    /// What it is.
    pub what: Deed,
    /// The way it came.
    pub via: Via,
    /// Whose words it is.
    #[serde(flatten)]
    pub whose: Whose,
}

/// What a seat can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// It takes its seat.
    Joined,
    /// An order.
    Order,
    /// A standing order that is opened.
    StandingOrder,
}

/// Whose words a deed is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "whose", rename_all = "kebab-case")]
pub enum Whose {
    /// The player's, word for word.
    Mine {
        /// The line of his mail.
        line: String,
        /// Where the mail lies.
        mail: String,
    },
    /// No mail that was given has these words.
    NotMine,
    /// It came by no mail, so no mail can have its words.
    ByNoMail,
}

/// A mail of the player's to this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentLines {
    /// Where it lies.
    pub mail: String,
    /// Its lines of which no decision was made: greetings and questions too.
    pub not_taken: Vec<String>,
}

/// A mail as its writer kept it.
struct Kept {
    place: String,
    id: String,
    /// SHA-256 of it as it lies there.
    hash: Hash,
    seats: BTreeSet<String>,
    lines: Vec<String>,
}

/// A deed as the journal has it, and what shows whose it is.
struct Done {
    n: u64,
    seat: String,
    what: Deed,
    via: Via,
    proof: Proof,
}

/// What shows whose words a deed is.
enum Proof {
    /// None: it came by no mail.
    None,
    /// The digest of the words of an order.
    Words(Hash),
    /// The hash of a mail, or words that stand in it.
    Mail(Hash, String),
    /// Words that stand in mails as they are.
    Text(Vec<String>),
}

impl Sent {
    /// Reads a folder of sent mails, an mbox file or an archive, and holds it against a journal.
    ///
    /// # Errors
    /// When one of them cannot be read. Lines behind a contradiction of the journal are not looked at.
    pub fn of(source: &Source, folder: &Path) -> io::Result<Sent> {
        let Deeds { game, names, all } = deeds(source)?;
        let mails = kept(folder, &game, &names)?;
        let mut seats: BTreeSet<String> = mails.iter().flat_map(|mail| mail.seats.clone()).collect();
        let mut words: HashMap<Hash, (usize, Range<usize>)> = HashMap::new();
        for (at, mail) in mails.iter().enumerate() {
            for (seat, lines) in names.iter().flat_map(|seat| mail.pieces().map(move |lines| (seat, lines))) {
                let text = mail.lines[lines.clone()].join(" ");
                words.entry(words_digest(&game, seat, &mail.id, [text.as_str()])).or_insert((at, lines));
            }
        }
        let found = |proof: &Proof| match proof {
            Proof::None => None,
            Proof::Words(hash) => words.get(hash).cloned(),
            Proof::Mail(hash, text) => {
                let same = mails.iter().position(|mail| mail.hash == *hash).map(|at| (at, mails[at].saying(text)));
                same.or_else(|| saying(&mails, text))
            }
            Proof::Text(texts) => texts.iter().map(|text| saying(&mails, text)).collect::<Option<Vec<_>>>()?.pop(),
        };
        seats.extend(all.iter().filter(|deed| found(&deed.proof).is_some()).map(|deed| deed.seat.clone()));
        let mut taken: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut entries = Vec::new();
        for deed in all.into_iter().filter(|deed| seats.contains(&deed.seat)) {
            let whose = match (found(&deed.proof), &deed.proof) {
                (Some((at, lines)), _) => {
                    taken.entry(at).or_default().extend(lines.clone());
                    Whose::Mine { line: mails[at].lines[lines].join(" "), mail: mails[at].place.clone() }
                }
                (None, Proof::None) => Whose::ByNoMail,
                (None, _) => Whose::NotMine,
            };
            let Done { n, seat, what, via, .. } = deed;
            entries.push(SentEntry { n, seat, what, via, whose });
        }
        let left = |(at, mail): (usize, &Kept)| {
            let took = |k: usize| taken.get(&at).is_some_and(|taken| taken.contains(&k));
            let not_taken = mail.lines.iter().enumerate().filter(|&(k, _)| !took(k)).map(|(_, line)| line.clone());
            let ours = !mail.seats.is_empty() || taken.contains_key(&at);
            ours.then(|| SentLines { mail: mail.place.clone(), not_taken: not_taken.collect() })
        };
        let mails = mails.iter().enumerate().filter_map(left).collect();
        let seats: Vec<String> = seats.into_iter().collect();
        Ok(Sent { quote: quote(&seats, &entries), seats, entries, mails })
    }

    /// Whether everything that somebody ordered for these seats is proved to be the player's own words, and there is something.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        !self.entries.is_empty() && !self.entries.iter().any(SentEntry::is_foreign)
    }
}

impl Sent {
    /// The same for others to read: without the lines of which nothing was made, and with numbers in place of where the mails lie.
    #[must_use]
    pub fn numbered(mut self) -> Sent {
        let number = |place: &str, mails: &[SentLines]| {
            let at = mails.iter().position(|mail| mail.mail == place).map_or(0, |at| at + 1);
            format!("sent mail {at}")
        };
        for entry in &mut self.entries {
            if let Whose::Mine { mail, .. } = &mut entry.whose {
                *mail = number(mail, &self.mails);
            }
        }
        self.mails.clear();
        self
    }
}

impl SentEntry {
    /// Whether somebody else may have ordered it: neither are the words in the player's mails, nor did the rules, a standing order
    /// of his or a bot that he plays with answer in his place.
    fn is_foreign(&self) -> bool {
        match self.whose {
            // Who joins orders nothing yet.
            _ if self.what == Deed::Joined => false,
            Whose::Mine { .. } => false,
            Whose::NotMine => true,
            Whose::ByNoMail => !matches!(self.via, Via::Standing | Via::Deadline),
        }
    }
    /// How it came, where it came by no mail.
    fn way(&self) -> &'static str {
        match self.via {
            Via::Mail => "by mail",
            Via::Cli => "at the host's terminal",
            Via::Standing => "by a standing order of the seat",
            Via::Deadline => "for the seat when its deadline had passed",
            Via::Bot => "by a bot",
        }
    }
}

/// What the mails say, in one line.
fn quote(seats: &[String], entries: &[SentEntry]) -> String {
    let foreign: Vec<&SentEntry> = entries.iter().filter(|entry| entry.is_foreign()).collect();
    let whose = match seats {
        [one] => format!("of seat {one}"),
        several => format!("of seats {}", list_and(several)),
    };
    let places: Vec<String> = foreign.iter().map(|entry| entry.n.to_string()).collect();
    match (seats, places.as_slice()) {
        ([], _) => "NOT KNOWN: none of the mails given answers a letter of this game".to_owned(),
        (_, []) => format!("ALL THAT WAS ORDERED {whose} is in the mails given"),
        (_, [one]) => format!("ONE ORDER {whose} is not in the mails given: entry {one}"),
        (_, several) => {
            format!("{} ORDERS {whose} are not in the mails given: entries {}", several.len(), list_and(several))
        }
    }
}

/// What a journal says that seats did.
#[derive(Default)]
struct Deeds {
    game: String,
    names: Vec<String>,
    all: Vec<Done>,
}

/// All deeds of a journal, up to its first contradiction.
fn deeds(source: &Source) -> io::Result<Deeds> {
    let mut found = Deeds::default();
    // Whose each standing order is.
    let mut sealed: BTreeMap<u64, String> = BTreeMap::new();
    let (mut checker, mut lines) = (Checker::new(), source.lines()?);
    loop {
        let text = match lines.next_line() {
            Ok(Some(text)) => text,
            Err(LinesFault::Io { error, .. }) => return Err(error),
            Ok(None) | Err(_) => return Ok(found),
        };
        let Ok(checked) = checker.feed(text) else { return Ok(found) };
        let n = checked.line.n;
        let mut add =
            |seat: &str, what, via, proof| found.all.push(Done { n, seat: seat.to_owned(), what, via, proof });
        match &checked.body {
            Body::Opened(opened) => {
                found.game = opened.game.to_string();
                found.names = opened.seats.iter().map(ToString::to_string).collect();
            }
            Body::Joined(joined) => {
                let proof = joined.mail.map_or(Proof::None, |mail| Proof::Mail(mail, joined.luck.to_string()));
                add(&joined.seat, Deed::Joined, joined.via, proof);
            }
            Body::Decision(decision) => {
                let proof = decision.words.map_or(Proof::None, Proof::Words);
                add(&decision.seat, Deed::Order, decision.via, proof);
            }
            Body::Sealed(standing) if standing.what == "standing" => {
                sealed.insert(n, standing.seat.to_string());
            }
            Body::Unsealed(unsealed) => {
                let Some(seat) = sealed.get(&unsealed.of) else { continue };
                let Ok(content) = serde_json::from_str::<StandingWords>(unsealed.content.get()) else { continue };
                let (via, proof) = match content.from.is_empty() {
                    true => (Via::Cli, Proof::None),
                    false => (Via::Mail, Proof::Text(content.orders)),
                };
                add(seat, Deed::StandingOrder, via, proof);
            }
            _ => {}
        }
    }
}

/// What is looked at in a standing order.
#[derive(Deserialize)]
struct StandingWords {
    orders: Vec<String>,
    from: String,
}

/// The first mail that has these words in a line.
fn saying(mails: &[Kept], text: &str) -> Option<(usize, Range<usize>)> {
    let found = mails.iter().enumerate().map(|(at, mail)| (at, mail.saying(text)));
    { found }.find(|(_, lines)| !lines.is_empty())
}

impl Kept {
    /// The line that has these words; none where there is none.
    fn saying(&self, text: &str) -> Range<usize> {
        let text = text.to_lowercase();
        let line = self.lines.iter().position(|line| !text.is_empty() && line.to_lowercase().contains(&text));
        line.map_or(0..0, |at| at..at + 1)
    }
    /// The lines that may be one order: single lines, and rows of a wrapped one.
    fn pieces(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let all = 0..self.lines.len();
        all.flat_map(|from| (from + 1..=(from + MOST_WRAPPED).min(self.lines.len())).map(move |to| from..to))
    }
}

/// The mails of a mailbox, with the seats of this game whose letters they answer.
fn kept(folder: &Path, game: &str, names: &[String]) -> io::Result<Vec<Kept>> {
    let mut mails = Vec::new();
    for saved in Mailbox::open(folder)? {
        let Saved::Mail { mail, .. } = saved else { continue };
        let Ok(read) = Incoming::parse(&mail.raw) else { continue };
        let Ok(orders) = &read.orders else { continue };
        // A letter's Message-ID is game.seat.n.hash.kind.
        let answered = read.in_reply_to.iter().chain(&read.references).filter_map(|id| {
            let seat = id.strip_prefix(game)?.strip_prefix('.')?.split('.').next()?;
            names.iter().find(|name| *name == seat).cloned()
        });
        mails.push(Kept {
            seats: answered.collect(),
            lines: orders.lines.iter().map(|line| line.text.trim().to_owned()).collect(),
            id: read.message_id.unwrap_or_default(),
            hash: sha256(&mail.raw),
            place: mail.place,
        });
    }
    Ok(mails)
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seats.is_empty() {
            return writeln!(
                f,
                "SENT MAILS: none of them answers a letter of this game, and no entry has their words."
            );
        }
        writeln!(f, "SENT MAILS of seat {}:", self.seats.join(", "))?;
        for entry in &self.entries {
            let SentEntry { n, seat, what, whose, .. } = entry;
            let what = match what {
                Deed::Joined => ", joining",
                Deed::Order => "",
                Deed::StandingOrder => ", a standing order",
            };
            let whose = match whose {
                Whose::Mine { line, .. } if line.is_empty() => "mine, by its hash".to_owned(),
                Whose::Mine { line, .. } => format!("mine, word for word: \"{}\"", visible(line)),
                Whose::NotMine => "not mine: none of these mails has its words".to_owned(),
                Whose::ByNoMail => format!("by no mail: {}", entry.way()),
            };
            let place = match &entry.whose {
                Whose::Mine { mail, .. } => format!(", in {}", visible(mail)),
                _ => String::new(),
            };
            writeln!(f, "  entry {n} ({seat}){what}: {whose}{place}")?;
        }
        for SentLines { mail, not_taken } in self.mails.iter().filter(|mail| !mail.not_taken.is_empty()) {
            for line in not_taken {
                writeln!(f, "  mine, but not taken: \"{}\", in {}", visible(line), visible(mail))?;
            }
        }
        Ok(())
    }
}
