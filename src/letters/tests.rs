//! Trees of letters: the properties that renderers rely on, and the output of the renderers.

use super::{html::AnswerTo, *};
use postrider_dice::Hash;
use postrider_orders::option_letter;
use postrider_store::Host;
use proptest::prelude::*;

fn templates() -> (tempfile::TempDir, Letters) {
    let folder = tempfile::tempdir().unwrap();
    let letters = Letters::load(&Host::open_or_create(folder.path()).unwrap()).unwrap();
    (folder, letters)
}

fn head() -> HeadShown {
    HeadShown {
        game: "lone-pine".into(),
        seat: "B".into(),
        n: 33,
        hash: Hash([0x0a; 32]).to_string(),
        signature: data_encoding::BASE64URL_NOPAD.encode(&[0x1b; 64]),
        key: Hash([0x2c; 32]).to_string(),
    }
}

fn option(letter: &str, words: &str, note: &str) -> QuestionOption {
    QuestionOption { letter: letter.into(), words: words.into(), note: note.into() }
}

fn bare() -> Letter {
    Letter { game: "lone-pine".into(), head: head(), ..Letter::default() }
}

fn asking() -> Letter {
    let question = Question {
        no: 1,
        title: "An action of one Village".into(),
        rule: "7.1".into(),
        lines: vec!["The Round is yours.".into()],
        deadline: "By Friday.".into(),
        complete: true,
        options: vec![
            option("a", "raid utah", "5 VPs on 8 or less"),
            option("b", "raid idaho", "1 VP"),
            option("c", "pass", ""),
        ],
        more: 2,
        drawing: Vec::new(),
    };
    let card = CardShown {
        place: "shaman, epoch 0, position 3".into(),
        name: "Raid".into(),
        salt: Hash([0x3d; 32]).to_string(),
    };
    Letter {
        opening: "Ben, one thing is asked of you (Turn 1, Round 2).".into(),
        since: vec![Part { under: "Turn 1, Round 1".into(), lines: vec!["Anna passes.".to_owned().into()] }],
        view: vec![Section::of([Block::Entry { text: "Utah 3/19".into(), details: vec!["Ute 7".into()] }])],
        asked: vec![question.clone()],
        open: vec![Question { no: 2, complete: false, ..question }],
        lettered: "1a".into(),
        cards: vec![card],
        ..bare()
    }
}

fn answering() -> Letter {
    let failed = Failed { pointed: vec!["raid moon".into(), "     ^^^^".into()], why: "No Area is called so.".into() };
    let report = OrderReport { done: vec!["pass".into()], failed: Some(failed), left: vec!["join".into()], total: 3 };
    Letter { order_report: Some(report), notes: vec!["A remark.".into()], ..bare() }
}

fn explaining() -> Letter {
    let preview = Block::Preview { pointed: vec!["pass".into()], says: vec!["It is legal now.".into()] };
    let (title, text, orders) = ("raid (rule 7)".into(), "A Raid.".into(), vec!["raid utah".into()]);
    let help = Block::Explanation { title, text, orders };
    Letter { told: vec![Section::of([preview]), Section::of([help])], ..bare() }
}

fn ending() -> Letter {
    let mut ranking = Table::new(1, [Column::words("Player"), Column::numbers("VPs")]);
    ranking.row(["Anna".into(), "12".into()]);
    Letter { over: true, outcome: vec![Section::of([Block::Table(ranking)])], ..bare() }
}

fn kinds() -> Vec<(&'static str, Vec<Section>)> {
    let (_folder, letters) = templates();
    let invited = |seat: &str, name: &str, you| Invited {
        seat: seat.into(),
        name: name.into(),
        side: "the US".into(),
        you,
        joined: !you,
    };
    let invitation = Invitation {
        game: "lone-pine".into(),
        title: "The Auction".into(),
        host: "Postrider".into(),
        name: "Ben".into(),
        joined: false,
        players: vec![invited("A", "Anna", false), invited("B", "Ben", true)],
        about: vec!["Whoever has most coins wins.".into()],
        options: vec!["Scenario: campaign".into()],
        head: head(),
    };
    vec![
        ("invitation", letters.invitation(&invitation).unwrap()),
        ("question", letters.letter(&asking()).unwrap()),
        ("answer", letters.letter(&answering()).unwrap()),
        ("explanation", letters.letter(&explaining()).unwrap()),
        ("end", letters.letter(&ending()).unwrap()),
        ("spoken", letters.spoken(&answering()).unwrap()),
        ("help", letters.help(&["raid".to_owned()]).unwrap()),
    ]
}

