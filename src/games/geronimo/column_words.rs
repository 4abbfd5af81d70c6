//! In what words Columns are ordered (5.33, 5.45, 5.7).

use super::{Order, State, components::AreaId, naming, order::Target};
use crate::orders::{Misread, Phrase, Reader};

/// `crook moves to montana`, `crook with miles attacks crow village`, `new column miles 6 bps in montana`, `done` and so on.
pub fn read(g: &State, said: &Phrase) -> Result<Order, Misread> {
    let mut words = said.reader();
    if words.eat_any(&["done", "pass", "nothing", "finished"]).is_some() {
        return words.end().map(|()| Order::Pass {});
    }
    let order = if words.eat("new") {
        read_new_column(g, &mut words)?
    } else if words.eat("reinforce") {
        words.skip(&["column", "the"]);
        let column = read_column(g, &mut words)?;
        words.skip(&["with", "by"]);
        let bps = words.number().ok_or_else(|| words.fail("with how many BPs?"))?;
        words.skip(&["bp", "bps"]);
        Order::Reinforce { column, bps: small(bps) }
    } else if words.eat("divide") {
        words.skip(&["column"]);
        let column = read_column(g, &mut words)?;
        words.skip(&["into", "for", "and"]);
        let m = words.name(&naming::commanders(g))?;
        words.skip(&["takes", "take"]);
        let mut strength = Strength::default();
        while !words.at_end() && strength.read(&mut words)? {}
        let bps = strength.bps.ok_or_else(|| words.fail("with how many BPs?"))?;
        let commander = g.c[m].surname.clone();
        Order::Divide { column, commander, bps, guns: strength.guns, gatlings: strength.gatlings }
    } else if words.eat("move") {
        words.skip(&["column", "the"]);
        let column = read_column(g, &mut words)?;
        read_way(g, &mut words, column)?
    } else if words.eat("attack") {
        let target = read_indians_here(g, &mut words)?;
        words.skip(&["with", "by", "under", "column", "columns"]);
        Order::ColumnAttack { columns: read_columns(g, &mut words)?, target }
    } else {
        words.skip(&["column", "columns"]);
        let columns = read_columns(g, &mut words)?;
        let column = columns[0].clone();
        let verbs = ["move", "attack", "enter", "leave", "patrol", "fort", "on", "in", "goes", "go"];
        match words.expect_any(&verbs).ok().map(|i| verbs[i]) {
            Some("move" | "goes" | "go") => read_way(g, &mut words, column)?,
            Some("attack") => Order::ColumnAttack { columns, target: read_indians_here(g, &mut words)? },
            Some("enter" | "fort" | "in") => {
                words.skip(&["the", "fort", "in", "into"]);
                Order::EnterFort { column }
            }
            Some("leave" | "patrol" | "on") => {
                words.skip(&["the", "fort", "on", "patrol"]);
                Order::LeaveFort { column }
            }
            _ => return Err(words.fail("a Column moves, attacks, enters or leaves its Fort")),
        }
    };
    words.end().map(|()| order)
}

/// `crook, miles and terry`: at least one Column.
fn read_columns(g: &State, words: &mut Reader<'_>) -> Result<Vec<String>, Misread> {
    let mut columns = vec![read_column(g, words)?];
    loop {
        words.skip(&["with", "and"]);
        match words.try_name(&naming::columns(g)) {
            Some(id) => columns.push(g.column_name(id).to_owned()),
            None => return Ok(columns),
        }
    }
}

/// `to montana`, `in fort`, `on patrol`: where a Column goes.
fn read_way(g: &State, words: &mut Reader<'_>, column: String) -> Result<Order, Misread> {
    words.skip(&["to", "into"]);
    if words.eat("fort") || words.eat_phrase("in fort") {
        return Ok(Order::EnterFort { column });
    }
    if words.eat_phrase("on patrol") {
        return Ok(Order::LeaveFort { column });
    }
    Ok(Order::Move { column, to: g.c[words.name(&naming::areas(g))?].name.clone() })
}

/// `8 BPs, 1 gun`.
pub fn strength(bps: i32, guns: i32, gatlings: i32) -> String {
    let mut text = format!("{bps} BP{}", if bps == 1 { "" } else { "s" });
    if guns > 0 {
        text += &format!(", {guns} gun{}", if guns == 1 { "" } else { "s" });
    }
    if gatlings > 0 {
        text += &format!(", {gatlings} Gatling{}", if gatlings == 1 { "" } else { "s" });
    }
    text
}

/// `column miles with 6 bps 1 gun in montana on patrol`, after the word `new`.
pub fn read_new_column(g: &State, words: &mut Reader<'_>) -> Result<Order, Misread> {
    words.skip(&["column", "under", "with"]);
    let m = words.name(&naming::commanders(g))?;
    let Posting { bps, guns, gatlings, area, fort } = read_post(g, words)?;
    let (commander, area) = (g.c[m].surname.clone(), g.c[area].name.clone());
    Ok(Order::NewColumn { commander, bps, guns, gatlings, area, fort })
}

