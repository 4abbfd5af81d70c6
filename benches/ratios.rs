//! Speed and size, as rates and as ratios within one run: `cargo bench --bench ratios`, or a part
//! of it: `cargo bench --bench ratios -- speed rewind append mail memory`.
//!
//! Everything except appending is measured in processor time of this program's only thread,
//! interleaved over several rounds; the median counts. The program only prints; it never fails.

#[path = "../tests/samples/mod.rs"]
mod samples;
mod shared;

use mail_parser::MessageParser;
use postrider::{
    audit::{Evidence, verify, verify_with},
    demo::{Demo, play_demo},
    dice::{ChainTip, DICE_CHAIN, DiceStream, Hash, SeedChain, h, sha256},
    games,
    journal::{Body, Checker, JournalFile, Line, Lines, Writer},
    office::{Environment, Office, Outcome, RewindGame},
    replay::{Catalog, Checkpoint, LiveGame, Source, rebuild},
    store::{Host, MailFolder},
    table::{
        Chance, DynGame, NotedChance, PromptId, Recorded, RecordedChance, Ruleset, Seat, SeededChance, Setup, Watch,
    },
};
use rustix::time::{ClockId, clock_gettime};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    env, fs, hint,
    io::{BufWriter, Write},
    path::Path,
    process::Command,
    rc::Rc,
    time::{Duration, Instant},
};

/// Number of measurements of each quantity.
const ROUNDS: usize = 7;
/// Minimum duration of a measurement.
const LEAST: Duration = Duration::from_millis(150);
/// Number of appends measured.
const APPENDS: usize = 400;
/// Number of mails measured, of each kind.
const MAILS: usize = 40;
/// The argument with which this program verifies a journal in a separate process, to measure its
/// memory.
const CHILD: &str = "--verify-child";

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == CHILD) {
        return verify_child(Path::new(&arguments[at + 1]));
    }
    let folder = tempfile::tempdir().expect("there is room");
    let mut table = Table::default();
    let named: Vec<&String> = arguments.iter().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| *name == part);
    if wanted("speed") {
        speed(&mut table);
    }
    if wanted("rewind") {
        rewind(folder.path(), &mut table);
    }
    if wanted("append") {
        append(&mut table);
    }
    if wanted("mail") {
        mail(folder.path(), &mut table);
    }
    if wanted("memory") {
        memory(folder.path(), &mut table);
    }
    table.print();
}

/// The results, printed at the end.
#[derive(Default)]
struct Table(Vec<[String; 3]>);

impl Table {
    fn row(&mut self, what: impl Into<String>, measured: String, wanted: &str) {
        let what = what.into();
        eprintln!("{what}: {measured}");
        self.0.push([what, measured, wanted.to_owned()]);
    }
    fn print(&self) {
        println!("\n{:<86} {:>10}   wanted", "what", "measured");
        for [what, measured, wanted] in &self.0 {
            println!("{what:<86} {measured:>10}   {wanted}");
        }
    }
}

/// Returns the processor time of this thread so far.
fn cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("no thread has run for less than no time")
}

