use crate::{
    State,
    card::Card,
    components::AreaId,
    state::*,
    tally::Tally,
    testing,
    view::{ending, outcome, view},
    visibility::masked,
};
use postrider_table::Seat;
use serde_json::{Value, json};

const SEATS: [Option<Seat>; 5] = [None, Some(Seat(0)), Some(Seat(1)), Some(Seat(2)), Some(Seat(3))];

/// Returns a position with four players and an empty map; A plays the US.
fn bare() -> State {
    let mut g = testing::basic(4);
    (g.turn, g.round, g.phase, g.dealt) = (5, 9, Phase::CardPlay, 5);
    (g.active, g.us_before) = (Some(Seat(1)), Some(Seat(2)));
    g.areas = vec![AreaState::default(); g.c.areas.len()];
    g.reserve = Reserve::default();
    g.removed.clear();
    (g.shaman_epoch, g.tribal_epoch, g.us_rounds) = (1, 1, 2);
    g.mine_cup = g.c.mine_ids().skip(8).collect();
    g
}

fn at(g: &State, name: &str) -> AreaId {
    g.c.area_by_name(name).unwrap()
}

fn village_of(g: &State, name: &str) -> crate::components::VillageId {
    g.c.village_by_name(name).unwrap()
}

fn give(g: &mut State, seat: u8, tribes: &[&str], shown: &[&str]) {
    for name in tribes {
        let t = g.c.tribe_by_name(name).unwrap();
        let pos = Some(t.index());
        g.tribes[t.index()] =
            TribeState { holder: Some(Seat(seat)), revealed: shown.contains(name), pos, divided: false };
    }
}

fn deal(g: &mut State, seat: u8, cards: &[Card]) {
    let hand = cards.iter().enumerate().map(|(i, &card)| Held { card, pos: 5 * usize::from(seat) + i });
    g.hands[usize::from(seat)].extend(hand);
}

fn column<'g>(g: &'g mut State, commander: &str, bps: i32, guns: i32, area: &str, in_fort: bool) -> &'g mut Column {
    let m = g.c.commander_by_name(commander).unwrap();
    let id = ColumnId(g.next_column);
    g.next_column += 1;
    g.commanders[m.index()] = CommanderPlace::Column(id);
    let area = at(g, area);
    let column = Column {
        id,
        commander: Some(m),
        bps,
        guns,
        gatlings: 0,
        area,
        in_fort,
        played_in: 0,
        group: None,
        attacked_in: 0,
    };
    g.columns.push(column);
    g.columns.last_mut().unwrap()
}

/// Returns a position in the middle of a Turn with a bit of everything.
fn position() -> State {
    let mut g = bare();
    let towns =
        [("California", 2, 4, 1), ("Kansas", 2, 2, 1), ("Nebraska", 1, 3, 1), ("Texas", 1, 1, 1), ("Utah", 0, 3, 0)];
    for (name, towns, settlements, rrs) in towns {
        let a = at(&g, name);
        *g.area_mut(a) = AreaState { towns, settlements, rrs, ..AreaState::default() };
    }
    for name in ["California", "Kansas", "Texas"] {
        let a = at(&g, name);
        g.area_mut(a).state = true;
    }
    let mines: Vec<_> = g.c.mine_ids().take(8).collect();
    for id in mines {
        let a = g.c[id].area;
        g.area_mut(a).mines.push(MineState { id, hit: false });
    }
    let (az, mt, tx, ne) = (at(&g, "Arizona"), at(&g, "Montana"), at(&g, "Texas"), at(&g, "Nebraska"));
    g.area_mut(az).mines[0].hit = true;
    g.area_mut(mt).skulls = 2;
    g.area_mut(mt).weather = Some(Weather::Bad);
    g.area_mut(ne).massacres = 1;
    g.area_mut(ne).broke = 1;
    g.tally = [(21, 19), (17, 13), (12, 12), (19, 17)]
        .map(|(vps, at_start)| Tally { vps, at_start, ..Tally::default() })
        .to_vec();
    give(&mut g, 1, &["Comanche", "Navajo", "Ute", "Crow", "Pawnee"], &["Comanche", "Crow"]);
    give(&mut g, 2, &["Kiowa", "Apache", "Modoc", "Paiute", "Arapaho"], &["Kiowa"]);
    give(&mut g, 3, &["Sioux", "Cheyenne", "Blackfoot", "Nez Perce"], &[]);
    deal(&mut g, 0, &[Card::PeacePolicy, Card::BadWeather, Card::GoodWeather]);
    deal(&mut g, 1, &[Card::Raid, Card::TexasRangers, Card::TribalAlliances]);
    deal(&mut g, 2, &[Card::Raid, Card::Smallpox]);
    deal(&mut g, 3, &[Card::Federales, Card::Raid]);
    g.pile = vec![
        (Seat(0), Card::WinterCampaigning, Use::Played),
        (Seat(1), Card::Raid, Use::Played),
        (Seat(2), Card::GoodWeather, Use::Discarded),
    ];
    g.fx.winter_campaigning = true;
    let (kiowa, crow, comanche) = (village_of(&g, "Kiowa"), village_of(&g, "Crow"), village_of(&g, "Comanche"));
    let satanta = g.c.chief_by_name("Satanta").unwrap();
    let party = g.send_party(kiowa, 5, &[satanta], tx);
    g.party_mut(party).unwrap().actions = 1;
    g.village_mut(kiowa).actions = 1;
    g.village_mut(comanche).actions = 1;
    g.village_mut(crow).finished = true;
    g.village_mut(crow).actions = 2;
    g.village_mut(crow).peace_chief = true;
    for chief in g.c.clone().chief_ids() {
        if g.c[chief].village.is_none() {
            g.chiefs[chief.index()].assigned = g.c.villages_of_chief(chief).first().copied();
        }
    }
    column(&mut g, "Crook", 11, 1, "Montana", false).played_in = 2;
    column(&mut g, "Miles", 6, 0, "Texas", false);
    column(&mut g, "Terry", 8, 0, "Texas", true);
    column(&mut g, "Connor", 5, 0, "Utah", false);
    for name in ["Custer", "Canby"] {
        let m = g.c.commander_by_name(name).unwrap();
        g.commanders[m.index()] = CommanderPlace::Reserve;
    }
    g.reserve = Reserve { bps: 14, guns: 1, gatlings: 0 };
    g
}

