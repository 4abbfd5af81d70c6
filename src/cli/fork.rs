//! `postrider fork`: opens a game that continues from an earlier point of another.

use super::{
    CliError, Output,
    working::{Point, invited, journal_place, office, send_waiting},
};
use postrider_office::{ForkGame, Invitee};
use std::path::Path;

/// The arguments of `fork`.
#[derive(clap::Args, Debug)]
pub struct Fork {
    /// The id of the game to go on from; it is not changed
    game: String,
    /// The id of the new game
    #[arg(value_name = "NEWID")]
    id: String,
    #[command(flatten)]
    point: Point,
    /// Why; everybody reads it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who plays, in the order of the seats; can be repeated. Without it the players of the other game. Needed for a game of another
    /// host, of which there is no more than its journal in the folder `journal`
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// Begin at once, with everybody joined and no words for luck
    #[arg(long)]
    join_all: bool,
    /// Print what was opened as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Fork, root: &Path) -> Result<Output, CliError> {
    let to = args.point.moment()?;
    let players = args.players.iter().map(|text| text.parse()).collect::<Result<Vec<Invitee>, _>>()?;
    let (id, reason) = (args.id.clone(), args.reason.clone());
    let wanted = ForkGame { to, id, reason, join_all: args.join_all, players };
    let mut office = office(root)?;
    let forked = office.fork(&args.game, &wanted)?;
    send_waiting(&office);
    if args.json {
        return Output::json(&forked);
    }
    let what = invited(office.host(), args.join_all);
    let (game, parent, n, place) = (&forked.game, &forked.parent, forked.n, &forked.place);
    let journal = journal_place(office.host(), game);
    Ok(format!("{game}\nIt goes on from {parent}, entry {n} ({place}). {what}; the journal is {}.\n", journal).into())
}
