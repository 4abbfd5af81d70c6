//! What the answer to an unclear order proposes, and what a yes to it does.

use super::{
    by_mail::{answer, begun, body, decisions, field, narrow, office_in, take_mail},
    needed::*,
};

/// `Read as: … Reply yes.`: nothing is done before the yes, once after it, and only in answer to that letter.
#[test]
fn what_is_in_doubt_is_proposed_and_done_by_a_yes_to_that_letter() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &letter, "maybe bid 4").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    let doubt = take_mail(&office, "lone-pine.B.re");
    narrow(&doubt);
    assert!(body(&doubt).contains("Read as: bid 4. Reply yes."), "{doubt}");
    // To another letter it says nothing, nor in another's mail.
    office.receive(answer("ben@example.net", &letter, "yes").as_bytes()).unwrap();
    assert!(body(&take_mail(&office, "lone-pine.B.re")).contains("nothing in that letter to say yes to"));
    let anna = take_mail(&office, "lone-pine.A.");
    let forged =
        answer("anna@example.net", &anna, "yes").replace(field(&anna, "Message-ID"), field(&doubt, "Message-ID"));
    office.receive(forged.as_bytes()).unwrap();
    assert_eq!(decisions(&office), 0);
    // It is kept: a service that is started anew knows what it asked.
    drop(office);
    let mut office = office_in(folder.path());
    let raw = answer("ben@example.net", &doubt, "Yes please!\n\nBen");
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert!(journal.contains(r#""order":{"bid":{"coins":4}}"#) && journal.contains(r#""words":""#), "{journal}");
    // Once.
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    office.receive(answer("ben@example.net", &doubt, "yes yes").as_bytes()).unwrap();
    assert_eq!(decisions(&office), 1);
}

/// A yes to a proposal does nothing beside words that say something else to the same question, or put it off.
#[test]
fn a_yes_counts_where_nothing_in_its_mail_speaks_against_it() {
    for (text, done) in [
        ("yes\nbid 5", 0),
        ("OK\nI will answer tomorrow.", 0),
        ("Yes, thanks for the reminder, I will look at it tonight", 0),
        ("yes\n\nSee you later,\nBen", 1),
        ("Yes, thanks Anna", 1),
    ] {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.B.");
        office.receive(answer("ben@example.net", &letter, "maybe bid 4").as_bytes()).unwrap();
        let proposed = take_mail(&office, "lone-pine.B.re");
        assert!(body(&proposed).contains("Read as: bid 4. Reply yes."), "{proposed}");
        office.receive(answer("ben@example.net", &proposed, text).as_bytes()).unwrap();
        assert_eq!(decisions(&office), done, "{text}");
    }
}

/// What stands behind an order in its line is not left out by a yes to the order alone.
#[test]
fn no_part_of_a_line_is_proposed() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    for (text, proposed) in [("bid 4: give anna?", false), ("bid 4?", true)] {
        office.receive(answer("ben@example.net", &letter, text).as_bytes()).unwrap();
        let told = take_mail(&office, "lone-pine.B.re");
        assert_eq!(body(&told).contains("Read as: bid 4. Reply yes."), proposed, "{text}: {told}");
    }
}
