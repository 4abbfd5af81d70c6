//! A store in memory, for tests: the contract without files.

use super::{
    DAY, GameStatus, Games, HOUR, HandedOver, Index, Kept, KeptLines, Lease, Listed, Mails, Mark, OutboxRow,
    StoreError, TakenMail, Undelivered, contract::counts_again,
};
use postrider_dice::{Hash, sha256};
use postrider_journal::{FileFault, Head, Line};
use postrider_mail::{Delivery, MaildirFault};
use postrider_replay::Source;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    rc::Rc,
};

/// A game in memory.
#[derive(Default)]
struct Game {
    lines: Vec<u8>,
    kept: Vec<Kept>,
    status: Option<(Mark, GameStatus)>,
    leased: bool,
}

#[derive(Default)]
struct Inner {
    games: BTreeMap<String, Game>,
    addresses: BTreeSet<(String, String)>,
    out: BTreeMap<String, OutboxRow>,
    done: BTreeMap<String, Vec<u8>>,
    /// The names of letters handed over, newest last.
    handed_over: Vec<String>,
    inbox: BTreeMap<String, Vec<u8>>,
    refused: BTreeMap<String, Vec<u8>>,
    poison: BTreeMap<String, (Vec<u8>, String)>,
    answers: BTreeMap<String, Vec<i64>>,
    undelivered: BTreeMap<String, String>,
    taken: BTreeMap<(String, String), (i64, Vec<u8>)>,
    swept: Option<i64>,
}

/// A store in memory. Changes under a lease become visible when it is released, all or none, as in
/// a database.
#[derive(Clone, Default)]
pub struct MemoryStore(Rc<RefCell<Inner>>);

/// The changes made under a lease so far.
struct MemoryLease {
    store: MemoryStore,
    game: String,
    lines: Vec<u8>,
    head: Option<Head>,
    kept: Vec<Kept>,
    put: Vec<OutboxRow>,
}

fn head_of(game: &str, lines: &[u8]) -> Option<Head> {
    let last = lines.strip_suffix(b"\n")?.rsplit(|&byte| byte == b'\n').next()?;
    let line = Line::parse(last).ok()?;
    Some(Head { game: game.to_owned(), n: line.n, hash: line.hash })
}

fn mark_of(id: &str, game: &Game) -> Mark {
    Mark { head: head_of(id, &game.lines), journal: game.lines.len() as u64, secrets: game.kept.len() as u64 }
}

fn not_next(what: &str) -> StoreError {
    FileFault::NotNext { path: PathBuf::from("memory"), what: what.to_owned() }.into()
}

impl Games for MemoryStore {
    fn games(&self) -> Result<Vec<String>, StoreError> {
        let inner = self.0.borrow();
        Ok(inner.games.iter().filter(|(_, game)| !game.lines.is_empty()).map(|(id, _)| id.clone()).collect())
    }

    fn journal(&self, game: &str) -> Result<Option<Source>, StoreError> {
        Ok(self.0.borrow().games.get(game).map(|game| Source::from(game.lines.as_slice())))
    }

    fn kept(&self, game: &str) -> Result<KeptLines, StoreError> {
        let kept = self.0.borrow().games.get(game).map(|game| game.kept.clone()).unwrap_or_default();
        Ok(KeptLines { kept, strange: Vec::new() })
    }

    fn mark(&self, game: &str) -> Result<Mark, StoreError> {
        Ok(self.0.borrow().games.get(game).map(|found| mark_of(game, found)).unwrap_or_default())
    }

    fn create(&self, game: &str) -> Result<Box<dyn Lease>, StoreError> {
        self.0.borrow_mut().games.entry(game.to_owned()).or_default();
        match self.lease(game, None)? {
            Some(lease) if lease.head().is_none() => Ok(lease),
            _ => Err(StoreError::Exists { game: game.to_owned() }),
        }
    }

