//! Moving cubes (11): by groups, by railroad, with the influence of allies.

use super::{
    Ask, Order, Plains, T,
    components::{Components, Faction, Kind, RegionId, Spot},
    order::{self, counts},
    prospects,
    state::{Cubes, State, tell_cubes},
    words,
};
use crate::{
    orders::{Grammar, Misread, Phrase, filler, just, one_of, word},
    table::{Choice, Description, Prompt, Refusal, Seat, refuse},
    variant,
};

/// What a card or a disc lets one faction do.
#[derive(Clone, Debug)]
pub struct March {
    pub active: Faction,
    /// Groups that may still be moved.
    pub groups: u8,
    /// How many regions far.
    pub moves: u8,
    /// Whether one group of each box may go by railroad: with Engagement and Migration cards only (11.1).
    pub rail: bool,
    /// Whether a group move may empty the Casualty Box (11.4).
    pub recover: bool,
    /// Spots whose group has begun to move: more of its cubes go without another group move.
    pub begun: Vec<Spot>,
    /// Boxes whose group has gone by railroad.
    pub railed: Vec<Spot>,
    /// The group that moves by Pony Express.
    pub pony: Option<Spot>,
}

/// How far a Pony Express group goes.
const PONY_MOVES: u8 = 3;

impl March {
    pub fn new(active: Faction, groups: u8, moves: u8) -> March {
        March { active, groups, moves, rail: false, recover: false, begun: Vec::new(), railed: Vec::new(), pony: None }
    }
    fn by_card(active: Faction, groups: u8, moves: u8) -> March {
        let rail = matches!(active, Faction::Cavalry | Faction::Settlers);
        March { rail, recover: true, ..March::new(active, groups, moves) }
    }
    /// A movement card (9.1).
    pub fn of_card(active: Faction, groups: u8, moves: u8) -> March {
        March::by_card(active, groups, moves)
    }
    /// How far cubes from this spot may go now.
    fn range(&self, g: &State, from: Spot) -> u8 {
        if self.pony == Some(from) || (g.fx.pony && self.active == Faction::Settlers) {
            self.moves.max(PONY_MOVES)
        } else {
            self.moves
        }
    }
    /// 11: a group that has begun may go on; a new one needs a group move.
    fn may_move_from(&self, from: Spot) -> bool {
        self.groups > 0 || self.begun.contains(&from)
    }
}

/// Where cubes of a faction may stand (4.4, 6.1 to 6.5, 15.3, 15.4).
pub fn may_stand(g: &State, faction: Faction, spot: Spot) -> bool {
    let Spot::Region(r) = spot else {
        return match spot {
            Spot::Canada => matches!(faction, Faction::Npt | Faction::Enemies),
            Spot::Mexico => matches!(faction, Faction::Spt | Faction::Enemies),
            Spot::Rockies => faction != Faction::Railroad,
            _ => matches!(faction, Faction::Cavalry | Faction::Settlers),
        };
    };
    let region = &g.c[r];
    match faction {
        Faction::Npt => region.kind != Kind::PurpleSouth,
        Faction::Spt => region.kind != Kind::PurpleNorth,
        Faction::Cavalry => true,
        Faction::Settlers => !region.kind.is_purple() || g.variant.players > 2,
        Faction::Enemies => region.kind.is_purple() || region.adjacent.iter().any(|&b| g.c[b].kind.is_purple()),
        Faction::Wagons | Faction::Railroad => false,
    }
}

/// Whether a cube of a faction may go from one spot to the next (4.4, 6.3, 11.3). Nobody moves into St. Louis or Sacramento.
pub fn may_step(g: &State, faction: Faction, from: Spot, to: Spot) -> bool {
    let joined = match (from, to) {
        (Spot::Region(a), Spot::Region(b)) => g.c[a].adjacent.contains(&b),
        (Spot::StLouis, Spot::Region(b)) => g.c[b].st_louis,
        (Spot::Region(r), beside @ (Spot::Canada | Spot::Mexico | Spot::Rockies))
        | (beside @ (Spot::Canada | Spot::Mexico | Spot::Rockies), Spot::Region(r)) => {
            g.c[r].arrows.contains(&(beside, faction))
        }
        _ => false,
    };
    joined && may_stand(g, faction, to)
}