/// What stands where.
pub struct Posting {
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
    pub area: AreaId,
    pub fort: bool,
}

/// `6 bps with a gun in montana on patrol`, its parts in any order; On Patrol when nothing is said.
pub fn read_post(g: &State, words: &mut Reader<'_>) -> Result<Posting, Misread> {
    let mut strength = Strength::default();
    let (mut area, mut fort) = (None, false);
    while !words.at_end() {
        if strength.read(words)? {
            continue;
        }
        if words.eat_phrase("in fort") || words.eat("fort") {
            fort = true;
        } else if words.eat_phrase("on patrol") || words.eat("patrol") {
            fort = false;
        } else if area.is_none() {
            words.skip(&["in", "to", "at", "the"]);
            area = Some(words.name(&naming::areas(g))?);
        } else {
            words.end()?;
        }
    }
    let bps = strength.bps.ok_or_else(|| words.fail("with how many BPs?"))?;
    let area = area.ok_or_else(|| words.fail("in which Area?"))?;
    Ok(Posting { bps, guns: strength.guns, gatlings: strength.gatlings, area, fort })
}

/// BPs and Artillery as they are read.
#[derive(Default)]
struct Strength {
    bps: Option<i32>,
    guns: i32,
    gatlings: i32,
}

impl Strength {
    /// Reads `8 bps`, `and 1 gun`, `a gatling` or `no guns`, if one of them comes next.
    fn read(&mut self, words: &mut Reader<'_>) -> Result<bool, Misread> {
        let mut ahead = words.clone();
        ahead.skip(&["with", "of", "and"]);
        let count = match ahead.number() {
            Some(n) => small(n),
            None if ahead.eat_any(&["a", "an", "one"]).is_some() => 1,
            None if ahead.eat("no") => 0,
            None => return Ok(false),
        };
        if ahead.eat("gatling") {
            ahead.skip(&["gun", "guns"]);
            self.gatlings = count;
        } else if ahead.eat_any(&["field gun", "gun", "artillery"]).is_some() {
            self.guns = count;
        } else if self.bps.is_none() {
            ahead.skip(&["bp", "bps"]);
            self.bps = Some(count);
        } else {
            ahead.expect_any(&["guns", "gatlings"])?;
        }
        *words = ahead;
        Ok(true)
    }
}

/// Numbers of an order, cut to what any count can be.
pub fn small(n: i64) -> i32 {
    n.clamp(-1, 999) as i32
}

fn read_column(g: &State, words: &mut Reader<'_>) -> Result<String, Misread> {
    words.name(&naming::columns(g)).map(|id| g.column_name(id).to_owned())
}

/// `kiowa village in texas`, `comanche war party`, `kiowa`.
fn read_indians_here(g: &State, words: &mut Reader<'_>) -> Result<Target, Misread> {
    let target = read_indians(g, words)?;
    // A place may be added for clearness; it is where the Column is.
    if words.eat("in") {
        words.name(&naming::areas(g))?;
    }
    Ok(target)
}

/// `kiowa village`, `comanche war party`, `kiowa`; a place that follows is left to the caller.
pub fn read_indians(g: &State, words: &mut Reader<'_>) -> Result<Target, Misread> {
    words.skip(&["the"]);
    let mut ahead = words.clone();
    if ahead.eat_phrase("war party of") {
        ahead.skip(&["the"]);
        let id = ahead.name(&naming::parties(g))?;
        *words = ahead;
        return Ok(Target::Party { name: g.party(id).map(|p| g.party_name(p)).unwrap_or_default() });
    }
    let mut village_words = words.clone();
    let village = village_words.name(&naming::villages(g, g.village_ids().filter(|&v| g.area_of(v).is_some())));
    let mut party_words = words.clone();
    let party = party_words.name(&naming::parties(g));
    let says_party = party.is_ok() && (party_words.eat_phrase("war party") || party_words.eat("party"));
    let says_village = !says_party && village.is_ok() && village_words.eat("village");
    match (village, party) {
        (Ok(v), _) if says_village => {
            *words = village_words;
            Ok(Target::Village { name: g.c[v].name.clone() })
        }
        (_, Ok(id)) if says_party => {
            *words = party_words;
            Ok(Target::Party { name: g.party(id).map(|p| g.party_name(p)).unwrap_or_default() })
        }
        (Ok(_), Ok(_)) => Err(words.fail("their Village or their War Party?")),
        (Ok(v), Err(_)) => {
            *words = village_words;
            Ok(Target::Village { name: g.c[v].name.clone() })
        }
        (Err(_), Ok(id)) => {
            *words = party_words;
            Ok(Target::Party { name: g.party(id).map(|p| g.party_name(p)).unwrap_or_default() })
        }
        (Err(why), Err(_)) => Err(why),
    }
}
