//! Questions in which a number of things are placed: set-up, settlers, reinforcements, removals and
//! pairings.

use super::{
    Ask, BloodyGround, Order, State,
    action::words::{how_many, means_several},
    asking::Asking,
    order::Lot,
};
use postrider_orders::{Grammar, Misread, Names, Phrase, Reader, filler, just, one_of, variant};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// A group of like things to be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name in orders.
    pub what: String,
    /// The number of things.
    pub n: u8,
    /// The possible places in order of preference, each with its capacity for this item.
    pub places: Rc<[(String, u8)]>,
    /// `true` if all of it must be placed, as far as there is room.
    pub must: bool,
}

impl Item {
    /// Returns `true` if all of it can be placed in one way only: there is one place, or no more
    /// room than things.
    fn fits_one_way(&self) -> bool {
        let room = self.places.iter().fold(0, |room: u8, (_, n)| room.saturating_add(*n));
        self.places.len() == 1 || room <= self.n
    }
}

type Apt = Box<dyn Fn(&State, &[Lot], &str, &str) -> bool>;
type Knowing = Box<dyn Fn(&State, Option<&[Lot]>) -> Vec<Fact>>;
type Check = Box<dyn Fn(&State, &[Lot]) -> Result<(), Refusal>>;

/// A question that places things.
pub struct Lots {
    asking: Asking,
    items: Vec<Item>,
    /// The capacity of places for all items together; other places are unlimited.
    room: BTreeMap<String, u8>,
    /// The minimum and maximum number of things placed.
    total: (u8, u8),
    /// Places that must each receive something, as far as there is enough.
    each: Vec<String>,
    lines: Vec<String>,
    check: Option<Check>,
    /// Returns `true` if one more of an item may go to a place, given the lots so far. Samples and
    /// options obey it.
    apt: Option<Apt>,
    /// Returns the facts that conditions of standing orders can compare, for the question or an
    /// answer.
    knowing: Option<Knowing>,
}

/// The name of the area's fort in orders.
pub const FORT: &str = "fort";

