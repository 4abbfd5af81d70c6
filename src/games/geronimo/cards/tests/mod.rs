//! Every Shaman Card, played alone from a position made by hand.

mod events;
mod hand;
mod tribal;

use super::{After, Standing, play, standing};
use crate::{
    games::geronimo::{
        Geronimo, State,
        card::Card,
        components::{AreaId, MineId, TribeId, VillageId},
        state::*,
        testing,
    },
    orders::Phrase,
    table::{Chance, ChanceFault, Decision, OpenTicket, Seat, Session, Shuffle, Watch},
};
use std::{cell::Cell, collections::VecDeque, rc::Rc};

/// The US player, and two of the Indians.
const US: Seat = Seat(0);
const RED: Seat = Seat(1);
const FOX: Seat = Seat(2);

/// Turn 5 of the Basic Game with four players: all Villages at home at full size, nobody holds anything, no Resources.
fn position() -> State {
    let mut g = testing::basic(4);
    let c = g.c.clone();
    (g.turn, g.round, g.phase, g.us, g.dealt) = (5, 1, Phase::CardPlay, US, 5);
    g.areas = vec![AreaState::default(); c.areas.len()];
    g.villages = c.villages.iter().map(|v| VillageState::new(Place::Area(v.area), v.size)).collect();
    g.reserve = Reserve::default();
    g.removed.clear();
    g.mine_cup.clear();
    g
}

fn area(g: &State, code: &str) -> AreaId {
    g.c.area_by_code(code).expect(code)
}
fn village(g: &State, name: &str) -> VillageId {
    g.c.village_by_name(name).expect(name)
}
fn tribe(g: &State, name: &str) -> TribeId {
    g.c.tribe_by_name(name).expect(name)
}
fn mine(g: &State, name: &str) -> MineId {
    g.c.mine_ids().find(|&m| g.c[m].name == name).expect(name)
}
/// Deals a Tribal Card, face down.
fn hold(g: &mut State, seat: Seat, name: &str) {
    let tribe = tribe(g, name);
    g.tribes[tribe.index()].holder = Some(seat);
}
fn column(g: &mut State, surname: &str, code: &str, bps: i32) -> ColumnId {
    let (id, area) = (ColumnId(g.next_column), area(g, code));
    let commander = g.c.commander_by_name(surname).expect(surname);
    g.next_column += 1;
    g.commanders[commander.index()] = CommanderPlace::Column(id);
    g.columns.push(Column {
        id,
        commander: Some(commander),
        bps,
        guns: 1,
        gatlings: 0,
        area,
        in_fort: false,
        played_in: 0,
        group: None,
        attacked_in: 0,
    });
    id
}
/// Puts a Village On Reservation by a Treaty of this Turn, for so many VPs.
fn treaty(g: &mut State, name: &str, with: Seat, vps: i32) -> VillageId {
    let v = village(g, name);
    let from = g.area_of(v).expect("on the map");
    g.village_mut(v).place = Place::Reservation { from };
    g.village_mut(v).treaty = Some(Treaty { with, vps, lost: 0 });
    g.score(with, vps);
    v
}

/// Dice as the test wants them.
struct Dice(VecDeque<i64>);

impl Chance for Dice {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let die = self.0.pop_front().ok_or_else(|| ChanceFault::NoMore(label.to_owned()))?;
        assert!((low..=high).contains(&die), "{label}: {die} is not from {low} to {high}");
        Ok(die)
    }
    fn shuffle(&mut self, deck: &'static str, _: &[String]) -> Result<Shuffle, ChanceFault> {
        Err(ChanceFault::NoMore(deck.to_owned()))
    }
}

/// A card being played.
struct Trial {
    session: Session<Geronimo>,
    after: Rc<Cell<Option<After>>>,
}

/// Plays a card as it stands, with these dice.
fn trial(mut g: State, seat: Seat, card: Card, dice: &[i64]) -> Trial {
    let after = Rc::new(Cell::new(None));
    let said = after.clone();
    let dice = Dice(dice.iter().copied().collect());
    let session = Session::start_with(
        |t| {
            Box::pin(async move {
                said.set(Some(play(&t, &mut g, seat, card).await));
                g
            })
        },
        Box::new(dice),
        Watch::ALL,
    );
    Trial { session, after }
}

impl Trial {
    fn ticket(&mut self) -> OpenTicket<Geronimo> {
        let seen = self.session.look().expect("the rules run");
        seen.tickets.iter().find(|k| k.required).expect("something is asked").clone()
    }
    /// Who is asked what.
    fn asked(&mut self) -> (Seat, &'static str) {
        let ticket = self.ticket();
        (ticket.seat, ticket.prompt.kind())
    }
    /// The words that may be answered.
    fn options(&mut self) -> Vec<String> {
        let ticket = self.ticket();
        let state = &self.session.look().expect("the rules run").state;
        ticket.prompt.options(state, ticket.seat).into_iter().map(|choice| choice.words).collect()
    }
    /// Answers in words; the refusal if it is refused.
    fn try_say(&mut self, words: &str) -> Result<(), String> {
        let ticket = self.ticket();
        let state = &self.session.look().expect("the rules run").state;
        let order = ticket.prompt.read(state, ticket.seat, &Phrase::new(words)).map_err(|why| why.to_string())?;
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        self.session.submit(&decision).map_err(|why| why.to_string())
    }
    fn say(mut self, words: &str) -> Self {
        self.try_say(words).expect(words);
        self
    }
    /// The position after the card, and what it leaves to do.
    fn end(mut self) -> (State, After, Vec<String>) {
        assert_eq!(self.session.fault(), None);
        let told = self.session.take_told().into_iter().map(|told| told.line).collect();
        let state = self.session.over().expect("nothing more is asked").clone();
        (state, self.after.get().expect("the card was played"), told)
    }
}
