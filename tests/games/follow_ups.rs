//! The table of questions that usually follow an order, compared with whole games between bots.
//! With POSTRIDER_WRITE_DOCS the test updates `src/games/<game>/next.tsv` from POSTRIDER_GAMES
//! games.

use postrider::{
    games::rulesets,
    table::{Bots, Ruleset, SeededChance, Setup, Watch, order_kind},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// For each kind of question and of order, the number of times that each kind followed, for the
/// player who gave the order (`true`) and for others.
type Seen = BTreeMap<(String, String), BTreeMap<(bool, &'static str), u32>>;

/// Maximum number of kinds listed for either, and their minimum share, in percent, of everything
/// that followed.
const MOST: usize = 4;
const SHARE: u32 = 5;
/// A kind must be listed if it followed in more than `COMMON` percent of at least `ENOUGH` orders.
const COMMON: u32 = 40;
const ENOUGH: u32 = 20;

fn watch(ruleset: &dyn Ruleset, seats: u8, scenario: &str, seed: u32, seen: &mut Seen) {
    let setup = Setup {
        seats,
        scenario: scenario.to_owned(),
        options: BTreeMap::new(),
        components: ruleset.components().into(),
    };
    // Not every scenario allows this number of seats.
    let Ok(mut game) = ruleset.open(&setup, Box::new(SeededChance::new(seed.into())), Watch::NONE) else { return };
    let bot = |seat: u8| match (u32::from(seat) + seed) % 3 {
        0 => ruleset.bot("random"),
        _ => ruleset.bots().first().and_then(|bot| ruleset.bot(bot.name)).or_else(|| ruleset.bot("random")),
    };
    let mut bots = Bots::new((0..seats).map(bot).collect());
    let mut drawn = seed;
    let mut below = |n: u32| {
        drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (drawn >> 8) % n.max(1)
    };
    for _ in 0..20_000 {
        let first = game.next_prompt();
        let Ok(Some(decision)) = bots.decide(&*game, &mut below) else { return };
        let asked = decision.asked;
        // An illegal attempt of a bot is refused, and nothing follows.
        if game.decide(asked.seat, asked.id, &decision.order).is_err() {
            continue;
        }
        let follows = seen.entry((asked.kind.to_owned(), order_kind(&decision.order))).or_default();
        for new in game.asked().unwrap_or_default().into_iter().filter(|new| new.id >= first && new.required) {
            *follows.entry((new.seat == asked.seat, new.kind)).or_default() += 1;
        }
    }
}

/// Maximum number of scenarios of a ruleset to play, unless `POSTRIDER_GAMES` is set.
const MOST_SCENARIOS: usize = 4;

fn games(ruleset: &dyn Ruleset, each: u32) -> Seen {
    let mut seen = Seen::new();
    // By default a selection of scenarios from the whole list; all if games are requested.
    let all = ruleset.scenarios();
    let step = if std::env::var_os("POSTRIDER_GAMES").is_some() { 1 } else { all.len().div_ceil(MOST_SCENARIOS) };
    for seed in 0..each {
        for (at, scenario) in all.iter().enumerate().step_by(step) {
            let seats: Vec<u8> = ruleset.seats().collect();
            watch(ruleset, seats[(at + seed as usize) % seats.len()], scenario, seed, &mut seen);
        }
    }
    seen
}

fn table(seen: &Seen) -> String {
    let mut lines = String::new();
    for ((kind, order), follows) in seen {
        let all: u32 = follows.values().sum();
        let named = |own: bool| {
            let mut kinds: Vec<(u32, &str)> =
                follows.iter().filter(|((whose, _), _)| *whose == own).map(|((_, kind), n)| (*n, *kind)).collect();
            kinds.retain(|(n, _)| n * 100 >= all * SHARE);
            kinds.sort_by_key(|(n, kind)| (std::cmp::Reverse(*n), *kind));
            kinds.into_iter().take(MOST).map(|(_, kind)| kind).collect::<Vec<_>>().join(",")
        };
        let (own, others) = (named(true), named(false));
        if !own.is_empty() || !others.is_empty() {
            lines += &format!("{kind}\t{order}\t{own}\t{others}\n");
        }
    }
    lines
}

fn file(ruleset: &dyn Ruleset) -> PathBuf {
    let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games")).expect("the games");
    let mut files = folders.filter_map(Result::ok).map(|folder| folder.path().join("next.tsv"));
    files
        .find(|file| fs::read_to_string(file).is_ok_and(|text| text == ruleset.next()))
        .unwrap_or_else(|| panic!("{}: no next.tsv in src/games is its own", ruleset.name()))
}

#[test]
fn what_mostly_follows_is_what_the_preview_says() {
    let each = std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for ruleset in rulesets() {
        let seen = games(*ruleset, each);
        if std::env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
            fs::write(file(*ruleset), table(&seen)).expect("it can be written");
            continue;
        }
        let written: BTreeMap<(&str, &str), BTreeSet<&str>> = { ruleset.next().lines() }
            .map(|line| line.split('\t').collect::<Vec<_>>())
            .map(|cells| ((cells[0], cells[1]), cells[2..].iter().flat_map(|cell| cell.split(',')).collect()))
            .collect();
        assert!(!written.is_empty(), "{}", ruleset.name());
        for ((kind, order), follows) in &seen {
            let all: u32 = follows.values().sum();
            for ((_, next), n) in follows.iter().filter(|_| all >= ENOUGH) {
                let named = written.get(&(kind, order)).is_some_and(|named| named.contains(next));
                assert!(
                    named || n * 100 < all * COMMON,
                    "{}: after {order} to {kind} came {next} {n} times of {all}; POSTRIDER_WRITE_DOCS=1 POSTRIDER_GAMES=20 writes the table",
                    ruleset.name()
                );
            }
        }
    }
}
