//! A listener for mails from a mail system on this machine, by LMTP (RFC 2033) or SMTP (RFC 5321).
//!
//! It is small and strict: it accepts mail only for the service's own address, relays nothing, and
//! disconnects clients that waste its time. An acknowledged mail is safe in `mail/in`.

use super::{
    inbox::Inbox,
    listen::{Listener, Stream},
    room::{Place, Room},
};
use postrider_mail::{AddressBookConfig, MAX_MESSAGE_BYTES};
use postrider_store::Protocol;
use std::{io, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    time::{Instant, timeout, timeout_at},
};

/// Maximum length of a command, in bytes. RFC 5321, section 4.5.3.1.4, requires 512; addresses with
/// extensions take more.
const MAX_COMMAND: usize = 2_048;
/// Maximum number of recipients of a mail (RFC 5321, section 4.5.3.1.8, requires at least 100).
const MAX_RECIPIENTS: usize = 100;
/// Maximum number of bytes of a mail that are read. If a mail is longer than [`MAX_MESSAGE_BYTES`],
/// only its beginning is kept, and its sender is told.
const MAX_DATA: usize = 64 * 1024 * 1024;
/// Maximum number of bytes of a text line that are read at once.
const LONGEST_PART: u64 = 64 * 1024;
/// Maximum number of simultaneous connections. Others wait until one ends, or has been silent for
/// [`SILENCE`]. Commands before a text count as silence, and so does a text as far as it lags
/// behind [`RATE`], so that a client cannot hold its place by sending a little now and then.
const MAX_CONNECTIONS: usize = 20;
pub(super) const SILENCE: Duration = Duration::from_secs(5);
/// Minimum rate of a text, in bytes per second.
const RATE: usize = 4_096;
/// Maximum numbers of invalid commands, and of all commands, in a connection.
const MAX_FAULTS: usize = 10;
const MAX_COMMANDS: usize = 10_000;
/// Timeouts of all commands up to a text, and of a whole text, if nobody waits (see RFC 5321,
/// section 4.5.3.2).
const COMMAND_TIME: Duration = Duration::from_secs(300);
const TEXT_TIME: Duration = Duration::from_secs(600);

/// The data shared by all connections.
#[derive(Clone)]
pub(super) struct Taker {
    pub inbox: Inbox,
    pub addresses: Arc<AddressBookConfig>,
    pub protocol: Protocol,
}

