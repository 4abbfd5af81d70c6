//! Pieces: their outlines and their layout within an area.

use super::{
    canvas::{At, Canvas, Ink, short},
    font,
};
use postrider_table::map::{Change, Figure, Marked, PieceKind, Shapes};

/// Font sizes for pieces, largest first. The smallest is still readable on a phone, where a map of
/// 1000 units is as wide as the screen.
const SIZES: [f64; 7] = [30.0, 27.0, 24.0, 22.0, 20.0, 18.0, 16.0];
/// Width, relative to their rectangle, of pieces that do not fit into it.
const OVERFLOW: f64 = 1.4;
/// Font sizes at which pieces show their long text.
const IN_FULL: [f64; 3] = [24.0, 22.0, 20.0];
/// Distance between a frame and its content; below it, the distance between pieces. Relative to the
/// font size.
const FRAME: f64 = 0.14;
const GAP: f64 = 0.3;

/// A piece and its position.
struct Counter<'m> {
    marked: &'m Marked,
    kind: &'m PieceKind,
    text: &'m str,
    /// Left, top, width, height.
    at: [f64; 4],
}

/// Draws pieces into a rectangle: left, top, width, height.
pub(super) fn draw(canvas: &mut Canvas, shapes: &Shapes, pieces: &[Marked], room: [f64; 4]) {
    let known = |marked: &'_ Marked| shapes.kind(&marked.piece.kind).is_some();
    if !pieces.iter().any(known) {
        return;
    }
    let names = pieces.iter().any(|marked| marked.piece.long != marked.piece.text);
    let in_full = IN_FULL.iter().filter(|_| names).map(|&size| (size, true));
    let tries = in_full.chain(SIZES.iter().map(|&size| (size, false)));
    let laid = tries.filter_map(|(size, full)| Some((size, lay(shapes, pieces, room, size, full)?))).next();
    // Pieces that do not fit at any size overflow the rectangle, because omitting them would be
    // worse.
    let smallest = SIZES[SIZES.len() - 1];
    let (size, counters) = laid.unwrap_or_else(|| {
        let [x, y, w, _] = room;
        let kinds = pieces.iter().filter_map(|marked| Some((shapes.kind(&marked.piece.kind)?, marked)));
        let widest = kinds.map(|(kind, marked)| extent(kind, &marked.piece.text, smallest)[0]);
        let wide = widest.fold(w * OVERFLOW, f64::max);
        let room = [x - (wide - w) / 2.0, y, wide, f64::MAX];
        (smallest, lay(shapes, pieces, room, smallest, false).unwrap_or_default())
    });
    counters.iter().for_each(|counter| counter.draw(canvas, size));
}

/// Returns the width and height of a piece.
fn extent(kind: &PieceKind, text: &str, size: f64) -> [f64; 2] {
    let beside = match kind.figure {
        Figure::Bare => 0.1,
        Figure::Square | Figure::House | Figure::Fort => 0.5,
        Figure::Round | Figure::Tent => 0.75,
        Figure::Point | Figure::Star => 0.95,
    };
    let high = 1.25 * size;
    [(font::width(text, size) + beside * size).max(high), high]
}

/// Lays out pieces in centered rows at this font size. Returns `None` if they do not fit.
fn lay<'m>(
    shapes: &'m Shapes,
    pieces: &'m [Marked],
    [left, top, w, h]: [f64; 4],
    size: f64,
    full: bool,
) -> Option<Vec<Counter<'m>>> {
    let gap = GAP * size;
    // Leaves room for frames at the top and bottom.
    let (top, h) = (top + FRAME * size, h - 2.0 * FRAME * size);
    let mut rows: Vec<(f64, Vec<Counter<'m>>)> = vec![(0.0, Vec::new())];
    let mut y = 0.0;
    for marked in pieces {
        let Some(kind) = shapes.kind(&marked.piece.kind) else { continue };
        let text = if full { marked.piece.long.as_str() } else { marked.piece.text.as_str() };
        let [wide, high] = extent(kind, text, size);
        if rows.last().is_some_and(|(x, row)| !row.is_empty() && x + wide > w) {
            y += high + gap;
            rows.push((0.0, Vec::new()));
        }
        let (x, row) = rows.last_mut()?;
        if *x + wide > w || y + high > h {
            return None;
        }
        row.push(Counter { marked, kind, text, at: [*x, top + y, wide, high] });
        *x += wide + gap;
    }
    let middle = |(long, row): (f64, Vec<Counter<'m>>)| {
        let shift = left + (w - (long - gap)) / 2.0;
        row.into_iter().map(move |counter| {
            let [x, y, w, h] = counter.at;
            Counter { at: [x + shift, y, w, h], ..counter }
        })
    };
    Some(rows.into_iter().flat_map(middle).collect())
}

