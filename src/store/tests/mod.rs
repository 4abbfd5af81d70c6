//! The contract of stores, tested on each of them.

use super::{
    Append, Awaited, FileStore, GameStatus, HandedOver, Host, Index, Kept, Lease, Message, OutboxRow, Party, Player,
    Store, TakenMail, Undelivered,
};
use postrider_dice::Hash;
use postrider_journal::{Body, Head, Json, Ruling, Writer};
use postrider_mail::{Composed, Envelope};
use postrider_mailbox::Delivery;
use postrider_table::Seat;
use std::{
    fs::{self, File},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

pub(super) const GAME: &str = "lone-pine";

/// A store to be tested.
pub(super) struct Tried {
    pub store: Box<dyn Store>,
    /// The folder of its files, if it has one.
    pub _folder: Option<TempDir>,
}

fn in_files() -> Tried {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open_or_create(folder.path()).unwrap();
    Tried { store: Box::new(FileStore::new(&host)), _folder: Some(folder) }
}

pub(super) fn contract(made: &dyn Fn() -> Tried) {
    a_game_is_made_once(&*made().store);
    lines_are_appended_where_they_belong_or_not_at_all(&*made().store);
    what_is_kept_comes_back_in_order(&*made().store);
    one_at_a_time_changes_a_game_and_all_may_look(&*made().store);
    a_mark_tells_whether_anything_was_changed(&*made().store);
    the_index_is_never_older_than_the_game(&*made().store);
    a_message_can_be_taken_away(&*made().store);
    an_address_finds_its_games(&*made().store);
    a_mail_waits_until_it_is_taken_or_refused(&*made().store);
    a_mail_that_came_in_stays_until_it_is_taken_in(&*made().store);
    mails_are_kept_as_they_came_in(&*made().store);
    what_is_kept_of_people_can_be_taken_away(&*made().store);
    the_host_is_written_to_beside_all_games(&*made().store);
}

fn what_is_kept_of_people_can_be_taken_away(store: &dyn Store) {
    made(store, 1);
    let mut lease = leased(store);
    for address in ["anna@example.net", "ben@example.net"] {
        lease.keep(&player(address)).unwrap();
    }
    for name in ["lone-pine.A.1", "lone-pine.A.2", "lone-pine.B.1"] {
        lease.put(&mail(name)).unwrap();
    }
    lease.release(None).unwrap();
    // One is handed over, one is refused, one waits.
    let mut answers = [HandedOver::Taken, HandedOver::Never("no such user".into()), HandedOver::Later].into_iter();
    store.hand_over(&mut |_| answers.next().unwrap()).unwrap();
    assert_eq!(store.letters("lone-pine.A.").unwrap(), ["lone-pine.A.1", "lone-pine.A.2"]);
    assert_eq!(store.letters("lone-pine.").unwrap().len(), 3);
    for name in store.letters("lone-pine.A.").unwrap() {
        store.forget_letter(&name).unwrap();
        assert_eq!(store.letter(&name).unwrap(), None, "{name}");
    }
    assert_eq!((store.letters("").unwrap(), store.undelivered().unwrap()), (vec!["lone-pine.B.1".to_owned()], vec![]));
    // Mails as they came in, and filed mails.
    store.keep_taken(GAME, b"From: a@b\r\n\r\npass\r\n", 1_000_000).unwrap();
    let hash = postrider_dice::sha256(b"From: a@b\r\n\r\npass\r\n");
    assert_eq!(store.read_taken(GAME, &hash).unwrap().as_deref(), Some(&b"From: a@b\r\n\r\npass\r\n"[..]));
    assert_eq!(store.read_taken("two-rivers", &hash).unwrap(), None);
    store.refuse(b"From: a@b\r\n\r\nhello\r\n").unwrap();
    store.refuse(b"From: c@d\r\n\r\nhello\r\n").unwrap();
    store.poison(b"From: a@b\r\n\r\nworse\r\n", "it breaks the rules").unwrap();
    let by_a = |raw: &[u8]| raw.starts_with(b"From: a@b");
    assert_eq!((store.forget_filed(&by_a).unwrap(), store.forget_filed(&by_a).unwrap()), (2, 0));
    assert_eq!(store.poisoned().unwrap(), []);
    // The secrets, with both lines of a player, and the index.
    let mut lease = leased(store);
    let anna = |kept: &Kept| matches!(kept, Kept::Player(player) if player.address == "anna@example.net");
    assert!(lease.forget(&anna).unwrap() && !lease.forget(&anna).unwrap());
    lease.release(None).unwrap();
    let left = store.kept(GAME).unwrap();
    assert!(left.strange.is_empty() && !left.kept.iter().any(anna), "{left:?}");
    assert!(left.kept.contains(&player("ben@example.net")));
    for _ in 0..2 {
        store.leave(GAME, "anna@example.net").unwrap();
    }
    assert!(store.games_of("anna@example.net").unwrap().is_empty());
    assert_eq!(store.games_of("ben@example.net").unwrap(), [GAME]);
}

fn the_host_is_written_to_beside_all_games(store: &dyn Store) {
    assert_eq!(store.put_notice(&mail("_notice.1")).unwrap(), Delivery::Stored);
    assert_eq!(store.put_notice(&mail("_notice.1")).unwrap(), Delivery::AlreadyThere);
    store.hand_over(&mut |_| HandedOver::Taken).unwrap();
    assert_eq!(store.put_notice(&mail("_notice.1")).unwrap(), Delivery::AlreadyThere);
    assert_eq!((store.waiting().unwrap(), store.letters("_notice").unwrap().len()), (Vec::<String>::new(), 1));
    store.poison(b"From: x\r\n\r\nworse\r\n", "it breaks the rules").unwrap();
    assert_eq!(store.poisoned().unwrap()[0].why, "it breaks the rules");
}

fn mails_are_kept_as_they_came_in(store: &dyn Store) {
    assert!(!store.sweep_due(5_000_000).unwrap(), "there is nothing to look through");
    assert!(store.keep_taken(GAME, b"From: a@b\r\n\r\npass\r\n", 1_000_000).unwrap());
    assert!(!store.keep_taken(GAME, b"From: a@b\r\n\r\npass\r\n", 2_000_000).unwrap(), "it is there");
    assert!(store.keep_taken("two-rivers", b"From: a@b\r\n\r\npass\r\n", 3_000_000).unwrap());
    assert_eq!(store.games_of_taken().unwrap(), [GAME, "two-rivers"]);
    let hash = postrider_dice::sha256(b"From: a@b\r\n\r\npass\r\n");
    assert_eq!(store.taken(GAME).unwrap(), [TakenMail { hash, at: 1_000_000 }]);
    for _ in 0..2 {
        store.forget_taken(GAME, &hash).unwrap();
    }
    assert_eq!((store.taken(GAME).unwrap(), store.taken("two-rivers").unwrap().len()), (vec![], 1));
    let day = 24 * 3_600;
    let asked = [5_000_000, 5_000_000 + day - 1, 5_000_000 + day].map(|now| store.sweep_due(now).unwrap());
    assert_eq!(asked, [true, false, true]);
}

#[test]
fn files_keep_the_contract() {
    contract(&in_files);
}

/// The store remembers that no game is missing in the index, so that a mail does not require a look
/// at all games. It still finds a game that is copied into the folder.
#[test]
fn all_games_are_looked_at_only_where_one_came_or_went() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open_or_create(folder.path()).unwrap();
    let store = FileStore::new(&host);
    made(&store, 1);
    let mut lease = leased(&store);
    lease.keep(&player("anna@example.net")).unwrap();
    lease.release(Some(&status(1))).unwrap();
    let whole = folder.path().join("index/whole");
    let find = || store.games_of("anna@example.net").unwrap();
    assert_eq!(find(), [GAME]);
    assert!(!whole.exists(), "the folder is so young that it may change without a new time");
    let age = |seconds| {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        File::open(host.journals()).unwrap().set_modified(time).unwrap();
    };
    age(60);
    assert_eq!(find(), [GAME]);
    assert!(whole.exists());
    let lose = || {
        fs::remove_dir_all(folder.path().join("index/games")).unwrap();
        fs::remove_dir_all(folder.path().join("index/addresses")).unwrap();
    };
    lose();
    assert!(find().is_empty(), "nothing came or went, so nothing is looked at");
    fs::copy(host.journal(GAME), host.journal("wet-pine")).unwrap();
    fs::copy(host.secrets(GAME), host.secrets("wet-pine")).unwrap();
    age(30);
    assert_eq!(find(), [GAME, "wet-pine"]);
    // Clearing the index also clears that record.
    store.forget().unwrap();
    assert!(!whole.exists());
    assert_eq!(find(), [GAME, "wet-pine"]);
}

