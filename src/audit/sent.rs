//! The authorship of orders: a player's own copies of sent mails, compared with the decisions of
//! the player's seat.

use postrider_dice::{Hash, SeedChain, sha256};
use postrider_journal::{Body, Checked, Checker, LinesFault, Rewound, Ruling, StandIn, Via, can_answer, words_digest};
use postrider_mail::{Incoming, SavedMessage, coded_recipients};
use postrider_mailbox::{MOST_NESTED, Mailbox, Saved, SavedMail, is_archive};
use postrider_orders::{list_and, visible};
use postrider_replay::{Catalog, Replay, ReplayFault, Source};
use postrider_table::PromptId;
use serde::{Deserialize, Serialize, de::IgnoredAny};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt, io,
    ops::Range,
    path::Path,
};

/// The maximum number of lines over which an order may be wrapped.
const MOST_WRAPPED: usize = 4;

/// A player's copies of sent mails, compared with the journal's record of the player's acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The outcome in one quotable line.
    pub quote: String,
    /// The seats and directors for which the mails give evidence.
    pub seats: Vec<String>,
    /// All acts of these in the journal, in order.
    pub entries: Vec<SentEntry>,
    /// The mails to this game, in the order of the folder.
    pub mails: Vec<SentLines>,
}

/// An act of a seat in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentEntry {
    /// The `n` of its entry.
    pub n: u64,
    /// The seat, or the name of the director.
    pub seat: String,
    /// Its kind.
    #[serde(flatten)]
    pub what: Deed,
    /// The channel.
    pub via: Via,
    /// The result: whether the player's mails have its words.
    #[serde(flatten)]
    pub whose: Whose,
    /// The order that the journal carried out, in words, if the mails contain the player's words
    /// for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// `true` if the rules read those words as another order.
    pub differs: bool,
}

/// The kinds of acts of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Deed {
    /// Taking the seat.
    Joined,
    /// An order.
    Order,
    /// A standing order.
    StandingOrder {
        /// The `n` of the entry that sealed it.
        of: u64,
    },
    /// A motion: a proposal, a concession, or a forfeit.
    Motion,
    /// A vote on a motion.
    Vote,
    /// An appeal to the directors.
    Appeal,
    /// Leave from the clock.
    Leave,
    /// A ruling, rewind, stand-in or motion of a director.
    Directed,
}

/// The authorship of a deed's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "whose", rename_all = "kebab-case")]
pub enum Whose {
    /// The words are the player's.
    Mine {
        /// The line of the mail.
        line: String,
        /// The place of the mail.
        mail: String,
    },
    /// The mail that the journal names is the player's, but does not have these words.
    OtherWords {
        /// The place of the mail.
        mail: String,
    },
    /// No given mail has these words.
    NotMine,
    /// It did not come by mail, so no mail can have its words.
    ByNoMail,
    /// An answer by the player's standing orders: all that were in force are in the mails.
    Standing {
        /// The `n` of the entries that sealed them.
        of: Vec<u64>,
    },
    /// A standing order that is still sealed.
    Sealed,
    /// An act by another player of the seat, from whose time no mail was given.
    OtherPlayer,
}

/// A mail of the player's that certainly belongs to this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentLines {
    /// Its place.
    pub mail: String,
    /// Its lines that did not become orders, such as greetings and questions.
    pub not_taken: Vec<String>,
}

/// A mail as kept by its writer.
struct Kept {
    place: String,
    id: String,
    /// SHA-256 of the raw mail.
    hash: Hash,
    /// The addresses in its `From` field.
    writer: Vec<String>,
    recipients: Vec<String>,
    /// The recipients whose addresses contain a token of this game.
    coded: Vec<String>,
    /// The seats whose letters it answers.
    answers: BTreeSet<String>,
    lines: Vec<String>,
}

/// A deed in the journal, with the proof of its authorship.
struct Done {
    n: u64,
    seat: String,
    what: Deed,
    via: Via,
    proof: Proof,
    /// The `n` of the entry that gave the seat to its player of that time; 0 for the first one.
    since: u64,
    /// The kind of question that an order answers.
    ask: String,
}

/// The proof of a deed's authorship.
enum Proof {
    /// No proof, because it did not come by mail.
    None,
    /// The digest of the words of an order.
    Words(Hash),
    /// The hash of the mail of a player who joins, and the luck phrase.
    Joined(Hash, String),
    /// The hash of the mail of a standing order, and texts that must occur in it, in this order.
    Ordered(Hash, Vec<String>),
    /// An answer by one of these standing orders, given by the `n` of their `sealed` entries.
    Standing(Vec<u64>),
    /// A standing order that is still sealed.
    Sealed,
}

/// The place of a deed's words: the index of a mail, and the range of its lines.
type Found = (usize, Range<usize>);

/// The mails of a folder, and the seats for which each mail gives evidence. A folder may contain
/// anything: a mail counts only if it certainly belongs to this game and comes from the seat's
/// player.
struct Folder {
    mails: Vec<Kept>,
    seats: Vec<BTreeSet<String>>,
    words: HashMap<Hash, Found>,
}

