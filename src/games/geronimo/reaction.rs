//! Reactions of Columns to Indian actions (5.35, 5.351).

use super::{
    Ask, Geronimo, Order, State, T,
    battle::Cost,
    campaign::{Attack, attack},
    columns::{barred, separate, stay_together, together},
    components::AreaId,
    facts, naming,
    ratings::{Force, Troops},
    reservation::ask,
    restraint::may_react,
    state::{Column, ColumnId, Place},
};
use postrider_orders::{Grammar, Misread, Phrase, counted, filler, nothing, one_of, variant};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// An event to which Columns may react.
#[derive(Clone, Debug)]
pub struct Occasion {
    pub target: Force,
    /// The War Party's Area, or both ends of a Relocation.
    pub areas: Vec<AreaId>,
    /// The Indian action, as a sentence.
    pub what: String,
    /// Columns that have already tried to react to this action, since each tries only once.
    pub tried: Vec<ColumnId>,
}

impl Occasion {
    /// Returns `true` if a Column may try: On Patrol, near enough, not yet tried, and not forbidden
    /// to attack this target.
    fn open_to(&self, g: &State, column: &Column) -> bool {
        !column.in_fort
            && column.commander.is_some()
            && !self.tried.contains(&column.id)
            && self.areas.iter().any(|&a| may_react(g, column, a))
            && barred(g, &Troops(vec![column.id]), &self.target, true).is_ok()
    }
    /// Returns the Area in which a Column would react: its own, or an adjacent one to which it
    /// would move (5.351).
    fn area_for(&self, g: &State, column: &Column) -> Option<AreaId> {
        let own = self.areas.iter().copied().find(|&a| a == column.area);
        own.or_else(|| self.areas.iter().copied().find(|&a| may_react(g, column, a)))
    }
    /// Returns the Columns that try together with this one (5.723). In their own Area, combined
    /// Columns react as one unless they separate; they cannot leave the Area as one.
    fn trying(&self, g: &State, column: &Column, alone: bool) -> Vec<ColumnId> {
        let one = !alone && self.area_for(g, column) == Some(column.area);
        if one { together(g, column.id) } else { vec![column.id] }
    }
    /// Returns the maximum Reaction DR for success, which is one less from an adjacent Area.
    fn needs(&self, g: &State, column: &Column, alone: bool) -> i32 {
        Troops(self.trying(g, column, alone)).speed(g) - i32::from(self.area_for(g, column) != Some(column.area))
    }
    /// Returns the Columns that may react now, with their maximum DRs: `George Crook on 3 or less`.
    pub fn feared(&self, g: &State) -> Vec<String> {
        let may = g.columns.iter().filter(|column| self.open_to(g, column));
        let needs = may.map(|column| (column.id, self.needs(g, column, false))).filter(|(_, needs)| *needs >= 0);
        needs.map(|(id, needs)| format!("{} on {needs} or less", g.column_name(id))).collect()
    }
    /// Returns the number of Columns that may react now, and the highest of their maximum DRs.
    pub fn reactors(&self, g: &State) -> (i64, Option<i32>) {
        let needs: Vec<i32> =
            g.columns.iter().filter(|k| self.open_to(g, k)).map(|k| self.needs(g, k, false)).collect();
        (needs.len() as i64, needs.into_iter().max())
    }
    /// Returns `true` if a combined Column could try without the others (5.723).
    fn may_separate(&self, g: &State, column: &Column) -> bool {
        self.trying(g, column, false).len() > 1
    }
}

/// An Indian action, for the purpose of Reactions. Each Column tries only once, against the attack
/// or Relocation or against a War Party that returns because of it (5.35).
#[derive(Default)]
pub struct Action {
    tried: Vec<ColumnId>,
}

impl Action {
    /// Returns an occasion for a Reaction to this action.
    pub fn occasion(&self, target: Force, areas: Vec<AreaId>, what: String) -> Occasion {
        Occasion { target, areas, what, tried: self.tried.clone() }
    }
}

