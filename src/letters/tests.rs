//! Trees of letters: what a renderer may rely on, and what the one for text does with it.

use super::*;
use crate::store::Host;
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
        hash: "0a".repeat(32),
        signature: "1b".repeat(64),
        key: "2c".repeat(32),
    }
}

fn option(letter: &str, words: &str, note: &str) -> QuestionOption {
    QuestionOption { letter: letter.into(), words: words.into(), note: note.into() }
}

/// A letter that says nothing but its head.
fn bare() -> Letter {
    Letter { game: "lone-pine".into(), head: head(), ..Letter::default() }
}

/// A letter that asks something.
fn asking() -> Letter {
    let question = Question {
        no: 1,
        title: "An action of one Village".into(),
        rule: "7.1".into(),
        lines: vec!["The Round is yours.".into()],
        deadline: "By Friday.".into(),
        complete: true,
        options: vec![option("a", "pass", ""), option("b", "raid utah", "5 VPs on 8 or less")],
        more: 2,
    };
    let card = CardShown { place: "shaman, epoch 0, position 3".into(), name: "Raid".into(), salt: "3d".repeat(32) };
    Letter {
        opening: "Ben, one thing is asked of you (Turn 1, Round 2).".into(),
        since: vec![Part { under: "Turn 1, Round 1".into(), lines: vec!["Anna passes.".into()] }],
        view: vec![Section::of([Block::Entry { text: "Utah 3/19".into(), details: vec!["Ute 7".into()] }])],
        asked: vec![question.clone()],
        open: vec![Question { no: 2, complete: false, ..question }],
        examples: vec!["pass".into(), "raid utah".into()],
        lettered: "1a".into(),
        cards: vec![card],
        ..bare()
    }
}

/// An answer to orders, one of which failed.
fn answering() -> Letter {
    let failed = Failed { pointed: vec!["raid moon".into(), "     ^^^^".into()], why: "No Area is called so.".into() };
    let report = OrderReport { done: vec!["pass".into()], failed: Some(failed), left: vec!["join".into()], total: 3 };
    Letter { order_report: Some(report), notes: vec!["A remark.".into()], ..bare() }
}

/// A preview and an explanation.
fn explaining() -> Letter {
    let preview = Block::Preview { pointed: vec!["pass".into()], says: vec!["It is legal now.".into()] };
    let (title, text, orders) = ("raid (rule 7)".into(), "A Raid.".into(), vec!["raid utah".into()]);
    let help = Block::Explanation { title, text, orders };
    Letter { extra: vec![Section::of([preview]), Section::of([help])], ..bare() }
}

/// The last letter of a game.
fn ending() -> Letter {
    let mut ranking = Table::new(1, [Column::words("Player"), Column::numbers("VPs")]);
    ranking.row(["Anna".into(), "12".into()]);
    Letter { over: true, outcome: vec![Section::of([Block::Table(ranking)])], ..bare() }
}

/// A letter of each kind, as a tree.
fn kinds() -> Vec<(&'static str, Vec<Section>)> {
    let (_folder, letters) = templates();
    let invited = |seat: &str, name: &str, you| Invited { seat: seat.into(), name: name.into(), you, joined: !you };
    let invitation = Invitation {
        game: "lone-pine".into(),
        title: "The Auction".into(),
        name: "Ben".into(),
        joined: false,
        players: vec![invited("A", "Anna", false), invited("B", "Ben", true)],
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

/// Another renderer: all words of a tree in their order, without a thought for lines.
fn words_of(value: &serde_json::Value, out: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => out.extend(text.split_whitespace().map(str::to_owned)),
        serde_json::Value::Number(number) => out.push(number.to_string()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| words_of(item, out)),
        serde_json::Value::Object(members) => members.values().for_each(|item| words_of(item, out)),
        serde_json::Value::Bool(_) | serde_json::Value::Null => {}
    }
}

/// Words by which the renderer for text says what a block is.
const OF_THE_RENDERER: &str = "done not skipped rule For example and more key salt hash signed Journal entry for seat \
                               ANSWER by replying; write your orders above this line";

#[test]
fn the_tree_holds_every_word_of_its_text() {
    for (kind, tree) in kinds() {
        let mut known = Vec::new();
        words_of(&serde_json::to_value(&tree).unwrap(), &mut known);
        let known = known.join(" ");
        for word in text::render(&tree).split_whitespace() {
            let bare = word.trim_matches(|c: char| ",.:()".contains(c));
            let own = OF_THE_RENDERER.split(' ').any(|own| own == bare);
            assert!(own || known.contains(bare), "{kind}: {word} stands in no block");
        }
    }
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

// Strategies are boxed: their own types would take minutes to compile.

fn words() -> BoxedStrategy<String> {
    "[a-zA-Zé.,'-]{1,20}( [a-zA-Zé.,'-]{1,20}){0,40}".boxed()
}

fn several(most: usize) -> BoxedStrategy<Vec<String>> {
    proptest::collection::vec(words(), 0..most).boxed()
}

/// A table of four columns.
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

/// A question with an option for each note.
fn question() -> BoxedStrategy<Block> {
    let made = |(title, line, notes, complete): (String, String, Vec<String>, bool)| {
        let option = |(at, note): (usize, &String)| option(&letter(at), &notes[notes.len() - 1 - at], note);
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
        3 => Block::Story { parts: vec![Part { under: text, lines: more }], level },
        4 => Block::Preview { pointed: vec![text], says: more },
        _ => Block::Explanation { title: text, text: more.join(" "), orders: Vec::new() },
    };
    let prose = (0..6_u8, words(), several(4), 0..4_usize).prop_map(prose).boxed();
    prop_oneof![3 => prose, 1 => table(), 1 => question()].boxed()
}

proptest! {
    #[test]
    fn text_is_never_too_wide_and_loses_no_word(heading in words(), blocks in proptest::collection::vec(block(), 1..5)) {
        let mut wanted = std::collections::BTreeSet::from_iter(heading.split(' ').map(str::to_owned));
        for block in &blocks {
            let mut value = serde_json::to_value(block).unwrap();
            // Heads, and whatever else the strategies do not make up, are not looked for.
            if let Some(table) = value.get_mut("table") {
                *table = table["rows"].take();
            }
            let mut words = Vec::new();
            words_of(&value, &mut words);
            wanted.extend(words.into_iter().filter(|word| word.chars().any(char::is_alphabetic)));
        }
        let shown = text::render(&[Section::headed(heading, blocks)]);
        for line in shown.lines() {
            // No word of these is as long as a line.
            prop_assert!(line.chars().count() <= text::WIDTH, "{}", line);
        }
        let got: std::collections::BTreeSet<&str> = shown.split_whitespace().collect();
        for word in wanted {
            prop_assert!(got.contains(word.as_str()), "{} is lost in\n{}", word, shown);
        }
    }
}
