//! Mails as written by real mail programs, with the order lines found in each, or the reason why
//! there are none.
//!
//! The mails are in `tests/mails/`; each is listed here exactly once.

use std::{collections::BTreeSet, fs, path::PathBuf};

use postrider::mail::{AddressBookConfig, BodyDoubt, Incoming, LoopRisk, MailFault, Note, find_tokens};
use proptest::prelude::*;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mails")
}

fn raw(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.eml"))).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

fn parse(name: &str) -> Incoming {
    Incoming::parse(&raw(name)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

const LONG: &str = "play raid: comanche raid mexico with quanah parker and four war parties from texas";

/// Mails with orders.
const FOUND: &[(&str, &[&str])] = &[
    ("above-and-inside", &["see my answers below", "discard raid"]),
    ("above-and-inside-tight", &["see my answers below", "discard raid"]),
    ("apple-mail-es", &["refuse treaty navajo", "play raid: comanche raid mexico"]),
    (
        "comments-and-footer",
        &[
            "// first the Treaty",
            "refuse treaty navajo",
            "# then the card",
            "discard raid",
            "This e-mail was scanned for viruses by ExampleGuard.",
        ],
    ),
    ("flowed-delsp", &["refuse treaty navajo", "discard raid"]),
    ("forwarded-to-us", &[]),
    ("gmail-inline", &["discard raid"]),
    ("gmail-mobile-de", &["refuse treaty navajo", "discard raid"]),
    ("gmail-web", &["refuse treaty navajo", LONG]),
    ("html-signature", &["discard raid"]),
    ("iphone", &["refuse treaty navajo", "Discard Raid"]),
    ("iso-2022-jp-ascii-orders", &["refuse treaty navajo", "discard raid"]),
    ("iso-2022-jp-orders", &["襲撃を捨てる"]),
    ("latin1-fr", &["refuse treaty navajo", "play raid: comanche à l'ouest"]),
    ("mark-only-copy", &["refuse treaty navajo"]),
    ("mutt-bottom-pgp", &["refuse treaty navajo", "discard raid"]),
    ("mutt-inline", &["discard raid", "# that Treaty is a joke", "refuse treaty navajo"]),
    ("only-quoted", &[]),
    // A greeting cannot be distinguished from an order here; the order language rejects it.
    ("outlook-desktop-de", &["refuse treaty navajo", "discard raid", "Viele Grüße", "Ben Müller"]),
    ("outlook-mobile-html-only", &["discard raid"]),
    ("owa-html-only-fr", &["refuse treaty navajo", "play raid: comanche raid mexico", "// à bientôt, l’été"]),
    ("owa-text", &["refuse treaty navajo", "discard raid"]),
    ("pgp-clearsigned", &["discard raid"]),
    ("proton", &["refuse treaty navajo", "discard raid"]),
    ("text-part-blank", &["refuse treaty navajo"]),
    ("thunderbird-flowed-nl", &["refuse treaty navajo", LONG]),
    ("thunderbird-text-html", &["discard raid"]),
    ("unmarked-copy", &["refuse treaty navajo"]),
    ("utf8-base64", &["refuse treaty navajo", "discard raid"]),
    ("windows-1252-8bit", &["play raid: comanche raid mexico – “now”"]),
    ("windows-1252-as-utf8", &["play raid: quánah"]),
    ("with-attachments", &["refuse treaty navajo"]),
    ("yahoo", &["refuse treaty navajo", "discard raid"]),
];

/// Mails whose sender has to be asked.
fn doubtful() -> Vec<(&'static str, BodyDoubt)> {
    let undecodable = |charset: &str| BodyDoubt::Undecodable { charset: Some(charset.to_string()) };
    vec![
        ("damaged-utf8", undecodable("utf-8")),
        ("pgp-encrypted", BodyDoubt::Encrypted),
        ("picture-only", BodyDoubt::NoText),
        (
            "texts-differ",
            BodyDoubt::Differ {
                plain: vec!["accept treaty navajo".to_string()],
                html: vec!["refuse treaty navajo".to_string()],
            },
        ),
    ]
}

/// Mails not written by a person.
fn machines() -> Vec<(&'static str, LoopRisk)> {
    vec![
        ("bounce-exim", LoopRisk::AutoReply("X-Failed-Recipients".into())),
        ("bounce-postfix", LoopRisk::Report),
        ("mailing-list", LoopRisk::Precedence("list".into())),
        ("read-receipt", LoopRisk::Report),
        ("vacation-de-rule", LoopRisk::Vacation("X-MS-Exchange-Inbox-Rules-Loop".into())),
        ("vacation-exchange", LoopRisk::AutoSubmitted("auto-generated".into())),
        ("vacation-unix", LoopRisk::Precedence("junk".into())),
    ]
}

#[test]
fn orders_are_found() {
    let mut wrong = Vec::new();
    for (name, expected) in FOUND {
        let mail = parse(name);
        let found = mail.orders.map(|orders| orders.lines.into_iter().map(|line| line.text).collect::<Vec<_>>());
        let expected = Ok(expected.iter().map(ToString::to_string).collect::<Vec<_>>());
        if found != expected || mail.loop_risk.is_some() {
            wrong.push(format!("{name}: {found:?} {:?}", mail.loop_risk));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn doubts_are_told() {
    for (name, expected) in doubtful() {
        let mail = parse(name);
        assert_eq!(mail.orders, Err(expected), "{name}");
        assert_eq!(mail.author(), Some("ben@example.net"), "{name}: the sender is asked");
    }
}

#[test]
fn machines_are_seen() {
    for (name, expected) in machines() {
        assert_eq!(parse(name).loop_risk, Some(expected), "{name}");
    }
}

#[test]
fn every_mail_of_the_folder_is_listed() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|file| file.unwrap().file_name().to_str().unwrap().strip_suffix(".eml").map(str::to_string))
        .collect();
    let listed: Vec<String> = FOUND
        .iter()
        .map(|(name, _)| *name)
        .chain(doubtful().into_iter().map(|(name, _)| name))
        .chain(machines().into_iter().map(|(name, _)| name))
        .map(str::to_string)
        .collect();
    assert_eq!(listed.len(), files.len());
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), files);
}

#[test]
fn notes_tell_what_was_seen() {
    let notes = |name: &str| parse(name).orders.unwrap().notes;
    assert_eq!(notes("gmail-web"), []);
    assert_eq!(notes("only-quoted"), [Note::OnlyQuoted]);
    assert_eq!(notes("mark-only-copy"), [Note::UnquotedCopy]);
    assert_eq!(notes("windows-1252-as-utf8"), [Note::OtherCharset]);
}

#[test]
fn tokens_are_found_in_address_and_subject() {
    let book = AddressBookConfig::new("postrider", Some('+'), "play.example.org").unwrap();
    for (name, addressed) in [("gmail-web", true), ("iso-2022-jp-ascii-orders", false)] {
        let found = find_tokens(&parse(name), &book);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].game.as_deref(), Some("lone-pine"));
        assert_eq!((found[0].prompt_no, found[0].is_addressed()), (41, addressed));
        assert_eq!(found[0].token.to_string(), "ljnfuws2ljnfuws2ljnfuws2li");
    }
}

