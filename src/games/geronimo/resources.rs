//! Resources of the US (5.2).

use super::{
    Ask, Geronimo, State, T,
    components::AreaId,
    facts,
    reservation::ask_at_rest,
    setup::draw_mine,
    state::{CivilWar, Effects, RR_POINTS},
    statehood::counted_points,
};
use postrider_standing::Fact;
use postrider_table::{Candidate, OneOr, Pick, Word};
use std::borrow::Cow;

/// Maximum number of Settlements in an Area; above it, five become a Town (5.22).
const MOST_SETTLEMENTS: i32 = 5;
/// Number of Shaman Cards in a Turn that bring Resources, with a single Indian player (11.2C,
/// 11.35).
pub const ALLOTMENTS: u32 = 20;
/// VPs for the Transcontinental Railroad (5.241, 10.11).
const TRANSCONTINENTAL_VPS: i32 = 2;

/// An Area as a place for a Settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site(pub AreaId);

impl Candidate<Geronimo> for Site {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![g.c[self.0].code.clone()]
    }
    fn note(&self, g: &State) -> String {
        standing(g, self.0)
    }
    fn facts(&self, g: &State) -> Vec<Fact> {
        facts::site(g, self.0)
    }
}

pub const NO_RAILROAD: Word = Word::new("no railroad").or(&["none", "nowhere"]);

/// Describes an Area for a US player who may build there: its points for Statehood and its level,
/// as on the map of the letter, and its Towns, Settlements and RRs.
fn standing(g: &State, a: AreaId) -> String {
    let (area, level) = (g.area(a), g.c[a].statehood);
    let kind = if area.state { "State" } else { "Territory" };
    let points = counted_points(g, a);
    let several = |n: i32, what: &str| match n {
        1 => what.to_owned(),
        _ => format!("{n} {what}s"),
    };
    let built = [(area.towns, "Town"), (area.settlements, "Settlement"), (area.all_rrs(), "RR")];
    let built: Vec<String> = built.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| several(n, what)).collect();
    let there = if built.is_empty() { String::new() } else { format!(": {}", built.join(", ")) };
    format!("{kind} {points}/{level}{there}")
}

/// Lets the US place a Settlement and make a Resource DR (4.4A). Called in every Round of any
/// player, so once for each Shaman Card dealt, but limited with a single Indian player (house
/// ruling 7).
pub async fn resource_allotment(t: &T, g: &mut State) {
    if g.indians() == 1 && g.round > ALLOTMENTS {
        if g.round == ALLOTMENTS + 1 {
            t.tell(|| format!("{ALLOTMENTS} Shaman Cards are over: no more Settlements and Resource DRs this Turn."));
        }
        return;
    }
    settlement(t, g).await;
    let dr = t.d10("resource");
    match dr {
        0 => mine(t, g),
        7..=9 => match no_railroads(g) {
            Some(why) => t.tell(|| format!("Resource DR {dr}: No Effect, {why}.")),
            None => railroad(t, g, dr).await,
        },
        _ => t.tell(|| format!("Resource DR {dr}: nothing.")),
    }
}

/// Places a Settlement in any Area; in the Indian Territory only after the Land Rush (5.21).
async fn settlement(t: &T, g: &mut State) {
    let sites = g.area_ids().filter(|&a| open_to_settlement(&g.fx, &g.c[a].code)).map(Site).collect();
    let pick = Pick::new(Ask::Settlement, "5.21", "Where the new Settlement goes", sites).verbs(&[
        "settle",
        "place settlement",
        "place the settlement",
        "put the settlement",
        "settlement",
        "place",
    ]);
    let us = g.us;
    let Site(a) = ask_at_rest(t, g, us, pick).await;
    g.area_mut(a).settlements += 1;
    t.tell(|| format!("A Settlement in {}.", g.c[a].name));
    settle_up(t, g, a);
}

fn open_to_settlement(fx: &Effects, code: &str) -> bool {
    fx.land_rush || code != "IT"
}

/// Places a Mine from the cup, together with a Settlement (5.23).
fn mine(t: &T, g: &mut State) {
    let Some(id) = draw_mine(t, g) else {
        t.tell(|| "Resource DR 0: all Mines have been drawn, nothing.".to_owned());
        return;
    };
    let a = g.c[id].area;
    g.area_mut(a).settlements += 1;
    t.tell(|| {
        let mine = &g.c[id];
        format!("Resource DR 0: a Mine in {}, {} ({}), and a Settlement.", g.c[a].name, mine.name, mine.value)
    });
    settle_up(t, g, a);
}

