//! Tests of the cards that affect Tribes and Villages.

use super::*;

/// geronimo 9.2D
#[test]
fn bad_blood_has_no_effect_on_inactive_and_finished_tribes() {
    let mut g = position();
    hold(&mut g, FOX, "Crow");
    let crow = village(&g, "Crow");
    g.village_mut(crow).finished = true;
    let trial1 = trial(g.clone(), RED, Card::BadBlood, &[]);
    assert_eq!(trial1.asked(), (RED, "bad-blood"));
    assert_eq!(trial1.options().len(), g.c.tribes.len(), "whether a Tribe is held does not show");
    let (g1, after, told) = trial1.say("bad blood pawnee").end();
    assert_eq!(after, After::Operation);
    assert!(told.last().unwrap().contains("not Active"), "{told:?}");
    assert!(!g1.tribes[tribe(&g1, "Pawnee").index()].revealed);
    let (g2, after, told) = trial(g, RED, Card::BadBlood, &[]).say("crow").end();
    assert!(told.last().unwrap().contains("Finished"), "{told:?}");
    assert!(g2.tribes[tribe(&g2, "Crow").index()].revealed);
    assert_eq!(after, After::Operation);
    assert!(g2.tally.iter().all(|tally| !tally.operation_used));
}

/// geronimo 9.2D, 8.24
#[test]
fn a_tribe_just_back_from_the_reservation_is_inactive() {
    let mut g = position();
    hold(&mut g, FOX, "Crow");
    let crow = village(&g, "Crow");
    g.village_mut(crow).dormant = true;
    let (g, _, told) = trial(g, RED, Card::BadBlood, &[]).say("crow").end();
    assert!(told.last().unwrap().contains("not Active"), "{told:?}");
    assert!(!g.tribes[tribe(&g, "Crow").index()].revealed);
}

