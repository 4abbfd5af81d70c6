//! A proposal said in the answer, and carried out when its reader says yes to that answer.
//!
//! A proposal is kept beside the journal, under the mail that it answers, before that answer goes out: a crash loses nothing, and
//! nobody but the host can make one. It names the question by its number and the order in words that the question reads as the same
//! order. `yes` counts in a mail of the same player that answers that letter, under the same rules as any order: his address, the
//! token of a question that is open. The mail that said yes is what the journal names, and its line.

use super::{
    From,
    progress::{Before, Progress},
    proposal::Proposal,
};
use crate::{
    letters::Failed,
    office::{
        error::{NotDone, OfficeError},
        services::Services,
        session::GameSession,
    },
    orders::Phrase,
    store::{Kept, Proposed},
    table::{PromptId, Seat},
};

impl GameSession {
    /// Carries out what a letter proposed and its reader has said yes to.
    pub(super) fn confirm(
        &mut self,
        services: &Services,
        seat: Seat,
        (yes, line): (&Phrase, &str),
        proposed: Proposed,
        from: &From<'_>,
        progress: &mut Progress,
    ) -> Result<(), OfficeError> {
        let plainly = yes.words().first().is_some_and(|word| word.text.starts_with("confirm"));
        if !plainly && self.reads_yes(seat, &proposed.orders) {
            progress.report.total += 1;
            let why = "This could answer the question itself, or confirm what that letter proposed. Please write `confirm`, or the \
                       order in words.";
            progress.fail(Failed { pointed: vec![line.to_owned()], why: why.to_owned() });
            self.block_first(seat, &mut progress.blocked)?;
            return Ok(());
        }
        for (prompt, words) in proposed.orders {
            progress.report.total += 1;
            let shown = self.seats.named(&words);
            if progress.report.failed.is_some() {
                progress.report.left.push(shown);
                continue;
            }
            if matches!(progress.was_done(self.words(seat, from, line), false), Before::Done) {
                progress.report.done.push(shown);
                continue;
            }
            let done = match self.read_at(seat, prompt, &Phrase::new(&words)) {
                Ok(understood) => self.carry_out(services, seat, (&understood, line), from).map(|()| shown.clone()),
                Err(_) => Err(NotDone::why("What that letter proposed is no longer asked.")),
            };
            progress.note(&shown, done)?;
            if progress.report.failed.is_some() {
                progress.blocked.add(prompt);
            }
        }
        Ok(())
    }

    /// Whether `yes` is an answer to an open question, and not the one that is proposed.
    pub(super) fn reads_yes(&mut self, seat: Seat, proposed: &[(PromptId, String)]) -> bool {
        let Ok(yes) = self.read(seat, &Phrase::new("yes")) else { return false };
        let same = |session: &mut GameSession, (prompt, words): &(PromptId, String)| {
            session.read_at(seat, *prompt, &Phrase::new(words)).is_ok_and(|read| read == yes)
        };
        !matches!(proposed, [one] if same(self, one))
    }

    /// What the letter that is answered proposed: found by the mail which that letter answered.
    pub(super) fn proposed_in(&self, seat: Seat, from: &From<'_>) -> Option<Proposed> {
        let From::Mail { mail, .. } = from else { return None };
        let start = format!("{}.{seat}.", self.game);
        let id = mail.in_reply_to.iter().chain(mail.references.iter().rev()).find(|id| id.starts_with(&start))?;
        let answered = id.split('@').next()?.rsplit('.').next()?.strip_prefix("re-")?;
        let mut all = self.secrets.proposed.iter().rev();
        all.find(|one| one.seat == seat && one.mail.hex().as_str().starts_with(answered)).cloned()
    }

    /// Keeps what the answer to this mail proposes, and says it.
    pub(super) fn propose(
        &mut self,
        seat: Seat,
        from: &From<'_>,
        proposals: &[Proposal],
    ) -> Result<Option<String>, OfficeError> {
        if proposals.is_empty() {
            return Ok(None);
        }
        let words: Vec<String> = proposals.iter().map(|one| self.seats.named(&one.words)).collect();
        let words = words.join("; then ");
        let From::Mail { hash, .. } = from else { return Ok(Some(format!("Read as: {words}."))) };
        let orders: Vec<_> = proposals.iter().map(|one| (one.prompt, one.words.clone())).collect();
        let yes = if self.reads_yes(seat, &orders) { "confirm" } else { "yes" };
        self.keep(Kept::Proposed(Proposed { seat, mail: *hash, orders }))?;
        let mut cautions = Vec::new();
        for (prompt, words) in proposals.iter().map(|one| (one.prompt, &one.words)) {
            if let Ok(understood) = self.read_at(seat, prompt, &Phrase::new(words)) {
                for said in self.cautions(&understood).into_iter().chain(self.dangers(&understood)) {
                    let said = format!(" {said}");
                    // What is a danger may be a caution too.
                    if !cautions.contains(&said) {
                        cautions.push(said);
                    }
                }
            }
        }
        Ok(Some(format!("Read as: {words}. Reply {yes}.{}", cautions.concat())))
    }
}
