//! Drawings of positions with every element that a map can have.

use super::{Picture, canvas::BLACK, ground, png};
use postrider_table::{
    SeededChance, Setup, Watch,
    map::{Figure, GameMap, Piece, Place, Scene, Shapes},
};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// A map with every possible element: two adjacent areas, a box, a trail, a railroad and others.
static MAP: GameMap = GameMap {
    shapes: LazyLock::new(|| {
        Shapes::parse(
            r##"{
            "about": "a test", "size": [400, 200],
            "roles": [{"id": "land", "name": "land", "fill": "#eeeeee"}],
            "kinds": [
                {"id": "man", "name": "Man", "figure": "round", "fill": "#111111", "ink": "#ffffff", "sample": "1M"},
                {"id": "dog", "name": "Dog", "figure": "tent", "fill": "#885511", "ink": "#ffffff", "sample": "1D", "mark": "^"}
            ],
            "areas": [
                {"id": "a", "name": "Alpha", "abbr": "Al", "role": "land", "ring": [1, 2], "label": [80, 30], "room": 140, "rect": [20, 45, 120, 100]},
                {"id": "b", "name": "Beta & <Co>", "abbr": "Be", "role": "land", "ring": [3, -2], "label": [240, 30], "room": 140, "rect": [180, 45, 120, 30]}
            ],
            "beside": [{"id": "box", "name": "Box", "abbr": "Bx", "role": "land", "corners": [[330, 0], [399, 0], [399, 199], [330, 199]], "label": [364, 30], "room": 60, "rect": [335, 45, 60, 100]}],
            "rivers": [{"name": "Wide", "lines": [[[0, 150], [319, 160]]], "wide": true}], "towns": [{"name": "Town", "area": "a", "at": [30, 170]}],
            "corners": [{"at": [160, 0], "pairs": []}],
            "track": {"name": "Railroad", "side": 20, "spaces": [{"id": "R1", "at": [100, 180]}, {"id": "R2", "at": [130, 180]}]},
            "arrows": [{"area": "b", "to": "box", "line": [[300, 100], [340, 100]], "who": ["man"]}],
            "trails": [{"name": "Long Trail", "from": "box", "areas": ["b", "a"], "stops": [[200, 120], [80, 160]], "line": [[340, 120], [80, 160]]}],
            "arcs": [
                {"between": ["a"], "points": [[160, 0], [0, 0], [0, 199], [160, 199]]},
                {"between": ["a", "b"], "points": [[160, 199], [160, 0]]},
                {"between": ["b"], "points": [[160, 199], [319, 199], [319, 0], [160, 0]]}
            ]
        }"##,
        )
        .expect("a drawing")
    }),
    adjacent: |_| None,
    lines: |_| Vec::new(),
    instead: |_| None,
    part: |_| None,
    scene: |view| Scene {
        moment: view["moment"].as_str().unwrap_or_default().to_owned(),
        places: view["places"].as_object().into_iter().flatten().map(place).collect(),
        built: view["built"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
    },
};

fn place((at, pieces): (&String, &Value)) -> Place {
    let piece = |(kind, n): (&String, &Value)| Piece {
        kind: kind.clone(),
        text: format!("{n}{}", &kind[..1].to_uppercase()),
        long: format!("{n}{}", &kind[..1].to_uppercase()),
        words: format!("{n} {kind}"),
        ..Piece::default()
    };
    Place { at: at.clone(), says: String::new(), pieces: pieces.as_object().into_iter().flatten().map(piece).collect() }
}

fn picture(now: &Value, before: Option<&Value>) -> Picture {
    Picture::of(&MAP, "Ben's <b>\"game\"</b> & more\u{7}", now, before)
}

