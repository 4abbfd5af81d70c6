//! Headers and envelopes of letters: one thread per seat, one return address per seat, lines of 78
//! characters.

use super::{
    by_mail::{answer, field, office_in, outbox, table, take_mail},
    needed::*,
};
use postrider_mail::Envelope;
use postrider_store::HandedOver;
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";

fn host(settings: &str) -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), settings).unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    (folder, office)
}

const SMTP: &str = "[mail_out.smtp]\nhost = \"127.0.0.1\"\nsecurity = \"none\"\n";

fn handed_over(office: &Office) -> Vec<(String, Envelope)> {
    let mut all = Vec::new();
    let mut take = |row: &postrider_store::OutboxRow| {
        all.push((row.unique.clone(), row.mail.envelope.clone()));
        HandedOver::Taken
    };
    office.store().hand_over(&mut take).unwrap();
    all
}

fn bounce(to: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example\nTo: {to}\nSubject: failure\nMessage-ID: <b@mx.example>\n\n550 no such user\n"
    )
}

#[test]
fn every_letter_of_a_seat_stands_in_one_thread_and_no_line_of_a_header_is_long() {
    let (_folder, mut office) = host("address = \"postrider@games.play.example.org\"\n");
    let first = take_mail(&office, "lone-pine.A.");
    let root = "<lone-pine.thread-A@games.play.example.org>";
    assert_eq!(field(&first, "References").trim(), root);
    office.receive(answer("anna@example.net", &first, "bid 1\ntell ben: hello").as_bytes()).unwrap();
    office.new_token(GAME, Seat(0)).unwrap();
    let all = outbox(&office);
    assert!(all.len() >= 4, "{}", all.len());
    for (name, raw) in all {
        let (header, _) = raw.split_once("\r\n\r\n").unwrap();
        assert!(header.lines().all(|line| line.len() <= 78 || !line[1..].contains(' ')), "{name}: {header}");
        let seat = name.split('.').nth(1).unwrap();
        let references = header.replace("\r\n ", " ");
        let references = field(&references, "References");
        assert!(
            references.trim().starts_with(&root.replace("thread-A", &format!("thread-{seat}"))),
            "{name}: {references}"
        );
        if name.contains(".A.re.") && references.contains("x.example") {
            assert!(references.ends_with("@x.example>"), "the mail that is answered stands last: {references}");
        }
    }
}

#[test]
fn a_bounce_returns_to_its_seat_without_naming_the_letter() {
    let (_folder, mut office) = host(SMTP);
    let sent = handed_over(&office);
    let to = |seat: &str| {
        let (_, envelope) = sent.iter().find(|(name, _)| name.starts_with(&format!("lone-pine.{seat}."))).unwrap();
        envelope.sender.clone().unwrap()
    };
    assert!(to("B").starts_with("postrider+lone-pine.B.") && to("A") != to("B"), "{}", to("B"));
    let processed = office.receive(bounce(&to("B")).as_bytes()).unwrap();
    assert_eq!((processed.game.as_deref(), processed.seat), (Some(GAME), Some(Seat(1))));
    assert!(matches!(processed.outcome, Outcome::Report { failed: true, .. }), "{processed:?}");
    let lost = office.store().undelivered().unwrap();
    assert!(lost[0].unique.starts_with("lone-pine.B.") && lost[0].why.contains("550 no such user"), "{lost:?}");
    // An invented code, or that of an address which the seat no longer has, is not valid.
    let (name, host) = to("C").rsplit_once('.').map(|(name, _)| (name.to_owned(), "localhost")).unwrap();
    let forged = office.receive(bounce(&format!("{name}.aaaaaaaa@{host}")).as_bytes()).unwrap();
    assert!(matches!(forged.outcome, Outcome::Filed(_)), "{forged:?}");
    office.directing(GAME).reseat(Seat(2), &"Carl <carl@new.example>".parse().unwrap(), false).unwrap();
    let late = office.receive(bounce(&to("C")).as_bytes()).unwrap();
    assert!(matches!(late.outcome, Outcome::Filed(_)), "{late:?}");
    assert_eq!(office.store().undelivered().unwrap().len(), 1);
}

#[test]
fn a_letter_to_an_address_that_does_not_exist_is_known() {
    let (_folder, mut office) = host(SMTP);
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &first, "my address is now anna@nowhere.example").as_bytes()).unwrap();
    let (name, raw) = outbox(&office).into_iter().find(|(name, _)| name.contains(".address.")).unwrap();
    let id = field(&super::by_mail::unfolded(&raw), "Message-ID").to_owned();
    let sent = handed_over(&office);
    let (_, envelope) = sent.iter().find(|(one, _)| *one == name).unwrap();
    assert_eq!(envelope.sender.as_deref(), Some("postrider@localhost"), "it is no letter to the seat yet");
    let report = format!(
        "From: MAILER-DAEMON@mx.example\nTo: postrider@localhost\nSubject: failure\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\
         Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nAction: failed\nStatus: 5.1.2\n\n\
         --b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {id}\n\n--b--\n"
    );
    let outcome = office.receive(report.as_bytes()).unwrap().outcome;
    assert!(matches!(&outcome, Outcome::Report { letter, failed: true, .. } if *letter == name), "{outcome:?}");
}

#[test]
fn answers_come_back_too_and_verp_can_be_left_out() {
    let (_folder, mut office) = host(SMTP);
    let first = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &first, "status").as_bytes()).unwrap();
    let sent = handed_over(&office);
    let (_, answered) = sent.iter().find(|(name, _)| name.starts_with("lone-pine.A.re.")).unwrap();
    assert!(answered.sender.as_ref().is_some_and(|sender| sender.contains("+lone-pine.A.")), "{answered:?}");
    for settings in ["verp = false\n", ""] {
        let (_folder, office) =
            host(&if settings.is_empty() { format!("separator = \"\"\n{SMTP}") } else { format!("{SMTP}{settings}") });
        assert!(handed_over(&office).iter().all(|(_, one)| one.sender.as_deref() == Some("postrider@localhost")));
    }
}
