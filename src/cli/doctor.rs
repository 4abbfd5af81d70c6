//! `postrider doctor`: checks a host's folder for anything damaged, missing or out of date.

use super::{CliError, Files, Output, working::office};
use postrider_dice::Hash;
use postrider_journal::{ReceiptKey, Secret};
use postrider_replay::{Catalog, LiveGame, ReplayFault, rebuild};
use postrider_store::{GameSecrets, GameStatus, Host, HostStore, Players, Strange, StrangeLine, is_host};
use postrider_table::Watch;
use serde_json::json;
use std::{collections::BTreeSet, path::Path};

/// The exit status if there are findings.
const FOUND: u8 = 1;

#[derive(clap::Args, Debug)]
pub struct Doctor {
    /// First rebuild the index from journals and secrets, and finish what a crash interrupted
    #[arg(long)]
    rebuild: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Advice if the key that signs letters is lost.
const KEY: &str = "Restore it from any backup made after the host's first game; it never changes. Without one, games opened with \
                   it cannot continue; their journals still prove what was played";

/// Advice if secrets of a game are lost.
const SECRETS: &str = "Of its secrets only a backup has a copy: put it in their place if it is as new as the journal, or the lines that \
                       it has in place of the damaged ones. No player and no journal has them";

/// Advice if a journal is damaged.
const JOURNAL: &str = "Restore a damaged journal from any complete copy, from a backup or from a player; `postrider verify` \
                       proves it";

/// A problem found.
struct Finding {
    /// The game; `None` for the host.
    game: Option<String>,
    what: String,
}

/// Runs the command. Without `--rebuild` it changes nothing and takes no locks.
pub fn run(args: &Doctor, files: &Files, verbose: bool) -> Result<Output, CliError> {
    is_host(files.root())?;
    if args.rebuild {
        rebuild_index(files.root())?;
    }
    let host = Host::look(files.root())?;
    let store = files.store(&host)?;
    let catalog = files.catalog()?;
    let (games, mut found) = (store.as_store().games()?, Vec::new());
    found.extend([service_key(&host), clock(&host)].into_iter().flatten().map(|what| Finding { game: None, what }));
    for game in &games {
        let findings = examine(&store, &host, game, &catalog);
        found.extend(findings.into_iter().map(|what| Finding { game: Some(game.clone()), what }));
    }
    let rows = match &store {
        HostStore::Files(store) => store.index().rows()?,
        HostStore::Postgres(_) => BTreeSet::new(),
    };
    for game in rows.into_iter().filter(|game| !games.contains(game)) {
        found.push(Finding { game: Some(game), what: "is in the index, and has no journal".to_owned() });
    }
    let status = if found.is_empty() { 0 } else { FOUND };
    if args.json {
        let one = |finding: &Finding| json!({ "game": finding.game, "what": finding.what });
        let all = json!({ "games": games.len(), "found": found.iter().map(one).collect::<Vec<_>>() });
        return Ok(Output { status, ..Output::json(&all)? });
    }
    let mut text = String::new();
    for Finding { game, what } in &found {
        text += &format!("{}: {what}\n", game.as_deref().unwrap_or("the host"));
    }
    let looked = format!("{} {} looked at", games.len(), if games.len() == 1 { "game" } else { "games" });
    text += &match found.len() {
        0 if !verbose => String::new(),
        0 => format!("{looked}: nothing is wrong.\n"),
        1 => format!("{looked}: 1 problem found.\n"),
        several => format!("{looked}: {several} problems found.\n"),
    };
    Ok(Output { text, status, ..Output::default() })
}

/// Rebuilds the index by opening each game, as other commands do.
pub(super) fn rebuild_index(root: &Path) -> Result<(), CliError> {
    let mut office = office(root)?;
    office.store().forget()?;
    // Enters every address before the first game is opened.
    office.store().games_of("")?;
    for game in office.store().games()? {
        match office.open_game(&game) {
            Err(why) if why.is_fatal() => return Err(why.into()),
            // The fault is found and reported below.
            Err(why) => tracing::error!(game, %why, "the game cannot be opened"),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Returns the fault of the service's own secrets, if any.
fn service_key(host: &Host) -> Option<String> {
    let path = host.service_secrets();
    let text = match fs_err::read_to_string(&path) {
        Ok(text) => text,
        Err(why) => return Some(format!("the key that signs letters cannot be read: {why}. {KEY}")),
    };
    let is_key = |line: &str| matches!(serde_json::from_str(line), Ok(Secret::Key { .. }));
    let damaged = text.lines().position(|line| !is_key(line));
    match damaged {
        Some(at) => Some(format!("{}: line {} is damaged. {KEY}", path.display(), at + 1)),
        None if text.is_empty() => Some(format!("{} holds no key. {KEY}", path.display())),
        None => open_to_others(&path),
    }
}

/// Returns the public key of this host, if present.
fn own_key(host: &Host) -> Option<Hash> {
    Some(ReceiptKey::from_seed(&host.service_seed().ok()??.0).public())
}

/// Describes how to repair a line of secrets, where its contents can be found, and the loss without
/// it.
fn mended(strange: &StrangeLine) -> String {
    let kind = match &strange.what {
        Strange::Torn => return String::new(),
        Strange::Unknown(_) => {
            return ". A newer release may know it; take the line out if it is none of the service's".to_owned();
        }
        Strange::NotJson => "",
        Strange::Damaged(kind) => kind,
    };
    let without = match kind {
        "root" => "Without it the game cannot be rewound past dice",
        "chain" => "Without it no die and no card can be drawn",
        "player" | "address" => "Without it the player of that seat is unknown, and no letter can be sent",
        "sealed" => "Without it that standing order can never be opened; no player's letter has its salt",
        "press" => "Without it that message is gone; its readers have it in their letters",
        "tokens" | "rewound" => "Without it letters that are void would count again",
        "written" => "Without it mails may be answered and letters written once more",
        _ => "Without it the line's contents are lost",
    };
    format!(
        ". A backup of this file that has line {} mends it: lines are only ever added, so put that line in its place. {without}",
        strange.line
    )
}

/// Returns a warning if others than the owner may access a file.
#[cfg(unix)]
fn open_to_others(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs_err::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then(|| format!("{} can be read by others (mode {mode:o}); make it 0600", path.display()))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> Option<String> {
    None
}

/// Returns the status of a game in the index, and the status when it was last changed.
fn remembered(store: &HostStore, game: &str) -> (Option<GameStatus>, Option<GameStatus>) {
    match store {
        HostStore::Files(store) => (store.index().status(game), store.index().last(game)),
        HostStore::Postgres(store) => {
            let status = store.status(game).unwrap_or_default();
            (status.clone(), status)
        }
    }
}

/// Returns `true` if an address is registered for a game.
fn is_entered(store: &HostStore, game: &str, address: &str) -> bool {
    match store {
        HostStore::Files(store) => store.index().is_entered(game, address).unwrap_or(false),
        HostStore::Postgres(_) => {
            store.as_store().games_of(address).is_ok_and(|games| games.iter().any(|one| one == game))
        }
    }
}

/// Returns the faults of a game.
fn examine(opened: &HostStore, host: &Host, game: &str, catalog: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    let (secrets, store) = (host.secrets(game), opened.as_store());
    // The journal is read first, so that the secrets read afterwards include everything it commits
    // to.
    let journal = store.journal(game);
    let (known, last) = remembered(opened, game);
    let kept = match store.kept(game) {
        Ok(kept) => kept,
        Err(why) => {
            found.push(format!("its secrets cannot be read: {why}. {SECRETS}"));
            return found;
        }
    };
    match opened {
        HostStore::Files(_) => found.extend(open_to_others(&secrets)),
        HostStore::Postgres(store) => match store.missing_secrets(game) {
            Ok(0) => {}
            Ok(1) => found.push(format!("1 row of its secrets is missing. {SECRETS}")),
            Ok(lost) => found.push(format!("{lost} rows of its secrets are missing. {SECRETS}")),
            Err(why) => found.push(format!("its secrets cannot be counted: {why}. {SECRETS}")),
        },
    }
    let mended = |strange: &StrangeLine| format!("{}: {strange}{}", secrets.display(), mended(strange));
    found.extend(kept.strange.iter().map(mended));
    let players = Players::of(&kept.kept);
    for player in players.players.iter().filter(|player| player.by_mail()) {
        if !is_entered(opened, game, &player.address) {
            found.push(format!("the index lacks the address of seat {}; `postrider doctor --rebuild`", player.seat));
        }
    }
    let source = match journal {
        Ok(Some(source)) => source,
        Ok(None) => return found,
        Err(why) => {
            found.push(format!("its journal cannot be read: {why}. {JOURNAL}"));
            return found;
        }
    };
    let kept = GameSecrets::of(kept.kept);
    // The length of the journal when it was last written, as far as it is recorded anywhere.
    let told = kept.written.values().map(|written| written.n + 1).max();
    let lines = last.map(|status| status.lines).max(told);
    let damaged = kept.chains.iter().filter(|chain| !chain.is_whole());
    found.extend(damaged.map(|chain| {
        format!("its secrets are damaged: chain {} does not follow from its seed. {SECRETS}", chain.label())
    }));
    let watch = Watch { tell: true, digests: true, ..Watch::NONE };
    let status = match rebuild(&source, catalog, Some(kept.chains.clone()), None, watch) {
        Ok(live) => {
            found.extend(lacking(&live, &kept, &players, host, &secrets));
            GameStatus::of(&live, &players).map_err(|why| why.to_string())
        }
        Err(why @ ReplayFault::Incomplete { .. }) => {
            found.push(format!("{why}; the next command for this game, or `postrider tick`, cuts it off"));
            return found;
        }
        Err(why) => Err(why.to_string()),
    };
    found.extend(compared(game, status, known, lines));
    found
}

/// Compares the commitments in a game's first line with its secrets and the host's key.
fn lacking(live: &LiveGame, kept: &GameSecrets, players: &Players, host: &Host, secrets: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if own_key(host).is_some_and(|own| own != live.opened.key) {
        let key = host.service_secrets();
        found.push(format!("it was opened with another key than that of {}. {KEY}", key.display()));
    }
    for (label, tip) in &live.opened.chains {
        if !kept.chains.iter().any(|chain| chain.label() == label && chain.tip() == *tip) {
            found.push(format!("its secrets lack the chain {label} that its first line commits to. {SECRETS}"));
        }
        let roots: Vec<_> = kept.roots.iter().filter(|root| root.label() == label).collect();
        if roots.is_empty() && !kept.roots.is_empty() {
            found.push(format!(
                "its secrets lack the root of chain {label}, from which a rewind makes new chains. {SECRETS}"
            ));
        } else if !roots.is_empty() && !roots.iter().any(|root| root.is_whole(*tip)) {
            found.push(format!(
                "its secrets are damaged: the root of chain {label} does not lead to what its first line commits to. {SECRETS}"
            ));
        }
    }
    let seats = (0..).map(postrider_table::Seat).take(live.opened.seats.len());
    found.extend(seats.filter(|seat| players.player(*seat).is_none()).map(|seat| {
        format!(
            "its secrets do not say who sits at seat {seat}. A backup of {} from after that player came has the lines \
             `player` and `address` of the seat; nothing else has them",
            secrets.display()
        )
    }));
    found
}

/// Returns the problem with the file by which the machine's clock is checked.
fn clock(host: &Host) -> Option<String> {
    let path = host.root().join("mail").join("clock.json");
    let kept = fs_err::read(&path).ok()?;
    let shows = |kept: serde_json::Value| kept["at"].is_i64();
    let damaged = !serde_json::from_slice(&kept).is_ok_and(shows);
    let words = "is damaged, so no deadline passes; `postrider tick --clock-is-right` recreates it";
    damaged.then(|| format!("{} {words}", path.display()))
}

/// Returns the status in the index without the parts that do not follow from the journal: absences,
/// hours and declined invitations are in the secrets, and delay deadlines and what is due.
fn of_journal(known: &GameStatus, status: &GameStatus) -> GameStatus {
    let GameStatus { due, deadlines, declined, .. } = status.clone();
    GameStatus { due, deadlines, declined, ..known.clone() }
}

/// Compares a game's status by its journal with that in the index, and with the number of lines
/// that the journal once had.
fn compared(
    game: &str,
    status: Result<GameStatus, String>,
    known: Option<GameStatus>,
    lines: Option<u64>,
) -> Option<String> {
    match (status, known) {
        (Err(why), _) => Some(format!("it cannot be rebuilt from its journal: {why}. {JOURNAL}. {SECRETS}")),
        (Ok(status), _) if lines > Some(status.lines) => Some(format!(
            "its journal is older than the one that was worked on: it ends at line {}, and line {} was there before. A newer copy mends \
             that, from a backup or from a player. Where there is none the lines are lost, and `postrider recover {game}` goes on \
             from here",
            status.lines,
            lines.unwrap_or_default()
        )),
        (Ok(_), None) => Some("the index has no status of it; `postrider tick` updates it".to_owned()),
        (Ok(status), Some(known)) if status != of_journal(&known, &status) => {
            Some("the index says something else than its journal; `postrider doctor --rebuild`".to_owned())
        }
        (Ok(_), Some(_)) => None,
    }
}
