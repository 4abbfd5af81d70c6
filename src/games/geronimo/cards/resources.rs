//! Shaman Cards that remove Resources from the map (9.2K, U).

use super::{
    super::{
        Ask, Geronimo, State, T,
        components::{AreaId, MineId},
        resources::settle_up,
    },
    among::choose,
};
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// A Mine on the map, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneMine {
    pub area: AreaId,
    pub mine: MineId,
}

impl Candidate<Geronimo> for OneMine {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.mine].name.as_str().into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![format!("mine in {}", g.c[self.area].name), g.c[self.area].name.clone()]
    }
    fn note(&self, g: &State) -> String {
        let value = g.c[self.mine].value;
        format!("{}; value {value}, removed by a DR of {} or more", g.c[self.area].name, value + 3)
    }
}

pub fn mines(g: &State) -> impl Iterator<Item = OneMine> + '_ {
    let all = g.area_ids().flat_map(|area| g.area(area).mines.iter().map(move |m| OneMine { area, mine: m.id }));
    all.filter(|m| !g.c[m.mine].lode)
}

/// The loss of the US together with a Mine that is played out (9.2K).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shrinks {
    Settlement,
    Town,
}

impl Candidate<Geronimo> for Shrinks {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        match self {
            Shrinks::Settlement => "Settlement".into(),
            Shrinks::Town => "Town".into(),
        }
    }
    fn note(&self, _: &State) -> String {
        match self {
            Shrinks::Settlement => "is removed".to_owned(),
            Shrinks::Town => "becomes three Settlements".to_owned(),
        }
    }
}

/// Rolls whether a Mine is played out, in which case the US also loses settlers (9.2K). House
/// ruling: the DR - 2 must be greater than the Mine's value.
pub async fn ghost_towns(t: &T, g: &mut State, seat: Seat) {
    // Mines with the same name in one Area are alike, so each name is listed once.
    let mut among: Vec<OneMine> = Vec::new();
    for mine in mines(g) {
        if !among.iter().any(|m| g.c[m.mine].name == g.c[mine.mine].name) {
            among.push(mine);
        }
    }
    if g.variant.solitaire {
        // The US chooses among the Mines with the lowest value, the Indians among those with the
        // highest (11.36).
        let values = among.iter().map(|m| g.c[m.mine].value);
        let rated = if seat == g.us { values.min() } else { values.max() };
        among.retain(|m| Some(g.c[m.mine].value) == rated);
    }
    let question =
        |among| Pick::new(Ask::GhostTowns, "9.2K", "Which Mine may be played out", among).verbs(&["mine", "play out"]);
    let Some(OneMine { area, mine }) = choose(t, g, seat, among, question).await else { return };
    let (value, dr) = (g.c[mine].value, t.d10("mine played out") as i32);
    t.tell(|| {
        let (name, area) = (&g.c[mine].name, &g.c[area].name);
        format!("Mine Played Out DR for {name} in {area}: {dr}, needed {} or more.", value + 3)
    });
    if dr - 2 <= value {
        return;
    }
    g.area_mut(area).mines.retain(|m| m.id != mine);
    t.tell(|| format!("The Mine {} is played out.", g.c[mine].name));
    let state = g.area(area);
    let kinds = [(state.settlements, Shrinks::Settlement), (state.towns, Shrinks::Town)];
    let among: Vec<Shrinks> = kinds.into_iter().filter(|&(n, _)| n > 0).map(|(_, kind)| kind).collect();
    let question = |among| Pick::new(Ask::GhostTown, "9.2K", "What goes with the Mine", among).verbs(&["remove"]);
    let us = g.us;
    if let Some(shrinks) = choose(t, g, us, among, question).await {
        shrink(t, g, area, shrinks);
        settle_up(t, g, area);
    }
}

/// Removes a Settlement, or replaces a Town with three Settlements (9.2K).
pub(super) fn shrink(t: &T, g: &mut State, area: AreaId, what: Shrinks) {
    let state = g.area_mut(area);
    match what {
        Shrinks::Settlement => {
            state.settlements -= 1;
            t.tell(|| format!("A Settlement leaves {}.", g.c[area].name));
        }
        Shrinks::Town => {
            state.towns -= 1;
            state.settlements += 3;
            t.tell(|| format!("A Town in {} becomes three Settlements.", g.c[area].name));
        }
    }
}

/// An RR marker of an Area, Broke or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneRailroad {
    pub area: AreaId,
    pub broke: bool,
}

impl Candidate<Geronimo> for OneRailroad {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        let name = g.c[self.area].name.as_str();
        if self.broke { format!("{name} Broke").into() } else { name.into() }
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        let code = &g.c[self.area].code;
        vec![if self.broke { format!("{code} Broke") } else { code.clone() }]
    }
    fn note(&self, g: &State) -> String {
        let area = g.area(self.area);
        match (self.broke, if self.broke { area.broke } else { area.rrs }) {
            (false, 1) => "the only one".to_owned(),
            (false, rrs) => format!("one of {rrs} RRs"),
            (true, 1) => "the only Broke one".to_owned(),
            (true, broke) => format!("one of {broke} Broke RRs"),
        }
    }
}

pub fn railroads(g: &State) -> impl Iterator<Item = OneRailroad> + '_ {
    g.area_ids().flat_map(|area| {
        let kinds = [(g.area(area).rrs, false), (g.area(area).broke, true)];
        kinds.into_iter().filter(|&(n, _)| n > 0).map(move |(_, broke)| OneRailroad { area, broke })
    })
}

/// Removes one RR marker, which may be Broke, from the map (9.2U).
pub async fn railroad_skimming_scandal(t: &T, g: &mut State, seat: Seat) {
    let among = railroads(g).collect();
    let question =
        |among| Pick::new(Ask::RrSkimming, "9.2U", "Which RR marker is removed", among).verbs(&["remove rr", "remove"]);
    let Some(OneRailroad { area, broke }) = choose(t, g, seat, among, question).await else { return };
    let state = g.area_mut(area);
    if broke {
        state.broke -= 1;
    } else {
        state.rrs -= 1;
    }
    t.tell(|| format!("{} RR marker is removed from {}.", if broke { "A Broke" } else { "An" }, g.c[area].name));
}
