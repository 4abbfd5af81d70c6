//! Mails that try to stop the service, or to make it write to people who did not ask.

use super::{
    by_mail::{answer, begun, body, decisions, field, outbox, take_mail},
    needed::*,
};
use postrider_dice::{DiceStream, h};
use postrider_mail::Incoming;
use std::sync::Arc;

const BEN: &str = "Ben <ben@example.net>";

/// Takes the letter that asks Ben for his first bid.
fn bens(office: &Office) -> String {
    take_mail(office, "lone-pine.B.")
}

fn put_in(office: &Office, name: &str, raw: &str) {
    office.host().mail(MailFolder::In).unwrap().deliver(name, raw.as_bytes()).unwrap();
}

fn outcomes(all: Vec<Processed>) -> Vec<Outcome> {
    all.into_iter().map(|processed| processed.outcome).collect()
}

#[test]
fn an_address_that_is_none_keeps_no_other_mail_waiting() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    put_in(&office, "1", &answer("\"mal lory\"@evil.example", &letter, "bid 1"));
    put_in(&office, "2", &answer("mallory@evil..example", &letter, "bid 2"));
    put_in(&office, "3", &answer(BEN, &letter, "bid 3"));
    let all = outcomes(office.receive_all().unwrap());
    assert!(
        matches!(all[..], [Outcome::Filed(_), Outcome::Filed(_), Outcome::Answered { done: 1, total: 1 }]),
        "{all:?}"
    );
    assert!(office.store().inbox().unwrap().is_empty());
}

#[test]
fn a_mail_that_cannot_be_handled_is_put_aside_with_the_reason() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let good = answer(BEN, &letter, "bid 3");
    let name = std::mem::replace(&mut office.services.host.settings.name, "a bell \u{7}".to_owned());
    put_in(&office, "1", &answer(BEN, &letter, "status"));
    let all = outcomes(office.receive_all().unwrap());
    assert!(matches!(&all[..], [Outcome::Poison(why)] if why.contains("control character")), "{all:?}");
    assert!(office.store().inbox().unwrap().is_empty());
    let poison = office.host().mail(MailFolder::Poison).unwrap();
    let entry = poison.list().unwrap().pop().unwrap();
    let why = std::fs::read_to_string(poison.root().join(format!("{}.why", entry.unique))).unwrap();
    assert!(why.contains("control character"), "{why}");
    office.services.host.settings.name = name;
    put_in(&office, "2", &good);
    assert_eq!(outcomes(office.receive_all().unwrap()), [Outcome::Answered { done: 1, total: 1 }]);
}

#[test]
fn a_mail_over_which_the_program_ended_three_times_is_put_aside() {
    let (_folder, mut office) = begun();
    office.services.host.settings.host_mail = Some("hal@example.net".to_owned());
    let letter = bens(&office);
    put_in(&office, "1", &answer(BEN, &letter, "bid 3"));
    let names = office.store().inbox().unwrap();
    // The state left by processes that ended while handling it.
    let notes = office.host().root().join("mail/in-hand");
    std::fs::create_dir_all(&notes).unwrap();
    let note = notes.join(postrider_dice::sha256(names[0].as_bytes()).to_string());
    std::fs::write(&note, "...").unwrap();
    put_in(&office, "2", &answer(BEN, &letter, "bid 2"));
    let all = outcomes(office.receive_all().unwrap());
    assert!(
        matches!(&all[..], [Outcome::Poison(why), Outcome::Answered { done: 1, total: 1 }] if why.contains("3 times the program ended")),
        "{all:?}"
    );
    assert!(office.store().inbox().unwrap().is_empty() && std::fs::read_dir(&notes).unwrap().next().is_none());
    let poison = office.host().mail(MailFolder::Poison).unwrap().list().unwrap();
    assert!(std::fs::read_to_string(&poison[0].path).unwrap().contains("bid 3"));
    assert!(office.tell_host().unwrap());
    // Two kills in a row may have hit an innocent mail, so it is read again.
    put_in(&office, "3", &answer(BEN, &letter, "status"));
    let name = office.store().inbox().unwrap().remove(0);
    std::fs::write(notes.join(postrider_dice::sha256(name.as_bytes()).to_string()), "..").unwrap();
    let all = outcomes(office.receive_all().unwrap());
    assert!(matches!(all[..], [Outcome::Answered { .. }]), "{all:?}");
    assert!(std::fs::read_dir(&notes).unwrap().next().is_none());
}

