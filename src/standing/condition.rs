//! Conditions in plain words about the facts of a question:
//! `chance at least 40 % and area is colorado or wyoming`.

use super::{Fact, FactKind, Measure, Value};
use postrider_orders::{Misread, Names, Phrase, Reader};
use std::{cmp::Ordering, collections::BTreeMap};

/// The condition under which a clause of a standing order applies.
///
/// `and` binds more tightly than `or`. A comma means `and`, except between names, where it means
/// `or`. `not` applies to one comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of these hold.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// The fact of this name passes the test.
    Is(&'static str, Test),
    /// The fact has changed since an earlier question of the same kind.
    Changed(Change),
}

/// A number that has decreased or increased since the last such question about the same people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the fact.
    fact: &'static str,
    /// Facts of which at least one must name the same people as before ([`FactKind::of`]). If
    /// empty, any earlier question counts.
    of: &'static [&'static str],
    /// The minimum change, 1 or more.
    by: i64,
    /// `true` for a decrease, `false` for an increase.
    less: bool,
}

/// A test of a fact's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// A number or percentage between these bounds, both included.
    Between(i64, i64),
    /// A ratio of two strengths that compares in this way with the given ratio.
    Ratio(Against, i64, i64),
    /// One of these names.
    Named(Vec<String>),
    /// The fact is true.
    Yes,
}

/// A comparison of two numbers or ratios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// At least.
    Least,
    /// At most.
    Most,
    /// More than.
    More,
    /// Less than.
    Less,
    /// Equal to.
    Same,
}

/// The words for a comparison that precede the value.
const COMPARISONS: &[(&str, Against)] = &[
    ("at least", Against::Least),
    ("no less than", Against::Least),
    ("not less than", Against::Least),
    ("not below", Against::Least),
    ("at most", Against::Most),
    ("no more than", Against::Most),
    ("not more than", Against::Most),
    ("not over", Against::Most),
    ("not above", Against::Most),
    ("up to", Against::Most),
    ("more than", Against::More),
    ("better than", Against::More),
    ("greater than", Against::More),
    ("higher than", Against::More),
    ("above", Against::More),
    ("over", Against::More),
    ("less than", Against::Less),
    ("fewer than", Against::Less),
    ("lower than", Against::Less),
    ("below", Against::Less),
    ("under", Against::Less),
    ("exactly", Against::Same),
    ("equal to", Against::Same),
    ("equals", Against::Same),
];

/// The words for a comparison that follow the value: `5 or more`.
const AFTERWARDS: &[(&str, Against)] = &[
    ("or more", Against::Least),
    ("or better", Against::Least),
    ("or higher", Against::Least),
    ("or over", Against::Least),
    ("or less", Against::Most),
    ("or fewer", Against::Most),
    ("or lower", Against::Most),
    ("or worse", Against::Most),
];

/// Symbols and the words that replace them before reading.
const SIGNS: &[(&str, &str)] = &[
    ("≥", " at least "),
    (">=", " at least "),
    ("≤", " at most "),
    ("<=", " at most "),
    ("!=", " is not "),
    ("≠", " is not "),
    (">", " more than "),
    ("<", " less than "),
    ("=", " is "),
];

/// The vocabulary for reading conditions.
pub struct Vocabulary<'v> {
    /// The facts that can be compared.
    pub facts: Vec<&'v FactKind>,
    /// The possible names of each fact. A fact without an entry cannot be compared with a name.
    pub names: BTreeMap<&'static str, Vec<String>>,
    /// `true` if conditions may compare with the last question of the same kind, which is allowed
    /// only in those that end a standing order.
    pub changes: bool,
}