impl Folder {
    fn new(mails: Vec<Kept>, game: &str, names: &[String], deeds: &[Done]) -> Folder {
        let mut words: HashMap<Hash, Found> = HashMap::new();
        for (at, mail) in mails.iter().enumerate().filter(|(_, mail)| mail.is_known() || !mail.coded.is_empty()) {
            for (seat, lines) in names.iter().flat_map(|seat| mail.pieces().map(move |lines| (seat, lines))) {
                let text = mail.text(lines.clone());
                words.entry(words_digest(game, seat, &mail.id, [text.as_str()])).or_insert((at, lines));
            }
        }
        let mut folder = Folder { seats: vec![BTreeSet::new(); mails.len()], mails, words };
        // A journal identifies a mail by a hash of the whole mail, or of its Message-ID and an
        // order.
        for deed in deeds {
            if let Some(at) = folder.hashed(&deed.proof) {
                folder.seats[at].insert(deed.seat.clone());
            }
        }
        let mut service: BTreeSet<&str> =
            folder.mails.iter().flat_map(|mail| &mail.coded).map(String::as_str).collect();
        let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (mail, seats) in folder.mails.iter().zip(&folder.seats).filter(|(_, seats)| !seats.is_empty()) {
            if let [one] = mail.recipients.as_slice() {
                service.insert(one);
            }
            for writer in &mail.writer {
                writers.entry(writer).or_default().extend(seats.iter().map(String::as_str));
            }
        }
        // Another mail to the service counts for the seat whose letter it answers, unless its
        // writer is known for other seats or the seat has another known writer.
        let speaks = |mail: &Kept| -> BTreeSet<String> {
            let to_service = mail.recipients.iter().any(|one| service.contains(one.as_str()));
            let writes = |seat: &str| {
                let known = mail.writer.iter().filter_map(|writer| writers.get(writer.as_str())).flatten();
                let mut known = known.peekable();
                match known.peek() {
                    Some(_) => known.any(|one| *one == seat),
                    None => !writers.values().any(|seats| seats.contains(seat)),
                }
            };
            mail.answers.iter().filter(|seat| to_service && writes(seat)).cloned().collect()
        };
        let more: Vec<BTreeSet<String>> = folder.mails.iter().map(speaks).collect();
        folder.seats.iter_mut().zip(more).for_each(|(seats, more)| seats.extend(more));
        folder
    }

    /// Returns the mail for which the journal has this hash.
    fn hashed(&self, proof: &Proof) -> Option<usize> {
        match proof {
            Proof::Words(hash) => self.words.get(hash).map(|(at, _)| *at),
            Proof::Joined(hash, _) | Proof::Ordered(hash, _) => self.mails.iter().position(|mail| mail.hash == *hash),
            _ => None,
        }
    }

    /// Returns the words of a seat's deed if a mail of that seat contains them.
    fn find(&self, seat: &str, proof: &Proof) -> Option<Found> {
        let texts = match proof {
            Proof::Words(hash) => return self.words.get(hash).cloned(),
            Proof::Joined(_, luck) => std::slice::from_ref(luck),
            Proof::Ordered(_, texts) => texts,
            _ => return None,
        };
        let all_in = |at: usize| Some((at, self.mails[at].saying(texts)?));
        let same = self.hashed(proof);
        // Players join in many words.
        let joins = |at: usize| matches!(proof, Proof::Joined(..)).then_some((at, 0..0));
        let others = (0..self.mails.len()).filter(|&at| self.seats[at].contains(seat));
        same.and_then(|at| all_in(at).or_else(|| joins(at))).or_else(|| { others }.find_map(all_in))
    }
}

