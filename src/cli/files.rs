//! The files of a host, and the lookup of journals.

use super::{CliError, working::full_id};
use fs_err as fs;
use postrider_dice::SeedChain;
use postrider_journal::{MAX_LINE, can_be_journal, is_game_id};
use postrider_orders::visible;
use postrider_replay::Catalog;
use postrider_store::{GameSecrets, Host, HostStore, KeptLines, is_host, read_components};
use std::{
    cell::OnceCell,
    io::{self, Read as _},
    path::{Path, PathBuf},
    rc::Rc,
};
use tempfile::TempDir;

/// A journal that a command reads.
#[derive(Clone, Debug)]
pub struct Found {
    /// The journal. If it is stored in a database, this is a copy that exists as long as the
    /// [`Files`].
    pub journal: PathBuf,
    /// The operator's secrets of the game, if the game belongs to this host.
    pub secrets: Option<Secrets>,
}

/// The operator's secrets of a game.
#[derive(Clone, Debug)]
pub enum Secrets {
    /// A file, which may not exist.
    File(PathBuf),
    /// Secrets read from a database.
    Read(KeptLines),
}

/// The folder of a host, as used by commands that only read.
#[derive(Clone)]
pub struct Files {
    root: PathBuf,
    catalog: Catalog,
    /// The database with this host's games, opened when first needed.
    database: Rc<OnceCell<Database>>,
}

/// A database, and a folder for copies of its journals.
struct Database {
    store: HostStore,
    copies: TempDir,
}

impl Files {
    /// Creates it from the host's folder and the rules for its games.
    #[must_use]
    pub fn new(root: &Path, catalog: Catalog) -> Files {
        Files { root: root.to_owned(), catalog, database: Rc::default() }
    }

    /// Returns the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the store of this host's settings, if it is a database.
    fn database(&self) -> Result<Option<&Database>, CliError> {
        // Invalid settings must not prevent reading files.
        let Some(host) = Host::look(&self.root).ok().filter(|host| !host.keeps_files()) else { return Ok(None) };
        if let Some(database) = self.database.get() {
            return Ok(Some(database));
        }
        let opened = Database { store: HostStore::open(&host)?, copies: tempfile::tempdir()? };
        Ok(Some(self.database.get_or_init(|| opened)))
    }

    /// Returns the store of this host.
    ///
    /// # Errors
    ///
    /// Returns an error if a database cannot be opened.
    pub(super) fn store(&self, host: &Host) -> Result<HostStore, CliError> {
        Ok(match self.database()? {
            Some(database) => database.store.clone(),
            None => HostStore::open(host)?,
        })
    }

    /// Finds a game in the database and copies its journal.
    fn copied(&self, database: &Database, game: &str) -> Result<Option<Found>, CliError> {
        let store = database.store.as_store();
        let Some(source) = store.journal(game)? else { return Ok(None) };
        let journal = database.copies.path().join(format!("{game}.jsonl"));
        fs::write(&journal, &source.bytes()?)?;
        Ok(Some(Found { journal, secrets: Some(Secrets::Read(store.kept(game)?)) }))
    }

    fn journals(&self) -> PathBuf {
        self.root.join("journal")
    }

    /// Finds a journal by the path of its file, or by the game's id or the beginning of it.
    ///
    /// # Errors
    ///
    /// Returns [`CliError::NoGame`] if there is neither, [`CliError::NoJournal`] if the file is not
    /// a journal, and `StoreError::NoHost` if a game is looked up in a folder that does not
    /// belong to a host.
    pub fn find(&self, what: &str) -> Result<Found, CliError> {
        let path = Path::new(what);
        if path.extension().is_some_and(|end| end == "jsonl") || path.is_file() {
            return match path.try_exists()? {
                true => {
                    journal_at(path)?;
                    Ok(Found { journal: path.to_owned(), secrets: None })
                }
                false => Err(CliError::NoGame { game: what.to_owned(), path: path.to_owned(), like: Vec::new() }),
            };
        }
        is_host(&self.root)?;
        if let Some(database) = self.database()? {
            let exact = if is_game_id(what) { self.copied(database, what)? } else { None };
            if let Some(found) = exact {
                return Ok(found);
            }
            let place = PathBuf::from(format!("{what} in the database"));
            let none = |like| CliError::NoGame { game: what.to_owned(), path: place.clone(), like };
            let game = full_id(what, &database.store.as_store().games()?).map_err(none)?;
            return self.copied(database, &game)?.ok_or_else(|| none(Vec::new()));
        }
        let place = |game: &str| self.journals().join(format!("{game}.jsonl"));
        let none = |like| CliError::NoGame { game: what.to_owned(), path: place(what), like };
        let exact = is_game_id(what) && place(what).try_exists()?;
        let game = if exact { what.to_owned() } else { full_id(what, &self.games()?).map_err(none)? };
        let journal = place(&game);
        journal_at(&journal)?;
        let secrets = self.root.join("secrets").join(format!("{game}.jsonl"));
        Ok(Found { journal, secrets: Some(Secrets::File(secrets)) })
    }

