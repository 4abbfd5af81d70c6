//! The Survival Phase (4.5, 5.38, 6.25, 6.6, 8.14).

use super::{
    Ask, Geronimo, Order, State, T,
    components::{AreaId, VillageId},
    losses::{Gives, column_gives, tribe_loses, village_loses},
    reservation::{ask, go_on_reservation, reveal},
    state::{Column, ColumnId, Place},
};
use postrider_orders::{Grammar, Misread, Names, Phrase, counted, filler, list_and, variant};
use postrider_table::{Candidate, Choice, Description, Pick, Prompt, Refusal, Seat, refuse};
use std::borrow::Cow;

/// Carries out the Survival Phase (4.1E). The checks are public, so every Tribal Card in hand is
/// revealed first.
pub async fn survival_phase(t: &T, g: &mut State) {
    for tribe in g.c.tribe_ids() {
        reveal(t, g, tribe);
    }
    for a in g.area_ids() {
        survival(t, g, a);
    }
    for v in g.village_ids() {
        foreign_government(t, g, v).await;
    }
    for v in g.village_ids() {
        forced_on_reservation(t, g, v);
    }
    attrition(t, g).await;
}

/// The shares of an Area's Survival Points (6.63).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares {
    /// Survival Points in the order of the given sizes, without points that require a DR.
    pub points: Vec<i32>,
    /// Indices of equally large Villages among which the DR decides.
    pub tied: Vec<usize>,
    /// Number of points left for those.
    pub left: usize,
}

/// Divides Survival Points equally among Villages, with leftover points one by one for the largest
/// (6.63).
pub fn shares(points: i32, sizes: &[i32]) -> Shares {
    let count = sizes.len().max(1);
    // Survival Points are never negative (6.62), and no Area has more than 32 Villages.
    let (each, mut left) = (points / count as i32, (points % count as i32) as usize);
    let mut shares = Shares { points: vec![each; sizes.len()], tied: Vec::new(), left: 0 };
    let mut at: Vec<usize> = (0..sizes.len()).collect();
    at.sort_by_key(|&i| std::cmp::Reverse(sizes[i]));
    for equals in at.chunk_by(|&i, &j| sizes[i] == sizes[j]) {
        if left == 0 {
            break;
        }
        if equals.len() > left {
            (shares.tied, shares.left) = (equals.to_vec(), left);
            break;
        }
        for &i in equals {
            shares.points[i] += 1;
        }
        left -= equals.len();
    }
    shares
}

/// Returns the Survival Points that a Village earns from its share: less Devastation, then doubled
/// for inaction, then doubled again for a Mission (6.64; house ruling 6).
pub fn earned(share: i32, devastation: i32, did_nothing: bool, mission: bool) -> i32 {
    let doubled = |points: i32, double: bool| if double { 2 * points } else { points };
    doubled(doubled((share - devastation).max(0), did_nothing), mission)
}

/// Returns `true` if a Village has done nothing (6.64): its marker is not flipped, by its actions
/// or by Smallpox (9.2AA). In the Solitaire Game all drawn Villages are Finished, and those that
/// did nothing have a separate pile (11.37).
pub fn did_nothing(g: &State, v: VillageId) -> bool {
    let state = g.village(v);
    let flipped = if g.variant.solitaire { state.smallpox } else { state.finished };
    state.actions == 0 && !flipped
}

