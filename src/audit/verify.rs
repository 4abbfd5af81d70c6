//! The check of a journal by section 9 of the format, from the first line to the grade of every
//! claim.
//!
//! Lines are read once and in order. Each is checked, replayed, and compared with the mails. Memory
//! use depends on the number of hidden secrets and of mails, not on the length of the journal.

pub use super::{
    claim::{Claim, Contradiction, Grade},
    report::{NamedRules, Report},
};
use super::{
    claim::{REPLAY, name},
    evidence::Evidence,
    receipts::Witness,
    report::quote,
    times::Times,
};
use postrider_journal::{Body, Checked, Checker, LinesFault, Step};
use postrider_replay::{Catalog, Replay, ReplayFault, Replayed, Source};
use std::io;

/// Verifies a journal alone. After each line, calls `tick` with the number of bytes read, for a
/// progress bar.
///
/// To check saved mails against the journal, use [`verify_with`].
///
/// # Errors
/// Returns an error if the journal cannot be read at all.
pub fn verify(source: &Source, catalog: &Catalog, tick: impl FnMut(u64)) -> io::Result<Report> {
    verify_with(Checker::new(), &Evidence::default(), source, catalog, tick)
}

/// Verifies a journal as [`verify`] does, with the evidence of mails, and with a given checker for
/// steps 1 to 7, which must be unused. If the checker expects a key, mails are judged by that key,
/// otherwise by the key in `opened`.
///
/// # Errors
/// Returns an error if the journal cannot be read at all.
pub fn verify_with(
    mut checker: Checker,
    evidence: &Evidence,
    source: &Source,
    catalog: &Catalog,
    mut tick: impl FnMut(u64),
) -> io::Result<Report> {
    let (mut contradictions, mut rules) = (Vec::new(), None);
    let mut replay = Judge::new(Replay::of_all(source, catalog, &[], None));
    let mut times = Times::beside(evidence);
    let mut witness = Witness::new(evidence, checker.expected_key());
    let mut lines = source.lines()?;
    let mut bytes = 0;
    let whole = loop {
        let text = match lines.next_line() {
            Ok(Some(text)) => text,
            Ok(None) => break true,
            Err(LinesFault::Io { error, .. }) => return Err(error),
            Err(fault @ (LinesFault::TooLong { n } | LinesFault::Torn { n, .. })) => {
                let step = Step::Lines as u8;
                let (what, line) = (fault.to_string(), n + 1);
                contradictions.push(Contradiction { line, step, what, contradicts: None, right: None });
                break false;
            }
        };
        bytes += text.len() as u64 + 1;
        tick(bytes);
        match checker.feed(text) {
            Ok(checked) => {
                if let Body::Opened(opened) = &checked.body {
                    let (name, version) = (opened.ruleset.name.to_string(), opened.ruleset.version);
                    rules = Some(NamedRules { name, version, components: opened.ruleset.components });
                }
                witness.hear(&checked);
                times.hear(&checked);
                replay.feed(&checked)?;
                times.wrong(replay.take_wrong_times());
            }
            Err(fault) => {
                contradictions.push(Contradiction::from(&fault));
                break false;
            }
        }
    };
    if whole {
        replay.end()?;
    }
    let damage = contradictions.first().map(|bad: &Contradiction| cut_short(bad));
    contradictions.extend(replay.contradiction.take());
    let found = checker.finish();
    let mut claims: Vec<Claim> = (found.steps.into_iter())
        .map(|claim| Claim {
            step: claim.step as u8,
            name: name(claim.step as u8),
            grade: Grade::ProvedByJournal,
            proved: claim.proved,
            unproved: claim.unproved.iter().map(ToString::to_string).collect(),
            notes: claim.notes.iter().map(ToString::to_string).collect(),
        })
        .collect();
    let replayed = replay.open.is_empty() && !contradictions.iter().any(|bad| bad.step == REPLAY);
    claims.push(replay.claim());
    for claim in &mut claims {
        if let (Some(damage), true) = (&damage, claim.unproved.is_empty()) {
            claim.unproved.push(damage.clone());
        }
        claim.grade = match contradictions.iter().any(|bad| bad.step == claim.step) {
            true => Grade::Contradicted,
            // A file without a valid line proves nothing.
            false if claim.unproved.is_empty() && found.lines == 0 => Grade::NotJudged,
            false if !claim.unproved.is_empty() => Grade::Unproved,
            false if found.chosen && [Step::Dice as u8, Step::Decks as u8].contains(&claim.step) => {
                Grade::OperatorsChoice
            }
            false => Grade::ProvedByJournal,
        };
    }
    let (claim, against, receipts) = witness.judge(found.lines, whole);
    claims.push(claim);
    contradictions.extend(against);
    let (claim, against) = times.judge(found.lines, damage.as_deref(), replayed, receipts.as_ref());
    claims.push(claim);
    contradictions.extend(against);
    contradictions.sort_by_key(|bad| bad.line);
    let open = claims.iter().any(|claim| claim.grade == Grade::Unproved);
    let status = if !contradictions.is_empty() { 1 } else { 2 * u8::from(open) };
    let (operator_seats, game, lines, head) = (found.operator_seats, found.game, found.lines, found.head);
    let quote = quote(&game, lines, &head, &claims, &contradictions);
    Ok(Report { operator_seats, game, rules, lines, head, status, quote, claims, contradictions, receipts, sent: None })
}

