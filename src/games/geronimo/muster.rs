//! New Columns from the Reserve (5.343), and Columns that the US places freely: the first three of
//! the Campaign Game (11.11), and all of them when the Civil War begins (5.44, 9.2A).

use super::{
    Ask, Geronimo, Order, State, T,
    column_words::{new_column, strength},
    columns::{raise, reserve_commanders},
    components::{AreaId, CommanderId},
    naming, restraint,
    state::{COLUMN_ARTILLERY, COLUMN_BPS, ColumnId, CommanderPlace, Reserve},
};
use postrider_orders::{Grammar, Misread, Phrase, counted, filler, just, list_and, one_of, variant};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// A checked new Column, whose Commander, BPs and Artillery are in the Reserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewColumn {
    pub commander: CommanderId,
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
    pub area: AreaId,
    pub fort: bool,
}

impl NewColumn {
    /// Checks an order to place a new Column from the troops in `from` (5.343).
    ///
    /// # Errors
    ///
    /// A refusal by 5.31, 5.343 or 5.52. Whether Columns may enter the Area is not checked.
    pub fn of(g: &State, order: &Order, from: Reserve) -> Result<NewColumn, Refusal> {
        let Order::NewColumn { commander, bps, guns, gatlings, area, fort } = order else {
            return refuse("5.343", "Place a Column: new column miles 6 bps in montana on patrol.");
        };
        let commander = reserve_commander(g, commander)?;
        enough(*bps, *guns, *gatlings, from, "The Reserve")?;
        let Some(area) = g.c.area_by_name(area) else {
            return refuse("5.343", format!("There is no Area called {area}."));
        };
        Ok(NewColumn { commander, bps: *bps, guns: *guns, gatlings: *gatlings, area, fort: *fort })
    }
    /// Returns the order for this Column.
    pub fn order(self, g: &State) -> Order {
        let NewColumn { commander, bps, guns, gatlings, area, fort } = self;
        let (commander, area) = (g.c[commander].surname.clone(), g.c[area].name.clone());
        Order::NewColumn { commander, bps, guns, gatlings, area, fort }
    }
}

/// Returns the Commander in the Reserve with this name.
pub fn reserve_commander(g: &State, name: &str) -> Result<CommanderId, Refusal> {
    let found = g.c.commander_by_name(name).filter(|m| g.commanders[m.index()] == CommanderPlace::Reserve);
    found.ok_or_else(|| {
        let there: Vec<&str> = reserve_commanders(g).map(|m| g.c[m].surname.as_str()).collect();
        let have = if there.is_empty() { "nobody".into() } else { list_and(&there) };
        Refusal { rule: "5.343", why: format!("{name} is not in the Reserve; there: {have}.") }
    })
}

/// Checks that these BPs and Artillery markers can form a Column and are available (5.31, 5.52).
pub fn enough(bps: i32, guns: i32, gatlings: i32, from: Reserve, whence: &str) -> Result<(), Refusal> {
    if !(1..=COLUMN_BPS).contains(&bps) {
        return refuse("5.31", format!("A Column has 1 to {COLUMN_BPS} BPs."));
    }
    if guns < 0 || gatlings < 0 || guns.saturating_add(gatlings) > COLUMN_ARTILLERY {
        return refuse("5.52", format!("A Column has at most {COLUMN_ARTILLERY} Artillery markers."));
    }
    if bps > from.bps || guns > from.guns || gatlings > from.gatlings {
        return refuse("5.343", format!("{whence} has only {}.", strength(from.bps, from.guns, from.gatlings)));
    }
    Ok(())
}

/// Puts a new Column on the map, and removes its parts from the Reserve.
pub fn muster(t: &T, g: &mut State, new: &NewColumn) -> ColumnId {
    let &NewColumn { commander, bps, guns, gatlings, area, fort } = new;
    g.reserve.bps -= bps;
    g.reserve.guns -= guns;
    g.reserve.gatlings -= gatlings;
    let id = raise(g, Some(commander), bps, guns, gatlings, area, fort);
    t.tell(|| {
        let where_ = if fort { "In Fort" } else { "On Patrol" };
        let force = strength(bps, guns, gatlings);
        format!("A new Column under {}, {force}, in {}, {where_}.", g.c[commander].name, g.c[area].name)
    });
    id
}

/// The former place of a Column before redeployment, used as an example.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    pub area: AreaId,
    pub fort: bool,
    pub bps: i32,
}

