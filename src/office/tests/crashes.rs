//! A program may end at any moment, and a disk may fail at any call. Nothing is lost by that, and
//! nothing happens twice.
//!
//! Each command of a table is first run undisturbed, to number its system calls. Then it is
//! repeated with each fault at each call. After a fault comes what would really happen: the program
//! starts again; the mail system delivers a mail again if it got no confirmation; and a person
//! checks whether the order is in the journal, and repeats it if not. At the end the power fails,
//! so that only synced data counts.

use super::{
    by_mail::{answer, outbox, plain_office_in, table, take_mail},
    needed::*,
};
use postrider_disk::faults::{self, Fault, Trace};
use postrider_journal::FileFault;
use postrider_mail::Envelope;
use postrider_store::{FileStore, Games, Sent, StoreError, send_by};
use postrider_table::Seat;
use postrider_wire::{SendFault, Transport};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";

/// The time until the program is started again, in seconds.
const LATER: i64 = 3 * 3_600;

/// The receiving mail server, with the mails handed to it by Message-ID.
#[derive(Default)]
struct Wire(BTreeMap<String, Vec<Vec<u8>>>);

impl Transport for Wire {
    fn send(&mut self, _: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        let mail = mail_parser::MessageParser::default().parse_headers(raw).unwrap();
        let id = mail.message_id().unwrap().to_owned();
        self.0.entry(id).or_default().push(raw.to_vec());
        Ok(())
    }
}

/// The party that repeats a command after the program ended during it.
#[derive(Clone, Copy, PartialEq)]
enum Repeated {
    /// A mail system, which delivers until it gets a confirmation.
    UntilTaken,
    /// A person, who checks whether the journal has grown.
    UntilWritten,
}

type Act = fn(&mut Office, &str) -> Result<(), OfficeError>;

struct Case {
    name: &'static str,
    /// The number of commands; each is one append to the journal.
    commands: usize,
    repeated: Repeated,
    /// The files before the command, and a letter that it answers.
    files: TempDir,
    letter: String,
    act: Act,
}

impl Case {
    fn new(name: &'static str, repeated: Repeated, prepare: impl FnOnce(&Path) -> String, act: Act) -> Case {
        let files = tempfile::tempdir().unwrap();
        let letter = prepare(files.path());
        Case { name, commands: 1, repeated, files, letter, act }
    }

    fn doing(self, commands: usize) -> Case {
        Case { commands, ..self }
    }

    /// Runs the command and then sends the outbox, as one run of the program does.
    fn program(&self, folder: &Path, wire: &mut Wire) -> Result<bool, (bool, OfficeError)> {
        let mut taken = false;
        let mut run = || -> Result<(), OfficeError> {
            let mut office = Office::open(Host::open(folder)?, super::by_mail::catalog(), fixed())?;
            (self.act)(&mut office, &self.letter)?;
            taken = true;
            office.close_games();
            send_by(office.store(), wire, &mut Sent::default())?;
            Ok(())
        };
        let done = run();
        done.map(|()| taken).map_err(|why| (taken, why))
    }

    /// Runs the program again: it completes unfinished work, and the command is repeated unless it
    /// is known to be done.
    fn again(&self, folder: &Path, taken: bool, stages: &[Vec<u8>], wire: &mut Wire) -> Result<(), OfficeError> {
        let mut office = Office::open(Host::open(folder)?, super::by_mail::catalog(), fixed())?;
        // Hours after the last command: letters that are written only now are dated by it.
        let later = if stages.last() == Some(&journal(folder)) { LATER } else { 0 };
        office.environment().advance(later);
        for game in office.host().games()? {
            match office.open_game(&game) {
                Ok(_) | Err(OfficeError::NoGame(_)) => {}
                Err(why) => return Err(why),
            }
        }
        office.environment().advance(-later);
        let journal = journal(folder);
        assert!(stages.contains(&journal), "{}: the journal holds a part of a command", self.name);
        let repeat = match self.repeated {
            Repeated::UntilTaken => !taken,
            Repeated::UntilWritten => journal == stages[0],
        };
        if repeat {
            (self.act)(&mut office, &self.letter)?;
        }
        send_by(office.store(), wire, &mut Sent::default())?;
        Ok(())
    }
}

