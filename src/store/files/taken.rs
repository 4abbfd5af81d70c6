//! Mails as they came in: `mail/taken/<game>/<hash>.eml`, readable by the host alone. Their time of
//! last change is the time at which they were taken in.
//!
//! They are the host's own proof of who gave which order: the journal names their hashes, and they
//! contain the signatures (DKIM) of the mail servers that they passed.

use crate::{DAY, Host, StoreError, TakenMail};
use fs_err as fs;
use postrider_dice::{Hash, sha256};
use postrider_disk as disk;
use postrider_journal::is_game_id;
use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

/// The suffix of their names.
const EML: &str = ".eml";

pub fn path(host: &Host, game: &str, mail: &Hash) -> PathBuf {
    host.taken().join(game).join(format!("{mail}{EML}"))
}

pub fn keep(host: &Host, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError> {
    let path = path(host, game, &sha256(raw));
    if !is_game_id(game) || path.try_exists()? {
        return Ok(false);
    }
    let folder = host.taken().join(game);
    if !folder.is_dir() {
        fs::create_dir_all(&folder)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(host.taken(), std::fs::Permissions::from_mode(0o700))?;
        }
    }
    disk::put_helper(&path, raw)?;
    let at = UNIX_EPOCH + Duration::from_secs(u64::try_from(at).unwrap_or_default());
    fs::File::options().append(true).open(&path)?.file().set_modified(at)?;
    Ok(true)
}

pub fn games(host: &Host) -> Result<Vec<String>, StoreError> {
    let mut games = names(&host.taken())?;
    games.retain(|name| is_game_id(name));
    games.sort();
    Ok(games)
}

pub fn of_game(host: &Host, game: &str) -> Result<Vec<TakenMail>, StoreError> {
    let folder = host.taken().join(game);
    let mut all = Vec::new();
    for name in names(&folder)? {
        let Some(hash) = name.strip_suffix(EML).and_then(|hash| hash.parse().ok()) else { continue };
        let changed = match fs::metadata(folder.join(&name)) {
            // Another process has removed it.
            Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
            about => about?.modified()?,
        };
        let since = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
        all.push(TakenMail { hash, at: i64::try_from(since.as_secs()).unwrap_or(i64::MAX) });
    }
    all.sort_by_key(|mail| mail.hash);
    Ok(all)
}

pub fn read(host: &Host, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path(host, game, mail)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        raw => Ok(Some(raw?)),
    }
}

pub fn forget(host: &Host, game: &str, mail: &Hash) -> Result<(), StoreError> {
    match disk::remove(&path(host, game, mail)) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
        _ => Ok(()),
    }
}

pub fn sweep_due(host: &Host, now: i64) -> Result<bool, StoreError> {
    let swept = host.taken().join(".swept");
    if !host.taken().is_dir() {
        return Ok(false);
    }
    let last = fs::read_to_string(&swept).ok().and_then(|text| text.trim().parse::<i64>().ok());
    // A clock that was wrong once must not delay the search for years.
    if last.is_some_and(|last| (0..DAY).contains(&(now - last))) {
        return Ok(false);
    }
    disk::put_helper(&swept, format!("{now}\n").as_bytes())?;
    Ok(true)
}

/// Returns the names in a folder, without hidden ones; none if there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, StoreError> {
    let read = match fs::read_dir(folder) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let mut names = Vec::new();
    for file in read {
        names.extend(file?.file_name().into_string().ok().filter(|name| !name.starts_with('.')));
    }
    Ok(names)
}