pub(super) fn lines(count: usize) -> (Writer, Vec<String>) {
    let mut writer = Writer::new(GAME).unwrap();
    let made = (0..count).map(|_| next(&mut writer)).collect();
    (writer, made)
}

pub(super) fn next(writer: &mut Writer) -> String {
    let text = format!("line {}", writer.n());
    let body = match writer.n() {
        0 => postrider_journal::testing::opened(GAME),
        _ => Body::Ruling(Ruling::new("host", text, Json::empty())),
    };
    writer.line("2026-01-02T03:04:05Z", &body).unwrap()
}

pub(super) fn made(store: &dyn Store, count: usize) -> Writer {
    let (writer, lines) = lines(count);
    let mut lease = store.create(GAME).unwrap();
    lease.append(0, lines.concat().as_bytes()).unwrap();
    lease.release(None).unwrap();
    writer
}

pub(super) fn leased(store: &dyn Store) -> Box<dyn Lease> {
    store.lease(GAME, None).unwrap().expect("there is such a game")
}

pub(super) fn bytes(store: &dyn Store) -> Vec<u8> {
    store.journal(GAME).unwrap().expect("there is such a game").bytes().unwrap().to_vec()
}

pub(super) fn player(address: &str) -> Kept {
    let (name, salt) = ("Anna".to_owned(), Hash([7; 32]));
    Kept::Player(Player { seat: Seat(0), name, address: address.to_owned(), salt, zone: None })
}