/// The first Turn of the Campaign Game in which RR markers are placed (11.12).
const FIRST_RR_TURN: u8 = 3;

/// Returns the reason why no RR marker can be placed this Turn, if there is one (9.2A, 11.12).
pub fn no_railroads(g: &State) -> Option<&'static str> {
    if g.is_campaign() && g.turn < FIRST_RR_TURN {
        Some("no RR before Turn 3 (11.12)")
    } else if g.fx.civil_war == CivilWar::Now {
        Some("no RR during the Civil War (9.2A)")
    } else {
        None
    }
}

/// Lets the US place an RR marker (5.24).
async fn railroad(t: &T, g: &mut State, dr: i64) {
    let mut tracks: Vec<_> = g.area_ids().filter(|&a| takes_railroad(g, a)).map(|a| OneOr::One(Site(a))).collect();
    if tracks.is_empty() {
        t.tell(|| format!("Resource DR {dr}: a Railroad, but no Area can take one."));
        return;
    }
    t.tell(|| format!("Resource DR {dr}: a Railroad."));
    tracks.push(OneOr::Word(NO_RAILROAD));
    let pick = Pick::new(Ask::Railroad, "5.24", "Where the new Railroad goes", tracks)
        .verbs(&["build", "railroad", "rr"])
        .telling(|_, d| d.line(format!("Worth {RR_POINTS} Resource Points.")));
    let us = g.us;
    match ask_at_rest(t, g, us, pick).await {
        OneOr::One(Site(a)) => {
            g.area_mut(a).rrs += 1;
            g.rr_due.retain(|&due| due != a);
            t.tell(|| format!("A Railroad in {}.", g.c[a].name));
        }
        OneOr::Word(_) => t.tell(|| format!("{} builds no Railroad.", g.who(us))),
    }
}

/// Returns `true` if an Area can take an RR marker (5.24): an adjacent Area has one, Broke or not,
/// and there are enough Town and Settlement points. A Town counts as Settlements here (house
/// reading). In the Campaign Game an RR marker of its own also suffices (11.12).
fn takes_railroad(g: &State, a: AreaId) -> bool {
    let area = g.area(a);
    if area.all_rrs() >= area.town_points() {
        return false;
    }
    let (first, tracks) = (first_railroads(g), |b: AreaId| g.area(b).all_rrs() > 0);
    match first[..] {
        [] => g.is_campaign() && tracks(a) || g.c[a].adjacent.iter().any(|&b| tracks(b)),
        _ => first.contains(&a),
    }
}

/// Returns the Areas for the next RR marker if it is one of the first two of the Campaign Game
/// (11.12). If no RR marker is left on the map, the same two Areas apply again (house reading);
/// otherwise none could ever be placed.
pub fn first_railroads(g: &State) -> Vec<AreaId> {
    if g.is_campaign() && g.areas.iter().all(|area| area.all_rrs() == 0) {
        return ["KS", "CA"].iter().filter_map(|code| g.c.area_by_code(code)).collect();
    }
    g.rr_due.clone()
}

/// Adjusts an Area after any change (5.22, 5.24): six Settlements become a Town and a Settlement,
/// and surplus RRs are removed, Broke ones first.
pub fn settle_up(t: &T, g: &mut State, area: AreaId) {
    while g.area(area).settlements > MOST_SETTLEMENTS {
        let state = g.area_mut(area);
        state.settlements -= 5;
        state.towns += 1;
        t.tell(|| format!("Five Settlements in {} become a Town.", g.c[area].name));
    }
    while g.area(area).all_rrs() > g.area(area).town_points().max(0) {
        let state = g.area_mut(area);
        if state.broke > 0 {
            state.broke -= 1;
        } else {
            state.rrs -= 1;
        }
        t.tell(|| format!("A Railroad in {} has too few Settlements and is removed.", g.c[area].name));
    }
}

/// Awards the VPs for the Transcontinental Railroad at the end of a Round, once in the game
/// (5.241). They go to the current US player.
pub fn transcontinental(t: &T, g: &mut State) {
    if g.transcontinental.is_some() || !line_stands(g) {
        return;
    }
    g.transcontinental = Some(g.turn);
    let us = g.us;
    g.score(us, TRANSCONTINENTAL_VPS, "5.241");
    t.tell(|| format!("The Transcontinental Railroad is complete{}.", g.earning(us, TRANSCONTINENTAL_VPS)));
}

