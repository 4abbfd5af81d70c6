//! The command line: one file per command, each with its arguments and a `run` that returns the
//! text to print.

mod abandon;
mod adjudicate;
mod back;
mod backup;
mod compare;
mod completions;
mod data;
mod deadline;
mod demo;
mod dkim;
mod docket;
mod doctor;
mod error;
mod exit;
mod export;
mod files;
mod forget;
mod fork;
mod forward_safe;
mod games;
mod init;
mod log;
mod look;
mod messages;
mod new;
mod new_token;
mod number;
mod order;
mod pause;
mod play;
mod preview;
mod prompts;
mod receive;
mod recover;
mod render;
mod reseat;
mod resend;
mod result;
mod rewind;
mod rule;
mod send;
mod sender_check;
mod serve;
mod show;
mod simulate;
mod stand_in;
mod standing;
mod status;
mod store;
mod tell;
mod terminal;
#[cfg(test)]
mod tests;
mod tick;
mod verify;
mod watch;
mod working;

use self::{
    serve::LogFormat,
    terminal::{bold, shown},
    working::sure,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use postrider_orders::{visible, visible_json};
use postrider_replay::Catalog;
use postrider_store::{is_folder, is_host};
use std::{
    env,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use tracing_subscriber::EnvFilter;

pub use self::{error::CliError, files::Files};

/// Play board wargames by mail.
#[derive(Parser, Debug)]
#[command(name = "postrider", version, max_term_width = 100)]
pub struct Cli {
    /// The host's folder; by default that in POSTRIDER_ROOT, or the current folder
    #[arg(long, global = true, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Print a line even if there is nothing to report
    #[arg(long, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
// Only the arguments of the command that is called are listed.
#[command(defer = true)]
enum Command {
    /// Set up a host's folder: ask for the mail servers, test them, write the settings
    Init(init::Init),
    /// Open a game and invite its players
    New(new::New),
    /// Play a complete game by mail, to see how it works
    Demo(demo::Demo),
    /// Take in a mail from standard input, or the mails in mail/in
    Receive(receive::Receive),
    /// Give orders for a seat: exit status 0 done, 1 refused
    Order(order::Order),
    /// Play at the terminal, one seat or several
    Play(play::Play),
    /// Show how orders would be read, without executing them
    Preview(preview::Preview),
    /// Leave, end or list standing orders of a seat
    Standing(standing::Standing),
    /// Let a bot play for a player who is away, or end that
    StandIn(stand_in::StandIn),
    /// Take back a seat's last order, if nothing was disclosed since
    Back(back::Back),
    /// Continue from an older copy of a journal if the newer one is lost
    Recover(recover::Recover),
    /// Continue a game from an earlier Turn, Round or entry
    Rewind(rewind::Rewind),
    /// Open a new game that continues another from any point
    Fork(fork::Fork),
    /// Give a ruling, in words or with an effect on the position
    Rule(rule::Rule),
    /// Give a seat to another player, or correct an address
    Reseat(reseat::Reseat),
    /// End a game with places that a director decides
    Result(result::GiveResult),
    /// End a game without a result
    Abandon(abandon::Abandon),
    /// Continue a game that its players or a director ended
    Reopen(result::Reopen),
    /// Add, remove or list spectators of a game
    Watch(watch::Watch),
    /// Print all data kept about the player of a seat, as JSON
    Data(data::Data),
    /// Erase the data about the people who held a seat
    Forget(forget::Forget),
    /// Set the check of signatures (DKIM) of a seat's mails
    SenderCheck(sender_check::SenderCheck),
    /// Send a message to all or some players of a game
    Tell(tell::Tell),
    /// List the messages of a game, or erase one
    Messages(messages::Messages),
    /// Send a player the position and open questions again
    Resend(resend::Resend),
    /// Make earlier letters to a player or director void, and send a new one
    NewToken(new_token::NewToken),
    /// Print a letter without its token, so that it can be shown to others
    ForwardSafe(forward_safe::ForwardSafe),
    /// Take mail in, send letters and check deadlines, until stopped
    Serve(serve::Serve),
    /// Print the DNS record for signing letters (DKIM)
    Dkim(dkim::Dkim),
    /// Send the letters in the outbox, and do nothing else
    Send(send::Send),
    /// Make a sound copy of the host's folder, even while it is served
    Backup(backup::Backup),
    /// Check a backup and copy it into a new or empty folder
    Restore(backup::Restore),
    /// Keep games in a PostgreSQL database, or copy them back
    Store(store::Store),
    /// Stop the deadlines of a game
    Pause(pause::Pause),
    /// Restart the deadlines of a paused game
    Resume(pause::Pause),
    /// Move the deadline of a seat's open questions, by a ruling
    Deadline(deadline::Deadline),
    /// Check deadlines, send letters, and finish what a crash interrupted
    Tick(tick::Tick),
    /// Check a host's folder for damage: exit status 0 none, 1 found
    Doctor(doctor::Doctor),
    /// Check a journal: exit status 0 all proved, 1 contradicted, 2 partly unproved
    Verify(verify::Verify),
    /// Find where two copies of a journal differ: exit status 0 if nowhere, else 1
    Compare(compare::Compare),
    /// Play a position out many times, to estimate points and chances
    Adjudicate(adjudicate::Adjudicate),
    /// Show a position as a spectator or a seat sees it
    Show(show::Show),
    /// Draw the map, as a picture or as text
    Render(render::Render),
    /// Write a game as one HTML page, to play from or to look back with
    Export(export::Export),
    /// Print the story of a game
    Log(log::Log),
    /// List the games and whom they wait for, or describe one game
    Status(status::Status),
    /// List the open questions of a game with their answers
    Prompts(prompts::Prompts),
    /// List the games that can be played, and their components
    Games(games::Games),
    /// Let bots play many games and print statistics
    Simulate(simulate::Simulate),
    /// Print a completion script for a shell
    Completions(completions::Completions),
}

impl Command {
    /// Returns `true` if the command creates a host's folder where there is none.
    fn creates(&self) -> bool {
        match self {
            Command::Init(_) | Command::New(_) => true,
            Command::Play(args) => args.opens(),
            _ => false,
        }
    }

    /// Returns `true` if the command only reads, and can therefore run on a journal file without a
    /// host's folder.
    fn looks(&self) -> bool {
        matches!(
            self,
            Command::Doctor(_)
                | Command::Verify(_)
                | Command::Compare(_)
                | Command::Adjudicate(_)
                | Command::Show(_)
                | Command::Render(_)
                | Command::Export(_)
                | Command::Log(_)
                | Command::Status(_)
                | Command::Prompts(_)
        )
    }
}

/// The output and the exit status of a command.
#[derive(Debug, Default)]
pub struct Output {
    /// The text for standard output.
    pub text: String,
    /// The exit status.
    pub status: u8,
    /// A remark for standard error, if standard output is for programs.
    pub note: Option<String>,
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Output { text, ..Output::default() }
    }
}

impl Output {
    /// Formats data for programs: indented JSON with a newline at the end.
    pub(crate) fn json(value: &(impl serde::Serialize + ?Sized)) -> Result<Output, CliError> {
        let text = serde_json::to_string_pretty(value).map_err(|why| CliError::Broken(why.to_string()))?;
        Ok(Output::from(visible_json(&text).into_owned() + "\n"))
    }
}

/// The commands by purpose, as listed in the help.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "prompts", "order", "preview", "standing", "back", "show", "log", "render", "export"]),
    (
        "Host games",
        &[
            "init",
            "new",
            "serve",
            "status",
            "tell",
            "messages",
            "resend",
            "reseat",
            "stand-in",
            "pause",
            "resume",
            "watch",
            "new-token",
            "sender-check",
            "data",
            "forget",
            "tick",
            "receive",
            "send",
            "dkim",
            "doctor",
            "backup",
            "restore",
            "recover",
            "store",
        ],
    ),
    ("Direct games", &["rule", "deadline", "rewind", "fork", "adjudicate", "result", "abandon", "reopen"]),
    ("Check games", &["verify", "compare", "forward-safe"]),
    ("Try and build", &["demo", "games", "simulate", "completions"]),
];

/// Returns the command line. Its help lists the commands by purpose, which clap cannot do.
pub fn program() -> clap::Command {
    let command = Cli::command();
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let about = |name: &str| command.find_subcommand(name).and_then(clap::Command::get_about).cloned();
    let mut list = String::new();
    for (title, names) in GROUPS {
        list += &format!("{header}{title}:{header:#}\n");
        for name in names {
            list += &format!("  {literal}{name:<13}{literal:#}{}\n", about(name).unwrap_or_default());
        }
        list.push('\n');
    }
    let end = "`postrider COMMAND --help` explains a command and its options.";
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}\n\n{end}"
    ))
}