/// Returns the seconds that one run of `work` takes.
fn time<T>(mut work: impl FnMut() -> T) -> f64 {
    let begun = cpu();
    let mut runs = 0;
    loop {
        hint::black_box(work());
        runs += 1;
        let taken = cpu() - begun;
        if taken >= LEAST {
            return taken.as_secs_f64() / f64::from(runs);
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns the number of players of a game whose speed is measured: four, or the nearest possible
/// number.
fn players(rules: &dyn Ruleset) -> u8 {
    4.clamp(*rules.seats().start(), *rules.seats().end())
}

/// Opens a game for four, or the nearest possible number, and runs it to its first questions.
fn opened(rules: &dyn Ruleset, scenario: &str, chance: Box<dyn Chance>) -> Box<dyn DynGame> {
    let setup = Setup {
        seats: players(rules),
        scenario: scenario.to_owned(),
        options: BTreeMap::new(),
        components: rules.components().into(),
    };
    rules.open(&setup, chance, Watch::NONE).expect("it can be set up")
}

/// Plays a game to its end; returns its decisions, and the dice and cards.
fn played(rules: &dyn Ruleset, scenario: &str, seed: u64) -> (Vec<(Seat, PromptId, String)>, Recorded) {
    let mut players = DiceStream::new(h("postrider/bench/v1", &["players", &seed.to_string()]));
    let notes = Rc::new(RefCell::new(Recorded::default()));
    let chance = NotedChance::new(SeededChance::new(seed), notes.clone());
    let mut dyn_game = opened(rules, scenario, Box::new(chance));
    let mut decisions = Vec::new();
    while dyn_game.outcome().is_none() {
        let mut required = dyn_game.asked().expect("the game goes on");
        required.retain(|asked| asked.required);
        let asked = &required[players.below(required.len() as u32) as usize];
        let order = dyn_game.sample(asked.id, &mut |n| players.below(n)).expect("a question has legal answers");
        dyn_game.decide(asked.seat, asked.id, &order).expect("it is legal");
        decisions.push((asked.seat, asked.id, order.json()));
    }
    let notes = notes.borrow().clone();
    (decisions, notes)
}

/// Returns the number of decisions per second in a replay of a finished game. Orders are parsed
/// from text, as from a journal.
fn rules_alone(rules: &dyn Ruleset, scenario: &str) -> f64 {
    let (decisions, notes) = played(rules, scenario, 1);
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        // The copies that the replays use up are made outside the measurement.
        let mut taken = Duration::ZERO;
        let mut runs = 0;
        while taken < LEAST {
            let record = Rc::new(RefCell::new(notes.clone()));
            let begun = cpu();
            let mut dyn_game = opened(rules, scenario, Box::new(RecordedChance(record)));
            for (seat, prompt, order) in &decisions {
                dyn_game.submit(*seat, *prompt, order).expect("it was legal");
            }
            assert!(dyn_game.outcome().is_some(), "the same game");
            taken += cpu() - begun;
            runs += decisions.len();
        }
        rates.push(runs as f64 / taken.as_secs_f64());
    }
    median(rates)
}

/// Parses each line as plain JSON and hashes its bytes, which is the minimum that any reader of a
/// journal must do.
fn parse_and_hash(journal: &[u8]) {
    for line in journal.split_inclusive(|&byte| byte == b'\n') {
        let line = &line[..line.len() - 1];
        hint::black_box(serde_json::from_slice::<serde_json::Value>(line).expect("a line is JSON"));
        hint::black_box(sha256(line));
    }
}

/// Returns a checker that does not follow each s_0 to its tip. That takes the same time for a game
/// of any length, and has a row of its own.
fn unfollowed() -> Checker {
    Checker::new().for_the_position()
}

/// Checks steps 1 to 7 of section 9; returns the number of lines.
fn check_without_rules(journal: &[u8]) -> u64 {
    let mut checker = unfollowed();
    checker.feed_all(&mut Lines::new(journal)).expect("it is sound");
    checker.finish().lines
}

fn speed(table: &mut Table) {
    let (journal, recorded) = shared::finished_game(1);
    let lines = journal.iter().filter(|&&byte| byte == b'\n').count() as u64;
    eprintln!("the journal of a Basic Game: {recorded} decisions, {lines} lines, {} bytes", journal.len());
    let mut long = Vec::new();
    shared::long_game(30_000, &mut long);
    let sample = samples::read("geronimo-1/basic-4");
    let journals = [("a Basic Game", journal), ("a journal of 30,000 lines", long), ("the sample", sample)];
    // The last line reveals the s_0 of the dice; following it proves 65,536 links at once, used or
    // not.
    let chain = SeedChain::new(DICE_CHAIN, 65_536, Hash([7; 32]));
    let tip = ChainTip::new(DICE_CHAIN, 65_536, chain.tip());
    let journal = Source::from(&journals[0].1[..]);
    let catalog = Catalog::new(postrider::games::rulesets());
    let (mut whole, mut half) = (Vec::new(), Vec::new());
    let (mut ratios, mut proofs) = (vec![Vec::new(); journals.len()], vec![Vec::new(); journals.len()]);
    let (mut bare_ratios, mut bare_rates) = (ratios.clone(), ratios.clone());
    let mut unfolding = Vec::new();
    for _ in 0..ROUNDS {
        whole.push(
            recorded as f64 / time(|| rebuild(&journal, &catalog, None, None, Watch::NONE).expect("it is sound")),
        );
        half.push(time(|| rebuild(&journal, &catalog, None, Some(lines / 2), Watch::ALL).expect("it is sound")));
        unfolding.push(time(|| tip.unfold(chain.origin(), 0).expect("it leads to the tip")));
        for (at, (((_, bytes), ratios), proofs)) in journals.iter().zip(&mut ratios).zip(&mut proofs).enumerate() {
            let source = Source::from(&bytes[..]);
            let least = time(|| parse_and_hash(bytes));
            let bare = time(|| check_without_rules(bytes));
            bare_ratios[at].push(bare / least);
            bare_rates[at].push(check_without_rules(bytes) as f64 / bare);
            let judged = || verify_with(unfollowed(), &Evidence::default(), &source, &catalog, |_| ());
            let proof = time(|| assert_eq!(judged().expect("it can be read").status, 0));
            ratios.push(proof / least);
            proofs.push(1e3 * proof);
        }
    }
    for rules in games::rulesets() {
        for scenario in rules.scenarios() {
            let name = format!("{}, {scenario}", rules.name());
            let what = format!("{name}: rules alone (decisions/s)");
            table.row(what, format!("{:.0}", rules_alone(*rules, scenario)), "≥ 300000");
            let (journal, decisions) = shared::finished_scenario(*rules, scenario, 1);
            let source = Source::from(&journal[..]);
            let taken = time(|| rebuild(&source, &catalog, None, None, Watch::NONE).expect("it is sound"));
            let what = format!("{name}: from its journal, every line proved (decisions/s)");
            table.row(what, format!("{:.0}", decisions as f64 / taken), "-");
        }
    }
    table.row("rebuild from its journal, every line proved (decisions/s)", format!("{:.0}", median(whole)), "-");
    table.row("rewind to the middle, with story and digests (ms)", format!("{:.2}", 1e3 * median(half)), "-");
    for scenario in ["basic", "campaign"] {
        any_round(scenario, table);
    }
    table.row(
        "following s_0 of the dice chain to its tip, which every check of a closed game does (ms)",
        format!("{:.2}", 1e3 * median(unfolding)),
        "-",
    );
    for (((name, _), ratios), rates) in journals.iter().zip(bare_ratios).zip(bare_rates) {
        table.row(format!("checking {name} without rules (lines/s)"), format!("{:.0}", median(rates)), "≥ 400000");
        let what = format!("checking {name} without rules / parse and hash each line");
        table.row(what, format!("{:.2}", median(ratios)), "≤ 2");
    }
    for (((name, _), ratios), proofs) in journals.iter().zip(ratios).zip(proofs) {
        table.row(format!("verify of {name} (ms)"), format!("{:.2}", median(proofs)), "-");
        let what = format!("verify of {name} / parse and hash each line");
        table.row(what, format!("{:.2}", median(ratios)), "≤ 3");
    }
}

/// Appends each command of a game as the office does, from creating its lines until they are safe,
/// compared with a bare write and sync of the same bytes to another file in the same folder.
/// Measured in real time, because most of it is spent on the disk.
fn append(table: &mut Table) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("there is room");
    let (journal, _) = shared::finished_game(1);
    let text = String::from_utf8(journal).expect("a journal is text");
    let lines: Vec<Line<'_>> = text.lines().map(|line| Line::parse(line.as_bytes()).expect("it is a line")).collect();
    let bodies: Vec<Body<'_>> = lines.iter().map(|line| line.read_body().expect("it has a body")).collect();
    let begins: Vec<usize> = (0..lines.len()).filter(|&n| n == 0 || lines[n].kind == "decision").collect();
    let end = [lines.len()];
    let commands = begins.iter().zip(begins.iter().skip(1).chain(&end));
    let mut writer = Writer::new(&lines[0].opened_game().expect("it opens a game")).expect("it is an id");
    let mut file = JournalFile::create(folder.path().join("journal.jsonl")).expect("there is room");
    let mut bare = fs::File::create(folder.path().join("bare.jsonl")).expect("there is room");
    let (mut ours, mut least) = (Vec::new(), Vec::new());
    for (at, (&from, &to)) in commands.take(APPENDS + 1).enumerate() {
        let mut batch = String::new();
        let mut append = || {
            let begun = Instant::now();
            for n in from..to {
                batch += &writer.line(lines[n].at, &bodies[n]).expect("it was a line before");
            }
            file.append(batch.as_bytes()).expect("there is room");
            begun.elapsed()
        };
        let bytes: usize = text.lines().skip(from).take(to - from).map(|line| line.len() + 1).sum();
        let mut write = || {
            let bytes = vec![b'x'; bytes];
            let begun = Instant::now();
            bare.write_all(&bytes).and_then(|()| bare.sync_data()).expect("there is room");
            begun.elapsed()
        };
        // Alternated, because the state of the disk may favour the first or the second.
        let (one, other) = if at % 2 == 0 {
            let one = append();
            (one, write())
        } else {
            let other = write();
            (append(), other)
        };
        assert_eq!(batch.len(), bytes, "the same bytes");
        // The first command consists of everything up to the first decision.
        if at > 0 {
            ours.push(1e6 * one.as_secs_f64());
            least.push(1e6 * other.as_secs_f64());
        }
    }
    let (count, ours, least) = (ours.len(), median(ours), median(least));
    table.row(format!("appending a command, until it is safe: median of {count} (µs)"), format!("{ours:.0}"), "-");
    table.row("a bare write and fdatasync of the same bytes (µs)", format!("{least:.0}"), "-");
    table.row("appending a command / bare write and fdatasync", format!("{:.2}", ours / least), "≤ 1.3");
}

/// Returns the mean and the maximum of measurements, in ms.
fn mean_and_most(taken: &[f64]) -> (f64, f64) {
    (taken.iter().sum::<f64>() / taken.len() as f64, taken.iter().copied().fold(0.0, f64::max))
}

/// Finds the position of every Round of a finished game, both as a rewind in an office with the
/// game open, and as a reader of its journal. The median of several runs counts.
fn any_round(scenario: &str, table: &mut Table) {
    let (catalog, rules) = (Catalog::new(postrider::games::rulesets()), games::rulesets()[0]);
    let (journal, decisions) = shared::finished_scenario(rules, scenario, 1);
    let source = Source::from(&journal[..]);
    let live = rebuild(&source, &catalog, None, None, Watch::ALL).expect("it is sound");
    let over_all = |find: &dyn Fn(&LiveGame, u64)| {
        let one = |n: u64| {
            let run = |_| {
                let begun = cpu();
                find(&live, n);
                1e3 * (cpu() - begun).as_secs_f64()
            };
            median((0..ROUNDS).map(run).collect())
        };
        mean_and_most(&live.marks.iter().map(|mark| one(mark.n)).collect::<Vec<_>>())
    };
    let (mean, most) = over_all(&|live, n| {
        hint::black_box(live.then(n).expect("the rules do the same").expect("it is remembered"));
    });
    let count = live.marks.len();
    let what = format!("{scenario}, finished and open: the position of any of {count} Rounds");
    table.row(format!("{what}: mean (ms)"), format!("{mean:.2}"), "-");
    table.row(format!("{what}: most (ms)"), format!("{most:.2}"), "< 5");
    let alone = 1e3 * decisions as f64 / rules_alone(rules, scenario);
    table.row(format!("{what}: most / rules alone to the end"), format!("{:.2}", most / alone), "-");
    let (mean, most) = over_all(&|_, n| {
        hint::black_box(rebuild(&source, &catalog, None, Some(n), Watch::ALL).expect("it is sound"));
    });
    let what = format!("{scenario}, finished: the same from its journal, every line proved");
    table.row(format!("{what}: mean (ms)"), format!("{mean:.2}"), "-");
    table.row(format!("{what}: most (ms)"), format!("{most:.2}"), "-");
}

/// Rewinds a finished game by mail to any Round: first as a dry run, and then really, with the
/// `rewound` line, the report and the letters. The journal was read when the game was opened.
fn rewind(folder: &Path, table: &mut Table) {
    let demo = Demo {
        folder: folder.join("campaign"),
        ruleset: games::rulesets()[0].name().to_owned(),
        seats: 4,
        seed: Some(1),
        scenario: Some("campaign".to_owned()),
        ..Demo::default()
    };
    let game = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {})
        .expect("it is played to its end")
        .game;
    let host = Host::open(&demo.folder).expect("it is a host's folder");
    let source = Source::from(host.journal(&game).as_path());
    let live =
        rebuild(&source, &Catalog::new(postrider::games::rulesets()), None, None, Watch::ALL).expect("it is sound");
    // The last step also marks Rounds, but nothing after it could be undone.
    let then = |n: u64| live.then(n).expect("the rules do the same").expect("it is remembered").n;
    let marks: Vec<u64> = live.marks.iter().map(|mark| mark.n).filter(|&n| then(n) < live.head.n).collect();
    let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System)
        .expect("it is a host's folder");
    office.open_game(&game).expect("it is sound");
    let mut to = |n: u64, dry_run: bool| {
        let (by, reason) = ("director".to_owned(), "the bench".to_owned());
        let wanted = RewindGame { to: Checkpoint::Line(n), by, reason, dry_run };
        // `tick` runs often, and rewinds are rare, so its work is not part of the measurement.
        office.tick(&game).expect("it is sound");
        let begun = cpu();
        office.directing(&game).rewind(&wanted).expect("it can be rewound");
        1e3 * (cpu() - begun).as_secs_f64()
    };
    let count = marks.len();
    let taken: Vec<f64> = marks.iter().map(|&n| median((0..3).map(|_| to(n, true)).collect())).collect();
    let (mean, most) = mean_and_most(&taken);
    let what = format!("a campaign by mail, finished and open: report of a rewind to any of {count} Rounds");
    table.row(format!("{what}: mean (ms)"), format!("{mean:.2}"), "-");
    table.row(format!("{what}: most (ms)"), format!("{most:.2}"), "-");
    for (place, name) in [(count - 1, "the last Round"), (count / 2, "the middle"), (0, "the first Round")] {
        let what = format!("the same, rewound to {name}: line, chains, report, letters (ms)");
        table.row(what, format!("{:.2}", to(marks[place], false)), "-");
    }
}