/// Where a step can lead for some faction at least: for each spot in the order of [`Components::spots`], in that order too.
pub fn near(c: &Components) -> Vec<Vec<Spot>> {
    let leads = |from: Spot, to: Spot| match (from, to) {
        (Spot::Region(a), Spot::Region(b)) => c[a].adjacent.contains(&b),
        (Spot::StLouis, Spot::Region(b)) => c[b].st_louis,
        (Spot::Region(r), beside) | (beside, Spot::Region(r)) => c[r].arrows.iter().any(|arrow| arrow.0 == beside),
        _ => false,
    };
    c.spots().map(|from| c.spots().filter(|&to| leads(from, to)).collect()).collect()
}

/// Spots that cubes can reach together within so many steps; entering an enemy or contested region ends the way (11).
pub fn reach(g: &State, active: Faction, from: Spot, cubes: &Cubes, moves: u8) -> Vec<Spot> {
    let factions: Vec<Faction> = cubes.each().map(|(f, _)| f).collect();
    let mut seen = vec![from];
    let mut edge = vec![from];
    for _ in 0..moves {
        let mut next = Vec::new();
        for &spot in &edge {
            if spot != from && g.stops(spot, active.is_indian()) {
                continue;
            }
            for &to in g.near(spot) {
                if !seen.contains(&to) && factions.iter().all(|&f| may_step(g, f, spot, to)) {
                    seen.push(to);
                    next.push(to);
                }
            }
        }
        edge = next;
    }
    seen.remove(0);
    seen
}

/// 11.1: regions beside the filled spaces of the railroad that starts at this box.
pub fn rail_reach(g: &State, from: Spot) -> Vec<RegionId> {
    let spaces: Vec<usize> = match from {
        Spot::StLouis => (0..g.east).collect(),
        Spot::Sacramento if g.through_mountains() => (g.c.rail.len() - g.west..g.c.rail.len()).collect(),
        _ => Vec::new(),
    };
    let mut regions: Vec<RegionId> = spaces.iter().flat_map(|&s| g.c.rail[s].regions.clone()).collect();
    regions.sort();
    regions.dedup();
    regions
}

/// 11.2.1: how many cubes of allies go with cubes of the faction that moves. Two Brown or one Purple with each Blue; one Blue
/// with two Brown or two Purple; one Indian cube with two of the other Plains Tribes. Only cubes of the same player.
fn influence(g: &State, active: Faction, cubes: &Cubes) -> Result<(), Refusal> {
    let own = cubes[active];
    let mut wanted = 0;
    for (f, n) in cubes.each().filter(|&(f, _)| f != active) {
        if g.owner(f) != g.owner(active) {
            return refuse("11.2", format!("{} cubes are not yours to move.", f.cubes()));
        }
        wanted += match (active, f) {
            (Faction::Cavalry, Faction::Settlers) => n.div_ceil(2),
            (Faction::Cavalry, Faction::Enemies) => n,
            (Faction::Settlers | Faction::Enemies, Faction::Cavalry)
            | (Faction::Npt, Faction::Spt)
            | (Faction::Spt, Faction::Npt) => n.saturating_mul(2),
            _ => return refuse("11.2.1", format!("{} cubes do not move with {} ones.", f.cubes(), active.cubes())),
        };
    }
    if wanted > own {
        let why = format!("{own} {} cubes cannot take {} along.", active.cubes(), allies(active, cubes));
        return refuse("11.2.1", format!("{why} {}.", ratios(active)));
    }
    Ok(())
}

fn allies(active: Faction, cubes: &Cubes) -> String {
    let mut others = *cubes;
    others[active] = 0;
    tell_cubes(&others)
}

/// Who can go along with a faction (11.2.1).
fn allies_of(active: Faction) -> &'static [Faction] {
    match active {
        Faction::Cavalry => &[Faction::Settlers, Faction::Enemies],
        Faction::Settlers | Faction::Enemies => &[Faction::Cavalry],
        Faction::Npt => &[Faction::Spt],
        _ => &[Faction::Npt],
    }
}

fn ratios(active: Faction) -> &'static str {
    match active {
        Faction::Cavalry => "Each Blue takes two Brown or one Purple",
        Faction::Settlers => "Two Brown take one Blue",
        Faction::Enemies => "Two Purple take one Blue",
        Faction::Npt => "Two Green take one Orange",
        _ => "Two Orange take one Green",
    }
}

