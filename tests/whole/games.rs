//! The games of the box: the list, and the properties of each for tests of whole games.

use super::{Die, Tried, setup};
use postrider::{
    games::{
        bloody_ground::{self, BloodyGround},
        geronimo::{self, Geronimo},
        plains::{self, Plains, components::Faction},
        rosebud_creek::{self, RosebudCreek},
    },
    table::{Below, Ruleset, Setup, Snapshot},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Passes every game to a macro: `each! { [words] name: Type, … }`. Fuzz inputs select a game by
/// its index, so new games go last.
macro_rules! every_game {
    ($each:ident $($words:ident)*) => {
        $each! {
            [$($words)*]
            geronimo: postrider::games::geronimo::Geronimo,
            plains: postrider::games::plains::Plains,
            bloody_ground: postrider::games::bloody_ground::BloodyGround,
            rosebud_creek: postrider::games::rosebud_creek::RosebudCreek
        }
    };
}
pub(crate) use every_game;

/// Returns a setup for two players: the scenarios in turn, with the options selected by bits of the
/// number. The first round of scenarios has no options.
fn in_turn<G: Tried>(n: u64) -> Setup {
    let (scenarios, mixed) = (G::rules().scenarios(), n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    let options = G::rules().options().iter().enumerate();
    let on = options.filter(|(i, _)| n >= scenarios.len() as u64 && mixed >> i & 1 == 1);
    let on: Vec<&str> = on.map(|(_, option)| option.name).collect();
    setup::<G>(2, scenarios[n as usize % scenarios.len()], &on)
}

impl Tried for Geronimo {
    fn rules() -> &'static dyn Ruleset {
        &geronimo::ruleset::RULES
    }
    fn told(g: &geronimo::State, dice: &[Die]) -> Vec<Vec<String>> {
        let villages = || g.c.villages.iter().map(|village| village.name.clone()).collect();
        let told = |(at, die): (usize, &Die)| match &*die.label {
            "commander" => Some(g.c.commanders.iter().map(|commander| commander.surname.clone()).collect()),
            "mine" => Some(g.c.mines.iter().map(|mine| mine.name.clone()).collect()),
            "us player" => Some(vec![format!("@{} plays the US", g.us)]),
            "tribe" | "reservation unrest" => Some(g.c.tribes.iter().map(|tribe| tribe.name.clone()).collect()),
            // The name of the Village is told, which includes that of the Tribe.
            "sand creek tribe" => (dice.get(at + 1).is_none_or(|next| next.label != "sand creek")).then(villages),
            "sand creek" => Some(villages()),
            _ => Some(die.number()),
        };
        dice.iter().enumerate().filter_map(told).collect()
    }
    /// `2 VPs for @B (Indians)`, `@A (US) loses 1 VP`, `@B (Indians) gives 1 VP to @C (Indians)`.
    fn points(line: &str) -> Vec<(String, i32, Option<i32>)> {
        let words: Vec<&str> = line.split([' ', ',', '.', ':']).filter(|word| !word.is_empty()).collect();
        let mut all = Vec::new();
        for at in (1..words.len()).filter(|&at| ["VP", "VPs"].contains(&words[at])) {
            let (Ok(n), after) = (words[at - 1].parse::<i32>(), words.get(at + 1).copied().unwrap_or_default()) else {
                continue;
            };
            let mut add = |who: &str, n| all.push((who.to_owned(), n, None));
            let (verb, before) = (at.checked_sub(2).map_or("", |at| words[at]), at.checked_sub(4).map(|at| words[at]));
            match (verb, before) {
                ("earns", Some(who)) => add(who, n),
                ("loses", Some(who)) => add(who, -n),
                ("gives", Some(who)) => {
                    add(who, -n);
                    add(words[at + 2], n);
                }
                _ if after == "for" => add(words[at + 2], n),
                _ => {}
            }
        }
        all
    }
    fn scores(g: &geronimo::State) -> BTreeMap<String, i32> {
        match g.variant.solitaire {
            true => BTreeMap::new(),
            false => g.seats().map(|seat| (format!("@{seat}"), g.tally[usize::from(seat.0)].vps)).collect(),
        }
    }
    const TRIED: u64 = 10;
    /// The last card of a hand may have to be discarded, but its player turns it up (9.11). A
    /// player without a possible Scout, or with a single Tribe for an event, is asked all the same,
    /// because otherwise that would be revealed (9.2Y, 9.2Q, 12.13).
    const IDLE: &'static [geronimo::Ask] = {
        use geronimo::Ask::*;
        &[ShamanCard, Scouts, PeaceChief, Gunrunners, BuffaloCampaign, LinesCut, Stronghold]
    };
    const SILENT: &'static [geronimo::Ask] = &[geronimo::Ask::TetonChiefs, geronimo::Ask::Scouts];
    /// One to five players, Basic and Campaign Games.
    fn way(n: u64) -> Setup {
        let (scenario, on) = (["basic", "campaign"][(n / 5 % 2) as usize], ["random-events"]);
        setup::<Geronimo>(1 + (n % 5) as u8, scenario, &on[..(n / 10 % 2) as usize])
    }
    /// Rulings between actions, as recommended to directors.
    fn ruling(seen: &Snapshot<Geronimo>, below: &mut Below<'_>) -> Option<Value> {
        if !seen.tickets.iter().any(|k| k.required && k.prompt.kind() == geronimo::Ask::ShamanCard) {
            return None;
        }
        let g = &seen.state;
        let area = &g.c.areas[below(g.c.areas.len() as u32) as usize].name;
        let village = &g.c.villages[below(g.c.villages.len() as u32) as usize].name;
        let (n, on) = (below(6), below(2) == 1);
        let chief = &g.c.chiefs[below(g.c.chiefs.len() as u32) as usize].name;
        let commander = &g.c.commanders[below(g.c.commanders.len() as u32) as usize].surname;
        let card = ["peace policy", "gatling guns", "federales", "the telegraph", "land rush"][below(5) as usize];
        Some(match below(18) {
            0 => json!({ "vps": { "seat": "B", "change": n } }),
            1 => json!({ "area": { "area": area, "settlements": n, "towns": below(3) } }),
            2 => json!({ "area": { "area": area, "rrs": below(3), "broke": below(2), "mission": on } }),
            3 => json!({ "area": { "area": area, "massacres": n, "skulls": below(3), "state": on } }),
            4 => json!({ "village": { "village": village, "bps": n, "devastation": below(4) } }),
            5 => json!({ "village": { "village": village, "actions": below(3), "finished": on } }),
            6 => json!({ "village": { "village": village, "peace_chief": on, "scouting": below(2) == 1 } }),
            7 => json!({ "reserve": { "bps": n, "guns": below(3), "gatlings": below(2) } }),
            8 => json!({ "village": { "village": village, "area": area } }),
            9 => {
                let off = ["reservation", "mexico", "canada", "extinct"][below(4) as usize];
                json!({ "village": { "village": village, "off": off } })
            }
            10 => json!({ "chief": { "chief": chief, "killed": on, "prison": below(2) == 1 } }),
            11 => json!({ "chief": { "chief": chief, "with": if on { "home" } else { village } } }),
            12 => json!({ "war-party": { "party": village, "bps": n, "home": on } }),
            13 => {
                let at = ["cup", "reserve", "dead"][below(3) as usize];
                json!({ "commander": { "commander": commander, "at": at } })
            }
            14 => json!({ "card": { "card": card, "in_effect": on } }),
            15 => {
                let mine = &g.c.mines[below(g.c.mines.len() as u32) as usize];
                json!({ "mine": { "area": g.c[mine.area].name, "mine": mine.name, "placed": on } })
            }
            _ if g.columns.is_empty() => json!({ "vps": { "seat": "A", "change": -1 } }),
            _ => {
                let column = &g.columns[below(g.columns.len() as u32) as usize];
                let name = g.column_name(column.id);
                match below(3) {
                    0 => json!({ "column": { "commander": name, "area": area } }),
                    1 => json!({ "column": { "commander": name, "led_by": commander } }),
                    _ => json!({ "column": { "commander": name, "bps": n, "guns": below(3), "in_fort": on } }),
                }
            }
        })
    }
    /// 8.11: the US makes an offer.
    fn venture(g: &geronimo::State, below: &mut Below<'_>) -> Option<geronimo::Order> {
        let village = below(g.villages.len() as u32) as usize;
        Some(geronimo::Order::Offer { village: g.c.villages[village].name.clone(), vps: below(12) as i32 })
    }
}