    fn lease(&self, game: &str, _: Option<&Mark>) -> Result<Option<Box<dyn Lease>>, StoreError> {
        let mut inner = self.0.borrow_mut();
        let Some(found) = inner.games.get_mut(game) else { return Ok(None) };
        if found.leased {
            return Err(FileFault::Locked { path: PathBuf::from(game) }.into());
        }
        found.leased = true;
        let (lines, kept) = (found.lines.clone(), found.kept.clone());
        let head = head_of(game, &lines);
        Ok(Some(Box::new(MemoryLease {
            store: self.clone(),
            game: game.to_owned(),
            lines,
            head,
            kept,
            put: Vec::new(),
        })))
    }
}

impl Lease for MemoryLease {
    fn is_atomic(&self) -> bool {
        true
    }

    fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    fn journal(&self) -> Source {
        Source::from(self.lines.as_slice())
    }

    fn append(&mut self, expected: u64, lines: &[u8]) -> Result<(), StoreError> {
        let mut head = self.head.clone();
        let whole = lines.strip_suffix(b"\n").ok_or_else(|| not_next("no newline"))?;
        if head.as_ref().map_or(0, |head| head.n + 1) != expected {
            return Err(not_next("another number is next"));
        }
        for text in whole.split(|&byte| byte == b'\n') {
            let line = Line::parse(text).map_err(|why| not_next(&why.to_string()))?;
            let next = head.as_ref().map_or((0, postrider_dice::Hash::ZERO), |head| (head.n + 1, head.hash));
            if (line.n, line.prev) != next || line.hash != line.entry_hash() {
                return Err(not_next("it does not continue the chain"));
            }
            head = Some(Head { game: self.game.clone(), n: line.n, hash: line.hash });
        }
        self.lines.extend_from_slice(lines);
        self.head = head;
        Ok(())
    }

    fn cut_after(&mut self, n: Option<u64>) -> Result<(), StoreError> {
        let ends = self.lines.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let end = match n {
            None => 0,
            Some(n) => {
                { ends }.nth(usize::try_from(n).unwrap_or(usize::MAX)).ok_or_else(|| not_next("no such line"))?
            }
        };
        self.lines.truncate(end);
        self.head = head_of(&self.game, &self.lines);
        Ok(())
    }

    fn kept(&mut self) -> Result<KeptLines, StoreError> {
        Ok(KeptLines { kept: self.kept.clone(), strange: Vec::new() })
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), StoreError> {
        self.kept.push(kept.clone());
        Ok(())
    }

    fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        let before = self.kept.len();
        self.kept.retain(|kept| !gone(kept));
        Ok(self.kept.len() < before)
    }

    fn put(&mut self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        let inner = self.store.0.borrow();
        let mine = self.put.iter().any(|one| one.unique == mail.unique);
        if mine || inner.out.contains_key(&mail.unique) || inner.done.contains_key(&mail.unique) {
            return Ok(Delivery::AlreadyThere);
        }
        self.put.push(mail.clone());
        Ok(Delivery::Stored)
    }

    fn release(self: Box<Self>, status: Option<&GameStatus>) -> Result<Mark, StoreError> {
        let mut inner = self.store.0.borrow_mut();
        for kept in &self.kept {
            let address = match kept {
                Kept::Player(player) if player.by_mail() => &player.address,
                Kept::AddressAsked(_, asked) => &asked.address,
                Kept::Watcher(watcher) => &watcher.address,
                _ => continue,
            };
            inner.addresses.insert((address.clone(), self.game.clone()));
        }
        inner.out.extend(self.put.iter().map(|row| (row.unique.clone(), row.clone())));
        let game = inner.games.entry(self.game.clone()).or_default();
        (game.lines, game.kept) = (self.lines.clone(), self.kept.clone());
        let mark = mark_of(&self.game, game);
        game.status = status.map(|status| (mark.clone(), status.clone()));
        Ok(mark)
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        if let Some(game) = self.store.0.borrow_mut().games.get_mut(&self.game) {
            game.leased = false;
        }
    }
}

impl Index for MemoryStore {
    fn listed(&self) -> Result<Vec<Listed>, StoreError> {
        let inner = self.0.borrow();
        let status = |id: &str, game: &Game| {
            game.status.as_ref().filter(|(mark, _)| *mark == mark_of(id, game)).map(|(_, status)| status.clone())
        };
        let begun = inner.games.iter().filter(|(_, game)| !game.lines.is_empty());
        Ok(begun.map(|(id, game)| Listed { game: id.clone(), status: status(id, game) }).collect())
    }

