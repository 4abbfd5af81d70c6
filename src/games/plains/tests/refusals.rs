//! Refusals that no other test provokes. Each row has an order, its rule and a part of the refusal.

use super::{
    super::{
        Order, State,
        components::Faction,
        discs,
        engagement::{engage, engagements, limit::keep_to_the_limit},
        march::march,
        movement::March,
        order::{Count, Lot},
        testing::*,
    },
    rounds::{holding, round},
};
use Faction::*;
use postrider_table::testing::refusals;

fn lot(colour: Faction, n: u8, to: &str) -> Order {
    Order::Put { lots: vec![Lot { colour, n, to: to.to_owned() }] }
}

fn moved(colour: Faction, n: u8) -> Order {
    let (from, to) = ("White River".to_owned(), "Black Hills".to_owned());
    Order::Move { from, to, cubes: vec![Count { colour, n }] }
}

fn refuses(run: &mut Running, rows: impl IntoIterator<Item = (Order, &'static str, &'static str)>) {
    for (order, rule, words) in rows {
        let why = run.order(order.clone()).expect_err(words).to_string();
        assert!(why.contains(rule) && why.contains(words), "{order:?}: {why}");
    }
}

/// plains-indian-wars 6.7, 11.0, 11.2, 11.4
#[test]
fn moves() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 3), (Spt, 1)]);
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::of_card(Npt, 1, 1)).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    refuses(
        &mut run,
        [
            (moved(Railroad, 1), "6.7", "Black cubes never move"),
            (moved(Spt, 1), "11.2", "A group has at least one Green cube"),
            (Order::Recover {}, "11.4", "no Green cubes in the Casualty Box"),
            (Order::End {}, "11.0", "Here groups move"),
        ],
    );
    run.say("move 1 from white river to black hills");
    refuses(&mut run, [(Order::Recover {}, "11.4", "All group moves are used up")]);
}

/// plains-indian-wars 10.4, 11.4
#[test]
fn placements() {
    let rule = |t, mut g: State| async move {
        discs::enemies(&t, &mut g).await;
        g
    };
    let mut run = Trial::new(bare(2), rule).start();
    refuses(
        &mut run,
        [(Order::Recover {}, "11.4", "cannot be emptied now"), (Order::Done {}, "10.4", "Say where the cubes go")],
    );
}

/// plains-indian-wars 4.4, 10.5
#[test]
fn cubes_over_the_limit() {
    let rule = |t, mut g| async move {
        keep_to_the_limit(&t, &mut g).await;
        g
    };
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 9)]);
    refuses(
        &mut Trial::new(g, rule).start(),
        [(Order::Done {}, "4.4", "Say which cubes go"), (lot(Npt, 1, "Nowhere"), "4.4", "no region called Nowhere")],
    );
}

/// plains-indian-wars 4.4, 12.1.4, 12.1.2.1
#[test]
fn retreats_and_wagons() {
    let fight = |cubes: &[(Faction, u8)]| {
        let mut g = bare(2);
        set(&mut g, "N2", cubes);
        let r = at(&g, "N2");
        let rule = move |t, mut g| async move {
            engage(&t, &mut g, r, Npt).await;
            g
        };
        Trial::new(g, rule).rolls(Npt, "bb").rolls(Cavalry, "tt")
    };
    refuses(
        &mut fight(&[(Npt, 3), (Cavalry, 2)]).start(),
        [
            (Order::Recover {}, "12.1.4", "Cubes may retreat, or stay"),
            (lot(Npt, 1, "Nowhere"), "4.4", "no region called Nowhere"),
            (lot(Npt, 4, "White River"), "12.1.4", "There are not 4 Green cubes here"),
            (Order::Put { lots: Vec::new() }, "12.1.4", "Say which cubes retreat"),
        ],
    );
    let mut run = fight(&[(Npt, 3), (Wagons, 1)]).start();
    refuses(&mut run, [(Order::Done {}, "12.1.2.1", "whether the next Wagon is attacked")]);
}

/// plains-indian-wars 4.4, 13.0
#[test]
fn withdrawals() {
    let mut g = bare(2);
    set(&mut g, "N8", &[(Settlers, 2), (Enemies, 1)]);
    for id in ["N3", "N7"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Enemies).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    refuses(&mut run, [(lot(Settlers, 1, "Nowhere"), "4.4", "no region called Nowhere")]);
}

/// plains-indian-wars 9.0
#[test]
fn cards() {
    let mut run = round(holding(Npt, &["Gall", "Hump"]), Npt);
    refuses(&mut run, [(Order::Done {}, "9.0", "A card is asked for")]);
}

#[test]
fn every_refusal_is_provoked() {
    let table = refusals::table(env!("CARGO_MANIFEST_DIR"), "every_refusal_is_provoked");
    assert!(!table.contains(refusals::UNPROVOKED), "{table}");
    insta::assert_snapshot!(table);
}