impl Vocabulary<'_> {
    /// Reads a condition.
    ///
    /// # Errors
    /// A [`Misread`] if the words are not a condition, or the condition always or never holds.
    pub fn read(&self, text: &str) -> Result<Condition, Misread> {
        let text = SIGNS.iter().fold(text.to_owned(), |text, (sign, words)| text.replace(sign, words));
        let phrase = Phrase::new(&text);
        let mut words = phrase.reader();
        let condition = self.any(&mut words)?;
        words.end()?;
        match self.always(&condition) {
            None => Ok(condition),
            Some(false) => Err(words.fail_from(0, "this can never be true")),
            Some(true) => Err(words.fail_from(0, "this is always true and can be left out")),
        }
    }

    fn any(&self, words: &mut Reader<'_>) -> Result<Condition, Misread> {
        let mut all = vec![self.all(words)?];
        while words.eat("or") {
            all.push(self.all(words)?);
        }
        Ok(one_or(all, Condition::Any))
    }

    fn all(&self, words: &mut Reader<'_>) -> Result<Condition, Misread> {
        let mut all = vec![self.term(words)?];
        // Anything after a comparison, except `or`, is another comparison; a comma may separate
        // them.
        while !words.at_end() && !words.clone().eat("or") {
            words.skip(&["and", "but"]);
            all.push(self.term(words)?);
        }
        Ok(one_or(all, Condition::All))
    }

    fn term(&self, words: &mut Reader<'_>) -> Result<Condition, Misread> {
        words.skip(&["the", "if", "a", "my", "there", "it", "i"]);
        if words.clone().eat("not") {
            words.skip(&["not"]);
            return Ok(Condition::Not(Box::new(self.term(words)?)));
        }
        if let Some(verb) = loss(words) {
            let less = verb.less;
            *words = verb.behind;
            words.skip(&["a", "an", "another", "any", "at", "least"]);
            let at = words.understood();
            let by = words.number().unwrap_or(1);
            eat_exactly(words, "or more");
            words.skip(&["of"]);
            let fact = self.fact(words)?;
            eat_exactly(words, "or more");
            return self.change(fact, (less, by), words, at);
        }
        if words.at_end() {
            return Err(words.fail("a fact is missing: what is to be compared?"));
        }
        let fact = self.fact(words)?;
        let at = words.understood();
        if let Some(less) = moved(words) {
            words.skip(&["by", "at", "least"]);
            let by = words.number().unwrap_or(1);
            eat_exactly(words, "or more");
            return self.change(fact, (less, by), words, at);
        }
        match fact.measure {
            Measure::YesNo => {
                words.skip(&["is", "are", "true", "so"]);
                Ok(Condition::Is(fact.name, Test::Yes))
            }
            Measure::Name(what) => self.named(fact, what, words),
            Measure::Ratio => {
                let (against, before) = comparison(words);
                let Some(one) = words.number() else {
                    return Err(words.fail(format!(
                        "{} is compared with a ratio, as in {}",
                        fact.name,
                        fact.example()
                    )));
                };
                words.skip(&["to", "against"]);
                let other = words.number().unwrap_or(1);
                if one < 0 || other < 0 || one + other == 0 {
                    return Err(words.fail_from(at, "a ratio is of two numbers that are not negative, as in 2 to 1"));
                }
                let (against, after) = if before { (against, false) } else { afterwards(words, against) };
                let against = if before || after { against } else { Against::Least };
                Ok(Condition::Is(fact.name, Test::Ratio(against, one, other)))
            }
            Measure::Number(..) | Measure::Percent => self.number(fact, words),
        }
    }

    fn fact(&self, words: &mut Reader<'_>) -> Result<&FactKind, Misread> {
        let mut names = Names::new("fact");
        for (i, fact) in self.facts.iter().enumerate() {
            // `loses a BP`: the singular of a plural name.
            for name in std::iter::once(&fact.name).chain(fact.also) {
                names.add(name, i);
                name.strip_suffix('s').into_iter().for_each(|one| _ = names.add(one, i));
            }
        }
        if names.is_empty() {
            return Err(words.fail("no fact is known at such a question, so nothing can be compared"));
        }
        // As in `am outnumbered` and `is alone`.
        words.skip(&["am", "are", "is"]);
        Ok(self.facts[words.name(&names)?])
    }

    fn change(
        &self,
        fact: &FactKind,
        (less, by): (bool, i64),
        words: &Reader<'_>,
        at: usize,
    ) -> Result<Condition, Misread> {
        let why = match () {
            () if !self.changes => {
                "a change can end a standing order, as in `stop if …`; here say at least, at most or exactly"
            }
            () if !matches!(fact.measure, Measure::Number(..) | Measure::Percent) => {
                "only a number can increase or decrease"
            }
            () if by < 1 => "a change is by 1 or more",
            () => return Ok(Condition::Changed(Change { fact: fact.name, of: fact.of, by, less })),
        };
        Err(words.fail_from(at, why))
    }

    fn number(&self, fact: &FactKind, words: &mut Reader<'_>) -> Result<Condition, Misread> {
        let at = words.understood();
        let negated = words.clone();
        let is = ["is", "are"].iter().any(|is| words.eat(is));
        let not = is && words.eat("not");
        let (against, before) = comparison(words);
        let Some(value) = words.number() else {
            let why = format!("{} is compared with a number, as in {}", fact.name, fact.example());
            return Err(if words.at_end() { words.fail(why) } else { negated.fail(why) });
        };
        words.skip(&["percent", "per", "cent", "pct"]);
        let (against, after) = if before { (against, false) } else { afterwards(words, against) };
        if !before && !after && !is {
            let why = format!("say whether {} is to be at least, at most or exactly {value}", fact.name);
            return Err(words.fail_from(at, why));
        }
        let test = match against {
            Against::Least => Test::Between(value, i64::MAX),
            Against::Most => Test::Between(i64::MIN, value),
            Against::More => Test::Between(value.saturating_add(1), i64::MAX),
            Against::Less => Test::Between(i64::MIN, value.saturating_sub(1)),
            Against::Same => Test::Between(value, value),
        };
        let is = Condition::Is(fact.name, test);
        Ok(if not { Condition::Not(Box::new(is)) } else { is })
    }

    fn named(&self, fact: &FactKind, what: &str, words: &mut Reader<'_>) -> Result<Condition, Misread> {
        words.skip(&["is", "are", "in", "of"]);
        let not = words.eat("not");
        words.skip(&["one", "among", "in", "the"]);
        let mut found = Vec::new();
        let known = self.names.get(fact.name);
        let mut names = Names::new("such name");
        for (i, name) in known.into_iter().flatten().enumerate() {
            names.add(name, i);
        }
        loop {
            let mut ahead = words.clone();
            if !found.is_empty() {
                let joined = ahead.eat("or");
                // A name after a comma continues the list; anything else is another comparison.
                if ahead.try_name(&names).is_none() {
                    break;
                }
                if joined {
                    words.skip(&["or"]);
                }
            }
            match known {
                Some(known) => found.push(known[words.name(&names)?].clone()),
                None => return Err(words.fail(format!("no {what} can be named here"))),
            }
        }
        let is = Condition::Is(fact.name, Test::Named(found));
        Ok(if not { Condition::Not(Box::new(is)) } else { is })
    }

    /// Returns `Some(true)` if the condition always holds and `Some(false)` if it never does, as
    /// far as the bounds of single facts tell.
    fn always(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Not(not) => self.always(not).map(|always| !always),
            Condition::Is(name, Test::Between(from, to)) => {
                let fact = self.facts.iter().find(|fact| fact.name == *name)?;
                let (least, most) = bounds(fact.measure)?;
                match (*from > most || *to < least || from > to, *from <= least && *to >= most) {
                    (true, _) => Some(false),
                    (_, true) => Some(true),
                    _ => None,
                }
            }
            Condition::Is(..) | Condition::Changed(_) => None,
            Condition::Any(all) => {
                let all: Vec<_> = all.iter().map(|one| self.always(one)).collect();
                match () {
                    () if all.contains(&Some(true)) => Some(true),
                    () if all.iter().all(|one| *one == Some(false)) => Some(false),
                    () => None,
                }
            }
            Condition::All(all) => {
                // `at least 5 and at most 3`: the comparisons of one fact may exclude each other.
                let mut left: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
                for one in all {
                    if let Condition::Is(name, Test::Between(from, to)) = one {
                        let (least, most) = left.entry(name).or_insert((i64::MIN, i64::MAX));
                        (*least, *most) = ((*least).max(*from), (*most).min(*to));
                    }
                }
                let all: Vec<_> = all.iter().map(|one| self.always(one)).collect();
                match () {
                    () if all.contains(&Some(false)) || left.values().any(|(least, most)| least > most) => Some(false),
                    () if all.iter().all(|one| *one == Some(true)) => Some(true),
                    () => None,
                }
            }
        }
    }
}

