//! Set-up of the Basic Game (3.4) and of the Campaign Game (11.11).

use super::{
    State, T,
    card::Card,
    cards::takes_skulls,
    components::{Components, MineId, VillageId},
    deal::shaman_hand,
    solitaire,
    state::{
        AreaState, ChiefState, CivilWar, CommanderPlace, Desk, Effects, Events, MineState, Phase, Place, Reserve, Solo,
        TribeState, VillageState,
    },
    tally::Tally,
    variant::{Scenario, Variant},
};
use postrider_orders::spelt;
use postrider_table::{Introduction, Seat, Setup};
use std::sync::Arc;

/// Returns the text of an invitation (3.2, 3.3, 3.42, 10.1, 11.2, 11.3, 12.2).
pub fn introduction(setup: &Setup) -> Introduction {
    let scenario = Scenario::named(&setup.scenario).unwrap_or_default();
    let by_lot = Variant::of(setup).is_ok_and(|variant| variant.alternate_sides);
    let (first, last) = scenario.turns();
    let turns = spelt(usize::from(last - first) + 1);
    let seats = setup.seats.max(2);
    let rounds = shaman_hand(seats) * usize::from(seats);
    if setup.seats == 1 {
        return Introduction {
            sides: vec!["the US and the Indians".to_owned()],
            goal: format!(
                "You play both sides and try to make Territories into States faster than history did, {} of them (11.31). Without \
                 the Transcontinental Railroad by the end of Turn {} all is lost.",
                solitaire::STATES,
                solitaire::RAILROAD_TURN
            ),
            length: format!("The game has {turns} Turns, {first} to {last}, each with {rounds} Rounds."),
        };
    }
    let (tribes, others) = if setup.seats == 2 {
        ("all Indian Tribes that are dealt", "the other has")
    } else {
        ("newly dealt Indian Tribes", "the others have")
    };
    let again = match scenario {
        _ if by_lot => "Whoever had it before may have it again",
        Scenario::Basic if setup.seats == 2 => "The sides change every Turn",
        Scenario::Basic => "Nobody has it in two Turns in a row",
        Scenario::Campaign => "Nobody has it in three Turns in a row",
    };
    let side = if setup.seats == 2 { "the US or all Indians, by lot" } else { "the US or Indians, by lot" };
    Introduction {
        sides: vec![side.to_owned(); usize::from(setup.seats)],
        goal: format!(
            "In each Turn one player, drawn by chance, has the US, and {others} {tribes} (3.3). {again}. Each player scores VPs for \
             the side that he has; the player with the most VPs at the end wins."
        ),
        length: format!(
            "The game has {turns} Turns, {first} to {last}, each with {rounds} Rounds, one for each Shaman Card dealt."
        ),
    }
}

/// The initial resources, troops and States of a scenario (3.4, 11.11).
struct Layout {
    /// Area, Towns, Settlements, RRs.
    resources: &'static [(&'static str, i32, i32, i32)],
    /// Mines on the map from the start: Area, value if specified, number.
    mines: &'static [(&'static str, Option<i32>, usize)],
    states: &'static [&'static str],
    /// The US troops before the new troops of the first Turn.
    troops: Reserve,
    /// Areas that must get the first RR markers (11.12).
    first_rrs: &'static [&'static str],
}

/// The Basic Game (3.43 to 3.45).
const BASIC: Layout = Layout {
    resources: &[
        ("AZ", 0, 1, 0),
        ("CA", 2, 4, 1),
        ("CO", 0, 3, 0),
        ("KS", 1, 2, 1),
        ("MN", 2, 0, 0),
        ("NE", 0, 5, 0),
        ("NV", 0, 3, 0),
        ("NM", 0, 3, 0),
        ("OR", 1, 3, 0),
        ("TX", 1, 1, 0),
        ("UT", 0, 3, 0),
        ("WA", 1, 0, 0),
    ],
    mines: &[("CA", Some(4), 2), ("NV", Some(3), 3), ("OR", None, 1)],
    states: &["MN", "KS", "NV", "OR", "TX", "CA"],
    troops: Reserve { bps: 30, guns: 2, gatlings: 0 },
    first_rrs: &[],
};

