//! The sender of a mail: signatures of the author's domain, and addresses changed or added by
//! players.

use super::{
    by_mail::{answer, body, decisions, field, office_in, outbox, table, take_mail},
    needed::*,
};
use crate::game::seats;
use crate::{post::reseating, services::Services, transaction::Transaction};
use postrider_mail::{DkimKey, KeyLookup, Keys, LookupFault, Signed, Unsigned};
use postrider_store::{Kept, SenderCheck};
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const ANNA: &str = "anna@example.net";

/// Opens a game of a host with this setting, whose resolver knows the key of example.net. Also
/// returns that key.
fn host(setting: &str) -> (TempDir, Office, DkimKey) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), setting).unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let key = DkimKey::new("example.net", "s", DkimKey::new_pem().unwrap().as_bytes()).unwrap();
    office.look_up_by(Box::new(Keys::of(&[(&key.name(), key.record())])));
    (folder, office, key)
}

fn signed(key: &DkimKey, raw: &str) -> Vec<u8> {
    key.sign(raw.replace('\n', "\r\n").as_bytes()).unwrap()
}

fn told(office: &Office) -> (String, String) {
    let mail = take_mail(office, "lone-pine.A.re");
    (body(&mail).split_whitespace().collect::<Vec<_>>().join(" "), mail)
}

fn known(office: &mut Office) -> Vec<Signed> {
    office.change(GAME, |_, tx| Ok(tx.secrets.signed.values().cloned().collect())).unwrap()
}

const DONE: Outcome = Outcome::Answered { done: 1, total: 1 };
const NOTHING: Outcome = Outcome::Answered { done: 0, total: 0 };

/// A resolver that must not be used.
struct Never;

impl KeyLookup for Never {
    fn txt(&self, name: &str) -> Result<Vec<Vec<u8>>, LookupFault> {
        panic!("{name} was looked up")
    }
}

#[test]
fn where_signatures_are_required_a_mail_without_one_orders_nothing() {
    let (_folder, mut office, key) = host("sender_check = \"required\"\n");
    let first = take_mail(&office, "lone-pine.A.");
    for (n, raw) in [
        answer(ANNA, &first, "bid 1"),
        // Signed by another domain, as the signature itself says.
        format!(
            "DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s; h=From; bh=AA==; b=AA==\n{}",
            answer(ANNA, &first, "bid 2")
        ),
        String::from_utf8(signed(&key, &answer(ANNA, &first, "bid 3"))).unwrap().replace("bid 3", "bid 4"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, NOTHING, "{n}");
        let (said, mail) = told(&office);
        assert!(said.contains("orders count only in mails that are signed") && said.contains("ask the host"), "{said}");
        assert!(field(&mail, "To").contains(ANNA), "the player himself is told, whoever wrote");
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    }
    assert_eq!(decisions(&office), 0);
    let raw = signed(&key, &answer(ANNA, &first, "bid 5"));
    assert_eq!(office.receive(&raw).unwrap().outcome, DONE);
    // Forged mails in her name cause a few answers to her per hour, and no more.
    let all = (10..20).map(|n| office.receive(answer(ANNA, &first, &format!("bid {n}")).as_bytes()).unwrap().outcome);
    let filed = { all }.filter(|outcome| matches!(outcome, Outcome::Filed(_))).count();
    assert_eq!(filed, 9, "four answers an hour, of which three were given above");
    assert_eq!(decisions(&office), 1);
}

