//! The map of Plains Indian Wars: its drawing, and the cubes on it according to a view.

use super::components::{Components, Kit as _};
use postrider_table::map::{
    GameMap, Piece, Place, Scene, Shapes,
    read::{number, pairs, rows, text},
};
use serde_json::Value;

/// The map: regions, the areas and boxes next to it, the railroad, trails and arrows (4.4, 6.6,
/// 6.7).
pub static MAP: GameMap = GameMap::new(|| Shapes::built_in(include_str!("shapes.json")), adjacent, scene);

/// Returns the pairs of regions that are adjacent by the rules.
fn adjacent(components: &str) -> Option<Vec<[String; 2]>> {
    let c = Components::of(components).ok()?;
    Some(pairs(
        c.regions.iter().map(|region| (region.id.as_str(), region.adjacent.iter().map(|&other| c[other].id.as_str()))),
    ))
}

/// Returns the scene of a view: all pieces and their places.
fn scene(view: &Value) -> Scene {
    let count = |row: &Value, name: &str| usize::try_from(number(row, name)).unwrap_or(0);
    let regions = rows(view, "map").map(|row| {
        let says = match row["holding"].as_str() {
            None | Some("" | "-" | "nobody") => String::new(),
            Some(holder) => format!("held by {holder}"),
        };
        Place { at: text(row, "id").to_owned(), says, pieces: cubes(&row["cubes"]) }
    });
    let beside = rows(view, "beside").map(|row| Place {
        at: text(row, "name").to_owned(),
        says: String::new(),
        pieces: cubes(&row["cubes"]),
    });
    let rail = &view["railroad"];
    let (east, west, spaces) = (count(rail, "east"), count(rail, "west"), &MAP.shapes.track);
    let spaces = spaces.iter().flat_map(|track| &track.spaces).map(|space| space.id.clone());
    let last = count(rail, "spaces").saturating_sub(west);
    let turn = number(view, "turn");
    let drawn = rows(view, "drawn").filter_map(Value::as_str).collect::<Vec<_>>();
    let moment = match (turn, drawn.as_slice()) {
        (0, _) => "Set-up".to_owned(),
        (_, []) => format!("Turn {turn}"),
        (_, [.., disc]) => format!("Turn {turn}, disc {} of 7: {disc}", drawn.len()),
    };
    Scene {
        moment,
        places: regions.chain(beside).collect(),
        built: spaces.enumerate().filter(|(at, _)| *at < east || *at >= last).map(|(_, id)| id).collect(),
    }
}

/// Returns the cubes of a place, in the order of the map's key.
fn cubes(counts: &Value) -> Vec<Piece> {
    let piece = |kind: &postrider_table::map::PieceKind| {
        let n = counts[&kind.id].as_u64().filter(|n| *n > 0)?;
        let letters = kind.sample.trim_start_matches(|c: char| c.is_ascii_digit());
        let colour = kind.name.split(':').next().unwrap_or_default();
        Some(Piece::new(&kind.id, "", format!("{n}{letters}"), format!("{n} {colour}")))
    };
    MAP.shapes.kinds.iter().filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Spot;
    use std::collections::BTreeSet;

    /// plains-indian-wars 4.4
    #[test]
    fn regions_share_a_border_where_the_rules_call_them_adjacent() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        assert_eq!(shapes.faults(), Vec::<String>::new());
        assert_eq!(adjacent(Components::FILE).expect("the built-in file"), shapes.adjacent());
        let names = |row: &[(String, String)]| row.iter().cloned().collect::<BTreeSet<_>>();
        let drawn: Vec<_> = shapes.areas.iter().map(|area| (area.id.clone(), area.name.clone())).collect();
        let known: Vec<_> = c.regions.iter().map(|region| (region.id.clone(), region.name.clone())).collect();
        assert_eq!(names(&drawn), names(&known));
    }

    #[test]
    fn the_drawing_is_not_that_of_another_map() {
        assert!(MAP.fits(Components::FILE));
        let other = Components::FILE
            .replacen("adjacent = [\"N6\", \"N7\", \"N11\"]", "adjacent = [\"N6\", \"N7\"]", 1)
            .replacen("adjacent = [\"N7\", \"N8\", \"N10\", \"N12\"]", "adjacent = [\"N7\", \"N8\", \"N12\"]", 1);
        assert!(Components::parse(&other, "mine.toml").is_ok() && !MAP.fits(&other));
        assert!(!MAP.fits("no components"));
    }

    /// plains-indian-wars 4.4, 11.3, 6.3
    #[test]
    fn arrows_lead_where_the_rules_let_cubes_cross() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        let mut known = BTreeSet::new();
        for region in &c.regions {
            let crossings = region.arrows.iter().map(|&(spot, faction)| (c.spot_name(spot), faction.word()));
            let arrows = crossings.map(|(to, who)| (region.id.as_str(), to, who));
            known.extend(arrows);
            if region.st_louis {
                let us = ["blue", "brown"].map(|who| (region.id.as_str(), c.spot_name(Spot::StLouis), who));
                known.extend(us);
            }
        }
        let name = |id: &str| shapes.face(id).map_or("", |face| &face.name);
        let drawn: BTreeSet<_> = shapes
            .arrows
            .iter()
            .flat_map(|arrow| arrow.who.iter().map(|who| (arrow.area.as_str(), name(&arrow.to), who.as_str())))
            .collect();
        assert_eq!(drawn, known);
    }

    /// plains-indian-wars 6.6.1, 6.7
    #[test]
    fn trails_and_rails_run_as_in_the_components() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        for trail in &c.trails {
            let regions: Vec<&str> = trail.regions.iter().map(|&r| c[r].id.as_str()).collect();
            // A trail that branches off another one shares its regions up to that point.
            let drawn = shapes.trails.iter().find(|drawn| drawn.name == trail.name).expect("it is drawn");
            let mut whole: Vec<&str> = drawn.areas.iter().map(String::as_str).collect();
            if let Some(before) = shapes.trails.iter().find(|other| other.areas.contains(&drawn.from)) {
                let upto = before.areas.iter().take_while(|id| **id != drawn.from).map(String::as_str);
                whole = upto.chain([drawn.from.as_str()]).chain(whole).collect();
            }
            assert_eq!(whole, regions, "{}", trail.name);
        }
        let track = shapes.track.as_ref().expect("a railroad");
        let spaces: Vec<&str> = track.spaces.iter().map(|space| space.id.as_str()).collect();
        assert_eq!(spaces, c.rail.iter().map(|space| space.space.as_str()).collect::<Vec<_>>());
        for (space, drawn) in c.rail.iter().zip(&track.spaces) {
            // A Plains space is on the border of its regions, or within one of them.
            for &r in &space.regions {
                let outline = shapes.outline(shapes.face(&c[r].id).expect("it is drawn"));
                let [x, y] = drawn.at;
                let near = (-30..=30).step_by(5).flat_map(|dx| (-30..=30).step_by(5).map(move |dy| [x + dx, y + dy]));
                assert!(near.into_iter().any(|at| Shapes::within(&outline, at)), "{} beside {}", space.space, c[r].id);
            }
        }
    }
}
