//! The page of a game in a browser: clicks become orders, keys step through the Rounds, dice are
//! verified, and the console shows no errors. The test needs `chromedriver` with its browser
//! (Debian: `chromium-driver`); without them it reports what was skipped.

use crate::{
    program::{run, said},
    samples,
};
use fantoccini::{Client, ClientBuilder, Locator, error::CmdError};
use hyper_util::client::legacy::connect::HttpConnector;
use postrider::{
    dice::sha256,
    letters::Letters,
    page::{Answer, Page, Reader, Record},
    replay::{Catalog, Source, rebuild, rebuild_with},
    store::{Host, Players},
    table::Watch,
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A browser's driver, which ends with the test.
pub(crate) struct Driver {
    child: Child,
    url: String,
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn driver() -> Option<Driver> {
    let mut child =
        Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let said = BufReader::new(child.stdout.take().expect("it is piped"));
    let port = said.lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse::<u16>().ok()
    });
    let port = port.expect("chromedriver says its port");
    Some(Driver { child, url: format!("http://localhost:{port}") })
}

/// The sample that the pages show.
fn sample() -> Source {
    Source::from(&samples::read("plains-indian-wars-1/standard-4")[..])
}

/// Returns the first entry from the hundredth on after which a player is asked to move.
fn a_move() -> u64 {
    let asks = |n: &u64| {
        let mut live = rebuild(&sample(), &Catalog::new(postrider::games::rulesets()), None, Some(*n), Watch::NONE)
            .expect("a game");
        let asked = live.dyn_game.as_mut().expect("it has begun").asked().expect("it goes on");
        asked.iter().any(|asked| asked.required && asked.kind == "movement")
    };
    (100..).find(asks).expect("somebody moves")
}

/// Writes the page of a sample game up to a line, for the seat that is asked there or for
/// spectators, with a recorder for errors on the console.
fn page(folder: &Path, upto: Option<u64>) -> PathBuf {
    let mut record = Record::default();
    let watch = Watch { tell: true, ..Watch::NONE };
    let mut live =
        rebuild_with(&sample(), &Catalog::new(postrider::games::rulesets()), None, upto, watch, &mut [&mut record])
            .expect("a game");
    let players = Players::named_in(&[], live.opened.seats.len());
    let host = Host::look(folder).expect("default settings");
    let mut letters = Letters::load(&host).expect("templates");
    letters.add_view(&host, live.opened.ruleset).expect("templates");
    let asked = live.dyn_game.as_mut().expect("it has begun").asked().expect("it goes on");
    let seat = asked.iter().find(|asked| asked.required).map(|asked| asked.seat);
    let answer = Answer { to: "post+token@example.org".to_owned(), subject: "Re: [trial] orders".to_owned() };
    let reader = Reader {
        seat,
        players: &players,
        letters: &letters,
        record: &record,
        answer: Some(answer),
        deadlines: None,
        proposals: Vec::new(),
        note: None,
    };
    let page = Page::of(&live, reader).expect("a page");
    let listen = "<script>window.faults = [];\
                  addEventListener('error', (event) => faults.push(event.message));\
                  addEventListener('securitypolicyviolation', (event) => faults.push(event.violatedDirective));\
                  for (const loud of ['error', 'warn']) console[loud] = (...words) => faults.push(words.join(' '));</script>";
    let words = listen.trim_start_matches("<script>").trim_end_matches("</script>");
    // The page allows its own script alone.
    let allowed = format!("script-src 'sha256-{}' ", data_encoding::BASE64.encode(&sha256(words.as_bytes()).0));
    let html = page.html().expect("a page").replacen("<style>", &format!("{listen}<style>"), 1);
    let html = html.replacen("script-src ", &allowed, 1);
    let path = folder.join(format!("{}.html", upto.unwrap_or(0)));
    std::fs::write(&path, html).expect("a file");
    path
}

pub(crate) async fn browser(driver: &Driver, width: u32) -> Client {
    let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    let options = json!({
        "args": arguments,
        "mobileEmulation": { "deviceMetrics": { "width": width, "height": 900, "pixelRatio": 1.0 } },
    });
    let wanted = json!({ "goog:chromeOptions": options });
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let connect = builder.capabilities(wanted.as_object().expect("an object").clone()).connect(&driver.url);
    tokio::time::timeout(Duration::from_secs(60), connect).await.expect("a browser starts").expect("a browser")
}

pub(crate) async fn value(client: &Client, script: &str) -> Value {
    client.execute(script, Vec::new()).await.expect("a script runs")
}

pub(crate) async fn text(client: &Client, id: &str) -> String {
    client.find(Locator::Id(id)).await.expect(id).text().await.expect("its text")
}

