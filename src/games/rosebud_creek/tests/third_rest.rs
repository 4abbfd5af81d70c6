//! What version 3 of the rules does otherwise with Leaders, Routs, exits, ammunition and orders; melee stands in `third`.

use super::{
    super::{
        State,
        components::{Outcome, Side},
        doctrine::{About, Doctrine, FireWill},
        fire, leaders, march, morale, play, reaction, retreat, rout,
        state::{Mode, Phase, Spot, Volume, Wound},
        testing::*,
        variant::Variant,
        village, volley,
    },
    third::{far, old, quiet, says},
};
use crate::table::Seat;

/// The Movement Phase of a side.
fn moving(g: &State, side: Side) -> Trial {
    let mut g = g.clone();
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    })
}

fn cause(g: &State, foe: &str) -> fire::Cause {
    let foe = unit(g, foe);
    fire::Cause { from: g.hex(foe).expect("on the map"), foe, volley: Some(fire::Volley::Advance) }
}

/// A unit is Pinned: its Leader joins another one, stays, or is asked for; none joins one that is Pinned itself unasked, and the staff
/// stays with the HQ.
///
/// rosebud-creek 12.A, 9.D
#[test]
fn leaders_leave_who_is_pinned() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let e = foot(&mut g, "3E", "1710");
    foot(&mut g, "H1", "1709");
    assert_eq!(g.chief(mills).with, Some(a));
    let pins = |g: &State, id: &str| {
        let (u, cause) = (unit(g, id), cause(g, "H1"));
        Trial::new(g.clone(), move |t, mut g| async move {
            morale::pin(&t, &mut g, u, cause).await;
            g
        })
    };
    let with = |g: &State| pins(g, "3A").start().over().chief(mills).with;
    assert_eq!((with(&g), with(&old(&g))), (Some(e), Some(a)));
    says(&mut g, Side::Us, About::Leaders, "no");
    assert_eq!(with(&g), Some(a));
    says(&mut g, Side::Us, About::Leaders, "ask");
    for (said, joined) in [("3e", e), ("stay with it", a)] {
        let mut run = pins(&g, "3A").start();
        assert_eq!(run.asked(), [(Seat(0), "leader")]);
        run.check_options(4);
        run.say(said);
        let end = run.over();
        assert_eq!((end.chief(mills).with, end.unit(a).pinned), (Some(joined), true));
    }
    // He keeps his Command Radius only apart from the Pin.
    says(&mut g, Side::Us, About::Leaders, "yes");
    let free = pins(&g, "3A").start().over();
    assert!(
        leaders::radius(&free, mills).is_some()
            && leaders::radius(&pins(&old(&g), "3A").start().over(), mills).is_none()
    );
    g.unit_mut(e).pinned = true;
    assert_eq!(with(&g), Some(a), "the other one is Pinned too");
    let hq = foot(&mut g, "HQ", "1710");
    let staff = leader(&g, "Staff");
    (g.chief_mut(staff).spot, g.chief_mut(staff).with) = (Spot::On(hex(&g, "1710")), Some(hq));
    g.unit_mut(e).pinned = false;
    assert_eq!(pins(&g, "HQ").start().over().chief(staff).with, Some(hq));
}

/// A badly wounded US Leader goes by himself only straight to the HQ, with all his MPs, and nobody leaves him alone.
///
/// rosebud-creek 12.D
#[test]
fn the_badly_wounded_are_brought_to_the_hq() {
    let mut g = bare();
    ride(&mut g, "3A", "1711");
    ride(&mut g, "HQ", "2311");
    let mills = lead(&mut g, "Mills", "1711");
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    for wound in [Wound::Severe, Wound::Mortal] {
        g.chief_mut(mills).wound = wound;
        // Away, sideways, or not as far as he could.
        for said in ["mills alone 1611", "mills alone 1710", "mills alone 1811 1911 2011"] {
            assert!(order(&g, said).is_err_and(|why| why.contains("12.D.1")), "{said}");
            assert_eq!(order(&old(&g), said), Ok(()), "{said}");
        }
        let mut run = moving(&g, Side::Us).start();
        run.say("mills alone 1811 1911 2011 2110");
        assert_eq!(run.now().chief(mills).spot, Spot::On(hex(&g, "2110")), "4 MPs");
        // With his unit he goes anywhere.
        assert_eq!(order(&g, "3a 1611"), Ok(()));
    }
    // He has 4 MPs and does not keep up with 6.
    let away = "3a 1611 > 1511 > 1411 > 1311 > 1211";
    let why = order(&g, away).expect_err("he cannot follow");
    assert!(why.contains("left alone"), "{why}");
    assert_eq!(order(&old(&g), away), Ok(()));
    // Another unit that stays is company enough.
    foot(&mut g, "3E", "1711");
    assert_eq!(order(&g, "mills 3a 1611"), Ok(()));
    g.chief_mut(mills).wound = Wound::Moderate;
    assert_eq!(order(&g, "mills alone 1611"), Ok(()));
}

