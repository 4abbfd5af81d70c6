//! Orders reveal no hidden cards.
//!
//! Two hosts have the same game, byte for byte, except that in the second host's decks two cards
//! that were never shown are exchanged, consistently with all public lines of the journal. A seat
//! that holds neither card sends everything that can be sent. The replies, the journals, and the
//! recipients and contents of letters must be the same at both hosts. For letters to the holder of
//! an exchanged card, only the names and recipients are compared.
//!
//! `POSTRIDER_GAMES=1` tests more positions and tries every answer.

use postrider::{
    demo::{Demo, play_demo},
    games::rulesets,
    office::{Environment, Office, Outcome},
    replay::Catalog,
    standing::FactKind,
    store::{Host, MailFolder},
    table::{
        Absent, Bot, Chance, ChanceFault, DynGame, Figure, GameMap, Introduction, NamedBot, OptionalRule, Ruleset,
        Seat, Setup, SetupFault, Shuffle, Subjects, Watch,
    },
};
use serde_json::Value;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::RangeInclusive,
    path::Path,
};
use tempfile::TempDir;

/// A card by deck, epoch and position.
type Place = (String, u64, u64);

thread_local! {
    /// The two positions of one shuffle whose cards are exchanged.
    static SWAPPED: RefCell<Option<(Place, Place)>> = const { RefCell::new(None) };
}

/// The rules of a game with decks in which two cards are exchanged.
struct Dealt(&'static dyn Ruleset);

/// A source with unchanged dice and two cards of a shuffle exchanged. This happens only once,
/// because shuffles that are made up later are counted from the beginning again.
struct Exchanged(Box<dyn Chance>, bool);

impl Chance for Exchanged {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        self.0.roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let mut shuffle = self.0.shuffle(deck, list)?;
        SWAPPED.with_borrow(|swapped| {
            if let Some(((in_deck, epoch, one), (_, _, other))) = swapped
                && (in_deck.as_str(), *epoch) == (deck, u64::from(shuffle.epoch))
                && !std::mem::replace(&mut self.1, true)
            {
                shuffle.order.swap(*one as usize, *other as usize);
            }
        });
        Ok(shuffle)
    }
}

impl Ruleset for Dealt {
    as_it_is! {}
    fn standing(&self) -> &'static str {
        self.0.standing()
    }
    fn bots(&self) -> &'static [NamedBot] {
        self.0.bots()
    }
    fn bot(&self, name: &str) -> Option<Box<dyn Bot>> {
        self.0.bot(name)
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        self.0.open(setup, Box::new(Exchanged(chance, false)), watch)
    }
}

