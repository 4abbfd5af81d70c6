//! A whole game of Geronimo! that is finished, rewound, rewound again and played to another end.

use chrono::Utc;
use postrider::{
    audit::verify,
    demo::{Demo, play_demo},
    dice::{DiceStream, h},
    journal::{JournalFile, Secret, Via, Writer},
    office::{Environment, Office, RewindGame},
    replay::{Catalog, Checkpoint, Source, rebuild},
    store::Host,
    table::{Understood, Watch},
};
use std::{fs, path::Path, process::Command};

const GAME: &str = "rewound-game";

fn rewind(folder: &Path, to: Checkpoint) -> postrider::office::Rewinding {
    let mut office =
        Office::open(Host::open(folder).unwrap(), Catalog::new(postrider::games::rulesets()), Environment::System)
            .unwrap();
    let wanted = RewindGame { to, by: "director".into(), reason: "a slip".into(), dry_run: false };
    office.rewind(GAME, &wanted).unwrap()
}

/// Answers questions at random, `most` times or to the end, and appends to the journal on disk.
fn play(folder: &Path, seed: u64, mut most: u64) {
    let host = Host::open(folder).unwrap();
    let path = host.journal(GAME);
    let secrets = fs::read_to_string(host.secrets(GAME)).unwrap();
    let chain = |line: &str| match serde_json::from_str(line) {
        Ok(Secret::Chain(chain)) => Some(chain),
        _ => None,
    };
    let chains = secrets.lines().filter_map(chain).collect();
    let source = Source::from(path.as_path());
    let mut live =
        rebuild(&source, &Catalog::new(postrider::games::rulesets()), Some(chains), None, Watch::ALL).unwrap();
    let mut journal = JournalFile::open(&path).unwrap();
    let mut writer = Writer::after(journal.head().unwrap());
    let mut chance = DiceStream::new(h("postrider/test/rewinding", &[&seed.to_string()]));
    // Rewinds use the system time, and times in a journal never decrease.
    let now = Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string();
    while most > 0 && !live.closed {
        most -= 1;
        let dyn_game = live.dyn_game.as_mut().unwrap();
        let asked: Vec<_> = dyn_game.asked().unwrap().into_iter().filter(|asked| asked.required).collect();
        let asked = &asked[chance.below(asked.len() as u32) as usize];
        let order = dyn_game.sample(asked.id, &mut |n| chance.below(n)).unwrap();
        let step = live.decide(writer.n(), asked.seat, &Understood::answer(asked, order), Via::Bot, None).unwrap();
        let lines: String = step.bodies.iter().map(|body| writer.line(&now, body).unwrap()).collect();
        journal.append(lines.as_bytes()).unwrap();
        live.advance(writer.head().unwrap());
    }
}

#[test]
fn a_finished_game_is_rewound_and_played_to_another_end() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: "geronimo".into(),
        id: Some(GAME.into()),
        seats: 4,
        seed: Some(3),
        ..Demo::default()
    };
    assert!(play_demo(&demo, Catalog::new(postrider::games::rulesets()), &mut |_, _| {}).unwrap().over);
    // To the middle of a Turn: its cards are known, and the report states where they would be
    // fresh.
    let done = rewind(folder.path(), "turn 6 round 3".parse().unwrap());
    assert_eq!(done.place, "Turn 6, Round 3");
    let shaman = done.disclosed.open_decks.iter().find(|deck| deck.deck == "shaman").expect("it was revealed");
    let fresh = shaman.fresh_after.expect("it was not shuffled at the beginning of play");
    play(folder.path(), 1, 25);
    // To a point before the shuffle, and then to an entry that this rewind has undone.
    let undone = done.done.unwrap() + 4;
    let again = rewind(folder.path(), Checkpoint::Line(fresh));
    assert!(again.disclosed.open_decks.iter().all(|deck| (&deck.deck, deck.epoch) != (&shaman.deck, shaman.epoch)));
    play(folder.path(), 2, 40);
    rewind(folder.path(), Checkpoint::Line(undone));
    play(folder.path(), 3, u64::MAX);
    let path = Host::open(folder.path()).unwrap().journal(GAME);
    let report = verify(&Source::from(path.as_path()), &Catalog::new(postrider::games::rulesets()), |_| ()).unwrap();
    assert_eq!(report.status, 0, "{report}");
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker.py");
    let out = Command::new("python3").arg(checker).arg(&path).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stdout));
}
