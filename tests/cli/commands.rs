//! The output of commands, run as a host runs them.

use crate::samples;
use snapbox::{
    cmd::{Command, cargo_bin},
    str,
};

/// geronimo 3.2, 11.3
/// plains-indian-wars 15.0
/// dark-and-bloody-ground 15.0, 16.0
/// rosebud-creek 18.1, 18.2
#[test]
fn the_games_that_can_be_played_are_listed() {
    let listed = Command::new(cargo_bin!("postrider")).arg("games").assert();
    listed.success().stdout_eq(str![[r#"
geronimo: Geronimo!, 1 to 5 players; scenarios: basic, campaign; rules version 1
  --option random-events=true  12.1: a card played for no effect may bring a random event
  --option alternate-sides=true  12.2: sides are drawn every Turn, whoever had the US before
  --option historical-range=true  6.36: War Parties reach one Area from their Village, not two
  --option treaty-cap=true  8.11: the tournament cap, ten VPs a Treaty at the most
plains-indian-wars: Plains Indian Wars, 2 to 4 players; scenarios: standard; rules version 1
  --option indian-allies=true  15.3: of three players two are Indian allies, not two US allies
  --option wagons-again=true  12.1.2.1: Wagons that advance may be attacked again in the same round
dark-and-bloody-ground: A Dark and Bloody Ground, 2 players; scenarios: harmar-1790, [..], fallen-timbers; rules version 1
  --option rating-after-roll=true  8.1.1: [..]
...
  --option pillage-at-end=true  15.1.4: [..]
rosebud-creek: The Battle of Rosebud Creek, 2 players; scenarios: historical, pack-train; rules version 1
  --option no-casualty-limit=true  16.F: [..]
...
  --option village-every-turn=true  16.E: [..]
  not here: Crook at Little Bighorn (18.3) is played on the map, and with the units, of another game, [..]

"#]]);
}

#[test]
fn a_spectator_is_shown_every_game() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("game.jsonl");
    for name in samples::without_options() {
        std::fs::write(&path, samples::read(&name)).expect("it can be written");
        Command::new(cargo_bin!("postrider")).arg("show").arg(&path).assert().success();
    }
}