impl Tried for Plains {
    fn rules() -> &'static dyn Ruleset {
        &plains::ruleset::RULES
    }
    /// The first card of a round must be played even if it is the only one, but its player turns it
    /// up.
    const IDLE: &'static [plains::Ask] = &[plains::Ask::Card];
    /// 2, 3 (US allies, then Indian allies) and 4 players, with and without the optional rule.
    fn way(n: u64) -> Setup {
        let (players, allies) = [(2, None), (3, None), (3, Some("indian-allies")), (4, None)][(n % 4) as usize];
        let again = (n / 4 % 2 == 1).then_some("wagons-again");
        setup::<Plains>(players, "standard", &allies.into_iter().chain(again).collect::<Vec<_>>())
    }
    /// Any ruling at any time.
    fn ruling(seen: &Snapshot<Plains>, below: &mut Below<'_>) -> Option<Value> {
        let g = &seen.state;
        let colours = ["green", "orange", "blue", "brown", "purple", "white"];
        let colour = colours[below(6) as usize];
        let spots: Vec<_> = g.c.spots().map(|spot| g.c.spot_name(spot).to_owned()).collect();
        let (place, n) = (&spots[below(spots.len() as u32) as usize], below(9));
        let pile = ["ready", "casualties"][below(2) as usize];
        Some(match below(14) {
            5 => json!({ "disc": { "colour": colour, "place": below(4) } }),
            6 => {
                let up = g.decks.iter().flat_map(|deck| &deck.discards).collect::<Vec<_>>();
                let card = up.get(below(up.len().max(1) as u32) as usize).map_or("none", |card| &g.c[**card].name);
                json!({ "card": { "colour": colour, "card": card, "to": if n > 2 { "hand" } else { "top" } } })
            }
            0 => json!({ "casualties": { "colour": colour, "n": n } }),
            1 => json!({ "railroad": { "east": below(22), "west": below(8) } }),
            2 => json!({ "wagons": { "north": below(3), "destroyed": below(3) } }),
            3 => json!({ "vps": { "battles": n, "custer": 2 * below(2) } }),
            4 => json!({ "enduring": { "colour": colour, "lasts": below(2) == 1 } }),
            _ => json!({ "cubes": { "place": place, "colour": colour, "n": n, "pile": pile } }),
        })
    }
    /// The faces of dice, and the headings of discs.
    fn told(g: &plains::State, dice: &[Die]) -> Vec<Vec<String>> {
        const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
        let told = |die: &Die| {
            if let Some(faction) = LABELS.iter().position(|label| *label == die.label) {
                return vec![g.c.pieces[faction].die[(die.got - 1) as usize].name().to_owned()];
            }
            match &*die.label {
                "disc" => {
                    let place = Faction::ALL.len() as i64 - die.range.1;
                    Faction::ALL.iter().map(|faction| format!("disc {place}: {}", faction.name())).collect()
                }
                "coin" => {
                    Faction::FIGHTING.iter().map(|faction| format!("A coin between {}", faction.cubes())).collect()
                }
                _ => die.number(),
            }
        };
        dice.iter().map(told).collect()
    }
    fn scores(g: &plains::State) -> BTreeMap<String, i32> {
        g.seats().map(|seat| (g.part(seat).to_owned(), g.score(seat).total())).collect()
    }
}

