//! Letters that can be answered: a token is valid for one seat, one address and one epoch.

use super::{
    by_mail::{answer, begun, body, decisions, field, office_in, outbox, table, take_mail},
    needed::*,
};
use crate::carry_out::delay;
use postrider_mail::Token;
use postrider_table::Seat;

const GAME: &str = "lone-pine";
const ANNA: &str = "anna@example.net";

fn sent(office: &mut Office, from: &str, letter: &str, text: &str) -> Outcome {
    office.receive(answer(from, letter, text).as_bytes()).unwrap().outcome
}

fn told(office: &Office) -> (String, String) {
    let mail = take_mail(office, "lone-pine.A.re");
    (body(&mail).split_whitespace().collect::<Vec<_>>().join(" "), mail)
}

#[test]
fn new_token_voids_every_letter_from_before() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    let raw = answer(ANNA, &first, "bid 1\nnew token");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let (said, newer) = told(&office);
    assert!(said.contains("done bid 1") && said.contains("all earlier letters are void"), "{said}");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    let before = decisions(&office);
    // Whatever the mail contains, nothing is carried out, and the answer has the valid token.
    for text in ["back\nbid 2", "confirm always", "tell ben: hello", "new token"] {
        assert_eq!(sent(&mut office, ANNA, &first, text), Outcome::Answered { done: 0, total: 0 });
        let (said, mail) = told(&office);
        assert!(
            said.contains("is void, since you have asked for a new token") && said.contains("newest letter"),
            "{said}"
        );
        assert_ne!(field(&mail, "Reply-To"), field(&first, "Reply-To"), "{text}");
        office
            .change(GAME, |_, tx| {
                assert!(!tx.pace(Seat(0)).confirm && tx.secrets.messages.is_empty());
                Ok(())
            })
            .unwrap();
    }
    assert_eq!(decisions(&office), before);
    assert_eq!(sent(&mut office, ANNA, &newer, "back\nbid 2"), Outcome::Answered { done: 2, total: 2 });
    // A stranger who uses the void letter gets the same answer as before.
    assert_eq!(sent(&mut office, "mallory@example.net", &first, "bid 1"), Outcome::Answered { done: 0, total: 0 });
    let said = body(&take_mail(&office, "lone-pine.elsewhere.")).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("does not come from the address"), "{said}");
}

#[test]
fn a_mail_with_a_void_token_and_a_good_one_counts() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    sent(&mut office, ANNA, &first, "new token");
    let (_, newer) = told(&office);
    let both = format!("{}, {}", field(&first, "Reply-To"), field(&newer, "Reply-To"));
    let raw = answer(ANNA, &newer, "bid 1").replacen(field(&newer, "Reply-To"), &both, 1);
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
}

#[test]
fn void_letters_are_answered_a_few_times_an_hour() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    sent(&mut office, ANNA, &first, "new token");
    let all: Vec<Outcome> = (0..8).map(|n| sent(&mut office, ANNA, &first, &format!("bid {n}"))).collect();
    let filed = all.iter().filter(|outcome| matches!(outcome, Outcome::Filed(_))).count();
    assert_eq!(filed, 4, "{all:?}");
}

#[test]
fn the_host_can_make_a_new_token_too() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    let ben = take_mail(&office, "lone-pine.B.");
    office.new_token(GAME, Seat(0)).unwrap();
    let (said, newer) = told(&office);
    assert!(said.contains("The host has made a new token for your seat"), "{said}");
    sent(&mut office, ANNA, &first, "bid 1");
    let (said, _) = told(&office);
    assert!(said.contains("is void, since the host has made a new token"), "{said}");
    assert_eq!(decisions(&office), 0);
    assert_eq!(sent(&mut office, ANNA, &newer, "bid 1"), Outcome::Answered { done: 1, total: 1 });
    assert_eq!(
        sent(&mut office, "ben@example.net", &ben, "bid 1"),
        Outcome::Answered { done: 1, total: 1 },
        "Ben's stays"
    );
    assert!(office.new_token(GAME, Seat(7)).is_err());
}

#[test]
fn invitations_can_be_made_void() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let first = take_mail(&office, "lone-pine.A.invitation");
    let before = outbox(&office).len();
    office.new_token(GAME, Seat(0)).unwrap();
    assert_eq!(outbox(&office).len(), before + 1);
    let again = take_mail(&office, "lone-pine.A.invitation-");
    sent(&mut office, ANNA, &first, "join");
    assert!(told(&office).0.contains("is void"));
    sent(&mut office, ANNA, &again, "join");
    assert!(told(&office).0.contains("You have joined"));
}

