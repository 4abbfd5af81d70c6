//! Tests that involve several modules, and properties that must hold for any mail.

mod grammar;

use proptest::prelude::*;

use super::*;

fn places() -> Names<u8> {
    Names::from_iter(
        "place",
        [
            ("Arizona", 1),
            ("New Mexico", 2),
            ("NM", 2),
            ("Texas", 3),
            ("Mexico", 4),
            ("Indian Territory", 5),
            ("Utah", 6),
            ("Coeur d'Alene", 7),
        ],
    )
}

fn villages() -> Names<u8> {
    Names::from_iter(
        "village",
        [
            ("Teton Sioux 1", 1),
            ("Teton Sioux 2", 2),
            ("Teton Sioux 10", 10),
            ("Northern Cheyenne", 20),
            ("Southern Cheyenne", 21),
            ("Mimbres Apache", 30),
            ("Texas Rangers", 40),
        ],
    )
}

fn read(names: &Names<u8>, line: &str) -> Result<(u8, String), String> {
    let phrase = Phrase::new(line);
    let mut reader = phrase.reader();
    let value = reader.name(names).map_err(|misread| misread.to_string())?;
    Ok((value, reader.rest().to_owned()))
}

fn reads(names: &Names<u8>, line: &str, value: u8, rest: &str) {
    assert_eq!(read(names, line), Ok((value, rest.to_owned())), "{line}");
}

fn texts(line: &str) -> Vec<String> {
    Phrase::new(line).words().iter().map(|word| word.text.clone()).collect()
}

#[test]
fn words_are_made_comparable() {
    assert_eq!(texts("Coeur d’Alène, N.M. & St. Louis"), ["coeur", "dalene", "nm", "and", "st", "louis"]);
    assert_eq!(texts("* Teton-Sioux (2) -1 - x3 #4"), ["teton", "sioux", "2", "-1", "x3", "4"]);
    assert_eq!(texts("Can\u{303}on Cañon 1.a 5-3"), ["canon", "canon", "1", "a", "5", "3"]);
    assert_eq!(texts("'Raid' Crook's"), ["raid", "crooks"]);
    assert!(Phrase::new(" -- ... ").is_empty());
}

#[test]
fn words_remember_their_columns_in_the_whole_line() {
    let clauses = clauses("Bé: raid «Utah»");
    let utah = &clauses[1].words()[1];
    assert_eq!((utah.text.as_str(), utah.start, utah.end), ("utah", 10, 14));
    assert_eq!(clauses[1].text(), "raid «Utah");
}

#[test]
fn a_line_is_split_into_clauses() {
    let split = |line: &str| clauses(line).iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(split("evade and then, pursue;; : accept."), ["evade", "pursue", "accept"]);
    assert_eq!(split("standing until 20:00: evade"), ["standing until 20:00", "evade"]);
    assert_eq!(split("1: raid utah"), ["1", "raid utah"]);
    assert_eq!(split("1) b"), ["1) b"]);
    assert!(split("; then :").is_empty());
}

#[test]
fn keywords_are_met_in_their_forms_and_beginnings() {
    let met = |word: &str, keyword: &str| Phrase::new(word).reader().eat(keyword);
    for word in ["attack", "Attacks", "attacked", "attacking", "att", "attac"] {
        assert!(met(word, "attack"), "{word}");
    }
    for (word, keyword) in [("moving", "move"), ("moved", "move"), ("parties", "party"), ("stopped", "stop")] {
        assert!(met(word, keyword), "{word}");
    }
    for (word, keyword) in [("at", "attack"), ("attacker", "attack"), ("wa", "war"), ("attakc", "attack"), ("", "raid")]
    {
        assert!(!met(word, keyword), "{word}");
    }
}

#[test]
fn keywords_of_several_words_are_read_all_or_none() {
    let after = |line: &str, keyword: &str| {
        let phrase = Phrase::new(line);
        let mut reader = phrase.reader();
        (reader.eat_phrase(keyword), reader.understood())
    };
    assert_eq!(after("war parties move", "war party"), (true, 2));
    assert_eq!(after("warparty moves", "war party"), (true, 1));
    assert_eq!(after("war paint", "war party"), (false, 0));
    assert_eq!(after("war", "war party"), (false, 0));
}

