//! Mails of spectators, and of people who want to become one.

use crate::{
    admission::outcome::{Outcome, Processed},
    error::OfficeError,
    game::{
        Game,
        handled::{self, copies},
        tokens::{self, Good},
        watching::{self, MOST_WATCHERS, ToWatcher, name_of},
    },
    post::watchers,
    reading::watch_words::Wish,
    service::Office,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_letters::{Section, text};
use postrider_mail::{FoundToken, Incoming, Redacted, Token, check_sender, is_address};
use postrider_orders::{People, Phrase, is_courtesy, visible};
use postrider_store::{Kept, OutgoingLetter, Thread, Watcher, Watching, check_zone};

/// The maximum number of letters per hour that ask one address whether it wants to watch.
const MOST_ASKED: usize = 2;

/// The maximum number of such letters per hour to all addresses.
const MOST_ASKED_IN_ALL: usize = 20;

const HELP: &str = "You watch this game: you see what everybody may see, and order nothing. Write `status` for the position, `digest daily`, \
                    `digest round` or `digest turn` for how often you are written to, `zone America/Denver` for the time zone in which you \
                    read times, `stop watching` to end it.";

/// Takes in a mail that asks, by a game's name, to watch the game or to stop watching it. Returns
/// `None` if the mail says anything else, if there is no such game, or if the sender may not watch
/// it or plays in it. `his` are the games in which the author plays or watches.
pub(crate) fn watch_by_mail(
    office: &mut Office,
    (mail, hash, author): (&Incoming, Hash, &str),
    tokens: &[FoundToken],
    his: &[String],
) -> Result<Option<Processed>, OfficeError> {
    let Some(wish) = Wish::of_mail(mail) else { return Ok(None) };
    if !is_address(author) || check_sender(mail, author, false).is_err() {
        return Ok(None);
    }
    let game = match wish {
        Wish::Watch(Some(game)) => game,
        Wish::Stop(Some(game)) if his.contains(&game) => {
            let outcome = office.change(&game, |_, tx| match tx.watcher(author).cloned() {
                // A mail cannot end a director's subscription.
                Some(watcher) if watcher.confirmed && !watcher.director => {
                    take_from_watcher(tx, (mail, hash), watcher).map(Some)
                }
                _ => Ok(None),
            })?;
            return Ok(outcome.map(|outcome| Processed { game: Some(game), seat: None, outcome }));
        }
        _ => return Ok(None),
    };
    let allowed = match office.services.host.settings.watching {
        Watching::Off => false,
        Watching::Players => !his.is_empty(),
        Watching::Anyone => true,
    };
    if !allowed || office.services.on_disk(|store| store.journal(&game))?.is_none() {
        return Ok(None);
    }
    // A valid token from a letter of any of the sender's games proves the address.
    let mut known = false;
    for found in tokens {
        let games = his.iter().filter(|one| found.game.as_ref().is_none_or(|game| game == *one));
        for one in games {
            let knows = office.change(one, |services, tx| {
                let others = services.host.settings.other_senders;
                let player = tokens::admit(tx, mail, found.prompt_no, found.token, others)
                    .is_some_and(|(_, good)| !matches!(good, Good::Void(_)));
                Ok(player || watches(tx, author, found.token).is_some_and(|watcher| watcher.confirmed))
            });
            match knows {
                Ok(knows) => known |= knows,
                Err(why) if why.is_fatal() => return Err(why),
                // A game that cannot be opened confirms nothing and stops no other game.
                Err(why) => tracing::error!(game = one, %why, "a game cannot be opened"),
            }
        }
    }
    let outcome = office.change(&game, |services, tx| want_to_watch(tx, services, (mail, hash, author), known))?;
    Ok(outcome.map(|outcome| Processed { game: Some(game), seat: None, outcome }))
}

/// Returns the spectator or director with this address, if the token is theirs.
pub(crate) fn watches(game: &Game, author: &str, token: Token) -> Option<Watcher> {
    game.watcher(author).filter(|one| game.tokens.watch_word(one) == token).cloned()
}

/// Returns `None` for a player of the game.
fn want_to_watch(
    tx: &mut Transaction,
    services: &Services,
    (mail, hash, author): (&Incoming, Hash, &str),
    known: bool,
) -> Result<Option<Outcome>, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Some(Outcome::Again));
    }
    let filed = |why: &str| Ok(Some(Outcome::Filed(why.to_owned())));
    if watching::is_player(tx, author) {
        return Ok(None);
    }
    let watcher = match tx.watcher(author).cloned() {
        Some(watcher) => watcher,
        None if tx.secrets.watchers.len() >= MOST_WATCHERS => return filed("a game is watched by too many"),
        None => Watcher { address: author.to_ascii_lowercase(), name: name_of(author), ..Watcher::default() },
    };
    let ask = !known && !watcher.confirmed;
    let mine = services.count_answer(&format!("watch {}", watcher.address), MOST_ASKED)?.is_some();
    let all = ask && services.count_answer("watch asked", MOST_ASKED_IN_ALL)?.is_some();
    if mine || all {
        return filed("beyond the number of letters that ask whether somebody wants to watch");
    }
    let reply = reply_to(mail, hash);
    if ask {
        tx.keep(Kept::Watcher(watcher.clone()))?;
        ask_watcher(tx, services, &watcher, &reply);
    } else {
        let watcher = Watcher { confirmed: true, ..watcher };
        tx.keep(Kept::Watcher(watcher.clone()))?;
        tx.news.answer_watcher(watcher, ToWatcher { status: true, ..reply });
    }
    tx.news.beside.kept.push(handled::of(hash, copies(mail)));
    tracing::info!(game = tx.id, author = %Redacted(author), ask, "somebody wants to watch");
    Ok(Some(Outcome::Answered { done: 0, total: 0 }))
}