fn fixed() -> Environment {
    Environment::fixed(7, chrono::TimeZone::with_ymd_and_hms(&chrono::Utc, 2026, 11, 20, 18, 30, 0).unwrap())
}

fn journal(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(format!("journal/{GAME}.jsonl"))).unwrap_or_default()
}

fn copied(from: &Path) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let copied = to.join(path.file_name().unwrap());
            if path.is_dir() {
                fs::create_dir(&copied).unwrap();
                copy(&path, &copied);
            } else {
                fs::copy(&path, &copied).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(from, folder.path());
    folder
}

fn result(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::from([(PathBuf::from("journal"), journal(folder))]);
    for place in ["in/new", "out/new", "sent/new", "refused/new"] {
        for entry in fs::read_dir(folder.join("mail").join(place)).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            found.insert(Path::new(place).join(name), fs::read(&path).unwrap());
        }
    }
    found
}

fn letters(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder.join("mail/out/new")).into_iter().flatten().map(|file| file.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

fn two_have_bid(folder: &Path) -> String {
    let mut office = plain_office_in(folder);
    office.new_game(&table()).unwrap();
    for (seat, bid) in [(1, "bid 0"), (2, "bid 0")] {
        office.order(GAME, Seat(seat), bid).unwrap();
    }
    let letter = take_mail(&office, "lone-pine.A.");
    for (name, _) in outbox(&office) {
        fs::remove_file(folder.join("mail/out/new").join(name)).unwrap();
    }
    letter
}

/// Puts the last bid of a Round and a further order into Anna's draft.
fn has_drafted(folder: &Path) -> String {
    let letter = two_have_bid(folder);
    let mut office = plain_office_in(folder);
    receive(&mut office, &letter, "anna@example.net", "draft\nbid 4\ngive ben").unwrap();
    take_mail(&office, "lone-pine.A.re");
    letter
}

fn anna_has_bid(folder: &Path) -> String {
    let mut office = plain_office_in(folder);
    office.new_game(&table()).unwrap();
    let letter = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &letter, "bid 4").as_bytes()).unwrap();
    take_mail(&office, ".A.re")
}

/// Starts a game of three with three days per answer, in which two have bid and the third has been
/// asked for four days. Returns the third's letter.
fn with_deadlines(folder: &Path) -> String {
    asked_before(folder, 4)
}

fn asked_before(folder: &Path, days: i64) -> String {
    let mut office = plain_office_in(folder);
    office.environment().advance(-days * 24 * 3_600);
    let clock = Some(Terms { at_flag: AtFlag::Play, leave: 864_000, ..Terms::new("3d").unwrap() });
    office.new_game(&NewGame { clock, ..table() }).unwrap();
    for (seat, bid) in [(1, "bid 0"), (2, "bid 0")] {
        office.order(GAME, Seat(seat), bid).unwrap();
    }
    take_mail(&office, "lone-pine.A.")
}

/// Starts a game that two players have joined. Returns the third's invitation.
fn one_is_missing(folder: &Path) -> String {
    let mut office = plain_office_in(folder);
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    for seat in [0, 1] {
        office.order(GAME, Seat(seat), "join luck owls").unwrap();
    }
    take_mail(&office, "lone-pine.C.invitation")
}

fn nothing(folder: &Path) -> String {
    drop(plain_office_in(folder));
    String::new()
}

fn receive(office: &mut Office, letter: &str, from: &str, text: &str) -> Result<(), OfficeError> {
    let processed = office.receive(answer(from, letter, text).as_bytes())?;
    assert!(!matches!(processed.outcome, Outcome::Filed(_)), "{processed:?}");
    Ok(())
}

