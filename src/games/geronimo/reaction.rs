//! Columns that react to what Indians do (5.35, 5.351).

use super::{
    Ask, Geronimo, Order, State, T,
    battle::Cost,
    campaign::{Attack, attack},
    columns::{barred, together},
    components::AreaId,
    naming,
    ratings::{Force, Troops},
    reservation::ask,
    restraint::may_react,
    state::{Column, ColumnId, Place},
};
use crate::{
    orders::{Grammar, Misread, Phrase, filler, nothing, one_of},
    table::{Choice, Description, Prompt, Refusal, Seat, refuse},
    variant,
};

/// Something that Columns may react to.
#[derive(Clone, Debug)]
pub struct Occasion {
    pub target: Force,
    /// Where it happens: the War Party's Area, or both ends of a Relocation.
    pub areas: Vec<AreaId>,
    /// What the Indians do, as a sentence.
    pub what: String,
    /// Columns that have already tried to react to this action: each tries once.
    pub tried: Vec<ColumnId>,
}

impl Occasion {
    /// Whether a Column may try: On Patrol, near enough, not yet tried, and not forbidden to attack this target.
    fn open_to(&self, g: &State, column: &Column) -> bool {
        !column.in_fort
            && column.commander.is_some()
            && !self.tried.contains(&column.id)
            && self.areas.iter().any(|&a| may_react(g, column, a))
            && barred(g, &Troops(vec![column.id]), &self.target, true).is_ok()
    }
    /// 5.351: the Area that a Column reacts in: its own, or the adjacent one it would move to.
    fn area_for(&self, g: &State, column: &Column) -> Option<AreaId> {
        let own = self.areas.iter().copied().find(|&a| a == column.area);
        own.or_else(|| self.areas.iter().copied().find(|&a| may_react(g, column, a)))
    }
    /// Who tries when this Column does: where they stand, Columns that stay together are one; they cannot leave as one (5.723).
    fn trying(&self, g: &State, column: &Column) -> Vec<ColumnId> {
        if self.area_for(g, column) == Some(column.area) { together(g, column.id) } else { vec![column.id] }
    }
    /// What a Column needs on its Reaction DR; from an adjacent Area the DR has +1.
    fn needs(&self, g: &State, column: &Column) -> i32 {
        Troops(self.trying(g, column)).speed(g) - i32::from(self.area_for(g, column) != Some(column.area))
    }
}

/// 5.35: asks the US whether it reacts, and carries it out. `None` when it came to no Battle. Columns only react in the
/// Rounds of Indian players: War Parties that the US's own card sends home (9.2AA) are not reacted to.
pub async fn react(t: &T, g: &mut State, occasion: &mut Occasion) -> Option<Cost> {
    if g.active == Some(g.us) || !occasion.target.stands(g) || !g.columns.iter().any(|k| occasion.open_to(g, k)) {
        return None;
    }
    let us = g.us;
    let (columns, coordinate) = ask(t, g, us, Reaction(occasion.clone())).await;
    let mut ready = Vec::new();
    for id in columns {
        let Some(column) = g.column(id).filter(|_| !occasion.tried.contains(&id)) else { continue };
        let (needed, area) = (occasion.needs(g, column), occasion.area_for(g, column));
        let far = area != Some(column.area);
        let trying = occasion.trying(g, column);
        occasion.tried.extend(trying);
        let dr = t.roll("reaction", 0, 9) as i32;
        let success = dr <= needed;
        t.tell(|| {
            let what = if success { "reacts" } else { "fails to react" };
            format!(
                "{} {what}: Reaction DR {dr}, needed {needed} or less{}.",
                g.column_name(id),
                if far { " (from an adjacent Area)" } else { "" }
            )
        });
        if success {
            if let (Some(area), Some(column)) = (area, g.column_mut(id)) {
                if column.area != area {
                    column.group = None;
                }
                column.area = area;
            }
            // A Village on the move is met at the end of its way where the Column is (5.35).
            if let (Some(area), Force::Village(v), true) = (area, &occasion.target, ready.is_empty()) {
                g.village_mut(*v).place = Place::Area(area);
            }
            ready.push(id);
            if !coordinate {
                break;
            }
        }
    }
    let (&first, rest) = ready.split_first()?;
    // Columns that stay together react as one (5.723).
    let troops = together(g, first);
    let joining = rest.iter().copied().filter(|id| !troops.contains(id)).collect();
    attack(t, g, &mut Attack::new(Troops(troops), joining, occasion.target.clone())).await
}