/// Returns the bounds of a numeric measure.
fn bounds(measure: Measure) -> Option<(i64, i64)> {
    match measure {
        Measure::Number(least, most) => Some((least, most)),
        Measure::Percent => Some((0, 100)),
        _ => None,
    }
}

fn one_or(mut all: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    match all.len() {
        1 => all.remove(0),
        _ => several(all),
    }
}

/// A verb of losing or gaining, and the position after it.
struct Verb<'w> {
    less: bool,
    behind: Reader<'w>,
}

/// Finds a verb of losing or gaining among the next four words: `the village loses`. The subject is
/// not read, because the fact implies it.
fn loss<'w>(words: &Reader<'w>) -> Option<Verb<'w>> {
    let mut ahead = words.clone();
    for _ in 0..4 {
        for (verbs, less) in [(["loses", "lose", "lost"], true), (["gains", "gain", "gained"], false)] {
            if verbs.iter().any(|verb| eat_exactly(&mut ahead, verb)) {
                return Some(Verb { less, behind: ahead });
            }
        }
        ahead.skip_one();
    }
    None
}

/// Reads a verb such as `falls` (`true`) or `rises` (`false`) after a fact.
fn moved(words: &mut Reader<'_>) -> Option<bool> {
    let less = ["falls", "fall", "drops", "drop", "sinks", "sink", "shrinks", "shrink"];
    let more = ["rises", "rise", "grows", "grow", "increases", "increase"];
    let all = less.iter().map(|word| (word, true)).chain(more.iter().map(|word| (word, false)));
    all.into_iter().find_map(|(word, less)| eat_exactly(words, word).then_some(less))
}