#[test]
fn an_address_can_be_corrected_after_its_player_has_joined() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
    let (anna, ben) = (take_mail(&office, "lone-pine.A.invitation"), take_mail(&office, "lone-pine.B.invitation"));
    sent(&mut office, ANNA, &anna, "join luck three crows");
    told(&office);
    office.directing(GAME).reseat(Seat(0), &"Anna <anna@new.example>".parse().unwrap(), false).unwrap();
    let again = take_mail(&office, "lone-pine.A.invitation-");
    let said = body(&again).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Your seat has joined") && again.contains("anna@new.example"), "{said}");
    assert!(!said.contains("Answer with the one word `join`"), "{said}");
    sent(&mut office, ANNA, &anna, "status");
    assert!(take_mail(&office, "lone-pine.elsewhere.").contains("To: "), "who had it is told");
    sent(&mut office, "anna@new.example", &again, "join");
    let (said, _) = told(&office);
    assert!(said.contains("You have joined already."), "{said}");
    // Play has not begun, and another player takes the seat: it stays joined.
    office.directing(GAME).reseat(Seat(0), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    sent(&mut office, "ben@example.net", &ben, "join\ntell A: good luck");
    let carl = take_mail(&office, "lone-pine.C.invitation");
    sent(&mut office, "carl@example.net", &carl, "join");
    let first = take_mail(&office, "lone-pine.A.");
    let said = body(&first).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Emil (A) (not by mail): \"three crows\""), "{first}");
    assert_eq!(sent(&mut office, "emil@example.net", &first, "bid 1"), Outcome::Answered { done: 1, total: 1 });
    assert_eq!(decisions(&office), 1);
    super::people::proved(&office);
}

#[test]
fn a_player_corrects_his_own_address_before_the_game_begins() {
    for joins in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut office = office_in(folder.path());
        office.new_game(&NewGame { join_all: false, ..table() }).unwrap();
        let anna = take_mail(&office, "lone-pine.A.invitation");
        if joins {
            sent(&mut office, ANNA, &anna, "join luck three crows");
        }
        sent(&mut office, ANNA, &anna, "my address is now anna@new.example");
        let asked = take_mail(&office, "lone-pine.A.address.");
        sent(&mut office, "anna@new.example", &asked, "yes");
        let letters = || take_mail(&office, if joins { "lone-pine.A.re" } else { "lone-pine.A.invitation-" });
        let there = std::iter::repeat_with(letters).find(|letter| field(letter, "To").contains("anna@new.example"));
        let there = there.expect("a letter to the new address");
        sent(&mut office, "anna@new.example", &there, "join");
        let said = told(&office).0;
        assert!(
            said.contains(if joins { "You have joined already." } else { "You have joined. The game begins" }),
            "{said}"
        );
        sent(&mut office, ANNA, &anna, "join");
        assert!(take_mail(&office, "lone-pine.elsewhere.").contains("To: "), "letters from before are void");
    }
}

#[test]
fn reseat_voids_the_letters_of_both_addresses() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    let seat = |player: &str| player.parse::<Invitee>().unwrap();
    office.directing(GAME).reseat(Seat(0), &seat("Anna <anna@new.example>"), false).unwrap();
    let newer = take_mail(&office, "lone-pine.A.");
    sent(&mut office, "anna@new.example", &first, "bid 1");
    let (said, _) = told(&office);
    assert!(said.contains("the seat has got another player or another address"), "{said}");
    sent(&mut office, ANNA, &first, "bid 1");
    let said = take_mail(&office, "lone-pine.elsewhere.");
    let said = body(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("has been given to another player, or plays from another address"), "{said}");
    assert_eq!(decisions(&office), 0);
    assert_eq!(sent(&mut office, "anna@new.example", &newer, "bid 1"), Outcome::Answered { done: 1, total: 1 });
    // Back to the first address: its first letters stay void.
    office.directing(GAME).reseat(Seat(0), &seat("Anna <anna@example.net>"), false).unwrap();
    sent(&mut office, ANNA, &first, "back");
    assert!(told(&office).0.contains("is void"));
    assert_eq!(decisions(&office), 1);
}

