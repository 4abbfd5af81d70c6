//! Standing orders with conditions, ends and names.

use super::{
    by_mail::{answer, begun, body, decisions, office_in, outbox, table, take_mail, unfolded},
    needed::*,
};
use crate::game::advice;
use postrider_journal::Via;
use postrider_store::{AdviceTerms, Kept};
use postrider_table::{Asked, Ruleset, Seat, Understood};

const GAME: &str = "lone-pine";

fn order(office: &mut Office, seat: u8, text: &str) -> String {
    let told = office.order(GAME, Seat(seat), text).unwrap().0;
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn journal(office: &Office) -> String {
    std::fs::read_to_string(office.host().journal(GAME)).unwrap()
}

fn bids(office: &Office) -> Vec<i64> {
    let lines: Vec<serde_json::Value> =
        journal(office).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let standing = lines.iter().filter(|line| line["body"]["via"] == "standing" && line["body"]["ask"] == "bid");
    standing.map(|line| line["body"]["order"]["bid"]["coins"].as_i64().unwrap()).collect()
}

/// Has the other seats bid little and the winner give Carl a coin, until the game is over.
fn others_play(office: &mut Office) {
    for _ in 0..40 {
        for (seat, text) in [(1, "bid 1"), (2, "bid 0"), (0, "give carl"), (1, "give carl"), (2, "give ben")] {
            if office.terminal(GAME).glance().unwrap().awaited.contains(&Seat(seat)) {
                order(office, seat, text);
            }
        }
    }
}

#[test]
fn the_first_clause_that_fits_answers_every_such_question() {
    let (_folder, mut office) = begun();
    let told =
        order(&mut office, 0, "standing bid always: 5 if turn is 2; 14 if coins at most 99; otherwise 2; until turn 9");
    assert!(
        told.contains("done standing bid always: 5 if turn is 2; 14 if coins at most 98")
            || told.contains("always true"),
        "{told}"
    );
    let told =
        order(&mut office, 0, "standing bid always: 5 if turn is 2; 14 if coins at most 98; otherwise 2; until turn 9");
    assert!(
        told.contains("done standing bid always: 5 if turn is 2; 14 if coins at most 98; otherwise 2; until turn 9"),
        "{told}"
    );
    others_play(&mut office);
    // 14 is not a bid, so the next clause is tried. In the second Turn the first one fits.
    assert_eq!(bids(&office), [2, 2, 5, 5]);
    assert!(journal(&office).contains("\"until\":9"), "what is over is laid open");
}

#[test]
fn a_standing_order_ends_with_its_turn_or_by_its_condition() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "standing bid always: 3 until turn 2");
    others_play(&mut office);
    assert_eq!(bids(&office), [3, 3]);
    let (_folder, mut office) = begun();
    order(&mut office, 0, "standing bid always: 3; stop if turn at least 2");
    others_play(&mut office);
    assert_eq!(bids(&office), [3, 3]);
    assert!(order(&mut office, 0, "standing").contains("no standing orders"));
}

#[test]
fn a_standing_order_ends_when_something_has_become_less() {
    // The winner pays the bid, gets the coin's value, at most 9, and gives a coin away.
    for (bid, stop, ends) in [
        (9, "i lose a coin", (|_| true) as fn(i64) -> bool),
        (3, "purse falls by 99", |_| false),
        (3, "purse rises", |worth| worth > 3 + 1),
    ] {
        let (_folder, mut office) = begun();
        let told = order(&mut office, 0, &format!("standing bid always: {bid}; stop if {stop}"));
        assert!(told.contains(&format!("stop if {stop}")), "{told}");
        others_play(&mut office);
        let text = journal(&office);
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let rolled: Vec<_> = lines.filter(|line| line["kind"] == "rolled").collect();
        let worth = |line: &serde_json::Value| line["body"]["rolls"][0][3].as_i64().unwrap();
        let right = rolled.iter().take(4).position(|line| ends(worth(line))).map_or(4, |round| round + 1);
        assert_eq!(bids(&office).len(), right, "{stop}: {rolled:?}");
    }
    let (_folder, mut office) = begun();
    let told = order(&mut office, 0, "standing bid always: 3 if purse falls");
    assert!(told.contains("a change can end a standing order"), "{told}");
}

