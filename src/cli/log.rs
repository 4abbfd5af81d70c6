//! `postrider log`: prints the story of a game, under the headings of its Rounds.

use super::{
    CliError, Files, Output, bold,
    docket::{Docket, Form, Row, ledger, table},
    files::Found,
    look::{goes_to, lines_of, look_with, undone, whole_lines},
    number::any,
    terminal::width,
};
use postrider_journal::{
    Ballot, Body, Checked, Checker, Clock, ClockEvent, Closed, Decision, Leave, Motion, Rewound, Via, Vote, What,
};
use postrider_orders::visible;
use postrider_replay::{
    Projection, ReplayFault, StoryLine,
    deadlines::{moment, moved_deadline},
};
use postrider_store::{GameSecrets, Players};
use postrider_table::{Seat, Told, Whom};
use serde_json::json;

/// The arguments of `log`.
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
    let (mut beside, mut docket) = (Beside::default(), Docket::default());
    let seen = look_with(&found, &files.shelf_for(&found)?, None, &mut [&mut beside, &mut docket])?;
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
    let wanted = |n: u64| (args.from..=args.to).contains(&n);
    // No note is needed if the missing entries were not requested.
    let note = seen.note.as_deref().filter(|_| args.to > seen.live.head.n);
    if args.docket {
        let mut rows = docket.rows(&seen, &found, &files.root().join("mail").join("taken"))?;
        rows.retain(|row| wanted(row.entry()));
        return table(&rows, args.form(), note);
    }
    if args.ledger {
        let mut rows = ledger(&seen)?;
        rows.retain(|row| wanted(row.entry()));
        return table(&rows, args.form(), note);
    }
    let undone = undone(&found, args.from)?;
    let mine = |whom: Whom| match whom {
        Whom::All => true,
        Whom::Seat(told) => seat == Some(told),
    };
    let story = seen.live.story.iter().filter(|line| mine(line.told.whom));
    // The story omits entries that a rewind has undone, but includes the rewind itself.
    beside.players(&seen.seats);
    let mut story: Vec<_> = story.chain(&beside.all).filter(|line| (args.from..=args.to).contains(&line.n)).collect();
    story.sort_by_key(|line| line.n);
    if args.json {
        let line = |line: &&postrider_replay::StoryLine| {
            let to = match line.told.whom {
                Whom::All => "",
                Whom::Seat(seat) => seen.live.seat_name(seat),
            };
            json!({ "line": line.n + 1, "entry": line.n, "under": seen.seats.named_at(line.n, &line.told.under), "to": to, "text": seen.seats.named_at(line.n, &line.told.line) })
        };
        let output = Output::json(&story.iter().map(line).collect::<Vec<_>>())?;
        return Ok(Output { note: note.map(str::to_owned), ..output });
    }
    let width = width();
    let mut text = undone.map(|undone| format!("({undone})\n\n")).unwrap_or_default();
    let (mut under, first) = ("", text.len());
    if story.is_empty() {
        text += &format!("(nothing is told of entries {} to {})\n", args.from, args.to.min(lines - 1));
    }
    for line in story {
        if under != &*line.told.under {
            under = &line.told.under;
            text += &format!(
                "{}{}\n",
                if text.len() == first { "" } else { "\n" },
                bold(&seen.seats.named_at(line.n, under))
            );
        }
        text += &hanging(&format!("{:>6}  {}", line.n, seen.seats.named_at(line.n, &line.told.line)), width);
        text.push('\n');
    }
    if let Some(note) = note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
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

/// The lines of a journal that do not belong to the story of the rules: rewinds, deadlines, and
/// changes of players.
#[derive(Default)]
struct Beside {
    all: Vec<StoryLine>,
    /// `true` while the game is paused: a pause has an entry for each open question.
    paused: bool,
}

impl Beside {
    fn tell(&mut self, n: u64, under: &'static str, line: &str) {
        let told = Told { whom: Whom::All, under: under.into(), line: visible(line).into_owned(), after: 0, rounds: 0 };
        self.all.push(StoryLine { n, told });
    }
    /// Adds the changes of players.
    fn players(&mut self, players: &Players) {
        for change in players.changes() {
            self.tell(change.n, "Players", &change.words());
        }
    }
}

/// Returns a seat as the story names it, and any other name as it is.
fn as_called(by: &str) -> String {
    if Seat::from_letter(by).is_some() { format!("@{by}") } else { by.to_owned() }
}

/// Says what a motion does, behind the name of whoever makes it.
fn moves(what: &What) -> String {
    match what {
        What::Concede {} => "concedes".to_owned(),
        What::Forfeit {} => "has not answered in time and loses the game".to_owned(),
        What::Result(places) if places.is_empty() => "abandons the game".to_owned(),
        What::Result(places) => {
            let rows = places.iter().map(|(seat, place)| format!("@{seat} {place}"));
            format!("moves that the game ends: {}", rows.collect::<Vec<_>>().join(", "))
        }
        What::Back { to, within: None } => format!("moves to go back to entry {to}"),
        What::Back { to, within: Some(_) } => format!("moves to go back to entry {to}, the beginning of its Round"),
        What::Extend { seconds } => format!("moves to extend all deadlines by {} hours", seconds / 3_600),
        What::Pause { until } => format!("moves to pause until {until}"),
    }
}