impl Lots {
    pub fn new(asking: Asking, items: Vec<Item>) -> Lots {
        let items = items.into_iter().filter(|item| item.n > 0 && !item.places.is_empty()).collect();
        Lots {
            asking,
            items,
            room: BTreeMap::new(),
            total: (0, u8::MAX),
            each: Vec::new(),
            lines: Vec::new(),
            check: None,
            apt: None,
            knowing: None,
        }
    }
    /// Limits the number of things of all items at a place.
    pub fn room(mut self, place: impl Into<String>, room: u8) -> Lots {
        self.room.insert(place.into(), room);
        self
    }
    /// Requires exactly `n` things in all, or everything if there are fewer.
    pub fn exactly(self, n: u8) -> Lots {
        let all = self.items.iter().map(|item| item.n).fold(0, u8::saturating_add);
        Lots { total: (n.min(all), n), ..self }
    }
    /// Requires that each of these places receives something.
    pub fn each(self, each: Vec<String>) -> Lots {
        Lots { each, ..self }
    }
    /// Limits the total number of things.
    pub fn at_most(self, n: u8) -> Lots {
        Lots { total: (0, n), ..self }
    }
    /// Adds a line of text to the question.
    pub fn line(mut self, line: impl Into<String>) -> Lots {
        self.lines.push(line.into());
        self
    }
    /// Sets the check of an answer, in addition to the limits.
    pub fn check(mut self, check: impl Fn(&State, &[Lot]) -> Result<(), Refusal> + 'static) -> Lots {
        self.check = Some(Box::new(check));
        self
    }
    /// Adds a check of an answer to the existing one.
    pub fn and_check(mut self, more: impl Fn(&State, &[Lot]) -> Result<(), Refusal> + 'static) -> Lots {
        self.check = Some(match self.check.take() {
            Some(first) => Box::new(move |g, lots| first(g, lots).and_then(|()| more(g, lots))),
            None => Box::new(more),
        });
        self
    }
    /// Sets a filter for samples and options: `true` if one more of an item may go to a place,
    /// given the lots so far. It should be implied by [`check`](Lots::check).
    pub fn apt(mut self, apt: impl Fn(&State, &[Lot], &str, &str) -> bool + 'static) -> Lots {
        self.apt = Some(Box::new(apt));
        self
    }
    /// Sets the facts that conditions of standing orders can compare.
    pub fn knowing(mut self, knowing: impl Fn(&State, Option<&[Lot]>) -> Vec<Fact> + 'static) -> Lots {
        self.knowing = Some(Box::new(knowing));
        self
    }
    /// Returns the only possible answer, if there is only one.
    pub fn only_answer(&self, g: &State) -> Option<Vec<Lot>> {
        let all = self.items.iter().map(|item| item.n).fold(0, u8::saturating_add);
        match &self.items[..] {
            items if items.is_empty() || self.total.1 == 0 => Some(Vec::new()),
            items if items.iter().all(|item| item.fits_one_way() && (item.must || self.total.0 >= all)) => {
                Some(self.plain(g))
            }
            _ => None,
        }
    }
    /// Returns the smallest answer, at the first places with room.
    fn plain(&self, g: &State) -> Vec<Lot> {
        self.filled(g, &mut |_| 0, false)
    }
    /// Places things one by one where they fit, at random places; optional things are placed if
    /// `all` is set.
    fn filled(&self, g: &State, below: &mut dyn FnMut(u32) -> u32, all: bool) -> Vec<Lot> {
        let mut lots: BTreeMap<(String, String), u8> = BTreeMap::new();
        let mut room = self.room.clone();
        let mut left: Vec<(u8, BTreeMap<&str, u8>)> = (self.items.iter())
            .map(|item| (item.n, item.places.iter().map(|(at, n)| (at.as_str(), *n)).collect()))
            .collect();
        let mut put = 0_u8;
        for place in &self.each {
            let open: Vec<usize> =
                (0..left.len()).filter(|&i| left[i].0 > 0 && left[i].1.contains_key(place.as_str())).collect();
            if open.is_empty() {
                continue;
            }
            let i = open[below(open.len() as u32) as usize];
            left[i].0 -= 1;
            put += 1;
            *lots.entry((self.items[i].what.clone(), place.clone())).or_default() += 1;
        }
        // First the mandatory things, then the optional ones, then any others needed for the
        // minimum total.
        for round in 0..3 {
            for (item, (n, fits)) in self.items.iter().zip(&mut left) {
                while *n > 0 && put < self.total.1 {
                    let wanted = match round {
                        0 => item.must,
                        1 => all && !item.must,
                        _ => put < self.total.0,
                    };
                    if !wanted {
                        break;
                    }
                    if round == 1 && below(3) == 0 {
                        break;
                    }
                    let is_open =
                        |at: &str| fits.get(at).is_some_and(|&n| n > 0) && room.get(at).is_none_or(|&n| n > 0);
                    let open: Vec<&str> =
                        item.places.iter().map(|(at, _)| at.as_str()).filter(|at| is_open(at)).collect();
                    if open.is_empty() {
                        break;
                    }
                    // The first suitable place, from a random start.
                    let from = below(open.len() as u32) as usize;
                    let so_far = || -> Vec<Lot> {
                        lots.iter().map(|((what, at), n)| Lot { n: *n, what: what.clone(), at: at.clone() }).collect()
                    };
                    let known = if self.apt.is_some() { so_far() } else { Vec::new() };
                    let is_apt = |at: &&str| self.apt.as_ref().is_none_or(|apt| apt(g, &known, &item.what, at));
                    let Some(at) = open.iter().cycle().skip(from).take(open.len()).copied().find(|at| is_apt(at))
                    else {
                        break;
                    };
                    if let Some(n) = fits.get_mut(at) {
                        *n -= 1;
                    }
                    if let Some(n) = room.get_mut(at) {
                        *n -= 1;
                    }
                    *n -= 1;
                    put += 1;
                    *lots.entry((item.what.clone(), at.to_owned())).or_default() += 1;
                }
            }
        }
        lots.into_iter().map(|((what, at), n)| Lot { n, what, at }).collect()
    }
    fn law(&self, g: &State, lots: &[Lot]) -> Result<(), Refusal> {
        let rule = self.asking.rule;
        let mut put: BTreeMap<&str, u8> = BTreeMap::new();
        let mut seen: BTreeMap<(&str, &str), u8> = BTreeMap::new();
        let mut room: BTreeMap<&str, u8> = BTreeMap::new();
        for lot in lots {
            let Some(item) = self.items.iter().find(|item| item.what == lot.what) else {
                return refuse(rule, format!("There is no {} to be put.", lot.what));
            };
            let Some((_, fits)) = item.places.iter().find(|(at, _)| *at == lot.at) else {
                return refuse(rule, format!("{} cannot go to {}.", lot.what, place_name(g, &lot.at)));
            };
            let all = put.entry(&lot.what).or_default();
            *all = all.saturating_add(lot.n);
            if *all > item.n {
                return refuse(rule, format!("There are {} of {}, not {all}.", item.n, lot.what));
            }
            let here = seen.entry((&lot.what, &lot.at)).or_default();
            *here = here.saturating_add(lot.n);
            let together = room.entry(&lot.at).or_default();
            *together = together.saturating_add(lot.n);
            let most = self.room.get(&lot.at).copied().unwrap_or(u8::MAX);
            if *here > *fits || *together > most {
                return refuse(rule, format!("{} has room for {}.", place_name(g, &lot.at), (*fits).min(most)));
            }
        }
        for item in self.items.iter().filter(|item| item.must) {
            let n = put.get(item.what.as_str()).copied().unwrap_or(0);
            let more = item.places.iter().any(|(at, fits)| {
                let here = seen.get(&(item.what.as_str(), at.as_str())).copied().unwrap_or(0);
                let together = room.get(at.as_str()).copied().unwrap_or(0);
                here < *fits && self.room.get(at).is_none_or(|&most| together < most)
            });
            if n < item.n && more && put.values().sum::<u8>() < self.total.1 {
                return refuse(rule, format!("All {} of {} must be put somewhere; {n} are.", item.n, item.what));
            }
        }
        let sum = lots.iter().map(|lot| lot.n).fold(0, u8::saturating_add);
        if sum > self.total.1 || sum < self.total.0 {
            let (least, most) = self.total;
            let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
            return refuse(rule, format!("{wanted} in all, not {sum}."));
        }
        match &self.check {
            Some(check) => check(g, lots),
            None => Ok(()),
        }
    }
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let mut things: Names<u16> = Names::new("such thing");
        let mut places: Names<u16> = Names::new("such place");
        let (mut what, mut at): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for (i, item) in self.items.iter().enumerate() {
            what.push(item.what.clone());
            things.add(&item.what, what.len() as u16 - 1);
            things.add(&plural(&item.what), what.len() as u16 - 1);
            // Items that share their places list them once.
            if self.items[..i].last().is_some_and(|last| Rc::ptr_eq(&last.places, &item.places)) {
                continue;
            }
            for (place, _) in item.places.iter() {
                if known.insert(place) {
                    at.push(place.clone());
                    places.add(place, at.len() as u16 - 1);
                    if let Some(area) = g.area(place) {
                        places.add(&g.c[area].name, at.len() as u16 - 1);
                    }
                }
            }
        }
        // Lots are read one by one; several things may precede one place, and several places may
        // follow `each`.
        let goes = self.items.iter().map(|item| item.places.clone()).collect();
        let known = (what.clone(), at.clone());
        let many = self.items.iter().map(|item| item.n > 1).collect();
        let words = Words { things, places, what, at, goes, many };
        let lots = Grammar::leaf(
            move |said: &mut Reader<'_>| words.read(said),
            move |lots: &Vec<Lot>| {
                let one = |lot: &Lot| {
                    let is_here = known.0.contains(&lot.what) && known.1.contains(&lot.at);
                    is_here.then(|| format!("{} at {}", said(g, lot.n, &lot.what), lot.at))
                };
                let all: Option<Vec<String>> = lots.iter().map(one).collect();
                all.filter(|all| !all.is_empty()).map(|all| all.join(", "))
            },
        );
        let put = variant!(filler("", &["put", "place"]).then(lots) => lots => Order::Put { lots }).map(
            |order| order,
            |order: &Order| match order {
                Order::Put { lots } if lots.is_empty() => None,
                order => Some(order.clone()),
            },
        );
        one_of().on(&["none", "nothing"], just(Order::Put { lots: Vec::new() })).otherwise(put)
    }
}

