//! TLS settings for connections to servers.

use std::sync::Arc;
use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, pem::PemObject as _},
};

/// Returns client settings for TLS 1.2 and 1.3. They trust the certificates in `ca` (PEM) and the
/// system's certificates, or the built-in ones if the system has none.
///
/// # Errors
/// A message if `ca` is not a certificate.
pub fn tls_config(ca: Option<&[u8]>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let others = roots.len();
    for certificate in CertificateDer::pem_slice_iter(ca.unwrap_or_default()) {
        roots.add(certificate.map_err(|why| why.to_string())?).map_err(|why| why.to_string())?;
    }
    if ca.is_some() && roots.len() == others {
        return Err("there is no certificate in this file (PEM)".to_owned());
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|why| why.to_string())?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
