//! The words for targets of attacks and Raids, and for their places.

use super::{
    State,
    column_words::small,
    naming::{self, area},
    order::Target,
    state::ColumnId,
};
use postrider_orders::{Grammar, Misread, Names, Reader, filler};

/// Parses an optional `in texas`.
pub fn place(g: &State) -> Grammar<'_, Option<String>> {
    filler("", &["the"]).then(area(g)).after(&["in"])
}

/// Parses a target: a Resource, a Mission, a Column or Indians.
pub fn target(g: &State) -> Grammar<'_, Target> {
    Grammar::leaf(|words| read_target(g, words), |target| Some(aimed_at(target)))
}

/// Parses `kiowa village`, `comanche war party` or `kiowa`. A place that follows is left to the
/// caller.
pub fn indians(g: &State) -> Grammar<'_, Target> {
    Grammar::leaf(
        |words| read_indians(g, words),
        |target| matches!(target, Target::Village { .. } | Target::Party { .. }).then(|| aimed_at(target)),
    )
}

/// Parses a target of a Raid, if the next words name one: `5 mine`, `rr`, `mission`. A Mine without
/// a number has the value 0.
pub fn raided<'g>() -> Grammar<'g, Option<Target>> {
    let read = |words: &mut Reader<'_>| {
        let mission = |words: &mut Reader<'_>| words.eat("mission").then_some(Target::Mission {});
        Ok(read_resource(words)?.or_else(|| mission(words)))
    };
    Grammar::leaf(read, |target| Some(target.as_ref().map_or_else(String::new, aimed_at)))
}

/// Returns the words for a target, without its Area.
pub fn aimed_at(target: &Target) -> String {
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

fn read_target(g: &State, words: &mut Reader<'_>) -> Result<Target, Misread> {
    if let Some(target) = read_resource(words)? {
        return Ok(target);
    }
    if words.eat("mission") {
        return Ok(Target::Mission {});
    }
    match read_column(g, words)? {
        Some(target) => Ok(target),
        None => read_indians(g, words),
    }
}

/// Parses `town` or `5 mine`. A Mine's number is its value; of other Resources only one is attacked
/// at a time.
fn read_resource(words: &mut Reader<'_>) -> Result<Option<Target>, Misread> {
    let mut ahead = words.clone();
    ahead.skip(&["a", "the", "an"]);
    let worth = ahead.number();
    ahead.skip(&["point"]);
    let kinds = ["settlement", "town", "rr", "railroad", "mine"];
    let Some(kind) = ahead.eat_any(&kinds).map(|at| kinds[at]) else { return Ok(None) };
    if kind != "mine" && worth.is_some_and(|n| n != 1) {
        return Err(words.fail(format!("one {kind} at a time: only one attack a Round (6.34)")));
    }
    *words = ahead;
    Ok(Some(match kind {
        "settlement" => Target::Settlement {},
        "town" => Target::Town {},
        "mine" => Target::Mine { value: worth.map_or(0, small) },
        _ => Target::Railroad {},
    }))
}

/// Parses a Column by its Commander, unless the words fit Indians better. One list has all of them,
/// so that a misspelt Tribe is not taken for a Commander with a similar name.
fn read_column(g: &State, words: &mut Reader<'_>) -> Result<Option<Target>, Misread> {
    let column = |g: &State, id| Target::Column { name: g.column_name(id).to_owned() };
    if words.eat("column") {
        words.skip(&["of", "under"]);
        return words.name(&naming::columns(g)).map(|id| Some(column(g, id)));
    }
    let mut all: Names<Option<ColumnId>> = Names::new("target");
    for v in g.village_ids() {
        all.add(&g.c[v].name, None).add(&g.c[v].short, None);
    }
    for k in &g.columns {
        all.add(g.column_name(k.id), Some(k.id));
    }
    let mut ahead = words.clone();
    match ahead.try_name(&all).flatten() {
        Some(id) => {
            *words = ahead;
            Ok(Some(column(g, id)))
        }
        None => Ok(None),
    }
}

fn read_indians(g: &State, words: &mut Reader<'_>) -> Result<Target, Misread> {
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