#[test]
fn a_letter_of_each_kind_is_a_tree_that_can_be_kept() {
    for (kind, tree) in kinds() {
        insta::assert_snapshot!(format!("tree-{kind}"), serde_json::to_string_pretty(&tree).unwrap());
        let kept = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Section>>(&kept).unwrap(), tree);
    }
}

fn words_of(value: &serde_json::Value, out: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => out.extend(text.split_whitespace().map(str::to_owned)),
        serde_json::Value::Number(number) => out.push(number.to_string()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| words_of(item, out)),
        serde_json::Value::Object(members) => members.values().for_each(|item| words_of(item, out)),
        serde_json::Value::Bool(_) | serde_json::Value::Null => {}
    }
}

/// Words that the text renderer itself adds.
const OF_THE_RENDERER: &str = "done not skipped rule For example and more key salt hash signed Journal entry for seat \
                               ANSWER by replying; write your orders above this line To reply";

#[test]
fn the_tree_holds_every_word_of_its_text() {
    for (kind, tree) in kinds() {
        let mut known = Vec::new();
        words_of(&serde_json::to_value(&tree).unwrap(), &mut known);
        let known = known.join(" ");
        for word in text::render(&tree).split_whitespace() {
            let bare = word.trim_matches(|c: char| ",.:()".contains(c));
            // The head's hash and signature are in Base64, in groups of 20 or 22 characters.
            let own = OF_THE_RENDERER.split(' ').any(|own| own == bare) || matches!(bare.len(), 20 | 22);
            assert!(own || known.contains(bare), "{kind}: {word} stands in no block");
        }
    }
}

fn as_html(tree: &[Section]) -> String {
    let answer = AnswerTo { address: "p+lone-pine.q1.abc@play.example".into(), subject: "Re: [lone-pine] it".into() };
    html::render(tree, "[lone-pine] it", &answer)
}

fn elements(page: &str) -> (Vec<String>, Vec<(String, String, String)>, String) {
    let (mut names, mut attributes, mut text) = (Vec::new(), Vec::new(), String::new());
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for token in html5gum::Tokenizer::new(page) {
        match token.unwrap() {
            html5gum::Token::StartTag(tag) => {
                let name = read(&tag.name);
                for (key, value) in &tag.attributes {
                    attributes.push((name.clone(), read(key), read(value)));
                }
                names.push(name);
                text.push(' ');
            }
            html5gum::Token::EndTag(_) => text.push(' '),
            html5gum::Token::String(words) => text.push_str(&read(&words)),
            _ => {}
        }
    }
    (names, attributes, text)
}

/// Only elements and styles that Gmail and Outlook keep are used (see the tables of caniemail.com),
/// and nothing is loaded from elsewhere.
#[test]
fn html_uses_what_mail_programs_keep() {
    let kept = [
        "html", "head", "meta", "title", "style", "body", "table", "tr", "td", "th", "h2", "h3", "p", "a", "span",
        "pre", "img", "div", "b", "small",
    ];
    let barred = ["url(", "position", "float", "flex", "grid", "var(", "calc(", "expression", "@import", "opacity"];
    for (kind, tree) in kinds() {
        let page = as_html(&tree);
        // Gmail truncates mails at 102 kB.
        assert!(page.len() < 100_000, "{kind}: {}", page.len());
        let (names, attributes, _) = elements(&page);
        for name in &names {
            assert!(kept.contains(&name.as_str()), "{kind}: {name}");
        }
        assert_eq!(names.iter().filter(|name| *name == "style").count(), 1, "{kind}");
        for (element, name, value) in attributes {
            match name.as_str() {
                "href" => assert!(element == "a" && value.starts_with("mailto:p%2Blone-pine"), "{kind}: {value}"),
                "style" => assert!(!barred.iter().any(|word| value.contains(word)), "{kind}: {value}"),
                "src" => assert_eq!((element.as_str(), value.as_str()), ("img", "cid:map@postrider"), "{kind}"),
                "background" => panic!("{kind}: {element} {name}={value}"),
                name => assert!(!name.starts_with("on"), "{kind}: {name}"),
            }
        }
        let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).unwrap().0;
        // Gmail removes a style element that is longer or that it does not understand.
        assert!(style.len() < 8192 && !barred.iter().any(|word| style.contains(word)), "{kind}: {style}");
    }
}