/// geronimo 9.2F
#[test]
fn blood_lust_on_ones_own_village_leaves_the_operation() {
    let mut g = position();
    hold(&mut g, RED, "Comanche");
    let mut trial = trial(g, RED, Card::BloodLust, &[]);
    assert!(trial.try_say("klamath").is_err(), "no Chief");
    let (g, after, _) = trial.say("blood lust comanche").end();
    assert!(g.village(village(&g, "Comanche")).blood_lust);
    assert!(g.tribes[tribe(&g, "Comanche").index()].revealed);
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2F
#[test]
fn blood_lust_asks_again_when_nobody_plays_the_village() {
    let mut g = position();
    hold(&mut g, FOX, "Comanche");
    let (comanche, kiowa) = (village(&g, "Comanche"), village(&g, "Kiowa"));
    assert!(g.chiefs_of(kiowa).next().is_some());
    g.village_mut(comanche).finished = true;
    let mut trial = trial(g, RED, Card::BloodLust, &[]).say("kiowa");
    assert_eq!(trial.asked(), (RED, "blood-lust"));
    assert!(trial.try_say("kiowa").is_err(), "they are known not to be Active");
    let (g, after, told) = trial.say("comanche").end();
    assert!(told[0].contains("not Active"), "{told:?}");
    assert!(g.village(comanche).blood_lust, "Finished: no attack, but the marker stays");
    assert!(!g.village(kiowa).blood_lust);
    assert!(!g.tally[FOX.index()].operation_used);
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2F, 6.51
#[test]
fn teton_chiefs_may_be_with_either_village_until_the_card_is_shown() {
    let mut g = position();
    let (one, two) = (village(&g, "Teton 1"), village(&g, "Teton 2"));
    let lists = |g: &State, name: &str| {
        let trial = trial(g.clone(), RED, Card::BloodLust, &[]);
        trial.options().iter().any(|words| words.contains(&name.to_lowercase()))
    };
    assert!(lists(&g, &g.c[one].name) && lists(&g, &g.c[two].name));
    let sioux = tribe(&g, "Sioux");
    g.tribes[sioux.index()].divided = true;
    for h in g.c.chiefs_of(sioux).collect::<Vec<_>>() {
        if g.c[h].village.is_none() {
            g.chiefs[h.index()].assigned = Some(two);
        }
    }
    assert!(lists(&g, &g.c[one].name) && lists(&g, &g.c[two].name), "only their player knows how they are divided");
    g.tribes[sioux.index()].revealed = true;
    assert!(!lists(&g, &g.c[one].name) && lists(&g, &g.c[two].name));
}

/// geronimo 9.2F
#[test]
fn blood_lust_with_nobody_to_seize_has_no_effect() {
    let mut g = position();
    for v in g.village_ids().collect::<Vec<_>>() {
        let keep = g.c[v].name == "Comanche";
        let from = g.c[v].area;
        if !keep {
            g.village_mut(v).place = Place::Reservation { from };
        }
    }
    let (g, after, told) = trial(g, RED, Card::BloodLust, &[]).end();
    assert!(!g.village(village(&g, "Comanche")).blood_lust);
    assert_eq!(after, After::Operation);
    assert_eq!(told.last().unwrap(), "No Active Village has a Chief: no effect.");
    let mut g = g;
    for chief in &mut g.chiefs {
        chief.killed = true;
    }
    assert!(matches!(standing(&g, RED, Card::BloodLust), Standing::NoEvent(_)), "no Chief is left");
}

/// geronimo 9.2Q
#[test]
fn a_peace_chief_goes_to_the_first_active_tribe_asked_for() {
    let mut g = position();
    hold(&mut g, RED, "Crow");
    hold(&mut g, FOX, "Apache");
    let mut trial1 = trial(g.clone(), RED, Card::PeaceChief, &[]);
    assert!(trial1.try_say("crow").is_err(), "his own");
    let mut trial1 = trial1.say("ask for pawnee").say("kiowa");
    assert!(trial1.try_say("pawnee").is_err(), "asked before");
    let trial1 = trial1.say("apache");
    assert_eq!(trial1.asked(), (RED, "peace-village"));
    let (g1, after, told) = trial1.say("chiricahua").end();
    assert!(g1.village(village(&g1, "Chiricahua")).peace_chief);
    assert!(!g1.village(village(&g1, "Mimbres")).peace_chief);
    assert!(g1.tribes[tribe(&g1, "Apache").index()].revealed);
    assert!(told[0].contains("nobody plays them"), "{told:?}");
    assert_eq!(after, After::Operation);
    // The second card of the deck: only the Mimbres are left.
    let (g2, ..) = trial(g1, Seat(3), Card::PeaceChief, &[]).say("apache").end();
    assert!(g2.village(village(&g2, "Mimbres")).peace_chief);
}

/// geronimo 9.2Q
#[test]
fn asking_for_a_peace_chief_ends_when_no_tribe_is_left() {
    let mut g = position();
    for v in g.village_ids().collect::<Vec<_>>() {
        if !["Crow", "Pawnee", "Kiowa"].contains(&g.c[v].name.as_str()) {
            g.village_mut(v).place = Place::Extinct;
        }
    }
    hold(&mut g, RED, "Crow");
    let (g, after, told) = trial(g, RED, Card::PeaceChief, &[]).say("pawnee").say("kiowa").end();
    assert!(g.villages.iter().all(|v| !v.peace_chief));
    assert_eq!(after, After::Operation);
    assert!(told.last().unwrap().contains("No Tribe is left"), "{told:?}");
}

/// geronimo 9.2GG
#[test]
fn tribal_unrest_removes_a_peace_chief_or_none() {
    let mut g = position();
    let (crow, kiowa) = (village(&g, "Crow"), village(&g, "Kiowa"));
    g.village_mut(crow).peace_chief = true;
    g.village_mut(kiowa).peace_chief = true;
    let trial1 = trial(g, US, Card::TribalUnrest, &[]);
    assert_eq!(trial1.options(), ["unrest nobody", "unrest crow", "unrest kiowa"]);
    trial1.running.check_options(5);
    let (g, ..) = trial1.say("kiowa").end();
    assert!(g.village(crow).peace_chief && !g.village(kiowa).peace_chief);
    // The last Peace Chief may stay, too.
    let (kept, ..) = trial(g.clone(), RED, Card::TribalUnrest, &[]).say("nobody").end();
    assert!(kept.village(crow).peace_chief);
    let (removed, ..) = trial(g, RED, Card::TribalUnrest, &[]).say("crow").end();
    assert!(!removed.village(crow).peace_chief);
}

/// geronimo 9.2Y
#[test]
fn scouts_earn_a_vp_and_go_home() {
    let mut g = position();
    hold(&mut g, RED, "Apache");
    let (mimbres, nm) = (village(&g, "Mimbres"), area(&g, "NM"));
    g.send_party(mimbres, 3, &[], nm);
    let trial = trial(g, RED, Card::Scouts, &[]);
    assert_eq!(trial.options(), ["scout nobody", "scout mimbres apache", "scout chiricahua apache"]);
    let (g, after, _) = trial.say("mimbres").end();
    let state = g.village(mimbres);
    assert!(state.scouting && state.finished && g.parties.is_empty());
    assert_eq!((state.bps, g.tally[RED.index()].vps, after), (g.c[mimbres].size, 1, After::Operation));
    assert!(g.tribes[tribe(&g, "Apache").index()].revealed);
}

/// geronimo 9.2Y, 9.14
#[test]
fn whoever_might_hold_scouts_is_asked_and_may_decline() {
    let mut g = position();
    hold(&mut g, RED, "Crow");
    let (g1, _, declined) = trial(g.clone(), RED, Card::Scouts, &[]).say("nobody").end();
    assert!(!g1.tribes[tribe(&g1, "Crow").index()].revealed && g1.tally[RED.index()].vps == 0);
    let (_, _, without) = trial(g.clone(), FOX, Card::Scouts, &[]).say("nobody").end();
    assert_eq!(declined, without, "the story does not tell the one from the other");
    let (g1, ..) = trial(g.clone(), RED, Card::Scouts, &[]).say("crow").end();
    assert!(!g1.village(village(&g1, "Crow")).finished, "no War Party was out");
    let held: Vec<_> = g.c.villages.iter().filter(|v| v.scouts).map(|v| g.c[v.tribe].name.clone()).collect();
    for name in held {
        let tribe = tribe(&g, &name);
        g.tribes[tribe.index()] = TribeState { holder: Some(RED), revealed: true, ..TribeState::default() };
    }
    assert!(matches!(standing(&g, FOX, Card::Scouts), Standing::Ignored(_)), "everybody knows who has them all");
    assert_eq!(standing(&g, RED, Card::Scouts), Standing::Effect);
}

/// geronimo 9.2Z
#[test]
fn shaman_medicine_for_any_village_and_the_us_may_ignore_it() {
    let g = position();
    let (g1, after, _) = trial(g.clone(), RED, Card::ShamanMedicine, &[]).say("medicine for assiniboine").end();
    assert!(g1.village(village(&g1, "Assiniboine")).shaman_medicine);
    assert_eq!(after, After::Operation);
    let mut trial1 = trial(g.clone(), RED, Card::ShamanMedicine, &[]);
    assert!(trial1.try_say("nobody").is_err(), "only the US may Ignore it");
    let (g1, ..) = trial(g, US, Card::ShamanMedicine, &[]).say("nobody").end();
    assert!(g1.villages.iter().all(|v| !v.shaman_medicine));
}

/// geronimo 9.2AA
#[test]
fn smallpox_finishes_a_village_and_may_kill() {
    for (dr, lost) in [(0, 0), (4, 0), (5, 1), (8, 1), (9, 2)] {
        let (g, after, _) = trial(position(), RED, Card::Smallpox, &[dr]).say("blackfoot").end();
        let v = village(&g, "Blackfoot");
        assert!(g.village(v).finished);
        assert_eq!((g.village(v).bps, after), (g.c[v].size - lost, After::Operation));
    }
}

/// geronimo 9.2AA, 6.66
#[test]
fn smallpox_can_end_a_tribe() {
    let mut g = position();
    hold(&mut g, FOX, "Blackfoot");
    let v = village(&g, "Blackfoot");
    g.village_mut(v).bps = 1;
    let (g, ..) = trial(g, US, Card::Smallpox, &[9]).say("smallpox blackfoot").end();
    assert_eq!((g.village(v).place, g.tally[FOX.index()].vps), (Place::Extinct, -3));
}

/// geronimo 9.2N
#[test]
fn missions_are_placed_and_moved_when_all_are_out() {
    let mut g = position();
    let codes = ["ID", "MT"].map(|code| area(&g, code));
    for a in codes {
        g.area_mut(a).mission = true;
    }
    let empty: Vec<_> = g.area_ids().filter(|&a| g.villages_in(a).next().is_none()).collect();
    let mut trial1 = trial(g, RED, Card::Missionaries, &[]);
    assert!(trial1.try_say("idaho").is_err(), "one Mission an Area");
    for a in empty {
        let name = trial1.running.now().c[a].name.clone();
        assert!(trial1.try_say(&name).is_err(), "no Village in {name}");
    }
    let (g, after, _) = trial1.say("mission in texas").end();
    assert!(g.area(area(&g, "TX")).mission && after == After::Operation);
    let trial1 = trial(g, RED, Card::Missionaries, &[]);
    assert_eq!(trial1.options(), ["move from idaho", "move from montana", "move from texas"]);
    let (g, ..) = trial1.say("montana").say("arizona").end();
    assert_eq!(g.areas.iter().filter(|a| a.mission).count(), MISSIONS);
    assert!(!g.area(codes[1]).mission && g.area(area(&g, "AZ")).mission);
}

/// geronimo 9.2EE
#[test]
fn texas_rangers_hit_on_odd_numbers() {
    let mut g = position();
    let (kiowa, comanche, texas) = (village(&g, "Kiowa"), village(&g, "Comanche"), area(&g, "TX"));
    hold(&mut g, RED, "Kiowa");
    let all = g.village(kiowa).bps;
    let party = g.send_party(kiowa, all, &[], texas);
    let trial1 = trial(g.clone(), RED, Card::TexasRangers, &[3]);
    assert_eq!(trial1.options(), ["attack comanche", "attack war party kiowa"], "no Village without BPs");
    let (g1, ..) = trial1.say("kiowa war party").end();
    assert_eq!(g1.party(party).unwrap().bps, all - 1);
    let (g1, after, _) = trial(g, US, Card::TexasRangers, &[4]).say("comanche").end();
    assert_eq!((g1.village(comanche).bps, after), (g1.c[comanche].size, After::Operation));
    assert!(g1.tally.iter().all(|tally| tally.vps == 0));
}

/// geronimo 9.2EE
#[test]
fn texas_rangers_devastate_where_no_bps_are_left() {
    let mut g = position();
    let (kiowa, comanche, nm) = (village(&g, "Kiowa"), village(&g, "Comanche"), area(&g, "NM"));
    g.village_mut(comanche).place = Place::Area(nm);
    hold(&mut g, RED, "Kiowa");
    let all = g.village(kiowa).bps;
    g.send_party(kiowa, all, &[], nm);
    let (g1, ..) = trial(g.clone(), US, Card::TexasRangers, &[1]).end();
    assert_eq!(g1.village(kiowa).devastation, 1);
    let (g1, ..) = trial(g.clone(), US, Card::TexasRangers, &[0]).end();
    assert_eq!(g1.village(kiowa).devastation, 0);
    g.village_mut(kiowa).place = Place::Area(nm);
    assert!(matches!(standing(&g, US, Card::TexasRangers), Standing::NoEvent(_)));
}

/// geronimo 9.2F, 6.23
#[test]
fn blood_lust_may_seize_a_village_abroad() {
    for holder in [RED, FOX] {
        let mut g = position();
        hold(&mut g, holder, "Comanche");
        let comanche = village(&g, "Comanche");
        let from = g.c[comanche].area;
        g.village_mut(comanche).place = Place::Mexico { from };
        let (g, after, _) = trial(g, RED, Card::BloodLust, &[]).say("blood lust comanche").end();
        assert!(g.village(comanche).blood_lust);
        assert!(!g.tally[holder.index()].operation_used, "it cannot attack from there");
        assert_eq!(after, After::Operation);
    }
}
