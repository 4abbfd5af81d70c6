//! Where the files of a host lie, and how a command finds a journal.

use super::CliError;
use crate::{
    dice::SeedChain,
    journal::is_game_id,
    replay::Catalog,
    store::{GameSecrets, KeptLines},
};
use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
};

/// A journal that a command was pointed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The journal.
    pub journal: PathBuf,
    /// The operator's secrets of the game, if it is one of this host; they need not exist.
    pub secrets: Option<PathBuf>,
}

/// The folder of a host, as far as commands that only read need it.
#[derive(Clone)]
pub struct Files {
    root: PathBuf,
    catalog: Catalog,
}

impl Files {
    /// The host's folder and the rules to read its games with.
    #[must_use]
    pub fn new(root: &Path, catalog: Catalog) -> Files {
        Files { root: root.to_owned(), catalog }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn journals(&self) -> PathBuf {
        self.root.join("journal")
    }

    /// Finds a journal by the path of its file or by the game's id.
    ///
    /// # Errors
    /// [`CliError::NoGame`] when there is neither.
    pub fn find(&self, what: &str) -> Result<Found, CliError> {
        let path = Path::new(what);
        if path.extension().is_some_and(|end| end == "jsonl") || path.is_file() {
            return match path.try_exists()? {
                true => Ok(Found { journal: path.to_owned(), secrets: None }),
                false => Err(CliError::NoGame { game: what.to_owned(), path: path.to_owned() }),
            };
        }
        let journal = self.journals().join(format!("{what}.jsonl"));
        if !is_game_id(what) || !journal.try_exists()? {
            return Err(CliError::NoGame { game: what.to_owned(), path: journal });
        }
        let secrets = self.root.join("secrets").join(format!("{what}.jsonl"));
        Ok(Found { journal, secrets: Some(secrets) })
    }

    /// The ids of all games of this host, sorted.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn games(&self) -> io::Result<Vec<String>> {
        let mut games = Vec::new();
        for name in names(&self.journals())? {
            games.extend(name.strip_suffix(".jsonl").filter(|id| is_game_id(id)).map(str::to_owned));
        }
        Ok(games)
    }

    /// The rules with the component files of this host.
    ///
    /// # Errors
    /// When a component file cannot be read.
    pub fn catalog(&self) -> io::Result<Catalog> {
        let folder = self.root.join("components");
        names(&folder)?
            .into_iter()
            .filter(|name| name.ends_with(".toml"))
            .try_fold(self.catalog.clone().with_folder(self.journals()), |catalog, name| {
                Ok(catalog.with_components(fs::read_to_string(folder.join(name))?))
            })
    }

    /// The same for looking at this journal: the parent of a fork is looked for beside it too.
    ///
    /// # Errors
    /// When a component file cannot be read.
    pub fn shelf_for(&self, found: &Found) -> io::Result<Catalog> {
        Ok(self.catalog()?.with_folder(found.journal.parent().unwrap_or(Path::new(""))))
    }
}

/// The names of the files in a folder, sorted; none if there is no such folder.
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
    /// What the operator keeps beside the journal; nothing for whoever cannot read it.
    #[must_use]
    pub fn kept(&self) -> KeptLines {
        KeptLines::of_text(&self.secrets_text().unwrap_or_default())
    }

    fn secrets_text(&self) -> Option<String> {
        fs::read_to_string(self.secrets.as_ref()?).ok()
    }

    /// The operator's seed chains; `None` for whoever cannot read them. The file is only read: a torn last line belongs to
    /// whoever is writing it.
    #[must_use]
    pub fn chains(&self) -> Option<Vec<SeedChain>> {
        let text = self.secrets_text()?;
        Some(GameSecrets::of(KeptLines::of_text(&text).kept).chains)
    }
}