#[test]
fn a_beginning_of_two_keywords_is_neither() {
    let any = |line: &str, keywords: &[&str]| Phrase::new(line).reader().eat_any(keywords);
    assert_eq!(any("react", &["reaction", "react"]), Some(1));
    assert_eq!(any("rea", &["reaction", "ready"]), None);
    assert_eq!(any("reac", &["reaction", "ready"]), Some(0));
    assert_eq!(any("raid camp", &["raid", "raid camp"]), Some(1));
    assert_eq!(any("raid camps", &["raid", "raid camp"]), Some(1));
    assert_eq!(any("raid camels", &["raid", "raid camp"]), Some(0));
    assert_eq!(any("raid", &["raid", "raid"]), Some(0));
}

#[test]
fn what_must_come_may_have_a_slip_and_else_says_what_is_missing() {
    let phrase = Phrase::new("atack mine");
    let mut reader = phrase.reader();
    assert_eq!(reader.expect("attack"), Ok(()));
    let misread = reader.expect_any(&["settlement", "column"]).unwrap_err();
    assert_eq!((misread.start, misread.end, misread.understood), (6, 10, 1));
    assert_eq!(misread.why, "“settlement” or “column” is expected here, not “mine”");
    assert!(reader.eat("mine"));
    let misread = reader.expect("in").unwrap_err();
    assert_eq!(misread.point(phrase.line()), "atack mine\n          ^");
    assert_eq!(misread.to_string(), "“in” is missing at the end");
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let number = |line: &str| Phrase::new(line).reader().number();
    for (value, lines) in [(3, "3|three|x3|3x|×3"), (-1, "-1"), (-2, "minus two"), (30, "Thirty"), (2, "+2")] {
        lines.split('|').for_each(|line| assert_eq!(number(line), Some(value), "{line}"));
    }
    for line in [
        "",
        "x",
        "minus",
        "mine",
        "99999999999999999999",
        "-9223372036854775808",
        "minus -9223372036854775808",
        "9007199254740992",
        "3a",
        "x3x",
    ] {
        assert_eq!(number(line), None, "{line}");
    }
}

#[test]
fn the_longest_exact_name_wins() {
    reads(&places(), "New Mexico", 2, "");
    reads(&places(), "mexico", 4, "");
    reads(&villages(), "teton sioux 1", 1, "");
    reads(&villages(), "teton sioux 10 attacks", 10, "attacks");
    reads(&places(), "nm raid", 2, "raid");
    // Spacing is ignored.
    reads(&places(), "newmexico raid", 2, "raid");
    reads(&villages(), "tetonsioux2", 2, "");
}

#[test]
fn names_may_be_cut_short() {
    reads(&villages(), "n cheyenne attacks", 20, "attacks");
    reads(&villages(), "teton 2 attacks", 2, "attacks");
    reads(&villages(), "mimb", 30, "");
    reads(&villages(), "apache", 30, "");
    reads(&places(), "ind. terr.", 5, "");
    let leaders = Names::from_iter("leader", [("Crooked Lance", 1), ("George Crook", 2)]);
    reads(&leaders, "crook", 2, "");
}

#[test]
fn a_number_is_never_cut_short() {
    let villages = Names::from_iter("village", [("Kiowa 10", 10), ("7th Cavalry", 7)]);
    assert_eq!(villages.find("kiowa 1").unwrap_err().why, "no village is called “kiowa 1”");
    assert_eq!(villages.find("7 cav"), Ok(7));
}

#[test]
fn names_may_be_misspelt() {
    reads(&places(), "arizonna is", 1, "is");
    reads(&villages(), "mimbres apahce attacks", 30, "attacks");
    reads(&villages(), "teton siuox 2", 2, "");
    // Short names may not be misspelled, and two typos are too many.
    for line in ["utha", "arizzonna"] {
        assert!(read(&places(), line).is_err(), "{line}");
    }
    // Nor may an abbreviated name be misspelled: "back" is not the Black Hills.
    let hills = Names::from_iter("region", [("Black Hills", 1), ("Texas", 2)]);
    assert_eq!(hills.find("back").unwrap_err().why, "no region is called “back”");
    assert_eq!(hills.find("blak hills"), Ok(1));
    let settlers = Names::from_iter("force", [("Ohio settler", 1), ("Army", 2)]);
    assert_eq!(settlers.find("settlers"), Ok(1));
    assert!(settlers.find("armys").is_err());
}

#[test]
fn a_name_leaves_what_follows_alone() {
    let leaders = Names::from_iter("leader", [("Victorio", 1), ("Cochise", 2)]);
    reads(&leaders, "victorio attacks mine", 1, "attacks mine");
    reads(&leaders, "Victorio's party", 1, "party");
    // In two merged lists, "texas" alone is Texas, even if other names begin with it.
    let mut both = villages();
    both.add("Texas", 50);
    reads(&both, "texas", 50, "");
    reads(&both, "texas r", 50, "r");
    reads(&both, "texas rangers", 40, "");
}