/// The most allies that can go along with all cubes of the group, for the list of options.
fn whole_group(g: &State, active: Faction, from: Spot) -> Vec<Cubes> {
    let fresh = g.fresh(from);
    let own = fresh[active];
    if own == 0 {
        return Vec::new();
    }
    let mut groups = vec![Cubes::of(active, own)];
    let allies: &[(Faction, u8)] = match active {
        Faction::Cavalry => &[(Faction::Settlers, own.saturating_mul(2)), (Faction::Enemies, own)],
        Faction::Settlers | Faction::Enemies => &[(Faction::Cavalry, own / 2)],
        Faction::Npt => &[(Faction::Spt, own / 2)],
        _ => &[(Faction::Npt, own / 2)],
    };
    for &(ally, most) in allies {
        let n = fresh[ally].min(most);
        if n > 0 && g.owner(ally) == g.owner(active) {
            let mut cubes = Cubes::of(active, own);
            cubes[ally] = n;
            groups.push(cubes);
        }
    }
    groups
}

/// One step of a march.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    Move { from: Spot, to: Spot, cubes: Cubes },
    Rail { from: Spot, to: Spot, cubes: Cubes },
    Stay(RegionId),
    Recover,
    Done,
}

/// Moves groups until the player is done (11). Engagements that arise wait in [`State::contested`].
pub async fn march(t: &T, g: &mut State, mut march: March) {
    let seat = g.owner(march.active);
    loop {
        if !any_step(g, &march) {
            return;
        }
        match t.ask(g, seat, MarchPrompt(march.clone())).await {
            Step::Done => return,
            Step::Recover => {
                march.groups -= 1;
                recover(t, g, march.active);
            }
            Step::Stay(r) => {
                begin(&mut march, Spot::Region(r));
                contest(g, r);
                t.tell(|| {
                    format!(
                        "{} {} stay in {} to attack Wagons.",
                        g.region(r)[march.active],
                        march.active.cubes(),
                        g.name(r)
                    )
                });
            }
            Step::Move { from, to, cubes } => {
                let plain = reach(g, march.active, from, &cubes, march.moves).contains(&to);
                if !plain && march.pony != Some(from) {
                    g.fx.pony = false;
                    march.pony = Some(from);
                }
                begin(&mut march, from);
                if g.fx.lozen.is_some_and(|r| Spot::Region(r) == from) {
                    g.fx.fierce.extend(to.region());
                }
                g.shift(from, to, cubes, true);
                t.tell(|| format!("{} from {} to {}.", tell_cubes(&cubes), g.c.told(from), g.c.told(to)));
                arrive(g, march.active, to);
            }
            Step::Rail { from, to, cubes } => {
                march.groups -= 1;
                march.railed.push(from);
                g.shift(from, to, cubes, true);
                t.tell(|| format!("{} by railroad from {} to {}.", tell_cubes(&cubes), g.c.told(from), g.c.told(to)));
                arrive(g, march.active, to);
            }
        }
    }
}

fn begin(march: &mut March, from: Spot) {
    if !march.begun.contains(&from) {
        march.begun.push(from);
        march.groups -= 1;
    }
}

/// 11.4.
pub fn recover(t: &T, g: &mut State, faction: Faction) {
    let n = std::mem::take(&mut g.casualties[faction]);
    g.ready[faction] += n;
    t.tell(|| format!("{n} {} go from the Casualty Box back to the Ready Box.", faction.cubes()));
}

/// Cubes have come to a spot: where enemies are there will be an engagement (12).
pub fn arrive(g: &mut State, active: Faction, to: Spot) {
    let Spot::Region(r) = to else { return };
    let cubes = g.region(r);
    let enemies = if active.is_indian() { cubes.us() + cubes[Faction::Wagons] } else { cubes.indian() };
    if enemies > 0 {
        contest(g, r);
    }
}

fn contest(g: &mut State, r: RegionId) {
    if !g.contested.contains(&r) {
        g.contested.push(r);
    }
}

/// Whether anything but `done` can be ordered.
fn any_step(g: &State, march: &March) -> bool {
    MarchPrompt(march.clone()).to_do(g).next().is_some()
}

struct MarchPrompt(March);

