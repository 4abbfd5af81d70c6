//! The Tally Sheets, on which players keep their VPs (10.1, 4.7).

/// One player's Tally Sheet (10.1).
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// VPs so far; may fall below zero.
    pub vps: i32,
    /// VPs when this Turn began (8.11).
    pub at_start: i32,
    /// What the sheet says of finished Turns, from Turn 1 on.
    pub turns: [Option<TurnVps>; TURNS],
    /// The next Operation of this seat is already used up by an out-of-turn attack or a volunteered Tribe (9.2D, 9.2F, 6.76).
    pub operation_used: bool,
    /// The next Shaman Card of this seat is already played (Federales, 9.2I).
    pub card_used: bool,
    /// Has rolled for a Random Event this Turn (12.11).
    pub event_rolled: bool,
}

/// One Turn's line of a Tally Sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnVps {
    /// VPs earned, less those lost.
    pub vps: i32,
    /// `true` if they were earned as the US player.
    pub us: bool,
}

/// How many Turns the Turn Track has (11.1).
pub const TURNS: usize = 8;

impl Tally {
    /// Writes down what this Turn has brought (4.7).
    pub fn end_turn(&mut self, turn: u8, us: bool) {
        if let Some(line) = self.turns.get_mut(usize::from(turn).wrapping_sub(1)) {
            *line = Some(TurnVps { vps: self.vps - self.at_start, us });
        }
    }
    /// VPs earned in finished Turns as the US player; the others were earned as Indian player.
    pub fn as_us(&self) -> i32 {
        self.turns.iter().flatten().filter(|line| line.us).map(|line| line.vps).sum()
    }
}
