//! Leaders (12).

use super::super::{
    State,
    components::{Outcome, Side},
    doctrine::About,
    fire::{self, Volley},
    horses, leaders, melee, mode, morale,
    movement::{self, Mover},
    retreat, rout, setup,
    state::{Mode, Phase, Spot, Volume, Wound},
    testing::*,
    variant::Variant,
    volley,
};
use postrider_table::Seat;

fn checked(g: &State, id: &str, loss: [i64; 2], wound: &[i64]) -> Trial {
    let l = leader(g, id);
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        leaders::check(&t, &mut g, l);
        g
    });
    trial.dice("leader loss", loss).dice("wound", wound.to_vec())
}

/// A Leader in a hex with units is attached to one; when it leaves, he goes along or joins another.
///
/// rosebud-creek 12.A, 6.D
#[test]
fn leaders_are_attached() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    assert_eq!(g.chief(mills).with, Some(a));
    let e = foot(&mut g, "3E", "1710");
    let part = |g: &State, u| {
        Trial::new(g.clone(), move |t, mut g| async move {
            let at = hex(&g, "1710");
            let along = leaders::part(&t, &mut g, u, at).await;
            g.turn = along.len() as u8;
            g
        })
    };
    let end = part(&g, a).start().over();
    assert_eq!((end.turn, end.chief(mills).with), (0, Some(e)), "he joins the largest");
    g.doctrine[0] = g.doctrine[0].with(About::Leaders, "no", &g.charts.grid).expect("a doctrine");
    let end = part(&g, a).start().over();
    assert_eq!((end.turn, end.chief(mills).with), (1, Some(a)), "he stays with it");
    g.doctrine[0] = g.doctrine[0].with(About::Leaders, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = part(&g, a).start();
    assert_eq!(run.asked(), [(Seat(0), "leader")]);
    run.say("3e");
    assert_eq!(run.over().chief(mills).with, Some(e));
    // The senior of several Leaders counts, or the best for Indians.
    lead(&mut g, "Crook", "1710");
    let both = [leader(&g, "Mills"), leader(&g, "Crook")];
    assert_eq!(leaders::senior(&g, both.into_iter()), Some(both[1]));
    let both = [leader(&g, "Gall"), leader(&g, "Crazy Horse")];
    assert_eq!(leaders::senior(&g, both.into_iter()), Some(both[1]));
    // 12.A: attachments change in the Rally Phase.
    let mut run = rallying(&g, Side::Us).start();
    run.say("attach mills to 3e").say("done");
    assert_eq!(run.over().chief(mills).with, Some(e));
}

/// Deaths and wounds: ratings, and VPs once per Leader, with killed VPs replacing wounded VPs.
///
/// rosebud-creek 12.D, 9.E, 17
#[test]
fn wounds_and_deaths() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let end = checked(&g, "Mills", [3, 2], &[]).start().over();
    assert_eq!((end.chief(mills).wound, end.vps), (Wound::None, [0, 0]));
    let end = checked(&g, "Mills", [1, 1], &[]).start().over();
    assert_eq!((end.chief(mills).spot, end.vps, end.lieutenants_due), (Spot::Dead, [0, 4], 1));
    let end = checked(&g, "Mills", [1, 2], &[5]).start().over();
    assert_eq!((end.chief(mills).wound, end.vps), (Wound::None, [0, 0]), "light");
    let end = checked(&g, "Mills", [1, 2], &[3]).start().over();
    assert_eq!(
        (end.chief(mills).wound, end.vps, leaders::rating(&end, mills), leaders::radius(&end, mills)),
        (Wound::Moderate, [0, 2], 1, Some(1))
    );
    let end = checked(&g, "Mills", [1, 2], &[2]).start().over();
    assert_eq!(
        (end.chief(mills).wound, leaders::rating(&end, mills), leaders::radius(&end, mills)),
        (Wound::Severe, 0, None)
    );
    assert_eq!(movement::allowance(&end, unit(&end, "3A"), Mode::Dismounted), 2, "he slows his unit");
    let end = checked(&g, "Mills", [1, 2], &[1]).dice("mortal wound", [3]).start().over();
    assert_eq!((end.chief(mills).wound, end.chief(mills).dies), (Wound::Mortal, Some(g.turn + 3)));
    assert_eq!(movement::allowance_of(&end, Mover::Leader(mills)), 4);
    // He dies in that Rally Phase, and killed VPs replace wounded VPs.
    let mut late = end.clone();
    late.turn += 3;
    let mut run = rallying(&late, Side::Us).start();
    run.say("done");
    let dead = run.over();
    assert_eq!((dead.chief(mills).spot, dead.vps), (Spot::Dead, [0, 4]));
    // With the Column HQ an unmodified die decides: on a 4 he survives, severely wounded.
    let mut safe = end.clone();
    foot(&mut safe, "HQ", "1710");
    for (die, lives) in [(4, true), (3, false)] {
        let mut run = rallying(&safe, Side::Us).dice("mortal wound", [die]).start();
        run.say("done");
        let end = run.over();
        assert_eq!(end.chief(mills).spot == Spot::Dead, !lives);
        assert_eq!(end.chief(mills).wound == Wound::Severe && end.chief(mills).dies.is_none(), lives);
    }
    // Crook scores more.
    lead(&mut g, "Crook", "1711");
    let end = checked(&g, "Crook", [1, 1], &[]).start().over();
    assert_eq!(end.vps, [0, 10]);
    let end = checked(&g, "Crook", [1, 2], &[3]).start().over();
    assert_eq!(end.vps, [0, 5]);
    ride(&mut g, "H1", "2010");
    lead(&mut g, "Gall", "2010");
    let vps = [&[][..], &[3]]
        .map(|wound| checked(&g, "Gall", [1, if wound.is_empty() { 1 } else { 2 }], wound).start().over().vps);
    assert_eq!(vps, [[5, 0], [2, 0]]);
}

