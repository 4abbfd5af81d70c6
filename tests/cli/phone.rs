//! The height of letters on a phone: the HTML parts of games by mail, laid out by a browser at a
//! width of 390 px. Like the test of the page, it needs `chromedriver` with its browser.

use crate::page::{browser, driver, value};
use fantoccini::error::CmdError;
use mail_parser::{MessageParser, MimeHeaders as _};
use postrider::{
    demo::{Demo, play_demo},
    games::rulesets,
    replay::Catalog,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Width and height of a phone's screen in px.
const SCREEN: (u32, u64) = (390, 844);

/// Number of mails written in each game.
const MAILS: usize = 60;

/// Writes the HTML parts of a game's letters that ask something, each with its picture.
fn letters(folder: &Path, ruleset: &str, seats: u8, bot: &str) -> Vec<PathBuf> {
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
    let played = play_demo(&demo, Catalog::new(rulesets()), &mut |_, _| {}).expect("a game by mail");
    let mut written = Vec::new();
    for mailbox in fs::read_dir(&played.mailboxes).expect("mailboxes") {
        for mail in fs::read_dir(mailbox.expect("a mailbox").path().join("new")).expect("a Maildir") {
            let raw = fs::read(mail.expect("a mail").path()).expect("it is there");
            let mail = MessageParser::default().parse(&raw).expect("a mail");
            if !mail.body_text(0).is_some_and(|text| text.contains("\nANSWER by replying")) {
                continue;
            }
            let mut html = mail.body_html(0).expect("an HTML part").into_owned();
            let path = folder.join(format!("letter-{}", written.len()));
            let picture = mail.attachments().find(|part| part.content_id().is_some());
            if let Some((id, png)) = picture.and_then(|part| Some((part.content_id()?, part.contents()))) {
                let file = path.with_extension("png");
                fs::write(&file, png).expect("a file");
                html = html.replace(&format!("cid:{id}"), &format!("file://{}", file.display()));
            }
            let path = path.with_extension("html");
            fs::write(&path, html).expect("a file");
            written.push(path);
        }
    }
    written
}

/// Returns the heights in px, in ascending order. No letter is wider than the screen.
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

/// Letters that ask something are at most three screens high in the median, and five at most.
#[test]
fn letters_that_ask_fit_a_phone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    for rules in rulesets() {
        let folder = tempfile::tempdir().expect("a folder");
        let seats = *rules.seats().end().min(&3);
        let letters = letters(folder.path(), rules.name(), seats, rules.bots()[0].name);
        assert!(letters.len() > MAILS / 2, "{}: {} letters", rules.name(), letters.len());
        let heights = runtime.block_on(heights(&letters)).expect("a browser");
        let Some(most) = heights.last() else {
            eprintln!("left out: there is no chromedriver here (Debian: chromium-driver), so no letter was measured");
            return;
        };
        let screens = |px: u64| px as f64 / SCREEN.1 as f64;
        let (median, most) = (screens(heights[heights.len() / 2]), screens(*most));
        println!("{}: {} letters, screens: median {median:.2}, at most {most:.2}", rules.name(), heights.len());
        assert!(median <= 3.0 && most <= 5.0, "{}: median {median:.2}, at most {most:.2}", rules.name());
    }
}