/// Asks an address whether it wants to watch.
fn ask_watcher(tx: &mut Transaction, services: &Services, watcher: &Watcher, reply: &ToWatcher) {
    let told = [
        format!(
            "A mail from this address says `watch {}`. If you wrote it, reply `yes` to this mail: then you are written to about that \
             game {}.",
            tx.id,
            watcher.digest.words()
        ),
        "If you did not, do nothing: nothing comes of it, and nothing more is sent here.".to_owned(),
    ];
    let (begins, kind) = watching::watch_names(tx, watcher);
    let mail = reply.mail.to_string();
    let letter = OutgoingLetter {
        token: (0, tx.tokens.watch_word(watcher)),
        thread: Some(reply.thread.clone()),
        ..OutgoingLetter::plain(
            format!("{begins}.ask.{}", &mail[..16]),
            format!("{kind}-{}", &mail[..8]),
            "do you want to watch this game?".to_owned(),
            text::render(&told.map(Section::paragraph)),
            services.now(),
        )
    };
    tx.news.beside.letters.push((watchers::as_reader(watcher), letter));
}

/// Carries out the mail of a spectator, or of someone who was asked to confirm.
pub(crate) fn take_from_watcher(
    tx: &mut Transaction,
    (mail, hash): (&Incoming, Hash),
    watcher: Watcher,
) -> Result<Outcome, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Outcome::Again);
    }
    let wishes: Vec<Option<Wish>> = match &mail.orders {
        Ok(orders) => {
            let said = orders.lines.iter().map(|line| line.text.as_str());
            said.filter(|line| !is_courtesy(&Phrase::new(line), &People::default())).map(Wish::of).collect()
        }
        Err(_) => Vec::new(),
    };
    if !watcher.confirmed && !wishes.iter().flatten().any(|wish| matches!(wish, Wish::Watch(_))) {
        return Ok(Outcome::Filed("from somebody who may want to watch, without a yes".to_owned()));
    }
    let mut reply = reply_to(mail, hash);
    let mut new = Watcher { confirmed: true, ..watcher.clone() };
    reply.status = !watcher.confirmed;
    for wish in wishes.iter().flatten() {
        match wish {
            Wish::Watch(_) => {}
            Wish::Stop(_) => {
                reply.notes = vec!["You no longer watch this game; this is the last letter.".to_owned()];
                reply.status = false;
                let gone = Kept::Unwatched(watcher.address.clone());
                tx.news.answer_watcher(watcher, reply);
                tx.news.beside.kept.extend([gone, handled::of(hash, copies(mail))]);
                return Ok(Outcome::Answered { done: 0, total: 0 });
            }
            Wish::Status => reply.status = true,
            Wish::Digest(often) => {
                new.digest = *often;
                reply.notes.push(format!("You are written to {} from now on.", often.words()));
            }
            Wish::Zone(zone) if check_zone(zone).is_ok() => {
                new.zone = Some(zone.clone());
                reply.notes.push(format!("Times in your letters are in the zone {zone} from now on."));
            }
            Wish::Zone(zone) => reply.notes.push(format!(
                "\"{}\" is not a time zone: nothing was changed. Write its name in the IANA database, such as `zone America/Denver`.",
                visible(zone)
            )),
            Wish::Help => reply.notes.push(HELP.to_owned()),
        }
    }
    if wishes.iter().any(Option::is_none) || wishes.is_empty() {
        reply.notes.push(HELP.to_owned());
    }
    reply.notes.dedup();
    if new != watcher {
        tx.keep(Kept::Watcher(new.clone()))?;
    }
    tx.news.answer_watcher(new, reply);
    tx.news.beside.kept.push(handled::of(hash, copies(mail)));
    Ok(Outcome::Answered { done: 0, total: 0 })
}

pub(crate) fn reply_to(mail: &Incoming, hash: Hash) -> ToWatcher {
    ToWatcher { mail: hash, subject: mail.subject.clone(), thread: Thread::of(mail), ..ToWatcher::default() }
}