pub(super) fn status(lines: u64) -> GameStatus {
    GameStatus {
        ruleset: "auction".into(),
        moment: "Turn 1".into(),
        lines,
        head: None,
        closed: false,
        outcome: None,
        ended: None,
        awaited: vec![Awaited { seat: "A".into(), called: "Anna (A)".into(), since: None }],
        declined: Vec::new(),
        open_seats: 1,
        appeals: vec![(7, "Anna (A)".into())],
        paused: None,
        deadlines: Vec::new(),
        due: Some(1_800_000_000),
    }
}

pub(super) fn mail(unique: &str) -> OutboxRow {
    let envelope = Envelope { sender: None, recipients: vec![format!("{unique}@example.net")] };
    OutboxRow {
        unique: unique.to_owned(),
        mail: Composed { envelope, raw: format!("Subject: {unique}\r\n\r\n").into() },
    }
}

fn a_game_is_made_once(store: &dyn Store) {
    assert!(store.games().unwrap().is_empty());
    assert!(store.journal(GAME).unwrap().is_none() && store.lease(GAME, None).unwrap().is_none());
    // An interrupted creation: there is no such game yet, and it can be created.
    let mut lease = store.create(GAME).unwrap();
    lease.keep(&player("anna@example.net")).unwrap();
    drop(lease);
    assert!(store.games().unwrap().is_empty() && store.listed().unwrap().is_empty());
    made(store, 2);
    assert_eq!(store.games().unwrap(), [GAME]);
    assert!(store.create(GAME).is_err());
    assert_eq!(bytes(store), lines(2).1.concat().as_bytes());
}

fn lines_are_appended_where_they_belong_or_not_at_all(store: &dyn Store) {
    let mut writer = made(store, 2);
    let before = bytes(store);
    let third = next(&mut writer);
    let fourth = next(&mut writer);
    for (expected, wrong) in [
        (1, third.clone()),
        (3, third.clone()),
        (2, fourth.clone()),
        (2, third.trim_end().to_owned()),
        (2, String::new()),
    ] {
        let mut lease = leased(store);
        assert!(lease.append(expected, wrong.as_bytes()).is_err(), "{expected}: {wrong}");
        assert_eq!(lease.head().map(|head| head.n), Some(1));
    }
    assert_eq!(bytes(store), before);
    let mut lease = leased(store);
    lease.append(2, format!("{third}{fourth}").as_bytes()).unwrap();
    assert_eq!(lease.head().cloned(), writer.head());
    assert_eq!(lease.journal().bytes().unwrap().len(), before.len() + third.len() + fourth.len());
    lease.cut_after(Some(2)).unwrap();
    assert_eq!(lease.head().map(|head| head.n), Some(2));
    assert!(lease.cut_after(Some(9)).is_err());
    lease.append(3, fourth.as_bytes()).unwrap();
    lease.release(None).unwrap();
    assert_eq!(bytes(store), [before, third.into_bytes(), fourth.into_bytes()].concat());
}

