//! `postrider log`: the story of a game, under the headings of its Rounds.

use super::{
    CliError, Files, Output, bold,
    files::Found,
    look::{look, whole_lines},
};
use crate::{
    journal::{Body, Checker},
    orders::visible,
    replay::ReplayFault,
    store::GameSecrets,
    table::Whom,
};
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
    /// From this line of the journal on; lines count from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// Up to this line
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
        let lines = args.from..=args.to;
        return Ok(senders(&found, |line| lines.contains(&line))?.into());
    }
    let seen = look(&found, &files.shelf_for(&found)?, None)?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let mine = |whom: Whom| match whom {
        Whom::All => true,
        Whom::Seat(told) => seat == Some(told),
    };
    let story = seen.live.story.iter().filter(|line| mine(line.told.whom));
    let story: Vec<_> = story.filter(|line| (args.from..=args.to).contains(&(line.n + 1))).collect();
    if args.json {
        let line = |line: &&crate::replay::StoryLine| {
            let to = match line.told.whom {
                Whom::All => "",
                Whom::Seat(seat) => seen.live.seat_name(seat),
            };
            json!({ "line": line.n + 1, "under": seen.seats.named(&line.told.under), "to": to, "text": seen.seats.named(&line.told.line) })
        };
        return Output::json(&story.iter().map(line).collect::<Vec<_>>());
    }
    let (mut text, mut under) = (String::new(), "");
    for line in story {
        if under != &*line.told.under {
            under = &line.told.under;
            text += &format!("{}{}\n", if text.is_empty() { "" } else { "\n" }, bold(&seen.seats.named(under)));
        }
        text += &format!("{:>6}  {}\n", line.n + 1, seen.seats.named(&line.told.line));
    }
    if let Some(note) = &seen.note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}

/// A line for each decision and each joining by mail: its line, seat and who vouches for the mail.
pub(super) fn senders(found: &Found, wanted: impl Fn(u64) -> bool) -> Result<String, CliError> {
    let secrets = GameSecrets::of(found.kept().kept);
    let (source, _) = whole_lines(found)?;
    let mut lines = source.lines()?;
    let (mut checker, mut text) = (Checker::new(), String::new());
    while let Some(line) = lines.next_line().map_err(ReplayFault::from)? {
        let Ok(checked) = checker.feed(line) else { break };
        let (seat, mail) = match &checked.body {
            Body::Decision(decision) => (decision.seat.to_string(), decision.mail),
            Body::Joined(joined) => (joined.seat.to_string(), joined.mail),
            _ => continue,
        };
        let Some(mail) = mail.filter(|_| wanted(checked.line.n + 1)) else { continue };
        let signed = secrets.signed.get(&mail).map_or_else(|| "not checked".to_owned(), ToString::to_string);
        text += &format!("{:>6}  {seat}  {}\n", checked.line.n + 1, visible(&signed));
    }
    Ok(text)
}