fn lots(mut seed: u64) -> impl FnMut(u32) -> u32 {
    move |n| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(n)) as u32
    }
}

/// Returns another position: cards are dealt again and pieces are moved.
fn stirred(seed: u64) -> State {
    let mut g = position();
    let below = &mut lots(seed);
    g.players = 2 + below(3) as u8;
    let away = |seat: Seat| seat.0 >= g.players;
    for seat in (0..4).map(Seat).filter(|&seat| away(seat)) {
        g.hands[seat.index()].clear();
    }
    g.tribes.iter_mut().filter(|t| t.holder.is_some_and(away)).for_each(|t| *t = TribeState::default());
    (g.variant.historical_range, g.variant.treaty_cap) = (below(2) == 0, below(2) == 0);
    g.us = Seat(below(u32::from(g.players)) as u8);
    g.turn = 4 + below(4) as u8;
    for tribe in &mut g.tribes {
        tribe.revealed |= tribe.holder.is_some() && below(4) == 0;
    }
    for village in &mut g.villages {
        match below(12) {
            0 => village.place = Place::Extinct,
            1 => village.bps = 0,
            2 => village.dormant = true,
            3 => village.devastation = 1 + below(3) as i32,
            _ => {}
        }
    }
    if below(2) == 0 {
        g.removed.extend([Card::SpringfieldRifle, Card::GatlingGuns]);
    }
    g.hands.iter_mut().for_each(|hand| hand.truncate(below(4) as usize));
    g
}

#[test]
fn a_shuffle_keeps_the_deck_and_what_is_known() {
    let g = position();
    let other = masked(&g, Some(Seat(1)), &mut lots(5));
    assert_eq!(g.hands[1], other.hands[1]);
    for card in Card::all() {
        let held = |g: &State| g.hands.iter().flatten().filter(|h| h.card == card).count();
        let piled = g.pile.iter().filter(|p| p.1 == card).count();
        assert!(held(&other) + piled <= card.count(), "{}", card.name());
    }
    for (a, b) in g.tribes.iter().zip(&other.tribes) {
        assert_eq!(a.revealed, b.revealed);
        if a.revealed || a.holder == Some(Seat(1)) {
            assert_eq!((a.holder, a.pos), (b.holder, b.pos));
        }
    }
    let held = |g: &State, s| g.tribes.iter().filter(|t| t.holder == Some(Seat(s))).count();
    (0..4).for_each(|s| assert_eq!(held(&g, s), held(&other, s)));
}

/// Returns `true` if the journal accepts the value: ASCII keys, no null, no floats.
fn is_canonical(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Number(n) => n.is_i64() || n.is_u64(),
        Value::Array(list) => list.iter().all(is_canonical),
        Value::Object(map) => map.iter().all(|(k, v)| k.is_ascii() && is_canonical(v)),
        _ => true,
    }
}

#[test]
fn views_are_canonical_json() {
    for seed in 0..20 {
        let g = stirred(seed);
        for seat in SEATS.into_iter().filter(|s| s.is_none_or(|s| s.0 < g.players)) {
            assert!(is_canonical(&view(&g, seat)));
        }
        assert!(is_canonical(&outcome(&g).json()));
    }
}

