//! The End of Turn Phase (4.7).

use super::{
    State, T,
    state::{CivilWar, CommanderPlace, Effects, Solo, VillageState},
};

/// Ends the Turn (4.1G): War Parties return without Reaction (5.35), markers are removed or
/// flipped, Commanders and cards are returned.
pub fn end_of_turn(t: &T, g: &mut State) {
    while let Some(id) = g.parties.last().map(|p| p.id) {
        g.bring_home(id);
    }
    cards_back(t, g);
    markers_off(g);
    commanders_back(g);
    turn_effects_end(g);
    tell_points(t, g);
    let us = g.us;
    for seat in g.seats() {
        g.tally[seat.index()].end_turn(g.turn, seat == us);
    }
    g.us_in_a_row = if g.us_before == Some(us) { g.us_in_a_row.saturating_add(1) } else { 1 };
    g.us_before = Some(us);
}

/// Reveals the cards that are still hidden in hands, and both shuffles for checking (4.71).
fn cards_back(t: &T, g: &mut State) {
    for (held, seat) in g.hands.iter().zip(g.seats()) {
        for held in held {
            t.show("shaman", g.shaman_epoch, held.pos, held.card.name(), Some(seat));
        }
    }
    for tribe in g.c.tribe_ids() {
        super::reservation::reveal(t, g, tribe);
    }
    t.reveal("tribal", g.tribal_epoch);
    t.reveal("shaman", g.shaman_epoch);
    g.hands.iter_mut().for_each(Vec::clear);
    g.pile.clear();
    g.tribes.fill_with(Default::default);
    g.solo = Solo::default();
}

/// Removes yellow markers and flips orange ones (4.72), and resets the state of Villages and Chiefs
/// for the Turn.
fn markers_off(g: &mut State) {
    for area in &mut g.areas {
        area.weather = None;
        area.massacres = 0;
        area.rrs += std::mem::take(&mut area.broke);
        for mine in &mut area.mines {
            mine.hit = false;
        }
    }
    for village in &mut g.villages {
        *village = VillageState::new(village.place, village.bps);
    }
    for chief in &mut g.chiefs {
        (chief.assigned, chief.with, chief.used) = (None, None, false);
    }
    g.divisions.fill(None);
    g.alliances.clear();
}

/// Returns the Commanders; Columns stay where they are (4.72, 5.39). The Round in which each was
/// last played is kept (5.33).
fn commanders_back(g: &mut State) {
    for place in &mut g.commanders {
        if *place != CommanderPlace::Dead {
            *place = CommanderPlace::Cup;
        }
    }
    for column in &mut g.columns {
        (column.commander, column.group, column.attacked_in) = (None, None, 0);
    }
}

/// Ends the effects of the Turn, except those of "Play Only Once" cards (4.71). The Civil War is
/// over when its Turn ends (9.2A). If the US still has to designate a Mormon Column, it must do so
/// in its next Round with a played card (9.2O, house reading).
fn turn_effects_end(g: &mut State) {
    g.fx = Effects {
        springfield: g.fx.springfield,
        gatlings: g.fx.gatlings,
        telegraph: g.fx.telegraph,
        land_rush: g.fx.land_rush,
        civil_war: if g.fx.civil_war == CivilWar::Now { CivilWar::Over } else { g.fx.civil_war },
        mormons_due: g.fx.mormons_due,
        ..Effects::default()
    };
    g.events = g.events.after_turn();
    for tally in &mut g.tally {
        (tally.operation_used, tally.card_used, tally.event_rolled) = (false, false, false);
    }
}

