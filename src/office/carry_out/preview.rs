//! `preview`: shows how orders would be understood, without carrying them out.

use crate::{
    carry_out::{
        order,
        trial::{self, Looked, Trial},
        work::Work,
    },
    error::{NotDone, OfficeError},
    game::Game,
    reading::{
        request::{Request, Standing},
        value::{Is, Reading},
    },
    services::Services,
    standing,
};
use postrider_letters::{Block, Section};
use postrider_table::{Understood, follows};

/// Shows how a mail's lines are read, and whether each order is legal after those before it. Rolls
/// no die and changes nothing.
pub(crate) fn preview(
    game: &mut Game,
    services: &Services,
    reading: &Reading,
    work: &mut Work<'_>,
) -> Result<(), OfficeError> {
    let seat = work.seat;
    let mut blocks = trial::in_trial(game, seat, |game, trial| looked_through(game, reading, work, trial))?;
    for line in &reading.lines {
        let Is::Command(Request::Standing(standing @ Standing::Leave { .. })) = &line.is else { continue };
        let says = match standing::would_have(game, services, seat, standing.clone()) {
            Ok(lines) => lines,
            Err(NotDone::Refused(failed)) => vec![failed.why],
            Err(NotDone::Error(why)) => return Err(why),
        };
        let says = says.iter().map(|line| game.seats.named(line)).collect();
        blocks.push(Block::Preview { pointed: vec![line.text.clone()], says });
    }
    if blocks.is_empty() {
        blocks.push(Block::paragraph("There was no order to look at.", 0));
    }
    work.reply.extra = vec![Section::paragraph("PREVIEW: nothing was done.")];
    work.reply.extra.extend(blocks.into_iter().map(|block| Section::of([block])));
    Ok(())
}

/// Previews the lines of a mail in sequence.
fn looked_through(
    game: &mut Game,
    reading: &Reading,
    work: &mut Work<'_>,
    trial: &mut Trial,
) -> Result<Vec<Block>, OfficeError> {
    let (mut out, mut last) = (Vec::new(), None);
    let mut left = reading.orders().count();
    for line in &reading.lines {
        match &line.is {
            Is::Unread(unread) => {
                out.push(Block::Preview { pointed: unread.pointed.clone(), says: vec![unread.why.clone()] });
            }
            Is::Message(_) => out.push(Block::Preview {
                pointed: vec![line.text.clone()],
                says: vec!["A message to others, which is not sent: this is a preview.".to_owned()],
            }),
            // The effect of a standing order is shown below.
            Is::Command(Request::Preview | Request::Standing(Standing::Leave { .. })) => {}
            Is::Command(_) => out.push(Block::Preview {
                pointed: vec![line.text.clone()],
                says: vec!["A command, which is not carried out: this is a preview.".to_owned()],
            }),
            _ => {}
        }
        for order in line.orders() {
            left -= 1;
            let follows = match order::at_its_turn(game, order, work) {
                Ok((understood, _)) => what_follows(game, &understood)?,
                Err(_) => None,
            };
            let Looked { pointed, mut says, illegal, ways } = trial::look_in_turn(game, order, work, trial)?;
            work.reply.ways.extend(ways);
            if illegal && left > 0 {
                says.push("What follows it would not be done.".to_owned());
            }
            // Shown once, with the last order that is understood.
            last = follows.map(|follows| (out.len(), follows)).or(last);
            out.push(Block::Preview { pointed, says });
        }
    }
    if let Some((at, follows)) = last
        && let Block::Preview { says, .. } = &mut out[at]
    {
        says.push(follows);
    }
    Ok(out)
}

/// Returns the question that usually follows an order, if the rules name one.
fn what_follows(game: &Game, understood: &Understood) -> Result<Option<String>, OfficeError> {
    let next = game.live.opened.ruleset.next();
    let kind = game.asked()?.into_iter().find(|asked| asked.id == understood.prompt);
    let follows = kind.and_then(|asked| follows(next, asked.kind, &understood.order));
    Ok(follows.map(|next| format!("Such an order is usually followed by: {next}.")))
}
