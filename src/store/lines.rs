//! The file format of [`Kept`] items: one JSON object per line, whose only member is named by its
//! kind.

use super::{
    folder::SenderCheck,
    messages::{Message, Party},
    player::Player,
    secrets::{
        AddressAsked, AdviceTerms, Append, Away, Boilerplate, Contradicting, Directed, Draft, Hours, Kept, Pace,
        Proposed, Renewed, SealedContent, Told, Undoing, Waiting, Whose, WhyRenewed, Written,
    },
    watchers::Watcher,
};
use postrider_dice::Hash;
use postrider_journal::Secret;
use postrider_mail::Signed;
use postrider_table::{PromptId, Seat};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Value, json, value::RawValue};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A line added to those of the journal layer.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Note {
    Player {
        seat: String,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    Written {
        seats: BTreeMap<String, Written>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<Hash>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copies: Option<Hash>,
    },
    Sealed(SealedContent),
    Proposed {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        seat: String,
        mail: Hash,
        lines: Vec<(Option<PromptId>, String)>,
        unread: Vec<String>,
        #[serde(default, flatten)]
        directed: Option<Directed>,
    },
    Boilerplate {
        seat: String,
        #[serde(flatten)]
        line: Boilerplate,
    },
    NoBoilerplate {
        seat: String,
    },
    Pace {
        seat: String,
        #[serde(flatten)]
        pace: Pace,
    },
    Draft {
        seat: String,
        #[serde(flatten)]
        draft: Draft,
    },
    Waiting {
        seat: String,
        #[serde(flatten)]
        waiting: Waiting,
    },
    Press {
        commit: Hash,
        salt: Hash,
        by: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anonymous: bool,
        to: Vec<String>,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<(Hash, u64)>,
    },
    Waited {
        mail: Hash,
    },
    Away {
        seat: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        away: Option<Away>,
    },
    AwayBot {
        bot: String,
    },
    InvitedBy {
        name: String,
    },
    ConcededBot {
        bot: String,
    },
    Advice {
        agreed: AdviceTerms,
    },
    Rated {},
    Rematch {
        game: String,
    },
    Zone {
        seat: String,
        zone: String,
    },
    Declined {
        seat: String,
        declined: bool,
    },
    Hours {
        seat: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hours: Option<Hours>,
    },
    Watcher(Watcher),
    Unwatched {
        address: String,
    },
    Tokens {
        seat: String,
        address: Hash,
        why: WhyRenewed,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<Hash>,
    },
    Check {
        seat: String,
        check: SenderCheck,
    },
    Contradicting {
        seat: String,
        n: u64,
        hash: Hash,
        mail: Hash,
    },
    Signed {
        mail: Hash,
        #[serde(flatten)]
        signed: Signed,
    },
    Asked {
        seat: String,
        #[serde(flatten)]
        asked: AddressAsked,
    },
    Also {
        seat: String,
        address: String,
        counts: bool,
    },
    Told {
        head: Hash,
        at: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<(String, Hash)>,
        says: Box<RawValue>,
    },
    Rewound(Undoing),
    Append {
        from: u64,
        to: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<(String, Hash)>,
    },
}

/// The items and errors found in a file of secrets.
#[derive(Clone, Debug, Default)]
pub struct KeptLines {
    /// The items, oldest first.
    pub kept: Vec<Kept>,
    /// Lines that could not be read. The game remains usable, but something may be missing.
    pub strange: Vec<StrangeLine>,
}

/// A line of a game's secrets that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrangeLine {
    /// Its number in the file, from 1.
    pub line: u64,
    /// The problem. It never includes the content, which may be secret.
    pub what: Strange,
}

/// The reason why a line of secrets could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strange {
    /// It is not a JSON object.
    NotJson,
    /// This release does not know its kind.
    Unknown(String),
    /// It has no kind, or lacks members of its kind.
    Damaged(String),
    /// The file does not end with a newline: a write was interrupted or is in progress.
    Torn,
}

