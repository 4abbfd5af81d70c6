//! Messages between players and host: recipients, and their form in letters.
//!
//! A message is stored next to the journal, which contains a commitment to it. So the existence and
//! the time of a message are public; its author, readers and text are known only to its readers and
//! the host. A reader has had a message if its line is not after the head of the reader's last
//! letter.

use crate::{bug::Bug, error::OfficeError, game::Game};
use postrider_dice::Hash;
use postrider_journal::to_canon;
use postrider_letters::{Block, Heading, Section, capital};
use postrider_orders::{list_and, visible};
use postrider_store::{Message, Party, Players};
use postrider_table::Seat;
use serde_json::json;

/// A message before it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMessage {
    /// The author.
    pub by: Party,
    /// `true` if the readers do not learn the author.
    pub anonymous: bool,
    /// The readers; at least one.
    pub to: Vec<Party>,
    /// The text; line breaks are newlines.
    pub text: String,
    /// The mail that contains it, and its number among that mail's messages.
    pub mail: Option<(Hash, u64)>,
}

/// Returns the messages of others to a seat after line `after`.
pub(crate) fn messages_to(game: &Game, seat: Seat, after: u64) -> Vec<(u64, &Message)> {
    let to = Party::Seat(seat);
    game.messages().filter(|(n, message)| *n > after && message.by != to && message.to.contains(&to)).collect()
}

/// The maximum number of notes in a letter.
const MOST_NOTES: usize = 3;

/// Formats the newest notes of a seat to itself for a letter.
pub(crate) fn notes(game: &Game, seat: Seat) -> Option<Section> {
    let own = |(_, message): &(u64, &Message)| message.to == [Party::Seat(seat)] && message.by == message.to[0];
    let all: Vec<(u64, &Message)> = game.messages().filter(own).collect();
    let shown = &all[all.len().saturating_sub(MOST_NOTES)..];
    let heading = Some(Heading { text: "YOUR NOTES".to_owned(), ..Heading::default() });
    let blocks = shown.iter().map(|(_, message)| said(message)).collect();
    (!shown.is_empty()).then(|| Section { heading, blocks, ..Section::default() })
}

/// Returns a party's name for a reader.
pub(crate) fn party_in_words(players: &Players, party: Party, reader: Party) -> String {
    match party {
        _ if party == reader => "you".to_owned(),
        Party::Seat(seat) => players.called(seat),
        Party::Host => "the host".to_owned(),
        Party::Directors => "the directors".to_owned(),
    }
}

/// Names the author and recipients of the message of entry `n`, for a reader: `Ben (B) to you and
/// Carl (C)`.
pub(crate) fn who_to_whom(game: &Game, (n, message): (u64, &Message), reader: Party) -> String {
    let players = game.seats.at(n);
    let called = |party| party_in_words(&players, party, reader);
    let by = match message.anonymous && message.by != reader && reader != Party::Host {
        true => "somebody".to_owned(),
        false => called(message.by),
    };
    if message.to == [message.by] {
        return format!("{by}, a note");
    }
    let mut others = players.players.iter().map(|player| Party::Seat(player.seat)).filter(|party| *party != message.by);
    match message.to.len() > 1 && others.all(|party| message.to.contains(&party)) {
        true => format!("{by} to all"),
        false => format!("{by} to {}", list_and(&message.to.iter().map(|&party| called(party)).collect::<Vec<_>>())),
    }
}

/// Formats messages for a letter: each under its author's name, one paragraph per line.
pub(crate) fn messages_shown(game: &Game, messages: &[(u64, &Message)], reader: Seat) -> Option<Section> {
    let mut blocks = Vec::new();
    for (n, message) in messages {
        let who = capital(&who_to_whom(game, (*n, message), Party::Seat(reader)));
        blocks.push(Block::paragraph(format!("{who} (entry {n}):"), 1));
        blocks.push(said(message));
    }
    let heading = Some(Heading { text: "MESSAGES TO YOU".to_owned(), ..Heading::default() });
    (!blocks.is_empty()).then(|| Section { heading, blocks, ..Section::default() })
}

/// Formats a message's text for a letter.
pub(crate) fn said(message: &Message) -> Block {
    Block::Said(message.text.lines().map(|line| quoted(&visible(line))).collect())
}

/// Formats a line of a message for a letter. Words that look like the letter's signed head or like
/// a dealt card are put in quotation marks. Otherwise a player could make another's letters appear
/// to contradict the journal.
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

/// Returns the canonical JSON to which the commitment is made.
pub(crate) fn content(message: &Message) -> Result<String, OfficeError> {
    let from = if message.anonymous { String::new() } else { message.by.to_string() };
    let to: Vec<String> = message.to.iter().map(Party::to_string).collect();
    to_canon(&json!({ "from": from, "text": message.text, "to": to }))
        .map_err(|why| Bug::NotCanonical { what: "a message", why }.into())
}