#[test]
fn what_is_left_for_attacks_answers_every_question_of_that_sort() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "standing bid always: 9");
    let told = order(&mut office, 0, "if attacked: give ben if turn is 1; otherwise give carl");
    assert!(told.contains("done standing attacked always: give ben if turn is 1; otherwise give carl"), "{told}");
    assert!(order(&mut office, 0, "standing").contains("standing attacked always: give ben"));
    for (text, says) in [
        ("if attacked: give ben if stake at least 3", "What can be compared at \"attacked\": turn and purse"),
        ("if attacked: until turn 3", "at least one order"),
        ("if attacked: 4; give ben", "`4` does not answer a question of the kind \"attacked\""),
    ] {
        let told = order(&mut office, 0, text);
        assert!(told.contains(says), "{text}: {told}");
    }
    others_play(&mut office);
    let gifts: Vec<bool> = journal(&office).matches(r#""order":{"give":{"to":1}}"#).map(|_| true).collect();
    assert!(!gifts.is_empty(), "{}", journal(&office));
    let (_folder, mut office) = begun();
    order(&mut office, 0, "if attacked: give ben");
    assert!(order(&mut office, 0, "if attacked end").contains("standing attacked: ended"));
}

#[test]
fn named_ones_stand_beside_each_other_and_one_may_go_first() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "standing gift always: give ben");
    let told = order(&mut office, 0, "standing bid always: 4 if turn is 1");
    assert!(told.contains("done standing bid always: 4 if turn is 1"), "{told}");
    order(&mut office, 0, "standing bid named late always: 6");
    let told = order(&mut office, 0, "standing");
    assert!(told.contains("bid named late always: 6"), "{told}");
    let told = order(&mut office, 0, "standing bid named once: 1; 2");
    assert!(told.contains("must all be left `always`"), "{told}");
    order(&mut office, 0, "standing bid named cheap first always: 1 if purse below 10");
    others_play(&mut office);
    let bids = bids(&office);
    assert_eq!((bids[0], bids.len()), (4, 4), "{bids:?}");
    assert!(bids[1..].iter().all(|bid| [1, 4, 6].contains(bid)) && bids.contains(&6), "{bids:?}");
    let told = order(&mut office, 1, "standing bid named nobody end");
    assert!(told.contains("The game is over") || told.contains("no standing order"), "{told}");
}

/// Lines as long as those that mail programs break, without a mark at their ends.
#[test]
fn several_standing_orders_of_one_mail_stay_apart() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let text = "standing bid always: 5 if turn is 2; 6 if purse at least 12; otherwise 2\nstanding gift always: give carl if purse at least 3 and purse at most 90\nnext round: bid 3";
    office.receive(answer("anna@example.net", &letter, text).as_bytes()).unwrap();
    let told = order(&mut office, 0, "standing");
    for line in text.lines() {
        assert!(told.contains(line), "{told}");
    }
}

#[test]
fn a_condition_is_checked_when_it_is_written() {
    let (_folder, mut office) = begun();
    let before = journal(&office);
    for (text, says) in [
        ("standing bid always: 3 if weather is fine; 2", "What can be compared at \"bid\": turn, purse and stake"),
        ("standing bid always: 3 if turn at least 12", "can never be true"),
        ("standing gift always: give ben if stake at least 2", "stake"),
        ("standing bid always: until turn 4", "at least one order"),
        ("standing bid: 3 until turn 1", "has begun already"),
        ("standing gift: give ben or carl", "does not answer a question of the kind \"gift\""),
        ("standing bid always: 3; stop if turn", "compared with a number"),
    ] {
        let told = order(&mut office, 0, text);
        assert!(told.contains("not done") && told.contains(says), "{text}: {told}");
    }
    assert_eq!(journal(&office), before);
}

