//! Lost horses, Breastworks, the Eagle's Nest, the village, Hit & Run (16) and victory (17).

use super::super::{
    State, breastworks,
    components::{Level, Outcome, Side, UnitId},
    doctrine::{About, FireWill, Will},
    eagle,
    fire::{self, Volley},
    horses, melee, mode,
    movement::Mover,
    rout, sight,
    state::{Mode, Phase, Spot, Volume, Work, Wound},
    testing::*,
    variant::Variant,
    victory, village, volley,
};
use postrider_table::Seat;

/// Holders lose or abandon their mounts; a die decides if they are captured. A Holder without
/// horses replaces a loss.
///
/// rosebud-creek 16.B, 8.D, 17
#[test]
fn lost_horses() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = foot(&mut g, "3A", "1710");
    let h = foot(&mut g, "3AH", "1710");
    let mut run = moving(&g, Side::Us).dice("lost horses", [3]).start();
    run.say("abandon 3ah");
    let now = run.now();
    assert!(now.unit(h).mountless && now.vps == [0, 1]);
    run.say("done");
    let mut end = run.over();
    assert_eq!(end.unit(h).spot.hex(), Some(hex(&end, "1710")), "nobody has losses");
    end.unit_mut(a).losses = 2;
    let replaced = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            horses::replacements(&t, &mut g).await;
            g
        });
        trial.start()
    };
    let mut whole = end.clone();
    whole.unit_mut(h).mountless = false;
    assert_eq!(replaced(&whole).over().unit(a).losses, 2, "a Holder with horses replaces nobody");
    end.doctrine[0].replace = Will::No;
    assert_eq!(replaced(&end).over().unit(a).losses, 2);
    end.doctrine[0].replace = Will::Yes;
    let after = replaced(&end).over();
    assert_eq!((after.unit(a).losses, after.unit(h).spot, after.vps), (1, Spot::Dead, [0, 1]));
    end.doctrine[0].replace = Will::Ask;
    let mut run = replaced(&end);
    assert_eq!(run.asked(), [(Seat(0), "replacement")]);
    run.say("no");
    assert_eq!(run.over().unit(a).losses, 2);
    // The owner names the unit.
    let e = foot(&mut end, "3E", "1710");
    end.unit_mut(e).losses = 1;
    let mut run = replaced(&end);
    run.check_options(3);
    run.say("3e");
    let after = run.over();
    assert_eq!([after.unit(a).losses, after.unit(e).losses], [2, 0]);
    // Lost horses are lost permanently: no unit can mount with them.
    assert!(!mode::can_mount(&end, a, hex(&end, "1710")));
}

/// rosebud-creek 16.B, 17
#[test]
fn holders_lose_their_mounts() {
    for (id, die, stays, vps, told) in [
        ("3AH", Some(3), true, 1, "The horses of Lawson (3AH) are lost; the Holder remains."),
        ("3AH", Some(4), true, 0, "The horses of Lawson (3AH) are lost; the Holder remains."),
        ("HQH", Some(1), false, 1, "captured."),
        ("H1H", None, false, 0, "The ponies of Crow King (H1H) are lost."),
    ] {
        let mut g = bare();
        let h = foot(&mut g, id, "1710");
        let lose = |g: &State, die: Option<i64>| {
            let trial = Trial::new(g.clone(), move |t, mut g| async move {
                horses::lose(&t, &mut g, h).await;
                g
            });
            trial.dice("lost horses", die).start()
        };
        let mut run = lose(&g, die);
        let end = run.over();
        let unit = end.unit(h);
        assert_eq!((unit.spot != Spot::Dead, unit.mountless && stays, end.vps), (stays, stays, [0, vps]), "{id}");
        assert!(run.story().iter().any(|line| line.ends_with(told)), "{:?}", run.story());
        if stays {
            assert_eq!(lose(&end, None).over().vps, end.vps, "they are lost once");
        }
    }
}