/// Checks the Survival of an Area (6.61 to 6.65).
fn survival(t: &T, g: &mut State, a: AreaId) {
    let villages: Vec<VillageId> = g.villages_in(a).collect();
    if !villages.iter().any(|&v| g.player_of(v).is_some()) {
        return;
    }
    let sizes: Vec<i32> = villages.iter().map(|&v| g.total_bps(v)).collect();
    let available = g.survival_points(a);
    let mut shares = shares(available, &sizes);
    // Dice are rolled only if they can affect a Village that is checked.
    if shares.tied.iter().any(|&i| g.player_of(villages[i]).is_some()) {
        let what = format!("A leftover Survival Point in {}", g.c[a].name);
        let name = |i: usize| format!("the {}", g.c[villages[i]].name);
        let order = by_dice(t, "survival share", &what, shares.tied.clone(), &name);
        for &i in order.iter().take(shares.left) {
            shares.points[i] += 1;
            t.tell(|| format!("A leftover Survival Point in {} goes to the {}.", g.c[a].name, g.c[villages[i]].name));
        }
    }
    for (&v, &share) in villages.iter().zip(&shares.points) {
        if g.player_of(v).is_none() {
            continue;
        }
        let state = g.village(v);
        let points = earned(share, state.devastation, did_nothing(g, v), g.area(a).mission);
        let rating = g.c[v].survival;
        // Exactly the rating is enough (6.65).
        if points < rating {
            t.tell(|| {
                format!(
                    "Survival in {} ({}): the {} earn {points}, need {rating}, and lose 1 BP.",
                    g.c[a].name,
                    counted(available, "Survival Point"),
                    g.c[v].name
                )
            });
            tribe_loses(t, g, v, 1);
        }
    }
}

/// Maximum number of times that ties are rolled again. Fair dice practically never tie that often,
/// but a truncated record of dice repeats the same face forever, and the loop must end.
pub const REROLLS: u32 = 64;

/// Makes a DR for each, and tells its purpose with their names.
pub fn roll_each<X: Copy>(
    t: &T,
    label: &'static str,
    what: &str,
    among: Vec<X>,
    name: &impl Fn(X) -> String,
) -> Vec<(i64, X)> {
    let dice: Vec<(i64, X)> = among.into_iter().map(|x| (t.d10(label), x)).collect();
    t.tell(|| {
        let each: Vec<String> = dice.iter().map(|&(dr, x)| format!("{} DR {dr}", name(x))).collect();
        format!("{what}: {}.", list_and(&each))
    });
    dice
}

/// Sorts tied items by dice, highest DR first. Remaining ties are rolled again.
pub fn by_dice<X: Copy>(t: &T, label: &'static str, what: &str, tied: Vec<X>, name: &impl Fn(X) -> String) -> Vec<X> {
    let mut order = vec![tied];
    for _ in 0..REROLLS {
        if order.iter().all(|equals| equals.len() < 2) {
            break;
        }
        let parted = |equals: Vec<X>| -> Vec<Vec<X>> {
            if equals.len() < 2 {
                return vec![equals];
            }
            let mut dice = roll_each(t, label, what, equals, name);
            dice.sort_by_key(|&(dr, _)| std::cmp::Reverse(dr));
            dice.chunk_by(|a, b| a.0 == b.0).map(|equals| equals.iter().map(|&(_, x)| x).collect()).collect()
        };
        order = order.into_iter().flat_map(parted).collect();
    }
    order.into_iter().flatten().collect()
}

/// Rolls for the effect of a foreign government on a Village, active or not (6.25).
async fn foreign_government(t: &T, g: &mut State, v: VillageId) {
    let (from, canada) = match g.village(v).place {
        Place::Mexico { from } => (from, false),
        Place::Canada { from } => (from, true),
        _ => return,
    };
    let country = if canada { "Canada" } else { "Mexico" };
    let dr = t.d10("foreign government");
    match dr {
        0..=5 => t.tell(|| format!("Foreign Government DR for the {}: {dr}, they stay in {country}.", g.c[v].name)),
        6..=8 => {
            let bps = g.village(v).bps;
            t.tell(|| {
                let lost = halving(bps);
                format!(
                    "Foreign Government DR for the {}: {dr}, driven out of {country} with a loss of {}.",
                    g.c[v].name,
                    counted(lost, "BP")
                )
            });
            village_loses(t, g, v, halving(bps));
            let a = driven_to(t, g, v, from, canada).await;
            g.village_mut(v).place = Place::Area(a);
            t.tell(|| format!("The {} are back in {}.", g.c[v].name, g.c[a].name));
        }
        _ => {
            t.tell(|| format!("Foreign Government DR for the {}: {dr}, destroyed in {country}.", g.c[v].name));
            for id in g.parties_of(v).map(|p| p.id).collect::<Vec<_>>() {
                g.bring_home(id);
            }
            let bps = g.village(v).bps;
            village_loses(t, g, v, bps);
        }
    }
}