/// If Crook is killed, Royall commands and Evans is second; a Lieutenant may join.
///
/// rosebud-creek 12.D.6
#[test]
fn replacement_leaders() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    for (id, at) in [("Crook", "1710"), ("Royall", "1712"), ("Evans", "1714")] {
        lead(&mut g, id, at);
    }
    let commander = |g: &State, killed: &str| {
        let mut run = checked(g, killed, [1, 1], &[]).start();
        let told = run.story().into_iter().find(|line| line.contains("commands the US"));
        (run.over(), told.unwrap_or_default())
    };
    let (end, told) = commander(&g, "Crook");
    assert_eq!(told, "Royall commands the US now (12.D.6).");
    assert_eq!(commander(&end, "Royall").1, "Evans commands the US now (12.D.6).");
    assert_eq!(commander(&end, "Evans").1, "", "the second in command is no commander");
    // Each hex with a Leader is listed once, that of Royall and Evans too.
    let mut both = end.clone();
    lead(&mut both, "Evans", "1712");
    lead(&mut both, "Mills", "1710");
    let words = rallying(&both, Side::Us).start().words();
    let listed: Vec<&String> = words.iter().filter(|words| words.starts_with("lieutenant")).collect();
    assert_eq!(listed, ["lieutenant 1710", "lieutenant 1712"]);
    let mut run = rallying(&end, Side::Us).start();
    run.say("lieutenant 1712");
    assert!(run.refused("lieutenant 1714").contains("12.D.6"), "one for each of those lost");
    run.say("done");
    let end = run.over();
    assert_eq!(end.chief(leader(&end, "Lieutenant 1")).spot, Spot::On(hex(&end, "1712")));
    // With 3A in 1710 he is attached to it (12.A).
    let mut run = rallying(&both, Side::Us).start();
    run.say("lieutenant 1710").say("done");
    let end = run.over();
    assert_eq!(end.chief(leader(&end, "Lieutenant 1")).with, Some(unit(&end, "3A")));
    let mut run = rallying(&g, Side::Us).start();
    assert!(run.refused("lieutenant 1712").contains("12.D.6"));
    // An abandoned train may be among Indians.
    let train = foot(&mut both, "PTA", "2010");
    both.unit_mut(train).abandoned = true;
    foot(&mut both, "H1", "2010");
    assert!(rallying(&both, Side::Us).start().refused("lieutenant 2010").contains("12.D.6"));
}

