//! Servers for tests.

use crate::{Security, SendFault, SmtpConfig, SmtpTransport, Transport as _};
use postrider_mail::Envelope;
use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, TcpListener},
    sync::Arc,
    thread,
    time::Duration,
};
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

/// Sends a mail to a server that says this, whatever it hears.
///
/// # Errors
/// [`SendFault`] if its replies do not accept the mail.
///
/// # Panics
/// If there is no loopback address.
pub fn smtp(says: &[u8]) -> Result<(), SendFault> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback address");
    let config = SmtpConfig {
        host: "127.0.0.1".into(),
        port: listener.local_addr().expect("it is bound").port(),
        security: Security::None,
        credentials: None,
        hello_name: Some("play.example".into()),
        ca: None,
        timeout: Duration::from_secs(10),
        dkim: None,
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let (mut stream, _) = listener.accept().expect("a client");
            // The client may leave before it has heard all.
            let _ = stream.write_all(says).and_then(|()| stream.shutdown(Shutdown::Write));
            let _ = stream.read_to_end(&mut Vec::new());
        });
        let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        SmtpTransport::new(&config)?.send(&envelope, b"Subject: x\r\n\r\nText\r\n")
    })
}
