//! Admission: finds the game and seat of a mail, and what its token permits. Mails that belong to
//! no game are filed.

pub(crate) mod director_mail;
pub(crate) mod inbox;
pub(crate) mod new_address;
pub(crate) mod open_seat;
pub(crate) mod outcome;
pub(crate) mod receipts;
pub(crate) mod returns;
pub(crate) mod watcher_mail;

use crate::{
    admission::outcome::{Outcome, Processed},
    bug::Bug,
    carry_out::{self, delay},
    error::OfficeError,
    game::{
        handled, seats,
        tokens::{self, Good, void},
    },
    reading::{Access, Origin, answered, value::Line},
    service::Office,
    services::Services,
    transaction::{Transaction, reply::Reply},
};
use chrono::{DateTime, TimeDelta, Utc};
use postrider_dice::{Hash, sha256};
use postrider_journal::is_game_id;
use postrider_letters::{Section, text};
use postrider_mail::{
    FoundToken, Incoming, MAX_MESSAGE_BYTES, Note, OrderLine, OrderText, Signed, Token, check_sender, find_tokens,
    is_address,
};
use postrider_replay::deadlines::brief_moment;
use postrider_store::{
    GameSecrets, KeepMails, Kept, LetterId, OutgoingLetter, Player, Players, SenderCheck, Thread, TokenIssuer, Watcher,
    WhyRenewed,
};
use postrider_table::Seat;
use std::collections::BTreeMap;

/// The maximum number of mails without a valid token that are answered per seat and hour.
const MOST_TURNED_AWAY: usize = 4;

/// The answer to a player's mail without one of the player's tokens.
const NO_TOKEN: &str = "Nothing was done: your mail does not answer a letter that was written to you. Please answer the newest \
                        letter of this game; its reply address contains the token that identifies your orders.";

/// The answer to a mail that answers letters of two games.
const TWO_GAMES: &str = "Nothing was done in any game: your mail answers letters of two games. Please send each game a mail of its own, \
                         in answer to the newest letter of that game.";

/// The answer to a mail beyond the limit; `again` is the time from which the next one counts.
fn too_many(again: DateTime<Utc>, zone: &str) -> String {
    // The time is shown without seconds.
    let again = brief_moment(again + TimeDelta::seconds(59), zone);
    format!(
        "Nothing was done: more mails came from you within an hour than are answered, so this one was not read. Your next mail \
         counts from {again} on. You can put several orders into one mail, one per line."
    )
}

/// The answer to a mail in which the player's words cannot be told from a copy of a letter.
const UNTOLD_COPY: &str = "Nothing was done: your mail holds a copy of our letter that cannot be told from your own words. Please answer \
                           once more with your orders alone, or with the copy marked by `>`.";

/// The answer to a mail without any words of the player.
const NO_ORDER: &str =
    "No order was found in your mail: nothing was done. Write orders above the quoted letter, one per line.";

/// The reason for filing a mail beyond the limits.
const TOO_MANY: &str = "beyond the number of mails that are answered in an hour";

/// A mail written by a person, as received.
struct Arrived<'m> {
    mail: &'m Incoming,
    raw: &'m [u8],
    hash: Hash,
    author: &'m str,
}

/// The effect of a mail's token in a game.
enum Admitted {
    /// The mail was taken in, for this seat if the sender is a player.
    Taken(Option<Seat>, Outcome),
    /// The seat's tokens were renewed, so this one is void; with the reason.
    Void(Seat, WhyRenewed),
    /// The token is unknown.
    No,
}

impl Office {
    /// Takes in one raw message. On return its decisions are safe in the journal and the answers
    /// are in the outbox, so the message itself is no longer needed. A message that cannot be
    /// handled is tried twice and then put into `mail/poison`.
    ///
    /// # Errors
    /// [`OfficeError`]: the message should be tried again later.
    pub fn receive(&mut self, raw: &[u8]) -> Result<Processed, OfficeError> {
        match receive_once(self, raw) {
            Err(why) if why.is_of_one_mail() => {
                tracing::warn!(%why, "a mail is tried once more");
                self.close_games();
            }
            done => return done,
        }
        match receive_once(self, raw) {
            Err(why) if why.is_of_one_mail() => {
                tracing::error!(%why, "a mail is put into mail/poison");
                self.close_games();
                self.services.on_disk(|store| store.poison(raw, &why.to_string()))?;
                Ok(Processed { game: None, seat: None, outcome: Outcome::Poison(why.to_string()) })
            }
            done => done,
        }
    }
}