/// Reads the comparison before a value. Returns `Same` and `false` if there is none.
fn comparison(words: &mut Reader<'_>) -> (Against, bool) {
    for (said, against) in COMPARISONS {
        if eat_exactly(words, said) {
            return (*against, true);
        }
    }
    (Against::Same, false)
}

/// Reads the comparison after a value. Returns `otherwise` and `false` if there is none.
fn afterwards(words: &mut Reader<'_>, otherwise: Against) -> (Against, bool) {
    for (said, against) in AFTERWARDS {
        if eat_exactly(words, said) {
            return (*against, true);
        }
    }
    (otherwise, false)
}

/// Reads these words only if they match exactly: words of comparison may not be abbreviated or
/// inflected.
fn eat_exactly(words: &mut Reader<'_>, said: &str) -> bool {
    let mut ahead = words.clone();
    for word in said.split(' ') {
        if ahead.peek() != Some(word) {
            return false;
        }
        ahead.skip_one();
    }
    *words = ahead;
    true
}

impl Condition {
    /// Returns `true` if the condition holds, or `None` if that depends on an unknown fact.
    pub fn holds(&self, facts: &[Fact]) -> Option<bool> {
        self.holds_since(facts, &[])
    }

    /// Returns the same as [`holds`](Condition::holds), with changes measured against `before`, the
    /// facts of earlier questions, newest first. Without an earlier question about the same people,
    /// nothing has changed.
    pub fn holds_since(&self, facts: &[Fact], before: &[Vec<Fact>]) -> Option<bool> {
        match self {
            Condition::Not(not) => not.holds_since(facts, before).map(|holds| !holds),
            Condition::Changed(change) => change.holds(facts, before),
            Condition::Is(name, test) => {
                let fact = facts.iter().find(|fact| fact.name == *name)?;
                test.passes(&fact.value)
            }
            Condition::All(all) => {
                let all: Vec<_> = all.iter().map(|one| one.holds_since(facts, before)).collect();
                match all.contains(&Some(false)) {
                    true => Some(false),
                    false => all.into_iter().collect::<Option<Vec<_>>>().map(|_| true),
                }
            }
            Condition::Any(all) => {
                let all: Vec<_> = all.iter().map(|one| one.holds_since(facts, before)).collect();
                match all.contains(&Some(true)) {
                    true => Some(true),
                    false => all.into_iter().collect::<Option<Vec<_>>>().map(|_| false),
                }
            }
        }
    }

    /// Returns the names of the facts that it compares.
    pub fn facts(&self) -> Vec<&'static str> {
        match self {
            Condition::All(all) | Condition::Any(all) => all.iter().flat_map(Condition::facts).collect(),
            Condition::Not(not) => not.facts(),
            Condition::Is(name, _) => vec![name],
            Condition::Changed(change) => vec![change.fact],
        }
    }

    /// Returns `true` if it compares with earlier questions.
    pub fn looks_back(&self) -> bool {
        match self {
            Condition::All(all) | Condition::Any(all) => all.iter().any(Condition::looks_back),
            Condition::Not(not) => not.looks_back(),
            Condition::Is(..) => false,
            Condition::Changed(_) => true,
        }
    }
}

impl Change {
    /// Returns `true` if the number has changed since the newest earlier question about the same
    /// people.
    fn holds(&self, now: &[Fact], before: &[Vec<Fact>]) -> Option<bool> {
        let value = |facts: &[Fact]| match facts.iter().find(|fact| fact.name == self.fact)?.value {
            Value::Number(value) | Value::Percent(value) => Some(value),
            _ => None,
        };
        let named =
            |facts: &[Fact], name: &str| match facts.iter().find(|fact| fact.name == name).map(|fact| &fact.value) {
                Some(Value::Names(names)) => names.clone(),
                _ => Vec::new(),
            };
        let same = |then: &[Fact]| {
            let one = |name: &&str| named(now, name).iter().any(|who| named(then, name).contains(who));
            self.of.is_empty() || self.of.iter().any(one)
        };
        let now_is = value(now)?;
        let then = before.iter().filter(|then| same(then)).find_map(|then| value(then));
        Some(then.is_some_and(|then| if self.less { then - now_is >= self.by } else { now_is - then >= self.by }))
    }
}

