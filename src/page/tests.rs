//! Tests of the contents of a page, and of what it must not contain.

use super::*;
use flate2::read::GzDecoder;
use postrider_drawing::Picture;
use postrider_replay::{Catalog, Source, rebuild_with};
use postrider_store::Host;
use postrider_table::Watch;
use std::{fs, io::Read as _};

fn game(upto: Option<u64>) -> (LiveGame, Record) {
    game_of("standard-4", upto)
}

fn game_of(id: &str, upto: Option<u64>) -> (LiveGame, Record) {
    let mut record = Record::default();
    let watch = Watch { tell: true, ..Watch::NONE };
    let folders =
        fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../journal")).expect("the finished games").flatten();
    let mut paths = folders.map(|folder| folder.path().join(format!("{id}.jsonl.gz")));
    let packed = fs::read(paths.find(|path| path.exists()).expect("a finished game")).expect("it can be read");
    let mut journal = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut journal).expect("it is whole");
    let source = Source::from(&journal[..]);
    let live = rebuild_with(&source, &Catalog::new(postrider_games::rulesets()), None, upto, watch, &mut [&mut record])
        .expect("a finished game");
    (live, record)
}

fn page_of(live: &LiveGame, seat: Option<Seat>, record: &Record, answer: Option<Answer>) -> Page {
    let players = Players::named_in(&[], live.opened.seats.len());
    let host = Host::look("no such folder").expect("default settings");
    let mut letters = Letters::load(&host).expect("templates");
    letters.add_view(&host, live.opened.ruleset).expect("templates");
    Page::of(
        live,
        Reader {
            seat,
            players: &players,
            letters: &letters,
            record,
            answer,
            deadlines: None,
            proposals: Vec::new(),
            note: None,
        },
    )
    .expect("a page")
}

#[test]
fn a_finished_game_has_a_moment_for_each_round_and_proof_of_each_die() {
    let (live, record) = game(None);
    let page = page_of(&live, None, &record, None);
    // One step may begin several Rounds if no question is asked in some of them.
    assert!(
        (live.marks.len() / 2..=live.marks.len() + 1).contains(&page.moments.len()),
        "{} moments",
        page.moments.len()
    );
    assert!(page.moments.windows(2).all(|pair| pair[0].n <= pair[1].n));
    assert!(page.over && page.questions.is_empty() && page.answer.is_none());
    assert!(page.dice.values().flatten().all(|thrown| thrown.link.len() == 43 && thrown.tip.len() == 43));
    assert!(page.dice.len() > 20, "{}", page.dice.len());
    let html = page.html().expect("a page");
    let html = html.replace("base64url(", "");
    for outside in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(
        html.matches("http").count(),
        html.matches("http://www.w3.org/2000/svg").count() + html.matches("http-equiv").count()
    );
    // Every part of the last moment is in the drawing unchanged.
    let parts: BTreeMap<&String, usize> =
        page.moments.iter().flat_map(|moment| moment.parts.iter().map(|(part, number)| (part, *number))).collect();
    for (part, number) in parts {
        assert!(page.map.contains(&page.pieces[number]), "{part}");
    }
    assert_eq!(page.html().ok(), page.html().ok(), "the same game gives the same page");
}

/// Two games of the same rules: a whole campaign, and a battle on its own board.
const CAMPAIGN: &str = "wayne-1793";
const BATTLE: &str = "fallen-timbers";

#[test]
fn the_board_of_a_battle_stands_in_the_place_of_the_map_while_it_is_fought() {
    let (live, record) = game_of(BATTLE, None);
    let page = page_of(&live, None, &record, None);
    let hex = |moment: &Moment| moment.parts.keys().any(|part| part == "at:0809");
    let board = page.moments.iter().find(|moment| hex(moment)).expect("a moment on the board").sheet;
    let rounds: Vec<&Moment> = page.moments.iter().filter(|moment| moment.label.starts_with("Round ")).collect();
    assert!(rounds.len() > 2 && rounds.iter().all(|moment| moment.sheet == board));
    assert_eq!(page.moments.last().map(|moment| moment.sheet), Some(board));
    assert!(page.map.contains("data-part=\"at:0809\"") && !page.map.contains("data-part=\"at:U1\""));
}

#[test]
fn of_several_drawings_only_the_first_shown_is_seen() {
    let picture = |sample| {
        let (live, ..) = game_of(sample, None);
        let map = live.opened.ruleset.map_of(&live.opened.setup.components).expect("a map");
        let view = live.dyn_game.as_ref().expect("it has begun").view(None).expect("a view");
        Picture::shown(map, "A game", &view, None)
    };
    let [map, board] = [CAMPAIGN, BATTLE].map(picture);
    assert!(!map.is_alike(&board) && map.is_alike(&map));
    let both = moments::laid(&[&map, &board], 1, &std::collections::BTreeSet::new());
    let sheets: Vec<&str> = both.split("<div class=\"sheet\"").skip(1).collect();
    assert_eq!(sheets.len(), 2);
    assert!(sheets[0].starts_with(" data-sheet=\"0\" hidden>") && sheets[0].contains("data-part=\"at:U1\""));
    assert!(sheets[1].starts_with(" data-sheet=\"1\">") && sheets[1].contains("data-part=\"at:0809\""));
}