impl fmt::Display for StrangeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} ", self.line)?;
        match &self.what {
            Strange::NotJson => f.write_str("is damaged: it is no JSON object"),
            Strange::Unknown(kind) => write!(f, "is of the kind {kind:?}, which this release does not know"),
            Strange::Damaged(kind) if kind.is_empty() => f.write_str("is damaged: it does not say of what kind it is"),
            Strange::Damaged(kind) => write!(f, "is damaged: it lacks something that a line of the kind {kind:?} has"),
            Strange::Torn => f.write_str("is not whole; the next command for this game cuts it off"),
        }
    }
}

impl KeptLines {
    /// Reads the text of a file. A last line without a newline does not count.
    #[must_use]
    pub fn of_text(text: &str) -> KeptLines {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = KeptLines::of_lines(text[..whole].lines());
        if whole < text.len() {
            let line = text[..whole].lines().count() as u64 + 1;
            lines.strange.push(StrangeLine { line, what: Strange::Torn });
        }
        lines
    }

    /// Reads the lines of a file.
    pub fn of_lines<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> KeptLines {
        let mut lines = KeptLines::default();
        let mut names = BTreeMap::new();
        for (line, text) in (1..).zip(texts) {
            match read(text.as_ref(), &mut names) {
                Ok(kept) => lines.kept.extend(kept),
                Err(what) => lines.strange.push(StrangeLine { line, what }),
            }
        }
        lines
    }
}

/// Returns the numbers, from 0, of the lines with items that `gone` selects. A player takes two
/// lines.
pub fn lines_of(text: &str, gone: &dyn Fn(&Kept) -> bool) -> BTreeSet<usize> {
    let (mut names, mut named, mut places) = (BTreeMap::new(), None, BTreeSet::new());
    for (at, line) in text.lines().enumerate() {
        match read(line, &mut names) {
            Ok(None) => named = Some(at),
            Ok(Some(kept)) => {
                let name = named.take().filter(|_| matches!(kept, Kept::Player(_)));
                if gone(&kept) {
                    places.extend(name.into_iter().chain([at]));
                }
            }
            Err(_) => {}
        }
    }
    places
}

/// Reads one line. A player's name is in the line before that of the address.
fn read(text: &str, names: &mut BTreeMap<Seat, (String, Option<String>)>) -> Result<Option<Kept>, Strange> {
    match serde_json::from_str::<Note>(text) {
        Ok(note) => of_note(note, names).ok_or_else(|| strange(text)),
        Err(_) => of_secret(text, names).ok_or_else(|| strange(text)),
    }
}

/// Returns the item in a line of the journal layer; `None` if it cannot be read.
fn of_secret(text: &str, names: &BTreeMap<Seat, (String, Option<String>)>) -> Option<Option<Kept>> {
    Some(match serde_json::from_str::<Secret>(text).ok()? {
        Secret::Chain(chain) => Some(Kept::Chain(chain)),
        Secret::Root(root) => Some(Kept::Root(root)),
        Secret::Address { seat, address, salt } => {
            let seat = Seat::from_letter(&seat)?;
            let (name, zone) = names.get(&seat).cloned().unwrap_or_else(|| (seat.to_string(), None));
            Some(Kept::Player(Player { seat, name, address: address.to_ascii_lowercase(), salt, zone }))
        }
        Secret::Key { .. } => None,
    })
}

/// Returns the reason why a line could not be read.
fn strange(text: &str) -> Strange {
    let Ok(members) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text) else { return Strange::NotJson };
    match members.into_keys().next() {
        Some(kind) if !has_kind::<Note>(&kind) && !has_kind::<Secret>(&kind) => Strange::Unknown(kind),
        kind => Strange::Damaged(kind.unwrap_or_default()),
    }
}

/// Returns true if there are lines of this kind.
fn has_kind<L: DeserializeOwned>(kind: &str) -> bool {
    let alone = serde_json::from_value::<L>(json!({ kind: null }));
    alone.err().is_none_or(|why| !why.to_string().starts_with("unknown variant"))
}

