//! Events, settlers, the End Phase and victory (4, 5, 6, 13, 15).

use super::super::{components::*, end, events, leaders, settlers, state::*, testing::*, victory};

const NA_DECISIVE: &str =
    "no settlers are in Miami and Shawnee land, and Kekionga is unpillaged and in Native American hands (15.1.4)";

fn event(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        events::phase(&t, &mut g).await;
        g
    })
}

/// dark-and-bloody-ground 4.1, 5.0
#[test]
fn omens_count_in_spring() {
    let mut g = war();
    g.season = Season::Spring;
    let mut trial = event(g.clone()).any_dice([1, 1]).start();
    assert_eq!(trial.asked(), [(g.seat(Side::Na), "event")]);
    trial.check_options(3);
    trial.say("wyandot");
    let end = trial.over();
    assert_eq!(end.tribe(nation(&end, "Wyandot")).omens, 1);
    // Bad Omens are asked together with the settlers.
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        let event = events::phase(&t, &mut g).await;
        settlers::phase(&t, &mut g, event).await;
        g
    })
    .any_dice([6, 6, 1, 1])
    .start();
    assert_eq!(trial.asked(), [(g.seat(Side::Us), "event"), (g.seat(Side::Us), "settlers")]);
    trial.say("ottawa");
    trial.all_first();
    assert_eq!(trial.over().tribe(nation(&g, "Ottawa")).omens, -1);
    g.season = Season::Summer;
    assert_eq!(event(g).any_dice([1, 1]).start().over().tribes.iter().filter(|t| t.omens != 0).count(), 0);
}

/// dark-and-bloody-ground 5.0, 14.0.4, T:random-events-table
#[test]
fn girty_comes_and_is_hunted_down() {
    let mut g = war();
    // He comes to face-up warriors or an un-besieged British fort.
    at_war(&mut g, "Shawnee", 3);
    [("Shawnee", "S5"), ("Miami", "M2"), ("british-regular", "S1"), ("regular", "O1")]
        .iter()
        .for_each(|(kind, id)| _ = put(&mut g, kind, 1, id));
    for (id, may) in [("s5", true), ("m2", false), ("s1", false), ("o1", false), ("w5", true)] {
        assert_eq!(event(g.clone()).any_dice([3, 6]).start().try_say(id).is_ok(), may, "{id}");
    }
    let mut trial = event(g).any_dice([3, 6]).start();
    trial.check_options(2);
    trial.say("W2");
    let g = trial.over();
    assert_eq!(g.chief(leader(&g, "Girty")).spot, Spot::On(at(&g, "W2")));
    let g = event(g).any_dice([4, 6]).start().over();
    assert!(g.girty_gone && g.chief(leader(&g, "Girty")).spot == Spot::Gone);
    let mut raiders = g;
    at_war(&mut raiders, "Shawnee", 3);
    let girty = lead(&mut raiders, "Girty", "S5");
    let shawnee = put(&mut raiders, "Shawnee", 1, "S5")[0];
    assert!(!raiders.leads(girty, shawnee), "he activates nobody");
}

/// dark-and-bloody-ground 14.0.2, T:random-events-table
#[test]
fn rifles_go_to_warriors_two_of_a_nation() {
    let mut g = war();
    put(&mut g, "Shawnee", 4, "S5");
    put(&mut g, "Miami", 1, "M1");
    let mut trial = event(g).any_dice([3, 3, 6]).start();
    trial.all_first();
    let g = trial.over();
    let armed = |kind: &str| g.of_kind(g.c.kind(kind).expect("a kind")).filter(|&u| g.unit(u).rifle).count();
    assert_eq!((armed("Shawnee"), armed("Miami")), (2, 1));
}

