//! Sending through a mail server that is silent or refuses mails: no command waits for it, and
//! undelivered letters are reported.

use crate::program::{run, said};
use snapbox::cmd::cargo_bin;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    process::Command,
    sync::mpsc,
    thread,
};
use tempfile::TempDir;

const GAME: &str = "lone-pine";

/// Creates a host that sends through a server at this port, with a game whose invitations have not
/// been sent yet.
fn host(port: u16) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let settings = format!(
        "address = \"postrider@play.example\"\n[mail_out.smtp]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\n\
         timeout = 600\n"
    );
    fs::write(folder.path().join("postrider.toml"), settings).expect("the folder can be written");
    let players = ["Anna <anna@example.net>", "Ben <ben@example.net>"];
    let mut words = vec!["new", "--id", GAME];
    players.iter().for_each(|player| words.extend(["--player", player]));
    let output = run(folder.path(), &words);
    assert!(output.status.success(), "{}", said(&output));
    folder
}

/// Serves one connection as a mail server that refuses recipients whose address contains `refused`;
/// returns the number of mails accepted.
fn serve(stream: TcpStream, refused: &str) -> usize {
    let mut writer = stream.try_clone().expect("a second handle");
    let mut say = |text: &str| writer.write_all(format!("{text}\r\n").as_bytes()).is_ok();
    let (mut taken, mut data) = (0, false);
    say("220 test ESMTP");
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if data {
            if line == "." {
                (data, taken) = (false, taken + 1);
                say("250 taken");
            }
            continue;
        }
        let answer = match line.split(' ').next() {
            Some("RCPT") if line.contains(refused) => "550 5.1.1 no such user",
            Some("DATA") => {
                data = true;
                "354 go on"
            }
            _ => "250 fine",
        };
        say(answer);
        if line == "QUIT" {
            break;
        }
    }
    taken
}

#[test]
fn taking_in_does_not_wait_for_a_silent_server() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("an address").port();
    let (came, comes) = mpsc::channel();
    // A server that accepts connections and stays silent for the whole test.
    thread::spawn(move || silent.incoming().try_for_each(|stream| came.send(stream)));
    // With a timeout of 600 seconds per answer, these commands would not end if they waited for
    // one.
    let folder = host(port);
    let letter = fs::read_dir(folder.path().join("mail/out/new")).expect("an outbox").next().expect("a letter");
    let text = fs::read_to_string(letter.expect("it is listed").path()).expect("text").replace("\r\n ", " ");
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).expect("the field").trim().to_owned();
    let raw = format!(
        "From: {}\r\nTo: {}\r\nSubject: Re: join\r\nMessage-ID: <1@x.example>\r\n\r\njoin\r\n",
        field("To:"),
        field("Reply-To:")
    );
    let mut receive = Command::new(cargo_bin!("postrider"));
    receive.arg("--root").arg(folder.path()).arg("receive").stdin(std::process::Stdio::piped());
    let mut receive = receive.stdout(std::process::Stdio::piped()).spawn().expect("the program can be run");
    receive.stdin.take().expect("a pipe").write_all(raw.as_bytes()).expect("it is read");
    let output = receive.wait_with_output().expect("it ends");
    assert!(output.status.success() && said(&output).contains("answered"), "{}", said(&output));
    comes.recv().expect("somebody tries to send").expect("a connection");
}

