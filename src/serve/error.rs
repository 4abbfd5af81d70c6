//! Errors that prevent the process from serving.

use postrider_office::OfficeError;
use postrider_store::StoreError;
use std::io;

/// The reasons why the process cannot serve, or cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Stored data cannot be read or written, or another process serves this folder.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The address cannot be listened on.
    #[error("nothing can listen at {address}: {why}")]
    Listen {
        /// The address, as in the settings.
        address: String,
        /// The reason.
        why: String,
    },
    /// The certificates are unusable.
    #[error("{file}: {why}")]
    Certificates {
        /// The file.
        file: String,
        /// The reason.
        why: String,
    },
    /// The settings do not work.
    #[error(transparent)]
    Trial(#[from] TrialFault),
    /// An error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A thread panicked.
    #[error("a fault of this program: the {0} failed")]
    Broken(&'static str),
}

impl From<StoreError> for ServeError {
    fn from(why: StoreError) -> Self {
        ServeError::Office(why.into())
    }
}

/// A failed trial of the settings, with advice.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}\n{help}")]
pub struct TrialFault {
    /// The step that failed.
    pub what: &'static str,
    /// The reason.
    pub why: String,
    /// The advice.
    pub help: &'static str,
}
