//! Whom to trust: the certificates of the system, or those built in where it has none, and that of the settings.

use super::error::ServeError;
use std::{path::Path, sync::Arc};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring::default_provider,
        pki_types::{CertificateDer, pem::PemObject},
    },
};

/// Makes TLS connections (1.2 and 1.3).
///
/// # Errors
/// [`ServeError::Certificates`] when the file holds none.
pub(super) fn connector(ca: Option<&Path>) -> Result<TlsConnector, ServeError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    if let Some(ca) = ca {
        let file = ca.display().to_string();
        let wrong = |why: String| ServeError::Certificates { file: file.clone(), why };
        let pem = fs_err::read(ca)?;
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        let certificates = certificates.map_err(|why| wrong(why.to_string()))?;
        if certificates.is_empty() {
            return Err(wrong("holds no certificate (PEM)".to_owned()));
        }
        for certificate in certificates {
            roots.add(certificate).map_err(|why| wrong(why.to_string()))?;
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|why| ServeError::Certificates { file: "TLS".to_owned(), why: why.to_string() })?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
