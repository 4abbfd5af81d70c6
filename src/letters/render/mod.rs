//! What makes something of a tree of blocks that a reader can look at.

mod grouped;
pub mod html;
mod kept;
pub mod text;