fn cases() -> Vec<Case> {
    use Repeated::{UntilTaken, UntilWritten};
    vec![
        Case::new("a mail with two orders, the second of which rolls", UntilTaken, two_have_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "bid 4\ngive ben")
        }),
        Case::new("a mail with a standing order", UntilTaken, two_have_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "standing bid: 1; 2")
        }),
        Case::new("a mail with words to others and an order", UntilTaken, two_have_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "bid 4\n\ntell ben: I bid high\n\ntell all: good luck")
        }),
        Case::new("a mail that puts orders into a draft", UntilTaken, has_drafted, |office, letter| {
            receive(office, letter, "anna@example.net", "draft drop 1\nbid 5")
        })
        .doing(0),
        Case::new("a mail that sends a draft", UntilTaken, has_drafted, |office, letter| {
            receive(office, letter, "anna@example.net", "send")
        }),
        Case::new("a message of the host's", UntilWritten, two_have_bid, |office, _| {
            office.tell(GAME, &[Seat(1)], "please be quick")
        }),
        Case::new("a mail that is not understood", UntilTaken, two_have_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "sing")
        })
        .doing(0),
        Case::new("an order at the command line", UntilWritten, two_have_bid, |office, _| {
            office.order(GAME, Seat(0), "bid 4").map(|_| ())
        }),
        Case::new("the mail of the last who joins", UntilTaken, one_is_missing, |office, letter| {
            receive(office, letter, "carl@example.net", "join luck pines")
        }),
        Case::new("a mail that declines", UntilTaken, one_is_missing, |office, letter| {
            receive(office, letter, "carl@example.net", "no thanks")
        }),
        Case::new("a mail that takes leave", UntilTaken, with_deadlines, |office, letter| {
            receive(office, letter, "anna@example.net", "away 3 days")
        }),
        // The game is opened and then begins automatically.
        Case::new("a new game", UntilWritten, nothing, |office, _| office.new_game(&table()).map(|_| ())).doing(2),
        Case::new("a mail that takes an order back and gives another", UntilTaken, anna_has_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "back\nbid 6")
        })
        .doing(2),
        Case::new("a mail that asks for a new token", UntilTaken, two_have_bid, |office, letter| {
            receive(office, letter, "anna@example.net", "new token\nbid 4")
        }),
        Case::new("a rewind", UntilWritten, two_have_bid, |office, _| {
            let to = "turn 1, round 1".parse()?;
            let back = RewindGame { to, by: "host".into(), reason: "a wrong map".into(), dry_run: false };
            office.directing(GAME).rewind(&back).map(|_| ())
        }),
        Case::new("a ruling with an effect", UntilWritten, two_have_bid, |office, _| {
            let effect = serde_json::json!({ "coins": { "seat": "B", "coins": 33 } });
            let ruling = RulingGiven { by: "host".into(), text: "Ben was miscounted".into(), effect, of: None };
            office.directing(GAME).rule(&ruling).map(|_| ())
        }),
        Case::new("a seat given to another player", UntilWritten, two_have_bid, |office, _| {
            office.directing(GAME).reseat(Seat(0), &"Dora <dora@example.net>".parse()?, false)
        }),
        Case::new("a pause", UntilWritten, with_deadlines, |office, _| office.directing(GAME).pause(true).map(|_| ())),
        Case::new("a deadline that has passed", UntilWritten, with_deadlines, |office, _| {
            office.tick(GAME).map(|_| ())
        }),
        Case::new(
            "a reminder",
            UntilWritten,
            |folder| asked_before(folder, 2),
            |office, _| office.tick(GAME).map(|_| ()),
        ),
        // The letter that the second mail answers has no question any more.
        Case::new(
            "mails from a folder, of which the second comes too late",
            UntilTaken,
            |folder| {
                let letter = two_have_bid(folder);
                let inbox = Host::open(folder).unwrap().mail(MailFolder::In).unwrap();
                for (name, text) in [("1", "bid 4"), ("2", "bid 5")] {
                    inbox.deliver(name, answer("anna@example.net", &letter, text).as_bytes()).unwrap();
                }
                letter
            },
            |office, _| office.receive_all().map(|_| ()),
        ),
    ]
}

/// The result of an undisturbed run.
struct Right {
    trace: Trace,
    files: BTreeMap<PathBuf, Vec<u8>>,
    wire: Wire,
    /// The allowed states of the journal: before the first command, and after each command's
    /// append.
    stages: Vec<Vec<u8>>,
}