impl Sent {
    /// Reads a folder of sent mails, an mbox file or an archive, and compares it with a journal:
    /// the acts of `seat` or, without it, of the seats and directors whose mails these are. Mails
    /// that do not certainly belong to this game are not quoted. Lines after a contradiction in the
    /// journal are ignored.
    ///
    /// # Errors
    /// Returns an error if the journal or the mailbox cannot be read.
    pub fn of(source: &Source, folder: &Path, seat: Option<&str>) -> io::Result<Sent> {
        let Deeds { game, names, directors, all, damaged } = deeds(source)?;
        let (mails, unread) = kept(folder, &game, &names)?;
        let folder = Folder::new(mails, &game, &[&names[..], &directors].concat(), &all);
        let wanted = |one: &&String| seat.is_none_or(|seat| seat == one.as_str());
        let found = folder.seats.iter().flatten().filter(wanted).cloned();
        let seats: BTreeSet<String> = found.chain(seat.map(str::to_owned)).collect();
        // The players from whom there are mails, by seat and first entry.
        let of_time = |deed: &Done| (deed.seat.clone(), deed.since);
        let times: BTreeSet<(String, u64)> =
            { all.iter() }.filter(|deed| folder.find(&deed.seat, &deed.proof).is_some()).map(of_time).collect();
        let mut taken: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut entries = Vec::new();
        let mut mine = BTreeSet::new();
        for deed in all.into_iter().filter(|deed| seats.contains(&deed.seat)) {
            let others = times.iter().any(|(seat, _)| *seat == deed.seat) && !times.contains(&of_time(&deed));
            let Done { n, seat, what, via, proof, .. } = deed;
            let whose = match (folder.find(&seat, &proof), &proof) {
                _ if others => Whose::OtherPlayer,
                (Some((at, lines)), _) => {
                    taken.entry(at).or_default().extend(lines.clone());
                    let mail = &folder.mails[at];
                    Whose::Mine { line: mail.text(lines), mail: mail.place.clone() }
                }
                (None, Proof::None) => Whose::ByNoMail,
                (None, Proof::Sealed) => Whose::Sealed,
                (None, Proof::Ordered(..)) => folder
                    .hashed(&proof)
                    .map_or(Whose::NotMine, |at| Whose::OtherWords { mail: folder.mails[at].place.clone() }),
                (None, Proof::Standing(of)) => Whose::Standing { of: of.clone() },
                (None, _) => Whose::NotMine,
            };
            entries.push(SentEntry { n, seat, what, via, whose, order: None, differs: false });
        }
        // An answer by a standing order is proved if all standing orders in force at that time are
        // in the mails.
        let opened = |of: &SentEntry| matches!((of.what, &of.whose), (Deed::StandingOrder { .. }, Whose::Mine { .. }));
        for entry in entries.iter().filter(|entry| opened(entry)) {
            if let Deed::StandingOrder { of } = entry.what {
                mine.insert(of);
            }
        }
        for entry in &mut entries {
            if let Whose::Standing { of } = &entry.whose
                && (of.is_empty() || !of.iter().all(|n| mine.contains(n)))
            {
                entry.whose = Whose::ByNoMail;
            }
        }
        let left = |(at, mail): (usize, &Kept)| {
            let took = |k: usize| taken.get(&at).is_some_and(|taken| taken.contains(&k));
            let not_taken = mail.lines.iter().enumerate().filter(|&(k, _)| !took(k)).map(|(_, line)| line.clone());
            let ours = !folder.seats[at].is_disjoint(&seats);
            ours.then(|| SentLines { mail: mail.place.clone(), not_taken: not_taken.collect() })
        };
        let mails = folder.mails.iter().enumerate().filter_map(left).collect();
        let whose = whose(&seats, &directors);
        let seats = seats.into_iter().collect();
        Ok(Sent { quote: quote(whose, &entries, unread, damaged), seats, entries, mails })
    }

    /// Adds the orders that the journal executes, as far as it can be replayed (to its end with the
    /// operator's `chains`), and whether the rules read the words of the mails as another order.
    /// The letter of an option means nothing without the letter that listed it.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be read.
    pub fn carried_out(mut self, source: &Source, catalog: &Catalog, chains: &[SeedChain]) -> io::Result<Sent> {
        let entries = &mut self.entries;
        let mut see = |checked: &Checked<'_>, replay: Option<&mut Replay<'_>>| {
            let Body::Decision(decision) = &checked.body else { return };
            let entry = entries.iter_mut().find(|entry| entry.n == checked.line.n);
            let (Some(entry), Some(replay), Ok(prompt)) = (entry, replay, PromptId::try_from(decision.prompt)) else {
                return;
            };
            let Whose::Mine { line, .. } = &entry.whose else { return };
            entry.order = replay.say(prompt, decision.order.get());
            let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
            let read = replay.reads(&decision.seat, prompt, line);
            entry.differs = read.is_some_and(|read| value(&read) != value(decision.order.get()));
        };
        let replay = Replay::of_all(source, catalog, chains, None);
        let replayed = replay.and_then(|mut replay| replay.run(source, &mut see));
        // `verify` reports any other fault.
        if let Err(ReplayFault::Io(why)) = replayed {
            return Err(why);
        }
        let differ: Vec<u64> = self.entries.iter().filter(|entry| entry.differs).map(|entry| entry.n).collect();
        if !differ.is_empty() {
            self.quote = format!("NOT WHAT THEIR WORDS SAY: {}; {}", entries_in_words(&differ), self.quote);
        }
        Ok(self)
    }

    /// Returns `true` if there are orders of these seats and all are in the mails.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.entries.iter().any(SentEntry::is_order) && !self.entries.iter().any(SentEntry::is_open)
    }

    /// Returns a version for others to read: without the lines that did not become orders, and with
    /// numbers instead of file names.
    #[must_use]
    pub fn numbered(mut self) -> Sent {
        let number = |place: &str, mails: &[SentLines]| {
            let at = mails.iter().position(|mail| mail.mail == place).map_or(0, |at| at + 1);
            format!("sent mail {at}")
        };
        for entry in &mut self.entries {
            if let Whose::Mine { mail, .. } | Whose::OtherWords { mail } = &mut entry.whose {
                *mail = number(mail, &self.mails);
            }
        }
        self.mails.clear();
        self
    }
}