/// Plays Turns in which Anna bids as given, and returns the lines of her letters that offer to bid
/// so.
fn offered_bids(office: &mut Office, bids: &[u8]) -> usize {
    for bid in bids {
        order(office, 0, &format!("bid {bid}"));
        for (seat, text) in [(1, "bid 2"), (2, "bid 0"), (1, "give carl"), (2, "give ben"), (0, "give ben")] {
            if office.terminal(GAME).glance().unwrap().awaited.contains(&Seat(seat)) {
                order(office, seat, text);
            }
        }
    }
    let letters = outbox(office).into_iter().filter(|(name, _)| name.starts_with("lone-pine.A."));
    letters.filter(|(_, letter)| unfolded(letter).contains("\n     standing bid always: bid 1\n")).count()
}

#[test]
fn the_usual_answer_is_offered_until_it_is_ignored_or_declined() {
    let long = || {
        let folder = tempfile::tempdir().unwrap();
        let mut office = office_in(folder.path());
        office.new_game(&NewGame { options: [("turns".to_owned(), 5.into())].into(), ..table() }).unwrap();
        (folder, office)
    };
    let (_folder, mut office) = long();
    assert_eq!(offered_bids(&mut office, &[1, 1]), 0, "too early");
    assert_eq!(offered_bids(&mut office, &[1]), 1);
    assert_eq!(offered_bids(&mut office, &[1, 1, 1, 1]), 3, "ignored three times");
    let (_folder, mut office) = long();
    assert_eq!(offered_bids(&mut office, &[1, 3, 1]), 1, "of three bids two are 1");
    let told = order(&mut office, 0, "standing bid end");
    assert!(told.contains("standing bid: not offered again"), "{told}");
    assert_eq!(offered_bids(&mut office, &[1, 1]), 1);
}

#[test]
fn a_preview_says_what_it_would_have_answered() {
    let (_folder, mut office) = begun();
    for (seat, text) in
        [(0, "bid 5"), (1, "bid 0"), (2, "bid 0"), (0, "give carl"), (0, "bid 3"), (1, "bid 0"), (2, "bid 0")]
    {
        order(&mut office, seat, text);
    }
    order(&mut office, 0, "give ben");
    let letter = take_mail(&office, "lone-pine.A.");
    let before = journal(&office);
    let text = "preview\nstanding bid always: 7 if purse is 10; 8 if turn at least 2\nstanding gift always: give carl if turn at least 2";
    office.receive(answer("anna@example.net", &letter, text).as_bytes()).unwrap();
    let told = take_mail(&office, "lone-pine.A.re");
    insta::assert_snapshot!("preview-of-standing-orders", body(&told));
    assert_eq!(journal(&office), before);
}