/// A Leader who can lead no more is replaced in command when he is wounded, and not again when he
/// dies of it.
///
/// rosebud-creek 12.D.6
#[test]
fn a_badly_wounded_commander_is_replaced() {
    let mut g = bare();
    for (id, at) in [("Crook", "1710"), ("Royall", "1712"), ("Evans", "1714")] {
        lead(&mut g, id, at);
    }
    let told = |g: &State, id: &str, loss: [i64; 2], wound: &[i64]| {
        let mortal = if wound == [1] { vec![1] } else { Vec::new() };
        let mut run = checked(g, id, loss, wound).dice("mortal wound", mortal).start();
        let told = run.story().into_iter().filter(|line| line.contains("commands the US")).collect::<Vec<_>>();
        (run.over(), told)
    };
    for severity in [1, 2] {
        let (hurt, said) = told(&g, "Crook", [1, 2], &[severity]);
        assert_eq!(said, ["Royall commands the US now (12.D.6)."], "{severity}");
        assert_eq!(told(&hurt, "Crook", [1, 1], &[]).1, [""; 0]);
    }
    assert_eq!(told(&g, "Crook", [1, 2], &[3]).1, [""; 0], "a moderate wound");
    assert_eq!(told(&g, "Royall", [1, 2], &[1]).1, [""; 0], "who does not command");
}

/// rosebud-creek 12.D
#[test]
fn leaders_alone_kill_nobody() {
    let mut g = bare();
    lead(&mut g, "Gall", "1711");
    lead(&mut g, "Royall", "1710");
    let mut run = moving(&g, Side::Us).start();
    assert!(run.refused("royall to 1711").contains("combat units"));
}

/// rosebud-creek 12.A
#[test]
fn leaders_decide_once() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let foe = foot(&mut g, "H1", "1709");
    let l = lead(&mut g, "Royall", "1710");
    for id in ["1711", "1611", "1811"] {
        let friend = ["3E", "3I", "3M"].into_iter().find(|who| at(&g, who) == "-").expect("one is left");
        foot(&mut g, friend, id);
    }
    let cause = fire::Cause { from: hex(&g, "1709"), foe, volley: None };
    let trial = Trial::new(g, move |t, mut g| async move {
        retreat::fall_back(&t, &mut g, a, 2, cause).await;
        g
    });
    assert_eq!(trial.start().over().chief(l).with, Some(a));
}

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
        let u = unit(g, id);
        let cause = fire::Cause { from: hex(g, "1709"), foe: unit(g, "H1"), volley: None };
        Trial::new(g.clone(), move |t, mut g| async move {
            morale::pin(&t, &mut g, u, cause).await;
            g
        })
    };
    let with = |g: &State| pins(g, "3A").start().over().chief(mills).with;
    assert_eq!(with(&g), Some(e));
    let story = pins(&g, "3A").start().story();
    assert!(story.contains(&"Mills joins Sutorious (3E).".to_owned()), "{story:?}");
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
    // He keeps his Command Radius only if he leaves the Pinned unit.
    says(&mut g, Side::Us, About::Leaders, "yes");
    let free = pins(&g, "3A").start().over();
    assert!(leaders::radius(&free, mills).is_some());
    g.unit_mut(e).pinned = true;
    let both = pins(&g, "3A").start().over();
    assert_eq!(both.chief(mills).with, Some(a), "the other one is Pinned too");
    assert!(leaders::radius(&both, mills).is_none());
    foot(&mut g, "3AH", "1710");
    assert_eq!(pins(&g, "3A").start().over().chief(mills).with, Some(a), "he does not join a Holder");
    let hq = foot(&mut g, "HQ", "1710");
    let staff = leader(&g, "Staff");
    (g.chief_mut(staff).spot, g.chief_mut(staff).with) = (Spot::On(hex(&g, "1710")), Some(hq));
    g.unit_mut(e).pinned = false;
    assert_eq!(pins(&g, "HQ").start().over().chief(staff).with, Some(hq));
}

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
        assert_eq!(senior(&g), Some(counts), "{wound:?}");
    }
    // In melee and in a Morale Check the able Leader's rating applies.
    foot(&mut g, "H1", "1711");
    let a = [unit(&g, "3A")];
    let led = leaders::rating(&g, mills);
    let drm = |g: &State| melee::reckon(g, &a, hex(g, "1711")).drm.total();
    let check = |g: &State| morale::modifiers(g, a[0], false).total();
    let mut alone = g.clone();
    alone.chief_mut(mills).spot = Spot::Pool;
    assert_eq!((drm(&g) - drm(&alone), check(&g), check(&alone)), (led, led, 0));
}

