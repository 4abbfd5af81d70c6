//! Tests that a mailbox is read completely, whatever its files are called. Files that were not read
//! or prove nothing are always reported.

use super::{find, forge, kinds};
use crate::{Evidence, Grade, Report, verify_with};
use chrono::{DateTime, TimeDelta};
use postrider_dice::Hash;
use postrider_journal::{Checker, Head, Line, ReceiptKey};
use postrider_mailbox::SavedMail;
use postrider_test_games::raffle::{Played, catalog};
use serde_json::Value;
use std::{
    fs,
    io::{Cursor, Write},
    path::PathBuf,
    process::Command,
};
use tempfile::TempDir;

/// A finished game that is completely proved, and the key that signs its letters.
struct Finished {
    folder: TempDir,
    journal: Vec<u8>,
    key: ReceiptKey,
    /// The head of the last line.
    last: Head,
}

impl Finished {
    fn new() -> Finished {
        let key = ReceiptKey::from_seed(&[3; 32]);
        let public = key.public().to_string();
        let journal = forge(&Played::whole().bytes, 0, |body| body["key"] = public.into()).bytes().unwrap().to_vec();
        // The dice chain is long and need not be published to the end; many mailboxes are checked
        // against this journal.
        let closed = find(&journal, "closed");
        let without_dice = |body: &mut Value| _ = body["secrets"].as_object_mut().unwrap().remove("dice");
        let journal = forge(&journal, closed, without_dice).bytes().unwrap().to_vec();
        let text = journal.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty()).unwrap();
        let line = Line::parse(text).unwrap();
        let last = Head { game: "raffle-1".to_owned(), n: line.n, hash: line.hash };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("raffle-1.jsonl"), &journal).unwrap();
        Finished { folder, journal, key, last }
    }

    fn letter(&self, head: &Head) -> String {
        signed(&self.key, head, &self.key.sign(head))
    }

    fn good(&self) -> Vec<u8> {
        self.letter(&self.last).into_bytes()
    }

    fn other(&self) -> Vec<u8> {
        self.letter(&Head { hash: Hash([5; 32]), ..self.last.clone() }).into_bytes()
    }

    /// Puts the files of each case into a folder `letters` and checks them against the journal with
    /// both checkers.
    fn held_against(&self, cases: &[Vec<(&str, Vec<u8>)>]) -> Vec<Found> {
        let mut mailboxes = Vec::new();
        for (k, files) in cases.iter().enumerate() {
            let letters = self.folder.path().join(k.to_string()).join("letters");
            fs::create_dir_all(&letters).unwrap();
            for (name, bytes) in files {
                let path = letters.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            mailboxes.push(vec![letters]);
        }
        self.checked(&mailboxes)
    }

    fn checked(&self, cases: &[Vec<PathBuf>]) -> Vec<Found> {
        // One process for all cases, because Python takes longer to start than to check this
        // journal.
        const SCRIPT: &str = "import sys; sys.path.insert(0, sys.argv[1]); import checker\n\
                              for paths in sys.argv[3:]:\n    mails = checker.Found()\n    \
                              for path in paths.split('\\n'): mails.box(path)\n    \
                              print('-- status', checker.check(sys.argv[2], mails))\n";
        let joined =
            |paths: &Vec<PathBuf>| paths.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>().join("\n");
        let out = Command::new("python3")
            .args(["-B", "-c", SCRIPT, concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests")])
            .arg(self.folder.path().join("raffle-1.jsonl"))
            .args(cases.iter().map(joined))
            .output()
            .unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        let mut others = said.split_inclusive("-- status ").collect::<Vec<_>>().into_iter();
        let mut text = others.next().unwrap_or_default().to_owned();
        let mut all = Vec::new();
        for mailboxes in cases {
            let mut evidence = Evidence::default();
            mailboxes.iter().for_each(|path| evidence.add_mailbox(path).unwrap());
            let report = verify_with(Checker::new(), &evidence, &self.journal[..].into(), &catalog(), |_| ()).unwrap();
            let next = others.next().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&out.stderr)));
            let (status, rest) = next.split_once('\n').unwrap();
            all.push(Found { report, python: status.parse().unwrap(), said: text });
            text = rest.to_owned();
        }
        all
    }
}

/// The results of the two checkers.
struct Found {
    report: Report,
    python: i32,
    said: String,
}

/// A letter is written after the entry whose head it carries, so its date is not earlier.
#[test]
fn the_times_of_entries_are_held_against_letters() {
    let finished = Finished::new();
    let text = finished.journal.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty()).unwrap();
    let at = DateTime::parse_from_rfc3339(Line::parse(text).unwrap().at).unwrap();
    for (seconds, grade) in [(0, Grade::ProvedByReceipts), (90, Grade::ProvedByReceipts), (-1, Grade::Unproved)] {
        let date = (at + TimeDelta::seconds(seconds)).to_rfc2822();
        let letter = format!("Date: {date}\r\n{}", finished.letter(&finished.last));
        let mut evidence = Evidence::default();
        evidence.add(&SavedMail { place: "x.eml".to_owned(), raw: letter.into_bytes() }, false);
        let journal = &finished.journal[..];
        let report = verify_with(Checker::new(), &evidence, &journal.into(), &catalog(), |_| ()).unwrap();
        let [.., times] = &report.claims[..] else { panic!("{report}") };
        assert_eq!((times.name, times.grade), ("times", grade), "{report}");
        assert_eq!(times.proved["letters"], u64::from(seconds >= 0));
        assert_eq!(times.unproved.len(), usize::from(seconds < 0), "{report}");
    }
}

