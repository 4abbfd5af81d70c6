//! Tests of the built-in components against the rulebook, and of the faults reported for a damaged
//! file.

use super::{
    super::state::{MISSIONS, SKULLS},
    Components, Kit as _, Loss, Odds, Terrain, TribeId, TribeSet, VillageId,
};
use postrider_table::components::Fault;

const TEXT: &str = include_str!("../components.toml");

fn pieces() -> &'static Components {
    Components::builtin()
}

fn village(name: &str) -> VillageId {
    pieces().village_by_name(name).unwrap_or_else(|| panic!("no {name}"))
}

fn spoilt(old: &str, new: &str) -> (usize, Vec<Fault>) {
    let at = TEXT.find(old).unwrap_or_else(|| panic!("no {old:?} in the file"));
    let text = TEXT.replacen(old, new, 1);
    let fault = Components::parse(&text, "mine.toml").expect_err("the change must be noted");
    (TEXT[..at].matches('\n').count() + 1, fault.faults)
}

/// geronimo 2.21, 2.3, 2.5, 5.4, 4.22
#[test]
fn the_box_is_complete() {
    let p = pieces();
    assert_eq!((p.areas.len(), p.tribes.len(), p.villages.len()), (18, 28, 32));
    assert_eq!((p.commanders.len(), p.turns.len()), (24, 8));
    assert_eq!(p[p.tribe_by_name("sioux").unwrap()].villages.len(), 3);
    assert_eq!(Components::FILE, TEXT);
    assert_eq!(p.turn(1).unwrap().commanders, Some(6));
    assert_eq!(p.turn(3).unwrap().commanders, Some(10));
    // Turns are five years long; the markers are those of the counter set.
    let years: Vec<&str> = p.turns.iter().map(|turn| turn.years.as_str()).collect();
    let spans: Vec<String> = (0..8).map(|turn| format!("{}-{}", 1851 + 5 * turn, 55 + 5 * turn)).collect();
    assert_eq!(years, spans);
    assert_eq!((SKULLS, MISSIONS), (16, 3));
}

/// geronimo 5.46
#[test]
fn the_last_turns_have_a_formula_for_commanders() {
    let open: Vec<u8> = pieces().turns.iter().filter(|t| t.commanders.is_none()).map(|t| t.turn).collect();
    assert_eq!(open, [7, 8]);
}

/// geronimo 5.241, 6.36, 2.11
#[test]
fn the_map_has_its_corners_edges_and_range() {
    let p = pieces();
    let at = |code| p.area_by_code(code).unwrap();
    assert!(p.adjacent(at("CO"), at("AZ")) && p.adjacent(at("UT"), at("NM")));
    assert!(p.distance(at("AZ"), at("SD")).unwrap() > 2, "out of a War Party's range");
    assert_eq!(p.distance(at("AZ"), at("AZ")), Some(0));
    assert_eq!(p[at("TX")].terrain, Terrain::Mountain);
    assert_eq!((p[at("CA")].survival, p[at("AZ")].survival, p[at("ID")].survival), (24, 16, 18));
    assert_eq!(p[at("MN")].statehood, 6);
    let crossing = |edge: fn(&super::Area) -> bool| p.areas.iter().filter(|area| edge(area)).count();
    assert_eq!(crossing(|area| area.west_edge), 3);
    assert!(crossing(|area| area.east_edge) > 0);
}

/// geronimo 6.51
#[test]
fn chiefs_serve_their_turns_and_villages() {
    let p = pieces();
    let turns = |name| p[p.chief_by_name(name).unwrap()].turns;
    assert_eq!((turns("Pocatello"), turns("Bear Hunter")), ((1, 2), (3, 4)));
    assert!(p[p.chief_by_name("Pocatello").unwrap()].available_in(2));
    assert!(!p[p.chief_by_name("Pocatello").unwrap()].available_in(3));
    let crazy_horse = p.chief_by_name("Crazy Horse").unwrap();
    assert_eq!(p.villages_of_chief(crazy_horse), [village("Teton Sioux 1"), village("Teton Sioux 2")]);
    assert_eq!(p.villages_of_chief(p.chief_by_name("Inkpaduta").unwrap()), [village("Santee")]);
    for chief in &p.chiefs {
        assert!(chief.village.is_some() || p[chief.tribe].name == "Sioux", "{}", chief.name);
    }
}

