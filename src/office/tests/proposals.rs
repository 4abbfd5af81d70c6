//! Proposals in the answer to a mail on hold, and the effect of a `yes`.

use super::{
    by_mail::{answer, begun, body, decisions, field, narrow, office_in, take_mail},
    needed::*,
};

#[test]
fn what_is_proposed_is_done_by_a_yes_to_that_letter() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "bid 4. Anna will be delighted").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    let held = take_mail(&office, "lone-pine.B.re");
    narrow(&held);
    assert!(body(&held).contains("Reply `yes` to carry out: bid 4, without"), "{held}");
    // In answer to another letter, or in another player's mail, it means nothing.
    office.receive(answer("ben@example.net", &letter, "yes").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("Nothing was done yet"));
    let anna = take_mail(&office, "lone-pine.A.");
    let forged =
        answer("anna@example.net", &anna, "yes").replace(field(&anna, "Message-ID"), field(&held, "Message-ID"));
    office.receive(forged.as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    // The proposal is stored: a restarted service knows what it asked.
    drop(office);
    let mut office = office_in(folder.path());
    let raw = answer("ben@example.net", &held, "Yes please!\n\nBen");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains(r#""order":{"bid":{"coins":4}}"#) && journal.contains(r#""words":""#), "{journal}");
    // Only once.
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    office.receive(answer("ben@example.net", &held, "yes yes").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 1);
}

#[test]
fn a_yes_counts_if_the_rest_of_its_mail_is_read() {
    for (text, done) in [
        ("yes\nbid 5", 0),
        ("OK\nI will answer tomorrow.", 0),
        ("Yes, thanks for the reminder, I will look at it tonight", 0),
        ("bid 4. Anna will be delighted\nyes", 0),
        ("bid 4. Anna will be delighted\nyes, boilerplate", 1),
        ("yes\n\nSee you later,\nBen", 1),
        ("Yes, thanks Anna", 1),
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        office.receive(answer("ben@example.net", &letter, "bid 4. Anna will be delighted").as_bytes()).unwrap();
        let proposed = take_mail(&office, "lone-pine.B.re");
        assert!(body(&proposed).contains("Reply `yes` to carry out: bid 4, without"), "{proposed}");
        office.receive(answer("ben@example.net", &proposed, text).as_bytes()).unwrap();
        assert_eq!(decisions(&office), done, "{text}");
    }
}

#[test]
fn a_proposal_shows_what_it_leaves_out() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let mut answered = |text: &str| {
        office.receive(answer("ben@example.net", &letter, text).as_bytes()).unwrap();
        let told = take_mail(&office, "lone-pine.B.re");
        let told = body(&told).replace("=\n", "").replace("=E2=80=9C", "“").replace("=E2=80=9D", "”");
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let told = answered("bid 4. Anna will be delighted");
    assert!(told.contains("No part of an order: “Anna will be delighted”."), "{told}");
    assert!(told.contains("Reply `yes` to carry out: bid 4, without"), "{told}");
    for text in ["bid 4, but only if Anna bids", "bid 4 (unless I am outbid)", "bid 4 at most", "bid 4. No, 5"] {
        let told = answered(text);
        assert!(!told.contains("Reply `yes`"), "{text}: {told}");
    }
    // An earlier proposal is not offered again with them either.
    let (_other, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "bid 4. Anna will be delighted").as_bytes()).unwrap();
    let held = take_mail(&office, "lone-pine.B.re");
    office.receive(answer("ben@example.net", &held, "bid 5, if Anna does not mind").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.B.re");
    assert!(!body(&told).contains("Reply `yes`"), "{told}");
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "bid 4\nor should I bid 5?").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.B.re");
    let told = body(&told).replace("=\n", "").replace("=E2=80=9C", "“").replace("=E2=80=9D", "”");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("because your mail speaks of other answers, too: “bid 4”"), "{told}");
}
