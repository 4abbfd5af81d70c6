//! The index of a host's folder: a file for each game, and a folder for each address.
//!
//! `index/games/<game>.json` holds a game's status, with sizes and times of the two files from
//! which it was made; if these have changed, it is out of date. `index/addresses/<hash>/<game>` is
//! an empty file for each game in which an address has a seat. An address is entered before the
//! line that commits to it is written, so that no crash can lose it; superfluous entries do no
//! harm. A game without a file in `index/games` (from an earlier release, or copied here) is
//! entered from its secrets when it is first noticed. `index/whole` records that none is missing,
//! so that not every mail requires a look at all games.

use crate::{GameStatus, HOUR, Host, Kept, KeptLines, Mark, StoreError, contract::counts_again};
use fs_err as fs;
use postrider_dice::h;
use postrider_disk as disk;
use postrider_journal::Head;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The current release; rows made by another release are made again.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// The age below which a folder's change time cannot be trusted: clocks of file systems are coarse,
/// so the folder may change again without a new time.
const SAME_TIME: Duration = Duration::from_secs(2);

/// The index of a host.
#[derive(Clone, Debug)]
pub struct FileIndex {
    host: Host,
}

/// The content of a row's file.
#[derive(Serialize, Deserialize)]
struct Form {
    release: String,
    journal: Stamp,
    secrets: Stamp,
    status: Option<GameStatus>,
}

/// A file's size in bytes and its time of last change in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp(u64, u64);

