//! First Columns, new troops and Commanders (3.45, 4.22 to 4.24, 5.43, 5.46, 11.11).

use super::super::{
    Ask, Geronimo, Order, State, T,
    column_words::{Posting, Troops, posting, strength},
    components::{AreaId, CommanderId},
    muster::{Deployment, muster},
    reservation::{ask, ask_at_rest},
    state::{COLUMN_ARTILLERY, COLUMN_BPS, CivilWar, Column, ColumnId, CommanderPlace},
};
use postrider_orders::{Grammar, Misread, Phrase, counted, filler, list_and, one_of};
use postrider_table::{Candidate, Choice, Description, OneOr, Pick, Prompt, Refusal, Seat, Word, refuse};
use std::borrow::Cow;

/// Lets the US place all its initial BPs as Columns without Commanders (3.45).
pub(super) async fn place_first_columns(t: &T, g: &mut State) {
    // At most as many Columns as will have Commanders (5.31), but enough of them for all BPs.
    let fewest = (g.reserve.bps + COLUMN_BPS - 1) / COLUMN_BPS;
    let most = commanders_due(g).max(fewest);
    while g.reserve.bps > 0 {
        let left = most - g.columns.len() as i32;
        let us = g.us;
        let new = ask_at_rest(t, g, us, FirstColumn { left }).await;
        g.reserve.bps -= new.bps;
        g.reserve.guns -= new.guns;
        let id = ColumnId(g.next_column);
        g.next_column += 1;
        g.columns.push(Column { id, ..new });
        t.tell(|| format!("The US places a {}.", describe(g, id)));
    }
}

/// Describes a Column, such as `Column of 8 with 1 Gun in Texas, On Patrol`.
fn describe(g: &State, id: ColumnId) -> String {
    let Some(k) = g.column(id) else { return String::new() };
    let mut with = Vec::new();
    for (n, what) in [(k.guns, "Gun"), (k.gatlings, "Gatling")] {
        match n {
            0 => {}
            1 => with.push(format!("1 {what}")),
            _ => with.push(format!("{n} {what}s")),
        }
    }
    let artillery = if with.is_empty() { String::new() } else { format!(" with {}", list_and(&with)) };
    let status = if k.in_fort { "In Fort" } else { "On Patrol" };
    format!("Column of {}{artillery} in {}, {status}", k.bps, g.c[k.area].name)
}

/// The question where to place a first Column (3.45).
///
/// `left` more Columns can be placed, including this one.
pub struct FirstColumn {
    pub left: i32,
}

impl FirstColumn {
    /// Returns the minimum BPs of this Column, so that the rest fits into the other Columns.
    fn least(&self, g: &State) -> i32 {
        (g.reserve.bps - COLUMN_BPS * (self.left - 1)).max(1)
    }
    fn most(g: &State) -> i32 {
        g.reserve.bps.min(COLUMN_BPS)
    }
    /// Returns the minimum Guns of this Column with `bps` BPs, so that the rest fits into the other
    /// Columns. All Guns must be placed as well.
    fn least_guns(&self, g: &State, bps: i32) -> i32 {
        let others = (self.left - 1).min(g.reserve.bps - bps).max(0);
        (g.reserve.guns - COLUMN_ARTILLERY * others).clamp(0, COLUMN_ARTILLERY)
    }
    /// `column of 8 with 1 gun in texas on patrol`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let troops = |troops: &Troops| match troops.artillery() {
            guns if guns.is_empty() => format!("of {}", troops.bps),
            guns => format!("of {} with{guns}", troops.bps),
        };
        let posted = || {
            posting(g, troops).try_map(
                |Posting { bps, guns, gatlings, area, fort }, words| match gatlings {
                    ..=0 => Ok(Order::SetUp { area, bps, guns, fort }),
                    _ => Err(words.fail("no Gatlings are in the game yet")),
                },
                |order| match order.clone() {
                    Order::SetUp { area, bps, guns, fort } => Some(Posting { bps, guns, gatlings: 0, area, fort }),
                    _ => None,
                },
            )
        };
        let column = one_of().on(&["column"], posted()).otherwise(posted());
        filler("", &["place", "put", "a", "new", "set", "up"]).then(column)
    }
    fn order(g: &State, a: AreaId, bps: i32, guns: i32, fort: bool) -> Order {
        Order::SetUp { area: g.c[a].name.clone(), bps, guns, fort }
    }
}