impl Projection for Beside {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        let n = checked.line.n;
        // If a game cannot be replayed to its end, all lines are read again.
        if n == 0 {
            *self = Beside::default();
        }
        match &checked.body {
            Body::Rewound(Rewound { to, by, reason, within, .. }) => {
                self.paused = false;
                let place = if within.is_some() { ", the beginning of its Round" } else { "" };
                let why = match (to + 1..n).is_empty() {
                    true if within.is_some() => "The dice of that Round are rolled again.".to_owned(),
                    true => "Nothing is undone.".to_owned(),
                    false => format!("Entries {} to {} are undone; `show --entry` still shows them.", to + 1, n - 1),
                };
                let reason = reason.trim_end_matches('.');
                self.tell(n, "Rewound", &format!("{by} rewinds to entry {to}{place}: {reason}. {why}"));
            }
            // Rewinds leave motions alone.
            Body::Motion(Motion { by, what, reason, .. }) => {
                let reason = reason.trim_end_matches('.');
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                self.tell(n, "Motions", &format!("{} {}{why}.", as_called(by), moves(what)));
            }
            Body::Leave(Leave { seat, from, until, .. }) => {
                let what = match from == until {
                    true => "is back".to_owned(),
                    false => format!("takes leave from {from} until {until}"),
                };
                self.tell(n, "Deadlines", &format!("@{seat} {what}."));
            }
            Body::Vote(Vote { of, seat, vote, .. }) => {
                let what = match vote {
                    Ballot::Agree => "agrees to the motion of entry",
                    Ballot::Disagree => "does not agree to the motion of entry",
                    Ballot::Withdraw => "withdraws the motion of entry",
                };
                self.tell(n, "Motions", &format!("@{seat} {what} {of}."));
            }
            Body::Appeal(appeal) => self.tell(n, "Appeals", &format!("@{} appeals.", appeal.seat)),
            _ if undone => {}
            Body::Clock(Clock { event: ClockEvent::Paused, .. }) if self.paused => {}
            Body::Clock(Clock { event: ClockEvent::Resumed, .. }) if !self.paused => {}
            Body::Clock(Clock { prompt, seat, event }) => {
                match event {
                    ClockEvent::Paused => self.paused = true,
                    ClockEvent::Resumed => self.paused = false,
                    _ => {}
                }
                let line = match event {
                    ClockEvent::Reminded => format!("@{seat} is reminded of question {prompt}."),
                    ClockEvent::Expired => format!("The deadline of @{seat} for question {prompt} passes."),
                    ClockEvent::Paused => "The game is paused: all deadlines are stopped.".to_owned(),
                    ClockEvent::Resumed => "The game is resumed: the deadlines run again.".to_owned(),
                    ClockEvent::Held => {
                        format!("A letter to @{seat} does not leave: the clock of @{seat} stands still.")
                    }
                    ClockEvent::Sent => format!("The letter to @{seat} has left: the clock of @{seat} runs again."),
                };
                self.tell(n, "Deadlines", &line);
            }
            Body::Decision(Decision { seat, prompt, via: Via::Deadline, .. }) => {
                let line = format!("Question {prompt} is answered for @{seat}, since the deadline has passed.");
                self.tell(n, "Deadlines", &line);
            }
            Body::Closed(Closed { of: Some(of), .. }) => {
                self.tell(n, "Motions", &format!("The game ends by the motion of entry {of}."));
            }
            Body::Ruling(ruling) => {
                if let Some((seat, until)) = moved_deadline(ruling.effect.get()) {
                    self.tell(n, "Deadlines", &format!("The deadline of @{seat} is {} now.", moment(until, "UTC")));
                }
            }
            _ => {}
        }
    }
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
    use super::{Beside, hanging};
    use postrider_journal::{Body, Checker, Clock, ClockEvent, Line, Writer};
    use postrider_replay::Projection;

    /// A pause has an entry for each open question.
    #[test]
    fn a_pause_is_told_once() {
        let vector = include_str!("../../tests/vectors/journal.jsonl");
        let first = Line::parse(vector.lines().next().unwrap().as_bytes()).unwrap();
        let Body::Opened(opened) = first.read_body().unwrap() else { panic!("the first line opens a game") };
        let mut writer = Writer::new(&opened.game).unwrap();
        let (mut checker, mut beside) = (Checker::new(), Beside::default());
        let clock = |seat: usize, event| {
            let seat = opened.seats[seat].to_string().into();
            Body::Clock(Clock { prompt: 0, seat, event })
        };
        let events = [ClockEvent::Paused, ClockEvent::Resumed, ClockEvent::Paused];
        let bodies = events.into_iter().flat_map(|event| [clock(0, event), clock(1, event)]);
        for body in [first.read_body().unwrap()].into_iter().chain(bodies) {
            let line = writer.line(first.at, &body).unwrap();
            beside.apply(&checker.feed(line.trim_end().as_bytes()).unwrap(), false);
        }
        let told: Vec<u64> = beside.all.iter().map(|line| line.n).collect();
        assert_eq!(told, [1, 3, 5]);
    }

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