/// The senior who can lead counts, not one whose wound takes his rating.
///
/// rosebud-creek 12.A, 12.D, 10.E
#[test]
fn who_is_badly_wounded_leads_nobody() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let (crook, mills) = (lead(&mut g, "Crook", "1710"), lead(&mut g, "Mills", "1710"));
    let senior = |g: &State| leaders::senior(g, [crook, mills].into_iter());
    assert_eq!(senior(&g), Some(crook));
    for (wound, counts) in [(Wound::Moderate, crook), (Wound::Severe, mills), (Wound::Mortal, mills)] {
        g.chief_mut(crook).wound = wound;
        assert_eq!((senior(&g), senior(&old(&g))), (Some(counts), Some(crook)), "{wound:?}");
    }
    // In melee and in a Morale Check the able one's rating is added.
    foot(&mut g, "H1", "1711");
    let a = [unit(&g, "3A")];
    let drm = |g: &State| super::super::melee::reckon(g, &a, hex(g, "1711")).drm.total();
    assert_eq!(drm(&g) - drm(&old(&g)), leaders::rating(&g, mills));
    let check = |g: &State| morale::modifiers(g, a[0], false).total();
    assert_eq!((check(&g), check(&old(&g))), (leaders::rating(&g, mills), 0));
}

/// Who is dismounted in his Rout goes on at the rate on foot: two hexes in all of the first move instead of three, four of a later one.
///
/// rosebud-creek 9.D, 10.J
#[test]
fn dismounted_in_a_rout() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].retreat = FireWill::Yes;
    g.phase = Phase::Defensive;
    let a = ride(&mut g, "3A", "1711");
    foot(&mut g, "H1", "1710");
    // Every hex behind it lies in a ZOC.
    for (id, at) in [("H2", "1512"), ("H3", "1912"), ("H4", "1714")] {
        foot(&mut g, id, at);
    }
    let first = {
        let mut g = g.clone();
        let to = hex(&g, "1712");
        g.put(a, Spot::On(to));
        dice_for(&g, "H4", "3A", fire::Volley::Retreat(Volume::Full), Outcome::Mc)
    };
    says(&mut g, Side::Us, About::FallBack, "1713");
    let gone = |g: &State| {
        let cause = cause(g, "H1");
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::mandatory(&t, &mut g, a, cause).await;
            g
        });
        // 6 less 2 for a Routed unit: Pinned; whoever fires later misses.
        let mut run = trial.dice("fire", first.into_iter().chain([1, 2, 1, 2, 1, 2])).dice("morale", [3, 3]).start();
        let now = run.now();
        assert!(now.unit(a).routed && now.unit(a).mode == Mode::Dismounted, "{:?}", run.story());
        far(&now, "3A", "1711")
    };
    assert_eq!((gone(&g), gone(&old(&g))), (2, 3));
}

/// The same of a Subsequent Rout: dismounted by Opportunity Fire after its fourth hex, it does not go a fifth.
///
/// rosebud-creek 9.D, 10.J
#[test]
fn dismounted_in_a_later_rout() {
    let mut g = bare();
    quiet(&mut g);
    g.doctrine[1].opportunity = FireWill::Yes;
    (g.phase, g.phasing) = (Phase::Movement, Side::Us);
    let a = ride(&mut g, "3A", "1711");
    g.unit_mut(a).routed = true;
    foot(&mut g, "3E", "1720");
    foot(&mut g, "H1", "1710");
    let fire = dice_for(&g, "H1", "3A", fire::Volley::Opportunity(Volume::Full), Outcome::Mc);
    let gone = |g: &State, taken: u16| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, taken, false).await;
            g
        });
        // 6 less 2 for a Routed unit: Pinned.
        let end = trial.dice("fire", fire).dice("morale", [3, 3]).start().over();
        assert_eq!(end.unit(a).mode, Mode::Dismounted);
        far(&end, "3A", "1711")
    };
    assert_eq!([gone(&g, 3), gone(&g, 4), gone(&g, 5)], [1, 0, 0]);
    assert_eq!([gone(&old(&g), 3), gone(&old(&g), 4), gone(&old(&g), 5)], [1, 1, 1]);
}

