//! The words of orders for Columns (5.33, 5.45, 5.7).

use super::{
    Order, State,
    naming::{self, area, column, commander},
    order::Target,
    target_words::{aimed_at, indians, place},
    village_words::place_of,
};
use postrider_orders::{Grammar, Misread, Reader, counted, filler, just, list_and, one_of, variant};

/// The action of a Column in a single play.
#[derive(Clone, PartialEq)]
enum Deed {
    Move(String),
    EnterFort,
    LeaveFort,
    Attack(Target),
}

/// Parses a Column play: `crook moves to montana` · `crook with miles attacks crow village` ·
/// `new column miles with 6 bps in montana on patrol` · `reinforce crook with 3 bps` ·
/// `divide crook into miles with 3 bps` · `done`.
pub fn plays(g: &State) -> Grammar<'_, Order> {
    let strengthened = filler("", &["column", "the"]).then(column(g));
    let strengthened = strengthened.and(filler("with", &["with", "by"]).then(bps()));
    let divided = filler("", &["column"]).then(column(g));
    let divided = divided.and(filler("into", &["into", "for", "and"]).then(commander(g)));
    let divided = divided.and(filler("with", &["takes", "take"]).then(troops()));
    let divided = variant!(divided => ((column, commander), Troops { bps, guns, gatlings }) =>
        Order::Divide { column, commander, bps, guns, gatlings });
    let one = filler("", &["column", "the"]).then(column(g)).map(|column| (vec![column], false), |_| None);
    let enter = filler("", &["the", "fort", "in", "into"]).means(Deed::EnterFort);
    let leave = filler("", &["the", "fort", "on", "patrol"]).means(Deed::LeaveFort);
    let act = one_of()
        .said("moves", &["move", "goes", "go"], way(g))
        .said("attacks", &["attack"], variant!(indians_here(g) => target => Deed::Attack(target)))
        .said("enters fort", &["enter", "fort", "in"], enter)
        .said("leaves fort", &["leave", "patrol", "on"], leave)
        .or_fail("a Column moves, attacks, enters or leaves its Fort");
    let attackers = filler("", &["with", "by", "under", "column", "columns"]).then(columns(g));
    let attack = indians_here(g).and(attackers).map(
        |(target, (columns, alone))| Order::ColumnAttack { columns, target, alone },
        |order| match order.clone() {
            Order::ColumnAttack { columns, target, alone } => Some((target, (columns, alone))),
            _ => None,
        },
    );
    one_of()
        .on(&["done", "pass", "nothing", "finished"], just(Order::Pass {}))
        .on(&["new"], new_column(g))
        .on(&["reinforce"], variant!(strengthened => (column, bps) => Order::Reinforce { column, bps }))
        .on(&["divide"], divided)
        .also(&["move"], one.and(way(g)).map(play, played))
        .also(&["attack"], attack)
        .otherwise(filler("", &["column", "columns"]).then(columns(g)).and(act).try_map(plays_alone, played))
}

/// The named Columns, and `true` if they separate from those with which they are combined.
type Named = (Vec<String>, bool);

/// Returns the play of these Columns, or an error if several make a play other than an attack
/// (5.33).
fn plays_alone((named, deed): (Named, Deed), words: &Reader<'_>) -> Result<Order, Misread> {
    match (&named.0[..], &deed) {
        ([_], _) | (_, Deed::Attack(_)) => Ok(play((named, deed))),
        _ => Err(words.fail("Columns move, and enter and leave their Fort, one by one: each is a play of its own")),
    }
}

/// Returns the play of these Columns. A Column moves alone anyway (5.723).
fn play(((columns, alone), deed): (Named, Deed)) -> Order {
    let column = columns.first().cloned().unwrap_or_default();
    match deed {
        Deed::Move(to) => Order::Move { column, to },
        Deed::EnterFort => Order::EnterFort { column, alone },
        Deed::LeaveFort => Order::LeaveFort { column, alone },
        Deed::Attack(target) => Order::ColumnAttack { columns, target, alone },
    }
}

