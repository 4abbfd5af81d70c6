//! The description of a game, available before it is played.

use super::{
    Absent, AnyOrder, Bot, Chance, DynGame, Explained, GameMap, NamedBot, OptionalRule, RANDOM, Setup, SetupFault,
    Subject, Subjects, Watch,
};
use postrider_orders::list_or;
use postrider_standing::FactKind;
use std::ops::RangeInclusive;

/// Returns the help subjects on conditions of standing orders: one for all, and one for each fact.
fn conditions(facts: &[FactKind]) -> Vec<Subject> {
    let names = |known: &dyn Fn(&&FactKind) -> bool| {
        facts.iter().filter(known).map(|fact| fact.name).collect::<Vec<_>>().join(", ")
    };
    let mut kinds: Vec<&str> = facts.iter().flat_map(|fact| fact.kinds).copied().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let everywhere = names(&|fact| fact.kinds.is_empty());
    let at = kinds.iter().map(|kind| format!("At {kind}: {}.", names(&|fact| fact.kinds.contains(kind))));
    let text = format!(
        "A standing order can have conditions: `ORDER if FACT at least 3`, also `at most`, `more than`, `less than`, `is`, `is not`, joined by \
         `and`, `or` and `not`; `unless` for the opposite. `help` and the name of a fact says what it is. At every question: {everywhere}. {}",
        at.collect::<Vec<_>>().join(" ")
    );
    let all = Subject {
        names: ["conditions", "condition", "facts", "if"].map(str::to_owned).into(),
        explained: Explained::new("conditions", text),
        listed: true,
    };
    let each = facts.iter().map(|fact| {
        let at = match fact.kinds {
            [] => "Known at every question.".to_owned(),
            kinds => format!("Known at questions of the kind {}.", list_or(kinds)),
        };
        let text = format!("A fact for conditions: {}. {at} For example: `if {}`.", fact.about, fact.example());
        Subject::thing(fact.name, Explained::new(fact.name, text))
    });
    std::iter::once(all).chain(each).collect()
}

/// A figure of a balance report.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// Its name among [`Game::figures`](super::Game::figures).
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The historical value, if known.
    pub history: Option<i64>,
}

/// A kind of question that the seats answer in rotation until all of them pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByTurns {
    /// The kind of question.
    pub kind: &'static str,
    /// The words of the order that passes.
    pub pass: &'static str,
    /// Boolean facts. If one is true for an order left for a later turn, or would be for another
    /// order left with it, the seat is asked after all.
    pub breaks: &'static [&'static str],
}

/// Information on a game for players who consider joining, as shown in invitations.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// The side of each seat, in the order of the seats; empty if sides are assigned during the
    /// game.
    pub sides: Vec<String>,
    /// The assignment of sides and the winning condition, in a sentence or two.
    pub goal: String,
    /// The length of the game, in Turns and Rounds.
    pub length: String,
}

