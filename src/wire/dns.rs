//! Public keys of other domains, looked up in the DNS.

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
use postrider_mail::{KeyLookup, LookupFault};
use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
};

/// Timeout for the answer to one question.
const LONGEST: Duration = if cfg!(test) { Duration::from_millis(500) } else { Duration::from_secs(5) };

/// Timeout for one query to a name server, after which it is repeated.
const ONE_TRY: Duration = Duration::from_secs(2);

/// Time during which an answer, or a failure, is reused. It is shorter than the pause after which a
/// mail that could not be accepted is tried again.
const FRESH: Duration = Duration::from_secs(20);

/// Maximum number of names that are asked for or remembered. If there are more, answers are
/// dropped, and names beyond that are not asked for.
const MOST_NAMES: usize = if cfg!(test) { 40 } else { 1_000 };

type Answer = Result<Vec<Vec<u8>>, LookupFault>;

/// The state of a question.
enum Question {
    /// Asked at this time, and not answered yet.
    Asked(Instant),
    /// Answered, failed or timed out at this time.
    Said(Instant, Answer),
}

/// The questions, and the signal for threads that wait for answers.
#[derive(Default)]
struct Board {
    questions: Mutex<HashMap<String, Question>>,
    told: Condvar,
}

impl Board {
    fn questions(&self) -> MutexGuard<'_, HashMap<String, Question>> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A DNS resolver that caches answers for their time to live. Questions are processed concurrently
/// in a thread of their own, and continue after the caller stops waiting.
pub struct Dns {
    resolver: Arc<TokioResolver>,
    board: Arc<Board>,
    patience: Duration,
    handle: Handle,
    /// Ends the thread when dropped.
    _end: oneshot::Sender<()>,
}

impl Dns {
    /// Creates a resolver that asks `server`, or the system's name servers if `None`. No query is
    /// sent yet.
    ///
    /// `patience` is the timeout for an answer, measured from when the question was asked. It is
    /// limited to five seconds.
    ///
    /// # Errors
    /// [`LookupFault`] if the system names no server, or the thread cannot be started.
    pub fn new(server: Option<SocketAddr>, patience: Duration) -> Result<Dns, LookupFault> {
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
            Arc::new(builder.build().map_err(|why| fault(&why))?)
        };
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel();
        // The caller may run inside an async runtime, where blocking on another runtime is not
        // allowed.
        let thread = thread::Builder::new().name("dns".to_owned()).spawn(move || {
            let _ = runtime.block_on(ended);
        });
        thread.map_err(|why| fault(&why))?;
        Ok(Dns { resolver, board: Arc::default(), patience: patience.min(LONGEST), handle, _end: end })
    }

    /// Asks for a name, unless that was done recently. Returns the time from which to wait.
    fn ask(&self, name: &str) -> Instant {
        let now = Instant::now();
        let mut questions = self.board.questions();
        match questions.get(name) {
            Some(Question::Asked(at)) => return *at,
            Some(Question::Said(at, _)) if at.elapsed() < FRESH => return now,
            _ => {}
        }
        if questions.len() >= MOST_NAMES {
            questions.retain(|_, question| !matches!(question, Question::Said(at, _) if at.elapsed() >= FRESH));
        }
        // A mail that asks for more has to wait for the answer, which is then not remembered.
        if questions.len() >= MOST_NAMES {
            questions.retain(|_, question| matches!(question, Question::Asked(_)));
        }
        if questions.len() >= MOST_NAMES {
            return now;
        }
        questions.insert(name.to_owned(), Question::Asked(now));
        drop(questions);
        let (resolver, board, name) = (Arc::clone(&self.resolver), Arc::clone(&self.board), name.to_owned());
        self.handle.spawn(async move {
            let answer = look_up(&resolver, &name).await;
            board.questions().insert(name, Question::Said(Instant::now(), answer));
            board.told.notify_all();
        });
        now
    }
}

impl KeyLookup for Dns {
    fn ahead(&self, names: &[String]) {
        for name in names {
            self.ask(name);
        }
    }

