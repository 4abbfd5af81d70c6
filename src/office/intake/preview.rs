//! How orders would be understood, one after the other, without anything being done.

use super::{
    reading::{Is, Order, Reading},
    request::{Request, Standing},
    trial::{Looked, Trial},
    work::Work,
};
use crate::{
    letters::{Block, Section},
    office::{
        error::{NotDone, OfficeError},
        services::Services,
        session::GameSession,
    },
    table::{Understood, follows},
};

impl GameSession {
    /// Says how the lines of a mail are read, and whether each order is legal behind those before it. Rolls no die and changes
    /// nothing.
    pub(super) fn preview(
        &mut self,
        services: &Services,
        reading: &Reading,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        let mut out = vec![Section::paragraph("PREVIEW: nothing was done.")];
        let orders: Vec<Order> = reading.orders().cloned().collect();
        let seat = work.seat;
        out.extend(self.in_trial(seat, |session, trial| session.looked_through(&orders, work, trial))?);
        for line in &reading.lines {
            let says = match &line.is {
                Is::Unread(unread) => Block::Preview { pointed: unread.pointed.clone(), says: vec![unread.why.clone()] },
                Is::Command(Request::Standing(standing @ Standing::Leave { .. })) => {
                    let says = match self.would_have(services, seat, standing.clone()) {
                        Ok(lines) => lines,
                        Err(NotDone::Refused(failed)) => vec![failed.why],
                        Err(NotDone::Error(why)) => return Err(why),
                    };
                    let says = says.iter().map(|line| self.seats.named(line)).collect();
                    Block::Preview { pointed: vec![line.text.clone()], says }
                }
                Is::Message(_) => Block::Preview {
                    pointed: vec![line.text.clone()],
                    says: vec!["A message to others, which is not sent: this is a preview.".to_owned()],
                },
                _ => continue,
            };
            out.push(Section::of([says]));
        }
        if out.len() == 1 {
            out.push(Section::paragraph("There was no order to look at."));
        }
        work.reply.extra = out;
        Ok(())
    }

    /// These orders, looked at one after the other.
    fn looked_through(
        &mut self,
        orders: &[Order],
        work: &mut Work<'_>,
        trial: &mut Trial,
    ) -> Result<Vec<Section>, OfficeError> {
        let (mut out, mut last) = (Vec::new(), None);
        for (at, order) in orders.iter().enumerate() {
            let follows = match self.at_its_turn(order, work) {
                Ok((understood, _)) => self.what_follows(&understood)?,
                Err(_) => None,
            };
            let Looked { pointed, mut says, illegal, ways, .. } = self.look_in_turn(order, work, trial)?;
            work.reply.ways.extend(ways);
            if illegal && at + 1 < orders.len() {
                says.push("What comes behind it would not be done.".to_owned());
            }
            out.push(Block::Preview { pointed, says });
            // It is said once, of the last order that is understood.
            last = follows.map(|follows| (at, follows)).or(last);
        }
        if let Some((at, follows)) = last
            && let Block::Preview { says, .. } = &mut out[at]
        {
            says.push(follows);
        }
        Ok(out.into_iter().map(|block| Section::of([block])).collect())
    }

    /// What is asked behind an order, if the rules say it.
    fn what_follows(&mut self, understood: &Understood) -> Result<Option<String>, OfficeError> {
        let next = self.live.opened.ruleset.next();
        let kind = self.asked()?.into_iter().find(|asked| asked.id == understood.prompt);
        let follows = kind.and_then(|asked| follows(next, asked.kind, &understood.order));
        Ok(follows.map(|next| format!("What is mostly asked after such an order: {next}.")))
    }
}
