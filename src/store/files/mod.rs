//! Games stored as files in a host's folder: one journal and one file of secrets per game, and
//! mails in Maildirs.

pub mod backup;
pub mod index;
mod lease;
mod taken;

use self::{index::FileIndex, lease::FileLease};
use super::{
    Games, HandedOver, Host, Index, KeptLines, Lease, Listed, MailFolder, Mails, Mark, OutboxRow, StoreError,
    TakenMail, Undelivered,
};
use fs_err as fs;
use postrider_dice::{Hash, sha256};
use postrider_disk as disk;
use postrider_journal::{Head, Line, is_game_id};
use postrider_mail::{Composed, MAX_MESSAGE_BYTES};
use postrider_mailbox::{Delivery, MaildirEntry, MaildirFault};
use postrider_replay::Source;
use std::{
    collections::BTreeSet,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

/// The suffix of the file that gives the reason why a letter did not arrive or a mail could not be
/// handled.
const WHY: &str = ".why";

/// The folders that contain letters.
const LETTERS: [MailFolder; 3] = [MailFolder::Out, MailFolder::Sent, MailFolder::Refused];

/// The store in a host's folder. A game's lease is the lock of its journal.
#[derive(Clone, Debug)]
pub struct FileStore {
    host: Host,
    index: FileIndex,
}

impl FileStore {
    /// Returns the store of this folder. Creates and changes nothing yet.
    #[must_use]
    pub fn new(host: &Host) -> FileStore {
        FileStore { host: host.clone(), index: FileIndex::new(host.clone()) }
    }

    /// Checks that a game's secrets are here, too.
    fn has_secrets(&self, game: &str) -> Result<(), StoreError> {
        match self.host.secrets(game).try_exists()? {
            true => Ok(()),
            false => Err(StoreError::NoSecrets { game: game.to_owned() }),
        }
    }

    /// Records next to a letter why it did not arrive.
    fn note(&self, unique: &str, why: &str) -> Result<(), StoreError> {
        let folder = self.host.mail(MailFolder::Refused)?;
        Ok(disk::put_helper(&folder.root().join(format!("{unique}{WHY}")), format!("{why}\n").as_bytes())?)
    }

    /// Returns the recorded reasons in a folder.
    fn noted(&self, folder: MailFolder) -> Result<Vec<Undelivered>, StoreError> {
        let mut all = Vec::new();
        for file in fs::read_dir(self.host.mail(folder)?.root())? {
            let file = file?;
            let Some(unique) = file.file_name().to_str().and_then(|name| name.strip_suffix(WHY)).map(str::to_owned)
            else {
                continue;
            };
            match fs::read_to_string(file.path()) {
                Ok(why) => all.push(Undelivered { unique, why: why.trim_end().to_owned() }),
                // The failure was cleared meanwhile.
                Err(why) if why.kind() == io::ErrorKind::NotFound => {}
                Err(why) => return Err(why.into()),
            }
        }
        all.sort_by(|one, other| one.unique.cmp(&other.unique));
        Ok(all)
    }

    /// Removes a file, if it is there.
    fn remove(&self, path: &Path) -> Result<(), StoreError> {
        match disk::remove(path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
            _ => Ok(()),
        }
    }

    /// Returns the index, for comparison with its sources.
    pub fn index(&self) -> &FileIndex {
        &self.index
    }

    /// Returns the length of a journal up to its last newline, and its last whole line.
    fn end_of(&self, game: &str) -> Result<(u64, Option<Head>), StoreError> {
        let path = self.host.journal(game);
        let mut file = fs::File::open(&path)?;
        let length = file.metadata()?.len();
        let from = length.saturating_sub(2 * postrider_journal::MAX_LINE as u64);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::with_capacity(2 * postrider_journal::MAX_LINE);
        file.take(length - from).read_to_end(&mut tail)?;
        let whole = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let length = length - (tail.len() - whole) as u64;
        let last = tail[..whole].strip_suffix(b"\n").and_then(|lines| lines.rsplit(|&byte| byte == b'\n').next());
        let head = last.and_then(|text| Line::parse(text).ok());
        Ok((length, head.map(|line| Head { game: game.to_owned(), n: line.n, hash: line.hash })))
    }
}

impl Games for FileStore {
    fn games(&self) -> Result<Vec<String>, StoreError> {
        self.host.games()
    }

    fn journal(&self, game: &str) -> Result<Option<Source>, StoreError> {
        let path = self.host.journal(game);
        if !is_game_id(game) || !path.try_exists()? {
            return Ok(None);
        }
        let (whole, _) = self.end_of(game)?;
        if whole == fs::metadata(&path)?.len() {
            return Ok(Some(Source::from(path.as_path())));
        }
        let mut bytes = Vec::new();
        fs::File::open(&path)?.take(whole).read_to_end(&mut bytes)?;
        Ok(Some(Source::from(bytes.as_slice())))
    }

    fn kept(&self, game: &str) -> Result<KeptLines, StoreError> {
        self.has_secrets(game)?;
        Ok(KeptLines::of_text(&fs::read_to_string(self.host.secrets(game))?))
    }

    fn mark(&self, game: &str) -> Result<Mark, StoreError> {
        self.has_secrets(game)?;
        let (journal, head) = self.end_of(game)?;
        Ok(Mark { head, journal, secrets: fs::metadata(self.host.secrets(game))?.len() })
    }

    fn create(&self, game: &str) -> Result<Box<dyn Lease>, StoreError> {
        self.host.make_folders()?;
        Ok(Box::new(FileLease::create(&self.host, &self.index, game)?))
    }

    fn lease(&self, game: &str, known: Option<&Mark>) -> Result<Option<Box<dyn Lease>>, StoreError> {
        if !is_game_id(game) || !self.host.journal(game).try_exists()? {
            return Ok(None);
        }
        // A program that ended while creating a game leaves just an empty journal.
        if !self.host.secrets(game).try_exists()? && fs::metadata(self.host.journal(game))?.len() == 0 {
            return Ok(None);
        }
        self.has_secrets(game)?;
        // Another process may have released it in its current state.
        let known = known.cloned().or_else(|| self.index.mark(game));
        Ok(Some(Box::new(FileLease::open(&self.host, &self.index, game, known.as_ref())?)))
    }
}

impl Index for FileStore {
    fn listed(&self) -> Result<Vec<Listed>, StoreError> {
        let games = self.host.games()?.into_iter();
        Ok(games.map(|game| Listed { status: self.index.status(&game), game }).collect())
    }

    fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError> {
        self.index.games_of(address)
    }

    fn remembered(&self, game: &str) -> Result<Option<(u64, Hash)>, StoreError> {
        Ok(self.index.last(game).and_then(|status| Some((status.lines.checked_sub(1)?, status.head?))))
    }

    fn leave(&self, game: &str, address: &str) -> Result<(), StoreError> {
        self.index.leave(game, address)
    }

    fn forget(&self) -> Result<(), StoreError> {
        self.index.forget()
    }
}

impl Mails for FileStore {
    fn hand_over(&self, take: &mut dyn FnMut(&OutboxRow) -> HandedOver) -> Result<(), StoreError> {
        let (out, sent) = (self.host.mail(MailFolder::Out)?, self.host.mail(MailFolder::Sent)?);
        let refused = self.host.mail(MailFolder::Refused)?;
        let _sending = self.host.lock_outbox()?;
        for folder in [&sent, &refused, &out] {
            folder.settle()?;
        }
        for entry in out.list()? {
            let to = match sent.find(&entry.unique)? {
                // A program that ended between two steps may have left both copies.
                Some(_) => &sent,
                None => {
                    let unique = entry.unique.clone();
                    let handed_over = match Composed::of_file(&fs::read(&entry.path)?) {
                        Some(mail) => take(&OutboxRow { unique, mail }),
                        None => HandedOver::Never("no envelope stands in front of it".to_owned()),
                    };
                    match handed_over {
                        HandedOver::Taken => &sent,
                        HandedOver::Never(why) => {
                            self.note(&entry.unique, &why)?;
                            &refused
                        }
                        HandedOver::Later => continue,
                        HandedOver::Stop => return Ok(()),
                    }
                }
            };
            out.move_to(&entry.unique, to)?;
        }
        Ok(())
    }

    fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError> {
        self.noted(MailFolder::Refused)
    }

    fn came_back(&self, begins: &str, why: &str) -> Result<Option<String>, StoreError> {
        let (sent, refused) = (self.host.mail(MailFolder::Sent)?, self.host.mail(MailFolder::Refused)?);
        let found = sent.list()?.into_iter().filter(|entry| entry.unique.starts_with(begins));
        let written = |entry: &MaildirEntry| fs::metadata(&entry.path).and_then(|about| about.modified()).ok();
        let Some(MaildirEntry { unique, .. }) = found.max_by_key(written) else { return Ok(None) };
        self.note(&unique, why)?;
        sent.move_to(&unique, &refused)?;
        Ok(Some(unique))
    }

    fn forgive(&self, begins: &str) -> Result<(), StoreError> {
        let refused = self.host.mail(MailFolder::Refused)?;
        for Undelivered { unique, .. } in self.undelivered()? {
            if unique.starts_with(begins) {
                disk::remove(&refused.root().join(unique + WHY))?;
            }
        }
        Ok(())
    }

    fn waiting(&self) -> Result<Vec<String>, StoreError> {
        let out = self.host.mail(MailFolder::Out)?;
        Ok(out.list()?.into_iter().map(|entry| entry.unique).collect())
    }

    fn letter(&self, unique: &str) -> Result<Option<Vec<u8>>, StoreError> {
        for folder in LETTERS {
            let Some(entry) = self.host.mail(folder)?.find(unique)? else { continue };
            match fs::read(&entry.path) {
                Ok(raw) => return Ok(Some(Composed::of_file(&raw).map_or(raw, |mail| mail.raw))),
                // It was handed over meanwhile.
                Err(why) if why.kind() == io::ErrorKind::NotFound => {}
                Err(why) => return Err(why.into()),
            }
        }
        Ok(None)
    }

    fn comes_in(&self, unique: &str, raw: &[u8]) -> Result<Delivery, StoreError> {
        Ok(self.host.mail(MailFolder::In)?.deliver(unique, raw)?)
    }

    fn inbox(&self) -> Result<Vec<String>, StoreError> {
        // A mail that was read with a mail program still counts, unless it was deleted or is a
        // draft.
        let thrown_away = |mail: &MaildirEntry| {
            let name = mail.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.rsplit_once(":2,").is_some_and(|(_, flags)| flags.contains(['T', 'D']))
        };
        let mails = self.host.mail(MailFolder::In)?.list()?.into_iter();
        Ok(mails.filter(|mail| !thrown_away(mail)).map(|mail| mail.unique).collect())
    }

    fn read(&self, unique: &str) -> Result<Vec<u8>, StoreError> {
        let gone = || MaildirFault::NotFound(unique.to_owned());
        let mail = self.host.mail(MailFolder::In)?.find(unique)?.ok_or_else(gone)?;
        let mut raw = Vec::new();
        // One byte more than allowed shows that the mail is too long.
        match fs::File::open(&mail.path) {
            Ok(file) => file.take(MAX_MESSAGE_BYTES as u64 + 1).read_to_end(&mut raw)?,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(gone().into()),
            Err(why) => return Err(why.into()),
        };
        Ok(raw)
    }

    fn taken_in(&self, unique: &str) -> Result<(), StoreError> {
        let Some(mail) = self.host.mail(MailFolder::In)?.find(unique)? else { return Ok(()) };
        match disk::remove(&mail.path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why.into()),
            _ => Ok(()),
        }
    }

    fn poison(&self, raw: &[u8], why: &str) -> Result<(), StoreError> {
        let (folder, name) = (self.host.mail(MailFolder::Poison)?, sha256(raw).to_string());
        // Store the reason first, so that there is no mail without one.
        disk::put_helper(&folder.root().join(format!("{name}.why")), format!("{why}\n").as_bytes())?;
        folder.deliver(&name, raw)?;
        Ok(())
    }

    fn set_aside(&self, unique: &str, why: &str) -> Result<bool, StoreError> {
        let folder = self.host.mail(MailFolder::Poison)?;
        disk::put_helper(&folder.root().join(format!("{unique}{WHY}")), format!("{why}\n").as_bytes())?;
        self.host.mail(MailFolder::In)?.move_to(unique, &folder)?;
        Ok(true)
    }

    fn count_answer(&self, whose: &str, now: i64, most: usize) -> Result<Option<i64>, StoreError> {
        self.index.count_answer(whose, now, most)
    }

    fn refuse(&self, raw: &[u8]) -> Result<(), StoreError> {
        self.host.mail(MailFolder::Refused)?.deliver(&sha256(raw).to_string(), raw)?;
        Ok(())
    }

    fn keep_taken(&self, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError> {
        taken::keep(&self.host, game, raw, at)
    }

    fn games_of_taken(&self) -> Result<Vec<String>, StoreError> {
        taken::games(&self.host)
    }

    fn taken(&self, game: &str) -> Result<Vec<TakenMail>, StoreError> {
        taken::of_game(&self.host, game)
    }

    fn forget_taken(&self, game: &str, mail: &Hash) -> Result<(), StoreError> {
        taken::forget(&self.host, game, mail)
    }

    fn read_taken(&self, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
        taken::read(&self.host, game, mail)
    }

    fn letters(&self, begins: &str) -> Result<Vec<String>, StoreError> {
        let mut all = BTreeSet::new();
        for folder in LETTERS {
            let names = self.host.mail(folder)?.list()?.into_iter().map(|entry| entry.unique);
            // Filed mails are next to refused letters, under their hashes.
            all.extend(names.filter(|name| name.starts_with(begins) && name.parse::<Hash>().is_err()));
        }
        Ok(all.into_iter().collect())
    }

    fn forget_letter(&self, unique: &str) -> Result<(), StoreError> {
        for folder in LETTERS {
            let folder = self.host.mail(folder)?;
            folder.remove(unique)?;
            self.remove(&folder.root().join(format!("{unique}{WHY}")))?;
        }
        Ok(())
    }

    fn forget_filed(&self, gone: &dyn Fn(&[u8]) -> bool) -> Result<usize, StoreError> {
        let mut removed = 0;
        for folder in [MailFolder::Refused, MailFolder::Poison] {
            let folder = self.host.mail(folder)?;
            for entry in folder.list()? {
                let raw = match fs::read(&entry.path) {
                    Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
                    raw => raw?,
                };
                if gone(&raw) {
                    folder.remove(&entry.unique)?;
                    self.remove(&folder.root().join(format!("{}{WHY}", entry.unique)))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    fn put_notice(&self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        for folder in [MailFolder::Sent, MailFolder::Refused] {
            if self.host.mail(folder)?.find(&mail.unique)?.is_some() {
                return Ok(Delivery::AlreadyThere);
            }
        }
        Ok(self.host.mail(MailFolder::Out)?.deliver(&mail.unique, &mail.mail.filed())?)
    }

    fn bring_letters(&self, letters: &[(OutboxRow, HandedOver)]) -> Result<usize, StoreError> {
        let folders = [self.host.mail(LETTERS[0])?, self.host.mail(LETTERS[1])?, self.host.mail(LETTERS[2])?];
        let mut new: [Vec<(&str, Vec<u8>)>; 3] = Default::default();
        'letters: for (row, became) in letters {
            for folder in &folders {
                if folder.find(&row.unique)?.is_some() {
                    continue 'letters;
                }
            }
            let place = match became {
                HandedOver::Later | HandedOver::Stop => 0,
                HandedOver::Taken => 1,
                HandedOver::Never(why) => {
                    self.note(&row.unique, why)?;
                    2
                }
            };
            new[place].push((&row.unique, row.mail.filed()));
        }
        let mut count = 0;
        for (folder, mails) in folders.iter().zip(&new) {
            count += folder.deliver_all(mails)?;
        }
        Ok(count)
    }

    fn poisoned(&self) -> Result<Vec<Undelivered>, StoreError> {
        self.noted(MailFolder::Poison)
    }

    fn sweep_due(&self, now: i64) -> Result<bool, StoreError> {
        taken::sweep_due(&self.host, now)
    }
}
