//! What a director decides beside the rules: a ruling, a seat given to another player.

use super::{
    names::{check_name, look_the_same},
    new_game::Invitee,
    rewind::one_line,
};
use crate::{
    bug::Bug,
    error::OfficeError,
    game::{Game, clock, seats},
    misuse::Misuse,
    post::{reseating, settle},
    service::Office,
    services::Services,
    transaction::Transaction,
};
use postrider_journal::{Json, Ruling};
use postrider_letters::{View, text};
use postrider_store::Kept;
use postrider_table::Seat;
use serde::Serialize;

/// The position as everybody may see it, in the lines that letters have for it; empty before play begins.
///
/// # Errors
/// [`OfficeError`] when the rules or the template break down.
fn seen_by_all(game: &mut Game, services: &Services) -> Result<Vec<String>, OfficeError> {
    let Some(dyn_game) = &mut game.live.dyn_game else { return Ok(Vec::new()) };
    let mut view = dyn_game.view(None)?;
    let ruleset = game.live.opened.ruleset;
    let blocks = services.letters.view(ruleset, &View::of(view.clone(), &game.seats))?;
    let text = if blocks.is_empty() {
        game.seats.name_all(&mut view);
        serde_json::to_string_pretty(&view).map_err(|why| Bug::NotJson { what: "a view", why })?
    } else {
        text::render(&blocks)
    };
    Ok(text.lines().map(str::to_owned).collect())
}

/// The lines in which two texts differ, in their order: `- ` before one that only the first has, `+ ` before one that only the second
/// has.
pub(crate) fn changed(before: &[String], after: &[String]) -> Vec<String> {
    // How many lines the rests of both texts, from here on, have in common.
    let mut common = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for k in (0..after.len()).rev() {
            common[i][k] = match before[i] == after[k] {
                true => common[i + 1][k + 1] + 1,
                false => common[i + 1][k].max(common[i][k + 1]),
            };
        }
    }
    let (mut i, mut k, mut lines) = (0, 0, Vec::new());
    while i < before.len() || k < after.len() {
        if i < before.len() && k < after.len() && before[i] == after[k] {
            (i, k) = (i + 1, k + 1);
        } else if k == after.len() || (i < before.len() && common[i + 1][k] >= common[i][k + 1]) {
            lines.push(format!("- {}", before[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}", after[k]));
            k += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn lines_that_changed_are_told_in_their_order() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(changed(&lines("a b c d"), &lines("a x c e d")), ["- b", "+ x", "+ e"]);
        assert_eq!(changed(&lines("a b"), &lines("a b")), Vec::<String>::new());
        assert_eq!(changed(&lines("a"), &[]), ["- a"]);
        assert_eq!(changed(&[], &lines("a b")), ["+ a", "+ b"]);
    }
}

/// A ruling as it is given.
#[derive(Clone, Debug)]
pub struct RulingGiven {
    /// Who rules.
    pub by: String,
    /// The ruling in words, for everybody.
    pub text: String,
    /// What it does, an object that the game understands; empty for a ruling in words alone.
    pub effect: serde_json::Value,
}

/// A ruling that was given.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The game.
    pub game: String,
    /// n of its line.
    pub n: u64,
    /// How it is told.
    pub told: Vec<String>,
}

/// What a ruling would do that was not given.
#[derive(Clone, Debug, Serialize)]
pub struct RulingTried {
    /// The game.
    pub game: String,
    /// n that its line would have.
    pub n: u64,
    /// How it would be told.
    pub told: Vec<String>,
    /// The lines of the position, as everybody sees it, that would change: `- ` before one of now, `+ ` before one of then.
    pub changes: Vec<String>,
}

impl Office {
    /// Writes a ruling down and does what it says; everybody is written to. The effect `{"deadline": {"seat": …, "until": …}}`
    /// moves the deadline of everything that is asked of a seat now, in any game that has deadlines; every other effect is the
    /// game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the effect is refused, with what would be wrong then, or when a name in it is not written out;
    /// nothing has changed.
    pub fn rule(&mut self, game: &str, given: &RulingGiven) -> Result<Ruled, OfficeError> {
        self.change(game, |services, tx| {
            let (n, told) = take_ruling(tx, services, given)?;
            settle::settle(tx, services, None)?;
            Ok(Ruled { game: game.to_owned(), n, told })
        })
    }

    /// Says what a ruling would do. Nothing is written, and nobody is written to.
    ///
    /// # Errors
    /// As [`Office::rule`]: what would be refused there is refused here.
    pub fn try_ruling(&mut self, game: &str, given: &RulingGiven) -> Result<RulingTried, OfficeError> {
        self.dry_run(game, |services, tx| {
            let before = seen_by_all(tx, services)?;
            let (n, told) = take_ruling(tx, services, given)?;
            let changes = changed(&before, &seen_by_all(tx, services)?);
            Ok(RulingTried { game: game.to_owned(), n, told, changes })
        })
    }

    /// Gives a seat to another player, or the same one another address. He is written to as if he had read nothing yet; letters
    /// of the player before him are good for nothing any more, since orders count from the new address alone. Before the game has begun
    /// this corrects an invitation; where it was answered already, the seat has joined and its words for luck stay. `shared`: he may have
    /// the address of another seat.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
    pub fn reseat(&mut self, game: &str, seat: Seat, who: &Invitee, shared: bool) -> Result<(), OfficeError> {
        self.change(game, |services, tx| {
            let Some(old) = tx.seats.player(seat).cloned() else {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            };
            check_name(&who.name)?;
            let others = tx.seats.players.iter().filter(|player| player.seat != seat);
            if others.into_iter().any(|other| look_the_same(&other.name, &who.name)) {
                return Err(Misuse::NameTaken { name: who.name.clone() }.into());
            }
            if let Some(held) = tx.seats.held_by(&who.address, seat).filter(|_| !shared) {
                return Err(Misuse::SharedAddress { address: who.address.clone(), held }.into());
            }
            let zone = who.zone.clone().or_else(|| old.zone.filter(|_| old.name == who.name));
            let check = who.sender_check.map(|check| Kept::SenderCheck(seat, check)).into_iter().collect();
            if tx.live.started.is_none() && !seats::has_joined(tx, seat) {
                return reseating::correct(tx, services, (seat, &who.name, &who.address, zone), check);
            }
            reseating::reseat(tx, services, (seat, &who.name, &who.address, zone), check, None)
        })
    }
}

/// Makes the lines of a ruling, whatever kind of effect it has; the number of its own, and how it is told.
fn take_ruling(
    tx: &mut Transaction,
    services: &Services,
    given: &RulingGiven,
) -> Result<(u64, Vec<String>), OfficeError> {
    if tx.live.closed {
        return Err(Misuse::OverRewindFirst.into());
    }
    let (by, text) = (one_line("the name of who rules", &given.by)?, one_line("a ruling", &given.text)?);
    let (effect, moved) = match clock::moving(tx, services, &given.effect)? {
        Some((effect, said)) => (effect, Some(said)),
        None => (given.effect.clone(), None),
    };
    let effect = Json::new(&effect).map_err(|why| Misuse::NotJson { why: why.to_string() })?;
    let (n, mut told) = tx.rule(services, Ruling { by: by.into(), text: text.into(), effect })?;
    told.extend(moved);
    Ok((n, told))
}
