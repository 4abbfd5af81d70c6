//! Tests of spectators. The game opens on Friday, 20 November 2026, at 18:30 UTC.

use super::{
    by_mail::{answer, begun, body, field, office_in, outbox, table, take_mail},
    needed::*,
};
use postrider_store::{Digest, HandedOver};
use postrider_table::Seat;

const GAME: &str = "lone-pine";
const HOUR: i64 = 3_600;

fn dora(digest: Digest) -> NewWatcher {
    let (address, name) = ("Dora@example.net".to_owned(), Some("Dora".to_owned()));
    NewWatcher { address, name, digest: Some(digest), zone: None }
}

fn letters_to_watchers(office: &Office) -> Vec<String> {
    outbox(office).into_iter().map(|(name, _)| name).filter(|name| name.contains(".watch.")).collect()
}

fn order(office: &mut Office, seat: u8, text: &str) {
    let (told, done) = office.order(GAME, Seat(seat), text).unwrap();
    assert!(done, "{told}");
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mail(from: &str, text: &str) -> String {
    let id = postrider_dice::sha256(format!("{from} {text}").as_bytes());
    format!("From: {from}\nTo: postrider@localhost\nSubject: hello\nMessage-ID: <{id}@x.example>\n\n{text}\n")
}

#[test]
fn who_watches_is_written_to_once_a_day_and_sees_what_everybody_may_see() {
    let (_folder, mut office) = begun();
    office.tick(GAME).unwrap();
    office.watch(GAME, &dora(Digest::Daily)).unwrap();
    let first = take_mail(&office, ".watch.");
    let text = one_line(body(&first));
    assert!(text.starts_with("Dora, you watch this game of"), "{text}");
    assert!(text.contains("WHERE THE GAME STANDS") && text.contains("`stop watching` to end it"), "{text}");
    assert!(text.contains("The game waits for Anna (A)"), "{text}");
    assert_eq!(field(&first, "To").trim(), "Dora <dora@example.net>");
    let link = field(&first, "List-Unsubscribe").trim().to_owned();
    assert!(link.starts_with("<mailto:postrider+lone-pine.") && link.ends_with("?body=stop%20watching>"), "{link}");
    assert!(text.contains("Journal lone-pine, entry"), "it is signed as every letter is: {text}");
    // Bids are hidden until all have bid, so there is no news in the morning after two of three.
    order(&mut office, 0, "bid 3");
    order(&mut office, 1, "bid 2");
    assert_eq!(letters_to_watchers(&office), [""; 0]);
    assert_eq!(office.due().unwrap(), [""; 0], "it is evening");
    // The next morning at seven.
    office.environment().advance(12 * HOUR);
    assert_eq!(office.due().unwrap(), [""; 0]);
    office.environment().advance(HOUR);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(letters_to_watchers(&office), [""; 0]);
    order(&mut office, 2, "bid 1");
    office.environment().advance(24 * HOUR);
    assert_eq!(office.due().unwrap(), [GAME]);
    office.tick(GAME).unwrap();
    assert_eq!(letters_to_watchers(&office).len(), 1);
    let second = one_line(body(&take_mail(&office, ".watch.")));
    assert!(second.starts_with("Dora, this is the position of the game that you watch"), "{second}");
    assert!(second.contains("SINCE YOUR LAST MAIL") && second.contains("Anna"), "{second}");
    // Nothing has happened since, so nothing is due or written.
    office.environment().advance(48 * HOUR);
    assert_eq!(office.due().unwrap(), [""; 0]);
    office.tick(GAME).unwrap();
    assert_eq!(letters_to_watchers(&office), [""; 0]);
}

#[test]
fn letters_to_who_watches_are_the_same_whatever_is_hidden() {
    let letter = |bid: &str| {
        let (_folder, mut office) = begun();
        order(&mut office, 0, bid);
        office.watch(GAME, &dora(Digest::Daily)).unwrap();
        let text = body(&take_mail(&office, ".watch.")).to_owned();
        text.split("Journal lone-pine").next().unwrap().to_owned()
    };
    assert_eq!(letter("bid 1"), letter("bid 3"));
}

#[test]
fn who_watches_is_told_of_the_end_at_once_and_of_nothing_after_it() {
    let (_folder, mut office) = begun();
    office.watch(GAME, &dora(Digest::Daily)).unwrap();
    take_mail(&office, ".watch.");
    while !office.open_game(GAME).unwrap().closed {
        let seats: Vec<Seat> = office.terminal(GAME).glance().unwrap().awaited.into_iter().collect();
        for seat in seats {
            let answers = office.terminal(GAME).answers(seat).unwrap();
            if let Some(said) = answers.iter().rfind(|words| *words != "thank you") {
                office.order(GAME, seat, said).unwrap();
            }
        }
    }
    let last = take_mail(&office, ".watch.");
    assert!(body(&last).starts_with("Dora, the game is over."), "{last}");
    assert!(body(&last).contains("THE END"), "{last}");
    office.environment().advance(48 * HOUR);
    office.tick(GAME).unwrap();
    assert_eq!(letters_to_watchers(&office), [""; 0]);
}

#[test]
fn a_watcher_changes_how_often_he_is_written_to_and_ends_it() {
    let (_folder, mut office) = begun();
    office.watch(GAME, &dora(Digest::Daily)).unwrap();
    let first = take_mail(&office, ".watch.");
    let from = "Dora <dora@example.net>";
    office.receive(answer(from, &first, "digest turn\nzone America/Denver").as_bytes()).unwrap();
    let told = one_line(body(&take_mail(&office, ".watch.")));
    assert!(told.starts_with("You are written to whenever a Turn begins from now on."), "{told}");
    assert!(told.contains("in the zone America/Denver"), "{told}");
    let watchers = office.terminal(GAME).watchers().unwrap();
    assert_eq!((watchers[0].digest, watchers[0].zone.as_deref()), (Digest::Turn, Some("America/Denver")));
    // Unknown words are explained, and orders have no effect.
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    office.receive(answer(from, &first, "bid 3").as_bytes()).unwrap();
    let told = one_line(body(&take_mail(&office, ".watch.")));
    assert!(told.contains("and order nothing"), "{told}");
    // Another person's answer does not count.
    let forged = office.receive(answer("Eve <eve@example.net>", &first, "stop watching").as_bytes()).unwrap();
    assert!(matches!(forged.outcome, Outcome::Filed(_)), "{:?}", forged.outcome);
    assert_eq!(office.terminal(GAME).watchers().unwrap().len(), 1);
    office.receive(answer(from, &first, "stop watching").as_bytes()).unwrap();
    let told = body(&take_mail(&office, ".watch.")).to_owned();
    assert!(told.starts_with("You no longer watch this game"), "{told}");
    assert_eq!(office.terminal(GAME).watchers().unwrap(), []);
    assert_eq!(std::fs::read(office.host().journal(GAME)).unwrap(), before, "a watcher leaves no line");
}

#[test]
fn a_player_of_another_game_asks_and_one_who_may_be_another_is_asked() {
    let (folder, mut office) = begun();
    let other = NewGame {
        id: Some("red-rock".into()),
        players: ["Emil <emil@example.net>", "Finn <finn@example.net>", "Gerd <gerd@example.net>"]
            .map(|text| text.parse().unwrap())
            .to_vec(),
        ..table()
    };
    office.new_game(&other).unwrap();
    // In answer to a letter of his own game: the token identifies him.
    let letter = take_mail(&office, "red-rock.A.");
    office.receive(answer("emil@example.net", &letter, "Hello,\nwatch lone-pine").as_bytes()).unwrap();
    let first = one_line(body(&take_mail(&office, "lone-pine.watch.")));
    assert!(first.starts_with("emil, you watch this game"), "{first}");
    // Without a token the author could be anyone.
    let asked = office.receive(mail("finn@example.net", "watch lone-pine").as_bytes()).unwrap();
    assert!(matches!(asked.outcome, Outcome::Answered { .. }), "{asked:?}");
    let question = take_mail(&office, "lone-pine.watch.");
    assert!(one_line(body(&question)).contains("If you wrote it, reply `yes` to this mail"), "{question}");
    let confirmed = |office: &mut Office| {
        let all = office.terminal(GAME).watchers().unwrap();
        all.into_iter().filter(|one| one.confirmed).map(|one| one.name).collect::<Vec<_>>()
    };
    assert_eq!(confirmed(&mut office), ["emil"]);
    office.receive(answer("finn@example.net", &question, "yes").as_bytes()).unwrap();
    assert_eq!(confirmed(&mut office), ["emil", "finn"]);
    assert!(one_line(body(&take_mail(&office, "lone-pine.watch."))).starts_with("finn, you watch this game"));
    // The players can learn who watches.
    let told = one_line(&office.order(GAME, Seat(0), "status").unwrap().0);
    assert!(told.contains("emil and finn watch this game and see what everybody may see."), "{told}");
    // A player need not watch their own game, and a stranger gets no letter.
    let own = office.receive(mail("anna@example.net", "watch lone-pine").as_bytes()).unwrap();
    assert!(matches!(own.outcome, Outcome::Answered { .. }), "he is told that his mail answers no letter: {own:?}");
    let before = outbox(&office).len();
    let stranger = office.receive(mail("eve@example.com", "watch lone-pine").as_bytes()).unwrap();
    assert!(matches!(stranger.outcome, Outcome::Filed(_)), "{stranger:?}");
    assert_eq!(outbox(&office).len(), before);
    // He can end it by the game's name without answering a letter.
    office.receive(mail("emil@example.net", "stop watching lone-pine").as_bytes()).unwrap();
    assert_eq!(confirmed(&mut office), ["finn"]);
    // It is stored and survives a restart.
    drop(office);
    let mut office = office_in(folder.path());
    office.store().forget().unwrap();
    assert_eq!(office.store().games_of("finn@example.net").unwrap(), ["lone-pine", "red-rock"]);
    assert_eq!(confirmed(&mut office), ["finn"]);
}

#[test]
fn strangers_may_watch_where_the_host_has_it_so_within_limits() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "watching = \"anyone\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    for try_ in 0..5 {
        let text = format!("watch lone-pine\n{}", "\n".repeat(try_));
        let mail = mail("eve@example.com", &text);
        office.receive(mail.as_bytes()).unwrap();
    }
    assert_eq!(letters_to_watchers(&office).len(), 2, "no more in an hour");
    for n in 0..40 {
        office.receive(mail(&format!("eve{n}@example.com"), "watch lone-pine").as_bytes()).unwrap();
    }
    assert!(letters_to_watchers(&office).len() <= 20, "{}", letters_to_watchers(&office).len());
    assert!(office.terminal(GAME).watchers().unwrap().iter().all(|one| !one.confirmed));
    let question = take_mail(&office, ".watch.");
    let from = field(&question, "To").trim().rsplit(' ').next().unwrap().trim_matches(['<', '>']).to_owned();
    office.receive(answer(&from, &question, "Yes, please!").as_bytes()).unwrap();
    assert_eq!(office.terminal(GAME).watchers().unwrap().iter().filter(|one| one.confirmed).count(), 1);
}