/// The parts of a letter that an answer needs.
struct Letter {
    number: usize,
    to: String,
    reply_to: String,
    message_id: String,
    subject: String,
    asks: bool,
}

impl Letter {
    fn read(raw: &[u8], number: usize) -> Option<Letter> {
        let mail = MessageParser::default().parse(raw)?;
        let address = |field: Option<&mail_parser::Address<'_>>| Some(field?.first()?.address()?.to_owned());
        Some(Letter {
            number,
            to: address(mail.to())?,
            reply_to: address(mail.reply_to())?,
            message_id: mail.message_id()?.to_owned(),
            subject: mail.subject()?.to_owned(),
            asks: mail.body_text(0)?.contains("\n  1. "),
        })
    }
    /// Creates an answer with the first choice of the first question.
    fn reply(&self) -> Vec<u8> {
        let Letter { number, to, reply_to, message_id, subject, .. } = self;
        format!(
            "From: {to}\r\nTo: {reply_to}\r\nSubject: Re: {subject}\r\nMessage-ID: <{number}@bench.example>\r\n\
             In-Reply-To: <{message_id}>\r\n\r\n1a\r\n"
        )
        .into_bytes()
    }
}

/// Plays the last Turn of a game by mail and measures each mail, in an office with the game open,
/// and in one that opens it for this mail, as `postrider receive` does.
fn mail(folder: &Path, table: &mut Table) {
    let copy = folder.join("last-turn");
    let demo = Demo {
        folder: folder.join("demo"),
        ruleset: games::rulesets()[0].name().to_owned(),
        seats: 4,
        seed: Some(1),
        ..Demo::default()
    };
    let finished = play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, place| {
        if place.starts_with("Turn 7, Round") && !copy.exists() {
            samples::copy_folder(&demo.folder, &copy);
        }
    });
    let game = finished.expect("it is played to its end").game;
    let host = Host::open(&copy).expect("it is a host's folder");
    let lines = fs::read(host.journal(&game)).expect("there is a journal");
    eprintln!("by mail: {} lines when the last Turn begins", lines.iter().filter(|&&byte| byte == b'\n').count());
    let mut letters = BTreeMap::new();
    let mut number = 0;
    let mut old: Vec<_> = (fs::read_dir(copy.join("players")).expect("they have mailboxes"))
        .flat_map(|player| fs::read_dir(player.expect("it can be read").path().join("new")).expect("it is a Maildir"))
        .map(|letter| letter.expect("it can be read").path())
        .collect();
    old.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    let open = || {
        Office::open(host.clone(), Catalog::new(postrider::games::rulesets()), Environment::System)
            .expect("it is a host's folder")
    };
    let mut warm = open();
    let mut costs = [Vec::new(), Vec::new()];
    while costs[1].len() < MAILS {
        let out = host.mail(MailFolder::Out).and_then(|out| Ok(out.list()?)).expect("it is a Maildir");
        let out: Vec<_> = out.into_iter().map(|entry| entry.path).collect();
        for path in old.drain(..).chain(out.iter().cloned()) {
            number += 1;
            if let Some(letter) = Letter::read(&fs::read(&path).expect("it can be read"), number) {
                letters.insert(letter.to.clone(), letter);
            }
        }
        for path in out {
            fs::remove_file(path).expect("it is there");
        }
        // The recipient of the oldest letter answers first.
        let Some(letter) = letters.values().filter(|letter| letter.asks).min_by_key(|letter| letter.number) else {
            break;
        };
        let raw = letter.reply();
        let who = letter.to.clone();
        letters.remove(&who);
        let cold = costs[1].len() < costs[0].len();
        let (begun, processed) = if cold {
            warm.close_games();
            let begun = cpu();
            (begun, open().receive(&raw))
        } else {
            warm.open_game(&game).expect("it is sound");
            (cpu(), warm.receive(&raw))
        };
        let taken = cpu() - begun;
        if let Outcome::Answered { done: 1.., .. } = processed.expect("a mail is taken in").outcome {
            costs[usize::from(cold)].push(1e3 * taken.as_secs_f64());
        }
    }
    for (what, costs) in ["the game open", "a new process"].into_iter().zip(costs) {
        let (count, most) = (costs.len(), costs.iter().copied().fold(0.0, f64::max));
        let mean = costs.iter().sum::<f64>() / count as f64;
        table.row(format!("a mail in the last Turn, {what}: mean of {count} (ms)"), format!("{mean:.2}"), "< 20");
        table.row(format!("a mail in the last Turn, {what}: most (ms)"), format!("{most:.2}"), "< 20");
    }
}

