//! The charts and tables of the rulebook, printed from the component file for `help CHART` and
//! `postrider games --charts`.

use super::components::{BoardCost, Charts, Class, Components, Drm, Event, MapCost, Season, Side};
use postrider_table::{Explained, Subject, chart::laid_out, rule_rows};

/// A chart: its number in the table of rules, its other names, an explanation, the prefixes of its
/// modifiers in the component file, and its rows.
struct Sheet {
    rule: &'static str,
    also: &'static [&'static str],
    about: &'static str,
    drms: &'static [&'static str],
    rows: fn(&Components, &Charts) -> Vec<Vec<String>>,
}

/// Returns no rows, for charts that have only modifiers.
fn none(_: &Components, _: &Charts) -> Vec<Vec<String>> {
    Vec::new()
}

/// All charts, in the order of the table of rules.
static SHEETS: &[Sheet] = &[
    Sheet {
        rule: "T:battle-board-terrain-effects-chart",
        also: &["battle tec", "board terrain", "battle board tec"],
        about: "MPs to enter a hex of a battle board, and what crossing a hexside adds. The trail counts from one of its hexes into the \
                next, where that is not full; on it slopes cost nothing. Severe weather doubles all, and a stream takes all MPs then. \
                Leaders have 8 MPs.",
        drms: &["fire-woods", "fire-higher"],
        rows: board_costs,
    },
    Sheet {
        rule: "T:battle-round-sequence",
        also: &["round sequence", "sequence of a battle round"],
        about: "At most ten rounds. By surprise the second player neither fires, moves nor attacks in the first one.",
        drms: &[],
        rows: sequence,
    },
    Sheet {
        rule: "T:end-phase-attrition-table",
        also: &["attrition table"],
        about: "A die for each unit Out of Supply or in a fort under siege, held against its level. Seasons, weather and pillage count \
                for who is Out of Supply, Siege markers for who is besieged.",
        drms: &["attrition"],
        rows: none,
    },
    Sheet {
        rule: "T:fire-combat-summary",
        also: &["fire summary", "fcrt", "fire combat results table", "ranges"],
        about: "The Fire Combat Factor, multiplied as below, is the strength of a unit. A die with these modifiers below it hits; a 6 \
                never does.",
        drms: &["fire"],
        rows: fire,
    },
    Sheet {
        rule: "T:initiative-determination",
        also: &["initiative chart", "battle initiative"],
        about: "At the start of a battle each side rolls a die, with the rating of its primary leader if he is there. Rough terrain and \
                Tecumseh are for the nations, settled terrain is for the US. Twice the other's total is surprise.",
        drms: &["initiative"],
        rows: none,
    },
    Sheet {
        rule: "T:main-map-terrain-effects-chart",
        also: &["map tec", "map terrain", "terrain effects"],
        about: "MPs to enter an area, of the US / of the nations. A pillaged area costs twice as many. Winter stands for severe weather \
                too. A leg along a river is for any number of areas; where an area of it is pillaged the US pays 2, and the nations do not go. The \
                US pays the terrain where it lands from the Ohio as well, the nations that of the other bank. In severe weather the US \
                does not use the Ohio. The modifiers are those of the check behind a force march.",
        drms: &["march"],
        rows: map_costs,
    },
    Sheet {
        rule: "T:mcrt-results",
        also: &["melee results", "results of melee"],
        about: "What stands in a cell of the Melee Combat Results Table.",
        drms: &["leader-loss"],
        rows: tolls,
    },
    Sheet {
        rule: "T:melee-combat-modifiers",
        also: &["melee modifiers"],
        about: "Warriors in order who attack from woods or defend in woods count double. Who attacks up a slope counts half, and troops \
                across a stream too. The difference of the levels, at most 3, is added to the die. Ratings of leaders who take part \
                shift the column, and so do these.",
        drms: &["melee-shift"],
        rows: none,
    },
    Sheet {
        rule: "T:melee-combat-results-table",
        also: &["mcrt", "melee table", "melee chart", "melee crt"],
        about: "The attacker's result stands before the stroke, the defender's, which comes first, behind it. The first and the last row \
                and column are open.",
        drms: &[],
        rows: melee,
    },
    Sheet {
        rule: "T:native-american-mobilization-chart",
        also: &["mobilization chart", "na mobilization chart"],
        about: "A die for a nation, with the rating of its leader and these; villages, pillaged areas and Atrocity markers are those in \
                its areas, VPs are the nations'. As much as its base, and it goes to war; 0 or less, and it surrenders.",
        drms: &["mobilization"],
        rows: bases,
    },
    Sheet {
        rule: "T:pillaging-table",
        also: &["pillage table"],
        about: "Two or more units that have not acted pillage their area by 2 or less on a die with these.",
        drms: &["pillage"],
        rows: none,
    },
    Sheet {
        rule: "T:raid-resolution-chart",
        also: &["raid chart"],
        about: "A die for all raiders in an area, with the rating of one leader of theirs and less that of one US leader there. MPs are \
                those of the warriors who have come furthest: 12 or fewer are nothing, 13 to 23 are -1, 24 to 35 are -2, 36 are -3.",
        drms: &["raid"],
        rows: none,
    },
    Sheet {
        rule: "T:raid-resolution-results",
        also: &["raid results table"],
        about: "By the modified die: units and settlers lost, VPs of the nations, and whether the Raid marker stays. The second unit of a \
                side is lost only if its check fails; a leader falls on a 6.",
        drms: &[],
        rows: raids,
    },
    Sheet {
        rule: "T:random-events-table",
        also: &["events table", "random events"],
        about: "By the sum of both players' dice.",
        drms: &[],
        rows: events,
    },
    Sheet {
        rule: "T:settler-generation-chart",
        also: &["settler chart", "settlers chart"],
        about: "A die with these is how many settlers come; a second die says how many of them go to Ohio: 1 to 3 half of them, rounded \
                up, 4 and 5 two thirds, rounded as you like, 6 as many as you like.",
        drms: &["settlers"],
        rows: none,
    },
    Sheet {
        rule: "T:skirmish-combat-results",
        also: &["skirmish results"],
        about: "By how much one die is higher than the other: what becomes of the lower side.",
        drms: &[],
        rows: skirmish,
    },
    Sheet {
        rule: "T:skirmish-resolution-chart",
        also: &["skirmish chart", "assault chart"],
        about: "A die of each side, with these. Those that begin with `fort:` count against units in a fort, the others in the open.",
        drms: &["skirmish", "assault"],
        rows: none,
    },
    Sheet {
        rule: "T:us-army-mobilization-chart",
        also: &["army chart", "us army chart"],
        about: "In spring: new regulars by the die and the level of Commitment. The Army has at most four for each level.",
        drms: &["army"],
        rows: army,
    },
    Sheet {
        rule: "T:us-commitment-level-chart",
        also: &["commitment chart"],
        about: "A die each turn: with these 1 or less takes Commitment down by one, 6 or more brings it up by one. VPs are those of the US.",
        drms: &["commitment"],
        rows: none,
    },
    Sheet {
        rule: "T:us-militia-mobilize-chart",
        also: &["militia chart"],
        about: "A die in spring, summer and fall: with these it is how many militia come, or go where it is below 0. VPs are those of the \
                US.",
        drms: &["militia"],
        rows: none,
    },
];

