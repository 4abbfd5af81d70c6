//! Leaders and the Column HQ (12), rallying (13).

use super::super::{
    State,
    components::Side,
    duties, leaders, rally,
    state::{Mode, Phase, Spot, Wound},
    testing::*,
};

fn rallying(mut g: State, side: Side) -> Trial {
    g.phasing = side;
    Trial::new(g, |t, mut g| async move {
        rally::phase(&t, &mut g).await;
        g
    })
}

fn checked(g: &State, id: &str, loss: [i64; 2], wound: &[i64]) -> Trial {
    let l = leader(g, id);
    let trial = Trial::new(g.clone(), move |t, mut g| async move {
        leaders::check(&t, &mut g, l);
        g
    });
    trial.dice("leader loss", loss).dice("wound", wound.to_vec())
}

/// A Leader in a hex with units is attached to one; when it goes he goes along or joins another one.
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
    g.doctrine[0] =
        g.doctrine[0].with(super::super::doctrine::About::Leaders, "no", &g.charts.grid).expect("a doctrine");
    let end = part(&g, a).start().over();
    assert_eq!((end.turn, end.chief(mills).with), (1, Some(a)), "he stays with it");
    g.doctrine[0] =
        g.doctrine[0].with(super::super::doctrine::About::Leaders, "ask", &g.charts.grid).expect("a doctrine");
    let mut run = part(&g, a).start();
    assert_eq!(run.asked(), [(crate::table::Seat(0), "leader")]);
    run.say("3e");
    assert_eq!(run.over().chief(mills).with, Some(e));
    // Of several the senior counts, of Indians the best.
    lead(&mut g, "Crook", "1710");
    let both = [leader(&g, "Mills"), leader(&g, "Crook")];
    assert_eq!(leaders::senior(&g, both.into_iter()), Some(both[1]));
    let both = [leader(&g, "Gall"), leader(&g, "Crazy Horse")];
    assert_eq!(leaders::senior(&g, both.into_iter()), Some(both[1]));
    // 12.A: attachments are changed in the Rally Phase.
    let mut run = rallying(g, Side::Us).start();
    run.say("attach mills to 3e").say("done");
    assert_eq!(run.over().chief(mills).with, Some(e));
}

/// Ratings for who is in the hex, the radius lifts only the -1 of the US; Scouts and Indians have none.
///
/// rosebud-creek 12.C, 13.B, 13.C, 3.F, 3.G
#[test]
fn who_rallies_how_well() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    let drm = |g: &State, u| rally::modifiers(g, u, true, &[]).total();
    assert_eq!(drm(&g, a), -1);
    lead(&mut g, "Mills", "1711");
    assert_eq!(drm(&g, a), 0, "within two hexes");
    let down = [leader(&g, "Mills")];
    assert_eq!(rally::modifiers(&g, a, true, &down).total(), -1, "a Pinned Leader has no radius");
    lead(&mut g, "Henry", "1710");
    assert_eq!(drm(&g, a), 2);
    foot(&mut g, "H1", "1709");
    assert_eq!(drm(&g, a), 1, "next to an enemy");
    let s = foot(&mut g, "OLD", "3016");
    let h = foot(&mut g, "H2", "3516");
    assert_eq!([drm(&g, s), drm(&g, h)], [0, 0]);
    // Yes from 4 on.
    for (die, yes) in [(2, false), (3, true)] {
        let mut run = rallying(g.clone(), Side::Us).dice("rally", [die]).start();
        run.say("rally all").say("done");
        assert_eq!(run.over().unit(a).routed, !yes, "{die}");
    }
}

/// The Pin goes by itself away from enemies, beside them by a die; Pinned and Routed units roll twice.
///
/// rosebud-creek 4.A, 13.B
#[test]
fn pinned_units_rally_first_from_the_pin() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).pinned = true;
    lead(&mut g, "Crook", "1712");
    let mut run = rallying(g.clone(), Side::Us).start();
    run.say("done");
    assert!(!run.over().unit(a).pinned);
    foot(&mut g, "H1", "1709");
    g.unit_mut(a).routed = true;
    // The Pin: 4 is yes. The Rout: 4 - 1 is no.
    let mut run = rallying(g.clone(), Side::Us).dice("rally", [4, 4]).start();
    run.say("done");
    let end = run.over();
    assert_eq!((end.unit(a).pinned, end.unit(a).routed), (false, true));
    // Who is left out does not roll.
    let mut run = rallying(g, Side::Us).start();
    run.check_options(40);
    run.say("rally none").say("done");
    assert!(run.over().unit(a).pinned);
}