/// Breastworks need a train within two hexes; a die sets the number; three per train; they count
/// from the end of the turn and remain.
///
/// rosebud-creek 16.C, 8.C
#[test]
fn breastworks_are_built() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1710");
    let train = foot(&mut g, "PTA", "1712");
    let mut run = moving(&g, Side::Us).dice("breastworks", [1]).start();
    run.say("build 3a");
    assert!(run.refused("build 3e").contains("No more units"));
    run.say("done");
    let end = run.over();
    assert!(end.unit(train).did.halted && end.unit(a).did.halted && !end.unit(a).works);
    let mut end = under_works(&end);
    assert!(end.unit(a).works && end.works[0].ready);
    assert_eq!(end.posture(a), Mode::Prone);
    let away = hex(&end, "1711");
    let mut gone = end.clone();
    gone.put(a, Spot::On(away));
    assert!(!gone.unit(a).works && gone.works.len() == 1, "the marker stays");
    // Loading them takes the whole phase of a unit in the hex.
    end.fresh_turn();
    let mut run = moving(&end, Side::Us).start();
    run.say("load 3a");
    assert!(["3a: dismount", "pta: 1713"].iter().all(|said| run.try_say(said).is_err()), "they have their hands full");
    run.say("done");
    assert!(run.over().works.is_empty() && !run.over().unit(a).works);
    let far = hex(&g, "1716");
    g.put(train, Spot::On(far));
    assert!(breastworks::may_build(&g, Side::Us, "3A").is_err_and(|why| why.why.contains("Pack Train")));
    assert!(breastworks::may_build(&g, Side::Indian, "3A").is_err());
    // Three from each of two Pack Trains: six markers in all.
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let [one, other] = ["PTA", "PTB"].map(|id| foot(&mut g, id, "1710"));
    let laid = |trains: &[UnitId]| {
        let mut g = g.clone();
        let at = hex(&g, "2018");
        g.works.extend(trains.iter().map(|&train| Work { hex: at, train, unit: None, ready: true }));
        breastworks::may_build(&g, Side::Us, "3A").map_err(|why| why.why)
    };
    assert_eq!(laid(&[one, one, one, other, other]).map(|(_, train)| train), Ok(other));
    assert!(laid(&[one, one, one, other, other, other]).is_err_and(|why| why.contains("All Breastworks")));
}

/// Van Vliet's companies stay within three hexes of 2815, or come closer with every step. The
/// restriction ends at once when two warrior units are within three hexes of one company, when a
/// company is lost, and in turn 15, at 12:40.
///
/// rosebud-creek 16.D, 18.1
#[test]
fn the_eagles_nest() {
    let mut g = game(Variant::default());
    (g.turn, g.phasing, g.phase) = (2, Side::Us, Phase::Movement);
    let nest = g.charts.eagles_nest;
    assert_eq!(g.id(nest), "2815");
    let far = |g: &State, id: &str| g.charts.grid.distance(hex(g, id), nest);
    let held = |g: &State, who: &str, from: &str, to: &str| {
        eagle::allows(g, Mover::Unit(unit(g, who)), hex(g, from), Some(hex(g, to))).is_err_and(|why| why.rule == "16.D")
    };
    assert_eq!(["3314", "3413", "3214", "3115", "3015"].map(|id| far(&g, id)), [5, 6, 4, 3, 2]);
    for who in ["3C", "3G"] {
        assert!(held(&g, who, "3314", "3413") && !held(&g, who, "3314", "3214"), "{who}: nearer, or not at all");
        assert!(!held(&g, who, "3115", "3015") && !held(&g, who, "3015", "3115"), "{who}: free within three hexes");
        assert!(held(&g, who, "3115", "3214"), "{who}: from the third hex to the fourth");
    }
    assert!(!held(&g, "3B", "3115", "3214"), "no other company");
    // An order takes them no farther either, on foot or crawling.
    let order = |mode: Mode, from: &str, said: &str| {
        let mut g = bare();
        quiet(&mut g);
        put(&mut g, "3C", from, mode);
        moving(&g, Side::Us).start().try_say(said)
    };
    assert!(order(Mode::Dismounted, "3115", "3c: 3215").is_err_and(|why| why.contains("16.D")));
    assert_eq!(order(Mode::Dismounted, "3115", "3c: 3015"), Ok(()));
    assert!(order(Mode::Prone, "3115", "3c: crawl 3215").is_err_and(|why| why.contains("16.D")));
    assert_eq!(order(Mode::Prone, "3115", "3c: crawl 3015"), Ok(()));
    let watched = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            eagle::watch(&t, &mut g);
            g
        });
        trial.start().over().eagle_free
    };
    assert!(!watched(&g));
    let clocks = [1, 15, 19].map(|turn| {
        g.turn = turn;
        g.clock()
    });
    assert_eq!(clocks, ["08:00", "12:40", "14:00"]);
    for (turn, free) in [(14, false), (15, true)] {
        g.turn = turn;
        assert_eq!(watched(&g), free, "turn {turn}");
    }
    g.turn = 14;
    // Both companies are in 3314: 3311 is three hexes away, 3310 four.
    for (second, free) in [("3311", true), ("3310", false)] {
        let mut g = g.clone();
        ride(&mut g, "H1", "3311");
        assert!(!watched(&g), "one warrior unit");
        ride(&mut g, "H2", second);
        assert_eq!(watched(&g), free, "the second in {second}");
    }
    // One warrior unit near each company is not two near one; Pony Holders are not warriors.
    let mut apart = g.clone();
    let (c, to) = (unit(&apart, "3C"), hex(&apart, "2815"));
    apart.put(c, Spot::On(to));
    ride(&mut apart, "H1", "3311");
    ride(&mut apart, "H2", "2812");
    assert!(!watched(&apart));
    foot(&mut apart, "H2H", "2813");
    assert!(!watched(&apart));
    ride(&mut apart, "H3", "2813");
    assert!(watched(&apart));
    for id in ["3C", "3G"] {
        let mut g = g.clone();
        let u = unit(&g, id);
        g.put(u, Spot::Dead);
        assert!(watched(&g), "{id} is lost");
    }
}

