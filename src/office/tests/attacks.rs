//! What people with bad intentions have tried.

use super::{
    by_mail::{answer, begun, body, decisions, take_mail},
    needed::*,
};
use crate::{
    dice::Hash,
    journal::{Body, Sealed, sealed_commitment},
    store::{Kept, SealedContent},
    table::Seat,
};

const GAME: &str = "lone-pine";

fn order(office: &mut Office, seat: u8, text: &str) -> String {
    let told = office.order(GAME, Seat(seat), text).unwrap().0;
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Answers whatever is asked until the game is over.
pub(super) fn play_on(office: &mut Office) {
    for _ in 0..40 {
        for seat in 0..3 {
            for text in ["bid 1", "bid 0", "give carl", "give ben"] {
                if office.glance(GAME).unwrap().awaited.contains(&Seat(seat)) {
                    order(office, seat, text);
                }
            }
        }
    }
}

/// What could not be opened is not sealed: its `unsealed` line would be longer than a line may be.
#[test]
fn a_standing_order_that_no_line_can_hold_is_refused() {
    let (_folder, mut office) = begun();
    let before = std::fs::read(office.host().journal(GAME)).unwrap();
    let many = vec!["1"; 51].join("; ");
    let told = order(&mut office, 0, &format!("standing bid: {many}"));
    assert!(told.contains("50 orders at most"), "{told}");
    let long = "1".repeat(66_000);
    let told = order(&mut office, 0, &format!("standing bid: {long}"));
    assert!(told.contains("66014 characters") && told.contains("2000 at most"), "{told}");
    assert_eq!(std::fs::read(office.host().journal(GAME)).unwrap(), before, "nothing was done");
}

/// An earlier release sealed it: the game goes on and comes to its end, and what cannot be opened stays sealed.
#[test]
fn a_game_with_a_standing_order_that_cannot_be_opened_comes_to_its_end() {
    let (_folder, mut office) = begun();
    office
        .with_session(GAME, |services, session| {
            let (seat, salt) = (session.live.seat_name(Seat(0)).to_owned(), Hash([7; 32]));
            let orders = "1".repeat(65_000);
            let content = format!(r#"{{"always":false,"for":"bid","from":"","orders":["{orders}"]}}"#);
            let commit = sealed_commitment(GAME, &seat, &salt, &content);
            session.keep(Kept::Sealed(SealedContent { commit, salt, content }))?;
            session.line(services, &Body::Sealed(Sealed { seat: seat.into(), what: "standing".into(), commit }))?;
            session.run_pending(services, None)
        })
        .unwrap();
    assert!(order(&mut office, 0, "standing").contains("no standing orders"));
    play_on(&mut office);
    assert!(office.glance(GAME).unwrap().over);
    let report = verify(&Source::from(office.host().journal(GAME).as_path()), &super::by_mail::catalog(), |_| ());
    let report = report.unwrap();
    assert!(report.contradictions.is_empty(), "{report}");
}

#[test]
fn a_mail_with_orders_beyond_measure_does_nothing() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let many = vec!["bid 1"; 201].join("; ");
    for text in [format!("preview\n{many}"), many, vec!["bid 1"; 201].join("\n")] {
        let told = order(&mut office, 0, &text);
        assert!(told.contains("201 orders") && told.contains("Nothing was done"), "{told}");
    }
    let long = format!("bid {}", "1".repeat(3_000));
    office.receive(answer("anna@example.net", &letter, &format!("bid 1\n\n{long}")).as_bytes()).unwrap();
    let told = take_mail(&office, ".A.re");
    assert!(body(&told).contains("Nothing was done: the line that begins"), "{told}");
    assert_eq!(decisions(&office), 0);
}

/// A letter that asks nothing opens nothing but `back`: what stands beside it counts only if its question is open again.
#[test]
fn back_exempts_nothing_else_in_its_mail() {
    let (_folder, mut office) = begun();
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &first, "status").as_bytes()).unwrap();
    let status = take_mail(&office, ".A.re");
    office.receive(answer("anna@example.net", &status, "bid 4").as_bytes()).unwrap();
    let done = take_mail(&office, ".A.re");
    // Her question is hers again as soon as its answer is taken back.
    office.receive(answer("anna@example.net", &done, "back\nbid 6").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, ".A.re")).contains("done      bid 6"));
    // A refused `back` opens nothing.
    for (seat, text) in [(1, "bid 5"), (2, "bid 0")] {
        order(&mut office, seat, text);
    }
    let before = decisions(&office);
    office.receive(answer("anna@example.net", &first, "back\ngive ben").as_bytes()).unwrap();
    let mail = take_mail(&office, ".A.re");
    let told = body(&mail);
    assert!(told.contains("not done  back") && told.contains("skipped   give ben"), "{told}");
    assert_eq!(decisions(&office), before);
}