fn undisturbed(case: &Case) -> Right {
    let (folder, mut wire) = (copied(case.files.path()), Wire::default());
    let (done, trace) = faults::run(None, || case.program(folder.path(), &mut wire));
    done.map_err(|(_, why)| why).unwrap();
    faults::power_cut();
    let files = result(folder.path());
    let mut stages = vec![journal(case.files.path())];
    for call in &trace.calls {
        let Some((bytes, file)) = call.strip_prefix("write ").and_then(|rest| rest.split_once(" bytes to ")) else {
            continue;
        };
        if file.starts_with("journal/") {
            let end = stages[stages.len() - 1].len() + bytes.parse::<usize>().unwrap();
            stages.push(journal(folder.path())[..end].to_vec());
        }
    }
    assert_eq!(stages.len() - 1, case.commands, "{}", case.name);
    assert_eq!(stages.last(), files.get(Path::new("journal")), "{}", case.name);
    Right { trace, files, wire, stages }
}

/// Tries every command and every call. The two mails with orders are tried with every fault; the
/// others with one in three, or with all if `POSTRIDER_FAULTS` is set.
#[test]
fn after_any_fault_at_any_call_all_is_as_if_nothing_had_happened() {
    std::thread::scope(|scope| {
        for (nth, case) in cases().into_iter().enumerate() {
            scope.spawn(move || {
                let all = nth < 2 || std::env::var_os("POSTRIDER_FAULTS").is_some();
                let right = undisturbed(&case);
                for (number, call) in right.trace.calls.iter().enumerate() {
                    let faults = Fault::ALL.into_iter().filter(|fault| fault.concerns(call)).enumerate();
                    for (_, fault) in faults.filter(|(k, _)| all || (number + k) % 3 == 0) {
                        survives(&case, &right, number, fault);
                    }
                }
            });
        }
    });
}

fn survives(case: &Case, right: &Right, number: usize, fault: Fault) {
    let call = &right.trace.calls[number];
    let what = format!("{}: {fault:?} at call {number}, {call}", case.name);
    let (folder, mut wire) = (copied(case.files.path()), Wire::default());
    let (first, met) = faults::run(Some((number, fault)), || case.program(folder.path(), &mut wire));
    assert_eq!(met.calls.get(number), Some(call), "{what}: the same work makes the same calls");
    let (taken, why) = match first {
        Ok(taken) => (taken, None),
        Err((taken, why)) => (taken, Some(why)),
    };
    let why = why.unwrap_or_else(|| panic!("{what}: nobody was told"));
    // After a fault in the journal or the secrets the state of the disk is unknown, so nothing else
    // may be done.
    if fault == Fault::Error && is_append(&right.trace, number) {
        assert!(why.is_fatal() && why.to_string().contains("the program must end"), "{what}: {why}");
        // The note of the mail in hand is removed: no mail ended the program.
        let note = |call: &String| call.starts_with("remove mail/in-hand/");
        assert!(met.calls[number + 1..].iter().all(note), "{what}: it went on");
    }
    // The host's mail system may have fetched letters meanwhile. One that it fetches again is the
    // same.
    let fetched = if number.is_multiple_of(2) { letters(folder.path()) } else { BTreeMap::new() };
    for name in fetched.keys() {
        fs::remove_file(folder.path().join("mail/out/new").join(name)).unwrap();
    }
    let (again, _) = faults::run(None, || case.again(folder.path(), taken, &right.stages, &mut wire));
    again.unwrap_or_else(|why| panic!("{what}: {why}"));
    faults::power_cut();
    let mut found = result(folder.path());
    for (name, bytes) in fetched {
        let place = Path::new("sent/new").join(name);
        let again = found.insert(place.clone(), bytes.clone());
        assert!(again.is_none_or(|again| again == bytes), "{what}: another letter than {place:?} was fetched");
        let raw = postrider_mail::Composed::of_file(&bytes).unwrap().raw;
        let id = mail_parser::MessageParser::default().parse_headers(&raw).unwrap().message_id().unwrap().to_owned();
        wire.0.entry(id).or_insert_with(|| vec![raw]);
    }
    let (names, right_names): (Vec<_>, Vec<_>) = (found.keys().collect(), right.files.keys().collect());
    assert_eq!(names, right_names, "{what}");
    let other: Vec<_> = found.keys().filter(|&name| found[name] != right.files[name]).collect();
    assert!(other.is_empty(), "{what}: {other:?} have other bytes");
    exactly_once(&right.wire, &wire, call, &what);
}