impl Prompt<BloodyGround> for Lots {
    type Answer = Vec<Lot>;
    fn kind(&self) -> Ask {
        self.asking.kind
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<Lot>, Refusal> {
        match order {
            Order::Put { lots } => self.law(g, lots).map(|()| lots.clone()),
            _ => refuse(self.asking.rule, format!("The question is: {}.", self.asking.title)),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = Description::new(self.asking.title, self.asking.rule);
        for line in &self.lines {
            d = d.line(line.clone());
        }
        // Items with the same places share a line.
        let mut groups: Vec<(&Item, Vec<String>)> = Vec::new();
        for item in &self.items {
            let said = said(g, item.n, &item.what);
            let same = |other: &Item| other.places.iter().map(|p| &p.0).eq(item.places.iter().map(|p| &p.0));
            match groups.iter_mut().find(|(other, _)| same(other)) {
                Some((_, list)) => list.push(said),
                None => groups.push((item, vec![said])),
            }
        }
        for (item, list) in groups {
            let most = item.places.first().map_or(u8::MAX, |place| place.1);
            let each = item.places.iter().all(|place| place.1 == most) && most < item.n && item.places.len() > 1;
            let each = if each { format!(" (at most {most} in a place)") } else { String::new() };
            d = d.line(format!("{}{each}: {}.", list.join(", "), ranges(g, &item.places)));
        }
        d.few(if self.items.len() > 4 { 2 } else { 4 })
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        let lots = match order {
            Some(Order::Put { lots }) => Some(&lots[..]),
            _ => None,
        };
        self.knowing.as_ref().map(|knowing| knowing(g, lots)).unwrap_or_default()
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = self.grammar(g);
        let mut found: Vec<Vec<Lot>> = vec![self.plain(g)];
        // Everything at the first places that fit, and a few fixed pseudo-random mixtures.
        let mut seed = 1_u32;
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % n.max(1)
        };
        for _ in 0..12 {
            let lots = self.filled(g, &mut below, true);
            if !found.contains(&lots) {
                found.push(lots);
            }
        }
        found.retain(|lots| self.law(g, lots).is_ok());
        if self.asking.kind == Ask::Settlers {
            // Answers that place the most come first: a player wants to see where settlers can go
            // before leaving some out.
            found.sort_by_key(|lots| std::cmp::Reverse(lots.iter().map(|lot| u32::from(lot.n)).sum::<u32>()));
        }
        // The orders name areas by their ids.
        let area = |lots: &[Lot]| match lots {
            [Lot { at, .. }] => Some(place_name(g, at)).filter(|name| name != at).unwrap_or_default(),
            _ => String::new(),
        };
        let said = |lots: Vec<Lot>| (area(&lots), Order::Put { lots });
        found.into_iter().map(said).map(|(area, order)| Choice::said(order, &grammar).note(area)).collect()
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        for _ in 0..20 {
            let lots = self.filled(g, below, true);
            if self.law(g, &lots).is_ok() {
                return Some(Order::Put { lots });
            }
        }
        self.options(g, seat).into_iter().next().map(|choice| choice.order)
    }
}

/// The names of the things and places of a question, for reading lots.
struct Words {
    things: Names<u16>,
    places: Names<u16>,
    what: Vec<String>,
    at: Vec<String>,
    /// The possible places of each thing.
    goes: Vec<Rc<[(String, u8)]>>,
    /// `true` for each thing of which there is more than one.
    many: Vec<bool>,
}

/// A number of things as read. If the name fits several items, `which` lists them, and `doubt` is
/// the error if the place does not tell them apart.
struct Meant {
    n: u8,
    which: Vec<usize>,
    doubt: Option<Misread>,
}

impl Words {
    /// Reads lots: `3 regular at U1, harmar at U1`, `3 regular, harmar and trotter at U1`, `2
    /// settlers each at U2 and U3`.
    fn read(&self, words: &mut Reader<'_>) -> Result<Vec<Lot>, Misread> {
        let mut lots = Vec::new();
        loop {
            let mut things = vec![self.thing(words)?];
            while let Some(joined) = self.joined(words)? {
                *words = joined;
                things.push(self.thing(words)?);
            }
            let each = words.eat("each");
            words.skip(STAYS);
            words.skip(TO);
            let mut places = vec![self.place(words)?];
            let mut ahead = words.clone();
            let mut more = Vec::new();
            while let Some(place) = self.another(&mut ahead) {
                more.push(place);
            }
            if each || ahead.eat("each") {
                *words = ahead;
                places.extend(more);
            }
            for at in &places {
                for thing in &things {
                    lots.push(Lot { n: thing.n, what: self.meant(thing, at)?, at: at.clone() });
                }
            }
            words.skip(&["and"]);
            if words.at_end() {
                return Ok(lots);
            }
        }
    }
    /// Reads a thing with its number; a single thing needs none.
    fn thing(&self, words: &mut Reader<'_>) -> Result<Meant, Misread> {
        const ARTICLES: &[&str] = &["the", "his", "their"];
        let before = words.clone();
        let number = how_many(words, ARTICLES);
        let n = number.unwrap_or(1).clamp(0, 255) as u8;
        // `2 in limestone` if there is only one kind of thing.
        if self.what.len() == 1 && number.is_some() && words.clone().name(&self.things).is_err() {
            return Ok(Meant { n, which: vec![0], doubt: None });
        }
        let mut ahead = words.clone();
        let doubt = match ahead.name(&self.things) {
            Ok(i) => {
                let what = &self.what[usize::from(i)];
                if number.is_none() && self.many[usize::from(i)] && means_several(&before, &ahead, what) {
                    return Err(words.fail(format!("how many: `2 {}`", what.to_lowercase())));
                }
                *words = ahead;
                return Ok(Meant { n, which: vec![i.into()], doubt: None });
            }
            Err(why) => why,
        };
        // `1 settler` may be one for Ohio or from the east; the place may tell which.
        let one = |i: usize| {
            let names = Names::from_iter("such thing", [(&self.what[i], i), (&plural(&self.what[i]), i)]);
            let mut ahead = words.clone();
            ahead.name(&names).ok().map(|i| (i, ahead))
        };
        let found: Vec<_> = (0..self.what.len()).filter_map(one).collect();
        let read = found.iter().map(|(_, ahead)| ahead.understood()).max().unwrap_or(0);
        let found: Vec<_> = found.into_iter().filter(|(_, ahead)| ahead.understood() == read).collect();
        match found.first() {
            Some((i, ahead)) if number.is_none() && means_several(&before, ahead, &self.what[*i]) => {
                return Err(words.fail("how many of them"));
            }
            Some((_, ahead)) => *words = ahead.clone(),
            None => return Err(doubt),
        }
        Ok(Meant { n, which: found.into_iter().map(|(i, _)| i).collect(), doubt: Some(doubt) })
    }
    /// Returns the reader at the next thing if that goes to the same place, that is, if no place
    /// comes between. Both names of places and of things may be abbreviated: the longer reading
    /// wins, as `little turtle` over the Little Miami; equal lengths are an error.
    fn joined<'p>(&self, words: &Reader<'p>) -> Result<Option<Reader<'p>>, Misread> {
        let mut place = words.clone();
        place.eat("each");
        let before = place.understood();
        place.skip(STAYS);
        place.skip(AT);
        if place.understood() > before {
            return Ok(None);
        }
        let comma = words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma);
        let mut joined = words.clone();
        joined.skip(&["and", "with"]);
        let further = comma || joined.understood() > words.understood();
        let (thing, place) = (self.words_of_thing(&joined), self.words_of_place(words));
        match thing.cmp(&place) {
            std::cmp::Ordering::Greater if further => Ok(Some(joined)),
            std::cmp::Ordering::Greater => {
                Err(words.fail("a place should stand here, with `at` before it, or a comma"))
            }
            std::cmp::Ordering::Equal if thing > 0 => {
                Err(words.fail("this may be a place or something to be put: say `at`"))
            }
            _ => Ok(None),
        }
    }
    /// Returns the number of words that name a thing next, including its number and `the`; 0 if
    /// none do.
    fn words_of_thing(&self, words: &Reader<'_>) -> usize {
        let mut ahead = words.clone();
        self.thing(&mut ahead).map_or(0, |_| ahead.understood() - words.understood())
    }
    /// Returns the number of words that name a place next; 0 if none do.
    fn words_of_place(&self, words: &Reader<'_>) -> usize {
        let mut ahead = words.clone();
        ahead.skip(&["the"]);
        ahead.try_name(&self.places).map_or(0, |_| ahead.understood() - words.understood())
    }
    fn place(&self, words: &mut Reader<'_>) -> Result<String, Misread> {
        words.name(&self.places).map(|i| self.at[usize::from(i)].clone())
    }
    /// Reads another place after a comma or `and`, unless the words name a thing.
    fn another(&self, words: &mut Reader<'_>) -> Option<String> {
        let comma = words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma);
        let mut ahead = words.clone();
        ahead.skip(&["and"]);
        let further = comma || ahead.understood() > words.understood();
        ahead.skip(AT);
        if !further || self.words_of_place(&ahead) <= self.words_of_thing(&ahead) {
            return None;
        }
        ahead.skip(TO);
        let place = self.place(&mut ahead).ok()?;
        *words = ahead;
        Some(place)
    }
    fn meant(&self, thing: &Meant, at: &str) -> Result<String, Misread> {
        let fits = |i: &&usize| thing.which.len() == 1 || self.goes[**i].iter().any(|place| place.0 == at);
        let fit: Vec<&usize> = thing.which.iter().filter(fits).collect();
        match (&fit[..], &thing.doubt) {
            ([one], _) => Ok(self.what[**one].clone()),
            (_, Some(doubt)) => Err(doubt.clone()),
            _ => Ok(self.what[thing.which[0]].clone()),
        }
    }
}