/// Each `back` of a mail takes an order back, and none is taken back twice when the mail comes again.
#[test]
fn several_backs_in_a_mail_do_what_they_say() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 1\nback\nbid 2\nback\nbid 3");
    let taken = office.receive(raw.as_bytes()).unwrap();
    assert_eq!(taken.outcome, Outcome::Answered { done: 5, total: 5 });
    assert_eq!(decisions(&office), 3);
    let journal = std::fs::read_to_string(office.host().journal(GAME)).unwrap();
    assert_eq!(journal.matches("\"kind\":\"rewound\"").count(), 2);
    office.receive(raw.as_bytes()).unwrap();
    assert_eq!(std::fs::read_to_string(office.host().journal(GAME)).unwrap(), journal);
}

/// A mail for a game whose journal is damaged is nobody else's: it waits until the game can be opened, and no other mail waits
/// for it.
#[test]
fn an_order_to_a_game_that_cannot_be_opened_is_kept() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let other = NewGame { id: Some("two-rivers".into()), ..super::by_mail::table() };
    office.new_game(&other).unwrap();
    let second = take_mail(&office, "two-rivers.A.");
    let journal = office.host().journal(GAME);
    let whole = std::fs::read(&journal).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    std::fs::write(&journal, &damaged).unwrap();
    office.close_games();
    let inbox = office.host().mail(MailFolder::In).unwrap();
    inbox.deliver("1", answer("anna@example.net", &letter, "bid 4").as_bytes()).unwrap();
    inbox.deliver("2", answer("anna@example.net", &second, "bid 3").as_bytes()).unwrap();
    let all = office.receive_all().unwrap();
    assert!(matches!(&all[0].outcome, Outcome::Kept(why) if why.contains("line 1")), "{all:?}");
    assert_eq!(all[1].outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(inbox.list().unwrap().len(), 1);
    assert!(std::fs::read_dir(folder.path().join("mail/refused/new")).map_or(true, |mut files| files.next().is_none()));
    std::fs::write(&journal, &whole).unwrap();
    let all = office.receive_all().unwrap();
    assert_eq!(all[0].outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(inbox.list().unwrap().len(), 0);
}

/// The same mail over another server has other bytes above its words, and acts once; another mail with its Message-ID counts.
#[test]
fn a_copy_of_a_mail_acts_once() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer("anna@example.net", &letter, "bid 1\nback");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 2, total: 2 });
    let copy = format!("Received: from elsewhere.example by mx.example; Fri, 20 Nov 2026 18:00:00 +0000\r\n{raw}");
    assert_eq!(office.receive(copy.as_bytes()).unwrap().outcome, Outcome::Again);
    let other = answer("anna@example.net", &letter, "bid 2");
    let id = |mail: &str| mail.lines().find(|line| line.starts_with("Message-ID")).unwrap_or_default().to_owned();
    let other = other.replace(&id(&other), &id(&raw));
    assert_eq!(office.receive(other.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
}