/// No piece held by the Eagle's Nest leaves the map by choice: not 3C from 2800, 15 hexes off, nor
/// Van Vliet by himself. With 3B, which may leave, he does not go along; once free, he does.
///
/// rosebud-creek 16.D, 7.J
#[test]
fn nobody_leaves_the_eagles_nest_by_the_edge() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3C", "2800");
    ride(&mut g, "3E", "2800");
    let b = ride(&mut g, "3B", "2900");
    let van_vliet = lead(&mut g, "Van Vliet", "2900");
    assert_eq!(g.chief(van_vliet).with, Some(b));
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    for said in ["3c: exit", "van vliet alone: exit"] {
        let why = order(&g, said).expect_err(said);
        assert!(why.contains("16.D"), "{said}: {why}");
    }
    let spots = |g: &State| {
        let mut run = moving(g, Side::Us).start();
        let now = run.say("3b: exit").now();
        (now.unit(b).spot, now.chief(van_vliet).spot)
    };
    let there = g.chief(van_vliet).spot;
    assert_eq!(spots(&g), (Spot::Off, there));
    g.eagle_free = true;
    assert_eq!(spots(&g), (Spot::Off, Spot::Off));
    for said in ["3c: exit", "van vliet alone: exit"] {
        assert_eq!(order(&g, said), Ok(()), "{said}");
    }
}

/// Five companies near the edge in one Leader's radius: 2 VPs, on a 6 they may leave, and a die at
/// the end decides.
///
/// rosebud-creek 16.E
#[test]
fn the_village() {
    let mut g = bare();
    g.phasing = Side::Us;
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601")] {
        ride(&mut g, id, at);
    }
    lead(&mut g, "Crook", "2601");
    assert!(village::may_search(&g, Side::Us).is_err());
    ride(&mut g, "3B", "2701");
    assert!(village::may_search(&g, Side::Us).is_ok() && village::may_search(&g, Side::Indian).is_err());
    let mut run = moving(&g, Side::Us).dice("village", [5]).start();
    run.say("search village");
    assert!(run.refused("search village").contains("already"));
    run.say("done");
    assert_eq!(run.over().vps, [2, 0]);
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("yes");
    let end = run.now();
    assert!(end.seekers.len() == 5 && end.vps == [2, 0] && end.on_map(Side::Us).next().is_none());
    let found = |die: i64, lost: &[i64]| {
        let trial = Trial::new(end.clone(), |t, mut g| async move {
            village::outcome(&t, &mut g);
            g
        });
        trial.dice("village", [die]).dice("ambush", lost.to_vec()).start().over().vps
    };
    assert_eq!([found(1, &[]), found(3, &[]), found(6, &[4])], [[5, 0], [2, 0], [2, 4]]);
    // Only at the beginning of the phase.
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 2601");
    assert!(run.refused("search village").contains("beginning"));
}

/// 13, 14 and 15 Indian losses give 13, 15 and 17 VPs; from 18 only warriors with a Leader may
/// attack.
///
/// rosebud-creek 16.F, 17
#[test]
fn the_casualty_limit() {
    let mut g = bare();
    let vps: Vec<i32> = (1..=15)
        .map(|_| {
            g.casualties(Side::Indian, 1);
            g.vps[0]
        })
        .collect();
    assert_eq!(vps[12..], [13, 15, 17]);
    let mut off = bare_with(Variant { no_casualty_limit: true, ..Variant::default() });
    off.casualties(Side::Indian, 15);
    assert_eq!(off.vps[0], 15);
    foot(&mut g, "3A", "1611");
    let h = foot(&mut g, "H1", "1610");
    let at = hex(&g, "1611");
    let assault = melee::Assault { side: Side::Indian };
    g.casualties(Side::Indian, 2);
    assert!(assault.may(&g, h, at).is_ok(), "17");
    g.casualties(Side::Indian, 1);
    assert!(assault.may(&g, h, at).is_err_and(|why| why.rule == "16.F"));
    lead(&mut g, "Gall", "1610");
    assert!(assault.may(&g, h, at).is_ok());
}

