//! Tools of the tests: scripted dice and shuffles, and a session that runs one rule on one position.
//!
//! ```ignore
//! let mut trial = Trial::new(g, |t, mut g| async move { survival_phase(&t, &mut g).await; g })
//!     .dice("attrition", [3])
//!     .start();
//! trial.say("crook gun, miles and howard");
//! assert_eq!(trial.over().columns.len(), 3);
//! ```

use super::{
    Geronimo, Order, State, T,
    components::{AreaId, ChiefId, CommanderId, Components, TribeId, VillageId},
    setup,
    state::{Column, ColumnId, CommanderPlace},
    variant::{Scenario, Variant},
};
use crate::{
    orders::Phrase,
    table::{Chance, ChanceFault, Choice, Decision, Description, Event, Rejected, Seat, Session, Shuffle, Watch},
};
use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    future::Future,
    rc::Rc,
    sync::{Arc, OnceLock},
};

/// The built-in pieces, parsed once for all tests.
pub fn pieces() -> Arc<Components> {
    static PIECES: OnceLock<Arc<Components>> = OnceLock::new();
    PIECES.get_or_init(|| Arc::new(Components::builtin().clone())).clone()
}

/// The Basic Game as it is set up, before any die; A plays the US.
pub fn basic(players: u8) -> State {
    setup::position(pieces(), players, Variant { version: 1, ..Variant::default() })
}

/// The Campaign Game as it is set up; A plays the US.
pub fn campaign(players: u8) -> State {
    setup::position(pieces(), players, Variant { version: 1, scenario: Scenario::Campaign, ..Variant::default() })
}

/// The Area of a code.
pub fn area(g: &State, code: &str) -> AreaId {
    g.c.area_by_code(code).unwrap_or_else(|| panic!("no Area {code}"))
}

/// The Village of a name.
pub fn village(g: &State, name: &str) -> VillageId {
    g.c.village_by_name(name).unwrap_or_else(|| panic!("no Village {name}"))
}

/// The Tribe of a name.
pub fn tribe(g: &State, name: &str) -> TribeId {
    g.c.tribe_by_name(name).unwrap_or_else(|| panic!("no Tribe {name}"))
}

/// The Chief of a name.
pub fn chief(g: &State, name: &str) -> ChiefId {
    g.c.chief_by_name(name).unwrap_or_else(|| panic!("no Chief {name}"))
}

/// The Commander of a name.
pub fn commander(g: &State, name: &str) -> CommanderId {
    g.c.commander_by_name(name).unwrap_or_else(|| panic!("no Commander {name}"))
}

/// Puts a Column On Patrol; its Commander leaves the cup.
pub fn column(g: &mut State, surname: &str, code: &str, bps: i32) -> ColumnId {
    let id = ColumnId(g.next_column);
    g.next_column += 1;
    let (m, area) = (commander(g, surname), area(g, code));
    g.commanders[m.index()] = CommanderPlace::Column(id);
    g.columns.push(Column {
        id,
        commander: Some(m),
        bps,
        guns: 0,
        gatlings: 0,
        area,
        in_fort: false,
        played_in: 0,
        group: None,
        attacked_in: 0,
    });
    id
}

/// Gives a Tribe to a seat, face down.
pub fn deal_to(g: &mut State, tribe_name: &str, seat: Seat) {
    let tribe = tribe(g, tribe_name);
    g.tribes[tribe.index()].holder = Some(seat);
}

/// Dice by label, dice for any label, shuffles by deck.
#[derive(Default)]
struct Script {
    labelled: HashMap<&'static str, VecDeque<i64>>,
    any: VecDeque<i64>,
    shuffles: HashMap<&'static str, VecDeque<Vec<u32>>>,
    epochs: HashMap<&'static str, u32>,
}

/// Falls as the script says: a die of that label if one is left, then one for any label, then none. A deck without a
/// scripted order lies as its list does.
struct ScriptedChance(Rc<RefCell<Script>>);

impl Chance for ScriptedChance {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let mut script = self.0.borrow_mut();
        let labelled = script.labelled.get_mut(label).and_then(VecDeque::pop_front);
        let got = labelled.or_else(|| script.any.pop_front()).ok_or_else(|| ChanceFault::NoMore(label.to_owned()))?;
        assert!((low..=high).contains(&got), "the script has {got} for \"{label}\" from {low} to {high}");
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let mut script = self.0.borrow_mut();
        let scripted = script.shuffles.get_mut(deck).and_then(VecDeque::pop_front);
        let order = scripted.unwrap_or_else(|| (0..list.len() as u32).collect());
        assert_eq!(order.len(), list.len(), "the scripted order of \"{deck}\" fits its list");
        let next = script.epochs.entry(deck).or_insert(0);
        let epoch = *next;
        *next += 1;
        Ok(Shuffle { epoch, order })
    }
}

type Rule = Box<dyn FnOnce(T, State) -> crate::table::Rules<Geronimo>>;

/// One rule on one position, with a script of what falls.
pub struct Trial {
    state: State,
    rule: Rule,
    script: Script,
}