/// geronimo 7.32, 7.62
#[test]
fn battle_table_gives_the_results_of_the_examples() {
    let at = |total| (pieces().battle.at(total).loss, pieces().battle.at(total).massacre);
    assert_eq!((at(5), at(6)), ((Loss::Bps(1), None), (Loss::Bps(1), None)));
    assert_eq!(at(14), (Loss::Bps(3), Some(2)));
    assert_eq!((at(2), at(-8)), ((Loss::Bps(0), None), (Loss::Bps(0), None)));
    assert_eq!((at(17), at(40)), ((Loss::All, Some(1)), (Loss::All, Some(1))));
}

/// geronimo 7.31, 13
#[test]
fn odds_modifiers_are_the_printed_ones() {
    let drm = |odds| pieces().odds.drm(odds);
    assert_eq!((drm(Odds::ThreeOne), drm(Odds::TwoOne), drm(Odds::OneOne)), (4, 2, 0));
    for odds in Odds::ALL {
        assert_eq!(drm(odds.inverse()), -drm(odds), "{odds}");
        assert_eq!(odds.inverse().inverse(), odds);
    }
    assert_eq!(Odds::ThreeTwo.inverse(), Odds::TwoThree);
    assert!(pieces().odds.is_known(Odds::OneOne) && !pieces().odds.is_known(Odds::ThreeTwo));
}

/// geronimo 2.21, 6.71, 6.73
#[test]
fn relations_hold_both_ways() {
    let p = pieces();
    let of = |name| p.tribe_by_name(name).unwrap();
    for a in p.tribe_ids() {
        assert!(p.friends(a, a));
        for b in p.tribe_ids() {
            assert_eq!((p.friends(a, b), p.enemies(a, b)), (p.friends(b, a), p.enemies(b, a)));
            assert!(!(p.friends(a, b) && p.enemies(a, b)));
            let spared = a == b || b == of("Ute") || b == of("Yavapai");
            assert_eq!(a == of("Apache") && !spared, a == of("Apache") && p.enemies(a, b));
        }
    }
    assert!(p.friends(of("Sioux"), of("Arapaho")) && p.friends(of("Sioux"), of("Assiniboine")));
    assert!(!p.enemies(of("Arapaho"), of("Assiniboine")));
    assert!(p.chiefs_of(of("Assiniboine")).next().is_none());
}

#[test]
fn tribe_sets_are_sets() {
    let mut set = TribeSet::new();
    assert!(set.is_empty() && set.insert(TribeId(27)) && set.insert(TribeId(3)) && !set.insert(TribeId(3)));
    assert_eq!(set.iter().collect::<Vec<_>>(), [TribeId(3), TribeId(27)]);
    assert!(set.len() == 2 && set.contains(TribeId(27)) && !set.contains(TribeId(200)));
}

#[test]
fn tables_fit_the_page_and_name_their_sources() {
    let text = Components::print(TEXT, "components.toml").expect("it is right");
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for part in ["AREAS", "VILLAGES", "RELATIONS", "CHIEFS", "COMMANDERS", "MINES", "BATTLES", "ODDS", "TURNS"] {
        assert!(text.contains(part), "{part}");
    }
    let row = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap();
    assert!(row("George Crook").contains("guerilla") && row("George Crook").contains("known: all"));
    assert!(row("Alfred Terry").ends_with("house"));
    assert_eq!(row("14 ").split_whitespace().take(3).collect::<Vec<_>>(), ["14", "3", "2"]);
}