#[test]
fn no_mail_is_to_blame_for_an_end_at_the_disk() {
    for case in cases() {
        let right = undisturbed(&case);
        for number in 0..right.trace.calls.len() {
            let (folder, mut wire) = (copied(case.files.path()), Wire::default());
            let _ = faults::run(Some((number, Fault::Kill)), || case.program(folder.path(), &mut wire));
            faults::forget();
            let Ok(notes) = fs::read_dir(folder.path().join("mail/in-hand")) else { continue };
            for note in notes {
                let ends = note.unwrap().metadata().unwrap().len();
                assert_eq!(ends, 0, "{}: killed at call {number}, {}", case.name, right.trace.calls[number]);
            }
        }
    }
}

/// Returns `true` if a call is part of an append to a journal or to secrets, rather than of
/// creating or opening them.
fn is_append(trace: &Trace, number: usize) -> bool {
    let file = |call: &str| call.rsplit(' ').next().unwrap_or_default().to_owned();
    let this = &trace.calls[number];
    let written = number.checked_sub(1).map(|before| &trace.calls[before]).filter(|call| call.starts_with("write"));
    let synced = this.starts_with("sync ") && written.is_some_and(|call| file(call) == file(this));
    this.ends_with(".jsonl") && (this.starts_with("write") || synced)
}

/// Asserts that every mail was handed over once. Between handing over a mail and recording it the
/// outcome is unknown, so a fault there may repeat that mail, with the same Message-ID and bytes.
fn exactly_once(right: &Wire, wire: &Wire, call: &str, what: &str) {
    assert!(wire.0.keys().eq(right.0.keys()), "{what}: other mails were handed over");
    let between = ["rename", "sync folder"].iter().any(|word| call.starts_with(word)) && call.contains("mail/")
        || call.contains("sent/new");
    let repeated: usize = wire.0.values().map(|raws| raws.len() - 1).sum();
    assert!(repeated <= usize::from(between), "{what}: {repeated} mails were handed over twice");
    for raws in wire.0.values() {
        assert!(raws.iter().all(|raw| *raw == raws[0]), "{what}: the second copy is another mail");
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let letter = two_have_bid(folder.path());
    let before = journal(folder.path());
    let act = |office: &mut Office| receive(office, &letter, "anna@example.net", "bid 4");
    let (refused, _) = faults::run(Some((0, Fault::Full)), || act(&mut plain_office_in(folder.path())));
    let why = refused.unwrap_err();
    assert!(matches!(why, OfficeError::Store(_)) && why.to_string().contains("no storage space"), "{why}");
    faults::forget();
    act(&mut plain_office_in(folder.path())).unwrap();
    assert!(journal(folder.path()).starts_with(&before) && journal(folder.path()).len() > before.len());
}

#[test]
fn two_processes_on_one_journal_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let letter = two_have_bid(folder.path());
    let mut first = plain_office_in(folder.path());
    first.open_game(GAME).unwrap();
    // During a command of the first process.
    let store = FileStore::new(first.host());
    let lease = store.lease(GAME, None).unwrap();
    let path = first.host().journal(GAME);
    let refused = OfficeError::from(postrider_journal::JournalFile::open_within(&path, Duration::ZERO).unwrap_err());
    assert!(matches!(&refused, OfficeError::Store(StoreError::Journal(FileFault::Locked { .. }))), "{refused:?}");
    assert!(refused.to_string().contains("in use by another process"), "{refused}");
    let second = std::thread::spawn({
        let folder = folder.path().to_owned();
        move || receive(&mut plain_office_in(&folder), &letter, "anna@example.net", "bid 4").unwrap()
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(!second.is_finished(), "it waits");
    drop(lease);
    second.join().unwrap();
    let text = String::from_utf8(journal(folder.path())).unwrap();
    assert!(text.contains("\"coins\":4"), "{text}");
}

#[test]
fn two_offices_take_turns_on_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let (mut first, mut second) = (plain_office_in(folder.path()), plain_office_in(folder.path()));
    first.new_game(&table()).unwrap();
    let letter = take_mail(&first, "lone-pine.B.");
    second.order(GAME, Seat(0), "bid 4").unwrap();
    receive(&mut first, &letter, "ben@example.net", "bid 1").unwrap();
    let seen = |office: &mut Office| {
        (office.terminal(GAME).glance().unwrap().head, office.terminal(GAME).answers(Seat(2)).unwrap())
    };
    assert_eq!(seen(&mut first), seen(&mut second));
    // The same mail again: the second process knows what the first recorded.
    let again = second.receive(answer("ben@example.net", &letter, "bid 1").as_bytes()).unwrap();
    assert_eq!(again.outcome, Outcome::Again);
    first.order(GAME, Seat(2), "bid 0").unwrap();
    let (said, done) = second.order(GAME, Seat(0), "give ben").unwrap();
    assert!(done, "{said}");
    assert_eq!(seen(&mut first), seen(&mut second));
    let read = postrider_replay::source::READ.get();
    for _ in 0..3 {
        first.terminal(GAME).glance().unwrap();
    }
    assert_eq!(postrider_replay::source::READ.get(), read, "a game that was not changed is not read again");
    let report = verify(&Source::from(first.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ());
    assert!(report.unwrap().contradictions.is_empty());
}

#[test]
fn only_games_in_which_something_is_to_be_done_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    with_deadlines(folder.path());
    let mut office = plain_office_in(folder.path());
    assert_eq!(office.due().unwrap(), [GAME], "its deadline has passed");
    office.tick(GAME).unwrap();
    assert_eq!(office.due().unwrap(), [""; 0]);
    let read = postrider_replay::source::READ.get();
    let stray = "From: zoe@example.net\nTo: postrider@localhost\nSubject: hello\n\nbid 4\n";
    let taken = office.receive(stray.as_bytes()).unwrap();
    assert!(matches!(taken.outcome, Outcome::Filed(_)) && taken.game.is_none());
    assert_eq!(postrider_replay::source::READ.get(), read);
    // According to the index, the letters were not written.
    let secrets = folder.path().join(format!("secrets/{GAME}.jsonl"));
    let text = fs::read_to_string(&secrets).unwrap();
    let without = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&secrets, &text[..without]).unwrap();
    assert_eq!(office.due().unwrap(), [GAME]);
    let count = outbox(&office).len();
    office.tick(GAME).unwrap();
    assert_eq!((office.due().unwrap().len(), outbox(&office).len()), (0, count));
    // An index that is missing or outdated is rebuilt.
    office.store().forget().unwrap();
    assert_eq!(office.store().games_of("Anna@example.net").unwrap(), [GAME]);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(office.due().unwrap(), [""; 0]);
}

