//! A game at the terminal: what somebody who sits there needs to see, on the same journal as by mail.

use super::messages::{MessageShown, MessagesOf, shown};
use crate::{
    error::OfficeError,
    game::{data, invitee::TERMINAL},
    misuse::Misuse,
    service::Office,
};
use postrider_letters as letters;
use postrider_letters::{Block, Section, text};
use postrider_orders::list_and;
use postrider_page::Answer;
use postrider_replay::{LiveGame, marks::called};
use postrider_store::{Message, Party, Player, Watcher};
use postrider_table::Seat;
use serde_json::Value;
use std::collections::BTreeSet;

/// Where a game stands, for whoever sits at the terminal.
#[derive(Clone, Debug, Default)]
pub struct Glance {
    /// The last line of the journal.
    pub head: u64,
    /// Turn and Round in words.
    pub place: String,
    /// Whether the game is over.
    pub over: bool,
    /// Who has to answer something.
    pub awaited: BTreeSet<Seat>,
    /// Who may want to answer something that has come in.
    pub urgent: BTreeSet<Seat>,
    /// The same people as `awaited`, by their names.
    pub names: String,
}

/// A game as it is read at the host's terminal. Nothing of it is changed.
pub struct Terminal<'o> {
    office: &'o mut Office,
    game: &'o str,
}

impl Office {
    /// A game for reading.
    pub fn terminal<'o>(&'o mut self, game: &'o str) -> Terminal<'o> {
        Terminal { office: self, game }
    }
}

impl Terminal<'_> {
    /// Where a game stands.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
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

    /// The seats that people hold at the terminal of the host: those without a mail address that no bot keeps.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn seats_here(&mut self) -> Result<Vec<Seat>, OfficeError> {
        self.office.look(self.game, |_, read| {
            let here = read.seats.players.iter().filter(|player| player.address == TERMINAL);
            Ok(here.map(|player| player.seat).collect())
        })
    }

    /// Whether there is such a seat.
    ///
    /// # Errors
    /// [`OfficeError`] when there is not, or when the game cannot be opened.
    pub fn check_seat(&mut self, seat: Seat) -> Result<(), OfficeError> {
        self.office.look(self.game, |_, read| match read.seats.player(seat) {
            Some(_) => Ok(()),
            None => Err(Misuse::NoSeat { seat: seat.to_string(), game: read.id.clone() }.into()),
        })
    }

    /// What has happened since line `after` (from the beginning without one) as a seat was told it.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn told(&mut self, seat: Seat, after: Option<u64>) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let parts = letters::story(&read.live.story, letters::Reader::at(Some(seat)), after, &read.seats);
            Ok(text::render(&[Section::of([Block::Story { parts, level: 0 }])]))
        })
    }

    /// What is asked of a seat, as in its letters; with the questions that nothing waits for if `all`.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn asks(&mut self, seat: Seat, all: bool) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let listed = read.questions(seat)?;
            let urgent = listed.iter().any(|listed| listed.asked.urgent && !listed.asked.required);
            let (asked, open) = letters::shown(&listed, &read.seats);
            let more = open.iter().filter(|question| all || urgent && !question.options.is_empty());
            Ok(asked.iter().chain(more).map(text::at_the_terminal).collect())
        })
    }

    /// The words of all that a seat could answer now, for completion.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn answers(&mut self, seat: Seat) -> Result<Vec<String>, OfficeError> {
        self.office.look(self.game, |_, read| {
            let listed = read.questions(seat)?;
            Ok(listed.iter().flat_map(|q| &q.choices).map(|choice| read.seats.named(&choice.words)).collect())
        })
    }

    /// The subjects of `help` in this game.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn subjects(&mut self) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| {
            let opened = &read.live.opened;
            let all = opened.ruleset.subjects(&opened.setup.components).list();
            Ok(text::render(&[Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)])]))
        })
    }

    /// What a seat is called.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn called(&mut self, seat: Seat) -> Result<String, OfficeError> {
        self.office.look(self.game, |_, read| Ok(read.seats.called(seat)))
    }

    /// Who watches a game, in the order in which they came; those among them who were asked and have not answered.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
    pub fn watchers(&mut self) -> Result<Vec<Watcher>, OfficeError> {
        self.office.look(self.game, |_, read| Ok(read.secrets.watchers.clone()))
    }

    /// The messages of a game that are still kept, oldest first.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
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

    /// How a game has ended, as the last letters tell it; empty while it is not over.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
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

    /// All that is kept of the player of a seat.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`] where nobody is written to by mail.
    pub fn data_of(&mut self, seat: Seat) -> Result<Value, OfficeError> {
        self.office.look(self.game, |services, read| data::of_player(read, services, seat))
    }

    /// Where a seat's answer goes: the address and the subject that its next letter would ask for. `None` for a seat that is not
    /// played by mail.
    ///
    /// # Errors
    /// [`OfficeError`] when the game cannot be opened.
    pub fn answer_to(&mut self, seat: Seat) -> Result<Option<Answer>, OfficeError> {
        let game = self.game;
        self.office.look(game, |services, read| {
            if !read.seats.player(seat).is_some_and(Player::by_mail) {
                return Ok(None);
            }
            let first = read.questions(seat)?.first().map(|listed| listed.asked.id);
            let (number, token) = match first {
                Some(id) => (id, read.token(seat, id)),
                None => (0, read.letterbox(seat)),
            };
            let addresses = &services.host.addresses;
            let to = addresses.reply_address(game, number, &token);
            // Without sub-addressing the subject must carry the token.
            let tag = match to == addresses.plain() {
                true => addresses.subject_tag(game, number, &token),
                false => format!("[{game}]"),
            };
            Ok(Some(Answer { to, subject: format!("Re: {tag} orders") }))
        })
    }

    /// Looks at a game's position and at what it asks: nothing is written.
    ///
    /// # Errors
    /// Those of opening the game and of `look`.
    pub fn live<T>(&mut self, look: impl FnOnce(&mut LiveGame) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        self.office.look(self.game, |_, read| look(&mut read.live))
    }
}
