//! The tampering table: everything that an operator or a player could do to a game, and how it is
//! detected. The same table is in `tampering.md`; `POSTRIDER_WRITE_DOCS=1 cargo test --test
//! journals -- tampering` updates it.
//!
//! Each cheat is tried in two forms: with only the bytes edited, and with the numbers and hashes of
//! all later lines recomputed. Each form is checked by `verify`, without and with an honest
//! player's letters, and by the independent checker.

mod base;
mod cheats;
mod finished;

use crate::other::Other;
use base::Base;
use cheats::{CHEATS, Cheat, Does, Form};
use finished::FINISHED;
use postrider::{
    audit::{Evidence, Grade, Report, verify_with},
    dice::Hash,
    journal::{Checker, testing::rehashed},
    mailbox::SavedMail,
    replay::{Catalog, Source},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};
use tempfile::TempDir;

/// The reaction to a cheat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meets {
    /// A contradiction, found by this step of section 9.
    Step(u8),
    /// No contradiction, but the report lists something as unproved that was proved before the
    /// cheat.
    Open,
    /// No reaction.
    Nothing,
    /// The form does not apply to this cheat.
    None,
}

impl Meets {
    fn words(self) -> String {
        const NAMES: [&str; 10] =
            ["lines", "entries", "frame", "chains", "dice", "decks", "seals", "replay", "letters", "times"];
        match self {
            Meets::Step(step) => format!("{step} {}", NAMES[usize::from(step) - 1]),
            Meets::Open => "reported open".to_owned(),
            Meets::Nothing => "nothing".to_owned(),
            Meets::None => "-".to_owned(),
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    edited: Meets,
    alone: Meets,
    letters: Meets,
}

/// A journal with mails, as given to a checker.
struct Case {
    journal: String,
    mails: Vec<SavedMail>,
    key: Option<Hash>,
}

impl Case {
    /// Saves the mails in a folder, with the original endings of their names; `None` if there are
    /// none.
    fn saved(&self) -> Option<TempDir> {
        let mails = tempfile::tempdir().expect("there is room");
        for (i, mail) in self.mails.iter().enumerate() {
            fs::write(mails.path().join(format!("{i:03}{}", mail.place)), &mail.raw).expect("there is room");
        }
        (!self.mails.is_empty()).then_some(mails)
    }

    fn report(&self, mailbox: Option<&Path>) -> Report {
        let mut evidence = Evidence::default();
        mailbox.into_iter().for_each(|path| evidence.add_mailbox(path).expect("it can be read"));
        let checker = self.key.map_or_else(Checker::new, Checker::expecting_key);
        let source = Source::from(self.journal.as_bytes());
        verify_with(checker, &evidence, &source, &Catalog::new(postrider::games::rulesets()), |_| ())
            .expect("it can be read")
    }

    /// Returns the reaction of `verify`, and checks that the independent checker agrees. `before`
    /// is the set of parts that were already unproved.
    fn meets(&self, other: &mut Other, what: &str, before: &BTreeSet<String>) -> (Meets, Option<u64>) {
        let saved = self.saved();
        let mailbox = saved.as_ref().map(TempDir::path);
        let report = self.report(mailbox);
        // Steps 8 and 10 need the rules, which the independent checker does not know.
        let without_rules = report.contradictions.iter().find(|bad| ![8, 10].contains(&bad.step));
        let mut words = Vec::new();
        words.extend(mailbox.iter().flat_map(|mails| ["--mail".to_owned(), mails.display().to_string()]));
        words.extend(self.key.iter().flat_map(|key| ["--key".to_owned(), key.to_string()]));
        let (status, said) = other.says(&self.journal, &words).expect("it does not break");
        match without_rules {
            Some(bad) => {
                assert_eq!(status, 1, "{what}: verify says {bad}, the other checker {said}");
                assert!(
                    said.contains(&format!("Line {} ", bad.line)),
                    "{what}: verify says {bad}, the other checker {said}"
                );
            }
            None => assert_ne!(status, 1, "{what}: verify says {}, the other checker {said}", report.quote),
        }
        let first = report.contradictions.first();
        let open = |claim: &postrider::audit::Claim| claim.step == 9 && claim.grade == Grade::Unproved;
        let meets = match first {
            Some(bad) => Meets::Step(bad.step),
            None if unproved(&report).is_subset(before) => Meets::Nothing,
            None => Meets::Open,
        };
        if !self.mails.is_empty() && without_rules.is_none() {
            let left_open = report.claims.iter().any(open);
            assert_eq!(left_open, said.contains("Unproved by mails: "), "{what}: {report}\n{said}");
        }
        (meets, first.map(|bad| bad.line))
    }
}

fn unproved(report: &Report) -> BTreeSet<String> {
    let all = report.claims.iter().filter(|claim| claim.grade == Grade::Unproved).flat_map(|claim| &claim.unproved);
    all.map(|open| open.chars().filter(|c| !c.is_ascii_digit()).collect()).collect()
}

fn tried(cheat: &Cheat, base: &Base, before: &BTreeSet<String>, other: &mut Other) -> (Row, String) {
    let case = |journal: String, mails: Vec<SavedMail>| Case { journal, mails, key: None };
    let mut meets = |case: Case, how: &str| case.meets(other, &format!("{} ({how})", cheat.what), before);
    let (mut first, mut lines) = (None, base.lines.clone());
    let mut both = |edited: Option<String>, remade: String, letters: Vec<SavedMail>, key: Option<Hash>| {
        let edited = edited.map_or((Meets::None, None), |text| meets(case(text, vec![]), "edited"));
        let alone = meets(case(remade.clone(), vec![]), "remade");
        let with = match letters.is_empty() {
            true => (Meets::None, None),
            false => meets(Case { key, ..case(remade, letters) }, "with letters"),
        };
        (Row { edited: edited.0, alone: alone.0, letters: with.0 }, alone.1)
    };
    let (row, line) = match cheat.does {
        Does::Lines(change) => {
            change(&mut lines, base);
            first = first_changed(&base.lines, &lines);
            both(Some(base::as_they_stand(&lines)), rehashed(&lines), base.letters.clone(), None)
        }
        Does::Vector(name, change) => {
            let vector = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vectors/{name}.jsonl"));
            let whole = base::read(&vector);
            let mut lines = whole.clone();
            change(&mut lines);
            first = first_changed(&whole, &lines);
            both(Some(base::as_they_stand(&lines)), rehashed(&lines), vec![], None)
        }
        Does::Bytes(change) => {
            let text = change(base::as_they_stand(&base.lines));
            both(Some(text.clone()), text, base.letters.clone(), None)
        }
        Does::Odd(text) => {
            let (edited, _) = cheats::with_text(base, &text(), false);
            let (remade, line) = cheats::with_text(base, &text(), true);
            first = Some(line);
            both(Some(edited), remade, base.letters.clone(), None)
        }
        Does::History(make) => {
            let Form { journal, letters, key } = make(base);
            both(None, journal, letters, key)
        }
    };
    let whence = match (row.alone, line, first) {
        (Meets::Step(_), Some(found), Some(first)) if found == first => ", there",
        (Meets::Step(_), Some(_), Some(_)) => ", later",
        _ => "",
    };
    (row, whence.to_owned())
}

fn first_changed(before: &[Value], after: &[Value]) -> Option<u64> {
    let says = |line: &Value| (line["body"].clone(), line["kind"].clone(), line["at"].clone());
    let differs = |n: &usize| match (before.get(*n), after.get(*n)) {
        (Some(a), Some(b)) => says(a) != says(b),
        _ => true,
    };
    (0..before.len().max(after.len())).find(differs).map(|n| n as u64 + 1)
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/journals/tampering.md");
const BEGIN: &str = "<!-- the table: written by tests/journals/tampering.rs -->\n";
const END: &str = "<!-- the end of the table -->\n";

fn all() -> Vec<&'static Cheat> {
    CHEATS.into_iter().flatten().chain(FINISHED).collect()
}

#[test]
fn every_cheat_meets_what_the_table_says() {
    let base = Base::played();
    let mut other = Other::start();
    let honest =
        |mails: &[SavedMail]| Case { journal: base::as_they_stand(&base.lines), mails: mails.to_vec(), key: None };
    assert_eq!(rehashed(&base.lines), honest(&[]).journal, "the journal is what hashing it anew makes");
    let before = unproved(&honest(&[]).report(None));
    assert_eq!(honest(&[]).meets(&mut other, "nothing done", &before), (Meets::Nothing, None));
    let with_letters = honest(&base.letters);
    let saved = with_letters.saved();
    let report = with_letters.report(saved.as_ref().map(TempDir::path));
    assert_eq!(report.claims[8].grade, Grade::ProvedByReceipts, "{report}");
    assert!(report.claims[8].proved["cards"] > 0, "{report}");
    // Section 7: a deck is shuffled again after the Turn is over and its last order has been
    // revealed.
    for (n, line) in
        base.lines.iter().enumerate().filter(|(_, line)| line["kind"] == "shuffled" && line["body"]["epoch"] != 0)
    {
        let (deck, last) = (&line["body"]["deck"], &line["body"]["epoch"]);
        let revealed = |old: &Value| {
            let body = &old["body"];
            old["kind"] == "revealed" && body["deck"] == *deck && body["epoch"].as_u64().map(|e| e + 1) == last.as_u64()
        };
        assert!(base.lines[..n].iter().any(revealed), "{deck} is shuffled in line {} before it is revealed", n + 1);
    }
    let cheats = all();
    let mut table = format!(
        "The table has {} cheats. The last {} were tried on a small finished journal, the others on a game played by mail.\n\n",
        cheats.len(),
        FINISHED.len()
    );
    table.push_str(
        "| | Cheat | Bytes edited | All later hashes remade | … held against one player's letters |\n|---|---|---|---|---|\n",
    );
    let mut wrong = Vec::new();
    // Two at a time.
    let (first, second) = cheats.split_at(cheats.len() / 2);
    let try_all = |cheats: &[&Cheat]| {
        let mut other = Other::start();
        cheats.iter().map(|cheat| tried(cheat, &base, &before, &mut other)).collect::<Vec<_>>()
    };
    let rows = std::thread::scope(|threads| {
        let other = threads.spawn(|| try_all(second));
        let mut rows = try_all(first);
        rows.extend(other.join().expect("no test failed there"));
        rows
    });
    for (i, (cheat, (row, whence))) in cheats.iter().zip(rows).enumerate() {
        let wanted = cheat.meets;
        let named = [row.edited, row.alone, row.letters].map(Meets::words);
        if named != wanted.map(str::to_owned) {
            wrong.push(format!("{}: {named:?}, not {wanted:?}", cheat.what));
        }
        let [edited, alone, letters] = named;
        writeln!(table, "| {} | {} | {edited} | {alone}{whence} | {letters} |", i + 1, cheat.what).expect("a String");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let page = fs::read_to_string(PAGE).expect("tampering.md is part of the project");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (written, after) = rest.split_once(END).expect("the table has an end");
    if std::env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        fs::write(PAGE, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page can be written");
    } else {
        let hint = "POSTRIDER_WRITE_DOCS=1 cargo test --test journals -- tampering writes it anew";
        assert!(written == table, "the table in tampering.md is out of date: {hint}\n{table}");
    }
}
