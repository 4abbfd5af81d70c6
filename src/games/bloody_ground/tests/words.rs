//! Reading of orders, and the options listed.

use super::{
    super::{
        action, battle,
        components::*,
        order::{Order, Which},
        setup,
        testing::*,
    },
    activation::acting,
    board::{board, head, stand},
};
use postrider_table::Seat;

/// dark-and-bloody-ground 10.5, 10.6
#[test]
fn orders_of_a_battle_name_several_units() {
    let mut g = board(Terrain::Settled);
    for id in ["0807", "0807"] {
        stand(&mut g, "regular", id);
    }
    for id in ["0806", "0806", "0806", "0906"] {
        stand(&mut g, "Miami", id);
    }
    head(&mut g, "Little Turtle", "0806");
    head(&mut g, "Black Hoof", "0305");
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .start();
    let with = ["Miami 1", "Miami 2", "Miami 3"].map(str::to_owned).to_vec();
    let melee = Order::Melee { at: "0807".to_owned(), with };
    for words in [
        "attack 0807 with miami 1, 2 and 3 and little turtle",
        "attack 0807 with the miami 1, the miami 2 and miami 3",
        "melee 0807 with miami 1, miami 2, miami 3",
        "miami 1, 2 and 3 attack hex 0807",
    ] {
        assert_eq!(trial.read(words), Ok(melee.clone()), "{words}");
    }
    // Errors: a leader elsewhere, a number without a comma or `and`, units that are not there.
    for words in [
        "attack 0807 with miami 1 and black hoof",
        "attack 0807 with little turtle",
        "attack 0807 with miami 1-3",
        "attack 0807 with miami 1, 2 and 7",
    ] {
        assert!(trial.read(words).is_err(), "{words}");
    }
    let trial = Trial::new(g, |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    let shots = |list: &[(&str, &str)]| Order::Fire {
        shots: list
            .iter()
            .map(|&(who, at)| super::super::order::Shot { who: who.to_owned(), at: at.to_owned() })
            .collect(),
    };
    for (words, order) in [
        ("regular 2 fires at miami 2", shots(&[("regular 2", "Miami 2")])),
        (
            "fire regular 1 at miami 2, regular 2 at miami 2",
            shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 2")]),
        ),
        ("regular 1 and 2 fire at the miami 2", shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 2")])),
        (
            "regular 1 fires at miami 2 and regular 2 at miami 4",
            shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 4")]),
        ),
    ] {
        assert_eq!(trial.read(words), Ok(order), "{words}");
    }
    assert!(trial.read("regular 1, regular 2").is_err());
}

/// dark-and-bloody-ground 9.4.1, 9.4.2
#[test]
fn moves_are_read_as_people_write_them() {
    let mut g = war();
    put(&mut g, "kentucky-militia", 5, "U1");
    put(&mut g, "regular", 3, "U1");
    lead(&mut g, "Harmar", "U1");
    lead(&mut g, "Trotter", "U1");
    let trial = Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [6])
    .dice("initiative, NA", [1])
    .start();
    let usual = trial.read("move 5 kentucky-militia, trotter from u1 to u3, s4").expect("a move");
    for words in [
        "march the 5 kentucky militia and trotter from u1 through u3 to s4",
        "force march 5 kentucky-militia, trotter from u1 via u3 to s4",
        "5 kentucky-militia and trotter go from u1 through u3 to s4",
        "the 5 kentucky militia with trotter march from u1 to u3, then s4",
    ] {
        assert_eq!(trial.read(words), Ok(usual.clone()), "{words}");
    }
    let alone = trial.read("move harmar from u1 to u3");
    assert_eq!(trial.read("harmar goes from u1 to u3"), alone);
    assert!(trial.read("harmar goes to u3").is_err(), "from where is not said");
    for words in [
        "move harmar and his regulars from u1 to u3",
        "move the regular, harmar from u1 to u3",
        "move regulars from u1 to u3",
    ] {
        let why = trial.read(words).expect_err(words).to_string();
        assert!(why.contains("how many"), "{why}");
    }
    assert!(trial.read("move harmar and his 3 regulars from u1 to u3").is_ok());
    assert!(trial.read("5 kentucky-militia and trotter from u1 to u3").is_err(), "what they do is not said");
    let which = |words: &str| match trial.read(words) {
        Ok(Order::Move { who, .. }) => who[0].which,
        other => panic!("{words}: {other:?}"),
    };
    assert_eq!(which("move 2 regular without rifles from u1 to u3"), Some(Which::Unrifled));
}

/// dark-and-bloody-ground 9.2.1, 9.5.1
#[test]
fn harm_to_ones_own_is_no_example() {
    let mut g = war();
    put(&mut g, "regular", 3, "U1");
    put(&mut g, "regular", 2, "S5");
    lead(&mut g, "Harmar", "S5");
    let s4 = at(&g, "S4");
    g.land_mut(s4).settlers = 2;
    let trial = Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [6])
    .dice("initiative, NA", [1])
    .start();
    trial.check_options(2);
    let words = trial.words();
    let at =
        |begin: &str| words.iter().position(|option| option.starts_with(begin)).unwrap_or_else(|| panic!("{begin}"));
    assert!(at("pillage s5") < 12);
    assert!(at("pillage u1") > words.len() - 4 && at("atrocity s4") > words.len() - 4);
}

