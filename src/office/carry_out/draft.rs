//! Drafts: orders that a player collects over several mails and sends when ready.
//!
//! A mail with `draft` only changes the draft; the answer shows how each line is read in the
//! present position. `send` reads and carries out the draft's lines as if they had been in that
//! mail. Lines that were not carried out stay in the draft.

use crate::{
    carry_out::{
        trial::{self, Looked},
        work::Work,
    },
    error::OfficeError,
    game::{Game, draft::draft_for},
    reading::{
        Origin,
        read::Reader,
        request::{Drafted, MOST_DRAFTED, Request},
        value::{By, Is, Label, Order, ReadLine, Reading},
    },
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_letters::{Block, Section};
use postrider_store::{Draft, Kept};

/// Returns the draft's lines after a mail's changes.
fn changed_draft(game: &Game, reading: &Reading, work: &mut Work<'_>) -> Vec<String> {
    // Numbers refer to the draft as last shown.
    let mut lines: Vec<Option<String>> = game.draft(work.seat).iter().cloned().map(Some).collect();
    let mut added = Vec::new();
    for line in &reading.lines {
        match &line.is {
            Is::Nothing | Is::Command(Request::Draft(Drafted::Orders)) => {}
            Is::Draft(_) => work.reply.notes.push(
                "Nothing was sent, because `draft` is in the same mail: write `send` in a mail of its own.".to_owned(),
            ),
            Is::Orders(_) | Is::Unread(_) => added.extend(draft_lines(game, line, work)),
            Is::Command(Request::Draft(Drafted::Add(text))) => added.extend(read_for_draft(game, text, work)),
            Is::Command(Request::Draft(Drafted::Put(at, text))) => {
                let mut new = read_for_draft(game, text, work);
                match (lines.get_mut(at - 1), new.len()) {
                    (_, 0) => {}
                    (Some(place), 1) => *place = new.pop(),
                    (Some(_), _) => work.reply.notes.push(format!(
                        "Line {at} of your draft stays as it is: what follows the colon is more than one order."
                    )),
                    (None, _) => work.reply.notes.push(no_line(*at, lines.len())),
                }
            }
            Is::Command(Request::Draft(Drafted::Drop(all))) => {
                for &at in all {
                    match lines.get_mut(at - 1) {
                        Some(place) => *place = None,
                        None => work.reply.notes.push(no_line(at, lines.len())),
                    }
                }
            }
            Is::Command(Request::Draft(Drafted::End)) => lines.clear(),
            Is::Command(_) | Is::Message(_) | Is::Confirmed(_) | Is::Withdrawn => work.reply.notes.push(format!(
                "\"{}\" was not done: a mail with `draft` changes the draft and does nothing else. Please write it in another mail.",
                line.text
            )),
        }
    }
    let mut lines: Vec<String> = lines.into_iter().flatten().chain(added).collect();
    if lines.len() > MOST_DRAFTED {
        work.reply.notes.push(format!(
            "A draft has {MOST_DRAFTED} lines at most: the last {} were left out.",
            lines.len() - MOST_DRAFTED
        ));
        lines.truncate(MOST_DRAFTED);
    }
    lines
}

fn read_for_draft(game: &Game, text: &str, work: &mut Work<'_>) -> Vec<String> {
    let is = Reader::new(game, work.seat, &work.context).line(text);
    draft_lines(game, &ReadLine { text: text.to_owned(), is }, work)
}

/// Returns the draft lines for a line of a mail. Letters of options are replaced by the options'
/// words, because the next letter lists others.
fn draft_lines(game: &Game, line: &ReadLine, work: &mut Work<'_>) -> Vec<String> {
    let orders = match &line.is {
        Is::Orders(orders) => orders,
        Is::Unread(unread) => {
            work.reply.notes.push(format!("Not added to your draft: \"{}\". {}", line.text, unread.why));
            return Vec::new();
        }
        _ => {
            work.reply.notes.push(format!("Not added to your draft, because it is not an order: \"{}\".", line.text));
            return Vec::new();
        }
    };
    let points = |order: &crate::reading::value::Order| {
        matches!(order.by, By::Listed(..)) || matches!(order.label, Some(Label::Number(_)))
    };
    if !orders.iter().any(points) {
        return vec![line.text.trim().to_owned()];
    }
    let mut lines = Vec::new();
    for order in orders {
        let own = order.understood().filter(|_| points(order)).and_then(|understood| {
            game.live.dyn_game.as_ref().and_then(|game| game.say(understood.prompt, &understood.order))
        });
        lines.push(own.unwrap_or_else(|| order.shown()));
    }
    lines
}

/// Shows the draft with line numbers, and how each line would be understood after those before it.
fn shown_draft(game: &mut Game, work: &mut Work<'_>) -> Result<Vec<Section>, OfficeError> {
    let lines = game.draft(work.seat).to_vec();
    if lines.is_empty() {
        return Ok(vec![Section::paragraph(
            "YOUR DRAFT is empty. To put orders into it write `draft` on a line of its own, and the orders below.",
        )]);
    }
    let mut out = vec![Section::paragraph(
        "YOUR DRAFT: nothing was done. `send` carries it out, `draft drop 2` takes line 2 away, `draft 2: …` puts another order in its \
         place, and `draft end` ends it.",
    )];
    let read = Reader::new(game, work.seat, &work.context).lines(lines.iter().map(String::as_str));
    let seat = work.seat;
    out.extend(trial::in_trial(game, seat, |game, trial| {
        let mut out = Vec::new();
        for (number, line) in (1..).zip(&read) {
            let number = format!("{number}. ");
            let (mut pointed, mut says) = (vec![format!("{number}{}", line.text)], Vec::new());
            if let Is::Unread(unread) = &line.is {
                let blank = " ".repeat(number.len());
                let before = std::iter::once(number.clone()).chain(std::iter::repeat(blank));
                pointed = before.zip(&unread.pointed).map(|(before, line)| before + line).collect();
                says.push(unread.why.clone());
            }
            for order in line.orders() {
                let Looked { says: said, ways, .. } = trial::look_in_turn(game, order, work, trial)?;
                says.extend(said);
                work.reply.ways.extend(ways);
            }
            out.push(Section::of([Block::Preview { pointed, says }]));
        }
        Ok(out)
    })?);
    Ok(out)
}

/// Changes the draft according to the lines of a mail, and shows it.
pub(crate) fn change_draft(tx: &mut Transaction, reading: &Reading, work: &mut Work<'_>) -> Result<(), OfficeError> {
    if tx.live.closed {
        work.reply.notes.push("The game is over: there is no draft to keep.".to_owned());
        return Ok(());
    }
    let (seat, by) = (work.seat, hash_of(work.from));
    let again = by.is_some() && tx.secrets.drafts.get(&seat).is_some_and(|draft| draft.by == by);
    if !again {
        let lines = changed_draft(tx, reading, work);
        if lines != tx.draft(seat) {
            tx.keep(Kept::Draft(seat, Draft { lines, by, left: None }))?;
        }
    }
    work.reply.extra = shown_draft(tx, work)?;
    Ok(())
}

fn hash_of(from: &Origin<'_>) -> Option<Hash> {
    match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    }
}

fn no_line(at: usize, lines: usize) -> String {
    match lines {
        0 => format!("There is no line {at}: your draft is empty."),
        _ => format!("There is no line {at}: your draft has {lines}."),
    }
}

/// Returns the rest of a draft's line after `done` of its `total` orders.
pub(crate) fn left_of(line: &ReadLine, done: usize, total: usize) -> Vec<String> {
    match done {
        0 => vec![line.text.clone()],
        done if done < total => line.orders().skip(done).map(Order::shown).collect(),
        _ => Vec::new(),
    }
}

/// Keeps the orders in the draft that were not carried out.
pub(crate) fn keep_left(tx: &mut Transaction, work: &mut Work<'_>, left: Vec<String>) -> Result<(), OfficeError> {
    let by = hash_of(work.from);
    let lines = draft_for(tx, work.seat, by);
    if lines.is_empty() {
        work.reply.notes.push("Your draft is empty: nothing was sent.".to_owned());
        return Ok(());
    }
    Ok(tx.keep(Kept::Draft(work.seat, Draft { lines, by, left: Some(left) }))?)
}