impl MarchPrompt {
    fn check(&self, g: &State, from: &str, to: &str, list: &[order::Count]) -> Result<(Spot, Spot, Cubes), Refusal> {
        let active = self.0.active;
        let find = |name: &str| {
            let unknown = || Refusal { rule: "4.4", why: format!("There is no region called {name}.") };
            g.c.spot(name).ok_or_else(unknown)
        };
        let (from, to) = (find(from)?, find(to)?);
        let Some(cubes) = order::cubes(list) else {
            return refuse("6.7", "Black cubes never move.");
        };
        if cubes[active] == 0 {
            return refuse(
                "11.2",
                format!("A group has at least one {} cube: theirs is the card or disc.", active.cubes()),
            );
        }
        let fresh = g.fresh(from);
        if !fresh.has(&cubes) {
            let place = g.c.told(from);
            let why = if fresh.is_empty() {
                format!("In {place} stands no cube that can still move; none moves twice in a round.")
            } else {
                format!("In {place} stand {} that can still move, not {}.", tell_cubes(&fresh), tell_cubes(&cubes))
            };
            return refuse("11.0", why);
        }
        influence(g, active, &cubes)?;
        Ok((from, to, cubes))
    }
    /// The parts of groups that the list of options shows: whole groups, to every spot in reach.
    fn steps(&self, g: &State) -> Vec<Step> {
        self.to_do(g).chain([Step::Done]).collect()
    }
    /// All of them but `done`, one by one: often it is enough that there is one.
    fn to_do<'a>(&'a self, g: &'a State) -> impl Iterator<Item = Step> + 'a {
        let m = &self.0;
        let of_group = move |from: Spot, cubes: Cubes| {
            let mut steps = Vec::new();
            if m.may_move_from(from) {
                let reached = reach(g, m.active, from, &cubes, m.range(g, from));
                steps.extend(reached.into_iter().map(|to| Step::Move { from, to, cubes }));
            }
            if m.rail && m.groups > 0 && !m.railed.contains(&from) {
                let fits = |r: &RegionId| cubes.each().all(|(f, _)| may_stand(g, f, Spot::Region(*r)));
                let reached = rail_reach(g, from).into_iter().filter(fits);
                steps.extend(reached.map(|r| Step::Rail { from, to: Spot::Region(r), cubes }));
            }
            steps
        };
        let groups =
            g.c.spots()
                .flat_map(move |from| whole_group(g, m.active, from).into_iter().map(move |cubes| (from, cubes)));
        let stays = g.c.region_ids().filter(move |&r| {
            let cubes = g.region(r);
            let may =
                m.active.is_indian() && g.targets(r) > 0 && cubes.us() == 0 && g.fresh(Spot::Region(r))[m.active] > 0;
            may && m.may_move_from(Spot::Region(r)) && !g.contested.contains(&r)
        });
        let recovers = m.recover && m.groups > 0 && g.casualties[m.active] > 0;
        (groups.flat_map(move |(from, cubes)| of_group(from, cubes)))
            .chain(stays.map(Step::Stay))
            .chain(recovers.then_some(Step::Recover))
    }
    /// `done` · `recover casualties` · `attack wagons in denver` · `move 2 green from cheyenne to denver` · `rail …`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let active = self.0.active;
        let place = || filler("", &["the"]).then(words::place(g));
        let way = |says| {
            let cubes = filler(says, &["move", "group", "of"]).then(words::cubes(active));
            cubes.and(word(&["from"]).then(place())).and(word(&["to", "into"]).then(place()))
        };
        let wagons = filler("wagons in", &["the", "wagons", "wagon", "in", "at"]).then(words::place(g));
        one_of()
            .on(&["done", "stop"], just(Order::Done {}))
            .on(&["recover"], words::recover())
            .on(&["attack"], variant!(wagons => region => Order::Stay { region }))
            .on(&["rail"], variant!(way("") => ((cubes, from), to) => Order::Rail { from, to, cubes }))
            .otherwise(variant!(way("move") => ((cubes, from), to) => Order::Move { from, to, cubes }))
    }
    fn order(g: &State, step: Step) -> Order {
        let name = |spot: Spot| g.c.spot_name(spot).to_owned();
        match step {
            Step::Move { from, to, cubes } => Order::Move { from: name(from), to: name(to), cubes: counts(&cubes) },
            Step::Rail { from, to, cubes } => Order::Rail { from: name(from), to: name(to), cubes: counts(&cubes) },
            Step::Stay(r) => Order::Stay { region: g.name(r).to_owned() },
            Step::Recover => Order::Recover {},
            Step::Done => Order::Done {},
        }
    }
    fn note(g: &State, step: Step) -> String {
        match step {
            Step::Move { to, cubes, .. } | Step::Rail { to, cubes, .. } => prospects::note(g, to, &cubes),
            Step::Stay(_) | Step::Recover | Step::Done => String::new(),
        }
    }
}