impl Tried for BloodyGround {
    fn rules() -> &'static dyn Ruleset {
        &bloody_ground::ruleset::RULES
    }
    const TRIED: u64 = 4;
    const SELDOM: u32 = 2;
    fn way(n: u64) -> Setup {
        in_turn::<Self>(n)
    }
    /// Rulings in campaigns; there are none on the battle board.
    fn ruling(seen: &Snapshot<BloodyGround>, below: &mut Below<'_>) -> Option<Value> {
        let g = &seen.state;
        // Other rulings would be refused, and a few are enough.
        if !g.at_rest || below(3) > 0 {
            return (below(40) == 0).then(|| json!({ "track": { "us": 1 } }));
        }
        let area = &g.c.areas[below(g.c.areas.len() as u32) as usize].id;
        let fort = ["us", "british", "none"][below(3) as usize];
        let nation = &g.c.nations[below(g.c.nations.len() as u32) as usize].name;
        let unit = &g.c.kinds[below(g.c.kinds.len() as u32) as usize].id;
        let leader = &g.c.leaders[below(g.c.leaders.len() as u32) as usize].name;
        Some(match below(12) {
            0 => json!({ "track": { "commitment": 1 + below(5), "us": below(40), "na": below(40) } }),
            1 => json!({ "nation": { "nation": nation, "level": below(6) } }),
            2 => json!({ "area": { "area": area, "settlers": below(5), "pillaged": below(2) == 1 } }),
            3 => json!({ "area": { "area": area, "fort": fort } }),
            4 => json!({ "leader": { "leader": leader, "area": area } }),
            5 => json!({ "track": { "initiative": if below(2) == 1 { "us" } else { "na" } } }),
            6 => json!({ "turn": { "turn": 1 + below(6) } }),
            7 => json!({ "leader": { "leader": leader, "acted": below(2) == 1 } }),
            8 => json!({ "state": { "area": area, "unit": unit, "disrupted": below(2), "acted": below(2) } }),
            _ => json!({ "units": { "area": area, "unit": unit, "n": below(6) } }),
        })
    }
    /// Militia drawn together is told as counts of its kinds.
    fn told(_: &bloody_ground::State, dice: &[Die]) -> Vec<Vec<String>> {
        let mut told = Vec::new();
        for (at, die) in dice.iter().enumerate() {
            match &*die.label {
                "militia" if at > 0 && dice[at - 1].label == "militia" => {}
                "militia" => told.push(vec!["Militia drawn".to_owned()]),
                _ => told.push(die.number()),
            }
        }
        told
    }
    fn scores(g: &bloody_ground::State) -> BTreeMap<String, i32> {
        ["US", "NA"].into_iter().zip(g.vps).map(|(side, vps)| (side.to_owned(), vps)).collect()
    }
}

