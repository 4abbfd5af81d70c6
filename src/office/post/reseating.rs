//! Changes of a seat's player or address.

use crate::{
    error::OfficeError,
    game::{directors, seats},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::{Body, Reseated, Via};
use postrider_store::{Kept, OPEN_SEAT, Player, Renewed, WhyRenewed, bot_name};
use postrider_table::Seat;

/// Invites another person, or another address, to a seat whose player has not joined yet. The
/// journal does not mention a player before that. `with` is further data to be stored about the
/// player.
pub(crate) fn correct(
    tx: &mut Transaction,
    services: &mut Services,
    player: (Seat, &str, &str, Option<String>),
    with: Vec<Kept>,
) -> Result<(), OfficeError> {
    let seat = player.0;
    let address = keep_player(tx, services, player, with)?;
    tx.keep(Kept::Renewed(Renewed { seat, address, why: WhyRenewed::Reseated, mail: None }))?;
    Ok(services.store.forgive(&format!("{}.{seat}.", tx.id))?)
}

/// Opens a seat again if anyone could take it before. Returns `false` if not, or if its player has
/// joined.
pub(crate) fn reopen(tx: &mut Transaction, services: &mut Services, seat: Seat) -> Result<bool, OfficeError> {
    if !tx.seats.held(seat).any(Player::is_open) || seats::has_joined(tx, seat) {
        return Ok(false);
    }
    keep_player(tx, services, (seat, &format!("Open seat {seat}"), OPEN_SEAT, None), Vec::new())?;
    Ok(true)
}

/// Opens the seats again whose players have not answered the invitation in time.
pub(crate) fn lapse(tx: &mut Transaction, services: &mut Services) -> Result<(), OfficeError> {
    let now = services.now().timestamp();
    let lapsed: Vec<Seat> = seats::held_until(tx).filter(|(_, until)| *until <= now).map(|(seat, _)| seat).collect();
    for seat in lapsed {
        reopen(tx, services, seat)?;
    }
    Ok(())
}

/// Gives a seat to another player, or gives its player another address. The next letter tells the
/// whole story, and earlier letters become void. If the player changes, the seat's standing orders
/// end. Before the game begins, the seat's luck phrase remains, so that nobody can choose dice by
/// choosing players. `with` is further data to be stored about the player.
pub(crate) fn reseat(
    tx: &mut Transaction,
    services: &mut Services,
    player: (Seat, &str, &str, Option<String>),
    with: Vec<Kept>,
) -> Result<(), OfficeError> {
    let (seat, player_address) = (player.0, player.2);
    let is_new = tx.seats.player(seat).is_some_and(|old| old.name != player.1);
    if is_new && tx.secrets.away.contains_key(&seat) {
        tx.keep(Kept::Away(seat, None))?;
    }
    let address = keep_player(tx, services, player, with)?;
    // Tokens that were bound to no address become void too.
    if tx.secrets.epoch(seat, &address) == 0 {
        tx.keep(Kept::Renewed(Renewed { seat, address, why: WhyRenewed::Reseated, mail: None }))?;
    }
    let joined = tx.live.joined.get(seat.index()).cloned().flatten();
    let luck = joined.filter(|_| tx.live.started.is_none()).unwrap_or_default().into();
    let director = directors::with_address(tx, player_address).map(Into::into);
    let via = bot_name(player_address).map(|_| Via::Bot);
    tx.line(services, &Body::Reseated(Reseated { seat: seat.to_string().into(), address, luck, via, director }))?;
    // The new player did not give these orders.
    for (n, _) in if is_new { tx.all_standing(seat) } else { Vec::new() } {
        tx.unseal(services, n)?;
    }
    Ok(())
}

/// Stores the new player of a seat, and `with` it further data. Returns the commitment to the
/// address.
fn keep_player(
    tx: &mut Transaction,
    services: &mut Services,
    (seat, name, address, zone): (Seat, &str, &str, Option<String>),
    with: Vec<Kept>,
) -> Result<Hash, OfficeError> {
    let salt = services.environment.secret()?;
    let player = Player { seat, name: name.to_owned(), address: address.to_owned(), salt, zone };
    let address = player.commitment();
    tx.keep(Kept::Player(player))?;
    with.into_iter().try_for_each(|kept| tx.keep(kept))?;
    Ok(address)
}
