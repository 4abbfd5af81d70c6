//! Who sees what of a position, and its public form for the digest of every Round.
//!
//! A row's length is fixed but for zeros at its end, which are left out. What a word of [`view`](super::view) says beyond that
//! follows from these numbers and the components.

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
        // How the Teton Chiefs were divided is made up with the Tribal Cards.
        chiefs, divisions,
    }
    hidden {
        /// 3.5, 4.4: the Shaman Cards of other hands.
        hands => hidden::hands,
        /// 3.5, 6.51: who holds Tribal Cards that were not shown, and with which Village their Teton Chiefs are.
        tribes => hidden::tribes,
        /// 11.33, 11.34: the decks of the Solitaire Game.
        solo => hidden::decks,
    }
    passing { shaman_epoch, tribal_epoch, next_column, next_party }
    form(form, g) {
        form.member("alliances", each(alliances, |it| list![row![Some(it.leader)], it.parties, it.villages]));
        form.member("areas", each(areas, |it| row![
            it.settlements, it.towns, it.rrs, flags([it.state, it.mission]), it.massacres, it.broke, it.weather, it.skulls,
        ]));
        form.member("chiefs", each(g.c.chief_ids().zip(chiefs), |(chief, now)| {
            // How the Teton Chiefs were divided shows only with the card (6.51).
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
        // 6.51: in the Solitaire Game nobody says it.
        if divisions.iter().any(Option::is_some) {
            form.member("divisions", each(divisions, |it| {
                let names: Vec<ChiefId> = it.clone().unwrap_or_default();
                list![it.is_some(), names]
            }));
        }
        // 12.1: positions without any of it do not have the member.
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
        // A Mine lies in the Area for which it is printed.
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
        // The Basic Game has none, and its journals know no such member.
        if !rr_due.is_empty() {
            form.member("rr_due", rr_due);
        }
        form.member("seats", each((0..*players).map(Seat), |seat| {
            let it = &tally[seat.index()];
            // Everybody may count the cards of a hand, and the Tribal Cards that somebody holds face down.
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
        // Where nobody asks for it, it is not written: so Basic Games keep their digests.
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