#[test]
fn a_letter_to_a_watcher_that_comes_back_is_known_as_his() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    office.watch(GAME, &dora(Digest::Round)).unwrap();
    let id = outbox(&office).into_iter().find(|(name, _)| name.contains(".watch.")).unwrap().1;
    let id = field(&super::by_mail::unfolded(&id), "Message-ID").trim().to_owned();
    office.store().hand_over(&mut |_| HandedOver::Taken).unwrap();
    let bounce = format!(
        "From: MAILER-DAEMON@mx.example\nTo: postrider@localhost\nSubject: failure\nMessage-ID: <b@mx.example>\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nIt failed.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n\
         Final-Recipient: rfc822; dora@example.net\nAction: failed\nStatus: 5.1.1\n\
         --b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {id}\n\n--b--\n"
    );
    let processed = office.receive(bounce.as_bytes()).unwrap();
    let Outcome::Report { letter, failed: true, .. } = &processed.outcome else { panic!("{processed:?}") };
    assert!(letter.starts_with("lone-pine.watch."), "{letter}");
    assert_eq!(processed.seat, None);
    office.unwatch(GAME, "dora@example.net").unwrap();
    assert_eq!(office.store().undelivered().unwrap(), []);
    assert!(office.unwatch(GAME, "dora@example.net").is_err());
}
