//! Writing and sending drafts.

use super::{
    by_mail::{answer, begun, body, decisions, office_in, outbox, take_mail},
    needed::*,
};
use postrider_table::Seat;

fn ben(office: &mut Office, letter: &str, text: &str) -> String {
    office.receive(answer("ben@example.net", letter, text).as_bytes()).unwrap();
    let told = take_mail(office, "lone-pine.B.re");
    body(&told).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_draft_is_kept_over_several_mails_and_sent() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told =
        ben(&mut office, &letter, "Hello,\n\nDraft:\n\nbid 40\nThe weekend here was rather long and hot.\n\nBen");
    assert!(told.contains("YOUR DRAFT: nothing was done.") && told.contains("1. bid 40"), "{told}");
    assert!(told.contains("It is not legal now: "), "{told}");
    assert!(told.contains("Not added to your draft: \"The weekend here was rather long"), "{told}");
    // The draft is stored, not only in memory.
    drop(office);
    let mut office = office_in(folder.path());
    let told = ben(&mut office, &letter, "draft 1: bid 4\ndraft: give anna");
    assert!(told.contains("1. bid 4 is read as \"bid 4\"") && told.contains("2. give anna"), "{told}");
    assert!(!told.contains("not legal"), "{told}");
    assert_eq!(decisions(&office), 0);
    let told = ben(&mut office, &letter, "preview\nsend");
    assert!(told.contains("PREVIEW: nothing was done.") && told.contains("It is legal now."), "{told}");
    assert_eq!(decisions(&office), 0);
    // The others bid less than he does: the order that he drafted after his bid is carried out when
    // all have bid.
    office.order("lone-pine", Seat(0), "bid 1").unwrap();
    office.order("lone-pine", Seat(2), "bid 0").unwrap();
    let told = ben(&mut office, &letter, "Please send it, thanks!");
    assert!(told.contains("done bid 4 done give anna"), "{told}");
    assert_eq!(decisions(&office), 4);
    let told = ben(&mut office, &letter, "send");
    assert!(told.contains("Your draft is empty: nothing was sent."), "{told}");
    assert_eq!(decisions(&office), 4);
    // The journal's entries about them are proved as for any mail.
    let evidence = |office: &Office| outbox(office).len();
    assert!(evidence(&office) > 0);
    let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
    assert_eq!(journal.matches(r#""words":""#).count(), 2);
}

#[test]
fn what_is_not_carried_out_stays_in_the_draft() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    office.order("lone-pine", Seat(0), "bid 1").unwrap();
    office.order("lone-pine", Seat(2), "bid 0").unwrap();
    let told = ben(&mut office, &letter, "draft\nbid 4\ngive everybody\ngive ben\nstanding bid: bid 2");
    assert!(told.contains("Not added to your draft: \"give everybody\"."), "{told}");
    assert!(told.contains("\"standing bid: bid 2\" was not done"), "{told}");
    // A player cannot give himself a coin, and the orders after a refused one are not carried out.
    let told = ben(&mut office, &letter, "send");
    assert!(told.contains("done bid 4 not done give ben"), "{told}");
    assert!(told.contains("Your draft has a line (`draft` shows it"), "{told}");
    assert_eq!(decisions(&office), 3);
    let told = ben(&mut office, &letter, "draft drop 7");
    assert!(told.contains("1. give ben") && told.contains("There is no line 7"), "{told}");
    let told = ben(&mut office, &letter, "draft end");
    assert!(told.contains("YOUR DRAFT is empty."), "{told}");
    assert_eq!(decisions(&office), 3);
}

#[test]
fn nothing_is_sent_that_its_writer_may_not_mean() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    ben(&mut office, &letter, "draft\nbid 4");
    for text in [
        "draft\nbid 5\nsend",
        "Should I send it?",
        "send it if Anna bids",
        "send\n\nno, scratch that",
        "don't send it",
        "I'll send the draft on Monday",
        "this is still a draft\nbid 6",
        "preview\nsend",
    ] {
        let told = ben(&mut office, &letter, text);
        assert_eq!(decisions(&office), 0, "{text}: {told}");
    }
    // The draft does not affect another player's mail, and only its owner sees it.
    let anna = take_mail(&office, "lone-pine.A.");
    office.receive(answer("anna@example.net", &anna, "draft\nsend").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    assert!(told.contains("YOUR DRAFT is empty.") && !told.contains("bid 4"), "{told}");
    assert_eq!(decisions(&office), 0);
}

#[test]
fn an_answer_to_a_question_to_come_is_kept_with_its_kind() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    let told = ben(&mut office, &letter, "draft\nbid 4\ngive: anna");
    assert!(told.contains("2. give: anna") && !told.contains("Not added to your draft"), "{told}");
}

#[test]
fn what_points_at_a_list_is_kept_in_words() {
    let (_folder, mut office) = begun();
    take_mail(&office, "lone-pine.B.");
    office.order("lone-pine", Seat(0), "bid 1").unwrap();
    office.order("lone-pine", Seat(1), "bid 4").unwrap();
    office.order("lone-pine", Seat(2), "bid 0").unwrap();
    let letter = take_mail(&office, "lone-pine.B.");
    assert!(body(&letter).contains("give"), "{letter}");
    let told = ben(&mut office, &letter, "draft\n1b");
    assert!(told.contains("1. give "), "{told}");
}

#[test]
fn a_draft_is_its_players_own() {
    let (folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.B.");
    ben(&mut office, &letter, "draft\nbid 4");
    office.receive(answer("ben@example.net", &letter, "my data").as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.B.re");
    assert!(told.contains("my-data.json"), "{told}");
    let data = office.terminal("lone-pine").data_of(Seat(1)).unwrap();
    assert_eq!(data["draft"], serde_json::json!(["bid 4"]));
    // A player who takes over the seat does not get the draft.
    office.directing("lone-pine").reseat(Seat(1), &"Dora <dora@example.net>".parse().unwrap(), false).unwrap();
    let data = office.terminal("lone-pine").data_of(Seat(1)).unwrap();
    assert_eq!(data["draft"], serde_json::json!([]));
    drop(office);
    let kept = std::fs::read_to_string(folder.path().join("secrets/lone-pine.jsonl")).unwrap();
    assert!(kept.contains("draft"));
}
