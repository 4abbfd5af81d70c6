//! What there is to know of a game before it is played.

use super::{
    Absent, AnyOrder, Bot, Chance, DynGame, Explained, GameMap, NamedBot, OptionalRule, RANDOM, Setup, SetupFault,
    Subject, Subjects, Watch,
};
use postrider_orders::list_or;
use postrider_standing::FactKind;
use std::ops::RangeInclusive;

/// What can be compared in the conditions of standing orders, as subjects of `help`: one for all, and one for each fact.
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
    /// What it is, for people.
    pub title: &'static str,
    /// What it was in history, where history says.
    pub history: Option<i64>,
}

/// A kind of question that the seats answer by turns, one after the other, until all let theirs go by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByTurns {
    /// The kind of question.
    pub kind: &'static str,
    /// The order that lets a turn go by, in words.
    pub pass: &'static str,
    /// Facts that are so or not: where one is so for an order that was left for a later turn, or would be for one of those left with
    /// it, its seat is asked.
    pub breaks: &'static [&'static str],
}

/// What somebody wants to know of a game before he joins: for an invitation.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// What each seat plays, in the order of the seats; empty where that is settled in the game.
    pub sides: Vec<String>,
    /// How sides are taken, and who wins: a sentence or two.
    pub goal: String,
    /// How long the game lasts, in Turns and Rounds.
    pub length: String,
}

/// A game in the registry: all that the layers above need to know of it.
pub trait Ruleset: Sync {
    /// The name in journals and on the command line: lower case, words joined by hyphens.
    fn name(&self) -> &'static str;
    /// The name for people, as the box prints it.
    fn title(&self) -> &'static str;
    /// The version of these rules, as journals name it.
    fn version(&self) -> u32;
    /// The released versions before this one, frozen: games that were opened under them go on under them.
    fn earlier(&self) -> &'static [&'static dyn Ruleset] {
        &[]
    }
    /// How many can play.
    fn seats(&self) -> RangeInclusive<u8>;
    /// The scenarios, the default one first.
    fn scenarios(&self) -> &'static [&'static str];
    /// The scenarios of its rulebook that cannot be played, with the reason.
    fn absent(&self) -> &'static [Absent] {
        &[]
    }
    /// What an invitation says of the game that is set up so.
    fn introduction(&self, _setup: &Setup) -> Introduction {
        Introduction::default()
    }
    /// What a scenario is, in a few words behind its name; empty where the name says it.
    fn about_scenario(&self, _name: &str) -> &'static str {
        ""
    }
    /// The numbers and titles of its rulebook, a line each, parted by a tab: what its tests name. A third column says why
    /// no test shows a rule yet.
    fn rules(&self) -> &'static str {
        ""
    }
    /// The optional rules.
    fn options(&self) -> &'static [OptionalRule] {
        &[]
    }
    /// The decks of hidden cards, each of which gets a seed chain.
    fn decks(&self) -> &'static [&'static str];
    /// The built-in component file.
    fn components(&self) -> &'static str;
    /// Checks a component file and prints it for people.
    fn print_components(&self, text: &str, file: &str) -> Result<String, SetupFault>;
    /// The text of the minijinja template that shows a view in a mail.
    fn view_template(&self) -> &'static str;
    /// The text of the minijinja template that says in a line or two where a seat stands, for letters without the whole position; it
    /// is given what [`view_template`](Ruleset::view_template) is given. Without one such letters say nothing of it.
    fn brief_template(&self) -> Option<&'static str> {
        None
    }
    /// The text of the minijinja template that tells below the [outcome](Game::outcome) how a game
    /// has ended, with the game's [ending](Game::ending) as `end` and the players' names by seat as
    /// `names`; without one the outcome is all.
    fn end_template(&self) -> Option<&'static str> {
        None
    }
    /// Makes sure that the game is played so: the number of players (settled by the rule of this number), the
    /// scenario, and of the options that each exists and is true or false. What does not go together only the game knows.
    ///
    /// # Errors
    /// [`SetupFault`] with what is wrong and what there is.
    fn fits(&self, setup: &Setup, seats_rule: &'static str) -> Result<(), SetupFault> {
        let title = self.title();
        if !self.seats().contains(&setup.seats) {
            let (least, most) = self.seats().into_inner();
            return Err(SetupFault::Players { title, least, most, found: setup.seats, rule: seats_rule });
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
    /// Sets the game up and runs it to its first questions.
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault>;
    /// The kinds of questions that its rules ask, so that orders can be left for them before the first one comes up. Those
    /// that are not named here become known when they are first asked ([`ahead`](super::ahead) makes the list).
    fn kinds(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// The kinds of questions whose orders cannot be taken back ([`binding`](super::binding) makes the list).
    fn binding(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// The kinds of questions that one mail may answer several times ([`repeats`](super::repeats) makes the list).
    fn repeats(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// `true` if one mail cannot mean both orders to questions of this kind ([`Game::contradict`](super::Game::contradict)).
    fn contradict(&self, _kind: &str, _earlier: &AnyOrder, _later: &AnyOrder) -> bool {
        false
    }
    /// Orders that say no more than that a player has done enough, such as `done`. One of several orders in a mail may be such a
    /// word where nothing was left for it to end; it then does nothing, and the orders behind it are carried out.
    fn enough(&self) -> &'static [&'static str] {
        &[]
    }
    /// What conditions of standing orders can compare in this game.
    fn facts(&self) -> &'static [FactKind] {
        &[]
    }
    /// The kinds of questions that come because somebody attacks the seat that is asked: `if attacked: …` answers them all.
    fn attacked(&self) -> &'static [&'static str] {
        &[]
    }
    /// The kinds of questions that are answered by turns: further orders of a mail are kept for the turns to come.
    fn by_turns(&self) -> &'static [ByTurns] {
        &[]
    }
    /// All kinds of questions of its rules, also those that become known later.
    fn every_kind(&self) -> Vec<&'static str> {
        self.kinds()
    }
    /// Standing orders to begin with, a line each: for what comes again and again or out of turn.
    fn standing(&self) -> &'static str {
        ""
    }
    /// What is mostly asked after an order, by kind of question and of order ([`follows`](super::follows) reads it); "" where nobody
    /// has looked.
    fn next(&self) -> &'static str {
        ""
    }
    /// The programs that can play it, beside the one that plays at random.
    fn bots(&self) -> &'static [NamedBot] {
        &[]
    }
    /// A bot of this name.
    fn bot(&self, name: &str) -> Option<Box<dyn Bot>> {
        std::iter::once(&RANDOM).chain(self.bots()).find(|bot| bot.name == name).map(|bot| (bot.make)())
    }
    /// The figures of a finished game (see [`Game::figures`]) that a balance report is made of.
    fn balance(&self) -> &'static [Figure] {
        &[]
    }
    /// Its map, if it is drawn.
    fn map(&self) -> Option<&'static GameMap> {
        None
    }
    /// Its map, if it is drawn and these components have the same one.
    fn map_of(&self, components: &str) -> Option<&'static GameMap> {
        self.map().filter(|map| map.fits(components))
    }
    /// What the game explains: its topics, and what has a name in these components.
    fn help(&self, _components: &str) -> Subjects {
        Subjects::default()
    }
    /// All that `help SUBJECT` explains in a game with these components: what the game explains, its map, and the words that all
    /// games share.
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

/// The scenarios, and those of the rulebook that cannot be played, with the reason.
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
