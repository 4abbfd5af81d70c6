//! In place of pictures, in a program built without the feature `pictures`.

use thiserror::Error;

/// The reason why no picture is made.
#[derive(Debug, Error)]
#[error("{}", crate::NO_PICTURES)]
pub struct DrawingFault;

/// Fails, because this build cannot draw pictures.
///
/// # Errors
/// [`DrawingFault`], always.
pub fn png(_svg: &str, _width: u32) -> Result<Vec<u8>, DrawingFault> {
    Err(DrawingFault)
}
