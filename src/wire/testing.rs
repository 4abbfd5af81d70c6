//! A TLS server for tests.

use std::sync::Arc;
use tokio_rustls::rustls::{
    ServerConfig,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

/// The certificate authority of [`tls_server`].
pub const CA: &[u8] = include_bytes!("../../tests/keys/ca.pem");

/// Returns the settings of a TLS server for `localhost`.
///
/// # Panics
/// If the certificate cannot be read.
pub fn tls_server() -> Arc<ServerConfig> {
    let pem = include_bytes!("../../tests/keys/localhost.pem");
    let chain = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().expect("certificates");
    let key = PrivateKeyDer::from_pem_slice(pem).expect("a key");
    let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    Arc::new(builder.with_single_cert(chain, key).expect("they belong together"))
}
