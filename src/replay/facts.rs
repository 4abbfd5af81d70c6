//! What a journal says beyond the position: mails, standing orders, rewinds, addresses, who was dealt what.

use super::{index::Rewind, projection::Projection};
use postrider_dice::Hash;
use postrider_journal::{Body, Checked, Via};
use postrider_table::Seat;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The line of the answer.
    pub n: u64,
    /// Who was asked.
    pub seat: Seat,
    /// The kind of question.
    pub kind: String,
    /// The question.
    pub prompt: u64,
}

/// A standing order that the journal says is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// n of its `sealed` line.
    pub n: u64,
    /// Whose it is.
    pub seat: Seat,
    /// The commitment.
    pub commit: Hash,
}

/// Cards that went to a seat.
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
    /// n of its line.
    pub n: u64,
    /// n of the line after which play went on.
    pub to: u64,
    /// Who decided it; a seat that took its order back.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Whether it brought fresh chains.
    pub fresh: bool,
}

impl Rewound {
    /// The seat that took its own order back, if that is what it is.
    pub fn taken_back(&self) -> Option<Seat> {
        Seat::from_letter(&self.by)
    }
}

/// What keeps a seat from taking its last order back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// A seat decided something.
    Order(Seat, Via),
    /// Dice fell.
    Dice,
    /// Cards were shuffled, dealt, shown or revealed.
    Cards,
    /// A seat left a standing order, or one came to its end.
    Standing(Seat),
    /// A director decided something.
    Director,
}

/// Facts of a journal, gathered line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The digests of the lines that became decisions, by mail. The journal does not say which mail a decision came by: that is
    /// for [`Facts::came_by`].
    pub mails: HashMap<Hash, Vec<Option<Hash>>>,
    /// Every decision by mail, undone or not: its n and the digest of its line.
    pub mailed: Vec<(u64, Hash)>,
    /// Standing orders in force, oldest first.
    pub standing: Vec<InForce>,
    /// The commitments of all standing orders that there ever were.
    pub sealed: HashSet<Hash>,
    /// Standing orders that a rewind has undone and that were never opened.
    pub forgotten: Vec<InForce>,
    /// All rewinds.
    pub rewinds: Vec<Rewound>,
    /// The seats whose words for luck came by mail, as far as the journal says so.
    pub luck_by_mail: BTreeSet<Seat>,
    /// The game has begun: the luck is fixed.
    begun: bool,
    /// n of the line by which a seat was last given to another player.
    pub reseated: BTreeMap<Seat, u64>,
    /// Messages: n of the line and its commitment. No rewind undoes one.
    pub press: Vec<(u64, Hash)>,
    /// n of every ruling that is not undone.
    pub rulings: Vec<u64>,
    /// The hash of every line.
    pub hashes: Vec<Hash>,
    /// n of the last line by which dice or cards were drawn or became known, undone or not.
    drawn: Option<u64>,
    /// Everything that came, in order, undone or not.
    came: Vec<(u64, Came)>,
    /// Every decision that counts, in order.
    pub decided: Vec<Decided>,
    /// Every use of a standing order: n, seat and kind of question.
    used: Vec<(u64, Seat, String)>,
    /// The kinds of questions that were answered so far.
    pub kinds: BTreeSet<String>,
    /// The cards of each shuffle in their public order, by deck and epoch.
    lists: HashMap<(String, u64), Vec<String>>,
    /// What was dealt to seats.
    dealt: Vec<Dealt>,
    /// Cards that everybody has seen: n of the line, the shuffle, the position.
    shown: Vec<(u64, (String, u64), u64)>,
    /// Shuffles whose every card everybody knows.
    revealed: BTreeSet<(String, u64)>,
    /// The time of the last line, as it stands there.
    pub last_at: String,
    /// The seat and n of the last decision, if it came by mail (standing orders that followed from it apart).
    pub last_mailed: Option<(Seat, u64)>,
}

impl Projection for Facts {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        checked.line.at.clone_into(&mut self.last_at);
        self.hashes.push(checked.line.hash);
        Facts::apply(self, checked.line.n, &checked.body, undone);
    }
}