fn receive_once(office: &mut Office, raw: &[u8]) -> Result<Processed, OfficeError> {
    office.services.blame_mail(true);
    let mail = match Incoming::parse(raw) {
        Ok(mail) => mail,
        Err(why) => return file(office, raw, why.to_string()),
    };
    if let Some(risk) = &mail.loop_risk {
        if let Some(processed) = returns::reported(office, &mail, raw)? {
            return Ok(processed);
        }
        return file(office, raw, format!("written by a machine: {risk:?}"));
    }
    let Some(author) = mail.author() else { return file(office, raw, "no single author".to_owned()) };
    let hash: Hash = { mail.sha256.parse() }.map_err(|why| Bug::NotAHash { text: mail.sha256.clone(), why })?;
    let tokens = find_tokens(&mail, &office.services.host.addresses);
    // A sender without a valid address cannot get letters, and so cannot play.
    if !is_address(author) {
        return file(office, raw, "its From is not a valid address".to_owned());
    }
    // The index may name a game too many, but never one too few, so no other game needs opening.
    let his = office.services.on_disk(|store| store.games_of(author))?;
    let arrived = Arrived { mail: &mail, raw, hash, author };
    if let Some(processed) = open_seat::take_seat(office, (&mail, hash, author), tokens.is_empty())? {
        return filed_if_silent(office, raw, processed);
    }
    let processed = match watcher_mail::watch_by_mail(office, (&mail, hash, author), &tokens, &his)? {
        Some(processed) => Some(processed),
        None => match by_token(office, &arrived, &tokens, &his)? {
            Some(processed) => Some(processed),
            None => match without_token(office, &arrived, &tokens, his)? {
                Some(processed) => Some(processed),
                None => of_another_address(office, &arrived, &tokens)?,
            },
        },
    };
    match processed {
        Some(processed) => {
            // Only players count: anyone can write mails and choose their dates.
            if let (Outcome::Answered { .. }, Some(game), Some(_), Some(date)) =
                (&processed.outcome, &processed.game, processed.seat, mail.date)
            {
                let now = office.services.now();
                office.services.mail_dates.note(game, author, date, now);
                office.services.mail_dates.keep(&office.services.host)?;
            }
            filed_if_silent(office, raw, processed)
        }
        None => {
            tracing::info!(author = %postrider_mail::Redacted(author), "a mail from an unknown sender");
            file(office, raw, "from no address that plays here".to_owned())
        }
    }
}

/// Handles a mail that carries one of the sender's own tokens, in one of the sender's games.
fn by_token(
    office: &mut Office,
    arrived: &Arrived<'_>,
    tokens: &[FoundToken],
    his: &[String],
) -> Result<Option<Processed>, OfficeError> {
    if let Some(processed) = refuse_two_games(office, arrived, tokens, his)? {
        return Ok(Some(processed));
    }
    let (mut unopened, mut voided) = (None, None);
    for found in tokens {
        let games = match &found.game {
            Some(game) if his.contains(game) => std::slice::from_ref(game),
            Some(_) => &[],
            None => his,
        };
        for game in games {
            match office.change(game, |services, tx| admitted(tx, services, arrived, found)) {
                Ok(Admitted::Taken(seat, outcome)) => {
                    return Ok(Some(Processed { game: Some(game.clone()), seat, outcome }));
                }
                // The mail may have another, valid token.
                Ok(Admitted::Void(seat, why)) => voided = Some((game.clone(), seat, why)),
                Ok(Admitted::No) | Err(OfficeError::NoGame(_)) => {}
                Err(why) if found.game.is_some() || why.is_fatal() => return Err(why),
                // The mail may belong to another game, which must not suffer from this one's error.
                Err(why) => {
                    tracing::error!(game, %why, "a game cannot be opened");
                    unopened = Some(why);
                }
            }
        }
    }
    // It may be a valid order for the game that could not be opened, so it is not treated as a
    // stranger's.
    if let Some(why) = unopened {
        return Err(why);
    }
    let Some((game, seat, why)) = voided else { return Ok(None) };
    let outcome =
        office.change(&game, |services, tx| turn_away(tx, services, arrived.mail, arrived.hash, (seat, &void(why))))?;
    Ok(Some(Processed { game: Some(game), seat: Some(seat), outcome }))
}