#[test]
fn html_says_what_the_text_says() {
    for (kind, tree) in kinds() {
        let (.., shown) = elements(&as_html(&tree));
        let shown: Vec<String> = { shown.split_whitespace() }.map(str::to_lowercase).collect();
        let shown = shown.join(" ");
        // Options have no letters in HTML, because they are tapped.
        let mut said = text::render(&tree).replace(", in words or as `1a`", "");
        ["a", "b", "c"].iter().for_each(|letter| said = said.replace(&format!("\n     {letter}  "), " "));
        for word in said.split_whitespace() {
            // The text has a column for the results of orders, and marks orders.
            let bare = word.trim_matches(|c: char| "`,.:;()".contains(c)).to_lowercase();
            assert!(shown.contains(&bare), "{kind}: {word} is not shown");
        }
    }
}

#[test]
fn an_option_is_a_link_that_opens_its_order() {
    let (_folder, letters) = templates();
    let (_, attributes, _) = elements(&as_html(&letters.letter(&asking()).unwrap()));
    let links: Vec<&str> =
        { attributes.iter() }.filter(|(_, name, _)| name == "href").map(|(.., v)| v.as_str()).collect();
    let raid = "mailto:p%2Blone-pine.q1.abc@play.example?subject=Re%3A%20%5Blone-pine%5D%20it&body=raid%20utah%0D%0A";
    assert_eq!(links.iter().filter(|link| **link == raid).count(), 1, "{links:?}");
}

/// Void elements.
const VOID: [&str; 2] = ["meta", "img"];

/// The colours of a text and its background.
#[derive(Clone)]
struct Colours {
    ink: String,
    ground: String,
}

fn property<'d>(declarations: &'d str, name: &str) -> Option<&'d str> {
    let value = |one: &'d str| one.split_once(':').filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    declarations.split(';').filter_map(value).next_back()
}

fn dark_classes(page: &str) -> std::collections::BTreeMap<&str, &str> {
    let style = page.split_once("prefers-color-scheme:dark){").unwrap().1.split_once("}}").unwrap().0;
    style.split('}').filter_map(|rule| rule.trim_start_matches('.').split_once('{')).collect()
}

