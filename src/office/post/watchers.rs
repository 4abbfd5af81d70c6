//! Who watches a game: letters to somebody without a seat, of what everybody may see.
//!
//! What is told comes from the spectator's view and from the public story alone, so nothing hangs on who reads it. A watcher has no seat in
//! the journal; that he is there stands beside it.

use crate::{
    error::OfficeError,
    game::{
        Game, clock,
        local_time::next_at_hour,
        map,
        watching::{self, MORNING, ToWatcher},
    },
    post::heading::bare_subject,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_letters::{
    HeadShown, Letter, View,
    html::{self, AnswerTo},
    text,
};
use postrider_replay::marks::called;
use postrider_store::{Digest, Kept, OutgoingLetter, Player, Watcher, Written, answered_by};
use postrider_table::Seat;

/// Whether a player who collects what happens is to be told it now.
pub(crate) fn digest_due(game: &Game, services: &Services, seat: Seat, old: &Written, since: u64) -> bool {
    let Some(digest) = game.pace(seat).digest.filter(|_| game.live.started.is_some()) else { return false };
    let due = match digest {
        Digest::Daily => {
            next_at_hour(game.zone(services, seat), old.at, MORNING) <= services.environment.now().timestamp()
        }
        Digest::Round => game.live.marks.last().is_some_and(|mark| mark.n > since),
        Digest::Turn => game.turn() > old.turn,
    };
    due && watching::has_news(game, seat, since)
}

fn is_due_for(game: &Game, services: &Services, watcher: &Watcher) -> bool {
    let Some(n) = watcher.n.filter(|_| watcher.confirmed) else { return watcher.confirmed };
    let now = services.environment.now().timestamp();
    let last = game.live.marks.last();
    match watcher.digest {
        _ if watcher.over => false,
        _ if game.live.closed => true,
        Digest::Daily => {
            n < game.live.head.n
                && next_at_hour(watching::zone_of_watcher(game, services, watcher), watcher.at, MORNING) <= now
        }
        Digest::Round => last.is_some_and(|mark| mark.n > n),
        Digest::Turn => game.turn() > watcher.turn,
    }
}

fn letter_to_watcher(
    game: &mut Game,
    services: &Services,
    head: &Head,
    watcher: &Watcher,
    reply: Option<&ToWatcher>,
) -> Result<OutgoingLetter, OfficeError> {
    let closed = game.live.closed;
    let position = reply.is_none_or(|reply| reply.status);
    let ruleset = game.live.opened.ruleset;
    let (mut view, mut outcome) = (Vec::new(), Vec::new());
    if let Some(dyn_game) = game.live.dyn_game.as_mut().filter(|_| position) {
        view = services.letters.view(ruleset, &View::of(dyn_game.view(None)?, &game.seats))?;
        if closed {
            outcome = services.letters.ending(ruleset, &**dyn_game, &game.seats)?;
        }
    }
    let picture = match services.host.settings.draws() && position {
        true => map::picture(game, None, watcher.n)?,
        false => None,
    };
    let zone = watching::zone_of_watcher(game, services, watcher).to_owned();
    let all = game.asked()?;
    let rewound = game.facts.rewinds.iter().any(|rewind| watcher.n.is_some_and(|n| rewind.n > n));
    let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
    if rewound && position {
        notes.push("The game was rewound since your last letter: what that told may be undone.".to_owned());
    }
    let signed = game.head_shown(services, Seat(0));
    let letter = Letter {
        game: game.id.clone(),
        picture: picture.as_ref().map(|picture| picture.words().join(". ")).unwrap_or_default(),
        opening: opening_for_watcher(game, watcher, reply),
        notes,
        notes_first: !position,
        first_mail: watcher.n.is_none(),
        since: if position {
            watching::told_since(game, watcher.n.unwrap_or_else(|| game.turn_began()))
        } else {
            Vec::new()
        },
        outcome,
        view,
        in_full: true,
        html_in_full: reply.is_some_and(|reply| reply.status),
        awaited: match closed || game.live.started.is_none() || !position {
            true => String::new(),
            false => clock::awaited(game, services, None, &zone, &all),
        },
        over: closed,
        watches: true,
        head: HeadShown { seat: String::new(), ..signed },
        ..Letter::default()
    };
    let tree = services.letters.letter(&letter)?;
    let subject = match reply {
        Some(reply) => format!("Re: {}", bare_subject(&reply.subject)),
        None if closed => "the game is over".to_owned(),
        None => called(&game.live.marks),
    };
    let (begins, kind) = watching::watch_names(game, watcher);
    let (unique, kind) = match reply {
        Some(reply) => {
            let mail = reply.mail.to_string();
            (format!("{begins}.re.{}", &mail[..16]), format!("{kind}-{}", &mail[..8]))
        }
        None => (format!("{begins}.{}.{}", head.n, &head.hash.text().as_str()[..8]), kind),
    };
    let token = (0, watching::watch_word(game, &watcher.address));
    let (address, whole) = answered_by(&services.host, &game.id, token, &subject);
    let answer = AnswerTo { address, subject: format!("Re: {}", whole.strip_prefix("Re: ").unwrap_or(&whole)) };
    Ok(OutgoingLetter {
        html: services.host.settings.html.then(|| html::render(&tree, &whole, &answer)),
        picture: picture.and_then(|picture| map::as_inline(game, &picture)),
        token,
        thread: reply.map(|reply| reply.thread.clone()),
        ..OutgoingLetter::plain(unique, kind, subject, text::render(&tree), services.environment.now())
    })
}

fn opening_for_watcher(game: &Game, watcher: &Watcher, reply: Option<&ToWatcher>) -> String {
    let place = called(&game.live.marks);
    match reply {
        Some(reply) if !reply.status => String::new(),
        _ if game.live.closed => format!("{}, the game is over.", watcher.name),
        _ if game.live.started.is_none() => {
            format!("{}, you watch this game. It has not begun.", watcher.name)
        }
        _ if watcher.n.is_none() => format!(
            "{}, you watch this game of {} ({place}). You are written to {}.",
            watcher.name,
            game.live.opened.ruleset.title(),
            watcher.digest.words()
        ),
        _ => format!("{}, this is how the game that you watch stands ({place}).", watcher.name),
    }
}

/// Writes to those who watch what they are to be told by now.
pub(crate) fn write_to_watchers(tx: &mut Transaction, services: &Services, head: &Head) -> Result<(), OfficeError> {
    for watcher in tx.secrets.watchers.clone() {
        if is_due_for(tx, services, &watcher) {
            write_to_watcher(tx, services, head, &watcher, None)?;
        }
    }
    Ok(())
}

/// Writes a letter to a watcher, in answer to a mail of his or of itself, and keeps in mind that it was done.
///
/// # Errors
/// [`OfficeError`] when it cannot be written or kept.
pub(crate) fn write_to_watcher(
    tx: &mut Transaction,
    services: &Services,
    head: &Head,
    watcher: &Watcher,
    reply: Option<&ToWatcher>,
) -> Result<(), OfficeError> {
    let told = reply.is_none_or(|reply| reply.status);
    // A morning after which nothing was to be told is over, too.
    let silent =
        reply.is_none() && watcher.n.is_some_and(|n| watching::told_since(tx, n).is_empty()) && !tx.live.closed;
    if !silent {
        let letter = letter_to_watcher(tx, services, head, watcher, reply)?;
        send_to_watcher(tx, services, head, watcher, &letter)?;
    }
    if told {
        let new = Watcher {
            n: Some(head.n),
            hash: Some(head.hash),
            turn: tx.turn(),
            at: services.environment.now().timestamp(),
            over: tx.live.closed,
            ..watcher.clone()
        };
        tx.keep(Kept::Watcher(new))?;
    }
    Ok(())
}

/// Puts a letter to a watcher into the outbox.
pub(crate) fn send_to_watcher(
    tx: &mut Transaction,
    services: &Services,
    head: &Head,
    watcher: &Watcher,
    letter: &OutgoingLetter,
) -> Result<(), OfficeError> {
    let Watcher { address, name, zone, .. } = watcher;
    let (name, address, zone) = (name.clone(), address.clone(), zone.clone());
    Ok(tx.send(services, head, &Player { seat: Seat(0), name, address, salt: Hash::ZERO, zone }, letter)?)
}
