//! In what words Columns are ordered (5.33, 5.45, 5.7).

use super::{Order, State, naming, order::Target};
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
        let (bps, guns, gatlings) = read_strength(&mut words)?;
        Order::Divide { column, commander: g.c[m].surname.clone(), bps, guns, gatlings }
    } else {
        words.skip(&["column", "columns"]);
        let mut columns = vec![read_column(g, &mut words)?];
        loop {
            words.skip(&["with", "and"]);
            match words.try_name(&naming::columns(g)) {
                Some(id) => columns.push(g.column_name(id).to_owned()),
                None => break,
            }
        }
        let column = columns[0].clone();
        let verbs = ["move", "attack", "enter", "leave", "patrol", "fort", "on", "in", "goes", "go"];
        match words.eat_any(&verbs).map(|i| verbs[i]) {
            Some("move" | "goes" | "go") => {
                words.skip(&["to", "into"]);
                if words.eat("fort") || words.eat_phrase("in fort") {
                    Order::EnterFort { column }
                } else if words.eat_phrase("on patrol") {
                    Order::LeaveFort { column }
                } else {
                    Order::Move { column, to: g.c[words.name(&naming::areas(g))?].name.clone() }
                }
            }
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
    let (bps, guns, gatlings) = read_strength(words)?;
    words.skip(&["in", "at"]);
    let area = words.name(&naming::areas(g))?;
    let fort = read_status(words);
    let (commander, area) = (g.c[m].surname.clone(), g.c[area].name.clone());
    Ok(Order::NewColumn { commander, bps, guns, gatlings, area, fort })
}

/// `8 bps and 1 gun`.
fn read_strength(words: &mut Reader<'_>) -> Result<(i32, i32, i32), Misread> {
    words.skip(&["with", "of"]);
    let bps = words.number().ok_or_else(|| words.fail("with how many BPs?"))?;
    words.skip(&["bp", "bps", "and"]);
    let (mut guns, mut gatlings) = (0, 0);
    while let Some(n) = words.number() {
        if words.eat("gatling") {
            words.skip(&["gun", "guns"]);
            gatlings = small(n);
        } else {
            words.skip(&["field"]);
            words.expect("gun")?;
            guns = small(n);
        }
        words.skip(&["and"]);
    }
    Ok((small(bps), guns, gatlings))
}

/// `in fort` or `on patrol`; on patrol when nothing is said.
fn read_status(words: &mut Reader<'_>) -> bool {
    if words.eat_phrase("in fort") || words.eat("fort") {
        return true;
    }
    let _ = words.eat_phrase("on patrol") || words.eat("patrol");
    false
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
