//! The current and former players of a game.

use super::{player::Player, secrets::Kept};
use postrider_dice::Hash;
use postrider_replay::Seatings;
use postrider_table::Seat;
use std::collections::BTreeMap;

/// The players of a game by seat.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// The current players, sorted by seat.
    pub players: Vec<Player>,
    /// All players who ever had or were about to get a seat, oldest first.
    known: Vec<Player>,
    /// The players with the entries at which they took their seats, oldest first.
    sat: Vec<(u64, Player)>,
    /// Additional addresses from which orders count, by seat.
    also: BTreeMap<Seat, Vec<String>>,
}

impl Players {
    /// Returns the players named in a game's secrets. A player who takes over a seat replaces the
    /// previous one.
    pub fn of<'k>(kept: impl IntoIterator<Item = &'k Kept>) -> Players {
        let mut players = Players::default();
        kept.into_iter().for_each(|one| players.learn(one));
        players
    }

    /// Returns the same for a reader who may lack secrets: in a game with this number of seats,
    /// players without a name are named by the letter of their seat.
    pub fn named_in<'k>(kept: impl IntoIterator<Item = &'k Kept>, seats: usize) -> Players {
        let mut players = Players::of(kept);
        for seat in (0..=u8::MAX).map(Seat).take(seats) {
            if players.player(seat).is_none() {
                players.players.push(Player::unnamed(seat));
            }
        }
        players
    }

    /// Processes an item about players; ignores all others.
    pub fn learn(&mut self, kept: &Kept) {
        match kept {
            Kept::Player(player) => {
                self.known.push(player.clone());
                self.also.remove(&player.seat);
                self.players.retain(|other| other.seat != player.seat);
                self.players.push(player.clone());
                self.players.sort_by_key(|player| player.seat);
            }
            Kept::Address { seat, address, counts } => {
                let also = self.also.entry(*seat).or_default();
                also.retain(|one| !one.eq_ignore_ascii_case(address));
                also.extend(counts.then(|| address.clone()));
            }
            _ => {}
        }
    }

    /// Assigns seats to the players whose addresses the journal commits to, and records the entries
    /// at which they took them. The secrets may name another player for a seat that was about to be
    /// reassigned when the program ended. Until a line says so, that player does not have the seat
    /// and must not get its letters.
    pub fn sit(&mut self, seatings: &Seatings) {
        self.sat.clear();
        for seating in seatings.iter() {
            let right = |one: &&Player| one.seat == seating.seat && one.commitment() == seating.address;
            let known = self.known.iter().rev().find(right).cloned();
            if let (Some(right), Some(now)) = (&known, self.players.iter_mut().find(|one| one.seat == seating.seat)) {
                *now = right.clone();
            }
            // If the seat had only one player, that player must be the one in the secrets.
            let alone = seatings.iter().filter(|other| other.seat == seating.seat).count() == 1;
            let noted = self.player(seating.seat).filter(|_| alone).cloned();
            let player = known.or(noted).unwrap_or_else(|| Player::unnamed(seating.seat));
            self.sat.push((seating.n, player));
        }
    }

    /// Returns the player of a seat at this entry; before anyone had joined, the first one.
    #[must_use]
    pub fn player_at(&self, seat: Seat, n: u64) -> Option<&Player> {
        let mut sat = self.sat.iter().filter(|(_, player)| player.seat == seat);
        let first = sat.next().map(|(_, player)| player);
        let then = sat.take_while(|(from, _)| *from <= n).last().map(|(_, player)| player);
        then.or(first).or_else(|| self.player(seat))
    }

    /// Returns the players as they were at this entry.
    #[must_use]
    pub fn at(&self, n: u64) -> Players {
        let then = |player: &Player| self.player_at(player.seat, n).unwrap_or(player).clone();
        Players { players: self.players.iter().map(then).collect(), ..self.clone() }
    }

    /// Returns the changes of players, oldest first. A new address of the same player is not a
    /// change; but if the player's address is unknown here, every reassignment is treated as one.
    pub fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.sat.iter().enumerate().filter_map(|(at, (n, to))| {
            let (_, from) = self.sat[..at].iter().rfind(|(_, from)| from.seat == to.seat)?;
            (from.name != to.name || to.address.is_empty()).then_some(Change { n: *n, from, to })
        })
    }

    /// Returns the entry at which the seat's player at entry `n` had taken it; 0 for the first
    /// player.
    #[must_use]
    pub fn since(&self, seat: Seat, n: u64) -> u64 {
        let came = self.changes().filter(|change| change.to.seat == seat && change.n <= n).last();
        came.map_or(0, |change| change.n)
    }

    /// Returns all players who ever had or were about to get a seat, oldest first.
    pub fn held(&self, seat: Seat) -> impl Iterator<Item = &Player> {
        self.known.iter().filter(move |player| player.seat == seat)
    }

    /// Returns the commitments to all past, present and intended addresses of a seat, newest first.
    pub fn commitments(&self, seat: Seat) -> impl Iterator<Item = Hash> {
        self.known.iter().rev().filter(move |player| player.seat == seat).map(Player::commitment)
    }

    /// Returns the addresses from which orders for a seat count: the player's own, and those that
    /// the player added.
    pub fn addresses(&self, seat: Seat) -> impl Iterator<Item = &str> {
        let own = self.player(seat).filter(|player| player.by_mail()).map(|player| player.address.as_str());
        own.into_iter().chain(self.added(seat).iter().map(String::as_str))
    }

    /// Returns the addresses that a seat's player added.
    #[must_use]
    pub fn added(&self, seat: Seat) -> &[String] {
        self.also.get(&seat).map_or(&[], Vec::as_slice)
    }

    /// Returns another seat for which orders from this address count.
    #[must_use]
    pub fn held_by(&self, address: &str, but: Seat) -> Option<Seat> {
        let mut others = self.players.iter().map(|player| player.seat).filter(|seat| *seat != but);
        others.find(|seat| self.addresses(*seat).any(|one| one.eq_ignore_ascii_case(address)))
    }

    /// Returns `true` if this address belonged or was about to belong to a seat.
    #[must_use]
    pub fn was_of(&self, seat: Seat, address: &str) -> bool {
        self.known.iter().any(|player| player.seat == seat && player.address.eq_ignore_ascii_case(address))
    }

    /// Returns the current player of a seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }

    /// Returns the seats that a name refers to, ignoring case: those of players with this name, or
    /// else the seat with this letter, or else those of players with this first name.
    pub fn seats_named(&self, name: &str) -> Vec<Seat> {
        let same = |one: &str| one.to_lowercase() == name.to_lowercase();
        let by = |fits: &dyn Fn(&Player) -> bool| -> Vec<Seat> {
            self.players.iter().filter(|player| fits(player)).map(|player| player.seat).collect()
        };
        let found = [
            by(&|player| same(&player.name)),
            by(&|player| same(&player.seat.to_string())),
            by(&|player| player.name.split_whitespace().next().is_some_and(same)),
        ];
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Returns the label of a seat: its player's name with its letter, or the letter alone if no
    /// name is known.
    pub fn called(&self, seat: Seat) -> String {
        match self.player(seat).map(|player| player.name.as_str()) {
            Some(name) if name != seat.to_string() => format!("{name} ({seat})"),
            _ => seat.to_string(),
        }
    }

    /// Replaces `@A`, `@B` and so on in a text by the players' names.
    pub fn named(&self, text: &str) -> String {
        with_names(text, |seat| self.player(seat))
    }

    /// Does the same with the names of the players at entry `n`.
    pub fn named_at(&self, n: u64, text: &str) -> String {
        with_names(text, |seat| self.player_at(seat, n))
    }

    /// Replaces players' names in an order by `@A`, `@B` and so on, ignoring case; `None` if there
    /// are none.
    pub fn lettered(&self, text: &str) -> Option<String> {
        let mut out = text.to_owned();
        // Longer names come first, because a name may be the beginning of another.
        let mut players: Vec<&Player> = self.players.iter().collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.name.len()));
        for player in players {
            // ASCII lower-casing keeps all byte positions.
            let (lower, name) = (out.to_ascii_lowercase(), player.name.to_ascii_lowercase());
            let at = lower.match_indices(&name).map(|(at, _)| at).find(|&at| {
                !lower[..at].ends_with(char::is_alphanumeric)
                    && !lower[at + name.len()..].starts_with(char::is_alphanumeric)
            });
            if let Some(at) = at.filter(|_| !name.is_empty()) {
                out.replace_range(at..at + name.len(), &format!("@{}", player.seat));
            }
        }
        (out != text).then_some(out)
    }

    /// Replaces `@A`, `@B` and so on in every string of a JSON value; keys stay as they are.
    pub fn name_all(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) if text.contains('@') => *text = self.named(text),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.name_all(item)),
            serde_json::Value::Object(members) => members.values_mut().for_each(|item| self.name_all(item)),
            _ => {}
        }
    }
}

