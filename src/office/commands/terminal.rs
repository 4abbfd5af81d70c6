//! Playing at the terminal: the information that a person there needs, from the same journal as by
//! mail.

use super::messages::{MessageShown, MessagesOf, shown};
use crate::{
    error::OfficeError,
    game::{data, invitee::TERMINAL, page, status},
    misuse::Misuse,
    service::Office,
};
use postrider_letters as letters;
use postrider_letters::{Block, Section, text};
use postrider_mail::Token;
use postrider_orders::list_and;
use postrider_page::{Answer, Page};
use postrider_replay::{LiveGame, marks::called};
use postrider_store::{GameStatus, Message, Party, Watcher};
use postrider_table::Seat;
use serde_json::Value;
use std::collections::BTreeSet;

/// A game's status, for a person at the terminal.
#[derive(Clone, Debug, Default)]
pub struct Glance {
    /// The `n` of the journal's last line.
    pub head: u64,
    /// The Turn and Round in words.
    pub place: String,
    /// `true` if the game is over.
    pub over: bool,
    /// The seats with a question that must be answered.
    pub awaited: BTreeSet<Seat>,
    /// The seats with an optional question that has just arisen.
    pub urgent: BTreeSet<Seat>,
    /// The names of the players of `awaited`.
    pub names: String,
}

/// Read-only access to a game at the host's terminal.
pub struct Terminal<'o> {
    office: &'o mut Office,
    game: &'o str,
}

impl Office {
    /// Returns read-only access to a game.
    pub fn terminal<'o>(&'o mut self, game: &'o str) -> Terminal<'o> {
        Terminal { office: self, game }
    }
}