#[test]
fn a_one_sided_border_is_shown_with_both_places() {
    let (line, faults) = spoilt(r#"adjacent = ["OR", "ID"]"#, r#"adjacent = ["OR", "ID", "TX"]"#);
    assert_eq!((faults.len(), faults[0].line, faults[0].column), (1, line, 25));
    let told = faults[0].kind.to_string();
    let texas = TEXT[..TEXT.find(r#"adjacent = ["NM", "IT"]"#).unwrap()].matches('\n').count() + 1;
    assert!(told.contains(&format!(r#"add "WA" to adjacent of TX on line {texas}"#)), "{told}");
}

#[test]
fn a_misspelt_key_is_told_once_with_the_right_one() {
    let (line, faults) = spoilt("statehood = 10", "stathood = 10");
    assert_eq!((faults.len(), faults[0].line, faults[0].key.as_str()), (1, line, "area.stathood"));
    assert!(faults[0].kind.to_string().ends_with(r#"did you mean "statehood"?"#));
}

#[test]
fn an_unknown_tribe_is_told_with_the_nearest() {
    let (line, faults) = spoilt(r#"["Sioux", "Assiniboine"],"#, r#"["Sioux", "Assinboin"],"#);
    assert_eq!((faults.len(), faults[0].line, faults[0].column), (1, line, 13));
    assert_eq!(faults[0].kind.to_string(), r#"no tribe "Assinboin"; did you mean "Assiniboine"?"#);
}

#[test]
fn a_missing_area_is_told_by_its_code() {
    let start = TEXT.find("[[area]]\ncode = \"UT\"").unwrap();
    let end = start + 1 + TEXT[start + 1..].find("[[area]]").unwrap();
    let (_, faults) = spoilt(&TEXT[start..end], "");
    let first = TEXT[..TEXT.find("[[area]]").unwrap()].matches('\n').count() + 1;
    let missing = &faults[0];
    assert_eq!((missing.line, missing.column, missing.key.as_str()), (first, 1, "area"));
    assert!(missing.kind.to_string().starts_with("Area UT is missing; add a [[area]]"));
    // The only other faults are those of Villages and Mines in the missing Area.
    assert!(faults[1..].iter().all(|fault| fault.key.ends_with(".area")), "{faults:?}");
}

#[test]
fn all_faults_are_told_in_one_go() {
    let text = TEXT
        .replacen("survival = 18", "survival = 99", 1)
        .replacen("terrain = \"mountain\"", "terrain = \"hill\"", 1)
        .replacen("turns = [1, 3]", "turns = [3, 1]", 1)
        .replacen("total = 9\n", "total = 19\n", 1)
        .replacen("\"2-1\" = 2", "\"2-1\" = 9", 1)
        .replacen("basic_size = 6", "basic_size = 9", 1);
    let fault = Components::parse(&text, "mine.toml").unwrap_err();
    let told = fault.to_string();
    for part in [
        "area.survival: 99 is not possible here; write a whole number from 0 to 40",
        "area.terrain: no terrain \"hill\"; write one of plains, mountain",
        "chief.turns: [3, 1] is not possible here",
        "battle.total: 19 follows total 8; the next row must be 9",
        "odds.2-1: 9 is not possible here; write a whole number from -8 to 8",
        "village.basic_size: 9 is above the size of 7",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    assert!(told.lines().all(|line| line.starts_with("mine.toml:")));
}

#[test]
fn friends_cannot_be_enemies() {
    let (line, faults) = spoilt(r#"["Sioux", "Crow"],"#, r#"["Sioux", "Crow"], ["Sioux", "Cheyenne"],"#);
    assert_eq!((faults.len(), faults[0].line), (1, line));
    assert!(faults[0].kind.to_string().starts_with("Sioux and Cheyenne are friends and enemies"));
}

#[test]
fn text_that_is_no_toml_is_told_with_its_line() {
    let (line, faults) = spoilt("name = \"Oregon\"", "name = \"Oregon");
    assert_eq!(faults[0].line, line);
    assert!(faults[0].kind.to_string().starts_with("not TOML: "));
}

#[test]
fn an_empty_list_is_no_table() {
    let told = Components::parse("battle = []\n", "mine.toml").unwrap_err().to_string();
    assert!(told.contains("mine.toml:1:10: battle: [] is not possible here; write [[battle]] tables"), "{told}");
}
