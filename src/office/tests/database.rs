//! The office on a PostgreSQL database: the game has the same lines, and a fault at any statement
//! loses and repeats nothing. tests/postgres/up starts PostgreSQL. Without it, or without
//! POSTRIDER_SERVERS, each test says so and passes.

use super::{
    attacks::play_on,
    by_mail::{answer, catalog, table, unfolded},
    needed::*,
};
use chrono::{TimeZone, Utc};
use postrider_mail::{Envelope, Incoming};
use postrider_store::{DatabaseFault, Sent, Servers, database_faults, send_by};
use postrider_wire::{SendFault, Transport};
use std::path::Path;

const GAME: &str = "lone-pine";

fn fixed() -> Environment {
    Environment::fixed(7, Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap())
}

fn lines(office: &Office) -> Vec<u8> {
    office.store().journal(GAME).unwrap().map(|source| source.bytes().unwrap().to_vec()).unwrap_or_default()
}

#[test]
fn a_game_is_the_same_in_a_database() {
    let Some(servers) = Servers::start("a game on PostgreSQL") else { return };
    let (_folder, host) = servers.host();
    let files = tempfile::tempdir().unwrap();
    // The same key, because letters are signed with it.
    let other = Host::open_or_create(files.path()).unwrap();
    other.make_folders().unwrap();
    std::fs::copy(host.service_secrets(), other.service_secrets()).unwrap();
    let mut offices = [other, host].map(|host| Office::open(host, catalog(), fixed()).unwrap());
    for office in &mut offices {
        office.new_game(&table()).unwrap();
        play_on(office);
        assert!(office.terminal(GAME).glance().unwrap().over);
    }
    let [one, other] = offices;
    assert_eq!(lines(&one), lines(&other));
    let letters = one.store().waiting().unwrap();
    assert_eq!(letters, other.store().waiting().unwrap());
    for name in letters {
        assert_eq!(one.store().letter(&name).unwrap(), other.store().letter(&name).unwrap(), "{name}");
    }
}

/// The receiving mail server, with the mails handed to it by Message-ID.
#[derive(Default, PartialEq, Debug)]
struct Wire(BTreeMap<String, Vec<u8>>);

impl Transport for Wire {
    fn send(&mut self, _: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        let id = Incoming::parse(raw).unwrap().message_id.unwrap();
        let known = self.0.insert(id, raw.to_vec());
        assert!(known.is_none_or(|known| known == raw), "a letter that is sent again is the same");
        Ok(())
    }
}

/// Runs the program once: takes a mail in, and sends. Returns whether the mail was taken.
fn program(folder: &Path, mail: &str, wire: &mut Wire) -> (bool, Result<(), OfficeError>) {
    let mut taken = false;
    let mut run = || {
        let mut office = Office::open(Host::open(folder)?, catalog(), fixed())?;
        // As by LMTP, the mail is acknowledged once it is in the inbox.
        office.store().comes_in("1", mail.as_bytes())?;
        taken = true;
        for mail in office.store().inbox()? {
            office.receive_waiting(&mail)?;
        }
        send_by(office.store(), wire, &mut Sent::default())?;
        Ok(())
    };
    let done = run();
    (taken, done)
}

#[test]
fn whatever_breaks_at_any_statement_loses_and_repeats_nothing() {
    let Some(servers) = Servers::start("faults on PostgreSQL") else { return };
    let (folder, host) = servers.host();
    let mut office = Office::open(host.clone(), catalog(), fixed()).unwrap();
    office.new_game(&table()).unwrap();
    let name = office.store().waiting().unwrap().into_iter().find(|name| name.contains(".A.")).unwrap();
    let letter = String::from_utf8(office.store().letter(&name).unwrap().unwrap()).unwrap();
    let mail = answer("anna@example.net", &unfolded(&letter), "bid 1");
    let before = lines(&office);
    drop(office);
    let (undisturbed, mut all) = (servers.copy_of(folder.path(), &host), Wire::default());
    database_faults::begin(None);
    assert!(matches!(program(undisturbed.0.path(), &mail, &mut all), (true, Ok(()))));
    let statements = database_faults::end();
    let after = lines(&Office::open(undisturbed.1, catalog(), fixed()).unwrap());
    assert!(after.len() > before.len() && all.0.len() > 1 && statements > 20, "{statements} {}", all.0.len());
    let every = std::env::var("POSTRIDER_KILLS").is_ok_and(|kills| kills.parse().is_ok_and(|kills: u32| kills >= 200));
    let (mut ended, mut tried) = (0, 0);
    for at in 0..statements {
        // All faults, or one in seventeen in rotation, so that each kind is tried equally often.
        let some = |(nth, _): &(usize, DatabaseFault)| every || (*nth as u64 + 4 * at).is_multiple_of(17);
        for (_, fault) in database_faults::FAULTS.into_iter().enumerate().filter(some) {
            let (copy, host) = servers.copy_of(folder.path(), &host);
            let mut wire = Wire::default();
            database_faults::begin(Some((at, fault)));
            let (mut taken, done) = program(copy.path(), &mail, &mut wire);
            database_faults::end();
            let ends = matches!(fault, DatabaseFault::EndsBefore | DatabaseFault::EndsAfter);
            ended += u64::from(done.is_err());
            tried += 1;
            assert!(done.is_err() || !ends, "{at} {fault:?}: the program ended");
            // The command is stored completely or not at all.
            let there = lines(&Office::open(host, catalog(), fixed()).unwrap());
            assert!(there == before || there == after, "{at} {fault:?}: a part of a command is there");
            // The mail system continues until it gets a confirmation, and the program is started
            // again.
            while !taken {
                taken = program(copy.path(), &mail, &mut wire).0;
            }
            let (_, done) = program(copy.path(), &mail, &mut wire);
            assert!(done.is_ok(), "{at} {fault:?}: {done:?}");
            let office = Office::open(Host::open(copy.path()).unwrap(), catalog(), fixed()).unwrap();
            assert!(lines(&office) == after, "{at} {fault:?}: the journal is another");
            assert_eq!(wire, all, "{at} {fault:?}: the letters are others");
        }
    }
    assert!(2 * ended >= tried && tried > 4, "{ended} of {tried} ended what was going on");
    eprintln!("{statements} statements, {tried} faults, of which {ended} ended what was going on");
}
