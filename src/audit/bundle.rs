//! One file for a director: the journal, the report, the evidence, and instructions for repeating
//! the check.
//!
//! The same journal and mails give the same bytes, so two people who make a bundle can compare
//! their files by a hash.

use super::{
    evidence::{Evidence, Receipt},
    judged::Standing,
    report::Report,
};
use postrider_dice::sha256;
use postrider_journal::{Body, Line, Parent};
use postrider_orders::{visible, visible_json};
use postrider_replay::{Catalog, Source, parent::MOST_GENERATIONS};
use std::{
    io::{self, Seek, Write},
    sync::Arc,
};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// An independent checker, which shares no code with this program.
const CHECKER: &str = include_str!("../../tests/checker.py");

/// An ancestor of a fork: a game that it continues, directly or through other forks.
pub struct Ancestor {
    /// Its id, as named by the fork.
    pub game: String,
    /// Its journal.
    pub journal: Source,
    /// The report on its journal.
    pub report: Report,
}

impl Ancestor {
    /// Returns the ancestors of `game` whose journals are available, nearest first. `journal` is
    /// that of `game`; `judge` makes the report on an ancestor's journal.
    ///
    /// # Errors
    /// Returns an error if a journal cannot be read.
    pub fn all(
        game: &str,
        journal: &Source,
        catalog: &Catalog,
        judge: impl Fn(&Source) -> io::Result<Report>,
    ) -> io::Result<Vec<Ancestor>> {
        let mut all: Vec<Ancestor> = Vec::new();
        let mut next = parent(journal)?;
        while let Some(named) = next.take() {
            let named = named.game.to_string();
            // Journals that name each other in a cycle prove nothing and have no end.
            let seen = named == game || all.iter().any(|one| one.game == named);
            let Some(journal) = catalog.journal(&named).filter(|_| !seen && all.len() < MOST_GENERATIONS) else {
                break;
            };
            next = parent(&journal)?;
            all.push(Ancestor { game: named, report: judge(&journal)?, journal });
        }
        Ok(all)
    }
}

/// The contents of a bundle.
pub struct Bundle<'b> {
    /// The report on the journal and the evidence.
    pub report: &'b Report,
    /// The ancestors of a fork.
    pub ancestors: &'b [Ancestor],
    /// The mails, [numbered](Evidence::numbered) so that file names stay private.
    pub evidence: &'b Evidence,
    /// `true` to include the mails that the evidence kept. They show hands and reply addresses.
    pub with_mails: bool,
}

