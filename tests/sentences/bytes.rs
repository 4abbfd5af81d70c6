//! A sequence of bytes as a source of choices, so that the bytes determine the game.

/// Reads bytes from the front. After the last byte, every number is 0 and every text empty.
pub struct Bytes<'b> {
    left: &'b [u8],
}

impl<'b> Bytes<'b> {
    pub fn new(left: &'b [u8]) -> Self {
        Bytes { left }
    }
    pub fn is_spent(&self) -> bool {
        self.left.is_empty()
    }
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.left.split_first().map_or((0, self.left), |(&first, rest)| (first, rest));
        self.left = rest;
        first
    }
    /// Returns a number from 0 to n − 1, from a single byte if that is enough.
    pub fn below(&mut self, n: u32) -> u32 {
        match n {
            0 | 1 => 0,
            2..=256 => u32::from(self.byte()) % n,
            _ => u32::from_le_bytes([self.byte(), self.byte(), self.byte(), 0]) % n,
        }
    }
    pub fn pick<'x, X>(&mut self, among: &'x [X]) -> Option<&'x X> {
        // Lists of options and words are short.
        among.get(self.below(among.len() as u32) as usize)
    }
    /// Returns a text of up to 255 arbitrary bytes.
    pub fn text(&mut self) -> String {
        let length = usize::from(self.byte()).min(self.left.len());
        let (text, rest) = self.left.split_at(length);
        self.left = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