/// A mounted Indian unit halts; the US fires, then the unit fires and continues, but not adjacent
/// to US units.
///
/// rosebud-creek 16.G, 7.L
#[test]
fn hit_and_run() {
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    ride(&mut g, "H1", "1708");
    let a = foot(&mut g, "3A", "1710");
    let mut run = moving(&g, Side::Indian).dice("fire", [1, 2, 1, 2]).start();
    run.say("h1 1709 fire 3a 1708").say("done");
    let told = run.story();
    let shots: Vec<&String> = told.iter().filter(|line| line.starts_with("Hit & Run")).collect();
    assert!(
        shots.len() == 2
            && shots[0].contains("Lawson (3A) at Crow King (H1)")
            && shots[1].contains("Crow King (H1) at Lawson (3A)"),
        "{told:?}"
    );
    assert_eq!(at(&run.over(), "H1"), "1708");
    // A loss Routs it before it fires.
    let mut run = moving(&g, Side::Indian).dice("fire", [6, 6]).dice("morale", [5, 5]).start();
    run.say("h1 1709 fire 3a 1708");
    let now = run.now();
    assert!(now.unit(unit(&now, "H1")).routed && now.unit(a).losses == 0);
    assert!(moving(&g, Side::Indian).start().try_say("h1 1709 fire 3a 1610").is_err_and(|why| why.contains("16.G")));
    // Without the option it would be Advance Fire.
    g.variant.hit_and_run = false;
    let mut run = moving(&g, Side::Indian).start();
    run.say("h1 1709 fire 3a");
    assert!(run.story().iter().all(|line| !line.starts_with("Hit & Run")));
}

/// Objectives score once, for companies that are not Routed; levels by ratio; units low on
/// ammunition at the end.
///
/// rosebud-creek 17, 14.B
#[test]
fn victory_points_and_levels() {
    let mut g = bare();
    ride(&mut g, "3A", "3108");
    ride(&mut g, "LOU", "3110");
    let mut run = moving(&g, Side::Us).start();
    run.say("lou 3109");
    assert_eq!(run.now().vps, [0, 0], "Scouts do not count");
    run.say("3a 3109");
    assert_eq!(run.now().vps, [2, 0]);
    run.say("3a 3108 3109").say("done");
    assert_eq!(run.over().vps, [2, 0], "once");
    let level = |us: i32, indian: i32| {
        let mut g = bare();
        g.vps = [us, indian];
        victory::level(&g)
    };
    assert_eq!(level(10, 9), (None, Level::Draw));
    assert_eq!(level(15, 10), (Some(Side::Us), Level::Marginal));
    assert_eq!(level(10, 20), (Some(Side::Indian), Level::Substantial));
    assert_eq!(level(3, -2), (Some(Side::Us), Level::Decisive), "each counts at least 1");
    let low = unit(&g, "3A");
    g.unit_mut(low).low_ammo = true;
    g.vps = [5, 5];
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        victory::finish(&t, &mut g, "test");
        g
    });
    let mut run = trial.start();
    assert_eq!(run.over().vps, [4, 5]);
    let story = run.story();
    assert_eq!(story[0], "1 US units are low on ammunition: 1 VP less.");
    assert_eq!(story.last().map(String::as_str), Some("The battle is over: US 4, Indians 5: a Draw."));
    // 18.1: a side without units; Leaders and Pony Holders do not count.
    foot(&mut g, "H1H", "2000");
    lead(&mut g, "Gall", "2000");
    assert!(victory::is_swept(&g));
    ride(&mut g, "H1", "2000");
    assert!(!victory::is_swept(&g));
}

/// rosebud-creek 8.D
#[test]
fn holders_replace_losses_at_the_end_of_a_phase() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    let holder = foot(&mut g, "3AH", "1710");
    g.unit_mut(a).losses = 1;
    g.unit_mut(holder).mountless = true;
    g.phasing = Side::Us;
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        volley::phase(&t, &mut g, Side::Us, Phase::Advance, Volley::Advance).await;
        g
    });
    assert_eq!(trial.start().over().unit(a).losses, 0);
    // Also at the end of a Rally Phase in which the Holder has come.
    foot(&mut g, "3AH", "1712");
    let mut run = rallying(&g, Side::Us).start();
    run.say("rout 3ah");
    assert_eq!((at(&run.now(), "3AH"), run.now().unit(a).losses), ("1710".to_owned(), 1));
    assert_eq!(run.say("done").over().unit(a).losses, 0);
}

