//! What the office needs to know of a journal beyond what its replay tells.

use super::seats::seat_of;
use crate::{
    dice::Hash,
    journal::{Body, Via},
    table::Seat,
};
use std::collections::{BTreeSet, HashMap};

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
    /// Every use of a standing order: n, seat and kind of question.
    used: Vec<(u64, Seat, String)>,
    /// The kinds of questions that were answered so far.
    pub kinds: BTreeSet<String>,
    /// The cards of each shuffle in their public order, by deck and epoch.
    lists: HashMap<(String, u64), Vec<String>>,
    /// What was dealt to seats.
    dealt: Vec<Dealt>,
    /// The seat and the mail of the last decision, if it came by mail (standing orders that followed from it apart).
    pub last_mail: Option<(Seat, Hash)>,
}

impl Facts {
    /// Whether a line of this kind says something that [`learn`](Facts::learn) wants to know.
    pub fn wants(kind: &str) -> bool {
        matches!(kind, "decision" | "sealed" | "unsealed" | "shuffled" | "dealt")
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
                    (Via::Standing, _) => self.used.push((n, seat, decision.ask.to_string())),
                    _ => self.last_mail = None,
                }
            }
            Body::Sealed(sealed) if sealed.what == "standing" => {
                let seat = seat_of(&sealed.seat);
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
            Body::Unsealed(unsealed) => self.standing.retain(|one| one.n != unsealed.of),
            _ => {}
        }
    }

    /// The cards that a seat was dealt after line `after`: deck, epoch, the public order of the shuffle, and the position.
    pub fn cards(&self, seat: Seat, after: u64) -> impl Iterator<Item = (&str, u64, &[String], u64)> {
        let mine = self.dealt.iter().filter(move |dealt| dealt.seat == seat && dealt.n > after);
        mine.flat_map(|dealt| {
            let (deck, epoch) = &dealt.shuffle;
            let list = self.lists.get(&dealt.shuffle).map_or(&[][..], Vec::as_slice);
            (dealt.from..dealt.from + dealt.count).map(move |pos| (deck.as_str(), *epoch, list, pos))
        })
    }

    /// How often a standing order was used since its line `n`.
    pub fn uses(&self, n: u64, seat: Seat, kind: &str) -> usize {
        self.used.iter().filter(|(at, whose, ask)| *at > n && *whose == seat && ask == kind).count()
    }
}
