//! Tests of the cards about weather, policy, the Army, Resources and Raids.

use super::*;
use crate::cards::{
    policy::corruption_loss,
    resources::{Shrinks, shrink},
};

fn with_mine(g: &mut State, code: &str, name: &str) {
    let (at, id) = (area(g, code), mine(g, name));
    g.area_mut(at).mines.push(MineState { id, hit: false });
}

/// geronimo 9.2E
#[test]
fn bad_weather_takes_two_survival_points() {
    let mut g = position();
    let (utah, nevada) = (area(&g, "UT"), area(&g, "NV"));
    g.area_mut(nevada).weather = Some(Weather::Good);
    let mut trial = trial(g, US, Card::BadWeather, &[]);
    assert_eq!(trial.asked(), (US, "bad-weather"));
    assert!(trial.try_say("nevada").is_err(), "it has a marker already");
    let (g, after, _) = trial.say("bad weather in UT").end();
    assert_eq!(g.area(utah).weather, Some(Weather::Bad));
    assert_eq!(g.survival_points(utah), g.c[utah].survival - 2);
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2L
#[test]
fn good_weather_gives_two_survival_points() {
    let g = position();
    let (g, after, _) = trial(g, RED, Card::GoodWeather, &[]).say("utah").end();
    let utah = area(&g, "UT");
    assert_eq!(g.survival_points(utah), g.c[utah].survival + 2);
    assert_eq!(after, After::Operation);
    let mut g = g;
    for a in g.area_ids() {
        g.area_mut(a).weather = Some(Weather::Bad);
    }
    assert!(matches!(standing(&g, RED, Card::GoodWeather), Standing::NoEvent(_)));
}

/// geronimo 9.2G
#[test]
fn buffalo_skulls_lie_where_herds_still_feed_somebody() {
    let mut g = position();
    let (kansas, it) = (area(&g, "KS"), area(&g, "IT"));
    g.area_mut(kansas).settlements = g.c[kansas].survival;
    let mut trial1 = trial(g.clone(), RED, Card::BuffaloHunters, &[]);
    assert!(trial1.try_say("kansas").is_err(), "no positive Survival Points");
    assert!(trial1.try_say("indian territory").is_err(), "before the Land Rush");
    assert!(trial1.try_say("nevada").is_err(), "no Buffalo");
    let (g1, ..) = trial1.say("texas").end();
    let texas = area(&g1, "TX");
    assert_eq!((g1.area(texas).skulls, g1.skulls_left()), (1, SKULLS - 1));
    assert_eq!(g1.survival_points(texas), g1.c[texas].survival - 2);
    g.fx.land_rush = true;
    let (mut g, ..) = trial(g, RED, Card::BuffaloHunters, &[]).say("skull in indian territory").end();
    assert_eq!(g.area(it).skulls, 1);
    g.areas[0].skulls = g.skulls_left();
    assert!(matches!(standing(&g, RED, Card::BuffaloHunters), Standing::NoEvent(_)));
    // The last marker goes where one Survival Point is left.
    let mut last = position();
    last.area_mut(kansas).settlements = last.c[kansas].survival - 1;
    last.areas[0].skulls = SKULLS - 1;
    let (last, ..) = trial(last, RED, Card::BuffaloHunters, &[]).say("kansas").end();
    assert_eq!((last.area(kansas).skulls, last.skulls_left()), (1, 0));
}

/// geronimo 9.2M
#[test]
fn a_massive_winter_storm_costs_everybody_there_a_bp() {
    let mut g = position();
    let (texas, nm, nevada) = (area(&g, "TX"), area(&g, "NM"), area(&g, "NV"));
    let (comanche, kiowa) = (village(&g, "Comanche"), village(&g, "Kiowa"));
    hold(&mut g, RED, "Comanche");
    hold(&mut g, FOX, "Kiowa");
    let one = g.send_party(comanche, 3, &[], texas);
    let two = g.send_party(comanche, 2, &[], texas);
    let all = g.village(kiowa).bps;
    let away = g.send_party(kiowa, all, &[], nm);
    let column = column(&mut g, "Crook", "TX", 5);
    g.area_mut(nevada).weather = Some(Weather::Good);
    let mut trial = trial(g, US, Card::MassiveWinterStorm, &[]);
    assert!(trial.try_say("kansas").is_err(), "Plains");
    assert!(trial.try_say("nevada").is_err(), "Good Weather");
    let trial = trial.say("storm texas");
    assert_eq!(trial.asked(), (RED, "storm-loss"), "the player of the Comanche chooses the War Party");
    let (g, after, _) = trial.say("comanche 2").end();
    assert_eq!((g.party(one).unwrap().bps, g.party(two).unwrap().bps), (3, 1));
    assert_eq!(g.village(comanche).bps, g.c[comanche].size - 5, "the Village itself loses nothing");
    assert_eq!((g.village(kiowa).devastation, g.party(away).unwrap().bps), (1, all));
    assert_eq!((g.column(column).unwrap().bps, g.column(column).unwrap().guns), (4, 1));
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2M, 6.66
#[test]
fn a_storm_takes_from_villages_at_home_and_from_inactive_ones() {
    let mut g = position();
    let (klamath, modoc) = (village(&g, "Klamath"), village(&g, "Modoc"));
    g.village_mut(klamath).bps = 1;
    let (g, ..) = trial(g, RED, Card::MassiveWinterStorm, &[]).say("oregon").end();
    assert_eq!(g.village(klamath).place, Place::Extinct);
    assert_eq!(g.village(modoc).bps, g.c[modoc].size - 1);
    assert!(g.tally.iter().all(|tally| tally.vps == 0));
}

/// geronimo 9.2HH
#[test]
fn winter_campaigning_lasts_the_turn() {
    let (g, after, _) = trial(position(), RED, Card::WinterCampaigning, &[]).end();
    assert!(g.fx.winter_campaigning);
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2R, 9.2W
#[test]
fn peace_policy_and_reform_movement_take_effect() {
    let (g, after, _) = trial(position(), US, Card::PeacePolicy, &[]).end();
    assert!(g.fx.peace_policy && after == After::Operation);
    let (g, after, _) = trial(g, RED, Card::ReformMovement, &[]).end();
    assert!(g.fx.peace_policy && g.fx.reform_movement && after == After::Operation);
}

/// geronimo 9.2S
#[test]
fn public_outrage_after_a_massacre_fills_the_us_reserve() {
    let mut g = position();
    assert!(matches!(standing(&g, US, Card::PublicOutrage), Standing::NoEvent(_)));
    g.fx.indian_massacre = true;
    g.reserve.bps = 2;
    assert!(matches!(standing(&g, RED, Card::PublicOutrage), Standing::Ignored(_)));
    let (g, ..) = trial(g, US, Card::PublicOutrage, &[7]).end();
    assert_eq!(g.reserve.bps, 9);
}

/// geronimo 9.2H
#[test]
fn the_agency_corruption_table() {
    let losses: Vec<i32> = (-2..=9).map(corruption_loss).collect();
    assert_eq!(losses, [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5]);
}

/// geronimo 8.13, 8.22, 9.2H, 8.17
#[test]
fn agency_corruption_eats_treaties_and_lets_empty_ones_go() {
    let mut g = position();
    let crow = treaty(&mut g, "Crow", RED, 5);
    let kiowa = treaty(&mut g, "Kiowa", FOX, 0);
    let arapaho = treaty(&mut g, "Arapaho", FOX, 2);
    // Villages roll in the order of the file: Arapaho, Crow; the Kiowa do not roll.
    let (g, after, _) = trial(g, RED, Card::AgencyCorruption, &[9, 6]).end();
    assert_eq!(after, After::Operation);
    assert_eq!(g.village(arapaho).place, Place::Area(area(&g, "WY")), "never more lost than was earned");
    assert_eq!(g.village(kiowa).place, Place::Area(area(&g, "TX")));
    assert!(g.village(kiowa).dormant, "8.24");
    assert_eq!(g.village(crow).treaty.map(|treaty| treaty.lost), Some(3));
    assert_eq!((g.tally[1].vps, g.tally[2].vps, g.tally[0].vps), (2, 0, -2));
    // Losses add up: the second card of the Turn takes the rest.
    let (g, ..) = trial(g, RED, Card::AgencyCorruption, &[4]).end();
    assert_eq!(g.village(crow).place, Place::Area(area(&g, "MT")));
    assert_eq!((g.tally[1].vps, g.tally[0].vps), (0, -3));
    assert!(matches!(standing(&g, RED, Card::AgencyCorruption), Standing::NoEvent(_)));
}

/// geronimo 8.13, 8.22
#[test]
fn agency_corruption_eats_a_treaty_whose_village_has_left() {
    let mut g = position();
    let crow = treaty(&mut g, "Crow", RED, 5);
    let (g, ..) = trial(g, FOX, Card::ReservationUnrest, &[]).end();
    assert_eq!(g.village(crow).place, Place::Area(area(&g, "MT")));
    let before = g.tally[0].vps;
    let (g, ..) = trial(g, FOX, Card::AgencyCorruption, &[9]).end();
    assert_eq!((g.tally[1].vps, g.tally[0].vps), (0, before), "nobody leaves any more");
    assert!(matches!(standing(&g, FOX, Card::AgencyCorruption), Standing::NoEvent(_)));
}

/// geronimo 9.2H, 9.2W
#[test]
fn the_reform_movement_softens_one_agency_corruption() {
    let mut g = position();
    let crow = treaty(&mut g, "Crow", RED, 5);
    g.fx.reform_movement = true;
    let (g, ..) = trial(g, RED, Card::AgencyCorruption, &[6]).end();
    assert_eq!(g.village(crow).treaty.map(|treaty| treaty.lost), Some(2), "6 - 2 = 4");
    assert!(!g.fx.reform_movement);
    let (g, ..) = trial(g, RED, Card::AgencyCorruption, &[2]).end();
    assert_eq!(g.village(crow).treaty.map(|treaty| treaty.lost), Some(3));
}

/// geronimo 9.2H, 9.2R
#[test]
fn agency_corruption_may_end_the_peace_policy() {
    let mut g = position();
    g.fx.peace_policy = true;
    let (g1, ..) = trial(g.clone(), US, Card::AgencyCorruption, &[]).end();
    assert!(!g1.fx.peace_policy, "nothing to choose");
    treaty(&mut g, "Crow", RED, 5);
    let trial1 = trial(g.clone(), US, Card::AgencyCorruption, &[]);
    assert_eq!(trial1.asked(), (US, "agency-corruption"));
    let (g1, ..) = trial1.say("cancel peace policy").end();
    assert!(!g1.fx.peace_policy && g1.tally[1].vps == 5);
    let (g1, ..) = trial(g, US, Card::AgencyCorruption, &[8]).say("roll").end();
    assert!(g1.fx.peace_policy && g1.tally[1].vps == 1);
}

/// geronimo 9.2P, 7.82
#[test]
fn parole_frees_all_chiefs() {
    let mut g = position();
    let quanah = g.c.chief_by_name("Quanah Parker").unwrap();
    g.chiefs[quanah.index()].prison = true;
    assert!(!g.chief_available(quanah));
    let (g, after, told) = trial(g, US, Card::Parole, &[]).end();
    assert!(g.chief_available(quanah));
    assert_eq!((after, told), (After::Operation, vec!["Quanah Parker is released.".to_owned()]));
}

/// geronimo 9.2X, 8.18, 8.23, 8.24
#[test]
fn of_a_tribe_in_unrest_the_villages_return_that_its_player_names() {
    let mut g = position();
    let crow = treaty(&mut g, "Crow", RED, 0);
    let (mimbres, chiricahua) = (treaty(&mut g, "Mimbres", RED, 0), treaty(&mut g, "Chiricahua", RED, 0));
    g.score(US, 4, "8.17");
    // The Apache and the Crow are On Reservation; the first is drawn. The player of the Apache is
    // unknown, so FOX decides.
    let one = trial(g.clone(), FOX, Card::ReservationUnrest, &[0]);
    assert_eq!(one.asked(), (FOX, "reservation-unrest"));
    let (end, after, _) = one.say("bring back chiricahua").say("no more").end();
    assert_eq!(after, After::Operation);
    assert_eq!(end.village(chiricahua).place, Place::Area(end.c[chiricahua].area));
    assert!(end.village(chiricahua).dormant);
    let away = |v| matches!(end.village(v).place, Place::Reservation { .. });
    assert!(away(mimbres) && away(crow));
    assert_eq!(end.tally[0].vps, 4, "8.17: only Agency Corruption and Massacres cost the US");
    let (end, ..) = trial(g.clone(), FOX, Card::ReservationUnrest, &[0]).say("mimbres").say("chiricahua").end();
    assert!(end.area_of(mimbres).is_some() && end.area_of(chiricahua).is_some());
    // Once the Tribal Card is revealed, its player is known and decides.
    hold(&mut g, RED, "Apache");
    let apache = tribe(&g, "Apache");
    for (revealed, player) in [(false, FOX), (true, RED)] {
        g.tribes[apache.index()].revealed = revealed;
        assert_eq!(trial(g.clone(), FOX, Card::ReservationUnrest, &[0]).asked(), (player, "reservation-unrest"));
    }
}

/// geronimo 2.22, 8.18, 8.23, 9.2X
#[test]
fn reservation_unrest_draws_a_card_of_each_village_there() {
    let mut g = position();
    let away = ["Teton 1", "Teton 2", "Ute"].map(|name| treaty(&mut g, name, RED, 0));
    let back = |draw: i64| {
        let mut trial = trial(g.clone(), US, Card::ReservationUnrest, &[draw]);
        // With a single card, there is no question.
        if !trial.running.asked().is_empty() {
            trial = trial.say("teton 1").say("teton 2");
        }
        let (end, ..) = trial.end();
        away.map(|v| end.area_of(v).is_some())
    };
    let drawn: Vec<_> = (0..3).map(back).collect();
    let of = |tribe: [bool; 3]| drawn.iter().filter(|one| **one == tribe).count();
    assert_eq!((of([true, true, false]), of([false, false, true])), (2, 1), "the Sioux have two cards of the three");
}

/// geronimo 9.2DD, 9.12
#[test]
fn the_land_rush_comes_once() {
    let (g, after, _) = trial(position(), RED, Card::TerritorialProblems, &[]).end();
    assert!(g.fx.land_rush && after == After::Operation);
    assert_eq!(g.removed, [Card::TerritorialProblems]);
    assert!(matches!(standing(&g, RED, Card::TerritorialProblems), Standing::NoEvent(_)));
}

/// geronimo 9.2J, 9.2BB, 9.12, 9.2A
#[test]
fn new_weapons_leave_the_deck() {
    let (g, ..) = trial(position(), RED, Card::GatlingGuns, &[]).end();
    let (g, ..) = trial(g, RED, Card::SpringfieldRifle, &[]).end();
    assert!(g.fx.gatlings && g.fx.springfield);
    assert_eq!(g.removed, [Card::GatlingGuns, Card::SpringfieldRifle]);
    let mut early = position();
    early.turn = 2;
    early.fx.civil_war = CivilWar::ToCome;
    for card in [Card::GatlingGuns, Card::SpringfieldRifle] {
        assert!(matches!(standing(&early, US, card), Standing::NoEvent(_)));
        let (g, ..) = trial(early.clone(), US, card, &[]).end();
        assert_eq!(g.removed, [], "No Event does not use the card up");
    }
}

/// geronimo 9.2CC
#[test]
fn the_telegraph_stays() {
    let mut g = position();
    assert!(matches!(standing(&g, US, Card::Telegraph), Standing::NoEvent(_)));
    g.fx.telegraph = false;
    let (g, ..) = trial(g, RED, Card::Telegraph, &[]).end();
    assert!(g.fx.telegraph && g.removed == [Card::Telegraph]);
}

/// geronimo 9.2K
#[test]
fn a_mine_is_played_out_only_by_more_than_its_value() {
    let mut g = position();
    with_mine(&mut g, "CA", "Mother Lode");
    assert!(matches!(standing(&g, RED, Card::GhostTowns), Standing::NoEvent(_)), "Lodes stay");
    with_mine(&mut g, "NV", "Nevada 2");
    with_mine(&mut g, "WY", "Wyoming");
    let (nevada, wyoming) = (area(&g, "NV"), area(&g, "WY"));
    let mut trial1 = trial(g.clone(), RED, Card::GhostTowns, &[5]);
    assert!(trial1.try_say("mother lode").is_err());
    let (g1, ..) = trial1.say("mine in nevada").end();
    assert_eq!(g1.area(nevada).mines.len(), 1, "5 - 2 = 3 is not more than 3");
    let (g2, after, _) = trial(g, RED, Card::GhostTowns, &[5]).say("wyoming").end();
    assert!(g2.area(wyoming).mines.is_empty(), "5 - 2 = 3 is more than 2; nobody lives there");
    assert!(g2.mine_cup.is_empty() && after == After::Operation);
}

/// geronimo 9.2K
#[test]
fn the_us_says_what_leaves_with_a_mine() {
    let mut g = position();
    with_mine(&mut g, "NV", "Nevada 2");
    let nevada = area(&g, "NV");
    (g.area_mut(nevada).settlements, g.area_mut(nevada).towns) = (2, 1);
    let trial1 = trial(g.clone(), RED, Card::GhostTowns, &[6]);
    assert_eq!(trial1.asked(), (US, "ghost-town"), "one Mine: nothing else to choose");
    assert_eq!(trial1.options(), ["remove settlement", "remove town"]);
    let counts = Rc::new(Cell::new(((0, 0), (0, 0))));
    let seen = counts.clone();
    let shrunk = testing::Trial::new(g, move |t, mut g| async move {
        let count = |g: &State| (g.area(nevada).settlements, g.area(nevada).towns);
        shrink(&t, &mut g, nevada, Shrinks::Settlement);
        let one = count(&g);
        shrink(&t, &mut g, nevada, Shrinks::Town);
        seen.set((one, count(&g)));
        g
    });
    shrunk.start().over();
    assert_eq!(counts.get(), ((1, 1), (4, 0)));
}

/// geronimo 9.2U
#[test]
fn the_skimming_scandal_takes_any_rr() {
    let mut g = position();
    let (kansas, utah) = (area(&g, "KS"), area(&g, "UT"));
    (g.area_mut(kansas).rrs, g.area_mut(kansas).broke) = (1, 1);
    let trial1 = trial(g.clone(), US, Card::RailroadSkimmingScandal, &[]);
    assert_eq!(trial1.options(), ["remove rr kansas", "remove rr kansas broke"]);
    let (g1, ..) = trial1.say("remove rr in kansas broke").end();
    assert_eq!((g1.area(kansas).rrs, g1.area(kansas).broke), (1, 0));
    let (g1, ..) = trial(g1, RED, Card::RailroadSkimmingScandal, &[]).end();
    assert_eq!(g1.area(kansas).all_rrs(), 0, "the only one there is");
    g.area_mut(utah).rrs = 2;
    let (g, after, _) = trial(g, RED, Card::RailroadSkimmingScandal, &[]).say("utah").end();
    assert_eq!((g.area(utah).rrs, after), (1, After::Operation));
}

/// geronimo 9.2T, 9.2B, 6.41, 6.42
#[test]
fn raids_need_an_unfinished_village_and_a_target() {
    let mut g = position();
    hold(&mut g, RED, "Comanche");
    hold(&mut g, FOX, "Klamath");
    let comanche = village(&g, "Comanche");
    let after = |g: &State, seat, card| trial(g.clone(), seat, card, &[]).end().1;
    assert_eq!(after(&g, RED, Card::Raid), After::Raid { any_tribe: false }, "Mexico");
    g.fx.mexico_closed = true;
    assert_eq!(after(&g, RED, Card::Raid), After::Operation, "nothing there to raid");
    let (nm, california) = (area(&g, "NM"), area(&g, "CA"));
    g.area_mut(nm).settlements = 1;
    assert_eq!(after(&g, RED, Card::Raid), After::Raid { any_tribe: false }, "adjacent");
    g.village_mut(comanche).finished = true;
    assert_eq!(after(&g, RED, Card::Raid), After::Operation, "Finished");
    g.area_mut(california).mission = true;
    assert_eq!(after(&g, FOX, Card::Raid), After::Operation, "no Raider");
    assert_eq!(after(&g, FOX, Card::AnyTribeMayRaid), After::Raid { any_tribe: true });
    assert_eq!(after(&g, RED, Card::AnyTribeMayRaid), After::Operation);
}

/// geronimo 9.2C, 9.2V, 9.2FF
#[test]
fn cards_for_the_operation_of_this_round() {
    let (g, after, _) = trial(position(), US, Card::AtrocityAndReprisal, &[]).end();
    assert_eq!((g.fx.atrocity, after), (Some(US), After::Operation));
    let (g, after, _) = trial(g, RED, Card::Rampage, &[]).end();
    assert!(g.fx.rampage && after == After::Operation);
    let (_, after, _) = trial(g.clone(), RED, Card::TribalAlliances, &[]).end();
    assert_eq!(after, After::Alliance);
    let (_, after, _) = trial(g, US, Card::TribalAlliances, &[]).end();
    assert_eq!(after, After::Operation);
}

/// geronimo 9.2I
#[test]
fn federales_is_no_event_in_ones_own_round() {
    let mut g = position();
    g.fx.mexico_raid = Some(MexicoRaid { raider: FOX, vps: 2 });
    let (g, after, _) = trial(g, RED, Card::Federales, &[]).end();
    assert!(!g.fx.mexico_closed && after == After::Operation);
}