#[test]
fn orders_that_wait_do_not_outlive_a_change_of_hands() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    sent(&mut office, ANNA, &first, "delay 10 minutes");
    let (_, letter) = told(&office);
    sent(&mut office, ANNA, &letter, "bid 3");
    office.directing(GAME).reseat(Seat(0), &"Emil <emil@example.net>".parse().unwrap(), false).unwrap();
    office
        .change(GAME, |services, tx| {
            for (_, waiting) in &mut tx.secrets.waiting {
                waiting.until = 0;
            }
            assert_eq!(tx.secrets.waiting.len(), 1);
            delay::take_waiting(tx, services)
        })
        .unwrap();
    assert_eq!(decisions(&office), 0);
}

#[test]
fn a_new_token_does_not_wait() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    sent(&mut office, ANNA, &first, "delay 10 minutes");
    let (_, letter) = told(&office);
    sent(&mut office, ANNA, &letter, "bid 3\nnew token");
    let (said, _) = told(&office);
    assert!(said.contains("Your orders wait until") && said.contains("Your seat has a new token"), "{said}");
    sent(&mut office, ANNA, &letter, "stop");
    assert!(told(&office).0.contains("is void"));
}

#[test]
fn a_forward_safe_letter_proves_and_answers_nothing() {
    let (folder, office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let safe = postrider_mail::forward_safe(letter.as_bytes()).unwrap();
    let token = field(&letter, "Reply-To").split('@').next().unwrap().rsplit('.').next().unwrap().to_owned();
    assert!(letter.contains(&token) && !safe.contains(&token) && !safe.contains("mailto:"), "{safe}");
    let path = folder.path().join("safe.eml");
    std::fs::write(&path, &safe).unwrap();
    let mut evidence = Evidence::default();
    evidence.add_mailbox(&path).unwrap();
    assert_eq!(evidence.receipts.len(), 1, "{evidence:?}");
    let [receipt] = &evidence.receipts[..] else { unreachable!() };
    let head = office.host().journal(GAME);
    let line = std::fs::read_to_string(head).unwrap();
    assert!(line.contains(&receipt.hash.to_string()) && receipt.seat == "A" && receipt.signature.len() == 86);
    assert!(receipt.key.is_some());
}

/// A provider drops the part after the plus sign: the letter is recognized by its Message-ID, which
/// also has the token.
#[test]
fn an_answer_to_the_plain_address_counts_by_the_letter_that_it_answers() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let (to, id) = (field(&letter, "Reply-To").to_owned(), field(&letter, "Message-ID").to_owned());
    let raw = answer(ANNA, &letter, "bid 1").replace(&to, "postrider@localhost");
    // Others know the head and the seat, but not the token.
    let token = id.split('@').next().unwrap().rsplit('.').next().unwrap();
    let guessed = raw.replace(token, &Token::new([7; 16]).to_string());
    assert_eq!(office.receive(guessed.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let (said, _) = told(&office);
    assert!(said.contains("does not answer a letter that was written to you") && decisions(&office) == 0, "{said}");
    let stranger = raw.replace(ANNA, "mallory@example.net");
    assert_eq!(office.receive(stranger.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    assert_eq!(decisions(&office), 0);
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let (_, newer) = told(&office);
    // It becomes void with the token.
    sent(&mut office, ANNA, &newer, "new token");
    told(&office);
    assert_eq!(
        office.receive(raw.replace("bid 1", "bid 2").as_bytes()).unwrap().outcome,
        Outcome::Answered { done: 0, total: 0 }
    );
    let (said, _) = told(&office);
    assert!(said.contains("the letter that you answer is void"), "{said}");
}

#[test]
fn a_mail_to_two_games_does_nothing_in_either() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    office.new_game(&NewGame { id: Some("two-rivers".into()), ..table() }).unwrap();
    let other = take_mail(&office, "two-rivers.A.");
    let (to, also) = (field(&letter, "Reply-To").to_owned(), field(&other, "Reply-To").to_owned());
    let raw = answer(ANNA, &letter, "bid 1").replace(&format!("To: {to}"), &format!("To: {to}\nCc: {also}"));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let (said, _) = told(&office);
    assert!(said.contains("Nothing was done in any game: your mail answers letters of two games"), "{said}");
    assert_eq!(decisions(&office), 0);
    // Another player's reply address does not make it an answer to two games.
    let bens = take_mail(&office, "two-rivers.B.");
    let also = field(&bens, "Reply-To");
    let raw = answer(ANNA, &letter, "bid 2").replace(&format!("To: {to}"), &format!("To: {to}\nCc: {also}"));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
}
