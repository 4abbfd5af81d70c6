//! Chance that nobody can choose: committed seed chains, dice streams and decks.
//!
//! Before a game begins its operator publishes the [tip](SeedChain::tip) of a hash chain; every use of chance then
//! reveals the link before it ([`ChainTip`] checks that). A link, the ordinal of the roll and the luck phrases of the
//! players make the seed of a [`DiceStream`] or of a [`Shuffled`] deck. This floor computes; it never asks the system
//! for time or randomness, and it does not know what a journal is. Sections 2 and 5 to 7 of `docs/journal-format.md`
//! say the same byte by byte.
//!
//! ```
//! use postrider::dice::{ChainTip, DiceStream, Hash, SeedChain, roll_seed};
//!
//! let chain = SeedChain::new("dice", 1000, Hash([7; 32])); // the operator keeps this
//! let mut tip = ChainTip::new("dice", 1000, chain.tip()); // everybody knows this
//!
//! let secret = chain.reveal(tip.used)?; // a roll uses the next link …
//! tip.reveal(secret)?; // … and anybody can check that it is the next
//! let luck = Hash([0; 32]);
//! let die = DiceStream::new(roll_seed("my-game", 0, &secret, &luck)).die(0, 9);
//! assert!((0..=9).contains(&die));
//! # Ok::<(), postrider::dice::ChainFault>(())
//! ```

mod chain;
mod deck;
mod hash;
mod stream;

pub use chain::{ChainFault, ChainTip, DICE_CHAIN, SeedChain, deck_chain, published_length};
pub use deck::{Shuffled, card_commitment, card_salt, deck_seed, is_committed, shuffle};
pub use hash::{Decimal, Hash, HashFault, Hasher, Hex, h, sha256};
pub use stream::{DiceStream, faces, roll_seed};