impl Terminal<'_> {
    /// Returns the game's status.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn glance(&mut self) -> Result<Glance, OfficeError> {
        self.office.look(self.game, |_, read| {
            let asked = read.asked()?;
            let required = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
            let mut awaited: BTreeSet<Seat> = required.collect();
            if read.live.started.is_none() {
                let open = read.live.joined.iter().zip(0..).filter(|(joined, _)| joined.is_none());
                awaited = open.map(|(_, seat)| Seat(seat)).collect();
            }
            let names: Vec<String> = awaited.iter().map(|&seat| read.seats.called(seat)).collect();
            Ok(Glance {
                head: read.head().n,
                place: called(&read.live.marks),
                over: read.live.closed,
                urgent: asked.iter().filter(|asked| asked.urgent && !asked.required).map(|asked| asked.seat).collect(),
                awaited,
                names: list_and(&names),
            })
        })
    }

    /// Returns the seats that people play at the host's terminal: those without a mail address or a
    /// bot.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn seats_here(&mut self) -> Result<Vec<Seat>, OfficeError> {
        self.office.look(self.game, |_, read| {
            let here = read.seats.players.iter().filter(|player| player.address == TERMINAL);
            Ok(here.map(|player| player.seat).collect())
        })
    }

    /// Checks that a seat exists.
    ///
    /// # Errors
    /// [`OfficeError`] if it does not, or if the game cannot be opened.
    pub fn check_seat(&mut self, seat: Seat) -> Result<(), OfficeError> {
        self.office.look(self.game, |_, read| match read.seats.player(seat) {
            Some(_) => Ok(()),
            None => Err(Misuse::NoSeat { seat: seat.to_string(), game: read.id.clone() }.into()),
        })
    }

    /// Returns the story since line `after`, or from the beginning, as a seat sees it.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn told(&mut self, seat: Seat, after: Option<u64>) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let parts = letters::story(&read.live.story, letters::Reader::at(Some(seat)), after, &read.seats);
            Ok(text::render(&[Section::of([Block::Story { parts, level: 0, whole: true }])]))
        })
    }

    /// Returns a seat's questions as in its letters; with `all`, also those that nothing waits for.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn asks(&mut self, seat: Seat, all: bool) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let listed = read.questions(seat)?;
            let urgent = listed.iter().any(|listed| listed.asked.urgent && !listed.asked.required);
            let (asked, open) = letters::shown(&listed, &read.seats);
            let more = open.iter().filter(|question| all || urgent && !question.options.is_empty());
            Ok(asked.iter().chain(more).map(text::at_the_terminal).collect())
        })
    }

    /// Returns the words of all possible answers of a seat, for completion.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn answers(&mut self, seat: Seat) -> Result<Vec<String>, OfficeError> {
        self.office.look(self.game, |_, read| {
            let listed = read.questions(seat)?;
            Ok(listed.iter().flat_map(|q| &q.choices).map(|choice| read.seats.named(&choice.words)).collect())
        })
    }

    /// Returns the subjects of `help` in this game.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn subjects(&mut self) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let opened = &read.live.opened;
            let all = opened.ruleset.subjects(&opened.setup.components).list();
            Ok(text::render(&[Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)])]))
        })
    }

    /// Returns the name of a seat.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn called(&mut self, seat: Seat) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| Ok(read.seats.called(seat)))
    }

    /// Returns the game's spectators in the order in which they came, including those who have not
    /// confirmed yet.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn watchers(&mut self) -> Result<Vec<Watcher>, OfficeError> {
        self.office.look(self.game, |_, read| Ok(read.secrets.watchers.clone()))
    }

    /// Returns the game's messages that are still stored, oldest first.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn messages(&mut self, of: MessagesOf) -> Result<Vec<MessageShown>, OfficeError> {
        self.office.look(self.game, |_, read| {
            let wanted = |message: &Message| match of {
                MessagesOf::All => true,
                MessagesOf::Host => message.by == Party::Host || message.to.contains(&Party::Host),
                MessagesOf::Seat(seat) => message.by == Party::Seat(seat) || message.to.contains(&Party::Seat(seat)),
            };
            Ok(read.messages().filter(|(_, message)| wanted(message)).map(|one| shown(read, one, of)).collect())
        })
    }

    /// Returns the game's result as in the last letters; empty while the game goes on.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn outcome(&mut self) -> Result<String, OfficeError> {
        self.office.look(self.game, |services, read| match &read.live.dyn_game {
            Some(dyn_game) if read.live.closed => {
                let ending = services.letters.ending(
                    read.live.opened.ruleset,
                    read.live.outcome().as_ref(),
                    &**dyn_game,
                    &read.seats,
                )?;
                Ok(text::render(&ending).trim_end().to_owned())
            }
            _ => Ok(String::new()),
        })
    }

    /// Returns all data about the player of a seat.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`] if the seat is not played by mail.
    pub fn data_of(&mut self, seat: Seat) -> Result<Value, OfficeError> {
        self.office.look(self.game, |services, read| data::of_player(read, services, seat))
    }

    /// Returns the address and subject for a seat's answer, as its next letter would have them;
    /// `None` for a seat that is not played by mail.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn answer_to(&mut self, seat: Seat) -> Result<Option<Answer>, OfficeError> {
        self.office.look(self.game, |services, read| page::answer_to(read, services, seat))
    }

    /// Returns the page of a game for a seat or a spectator, with the players' names if `named`.
    ///
    /// # Errors
    /// Returns [`OfficeError`] if the game cannot be opened.
    pub fn page(&mut self, seat: Option<Seat>, named: bool) -> Result<Page, OfficeError> {
        self.office.look(self.game, |services, read| page::page(read, services, seat, named))
    }

    /// Returns the status of a game as it is now.
    ///
    /// # Errors
    /// Returns [`OfficeError`] if the game cannot be opened.
    pub fn status(&mut self) -> Result<GameStatus, OfficeError> {
        self.office.look(self.game, |services, read| status::status(read, services))
    }

    /// Returns the tokens of the players' calendars, with the names of their seats.
    ///
    /// # Errors
    /// Returns [`OfficeError`] if the game cannot be opened.
    pub fn calendars(&mut self) -> Result<Vec<(Token, String)>, OfficeError> {
        self.office.look(self.game, |_, read| Ok(page::calendars(read)))
    }

    /// Reads a game's position and open questions. Writes nothing.
    ///
    /// # Errors
    /// Those of opening the game and of `look`.
    pub fn live<T>(&mut self, look: impl FnOnce(&LiveGame) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        self.office.look(self.game, |_, read| look(&read.live))
    }
}
