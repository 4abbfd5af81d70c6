//! Rulings, given or tried.

use crate::{
    bug::Bug,
    error::OfficeError,
    game::{
        Game, clock,
        directors::{self, By, one_line},
    },
    misuse::Misuse,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::{Json, Ruling};
use postrider_letters::{View, text};
use serde::Serialize;
use serde_json::{Map, Value};

/// A ruling as requested.
#[derive(Clone, Debug)]
pub struct RulingGiven {
    /// The name of the person who rules.
    pub by: String,
    /// The ruling in words, for all players.
    pub text: String,
    /// The effect, an object that the game's rules understand; empty for a ruling in words only.
    pub effect: Value,
    /// The entry of the appeal that it answers.
    pub of: Option<u64>,
}

/// The effect of a ruling that was tried, not given.
#[derive(Clone, Debug, Serialize)]
pub struct RulingTried {
    /// The game.
    pub game: String,
    /// The number that its line would have.
    pub n: u64,
    /// The text that letters would have.
    pub told: Vec<String>,
    /// The lines of the public position that would change: `- ` before an old line, `+ ` before a
    /// new one.
    pub changes: Vec<String>,
}

/// Describes the effect of a ruling. The transaction must never be committed.
///
/// # Errors
/// Any that giving the ruling would return.
pub(crate) fn try_ruling(
    tx: &mut Transaction,
    services: &Services,
    given: &RulingGiven,
    words: Option<Hash>,
) -> Result<RulingTried, OfficeError> {
    if tx.live.started.is_none() {
        return Err(Misuse::NotBegun { game: tx.id.clone() }.into());
    }
    let before = seen_by_all(tx, services)?;
    let (n, told) = take_ruling(tx, services, given, words)?;
    let changes = changed(&before, &seen_by_all(tx, services)?);
    Ok(RulingTried { game: tx.id.clone(), n, told, changes })
}

/// Makes the lines of a ruling of any kind. Returns the number of its own line, and its text in
/// letters. `words` is the digest of the mail's line that gave it.
pub(crate) fn take_ruling(
    tx: &mut Transaction,
    services: &Services,
    given: &RulingGiven,
    words: Option<Hash>,
) -> Result<(u64, Vec<String>), OfficeError> {
    if tx.live.closed {
        return Err(Misuse::OverRewindFirst.into());
    }
    directors::check(tx, given.by.trim())?;
    if let Some(n) = given.of.filter(|n| !tx.live.motions.directors().is_appeal(*n)) {
        return Err(Misuse::NoAppeal { n, game: tx.id.clone() }.into());
    }
    let (by, text) = (one_line("the name of who rules", &given.by)?, one_line("a ruling", &given.text)?);
    let effect = lettered(tx, &given.effect);
    let (effect, moved) = match clock::moving(tx, services, &effect)? {
        Some((effect, said)) => (effect, Some(said)),
        None => (effect, None),
    };
    let effect = Json::new(&effect).map_err(|why| Misuse::NotJson { why: why.to_string() })?;
    let (via, words) = By { name: &by, words }.said(tx);
    let ruling = Ruling { of: given.of, via, words, ..Ruling::new(by, text, effect) };
    let (n, mut told) = tx.rule(services, ruling)?;
    told.extend(moved);
    Ok((n, told))
}

/// Replaces the name of a player by the letter of the seat.
fn lettered(game: &Game, effect: &Value) -> Value {
    let mut effect = effect.clone();
    for members in effect.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(Value::String(name)) = members.get_mut("seat")
            && let [seat] = game.seats.seats_named(name)[..]
        {
            game.live.seat_name(seat).clone_into(name);
        }
    }
    effect
}

/// Returns the public position in the lines of a letter, without alignment; empty before play
/// begins.
///
/// # Errors
/// [`OfficeError`] if the rules or the template fail.
fn seen_by_all(game: &Game, services: &Services) -> Result<Vec<String>, OfficeError> {
    let Some(dyn_game) = &game.live.dyn_game else { return Ok(Vec::new()) };
    let mut view = dyn_game.view(None)?;
    let ruleset = game.live.opened.ruleset;
    let blocks = services.letters.view(ruleset, &View::of(view.clone(), &game.seats))?;
    let text = if blocks.is_empty() {
        game.seats.name_all(&mut view);
        serde_json::to_string_pretty(&view).map_err(|why| Bug::NotJson { what: "a view", why })?
    } else {
        text::render(&blocks)
    };
    // A wider word moves all columns of a table; that is not a change of the position.
    Ok(text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect())
}

/// Returns the lines in which two texts differ, in order, with `-` before those of the first text
/// and `+` before those of the second.
fn changed(before: &[String], after: &[String]) -> Vec<String> {
    // The number of common lines of both texts from here on.
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