/// A mail that she signed for another recipient cannot be turned into an order by someone who has
/// one of her letters: the token must be in a field that her signature covers.
#[test]
fn a_token_in_a_field_that_is_not_signed_orders_nothing() {
    let (_folder, mut office, key) = host("sender_check = \"required\"\n");
    let first = take_mail(&office, "lone-pine.A.");
    let here = field(&first, "Reply-To");
    let id = field(&first, "Message-ID");
    for (n, added) in [
        format!("Delivered-To: {here}"),
        format!("X-Original-To: {here}"),
        format!("Cc: {here}"),
        format!("References: {id}"),
    ]
    .iter()
    .enumerate()
    {
        let elsewhere = format!(
            "From: {ANNA}\nTo: carl@example.net\nSubject: Bridge\nMessage-ID: <{n}@example.net>\nMIME-Version: 1.0\n\nbid 5\n"
        );
        let raw = [format!("{added}\r\n").as_bytes(), &signed(&key, &elsewhere)].concat();
        assert_eq!(office.receive(&raw).unwrap().outcome, NOTHING, "{added}");
        assert!(known(&mut office).iter().all(|signed| !signed.holds()), "{added}");
        // A signature of this key also covers that a mail has no Cc and no References.
        let (said, _) = told(&office);
        let why = [
            "field that names the answered letter (Delivered-To)",
            "letter (X-Original-To)",
            "is invalid",
            "is invalid",
        ];
        assert!(said.contains(why[n]), "{said}");
    }
    assert_eq!(decisions(&office), 0);
    // The mail system that delivers repeats a recipient that she wrote and signed.
    let own = signed(&key, &answer(ANNA, &first, "bid 5"));
    let raw = [format!("Delivered-To: {here}\r\n").as_bytes(), &own].concat();
    assert_eq!(office.receive(&raw).unwrap().outcome, DONE);
}

/// Anyone who has one of her letters can write in her name any number of times: her own mails still
/// count.
#[test]
fn forged_mails_do_not_use_up_a_players_answers() {
    let (_folder, mut office, key) = host("sender_check = \"required\"\nanswers_per_hour = 3\n");
    let first = take_mail(&office, "lone-pine.A.");
    for n in 10..20 {
        office.receive(answer(ANNA, &first, &format!("bid {n}")).as_bytes()).unwrap();
    }
    assert_eq!(office.receive(&signed(&key, &answer(ANNA, &first, "bid 5"))).unwrap().outcome, DONE);
}

/// A copy of her mail with another sender on top comes first.
#[test]
fn a_copy_with_another_sender_does_not_stop_the_mail() {
    for setting in ["off", "required"] {
        let (_folder, mut office, key) = host(&format!("sender_check = \"{setting}\"\n"));
        let first = take_mail(&office, "lone-pine.A.");
        let raw = signed(&key, &answer(ANNA, &first, "bid 5"));
        let copy = [b"Sender: mallory@x.example\r\n", &raw[..]].concat();
        assert_ne!(office.receive(&copy).unwrap().outcome, DONE);
        assert_eq!(office.receive(&raw).unwrap().outcome, DONE, "{setting}");
    }
}

#[test]
fn where_they_are_recorded_it_is_kept_what_they_said() {
    let (folder, mut office, key) = host("sender_check = \"recorded\"\n");
    let first = take_mail(&office, "lone-pine.A.");
    assert_eq!(office.receive(answer(ANNA, &first, "bid 1").as_bytes()).unwrap().outcome, DONE);
    assert!(matches!(&known(&mut office)[..], [Signed::Nobody { .. }]));
    let ben = take_mail(&office, "lone-pine.B.");
    assert_eq!(office.receive(&signed(&key, &answer("ben@example.net", &ben, "bid 2"))).unwrap().outcome, DONE);
    // It is stored for the next program that opens the game.
    drop(office);
    let mut office = office_in(folder.path());
    let by = Signed::Dkim { domain: "example.net".into() };
    assert!(known(&mut office).contains(&by) && known(&mut office).len() == 2);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert!(!journal.contains("dkim") && !journal.contains("nobody"), "the journal says nothing of it");
}

#[test]
fn where_they_are_off_nobody_is_asked_and_a_seat_can_have_its_own_rule() {
    let (_folder, mut office, key) = host("");
    office.look_up_by(Box::new(Never));
    let first = take_mail(&office, "lone-pine.A.");
    assert_eq!(office.receive(&signed(&key, &answer(ANNA, &first, "bid 1"))).unwrap().outcome, DONE);
    assert!(known(&mut office).is_empty());
    let carl = "Carl <carl@example.net>".parse::<Invitee>().unwrap();
    office
        .directing(GAME)
        .reseat(Seat(2), &Invitee { sender_check: Some(SenderCheck::Required), ..carl }, false)
        .unwrap();
    office.look_up_by(Box::new(Keys::of(&[(&key.name(), key.record())])));
    let his = take_mail(&office, "lone-pine.C.12.");
    let raw = answer("carl@example.net", &his, "bid 1");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, NOTHING);
    assert_eq!(decisions(&office), 1);
    let new = NewGame {
        id: Some("red-mesa".into()),
        players: table()
            .players
            .into_iter()
            .map(|one| Invitee { sender_check: Some(SenderCheck::Off), ..one })
            .collect(),
        ..table()
    };
    office.new_game(&new).unwrap();
    let check = office.change("red-mesa", |services, tx| {
        services.host.settings.sender_check = SenderCheck::Required;
        Ok(seats::sender_check(tx, services, Seat(0)))
    });
    assert_eq!(check.unwrap(), SenderCheck::Off);
}