/// The catalog of the second host.
fn exchanged() -> Catalog {
    let all: Vec<&'static dyn Ruleset> =
        rulesets().iter().map(|rules| &*Box::leak(Box::new(Dealt(*rules))) as &'static dyn Ruleset).collect();
    Catalog::new(Box::leak(all.into_boxed_slice()))
}

/// The hidden cards of a journal.
#[derive(Default)]
struct Cards {
    /// The positions of cards that were neither shown nor revealed, with the seats that hold them.
    hidden: BTreeMap<Place, Option<String>>,
}

impl Cards {
    fn of(journal: &str) -> Cards {
        let mut hidden = BTreeMap::new();
        for line in journal.lines() {
            let line: Value = serde_json::from_str(line).expect("journals are JSON");
            let body = &line["body"];
            let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
            let number = |name: &str| body[name].as_u64().unwrap_or_default();
            match line["kind"].as_str().unwrap_or_default() {
                "shuffled" => {
                    let cards = body["cards"].as_array().expect("commitments").len() as u64;
                    hidden.extend((0..cards).map(|pos| ((text("deck"), number("epoch"), pos), None)));
                }
                "dealt" => {
                    for pos in number("from")..number("from") + number("count") {
                        hidden
                            .insert((text("deck"), number("epoch"), pos), Some(text("seat")).filter(|s| !s.is_empty()));
                    }
                }
                "shown" => _ = hidden.remove(&(text("deck"), number("epoch"), number("pos"))),
                "revealed" => {
                    let deck = text("chain").trim_start_matches("deck:").to_owned();
                    let epoch = number("epoch");
                    hidden.retain(|(of, number, _), _| (of, *number) != (&deck, epoch));
                }
                _ => {}
            }
        }
        Cards { hidden }
    }

    /// Returns pairs of cards of one shuffle that the seat does not hold: both held by different
    /// seats, or one of them by nobody.
    fn pairs(&self, seat: &str) -> Vec<(Place, Place)> {
        let others = self.hidden.iter().filter(|(_, holder)| holder.as_deref() != Some(seat));
        let others: Vec<_> = others.collect();
        let mut pairs = Vec::new();
        for (k, (one, holder)) in others.iter().enumerate() {
            for (other, with) in &others[k + 1..] {
                let same = (&one.0, one.1) == (&other.0, other.1);
                if same && holder != with {
                    pairs.push(((*one).clone(), (*other).clone()));
                }
            }
        }
        // The order is scattered, so that a few trials cover many holders.
        pairs.sort_by_key(|(one, other)| (one.2 * 7 + other.2 * 13) % 31);
        pairs
    }
}

fn copied(from: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    crate::samples::copy_folder(from, folder.path());
    folder
}

fn opened(folder: &Path, catalog: Catalog) -> Office {
    // Both hosts have the same clock and source of randomness.
    let now = chrono::DateTime::from_timestamp(1_900_000_000, 0).expect("a time");
    Office::open(Host::open(folder).expect("a host's folder"), catalog, Environment::fixed(5, now)).expect("an office")
}

/// A game in progress, with a letter to the seat that sends.
struct Base {
    folder: TempDir,
    game: String,
    seat: Seat,
    letter: String,
    answers: Vec<String>,
}

/// Two hosts with the game.
struct Hosts {
    folders: [TempDir; 2],
    offices: [Office; 2],
}

/// The channel of a message: by mail, or entered by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Mail,
    Hand,
}

impl Base {
    fn play(ruleset: &str, seats: u8, seed: u64, mails: usize) -> Base {
        let folder = tempfile::tempdir().expect("there is room");
        let demo = Demo {
            folder: folder.path().to_owned(),
            ruleset: ruleset.to_owned(),
            seats,
            seed: Some(seed),
            most: Some(mails),
            id: Some("lone-pine".to_owned()),
            ..Demo::default()
        };
        let played =
            play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("a game by mail");
        // More is sent here in a moment than is normally answered in an hour.
        let settings = folder.path().join("postrider.toml");
        let text = fs::read_to_string(&settings).unwrap_or_default();
        let others = text.lines().filter(|line| !line.starts_with("answers_per_hour"));
        let unlimited: Vec<&str> = ["answers_per_hour = 0"].into_iter().chain(others).collect();
        fs::write(&settings, unlimited.join("\n")).expect("settings can be written");
        let mut office = opened(folder.path(), Catalog::new(postrider::games::rulesets()));
        let awaited = office.terminal(&played.game).glance().expect("it can be looked at").awaited;
        let seat = *awaited.first().expect("somebody is asked");
        let answers = office.terminal(&played.game).answers(seat).expect("it can be looked at");
        for mail in office.host().mail(MailFolder::Out).expect("an outbox").list().expect("it can be listed") {
            fs::remove_file(mail.path).expect("it is there");
        }
        office.resend(&played.game, seat).expect("it can be written");
        drop(office);
        let (_, letter) = outbox(folder.path()).pop_last().expect("a letter");
        for file in fs::read_dir(folder.path().join("mail/out/new")).expect("the outbox") {
            fs::remove_file(file.expect("a file").path()).expect("it is there");
        }
        Base { folder, game: played.game, seat, letter, answers }
    }

    fn journal(&self) -> String {
        fs::read_to_string(self.folder.path().join("journal/lone-pine.jsonl")).expect("a journal")
    }

    /// Opens the game at both hosts; `None` if the second one's cards are inconsistent with the
    /// journal.
    fn hosts(&self) -> Option<Hosts> {
        let folders = [copied(self.folder.path()), copied(self.folder.path())];
        let mut offices = [
            opened(folders[0].path(), Catalog::new(postrider::games::rulesets())),
            opened(folders[1].path(), exchanged()),
        ];
        offices[1].open_game(&self.game).ok()?;
        offices[0].open_game(&self.game).expect("it is as it was played");
        let [one, two] = folders.each_ref().map(|folder| outbox(folder.path()));
        (one == two).then_some(Hosts { folders, offices })
    }