#[test]
fn a_clock_that_goes_backwards_breaks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let letter = two_have_bid(folder.path());
    let mut office = plain_office_in(folder.path());
    office.environment().advance(-30 * 86_400);
    receive(&mut office, &letter, "anna@example.net", "bid 4").unwrap();
    office.close_games();
    office.open_game(GAME).unwrap();
    let text = String::from_utf8(journal(folder.path())).unwrap();
    assert!(text.lines().last().unwrap().starts_with("{\"at\":\"2026-10-21T"), "{text}");
    let report =
        verify(&Source::from(office.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ()).unwrap();
    assert!(report.contradictions.is_empty(), "{report}");
}

/// Code that bypasses the `disk` crate would not be covered by the table above.
#[test]
fn files_change_through_one_place_alone() {
    fn look(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // Tests are at the end of a file or in files of their own.
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let calls = [".sync_all()", ".sync_data()", ".set_len(", ".persist", "write(", "rename(", "remove_file("];
            for (line, call) in code.lines().flat_map(|line| calls.iter().map(move |call| (line, call))) {
                let changes = call.starts_with('.')
                    || line.contains(&format!("fs::{call}"))
                    || line.contains(&format!("fs_err::{call}"));
                found.extend((changes && line.contains(call)).then(|| format!("{}: {}", path.display(), line.trim())));
            }
        }
    }
    let mut found = Vec::new();
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../src"));
    for layer in ["journal", "mail", "replay", "store", "letters", "audit", "analysis", "office", "serve", "demo"] {
        look(&source.join(layer), &mut found);
    }
    let of_tests = ["/tests/", "/tests.rs", "/testing.rs"];
    found.retain(|line| !of_tests.iter().any(|part| line.contains(part)));
    assert_eq!(found, Vec::<String>::new(), "use postrider_disk for these");
}