pub(crate) async fn click(client: &Client, css: &str) {
    let found = client.find(Locator::Css(css)).await.unwrap_or_else(|why| panic!("{css}: {why}"));
    // Elements below the first screen are scrolled into view.
    found.click().await.unwrap_or_else(|why| panic!("{css}: {why}"));
}

/// Clicks write orders, which are compared with the options and become a mail.
async fn answering(driver: &Driver, folder: &Path) -> Result<(), CmdError> {
    let client = browser(driver, 360).await;
    client.goto(&format!("file://{}", page(folder, Some(a_move())).display())).await?;
    let words = value(&client, "return document.querySelector('.option').dataset.order").await;
    let words = words.as_str().expect("an option").to_owned();
    assert_eq!(value(&client, "return document.getElementById('mail').hasAttribute('href')").await, false);
    click(&client, ".option").await;
    assert_eq!(value(&client, "return document.getElementById('orders').value").await, format!("{words}\n"));
    let mail = value(&client, "return decodeURIComponent(document.getElementById('mail').href)").await;
    assert_eq!(mail, format!("mailto:post+token@example.org?subject=Re: [trial] orders&body={words}\r\n"));
    choosing(&client, &words).await;
    client.find(Locator::Id("orders")).await?.send_keys("attack the moon").await?;
    assert!(text(&client, "checked").await.contains("attack the moon"));
    assert_eq!(value(&client, "return document.querySelectorAll('#checked .doubt').length").await, 1);
    // Selects a place that options name, by keyboard.
    client.wait().for_element(Locator::Css("#here:not([hidden])")).await?;
    let named = "const plain = (t) => t.toLowerCase(); const all = [...document.querySelectorAll('.option')];\
                 const place = [...document.querySelectorAll('.place')].find((p) => all.some((o) => plain(o.dataset.order).includes(plain(p.dataset.name))));\
                 place.focus(); return place.dataset.name";
    let place = value(&client, named).await;
    let enter = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))";
    value(&client, enter).await;
    assert!(text(&client, "filter-name").await.starts_with(place.as_str().expect("a name")));
    // The page lists the pieces there, and the orders that are possible there can be given at once.
    assert_eq!(text(&client, "here-name").await, format!("{}:", place.as_str().expect("a name")));
    let at_once = "const button = document.querySelector('#here-options button'); button.click(); \
                   return document.getElementById('orders').value.trimEnd().endsWith(button.textContent)";
    assert_eq!(value(&client, at_once).await, true);
    let shown = "return [...document.querySelectorAll('.options li')].filter((li) => !li.hidden).length";
    let all = value(&client, "return document.querySelectorAll('.options li').length").await;
    assert!(value(&client, shown).await.as_u64() >= Some(1) && value(&client, shown).await.as_u64() < all.as_u64());
    // Screen readers can announce every button and place.
    let silent = "return [...document.querySelectorAll('button, input, textarea, [role=button]')].filter((e) => \
                  !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || (e.labels && e.labels.length))).length";
    assert_eq!(value(&client, silent).await, 0);
    quiet(&client).await;
    client.close().await
}

/// Another answer joins the first only if one mail may answer the question several times, an answer
/// that ends an action comes last, and an answer chosen again is removed.
async fn choosing(client: &Client, first: &str) {
    let written = "return document.getElementById('orders').value.split('\\n').filter(Boolean)";
    let click = |at: usize| format!("document.querySelectorAll('.option')[{at}].click(); {written}");
    let said = |at: usize| format!("return document.querySelectorAll('.option')[{at}].dataset.order");
    let (second, third) = (value(client, &said(1)).await, value(client, &said(2)).await);
    assert_eq!(value(client, &click(1)).await, json!([first, second]));
    value(client, "document.querySelectorAll('.option')[1].dataset.ends = ''").await;
    assert_eq!(value(client, &click(2)).await, json!([first, third, second]));
    assert_eq!(value(client, &click(2)).await, json!([first, second]));
    value(client, "delete document.querySelector('.question').dataset.several").await;
    assert_eq!(value(client, &click(2)).await, json!([third]));
    assert_eq!(value(client, "return document.querySelectorAll('.option[aria-pressed=true]').length").await, 1);
    value(client, "document.querySelector('.question').dataset.several = ''").await;
    value(client, &click(2)).await;
    value(client, &click(0)).await;
}

/// All areas are one stop of the Tab key, and arrow keys reach each of them.
async fn walking(client: &Client) {
    let stops = "return document.querySelectorAll('.place[tabindex=\"0\"]').length";
    assert_eq!(value(client, stops).await, 1);
    let unreached = "const all = [...document.querySelectorAll('.place')], reached = new Set([all[0]]), left = [all[0]]; \
                     while (left.length) { const from = left.pop(); for (const key of ['Left', 'Right', 'Up', 'Down']) { \
                     from.focus(); from.dispatchEvent(new KeyboardEvent('keydown', { key: 'Arrow' + key, bubbles: true })); \
                     const to = document.activeElement; if (!reached.has(to)) { reached.add(to); left.push(to); } } } \
                     return all.length - reached.size";
    assert_eq!(value(client, unreached).await, 0);
    assert_eq!(value(client, stops).await, 1);
}