#[test]
fn nobody_sees_another_hand_or_a_tribe_not_shown() {
    let g = position();
    for seat in [None, Some(Seat(0)), Some(Seat(3))] {
        let text = view(&g, seat).to_string();
        assert!(!text.contains("Texas Rangers"), "{seat:?} sees the hand of B");
        let seen = view(&g, seat);
        let navajo = seen["villages"].as_array().unwrap().iter().find(|v| v["name"] == "Navajo").unwrap().clone();
        assert_eq!(navajo.get("player"), None);
        assert_eq!(seen["seats"][1]["shown"], json!(["Comanche", "Crow"]));
        assert_eq!(seen["seats"][1]["tribes"], 5);
    }
    let mine = view(&g, Some(Seat(1)));
    let cards: Vec<&str> =
        mine["you"]["cards"].as_array().unwrap().iter().map(|c| c["card"].as_str().unwrap()).collect();
    assert_eq!(cards, ["Raid", "Texas Rangers", "Tribal Alliances", "Navajo", "Pawnee", "Ute"]);
    assert_eq!(mine["you"]["cards"][0], json!({ "card": "Raid", "deck": "shaman", "epoch": 1, "pos": 5 }));
}

/// The division of the Teton Chiefs would reveal that the Sioux are active.
/// geronimo 6.51
#[test]
fn teton_chiefs_are_seen_with_their_village_only_once_the_sioux_are_shown() {
    let mut g = position();
    let crazy_horse = |g: &State, seat| {
        let seen = view(g, seat);
        let chiefs = seen["chiefs"].as_array().unwrap().clone();
        chiefs.into_iter().find(|c| c["name"] == "Crazy Horse").unwrap()
    };
    assert_eq!(crazy_horse(&g, Some(Seat(1))).get("village"), None);
    let sioux = g.c.tribe_by_name("Sioux").unwrap();
    g.tribes[sioux.index()].revealed = true;
    assert_eq!(crazy_horse(&g, Some(Seat(1)))["village"], "Teton Sioux 1");
}

/// geronimo 6.62, 6.63, 6.64, 6.65
#[test]
fn survival_is_foretold_as_the_rule_counts_it() {
    let mut g = bare();
    let idaho = at(&g, "Idaho");
    *g.area_mut(idaho) = AreaState { settlements: 3, rrs: 2, broke: 1, ..AreaState::default() };
    give(&mut g, 1, &["Nez Perce", "Shoshone", "Bannock"], &[]);
    for (name, bps) in [("Nez Perce", 7), ("Shoshone", 5), ("Bannock", 3)] {
        let v = village_of(&g, name);
        let state = g.village_mut(v);
        (state.place, state.bps, state.actions) = (Place::Area(idaho), bps, 1);
    }
    let gets = |g: &State, name: &str| {
        let seen = view(g, Some(Seat(1)));
        let tribes = seen["you"]["tribes"].as_array().unwrap().clone();
        let tribe = tribes.into_iter().find(|t| t["name"] == name).unwrap();
        let survival = &tribe["villages"][0]["survival"];
        assert_eq!(survival["gets"], survival["at_best"]);
        survival["gets"].as_i64().unwrap()
    };
    assert_eq!([gets(&g, "Nez Perce"), gets(&g, "Shoshone"), gets(&g, "Bannock")], [4, 4, 3]);
    g.area_mut(idaho).mission = true;
    assert_eq!(gets(&g, "Bannock"), 6);
    let bannock = village_of(&g, "Bannock");
    g.village_mut(bannock).actions = 0;
    assert_eq!(gets(&g, "Bannock"), 12);
    g.village_mut(bannock).devastation = 1;
    assert_eq!(gets(&g, "Bannock"), 8);
}

/// geronimo 3.1, 10.1
#[test]
fn equal_vps_share_a_rank() {
    let mut g = position();
    g.tally[3].vps = 21;
    let ranks: Vec<_> = outcome(&g).ranking().iter().map(|one| (one.rank, one.seat.0, one.points)).collect();
    assert_eq!(ranks, [(1, 0, 21), (1, 3, 21), (3, 1, 17), (4, 2, 12)]);
    assert_eq!(ending(&g)["states"], json!(["California", "Kansas", "Texas"]));
}

/// geronimo 5.33
#[test]
fn a_column_rests_in_the_us_round_after_the_one_it_was_played_in() {
    let mut g = position();
    let rests = |g: &State| view(g, None)["columns"][0]["rests"].as_bool().unwrap();
    assert!(rests(&g), "played in US Round 2, the next is 3");
    (g.active, g.us_rounds) = (Some(g.us), 3);
    assert!(rests(&g), "US Round 3 is on");
    (g.active, g.us_rounds) = (Some(Seat(1)), 3);
    assert!(!rests(&g), "the next is 4");
}

