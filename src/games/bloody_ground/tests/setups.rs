//! Set-ups of campaigns and battles (15, 16), and the order of a battle (10).

use super::{
    super::{
        battle,
        components::*,
        order::{Lot, Order},
        setup,
        state::*,
        testing::*,
    },
    trotter_is_put_out,
};
use postrider_table::{Seat, hex::Hex};

/// dark-and-bloody-ground 15.0
#[test]
fn every_scenario_is_introduced_by_its_goal_and_its_length() {
    let c = Components::builtin();
    for scenario in c.scenarios.iter().map(|scenario| scenario.id.clone()).chain(["harmars-defeat".to_owned()]) {
        let components = Components::FILE.into();
        let setup = postrider_table::Setup { seats: 2, scenario, options: Default::default(), components };
        let said = setup::introduction(&setup);
        assert!(said.sides.len() == 2 && !said.goal.is_empty() && !said.length.is_empty(), "{}", setup.scenario);
    }
}

fn campaign(scenario: &str, dice: &[i64]) -> State {
    let g = setup::position(Components::builtin().clone(), scenario, Default::default());
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.check_options(1);
    trial.all_first();
    trial.over()
}

fn on_map(g: &State, class: Class) -> usize {
    g.units.iter().filter(|u| g.c[u.kind].class == class && u.spot.area().is_some()).count()
}

fn here(g: &State, names: &[&str]) -> bool {
    names.iter().all(|name| g.chief(leader(g, name)).spot.area().is_some())
}

/// dark-and-bloody-ground 15.1, 15.1.1, 15.1.2, 15.4, 15.4.1, 15.4.2
#[test]
fn harmar_begins_at_cincinnati() {
    for scenario in ["harmar-1790", "ohio-1790"] {
        let g = campaign(scenario, &[]);
        assert_eq!([Class::Regular, Class::Militia].map(|class| on_map(&g, class)), [3, 10]);
        assert_eq!((count(&g, "kentucky-militia", "U1"), count(&g, "regular", "U1")), (6, 3));
        assert!(here(
            &g,
            &["Harmar", "Hamtramck", "Trotter", "Black Hoof", "Tecumseh", "Little Turtle", "McKee", "Tarhe"]
        ));
        let settlers: u8 = g.land.iter().map(|land| land.settlers).sum();
        let villages = g.c.area_ids().filter(|&a| g.land(a).village).collect::<Vec<_>>();
        assert!(settlers == 6 && g.land.iter().all(|land| land.settlers <= 2));
        assert!(villages.len() == 1 && matches!(g.c[villages[0]].state, Province::Kentucky | Province::Virginia));
        for (name, ml, warriors) in [("Shawnee", 3, 5), ("Miami", 3, 7)] {
            let n = nation(&g, name);
            let stands = g.of_kind(g.c.warriors(n)).filter(|&u| g.unit(u).spot.area().is_some()).count();
            assert_eq!((g.tribe(n).stance, g.tribe(n).ml, stands), (Stance::Warpath, ml, warriors));
        }
        // The other nations begin at peace in their own areas.
        let delaware = nation(&g, "Delaware");
        assert_eq!(g.tribe(delaware).stance, Stance::Peaceful);
        let mut own = g.of_kind(g.c.warriors(delaware));
        assert!(
            own.all(|u| g.unit(u).spot.area().is_some_and(|a| g.c[a].nation == Some(delaware)) && !g.is_face_up(u))
        );
        assert_eq!((g.commitment, g.vps, g.c.area_ids().filter(|&a| g.fort_of(a, Side::Na)).count()), (2, [0, 0], 5));
        // 15.1.4 counts ten militia and three regulars, five Shawnee and seven Miami.
        assert_eq!(g.started, [13, 12]);
    }
}