/// Draws the frame around something that changed: a piece, or a space of the railroad. `size` is
/// the font size.
pub(super) fn frame(canvas: &mut Canvas, [x, y, w, h]: [f64; 4], size: f64) {
    let (off, wide) = (FRAME * size, short((0.14 * size).max(2.5)));
    let style = format!("fill=\"none\" stroke=\"#000000\" stroke-width=\"{wide}\"");
    canvas.rect([x - off, y - off, w + 2.0 * off, h + 2.0 * off], 3.0, &style);
}

impl Counter<'_> {
    fn draw(&self, canvas: &mut Canvas, size: f64) {
        let gone = self.marked.change == Change::Gone;
        sample(canvas, self.kind, self.at, self.text, size, gone);
        if matches!(self.marked.change, Change::New | Change::Other) {
            frame(canvas, self.at, size);
        }
    }
}

/// Draws a piece of this kind. A removed piece is white with a dashed outline and struck through.
pub(super) fn sample(canvas: &mut Canvas, kind: &PieceKind, at: [f64; 4], text: &str, size: f64, gone: bool) {
    let [x, y, w, h] = at;
    let style = match gone {
        true => "fill=\"#ffffff\" stroke=\"#1c1c1c\" stroke-width=\"2\" stroke-dasharray=\"4 4\"".to_owned(),
        false => format!("fill=\"{}\" stroke=\"#1c1c1c\" stroke-width=\"1.5\" stroke-linejoin=\"round\"", kind.fill),
    };
    let ink = if gone { "#1c1c1c" } else { kind.ink.as_str() };
    let mut middle = y + h / 2.0;
    let corners = |list: &[(f64, f64)]| list.iter().map(|(dx, dy)| (x + dx, y + dy)).collect::<Vec<_>>();
    match kind.figure {
        Figure::Bare => {}
        Figure::Square => canvas.rect(at, 2.0, &style),
        Figure::Round => canvas.rect(at, h / 2.0, &style),
        Figure::Fort => {
            canvas.rect([x, y, w, h - 3.0], 0.0, &style);
            let foot = if gone { "fill=\"#ffffff\" stroke=\"#1c1c1c\" stroke-width=\"2\"" } else { "fill=\"#1c1c1c\"" };
            canvas.rect([x - 3.0, y + h - 5.0, w + 6.0, 6.0], 0.0, foot);
            middle -= 1.5;
        }
        Figure::House => {
            let roof = 0.22 * h;
            canvas.polygon(&corners(&[(0.0, roof), (w / 2.0, 0.0), (w, roof), (w, h), (0.0, h)]), &style);
            middle += 0.1 * h;
        }
        Figure::Tent => canvas.polygon(&corners(&[(0.26 * h, 0.0), (w - 0.26 * h, 0.0), (w, h), (0.0, h)]), &style),
        Figure::Point => {
            let tip = 0.36 * h;
            canvas.polygon(
                &corners(&[(0.0, h / 2.0), (tip, 0.0), (w - tip, 0.0), (w, h / 2.0), (w - tip, h), (tip, h)]),
                &style,
            );
        }
        Figure::Star => {
            let notch = 0.28 * h;
            canvas.polygon(
                &corners(&[(0.0, 0.0), (w, 0.0), (w - notch, h / 2.0), (w, h), (0.0, h), (notch, h / 2.0)]),
                &style,
            );
        }
    }
    canvas.text((x + w / 2.0, middle), At::Middle, text, Ink { size, colour: ink, rim: "" });
    if gone {
        canvas.line(&[(x + 2.0, y + h - 2.0), (x + w - 2.0, y + 2.0)], "stroke=\"#1c1c1c\" stroke-width=\"2\"");
    }
}

/// Returns the width and height of a piece in the key.
pub(super) fn sample_extent(kind: &PieceKind, size: f64) -> [f64; 2] {
    extent(kind, &kind.sample, size)
}
