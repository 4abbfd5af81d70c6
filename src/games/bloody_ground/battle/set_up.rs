//! Set-up of battles (10.2, 16).

use super::{
    super::{
        Ask, State, T, activation,
        asking::{Asking, Named, choose},
        components::{AreaId, Drm, LeaderId, NationId, Side, Terrain, Where, Without},
        events,
        order::Lot,
        placing::{Item, Lots, put},
        setup,
        state::{Force, Spot, UnitId},
    },
    Fight, Head, Piece, Stand,
};
use postrider_table::{chart::Modifiers, hex::Hex};
use std::rc::Rc;

/// Returns pieces for these units, named by kind and number.
pub fn pieces(g: &State, units: &[UnitId], stand: Stand) -> Vec<Piece> {
    let fight = g.battle();
    let mut made: Vec<Piece> = Vec::new();
    for &unit in units {
        let kind = g.unit(unit).kind;
        let same = |p: &&Piece| g.unit(p.unit).kind == kind;
        let nth = 1 + fight.pieces.iter().filter(same).count() + made.iter().filter(same).count();
        made.push(Piece { unit, label: format!("{} {nth}", g.c[kind].id), stand, used: false });
    }
    made
}

/// Returns a battle without pieces.
pub fn empty(board: Terrain, area: Option<AreaId>, first: Side, surprise: bool) -> Fight {
    Fight {
        board,
        area,
        round: 0,
        first,
        surprise,
        primary: [None; 2],
        start: [0; 2],
        lost: [0; 2],
        headless: [false; 2],
        walked: [false; 2],
        pieces: Vec::new(),
        heads: Vec::new(),
        attacked: Vec::new(),
    }
}

/// Returns the modifiers of a side's initiative die in an area (T:initiative-determination).
pub fn initiative(g: &State, a: AreaId, side: Side) -> Modifiers {
    let mut drm = Modifiers::new();
    let here = |l: &LeaderId| g.leaders_outside(a, side).any(|other| other == *l);
    if let Some(l) = g.primary[side.index()].filter(here) {
        drm.add(g.c[l].name.clone(), g.rating(l));
    }
    let terrain = g.terrain(a);
    let row = |row: Drm| (row.name(), g.c.drm(row));
    match side {
        Side::Na => {
            let (rough, tecumseh) = (row(Drm::InitiativeRough), row(Drm::InitiativeTecumseh));
            drm.add_if(terrain == Terrain::Rough, rough.0, rough.1);
            drm.add_if(here(&g.named("Tecumseh")), tecumseh.0, tecumseh.1);
        }
        Side::Us => {
            let (name, by) = row(Drm::InitiativeSettled);
            drm.add_if(terrain == Terrain::Settled, name, by);
        }
    }
    drm
}

/// Rolls for initiative and surprise; then both sides set up, the second player first (10.2).
pub async fn strategic(t: &T, g: &mut State, a: AreaId) {
    let drm = Side::ALL.map(|side| initiative(g, a, side));
    let totals = loop {
        let dice = [t.d6("battle initiative, US"), t.d6("battle initiative, NA")];
        let totals = [0, 1].map(|i| dice[i] + i64::from(drm[i].total()));
        t.tell(|| format!("Battle initiative: US {}; NA {}.", drm[0].told(dice[0]), drm[1].told(dice[1])));
        if totals[0] != totals[1] {
            break totals;
        }
    };
    let first = if totals[0] > totals[1] { Side::Us } else { Side::Na };
    let surprise = totals[first.index()] >= 2 * totals[first.enemy().index()];
    g.fight = Some(empty(g.terrain(a), Some(a), first, surprise));
    t.tell(|| format!("{} moves first{}.", g.who(first), if surprise { ", by surprise" } else { "" }));
    for side in [first.enemy(), first] {
        let units: Vec<UnitId> = g.outside(a, side).collect();
        let heads: Vec<LeaderId> = g.leaders_outside(a, side).collect();
        let made = pieces(g, &units, Stand::Waiting(1));
        let fight = g.battle_mut();
        fight.start[side.index()] = units.len() as u8;
        fight.pieces.extend(made);
        primary(t, g, side, &heads).await;
        let around = if side == first { None } else { Some(letter(t, g, side).await) };
        place(t, g, side, &heads, move |g, hex, unit| match around {
            Some(letter) => g.field().grid.distance(hex, letter) <= 4,
            None => may_begin(g, hex, side, unit),
        })
        .await;
    }
}

