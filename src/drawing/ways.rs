//! Effects of orders, drawn on a map.

use super::canvas::Canvas;
use postrider_table::map::{Face, Point, Shapes, Way, WayKind};

/// Minimum margin around the effects of orders, in units of the drawing.
const MARGIN: i32 = 60;

/// Returns the center of a place's outline, or of its rectangle if it has no outline.
fn middle(shapes: &Shapes, face: &Face) -> Option<Point> {
    let outline = shapes.outline(face);
    match (bounds(&outline), face.rect) {
        (Some([left, top, wide, high]), _) | (None, Some([left, top, wide, high])) => {
            Some([left + wide / 2, top + high / 2])
        }
        (None, None) => None,
    }
}

/// Returns the centers of the places of a way.
pub(super) fn points(shapes: &Shapes, way: &Way) -> Vec<Point> {
    way.places.iter().filter_map(|place| middle(shapes, shapes.face(place)?)).collect()
}

/// Returns the bounding box of points (left, top, width, height), or `None` if there are none.
pub(super) fn bounds(points: &[Point]) -> Option<[i32; 4]> {
    let of = |axis: usize| {
        let all = points.iter().map(move |point| point[axis]);
        Some((all.clone().min()?, all.max()?))
    };
    let ((left, right), (top, bottom)) = (of(0)?, of(1)?);
    Some([left, top, right - left, bottom - top])
}

/// Returns the part to show: it contains `around`, is at least as large as `shown`, and stays
/// within the drawing.
pub(super) fn part(shown: [i32; 4], around: [i32; 4], size: [i32; 2]) -> [i32; 4] {
    let along = |axis: usize| {
        let long = (around[axis + 2] + 2 * MARGIN).max(shown[axis + 2]).min(size[axis]);
        let from = around[axis] + around[axis + 2] / 2 - long / 2;
        (from.clamp(0, size[axis] - long), long)
    };
    let ((left, wide), (top, high)) = (along(0), along(1));
    [left, top, wide, high]
}

/// Draws a way: a line through the centers of its places with an arrowhead, or a dot if there is
/// only one place, for pieces that come from off the map.
pub(super) fn draw(canvas: &mut Canvas, shapes: &Shapes, way: &Way) {
    let points: Vec<(f64, f64)> = points(shapes, way).into_iter().map(|[x, y]| (f64::from(x), f64::from(y))).collect();
    let (colour, dashes) = match way.what {
        WayKind::Move => ("#1d4f91", ""),
        WayKind::Fire => ("#7a1f1f", " stroke-dasharray=\"7 5\""),
        WayKind::Attack => ("#b3261e", ""),
    };
    if let [alone] = points[..] {
        canvas.circle(alone, 9.0, &format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"2\""));
    }
    let [.., (ax, ay), (bx, by)] = points[..] else { return };
    let long = (bx - ax).hypot(by - ay).max(1.0);
    let (dx, dy) = ((bx - ax) / long, (by - ay) / long);
    let mut line = points.clone();
    if let Some(last) = line.last_mut() {
        *last = (bx - dx * 10.0, by - dy * 10.0);
    }
    let round = "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    // A light line below makes it stand out from the counters.
    canvas.line(&line, &format!("{round} stroke=\"#ffffff\" stroke-opacity=\"0.8\" stroke-width=\"8\""));
    canvas.line(&line, &format!("{round} stroke=\"{colour}\" stroke-width=\"4\"{dashes}"));
    let back = (bx - dx * 16.0, by - dy * 16.0);
    canvas.polygon(
        &[(bx, by), (back.0 - dy * 9.0, back.1 + dx * 9.0), (back.0 + dy * 9.0, back.1 - dx * 9.0)],
        &format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"1\""),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_is_shown_holds_all_ways_and_lies_within_the_drawing() {
        let size = [1000, 800];
        assert_eq!(part([0, 0, 300, 200], [900, 700, 50, 40], size), [700, 600, 300, 200]);
        assert_eq!(part([0, 0, 300, 200], [100, 100, 600, 40], size), [40, 20, 720, 200]);
        assert_eq!(part([0, 0, 300, 200], [0, 0, 1000, 800], size), [0, 0, 1000, 800]);
    }

    #[test]
    fn bounds_are_those_of_all_points() {
        assert_eq!(bounds(&[[3, 9], [1, 4], [7, 5]]), Some([1, 4, 6, 5]));
        assert_eq!(bounds(&[]), None);
    }
}
