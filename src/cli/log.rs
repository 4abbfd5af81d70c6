//! `postrider log`: prints the story of a game, under the headings of its Rounds.

use super::{
    CliError, Files, Output, bold,
    docket::{Form, table},
    files::Found,
    look::{At, goes_to, lines_of, look_with, undone, whole_lines},
    number::any,
    terminal::width,
};
use postrider_analysis::{Course, Docket, Row, ledger};
use postrider_journal::{Body, Checker};
use postrider_orders::visible;
use postrider_replay::{Chronicle, ReplayFault, StoryLine};
use postrider_store::{GameSecrets, Players};
use postrider_table::Whom;
use serde_json::json;

#[derive(clap::Args, Debug)]
pub struct Log {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Include what only this seat was told
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Start at this journal entry (the first is 0)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = any)]
    from: u64,
    /// Stop after this entry
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = any)]
    to: u64,
    #[command(flatten)]
    at: At,
    /// Instead of the story, the recorded domains that vouch for mails (setting sender_check)
    #[arg(long, conflicts_with_all = ["seat", "json"])]
    senders: bool,
    /// Instead of the story, every decision: time, player, words, consequences, duration
    #[arg(long, conflicts_with_all = ["seat", "senders"])]
    docket: bool,
    /// Instead of the story, every change of VPs
    #[arg(long, conflicts_with_all = ["seat", "senders", "docket"])]
    ledger: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print the docket or the ledger as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Log {
    fn form(&self) -> Form {
        match (self.json, self.csv) {
            (true, _) => Form::Json,
            (_, true) => Form::Csv,
            _ => Form::Text,
        }
    }
}

/// Runs the command.
pub fn run(args: &Log, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    if args.senders {
        let wanted = args.from..=args.to;
        return Ok(senders(&found, |n| wanted.contains(&n))?.into());
    }
    if args.csv && !args.docket && !args.ledger {
        return Err(CliError::Usage("--csv is for --docket and --ledger".to_owned()));
    }
    let (mut chronicle, mut docket) = (Chronicle::default(), Docket::default());
    let catalog = files.shelf_for(&found)?;
    let moment = args.at.moment(&found, &catalog)?;
    let then = moment.as_ref().map(|moment| moment.n);
    let seen = look_with(&found, &catalog, then, &mut [&mut chronicle, &mut docket])?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let lines = lines_of(&found)?;
    if args.from >= lines || args.from > args.to {
        return Err(CliError::Usage(match args.to {
            u64::MAX => format!("there is no entry {}: {}", args.from, goes_to(lines)),
            to => format!("there are no entries from {} to {to}: {}", args.from, goes_to(lines)),
        }));
    }
    if let Some(note) = seen.note.as_ref().filter(|_| args.from > seen.live.head.n) {
        return Err(CliError::Data(format!("the journal has entry {}, but it is {note}", args.from)));
    }
    let last = then.map_or(args.to, |_| args.to.min(seen.live.head.n));
    let wanted = |n: u64| (args.from..=last).contains(&n);
    // No note is needed if the missing entries were not requested.
    let note = seen.note.as_deref().filter(|_| args.to > seen.live.head.n);
    if args.docket {
        let ((source, _), chains) = (whole_lines(&found)?, found.chains().unwrap_or_default());
        let (source, chains, players) = (&source, chains.as_slice(), &seen.seats);
        let course = Course { source, catalog: &catalog, chains, at: None, now: None, players };
        let kept = GameSecrets::of(found.kept().kept);
        let mut rows = docket.rows(&seen.live, &course, &kept, &files.root().join("mail").join("taken"))?;
        rows.retain(|row| wanted(row.entry()));
        return table(&rows, args.form(), note);
    }
    if args.ledger {
        let mut rows = ledger(&seen.live, &seen.seats)?;
        rows.retain(|row| wanted(row.entry()));
        return table(&rows, args.form(), note);
    }
    let undone = undone(&found, then.unwrap_or(args.from))?;
    let changes = seen.seats.changes().map(|change| (change.n, change.words()));
    let mut story = chronicle.with(&seen.live, seat, changes);
    let within = moment.and_then(|moment| moment.within);
    story.retain(|line| wanted(line.n) && within.is_none_or(|it| line.n < it.first || line.told.rounds <= it.rounds));
    if args.json {
        let line = |line: &StoryLine| {
            let to = match line.told.whom {
                Whom::All => "",
                Whom::Seat(seat) => seen.live.seat_name(seat),
            };
            json!({ "line": line.n + 1, "entry": line.n, "under": seen.seats.named_at(line.n, &line.told.under), "to": to, "text": seen.seats.named_at(line.n, &line.told.line) })
        };
        let output = Output::json(&story.iter().map(line).collect::<Vec<_>>())?;
        return Ok(Output { note: note.map(str::to_owned), ..output });
    }
    let tells = match then {
        Some(_) => "this is told as it was then",
        None => "`log` tells only what counts, and with `--entry` what counted then",
    };
    let mut text = undone.map(|undone| format!("({undone}; {tells})\n\n")).unwrap_or_default();
    if story.is_empty() && note.is_none() {
        let entries = match last.min(lines - 1) {
            to if to == args.from => format!("entry {to}"),
            to => format!("entries {} to {to}", args.from),
        };
        text += &format!("(nothing is told of {entries})\n");
    }
    text += &in_words(&story, &seen.seats);
    if let Some(note) = note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}

