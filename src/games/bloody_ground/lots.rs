//! Questions in which so many things are put at places: set-up, settlers, reinforcements, removals, pairings.

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

/// Something that is put at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// As orders name it.
    pub what: String,
    /// How many of it there are.
    pub n: u8,
    /// Where it may go, in the order of preference; each with how many of it fit there.
    pub places: Rc<[(String, u8)]>,
    /// All of it must be put somewhere, as far as it fits.
    pub must: bool,
}

type Apt = Box<dyn Fn(&State, &[Lot], &str, &str) -> bool>;
type Knowing = Box<dyn Fn(&State, Option<&[Lot]>) -> Vec<Fact>>;
type Check = Box<dyn Fn(&State, &[Lot]) -> Result<(), Refusal>>;

/// Puts things at places.
pub struct Lots {
    asking: Asking,
    items: Vec<Item>,
    /// How many of all together fit at a place; places that are not named take any number.
    room: BTreeMap<String, u8>,
    /// How many things in all are put, at least and at most.
    total: (u8, u8),
    /// Places each of which gets something, as far as there is enough.
    each: Vec<String>,
    lines: Vec<String>,
    check: Option<Check>,
    /// Whether one more of something may go to a place where others go: what samples and options keep to.
    apt: Option<Apt>,
    /// What conditions of standing orders can compare, of the question and of an answer.
    knowing: Option<Knowing>,
}

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
    /// So many of all things together fit at this place.
    pub fn room(mut self, place: impl Into<String>, room: u8) -> Lots {
        self.room.insert(place.into(), room);
        self
    }
    /// Exactly so many things in all, if there are as many.
    pub fn exactly(self, n: u8) -> Lots {
        let all = self.items.iter().map(|item| item.n).fold(0, u8::saturating_add);
        Lots { total: (n.min(all), n), ..self }
    }
    /// Each of these places gets something.
    pub fn each(self, each: Vec<String>) -> Lots {
        Lots { each, ..self }
    }
    /// At most so many things in all.
    pub fn at_most(self, n: u8) -> Lots {
        Lots { total: (0, n), ..self }
    }
    /// A line for the reader.
    pub fn line(mut self, line: impl Into<String>) -> Lots {
        self.lines.push(line.into());
        self
    }
    /// What must hold besides.
    pub fn check(mut self, check: impl Fn(&State, &[Lot]) -> Result<(), Refusal> + 'static) -> Lots {
        self.check = Some(Box::new(check));
        self
    }
    /// What must hold besides what has to be asked for already.
    pub fn and_check(mut self, more: impl Fn(&State, &[Lot]) -> Result<(), Refusal> + 'static) -> Lots {
        self.check = Some(match self.check.take() {
            Some(first) => Box::new(move |g, lots| first(g, lots).and_then(|()| more(g, lots))),
            None => Box::new(more),
        });
        self
    }
    /// `true` if one more of something may go to a place, beside what goes there: part of what
    /// [`check`](Lots::check) asks, so that samples and options keep to it.
    pub fn apt(mut self, apt: impl Fn(&State, &[Lot], &str, &str) -> bool + 'static) -> Lots {
        self.apt = Some(Box::new(apt));
        self
    }
    /// What conditions of standing orders can compare.
    pub fn knowing(mut self, knowing: impl Fn(&State, Option<&[Lot]>) -> Vec<Fact> + 'static) -> Lots {
        self.knowing = Some(Box::new(knowing));
        self
    }
    /// The only possible answer, if there is only one.
    pub fn only_answer(&self, g: &State) -> Option<Vec<Lot>> {
        let all = self.items.iter().map(|item| item.n).fold(0, u8::saturating_add);
        match &self.items[..] {
            [] => Some(Vec::new()),
            items if items.iter().all(|item| item.places.len() == 1 && (item.must || self.total.0 >= all)) => {
                Some(self.plain(g))
            }
            _ => None,
        }
    }
    /// No more than must be, at the first places where it fits.
    fn plain(&self, g: &State) -> Vec<Lot> {
        self.filled(g, &mut |_| 0, false)
    }
    /// Puts things one by one where they fit, the place by chance; what need not be put is put by chance too.
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
        // First what must be put, then what may, then what the total wants.
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
                    // From a place by chance on, the first that is apt.
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
            // Things that share their places name them once.
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
        // The lots are said one by one; several things may be read before one place, and several places behind `each`.
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
        // Things that may go to the same places share a line.
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
        // Everything where the first thing fits, and a few mixtures that are always the same.
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
            // Whoever has settlers wants to see where they can go before he leaves them out.
            found.sort_by_key(|lots| std::cmp::Reverse(lots.iter().map(|lot| u32::from(lot.n)).sum::<u32>()));
        }
        found.into_iter().map(|lots| Choice::said(Order::Put { lots }, &grammar)).collect()
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