impl SentEntry {
    /// Returns `true` if it is an order; joining is not.
    fn is_order(&self) -> bool {
        self.what != Deed::Joined
    }
    /// Returns `true` if the mails do not have its words.
    fn is_missing(&self) -> bool {
        matches!(self.whose, Whose::NotMine | Whose::OtherWords { .. } | Whose::ByNoMail)
    }
    /// Returns `true` if the player's authorship is claimed but not proved. Joining without a mail
    /// claims none: the host seated the player.
    fn is_open(&self) -> bool {
        match self.whose {
            _ if self.differs => true,
            Whose::NotMine | Whose::OtherWords { .. } | Whose::Sealed => true,
            Whose::ByNoMail => self.is_order(),
            Whose::Mine { .. } | Whose::Standing { .. } | Whose::OtherPlayer => false,
        }
    }
    /// Describes the channel according to the journal.
    fn way(&self) -> &'static str {
        match self.via {
            _ if matches!(self.whose, Whose::OtherWords { .. }) => "by a mail that does not have its words",
            Via::Mail => "by mail, as the journal says",
            Via::Cli => "at the host's terminal",
            Via::Standing => "by a standing order for this question that no mail given has, or that is not opened yet",
            Via::Deadline => "for the seat when its deadline had passed",
            Via::Bot => "by a bot",
        }
    }
}

/// The maximum number of entries in one part of the quotable line.
const MOST_LISTED: usize = 12;

/// Lists entries, such as `entry 7` or `entries 7 and 9`.
pub(super) fn entries_in_words(all: &[u64]) -> String {
    let mut places: Vec<String> = all.iter().take(MOST_LISTED).map(u64::to_string).collect();
    match all.len().saturating_sub(MOST_LISTED) {
        0 => {}
        more => places.push(format!("{more} more")),
    }
    format!("{} {}", if all.len() == 1 { "entry" } else { "entries" }, list_and(&places))
}

/// Names the seats and directors of orders: `of seat A`, `of director Dora`; `None` if there are
/// none.
fn whose(all: &BTreeSet<String>, directors: &[String]) -> Option<String> {
    let (directors, seats): (Vec<String>, Vec<String>) = all.iter().cloned().partition(|one| directors.contains(one));
    let named = [("seat", seats), ("director", directors)].into_iter().filter(|(_, names)| !names.is_empty());
    let named: Vec<String> = named
        .map(|(what, names)| format!("{what}{} {}", if names.len() == 1 { "" } else { "s" }, list_and(&names)))
        .collect();
    (!named.is_empty()).then(|| format!("of {}", list_and(&named)))
}

/// Returns the outcome in one line. `unread` is the number of files that could not be read; the
/// journal is damaged after entry `damaged`.
fn quote(whose: Option<String>, entries: &[SentEntry], unread: usize, damaged: Option<u64>) -> String {
    let Some(whose) = whose else {
        return "NOT KNOWN: none of the mails given is surely to this game; `--seat` names whose they are".to_owned();
    };
    let by_way = |orders: bool| {
        let mut ways: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.is_missing() && entry.is_order() == orders) {
            ways.entry(entry.way()).or_default().push(entry.n);
        }
        let count: usize = ways.values().map(Vec::len).sum();
        let ways = ways.iter().map(|(way, all)| format!("{} ({way})", entries_in_words(all)));
        (count, ways.collect::<Vec<_>>().join(", "))
    };
    let sealed: Vec<u64> = entries.iter().filter(|entry| entry.whose == Whose::Sealed).map(|entry| entry.n).collect();
    let (missing, listed) = by_way(true);
    let mut said = match missing {
        0 if !entries
            .iter()
            .any(|entry| entry.is_order() && !matches!(entry.whose, Whose::Sealed | Whose::OtherPlayer)) =>
        {
            format!("NO ORDER {whose} is in this journal")
        }
        0 if sealed.is_empty() => format!("ALL ORDERS {whose} are in the mails given"),
        0 => format!("ALL OPEN ORDERS {whose} are in the mails given"),
        1 => format!("ONE ORDER {whose} is not in the mails given: {listed}"),
        several => format!("{several} ORDERS {whose} are not in the mails given: {listed}"),
    };
    if !sealed.is_empty() {
        said += &format!("; standing orders not opened yet: {}", entries_in_words(&sealed));
    }
    let others: Vec<u64> =
        entries.iter().filter(|entry| entry.whose == Whose::OtherPlayer).map(|entry| entry.n).collect();
    if !others.is_empty() {
        said += &format!("; of other players of the seat, of whom no mail is given: {}", entries_in_words(&others));
    }
    if let (1.., joined) = by_way(false) {
        said += &format!("; joined without these mails: {joined}");
    }
    if let Some(n) = damaged {
        said += &format!("; the journal is damaged after entry {n}, and nothing later is judged");
    }
    if unread > 0 && missing > 0 {
        said += &format!("; files that could not be read: {unread}");
    }
    said
}

