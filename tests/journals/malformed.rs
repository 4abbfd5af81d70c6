//! The independent checker ends with a message and a status for any input, never with a traceback.

use postrider::dice::{DiceStream, Hash, h};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
const JOURNAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/journal.jsonl");

fn python(words: &[&str]) -> (i32, String) {
    // A terminal without UTF-8 cannot display all characters.
    let out = Command::new("python3").env("PYTHONIOENCODING", "ascii").args(["-B", CHECKER]).args(words).output();
    ended(&out.expect("Python 3 is there"))
}

fn ended(out: &Output) -> (i32, String) {
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(!said.contains("Traceback") && !said.trim().is_empty(), "{said}");
    (out.status.code().expect("it ends"), said)
}

#[test]
fn what_is_no_journal_or_no_receipt_is_said() {
    let folder = tempfile::tempdir().expect("there is room");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(at(name), bytes).expect("there is room");
        at(name)
    };
    let deep = "[".repeat(60_000);
    let first = fs::read_to_string(JOURNAL).expect("a journal").lines().next().expect("a line").to_owned();
    let mut journals = Vec::new();
    // A file without the marks of a journal is not one, and no statement is made about what it
    // proves; the last of these has all marks.
    for (name, bytes) in [
        ("empty", Vec::new()),
        ("picture", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec()),
        ("mail", b"From: Anna <anna@example.net>\r\nSubject: Re: your move\r\n\r\nbid 1\r\n".to_vec()),
        ("zeros", vec![0; 5_000]),
        ("bytes", (0..=255).collect()),
        ("torn", b"{".to_vec()),
        ("null", b"null\n".to_vec()),
        ("list", b"[]\n".to_vec()),
        ("nan", b"NaN\n".to_vec()),
        ("digits", ["9".repeat(60_000).as_bytes(), b"\n"].concat()),
        ("surrogate", b"{\"\\ud800\":\"\\udc00\"}\n".to_vec()),
        ("deep", [deep.as_bytes(), b"\n"].concat()),
        ("long", vec![b'x'; 200_000]),
        ("letters", first.replace("\"scenario\":\"", "\"scenario\":\"\u{e9}\u{202e}").into_bytes()),
    ] {
        journals.push(write(name, &bytes));
    }
    journals.push(at("nothing"));
    // All in one process, which continues after each.
    let list = fs::File::open(write("paths", (journals.join("\n") + "\n").as_bytes())).expect("it was written");
    let each =
        Command::new("python3").env("PYTHONIOENCODING", "ascii").args(["-B", CHECKER, "--each"]).stdin(list).output();
    let (status, said) = ended(&each.expect("Python 3 is there"));
    let said: Vec<&str> = said.lines().collect();
    assert_eq!((status, said.len()), (0, 2 * journals.len()), "{said:#?}");
    for (two, path) in said.chunks(2).zip(&journals) {
        let (status, begins) = match path.rsplit('/').next() {
            Some("letters") => (1, "Line 1 (entry 0) contradicts: ".to_owned()),
            Some("nothing") => (66, "[Errno 2]".to_owned()),
            _ => (65, format!("{path} is no journal: its first line would begin with ")),
        };
        assert_eq!(two[1], format!("-- status {status}"), "{path}: {}", two[0]);
        assert!(two[0].starts_with(&begins), "{path}: {}", two[0]);
        // The program gives the same answer.
        let ours = Command::new(env!("CARGO_BIN_EXE_postrider")).args(["verify", path]).output().expect("it runs");
        assert_eq!(ours.status.code(), Some(status), "{path}");
        if status == 65 {
            let told = String::from_utf8_lossy(&ours.stderr).into_owned();
            assert!(
                ours.stdout.is_empty() && told.contains("is not a journal: it ") && told.contains("{\"at\":\""),
                "{told}"
            );
        }
    }
    let empty = at("empty");
    assert_eq!(python(&[&empty, "--parent", JOURNAL]).0, 65);
    assert_eq!(python(&[JOURNAL, "--parent", &at("nothing")]).0, 2, "a parent is looked at if it is one");
    for (words, status) in [
        (&[at("nothing").as_str()][..], 66),
        (&[folder.path().to_str().expect("UTF-8")], 66),
        (&[], 64),
        (&["--what"], 64),
    ] {
        assert_eq!(python(words).0, status, "{words:?}");
    }
    let receipt = |member: &str, value: &str| {
        let mut all = serde_json::json!({ "game": "sample-game", "n": 3, "hash": Hash::ZERO, "signature": "", "seat": "",
                                          "mail": Hash::ZERO });
        all[member] = serde_json::json!("here it stands");
        format!("[{all}]").replace("\"here it stands\"", value)
    };
    fs::create_dir(at("lists")).expect("there is room");
    let mut lists = 0;
    let huge = "9".repeat(5_000);
    for (member, value) in [
        ("game", "7"),
        ("game", "\"\\ud800\""),
        ("n", "-1"),
        ("n", "1.5"),
        ("n", "NaN"),
        ("n", "99999999999999999999"),
        ("n", huge.as_str()),
        ("hash", "null"),
        ("hash", "\"ab\""),
        ("signature", "[]"),
        ("seat", "{}"),
        ("key", "7"),
        ("mail", "7"),
    ] {
        let list = write("list.json", receipt(member, value).as_bytes());
        assert_eq!(python(&[JOURNAL, "--receipts", &list]).0, 65, "{member} {value}");
        lists += 1;
        fs::copy(&list, folder.path().join(format!("lists/{lists}.json"))).expect("there is room");
    }
    // Among mails, these count as files without a letter.
    let (status, said) = python(&[JOURNAL, "--mail", &at("lists")]);
    let named =
        said.lines().find(|line| line.starts_with("Read, and no letter of a game in it: ")).expect("they are named");
    assert_eq!((status, named.matches(".json").count()), (2, lists), "{said}");
    for text in ["", "{}", "[7]", "[[", deep.as_str()] {
        assert_eq!(python(&[JOURNAL, "--receipts", &write("list.json", text.as_bytes())]).0, 65, "{text:.9}");
    }
    assert_eq!(python(&[JOURNAL, "--receipts", &write("list.json", receipt("key", "null").as_bytes())]).0, 2);
}