/// Returns the item in a note; `None` if it names an invalid seat or party.
fn of_note(note: Note, names: &mut BTreeMap<Seat, (String, Option<String>)>) -> Option<Option<Kept>> {
    let seat_of = |letter: &str| Seat::from_letter(letter);
    Some(Some(match note {
        Note::Player { seat, name, zone } => {
            names.insert(seat_of(&seat)?, (name, zone));
            return Some(None);
        }
        Note::Written { seats, mail, copies } => {
            let seats = seats.into_iter().map(|(seat, written)| Some((seat_of(&seat)?, written)));
            Kept::Written { seats: seats.collect::<Option<_>>()?, mail, copies }
        }
        Note::Told { head, at, by, says } => {
            let by = match by {
                Some((seat, mail)) => Some((seat_of(&seat)?, mail)),
                None => None,
            };
            Kept::Told(Told { head, at, by, says: says.get().to_owned() })
        }
        Note::Sealed(sealed) => Kept::Sealed(sealed),
        Note::Proposed { seat, mail, lines, unread, directed } => {
            let whose = match directed {
                Some(directed) => Whose::Director(directed),
                None => Whose::Seat(seat_of(&seat)?),
            };
            Kept::Proposed(Proposed { whose, mail, lines, unread })
        }
        Note::Boilerplate { seat, line } => Kept::Boilerplate(seat_of(&seat)?, line),
        Note::NoBoilerplate { seat } => Kept::NoBoilerplate(seat_of(&seat)?),
        Note::Pace { seat, pace } => Kept::Pace(seat_of(&seat)?, pace),
        Note::Draft { seat, draft } => Kept::Draft(seat_of(&seat)?, draft),
        Note::Press { commit, salt, by, anonymous, to, text, mail } => {
            let to = to.iter().map(|name| Party::of_name(name)).collect::<Option<_>>()?;
            Kept::Message(Message { commit, salt, by: Party::of_name(&by)?, anonymous, to, text, mail })
        }
        Note::Waiting { seat, waiting } => Kept::Waiting(seat_of(&seat)?, waiting),
        Note::Waited { mail } => Kept::Waited(mail),
        Note::Away { seat, away } => Kept::Away(seat_of(&seat)?, away),
        Note::AwayBot { bot } => Kept::AwayBot(bot),
        Note::ConcededBot { bot } => Kept::ConcededBot(bot),
        Note::InvitedBy { name } => Kept::InvitedBy(name),
        Note::Advice { agreed } => Kept::Advice(agreed),
        Note::Rated {} => Kept::Rated,
        Note::Rematch { game } => Kept::Rematch(game),
        Note::Declined { seat, declined } => Kept::Declined(seat_of(&seat)?, declined),
        Note::Zone { seat, zone } => Kept::Zone(seat_of(&seat)?, zone),
        Note::Hours { seat, hours } => Kept::Hours(seat_of(&seat)?, hours),
        Note::Watcher(watcher) => Kept::Watcher(watcher),
        Note::Unwatched { address } => Kept::Unwatched(address),
        Note::Tokens { seat, address, why, mail } => {
            Kept::Renewed(Renewed { seat: seat_of(&seat)?, address, why, mail })
        }
        Note::Contradicting { seat, n, hash, mail } => {
            Kept::Contradicting(Contradicting { seat: seat_of(&seat)?, n, hash, mail })
        }
        Note::Check { seat, check } => Kept::SenderCheck(seat_of(&seat)?, check),
        Note::Signed { mail, signed } => Kept::Signed { mail, signed },
        Note::Asked { seat, asked } => Kept::AddressAsked(seat_of(&seat)?, asked),
        Note::Also { seat, address, counts } => Kept::Address { seat: seat_of(&seat)?, address, counts },
        Note::Rewound(undoing) => Kept::Rewound(undoing),
        Note::Append { from, to, by } => {
            let by = match by {
                Some((seat, mail)) => Some((seat_of(&seat)?, mail)),
                None => None,
            };
            Kept::Append(Append { from, to, by })
        }
    }))
}