/// Returns the charts as subjects of `help`.
pub fn subjects(c: &Components) -> Vec<Subject> {
    let Ok(charts) = Charts::of(c) else { return Vec::new() };
    let subject = |sheet: &Sheet| {
        let title = rulebook().find(|(number, _)| *number == sheet.rule).map_or(sheet.rule, |(_, title)| title);
        let mut lines = laid_out(&(sheet.rows)(c, &charts));
        let drms: Vec<Vec<String>> = sheet.drms.iter().flat_map(|begin| modifiers(c, begin)).collect();
        if !lines.is_empty() && !drms.is_empty() {
            lines.push(String::new());
        }
        lines.extend(drms.into_iter().map(|row| row.join("  ")));
        let explained = Explained::new(format!("{title} ({})", sheet.rule), sheet.about).chart(lines);
        sheet.also.iter().fold(Subject::thing(title, explained), |subject, name| subject.or(*name))
    };
    SHEETS.iter().map(subject).collect()
}

/// Returns the numbers and titles of the rules.
fn rulebook() -> impl Iterator<Item = (&'static str, &'static str)> {
    rule_rows(include_str!("rules.tsv")).map(|row| (row.number, row.title))
}

/// Returns the value and name of each modifier whose word has this prefix.
fn modifiers(c: &Components, begin: &str) -> Vec<Vec<String>> {
    let of = |drm: &Drm| drm.word().strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let row = |drm: Drm| {
        let fort = if drm.word().starts_with("assault") { "fort: " } else { "" };
        let only = match drm {
            Drm::PillageMilitia | Drm::SkirmishCommitment | Drm::AssaultCommitment => "US only: ",
            Drm::PillageGirty | Drm::SkirmishSurrendered | Drm::AssaultSurrendered => "NA only: ",
            _ => "",
        };
        vec![format!("{:>+3}", c.drm(drm)), format!("{fort}{only}{}", drm.name())]
    };
    Drm::ALL.into_iter().filter(of).map(row).collect()
}

