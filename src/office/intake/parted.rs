//! Lines of a mail that were joined, since they are as long as those that a program breaks, and are several all the same.
//!
//! The mail layer cannot know it: two orders a line each, of which the first is long, look like one that was broken. Here it is known
//! what they say. In doubt they stay one: half an order is worse than two that are taken for one, which is refused.

use super::{
    Access, From,
    clause::{Line, What},
    request::{Request, said},
    understand::Reading,
};
use crate::{
    mail::OrderLine,
    office::{error::OfficeError, services::Services, session::GameSession},
    orders::Phrase,
    table::Seat,
};

/// A head before a colon has so many words at most: `hq: …`, `defensive fire: …`.
const LONGEST_HEAD: usize = 3;

impl GameSession {
    /// The lines of a mail, numbered so that a number is left out where an empty line stands.
    pub(super) fn parted<'m>(
        &mut self,
        services: &Services,
        seat: Seat,
        lines: &'m [OrderLine],
        from: &From<'_>,
        access: Access,
    ) -> Result<Vec<Line<'m>>, OfficeError> {
        let context = match lines.iter().any(|line| !line.pieces.is_empty()) {
            true => Some(self.context(services, seat, from, access)?),
            false => None,
        };
        let mut numbered = Vec::with_capacity(lines.len());
        let mut no = 0;
        for line in lines {
            no += 1 + usize::from(line.after_blank);
            let several = match &context {
                Some(context) if !line.pieces.is_empty() => {
                    let mut stands = |text: &str| -> Result<bool, OfficeError> {
                        let plan = self.planned(seat, &[Line { text, no: 1 }], context)?;
                        Ok(match plan.into_iter().next() {
                            Some((_, What::Office(_))) => true,
                            Some((_, What::Orders(all))) => {
                                let order =
                                    |clause: &_| matches!(self.reading(seat, clause, context), Reading::Order(..));
                                !all.is_empty() && all.iter().all(order)
                            }
                            _ => false,
                        })
                    };
                    are_several(&line.text, &line.pieces, &mut stands)?
                }
                _ => false,
            };
            match several {
                true => {
                    numbered.extend((no..).zip(&line.pieces).map(|(no, text)| Line { text, no }));
                    no += line.pieces.len() - 1;
                }
                false => numbered.push(Line { text: &line.text, no }),
            }
        }
        Ok(numbered)
    }
}

/// Whether every piece of a joined line is a line of its own. `stands`: whether a text is an order, or a word to the office, as it is.
fn are_several<E>(whole: &str, pieces: &[String], stands: &mut impl FnMut(&str) -> Result<bool, E>) -> Result<bool, E> {
    let pairs = || pieces.iter().zip(pieces.iter().skip(1));
    if pairs().any(|(before, _)| is_open(before)) {
        return Ok(false);
    }
    if pairs().all(|(before, next)| begins_anew(before, next)) {
        return Ok(true);
    }
    if stands(whole)? {
        return Ok(false);
    }
    if pairs().all(|(before, next)| begins_anew(before, next) || begin_alike(before, next)) {
        return Ok(true);
    }
    for piece in pieces {
        if !stands(piece)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a line goes on in the next one: a list of pieces, of which a part may be an order too.
fn is_open(text: &str) -> bool {
    let last = Phrase::new(text).words().last().map(|word| word.text.clone()).unwrap_or_default();
    text.trim_end().ends_with([',', ':', '>', '-'])
        || ["and", "or", "with", "to", "at", "from", "in", "into", "of", "the", "on", "by", "via", "through", "against"]
            .contains(&last.as_str())
}

/// Whether a line begins another order whatever it says: it has a head as the one before it has, or it is a word by which nothing is
/// done.
fn begins_anew(before: &str, next: &str) -> bool {
    headed(before) && headed(next) || matches!(said(next), Request::Draft(_) | Request::Preview)
}

/// Whether two lines begin with the same word: `move …`, `move …`.
fn begin_alike(before: &str, next: &str) -> bool {
    let first = |text: &str| Phrase::new(text).words().first().map(|word| word.text.clone()).unwrap_or_default();
    first(before) == first(next) && first(next).chars().all(char::is_alphabetic) && first(next).len() > 2
}

/// Whether a line has a head: `mills: …`. What stands behind the head of a standing order may have a colon too.
fn headed(text: &str) -> bool {
    let Some((head, _)) = text.split_once(':') else { return false };
    let head = Phrase::new(head);
    let first = head.words().first().map_or("", |word| word.text.as_str());
    (1..=LONGEST_HEAD).contains(&head.words().len()) && !["standing", "next", "if", "when"].contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn several(pieces: &[&str], orders: &[&str]) -> bool {
        let pieces: Vec<String> = pieces.iter().map(|piece| (*piece).to_owned()).collect();
        let mut stands = |text: &str| Ok::<_, ()>(orders.contains(&text));
        are_several(&pieces.join(" "), &pieces, &mut stands).expect("nothing fails")
    }

    #[test]
    fn two_orders_are_parted_again_and_half_an_order_is_not() {
        let (one, other) = ("move 4 miami from whitewater to kekionga", "move 1 miami from kekionga");
        assert!(several(&[one, other], &[]));
        assert!(several(&["mills: 2405 > 2306 > 2307, fire h1", "hq: to 3110"], &[]));
        assert!(several(&["fire h5 at 2d", "defensive fire: done"], &["fire h5 at 2d", "defensive fire: done"]));
        assert!(several(&["fire h5 at 2d", "draft"], &[]));
        // A broken order.
        assert!(!several(&["move 4 miami from whitewater by the", "wabash headwaters to kekionga"], &[]));
        assert!(!several(&["standing event-choice: if attacked in", "utah: evade"], &[]));
        // A list whose parts are orders too.
        let list = ["miami 1 0809-0808, miami 2 0810-0809,", "miami 3 0811-0810"];
        assert!(!several(&list, &list));
        let alike = ["shawnee at s5 and shawnee at s1", "shawnee at s2"];
        assert!(!several(&alike, &["shawnee at s5 and shawnee at s1 shawnee at s2"]) && several(&alike, &[]));
        // As one it can be read.
        let whole = "raid utah with 3 war parties and raid arizona";
        assert!(!several(&["raid utah with 3 war parties", "and raid arizona"], &["and raid arizona", whole]));
        // One half can be read alone, and the other cannot.
        assert!(!several(&["raid utah with 3 war parties", "of arizona"], &["raid utah with 3 war parties"]));
    }
}
