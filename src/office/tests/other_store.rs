//! The office uses games only through the store.

use super::{
    attacks::play_on,
    by_mail::{catalog, table},
    needed::*,
};
use chrono::{TimeZone, Utc};
use postrider_store::{Mails, MemoryStore, Store};

/// The same game in memory has the same lines, and none of it is written to files.
#[test]
fn a_game_is_played_in_another_store() {
    let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
    let [files, memory] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let host = |folder: &tempfile::TempDir| Host::open_or_create(folder.path()).unwrap();
    let store = MemoryStore::default();
    let mut one = Office::open(host(&files), catalog(), Environment::fixed(7, start)).unwrap();
    let kept = Box::new(store.clone());
    let mut other = Office::with_store(kept, host(&memory), catalog(), Environment::fixed(7, start)).unwrap();
    for office in [&mut one, &mut other] {
        office.new_game(&table()).unwrap();
        play_on(office);
        assert!(office.terminal("lone-pine").glance().unwrap().over);
    }
    let lines = |games: &dyn Store| games.journal("lone-pine").unwrap().unwrap().bytes().unwrap();
    assert_eq!(lines(one.store())[..], lines(&store)[..]);
    assert_eq!(one.store().waiting().unwrap().len(), store.waiting().unwrap().len());
    let host = host(&memory);
    assert!(!host.journal("lone-pine").exists() && !host.secrets("lone-pine").exists());
}