/// Asks the US whether it reacts, and carries it out (5.35). Returns `None` if there was no Battle.
/// Columns react only in the Rounds of Indian players, not to War Parties that return because of
/// the US's own card (9.2AA).
pub async fn react(t: &T, g: &mut State, action: &mut Action, mut occasion: Occasion) -> Option<Cost> {
    if g.active == Some(g.us) || !occasion.target.stands(g) || !g.columns.iter().any(|k| occasion.open_to(g, k)) {
        return None;
    }
    let us = g.us;
    let Reacting { columns, coordinate, alone } = ask(t, g, us, Reaction(occasion.clone())).await;
    if columns.is_empty() {
        t.tell(|| format!("{} does not react.", g.who(us)));
    }
    let mut ready = Vec::new();
    for id in columns {
        let Some(column) = g.column(id).filter(|_| !occasion.tried.contains(&id)) else { continue };
        let (needed, area) = (occasion.needs(g, column, alone), occasion.area_for(g, column));
        let far = area != Some(column.area);
        let trying = occasion.trying(g, column, alone);
        occasion.tried.extend(&trying);
        action.tried.clone_from(&occasion.tried);
        if alone {
            separate(g, id);
        }
        let dr = t.d10("reaction") as i32;
        let success = dr <= needed;
        t.tell(|| {
            let what = if success { "reacts" } else { "fails to react" };
            let chance = if needed < 0 { "no DR succeeds".to_owned() } else { format!("needed {needed} or less") };
            let from = if far { " (from an adjacent Area)" } else { "" };
            format!("{} {what}: Reaction DR {dr}, {chance}{from}.", g.column_name(id))
        });
        if success {
            if let Some(area) = area {
                if g.column(id).is_some_and(|column| column.area != area) {
                    separate(g, id);
                }
                if let Some(column) = g.column_mut(id) {
                    column.area = area;
                }
            }
            // A relocating Village is met at the end of its move where the Column is (5.35).
            if let (Some(area), Force::Village(v), true) = (area, &occasion.target, ready.is_empty()) {
                g.village_mut(*v).place = Place::Area(area);
            }
            // Combined Columns react as one, and join others as one (5.723).
            ready.push(Troops(trying));
            if !coordinate {
                break;
            }
        }
    }
    let mut ready = ready.into_iter();
    let first = ready.next()?;
    let mut now = Attack::new(first, ready.collect(), occasion.target.clone());
    let cost = attack(t, g, &mut now).await;
    if now.combined {
        // Columns that were combined before and have now coordinated with others separate from all
        // of them, or stay with all.
        let joined = now.troops.0;
        if !stay_together(t, g, joined.clone()).await {
            joined.into_iter().for_each(|id| separate(g, id));
        }
    }
    cost
}

/// The question of which Columns react, and in which order.
pub struct Reaction(pub Occasion);

/// The reaction of the US; none without Columns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reacting {
    columns: Vec<ColumnId>,
    /// `true` if they try to coordinate (5.71).
    coordinate: bool,
    /// `true` if combined Columns separate (5.723).
    alone: bool,
}

impl Reaction {
    /// `react crook, miles together` · `react crook alone` · `no reaction`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let columns = Grammar::leaf(
            |words| {
                let (mut columns, mut coordinate, mut alone) = (Vec::new(), false, false);
                while !words.at_end() {
                    if words.eat("together") || words.eat("coordinated") {
                        coordinate = true;
                    } else if words.eat("alone") || words.eat("separately") {
                        alone = true;
                    } else {
                        columns.push(naming::column(g).read(words)?);
                    }
                    words.skip(&["and", "then", "with"]);
                }
                if columns.is_empty() {
                    Err(words.fail("which Column reacts?"))
                } else {
                    Ok((columns, coordinate, alone))
                }
            },
            |(columns, coordinate, alone): &(Vec<String>, bool, bool)| {
                let alone = if *alone { " alone" } else { "" };
                let together = if *coordinate { " together" } else { "" };
                (!columns.is_empty()).then(|| columns.join(", ") + alone + together)
            },
        );
        let react = filler("", &["with", "column", "columns"]).then(columns);
        let pass = || filler("", &["reaction"]).means(Order::Pass {});
        let short = one_of()
            .also(&["no", "pass", "none", "nothing"], pass())
            .on(
                &["react"],
                variant!(react => (columns, coordinate, alone) => Order::React { columns, coordinate, alone }),
            )
            .otherwise(nothing("`react` with a Column, or `no reaction`"));
        // Must come before the single word `no`, since "no reac" is more than that.
        one_of().on(&["no reaction"], pass()).otherwise(short)
    }
}

