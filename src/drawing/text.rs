//! The map as text with at most 76 columns, for terminals and plain mails.
//!
//! Each character cell belongs to the face that contains it. It shows `|` if the cell to its right
//! belongs to another face, and `_` if the cell below it does. Names and pieces are written into
//! the free cells.

use super::ground::{self, initials, letters};
use postrider_table::map::{Change, Compared, Face, Marked, Shapes};

/// Maximum number of columns.
const COLUMNS: usize = 76;

/// Approximate ratio of a character's height to its width.
const HIGHER: f64 = 2.0;

/// The text for one face.
struct Words<'m> {
    face: &'m Face,
    /// Its possible names, longest first.
    names: Vec<String>,
    pieces: Vec<String>,
}

/// Returns the map and its key.
pub(super) fn draw(shapes: &Shapes, compared: &Compared, title: &str) -> String {
    let mut grid = Grid::of(shapes);
    grid.rails(shapes, compared);
    let mut left_out = Vec::new();
    for face in shapes.areas.iter().chain(&shapes.beside) {
        let marked = compared.places.get(&face.id).map_or(&[][..], Vec::as_slice);
        let words = Words::of(shapes, face, marked);
        if !grid.write(&words) && !words.pieces.is_empty() {
            left_out.push(format!("{}: {}", words.names.last().map_or("", String::as_str), words.pieces.join(" ")));
        }
    }
    let mut lines = vec![title.to_owned(), String::new()];
    lines.extend(grid.lines());
    lines.push(String::new());
    lines.extend(left_out);
    lines.extend(key(shapes, compared));
    let mut text: String = lines.iter().map(|line| filled(line)).collect();
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

/// Returns the line with a newline, wrapped if it is too long.
fn filled(line: &str) -> String {
    if line.chars().count() <= COLUMNS {
        return format!("{}\n", line.trim_end());
    }
    let options = textwrap::Options::new(COLUMNS).subsequent_indent("  ").break_words(false);
    textwrap::fill(line, options) + "\n"
}

impl<'m> Words<'m> {
    fn of(shapes: &Shapes, face: &'m Face, marked: &[Marked]) -> Words<'m> {
        let is_area = shapes.areas.iter().any(|area| area.id == face.id);
        let mut names = ground::names(face, is_area).to_vec();
        if is_area {
            names.push(face.id.clone());
        }
        let piece = |marked: &Marked| {
            let mark = shapes.kind(&marked.piece.kind).map_or("", |kind| kind.mark.as_str());
            let text = format!("{mark}{}", marked.piece.text);
            match marked.change {
                Change::Same => text,
                Change::New | Change::Other => format!("{text}*"),
                Change::Gone => format!("({text})"),
            }
        };
        Words { face, names, pieces: marked.iter().map(piece).collect() }
    }
}

/// Lines with their row numbers.
type Laid = Vec<(usize, String)>;

/// The character cells and the face to which each belongs.
struct Grid {
    letters: Vec<Vec<char>>,
    faces: Vec<Vec<Option<String>>>,
    /// `true` for cells that must not be overwritten.
    taken: Vec<Vec<bool>>,
    unit: [f64; 2],
}

impl Grid {
    fn of(shapes: &Shapes) -> Grid {
        let [wide, high] = shapes.size.map(f64::from);
        let unit = [wide / COLUMNS as f64, wide / COLUMNS as f64 * HIGHER];
        let rows = (high / unit[1]).ceil() as usize;
        let outlines: Vec<_> = shapes.faces().map(|face| (face.id.clone(), shapes.outline(face))).collect();
        let at = |row: usize, column: usize| {
            let point = [(column as f64 + 0.5) * unit[0], (row as f64 + 0.5) * unit[1]].map(|x| x.round() as i32);
            outlines.iter().rev().find(|(_, outline)| Shapes::within(outline, point)).map(|(id, _)| id.clone())
        };
        let faces: Vec<Vec<_>> = (0..rows).map(|row| (0..COLUMNS).map(|column| at(row, column)).collect()).collect();
        let mut letters = vec![vec![' '; COLUMNS]; rows];
        let mut taken = vec![vec![false; COLUMNS]; rows];
        for row in 0..rows {
            for column in 0..COLUMNS {
                let here = &faces[row][column];
                let right = faces[row].get(column + 1).is_some_and(|next| next != here);
                let below = faces.get(row + 1).is_some_and(|next| &next[column] != here);
                letters[row][column] = if right {
                    '|'
                } else if below {
                    '_'
                } else {
                    ' '
                };
                taken[row][column] = right;
            }
        }
        Grid { letters, faces, taken, unit }
    }

    fn cell(&self, [x, y]: [i32; 2]) -> (usize, usize) {
        let row = (f64::from(y) / self.unit[1]) as usize;
        let column = (f64::from(x) / self.unit[0]) as usize;
        (row.min(self.letters.len().saturating_sub(1)), column.min(COLUMNS - 1))
    }

    /// Writes `#` for each space that is built and `o` for each that is not.
    fn rails(&mut self, shapes: &Shapes, compared: &Compared) {
        for space in shapes.track.iter().flat_map(|track| &track.spaces) {
            let (row, column) = self.cell(space.at);
            self.letters[row][column] = if compared.built.contains_key(&space.id) { '#' } else { 'o' };
            self.taken[row][column] = true;
        }
    }

    /// Returns the start and length of a face's longest free run in a row.
    fn run(&self, face: &str, row: usize) -> (usize, usize) {
        let mut best = (0, 0);
        let mut begin = None;
        for column in 0..=COLUMNS {
            let free = column < COLUMNS && self.faces[row][column].as_deref() == Some(face) && !self.taken[row][column];
            match (free, begin) {
                (true, None) => begin = Some(column),
                (false, Some(from)) => {
                    if column - from > best.1 {
                        best = (from, column - from);
                    }
                    begin = None;
                }
                _ => {}
            }
        }
        best
    }

    /// Writes a name and pieces where they fit best. Returns `true` if everything fits.
    fn write(&mut self, words: &Words<'_>) -> bool {
        let runs: Vec<(usize, usize)> = (0..self.letters.len()).map(|row| self.run(&words.face.id, row)).collect();
        // Leaves a free cell next to the text.
        let room = |row: usize| runs.get(row).map_or(0, |run| run.1.saturating_sub(1));
        let label = words.face.label.map_or(0, |at| self.cell(at).0);
        let mut best: Option<(usize, Laid)> = None;
        for (rank, name) in words.names.iter().enumerate() {
            for row in 0..runs.len() {
                if room(row) < name.chars().count() {
                    continue;
                }
                let Some(lines) = laid(name, &words.pieces, row, room) else { continue };
                let worth = 100 * rank + 2 * row.abs_diff(label) + self.lines_under(&runs, &lines);
                if best.as_ref().is_none_or(|(least, _)| worth < *least) {
                    best = Some((worth, lines));
                }
            }
        }
        let whole = best.is_some();
        let lines = match best {
            Some((_, lines)) => lines,
            // Otherwise writes only the longest name that fits, with a sign that the pieces are
            // listed below the map.
            None => {
                let name = words
                    .names
                    .iter()
                    .map(|name| format!("{name} +"))
                    .find(|name| (0..runs.len()).any(|row| room(row) >= name.chars().count()));
                let row = (0..runs.len()).max_by_key(|&row| (room(row), std::cmp::Reverse(row.abs_diff(label))));
                name.zip(row).map(|(name, row)| vec![(row, name)]).unwrap_or_default()
            }
        };
        for (row, text) in lines {
            let (from, long) = runs[row];
            let long_text = text.chars().count();
            let from = from + long.saturating_sub(long_text).div_ceil(2);
            for (at, letter) in text.chars().enumerate() {
                if let Some(place) = self.letters[row].get_mut(from + at) {
                    *place = letter;
                    self.taken[row][from + at] = true;
                }
            }
        }
        whole
    }

    /// Returns the number of border cells that would be overwritten.
    fn lines_under(&self, runs: &[(usize, usize)], lines: &[(usize, String)]) -> usize {
        let under = |(row, text): &(usize, String)| {
            let (from, long) = runs[*row];
            let from = from + long.saturating_sub(text.chars().count()).div_ceil(2);
            self.letters[*row].iter().skip(from).take(text.chars().count()).filter(|letter| **letter == '_').count()
        };
        lines.iter().map(under).sum()
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let line = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_owned();
        self.letters.iter().map(line)
    }
}

/// Lays out a name in row `first`, and pieces in it and the rows below. Returns `None` if they do
/// not fit.
fn laid(name: &str, pieces: &[String], first: usize, room: impl Fn(usize) -> usize) -> Option<Laid> {
    let mut lines = vec![(first, name.to_owned())];
    for piece in pieces {
        let (row, line) = lines.last_mut()?;
        let longer = line.chars().count() + 1 + piece.chars().count();
        if longer <= room(*row) {
            line.push(' ');
            line.push_str(piece);
            continue;
        }
        let next = *row + 1;
        if room(next) < piece.chars().count() {
            return None;
        }
        lines.push((next, piece.clone()));
    }
    Some(lines)
}

/// Returns the key, which also lists everything not shown on the map.
fn key(shapes: &Shapes, compared: &Compared) -> Vec<String> {
    let kind = |kind: &postrider_table::map::PieceKind| format!("{}{} {}", kind.mark, kind.sample, kind.name);
    let mut lines = vec![shapes.kinds.iter().map(kind).collect::<Vec<_>>().join("; ")];
    let mut marks = Vec::new();
    if compared.compared {
        marks.push("* new or changed; (...) gone".to_owned());
    }
    if let Some(track) = &shapes.track {
        marks.push(format!("# {} built, o to build", track.name));
    }
    lines.push(marks.join("; "));
    let is_area = |id: &String| shapes.areas.iter().any(|area| area.id == *id);
    let name = |id: &String| match shapes.face(id) {
        Some(face) if !is_area(id) => face.name.clone(),
        _ => id.clone(),
    };
    for trail in &shapes.trails {
        let stops: Vec<String> = std::iter::once(&trail.from).chain(&trail.areas).map(name).collect();
        lines.push(format!("{} ({}): {}", trail.name, initials(trail), stops.join(" - ")));
    }
    if !shapes.arrows.is_empty() {
        let arrow = |arrow: &postrider_table::map::Arrow| {
            let who = arrow.who.iter().filter_map(|id| shapes.kind(id)).map(|kind| letters(&kind.sample));
            format!("{}-{} ({})", arrow.area, name(&arrow.to), who.collect::<Vec<_>>().join(" "))
        };
        lines.push(format!("Arrows: {}", shapes.arrows.iter().map(arrow).collect::<Vec<_>>().join(", ")));
    }
    let pairs: Vec<String> =
        shapes.corners.iter().flat_map(|corner| &corner.pairs).map(|pair| pair.join("-")).collect();
    if !pairs.is_empty() {
        lines.push(format!("Adjacent crosswise: {}", pairs.join(", ")));
    }
    lines.retain(|line| !line.is_empty());
    lines
}