/// Tells the points of the Turn, and after the last one the final ranking (4.7, 10.1).
fn tell_points(t: &T, g: &State) {
    // There are no VPs (11.31).
    if g.variant.solitaire {
        return;
    }
    for seat in g.seats() {
        t.tell(|| {
            let tally = &g.tally[seat.index()];
            let change = postrider_table::change_of_vps(tally.vps - tally.at_start);
            format!("{}: {change} this Turn, {} in all.", g.who(seat), tally.vps)
        });
    }
    if g.turn != g.turns.1 {
        return;
    }
    let mut ranking: Vec<_> = g.seats().collect();
    ranking.sort_by_key(|s| std::cmp::Reverse(g.tally[s.index()].vps));
    for seat in ranking {
        t.tell(|| {
            let vps = g.tally[seat.index()].vps;
            // Equal VPs share a place, because the rules have no tie-break.
            let place = 1 + g.tally.iter().filter(|other| other.vps > vps).count();
            format!("Final place {place}: @{seat}, {}.", postrider_table::vps(vps))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        card::Card,
        state::{Alliance, Held, Treaty, Weather},
        tally::Tally,
        testing::{Running, Trial, area, basic, chief, column, commander, deal_to, tribe, village},
        view,
    };
    use postrider_table::{Event, Seat};

    fn ended(g: State) -> Running {
        let rule = |t, mut g| async move {
            end_of_turn(&t, &mut g);
            g
        };
        Trial::new(g, rule).start()
    }

    /// geronimo 4.7, 4.72, 5.39
    #[test]
    fn markers_commanders_and_war_parties_leave_the_map() {
        let mut g = basic(4);
        let (az, ut, v) = (area(&g, "AZ"), area(&g, "UT"), village(&g, "Chiricahua"));
        let cochise = chief(&g, "Cochise");
        let crook = column(&mut g, "Crook", "AZ", 8);
        let custer = commander(&g, "Custer");
        g.commanders[custer.index()] = CommanderPlace::Dead;
        let miles = commander(&g, "Miles");
        g.commanders[miles.index()] = CommanderPlace::Reserve;
        g.columns[0].in_fort = true;
        g.columns[0].group = Some(1);
        g.columns[0].played_in = 5;
        let party = g.send_party(v, 4, &[cochise], ut);
        g.alliances.push(Alliance { leader: Seat(1), villages: vec![v], parties: vec![party] });
        let state = g.village_mut(v);
        (state.devastation, state.peace_chief, state.finished, state.dormant, state.actions) = (2, true, true, true, 2);
        state.treaty = Some(Treaty { with: Seat(1), vps: 5, lost: 2 });
        let state = g.area_mut(ut);
        (state.weather, state.massacres, state.rrs, state.broke) = (Some(Weather::Bad), 2, 1, 1);
        (state.mission, state.skulls) = (true, 2);
        let nv = area(&g, "NV");
        g.area_mut(nv).mines[0].hit = true;

        let g = ended(g).over();
        assert!(g.parties.is_empty() && g.alliances.is_empty());
        let state = g.village(v);
        assert_eq!((state.bps, state.devastation, state.actions), (6, 0, 0));
        assert!(!state.peace_chief && !state.finished && !state.dormant && state.treaty.is_none());
        assert!(!g.chiefs[cochise.index()].used && g.chiefs[cochise.index()].with.is_none());
        let state = g.area(ut);
        assert_eq!((state.weather, state.massacres, state.rrs, state.broke), (None, 0, 2, 0));
        assert_eq!((state.mission, state.skulls), (true, 2), "Missions and Buffalo Skulls stay");
        assert!(!g.area(nv).mines[0].hit);
        let left = g.column(crook).unwrap();
        assert_eq!((left.commander, left.bps, left.area, left.in_fort), (None, 8, az, true));
        assert_eq!((left.group, left.played_in), (None, 5));
        assert_eq!(g.commanders[custer.index()], CommanderPlace::Dead);
        assert!(g.commanders.iter().filter(|&&m| m == CommanderPlace::Cup).count() == 23);
    }

    /// geronimo 4.71
    #[test]
    fn hidden_cards_are_shown_and_the_shuffles_opened() {
        let mut g = basic(4);
        (g.shaman_epoch, g.tribal_epoch) = (3, 2);
        g.hands[2].push(Held { card: Card::Raid, pos: 11 });
        deal_to(&mut g, "Ute", Seat(1));
        let ute = tribe(&g, "Ute");
        g.tribes[ute.index()].pos = Some(4);
        let mut trial = ended(g);
        let shown = |deck, epoch, pos, card: &str, seat| Event::Shown {
            deck,
            epoch,
            pos,
            card: card.to_owned(),
            seat: Some(Seat(seat)),
        };
        assert_eq!(
            trial.events(),
            [
                shown("shaman", 3, 11, "Raid", 2),
                shown("tribal", 2, 4, "Ute", 1),
                Event::Revealed { deck: "tribal", epoch: 2 },
                Event::Revealed { deck: "shaman", epoch: 3 },
            ]
        );
        let g = trial.over();
        assert!(g.hands.iter().all(Vec::is_empty));
        assert!(g.tribes.iter().all(|s| s.holder.is_none() && !s.revealed && s.pos.is_none()));
    }

    /// geronimo 4.7, 4.71
    #[test]
    fn effects_of_the_turn_end_and_others_stay() {
        let mut g = basic(4);
        g.us = Seat(3);
        g.fx.peace_policy = true;
        g.fx.mexico_closed = true;
        g.fx.gatlings = true;
        g.tally[1].operation_used = true;
        let g = ended(g).over();
        assert!(!g.fx.peace_policy && !g.fx.mexico_closed && g.fx.gatlings && g.fx.telegraph);
        assert_eq!(g.fx.civil_war, CivilWar::Over);
        assert!(!g.tally[1].operation_used);
        assert_eq!(g.us_before, Some(Seat(3)));
    }

    /// geronimo 4.7, 10.1
    #[test]
    fn points_are_told_and_the_ranking_after_the_last_turn() {
        let mut g = basic(3);
        for (tally, (vps, at_start)) in g.tally.iter_mut().zip([(12, 10), (-1, 0), (12, 5)]) {
            (tally.vps, tally.at_start) = (vps, at_start);
        }
        let story = ended(g.clone()).story();
        assert_eq!(story[1], "@B (Indians): -1 VP this Turn, -1 in all.");
        assert_eq!(story.len(), 3);
        // The last letter contains the Tally Sheets Turn by Turn; 14 of these VPs were earned as
        // the US player.
        g.us = Seat(2);
        g.turns = (6, 7);
        for tally in &mut g.tally {
            tally.end_turn(6, false);
        }
        g.tally[2].end_turn(6, true);
        g.turn = 7;
        let end = ended(g.clone()).over();
        assert_eq!(end.tally.iter().map(Tally::as_us).collect::<Vec<_>>(), [0, 0, 14]);
        let ending = view::ending(&end);
        assert_eq!(ending["turns"], serde_json::json!([6, 7]));
        let sheets = serde_json::json!([[2, 2], [7, 7], [-1, -1]]);
        let vps = |row: &serde_json::Value| -> Vec<serde_json::Value> {
            row["turns"].as_array().into_iter().flatten().map(|line| line["vps"].clone()).collect()
        };
        let rows: Vec<_> = ending["sheets"].as_array().into_iter().flatten().map(vps).collect();
        assert_eq!(serde_json::json!(rows), sheets, "in the order of the ranking: A, C, B");
        let story = ended(g).story();
        assert_eq!(
            story[3..],
            ["Final place 1: @A, 12 VPs.", "Final place 1: @C, 12 VPs.", "Final place 3: @B, -1 VP.",]
        );
    }
}
