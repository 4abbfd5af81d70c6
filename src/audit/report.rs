//! The report of a check: claims with their grades, contradictions, and the results of mails.

use super::{
    claim::{Claim, Contradiction, Grade, RECEIPTS, REPLAY},
    judged::Judged,
    sent::Sent,
};
use postrider_dice::Hash;
use postrider_journal::entry_in_file;
use postrider_orders::list_and;
use serde::Serialize;
use std::fmt;

/// The rules that a journal names in its first line. It is always replayed with these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedRules {
    /// The ruleset's name.
    pub name: String,
    /// Its version.
    pub version: u64,
    /// SHA-256 of the component file.
    pub components: Hash,
}

impl fmt::Display for NamedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version {}, component file {}", self.name, self.version, self.components)
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The seats that the operator plays, who can foresee dice and see hands.
    pub operator_seats: Vec<String>,
    /// The game's id; "" if not even the first line could be read.
    pub game: String,
    /// The rules of the game; `None` if the first line does not name them.
    pub rules: Option<NamedRules>,
    /// The number of lines before any damage.
    pub lines: u64,
    /// The hash of the last valid line.
    pub head: Hash,
    /// The exit status: 0 if all is proved, 1 for a contradiction, 2 if something is unproved.
    pub status: u8,
    /// The outcome in one quotable line: the first contradiction, or that there is none.
    pub quote: String,
    /// The claims, one for each step of section 9.
    pub claims: Vec<Claim>,
    /// The contradictions in the order of their lines. Each of steps 1 to 8 stops at its first
    /// contradiction.
    pub contradictions: Vec<Contradiction>,
    /// The results of mails, if some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Judged>,
    /// The comparison with a player's sent mails, if they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
}

fn counted(lines: u64) -> String {
    format!("{lines} {}", if lines == 1 { "line" } else { "lines" })
}

/// Returns the outcome in one line.
pub fn quote(game: &str, lines: u64, head: &Hash, claims: &[Claim], contradictions: &[Contradiction]) -> String {
    let open: Vec<String> =
        claims.iter().filter(|claim| claim.grade == Grade::Unproved).map(|claim| claim.name.to_owned()).collect();
    let game = if game.is_empty() { "a journal" } else { game };
    match contradictions.first() {
        Some(first) => format!("CONTRADICTION in {game}, {first}"),
        None if open.is_empty() => {
            let chosen = claims.iter().any(|claim| claim.grade == Grade::OperatorsChoice);
            let but = if chosen { "; but the operator could choose the dice before the game began" } else { "" };
            // Until letters attest them, the writer of the journal can change these.
            let without = claims.iter().any(|claim| claim.step == RECEIPTS && claim.grade == Grade::NotJudged);
            let alone = match without {
                true => "; no letter was given: times, authors and texts are the operator's word",
                false => "",
            };
            format!("ALL PROVED in {game}, {}, head {head}{but}{alone}", counted(lines))
        }
        None => {
            format!("NO CONTRADICTION in {game}, {}, head {head}; unproved: {}", counted(lines), list_and(&open))
        }
    }
}

impl Report {
    /// Describes the consequence of damage: no line after it was judged.
    fn what_follows_from_damage(&self) -> Option<String> {
        let bad = self.contradictions.iter().find(|bad| bad.step < REPLAY && bad.line == self.lines + 1)?;
        let before = match self.lines {
            0 => "Nothing of this file is proved".to_owned(),
            1 => "The claims below cover only entry 0".to_owned(),
            lines => format!("The claims below cover only entries 0 to {}", lines - 1),
        };
        Some(format!(
            "Entry {} is damaged or was changed. {before}. Another copy of this journal, from any player, may be intact; \
             `postrider compare` shows where two copies differ.",
            bad.line - 1
        ))
    }
}

impl Report {
    /// Adds the comparison with a player's sent mails. Orders that are missing there are no
    /// contradiction, but they make the report unproved.
    #[must_use]
    pub fn with_sent(self, mut sent: Sent) -> Report {
        // The comparison itself reports contradictions of earlier steps.
        if let Some(bad) = self.contradictions.iter().find(|bad| bad.step >= REPLAY) {
            let place = entry_in_file(bad.line.saturating_sub(1));
            sent.quote += &format!("; the journal itself is contradicted, first in {place}");
        }
        let status = if self.status == 0 && !sent.is_proved() { 2 } else { self.status };
        Report { status, sent: Some(sent), ..self }
    }

    /// Writes the outcome and the contradictions.
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(sent) = &self.sent {
            writeln!(f, "{}", sent.quote)?;
        }
        writeln!(f, "{}", self.quote)?;
        self.contradictions.iter().skip(1).try_for_each(|bad| writeln!(f, "CONTRADICTION too, {bad}"))?;
        if let Some(follows) = self.what_follows_from_damage() {
            writeln!(f, "{follows}")?;
        }
        match self.status {
            // The first line says it.
            0 => Ok(()),
            1 => {
                let first = entry_in_file(self.contradictions[0].line.saturating_sub(1));
                writeln!(f, "This journal is contradicted, first in {first}.")
            }
            // Only orders of the player's mails are missing, as the first line says.
            _ if self.claims.iter().all(|claim| claim.grade != Grade::Unproved) => Ok(()),
            _ => writeln!(f, "Nothing is contradicted; some parts stay unproved."),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The outcome comes first, because mails can make the rest long.
        self.verdict(f)?;
        match (self.operator_seats.as_slice(), self.lines) {
            (_, 0) => writeln!(f, "Nobody can tell which seats the operator holds: no line could be read.")?,
            ([], _) => writeln!(f, "The operator holds no seat.")?,
            (seats, _) => {
                writeln!(f, "The operator holds seat {}, and can foresee dice and see hands.", list_and(seats))?;
            }
        }
        writeln!(f, "\nGame {}: {}, head {}", self.game, counted(self.lines), self.head)?;
        if let Some(rules) = &self.rules {
            writeln!(f, "Rules {rules}")?;
        }
        writeln!(f)?;
        for claim in &self.claims {
            let counts: Vec<String> =
                claim.proved.iter().filter(|(_, n)| **n > 0).map(|(what, n)| format!("{what} {n}")).collect();
            let line = format!("{:>2} {:<9} {:<21} {}", claim.step, claim.name, claim.grade, counts.join(", "));
            writeln!(f, "{}", line.trim_end())?;
            for open in &claim.unproved {
                writeln!(f, "             open: {open}")?;
            }
            for note in &claim.notes {
                writeln!(f, "             note: {note}")?;
            }
        }
        if let Some(receipts) = &self.receipts {
            write!(f, "\n{receipts}")?;
        }
        match &self.sent {
            Some(sent) => write!(f, "\n{sent}"),
            None => Ok(()),
        }
    }
}
