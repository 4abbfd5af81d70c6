//! What players and host write to each other: who gets it, and how a letter shows it.
//!
//! A message is kept beside the journal, and a line of the journal commits to it: that something was said, and when, is public;
//! who said what to whom is known to its readers and the host. Whether a reader has had it follows from the number of that line
//! and the head of his last letter, so nothing else has to be kept in mind.

use super::{Game, Transaction};
use crate::{bug::Bug, error::OfficeError, services::Services};
use postrider_dice::Hash;
use postrider_journal::{Body, Head, Press, press_commitment, to_canon};
use postrider_letters::{Block, Heading, Section, capital, text};
use postrider_orders::{list_and, visible};
use postrider_store::{Kept, Message, OutgoingLetter, Party, Player};
use postrider_table::Seat;
use serde_json::json;

/// A message before it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMessage {
    /// Who writes.
    pub by: Party,
    /// Whether its readers are not told who.
    pub anonymous: bool,
    /// To whom; at least one.
    pub to: Vec<Party>,
    /// What; line breaks are newlines.
    pub text: String,
    /// The mail it came with, and its number among the messages of that mail.
    pub mail: Option<(Hash, u64)>,
}

impl Game {
    /// The messages that are still kept, each with n of its line, oldest first.
    pub fn messages(&self) -> impl Iterator<Item = (u64, &Message)> {
        self.facts.press.iter().filter_map(|(n, commit)| Some((*n, self.secrets.messages.get(commit)?)))
    }

    /// What others have written to a seat after line `after`.
    pub(crate) fn messages_to(&self, seat: Seat, after: u64) -> Vec<(u64, &Message)> {
        let to = Party::Seat(seat);
        self.messages().filter(|(n, message)| *n > after && message.by != to && message.to.contains(&to)).collect()
    }

    /// A party as a reader knows it.
    pub(crate) fn party(&self, party: Party, reader: Party) -> String {
        match party {
            _ if party == reader => "you".to_owned(),
            Party::Seat(seat) => self.seats.called(seat),
            Party::Host => "the host".to_owned(),
        }
    }

    /// Who writes to whom, for a reader: `Ben (B) to you and Carl (C)`.
    pub fn who_to_whom(&self, message: &Message, reader: Party) -> String {
        let by = match message.anonymous && message.by != reader && reader != Party::Host {
            true => "somebody".to_owned(),
            false => self.party(message.by, reader),
        };
        let to: Vec<String> = message.to.iter().map(|&party| self.party(party, reader)).collect();
        let all = self.live.opened.seats.len();
        let everybody = (0..all)
            .filter_map(|seat| Some(Party::Seat(Seat(u8::try_from(seat).ok()?))))
            .all(|party| party == message.by || message.to.contains(&party));
        match everybody && message.to.len() > 1 {
            true => format!("{by} to all"),
            false => format!("{by} to {}", list_and(&to)),
        }
    }

    /// Messages as a letter shows them: each under its writer's name, a paragraph a line.
    pub(crate) fn messages_shown(&self, messages: &[(u64, &Message)], reader: Seat) -> Option<Section> {
        let mut blocks = Vec::new();
        for (n, message) in messages {
            let who = capital(&self.who_to_whom(message, Party::Seat(reader)));
            blocks.push(Block::paragraph(format!("{who} (entry {n}):"), 1));
            blocks.push(said(message));
        }
        let heading = Some(Heading { text: "WORDS TO YOU".to_owned(), ..Heading::default() });
        (!blocks.is_empty()).then(|| Section { heading, blocks, ..Section::default() })
    }
}

impl Transaction {
    /// Keeps a message and makes the line that commits to it. One that came with this mail before is not said twice.
    ///
    /// # Errors
    /// [`OfficeError`]; the line is not there then.
    pub fn say(&mut self, services: &mut Services, message: NewMessage) -> Result<(), OfficeError> {
        // Taken in any case, so that the same work has the same randomness.
        let salt = services.environment.secret()?;
        let again = |kept: &&Message| message.mail.is_some() && kept.mail == message.mail;
        let commit = match self.secrets.messages.values().find(again).map(|kept| kept.commit) {
            Some(commit) => commit,
            None => {
                let NewMessage { by, anonymous, to, text, mail } = message;
                let mut message = Message { commit: Hash::ZERO, salt, by, anonymous, to, text, mail };
                message.commit = press_commitment(&self.id, &salt, &content(&message)?);
                let commit = message.commit;
                self.keep(Kept::Message(message))?;
                commit
            }
        };
        if !self.facts.press.iter().any(|(_, said)| *said == commit) {
            self.line(services, &Body::Press(Press { commit }))?;
        }
        Ok(())
    }

