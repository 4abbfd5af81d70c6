//! The height of letters on a phone: the HTML parts of games by mail, laid out by a browser at a
//! width of 390 px. Like the test of the page, it needs `chromedriver` with its browser.

use crate::page::{browser, driver, value};
use fantoccini::error::CmdError;
use mail_parser::{MessageParser, MimeHeaders as _};
use postrider::{
    demo::{Demo, play_demo},
    games::rulesets,
    office::{Environment, Office},
    replay::Catalog,
    store::{Host, MailFolder, Pictures},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Width and height of a phone's screen in px.
const SCREEN: (u32, u64) = (390, 844);

/// Number of mails written in each game.
const MAILS: usize = 60;

fn play(folder: &Path, ruleset: &str, seats: u8, bot: &str) -> PathBuf {
    let demo = Demo {
        folder: folder.to_owned(),
        ruleset: ruleset.to_owned(),
        seats,
        seed: Some(11),
        most: Some(MAILS),
        bot: Some(bot.to_owned()),
        pictures: true,
        ..Demo::default()
    };
    play_demo(&demo, Catalog::new(rulesets()), &mut |_, _| {}).expect("a game by mail").mailboxes
}

fn mailbox(folder: &Path) -> Vec<Vec<u8>> {
    let mut mails: Vec<PathBuf> =
        fs::read_dir(folder.join("new")).expect("a Maildir").map(|mail| mail.expect("a mail").path()).collect();
    mails.sort();
    mails.iter().map(|mail| fs::read(mail).expect("it is there")).collect()
}

/// Writes the HTML part of a letter as a file, with its picture.
fn write(path: &Path, raw: &[u8]) -> PathBuf {
    let mail = MessageParser::default().parse(raw).expect("a mail");
    let mut html = mail.body_html(0).expect("an HTML part").into_owned();
    let picture = mail.attachments().find(|part| part.content_id().is_some());
    if let Some((id, png)) = picture.and_then(|part| Some((part.content_id()?, part.contents()))) {
        let file = path.with_extension("png");
        fs::write(&file, png).expect("a file");
        html = html.replace(&format!("cid:{id}"), &format!("file://{}", file.display()));
    }
    let path = path.with_extension("html");
    fs::write(&path, html).expect("a file");
    path
}

fn asking(folder: &Path, mailboxes: &[Vec<Vec<u8>>]) -> Vec<PathBuf> {
    let asks = |raw: &&Vec<u8>| {
        let mail = MessageParser::default().parse(&raw[..]).expect("a mail");
        mail.body_text(0).is_some_and(|text| text.contains("\nANSWER by replying"))
    };
    let all = mailboxes.iter().flatten().filter(asks).enumerate();
    all.map(|(at, raw)| write(&folder.join(format!("letter-{at}")), raw)).collect()
}

fn statuses(folder: &Path, mailboxes: &[Vec<Vec<u8>>]) -> Vec<PathBuf> {
    let mut host = Host::open(folder).expect("a host");
    host.settings.pictures = Pictures::Always;
    host.settings.answers_per_hour = 0;
    let mut office = Office::open(host, Catalog::new(rulesets()), Environment::System).expect("an office");
    let mut answers = Vec::new();
    for (at, letters) in mailboxes.iter().enumerate() {
        let letter = MessageParser::default().parse(letters.last().expect("a letter")).expect("a mail");
        let address = |field: Option<&mail_parser::Address<'_>>| {
            field.and_then(|field| field.first()?.address.clone()).expect("an address").into_owned()
        };
        let mail = format!(
            "From: {}\r\nTo: {}\r\nSubject: Re: {}\r\nMessage-ID: <{at}@example.net>\r\n\r\nstatus\r\n",
            address(letter.to()),
            address(letter.reply_to()),
            letter.subject().expect("a subject"),
        );
        office.receive(mail.as_bytes()).expect("it is answered");
        let out = office.host().mail(MailFolder::Out).expect("an outbox").list().expect("letters");
        let answer = out.into_iter().find(|entry| entry.unique.contains(".re.")).expect("an answer");
        answers.push(write(&folder.join(format!("status-{at}")), &fs::read(&answer.path).expect("a letter")));
        fs::remove_file(answer.path).expect("it is gone");
    }
    answers
}

/// Returns the heights of the letters in px, sorted. Fails if a letter is wider than the screen.
async fn heights(letters: &[PathBuf]) -> Result<Vec<u64>, CmdError> {
    let Some(driver) = driver() else { return Ok(Vec::new()) };
    let client = browser(&driver, SCREEN.0).await;
    let mut heights = Vec::new();
    for path in letters {
        client.goto(&format!("file://{}", path.display())).await?;
        let broken = value(&client, "return [...document.images].filter((it) => !it.naturalWidth).length").await;
        assert_eq!(broken.as_u64(), Some(0), "{}", path.display());
        let size = "const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]";
        let size = value(&client, size).await;
        let [wide, high] = [0, 1].map(|at| size[at].as_u64().expect("a number"));
        assert!(wide <= SCREEN.0.into(), "{}: {wide} px wide", path.display());
        heights.push(high);
    }
    client.close().await?;
    heights.sort_unstable();
    Ok(heights)
}

/// Letters that ask something are at most three screens high in the median, and five at most;
/// answers to `status` five in the median.
#[test]
fn letters_fit_a_phone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let screens = |px: u64| px as f64 / SCREEN.1 as f64;
    for rules in rulesets() {
        let folder = tempfile::tempdir().expect("a folder");
        let seats = *rules.seats().end().min(&3);
        let players = play(folder.path(), rules.name(), seats, rules.bots()[0].name);
        let players =
            fs::read_dir(players).expect("mailboxes").map(|player| mailbox(&player.expect("a mailbox").path()));
        let mailboxes: Vec<Vec<Vec<u8>>> = players.collect();
        let letters = asking(folder.path(), &mailboxes);
        assert!(letters.len() > MAILS / 2, "{}: {} letters", rules.name(), letters.len());
        for (what, letters, usual, longest) in
            [("asking", letters, 3.0, 5.0), ("status", statuses(folder.path(), &mailboxes), 5.0, 6.0)]
        {
            let heights = runtime.block_on(heights(&letters)).expect("a browser");
            let Some(most) = heights.last() else {
                eprintln!(
                    "left out: there is no chromedriver here (Debian: chromium-driver), so no letter was measured"
                );
                return;
            };
            let (median, most) = (screens(heights[heights.len() / 2]), screens(*most));
            let measured = format!(
                "{}, {what}: {} letters, screens: median {median:.2}, at most {most:.2}",
                rules.name(),
                heights.len()
            );
            println!("{measured}");
            assert!(median <= usual && most <= longest, "{measured}");
        }
    }
}