#[test]
fn a_name_that_is_cut_short_ends_at_a_comma() {
    reads(&places(), "texas, arizona", 3, "arizona");
    let villages = Names::from_iter("village", [("Teton Sioux 2", 2), ("Oto", 3)]);
    reads(&villages, "teton, 2", 2, "2");
}

#[test]
fn small_words_and_lone_letters_are_no_names() {
    for line in ["in arizona", "a", "i", "2", "4 with cochise", "to"] {
        let phrase = Phrase::new(line);
        let mut reader = phrase.reader();
        assert_eq!(reader.try_name(&villages()), None, "{line}");
        assert_eq!(
            reader.try_name(&Names::from_iter("place", [("Indian Territory", 1), ("Tonto", 2)])),
            None,
            "{line}"
        );
        assert_eq!(reader.understood(), 0);
    }
}

#[test]
fn a_name_with_several_meanings_lists_them() {
    let phrase = Phrase::new("attack teton");
    let mut reader = phrase.reader();
    assert!(reader.eat("attack"));
    let misread = reader.name(&villages()).unwrap_err();
    assert_eq!(misread.to_string(), "“teton” could be Teton Sioux 1, Teton Sioux 2 or Teton Sioux 10");
    assert_eq!(misread.nearest.len(), 3);
    assert_eq!((misread.start, misread.end, misread.understood), (7, 12, 2));
    assert_eq!(reader.understood(), 1);
    assert_eq!(reader.try_name(&villages()), None);
    let many = Names::from_iter("village", (1..=9).map(|n| (format!("Ute {n}"), n)));
    assert!(many.find("ute").unwrap_err().why.ends_with("Ute 6 or 3 more"));
}

#[test]
fn aliases_of_one_value_are_no_riddle() {
    let leaders = Names::from_iter("leader", [("Crazy Horse", 1), ("Crazy", 1), ("Crazy Snake", 2)]);
    reads(&leaders, "crazy", 1, "");
    reads(&leaders, "crazy h", 1, "");
    reads(&leaders, "cra h attacks", 1, "attacks");
}

#[test]
fn an_unknown_name_offers_the_nearest() {
    let misread = places().find("azironaa").unwrap_err();
    assert_eq!(misread.why, "no place is called “azironaa”");
    assert_eq!(misread.to_string(), "no place is called “azironaa”; did you mean Arizona?");
    // The suggestion is the first name of the value, not the similar alias.
    let places = Names::from_iter("place", [("Indian Territory", 1), ("Oklahoma", 1)]);
    assert_eq!(places.find("oklahumu").unwrap_err().nearest, ["Indian Territory"]);
    assert_eq!(places.find("").unwrap_err().why, "a place is missing at the end");
}

#[test]
fn what_is_left_over_is_pointed_at() {
    let phrase = clauses("evade: react crook with 5 men; accept").remove(1);
    let mut reader = phrase.reader();
    assert!(reader.eat("react"));
    let misread = reader.end().unwrap_err();
    assert_eq!(misread.why, "“crook with 5 men” is left over");
    assert_eq!(misread.point(phrase.line()), "evade: react crook with 5 men; accept\n             ^^^^^^^^^^^^^^^^");
    let mark = reader.understood();
    assert!(reader.eat("crook"));
    let misread = reader.fail_from(mark, "Crook has reacted already");
    assert_eq!((misread.start, misread.end, misread.understood), (13, 18, 2));
}

#[test]
fn a_long_line_is_shown_around_the_words() {
    let line = format!("{}\tutha {}", "a ".repeat(100), "b ".repeat(100));
    let phrase = Phrase::new(&line);
    let word = &phrase.words()[100];
    let misread = Misread { start: word.start, end: word.end, why: String::new(), nearest: Vec::new(), understood: 0 };
    let pointed = misread.point(&line);
    let (shown, marks) = pointed.split_once('\n').unwrap();
    assert!(shown.chars().count() <= 80 && shown.starts_with('…') && shown.ends_with('…'));
    let column = marks.chars().position(|c| c == '^').unwrap();
    assert_eq!(shown.chars().skip(column).take(4).collect::<String>(), "utha");
    assert_eq!(marks.trim(), "^^^^");
}

#[test]
fn the_misreading_that_got_furthest_is_the_best() {
    let misread = |understood, nearest: &[&str]| {
        let nearest = nearest.iter().map(|&name| name.to_owned()).collect();
        Misread { start: 0, end: 0, why: String::new(), nearest, understood }
    };
    assert_eq!(misread(1, &["Utah"]).best(misread(2, &[])).understood, 2);
    assert_eq!(misread(2, &[]).best(misread(2, &["Utah"])).nearest, ["Utah"]);
    assert_eq!(misread(2, &["Utah"]).best(misread(2, &["Ute"])).nearest, ["Utah"]);
}