/// The map fills the window however large it is made: no part of the drawing is a margin.
async fn whole(client: &Client) {
    click(client, "#whole").await;
    for _ in 0..3 {
        let margins = "const svg = document.querySelector('.drawing svg'), box = svg.getBoundingClientRect(), \
                       map = svg.viewBox.baseVal; return Math.abs(box.width / box.height - map.width / map.height) < 0.01 && \
                       document.getElementById('drawing').clientHeight > innerHeight / 2";
        assert_eq!(value(client, margins).await, true);
        click(client, "#larger").await;
    }
    click(client, "#whole").await;
}

/// A finished game can be stepped through, searched and verified.
async fn looking_back(driver: &Driver, folder: &Path) -> Result<(), CmdError> {
    let client = browser(driver, 360).await;
    client.goto(&format!("file://{}", page(folder, None).display())).await?;
    // The drawings are unpacked a moment later.
    client.wait().for_element(Locator::Css("#steps:not([hidden])")).await?;
    click(&client, "#first").await;
    let first = text(&client, "moment").await;
    assert!(first.contains("(1 of "), "{first}");
    let key =
        |key: &str| format!("document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))");
    value(&client, &key("ArrowRight").replace("document.d", "document.body.d")).await;
    assert!(text(&client, "moment").await.contains("(2 of "));
    // The map changes with the moment.
    let shown = "return document.getElementById('drawing').textContent";
    let then = value(&client, shown).await;
    value(&client, &key("End").replace("document.d", "document.body.d")).await;
    assert_ne!(value(&client, shown).await, then);
    walking(&client).await;
    whole(&client).await;
    let target = value(&client, "document.getElementById('first').click(); return document.querySelector(document.getElementById('to-story').hash) !== null").await;
    assert_eq!(target, true, "the link into the story leads somewhere");
    value(&client, "document.querySelectorAll('.dice').forEach((box) => { box.open = true; })").await;
    let proofs = "return [...document.querySelectorAll('.proof')].map((proof) => proof.textContent)";
    let mut proved = value(&client, proofs).await;
    for _ in 0..100 {
        // An opened element is filled a moment later.
        if proved.as_array().is_some_and(|all| all.len() > 20 && all.iter().all(|proof| proof != "")) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        proved = value(&client, proofs).await;
    }
    let proved = proved.as_array().expect("dice").clone();
    assert!(proved.len() > 20, "{} dice", proved.len());
    assert!(proved.iter().all(|proof| proof.as_str().is_some_and(|proof| proof.starts_with("Proved"))), "{proved:?}");
    client.find(Locator::Id("search")).await?.send_keys("railroad").await?;
    assert!(text(&client, "found").await.contains("entries"));
    quiet(&client).await;
    client.close().await
}

/// Checks that there are no errors, no external resources, and no content wider than a phone.
async fn quiet(client: &Client) {
    assert_eq!(value(client, "return window.faults").await, json!([]));
    assert_eq!(value(client, "return performance.getEntriesByType('resource').length").await, 0);
    assert_eq!(value(client, "return document.documentElement.scrollWidth <= 360").await, true);
}

#[test]
fn a_page_works_in_a_browser() {
    let Some(driver) = driver() else {
        eprintln!("left out: there is no chromedriver here (Debian: chromium-driver), so no page was clicked through");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        answering(&driver, folder.path()).await.expect("the driver obeys");
        looking_back(&driver, folder.path()).await.expect("the driver obeys");
    });
}

#[test]
fn the_first_letter_of_each_turn_carries_the_page() {
    let folder = tempfile::tempdir().expect("there is room");
    let words = "demo --ruleset plains-indian-wars --id lone-pine --seats 2 --seed 3 --pictures --most 70";
    let played = run(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert!(played.status.success(), "{}", said(&played));
    for player in std::fs::read_dir(folder.path().join("demo/players")).expect("players") {
        let mailbox = player.expect("a player").path().join("new");
        let mails = std::fs::read_dir(mailbox).expect("mails").map(|mail| {
            let raw = std::fs::read(mail.expect("a mail").path()).expect("it can be read");
            String::from_utf8_lossy(&raw).into_owned()
        });
        let with: Vec<String> = mails.filter(|mail| mail.contains("filename=\"lone-pine.html\"")).collect();
        let subject =
            |turn: &str| with.iter().filter(|mail| mail.contains(&format!("\nSubject: [lone-pine] {turn}"))).count();
        assert_eq!((subject("Turn 1"), subject("Turn 2"), with.len()), (1, 1, 3));
    }
}
