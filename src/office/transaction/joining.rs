//! Joining a game.

use crate::{error::OfficeError, game::directors, services::Services, transaction::Transaction};
use postrider_dice::Hash;
use postrider_journal::{Body, Joined, Via, address_commitment};
use postrider_store::{Player, bot_name};
use postrider_table::Seat;

/// Returns the line by which a player joins: by a mail, or without one by the host or, for a bot,
/// by the program.
pub(crate) fn joined(player: &Player, luck: &str, mail: Option<Hash>, director: Option<String>) -> Body<'static> {
    let via = match mail {
        Some(_) => Via::Mail,
        None if bot_name(&player.address).is_some() => Via::Bot,
        None => Via::Cli,
    };
    Body::Joined(Joined {
        seat: player.seat.to_string().into(),
        address: address_commitment(&player.salt, &player.address),
        luck: luck.to_owned().into(),
        via,
        mail,
        director: director.map(Into::into),
    })
}

/// Lets a player join, by a mail or by the host. The line is not yet appended.
pub(crate) fn join(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    luck: &str,
    mail: Option<Hash>,
) -> Result<(), OfficeError> {
    let Some(player) = tx.seats.player(seat).cloned() else { return Ok(()) };
    let director = directors::with_address(tx, &player.address);
    tx.line(services, &joined(&player, luck, mail, director))?;
    tx.live.join(seat, luck);
    Ok(())
}