/// dark-and-bloody-ground 15.2, 15.2.1, 15.2.2, 15.2.3
#[test]
fn st_clair_begins_with_half_at_cincinnati() {
    // The dice: a settler, drawn militia, and four nations that roll 1, with ratings of 2 for Tarhe
    // and Buckongahelas.
    let g = campaign("st-clair-1791", &[1, 0, 0, 1, 1, 1, 1]);
    assert_eq!([Class::Regular, Class::Militia].map(|class| on_map(&g, class)), [7, 16]);
    let u1 = at(&g, "U1");
    let at_u1 = g.units_in(u1, Side::Us).count() + g.leaders_in(u1, Side::Us).count();
    assert!(at_u1 * 2 >= 28, "{at_u1} of 28");
    assert!(here(
        &g,
        &["St. Clair", "Hamtramck", "Butler", "Darke", "Trotter", "Little Turtle", "Blue Jacket", "McKee", "Tecumseh"]
    ));
    assert_eq!(g.land.iter().map(|land| land.settlers).sum::<u8>(), 7);
    assert_eq!(g.units.iter().filter(|u| u.rifle).count(), 2);
    assert_eq!(g.tribe(nation(&g, "Wyandot")).ml, 3, "1 and Tarhe's 2");
    assert_eq!((g.commitment, g.tribe(nation(&g, "Miami")).ml), (1, 4));
    // Group A is on the map, and the other may still come, in a later spring (8.5.2).
    assert_eq!(g.groups, 1);
    // The nation of the primary leader went to war first, each other one after another (9.1.2).
    let at_war = g.c.nation_ids().filter(|&n| g.tribe(n).stance == Stance::Warpath);
    let mut rose: Vec<u8> = at_war.map(|n| g.tribe(n).rose).collect();
    rose.sort_unstable();
    assert_eq!(rose, (1..=rose.len() as u8).collect::<Vec<_>>());
    assert_eq!(g.tribe(nation(&g, "Miami")).rose, 1, "that of Little Turtle");
    let mover = super::super::movement::Mover::of(&g, Side::Us, &Default::default());
    assert!(g.c.area_ids().all(|a| mover.may_enter(&g, a).is_ok()), "the whole map is open");
}

/// Seven regulars, sixteen militia and five leaders: 14 of 28 begin at Cincinnati, leaders among them.
///
/// dark-and-bloody-ground 15.2.1
#[test]
fn leaders_count_for_the_half_at_cincinnati() {
    let (mut trial, all) = trotter_is_put_out();
    let n = |what: &str| all.iter().filter(|lot| lot.what == what).map(|lot| lot.n).sum::<u8>();
    let mut kinds: Vec<&str> = all.iter().map(|lot| &*lot.what).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.iter().map(|what| n(what)).sum::<u8>(), 28);
    // Leaders of militia go with their own; Pittsburgh is a town too.
    let led = ["virginia-militia", "Darke", "kentucky-militia", "Trotter"];
    kinds.sort_by_key(|what| led.iter().position(|known| known == what).unwrap_or(led.len()));
    let with = |mut there: u8| {
        let mut lots = Vec::new();
        for &what in &kinds {
            let here = n(what).min(there);
            there -= here;
            let parts = [("U1", here), ("P1", n(what) - here)].into_iter().filter(|part| part.1 > 0);
            lots.extend(parts.map(|(at, n)| Lot { n, what: what.to_owned(), at: at.to_owned() }));
        }
        Order::Put { lots }
    };
    let why = trial.order(with(13)).expect_err("13 of 28").to_string();
    assert!(why.contains("At least half of 28 units and leaders begin at U1, not 13"), "{why}");
    trial.order(with(14)).expect("14 of 28");
}

