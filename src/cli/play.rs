//! `postrider play`: plays a game at the terminal, line by line.

mod line;

use self::line::Lines;
use super::{
    CliError, Output, bold,
    new::option,
    number::{MOST_SEATS, whole},
    terminal::{painted, show},
    working::{at, environment, seat_of, send_waiting},
};
use postrider_office::{Invitee, Misuse, NewGame, Office, OfficeError, TERMINAL};
use postrider_orders::visible;
use postrider_store::Host;
use postrider_table::Seat;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["game", "new"]))]
pub struct Play {
    /// The game's id, or the beginning of it
    game: Option<String>,
    /// The seat to play; by default all seats of this terminal in turn
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Open a new game by these rules and play it here
    #[arg(long, value_name = "RULESET")]
    new: Option<String>,
    /// Number of seats in the new game; by default the smallest that the game allows
    #[arg(long, value_name = "NUMBER", requires = "new", value_parser = whole(1..=MOST_SEATS))]
    seats: Option<u8>,
    /// The bot that plays all seats of the new game except for the first
    #[arg(long, value_name = "BOT", requires = "new")]
    bots: Option<String>,
    /// The scenario; by default the first one
    #[arg(long, value_name = "NAME", requires = "new")]
    scenario: Option<String>,
    /// An optional rule or other option, KEY=VALUE
    #[arg(long = "option", value_name = "KEY=VALUE", requires = "new")]
    options: Vec<String>,
}

/// The commands that can be typed in addition to orders.
const HELP: &str = "\
An order, or several with `;` between them; `a` or `1a` for what is listed.
  view      your position                log       events since the Turn began
  map       the map as text              neighbours of …  the areas next to one
  asked     your open questions          preview … how orders would be read
  help …    the subjects listed below    standing … orders left for later
  undo      takes your last order back, if nothing has been disclosed since
  quit      leaves the game as it is, and says how to continue
";

impl Play {
    /// Returns `true` if a new game is opened.
    pub fn opens(&self) -> bool {
        self.new.is_some()
    }
}

/// Runs the command.
pub fn run(args: &Play, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = match (&args.game, &args.new) {
        (Some(game), _) => at(root, game)?,
        (None, Some(ruleset)) => opened(args, ruleset, root)?,
        (None, None) => return Err(CliError::Usage("name a game, or open one with --new RULESET".to_owned())),
    };
    // Work interrupted by a crash is finished first; after that, most operations only read.
    office.open_game(&game)?;
    let mine = match &args.seat {
        Some(letter) => vec![seat_of(&office, &game, letter)?],
        None => office.terminal(&game).seats_here()?,
    };
    if mine.is_empty() {
        return Err(CliError::Usage(format!(
            "no seat of {game} is played at this terminal; name the seat to play with --seat"
        )));
    }
    for &seat in &mine {
        office.terminal(&game).check_seat(seat)?;
    }
    let again = again(root, &game, args.seat.as_deref());
    let mut sitting = Sitting { office, game, mine, lines: Lines::open(root), seen: BTreeMap::new(), now: None, again };
    match sitting.play() {
        // A reader that stops reading (`| head`) is not an error.
        Err(CliError::Io(why)) if why.kind() == io::ErrorKind::BrokenPipe => Ok(Output::default()),
        played => played.map(|()| Output::default()),
    }
}

/// Opens the new game.
fn opened(args: &Play, ruleset: &str, root: &Path) -> Result<(Office, String), CliError> {
    let catalog = crate::released();
    let rules =
        catalog.ruleset(ruleset).ok_or_else(|| OfficeError::from(Misuse::NoRules { name: ruleset.to_owned() }))?;
    let seats = args.seats.unwrap_or(*rules.seats().start());
    let player = |seat: u8| match args.bots.as_deref().filter(|_| seat > 0) {
        Some(bot) => format!("bot:{bot}").parse(),
        None => Ok(Invitee {
            name: format!("Player {}", Seat(seat)),
            address: TERMINAL.to_owned(),
            zone: None,
            sender_check: None,
        }),
    };
    let new = NewGame {
        ruleset: ruleset.to_owned(),
        scenario: args.scenario.clone(),
        options: args.options.iter().map(|text| option(text)).collect::<Result<_, OfficeError>>()?,
        players: (0..seats).map(player).collect::<Result<_, OfficeError>>()?,
        ..NewGame::default()
    };
    let mut office = Office::open(Host::open_or_create(root)?, catalog, environment()?)?;
    let game = office.new_game(&new)?;
    say(&format!("{game} is open; `{}` continues it.\n", again(root, &game, args.seat.as_deref())))?;
    Ok((office, game))
}

