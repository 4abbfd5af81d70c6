//! Plans for a Round to come: orders that are sealed one by one, given one after the other, and dropped as soon as one does not fit.

use super::{
    Game, Transaction,
    fitting::Fitting,
    queue::{Planned, Queue},
    refusal,
};
use crate::{
    error::{NotDone, OfficeError},
    services::Services,
};
use postrider_journal::Via;
use postrider_replay::LiveFault;
use postrider_store::Draft;
use postrider_table::{Asked, Seat};
use std::collections::BTreeSet;

/// A plan that has not begun is dropped when so many Turns have begun since it was left.
const TURNS: u64 = 2;

impl Game {
    /// What is left of a seat's plan, in its order: n of each line, and the order.
    pub(crate) fn plan_of(&self, seat: Seat) -> Vec<(u64, Planned, String)> {
        let order = |(n, queue): (u64, Queue)| Some((n, queue.plan?, queue.orders.into_iter().next()?));
        let mut plan: Vec<_> = self.all_standing(seat).into_iter().filter_map(order).collect();
        plan.sort_by_key(|(_, planned, _)| planned.place);
        plan
    }

    /// The lines of a seat's draft, which nobody has carried out.
    pub(crate) fn draft(&self, seat: Seat) -> &[String] {
        self.secrets.drafts.get(&seat).map_or(&[], Draft::now)
    }
}

impl Transaction {
    /// Keeps orders for the next Round in which the first of them answers what the seat is asked. They take the place of an earlier plan;
    /// none at all end it.
    pub(crate) fn plan_ahead(
        &mut self,
        services: &mut Services,
        seat: Seat,
        orders: &[String],
        from: &str,
    ) -> Result<(), NotDone> {
        for (n, ..) in self.plan_of(seat) {
            self.unseal(services, n)?;
        }
        let (left_in, turn) = (self.place(), self.live.marks.last().map_or(0, |mark| mark.turn));
        for (place, order) in (0..).zip(orders) {
            let plan = Some(Planned { place, left_in: left_in.clone(), turn });
            let queue = Queue { orders: vec![order.clone()], from: from.to_owned(), plan, ..Queue::default() };
            self.seal(services, seat, &queue)?;
        }
        Ok(())
    }

    /// Answers a question by the next order of a plan, if that is an answer to it; says whether anything was done. An order that the rules
    /// refuse ends the plan, and the question is asked.
    pub(super) fn go_on_with_plan(&mut self, services: &Services, asked: &Asked) -> Result<bool, OfficeError> {
        let seat = asked.seat;
        let Some((n, planned, order)) = self.plan_of(seat).into_iter().next() else { return Ok(false) };
        if planned.place == 0 && planned.left_in == self.place() {
            return Ok(false);
        }
        let Fitting::Order(understood) = self.fitting(services, asked, &order) else { return Ok(false) };
        match self.decide(services, seat, &understood, Via::Standing, None) {
            Ok(()) => self.unseal(services, n)?,
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                let why = format!("\"{order}\" could not be carried out. {}", refusal(&why, "-"));
                self.drop_plan(services, seat, &why)?;
            }
            Err(other) => return Err(other),
        }
        Ok(true)
    }

    /// Drops plans whose Round is over, and those that never began.
    pub(super) fn drop_plans(&mut self, services: &Services) -> Result<(), OfficeError> {
        let Some(mark) = self.live.marks.last().map(|mark| (mark.n, mark.turn)) else { return Ok(()) };
        let seats: BTreeSet<Seat> = self.facts.standing.iter().map(|one| one.seat).collect();
        for seat in seats {
            let Some((_, planned, _)) = self.plan_of(seat).into_iter().next() else { continue };
            let begun = planned.place > 0;
            if begun && self.facts.last_use(seat) < Some(mark.0) {
                self.drop_plan(services, seat, "Its Round is over.")?;
            } else if !begun && mark.1 >= planned.turn + TURNS {
                self.drop_plan(services, seat, "It was not begun by the end of the next Turn.")?;
            }
        }
        Ok(())
    }

    fn drop_plan(&mut self, services: &Services, seat: Seat, why: &str) -> Result<(), OfficeError> {
        let plan = self.plan_of(seat);
        let orders: Vec<String> = plan.iter().map(|(.., order)| order.clone()).collect();
        for (n, ..) in plan {
            self.unseal(services, n)?;
        }
        self.notes.push((seat, format!("What was left of your plan is dropped: \"{}\". {why}", orders.join("; "))));
        Ok(())
    }
}
