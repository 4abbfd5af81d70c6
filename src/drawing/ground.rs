//! The map below the pieces: areas with their names and borders, trails, arrows, the railroad.

use super::{
    canvas::{At, BLACK, Canvas, Ink, escaped},
    font,
};
use postrider_table::map::{Arrow, Aside, Compared, Face, Point, River, Shapes, Trail};

/// The color of trails.
pub(super) const TRAIL: &str = "#8a4b12";

/// Maximum font size of a name; below it, the minimum sizes of a full and of a short name.
const NAME: f64 = 23.0;
const IN_FULL: f64 = 17.0;
const SHORT: f64 = 14.0;
/// Line height of small names.
const ASIDE: f64 = 13.0;

/// Draws everything except the names, limited to the faces for which `shown` returns `true`.
pub(super) fn draw(canvas: &mut Canvas, shapes: &Shapes, compared: &Compared, shown: impl Fn(&Face) -> bool) {
    for face in shapes.faces().filter(|face| shown(face)) {
        let fill = shapes.roles.iter().find(|role| role.id == face.role).map_or("#ffffff", |role| &role.fill);
        // A box that is not part of the map has its own outline.
        let line = if face.ring.is_empty() { " stroke=\"#5b5348\" stroke-width=\"2\"" } else { "" };
        let area = escaped(&face.id);
        canvas.polygon(&real(&shapes.outline(face)), &format!("data-area=\"{area}\" fill=\"{fill}\"{line}"));
    }
    borders(canvas, shapes);
    shapes.rivers.iter().for_each(|river| water(canvas, river));
    shapes.trails.iter().for_each(|trail| line_of(canvas, trail));
    canvas.raw("<g data-part=\"track\">");
    rails(canvas, shapes, compared);
    canvas.raw("</g>");
    shapes.trails.iter().for_each(|trail| stops(canvas, trail));
    shapes.arrows.iter().for_each(|arrow| self::arrow(canvas, shapes, arrow));
    for town in &shapes.towns {
        let [x, y] = town.at.map(f64::from);
        canvas.raw(&format!("<g><title>{}</title>", escaped(&town.name)));
        canvas.rect([x - 6.0, y - 6.0, 12.0, 12.0], 0.0, "fill=\"#1c1c1c\" stroke=\"#ffffff\" stroke-width=\"2\"");
        canvas.raw("</g>");
    }
    for corner in &shapes.corners {
        let [x, y] = corner.at.map(f64::from);
        for (dx, dy) in [(13.0, 13.0), (13.0, -13.0)] {
            canvas.line(&[(x - dx, y - dy), (x + dx, y + dy)], "stroke=\"#1c1c1c\" stroke-width=\"4\"");
        }
        canvas.circle((x, y), 5.5, "fill=\"#ffffff\" stroke=\"#1c1c1c\" stroke-width=\"2.5\"");
    }
}

fn real(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|&[x, y]| (f64::from(x), f64::from(y))).collect()
}

/// Draws the borders of areas. They are thicker between different terrain, and thickest at the edge
/// of the map.
fn borders(canvas: &mut Canvas, shapes: &Shapes) {
    let role = |id: &String| shapes.areas.iter().find(|area| area.id == *id).map(|area| &area.role);
    for arc in &shapes.arcs {
        let beside: Vec<_> = arc.between.iter().filter_map(role).collect();
        let wide = match beside.as_slice() {
            [] => 1.0,
            [_] => 5.0,
            [a, b, ..] => {
                if a == b {
                    2.5
                } else {
                    4.0
                }
            }
        };
        let style = format!(
            "fill=\"none\" stroke=\"#5b5348\" stroke-width=\"{wide}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
        );
        canvas.line(&real(&arc.points), &style);
    }
}

/// Draws a river: blue between white banks, so that it differs from a border even in grayscale.
fn water(canvas: &mut Canvas, river: &River) {
    let [bank, stream] = if river.wide { ["12", "8"] } else { ["6", "3"] };
    let style = |colour: &str, wide: &str| {
        format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
        )
    };
    for (colour, wide) in [("#ffffff", bank), ("#3f7fb5", stream)] {
        river.lines.iter().for_each(|line| canvas.line(&real(line), &style(colour, wide)));
    }
}

