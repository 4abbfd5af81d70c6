//! The costs of single operations on a journal: `cargo bench --bench parts`.

#[path = "../tests/samples/mod.rs"]
mod samples;
mod shared;

use divan::{Bencher, black_box, counter::BytesCount};
use postrider::{
    demo::{Demo, play_demo},
    dice::{ChainTip, DICE_CHAIN, DiceStream, Hash, SeedChain, Shuffled, roll_seed},
    journal::{Checker, Line, check},
    office::{Environment, Office},
    replay::{Catalog, Source, rebuild},
    store::Host,
    table::{Seat, Watch},
};

fn main() {
    divan::main();
}

/// Measures writing and storing a letter of a game for two, after this number of mails (with
/// `TMPDIR=/dev/shm`, without waiting for a disk).
fn letter_of(
    bencher: Bencher<'_, '_>,
    ruleset: &str,
    scenario: Option<&str>,
    bot: Option<&str>,
    (mails, pictures): (usize, bool),
) {
    let folder = tempfile::tempdir().expect("there is room");
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: ruleset.to_owned(),
        seats: 2,
        seed: Some(1),
        scenario: scenario.map(str::to_owned),
        most: Some(mails),
        bot: bot.map(str::to_owned),
        pictures,
        ..Demo::default()
    };
    let game =
        play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("it is played so far").game;
    let host = Host::open(&demo.folder).expect("it is a host's folder");
    let mut office = Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System)
        .expect("it is a host's folder");
    office.open_game(&game).expect("it is sound");
    bencher.bench_local(|| office.resend(&game, Seat(0)).expect("a letter goes out"));
}

/// Returns a decision line from a real game's journal.
fn decision() -> Vec<u8> {
    let (journal, _) = shared::finished_game(1);
    let mut lines = journal.split(|&byte| byte == b'\n');
    let wanted = b"\"kind\":\"decision\"";
    lines.find(|line| line.windows(wanted.len()).any(|part| part == wanted)).expect("somebody decides").to_vec()
}

#[divan::bench]
fn canonical_check(bencher: Bencher<'_, '_>) {
    let line = decision();
    bencher.counter(BytesCount::of_slice(&line)).bench(|| check(black_box(&line)));
}

#[divan::bench]
fn entry_hash(bencher: Bencher<'_, '_>) {
    let text = decision();
    let line = Line::parse(&text).expect("it is a line");
    bencher.counter(BytesCount::of_slice(&text)).bench(|| black_box(&line).entry_hash());
}

#[divan::bench]
fn read_one_decision(bencher: Bencher<'_, '_>) {
    let text = decision();
    bencher.bench(|| Line::parse(black_box(&text)).expect("it is a line").read_body().is_ok());
}

/// Checks every line of a whole game, steps 1 to 7.
#[divan::bench(sample_count = 20)]
fn check_a_whole_game(bencher: Bencher<'_, '_>) {
    let (journal, _) = shared::finished_game(1);
    bencher.counter(BytesCount::of_slice(&journal)).bench(|| {
        let mut checker = Checker::new();
        for line in journal.split_inclusive(|&byte| byte == b'\n') {
            checker.feed(&line[..line.len() - 1]).expect("it is sound");
        }
    });
}

/// Checks and replays every line of a whole game; the counted items are decisions.
#[divan::bench(sample_count = 20)]
fn rebuild_a_whole_game(bencher: Bencher<'_, '_>) {
    let (journal, decisions) = shared::finished_game(1);
    let (source, catalog) = (Source::from(&journal[..]), Catalog::new(postrider::games::rulesets()));
    bencher
        .counter(divan::counter::ItemsCount::new(decisions))
        .bench(|| rebuild(&source, &catalog, None, None, Watch::NONE).is_ok());
}

/// Reveals a link of the dice chain and rolls two ten-sided dice with it.
#[divan::bench]
fn link_and_roll(bencher: Bencher<'_, '_>) {
    let chain = SeedChain::new(DICE_CHAIN, 65_536, Hash([7; 32]));
    let link = chain.reveal(0).expect("it is new");
    let luck = Hash([1; 32]);
    bencher.with_inputs(|| ChainTip::new(DICE_CHAIN, 65_536, chain.tip())).bench_refs(|tip| {
        tip.reveal(link).expect("it is the next link");
        let mut stream = DiceStream::new(roll_seed("bench", 0, &link, &luck));
        (stream.die(0, 9), stream.die(0, 9))
    });
}

/// Shuffles a deck as large as that of the Shaman Cards, with the commitment to each position.
#[divan::bench]
fn shuffle_46_cards(bencher: Bencher<'_, '_>) {
    let cards: Vec<String> = (1..=46).map(|card| format!("Shaman Card {card}")).collect();
    bencher.with_inputs(|| cards.clone()).bench_values(|cards| {
        let deck = Shuffled::new("bench", "shaman", 0, Hash([7; 32]), &Hash([1; 32]), cards);
        deck.commitments().fold(0_u8, |sum, hash| sum ^ hash.0[0])
    });
}

