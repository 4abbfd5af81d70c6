//! Facts that a journal contains beyond the position: mails, standing orders, rewinds, and who was
//! dealt which cards.

use super::{chronicle::stand_in_in_words, index::Rewind, projection::Projection};
use postrider_dice::Hash;
use postrider_journal::{self as journal, Body, Checked, Decision, Drawn, Leave, Motion, Via, Vote};
use postrider_table::Seat;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An answered question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The line of the answer.
    pub n: u64,
    /// The seat that was asked.
    pub seat: Seat,
    /// The kind of question.
    pub kind: String,
    /// The question's number.
    pub prompt: u64,
}

/// A standing order in force according to the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// The `n` of its `sealed` line.
    pub n: u64,
    /// The seat that left it.
    pub seat: Seat,
    /// The commitment to its text.
    pub commit: Hash,
}

/// Cards dealt to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Dealt {
    n: u64,
    seat: Seat,
    shuffle: (String, u64),
    from: u64,
    count: u64,
}

/// A rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewound {
    /// The `n` of its line.
    pub n: u64,
    /// The `n` of the line after which play continued.
    pub to: u64,
    /// The `n` of the line whose step continued within, if one did.
    pub within: Option<u64>,
    /// The author; a seat's letter if a player took back an order.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// `true` if it began new seed chains.
    pub fresh: bool,
}

impl Rewound {
    /// Returns the seat that took back its own order, if this rewind is one.
    pub fn taken_back(&self) -> Option<Seat> {
        Seat::from_letter(&self.by)
    }
}

/// An event that keeps a seat from taking back its last order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// A seat gave an order.
    Order(Seat, Via),
    /// Dice were rolled.
    Dice,
    /// Cards were shuffled, dealt, shown or revealed.
    Cards,
    /// A seat left a standing order, or one ended.
    Standing(Seat),
    /// A director gave a ruling.
    Director,
}

/// Returns the day of a time in the journal's format, `2026-11-20T18:30:00Z`.
fn day_of(at: &str) -> &str {
    at.split('T').next().unwrap_or_default()
}

/// Returns the seat that [`Facts::made_on`] counts an entry for.
fn made_by<'b>(body: &'b Body<'_>) -> Option<&'b str> {
    match body {
        Body::Decision(decision) => Some(&decision.seat).filter(|_| decision.via == Via::Mail),
        Body::Rewound(rewound) => Some(&rewound.by),
        Body::Sealed(sealed) => Some(&sealed.seat),
        Body::Motion(motion) => Some(&motion.by),
        Body::Vote(vote) => Some(&vote.seat),
        Body::Leave(leave) => Some(&leave.seat),
        _ => None,
    }
    .map(|seat| &**seat)
}

/// The facts of a journal, collected line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// For each mail, the digests of its lines that became decisions. The journal does not record
    /// which mail a decision came from; [`Facts::came_by`] adds that.
    pub mails: HashMap<Hash, Vec<Option<Hash>>>,
    /// Every decision by mail, including undone ones: its n and the digest of its line.
    pub mailed: Vec<(u64, Hash)>,
    /// Standing orders in force, oldest first.
    pub standing: Vec<InForce>,
    /// The commitments of all standing orders, in force or not.
    pub sealed: HashSet<Hash>,
    /// Standing orders that were undone by a rewind and never unsealed.
    pub forgotten: Vec<InForce>,
    /// All rewinds.
    pub rewinds: Vec<Rewound>,
    /// The seats whose luck phrase came by mail, according to the journal.
    pub luck_by_mail: BTreeSet<Seat>,
    /// `true` once the game has begun and the luck is fixed.
    begun: bool,
    /// The `n` of the last line that gave each seat to another player.
    pub reseated: BTreeMap<Seat, u64>,
    /// The digests of the lines that became motions and votes.
    pub moved: HashSet<Hash>,
    /// The digests of the lines of mail by which directors caused entries, one for each entry,
    /// including undone ones.
    pub directed: Vec<Hash>,
    /// Messages: the `n` of the line, and the commitment. No rewind undoes one.
    pub press: Vec<(u64, Hash)>,
    /// The `n` of every ruling that is not undone.
    pub rulings: Vec<u64>,
    /// The entries by which bots stood in for players, or no longer did: `n` and text.
    pub stand_ins: Vec<(u64, String)>,
    /// The hash of every line.
    pub hashes: Vec<Hash>,
    /// The lines that drew or disclosed dice or cards.
    drawn: Drawn,
    /// All events that matter for taking back an order, in order, including undone ones.
    came: Vec<(u64, Came)>,
    /// Every decision that is not undone, in order.
    pub decided: Vec<Decided>,
    /// Every use of a standing order: n, seat, and kind of question.
    used: Vec<(u64, Seat, String)>,
    /// The kinds of questions answered so far, including undone ones.
    pub kinds: BTreeSet<String>,
    /// The cards of each shuffle in their listed order, by deck and epoch.
    lists: HashMap<(String, u64), Vec<String>>,
    /// The cards dealt to seats.
    dealt: Vec<Dealt>,
    /// Cards shown to all: the `n` of the line, the shuffle, and the position.
    shown: Vec<(u64, (String, u64), u64)>,
    /// Shuffles whose secret is revealed.
    revealed: BTreeSet<(String, u64)>,
    /// The time of the last line, as written there.
    pub last_at: String,
    /// The day of the last line, in UTC, and the `n` of its first line.
    day: (String, u64),
    /// The number of entries of that day that each seat made, including undone ones.
    made: BTreeMap<Seat, usize>,
}