/// A marsh costs 3 MPs mounted and 2 on foot: a Leader pays 2.
///
/// rosebud-creek 8, 12.B
#[test]
fn leaders_go_at_the_cheaper_rate() {
    let mut g = bare();
    let marsh = g.charts.grid.hexes().find(|&hex| g.ground(hex).index() == 3).expect("a marsh");
    let l = lead(&mut g, "Mills", "1710");
    let a = ride(&mut g, "3A", "1710");
    let mps = |mover: Mover| movement::terrain_cost(&g, marsh, mover.gait(&g));
    assert_eq!((mps(Mover::Leader(l)), mps(Mover::Unit(a))), (2, 3));
}

/// Gall, badly wounded, has 4 MPs, and leaves a ZOC uphill and across a creek for 5. Attaching takes
/// none.
///
/// rosebud-creek 7.D, 12.A
#[test]
fn a_leader_is_attached_after_a_minimum_move() {
    let mut g = bare();
    let (_, weak) = (foot(&mut g, "H1", "4213"), foot(&mut g, "C1", "4213"));
    foot(&mut g, "3A", "4412");
    let gall = lead(&mut g, "Gall", "4312");
    g.chief_mut(gall).wound = Wound::Severe;
    let mut run = moving(&g, Side::Indian).start();
    assert!(run.refused("gall alone: 4313, 4213").contains("7.C"), "by 4313 it takes more than 4");
    run.say("gall alone: 4213, attach c1");
    let now = run.now();
    assert_eq!((now.chief(gall).spot, now.chief(gall).with), (now.unit(weak).spot, Some(weak)));
    assert!(run.refused("gall alone: 4113").contains("7.C"), "he has no MPs left");
}

/// rosebud-creek 12.A
#[test]
fn the_owner_attaches_who_comes() {
    let mut g = bare();
    let (a, e) = (ride(&mut g, "3A", "1711"), ride(&mut g, "3E", "1711"));
    // He leaves a unit of his own behind.
    ride(&mut g, "3I", "1713");
    let mills = lead(&mut g, "Mills", "1713");
    let with = |g: &State, said: &str| {
        let mut run = moving(g, Side::Us).start();
        run.try_say(said).map(|()| run.now().chief(mills).with)
    };
    assert_eq!(with(&g, "mills alone: 1712 > 1711"), Ok(Some(a)));
    assert_eq!(with(&g, "mills alone: 1712 > 1711, attach 3e"), Ok(Some(e)));
    assert_eq!(with(&g, "mills alone: to 1711, attach to 3e"), Ok(Some(e)));
    assert!(with(&g, "mills alone: 1712, attach 3e").is_err_and(|why| why.contains("12.A")), "not there yet");
    assert!(with(&g, "3a: 1710, attach 3e").is_err_and(|why| why.contains("12.A")), "no Leader");
    // He stays with his unit.
    g.chief_mut(mills).spot = Spot::On(hex(&g, "1711"));
    g.chief_mut(mills).with = Some(a);
    // And it does not leave him, not even in a stack; one without a Leader may be called alone.
    for said in ["3a alone: 1710", "3e 3a alone: 1710", "mills 3a alone: 1710", "all in 1711 alone: 1710"] {
        let why = with(&g, said).expect_err(said);
        assert!(why.contains("`mills alone: to"), "{said}: {why}");
    }
    assert_eq!(with(&g, "3e alone: 1710"), Ok(Some(a)));
    assert!(with(&g, "mills alone: attach 3e").is_err_and(|why| why.contains("Rally Phase")));
    let trial = Trial::new(game(Variant::default()), |t, mut g| async move {
        setup::phase(&t, &mut g).await;
        g
    });
    let mut run = trial.start();
    run.say("attach mills to 3m");
    assert_eq!(run.now().chief(mills).with, Some(unit(&g, "3M")));
}