/// The acts of seats in a journal.
#[derive(Default)]
struct Deeds {
    game: String,
    names: Vec<String>,
    directors: Vec<String>,
    all: Vec<Done>,
    /// The `n` of the last entry before a contradiction, if there is one.
    damaged: Option<u64>,
}

/// Returns all deeds of a journal up to its first contradiction.
fn deeds(source: &Source) -> io::Result<Deeds> {
    let mut found = Deeds::default();
    // The seats of standing orders that are still sealed.
    let mut sealed: BTreeMap<u64, (String, u64)> = BTreeMap::new();
    // The contents of standing orders that were opened.
    let mut contents: BTreeMap<u64, String> = BTreeMap::new();
    let mut reseated: BTreeMap<String, u64> = BTreeMap::new();
    let (mut checker, mut lines) = (Checker::new(), source.lines()?);
    let mut last = 0;
    let whole = loop {
        let text = match lines.next_line() {
            Ok(Some(text)) => text,
            Err(LinesFault::Io { error, .. }) => return Err(error),
            Ok(None) => break true,
            Err(_) => break false,
        };
        let Ok(checked) = checker.feed(text) else { break false };
        let n = checked.line.n;
        last = n;
        let since = |seat: &str| reseated.get(seat).copied().unwrap_or_default();
        let mut add_of = |seat: &str, what, via, proof, since| {
            let ask = match &checked.body {
                Body::Decision(decision) => decision.ask.to_string(),
                _ => String::new(),
            };
            found.all.push(Done { n, seat: seat.to_owned(), what, via, proof, since, ask });
        };
        let mut add = |seat: &str, what, via, proof| add_of(seat, what, via, proof, since(seat));
        let said = |words: Option<Hash>| words.map_or(Proof::None, Proof::Words);
        match &checked.body {
            Body::Opened(opened) => {
                found.game = opened.game.to_string();
                found.names = opened.seats.iter().map(ToString::to_string).collect();
                found.directors = opened.directors.iter().map(ToString::to_string).collect();
            }
            Body::Joined(joined) => {
                let words = if joined.luck.is_empty() { "join" } else { &joined.luck };
                let proof = joined.mail.map_or(Proof::None, |mail| Proof::Joined(mail, words.to_owned()));
                add(&joined.seat, Deed::Joined, joined.via, proof);
            }
            Body::Decision(decision) => {
                let in_force = || sealed.iter().filter(|(_, (seat, _))| **seat == *decision.seat).map(|(n, _)| *n);
                let proof = match (decision.words, decision.via) {
                    (Some(words), _) => Proof::Words(words),
                    (None, Via::Standing) => Proof::Standing(in_force().collect()),
                    _ => Proof::None,
                };
                add(&decision.seat, Deed::Order, decision.via, proof);
            }
            Body::Motion(motion) => {
                let of_seat = found.names.iter().any(|seat| *seat == *motion.by);
                let what = if of_seat { Deed::Motion } else { Deed::Directed };
                add(&motion.by, what, motion.via, said(motion.words));
            }
            Body::Ruling(Ruling { by, words, .. })
            | Body::Rewound(Rewound { by, words, .. })
            | Body::StandIn(StandIn { by, words, .. })
                if found.directors.iter().any(|one| *one == **by) =>
            {
                let via = if words.is_some() { Via::Mail } else { Via::Cli };
                add(by, Deed::Directed, via, said(*words));
            }
            Body::Vote(vote) => add(&vote.seat, Deed::Vote, vote.via, said(vote.words)),
            Body::Appeal(appeal) => add(&appeal.seat, Deed::Appeal, appeal.via, said(appeal.words)),
            Body::Leave(leave) => add(&leave.seat, Deed::Leave, leave.via, said(leave.words)),
            Body::Reseated(to) => _ = reseated.insert(to.seat.to_string(), n),
            Body::Sealed(standing) if standing.what == "standing" => {
                sealed.insert(n, (standing.seat.to_string(), since(&standing.seat)));
            }
            Body::Unsealed(unsealed) => {
                // It is the act of the player who sealed it.
                let Some((seat, since)) = sealed.remove(&unsealed.of) else { continue };
                let content = serde_json::from_str::<StandingWords>(unsealed.content.get());
                let what = Deed::StandingOrder { of: unsealed.of };
                let Ok(content) = content else {
                    add_of(&seat, what, Via::Standing, Proof::Ordered(Hash::ZERO, Vec::new()), since);
                    continue;
                };
                contents.insert(unsealed.of, unsealed.content.get().to_owned());
                if content.orders.is_empty() {
                    continue;
                }
                let mail = content.from.split(' ').next().and_then(|mail| mail.parse().ok());
                let (via, proof) = match mail {
                    None => (Via::Cli, Proof::None),
                    Some(mail) => (Via::Mail, Proof::Ordered(mail, content.says())),
                };
                add_of(&seat, what, via, proof, since);
            }
            _ => {}
        }
    };
    for (n, (seat, since)) in sealed {
        let what = Deed::StandingOrder { of: n };
        found.all.push(Done { n, seat, what, via: Via::Mail, proof: Proof::Sealed, since, ask: String::new() });
    }
    for Done { proof, ask, .. } in &mut found.all {
        if let Proof::Standing(of) = proof {
            of.retain(|n| contents.get(n).is_none_or(|content| can_answer(content, ask)));
        }
    }
    found.all.sort_by_key(|deed| deed.n);
    found.damaged = (!whole).then_some(last);
    Ok(found)
}