#[test]
fn a_plan_for_the_next_round_is_carried_out_there_and_not_before() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "bid 0");
    let told = order(&mut office, 0, "next round: bid 4; give ben");
    assert!(told.contains("done next round: bid 4; give ben"), "{told}");
    assert!(order(&mut office, 0, "standing").contains("next round: bid 4; give ben"));
    assert!(!journal(&office).contains("give ben") && journal(&office).matches("\"sealed\"").count() == 2);
    for (seat, text) in [(1, "bid 2"), (2, "bid 1"), (1, "give carl"), (1, "bid 0"), (2, "bid 0")] {
        order(&mut office, seat, text);
    }
    // Anna's plan has bid 4 in the second Round and given away the coin that she won.
    assert_eq!(bids(&office), [4]);
    assert!(journal(&office).contains(r#""order":{"give":{"to":1}},"prompt""#), "{}", journal(&office));
    assert!(order(&mut office, 0, "standing").contains("no standing orders"));
}

#[test]
fn what_no_longer_fits_of_a_plan_is_dropped_with_a_word() {
    let (_folder, mut office) = begun();
    order(&mut office, 0, "bid 0");
    order(&mut office, 0, "next round: bid 1; give ben");
    for (seat, text) in [(1, "bid 2"), (2, "bid 1"), (1, "give carl"), (1, "bid 9"), (2, "bid 0"), (1, "give carl")] {
        order(&mut office, seat, text);
    }
    // Ben has won, so Anna is not asked for a gift, and her Round is over.
    assert_eq!(bids(&office), [1]);
    assert!(order(&mut office, 0, "standing").contains("no standing orders"));
    let (_folder, mut office) = begun();
    order(&mut office, 0, "bid 0");
    order(&mut office, 0, "next round: bid 14; give ben");
    for (seat, text) in [(1, "bid 2"), (2, "bid 1"), (1, "give carl")] {
        order(&mut office, seat, text);
    }
    assert_eq!(bids(&office), [0_i64; 0]);
    let told = take_mail(&office, "lone-pine.A.");
    let told = if told.contains("What was left of your plan") { told } else { take_mail(&office, "letter") };
    assert!(told.contains("What was left of your plan is dropped"), "{told}");
    for (text, says) in [
        ("next round: 1a", "could answer several"),
        ("next round: yes", "could answer several"),
        ("next round: bid 3 or bid 4", "is not an order of this game"),
        ("next round end", "no plan"),
    ] {
        assert!(order(&mut office, 0, text).contains(says), "{text}");
    }
    order(&mut office, 0, "next round: bid 3");
    assert!(order(&mut office, 0, "next round end").contains("your plan is ended"));
}

/// Opens a game of four with a bot, in which all have joined; `settings` are the host's.
fn with_bots(settings: &str) -> (tempfile::TempDir, Office) {
    of_bots(settings, postrider_games::rulesets()[0].name(), 4)
}

fn of_bots(settings: &str, ruleset: &str, seats: u8) -> (tempfile::TempDir, Office) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(postrider_store::SETTINGS), settings).unwrap();
    let mut office = Office::open(
        postrider_store::Host::open_or_create(folder.path()).unwrap(),
        postrider_replay::Catalog::new(postrider_games::rulesets()),
        Environment::fixed(7, chrono::DateTime::UNIX_EPOCH),
    )
    .unwrap();
    let players = ["Anna", "Ben", "Carl", "Dora"].into_iter().take(usize::from(seats)).map(|name| Invitee {
        name: name.to_owned(),
        address: format!("{}@example.net", name.to_lowercase()),
        zone: None,
        sender_check: None,
    });
    let new = NewGame {
        ruleset: ruleset.to_owned(),
        id: Some(GAME.into()),
        players: players.collect(),
        ..NewGame::default()
    };
    office.new_game(&new).unwrap();
    for seat in 0..seats {
        order(&mut office, seat, &format!("join luck {seat}"));
    }
    (folder, office)
}

#[test]
fn advice_lists_what_the_steady_bot_thinks_best() {
    let (_folder, mut office) = with_bots("address = \"game@play.example.org\"\n");
    let seat = *office.terminal(GAME).glance().unwrap().awaited.first().unwrap();
    let told = office.order(GAME, seat, "advice").unwrap().0;
    assert!(told.contains("What the steady bot would do") && told.matches('`').count() >= 2, "{told}");
    assert_eq!(office.order(GAME, seat, "advice").unwrap().0, told, "the same question has the same advice");
    let (_folder, mut office) = with_bots("address = \"game@play.example.org\"\nadvice = false\n");
    assert!(office.order(GAME, seat, "advice").unwrap().0.contains("There is no advice in this game"));
}

#[test]
fn advice_can_be_played_out() {
    let (_folder, mut office) = with_bots("address = \"game@play.example.org\"\n");
    let seat = *office.terminal(GAME).glance().unwrap().awaited.first().unwrap();
    let before = journal(&office);
    let told = order(&mut office, seat.0, "advice played out");
    assert!(told.contains("of 8 short games") && told.contains("VPs on average"), "{told}");
    assert_eq!(order(&mut office, seat.0, "advice, played out"), told, "the same question has the same games");
    assert!(!order(&mut office, seat.0, "advice").contains("short games"));
    assert_eq!(journal(&office), before);
}