    fn remembered(&self, game: &str) -> Result<Option<(u64, Hash)>, StoreError> {
        let inner = self.0.borrow();
        let status = inner.games.get(game).and_then(|game| game.status.as_ref());
        Ok(status.and_then(|(_, status)| Some((status.lines.checked_sub(1)?, status.head?))))
    }

    fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError> {
        let address = address.trim().to_ascii_lowercase();
        let inner = self.0.borrow();
        Ok(inner.addresses.iter().filter(|(one, _)| *one == address).map(|(_, game)| game.clone()).collect())
    }

    fn leave(&self, game: &str, address: &str) -> Result<(), StoreError> {
        self.0.borrow_mut().addresses.remove(&(address.to_ascii_lowercase(), game.to_owned()));
        Ok(())
    }

    fn forget(&self) -> Result<(), StoreError> {
        // Addresses are in memory like everything else, so they would be found again at once.
        self.0.borrow_mut().games.values_mut().for_each(|game| game.status = None);
        Ok(())
    }
}

impl Mails for MemoryStore {
    fn hand_over(&self, take: &mut dyn FnMut(&OutboxRow) -> HandedOver) -> Result<(), StoreError> {
        let waiting: Vec<OutboxRow> = self.0.borrow().out.values().cloned().collect();
        for row in waiting {
            match take(&row) {
                HandedOver::Taken => {}
                HandedOver::Never(why) => {
                    self.refuse(&row.mail.raw)?;
                    self.0.borrow_mut().undelivered.insert(row.unique.clone(), why);
                }
                HandedOver::Later => continue,
                HandedOver::Stop => break,
            }
            let mut inner = self.0.borrow_mut();
            inner.out.remove(&row.unique);
            inner.handed_over.push(row.unique.clone());
            inner.done.insert(row.unique, row.mail.raw);
        }
        Ok(())
    }

    fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError> {
        let inner = self.0.borrow();
        let one = |(unique, why): (&String, &String)| Undelivered { unique: unique.clone(), why: why.clone() };
        Ok(inner.undelivered.iter().map(one).collect())
    }

    fn came_back(&self, begins: &str, why: &str) -> Result<Option<String>, StoreError> {
        let mut inner = self.0.borrow_mut();
        let mut newest = inner.handed_over.iter().rev();
        let new = newest.find(|unique| unique.starts_with(begins) && !inner.undelivered.contains_key(*unique)).cloned();
        new.iter().for_each(|unique| _ = inner.undelivered.insert(unique.clone(), why.to_owned()));
        Ok(new)
    }

    fn forgive(&self, begins: &str) -> Result<(), StoreError> {
        self.0.borrow_mut().undelivered.retain(|unique, _| !unique.starts_with(begins));
        Ok(())
    }