impl Trial {
    /// This rule on this position.
    pub fn new<F>(state: State, rule: impl FnOnce(T, State) -> F + 'static) -> Self
    where
        F: Future<Output = State> + 'static,
    {
        Trial { state, rule: Box::new(move |t, g| Box::pin(rule(t, g))), script: Script::default() }
    }
    /// The next dice of this label.
    pub fn dice(mut self, label: &'static str, dice: impl IntoIterator<Item = i64>) -> Self {
        self.script.labelled.entry(label).or_default().extend(dice);
        self
    }
    /// The next dice of any label that has none of its own.
    pub fn any_dice(mut self, dice: impl IntoIterator<Item = i64>) -> Self {
        self.script.any.extend(dice);
        self
    }
    /// How the next shuffle of a deck comes out; without it cards lie in the order of the list.
    pub fn shuffled(mut self, deck: &'static str, order: Vec<u32>) -> Self {
        self.script.shuffles.entry(deck).or_default().push_back(order);
        self
    }
    /// Runs the rule to its first question, or its end.
    pub fn start(self) -> Running {
        let Trial { state, rule, script } = self;
        let script = Rc::new(RefCell::new(script));
        let chance = Box::new(ScriptedChance(script.clone()));
        let session = Session::start_with(move |t| rule(t, state), chance, Watch { digests: false, ..Watch::ALL });
        Running { session, script }
    }
}

/// A rule under way.
pub struct Running {
    pub session: Session<Geronimo>,
    script: Rc<RefCell<Script>>,
}

impl Running {
    /// The position now.
    pub fn now(&mut self) -> State {
        self.sound();
        self.session.look().expect("the session runs").state.clone()
    }
    /// The position at the end of the rule. All scripted dice must have been rolled.
    pub fn over(&mut self) -> State {
        self.sound();
        let asked = self.asked();
        let script = self.script.borrow();
        let left: Vec<_> = script.labelled.iter().filter(|(_, dice)| !dice.is_empty()).collect();
        assert!(left.is_empty() && script.any.is_empty(), "dice never rolled: {left:?} {:?}", script.any);
        self.session.over().unwrap_or_else(|| panic!("the rule still asks {asked:?}")).clone()
    }
    fn sound(&self) {
        if let Some(why) = self.session.fault() {
            panic!("the rules broke: {why}");
        }
    }
    /// Who is asked what now: seat and kind of each required question.
    pub fn asked(&mut self) -> Vec<(Seat, &'static str)> {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        seen.tickets.iter().filter(|k| k.required).map(|k| (k.seat, k.prompt.kind())).collect()
    }
    /// How the first required question reads.
    pub fn reads(&mut self) -> Description {
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.iter().find(|k| k.required).expect("something is asked");
        ticket.prompt.describe(&seen.state, ticket.seat)
    }
    /// The options of the first required question.
    pub fn options(&mut self) -> Vec<Choice<Order>> {
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.iter().find(|k| k.required).expect("something is asked");
        ticket.prompt.options(&seen.state, ticket.seat)
    }
    /// Answers the first required question with an order.
    pub fn order(&mut self, order: Order) -> Result<(), Rejected> {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.iter().find(|k| k.required).expect("something is asked");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        self.session.submit(&decision)
    }
    /// Answers the first required question in words; they must be understood and legal.
    pub fn say(&mut self, words: &str) -> &mut Self {
        let order = self.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        self.order(order).unwrap_or_else(|why| panic!("{words}: {why}"));
        self
    }
    /// Says in words something that must be understood but refused; gives the refusal.
    pub fn refused(&mut self, words: &str) -> String {
        let order = self.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        match self.order(order) {
            Err(Rejected::Refused(why)) => why.to_string(),
            other => panic!("{words}: not refused, but {other:?}"),
        }
    }
    /// What the first required question understands.
    pub fn read(&mut self, words: &str) -> Result<Order, crate::orders::Misread> {
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.iter().find(|k| k.required).expect("something is asked");
        ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(words))
    }
    /// Makes sure that every option is legal and that its words are read as the order itself; likewise `n` samples are
    /// legal.
    pub fn check_options(&mut self, n: u32) {
        let seen = self.session.look().expect("the session runs");
        for ticket in &seen.tickets {
            for choice in ticket.prompt.options(&seen.state, ticket.seat) {
                assert_eq!(ticket.prompt.check(&seen.state, ticket.seat, &choice.order), Ok(()), "{}", choice.words);
                let read = ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(&choice.words));
                assert_eq!(read.as_ref(), Ok(&choice.order), "{}", choice.words);
            }
            let mut seed = 1_u32;
            let mut below = |k: u32| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) % k.max(1)
            };
            for _ in 0..n {
                let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
                assert_eq!(ticket.prompt.check(&seen.state, ticket.seat, &order), Ok(()), "{order:?}");
            }
        }
    }
    /// The story since it was last asked for.
    pub fn story(&mut self) -> Vec<String> {
        self.session.take_told().into_iter().map(|told| told.line).collect()
    }
    /// What was done since it was last asked for.
    pub fn events(&mut self) -> Vec<Event> {
        self.session.take_events()
    }
}
