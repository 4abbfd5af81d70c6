//! Dice from a seed (section 6).

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

use super::hash::{Decimal, Hash, h};

/// Returns the seed of a game's `i`-th `rolled` entry: `H("postrider/roll/v1", game, i, secret,
/// luck)`.
///
/// `secret` is the link of chain `dice` that the entry reveals, and `luck` is the value in the
/// `started` entry.
#[must_use]
pub fn roll_seed(game: &str, i: u64, secret: &Hash, luck: &Hash) -> Hash {
    h("postrider/roll/v1", &[game, Decimal::new(i).as_str(), secret.text().as_str(), luck.text().as_str()])
}

/// Returns the number of faces of a die from `low` to `high`, or `None` if `high < low` or there
/// are more than 2^32 − 1 faces.
#[must_use]
pub fn faces(low: i64, high: i64) -> Option<u32> {
    let faces = high.checked_sub(low)?.checked_add(1)?;
    u32::try_from(faces).ok().filter(|&faces| faces > 0)
}

/// A stream of unbiased dice, made from the little-endian 32-bit words of ChaCha20 (the block
/// function of RFC 8439 with a 64-bit counter that starts at 0 and a zero nonce).
#[derive(Clone)]
pub struct DiceStream(ChaCha20Rng);

impl DiceStream {
    /// Creates the stream whose key is the 32 bytes of `seed`.
    #[must_use]
    pub fn new(seed: Hash) -> DiceStream {
        DiceStream(ChaCha20Rng::from_seed(seed.0))
    }

    fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Returns a uniformly distributed number from 0 to `n` − 1.
    ///
    /// Words from the last, incomplete run of `n` are rejected. At least one word is consumed, even
    /// if `n` is 1.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        // 2^32 mod n in 32 bits: the wrapping negation 2^32 − n has the same remainder.
        let incomplete = n.wrapping_neg() % n;
        loop {
            let word = self.word();
            if word <= u32::MAX - incomplete {
                return word % n;
            }
        }
    }

    /// Rolls a die from `low` to `high`, both included.
    ///
    /// # Panics
    /// If [`faces`] returns `None` for `low` and `high`.
    pub fn die(&mut self, low: i64, high: i64) -> i64 {
        let faces = faces(low, high).unwrap_or_else(|| panic!("no die goes from {low} to {high}"));
        low + i64::from(self.below(faces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the ChaCha20 block function, written only from RFC 8439 section 2.3, with the
    /// 64-bit counter of the original cipher.
    fn block(key: &[u8; 32], counter: u64) -> [u32; 16] {
        fn quarter(s: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
            for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
                s[x] = s[x].wrapping_add(s[y]);
                s[z] = (s[z] ^ s[x]).rotate_left(by);
            }
        }
        let mut start = [0; 16];
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (word, bytes) in start[4..12].iter_mut().zip(key.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().unwrap());
        }
        (start[12], start[13]) = (counter as u32, (counter >> 32) as u32);
        let mut s = start;
        for _ in 0..10 {
            for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                quarter(&mut s, a, b, c, d);
            }
            for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                quarter(&mut s, a, b, c, d);
            }
        }
        std::array::from_fn(|k| s[k].wrapping_add(start[k]))
    }

    #[test]
    fn words_are_those_of_rfc_8439() {
        // RFC 8439 A.1, test vector 1: key, nonce and counter zero.
        assert_eq!(block(&[0; 32], 0)[..4], [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
        for seed in [Hash::ZERO, h("postrider/test", &["stream"])] {
            let mut stream = DiceStream::new(seed);
            for counter in 0..40 {
                for word in block(&seed.0, counter) {
                    assert_eq!(stream.word(), word);
                }
            }
        }
    }

    #[test]
    fn below_passes_over_the_incomplete_run() {
        for n in [1, 2, 3, 6, 10, 0x8000_0001, 0xC000_0000, u32::MAX] {
            let seed = h("postrider/test", &["below", &n.to_string()]);
            let limit = (1_u64 << 32) - (1_u64 << 32) % u64::from(n);
            let mut words = (0..).flat_map(|counter| block(&seed.0, counter));
            let mut stream = DiceStream::new(seed);
            for _ in 0..200 {
                let word = words.by_ref().find(|&word| u64::from(word) < limit).unwrap();
                assert_eq!(stream.below(n), word % n);
            }
        }
    }

    #[test]
    fn dice_show_every_face_and_no_other() {
        let mut stream = DiceStream::new(Hash::ZERO);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[usize::try_from(stream.die(-2, 3) + 2).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&times| (850..1150).contains(&times)), "{seen:?}");
    }

    #[test]
    fn faces_are_counted_or_refused() {
        assert_eq!(faces(0, 9), Some(10));
        assert_eq!(faces(5, 5), Some(1));
        assert_eq!(faces(-1, i64::from(u32::MAX) - 2), Some(u32::MAX));
        assert_eq!(faces(0, i64::from(u32::MAX)), None);
        assert_eq!(faces(1, 0), None);
        assert_eq!(faces(i64::MIN, i64::MAX), None);
    }
}
