//! Descriptions of motions: proposals, their outcomes, and how to vote.

use crate::{error::OfficeError, game::Game, services::Services};
use chrono::DateTime;
use postrider_audit::Disclosed;
use postrider_journal::{MotionFault, OpenMotion, SERVICE, What};
use postrider_letters::{Block, Section, capital};
use postrider_orders::{list_and, spelt};
use postrider_replay::deadlines::{moment, span};
use postrider_table::{RANDOM, Seat};
use std::collections::BTreeMap;

/// Returns the bot that plays on for players who have given the game up.
pub(crate) fn conceded_bot(game: &Game) -> &str {
    let steady = || game.live.opened.ruleset.bots().iter().map(|bot| bot.name).find(|name| *name == "steady");
    game.secrets.conceded_bot.as_deref().or_else(steady).unwrap_or(RANDOM.name)
}

/// Returns `true` if a seat has conceded or lost on time.
pub(crate) fn is_out(game: &Game, seat: Seat) -> bool {
    game.live.motions.has_conceded(game.live.seat_name(seat))
}

/// Names the players who have given the game up and those for whom a bot stands in, one sentence
/// each.
pub(crate) fn gone(game: &Game) -> Vec<String> {
    let plays = match game.live.closed {
        true => String::new(),
        false => format!("; the bot {} plays the seat", conceded_bot(game)),
    };
    let gone = game.live.motions.conceded_after(0);
    let gone = gone.map(|(n, seat)| format!("{} has conceded (entry {n}){plays}.", called(game, seat)));
    let players =
        game.seats.players.iter().map(|player| player.seat).filter(|seat| !game.live.closed && !is_out(game, *seat));
    let stands_in =
        |seat: Seat| Some(format!("The bot {} stands in for {}.", game.stand_in(seat)?, game.seats.called(seat)));
    gone.chain(players.filter_map(stands_in)).collect()
}

/// Names, for an invitation, the bot that plays on for players who give the game up; `None` if that
/// ends the game.
pub(crate) fn plays_on(game: &Game) -> Option<String> {
    let said = || format!("If you concede, the bot {} plays on for you.", conceded_bot(game));
    (game.live.opened.seats.len() > 2).then(said)
}

/// Returns the open motions that await the vote of a seat, oldest first.
pub(crate) fn awaiting<'g>(game: &'g Game, services: &Services, seat: Seat) -> impl Iterator<Item = &'g OpenMotion> {
    let name = game.live.seat_name(seat);
    game.live.motions.open_at(services.now().timestamp()).filter(move |open| open.awaits(name))
}

/// Returns the last proposal of a seat that has lapsed, if it comes after entry `after`.
pub(crate) fn lapsed<'g>(game: &'g Game, services: &Services, seat: Seat, after: u64) -> Option<&'g OpenMotion> {
    let name = game.live.seat_name(seat);
    game.live.motions.lapsed(services.now().timestamp()).filter(|lapsed| lapsed.by == name && lapsed.n > after).last()
}

/// Returns the time at which the next open proposal lapses, in seconds since 1970.
pub(crate) fn next_lapse(game: &Game, services: &Services) -> Option<i64> {
    game.live.motions.open_at(services.now().timestamp()).map(|open| open.until).min()
}

/// Returns `true` if a motion after entry `after` awaits the vote of a seat.
pub(crate) fn awaits(game: &Game, services: &Services, seat: Seat, after: u64) -> bool {
    awaiting(game, services, seat).any(|open| open.n > after)
}

/// Returns the motions of others that were open after entry `seen`, so that a letter of then shows
/// them to a seat.
pub(crate) fn shown_at(game: &Game, services: &Services, seat: Seat, seen: u64) -> Vec<u64> {
    let (motions, name) = (&game.live.motions, game.live.seat_name(seat));
    let open = awaiting(game, services, seat).map(|open| open.n);
    let carried = motions.all_carried().filter(|(_, one)| one.at > seen && one.by != name).map(|(n, _)| n);
    let failed = motions.all_failed().filter(|(_, one)| one.at > seen && one.by != name).map(|(n, _)| n);
    open.chain(carried).chain(failed).filter(|n| *n <= seen).collect()
}