fn rendered(template: &str, g: &State, seat: Option<Seat>) -> String {
    // Read at run time, like the templates of a host.
    let path = format!("{}/../../../templates/geronimo/{template}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let names = json!({ "A": "Anna", "B": "Ben", "C": "Carl", "D": "Dora" });
    let blocks = postrider_letters::arranged(&text, &json!({ "view": view(g, seat), "names": names }));
    postrider_letters::text::render(&blocks.unwrap_or_else(|why| panic!("{template}: {why:#}"))).trim_end().to_owned()
}

const VIEW: &str = "view.txt";

fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_mail_of_an_indian_player_is_narrow_and_says_what_he_needs() {
    let text = rendered(VIEW, &position(), Some(Seat(1)));
    for line in INDIAN_LINES {
        assert!(text.lines().any(|l| spaced(l) == spaced(line)), "{line}\nnot in\n{text}");
    }
    check_shape(&text);
}

#[test]
fn the_mail_of_the_us_player_is_narrow_and_says_what_he_needs() {
    let text = rendered(VIEW, &position(), Some(Seat(0)));
    for line in US_LINES {
        assert!(text.lines().any(|l| spaced(l) == spaced(line)), "{line}\nnot in\n{text}");
    }
    check_shape(&text);
}

/// geronimo 9.2A, 12.13
#[test]
fn a_mail_to_the_us_tells_who_may_not_become_a_state() {
    let mut g = position();
    g.fx.civil_war = CivilWar::Now;
    for name in ["New Mexico", "Utah"] {
        let a = at(&g, name);
        *g.area_mut(a) = AreaState { towns: 4, ..AreaState::default() };
    }
    g.events.sand_creek = Some(at(&g, "Utah"));
    let text = rendered(VIEW, &g, Some(Seat(0)));
    for line in [
        "  Would become States now: Nebraska 9/8",
        "  May not become States this Turn: Utah (12.13), New Mexico (9.2A)",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\nnot in\n{text}");
    }
    assert!(!rendered(VIEW, &position(), Some(Seat(0))).contains("May not become States"));
}

/// geronimo 6.36, 8.11
#[test]
fn a_mail_names_the_optional_rules_of_its_game() {
    let mut g = position();
    assert!(!rendered(VIEW, &g, None).contains("Optional rule"));
    (g.variant.historical_range, g.variant.treaty_cap) = (true, true);
    let text = rendered(VIEW, &g, Some(Seat(1)));
    for rule in ["6.36", "8.11"] {
        assert!(text.contains(&format!("\n  Optional rule {rule}: ")), "{text}");
    }
}

#[test]
fn mails_of_any_position_keep_their_shape() {
    for seed in 0..60 {
        let g = stirred(seed);
        for seat in SEATS.into_iter().filter(|s| s.is_none_or(|s| s.0 < g.players)) {
            check_shape(&rendered(VIEW, &g, seat));
        }
    }
}

fn check_shape(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 76, "{} columns: {line}\n{text}", line.chars().count());
        assert_eq!(line, line.trim_end(), "blanks at the end\n{text}");
        assert!(!line.contains("undefined"), "{line}");
    }
    assert!(!text.contains("\n\n\n"), "{text}");
    assert!(text.lines().count() < 125, "{} lines\n{text}", text.lines().count());
}

const INDIAN_LINES: &[&str] = &[
    "  Turn 5 (1871-75) of 7, Card Play Rounds, Round 9 of 20: Ben",
    "  Ben (you)      Indians   17    +4      3  Comanche, Crow and 3 not shown",
    "  Raid                       Indians: one Raider Village raids",
    "  Comanche            10  Texas             1/2   +2    2    2    6  6/5",
    "     Quanah Parker (3 1 1); friends: Arapaho, Cheyenne, Kiowa",
    "  Utah (Navajo, Ute): 3 Settlements, Column Connor 5",
    "  Mexico, by Raid (Comanche)",
    "  Nebraska 9/8, SPs 6: Town, 3 Settlements, RR, Broke RR, Massacre",
    "  Winter Campaigning: evasion -1 and pursuit -2, each costs 1 BP (9.2HH)",
    "  Cards played this Turn: Winter Campaigning (Anna), Raid (Ben)",
];
const US_LINES: &[&str] = &[
    "  Crook         11    1    0     2 2 2G 0  Montana          On Patrol, rests",
    "  Terry          8    0    0     2 1 0 0   Texas            In Fort",
    "  Reserve: 14 BPs 1 gun; Custer (2 3 3), Canby (1 1 -1)",
    "  Connor in Utah pursues on 2: Village Ute 7 (evades on 2)",
    "  Would become States now: Nebraska 9/8",
    "  Texas, State 8/6, SPs 12: Town, Settlement, RR",
];