impl Stamp {
    fn of(path: &Path) -> Result<Stamp, StoreError> {
        let about = fs::metadata(path)?;
        let since = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Stamp(about.len(), u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl FileIndex {
    pub fn new(host: Host) -> FileIndex {
        FileIndex { host }
    }

    fn root(&self) -> PathBuf {
        self.host.root().join("index")
    }

    fn row(&self, game: &str) -> PathBuf {
        self.root().join("games").join(format!("{game}.json"))
    }

    /// Returns the folder of an address. Its name does not reveal the address to those who do not
    /// know it.
    fn entries(&self, address: &str) -> PathBuf {
        let key = h("postrider/address/v1", &[&address.trim().to_ascii_lowercase()]);
        self.root().join("addresses").join(key.to_string())
    }

    /// Creates a folder that only its owner can read.
    fn make(&self, folder: &Path) -> Result<(), StoreError> {
        if folder.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(folder)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(self.root(), std::fs::Permissions::from_mode(0o700))?;
        }
        Ok(disk::sync_folder_of(folder)?)
    }

    /// Enters an address for a game; the entry is safely stored when this returns.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn enter(&self, game: &str, address: &str) -> Result<(), StoreError> {
        let folder = self.entries(address);
        let entry = folder.join(game);
        self.make(&folder)?;
        if !entry.try_exists()? {
            let mut options = OpenOptions::new();
            options.append(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            match disk::create(&entry, &mut options) {
                Err(why) if why.kind() != std::io::ErrorKind::AlreadyExists => return Err(why.into()),
                _ => {}
            }
        }
        Ok(disk::sync_folder(&folder)?)
    }

    /// Counts an answer to `whose`, see [`Mails::count_answer`](crate::Mails::count_answer).
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn count_answer(&self, whose: &str, now: i64, most: usize) -> Result<Option<i64>, StoreError> {
        let folder = self.root().join("answers");
        self.make(&folder)?;
        let path = folder.join(h("postrider/answers/v1", &[whose]).to_string());
        let before = fs::read_to_string(&path).unwrap_or_default();
        let recent = before.lines().filter_map(|line| line.parse::<i64>().ok()).filter(|time| *time > now - HOUR);
        let recent: Vec<i64> = recent.collect();
        if let Some(again) = counts_again(&recent, most) {
            return Ok(Some(again));
        }
        let times: Vec<String> = recent.into_iter().chain([now]).map(|time| time.to_string()).collect();
        disk::put_helper(&path, (times.join("\n") + "\n").as_bytes())?;
        Ok(None)
    }

    /// Returns `true` if an address is entered for a game.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn is_entered(&self, game: &str, address: &str) -> Result<bool, StoreError> {
        Ok(self.entries(address).join(game).try_exists()?)
    }

    /// Writes the row of a game; the caller must hold its lease.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] or [`StoreError::Json`].
    pub fn put(&self, game: &str, status: Option<&GameStatus>) -> Result<(), StoreError> {
        let (journal, secrets) = self.stamps(game)?;
        let path = self.row(game);
        let text =
            serde_json::to_vec(&Form { release: RELEASE.to_owned(), journal, secrets, status: status.cloned() })?;
        // Most commands that only answer a mail do not change the row.
        if fs::read(&path).is_ok_and(|before| before == text) {
            return Ok(());
        }
        self.make(path.parent().unwrap_or(&path))?;
        Ok(disk::put_helper(&path, &text)?)
    }

    fn stamps(&self, game: &str) -> Result<(Stamp, Stamp), StoreError> {
        Ok((Stamp::of(&self.host.journal(game))?, Stamp::of(&self.host.secrets(game))?))
    }

    /// Returns the row of a game if it is up to date.
    fn true_row(&self, game: &str) -> Option<Form> {
        let form: Form = serde_json::from_slice(&std::fs::read(self.row(game)).ok()?).ok()?;
        let now = self.stamps(game).ok()?;
        (form.release == RELEASE && (form.journal, form.secrets) == now).then_some(form)
    }

    /// Returns the status of a game if it is known and up to date. A damaged row counts as missing.
    pub fn status(&self, game: &str) -> Option<GameStatus> {
        self.true_row(game)?.status
    }

    /// Returns the mark of a game's last release if it is up to date: everything in its files is
    /// then safely stored. A damaged row counts as missing.
    pub fn mark(&self, game: &str) -> Option<Mark> {
        let Form { journal, secrets, status, .. } = self.true_row(game)?;
        let GameStatus { lines, head, .. } = status?;
        let head = Head { game: game.to_owned(), n: lines.checked_sub(1)?, hash: head? };
        Some(Mark { head: Some(head), journal: journal.0, secrets: secrets.0 })
    }

    /// Returns the status of a game at its last release, whether or not its files have changed
    /// since. A damaged row counts as missing.
    pub fn last(&self, game: &str) -> Option<GameStatus> {
        serde_json::from_slice::<Form>(&std::fs::read(self.row(game)).ok()?).ok()?.status
    }

    /// Returns the games that have a row, up to date or not.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn rows(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(names(&self.root().join("games"))?
            .iter()
            .filter_map(|name| name.strip_suffix(".json"))
            .map(str::to_owned)
            .collect())
    }

    /// Returns the games in which an address has a seat, sorted.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError> {
        self.enter_missing()?;
        let mut games = names(&self.entries(address))?;
        games.sort();
        Ok(games)
    }

    /// Returns the path of the file that records the change time of the journals' folder at which
    /// every game was entered. A new or removed game changes that time; an appended line does not.
    fn whole(&self) -> PathBuf {
        self.root().join("whole")
    }

    /// Enters the addresses of games that are not in the index.
    fn enter_missing(&self) -> Result<(), StoreError> {
        let changed = std::fs::metadata(self.host.journals()).and_then(|about| about.modified()).ok();
        let since = changed.map(|time| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string());
        if since.is_some() && std::fs::read_to_string(self.whole()).ok() == since {
            return Ok(());
        }
        let rows = self.rows()?;
        for name in names(&self.host.journals())? {
            let Some(game) = name.strip_suffix(".jsonl").filter(|game| !rows.contains(*game)) else { continue };
            let Ok(text) = fs::read_to_string(self.host.secrets(game)) else { continue };
            for kept in KeptLines::of_text(&text).kept {
                self.learn(game, &kept)?;
            }
            // The status of the game is found when it is next opened.
            let path = self.row(game);
            self.make(path.parent().unwrap_or(&path))?;
            disk::put_helper(&path, b"{}")?;
        }
        let settled = |time| SystemTime::now().duration_since(time).is_ok_and(|age| age >= SAME_TIME);
        match since.filter(|_| changed.is_some_and(settled)) {
            Some(since) if self.root().is_dir() => Ok(disk::put_helper(&self.whole(), since.as_bytes())?),
            _ => Ok(()),
        }
    }

    /// Enters the address in an item before the item is stored.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn learn(&self, game: &str, kept: &Kept) -> Result<(), StoreError> {
        match kept {
            Kept::Player(player) if player.by_mail() => self.enter(game, &player.address),
            Kept::AddressAsked(_, asked) => self.enter(game, &asked.address),
            Kept::Watcher(watcher) => self.enter(game, &watcher.address),
            _ => Ok(()),
        }
    }

    /// Removes the entry of an address for a game.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn leave(&self, game: &str, address: &str) -> Result<(), StoreError> {
        let folder = self.entries(address);
        match disk::remove(&folder.join(game)) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(why.into()),
            _ => {}
        }
        // Remove the folder of an address without games.
        if names(&folder)?.is_empty() && folder.is_dir() {
            fs::remove_dir(&folder)?;
        }
        Ok(())
    }

    /// Removes all rows and addresses.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn forget(&self) -> Result<(), StoreError> {
        match disk::remove(&self.whole()) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(why.into()),
            _ => {}
        }
        for folder in [self.root().join("games"), self.root().join("addresses")] {
            for name in names(&folder)? {
                let path = folder.join(name);
                if path.is_dir() {
                    for entry in names(&path)? {
                        disk::remove(&path.join(entry))?;
                    }
                } else {
                    disk::remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the names in a folder, without hidden ones; none if there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, StoreError> {
    let read = match fs::read_dir(folder) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let mut names = Vec::new();
    for file in read {
        names.extend(file?.file_name().into_string().ok().filter(|name| !name.starts_with('.')));
    }
    Ok(names)
}
