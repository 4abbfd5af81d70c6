//! The secrets of a game (seeds, keys and addresses), in a file that only the operator can read.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::Value;

use postrider_dice::{ChainRoot, Hash, SeedChain};
use postrider_disk as disk;

/// A secret whose format this crate defines. The file may contain other objects, defined by their
/// writers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Secret {
    /// The seed of the [signing key](super::ReceiptKey).
    Key {
        /// 32 secret bytes.
        seed: Hash,
    },
    /// A seed chain. There is one for each rewind, and possibly one for the next rewind. The tip in
    /// the journal identifies the one in use.
    Chain(SeedChain),
    /// The secret from which all chains of a label follow. It never leaves this file.
    Root(ChainRoot),
    /// The mail address of a seat.
    Address {
        /// The seat.
        seat: String,
        /// The address.
        address: String,
        /// The salt of its commitment.
        salt: Hash,
    },
}

/// The file `secrets/<game>.jsonl`: one JSON object per line, append-only, mode 0600. Its writer
/// must hold the lock of the game's [`super::JournalFile`], unless the journal does not exist yet.
///
/// Each secret is appended and synced before the journal line that commits to it. A torn last line
/// therefore belongs to a commitment that was never made, and is removed when the file is opened.
#[derive(Debug)]
pub struct SecretsFile {
    file: File,
    path: PathBuf,
    poisoned: bool,
}

/// An error of storing or reading secrets.
#[derive(Debug, thiserror::Error)]
pub enum SecretsFault {
    /// A system call failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is accessible to others than its owner.
    #[error("{} can be read by others (mode {mode:o}); make it 0600 and ask who may have read it", path.display())]
    TooOpen {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A line is not a JSON object.
    #[error("{}: line {line} is not a JSON object", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
    },
    /// The value to append is not a JSON object.
    #[error("a secret is a JSON object")]
    NotAnObject,
    /// A write or sync failed, now or earlier. The program must end.
    #[error("{}: a write failed, so the contents on disk are unknown; the program must end ({what})", path.display())]
    Fatal {
        /// The file.
        path: PathBuf,
        /// The system's error.
        what: String,
    },
}