/// Returns `true` if the first player may set up in a hex: four or more hexes from enemies, or with
/// surprise, for units, any woods hex (10.2, 10.2a).
fn may_begin(g: &State, hex: Hex, side: Side, unit: bool) -> bool {
    let enemies = g.on_board(side.enemy()).filter_map(|i| g.battle().pieces[i].stand.hex());
    let near = g.field().grid.nearest(hex, enemies).unwrap_or(u16::MAX);
    let woods = g.field().ground[hex] == super::Ground::Woods;
    near > 3 || (g.battle().surprise && unit && woods && near >= 1)
}

/// Sets the primary leader of a force: the side's primary leader, or else the highest in rank
/// (10.7.1).
async fn primary(t: &T, g: &mut State, side: Side, heads: &[LeaderId]) {
    let own = g.primary[side.index()].filter(|l| heads.contains(l));
    let best = heads.iter().map(|&l| g.c[l].rank).max();
    let among: Vec<_> =
        heads.iter().filter(|&&l| Some(g.c[l].rank) == best).map(|&l| Named::new(g.c[l].name.clone(), l)).collect();
    let chosen = match own {
        Some(l) => Some(l),
        None if among.is_empty() => None,
        None => {
            let asking =
                Asking { kind: Ask::BattlePrimary, rule: "10.7.1", title: "Who leads your force in the battle" };
            Some(choose(t, g, g.seat(side), asking, among, move |g| about(g, side)).await.value)
        }
    };
    g.battle_mut().primary[side.index()] = chosen;
}

/// Returns the place of a battle and its forces in words. Empty in the scenarios of Module 16,
/// where both players know them.
fn about(g: &State, side: Side) -> String {
    let fight = g.battle();
    let Some(a) = fight.area else { return String::new() };
    let force = |side: Side| {
        let units = g.outside(a, side).collect();
        activation::told(g, &Force { units, leaders: g.leaders_outside(a, side).collect() })
    };
    let order = match fight.first == side {
        true => "You set up second and move first",
        false => "You set up first and move second",
    };
    let surprise = if fight.surprise { ", by surprise" } else { "" };
    let board = fight.board.name().to_lowercase();
    format!(
        "Battle at {} ({board}): {} against {}. {order}{}.",
        g.name(a),
        force(side),
        force(side.enemy()),
        if fight.first == side {
            surprise
        } else if fight.surprise {
            ", surprised"
        } else {
            ""
        }
    )
}

/// Asks around which lettered hex the second player's force sets up, within four hexes (10.2).
async fn letter(t: &T, g: &mut State, side: Side) -> Hex {
    let letters = g.field().letters.iter().map(|&(letter, hex)| {
        let note = format!("{}, {}", g.field().grid.id(hex), g.field().ground[hex].name());
        Named::new(letter.to_string(), hex).or(format!("hex {letter}")).note(note)
    });
    let asking = Asking { kind: Ask::BattleHex, rule: "10.2", title: "Around which lettered hex you set up" };
    choose(t, g, g.seat(side), asking, letters.collect(), move |g| about(g, side)).await.value
}

/// Asks where the waiting units and leaders of a side set up, among the hexes that fit; at most two
/// or three units per hex (10.4.1).
async fn place(t: &T, g: &mut State, side: Side, heads: &[LeaderId], fits: impl Fn(&State, Hex, bool) -> bool) {
    place_some(t, g, side, heads, fits, None).await;
}