/// Returns the entries of the first open motion that awaits the vote of a seat, and of the seat's
/// own.
pub(crate) fn open_to(game: &Game, services: &Services, seat: Seat) -> (Vec<u64>, Option<u64>) {
    let (name, now) = (game.live.seat_name(seat), services.now().timestamp());
    let own = game.live.motions.open_at(now).find(|open| open.by == name);
    (awaiting(game, services, seat).map(|open| open.n).collect(), own.map(|open| open.n))
}

/// Returns the outcomes of motions after entry `after`, one sentence each.
pub(crate) fn decided(game: &Game, seat: Seat, after: u64) -> Vec<String> {
    let motions = &game.live.motions;
    let mut all: Vec<(u64, String)> = Vec::new();
    for (n, carried) in motions.all_carried().filter(|(_, carried)| carried.at > after) {
        let by = called(game, &carried.by);
        let what = in_words(game, &carried.what, Some(seat));
        all.push((
            carried.at,
            match (&carried.what, game.live.seat(&carried.by)) {
                (What::Concede {} | What::Forfeit {}, _) => {
                    let why = match carried.what {
                        What::Forfeit {} => "has not answered in time and loses the game",
                        _ => "has conceded",
                    };
                    let then = match motions.closed() {
                        None => format!("; the bot {} plays the seat to the end", conceded_bot(game)),
                        Some(_) => String::new(),
                    };
                    format!("{by} {why} (entry {n}){then}.")
                }
                (_, Some(_)) => format!("Agreed, as {by} proposed (entry {n}): {what}."),
                (_, None) if carried.reason.is_empty() => format!("{} has decided (entry {n}): {what}.", capital(&by)),
                (_, None) => {
                    let why = carried.reason.trim_end_matches('.');
                    format!("{} has decided (entry {n}): {what}. Reason: {why}.", capital(&by))
                }
            },
        ));
    }
    for (n, failed) in motions.all_failed().filter(|(_, failed)| failed.at > after) {
        let (by, what) = (called(game, &failed.by), in_words(game, &failed.what, Some(seat)));
        all.push((
            failed.at,
            match &failed.against {
                Some(against) => format!("{} did not agree that {what} (entry {n}, by {by}).", called(game, against)),
                None => format!("It is no longer proposed that {what} (entry {n}, by {by})."),
            },
        ));
    }
    all.sort();
    all.into_iter().map(|(_, said)| said).collect()
}

/// Returns the open motions that await a seat's vote, each with its `n`.
pub(crate) fn to_vote_on(game: &Game, services: &Services, seat: Seat) -> Vec<(u64, String)> {
    let open = awaiting(game, services, seat);
    open.map(|open| {
        let (by, what) = (called(game, &open.by), in_words(game, &open.what, Some(seat)));
        let why = if open.reason.is_empty() { String::new() } else { format!(" Reason: {}.", open.reason) };
        let who = match open.needs {
            needs if needs == open.awaits.len() => "all have".to_owned(),
            1 => "one more has".to_owned(),
            needs => format!("{} more have", spelt(needs)),
        };
        let (stays, until) = (stays(game, &open.what), until(game, services, seat, open));
        let said = format!(
            "{by} proposes that {what}.{why}{stays} It is done once {who} agreed; the game goes on meanwhile. You have until {until} \
             to answer:"
        );
        (open.n, said)
    })
    .collect()
}

/// Returns the time until which a motion can be voted on.
fn until(game: &Game, services: &Services, seat: Seat, open: &OpenMotion) -> String {
    DateTime::from_timestamp(open.until, 0).map(|at| moment(at, game.zone(services, seat))).unwrap_or_default()
}