#[test]
fn a_mail_is_to_blame_while_its_orders_are_carried_out() {
    let (_folder, mut office) = begun();
    office.services.in_hand = office.host().in_hand("1").unwrap().map(Arc::new);
    let note = office.host().root().join("mail/in-hand").join(postrider_dice::sha256(b"1").to_string());
    let ends = || std::fs::metadata(&note).unwrap().len();
    assert_eq!(ends(), 0);
    office
        .change("lone-pine", |services, _| {
            assert_eq!(ends(), 1);
            services.on_disk(|store| {
                assert_eq!(ends(), 0);
                store.games()
            })?;
            assert_eq!(ends(), 1);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_mail_that_a_person_has_looked_at_is_taken_in_and_one_thrown_away_is_not() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let cur = office.host().mail(MailFolder::In).unwrap().root().join("cur");
    std::fs::write(cur.join("seen:2,S"), answer(BEN, &letter, "bid 3")).unwrap();
    std::fs::write(cur.join("trash:2,ST"), answer(BEN, &letter, "status")).unwrap();
    assert_eq!(outcomes(office.receive_all().unwrap()), [Outcome::Answered { done: 1, total: 1 }]);
    let left = office.host().mail(MailFolder::In).unwrap().list().unwrap();
    assert_eq!(left.iter().map(|mail| mail.unique.as_str()).collect::<Vec<_>>(), ["trash"]);
}

#[test]
fn another_sender_is_told_the_truth_or_allowed_by_a_setting() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let raw = format!("Sender: office@example.net\n{}", answer(BEN, &letter, "bid 3"));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let told = take_mail(&office, "lone-pine.elsewhere.").replace('\n', " ");
    assert!(told.contains("names another sender") && !told.contains("does not come from"), "{told}");
    office.services.host.settings.other_senders = true;
    let raw = raw.replace("Message-ID: <", "Message-ID: <again.");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
}

#[test]
fn a_mail_that_is_too_large_is_answered() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let raw = answer(BEN, &letter, &format!("bid 3\n{}", "x".repeat(9 * 1024 * 1024)));
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let told = take_mail(&office, "lone-pine.B.re").replace('\n', " ");
    assert!(told.contains("larger than 8 MiB"), "{told}");
    assert_eq!(decisions(&office), 0);
}

#[test]
fn a_copy_of_a_mail_in_doubt_is_answered_once() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let raw = answer(BEN, &letter, "-----BEGIN PGP MESSAGE-----\n\nabc\n");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    let copy = format!("Received: from mx.example.net\n{raw}");
    assert_eq!(office.receive(copy.as_bytes()).unwrap().outcome, Outcome::Again);
}

#[test]
fn whoever_writes_too_often_is_told_and_then_met_with_silence_for_an_hour() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let write = |office: &mut Office, n: usize| {
        let raw = answer(BEN, &letter, &format!("status\n// {n}"));
        office.receive(raw.as_bytes()).unwrap().outcome
    };
    for n in 0..60 {
        assert_eq!(write(&mut office, n), Outcome::Answered { done: 0, total: 0 }, "{n}");
    }
    // He is told so a few times, and an order among these mails is not carried out.
    for n in 60..64 {
        let raw = answer(BEN, &letter, &format!("bid 3\n// {n}"));
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 }, "{n}");
        assert_eq!(decisions(&office), 0, "{n}");
    }
    let told =
        outbox(&office).iter().filter(|(_, mail)| mail.contains("more mails came from you within an hour")).count();
    assert_eq!(told, 4);
    let (_, last) = outbox(&office).into_iter().rfind(|(_, mail)| mail.contains("more mails came")).unwrap();
    let told = last.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("Your next mail counts from Fri 20 Nov, 12:30 MST on."), "{told}");
    let before = outbox(&office).len();
    assert!(matches!(write(&mut office, 64), Outcome::Filed(_)));
    office.close_games();
    assert!(matches!(write(&mut office, 65), Outcome::Filed(_)));
    assert_eq!(outbox(&office).len(), before);
    assert_eq!(office.host().mail(MailFolder::Refused).unwrap().list().unwrap().len(), 2, "nothing is thrown away");
    office.environment().advance(3_700);
    assert_eq!(write(&mut office, 66), Outcome::Answered { done: 0, total: 0 });
}

