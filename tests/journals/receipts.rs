//! The tools of a doubting player, on the command line: saved mails in every form compared with a
//! journal, hands, keys, bundles, two copies.

use postrider::{
    demo::{Demo, play_demo},
    dice::Hash,
    mail::SavedMessage,
    replay::Catalog,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A game for three in its first Rounds, with its journal as a file and the players' mailboxes.
struct Table {
    folder: TempDir,
    journal: PathBuf,
    /// Anna's letters, oldest first.
    letters: Vec<Vec<u8>>,
    mailboxes: PathBuf,
}

impl Table {
    fn played() -> Table {
        let folder = tempfile::tempdir().expect("there is room");
        let demo = Demo {
            folder: folder.path().join("host"),
            ruleset: "geronimo".to_owned(),
            id: Some("lone-pine".to_owned()),
            seats: 3,
            seed: Some(2),
            most: Some(24),
            ..Demo::default()
        };
        let played =
            play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("it is played");
        let journal = folder.path().join("lone-pine.jsonl");
        fs::copy(&played.journal, &journal).expect("there is room");
        let mut paths: Vec<PathBuf> = fs::read_dir(played.mailboxes.join("anna/new"))
            .expect("mails")
            .map(|mail| mail.expect("a mail").path())
            .collect();
        paths.sort();
        let letters = paths.iter().map(|path| fs::read(path).expect("a mail")).collect();
        Table { folder, journal, letters, mailboxes: played.mailboxes }
    }

    fn checked(&self, mails: &Path) -> (Option<i32>, String) {
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
        let mut python = Command::new("python3");
        let out = python.arg(checker).arg(&self.journal).arg("--mail").arg(mails).output().expect("Python 3 is there");
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(&path, bytes).expect("there is room");
        path
    }

    fn verify(&self, words: &[&str]) -> (i32, String) {
        run(&[&["verify", text(&self.journal)], words].concat())
    }

    /// Returns entry, hash, seat and standing of every head in a mailbox.
    fn heads(&self, mailbox: &Path) -> Vec<(u64, String, String, String)> {
        let (_, said) = self.verify(&["--json", "--mailbox", text(mailbox)]);
        let report: Value = serde_json::from_str(&said).expect("JSON");
        let word = |one: &Value, name: &str| one[name].as_str().expect("text").to_owned();
        let heads = report["receipts"]["receipts"].as_array().expect("a list").iter();
        heads
            .map(|one| (one["n"].as_u64().expect("n"), word(one, "hash"), word(one, "seat"), word(one, "standing")))
            .collect()
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn run(words: &[&str]) -> (i32, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_postrider")).args(words).output().expect("it runs");
    let said = String::from_utf8(out.stdout).expect("UTF-8") + &String::from_utf8_lossy(&out.stderr);
    (out.status.code().expect("it ends"), said)
}

fn body(letter: &[u8]) -> String {
    SavedMessage::read(letter)[0].text.clone()
}

fn without_cr(letter: &[u8]) -> String {
    String::from_utf8_lossy(letter).replace("\r\n", "\n")
}

/// Wraps a text at exactly this width, even within words, as some programs do.
fn wrapped(text: &str, width: usize) -> String {
    let pieces = text.lines().flat_map(|line| match line {
        "" => vec![String::new()],
        line => line.as_bytes().chunks(width).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect(),
    });
    pieces.map(|piece| piece + "\n").collect()
}

/// Encodes a text as quoted-printable (RFC 2045, section 6.7), with lines of at most 76 characters,
/// broken even within words.
fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut column = 0;
        for byte in line.bytes() {
            let coded = if byte == b'=' || !(32..127).contains(&byte) {
                format!("={byte:02X}")
            } else {
                char::from(byte).to_string()
            };
            if column + coded.len() > 75 {
                out += "=\n";
                column = 0;
            }
            column += coded.len();
            out += &coded;
        }
        out.push('\n');
    }
    out
}

#[test]
fn letters_of_all_players_can_be_judged_together() {
    let table = Table::played();
    let (status, said) = table.checked(&table.mailboxes);
    assert!(status.is_some_and(|status| status != 1) && !said.contains("contradicts"), "{status:?}: {said}");
    let alone = ["anna", "ben", "carl"].map(|name| table.checked(&table.mailboxes.join(name)).0);
    assert_eq!(alone, [status; 3], "{said}");
}

#[test]
fn a_forwarded_letter_is_good_whatever_a_mail_program_made_of_it() {
    let table = Table::played();
    let letter = table.letters.iter().rev().find(|letter| body(letter).contains("YOUR HIDDEN CARDS")).expect("a hand");
    let text_of = body(letter);
    let cards = text_of.matches(", position ").count();
    assert!(cards > 3, "{text_of}");
    let python = |mail: &Path| table.checked(mail);
    let quote = |mark: &str| text_of.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let paragraphs: String = text_of
        .lines()
        .map(|line| {
            let spaced = escaped(line).replace("  ", "&nbsp; ");
            format!(
                "<p class=3DMsoNormal><span lang=3DEN-US style=3D'font-size:10.5pt'>{spaced}<o:p></o:p></span></p>\n"
            )
        })
        .collect();
    let outlook = format!(
        "<html xmlns:o=3D\"urn:schemas-microsoft-com:office:office\"><head><style><!-- p.MsoNormal {{margin:0cm}} --></style></head>\n\
         <body><p class=3DMsoNormal>FYI<o:p></o:p></p><div style=3D'border-top:solid #E1E1E1 1.0pt'>\
         <p class=3DMsoNormal><b>Von:</b> Postrider &lt;postrider@localhost&gt;<br><b>Gesendet:</b> Montag</p></div>\n{paragraphs}</body></html>"
    );
    let long = |text: &str, mark: &str| {
        let broken = |word: &str| match word.len() {
            40.. => word
                .as_bytes()
                .chunks(16)
                .map(|c| String::from_utf8_lossy(c).into_owned())
                .collect::<Vec<_>>()
                .join(mark),
            _ => word.to_owned(),
        };
        text.split_inclusive([' ', '\n']).map(broken).collect::<String>()
    };
    let webmail = format!(
        "<div dir=\"ltr\">look<br></div><div class=\"gmail_quote\"><blockquote>{}</blockquote></div>",
        long(&escaped(&text_of), "<wbr>").replace("  ", "&nbsp; ").replace('\n', "<br>\n")
    );
    let base64 = |text: &str| wrapped(&data_encoding::BASE64.encode(text.as_bytes()), 76);
    let (html, qp) = ("Content-Type: text/html; charset=utf-8\n", "Content-Transfer-Encoding: quoted-printable\n");
    let coded = "Content-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: base64\n".to_owned();
    let cases = [
        ("outlook, HTML alone", format!("{html}{qp}"), outlook),
        ("webmail, HTML alone, long words with places to break", html.to_owned(), webmail),
        ("marks in HTML", html.to_owned(), format!("<pre>{}</pre>", escaped(&quote("> ")))),
        ("wrapped at 76 under marks", String::new(), wrapped(&quote("> "), 76)),
        ("wrapped at 60 under three marks", String::new(), wrapped(&quote(">>> "), 60)),
        ("marks without a space", String::new(), quote(">")),
        ("marks of two kinds", String::new(), quote("> > | ")),
        ("quoted-printable", qp.to_owned(), quoted_printable(&quote("> "))),
        ("base64", coded.clone(), base64(&quote("> "))),
        ("base64 with a byte order mark", coded, base64(&format!("\u{feff}{}", quote(">> ")))),
        (
            "unseen marks in long words",
            "Content-Type: text/plain; charset=utf-8\n".to_owned(),
            long(&text_of, "\u{200b}"),
        ),
        (
            "spaces that do not break",
            "Content-Type: text/plain; charset=utf-8\n".to_owned(),
            text_of.replace("  ", "\u{a0} "),
        ),
        ("a charset that nobody knows", "Content-Type: text/plain; charset=x-mac-rider\n".to_owned(), quote("> ")),
    ];
    for (what, fields, text_of) in cases {
        let mail = format!("From: anna@example.net\nSubject: Fwd: look\nMIME-Version: 1.0\n{fields}\n{text_of}");
        let path = table.write("forwarded.eml", mail.replace('\n', "\r\n"));
        let heads = table.heads(&path);
        assert!(
            matches!(&heads[..], [(_, _, seat, standing)] if seat == "A" && standing == "on-chain"),
            "{what}: {heads:?}"
        );
        let (_, said) = table.verify(&["--mailbox", text(&path)]);
        assert_eq!(said.matches("as it was sealed").count(), cards, "{what}: {said}");
        let (status, said) = python(&path);
        assert!(status == Some(2) && said.contains(" 1 signed heads on the chain"), "{what}: {said}");
    }
    // A false card is detected even in a wrapped letter.
    let card = text_of.lines().find(|line| line.contains(", position ")).expect("a card");
    let (place, _) = card.split_once(": ").expect("a name");
    let other = text_of.replacen(card, &format!("{place}: Another Card"), 1);
    let quoted: String = other.lines().map(|line| format!("> {line}\n")).collect();
    let path = table.write("false.eml", format!("From: anna@example.net\nSubject: Fwd\n\n{}", wrapped(&quoted, 60)));
    let (status, said) = table.verify(&["--mailbox", text(&path)]);
    assert!(status == 1 && said.contains("NOT what was sealed"), "{said}");
    let (status, said) = python(&path);
    assert!(status == Some(1) && said.contains("a letter shows Another Card"), "{said}");
}

#[test]
fn hands_and_keys_are_checked_at_once() {
    let table = Table::played();
    let letter = table
        .letters
        .iter()
        .rev()
        .find(|letter| body(letter).contains("YOUR HIDDEN CARDS"))
        .expect("she was dealt cards");
    let genuine = table.write("hand.eml", letter);
    let (status, said) = table.verify(&["--hand", text(&genuine)]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("as it was sealed") && !said.contains("NOT"), "{said}");
    // Another card in the same letter, with and without its signed head.
    let card =
        body(letter).lines().find_map(|line| Some(line.split_once(", position ")?.1.split_once(": ")?.1.to_owned()));
    let other = without_cr(letter).replace(&format!(": {}\n", card.expect("a card")), ": Nothing At All\n");
    let bare: String =
        other.lines().skip_while(|line| !line.starts_with("YOUR HIDDEN")).take(5).map(|l| format!("{l}\n")).collect();
    for text_of in [other.clone(), bare] {
        let (status, said) = table.verify(&["--hand", text(&table.write("other.eml", text_of))]);
        assert_eq!(status, 1, "{said}");
        assert!(said.contains("NOT what was sealed") && said.contains("CONTRADICTION in lone-pine, entry "), "{said}");
    }
    let (status, said) = table.verify(&["--hand", text(&table.write("none.eml", "Subject: x\n\nno cards\n"))]);
    assert_eq!(status, 65, "{said}");
    assert_eq!(table.verify(&["--mailbox", text(&table.path("nothing"))]).0, 66);

    // The key from a letter, or from the text of the invitation.
    let invitation = table.write("invitation.txt", body(&table.letters[0]));
    for key in [&genuine, &invitation] {
        assert_eq!(table.verify(&["--key", text(key)]).0, 2);
    }
    let (status, said) = table.verify(&["--key", &Hash::ZERO.to_string()]);
    assert!(status == 1 && said.contains("entry 0 (line 1 of the file), step 3 (frame): the key "), "{said}");
}

#[test]
fn a_bundle_can_be_checked_on_another_machine() {
    let table = Table::played();
    let bundle = |name: &str, more: &[&str]| {
        let path = table.path(name);
        let words = ["--mailbox", text(&table.mailboxes), "--bundle", text(&path)];
        assert_eq!(table.verify(&[&words, more].concat()).0, 2);
        fs::read(path).expect("a bundle")
    };
    let bytes = bundle("one.zip", &[]);
    assert_eq!(bytes, bundle("two.zip", &[]), "the same evidence makes the same bytes");
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip file");
    let mut names: Vec<String> = zip.file_names().map(|name| name.expect("a name").into_owned()).collect();
    names.sort();
    let wanted = [
        "README.txt",
        "checker.py",
        "components.toml",
        "lone-pine.jsonl",
        "receipts.json",
        "report.json",
        "report.txt",
    ];
    assert_eq!(names, wanted);
    let folder = table.path("elsewhere");
    zip.extract(&folder).expect("there is room");
    let all: String = names.iter().map(|name| fs::read_to_string(folder.join(name)).expect("text")).collect();
    assert!(!all.contains(text(table.folder.path())) && !all.contains("@example.net"), "no paths and no addresses");
    let at = |name: &str| folder.join(name);
    let (status, said) = run(&["verify", text(&at("lone-pine.jsonl")), "--mailbox", text(&at("receipts.json"))]);
    assert!(status == 2 && said.contains(" 9 receipts  proved by receipts"), "{said}");
    let python = Command::new("python3")
        .arg(at("checker.py"))
        .arg(at("lone-pine.jsonl"))
        .arg("--receipts")
        .arg(at("receipts.json"))
        .output()
        .expect("Python 3 is there");
    let said = String::from_utf8_lossy(&python.stdout).into_owned();
    assert!(python.status.code() == Some(2) && said.contains("signed heads on the chain"), "{said}");
    // The letters themselves are included only on request.
    let whole = zip::ZipArchive::new(std::io::Cursor::new(bundle("three.zip", &["--with-mails"]))).expect("a zip file");
    let mails = whole.file_names().filter(|name| name.as_ref().is_ok_and(|name| name.starts_with("mails/")));
    assert!(mails.count() > table.letters.len());
}

#[test]
fn two_copies_are_compared() {
    let table = Table::played();
    let journal = fs::read_to_string(&table.journal).expect("a journal");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let short = table.write("short.jsonl", lines[..lines.len() - 3].concat());
    let compare = |other: &Path, more: &[&str]| run(&[&["compare", text(&table.journal), text(other)], more].concat());
    let (status, said) = compare(&table.journal, &[]);
    assert!(status == 0 && said.contains("the same, byte for byte"), "{said}");
    let (status, said) = compare(&short, &[]);
    assert!(status == 0 && said.contains("is the beginning of"), "{said}");
    let place = lines.len() - 2;
    let (before, after) = (lines[..place].concat(), lines[place..].concat());
    let other = table.write("other.jsonl", before + &after.replacen("\"at\":\"2", "\"at\":\"3", 1));
    let (status, said) = compare(&other, &["--mailbox", text(&table.mailboxes)]);
    assert_eq!(status, 1, "{said}");
    for words in [
        format!("have {place} lines in common and part at entry {place} (line {} of the file)", place + 1),
        "other.jsonl does not hold on its own. The service signed".to_owned(),
        "  /at: \"2".to_owned(),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    let json: Value = serde_json::from_str(&compare(&other, &["--json"]).1).expect("JSON");
    assert_eq!((&json["relation"], &json["common"]), (&"part".into(), &(place as u64).into()));
    assert_eq!((&json["sides"][0]["holds"], &json["sides"][1]["holds"]), (&true.into(), &false.into()));
}
