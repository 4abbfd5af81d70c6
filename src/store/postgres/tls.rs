//! How the way to the database is kept from others: TLS, whose certificate is always checked.

use postgres::{
    Config,
    config::{Host, SslMode},
};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, pem::PemObject},
};

/// The modes of `sslmode` that are taken.
const TAKEN: &str = "sslmode is `verify-full` (as without it, and as `require`), by which the certificate and its name are checked, or `disable`";

/// The address without its `sslmode`, and whether that has TLS; `None` where it says nothing.
///
/// # Errors
/// For a mode by which whoever stands between could read along.
pub(super) fn mode_of(address: &str) -> Result<(String, Option<bool>), String> {
    let Some((before, query)) = address.split_once('?') else { return Ok((address.to_owned(), None)) };
    let mut mode = None;
    let mut rest = Vec::new();
    for part in query.split('&') {
        match part.strip_prefix("sslmode=") {
            None => rest.push(part),
            Some("disable") => mode = Some(false),
            Some("require" | "verify-full") => mode = Some(true),
            Some("allow" | "prefer") => {
                return Err(format!(
                    "by this sslmode whoever stands between could do without TLS, and read along: {TAKEN}"
                ));
            }
            Some("verify-ca") => {
                return Err(format!("by sslmode=verify-ca any server of that authority would be taken: {TAKEN}"));
            }
            Some(other) => return Err(format!("there is no sslmode {other:?}: {TAKEN}")),
        }
    }
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    Ok((format!("{before}{query}"), mode))
}

/// What makes connections by TLS, as the address has it, and sets the mode for the rest. Over unix sockets, which are no network, there is none.
///
/// # Errors
/// When `ca` is no certificate.
pub(super) fn apply(
    config: &mut Config,
    mode: Option<bool>,
    ca: Option<&[u8]>,
) -> Result<Option<MakeRustlsConnect>, String> {
    let network =
        config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_))) || !config.get_hostaddrs().is_empty();
    if !network || mode == Some(false) {
        config.ssl_mode(SslMode::Disable);
        return Ok(None);
    }
    config.ssl_mode(SslMode::Require);
    connector(ca).map(Some)
}

/// Says what helps where a connection by TLS cannot be had.
pub(super) fn advice(why: &str) -> &'static str {
    if why.contains("does not support TLS") {
        "; have it use TLS (`ssl = on`), or add ?sslmode=disable to the address where nobody else is on the way"
    } else if why.contains("UnknownIssuer") || why.contains("CaUsedAsEndEntity") {
        "; `ca` under [postgres] names the certificate of the authority that has signed the server's"
    } else {
        ""
    }
}

/// Makes connections by TLS: the certificates of the system count, those built in where it has none, and that of the settings.
fn connector(ca: Option<&[u8]>) -> Result<MakeRustlsConnect, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let mut own = 0;
    for certificate in CertificateDer::pem_slice_iter(ca.unwrap_or_default()) {
        let certificate = certificate.map_err(|why| format!("postgres.ca: {why}"))?;
        roots.add(certificate).map_err(|why| format!("postgres.ca: {why}"))?;
        own += 1;
    }
    if ca.is_some() && own == 0 {
        return Err("postgres.ca: there is no certificate in this file (PEM)".to_owned());
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|why| why.to_string())?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_modes_by_which_nobody_reads_along_are_taken() {
        for (address, rest, mode) in [
            ("postgres://a@b/c", "postgres://a@b/c", None),
            ("postgres://a@b/c?sslmode=disable", "postgres://a@b/c", Some(false)),
            ("postgres://a@b/c?sslmode=require&hostaddr=::1", "postgres://a@b/c?hostaddr=::1", Some(true)),
            ("postgres://a@b/c?hostaddr=::1&sslmode=verify-full", "postgres://a@b/c?hostaddr=::1", Some(true)),
        ] {
            assert_eq!(mode_of(address).unwrap(), (rest.to_owned(), mode), "{address}");
        }
        for refused in ["allow", "prefer", "verify-ca", "", "full"] {
            let why = mode_of(&format!("postgres://a@b/c?sslmode={refused}")).unwrap_err();
            assert!(why.contains("verify-full"), "{why}");
        }
    }

    #[test]
    fn a_network_has_tls_unless_the_address_says_otherwise() {
        for (address, asked, tls) in [
            ("postgres://a@b/c", None, true),
            ("postgres://a@b/c", Some(true), true),
            ("postgres://a@b/c", Some(false), false),
            ("postgres://a@%2Frun%2Fpg/c", None, false),
            ("postgres://a@%2Frun%2Fpg/c", Some(true), false),
        ] {
            let mut config: Config = address.parse().unwrap();
            assert_eq!(apply(&mut config, asked, None).unwrap().is_some(), tls, "{address}");
            assert_eq!(config.get_ssl_mode() == SslMode::Require, tls, "{address}");
        }
        let mut config: Config = "postgres://a@b/c".parse().unwrap();
        assert!(apply(&mut config, None, Some(b"nothing")).is_err_and(|why| why.contains("no certificate")));
    }
}