/// dark-and-bloody-ground 5.0, 8.1.3, 8.5.1
#[test]
fn iroquois_come_and_leave() {
    let g = war();
    let mut trial = event(g).any_dice([4, 4, 3]).start();
    assert!(trial.options().len() > 1);
    trial.say("3 iroquois at edge");
    let mut g = trial.over();
    let iroquois = nation(&g, "Iroquois");
    assert_eq!((g.tribe(iroquois).ml, g.tribe(iroquois).stance), (2, Stance::Warpath));
    assert_eq!(g.of_kind(g.c.warriors(iroquois)).filter(|&u| g.unit(u).spot == Spot::Edge).count(), 3);
    at_war(&mut g, "Miami", 3);
    let leave = |g: State| {
        Trial::new(g, |t, mut g| async move {
            events::iroquois_leave(&t, &mut g);
            g
        })
        .start()
        .over()
    };
    assert_eq!(leave(g.clone()).tribe(iroquois).stance, Stance::Warpath);
    g.tribe_mut(nation(&g, "Miami")).stance = Stance::Peaceful;
    assert_eq!(leave(g).tribe(iroquois).stance, Stance::Peaceful);
}

fn ended(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        end::phase(&t, &mut g).await;
        g
    })
}

/// dark-and-bloody-ground 4.7, 13.0, 8.4.3, 9.5.2
#[test]
fn markers_go_and_armies_go_home() {
    let mut g = war();
    g.season = Season::Fall;
    let k2 = at(&g, "K2");
    (g.land_mut(k2).raid, g.land_mut(k2).pillaged) = (true, true);
    let u = put(&mut g, "kentucky-militia", 1, "K2")[0];
    (g.unit_mut(u).acts, g.unit_mut(u).done) = (2, true);
    let end = ended(g.clone()).start().over();
    assert_eq!((end.raid_total, end.land(k2).raid, end.land(k2).pillaged), (1, false, false));
    assert!(!end.unit(u).done && end.unit(u).acts == 0 && end.unit(u).spot == Spot::On(k2));
    g.season = Season::Winter;
    at_war(&mut g, "Miami", 4);
    put(&mut g, "Miami", 2, "S4");
    lead(&mut g, "Little Turtle", "S4");
    let mut trial = ended(g).start();
    trial.check_options(2);
    trial.all_first();
    let end = trial.over();
    assert!(end.land(k2).pillaged, "it stays to the end of fall");
    assert_eq!(end.unit(u).spot, Spot::Pool);
    assert_eq!(end.tribe(nation(&end, "Miami")).stance, Stance::Peaceful);
    assert_eq!(count(&end, "Miami", "S4"), 0);
}

/// dark-and-bloody-ground 13.0, T:end-phase-attrition-table, 11.3.1
#[test]
fn attrition_by_season_and_siege() {
    let mut g = war();
    (g.commitment, g.season, g.severe) = (3, Season::Winter, true);
    let u = put(&mut g, "regular", 1, "M1")[0];
    g.unit_mut(u).starved = true;
    let m1 = at(&g, "M1");
    g.land_mut(m1).pillaged = true;
    let check = |g: &State| end::attrition_check(g, u).expect("a check");
    assert_eq!((check(&g).drm.total(), check(&g).passing(6)), (3, 0));
    (g.season, g.severe, g.land_mut(m1).pillaged) = (Season::Summer, false, false);
    assert_eq!(check(&g).drm.total(), -1);
    at_war(&mut g, "Miami", 3);
    put(&mut g, "Miami", 1, "M1");
    us_fort(&mut g, "M1");
    g.unit_mut(u).inside = true;
    let fort = g.land_mut(m1).fort.as_mut().expect("a fort");
    fort.siege = 2;
    // In a besieged fort only the Siege markers count.
    assert_eq!((check(&g).drm.total(), check(&g).passing(6)), (2, 1));
}

