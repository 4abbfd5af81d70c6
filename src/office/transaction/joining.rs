//! A player takes his seat.

use postrider_dice::Hash;
use postrider_journal::{Body, Joined, Via, address_commitment};
use postrider_store::{Player, bot_name};

/// The line by which a player takes his seat: by this mail, or else by the host's hand or, for a bot, the program's.
pub(crate) fn joined(player: &Player, luck: &str, mail: Option<Hash>) -> Body<'static> {
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
    })
}
