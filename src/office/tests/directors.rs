//! Tests of directors: disputes settled by mail, and people who must not settle them.

use super::{
    by_mail::{answer, body, catalog, field, narrow, office_in, outbox, table, take_mail, unfolded},
    needed::*,
};
use postrider_analysis::{Case, adjudicate};
use postrider_journal::{
    Appeal, Body, Checker, Joined, Json, Motion, Reseated, Rewound, Ruling, Via, What, Writer, testing::rehashed,
    words_digest,
};
use postrider_store::Players;
use postrider_table::Seat;
use tempfile::TempDir;

const GAME: &str = "lone-pine";
const DORA: &str = "dora@example.net";

/// Opens a game of three with two days per answer and the directors Dora and Anna. Anna also plays.
fn directed() -> (TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let directors = ["Dora <dora@example.net>", "Anna <anna@example.net>"];
    let clock = Some(Terms::new("48h").unwrap());
    let directors = directors.map(|text| text.parse().unwrap()).to_vec();
    office.new_game(&NewGame { directors, clock, ..table() }).unwrap();
    (folder, office)
}

/// Returns the newest letter to an address and removes the older ones from the outbox.
fn newest(office: &Office, address: &str) -> String {
    let letter = super::by_mail::newest(office, |_, text| field(text, "To").contains(address));
    letter.unwrap_or_else(|| panic!("no letter to {address}"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn dora(office: &mut Office, text: &str) -> String {
    let raw = answer("Dora <dora@example.net>", &newest(office, DORA), text);
    let processed = office.receive(raw.as_bytes()).unwrap();
    assert!(matches!(processed.outcome, Outcome::Answered { .. }), "{processed:?}");
    let told = newest(office, DORA);
    narrow(&told);
    one_line(body(&told))
}

/// Has Dora give an order and confirm it. Returns the question and the report.
fn ordered(office: &mut Office, text: &str) -> (String, String) {
    let before = journal(office);
    let asked = dora(office, text);
    assert!(asked.contains("reply `yes` to this mail"), "{text}: {asked}");
    assert_eq!(journal(office), before, "{text}: nothing is done before the yes");
    // Each mail is different.
    let yes = format!("Yes.\n\n{}", "Dora\n".repeat(1 + before.lines().count() % 3));
    let told = dora(office, &yes);
    assert!(told.contains("done: `"), "{text}: {told}");
    (asked, told)
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

fn entries(office: &Office, kind: &str) -> Vec<serde_json::Value> {
    let text = journal(office);
    let all = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    all.filter(|entry| entry["kind"] == kind).map(|entry| entry["body"].clone()).collect()
}

fn proved(office: &Office) {
    let path = office.host().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &catalog(), |_| ()).unwrap();
    assert_ne!(report.status, 1, "{report}");
    let (status, told) = independent_check(&path);
    assert_ne!(status, Some(1), "{told}");
}

fn order(office: &mut Office, seat: u8, text: &str) -> String {
    let (told, done) = office.order(GAME, Seat(seat), text).unwrap();
    assert!(done, "{told}");
    one_line(&told)
}

#[test]
fn a_directors_status_names_clocks_that_are_low() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let (directors, clock) = (vec!["Dora <dora@example.net>".parse().unwrap()], Some(Terms::new("bank 4d").unwrap()));
    office.new_game(&NewGame { directors, clock, ..table() }).unwrap();
    assert!(!dora(&mut office, "status").contains("is low"));
    office.environment().advance(3 * 86_400 + 12 * 3_600);
    let told = dora(&mut office, "status");
    assert!(told.contains("The clock of Ben (B) is low: twelve hours are left."), "{told}");
}

/// A player answers a letter from another history of the same service, as after a restored backup.
#[test]
fn a_directors_status_lists_signed_heads_that_contradict() {
    let [(_other, mut other), (_folder, mut office)] = [directed(), directed()];
    for seat in 0..3 {
        order(&mut other, seat, "bid 2");
        order(&mut office, seat, "bid 1");
    }
    order(&mut other, 0, "give ben");
    order(&mut office, 0, "give ben");
    let letter = newest(&other, "ben@example.net");
    let mut answered = |text: &str, change: fn(&str) -> String| {
        let quoted: String = body(&letter).lines().map(|line| format!("> {}\n", change(line))).collect();
        let mail = answer("ben@example.net", &letter, text) + &quoted;
        let processed = office.receive(mail.as_bytes()).unwrap();
        assert!(matches!(processed.outcome, Outcome::Answered { .. }), "{processed:?}");
        dora(&mut office, &format!("status\n\n{text}"))
    };
    let head = |line: &str| line.replacen(", entry ", ", entry 1", 1);
    let told = answered("status", head);
    assert!(!told.contains("contradicts"), "the signature does not fit: {told}");
    for text in ["log", "help"] {
        let told = answered(text, str::to_owned);
        assert_eq!(told.matches("Ben (B) answered has a signed head that contradicts").count(), 1, "{told}");
    }
}

#[test]
fn a_result_can_rest_on_rollouts_that_anybody_can_repeat() {
    let (_folder, mut office) = directed();
    order(&mut office, 0, "bid 3");
    let (asked, told) = ordered(&mut office, "result anna 1, ben 2, carl 3, as adjudicated: Ben is gone");
    let motion = entries(&office, "motion").pop().unwrap();
    let rollouts = &motion["rollouts"];
    assert!(rollouts["count"] == 20 && rollouts["wins"]["C"].as_array().unwrap().len() == 3, "{motion}");
    let said = format!("after 20 rollouts from entry {} by the bot ", rollouts["entry"]);
    assert!(asked.contains(&said) && told.contains(&said) && told.contains(" % of the wins"), "{asked} {told}");
    let letter = one_line(body(&newest(&office, "ben@example.net")));
    assert!(letter.contains("Anna wins: decided by Dora (entry ") && letter.contains(&said), "{letter}");
    proved(&office);
    // The journal alone gives the same, now that it is closed.
    let source = Source::from(office.host().journal(GAME).as_path());
    let case = Case {
        source: &source,
        catalog: &catalog(),
        chains: None,
        at: rollouts["entry"].as_u64().map(Moment::after),
        now: None,
        rollouts: 20,
        bot: rollouts["bot"].as_str().map(str::to_owned),
        seed: 1,
        limit: 1_000,
    };
    let again = adjudicate(&case, &Players::default(), &|| ()).unwrap().rollouts;
    let recorded = again.recorded(rollouts["entry"].as_u64().unwrap());
    assert_eq!(serde_json::to_value(recorded).unwrap(), *rollouts);
}

#[test]
fn a_message_to_the_directors_is_no_appeal() {
    let (_folder, mut office) = directed();
    for (text, what) in
        [("tell directors: May I be late?", "May I be late?"), ("tell dora: And on Monday?", "And on Monday?")]
    {
        order(&mut office, 1, text);
        let letter = one_line(body(&newest(&office, DORA)));
        assert!(
            letter.contains("Ben (B) to the directors (game lone-pine, entry ") && letter.contains(what),
            "{letter}"
        );
        assert!(letter.contains("tell B:") && !letter.contains("rule on"), "{letter}");
    }
    assert!(entries(&office, "appeal").is_empty());
    proved(&office);
}

#[test]
fn a_dispute_is_settled_with_mail_alone() {
    let (_folder, mut office) = directed();
    let first = newest(&office, DORA);
    let text = one_line(body(&first));
    assert!(
        text.starts_with("Dora, you direct the game lone-pine (") && text.contains("`rule on 41: reason`"),
        "{text}"
    );
    assert!(text.contains("WHERE THE GAME STANDS") && !text.contains("stop watching"), "{text}");
    for (seat, text) in [(0, "bid 3"), (1, "bid 2"), (2, "bid 1")] {
        order(&mut office, seat, text);
    }
    // Ben appeals by mail; the game continues.
    let letter = take_mail(&office, ".B.");
    let said = "appeal: Anna says that her bid\nwas a slip of the pen.";
    office.receive(answer("ben@example.net", &letter, said).as_bytes()).unwrap();
    let told = one_line(body(&newest(&office, "ben@example.net")));
    let n = journal(&office).lines().position(|line| line.contains("\"kind\":\"appeal\"")).unwrap();
    assert!(told.contains(&format!("Your appeal, entry {n}, goes to the directors. It stops nothing")), "{told}");
    let appeal = &entries(&office, "appeal")[0];
    assert!(appeal["seat"] == "B" && appeal["words"].is_string() && !journal(&office).contains("slip of the pen"));
    let letter = newest(&office, DORA);
    assert!(letter.contains("text/html"), "the orders in it can be tapped: {letter}");
    let letter = one_line(body(&letter));
    assert!(letter.contains(&format!("Ben (B) appeals (game lone-pine, entry {n})")), "{letter}");
    assert!(letter.contains("slip of the pen") && letter.contains(&format!("rule on {n}: reason")), "{letter}");
    // Queries are answered at once.
    let seen = dora(
        &mut office,
        &format!(
            "Hello,\n\nlog 30\ndocket\nledger 5\nshow\nshow at entry {}\nadjudicate at entry {}\nstatus\n\nDora",
            n - 2,
            n - 2
        ),
    );
    assert!(seen.contains(&format!("{n}: Ben appeals.")), "{seen}");
    assert!(seen.contains("Anna (A) by cli: bid") && seen.contains("HOW IT WOULD CONTINUE"), "{seen}");
    assert!(
        seen.contains("THE POSITION, NOW") && seen.contains(&format!("Open appeal: entry {n}, by Ben (B)")),
        "{seen}"
    );
    assert!(seen.contains("The game waits for Anna (A) (since"), "{seen}");
    // A ruling with an effect answers the appeal.
    let rule = format!("rule on {n} coins: seat=Ben, coins=33: Ben's coin was miscounted");
    let (asked, told) = ordered(&mut office, &rule);
    assert!(asked.contains("The players would read: Dora rules: Ben's coin was miscounted. Ben: coins 33."), "{asked}");
    assert!(asked.contains("+ ") && asked.contains("33"), "the position is shown as it would be: {asked}");
    assert!(told.contains("Ben: coins 33."), "{told}");
    let ruling = entries(&office, "ruling").pop().unwrap();
    assert!(ruling["by"] == "Dora" && ruling["of"] == n && ruling["text"] == "Ben's coin was miscounted", "{ruling}");
    assert!(!dora(&mut office, "status").contains("Open appeal"));
    assert!(one_line(body(&newest(&office, "carl@example.net"))).contains("Dora rules: Ben's coin was miscounted."));
    let shown = dora(&mut office, "show");
    assert!(shown.contains("ruling by Dora: Ben's coin was miscounted [coins: coins=33, seat=B]"), "{shown}");
    ordered(&mut office, "warn ben: be polite");
    // The game is rewound and then given a result. The warning stays.
    let (asked, _) = ordered(&mut office, "rewind to turn 1 round 1: the bids are made again");
    assert!(asked.contains("lone-pine would be rewound to entry") && asked.contains("by Dora"), "{asked}");
    let rewound = entries(&office, "rewound").pop().unwrap();
    assert!(rewound["by"] == "Dora" && rewound["words"].is_string() && rewound.get("of").is_none(), "{rewound}");
    order(&mut office, 0, "bid 1");
    let told = dora(&mut office, "log 30");
    assert!(told.contains("Dora ruled: Ben is warned: be polite."), "{told}");
    let (asked, told) = ordered(&mut office, "result ben 1, anna 2, carl 3: Carl's time is over");
    assert!(
        asked.contains("Would be entered for lone-pine: the game ends: 1. Ben (B), 2. Anna (A), 3. Carl (C)."),
        "{asked}"
    );
    assert!(told.contains("done: `result"), "{told}");
    assert!(office.open_game(GAME).unwrap().closed);
    let motion = entries(&office, "motion").pop().unwrap();
    assert!(motion["by"] == "Dora" && motion["reason"] == "Carl's time is over", "{motion}");
    proved(&office);
}

#[test]
fn a_game_is_abandoned_and_reopened_by_mail() {
    let (_folder, mut office) = directed();
    order(&mut office, 0, "bid 3");
    let refused = dora(&mut office, "reopen: it was never over");
    assert!(refused.contains("there is nothing to reopen"), "{refused}");
    let (asked, told) = ordered(&mut office, "abandon: the players are gone");
    assert!(asked.contains("abandon") && told.contains("abandoned"), "{asked} {told}");
    assert!(office.open_game(GAME).unwrap().closed);
    let (_, told) = ordered(&mut office, "reopen: they are back");
    assert!(told.contains("rewound to entry"), "{told}");
    assert!(!office.open_game(GAME).unwrap().closed);
    order(&mut office, 1, "bid 2");
    proved(&office);
}

#[test]
fn a_rewind_says_for_whom_bots_play_on() {
    let (_folder, mut office) = directed();
    order(&mut office, 0, "bid 3");
    for seat in [Seat(1), Seat(2)] {
        office.directing(GAME).stand_in(seat, Some("random")).unwrap();
    }
    let asked = dora(&mut office, "stand-in anna random");
    assert!(
        one_line(&asked).contains("Nobody else is left to play: bots play the game to its end at once."),
        "{asked}"
    );
    office.directing(GAME).abandon("Dora", "the players are gone").unwrap();
    assert!(office.directing(GAME).stand_in(Seat(0), Some("random")).unwrap_err().to_string().contains("is over"));
    let reopens = dora(&mut office, "reopen: they are back");
    assert!(one_line(&reopens).contains("A bot plays for Ben (B) and Carl (C)."), "{reopens}");
    proved(&office);
}

#[test]
fn a_new_token_voids_the_letters_to_a_director() {
    let (_folder, mut office) = directed();
    let old = newest(&office, DORA);
    office.directing(GAME).new_token_for_director("dora").unwrap();
    let before = journal(&office);
    let processed = office.receive(answer("Dora <dora@example.net>", &old, "warn ben: be polite").as_bytes()).unwrap();
    assert_eq!(processed.outcome, Outcome::Answered { done: 0, total: 0 }, "she is told to answer her newest letter");
    assert_eq!(journal(&office), before);
    ordered(&mut office, "warn ben: be polite");
    assert!(office.directing(GAME).new_token_for_director("Ben").is_err());
}

#[test]
fn a_ruling_by_command_says_that_the_host_entered_it() {
    let (_folder, mut office) = directed();
    let given = RulingGiven { by: "Dora".into(), text: "Be polite".into(), effect: serde_json::json!({}), of: None };
    assert_eq!(office.directing(GAME).rule(&given).unwrap().told, ["Dora rules (entered by the host): Be polite."]);
    let (_, told) = ordered(&mut office, "rule: be polite");
    assert!(told.contains("Dora rules: be polite."), "{told}");
}

#[test]
fn what_a_director_did_is_recomputed_from_her_own_mail() {
    let (_folder, mut office) = directed();
    dora(&mut office, "warn ben: please be polite");
    let asks = newest(&office, DORA);
    let yes = answer("Dora <dora@example.net>", &asks, "Yes, please");
    office.receive(yes.as_bytes()).unwrap();
    let ruling = entries(&office, "ruling").pop().unwrap();
    assert_eq!(ruling["text"], "@B is warned: please be polite");
    let id = field(&yes, "Message-ID").trim().trim_matches(['<', '>']).to_owned();
    assert_eq!(ruling["words"], words_digest(GAME, "Dora", &id, ["Yes, please"]).to_string());
    proved(&office);
    // Her sent mails are judged as hers; without them, a seat has to be named.
    let sent = tempfile::tempdir().unwrap();
    let path = office.host().journal(GAME);
    let judged = |seat| postrider_audit::Sent::of(&Source::from(path.as_path()), sent.path(), seat).unwrap();
    assert!(judged(None).quote.starts_with("NOT KNOWN"));
    assert!(judged(Some("A")).quote.starts_with("NO ORDER of seat A"), "{}", judged(Some("A")));
    std::fs::write(sent.path().join("yes"), &yes).unwrap();
    assert_eq!(judged(None).quote, "ALL ORDERS of director Dora are in the mails given");
    let (_, said) = super::attacks::python_says(&path, Some(sent.path()));
    assert!(said.contains("(Dora): mine, word for word: 'Yes, please'"), "{said}");
}

#[test]
fn a_line_that_is_not_understood_holds_the_whole_mail() {
    let (_folder, mut office) = directed();
    let before = journal(&office);
    let told = dora(&mut office, "warn ben: be polite\nrewind a bit");
    assert!(told.contains("Nothing was done, because a line was not understood."), "{told}");
    assert!(
        told.contains("it is written `rewind to turn 4 round 2: reason`") && !told.contains("reply `yes`"),
        "{told}"
    );
    for (line, why) in [
        ("bid 3", "it is not a director's order"),
        ("rewnd to turn 1: a slip", "do you mean `rewind to turn 4 round 2: reason`?"),
        ("please kick carl", "`stand-in carl steady` has a bot play it"),
        ("what happened", "`log 30` sends the last entries"),
        ("undo his last move", "`rewind to turn 4 round 2: reason` goes back"),
        ("tell dora: hello", "\"dora\" is not a seat"),
        ("rule coins: seat=B, coins=-5: less", "coins: -5 is out of range; 0 to 99 is possible"),
        ("rule on 3: so it stays", "Entry 3 of lone-pine is not an appeal"),
        ("result anna 1: all", "Every player needs a place"),
        ("rewind to turn 9: far", "There is no \"turn 9\" in this game"),
        ("extend ben soonish", "deadline cannot be extended by \"soonish\""),
        ("resume", "is not paused"),
        ("stand-in carl steadily", "No bot \"steadily\""),
        ("reseat carl to Ben <b@example.net>", "Ben"),
        ("warn dora: no", "\"dora\" is not a seat"),
    ] {
        let told = dora(&mut office, line);
        assert!(told.contains(why) && !told.contains("reply `yes`"), "{line}: {told}");
    }
    // A yes to a letter that does not ask for one, and a yes together with another line.
    assert!(dora(&mut office, "yes").contains("the letter that you answer asks for no `yes`"));
    dora(&mut office, "pause: a storm");
    assert!(dora(&mut office, "yes\nlog").contains("A `yes` is a mail of its own."));
    assert_eq!(journal(&office), before);
}

#[test]
fn clocks_and_players_are_changed_by_mail() {
    let (_folder, mut office) = directed();
    let (asked, _) = ordered(&mut office, "extend ben 2 days: he is on a train");
    assert!(asked.contains("Dora rules: More time is given: he is on a train. The deadline of Ben (B) is"), "{asked}");
    let effect = entries(&office, "ruling").pop().unwrap()["effect"]["deadline"].clone();
    assert_eq!((effect["seat"].as_str(), effect["until"].as_str()), (Some("B"), Some("2026-11-24T18:30:00Z")));
    ordered(&mut office, "pause: a storm");
    assert!(office.open_game(GAME).unwrap().deadlines.paused());
    assert_eq!(entries(&office, "ruling").pop().unwrap()["text"], "All deadlines are stopped: a storm");
    ordered(&mut office, "resume");
    assert!(!office.open_game(GAME).unwrap().deadlines.paused());
    ordered(&mut office, "stand-in carl random");
    assert_eq!(entries(&office, "stand_in").pop().unwrap()["by"], "Dora");
    assert!(entries(&office, "decision").iter().any(|decision| decision["seat"] == "C" && decision["via"] == "bot"));
    ordered(&mut office, "stand-in carl off");
    let (asked, _) = ordered(&mut office, "reseat carl to Emil <emil@example.net>");
    assert!(asked.contains("Emil would play seat C, in place of Carl (C)."), "{asked}");
    assert!(one_line(body(&newest(&office, "emil@example.net"))).contains("Emil, you play seat C of this game"));
    assert!(!journal(&office).contains("Emil"));
    let seen = dora(&mut office, "adjudicate");
    assert!(seen.contains("Played out 20 times by the bot"), "{seen}");
    proved(&office);
}

#[test]
fn directors_write_to_players_and_renew_their_tokens() {
    let (_folder, mut office) = directed();
    let (asked, _) = ordered(&mut office, "tell ben: did you mean Utah?");
    assert!(asked.contains("Ben (B) would read, and nobody else: did you mean Utah?"), "{asked}");
    let told = one_line(body(&newest(&office, "ben@example.net")));
    assert!(told.contains("did you mean Utah? (Dora)"), "{told}");
    assert!(!one_line(body(&newest(&office, "carl@example.net"))).contains("Utah"));
    ordered(&mut office, "tell all: we go on tomorrow");
    assert!(one_line(body(&newest(&office, "carl@example.net"))).contains("we go on tomorrow (Dora)"));
    let before = newest(&office, DORA);
    ordered(&mut office, "new token");
    let lines = journal(&office).lines().count();
    office.receive(answer(DORA, &before, "pause: a storm").as_bytes()).unwrap();
    assert_eq!(journal(&office).lines().count(), lines, "the old letter is void");
    let (asked, _) = ordered(&mut office, "pause: a storm");
    assert!(asked.contains("All deadlines of the game would stop."), "{asked}");
    proved(&office);
}

#[test]
fn nothing_is_done_twice_nor_for_a_stranger() {
    let (folder, mut office) = directed();
    let letter = newest(&office, DORA);
    let before = journal(&office);
    // A stranger who has read her letter writes from his own address, and in a mail sent by another
    // account.
    for from in ["Eve <eve@example.com>", "Dora <dora@example.com>"] {
        let stolen = answer(from, &letter, "warn ben: out");
        assert!(matches!(office.receive(stolen.as_bytes()).unwrap().outcome, Outcome::Filed(_)), "{from}");
    }
    let sender =
        answer("Dora <dora@example.net>", &letter, "warn ben: off").replace("To: ", "Sender: eve@example.com\nTo: ");
    assert!(matches!(office.receive(sender.as_bytes()).unwrap().outcome, Outcome::Filed(_)));
    // A player who answers it, and Dora without her token.
    let player = answer("ben@example.net", &letter, "warn anna: out");
    assert!(office.receive(player.as_bytes()).unwrap().outcome != Outcome::Answered { done: 1, total: 1 });
    let bare =
        "From: dora@example.net\nTo: postrider@localhost\nSubject: x\nMessage-ID: <1@x.example>\n\nwarn ben: bare\n";
    assert_eq!(office.receive(bare.as_bytes()).unwrap().outcome, Outcome::Answered { done: 0, total: 0 });
    assert_eq!(journal(&office), before);
    // A mail from her address that ends watching does not end her role as a director.
    let stop = format!(
        "From: {DORA}\nTo: postrider@localhost\nSubject: x\nMessage-ID: <2@x.example>\n\nstop watching {GAME}\n"
    );
    office.receive(stop.as_bytes()).unwrap();
    let order = answer("Dora <dora@example.net>", &letter, "warn ben: be polite");
    office.receive(order.as_bytes()).unwrap();
    let asks = newest(&office, DORA);
    assert!(body(&asks).contains("yes"), "{asks}");
    assert_eq!(office.receive(order.as_bytes()).unwrap().outcome, Outcome::Again);
    let yes = answer("Dora <dora@example.net>", &asks, "yes");
    assert_eq!(office.receive(yes.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    let done = journal(&office);
    assert_eq!(office.receive(yes.as_bytes()).unwrap().outcome, Outcome::Again);
    // The program ended after the entries were synced and before the answer was: the mail comes
    // again.
    drop(office);
    let secrets = folder.path().join("secrets").join(format!("{GAME}.jsonl"));
    let hash = postrider_dice::sha256(yes.as_bytes()).to_string();
    let kept = std::fs::read_to_string(&secrets).unwrap();
    let left: Vec<&str> = kept.lines().filter(|line| !(line.contains("\"written\"") && line.contains(&hash))).collect();
    assert!(left.len() < kept.lines().count(), "the answer was kept");
    std::fs::write(&secrets, left.join("\n") + "\n").unwrap();
    let mut office = office_in(folder.path());
    assert_eq!(office.receive(yes.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 });
    assert_eq!(journal(&office), done);
    // Another mail of hers confirms the same letter.
    office.receive(answer("Dora <dora@example.net>", &asks, "Yes, please!").as_bytes()).unwrap();
    assert!(one_line(body(&newest(&office, DORA))).contains("another mail of yours has confirmed this already"));
    assert_eq!(journal(&office), done);
    proved(&office);
}

#[test]
fn orders_that_would_now_do_something_else_are_shown_again() {
    let (_folder, mut office) = directed();
    for seat in 0..3 {
        order(&mut office, seat, &format!("bid {}", seat + 1));
    }
    let back = "rewind to turn 1 round 1: a slip";
    assert!(dora(&mut office, back).contains("reply `yes` to this mail; `no` withdraws it"));
    let first = newest(&office, DORA);
    let seat = office.terminal(GAME).glance().unwrap().awaited.first().copied().unwrap();
    let answer_now = office.terminal(GAME).answers(seat).unwrap().swap_remove(0);
    order(&mut office, seat.0, &answer_now);
    let before = journal(&office);
    let told = dora(&mut office, "yes");
    assert!(
        told.contains("Nothing was done: the game has moved on, and your order would now do this instead."),
        "{told}"
    );
    assert!(
        told.contains("reply `yes` to this mail") && told.contains("Orders undone: Anna 1, Ben 1, Carl 2"),
        "{told}"
    );
    assert_eq!(journal(&office), before);
    // Her second letter says what would be done now.
    assert!(dora(&mut office, "Yes!").contains("done: `rewind"));
    assert_eq!(entries(&office, "rewound").len(), 1);
    // The first one is asked about again, for it would undo something else.
    let yes = answer("Dora <dora@example.net>", &first, "Yes, go ahead.");
    office.receive(yes.as_bytes()).unwrap();
    assert!(one_line(body(&newest(&office, DORA))).contains("the game has moved on"));
    proved(&office);
}

/// The grace before a loss on time is one that a director may extend.
#[test]
fn a_deadline_that_has_passed_can_be_extended() {
    let (_folder, mut office) = directed();
    office.environment().advance(50 * 3_600);
    assert_eq!(office.tick(GAME).unwrap().expired, 3);
    let asked = dora(&mut office, "extend ben 3 days: power cut");
    assert!(asked.contains("The deadline of Ben (B) is Wed 25 Nov 2026, 18:30 UTC now"), "{asked}");
    office.environment().advance(3_600);
    assert!(dora(&mut office, "yes").contains("done: `extend ben 3 days: power cut`"));
}

#[test]
fn a_director_is_answered_without_a_token_and_with_courtesies() {
    let (_folder, mut office) = directed();
    let raw =
        "From: Dora <dora@example.net>\nTo: postrider@play.example\nSubject: lone-pine\nMessage-ID: <1@d>\n\nstatus\n";
    let processed = office.receive(raw.as_bytes()).unwrap();
    assert!(matches!(processed.outcome, Outcome::Answered { .. }), "{processed:?}");
    let told = one_line(body(&newest(&office, DORA)));
    assert!(told.contains("does not answer a letter that was written to you"), "{told}");
    assert!(dora(&mut office, "status please").contains("The games that you direct:"));
}

#[test]
fn orders_can_be_withdrawn() {
    let (_folder, mut office) = directed();
    let before = journal(&office);
    dora(&mut office, "warn ben: be polite");
    let asks = newest(&office, DORA);
    let told = dora(&mut office, "No, thanks.");
    assert!(told.contains("Nothing was done, and nothing of that letter can be confirmed any more."), "{told}");
    office.receive(answer("Dora <dora@example.net>", &asks, "yes").as_bytes()).unwrap();
    assert!(one_line(body(&newest(&office, DORA))).contains("you have withdrawn it. Please order it once more."));
    assert!(dora(&mut office, "no").contains("there is nothing to withdraw"));
    assert_eq!(journal(&office), before);
    // A later `no` does not withdraw an order that was carried out.
    dora(&mut office, "warn ben: be polite");
    let asks = newest(&office, DORA);
    dora(&mut office, "yes");
    super::attacks::cleared(&office);
    office.receive(answer("Dora <dora@example.net>", &asks, "no").as_bytes()).unwrap();
    assert!(one_line(body(&newest(&office, DORA))).contains("It was done already, as you confirmed."));
}

#[test]
fn a_director_rules_in_no_game_in_which_he_plays() {
    let (_folder, mut office) = directed();
    assert_eq!(entries(&office, "joined")[0]["director"], "Anna");
    let ruling = |by: &str| RulingGiven { by: by.into(), text: "no".into(), effect: serde_json::json!({}), of: None };
    for (by, why) in [
        ("Anna", "Anna plays seat A of lone-pine, so another director must decide"),
        ("director", "\"director\" is not a director of lone-pine; give one of them with `--by`"),
        ("host", "is not a director of lone-pine"),
        ("B", "is not a director of lone-pine"),
    ] {
        let told = office.directing(GAME).rule(&ruling(by)).unwrap_err().to_string();
        assert!(told.contains(why), "{by}: {told}");
        assert!(office.directing(GAME).abandon(by, "no").is_err(), "{by}");
    }
    // Her own mails as a director are refused too.
    let as_director = outbox(&office)
        .into_iter()
        .find(|(name, raw)| name.contains(".watch.") && field(&unfolded(raw), "To").contains("anna@example.net"));
    let letter = unfolded(&as_director.unwrap().1);
    for text in ["adjudicate", "docket"] {
        office.receive(answer("Anna <anna@example.net>", &letter, text).as_bytes()).unwrap();
        let told = one_line(body(&newest(&office, "anna@example.net")));
        assert!(told.contains("Anna plays seat A of lone-pine, so another director must decide"), "{told}");
    }
    office.receive(answer("Anna <anna@example.net>", &letter, "warn ben: out").as_bytes()).unwrap();
    assert!(entries(&office, "ruling").is_empty());
    // The host enters Dora's decision; the journal shows that it did not come by her mail.
    office.directing(GAME).rule(&ruling("Dora")).unwrap();
    assert_eq!(entries(&office, "ruling").pop().unwrap()["via"], "cli");
    // The host can record a stand-in, which decides nothing.
    office.directing(GAME).stand_in(Seat(1), Some("random")).unwrap();
    // Anna leaves her seat, and may then direct.
    office.directing(GAME).reseat(Seat(0), &"Finn <finn@example.net>".parse().unwrap(), false).unwrap();
    office.directing(GAME).rule(&ruling("Anna")).unwrap();
    office.directing(GAME).reseat(Seat(2), &"Dora P. <dora@example.net>".parse().unwrap(), false).unwrap();
    assert_eq!(entries(&office, "reseated").pop().unwrap()["director"], "Dora");
    assert!(office.directing(GAME).rule(&ruling("Dora")).is_err());
    proved(&office);
}

#[test]
fn a_game_is_not_opened_with_directors_who_could_decide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut office = office_in(folder.path());
    let mut try_ = |directors: &[&str]| {
        let directors = directors.iter().map(|text| text.parse().unwrap()).collect();
        office.new_game(&NewGame { directors, ..table() }).map_err(|why| why.to_string())
    };
    for (directors, why) in [
        (&["Anna <anna@example.net>"][..], "all directors play in this game"),
        (&["Anna <dora@example.net>"], "somebody else has this name"),
        (&["Dora <dora@example.net>", "Dora <d@example.net>"], "somebody else has this name"),
        (&["Dora <dora@example.net>", "Emil <dora@example.net>"], "another director has this address"),
        (&["A <dora@example.net>"], "a seat or the program itself uses this name"),
        (&["host <dora@example.net>"], "a seat or the program itself uses this name"),
        (&["Zo\u{eb} <dora@example.net>"], "letters without accents"),
        (&["Steady <bot:steady>"], "letters cannot be sent to that address"),
    ] {
        let told = try_(directors).unwrap_err();
        assert!(told.contains(why), "{directors:?}: {told}");
    }
    try_(&["Dora <dora@example.net>"]).unwrap();
}

#[test]
fn an_appeal_goes_to_the_host_where_nobody_directs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("postrider.toml"), "host_mail = \"host@example.net\"\n").unwrap();
    let mut office = office_in(folder.path());
    office.new_game(&table()).unwrap();
    let letter = take_mail(&office, ".B.");
    office.receive(answer("ben@example.net", &letter, "appeal: what now?").as_bytes()).unwrap();
    let told = one_line(body(&newest(&office, "host@example.net")));
    assert!(told.contains("Ben (B) appeals (game lone-pine, entry"), "{told}");
    let n = journal(&office).lines().position(|line| line.contains("\"kind\":\"appeal\"")).unwrap() as u64;
    let ruling = RulingGiven { by: "host".into(), text: "play on".into(), effect: serde_json::json!({}), of: Some(n) };
    office.directing(GAME).rule(&ruling).unwrap();
    assert!(office.directing(GAME).rule(&RulingGiven { of: Some(2), ..ruling }).is_err());
    proved(&office);
}

#[test]
fn forged_rulings_contradict() {
    let (_folder, mut office) = directed();
    order(&mut office, 0, "bid 2");
    let path = office.host().journal(GAME);
    let head = office.open_game(GAME).unwrap().head.clone();
    let good = journal(&office);
    let coins = || Json::new(&serde_json::json!({ "coins": { "seat": "B", "coins": 33 } })).unwrap();
    let cli = Some(Via::Cli);
    let words = Some(postrider_dice::Hash([1; 32]));
    let ruling = |by: &'static str, effect, via| Body::Ruling(Ruling { via, ..Ruling::new(by, "so", effect) });
    let of = |by: &'static str, of| Body::Ruling(Ruling { via: cli, of, ..Ruling::new(by, "so", Json::empty()) });
    let rewound = |by: &'static str, to, via, words| {
        let (chains, reason) = (BTreeMap::new(), "so".into());
        Body::Rewound(Rewound { to, by: by.into(), reason, chains, of: None, within: None, via, words })
    };
    let result = |by: &'static str| {
        let places = [("A", 1), ("B", 2), ("C", 3)].map(|(seat, place)| (seat.to_owned(), place)).into();
        Body::Motion(Motion {
            by: by.into(),
            what: What::Result(places),
            reason: "".into(),
            rollouts: None,
            via: Via::Cli,
            words: None,
        })
    };
    let commit = postrider_dice::Hash([2; 32]);
    let appeal = |seat: &'static str| Body::Appeal(Appeal { seat: seat.into(), commit, via: Via::Cli, words: None });
    let reseated = |director: &'static str| {
        let (seat, luck, director) = ("C".into(), "".into(), Some(director.into()));
        Body::Reseated(Reseated { seat, address: commit, luck, via: None, director })
    };
    let (last, n) = (head.n, head.n + 1);
    let bad: Vec<(&str, Vec<Body<'_>>)> = vec![
        ("a ruling by a player", vec![ruling("B", coins(), cli)]),
        ("a ruling by an unknown name", vec![ruling("Eve", coins(), cli)]),
        ("a ruling by free text", vec![ruling("director", Json::empty(), cli)]),
        ("a ruling by a director who plays", vec![ruling("Anna", coins(), cli)]),
        ("a ruling by a director who plays since", vec![reseated("Dora"), ruling("Dora", coins(), cli)]),
        ("a ruling that does not say how it came", vec![ruling("Dora", coins(), None)]),
        ("a ruling by the host with an effect", vec![ruling("host", coins(), None)]),
        ("a note by the host with words", vec![ruling("host", Json::empty(), cli)]),
        ("a ruling by all players that none agreed on", vec![ruling("all players", coins(), None)]),
        ("a ruling on what is no appeal", vec![of("Dora", Some(3))]),
        ("a ruling by a player on an appeal", vec![appeal("B"), of("B", Some(n))]),
        ("a rewind by an unknown name", vec![rewound("Eve", last - 1, cli, None)]),
        ("a rewind by a director who plays", vec![rewound("Anna", last - 1, cli, None)]),
        ("a rewind by the host", vec![rewound("host", last - 1, None, None)]),
        ("a rewind with both", vec![rewound("Dora", last - 1, cli, words)]),
        ("a rewind with neither", vec![rewound("Dora", last - 1, None, None)]),
        ("a seat's rewind by a director's word", vec![rewound("A", last - 1, None, words)]),
        ("a result by an unknown name", vec![result("Eve")]),
        ("a result by a director who plays", vec![result("Anna")]),
        ("an appeal of no seat", vec![appeal("X")]),
        ("a player who is called a director", vec![reseated("Eve")]),
    ];
    let contradicts = |what: &str, bodies: &[Body<'_>], path: &std::path::Path| {
        let mut writer = Writer::after(&head);
        let mut text = good.clone();
        for body in bodies {
            text.push_str(&writer.line("2026-11-20T18:30:00Z", body).unwrap());
        }
        std::fs::write(path, &text).unwrap();
        let mut checker = Checker::new();
        let wrong = text.lines().find_map(|line| checker.feed(line.as_bytes()).err());
        let (status, told) = independent_check(path);
        (wrong.map(|wrong| wrong.n), status, format!("{what}: {told}"))
    };
    for (what, bodies) in &bad {
        let (wrong, status, told) = contradicts(what, bodies, &path);
        assert_eq!(wrong, Some(head.n + bodies.len() as u64), "{told}");
        assert!(status.is_none_or(|status| status == 1), "{told}");
    }
    let right: Vec<(&str, Vec<Body<'_>>)> = vec![
        ("a ruling by a director", vec![ruling("Dora", coins(), cli)]),
        ("a note by the host", vec![ruling("host", Json::empty(), None)]),
        ("an appeal and its answer", vec![appeal("B"), of("Dora", Some(n))]),
        ("a rewind by a director", vec![rewound("Dora", last - 1, None, words)]),
        ("a result by a director", vec![result("Dora")]),
        ("a rewind of nothing by the host", vec![rewound("host", last, None, None)]),
    ];
    for (what, bodies) in &right {
        let (wrong, status, told) = contradicts(what, bodies, &path);
        assert!(wrong.is_none() && status != Some(1), "{told}");
    }
    std::fs::write(&path, &good).unwrap();
    // The first entry can neither name a director twice nor name a seat.
    let joined = |director: &'static str| {
        let (seat, luck, director) = ("A".into(), "".into(), Some(director.into()));
        Body::Joined(Joined { seat, address: commit, luck, via: Via::Cli, mail: None, director })
    };
    let opened = good.lines().next().unwrap();
    for wrong in [r#"["Dora","Dora"]"#, r#"["A"]"#, r#"["host"]"#, r#"["all players"]"#, r#"[""]"#, r#""Dora""#] {
        let line = serde_json::from_str(&opened.replace(r#"["Dora","Anna"]"#, wrong)).unwrap();
        let line = rehashed(&[line]);
        std::fs::write(&path, format!("{line}{}\n", good.lines().nth(1).unwrap())).unwrap();
        assert!(Checker::new().feed(line.trim_end().as_bytes()).is_err(), "{wrong}");
        let (status, told) = independent_check(&path);
        assert!(status.is_none_or(|status| status == 1), "{wrong}: {told}");
    }
    let mut checker = Checker::new();
    let first = checker.feed(opened.as_bytes()).map(|checked| checked.line.hash).unwrap();
    let mut writer = Writer::after(&postrider_journal::Head { game: GAME.into(), n: 0, hash: first });
    let line = writer.line("2026-11-20T18:30:00Z", &joined("Eve")).unwrap();
    assert!(checker.feed(line.trim_end().as_bytes()).is_err(), "a director whom the game does not name");
    std::fs::write(&path, &good).unwrap();
}
