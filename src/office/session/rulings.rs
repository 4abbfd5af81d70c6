//! A ruling takes effect.

use crate::{
    journal::Ruling,
    office::{error::OfficeError, misuse::Misuse, services::Services, session::GameSession},
    replay::LiveFault,
    table::{Refusal, Rejected},
};

impl GameSession {
    /// Does what a ruling says and makes its lines: the number of the ruling's, and how it is told.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the rules refuse it; no line has been made then.
    pub fn rule(&mut self, services: &Services, ruling: Ruling<'static>) -> Result<(u64, Vec<String>), OfficeError> {
        let n = self.next_line();
        let step = match self.live.rule(n, ruling) {
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
