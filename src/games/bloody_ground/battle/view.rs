//! The battle in views: the places of the pieces, and the board as text.

use super::{
    super::{
        State,
        components::{self, Ground, KindId},
        map,
    },
    Fight, Stand,
};
use postrider_table::{
    hex::{Hex, Side},
    rows,
    status::Condition,
};
use serde_json::{Value, json};

/// Characters between adjacent columns of the text board. A row of hexes takes two lines, each with
/// every other column, so a hex is twice as wide.
const STEP: usize = 4;
/// Characters before the first column.
const MARGIN: usize = 3;

impl Fight {
    /// Returns the battle as JSON for views.
    pub fn view(&self, g: &State) -> Value {
        let pieces = self.pieces.iter().map(|piece| {
            let state = g.unit(piece.unit).condition.word();
            let (side, rifle) = (g.side_of(piece.unit).word(), g.unit(piece.unit).rifle);
            json!({ "piece": piece.label, "side": side, "at": self.at(g, piece.stand), "state": state, "rifle": rifle })
        });
        let heads = self.heads.iter().map(|head| {
            let leader = &g.c[head.leader];
            json!({ "leader": leader.name, "side": leader.side.word(), "at": self.at(g, head.stand) })
        });
        let field = g.charts.board(self.board);
        let letters: Vec<String> =
            field.letters.iter().map(|&(letter, hex)| format!("{letter} {}", field.grid.id(hex))).collect();
        let stream: Vec<String> = (field.grid.sides())
            .filter(|&side| field.stream[side])
            .map(Side::hexes)
            .map(|(a, b)| format!("{}/{}", field.grid.id(a), field.grid.id(b)))
            .collect();
        json!({
            "board": self.board.name(), "area": self.area.map(|a| g.name(a)), "round": self.round,
            "first": self.first.short(), "surprise": self.surprise, "start": self.start, "lost": self.lost,
            "pieces": rows(pieces), "leaders": rows(heads), "stacks": rows(self.stacks(g)), "map": self.text(g),
            "letters": letters, "stream": stream,
        })
    }
    /// Returns the place of a piece in words.
    fn at(&self, g: &State, stand: Stand) -> String {
        match stand {
            Stand::On(hex) => g.charts.board(self.board).grid.id(hex),
            Stand::Waiting(_) if self.round == 0 => "to come".to_owned(),
            Stand::Waiting(round) => format!("round {round}"),
            Stand::Off => "off".to_owned(),
            Stand::Dead => "lost".to_owned(),
        }
    }
    /// Returns the stacks of pieces: `regular 1, 2D, Harmar`, where D is Disrupted and R Routed,
    /// and `Miami 1 (rifle)`.
    fn stacks(&self, g: &State) -> Vec<Value> {
        let mut places: Vec<Stand> =
            self.pieces.iter().map(|p| p.stand).chain(self.heads.iter().map(|h| h.stand)).collect();
        places.sort_by_key(|&stand| match stand {
            Stand::On(hex) => (0, hex.0),
            Stand::Waiting(round) => (1, round.into()),
            Stand::Off => (2, 0),
            Stand::Dead => (3, 0),
        });
        places.dedup();
        let mut stacks = Vec::new();
        for side in components::Side::ALL {
            for &stand in places.iter().filter(|&&stand| stand != Stand::Dead) {
                let mut words: Vec<String> = Vec::new();
                let mut last: Option<KindId> = None;
                for piece in self.pieces.iter().filter(|p| p.stand == stand && g.side_of(p.unit) == side) {
                    let unit = g.unit(piece.unit);
                    let mark = match unit.condition {
                        Condition::Normal => "",
                        Condition::Disrupted => "D",
                        Condition::Routed => "R",
                    };
                    let nth = piece.label.rsplit(' ').next().unwrap_or_default();
                    let rifle = if unit.rifle { " (rifle)" } else { "" };
                    words.push(match last == Some(unit.kind) {
                        true => format!("{nth}{mark}{rifle}"),
                        false => format!("{}{mark}{rifle}", piece.label),
                    });
                    last = Some(unit.kind);
                }
                let heads = self.heads.iter().filter(|h| h.stand == stand && g.c[h.leader].side == side);
                words.extend(heads.map(|h| g.c[h.leader].name.clone()));
                if !words.is_empty() {
                    stacks.push(json!({ "side": side.word(), "at": self.at(g, stand), "who": words.join(", ") }));
                }
            }
        }
        stacks
    }
    /// Returns the board as text in lines of at most 76 characters. Each row of hexes takes two
    /// lines, the upper one for the columns drawn higher.
    fn text(&self, g: &State) -> Vec<String> {
        let grid = &g.charts.board(self.board).grid;
        let hexes = |row: u8, high: bool| {
            grid.hexes().filter(move |&hex| grid.row(hex) == row && grid.column(hex).is_multiple_of(2) == high)
        };
        let line = |begin: String, cells: Vec<(u8, String)>| {
            cells.into_iter().fold(begin, |mut line, (column, text)| {
                let at = MARGIN + STEP * usize::from(column.saturating_sub(1));
                line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.len())));
                line + &text
            })
        };
        let mut lines = Vec::new();
        let first =
            |high: bool| hexes(1, high).map(|hex| (grid.column(hex), format!("{:02}", grid.column(hex)))).collect();
        lines.push(line(String::new(), first(true)));
        lines.push(line(String::new(), first(false)));
        // 2.1: board rows are numbered from 1.
        for row in 1..=grid.size().1.min(99) as u8 {
            let cells = |high: bool| hexes(row, high).map(|hex| (grid.column(hex), self.cell(g, hex))).collect();
            lines.push(line(format!("{row:02}"), cells(true)));
            lines.push(line(String::new(), cells(false)));
        }
        lines
    }
    /// Returns a hex in at most seven characters: its terrain (upper case if high), `-` for the
    /// trail, the number and kind of its most frequent units, `+` for other units, `*` for leaders.
    fn cell(&self, g: &State, hex: Hex) -> String {
        let field = g.charts.board(self.board);
        let mut cell = match (field.ground[hex], field.high.has(hex)) {
            (Ground::Clear, false) => ".",
            (Ground::Clear, true) => "^",
            (Ground::Woods, false) => "w",
            (Ground::Woods, true) => "W",
            (Ground::Swamp, false) => "s",
            (Ground::Swamp, true) => "S",
            (Ground::Cultivated, false) => "c",
            (Ground::Cultivated, true) => "C",
        }
        .to_owned();
        if field.trail.contains(&hex) {
            cell.push('-');
        }
        let mut kinds: Vec<(usize, KindId)> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.stand == Stand::On(hex)) {
            let kind = g.unit(piece.unit).kind;
            match kinds.iter_mut().find(|known| known.1 == kind) {
                Some(known) => known.0 += 1,
                None => kinds.push((1, kind)),
            }
        }
        if let Some(&(n, kind)) = kinds.iter().max_by_key(|known| known.0) {
            cell += &format!("{}{}", n.min(9), map::unit(&g.c[kind].id).1);
        }
        if kinds.len() > 1 {
            cell.push('+');
        }
        if self.heads.iter().any(|head| head.stand == Stand::On(hex)) {
            cell.push('*');
        }
        cell
    }
}