#[test]
fn a_rated_game_has_no_advice_unless_all_have_it() {
    let (_folder, mut office) = with_bots("address = \"game@play.example.org\"\n");
    let seat = *office.terminal(GAME).glance().unwrap().awaited.first().unwrap();
    let keep = |office: &mut Office, kept| office.change(GAME, |_, tx| Ok(tx.keep(kept)?)).unwrap();
    let invited = |office: &mut Office| {
        office.resend(GAME, seat).unwrap();
        office.change(GAME, |_, tx| Ok((advice::said_of_rating(tx), advice::agreed(tx)))).unwrap()
    };
    assert_eq!(invited(&mut office), (None, None));
    keep(&mut office, Kept::Rated);
    for text in ["advice", "advice played out", "advice on"] {
        assert!(order(&mut office, seat.0, text).contains("There is no advice in this game"), "{text}");
    }
    let told = order(&mut office, seat.0, "standing set-up always: as advised");
    assert!(told.contains("no advice") || told.contains("not done"), "{told}");
    let (rated, advice) = invited(&mut office);
    assert!(rated.unwrap().contains("rated") && advice.unwrap().contains("nobody is told"));
    keep(&mut office, Kept::Advice(AdviceTerms::Listed));
    assert!(order(&mut office, seat.0, "advice").contains("What the steady bot would do"));
    assert!(invited(&mut office).1.unwrap().contains("letters list"));
}

#[test]
fn what_nothing_waits_for_is_answered_before_somebody_goes_on() {
    let (_folder, mut office) = begun();
    let bids = [(0, 9), (1, 1), (2, 0)];
    for _ in 0..2 {
        bids.iter().for_each(|(seat, bid)| _ = order(&mut office, *seat, &format!("bid {bid}")));
        if !journal(&office).contains("give") {
            order(&mut office, 0, "give carl");
        }
    }
    // A player who was given a coin may say thanks until the next one is given.
    order(&mut office, 2, "standing thanks always: thank you");
    order(&mut office, 0, "standing gift always: give carl");
    for (seat, bid) in bids {
        order(&mut office, seat, &format!("standing bid always: {bid}"));
    }
    let thanks = journal(&office).matches(r#""ask":"thanks""#).count();
    assert_eq!(thanks, 3, "for each coin but the last: {}", journal(&office));
}

#[test]
fn advice_stands_in_letters_where_a_player_or_the_table_wants_it() {
    let (_folder, mut office) = with_bots("address = \"game@play.example.org\"\n");
    let seat = *office.terminal(GAME).glance().unwrap().awaited.first().unwrap();
    let listed = |office: &mut Office, agreed| {
        let keep = Kept::Advice(agreed);
        office.change(GAME, |_, tx| Ok(tx.keep(keep)?)).unwrap();
        office.change(GAME, |services, tx| Ok(advice::is_listed(tx, services, seat))).unwrap()
    };
    assert!(!listed(&mut office, AdviceTerms::Asked) && listed(&mut office, AdviceTerms::Listed));
    assert!(!listed(&mut office, AdviceTerms::Off));
    for text in ["advice", "advice on"] {
        assert!(office.order(GAME, seat, text).unwrap().0.contains("There is no advice in this game"), "{text}");
    }
    listed(&mut office, AdviceTerms::Asked);
    let told = order(&mut office, seat.0, "advice on");
    assert!(told.contains("Letters list what the steady bot would answer"), "{told}");
    office.resend(GAME, seat).unwrap();
    let told = take_mail(&office, &format!("{GAME}.{seat}.re."));
    let told = body(&told).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("What the steady bot would do, the best first"), "{told}");
    assert!(order(&mut office, seat.0, "advice off").contains("Your letters contain no advice"));
    office.resend(GAME, seat).unwrap();
    assert!(!take_mail(&office, &format!("{GAME}.{seat}.re.")).contains("What the steady bot would do"));
}