/// rosebud-creek 16.D
#[test]
fn van_vliet_and_his_companies() {
    let mut g = bare();
    let c = foot(&mut g, "3C", "2815");
    let h = foot(&mut g, "H1", "2814");
    let routed = |g: &State, of_its_own_will: bool| {
        let cause = fire::Cause { from: hex(g, "2814"), foe: h, volley: None };
        let trial = Trial::new(g.clone(), move |t, mut g| async move {
            match of_its_own_will {
                true => rout::voluntary(&t, &mut g, c, rout::Willing::default()).await,
                false => rout::mandatory(&t, &mut g, c, cause).await,
            }
            g
        });
        trial.start().over().eagle_free
    };
    assert!(routed(&g, false) && !routed(&g, true));
    let l = lead(&mut g, "Van Vliet", "2815");
    let (from, to) = (hex(&g, "2812"), hex(&g, "2811"));
    assert!(g.charts.grid.distance(g.charts.eagles_nest, from) == 3);
    let stays = |g: &State| eagle::allows(g, Mover::Leader(l), from, Some(to)).is_err_and(|why| why.rule == "16.D");
    assert!(stays(&g));
    g.chief_mut(l).wound = Wound::Severe;
    assert!(!stays(&g));
    // A company that has to go back keeps MPs for that, and takes no ammunition; not in an enemy ZOC.
    foot(&mut g, "3C", "2811");
    foot(&mut g, "3CH", "2811");
    g.phasing = Side::Us;
    (g.unit_mut(c).low_ammo, g.ammo_points) = (true, 4);
    for (foe, returns) in [("2809", true), ("2810", false)] {
        foot(&mut g, "H1", foe);
        let offensive = Trial::new(g.clone(), |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Us, Phase::Offensive, Volley::Offensive(Volume::Full)).await;
            g
        });
        let mut run = offensive.dice("fire", [1, 3]).start();
        assert_eq!(run.try_say("fire 3c at h1").is_err_and(|why| why.contains("16.D")), returns);
        if returns {
            assert!(run.words().contains(&"fire 3c half at h1".to_owned()), "{:?}", run.words());
            run.say("fire 3c half at h1");
        }
        assert_eq!(rallying(&g, Side::Us).start().try_say("re-supply 3c").is_err(), returns);
    }
    // A Pinned company cannot go back, and fires as it likes.
    foot(&mut g, "H1", "2809");
    g.unit_mut(c).pinned = true;
    let fires = volley::Fires::phase(Side::Us, Volley::Offensive(Volume::Full));
    assert!(fires.may(&g, c, fire::Target::Unit(h), false).is_ok());
}

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
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("yes");
    let end = run.now();
    assert_eq!((end.unit(hq).spot, end.chief(staff).spot, end.seekers.len()), (Spot::Off, Spot::Off, 5));
    // The US says which of several Leaders goes.
    let crook = lead(&mut g, "Crook", "2602");
    assert_eq!(village::may_search(&g, Side::Us), Ok(crook), "any other is listed first");
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("staff");
    let end = run.now();
    assert_eq!((end.chief(staff).spot, end.chief(crook).spot), (Spot::Off, Spot::On(hex(&end, "2602"))));
}

/// Who has fired at full strength does not move, but may look for the village.
///
/// rosebud-creek 16.E, 4.B
#[test]
fn the_village_is_searched_even_if_nobody_can_move() {
    let mut g = bare();
    let all = [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701"), ("HQ", "2601")];
    for (id, at) in all {
        let u = ride(&mut g, id, at);
        g.unit_mut(u).did.fired = Some(Volume::Full);
    }
    lead(&mut g, "Staff", "2601");
    let staff = leader(&g, "Staff");
    g.chief_mut(staff).with = Some(unit(&g, "HQ"));
    let mut run = moving(&g, Side::Us).dice("village", [5]).start();
    run.say("search village");
    assert_eq!(run.over().vps, [2, 0]);
}

/// rosebud-creek 12.A, 16.E
#[test]
fn who_was_with_the_horses_of_the_seekers_joins_another_unit() {
    let mut g = bare();
    g.phasing = Side::Us;
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701")] {
        foot(&mut g, id, at);
    }
    lead(&mut g, "Crook", "2601");
    let (horses, infantry) = (foot(&mut g, "3AH", "2600"), foot(&mut g, "9C", "2600"));
    let royall = lead(&mut g, "Royall", "2600");
    g.chief_mut(royall).with = Some(horses);
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("crook");
    let end = run.now();
    assert_eq!((end.unit(horses).spot, end.seekers.len()), (Spot::Off, 5));
    assert_eq!((end.chief(royall).spot, end.chief(royall).with), (Spot::On(hex(&end, "2600")), Some(infantry)));
}

/// rosebud-creek 16.E
#[test]
fn the_village_is_searched_before_leaders_move() {
    let mut g = bare();
    g.phasing = Side::Us;
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701")] {
        ride(&mut g, id, at);
    }
    lead(&mut g, "Crook", "2601");
    assert!(village::may_search(&g, Side::Us).is_ok());
    // Routed units move first, which does not prevent the search.
    quiet(&mut g);
    let d = foot(&mut g, "3D", "2010");
    foot(&mut g, "H1", "2009");
    (g.unit_mut(d).routed, g.unit_mut(d).rout_from) = (true, g.hex(d));
    let mut run = moving(&g, Side::Us).dice("village", [5]).start();
    assert!(run.now().unit(d).did.spent > 0, "it has moved");
    run.say("search village");
    assert_eq!(run.now().vps, [2, 0]);
    // A Leader's own move does prevent it.
    let mut run = moving(&g, Side::Us).start();
    run.say("crook alone: 2602");
    assert!(run.refused("search village").contains("beginning"));
}