#[test]
fn options_are_read_and_words_are_not() {
    let read = |line: &str| {
        let option = option_ref(&Phrase::new(line))?;
        Some((option.prompt, option.index()?))
    };
    for (line, prompt, index) in [
        ("1a", Some(1), 0),
        ("2 b", Some(2), 1),
        ("2: b", Some(2), 1),
        ("1.a)", Some(1), 0),
        ("option 2a", Some(2), 0),
        ("prompt 2 option b", Some(2), 1),
        ("option ab", None, 23),
        ("2ab", Some(2), 23),
        ("B", None, 1),
        ("No. 2 b", Some(2), 1),
        ("2. option b", Some(2), 1),
    ] {
        assert_eq!(read(line), Some((prompt, index)), "{line}");
    }
    for line in [
        "", "no", "ok", "0", "0a", "-1", "3", "#3", "option 3", "no b", "a word", "5 vp", "5 5", "evade", "b 2",
        "1a raid", "option", "ж",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("teton".to_owned()),
        Just("sioux 2".to_owned()),
        Just("then".to_owned()),
        Just("d'".to_owned()),
        Just("Én".to_owned()),
        Just("İ\u{307}".to_owned()),
        Just("war party".to_owned()),
        "[-:;.,&' 0-9ax]{0,6}",
        any::<String>(),
    ];
    proptest::collection::vec((piece, prop_oneof![Just(""), Just(" ")]), 0..8)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| piece + gap).collect())
}

proptest! {
    #[test]
    fn reading_never_panics_and_points_into_the_line(line in line()) {
        let length = line.chars().count();
        let mut last = 0;
        for phrase in clauses(&line).into_iter().chain([Phrase::new(&line)]) {
            prop_assert_eq!(phrase.line(), &line);
            for pair in phrase.words().windows(2) {
                prop_assert!(pair[0].end <= pair[1].start);
            }
            for word in phrase.words() {
                prop_assert!(word.start < word.end && word.end <= length && !word.text.is_empty());
            }
            let _ = option_ref(&phrase).and_then(|option| option.index());
            let mut reader = phrase.reader();
            while !reader.at_end() {
                let before = reader.understood();
                let mut misreads = vec![reader.fail("because"), reader.end().unwrap_err()];
                misreads.extend(reader.clone().expect_any(&["attack", "war party"]).err());
                misreads.extend(reader.clone().name(&villages()).err());
                for misread in misreads {
                    prop_assert!(misread.start <= misread.end && misread.end <= length);
                    prop_assert!(misread.understood >= before);
                    prop_assert_eq!(misread.point(&line).lines().count(), 2);
                }
                let eaten = reader.eat("war party") || reader.number().is_some()
                    || reader.try_name(&villages()).is_some();
                if !eaten {
                    prop_assert_eq!(reader.understood(), before);
                    let word = reader.peek().unwrap().to_owned();
                    reader.skip(&[&word]);
                }
                prop_assert!(reader.understood() > before);
            }
            prop_assert!(reader.end().is_ok());
            last += 1;
        }
        prop_assert!(last > 0);
    }

    #[test]
    fn every_name_is_found_by_its_own_text(texts in proptest::collection::vec("[A-Za-zéñ'. 0-9-]{1,20}", 1..12)) {
        let mut names = Names::new("name");
        let mut added: Vec<(Vec<String>, String)> = Vec::new();
        for text in texts {
            let words = super::tests::texts(&text);
            if !words.is_empty() && !added.iter().any(|(known, _)| *known == words) {
                names.add(&text, added.len());
                added.push((words, text));
            }
        }
        for (value, (_, text)) in added.iter().enumerate() {
            prop_assert_eq!(names.find(text), Ok(value));
            let phrase = Phrase::new(text);
            let mut reader = phrase.reader();
            prop_assert_eq!(reader.name(&names), Ok(value));
            prop_assert!(reader.at_end());
        }
    }
}

proptest! {
    #[test]
    fn plain_texts_have_the_words_of_phrases(text in "[a-zA-Z0-9 .'-]{0,24}|please [a-z ]{0,8}") {
        let words: Vec<String> = Phrase::new(&text).words().iter().map(|word| word.text.clone()).collect();
        prop_assert_eq!(super::phrase::plain_words(&text), words);
    }
}