/// Has the steady bot play all seats of a game, one decision at a time: by hand or by standing
/// orders.
fn decided(ruleset: &dyn Ruleset, standing: &[&str], most: usize) -> Vec<(String, String, String)> {
    let seats = if ruleset.seats().contains(&4) { 4 } else { 2 };
    let (_folder, mut office) = of_bots("address = \"game@play.example.org\"\n", ruleset.name(), seats);
    for seat in 0..seats {
        for kind in standing {
            let told = order(&mut office, seat, &format!("standing {kind} always: as advised"));
            assert!(told.contains("done"), "{told}");
        }
    }
    office
        .change(GAME, |services, tx| {
            let advisor = advice::advisor(tx, services).expect("a bot");
            while tx.facts.decided.len() < most {
                tx.follow(services)?;
                let Some(asked) = tx.asked()?.into_iter().find(|asked: &Asked| asked.required) else { break };
                let dyn_game = tx.live.dyn_game.as_ref().expect("it runs");
                let advised = advisor.advise(&**dyn_game, &asked);
                let order = advised.or_else(|| dyn_game.at_deadline(asked.id)).expect("an answer");
                tx.decide(services, asked.seat, &Understood::answer(&asked, order), Via::Cli, None)?;
            }
            Ok(())
        })
        .unwrap();
    let lines = journal(&office);
    let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let decisions = lines.filter(|line| line["kind"] == "decision");
    let text = |value: &serde_json::Value| value.to_string();
    decisions
        .map(|line| (text(&line["body"]["ask"]), text(&line["body"]["order"]), text(&line["body"]["via"])))
        .take(most)
        .collect()
}

#[test]
fn the_same_game_with_standing_orders_differs_in_nothing_but_who_answered() {
    const MOST: usize = 120;
    for ruleset in postrider_games::rulesets() {
        let by_hand = decided(*ruleset, &[], MOST);
        // Optional questions may be answered at any time.
        let kinds = ruleset.standing().lines().filter_map(|line| line.split(' ').nth(1));
        let kinds: Vec<&str> = kinds.filter(|kind| *kind != "desk").collect();
        let standing = decided(*ruleset, &kinds, MOST);
        let what = |all: &[(String, String, String)]| {
            all.iter().map(|(ask, order, _)| (ask.clone(), order.clone())).collect::<Vec<_>>()
        };
        assert_eq!(what(&standing), what(&by_hand), "{}", ruleset.name());
        let left = standing.iter().filter(|(_, _, via)| via == "\"standing\"").count();
        assert_eq!(left > 0, !kinds.is_empty(), "{}: {left} of {} by what was left", ruleset.name(), by_hand.len());
        assert!(by_hand.iter().all(|(_, _, via)| via == "\"cli\""));
    }
}

#[test]
fn a_standing_order_answers_nothing_in_place_of_an_order_that_was_refused() {
    for (text, done, total) in
        [("standing bid always: bid 2\nbid 99", 1, 2), ("standing bid always: bid 2; otherwise bid 1\nback", 1, 2)]
    {
        let (_folder, mut office) = begun();
        let letter = take_mail(&office, "lone-pine.A.");
        let raw = answer("anna@example.net", &letter, text);
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done, total }, "{text}");
        assert_eq!(decisions(&office), 0, "{text}");
        let told = take_mail(&office, "lone-pine.A.re");
        let words = body(&told).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("your standing orders answer nothing in this Round until you answer yourself"),
            "{told}"
        );
        office.tick("lone-pine").unwrap();
        assert_eq!(decisions(&office), 0, "{text}");
        // After the player's own answer, the standing orders apply again.
        let raw = answer("anna@example.net", &told, "bid 1");
        assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Answered { done: 1, total: 1 }, "{text}");
        assert_eq!(decisions(&office), 1, "{text}");
    }
}

#[test]
fn words_that_do_not_answer_the_question_are_refused_when_they_are_left() {
    for clauses in
        ["give if turn is 1; otherwise give carl", "give nowhere; otherwise give carl", "give ben; otherwise wait"]
    {
        let (_folder, mut office) = begun();
        let told = order(&mut office, 0, &format!("standing gift always: {clauses}"));
        assert!(told.contains("does not answer a question of the kind \"gift\""), "{told}");
        for (seat, bid) in [(0, "bid 4"), (1, "bid 1"), (2, "bid 0")] {
            order(&mut office, seat, bid);
        }
        assert!(!journal(&office).contains(r#""via":"standing""#), "{clauses}");
        assert!(office.terminal(GAME).asks(Seat(0), false).unwrap().contains("coin from you"), "{clauses}");
    }
}
