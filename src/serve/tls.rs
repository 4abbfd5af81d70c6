//! TLS connections to the mailbox's server.

use super::error::ServeError;
use postrider_wire::tls_config;
use std::{path::Path, sync::Arc};
use tokio_rustls::TlsConnector;

/// Creates a TLS connector; `ca` is a file with additional certificates.
///
/// # Errors
///
/// Returns [`ServeError::Certificates`] if the file contains no certificate.
pub(super) fn connector(ca: Option<&Path>) -> Result<TlsConnector, ServeError> {
    let pem = ca.map(fs_err::read).transpose()?;
    let file = ca.map_or_else(|| "TLS".to_owned(), |ca| ca.display().to_string());
    let config = tls_config(pem.as_deref()).map_err(|why| ServeError::Certificates { file, why })?;
    Ok(TlsConnector::from(Arc::new(config)))
}
