//! What a director or host may ask for in vain: commands that make no sense now. Nothing has been written then.

use chrono::{DateTime, Utc};
use postrider_table::{Mended, Seat};
use std::path::PathBuf;

/// Why a command makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum Misuse {
    /// No rules have this name.
    #[error("there are no rules called \"{name}\"; `postrider games` lists those that there are")]
    NoRules {
        /// The name as given.
        name: String,
    },
    /// No bot of this name plays the game.
    #[error("no bot \"{name}\" plays {title}; there is {known}")]
    NoBot {
        /// The name as given.
        name: String,
        /// The game.
        title: String,
        /// The bots that play it.
        known: String,
    },
    /// What is written is no seat.
    #[error("\"{letter}\" is no seat: write A, B, C … or the name of one player")]
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
    /// A game of so few players has no such seat.
    #[error("there is no seat {seat} among {seats}")]
    SeatBeyond {
        /// The seat as given.
        seat: Seat,
        /// How many players there are.
        seats: u8,
    },
    /// What is asked of signatures is none of the three.
    #[error("\"{text}\" is none of required, recorded, off; `new` wants the seat before it: B=required")]
    SenderCheck {
        /// The text as given.
        text: String,
    },
    /// A player is not written as a name and an address.
    #[error("\"{text}\" is not of the form: Anna <anna@example.net>")]
    Player {
        /// The text as given.
        text: String,
    },
    /// An option is not written as a key and a value.
    #[error("\"{text}\" is not of the form KEY=VALUE")]
    Pair {
        /// The text as given.
        text: String,
    },
    /// The game is for another number of players.
    #[error("{title} is for {least} to {most} players, not {given}")]
    Players {
        /// The game.
        title: String,
        /// The fewest.
        least: u8,
        /// The most.
        most: u8,
        /// How many were named.
        given: usize,
    },
    /// A name with characters that are not seen, or that look like others.
    #[error("the name {name} could be mistaken for another: {why}; write it in the letters of one alphabet")]
    StrangeName {
        /// The name, with everything beyond ASCII spelt out.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// Two players whose names look the same, so that it would be open who is meant.
    #[error("two players are called {name}, or their names look the same")]
    SameNames {
        /// The name.
        name: String,
    },
    /// Another player has the name that a new one is to have.
    #[error("another player is called {name} already, or a name that looks the same")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// One address for two seats, which nobody said is meant.
    #[error(
        "{address} is the address of seat {} already: whoever reads there would hold both seats of the game and see both hands. Say \
         another address, or --shared-address if one person is to play both, as for practice", .held
    )]
    SharedAddress {
        /// The address.
        address: String,
        /// The seat that has it.
        held: Seat,
    },
    /// What cannot be the id of a game.
    #[error(
        "\"{id}\" cannot be the id of a game: 3 to 40 letters a-z, digits and hyphens, with no hyphen first, since commands would take it for an \
         option"
    )]
    GameId {
        /// The id as given.
        id: String,
    },
    /// There is such a game.
    #[error("there is a game \"{id}\" already")]
    GameExists {
        /// The id.
        id: String,
    },
    /// A scenario of the rulebook that cannot be played here.
    #[error("the scenario \"{name}\" cannot be played: {why}")]
    AbsentScenario {
        /// The name as given.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// The rules have no such scenario.
    #[error("{title} has no scenario \"{name}\"; it has: {known}")]
    NoScenario {
        /// The game.
        title: String,
        /// The name as given.
        name: String,
        /// The scenarios that there are.
        known: String,
    },
    /// Options or an effect that no journal line can hold.
    #[error("{why}")]
    NotJson {
        /// What is wrong.
        why: String,
    },
    /// A folder that must be new holds something.
    #[error("{} is not empty; name another folder with --dir", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A text for the journal that is empty, too long or no single line.
    #[error("{what} is one line of 1 to {longest} characters")]
    NotOneLine {
        /// What the text is.
        what: &'static str,
        /// The most characters.
        longest: usize,
    },
    /// A seat's name where that of the director is wanted.
    #[error("\"{by}\" is a seat, which can only take its own last order back; say who decided it")]
    BySeat {
        /// The name as given.
        by: String,
    },
    /// A director who is none of those whom the game names.
    #[error("{game} names its directors, and \"{by}\" is none of them; say `--by` with one of them: {known}")]
    NoDirector {
        /// The name as given.
        by: String,
        /// The game's id.
        game: String,
        /// The names of the directors.
        known: String,
    },
    /// A director who plays in the game.
    #[error("{by} plays seat {seat} of {game}, and directs no game in which he plays; another director decides")]
    DirectorPlays {
        /// The director.
        by: String,
        /// His seat.
        seat: String,
        /// The game's id.
        game: String,
    },
    /// A director who cannot be one.
    #[error("\"{name}\" cannot be a director of this game: {why}")]
    Director {
        /// The name as given.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// Directors who all play.
    #[error("all directors play in this game, so nobody could decide anything; name one who does not")]
    DirectorsPlay,
    /// A ruling that answers no appeal.
    #[error("entry {n} of {game} is no appeal")]
    NoAppeal {
        /// n as given.
        n: u64,
        /// The game's id.
        game: String,
    },
    /// An effect that is none.
    #[error("\"{text}\" is no effect; say \"NAME: MEMBER=VALUE, MEMBER=VALUE\" with those of the game, or JSON")]
    Effect {
        /// The text as given.
        text: String,
    },
    /// An effect that names a member twice.
    #[error("a member comes twice in the effect \"{text}\"; say each once")]
    EffectTwice {
        /// The text as given.
        text: String,
    },
    /// A time by which nothing can be extended.
    #[error("\"{text}\" is no time by which a deadline can be extended; say `2 days` or `36h`")]
    NoExtension {
        /// The text as given.
        text: String,
    },
    /// A rewind of a game that has not begun.
    #[error("the game has not begun, so there is nothing to rewind")]
    NothingToRewind,
    /// A rewind to a line before play.
    #[error("play began with entry {first}; no rewind goes back behind that")]
    BeforePlay {
        /// n of the line with which play began.
        first: u64,
    },
    /// A journal that is not older than what is known of it.
    #[error("the journal of {game} is the one that was worked on: there is nothing to recover")]
    NothingToRecover {
        /// The game.
        game: String,
    },
    /// An entry that the journal does not have.
    #[error("there is no entry {n}: the last one is entry {last}")]
    NoEntry {
        /// n as given.
        n: u64,
        /// n of the last line.
        last: u64,
    },
    /// A rewind to where the game was over.
    #[error("at entry {n} the game was over, and nobody can play on from there; rewind to an earlier entry")]
    RewindToEnd {
        /// n of the entry.
        n: u64,
    },
    /// A rewind to a Round in which nobody was asked.
    #[error(
        "nobody was asked in \"{wanted}\": it began and ended in the step of entry {step}, and no play goes on from within one; rewind \
         to entry {}, before that, or to \"{next}\"", .step.saturating_sub(1)
    )]
    NobodyAsked {
        /// The moment as it was named.
        wanted: String,
        /// n of the step.
        step: u64,
        /// What begins after it.
        next: String,
    },
    /// A ruling on a deadline that leaves it as it is.
    #[error("the deadline of {seat} is {} already: the ruling would change nothing", postrider_replay::deadlines::moment(*.at, "UTC"))]
    SameDeadline {
        /// Whose it is.
        seat: Seat,
        /// When it is.
        at: DateTime<Utc>,
    },
    /// A rewind that undoes nothing.
    #[error("entry {n} is the last one: nothing would be undone")]
    NothingUndone {
        /// n of the last line.
        n: u64,
    },
    /// No generation of chains is left.
    #[error("a game can be rewound {most} times, and was")]
    NoMoreRewinds {
        /// How often a game can be rewound.
        most: u64,
    },
    /// The game's secrets hold no roots of chains.
    #[error("this game was opened by a release whose games cannot be rewound: its secrets hold no further chains")]
    NoRoots,
    /// The game's secrets do not lead to what its first line commits to.
    #[error(
        "the secrets of this game do not lead to the chain {label} that its first line commits to: play cannot go on with \
         other dice and cards; `postrider doctor` says what is damaged"
    )]
    StrangeRoots {
        /// The chain.
        label: String,
    },
    /// A fork from a line whose cards are not all public.
    #[error(
        "entry {n}: the cards of {deck}, epoch {epoch}, are not all public yet, and no secret goes into a fork; fork at an \
         earlier entry, or when they are revealed"
    )]
    HiddenCards {
        /// n of the line.
        n: u64,
        /// The deck.
        deck: String,
        /// Its epoch.
        epoch: u64,
    },
    /// A fork from a line at which there is no position to go on from.
    #[error("{why}")]
    NoFork {
        /// Why.
        why: String,
    },
    /// A command for a game without deadlines.
    #[error("{game} has no deadlines")]
    NoDeadlines {
        /// The game's id.
        game: String,
    },
    /// A command for a game that has begun.
    #[error("{game} has not begun")]
    NotBegun {
        /// The game's id.
        game: String,
    },
    /// A command for a game that goes on.
    #[error("{game} is over")]
    Over {
        /// The game's id.
        game: String,
    },
    /// A ruling on a position that has ended.
    #[error("the game is over; rewind it first")]
    OverRewindFirst,
    /// A game is to be reopened that no motion has ended.
    #[error(
        "{game} was not ended by the players or a director: there is nothing to reopen. `postrider rewind` goes back in any game"
    )]
    NotEnded {
        /// The game's id.
        game: String,
    },
    /// A result that no game has.
    #[error("{why}")]
    Motion {
        /// Why not.
        why: String,
    },
    /// A place that is none.
    #[error("\"{text}\" is no place of a player; write each once, such as \"anna 1, ben 2\"")]
    Place {
        /// As given.
        text: String,
    },
    /// What is no address.
    #[error("\"{address}\" is no mail address to which letters can go")]
    NoAddress {
        /// As given.
        address: String,
    },
    /// A player is to watch his own game.
    #[error("{address} plays in {game}")]
    PlaysIt {
        /// The address.
        address: String,
        /// The game's id.
        game: String,
    },
    /// Too many watch.
    #[error("{most} people watch {game}; that is the most")]
    TooManyWatch {
        /// The game's id.
        game: String,
        /// The most.
        most: usize,
    },
    /// Nobody watches from there.
    #[error("nobody watches {game} from {address}")]
    NobodyWatches {
        /// The address.
        address: String,
        /// The game's id.
        game: String,
    },
    /// A player is to be forgotten who plays.
    #[error(
        "seat {seat} of {game} is still played: give it to somebody else first (`postrider reseat`), or `postrider abandon` the game"
    )]
    StillPlays {
        /// The seat.
        seat: Seat,
        /// The game's id.
        game: String,
    },
    /// Nobody is known any more.
    #[error("nothing is kept of whoever held seat {seat} of {game}")]
    NothingToForget {
        /// The seat.
        seat: Seat,
        /// The game's id.
        game: String,
    },
    /// A pause in a pause.
    #[error("{game} is paused already")]
    PausedAlready {
        /// The game's id.
        game: String,
    },
    /// The end of a pause that there is not.
    #[error("{game} is not paused")]
    NotPaused {
        /// The game's id.
        game: String,
    },
    /// A deadline that is moved while the clock stands.
    #[error("{game} is paused; move the deadline when it goes on")]
    Paused {
        /// The game's id.
        game: String,
    },
    /// A ruling that wants both.
    #[error("a ruling moves a deadline or changes the position, not both; give two rulings")]
    TwoRulings,
    /// An effect on a deadline that is written wrongly.
    #[error("a deadline has \"seat\" and \"until\", as deadline: seat=C, until=2026-12-01: {source}")]
    DeadlineForm {
        /// What is wrong.
        source: serde_json::Error,
    },
    /// What is written is no time.
    #[error("\"{text}\" is no time; one is written like 2026-11-30T12:00:00Z")]
    NoTime {
        /// The text as given.
        text: String,
    },
    /// What is written is no time for a deadline.
    #[error(
        "\"{text}\" is no time for a deadline; say a day (2026-12-01 or Monday: to its end), a day and an hour (2026-12-01 18:00), both in the \
         host's time zone, so long from now (36h, 3d), or a moment with its offset (2026-11-30T12:00:00Z)"
    )]
    NoDeadline {
        /// The text as given.
        text: String,
    },
    /// There is no such message, or it was deleted.
    #[error("entry {entry} of {game} is no message that is still kept; `postrider messages {game} --all` lists them")]
    NoMessage {
        /// The entry.
        entry: u64,
        /// The game's id.
        game: String,
    },
    /// A message without words.
    #[error("the message is empty")]
    EmptyMessage,
    /// A deadline of a seat that is asked nothing.
    #[error("{game} does not wait for seat {seat}")]
    NotAwaited {
        /// The game's id.
        game: String,
        /// The seat.
        seat: Seat,
    },
    /// A deadline in the past.
    #[error("{} is past already", at.format("%Y-%m-%d %H:%M UTC"))]
    Past {
        /// The deadline as given.
        at: DateTime<Utc>,
    },
    /// A deadline that is too far away.
    #[error("{} is more than 365 days ahead", at.format("%Y-%m-%d %H:%M UTC"))]
    TooFar {
        /// The deadline as given.
        at: DateTime<Utc>,
    },
    /// A ruling that the rules of the game do not take.
    #[error("the ruling is refused: {why}")]
    RulingRefused {
        /// Why, with the rule.
        why: String,
    },
    /// A ruling in which a name is cut short or misspelt.
    #[error("the ruling is not given: {}", did_you_mean(mended))]
    RulingMended {
        /// The names, and what each would be taken for.
        mended: Vec<Mended>,
    },
    /// A stand-in for a bot.
    #[error("seat {seat} is kept by the bot {bot}: nobody is away")]
    KeptByBot {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// A stand-in that is there.
    #[error("the bot {bot} stands in for seat {seat} already")]
    StandsIn {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// The end of a stand-in that there is not.
    #[error("no bot stands in for seat {seat}")]
    NoStandIn {
        /// The seat.
        seat: Seat,
    },
}

/// Names that are to be written out, and what each would be taken for.
fn did_you_mean(mended: &[Mended]) -> String {
    let each = |one: &Mended| format!("no {} is called \"{}\"; did you mean \"{}\"?", one.what, one.said, one.meant);
    let all: Vec<String> = mended.iter().map(each).collect();
    format!("{} A ruling takes names as they are written, so that it does what its director means", all.join(" "))
}