/// Returns a story as text, one line for each entry, under headings that are separated by empty
/// lines.
fn in_words(story: &[StoryLine], seats: &Players) -> String {
    let (mut text, mut under, width) = (String::new(), "", width());
    for line in story {
        if under != &*line.told.under {
            under = &line.told.under;
            let gap = if text.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n", bold(&seats.named_at(line.n, under)));
        }
        text += &hanging(&format!("{:>6}  {}", line.n, seats.named_at(line.n, &line.told.line)), width);
        text.push('\n');
    }
    text
}

/// The indentation of the sentences of a story, after the numbers of their entries.
const INDENT: &str = "        ";

/// Wraps a line of the story to the width of the terminal, with a hanging indent. Lines for a pipe
/// or a file are not wrapped, so that programs find one entry per line.
fn hanging(line: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return line.to_owned() };
    // A number and a word need some space.
    let options = textwrap::Options::new(width.max(2 * INDENT.len())).subsequent_indent(INDENT).break_words(false);
    textwrap::fill(line, options)
}

/// Lists each decision and each joining by mail: its entry, its seat, and the domain that vouches
/// for the mail.
pub(super) fn senders(found: &Found, wanted: impl Fn(u64) -> bool) -> Result<String, CliError> {
    let secrets = GameSecrets::of(found.kept().kept);
    let (source, _) = whole_lines(found)?;
    let mut lines = source.lines()?;
    let (mut checker, mut text) = (Checker::new(), String::new());
    while let Some(line) = lines.next_line().map_err(ReplayFault::from)? {
        let Ok(checked) = checker.feed(line) else { break };
        let (seat, mail) = match &checked.body {
            Body::Decision(decision) => {
                (decision.seat.to_string(), decision.words.and_then(|_| secrets.mail_of(checked.line.n)))
            }
            Body::Joined(joined) => (joined.seat.to_string(), joined.mail),
            _ => continue,
        };
        let Some(mail) = mail.filter(|_| wanted(checked.line.n)) else { continue };
        let signed = secrets.signed.get(&mail).map_or_else(|| "not checked".to_owned(), ToString::to_string);
        text += &format!("{:>6}  {seat}  {}\n", checked.line.n, visible(&signed));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::hanging;

    #[test]
    fn a_long_sentence_goes_on_below_its_beginning() {
        let line =
            format!("{:>6}  {}", 411, "Battle in Wyoming: the War Party of the Nez Perce attacks the Arapaho Village.");
        assert_eq!(hanging(&line, None), line);
        let broken = hanging(&line, Some(40));
        assert_eq!(
            broken,
            "   411  Battle in Wyoming: the War Party\n        of the Nez Perce attacks the\n        Arapaho Village."
        );
        assert_eq!(hanging(&line, Some(100)), line);
        // Words are never broken, however narrow the terminal is.
        assert!(hanging(&line, Some(3)).lines().skip(1).all(|line| line.starts_with("        ")));
    }
}