/// Returns the shell command that continues a game at this terminal.
fn again(root: &Path, game: &str, seat: Option<&str>) -> String {
    let root = if root == Path::new(".") {
        String::new()
    } else {
        let text = root.to_string_lossy();
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        let quoted = if plain { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) };
        format!(" --root {quoted}")
    };
    let seat = seat.map_or_else(String::new, |seat| format!(" --seat {seat}"));
    format!("postrider{root} play {game}{seat}")
}

fn say(text: &str) -> io::Result<()> {
    show(text)
}

/// Prints an answer of the office, in colour if the terminal supports it.
fn tell(text: &str) -> io::Result<()> {
    say(&painted(&visible(text)))
}

/// A session of one or more players at the terminal.
struct Sitting {
    office: Office,
    game: String,
    mine: Vec<Seat>,
    lines: Lines,
    /// The last line of the journal that each seat has seen.
    seen: BTreeMap<Seat, u64>,
    /// The seat currently shown.
    now: Option<Seat>,
    /// The shell command that continues the game.
    again: String,
}

impl Sitting {
    fn play(&mut self) -> Result<(), CliError> {
        loop {
            let glance = self.office.terminal(&self.game).glance()?;
            let asked = |seats: &BTreeSet<Seat>| {
                let still = self.now.filter(|seat| seats.contains(seat));
                still.or_else(|| self.mine.iter().copied().find(|seat| seats.contains(seat)))
            };
            let next = asked(&glance.awaited).or_else(|| asked(&glance.urgent));
            let whose = next.or(self.now).unwrap_or(self.mine[0]);
            self.show(whose, glance.head, next.is_some())?;
            if glance.over {
                say(&format!("\n{}\n{}", bold("The game is over."), self.office.terminal(&self.game).outcome()?))?;
                return Ok(());
            }
            if next.is_none() {
                say(&format!("\nNothing is asked of you now: the game waits for {}.\n", glance.names))?;
                return self.farewell();
            }
            if !self.obey(whose, &glance.place)? {
                return self.farewell();
            }
        }
    }

    /// Prints the command that continues the game.
    fn farewell(&self) -> Result<(), CliError> {
        Ok(say(&format!("The game stays as it is; `{}` continues it.\n", self.again))?)
    }

    /// Prints the news for a seat and its questions. A seat shown for the first time also gets its
    /// position.
    fn show(&mut self, whose: Seat, head: u64, asked: bool) -> Result<(), CliError> {
        let (game, before) = (self.game.clone(), self.seen.insert(whose, head));
        if self.mine.len() > 1 && self.now != Some(whose) {
            say(&format!("\n{}\n", bold(&format!("{} plays now.", self.office.terminal(&game).called(whose)?))))?;
        }
        self.now = Some(whose);
        match before {
            None => tell(&self.office.order(&game, whose, "status")?.0)?,
            Some(before) if before < head => tell(&self.office.terminal(&game).told(whose, Some(before))?)?,
            // Nothing has happened: the questions are still on the screen.
            Some(_) => return Ok(()),
        }
        if asked {
            tell(&format!("\n{}", self.office.terminal(&game).asks(whose, false)?))?;
        }
        Ok(())
    }

    /// Reads and executes lines until the game changes; returns `false` if the player wants to
    /// stop.
    fn obey(&mut self, whose: Seat, place: &str) -> Result<bool, CliError> {
        let game = self.game.clone();
        self.lines.complete(&self.office.terminal(&game).answers(whose)?);
        // Closed, because mails may arrive while the player is thinking.
        self.office.close_games();
        let Some(line) = self.lines.read(&format!("{whose}, {place}> "))? else { return Ok(false) };
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let answer = match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => String::new(),
            ("quit" | "exit", "") => return Ok(false),
            ("help" | "?", "") => format!("{HELP}\n{}", self.office.terminal(&game).subjects()?),
            ("asked" | "options", "") => self.office.terminal(&game).asks(whose, true)?,
            ("view" | "status", "") => self.office.order(&game, whose, "status")?.0,
            ("log", "") => self.office.terminal(&game).told(whose, None)?,
            ("preview", orders) if !orders.is_empty() => {
                self.office.order(&game, whose, &format!("preview\n{orders}"))?.0
            }
            ("undo", "") => self.office.order(&game, whose, "back")?.0,
            _ => {
                let answer = self.office.order(&game, whose, &line)?.0;
                send_waiting(&self.office);
                answer
            }
        };
        let answer = answer.trim_end_matches('\n');
        if !answer.is_empty() {
            tell(&format!("{answer}\n"))?;
        }
        Ok(true)
    }
}