fn played(order: &Order) -> Option<(Named, Deed)> {
    let single = |column: String, alone: bool, deed: Deed| Some(((vec![column], alone), deed));
    match order.clone() {
        Order::Move { column, to } => single(column, false, Deed::Move(to)),
        Order::EnterFort { column, alone } => single(column, alone, Deed::EnterFort),
        Order::LeaveFort { column, alone } => single(column, alone, Deed::LeaveFort),
        Order::ColumnAttack { columns, target, alone } => Some(((columns, alone), Deed::Attack(target))),
        _ => None,
    }
}

/// Parses one or more Columns: `crook with miles and terry`, `crook alone`.
fn columns(g: &State) -> Grammar<'_, Named> {
    let read = |words: &mut Reader<'_>| {
        let (mut columns, mut alone) = (vec![column(g).read(words)?], false);
        loop {
            words.skip(&["with", "and"]);
            match words.try_name(&naming::columns(g)) {
                Some(id) => columns.push(g.column_name(id).to_owned()),
                None if words.eat("alone") || words.eat("separately") => alone = true,
                None => return Ok((columns, alone)),
            }
        }
    };
    Grammar::leaf(read, |(columns, alone): &Named| {
        let alone = if *alone { " alone" } else { "" };
        match columns.split_first()? {
            (lead, []) => Some(format!("{lead}{alone}")),
            (lead, mates) => Some(format!("{lead} with {}{alone}", list_and(mates))),
        }
    })
}

/// Parses a destination: `to montana`, `in fort`, `on patrol`.
fn way(g: &State) -> Grammar<'_, Deed> {
    let to = variant!(area(g) => to => Deed::Move(to));
    filler("to", &["to", "into"]).then(
        one_of()
            .also(&["fort", "in fort"], just(Deed::EnterFort))
            .also(&["on patrol"], just(Deed::LeaveFort))
            .otherwise(to),
    )
}

/// Parses `kiowa village in texas`. The place is optional and must be that of the Indians.
fn indians_here(g: &State) -> Grammar<'_, Target> {
    let here = |(target, place): (Target, Option<String>), words: &Reader<'_>| match (place_of(g, &target), place) {
        (Some(a), Some(place)) if g.c[a].name != place => {
            Err(words.fail(format!("the {} is in {}, not in {place}", aimed_at(&target), g.c[a].name)))
        }
        _ => Ok(target),
    };
    indians(g).and(place(g)).try_map(here, |target| Some((target.clone(), None)))
}

/// Parses `column miles with 6 bps 1 gun in montana on patrol`, after the word `new`.
pub fn new_column(g: &State) -> Grammar<'_, Order> {
    let under = filler("column", &["column", "under", "with"]).then(commander(g));
    variant!(under.and(filler("with", &[]).then(posting(g, Troops::words))) => (commander, Posting { bps, guns, gatlings, area, fort }) =>
        Order::NewColumn { commander, bps, guns, gatlings, area, fort })
}

/// Troops and their place.
#[derive(Clone)]
pub struct Posting {
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
    pub area: String,
    pub fort: bool,
}

/// Parses `6 bps with a gun in montana on patrol`, with its parts in any order. The default is On
/// Patrol.
pub fn posting<'g>(g: &'g State, troops: fn(&Troops) -> String) -> Grammar<'g, Posting> {
    let read = |words: &mut Reader<'_>| {
        let mut strength = Strength::default();
        let (mut place, mut fort) = (None, None);
        while !words.at_end() {
            if strength.read(words)? {
                continue;
            }
            if fort.is_none()
                && let Some(at) = words.eat_any(&["in fort", "fort", "on patrol", "patrol"])
            {
                fort = Some(at < 2);
            } else if place.is_none() {
                words.skip(&["in", "to", "at", "the"]);
                place = Some(area(g).read(words)?);
            } else {
                words.end()?;
            }
        }
        let Troops { bps, guns, gatlings } = strength.troops(words)?;
        let area = place.ok_or_else(|| words.fail("in which Area?"))?;
        Ok(Posting { bps, guns, gatlings, area, fort: fort.unwrap_or(false) })
    };
    Grammar::leaf(read, move |&Posting { bps, guns, gatlings, ref area, fort }| {
        let status = if fort { "in fort" } else { "on patrol" };
        Some(format!("{} in {area} {status}", troops(&Troops { bps, guns, gatlings })))
    })
}