/// rosebud-creek 12.A, 16.B, 8.D
#[test]
fn leaders_do_not_stay_with_holders_that_are_gone() {
    let mut g = bare();
    let (a, holder) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3AH", "1710"));
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(holder);
    let after = |g: &State, ponies: bool| {
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            match ponies {
                true => horses::lose(&t, &mut g, holder).await,
                false => _ = mode::mount(&mut g, a),
            }
            g
        });
        trial.start().over().chief(mills).with
    };
    assert_eq!(after(&g, false), Some(a));
    // A Holder without horses that stays on the map keeps him.
    g.unit_mut(holder).mountless = true;
    assert_eq!(after(&g, true), Some(holder));
    // A Holder that replaces a loss does not.
    g.unit_mut(a).losses = 1;
    let trial = Trial::new(g, |t, mut g| async move {
        horses::replacements(&t, &mut g).await;
        g
    });
    assert_eq!(trial.start().over().chief(mills).with, Some(a));
}

/// H1 in 1709 eliminates 3A, which has one point left, in 1710. Mills was with it and joins 3E or
/// 3I, as his owner says; else the larger one, 3E.
///
/// rosebud-creek 12.A
#[test]
fn the_owner_says_whom_a_leader_of_a_lost_unit_joins() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    let (e, i) = (foot(&mut g, "3E", "1710"), foot(&mut g, "3I", "1710"));
    (g.unit_mut(a).losses, g.unit_mut(i).losses) = (g.cf(a) - 1, 1);
    foot(&mut g, "H1", "1709");
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(a);
    let fires = |g: &State| {
        let dice = dice_for(g, "H1", "3A", Volley::Offensive(Volume::Full), Outcome::One);
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Offensive, Volley::Offensive(Volume::Full)).await;
            g
        });
        let mut run = trial.dice("fire", dice).any_dice([3, 4]).start();
        run.say("fire h1 at 3a");
        run
    };
    let end = fires(&g).over();
    assert_eq!((end.unit(a).spot, end.chief(mills).with), (Spot::Dead, Some(e)));
    says(&mut g, Side::Us, About::Leaders, "ask");
    for (said, joined) in [("3e", e), ("3i", i)] {
        let mut run = fires(&g);
        assert_eq!((run.asked(), run.words()), (vec![(Seat(0), "leader")], vec!["3e".to_owned(), "3i".to_owned()]));
        assert_eq!(run.say(said).over().chief(mills).with, Some(joined));
    }
    // With one other unit nobody is asked.
    g.put(i, Spot::Pool);
    assert_eq!(fires(&g).over().chief(mills).with, Some(e));
}

/// Mills is with the horses of the HQ in 1710, which are let go.
///
/// rosebud-creek 12.A, 16.B
#[test]
fn the_owner_says_whom_a_leader_of_a_lost_holder_joins() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    let e = foot(&mut g, "3E", "1710");
    let holder = foot(&mut g, "HQH", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(holder);
    says(&mut g, Side::Us, About::Leaders, "ask");
    let mut run = moving(&g, Side::Us).any_dice([6]).start();
    run.say("abandon hqh");
    assert_eq!((run.asked(), run.words()), (vec![(Seat(0), "leader")], vec!["3a".to_owned(), "3e".to_owned()]));
    assert_eq!(run.say("3e").now().chief(mills).with, Some(e));
}

/// rosebud-creek 12.A, 13.B
#[test]
fn leaders_recover_by_themselves() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "H1", "1709");
    let mills = lead(&mut g, "Mills", "1710");
    let cause = fire::Cause { from: hex(&g, "1709"), foe: h, volley: None };
    let trial = Trial::new(g, move |t, mut g| async move {
        morale::pin(&t, &mut g, a, cause).await;
        g
    });
    let mut g = trial.start().over();
    // Another unit can move, so the phase has a question.
    foot(&mut g, "3E", "1910");
    let away = |g: &State| moving(g, Side::Us).start().try_say("mills alone: 1711");
    assert!(g.unit(a).pinned && g.chief(mills).pinned && leaders::radius(&g, mills).is_none());
    assert!(away(&g).is_err());
    let mut run = rallying(&g, Side::Us).dice("rally", [1]).start();
    run.say("done");
    let mut g = run.over();
    assert!(g.unit(a).pinned && leaders::radius(&g, mills).is_some());
    assert_eq!(away(&g), Ok(()));
    // Crook joins a Pinned unit and is not Pinned.
    let crook = lead(&mut g, "Crook", "1710");
    assert!(!g.chief(crook).pinned);
    // When Routed, the unit and its Leader are no longer Pinned.
    g.chief_mut(mills).pinned = true;
    let trial = Trial::new(g, move |t, mut g| async move {
        rout::mandatory(&t, &mut g, a, cause).await;
        g
    });
    let end = trial.start().over();
    assert!(end.unit(a).routed && !end.chief(mills).pinned);
}