impl Tried for RosebudCreek {
    fn rules() -> &'static dyn Ruleset {
        &rosebud_creek::ruleset::RULES
    }
    const TRIED: u64 = 3;
    const SELDOM: u32 = 2;
    fn way(n: u64) -> Setup {
        in_turn::<Self>(n)
    }
    /// Rulings between orders.
    fn ruling(seen: &Snapshot<RosebudCreek>, below: &mut Below<'_>) -> Option<Value> {
        let g = &seen.state;
        // Rulings during an order are refused, and a few are enough.
        if g.resolving || below(5) > 0 {
            return (below(200) == 0).then(|| json!({ "track": { "us": 1 } }));
        }
        let unit = &g.c.units[below(g.c.units.len() as u32) as usize].id;
        let leader = &g.c.leaders[below(g.c.leaders.len() as u32) as usize].id;
        let hex = format!("{:02}{:02}", 20 + below(20), below(20));
        let at = [hex.as_str(), "off", "lost"][if below(4) > 0 { 0 } else { 1 + below(2) as usize }];
        let mode = ["mounted", "dismounted", "prone"][below(3) as usize];
        Some(match below(11) {
            8 => json!({ "turn": { "turn": 1 + below(20) } }),
            9 => {
                let phase = ["offensive", "movement", "defensive", "advance", "melee"][below(5) as usize];
                json!({ "turn": { "next-phase": phase } })
            }
            10 => {
                let train = ["PTA", "PTB", "PTC"][below(3) as usize];
                json!({ "unit": { "unit": train, "abandoned": below(2) == 1, "ammo": below(4) } })
            }
            0 => json!({ "track": { "us": below(40), "indians": below(40), "ammo": below(5) } }),
            1 => json!({ "objective": { "objective": "conical hill", "entered": below(2) == 1 } }),
            2 => json!({ "leader": { "leader": leader, "at": at } }),
            3 => json!({ "leader": { "leader": leader, "wound": "moderate" } }),
            4 => json!({ "unit": { "unit": unit, "mode": mode } }),
            5 => json!({ "unit": { "unit": unit, "routed": below(2) == 1, "disrupted": below(2) == 1 } }),
            6 => {
                json!({ "unit": { "unit": unit, "pinned": below(2) == 1, "low-ammo": below(2) == 1, "losses": below(3) } })
            }
            _ => json!({ "unit": { "unit": unit, "at": at } }),
        })
    }
    /// Pairs of dice are told by their sum.
    fn told(g: &rosebud_creek::State, dice: &[Die]) -> Vec<Vec<String>> {
        let (mut told, mut dice) = (Vec::new(), dice.iter());
        while let Some(die) = dice.next() {
            if die.label == "leader" {
                told.push(g.c.leaders.iter().map(|leader| leader.id.clone()).collect());
                continue;
            }
            let second = matches!(&*die.label, "fire" | "morale" | "leader loss").then(|| dice.next()).flatten();
            told.push(match second {
                Some(second) => vec![(die.got + second.got).to_string()],
                None => die.number(),
            });
        }
        told
    }
    fn scores(g: &rosebud_creek::State) -> BTreeMap<String, i32> {
        ["US", "Indians"].into_iter().zip(g.vps).map(|(side, vps)| (side.to_owned(), vps)).collect()
    }
}
