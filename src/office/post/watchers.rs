//! Letters to spectators and directors.

use crate::{
    error::OfficeError,
    game::{
        Game, clock, director_orders, directors,
        local_time::next_at_hour,
        map, messages, story,
        watching::{self, MORNING, ToWatcher},
    },
    post::letter::as_html,
    services::Services,
    transaction::news::Notices,
};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_letters::{Block, HeadShown, Letter, Section, View, text};
use postrider_replay::marks::called;
use postrider_store::{Digest, Kept, Message, OutgoingLetter, Party, Player, Watcher};
use postrider_table::Seat;

/// Number of lines of the story in a letter about an appeal.
pub(crate) const APPEAL_LINES: usize = 8;

/// The words above them.
pub(crate) const LAST: &str = "What happened last, as everybody may know it:";

fn is_due_for(game: &Game, services: &Services, watcher: &Watcher) -> bool {
    let Some(n) = watcher.n.filter(|_| watcher.confirmed) else { return watcher.confirmed };
    let now = services.now().timestamp();
    let last = game.live.marks.last();
    match watcher.digest {
        _ if watcher.over => false,
        _ if game.live.closed => true,
        _ if watcher.director => false,
        Digest::Daily => {
            n < game.live.head.n
                && next_at_hour(watching::zone_of_watcher(services, watcher), watcher.at, MORNING) <= now
        }
        Digest::Round => last.is_some_and(|mark| mark.n > n),
        Digest::Turn => game.turn() > watcher.turn,
    }
}

fn letter_to_watcher(
    game: &Game,
    services: &Services,
    head: &Head,
    watcher: &Watcher,
    reply: Option<&ToWatcher>,
) -> Result<OutgoingLetter, OfficeError> {
    let closed = game.live.closed;
    let position = reply.is_none_or(|reply| reply.status);
    let ruleset = game.live.opened.ruleset;
    let ended = game.live.outcome();
    let (mut view, mut brief, mut outcome) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(dyn_game) = game.live.dyn_game.as_ref().filter(|_| position) {
        let seen = View::of(dyn_game.view(None)?, &game.seats);
        view = services.letters.view(ruleset, &seen)?;
        if !closed {
            brief = services.letters.brief(ruleset, &seen)?;
        }
        if closed {
            outcome = services.letters.ending(ruleset, ended.as_ref(), &**dyn_game, &game.seats)?;
        }
    }
    let picture = match map::draws(services) && position {
        true => map::picture(game, None, watcher.n)?,
        false => None,
    };
    let zone = watching::zone_of_watcher(services, watcher).to_owned();
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
        from_before: watcher.n.is_none(),
        since: if position {
            watching::told_since(game, watcher.n.unwrap_or_else(|| game.turn_began()))
        } else {
            Vec::new()
        },
        outcome,
        view,
        brief,
        extra: reply.map(|reply| reply.extra.clone()).unwrap_or_else(|| directors_help(game, watcher)),
        in_full: true,
        html_in_full: reply.is_some_and(|reply| reply.status),
        awaited: match closed || game.live.started.is_none() || !position {
            true => String::new(),
            false => clock::awaited(game, services, None, &zone, &all),
        },
        over: closed,
        watches: !watcher.director,
        directs: watcher.director,
        head: HeadShown { seat: String::new(), ..signed },
        ..Letter::default()
    };
    let tree = services.letters.letter(&letter)?;
    let subject = match reply {
        Some(reply) => format!("Re: {}", postrider_mail::bare_subject(&reply.subject).0),
        None if closed => "the game is over".to_owned(),
        None => called(&game.live.marks),
    };
    let (begins, kind) = watching::watch_names(game, watcher);
    let (unique, kind) = match reply {
        Some(reply) => {
            let mail = reply.mail.to_string();
            (format!("{begins}.re.{}", &mail[..16]), format!("{kind}-{}", &mail[..8]))
        }
        None => {
            let (hash, renewed) = (head.hash.text(), watcher.renewed);
            (format!("{begins}.{}.{}.{renewed}", head.n, &hash.as_str()[..8]), kind)
        }
    };
    Ok(OutgoingLetter {
        picture: picture.and_then(|picture| map::as_inline(game, &picture)),
        thread: reply.map(|reply| reply.thread.clone()),
        ..in_both_forms(game, services, watcher, (unique, kind, subject), &tree)
    })
}

/// Makes a letter to a spectator or director, as text and as HTML.
fn in_both_forms(
    game: &Game,
    services: &Services,
    watcher: &Watcher,
    (unique, kind, subject): (String, String, String),
    tree: &[Section],
) -> OutgoingLetter {
    let token = (0, game.tokens.watch_word(watcher));
    OutgoingLetter {
        html: as_html(game, services, tree, token, &subject),
        token,
        ..OutgoingLetter::plain(unique, kind, subject, text::render(tree), services.now())
    }
}

fn opening_for_watcher(game: &Game, watcher: &Watcher, reply: Option<&ToWatcher>) -> String {
    let place = called(&game.live.marks);
    match reply {
        Some(reply) if !reply.status => String::new(),
        _ if game.live.closed => format!("{}, the game is over.", watcher.name),
        _ if watcher.director => format!(
            "{}, you direct the game {} ({}). Players who want something decided appeal to you, and you are told.",
            watcher.name,
            game.id,
            game.live.opened.ruleset.title()
        ),
        _ if game.live.started.is_none() => {
            format!("{}, you watch this game. It has not begun.", watcher.name)
        }
        _ if watcher.n.is_none() => format!(
            "{}, you watch this game of {} ({place}). You are written to {}.",
            watcher.name,
            game.live.opened.ruleset.title(),
            watcher.digest.words()
        ),
        _ => format!("{}, this is the position of the game that you watch ({place}).", watcher.name),
    }
}