/// BPs and Artillery.
#[derive(Clone)]
pub struct Troops {
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
}

impl Troops {
    /// Formats troops: `6 bps 1 gun 2 gatlings`.
    pub fn words(&self) -> String {
        counted(self.bps, "bp") + &self.artillery()
    }
    /// Formats Artillery: ` 1 gun 2 gatlings`, or nothing.
    pub fn artillery(&self) -> String {
        let some = [(self.guns, "gun"), (self.gatlings, "gatling")].into_iter().filter(|(n, _)| *n > 0);
        some.map(|(n, what)| format!(" {}", counted(n, what))).collect()
    }
}

/// Parses `6 bps 1 gun`.
fn troops<'g>() -> Grammar<'g, Troops> {
    let read = |words: &mut Reader<'_>| {
        let mut strength = Strength::default();
        while !words.at_end() && strength.read(words)? {}
        strength.troops(words)
    };
    Grammar::leaf(read, |troops: &Troops| Some(troops.words()))
}

/// Parses `6 bps`.
fn bps<'g>() -> Grammar<'g, i32> {
    let read = |words: &mut Reader<'_>| {
        let n = words.number().ok_or_else(|| words.fail("with how many BPs?"))?;
        words.skip(&["bp", "bps"]);
        Ok(small(n))
    };
    Grammar::leaf(read, |n| Some(counted(*n, "bp")))
}

/// Formats troops for a sentence: `8 BPs, 1 gun`.
pub fn strength(bps: i32, guns: i32, gatlings: i32) -> String {
    let mut text = counted(bps, "BP");
    if guns > 0 {
        text += &format!(", {}", counted(guns, "gun"));
    }
    if gatlings > 0 {
        text += &format!(", {}", counted(gatlings, "Gatling"));
    }
    text
}

/// BPs and Artillery during parsing.
#[derive(Default)]
struct Strength {
    bps: Option<i32>,
    guns: Option<i32>,
    gatlings: Option<i32>,
}

impl Strength {
    /// Parses `8 bps`, `and 1 gun`, `a gatling` or `no guns`. Returns `false` if none of them comes
    /// next.
    fn read(&mut self, words: &mut Reader<'_>) -> Result<bool, Misread> {
        let mut ahead = words.clone();
        ahead.skip(&["with", "of", "and"]);
        let mut none = false;
        let count = match ahead.number() {
            Some(n) => small(n),
            None if ahead.eat_any(&["a", "an", "one"]).is_some() => 1,
            None if ahead.eat("no") => {
                none = true;
                0
            }
            None => return Ok(false),
        };
        let counted = if ahead.eat("gatling") {
            ahead.skip(&["gun", "guns"]);
            &mut self.gatlings
        } else if ahead.eat_any(&["field gun", "gun", "artillery"]).is_some() {
            &mut self.guns
        } else if none {
            return Ok(false);
        } else if self.bps.is_none() {
            ahead.skip(&["bp", "bps"]);
            &mut self.bps
        } else {
            match ahead.expect_any(&["guns", "gatlings"])? {
                0 => &mut self.guns,
                _ => &mut self.gatlings,
            }
        };
        if counted.replace(count).is_some() {
            return Err(ahead.fail_from(words.understood(), "their number is said before"));
        }
        *words = ahead;
        Ok(true)
    }
    fn troops(&self, words: &Reader<'_>) -> Result<Troops, Misread> {
        let bps = self.bps.ok_or_else(|| words.fail("with how many BPs?"))?;
        Ok(Troops { bps, guns: self.guns.unwrap_or(0), gatlings: self.gatlings.unwrap_or(0) })
    }
}

/// Limits a number from an order to the range -1 to 999, more than any count needs.
pub fn small(n: i64) -> i32 {
    n.clamp(-1, 999) as i32
}
