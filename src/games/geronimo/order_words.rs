//! Any order in words that can be sent back as they stand: what a letter lists, said of orders that it does not list.

use super::{
    alliance,
    order::{Contribution, Order, Target},
};
use crate::orders::list_and;

/// The order in words, as the question that it answers reads them. `None` where only the question's own list has words
/// for it.
pub fn say(order: &Order) -> Option<String> {
    let words = match order {
        Order::Play { card } => format!("play {card}"),
        Order::Discard { card } => format!("discard {card}"),
        Order::SetUp { area, bps, guns, fort } => {
            format!("column of {}{} in {area} {}", counted(*bps, "bp"), artillery(*guns, 0), status(*fort))
        }
        Order::Move { column, to } => format!("{column} moves to {to}"),
        Order::EnterFort { column } => format!("{column} enters fort"),
        Order::LeaveFort { column } => format!("{column} leaves fort"),
        Order::Reinforce { column, bps } => format!("reinforce {column} with {}", counted(*bps, "bp")),
        Order::NewColumn { commander, bps, guns, gatlings, area, fort } => {
            let with = counted(*bps, "bp") + &artillery(*guns, *gatlings);
            format!("new column {commander} with {with} in {area} {}", status(*fort))
        }
        Order::Divide { column, commander, bps, guns, gatlings } => {
            let with = counted(*bps, "bp") + &artillery(*guns, *gatlings);
            format!("divide {column} into {commander} with {with}")
        }
        Order::ColumnAttack { columns, target } => {
            let (lead, mates) = columns.split_first()?;
            let with = if mates.is_empty() { String::new() } else { format!(" with {}", list_and(mates)) };
            format!("{lead}{with} attacks {}", aimed_at(target))
        }
        Order::React { columns, .. } if columns.is_empty() => "no reaction".to_owned(),
        Order::React { columns, coordinate } => {
            format!("react {}{}", columns.join(", "), if *coordinate { " together" } else { "" })
        }
        Order::Relocate { village, to } => format!("{village} relocate to {to}"),
        Order::Raid { village, target: Target::Mexico {}, .. } => format!("{village} raid mexico"),
        Order::Raid { village, area, target } => format!("{village} raid {} in {area}", aimed_at(target)),
        Order::WarParty { village, bps, chiefs, area, target } => {
            let with = if chiefs.is_empty() { String::new() } else { format!(" with {}", chiefs.join(", ")) };
            format!("{village} war party of {bps}{with} attacks {} in {area}", aimed_at(target))
        }
        Order::PartyAttack { party, area, target } => match party.as_str() {
            alliance::NAME => format!("alliance attacks {} in {area}", aimed_at(target)),
            party => format!("{party} war party attacks {} in {area}", aimed_at(target)),
        },
        Order::MissionParty { village } => format!("{village} mission war party"),
        Order::Alliance { area, with, target, invite } => {
            let call = if *invite { "alliance invite" } else { "alliance" };
            format!("{call} in {area} with {} attacks {}", given(with), aimed_at(target))
        }
        Order::Volunteer { with } => format!("join with {}", given(with)),
        Order::Pass {} => "pass".to_owned(),
        Order::Offer { village, vps } => format!("offer {village} {vps}"),
        Order::Withdraw { village } => format!("withdraw {village}"),
        Order::Accept { village } => format!("accept {village}"),
        Order::Refuse { village } => format!("refuse {village}"),
        Order::Federales {} => "federales".to_owned(),
        Order::Pick { .. } | Order::List { .. } => return None,
    };
    Some(words.to_lowercase())
}

fn counted(n: i32, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// ` 1 gun 2 gatlings`, or nothing.
fn artillery(guns: i32, gatlings: i32) -> String {
    let some = [(guns, "gun"), (gatlings, "gatling")].into_iter().filter(|(n, _)| *n > 0);
    some.map(|(n, what)| format!(" {}", counted(n, what))).collect()
}

fn status(fort: bool) -> &'static str {
    if fort { "in fort" } else { "on patrol" }
}

/// A target, without its Area.
fn aimed_at(target: &Target) -> String {
    match target {
        Target::Village { name } => format!("{name} village"),
        Target::Party { name } => format!("{name} war party"),
        Target::Column { name } => format!("column {name}"),
        Target::Settlement {} => "settlement".to_owned(),
        Target::Town {} => "town".to_owned(),
        Target::Railroad {} => "rr".to_owned(),
        Target::Mine { value } => format!("{value} mine"),
        Target::Mission {} => "mission".to_owned(),
        Target::Mexico {} => "mexico".to_owned(),
    }
}

/// What Villages give to an Alliance; without BPs the War Party that is out.
fn given(with: &[Contribution]) -> String {
    with.iter().map(contribution).collect::<Vec<_>>().join(", ")
}

/// What one Village gives to an Alliance, `crow 3 bps with plenty coups`.
pub fn contribution(what: &Contribution) -> String {
    let mut words = what.village.to_lowercase();
    if what.bps > 0 {
        words += &format!(" {}", counted(what.bps, "bp"));
    }
    if !what.chiefs.is_empty() {
        words += &format!(" with {}", what.chiefs.join(" and ").to_lowercase());
    }
    words
}