/// The Campaign Game (2.12, 11.11, 11.12). The Artillery marker of 11.11D is the one on the Turn
/// Track.
const CAMPAIGN: Layout = Layout {
    resources: &[
        ("CA", 0, 4, 0),
        ("TX", 0, 2, 0),
        ("UT", 0, 1, 0),
        ("AZ", 0, 1, 0),
        ("NM", 0, 1, 0),
        ("OR", 0, 1, 0),
        ("KS", 0, 1, 0),
    ],
    mines: &[("CA", Some(4), 2)],
    states: &["TX", "CA"],
    troops: Reserve { bps: 35, guns: 0, gatlings: 0 },
    first_rrs: &["KS", "CA"],
};

/// Number of Mines drawn at the start of the Basic Game (3.44).
const DRAWN_MINES: usize = 2;

/// Returns the position before anything is rolled or placed by choice (3.4, 11.11). There are no
/// sides yet, and the first US troops are in Reserve.
pub fn position(c: Arc<Components>, seats: u8, variant: Variant) -> State {
    let mut g = laid_out(c, seats, variant);
    if variant.solitaire {
        solitaire::prepare(&mut g);
    }
    g
}

/// Returns the scenario's position for any number of players.
fn laid_out(c: Arc<Components>, seats: u8, variant: Variant) -> State {
    let campaign = variant.scenario == Scenario::Campaign;
    let layout = if campaign { &CAMPAIGN } else { &BASIC };
    let players = variant.players(seats);
    let turns = variant.scenario.turns();
    let mut areas = vec![AreaState::default(); c.areas.len()];
    // Every component file was checked to have all of these Areas.
    for &(code, towns, settlements, rrs) in layout.resources {
        if let Some(a) = c.area_by_code(code) {
            let state = &mut areas[a.index()];
            (state.towns, state.settlements, state.rrs) = (towns, settlements, rrs);
        }
    }
    for a in layout.states.iter().filter_map(|code| c.area_by_code(code)) {
        areas[a.index()].state = true;
    }
    let placed: Vec<MineId> = starting_mines(&c, layout).collect();
    for &id in &placed {
        areas[c[id].area.index()].mines.push(MineState { id, hit: false });
    }
    let seats = usize::from(players);
    State {
        variant,
        players,
        turn: turns.0,
        turns,
        round: 0,
        phase: Phase::SetUp,
        active: None,
        us: Seat(0),
        us_before: None,
        us_in_a_row: 0,
        tally: vec![Tally::default(); seats],
        areas,
        villages: c.village_ids().map(|v| if campaign { at_home(&c, v) } else { weakened(&c, v) }).collect(),
        chiefs: vec![ChiefState::default(); c.chiefs.len()],
        divisions: vec![None; usize::from(players)],
        tribes: vec![TribeState::default(); c.tribes.len()],
        parties: Vec::new(),
        alliances: Vec::new(),
        columns: Vec::new(),
        reserve: layout.troops,
        commanders: vec![CommanderPlace::Cup; c.commanders.len()],
        hands: vec![Vec::new(); seats],
        pile: Vec::new(),
        removed: Card::all().filter(|card| !campaign && !card.in_basic_game()).collect(),
        shaman_epoch: 0,
        tribal_epoch: 0,
        dealt: 0,
        fx: if campaign { Effects::default() } else { after_the_war() },
        events: Events::default(),
        mine_cup: c.mine_ids().filter(|id| !placed.contains(id)).collect(),
        transcontinental: None,
        rr_due: layout.first_rrs.iter().filter_map(|code| c.area_by_code(code)).collect(),
        us_rounds: 0,
        desk: Desk::default(),
        solo: Solo::default(),
        next_column: 1,
        next_party: 1,
        at_rest: false,
        finished: false,
        c,
    }
}

/// Returns the effects of events before the Basic Game (3.42).
fn after_the_war() -> Effects {
    Effects { telegraph: true, civil_war: CivilWar::Over, ..Effects::default() }
}

/// Returns the Mines on the map at the start (3.44, 11.11C). Component files are checked to have
/// them.
fn starting_mines<'c>(c: &'c Components, layout: &'static Layout) -> impl Iterator<Item = MineId> + 'c {
    layout.mines.iter().flat_map(move |&(code, value, count)| {
        let fits = move |id: &MineId| c[c[*id].area].code == code && value.is_none_or(|v| c[*id].value == v);
        c.mine_ids().filter(fits).take(count)
    })
}