fn memory(folder: &Path, table: &mut Table) {
    let mut figures = BTreeMap::new();
    for wanted in [10_000, 1_000_000] {
        let path = folder.join(format!("{wanted}.jsonl"));
        let mut out = BufWriter::new(fs::File::create(&path).expect("there is room"));
        let lines = shared::long_game(wanted, &mut out);
        out.flush().expect("there is room");
        let program = env::current_exe().expect("this program has a path");
        let output = Command::new(program).arg(CHILD).arg(&path).output().expect("it can be started");
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        eprintln!("{lines} lines, {} bytes: {said}", fs::metadata(&path).map_or(0, |file| file.len()));
        figures.insert(wanted, (lines, said));
        fs::remove_file(&path).expect("it is there");
    }
    for (wanted, (lines, said)) in figures {
        let bound = if wanted == 1_000_000 { "< 100" } else { "-" };
        table.row(format!("peak memory of verify, {lines} lines (MB)"), said, bound);
    }
}

/// Verifies a journal and prints the peak memory of this process.
fn verify_child(path: &Path) {
    let report =
        verify(&Source::from(path), &Catalog::new(postrider::games::rulesets()), |_| ()).expect("it can be read");
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    let peak = peak.map_or("not told".to_owned(), |kilobytes: f64| format!("{:.1}", kilobytes / 1024.0));
    if report.status == 0 {
        println!("{peak}");
    } else {
        println!("status {}: {}", report.status, report);
    }
}