impl Prompt<Plains> for MarchPrompt {
    type Answer = Step;
    fn kind(&self) -> Ask {
        Ask::Movement
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Step, Refusal> {
        let m = &self.0;
        match order {
            Order::Done {} => Ok(Step::Done),
            Order::Recover {} => {
                if !m.recover {
                    refuse("11.4", "Only a movement card's group move empties the Casualty Box.")
                } else if m.groups == 0 {
                    refuse("11.4", "All group moves are used up.")
                } else if g.casualties[m.active] == 0 {
                    refuse("11.4", format!("There are no {} cubes in the Casualty Box.", m.active.cubes()))
                } else {
                    Ok(Step::Recover)
                }
            }
            Order::Stay { region } => {
                let stays =
                    self.steps(g).into_iter().find(|step| matches!(step, Step::Stay(r) if g.name(*r) == region));
                stays.ok_or_else(|| Refusal {
                    rule: "4.3",
                    why: format!(
                        "No group of yours can stay in {region} to attack Wagons: it needs Indian cubes that have not \
                                  moved, Wagons, no other US cubes and a group move."
                    ),
                })
            }
            Order::Move { from, to, cubes } => {
                let (from, to, cubes) = self.check(g, from, to, cubes)?;
                if !m.may_move_from(from) {
                    return refuse(
                        "11.0",
                        "All group moves are used up; only groups that have begun to move can go on.",
                    );
                }
                let range = m.range(g, from);
                if !reach(g, m.active, from, &cubes, range).contains(&to) {
                    return Err(self.unreachable(g, from, to, &cubes, range));
                }
                Ok(Step::Move { from, to, cubes })
            }
            Order::Rail { from, to, cubes } => {
                if !m.rail {
                    return refuse("11.1", "Groups go by railroad with Engagement and Migration cards only.");
                }
                let (from, to, cubes) = self.check(g, from, to, cubes)?;
                if m.groups == 0 || m.railed.contains(&from) {
                    return refuse("11.1", format!("No more group can go by railroad from {}.", g.c.told(from)));
                }
                let fits = cubes.each().all(|(f, _)| may_stand(g, f, to));
                if !fits || !to.region().is_some_and(|r| rail_reach(g, from).contains(&r)) {
                    let why = if from == Spot::Sacramento && !g.through_mountains() {
                        "From Sacramento nobody goes before all M spaces are filled.".to_owned()
                    } else {
                        let stops: Vec<&str> = rail_reach(g, from).into_iter().map(|r| g.name(r)).collect();
                        let stops =
                            if stops.is_empty() { "nowhere yet".to_owned() } else { crate::orders::list_or(&stops) };
                        format!("The railroad from {} goes to {stops}.", g.c.told(from))
                    };
                    return refuse("11.1", why);
                }
                Ok(Step::Rail { from, to, cubes })
            }
            _ => refuse("11.0", "Here groups move: move 3 from cheyenne to denver, or done."),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let m = &self.0;
        let steps = self.steps(g);
        let recovers = usize::from(steps.contains(&Step::Recover));
        let title = format!("Where {} groups move", m.active.name());
        let mut d = Description::new(title, "11").few(prospects::NAMED + recovers + 1);
        let far = if m.moves == 1 { "a region".to_owned() } else { format!("up to {} regions", m.moves) };
        d = d.line(format!(
            "Group moves left: {}, each {far}. A group is what starts in one place; parts of it may go to different \
             places for the same group move.",
            m.groups
        ));
        if allies_of(m.active).iter().any(|&f| g.owner(f) == g.owner(m.active)) {
            d = d.line(format!("{} along.", ratios(m.active)));
        }
        if !m.begun.is_empty() {
            let begun: Vec<String> = m.begun.iter().map(|&s| g.c.told(s)).collect();
            d = d.line(format!("Groups that have begun to move: from {}.", crate::orders::list_and(&begun)));
        }
        if g.fx.pony && m.active == Faction::Settlers {
            d = d.line(format!("Pony Express: one group may go up to {PONY_MOVES} regions."));
        }
        for from in [Spot::StLouis, Spot::Sacramento] {
            let stops: Vec<&str> = rail_reach(g, from).into_iter().map(|r| g.name(r)).collect();
            if m.rail && m.groups > 0 && !m.railed.contains(&from) && g.fresh(from)[m.active] > 0 && !stops.is_empty() {
                d = d.line(format!("By railroad from {}: to {}.", g.c.told(from), crate::orders::list_or(&stops)));
            }
        }
        if !g.contested.is_empty() {
            let places: Vec<String> =
                g.contested.iter().map(|&r| format!("{} ({})", g.name(r), tell_cubes(g.region(r)))).collect();
            d = d.line(format!("Engagements to come: {}.", crate::orders::list_and(&places)));
        }
        let reach = prospects::in_reach(g, m.active, &steps);
        if !reach.is_empty() {
            d = d.line("Enemies in reach, and of whom:");
            for line in reach {
                d = d.line(line);
            }
        }
        d
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let steps = prospects::by_use(g, self.0.active, self.steps(g));
        let grammar = self.grammar(g);
        let choice = |step| Choice::said(Self::order(g, step), &grammar).note(Self::note(g, step));
        steps.into_iter().map(choice).collect()
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let steps = self.steps(g);
        let mut step = steps[below(steps.len() as u32) as usize];
        // A whole group is always legal, and so is a part without allies.
        if let Step::Move { cubes, .. } | Step::Rail { cubes, .. } = &mut step {
            let own = cubes[self.0.active];
            if below(2) == 0 {
                *cubes = Cubes::of(self.0.active, 1 + below(u32::from(own)) as u8);
                if let Step::Move { from, to, cubes } = step {
                    // Fewer colours reach at least as far.
                    debug_assert!(reach(g, self.0.active, from, &cubes, self.0.range(g, from)).contains(&to), "{seat}");
                }
            }
        }
        Some(Self::order(g, step))
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

impl MarchPrompt {
    /// Why cubes cannot get from here to there, for the one who asked.
    fn unreachable(&self, g: &State, from: Spot, to: Spot, cubes: &Cubes, range: u8) -> Refusal {
        let (a, b) = (g.c.told(from), g.c.told(to));
        let no = |rule: &'static str, why: String| Refusal { rule, why };
        if let Some((f, _)) = cubes.each().find(|&(f, _)| !may_stand(g, f, to)) {
            return may_not_stand(g, f, to);
        }
        if matches!(to, Spot::StLouis | Spot::Sacramento) {
            return no(
                "6.3",
                format!("Nobody moves into {b}: new cubes come there, and St. Louis is a place to retreat to."),
            );
        }
        if from == Spot::Sacramento {
            return no("6.3", "Sacramento is left by railroad only: rail 2 from sacramento to green river.".to_owned());
        }
        if reach(g, self.0.active, from, cubes, u8::MAX).contains(&to) {
            return no(
                "11.0",
                format!(
                    "From {a} to {b} is farther than the {range} {} of this move, or a region that ends movement lies on the \
                     way: one that the enemy controls or contests.",
                    if range == 1 { "region" } else { "regions" }
                ),
            );
        }
        if [from, to].iter().any(|spot| matches!(spot, Spot::Canada | Spot::Mexico | Spot::Rockies)) {
            return no(
                "11.3",
                format!("These cubes go between {a} and {b} only where an arrow of their colour leads."),
            );
        }
        no(
            "11.0",
            format!("There is no way from {a} to {b} for these cubes; enemy and contested regions end movement."),
        )
    }
}

/// Why cubes of a faction may not be in a spot at all (4.4, 6.1 to 6.5).
fn may_not_stand(g: &State, faction: Faction, spot: Spot) -> Refusal {
    let (cubes, place) = (faction.cubes(), g.c.told(spot));
    let (rule, why) = match spot {
        Spot::Canada => ("4.4", "Canada is for Green cubes and the Northern Enemies".to_owned()),
        Spot::Mexico => ("4.4", "Mexico is for Orange cubes and the Southern Enemies".to_owned()),
        Spot::StLouis | Spot::Sacramento => ("4.4", format!("{place} is for the Cavalry, the Settlers and Wagons")),
        _ => match faction {
            Faction::Npt => {
                ("6.1", format!("{place} is a Purple region of the south, and Green enters those of the north"))
            }
            Faction::Spt => {
                ("6.2", format!("{place} is a Purple region of the north, and Orange enters those of the south"))
            }
            Faction::Settlers => ("6.5", format!("{place} is a Purple region, which Settlers never enter")),
            Faction::Enemies => ("6.4", format!("{place} is neither a Purple region nor beside one")),
            _ => ("6.6.1", "Wagons go by their trails, with the White disc".to_owned()),
        },
    };
    Refusal { rule, why: format!("{cubes} cubes may not enter {place}: {why}.") }
}