/// Refuses a mail addressed to the reply addresses of two of the sender's games.
fn refuse_two_games(
    office: &mut Office,
    arrived: &Arrived<'_>,
    tokens: &[FoundToken],
    his: &[String],
) -> Result<Option<Processed>, OfficeError> {
    let others = office.services.host.settings.other_senders;
    let named = tokens.iter().filter(|found| found.is_addressed());
    let named: Vec<_> = named.filter_map(|found| Some((found.game.as_ref()?, found))).collect();
    let mut whose = BTreeMap::new();
    // Most mails name one game, which need not be opened for this check.
    if named.iter().all(|(game, _)| *game == named[0].0) {
        return Ok(None);
    }
    for (game, found) in named.into_iter().filter(|(game, _)| his.contains(game)) {
        let seat = office.change(game, |_, tx| {
            Ok(tokens::admit(tx, arrived.mail, found.prompt_no, found.token, others).map(|(seat, _)| seat))
        });
        match seat {
            Ok(Some(seat)) => drop(whose.insert(game.clone(), seat)),
            Ok(None) | Err(OfficeError::NoGame(_)) => {}
            Err(why) => return Err(why),
        }
    }
    let Some((game, seat)) = whose.pop_first().filter(|_| !whose.is_empty()) else { return Ok(None) };
    let outcome =
        office.change(&game, |services, tx| turn_away(tx, services, arrived.mail, arrived.hash, (seat, TWO_GAMES)))?;
    Ok(Some(Processed { game: Some(game), seat: Some(seat), outcome }))
}

/// Handles a player's mail without any of the player's tokens: the game that is probably meant
/// answers it.
fn without_token(
    office: &mut Office,
    arrived: &Arrived<'_>,
    tokens: &[FoundToken],
    mut his: Vec<String>,
) -> Result<Option<Processed>, OfficeError> {
    let named = tokens.iter().find_map(|found| found.game.clone());
    // The In-Reply-To and the subject show which game is meant.
    let meant = answered_game(arrived.mail);
    his.sort_by_key(|game| Some(game) != meant.as_ref());
    for game in his.into_iter().filter(|game| named.as_ref().is_none_or(|named| named == game)) {
        let told = office.change(&game, |services, tx| {
            let mine = |player: &&Player| seats::wrote(tx, arrived.mail, player.seat, false);
            if let Some(seat) = tx.seats.players.iter().find(mine).map(|player| player.seat) {
                let outcome = turn_away(tx, services, arrived.mail, arrived.hash, (seat, NO_TOKEN))?;
                return Ok(Some((Some(seat), outcome)));
            }
            let hers = |one: &&Watcher| one.director && check_sender(arrived.mail, &one.address, false).is_ok();
            let director = tx.watcher(arrived.author).filter(hers).cloned();
            let Some(director) = director else { return Ok(None) };
            let whose = format!("no token {} {}", tx.id, director.address);
            if services.count_answer(&whose, MOST_TURNED_AWAY)?.is_some() {
                return Ok(Some((None, Outcome::Filed(TOO_MANY.to_owned()))));
            }
            let (mail, refused) = ((arrived.mail, arrived.hash), Some(NO_TOKEN.to_owned()));
            Ok(Some((None, director_mail::take_from_director(tx, services, mail, &director, refused)?)))
        });
        match told {
            Ok(Some((seat, outcome))) => {
                return Ok(Some(Processed { game: Some(game), seat, outcome }));
            }
            Ok(None) | Err(OfficeError::NoGame(_)) => {}
            Err(why) => return Err(why),
        }
    }
    Ok(None)
}

