//! Militia that stays in its town, and is not removed (8.4.2).

use super::super::{
    army,
    components::{Season, Side},
    reaction,
    testing::*,
};

/// dark-and-bloody-ground 8.4.2
#[test]
fn militia_that_stays_in_its_town_is_not_removed_and_does_not_react() {
    let mut g = war();
    // Three towns, -2 for Commitment, -1 for fall and -3 for raids: a 1 gives -2.
    (g.commitment, g.season, g.raid_total) = (1, Season::Fall, 3);
    put(&mut g, "kentucky-militia", 1, "U1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        army::phase(&t, &mut g, false, true, false).await;
        g
    })
    .any_dice([1])
    .start();
    trial.say("1 kentucky-militia at u1");
    trial.all_first();
    let mut g = trial.over();
    assert_eq!((count(&g, "kentucky-militia", "U1"), g.vps), (1, [0, 1]), "one stays, one is paid for");
    lead(&mut g, "Harmar", "U1");
    assert_eq!(reaction::stacks(&g, Side::Us, &[at(&g, "U1")], &[]), []);
}

/// dark-and-bloody-ground 8.4.2
#[test]
fn only_militia_in_a_town_is_pledged() {
    for (at, done, asked) in [("U1", false, Some("pledge")), ("U1", true, None), ("K5", false, Some("removal"))] {
        let mut g = war();
        (g.commitment, g.season, g.raid_total) = (1, Season::Fall, 3);
        // Two must go; who has completed his actions does not.
        put(&mut g, "virginia-militia", 2, "V3");
        let u = put(&mut g, "kentucky-militia", 1, at)[0];
        g.unit_mut(u).done = done;
        let trial = Trial::new(g, |t, mut g| async move {
            army::phase(&t, &mut g, false, true, false).await;
            g
        })
        .any_dice([1])
        .start();
        assert_eq!(trial.asked().first().map(|asked| asked.1), asked, "{at}, {done}");
        if asked == Some("pledge") {
            assert!(trial.read("1 virginia-militia at v3").is_err());
        }
    }
}

/// dark-and-bloody-ground 8.4.2
#[test]
fn nothing_is_asked_if_all_militia_is_removed() {
    let mut g = war();
    (g.commitment, g.season, g.raid_total) = (1, Season::Fall, 3);
    // Two must go, and no more are there.
    for at in ["K1", "K5"] {
        put(&mut g, "kentucky-militia", 1, at);
    }
    let rule = |t, mut g| async move {
        army::phase(&t, &mut g, false, true, false).await;
        g
    };
    let end = Trial::new(g, rule).any_dice([1]).start().over();
    assert_eq!(["K1", "K5"].map(|at| count(&end, "kentucky-militia", at)), [0, 0]);
}

/// dark-and-bloody-ground 8.4.2
#[test]
fn militia_is_pledged_where_it_stands() {
    let mut g = war();
    (g.commitment, g.season, g.raid_total) = (1, Season::Fall, 3);
    put(&mut g, "kentucky-militia", 1, "U1");
    put(&mut g, "kentucky-militia", 2, "P1");
    let trial = || {
        let rule = |t, mut g| async move {
            army::phase(&t, &mut g, false, true, false).await;
            g
        };
        Trial::new(g.clone(), rule).any_dice([1]).start()
    };
    assert!(trial().try_say("2 kentucky-militia at u1").is_err());
    for said in ["2 kentucky-militia at p1", "1 kentucky-militia at u1, 1 kentucky-militia at p1"] {
        assert!(trial().say(said).asked().is_empty(), "{said}: nobody is left to be removed");
    }
}
