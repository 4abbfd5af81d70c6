//! What follows of itself from what has just happened.

use super::{Reply, Transaction};
use crate::{error::OfficeError, services::Services};
use postrider_store::Kept;
use postrider_table::Seat;

impl Transaction {
    /// Has standing orders and bots answer what they can; says whether they answered anything.
    pub(crate) fn answer_of_itself(&mut self, services: &Services) -> Result<bool, OfficeError> {
        let before = self.next_line();
        // What one bot does may be what another, or a standing order, waited for.
        loop {
            self.use_standing(services)?;
            if !self.use_bots(services)? {
                return Ok(self.next_line() > before);
            }
        }
    }

    /// Everything that follows of itself: the game begins when all have joined, standing orders answer what they can, the
    /// lines are appended, and the letters that are due are in the outbox when this returns. Doing it again changes nothing.
    pub fn run_pending(&mut self, services: &Services, reply: Option<(Seat, Reply)>) -> Result<(), OfficeError> {
        if self.live.started.is_none() && !self.live.closed && self.live.joined.iter().all(Option::is_some) {
            let n = self.next_line();
            let step = self.live.start(n)?;
            for body in &step.bodies {
                self.line(services, body)?;
            }
        }
        self.seat_stand_ins(services)?;
        self.answer_of_itself(services)?;
        if self.live.closed {
            // Nothing of a game that is over need stay hidden; with this all of it can be proved.
            let sealed: Vec<u64> = self.facts.standing.iter().chain(&self.facts.forgotten).map(|one| one.n).collect();
            for n in sealed {
                self.unseal(services, n)?;
            }
        }
        let goes_on = self.rest_for_the_away(services)?;
        self.append(reply.as_ref().map(|(seat, reply)| (*seat, reply.mail)))?;
        if goes_on {
            self.keep(Kept::Rests(false))?;
        }
        self.notify(services, reply)
    }
}