/// Returns the letters to spectators and directors that are due. `reply` is the answer to a mail of
/// one of them, who gets no other letter now.
pub(crate) fn notices(
    game: &Game,
    services: &Services,
    reply: Option<&(Watcher, ToWatcher)>,
) -> Result<Notices, OfficeError> {
    let mut all = Notices { letters: appeals(game, services)?, kept: Vec::new() };
    let answered = |watcher: &Watcher| reply.is_some_and(|(whose, _)| whose.address == watcher.address);
    for watcher in game.secrets.watchers.iter().filter(|watcher| !answered(watcher)) {
        if is_due_for(game, services, watcher) {
            all.add(notice(game, services, watcher, None)?);
        }
    }
    if let Some((watcher, reply)) = reply {
        all.add(notice(game, services, watcher, Some(reply))?);
    }
    Ok(all)
}

/// Returns letters to the directors with the appeals and messages to them whose authors have not
/// been answered yet.
fn appeals(game: &Game, services: &Services) -> Result<Vec<(Player, OutgoingLetter)>, OfficeError> {
    let mut letters = Vec::new();
    for (n, message) in game.messages().filter(|(_, message)| message.to.contains(&Party::Directors)) {
        let Party::Seat(seat) = message.by else { continue };
        if game.secrets.written.get(&seat).is_some_and(|written| written.n >= n) {
            continue;
        }
        for director in directors::all(game) {
            let letter = match game.live.motions.directors().is_appeal(n) {
                true => appeal(game, services, director, (n, message))?,
                false => passed_on(game, services, director, (seat, n, message)),
            };
            letters.push((as_reader(director), letter));
        }
    }
    Ok(letters)
}

/// Writes the letter with a player's message to the directors.
fn passed_on(
    game: &Game,
    services: &Services,
    director: &Watcher,
    (seat, n, message): (Seat, u64, &Message),
) -> OutgoingLetter {
    let who = messages::party_in_words(&game.seats.at(n), message.by, Party::Directors);
    let sections = [Section::of([
        Block::paragraph(format!("{who} to the directors (game {}, entry {n}):", game.id), 0),
        messages::said(message),
        Block::paragraph("To answer:", 0),
        Block::Orders(vec![format!("tell {seat}: …")]),
    ])];
    let (begins, kind) = watching::watch_names(game, director);
    let named =
        (format!("{begins}.words.{n}"), format!("{kind}-words{n}"), format!("{who} to the directors, entry {n}"));
    in_both_forms(game, services, director, named, &sections)
}

/// Writes the letter about an appeal: its text, the end of the story, and orders to see more.
fn appeal(
    game: &Game,
    services: &Services,
    director: &Watcher,
    (n, message): (u64, &Message),
) -> Result<OutgoingLetter, OfficeError> {
    let who = messages::party_in_words(&game.seats.at(n), message.by, Party::Directors);
    // The position before the last order that preceded the appeal.
    let before = game.facts.decided.iter().rfind(|decided| decided.n < n).map(|decided| decided.n.saturating_sub(1));
    let mut looks = vec!["log 30".to_owned(), "show".to_owned(), format!("rule on {n}: reason")];
    looks.extend(
        before.into_iter().flat_map(|n| [format!("show at entry {n}"), format!("rewind to entry {n}: reason")]),
    );
    looks.push("help".to_owned());
    let sections = [
        Section::of([
            Block::paragraph(format!("{who} appeals (game {}, entry {n}); the game goes on meanwhile:", game.id), 0),
            messages::said(message),
            Block::paragraph(LAST, 0),
        ]),
        story::entries(game, APPEAL_LINES)?,
        Section::of([
            Block::paragraph("To look further, and to decide, reply with any of these lines:", 0),
            Block::Orders(looks),
        ]),
    ];
    let (begins, kind) = watching::watch_names(game, director);
    let named = (format!("{begins}.appeal.{n}"), format!("{kind}-appeal{n}"), format!("{who} appeals, entry {n}"));
    Ok(in_both_forms(game, services, director, named, &sections))
}

/// Returns the help for directors, if this is the first letter to one.
fn directors_help(game: &Game, watcher: &Watcher) -> Vec<Section> {
    if watcher.director && watcher.n.is_none() && !game.live.closed {
        vec![director_orders::help(game.live.opened.ruleset)]
    } else {
        Vec::new()
    }
}

/// Writes a letter to a spectator or director, as an answer to a mail or because it is due.
///
/// # Errors
/// [`OfficeError`] if it cannot be written.
fn notice(
    game: &Game,
    services: &Services,
    watcher: &Watcher,
    reply: Option<&ToWatcher>,
) -> Result<Notices, OfficeError> {
    let head = game.head();
    let told = reply.is_none_or(|reply| reply.status);
    // A daily digest without news counts as sent.
    let silent =
        reply.is_none() && watcher.n.is_some_and(|n| watching::told_since(game, n).is_empty()) && !game.live.closed;
    let mut notices = Notices::default();
    if !silent {
        let letter = letter_to_watcher(game, services, &head, watcher, reply)?;
        notices.letters.push((as_reader(watcher), letter));
    }
    if told {
        let (turn, over) = (game.turn(), game.live.closed);
        let (n, hash, at) = (Some(head.n), Some(head.hash), services.now().timestamp());
        notices.kept.push(Kept::Watcher(Watcher { n, hash, turn, at, over, ..watcher.clone() }));
    }
    Ok(notices)
}

/// Returns a spectator or director as the recipient of a letter.
pub(crate) fn as_reader(watcher: &Watcher) -> Player {
    let Watcher { address, name, zone, .. } = watcher.clone();
    Player { seat: Seat(0), name, address, salt: Hash::ZERO, zone }
}