#[test]
fn a_mail_waits_as_long_as_its_key_cannot_be_had() {
    let (_folder, mut office, key) = host("sender_check = \"required\"\n");
    let first = take_mail(&office, "lone-pine.A.");
    let raw = signed(&key, &answer(ANNA, &first, "bid 1"));
    office.look_up_by(Box::new(Keys::silent()));
    let why = office.receive(&raw).unwrap_err();
    assert!(
        matches!(why, OfficeError::Lookup { seat: Some(Seat(0)), .. }) && why.is_of_one_game() && !why.is_of_one_mail(),
        "{why}"
    );
    office.host().mail(MailFolder::In).unwrap().deliver("1", &raw).unwrap();
    let other = answer("nobody@x.example", &first, "bid 1");
    office.host().mail(MailFolder::In).unwrap().deliver("2", other.as_bytes()).unwrap();
    let all = office.receive_all().unwrap();
    assert!(matches!(all[0].outcome, Outcome::Kept { .. }) && all.len() == 2, "others do not wait: {all:?}");
    office.look_up_by(Box::new(Keys::of(&[(&key.name(), key.record())])));
    assert_eq!(office.receive_all().unwrap()[0].outcome, DONE);
    assert_eq!(decisions(&office), 1);
}

#[test]
fn a_mail_whose_key_cannot_be_had_counts_as_unsigned_after_a_day() {
    for (setting, done) in [("required", NOTHING), ("recorded", DONE)] {
        let (_folder, mut office, key) = host(&format!("sender_check = \"{setting}\"\n"));
        let first = take_mail(&office, "lone-pine.A.");
        office.look_up_by(Box::new(Keys::silent()));
        let unique = format!("{}.M1P2", office.environment().now().timestamp());
        let raw = signed(&key, &answer(ANNA, &first, "bid 1"));
        office.host().mail(MailFolder::In).unwrap().deliver(&unique, &raw).unwrap();
        for hours in [0, 23] {
            office.environment().advance(hours * 3_600);
            let all = office.receive_all().unwrap();
            let [Processed { game, seat, outcome: Outcome::Kept { fault, .. } }] = &all[..] else { panic!("{all:?}") };
            assert_eq!((game.as_deref(), *seat, *fault), (Some(GAME), Some(Seat(0)), Passing::Lookup));
        }
        office.environment().advance(3_600);
        assert_eq!(office.receive_all().unwrap()[0].outcome, done, "{setting}");
        assert_eq!(known(&mut office), [Signed::Nobody { why: Unsigned::Silence }]);
    }
}

/// Takes the letter to an address that a player asked for.
fn asked_there(office: &Office) -> String {
    take_mail(office, "lone-pine.A.address.")
}