/// Handles a mail with another person's token.
fn of_another_address(
    office: &mut Office,
    arrived: &Arrived<'_>,
    tokens: &[FoundToken],
) -> Result<Option<Processed>, OfficeError> {
    let Some((game, seat, token)) = elsewhere(office, arrived.mail, tokens)? else { return Ok(None) };
    let outcome = office.change(&game, |services, tx| {
        wrong_address(tx, services, arrived.mail, arrived.hash, (arrived.author, seat, token))
    })?;
    Ok(Some(Processed { game: Some(game), seat: None, outcome }))
}

/// Files a mail that is not answered because the limit was reached.
fn filed_if_silent(office: &Office, raw: &[u8], processed: Processed) -> Result<Processed, OfficeError> {
    if let Outcome::Filed(why) = &processed.outcome {
        tracing::warn!(game = processed.game, why, "a mail is not answered");
        office.services.on_disk(|store| store.refuse(raw))?;
    }
    Ok(processed)
}

/// Finds the game and seat for whose letters one of the mail's tokens was made, and the token, even
/// if it is void. Reads only the files next to the journal. For a token without a game's id, the
/// game is that of the Message-ID which the mail answers.
fn elsewhere(
    office: &Office,
    mail: &Incoming,
    tokens: &[FoundToken],
) -> Result<Option<(String, Seat, Token)>, OfficeError> {
    let answered = LetterId::answered_by(mail).next().map(|id| id.game);
    for found in tokens {
        let Some(game) = found.game.as_deref().or(answered) else { continue };
        if office.services.on_disk(|store| store.journal(game))?.is_none() {
            continue;
        }
        let kept = office.services.on_disk(|store| store.kept(game))?.kept;
        let (issuer, players) = (TokenIssuer::new(game, office.services.key_seed), Players::of(&kept));
        // Chains and messages are not needed here.
        let notes = kept.into_iter().filter(|one| matches!(one, Kept::Rewound(_) | Kept::Renewed(_)));
        let secrets = GameSecrets::of(notes);
        let made = |seat: Seat| issuer.known(found.token, seat, found.prompt_no, &players, &secrets).is_some();
        if let Some(player) = players.players.iter().find(|player| made(player.seat)) {
            return Ok(Some((game.to_owned(), player.seat, found.token)));
        }
    }
    Ok(None)
}

fn file(office: &Office, raw: &[u8], why: String) -> Result<Processed, OfficeError> {
    office.services.on_disk(|store| store.refuse(raw))?;
    Ok(Processed { game: None, seat: None, outcome: Outcome::Filed(why) })
}

/// Returns the game whose letter a mail answers, according to its message ids or its subject.
fn answered_game(mail: &Incoming) -> Option<String> {
    let tagged = || mail.subject.split_once('[')?.1.split(']').next().filter(|game| is_game_id(game));
    LetterId::answered_by(mail).next().map(|id| id.game).or_else(tagged).map(str::to_owned)
}

/// Takes a mail in if this token permits it.
fn admitted(
    tx: &mut Transaction,
    services: &mut Services,
    arrived: &Arrived<'_>,
    found: &FoundToken,
) -> Result<Admitted, OfficeError> {
    let Arrived { mail, raw, hash, author } = *arrived;
    let others = services.host.settings.other_senders;
    let Some((seat, good)) = tokens::admit(tx, mail, found.prompt_no, found.token, others) else {
        return admitted_otherwise(tx, services, arrived, found);
    };
    let access = match good {
        Good::Question => Access::Question(found.prompt_no),
        Good::Undone => Access::Undone,
        Good::Letterbox => Access::Letterbox,
        Good::Void(why) => return Ok(Admitted::Void(seat, why)),
    };
    // Mails by others in a player's name must not use up that player's answers.
    let refused = match unsigned(tx, services, (mail, hash, raw), (seat, author))? {
        None if !handled::is_handled(tx, mail, hash) => {
            // A machine that answers automatically is told a few times, and no more.
            let again = services.answers_too_many(&tx.id, seat, author)?;
            again.map(|again| too_many(again, tx.zone(services, seat)))
        }
        refused => refused,
    };
    let outcome = if let Some(why) = refused {
        turn_away(tx, services, mail, hash, (seat, &why))?
    } else {
        receipts::note(tx, services, (mail, raw), seat)?;
        kept_if_named(tx, services, (mail, hash, raw), |tx, services| take(tx, services, mail, hash, seat, access))?
    };
    Ok(Admitted::Taken(Some(seat), outcome))
}