impl Projection for Facts {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        self.hashes.push(checked.line.hash);
        Facts::apply(self, checked.line.n, checked.line.at, &checked.body, undone);
    }
}

impl Facts {
    /// Returns the `n` of the first line of a day in UTC, given by a time, if it is the last day
    /// with lines; otherwise a number that no line has.
    pub fn since_midnight(&self, at: &str) -> u64 {
        if self.day.0 == day_of(at) { self.day.1 } else { u64::MAX }
    }

    /// Returns the number of entries that a seat made on the day of a time, in UTC, including
    /// undone ones: orders by mail, those taken back, standing orders, motions, votes and leave.
    pub fn made_on(&self, seat: Seat, at: &str) -> usize {
        if self.day.0 == day_of(at) { self.made.get(&seat).copied().unwrap_or_default() } else { 0 }
    }

    fn decision(&mut self, n: u64, decision: &Decision<'_>, undone: bool) {
        let Some(seat) = Seat::from_letter(&decision.seat) else { return };
        self.came.push((n, Came::Order(seat, decision.via)));
        if !undone {
            self.decided.push(Decided { n, seat, kind: decision.ask.to_string(), prompt: decision.prompt });
        }
        if !self.kinds.contains(&*decision.ask) {
            self.kinds.insert(decision.ask.to_string());
        }
        match (decision.via, decision.words) {
            (Via::Mail, Some(words)) => self.mailed.push((n, words)),
            (Via::Standing, _) if !undone => self.used.push((n, seat, decision.ask.to_string())),
            _ => {}
        }
    }

    fn rewind(&mut self, n: u64, rewound: &journal::Rewound<'_>) {
        self.directed.extend(rewound.words);
        let (by, reason) = (rewound.by.to_string(), rewound.reason.to_string());
        let (to, within, fresh) = (rewound.to, rewound.within, !rewound.chains.is_empty());
        let rewound = Rewound { n, to, within, by, reason, fresh };
        self.rewinds.push(rewound);
    }