/// rosebud-creek 16.E
#[test]
fn holders_elsewhere_do_not_leave_with_the_column() {
    let mut g = bare();
    for (id, at) in [("3A", "2600"), ("3E", "2600"), ("3I", "2601"), ("3M", "2601"), ("3B", "2701")] {
        foot(&mut g, id, at);
    }
    lead(&mut g, "Crook", "2601");
    let [with, there, away] = [("3AH", "2600"), ("3EH", "2601"), ("3IH", "2603")].map(|(id, at)| foot(&mut g, id, at));
    let mut run = moving(&g, Side::Us).dice("village", [6]).start();
    run.say("search village").say("yes");
    let end = run.now();
    assert_eq!([with, there].map(|h| end.unit(h).spot), [Spot::Off, Spot::Off]);
    assert_eq!(end.hex(away), g.hex(away));
}

/// Runs the end of the US Player Turn for Breastworks.
fn under_works(g: &State) -> State {
    let rule = |t, mut g: State| async move {
        breastworks::settle(&t, &mut g);
        g
    };
    Trial::new(g.clone(), rule).start().over()
}

fn covered(g: &mut State, id: &str) {
    let (u, train) = (unit(g, id), unit(g, "PTA"));
    let hex = g.hex(u).expect("on the map");
    g.works.push(Work { hex, train, unit: Some(u), ready: true });
    g.unit_mut(u).works = true;
}

/// rosebud-creek 3.A, 7.C, 8.C, 16.C
#[test]
fn who_is_under_breastworks_is_prone() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    covered(&mut g, "3A");
    foot(&mut g, "H1", "1709");
    g.doctrine[Side::Indian.index()].opportunity = FireWill::No;
    let order = |g: &State, said: &str| moving(g, Side::Us).start().try_say(said);
    assert!(order(&g, "3a: 1711").is_err_and(|why| why.contains("16.C")));
    let attacks = |g: &State| melee::Assault { side: Side::Us }.may(g, a, hex(g, "1709"));
    assert!(attacks(&g).is_err());
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: dismount");
    let up = run.now();
    assert_eq!((up.posture(a), up.unit(a).did.spent, up.works[0].unit), (Mode::Dismounted, 1, None));
    assert!(attacks(&up).is_ok());
    // 1 MP to get up, 1 to leave the ZOC, 2 for the hex.
    run.say("3a: 1711");
    assert_eq!(run.now().unit(a).did.spent, 4);
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: crawl 1711");
    let there = run.now();
    assert_eq!((at(&there, "3A"), there.posture(a), there.unit(a).works), ("1711".to_owned(), Mode::Prone, false));
    // A unit that mounts is no longer under them, nor is it at the end of the Player Turn.
    foot(&mut g, "3AH", "1710");
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: mount");
    assert_eq!(run.now().posture(a), Mode::Mounted);
    let mut rider = g.clone();
    rider.unit_mut(a).mode = Mode::Mounted;
    let rider = under_works(&rider);
    assert!(!rider.unit(a).works);
    let hq = ride(&mut g, "HQ", "1810");
    covered(&mut g, "HQ");
    assert_eq!(g.posture(hq), Mode::Prone);
    assert_eq!(order(&g, "hq: 1811"), Ok(()));
    // A Prone unit cannot leave the map.
    foot(&mut g, "3E", "1600");
    let e = unit(&g, "3E");
    g.unit_mut(e).mode = Mode::Prone;
    assert!(order(&g, "3e: exit").is_err_and(|why| why.contains("7.C")));
    assert_eq!(order(&g, "3e: dismount, exit"), Ok(()));
}

/// rosebud-creek 16.G, 9.F
#[test]
fn any_eligible_unit_returns_fire() {
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3AH", "1710");
    ride(&mut g, "H1", "1709");
    // At two hexes in sight a dismounted unit fires, but a mounted one does not.
    let target = hex(&g, "1709");
    let far = g.charts.grid.hexes().find(|&at| g.charts.grid.distance(at, target) == 2 && sight::sees(&g, at, target));
    let far = g.id(far.expect("such a hex"));
    foot(&mut g, "3E", &far);
    ride(&mut g, "3I", &far);
    g.unit_mut(a).did.reacted = true;
    let who = |g: &State| {
        // Dice of 3 for every shot: no effect on a mounted unit.
        let mut run = moving(g, Side::Indian).dice("fire", [1, 2, 1, 2, 1, 2, 1, 2]).start();
        run.say("h1: fire 3a");
        let story = run.story();
        let shots = story.iter().filter_map(|line| line.strip_prefix("Hit & Run: "));
        let mut who: Vec<String> = shots.map(|line| line.split(" at ").next().unwrap_or_default().to_owned()).collect();
        who.sort_unstable();
        (who, run.now())
    };
    let before = g.clone();
    let names = |ids: &[&str]| {
        let mut names: Vec<String> = ids.iter().map(|id| before.the(unit(&before, id))).collect();
        names.sort_unstable();
        names
    };
    let (all, after) = who(&g);
    assert_eq!(all, names(&["3A", "3AH", "3E", "H1"]), "a rider does not reach two hexes");
    assert!(!after.unit(unit(&g, "3E")).did.reacted, "it may still use Opportunity Fire");
    // The doctrine `cavalry` fires only at cavalry, and no Indian unit is cavalry.
    says(&mut g, Side::Us, About::OpportunityFire, "cavalry");
    assert_eq!(who(&g).0, names(&["H1"]));
}

