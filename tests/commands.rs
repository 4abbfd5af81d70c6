//! What commands print, run as a host runs them.

use snapbox::{
    cmd::{Command, cargo_bin},
    str,
};

/// geronimo 3.2
#[test]
fn the_games_that_can_be_played_are_listed() {
    let listed = Command::new(cargo_bin!("postrider")).arg("games").assert();
    listed.success().stdout_eq(str![[r#"
geronimo: Geronimo!, 3 to 5 players; scenarios: basic; rules version 1

"#]]);
}

#[test]
fn a_game_that_is_not_there_is_named() {
    let missing = Command::new(cargo_bin!("postrider")).args(["verify", "nothing.jsonl"]).assert();
    missing.code(64).stdout_eq(str![""]).stderr_eq(str![[r#"
error: there is no game "nothing.jsonl" (nothing.jsonl does not exist)

"#]]);
}
