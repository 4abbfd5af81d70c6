//! Renderers for trees of blocks.

mod grouped;
pub mod html;
mod kept;
pub mod text;
