//! Refusals that no other test of the game provokes. Each row has a position, a question, an order,
//! the rule and a part of the refusal.

use super::{
    alliances::{combined, montana},
    *,
};
use crate::{
    Geronimo, Order,
    alliance::Join,
    columns::ColumnPlay,
    deal::{army::FirstColumn, chiefs::Divide},
    facts,
    indian::Compelled,
    muster::{Deployment, MormonColumn},
    order::{Contribution, Target},
    raids::raid_target,
    ratings::Force,
    reaction::{Action, Reaction},
    reservation::DeskPrompt,
    state::{Offer, Place},
    survival::Attrition,
    village_action::VillageAction,
};
use postrider_table::{AnyPrompt, foresee, testing::refusals};
use serde_json::json;

type Asked = Box<dyn AnyPrompt<Geronimo>>;

fn refused<const N: usize>(g: &State, seat: Seat, prompt: &Asked, rows: [(Order, &str, &str); N]) {
    for (order, rule, part) in rows {
        let why = prompt.check(g, seat, &order).expect_err(&format!("{order:?}"));
        assert!(why.rule == rule && why.why.contains(part), "{order:?}: {why}");
    }
}

fn gives(village: &str, bps: i32, chiefs: &[&str]) -> Contribution {
    let chiefs = chiefs.iter().map(|&name| name.to_owned()).collect();
    Contribution { village: village.into(), bps, chiefs }
}

fn miles() -> Target {
    Target::Column { name: "Miles".into() }
}

fn action(after: After) -> Asked {
    foresee(VillageAction { after, compelled: None })
}

/// geronimo 6.51, 6.53, 6.71, 6.72
#[test]
fn what_a_village_cannot_give_to_an_alliance() {
    let call = |with: Vec<Contribution>| Order::Alliance { area: "Montana".into(), with, target: miles() };
    let mut g = montana();
    let rows = [
        (call(vec![gives("Crow", 1, &[])]), "6.71", "The Crow are not an Active Tribe of yours."),
        (call(vec![gives("Teton Sioux 1", 6, &["Sitting Bull"; 2])]), "6.51", "Sitting Bull cannot lead here."),
        (call(vec![gives("Arapaho", 0, &[])]), "6.72", "no War Party out"),
        (call(vec![gives("Arapaho", 1, &[]); 33]), "6.71", "one War Party from each Village"),
    ];
    refused(&g, B, &action(After::Alliance), rows);
    let arapaho = village(&g, "Arapaho");
    g.village_mut(arapaho).finished = true;
    let done = call(vec![gives("Arapaho", 5, &[])]);
    refused(&g, B, &action(After::Alliance), [(done, "6.8", "The Arapaho Village is Finished")]);
    g.village_mut(arapaho).finished = false;
    party(&mut g, "Arapaho", 2, &[], "MT");
    let led = call(vec![gives("Arapaho", 0, &["Black Bear"])]);
    refused(&g, B, &action(After::Alliance), [(led, "6.53", "already are with it")]);
}

/// geronimo 6.75, 6.76
#[test]
fn what_nobody_can_join_an_alliance_with() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    let own = vec![village(&g, "Teton 1")];
    let only = vec![village(&g, "Teton 1")];
    let lasting = foresee(Join { leader: B, area: area(&g, "MT"), own: own.clone(), target: miles(), only });
    let join = foresee(Join { leader: B, area: area(&g, "MT"), own, target: miles(), only: Vec::new() });
    let with = |with| Order::Volunteer { with };
    let rows = [
        (Order::Federales {}, "6.76", "or `stay out`"),
        (with(Vec::new()), "6.76", "or `stay out`"),
        (with(vec![gives("Arapaho", 1, &[]); 2]), "6.76", "The Arapaho are named twice."),
    ];
    refused(&g, C, &join, rows);
    refused(&g, C, &lasting, [(with(vec![gives("Arapaho", 1, &[])]), "6.75", "The Arapaho are not in this Alliance.")]);
}