fn signed(key: &ReceiptKey, head: &Head, signature: &str) -> String {
    let Head { game, n, hash } = head;
    format!(
        "From: service@play.example\r\nSubject: [{game}] the end\r\n\
         Message-ID: <{game}.A.{n}.{}.letter@play.example>\r\nX-Postrider-Head: {game} {n} {hash}\r\n\
         X-Postrider-Signature: {signature}\r\nX-Postrider-Key: {}\r\n\r\nThe game is over.\r\n",
        &hash.to_string()[..8],
        key.public()
    )
}

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

fn tarred(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()));
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, name, bytes).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}

fn carrying(name: &str, bytes: &[u8]) -> Vec<u8> {
    let coded = data_encoding::BASE64.encode(bytes);
    format!(
        "From: anna@example.net\r\nSubject: all of them\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhere\r\n\
         --b\r\nContent-Type: application/octet-stream; name=\"{name}\"\r\nContent-Transfer-Encoding: base64\r\n\r\n\
         {coded}\r\n--b--\r\n"
    )
    .into_bytes()
}

fn mbox(mails: &[Vec<u8>]) -> Vec<u8> {
    let from = |mail: &Vec<u8>| [b"From p@play.example Mon Nov 23 09:00:00 2026\n", &mail[..], b"\n"].concat();
    mails.iter().flat_map(from).collect()
}