/// dark-and-bloody-ground 15.3.1, 15.3.2, 15.3.3
#[test]
fn wayne_begins_in_the_fourth_year() {
    let militia: Vec<i64> = vec![0; 16];
    let dice: Vec<i64> = [1].into_iter().chain(militia).chain([1, 5]).collect();
    let g = campaign("wayne-1793", &dice);
    assert_eq!([Class::Regular, Class::Militia].map(|class| on_map(&g, class)), [20, 18]);
    assert!(here(
        &g,
        &["Wayne", "Hamtramck", "Kenton", "Truby", "Kentucky replacement", "Little Turtle", "Blue Jacket", "Tarhe"]
    ));
    let stands =
        |name: &str| g.of_kind(g.c.warriors(nation(&g, name))).filter(|&u| g.unit(u).spot.area().is_some()).count();
    let all = ["Shawnee", "Miami", "Wyandot", "Delaware", "Ottawa", "Mingo"].map(stands);
    assert_eq!(all, [10, 6, 1, 1, 2, 0]);
    assert!((1..=3).contains(&stands("Iroquois")));
    // Warriors that are not listed are dead; Iroquois can still come.
    let pool = |name: &str| g.of_kind(g.c.warriors(nation(&g, name))).filter(|&u| g.unit(u).spot == Spot::Pool).count();
    assert!(["Shawnee", "Miami", "Wyandot", "Delaware", "Ottawa", "Mingo"].iter().all(|name| pool(name) == 0));
    assert!(pool("Iroquois") > 0);
    let levels =
        ["Shawnee", "Miami", "Wyandot", "Delaware", "Ottawa", "Iroquois"].map(|name| g.tribe(nation(&g, name)).ml);
    assert_eq!(levels, [4, 3, 3, 0, 2, 2]);
    assert_eq!(["Delaware", "Mingo"].map(|name| g.tribe(nation(&g, name)).stance), [Stance::Surrendered; 2]);
    // All at war have a place in the order in which they went to war (9.1.2).
    let at_war = g.c.nation_ids().filter(|&n| g.tribe(n).stance == Stance::Warpath);
    assert!(at_war.clone().count() > 1 && at_war.clone().all(|n| g.tribe(n).rose > 0));
    let mut delaware = g.of_kind(g.c.warriors(nation(&g, "Delaware"))).filter_map(|u| g.unit(u).spot.area());
    assert!(delaware.all(|a| g.fort_of(a, Side::Na)));
    // At a British fort strangers are inside; who stands in his own land is outside.
    for u in g.unit_ids().filter(|&u| g.class(u) == Class::Warrior) {
        let Some(a) = g.unit(u).spot.area() else { continue };
        let stranger = g.fort_of(a, Side::Na) && g.c[a].nation != g.nation_of(u);
        let full = g.units_in(a, Side::Na).filter(|&u| g.unit(u).inside).count() == 10;
        let delaware = g.nation_of(u) == Some(nation(&g, "Delaware"));
        assert!(g.unit(u).inside == (stranger || delaware) || full && stranger, "{}", g.c[g.unit(u).kind].id);
    }
    assert_eq!((g.commitment, g.vps, g.groups), (3, [0, 0], 2));
}