fn a_message_can_be_taken_away(store: &dyn Store) {
    made(store, 1);
    let message = |byte: u8| Message {
        commit: Hash([byte; 32]),
        salt: Hash([9; 32]),
        by: Party::Seat(Seat(0)),
        anonymous: false,
        to: vec![Party::Host],
        text: format!("number {byte}"),
        mail: None,
    };
    let all = [1, 2, 3].map(|byte| Kept::Message(message(byte)));
    let mut lease = leased(store);
    for kept in &all {
        lease.keep(kept).unwrap();
    }
    let it = |kept: &Kept| matches!(kept, Kept::Message(message) if message.commit == Hash([2; 32]));
    assert!(lease.forget(&it).unwrap());
    assert!(!lease.forget(&it).unwrap());
    lease.keep(&Kept::Message(message(4))).unwrap();
    lease.release(None).unwrap();
    let expected = [1, 3, 4].map(|byte| Kept::Message(message(byte)));
    assert_eq!(store.kept(GAME).unwrap().kept, expected);
}

fn what_is_kept_comes_back_in_order(store: &dyn Store) {
    made(store, 1);
    let all = [
        player("anna@example.net"),
        Kept::Append(Append { from: 1, to: 4, by: None }),
        Kept::AwayBot("random".into()),
        player("anna@example.org"),
    ];
    let mut lease = leased(store);
    for kept in &all {
        lease.keep(kept).unwrap();
    }
    assert_eq!(lease.kept().unwrap().kept, all);
    lease.release(None).unwrap();
    let read = store.kept(GAME).unwrap();
    assert_eq!((read.kept.as_slice(), read.strange.len()), (&all[..], 0));
    assert_eq!(leased(store).kept().unwrap().kept, all);
}

fn one_at_a_time_changes_a_game_and_all_may_look(store: &dyn Store) {
    let mut writer = made(store, 1);
    let mut lease = leased(store);
    assert!(store.journal(GAME).unwrap().is_some() && store.kept(GAME).is_ok() && store.mark(GAME).is_ok());
    assert_eq!(store.games().unwrap(), [GAME]);
    lease.append(1, next(&mut writer).as_bytes()).unwrap();
    lease.release(None).unwrap();
    // A lease can be taken again at once after it was released, and also after it was dropped.
    drop(leased(store));
    assert_eq!(leased(store).head().map(|head| head.n), Some(1));
}

fn a_mark_tells_whether_anything_was_changed(store: &dyn Store) {
    let mut writer = made(store, 1);
    let first = store.mark(GAME).unwrap();
    let lease = store.lease(GAME, Some(&first)).unwrap().unwrap();
    assert_eq!(lease.head(), first.head.as_ref());
    assert_eq!(lease.release(None).unwrap(), first, "nothing was done");
    let mut lease = store.lease(GAME, Some(&first)).unwrap().unwrap();
    lease.keep(&player("anna@example.net")).unwrap();
    let second = lease.release(None).unwrap();
    assert_ne!(second, first);
    assert_eq!(store.mark(GAME).unwrap(), second);
    // An old mark does no harm.
    let mut lease = store.lease(GAME, Some(&first)).unwrap().unwrap();
    assert_eq!(lease.kept().unwrap().kept.len(), 1);
    lease.append(1, next(&mut writer).as_bytes()).unwrap();
    let third = lease.release(None).unwrap();
    assert_eq!(third.head.as_ref().map(|head: &Head| head.n), Some(1));
    assert!(third != second && store.mark(GAME).unwrap() == third);
}

fn the_index_is_never_older_than_the_game(store: &dyn Store) {
    let mut writer = made(store, 1);
    let known = || store.listed().unwrap().into_iter().map(|listed| (listed.game, listed.status)).collect::<Vec<_>>();
    assert_eq!(known(), [(GAME.to_owned(), None)]);
    leased(store).release(Some(&status(1))).unwrap();
    assert_eq!(known(), [(GAME.to_owned(), Some(status(1)))]);
    // The program ends after an append, before it records the status; then that is unknown.
    let mut lease = leased(store);
    lease.append(1, next(&mut writer).as_bytes()).unwrap();
    lease.release(None).unwrap();
    assert_eq!(known(), [(GAME.to_owned(), None)]);
    leased(store).release(Some(&status(2))).unwrap();
    let mut lease = leased(store);
    lease.keep(&player("anna@example.net")).unwrap();
    drop(lease);
    // A store that discards the changes of a dropped lease is unchanged.
    let kept = store.kept(GAME).unwrap().kept.len();
    assert_eq!(known()[0].1.is_some(), kept == 0);
    leased(store).release(Some(&status(2))).unwrap();
    store.forget().unwrap();
    assert_eq!(known(), [(GAME.to_owned(), None)]);
}