/// A game in the registry, as seen by the layers above.
pub trait Ruleset: Sync {
    /// Returns the name in journals and on the command line: lower case, words joined by hyphens.
    fn name(&self) -> &'static str;
    /// Returns the title for people, as printed on the box.
    fn title(&self) -> &'static str;
    /// Returns the version of these rules, as recorded in journals.
    fn version(&self) -> u32;
    /// Returns the earlier released versions, which never change: games opened under them continue
    /// under them.
    fn earlier(&self) -> &'static [&'static dyn Ruleset] {
        &[]
    }
    /// Returns the possible numbers of players.
    fn seats(&self) -> RangeInclusive<u8>;
    /// Returns the scenarios, the default one first.
    fn scenarios(&self) -> &'static [&'static str];
    /// Returns the scenarios of the rulebook that cannot be played, each with the reason.
    fn absent(&self) -> &'static [Absent] {
        &[]
    }
    /// Returns the introduction to a game with this setup.
    fn introduction(&self, _setup: &Setup) -> Introduction {
        Introduction::default()
    }
    /// Describes a scenario in a few words, shown after its name; empty if the name is enough.
    fn about_scenario(&self, _name: &str) -> &'static str {
        ""
    }
    /// Returns the table of the rulebook's rules, one per line: number, title and function
    /// ([`rule_rows`]).
    fn rules(&self) -> &'static str {
        ""
    }
    /// Returns the optional rules.
    fn options(&self) -> &'static [OptionalRule] {
        &[]
    }
    /// Returns the decks of hidden cards; each has its own seed chain.
    fn decks(&self) -> &'static [&'static str];
    /// Returns the built-in component file.
    fn components(&self) -> &'static str;
    /// Checks a component file and formats it for people.
    fn print_components(&self, text: &str, file: &str) -> Result<String, SetupFault>;
    /// Returns the minijinja template that renders a view in a letter.
    fn view_template(&self) -> &'static str;
    /// Returns the minijinja template that summarizes the position of a seat in a line or two, for
    /// letters without the whole position; it gets the same data as
    /// [`view_template`](Ruleset::view_template). Without it such letters contain no summary.
    fn brief_template(&self) -> Option<&'static str> {
        None
    }
    /// Returns the minijinja template for the text below the outcome of a finished
    /// game. It gets the game's ending as `end` and the players' names by seat as
    /// `names`. Without it only the outcome is shown.
    fn end_template(&self) -> Option<&'static str> {
        None
    }
    /// Checks the number of players (given by the rule `seats_rule`), the scenario, and that every
    /// option exists and is true or false. Only the game itself can check which options exclude
    /// each other.
    ///
    /// # Errors
    ///
    /// Returns a [`SetupFault`] with the fault and the valid values.
    fn fits(&self, setup: &Setup, seats_rule: &'static str) -> Result<(), SetupFault> {
        let title = self.title();
        if !self.seats().contains(&setup.seats) {
            return Err(SetupFault::Players { title, allowed: self.seats(), found: setup.seats, rule: seats_rule });
        }
        if let Some(absent) = self.absent().iter().find(|absent| absent.is_called(&setup.scenario)) {
            return Err(SetupFault::Absent { found: setup.scenario.clone(), why: absent.why });
        }
        if !self.scenarios().contains(&setup.scenario.as_str()) {
            return Err(SetupFault::Scenario { found: setup.scenario.clone(), known: self.scenarios() });
        }
        for (name, value) in &setup.options {
            if !value.is_boolean() {
                let wanted = "true or false";
                return Err(SetupFault::OptionValue { name: name.clone(), wanted, found: value.clone() });
            }
            if !self.options().iter().any(|option| option.name == name) {
                let known = self.options().iter().map(|option| option.name).collect();
                return Err(SetupFault::NoOption { name: name.clone(), known });
            }
        }
        Ok(())
    }
    /// Sets up the game and runs it to its first questions.
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault>;
    /// Returns the effects of rulings in this game, each with its members.
    fn effects(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// Returns the kinds of questions for which orders can be left before the first one is asked
    /// ([`ahead`](super::ahead) computes the list). Players learn of other kinds only when they are
    /// first asked.
    fn kinds(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// Returns the kinds of questions whose orders cannot be taken back
    /// ([`binding`](super::binding) computes the list).
    fn binding(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// Returns the kinds of questions that one mail may answer several times
    /// ([`repeats`](super::repeats) computes the list).
    fn repeats(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// Returns what an order uses ([`Game::uses`](super::Game::uses)).
    fn uses(&self, _order: &AnyOrder) -> Vec<String> {
        Vec::new()
    }
    /// Returns the orders that only end an action, such as `done`. If a mail with several orders
    /// contains such an order when there is nothing left to end, it has no effect, and the orders
    /// after it are executed.
    fn enough(&self) -> &'static [&'static str] {
        &[]
    }
    /// Returns the facts that conditions of standing orders can compare in this game.
    fn facts(&self) -> &'static [FactKind] {
        &[]
    }
    /// Returns the kinds of questions asked because the seat is attacked; `if attacked: …` answers
    /// them all.
    fn attacked(&self) -> &'static [&'static str] {
        &[]
    }
    /// Returns the kinds of questions answered in rotation; further orders of a mail are kept for
    /// the seat's later turns.
    fn by_turns(&self) -> &'static [ByTurns] {
        &[]
    }
    /// Returns all kinds of questions, including those that players learn of only when asked.
    fn every_kind(&self) -> Vec<&'static str> {
        self.kinds()
    }
    /// Returns suggested standing orders, one per line, for questions that recur or come out of
    /// turn.
    fn standing(&self) -> &'static str {
        ""
    }
    /// Returns the table of questions that usually follow an order, by kind of question and of
    /// order ([`follows`](super::follows) parses it); "" if they have not been measured.
    fn next(&self) -> &'static str {
        ""
    }
    /// Returns the bots for this game, in addition to the random one.
    fn bots(&self) -> &'static [NamedBot] {
        &[]
    }
    /// Creates a bot by name.
    fn bot(&self, name: &str) -> Option<Box<dyn Bot>> {
        std::iter::once(&RANDOM).chain(self.bots()).find(|bot| bot.name == name).map(|bot| (bot.make)())
    }
    /// Returns the figures of a finished game (see `Game::figures`) to include in a balance
    /// report.
    fn balance(&self) -> &'static [Figure] {
        &[]
    }
    /// Returns the map, if the game has a drawing.
    fn map(&self) -> Option<&'static GameMap> {
        None
    }
    /// Returns the map, if the game has a drawing that matches these components.
    fn map_of(&self, components: &str) -> Option<&'static GameMap> {
        self.map().filter(|map| map.fits(components))
    }
    /// Returns the help subjects of the game itself: its topics, and everything named in these
    /// components.
    fn help(&self, _components: &str) -> Subjects {
        Subjects::default()
    }
    /// Returns all help subjects for a game with these components: those of the game, its map, its
    /// facts and scenarios, and those common to all games.
    fn subjects(&self, components: &str) -> Subjects {
        let game = self.help(components);
        let game = match self.map_of(components) {
            Some(map) => game.and("a place on the map", map.shapes.subjects()),
            None => game,
        };
        let game = match self.facts() {
            [] => game,
            facts => game.and("a fact of `conditions`", conditions(facts)),
        };
        game.with(scenarios(self.scenarios(), |name| self.about_scenario(name), self.absent())).with_common()
    }
}