    fn mail(&self, text: &str, number: usize) -> String {
        let field = |name: &str| {
            let folded = self.letter.replace("\n ", " ").replace("\n\t", " ");
            let line = folded.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
            line.unwrap_or_else(|| panic!("no {name}"))
        };
        format!(
            "From: {}\nTo: {}\nSubject: Re: {}\nMessage-ID: <{number}@x.example>\nIn-Reply-To: {}\n\n{text}\n",
            field("To"),
            field("Reply-To"),
            field("Subject"),
            field("Message-ID")
        )
    }
}

fn outbox(folder: &Path) -> BTreeMap<String, String> {
    let Ok(files) = fs::read_dir(folder.join("mail/out/new")) else { return BTreeMap::new() };
    let read = |file: std::io::Result<fs::DirEntry>| {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("mails are text").replace("\r\n", "\n"))
    };
    files.map(read).collect()
}

/// Returns the part of a letter's header that does not depend on its reader's cards: recipient,
/// subject, and references.
fn header(mail: &str) -> String {
    let header = mail.split_once("\n\n").map_or(mail, |(header, _)| header);
    let of_parts = |line: &&str| !line.contains("boundary") && !line.starts_with("Content-");
    header.lines().filter(of_parts).collect::<Vec<_>>().join("\n")
}

/// Returns a difference between the hosts, if any; `holders` are the seats whose own cards differ.
fn difference(hosts: &Hosts, holders: &BTreeSet<String>) -> Option<String> {
    let [one, two] = hosts.folders.each_ref().map(TempDir::path);
    let journals =
        [one, two].map(|folder| fs::read_to_string(folder.join("journal/lone-pine.jsonl")).expect("a journal"));
    if let Some((line, other)) = journals[0].lines().zip(journals[1].lines()).find(|(line, other)| line != other) {
        return Some(format!("the journal: {line}\n{other}"));
    }
    let (mine, theirs) = (outbox(one), outbox(two));
    if mine.keys().ne(theirs.keys()) {
        return Some(format!("which letters go out: {:?}, {:?}", mine.keys(), theirs.keys()));
    }
    for ((name, letter), other) in mine.iter().zip(theirs.values()) {
        let holds = holders.iter().any(|seat| name.starts_with(&format!("lone-pine.{seat}.")));
        let (letter, other) = if holds { (header(letter), header(other)) } else { (letter.clone(), other.clone()) };
        if let Some((line, other)) = letter.lines().zip(other.lines()).find(|(line, other)| line != other) {
            return Some(format!("the letter {name}: {line}\n{other}"));
        }
        if letter != other {
            return Some(format!("how long the letter {name} is"));
        }
    }
    if journals[0] != journals[1] {
        return Some("how long the journal is".to_owned());
    }
    None
}

/// Returns `true` if lines after the first `before` reveal cards, which everyone may then know.
fn shows(hosts: &Hosts, before: usize) -> bool {
    let journal = fs::read_to_string(hosts.folders[0].path().join("journal/lone-pine.jsonl")).expect("a journal");
    let open = |line: &str| {
        ["shown", "revealed", "shuffled"].iter().any(|kind| line.contains(&format!("\"kind\":\"{kind}\"")))
    };
    journal.lines().skip(before).any(open)
}

/// Sends the same to both hosts; returns a difference between the results.
fn sent(
    base: &Base,
    hosts: &mut Hosts,
    by: By,
    text: &str,
    number: usize,
    holders: &BTreeSet<String>,
) -> Option<String> {
    let said = hosts.offices.each_mut().map(|office| match by {
        By::Hand => match office.order(&base.game, base.seat, text) {
            Ok((said, done)) => format!("{done} {said}"),
            Err(why) => format!("fault: {why}"),
        },
        By::Mail => match office.receive(base.mail(text, number).as_bytes()) {
            Ok(processed) => {
                assert!(!matches!(processed.outcome, Outcome::Filed(_)), "{processed:?}");
                format!("{processed:?}")
            }
            Err(why) => format!("fault: {why}"),
        },
    });
    if said[0] != said[1] {
        return Some(format!("the answer: {}\n{}", said[0], said[1]));
    }
    let stands = hosts.offices.each_mut().map(|office| {
        let glance = office.terminal(&base.game).glance().expect("it can be looked at");
        (format!("{:?}", glance.awaited), office.terminal(&base.game).answers(base.seat).expect("it can be looked at"))
    });
    if stands[0] != stands[1] {
        return Some(format!("what is asked: {:?}\n{:?}", stands[0], stands[1]));
    }
    difference(hosts, holders)
}

