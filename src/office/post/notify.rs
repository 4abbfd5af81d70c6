//! The letters that are due. They are only composed here.

use crate::{
    error::OfficeError,
    game::{
        Game,
        advice::{self, Wanted},
        clock, messages, motions, undoing,
    },
    post::{
        due::Addressee,
        farewell::farewell,
        host, invitation,
        letter::{self, Beside},
        offers::{self, Offer},
        watchers,
    },
    services::Services,
    transaction::{
        news::{Answer, News, Notices},
        reply::Reply,
    },
};
use postrider_letters::Section;
use postrider_store::{Kept, OutgoingLetter, Written};
use postrider_table::Asked;
use std::collections::BTreeMap;

/// Returns the letters that are due now: to the host, spectators, directors and players.
///
/// # Errors
/// [`OfficeError`] if the rules or a template fail.
pub(crate) fn notify(game: &Game, services: &Services, mut news: News) -> Result<Notices, OfficeError> {
    let all = game.asked()?;
    let mut notices = Notices { letters: host::letters(game, services)?, kept: Vec::new() };
    let (reply, to_watcher) = match news.answer.take() {
        Some(Answer::Player(seat, reply)) => (Some((seat, reply)), None),
        Some(Answer::Watcher(watcher, reply)) => (None, Some((watcher, reply))),
        None => (None, None),
    };
    notices.add(watchers::notices(game, services, to_watcher.as_ref())?);
    let mut told = BTreeMap::new();
    let (head, turn, over) = (game.head(), game.turn(), game.live.closed);
    let (n, hash, at) = (head.n, Some(head.hash), services.now().timestamp());
    for player in game.seats.players.clone() {
        let (seat, to) = (player.seat, Some(player.commitment()));
        let gone = farewell(game, services, &player);
        if !player.by_mail() {
            told.extend(gone.is_some().then(|| (seat, Written { n, hash, at, to, ..Written::default() })));
            notices.letters.extend(gone);
            continue;
        }
        let addressee = Addressee::of(game, services, player, &all);
        let reply = reply.as_ref().filter(|(whose, _)| *whose == seat).map(|(_, reply)| reply);
        if passed_over(game, &addressee, reply) {
            continue;
        }
        let Addressee { player, old, asked, due, .. } = &addressee;
        let (asked_in, offered) = (old.asked_in.clone(), old.offered.clone());
        let lapsed = motions::lapsed(game, services, seat, old.lapsed).map_or(old.lapsed, |lapsed| lapsed.n);
        let asked = asked.clone();
        let mut new = Written { n, hash, asked, asked_in, turn, invited: true, over, to, at, offered, lapsed };
        if reply.is_none() && !due.any() {
            // A question that is no longer open may be asked again.
            if new.asked != old.asked {
                told.insert(seat, Written { n: old.n, hash: old.hash, at: old.at, ..new });
            }
            continue;
        }
        let offer = offers::offered(game, services, seat, old)?;
        let (kind, offered) = offer.map(|Offer { kind, section }| (kind, section)).unzip();
        let letter = to_player(game, services, &mut news, &addressee, reply, (&all, offered))?;
        if let Some(kind) = kind.filter(|kind| letter.text.contains(&format!("standing {kind} end"))) {
            *new.offered.entry(kind).or_default() += 1;
        }
        if new.asked.iter().any(|prompt| !old.asked.contains(prompt)) {
            new.asked_in.clone_from(&letter.unique);
        }
        notices.letters.extend(gone);
        notices.letters.push((player.clone(), letter));
        if new != *old {
            told.insert(seat, new);
        }
    }
    let (mail, copies) = reply.map_or((None, None), |(_, reply)| (Some(reply.mail), reply.copies));
    if !told.is_empty() || mail.is_some() {
        notices.kept.push(Kept::Written { seats: told.into_iter().collect(), mail, copies });
    }
    notices.add(news.beside);
    Ok(notices)
}

/// Returns `true` if a player gets no letter even if one is due. Either the game has not begun and
/// the player was invited or has declined, or the player's mail took back an order and will be
/// answered when it comes again.
fn passed_over(game: &Game, addressee: &Addressee, reply: Option<&Reply>) -> bool {
    let Addressee { player, old, due, .. } = addressee;
    let waits = game.live.started.is_none() && !game.live.closed && old.invited && !due.invitation && !due.words;
    let declined = game.live.started.is_none() && game.secrets.declined.contains(&player.seat);
    reply.is_none() && (waits || declined || undoing::half_done(game) == Some(player.seat))
}

/// Writes the letter to a player.
fn to_player(
    game: &Game,
    services: &Services,
    news: &mut News,
    addressee: &Addressee,
    reply: Option<&Reply>,
    (all, offered): (&[Asked], Option<Section>),
) -> Result<OutgoingLetter, OfficeError> {
    let Addressee { player, old, since, due, .. } = addressee;
    let (seat, since) = (player.seat, *since);
    if due.invitation && reply.is_none() {
        return invitation::invitation(game, services, player);
    }
    let mut notes: Vec<String> =
        news.notes.iter().filter(|(whose, _)| *whose == seat).map(|(_, note)| game.seats.named(note)).collect();
    notes.extend(clock::clock_notes(game, services, seat, since, all).iter().map(|note| game.seats.named(note)));
    notes.extend(motions::decided(game, seat, since));
    if due.over || reply.is_some_and(|reply| reply.status) {
        notes.extend(motions::gone(game));
    }
    let stand_ins = game.facts.stand_ins.iter().filter(|(n, _)| *n > since);
    notes.extend(stand_ins.map(|(n, said)| game.seats.named_at(*n, said)));
    let mut extra = motions::open(game, services, seat, old.lapsed)?;
    extra.extend(messages::messages_shown(game, &messages::messages_to(game, seat, since), seat));
    extra.extend(messages::notes(game, seat));
    extra.extend(game.live.started.filter(|begun| begun.n > since).map(|_| letter::words_for_luck(game)));
    if (due.fresh || reply.is_some_and(|reply| reply.status)) && advice::is_listed(game, services, seat) {
        extra.push(advice::advice(game, services, seat, Wanted::Opinion)?);
    }
    if due.rewound {
        extra.extend(news.rewinds.report(game, services, seat, since)?);
    }
    let ordered = reply.and_then(|reply| reply.order_report.as_ref()).is_some_and(|report| !report.done.is_empty());
    let back = ordered && undoing::can_take_back(game, seat).is_ok();
    letter::letter(game, services, player, old, due, reply, Beside { notes, extra, back, offered, all })
}