/// Returns the loss if a strength is halved, rounded down: one of three (2.4).
fn halving(bps: i32) -> i32 {
    bps / 2
}

/// An Area to which a Village is driven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Refuge(AreaId);

impl Candidate<Geronimo> for Refuge {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![g.c[self.0].code.clone()]
    }
    fn note(&self, g: &State) -> String {
        let villages = g.villages_in(self.0).count();
        format!("{}, Villages there: {villages}", counted(g.survival_points(self.0), "Survival Point"))
    }
}

/// Lets the US place a Village in the Area that it left or an adjacent one along that border (6.24,
/// 6.25).
async fn driven_to(t: &T, g: &mut State, v: VillageId, from: AreaId, canada: bool) -> AreaId {
    let borders = |a: AreaId| if canada { g.c[a].canada } else { g.c[a].mexico };
    let next = g.c[from].adjacent.iter().copied().filter(|&b| borders(b));
    let among: Vec<Refuge> = std::iter::once(from).chain(next).map(Refuge).collect();
    if let [Refuge(only)] = among[..] {
        return only;
    }
    let pick = Pick::new(Ask::DrivenOut, "6.25", "Where the Village driven out goes", among)
        .verbs(&["place"])
        .telling(move |g: &State, d| d.line(format!("It is the Village of the {}.", g.c[v].name)));
    let us = g.us;
    ask(t, g, us, pick).await.0
}

/// Returns `true` if BPs are at most half of the printed size, rounded down (8.14).
pub fn at_half(bps: i32, size: i32) -> bool {
    bps <= size / 2
}

/// Rolls for an active, reduced Village on the map to be forced On Reservation (8.14). Its
/// available Chiefs go In Prison (7.81).
fn forced_on_reservation(t: &T, g: &mut State, v: VillageId) {
    if g.player_of(v).is_none() || g.area_of(v).is_none() || !at_half(g.total_bps(v), g.c[v].size) {
        return;
    }
    let rating = g.c[v].survival;
    let dr = t.d10("reservation") as i32;
    // Strictly less (house ruling 1).
    let goes = dr < rating;
    t.tell(|| {
        let result = if goes { "On Reservation" } else { "they stay" };
        format!("Reservation DR for the {}: {dr}, less than {rating} sends them: {result}.", g.c[v].name)
    });
    if !goes {
        return;
    }
    taken_by_force(t, g, v);
}

/// Moves a Village On Reservation by force, and puts all its available Chiefs In Prison (7.81,
/// 8.14, 12.13).
pub fn taken_by_force(t: &T, g: &mut State, v: VillageId) {
    let chiefs: Vec<_> = g.chiefs_of(v).collect();
    go_on_reservation(t, g, v);
    for &h in &chiefs {
        g.chiefs[h.index()].prison = true;
    }
    if !chiefs.is_empty() {
        t.tell(|| {
            let names: Vec<&str> = chiefs.iter().map(|&h| g.c[h].name.as_str()).collect();
            format!("In Prison: {}.", list_and(&names))
        });
    }
}