/// The Battle of Rosebud Creek by its rules alone.
mod rosebud_creek {
    use super::{letter_of, samples};
    use divan::{Bencher, black_box};
    use postrider::{
        drawing::{Picture, png},
        games::rosebud_creek::{
            RosebudCreek, State,
            components::{Components, Kit as _, Side},
            movement::{self, Mover},
            ruleset::RULES,
            setup, sight,
            variant::Variant,
        },
        replay::{Catalog, Source, rebuild},
        table::{Decision, Game as _, Ruleset as _, SeededChance, Session, Watch},
    };

    /// Number of decisions of random players.
    const DECISIONS: u32 = 400;

    /// Plays this number of decisions at random; returns them.
    fn played() -> (Session<RosebudCreek>, Vec<Decision<postrider::games::rosebud_creek::Order>>) {
        let mut session = opened();
        let (mut state, mut taken) = (0x9e37_79b9_u32, Vec::new());
        let mut below = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n.max(1)
        };
        while session.over().is_none() && session.decisions() < DECISIONS {
            let decision = {
                let seen = session.look().expect("it runs");
                let ticket = &seen.tickets[0];
                let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
                Decision { seat: ticket.seat, prompt: ticket.id, order }
            };
            session.submit(&decision).expect("it is legal");
            taken.push(decision);
        }
        (session, taken)
    }

    fn opened() -> Session<RosebudCreek> {
        let variant = Variant::default();
        let g = setup::position(Components::builtin().clone(), "historical", variant);
        Session::start(g, Box::new(SeededChance::new(1)), Watch::NONE)
    }

    /// Returns a position in the middle of a battle.
    fn position() -> State {
        let (session, _) = played();
        session.look().expect("it runs").state.clone()
    }

    /// Runs the rules on known decisions; items per second are decisions per second.
    #[divan::bench(sample_count = 20)]
    fn rules_alone(bencher: Bencher<'_, '_>) {
        let (_, taken) = played();
        bencher.counter(divan::counter::ItemsCount::new(taken.len())).bench(|| {
            let mut session = opened();
            taken.iter().for_each(|decision| session.submit(decision).expect("it was legal"));
            session.decisions()
        });
    }

    /// Computes the hexes that a unit can reach.
    #[divan::bench]
    fn reachable_hexes(bencher: Bencher<'_, '_>) {
        let mut g = position();
        g.fresh_turn();
        let u = g.on_map(Side::Indian).next().expect("somebody is left");
        bencher.bench(|| movement::reach(black_box(&g), Mover::Unit(u)).is_some());
    }

    /// Computes a line of sight over fifteen hexes.
    #[divan::bench]
    fn line_of_sight(bencher: Bencher<'_, '_>) {
        let g = position();
        let (from, to) = (g.charts.grid.hex("2400").expect("a hex"), g.charts.grid.hex("3110").expect("a hex"));
        bencher.bench(|| sight::sees(black_box(&g), from, to));
    }

    /// Returns the drawing of a position in the middle of a battle.
    fn picture() -> Picture {
        let map = RULES.map().expect("it is drawn");
        Picture::shown(map, "A game", &RosebudCreek::view(&position(), None), None)
    }

    /// Renders the part of the map that a letter shows.
    #[divan::bench(sample_count = 20)]
    fn picture_of_a_letter(bencher: Bencher<'_, '_>) {
        let picture = picture();
        bencher.bench(|| png(&picture.part().expect("it has one"), 540).is_ok());
    }

    /// Renders the whole map, which is attached as a file.
    #[divan::bench(sample_count = 20)]
    fn picture_of_the_whole_map(bencher: Bencher<'_, '_>) {
        let picture = picture();
        bencher.bench(|| png(&picture.svg(), 1280).is_ok());
    }

    /// Writes a letter in the middle of a battle, with its picture and the whole map as a file.
    #[divan::bench(sample_count = 20)]
    fn letter_with_its_pictures(bencher: Bencher<'_, '_>) {
        letter_of(bencher, "rosebud-creek", None, Some("steady"), (60, true));
    }

    /// Checks and replays the whole sample game.
    #[divan::bench(sample_count = 5)]
    fn rebuild_the_sample(bencher: Bencher<'_, '_>) {
        let journal = samples::read("rosebud-creek-1/historical");
        let (source, catalog) = (Source::from(&journal[..]), Catalog::new(postrider::games::rulesets()));
        let lines = journal.split(|&byte| byte == b'\n').count();
        bencher
            .counter(divan::counter::ItemsCount::new(lines))
            .bench(|| rebuild(&source, &catalog, None, None, Watch::NONE).is_ok());
    }
}

