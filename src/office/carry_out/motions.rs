//! The commands by which players propose, vote and concede.

use crate::{
    carry_out::{barred, directing::result, order, work::Work},
    dates::Until,
    error::NotDone,
    game::{
        Game, clock,
        local_time::{at_local, local_day},
        motions, refusals, undoing,
    },
    reading::request::Request,
    services::Services,
    transaction::{
        Transaction,
        motions::{self as changes, Proposal},
    },
};
use chrono::SecondsFormat;
use postrider_journal::{Ballot, Body, OpenMotion, Via, What};
use postrider_orders::{People, Phrase, list_and, without_courtesies};
use postrider_replay::Checkpoint;
use postrider_table::Seat;

/// Maximum extension that can be proposed, in days.
const LONGEST_EXTENSION: i64 = 90;

/// Returns the valid forms of proposals, for the answer to an invalid one.
fn forms(game: &Game, seat: Seat) -> String {
    let names: Vec<String> = game.seats.players.iter().map(|player| player.name.to_lowercase()).collect();
    let other = game.seats.players.iter().find(|player| player.seat != seat).map_or("", |player| player.name.as_str());
    let ranking: Vec<String> = (1..).zip(&names).map(|(place, name)| format!("{name} {place}")).collect();
    format!(
        "You can propose `propose draw`, `propose end: {} wins`, `propose end: {}`, `propose back to turn 4 round 2`, `propose \
         extend 3 days` and `propose pause until monday`",
        other.to_lowercase(),
        ranking.join(", ")
    )
}

/// Carries out a player's proposal, vote or concession. Returns a report.
pub(crate) fn take(
    tx: &mut Transaction,
    services: &Services,
    request: &Request,
    line: &str,
    work: &Work<'_>,
) -> Result<String, NotDone> {
    let (seat, words) = (work.seat, order::words(tx, work.seat, work.from, line));
    let name = tx.live.seat_name(seat).to_owned();
    // The same mail carried it out before the program ended.
    if words.is_some_and(|words| tx.facts.moved.contains(&words)) {
        return Ok(line.to_owned());
    }
    if let Some(why) = barred::from_motions(tx, seat, work.from, work.access)? {
        return Err(NotDone::why(why));
    }
    let propose = |tx: &mut Transaction, what: What, reason: String| {
        changes::propose(
            tx,
            services,
            &Proposal { by: name.clone(), what, reason, rollouts: None, via: changes::via(words), words },
        )
    };
    match request {
        Request::Concede => {
            propose(tx, What::Concede {}, String::new())?;
            Ok("concede: you have conceded the game".to_owned())
        }
        Request::Propose(wanted) => {
            let what = proposed(tx, services, seat, wanted).map_err(NotDone::why)?;
            let n = propose(tx, what, String::new())?;
            Ok(format!("proposed to all (entry {n})"))
        }
        Request::Vote(agrees, of) => {
            let of = of.ok_or_else(|| NotDone::why(which_to_vote_on(tx, services, seat)))?;
            let ballot = if *agrees { Ballot::Agree } else { Ballot::Disagree };
            changes::vote(tx, services, name.clone(), (of, ballot), words)?;
            Ok(format!("{} to the proposal of entry {of}", if *agrees { "agreed" } else { "disagreed" }))
        }
        Request::Withdraw(of) => {
            let own = || motions::open_to(tx, services, seat).1;
            let none = || NotDone::why("No proposal of yours is open.");
            let of = of.or_else(own).ok_or_else(none)?;
            changes::vote(tx, services, name.clone(), (of, Ballot::Withdraw), words)?;
            Ok(format!("withdrawn: your proposal of entry {of}"))
        }
        _ => Err(NotDone::why("This is not a command about proposals.")),
    }
}

/// Lists the proposals on which a seat can vote, if the answered letter does not show exactly one.
fn which_to_vote_on(game: &Game, services: &Services, seat: Seat) -> String {
    match motions::awaiting(game, services, seat).next() {
        None => "No proposal awaits your answer.".to_owned(),
        Some(OpenMotion { n: first, .. }) => {
            let all = motions::open_ones(game, services);
            format!(
                "It is not clear which proposal you mean. {all} Please say which, as in `agree {first}` or `disagree {first}`."
            )
        }
    }
}

/// Parses the words after `propose`, ignoring politeness.
fn proposed(game: &Game, services: &Services, seat: Seat, wanted: &str) -> Result<What, String> {
    let phrase = Phrase::new(wanted);
    let whole = proposal(game, services, seat, &phrase);
    let people = People::new(game.seats.players.iter().map(|player| &player.name));
    let polite = without_courtesies(&phrase, &people);
    polite.iter().find_map(|said| proposal(game, services, seat, said).ok()).map_or(whole, Ok)
}