impl Bundle<'_> {
    /// Writes the bundle as a zip file.
    ///
    /// # Errors
    /// Returns an error if a journal cannot be read or the file cannot be written.
    pub fn write(&self, source: &Source, catalog: &Catalog, out: impl Write + Seek) -> io::Result<()> {
        let journal = source.bytes()?;
        let game = if self.report.game.is_empty() { "journal" } else { &self.report.game };
        let components = components(&journal, catalog);
        let mut zip = ZipWriter::new(out);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let mut add = |name: &str, bytes: &[u8]| -> io::Result<()> {
            zip.start_file(name, options).map_err(io::Error::other)?;
            zip.write_all(bytes)
        };
        let json = |value: serde_json::Result<String>| value.map(|text| text + "\n").map_err(io::Error::other);
        let receipts = self.receipts();
        let readme = self.readme(game, source, &journal, &receipts, components.is_some())?;
        add("README.txt", visible(&readme).as_bytes())?;
        add(&format!("{game}.jsonl"), &journal)?;
        add("report.txt", visible(&self.report.to_string()).as_bytes())?;
        add("report.json", visible_json(&json(serde_json::to_string_pretty(self.report))?).as_bytes())?;
        add("receipts.json", json(serde_json::to_string_pretty(&receipts))?.as_bytes())?;
        if let Some(text) = &components {
            add("components.toml", text.as_bytes())?;
        }
        for Ancestor { game, journal, report } in self.ancestors {
            add(&format!("{game}.jsonl"), &journal.bytes()?)?;
            add(&format!("{game}.report.txt"), visible(&report.to_string()).as_bytes())?;
        }
        add("checker.py", CHECKER.as_bytes())?;
        if self.with_mails {
            for mail in &self.evidence.raw {
                add(&mail.place, &mail.raw)?;
            }
        }
        zip.finish().map_err(io::Error::other).map(|_| ())
    }

    /// Returns the heads signed by any key. These are the evidence, not the mails.
    fn receipts(&self) -> Vec<&Receipt> {
        let reports = [self.report].into_iter().chain(self.ancestors.iter().map(|ancestor| &ancestor.report));
        let judged = reports.flat_map(|report| &report.receipts).flat_map(|judged| &judged.receipts);
        let signed = judged.filter(|one| !matches!(one.standing, Standing::Unsigned | Standing::Forged));
        signed.map(|one| &one.receipt).collect()
    }

    fn readme(
        &self,
        game: &str,
        source: &Source,
        journal: &[u8],
        receipts: &[&Receipt],
        components: bool,
    ) -> io::Result<String> {
        let file = format!("{game}.jsonl");
        let (mut files, mut own, mut parents) = (Vec::new(), "", String::new());
        let mut add = |name: &str, what: String| files.push(format!("{name:<16} {what}\n"));
        add(&file, format!("the journal; SHA-256 {}", sha256(journal)));
        for Ancestor { game, journal, .. } in self.ancestors {
            let name = format!("{game}.jsonl");
            let sum = sha256(&journal.bytes()?);
            add(&name, format!("the parent of the game above; SHA-256 {sum}"));
            add(&format!("{game}.report.txt"), "the report on it".to_owned());
            parents += &format!(" --parent {name}");
        }
        add("report.txt", "the report, for people; report.json is the same for programs".to_owned());
        let signed = receipts.len();
        add("receipts.json", format!("{signed} heads of the journal that the service signed, from players' letters"));
        if components {
            own = " --components components.toml";
            add("components.toml", "the component file that the game is played with".to_owned());
        }
        add("checker.py", "a checker that shares no code with Postrider".to_owned());
        if self.with_mails {
            let mails = self.evidence.raw.len();
            add("mails/", format!("{mails} mails, whole: they show hands and reply addresses"));
        } else {
            add("", "(the mails that receipts.json and the reports name are not in here)".to_owned());
        }
        let fork = match (self.ancestors, parent(self.ancestors.last().map_or(source, |oldest| &oldest.journal))?) {
            (_, Some(Parent { game: missing, .. })) => format!(
                "\nThis game continues another, as line 1 of its journal says. The journal of {missing} was missing: without\n\
                 it the rules of the game cannot be run again, and step 8 stays open.\n"
            ),
            ([], None) => String::new(),
            _ => "\nThis game continues another, as line 1 of its journal says. Postrider finds the other journal next to this one;\n\
                  it can be checked in the same way, by its own name.\n"
                .to_owned(),
        };
        Ok(format!(
            "THE GAME {game}, AS IT CAN BE CHECKED\n\n{quote}\n\n\
             CONTENTS\n{files}\n\
             HOW TO CHECK IT AGAIN\n\
             With Postrider {version} or newer:\n\n    postrider verify {file} --mailbox receipts.json{own}\n\n\
             Without it, with Python 3 alone (all but the rules of the game):\n\n    \
             python3 checker.py {file} --receipts receipts.json{parents}\n\n\
             Both end with status 0 when all is proved, 1 when something is contradicted, 2 when something stays open.\n{fork}\n\
             WHAT THE RECEIPTS ARE WORTH\n\
             Each is signed with the key that the journal's first line names. Whether that is the service's key, the players'\n\
             letters tell: every letter names it in the field X-Postrider-Key. Have it from a player you trust, and give it\n\
             with --key. A signature over a head that the journal does not have, or two over heads that no one chain holds,\n\
             prove that the service kept two histories.\n",
            quote = self.report.quote,
            files = files.concat(),
            version = env!("CARGO_PKG_VERSION"),
        ))
    }
}

/// Returns the line of its parent that a fork names.
fn parent(journal: &Source) -> io::Result<Option<Parent<'static>>> {
    let mut lines = journal.lines()?;
    // Unreadable lines are for the report to mention.
    let Ok(Some(first)) = lines.next_line() else { return Ok(None) };
    Ok(match Line::parse(first).ok().and_then(|line| line.read_body().ok()) {
        Some(Body::Opened(opened)) => opened.parent.as_deref().map(Parent::to_owned),
        _ => None,
    })
}

/// Returns the component file named by the journal's first line, if it is available.
fn components(journal: &[u8], catalog: &Catalog) -> Option<Arc<str>> {
    let first = journal.split(|&byte| byte == b'\n').next()?;
    match Line::parse(first).ok()?.read_body().ok()? {
        Body::Opened(opened) => {
            let named = opened.ruleset;
            catalog.components(catalog.version(&named.name, named.version).ok()?, named.components)
        }
        _ => None,
    }
}
