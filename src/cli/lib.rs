//! The command line: one file per command, each with its arguments and a `run` that returns the
//! text to print.

mod abandon;
mod adjudicate;
mod back;
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
};
use clap::{Parser, Subcommand, error::ErrorKind};
use postrider_orders::{visible, visible_json};
use postrider_replay::Catalog;
use postrider_store::is_folder;
use std::{
    env,
    io::{self, IsTerminal as _},
    path::PathBuf,
    process::ExitCode,
};

use tracing_subscriber::EnvFilter;

pub use self::{error::CliError, files::Files};

/// Play board wargames by mail.
#[derive(Parser, Debug)]
#[command(name = "postrider", version, max_term_width = 100)]
pub struct Cli {
    /// The host's folder, with journal/ and secrets/; else that of POSTRIDER_ROOT, else the current one
    #[arg(long, global = true, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Say so where there is nothing to say; without it such a command prints nothing
    #[arg(long, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Set a host's folder up: asks for address and servers, tries them out, and writes the settings
    Init(init::Init),
    /// Open a game and invite its players
    New(new::New),
    /// Play a whole game by mail between players who know nothing but their mail
    Demo(demo::Demo),
    /// Take a mail in, from standard input or from mail/in
    Receive(receive::Receive),
    /// Give orders for a seat
    Order(order::Order),
    /// Play at the terminal, one seat or several
    Play(play::Play),
    /// Say how orders for a seat would be understood
    Preview(preview::Preview),
    /// Leave, end or list standing orders of a seat
    Standing(standing::Standing),
    /// Let a bot play for a player who is away, or end that
    StandIn(stand_in::StandIn),
    /// Take a seat's last order back, as long as nothing has been disclosed since
    Back(back::Back),
    /// Go on from an older copy of a journal, when the newer one is lost
    Recover(recover::Recover),
    /// Continue a game from an earlier Turn, Round or entry
    Rewind(rewind::Rewind),
    /// Open a new game that continues from a Turn, Round or entry of another
    Fork(fork::Fork),
    /// Give a director's ruling, in words or with an effect on the position
    Rule(rule::Rule),
    /// Give a seat to another player, or correct an address
    Reseat(reseat::Reseat),
    /// End a game with places that a director decides
    Result(result::GiveResult),
    /// End a game that nobody is to win
    Abandon(abandon::Abandon),
    /// Go on with a game that its players or a director ended
    Reopen(result::Reopen),
    /// Have somebody watch a game by mail, end that, or list who does
    Watch(watch::Watch),
    /// Print all that is kept of the player of a seat, as JSON
    Data(data::Data),
    /// Remove what is kept of whoever held a seat: addresses, names, letters, mails and messages
    Forget(forget::Forget),
    /// Settle what is asked of the signatures (DKIM) of a seat's mails, whatever the settings say
    SenderCheck(sender_check::SenderCheck),
    /// Write to the players of a game, or to some of them
    Tell(tell::Tell),
    /// List what was written between the people of a game, or delete it
    Messages(messages::Messages),
    /// Write to a player once more how he stands and what is asked of him
    Resend(resend::Resend),
    /// Make a new token for a seat and write to it: letters from before can no longer be answered
    NewToken(new_token::NewToken),
    /// Print a letter without its token, to be shown to others; what it proves stays
    ForwardSafe(forward_safe::ForwardSafe),
    /// Serve the folder: take mail in, send letters and see to deadlines, until it is told to end
    Serve(serve::Serve),
    /// Print the record that the DNS needs for the signatures (DKIM) of this host's letters
    Dkim(dkim::Dkim),
    /// Hand over what is in the outbox, and nothing else
    Send(send::Send),
    /// Keep games in a PostgreSQL database: make its tables, copy a host's games there and back
    Store(store::Store),
    /// Stop the deadlines of a game
    Pause(pause::Pause),
    /// Start the deadlines of a paused game again
    Resume(pause::Pause),
    /// Give a seat another deadline for what it is asked now, by a ruling
    Deadline(deadline::Deadline),
    /// Finish what a crash left undone, act on deadlines, and send what is in the outbox
    Tick(tick::Tick),
    /// Look for what is damaged, missing or out of date in the host's folder: exit status 1 if something is found
    Doctor(doctor::Doctor),
    /// Check a journal from its first line to its last: exit status 0 all proved, 1 a contradiction, 2 some parts unproved
    Verify(verify::Verify),
    /// Find where two copies of a journal part, and what each proves: exit status 0 nowhere, 1 they part
    Compare(compare::Compare),
    /// Play a position out many times: expected points, chances of winning; also luck, time used and rulings so far
    Adjudicate(adjudicate::Adjudicate),
    /// Show a position as a spectator or a seat sees it, now or at any entry
    Show(show::Show),
    /// Draw the map, as a picture or in letters, now or at any entry
    Render(render::Render),
    /// Write a game as one file, to play from by mail or to look back with
    Export(export::Export),
    /// Tell the story of a game
    Log(log::Log),
    /// List the games of this host and whom they wait for
    Status(status::Status),
    /// List the open questions of a game, with their answers
    Prompts(prompts::Prompts),
    /// List the games that can be played, and what they are made of
    Games(games::Games),
    /// Let bots play many games and print what came out
    Simulate(simulate::Simulate),
    /// Write a completion script for a shell
    Completions(completions::Completions),
}

impl Command {
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

/// Returns the rules of this release.
pub(crate) fn released() -> Catalog {
    Catalog::new(postrider_games::rulesets())
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
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
    let root = cli.root.clone().or_else(named).unwrap_or_else(|| ".".into());
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
        Command::Order(args) => order::run(args, files.root()).map_err(CliError::from),
        Command::Play(args) => play::run(args, files.root()),
        Command::Preview(args) => preview::run(args, files.root()).map(Output::from).map_err(CliError::from),
        Command::Standing(args) => standing::run(args, files.root()).map_err(CliError::from),
        Command::StandIn(args) => stand_in::run(args, files.root()).map(Output::from).map_err(CliError::from),
        Command::Back(args) => back::run(args, files.root()).map_err(CliError::from),
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
        Command::Pause(args) => pause::run(args, files.root(), true).map(Output::from).map_err(CliError::from),
        Command::Resume(args) => pause::run(args, files.root(), false).map(Output::from).map_err(CliError::from),
        Command::Deadline(args) => deadline::run(args, files.root()).map(Output::from).map_err(CliError::from),
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
        Command::Store(args) => store::run(args, &files, cli.verbose),
        Command::Games(args) => games::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Completions(args) => Ok(completions::run(args)),
    }
}
