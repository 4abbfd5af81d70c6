//! A ruling takes effect.

use crate::{
    bug::Bug,
    error::OfficeError,
    misuse::Misuse,
    services::Services,
    session::{Game, Transaction},
};
use postrider_journal::Ruling;
use postrider_letters::{View, text};
use postrider_replay::LiveFault;
use postrider_table::{Refusal, Rejected, mended};

impl Game {
    /// The position as everybody may see it, in the lines that letters have for it; empty before play begins.
    ///
    /// # Errors
    /// [`OfficeError`] when the rules or the template break down.
    pub fn seen_by_all(&mut self, services: &Services) -> Result<Vec<String>, OfficeError> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Ok(Vec::new()) };
        let mut view = dyn_game.view(None)?;
        let ruleset = self.live.opened.ruleset;
        let blocks = services.letters.view(ruleset, &View::of(view.clone(), &self.seats))?;
        let text = if blocks.is_empty() {
            self.seats.name_all(&mut view);
            serde_json::to_string_pretty(&view).map_err(|why| Bug::NotJson { what: "a view", why })?
        } else {
            text::render(&blocks)
        };
        Ok(text.lines().map(str::to_owned).collect())
    }
}

impl Transaction {
    /// Does what a ruling says and makes its lines: the number of the ruling's, and how it is told.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the rules refuse it, or when they had to guess which thing a name means: a player sees by the answer
    /// what his order was taken for and has `back`, a ruling stands at once for all. No line has been made then.
    pub fn rule(&mut self, services: &Services, ruling: Ruling<'static>) -> Result<(u64, Vec<String>), OfficeError> {
        let n = self.next_line();
        let (ruled, mended) = mended(|| self.live.rule(n, ruling));
        let step = match ruled {
            Ok(_) if !mended.is_empty() => return Err(Misuse::RulingMended { mended }.into()),
            Ok(step) => step,
            Err(LiveFault::Rejected(Rejected::Refused(Refusal { rule, why }))) => {
                let by = if rule == "-" { String::new() } else { format!(" (rule {rule})") };
                return Err(Misuse::RulingRefused { why: self.seats.named(&format!("{why}{by}")) }.into());
            }
            Err(LiveFault::Rejected(Rejected::Over)) => {
                return Err(Misuse::OverRewindFirst.into());
            }
            Err(other) => return Err(other.into()),
        };
        for body in &step.bodies {
            self.line(services, body)?;
        }
        Ok((n, step.told.iter().map(|told| self.seats.named(&told.line)).collect()))
    }
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
