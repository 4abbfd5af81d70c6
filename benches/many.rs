//! A host with many games in progress: the costs, in real time, of a stray mail, of a `tick` with
//! nothing due, and of `status`.
//!
//! `POSTRIDER_GAMES` is the number of games (default 2,000). All players have joined, and each game
//! waits for an answer. The bounds apply to 2,000 games; the figures are printed in any case, and
//! the program ends with status 1 if a bound is exceeded.

use postrider::{
    office::{Environment, Invitee, NewGame, Office, Outcome},
    replay::{Catalog, Terms},
    store::{FileStore, Host, Index},
};
use std::{
    env,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

fn middle(mut run: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..5).map(|_| run()).collect();
    times.sort();
    times[2]
}

fn main() -> ExitCode {
    let games: usize = env::var("POSTRIDER_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let folder = tempfile::tempdir().expect("there is room");
    let office = || {
        let host = Host::open_or_create(folder.path()).expect("there is room");
        Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System)
            .expect("the folder is sound")
    };
    let begun = Instant::now();
    let mut first = office();
    let player = |text: String| text.parse::<Invitee>().expect("it is a player");
    for nth in 0..games {
        let new = NewGame {
            ruleset: "plains-indian-wars".into(),
            id: Some(format!("bench-{nth}")),
            players: vec![
                player(format!("Anna <anna{nth}@example.net>")),
                player(format!("Ben <ben{}@example.net>", nth / 4)),
            ],
            join_all: true,
            clock: Some(Terms::new("3d").expect("it is a time")),
            ..NewGame::default()
        };
        first.new_game(&new).expect("it can be opened");
    }
    drop(first);
    println!("{games} games opened in {:.1} s", begun.elapsed().as_secs_f64());
    // Prepares the chains for the next rewinds, as a timer does.
    let begun = Instant::now();
    let mut timer = office();
    loop {
        let due = timer.due().expect("the games can be listed");
        if due.is_empty() {
            break;
        }
        for game in due {
            timer.tick(&game).expect("it is sound");
        }
    }
    println!("{games} games made ready in {:.1} s", begun.elapsed().as_secs_f64());

    let stray = b"From: zoe@example.org\r\nTo: postrider@localhost\r\nSubject: hello\r\n\r\nbid 4\r\n";
    let stray = middle(|| {
        let begun = Instant::now();
        let taken = office().receive(stray).expect("it is filed");
        assert!(matches!(taken.outcome, Outcome::Filed(_)));
        begun.elapsed()
    });
    let tick = middle(|| {
        let begun = Instant::now();
        assert!(office().due().expect("the games can be listed").is_empty());
        begun.elapsed()
    });
    let listed =
        || FileStore::new(&Host::look(folder.path()).expect("it is sound")).listed().expect("it can be listed");
    assert!(listed().iter().all(|listed| listed.status.is_some()), "the index knows every game");
    let status = middle(|| {
        let begun = Instant::now();
        let output =
            Command::new(env!("CARGO_BIN_EXE_postrider")).arg("--root").arg(folder.path()).arg("status").output();
        let lines = output.expect("the program runs").stdout.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, games);
        begun.elapsed()
    });
    let mut kept = true;
    for (what, time, most) in [
        ("a stray mail", stray, Duration::from_millis(5)),
        ("a tick with nothing due", tick, Duration::from_millis(50)),
        ("status, as a process of its own", status, Duration::from_secs(1)),
    ] {
        kept &= time <= most;
        println!("{what}: {:.1} ms, at most {} ms", time.as_secs_f64() * 1e3, most.as_millis());
    }
    ExitCode::from(u8::from(!kept && games <= 2_000))
}