/// geronimo 6.1, 6.23, 6.33, 6.41, 6.43, 9.2I, 12.13
#[test]
fn where_a_village_neither_raids_nor_goes() {
    let mut g = field();
    hold(&mut g, "Comanche", B);
    let v = village(&g, "Comanche");
    let raid = |area: &str, target: Target| Order::Raid { village: "Comanche".into(), area: area.into(), target };
    let attack = |target: Target| Order::WarParty {
        village: "Comanche".into(),
        bps: 1,
        chiefs: Vec::new(),
        area: "Texas".into(),
        target,
    };
    let crow = || Target::Village { name: "Crow".into() };
    let raiding = action(After::Raid { any_tribe: false });
    let nowhere = (raid("Nowhere", Target::Town {}), "6.43", "no Area called Nowhere");
    refused(&g, B, &raiding, [nowhere, (raid("Texas", crow()), "6.43", "A Raid is against a Resource")]);
    let unknown = Order::Relocate { village: "Nobody".into(), to: "Utah".into() };
    let rows = [(unknown, "6.1", "no Village called Nobody"), (attack(crow()), "6.33", "no Crow Village in Texas")];
    refused(&g, B, &action(After::Operation), rows);
    let home = g.village(v).place;
    g.village_mut(v).place = Place::Area(area(&g, "KS"));
    refused(&g, B, &raiding, [(raid("Mexico", Target::Mexico {}), "6.43", "does not border Mexico")]);
    g.village_mut(v).place = home;
    g.events.no_horses.push(v);
    refused(
        &g,
        B,
        &raiding,
        [
            (raid("Mexico", Target::Mexico {}), "12.13", "they do not reach Mexico"),
            (raid("New Mexico", Target::Town {}), "12.13", "they raid in Texas only"),
        ],
    );
    g.fx.mexico_closed = true;
    let south = Order::Relocate { village: "Comanche".into(), to: "Mexico".into() };
    refused(&g, B, &action(After::Operation), [(south, "9.2I", "closed the border")]);
    g.village_mut(v).place = Place::Mexico { from: area(&g, "TX") };
    refused(&g, B, &raiding, [(raid("Texas", Target::Town {}), "6.41", "a Village in the country")]);
    let abroad = raid_target(&g, v, "Texas", &Target::Town {}).expect_err("abroad");
    assert_eq!((abroad.rule, abroad.why.as_str()), ("6.23", "A Village abroad can only return."));
}

/// geronimo 11.36
#[test]
fn only_missions_are_raided_in_the_solitaire_game() {
    let mut g = field();
    hold(&mut g, "Comanche", B);
    let v = village(&g, "Comanche");
    g.variant.solitaire = true;
    let why = raid_target(&g, v, "Texas", &Target::Town {}).expect_err("a Town");
    assert_eq!((why.rule, why.why.as_str()), ("11.36", "In the Solitaire Game only Missions are raided."));
}

/// geronimo 6.75, 9.2F
#[test]
fn who_must_attack_is_among_those_who_do() {
    let mut g = montana();
    combined(&mut g, &["Teton 1", "Arapaho"]);
    let teton = village(&g, "Teton 1");
    g.village_mut(teton).peace_chief = true;
    let trial = Trial::new(g, move |t: T, mut g: State| async move {
        let compelled = Some((Compelled::BloodLust, vec![teton]));
        t.ask(&mut g, B, VillageAction { after: After::Operation, compelled }).await;
        g
    });
    let why = trial.start().refused("alliance attacks column miles in montana");
    assert!(why.contains("The Tribe that must attack is not among those of the Alliance that can"), "{why}");
}

/// geronimo 5.33, 5.35, 5.71, 5.723
#[test]
fn how_columns_neither_react_nor_attack() {
    let (mut g, [custer, terry, _]) = wyoming();
    let id = column(&mut g, "Crook", "CO", 5);
    g.fx.telegraph = true;
    let party = party(&mut g, "Arapaho", 2, &[], "WY");
    let occasion = Action::default().occasion(Force::party(party), vec![area(&g, "WY")], String::new());
    let columns = ["Custer", "Crook"].map(String::from).to_vec();
    let together = Order::React { columns, coordinate: true, alone: false };
    let rows = [
        (Order::Federales {}, "5.35", "Name the Columns that react"),
        (together, "5.71", "Only Columns in the same Area"),
    ];
    refused(&g, US, &foresee(Reaction(occasion)), rows);
    for (at, played) in [(custer, 0), (terry, g.us_rounds), (id, 0)] {
        let k = g.column_mut(at).expect("the Column");
        (k.group, k.played_in) = ((at != id).then_some(99), played);
    }
    let attack = Order::ColumnAttack {
        columns: vec!["Custer".into()],
        target: Target::Party { name: "Arapaho".into() },
        alone: false,
    };
    let play = foresee(ColumnPlay { left: 3, first: true, divided: Vec::new(), revenge: false });
    refused(&g, US, &play, [(attack, "5.33", "Terry was played")]);
}

