//! Mail servers within the test process whose behaviour can be set: an IMAP mailbox, and an SMTP
//! server.
#![allow(dead_code, reason = "every test file needs a part of it")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

/// Waits until `look` returns a value; fails with a message if it does not within a minute.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "it does not come: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A mail in a mailbox.
#[derive(Clone)]
pub struct Held {
    pub uid: u32,
    pub raw: Vec<u8>,
    pub seen: bool,
    pub deleted: bool,
}

/// The contents of a mailbox, the behaviour of its server, and the commands received.
pub struct Box_ {
    pub validity: u32,
    pub mails: Vec<Held>,
    /// The mails moved to another mailbox.
    pub moved: Vec<Held>,
    pub capabilities: &'static str,
    pub password: &'static str,
    /// The UID of a mail that the server refuses to send.
    pub broken: Option<u32>,
    pub heard: Vec<String>,
    /// Changing this ends every connection.
    pub generation: u32,
}

/// An IMAP server with one mailbox.
#[derive(Clone)]
pub struct ImapServer {
    pub port: u16,
    held: Arc<Mutex<Box_>>,
}

impl ImapServer {
    pub fn start() -> ImapServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let held = Box_ {
            validity: 7,
            mails: Vec::new(),
            moved: Vec::new(),
            capabilities: "IMAP4rev1 IDLE UIDPLUS MOVE",
            password: "secret",
            broken: None,
            heard: Vec::new(),
            generation: 0,
        };
        let server = ImapServer { port, held: Arc::new(Mutex::new(held)) };
        let serving = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let one = serving.clone();
                thread::spawn(move || one.talk(&stream));
            }
        });
        server
    }

    pub fn held(&self) -> MutexGuard<'_, Box_> {
        self.held.lock().expect("no test broke it")
    }

    /// Adds a mail to the mailbox; returns its UID.
    pub fn put(&self, raw: &[u8]) -> u32 {
        let mut held = self.held();
        let uid = held.mails.iter().chain(&held.moved).map(|mail| mail.uid).max().unwrap_or(100) + 1;
        held.mails.push(Held { uid, raw: raw.to_vec(), seen: false, deleted: false });
        uid
    }

    /// Returns the number of commands that begin with this text.
    pub fn count(&self, begin: &str) -> usize {
        self.held().heard.iter().filter(|line| line.starts_with(begin)).count()
    }

    fn talk(&self, stream: &TcpStream) {
        let Ok(mut writer) = stream.try_clone() else { return };
        let mut say = |text: String| writer.write_all(text.as_bytes()).is_ok();
        let mut reader = BufReader::new(stream);
        let (generation, mut known) = (self.held().generation, 0);
        say("* OK ready\r\n".to_owned());
        let mut line = String::new();
        loop {
            line.clear();
            if !reader.read_line(&mut line).is_ok_and(|read| read > 0) || self.held().generation != generation {
                return;
            }
            let said = line.trim_end().to_owned();
            let (tag, command) = said.split_once(' ').unwrap_or(("*", ""));
            let upper = command.to_ascii_uppercase();
            self.held().heard.push(command.to_owned());
            let mut answer = String::new();
            let mut end = "OK done";
            if upper.starts_with("LOGIN") {
                if !command.contains(self.held().password) {
                    end = "NO [AUTHENTICATIONFAILED] wrong password";
                }
            } else if upper.starts_with("AUTHENTICATE XOAUTH2") {
                say("+ \r\n".to_owned());
                line.clear();
                let said = reader.read_line(&mut line).map(|_| line.trim_end().to_owned()).unwrap_or_default();
                self.held().heard.push(said.clone());
                if said != self.held().password {
                    end = "NO [AUTHENTICATIONFAILED] the token is not good";
                }
            } else if upper.starts_with("CAPABILITY") {
                answer = format!("* CAPABILITY {}\r\n", self.held().capabilities);
            } else if upper.starts_with("SELECT") {
                let held = self.held();
                known = held.mails.len();
                answer = format!("* {known} EXISTS\r\n* OK [UIDVALIDITY {}] so\r\n", held.validity);
                let next = held.mails.iter().map(|mail| mail.uid).max().unwrap_or(100) + 1;
                answer += &format!("* OK [UIDNEXT {next}] so\r\n");
            } else if upper.starts_with("UID SEARCH") {
                answer = self.search(&upper);
                known = self.held().mails.len();
            } else if upper.starts_with("UID FETCH") {
                let uid = number(&upper, 2);
                let mut held = self.held();
                let at = held.mails.iter().position(|mail| mail.uid == uid);
                match at {
                    Some(_) if held.broken == Some(uid) => end = "NO it is damaged",
                    Some(at) => {
                        let most = upper.split("<0.").nth(1).and_then(|rest| rest.split('>').next()?.parse().ok());
                        let mail = &mut held.mails[at];
                        let raw = &mail.raw[..mail.raw.len().min(most.unwrap_or(usize::MAX))];
                        let head = format!("* {} FETCH (UID {uid} BODY[]<0> {{{}}}\r\n", at + 1, raw.len());
                        let _ = say(head) && writer_bytes(stream, raw);
                        answer = ")\r\n".to_owned();
                    }
                    None => {}
                }
            } else if upper.starts_with("UID STORE") {
                let mut held = self.held();
                if let Some(mail) = held.mails.iter_mut().find(|mail| mail.uid == number(&upper, 2)) {
                    mail.seen |= upper.contains("\\SEEN");
                    mail.deleted |= upper.contains("\\DELETED");
                }
            } else if upper.starts_with("UID EXPUNGE") || upper.starts_with("UID MOVE") {
                let (uid, moves) = (number(&upper, 2), upper.contains("MOVE"));
                let mut held = self.held();
                if let Some(at) = held.mails.iter().position(|mail| mail.uid == uid) {
                    let mail = held.mails.remove(at);
                    answer = format!("* {} EXPUNGE\r\n", at + 1);
                    known -= 1;
                    if moves {
                        held.moved.push(mail);
                    }
                }
            } else if upper.starts_with("IDLE") {
                if !say("+ idling\r\n".to_owned()) {
                    return;
                }
                if stream.set_read_timeout(Some(Duration::from_millis(20))).is_err() {
                    return;
                }
                loop {
                    let (now, still) = {
                        let held = self.held();
                        (held.mails.len(), held.generation == generation)
                    };
                    if !still {
                        return;
                    }
                    if now != known {
                        known = now;
                        say(format!("* {now} EXISTS\r\n"));
                    }
                    line.clear();
                    match reader.read_line(&mut line) {
                        Ok(0) => return,
                        Ok(_) => break,
                        Err(_) => {}
                    }
                }
                if stream.set_read_timeout(None).is_err() {
                    return;
                }
            }
            if !say(format!("{answer}{tag} {end}\r\n")) || upper.starts_with("LOGOUT") {
                return;
            }
        }
    }

    fn search(&self, upper: &str) -> String {
        let held = self.held();
        let from = upper.split("UID ").nth(2).and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
        let wanted = |mail: &&Held| {
            // Such a range always includes the last mail.
            let last = held.mails.last().is_some_and(|last| last.uid == mail.uid);
            let subject = upper.split("SUBJECT \"").nth(1).and_then(|rest| rest.split('"').next());
            let text = String::from_utf8_lossy(&mail.raw).to_ascii_uppercase();
            !mail.deleted
                && subject.is_none_or(|subject| text.contains(subject))
                && (!upper.contains("UNSEEN") || !mail.seen)
                && from.is_none_or(|from| mail.uid >= from || last)
        };
        let uids: Vec<_> = held.mails.iter().filter(wanted).map(|mail| mail.uid.to_string()).collect();
        format!("* SEARCH {}\r\n", uids.join(" "))
    }
}