    /// Returns the sorted ids of all games of this host.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read.
    pub fn games(&self) -> io::Result<Vec<String>> {
        let mut games = Vec::new();
        for name in names(&self.journals())? {
            games.extend(name.strip_suffix(".jsonl").filter(|id| is_game_id(id)).map(str::to_owned));
        }
        Ok(games)
    }

    /// Returns the rules with the component files of this host.
    ///
    /// # Errors
    ///
    /// Returns an error if a component file cannot be read.
    pub fn catalog(&self) -> io::Result<Catalog> {
        let shelf = match self.database() {
            Ok(Some(database)) => database.store.shelf(self.catalog.clone()),
            Ok(None) => self.catalog.clone(),
            Err(why) => return Err(io::Error::other(why.to_string())),
        };
        let folder = self.root.join("components");
        names(&folder)?
            .into_iter()
            .filter(|name| name.ends_with(".toml"))
            .try_fold(shelf.with_folder(self.journals()), |catalog, name| {
                Ok(catalog.with_components(read_components(&folder.join(name))?))
            })
    }

    /// Returns the rules for reading this journal; the parent of a fork is also looked up in the
    /// journal's folder.
    ///
    /// # Errors
    ///
    /// Returns an error if a component file cannot be read.
    pub fn shelf_for(&self, found: &Found) -> io::Result<Catalog> {
        Ok(self.catalog()?.with_folder(found.journal.parent().unwrap_or(Path::new(""))))
    }
}

/// Number of characters quoted from a file that is not a journal.
const SHOWN: usize = 40;

/// Checks that a file is a journal, possibly a damaged one.
///
/// # Errors
///
/// Returns [`CliError::NoJournal`] with a description of the file if it is not.
pub(super) fn journal_at(path: &Path) -> Result<(), CliError> {
    let none = |what: String| Err(CliError::NoJournal { path: path.to_owned(), what });
    if path.is_dir() {
        return none("it is a folder".to_owned());
    }
    let mut begin = Vec::new();
    fs::File::open(path)?.take(MAX_LINE as u64).read_to_end(&mut begin)?;
    if can_be_journal(&begin) {
        return Ok(());
    }
    if begin.is_empty() {
        return none("it is empty".to_owned());
    }
    let line = begin.split(|&byte| byte == b'\n' || byte == b'\r').next().unwrap_or_default();
    let text: String = String::from_utf8_lossy(line).chars().take(SHOWN).collect();
    none(format!("it begins with \"{}\"", visible(&text)))
}

/// Returns the sorted names of the files in a folder; empty if the folder does not exist.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    if !folder.try_exists()? {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for file in fs::read_dir(folder)? {
        names.extend(file?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

impl Found {
    /// Returns the operator's secrets; empty if they cannot be read.
    #[must_use]
    pub fn kept(&self) -> KeptLines {
        self.read().unwrap_or_default()
    }

    fn read(&self) -> Option<KeptLines> {
        match self.secrets.as_ref()? {
            Secrets::File(path) => Some(KeptLines::of_text(&fs::read_to_string(path).ok()?)),
            Secrets::Read(kept) => Some(kept.clone()),
        }
    }

    /// Returns the operator's seed chains; `None` if they cannot be read. The file is only read: a
    /// torn last line belongs to the process that is writing it.
    #[must_use]
    pub fn chains(&self) -> Option<Vec<SeedChain>> {
        Some(GameSecrets::of(self.read()?.kept).chains)
    }
}
