//! The pages that `serve` shows to web browsers: what they are, who may see them, their limits, and
//! that they renew themselves.
#![cfg(unix)]

use crate::{
    page::{browser, driver, text, value},
    program::{run, said},
    scripted::wait_for,
    serve::{GAME, LOCAL, Serving, answer, hand_over, letters},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;

fn host(settings: &str) -> TempDir {
    host_of(settings, "plains-indian-wars", 3)
}

fn host_of(settings: &str, rules: &str, seats: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let first = "address = \"postrider@play.example\"\nanswers_per_hour = 0\n";
    fs::write(folder.path().join("postrider.toml"), first).expect("it can be written");
    fs::write(folder.path().join("word"), "let me see\n").expect("it can be written");
    let players = ["Zenobia <anna@example.net>", "Quentin <ben@example.net>", "Xaver <carl@example.net>"];
    let players = players[..seats].iter().flat_map(|player| ["--player", player]);
    let words = ["new", "--ruleset", rules, "--id", GAME, "--join-all", "--clock", "3d"];
    let output = run(folder.path(), &words.into_iter().chain(players).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", said(&output));
    let all = format!("{first}{settings}http_password_file = \"word\"\n{LOCAL}");
    fs::write(folder.path().join("postrider.toml"), all).expect("it can be written");
    folder
}

const WEB: &str = "http_page = \"unix:web\"\nhttp_url = \"https://play.example/games/\"\n";

fn ask(folder: &Path, request: &str) -> String {
    let mut stream = UnixStream::connect(folder.join("web")).expect("it listens");
    stream.write_all(format!("{request}\r\n\r\n").as_bytes()).expect("it is heard");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn get(folder: &Path, path: &str) -> String {
    ask(folder, &format!("GET {path} HTTP/1.1\r\nHost: x"))
}

fn field<'a>(answer: &'a str, name: &str) -> &'a str {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
}

/// The pages that anyone may look at.
const PUBLIC: [&str; 3] = ["/", "/games/lone-pine/", "/games/lone-pine/feed.atom"];

/// Returns the contents of a game's page, without the additions of a web server: the head with the
/// score, the body, and the data of its script.
fn shown(page: &str) -> [&str; 3] {
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from}: {page}"));
        rest.split_once(to).expect(to).0
    };
    [
        between("<body", "<nav").split_once('>').expect("it ends").1,
        between("<main>", "</main>"),
        between("id=\"data\">", "</script>"),
    ]
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            all.extend(files(&entry.path()));
        } else if kind.is_file() {
            all.insert(entry.path(), fs::read(entry.path()).expect("a file"));
        }
    }
    all
}