    /// Processes the line `n` of the time `at`; `undone` if a later rewind undoes it.
    pub fn apply(&mut self, n: u64, at: &str, body: &Body<'_>, undone: bool) {
        at.clone_into(&mut self.last_at);
        if self.day.0 != day_of(at) {
            self.day = (day_of(at).to_owned(), n);
            self.made.clear();
        }
        if let Some(seat) = made_by(body).and_then(Seat::from_letter) {
            *self.made.entry(seat).or_default() += 1;
        }
        self.drawn.note(n, body);
        match body {
            Body::Decision(decision) => self.decision(n, decision, undone),
            Body::Started(_) => self.begun = true,
            Body::Joined(joined) => {
                let Some(seat) = Seat::from_letter(&joined.seat) else { return };
                if joined.via == Via::Mail {
                    self.luck_by_mail.insert(seat);
                }
            }
            Body::Motion(Motion { words, .. }) => {
                self.moved.extend(*words);
                self.directed.extend(*words);
            }
            Body::Vote(Vote { words, .. }) | Body::Leave(Leave { words, .. }) => self.moved.extend(*words),
            Body::Press(press) => self.press.push((n, press.commit)),
            Body::Appeal(appeal) => {
                self.moved.extend(appeal.words);
                self.press.push((n, appeal.commit));
            }
            Body::Reseated(reseated) => {
                let Some(seat) = Seat::from_letter(&reseated.seat) else { return };
                // From here on the operator vouches for the phrase, as in the journal's checker: it
                // may repeat the phrase of an earlier mail.
                if !self.begun {
                    self.luck_by_mail.remove(&seat);
                }
                self.reseated.insert(seat, n);
            }
            Body::Sealed(sealed) if sealed.what == "standing" => {
                let Some(seat) = Seat::from_letter(&sealed.seat) else { return };
                self.came.push((n, Came::Standing(seat)));
                self.sealed.insert(sealed.commit);
                let list = if undone { &mut self.forgotten } else { &mut self.standing };
                list.push(InForce { n, seat, commit: sealed.commit });
            }
            Body::Rolled(_) => self.came.push((n, Came::Dice)),
            Body::Shown(shown) => {
                self.came.push((n, Came::Cards));
                if !undone {
                    self.shown.push((n, (shown.deck.to_string(), shown.epoch), shown.pos));
                }
            }
            Body::Revealed(revealed) => {
                self.came.push((n, Came::Cards));
                self.revealed.insert((revealed.deck.to_string(), revealed.epoch));
            }
            Body::Ruling(ruling) => {
                self.directed.extend(ruling.words);
                self.came.push((n, Came::Director));
                self.rulings.extend(Some(n).filter(|_| !undone));
            }
            Body::StandIn(entry) => {
                self.directed.extend(entry.words);
                self.stand_ins.push((n, stand_in_in_words(entry)));
            }
            Body::Rewound(rewound) => self.rewind(n, rewound),
            Body::Shuffled(shuffled) => {
                self.came.push((n, Came::Cards));
                let list = shuffled.list.iter().map(ToString::to_string).collect();
                self.lists.insert((shuffled.deck.to_string(), shuffled.epoch), list);
            }
            Body::Dealt(dealt) => {
                self.came.push((n, Came::Cards));
                if undone {
                    return;
                }
                let shuffle = (dealt.deck.to_string(), dealt.epoch);
                let (from, count) = (dealt.from, dealt.count);
                self.dealt.extend(Seat::from_letter(&dealt.seat).map(|seat| Dealt { n, seat, shuffle, from, count }));
            }
            Body::Unsealed(unsealed) => {
                let of = self.standing.iter().chain(&self.forgotten).find(|one| one.n == unsealed.of);
                self.came.extend(of.map(|one| (n, Came::Standing(one.seat))));
                self.standing.retain(|one| one.n != unsealed.of);
                self.forgotten.retain(|one| one.n != unsealed.of);
            }
            _ => {}
        }
    }

    /// Records that the decision in line `n` came from this mail.
    pub fn came_by(&mut self, n: u64, mail: Hash) {
        if let Ok(at) = self.mailed.binary_search_by_key(&n, |&(n, _)| n) {
            self.mails.entry(mail).or_default().push(Some(self.mailed[at].1));
        }
    }

    /// Undoes the lines between `to` and `at`. Only for a rewind to a line that is not itself
    /// undone, and only after line `at` was processed. The facts are then the same as if the
    /// journal were read again.
    pub fn rewound(&mut self, Rewind { to, at, .. }: Rewind) {
        let counts = |n: u64| n <= to || n >= at;
        let undone = self.standing.extract_if(.., |one| !counts(one.n));
        self.forgotten.extend(undone);
        self.forgotten.sort_by_key(|one| one.n);
        self.rulings.retain(|&n| counts(n));
        self.used.retain(|&(n, ..)| counts(n));
        self.decided.retain(|decided| counts(decided.n));
        self.dealt.retain(|dealt| counts(dealt.n));
        self.shown.retain(|&(n, ..)| counts(n));
    }

    /// Returns the number of chain generations after the first: one for each rewind with new
    /// chains.
    pub fn generations(&self) -> u64 {
        self.rewinds.iter().filter(|rewound| rewound.fresh).count() as u64
    }

