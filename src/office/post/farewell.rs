//! The last letter to a player whose seat is played by another, or from another address.

use crate::{
    game::{Game, seats::DAYS_TO_JOIN},
    services::Services,
};
use postrider_letters::{Section, text};
use postrider_orders::visible;
use postrider_store::{OutgoingLetter, Player, Watching};

/// Returns the letter to the recipient of earlier letters about a seat, if that is not its
/// `present` player.
pub(crate) fn farewell(game: &Game, services: &Services, present: &Player) -> Option<(Player, OutgoingLetter)> {
    let (id, seat, now) = (&game.id, present.seat, present.commitment());
    let to = game.secrets.written.get(&seat)?.to.filter(|to| *to != now)?;
    let former = game.seats.held(seat).find(|one| one.commitment() == to && one.by_mail())?;
    let told = if former.name == present.name {
        format!(
            "From now on seat {seat} of the game {id} is played from another address. Letters go there, and mails from here do \
             nothing any more. If you did not want this, tell the host at once: he can give the seat back to this address."
        )
    } else if present.is_open() {
        format!(
            "Seat {seat} of the game {id} is open again: you have declined it, or not answered the invitation in {DAYS_TO_JOIN} days. \
             `join {id}` takes it, as long as nobody else has."
        )
    } else {
        let who = match present.bot() {
            Some(bot) => format!("the bot {bot}"),
            None => visible(&present.name).into_owned(),
        };
        let follow = match services.host.settings.watching {
            Watching::Off => String::new(),
            Watching::Players | Watching::Anyone => format!(" `watch {id}` sends you what everybody may see of it."),
        };
        format!(
            "From now on {who} has seat {seat} of the game {id}, which was yours. Mails from here do nothing for it any more.{follow} If \
             that surprises you, ask the host."
        )
    };
    let mark = to.to_string();
    let letter = OutgoingLetter::plain(
        format!("{id}.{seat}.former.{}", &mark[..16]),
        format!("former-{}", &mark[..8]),
        format!("seat {seat} is no longer played from here"),
        text::render(&[Section::paragraph(told)]),
        services.now(),
    );
    Some((former.clone(), letter))
}