/// Returns the open motions that await a seat's vote, with the two answers to each, and the seat's
/// own motions. `told` is the last of these of which it was told that it has lapsed.
///
/// # Errors
/// [`OfficeError`] if the journal cannot be read.
pub(crate) fn open(game: &Game, services: &Services, seat: Seat, told: u64) -> Result<Vec<Section>, OfficeError> {
    let (name, now) = (game.live.seat_name(seat), services.now().timestamp());
    let asked: BTreeMap<u64, String> = to_vote_on(game, services, seat).into_iter().collect();
    let mut sections = Vec::new();
    if let Some(lapsed) = lapsed(game, services, seat, told) {
        let awaits: Vec<String> = lapsed.awaits.iter().map(|seat| called(game, seat)).collect();
        let (n, have) = (lapsed.n, if awaits.len() == 1 { "has" } else { "have" });
        let who = list_and(&awaits);
        let said = format!("Your proposal of entry {n} has lapsed: {who} {have} not answered in time.");
        sections.push(Section::paragraph(said));
    }
    for open in game.live.motions.open_at(now) {
        let n = open.n;
        if open.by == name {
            let (what, until) = (in_words(game, &open.what, Some(seat)), until(game, services, seat, open));
            let awaits: Vec<String> = open.awaits.iter().map(|seat| called(game, seat)).collect();
            sections.push(Section::paragraph(format!(
                "You propose that {what} (entry {n}), and await the answer of {}, until {until}. `withdraw {n}` takes it back.{}",
                list_and(&awaits),
                stays(game, &open.what)
            )));
        } else if let Some(said) = asked.get(&n) {
            let answers = Block::Orders(vec![format!("agree {n}"), format!("disagree {n}")]);
            sections.push(Section::of(vec![Block::paragraph(format!("PROPOSAL. {said}"), 0), answers]));
            sections.extend(learned(game, open, seat)?);
        }
    }
    Ok(sections)
}

