//! One file for a director: the journal, what was found, what it was held against, and how to check it all again.
//!
//! The same journal and mails make the same bytes, so two people who bundle alike can compare their files by a hash.

use super::{
    evidence::{Evidence, Receipt},
    receipts::Standing,
    report::Report,
    shelf::Shelf,
    source::Source,
};
use crate::{
    dice::sha256,
    journal::{Body, Line},
};
use std::{
    io::{self, Seek, Write},
    sync::Arc,
};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

/// The checker that shares no code with this program.
const CHECKER: &str = include_str!("../../tests/checker.py");

/// What goes into a bundle.
pub struct Bundle<'b> {
    /// The report over the journal and the evidence.
    pub report: &'b Report,
    /// The mails; best [numbered](Evidence::numbered), so that no one's paths are given away.
    pub evidence: &'b Evidence,
    /// Whether the mails themselves go in, where the evidence kept them. They show hands and reply addresses.
    pub with_mails: bool,
}

impl Bundle<'_> {
    /// Writes the bundle as a zip file.
    ///
    /// # Errors
    /// When the journal cannot be read or the file not be written.
    pub fn write(&self, source: &Source, shelf: &Shelf, out: impl Write + Seek) -> io::Result<()> {
        let journal = source.bytes()?;
        let game = if self.report.game.is_empty() { "journal" } else { &self.report.game };
        let components = components(&journal, shelf);
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
        add("README.txt", self.readme(game, &journal, &receipts, components.is_some()).as_bytes())?;
        add(&format!("{game}.jsonl"), &journal)?;
        add("report.txt", self.report.to_string().as_bytes())?;
        add("report.json", json(serde_json::to_string_pretty(self.report))?.as_bytes())?;
        add("receipts.json", json(serde_json::to_string_pretty(&receipts))?.as_bytes())?;
        if let Some(text) = &components {
            add("components.toml", text.as_bytes())?;
        }
        add("checker.py", CHECKER.as_bytes())?;
        if self.with_mails {
            for mail in &self.evidence.raw {
                add(&mail.place, &mail.raw)?;
            }
        }
        zip.finish().map_err(io::Error::other).map(|_| ())
    }

    /// The heads that some key signed: they, and not the mails, are the evidence.
    fn receipts(&self) -> Vec<&Receipt> {
        let judged = self.report.receipts.iter().flat_map(|judged| &judged.receipts);
        let signed = judged.filter(|one| !matches!(one.standing, Standing::Unsigned | Standing::Forged));
        signed.map(|one| &one.receipt).collect()
    }

    fn readme(&self, game: &str, journal: &[u8], receipts: &[&Receipt], components: bool) -> String {
        let own = if components { " --components components.toml" } else { "" };
        let mails = match (self.with_mails, self.evidence.raw.len()) {
            (true, n) => format!("mails/           {n} mails, whole: they show hands and reply addresses\n"),
            (false, _) => {
                "                 (the mails that receipts.json and the reports name are not in here)\n".to_owned()
            }
        };
        let file = format!("{game}.jsonl");
        format!(
            "THE GAME {game}, AS IT CAN BE CHECKED\n\n{quote}\n\n\
             WHAT LIES HERE\n\
             {file:<16} the journal; SHA-256 {sum}\n\
             report.txt       what was found, for people; report.json the same for programs\n\
             receipts.json    {receipts} heads of the journal that the service signed, from players' letters\n\
             {components}checker.py       a checker that shares no code with Postrider\n{mails}\n\
             HOW TO CHECK IT AGAIN\n\
             With Postrider {version} or newer:\n\n    postrider verify {file} --mailbox receipts.json{own}\n\n\
             Without it, with Python 3 alone (all but the rules of the game):\n\n    \
             python3 checker.py {file} --receipts receipts.json\n\n\
             Both end with status 0 when all is proved, 1 when something is contradicted, 2 when something stays open.\n\n\
             WHAT THE RECEIPTS ARE WORTH\n\
             Each is signed with the key that the journal's first line names. Whether that is the service's key, the players'\n\
             letters tell: every letter names it in the field X-Postrider-Key. Have it from a player you trust, and give it\n\
             with --key. A signature over a head that the journal does not have, or two over heads that no one chain holds,\n\
             are the service's own confession.\n",
            quote = self.report.quote,
            sum = sha256(journal),
            receipts = receipts.len(),
            components =
                if components { "components.toml  the component file that the game is played with\n" } else { "" },
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

/// The component file that the journal's first line names, if it is at hand.
fn components(journal: &[u8], shelf: &Shelf) -> Option<Arc<str>> {
    let first = journal.split(|&byte| byte == b'\n').next()?;
    match Line::parse(first).ok()?.read_body().ok()? {
        Body::Opened(opened) => shelf.components(shelf.ruleset(&opened.ruleset.name)?, opened.ruleset.components),
        _ => None,
    }
}
