//! `postrider log`: the story of a game, under the headings of its Rounds.

use super::{
    CliError, Files, Output, bold,
    files::Found,
    look::{goes_to, look_with, whole_lines},
    terminal::width,
};
use postrider_journal::{Body, Checked, Checker, Rewound};
use postrider_orders::visible;
use postrider_replay::{Projection, ReplayFault, StoryLine};
use postrider_store::GameSecrets;
use postrider_table::{Told, Whom};
use serde_json::json;

/// The arguments of `log`.
#[derive(clap::Args, Debug)]
pub struct Log {
    /// The id of a game of this host, or a journal's file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Also what was told to this seat alone
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// From this entry of the journal on; the first is entry 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Up to this entry
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    to: u64,
    /// Instead of the story, whose domain vouches for the mails that gave orders, as far as the setting sender_check had that kept
    #[arg(long, conflicts_with_all = ["seat", "json"])]
    senders: bool,
    /// Print the story as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Log, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    if args.senders {
        let wanted = args.from..=args.to;
        return Ok(senders(&found, |n| wanted.contains(&n))?.into());
    }
    let mut rewinds = Rewinds::default();
    let seen = look_with(&found, &files.shelf_for(&found)?, None, &mut [&mut rewinds])?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let lines = rewinds.lines;
    if args.from >= lines || args.from > args.to {
        return Err(CliError::Usage(match args.to {
            u64::MAX => format!("there is no entry {}: {}", args.from, goes_to(lines)),
            to => format!("there are no entries from {} to {to}: {}", args.from, goes_to(lines)),
        }));
    }
    let mine = |whom: Whom| match whom {
        Whom::All => true,
        Whom::Seat(told) => seat == Some(told),
    };
    let story = seen.live.story.iter().filter(|line| mine(line.told.whom));
    // What a rewind has undone is told no more, but that it was undone is.
    let mut story: Vec<_> = story.chain(&rewinds.all).filter(|line| (args.from..=args.to).contains(&line.n)).collect();
    story.sort_by_key(|line| line.n);
    if args.json {
        let line = |line: &&postrider_replay::StoryLine| {
            let to = match line.told.whom {
                Whom::All => "",
                Whom::Seat(seat) => seen.live.seat_name(seat),
            };
            json!({ "line": line.n + 1, "entry": line.n, "under": seen.seats.named(&line.told.under), "to": to, "text": seen.seats.named(&line.told.line) })
        };
        return Output::json(&story.iter().map(line).collect::<Vec<_>>());
    }
    let width = width();
    let (mut text, mut under) = (String::new(), "");
    for line in story {
        if under != &*line.told.under {
            under = &line.told.under;
            text += &format!("{}{}\n", if text.is_empty() { "" } else { "\n" }, bold(&seen.seats.named(under)));
        }
        text += &hanging(&format!("{:>6}  {}", line.n, seen.seats.named(&line.told.line)), width);
        text.push('\n');
    }
    if let Some(note) = &seen.note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}

/// Where the sentences of a story begin, behind the numbers of their entries.
const INDENT: &str = "        ";

/// A line of the story, broken where the terminal ends and indented as it begins. Into a pipe or a file it goes whole, so that programs
/// find an entry a line.
fn hanging(line: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return line.to_owned() };
    // A number and a word need some room.
    let options = textwrap::Options::new(width.max(2 * INDENT.len())).subsequent_indent(INDENT).break_words(false);
    textwrap::fill(line, options)
}

/// What was decided of a game in rewinds, as lines of its story; and how many lines its journal has.
#[derive(Default)]
struct Rewinds {
    all: Vec<StoryLine>,
    lines: u64,
}

impl Projection for Rewinds {
    fn apply(&mut self, checked: &Checked<'_>, _: bool) {
        let n = checked.line.n;
        // Where a game is not seen to its end all lines come once more.
        if n == 0 {
            *self = Rewinds::default();
        }
        self.lines = n + 1;
        let Body::Rewound(Rewound { to, by, reason, .. }) = &checked.body else { return };
        let undone = to + 1..n;
        let why = match undone.is_empty() {
            true => "Nothing is undone.".to_owned(),
            false => format!("Entries {} to {} are undone; `show --entry` still shows them.", to + 1, n - 1),
        };
        let line = format!("{by} rewinds to entry {to}: {reason}. {why}");
        let told = Told { whom: Whom::All, under: "Rewound".into(), line: visible(&line).into_owned(), after: 0 };
        self.all.push(StoryLine { n, told });
    }
}

/// A line for each decision and each joining by mail: its entry, seat and who vouches for the mail.
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
        // However narrow it is, no word is broken.
        assert!(hanging(&line, Some(3)).lines().skip(1).all(|line| line.starts_with("        ")));
    }
}
