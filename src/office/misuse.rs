//! Invalid requests by a director or host. They are detected before anything is written.

use chrono::{DateTime, Utc};
use postrider_table::{Mended, Seat, players};
use std::{ops::RangeInclusive, path::PathBuf};

/// The reason why a command is invalid.
#[derive(Debug, thiserror::Error)]
pub enum Misuse {
    /// No ruleset has this name.
    #[error("there are no rules called \"{name}\"; `postrider games` lists all")]
    NoRules {
        /// The name as given.
        name: String,
    },
    /// No bot of this name plays the game.
    #[error("no bot \"{name}\" plays {title}; available: {known}")]
    NoBot {
        /// The name as given.
        name: String,
        /// The game.
        title: String,
        /// The bots that play the game.
        known: String,
    },
    /// The text names no seat.
    #[error("\"{letter}\" is not a seat; write A, B, C … or the name of one player")]
    NotASeat {
        /// The text as given.
        letter: String,
    },
    /// The game has no such seat.
    #[error("there is no seat {seat} in {game}")]
    NoSeat {
        /// The seat as given.
        seat: String,
        /// The game's id.
        game: String,
    },
    /// A game with this number of players has no such seat.
    #[error("there is no seat {seat} among {seats}")]
    SeatBeyond {
        /// The seat as given.
        seat: Seat,
        /// The number of players.
        seats: u8,
    },
    /// The setting for signatures is not one of the three.
    #[error("\"{text}\" is none of required, recorded, off; for `new` write the seat first: B=required")]
    SenderCheck {
        /// The text as given.
        text: String,
    },
    /// A player is not given as a name and an address.
    #[error("\"{text}\" is not of the form: Anna <anna@example.net>")]
    Player {
        /// The text as given.
        text: String,
    },
    /// An option is not given as a key and a value.
    #[error("\"{text}\" is not of the form KEY=VALUE")]
    Pair {
        /// The text as given.
        text: String,
    },
    /// The game is for another number of players.
    #[error("{title} is for {}, not {given}", players(.allowed))]
    Players {
        /// The game.
        title: String,
        /// The possible numbers of players.
        allowed: RangeInclusive<u8>,
        /// The number of players given.
        given: usize,
    },
    /// A name contains invisible characters, or characters that look like others.
    #[error("the name {name} could be mistaken for another: {why}")]
    StrangeName {
        /// The name, with all non-ASCII characters spelt out.
        name: String,
        /// The problem.
        why: String,
    },
    /// Two players have names that look the same.
    #[error("two players are called {name}, or their names look the same")]
    SameNames {
        /// The name.
        name: String,
    },
    /// A new player's name looks the same as that of another player.
    #[error("another player is called {name} already, or a name that looks the same")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// One address is given for two seats, which the host has not allowed.
    #[error(
        "{address} is already the address of seat {}, so one person would see both hands. Give another address, or add \
         --shared-address if one person is to play both", .held
    )]
    SharedAddress {
        /// The address.
        address: String,
        /// The seat that already has it.
        held: Seat,
    },
    /// The text cannot be a game's id.
    #[error("\"{id}\" cannot be the id of a game: write 3 to 40 letters a-z, digits and hyphens, with no hyphen first")]
    GameId {
        /// The id as given.
        id: String,
    },
    /// A game with this id exists.
    #[error("a game \"{id}\" already exists")]
    GameExists {
        /// The id.
        id: String,
    },
    /// A scenario of the rulebook cannot be played.
    #[error("the scenario \"{name}\" cannot be played: {why}")]
    AbsentScenario {
        /// The name as given.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// The ruleset has no such scenario.
    #[error("{title} has no scenario \"{name}\"; it has: {known}")]
    NoScenario {
        /// The game.
        title: String,
        /// The name as given.
        name: String,
        /// The ruleset's scenarios.
        known: String,
    },
    /// Options or an effect cannot be written to a journal.
    #[error("{why}")]
    NotJson {
        /// The reason.
        why: String,
    },
    /// A folder that must be empty is not.
    #[error("{} is not empty; name another folder with --dir", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A text for the journal is empty, too long or has several lines.
    #[error("{what} is one line of 1 to {longest} characters")]
    NotOneLine {
        /// The purpose of the text.
        what: &'static str,
        /// The maximum number of characters.
        longest: usize,
    },
    /// A seat's letter was given as the name of a director.
    #[error("\"{by}\" is a seat, which can only take back its own last order; name who decided this")]
    BySeat {
        /// The name as given.
        by: String,
    },
    /// The named person is not one of the game's directors.
    #[error("\"{by}\" is not a director of {game}; give one of them with `--by`: {known}")]
    NoDirector {
        /// The name as given.
        by: String,
        /// The game's id.
        game: String,
        /// The names of the directors.
        known: String,
    },
    /// The director plays in the game.
    #[error("{by} plays seat {seat} of {game}, so another director must decide")]
    DirectorPlays {
        /// The director.
        by: String,
        /// The director's seat.
        seat: String,
        /// The game's id.
        game: String,
    },
    /// The person cannot be a director.
    #[error("\"{name}\" cannot be a director of this game: {why}")]
    Director {
        /// The name as given.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// All directors are players.
    #[error("all directors play in this game; name one who does not")]
    DirectorsPlay,
    /// A ruling refers to an entry that is not an appeal.
    #[error("entry {n} of {game} is not an appeal")]
    NoAppeal {
        /// n as given.
        n: u64,
        /// The game's id.
        game: String,
    },
    /// A ruling's effect cannot be parsed.
    #[error("\"{text}\" is not an effect; write \"NAME: MEMBER=VALUE, MEMBER=VALUE\" with those of the game, or JSON")]
    Effect {
        /// The text as given.
        text: String,
    },
    /// An effect names a member twice.
    #[error("the effect \"{text}\" has a member twice; write each once")]
    EffectTwice {
        /// The text as given.
        text: String,
    },
    /// The time by which to extend a deadline cannot be parsed.
    #[error("a deadline cannot be extended by \"{text}\"; write `2 days` or `36h`")]
    NoExtension {
        /// The text as given.
        text: String,
    },
    /// A copy of a journal from before play cannot continue.
    #[error(
        "this copy of {game} ends before play begins, so it cannot continue: other luck phrases would bring other dice than \
         those that are lost. Nothing was changed; look for a newer copy, or open another game"
    )]
    LostBeforePlay {
        /// The game.
        game: String,
    },
    /// A rewind of a game that has not begun.
    #[error("the game has not begun, so there is nothing to rewind")]
    NothingToRewind,
    /// A rewind goes back to before play.
    #[error("play began with entry {first}; a rewind cannot go back further")]
    BeforePlay {
        /// The `n` of the line at which play began.
        first: u64,
    },
    /// The journal is not older than the last one used.
    #[error("the journal of {game} is up to date: there is nothing to recover")]
    NothingToRecover {
        /// The game.
        game: String,
    },
    /// The journal has no such entry.
    #[error("there is no entry {n}: the last one is entry {last}")]
    NoEntry {
        /// n as given.
        n: u64,
        /// The `n` of the last line.
        last: u64,
    },
    /// A rewind goes to a point where the game was over.
    #[error("at entry {n} the game was over, so it cannot continue from there; rewind to an earlier entry")]
    RewindToEnd {
        /// The `n` of the entry.
        n: u64,
    },
    /// A ruling sets a deadline to the time that it already has.
    #[error("the deadline of {seat} is {} already: the ruling would change nothing", postrider_replay::deadlines::moment(*.at, "UTC"))]
    SameDeadline {
        /// The seat.
        seat: Seat,
        /// The deadline.
        at: DateTime<Utc>,
    },
    /// A rewind would undo nothing.
    #[error("entry {n} is the last one: nothing would be undone")]
    NothingUndone {
        /// The `n` of the last line.
        n: u64,
    },
    /// The game ended and its secrets are known, but nothing was drawn since its chains began.
    #[error(
        "the game cannot be reopened: nothing was rolled or shuffled since its seed chains began, and with new ones the host could \
         choose among dice; continue it as a fork"
    )]
    ChainsChosen,
    /// The game has used all its generations of seed chains.
    #[error("the game has been rewound {most} times, which is the maximum")]
    NoMoreRewinds {
        /// The maximum number of rewinds.
        most: u64,
    },
    /// The game's secrets contain no roots of further chains.
    #[error("this game cannot be rewound: its secrets contain no further chains")]
    NoRoots,
    /// The roots in the game's secrets do not match the commitments in the first line.
    #[error(
        "the secrets of this game do not lead to the chain {label} that its first line commits to, so it has no more dice or \
         cards; `postrider doctor` shows the damage"
    )]
    StrangeRoots {
        /// The chain.
        label: String,
    },
    /// A fork would start at or after a line at which some cards are still hidden.
    #[error(
        "entry {n}: the cards of {deck}, epoch {epoch}, are not all public yet, and a fork takes no secrets along; fork at an \
         earlier entry, or when they are revealed"
    )]
    HiddenCards {
        /// The `n` of the line.
        n: u64,
        /// The deck.
        deck: String,
        /// Its epoch.
        epoch: u64,
    },
    /// A fork starts at a line without a position to continue from.
    #[error("{why}")]
    NoFork {
        /// The reason.
        why: String,
    },
    /// A command about deadlines is given for a game without any.
    #[error("{game} has no deadlines")]
    NoDeadlines {
        /// The game's id.
        game: String,
    },
    /// The command needs a game that has begun.
    #[error("{game} has not begun")]
    NotBegun {
        /// The game's id.
        game: String,
    },
    /// The command needs a game that is not over.
    #[error("{game} is over")]
    Over {
        /// The game's id.
        game: String,
    },
    /// A ruling changes the position of a game that is over.
    #[error("the game is over; rewind it first")]
    OverRewindFirst,
    /// The reopening of a game that neither a motion nor a director has ended.
    #[error(
        "{game} was not ended by its players or a director, so there is nothing to reopen; a rewind goes back in any game"
    )]
    NotEnded {
        /// The game's id.
        game: String,
    },
    /// The result is impossible in this game.
    #[error("{why}")]
    Motion {
        /// The reason.
        why: String,
    },
    /// The text is not a player's place in a result.
    #[error("\"{text}\" is not a player's place; write each player once, such as \"anna 1, ben 2\"")]
    Place {
        /// The text as given.
        text: String,
    },
    /// The text is not a mail address.
    #[error("\"{address}\" is not a valid mail address")]
    NoAddress {
        /// The text as given.
        address: String,
    },
    /// A player is to be a spectator of the same game.
    #[error("{address} plays in {game}")]
    PlaysIt {
        /// The address.
        address: String,
        /// The game's id.
        game: String,
    },
    /// The game has the maximum number of spectators.
    #[error("{most} people watch {game}, which is the maximum")]
    TooManyWatch {
        /// The game's id.
        game: String,
        /// The maximum.
        most: usize,
    },
    /// The game has no spectator with this address.
    #[error("nobody watches {game} from {address}")]
    NobodyWatches {
        /// The address.
        address: String,
        /// The game's id.
        game: String,
    },
    /// The player to be forgotten still plays.
    #[error(
        "seat {seat} of {game} is still in play: give it to another player first (`postrider reseat`), or `postrider abandon` the game"
    )]
    StillPlays {
        /// The seat.
        seat: Seat,
        /// The game's id.
        game: String,
    },
    /// No data about former players of the seat is left.
    #[error("nothing is stored about former players of seat {seat} of {game}")]
    NothingToForget {
        /// The seat.
        seat: Seat,
        /// The game's id.
        game: String,
    },
    /// The game to be paused is paused already.
    #[error("{game} is already paused")]
    PausedAlready {
        /// The game's id.
        game: String,
    },
    /// The game to be resumed is not paused.
    #[error("{game} is not paused")]
    NotPaused {
        /// The game's id.
        game: String,
    },
    /// A deadline is to be moved during a pause.
    #[error("{game} is paused; move the deadline when it goes on")]
    Paused {
        /// The game's id.
        game: String,
    },
    /// A deadline that is moved while the clock of its seat is stopped.
    #[error("the letter to {seat} has not left, so the clock does not run yet; move the deadline when it has")]
    Held {
        /// The seat whose clock it is.
        seat: Seat,
    },
    /// A ruling has effects both on a deadline and on the position.
    #[error("a ruling moves a deadline or changes the position, not both; give two rulings")]
    TwoRulings,
    /// An effect on a deadline cannot be parsed.
    #[error("a deadline needs \"seat\" and \"until\", as in `deadline: seat=C, until=2026-12-01`: {source}")]
    DeadlineForm {
        /// The parser's error.
        source: serde_json::Error,
    },
    /// The text is not a time.
    #[error("\"{text}\" is not a time; write it like 2026-11-30T12:00:00Z")]
    NoTime {
        /// The text as given.
        text: String,
    },
    /// The text is not a time for a deadline.
    #[error(
        "\"{text}\" is not a time for a deadline; write a day (2026-12-01 or Monday: to its end) or a day and an hour (2026-12-01 18:00), both \
         in the host's time zone, a duration from now (36h, 3d), or a time with its offset (2026-11-30T12:00:00Z)"
    )]
    NoDeadline {
        /// The text as given.
        text: String,
    },
    /// The message does not exist or was deleted.
    #[error("entry {entry} of {game} is not a stored message; `postrider messages {game} --all` lists them")]
    NoMessage {
        /// The entry.
        entry: u64,
        /// The game's id.
        game: String,
    },
    /// The message has no words.
    #[error("the message is empty")]
    EmptyMessage,
    /// A deadline is given for a seat that has no open question.
    #[error("{game} does not wait for seat {seat}")]
    NotAwaited {
        /// The game's id.
        game: String,
        /// The seat.
        seat: Seat,
    },
    /// The deadline is in the past.
    #[error("{} is in the past", at.format("%Y-%m-%d %H:%M UTC"))]
    Past {
        /// The deadline as given.
        at: DateTime<Utc>,
    },
    /// The deadline is too far in the future.
    #[error("{} is more than 365 days ahead", at.format("%Y-%m-%d %H:%M UTC"))]
    TooFar {
        /// The deadline as given.
        at: DateTime<Utc>,
    },
    /// The rules refuse the ruling.
    #[error("the ruling is refused: {why}")]
    RulingRefused {
        /// The reason, with the rule's number.
        why: String,
    },
    /// Names in a ruling are abbreviated or misspelt.
    #[error("the ruling is not given: {}", did_you_mean(mended))]
    RulingMended {
        /// The names and their likely meanings.
        mended: Vec<Mended>,
    },
    /// A bot is requested for a seat that one plays.
    #[error("the bot {bot} plays seat {seat} already")]
    KeptByBot {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// A seat is given to a bot before anybody has joined it.
    #[error(
        "seat {seat} has not joined, and a bot cannot be invited: open a new game with the bot, or invite a person"
    )]
    BotBefore {
        /// The seat.
        seat: Seat,
    },
    /// The seat's player has left the game, and a bot plays the seat to the end.
    #[error("seat {seat} is out of the game, and a bot plays it to the end; nobody can take it over")]
    Out {
        /// The seat.
        seat: Seat,
    },
    /// A bot already stands in for the seat.
    #[error("the bot {bot} already stands in for seat {seat}")]
    StandsIn {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// No bot stands in for the seat.
    #[error("no bot stands in for seat {seat}")]
    NoStandIn {
        /// The seat.
        seat: Seat,
    },
}

/// Asks the author to write the names out, and suggests their likely meanings.
fn did_you_mean(mended: &[Mended]) -> String {
    let each = |one: &Mended| format!("no {} is called \"{}\"; did you mean \"{}\"?", one.what, one.said, one.meant);
    let all: Vec<String> = mended.iter().map(each).collect();
    format!("{} Names in a ruling must be written in full", all.join(" "))
}
