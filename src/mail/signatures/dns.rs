//! Keys of other domains, as the domain name system has them.

use super::{KeyLookup, LookupFault};
use mail_auth::hickory_resolver::{
    TokioResolver,
    config::{NameServerConfig, ResolverConfig, ResolverOpts},
    net::{DnsError, NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::ResponseCode,
        rr::{Name, RData},
    },
    system_conf::read_system_conf,
};
use std::{net::SocketAddr, thread, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// So long the answer to one question is waited for.
const LONGEST: Duration = Duration::from_secs(5);

/// So long one server is waited for, before it is asked again.
const ONE_TRY: Duration = Duration::from_secs(2);

/// The domain name system. What it has said is kept in memory for as long as it says.
pub struct Dns {
    runtime: Runtime,
    resolver: TokioResolver,
}

impl Dns {
    /// Asks this server, or those that the system names. Nothing is asked yet.
    ///
    /// # Errors
    /// [`LookupFault`] when the system names none, or has no room for it.
    pub fn new(server: Option<SocketAddr>) -> Result<Dns, LookupFault> {
        let fault = |why: &dyn ToString| LookupFault { name: "the name server".to_owned(), why: why.to_string() };
        let (config, mut options) = match server {
            Some(server) => {
                let mut named = NameServerConfig::udp_and_tcp(server.ip());
                named.connections.iter_mut().for_each(|connection| connection.port = server.port());
                (ResolverConfig::from_parts(None, Vec::new(), vec![named]), ResolverOpts::default())
            }
            None => read_system_conf().map_err(|why| fault(&why))?,
        };
        options.timeout = ONE_TRY;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|why| fault(&why))?;
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).with_options(options);
        let resolver = {
            let _inside = runtime.enter();
            builder.build().map_err(|why| fault(&why))?
        };
        Ok(Dns { runtime, resolver })
    }
}

impl KeyLookup for Dns {
    fn txt(&self, name: &str) -> Result<Vec<Vec<u8>>, LookupFault> {
        let fault = |why: String| LookupFault { name: name.trim_end_matches('.').to_owned(), why };
        // What is no name has no record.
        let Ok(asked) = Name::from_str_relaxed(name) else { return Ok(Vec::new()) };
        let answer = async { tokio::time::timeout(LONGEST, self.resolver.txt_lookup(asked)).await };
        // In a thread of its own: whoever calls may be at work in a runtime, which may not wait in the middle of it.
        let answer = thread::scope(|scope| scope.spawn(|| self.runtime.block_on(answer)).join());
        match answer {
            Err(_) => Err(fault("a fault of the resolver".to_owned())),
            Ok(Err(_)) => Err(fault(format!("no answer within {} seconds", LONGEST.as_secs()))),
            Ok(Ok(Ok(found))) => {
                let texts = found.answers().iter().filter_map(|record| match &record.data {
                    RData::TXT(text) => Some(text.txt_data.iter().flat_map(|part| part.iter().copied()).collect()),
                    _ => None,
                });
                Ok(texts.collect())
            }
            Ok(Ok(Err(why))) => match &why {
                NetError::Dns(DnsError::NoRecordsFound(none))
                    if matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError) =>
                {
                    Ok(Vec::new())
                }
                _ => Err(fault(why.to_string())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;

    /// A name server on this machine that knows a few names (RFC 1035 section 4).
    fn server() -> SocketAddr {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        thread::spawn(move || {
            let mut bytes = [0; 1_500];
            while let Ok((length, from)) = socket.recv_from(&mut bytes) {
                let end = 12 + bytes[12..length].iter().position(|byte| *byte == 0).unwrap() + 5;
                let name = String::from_utf8_lossy(&bytes[13..end - 5]).to_string();
                let texts: &[&str] = match name.split('\u{7}').next().unwrap() {
                    "two" => &["v=DKIM1; ", "p=AAAA"],
                    "silent" => continue,
                    _ => &[],
                };
                let code = if name.starts_with("fails") { 2 } else { 3 * u8::from(texts.is_empty()) };
                let mut answer = bytes[..2].to_vec();
                answer.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(!texts.is_empty()), 0, 0, 0, 0]);
                answer.extend(&bytes[12..end]);
                if !texts.is_empty() {
                    let data: Vec<u8> = texts
                        .iter()
                        .flat_map(|text| std::iter::once(u8::try_from(text.len()).unwrap()).chain(text.bytes()))
                        .collect();
                    answer.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, u8::try_from(data.len()).unwrap()]);
                    answer.extend(data);
                }
                socket.send_to(&answer, from).unwrap();
            }
        });
        address
    }

    #[test]
    fn a_name_server_is_asked_and_its_answers_are_told_apart() {
        let dns = Dns::new(Some(server())).unwrap();
        assert_eq!(dns.txt("two.example."), Ok(vec![b"v=DKIM1; p=AAAA".to_vec()]));
        assert_eq!(dns.txt("none.example."), Ok(Vec::new()));
        assert_eq!(dns.txt(&format!("{}.example.", "x".repeat(90))), Ok(Vec::new()), "no name can be so long");
        assert!(dns.txt("fails.example.").is_err());
        let why = dns.txt("silent.example.").unwrap_err();
        assert_eq!(why.name, "silent.example");
        // Whoever calls may be at work in a runtime.
        let runtime = Builder::new_current_thread().build().unwrap();
        assert!(runtime.block_on(async { dns.txt("two.example.") }).is_ok());
    }
}