/// Takes in a mail whose token is not that of a player writing from the seat's address: it confirms
/// a new address, or comes from a spectator or director.
fn admitted_otherwise(
    tx: &mut Transaction,
    services: &mut Services,
    arrived: &Arrived<'_>,
    found: &FoundToken,
) -> Result<Admitted, OfficeError> {
    let Arrived { mail, raw, hash, author } = *arrived;
    let Some(asked) = seats::confirms(tx, mail, found.prompt_no, found.token) else {
        let Some(watcher) = watcher_mail::watches(tx, author, found.token).filter(|_| found.prompt_no == 0) else {
            return Ok(Admitted::No);
        };
        if watcher.director {
            return admitted_as_director(tx, services, arrived, &watcher);
        }
        let outcome = match services.answers_too_many_to(author)? {
            Some(_) => Outcome::Filed(TOO_MANY.to_owned()),
            None => watcher_mail::take_from_watcher(tx, (mail, hash), watcher)?,
        };
        return Ok(Admitted::Taken(None, outcome));
    };
    let seat = asked.0;
    let outcome = if handled::is_handled(tx, mail, hash) {
        Outcome::Again
    } else if let Some(why) = unsigned(tx, services, (mail, hash, raw), (seat, author))? {
        turn_away(tx, services, mail, hash, (seat, &why))?
    } else if services.answers_too_many(&tx.id, seat, author)?.is_some() {
        Outcome::Filed(TOO_MANY.to_owned())
    } else {
        new_address::take_address(tx, services, (mail, hash), asked)?
    };
    Ok(Admitted::Taken(Some(seat), outcome))
}

/// Takes in a director's mail, subject to the same limits and signatures as a player's.
fn admitted_as_director(
    tx: &mut Transaction,
    services: &mut Services,
    arrived: &Arrived<'_>,
    director: &Watcher,
) -> Result<Admitted, OfficeError> {
    let Arrived { mail, raw, hash, author } = *arrived;
    let settings = &services.host.settings;
    if check_sender(mail, &director.address, settings.other_senders).is_err() {
        return Ok(Admitted::No);
    }
    if handled::is_handled(tx, mail, hash) {
        return Ok(Admitted::Taken(None, Outcome::Again));
    }
    let check = settings.sender_check;
    let refused = if let Some(again) = services.answers_too_many_to(author)? {
        let whose = format!("{} {author} told", tx.id);
        if services.count_answer(&whose, MOST_TURNED_AWAY)?.is_some() {
            return Ok(Admitted::Taken(None, Outcome::Filed(TOO_MANY.to_owned())));
        }
        Some(too_many(again, &services.host.settings.time_zone))
    } else {
        let why = not_vouched(tx, services, (mail, hash, raw), check, author)?;
        why.map(|why| {
            format!(
                "Nothing was done: a director's orders count only in mails that are signed by the mail service of their writer \
                 (DKIM), and this mail could not be verified: {why}. If you did not write it, tell the host that somebody uses \
                 your address."
            )
        })
    };
    let outcome = kept_if_named(tx, services, (mail, hash, raw), |tx, services| {
        director_mail::take_from_director(tx, services, (mail, hash), director, refused)
    })?;
    Ok(Admitted::Taken(None, outcome))
}