fn an_address_finds_its_games(store: &dyn Store) {
    made(store, 1);
    assert!(store.games_of("anna@example.net").unwrap().is_empty());
    let mut lease = leased(store);
    for address in ["anna@example.net", "bot:random", "anna@example.org"] {
        lease.keep(&player(address)).unwrap();
    }
    lease.release(Some(&status(1))).unwrap();
    for _ in 0..2 {
        assert_eq!(store.games_of(" Anna@Example.NET").unwrap(), [GAME]);
        assert_eq!(store.games_of("anna@example.org").unwrap(), [GAME]);
        assert!(
            store.games_of("zoe@example.net").unwrap().is_empty() && store.games_of("bot:random").unwrap().is_empty()
        );
        // A cleared index is made again.
        store.forget().unwrap();
    }
}

fn a_mail_waits_until_it_is_taken_or_refused(store: &dyn Store) {
    made(store, 1);
    let mut lease = leased(store);
    for name in ["a", "b", "c"] {
        assert_eq!(lease.put(&mail(name)).unwrap(), Delivery::Stored);
    }
    let other = OutboxRow { mail: mail("z").mail, ..mail("a") };
    assert_eq!(lease.put(&other).unwrap(), Delivery::AlreadyThere);
    lease.release(None).unwrap();
    assert_eq!(store.waiting().unwrap(), ["a", "b", "c"]);
    let mut seen = Vec::new();
    let mut round = |answers: [HandedOver; 3]| {
        let mut answers = answers.into_iter();
        seen.clear();
        let take = &mut |row: &OutboxRow| {
            seen.push(row.clone());
            answers.next().expect("no more than three wait")
        };
        store.hand_over(take).unwrap();
        seen.clone()
    };
    use HandedOver::{Later, Never, Stop, Taken};
    assert_eq!(round([Later, Stop, Taken]), [mail("a"), mail("b")], "with the envelopes that were put");
    assert_eq!(round([Taken, Never("no such user".into()), Later]).len(), 3);
    assert_eq!(store.waiting().unwrap(), ["c"]);
    assert_eq!(round([Later, Later, Later]), [mail("c")]);
    // The reason for a refusal is known until another letter is written; so is that for a later
    // bounce.
    let unique = |all: Vec<Undelivered>| all.into_iter().map(|one| (one.unique, one.why)).collect::<Vec<_>>();
    let refused = || ("b".to_owned(), "no such user".to_owned());
    assert_eq!(unique(store.undelivered().unwrap()), [refused()]);
    assert_eq!(store.came_back("a", "mailbox full").unwrap().as_deref(), Some("a"));
    assert_eq!(store.came_back("a", "mailbox full").unwrap(), None);
    assert_eq!(unique(store.undelivered().unwrap()), [("a".to_owned(), "mailbox full".to_owned()), refused()]);
    store.forgive("b").unwrap();
    assert_eq!(store.undelivered().unwrap().len(), 1);
    // Waiting letters and those handed over can be read again.
    for name in ["a", "c"] {
        assert_eq!(store.letter(name).unwrap(), Some(mail(name).mail.raw), "{name}");
    }
    assert_eq!(store.letter("nobody").unwrap(), None);
    // A letter that was handed over is not added again.
    assert_eq!(leased(store).put(&mail("a")).unwrap(), Delivery::AlreadyThere);
    assert_eq!(store.waiting().unwrap(), ["c"]);
}

fn a_mail_that_came_in_stays_until_it_is_taken_in(store: &dyn Store) {
    assert!(store.inbox().unwrap().is_empty());
    for name in ["2", "1"] {
        assert_eq!(store.comes_in(name, name.as_bytes()).unwrap(), Delivery::Stored);
    }
    assert_eq!(store.comes_in("2", b"another").unwrap(), Delivery::AlreadyThere);
    assert_eq!(store.inbox().unwrap(), ["1", "2"]);
    assert_eq!(store.read("2").unwrap(), b"2");
    store.taken_in("1").unwrap();
    store.taken_in("1").unwrap();
    assert!(store.inbox().unwrap() == ["2"] && store.read("1").is_err());
    store.refuse(b"nonsense").unwrap();
    store.refuse(b"nonsense").unwrap();
    assert_eq!(store.inbox().unwrap(), ["2"]);
}
