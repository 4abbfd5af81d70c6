//! Random events (12.1), which may follow a Shaman Card that was played without effect.
//!
//! The player rolls on a table of eight events. The event is then treated like a Shaman Card:
//! played, Ignored, No Event (9.12 to 9.14), or discarded, which ends the Round (9.11). Each event
//! is one function, in the file of its side ([`indian`](mod@indian), [`army`], [`sand_creek`]). Its
//! markers are in the [`Events`](super::state::Events) of the position, where the affected rules
//! check them.

pub mod army;
mod help;
pub mod indian;
mod markers;
pub mod sand_creek;

pub use self::{
    army::{horses_killed, takes_hostages},
    help::{about, drs},
    markers::{keep_markers, lose_stronghold},
};

use super::{
    Ask, State, T,
    card::Card,
    cards::{self, After, Standing},
    reservation::ask,
    state::Vain,
};
use postrider_table::{Pick, Seat, Word};

/// The events of the Random Event Table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Gunrunners,
    BuffaloHunterCampaign,
    TelegraphLinesCut,
    Siege,
    Stronghold,
    SandCreekMassacre,
    HorseKillers,
    Hostages,
}

impl Event {
    /// Every event, in the order of the table.
    pub const ALL: [Event; 8] = [
        Event::Gunrunners,
        Event::BuffaloHunterCampaign,
        Event::TelegraphLinesCut,
        Event::Siege,
        Event::Stronghold,
        Event::SandCreekMassacre,
        Event::HorseKillers,
        Event::Hostages,
    ];

    /// Returns the event of a DR, 0 to 9.
    pub fn of(dr: i64) -> Event {
        match dr {
            ..=1 => Event::Gunrunners,
            2 => Event::BuffaloHunterCampaign,
            3 => Event::TelegraphLinesCut,
            4 => Event::Siege,
            5 => Event::Stronghold,
            6 => Event::SandCreekMassacre,
            7 => Event::HorseKillers,
            8.. => Event::Hostages,
        }
    }
    /// Returns the name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Event::Gunrunners => "Gunrunners",
            Event::BuffaloHunterCampaign => "Buffalo Hunter Campaign",
            Event::TelegraphLinesCut => "Telegraph Lines Cut",
            Event::Siege => "Siege",
            Event::Stronghold => "Stronghold",
            Event::SandCreekMassacre => "Sand Creek Massacre",
            Event::HorseKillers => "Horse Killers",
            Event::Hostages => "Hostages",
        }
    }
}

/// Returns whether an event has an effect for the seat that rolled it (9.13, 9.14, 12.13), judged
/// by public information and the seat's own Tribal Cards.
pub fn standing(g: &State, seat: Seat, event: Event) -> Standing {
    let unless = |possible: bool, why: &'static str| if possible { Standing::Effect } else { Standing::NoEvent(why) };
    let us = seat == g.us;
    match event {
        Event::SandCreekMassacre => unless(
            !g.events.sand_creek_over && sand_creek::any_inactive(g),
            match g.events.sand_creek_over {
                true => "it happens once in a game",
                false => "no Tribe is in the Inactive Tribal deck",
            },
        ),
        Event::HorseKillers | Event::Hostages if !us => Standing::Ignored("the Indians cannot use it"),
        Event::HorseKillers | Event::Hostages => Standing::Effect,
        _ if us => Standing::Ignored("the US cannot use it"),
        Event::Gunrunners => {
            unless(!indian::buyers(g, seat).is_empty(), "no Active Tribe that you know is without a marker")
        }
        Event::BuffaloHunterCampaign => {
            unless(!indian::hunters(g, seat).is_empty(), "you have no Village and no War Party in a Buffalo Area")
        }
        Event::TelegraphLinesCut if !g.fx.telegraph => Standing::NoEvent("there is no Telegraph yet"),
        Event::TelegraphLinesCut => {
            unless(!indian::cutters(g, seat).is_empty(), "you have no Village and no War Party on the map")
        }
        Event::Siege => {
            unless(!indian::besiegable(g, seat).is_empty(), "no War Party of yours stands where a Column is In Fort")
        }
        Event::Stronghold => {
            unless(!indian::fortifiable(g, seat).is_empty(), "no Active Village that you know can take the marker")
        }
    }
}

pub const ROLL: Word = Word::new("roll").or(&["yes", "roll for a random event"]);
pub const NO_ROLL: Word = Word::new("no roll").or(&["no", "pass", "do not roll"]);
pub const PLAY: Word = Word::new("play");
pub const DISCARD: Word = Word::new("discard");

