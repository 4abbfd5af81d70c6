//! Words to the office, done: help, advice, settings of the player, standing orders, taking back.

use super::{
    From,
    request::{Request, Standing},
    work::Work,
};
use crate::{error::OfficeError, services::Services, session::Transaction};
use postrider_store::{Kept, Pace};

impl Transaction {
    /// Does what a line wants of the office.
    pub(super) fn fulfil(
        &mut self,
        services: &mut Services,
        (request, line, place): (Request, &str, usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        // What only looks is looked at once: it takes its time, and says the same.
        if request.only_looks() {
            if work.looked.contains(&request) {
                return Ok(());
            }
            work.looked.push(request.clone());
        }
        match request {
            Request::EvenIf(words) if work.turns.is_some() => {
                work.even_if = Some(words);
                Ok(())
            }
            _ => {
                self.leave_turns(services, work)?;
                match request {
                    Request::Back
                    | Request::Ahead(_)
                    | Request::Standing(Standing::Leave { .. } | Standing::End { .. } | Standing::Unclear)
                    | Request::EvenIf(_)
                    | Request::Pause => self.order_office(services, (request, line, place), work),
                    _ => self.tell_office(services, request, work),
                }
            }
        }
    }

    /// What is no order: it looks, or is a setting of its writer.
    fn tell_office(
        &mut self,
        services: &mut Services,
        request: Request,
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        let Work { seat, from, ref mut reply, .. } = *work;
        if let Some(pace) = set_in(&request, self.pace(seat)) {
            reply.notes.push(match request {
                Request::Advised(true) if self.advisor(services).is_none() => {
                    "There is no advice in this game.".to_owned()
                }
                _ => self.set_pace(seat, pace)?,
            });
            return Ok(());
        }
        match request {
            Request::Join { luck } => reply.notes.push(self.joining(services, seat, &luck, from)?),
            Request::Advice(wanted) => reply.extra.push(self.advice(services, seat, wanted)?),
            Request::Map => reply.extra.push(self.map_section(seat)?),
            Request::Status => {
                reply.status = true;
                if self.live.started.is_some() {
                    reply.notes.push(self.pace_in_words(seat));
                    reply.notes.extend(self.watched_in_words());
                }
            }
            Request::Away(words) => reply.notes.push(self.absence(services, seat, &words)?),
            Request::Zone(zone) => reply.notes.push(self.set_zone(seat, zone)?),
            Request::Hours(hours) => reply.notes.push(self.set_hours(services, seat, hours)?),
            Request::Watch => reply.notes.push(
                "To watch a game write `watch` and its name in a mail of its own, with nothing else; your own game you need not \
                 watch, and the host may have closed it to others."
                    .to_owned(),
            ),
            Request::Data => {
                reply.data = true;
                reply.notes.push(
                    "What is kept of you in this game goes along as the file my-data.json: it has your addresses and mails, so show it \
                     to nobody. When the game is over, or somebody else has your seat, the host can have you forgotten."
                        .to_owned(),
                );
            }
            Request::Stop => reply.notes.push(self.stop_waiting(seat)?),
            Request::NewToken => reply.notes.push(self.renewed(seat, from)?),
            Request::Address(wanted) => reply.notes.push(self.want_address(services, seat, &wanted, from)?),
            Request::Help { subject } => reply.extra.extend(self.help(services, subject.as_ref())?),
            Request::Standing(_) => reply.notes.extend(self.list_standing(seat)),
            Request::Boilerplate { forget } => {
                if forget {
                    self.keep(Kept::NoBoilerplate(seat))?;
                }
                reply.notes.extend(self.boilerplate_in_words(seat));
            }
            Request::Instead(instead) => reply.notes.push(instead.to_owned()),
            Request::Draft(_) => reply.notes.push("The game has not begun: there is no draft to keep.".to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// What counts among the orders of a mail: orders left for later, and what ends, takes back or halts orders. Behind an order
    /// that was not done nothing of it is done either.
    fn order_office(
        &mut self,
        services: &mut Services,
        (request, line, place): (Request, &str, usize),
        work: &mut Work<'_>,
    ) -> Result<(), OfficeError> {
        let (seat, from) = (work.seat, work.from);
        let counts = match &request {
            Request::Back => work.takes_back,
            Request::EvenIf(_) => work.barred.is_none(),
            _ => work.may_leave(),
        };
        if !counts {
            return Ok(());
        }
        work.report.total += 1;
        if work.report.failed.is_some() {
            work.report.left.push(line.to_owned());
            return Ok(());
        }
        let done = match request {
            Request::Back => return self.fulfil_back(services, line, work),
            Request::Ahead(orders) => self.look_ahead(services, seat, &orders, from, place),
            Request::Standing(standing) => self.stand(services, seat, standing, from, place),
            Request::EvenIf(words) => {
                let orders = vec![match words.as_str() {
                    "" => "whatever happens".to_owned(),
                    words => format!("even if {words}"),
                }];
                let kind = self.live.opened.ruleset.by_turns().first().map_or("", |rule| rule.kind).to_owned();
                let leave = Standing::Leave { kind, orders, always: false, name: String::new(), first: false };
                self.stand(services, seat, leave, from, place)
            }
            _ => self
                .pause(services, seat)
                .map(|()| "pause: your standing orders answer nothing in this Round until you answer again".to_owned()),
        };
        work.note(line, done)
    }

    /// Takes back what was done last.
    fn fulfil_back(&mut self, services: &mut Services, line: &str, work: &mut Work<'_>) -> Result<(), OfficeError> {
        let (seat, from, access) = (work.seat, work.from, work.access);
        if work.backs_before > 0 {
            work.backs_before -= 1;
            work.report.done.push("back".to_owned());
            return Ok(());
        }
        let mail = match from {
            From::Mail { hash, .. } => Some(*hash),
            From::Cli => None,
        };
        let done = self.take_back(services, seat, mail);
        work.note(line, done)?;
        // What it asked may be open again.
        work.barred = self.barred(seat, from, access)?;
        work.context = self.context(services, seat, from, access)?;
        Ok(())
    }
}

/// How its writer is written to, as this request changes it.
fn set_in(request: &Request, pace: Pace) -> Option<Pace> {
    Some(match *request {
        Request::Messages(messages) => Pace { messages, ..pace },
        Request::Digest(digest) => Pace { digest, ..pace },
        Request::Advised(advice) => Pace { advice: Some(advice), ..pace },
        Request::Confirm(confirm) => Pace { confirm, ..pace },
        Request::Delay(delay) => Pace { delay, ..pace },
        Request::Letters(letters) => Pace { letters, ..pace },
        _ => return None,
    })
}
