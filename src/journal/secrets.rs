//! What no journal may hold: seeds, keys and addresses, in a file that the operator alone can read.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::Value;

use postrider_dice::{ChainRoot, Hash, SeedChain};
use postrider_disk as disk;

/// A secret that this layer knows the shape of; anything else in the file belongs to whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Secret {
    /// The seed of the [signing key](super::ReceiptKey).
    Key {
        /// 32 bytes.
        seed: Hash,
    },
    /// A seed chain. There is one for each rewind, and perhaps one for the next: the journal says by its tip which is in use.
    Chain(SeedChain),
    /// What all chains of a label follow from. It never leaves this file.
    Root(ChainRoot),
    /// The mail address behind a seat.
    Address {
        /// The seat.
        seat: String,
        /// The address.
        address: String,
        /// The salt of its commitment.
        salt: Hash,
    },
}

/// `secrets/<game>.jsonl`: one JSON object a line, append-only, mode 0600. Whoever writes it holds the lock of the
/// game's [`super::JournalFile`], or the journal does not exist yet.
///
/// Every secret is appended, and with that synced, before the journal line that commits to it. So a torn last line
/// belongs to a commitment that was never made, and opening the file cuts it off.
#[derive(Debug)]
pub struct SecretsFile {
    file: File,
    path: PathBuf,
    poisoned: bool,
}

/// Why secrets could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum SecretsFault {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Others than the owner may read or write the file.
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
        /// The line, from 1.
        line: u64,
    },
    /// What should be appended is not a JSON object.
    #[error("a secret is a JSON object")]
    NotAnObject,
    /// A write or sync failed, now or earlier: the program must end.
    #[error("{}: a write failed and what is on disk is unknown; the program must end ({what})", path.display())]
    Fatal {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

impl SecretsFile {
    /// Makes a new file, readable by its owner alone.
    ///
    /// # Errors
    /// [`SecretsFault::Io`] when it exists already or cannot be made.
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

    /// Opens the file and cuts off a torn last line.
    ///
    /// # Errors
    /// [`SecretsFault::Io`]; [`SecretsFault::TooOpen`] when others than the owner may read it.
    pub fn open(path: impl AsRef<Path>) -> Result<SecretsFile, SecretsFault> {
        SecretsFile::open_known(path, None)
    }

    /// As [`SecretsFile::open`], for whoever had it before and knows its length in bytes: where it is still the same, nothing has to
    /// be made safe again.
    ///
    /// # Errors
    /// As [`SecretsFile::open`].
    pub fn open_known(path: impl AsRef<Path>, known: Option<u64>) -> Result<SecretsFile, SecretsFault> {
        let mut secrets = SecretsFile::open_as(path.as_ref())?;
        if known != Some(secrets.length()?) {
            secrets.cut_torn_line().map_err(|error| SecretsFault::Io { path: secrets.path.clone(), error })?;
        }
        Ok(secrets)
    }

    /// Opens it as it is.
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

    /// As [`SecretsFile::open`], for a file that got its name only when all in it was safe: nothing is made safe again.
    ///
    /// # Errors
    /// As [`SecretsFile::open`].
    pub fn open_safe(path: impl AsRef<Path>) -> Result<SecretsFile, SecretsFault> {
        SecretsFile::open_as(path.as_ref())
    }

    /// How many bytes it has.
    ///
    /// # Errors
    /// [`SecretsFault::Io`] when the system does not say.
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
        // Whoever wrote it may have ended before it was safe, and lines of the journal may soon commit to it.
        disk::sync_all(&self.file, &self.path)?;
        disk::sync_folder_of(&self.path)
    }

    /// Appends a JSON object and returns when it is safe on disk.
    ///
    /// # Errors
    /// [`SecretsFault::NotAnObject`]; [`SecretsFault::Fatal`] when the write or the sync failed, and ever after.
    pub fn append(&mut self, secret: &Value) -> Result<(), SecretsFault> {
        if !secret.is_object() {
            return Err(SecretsFault::NotAnObject);
        }
        let line = format!("{secret}\n");
        let fatal = |what: String| SecretsFault::Fatal { path: self.path.clone(), what };
        if self.poisoned {
            return Err(fatal("an earlier write failed".to_owned()));
        }
        let written = disk::append(&self.file, &self.path, line.as_bytes());
        if let Err(error) = written.and_then(|()| disk::sync_data(&self.file, &self.path)) {
            self.poisoned = true;
            return Err(fatal(error.to_string()));
        }
        Ok(())
    }

    /// Takes away the lines that are not to stay, by their places from 0, and returns when they are gone from the disk's files; says whether there were any.
    /// The file is written anew and takes the place of the old one.
    ///
    /// # Errors
    /// [`SecretsFault::Damaged`], [`SecretsFault::Io`]: nothing was changed then; [`SecretsFault::Fatal`] when nobody knows whether the
    /// new file stands.
    pub fn retain(&mut self, stays: impl Fn(usize) -> bool) -> Result<bool, SecretsFault> {
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

    /// Appends a secret of a known shape.
    ///
    /// # Errors
    /// As [`SecretsFile::append`].
    pub fn keep(&mut self, secret: &Secret) -> Result<(), SecretsFault> {
        self.append(&serde_json::to_value(secret).map_err(|_| SecretsFault::NotAnObject)?)
    }

    /// All objects in the order in which they were appended. Read those of known shape with
    /// `serde_json::from_value::<Secret>`.
    ///
    /// # Errors
    /// [`SecretsFault::Damaged`] when a line is not a JSON object; [`SecretsFault::Io`].
    pub fn read(&mut self) -> Result<Vec<Value>, SecretsFault> {
        let text = self.text()?;
        let object = |line: &str| serde_json::from_str(line).ok().filter(Value::is_object);
        let objects = text.lines().zip(1..).map(|(line, number)| object(line).ok_or(number));
        { objects }.collect::<Result<_, u64>>().map_err(|line| SecretsFault::Damaged { path: self.path.clone(), line })
    }

    /// The same as text, a line each. That each is a JSON object is for the reader to see.
    ///
    /// # Errors
    /// [`SecretsFault::Io`].
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
        file.append(&note).unwrap();
        assert!(matches!(file.append(&json!(3)), Err(SecretsFault::NotAnObject)));
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
        file.append(&json!({"note": {}})).unwrap();
        let whole = fs::read(&path).unwrap();
        (&file.file).write_all(b"{\"no").unwrap();
        let mut file = SecretsFile::open(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        file.append(&json!({"note": {}})).unwrap();
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