/// Returns the reason for refusing a player's mail, if a required signature is missing.
fn unsigned(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash, raw): (&Incoming, Hash, &[u8]),
    (seat, author): (Seat, &str),
) -> Result<Option<String>, OfficeError> {
    let check = seats::sender_check(tx, services, seat);
    let why = match not_vouched(tx, services, (mail, hash, raw), check, author) {
        Err(OfficeError::Lookup { why, .. }) => return Err(OfficeError::Lookup { why, seat: Some(seat) }),
        why => why?,
    };
    Ok(why.map(|why| {
        format!(
            "Nothing was done: for this seat orders count only in mails that are signed by the mail service of their writer \
             (DKIM), and this mail could not be verified: {why}. If you wrote it, please send it again by your mail provider's \
             own page or outgoing server, and not by a list or anything else that changes mails on their way; if that does not \
             help, ask the host. If you did not write it, somebody uses your address: reply `new token`."
        )
    }))
}

/// Stores which domain vouches for a mail. If a required signature is missing, returns the reason.
fn not_vouched(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash, raw): (&Incoming, Hash, &[u8]),
    check: SenderCheck,
    author: &str,
) -> Result<Option<String>, OfficeError> {
    // A mail that is too large is not read at all.
    if check == SenderCheck::Off || handled::is_handled(tx, mail, hash) || raw.len() > MAX_MESSAGE_BYTES {
        return Ok(None);
    }
    let signed = match tx.secrets.signed.get(&hash) {
        Some(known) => known.clone(),
        None => {
            let signed = services.signed(raw, mail, author)?;
            tx.keep(Kept::Signed { mail: hash, signed: signed.clone() })?;
            signed
        }
    };
    tracing::info!(game = tx.id, %signed, "signatures of a mail");
    let Signed::Nobody { why } = signed else { return Ok(None) };
    Ok((check == SenderCheck::Required).then(|| why.to_string()))
}

/// Tells a sender who answered a player's letter from another address that nothing was done. The
/// sender may be the player with another mail program, or someone else, so the answer reveals
/// nothing of the game and carries no useful token. It is sent at most once a day per token.
fn wrong_address(
    tx: &mut Transaction,
    services: &Services,
    mail: &Incoming,
    hash: Hash,
    (author, seat, token): (&str, Seat, Token),
) -> Result<Outcome, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Outcome::Again);
    }
    let day = services.now().format("%F");
    let told_today = sha256(format!("{} {token} told on {day}", tx.id).as_bytes());
    if tx.secrets.handled.contains(&told_today) {
        return Ok(Outcome::Filed("of a wrong address, of which somebody was told today".to_owned()));
    }
    let had_it = tx.seats.was_of(seat, author);
    let is_player = tx.seats.players.iter().any(|player| player.address.eq_ignore_ascii_case(author));
    let gone = format!(
        "Nothing was done: seat {seat} of the game {id} is no longer kept for you. `join {id}` in a new mail takes it again.",
        id = tx.id
    );
    let told = match is_player {
        _ if had_it && tx.seats.player(seat).is_some_and(Player::is_open) => &gone,
        _ if had_it && !is_player => {
            "Nothing was done: the seat whose letter you answer has been given to another player, or plays from another \
             address, since that letter was written."
        }
        true => {
            "Nothing was done: your mail names another sender (in its field Sender) than its author, as mails do that one \
             account sends for another. Please send your orders from your own account, or ask the host to allow this."
        }
        false => {
            "Nothing was done: your mail answers a letter of this game, but does not come from the address to which that \
             letter was sent, and orders count from that address alone. Please send them again from there."
        }
    };
    // Another copy may come from the right address, or without the other sender.
    tx.news.beside.kept.extend([handled::of(hash, None), handled::of(told_today, None)]);
    Ok(answer_stranger(tx, services, (mail, hash, author), told))
}

