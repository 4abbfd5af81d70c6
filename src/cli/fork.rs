//! `postrider fork`: opens a game that continues from an earlier point of another.

use super::{
    CliError, Output,
    look::At,
    working::{at, invited, journal_place, send_waiting},
};
use postrider_office::{ForkGame, Invitee};
use std::path::Path;

#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("moment").required(true).args(["at", "entry", "line"]))]
pub struct Fork {
    /// The game to continue from, which is not changed
    game: String,
    /// The id of the new game
    #[arg(value_name = "NEWID")]
    id: String,
    #[command(flatten)]
    at: At,
    /// The reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// A player, in the order of the seats; by default those of the other game. Required for a game
    /// of another host
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// Begin at once without inviting anyone, and without luck phrases
    #[arg(long)]
    join_all: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Fork, root: &Path) -> Result<Output, CliError> {
    let to = args.at.checkpoint()?.ok_or_else(|| CliError::Usage("name a moment".to_owned()))?;
    let players = args.players.iter().map(|text| text.parse()).collect::<Result<Vec<Invitee>, _>>()?;
    let (id, reason) = (args.id.clone(), args.reason.clone());
    let wanted = ForkGame { to, id, reason, join_all: args.join_all, players };
    let (mut office, game) = at(root, &args.game)?;
    let forked = office.fork(&game, &wanted)?;
    send_waiting(&office);
    if args.json {
        return Output::json(&forked);
    }
    let what = invited(office.host(), args.join_all);
    let (game, parent, n, place) = (&forked.game, &forked.parent, forked.n, &forked.place);
    let journal = journal_place(office.host(), game);
    Ok(format!("{game}\nIt continues {parent} from entry {n} ({place}). {what}; the journal is {}.\n", journal).into())
}
