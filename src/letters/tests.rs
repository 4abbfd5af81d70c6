//! Trees of letters.
