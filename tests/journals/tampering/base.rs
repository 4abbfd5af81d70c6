//! The game to tamper with: a game played by mail up to its second Turn, with its letters and the
//! operator's secrets.

use crate::samples::copy_folder;
use postrider::{
    demo::{Demo, play_demo},
    dice::{Hash, h},
    journal::{Head, ReceiptKey, to_canon},
    mailbox::SavedMail,
    replay::{AtFlag, Catalog, Terms},
    store::{Host, MailFolder},
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A journal, with the letters of an honest player and the secrets of a dishonest operator.
pub struct Base {
    _folder: TempDir,
    pub game: String,
    /// The journal's lines, as JSON.
    pub lines: Vec<Value>,
    /// Some letters of one player, oldest first.
    pub letters: Vec<SavedMail>,
    /// The seat of that player.
    pub seat: String,
    /// The journal of a second history: the operator continued differently from a copy, and wrote
    /// to others.
    pub twin: Vec<Value>,
    /// The newest letter of the second history.
    pub twin_letter: SavedMail,
    /// The service's key.
    pub key: ReceiptKey,
}

const NAMES: [&str; 3] = ["anna", "ben", "carl"];

impl Base {
    pub fn played() -> Base {
        let folder = tempfile::tempdir().expect("there is room");
        let (root, game) = second_turn(folder.path());
        // One standing order is sealed and ended, another stays sealed.
        for what in ["set-up: canby in texas", "set-up end", "initial-tribe: comanche"] {
            said(&root, &["standing", &game, "A", what]);
        }
        let twin_root = folder.path().join("twin");
        copy_folder(&root, &twin_root);
        let (seat, newest) = play_on(&root, &game, 0);
        let (_, twin_letter) = play_on(&twin_root, &game, usize::MAX);
        // Each history includes the entry of the other's newest letter.
        reach(&root, &game, newest_n(&twin_letter));
        reach(&twin_root, &game, newest_n(&newest));
        let key =
            fs::read_to_string(Host::open(&root).expect("it is a host's folder").service_secrets()).expect("a key");
        let seed: Value = serde_json::from_str(key.lines().next().expect("a line")).expect("JSON");
        let seed: Hash = seed["key"]["seed"].as_str().expect("a seed").parse().expect("32 bytes");
        let mut letters = delivered(&root, &seat);
        // Signatures are slow in the independent checker, so only some letters are kept, including
        // all of the current Turn.
        let recent = letters.len().saturating_sub(4);
        let mut n = 0;
        letters.retain(|_| {
            n += 1;
            n > recent || n % 12 == 1
        });
        letters.push(newest);
        Base {
            lines: read(&Host::open(&root).expect("a host").journal(&game)),
            twin: read(&Host::open(&twin_root).expect("a host").journal(&game)),
            _folder: folder,
            game,
            letters,
            seat,
            twin_letter,
            key: ReceiptKey::from_seed(&seed.0),
        }
    }
}

pub fn of(lines: &[Value], kind: &str, k: usize) -> usize {
    let mut places = (0..lines.len()).filter(|&n| lines[n]["kind"] == kind);
    places.nth(k).unwrap_or_else(|| panic!("there are not {} lines {kind}", k + 1))
}

/// Plays by mail until a Turn is over and the next one is dealt.
fn second_turn(folder: &Path) -> (PathBuf, String) {
    for most in [110, 140, 180, 240, 400] {
        let root = folder.join(format!("played-{most}"));
        let demo = Demo {
            folder: root.clone(),
            ruleset: "geronimo".to_owned(),
            seats: 3,
            seed: Some(1),
            most: Some(most),
            clock: Some(Terms { at_flag: AtFlag::Play, ..Terms::new("30d").expect("a time for an answer") }),
            ..Demo::default()
        };
        let played =
            play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).expect("it is played");
        let lines = read(&played.journal);
        let last = |kind: &str| lines.iter().rposition(|line| line["kind"] == kind);
        if last("revealed").is_some() && last("revealed") < last("dealt") {
            assert!(!played.over, "the game goes on");
            return (root, played.game);
        }
    }
    panic!("no Turn ends within 400 mails");
}