async fn place_some(
    t: &T,
    g: &mut State,
    side: Side,
    heads: &[LeaderId],
    fits: impl Fn(&State, Hex, bool) -> bool,
    most: Option<u8>,
) {
    let grid = g.field().grid.clone();
    let open = |unit: bool| -> Vec<Hex> {
        grid.hexes().filter(|&hex| !g.holds(hex, side.enemy()) && fits(g, hex, unit)).collect()
    };
    let limit = |hex: Hex| most.unwrap_or(g.hex_limit(hex) as u8).min(g.hex_limit(hex) as u8);
    // Nations do not stack with each other (10.4.1), so remaining room is tracked per hex.
    let waiting = |g: &State| -> Vec<usize> {
        let here = |p: &Piece| p.stand == Stand::Waiting(1) && g.side_of(p.unit) == side;
        (0..g.battle().pieces.len()).filter(|&i| here(&g.battle().pieces[i])).collect()
    };
    let units: Vec<UnitId> = waiting(g).into_iter().map(|i| g.battle().pieces[i].unit).collect();
    let places: Rc<[(String, u8)]> = open(true).into_iter().map(|hex| (grid.id(hex), limit(hex))).collect();
    let anywhere: Vec<(String, u8)> = open(false).into_iter().map(|hex| (grid.id(hex), u8::MAX)).collect();
    let mut items: Vec<Item> = events::by_kind(g, &units)
        .into_iter()
        .map(|(kind, n)| Item { what: g.c[kind].id.clone(), n, places: places.clone(), must: true })
        .collect();
    for &l in heads {
        let places = anywhere.iter().map(|(id, _)| (id.clone(), 1)).collect();
        items.push(Item { what: g.c[l].name.clone(), n: 1, places, must: true });
    }
    let asking = Asking { kind: Ask::BattleSetUp, rule: "10.2", title: "Where your force begins" };
    let room: Vec<(String, u8)> = places.iter().map(|(id, n)| (id.clone(), *n + heads.len() as u8)).collect();
    let mut lots =
        Lots::new(asking, items).check(move |g, lots| stacks_hold(g, lots, most)).apt(move |g, lots, what, at| {
            let mut lots: Vec<Lot> = lots.iter().filter(|lot| lot.at == at).cloned().collect();
            lots.push(Lot { n: 1, what: what.to_owned(), at: at.to_owned() });
            stacks_hold(g, &lots, most).is_ok()
        });
    for (id, n) in room {
        lots = lots.room(id, n);
    }
    match about(g, side) {
        about if about.is_empty() => {}
        about => lots = lots.line(about),
    }
    let lots = put(t, g, g.seat(side), lots).await;
    for lot in lots {
        let Some(hex) = grid.hex(&lot.at) else { continue };
        if let Some(&l) = heads.iter().find(|&&l| g.c[l].name == lot.what) {
            g.battle_mut().heads.push(Head { leader: l, stand: Stand::On(hex), left: None, endangered: false });
            continue;
        }
        let of = |i: &usize| g.c[g.unit(g.battle().pieces[*i].unit).kind].id == lot.what;
        let chosen: Vec<usize> = waiting(g).into_iter().filter(of).take(usize::from(lot.n)).collect();
        chosen.into_iter().for_each(|i| g.battle_mut().pieces[i].stand = Stand::On(hex));
    }
    // Leaders without room wait off the board until they enter.
    for &l in heads {
        if !g.battle().heads.iter().any(|head| head.leader == l) {
            g.battle_mut().heads.push(Head { leader: l, stand: Stand::Waiting(1), left: None, endangered: false });
        }
    }
    t.tell(|| format!("The {} set up {}.", side.name(), postrider_orders::counted(units.len(), "unit")));
}

