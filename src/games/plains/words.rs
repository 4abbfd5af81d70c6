//! The words of orders: places, cubes and their destinations.

use super::{
    Order,
    components::{Faction, Spot},
    movement::whole_groups,
    order::{Count, Lot, counts},
    state::{Cubes, State, tell_cubes},
};
use postrider_orders::{Grammar, Reader, filler, named, number, variant};

/// Parses the name of a spot, as orders record it.
pub fn place(g: &State) -> Grammar<'_, String> {
    named(|| &*g.names, |spot| g.c.spot_name(spot).to_owned())
}

/// Parses `3 green`, or `3` for cubes of the faction `plain`.
fn coloured<'g>(missing: &'g str, plain: Faction) -> Grammar<'g, (u8, Faction)> {
    let faction = Grammar::leaf(
        move |words| Ok(colour(words).unwrap_or(plain)),
        |faction: &Faction| Some(faction.word().to_owned()),
    );
    // Larger numbers than fit in a `u8` are refused later by the question.
    number(missing)
        .and(faction)
        .map(|(n, colour)| (n.clamp(0, 255) as u8, colour), |&(n, colour)| Some((n.into(), colour)))
}

/// Parses `3 green and 1 orange`. Cubes without a colour are those of `active`.
pub fn cubes<'g>(active: Faction) -> Grammar<'g, Vec<Count>> {
    let missing = "here groups move, so many cubes from a place to another: move 3 from cheyenne to denver, or done";
    let lot = coloured(missing, active).before(filler("", &["cube", "cubes"])).try_map(
        |(n, colour), words| match colour {
            Faction::Railroad => Err(words.fail("Black cubes lie on the railroad and never move (6.7)")),
            _ => Ok((n, colour)),
        },
        |lot| Some(*lot),
    );
    let more = |words: &mut Reader<'_>| {
        words.eat("and") || words.peek().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
    };
    lot.many("and", more).try_map(
        |lots, words| {
            let mut sum = Cubes::default();
            for (n, colour) in lots {
                // In `1-2` or `1/2` it is unclear which number is meant.
                if sum[colour] > 0 {
                    return Err(words.fail("say one number for each colour: move 3 orange from san luis to santa fe"));
                }
                sum[colour] = n;
            }
            Ok(counts(&sum))
        },
        |counts| Some(counts.iter().map(|count| (count.n, count.colour)).collect()),
    )
}

/// The words for all cubes.
const ALL: [&str; 4] = ["all", "everything", "everybody", "everyone"];

/// Parses a group and its start: `3 green and 1 orange from cheyenne`, also `cheyenne 3`. `all`
/// means all cubes of `active` that can still move there. It is refused if cubes of other factions
/// could go along (11.2), because it would be ambiguous.
pub fn group(g: &State, active: Faction) -> Grammar<'_, (Vec<Count>, String)> {
    let read = move |words: &mut Reader<'_>| {
        let mut ahead = words.clone();
        ahead.skip(&["from", "in", "at", "the"]);
        let first = ahead.try_name(&g.names);
        ahead.skip(&["move"]);
        let counts =
            ahead.peek().is_some_and(|word| ALL.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()));
        let first = first.filter(|_| counts);
        if first.is_some() {
            *words = ahead;
        }
        let begun = words.understood();
        let some = match words.eat_any(&ALL) {
            Some(_) => {
                words.skip(&["of", "the", "my", "them"]);
                let colour = colour(words);
                words.skip(&["cube", "cubes"]);
                if colour.is_some_and(|colour| colour != active) {
                    return Err(words.fail_from(
                        begun,
                        "how many of each colour go: move 2 orange and 1 green from denver to raton",
                    ));
                }
                None
            }
            None => Some(cubes(active).read(words)?),
        };
        let from = match first {
            Some(from) => from,
            None => {
                words.expect("from")?;
                words.skip(&["the"]);
                words.name(&g.names)?
            }
        };
        let counts = match some {
            Some(counts) => counts,
            None => all(g, active, from).map_err(|why| words.fail_from(begun, why))?,
        };
        Ok((counts, g.c.spot_name(from).to_owned()))
    };
    let say = move |(list, from): &(Vec<Count>, String)| Some(format!("{} from {from}", cubes(active).say(list)?));
    Grammar::leaf(read, say)
}

/// Returns all cubes of a faction that can still move from a place.
fn all(g: &State, active: Faction, from: Spot) -> Result<Vec<Count>, String> {
    let place = g.c.told(from);
    match &whole_groups(g, active, &g.fresh(from))[..] {
        [] => Err(format!("in {place} stands no {} cube that can still move", active.word())),
        [own] => Ok(counts(own)),
        groups => {
            let each = groups.iter().map(tell_cubes).collect::<Vec<_>>();
            Err(format!("say how many of each colour go from {place}: {}", each.join(", or ")))
        }
    }
}

/// Parses `2 green in cheyenne, 1 in denver`. Cubes without a colour are of the faction `default`.
/// `link` is said before a place. If no number begins the cubes, the error is `missing`.
pub fn lots<'g>(g: &'g State, default: Faction, link: &'g str, missing: &'g str) -> Grammar<'g, Order> {
    let to = filler(link, &["cube", "cubes", "in", "into", "to", "at", "the"]).then(place(g));
    let faction = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            // `2 green river`: the name of a place may begin with a colour.
            let mut ahead = words.clone();
            let names_place = ahead.try_name(&g.names).is_some() && ahead.understood() > words.understood() + 1;
            Ok(if names_place { default } else { colour(words).unwrap_or(default) })
        },
        |faction: &Faction| Some(faction.word().to_owned()),
    );
    let lot = number(missing).and(faction).and(to).map(
        |((n, colour), to)| Lot { colour, n: n.clamp(0, 255) as u8, to },
        |lot| Some(((lot.n.into(), lot.colour), lot.to.clone())),
    );
    // `2 in cheyenne, &`: incomplete.
    let more = |words: &mut Reader<'_>| words.eat("and") || !words.at_end();
    variant!(lot.many(",", more) => lots => Order::Put { lots })
}

/// Parses `recover casualties`.
pub fn recover<'g>() -> Grammar<'g, Order> {
    filler("casualties", &["the", "casualties", "casualty", "box"]).means(Order::Recover {})
}

/// Parses a colour or the name of a faction.
fn colour(words: &mut Reader<'_>) -> Option<Faction> {
    Faction::ALL.into_iter().find(|f| words.eat(f.word()) || words.eat(&f.name().to_lowercase()))
}