/// The members of a standing order that are used here.
#[derive(Deserialize)]
struct StandingWords {
    #[serde(rename = "for")]
    kind: String,
    orders: Vec<String>,
    from: String,
    /// The Round, for orders that are given ahead.
    plan: Option<IgnoredAny>,
}

impl StandingWords {
    /// Returns the words of a mail that leaves the standing order: the kind of question, unless it
    /// is given ahead, and the orders.
    fn says(self) -> Vec<String> {
        let kind = self.plan.is_none().then_some(self.kind);
        kind.into_iter().chain(self.orders).collect()
    }
}

/// Returns the ranges of lines that may be one order: single lines, and runs of up to
/// [`MOST_WRAPPED`] lines.
fn pieces(lines: usize) -> impl Iterator<Item = Range<usize>> {
    (0..lines).flat_map(move |from| (from + 1..=(from + MOST_WRAPPED).min(lines)).map(move |to| from..to))
}

/// Returns the lines written by the sender, without surrounding white space.
fn own_lines(mail: &Incoming) -> Option<Vec<String>> {
    Some(mail.orders.as_ref().ok()?.lines.iter().map(|line| line.text.trim().to_owned()).collect())
}

/// Returns the words in a mail that have this digest, even if they were wrapped; `None` if no words
/// have it.
#[must_use]
pub fn words_of(mail: &Incoming, game: &str, seat: &str, digest: &Hash) -> Option<String> {
    let (id, lines) = (mail.message_id.as_deref().unwrap_or_default(), own_lines(mail)?);
    let mut all = pieces(lines.len()).map(|piece| lines[piece].join(" "));
    all.find(|words| words_digest(game, seat, id, [words.as_str()]) == *digest)
}

impl Kept {
    /// Returns `true` if it has a Message-ID. Without one, a line such as `yes` would match many
    /// mails.
    fn is_known(&self) -> bool {
        !self.id.is_empty()
    }
    /// Returns the lines that contain all these texts one after the other, in any case, if there are
    /// any.
    fn saying(&self, texts: &[String]) -> Option<Range<usize>> {
        let words = |text: &str| {
            format!(
                " {} ",
                text.to_lowercase()
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            )
        };
        let wanted: Vec<String> = texts.iter().map(|text| words(text)).collect();
        if wanted.is_empty() || wanted.iter().any(|text| text.trim().is_empty()) {
            return None;
        }
        let says = |lines: &Range<usize>| {
            let said = words(&self.text(lines.clone()));
            // The blank that ends one text begins the next.
            wanted
                .iter()
                .try_fold(0, |from, text| Some(from + said[from..].find(text.as_str())? + text.len() - 1))
                .is_some()
        };
        let mut pieces: Vec<Range<usize>> = self.pieces().collect();
        pieces.sort_by_key(|lines| (lines.len(), lines.start));
        pieces.into_iter().find(says)
    }
    fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        pieces(self.lines.len())
    }
    fn text(&self, lines: Range<usize>) -> String {
        self.lines[lines].join(" ")
    }
}

/// Collects a mail and those attached to it, also in archives at a depth of `nested`. Returns the
/// number of files that could not be read.
fn unpack(saved: Saved, nested: usize, all: &mut Vec<SavedMail>) -> usize {
    let Saved::Mail { mail, .. } = saved else { return 1 };
    let messages = SavedMessage::read(&mail.raw);
    let place = mail.place.clone();
    all.push(mail);
    let mut unread = 0;
    for message in messages {
        all.extend(message.attached.map(|raw| SavedMail { place: place.clone(), raw }));
        for (name, bytes) in message.files.into_iter().filter(|(_, bytes)| is_archive(bytes)) {
            match nested {
                MOST_NESTED => unread += 1,
                _ => {
                    let inner = Mailbox::of_bytes(format!("{place}/{name}"), bytes);
                    unread += inner.map(|saved| unpack(saved, nested + 1, all)).sum::<usize>();
                }
            }
        }
    }
    unread
}