/// The question for one more Column from the Reserve, outside of Column plays. The answer is `None`
/// if the US places no more.
#[derive(Clone, Default)]
pub struct Deployment {
    pub title: &'static str,
    pub rule: &'static str,
    /// Troops that may still be placed. They are in the Reserve.
    pub left: Reserve,
    /// Number of BPs that must be left for later Columns.
    pub keep: i32,
    /// If it must be the Mormon Column: the Area and the minimum BPs (9.2O).
    pub only: Option<(AreaId, i32)>,
    /// Areas that can take only a limited number of further Columns (9.2A, 9.2DD).
    pub closed: Vec<(AreaId, usize)>,
    /// Former places of Columns.
    pub posts: Vec<Post>,
    /// `true` if the US may leave the rest in Reserve.
    pub may_stop: bool,
}

/// Number of options of a deployment in a letter.
const EXAMPLES: usize = 8;

impl Deployment {
    fn most(&self) -> i32 {
        (self.left.bps - self.keep).min(COLUMN_BPS)
    }
    fn least(&self) -> i32 {
        self.only.map_or(1, |(_, least)| least.min(self.left.bps).max(1))
    }
    fn is_open(&self, a: AreaId) -> bool {
        self.only.is_none_or(|(only, _)| only == a) && !self.closed.contains(&(a, 0))
    }
    fn new_column(&self, g: &State, order: &Order) -> Result<NewColumn, Refusal> {
        let new = NewColumn::of(g, order, self.left)?;
        let name = &g.c[new.area].name;
        if let Some((only, _)) = self.only.filter(|(only, _)| *only != new.area) {
            return refuse("9.2O", format!("The Mormon Column stays in {}: place it first.", g.c[only].name));
        }
        if new.bps < self.least() {
            return refuse("9.2O", format!("The Mormon Column has {} BPs or more.", self.least()));
        }
        if new.bps > self.most() {
            let keep = self.keep;
            return refuse(self.rule, format!("{keep} BPs must be left for the Columns that follow."));
        }
        if self.closed.contains(&(new.area, 0)) {
            return refuse(self.rule, format!("No more Columns may stand in {name} than stood there before."));
        }
        Ok(new)
    }
}

impl Deployment {
    /// `new column miles with 6 bps in montana on patrol` · `done`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let column = one_of().on(&["new"], new_column(g)).otherwise(new_column(g));
        one_of()
            .on(&["done", "pass", "nothing", "finished"], just(Order::Pass {}))
            .otherwise(filler("", &["place", "put", "a"]).then(column))
    }
}

impl Prompt<Geronimo> for Deployment {
    type Answer = Option<NewColumn>;
    fn kind(&self) -> Ask {
        Ask::Deployment
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        match order {
            Order::Pass {} if self.may_stop && self.only.is_none() => Ok(None),
            Order::Pass {} => refuse(self.rule, "This Column must be placed."),
            _ => self.new_column(g, order).map(Some),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let there: Vec<&str> = reserve_commanders(g).map(|m| g.c[m].surname.as_str()).collect();
        let Reserve { bps, guns, gatlings } = self.left;
        let mut d = Description::new(self.title, self.rule)
            .examples()
            .line(format!("To place: {}. Commanders: {}.", strength(bps, guns, gatlings), list_and(&there)))
            .line(
                "Any Area, On Patrol or In Fort; 1 to 20 BPs and up to 3 Artillery markers in a Column (5.31, 5.52).",
            );
        if let Some((only, _)) = self.only {
            let least = self.least();
            d = d.line(format!("First the Mormon Column, in {}, with {least} BPs or more (9.2O).", g.c[only].name));
        }
        for post in &self.posts {
            let status = if post.fort { "In Fort" } else { "On Patrol" };
            d = d.line(format!("Before: {} in {}, {status}.", strength(post.bps, 0, 0), g.c[post.area].name));
        }
        let closed: Vec<&str> =
            self.closed.iter().filter(|(_, n)| *n == 0).map(|(a, _)| g.c[*a].name.as_str()).collect();
        if !closed.is_empty() {
            d = d.line(format!("No more Columns may stand in {}.", list_and(&closed)));
        }
        if self.may_stop { d.line("What you do not place stays in the Reserve: say `done`.") } else { d }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        Self::grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        Self::grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut options = Vec::new();
        if let Some(commander) = reserve_commanders(g).next() {
            let guns = self.left.guns.min(1);
            let homes = g.area_ids().filter(|&a| g.area(a).town_points() > 0 || self.only.is_some());
            let strong = (self.most() + 1) / 2;
            let fresh = homes.map(|area| Post { area, fort: false, bps: strong });
            let posts: Vec<Post> =
                if self.posts.is_empty() || self.only.is_some() { fresh.collect() } else { self.posts.clone() };
            for post in posts.into_iter().filter(|post| self.is_open(post.area)).take(EXAMPLES) {
                let bps = post.bps.clamp(self.least(), self.most().max(self.least()));
                let new = NewColumn { commander, bps, guns, gatlings: 0, area: post.area, fort: post.fort };
                options.push(Choice::said(new.order(g), &Self::grammar(g)));
            }
        }
        if self.may_stop && self.only.is_none() {
            options.push(Choice::said(Order::Pass {}, &Self::grammar(g)).note("the rest stays in Reserve"));
        }
        options
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        if self.may_stop && self.only.is_none() && below(6) == 0 {
            return Some(Order::Pass {});
        }
        let mut draw = |n: usize| below(n.max(1) as u32) as usize;
        let commanders: Vec<CommanderId> = reserve_commanders(g).collect();
        let areas: Vec<AreaId> = g.area_ids().filter(|&a| self.is_open(a)).collect();
        let commander = *commanders.get(draw(commanders.len()))?;
        let area = *areas.get(draw(areas.len()))?;
        let (least, most) = (self.least(), self.most());
        let bps = least + draw((most - least + 1).max(1) as usize) as i32;
        let guns = draw(self.left.guns.min(COLUMN_ARTILLERY) as usize + 1) as i32;
        Some(NewColumn { commander, bps, guns, gatlings: 0, area, fort: draw(2) == 0 }.order(g))
    }
    fn at_deadline(&self, g: &State, seat: Seat) -> Option<Order> {
        self.options(g, seat).into_iter().next().map(|choice| choice.order)
    }
}

/// Minimum BPs of the Mormon Column (9.2O).
pub const MORMON_BPS: i32 = 3;

/// The choice of the Mormon Column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    New(NewColumn),
    Standing(ColumnId),
}