fn seasons() -> impl Iterator<Item = Season> {
    [Season::Spring, Season::Summer, Season::Fall, Season::Winter].into_iter()
}

fn heads(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    [String::new()].into_iter().chain(names.into_iter().map(Into::into)).collect()
}

fn numbers(name: impl Into<String>, cells: &[u8]) -> Vec<String> {
    [name.into()].into_iter().chain(cells.iter().map(u8::to_string)).collect()
}

fn board_costs(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let name = |row: &BoardCost| match row.id.split_once('-') {
        Some((side, "hexside")) => format!("{side} hexside, more"),
        Some((ground, "regular")) => format!("{ground}, regulars"),
        Some((ground, "warrior")) => format!("{ground}, warriors"),
        Some((ground, "other")) => format!("{ground}, all others"),
        _ => row.id.clone(),
    };
    let rows = c.board_costs.iter().map(|row| numbers(name(row), &row.mps));
    [heads(seasons().map(Season::name))].into_iter().chain(rows).collect()
}

fn map_costs(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let row = |row: &MapCost| {
        let both = row.mps.chunks(2).map(|both| both.iter().map(u8::to_string).collect::<Vec<_>>().join(" / "));
        [row.terrain.name().to_owned()].into_iter().chain(both).collect()
    };
    let heads = heads(seasons().map(Season::name));
    let rivers = [("river, a leg", "1 / 1"), ("the Ohio", "1 / +1")].map(|(name, open)| {
        let winter = |season: Season| if season == Season::Winter { "terrain" } else { open };
        [name.to_owned()].into_iter().chain(seasons().map(|season| winter(season).to_owned())).collect()
    });
    [heads].into_iter().chain(c.map_costs.iter().map(row)).chain(rivers).collect()
}

fn sequence(_: &Components, _: &Charts) -> Vec<Vec<String>> {
    [
        "2. The first player's units recover and move.",
        "3. The second player's units fire in defence.",
        "4. The first player's units fire.",
        "5. The first player's units attack in melee.",
        "6. The second player's units recover and move.",
        "7. The first player's units fire in defence.",
        "8. The second player's units fire.",
        "9. The second player's units attack in melee.",
    ]
    .map(|step| vec![step.to_owned()])
    .into()
}

fn fire(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let row = |class: Class| {
        let row = &c.fire[class.index()];
        let factors: Vec<u8> = c.kinds.iter().filter(|kind| kind.class == class).map(|kind| kind.fcf).collect();
        let (least, most) = (factors.iter().min().unwrap_or(&0), factors.iter().max().unwrap_or(&0));
        let factor = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let times = [row.open, row.woods].map(|times| format!("x {times}"));
        let cells = [row.range.to_string(), row.rifle.to_string(), factor].into_iter().chain(times);
        [class.name().to_owned()].into_iter().chain(cells).collect()
    };
    let heads = heads(["range", "with rifles", "factor", "outside woods", "in woods"]);
    [heads].into_iter().chain(Class::ALL.into_iter().map(row)).collect()
}