#[test]
fn a_player_moves_to_an_address_that_confirms_it() {
    let (_folder, mut office, _) = host("");
    let first = take_mail(&office, "lone-pine.A.");
    let raw = answer(ANNA, &first, "letters long\nMy address is now Anna@New.example.");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, NOTHING);
    let (said, _) = told(&office);
    assert!(said.contains("A letter was sent to anna@new.example.") && said.contains("reply `new token`"), "{said}");
    let there = asked_there(&office);
    assert!(field(&there, "To").contains("anna@new.example") && body(&there).contains("reply `yes`"), "{there}");
    let zone = Kept::Zone(Seat(0), "America/Denver".to_owned());
    office.change(GAME, |_, tx| Ok(tx.keep(zone)?)).unwrap();
    // Another person's yes does not count, and neither does anything but a yes.
    for (from, text) in [(ANNA, "yes"), ("mallory@x.example", "yes"), ("anna@new.example", "who is this")] {
        office.receive(answer(from, &there, text).as_bytes()).unwrap();
    }
    let address = |office: &mut Office| {
        office.change(GAME, |_, tx| Ok(tx.seats.player(Seat(0)).unwrap().address.clone())).unwrap()
    };
    assert_eq!(address(&mut office), ANNA);
    assert!(told(&office).0.contains("does not answer a letter that was written to you"));
    let before = outbox(&office).len();
    assert_eq!(office.receive(answer("anna@new.example", &there, "Yes!").as_bytes()).unwrap().outcome, NOTHING);
    assert_eq!(address(&mut office), "anna@new.example");
    assert!(outbox(&office).len() >= before + 2);
    let farewell = take_mail(&office, "lone-pine.A.former.");
    assert!(field(&farewell, "To").contains(ANNA) && body(&farewell).contains("another address"), "{farewell}");
    let (said, newer) = told(&office);
    assert!(said.contains("From now on your letters come to this address"), "{said}");
    assert!(field(&newer, "To").contains("anna@new.example"));
    // Earlier letters are void, from any sender; the newest counts, and her settings are kept.
    assert_eq!(office.receive(answer(ANNA, &first, "bid 1").as_bytes()).unwrap().outcome, NOTHING);
    assert_eq!(office.receive(answer("anna@new.example", &first, "bid 2").as_bytes()).unwrap().outcome, NOTHING);
    assert_eq!(decisions(&office), 0);
    assert_eq!(office.receive(answer("anna@new.example", &newer, "bid 3").as_bytes()).unwrap().outcome, DONE);
    let pace = office.change(GAME, |_, tx| Ok(tx.pace(Seat(0)))).unwrap();
    assert_eq!(pace.letters, postrider_store::LetterLength::Long);
    let zone = office.change(GAME, |_, tx| Ok(tx.secrets.zones.get(&Seat(0)).cloned())).unwrap();
    assert_eq!(zone.as_deref(), Some("America/Denver"));
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(journal.matches("\"kind\":\"reseated\"").count(), 1);
}

/// The program ends before the answer, when the line that moves the seat is synced: the same yes is
/// answered, and moves nothing.
#[test]
fn a_yes_that_comes_again_after_a_crash_is_answered() {
    let (_folder, mut office, _) = host("");
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer(ANNA, &first, "my address is now anna@new.example").as_bytes()).unwrap();
    told(&office);
    let there = asked_there(&office);
    let moved = |services: &mut Services, tx: &mut Transaction| {
        reseating::reseat(tx, services, (Seat(0), "Anna", "anna@new.example", None), Vec::new())
    };
    office.change(GAME, moved).unwrap();
    let raw = answer("anna@new.example", &there, "yes");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, NOTHING);
    assert!(told(&office).0.contains("From now on your letters come to this address"));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(journal.matches("\"kind\":\"reseated\"").count(), 1);
    // Once answered, the word is void, even for the seat's next player.
    office.directing(GAME).reseat(Seat(0), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    office.receive(answer("anna@new.example", &there, "yes please").as_bytes()).unwrap();
    let address = office.change(GAME, |_, tx| Ok(tx.seats.player(Seat(0)).unwrap().address.clone()));
    assert_eq!(address.unwrap(), "emil@example.net");
}

