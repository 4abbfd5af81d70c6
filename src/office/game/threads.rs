//! Threads and return addresses of letters.

use crate::{
    game::{Game, watching},
    services::Services,
};
use postrider_dice::Hash;
use postrider_store::{Host, OfSeat, Player};

/// Returns the thread and the return address for letters to a player; other recipients have none.
pub(crate) fn of_seat(game: &Game, services: &Services, to: &Player) -> OfSeat {
    let Host { addresses, settings, .. } = &services.host;
    let plain = addresses.plain();
    let domain = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    // A director may also play. A letter to the director as a seat's player has the salt of that
    // seat's address.
    if let Some(watcher) = game.watcher(&to.address).filter(|_| to.salt == Hash::ZERO) {
        let answer = addresses.reply_address(&game.id, 0, &game.tokens.watch_word(watcher));
        let root = format!("{}@{domain}", watching::watch_names(game, watcher).0);
        let unsubscribe =
            (answer != plain && !watcher.director).then(|| format!("mailto:{answer}?body=stop%20watching"));
        return OfSeat { root: Some(root), returns: None, unsubscribe };
    }
    if game.seats.player(to.seat).is_none_or(|player| player.address != to.address) {
        return OfSeat::default();
    }
    let returns = settings.verp().then(|| {
        let code = game.tokens.return_code(to.seat, to.commitment());
        addresses.return_address(&game.id, &to.seat.to_string(), &code)
    });
    let root = format!("{}.thread-{}@{domain}", game.id, to.seat);
    OfSeat { root: Some(root), returns: returns.flatten(), unsubscribe: None }
}