/// Returns the rules of this release.
pub(crate) fn released() -> Catalog {
    Catalog::new(postrider_games::rulesets())
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let matches = program().try_get_matches();
    let cli =
        match matches.and_then(|matches| Cli::from_arg_matches(&matches).map_err(|why| why.format(&mut program()))) {
            Ok(cli) => cli,
            Err(why) => {
                // A failure to print the message does not change the exit status.
                let _ = why.print();
                let asked = matches!(why.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
                return if asked { ExitCode::SUCCESS } else { ExitCode::from(exit::USAGE) };
            }
        };
    // Errors that do not concern the command itself (such as another game that cannot be opened) go
    // to the host's log.
    let (level, format) = match &cli.command {
        Command::Serve(args) => ("info", args.log_format),
        _ => ("error", LogFormat::Text),
    };
    let filter = EnvFilter::try_from_env("POSTRIDER_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| Log);
    let log = log.with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    let said = match run(&cli, released()) {
        Ok(said) => said,
        Err(why) => {
            error::report(&why);
            return ExitCode::from(why.status());
        }
    };
    if let Some(note) = &said.note {
        eprintln!("{}", visible(note));
    }
    match terminal::show(&said.text) {
        // A reader that stops reading (`| head`) is not an error.
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(exit::IO),
        _ => ExitCode::from(said.status),
    }
}

/// The log writer. Log lines may contain text by strangers, so it is escaped.
struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Each call writes a whole line. The only escape sequences in it are the colours of the log
        // itself.
        let line = String::from_utf8_lossy(bytes);
        let seen: Vec<_> = line.split('\u{1b}').map(visible).collect();
        io::stderr().write_all(seen.join("\u{1b}").as_bytes())?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Runs a command with the rules of this catalog. The output may contain text from other people's
/// journals, mails and files, so deceptive characters are escaped.
fn run(cli: &Cli, catalog: Catalog) -> Result<Output, CliError> {
    let output = command(cli, catalog)?;
    // The lines of a CSV table end with CRLF (RFC 4180), which is harmless.
    let text = output.text.split("\r\n").map(shown).collect::<Vec<_>>().join("\r\n");
    Ok(Output { text, ..output })
}

fn command(cli: &Cli, catalog: Catalog) -> Result<Output, CliError> {
    let named = || env::var_os("POSTRIDER_ROOT").filter(|root| !root.is_empty()).map(PathBuf::from);
    let root = cli.root.clone().or_else(named);
    if root.is_none() && cli.command.creates() && is_host(Path::new(".")).is_err() {
        let place = env::current_dir()?;
        sure(
            false,
            &format!("No folder is named, and {} is not a host's folder yet.", place.display()),
            "Make it one?",
        )
        .map_err(|_| CliError::NoFolder { place })?;
    }
    let root = root.unwrap_or_else(|| ".".into());
    // A folder named explicitly must exist, even if the command does not need one.
    if cli.root.is_some() && cli.command.looks() {
        is_folder(&root)?;
    }
    let files = Files::new(&root, catalog);
    match &cli.command {
        Command::Init(args) => init::run(args, files.root()),
        Command::New(args) => new::run(args, files.root()),
        Command::Demo(args) => demo::run(args, files.root()),
        Command::Receive(args) => receive::run(args, files.root()),
        Command::Order(args) => order::run(args, files.root()),
        Command::Play(args) => play::run(args, files.root()),
        Command::Preview(args) => preview::run(args, files.root()),
        Command::Standing(args) => standing::run(args, files.root()),
        Command::StandIn(args) => stand_in::run(args, files.root()),
        Command::Back(args) => back::run(args, files.root()),
        Command::Recover(args) => recover::run(args, files.root()),
        Command::Rewind(args) => rewind::run(args, files.root()),
        Command::Fork(args) => fork::run(args, files.root()),
        Command::Rule(args) => rule::run(args, files.root()),
        Command::Reseat(args) => reseat::run(args, files.root()),
        Command::Result(args) => result::run(args, files.root()),
        Command::Abandon(args) => abandon::run(args, files.root()),
        Command::Reopen(args) => result::reopen(args, files.root()),
        Command::Watch(args) => watch::run(args, files.root()),
        Command::Data(args) => data::run(args, files.root()),
        Command::Forget(args) => forget::run(args, files.root()),
        Command::SenderCheck(args) => sender_check::run(args, files.root()),
        Command::Resend(args) => resend::run(args, files.root()),
        Command::NewToken(args) => new_token::run(args, files.root()),
        Command::ForwardSafe(args) => forward_safe::run(args),
        Command::Serve(_) => serve::run(files.root(), released()),
        Command::Dkim(args) => dkim::run(args, files.root()),
        Command::Send(args) => send::run(args, files.root()),
        Command::Tell(args) => tell::run(args, files.root()),
        Command::Messages(args) => messages::run(args, files.root()),
        Command::Pause(args) => pause::run(args, files.root(), true),
        Command::Resume(args) => pause::run(args, files.root(), false),
        Command::Deadline(args) => deadline::run(args, files.root()),
        Command::Tick(args) => tick::run(args, files.root(), cli.verbose),
        Command::Doctor(args) => doctor::run(args, &files, cli.verbose),
        Command::Verify(args) => verify::run(args, &files),
        Command::Compare(args) => compare::run(args, &files),
        Command::Adjudicate(args) => adjudicate::run(args, &files),
        Command::Show(args) => show::run(args, &files),
        Command::Render(args) => render::run(args, &files),
        Command::Export(args) => export::run(args, &files),
        Command::Log(args) => log::run(args, &files),
        Command::Status(args) => status::run(args, &files, cli.verbose),
        Command::Prompts(args) => prompts::run(args, &files, cli.verbose),
        Command::Backup(args) => backup::run(args, files.root()),
        Command::Restore(args) => backup::bring_back(args, files.root()),
        Command::Store(args) => store::run(args, &files, cli.verbose),
        Command::Games(args) => games::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Completions(args) => Ok(completions::run(args)),
    }
}