/// Answers questions on the command line, with the option `pick` first and then with first options;
/// returns the seat and the text of the newest letter.
fn play_on(root: &Path, game: &str, mut pick: usize) -> (String, SavedMail) {
    let out = Host::open(root).expect("a host").mail(MailFolder::Out).expect("the outbox");
    for step in 0..60 {
        let prompts: Value = serde_json::from_str(&said(root, &["prompts", game, "--json"])).expect("JSON");
        let all = prompts.as_array().expect("a list");
        let asked = all.iter().find(|one| one["required"] == true).expect("somebody is asked");
        let choices = asked["choices"].as_array().expect("a list");
        let words = choices[pick.min(choices.len() - 1)]["words"].as_str().expect("words").to_owned();
        pick = 0;
        let seat = asked["seat"].as_str().expect("a seat").to_owned();
        let before = out.list().expect("mails");
        said(root, &["order", game, &seat, &words]);
        let new = out.list().expect("mails").into_iter().find(|mail| !before.contains(mail));
        if let Some(mail) = new.filter(|_| step > 1) {
            let seat = mail.unique.split('.').nth(1).expect("game.seat.n.letter").to_owned();
            return (seat, SavedMail { place: "newest.eml".into(), raw: fs::read(mail.path).expect("a mail") });
        }
    }
    panic!("nobody is written to");
}

/// Plays until the journal has entry `n`.
fn reach(root: &Path, game: &str, n: u64) {
    while read(&Host::open(root).expect("a host").journal(game)).len() as u64 <= n {
        play_on(root, game, 0);
    }
}

pub fn newest_n(letter: &SavedMail) -> u64 {
    let text = String::from_utf8_lossy(&letter.raw).into_owned();
    let field = text.lines().find_map(|line| line.strip_prefix("X-Postrider-Head: ")).expect("the field");
    field.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

fn said(root: &Path, words: &[&str]) -> String {
    let out =
        Command::new(env!("CARGO_BIN_EXE_postrider")).arg("--root").arg(root).args(words).output().expect("it runs");
    assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stdout));
    String::from_utf8(out.stdout).expect("UTF-8")
}

fn delivered(root: &Path, seat: &str) -> Vec<SavedMail> {
    let name = NAMES[usize::from(seat.as_bytes()[0] - b'A')];
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("players").join(name).join("new"))
        .expect("mails")
        .map(|m| m.expect("a mail").path())
        .collect();
    paths.sort();
    let mail = |path: &PathBuf| SavedMail {
        place: format!(".{}.eml", path.file_name().expect("a name").to_string_lossy()),
        raw: fs::read(path).expect("a mail"),
    };
    paths.iter().map(mail).collect()
}

pub fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a journal");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Formats lines unchanged, including their hashes.
pub fn as_they_stand(lines: &[Value]) -> String {
    lines.iter().map(|line| to_canon(line).expect("canonical") + "\n").collect()
}

/// Creates a letter of the service, signed over the last of these lines.
pub fn signed(key: &ReceiptKey, game: &str, seat: &str, text: &str) -> SavedMail {
    let last: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    let (n, hash) = (last["n"].as_u64().expect("n"), last["hash"].as_str().expect("a hash"));
    let head = Head { game: game.to_owned(), n, hash: hash.parse().expect("32 bytes") };
    let raw = format!(
        "From: service@play.example\r\nSubject: [{game}] your Round\r\n\
         Message-ID: <{game}.{seat}.{n}.{}.letter@play.example>\r\nX-Postrider-Head: {game} {n} {hash}\r\n\
         X-Postrider-Signature: {}\r\nX-Postrider-Key: {}\r\n\r\nYour Round.\r\n",
        &hash[..8],
        key.sign(&head),
        key.public()
    );
    SavedMail { place: "signed.eml".into(), raw: raw.into_bytes() }
}

/// A key that is not the service's.
pub fn other_key() -> ReceiptKey {
    ReceiptKey::from_seed(&h("postrider/test/v1", &["another key"]).0)
}