fn number(command: &str, word: usize) -> u32 {
    command.split(' ').nth(word).and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn writer_bytes(stream: &TcpStream, raw: &[u8]) -> bool {
    let mut stream = stream;
    stream.write_all(raw).is_ok()
}

/// The behaviour of a mail server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Accepts every mail.
    Takes,
    /// Waits before every answer.
    Slow(Duration),
    /// Accepts the connection and remains silent.
    Silent,
    /// Refuses every recipient.
    Refuses,
    /// Refuses addresses with an extension.
    NoExtensions,
    /// Refuses every login.
    NoLogin,
}

/// The recipient of a mail, and its bytes.
pub type Taken = (String, Vec<u8>);

/// An SMTP server.
#[derive(Clone)]
pub struct SmtpServer {
    pub port: u16,
    /// The recipient and text of every accepted mail.
    pub taken: Arc<Mutex<Vec<Taken>>>,
    pub connections: Arc<Mutex<usize>>,
    /// The mailbox to which mails are delivered, if any.
    pub mailbox: Arc<Mutex<Option<ImapServer>>>,
}

impl SmtpServer {
    pub fn start(manner: Manner) -> SmtpServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = SmtpServer { port, taken: Arc::default(), connections: Arc::default(), mailbox: Arc::default() };
        let serving = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                *serving.connections.lock().expect("no test broke it") += 1;
                let one = serving.clone();
                thread::spawn(move || one.talk(stream, manner));
            }
        });
        server
    }

    fn talk(&self, stream: TcpStream, manner: Manner) {
        if manner == Manner::Silent {
            // Until the client disconnects.
            let _ = (&stream).read_to_end(&mut Vec::new());
            return;
        }
        let Ok(mut writer) = stream.try_clone() else { return };
        let mut say = |text: &str| {
            if let Manner::Slow(wait) = manner {
                thread::sleep(wait);
            }
            writer.write_all(format!("{text}\r\n").as_bytes()).is_ok()
        };
        let mut reader = BufReader::new(stream);
        let (mut to, mut line) = (String::new(), Vec::new());
        let mut data: Option<Vec<u8>> = None;
        say("220 test ESMTP");
        loop {
            line.clear();
            if !reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                return;
            }
            if let Some(text) = &mut data {
                if line != b".\r\n" {
                    text.extend(line.strip_prefix(b".").unwrap_or(&line));
                    continue;
                }
                let text = data.take().unwrap_or_default();
                if let Some(mailbox) = &*self.mailbox.lock().expect("no test broke it") {
                    mailbox.put(&text);
                }
                self.taken.lock().expect("no test broke it").push((to.clone(), text));
                say("250 taken");
                continue;
            }
            let said = String::from_utf8_lossy(&line).trim_end().to_owned();
            let answer = match said.split(' ').next() {
                Some("EHLO") => "250-test\r\n250 AUTH PLAIN LOGIN",
                Some("AUTH") if manner == Manner::NoLogin => "535 5.7.8 wrong password",
                Some("AUTH") => "235 fine",
                Some("RCPT") if manner == Manner::NoExtensions && said.contains('+') => "550 5.1.1 no such user",
                Some("RCPT") if manner == Manner::Refuses => "550 5.1.1 no such user",
                Some("RCPT") => {
                    to = said.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                    "250 fine"
                }
                Some("DATA") => {
                    data = Some(Vec::new());
                    "354 go on"
                }
                _ => "250 fine",
            };
            if !say(answer) || said == "QUIT" {
                return;
            }
        }
    }
}