    fn txt(&self, name: &str) -> Answer {
        let asked = self.ask(name);
        let mut questions = self.board.questions();
        loop {
            if let Some(Question::Said(_, answer)) = questions.get(name) {
                return answer.clone();
            }
            let left = self.patience.saturating_sub(asked.elapsed());
            if left.is_zero() {
                return Err(silence(name, self.patience));
            }
            let waited = self.board.told.wait_timeout(questions, left);
            questions = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn silence(name: &str, waited: Duration) -> LookupFault {
    let why = format!("no answer within {} seconds", waited.as_secs_f64());
    LookupFault { name: name.trim_end_matches('.').to_owned(), why }
}

async fn look_up(resolver: &TokioResolver, name: &str) -> Answer {
    // An invalid name has no records.
    let Ok(asked) = Name::from_str_relaxed(name) else { return Ok(Vec::new()) };
    match tokio::time::timeout(LONGEST, resolver.txt_lookup(asked)).await {
        Err(_) => Err(silence(name, LONGEST)),
        Ok(Ok(found)) => {
            let texts = found.answers().iter().filter_map(|record| match &record.data {
                RData::TXT(text) => Some(text.txt_data.iter().flat_map(|part| part.iter().copied()).collect()),
                _ => None,
            });
            Ok(texts.collect())
        }
        Ok(Err(why)) => match &why {
            NetError::Dns(DnsError::NoRecordsFound(none))
                if matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError) =>
            {
                Ok(Vec::new())
            }
            _ => Err(LookupFault { name: name.trim_end_matches('.').to_owned(), why: why.to_string() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;
    use tokio::runtime::Builder;

    /// Starts a name server on this machine that knows a few names (RFC 1035 section 4).
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
        let dns = Dns::new(Some(server()), LONGEST).unwrap();
        assert_eq!(dns.txt("two.example."), Ok(vec![b"v=DKIM1; p=AAAA".to_vec()]));
        assert_eq!(dns.txt("none.example."), Ok(Vec::new()));
        assert_eq!(dns.txt(&format!("{}.example.", "x".repeat(90))), Ok(Vec::new()), "no name can be so long");
        assert!(dns.txt("fails.example.").is_err());
        let why = dns.txt("silent.example.").unwrap_err();
        assert_eq!(why.name, "silent.example");
        // The caller may run inside an async runtime.
        let runtime = Builder::new_current_thread().build().unwrap();
        assert!(runtime.block_on(async { dns.txt("two.example.") }).is_ok());
    }

    #[test]
    fn no_more_names_are_kept_than_allowed() {
        let dns = Dns::new(Some(server()), Duration::from_millis(100)).unwrap();
        let names = |what: &str| (0..100).map(|n| format!("{what}.exampl{n}.")).collect::<Vec<_>>();
        dns.ahead(&names("none"));
        dns.ahead(&names("silent"));
        assert!(dns.board.questions().len() <= MOST_NAMES, "{}", dns.board.questions().len());
        assert!(dns.txt("silent.exampl99.").is_err());
        // Unanswered names are given up, so that others are asked for.
        thread::sleep(LONGEST);
        assert_eq!(dns.txt("two.example."), Ok(vec![b"v=DKIM1; p=AAAA".to_vec()]));
    }

    #[test]
    fn silence_is_waited_for_once() {
        let dns = Dns::new(Some(server()), Duration::from_millis(300)).unwrap();
        let names: Vec<String> = (0..10).map(|n| format!("silent.exampl{n}.")).collect();
        let began = Instant::now();
        dns.ahead(&names);
        for _ in 0..2 {
            for name in &names {
                assert!(dns.txt(name).unwrap_err().why.contains("0.3 seconds"));
            }
        }
        let time = began.elapsed();
        assert!(time >= Duration::from_millis(300) && time < Duration::from_millis(1_500), "{time:?}");
        // Other names are still answered.
        assert_eq!(dns.txt("two.example."), Ok(vec![b"v=DKIM1; p=AAAA".to_vec()]));
    }
}