    /// Returns `true` if a rewind to line `to` continues with new chains.
    pub fn renews(&self, to: u64) -> bool {
        self.drawn.renews(to)
    }

    /// Returns `true` if new chains would let the operator choose among dice.
    pub fn leaves_a_choice(&self) -> bool {
        self.drawn.leaves_a_choice()
    }

    /// Returns the cards dealt to a seat (after line `after`, if given) that no one else has seen:
    /// deck, epoch, listed order of the shuffle, and position.
    pub fn hidden_cards(&self, seat: Seat, after: Option<u64>) -> impl Iterator<Item = (&str, u64, &[String], u64)> {
        let mine = self.dealt.iter().filter(move |dealt| {
            dealt.seat == seat && after.is_none_or(|n| dealt.n > n) && !self.revealed.contains(&dealt.shuffle)
        });
        mine.flat_map(|dealt| {
            let (deck, epoch) = &dealt.shuffle;
            let list = self.lists.get(&dealt.shuffle).map_or(&[][..], Vec::as_slice);
            let hidden = |pos: &u64| !self.shown.iter().any(|(_, shuffle, at)| shuffle == &dealt.shuffle && at == pos);
            (dealt.from..dealt.from + dealt.count).filter(hidden).map(move |pos| (deck.as_str(), *epoch, list, pos))
        })
    }

    /// Returns the `n` of the last order that the seat gave itself, and the events after it other
    /// than the seat's own standing orders. Returns `None` if it gave none since the last rewind
    /// that was not its own.
    pub fn last_order(&self, seat: Seat) -> Option<(u64, BTreeSet<Came>)> {
        let mut came_since = BTreeSet::new();
        let mut end = u64::MAX;
        for &(n, came) in self.came.iter().rev() {
            let rewound = self.rewinds.iter().rev().find(|rewound| rewound.n < end && rewound.n > n);
            if let Some(rewound) = rewound {
                if rewound.taken_back() != Some(seat) {
                    return None;
                }
                end = rewound.to + 1;
            }
            match came {
                _ if n >= end => {}
                Came::Order(whose, via)
                    if whose == seat && !matches!(via, Via::Standing | Via::Deadline | Via::Bot) =>
                {
                    return Some((n, came_since));
                }
                Came::Order(whose, Via::Standing) if whose == seat => {}
                Came::Standing(whose) if whose == seat => {}
                other => _ = came_since.insert(other),
            }
        }
        None
    }

    /// Returns the last line that used a standing order of this seat.
    pub fn last_use(&self, seat: Seat) -> Option<u64> {
        self.used.iter().rev().find(|(_, whose, _)| *whose == seat).map(|(n, ..)| *n)
    }

    /// Returns the number of uses of a standing order since its line `n`.
    pub fn uses(&self, n: u64, seat: Seat, kind: &str) -> usize {
        self.used.iter().filter(|(at, whose, ask)| *at > n && *whose == seat && ask == kind).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_journal::{Ballot, Json, Text};

    /// Orders by mail and votes count on the day of their entries, even if they were undone or
    /// taken back.
    #[test]
    fn entries_of_seats_are_counted_by_days() {
        let mut facts = Facts::default();
        let order = |via, words| {
            let (seat, ask): (Text<'_>, Text<'_>) = ("B".into(), "bid".into());
            Body::Decision(Decision { seat, prompt: 0, ask, order: Json::empty(), via, words })
        };
        let vote = Vote { of: 1, seat: "B".into(), vote: Ballot::Agree, via: Via::Mail, words: None };
        let mail = || order(Via::Mail, Some(Hash::ZERO));
        for (n, at, body) in [
            (1, "2026-11-20T23:59:59Z", mail()),
            (2, "2026-11-21T00:00:00Z", mail()),
            (3, "2026-11-21T09:00:00Z", order(Via::Cli, None)),
            (4, "2026-11-21T23:59:59Z", mail()),
            (5, "2026-11-21T23:59:59Z", Body::Vote(vote)),
        ] {
            facts.apply(n, at, &body, n == 2);
        }
        let on = |day: &str| facts.made_on(Seat(1), &format!("{day}T12:00:00Z"));
        assert_eq!([on("2026-11-20"), on("2026-11-21"), on("2026-11-22")], [0, 3, 0]);
        assert_eq!(facts.made_on(Seat(0), "2026-11-21T12:00:00Z"), 0);
    }
}
