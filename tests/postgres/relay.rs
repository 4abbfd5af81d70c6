//! A network connection to the two servers that can be held and cut.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// Interval at which connections check whether they are held or cut.
const LOOK: Duration = Duration::from_millis(20);

/// The state of the connections.
#[derive(Default)]
struct Way {
    held: AtomicBool,
    /// Number of cuts so far; connections opened before a cut end.
    cuts: AtomicU64,
}

/// Listens on the loopback network in place of both servers, and forwards all data.
pub struct Relay {
    way: Arc<Way>,
    ports: Vec<u16>,
}

impl Relay {
    /// Starts a relay to the servers whose sockets are in a folder.
    pub fn begin(sockets: &Path) -> Relay {
        let way = Arc::new(Way::default());
        let ports = [5432, 5433].map(|server| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
            let port = listener.local_addr().expect("it has one").port();
            let (way, socket) = (Arc::clone(&way), sockets.join(format!(".s.PGSQL.{server}")));
            thread::spawn(move || listen(&listener, &socket, &way));
            port
        });
        Relay { way, ports: ports.to_vec() }
    }

    pub fn url(&self) -> String {
        let servers: Vec<String> = self.ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("postgres://postrider@{}/postrider?sslmode=disable", servers.join(","))
    }

    pub fn hold(&self) {
        self.way.held.store(true, Ordering::SeqCst);
    }

    /// Resumes forwarding; if `cut` is true, existing connections end instead.
    pub fn go_on(&self, cut: bool) {
        if cut {
            self.way.cuts.fetch_add(1, Ordering::SeqCst);
        }
        self.way.held.store(false, Ordering::SeqCst);
    }
}

fn listen(listener: &TcpListener, socket: &Path, way: &Arc<Way>) {
    for client in listener.incoming().filter_map(Result::ok) {
        let way = Arc::clone(way);
        let socket = socket.to_owned();
        thread::spawn(move || {
            wait(&way);
            // Without a server the connection is closed.
            let Ok(server) = UnixStream::connect(&socket) else { return };
            let cuts = way.cuts.load(Ordering::SeqCst);
            let _ = client.set_nodelay(true);
            let (Ok(there), Ok(back)) = (client.try_clone(), server.try_clone()) else { return };
            if there.set_read_timeout(Some(LOOK)).is_err() || back.set_read_timeout(Some(LOOK)).is_err() {
                return;
            }
            let other = Arc::clone(&way);
            let answers = thread::spawn(move || carry(back, there, &other, cuts));
            let (Ok(there), Ok(back)) = (server.try_clone(), client.try_clone()) else { return };
            carry(back, there, &way, cuts);
            let _ = (server.shutdown(Shutdown::Both), client.shutdown(Shutdown::Both));
            let _ = answers.join();
        });
    }
}

fn wait(way: &Way) {
    while way.held.load(Ordering::SeqCst) {
        thread::sleep(LOOK);
    }
}

/// Forwards bytes in one direction until either side ends, or the connection is cut.
fn carry(mut from: impl Read, mut to: impl Write + Close, way: &Way, cuts: u64) {
    let mut bytes = [0; 16_384];
    loop {
        wait(way);
        if way.cuts.load(Ordering::SeqCst) != cuts {
            break;
        }
        match from.read(&mut bytes) {
            Ok(0) => break,
            // Data read just before a hold is held as well.
            Ok(count) => {
                wait(way);
                if way.cuts.load(Ordering::SeqCst) != cuts || to.write_all(&bytes[..count]).is_err() {
                    break;
                }
            }
            Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    to.close();
}

/// A stream that can be shut down.
trait Close {
    fn close(&self);
}

impl Close for TcpStream {
    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

impl Close for UnixStream {
    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}
