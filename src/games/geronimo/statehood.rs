//! State Maintenance and Statehood (4.6, 10.2, 10.3).

use super::{State, T, components::AreaId, state::CivilWar};

/// Checks Maintenance before Statehood, so that a new State is not yet judged by its Level (4.1F,
/// 10.33).
pub fn statehood_phase(t: &T, g: &mut State) {
    let failing = maintenance(t, g);
    for a in g.area_ids() {
        if g.area(a).state || adjusted_points(g, a) <= g.c[a].statehood {
            continue;
        }
        if let Some((_, why)) = no_state_yet(g, a) {
            t.tell(|| format!("{} {why}.", g.c[a].name));
            continue;
        }
        apply(t, g, a, failing);
    }
}

/// Returns the reason why an Area cannot become a State this Turn, whatever its points, with the
/// rule: New Mexico and Arizona in the Civil War (9.2A), or the Area of Sand Creek (12.13).
pub fn no_state_yet(g: &State, a: AreaId) -> Option<(&'static str, &'static str)> {
    if g.fx.civil_war == CivilWar::Now && ["NM", "AZ"].contains(&g.c[a].code.as_str()) {
        return Some(("9.2A", "may not apply for Statehood during the Civil War"));
    }
    (g.events.sand_creek == Some(a)).then_some(("12.13", "may not become a State this Turn, after Sand Creek"))
}

/// Returns the points of an Area to be compared with its Level: for a Territory less Massacres
/// (10.21), for a State's Maintenance without them (7.64, 10.3).
pub fn counted_points(g: &State, a: AreaId) -> i32 {
    if g.area(a).state { g.resource_points(a) } else { adjusted_points(g, a) }
}

/// Returns the usable Resource Points less Massacres (10.21).
fn adjusted_points(g: &State, a: AreaId) -> i32 {
    g.resource_points(a) - g.area(a).massacres
}

/// Takes 1 VP from the US for each State below its Level, and returns their number (10.3, 10.31).
/// Massacres do not count (7.64).
fn maintenance(t: &T, g: &mut State) -> i32 {
    let us = g.us;
    let mut failing = 0;
    for a in g.area_ids() {
        let (points, level) = (g.resource_points(a), g.c[a].statehood);
        if g.area(a).state && points < level {
            failing += 1;
            g.score(us, -1, "10.31");
            t.tell(|| {
                let loss = g.scoring(|| format!(": {} loses 1 VP", g.who(us)));
                format!("{} has {points} Resource Points of {level}{loss}.", g.c[a].name)
            });
        }
    }
    failing
}

/// Admits a Territory as a State, automatically or, if any State fails its Maintenance, by a DR
/// (10.2, 10.32).
fn apply(t: &T, g: &mut State, a: AreaId, failing: i32) {
    if failing > 0 {
        let dr = t.d10("statehood") as i32;
        let admitted = dr + failing <= NEEDED;
        t.tell(|| {
            let result = if admitted { "admitted" } else { "not yet" };
            let most = NEEDED - failing;
            format!("Statehood DR for {}: {dr}, needed {most} or less: {result}.", g.c[a].name)
        });
        if !admitted {
            return;
        }
    }
    let (us, vps) = (g.us, statehood_vps(g.indians()));
    g.area_mut(a).state = true;
    g.score(us, vps, "10.2");
    t.tell(|| {
        let (points, level) = (adjusted_points(g, a), g.c[a].statehood);
        format!("{} is a State ({points} Resource Points, Level {level}){}.", g.c[a].name, g.earning(us, vps))
    });
}

/// The maximum modified DR (10.32).
const NEEDED: i32 = 8;

/// Returns the VPs for a new State, by the number of Indian players (10.11).
pub fn statehood_vps(indians: i32) -> i32 {
    match indians {
        ..=1 => 15,
        2 => 10,
        3 => 7,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Trial, area, basic};
    use postrider_table::Seat;

    fn after(g: State, dice: &[i64]) -> State {
        let rule = |t, mut g| async move {
            statehood_phase(&t, &mut g);
            g
        };
        Trial::new(g, rule).dice("statehood", dice.iter().copied()).start().over()
    }

    /// Every State has exactly its Level, and no Territory has any points.
    fn quiet(players: u8) -> State {
        let mut g = basic(players);
        g.us = Seat(1);
        for a in g.area_ids() {
            let level = g.c[a].statehood;
            let area = g.area_mut(a);
            (area.towns, area.rrs, area.broke) = (0, 0, 0);
            area.mines.clear();
            area.settlements = if area.state { level } else { 0 };
        }
        g
    }

    /// geronimo 10.2, 10.21, 7.64
    #[test]
    fn minnesota_becomes_a_state_with_seven_points() {
        let mut g = quiet(4);
        let mn = area(&g, "MN");
        let state = g.area_mut(mn);
        (state.state, state.towns, state.settlements, state.massacres) = (false, 1, 3, 1);
        let end = after(g.clone(), &[]);
        assert!(end.area(mn).state);
        assert_eq!(end.tally[1].vps, 7);
        // With another Massacre the Level is met but not exceeded.
        g.area_mut(mn).massacres = 2;
        let end = after(g, &[]);
        assert!(!end.area(mn).state);
        assert_eq!(end.tally[1].vps, 0);
    }

    /// geronimo 10.21
    #[test]
    fn broke_railroads_do_not_count_and_hit_mines_do() {
        let mut g = quiet(4);
        let nm = area(&g, "NM");
        let mine = g.c.mine_ids().find(|&id| g.c[id].area == nm).unwrap();
        let (level, value) = (g.c[nm].statehood, g.c[mine].value);
        let state = g.area_mut(nm);
        state.mines.push(crate::state::MineState { id: mine, hit: true });
        (state.settlements, state.rrs, state.broke) = (level - value - 1, 0, 1);
        assert!(!after(g.clone(), &[]).area(nm).state);
        let state = g.area_mut(nm);
        (state.rrs, state.broke) = (1, 0);
        assert!(after(g, &[]).area(nm).state);
    }

    /// geronimo 10.3, 10.31, 7.64, 4.6
    #[test]
    fn states_below_their_level_cost_a_point_each() {
        let mut g = quiet(4);
        let (ca, ks) = (area(&g, "CA"), area(&g, "KS"));
        g.area_mut(ca).settlements -= 1;
        g.area_mut(ks).massacres = 3;
        assert_eq!(after(g.clone(), &[]).tally[1].vps, -1, "Massacres do not matter to Maintenance");
        g.area_mut(ks).settlements -= 2;
        assert_eq!(after(g, &[]).tally[1].vps, -2);
    }

    /// geronimo 10.32, 10.33
    #[test]
    fn two_failing_states_leave_six_or_less_for_each_territory() {
        let mut g = quiet(5);
        for code in ["CA", "KS"] {
            let a = area(&g, code);
            g.area_mut(a).settlements = 0;
        }
        let (ut, wy) = (area(&g, "UT"), area(&g, "WY"));
        for a in [ut, wy] {
            g.area_mut(a).settlements = g.c[a].statehood + 1;
        }
        let end = after(g.clone(), &[6, 7]);
        // Areas are checked in the order of the map list, Wyoming before Utah.
        assert!(end.area(wy).state && !end.area(ut).state);
        assert_eq!(end.tally[1].vps, 6 - 2);
        let end = after(g, &[7, 6]);
        assert!(!end.area(wy).state && end.area(ut).state);
    }

    /// geronimo 10.11
    #[test]
    fn a_state_is_worth_less_among_more_players() {
        assert_eq!([1, 2, 3, 4].map(statehood_vps), [15, 10, 7, 6]);
    }
}