/// Describes the consequence of damage for a claim. The damage itself is reported only once.
fn cut_short(bad: &Contradiction) -> String {
    let before = match bad.line {
        1 => "no entry was judged".to_owned(),
        2 => "only entry 0 was judged".to_owned(),
        line => format!("only entries 0 to {} were judged", line - 2),
    };
    format!("{before}: entry {} is damaged, step {} ({})", bad.line - 1, bad.step, name(bad.step))
}

/// The state of step 8 while the journal is read.
struct Judge<'s> {
    /// The replay, until it fails.
    replay: Option<Replay<'s>>,
    counts: Replayed,
    open: Vec<String>,
    contradiction: Option<Contradiction>,
    /// The `n` of each ruling without an effect.
    words_only: Vec<u64>,
}

impl<'s> Judge<'s> {
    fn new(replay: Result<Replay<'s>, ReplayFault>) -> Self {
        let mut judge = Judge {
            replay: None,
            counts: Replayed::default(),
            open: Vec::new(),
            contradiction: None,
            words_only: Vec::new(),
        };
        match replay {
            Ok(replay) => judge.replay = Some(replay),
            Err(fault) => judge.open.push(fault.to_string()),
        }
        judge
    }
    fn feed(&mut self, checked: &Checked<'_>) -> io::Result<()> {
        let n = checked.line.n;
        if let Body::Ruling(ruling) = &checked.body
            && ruling.effect.get() == "{}"
        {
            self.words_only.push(n);
        }
        let Some(replay) = &mut self.replay else { return Ok(()) };
        let result = replay.feed(checked);
        self.counts = replay.counts();
        result.or_else(|fault| self.stop(fault))
    }
    fn take_wrong_times(&mut self) -> Vec<(u64, String)> {
        self.replay.as_mut().map(Replay::take_wrong_times).unwrap_or_default()
    }
    fn end(&mut self) -> io::Result<()> {
        let Some(replay) = &mut self.replay else { return Ok(()) };
        let result = replay.end();
        self.counts = replay.counts();
        result.or_else(|fault| self.stop(fault))
    }
    /// Records a fault that stops the replay.
    fn stop(&mut self, fault: ReplayFault) -> io::Result<()> {
        self.replay = None;
        match fault {
            ReplayFault::Io(error) => return Err(error),
            ReplayFault::Differs { n, cause, what } => {
                let contradicts = Some(cause + 1).filter(|_| cause != n);
                let what = what.to_string();
                self.contradiction =
                    Some(Contradiction { line: n + 1, step: REPLAY, what, contradicts, right: None });
            }
            ReplayFault::Hidden { n, deck, epoch } => self.open.push(format!(
                "everything from entry {n} on: it needs the order of deck {deck}, epoch {epoch}, which is not revealed yet"
            )),
            ReplayFault::Catalog(why) => self.open.push(format!("everything: {why}")),
            other => self.open.push(other.to_string()),
        }
        Ok(())
    }
    fn claim(self) -> Claim {
        let Judge { counts, open: unproved, words_only, .. } = self;
        let note = |n: u64| format!("the ruling in entry {n} is in words alone: it changes nothing of the position");
        let notes = words_only.into_iter().map(note).collect();
        let proved = [("steps", counts.steps), ("derived", counts.derived), ("digests", counts.digests)].into();
        Claim { step: REPLAY, name: name(REPLAY), grade: Grade::ProvedByJournal, proved, unproved, notes }
    }
}