fn wide(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn forms(letter: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let deep = zipped("inner.tgz", &tarred("./x/1", &mbox(&[b"Subject: x\n\nno\n".to_vec(), letter.to_vec()])));
    vec![
        ("letter.eml", letter.to_vec()),
        ("letter.txt", letter.to_vec()),
        ("letter", letter.to_vec()),
        ("photo.jpg", letter.to_vec()),
        (".hidden", letter.to_vec()),
        ("tmp/1.host", letter.to_vec()),
        ("a/b/c/d/e/f/g/1", letter.to_vec()),
        ("unicode.txt", wide(letter)),
        ("marked.txt", [b"\xef\xbb\xbf", letter].concat()),
        ("inbox", mbox(&[letter.to_vec()])),
        ("letters.zip", zipped("x/1", letter)),
        ("letters.tar.gz", tarred("x/1", letter)),
        ("download", deep.clone()),
        ("forwarded.eml", carrying("letters.zip", &zipped("1", letter))),
        ("twice.eml", carrying("all", &deep)),
    ]
}

#[test]
fn a_letter_counts_whatever_its_file_is_called_and_packed_in() {
    let game = Finished::new();
    let mut cases: Vec<_> = forms(&game.good()).into_iter().map(|form| vec![form]).collect();
    let good = cases.len();
    cases.extend(forms(&game.other()).into_iter().map(|form| vec![("good.eml", game.good()), form]));
    for (k, (Found { report, python, said }, case)) in game.held_against(&cases).iter().zip(&cases).enumerate() {
        let name = case.last().unwrap().0;
        if k < good {
            assert_eq!((report.status, *python), (0, 0), "{name}: {report}\n{said}");
            assert!(report.to_string().contains("proved by receipts    heads 1,"), "{name}: {report}");
            assert!(said.contains(" 1 signed heads on the chain"), "{name}: {said}");
        } else {
            assert_eq!((report.status, *python), (1, 1), "{name}: {report}\n{said}");
            let line = format!("Line {} (entry {}) contradicts", game.last.n + 1, game.last.n);
            assert!(
                report.contradictions[0].line == game.last.n + 1 && said.contains(&line),
                "{name}: {report}\n{said}"
            );
        }
    }
}

#[test]
fn what_is_not_read_or_proves_nothing_keeps_a_journal_from_all_proved() {
    let game = Finished::new();
    let (good, last) = (game.good(), &game.last);
    let whole = game.letter(last);
    let field = whole.lines().find(|line| line.starts_with("X-Postrider-Signature")).unwrap();
    let unsigned = |head: &Head| signed(&game.key, head, "").replace("X-Postrider-Signature: \r\n", "").into_bytes();
    let elsewhere = Head { hash: Hash([5; 32]), ..last.clone() };
    let turned = signed(&game.key, last, &game.key.sign(&elsewhere)).into_bytes();
    let shown = |proof: &str| {
        format!(
            "From: a@b.example\r\n\r\nJournal {}, entry {}, for seat A, signed\r\n{proof}\r\n",
            last.game,
            last.n - 1
        )
    };
    let cases: [(&str, u8, &[&str], Vec<u8>); 21] = [
        ("notes.txt", 0, &["NO LETTER", "notes.txt"], b"milk, eggs".to_vec()),
        ("inbox", 0, &["inbox: 1 of its 2 mails"], mbox(&[good.clone(), b"Subject: x\n\nno\n".to_vec()])),
        ("again.eml", 0, &["which other letters sign: 1"], unsigned(last)),
        ("other.eml", 0, &["heads of other games: 1"], whole.replace(&last.game, "another").into_bytes()),
        ("a.rar", 2, &["NOT READ", "a.rar: it is a RAR archive"], b"Rar!\x1a\x07\0".to_vec()),
        ("locked.zip", 2, &["locked.zip/x: it is encrypted"], {
            let mut zip = zipped("x", b"secret");
            // Set the encryption flag in the local header and in the central directory.
            let list = zip.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
            (zip[6], zip[list + 8]) = (zip[6] | 1, zip[list + 8] | 1);
            zip
        }),
        ("cut.tar.gz", 2, &["cut.tar.gz: it is damaged"], tarred("1", &good)[..90].to_vec()),
        ("a.eml", 2, &["a.eml/x.7z: it is a 7z archive"], carrying("x.7z", b"7z\xbc\xaf\x27\x1c")),
        ("forged.eml", 2, &["signature does not fit"], turned),
        ("empty.eml", 2, &["signature does not fit"], whole.replace(field, "X-Postrider-Signature: 0").into_bytes()),
        ("unsigned.eml", 2, &["has no signature"], unsigned(&elsewhere)),
        ("torn.eml", 2, &["damaged receipts say (1)"], shown(&"q".repeat(40)).into_bytes()),
        ("field.eml", 2, &["damaged receipts say (1)"], b"Subject: x\nX-Postrider-Head: what\n\nx\n".to_vec()),
        ("fields.eml", 2, &["it has too many header fields"], [&b"Subject: x\n"[..], &b"a:\n".repeat(60_000)].concat()),
        ("items.eml", 2, &["it has too many header fields"], [&b"Cc: "[..], &b"a@b,".repeat(60_000), b"\n"].concat()),
        ("parts.eml", 2, &["it has too many header fields"], [&b"a: b\n\n"[..], &b"--x\n\n".repeat(60_000)].concat()),
        ("lines.eml", 2, &["lines.eml: it has more than 64 MiB"], vec![b'\n'; 1_100_000]),
        ("lines.zip", 2, &["lines.zip/x: it unpacks to more than 256 MiB"], zipped("x", &vec![b'\n'; 4_200_000])),
        ("mbox", 2, &["mbox: it has more than 200000 mails"], mbox(&vec![b"x\n".to_vec(); 200_001])),
        // A line without an end that contains a million times of day.
        ("times", 0, &["NO LETTER"], {
            let begins = &b"From a@b.example Mon Nov 23 09:00:00 2026\nSubject: x\n\nno\n\nFrom "[..];
            [begins, &b"00:00 ".repeat(1_000_000)].concat()
        }),
        // One word of a million characters, at each of which a head could begin.
        ("zeros.zip", 0, &["NO LETTER"], zipped("zeros", &vec![0; 1 << 20])),
    ];
    let files: Vec<_> =
        cases.iter().map(|(name, .., bytes)| vec![("good.eml", good.clone()), (*name, bytes.clone())]).collect();
    for (Found { report, python, said }, (name, status, words, _)) in game.held_against(&files).iter().zip(cases) {
        let told = report.to_string();
        assert_eq!((report.status, *python), (status, i32::from(status)), "{name}: {told}\n{said}");
        assert!(words.iter().all(|word| told.contains(word)), "{name}: {told}");
        assert_eq!(told.contains("ALL PROVED"), status == 0, "{name}: {told}");
        assert_eq!(said.contains("Unproved by mails: "), status == 2, "{name}: {said}");
        assert_eq!(
            said.contains("Read, and no letter of a game in it: "),
            told.contains("NO LETTER"),
            "{name}: {said}"
        );
    }
}

#[test]
fn a_mailbox_without_a_head_proves_nothing() {
    let game = Finished::new();
    let without = vec![("notes.txt", b"milk".to_vec()), ("a.eml", b"From: a\n\nx".to_vec())];
    for Found { report, python, said } in game.held_against(&[vec![], without]) {
        assert_eq!((report.status, python), (2, 2), "{report}\n{said}");
        assert!(report.to_string().contains("open: no mail holds a signed head of this game"), "{report}");
    }
    // The same holds if another mailbox has a head.
    let good = game.folder.path().join("good.eml");
    fs::write(&good, game.good()).unwrap();
    let letters = game.folder.path().join("1/letters");
    let open = format!("without a signed head of it: {}", letters.display());
    for Found { report, python, said } in game.checked(&[vec![good, letters]]) {
        assert_eq!((report.status, python), (2, 2), "{report}\n{said}");
        assert!(report.to_string().contains(&open) && report.to_string().contains("heads 1,"), "{report}");
    }
    assert_eq!(kinds(&game.journal).len(), find(&game.journal, "closed") + 1, "it is a finished game");
}