fn line_of(canvas: &mut Canvas, trail: &Trail) {
    let line = real(&trail.line);
    canvas.line(&line, "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"7\" stroke-linejoin=\"round\"");
    let dashes = "stroke-width=\"4\" stroke-dasharray=\"13 7\" stroke-linejoin=\"round\"";
    canvas.line(&line, &format!("fill=\"none\" stroke=\"{TRAIL}\" {dashes}"));
}

/// Returns the letters for a trail: the initials of its words except the last.
pub(super) fn initials(trail: &Trail) -> String {
    let words: Vec<&str> = trail.name.split_whitespace().collect();
    let some = if words.len() > 1 { &words[..words.len() - 1] } else { &words[..] };
    some.iter().filter_map(|word| word.chars().next()).collect()
}

fn stops(canvas: &mut Canvas, trail: &Trail) {
    let letters = initials(trail);
    real(&trail.stops).into_iter().for_each(|at| stop(canvas, at, &letters));
}

/// Draws a stop of a trail.
pub(super) fn stop(canvas: &mut Canvas, at: (f64, f64), letters: &str) {
    canvas.circle(at, 12.5, &format!("fill=\"#ffffff\" stroke=\"{TRAIL}\" stroke-width=\"3\""));
    let size = if letters.chars().count() > 1 { 13.0 } else { 16.0 };
    canvas.text(at, At::Middle, letters, Ink { size, colour: TRAIL, rim: "" });
}

/// Draws the railroad, if there is one.
pub(super) fn rails(canvas: &mut Canvas, shapes: &Shapes, compared: &Compared) {
    if let Some(track) = &shapes.track {
        for space in &track.spaces {
            let [x, y] = space.at.map(f64::from);
            self::space(canvas, (x, y), f64::from(track.side), &space.id, compared.built.get(&space.id).copied());
        }
    }
}

/// Draws a space of the railroad. `built` is `None` if it is not built, and `Some(true)` if it was
/// built since the earlier position.
pub(super) fn space(canvas: &mut Canvas, (x, y): (f64, f64), side: f64, id: &str, built: Option<bool>) {
    let (fill, ink) = if built.is_some() { ("#2b2b2b", "#ffffff") } else { ("#ffffff", "#4a4a4a") };
    let at = [x - side / 2.0, y - side / 2.0, side, side];
    canvas.rect(at, 0.0, &format!("fill=\"{fill}\" stroke=\"#2b2b2b\" stroke-width=\"2\""));
    canvas.text((x, y), At::Middle, id, Ink { size: 14.0, colour: ink, rim: "" });
    if built == Some(true) {
        super::counters::frame(canvas, at, 20.0);
    }
}

/// Draws a connection between an area and a box, with the letters of those that may use it.
fn arrow(canvas: &mut Canvas, shapes: &Shapes, arrow: &Arrow) {
    let [[ax, ay], [bx, by]] = arrow.line.map(|point| point.map(f64::from));
    let long = (bx - ax).hypot(by - ay).max(1.0);
    let (dx, dy) = ((bx - ax) / long, (by - ay) / long);
    let line = [(ax + dx * 8.0, ay + dy * 8.0), (bx - dx * 8.0, by - dy * 8.0)];
    canvas.line(&line, "stroke=\"#1c1c1c\" stroke-width=\"4\"");
    for (x, y, turn) in [(ax, ay, -1.0), (bx, by, 1.0)] {
        let (fx, fy) = (dx * turn, dy * turn);
        let back = (x - fx * 14.0, y - fy * 14.0);
        canvas.polygon(
            &[(x, y), (back.0 - fy * 8.0, back.1 + fx * 8.0), (back.0 + fy * 8.0, back.1 - fx * 8.0)],
            "fill=\"#1c1c1c\"",
        );
    }
    let letters = |id: &String| shapes.kind(id).map(|kind| letters(&kind.sample));
    let who = arrow.who.iter().filter_map(letters).collect::<Vec<_>>().join(" ");
    let (size, middle) = (15.0, ((ax + bx) / 2.0, (ay + by) / 2.0));
    let wide = font::width(&who, size) + 8.0;
    canvas.rect(
        [middle.0 - wide / 2.0, middle.1 - 10.0, wide, 20.0],
        5.0,
        "fill=\"#ffffff\" stroke=\"#1c1c1c\" stroke-width=\"1.5\"",
    );
    canvas.text(middle, At::Middle, &who, Ink { size, colour: BLACK, rim: "" });
}