/// Returns a Village in its printed Area at full size (11.11A).
fn at_home(c: &Components, v: VillageId) -> VillageState {
    VillageState::new(Place::Area(c[v].area), c[v].size)
}

/// Returns a Village with its place and strength in the Basic Game (3.46).
fn weakened(c: &Components, v: VillageId) -> VillageState {
    let printed = &c[v];
    let place = if printed.basic_on_reservation {
        Place::Reservation { from: printed.area }
    } else {
        Place::Area(printed.area)
    };
    VillageState::new(place, printed.basic_size)
}

/// Draws Mines and rolls for Buffalo at the start of the Basic Game (3.44, 3.47). The Campaign Game
/// starts with all Mines in the cup and no Buffalo Skulls (11.11).
pub async fn set_up(t: &T, g: &mut State) {
    if g.is_campaign() {
        return;
    }
    for _ in 0..DRAWN_MINES {
        if let Some(id) = draw_mine(t, g) {
            t.tell(|| {
                let mine = &g.c[id];
                format!("Mine drawn at the start: {} ({}), in {}.", mine.name, mine.value, g.c[mine.area].name)
            });
        }
    }
    buffalo(t, g);
}

/// Draws a Mine from the cup and places it (3.44, 5.23). Returns `None` if the cup is empty.
pub fn draw_mine(t: &T, g: &mut State) -> Option<MineId> {
    if g.mine_cup.is_empty() {
        return None;
    }
    let id = g.mine_cup.remove(t.draw("mine", g.mine_cup.len()));
    let area = g.c[id].area;
    g.area_mut(area).mines.push(MineState { id, hit: false });
    Some(id)
}

