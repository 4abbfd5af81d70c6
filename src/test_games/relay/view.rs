//! The information for players: views, the map, help, facts and the outcome.

use super::{Components, State};
use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::{
    Counted, Explained, Json, Outcome, SCORES, Seat, Standing, Subject, Subjects, VPS,
    components::Kit,
    each, list,
    map::{GameMap, Piece, Place, Scene, Shapes, read},
    rows, visibility,
};
use serde_json::json;

visibility! {
    State;
    given { c, variant }
    open { round, storm, riders, waiting }
    hidden {
        /// 3: the stable, and the horses of other riders.
        horses => |g, seat, below| g.horses.make_up(seat, below),
    }
    passing { earned }
    form(form) {
        form.member("horses", horses);
        form.member("riders", each(riders, |rider| list![rider.at, rider.mail]));
        form.member("round", list![round, storm]);
        form.member("waiting", waiting);
    }
}

/// Returns the view of a seat, or with `None` of a spectator.
pub fn view(g: &State, seat: Option<Seat>) -> Json {
    let riders = g.seats().map(|of| {
        let (rider, ready) = (g.rider(of), g.horses.hand(of).len());
        json!({ "seat": of.to_string(), "at": g.c[rider.at].name, "mail": rider.mail, "ready": ready })
    });
    let stations = g.c.station_ids().map(|at| json!({ "name": g.c[at].name, "mail": g.waiting[at.index()] }));
    let mut view = json!({
        "round": g.round, "storm": g.storm, "riders": rows(riders), "stations": rows(stations), "stable": g.horses.left(),
    });
    if let Some(seat) = seat {
        let horses = g.horses.hand(seat).map(|horse| json!({ "name": g.c[horse].name, "paces": g.c[horse].paces }));
        view["you"] = json!({ "seat": seat.to_string(), "horses": rows(horses) });
    }
    view
}

/// The map: the stations, their mail, and the riders.
pub static MAP: GameMap = GameMap::new(|| Shapes::built_in(include_str!("shapes.json")), adjacent, scene);

fn adjacent(components: &str) -> Option<Vec<[String; 2]>> {
    let c = Components::of(components).ok()?;
    let beside = |station: usize| c.stations[station].roads.iter().map(|&to| c[to].name.as_str());
    Some(read::pairs(c.stations.iter().enumerate().map(|(at, station)| (station.name.as_str(), beside(at)))))
}

fn scene(view: &Json) -> Scene {
    let places = read::rows(view, "stations").map(|station| {
        let (at, mail) = (read::text(station, "name"), read::number(station, "mail"));
        let here = read::rows(view, "riders").filter(|rider| read::text(rider, "at") == at);
        let riders = here.map(|rider| read::text(rider, "seat"));
        let riders = riders.map(|seat| Piece::new("rider", seat, seat, format!("rider {seat}")));
        let mail = (mail > 0).then(|| Piece::new("mail", "", format!("{mail}m"), format!("{mail} mail")));
        Place { at: at.to_owned(), pieces: riders.chain(mail).collect(), ..Place::default() }
    });
    Scene { moment: format!("Round {}", read::number(view, "round")), places: places.collect(), ..Scene::default() }
}

/// Returns the subjects of `help`: those of the page, and each horse.
pub fn help(components: &str) -> Subjects {
    let c = Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    let horse =
        |name: &str, paces: u8| Subject::thing(name, Explained::new(name, format!("It runs up to {paces} (4).")));
    let horses: Vec<Subject> = c.horses.iter().map(|each| horse(&each.name, each.paces)).collect();
    Subjects::of(include_str!("help.md")).and("the name of a horse", horses)
}

/// The facts that conditions of standing orders can compare.
pub const FACTS: &[FactKind] = &[
    FactKind::new("round", Measure::Number(0, 99), &[], "the Round"),
    FactKind::new(VPS, SCORES, &[], "the mail that you have").or(&["mail"]),
    FactKind::new("gain", Measure::Number(0, 9), &["ride"], "the mail that lies where the answer leads"),
];

pub fn facts(g: &State, seat: Seat) -> Vec<Fact> {
    vec![Fact::number("round", g.round), Fact::number(VPS, g.rider(seat).mail)]
}

/// 7: most mail wins; equal riders share a place.
pub fn outcome(g: &State) -> Outcome {
    let seats = g.seats().map(|seat| Standing::new(seat, g.rider(seat).mail));
    Outcome::by_points(Counted::more("mail"), seats, "most mail (7)")
}