/// Returns the lines of an item.
///
/// # Errors
/// Returns an error if the item cannot be serialized as JSON.
pub fn written(kept: &Kept) -> Result<Vec<Value>, serde_json::Error> {
    let lines = lines_for(kept)?;
    #[cfg(any(test, feature = "testing"))]
    assert_eq!(KeptLines::of_lines(lines.iter().map(Value::to_string)).strange, [], "a line that cannot be read again");
    Ok(lines)
}

fn lines_for(kept: &Kept) -> Result<Vec<Value>, serde_json::Error> {
    let note = |note: Note| serde_json::to_value(note);
    let secret = |secret: Secret| serde_json::to_value(secret);
    Ok(match kept.clone() {
        Kept::Root(root) => vec![secret(Secret::Root(root))?],
        Kept::Chain(chain) => vec![secret(Secret::Chain(chain))?],
        Kept::Player(Player { seat, name, address, salt, zone }) => {
            let seat = seat.to_string();
            vec![
                note(Note::Player { seat: seat.clone(), name, zone })?,
                secret(Secret::Address { seat, address, salt })?,
            ]
        }
        Kept::Written { seats, mail, copies } => {
            let seats = seats.into_iter().map(|(seat, written)| (seat.to_string(), written)).collect();
            vec![note(Note::Written { seats, mail, copies })?]
        }
        Kept::Sealed(sealed) => vec![note(Note::Sealed(sealed))?],
        Kept::Proposed(Proposed { whose, mail, lines, unread }) => {
            let (seat, directed) = match whose {
                Whose::Seat(seat) => (seat.to_string(), None),
                Whose::Director(directed) => (String::new(), Some(directed)),
            };
            vec![note(Note::Proposed { seat, mail, lines, unread, directed })?]
        }
        Kept::Boilerplate(seat, line) => vec![note(Note::Boilerplate { seat: seat.to_string(), line })?],
        Kept::NoBoilerplate(seat) => vec![note(Note::NoBoilerplate { seat: seat.to_string() })?],
        Kept::Pace(seat, pace) => vec![note(Note::Pace { seat: seat.to_string(), pace })?],
        Kept::Draft(seat, draft) => vec![note(Note::Draft { seat: seat.to_string(), draft })?],
        Kept::Message(Message { commit, salt, by, anonymous, to, text, mail }) => {
            let to = to.iter().map(Party::to_string).collect();
            vec![note(Note::Press { commit, salt, by: by.to_string(), anonymous, to, text, mail })?]
        }
        Kept::Waiting(seat, waiting) => vec![note(Note::Waiting { seat: seat.to_string(), waiting })?],
        Kept::Waited(mail) => vec![note(Note::Waited { mail })?],
        Kept::Away(seat, away) => vec![note(Note::Away { seat: seat.to_string(), away })?],
        Kept::AwayBot(bot) => vec![note(Note::AwayBot { bot })?],
        Kept::ConcededBot(bot) => vec![note(Note::ConcededBot { bot })?],
        Kept::InvitedBy(name) => vec![note(Note::InvitedBy { name })?],
        Kept::Advice(agreed) => vec![note(Note::Advice { agreed })?],
        Kept::Rated => vec![note(Note::Rated {})?],
        Kept::Rematch(game) => vec![note(Note::Rematch { game })?],
        Kept::Declined(seat, declined) => vec![note(Note::Declined { seat: seat.to_string(), declined })?],
        Kept::Zone(seat, zone) => vec![note(Note::Zone { seat: seat.to_string(), zone })?],
        Kept::Hours(seat, hours) => vec![note(Note::Hours { seat: seat.to_string(), hours })?],
        Kept::Watcher(watcher) => vec![note(Note::Watcher(watcher))?],
        Kept::Unwatched(address) => vec![note(Note::Unwatched { address })?],
        Kept::Renewed(Renewed { seat, address, why, mail }) => {
            vec![note(Note::Tokens { seat: seat.to_string(), address, why, mail })?]
        }
        Kept::Contradicting(Contradicting { seat, n, hash, mail }) => {
            vec![note(Note::Contradicting { seat: seat.to_string(), n, hash, mail })?]
        }
        Kept::SenderCheck(seat, check) => vec![note(Note::Check { seat: seat.to_string(), check })?],
        Kept::Signed { mail, signed } => vec![note(Note::Signed { mail, signed })?],
        Kept::AddressAsked(seat, asked) => vec![note(Note::Asked { seat: seat.to_string(), asked })?],
        Kept::Address { seat, address, counts } => {
            vec![note(Note::Also { seat: seat.to_string(), address, counts })?]
        }
        Kept::Told(Told { head, at, by, says }) => {
            let by = by.map(|(seat, mail)| (seat.to_string(), mail));
            vec![note(Note::Told { head, at, by, says: RawValue::from_string(says)? })?]
        }
        Kept::Rewound(undoing) => vec![note(Note::Rewound(undoing))?],
        Kept::Append(Append { from, to, by }) => {
            vec![note(Note::Append { from, to, by: by.map(|(seat, mail)| (seat.to_string(), mail)) })?]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answered, Digest};
    use postrider_mail::Unsigned;

    #[test]
    fn damaged_and_unknown_lines_are_named_and_the_others_read() {
        let salt = Hash([1; 32]);
        let text = format!(
            "{{\"player\":{{\"seat\":\"A\",\"name\":\"Anna\"}}}}\n\
             {{\"address\":{{\"seat\":\"A\",\"address\":\"Anna@Example.net\",\"salt\":\"{salt}\"}}}}\n\
             {{\"raven\":{{\"wing\":3}}}}\n\
             not json\n\
             {{\"sealed\":{{\"commit\":\"{salt}\"}}}}\n\
             {{}}\n\
             {{\"standin\":{{\"seat\":\"seven\"}}}}\n\
             {{\"standin\":{{\"se"
        );
        let lines = KeptLines::of_text(&text);
        let [Kept::Player(player)] = &lines.kept[..] else { panic!("{:?}", lines.kept) };
        assert_eq!((player.name.as_str(), player.address.as_str()), ("Anna", "anna@example.net"));
        let told: Vec<String> = lines.strange.iter().map(ToString::to_string).collect();
        assert_eq!(lines.strange.iter().map(|strange| strange.line).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8]);
        assert!(
            told[0].contains("\"raven\"") && told[1].contains("no JSON") && told[5].contains("not whole"),
            "{told:?}"
        );
        assert!(told.iter().all(|line| !line.contains("wing")), "a secret may stand there: {told:?}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let hash = Hash([2; 32]);
        let all = [
            Kept::Player(Player {
                seat: Seat(1),
                name: "Ben".into(),
                address: "ben@example.net".into(),
                salt: hash,
                zone: Some("America/Denver".into()),
            }),
            Kept::Written {
                seats: [(Seat(0), Written { n: 4, ..Written::default() })].into(),
                mail: Some(hash),
                copies: Some(hash),
            },
            Kept::Sealed(SealedContent { commit: hash, salt: hash, content: "{}".into() }),
            Kept::Proposed(Proposed {
                whose: Whose::Seat(Seat(1)),
                mail: hash,
                lines: vec![(Some(7), "settle utah".into()), (None, "standing settlement: utah".into())],
                unread: vec!["wet horses".into()],
            }),
            Kept::Proposed(Proposed {
                whose: Whose::Director(Directed {
                    director: "Dora".into(),
                    shown: hash,
                    answered: Some(Answered::Yes { mail: hash, before: 3 }),
                }),
                mail: hash,
                lines: vec![(None, "pause: a storm".into())],
                unread: Vec::new(),
            }),
            Kept::Boilerplate(Seat(1), Boilerplate { above: false, line: "Ride hard.".into() }),
            Kept::NoBoilerplate(Seat(1)),
            Kept::Away(Seat(1), Some(Away { from: 1_790_000_000, until: 1_790_086_400, stands_in: true })),
            Kept::Away(Seat(1), None),
            Kept::AwayBot("steady".into()),
            Kept::ConcededBot("random".into()),
            Kept::InvitedBy("Anna".into()),
            Kept::Contradicting(Contradicting { seat: Seat(1), n: 7, hash, mail: hash }),
            Kept::Advice(AdviceTerms::Listed),
            Kept::Rated,
            Kept::Rematch("lone-pine-2".into()),
            Kept::Zone(Seat(1), "America/Denver".into()),
            Kept::Declined(Seat(2), true),
            Kept::Hours(Seat(1), Some(Hours { from: 8, to: 22 })),
            Kept::Hours(Seat(1), None),
            Kept::Watcher(Watcher { address: "dora@example.net".into(), name: "Dora".into(), ..Watcher::default() }),
            Kept::Watcher(Watcher {
                address: "dora@example.net".into(),
                name: "Dora".into(),
                confirmed: true,
                digest: Digest::Round,
                zone: Some("America/Denver".into()),
                n: Some(7),
                hash: Some(hash),
                turn: 2,
                at: 1_790_000_000,
                director: true,
                renewed: 1,
                over: true,
            }),
            Kept::Unwatched("dora@example.net".into()),
            Kept::Pace(Seat(1), Pace { confirm: true, delay: 10, ..Pace::default() }),
            Kept::Draft(Seat(1), Draft { lines: vec!["settle utah".into()], by: Some(hash), left: Some(Vec::new()) }),
            Kept::Waiting(
                Seat(1),
                Waiting {
                    mail: hash,
                    until: 1_790_000_000,
                    question: Some((7, 0)),
                    author: "ben@example.net".into(),
                    message_id: Some("x@y".into()),
                    in_reply_to: vec!["z@y".into()],
                    references: Vec::new(),
                    subject: "Re: a move".into(),
                    lines: vec![(3, "pass".into())],
                },
            ),
            Kept::Message(Message {
                commit: hash,
                salt: hash,
                by: Party::Seat(Seat(0)),
                anonymous: true,
                to: vec![Party::Seat(Seat(1)), Party::Host],
                text: "a\nb".into(),
                mail: Some((hash, 1)),
            }),
            Kept::Waited(hash),
            Kept::Renewed(Renewed { seat: Seat(1), address: hash, why: WhyRenewed::Asked, mail: Some(hash) }),
            Kept::SenderCheck(Seat(1), SenderCheck::Required),
            Kept::Signed { mail: hash, signed: Signed::Dkim { domain: "example.net".into() } },
            Kept::Signed { mail: hash, signed: Signed::Nobody { why: Unsigned::Missing } },
            Kept::Signed { mail: hash, signed: Signed::Nobody { why: Unsigned::Other("x.example".into()) } },
            Kept::Signed {
                mail: hash,
                signed: Signed::Nobody {
                    why: Unsigned::Broken { domain: "example.net".into(), why: "it is old".into() },
                },
            },
            Kept::AddressAsked(
                Seat(1),
                AddressAsked { address: "ben@new.example".into(), also: true, mail: hash, at: 1_790_000_000 },
            ),
            Kept::Address { seat: Seat(1), address: "ben@new.example".into(), counts: true },
            Kept::Rewound(Undoing { rewind: 1, from: 7, mail: None }),
            Kept::Append(Append { from: 3, to: 9, by: Some((Seat(0), hash)) }),
        ];
        let texts = all.iter().flat_map(|kept| written(kept).unwrap()).map(|value| value.to_string());
        let lines = KeptLines::of_lines(texts);
        assert_eq!((lines.kept.as_slice(), lines.strange.as_slice()), (all.as_slice(), &[][..]));
        let strange = |text: &str| KeptLines::of_lines([text]).strange[0].what.clone();
        assert_eq!(strange(r#"{"rumour":{}}"#), Strange::Unknown("rumour".to_owned()));
        assert_eq!(strange(r#"{"boilerplate":{}}"#), Strange::Damaged("boilerplate".to_owned()));
    }
}
