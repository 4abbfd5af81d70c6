//! Sending through a mail server that is silent or cannot be reached: no command waits for it.

use crate::program::{command, fed, run, said};
use std::{fs, net::TcpListener, sync::mpsc, thread};
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
    let output = fed(command(folder.path(), &["receive"]), raw);
    assert!(output.status.success() && said(&output).contains("answered"), "{}", said(&output));
    comes.recv().expect("somebody tries to send").expect("a connection");
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