/// Checks stacking at set-up (10.4.1): two units in a woods hex and three in others, of one nation
/// unless Tecumseh or Girty is there.
fn stacks_hold(g: &State, lots: &[super::super::order::Lot], most: Option<u8>) -> Result<(), postrider_table::Refusal> {
    let grid = &g.field().grid;
    let mut hexes: Vec<&str> = lots.iter().map(|lot| lot.at.as_str()).collect();
    hexes.sort_unstable();
    hexes.dedup();
    for id in hexes {
        let Some(hex) = grid.hex(id) else { continue };
        let here = || lots.iter().filter(|lot| lot.at == id && lot.n > 0);
        let kinds = here().filter_map(|lot| Some(vec![g.c.kind(&lot.what)?; lot.n.into()])).flatten();
        let limit = most.map_or(g.hex_limit(hex), usize::from).min(g.hex_limit(hex));
        let leaders = here().filter_map(|lot| g.c.leader(&lot.what));
        if super::too_many(g, &kinds.collect::<Vec<_>>(), leaders, limit) > 0 {
            return postrider_table::refuse("10.4.1", format!("Too many, or of too many nations, in {id}."));
        }
    }
    Ok(())
}

/// Sets up the forces of a battle scenario (16).
pub async fn scenario(t: &T, g: &mut State) {
    let c = g.c.clone();
    let scenario = &c.scenarios[g.scenario];
    let board = scenario.board.unwrap_or_default();
    g.fight = Some(empty(board, None, scenario.first_player.unwrap_or_default(), scenario.surprise));
    for &side in &scenario.setup_order {
        for force in c.forces.iter().filter(|force| force.scenario == scenario.id && force.side == side) {
            let kinds = setup::muster(t, g, force);
            let mut units: Vec<UnitId> = Vec::new();
            for (kind, n) in kinds {
                let free: Vec<UnitId> =
                    g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).take(usize::from(n)).collect();
                for &u in &free {
                    g.unit_mut(u).spot = Spot::Edge;
                }
                units.extend(free);
            }
            let round = if force.round > 1 { force.round } else { 1 };
            let made = pieces(g, &units, Stand::Waiting(round));
            let heads: Vec<LeaderId> = force.leaders.iter().filter_map(|name| g.c.leader(name)).collect();
            let fight = g.battle_mut();
            fight.start[side.index()] += units.len() as u8;
            fight.pieces.extend(made);
            if let Some(l) = c.leader(&force.primary) {
                fight.primary[side.index()] = Some(l);
                g.primary[side.index()] = Some(l);
            }
            for &l in &heads {
                g.chief_mut(l).spot = Spot::Edge;
            }
            if round > 1 {
                let later =
                    |&leader: &LeaderId| Head { leader, stand: Stand::Waiting(round), left: None, endangered: false };
                g.battle_mut().heads.extend(heads.iter().map(later));
                continue;
            }
            let (place, without) = (force.place.clone(), force.without.clone());
            let fits = move |g: &State, hex: Hex, _: bool| {
                let field = g.field();
                let within = |n: u8, of: &[Hex]| of.iter().any(|&at| field.grid.distance(hex, at) <= u16::from(n));
                let in_place = place.iter().any(|place| match place {
                    Where::OfLetter(n, letter) => {
                        field.letters.iter().any(|(known, at)| letter.starts_with(*known) && within(*n, &[*at]))
                    }
                    Where::OfTrail(n) => within(*n, &field.trail),
                    Where::Ground(ground) => field.ground[hex] == *ground,
                    Where::Hex(id) => field.grid.id(hex) == *id,
                    Where::Anywhere => true,
                    _ => false,
                });
                let free = !without.contains(&Without::EnemyBeside) || !g.threatened(hex, side, false);
                in_place && free
            };
            place_some(t, g, side, &heads, fits, force.most).await;
            if force.rifle_die {
                let n = t.d6("rifles") as u8;
                t.tell(|| format!("Rifle markers: a die of {n}."));
                rifles(t, g, n).await;
            }
        }
    }
}

/// Asks which warriors get rifles, at most two per nation (16.2.2, 16.3.1).
async fn rifles(t: &T, g: &mut State, n: u8) {
    let nations: Vec<NationId> = g.c.nation_ids().collect();
    let at = |g: &State, u: UnitId| {
        let piece = g.battle().pieces.iter().find(|p| p.unit == u)?;
        piece.stand.hex().map(|hex| g.field().grid.id(hex))
    };
    let rule = if g.c.scenarios[g.scenario].id == "fallen-timbers" { "16.3.1" } else { "16.2.2" };
    events::arm(t, g, n, &nations, rule, at).await;
}
