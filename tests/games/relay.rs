//! The example of docs/adding-a-game.md, tested as every game is, and played by mail.

use crate::{standard::whole_games, whole::Tried};
use postrider::{
    audit::verify,
    demo::{Demo, play_demo},
    replay::{Catalog, Checkpoint, Source},
    table::{Below, Ruleset, Snapshot},
};
use postrider_test_games::relay::{RULES, Relay};
use serde_json::{Value, json};

impl Tried for Relay {
    const TRIED: u64 = 32;
    fn rules() -> &'static dyn Ruleset {
        &RULES
    }
    fn ruling(_: &Snapshot<Relay>, below: &mut Below<'_>) -> Option<Value> {
        let rider = ["A", "B"][below(2) as usize];
        Some(json!({ "rider": { "rider": rider, "mail": below(9), "at": "denver" } }))
    }
}

whole_games! { [] standard: Relay }

#[test]
fn a_game_by_mail_is_proved() {
    static RELAY: [&dyn Ruleset; 1] = [&RULES];
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: "relay".to_owned(),
        seats: 3,
        seed: Some(4),
        bot: Some("eager".to_owned()),
        ..Demo::default()
    };
    let finished = play_demo(&demo, Catalog::new(&RELAY), &mut |_, _| ()).expect("it is played");
    assert!(finished.over && finished.failed == 0 && finished.rounds > 4, "{finished:?}");
    assert!(matches!(&finished.halfway, Some(Checkpoint::Label(label)) if label.starts_with("Round ")), "{finished:?}");
    let report =
        verify(&Source::from(finished.journal.as_path()), &Catalog::new(&RELAY), |_| ()).expect("it is checked");
    assert!(!report.to_string().contains("Turn"), "{report}");
}