/// A change of a seat's player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'p> {
    /// The entry of the change.
    pub n: u64,
    /// The previous player.
    pub from: &'p Player,
    /// The new player.
    pub to: &'p Player,
}

impl Change<'_> {
    /// Describes the change in a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        let Change { from, to, .. } = self;
        match to.address.is_empty() {
            true => format!("Seat {} goes to another player or another address of the same one.", to.seat),
            false => format!("{} takes over seat {} from {}.", to.name, to.seat, from.name),
        }
    }
}

/// Replaces `@A`, `@B` and so on by the names of these players.
fn with_names<'p>(text: &str, player: impl Fn(Seat) -> Option<&'p Player>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, mark) = rest.split_at(at);
        out.push_str(before);
        let mut next = mark[1..].chars();
        let seat = next.next().and_then(|c| Seat::from_letter(c.encode_utf8(&mut [0; 4])));
        let ends = next.next().is_none_or(|c| !c.is_alphanumeric());
        // A letter before the @ makes it part of a mail address.
        let begins = !before.ends_with(char::is_alphanumeric);
        match seat.and_then(&player).filter(|_| begins && ends) {
            Some(player) => {
                out.push_str(&player.name);
                rest = &mark[2..];
            }
            None => {
                out.push('@');
                rest = &mark[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