fn begun(scenario: &str, dice: &[i64]) -> State {
    let mut trial = Trial::new(bare(scenario), |t, mut g| async move {
        battle::scenario_for_tests(&t, &mut g).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 16.2, 16.2.1, 16.2.2, 16.2.3
#[test]
fn st_clairs_surprise_is_set_up() {
    let g = begun("st-clairs-surprise", &[4]);
    let fight = g.battle();
    assert_eq!((fight.first, fight.surprise, fight.start), (Side::Na, true, [17, 24]));
    let field = g.field();
    let mut hexes: Vec<_> = g.on_board(Side::Us).filter_map(|i| fight.pieces[i].stand.hex()).collect();
    assert!(hexes.iter().all(|&at| field.trail.iter().any(|&trail| field.grid.distance(at, trail) <= 1)));
    hexes.sort();
    hexes.dedup();
    assert_eq!(hexes.len(), 17, "one to a hex");
    assert_eq!(g.units.iter().filter(|u| u.rifle).count(), 4);
    assert_eq!(g.commitment, 1);
}

/// dark-and-bloody-ground 16.3.1, 16.3.2
#[test]
fn fallen_timbers_is_set_up() {
    // Rifles; fifteen militia in addition to Kenton's.
    let dice: Vec<i64> = [3].into_iter().chain(vec![0; 15]).collect();
    let g = begun("fallen-timbers", &dice);
    let fight = g.battle();
    assert_eq!((fight.first, fight.start, g.severe, g.season), (Side::Us, [28, 19], true, Season::Summer));
    let near = |side: Side, letters: &[char], g: &State| {
        g.on_board(side).all(|i| {
            let at = g.battle().pieces[i].stand.hex().expect("on the board");
            let of = |(letter, hex): &(char, postrider_table::hex::Hex)| {
                letters.contains(letter) && g.field().grid.distance(at, *hex) <= 4
            };
            g.field().letters.iter().any(of)
        })
    };
    assert!(near(Side::Na, &['A'], &g) && near(Side::Us, &['C', 'D'], &g));
    assert!(g.on_board(Side::Us).all(|i| !g.threatened(
        g.battle().pieces[i].stand.hex().expect("on the board"),
        Side::Us,
        false
    )));
    assert_eq!(g.units.iter().filter(|u| u.rifle).count(), 3);
}

/// Returns a battle at Chillicothe: regulars with Harmar against Shawnee with Blue Jacket.
fn strategic() -> State {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 3, "S5");
    put(&mut g, "Shawnee", 3, "S5");
    let harmar = lead(&mut g, "Harmar", "S5");
    let blue_jacket = lead(&mut g, "Blue Jacket", "S5");
    g.primary = [Some(harmar), Some(blue_jacket)];
    g
}

fn battle_at(g: State) -> Trial {
    let s5 = at(&g, "S5");
    Trial::new(g, move |t, mut g| async move {
        battle::at(&t, &mut g, s5).await;
        g
    })
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn a_battle_has_primary_leaders() {
    let mut g = strategic();
    let [harmar, blue_jacket] = ["Harmar", "Blue Jacket"].map(|name| leader(&g, name));
    let leads = |g: &State| {
        let mut run = battle_at(g.clone()).any_dice([3, 4, 3, 4]).start();
        while run.now().fight.as_ref().is_none_or(|fight| fight.primary.contains(&None)) {
            let first = run.options().remove(0);
            run.order(first.order).expect("an option");
        }
        run.now().battle().primary
    };
    assert_eq!(leads(&g), [Some(harmar), Some(blue_jacket)]);
    g.primary[0] = Some(leader(&g, "Wayne"));
    assert_eq!(leads(&g), [Some(harmar), Some(blue_jacket)]);
    // Harmar's rank is 3, Hamtramck's 2, who leads nevertheless where he leads the side.
    let hamtramck = lead(&mut g, "Hamtramck", "S5");
    assert_eq!(leads(&g), [Some(harmar), Some(blue_jacket)]);
    g.primary[0] = Some(hamtramck);
    assert_eq!(leads(&g), [Some(hamtramck), Some(blue_jacket)]);
}

/// dark-and-bloody-ground 10.2, T:initiative-determination
#[test]
fn initiative_and_surprise() {
    let g = strategic();
    let s5 = at(&g, "S5");
    let total = |g: &State, side| battle::set_up::initiative(g, s5, side).total();
    assert_eq!((total(&g, Side::Us), total(&g, Side::Na)), (1, 3));
    let mut with = g.clone();
    lead(&mut with, "Tecumseh", "S5");
    // His own +1, and the +1 that he gives Blue Jacket.
    assert_eq!(total(&with, Side::Na), 5);
    with.land_mut(s5).village = true;
    assert_eq!(total(&with, Side::Us), 2);
    // 1 + 1 against 1 + 3 is half: surprise; 2 + 1 is more than half.
    for (us, surprise) in [(1, true), (2, false)] {
        let trial = battle_at(g.clone()).any_dice([us, 1]).start();
        assert_eq!(trial.asked(), [(Seat(0), "battle-hex")]);
        let fight = trial.now().fight.expect("a battle");
        assert_eq!((fight.first, fight.surprise), (Side::Na, surprise));
    }
}

/// dark-and-bloody-ground 10.1, 10.7, 10.7.2, T:battle-round-sequence
#[test]
fn a_battle_without_a_loss_is_a_draw() {
    let mut trial = battle_at(strategic()).any_dice([2, 1]).start();
    let mut rounds = Vec::new();
    // Both sides set up and then pass for ten rounds.
    while !trial.asked().is_empty() {
        let (seat, kind) = trial.asked()[0];
        if kind == "battle-move" {
            rounds.push((trial.now().battle().round, seat.0));
        }
        let words = trial.words();
        let said = words.iter().find(|said| *said == "done").unwrap_or(&words[0]).clone();
        trial.say(&said);
    }
    let end = trial.over();
    // The first player moves first in each round.
    let wanted: Vec<(u8, u8)> = (1..=10).flat_map(|round| [(round, 1), (round, 0)]).collect();
    assert_eq!(rounds, wanted);
    assert!(end.vps == [0, 0] && end.fight.is_none());
    assert_eq!((count(&end, "regular", "S5"), count(&end, "Shawnee", "S5")), (0, 0), "both leave");
}

/// dark-and-bloody-ground 15.1.2
#[test]
fn nations_at_peace_are_one_letter() {
    for scenario in ["harmar-1790", "st-clair-1791"] {
        let mut g = bare(scenario);
        g.turn = 0;
        let led = |force: &&Muster| force.scenario == scenario && force.side == Side::Na && !force.units.is_empty();
        let at_war = g.c.forces.iter().filter(led).count();
        let mut trial = Trial::new(g, |t, mut g| async move {
            setup::campaign(&t, &mut g).await;
            g
        })
        .any_dice([3; 20])
        .start();
        let mut n = 0;
        while let Some(asked) = trial.asked().first() {
            n += usize::from(*asked == (Seat(1), "set-up"));
            trial.check_options(2);
            let first = trial.options().remove(0);
            trial.order(first.order).unwrap_or_else(|why| panic!("{}: {why}", first.words));
        }
        let g = trial.session.over().expect("it is over").clone();
        let on_map = |name: &str| g.of_kind(g.c.warriors(nation(&g, name))).all(|u| g.unit(u).spot.area().is_some());
        assert!(["Delaware", "Ottawa", "Wyandot", "Mingo"].into_iter().all(on_map), "{scenario}");
        assert!(g.chief(leader(&g, "McKee")).spot.area().is_some());
        assert_eq!(n, at_war + 1, "{scenario}: each force at war, and all others together");
    }
}

/// dark-and-bloody-ground 14.0.7, 15.3.1, 15.3.2
#[test]
fn rifles_of_1793_go_to_any_nation_and_trotter_is_out() {
    let g = setup::position(Components::builtin().clone(), "wayne-1793", Default::default());
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .dice("rifles", [6])
    .dice("settlers of the set-up", [1])
    .dice("warriors of the set-up", [6])
    .any_dice([0; 16])
    .start();
    while trial.asked() != [(Seat(1), "event")] {
        let first = trial.options().remove(0);
        trial.order(first.order).expect("an option");
    }
    let now = trial.now();
    let where_is = |name: &str| {
        let mut own = now.of_kind(now.c.warriors(nation(&now, name)));
        let spot = own.find_map(|u| now.unit(u).spot.area()).expect("they are on the map");
        now.c[spot].id.clone()
    };
    let wanted = [("Iroquois", 2), ("Delaware", 1), ("Shawnee", 2), ("Wyandot", 1)];
    let words = wanted.map(|(name, n)| format!("{n} {name} at {}", where_is(name))).join(", ");
    trial.say(&words);
    trial.all_first();
    let end = trial.over();
    let armed = |name: &str| {
        let n = nation(&end, name);
        end.of_kind(end.c.warriors(n)).filter(|&u| end.unit(u).rifle).count()
    };
    assert_eq!(["Iroquois", "Delaware", "Shawnee", "Miami"].map(armed), [2, 1, 2, 0]);
    assert_eq!(end.chief(leader(&end, "Trotter")).spot, Spot::Gone);
    // The Delaware warrior begins in a British fort.
    let delaware = end.of_kind(end.c.warriors(nation(&end, "Delaware"))).find(|&u| end.unit(u).spot.area().is_some());
    let delaware = end.unit(delaware.expect("one is on the map"));
    assert!(delaware.inside, "{delaware:?}");
}

/// A village at I3 leaves the Iroquois the British fort there, without one they stand outside it; at I4 is none.
///
/// dark-and-bloody-ground 15.3.2, 11.2.2
#[test]
fn a_settled_area_does_not_bar_the_british_fort_in_it() {
    let (settled, free) = ("1 village each at i3, i4, d1 and d2", "1 village each at d1, d2, d3 and d4");
    for (villages, id, inside) in
        [(settled, "I3", Some(true)), (settled, "I4", None), (free, "I3", Some(false)), (free, "I4", Some(false))]
    {
        let g = setup::position(Components::builtin().clone(), "wayne-1793", Default::default());
        let trial = Trial::new(g, |t, mut g| async move {
            setup::campaign(&t, &mut g).await;
            g
        });
        let dice = trial.dice("settlers of the set-up", [1]).dice("warriors of the set-up", [1]).dice("rifles", [1]);
        let mut trial = dice.any_dice([0; 16]).start();
        for (asked, said) in [("village at d", villages), ("iroquois at", &format!("1 iroquois at {id}"))] {
            while !trial.words()[0].contains(asked) {
                let first = trial.options().remove(0);
                trial.order(first.order).expect("an option");
            }
            let may = trial.try_say(said);
            assert_eq!(may.is_ok(), said == villages || inside.is_some(), "{villages}, {said}: {may:?}");
        }
        trial.all_first();
        let now = trial.over();
        let iroquois = now.of_kind(now.c.warriors(nation(&now, "Iroquois"))).collect::<Vec<_>>();
        let there = iroquois.into_iter().find(|&u| now.unit(u).spot == Spot::On(at(&now, id)));
        assert_eq!(there.map(|u| now.unit(u).inside), inside, "{villages}, {id}");
    }
}

/// dark-and-bloody-ground 10.2
#[test]
fn where_the_first_player_may_begin() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 1, "S5");
    put(&mut g, "Shawnee", 1, "S5");
    g.primary = [Some(lead(&mut g, "Harmar", "S5")), Some(lead(&mut g, "Blue Jacket", "S5"))];
    // 1 + 1 against 1 + 3 is surprise, 2 + 1 is not.
    for (die, woods, far, may) in [
        (2, false, 3, false),
        (2, true, 3, false),
        (2, false, 4, true),
        (2, true, 4, true),
        (1, true, 1, true),
        (1, false, 1, false),
        (1, true, 3, true),
        (1, false, 3, false),
        (1, false, 4, true),
    ] {
        let mut trial = battle_at(g.clone()).any_dice([die, 1]).start();
        let letter = trial.words()[0].clone();
        trial.say(&letter);
        let now = trial.now();
        let grid = now.field().grid.clone();
        // The regular stands where such a hex is.
        let fits = |at: Hex| {
            let hexes = grid.hexes().filter(|&hex| grid.distance(at, hex) == far);
            hexes.into_iter().find(|&hex| (now.field().ground[hex] == Ground::Woods) == woods)
        };
        let (near, _) = trial
            .options()
            .into_iter()
            .map(|choice| choice.order)
            .find_map(|order| match order {
                super::super::Order::Put { lots } => {
                    let at = lots.iter().find(|lot| lot.what == "regular")?;
                    Some((fits(grid.hex(&at.at)?)?, trial.order(super::super::Order::Put { lots }).expect("legal")))
                }
                _ => None,
            })
            .expect("a place for the regular");
        let other = grid.hexes().find(|&hex| {
            let us =
                trial.now().battle().pieces.iter().filter_map(|p| p.stand.hex()).map(|us| grid.distance(us, hex)).min();
            us == Some(6)
        });
        let order = format!("1 shawnee at {}, 1 blue jacket at {}", grid.id(near), grid.id(other.expect("a hex")));
        assert_eq!(trial.try_say(&order).is_ok(), may, "die {die}, woods {woods}, {far} hexes: {order}");
    }
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn nations_begin_apart() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    for name in ["Shawnee", "Miami"] {
        at_war(&mut g, name, 3);
        put(&mut g, name, 1, "U1");
    }
    put(&mut g, "regular", 1, "U1");
    g.primary = [Some(lead(&mut g, "Harmar", "U1")), Some(lead(&mut g, "Blue Jacket", "U1"))];
    lead(&mut g, "Tecumseh", "U1");
    let u1 = at(&g, "U1");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        battle::at(&t, &mut g, u1).await;
        g
    })
    // The US moves first: the Native Americans set up before it.
    .any_dice([6, 1])
    .start();
    assert_eq!(trial.asked(), [(Seat(1), "battle-hex")]);
    let letter = trial.words()[0].clone();
    trial.say(&letter);
    let hexes = trial.options().into_iter().find_map(|choice| match choice.order {
        super::super::Order::Put { lots } => Some(lots.into_iter().map(|lot| lot.at).collect::<Vec<_>>()),
        _ => None,
    });
    let hex = hexes.expect("a set-up")[0].clone();
    let beside = {
        let now = trial.now();
        let grid = &now.field().grid;
        let at = grid.hex(&hex).expect("a hex");
        let letter =
            now.field().letters.iter().map(|&(_, at)| at).min_by_key(|&l| grid.distance(l, at)).expect("a letter");
        grid.neighbours(at).filter(|&near| grid.distance(near, letter) <= 4).map(|near| grid.id(near)).next()
    };
    let other = beside.expect("a hex");
    let all = |tecumseh: &str| {
        format!("1 shawnee at {hex}, 1 miami at {hex}, 1 blue jacket at {hex}, 1 tecumseh at {tecumseh}")
    };
    assert!(trial.refused(&all(&other)).contains("of too many nations"));
    trial.say(&all(&hex));
}

