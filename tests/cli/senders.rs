//! Signatures of incoming mails, tested with the whole program, which queries a name server run by
//! the test.

use crate::program::{command, fed, run, said};
use postrider::mail::DkimKey;
use std::{
    fs,
    net::UdpSocket,
    sync::{Arc, Mutex},
    thread,
};

const GAME: &str = "lone-pine";

/// Starts a name server that returns this text for every name, or an error if there is none or if
/// it is told to fail (RFC 1035, section 4). Returns its port.
fn server(record: Arc<Mutex<Option<String>>>, fails: Arc<Mutex<bool>>) -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = socket.local_addr().expect("an address").port();
    thread::spawn(move || {
        let mut bytes = [0; 1_500];
        while let Ok((length, from)) = socket.recv_from(&mut bytes) {
            let end = 12 + bytes[12..length].iter().position(|byte| *byte == 0).expect("a name ends") + 5;
            let text = record.lock().expect("not broken").clone().filter(|_| bytes[13] == b's');
            let code = match (*fails.lock().expect("not broken"), &text) {
                (true, _) => 2,
                (false, None) => 3,
                (false, Some(_)) => 0,
            };
            let text = text.filter(|_| code == 0);
            let mut answer = bytes[..2].to_vec();
            answer.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(text.is_some()), 0, 0, 0, 0]);
            answer.extend(&bytes[12..end]);
            if let Some(text) = text {
                let length = u8::try_from(text.len()).expect("a short record");
                answer.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, length + 1, length]);
                answer.extend(text.bytes());
            }
            socket.send_to(&answer, from).expect("it can be sent");
        }
    });
    port
}

#[test]
fn a_host_who_requires_signatures_has_them_checked_and_shown() {
    let (record, fails) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(false)));
    let port = server(record.clone(), fails.clone());
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    let settings = format!(
        "address = \"postrider@play.example\"\nsender_check = \"required\"\nresolver = \"127.0.0.1:{port}\"\n\
         [mail_out.smtp]\nhost = \"127.0.0.1\"\nport = 9\nsecurity = \"none\"\n\
         [mail_out.smtp.dkim]\nselector = \"pr\"\nkey_file = \"dkim.pem\"\n"
    );
    fs::write(folder.join("postrider.toml"), settings).expect("it can be written");
    // The host's own key and its record.
    let made = said(&run(folder, &["dkim", "--new-key"]));
    assert!(made.contains("pr._domainkey.play.example. IN TXT ( \"v=DKIM1; k=ed25519; p="), "{made}");
    assert_eq!(said(&run(folder, &["dkim"])), made.lines().last().expect("a line").to_owned() + "\n");
    let new = ["new", "--id", GAME, "--player", "Anna <anna@example.net>", "--player", "Ben <ben@example.net>"];
    let new = run(folder, &[&new[..], &["--sender-check", "B=recorded"]].concat());
    assert!(new.status.success(), "{}", said(&new));
    let invitation = |seat: &str| {
        let path = folder.join(format!("mail/out/new/{GAME}.{seat}.invitation"));
        fs::read_to_string(path).expect("an invitation").replace("\r\n ", " ")
    };
    let answer = |seat: &str, from: &str, words: &str| {
        let letter = invitation(seat);
        let to = letter.lines().find_map(|line| line.strip_prefix("Reply-To:")).expect("a field").trim().to_owned();
        let id = words.replace(' ', "-");
        format!("From: {from}\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <{id}@{seat}.example>\r\n\r\n{words}\r\n")
    };
    let key = DkimKey::new("example.net", "s", DkimKey::new_pem().expect("a key").as_bytes()).expect("a key");
    let unsigned = answer("A", "anna@example.net", "join luck seven owls");
    let refused = fed(command(folder, &["receive"]), unsigned.as_bytes());
    assert!(refused.status.success() && said(&refused).contains("answered"), "{}", said(&refused));
    let signed = key.sign(answer("A", "anna@example.net", "join luck grey horses").as_bytes()).expect("it is signed");
    *fails.lock().expect("not broken") = true;
    let waits = fed(command(folder, &["receive"]), &signed);
    assert_eq!(waits.status.code(), Some(75), "{}", said(&waits));
    assert!(said(&waits).contains("cannot be told for now"), "{}", said(&waits));
    *fails.lock().expect("not broken") = false;
    *record.lock().expect("not broken") = Some(key.record().to_owned());
    let taken = fed(command(folder, &["receive"]), &signed);
    assert!(taken.status.success(), "{}", said(&taken));
    // This seat has a setting of its own.
    let ben = fed(command(folder, &["receive"]), answer("B", "ben@example.net", "join luck a dog").as_bytes());
    assert!(ben.status.success(), "{}", said(&ben));
    let senders = said(&run(folder, &["log", GAME, "--senders"]));
    let lines: Vec<&str> = senders.lines().map(str::trim).collect();
    assert_eq!(lines.len(), 2, "both have joined, Anna by the mail that was signed: {senders}");
    assert!(lines[0].ends_with("A  signed by example.net (DKIM)"), "{senders}");
    assert!(lines[1].ends_with("B  not signed: it has no signature (DKIM)"), "{senders}");
    fs::create_dir(folder.join("his")).expect("there is room");
    fs::write(folder.join("his/1.eml"), answer("B", "ben@example.net", "join luck a dog")).expect("it can be written");
    let his = folder.join("his");
    let verified = said(&run(folder, &["verify", GAME, "--sent", &his.to_string_lossy()]));
    assert!(verified.contains("MAILS THAT CAME IN") && verified.contains("signed by example.net"), "{verified}");
    let wrong =
        run(folder, &["reseat", GAME, "--seat", "B", "--player", "Ben <b@x.example>", "--sender-check", "always"]);
    assert_eq!(wrong.status.code(), Some(64), "{}", said(&wrong));
}