fn proposal(game: &Game, services: &Services, seat: Seat, phrase: &Phrase) -> Result<What, String> {
    let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let after = |n: usize| match (phrase.words().get(n), phrase.words().last()) {
        (Some(first), Some(last)) => phrase.line().chars().take(last.end).skip(first.start).collect(),
        _ => String::new(),
    };
    let ends = |place: &dyn Fn(&str) -> u64| What::Result(game.live.motions.ranked(place));
    match words.as_slice() {
        ["draw"] | ["a", "draw"] | ["end", "draw"] => Ok(ends(&|_| 1)),
        ["end", winner @ .., "wins"] if !winner.is_empty() => {
            let name = winner.join(" ");
            match game.seats.seats_named(&name)[..] {
                [seat] => {
                    let winner = game.live.seat_name(seat).to_owned();
                    if game.live.motions.has_conceded(&winner) {
                        return Err(format!("{} has conceded.", game.seats.called(seat)));
                    }
                    Ok(ends(&|one| if one == winner { 1 } else { 2 }))
                }
                _ => Err(format!("“{name}” names no player of this game.")),
            }
        }
        ["end" | "result", _, ..] if result::places(game, &after(1)).is_ok() => {
            result::places(game, &after(1)).map(What::Result).map_err(|why| why.to_string())
        }
        ["back", "to", _, ..] => back(game, services, &after(2)),
        ["back", _, ..] => back(game, services, &after(1)),
        ["extend", rest @ ..] | ["extension", rest @ ..] if !rest.is_empty() => {
            let zone = services.host.settings.time_zone.clone();
            let time = after(1 + usize::from(matches!(rest, ["by" | "of" | "for", _, ..])));
            let by = Until::read(&time, local_day(&zone, services.now()));
            has_clock(game)?;
            match by {
                Some(Until::In(delta)) if (1..=LONGEST_EXTENSION * 24).contains(&delta.num_hours()) => {
                    Ok(What::Extend { seconds: delta.num_seconds().unsigned_abs() })
                }
                _ => Err(format!(
                    "“{time}” is not a time of up to {LONGEST_EXTENSION} days. Write how much more, such as `propose extend 3 days`."
                )),
            }
        }
        ["pause", rest @ ..] if !rest.is_empty() => {
            let (zone, now) = (game.zone(services, seat).to_owned(), services.now());
            let time = after(1 + usize::from(matches!(rest, ["until" | "for", _, ..])));
            let until = match Until::read(&time, local_day(&zone, now)) {
                Some(Until::At(at)) => at,
                Some(Until::Local(at)) => at_local(&zone, at),
                Some(Until::In(delta)) => now + delta,
                None => return Err(format!("“{time}” is not a day or time.")),
            };
            has_clock(game)?;
            match (until - now).num_days() {
                _ if until <= now => Err("That is past.".to_owned()),
                0..=LONGEST_EXTENSION => Ok(What::Pause { until: until.to_rfc3339_opts(SecondsFormat::Secs, true) }),
                _ => Err(format!("A pause lasts {LONGEST_EXTENSION} days at most.")),
            }
        }
        ["pause", ..] => Err("Say until when: `propose pause until monday`.".to_owned()),
        all => Err(format!("“{}” cannot be proposed. {}.", all.join(" "), forms(game, seat))),
    }
}

/// Returns the motion to go back to the point in these words.
fn back(game: &Game, services: &Services, words: &str) -> Result<What, String> {
    let wanted = words.parse::<Checkpoint>().map_err(|why| why.to_string());
    let point = wanted.and_then(|wanted| undoing::find(game, services, &wanted).map_err(|why| why.to_string()));
    let point = point.map_err(|why| refusals::sentence(&why))?;
    if point.within.is_some() && game.live.step_log.with_round(point.to).is_none() {
        return Err(format!("That Round is undone. Propose `back entry {}`, the end of its order.", point.to));
    }
    Ok(What::Back { to: point.to, within: point.within })
}

fn has_clock(game: &Game) -> Result<(), String> {
    clock::clocked(game).map_err(|why| format!("{why}."))?;
    match game.live.deadlines.paused() {
        true => Err("The game is paused: all clocks are already stopped.".to_owned()),
        false => Ok(()),
    }
}

/// Describes the consequences of a concession, for the request to confirm it.
pub(crate) fn what_it_means(game: &Game, services: &Services, seat: Seat) -> String {
    let (by, what) = (game.live.seat_name(seat).to_owned(), What::Concede {});
    let proposal = Proposal { by, what, reason: String::new(), rollouts: None, via: Via::Cli, words: None };
    let (mut then, n) = (game.live.motions.clone(), game.head().n + 1);
    let heard = then.hear(n, &services.at(), &Body::Motion(proposal.motion()));
    let Some(places) = heard.ok().and_then(|()| then.places(n)) else {
        let bot = motions::conceded_bot(game);
        return format!("You rank behind all who play on; the bot {bot} plays your pieces to the end.");
    };
    let first = places.iter().filter(|(_, place)| **place == 1).map(|(seat, _)| motions::called(game, seat));
    match first.collect::<Vec<_>>().as_slice() {
        [] => "The game ends.".to_owned(),
        [one] => format!("The game ends, and {one} wins."),
        all => format!("The game ends in a draw of {}.", list_and(all)),
    }
}