/// A row of a table of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleRow {
    /// The number as the rulebook prints it.
    pub number: &'static str,
    /// The title in the rulebook.
    pub title: &'static str,
    /// The function of the game that carries it out, which the rule's tests must reach:
    /// `battle::fight`.
    pub function: &'static str,
}

/// Parses a table of [rules](Ruleset::rules).
pub fn rule_rows(table: &'static str) -> impl Iterator<Item = RuleRow> {
    table.lines().map(|line| {
        let mut cells = line.split('\t');
        let [number, title, function] = [(); 3].map(|()| cells.next().unwrap_or_default());
        RuleRow { number, title, function }
    })
}

/// Returns the help subject on scenarios, including those of the rulebook that cannot be played,
/// with the reason.
fn scenarios(names: &[&str], about: impl Fn(&str) -> &'static str, absent: &[Absent]) -> Subject {
    let one = |name: &&str| match about(name) {
        "" => format!("{name}."),
        about => format!("{name}: {about}."),
    };
    let missing = absent.iter().map(|absent| format!("{}.", absent.why));
    let text: Vec<String> = names.iter().map(one).chain(missing).collect();
    let other_names = absent.iter().flat_map(|absent| absent.names).map(|name| name.replace('-', " "));
    let names = ["scenarios".to_owned(), "scenario".to_owned()].into_iter().chain(other_names).collect();
    Subject { names, explained: Explained::new("Scenarios", text.join(" ")), listed: false }
}
