//! The public form of a position. All information is open.

use super::{
    battle::Stand,
    components::LeaderId,
    state::{Force, Fort, Spot, State, UnitId},
};
use postrider_table::{each, flags, list, numbers, visibility};

numbers! {
    Spot: |spot| match spot {
        Spot::Pool => 0,
        Spot::Gone => 1,
        Spot::Edge => 2,
        Spot::On(a) => 3 + i64::from(a.0),
    },
}

fn fort(fort: &Option<Fort>) -> i64 {
    fort.as_ref().map_or(0, |f| {
        let work = f.work.as_ref().map_or(0, |work| 1 + i64::from(work.razes));
        1 + f.side.index() as i64 + 2 * (i64::from(f.siege) + 100 * work)
    })
}

visibility! {
    State;
    given { c, charts, variant, scenario }
    open {
        turn, season, year, severe, commitment, vps, tribes, units, chiefs, land, primary, initiative, atrocities,
        spent_atrocities, ambushed, raid_total, general_lost, forts_destroyed, british, groups, kekionga_vps,
        kekionga_pillaged, settled, girty_gone, streaks, started, lost, lost_at_start, fight, ending,
    }
    hidden {}
    passing { earned, told, raids, at_rest, since, rolled, raised }
    form(form) {
        let crews: Vec<&Force> =
            land.iter().filter_map(|land| Some(&land.fort.as_ref()?.work.as_ref()?.crew)).collect();
        form.member("chiefs", each((0..).map(LeaderId).zip(chiefs), |(l, chief)| {
            let works = crews.iter().any(|crew| crew.leaders.contains(&l));
            list![
                chief.spot, chief.acts,
                flags([chief.inside, chief.starved, chief.done, chief.raiding, chief.waits, works])
            ]
        }));
        form.member("fight", each(fight, |fight| {
            let stand = |stand: Stand| match stand {
                Stand::Dead => -1,
                Stand::Off => 0,
                Stand::Waiting(round) => -1 - i64::from(round),
                Stand::On(hex) => 1 + i64::from(hex.0),
            };
            let heads: Vec<_> = fight.heads.iter().map(|h| (i64::from(h.leader.0), stand(h.stand))).collect();
            let pieces: Vec<_> = fight.pieces.iter().map(|p| (i64::from(p.unit.0), stand(p.stand))).collect();
            list![
                fight.round, fight.first, fight.lost, flags([fight.surprise]),
                each(heads.clone(), |(who, at)| list![who, at]), each(pieces.clone(), |(who, at)| list![who, at])
            ]
        }));
        form.member("land", each(land, |land| {
            list![
                land.settlers, land.fled, land.atrocity, fort(&land.fort),
                flags([land.village, land.pillaged, land.raid])
            ]
        }));
        form.member("settled", settled);
        form.member("track", list![
            turn, season, year, commitment, vps[0], vps[1], primary, initiative, atrocities, spent_atrocities, raid_total,
            forts_destroyed, groups, streaks, started, lost, lost_at_start,
            flags([*severe, *british, *kekionga_vps, *kekionga_pillaged, *girty_gone, ambushed[0], ambushed[1],
                   general_lost[0], general_lost[1], ending.is_some()])
        ]);
        form.member("tribes", each(tribes, |tribe| list![tribe.ml, tribe.stance, tribe.rose, tribe.gave_up]));
        form.member("units", each((0..).map(UnitId).zip(units), |(u, unit)| {
            let works = crews.iter().any(|crew| crew.units.contains(&u));
            list![
                unit.kind, unit.spot, unit.condition, unit.acts,
                flags([unit.inside, unit.starved, unit.done, unit.raiding, unit.rifle, unit.at_start, works])
            ]
        }));
    }
}
