//! The copy of a host's whole data from one store to another.

use super::{GameSecrets, HandedOver, Mark, OutboxRow, Store, StoreError, secrets::Kept};
use postrider_dice::{Hash, sha256};
use postrider_mail::{Composed, Envelope};
use postrider_mailbox::Delivery;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The copied games, sorted, with their marks.
    pub games: Vec<(String, Mark)>,
    /// The number of these games that were already there completely.
    pub there: usize,
    /// The number of letters.
    pub letters: usize,
    /// The number of mails that were not there: incoming, kept and filed.
    pub mails: usize,
}

/// The progress of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games that are copied, with their letters.
    pub done: usize,
    /// The number of all games.
    pub of: usize,
}

/// Copies everything. Data that is already there unchanged is skipped, so an interrupted copy can
/// be continued. Nothing may be changed meanwhile: each game is leased while it is copied, and the
/// caller must keep other processes away. `tell` hears of each game that is done.
///
/// # Errors
/// Returns [`StoreError::NoCopy`] if something cannot be copied as it is, or an error of either
/// store.
pub fn copy(from: &dyn Store, to: &dyn Store, tell: &mut dyn FnMut(Progress)) -> Result<Copied, StoreError> {
    let mut copied = Copied::default();
    // The statuses are valid only if nobody changes a game meanwhile, which is checked at the end.
    let mut listed: BTreeMap<_, _> = from.listed()?.into_iter().map(|one| (one.game, one.status)).collect();
    let mut letters = Letters::of(from, to)?;
    let games = from.games()?;
    let of = games.len();
    for (done, game) in (1..).zip(games) {
        let Some(lease) = from.lease(&game, None)? else { continue };
        let status = listed.remove(&game).flatten();
        if !copy_game(from, to, &game, status.as_ref())? {
            copied.there += 1;
        }
        let mark = from.mark(&game)?;
        drop(lease);
        copied.letters += letters.copy(from, to, Some(&game))?;
        copied.games.push((game, mark));
        tell(Progress { done, of });
    }
    copied.letters += letters.copy(from, to, None)?;
    copied.mails = copy_mails(from, to)?;
    // Detect changes to games that were copied early.
    for (game, mark) in &copied.games {
        if from.mark(game)? != *mark {
            return Err(no_copy(game, "it was worked on meanwhile: end every `serve` and timer, and copy again"));
        }
        let bytes = |store: &dyn Store| match store.journal(game)? {
            Some(source) => Ok::<_, StoreError>(source.bytes()?),
            None => Err(no_copy(game, "it has no journal")),
        };
        if bytes(from)? != bytes(to)? {
            return Err(no_copy(game, "the two journals differ"));
        }
    }
    Ok(copied)
}

fn no_copy(what: &str, why: &str) -> StoreError {
    StoreError::NoCopy { what: what.to_owned(), why: why.to_owned() }
}

/// Copies a game; returns `true` if it was not there yet.
fn copy_game(
    from: &dyn Store,
    to: &dyn Store,
    game: &str,
    status: Option<&super::GameStatus>,
) -> Result<bool, StoreError> {
    let Some(source) = from.journal(game)? else { return Ok(false) };
    let (bytes, kept) = (source.bytes()?, from.kept(game)?);
    if let Some(strange) = kept.strange.first() {
        return Err(no_copy(game, &format!("what is stored next to its journal is damaged: {strange}")));
    }
    let head = from.mark(game)?.head.map(|head| head.n);
    if let Some(first) = GameSecrets::of(kept.kept.clone()).broken_append(head)
        && head.is_some_and(|n| n >= first)
    {
        return Err(no_copy(game, "a command was interrupted in it; run `postrider tick`, then copy again"));
    }
    let there = to.journal(game)?.map(|there| there.bytes()).transpose()?.unwrap_or_default();
    let continues = there.is_empty() || bytes.starts_with(&there) && to.kept(game)?.kept == kept.kept;
    if !continues {
        return Err(no_copy(game, "there is another game of that name, or an older copy of it, where it is to go"));
    }
    if there == bytes {
        return Ok(false);
    }
    // An interrupted copy may have left secrets without a journal line, or a part of the lines.
    let lease = if there.is_empty() { Some(to.create(game)?) } else { to.lease(game, None)? };
    let mut lease = lease.ok_or_else(|| no_copy(game, "it is missing at the destination"))?;
    if there.is_empty() {
        lease.forget(&|_: &Kept| true)?;
        lease.keep_all(&kept.kept)?;
    }
    let lines = there.iter().filter(|&&byte| byte == b'\n').count() as u64;
    lease.append(lines, &bytes[there.len()..])?;
    lease.release(status)?;
    Ok(true)
}