/// rosebud-creek 10.J, 12.A
#[test]
fn a_leader_may_stay_with_a_holder() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Us, About::Leaders, "ask");
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3AH", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    g.chief_mut(mills).with = Some(a);
    let parts = |g: &State| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        Trial::new(g, move |t, mut g| async move {
            let hex = g.hex(a).expect("on the map");
            leaders::part(&t, &mut g, a, hex).await;
            g
        })
    };
    let mut run = parts(&g).start();
    run.check_options(5);
    run.say("3ah");
    assert_eq!(run.over().chief(mills).with, Some(unit(&g, "3AH")));
    // By doctrine he goes along.
    says(&mut g, Side::Us, About::Leaders, "yes");
    assert_eq!(parts(&g).start().over().chief(mills).with, Some(a));
}

/// rosebud-creek 12.E
#[test]
fn the_staff_is_always_active() {
    let mut g = bare();
    quiet(&mut g);
    let hq = foot(&mut g, "HQ", "1710");
    let h = foot(&mut g, "H1", "1709");
    let staff = g.charts.staff.expect("the HQ has a staff");
    g.chief_mut(staff).spot = g.unit(hq).spot;
    g.chief_mut(staff).with = Some(hq);
    let cause = fire::Cause { from: hex(&g, "1709"), foe: h, volley: None };
    let trial = Trial::new(g, move |t, mut g| async move {
        morale::pin(&t, &mut g, hq, cause).await;
        g
    });
    let end = trial.start().over();
    assert!(end.unit(hq).pinned && !end.chief(staff).pinned && leaders::radius(&end, staff).is_some());
}

/// rosebud-creek 12.D
#[test]
fn a_wound_that_is_no_worse_changes_nothing() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let before = checked(&g, "Mills", [1, 2], &[1]).dice("mortal wound", [3]).start().over();
    for wound in [1, 2, 3] {
        // No die is rolled for a second mortal wound.
        let after = checked(&before, "Mills", [1, 2], &[wound]).start().over();
        assert_eq!((after.chief(mills), after.vps), (before.chief(mills), before.vps), "a die of {wound}");
        assert_eq!(after.lieutenants_due, before.lieutenants_due);
    }
}

/// rosebud-creek 12.A, 12.D, 7.A
#[test]
fn a_leader_rides_over_a_lone_enemy_leader_with_his_unit() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1710");
    let mills = lead(&mut g, "Mills", "1710");
    let gall = lead(&mut g, "Gall", "1711");
    for words in ["3a: 1711", "3a mills: 1711"] {
        let mut run = moving(&g, Side::Us).start();
        run.say(words);
        assert_eq!(run.now().chief(mills).spot, Spot::On(hex(&g, "1711")), "{words}");
        assert_eq!(run.now().chief(gall).spot, Spot::Dead, "{words}");
    }
    assert!(moving(&g, Side::Us).start().try_say("mills alone: 1711").is_err());
}

/// A Leader does not join an abandoned Pack Train, which has no Personnel.
///
/// rosebud-creek 12.A, 15.B
#[test]
fn nobody_joins_an_abandoned_train() {
    let mut g = bare();
    let train = foot(&mut g, "PTA", "1710");
    let alone = |g: &State| {
        let mut g = g.clone();
        let crook = lead(&mut g, "Crook", "1710");
        g.chief(crook).with
    };
    assert_eq!(alone(&g), Some(train));
    g.unit_mut(train).abandoned = true;
    assert_eq!(alone(&g), None);
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).losses = 3;
    assert_eq!(alone(&g), Some(a), "however small it is");
}

/// A Leader who has already joined is not available again.
///
/// rosebud-creek 12.D.6
#[test]
fn the_next_lieutenant_is_another_one() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1712");
    let first = lead(&mut g, "Lieutenant 1", "1710");
    g.lieutenants_due = 1;
    let next = leaders::lieutenants(&g);
    assert!(next.len() == 1 && next[0] != first);
    let mut run = rallying(&g, Side::Us).start();
    run.say("lieutenant 1712").say("done");
    let end = run.over();
    assert_eq!([first, next[0]].map(|l| end.chief(l).spot), ["1710", "1712"].map(|id| Spot::On(hex(&end, id))));
}