/// dark-and-bloody-ground 16.1.3
#[test]
fn a_battle_scenario_is_won_by_vps() {
    for (vps, winner, told) in [
        ([3, 2], Some(Side::Us), "@A (US) wins: more VPs (16.1.3)."),
        ([2, 3], Some(Side::Na), "@B (NA) wins: more VPs (16.1.3)."),
        ([2, 2], None, "A draw: as many VPs (16.1.3)."),
    ] {
        let mut g = bare("harmars-defeat");
        (g.vps, g.told) = (vps, vps);
        let mut run = Trial::new(g, |t, mut g| async move {
            super::super::victory::battle(&t, &mut g);
            g
        })
        .start();
        let ending = run.over().ending.expect("an ending");
        assert_eq!((ending.winner, run.story()), (winner, vec![told.to_owned()]));
    }
}

/// dark-and-bloody-ground 16.1.1, 16.1.2, 16.2.1, 16.2.2, 16.3.1, 16.3.2
#[test]
fn a_battle_scenario_names_the_primary_leaders() {
    let timbers: Vec<i64> = [3].into_iter().chain(vec![0; 15]).collect();
    for (scenario, dice, names) in [
        ("harmars-defeat", Vec::new(), ["Harmar", "Little Turtle"]),
        ("st-clairs-surprise", vec![4], ["St. Clair", "Little Turtle"]),
        ("fallen-timbers", timbers, ["Wayne", "Blue Jacket"]),
    ] {
        let g = begun(scenario, &dice);
        let wanted = names.map(|name| Some(leader(&g, name)));
        assert_eq!((g.primary, g.battle().primary), (wanted, wanted), "{scenario}");
    }
}

