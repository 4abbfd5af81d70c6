//! Invariants of all positions.

use super::{
    super::{components::*, legal, state::*, testing::*},
    board::{board, stand},
};

/// dark-and-bloody-ground 9.5.2, 14.0.7, 14.0.8
#[test]
fn what_no_position_may_be_is_told() {
    let mut g = war();
    g.at_rest = true;
    assert_eq!(legal::faults(&g), Vec::<String>::new());
    type Change = fn(&mut State);
    let changes: [(&str, Change); 14] = [
        ("settlers in pillaged", |g| {
            let a = at(g, "K2");
            (g.land_mut(a).settlers, g.land_mut(a).pillaged) = (1, true);
        }),
        ("without militia of Kentucky", |g| {
            lead(g, "Trotter", "K2");
        }),
        ("2 leaders of rank 3", |g| {
            ["Harmar", "Wayne"].into_iter().for_each(|name| {
                lead(g, name, "U1");
            });
        }),
        ("2 leaders of the Shawnee", |g| {
            ["Black Hoof", "Blue Jacket"].into_iter().for_each(|name| {
                lead(g, name, "S5");
            });
        }),
        ("Siege markers at", |g| {
            let a = at(g, "W2");
            g.land_mut(a).fort.as_mut().expect("a fort").siege = 1;
        }),
        ("in no fort of his", |g| {
            let l = lead(g, "Harmar", "U1");
            g.chief_mut(l).inside = true;
        }),
        ("Tecumseh raids", |g| {
            let l = lead(g, "Tecumseh", "S5");
            (g.chief_mut(l).raiding, g.chief_mut(l).done) = (true, true);
        }),
        ("without the British", |g| {
            lead(g, "Dorchester", "W5");
        }),
        ("a rifle with regular", |g| {
            let u = put(g, "regular", 1, "U1")[0];
            g.unit_mut(u).rifle = true;
        }),
        ("acts again Out of Supply", |g| {
            let u = put(g, "regular", 1, "U1")[0];
            let unit = g.unit_mut(u);
            (unit.starved, unit.acts, unit.done) = (true, 2, true);
        }),
        ("Atrocity markers of the US", |g| g.spent_atrocities = [7, 0]),
        ("the Iroquois are in play", |g| {
            put(g, "Iroquois", 1, "I3");
        }),
        ("who have surrendered", |g| {
            let n = nation(g, "Mingo");
            (g.tribe_mut(n).stance, g.tribe_mut(n).ml) = (Stance::Surrendered, 2);
        }),
        ("a British fort at", |g| {
            let (a, w2) = (at(g, "S5"), at(g, "W2"));
            let fort = g.land_mut(w2).fort.take();
            g.land_mut(a).fort = fort;
        }),
    ];
    for (told, change) in changes {
        let mut g = g.clone();
        change(&mut g);
        let faults = legal::faults(&g);
        assert!(faults.len() == 1 && faults[0].contains(told), "{told}: {faults:?}");
    }
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn the_units_of_a_battle_are_counted() {
    let faults = |start: [u8; 2], lost: [u8; 2]| {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "regular", "0306");
        stand(&mut g, "Shawnee", "0806");
        (g.battle_mut().start, g.battle_mut().lost) = (start, lost);
        legal::faults(&g).into_iter().filter(|fault| fault.contains("(10.7.1)")).count()
    };
    assert_eq!(faults([1, 1], [0, 0]), 0);
    assert_eq!(faults([2, 1], [0, 0]), 1, "one of the US is missing");
    assert_eq!(faults([1, 1], [0, 1]), 1, "none of the Indians is gone");
}
