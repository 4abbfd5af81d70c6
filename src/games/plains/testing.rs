//! Tools of the tests: positions made by hand, scripted dice, and a session that runs one rule.

use super::{
    Order, Plains, State, T,
    components::{Components, Faction, RegionId, Spot},
    setup,
    state::Cubes,
    variant::Variant,
};
use crate::{
    orders::Phrase,
    table::{Chance, ChanceFault, Choice, Decision, Rejected, Rules, Seat, Session, Shuffle, Watch},
};
use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    future::Future,
    rc::Rc,
    sync::{Arc, OnceLock},
};

/// The built-in pieces, shared by all tests.
pub fn pieces() -> Arc<Components> {
    static PIECES: OnceLock<Arc<Components>> = OnceLock::new();
    PIECES.get_or_init(|| Arc::new(Components::builtin().clone())).clone()
}

/// An empty map for so many players.
pub fn bare(players: u8) -> State {
    let variant = Variant { version: 1, players, indian_allies: false, wagons_again: false };
    setup::position(pieces(), variant)
}

/// A region by its id.
pub fn at(g: &State, id: &str) -> RegionId {
    g.c.region(id).unwrap_or_else(|| panic!("no region {id}"))
}

/// Puts exactly these cubes from the Ready Box into a region or box.
pub fn set(g: &mut State, id: &str, cubes: &[(Faction, u8)]) {
    let spot = g.c.spot(id).or_else(|| g.c.region(id).map(Spot::Region)).unwrap_or_else(|| panic!("no spot {id}"));
    let old = std::mem::take(g.cubes_mut(spot));
    g.ready += old;
    for &(faction, n) in cubes {
        assert_eq!(g.muster(faction, spot, n), n, "{faction:?}");
    }
}

/// What stands in a region.
pub fn here(g: &State, id: &str) -> Cubes {
    *g.cubes(g.c.spot(id).unwrap_or_else(|| Spot::Region(at(g, id))))
}

/// Faces of a die by the letters of the component file; the number that shows each.
pub fn faces(g: &State, faction: Faction, letters: &str) -> Vec<i64> {
    use super::components::Face;
    let die = &g.c.pieces[faction.index()].die;
    let wanted = letters.chars().map(|letter| match letter {
        'b' => Face::Blank,
        't' => Face::Treaty,
        _ => Face::Weapon,
    });
    wanted.map(|face| die.iter().position(|&f| f == face).expect("a face of this die") as i64 + 1).collect()
}

/// Dice by label; a deck without a scripted order lies as its list does.
#[derive(Default)]
struct Script {
    dice: HashMap<&'static str, VecDeque<i64>>,
    shuffles: HashMap<&'static str, Vec<u32>>,
}

struct Scripted(Rc<RefCell<Script>>);

impl Chance for Scripted {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let mut script = self.0.borrow_mut();
        let got = script.dice.get_mut(label).and_then(VecDeque::pop_front);
        let got = got.ok_or_else(|| ChanceFault::NoMore(label.to_owned()))?;
        assert!((low..=high).contains(&got), "the script has {got} for \"{label}\"");
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let order = self.0.borrow_mut().shuffles.remove(deck);
        Ok(Shuffle { epoch: 0, order: order.unwrap_or_else(|| (0..list.len() as u32).collect()) })
    }
}

/// One rule on one position.
pub struct Trial {
    state: State,
    rule: Box<dyn FnOnce(T, State) -> Rules<Plains>>,
    script: Script,
}

impl Trial {
    pub fn new<F>(state: State, rule: impl FnOnce(T, State) -> F + 'static) -> Self
    where
        F: Future<Output = State> + 'static,
    {
        Trial { state, rule: Box::new(move |t, g| Box::pin(rule(t, g))), script: Script::default() }
    }
    /// The next dice of a faction, by the letters of their faces.
    pub fn rolls(self, faction: Faction, letters: &str) -> Self {
        const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
        let dice = faces(&self.state, faction, letters);
        self.dice(LABELS[faction.index()], dice)
    }
    pub fn dice(mut self, label: &'static str, dice: impl IntoIterator<Item = i64>) -> Self {
        self.script.dice.entry(label).or_default().extend(dice);
        self
    }
    /// How a deck is shuffled.
    pub fn shuffled(mut self, deck: &'static str, order: Vec<u32>) -> Self {
        self.script.shuffles.insert(deck, order);
        self
    }
    pub fn start(self) -> Running {
        let Trial { state, rule, script } = self;
        let script = Rc::new(RefCell::new(script));
        let chance = Box::new(Scripted(script.clone()));
        let session = Session::start_with(move |t| rule(t, state), chance, Watch { digests: false, ..Watch::ALL });
        Running { session, script }
    }
}

/// A rule under way.
pub struct Running {
    pub session: Session<Plains>,
    script: Rc<RefCell<Script>>,
}

impl Running {
    fn sound(&self) {
        if let Some(why) = self.session.fault() {
            panic!("the rules broke: {why}");
        }
    }
    pub fn now(&mut self) -> State {
        self.sound();
        self.session.look().expect("the session runs").state.clone()
    }
    /// The position at the end; all scripted dice must have been rolled.
    pub fn over(&mut self) -> State {
        self.sound();
        let asked = self.asked();
        let script = self.script.borrow();
        let left: Vec<_> = script.dice.iter().filter(|(_, dice)| !dice.is_empty()).collect();
        assert!(left.is_empty(), "dice never rolled: {left:?}");
        self.session.over().unwrap_or_else(|| panic!("the rule still asks {asked:?}")).clone()
    }
    pub fn asked(&mut self) -> Vec<(Seat, &'static str)> {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        seen.tickets.iter().map(|k| (k.seat, k.prompt.kind())).collect()
    }
    pub fn options(&mut self) -> Vec<Choice<Order>> {
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.first().expect("something is asked");
        ticket.prompt.options(&seen.state, ticket.seat)
    }
    pub fn words(&mut self) -> Vec<String> {
        self.options().into_iter().map(|choice| choice.words).collect()
    }
    pub fn order(&mut self, order: Order) -> Result<(), Rejected> {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.first().expect("something is asked");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        self.session.submit(&decision)
    }
    pub fn read(&mut self, words: &str) -> Result<Order, crate::orders::Misread> {
        let seen = self.session.look().expect("the session runs");
        let ticket = seen.tickets.first().expect("something is asked");
        ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(words))
    }
    /// Answers in words that must be understood and legal.
    pub fn say(&mut self, words: &str) -> &mut Self {
        let order = self.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        self.order(order).unwrap_or_else(|why| panic!("{words}: {why}"));
        self
    }
    /// Says something that must be understood but refused; gives the refusal.
    pub fn refused(&mut self, words: &str) -> String {
        let order = self.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        match self.order(order) {
            Err(Rejected::Refused(why)) => why.to_string(),
            other => panic!("{words}: not refused, but {other:?}"),
        }
    }
    /// Every option is legal and its words are read as itself; so are `n` samples legal.
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
}
