//! The visibility of a position, and its public form for the digest of every Round.
//!
//! The length of a row is fixed, except that zeros at its end are omitted. All other information in
//! [`view`](super::view) follows from these numbers and the components.

mod hidden;
#[cfg(test)]
mod tests;

use super::{
    State,
    components::ChiefId,
    state::{CivilWar, ColumnId, CommanderPlace, Events, PartyId, Place, Use, Weather},
    variant::Scenario,
};
use postrider_table::{Number as _, Seat, each, flags, list, numbers, row, visibility};

visibility! {
    State;
    given { c, variant }
    open {
        players, turn, turns, round, phase, active, us, us_before, us_in_a_row, tally, areas, villages, parties, alliances,
        columns, reserve, commanders, pile, removed, dealt, fx, events, mine_cup, transcontinental, rr_due,
        us_rounds, desk, finished,
        // The division of the Teton Chiefs is made up together with the Tribal Cards.
        chiefs, divisions,
    }
    hidden {
        /// The Shaman Cards in other hands (3.5, 4.4).
        hands => hidden::hands,
        /// The holders of Tribal Cards that are not revealed, and the Villages of their Teton
        /// Chiefs (3.5, 6.51).
        tribes => hidden::tribes,
        /// The decks of the Solitaire Game (11.33, 11.34).
        solo => hidden::decks,
    }
    passing { shaman_epoch, tribal_epoch, next_column, next_party, at_rest }
    form(form, g) {
        form.member("alliances", each(alliances, |it| list![row![Some(it.leader)], it.parties, it.villages]));
        form.member("areas", each(areas, |it| row![
            it.settlements, it.towns, it.rrs, flags([it.state, it.mission]), it.massacres, it.broke, it.weather, it.skulls,
        ]));
        form.member("chiefs", each(g.c.chief_ids().zip(chiefs), |(chief, now)| {
            // The division of the Teton Chiefs is public only when the card is revealed (6.51).
            let shown = tribes[g.c[chief].tribe.index()].revealed;
            row![flags([now.killed, now.prison, now.used]), now.assigned.filter(|_| shown), now.with]
        }));
        form.member("columns", each(columns, |it| row![
            it.id, it.area, it.bps, it.commander, flags([it.in_fort]), it.played_in, it.guns, it.gatlings, it.group,
            it.attacked_in,
        ]));
        form.member("commanders", each(commanders, |place| match place {
            CommanderPlace::Cup => 0,
            CommanderPlace::Reserve => 1,
            CommanderPlace::Dead => 2,
            CommanderPlace::Column(column) => 3 + column.number(),
        }));
        // In the Solitaire Game no seat gives a division (6.51).
        if divisions.iter().any(Option::is_some) {
            form.member("divisions", each(divisions, |it| {
                let names: Vec<ChiefId> = it.clone().unwrap_or_default();
                list![it.is_some(), names]
            }));
        }
        // Omitted from positions without any random event (12.1).
        if *events != Events::default() {
            let over = flags([events.horse_killers, events.hostages, events.sand_creek_over]);
            form.member("events", list![
                events.gunrunners, events.buffalo_campaigns, events.lines_cut, events.sieges, events.strongholds,
                events.no_horses, events.sand_creek, over,
            ]);
        }
        let held = flags([
            fx.peace_policy,
            fx.reform_movement,
            fx.winter_campaigning,
            fx.indian_massacre,
            fx.mexico_closed,
            fx.rampage,
            fx.springfield,
            fx.gatlings,
            fx.telegraph,
            fx.land_rush,
            fx.civil_war == CivilWar::Over,
            fx.civil_war == CivilWar::Now,
            fx.bloody_kansas,
            fx.mormons_due,
        ]);
        let raid = fx.mexico_raid;
        let (raider, vps) = (raid.map(|raid| raid.raider), raid.map_or(0, |raid| raid.vps));
        form.member("fx", row![held, fx.atrocity, raider, vps, fx.mormon_column]);
        let marks = flags([transcontinental.is_some(), *finished]);
        form.member("game", row![
            turn, round, *phase as i64, active, Some(us), us_before, players, turns.0, turns.1, dealt, us_rounds,
            mine_cup.len(), g.skulls_left(), marks, desk.given,
        ]);
        // The Area of a Mine is printed on it.
        form.member("mines", each(areas.iter().flat_map(|area| &area.mines), |it| 2 * it.id.number() + it.hit.number()));
        let offers = desk.offers.iter().map(|offer| (0, offer)).chain(desk.signed.iter().map(|offer| (1, offer)));
        form.member("offers", each(offers, |(signed, it)| row![it.village, it.vps, Some(it.by), signed]));
        form.member("parties", each(parties, |it| {
            let row = row![it.id, it.village, it.area, it.bps, it.no, it.actions, it.attacked_in, it.on_foot];
            list![row, it.chiefs]
        }));
        form.member("pile", each(pile, |&(who, card, what)| {
            list![row![Some(who), flags([what == Use::Discarded])], card.name()]
        }));
        form.member("removed", each(removed, |card| card.name()));
        form.member("reserve", row![reserve.bps, reserve.guns, reserve.gatlings]);
        // Always empty in the Basic Game, whose journals do not have this member.
        if !rr_due.is_empty() {
            form.member("rr_due", rr_due);
        }
        form.member("seats", each((0..*players).map(Seat), |seat| {
            let it = &tally[seat.index()];
            // The number of cards in a hand, and of Tribal Cards held face down, is public.
            let held = tribes.iter().filter(|tribe| tribe.holder == Some(seat)).count();
            let marks = flags([it.operation_used, it.card_used, it.event_rolled]);
            row![it.vps, it.at_start, it.as_us(), hands[seat.index()].len(), held, marks]
        }));
        if g.variant.solitaire {
            let turn = transcontinental.unwrap_or(0);
            let drawn = row![solo.shaman.len(), solo.tribal.len(), solo.tribe, turn];
            form.member("solitaire", list![drawn, solo.looked_at().collect::<Vec<_>>()]);
        }
        form.member("tribes", each(tribes, |it| if it.revealed { 1 + it.holder.number() } else { 0 }));
        // Omitted if not needed, so that the digests of Basic Games do not change.
        if g.variant.scenario == Scenario::Campaign {
            form.member("us_turns", us_in_a_row);
        }
        form.member("villages", each(villages, |it| {
            let (place, area) = match it.place {
                Place::Area(area) => (0, area.number()),
                Place::Mexico { from } => (1, from.number()),
                Place::Canada { from } => (2, from.number()),
                Place::Reservation { from } => (3, from.number()),
                Place::Extinct => (4, 0),
            };
            let marks = flags([
                it.finished,
                it.peace_chief,
                it.blood_lust,
                it.shaman_medicine,
                it.scouting,
                it.dormant,
                it.party_returned,
                it.smallpox,
            ]);
            let enemies = it.attacked_by.iter().fold(0_i64, |set, tribe| set | (1 << tribe.index()));
            let (with, vps, lost) = it.treaty.map_or((None, 0, 0), |treaty| (Some(treaty.with), treaty.vps, treaty.lost));
            row![
                5 * area + place, it.bps, marks, it.actions, it.devastation, it.attacked_in, it.parties_sent, enemies,
                with, vps, lost,
            ]
        }));
    }
}

numbers! {
    PartyId: |id| id.0.into(),
    ColumnId: |id| id.0.into(),
    Weather: |weather| weather as i64,
}
