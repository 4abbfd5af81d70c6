//! Marches (11): the question for a player who moves groups, and the effects of the orders.

use super::{
    Ask, Order, Plains, T,
    components::{Faction, RegionId, Spot},
    movement::{
        March, PONY_MOVES, Step, UnderWay, allies_of, arrive, contest, distance, influence, join, may_stand,
        rail_reach, ratios, reach, recover, whole_groups,
    },
    order::{self, counts},
    prospects,
    state::{Cubes, STACK, State, tell_cubes},
    words,
};
use postrider_orders::{Grammar, Misread, Phrase, Reader, filler, just, one_of, variant, word};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// Moves groups until the player is done (11). Engagements that arise are added to
/// [`State::contested`].
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
                g.hold(Spot::Region(r), march.active);
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
                step(g, &mut march, from, to, cubes);
                t.tell(|| format!("{} from {} to {}.", tell_cubes(&cubes), g.c.told(from), g.c.told(to)));
            }
            Step::Rail { from, to, cubes } => {
                march.groups -= 1;
                march.railed.push(from);
                g.advance(from, to, cubes);
                join(g, march.active, to, &cubes);
                t.tell(|| format!("{} by railroad from {} to {}.", tell_cubes(&cubes), g.c.told(from), g.c.told(to)));
                arrive(g, march.active, to);
            }
        }
    }
}

/// Moves a part of a group, or moves on with cubes that have left allies behind (11.0).
fn step(g: &mut State, march: &mut March, from: Spot, to: Spot, cubes: Cubes) {
    let on = march.goes_on(g, from, to, &cubes);
    let (start, gone) = match on {
        Some(at) => (march.under_way[at].start, march.under_way[at].gone),
        None => (from, 0),
    };
    let range = march.range(g, start);
    let far = distance(g, march.active, from, to, &cubes, range.saturating_sub(gone)).unwrap_or(0);
    let gone = gone + far;
    if gone > march.moves && march.pony != Some(start) {
        g.fx.pony = false;
        march.pony = Some(start);
    }
    if g.fx.lozen.is_some_and(|r| Spot::Region(r) == start) {
        g.fx.fierce.extend(to.region());
    }
    match on {
        Some(at) => {
            march.under_way[at].cubes -= cubes;
            g.shift(from, to, cubes);
            leave_wagons(g, march.active, from);
        }
        None => {
            begin(march, from);
            g.advance(from, to, cubes);
        }
    }
    join(g, march.active, to, &cubes);
    arrive(g, march.active, to);
    let mixed = cubes.each().count() > 1;
    if mixed && gone < range && !g.stops(to, march.active.is_indian()) {
        march.under_way.push(UnderWay { start, at: to, cubes, gone });
    }
    march.under_way.retain(|group| group.cubes[march.active] > 0);
}

/// Cancels the attack on Wagons in a region if all cubes that arrived there have moved on.
fn leave_wagons(g: &mut State, active: Faction, from: Spot) {
    let Spot::Region(r) = from else { return };
    if g.moved[usize::from(r.0)].side(active.is_indian()) == 0 {
        g.contested.retain(|&other| other != r);
    }
}

fn begin(march: &mut March, from: Spot) {
    if !march.begun.contains(&from) {
        march.begun.push(from);
        march.groups -= 1;
    }
}

/// Returns `true` if anything except `done` can be ordered.
fn any_step(g: &State, march: &March) -> bool {
    MarchPrompt(march.clone()).to_do(g).next().is_some()
}

pub struct MarchPrompt(pub March);