impl Prompt<Geronimo> for FirstColumn {
    type Answer = Column;
    fn kind(&self) -> Ask {
        Ask::SetUp
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Column, Refusal> {
        let Order::SetUp { area, bps, guns, fort } = order else {
            return refuse("3.45", "Place a Column: column of 8 with 1 gun in texas on patrol.");
        };
        let Some(a) = g.c.area_by_name(area) else {
            return refuse("3.45", format!("There is no Area called {area}."));
        };
        let (least, most) = (self.least(g), Self::most(g));
        if *bps > most || *bps < 1 {
            let left = if most < COLUMN_BPS { format!("; {} are left to place", g.reserve.bps) } else { String::new() };
            return refuse("5.31", format!("This Column can have 1 to {most} BPs{left}."));
        }
        if *bps < least {
            let others = self.left - 1;
            return refuse(
                "3.45",
                format!(
                    "All BPs must be placed, and {others} more Columns can be: this one needs {least} BPs or more."
                ),
            );
        }
        let guns_most = g.reserve.guns.min(COLUMN_ARTILLERY);
        if !(0..=guns_most).contains(guns) {
            return refuse("5.52", format!("This Column can have 0 to {guns_most} Guns."));
        }
        let guns_least = self.least_guns(g, *bps);
        if *guns < guns_least {
            return refuse(
                "3.45",
                format!("All Guns must be placed: this Column needs {guns_least}, as the last that can."),
            );
        }
        Ok(Column {
            id: ColumnId(0),
            commander: None,
            bps: *bps,
            guns: *guns,
            gatlings: 0,
            area: a,
            in_fort: *fort,
            played_in: 0,
            group: None,
            attacked_in: 0,
        })
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let (bps, guns, left) = (g.reserve.bps, g.reserve.guns, self.left);
        let mut d = Description::new("Place a Column of your first troops", "3.45")
            .examples()
            .line(format!("To place: {}; Columns still allowed: {left}.", strength(bps, guns, 0)))
            .line("All BPs and Guns go on the map now, 1 to 20 BPs a Column. Commanders come later by chance.");
        for k in &g.columns {
            d = d.line(format!("Placed: {}.", describe(g, k.id)));
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
        let (least, most) = (self.least(g), Self::most(g));
        // A ruling on the Reserve is refused if it leaves no Column to place.
        if least > most {
            return Vec::new();
        }
        let bps = least.max(most.min(6));
        let least = self.least_guns(g, bps);
        let guns = g.reserve.guns.min(1).max(least);
        let grammar = Self::grammar(g);
        let choice = |a, guns, fort| Choice::said(Self::order(g, a, bps, guns, fort), &grammar);
        // One option for each kind of Column and each Area with Villages would be too many, so each
        // Area is listed once.
        let places = g.area_ids().filter(|&a| g.villages_in(a).next().is_some());
        let mut options: Vec<Choice<Order>> = places.map(|a| choice(a, least, false)).collect();
        if let Some(a) = g.area_ids().next() {
            options.push(choice(a, guns, true));
        }
        options
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let mut between = |low: i32, high: i32| low + below((high - low + 1).max(1) as u32) as i32;
        let a = AreaId(between(0, g.areas.len() as i32 - 1) as u8);
        let bps = between(self.least(g), Self::most(g));
        let guns = between(self.least_guns(g, bps), g.reserve.guns.min(COLUMN_ARTILLERY));
        Some(Self::order(g, a, bps, guns, between(0, 1) == 1))
    }
}

/// Number of Columns that the US places before the first Round of the Campaign Game (11.11D).
const FIRST_COLUMNS: i32 = 3;

/// Lets the US place three Columns anywhere on the map under three of the Commanders just drawn;
/// everything else stays in Reserve (11.11D). The US chooses the Commanders, as for any new Column
/// (5.343; house reading).
pub(super) async fn place_three_columns(t: &T, g: &mut State) {
    for later in (0..FIRST_COLUMNS).rev() {
        let deployment = Deployment {
            title: "Place one of your three first Columns",
            rule: "11.11",
            left: g.reserve,
            keep: later,
            ..Deployment::default()
        };
        let us = g.us;
        if let Some(new) = ask(t, g, us, deployment).await {
            muster(t, g, &new);
        }
    }
}

/// Largest number of dice for new BPs in a Turn (4.23).
pub(crate) const MOST_TROOP_DICE: usize = 6;

/// Returns the number of dice for new BPs this Turn (4.23). In Turn 6 it is four if the Civil War
/// only begins then (13); six apply from the Turn after it.
fn troop_dice(g: &State) -> usize {
    match g.fx.civil_war {
        _ if g.is_campaign() && g.turn == g.turns.0 => 0,
        CivilWar::ToCome | CivilWar::Now => 4,
        CivilWar::Over => MOST_TROOP_DICE,
    }
}

/// Adds new BPs by dice and new Artillery by the Turn Track to the Reserve (4.23, 4.24, 5.344).
pub(super) async fn new_troops(t: &T, g: &mut State) {
    let dice = troop_dice(g);
    let rolled: Vec<i32> = (0..dice).map(|_| t.d10("troops") as i32).collect();
    let bps: i32 = rolled.iter().sum();
    g.reserve.bps += bps;
    let artillery = g.c.turn(g.turn).map_or(0, |track| track.artillery);
    g.reserve.guns += artillery;
    if dice == 0 {
        t.tell(|| {
            format!("First troops: {}, Artillery markers: {artillery}; no dice (4.23).", counted(g.reserve.bps, "BP"))
        });
    } else {
        t.tell(|| {
            let rolled: Vec<String> = rolled.iter().map(i32::to_string).collect();
            let (bps, artillery) = (counted(bps, "BP"), counted(artillery, "Artillery marker"));
            format!("New troops: {} = {bps}, {artillery}.", rolled.join(" + "))
        });
    }
    if g.fx.gatlings && artillery > 0 {
        let pick = Pick::new(
            Ask::Gatling,
            "4.24",
            "Whether one of the new Artillery markers is a Gatling",
            vec![Arm::Gatling, Arm::Guns],
        )
        .verbs(&["take"]);
        let us = g.us;
        if ask(t, g, us, pick).await == Arm::Gatling {
            g.reserve.guns -= 1;
            g.reserve.gatlings += 1;
            t.tell(|| "One of them is a Gatling.".to_owned());
        }
    }
}

/// The choice of a Gatling among the new Artillery, or Field Guns only (9.2J).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arm {
    Gatling,
    Guns,
}

impl Candidate<Geronimo> for Arm {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        match self {
            Arm::Gatling => "Gatling".into(),
            Arm::Guns => "Field Guns".into(),
        }
    }
}

