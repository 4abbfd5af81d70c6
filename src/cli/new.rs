//! `postrider new`: opens a game and invites its players.

use super::{
    CliError, Output,
    working::{environment, invited, journal_place, seat, send_waiting, sender_check},
};
use postrider_games::rulesets;
use postrider_office::{Invitee, Misuse, NewGame, Office, OfficeError};
use postrider_orders::list_and;
use postrider_replay::{AtFlag, Terms, TermsError, deadlines::duration};
use postrider_store::{AdviceTerms, Host};
use postrider_table::Seat;
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The arguments of `new`.
#[derive(clap::Args, Debug)]
pub struct New {
    /// The rules to play by, as `postrider games` lists them
    #[arg(long, value_name = "NAME", default_value = rulesets()[0].name())]
    ruleset: String,
    /// A player, in the order of the seats: "Anna <anna@example.net>", perhaps with a time zone behind it; or a bot: bot:steady
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// The game's id; one is made up otherwise
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The scenario; the first one otherwise
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// An optional rule or the like, KEY=VALUE
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// A director: "Dora <dora@example.net>". Only directors can rule, rewind or end the game, by mail, and none who plays in it.
    /// Without directors you decide, whatever name `--by` gives
    #[arg(long = "director", value_name = "DIRECTOR")]
    directors: Vec<String>,
    /// A component file of your own
    #[arg(long, value_name = "FILE")]
    components: Option<PathBuf>,
    /// A seat that you, the host, play yourself; the journal says so
    #[arg(long = "operator-seat", value_name = "SEAT")]
    operator_seats: Vec<String>,
    /// The time for each answer, 36h or 3d, or for all answers of a player together: "bank 20d + 12h a round, at most 30d"; with ",
    /// no weekends" clocks stand still on Saturdays and Sundays
    #[arg(long, value_name = "TIME")]
    clock: Option<String>,
    /// What happens when a player's time is over: `remind` tells everybody, `play` has the question answered as the rules provide for
    /// this case, `forfeit` has him lose the game two days later, "forfeit 5d" five days later
    #[arg(long, value_name = "WHAT", default_value = "remind", requires = "clock")]
    at_flag: AtFlag,
    /// The leave of each player in the whole game, `none` for none: while he is away his clock stands still
    #[arg(long, value_name = "TIME", default_value = "30d", requires = "clock")]
    leave: Leave,
    /// A bot that plays for players while they are away, as `away until …` says
    #[arg(long, value_name = "BOT")]
    away_bot: Option<String>,
    /// Whether players have advice, what the steady bot would answer: who asks for it, all in their letters (`advice off` ends it for
    /// one of them), or nobody
    #[arg(long, value_enum, default_value_t = Advice::Asked)]
    advice: Advice,
    /// The number of further seats that anyone may take by mail, with `join` and the game's name
    #[arg(long, value_name = "SEATS", default_value_t = 0)]
    open: u8,
    /// A proposal to go back, for more time or a pause needs more than half of the players, not all of them
    #[arg(long)]
    majority: bool,
    /// The game counts in a rating: nobody has advice then, unless `--advice listed` gives it to all
    #[arg(long)]
    rated: bool,
    /// What is asked of the signatures (DKIM) of a seat's mails, whatever the settings say: B=required, B=recorded or B=off
    #[arg(long = "sender-check", value_name = "SEAT=CHECK")]
    sender_checks: Vec<String>,
    /// Let one address hold several seats, for somebody who plays them all, as for practice
    #[arg(long)]
    shared_address: bool,
    /// Begin at once, with everybody joined and no words for luck
    #[arg(long)]
    join_all: bool,
    /// Print the game's id and journal as JSON
    #[arg(long)]
    json: bool,
}

/// The leave of each player, in seconds.
#[derive(Clone, Copy, Debug)]
struct Leave(i64);

impl FromStr for Leave {
    type Err = TermsError;

    fn from_str(text: &str) -> Result<Leave, TermsError> {
        match text {
            "none" => Ok(Leave(0)),
            time => duration(time).map(Leave),
        }
    }
}