/// Rolls for Attrition (5.38): the DR is the number of Columns that lose a BP or an Artillery
/// marker each (5.55), chosen by the US. Besieged Columns are always included, whatever the DR
/// (12.13).
async fn attrition(t: &T, g: &mut State) {
    let dr = t.d10("attrition") as usize;
    // Every Column has a Commander until the Turn ends (5.41).
    let columns = g.columns.iter().filter(|k| k.commander.is_some()).count();
    let besieged = g.columns.iter().filter(|k| is_besieged(g, k)).count();
    let count = dr.min(columns).max(besieged);
    t.tell(|| {
        let among = if besieged > 0 { format!(", {besieged} of them under siege") } else { String::new() };
        format!("Attrition DR: {dr}, Columns that lose 1 BP: {count}{among}.")
    });
    if count == 0 {
        return;
    }
    let all = count == columns;
    let chosen = |k: &&Column| k.commander.is_some() && (all || is_besieged(g, k));
    let settled = (all || count == besieged) && g.columns.iter().filter(chosen).all(|k| k.guns + k.gatlings == 0);
    let taken: Vec<(ColumnId, Gives)> = if settled {
        g.columns.iter().filter(chosen).map(|k| (k.id, Gives::Bp)).collect()
    } else {
        let us = g.us;
        ask(t, g, us, Attrition { count }).await
    };
    t.tell(|| {
        let names: Vec<String> = taken
            .iter()
            .map(|&(id, gives)| match (g.column_name(id), gives) {
                (name, Gives::Bp) => name.to_owned(),
                (name, Gives::Gun) => format!("{name} (a Gun)"),
                (name, Gives::Gatling) => format!("{name} (a Gatling)"),
            })
            .collect();
        format!("Attrition falls on {}.", list_and(&names))
    });
    for (id, gives) in taken {
        column_gives(t, g, id, gives);
    }
}

fn is_besieged(g: &State, column: &Column) -> bool {
    g.events.sieges.contains(&column.id)
}

/// Returns the name of a loss: `Crook`, `Crook gun` or `Crook gatling`.
fn loss_name(surname: &str, gives: Gives) -> String {
    match gives {
        Gives::Bp => surname.to_owned(),
        Gives::Gun => format!("{surname} gun"),
        Gives::Gatling => format!("{surname} gatling"),
    }
}

/// The question of which Columns suffer Attrition (5.38).
pub struct Attrition {
    pub count: usize,
}

impl Attrition {
    /// Returns the loss for a name of the list.
    fn loss(g: &State, name: &str) -> Result<(ColumnId, Gives), Refusal> {
        let (surname, gives) = match name.rsplit_once(' ') {
            Some((surname, "gun")) => (surname, Gives::Gun),
            Some((surname, "gatling")) => (surname, Gives::Gatling),
            _ => (name, Gives::Bp),
        };
        let Some(column) = g.column_named(surname) else {
            return refuse("5.38", format!("{surname} commands no Column: name the Columns by their Commanders."));
        };
        if (gives == Gives::Gun && column.guns == 0) || (gives == Gives::Gatling && column.gatlings == 0) {
            return refuse("5.55", format!("{surname}'s Column has no such Artillery: it can lose a BP."));
        }
        Ok((column.id, gives))
    }
    /// Returns the Columns with their Commanders' surnames.
    fn losses(g: &State) -> impl Iterator<Item = (&Column, &str)> {
        g.columns.iter().filter_map(|k| Some((k, g.c[k.commander?].surname.as_str())))
    }
    /// `crook gun, miles and howard`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let names = Grammar::leaf(
            |words| {
                let columns = Names::from_iter("Column", Self::losses(g).map(|(_, surname)| (surname, surname)));
                let mut names = Vec::new();
                while !words.at_end() {
                    let surname = words.name(&columns)?;
                    words.skip(&["field", "a", "s"]);
                    let gives = match words.eat_any(&["gun", "gatling", "bp"]) {
                        Some(0) => Gives::Gun,
                        Some(1) => {
                            words.eat("gun");
                            Gives::Gatling
                        }
                        _ => Gives::Bp,
                    };
                    names.push(loss_name(surname, gives));
                    words.skip(&["and"]);
                }
                if names.is_empty() { Err(words.fail("name the Columns that take Attrition")) } else { Ok(names) }
            },
            |names: &Vec<String>| (!names.is_empty()).then(|| list_and(names)),
        );
        let names = filler("", &["attrition", "lose", "columns", "column", "from", "to"]).then(names);
        variant!(names => names => Order::List { names })
    }
}

