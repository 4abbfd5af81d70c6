//! `postrider tick`: finishes work interrupted by a crash, handles deadlines, and sends the letters
//! in the outbox; for a timer.

use super::{CliError, Output, exit, working::office};
use postrider_office::{Held, Ticked, TickedGame};
use postrider_store::send;
use serde_json::json;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Tick {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Confirm that this machine's clock is right, after it was doubted
    #[arg(long)]
    clock_is_right: bool,
}

/// Runs the command. It prints actions and problems, or nothing if there are none. The exit status
/// is that of the last game that could not be opened.
pub fn run(args: &Tick, root: &Path, verbose: bool) -> Result<Output, CliError> {
    let mut office = office(root)?;
    let before = office.store().waiting()?.len();
    let (mut said, mut faults, mut status) = (String::new(), Vec::new(), 0);
    let mut found = serde_json::Map::new();
    if let Some(doubt) = office.check_clock(args.clock_is_right)? {
        said.push_str(&format!("{doubt}.\n"));
        status = exit::TRY_AGAIN;
        faults.push(json!({ "fault": doubt.why }));
    }
    for game in office.due()? {
        let TickedGame { ticked, fault, .. } = office.tick_due(&game, &Held::Nobody)?;
        let Ticked { reminded, expired, played, forfeited } = ticked;
        if ticked != Ticked::default() {
            let deadlines = if expired == 1 { "deadline" } else { "deadlines" };
            let lost = if forfeited > 0 { format!(", {forfeited} lost by time") } else { String::new() };
            said.push_str(&format!(
                "{game}: {reminded} reminded, {expired} {deadlines} passed, {played} answered{lost}\n"
            ));
            found.insert(game.clone(), json!(ticked));
        }
        if let Some(why) = fault {
            said.push_str(&format!("{game}: {why}\n"));
            status = exit::of_office(&why);
            faults.push(json!({ "game": game, "fault": why.to_string() }));
        }
    }
    office.close_games();
    office.sweep()?;
    office.tell_host()?;
    let sent = send(office.host(), office.store())?;
    if args.json {
        let (waiting, why) = &sent.waiting;
        let refused: Vec<_> = sent.refused.iter().map(|(mail, why)| json!({ "mail": mail, "why": why })).collect();
        let all = json!({ "faults": faults, "deadlines": found, "sent": sent.sent, "waiting": waiting, "why": why, "refused": refused });
        return Ok(Output { status, ..Output::json(&all)? });
    }
    let mails = |count: usize| format!("{count} {}", if count == 1 { "mail" } else { "mails" });
    match office.host().smtp()? {
        Some(_) if sent.sent > 0 || verbose => said.push_str(&format!("{} sent\n", mails(sent.sent))),
        Some(_) => {}
        // Here the host's own mail system sends the letters, at its own pace. Letters that were
        // there before are not reported.
        None => {
            let waiting = office.store().waiting()?.len();
            if waiting > before || verbose {
                said.push_str(&format!("{} in mail/out for your mail system\n", mails(waiting)));
            }
        }
    }
    if sent.waiting.0 > 0 {
        said.push_str(&format!("{} waiting: {}\n", mails(sent.waiting.0), sent.waiting.1));
    }
    for (mail, why) in &sent.refused {
        said.push_str(&format!("{mail} was refused for good and is in mail/refused: {why}\n"));
    }
    Ok(Output { text: said, status, ..Output::default() })
}