/// The letters to copy.
struct Letters {
    /// The names, in the order of their numbers, so that the newest stays the newest.
    names: Vec<String>,
    waiting: BTreeMap<String, OutboxRow>,
    /// The reasons why letters did not arrive.
    lost: BTreeMap<String, String>,
}

impl Letters {
    fn of(from: &dyn Store, to: &dyn Store) -> Result<Letters, StoreError> {
        let mut waiting: BTreeMap<String, OutboxRow> = BTreeMap::new();
        from.hand_over(&mut |row| {
            waiting.insert(row.unique.clone(), row.clone());
            HandedOver::Later
        })?;
        let lost = from.undelivered()?.into_iter().map(|one| (one.unique, one.why)).collect();
        let there: BTreeSet<String> = to.letters("")?.into_iter().collect();
        let mut names: Vec<String> = from.letters("")?.into_iter().filter(|name| !there.contains(name)).collect();
        names.sort_by_key(|name| by_number(name));
        Ok(Letters { names, waiting, lost })
    }

    /// Copies the letters of a game, or all that are left, and returns their number. None that was
    /// handed over or refused is sent again.
    fn copy(&mut self, from: &dyn Store, to: &dyn Store, game: Option<&str>) -> Result<usize, StoreError> {
        let is_of = |name: &String| game.is_none_or(|game| name.split('.').next() == Some(game));
        let mut letters = Vec::new();
        for name in self.names.extract_if(.., |name| is_of(name)) {
            if let Some(row) = self.waiting.remove(&name) {
                letters.push((row, HandedOver::Later));
                continue;
            }
            // It may have been removed meanwhile.
            let Some(raw) = from.letter(&name)? else { continue };
            let envelope = Envelope { sender: None, recipients: Vec::new() };
            let became = self.lost.get(&name).map_or(HandedOver::Taken, |why| HandedOver::Never(why.clone()));
            letters.push((OutboxRow { unique: name, mail: Composed { envelope, raw } }, became));
        }
        to.bring_letters(&letters)
    }
}

/// Returns a sort key that compares numbers in names as numbers: `lone-pine.A.99` is before
/// `lone-pine.A.412`.
fn by_number(name: &str) -> Vec<(u64, String)> {
    name.split('.').map(|part| (part.parse().unwrap_or(u64::MAX), part.to_owned())).collect()
}

/// Returns the mails that a store has filed.
fn filed(store: &dyn Store) -> Result<Vec<Vec<u8>>, StoreError> {
    let filed = std::cell::RefCell::new(Vec::new());
    store.forget_filed(&|raw: &[u8]| {
        filed.borrow_mut().push(raw.to_vec());
        false
    })?;
    Ok(filed.into_inner())
}