/// The question of which Column becomes the Mormon Column (9.2O).
pub struct MormonColumn {
    pub utah: AreaId,
    /// Columns that are strong and near enough.
    pub standing: Vec<ColumnId>,
    /// `true` if a new one may come from the Reserve.
    pub fresh: bool,
}

impl MormonColumn {
    /// `crook` · `new column miles with 3 bps in utah on patrol`.
    fn grammar(g: &State) -> Grammar<'_, Order> {
        let standing = filler("", &["column", "mormon", "designate"]).then(naming::column(g));
        one_of().on(&["new"], new_column(g)).otherwise(variant!(standing => one => Order::Pick { one }))
    }
}

impl Prompt<Geronimo> for MormonColumn {
    type Answer = Watch;
    fn kind(&self) -> Ask {
        Ask::MormonColumn
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Watch, Refusal> {
        match order {
            Order::Pick { one } => match g.column_named(one).filter(|k| self.standing.contains(&k.id)) {
                Some(column) => Ok(Watch::Standing(column.id)),
                None => refuse(
                    "9.2O",
                    format!("{one} leads no Column of {MORMON_BPS} BPs in Utah, or On Patrol next to it."),
                ),
            },
            Order::NewColumn { .. } if self.fresh => {
                let new = NewColumn::of(g, order, g.reserve)?;
                restraint::may_enter(g, new.area)?;
                if new.area != self.utah || new.bps < MORMON_BPS {
                    return refuse(
                        "9.2O",
                        format!("The Mormon Column stands in Utah and has {MORMON_BPS} BPs or more."),
                    );
                }
                Ok(Watch::New(new))
            }
            _ => refuse("9.2O", "Name the Mormon Column: one that is listed, or a new one in Utah."),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let d = Description::new("Which Column watches the Mormons", "9.2O")
            .line("It stays in Utah for this Turn and attacks nobody; it reacts only to whoever attacks it.")
            .line("This counts as one Column play.");
        if !self.fresh {
            return d;
        }
        let Reserve { bps, guns, gatlings } = g.reserve;
        d.examples().line(format!(
            "Or a new Column in Utah of {MORMON_BPS} BPs or more; Reserve: {}.",
            strength(bps, guns, gatlings)
        ))
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        Self::grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        Self::grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut options: Vec<Choice<Order>> = Vec::new();
        for column in self.standing.iter().filter_map(|&id| g.column(id)) {
            let name = g.column_name(column.id).to_owned();
            let note = format!("{} in {}", counted(column.bps, "BP"), g.c[column.area].name);
            options.push(Choice::said(Order::Pick { one: name }, &Self::grammar(g)).note(note));
        }
        if let Some(commander) = reserve_commanders(g).next().filter(|_| self.fresh) {
            let new = NewColumn { commander, bps: MORMON_BPS, guns: 0, gatlings: 0, area: self.utah, fort: false };
            options.push(Choice::said(new.order(g), &Self::grammar(g)));
        }
        options
    }
    fn at_deadline(&self, g: &State, seat: Seat) -> Option<Order> {
        self.options(g, seat).into_iter().next().map(|choice| choice.order)
    }
}
