//! Readers of bytes from outside. Whatever the bytes are, reading them ends, and without a panic.

use postrider::{
    audit::verify::verify,
    mail::{
        AddressBookConfig, Bounce, Incoming, Keys, Mailbox, Saved, SavedMessage, check_signatures, find_tokens,
        forward_safe,
    },
    replay::{Catalog, Source},
    serve::testing,
    store::Protocol,
};

/// A reader of bytes from outside, which must not panic.
type ReadsBytes = fn(&[u8]);

/// The readers by name.
pub const READERS: [(&str, ReadsBytes); 6] = [
    ("archives", archives),
    ("imap", |says| _ = testing::imap(says)),
    ("journals", journals),
    ("lmtp", lmtp),
    ("mails", mails),
    ("signatures", signatures),
];

/// A key whose private half is in RFC 8463.
const KEY: (&str, &str) =
    ("brisbane._domainkey.football.example.com", "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");

fn archives(bytes: &[u8]) {
    for saved in Mailbox::of_bytes("box".to_owned(), bytes.to_vec()) {
        if let Saved::Mail { mail, .. } = saved {
            drop(SavedMessage::read(&mail.raw));
        }
    }
}

fn journals(bytes: &[u8]) {
    verify(&Source::from(bytes), &Catalog::new(postrider::games::rulesets()), |_| ()).expect("it is in memory");
}

fn lmtp(says: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let (said, mails) = testing::lmtp(folder.path(), Protocol::Lmtp, says);
    let taken = said.lines().filter(|line| line.starts_with("250 2.0.0 taken")).count();
    assert!(mails.len() <= taken, "a mail is not acknowledged: {said}");
}

fn mails(raw: &[u8]) {
    let addresses = AddressBookConfig::new("postrider", Some('+'), "play.example").expect("it is an address");
    if let Ok(mail) = Incoming::parse(raw) {
        drop(find_tokens(&mail, &addresses));
    }
    for returned in [false, true] {
        drop(Bounce::of(raw, returned));
    }
    drop(SavedMessage::read(raw));
    drop(forward_safe(raw));
}

fn signatures(raw: &[u8]) {
    let keys = Keys::of(&[KEY, ("sel._domainkey.example.org", KEY.1)]);
    for author in ["joe@football.example.com", "ben@example.net"] {
        check_signatures(raw, author, &["example.org".to_owned()], &keys).expect("the keys answer");
    }
}