/// A person who reads an address with two seats sees both hands. No player can cause that, even
/// with another's help.
#[test]
fn the_address_of_another_seat_is_no_second_one() {
    let (_folder, mut office, _) = host("");
    let first = take_mail(&office, "lone-pine.A.");
    for wanted in ["also write from ben@example.net", "my address is now ben@example.net"] {
        office.receive(answer(ANNA, &first, wanted).as_bytes()).unwrap();
        // Anna does not learn from it which addresses others use.
        assert!(told(&office).0.contains("A letter was sent to ben@example.net"), "{wanted}");
        let there = asked_there(&office);
        office.receive(answer("ben@example.net", &there, "yes").as_bytes()).unwrap();
        assert!(take_mail(&office, "lone-pine.B.re").contains("Nothing was done"), "{wanted}");
    }
    office.receive(answer("ben@example.net", &first, "bid 1").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert!(!journal.contains("\"kind\":\"reseated\""), "{journal}");
}

#[test]
fn a_mail_from_an_address_with_two_seats_is_for_the_one_whose_letter_it_answers() {
    let (_folder, mut office, _) = host("");
    let both = "Carl <anna@example.net>".parse::<Invitee>().unwrap();
    let why = office.directing(GAME).reseat(Seat(2), &both, false).unwrap_err().to_string();
    assert!(why.starts_with("anna@example.net is already the address of seat A"), "{why}");
    office.directing(GAME).reseat(Seat(2), &both, true).unwrap();
    let hers = take_mail(&office, "lone-pine.A.");
    let his = take_mail(&office, "lone-pine.C.11.");
    for (letter, seat) in [(&his, Seat(2)), (&hers, Seat(0))] {
        let taken = office.receive(answer(ANNA, letter, "bid 1").as_bytes()).unwrap();
        assert_eq!((taken.seat, taken.outcome), (Some(seat), DONE));
    }
}

#[test]
fn orders_count_from_a_second_address_too() {
    let (folder, mut office, _) = host("");
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer(ANNA, &first, "also write from anna@work.example").as_bytes()).unwrap();
    told(&office);
    let there = asked_there(&office);
    assert_eq!(office.receive(answer("anna@work.example", &first, "bid 1").as_bytes()).unwrap().outcome, NOTHING);
    assert_eq!(decisions(&office), 0, "not yet");
    office.receive(answer("anna@work.example", &there, "yes").as_bytes()).unwrap();
    let (said, mail) = told(&office);
    assert!(said.contains("Orders count from anna@work.example too") && field(&mail, "To").contains(ANNA), "{said}");
    drop(office);
    let mut office = office_in(folder.path());
    assert_eq!(office.receive(answer("anna@work.example", &first, "bid 2").as_bytes()).unwrap().outcome, DONE);
    assert!(field(&told(&office).1, "To").contains(ANNA), "answers go to her first address");
    office.receive(answer(ANNA, &first, "no longer write from anna@work.example").as_bytes()).unwrap();
    assert!(told(&office).0.contains("Orders no longer count from anna@work.example"));
    office.receive(answer("anna@work.example", &first, "back").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 1, "it is a stranger's again");
}

#[test]
fn nobody_can_have_many_addresses_written_to() {
    let (_folder, mut office, _) = host("");
    let first = take_mail(&office, "lone-pine.A.");
    let many: Vec<String> = (0..6).map(|n| format!("my address is now v{n}@victim.example")).collect();
    office.receive(answer(ANNA, &first, &many.join("\n")).as_bytes()).unwrap();
    let (said, newer) = told(&office);
    assert!(said.contains("3 such letters a day are the maximum"), "{said}");
    let written = |office: &Office| outbox(office).iter().filter(|(_, raw)| raw.contains("@victim.example>")).count();
    assert_eq!(written(&office), 3);
    office.receive(answer(ANNA, &first, "my address is now postrider+x@localhost").as_bytes()).unwrap();
    assert!(told(&office).0.contains("cannot be one"), "no letter of ours answers itself");
    // A recipient who never asked for it can make the word void.
    let there = asked_there(&office);
    let from = field(&there, "To").trim_matches(|c| c == '<' || c == '>').split('<').next_back().unwrap().to_owned();
    office.receive(answer(ANNA, &newer, "new token").as_bytes()).unwrap();
    office.receive(answer(from.trim_end_matches('>'), &there, "yes").as_bytes()).unwrap();
    let address = office.change(GAME, |_, tx| Ok(tx.seats.player(Seat(0)).unwrap().address.clone()));
    assert_eq!(address.unwrap(), ANNA);
    office.environment().advance(2 * 86_400);
    let newest = told(&office).1;
    office.receive(answer(ANNA, &newest, "my address is now anna@late.example").as_bytes()).unwrap();
    assert!(told(&office).0.contains("A letter was sent to anna@late.example"), "another day");
}