/// Reads the terms on time; weekends are those of the host's time zone.
fn terms(args: &New, root: &Path) -> Result<Option<Terms>, CliError> {
    let Some(clock) = &args.clock else { return Ok(None) };
    let zone = Host::open(root).map(|host| host.settings.time_zone).unwrap_or_default();
    let terms = Terms::new(clock, if zone.is_empty() { "UTC" } else { &zone })?;
    Ok(Some(Terms { at_flag: args.at_flag, leave: args.leave.0, ..terms }))
}

/// See [`AdviceTerms`].
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Advice {
    Asked,
    Listed,
    Off,
}

impl From<Advice> for AdviceTerms {
    fn from(advice: Advice) -> Self {
        match advice {
            Advice::Asked => AdviceTerms::Asked,
            Advice::Listed => AdviceTerms::Listed,
            Advice::Off => AdviceTerms::Off,
        }
    }
}

/// Runs the command.
pub fn run(args: &New, root: &Path) -> Result<Output, CliError> {
    let mut new = NewGame {
        ruleset: args.ruleset.clone(),
        id: args.id.clone(),
        scenario: args.scenario.clone(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, OfficeError>>()?,
        players: args.players.iter().map(|text| text.parse::<Invitee>()).collect::<Result<_, OfficeError>>()?,
        directors: args.directors.iter().map(|text| text.parse::<Invitee>()).collect::<Result<_, OfficeError>>()?,
        components: args.components.as_ref().map(fs_err::read_to_string).transpose()?,
        operator_seats: args.operator_seats.iter().map(|letter| seat(letter)).collect::<Result<_, OfficeError>>()?,
        join_all: args.join_all,
        clock: terms(args, root)?,
        away_bot: args.away_bot.clone(),
        advice: args.advice.into(),
        majority: args.majority,
        open_seats: args.open,
        rated: args.rated,
        shared_address: args.shared_address,
        ..NewGame::default()
    };
    for text in &args.sender_checks {
        let (letter, check) =
            text.split_once('=').ok_or_else(|| OfficeError::from(Misuse::SenderCheck { text: text.clone() }))?;
        let (seat, check) = (seat(letter)?, sender_check(check)?);
        let seats = u8::try_from(new.players.len()).unwrap_or(u8::MAX);
        let player =
            new.players.get_mut(seat.index()).ok_or_else(|| OfficeError::from(Misuse::SeatBeyond { seat, seats }))?;
        player.sender_check = Some(check);
    }
    let mut office = Office::open(Host::open_or_create(root)?, crate::released(), environment()?)?;
    let game = office.new_game(&new)?;
    send_waiting(&office);
    let what = invited(office.host(), args.join_all);
    let journal = journal_place(office.host(), &game);
    if args.json {
        return Output::json(&json!({ "game": game, "journal": journal, "begun": args.join_all }));
    }
    let shared: String = shared(&new.players).iter().map(|said| format!("{said}\n")).collect();
    Ok(format!("{game}\n{what}; the journal is {journal}.\n{shared}").into())
}

/// Returns remarks on addresses that hold several seats, one line each.
fn shared(players: &[Invitee]) -> Vec<String> {
    let mut seats: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (player, seat) in players.iter().zip((0..).map(Seat)).filter(|(player, _)| player.by_mail()) {
        seats.entry(&player.address).or_default().push(seat.to_string());
    }
    seats.retain(|_, seats| seats.len() > 1);
    let several = seats.iter();
    several
        .map(|(address, seats)| {
            format!("{address} plays seats {}: a mail is for the seat whose letter it answers.", list_and(seats))
        })
        .collect()
}

/// Parses an option of a game from the command line.
pub(super) fn option(text: &str) -> Result<(String, serde_json::Value), OfficeError> {
    match text.split_once('=') {
        // A value that is not JSON is a text, so that `map=large` needs no quotation marks.
        Some((key, value)) => {
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            Ok((key.to_owned(), value))
        }
        None => Err(Misuse::Pair { text: text.to_owned() }.into()),
    }
}