impl Prompt<Geronimo> for Attrition {
    type Answer = Vec<(ColumnId, Gives)>;
    fn kind(&self) -> Ask {
        Ask::Attrition
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let Order::List { names } = order else {
            return refuse("5.38", format!("Name the Columns that take Attrition, {} of them.", self.count));
        };
        if names.len() != self.count {
            return refuse("5.38", format!("{} Columns take Attrition, not {}.", self.count, names.len()));
        }
        let mut taken: Vec<(ColumnId, Gives)> = Vec::with_capacity(names.len());
        for name in names {
            let loss = Self::loss(g, name)?;
            if taken.iter().any(|other| other.0 == loss.0) {
                return refuse("5.38", "No Column takes Attrition twice: name each once.");
            }
            taken.push(loss);
        }
        if let Some(k) = g.columns.iter().find(|k| is_besieged(g, k) && taken.iter().all(|other| other.0 != k.id)) {
            return refuse("12.13", format!("{} is under siege and takes Attrition in any case.", g.column_name(k.id)));
        }
        Ok(taken)
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = Description::new(format!("Attrition: name {} of your Columns", self.count), "5.38").examples();
        d = d.line("Each loses 1 BP, or an Artillery marker instead (crook gun, crook gatling).");
        for (k, surname) in Self::losses(g) {
            let siege = if is_besieged(g, k) { ", under siege: must be named" } else { "" };
            d = d.line(format!(
                "{surname} in {}: BPs {}, Guns {}, Gatlings {}{siege}",
                g.c[k.area].name, k.bps, k.guns, k.gatlings
            ));
        }
        d
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        Self::grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        Self::grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        // The strongest first, because they suffer least; then the same with Artillery instead of
        // BPs where possible.
        let mut columns: Vec<_> = Self::losses(g).collect();
        columns.sort_by_key(|(k, _)| (!is_besieged(g, k), std::cmp::Reverse(k.bps)));
        columns.truncate(self.count);
        let names = |spare: bool| {
            let name = |(k, surname): &(&Column, &str)| {
                let gives = match (spare, k.guns, k.gatlings) {
                    (true, 1.., _) => Gives::Gun,
                    (true, _, 1..) => Gives::Gatling,
                    _ => Gives::Bp,
                };
                loss_name(surname, gives)
            };
            columns.iter().map(name).collect::<Vec<_>>()
        };
        let grammar = Self::grammar(g);
        let choice = |names| Choice::said(Order::List { names }, &grammar);
        let mut options = vec![choice(names(false))];
        if columns.iter().any(|(k, _)| k.guns + k.gatlings > 0) {
            options.push(choice(names(true)));
        }
        options
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let (mut due, mut columns): (Vec<_>, Vec<_>) = Self::losses(g).partition(|(k, _)| is_besieged(g, k));
        let mut names = Vec::with_capacity(self.count);
        for _ in 0..self.count.min(due.len() + columns.len()) {
            let (k, surname) = match due.pop() {
                Some(one) => one,
                None => columns.swap_remove(below(columns.len() as u32) as usize),
            };
            let mut kinds = vec![Gives::Bp];
            kinds.extend((k.guns > 0).then_some(Gives::Gun));
            kinds.extend((k.gatlings > 0).then_some(Gives::Gatling));
            names.push(loss_name(surname, kinds[below(kinds.len() as u32) as usize]));
        }
        Some(Order::List { names })
    }
}

#[cfg(test)]
mod tests;