/// Verbs before a place: `mckee stays at kekionga`.
const STAYS: &[&str] = &[
    "stays", "stay", "remains", "remain", "goes", "go", "returns", "return", "begins", "begin", "stands", "stand",
    "comes", "come",
];
/// Words that must be followed by a place.
const AT: &[&str] = &["at", "in", "to", "for", "from", "on", "against"];
/// Words that may precede a place.
const TO: &[&str] = &["at", "in", "to", "for", "from", "on", "against", "the"];

/// Returns a number of things in words: `3 regular`, `2 settlers`, or a leader's name alone.
pub fn said(g: &State, n: u8, what: &str) -> String {
    match n {
        1 if g.c.leader(what).is_some() => what.to_owned(),
        1 => format!("1 {what}"),
        _ => format!("{n} {}", plural(what)),
    }
}

/// Returns the plural of things other than units; names of units do not change.
fn plural(what: &str) -> String {
    match what {
        "settler" | "village" | "fort" => format!("{what}s"),
        "treaty" => "treaties".to_owned(),
        _ => what.to_owned(),
    }
}

/// Returns the display name of a place.
pub fn place_name(g: &State, id: &str) -> String {
    g.area(id).map_or_else(|| id.to_owned(), |a| g.name(a))
}

/// Returns the names of places; consecutive hexes of a column become a range, `0101-0107`.
fn ranges(g: &State, places: &[(String, u8)]) -> String {
    let number = |id: &str| id.parse::<u16>().ok().filter(|_| id.len() == 4);
    let mut runs: Vec<(&str, &str)> = Vec::new();
    for (id, _) in places {
        match runs.last_mut() {
            Some((_, last)) if number(id).is_some_and(|n| number(last) == n.checked_sub(1)) => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let words = runs.into_iter().map(|(first, last)| match first == last {
        true => place_name(g, first),
        false => format!("{first}-{last}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns how often each name comes, in the order in which they first come.
pub fn tally(names: impl IntoIterator<Item = String>) -> Vec<(String, u8)> {
    let mut all: Vec<(String, u8)> = Vec::new();
    for name in names {
        match all.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 += 1,
            None => all.push((name, 1)),
        }
    }
    all
}

/// Returns an item whose things may all go to the same places, any number to each.
pub fn item(what: impl Into<String>, n: u8, places: impl IntoIterator<Item = String>, must: bool) -> Item {
    Item { what: what.into(), n, places: places.into_iter().map(|at| (at, u8::MAX)).collect(), must }
}

/// Asks the question unless only one answer is possible.
pub async fn put(t: &super::T, g: &mut State, seat: Seat, lots: Lots) -> Vec<Lot> {
    match lots.only_answer(g) {
        Some(only) => only,
        None => t.ask(g, seat, lots).await,
    }
}