/// Returns the number of Commanders in the last Turns, from the numbers of States and Tribes in
/// play (5.46). Half of the Tribes is rounded down.
pub fn late_commanders(states: i32, tribes: i32) -> i32 {
    24 - states + tribes / 2
}

/// Returns the number of Commanders that the US draws, at most the number alive (4.22, 5.46).
fn commanders_due(g: &State) -> i32 {
    let due = g.c.turn(g.turn).and_then(|track| track.commanders).unwrap_or_else(|| {
        let states = g.areas.iter().filter(|a| a.state).count() as i32;
        let tribes = g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe)).count() as i32;
        late_commanders(states, tribes)
    });
    let alive = g.commanders.iter().filter(|&&m| m == CommanderPlace::Cup).count() as i32;
    due.clamp(0, alive)
}

/// Draws the Commanders (4.22, 5.43). Since the draw is random, assigning them to Columns in the
/// order of the draw is random too. The rest go to the Reserve.
pub(super) async fn commanders(t: &T, g: &mut State) {
    let due = commanders_due(g);
    while g.columns.len() > due as usize {
        dissolve(t, g).await;
    }
    let mut cup: Vec<CommanderId> =
        g.c.commander_ids().filter(|m| g.commanders[m.index()] == CommanderPlace::Cup).collect();
    let drawn: Vec<CommanderId> = (0..due).map(|_| cup.remove(t.draw("commander", cup.len()))).collect();
    for (i, &m) in drawn.iter().enumerate() {
        g.commanders[m.index()] = match g.columns.get_mut(i) {
            Some(column) => {
                column.commander = Some(m);
                CommanderPlace::Column(column.id)
            }
            None => CommanderPlace::Reserve,
        };
    }
    for k in &g.columns {
        t.tell(|| format!("{} commands the {}.", g.column_name(k.id), describe(g, k.id)));
    }
    t.tell(|| {
        let spare: Vec<&str> = drawn.iter().skip(g.columns.len()).map(|&m| g.c[m].surname.as_str()).collect();
        if spare.is_empty() {
            "No Commander is in Reserve.".to_owned()
        } else {
            format!("Commanders in Reserve: {}.", list_and(&spare))
        }
    });
}

