#![doc = include_str!("README.md")]

mod chain;
mod deck;
mod hash;
mod root;
mod stream;

pub use chain::{ChainFault, ChainTip, DICE_CHAIN, SeedChain, deck_chain, published_length};
pub use deck::{Shuffled, card_commitment, card_salt, deck_seed, is_committed, shuffle};
pub use hash::{Decimal, Hash, HashFault, HashText, Hasher, h, sha256};
pub use root::{ChainRoot, GENERATIONS, earlier_origin};
pub use stream::{DiceStream, faces, roll_seed};