#[test]
fn a_refused_letter_is_known_until_another_is_written() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let server = thread::spawn(move || {
        let (mut taken, mut connections) = (0, 0);
        for stream in listener.incoming().map_while(Result::ok) {
            taken += serve(stream, "ben@");
            connections += 1;
            if taken >= 1 {
                break;
            }
        }
        (taken, connections)
    });
    let folder = host(port);
    // The command started a sending process of its own; this one waits for its end, or does the
    // work itself.
    let output = run(folder.path(), &["send"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(server.join().expect("the server"), (1, 1), "both letters went over one connection");
    let status = said(&run(folder.path(), &["status"]));
    assert!(
        status.contains("a letter to seat B did not arrive: ") && status.contains("5.1.1 no such user"),
        "{status}"
    );
    let json: serde_json::Value =
        serde_json::from_slice(&run(folder.path(), &["status", "--json"]).stdout).expect("JSON");
    assert_eq!(json[0]["undelivered"].as_array().map(Vec::len), Some(1), "{json}");
    let again = run(folder.path(), &["resend", GAME, "B"]);
    assert!(again.status.success(), "{}", said(&again));
    let status = said(&run(folder.path(), &["status"]));
    assert!(!status.contains("did not arrive"), "{status}");
    let waiting = fs::read_dir(folder.path().join("mail/out/new")).expect("an outbox").count();
    assert_eq!(waiting, 1, "the invitation is there once more");
}

#[test]
fn a_server_that_cannot_be_reached_is_left_alone_for_a_while() {
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let folder = host(port);
    let first = said(&run(folder.path(), &["send"]));
    assert!(first.contains("2 mails are waiting"), "{first}");
    let second = said(&run(folder.path(), &["send"]));
    assert!(second.contains("it is tried again at"), "{second}");
}

#[test]
fn a_letter_that_comes_back_is_known() {
    let folder = tempfile::tempdir().expect("there is room");
    let demo = ["demo", "--id", GAME, "--seats", "2", "--ruleset", "plains-indian-wars", "--seed", "3", "--most", "6"];
    let made = Command::new(cargo_bin!("postrider")).args(demo).arg("--dir").arg(folder.path()).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    // The demonstration delivers letters directly to its players; here one of them is recorded as
    // sent by a mail server.
    let had = fs::read_dir(folder.path().join("players/ben/new")).expect("a mailbox");
    let texts =
        had.map(|file| fs::read_to_string(file.expect("it is listed").path()).expect("text").replace("\r\n ", " "));
    let ids = texts.filter_map(|text| {
        Some((text.lines().find_map(|line| line.strip_prefix("Message-ID:"))?.trim().to_owned(), text))
    });
    let (id, text) = { ids }.find(|(id, _)| id.contains(".letter.")).expect("a letter");
    let sent = folder.path().join("mail/sent/new");
    fs::create_dir_all(&sent).expect("there is room");
    fs::write(sent.join(id.trim_start_matches('<').split('@').next().expect("a name")), text)
        .expect("it can be written");
    let raw = format!(
        "From: MAILER-DAEMON@mx.example\r\nTo: postrider@localhost\r\nSubject: Undelivered Mail\r\nMIME-Version: 1.0\r\n\
         Auto-Submitted: auto-replied\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
         Final-Recipient: rfc822; ben@example.net\r\nAction: failed\r\nStatus: 5.2.2\r\n\
         Diagnostic-Code: smtp; 552 mailbox full\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {id}\r\n\r\n--b--\r\n"
    );
    let mut receive = Command::new(cargo_bin!("postrider"));
    receive.arg("--root").arg(folder.path()).arg("receive").stdin(std::process::Stdio::piped());
    let mut receive = receive.stdout(std::process::Stdio::piped()).spawn().expect("the program can be run");
    receive.stdin.take().expect("a pipe").write_all(raw.as_bytes()).expect("it is read");
    let output = receive.wait_with_output().expect("it ends");
    assert!(said(&output).contains("came back: 5.2.2 smtp; 552 mailbox full"), "{}", said(&output));
    let status = said(&run(folder.path(), &["status"]));
    assert!(status.contains("a letter to seat B did not arrive: 5.2.2 smtp; 552 mailbox full"), "{status}");
    let again = run(folder.path(), &["resend", GAME, "B"]);
    assert!(again.status.success() && !said(&run(folder.path(), &["status"])).contains("did not arrive"));
}