fn tolls(_: &Components, _: &Charts) -> Vec<Vec<String>> {
    [
        ["--", "nothing"],
        ["1, 2", "so many units are lost; leaders there may fall"],
        ["R", "two hexes back and Disrupted; leaders there may fall. A Disrupted"],
        ["", "unit checks its level or is Routed, and so does who passes an"],
        ["", "enemy outside woods. Nobody goes through an enemy's hex; who has"],
        ["", "no way is lost; who leaves the board is back after the battle."],
        ["Disrupted", "1 MP less, no fire; attacks and defends with 1, without what"],
        ["", "terrain gives, but with what it takes. It recovers in its side's"],
        ["", "next impulse: by itself, beside an enemy by a check of its level."],
        ["Routed", "no fire, no attack; defends with 1, without what terrain gives."],
        ["", "Runs two hexes an impulse from the nearest enemy, until it is"],
        ["", "with a leader of its side or off the board. Past an enemy outside"],
        ["", "woods it checks its level or is lost; where a melee forces it"],
        ["", "there, it is lost."],
    ]
    .map(|[cell, means]| vec![format!("{cell:<9}  {means}")])
    .into()
}

fn melee(_: &Components, charts: &Charts) -> Vec<Vec<String>> {
    let (first, last) = charts.melee.rows();
    let columns = 0..charts.melee.columns();
    let row = |die: i32| {
        let name = match die {
            _ if die == first => format!("{die} or less"),
            _ if die == last => format!("{die} or more"),
            _ => die.to_string(),
        };
        [name].into_iter().chain(columns.clone().map(|column| charts.melee.at(die, column).to_string())).collect()
    };
    [heads(columns.clone().map(|column| charts.odds.label(column)))]
        .into_iter()
        .chain((first..=last).map(row))
        .collect()
}

fn bases(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let row = |nation: &super::components::Nation| match nation.fixed {
        0 => vec![nation.name.clone(), format!("base {}", nation.base)],
        level => vec![nation.name.clone(), format!("always {level}")],
    };
    c.nations.iter().map(row).collect()
}

/// Returns the ranges of bands that are given by their upper ends, such as `4 to 6`.
fn bands(ends: impl Iterator<Item = Option<u8>>) -> Vec<String> {
    let mut from: Option<u8> = None;
    let name = |end: Option<u8>| {
        let said = match (from, end) {
            (None, Some(end)) => format!("{end} or less"),
            (Some(from), Some(end)) if from == end => end.to_string(),
            (Some(from), Some(end)) => format!("{from} to {end}"),
            (from, None) => format!("{} or more", from.unwrap_or(0)),
        };
        from = end.map(|end| end + 1);
        said
    };
    ends.map(name).collect()
}

fn raids(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let names = bands(c.raid.iter().map(|row| row.max));
    let row = |(name, row): (String, &super::components::RaidRow)| {
        let marker = if row.marker_stays { "stays" } else { "goes" };
        let leader = row.leader_check.map_or("-", Side::short);
        let counts = [row.warriors, row.militia, row.settlers, row.vps].map(|n| n.to_string());
        [name, row.name.clone()].into_iter().chain(counts).chain([marker, leader].map(str::to_owned)).collect()
    };
    let heads = heads(["result", "warriors", "militia", "settlers", "VPs", "marker", "leader"]);
    [heads].into_iter().chain(names.into_iter().zip(&c.raid).map(row)).collect()
}

fn events(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let rows = c.events.iter().map(|row| vec![format!("{:>2}  {}", row.roll, row.event.name())]);
    let mut all: Vec<Vec<String>> = rows.collect();
    all.push(Vec::new());
    for event in Event::ALL.into_iter().filter(|&event| event != Event::None) {
        all.push(vec![format!("{}:", event.name())]);
        all.extend(effect(event).iter().map(|line| vec![format!("  {line}")]));
    }
    all
}

