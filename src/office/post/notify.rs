//! The letters that are due, put into the outbox.

use crate::{
    error::OfficeError,
    game::{
        advice::{self, Wanted},
        clock, messages, undoing,
    },
    post::{
        due::Due,
        host, invitation,
        letter::{self, Beside},
        reply::Reply,
        watchers,
    },
    services::Services,
    transaction::Transaction,
};
use postrider_store::{Messages, Written};
use postrider_table::{PromptId, Seat};
use std::collections::BTreeMap;

/// Puts the letters that are due now into the outbox, and keeps in mind that it was done.
pub(crate) fn notify(
    tx: &mut Transaction,
    services: &Services,
    reply: Option<(Seat, Reply)>,
) -> Result<(), OfficeError> {
    let head = tx.head();
    let all = tx.asked()?;
    let mut rewound = std::mem::take(&mut tx.rewind_reports);
    let mut news = BTreeMap::new();
    let mut dues = Vec::new();
    for player in tx.seats.players.clone() {
        if !player.by_mail() {
            continue;
        }
        let mut old = tx.secrets.written.get(&player.seat).cloned().unwrap_or_default();
        // Who takes a seat over has read nothing yet; what was decided before him he need not be told.
        let taken = tx.facts.reseated.get(&player.seat).copied().filter(|&n| n > old.n);
        let since = taken.unwrap_or(old.n);
        if taken.is_some() {
            old = Written { invited: true, ..Written::default() };
        }
        let mine = all.iter().filter(|asked| asked.seat == player.seat && (asked.required || asked.urgent));
        let asked: Vec<PromptId> = mine.map(|asked| asked.id).collect();
        let (clock, reminded) = tx.live.deadlines.news(player.seat, since, &asked);
        let due = Due {
            taken: taken.is_some(),
            clock,
            reminded,
            fresh: asked.iter().any(|id| !old.asked.contains(id)),
            turn: tx.turn() > old.turn && tx.pace(player.seat).digest.is_none(),
            digest: watchers::digest_due(tx, services, player.seat, &old, since),
            over: tx.live.closed && !old.over,
            invitation: (!old.invited || taken.is_some()) && tx.live.started.is_none() && !tx.live.closed,
            words: tx.pace(player.seat).messages == Messages::Now
                && tx.pace(player.seat).digest.is_none()
                && !messages::messages_to(tx, player.seat, since).is_empty(),
            ruled: tx.facts.rulings.iter().any(|&n| n > since),
            rewound: tx.facts.rewinds.iter().any(|r| r.n > since && r.taken_back().is_none()),
        };
        dues.push((player, old, (since, taken), asked, due));
    }
    host::write_to_host(tx, services, &head)?;
    watchers::write_to_watchers(tx, services, &head)?;
    for (player, old, (since, taken), asked, due) in dues {
        let seat = player.seat;
        let reply = reply.as_ref().filter(|(whose, _)| *whose == seat).map(|(_, reply)| reply);
        let invited = old.invited && !due.invitation;
        if tx.live.started.is_none() && !tx.live.closed && reply.is_none() && invited && !due.words {
            continue;
        }
        if reply.is_none() && undoing::unanswered_back(tx) == Some(seat) {
            continue;
        }
        let (n, hash, at) = (head.n, Some(head.hash), services.environment.now().timestamp());
        let new = Written { n, hash, asked, turn: tx.turn(), invited: true, over: tx.live.closed, at };
        if reply.is_none() && !due.any() {
            // What was asked once and is no longer may be asked again.
            if new.asked != old.asked {
                news.insert(seat, Written { n: old.n, hash: old.hash, at: old.at, ..new });
            }
            continue;
        }
        let letter = if due.invitation && reply.is_none() {
            let mut letter = invitation::invitation(tx, services, &player)?;
            if let Some(n) = taken {
                letter.unique = format!("{}-{n}", letter.unique);
                letter.kind = format!("{}-{n}", letter.kind);
            }
            letter
        } else {
            if due.clock {
                let notes = clock::clock_notes(tx, services, seat, since, &all);
                tx.notes.extend(notes.into_iter().map(|note| (seat, note)));
            }
            let mut extra = Vec::new();
            extra.extend(messages::messages_shown(tx, &messages::messages_to(tx, seat, since), seat));
            extra.extend(tx.live.started.filter(|begun| begun.n > since).map(|_| letter::words_for_luck(tx)));
            if (due.fresh || reply.is_some_and(|reply| reply.status)) && advice::is_listed(tx, services, seat) {
                extra.push(advice::advice(tx, services, seat, Wanted::Opinion)?);
            }
            if due.rewound {
                extra.extend(rewound.report(tx, services, seat, since)?);
            }
            let back = reply.is_some_and(|reply| {
                reply.order_report.as_ref().is_some_and(|order_report| !order_report.done.is_empty())
            }) && undoing::can_take_back(tx, seat).is_ok();
            letter::letter(tx, services, &player, &old, &due, reply, &Beside { extra, back, all: &all })?
        };
        tx.send(services, &head, &player, &letter)?;
        if new != old {
            news.insert(seat, new);
        }
    }
    tx.notes.clear();
    tx.rewind_reports = rewound;
    let (mail, copies) = reply.map_or((None, None), |(_, reply)| (Some(reply.mail), reply.copies));
    tx.keep_written(news, mail, copies)?;
    Ok(())
}