/// A Dark and Bloody Ground by its rules alone, from a journal, and by mail.
mod dark_and_bloody_ground {
    use super::{letter_of, shared};
    use divan::{Bencher, black_box};
    use postrider::{
        games::{
            self,
            bloody_ground::{
                BloodyGround, Order,
                action::Act,
                components::{Components, Kit as _, Side},
                setup,
                state::{Spot, State},
                variant::Variant,
            },
        },
        replay::{Catalog, Source, rebuild},
        table::{Decision, Prompt as _, Seat, SeededChance, Session, Watch},
    };

    const NAME: &str = "dark-and-bloody-ground";
    /// The whole war, at most 21 turns.
    const WAR: &str = "ohio-1790";

    fn opened(seed: u64) -> Session<BloodyGround> {
        let variant = Variant::default();
        let g = setup::position(Components::builtin().clone(), WAR, variant);
        Session::start(g, Box::new(SeededChance::new(seed)), Watch::NONE)
    }

    /// Plays a whole war at random; returns every decision.
    fn played(seed: u64) -> Vec<Decision<Order>> {
        let (mut session, mut taken) = (opened(seed), Vec::new());
        let mut drawn = 0x9e37_79b9_u32 ^ seed as u32;
        let mut below = |n: u32| {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (drawn >> 8) % n.max(1)
        };
        while session.over().is_none() {
            let decision = {
                let seen = session.look().expect("it runs");
                let ticket = &seen.tickets[0];
                let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
                Decision { seat: ticket.seat, prompt: ticket.id, order }
            };
            session.submit(&decision).expect("it is legal");
            taken.push(decision);
        }
        taken
    }

    /// Returns the journal of a random campaign with all 21 turns.
    fn campaign() -> Vec<u8> {
        let rules = games::ruleset(NAME).expect("it is built in");
        let last = b"\"turn\":21";
        let journals = (1..200).map(|seed| shared::finished_scenario(rules, WAR, seed).0);
        let whole = |journal: &Vec<u8>| journal.windows(last.len()).any(|part| part == last);
        journals.into_iter().find(whole).expect("one of them is not over before")
    }

    /// Returns a position with the largest possible stack: all regulars, militia and leaders of the
    /// US, in the middle of the map.
    fn crowd() -> State {
        let mut g = opened(1).look().expect("it runs").state.clone();
        let area = g.c.area("S4").expect("an area");
        for u in g.unit_ids().filter(|&u| g.side_of(u) == Side::Us).collect::<Vec<_>>() {
            g.unit_mut(u).spot = Spot::On(area);
        }
        for l in g.c.leader_ids().filter(|&l| g.c[l].side == Side::Us).collect::<Vec<_>>() {
            g.chief_mut(l).spot = Spot::On(area);
        }
        g
    }

    /// Runs the rules on known decisions; items per second are decisions per second.
    #[divan::bench(sample_count = 20)]
    fn rules_alone(bencher: Bencher<'_, '_>) {
        let taken = played(1);
        bencher.counter(divan::counter::ItemsCount::new(taken.len())).bench(|| {
            let mut session = opened(1);
            taken.iter().for_each(|decision| session.submit(decision).expect("it was legal"));
            session.decisions()
        });
    }

    /// Runs the rules on the first war that random players continue through all 21 turns.
    #[divan::bench(sample_count = 20)]
    fn rules_of_a_campaign(bencher: Bencher<'_, '_>) {
        let last = |seed: u64, taken: &[Decision<Order>]| {
            let mut session = opened(seed);
            taken.iter().for_each(|decision| session.submit(decision).expect("it was legal"));
            session.over().map_or(0, |end| end.turn)
        };
        let wars = (1..200).map(|seed| (seed, played(seed)));
        let (seed, taken) =
            wars.into_iter().find(|(seed, taken)| last(*seed, taken) == 21).expect("one of them is not over before");
        bencher.counter(divan::counter::ItemsCount::new(taken.len())).bench(|| last(seed, &taken));
    }

    /// Checks and replays a campaign of 21 turns from its journal.
    #[divan::bench(sample_count = 20)]
    fn rebuild_a_campaign(bencher: Bencher<'_, '_>) {
        let journal = campaign();
        let lines = journal.split(|&byte| byte == b'\n').count();
        let (source, catalog) = (Source::from(&journal[..]), Catalog::new(postrider::games::rulesets()));
        bencher
            .counter(divan::counter::ItemsCount::new(lines))
            .bench(|| rebuild(&source, &catalog, None, None, Watch::NONE).is_ok());
    }

    /// Lists all possible actions of a side in the area with the largest stack, in words.
    #[divan::bench]
    fn options_of_the_largest_stack(bencher: Bencher<'_, '_>) {
        let g = crowd();
        let seat = Seat(0);
        bencher.bench(|| Act { side: Side::Us }.options(black_box(&g), seat).len());
    }

    /// Writes a letter in the middle of the war.
    #[divan::bench(sample_count = 20)]
    fn letter(bencher: Bencher<'_, '_>) {
        letter_of(bencher, NAME, Some(WAR), None, (300, false));
    }
}
