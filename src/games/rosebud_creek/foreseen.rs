//! Every question of the game with all its possible choices, so that orders can be read before they
//! are asked for.

use super::{
    Ask, RosebudCreek, State,
    asking::{self, Named},
    components::Side,
    doctrine::RallyWill,
    fire::Volley,
    march::March,
    melee::Assault,
    rally::Rallying,
    rout::{DISMOUNTED, MOUNTED},
    setup::Placing,
    state::Volume,
    volley::Fires,
};
use postrider_table::{AnyPrompt, Candidate, NO, Pick, Seat, YES, foresee};

type Foreseen = Box<dyn AnyPrompt<RosebudCreek>>;

/// Returns one question of each kind, with every choice that it could list.
pub fn foreseen(g: &State, seat: Seat) -> Vec<Foreseen> {
    let Some(side) = Side::ALL.into_iter().find(|&side| g.seat(side) == seat) else { return Vec::new() };
    let volleys = [
        Volley::Offensive(Volume::Full),
        Volley::Defensive(Volume::Full),
        Volley::Advance,
        Volley::Opportunity(Volume::Full),
        Volley::Retreat(Volume::Full),
        Volley::HitAndRun,
    ];
    let mut all: Vec<Foreseen> = vec![
        foresee(Placing { side }),
        foresee(Rallying::of(side)),
        foresee(March { side }),
        foresee(Assault { side }),
    ];
    all.extend(volleys.map(|volley| foresee(Fires::phase(side, volley))));
    let units = || g.c.unit_ids().filter(|&u| g.side(u) == side).map(|u| asking::unit(g, u, ()));
    let words = |all: &[&str]| all.iter().map(|&word| Named::new(word, ())).collect::<Vec<_>>();
    let hexes = || g.charts.grid.hexes().map(|hex| Named::new(g.id(hex), ()));
    let before = words(&["stand", "singly", "together", "mounted only"]).into_iter().chain(units()).collect();
    let far = words(&["stay", "one hex", "two hexes", "3 hexes", "4 hexes"]);
    let rally =
        [RallyWill::Nearest, RallyWill::Hq, RallyWill::Unit, RallyWill::Woods, RallyWill::Rocks, RallyWill::Train];
    all.extend([
        pick(Ask::BeforeMelee, "10.H", before),
        pick(Ask::HowFar, "10.H.1", far),
        pick(Ask::Pursue, "10.H.2", vec![YES, NO]),
        pick(Ask::PursuitAttack, "10.H.2", vec![YES, NO]),
        pick(Ask::Advance, "10.H.3", hexes().collect()),
        pick(Ask::Losses, "10.C", units().collect()),
        pick(Ask::Ammunition, "14.C", units().collect()),
        pick(Ask::FallBack, "10.I", hexes().collect()),
        pick(Ask::Rout, "10.J.1", vec![NO, YES, MOUNTED, DISMOUNTED]),
        pick(Ask::RallyPlace, "10.J.2.a", rally.map(|kind| Named::new(kind.word(), ())).to_vec()),
        pick(Ask::Leader, "12.A", words(&["stay with it"]).into_iter().chain(units()).collect()),
        pick(Ask::Scatter, "7.K", words(&["stay"])),
        pick(Ask::Replace, "8.D.2", vec![YES, NO]),
        pick(Ask::Village, "16.E", words(&["no", "yes"])),
    ]);
    all
}

fn pick<C: Candidate<RosebudCreek>>(kind: Ask, rule: &'static str, among: Vec<C>) -> Foreseen {
    foresee(Pick::new(kind, rule, "", among))
}
