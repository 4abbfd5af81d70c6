//! What can keep the process from serving.

use postrider_office::OfficeError;
use postrider_store::StoreError;
use std::io;

/// Why the process cannot serve, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// What is kept could not be read or written, or another process serves this folder.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// Nothing can listen there.
    #[error("nothing can listen at {address}: {why}")]
    Listen {
        /// As the settings have it.
        address: String,
        /// What is wrong.
        why: String,
    },
    /// Nobody can be trusted by these certificates.
    #[error("{file}: {why}")]
    Certificates {
        /// Where they stand.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// The settings do not work.
    #[error(transparent)]
    Trial(#[from] TrialFault),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A thread broke down.
    #[error("a fault of this program: the {0} broke down")]
    Broken(&'static str),
}

impl From<StoreError> for ServeError {
    fn from(why: StoreError) -> Self {
        ServeError::Office(why.into())
    }
}

/// What did not work, with what may help.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}\n{help}")]
pub struct TrialFault {
    /// What was tried.
    pub what: &'static str,
    /// What came of it.
    pub why: String,
    /// What to do.
    pub help: &'static str,
}