/// A Routed unit that an r result finds without a hex stays, unless all around is barred; a Rout without a first hex costs the unit.
///
/// rosebud-creek 10.I, 10.J
#[test]
fn routed_units_without_a_way() {
    let mut g = bare();
    quiet(&mut g);
    g.phase = Phase::Melee;
    let a = foot(&mut g, "3A", "1611");
    g.unit_mut(a).routed = true;
    // Two foes on opposite sides: every hex is beside one of them.
    let foes = [foot(&mut g, "H1", "1610"), foot(&mut g, "H2", "1612")];
    let end = |g: &State, rout: bool| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            let enemy = hex(&g, "1610");
            match rout {
                true => rout::mandatory_from(&t, &mut g, a, enemy, &foes).await,
                false => retreat::fall_back_from(&t, &mut g, a, 1, enemy, &foes).await,
            }
            g
        });
        trial.start().over()
    };
    assert_eq!((at(&end(&g, false), "3A"), end(&g, false).losses), ("1611".to_owned(), [0, 0]));
    assert_eq!((at(&end(&old(&g), false), "3A"), end(&old(&g), false).losses), ("-".to_owned(), [5, 0]));
    assert_eq!(at(&end(&g, true), "3A"), "-", "a Rout needs a first hex");
    // All around is barred: a Retreat costs it too, and so does a later Rout move.
    let around = ["1710", "1711", "1511", "1510"];
    for (id, to) in ["H3", "H4", "H5", "H6"].into_iter().zip(around) {
        foot(&mut g, id, to);
    }
    assert_eq!(at(&end(&g, false), "3A"), "-");
    g.phase = Phase::Movement;
    let runs = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            rout::subsequent(&t, &mut g, a, 0, false).await;
            g
        });
        trial.start().over()
    };
    assert_eq!((at(&runs(&g), "3A"), runs(&g).losses, runs(&g).vps), ("-".to_owned(), [5, 0], [0, 5]));
    assert_eq!(at(&runs(&old(&g)), "3A"), "1611");
    // Where only Pony Holders bar a hex, they are ridden down instead.
    let (h, to) = (unit(&g, "H6"), hex(&g, "1510"));
    g.put(h, Spot::Pool);
    let ponies = foot(&mut g, "H6H", "1510");
    let end = runs(&g);
    assert!(end.unit(ponies).spot == Spot::Dead && end.unit(a).spot.hex().is_some(), "{to:?}");
    // At the edge it leaves the map, and scores nothing.
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "2000");
    g.unit_mut(a).routed = true;
    let near: Vec<String> = g.charts.grid.neighbours(hex(&g, "2000")).map(|at| g.id(at)).collect();
    for (id, to) in ["H1", "H2", "H3", "H4"].into_iter().zip(&near) {
        foot(&mut g, id, to);
    }
    let gone = moving(&g, Side::Us).start().over();
    assert_eq!((gone.unit(a).spot, gone.vps), (Spot::Off, [0, 0]));
}

/// Units that leave of their own will are casualties: from the 14th Indian one on two VPs each; a train is lost with its ammunition.
///
/// rosebud-creek 7.J, 15.D, 16.F
#[test]
fn who_leaves_is_lost() {
    let mut g = bare();
    ride(&mut g, "H1", "1720");
    ride(&mut g, "H2", "1719");
    g.losses[1] = 12;
    let leaves = |g: &State, side: Side, said: &str| {
        let mut run = moving(g, side).start();
        run.say(said).say("done");
        let end = run.over();
        (end.vps, end.losses)
    };
    assert_eq!(leaves(&g, Side::Indian, "h1 exit"), ([1 + 5 * 2, 0], [0, 18]));
    assert_eq!(leaves(&old(&g), Side::Indian, "h1 exit"), ([6, 0], [0, 12]));
    let mut g = bare();
    foot(&mut g, "PTA", "1720");
    ride(&mut g, "3E", "1719");
    assert_eq!(leaves(&g, Side::Us, "pta exit"), ([0, 6 + 5 + 6], [6, 0]));
    assert_eq!(leaves(&old(&g), Side::Us, "pta exit"), ([0, 6], [0, 0]));
}