/// rosebud-creek 16.G
#[test]
fn hit_and_run_is_for_units_that_move_by_themselves() {
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    for id in ["H1", "H2"] {
        ride(&mut g, id, "1708");
    }
    let start = || moving(&g, Side::Indian).dice("fire", [1, 2]).start();
    let mut run = start();
    run.say("h1 h2: 1709");
    assert!(run.refused("h1: fire 3a").contains("16.G"));
    let mut run = start();
    run.say("h1: 1709, fire 3a, 1708");
    assert!(run.refused("h1 h2: 1707").contains("moves by itself"));
}

/// rosebud-creek 16.G
#[test]
fn any_failed_check_ends_hit_and_run() {
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    says(&mut g, Side::Us, About::OpportunityFire, "yes");
    foot(&mut g, "3A", "1710");
    let h = ride(&mut g, "H1", "1709");
    g.unit_mut(h).disrupted = true;
    // 4 and 4, less 1 for a Disrupted unit: Disrupted. A loss Routs it even if it holds. It makes the
    // Mandatory Rout until it is three hexes off, and nobody is asked about another.
    says(&mut g, Side::Indian, About::Rout, "ask");
    for (outcome, morale) in [(Outcome::Mc, [4, 4]), (Outcome::One, [6, 6])] {
        let dice = dice_for(&g, "3A", "H1", Volley::HitAndRun, outcome);
        let mut run = moving(&g, Side::Indian).dice("fire", dice).dice("morale", morale).start();
        run.say("h1: fire 3a");
        let now = run.now();
        assert_eq!((now.unit(h).routed, far(&now, "H1", "1710"), run.asked()), (true, 3, Vec::new()), "{outcome:?}");
    }
    says(&mut g, Side::Indian, About::Rout, "never");
    lead(&mut g, "Gall", "1709");
    let led = moving(&g, Side::Indian).dice("fire", [3, 4, 3, 4]).dice("morale", [6, 6, 6, 6]);
    assert_eq!(led.start().try_say("h1: fire 3a"), Ok(()));
    lead(&mut g, "Two Moon", "1709");
    assert!(moving(&g, Side::Indian).start().refused("h1: fire 3a").contains("16.G"));
}

/// rosebud-creek 16.C
#[test]
fn breastworks_cover_who_stays_in_their_hex() {
    let mut g = bare();
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"));
    covered(&mut g, "3A");
    let cover = |g: &State| (g.unit(a).works, g.unit(e).works, g.works[0].unit);
    assert_eq!(cover(&under_works(&g)), (true, false, Some(a)));
    let mut run = moving(&g, Side::Us).start();
    run.say("3a: dismount, 1711").say("done");
    let end = under_works(&run.over());
    assert_eq!((at(&end, "3A").as_str(), cover(&end)), ("1711", (false, true, Some(e))));
}

/// rosebud-creek 7.K, 16.D
#[test]
fn a_scatter_may_free_the_eagles_nest() {
    let mut g = bare();
    quiet(&mut g);
    says(&mut g, Side::Indian, About::Scatter, "strength 1");
    says(&mut g, Side::Indian, About::FallBack, "2812");
    foot(&mut g, "3C", "2815");
    ride(&mut g, "H2", "2812");
    ride(&mut g, "H1", "2809");
    ride(&mut g, "3B", "2806");
    let mut run = moving(&g, Side::Us).start();
    assert!(!run.now().eagle_free);
    run.say("3b: 2807");
    let now = run.now();
    assert_eq!((at(&now, "H1").as_str(), now.eagle_free), ("2812", true));
}