/// geronimo 3.45, 5.343, 5.38, 6.51, 9.2O
#[test]
fn what_no_placing_of_columns_and_chiefs_means() {
    let mut g = field();
    column(&mut g, "Miles", "UT", 5);
    g.reserve.bps = 10;
    let nowhere = Order::SetUp { area: "Nowhere".into(), bps: 5, guns: 0, fort: false };
    let few = Order::SetUp { area: "Utah".into(), bps: 5, guns: 0, fort: false };
    let rows = [
        (nowhere, "3.45", "no Area called Nowhere"),
        (few, "3.45", "All BPs must be placed"),
        (Order::Federales {}, "3.45", "Place a Column"),
    ];
    refused(&g, US, &foresee(FirstColumn { left: 1 }), rows);
    refused(&g, US, &foresee(Deployment::default()), [(Order::Federales {}, "5.343", "Place a Column")]);
    let utah = area(&g, "UT");
    let watch = foresee(MormonColumn { utah, standing: Vec::new(), fresh: true });
    refused(
        &g,
        US,
        &watch,
        [
            (Order::Pick { one: "Miles".into() }, "9.2O", "Miles leads no Column of 3 BPs in Utah"),
            (Order::Federales {}, "9.2O", "Name the Mormon Column"),
        ],
    );
    let one = Order::List { names: vec!["Miles".into()] };
    let twice = Order::List { names: vec!["Miles".into(); 2] };
    let rows = [
        (one, "5.38", "2 Columns take Attrition, not 1."),
        (twice, "5.38", "No Column takes Attrition twice"),
        (Order::Federales {}, "5.38", "Name the Columns that take Attrition"),
    ];
    refused(&g, US, &foresee(Attrition { count: 2 }), rows);
    let divide = foresee(Divide::of(&g).expect("two Teton Villages"));
    refused(
        &g,
        B,
        &divide,
        [
            (Order::Federales {}, "6.51", "Name the Chiefs who go with"),
            (Order::List { names: vec!["Geronimo".into()] }, "6.51", "Geronimo is no Teton Chief"),
        ],
    );
}

/// geronimo 8.11
#[test]
fn a_treaty_that_can_no_longer_be_paid_is_not_signed() {
    let mut g = field();
    hold(&mut g, "Comanche", B);
    g.tally[US.index()].at_start = 2;
    g.desk.offers.push(Offer { village: village(&g, "Comanche"), vps: 7, by: B });
    let accept = || Order::Accept { village: "Comanche".into() };
    assert!(foresee(DeskPrompt).check(&g, US, &accept()).is_ok());
    g.desk.given = 1;
    refused(
        &g,
        US,
        &foresee(DeskPrompt),
        [
            (accept(), "8.11", "can no longer be kept"),
            (Order::Pass {}, "8.11", "offered, withdrawn, accepted or refused"),
        ],
    );
}

/// geronimo 10.1
#[test]
fn a_ruling_gives_no_more_vps_than_can_be_counted() {
    let mut g = field();
    g.at_rest = true;
    g.tally[B.index()].vps = 1;
    let ruled = |g: &State, seat: &str, change: i32| {
        postrider_table::ruled::<Geronimo>(g, &json!({ "vps": { "seat": seat, "change": change } }))
    };
    let why = ruled(&g, "b", i32::MAX).expect_err("too many");
    assert_eq!(
        (why.rule, why.why.as_str(), vps(&g, B)),
        ("-", "VPs: 2147483647 is out of range; -999 to 999 is possible", 1)
    );
    for (seat, change) in [("b", 998), ("c", -999)] {
        g = ruled(&g, seat, change).unwrap().0;
    }
    let why = ruled(&g, "b", 1).expect_err("1000 VPs");
    assert_eq!((why.rule, why.why.as_str()), ("10.1", "1000 VPs is out of range; -999 to 999 is possible"));
    for fact in facts::everywhere(&g, B) {
        assert!(facts::FACTS.iter().any(|kind| kind.name == fact.name && kind.fits(&fact)), "{fact}");
    }
}

#[test]
fn every_refusal_is_provoked() {
    let table = refusals::table(env!("CARGO_MANIFEST_DIR"), "every_refusal_is_provoked");
    assert!(!table.contains(refusals::UNPROVOKED), "{table}");
    insta::assert_snapshot!(table);
}