/// Makes a DR for each Buffalo Area except Indian Territory, which takes no marker before the Land
/// Rush (3.47, 9.2G).
fn buffalo(t: &T, g: &mut State) {
    for a in g.area_ids().filter(|&a| takes_skulls(g, a)).collect::<Vec<_>>() {
        let dr = t.d10("buffalo");
        let skulls = match dr {
            0 => 2,
            1..=4 => 1,
            _ => 0,
        };
        // The counter set has two for each Buffalo Area of the built-in map, but another map may
        // have more Areas.
        let skulls = g.skulls_left().min(skulls);
        g.area_mut(a).skulls += skulls;
        t.tell(|| {
            let markers = match skulls {
                0 => "no Buffalo Skull".to_owned(),
                1 => "1 Buffalo Skull".to_owned(),
                several => format!("{several} Buffalo Skulls"),
            };
            format!("Buffalo DR for {}: {dr}, {markers}.", g.c[a].name)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{super::components::AreaId, *};
    use crate::testing::{Trial, area, basic, campaign, village as named};

    /// geronimo 3.4, 3.41, 3.43, 3.44
    #[test]
    fn the_map_of_the_basic_game() {
        let g = basic(4);
        assert_eq!((g.turn, g.turns), (4, (4, 7)));
        let states: Vec<&str> =
            g.area_ids().filter(|&a| g.area(a).state).map(|a| g.c[a].code.as_str()).collect::<Vec<_>>();
        assert_eq!(states, ["OR", "CA", "NV", "KS", "TX", "MN"]);
        let ca = g.area(area(&g, "CA"));
        assert_eq!((ca.towns, ca.settlements, ca.rrs), (2, 4, 1));
        assert_eq!(g.resource_points(area(&g, "CA")), 14 + 2 + 8);
        assert_eq!(g.resource_points(area(&g, "NV")), 3 + 9);
        assert_eq!(g.area(area(&g, "OR")).mines.len(), 1);
        assert_eq!(g.area(area(&g, "NE")).settlements, 5);
        assert_eq!(g.mine_cup.len(), g.c.mines.len() - 6);
        assert_eq!(g.areas.iter().map(|a| a.towns).sum::<i32>(), 8);
        assert_eq!(g.areas.iter().map(|a| a.settlements).sum::<i32>(), 28);
        assert_eq!(g.areas.iter().map(|a| a.rrs).sum::<i32>(), 2);
    }

    /// geronimo 3.42, 3.45, 3.46, 3.48
    #[test]
    fn tribes_and_troops_of_the_basic_game() {
        let g = basic(4);
        assert_eq!(g.removed, [Card::AmericanCivilWar, Card::Mormons, Card::Telegraph]);
        assert!(g.fx.telegraph && g.fx.civil_war == CivilWar::Over);
        assert_eq!((g.reserve.bps, g.reserve.guns), (30, 2));
        let away = g.village_ids().filter(|&v| !g.in_play(v)).count();
        assert_eq!(away, 10);
        assert_eq!(g.village(named(&g, "Santee")).bps, 5);
        assert_eq!(g.village(named(&g, "Teton 1")).bps, 9);
        assert_eq!(g.village(named(&g, "Comanche")).bps, 10);
        assert_eq!(g.village(named(&g, "Ute")).bps, g.c[named(&g, "Ute")].size);
        assert_eq!(g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe)).count(), 19, "4.21");
        assert!(g.areas.iter().all(|a| !a.mission));
        assert!(g.chiefs.iter().all(|h| !h.prison && !h.killed));
    }

    /// geronimo 11.1, 11.11, 2.12, 11.12
    #[test]
    fn the_map_and_the_tribes_of_the_campaign_game() {
        let g = campaign(4);
        assert_eq!((g.turn, g.turns), (1, (1, 8)));
        let code = |a: AreaId| g.c[a].code.as_str();
        let states: Vec<&str> = g.area_ids().filter(|&a| g.area(a).state).map(code).collect();
        assert_eq!(states, ["CA", "TX"]);
        for a in g.area_ids() {
            let settlements = match code(a) {
                "CA" => 4,
                "TX" => 2,
                "UT" | "AZ" | "NM" | "OR" | "KS" => 1,
                _ => 0,
            };
            let now = g.area(a);
            assert_eq!((now.settlements, now.towns, now.rrs, now.skulls), (settlements, 0, 0, 0), "{}", code(a));
            assert!(!now.mission);
        }
        let mines = &g.area(area(&g, "CA")).mines;
        assert!(mines.len() == 2 && mines.iter().all(|m| g.c[m.id].name == "Mother Lode" && g.c[m.id].lode));
        assert_eq!(g.mine_cup.len(), g.c.mines.len() - 2);
        assert!(g.village_ids().all(|v| g.area_of(v) == Some(g.c[v].area) && g.village(v).bps == g.c[v].size));
        assert_eq!(g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe)).count(), 28);
        assert_eq!((g.reserve.bps, g.reserve.guns, g.removed.len()), (35, 0, 0));
        assert!(!g.fx.telegraph && g.fx.civil_war == CivilWar::ToCome);
        // Nothing is drawn or rolled.
        let after = Trial::new(g.clone(), |t, mut g| async move {
            set_up(&t, &mut g).await;
            g
        })
        .start()
        .over();
        assert_eq!(format!("{after:?}"), format!("{g:?}"));
    }

    /// geronimo 3.44, 3.47, 2.4
    #[test]
    fn two_mines_come_without_settlements_and_buffalo_is_rolled_for() {
        let g = basic(3);
        let (before, drawn) = (g.clone(), [g.mine_cup[0], g.mine_cup[4]]);
        let open: Vec<_> = g.area_ids().filter(|&a| takes_skulls(&g, a)).collect();
        // Missing or surplus DRs would be detected.
        let dice = [0, 1, 4, 5].into_iter().chain(std::iter::repeat_n(0, open.len() - 4));
        // The second draw is from one Mine fewer, so the fifth is now the fourth.
        let trial = Trial::new(g, |t, mut g| async move {
            set_up(&t, &mut g).await;
            g
        })
        .dice("mine", [0, 3])
        .dice("buffalo", dice)
        .start();
        let g = trial.over();
        for id in drawn {
            assert!(g.area(g.c[id].area).mines.iter().any(|m| m.id == id));
            assert_eq!(g.area(g.c[id].area).settlements, before.area(g.c[id].area).settlements);
        }
        assert_eq!(g.mine_cup.len() + 2, before.mine_cup.len());
        let skulls: Vec<i32> = open.iter().map(|&a| g.area(a).skulls).collect();
        assert_eq!(skulls[..4], [2, 1, 1, 0]);
        let it = g.c.area_by_code("IT").expect("an Area");
        assert!(g.c[it].buffalo && g.area(it).skulls == 0, "none before the Land Rush");
        assert!(g.skulls_left() >= 0 && skulls.iter().sum::<i32>() > 0);
    }
}