impl Prompt<Geronimo> for Reaction {
    type Answer = Reacting;
    fn kind(&self) -> Ask {
        Ask::Reaction
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let (names, coordinate, alone) = match order {
            Order::Pass {} => return Ok(Reacting::default()),
            Order::React { columns, coordinate, alone } => (columns, *coordinate, *alone),
            _ => return refuse("5.35", "Name the Columns that react, or say `no reaction`."),
        };
        let mut columns = Vec::new();
        for name in names {
            match g.column_named(name) {
                Some(k) if self.0.open_to(g, k) && !columns.contains(&k.id) => columns.push(k.id),
                Some(_) => {
                    return refuse(
                        "5.35",
                        format!("{name} cannot react here: only Columns On Patrol in range, each once."),
                    );
                }
                None => return refuse("5.35", format!("No Column is commanded by {name}.")),
            }
        }
        let united = |id: &ColumnId| g.column(*id).is_some_and(|k| self.0.may_separate(g, k));
        if alone && !columns.iter().any(united) {
            return refuse(
                "5.723",
                "None of these Columns has combined with others here: each tries by itself anyway.",
            );
        }
        if coordinate {
            let home = |id: &ColumnId| g.column(*id).map(|k| k.area);
            let mut all = columns.clone();
            if !alone {
                all.extend(columns.iter().flat_map(|&id| together(g, id)));
                all.sort_unstable();
                all.dedup();
            }
            if all.len() > 3 {
                return refuse("5.71", "At most three Columns coordinate.");
            }
            if columns.iter().any(|id| {
                home(id) != columns.first().and_then(home) || !home(id).is_some_and(|a| self.0.areas.contains(&a))
            }) {
                return refuse("5.71", "Only Columns in the same Area as the Indian action coordinate a Reaction.");
            }
        }
        Ok(Reacting { columns, coordinate, alone })
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = Description::new("React or not", "5.35").examples();
        d = d.line(self.0.what.clone());
        let target = &self.0.target;
        let evades = match target.may_evade(g) {
            true => format!("evades on {} or less", target.evasion_capability(g)),
            false => "cannot evade".to_owned(),
        };
        d = d.line(format!("Target: {}, {}, {evades}.", target.name(g), counted(target.bps(g), "BP")));
        for column in g.columns.iter().filter(|k| self.0.open_to(g, k)) {
            let (name, needs) = (g.column_name(column.id), self.0.needs(g, column, false));
            let odds = if needs < 0 { "cannot succeed".to_owned() } else { format!("reacts on {needs} or less") };
            let alone = match self.0.may_separate(g, column) {
                true => format!(" with those it has combined with, alone on {}", self.0.needs(g, column, true)),
                false => String::new(),
            };
            let (bps, area) = (counted(column.bps, "BP"), &g.c[column.area].name);
            d = d.line(format!("{name}, {bps}, in {area}: {odds}{alone}."));
        }
        match g.columns.iter().filter(|k| self.0.open_to(g, k)).count() {
            // React with it or not; no other answer is possible.
            1 => Description { complete: true, ..d },
            _ => d.line("Several Columns try one after the other until one succeeds; `together` lets them coordinate."),
        }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        Self::grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        Self::grammar(g).say(order)
    }
    fn facts(&self, g: &State, seat: Seat, order: Option<&Order>) -> Vec<Fact> {
        let Occasion { target, areas, .. } = &self.0;
        let evades = if target.may_evade(g) { facts::dr(target.evasion_capability(g)) } else { 0 };
        let mut all = vec![
            Fact::among("area", areas.iter().map(|&a| g.c[a].name.clone())),
            Fact::number("enemy bps", target.bps(g)),
            Fact::among("village", target.villages(g).into_iter().map(|v| g.c[v].name.clone())),
            Fact::share("evades", evades, 10),
            Fact::whether("moving village", matches!(target, Force::Village(_))),
        ];
        let Some(Reacting { columns, alone, .. }) = order.and_then(|order| self.accept(g, seat, order).ok()) else {
            return all;
        };
        let troops = Troops(columns.clone());
        // The Columns try one after the other until one succeeds. `of` is ten to the power of their
        // number, and `fail` the number of failing cases.
        let tenths = columns.iter().filter_map(|&id| g.column(id)).map(|k| 10 - facts::dr(self.0.needs(g, k, alone)));
        let (fail, of) = tenths.take(9).fold((1, 1), |(fail, of), one| (fail * one, of * 10));
        let met = facts::meeting(g, &troops, target, true);
        all.extend(
            met.into_iter().filter(|fact| ["outnumbered", "outnumbering", "bps", "column"].contains(&fact.name)),
        );
        all.push(Fact::share("chance", of - fail, of));
        all
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = Self::grammar(g);
        let said = |able: &[&Column], coordinate: bool, alone: bool| {
            let columns = able.iter().map(|k| g.column_name(k.id).to_owned()).collect();
            Choice::said(Order::React { columns, coordinate, alone }, &grammar)
        };
        let react = |able: &[&Column], coordinate: bool| said(able, coordinate, false);
        let odds = |k: &Column, alone: bool| match self.0.needs(g, k, alone) {
            ..0 => "cannot succeed".to_owned(),
            needs => format!("on {needs} or less"),
        };
        let mut options = vec![Choice::said(Order::Pass {}, &grammar)];
        let able: Vec<&Column> = g.columns.iter().filter(|k| self.0.open_to(g, k)).collect();
        options.extend(able.iter().map(|k| react(&[k], false).note(odds(k, false))));
        let united: Vec<&Column> = able.iter().filter(|k| self.0.may_separate(g, k)).copied().collect();
        let by_itself = |k: &&Column| said(&[k], false, true).note(odds(k, true));
        options.extend(united.iter().map(by_itself));
        if united.len() > 1 {
            options.push(said(&united, false, true).note("they separate, and try one after the other"));
        }
        if able.len() > 1 {
            options.push(react(&able, false).note("one after the other"));
            for &area in &self.0.areas {
                let mates: Vec<&Column> = able.iter().filter(|k| k.area == area).take(3).copied().collect();
                let order = react(&mates, true);
                if mates.len() > 1 && self.accept(g, g.us, &order.order).is_ok() {
                    options.push(order);
                }
            }
        }
        options
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Pass {})
    }
}
