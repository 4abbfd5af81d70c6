//! Mail on the wire: letters handed over by SMTP, keys of other domains from the DNS, and the logins that a server wants.
//!
//! [`postrider_mail`] knows what a mail is, and asks nobody. A [`Transport`] hands a composed mail over, [`SmtpTransport`] by
//! SMTP; [`Dns`] is the [`KeyLookup`](postrider_mail::KeyLookup) that asks name servers; a [`Login`] is a password or a token,
//! which a program may have to be asked for.

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
pub use testing::{CA, tls_server};
pub use tls::tls_config;
pub use transport::{Security, SendFault, SmtpConfig, SmtpTransport, Transport};
