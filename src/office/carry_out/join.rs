//! What a player is told who takes his seat.

use crate::{
    error::OfficeError,
    game::{Game, seats},
    reading::Origin,
    services::Services,
    transaction::{Transaction, joining},
};
use postrider_orders::list_and;
use postrider_store::Player;
use postrider_table::Seat;

/// Who has not joined yet.
pub(crate) fn waiting(game: &Game) -> String {
    let open = |player: &&Player| game.live.joined.get(player.seat.index()).is_some_and(Option::is_none);
    let names: Vec<&str> = game.seats.players.iter().filter(open).map(|player| player.name.as_str()).collect();
    format!(
        "The game begins when {} joined too.",
        match names.as_slice() {
            [one] => format!("{one} has"),
            several => format!("{} have", list_and(several)),
        }
    )
}

pub(crate) fn joining(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    luck: &str,
    from: &Origin<'_>,
) -> Result<String, OfficeError> {
    if tx.live.closed {
        return Ok("You have not joined: this game is abandoned.".to_owned());
    }
    if seats::has_joined(tx, seat) || tx.live.started.is_some() {
        return Ok("You have joined already.".to_owned());
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    };
    joining::join(tx, services, seat, luck, mail)?;
    if tx.live.joined.iter().all(Option::is_some) {
        return Ok("You have joined, and so have all: the game begins.".to_owned());
    }
    Ok(format!("You have joined. {}", waiting(tx)))
}