/// Returns `true` if contiguous Areas with RRs, none of them Broke, connect the eastern and the
/// western edge of the map.
fn line_stands(g: &State) -> bool {
    let open = |a: AreaId| g.area(a).rrs > 0 && g.area(a).broke == 0;
    // This runs after every Round. Usually the western edge already gives the answer.
    if !g.area_ids().any(|a| g.c[a].west_edge && open(a)) {
        return false;
    }
    let mut reached: Vec<AreaId> = g.area_ids().filter(|&a| g.c[a].east_edge && open(a)).collect();
    let mut next = 0;
    while let Some(&a) = reached.get(next) {
        if g.c[a].west_edge {
            return true;
        }
        for &b in &g.c[a].adjacent {
            if open(b) && !reached.contains(&b) {
                reached.push(b);
            }
        }
        next += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Running, Trial, area, basic, campaign};
    use postrider_table::Seat;

    fn allotment(g: State, resource: i64, mine: Option<i64>) -> Running {
        let rule = |t, mut g| async move {
            resource_allotment(&t, &mut g).await;
            g
        };
        Trial::new(g, rule).dice("resource", [resource]).dice("mine", mine).start()
    }

    fn settled_up(mut g: State, code: &str) -> State {
        let a = area(&g, code);
        g.us = Seat(0);
        let rule = move |t, mut g| async move {
            settle_up(&t, &mut g, a);
            g
        };
        Trial::new(g, rule).start().over()
    }

    fn after_transcontinental(g: State) -> State {
        let rule = |t, mut g| async move {
            transcontinental(&t, &mut g);
            g
        };
        Trial::new(g, rule).start().over()
    }

    /// geronimo 4.4, 5.2, 5.21
    #[test]
    fn a_settlement_goes_anywhere_but_to_the_indian_territory() {
        let g = basic(4);
        let mut trial = allotment(g.clone(), 5, None);
        assert_eq!(trial.asked(), [(Seat(0), "settlement")]);
        trial.check_options(40);
        assert_eq!(trial.options().len(), 17);
        assert!(trial.read("settle indian territory").is_err());
        trial.say("settle in utah");
        assert_eq!(trial.over().area(area(&g, "UT")).settlements, 4);

        let mut open = g.clone();
        open.fx.land_rush = true;
        let mut trial = allotment(open, 1, None);
        assert_eq!(trial.options().len(), 18);
        trial.say("it");
        assert_eq!(trial.over().area(area(&g, "IT")).settlements, 1);
    }

    /// geronimo 5.22
    #[test]
    fn the_sixth_settlement_makes_a_town() {
        let g = basic(4);
        let mut trial = allotment(g, 2, None);
        trial.say("settle nebraska");
        let g = trial.over();
        let ne = g.area(area(&g, "NE"));
        assert_eq!((ne.towns, ne.settlements), (1, 1));
    }

    /// geronimo 5.23
    #[test]
    fn a_mine_comes_with_a_settlement_until_the_cup_is_empty() {
        let g = basic(4);
        let (id, before) = (g.mine_cup[3], g.clone());
        let mut trial = allotment(g, 0, Some(3));
        trial.say("settle wa");
        let mut g = trial.over();
        let a = g.c[id].area;
        assert!(g.area(a).mines.iter().any(|m| m.id == id && !m.hit));
        assert_eq!(g.area(a).town_points(), before.area(a).town_points() + 1);

        g.mine_cup.clear();
        let mut trial = allotment(g.clone(), 0, None);
        trial.say("settle wa");
        let end = trial.over();
        assert_eq!(end.areas.iter().map(|a| a.mines.len()).sum::<usize>(), {
            g.areas.iter().map(|a| a.mines.len()).sum::<usize>()
        });
    }

    /// geronimo 11.12, 5.24
    #[test]
    fn the_first_two_railroads_of_the_campaign_game_lie_in_kansas_and_california() {
        let words = |trial: &mut Running| trial.options().into_iter().map(|o| o.words).collect::<Vec<_>>();
        let mut g = campaign(4);
        g.turn = 2;
        let mut trial = allotment(g.clone(), 9, None);
        trial.say("settle wa");
        assert!(trial.over().areas.iter().all(|a| a.rrs == 0), "not before Turn 3");
        g.turn = 3;
        let mut at_war = g.clone();
        at_war.fx.civil_war = CivilWar::Now;
        let mut trial = allotment(at_war, 7, None);
        trial.say("settle wa");
        assert!(trial.over().areas.iter().all(|a| a.rrs == 0), "not during the Civil War");
        let mut trial = allotment(g, 7, None);
        trial.say("settle kansas");
        assert_eq!(words(&mut trial), ["build california", "build kansas", "build no railroad"]);
        trial.say("build kansas");
        let mut trial = allotment(trial.over(), 8, None);
        trial.say("settle kansas");
        assert_eq!(words(&mut trial), ["build california", "build no railroad"], "one each");
        trial.say("build california");
        // From now on in or next to an Area with RRs. Kansas itself has room, and Nebraska has no
        // Settlement.
        let mut trial = allotment(trial.over(), 8, None);
        trial.say("settle colorado");
        let all = ["build oregon", "build california", "build colorado", "build arizona", "build kansas"];
        assert_eq!(words(&mut trial)[..5], all);
        trial.say("build colorado");
        let mut g = trial.over();
        assert!(g.rr_due.is_empty());
        // Without any RRs the first two Areas apply again.
        for a in &mut g.areas {
            a.rrs = 0;
        }
        let mut trial = allotment(g, 8, None);
        trial.say("settle colorado");
        assert_eq!(words(&mut trial), ["build california", "build kansas", "build no railroad"]);
    }

    /// geronimo 5.24
    #[test]
    fn a_railroad_needs_a_settlement_and_a_neighbour_with_one() {
        let mut g = basic(4);
        let (nv, or) = (area(&g, "NV"), area(&g, "OR"));
        let mut trial = allotment(g.clone(), 7, None);
        trial.say("settle wa");
        trial.check_options(20);
        let open: Vec<String> = trial.options().into_iter().map(|o| o.words).collect();
        // California provides RRs for Oregon, Nevada and Arizona; Kansas for Nebraska and Colorado.
        let expected =
            ["build oregon", "build nevada", "build colorado", "build arizona", "build nebraska", "build no railroad"];
        assert_eq!(open, expected);
        trial.say("railroad in nevada");
        assert_eq!(trial.over().area(nv).rrs, 1);
        assert!(
            trial.story().ends_with(&["Resource DR 7: a Railroad.".to_owned(), "A Railroad in Nevada.".to_owned()])
        );

        // No more RRs than Town and Settlement points, including Broke ones.
        let ne = area(&g, "NE");
        (g.area_mut(ne).rrs, g.area_mut(ne).broke) = (2, 3);
        let mut trial = allotment(g.clone(), 9, None);
        trial.say("settle wa");
        assert!(trial.read("build nebraska").is_err());
        trial.say("no railroad");
        assert_eq!(trial.over().area(or).rrs, 0);
        assert_eq!(trial.story().last().map(String::as_str), Some("@A (US) builds no Railroad."));

        for a in &mut g.areas {
            (a.rrs, a.broke) = (0, 0);
        }
        let mut trial = allotment(g, 8, None);
        trial.say("settle wa");
        assert!(trial.over().areas.iter().all(|a| a.rrs == 0), "nothing to adjoin: not even asked");
    }

    /// geronimo 5.24
    #[test]
    fn surplus_railroads_go_broke_ones_first() {
        let mut g = basic(4);
        let ut = area(&g, "UT");
        (g.area_mut(ut).rrs, g.area_mut(ut).broke, g.area_mut(ut).settlements) = (2, 2, 1);
        let g = settled_up(g, "UT");
        assert_eq!((g.area(ut).rrs, g.area(ut).broke), (1, 0));
        assert!(g.tally.iter().all(|s| s.vps == 0));
        // Without any Settlement the last one goes, too.
        let mut bare = g;
        (bare.area_mut(ut).settlements, bare.area_mut(ut).towns) = (0, 0);
        assert_eq!(settled_up(bare, "UT").area(ut).all_rrs(), 0);
    }

    /// geronimo 5.241
    #[test]
    fn the_transcontinental_is_paid_for_once_and_only_whole() {
        let mut g = basic(4);
        g.us = Seat(2);
        // Kansas, Colorado, Arizona (corner contact), California.
        for code in ["CO", "AZ"] {
            let a = area(&g, code);
            g.area_mut(a).rrs = 1;
        }
        let mut broke = g.clone();
        let az = area(&g, "AZ");
        broke.area_mut(az).broke = 1;
        assert_eq!(after_transcontinental(broke).tally[2].vps, 0);
        let mut gap = g.clone();
        gap.area_mut(az).rrs = 0;
        assert_eq!(after_transcontinental(gap).tally[2].vps, 0);

        let mut g = after_transcontinental(g);
        assert_eq!(g.tally[2].vps, 2);
        g.us = Seat(1);
        let g = after_transcontinental(g);
        assert_eq!((g.tally[1].vps, g.tally[2].vps), (0, 2));
    }
}
