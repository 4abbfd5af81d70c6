use super::*;

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
