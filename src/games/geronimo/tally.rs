//! The Tally Sheets, on which players record their VPs (4.7, 10.1).

use postrider_table::Earned;

/// A player's Tally Sheet (10.1).
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// VPs so far; may be negative.
    pub vps: i32,
    /// The VPs by the rules that gave or took them.
    pub earned: Earned<()>,
    /// VPs at the start of this Turn (8.11).
    pub at_start: i32,
    /// The records of finished Turns, from Turn 1 on.
    pub turns: [Option<TurnVps>; TURNS],
    /// `true` if the next Operation is already used up by an out-of-turn attack or a volunteered
    /// Tribe (6.76, 9.2D, 9.2F).
    pub operation_used: bool,
    /// `true` if the next Shaman Card has already been played (Federales, 9.2I).
    pub card_used: bool,
    /// `true` if the player has rolled for a Random Event this Turn (12.11).
    pub event_rolled: bool,
}

/// The record of a Turn on a Tally Sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnVps {
    /// VPs earned less those lost.
    pub vps: i32,
    /// `true` if they were earned as the US player.
    pub us: bool,
}

/// Number of Turns on the Turn Track (11.1).
pub const TURNS: usize = 8;

impl Tally {
    /// Records the VPs of this Turn (4.7).
    pub fn end_turn(&mut self, turn: u8, us: bool) {
        if let Some(line) = self.turns.get_mut(usize::from(turn).wrapping_sub(1)) {
            *line = Some(TurnVps { vps: self.vps - self.at_start, us });
        }
    }
    /// Returns the VPs earned as the US player in finished Turns. The rest were earned as an Indian
    /// player.
    pub fn as_us(&self) -> i32 {
        self.turns.iter().flatten().filter(|line| line.us).map(|line| line.vps).sum()
    }
}