/// Killed, wounded, how badly: ratings, VPs once a Leader, killed ones instead of those of the wound.
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
    assert_eq!(super::super::movement::allowance(&end, unit(&end, "3A"), Mode::Dismounted), 2, "he slows his unit");
    let end = checked(&g, "Mills", [1, 2], &[1]).dice("mortal wound", [3]).start().over();
    assert_eq!((end.chief(mills).wound, end.chief(mills).dies), (Wound::Mortal, Some(g.turn + 3)));
    assert_eq!(super::super::movement::allowance_of(&end, super::super::movement::Mover::Leader(mills)), 4);
    // He dies in that Rally Phase, and the killed VPs replace those of the wound.
    let mut late = end.clone();
    late.turn += 3;
    let mut run = rallying(late, Side::Us).start();
    run.say("done");
    let dead = run.over();
    assert_eq!((dead.chief(mills).spot, dead.vps), (Spot::Dead, [0, 4]));
    // With the Column HQ a bare die decides: 4 and he lives, severely wounded.
    let mut safe = end.clone();
    foot(&mut safe, "HQ", "1710");
    for (die, lives) in [(4, true), (3, false)] {
        let mut run = rallying(safe.clone(), Side::Us).dice("mortal wound", [die]).start();
        run.say("done");
        let end = run.over();
        assert_eq!(end.chief(mills).spot == Spot::Dead, !lives);
        assert_eq!(end.chief(mills).wound == Wound::Severe && end.chief(mills).dies.is_none(), lives);
    }
    // Crook is worth more.
    lead(&mut g, "Crook", "1711");
    let end = checked(&g, "Crook", [1, 1], &[]).start().over();
    assert_eq!(end.vps, [0, 10]);
}

/// Crook killed: Royall commands, Evans is second; a Lieutenant may join.
///
/// rosebud-creek 12.D.6
#[test]
fn replacement_leaders() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    for (id, at) in [("Crook", "1710"), ("Royall", "1712"), ("Evans", "1714")] {
        lead(&mut g, id, at);
    }
    assert_eq!(leaders::commander(&g), Some(leader(&g, "Crook")));
    let end = checked(&g, "Crook", [1, 1], &[]).start().over();
    assert_eq!(leaders::commander(&end), Some(leader(&g, "Royall")));
    let mut second = end.clone();
    second.chief_mut(leader(&g, "Royall")).spot = Spot::Dead;
    assert_eq!(leaders::commander(&second), Some(leader(&g, "Evans")));
    let mut run = rallying(end, Side::Us).start();
    run.say("lieutenant 1712").say("done");
    let end = run.over();
    assert_eq!(end.chief(leader(&end, "Lieutenant 1")).spot, Spot::On(hex(&end, "1712")));
    let mut run = rallying(g, Side::Us).start();
    assert!(run.refused("lieutenant 1712").contains("12.D.6"));
}

/// The HQ rides free and fights on foot, its staff leads, and it keeps within Crook's radius.
///
/// rosebud-creek 12.E, 12.B
#[test]
fn the_column_hq() {
    let mut g = bare();
    let hq = ride(&mut g, "HQ", "2018");
    lead(&mut g, "Crook", "3018");
    assert_eq!(g.posture(hq), Mode::Dismounted, "unmarked it fights on foot");
    assert_eq!((g.cf(hq), super::super::movement::allowance(&g, hq, Mode::Mounted)), (1, 6));
    let dismount = super::super::order::Act::Dismount {};
    let mover = super::super::movement::Mover::Unit(hq);
    let mut foot_g = g.clone();
    super::super::movement::act(&mut foot_g, mover, &dismount).expect("free");
    assert_eq!((foot_g.unit(hq).did.spent, at(&foot_g, "HQH")), (0, "2018".to_owned()));
    let mut us = g.clone();
    us.phasing = Side::Us;
    let trial = Trial::new(us, |t, mut g| async move {
        duties::fulfil(&t, &mut g);
        g
    });
    let end = trial.start().over();
    let far = |g: &State| g.charts.grid.distance(g.hex(hq).expect("there"), hex(g, "3018"));
    assert!(far(&end) < far(&g), "with all its MPs toward him");
    assert_eq!(end.phase, Phase::Movement);
}