/// H2 in 2812 is three hexes from 3C in 2815. H1 comes as near on the way of a Rout from 3112 to the
/// edge at 3120, or of a Retreat Before Melee from 3112 to 3114, and lifts the restriction then,
/// though it ends the Rout four hexes or more away.
///
/// rosebud-creek 16.D, 10.H, 10.J
#[test]
fn a_rout_or_retreat_may_free_the_eagles_nest() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3C", "2815");
    ride(&mut g, "H1", "3112");
    ride(&mut g, "H2", "2812");
    assert_eq!(["3112", "3114"].map(|at| g.charts.grid.distance(hex(&g, at), hex(&g, "2815"))), [4, 3]);
    says(&mut g, Side::Indian, About::FallBack, "3120");
    let mut run = rallying(&g, Side::Indian).start();
    let end = run.say("rout h1").say("done").over();
    assert!(far(&end, "H1", "2815") > 3 && end.eagle_free, "{}", at(&end, "H1"));
    let mut alone = g.clone();
    ride(&mut alone, "H2", "2811");
    let mut run = rallying(&alone, Side::Indian).start();
    assert!(!run.say("rout h1").say("done").over().eagle_free, "one warrior unit");
    says(&mut g, Side::Indian, About::BeforeMelee, "odds 1");
    says(&mut g, Side::Indian, About::FallBack, "3114");
    ["3A", "3E"].iter().for_each(|id| _ = ride(&mut g, id, "3111"));
    let mut run = fighting(&g, Side::Us).dice("retreat before melee", [6]).start();
    let end = run.say("melee 3112 with 3a 3e no advance").over();
    assert_eq!((at(&end, "H1").as_str(), end.eagle_free), ("3114", true));
}

/// 3G, with one point left, is lost in a melee against 2613. That lifts the restriction at once: in
/// the same phase 3C advances from 3115, three hexes from the Eagle's Nest, to 3215.
///
/// rosebud-creek 16.D, 10.H
#[test]
fn the_loss_of_a_company_frees_the_other_at_once() {
    let mut g = bare();
    quiet(&mut g);
    let grey = foot(&mut g, "3G", "2614");
    g.unit_mut(grey).losses = g.cf(grey) - 1;
    foot(&mut g, "H1", "2613");
    foot(&mut g, "3C", "3115");
    let h = foot(&mut g, "H2", "3215");
    g.unit_mut(h).routed = true;
    let advances = |melee: &[i64], orders: [&str; 2]| {
        let trial = fighting(&g, Side::Us).dice("melee", melee.iter().copied());
        let mut run = trial.dice("retreat before melee", [6]).start();
        let end = run.say(orders[0]).say(orders[1]).over();
        (end.unit(grey).spot == Spot::Dead, at(&end, "3C"))
    };
    let attack = "melee 3215 with 3c";
    assert_eq!(advances(&[], [attack, "done"]), (false, "3115".to_owned()));
    assert_eq!(advances(&[1], ["melee 2613 with 3g", attack]), (true, "3215".to_owned()));
}

/// rosebud-creek 18.3
#[test]
fn only_the_scenario_with_the_trains_speaks_of_them() {
    use crate::components::{Components, Kit as _};
    let said = |scenario: &str| {
        let (scenario, components) = (scenario.to_owned(), Components::FILE.into());
        crate::setup::introduction(&postrider_table::Setup {
            seats: 2,
            scenario,
            options: Default::default(),
            components,
        })
    };
    let [historical, trains] = ["historical", "pack-train"].map(said);
    assert_eq!((historical.sides.len(), trains.length), (2, historical.length));
    assert!(
        trains.goal.starts_with(&historical.goal) && trains.goal.ends_with("Crook has brought his two Pack Trains.")
    );
}

/// rosebud-creek 16.C
#[test]
fn who_loads_takes_its_own_breastworks() {
    let mut g = bare();
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"));
    foot(&mut g, "PTA", "1711");
    covered(&mut g, "3A");
    covered(&mut g, "3E");
    for (words, left) in [("load 3e", (true, false)), ("load 3a", (false, true))] {
        let mut run = moving(&g, Side::Us).start();
        run.say(words);
        assert_eq!((run.now().unit(a).works, run.now().unit(e).works), left, "{words}");
    }
}

/// Breastworks cover no unit that Routs, and another one in the hex takes them.
///
/// rosebud-creek 16.C, 10.J
#[test]
fn breastworks_cover_no_routed_unit() {
    let mut g = bare();
    let (a, e) = (foot(&mut g, "3A", "1710"), foot(&mut g, "3E", "1710"));
    covered(&mut g, "3A");
    g.unit_mut(a).routed = true;
    let end = under_works(&g);
    assert_eq!((end.unit(a).works, end.unit(e).works, end.works[0].unit), (false, true, Some(e)));
    // A Routed unit does not get under those that are free.
    g.put(e, Spot::Pool);
    let end = under_works(&g);
    assert_eq!((end.unit(a).works, end.works[0].unit), (false, None));
}

/// A unit under Breastworks is Prone without a marker, and so does not go Prone.
///
/// rosebud-creek 8.D, 16.C
#[test]
fn who_is_under_breastworks_is_prone_already() {
    let mut g = bare();
    foot(&mut g, "9C", "1710");
    assert!(moving(&g, Side::Us).start().try_say("9c: prone").is_ok());
    covered(&mut g, "9C");
    let why = moving(&g, Side::Us).start().try_say("9c: prone").expect_err("it is Prone");
    assert!(why.contains("8.D") && why.contains("already"), "{why}");
}