/// dark-and-bloody-ground 15.3.2
#[test]
fn nobody_sets_up_among_settlers() {
    let mut g = setup::position(Components::builtin().clone(), "wayne-1793", Default::default());
    let [settled, village] = ["S1", "S2"].map(|id| at(&g, id));
    (g.land_mut(settled).settlers, g.land_mut(village).village) = (1, true);
    let dice: Vec<i64> = [1].into_iter().chain([0; 16]).chain([1, 5]).collect();
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .any_dice(dice)
    .start();
    while trial.asked()[0].0 == Seat(0) {
        let first = trial.options().remove(0);
        trial.order(first.order).expect("an option");
    }
    let first = trial.options().remove(0).order;
    let with = |what: &str, to: &str| {
        let Order::Put { lots } = &first else { panic!("not a set-up: {first:?}") };
        let mut lots = lots.clone();
        lots.retain(|lot| lot.what != what);
        let n = if what == "Shawnee" { 10 } else { 1 };
        lots.push(Lot { n, what: what.to_owned(), at: to.to_owned() });
        Order::Put { lots }
    };
    for what in ["Shawnee", "Blue Jacket"] {
        for to in ["S1", "S2"] {
            let why = trial.order(with(what, to)).expect_err("others live there");
            assert!(why.to_string().contains(&format!("{what} cannot go to")), "{what}, {to}: {why}");
        }
    }
    trial.order(first.clone()).expect("they have other land");
    assert!(trial.now().units_in(settled, Side::Na).next().is_none());
}