/// A Column without a Commander, identified by its number and Area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaderless(pub ColumnId);

impl Candidate<Geronimo> for Leaderless {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        let area = g.column(self.0).map_or("", |k| g.c[k.area].name.as_str());
        format!("column {} in {area}", self.0.0).into()
    }
    fn aliases(&self, _: &State) -> Vec<String> {
        vec![format!("column {}", self.0.0)]
    }
    fn note(&self, g: &State) -> String {
        describe(g, self.0)
    }
}

/// The place of a dissolved Column's BPs that do not join another Column.
pub const RESERVE: Word = Word::new("Reserve");

/// Dissolves a Column because there are more Columns than Commanders (5.46). This applies in every
/// Turn, since no Column may be without a Commander (5.31; house reading).
///
/// Its BPs go to Columns In Fort with room for them, or to the Reserve. Artillery goes with them if
/// there is room, otherwise to the Reserve.
async fn dissolve(t: &T, g: &mut State) {
    let us = g.us;
    let columns = g.columns.iter().map(|k| Leaderless(k.id)).collect();
    let pick = Pick::new(Ask::Dissolve, "5.46", "Which Column is dissolved for want of a Commander", columns)
        .verbs(&["dissolve"]);
    let Leaderless(id) = ask(t, g, us, pick).await;
    let Some(at) = g.columns.iter().position(|k| k.id == id) else { return };
    t.tell(|| format!("The {} is dissolved.", describe(g, id)));
    let gone = g.columns.remove(at);
    let (mut bps, mut guns, mut gatlings) = (gone.bps, gone.guns, gone.gatlings);
    while bps > 0 {
        let fits = |k: &&Column| k.in_fort && k.bps < COLUMN_BPS;
        let homes = OneOr::among(RESERVE, g.columns.iter().filter(fits).map(|k| Leaderless(k.id)));
        let home = if homes.len() == 1 {
            OneOr::Word(RESERVE)
        } else {
            let pick = Pick::new(Ask::DissolveInto, "5.46", "Where its BPs go", homes)
                .verbs(&["to"])
                .telling(move |_, d| d.line(format!("{}, to the Reserve or a Column In Fort.", counted(bps, "BP"))));
            ask(t, g, us, pick).await
        };
        let OneOr::One(Leaderless(fort)) = home else {
            g.reserve.bps += bps;
            t.tell(|| format!("{} go into the Reserve.", if bps == gone.bps { "Its BPs" } else { "The other BPs" }));
            break;
        };
        let most = g.column(fort).map_or(0, |k| (COLUMN_BPS - k.bps).min(bps));
        let joining = how_many(t, g, fort, bps, most).await;
        bps -= joining;
        if let Some(k) = g.column_mut(fort) {
            k.bps += joining;
            let taken = guns.min(COLUMN_ARTILLERY - k.guns - k.gatlings);
            (k.guns, guns) = (k.guns + taken, guns - taken);
            let taken = gatlings.min(COLUMN_ARTILLERY - k.guns - k.gatlings);
            (k.gatlings, gatlings) = (k.gatlings + taken, gatlings - taken);
        }
        t.tell(|| match joining == gone.bps {
            true => format!("Its BPs join the {}.", describe(g, fort)),
            false => format!("{joining} of its BPs join the {}.", describe(g, fort)),
        });
    }
    g.reserve.guns += guns;
    g.reserve.gatlings += gatlings;
}

/// Asks how many of a number of BPs join a Column with room for `most` (5.46). The maximum comes
/// first, because it is the default at the deadline.
async fn how_many(t: &T, g: &mut State, fort: ColumnId, bps: i32, most: i32) -> i32 {
    let among: Vec<u8> = (1..=u8::try_from(most).unwrap_or(0)).rev().collect();
    if among.len() < 2 {
        return most;
    }
    let pick = Pick::new(Ask::DissolveBps, "5.46", "How many of its BPs go there", among)
        .telling(move |g: &State, d| d.line(format!("{} to place; to the {}.", counted(bps, "BP"), describe(g, fort))));
    let us = g.us;
    i32::from(ask(t, g, us, pick).await)
}