#[test]
fn a_drawing_is_well_formed_and_the_same_every_time() {
    assert_eq!(MAP.shapes.faults(), Vec::<String>::new());
    let before = json!({ "moment": "then", "places": { "a": { "man": 3, "dog": 1 } }, "built": ["R1"] });
    let now = json!({ "moment": "now", "places": { "a": { "man": 2 }, "Box": { "dog": 1 }, "nowhere": { "man": 9 } }, "built": ["R1", "R2"] });
    let svg = picture(&now, Some(&before)).svg();
    assert_eq!(picture(&now, Some(&before)).svg(), svg);
    assert_eq!(png(&svg, 300).expect("a drawing"), png(&svg, 300).expect("a drawing"));
    assert!(svg.contains("Ben&#39;s &lt;b&gt;&quot;game&quot;&lt;/b&gt; &amp; more\\u0007: now</title>"), "{svg}");
    assert!(svg.contains("<title>Alpha (a): 2 man (was 3M), 1 dog (gone)</title>"), "{svg}");
    assert!(svg.contains("<title>Beta &amp; &lt;Co&gt; (b): nothing</title>"), "{svg}");
    assert!(svg.contains("<title>Box: 1 dog (new)</title>"), "{svg}");
    for outside in ["http", "script", "<image", "<style", "url(", "font-family", "@import", " on"] {
        let once = usize::from(outside == "http");
        assert_eq!(
            svg.matches(outside).count(),
            once,
            "{outside}: the name of SVG itself is all that looks like a link"
        );
    }
}

fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |colour: &str| {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// WCAG 2.2, success criterion 1.4.3: on the maps and boards of all games, pieces and names have a
/// contrast of at least 4.5 : 1.
#[test]
fn every_colour_of_a_map_can_be_read() {
    let mut pairs = 0;
    let mut read = |what: &str, ink: &str, ground: &str| {
        pairs += 1;
        assert!(contrast(ink, ground) >= 4.5, "{what}: {ink} on {ground}");
    };
    for rules in postrider_games::rulesets() {
        for scenario in rules.scenarios() {
            let setup = Setup {
                seats: *rules.seats().end(),
                scenario: (*scenario).to_owned(),
                options: [].into(),
                components: rules.components().into(),
            };
            let game = rules.open(&setup, Box::new(SeededChance::new(1)), Watch::NONE).expect("it opens");
            let shapes = &rules.map().expect("a map").shown(&game.view(None).expect("a view")).shapes;
            for role in &shapes.roles {
                read(&role.id, BLACK, &role.fill);
            }
            for kind in &shapes.kinds {
                // A piece without a figure is written on the ground.
                let bare = kind.figure == Figure::Bare;
                let grounds: Vec<&str> =
                    if bare { shapes.roles.iter().map(|role| &*role.fill).collect() } else { vec![&kind.fill] };
                grounds.iter().for_each(|ground| read(&kind.id, &kind.ink, ground));
            }
        }
    }
    for (ink, ground) in [(ground::TRAIL, "#ffffff"), ("#4a4a4a", "#ffffff"), ("#ffffff", "#2b2b2b")] {
        read("a trail or railroad", ink, ground);
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn what_changed_is_marked_in_letters_too() {
    let before = json!({ "places": { "a": { "man": 3, "dog": 1 } }, "built": [] });
    let now = json!({ "places": { "a": { "man": 2 }, "Box": { "dog": 1 } }, "built": ["R1"] });
    let text = picture(&now, Some(&before)).text();
    for part in
        ["2M*", "(^1D)", "^1D*", "#", "o", "* new or changed; (...) gone", "Long Trail (L): Box - b - a", "b-Box (M)"]
    {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 76), "{text}");
    let plain = picture(&now, None).text();
    assert!(!plain.contains('*') && !plain.contains("gone"), "{plain}");
}

#[test]
fn what_finds_no_room_is_not_lost() {
    let crowd = json!({ "places": { "b": { "man": 1_000_000_000_000_i64, "dog": 1_000_000_000_000_i64 } } });
    let svg = picture(&crowd, None).svg();
    assert!(svg.contains("1000000000000 dog, 1000000000000 man"), "{svg}");
    assert_eq!(svg.matches("#g30\"").count(), 24, "all zeros of both: {svg}");
    assert!(png(&svg, 200).is_ok());
    let text = picture(&crowd, None).text();
    assert!(text.replace("\n  ", " ").contains("1000000000000M"), "{text}");
}
