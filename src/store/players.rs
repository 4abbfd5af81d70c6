//! Who plays a game, and who did.

use super::{player::Player, secrets::Kept};
use postrider_dice::Hash;
use postrider_replay::Seatings;
use postrider_table::Seat;
use std::collections::BTreeMap;

/// The players of a game by seat, and the bots that stand in for some of them.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// Who sits where, by seat.
    pub players: Vec<Player>,
    /// All that ever sat somewhere or were about to, oldest first.
    known: Vec<Player>,
    /// Who sat where from which entry on, the oldest first.
    sat: Vec<(u64, Player)>,
    /// Addresses from which orders count beside those of the players themselves.
    also: BTreeMap<Seat, Vec<String>>,
    /// The bots that stand in for players who are away.
    pub stand_ins: BTreeMap<Seat, String>,
}

impl Players {
    /// The players that a game's secrets name. Who takes a seat over takes the place of who held it.
    pub fn of<'k>(kept: impl IntoIterator<Item = &'k Kept>) -> Players {
        let mut players = Players::default();
        kept.into_iter().for_each(|one| players.learn(one));
        players
    }

    /// The same for somebody who may have been able to read none of them: who is not named in a game of so many seats is called
    /// by the letter of his seat.
    pub fn named_in<'k>(kept: impl IntoIterator<Item = &'k Kept>, seats: usize) -> Players {
        let mut players = Players::of(kept);
        for seat in (0..=u8::MAX).map(Seat).take(seats) {
            if players.player(seat).is_none() {
                players.players.push(Player::unnamed(seat));
            }
        }
        players
    }

    /// Takes in what was kept of players; everything else is passed over.
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
            Kept::StandIn { seat, bot: Some(bot) } => _ = self.stand_ins.insert(*seat, bot.clone()),
            Kept::StandIn { seat, bot: None } => _ = self.stand_ins.remove(seat),
            _ => {}
        }
    }

    /// Seats the players whose addresses the journal commits to, and remembers from which entry on each sat there. Somebody else may
    /// be noted already for a seat that was about to be given away when the program ended: as long as no line says so it is not
    /// his, and he must not be written to.
    pub fn sit(&mut self, seatings: &Seatings) {
        self.sat.clear();
        for seating in seatings.iter() {
            let right = |one: &&Player| one.seat == seating.seat && one.commitment() == seating.address;
            let known = self.known.iter().rev().find(right).cloned();
            if let (Some(right), Some(now)) = (&known, self.players.iter_mut().find(|one| one.seat == seating.seat)) {
                *now = right.clone();
            }
            // Where nobody else ever sat there, it can only be he who is noted.
            let alone = seatings.iter().filter(|other| other.seat == seating.seat).count() == 1;
            let noted = self.player(seating.seat).filter(|_| alone).cloned();
            let player = known.or(noted).unwrap_or_else(|| Player::unnamed(seating.seat));
            self.sat.push((seating.n, player));
        }
    }

    /// Who sat there at this entry; before anybody had joined, the first who did.
    #[must_use]
    pub fn player_at(&self, seat: Seat, n: u64) -> Option<&Player> {
        let mut sat = self.sat.iter().filter(|(_, player)| player.seat == seat);
        let first = sat.next().map(|(_, player)| player);
        let then = sat.take_while(|(from, _)| *from <= n).last().map(|(_, player)| player);
        then.or(first).or_else(|| self.player(seat))
    }

    /// The players as they sat at this entry.
    #[must_use]
    pub fn at(&self, n: u64) -> Players {
        let then = |player: &Player| self.player_at(player.seat, n).unwrap_or(player).clone();
        Players { players: self.players.iter().map(then).collect(), ..self.clone() }
    }

    /// The entries by which seats went from one player to another, the oldest first. A player who moved to another address is not
    /// among them; of players whose names are not known here nobody can say that, so each of their moves is.
    pub fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.sat.iter().enumerate().filter_map(|(at, (n, to))| {
            let (_, from) = self.sat[..at].iter().rfind(|(_, from)| from.seat == to.seat)?;
            (from.name != to.name || to.address.is_empty()).then_some(Change { n: *n, from, to })
        })
    }

    /// The entry by which the player who sat there at entry `n` had come to sit there; 0 for the first one.
    #[must_use]
    pub fn since(&self, seat: Seat, n: u64) -> u64 {
        let came = self.changes().filter(|change| change.to.seat == seat && change.n <= n).last();
        came.map_or(0, |change| change.n)
    }

    /// The bot that plays a seat: the one that keeps it, or the one that stands in for its player.
    #[must_use]
    pub fn bot(&self, seat: Seat) -> Option<&str> {
        self.stand_ins.get(&seat).map(String::as_str).or_else(|| self.player(seat)?.bot())
    }

    /// All who ever held a seat or were about to, the oldest first.
    pub fn held(&self, seat: Seat) -> impl Iterator<Item = &Player> {
        self.known.iter().filter(move |player| player.seat == seat)
    }

    /// The commitments to all addresses that a seat ever had or was about to have, the newest first.
    pub fn commitments(&self, seat: Seat) -> impl Iterator<Item = Hash> {
        self.known.iter().rev().filter(move |player| player.seat == seat).map(Player::commitment)
    }

    /// The addresses from which orders for a seat count: its player's, and those that he added.
    pub fn addresses(&self, seat: Seat) -> impl Iterator<Item = &str> {
        let own = self.player(seat).filter(|player| player.by_mail()).map(|player| player.address.as_str());
        own.into_iter().chain(self.added(seat).iter().map(String::as_str))
    }

    /// Those that he added.
    #[must_use]
    pub fn added(&self, seat: Seat) -> &[String] {
        self.also.get(&seat).map_or(&[], Vec::as_slice)
    }

    /// Another seat than this one whose orders count from an address.
    #[must_use]
    pub fn held_by(&self, address: &str, but: Seat) -> Option<Seat> {
        let mut others = self.players.iter().map(|player| player.seat).filter(|seat| *seat != but);
        others.find(|seat| self.addresses(*seat).any(|one| one.eq_ignore_ascii_case(address)))
    }

    /// Whether this address was a seat's before, or was about to be.
    #[must_use]
    pub fn was_of(&self, seat: Seat, address: &str) -> bool {
        self.known.iter().any(|player| player.seat == seat && player.address.eq_ignore_ascii_case(address))
    }

    /// Who sits there.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }

    /// The seats that a name means, in any case: of the players of this name, else of this first name, else the seat of this letter.
    pub fn seats_named(&self, name: &str) -> Vec<Seat> {
        let same = |one: &str| one.to_lowercase() == name.to_lowercase();
        let by = |fits: &dyn Fn(&Player) -> bool| -> Vec<Seat> {
            self.players.iter().filter(|player| fits(player)).map(|player| player.seat).collect()
        };
        let found = [
            by(&|player| same(&player.name)),
            by(&|player| player.name.split_whitespace().next().is_some_and(same)),
            by(&|player| same(&player.seat.to_string())),
        ];
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// What a seat is called: its player's name and its letter, or the letter alone where no name is known.
    pub fn called(&self, seat: Seat) -> String {
        match self.player(seat).map(|player| player.name.as_str()) {
            Some(name) if name != seat.to_string() => format!("{name} ({seat})"),
            _ => seat.to_string(),
        }
    }

    /// Writes the players' names for `@A`, `@B` … in a text.
    pub fn named(&self, text: &str) -> String {
        with_names(text, |seat| self.player(seat))
    }

    /// The same with the names of those who sat there at entry `n`.
    pub fn named_at(&self, n: u64, text: &str) -> String {
        with_names(text, |seat| self.player_at(seat, n))
    }

    /// Writes `@A`, `@B` … for the players' names in an order, in any case; `None` if it names none of them.
    pub fn lettered(&self, text: &str) -> Option<String> {
        let mut out = text.to_owned();
        // A name may be the beginning of another.
        let mut players: Vec<&Player> = self.players.iter().collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.name.len()));
        for player in players {
            // Lower-casing ASCII alone keeps every byte in its place.
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

    /// The same in every text of a JSON value; keys stay as they are.
    pub fn name_all(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) if text.contains('@') => *text = self.named(text),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.name_all(item)),
            serde_json::Value::Object(members) => members.values_mut().for_each(|item| self.name_all(item)),
            _ => {}
        }
    }
}

/// A seat that went from one player to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'p> {
    /// The entry that says so.
    pub n: u64,
    /// Who sat there.
    pub from: &'p Player,
    /// Who sits there from then on.
    pub to: &'p Player,
}

impl Change<'_> {
    /// The change in a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        let Change { from, to, .. } = self;
        match to.address.is_empty() {
            true => format!("Seat {} goes to another player or another address of the same one.", to.seat),
            false => format!("{} takes over seat {} from {}.", to.name, to.seat, from.name),
        }
    }
}

/// A text with the names of these players for `@A`, `@B` ….
fn with_names<'p>(text: &str, player: impl Fn(Seat) -> Option<&'p Player>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, mark) = rest.split_at(at);
        out.push_str(before);
        let mut next = mark[1..].chars();
        let seat = next.next().and_then(|c| Seat::from_letter(c.encode_utf8(&mut [0; 4])));
        let ends = next.next().is_none_or(|c| !c.is_alphanumeric());
        // A letter before it makes it part of a mail address.
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