/// Returns the effect of an event in words.
fn effect(event: Event) -> &'static [&'static str] {
    match event {
        Event::None => &[],
        Event::GoodOmens => {
            &["in spring, 1 more to the mobilization of a nation that NA names; it does", "not surrender then"]
        }
        Event::BadOmens => &["in spring, 1 less to the mobilization of a nation that the US names"],
        Event::Funds => &["a die of militia, at un-besieged US forts or permanent settlements"],
        Event::SevereWeather => &[
            "MPs as in winter on the map, twice as many on boards, where a stream",
            "takes all; no way and no supply along rivers; -1 to raids",
        ],
        Event::Rifles => &["a die of Rifle markers, two to a nation: such warriors fire three hexes"],
        Event::Iroquois => &[
            "a die of Iroquois warriors, six at most in play, of level 2: at",
            "un-besieged British forts, or by the edges of Pennsylvania; they leave",
            "when no other nation is at war",
        ],
        Event::Girty => &[
            "Girty comes to warriors at war or an un-besieged British fort; rolled",
            "again, he is killed and does not return",
        ],
    }
}

fn skirmish(c: &Components, _: &Charts) -> Vec<Vec<String>> {
    let names = bands(c.skirmish.iter().map(|row| row.max));
    names.into_iter().zip(&c.skirmish).map(|(name, row)| vec![name, row.result.clone()]).collect()
}

fn army(c: &Components, charts: &Charts) -> Vec<Vec<String>> {
    let (_, last) = charts.army.rows();
    let name = |die: &str| if die == last.to_string() { format!("{die} or more") } else { die.to_owned() };
    let rows = c.army.iter().map(|row| numbers(name(&row.die), &row.got));
    [heads((1..=charts.army.columns()).map(|level| format!("level {level}")))].into_iter().chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Kit as _;

    fn sheets() -> Vec<Subject> {
        subjects(Components::builtin())
    }

    /// dark-and-bloody-ground T:melee-combat-results-table, T:raid-resolution-results,
    /// T:us-army-mobilization-chart
    #[test]
    fn every_chart_of_the_rulebook_is_printed_from_the_data() {
        let sheets = sheets();
        let charts: Vec<&str> =
            rulebook().filter(|(number, _)| number.starts_with("T:")).map(|(_, title)| title).collect();
        assert_eq!(sheets.iter().map(|sheet| &*sheet.names[0]).collect::<Vec<_>>(), charts);
        for sheet in &sheets {
            let chart = &sheet.explained.chart;
            assert!(!chart.is_empty() && chart.iter().all(|line| line.chars().count() <= 76), "{chart:#?}");
        }
        insta::assert_snapshot!(
            sheets
                .iter()
                .map(|s| format!("{}\n{}\n", s.explained.title, s.explained.chart.join("\n")))
                .collect::<Vec<_>>()
                .join("\n")
        );
    }

    #[test]
    fn every_modifier_stands_in_a_chart_or_in_a_case_of_its_own() {
        let printed: Vec<String> = sheets().into_iter().flat_map(|sheet| sheet.explained.chart).collect();
        let cases = [Drm::AmbushRegular, Drm::ReactionCompleted, Drm::RallyFort];
        let c = Components::builtin();
        for drm in Drm::ALL.into_iter().filter(|drm| !cases.contains(drm)) {
            let line = format!("{:+}", c.drm(drm));
            assert!(printed.iter().any(|l| l.contains(&line) && l.ends_with(drm.name())), "{}", drm.word());
        }
    }

    #[test]
    fn a_changed_component_file_changes_its_chart() {
        let changed = Components::FILE.replace("id = \"fire-woods\"\ndm = 1", "id = \"fire-woods\"\ndm = 4");
        assert_ne!(changed, Components::FILE);
        let c = Components::of(&changed).expect("a component file");
        let fire = subjects(&c).into_iter().find(|sheet| sheet.names[0] == "Fire Combat Summary").expect("it is there");
        assert!(fire.explained.chart.contains(&" +4  woods".to_owned()), "{:#?}", fire.explained.chart);
    }
}