impl Test {
    /// Returns `true` if a value passes the test, or `None` if the value has a different measure.
    fn passes(&self, value: &Value) -> Option<bool> {
        match (self, value) {
            (Test::Between(from, to), Value::Number(value) | Value::Percent(value)) => {
                Some((from..=to).contains(&value))
            }
            (Test::Ratio(against, one, other), Value::Ratio(mine, theirs)) => {
                // Cross-multiplied to avoid fractions.
                let product = |a: &i64, b: &i64| i128::from(*a) * i128::from(*b);
                let order = product(mine, other).cmp(&product(one, theirs));
                Some(match against {
                    Against::Least => order != Ordering::Less,
                    Against::Most => order != Ordering::Greater,
                    Against::More => order == Ordering::Greater,
                    Against::Less => order == Ordering::Less,
                    Against::Same => order == Ordering::Equal,
                })
            }
            (Test::Named(names), Value::Names(values)) => {
                Some(values.iter().any(|value| names.iter().any(|name| name.eq_ignore_ascii_case(value))))
            }
            (Test::Yes, Value::Yes(yes)) => Some(*yes),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &[FactKind] = &[
        FactKind::new("turn", Measure::Number(1, 6), &[], "the Turn"),
        FactKind::new("chance", Measure::Percent, &["reaction"], "that it works"),
        FactKind::new("outnumbered", Measure::Ratio, &["evasion"], "they against you"),
        FactKind::new("area", Measure::Name("Area"), &["reaction"], "where").or(&["in"]),
        FactKind::new("alone", Measure::YesNo, &["reaction"], "nobody else is there"),
        FactKind::new("vps", Measure::Number(0, 99), &[], "your VPs").or(&["victory points"]),
    ];

    fn vocabulary() -> Vocabulary<'static> {
        let areas = ["Colorado", "Wyoming", "New Mexico", "Utah"].map(str::to_owned).to_vec();
        Vocabulary { facts: FACTS.iter().collect(), names: BTreeMap::from([("area", areas)]), changes: false }
    }

    fn here() -> Vec<Fact> {
        vec![
            Fact::number("turn", 3),
            Fact::share("chance", 4, 10),
            Fact::ratio("outnumbered", 6, 3),
            Fact::is("area", "Wyoming"),
            Fact::whether("alone", false),
            Fact::number("vps", 7),
        ]
    }

    fn holds(text: &str) -> Option<bool> {
        vocabulary().read(text).unwrap_or_else(|why| panic!("{text}: {why}")).holds(&here())
    }

    #[test]
    fn comparisons_are_read_as_they_are_said() {
        for (text, expected) in [
            ("outnumbered 2 to 1", true),
            ("outnumbered by more than 2 to 1", false),
            ("i am outnumbered 3:1", false),
            ("outnumbered at most 2 to 1", true),
            ("chance at least 40 %", true),
            ("chance >= 40", true),
            ("chnce at least 40 %", true),
            ("chance over 40 percent", false),
            ("the chance is 40 % or more", true),
            ("chance below 40 %", false),
            ("area is colorado, wyoming or utah", true),
            ("in colorado, wyoming and chance at least 40 %", true),
            ("in colorado or vps 7 or more", true),
            ("area is not wyoming", false),
            ("in new mexico or utah", false),
            ("not alone", true),
            ("alone or turn is 3", true),
            ("turn is not 3", false),
            ("victory points above 6 and not alone, turn at most 3", true),
            ("turn 4 or more and vps 7 or more or not alone", true),
        ] {
            let text = text.replace("outnumbered by", "outnumbered");
            assert_eq!(holds(&text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_known_here_is_neither_so_nor_not_so() {
        let condition = vocabulary().read("alone or chance at least 50 %").unwrap();
        assert_eq!(condition.holds(&[]), None);
        assert_eq!(condition.holds(&[Fact::whether("alone", true)]), Some(true));
        assert_eq!(condition.holds(&[Fact::whether("alone", false)]), None);
        let both = vocabulary().read("alone and chance at least 50 %").unwrap();
        assert_eq!(both.holds(&[Fact::whether("alone", false)]), Some(false));
        assert_eq!(both.facts(), ["alone", "chance"]);
    }

    #[test]
    fn a_condition_that_says_nothing_is_refused() {
        for (text, says) in [
            ("chance at least 140 %", "never"),
            ("chance at least 0 %", "always"),
            ("turn at least 5 and turn at most 3", "never"),
            ("turn at least 1", "always"),
            ("not chance at least 0", "never"),
            ("turn above 6 or chance below 0", "never"),
        ] {
            let why = vocabulary().read(text).unwrap_err().to_string();
            assert!(why.contains(says), "{text}: {why}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_pointed_at() {
        for (text, says) in [
            ("odds at least 40 %", "odds"),
            ("weather is good", "weather"),
            ("chance 40 %", "at least, at most or exactly"),
            ("chance at least", "compared with a number"),
            ("area is oregon", "oregon"),
            ("alone and", "missing"),
            ("outnumbered", "ratio"),
            ("outnumbered 0 to 0", "not negative"),
            ("outnumbered 9223372036854775807", "ratio"),
            ("alone 5", "“5”"),
        ] {
            let read = vocabulary().read(text);
            let why = read.as_ref().map_or_else(ToString::to_string, |read| format!("{read:?}"));
            assert!(read.is_err() && why.contains(says), "{text}: {why}");
        }
    }

    #[test]
    fn what_changes_is_held_against_the_last_question_about_the_same() {
        const OWN: &[FactKind] = &[
            FactKind::new("village", Measure::Name("Village"), &[], "whose"),
            FactKind::new("enemy bps", Measure::Number(0, 99), &[], "BPs of the others"),
            FactKind::new("bps", Measure::Number(0, 99), &[], "its BPs").of(&["village"]),
            FactKind::new("vps", Measure::Number(0, 99), &[], "your VPs"),
        ];
        let read = |text: &str, changes| {
            Vocabulary { facts: OWN.iter().collect(), names: BTreeMap::new(), changes }.read(text)
        };
        let at = |village: &str, bps: i64| {
            vec![Fact::is("village", village), Fact::number("bps", bps), Fact::number("vps", bps)]
        };
        let before = [at("Crow", 9), at("Ute", 6), at("Ute", 8)];
        for (text, now, expected) in [
            ("the village loses a BP", at("Ute", 5), true),
            ("the village loses a BP", at("Ute", 6), false),
            ("the village loses a BP", at("Snake", 1), false),
            ("it loses 2 bps or more", at("Ute", 5), false),
            ("it loses at least 2 BPs", at("Ute", 4), true),
            ("bps fall", at("Crow", 8), true),
            ("bps fall by 2", at("Crow", 8), false),
            ("bps rise", at("Ute", 7), true),
            ("it gains a bp", at("Ute", 7), true),
            ("vps fall by at least 3", at("Snake", 6), true),
            ("vps fall by 4", at("Snake", 6), false),
            ("bps fall or vps at most 3", at("Snake", 3), true),
        ] {
            let condition = read(text, true).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(condition.holds_since(&now, &before), Some(expected), "{text}");
            assert!(condition.looks_back() && condition.holds(&now) == Some(text.ends_with("most 3")), "{text}");
            let why = read(text, false).unwrap_err().to_string();
            assert!(why.contains("stop if"), "{text}: {why}");
        }
        for (text, says) in
            [("bps fall by 0", "1 or more"), ("village falls", "only a number"), ("it loses a horse", "horse")]
        {
            let why = read(text, true).map_or_else(|why| why.to_string(), |read| format!("{read:?}"));
            assert!(why.contains(says), "{text}: {why}");
        }
    }

    #[test]
    fn facts_say_what_they_are() {
        let all: Vec<String> = here().iter().map(ToString::to_string).collect();
        assert_eq!(all[..5], ["turn 3", "chance 40 %", "outnumbered 6 to 3", "area Wyoming", "not alone"]);
        assert!(here().iter().all(|fact| FACTS.iter().any(|kind| kind.name == fact.name && kind.fits(fact))));
        for fact in FACTS.iter().filter(|fact| !matches!(fact.measure, Measure::Name(_))) {
            assert!(vocabulary().read(&fact.example()).is_ok(), "{}", fact.example());
        }
        assert!(FACTS[1].known_at(Some("reaction")) && !FACTS[1].known_at(Some("evasion")) && FACTS[0].known_at(None));
    }
}