/// Computes the contrast ratio according to WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) for relative
/// luminances.
fn contrast(Colours { ink, ground }: &Colours) -> f64 {
    let luminance = |colour: &str| {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (one, other) = (luminance(ink), luminance(ground));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn colours(page: &str, dark: bool) -> Vec<(Colours, String)> {
    let classes = dark_classes(page);
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut open = vec![Colours { ink: "#000000".into(), ground: "#ffffff".into() }];
    let mut found = Vec::new();
    let body = page.split_once("<body").map(|(_, body)| format!("<body{body}")).unwrap();
    for token in html5gum::Tokenizer::new(&body) {
        match token.unwrap() {
            html5gum::Token::StartTag(tag) if !VOID.contains(&read(&tag.name).as_str()) => {
                let mut here = open.last().unwrap().clone();
                let attribute = |name: &[u8]| tag.attributes.get(name).map(|value| read(value)).unwrap_or_default();
                let mut declared = vec![attribute(b"style")];
                declared
                    .extend(classes.get(attribute(b"class").as_str()).filter(|_| dark).map(|&class| class.to_owned()));
                for declared in declared.iter().map(|declared| declared.replace("!important", "")) {
                    property(&declared, "color").into_iter().for_each(|colour| here.ink = colour.to_owned());
                    property(&declared, "background").into_iter().for_each(|colour| here.ground = colour.to_owned());
                }
                open.push(here);
            }
            html5gum::Token::EndTag(_) => drop(open.pop()),
            html5gum::Token::String(words) if !read(&words).trim().is_empty() => {
                found.push((open.last().unwrap().clone(), read(&words)));
            }
            _ => {}
        }
    }
    found
}

fn every_block() -> Vec<Section> {
    let mut table = Table::new(1, [Column::words("Player"), Column::numbers("VPs")]);
    table.row(["Anna".to_owned(), "3".to_owned()]);
    table.rows[0].details.push("a detail".to_owned());
    let seal = CardShown { place: "shaman 3".into(), name: "Raid".into(), salt: "x".repeat(43) };
    let blocks = vec![
        Block::paragraph("Reply `status`, or `raid utah`.", 1),
        Block::item("An item.", 1),
        Block::Entry { text: "Utah".into(), details: vec!["Ute 7".into()] },
        Block::Story {
            parts: vec![Part { under: "Round 1".into(), lines: vec!["A.".to_owned().into()] }],
            level: 0,
            whole: false,
        },
        Block::Table(table),
        Block::Question(asking().asked.remove(0)),
        Block::OrderReport(answering().order_report.unwrap()),
        Block::Preview { pointed: vec!["raid moon".into()], says: vec!["It is legal.".into()] },
        Block::Explanation { title: "raid".into(), text: "A Raid.".into(), orders: vec!["raid utah".into()] },
        Block::AnswerAbove(String::new()),
        Block::WriteAbove,
        Block::Orders(vec!["join luck …".into()]),
        Block::Seals(vec![seal]),
        Block::SignedHead(head()),
        Block::Key(head().key),
        Block::Map(Map { words: vec![Block::paragraph("A map.", 0)], ..Map::default() }),
        Block::Picture("The map".into()),
        Block::Said(vec!["Hello.".into()]),
        Block::Lines(vec!["a drawing".into()]),
    ];
    vec![Section {
        heading: Some(Heading { text: "HEAD".into(), aside: "aside".into() }),
        blocks,
        ..Section::default()
    }]
}

/// WCAG 2.2, success criterion 1.4.3: at least 4.5 : 1, in light and dark mode.
#[test]
fn every_colour_of_a_letter_can_be_read() {
    let mut seen = std::collections::BTreeSet::new();
    for (kind, tree) in kinds().into_iter().chain([("all blocks", every_block())]) {
        for dark in [false, true] {
            for (pair, words) in colours(&as_html(&tree), dark) {
                assert!(contrast(&pair) >= 4.5, "{kind}, dark {dark}: {} on {}: {words}", pair.ink, pair.ground);
                seen.insert((dark, pair.ink, pair.ground));
            }
        }
    }
    // They include text, notes, links, buttons, cards and executed orders.
    assert!(seen.len() >= 12, "{seen:?}");
    let grey = Colours { ink: "#767676".into(), ground: "#ffffff".into() };
    assert!((contrast(&grey) - 4.54).abs() < 0.01);
}

#[test]
fn a_short_text_keeps_what_is_asked_and_what_is_about_the_reader() {
    let options: Vec<QuestionOption> = (0..40)
        .map(|at| option(&option_letter(at), &format!("{} raids area {at}", ["snake", "ute", "crow"][at % 3]), "1 VP"))
        .chain([option(&option_letter(40), "pass", "")])
        .collect();
    let question = Question { no: 1, title: "An action".into(), complete: true, options, ..Question::default() };
    let line = |at: usize| {
        let about = if at == 3 { About::Reader } else { About::Player };
        Sentence { text: format!("Sentence {at}."), about }
    };
    let part = |round: usize| Part { under: format!("Round {round}"), lines: (round..round + 10).map(line).collect() };
    let since = vec![part(0), part(10), part(20)];
    let view = vec![Section::paragraph("The position.")];
    let long = Letter { asked: vec![question], since, view, ..asking() };
    let (_folder, letters) = templates();
    let tree = letters.letter(&long).unwrap();
    let short = text::render_within(&tree, text::Length::Letter(30));
    assert!(short.lines().count() <= 30, "{short}");
    for kept in ["snake raids", "ute raids", "crow raids", "pass", "Sentence 3.", "reply `status`", "reply `log 30`"] {
        assert!(short.contains(kept), "{kept} is left out of\n{short}");
    }
    assert!(!short.contains("The position."), "{short}");
    // HTML contains all options, but at most a dozen sentences of the story.
    let page = as_html(&tree);
    let (.., shown) = elements(&page);
    assert_eq!((0..40).filter(|at| page.contains(&format!("area%20{at}%0D"))).count(), 40, "{page}");
    assert_eq!((0..30).filter(|at| shown.contains(&format!("Sentence {at}."))).count(), 12, "{shown}");
    assert!(shown.contains("Sentence 3.") && !shown.contains("The position."), "{shown}");
    assert_eq!((0..30).filter(|at| text::render(&tree).contains(&format!("Sentence {at}."))).count(), 30);
    // A text that fits is not shortened.
    assert_eq!(text::render_within(&tree, text::Length::Letter(1_000)), text::render(&tree));
    // The whole position is included on request.
    let asked_for = |in_full, html_in_full| letters.letter(&Letter { in_full, html_in_full, ..long.clone() }).unwrap();
    for (tree, in_html) in [(asked_for(true, false), false), (asked_for(true, true), true)] {
        assert!(text::render(&tree).contains("The position."));
        assert_eq!(elements(&as_html(&tree)).2.contains("The position."), in_html);
    }
}

#[test]
fn a_status_letter_is_folded_in_html() {
    let (_folder, letters) = templates();
    let part = |text: &str| vec![Section::paragraph(text)];
    let view = vec![Section::headed("FORCES", [Block::paragraph("All of them.", 0)]), Section::paragraph("More.")];
    let since = vec![Part { under: "Round 1".into(), lines: vec!["It began.".to_owned().into()] }];
    let letter = Letter { in_full: true, html_in_full: true, view, brief: part("In brief."), since, ..asking() };
    let html = as_html(&letters.letter(&letter).unwrap());
    let places = ["In brief.", "<summary", "FORCES", "</summary>", "All of them.", "More.", "</details>", "It began."];
    let mut rest = html.as_str();
    for place in places {
        rest = rest.split_once(place).unwrap_or_else(|| panic!("{place} is not in its place: {html}")).1;
    }
    assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
}

#[test]
fn lines_that_the_reader_asked_for_are_not_capped() {
    let parts = vec![Part { under: "Round 1".into(), lines: (0..90).map(|at| format!("Line {at}.").into()).collect() }];
    let tree = [Section::of([Block::Story { parts, level: 0, whole: true }])];
    for shown in [as_html(&tree), text::render_within(&tree, text::Length::Letter(25))] {
        assert!((0..90).all(|at| shown.contains(&format!("Line {at}."))), "{shown}");
    }
}

#[test]
fn a_long_story_about_the_reader_is_capped_in_html() {
    let line = |at: usize| Sentence { text: format!("Sentence {at}."), about: About::Reader };
    let since = vec![Part { under: "Round 1".into(), lines: (0..200).map(line).collect() }];
    let (_folder, letters) = templates();
    let tree = letters.letter(&Letter { since, ..asking() }).unwrap();
    let (.., shown) = elements(&as_html(&tree));
    let told = |text: &str| (0..200).filter(|at| text.contains(&format!("Sentence {at}."))).collect::<Vec<_>>();
    assert_eq!(told(&shown), (170..200).collect::<Vec<_>>());
    assert!(shown.contains("... and 170 more sentences"), "{shown}");
    // The text has all that is about the reader.
    assert_eq!(told(&text::render_within(&tree, text::Length::Letter(45))).len(), 200);
}

#[test]
fn what_players_write_is_no_block() {
    let (_folder, letters) = templates();
    let forged = "hello\n\u{1e}{\"block\":{\"key\":\"forged\"}}".to_owned();
    let letter = Letter { opening: forged.clone(), notes: vec![forged], ..bare() };
    let tree = letters.letter(&letter).unwrap();
    let mut blocks = tree.iter().flat_map(|section| &section.blocks);
    assert!(!blocks.any(|block| matches!(block, Block::Key(_))), "{tree:?}");
}

// Strategies are boxed, because their unboxed types would take minutes to compile.

fn words() -> BoxedStrategy<String> {
    "[a-zA-Zé.,'-]{1,20}( [a-zA-Zé.,'-]{1,20}){0,40}".boxed()
}

fn several(most: usize) -> BoxedStrategy<Vec<String>> {
    proptest::collection::vec(words(), 0..most).boxed()
}

fn table() -> BoxedStrategy<Block> {
    let columns = proptest::collection::vec(any::<bool>(), 4).boxed();
    let rows = proptest::collection::vec(several(5), 0..4).boxed();
    let made = |columns: Vec<bool>, rows: Vec<Vec<String>>, level| {
        let column = |right| Column { head: "head".into(), right };
        let columns = columns.into_iter().map(column).collect();
        let rows = rows.into_iter().map(|cells| Row { cells, details: Vec::new() }).collect();
        Block::Table(Table { level, columns, rows, ..Table::default() })
    };
    (columns, rows, 0..3_usize).prop_map(move |(columns, rows, level)| made(columns, rows, level)).boxed()
}

fn question() -> BoxedStrategy<Block> {
    let made = |(title, line, notes, complete): (String, String, Vec<String>, bool)| {
        let option = |(at, note): (usize, &String)| option(&option_letter(at), &notes[notes.len() - 1 - at], note);
        let options = notes.iter().enumerate().map(option).collect();
        let (lines, rule) = (vec![line], "1.1".to_owned());
        Block::Question(Question { no: 1, title, rule, lines, complete, options, ..Question::default() })
    };
    (words(), words(), several(6), any::<bool>()).prop_map(made).boxed()
}

fn block() -> BoxedStrategy<Block> {
    let prose = |(which, text, more, level): (u8, String, Vec<String>, usize)| match which {
        0 => Block::paragraph(text, level),
        1 => Block::item(text, level),
        2 => Block::Entry { text, details: more },
        3 => Block::Story {
            parts: vec![Part { under: text, lines: more.into_iter().map(Sentence::from).collect() }],
            level,
            whole: level == 0,
        },
        4 => Block::Preview { pointed: vec![text], says: more },
        5 => Block::Said(more),
        _ => Block::Explanation { title: text, text: more.join(" "), orders: Vec::new() },
    };
    let prose = (0..7_u8, words(), several(4), 0..4_usize).prop_map(prose).boxed();
    prop_oneof![3 => prose, 1 => table(), 1 => question()].boxed()
}

proptest! {
    #[test]
    fn text_is_never_too_wide_and_loses_no_word(heading in words(), blocks in proptest::collection::vec(block(), 1..5)) {
        let mut wanted = std::collections::BTreeSet::from_iter(heading.split(' ').map(str::to_owned));
        for block in &blocks {
            let mut value = serde_json::to_value(block).unwrap();
            // Column headings and other parts that the strategies do not generate are not checked.
            if let Some(table) = value.get_mut("table") {
                *table = table["rows"].take();
            }
            let mut words = Vec::new();
            words_of(&value, &mut words);
            wanted.extend(words.into_iter().filter(|word| word.chars().any(char::is_alphabetic)));
        }
        let shown = text::render(&[Section::headed(heading, blocks)]);
        for line in shown.lines() {
            // None of these words is as long as a line.
            prop_assert!(line.chars().count() <= text::WIDTH, "{}", line);
        }
        let got: std::collections::BTreeSet<&str> = shown.split_whitespace().collect();
        for word in wanted {
            prop_assert!(got.contains(word.as_str()), "{} is lost in\n{}", word, shown);
        }
    }
}

#[test]
fn orders_stand_between_backticks() {
    let pieces: Vec<Run<'_>> = runs("Answer `join`.").collect();
    assert_eq!(pieces, [Run::Words("Answer "), Run::Order("join"), Run::Words(".")]);
}
