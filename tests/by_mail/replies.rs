//! Replies to one letter in the formats of current mail programs and languages, with the order
//! lines of each.
//!
//! The mails are in `tests/mails/replies/`; each is listed here exactly once. File names contain
//! the program, then the language.

use std::{collections::BTreeSet, fs, path::PathBuf};

use postrider::mail::{Answered, Incoming, Note, OrderText};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mails/replies")
}

fn raw(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.eml"))).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

fn letter() -> Answered {
    Answered::parse(&raw("the-letter")).unwrap()
}

fn texts(orders: &OrderText) -> Vec<&str> {
    orders.lines.iter().map(|line| line.text.as_str()).collect()
}

const LONG: &str = "play raid: comanche raid mexico with quanah parker and four war parties from texas";
const TWO: &[&str] = &["refuse treaty navajo", "discard raid"];
const GREETED: &[&str] = &["Hi Postrider,", "refuse treaty navajo", "discard raid"];
/// A line that a program broke without marking it; the reader of orders has to interpret the lines.
const WRAPPED: &[&str] =
    &["refuse treaty navajo", "play raid: comanche raid mexico with quanah parker and four war parties", "from texas"];
const DISCARD: &[&str] = &["discard raid"];

const REPLIES: &[(&str, &[&str])] = &[
    ("gmail-web-en", TWO),
    ("gmail-web-de", TWO),
    ("gmail-web-fr", TWO),
    ("gmail-web-es", TWO),
    ("gmail-web-it", TWO),
    ("gmail-web-nl", TWO),
    ("gmail-web-pt", TWO),
    ("gmail-web-pl", TWO),
    ("gmail-web-sv", TWO),
    ("gmail-web-da", TWO),
    ("gmail-web-no", TWO),
    ("gmail-web-fi", TWO),
    ("gmail-web-cs", TWO),
    ("gmail-web-sk", TWO),
    ("gmail-web-hu", TWO),
    ("gmail-web-ro", TWO),
    ("gmail-web-tr", TWO),
    ("gmail-web-ru", TWO),
    ("gmail-web-uk", TWO),
    ("gmail-web-el", TWO),
    ("gmail-web-he", TWO),
    ("gmail-web-ja", TWO),
    ("gmail-web-zh-cn", TWO),
    ("gmail-web-zh-tw", TWO),
    ("gmail-web-ko", TWO),
    ("gmail-web-bg", TWO),
    ("gmail-web-hr", TWO),
    ("gmail-web-sl", TWO),
    ("gmail-plain-en", WRAPPED),
    ("gmail-plain-de", WRAPPED),
    ("gmail-plain-fr", WRAPPED),
    ("gmail-plain-pl", WRAPPED),
    ("gmail-plain-ru", WRAPPED),
    ("gmail-plain-zh-cn", WRAPPED),
    ("gmail-plain-tr", WRAPPED),
    ("gmail-plain-hu", WRAPPED),
    ("gmail-android-en", DISCARD),
    ("gmail-android-es", DISCARD),
    ("gmail-android-it", DISCARD),
    ("gmail-android-pt", DISCARD),
    ("gmail-android-nl", DISCARD),
    ("gmail-android-ru", DISCARD),
    ("outlook-desktop-en", TWO),
    ("outlook-desktop-de", TWO),
    ("outlook-desktop-fr", TWO),
    ("outlook-desktop-es", TWO),
    ("outlook-desktop-it", TWO),
    ("outlook-desktop-nl", TWO),
    ("outlook-desktop-pt", TWO),
    ("outlook-desktop-pl", TWO),
    ("outlook-desktop-sv", TWO),
    ("outlook-desktop-da", TWO),
    ("outlook-desktop-no", TWO),
    ("outlook-desktop-fi", TWO),
    ("outlook-desktop-cs", TWO),
    ("outlook-desktop-sk", TWO),
    ("outlook-desktop-hu", TWO),
    ("outlook-desktop-ro", TWO),
    ("outlook-desktop-tr", TWO),
    ("outlook-desktop-ru", TWO),
    ("outlook-desktop-uk", TWO),
    ("outlook-desktop-el", TWO),
    ("outlook-desktop-he", TWO),
    ("outlook-desktop-ja", TWO),
    ("outlook-desktop-zh-cn", TWO),
    ("outlook-desktop-zh-tw", TWO),
    ("outlook-desktop-ko", TWO),
    ("outlook-desktop-bg", TWO),
    ("outlook-desktop-hr", TWO),
    ("outlook-desktop-sl", TWO),
    ("outlook-text-en", DISCARD),
    ("outlook-text-de", DISCARD),
    ("outlook-text-fi", DISCARD),
    ("outlook-text-cs", DISCARD),
    ("outlook-text-tr", DISCARD),
    ("outlook-text-el", DISCARD),
    ("outlook-text-ko", DISCARD),
    ("outlook-text-he", DISCARD),
    ("outlook-text-ro", DISCARD),
    ("outlook-text-hu", DISCARD),
    ("outlook-logo-en", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-logo-de", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-logo-sk", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-logo-uk", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-logo-hr", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-logo-sl", &["discard raid", "Ben Miller | Miller & Sons"]),
    ("outlook-web-en", TWO),
    ("outlook-web-de", TWO),
    ("outlook-web-fr", TWO),
    ("outlook-web-es", TWO),
    ("outlook-web-fi", TWO),
    ("outlook-web-cs", TWO),
    ("outlook-web-uk", TWO),
    ("outlook-web-zh-tw", TWO),
    ("outlook-web-ko", TWO),
    ("outlook-web-bg", TWO),
    ("outlook-mobile-en", DISCARD),
    ("outlook-mobile-de", DISCARD),
    ("outlook-mobile-it", DISCARD),
    ("outlook-mobile-ro", DISCARD),
    ("apple-mail-en", TWO),
    ("iphone-en", DISCARD),
    ("iphone-de", DISCARD),
    ("apple-mail-fr", TWO),
    ("iphone-fr", DISCARD),
    ("iphone-es", DISCARD),
    ("apple-mail-it", TWO),
    ("iphone-it", DISCARD),
    ("iphone-nl", DISCARD),
    ("apple-mail-sv", TWO),
    ("iphone-sv", DISCARD),
    ("iphone-da", DISCARD),
    ("apple-mail-fi", TWO),
    ("iphone-fi", DISCARD),
    ("iphone-pl", DISCARD),
    ("apple-mail-cs", TWO),
    ("iphone-cs", DISCARD),
    ("iphone-hu", DISCARD),
    ("apple-mail-ro", TWO),
    ("iphone-ro", DISCARD),
    ("iphone-tr", DISCARD),
    ("apple-mail-ru", TWO),
    ("iphone-ru", DISCARD),
    ("iphone-uk", DISCARD),
    ("apple-mail-el", TWO),
    ("iphone-el", DISCARD),
    ("iphone-ja", DISCARD),
    ("apple-mail-zh-cn", TWO),
    ("iphone-zh-cn", DISCARD),
    ("iphone-ko", DISCARD),
    ("apple-mail-pt", TWO),
    ("iphone-pt", DISCARD),
    ("thunderbird-en", TWO),
    ("thunderbird-de", TWO),
    ("thunderbird-fr", TWO),
    ("thunderbird-es", TWO),
    ("thunderbird-it", TWO),
    ("thunderbird-nl", TWO),
    ("thunderbird-pl", TWO),
    ("thunderbird-cs", TWO),
    ("thunderbird-hu", TWO),
    ("thunderbird-sv", TWO),
    ("thunderbird-ru", TWO),
    ("thunderbird-fi", TWO),
    ("thunderbird-pt", TWO),
    ("thunderbird-el", TWO),
    ("thunderbird-tr", TWO),
    ("thunderbird-sk", TWO),
    ("thunderbird-ja", TWO),
    ("thunderbird-he", TWO),
    ("thunderbird-flowed-order", &["refuse treaty navajo", LONG]),
    ("thunderbird-inline", &["discard raid", "refuse treaty navajo"]),
    ("thunderbird-html-only", TWO),
    ("yahoo-web-en", TWO),
    ("yahoo-web-fr", TWO),
    ("yahoo-web-es", TWO),
    ("yahoo-android-en", TWO),
    ("yahoo-jp", TWO),
    ("aol-web", TWO),
    ("aol-app", TWO),
    ("proton-web", TWO),
    ("proton-mobile", TWO),
    ("zoho-web-en", TWO),
    ("zoho-web-de", TWO),
    ("zoho-web-es", TWO),
    ("zoho-bars", TWO),
    ("fastmail", TWO),
    ("fastmail-below", &["refuse treaty navajo", "discard raid", "See you on Thursday at the club."]),
    ("gmx-de", TWO),
    ("gmx-en", TWO),
    ("gmx-fr", TWO),
    ("webde-two-fields", TWO),
    (
        "webde-app",
        &[
            "refuse treaty navajo",
            "discard raid",
            "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
        ],
    ),
    ("tonline", TWO),
    ("orange-web", TWO),
    ("orange-marked", TWO),
    ("laposte", TWO),
    ("free-zimbra", TWO),
    ("zimbra-en", TWO),
    ("hotmail-old", TWO),
    ("hotmail-marked", TWO),
    ("windows-live-mail", TWO),
    ("windows-mail", TWO),
    // Two dashes without a space do not mark a signature; the author's name is not an order.
    ("mailru-web", &["refuse treaty navajo", "discard raid", "Ben"]),
    ("mailru-marked", TWO),
    ("mailru-app", TWO),
    ("yandex-web", TWO),
    ("yandex-fields", TWO),
    ("qq-web", TWO),
    ("qq-english", TWO),
    ("163-zh", TWO),
    ("163-en", TWO),
    ("foxmail", TWO),
    ("naver", TWO),
    ("daum", TWO),
    ("samsung-en", TWO),
    ("samsung-de", TWO),
    ("samsung-fr", TWO),
    ("samsung-ru", TWO),
    ("samsung-pt", TWO),
    ("k9-en", TWO),
    ("k9-de", TWO),
    ("mutt-bottom", TWO),
    ("mutt-wrapped-order", WRAPPED),
    ("mutt-iso-lead", TWO),
    ("pine", TWO),
    ("gnus-supercite", DISCARD),
    ("sylpheed", TWO),
    ("kmail", TWO),
    ("evolution-bars", TWO),
    ("lotus-notes", TWO),
    ("notes-attribution", TWO),
    ("notes-de", TWO),
    ("em-client", TWO),
    ("em-client-10", TWO),
    ("em-client-cs", TWO),
    ("spark", TWO),
    ("superhuman", TWO),
    ("hey", TWO),
    ("tutanota", TWO),
    ("roundcube-en", TWO),
    ("roundcube-de", TWO),
    ("horde-de", TWO),
    ("horde-en", TWO),
    ("squirrelmail", TWO),
    ("bluemail", TWO),
    ("mailbird", TWO),
    ("front", TWO),
    ("airmail", TWO),
    ("libero", TWO),
    ("seznam", TWO),
    ("wp-pl", TWO),
    ("onet-pl", TWO),
    ("abv-bg", TWO),
    ("ukrnet", TWO),
    ("citromail-hu", TWO),
    ("walla-he", TWO),
    ("unknown-vi", TWO),
    ("unknown-th", TWO),
    ("unknown-hy-fields", TWO),
    ("bare-copy", TWO),
    ("bare-rewrapped-40", TWO),
    ("bare-rewrapped-55", TWO),
    ("bare-rewrapped-79", TWO),
    ("bare-rewrapped-120", TWO),
    ("indented-copy", TWO),
    ("quote-rewrapped-without-marks", TWO),
    ("copied-option", &["refuse treaty navajo", "b  discard raid"]),
    ("copied-option-bare-copy", &["a  play raid          then raid with a Raider tribe", "b  refuse treaty navajo"]),
    ("copied-options-no-quote", &["refuse treaty navajo", "play raid: comanche raid mexico"]),
    ("above-and-between-marks", TWO),
    ("below-bare-copy", TWO),
    ("yahoo-one-line-cs", TWO),
    ("yahoo-one-line-fi", TWO),
    ("yahoo-one-line-tr", TWO),
    ("yahoo-one-line-uk", TWO),
    ("samsung-old-tags", TWO),
    ("samsung-one-line-de", TWO),
    ("android-dashes-no-date", TWO),
    ("phone-bare-copy", TWO),
    ("phone-afterthought", &["refuse treaty navajo", "discard raid", "Until Thursday!"]),
    ("tonline-app-date-alone", TWO),
    ("html-empty", TWO),
    ("number-letter", &["1b", "2b"]),
    ("greeted-then-below", GREETED),
    ("greeted-then-below-two-lines", GREETED),
    ("greeted-then-inside", &["Hi Postrider,", "discard raid"]),
    ("greeted-then-below-html", GREETED),
    ("mozilla-stuffed-marks", TWO),
    ("mozilla-stuffed-marks-above", TWO),
    ("enigmail-bars-flowed", TWO),
    ("marks-initials", TWO),
    ("marks-one-letter", TWO),
    ("marks-plus", TWO),
    ("marks-and-sign", TWO),
    ("marks-dash-bracket", TWO),
    ("marks-round-bracket", TWO),
    ("omission-below-attribution", TWO),
    ("snip-between", &["<snip>", "refuse treaty navajo", "discard raid"]),
    ("asked-no-date", &["Postrider asked:", "refuse treaty navajo", "discard raid"]),
    ("mark-of-signature-in-text-alone", TWO),
    ("mailspring", TWO),
    ("iphone-excuse", TWO),
    ("iphone-ar", TWO),
    ("iphone-fa", TWO),
    ("iphone-th", TWO),
    ("iphone-vi", TWO),
    ("iphone-id", TWO),
    ("iphone-hi", TWO),
    ("iphone-hu-end", TWO),
    ("outlook-text-th", TWO),
    ("outlook-text-vi", TWO),
    ("outlook-text-id", TWO),
    ("outlook-text-hi", TWO),
    ("outlook-text-fa", TWO),
    ("outlook-text-ar", TWO),
    ("outlook-text-ca", TWO),
    ("outlook-text-eu", TWO),
    ("outlook-text-et", TWO),
    ("outlook-text-lv", TWO),
    ("outlook-text-lt", TWO),
    ("outlook-text-sr", TWO),
    ("outlook-text-mk", TWO),
    ("outlook-text-is", TWO),
    ("bare-below-attribution-ca", TWO),
    ("bare-below-attribution-gl", TWO),
    ("bare-below-attribution-eu", TWO),
    ("bare-below-attribution-cy", TWO),
    ("bare-below-attribution-ga", TWO),
    ("bare-below-attribution-is", TWO),
    ("bare-below-attribution-sq", TWO),
    ("bare-below-attribution-ka", TWO),
    ("bare-below-attribution-mk", TWO),
    ("vm-brackets", TWO),
    ("sup-excerpts", TWO),
    ("page-copy-date-and-time", TWO),
    ("marked-header-with-rule", TWO),
    ("wrote-without-marks", TWO),
    ("html-with-marks-as-text", TWO),
    ("html-header-on-one-line", TWO),
    ("wrote-and-text-without-a-space", TWO),
    ("unknown-words-between-dashes", TWO),
    ("zimbra-rule", TWO),
    ("outlook-web-names-with-x", TWO),
    ("word-rule-in-a-theme-colour", TWO),
];

#[test]
fn orders_are_found_beside_the_letter() {
    let letter = letter();
    let mut wrong = Vec::new();
    for (name, expected) in REPLIES {
        let mail = Incoming::parse(&raw(name)).unwrap();
        let orders = mail.orders_beside(Some(&letter));
        if orders.as_ref().map(texts).as_deref() != Ok(*expected) || mail.loop_risk.is_some() {
            wrong.push(format!("{name}: {orders:?} {:?}", mail.loop_risk));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), REPLIES.len(), wrong.join("\n"));
}

/// A copy that lost some of its quotation marks: without the letter, the lines between the marked
/// ones may belong to the author.
const HALF_MARKED: &str = "quote-rewrapped-without-marks";

#[test]
fn nothing_quoted_is_an_order_without_the_letter() {
    let (mut leaks, mut missed) = (Vec::new(), Vec::new());
    for (name, expected) in REPLIES {
        let Ok(orders) = Incoming::parse(&raw(name)).unwrap().orders else {
            missed.push(*name);
            continue;
        };
        let found = texts(&orders);
        if found == *expected {
            continue;
        }
        // A reply that copies the letter without any marks is refused because of its note.
        if !orders.notes.contains(&Note::UnquotedCopy) && found.iter().any(|line| !expected.contains(line)) {
            leaks.push(*name);
        }
        missed.push(*name);
    }
    assert_eq!(leaks, [HALF_MARKED]);
    let share = 100 * missed.len() / REPLIES.len();
    assert!(share < 8, "{share} % need the letter: {missed:?}");
}

#[test]
fn every_reply_of_the_folder_is_listed() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|file| file.unwrap().file_name().to_str().unwrap().strip_suffix(".eml").map(str::to_string))
        .filter(|name| name != "the-letter")
        .collect();
    let listed: BTreeSet<String> = REPLIES.iter().map(|(name, _)| (*name).to_string()).collect();
    assert_eq!(listed.len(), REPLIES.len());
    assert_eq!(listed, files);
    assert!(listed.len() >= 200);
}