    /// Takes the message of line `n` away for ever; says whether it was there.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be taken away.
    pub fn forget_message(&mut self, services: &Services, n: u64) -> Result<bool, OfficeError> {
        let Some((_, commit)) = self.facts.press.iter().find(|(line, _)| *line == n).copied() else { return Ok(false) };
        // The mail it came with says it too.
        if let Some((mail, _)) = self.secrets.messages.get(&commit).and_then(|message| message.mail) {
            services.store.forget_taken(&self.id, &mail)?;
        }
        self.secrets.messages.remove(&commit);
        Ok(self.forget(&|kept| matches!(kept, Kept::Message(message) if message.commit == commit))?)
    }

    /// Sends the host what players have told him and have not been answered about yet. A letter that lies in the outbox already is not
    /// written again.
    pub(crate) fn write_to_host(&mut self, services: &Services, head: &Head) -> Result<(), OfficeError> {
        let Some(address) = &services.host.settings.host_mail else { return Ok(()) };
        let unanswered = |(n, message): &(u64, &Message)| match message.by {
            Party::Seat(seat) => self.secrets.written.get(&seat).is_none_or(|written| written.n < *n),
            Party::Host => false,
        };
        let mine = |(_, message): &(u64, &Message)| message.to.contains(&Party::Host);
        let new: Vec<(u64, Message)> =
            self.messages().filter(mine).filter(unanswered).map(|(n, message)| (n, message.clone())).collect();
        let to = Player { seat: Seat(0), name: String::new(), address: address.clone(), salt: Hash::ZERO, zone: None };
        for (n, message) in new {
            let who = capital(&self.who_to_whom(&message, Party::Host));
            let mut blocks = vec![Block::paragraph(format!("{who} (game {}, entry {n}):", self.id), 0)];
            blocks.push(said(&message));
            let back = match message.by {
                Party::Seat(seat) => format!(" --seat {seat}"),
                Party::Host => String::new(),
            };
            blocks.push(Block::paragraph(format!("To answer: `postrider tell {}{back} \"…\"`.", self.id), 0));
            let letter = OutgoingLetter::plain(
                format!("{}.host.{n}.words", self.id),
                "words".to_owned(),
                format!("{who}, entry {n}"),
                text::render(&[Section { blocks, ..Section::default() }]),
                services.environment.now(),
            );
            self.send(services, head, &to, &letter)?;
        }
        Ok(())
    }
}

/// The words of a message for a letter.
fn said(message: &Message) -> Block {
    Block::Said(message.text.lines().map(|line| quoted(&visible(line))).collect())
}

/// A line of somebody's words for a letter. What in it would pass for the letter's own signed head, or for a card that was dealt, is put
/// into quotation marks, so that no player can make another's letters contradict the journal.
fn quoted(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let comma = |word: Option<&&str>| word.is_some_and(|word| word.ends_with(','));
    let bare = |word: &str| word.trim_start_matches(['>', '|']).to_owned();
    let one = |(at, word): (usize, &&str)| match bare(word).as_str() {
        "Journal" if comma(words.get(at + 1)) => "“Journal”".to_owned(),
        "epoch" if at > 0 && comma(words.get(at - 1)) => "“epoch”".to_owned(),
        _ => (*word).to_owned(),
    };
    words.iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
}

/// What a commitment is made of: canonical JSON.
fn content(message: &Message) -> Result<String, OfficeError> {
    let from = if message.anonymous { String::new() } else { message.by.to_string() };
    let to: Vec<String> = message.to.iter().map(Party::to_string).collect();
    to_canon(&json!({ "from": from, "text": message.text, "to": to }))
        .map_err(|why| Bug::NotCanonical { what: "a message", why }.into())
}