/// Answers a mail by a person who has no part in the game.
fn answer_stranger(
    tx: &mut Transaction,
    services: &Services,
    (mail, hash, author): (&Incoming, Hash, &str),
    told: &str,
) -> Outcome {
    let (id, name) = (hash.to_string(), String::new());
    let to = Player { seat: Seat(0), name, address: author.to_owned(), salt: Hash([0; 32]), zone: None };
    let letter = OutgoingLetter {
        thread: Some(Thread::of(mail)),
        ..OutgoingLetter::plain(
            format!("{}.elsewhere.{}", tx.id, &id[..16]),
            format!("elsewhere-{}", &id[..8]),
            "Re: your mail was not taken".to_owned(),
            text::render(&[Section::paragraph(told)]),
            services.now(),
        )
    };
    tx.news.beside.letters.push((to, letter));
    Outcome::Answered { done: 0, total: 0 }
}

/// Takes a mail in, and keeps the raw mail if the journal will name it.
fn kept_if_named(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash, raw): (&Incoming, Hash, &[u8]),
    take: impl FnOnce(&mut Transaction, &mut Services) -> Result<Outcome, OfficeError>,
) -> Result<Outcome, OfficeError> {
    let kept = raw.len() <= MAX_MESSAGE_BYTES
        && services.host.settings.keep_mails != KeepMails::Never
        && !handled::is_handled(tx, mail, hash)
        && services.on_disk(|store| store.keep_taken(&tx.id, raw, services.now().timestamp()))?;
    let before = tx.next_line();
    let outcome = take(tx, services)?;
    if kept && tx.next_line() == before && !delay::waits(tx, hash) {
        services.on_disk(|store| store.forget_taken(&tx.id, &hash))?;
    }
    Ok(outcome)
}

/// Carries out an admitted mail and answers it.
fn take(
    tx: &mut Transaction,
    services: &mut Services,
    mail: &Incoming,
    hash: Hash,
    seat: Seat,
    access: Access,
) -> Result<Outcome, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Outcome::Again);
    }
    let letter = answered::answered(tx, services, mail, seat)?;
    let letter = letter.as_ref();
    let orders = mail.orders_beside(letter);
    let note = |note: String| Reply { notes: vec![note], ..Reply::default() };
    let mut reply = match &orders {
        Err(why) => note(format!(
            "Nothing was done: {why}. Please answer once more, in plain text, with your orders above everything that your mail program \
             quotes."
        )),
        // Lines of our own letter could pass for orders, so nothing is guessed.
        Ok(text) if text.notes.contains(&Note::UnquotedCopy) => note(UNTOLD_COPY.to_owned()),
        Ok(text) if text.lines.is_empty() && text.signature.is_empty() => note(NO_ORDER.to_owned()),
        Ok(text) => {
            carry_out::take_in_lines(tx, services, seat, &numbered(text), &Origin::Mail { mail, hash, letter }, access)?
        }
    };
    delay::answer(tx, &mut reply, mail, hash);
    let (done, total) = reply.counts();
    tx.news.answer_player(seat, reply);
    Ok(Outcome::Answered { done, total })
}

/// Tells a player why a mail had no effect. The hourly limit protects a player whose address
/// someone forges.
fn turn_away(
    tx: &mut Transaction,
    services: &Services,
    mail: &Incoming,
    hash: Hash,
    (seat, why): (Seat, &str),
) -> Result<Outcome, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Outcome::Again);
    }
    let whose = format!("{} {seat} without a token", tx.id);
    if services.count_answer(&whose, MOST_TURNED_AWAY)?.is_some() {
        return Ok(Outcome::Filed(TOO_MANY.to_owned()));
    }
    let mut reply = Reply { extra: vec![Section::paragraph(why)], ..Reply::default() };
    reply.answer(mail, hash);
    // Another copy may have the token or the signature that this one lacks.
    reply.copies = None;
    tx.news.answer_player(seat, reply);
    Ok(Outcome::Answered { done: 0, total: 0 })
}

/// Numbers a mail's lines, skipping a number for each gap of empty lines; the signature comes last.
fn numbered(text: &OrderText) -> Vec<Line> {
    let mut no = 0;
    let line = |line: &OrderLine| {
        no += 1 + usize::from(line.after_blank);
        Line { text: line.text.clone(), no, marked: line.marked }
    };
    text.lines.iter().chain(&text.signature).map(line).collect()
}