/// Plays a Shaman Card and, if it was No Event or Ignored, a random event that it may bring.
/// Returns `None` if the event is discarded, which ends the Round.
pub async fn card_and_event(t: &T, g: &mut State, seat: Seat, card: Card) -> Option<After> {
    let idle = cards::standing(g, seat, card) != Standing::Effect;
    let after = cards::play(t, g, seat, card).await;
    let vain = if idle { Vain::Yes } else { std::mem::take(&mut g.fx.vain) };
    let goes_on = match vain {
        Vain::No => true,
        // In the Solitaire Game there are no other players to hide this from.
        Vain::ByChoice if g.variant.solitaire => true,
        Vain::ByChoice => offer_roll(t, g, seat, vec![NO_ROLL]).await,
        Vain::Yes => random_event(t, g, seat).await,
    };
    goes_on.then_some(after)
}

/// Offers a random event after a Shaman Card that was No Event or Ignored, before the Operation
/// (12.1, 12.11 to 12.13). Returns `false` if the event is discarded, which ends the Round (9.11).
pub async fn random_event(t: &T, g: &mut State, seat: Seat) -> bool {
    offer_roll(t, g, seat, vec![NO_ROLL, ROLL]).await
}

/// Offers a random event with these answers. A player who may not roll, for a reason that the
/// others cannot know, is asked anyway, with only one answer (9.2Y).
async fn offer_roll(t: &T, g: &mut State, seat: Seat, answers: Vec<Word>) -> bool {
    if !g.variant.random_events || g.tally[seat.index()].event_rolled {
        return true;
    }
    let may_roll = answers.contains(&ROLL);
    let pick = Pick::new(Ask::RandomEvent, "12.1", "Roll for a Random Event, or not", answers).telling(move |_, d| {
        match may_roll {
            true => d
                .line("Your card had no effect, so you may: once a Turn, before your Operation.")
                .line("What comes up is yours to play or discard if it can have an effect; Sand Creek must be played."),
            false => d.line(
                "You have a Tribe that could Scout, so your card was not Ignored. You are asked so that nobody learns it.",
            ),
        }
    });
    if ask(t, g, seat, pick).await == NO_ROLL {
        return true;
    }
    g.tally[seat.index()].event_rolled = true;
    let dr = t.d10("random event");
    let event = Event::of(dr);
    t.tell(|| format!("{} rolls for a Random Event: DR {dr}, {}.", g.who(seat), event.name()));
    match standing(g, seat, event) {
        Standing::NoEvent(why) => t.tell(|| format!("No Event: {why}.")),
        Standing::Ignored(why) => t.tell(|| format!("{} is Ignored: {why}.", event.name())),
        Standing::Effect => {
            if may_discard(g, event) && discards(t, g, seat, event).await {
                t.tell(|| format!("{} discards {}: the Round is over.", g.who(seat), event.name()));
                return false;
            }
            play(t, g, seat, event).await;
        }
    }
    true
}

/// Returns `true` if an event may be discarded. Sand Creek cannot be (12.13), nor can anything in
/// the Solitaire Game (11.36).
fn may_discard(g: &State, event: Event) -> bool {
    event != Event::SandCreekMassacre && !g.variant.solitaire
}

async fn discards(t: &T, g: &mut State, seat: Seat, event: Event) -> bool {
    let pick = Pick::new(Ask::Event, "12.13", "Play the random event or discard it", vec![PLAY, DISCARD]).telling(
        move |_, d| {
            let mut d = d.line(format!("{}:", event.name()));
            for line in about(event).lines() {
                d = d.line(line);
            }
            d.line("Discarding it ends your Round (9.11).")
        },
    );
    ask(t, g, seat, pick).await == DISCARD
}

/// Carries out an event that has an effect (12.13).
async fn play(t: &T, g: &mut State, seat: Seat, event: Event) {
    match event {
        Event::Gunrunners => indian::gunrunners(t, g, seat).await,
        Event::BuffaloHunterCampaign => indian::buffalo_hunter_campaign(t, g, seat).await,
        Event::TelegraphLinesCut => indian::telegraph_lines_cut(t, g, seat).await,
        Event::Siege => indian::siege(t, g, seat).await,
        Event::Stronghold => indian::stronghold(t, g, seat).await,
        Event::SandCreekMassacre => sand_creek::sand_creek_massacre(t, g).await,
        Event::HorseKillers => army::horse_killers(t, g),
        Event::Hostages => army::hostages(t, g),
    }
}
