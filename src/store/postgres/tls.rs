//! The encryption of connections to the database: TLS, with certificates that are always checked.

use postgres::{
    Config,
    config::{Host, SslMode},
};
use postrider_wire::tls_config;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The accepted values of `sslmode`.
const TAKEN: &str = "sslmode is `verify-full` (as without it, and as `require`), by which the certificate and its name are checked, or `disable`";

/// Returns the address without its `sslmode`, and whether that requires TLS; `None` if it has none.
///
/// # Errors
/// Returns an error for a mode with which a third party could read the traffic.
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
                    "with this sslmode an attacker could downgrade the connection to one without TLS: {TAKEN}"
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

/// Returns the TLS connector for an address, if required, and sets the mode in its configuration.
/// Unix sockets do not use TLS.
///
/// # Errors
/// Returns an error if `ca` is not a certificate.
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
    let tls = tls_config(ca).map_err(|why| format!("postgres.ca: {why}"))?;
    Ok(Some(MakeRustlsConnect::new(tls)))
}

/// Returns advice on a failed TLS connection, to be appended to the error.
pub(super) fn advice(why: &str) -> &'static str {
    if why.contains("does not support TLS") {
        "; enable TLS there (`ssl = on`), or add ?sslmode=disable to the address if the path is trusted"
    } else if why.contains("UnknownIssuer") || why.contains("CaUsedAsEndEntity") {
        "; `ca` under [postgres] names the certificate of the authority that has signed the server's"
    } else {
        ""
    }
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
