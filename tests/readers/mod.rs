//! Readers of bytes from outside. Whatever the bytes are, reading them ends, and without a panic.

use postrider::{
    audit::verify::verify,
    mail::{AddressBookConfig, Bounce, Incoming, Keys, SavedMessage, check_signatures, find_tokens, forward_safe},
    mailbox::{Mailbox, Saved},
    replay::{Catalog, Source},
    serve::testing,
    store::Protocol,
    wire,
};

/// A reader of bytes from outside, which must not panic.
type ReadsBytes = fn(&[u8]);

/// The readers by name.
pub const READERS: [(&str, ReadsBytes); 9] = [
    ("archives", archives),
    ("components", components),
    ("http", |says| drop(testing::http(says))),
    ("imap", |says| _ = testing::imap(says)),
    ("journals", journals),
    ("lmtp", lmtp),
    ("mails", mails),
    ("signatures", signatures),
    ("smtp", smtp),
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

/// The first byte chooses the game. The others replace as many of its component file, from the
/// place that the next two name; without a place they are the file.
fn components(bytes: &[u8]) {
    let [game, high, low, says @ ..] = bytes else { return };
    let all = postrider::games::rulesets();
    let rules = all[usize::from(*game) % all.len()];
    let whole = rules.components().as_bytes();
    let text = match usize::from(u16::from_be_bytes([*high, *low])) % whole.len() {
        0 => says.to_vec(),
        at => [&whole[..at], says, whole.get(at + says.len()..).unwrap_or_default()].concat(),
    };
    drop(rules.print_components(&String::from_utf8_lossy(&text), "components.toml"));
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
        check_signatures(raw, (author, &[]), &["example.org".to_owned()], &keys).expect("the keys answer");
    }
}

fn smtp(says: &[u8]) {
    let sent = wire::smtp(says);
    // The greeting, and the replies to EHLO, the sender, the recipient and the text.
    let accepts = says.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"2")).count();
    assert!(sent.is_err() || accepts >= 5, "a mail counts as sent that no server took");
}
