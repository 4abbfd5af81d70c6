//! Whose words an order is: a player's own copies of his mails, held against the decisions of his seat.

use postrider_dice::Hash;
use postrider_journal::{Body, Checker, LinesFault, words_digest};
use postrider_mail::{Incoming, Mailbox, Saved};
use postrider_orders::visible;
use postrider_replay::Source;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt, io,
    ops::Range,
    path::Path,
};

/// The maximum number of lines into which an order may have been wrapped.
const MOST_WRAPPED: usize = 4;

/// What a player's copies of his mails say of the decisions that came by mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The seats whose letters the mails answer.
    pub seats: Vec<String>,
    /// The decisions of these seats that came by mail, in their order.
    pub entries: Vec<SentEntry>,
    /// The mails to this game, in the order of the folder.
    pub mails: Vec<SentLines>,
}

/// A decision that the journal says came by mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentEntry {
    /// n of its entry.
    pub n: u64,
    /// The seat.
    pub seat: String,
    /// Whose words it is.
    #[serde(flatten)]
    pub whose: Whose,
}

/// Whose words a decision is.
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
    seats: BTreeSet<String>,
    lines: Vec<String>,
}

impl Sent {
    /// Reads a folder of sent mails, an mbox file or an archive, and holds it against a journal.
    ///
    /// # Errors
    /// When one of them cannot be read. Lines behind a contradiction of the journal are not looked at.
    pub fn of(source: &Source, folder: &Path) -> io::Result<Sent> {
        let mut decisions: Vec<(u64, String, Hash)> = Vec::new();
        let (mut game, mut names) = (String::new(), Vec::new());
        let (mut checker, mut lines) = (Checker::new(), source.lines()?);
        loop {
            let text = match lines.next_line() {
                Ok(Some(text)) => text,
                Err(LinesFault::Io { error, .. }) => return Err(error),
                Ok(None) | Err(_) => break,
            };
            let Ok(checked) = checker.feed(text) else { break };
            match &checked.body {
                Body::Opened(opened) => {
                    game = opened.game.to_string();
                    names = opened.seats.iter().map(ToString::to_string).collect();
                }
                Body::Decision(decision) => {
                    decisions.extend(decision.words.map(|words| (checked.line.n, decision.seat.to_string(), words)));
                }
                _ => {}
            }
        }
        let mails = kept(folder, &game, &names)?;
        let mut seats: BTreeSet<String> = mails.iter().flat_map(|mail| mail.seats.clone()).collect();
        let mut words: HashMap<Hash, (usize, Range<usize>)> = HashMap::new();
        for (at, mail) in mails.iter().enumerate() {
            for (seat, lines) in names.iter().flat_map(|seat| mail.pieces().map(move |lines| (seat, lines))) {
                let text = mail.lines[lines.clone()].join(" ");
                words.entry(words_digest(&game, seat, &mail.id, [text.as_str()])).or_insert((at, lines));
            }
        }
        let found = |hash: &Hash| words.get(hash).cloned();
        seats.extend(decisions.iter().filter(|(.., hash)| found(hash).is_some()).map(|(_, seat, _)| seat.clone()));
        let mut taken: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut entries = Vec::new();
        for (n, seat, hash) in decisions.into_iter().filter(|(_, seat, _)| seats.contains(seat)) {
            let whose = match found(&hash) {
                Some((at, lines)) => {
                    taken.entry(at).or_default().extend(lines.clone());
                    Whose::Mine { line: mails[at].lines[lines].join(" "), mail: mails[at].place.clone() }
                }
                None => Whose::NotMine,
            };
            entries.push(SentEntry { n, seat, whose });
        }
        let left = |(at, mail): (usize, &Kept)| {
            let took = |k: usize| taken.get(&at).is_some_and(|taken| taken.contains(&k));
            let not_taken = mail.lines.iter().enumerate().filter(|&(k, _)| !took(k)).map(|(_, line)| line.clone());
            let ours = !mail.seats.is_empty() || taken.contains_key(&at);
            ours.then(|| SentLines { mail: mail.place.clone(), not_taken: not_taken.collect() })
        };
        let mails = mails.iter().enumerate().filter_map(left).collect();
        Ok(Sent { seats: seats.into_iter().collect(), entries, mails })
    }

    /// Whether every decision of these seats is proved to be the player's own words, and there is one.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        !self.entries.is_empty() && self.entries.iter().all(|entry| matches!(entry.whose, Whose::Mine { .. }))
    }
}

impl Kept {
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
        for SentEntry { n, seat, whose } in &self.entries {
            match whose {
                Whose::Mine { line, mail } => {
                    let (line, mail) = (visible(line), visible(mail));
                    writeln!(f, "  entry {n} ({seat}): mine, word for word: \"{line}\", in {mail}")?;
                }
                Whose::NotMine => writeln!(f, "  entry {n} ({seat}): not mine: none of these mails has its words")?,
            }
        }
        for SentLines { mail, not_taken } in self.mails.iter().filter(|mail| !mail.not_taken.is_empty()) {
            for line in not_taken {
                writeln!(f, "  mine, but not taken: \"{}\", in {}", visible(line), visible(mail))?;
            }
        }
        Ok(())
    }
}
