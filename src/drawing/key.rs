//! The key below a map, which explains the pieces, lines and marks.

use super::{
    canvas::{At, BLACK, Canvas, Ink},
    counters, font, ground,
};
use postrider_table::map::{PieceKind, Shapes};

/// Font size.
const SIZE: f64 = 20.0;
/// Height of a row.
const ROW: f64 = 36.0;
/// Width of the margins.
const MARGIN: f64 = 12.0;

/// The symbol of an entry.
enum Sign<'m> {
    Piece(&'m PieceKind),
    Stop(String),
    Space(Option<bool>),
    Changed,
    Gone,
    Corner,
    Arrow,
}

/// The key of a map with its layout.
pub(super) struct Key<'m> {
    /// The entries: symbol, text, left edge and row.
    entries: Vec<(Sign<'m>, String, f64, usize)>,
    rows: usize,
}

impl<'m> Key<'m> {
    /// Lays out the key of a map of width `wide`. `compared` is `true` if changes are marked.
    pub(super) fn of(shapes: &'m Shapes, compared: bool, wide: f64) -> Key<'m> {
        let mut all: Vec<(Sign<'m>, String)> =
            shapes.kinds.iter().map(|kind| (Sign::Piece(kind), kind.name.clone())).collect();
        all.extend(shapes.trails.iter().map(|trail| (Sign::Stop(ground::initials(trail)), trail.name.clone())));
        if let Some(track) = &shapes.track {
            all.push((Sign::Space(None), format!("{} to build", track.name)));
            all.push((Sign::Space(Some(false)), "built".to_owned()));
        }
        if !shapes.arrows.is_empty() {
            all.push((Sign::Arrow, "who may pass".to_owned()));
        }
        if !shapes.corners.is_empty() {
            all.push((Sign::Corner, "adjacent crosswise".to_owned()));
        }
        if compared {
            all.push((Sign::Changed, "new or changed".to_owned()));
            all.push((Sign::Gone, "gone".to_owned()));
        }
        let (mut x, mut row, mut entries) = (MARGIN, 0, Vec::new());
        for (sign, words) in all {
            let long = sign.wide() + 8.0 + font::width(&words, SIZE);
            if x > MARGIN && x + long > wide - MARGIN {
                (x, row) = (MARGIN, row + 1);
            }
            debug_assert!(x + long <= wide, "\"{words}\" does not fit into a row of the key");
            entries.push((sign, words, x, row));
            x += long + 28.0;
        }
        Key { entries, rows: row + 1 }
    }

    /// Returns the height.
    pub(super) fn high(&self) -> f64 {
        ROW * f64::from(u32::try_from(self.rows).unwrap_or(u32::MAX)) + 2.0 * MARGIN
    }

    /// Draws the key, starting at the top.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for (sign, words, x, row) in &self.entries {
            let middle = MARGIN + ROW * (f64::from(u32::try_from(*row).unwrap_or(0)) + 0.5);
            sign.draw(canvas, *x, middle);
            canvas.text((x + sign.wide() + 8.0, middle), At::Left, words, Ink { size: SIZE, colour: BLACK, rim: "" });
        }
    }
}

impl Sign<'_> {
    fn wide(&self) -> f64 {
        match self {
            Sign::Piece(kind) => counters::sample_extent(kind, SIZE)[0],
            Sign::Stop(_) | Sign::Changed | Sign::Gone | Sign::Corner => 30.0,
            Sign::Space(_) => 29.0,
            Sign::Arrow => 44.0,
        }
    }

    fn draw(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let middle = x + self.wide() / 2.0;
        match self {
            Sign::Piece(kind) => {
                let [w, h] = counters::sample_extent(kind, SIZE);
                counters::sample(canvas, kind, [x, y - h / 2.0, w, h], &kind.sample, SIZE, false);
            }
            Sign::Stop(letters) => ground::stop(canvas, (middle, y), letters),
            Sign::Space(built) => ground::space(canvas, (middle, y), 26.0, "", *built),
            Sign::Changed => counters::frame(canvas, [x + 6.0, y - 9.0, 18.0, 18.0], SIZE),
            Sign::Gone => {
                let broken = "fill=\"none\" stroke=\"#1c1c1c\" stroke-width=\"2\" stroke-dasharray=\"4 4\"";
                canvas.rect([x + 3.0, y - 11.0, 24.0, 22.0], 2.0, broken);
                canvas.line(&[(x + 4.0, y + 10.0), (x + 26.0, y - 10.0)], "stroke=\"#1c1c1c\" stroke-width=\"2\"");
            }
            Sign::Corner => {
                for turn in [1.0, -1.0] {
                    let line = [(middle - 10.0, y - 10.0 * turn), (middle + 10.0, y + 10.0 * turn)];
                    canvas.line(&line, "stroke=\"#1c1c1c\" stroke-width=\"4\"");
                }
            }
            Sign::Arrow => {
                canvas.line(&[(x + 8.0, y), (x + 36.0, y)], "stroke=\"#1c1c1c\" stroke-width=\"4\"");
                canvas.polygon(&[(x, y), (x + 13.0, y - 8.0), (x + 13.0, y + 8.0)], "fill=\"#1c1c1c\"");
                canvas.polygon(&[(x + 44.0, y), (x + 31.0, y - 8.0), (x + 31.0, y + 8.0)], "fill=\"#1c1c1c\"");
            }
        }
    }
}