/// Names the players who play again because a rewind annuls their concessions, if any; `would` is
/// `true` if the rewind is only planned.
pub(crate) fn play_again<'g>(
    game: &Game,
    annulled: impl Iterator<Item = (u64, &'g str)>,
    would: bool,
) -> Option<String> {
    let one = |(n, seat): (u64, &str)| {
        let what = match game.live.motions.carried(n).map(|carried| &carried.what) {
            Some(What::Forfeit {}) => "loss on time",
            _ => "concession",
        };
        let (plays, is) = if would { ("would play", "would be") } else { ("plays", "is") };
        format!("{} {plays} again: the {what} of entry {n} {is} undone.", called(game, seat))
    };
    let all: Vec<String> = annulled.map(one).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Names the players who have given the game up since the entry to which a motion would go back; ""
/// if there are none. An agreement of the others does not undo that.
fn stays(game: &Game, what: &What) -> String {
    let What::Back { to, .. } = what else { return String::new() };
    let gone: Vec<String> = game.live.motions.conceded_after(*to).map(|(_, seat)| called(game, seat)).collect();
    match gone.as_slice() {
        [] => String::new(),
        [one] => format!(" {one} has conceded since then; that stays."),
        all => format!(" {} have conceded since then; that stays.", list_and(all)),
    }
}

/// Returns the information revealed in the entries that a motion to go back would undo.
fn learned(game: &Game, open: &OpenMotion, seat: Seat) -> Result<Option<Section>, OfficeError> {
    let What::Back { to, .. } = open.what else { return Ok(None) };
    let disclosed = Disclosed::between(&game.source, to, open.n)?;
    Ok(Some(disclosed.report(Some(seat), &game.seats, &[])))
}

/// Returns a clause that describes a motion's effect, to follow "that".
pub(crate) fn in_words(game: &Game, what: &What, reader: Option<Seat>) -> String {
    match what {
        What::Concede {} | What::Forfeit {} => "the game is conceded".to_owned(),
        What::Result(places) if places.is_empty() => "the game is abandoned".to_owned(),
        What::Result(places) => result_in_words(game, places),
        What::Back { to, within } => {
            let at = if within.is_some() { "the beginning of" } else { "in" };
            let mark = game.live.step_log.mark(*to);
            let label = mark.as_ref().map(|mark| mark.label.trim_end_matches(['.', ' ']));
            let place = label.map(|label| format!(", {at} {label}"));
            format!("play goes back to entry {to}{}", place.unwrap_or_default())
        }
        What::Extend { seconds } => {
            let more = span(i64::try_from(*seconds).unwrap_or(i64::MAX));
            format!("everybody gets {more} more for open questions")
        }
        What::Pause { until } => {
            let zone = reader.and_then(|seat| game.secrets.zones.get(&seat)).map_or("UTC", String::as_str);
            let at = DateTime::parse_from_rfc3339(until).map(|at| moment(at.to_utc(), zone));
            format!("all deadlines stop until {}", at.unwrap_or_else(|_| until.clone()))
        }
    }
}

/// Describes a result: `the game ends in a draw`, `the game ends and Ben wins`, `the game ends: 1.
/// Ben, 2. Anna and Carl`.
fn result_in_words(game: &Game, places: &BTreeMap<String, u64>) -> String {
    let mut by_place: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (seat, place) in places {
        by_place.entry(*place).or_default().push(called(game, seat));
    }
    match by_place.iter().collect::<Vec<_>>().as_slice() {
        [_] if places.len() > 1 => "the game ends in a draw".to_owned(),
        [(_, winners), rest @ ..]
            if winners.len() > 1 && rest.iter().all(|(place, _)| **place > winners.len() as u64) =>
        {
            format!("the game ends in a draw of {}", list_and(winners))
        }
        [(_, winners), (_, _)] if winners.len() == 1 => format!("the game ends and {} wins", winners[0]),
        all => {
            let rows: Vec<String> = all.iter().map(|(place, names)| format!("{place}. {}", list_and(names))).collect();
            format!("the game ends: {}", rows.join(", "))
        }
    }
}

/// Returns the name of a seat's player in letters, or of a director.
pub(crate) fn called(game: &Game, by: &str) -> String {
    match game.live.seat(by) {
        Some(seat) => game.seats.called(seat),
        None if by == SERVICE => "the host".to_owned(),
        None => by.to_owned(),
    }
}

/// Returns the reason for refusing a motion or a vote, for its author.
pub(crate) fn refusal(game: &Game, services: &Services, why: &MotionFault) -> String {
    match why {
        MotionFault::BeforeStart(_) => "The game has not begun.".to_owned(),
        MotionFault::AfterEnd(..) => "The game is over.".to_owned(),
        MotionFault::Conceded(_) => "You have conceded: your seat can no longer vote or propose.".to_owned(),
        MotionFault::Second { n, .. } => {
            format!("Your proposal of entry {n} is still open: `withdraw {n}` takes it back first.")
        }
        MotionFault::NoVoters => "There is nobody who could agree: no other seat is played by a person.".to_owned(),
        MotionFault::NotOpen(n) => format!("Entry {n} is not an open proposal. {}", open_ones(game, services)),
        MotionFault::Late(n) => format!("The time to answer the proposal of entry {n} is over."),
        MotionFault::NoVote { n, .. } => {
            let of = game.live.motions.open_at(services.now().timestamp()).find(|open| open.n == *n);
            let awaits: Vec<String> = of.iter().flat_map(|open| &open.awaits).map(|seat| called(game, seat)).collect();
            format!("The proposal of entry {n} awaits the answer of {}, not yours.", list_and(&awaits))
        }
        MotionFault::Back(to) => format!("Entry {to} is not before this one."),
        MotionFault::Unplaced(seat) => format!("Every player needs a place, and {} has none.", called(game, seat)),
        MotionFault::Places => {
            "Every player needs a place: 1 more than the number of players above. Those who have conceded come last."
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// Lists the open proposals.
pub(crate) fn open_ones(game: &Game, services: &Services) -> String {
    let open = game.live.motions.open_at(services.now().timestamp());
    let open: Vec<String> = open.map(|open| open.n.to_string()).collect();
    match open.as_slice() {
        [] => "No proposal is open.".to_owned(),
        [one] => format!("Open is that of entry {one}."),
        several => format!("Open are those of entries {}.", list_and(several)),
    }
}