/// Has the player whom the game waits for give an order, whatever is asked.
fn go_on(folder: &Path) {
    let prompts = said(&run(folder, &["prompts", GAME, "--json"]));
    let all: serde_json::Value = serde_json::from_str(&prompts).expect("JSON");
    let mut required = all.as_array().expect("prompts").iter().filter(|prompt| prompt["required"] == true);
    let (seat, order) = required
        .find_map(|prompt| Some((prompt["seat"].as_str()?, prompt["choices"][0]["words"].as_str()?)))
        .unwrap_or_else(|| panic!("{prompts}"));
    let done = run(folder, &["order", GAME, seat, order]);
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
fn browsers_see_the_games_and_change_nothing() {
    let folder = host(WEB);
    let new = run(folder.path(), &["new", "--id", "red-mesa", "--player", "Dora <dora@example.net>", "--open", "1"]);
    assert!(new.status.success(), "{}", said(&new));
    let _serving = Serving::ready(folder.path());
    let list = get(folder.path(), "/");
    let open = "1 open seat: mail <code>join red-mesa</code> to <a href=\"mailto:postrider@play.example?body=join%20red-mesa\">";
    assert!(list.contains(open), "{list}");
    assert!(list.starts_with("HTTP/1.1 200 ") && list.contains("href=\"games/lone-pine/\""), "{list}");
    assert!(
        list.contains("<b>seat A</b> since <span class=\"time\">20")
            && list.contains(", until <span class=\"time\">20"),
        "{list}"
    );
    let page = get(folder.path(), "/games/lone-pine/");
    assert_eq!(field(&page, "content-type"), "text/html; charset=utf-8");
    assert_eq!(field(&page, "x-content-type-options"), "nosniff");
    assert_eq!(field(&page, "referrer-policy"), "no-referrer");
    assert_eq!(field(&page, "cache-control"), "no-cache");
    let policy = field(&page, "content-security-policy");
    assert!(policy.starts_with("default-src 'none'; ") && policy.ends_with("frame-ancestors 'none'"), "{policy}");
    assert!(page.contains("data-live") && page.contains("Waiting for ") && page.contains("id=\"score\""));
    // The page is not sent again as long as it is the same.
    let tag = field(&page, "etag").to_owned();
    let again = ask(folder.path(), &format!("GET /games/lone-pine/ HTTP/1.1\r\nHost: x\r\nIf-None-Match: {tag}"));
    assert!(again.starts_with("HTTP/1.1 304 ") && again.ends_with("\r\n\r\n"), "{again}");
    let feed = get(folder.path(), "/games/lone-pine/feed.atom");
    assert_eq!(field(&feed, "content-type"), "application/atom+xml; charset=utf-8");
    assert!(feed.contains("<id>tag:play.example,2026:postrider/lone-pine</id>"), "{feed}");
    // All links are relative: another web server may show the pages under any path.
    for link in page.split("href=\"").skip(1) {
        assert!(link.starts_with(['#', '.']) || link.starts_with("feed.atom\""), "{}", &link[..20]);
    }
    let moved = get(folder.path(), "/games/lone-pine");
    assert!(moved.starts_with("HTTP/1.1 308 ") && field(&moved, "location") == "lone-pine/", "{moved}");
    for none in
        ["/games/other/", "/games/lone-pine/x", "/games/../word", "/word", "/games/", "/games/lone-pine/calendar/x.ics"]
    {
        assert!(get(folder.path(), none).starts_with("HTTP/1.1 404 "), "{none}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = ask(folder.path(), &format!("{method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0"));
        assert!(answer.starts_with("HTTP/1.1 405 ") && field(&answer, "allow") == "GET, HEAD", "{answer}");
    }
    assert!(ask(folder.path(), "HEAD /games/lone-pine/ HTTP/1.1\r\nHost: x").ends_with("\r\n\r\n"));
    let many = format!("GET / HTTP/1.1\r\nHost: x{}", "\r\nX: x".repeat(70));
    assert!(ask(folder.path(), &many).starts_with("HTTP/1.1 431 "));
}

/// No page shows anything hidden from spectators: it shows the same as the bare journal, which has
/// no names, addresses or messages.
#[test]
fn a_page_shows_nothing_that_the_journal_does_not() {
    // A game that can be played again from its journal alone, because it has no cards.
    let folder = host_of(WEB, "rosebud-creek", 2);
    let told = run(folder.path(), &["tell", GAME, "The eagle has landed"]);
    assert!(told.status.success(), "{}", said(&told));
    let _serving = Serving::ready(folder.path());
    let bare = tempfile::tempdir().expect("a folder");
    let journal = bare.path().join("bare.jsonl");
    for _ in 0..12 {
        go_on(folder.path());
    }
    fs::copy(folder.path().join("journal/lone-pine.jsonl"), &journal).expect("a journal");
    let page = bare.path().join("page.html");
    let exported = run(bare.path(), &["export", journal.to_str().expect("UTF-8"), "-o", page.to_str().expect("UTF-8")]);
    assert!(exported.status.success(), "{}", said(&exported));
    let page = fs::read_to_string(page).expect("a page");
    let live = get(folder.path(), "/games/lone-pine/");
    assert!(live.contains("class=\"entry\""), "play has begun: {live}");
    for (live, bare) in shown(&live).into_iter().zip(shown(&page)) {
        assert!(live == bare, "{live}\n{bare}");
    }
    let secret = ["Zenobia", "Quentin", "example.net", "eagle"];
    for path in PUBLIC {
        let shown = get(folder.path(), path);
        assert!(shown.starts_with("HTTP/1.1 200 "), "{shown}");
        for secret in secret {
            assert!(!shown.contains(secret), "{secret} in {path}");
        }
    }
    // A tag does not tell that something else was written.
    let secrets = || fs::read(folder.path().join("secrets/lone-pine.jsonl")).expect("secrets");
    let before = secrets();
    let watched = run(folder.path(), &["watch", GAME, "--address", "dora@example.net", "--name", "Dora"]);
    assert!(watched.status.success() && before != secrets(), "{}", said(&watched));
    assert_eq!(field(&get(folder.path(), "/games/lone-pine/"), "etag"), field(&live, "etag"));
}

#[test]
fn a_request_writes_nothing() {
    let folder = host(WEB);
    let _serving = Serving::ready(folder.path());
    get(folder.path(), "/games/lone-pine/");
    let before = wait_for("letters are written", || {
        let once = files(folder.path());
        std::thread::sleep(Duration::from_secs(2));
        (once == files(folder.path())).then_some(once)
    });
    for path in PUBLIC.into_iter().chain(["/host", "/games/none/", "/games/none/events"]) {
        get(folder.path(), path);
    }
    let after = files(folder.path());
    let changed: Vec<&PathBuf> =
        after.iter().filter(|(path, now)| before.get(*path) != Some(now)).map(|(path, _)| path).collect();
    assert!(changed.is_empty() && before.len() == after.len(), "{changed:?}");
}

#[test]
fn names_are_shown_where_anyone_may_watch() {
    let folder = host(&format!("watching = \"anyone\"\n{WEB}"));
    let _serving = Serving::ready(folder.path());
    let list = get(folder.path(), "/");
    assert!(
        list.contains("<b>Zenobia (A)</b> since <span class=\"time\">20") && !list.contains("example.net"),
        "{list}"
    );
    assert!(get(folder.path(), "/games/lone-pine/").contains("Quentin"));
}

#[test]
fn the_hosts_page_wants_the_password() {
    let folder = host(WEB);
    let _serving = Serving::ready(folder.path());
    let poison = folder.path().join("mail/poison/new");
    fs::create_dir_all(&poison).expect("a folder");
    fs::write(poison.join("1.x"), "Subject: x\r\n\r\n").expect("it can be written");
    fs::write(folder.path().join("mail/poison/1.x.why"), "the rules failed").expect("it can be written");
    let with = |pair: &str| {
        let word = data_encoding::BASE64.encode(pair.as_bytes());
        ask(folder.path(), &format!("GET /host HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {word}"))
    };
    for refused in [get(folder.path(), "/host"), with("me:let me"), with("let me see"), with("")] {
        assert!(refused.starts_with("HTTP/1.1 401 ") && !refused.contains("lone-pine"), "{refused}");
        assert!(field(&refused, "www-authenticate").starts_with("Basic "));
    }
    let page = with("me:let me see");
    assert!(page.starts_with("HTTP/1.1 200 ") && field(&page, "cache-control") == "no-store", "{page}");
    for words in ["Zenobia (A)", "All is well.", "the rules failed", "Letters that did not arrive"] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn a_player_gets_the_page_and_a_calendar_of_the_deadlines() {
    let folder = host(WEB);
    let _serving = Serving::ready(folder.path());
    let letters = |count: usize| {
        wait_for("a letter to the player who is asked", || {
            let all = letters(folder.path(), "out");
            let mine: Vec<String> =
                all.into_iter().filter(|(name, _)| name.contains(".A.")).map(|(_, letter)| letter).collect();
            (mine.len() == count).then_some(mine)
        })
    };
    let first = letters(1).remove(0);
    assert!(hand_over(folder.path(), &answer(&first, "page", "1")));
    let letter = letters(2).into_iter().find(|letter| letter.contains("lone-pine.html")).expect("a page");
    assert!(letter.contains("Content-Disposition: attachment; filename=\"lone-pine.html\""), "{letter}");
    let flat = letter.replace("=\r\n", "").replace("=\n", "").split_whitespace().collect::<String>();
    assert!(flat.contains("https://play.example/games/games/lone-pine/and"), "{flat}");
    let path = flat.split_once("lone-pine/calendar/").expect("an address").1.split_once(".ics").expect("it ends").0;
    let path = format!("/games/lone-pine/calendar/{path}.ics");
    let calendar = get(folder.path(), &path);
    assert_eq!(field(&calendar, "content-type"), "text/calendar; charset=utf-8");
    assert_eq!(field(&calendar, "cache-control"), "no-store");
    assert!(calendar.contains("BEGIN:VCALENDAR\r\n"), "{calendar}");
    // A new token makes the address void.
    assert!(hand_over(folder.path(), &answer(&first, "new token", "2")));
    wait_for("it is void", || get(folder.path(), &path).starts_with("HTTP/1.1 404 ").then_some(()));
}

#[test]
fn browsers_keep_nobody_out() {
    let folder = host(WEB);
    let _serving = Serving::ready(folder.path());
    let letter = letters(folder.path(), "out").remove(0).1;
    let _idle: Vec<UnixStream> =
        (0..100).map(|_| UnixStream::connect(folder.path().join("web")).expect("it listens")).collect();
    std::thread::scope(|threads| {
        for _ in 0..20 {
            threads.spawn(|| {
                let answer = ask(folder.path(), "GET /host HTTP/1.1\r\nHost: x\r\nAuthorization: Basic eDp5");
                assert!(["HTTP/1.1 401 ", "HTTP/1.1 503 "].iter().any(|status| answer.starts_with(status)), "{answer}");
            });
        }
        let began = Instant::now();
        assert!(hand_over(folder.path(), &answer(&letter, "status", "1")));
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        assert!(get(folder.path(), "/games/lone-pine/").starts_with("HTTP/1.1 200 "));
        assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    });
}

#[test]
fn new_entries_are_streamed_and_streams_leave_room_for_others() {
    let folder = host(WEB);
    let _serving = Serving::ready(folder.path());
    let stream = || {
        let mut stream = UnixStream::connect(folder.path().join("web")).expect("it listens");
        stream.write_all(b"GET /games/lone-pine/events HTTP/1.1\r\nHost: x\r\n\r\n").expect("it is heard");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it can be set");
        BufReader::new(stream)
    };
    let next = |from: &mut BufReader<UnixStream>| loop {
        let mut line = String::new();
        assert!(from.read_line(&mut line).expect("a line") > 0, "the stream ended");
        if let Some(head) = line.strip_prefix("data: ") {
            return head.trim().parse::<u64>().expect("a number");
        }
    };
    let mut one = stream();
    let head = next(&mut one);
    go_on(folder.path());
    assert!(next(&mut one) > head);
    let mut all: Vec<BufReader<UnixStream>> = (0..39).map(|_| stream()).collect();
    for one in &mut all {
        next(one);
    }
    assert!(get(folder.path(), "/games/lone-pine/events").starts_with("HTTP/1.1 503 "), "there is room for 40");
    assert!(get(folder.path(), "/games/lone-pine/").starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_page_in_a_browser_renews_itself() {
    let Some(driver) = driver() else {
        eprintln!("left out: there is no chromedriver here (Debian: chromium-driver), so no page was looked at");
        return;
    };
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let folder = host(&format!("http_page = \"127.0.0.1:{port}\"\n"));
    let _serving = Serving::ready(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let client = browser(&driver, 390).await;
        client.goto(&format!("http://127.0.0.1:{port}/")).await.expect("a page");
        client.find(fantoccini::Locator::LinkText(GAME)).await.expect("a link").click().await.expect("it is followed");
        let head = "return JSON.parse(document.getElementById('data').textContent).head";
        let before = value(&client, head).await.as_u64().expect("a number");
        assert_eq!(value(&client, "return document.documentElement.scrollWidth <= 390").await, true);
        // The pieces of an area are listed next to the pointer.
        let area = "const area = document.querySelector('[data-area]'); \
                    area.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })); return area.dataset.area";
        value(&client, area).await;
        assert!(text(&client, "here-name").await.ends_with(':') && !text(&client, "here-pieces").await.is_empty());
        go_on(folder.path());
        let mut now = before;
        for _ in 0..150 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            now = value(&client, head).await.as_u64().unwrap_or(before);
            if now > before {
                break;
            }
        }
        assert!(now > before, "it shows entry {now} still");
        client.close().await.expect("it ends");
    });
}