#[test]
fn line_ends_do_not_matter() {
    for (name, expected) in FOUND {
        let unix: Vec<u8> = raw(name).into_iter().filter(|&byte| byte != b'\r').collect();
        let lines = Incoming::parse(&unix).unwrap().orders.unwrap().lines;
        assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), *expected, "{name}");
    }
}

/// A small damage to a mail.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Cut(usize, usize),
    Repeat(usize, usize),
    Insert(usize, Vec<u8>),
    End(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = || 0usize..20_000;
    let telling = prop::sample::select(vec![
        &b"<"[..],
        b">",
        b"\n",
        b"\r\n\r\n",
        b"=",
        b"--",
        b"&#",
        b"<blockquote>",
        b"</div>",
        b"=?utf-8?B?",
        b"\x1b$B",
        b"\xff",
        b"\0",
        b"> > ",
        b"-- \n",
        b"From: ",
        b"Content-Type: ",
        b"boundary=",
        b"<!--",
        b"\"",
    ]);
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (place(), 1usize..200).prop_map(|(at, length)| Damage::Cut(at, length)),
        (place(), 1usize..200).prop_map(|(at, length)| Damage::Repeat(at, length)),
        (place(), telling).prop_map(|(at, bytes)| Damage::Insert(at, bytes.to_vec())),
        place().prop_map(Damage::End),
    ]
}

fn any_mail() -> impl Strategy<Value = &'static str> {
    let found = FOUND.iter().map(|(name, _)| *name);
    let others = doubtful().into_iter().map(|(name, _)| name).chain(machines().into_iter().map(|(name, _)| name));
    prop::sample::select(found.chain(others).collect::<Vec<_>>())
}

fn damaged(mut bytes: Vec<u8>, damages: Vec<Damage>) -> Vec<u8> {
    for damage in damages {
        let length = bytes.len().max(1);
        match damage {
            Damage::Set(at, byte) => {
                if let Some(place) = bytes.get_mut(at % length) {
                    *place = byte;
                }
            }
            Damage::Cut(at, count) => {
                let at = at % length;
                bytes.drain(at.min(bytes.len())..(at + count).min(bytes.len()));
            }
            Damage::Repeat(at, count) => {
                let at = (at % length).min(bytes.len());
                let piece = bytes[at..(at + count).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            Damage::Insert(at, piece) => {
                let at = (at % length).min(bytes.len());
                bytes.splice(at..at, piece);
            }
            Damage::End(at) => bytes.truncate(at % length),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_mails_are_read_without_panic(name in any_mail(), damages in prop::collection::vec(damage(), 1..6)) {
        let bytes = damaged(raw(name), damages);
        let parsed = Incoming::parse(&bytes);
        // The error that results from a panic in our code.
        prop_assert_ne!(&parsed, &Err(MailFault::Defect));
        if let Ok(mail) = parsed {
            for line in mail.orders.map(|orders| orders.lines).unwrap_or_default() {
                prop_assert_eq!(line.text.trim(), line.text.as_str());
                prop_assert!(!line.text.is_empty() && !line.text.chars().any(char::is_control));
            }
        }
    }
}

#[test]
fn huge_texts_are_refused_soon() {
    for (kind, unit) in [("plain", "On 1 wrote\n"), ("plain", "From x\n\n"), ("html", "<div><b>x")] {
        let head = format!("From: ben@example.net\r\nContent-Type: text/{kind}\r\n\r\n");
        let huge = head.clone() + &unit.repeat(1_000_000 / unit.len());
        assert!(matches!(Incoming::parse(huge.as_bytes()).unwrap().orders, Err(BodyDoubt::TooLarge(_))), "{unit}");
        let many = head + &"pass<br>\n".repeat(500);
        assert_eq!(Incoming::parse(many.as_bytes()).unwrap().orders, Err(BodyDoubt::TooLong(500)), "{kind}");
    }
}