impl MarchPrompt {
    /// Checks that the cubes of an order are there and may move together, and returns them with
    /// start and destination.
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
        let on = self.0.under_way.iter().find(|group| group.at == from && group.cubes.has(&cubes));
        if !fresh.has(&cubes) && on.is_none() {
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
    /// Checks a group move by railroad (11.1).
    fn by_rail(&self, g: &State, from: &str, to: &str, cubes: &[order::Count]) -> Result<Step, Refusal> {
        let m = &self.0;
        if !m.rail {
            return refuse("11.1", "Groups go by railroad with Engagement and Migration cards only.");
        }
        let (from, to, cubes) = self.check(g, from, to, cubes)?;
        if m.groups == 0 || m.railed.contains(&from) || !g.fresh(from).has(&cubes) {
            return refuse("11.1", format!("No more group can go by railroad from {}.", g.c.told(from)));
        }
        let fits = cubes.each().all(|(f, _)| may_stand(g, f, to));
        if !fits || !to.region().is_some_and(|r| rail_reach(g, from).contains(&r)) {
            let why = if from == Spot::Sacramento && !g.through_mountains() {
                "From Sacramento nobody goes before all M spaces are filled.".to_owned()
            } else {
                let stops: Vec<&str> = rail_reach(g, from).into_iter().map(|r| g.name(r)).collect();
                let stops = if stops.is_empty() { "nowhere yet".to_owned() } else { postrider_orders::list_or(&stops) };
                format!("The railroad from {} goes to {stops}.", g.c.told(from))
            };
            return refuse("11.1", why);
        }
        Ok(Step::Rail { from, to, cubes })
    }
    /// Returns the steps that the list of options shows: whole groups, to every spot in reach.
    fn steps(&self, g: &State) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for step in self.to_do(g).chain([Step::Done]) {
            // Cubes that move on may equal others in the same place that have not moved.
            if self.0.under_way.is_empty() || !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps
    }
    /// Returns all of them except `done`, lazily, since it is often enough to know that there is
    /// one.
    fn to_do<'a>(&'a self, g: &'a State) -> impl Iterator<Item = Step> + 'a {
        let m = &self.0;
        let going_on = m.under_way.iter().flat_map(move |group| {
            let parts = whole_groups(g, m.active, &group.cubes).into_iter();
            parts.flat_map(move |cubes| {
                let reached = reach(g, m.active, group.at, &cubes, m.left(g, group));
                reached.into_iter().map(move |to| Step::Move { from: group.at, to, cubes })
            })
        });
        let of_group = move |from: Spot, cubes: Cubes| {
            let mut steps = Vec::new();
            if m.may_move_from(from) && m.may_activate(g, from) {
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
        let groups = g.c.spots().flat_map(move |from| {
            whole_groups(g, m.active, &g.fresh(from)).into_iter().map(move |cubes| (from, cubes))
        });
        let stays = g.c.region_ids().filter(move |&r| {
            let cubes = g.region(r);
            let may =
                m.active.is_indian() && g.targets(r) > 0 && cubes.us() == 0 && g.fresh(Spot::Region(r))[m.active] > 0;
            may && m.may_move_from(Spot::Region(r)) && !g.contested.contains(&r)
        });
        let recovers = m.recover && m.groups > 0 && g.casualties[m.active] > 0;
        (groups.flat_map(move |(from, cubes)| of_group(from, cubes)))
            .chain(going_on)
            .chain(stays.map(Step::Stay))
            .chain(recovers.then_some(Step::Recover))
    }
    /// `done` · `recover casualties` · `attack wagons in denver` ·
    /// `move 2 green from cheyenne to denver`, `cheyenne all to denver` · `rail …`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let active = self.0.active;
        let place = || filler("", &["the"]).then(words::place(g));
        let group = |says| filler(says, &["move", "group", "of"]).then(words::group(g, active));
        let to = || word(&["to", "into"]).then(place());
        let march = MarchPrompt(self.0.clone());
        let moved = group("move").and(self.over(g)).and(to()).and(self.over(g)).try_map(
            move |((((cubes, from), before), to), after), words| {
                let over: Vec<Spot> = before.into_iter().chain(after).flatten().collect();
                match march.leads_over(g, &cubes, [&from, &to], &over) {
                    true => Ok(((cubes, from), to)),
                    false => Err(words.fail(format!("no way of this move leads from {from} to {to} over there"))),
                }
            },
            |(way, to)| Some((((way.clone(), None), to.clone()), None)),
        );
        let wagons = filler("wagons in", &["the", "wagons", "wagon", "in", "at"]).then(words::place(g));
        one_of()
            .on(&["done"], just(Order::Done {}))
            .on(&["recover"], words::recover())
            .on(&["attack"], variant!(wagons => region => Order::Stay { region }))
            .on(&["rail"], variant!(group("").and(to()) => ((cubes, from), to) => Order::Rail { from, to, cubes }))
            .otherwise(variant!(moved => ((cubes, from), to) => Order::Move { from, to, cubes }))
    }
    /// `via north platte and cheyenne`, which is parsed but never written.
    fn over<'g>(&self, g: &'g State) -> Grammar<'g, Option<Vec<Spot>>> {
        let spot = Grammar::leaf(
            |words: &mut Reader<'_>| {
                words.skip(&["the"]);
                words.name(&g.names)
            },
            |&spot: &Spot| Some(g.c.spot_name(spot).to_owned()),
        );
        spot.many("and", |words| words.eat_any(&["and", "via", "through"]).is_some()).after(&["via", "through"])
    }
    /// Returns `true` if a path within the range of the move leads through these spots in sequence.
    /// The path does not affect the destination, but a player who names an impossible path must
    /// mean something else.
    fn leads_over(&self, g: &State, list: &[order::Count], [from, to]: [&str; 2], over: &[Spot]) -> bool {
        let active = self.0.active;
        let (Some(from), Some(to), Some(cubes)) = (g.c.spot(from), g.c.spot(to), order::cubes(list)) else {
            return true;
        };
        let on = self.0.goes_on(g, from, to, &cubes).map(|at| self.0.left(g, &self.0.under_way[at]));
        let most = on.unwrap_or_else(|| self.0.range(g, from));
        let (mut at, mut steps) = (from, 0);
        for &next in over.iter().chain([&to]) {
            // A spot that ends movement cannot be passed.
            if at != from && g.stops(at, active.is_indian()) {
                return false;
            }
            let Some(far) = distance(g, active, at, next, &cubes, most) else { return over.is_empty() };
            (at, steps) = (next, steps + far);
        }
        over.is_empty() || steps <= most
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
                if m.goes_on(g, from, to, &cubes).is_some() {
                    return Ok(Step::Move { from, to, cubes });
                }
                if !g.fresh(from).has(&cubes) {
                    return refuse(
                        "11.0",
                        format!("A group that goes on from {} does not get to {}.", g.c.told(from), g.c.told(to)),
                    );
                }
                if !m.may_activate(g, from) {
                    let why = format!(
                        "{} is not Purple controlled: there are not more Purple cubes than others of the US.",
                        g.c.told(from)
                    );
                    return refuse("10.4", why);
                }
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
            Order::Rail { from, to, cubes } => self.by_rail(g, from, to, cubes),
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
            d = d.line(format!("Groups that have begun to move: from {}.", postrider_orders::list_and(&begun)));
        }
        for group in &m.under_way {
            let (place, cubes) = (g.c.told(group.at), tell_cubes(&group.cubes));
            let left = match m.left(g, group) {
                1 => "1 region".to_owned(),
                left => format!("{left} regions"),
            };
            d = d.line(format!("{cubes} in {place} may go on up to {left}, and leave allies there."));
        }
        if g.fx.pony && m.active == Faction::Settlers {
            d = d.line(format!("Pony Express: one group may go up to {PONY_MOVES} regions."));
        }
        for from in [Spot::StLouis, Spot::Sacramento] {
            let stops: Vec<&str> = rail_reach(g, from).into_iter().map(|r| g.name(r)).collect();
            if m.rail && m.groups > 0 && !m.railed.contains(&from) && g.fresh(from)[m.active] > 0 && !stops.is_empty() {
                d = d.line(format!("By railroad from {}: to {}.", g.c.told(from), postrider_orders::list_or(&stops)));
            }
        }
        if !g.contested.is_empty() {
            let places: Vec<String> =
                g.contested.iter().map(|&r| format!("{} ({})", g.name(r), tell_cubes(g.region(r)))).collect();
            d = d.line(format!("Engagements to come: {}.", postrider_orders::list_and(&places)));
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
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
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
    fn dangers(&self, g: &State, seat: Seat, order: &Order) -> Vec<String> {
        let Ok(Step::Move { to, cubes, .. } | Step::Rail { to, cubes, .. }) = self.accept(g, seat, order) else {
            return Vec::new();
        };
        let indian = self.0.active.is_indian();
        let (there, come) = (g.cubes(to).side(indian), cubes.side(indian));
        if to.region().is_none() || there + come <= STACK {
            return Vec::new();
        }
        vec![format!(
            "{} cubes would stand in {} then: what is over {STACK} when the movement ends goes where your enemy sends it (4.4, 10.5).",
            there + come,
            g.c.told(to),
        )]
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

impl MarchPrompt {
    /// Returns the refusal for a destination that cannot be reached.
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

/// Returns the refusal for cubes of a faction that may not be at a spot at all (4.4, 6.1 to 6.5).
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