impl SecretsFile {
    /// Creates a file that only its owner can read.
    ///
    /// # Errors
    /// [`SecretsFault::Io`] if it already exists or cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<SecretsFile, SecretsFault> {
        let path = path.as_ref();
        let made = || -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.read(true).append(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = disk::create(path, &mut options)?;
            disk::sync_all(&file, path)?;
            disk::sync_folder_of(path)?;
            Ok(file)
        };
        let file = made().map_err(|error| SecretsFault::Io { path: path.to_owned(), error })?;
        Ok(SecretsFile { file, path: path.to_owned(), poisoned: false })
    }

    /// Opens the file, removes a torn last line, and syncs it.
    ///
    /// # Errors
    /// [`SecretsFault::Io`], or [`SecretsFault::TooOpen`] if the file is accessible to others than
    /// its owner.
    pub fn open(path: impl AsRef<Path>) -> Result<SecretsFile, SecretsFault> {
        SecretsFile::open_known(path, None)
    }

    /// Opens the file like [`SecretsFile::open`]. If it still has the length `known` from an
    /// earlier use, in bytes, it is neither checked for a torn line nor synced.
    ///
    /// # Errors
    /// Like [`SecretsFile::open`].
    pub fn open_known(path: impl AsRef<Path>, known: Option<u64>) -> Result<SecretsFile, SecretsFault> {
        let mut secrets = SecretsFile::open_as(path.as_ref())?;
        if known != Some(secrets.length()?) {
            secrets.cut_torn_line().map_err(|error| SecretsFault::Io { path: secrets.path.clone(), error })?;
        }
        Ok(secrets)
    }

    /// Opens the file without repairing or syncing it.
    fn open_as(path: &Path) -> Result<SecretsFile, SecretsFault> {
        let fault = |error| SecretsFault::Io { path: path.to_owned(), error };
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(fault)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = file.metadata().map_err(fault)?.permissions().mode() & 0o777;
            if mode & 0o077 != 0 {
                return Err(SecretsFault::TooOpen { path: path.to_owned(), mode });
            }
        }
        Ok(SecretsFile { file, path: path.to_owned(), poisoned: false })
    }

    /// Opens a file that got its name only after its contents were synced. It is neither checked
    /// for a torn line nor synced.
    ///
    /// # Errors
    /// Like [`SecretsFile::open`].
    pub fn open_safe(path: impl AsRef<Path>) -> Result<SecretsFile, SecretsFault> {
        SecretsFile::open_as(path.as_ref())
    }

    /// Returns the length in bytes.
    ///
    /// # Errors
    /// [`SecretsFault::Io`] if the system cannot report it.
    pub fn length(&self) -> Result<u64, SecretsFault> {
        let length = self.file.metadata().map(|about| about.len());
        length.map_err(|error| SecretsFault::Io { path: self.path.clone(), error })
    }

    fn cut_torn_line(&mut self) -> io::Result<()> {
        let (mut whole, mut all) = (0, 0);
        let mut line = Vec::new();
        self.file.rewind()?;
        let mut reader = BufReader::new(&self.file);
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            all += length;
            match line.last() {
                Some(b'\n') => whole = all,
                _ => break,
            }
        }
        if whole < all {
            disk::cut(&self.file, &self.path, whole)?;
        }
        // Its writer may have ended before it was synced, and lines of the journal may soon commit
        // to it.
        disk::sync_all(&self.file, &self.path)?;
        disk::sync_folder_of(&self.path)
    }

    /// Appends JSON objects in one write. They are durable when this returns.
    ///
    /// # Errors
    /// [`SecretsFault::NotAnObject`], or [`SecretsFault::Fatal`] if a write or sync failed, now or
    /// earlier.
    pub fn append(&mut self, secrets: &[Value]) -> Result<(), SecretsFault> {
        if !secrets.iter().all(Value::is_object) {
            return Err(SecretsFault::NotAnObject);
        }
        let lines: String = secrets.iter().map(|secret| format!("{secret}\n")).collect();
        let fatal = |what: String| SecretsFault::Fatal { path: self.path.clone(), what };
        if self.poisoned {
            return Err(fatal("an earlier write failed".to_owned()));
        }
        let written = disk::append(&self.file, &self.path, lines.as_bytes());
        if let Err(error) = written.and_then(|()| disk::sync_data(&self.file, &self.path)) {
            self.poisoned = true;
            return Err(fatal(error.to_string()));
        }
        Ok(())
    }

    /// Removes the lines for whose index, counted from 0, `stays` returns `false`. Returns `true`
    /// if there were any. They are gone from the disk's files when this returns, because the file
    /// is rewritten and replaced.
    ///
    /// # Errors
    /// [`SecretsFault::Damaged`] and [`SecretsFault::Io`] if nothing was changed,
    /// [`SecretsFault::Fatal`] if it is unknown whether the file was replaced.
    pub fn retain(&mut self, stays: impl Fn(usize) -> bool) -> Result<bool, SecretsFault> {
        if self.poisoned {
            return Err(SecretsFault::Fatal { path: self.path.clone(), what: "an earlier write failed".to_owned() });
        }
        let before = self.text()?;
        for (line, number) in before.lines().zip(1..) {
            if !line.trim_start().starts_with('{') || serde_json::from_str::<IgnoredAny>(line).is_err() {
                return Err(SecretsFault::Damaged { path: self.path.clone(), line: number });
            }
        }
        let text: String =
            { before.lines().enumerate() }.filter(|(at, _)| stays(*at)).flat_map(|(_, line)| [line, "\n"]).collect();
        if text.len() == before.len() {
            return Ok(false);
        }
        let anew = disk::put(&self.path, text.as_bytes())
            .and_then(|()| OpenOptions::new().read(true).append(true).open(&self.path));
        match anew {
            Ok(file) => self.file = file,
            Err(error) => {
                self.poisoned = true;
                return Err(SecretsFault::Fatal { path: self.path.clone(), what: error.to_string() });
            }
        }
        Ok(true)
    }

    /// Appends a secret.
    ///
    /// # Errors
    /// Like [`SecretsFile::append`].
    pub fn keep(&mut self, secret: &Secret) -> Result<(), SecretsFault> {
        self.append(&[serde_json::to_value(secret).map_err(|_| SecretsFault::NotAnObject)?])
    }

    /// Returns all objects in the order in which they were appended. Parse secrets with
    /// `serde_json::from_value::<Secret>`.
    ///
    /// # Errors
    /// [`SecretsFault::Damaged`] if a line is not a JSON object, or [`SecretsFault::Io`].
    pub fn read(&mut self) -> Result<Vec<Value>, SecretsFault> {
        let text = self.text()?;
        let object = |line: &str| serde_json::from_str(line).ok().filter(Value::is_object);
        let objects = text.lines().zip(1..).map(|(line, number)| object(line).ok_or(number));
        { objects }.collect::<Result<_, u64>>().map_err(|line| SecretsFault::Damaged { path: self.path.clone(), line })
    }

    /// Returns the text of the file, one object per line. The lines are not checked.
    ///
    /// # Errors
    /// [`SecretsFault::Io`] if the file cannot be read.
    pub fn text(&mut self) -> Result<String, SecretsFault> {
        let mut text = String::new();
        let read = (&self.file).rewind().and_then(|()| (&self.file).read_to_string(&mut text));
        read.map_err(|error| SecretsFault::Io { path: self.path.clone(), error })?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use serde_json::json;

    use super::*;

    fn all() -> Vec<Secret> {
        vec![
            Secret::Key { seed: Hash([1; 32]) },
            Secret::Chain(SeedChain::new("deck:events", 256, Hash([2; 32]))),
            Secret::Root(ChainRoot::new("dice", Hash([4; 32])).unwrap()),
            Secret::Address { seat: "red".into(), address: "ann@example.org".into(), salt: Hash([3; 32]) },
        ]
    }

    #[test]
    fn secrets_come_back_as_they_were_kept_and_notes_between_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let mut file = SecretsFile::create(&path).unwrap();
        for secret in &all() {
            file.keep(secret).unwrap();
        }
        let note = json!({"note": {"token": "two\nlines"}});
        file.append(std::slice::from_ref(&note)).unwrap();
        assert!(matches!(file.append(&[json!({}), json!(3)]), Err(SecretsFault::NotAnObject)));
        drop(file);

        let mut values = SecretsFile::open(&path).unwrap().read().unwrap();
        assert_eq!(values.pop(), Some(note));
        let read: Vec<Secret> = values.into_iter().map(|value| serde_json::from_value(value).unwrap()).collect();
        assert_eq!(read, all());
    }

    #[test]
    fn a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        let mut file = SecretsFile::create(&path).unwrap();
        file.append(&[json!({"note": {}})]).unwrap();
        let whole = fs::read(&path).unwrap();
        (&file.file).write_all(b"{\"no").unwrap();
        let mut file = SecretsFile::open(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        file.append(&[json!({"note": {}})]).unwrap();
        assert_eq!(file.read().unwrap().len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_them() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my-game.jsonl");
        SecretsFile::create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(SecretsFile::open(&path), Err(SecretsFault::TooOpen { mode: 0o640, .. })));
    }
}