/// Returns the letters of a sample: `G` for `3G`.
pub(super) fn letters(sample: &str) -> String {
    sample.chars().filter(|letter| letter.is_alphabetic()).collect()
}

/// Draws the name of a face as large as fits, shortened if necessary. For an area, the id precedes
/// the name if it differs from the short name.
pub(super) fn label(canvas: &mut Canvas, face: &Face, is_area: bool) {
    let Some(at) = face.label.map(|at| at.map(f64::from)) else { return };
    let room = f64::from(face.room);
    let [full, brief] = names(face, is_area);
    let fits = [(full, IN_FULL), (brief, SHORT)].into_iter().find(|(name, least)| font::width(name, *least) <= room);
    let name = fits.map_or_else(|| face.id.clone(), |(name, _)| name);
    let size = (NAME * room / font::width(&name, NAME)).clamp(SHORT, NAME);
    canvas.text((at[0], at[1]), At::Middle, &name, Ink { size, colour: BLACK, rim: rim(face) });
}

/// Draws the small name of a face, if it has one.
pub(super) fn aside(canvas: &mut Canvas, face: &Face) {
    let Some(Aside { at, lines }) = &face.aside else { return };
    let [x, mut y] = at.map(f64::from);
    y -= ASIDE / 2.0 * f64::from(u32::try_from(lines.len().saturating_sub(1)).unwrap_or(0));
    for line in lines {
        canvas.text((x, y), At::Middle, line, Ink { size: ASIDE * 0.9, colour: BLACK, rim: rim(face) });
        y += ASIDE;
    }
}

/// Returns the color of the outline of a face's name, which keeps it legible where lines cross it.
/// Hexes need none: no lines cross them, and there are hundreds of them.
fn rim(face: &Face) -> &'static str {
    if face.ring.is_empty() { "" } else { "#ffffff" }
}

/// Returns the rectangle for a face's pieces: the part above or below its small name.
pub(super) fn room(face: &Face) -> Option<[f64; 4]> {
    let [x, y, w, h] = face.rect?.map(f64::from);
    let Some(Aside { at, lines }) = &face.aside else { return Some([x, y, w, h]) };
    let [middle, line] = at.map(f64::from);
    let long = lines.iter().map(|line| font::width(line, ASIDE * 0.9)).fold(0.0, f64::max);
    let high = ASIDE * f64::from(u32::try_from(lines.len()).unwrap_or(0));
    let (top, bottom) = (line - high / 2.0, line + high / 2.0);
    let apart = middle + long / 2.0 <= x || middle - long / 2.0 >= x + w || bottom <= y || top >= y + h;
    Some(match apart {
        true => [x, y, w, h],
        false if top - y > y + h - bottom => [x, y, w, top - y],
        false => [x, bottom, w, y + h - bottom],
    })
}

/// Returns the full and the short name of a face. For an area, they include its id if that differs.
pub(super) fn names(face: &Face, is_area: bool) -> [String; 2] {
    match (is_area, face.abbr != face.id) {
        (true, true) => [format!("{} {}", face.id, face.name), format!("{} {}", face.id, face.abbr)],
        // If the name is drawn elsewhere, the short form is the id alone.
        (true, false) if face.aside.is_some() => [format!("{} {}", face.id, face.name), face.id.clone()],
        _ => [face.name.clone(), face.abbr.clone()],
    }
}