/// Messages that change nothing, or only how letters are sent; all of them can be sent in sequence.
fn questions(answers: &[String]) -> Vec<String> {
    let mut all: Vec<String> = [
        "status",
        "map",
        "help",
        "help raid",
        "help token",
        "help xyzzy",
        "help back",
        "neighbours of utah",
        "standing",
        "xyzzy",
        "1z",
        "99",
        "yes",
        "confirm",
        "1",
        "a?",
        "back",
        "preview\nback",
        "back\nback",
        "stop",
        "join",
        "rewind to turn 1",
        "rewind",
        "take back",
        "offer utah 5",
        "standing xyzzy: pass",
        "standing xyzzy end",
        "messages later",
        "messages now",
        "letters short",
        "letters long",
        "letters usual",
        "delay 10 minutes",
        "delay off",
        "tell host: who holds the last card?",
        "tell all: I ask you all",
        "tell xyzzy: hello",
        "confirm always",
    ]
    .map(str::to_owned)
    .into();
    for answer in answers {
        all.extend([
            format!("preview\n{answer}"),
            format!("maybe {answer}"),
            format!("{answer}?"),
            format!("not {answer}"),
            format!("{answer} or {}", answers[0]),
            format!("help {answer}"),
            format!("preview\n{answer}\nback\n{}", answers[answers.len() - 1]),
        ]);
    }
    // After `confirm always` these are only proposed, so no order is executed.
    all.extend(answers.iter().cloned());
    all
}

/// Messages that may change the position; each is sent in a game of its own.
fn orders(answers: &[String], kinds: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = vec![answers.join("\n"), "new token".to_owned()];
    for (k, answer) in answers.iter().enumerate() {
        let next = &answers[(k + 1) % answers.len()];
        all.extend([
            answer.clone(),
            format!("{answer}\nback"),
            format!("{answer}\nback\n{next}"),
            format!("{answer}\nxyzzy"),
        ]);
    }
    for kind in kinds {
        all.push(format!("standing {kind}: {}", answers[0]));
        all.push(format!("standing {kind} always: {}\nstanding\nback", answers[0]));
    }
    all
}

/// Tries everything in a position; returns the number of messages sent with exchanged cards, and
/// the leaks.
fn tried(base: &Base, rules: &'static dyn Ruleset, most: usize) -> (usize, Vec<String>) {
    let cards = Cards::of(&base.journal());
    let seat = base.seat.to_string();
    let (mut count, mut leaks, mut ways) = (0, Vec::new(), 0);
    let before = base.journal().lines().count();
    let some: Vec<String> = base.answers.iter().take(most).cloned().collect();
    let kinds = rules.kinds();
    for pair in cards.pairs(&seat) {
        let holders: BTreeSet<String> =
            [&pair.0, &pair.1].iter().filter_map(|place| cards.hidden[*place].clone()).collect();
        SWAPPED.set(Some(pair.clone()));
        // Not all pairs are consistent with the later journal.
        let Some(mut hosts) = base.hosts() else { continue };
        for (number, text) in questions(&some).iter().enumerate() {
            for by in [By::Mail, By::Hand] {
                // Orders entered by the host are not confirmed first.
                if by == By::Hand && some.contains(text) {
                    continue;
                }
                count += 1;
                if let Some(leak) = sent(base, &mut hosts, by, text, number, &holders) {
                    leaks.push(format!("{pair:?}, {by:?}, {text:?}: {leak}"));
                }
                if !leaks.is_empty() {
                    return (count, leaks);
                }
            }
        }
        let kinds: Vec<&str> = kinds.iter().copied().take(most).collect();
        for (number, text) in orders(&some, &kinds).iter().enumerate() {
            let by = if number % 2 == 0 { By::Mail } else { By::Hand };
            let mut hosts = base.hosts().expect("as before");
            let leak = sent(base, &mut hosts, by, text, number, &holders);
            if leak.is_some() && shows(&hosts, before) {
                continue;
            }
            count += 1;
            leaks.extend(leak.map(|leak| format!("{pair:?}, {by:?}, {text:?}: {leak}")));
        }
        ways += 1;
        if ways == if most > 2 { 3 } else { 1 } {
            break;
        }
    }
    SWAPPED.set(None);
    (count, leaks)
}

