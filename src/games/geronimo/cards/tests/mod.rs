//! Tests of every Shaman Card, each played alone from a constructed position.

mod events;
mod hand;
mod tribal;

use super::{After, Standing, play, standing};
use crate::{
    State,
    card::Card,
    components::{MineId, VillageId},
    state::*,
    testing::{self, Running, area, deal_to, tribe, village},
};
use postrider_orders::Phrase;
use postrider_table::Seat;
use std::{cell::Cell, rc::Rc};

/// The US player, followed by two of the Indian players.
const US: Seat = Seat(0);
const RED: Seat = Seat(1);
const FOX: Seat = Seat(2);

/// Returns a position in Turn 5 of the Basic Game with four players: every Village is at home at
/// full size, nobody holds a Tribal Card, and there are no Resources.
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

fn mine(g: &State, name: &str) -> MineId {
    g.c.mine_ids().find(|&m| g.c[m].name == name).expect(name)
}
fn hold(g: &mut State, seat: Seat, name: &str) {
    deal_to(g, name, seat);
}
fn column(g: &mut State, surname: &str, code: &str, bps: i32) -> ColumnId {
    let id = testing::column(g, surname, code, bps);
    g.column_mut(id).expect("just put there").guns = 1;
    id
}
/// Places a Village On Reservation by a Treaty of this Turn worth `vps` VPs.
fn treaty(g: &mut State, name: &str, with: Seat, vps: i32) -> VillageId {
    let v = village(g, name);
    let from = g.area_of(v).expect("on the map");
    g.village_mut(v).place = Place::Reservation { from };
    g.village_mut(v).treaty = Some(Treaty { with, vps, lost: 0 });
    g.score(with, vps, "8.12");
    v
}

/// A card that is being played.
struct Trial {
    running: Running,
    after: Rc<Cell<Option<After>>>,
}

fn trial(g: State, seat: Seat, card: Card, dice: &[i64]) -> Trial {
    let after = Rc::new(Cell::new(None));
    let said = after.clone();
    let played = testing::Trial::new(g, move |t, mut g| async move {
        said.set(Some(play(&t, &mut g, seat, card).await));
        g
    });
    Trial { running: played.any_dice(dice.iter().copied()).start(), after }
}

impl Trial {
    fn asked(&self) -> (Seat, &'static str) {
        self.running.asked()[0]
    }
    fn options(&self) -> Vec<String> {
        self.running.words()
    }
    fn try_say(&mut self, words: &str) -> Result<(), String> {
        self.running.try_say(words)
    }
    fn say(mut self, words: &str) -> Self {
        self.running.say(words);
        self
    }
    fn end(mut self) -> (State, After, Vec<String>) {
        let told = self.running.story();
        let state = self.running.over();
        (state, self.after.get().expect("the card was played"), told)
    }
}