/// Returns the mails of a mailbox, and the number of files that could not be read.
fn kept(folder: &Path, game: &str, names: &[String]) -> io::Result<(Vec<Kept>, usize)> {
    let (mut mails, mut all) = (Vec::new(), Vec::new());
    let unread = Mailbox::open(folder)?.map(|saved| unpack(saved, 0, &mut all)).sum();
    for mail in all {
        let Ok(read) = Incoming::parse(&mail.raw) else { continue };
        let Some(lines) = own_lines(&read) else { continue };
        // The Message-ID of a letter begins with game.seat.n.hash.kind.
        let answered = read.in_reply_to.iter().chain(&read.references).filter_map(|id| {
            let seat = id.strip_prefix(game)?.strip_prefix('.')?.split('.').next()?;
            names.iter().find(|name| *name == seat).cloned()
        });
        mails.push(Kept {
            answers: answered.collect(),
            coded: coded_recipients(&read, game),
            lines,
            id: read.message_id.unwrap_or_default(),
            hash: sha256(&mail.raw),
            writer: read.from,
            recipients: read.recipients.into_iter().map(|one| one.address).collect(),
            place: mail.place,
        });
    }
    Ok((mails, unread))
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seats.is_empty() {
            return writeln!(
                f,
                "SENT MAILS: none of them is surely to this game: none is to a reply address of it, and no entry has their words."
            );
        }
        writeln!(f, "SENT MAILS of {}:", self.seats.join(", "))?;
        for entry in &self.entries {
            let SentEntry { n, seat, what, whose, .. } = entry;
            let what = match what {
                Deed::Joined => ", joining",
                Deed::Order => "",
                Deed::StandingOrder { .. } => ", a standing order",
                Deed::Motion => ", a motion",
                Deed::Vote => ", a vote",
                Deed::Appeal => ", an appeal",
                Deed::Leave => ", leave",
                Deed::Directed => ", as a director",
            };
            let whose = match whose {
                Whose::Mine { line, .. } if line.is_empty() => "mine, by its hash".to_owned(),
                Whose::OtherWords { .. } => {
                    "NOT ITS WORDS: the mail that the journal names does not have them".to_owned()
                }
                Whose::Mine { line, .. } => format!("mine, word for word: \"{}\"", visible(line)),
                Whose::NotMine => "not mine: none of these mails has its words".to_owned(),
                Whose::ByNoMail => format!("by no mail: {}", entry.way()),
                Whose::Standing { of } => format!("mine, by the standing order of {}", entries_in_words(of)),
                Whose::Sealed => "not opened yet".to_owned(),
                Whose::OtherPlayer => "of another player of the seat, of whom no mail is given".to_owned(),
            };
            let place = match &entry.whose {
                Whose::Mine { mail, .. } | Whose::OtherWords { mail } => format!(", in {}", visible(mail)),
                _ => String::new(),
            };
            let done = match &entry.order {
                Some(order) if entry.differs => format!("; BUT THE JOURNAL HAS: {}", visible(order)),
                Some(order) => format!("; carried out: {}", visible(order)),
                None => String::new(),
            };
            writeln!(f, "  entry {n} ({seat}){what}: {whose}{place}{done}")?;
        }
        for SentLines { mail, not_taken } in self.mails.iter().filter(|mail| !mail.not_taken.is_empty()) {
            for line in not_taken {
                writeln!(f, "  mine, but of no entry above: \"{}\", in {}", visible(line), visible(mail))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_journal::{Decision, Json, Line, Sealed, Unsealed, Writer, sealed_commitment};
    use postrider_replay::Source;

    const CONTENT: &str =
        r#"{"always":false,"for":"bid","from":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA 0","orders":["bid 4"]}"#;

    /// Returns a journal with these entries after its first one.
    fn journal(bodies: &[Body<'_>]) -> Source {
        let vector = include_str!("../../tests/vectors/journal.jsonl");
        let first = Line::parse(vector.lines().next().unwrap().as_bytes()).unwrap();
        let mut writer = Writer::new("sample-game").unwrap();
        let mut text = writer.line(first.at, &first.read_body().unwrap()).unwrap();
        bodies.iter().for_each(|body| text += &writer.line(first.at, body).unwrap());
        Source::from(text.as_bytes())
    }

    fn order(via: Via) -> Body<'static> {
        let (seat, ask) = ("red".into(), "bid".into());
        Body::Decision(Decision { seat, prompt: 1, ask, order: Json::empty(), via, words: None })
    }

    #[test]
    fn the_words_of_a_wrapped_order_are_found() {
        let raw = b"From: a@b.example\nMessage-ID: <m@x>\n\nhello\nmove the cavalry\nto utah\n";
        let mail = Incoming::parse(raw).unwrap();
        let digest = words_digest("sample-game", "red", "m@x", ["move the cavalry to utah"]);
        let found = words_of(&mail, "sample-game", "red", &digest);
        assert_eq!(found.as_deref(), Some("move the cavalry to utah"));
        assert_eq!(words_of(&mail, "sample-game", "blue", &digest), None);
    }

    #[test]
    fn the_headline_lists_each_order_that_is_not_in_the_mails() {
        let folder = tempfile::tempdir().unwrap();
        let token = "ljnfuws2ljnfuws2ljnfuws2li";
        let mail = format!(
            "From: red@example.net\nTo: p+sample-game.q1.{token}@play.example\nMessage-ID: <m@x>\n\
             In-Reply-To: <sample-game.red.1.abcdefgh.letter@play.example>\n\nstanding bid: Bid 4\n"
        );
        std::fs::write(folder.path().join("1"), &mail).unwrap();
        let quote = |bodies: &[Body<'_>]| {
            let sent = Sent::of(&journal(bodies), folder.path(), None).unwrap();
            (sent.quote.clone(), sent.is_proved())
        };
        let salt = Hash([7; 32]);
        let sealed = |content: &str| {
            let commit = sealed_commitment("sample-game", "red", &salt, content);
            Body::Sealed(Sealed { seat: "red".into(), what: "standing".into(), commit })
        };
        let opened = |of, content: &str| {
            let content: serde_json::Value = serde_json::from_str(content).unwrap();
            Body::Unsealed(Unsealed { of, content: Json::new(&content).unwrap(), salt })
        };
        assert_eq!(quote(&[]), ("NO ORDER of seat red is in this journal".to_owned(), false));
        let by_standing = [sealed(CONTENT), order(Via::Standing)];
        let (said, proved) = quote(&by_standing);
        let right = "ONE ORDER of seat red is not in the mails given: entry 2 (by a standing order for this question that no mail \
                     given has, or that is not opened yet); standing orders not opened yet: entry 1";
        assert_eq!((said.as_str(), proved), (right, false));
        let mut all = Vec::from(by_standing);
        all.push(opened(1, CONTENT));
        assert_eq!(quote(&all), ("ALL ORDERS of seat red are in the mails given".to_owned(), true));
        // The mail that the journal names says something else.
        for other in ["\"orders\":[\"bid 9\"]", "\"orders\":[\"bid 4\",\"bid 9\"]"] {
            let other = CONTENT.replace("\"orders\":[\"bid 4\"]", other);
            let forged = other.replace(&"A".repeat(43), &sha256(mail.as_bytes()).to_string());
            let (said, proved) = quote(&[sealed(&forged), order(Via::Standing), opened(1, &forged)]);
            let right = "entry 3 (by a mail that does not have its words)";
            assert!(
                said.starts_with("2 ORDERS of seat red are not in the mails given: ") && said.contains(right),
                "{said}"
            );
            assert!(!proved);
        }
        // Mails that are attached to another count, too.
        let forward = format!(
            "From: x@example.net\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n{mail}\n--b--\n"
        );
        let forwarded = tempfile::tempdir().unwrap();
        std::fs::write(forwarded.path().join("1"), forward).unwrap();
        let sent = Sent::of(&journal(&all), forwarded.path(), None).unwrap();
        assert_eq!(sent.quote, "ALL ORDERS of seat red are in the mails given");
        let (seat, bot, by) = ("red".into(), Some("steady".into()), "host".into());
        let stand_in = Body::StandIn(StandIn { seat, bot, by, via: None, words: None });
        all.extend([order(Via::Deadline), stand_in, order(Via::Bot), order(Via::Cli), order(Via::Cli)]);
        let other = CONTENT.replace("\"bid\"", "\"sale\"");
        all.extend([sealed(&other), order(Via::Standing)]);
        let right = "5 ORDERS of seat red are not in the mails given: entries 7 and 8 (at the host's terminal), entry 6 (by a bot), \
                     entry 10 (by a standing order for this question that no mail given has, or that is not opened yet), entry 4 (for \
                     the seat when its deadline had passed); standing orders not opened yet: entry 9";
        assert_eq!(quote(&all), (right.to_owned(), false));
        // A standing order for another question answers none of this kind.
        all.push(opened(9, &other));
        assert!(quote(&all).0.ends_with("; the journal is damaged after entry 10, and nothing later is judged"));
        // An order that the host claims came by mail.
        let words = Some(Hash([9; 32]));
        let (seat, ask) = ("red".into(), "bid".into());
        let forged = Body::Decision(Decision { seat, prompt: 1, ask, order: Json::empty(), via: Via::Mail, words });
        let (said, _) = quote(&[forged]);
        assert_eq!(said, "ONE ORDER of seat red is not in the mails given: entry 1 (by mail, as the journal says)");
        // None is in force.
        let sent = Sent::of(&journal(&[order(Via::Standing)]), folder.path(), Some("red")).unwrap();
        assert!(
            sent.quote.ends_with("; the journal is damaged after entry 0, and nothing later is judged"),
            "{sent:?}"
        );
        // A journal that is damaged at its end.
        let mut text = journal(&all[..3]).bytes().unwrap().to_vec();
        text.extend_from_slice(b"{}\n");
        let sent = Sent::of(&Source::from(&text[..]), folder.path(), None).unwrap();
        let right = "ALL ORDERS of seat red are in the mails given; the journal is damaged after entry 3, and nothing later is judged";
        assert_eq!(sent.quote, right);
    }
}