#[test]
fn no_mail_breaks_it() {
    const MAILS: usize = 400;
    const ODD: &[u8] = b"\0\xff\"\n=;:<> -%?";
    let (hash, signature) = (Hash([0xab; 32]), "A".repeat(86));
    let whole = format!(
        "From: =?utf-8?q?Ann=C3=A4?= <anna@example.net>\r\nSubject: Fwd: look\r\nMIME-Version: 1.0\r\n\
         Message-ID: <sample-game.A.3.q6urq6ur.letter@play.example>\r\nX-Postrider-Head: sample-game 3 {hash}\r\n\
         X-Postrider-Signature: {signature}\r\nX-Postrider-Key: {hash}\r\n\
         Content-Type: multipart/mixed; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>Journal sample-game, entry 3, for seat A, signed =\r\n\
         {proof}</p>\r\n--b\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         U3ViamVjdDogeA0KDQp4DQo=\r\n--b\r\nContent-Type: application/zip; name*=utf-8''%41.zip\r\n\
         Content-Transfer-Encoding: base64\r\n\r\nUEsDBAoAAAAAAA==\r\n--b\r\nContent-Type: text/plain; charset=\"utf-7\"\r\n\
         Content-Transfer-Encoding: x-uuencode\r\n\r\nevents, epoch 0, position 5: Raid salt {hash}\r\n--b--\r\n",
        proof = "A".repeat(128)
    );
    let folder = tempfile::tempdir().expect("there is room");
    let mut chance = DiceStream::new(h("postrider/test/v1", &["mails"]));
    let mut below = |n: usize| chance.below(u32::try_from(n).expect("it is small")) as usize;
    for k in 0..MAILS {
        let mut mail = whole.clone().into_bytes();
        for _ in 0..=below(6) {
            let at = below(mail.len());
            match below(4) {
                0 => mail[at] = ODD[below(ODD.len())],
                1 => drop(mail.drain(at..(at + 1 + below(40)).min(mail.len()))),
                2 => mail.truncate(at.max(1)),
                _ => {
                    let from = below(mail.len());
                    let piece = mail[from..(from + 60).min(mail.len())].to_vec();
                    mail.splice(at..at, piece);
                }
            }
            if mail.is_empty() {
                break;
            }
        }
        fs::write(folder.path().join(format!("{k}.eml")), mail).expect("there is room");
    }
    let (status, said) = python(&[JOURNAL, "--mail", folder.path().to_str().expect("UTF-8")]);
    assert!(status == 2 && said.contains("Unproved by mails: "), "{status}: {said}");
    // The reader can handle anything that a mail program may write; only archives could not be read
    // at all.
    let unread: Vec<&str> = said.lines().filter(|line| line.contains("cannot be read as a mail")).collect();
    assert!(unread.is_empty(), "{unread:#?}");
    assert!(Path::new(CHECKER).is_file());
}

/// Python unpacks bzip2 and LZMA without a limit.
#[test]
fn a_zip_that_cannot_be_unpacked_step_by_step_is_not_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("big.zip");
    let script = "import sys, zipfile\n\
                  for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA): zipfile.ZipFile(sys.argv[1], 'a', kind).writestr(str(kind), bytes(9))";
    let made = std::process::Command::new("python3").args(["-c", script]).arg(&path).status();
    assert!(made.is_ok_and(|made| made.success()));
    let (_, said) = python(&[JOURNAL, "--mail", path.to_str().expect("UTF-8")]);
    assert_eq!(said.matches("it is packed in a way that this program does not open").count(), 2, "{said}");
}