/// Which Columns react, in which order.
struct Reaction(Occasion);

impl Reaction {
    /// `react crook, miles together` · `no reaction`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let columns = Grammar::leaf(
            |words| {
                let (mut columns, mut coordinate) = (Vec::new(), false);
                while !words.at_end() {
                    if words.eat("together") || words.eat("coordinated") {
                        coordinate = true;
                    } else {
                        columns.push(naming::column(g).read(words)?);
                    }
                    words.skip(&["and", "then", "with"]);
                }
                if columns.is_empty() { Err(words.fail("which Column reacts?")) } else { Ok((columns, coordinate)) }
            },
            |(columns, coordinate): &(Vec<String>, bool)| {
                let together = if *coordinate { " together" } else { "" };
                (!columns.is_empty()).then(|| columns.join(", ") + together)
            },
        );
        let react = filler("", &["with", "column", "columns"]).then(columns);
        let pass = || filler("", &["reaction"]).means(Order::Pass {});
        let short = one_of()
            .also(&["no", "pass", "none", "nothing"], pass())
            .on(&["react"], variant!(react => (columns, coordinate) => Order::React { columns, coordinate }))
            .otherwise(nothing("`react` with a Column, or `no reaction`"));
        // Before the lone "no": "no reac" is more than that.
        one_of().on(&["no reaction"], pass()).otherwise(short)
    }
}

impl Prompt<Geronimo> for Reaction {
    type Answer = (Vec<ColumnId>, bool);
    fn kind(&self) -> Ask {
        Ask::Reaction
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let (names, coordinate) = match order {
            Order::Pass {} => return Ok((Vec::new(), false)),
            Order::React { columns, coordinate } => (columns, *coordinate),
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
        if coordinate {
            let home = |id: &ColumnId| g.column(*id).map(|k| k.area);
            if columns.len() > 3 {
                return refuse("5.71", "At most three Columns coordinate.");
            }
            if columns.iter().any(|id| {
                home(id) != columns.first().and_then(home) || !home(id).is_some_and(|a| self.0.areas.contains(&a))
            }) {
                return refuse("5.71", "Only Columns in the same Area as the Indian action coordinate a Reaction.");
            }
        }
        Ok((columns, coordinate))
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = Description::new("React or not", "5.35").examples();
        d = d.line(self.0.what.clone());
        let target = &self.0.target;
        let evades = match target.may_evade(g) {
            true => format!("evades on {} or less", target.evasion_capability(g)),
            false => "cannot evade".to_owned(),
        };
        d = d.line(format!("Target: {}, {} BPs, {evades}.", target.name(g), target.bps(g)));
        for column in g.columns.iter().filter(|k| self.0.open_to(g, k)) {
            let (name, needs) = (g.column_name(column.id), self.0.needs(g, column));
            let odds = if needs < 0 { "cannot succeed".to_owned() } else { format!("reacts on {needs} or less") };
            d = d.line(format!("{name}, {} BPs, in {}: {odds}.", column.bps, g.c[column.area].name));
        }
        match g.columns.iter().filter(|k| self.0.open_to(g, k)).count() {
            // React with it or do not: no other answer is possible.
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
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = Self::grammar(g);
        let react = |able: &[&Column], coordinate: bool| {
            let columns = able.iter().map(|k| g.column_name(k.id).to_owned()).collect();
            Choice::said(Order::React { columns, coordinate }, &grammar)
        };
        let mut options = vec![Choice::said(Order::Pass {}, &grammar)];
        let able: Vec<&Column> = g.columns.iter().filter(|k| self.0.open_to(g, k)).collect();
        options.extend(able.iter().map(|k| react(&[k], false).note(format!("on {} or less", self.0.needs(g, k)))));
        if able.len() > 1 {
            options.push(react(&able, false).note("one after the other"));
            for &area in &self.0.areas {
                let mates: Vec<&Column> = able.iter().filter(|k| k.area == area).take(3).copied().collect();
                if mates.len() > 1 {
                    options.push(react(&mates, true));
                }
            }
        }
        options
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Pass {})
    }
}