/// Accepts connections and their mails forever.
pub(super) async fn listen(listener: Listener, taker: Taker) {
    let room = Room::new(MAX_CONNECTIONS, SILENCE);
    loop {
        let place = room.enter().await;
        match listener.accept().await {
            Ok(stream) => {
                let taker = taker.clone();
                tokio::spawn(async move {
                    if let Err(why) = taker.talk(stream, &place).await {
                        tracing::info!(%why, "a connection of a mail system broke");
                    }
                });
            }
            Err(why) => {
                tracing::warn!(%why, "a mail system could not connect");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// The envelope of a mail.
#[derive(Default)]
struct Announced {
    /// The sender, without angle brackets; empty for delivery reports.
    sender: Option<String>,
    recipients: Vec<String>,
}

/// A line from the client.
enum Said {
    Line(String),
    TooLong,
    /// It does not end with CRLF, or is not text.
    NoLine,
    End,
}

impl Taker {
    /// Serves a connection until it ends.
    pub(super) async fn talk(&self, stream: impl Stream, place: &Place) -> io::Result<()> {
        let mut stream = BufReader::new(stream);
        let protocol = if self.protocol == Protocol::Lmtp { "LMTP" } else { "ESMTP" };
        say(&mut stream, &format!("220 postrider {protocol}")).await?;
        let (mut greeted, mut mail, mut faults) = (false, Announced::default(), 0);
        let mut began = Instant::now();
        for _ in 0..MAX_COMMANDS {
            place.listens_since(began);
            let said = tokio::select! {
                said = timeout_at(began + COMMAND_TIME, line(&mut stream)) => Some(said),
                () = place.ends() => None,
            };
            place.serves();
            let line = match said {
                Some(Ok(said)) => said?,
                Some(Err(_)) => return say(&mut stream, "421 4.4.2 timeout").await,
                None => return say(&mut stream, "421 4.3.2 too busy; try again later").await,
            };
            let line = match line {
                Said::Line(line) => line,
                Said::End => return Ok(()),
                // No command of LMTP is that long, but the first line of an HTTP request may be.
                Said::TooLong => return say(&mut stream, "500 5.5.2 line too long").await,
                // A client that ends lines differently may also disagree on the end of a mail (RFC
                // 5321, section 2.3.8).
                Said::NoLine => return say(&mut stream, "421 5.5.2 lines are text and end with CRLF").await,
            };
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let answer = match verb.to_ascii_uppercase().as_str() {
                hello @ ("LHLO" | "EHLO" | "HELO") => {
                    // Neither protocol accepts the other's greeting (RFC 2033, section 4.1).
                    if (hello == "LHLO") != (self.protocol == Protocol::Lmtp) {
                        format!("500 5.5.1 this listener speaks {protocol}")
                    } else {
                        (greeted, mail) = (true, Announced::default());
                        match hello {
                            "HELO" => "250 postrider".to_owned(),
                            _ => format!(
                                "250-postrider\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n\
                                 250 SIZE {MAX_DATA}"
                            ),
                        }
                    }
                }
                "NOOP" => "250 2.0.0 ok".to_owned(),
                "RSET" => {
                    mail = Announced::default();
                    "250 2.0.0 ok".to_owned()
                }
                "VRFY" => "252 2.5.0 try it".to_owned(),
                "QUIT" => return say(&mut stream, "221 2.0.0 goodbye").await,
                "MAIL" | "RCPT" | "DATA" if !greeted => "503 5.5.1 greet first".to_owned(),
                "MAIL" => mail_from(&mut mail, rest),
                "RCPT" => self.rcpt_to(&mut mail, rest),
                "DATA" if !rest.is_empty() => "501 5.5.4 DATA takes no arguments".to_owned(),
                "DATA" if mail.sender.is_none() || mail.recipients.is_empty() => {
                    "503 5.5.1 no valid recipients".to_owned()
                }
                "DATA" => {
                    say(&mut stream, "354 end with a dot on a line of its own").await?;
                    let announced = std::mem::take(&mut mail);
                    let copies = if self.protocol == Protocol::Lmtp { announced.recipients.len() } else { 1 };
                    let Some(answer) = self.data(&mut stream, announced, place).await? else {
                        return say(&mut stream, "421 4.4.2 timeout").await;
                    };
                    began = Instant::now();
                    // LMTP requires an answer for every recipient (RFC 2033, section 4.2).
                    vec![answer; copies].join("\r\n")
                }
                // A client of another protocol, such as HTTP, may send valid commands in its next
                // lines.
                _ => return say(&mut stream, "421 5.5.1 unknown command; goodbye").await,
            };
            if answer.starts_with("50") {
                faults += 1;
            }
            say(&mut stream, &answer).await?;
            if faults >= MAX_FAULTS {
                return say(&mut stream, "421 4.7.0 too many faults").await;
            }
        }
        say(&mut stream, "421 4.7.0 too many commands").await
    }

    fn rcpt_to(&self, mail: &mut Announced, rest: &str) -> String {
        if mail.sender.is_none() {
            return "503 5.5.1 MAIL first".to_owned();
        }
        let Some((address, parameters)) = path(rest, "TO:") else { return "501 5.5.4 RCPT TO:<address>".to_owned() };
        if !parameters.is_empty() {
            return "555 5.5.4 unknown parameter".to_owned();
        }
        if mail.recipients.len() >= MAX_RECIPIENTS {
            return "452 4.5.3 too many recipients".to_owned();
        }
        if !self.addresses.is_own(address) {
            return "550 5.1.1 no such mailbox".to_owned();
        }
        mail.recipients.push(address.to_owned());
        "250 2.1.5 ok".to_owned()
    }

    /// Reads a text up to its dot and stores it in the inbox. Returns the answer, or `None` if it
    /// took too long, or if the client was silent or slow while others waited.
    async fn data(
        &self,
        stream: &mut BufReader<impl Stream>,
        mail: Announced,
        place: &Place,
    ) -> io::Result<Option<String>> {
        let mut raw = trace(&mail).into_bytes();
        let Ok(read) = timeout(TEXT_TIME, text(stream, &mut raw, place)).await else { return Ok(None) };
        let answer = match read? {
            Ending::Silence => return Ok(None),
            Ending::Dot => match self.inbox.put_beside("lmtp", raw).await {
                Ok(()) => "250 2.0.0 taken".to_owned(),
                Err(why) => {
                    tracing::error!(why, "a mail could not be kept; its mail system tries again");
                    "451 4.3.0 cannot store the mail now".to_owned()
                }
            },
            Ending::TooLarge => "552 5.3.4 too large".to_owned(),
        };
        Ok(Some(answer))
    }
}

/// Returns the header fields that record the envelope. They contain no time, so that a mail that
/// arrives twice remains identical. Return-Path is required from the final delivery agent (RFC
/// 5321, section 4.4); the mail system that hands over the mail has already added Received.
fn trace(mail: &Announced) -> String {
    let sender = mail.sender.as_deref().unwrap_or_default();
    let recipients = mail.recipients.iter().map(|address| format!("Delivered-To: {address}\r\n"));
    format!("Return-Path: <{sender}>\r\n{}", recipients.collect::<String>())
}

fn mail_from(mail: &mut Announced, rest: &str) -> String {
    if mail.sender.is_some() {
        return "503 5.5.1 one mail at a time".to_owned();
    }
    let Some((address, parameters)) = path(rest, "FROM:") else { return "501 5.5.4 MAIL FROM:<address>".to_owned() };
    for parameter in parameters.split(' ').filter(|word| !word.is_empty()) {
        let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match key.to_ascii_uppercase().as_str() {
            "SIZE" if value.parse::<usize>().is_ok_and(|size| size > MAX_DATA) => {
                return "552 5.3.4 too large".to_owned();
            }
            "SIZE" | "BODY" | "SMTPUTF8" => {}
            _ => return "555 5.5.4 unknown parameter".to_owned(),
        }
    }
    mail.sender = Some(address.to_owned());
    "250 2.1.0 ok".to_owned()
}

/// Parses `FROM:<address> parameters` into the address and the parameters. Addresses with white
/// space, control characters or angle brackets are refused, so that they cannot inject header
/// fields.
fn path<'w>(words: &'w str, before: &str) -> Option<(&'w str, &'w str)> {
    let begins = words.get(..before.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(before));
    let rest = begins.then(|| words[before.len()..].trim_start_matches(' '))?.strip_prefix('<')?;
    let (address, parameters) = rest.split_once('>')?;
    let bad = |c: char| c.is_control() || c.is_whitespace() || c == '<';
    let parted = parameters.is_empty() || parameters.starts_with(' ');
    (!address.contains(bad) && address.len() <= 320 && parted).then(|| (address, parameters.trim()))
}

async fn say(stream: &mut BufReader<impl Stream>, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\r\n").as_bytes()).await?;
    stream.flush().await
}

/// Reads the next line, without its end. If the line is too long, only the allowed part is kept.
async fn line(stream: &mut BufReader<impl Stream>) -> io::Result<Said> {
    let mut line = Vec::new();
    let read = (&mut *stream).take(MAX_COMMAND as u64).read_until(b'\n', &mut line).await?;
    if read == 0 {
        return Ok(Said::End);
    }
    if line.last() != Some(&b'\n') {
        if read < MAX_COMMAND {
            return Ok(Said::End);
        }
        loop {
            let have = stream.fill_buf().await?;
            if have.is_empty() {
                return Ok(Said::End);
            }
            let end = have.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(have.len(), |end| end + 1);
            stream.consume(used);
            if end.is_some() {
                return Ok(Said::TooLong);
            }
        }
    }
    let Some(line) = line.strip_suffix(b"\r\n") else { return Ok(Said::NoLine) };
    Ok(String::from_utf8(line.to_vec()).map_or(Said::NoLine, Said::Line))
}

/// The end of a text.
enum Ending {
    Dot,
    TooLarge,
    /// The client was silent or slow while others waited.
    Silence,
}

/// Reads a text that ends only with CRLF, dot, CRLF (RFC 5321, section 4.1.1.4), so that a second
/// mail hidden after any other ending remains part of this mail. Doubled dots become single again
/// (section 4.5.2). If a text is longer than the office's limit, one byte more than the limit is
/// kept.
async fn text(stream: &mut BufReader<impl Stream>, raw: &mut Vec<u8>, place: &Place) -> io::Result<Ending> {
    let (mut total, mut line, mut begins, mut last) = (0, Vec::new(), true, 0);
    let began = Instant::now();
    loop {
        line.clear();
        place.listens_since(began + Duration::from_secs((total / RATE) as u64).min(began.elapsed()));
        let mut limited = (&mut *stream).take(LONGEST_PART);
        // A longer line is read in parts, possibly split between CR and LF.
        let read = tokio::select! {
            read = limited.read_until(b'\n', &mut line) => read?,
            () = place.ends() => return Ok(Ending::Silence),
        };
        place.serves();
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut part = &line[..];
        if begins && part == b".\r\n" {
            return Ok(if total > MAX_DATA { Ending::TooLarge } else { Ending::Dot });
        }
        if begins && part.first() == Some(&b'.') {
            part = &part[1..];
        }
        begins = line.ends_with(b"\r\n") || last == b'\r' && line == b"\n";
        last = line.last().copied().unwrap_or_default();
        total += part.len();
        let room = (MAX_MESSAGE_BYTES + 1).saturating_sub(raw.len());
        raw.extend_from_slice(&part[..part.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;
    use postrider_store::{Host, HostStore};
    use std::sync::mpsc;

    fn talk(protocol: Protocol, words: &[u8]) -> (String, Vec<String>) {
        crate::testing::lmtp(tempfile::tempdir().unwrap().path(), protocol, words)
    }

    fn codes(said: &str) -> Vec<&str> {
        said.lines().filter(|line| line.as_bytes().get(3) == Some(&b' ')).map(|line| &line[..3]).collect()
    }

    /// There is an answer for every recipient (RFC 2033, section 4.2), and acknowledged mails are
    /// in the inbox.
    #[test]
    fn a_mail_is_taken_and_acknowledged_for_each_recipient() {
        let words = b"LHLO mx.example\r\nMAIL FROM:<ben@example.net> SIZE=20 BODY=8BITMIME\r\n\
            RCPT TO:<Postrider+lone-pine.q4.abc@PLAY.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\n\
            Subject: x\r\n\r\n..dot\r\n\xe9\r\n.\r\nQUIT\r\n";
        let (said, mails) = talk(Protocol::Lmtp, words);
        assert_eq!(codes(&said), ["220", "250", "250", "250", "250", "354", "250", "250", "221"], "{said}");
        let want = "Return-Path: <ben@example.net>\r\nDelivered-To: Postrider+lone-pine.q4.abc@PLAY.example\r\n\
            Delivered-To: postrider@play.example\r\nSubject: x\r\n\r\n.dot\r\n\u{fffd}\r\n";
        assert_eq!(mails, [want]);
    }

    #[test]
    fn smtp_answers_once_and_neither_takes_the_others_greeting() {
        let words = b"LHLO a\r\nEHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<postrider@play.example>\r\nRCPT TO:<postrider+x@play.example>\r\n\
            DATA\r\nx\r\n.\r\nQUIT\r\n";
        let (said, mails) = talk(Protocol::Smtp, words);
        assert_eq!(codes(&said), ["220", "500", "250", "250", "250", "250", "354", "250", "221"], "{said}");
        assert_eq!(mails.len(), 1);
        assert_eq!(codes(&talk(Protocol::Lmtp, b"EHLO a\r\nHELO a\r\nQUIT\r\n").0), ["220", "500", "500", "221"]);
    }

    /// Commands are accepted only in order, and mail only for the service (RFC 5321, sections 4.1.4
    /// and 7.9).
    #[test]
    fn nothing_is_relayed_and_no_step_is_left_out() {
        let words = b"MAIL FROM:<a@b.example>\r\nLHLO a\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\nMAIL FROM:a\r\n\
            MAIL FROM:<a@b.example> AUTH=<>\r\nMAIL FROM:<a@b.example>\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<ben@example.net>\r\n\
            RCPT TO:<postrider2@play.example>\r\nRCPT TO:<postrider@play.example.org>\r\nQUIT\r\n";
        let (said, mails) = talk(Protocol::Lmtp, words);
        let want = ["220", "503", "250", "503", "503", "501", "555", "250", "503", "550", "550", "550", "221"];
        assert_eq!(codes(&said), want, "{said}");
        assert_eq!(mails, Vec::<String>::new());
    }

    /// Only CRLF, dot, CRLF ends a text: a second mail hidden after any other ending remains part
    /// of the first.
    #[test]
    fn no_second_mail_hides_in_a_text() {
        for ending in ["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n"] {
            let words = format!(
                "LHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\nx{ending}MAIL \
                 FROM:<c@d.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\nfalse\r\n.\r\nQUIT\r\n"
            );
            let (said, mails) = talk(Protocol::Lmtp, words.as_bytes());
            assert_eq!(mails.len(), 1, "{ending:?}: {said}");
            assert!(mails[0].contains("false"), "{ending:?}");
        }
        let (said, mails) = talk(Protocol::Lmtp, b"LHLO a\nMAIL FROM:<a@b.example>\r\n");
        assert!(said.contains("421 5.5.2") && mails.is_empty(), "{said}");
    }

    /// A line is read in parts, and its end may be split between two of them.
    #[test]
    fn the_dot_is_seen_behind_a_line_of_any_length() {
        let begin = b"LHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\n";
        for length in [65_534, 65_535, 65_536, 131_071, 131_072] {
            let line = vec![b'x'; length];
            let (said, mails) = talk(Protocol::Lmtp, &[&begin[..], &line, b"\r\n.\r\nQUIT\r\n"].concat());
            assert!(said.contains("250 2.0.0 taken") && said.contains("221"), "{length}: {said}");
            assert!(mails.len() == 1 && mails[0].ends_with("x\r\n"), "{length}");
        }
    }

    /// A browser can be made to post lines of an attacker's choice.
    #[test]
    fn whoever_speaks_something_else_is_sent_away_at_once() {
        let post = b"POST / HTTP/1.1\r\nHost: play.example\r\n\r\nLHLO a\r\nMAIL FROM:<a@b.example>\r\n\
            RCPT TO:<postrider@play.example>\r\nDATA\r\nx\r\n.\r\nQUIT\r\n";
        let (said, mails) = talk(Protocol::Lmtp, post);
        assert_eq!(codes(&said), ["220", "421"], "{said}");
        assert!(mails.is_empty());
    }

    #[test]
    fn whoever_is_silent_in_a_text_makes_room() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let room = Room::new(1, SILENCE);
            let place = room.enter().await;
            let (mut theirs, ours) = tokio::io::duplex(1_024);
            theirs.write_all(b"half a line").await.unwrap();
            let waits = tokio::spawn(async move { drop(room.enter().await) });
            let (mut stream, mut raw) = (BufReader::new(ours), Vec::new());
            let ended = text(&mut stream, &mut raw, &place).await.unwrap();
            assert!(matches!(ended, Ending::Silence));
            drop(place);
            waits.await.unwrap();
        });
    }

    /// Returns for how many seconds a client holds its place that writes this every two seconds
    /// while another waits.
    fn held_by(before: &'static [u8], again: &'static [u8]) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let (worker, _woken) = mpsc::channel();
        let inbox = Inbox::of(HostStore::open(&host).unwrap(), Arc::new(State::new()), worker);
        let addresses = Arc::new(AddressBookConfig::new("postrider", Some('+'), "play.example").unwrap());
        let taker = Taker { inbox, addresses, protocol: Protocol::Lmtp };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async move {
            let room = Room::new(1, SILENCE);
            let place = room.enter().await;
            let (theirs, ours) = tokio::io::duplex(64 * 1024);
            let (mut hear, mut write) = tokio::io::split(theirs);
            tokio::spawn(async move { drop(taker.talk(ours, &place).await) });
            tokio::spawn(async move { hear.read_to_end(&mut Vec::new()).await });
            tokio::spawn(async move {
                write.write_all(before).await.unwrap();
                while write.write_all(again).await.is_ok() {
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            });
            let began = Instant::now();
            drop(room.enter().await);
            began.elapsed().as_secs()
        })
    }

    #[test]
    fn whoever_says_a_little_now_and_then_makes_room() {
        let before = b"LHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\n";
        for (before, again) in [(&b"LHLO a\r\n"[..], &b"NOOP\r\n"[..]), (before, b"x\r\n")] {
            let held = held_by(before, again);
            assert!((4..=8).contains(&held), "{held} seconds");
        }
        // A text at a fair rate is not cut off.
        assert!(held_by(before, b"a line of a mail\r\n".repeat(1_000).leak()) >= TEXT_TIME.as_secs() - 1);
    }

    #[test]
    fn a_broken_text_is_not_taken_and_limits_hold() {
        let begin =
            b"LHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<postrider@play.example>\r\nDATA\r\nSubject: x\r\n\r\n";
        let (said, mails) = talk(Protocol::Lmtp, &[&begin[..], b"half"].concat());
        assert!(mails.is_empty() && !said.contains("2.0.0 taken"), "{said}");
        // Only the beginning of a large mail is kept, and the office tells its author.
        let large = vec![b'x'; MAX_MESSAGE_BYTES * 2];
        let (said, mails) = talk(Protocol::Lmtp, &[&begin[..], &large, b"\r\n.\r\nQUIT\r\n"].concat());
        assert!(said.contains("250 2.0.0 taken"), "{said}");
        assert_eq!(mails[0].len(), MAX_MESSAGE_BYTES + 1);
        let (said, _) = talk(Protocol::Lmtp, &[&vec![b'x'; 100_000][..], b"\r\nQUIT\r\n"].concat());
        assert_eq!(codes(&said), ["220", "500"], "no command of LMTP is so long");
        let (said, _) = talk(Protocol::Lmtp, &b"MAIL\r\n".repeat(20));
        assert_eq!(said.matches("503 5.5.1").count(), MAX_FAULTS, "{said}");
        assert!(said.contains("421 4.7.0"), "{said}");
        let many = b"RCPT TO:<postrider@play.example>\r\n".repeat(MAX_RECIPIENTS + 1);
        let (said, _) = talk(Protocol::Lmtp, &[&b"LHLO a\r\nMAIL FROM:<>\r\n"[..], &many].concat());
        assert_eq!(said.matches("452 4.5.3").count(), 1);
    }
}