/// dark-and-bloody-ground 15.0, 15.1.2
#[test]
fn little_turtle_is_not_the_little_miami() {
    let mut g = bare("harmar-1790");
    g.turn = 0;
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .start();
    while trial.asked()[0].0 == Seat(0) {
        let first = trial.options().remove(0);
        trial.order(first.order).unwrap_or_else(|why| panic!("{}: {why}", first.words));
    }
    let places = |trial: &mut Running, words: &str| match trial.read(words) {
        Ok(Order::Put { lots }) => {
            lots.into_iter().map(|lot| format!("{} {} {}", lot.n, lot.what, lot.at)).collect::<Vec<_>>().join(", ")
        }
        other => panic!("{words}: {other:?}"),
    };
    for words in [
        "the 7 miami, 5 shawnee, little turtle at kekionga",
        "7 miami and the 5 shawnee and little turtle at m1",
        "7 miami with 5 shawnee, little turtle stay at kekionga",
        "7 miami m1, 5 shawnee m1, little turtle m1",
    ] {
        assert_eq!(places(&mut trial, words), "7 Miami M1, 5 Shawnee M1, 1 Little Turtle M1", "{words}");
    }
    assert_eq!(places(&mut trial, "5 shawnee, little miami"), "5 Shawnee S4");
    assert_eq!(places(&mut trial, "2 shawnee each at m1, little miami"), "2 Shawnee M1, 2 Shawnee S4");
    for words in ["5 shawnee little turtle at m1", "3 shawnee, miami, 2 miami at m1", "5 shawnee, black hoof"] {
        assert!(trial.read(words).is_err(), "{words}: {:?}", trial.read(words));
    }
}

/// dark-and-bloody-ground 15.0, 6.0.1
#[test]
fn several_things_share_a_place_and_several_places_a_number() {
    use super::super::{
        Ask,
        asking::Asking,
        order::Lot,
        placing::{Lots, item, put},
    };
    let places = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
    let mut trial = Trial::new(war(), move |t, mut g| async move {
        let asking = Asking { kind: Ask::Settlers, rule: "6.0.1", title: "Where settlers go" };
        let items = vec![
            item("ohio-settler", 4, places(&["M2", "S4", "S5"]), false),
            item("eastern-settler", 4, places(&["K1", "K2"]), false),
            item("Harmar", 1, places(&["K1", "S4"]), false),
        ];
        put(&t, &mut g, Seat(0), Lots::new(asking, items)).await;
        g
    })
    .start();
    let lot = |n: u8, what: &str, at: &str| Lot { n, what: what.to_owned(), at: at.to_owned() };
    let read = |trial: &mut Running, words: &str| match trial.read(words) {
        Ok(Order::Put { lots }) => lots,
        other => panic!("{words}: {other:?}"),
    };
    for (words, lots) in [
        ("1 settler to m2", vec![lot(1, "ohio-settler", "M2")]),
        ("2 settlers at k1, harmar at s4", vec![lot(2, "eastern-settler", "K1"), lot(1, "Harmar", "S4")]),
        ("2 ohio-settler and harmar at s4", vec![lot(2, "ohio-settler", "S4"), lot(1, "Harmar", "S4")]),
        ("the 2 settlers each at s4, s5", vec![lot(2, "ohio-settler", "S4"), lot(2, "ohio-settler", "S5")]),
        (
            "1 settler at s4 and k1 each, harmar stays at s4",
            vec![lot(1, "ohio-settler", "S4"), lot(1, "eastern-settler", "K1"), lot(1, "Harmar", "S4")],
        ),
    ] {
        assert_eq!(read(&mut trial, words), lots, "{words}");
    }
    for words in [
        "2 settlers at s4 and s5",
        "2 settlers, harmar",
        "the settlers at s4",
        "ohio settlers at s4",
        "1 settler at w1",
        "2 settlers each",
    ] {
        assert!(trial.read(words).is_err(), "{words}");
    }
    for words in ["2 settlers s4", "2 settlers, harmar stays at s4", "the 2 ohio settlers with harmar at s4"] {
        assert!(trial.read(words).is_ok(), "{words}");
    }
    // Leaving units out is not among the first examples.
    trial.check_options(3);
    assert!(trial.words()[0] != "none" && trial.words().iter().any(|option| option == "none"), "{:?}", trial.words());
}

/// dark-and-bloody-ground 9.4.1
#[test]
fn a_move_is_said_in_few_words() {
    let mut g = war();
    g.season = Season::Summer;
    put(&mut g, "regular", 3, "U1");
    lead(&mut g, "Harmar", "U1");
    let mut trial = acting(g, Side::Us, 1);
    let full = trial.read("move 3 regular, harmar from u1 to s3").expect("an order");
    for words in [
        "harmar with 3 regulars: cincinnati > mad river towns",
        "3 regulars and harmar: U1 > S3",
        "move all from u1 to s3",
        "move everybody from cincinnati to the mad river towns",
    ] {
        let order = trial.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        let pieces = |order: &Order| match order {
            Order::Move { from, who, way, .. } => {
                let mut who: Vec<(u8, String)> = who.iter().map(|count| (count.n, count.what.clone())).collect();
                who.sort();
                (from.clone(), who, way.clone())
            }
            other => panic!("{words}: {other:?}"),
        };
        assert_eq!(pieces(&order), pieces(&full), "{words}");
    }
    // A typo in the first word also names the expected words.
    assert!(trial.read("mvoe harmar to s3").is_err() && trial.read("harmar").is_err());
    let why = trial.refused("move all from u1 to m1");
    assert!(why.contains("No step leads to Kekionga (M1). The cheapest way there: `to "), "{why}");
    let way = why.split('`').nth(1).expect("a way").to_owned();
    trial.read(&format!("move all from u1 {way}")).expect("the way is an order");
    let why = trial.refused("move all from u1 to w5");
    assert!(why.contains("No step leads to Detroit (W5). It is out of reach."), "{why}");
}