/// How lots are read: what there is to be put, and where.
struct Words {
    things: Names<u16>,
    places: Names<u16>,
    what: Vec<String>,
    at: Vec<String>,
    /// Where each thing may go.
    goes: Vec<Rc<[(String, u8)]>>,
    /// Whether there is more than one of it.
    many: Vec<bool>,
}

/// So many of something; several things where the word fits them all, with what is wrong if the place does not tell them apart.
struct Meant {
    n: u8,
    which: Vec<usize>,
    doubt: Option<Misread>,
}

impl Words {
    /// `3 regular at U1, harmar at U1` · `3 regular, harmar and trotter at U1` · `2 settlers each at U2 and U3`.
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
    /// One of something needs no number.
    fn thing(&self, words: &mut Reader<'_>) -> Result<Meant, Misread> {
        const ARTICLES: &[&str] = &["the", "his", "their"];
        let before = words.clone();
        let number = how_many(words, ARTICLES);
        let n = number.unwrap_or(1).clamp(0, 255) as u8;
        // `2 in limestone` where all that is put is of one kind.
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
        // `1 settler` is one for Ohio or from the east: the place may tell.
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
    /// The words from the next thing on, where it goes to the same place as the one before it: no place comes between. Names of places
    /// may be cut short as those of things are: the longer reading counts, `little turtle` and not the Little Miami, and of equal ones
    /// none.
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
    /// How many of the next words name a thing, its number and `the` among them, if they do.
    fn words_of_thing(&self, words: &Reader<'_>) -> usize {
        let mut ahead = words.clone();
        self.thing(&mut ahead).map_or(0, |_| ahead.understood() - words.understood())
    }
    /// How many of the next words name a place.
    fn words_of_place(&self, words: &Reader<'_>) -> usize {
        let mut ahead = words.clone();
        ahead.skip(&["the"]);
        ahead.try_name(&self.places).map_or(0, |_| ahead.understood() - words.understood())
    }
    fn place(&self, words: &mut Reader<'_>) -> Result<String, Misread> {
        words.name(&self.places).map(|i| self.at[usize::from(i)].clone())
    }
    /// Another place behind a comma or an `and`, which is no thing.
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
/// Words behind which a place comes.
const AT: &[&str] = &["at", "in", "to", "for", "from", "on", "against"];
/// Words before a place.
const TO: &[&str] = &["at", "in", "to", "for", "from", "on", "against", "the"];

/// `3 regular`, `2 settlers`, and a leader by his name alone.
pub fn said(g: &State, n: u8, what: &str) -> String {
    match n {
        1 if g.c.leader(what).is_some() => what.to_owned(),
        1 => format!("1 {what}"),
        _ => format!("{n} {}", plural(what)),
    }
}

/// What is counted and is no unit has a plural.
fn plural(what: &str) -> String {
    match what {
        "settler" | "village" | "fort" => format!("{what}s"),
        "treaty" => "treaties".to_owned(),
        _ => what.to_owned(),
    }
}

/// A place as people call it.
pub fn place_name(g: &State, id: &str) -> String {
    g.area(id).map_or_else(|| id.to_owned(), |a| g.name(a))
}

/// Places by name, hexes of a column as `0101-0107`.
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

/// Things that all may go to the same places, any number to each.
pub fn item(what: impl Into<String>, n: u8, places: impl IntoIterator<Item = String>, must: bool) -> Item {
    Item { what: what.into(), n, places: places.into_iter().map(|at| (at, u8::MAX)).collect(), must }
}

/// Asks, unless only one answer is possible.
pub async fn put(t: &super::T, g: &mut State, seat: Seat, lots: Lots) -> Vec<Lot> {
    match lots.only_answer(g) {
        Some(only) => only,
        None => t.ask(g, seat, lots).await,
    }
}