/// dark-and-bloody-ground 14.0.6
#[test]
fn blue_jacket_takes_the_lead() {
    let mut g = war();
    lead(&mut g, "Black Hoof", "S5");
    let g = Trial::new(g, |t, mut g| async move {
        leaders::blue_jacket(&t, &mut g).await;
        g
    })
    .start()
    .over();
    assert_eq!(g.chief(leader(&g, "Blue Jacket")).spot, Spot::On(at(&g, "S5")));
    assert_eq!(g.chief(leader(&g, "Black Hoof")).spot, Spot::Gone);
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn harmar_is_judged_by_levels() {
    let mut g = bare("harmar-1790");
    (g.started, g.lost_at_start) = ([13, 12], [0, 0]);
    let judge = |g: &State| {
        let ending = victory::harmar(g);
        (ending.winner, ending.level)
    };
    assert_eq!(judge(&g), (Some(Side::Na), Some("decisive")));
    g.kekionga_pillaged = true;
    // Both sides are at the marginal level.
    assert_eq!(judge(&g), (None, None));
    g.lost_at_start = [0, 5];
    assert_eq!(judge(&g), (Some(Side::Us), Some("marginal")));
    g.lost_at_start = [0, 4];
    assert_eq!(judge(&g), (None, None), "a third is not more than a third");
    put(&mut g, "regular", 2, "M1");
    us_fort(&mut g, "M7");
    at_war(&mut g, "Miami", 3);
    at_war(&mut g, "Shawnee", 3);
    assert_eq!(judge(&g), (Some(Side::Us), Some("decisive")));
}

/// dark-and-bloody-ground 15.2.4
#[test]
fn st_clair_needs_kekionga() {
    let mut g = bare("st-clair-1791");
    at_war(&mut g, "Miami", 4);
    let judge = |g: &State| {
        let ending = victory::st_clair(g);
        (ending.winner, ending.level)
    };
    assert_eq!(judge(&g), (Some(Side::Na), Some("major")));
    g.land_mut(at(&g, "M5")).settlers = 1;
    assert_eq!(judge(&g), (Some(Side::Na), Some("minor")));
    put(&mut g, "regular", 2, "M1");
    us_fort(&mut g, "M7");
    g.tribe_mut(nation(&g, "Shawnee")).stance = Stance::Warpath;
    assert_eq!(judge(&g), (Some(Side::Us), Some("marginal")));
    g.land_mut(at(&g, "M1")).settlers = 1;
    assert_eq!(judge(&g), (Some(Side::Us), Some("major")));
}

/// dark-and-bloody-ground 15.4.3, 15.4.4, 15.4.5
#[test]
fn the_war_ends_in_three_ways() {
    let over = |g: State| {
        Trial::new(g, |t, mut g| async move {
            victory::end_of_turn(&t, &mut g);
            victory::end_of_mobilization(&t, &mut g);
            g
        })
        .start()
        .over()
        .ending
    };
    let mut g = war();
    at_war(&mut g, "Miami", 3);
    (g.season, g.turn, g.commitment, g.streaks) = (Season::Winter, 9, 1, [0, 3]);
    assert_eq!(over(g.clone()).map(|e| (e.winner, e.level)), Some((Some(Side::Na), Some("strategic"))));
    (g.commitment, g.streaks) = (5, [3, 0]);
    assert_eq!(over(g.clone()).map(|e| (e.winner, e.level)), Some((Some(Side::Us), Some("strategic"))));
    g.streaks = [2, 0];
    assert_eq!(over(g.clone()), None);
    let mut peace = g.clone();
    peace.tribes.iter_mut().for_each(|tribe| tribe.stance = Stance::Surrendered);
    assert_eq!(over(peace).map(|e| (e.winner, e.level)), Some((Some(Side::Us), Some("decisive"))));
    g.season = Season::Summer;
    g.vps = [9, 3];
    assert_eq!(victory::campaign(&g).level, Some("decisive"), "fewer than ten towns");
    let ohio: Vec<AreaId> = g.c.area_ids().filter(|&a| g.c[a].state == Province::Ohio).take(10).collect();
    ohio.into_iter().for_each(|a| g.land_mut(a).village = true);
    assert_eq!((victory::campaign(&g).winner, victory::campaign(&g).level), (Some(Side::Us), Some("minor")));
    g.vps = [3, 9];
    assert_eq!(victory::campaign(&g).winner, Some(Side::Na));
    g.score(Side::Us, -5, "15.4.5");
    assert_eq!(g.vps, [0, 11], "what a loss cannot take is given to the other");
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn the_end_says_that_a_level_was_lowered() {
    let mut g = bare("harmar-1790");
    (g.started, g.lost_at_start) = ([13, 12], [0, 5]);
    let ending = victory::harmar(&g);
    assert_eq!((ending.winner, ending.level), (Some(Side::Na), Some("marginal")));
    assert!(
        ending
            .why
            .contains("NA is lowered from decisive to marginal: it has lost 5 units, more than a third of the 12"),
        "{}",
        ending.why
    );
    // Exactly a third is not more than a third.
    g.lost_at_start = [0, 4];
    let ending = victory::harmar(&g);
    assert_eq!((ending.level, &*ending.why), (Some("decisive"), NA_DECISIVE));
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn marches_and_desertion_do_not_lower_a_victory() {
    let mut g = war();
    let u = put(&mut g, "regular", 2, "U1");
    g.waste(u[0]);
    g.eliminate(u[1]);
    assert_eq!((g.lost, g.vps), ([1, 0], [0, 4]));
}

/// dark-and-bloody-ground 14.0.2, 15.2.2, T:random-events-table
#[test]
fn rifles_go_to_the_warriors_who_are_named() {
    let mut g = war();
    put(&mut g, "Shawnee", 1, "S5");
    put(&mut g, "Shawnee", 2, "S1");
    put(&mut g, "Miami", 1, "M1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        events::rifles(&t, &mut g, 3, "T:random-events-table").await;
        g
    })
    .start();
    trial.check_options(3);
    assert!(trial.refused("3 shawnee at s1").contains("2"), "two of a nation");
    trial.say("1 shawnee at s1, 1 shawnee at s5, 1 miami at m1");
    let end = trial.over();
    let armed = |id: &str| end.units_in(at(&end, id), Side::Na).filter(|&u| end.unit(u).rifle).count();
    assert_eq!([armed("S1"), armed("S5"), armed("M1")], [1, 1, 1]);
}

/// dark-and-bloody-ground 8.6.2, 8.1
#[test]
fn the_last_of_a_surrendered_nation_leave_in_fall() {
    for (season, gave_up, stance, stays) in [
        (Season::Fall, 1, Stance::Surrendered, false),
        (Season::Fall, 2, Stance::Surrendered, true),
        (Season::Summer, 1, Stance::Surrendered, true),
        (Season::Fall, 1, Stance::Warpath, true),
    ] {
        let mut g = war();
        (g.season, g.turn) = (season, 2);
        let n = at_war(&mut g, "Shawnee", 3);
        put(&mut g, "Shawnee", 2, "W5");
        put(&mut g, "Miami", 1, "W5");
        let blue_jacket = lead(&mut g, "Blue Jacket", "W5");
        (g.tribe_mut(n).stance, g.tribe_mut(n).gave_up) = (stance, gave_up);
        let mut run = ended(g).start();
        run.all_first();
        let end = run.over();
        let left =
            (count(&end, "Shawnee", "W5"), end.chief(blue_jacket).spot != Spot::Gone, count(&end, "Miami", "W5"));
        assert_eq!(left, (if stays { 2 } else { 0 }, stays, 1), "{season:?}, {gave_up}, {stance:?}");
        assert_eq!(run.story().contains(&"The last Shawnee leave.".to_owned()), !stays);
    }
}

/// dark-and-bloody-ground 15.1.4, 15.2.4, 15.4.3, 15.4.5
#[test]
fn a_campaign_is_judged_after_its_last_turn() {
    for (scenario, turns, why) in [
        ("harmar-1790", 2, NA_DECISIVE),
        ("st-clair-1791", 3, "Kekionga is not lost; no settlers are in the land of nations at war (15.2.4)"),
        ("ohio-1790", 21, "fewer than ten towns in Ohio (15.4.4)"),
    ] {
        for at_end in [false, true] {
            let mut g = bare(scenario);
            g.variant.settled_at_end = at_end;
            at_war(&mut g, "Miami", 3);
            let settled = g.c.area_ids().filter(|&a| g.scores(a)).count() as i32;
            let judged = |g: &State| {
                let mut run = Trial::new(g.clone(), |t, mut g| async move {
                    victory::end_of_turn(&t, &mut g);
                    g
                })
                .start();
                (run.over(), run.story())
            };
            g.turn = turns - 1;
            assert_eq!(judged(&g).0.ending, None, "{scenario}");
            g.turn = turns;
            let (end, story) = judged(&g);
            let ending = end.ending.clone().expect("it is over");
            assert_eq!((ending.winner, &*ending.why), (Some(Side::Na), why));
            let level = ending.level.expect("a level");
            assert_eq!(story.last(), Some(&format!("@B (NA) wins, {level}: {why}.")));
            assert_eq!(end.vps[0], if at_end { settled } else { 0 });
        }
    }
}

/// Settling or fortifying Kekionga is worth 2 VPs once; an area that becomes settled 1, unless all
/// score at the end.
///
/// dark-and-bloody-ground 15.4.5
#[test]
fn kekionga_scores_once() {
    let awarded = |g: &State| {
        Trial::new(g.clone(), |t, mut g| async move {
            settlers::award(&t, &mut g);
            g
        })
        .start()
        .over()
    };
    let mut fort = war();
    us_fort(&mut fort, "M1");
    let mut run = Trial::new(fort, |t, mut g| async move {
        settlers::award(&t, &mut g);
        g
    })
    .start();
    let end = run.over();
    assert_eq!(run.story(), ["Kekionga is settled or fortified: US +2 VPs."]);
    assert_eq!((end.vps, awarded(&end).vps), ([2, 0], [2, 0]));
    let mut british = war();
    let m1 = at(&british, "M1");
    british.land_mut(m1).fort = Some(Fort::of(Side::Na));
    assert_eq!(awarded(&british).vps, [0, 0]);
    let mut settled = war();
    settled.land_mut(m1).settlers = 1;
    assert_eq!(awarded(&settled).vps, [3, 0], "a settled area, and Kekionga");
    settled.variant.settled_at_end = true;
    assert_eq!(awarded(&settled).vps, [2, 0]);
}

/// A Mobilization Phase rolls for Commitment first, or last by an option; at its end the Iroquois
/// leave where nobody else is at war, and Atrocity markers go.
///
/// dark-and-bloody-ground 4.4, 8.2, 5.0, 9.2.1
#[test]
fn a_mobilization_phase_in_its_order() {
    use super::super::play;
    for late in [false, true] {
        let mut g = war();
        (g.season, g.year, g.commitment) = (Season::Winter, 1792, 3);
        g.variant.late_commitment = late;
        at_war(&mut g, "Iroquois", 2);
        put(&mut g, "Iroquois", 1, "I3");
        // All others have surrendered but the Miami, who roll a 1.
        let miami = nation(&g, "Miami");
        for n in g.c.nation_ids().filter(|&n| n != miami && n != nation(&g, "Iroquois")).collect::<Vec<_>>() {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
        let k2 = at(&g, "K2");
        g.land_mut(k2).atrocity = [1, 1];
        let mut run = Trial::new(g, |t, mut g| async move {
            play::mobilize(&t, &mut g, &[]).await;
            g
        })
        .dice("commitment", [3])
        .any_dice([1; 2])
        .start();
        run.all_first();
        let story = run.story();
        let line = |words: &str| {
            story.iter().position(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {story:?}"))
        };
        assert_eq!(line("US Commitment 3") > line("Miami"), late, "{story:?}");
        assert!(line("No nation is at war: the Iroquois leave.") > line("Miami"));
        let end = run.session.over().expect("it is over");
        assert_eq!((count(end, "Iroquois", "I3"), end.land(k2).atrocity), (0, [0, 0]));
    }
}

/// dark-and-bloody-ground 4.0, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 15.1
#[test]
fn the_turns_of_a_campaign_in_their_order() {
    use super::super::{BloodyGround, setup};
    use postrider_table::{Decision, Event, SeededChance, Session, Watch};
    let g = setup::position(Components::builtin().clone(), "harmar-1790", Default::default());
    let mut session = Session::<BloodyGround>::start(g, Box::new(SeededChance::new(7)), Watch::ALL);
    let mut labels = Vec::new();
    while session.over().is_none() {
        let seen = session.look().expect("it runs");
        let ticket = seen.tickets.iter().find(|ticket| ticket.required).expect("something is asked");
        let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("legal");
        for event in session.take_events() {
            if let Event::Round { label, .. } = event {
                labels.push(label);
            }
        }
    }
    labels.retain(|label| label.contains(": "));
    let turn = |season: &str| {
        ["events and settlers", "mobilization", "actions", "raids and end"].map(|phase| format!("{season}: {phase}"))
    };
    assert_eq!(labels, [turn("Fall 1790"), turn("Winter 1791")].concat());
    let end = session.over().expect("it is over");
    assert_eq!((end.turn, end.ending.is_some()), (2, true));
}

/// dark-and-bloody-ground 5.0, 6.0.2, 7.0, 8.1, 8.2, 8.6.1, 9.2.1, 10.5.3, 13.0, 14.0.3, 14.0.5
#[test]
fn the_story_of_a_season() {
    use super::super::{commitment, mobilization, raid, supply};
    let told = |trial: Trial| {
        let mut run = trial.start();
        run.all_first();
        run.story().join("\n")
    };
    let settled = || {
        let mut g = war();
        g.commitment = 3;
        let k2 = at(&g, "K2");
        g.land_mut(k2).settlers = 2;
        g
    };
    let struck = || {
        Trial::new(settled(), |t, mut g| async move {
            let k2 = at(&g, "K2");
            settlers::strike(&t, &mut g, k2).await;
            g
        })
    };
    let mut spring = war();
    spring.season = Season::Spring;
    let mut armed = war();
    put(&mut armed, "Shawnee", 4, "S5");
    let mut among = armed.clone();
    put(&mut among, "Miami", 4, "M1");
    let mut hungry = war();
    hungry.season = Season::Winter;
    put(&mut hungry, "regular", 2, "W3");
    let mut winter = war();
    winter.season = Season::Winter;
    let mut girty = war();
    lead(&mut girty, "Girty", "W5");
    let mckee = |die: i64| {
        let mut g = war();
        lead(&mut g, "McKee", "W5");
        let trial = Trial::new(g, |t, mut g| async move {
            raid::mckee(&t, &mut g, 2).await;
            g
        });
        trial.any_dice([die])
    };
    let rolls = |die: i64| {
        let mut g = war();
        g.vps = [0, 0];
        let trial = Trial::new(g, |t, mut g| async move {
            let n = nation(&g, "Miami");
            mobilization::trespass(&t, &mut g, n).await;
            g
        });
        trial.any_dice([die])
    };
    for (trial, lines) in [
        (event(war()).any_dice([1, 1]), vec!["Random event 1 + 1 = 2: ", "It counts in spring alone."]),
        (event(spring).any_dice([1, 1]), vec!["The omens concern the Shawnee."]),
        (event(war()).any_dice([3, 6]), vec!["Simon Girty is at "]),
        (event(girty).any_dice([3, 6]), vec!["Simon Girty is hunted down."]),
        (
            event(armed).any_dice([3, 3, 6]),
            vec!["Rifle markers: a die of 6.", "1 Shawnee at Chillicothe (S5) gets a rifle."],
        ),
        (event(among).any_dice([3, 3, 3]), vec!["Rifle markers: a die of 3.", " get rifles.", " gets rifles."]),
        (event(war()).any_dice([4, 4, 3]), vec!["Iroquois warriors: a die of 3.", "3 Iroquois at "]),
        (
            struck().any_dice([4]),
            vec!["A settler of Northern Kentucky (K2) is lost (4, Commitment 3): US -1 VP, NA +1."],
        ),
        (
            struck().any_dice([3]),
            vec![
                "A settler of Northern Kentucky (K2) escapes (3, Commitment 3).",
                "A settler of Northern Kentucky (K2) flees to Cincinnati (U1).",
            ],
        ),
        (
            Trial::new(settled(), |t, mut g| async move {
                let k2 = at(&g, "K2");
                g.atrocities = [1, 1];
                super::super::atrocity::place(&t, &mut g, Side::Na, k2);
                g
            }),
            vec!["An Atrocity marker of the ", "A settler of Northern Kentucky (K2) is lost: NA +1 VP."],
        ),
        (
            Trial::new(hungry, |t, mut g| async move {
                supply::phase(&t, &mut g).await;
                g
            }),
            vec!["Out of Supply: 2 units."],
        ),
        (
            Trial::new(settled(), |t, mut g| async move {
                commitment::roll(&t, &mut g);
                g
            })
            .any_dice([4]),
            vec!["US Commitment 3, die 4"],
        ),
        (mckee(3), vec!["Doubles, a third die for McKee: 3, 2 needed: he lives."]),
        (mckee(2), vec!["Doubles, a third die for McKee: 2: he dies, and every Mobilization Level falls by 1."]),
        (rolls(1), vec!["The Miami roll for trespass: 1; war at 3."]),
        (ended(winter), vec!["Winter ends: the militia goes home."]),
        (
            Trial::new(war(), |t, mut g| async move {
                let l = lead(&mut g, "Tecumseh", "S5");
                leaders::fall_on_map(&t, &mut g, l).await;
                let l = lead(&mut g, "Harmar", "S5");
                leaders::fall_on_map(&t, &mut g, l).await;
                g
            })
            .any_dice([4]),
            vec!["Tecumseh is eliminated: a die of 4, 4 VPs.", "Harmar is eliminated: 3 VPs."],
        ),
    ] {
        let story = told(trial);
        let missing: Vec<&str> = lines.into_iter().filter(|line| !story.contains(line)).collect();
        assert!(missing.is_empty(), "{missing:?}: {story}");
    }
}

/// dark-and-bloody-ground 9.1, 4.5
#[test]
fn nobody_keeps_the_initiative_of_the_turn_before() {
    use super::super::{BloodyGround, setup};
    use postrider_table::{Decision, Kind as _, SeededChance, Session, Watch};
    let g = setup::position(Components::builtin().clone(), "harmar-1790", Default::default());
    let mut session = Session::<BloodyGround>::start(g, Box::new(SeededChance::new(7)), Watch::ALL);
    let mut turns = [Vec::new(), Vec::new()];
    while session.over().is_none() {
        let seen = session.look().expect("it runs");
        let ticket = seen.tickets.iter().find(|ticket| ticket.required).expect("something is asked");
        match ticket.prompt.kind().name() {
            // The nations at peace roll from the second turn on, after the first has had its
            // initiative.
            "next-nation" => {
                assert!(!seen.state.rolled, "turn {}", seen.state.turn);
                turns[0].push(seen.state.turn);
            }
            "action" => {
                assert!(seen.state.rolled, "turn {}", seen.state.turn);
                turns[1].push(seen.state.turn);
            }
            _ => {}
        }
        let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        session.submit(&decision).expect("legal");
    }
    assert!(turns[0].contains(&2) && turns[1].contains(&1), "{turns:?}");
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn only_units_of_the_start_lower_a_victory() {
    let mut g = bare("harmar-1790");
    g.started = [13, 12];
    at_war(&mut g, "Ottawa", 3);
    let first = put(&mut g, "Miami", 1, "M1");
    g.unit_mut(first[0]).at_start = true;
    let later = put(&mut g, "Ottawa", 4, "M2");
    first.into_iter().chain(later).for_each(|u| g.eliminate(u));
    assert_eq!((g.lost, g.lost_at_start), ([0, 5], [0, 1]));
    assert_eq!(victory::harmar(&g).level, Some("decisive"));
}