    fn waiting(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.0.borrow().out.keys().cloned().collect())
    }

    fn letter(&self, unique: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let inner = self.0.borrow();
        let waiting = inner.out.get(unique).map(|row| row.mail.raw.clone());
        Ok(waiting.or_else(|| inner.done.get(unique).cloned()))
    }

    fn comes_in(&self, unique: &str, raw: &[u8]) -> Result<Delivery, StoreError> {
        let mut inner = self.0.borrow_mut();
        if inner.inbox.contains_key(unique) {
            return Ok(Delivery::AlreadyThere);
        }
        inner.inbox.insert(unique.to_owned(), raw.to_vec());
        Ok(Delivery::Stored)
    }

    fn inbox(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.0.borrow().inbox.keys().cloned().collect())
    }

    fn read(&self, unique: &str) -> Result<Vec<u8>, StoreError> {
        let found = self.0.borrow().inbox.get(unique).cloned();
        found.ok_or_else(|| MaildirFault::NotFound(unique.to_owned()).into())
    }

    fn taken_in(&self, unique: &str) -> Result<(), StoreError> {
        self.0.borrow_mut().inbox.remove(unique);
        Ok(())
    }

    fn poison(&self, raw: &[u8], why: &str) -> Result<(), StoreError> {
        self.0.borrow_mut().poison.insert(sha256(raw).to_string(), (raw.to_vec(), why.to_owned()));
        Ok(())
    }

    fn count_answer(&self, whose: &str, now: i64, most: usize) -> Result<Option<i64>, StoreError> {
        let mut inner = self.0.borrow_mut();
        let times = inner.answers.entry(whose.to_owned()).or_default();
        times.retain(|&time| time > now - HOUR);
        let again = counts_again(times, most);
        times.extend(again.is_none().then_some(now));
        Ok(again)
    }

    fn refuse(&self, raw: &[u8]) -> Result<(), StoreError> {
        self.0.borrow_mut().refused.insert(sha256(raw).to_string(), raw.to_vec());
        Ok(())
    }

    fn keep_taken(&self, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError> {
        let key = (game.to_owned(), sha256(raw).to_string());
        let mut inner = self.0.borrow_mut();
        let new = !inner.taken.contains_key(&key);
        inner.taken.entry(key).or_insert((at, raw.to_vec()));
        Ok(new)
    }

    fn games_of_taken(&self) -> Result<Vec<String>, StoreError> {
        let games: BTreeSet<String> = self.0.borrow().taken.keys().map(|(game, _)| game.clone()).collect();
        Ok(games.into_iter().collect())
    }

    fn taken(&self, game: &str) -> Result<Vec<TakenMail>, StoreError> {
        let inner = self.0.borrow();
        let of_game = inner.taken.iter().filter(|((one, _), _)| one == game);
        Ok(of_game.map(|((_, hash), (at, _))| TakenMail { hash: hash.parse().unwrap(), at: *at }).collect())
    }

    fn forget_taken(&self, game: &str, mail: &Hash) -> Result<(), StoreError> {
        self.0.borrow_mut().taken.remove(&(game.to_owned(), mail.to_string()));
        Ok(())
    }

    fn read_taken(&self, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
        let inner = self.0.borrow();
        Ok(inner.taken.get(&(game.to_owned(), mail.to_string())).map(|(_, raw)| raw.clone()))
    }

    fn letters(&self, begins: &str) -> Result<Vec<String>, StoreError> {
        let inner = self.0.borrow();
        let mut all: Vec<String> = inner.out.keys().chain(inner.done.keys()).cloned().collect();
        all.retain(|unique| unique.starts_with(begins));
        all.sort();
        Ok(all)
    }

    fn forget_letter(&self, unique: &str) -> Result<(), StoreError> {
        let mut inner = self.0.borrow_mut();
        inner.out.remove(unique);
        inner.done.remove(unique);
        inner.undelivered.remove(unique);
        Ok(())
    }

    fn forget_filed(&self, gone: &dyn Fn(&[u8]) -> bool) -> Result<usize, StoreError> {
        let mut inner = self.0.borrow_mut();
        let before = inner.refused.len() + inner.poison.len();
        inner.refused.retain(|_, raw| !gone(raw));
        inner.poison.retain(|_, (raw, _)| !gone(raw));
        Ok(before - inner.refused.len() - inner.poison.len())
    }

    fn put_notice(&self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        let mut inner = self.0.borrow_mut();
        if inner.out.contains_key(&mail.unique) || inner.done.contains_key(&mail.unique) {
            return Ok(Delivery::AlreadyThere);
        }
        inner.out.insert(mail.unique.clone(), mail.clone());
        Ok(Delivery::Stored)
    }

    fn poisoned(&self) -> Result<Vec<Undelivered>, StoreError> {
        let inner = self.0.borrow();
        let one = |(unique, (_, why)): (&String, &(Vec<u8>, String))| Undelivered {
            unique: unique.clone(),
            why: why.clone(),
        };
        Ok(inner.poison.iter().map(one).collect())
    }

    fn sweep_due(&self, now: i64) -> Result<bool, StoreError> {
        let mut inner = self.0.borrow_mut();
        let due = !inner.taken.is_empty() && inner.swept.is_none_or(|swept| now - swept >= DAY);
        if due {
            inner.swept = Some(now);
        }
        Ok(due)
    }
}