/// Copies mails: incoming, kept and filed. Returns the number of those that were not there.
fn copy_mails(from: &dyn Store, to: &dyn Store) -> Result<usize, StoreError> {
    let mut count = 0;
    for name in from.inbox()? {
        count += usize::from(to.comes_in(&name, &from.read(&name)?)? == Delivery::Stored);
    }
    for game in from.games_of_taken()? {
        for mail in from.taken(&game)? {
            let Some(raw) = from.read_taken(&game, &mail.hash)? else { continue };
            count += usize::from(to.keep_taken(&game, &raw, mail.at)?);
        }
    }
    let why: BTreeMap<String, String> = from.poisoned()?.into_iter().map(|one| (one.unique, one.why)).collect();
    let mut ours: BTreeSet<Hash> = BTreeSet::new();
    for name in from.letters("")? {
        ours.extend(from.letter(&name)?.map(|raw| sha256(&raw)));
    }
    let there: BTreeSet<Hash> = filed(to)?.iter().map(|raw| sha256(raw)).collect();
    for raw in filed(from)? {
        let hash = sha256(&raw);
        match why.get(&hash.to_string()) {
            Some(why) => to.poison(&raw, why)?,
            // A refused letter is next to the filed mails, with its envelope.
            None if ours.contains(&Composed::of_file(&raw).map_or(hash, |mail| sha256(&mail.raw))) => continue,
            None => to.refuse(&raw)?,
        }
        count += usize::from(!there.contains(&hash));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        FileStore, Games as _, Host, Mails as _, Undelivered,
        tests::{GAME, bytes, leased, made, mail, player, status},
    };
    use tempfile::TempDir;

    /// Stores one of everything that a host can store.
    fn filled(store: &dyn Store) {
        made(store, 3);
        let mut lease = leased(store);
        lease.keep(&player("anna@example.net")).unwrap();
        for name in ["lone-pine.A.9", "lone-pine.A.10", "lone-pine.B.1", "lone-pine.C.1"] {
            lease.put(&mail(name)).unwrap();
        }
        lease.release(Some(&status(3))).unwrap();
        let take = &mut |row: &OutboxRow| match row.unique.as_str() {
            "lone-pine.B.1" => HandedOver::Never("no such user".to_owned()),
            "lone-pine.C.1" => HandedOver::Later,
            _ => HandedOver::Taken,
        };
        store.hand_over(take).unwrap();
        store.comes_in("1", b"a mail").unwrap();
        store.keep_taken(GAME, b"taken", 1_000_000).unwrap();
        store.refuse(b"refused").unwrap();
        store.poison(b"poison", "it breaks the rules").unwrap();
    }

    fn is_filled(store: &dyn Store, like: &dyn Store) {
        assert_eq!(bytes(store), bytes(like));
        assert_eq!(store.kept(GAME).unwrap().kept, [player("anna@example.net")]);
        assert_eq!(store.games_of("anna@example.net").unwrap(), [GAME]);
        assert_eq!(store.listed().unwrap()[0].status, Some(status(3)));
        assert_eq!(store.waiting().unwrap(), ["lone-pine.C.1"]);
        let lost = Undelivered { unique: "lone-pine.B.1".into(), why: "no such user".into() };
        assert_eq!(store.undelivered().unwrap(), [lost]);
        assert_eq!(store.letter("lone-pine.A.9").unwrap(), Some(mail("lone-pine.A.9").mail.raw));
        assert_eq!(store.read("1").unwrap(), b"a mail");
        assert_eq!(store.taken(GAME).unwrap()[0].at, 1_000_000);
        assert_eq!(store.poisoned().unwrap()[0].why, "it breaks the rules");
        assert_eq!(store.forget_filed(&|raw| raw == b"refused" || raw == b"poison").unwrap(), 2);
    }

    /// Creates a store of files, which lasts as long as its folder.
    fn store() -> (TempDir, FileStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::new(&Host::open_or_create(folder.path()).unwrap());
        (folder, store)
    }

    #[test]
    fn everything_is_copied_once_and_nothing_is_sent_again() {
        let [(_one, from), (_other, to)] = [(); 2].map(|()| store());
        filled(&from);
        let copied = copy(&from, &to, &mut |_| {}).unwrap();
        assert_eq!((copied.games.len(), copied.there, copied.letters, copied.mails), (1, 0, 4, 4));
        let again = copy(&from, &to, &mut |_| {}).unwrap();
        assert_eq!((again.there, again.letters, again.mails), (1, 0, 0), "what is there is passed over");
        is_filled(&to, &from);
        // The numbers in the names determine which letter is newest.
        assert!(by_number("lone-pine.A.9") < by_number("lone-pine.A.10"));
    }

    #[test]
    fn a_copy_that_broke_off_is_continued() {
        let [(_one, from), (_other, to)] = [(); 2].map(|()| store());
        filled(&from);
        let mut begun = to.create(GAME).unwrap();
        begun.keep(&player("anna@example.net")).unwrap();
        drop(begun);
        assert_eq!(copy(&from, &to, &mut |_| {}).unwrap().games.len(), 1);
        is_filled(&to, &from);
    }

    #[test]
    fn a_copy_that_was_killed_goes_on() {
        let [(_one, from), (_other, to)] = [(); 2].map(|()| store());
        filled(&from);
        let mut begun = to.create(GAME).unwrap();
        begun.keep_all(&from.kept(GAME).unwrap().kept).unwrap();
        begun.append(0, crate::tests::lines(2).1.concat().as_bytes()).unwrap();
        begun.release(None).unwrap();
        to.bring_letters(&[(mail("lone-pine.A.9"), HandedOver::Taken)]).unwrap();
        let mut told = Vec::new();
        let copied = copy(&from, &to, &mut |progress| told.push(progress)).unwrap();
        assert_eq!((copied.there, copied.letters), (0, 3));
        assert_eq!(told, [Progress { done: 1, of: 1 }]);
        is_filled(&to, &from);
    }

    #[test]
    fn a_game_that_is_another_there_is_not_touched() {
        let [(_one, one), (_other, other)] = [(); 2].map(|()| store());
        made(&one, 3);
        made(&other, 2);
        let mut kept = leased(&other);
        kept.keep(&player("ben@example.net")).unwrap();
        kept.release(None).unwrap();
        assert!(matches!(copy(&one, &other, &mut |_| {}), Err(StoreError::NoCopy { .. })));
        assert_eq!(bytes(&other), crate::tests::lines(2).1.concat().as_bytes());
    }
}