#[test]
fn no_text_ends_a_script_or_begins_an_element() {
    let (live, record) = game(Some(60));
    let seat = live.seat("A");
    let mut page = page_of(&live, seat, &record, None);
    let evil = "</script><script>alert(1)</script><!-- \" ' & \u{2028}";
    page.reader = evil.to_owned();
    let entries = vec![Entry { n: 1, first: true, at: evil.to_owned(), lines: vec![evil.to_owned()] }];
    page.story.push(Turn { title: evil.to_owned(), chapters: vec![Chapter { under: evil.to_owned(), entries }] });
    page.awaited.push(Waits { who: evil.to_owned(), ..Waits::default() });
    page.questions.push(Question {
        title: evil.to_owned(),
        options: vec![Choice { words: evil.to_owned(), note: evil.to_owned(), ends: false }],
        ..Question::default()
    });
    let html = page.html().expect("a page");
    assert_eq!(html.matches("<script").count(), 2);
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("alert(1)</script>") && !html.contains("<!-- "));
}

/// A seat's page has its own hand where the game asks for it, and no card of another hand that was
/// not revealed to it. A spectator's page has no hidden card at all.
#[test]
fn a_page_holds_no_hidden_card_of_another_seat() {
    let mut looked = 0;
    for upto in [40, 90, 200, 330] {
        let (live, record) = game(Some(upto));
        let seats: Vec<Seat> =
            (0..live.opened.seats.len()).filter_map(|at| Some(Seat(u8::try_from(at).ok()?))).collect();
        let readers: Vec<Option<Seat>> = seats.iter().copied().map(Some).chain([None]).collect();
        let views: Vec<String> = readers
            .iter()
            .map(|&reader| live.dyn_game.as_ref().expect("it has begun").view(reader).expect("a view").to_string())
            .collect();
        let hands: Vec<Vec<String>> = views.iter().map(|view| hand(view)).collect();
        for (&reader, view) in readers.iter().zip(&views) {
            let page = page_of(&live, reader, &record, None);
            let html = page.html().expect("a page");
            let told: String = page
                .story
                .iter()
                .flat_map(|turn| &turn.chapters)
                .flat_map(|c| &c.entries)
                .flat_map(|e| e.lines.join(" ").chars().collect::<Vec<_>>())
                .collect();
            let html = html + &page.pieces.concat() + &serde_json::to_string(&page.moments).expect("moments");
            let own = reader.map(Seat::index);
            for card in hands.iter().enumerate().filter(|(at, _)| Some(*at) != own).flat_map(|(_, hand)| hand) {
                if !view.contains(card.as_str()) && !told.contains(card.as_str()) {
                    assert!(!html.contains(card.as_str()), "{card} on the page of {reader:?} at entry {upto}");
                    looked += 1;
                }
            }
        }
    }
    assert!(looked > 20, "{looked} hidden cards");
}

fn hand(view: &str) -> Vec<String> {
    let view: serde_json::Value = serde_json::from_str(view).expect("a view");
    let mut cards = Vec::new();
    let mut rest = vec![&view["you"]];
    while let Some(value) = rest.pop() {
        cards.extend(value["card"].as_str().map(str::to_owned));
        rest.extend(value.as_object().into_iter().flat_map(|members| members.values()));
        rest.extend(value.as_array().into_iter().flatten());
    }
    cards
}

#[test]
fn what_is_asked_can_be_answered() {
    let (live, record) = game(Some(90));
    let asked = live.dyn_game.as_ref().expect("it has begun").asked().expect("it goes on");
    let seat = asked.iter().find(|asked| asked.required).expect("somebody is asked").seat;
    let answer = Answer { to: "post+x@example.org".to_owned(), subject: "Re: [x] orders".to_owned() };
    let page = page_of(&live, Some(seat), &record, Some(answer));
    assert!(page.questions.iter().any(|question| question.required && !question.options.is_empty()));
    assert!(page.html().expect("a page").contains("post+x@example.org"));
    // The rules understand every option on the page.
    let dyn_game = live.dyn_game.as_ref().expect("it has begun");
    for option in page.questions.iter().flat_map(|question| &question.options) {
        let said = postrider_orders::Phrase::new(&option.words);
        assert!(dyn_game.read(seat, &said).is_ok(), "{}", option.words);
    }
}
