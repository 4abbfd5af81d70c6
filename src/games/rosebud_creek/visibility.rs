//! The public form of a position. All information is open.

use super::{
    doctrine::About,
    state::{Spot, State, Volume},
};
use postrider_table::{each, flags, list, numbers, visibility};

numbers! {
    Spot: |spot| match spot {
        Spot::Pool => 0,
        Spot::Waiting => 1,
        Spot::Off => 2,
        Spot::Dead => 3,
        Spot::On(hex) => 4 + i64::from(hex.0),
    },
}

fn volume(fired: Option<Volume>) -> i64 {
    match fired {
        None => 0,
        Some(Volume::Half) => 1,
        Some(Volume::Full) => 2,
    }
}

visibility! {
    State;
    given { c, charts, variant, scenario }
    open {
        turn, phasing, phase, next_phase, units, chiefs, doctrine, works, builders, vps, losses, entered, ammo_points, eagle_free, searched,
        seekers, lieutenants_due, ending,
    }
    hidden {}
    passing { earned, searched_now, told, ordered, aims, attacked, resolving, first, next }
    form(form, g) {
        form.member("chiefs", each(chiefs, |chief| {
            list![chief.spot, chief.with, chief.wound.index(), chief.dies, chief.scored, chief.spent, flags([chief.safe])]
        }));
        form.member("doctrine", each(doctrine, |side| {
            let words = About::ALL.map(|about| side.said(about, &g.charts.grid));
            each(words, |word| Said(word.clone()))
        }));
        form.member("seekers", seekers);
        form.member("track", list![
            turn, phasing, phase, vps[0], vps[1], losses[0], losses[1], ammo_points, builders, lieutenants_due,
            flags([entered[0], entered[1], entered[2], *eagle_free, *searched, ending.is_some(), next_phase.is_some()])
        ]);
        form.member("units", each(units, |unit| {
            list![
                unit.spot, unit.mode, unit.losses, unit.used, unit.ammo, unit.did.spent, volume(unit.did.fired),
                flags([unit.disrupted, unit.pinned, unit.routed, unit.low_ammo, unit.mountless, unit.abandoned, unit.works]),
                flags([unit.did.halted, unit.did.reacted, unit.did.fought, unit.did.resupply, unit.did.fled])
            ]
        }));
        form.member("works", each(works, |work| list![work.hex, work.train, work.unit, work.ready]));
    }
}

/// A text as part of the public form.
struct Said(String);

impl postrider_table::Terse for Said {
    fn write(&self, form: &mut postrider_table::Form<'_>) {
        form.name(&self.0);
    }
}