/// With half a box left a unit still fires in a reaction, at half of what it would; without any it does not answer Hit & Run.
///
/// rosebud-creek 14.D, 9.F, 9.G
#[test]
fn the_last_half_box() {
    let mut g = bare_with(Variant { version: 3, ammo_roster: true, hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    g.doctrine[0] = Doctrine { opportunity: FireWill::Yes, retreat: FireWill::Yes, ..g.doctrine[0] };
    g.phase = Phase::Movement;
    let a = foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1711");
    let boxes = g.c[a].boxes * 2;
    let shots = |g: &State, used: u8, rout: bool| {
        let mut g = g.clone();
        g.unit_mut(a).used = used;
        g.unit_mut(h).routed = rout;
        let trial = Trial::new(g, move |t, mut g| async move {
            match rout {
                true => reaction::retreat_fire(&t, &mut g, h).await,
                false => _ = reaction::opportunity(&t, &mut g, &[h]).await,
            }
            g
        });
        let mut run = trial.dice("fire", [1, 2]).start();
        let now = run.now();
        let story = run.story();
        let shot = story.iter().find(|line| line.contains("Fire: Lawson")).cloned();
        (
            shot.map(|line| {
                line.split(" in 1711, ").nth(1).unwrap_or_default().split(':').next().unwrap_or_default().to_owned()
            }),
            now.unit(a).used,
        )
    };
    let fired = |words: &str, used| (Some(words.to_owned()), used);
    assert_eq!(shots(&g, boxes - 2, false), fired("strength 5/2 (Opportunity Fire)", boxes));
    assert_eq!(
        shots(&g, boxes - 1, false),
        fired("strength 5/4 (Opportunity Fire, half strength before moving)", boxes)
    );
    assert_eq!(shots(&g, boxes, false), (None, boxes));
    assert_eq!(shots(&g, boxes - 1, true), fired("strength 5/2 (Retreat Fire, half strength before moving)", boxes));
    assert_eq!(shots(&old(&g), boxes - 1, false), (None, boxes - 1));
    assert_eq!(shots(&old(&g), boxes - 1, true), (None, boxes - 1));
    // Asked, a player may keep half a box; not in version 2.
    g.doctrine[0].opportunity = FireWill::Ask;
    let asks = |g: &State| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            reaction::opportunity(&t, &mut g, &[h]).await;
            g
        });
        trial.dice("fire", [1, 2]).start()
    };
    let mut run = asks(&g);
    run.check_options(6);
    run.say("fire 3a half at h1");
    assert_eq!(run.over().unit(a).used, 1);
    assert!(asks(&old(&g)).refused("fire 3a half at h1").contains("4.B"));
    // 16.G
    g.doctrine[0].opportunity = FireWill::Yes;
    let rides = |g: &State, used: u8| {
        let mut g = g.clone();
        g.unit_mut(a).used = used;
        let mut run = moving(&g, Side::Indian).dice("fire", [1, 2, 1, 2]).start();
        run.say("h1 fire 3a");
        run.story().iter().filter(|line| line.starts_with("Hit & Run: Lawson")).count()
    };
    assert_eq!([rides(&g, boxes - 1), rides(&g, boxes), rides(&old(&g), boxes - 1)], [1, 0, 1]);
}

/// The staff of the Column HQ may lead the search, and leaves with the HQ.
///
/// rosebud-creek 12.E, 16.E
#[test]
fn the_staff_may_lead_the_search() {
    let mut g = bare();
    g.phasing = Side::Us;
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701")] {
        ride(&mut g, id, at);
    }
    let hq = ride(&mut g, "HQ", "2601");
    let staff = leader(&g, "Staff");
    (g.chief_mut(staff).spot, g.chief_mut(staff).with) = (Spot::On(hex(&g, "2601")), Some(hq));
    assert_eq!(village::may_search(&g, Side::Us), Ok(staff));
    assert!(village::may_search(&old(&g), Side::Us).is_err());
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("yes");
    let end = run.now();
    assert_eq!((end.unit(hq).spot, end.chief(staff).spot, end.seekers.len()), (Spot::Off, Spot::Off, 5));
    // Any other Leader goes before.
    let crook = lead(&mut g, "Crook", "2601");
    assert_eq!(village::may_search(&g, Side::Us), Ok(crook));
}