/// Positions of every game with hidden cards: ruleset, seats, seed, and number of mails before.
fn positions() -> Vec<(&'static str, u8, u64, usize)> {
    let few = vec![("geronimo", 3, 31, 24), ("plains-indian-wars", 2, 5, 30)];
    if std::env::var_os("POSTRIDER_GAMES").is_none() {
        return few;
    }
    let more = (1..=6).flat_map(|k| {
        [
            ("geronimo", 4, 7, 25 * k as usize),
            ("plains-indian-wars", 4, 9, 40 * k as usize),
            ("geronimo", 2, 3, 30 * k as usize),
        ]
    });
    few.into_iter().chain(more).collect()
}

#[test]
fn no_order_tells_anything_of_hidden_cards() {
    let most = if std::env::var_os("POSTRIDER_GAMES").is_some() { 12 } else { 2 };
    let with_decks: BTreeSet<&str> =
        rulesets().iter().filter(|rules| !rules.decks().is_empty()).map(|rules| rules.name()).collect();
    let mut looked_at = BTreeSet::new();
    for (name, seats, seed, mails) in positions() {
        let rules = *rulesets().iter().find(|rules| rules.name() == name).expect("a game");
        let base = Base::play(name, seats, seed, mails);
        let (count, leaks) = tried(&base, rules, most);
        println!("{name} for {seats}, {mails} mails, seat {}: {count} sent, {} leaks", base.seat, leaks.len());
        assert!(leaks.is_empty(), "{name} for {seats}, seed {seed}, {mails} mails: {leaks:#?}");
        assert!(count > 40, "{name} for {seats}, seed {seed}, {mails} mails: {count}");
        looked_at.insert(name);
    }
    assert_eq!(looked_at, with_decks, "every game with hidden cards");
}

#[test]
fn the_comparison_notices_a_card_that_is_told() {
    let base = Base::play("geronimo", 3, 31, 24);
    let cards = Cards::of(&base.journal());
    let seat = base.seat.to_string();
    let noticed = cards.hidden.iter().filter(|(_, holder)| holder.as_ref() == Some(&seat)).any(|(mine, _)| {
        cards
            .hidden
            .iter()
            .filter(|(other, holder)| holder.is_none() && (&other.0, other.1) == (&mine.0, mine.1))
            .take(3)
            .any(|(other, _)| {
                SWAPPED.set(Some((mine.clone(), other.clone())));
                let Some(mut hosts) = base.hosts() else { return false };
                sent(&base, &mut hosts, By::Hand, "status", 1, &BTreeSet::new()).is_some()
            })
    });
    SWAPPED.set(None);
    assert!(noticed);
}

#[test]
fn advice_that_is_played_out_tells_nothing_of_hidden_cards() {
    for (name, seats, seed, mails) in [("geronimo", 3, 31, 24), ("plains-indian-wars", 2, 5, 30)] {
        let base = Base::play(name, seats, seed, mails);
        let cards = Cards::of(&base.journal());
        let mut compared = 0;
        for pair in cards.pairs(&base.seat.to_string()).into_iter().take(6) {
            SWAPPED.set(Some(pair));
            let Some(mut hosts) = base.hosts() else { continue };
            let told = hosts
                .offices
                .each_mut()
                .map(|office| office.order(&base.game, base.seat, "advice played out").expect("it is answered").0);
            assert!(told[0].contains("short games"), "{}", told[0]);
            assert_eq!(told[0], told[1], "{name}");
            compared += 1;
            // One pair is enough, because eight games for each answer on two hosts take time.
            break;
        }
        SWAPPED.set(None);
        assert!(compared > 0, "{name}");
    }
}
