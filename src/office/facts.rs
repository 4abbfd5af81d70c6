//! What the office needs to know of a journal beyond what its replay tells.

use super::seats::seat_of;
use crate::{
    dice::Hash,
    journal::{Body, Via},
    table::Seat,
};
use std::collections::{BTreeSet, HashMap, HashSet};

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

/// Facts of a journal, gathered line by line.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// How many decisions each mail has made.
    pub mails: HashMap<Hash, usize>,
    /// Standing orders in force, oldest first.
    pub standing: Vec<InForce>,
    /// The commitments of all standing orders that there ever were.
    pub sealed: HashSet<Hash>,
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
    /// The seat and the mail of the last decision, if it came by mail (standing orders that followed from it apart).
    pub last_mail: Option<(Seat, Hash)>,
}

impl Facts {
    /// Whether a line of this kind says something that [`learn`](Facts::learn) wants to know.
    pub fn wants(kind: &str) -> bool {
        matches!(kind, "decision" | "sealed" | "unsealed" | "shuffled" | "dealt" | "shown" | "revealed" | "rewound")
    }

    /// Learns one line.
    pub fn learn(&mut self, n: u64, body: &Body<'_>) {
        match body {
            Body::Decision(decision) => {
                let Some(seat) = seat_of(&decision.seat) else { return };
                if !self.kinds.contains(&*decision.ask) {
                    self.kinds.insert(decision.ask.to_string());
                }
                match (decision.via, decision.mail) {
                    (Via::Mail, Some(mail)) => {
                        *self.mails.entry(mail).or_default() += 1;
                        self.last_mail = Some((seat, mail));
                    }
                    // What bots did then followed from it.
                    (Via::Bot, _) => {}
                    (Via::Standing, _) => self.used.push((n, seat, decision.ask.to_string())),
                    _ => self.last_mail = None,
                }
            }
            Body::Sealed(sealed) if sealed.what == "standing" => {
                let seat = seat_of(&sealed.seat);
                self.sealed.insert(sealed.commit);
                self.standing.extend(seat.map(|seat| InForce { n, seat, commit: sealed.commit }));
            }
            Body::Shuffled(shuffled) => {
                let list = shuffled.list.iter().map(ToString::to_string).collect();
                self.lists.insert((shuffled.deck.to_string(), shuffled.epoch), list);
            }
            Body::Dealt(dealt) => {
                let shuffle = (dealt.deck.to_string(), dealt.epoch);
                let (from, count) = (dealt.from, dealt.count);
                self.dealt.extend(seat_of(&dealt.seat).map(|seat| Dealt { n, seat, shuffle, from, count }));
            }
            Body::Shown(shown) => self.shown.push((n, (shown.deck.to_string(), shown.epoch), shown.pos)),
            Body::Revealed(revealed) => {
                let deck = revealed.chain.strip_prefix("deck:").unwrap_or(&revealed.chain).to_owned();
                self.revealed.insert((deck, revealed.epoch));
            }
            Body::Rewound(rewound) => {
                // Cards go back to where they were; what was revealed stays known.
                self.dealt.retain(|dealt| dealt.n <= rewound.to);
                self.shown.retain(|(n, ..)| *n <= rewound.to);
            }
            Body::Unsealed(unsealed) => self.standing.retain(|one| one.n != unsealed.of),
            _ => {}
        }
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

    /// How often a standing order was used since its line `n`.
    pub fn uses(&self, n: u64, seat: Seat, kind: &str) -> usize {
        self.used.iter().filter(|(at, whose, ask)| *at > n && *whose == seat && ask == kind).count()
    }
}
