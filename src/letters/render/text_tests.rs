use super::*;
use crate::Failed;

fn option(letter: &str, words: &str, note: &str) -> QuestionOption {
    QuestionOption { letter: letter.into(), words: words.into(), note: note.into() }
}

#[test]
fn notes_stand_in_a_column() {
    let options =
        [option("a", "play raid", "then raid with a Raider tribe"), option("b", "pass", ""), option("c", "wait", "x")];
    insta::assert_snapshot!(choices(&options.each_ref(), false), @r"
         a  play raid  then raid with a Raider tribe
         b  pass
         c  wait       x
    ");
}

#[test]
fn a_long_order_keeps_its_short_note_on_its_line() {
    let options = [
        option("a", "comanche attacks town in texas", "5 VPs on 8 or less"),
        option("b", "southern cheyenne attacks settlement in colorado", "2 VPs on 8"),
        option("c", "comanche attacks mimbres apache village in new mexico", "odds 3-2 v 6 BPs"),
        option("d", "comanche relocate to new mexico", "12/5"),
        option("e", "pass", "no action; unused Villages double their SPs"),
    ];
    insta::assert_snapshot!(choices(&options.each_ref(), false), @r"
         a  comanche attacks town in texas                    5 VPs on 8 or less
         b  southern cheyenne attacks settlement in colorado  2 VPs on 8
         c  comanche attacks mimbres apache village in new mexico
                odds 3-2 v 6 BPs
         d  comanche relocate to new mexico                   12/5
         e  pass  no action; unused Villages double their SPs
    ");
}

/// Packed options omit their common words only if the options above begin with the same words:
/// otherwise `h council bluffs` would be read as a move of the six above it.
#[test]
fn options_in_a_row_say_how_they_begin_where_others_begin_otherwise() {
    let options: Vec<QuestionOption> = [("a", "move 6 brown to fort kearny"), ("b", "move 9 cubes to fort kearny")]
        .into_iter()
        .chain([("c", "move 9 cubes to fort randall"), ("d", "move 9 cubes to council bluffs"), ("e", "done")])
        .map(|(letter, words)| option(letter, words, ""))
        .collect();
    let of = |letters: &str| options.iter().filter(|one| letters.contains(&*one.letter)).collect::<Vec<_>>();
    let plain = |text: Option<String>| text.unwrap().replace(FIGURE_SPACE, " ").trim().to_owned();
    assert_eq!(
        plain(packed("also", &of("cd"), &of("ab"))),
        "also `move 9 cubes to` ...: c fort randall, d council bluffs"
    );
    assert_eq!(plain(packed("also", &of("cd"), &of("b"))), "also: c fort randall, d council bluffs");
}

#[test]
fn lines_are_filled_to_the_width_and_no_further() {
    let text = "word ".repeat(60);
    let filled = fill(&text, "  R6  ", "      ");
    assert!(filled.lines().all(|line| line.chars().count() <= WIDTH), "{filled}");
    assert!(filled.lines().next().is_some_and(|line| line.len() == 6 + 14 * 5 - 1 && line.starts_with("  R6  word")));
    assert!(filled.lines().skip(1).all(|line| line.starts_with("      word")));
    let long = "x".repeat(100);
    assert_eq!(fill(&format!("a {long} b"), "", " "), format!("a\n {long}\n b"));
}

#[test]
fn many_orders_share_lines_and_stay() {
    let done: Vec<String> = (1..=12).map(|n| format!("h{n}: 2400 > 2401 > 2402 > 2403")).collect();
    let failed = Failed { pointed: vec!["h13: 2404".into()], why: "No way leads there.".into() };
    let report = OrderReport { done, failed: Some(failed), left: vec!["h14: 2405".into(); 6], total: 19 };
    let remark = |n: usize| format!("Remark {n} that somebody needs to know, with words enough for a line of its own.");
    let question = Question {
        no: 1,
        title: "Movement".into(),
        lines: (1..=3).map(remark).collect(),
        options: "abcdefgh".chars().map(|letter| option(&letter.to_string(), "h1: 2405", "")).collect(),
        complete: true,
        ..Question::default()
    };
    let section = |block: Block| Section { blocks: vec![block], ..Section::default() };
    let all = [section(Block::OrderReport(report)), section(Block::Question(question))];
    let text = render_within(&all, Length::Changes(25));
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.contains("Remark 1 that") && !text.contains("more to know"), "{text}");
    assert!("abcdefgh".chars().all(|letter| text.contains(&format!("     {letter}  "))), "{text}");
    assert!(text.contains("  done      h1: 2400") && (1..=12).all(|n| text.contains(&format!("h{n}: 2400"))), "{text}");
    assert!(text.contains("  not done  h13: 2404") && text.contains("No way leads there."), "{text}");
    assert_eq!(text.matches("h14: 2405").count(), 6, "{text}");
    // If there is room, each has its own line.
    assert!(render(&all).contains("\n  done      h12: 2400"));
}
