//! What the parts of a journal cost, one by one: `cargo bench --bench parts`.

mod shared;

use divan::{Bencher, black_box, counter::BytesCount};
use postrider::{
    dice::{ChainTip, DICE_CHAIN, DiceStream, Hash, SeedChain, Shuffled, roll_seed},
    journal::{Checker, Line, check},
    replay::{Catalog, Source, rebuild},
    table::Watch,
};

fn main() {
    divan::main();
}

/// A line of a journal as it stands in a real game: a decision.
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

/// Every line of a whole game, steps 1 to 7.
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

/// Every decision of a whole game, the lines checked and the rules replayed: divide by the number of decisions.
#[divan::bench(sample_count = 20)]
fn rebuild_a_whole_game(bencher: Bencher<'_, '_>) {
    let (journal, decisions) = shared::finished_game(1);
    let (source, catalog) = (Source::from(&journal[..]), Catalog::released());
    bencher
        .counter(divan::counter::ItemsCount::new(decisions))
        .bench(|| rebuild(&source, &catalog, None, None, Watch::NONE).is_ok());
}

/// A link of the dice chain and two ten-sided dice from it.
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

/// A deck as large as that of the Shaman Cards, with the commitment to each position.
#[divan::bench]
fn shuffle_46_cards(bencher: Bencher<'_, '_>) {
    let cards: Vec<String> = (1..=46).map(|card| format!("Shaman Card {card}")).collect();
    bencher.with_inputs(|| cards.clone()).bench_values(|cards| {
        let deck = Shuffled::new("bench", "shaman", 0, Hash([7; 32]), &Hash([1; 32]), cards);
        deck.commitments().fold(0_u8, |sum, hash| sum ^ hash.0[0])
    });
}