/// Where only a Routed unit could go on, its owner is asked; not where it cannot, nor again when it has gone.
///
/// rosebud-creek 4.C, 10.J
#[test]
fn the_movement_phase_is_asked_for_routed_units() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1711");
    g.unit_mut(a).routed = true;
    g.unit_mut(a).rout_from = Some(hex(&g, "1706"));
    let e = foot(&mut g, "3E", "1712");
    g.unit_mut(e).pinned = true;
    ride(&mut g, "3I", "2318");
    let i = unit(&g, "3I");
    g.unit_mut(i).pinned = true;
    foot(&mut g, "H1", "1705");
    let mut run = moving(&g, Side::Us).start();
    assert_eq!(run.asked(), [(Seat(0), "movement")]);
    assert!(run.words().contains(&"rout 3a".to_owned()), "{:?}", run.words());
    assert!(run.reads().lines.iter().any(|line| line.contains("Lawson (3A) is Routed and may go on: rout 3a.")));
    run.check_options(20);
    run.say("rout 3a");
    assert!(run.asked().is_empty() && at(&run.over(), "3A") != "1711");
    assert!(moving(&old(&g), Side::Us).start().asked().is_empty());
    // Who has nowhere to go is not asked about.
    let mut g = g.clone();
    g.unit_mut(a).did.fled = true;
    assert!(moving(&g, Side::Us).start().asked().is_empty());
}

/// Fire behind a move is fired in the Advance Fire Phase, if it is still possible then; in version 2 it was read as Hit & Run.
///
/// rosebud-creek 4.E, 16.G
#[test]
fn fire_behind_a_move_waits() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1712");
    let h = foot(&mut g, "H1", "1709");
    let turn = |g: &State, said: &str, loses_target: bool| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let said = said.to_owned();
        let trial = Trial::new(g, move |t, mut g| async move {
            march::phase(&t, &mut g).await;
            if loses_target {
                g.put(h, Spot::Off);
            }
            volley::phase(&t, &mut g, Side::Us, Phase::Advance, fire::Volley::Advance).await;
            g
        });
        let dice: &[i64] = if loses_target { &[] } else { &[1, 2] };
        let mut run = trial.dice("fire", dice.iter().copied()).start();
        run.say(&said).say("done");
        assert!(run.asked().is_empty(), "nobody else can fire");
        (run.over().unit(a).did.advance.is_some(), run.story())
    };
    let (fired, story) = turn(&g, "3a 1711, fire h1", false);
    assert!(
        fired && story.iter().any(|line| line.starts_with("Advance Fire: Lawson (3A) at Crow King (H1)")),
        "{story:?}"
    );
    let (fired, story) = turn(&g, "3a 1711, fire h1", true);
    assert!(!fired && story.iter().any(|line| line.contains("Lawson (3A) does not fire")), "{story:?}");
    let refused = |g: &State, said: &str| moving(g, Side::Us).start().refused(said);
    assert!(refused(&g, "3a fire h1, 1711").contains("stands last"));
    assert!(refused(&g, "3a fire h1").contains("would not reach H1"));
    assert!(refused(&old(&g), "3a 1711, fire h1").contains("16.G"));
    g.unit_mut(a).did.fired = Some(Volume::Half);
    assert!(refused(&g, "3a 1711, fire h1").contains("Offensive Fire"));
    // Mounted Indians fire as Hit & Run where that is played, those on foot do not.
    let mut g = bare_with(Variant { version: 3, hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    for (mode, at_once) in [(Mode::Mounted, true), (Mode::Dismounted, false)] {
        put(&mut g, "H1", "1711", mode);
        let dice: &[i64] = if at_once { &[1, 2] } else { &[] };
        let mut run = moving(&g, Side::Indian).dice("fire", dice.iter().copied()).start();
        run.say("h1 fire 3a");
        assert_eq!(run.story().iter().any(|line| line.starts_with("Hit & Run: Crow King")), at_once);
    }
}

/// A whole Player Turn keeps what was aimed at through the Defensive Fire Phase.
///
/// rosebud-creek 4, 4.E
#[test]
fn aims_last_until_advance_fire() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1712");
    foot(&mut g, "H1", "1709");
    let trial = Trial::new(g, |t, mut g| async move {
        play::player_turn(&t, &mut g, Side::Us).await;
        g
    });
    let mut run = trial.dice("fire", [1, 2]).start();
    run.say("done").say("3a 1711, fire h1").say("done");
    assert_eq!(run.asked(), [(Seat(1), "defensive-fire")]);
    run.say("done");
    assert!(run.over().aims.is_empty() && run.story().iter().any(|line| line.starts_with("Advance Fire: Lawson")));
}