impl Facts {
    /// Takes in one line; `undone` if a later rewind has undone it.
    pub fn apply(&mut self, n: u64, body: &Body<'_>, undone: bool) {
        if body.draws() != (false, false) {
            self.drawn = Some(n);
        }
        match body {
            Body::Decision(decision) => {
                let Some(seat) = Seat::from_letter(&decision.seat) else { return };
                self.came.push((n, Came::Order(seat, decision.via)));
                if !undone {
                    self.decided.push(Decided { n, seat, kind: decision.ask.to_string(), prompt: decision.prompt });
                }
                if !self.kinds.contains(&*decision.ask) {
                    self.kinds.insert(decision.ask.to_string());
                }
                match (decision.via, decision.words) {
                    (Via::Mail, Some(words)) => {
                        self.mailed.push((n, words));
                        self.last_mailed = Some((seat, n));
                    }
                    // What bots did then followed from it.
                    (Via::Bot, _) => {}
                    (Via::Standing, _) if undone => {}
                    (Via::Standing, _) => self.used.push((n, seat, decision.ask.to_string())),
                    _ => self.last_mailed = None,
                }
            }
            Body::Started(_) => self.begun = true,
            Body::Joined(joined) => {
                let Some(seat) = Seat::from_letter(&joined.seat) else { return };
                if joined.via == Via::Mail {
                    self.luck_by_mail.insert(seat);
                }
            }
            Body::Press(press) => self.press.push((n, press.commit)),
            Body::Reseated(reseated) => {
                let Some(seat) = Seat::from_letter(&reseated.seat) else { return };
                // The operator's word from here on, as the checker counts it: a mail of the same player may have said the phrase.
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
            Body::Ruling(_) => {
                self.came.push((n, Came::Director));
                self.rulings.extend(Some(n).filter(|_| !undone));
            }
            Body::Rewound(rewound) => {
                let (by, reason) = (rewound.by.to_string(), rewound.reason.to_string());
                self.rewinds.push(Rewound { n, to: rewound.to, by, reason, fresh: !rewound.chains.is_empty() });
                // What a mail had done is over, and nobody answers it any more.
                self.last_mailed = None;
            }
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

    /// The decision in line `n` came by this mail.
    pub fn came_by(&mut self, n: u64, mail: Hash) {
        if let Ok(at) = self.mailed.binary_search_by_key(&n, |&(n, _)| n) {
            self.mails.entry(mail).or_default().push(Some(self.mailed[at].1));
        }
    }

    /// Play goes on elsewhere: what lay between is undone. Only for a rewind to a line that is not undone itself; the line
    /// that says so has been taken in. The facts are then what they would be if the journal were read anew.
    pub fn rewound(&mut self, Rewind { to, at }: Rewind) {
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

    /// How many generations of chains there were after the first: one for each rewind that brought fresh ones.
    pub fn generations(&self) -> u64 {
        self.rewinds.iter().filter(|rewound| rewound.fresh).count() as u64
    }

    /// Whether dice or cards were drawn or became known after line `to`.
    pub fn drawn_since(&self, to: u64) -> bool {
        self.drawn > Some(to)
    }

    /// The cards that a seat was dealt, after line `after` if one is given, and that nobody else has seen: deck, epoch, the
    /// list that was shuffled, and the position.
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

    /// n of the last order that the seat gave itself, and what came after it but its own standing orders; `None` if it gave
    /// none since the last rewind that was not its own.
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
                Came::Order(whose, via) if whose == seat && !matches!(via, Via::Standing | Via::Deadline) => {
                    return Some((n, came_since));
                }
                Came::Order(whose, Via::Standing) if whose == seat => {}
                Came::Standing(whose) if whose == seat => {}
                other => _ = came_since.insert(other),
            }
        }
        None
    }

    /// The line in which a standing order of this seat was last used.
    pub fn last_use(&self, seat: Seat) -> Option<u64> {
        self.used.iter().rev().find(|(_, whose, _)| *whose == seat).map(|(n, ..)| *n)
    }

    /// How often a standing order was used since its line `n`.
    pub fn uses(&self, n: u64, seat: Seat, kind: &str) -> usize {
        self.used.iter().filter(|(at, whose, ask)| *at > n && *whose == seat && ask == kind).count()
    }
}
