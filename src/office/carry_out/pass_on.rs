//! Messages in mails, passed on to other players.

use crate::{
    carry_out::{order, work::At},
    error::OfficeError,
    game::{
        Game,
        messages::{self, NewMessage},
    },
    reading::{Origin, value::Told},
    services::Services,
    transaction::{Transaction, saying},
};
use postrider_mail::without_tokens;
use postrider_orders::{People, Phrase, list_and, without_courtesies};
use postrider_store::{Party, PressRule};
use postrider_table::Seat;

/// The maximum length of a message, in characters.
const LONGEST: usize = 4_000;

/// Maximum numbers of a player's messages and of appeals among them on a day (UTC). The host's
/// command has no limit.
const MOST_A_DAY: usize = 200;
const MOST_APPEALS_A_DAY: usize = 10;

fn is_a_bots(game: &Game, seat: Seat) -> bool {
    game.seats.player(seat).is_some_and(|player| player.bot().is_some())
}

/// Returns the reason why a message is too long or, if `bounded`, exceeds its author's daily
/// number; `None` otherwise.
fn too_much(
    game: &Game,
    services: &Services,
    by: Party,
    text: &str,
    (bounded, appeals): (bool, bool),
) -> Option<String> {
    let first = game.facts.since_midnight(&services.at());
    let counts = |n: u64| n >= first && (!appeals || game.live.motions.directors().is_appeal(n));
    let today = game.messages().filter(|(n, message)| counts(*n) && message.by == by).count();
    let most = if appeals { MOST_APPEALS_A_DAY } else { MOST_A_DAY };
    match text.chars().count() {
        _ if bounded && today >= most => {
            Some(format!("you have sent {most} since midnight (UTC); more are passed on from the next midnight on"))
        }
        length if length > LONGEST => Some(format!("it has {length} characters; the maximum is {LONGEST}")),
        _ => None,
    }
}

/// Sends a message. Returns a note about it for its author.
pub(crate) fn pass_on(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    Told { to, appeals, text, .. }: Told,
    (line, place): At<'_>,
    from: &Origin<'_>,
) -> Result<Vec<String>, OfficeError> {
    let by = Party::Seat(seat);
    let press = services.host.settings.press;
    let mut notes = Vec::new();
    let at = place as u64;
    let (mut to, anonymous) = match to {
        Ok(to) => to,
        Err(why) => {
            notes.push(why);
            return Ok(notes);
        }
    };
    to.retain(|&one| one != by);
    let notes_down = to.is_empty();
    if notes_down {
        to = vec![by];
    }
    if tx.live.motions.directors().names().is_empty() {
        to.iter_mut().filter(|one| **one == Party::Directors).for_each(|one| *one = Party::Host);
        to.dedup();
    }
    // Mail programs insert a token when a player copies an option from the letter. It must not
    // reach other players.
    let shown = without_tokens(&text);
    if shown != text {
        notes.push("Your message contained an address that answers for you; it was replaced by `[token]`.".to_owned());
    }
    let text = shown;
    let bounded = matches!(from, Origin::Mail { .. });
    let official = to.iter().all(|one| matches!(one, Party::Host | Party::Directors));
    let closed = press == PressRule::None && !official && !notes_down;
    // Players who have declined get no letters, and their replacements were not meant.
    let declined = |one: &mut Party| matches!(one, Party::Seat(seat) if tx.secrets.declined.contains(seat));
    let gone: Vec<Party> = to.extract_if(.., declined).collect();
    let why = match closed {
        _ if to.is_empty() => {
            let gone: Vec<String> = gone.into_iter().map(|one| messages::party_in_words(&tx.seats, one, by)).collect();
            Some(format!("{} declined the invitation", list_and(&gone)))
        }
        true => Some("this host does not pass messages between players; use `tell host: …`".to_owned()),
        false if anonymous && press != PressRule::Anonymous => {
            Some("this host does not allow anonymous messages".to_owned())
        }
        false => too_much(tx, services, by, &text, (bounded, appeals)),
    };
    if let Some(why) = why {
        notes.push(format!("A message of yours was not sent: {why}."));
        return Ok(notes);
    }
    let bots = to.iter().filter(|one| matches!(one, Party::Seat(seat) if is_a_bots(tx, *seat)));
    let bots: Vec<String> = bots.map(|&one| messages::party_in_words(&tx.seats, one, by)).collect();
    let names: Vec<String> = to.iter().map(|&one| messages::party_in_words(&tx.seats, one, by)).collect();
    let mail = match from {
        Origin::Mail { hash, .. } => Some((*hash, at)),
        Origin::Cli => None,
    };
    let message = NewMessage { by, anonymous, to, text, mail };
    if appeals {
        let words = order::words(tx, seat, from, line.lines().next().unwrap_or_default());
        let n = saying::appeal(tx, services, seat, message, words)?;
        let then = match tx.live.closed {
            true => "The game stays over, unless a director reopens it.",
            false => "It stops nothing: the game goes on meanwhile.",
        };
        notes.push(format!("Your appeal, entry {n}, goes to {}. {then}", list_and(&names)));
        return Ok(notes);
    }
    saying::say(tx, services, message)?;
    if notes_down {
        notes.push("Noted, for you alone: your letters repeat your newest notes.".to_owned());
        return Ok(notes);
    }
    let without = if anonymous { " without your name" } else { "" };
    notes.push(format!("Told {}{without}.", list_and(&names)));
    if !bots.is_empty() {
        notes.push(format!("{} is played by a program, which reads no messages.", list_and(&bots)));
    }
    Ok(notes)
}

/// Sends a message that asks an awaited player to answer.
pub(crate) fn remind(
    tx: &mut Transaction,
    services: &mut Services,
    seat: Seat,
    name: &str,
    place: usize,
    from: &Origin<'_>,
) -> Result<Vec<String>, OfficeError> {
    let people = People::new(tx.seats.players.iter().map(|player| &player.name));
    let forms = without_courtesies(&Phrase::new(name), &people);
    let named = forms.iter().map(|form| tx.seats.seats_named(form.text())).find(|seats| seats.len() == 1);
    let [whom] = named.unwrap_or_default()[..] else {
        return Ok(vec![format!("\"{name}\" is not a player of this game: nobody was reminded.")]);
    };
    let called = tx.seats.called(whom);
    if !tx.asked()?.iter().any(|asked| asked.required && asked.seat == whom) {
        return Ok(vec![format!("The game does not wait for {called}: nobody was reminded.")]);
    }
    let text = "The game waits for you. Please answer your newest letter.".to_owned();
    let whole = format!("remind {name}");
    let to = Ok((vec![Party::Seat(whom)], false));
    pass_on(
        tx,
        services,
        seat,
        Told { to, text, whole: whole.clone(), appeals: false, begins_with_text: true, ended: false },
        (&whole, place),
        from,
    )
}
