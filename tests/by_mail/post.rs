//! The outbox of a service, and answers to its letters.

use postrider::{dice::sha256, office::Office, store::MailFolder};
use std::fs;

/// Returns the newest letter to an address at example.net: the one that has seen most of the
/// journal, and of several such the one that was written last. The clock of a file system is too
/// coarse to tell more.
pub fn letter(office: &Office, to: &str) -> String {
    let out = office.host().mail(MailFolder::Out).expect("the outbox").list().expect("its mails");
    let read = |path| fs::read_to_string(path).expect("mails are UTF-8").replace("\r\n", "\n").replace("\n ", " ");
    let letters = out
        .into_iter()
        .map(|one| (fs::metadata(&one.path).and_then(|about| about.modified()).expect("a time"), read(one.path)));
    let seen = |letter: &str| -> Option<u64> { field(letter, "X-Postrider-Head")?.split(' ').nth(1)?.parse().ok() };
    let address = format!("{to}@example.net");
    let mine = letters.filter(|(_, letter)| field(letter, "To").is_some_and(|to| to.contains(&address)));
    mine.max_by_key(|(written, letter)| (seen(letter), *written)).unwrap_or_else(|| panic!("no letter to {to}")).1
}

fn field<'l>(letter: &'l str, name: &str) -> Option<&'l str> {
    letter.lines().take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

pub fn answer(office: &mut Office, who: &str, text: &str) {
    let letter = letter(office, who);
    let own = sha256(format!("{text}{letter}").as_bytes());
    let mail = format!(
        "From: {who}@example.net\nTo: {}\nSubject: Re: game\nMessage-ID: <{own}@x.example>\nIn-Reply-To: {}\n\n{text}\n",
        field(&letter, "Reply-To").expect("an address"),
        field(&letter, "Message-ID").expect("a name"),
    );
    office.receive(mail.as_bytes()).expect("the office works");
}