#[test]
fn the_house_is_no_reflector() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let to = field(&letter, "Reply-To").to_owned();
    let before = outbox(&office).len();
    // Forged mails without a token: the player is told four times.
    for n in 0..20 {
        let raw = answer(BEN, &letter, &format!("bid {n}")).replace(&to, &to.replace(".q", ".q9"));
        office.receive(raw.as_bytes()).unwrap();
    }
    assert_eq!(outbox(&office).len(), before + 4);
    // Mails with a stolen token from many addresses: one of them is told, once a day.
    for day in 1..=2 {
        for n in 0..20 {
            let raw = answer(&format!("victim{n}@example.org"), &letter, &format!("bid {day}{n}"));
            office.receive(raw.as_bytes()).unwrap();
        }
        assert_eq!(outbox(&office).len(), before + 4 + day);
        office.environment().advance(86_400);
    }
    assert_eq!(decisions(&office), 0);
}

#[test]
fn a_thousand_hostile_mails_do_nothing() {
    let (_folder, mut office) = begun();
    let letter = bens(&office);
    let to = field(&letter, "Reply-To").to_owned();
    let before = outbox(&office);
    let journal = std::fs::read(office.host().journal("lone-pine")).unwrap();
    let mut stream = DiceStream::new(h("postrider/test-hostile/v1", &[]));
    let mut pick = |most: usize| stream.below(u32::try_from(most).unwrap()) as usize;
    let authors = [
        "mallory@example.org",
        "\"a b\"@x",
        "ben@example.net, anna@example.net",
        "b\u{e9}n@example.net",
        "ben@example.net@evil.example",
        "<>",
        "postmaster@example.org",
        "\u{212a}@example.net",
        "a@b",
        "ben@example.net\u{0}",
    ];
    let heads = [
        "",
        "Auto-Submitted: auto-replied\n",
        "List-Id: <x.y>\n",
        "Return-Path: <>\n",
        "Sender: x@y.org\n",
        "In-Reply-To: <lone-pine.B.1.00000000.letter@x>\n",
        "References: <lone-pine.B.../../../etc.letter@x>\n",
        "Content-Type: multipart/mixed; boundary=\"\"\n",
        "Content-Type: text/html\n",
        "Content-Transfer-Encoding: base64\n",
    ];
    let texts = [
        "bid 3",
        "> bid 3",
        "<blockquote>bid 3",
        "join",
        "back",
        "standing bid: 3",
        "help",
        "preview\nbid 3",
        "\u{0}",
        "--\nbid 3",
    ];
    for n in 0..1_000 {
        let text = format!("{}{}", texts[pick(texts.len())], "\nx".repeat(pick(30)));
        let mut raw = format!(
            "{}{}",
            heads[pick(heads.len())],
            answer(authors[pick(authors.len())], &letter, &format!("{text}\n{n}"))
        );
        match pick(4) {
            0 => raw = raw.replace(&to, &to.replace(".q", &format!(".q{n}"))),
            1 => {
                let at = (0..=pick(raw.len())).rev().find(|&at| raw.is_char_boundary(at)).unwrap();
                raw.truncate(at);
            }
            2 => raw = raw.replace("lone-pine", "no-game"),
            _ => {}
        }
        office.receive(raw.as_bytes()).unwrap();
    }
    assert_eq!(std::fs::read(office.host().journal("lone-pine")).unwrap(), journal, "nothing was done");
    let written = outbox(&office).into_iter().filter(|(name, _)| before.iter().all(|(known, _)| known != name));
    let (to_players, to_others): (Vec<_>, Vec<_>) =
        written.partition(|(_, raw)| field(raw, "To").contains("@example.net"));
    assert!(to_others.len() <= 1, "one address that is none of a player's is told, once: {to_others:?}");
    // A truncated mail may name a player as its author and carry no token.
    assert!(to_players.len() <= 4, "{to_players:?}");
    for (_, raw) in to_others {
        assert!(body(&raw.replace("\r\n", "\n")).starts_with("Nothing was done"));
    }
}

#[test]
fn a_mail_of_ten_thousand_parts_is_read_soon() {
    let mut raw = "From: ben@example.net\nContent-Type: multipart/mixed; boundary=b\n\n".to_owned();
    for n in 0..10_000 {
        raw.push_str(&format!("--b\nContent-Type: text/{}\n\nbid {n}\n", if n % 2 == 0 { "plain" } else { "html" }));
    }
    let begun = std::time::Instant::now();
    Incoming::parse(raw.as_bytes()).unwrap();
    // Unoptimized, and while other work runs.
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}
