//! Network access for mail: sending by SMTP, looking up keys in the DNS, and logging in to servers.
//!
//! [`postrider_mail`] defines what a mail is and uses no network. A [`Transport`] delivers composed
//! mails; [`SmtpTransport`] does so by SMTP. [`Dns`] is a [`KeyLookup`](postrider_mail::KeyLookup)
//! that asks name servers. A [`Login`] is a password, or a token that an external program provides.

#[cfg_attr(not(feature = "signatures"), path = "no_dns.rs")]
mod dns;
mod login;
mod stream;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod tls;
mod transport;

pub use dns::Dns;
pub use login::{Login, LoginFault, without_login, xoauth2};
pub use stream::{Bounded, Check, Wire, read_line};
#[cfg(any(test, feature = "testing"))]
pub use testing::{CA, smtp, tls_server};
pub use tls::tls_config;
pub use transport::{Security, SendFault, SmtpConfig, SmtpTransport, Transport};
