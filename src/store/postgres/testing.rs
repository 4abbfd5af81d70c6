//! PostgreSQL servers for tests, started by tests/postgres/up.

use super::prepare;
use crate::Host;
use postgres::{Client, NoTls};
use postrider_dice::Hash;
use postrider_journal::{Secret, SecretsFile};
use std::{
    cell::Cell,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A primary and its standby, which run until this is dropped.
pub struct Servers {
    base: TempDir,
    databases: Cell<u32>,
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/postgres").join(name)
}

impl Servers {
    /// Starts the servers; returns `None` if they cannot run here or POSTRIDER_SERVERS is not set.
    pub fn start(what: &str) -> Option<Servers> {
        Servers::start_at(what, "")
    }

    /// Starts the servers, with the primary also listening on a loopback address.
    pub(crate) fn start_at(what: &str, address: &str) -> Option<Servers> {
        if std::env::var_os("POSTRIDER_SERVERS").is_none() {
            eprintln!("left out, {what}: POSTRIDER_SERVERS=1 asks for it");
            return None;
        }
        let base = tempfile::tempdir_in("/tmp").expect("there is room");
        // The servers' user must be able to reach its folder below this one.
        fs::set_permissions(base.path(), fs::Permissions::from_mode(0o755)).expect("it is our own");
        let up = Command::new(script("up"))
            .arg(base.path().join("pg"))
            .env("PG_LISTEN", address)
            .output()
            .expect("there is a shell");
        let said = String::from_utf8_lossy(&up.stdout) + String::from_utf8_lossy(&up.stderr);
        if up.status.code() == Some(77) {
            eprintln!("left out, {what}: {}", said.trim());
            return None;
        }
        assert!(up.status.success(), "{said}");
        Some(Servers { base, databases: Cell::new(0) })
    }

    /// Returns the path of the certificate of the authority that signed the primary's certificate.
    pub fn authority(&self) -> PathBuf {
        self.base.path().join("pg/tls/ca.pem")
    }

    fn run(&self) -> PathBuf {
        self.base.path().join("pg/run")
    }

    /// Returns the address of a database for a role, on both servers.
    pub fn address(&self, role: &str, database: &str) -> String {
        let run = self.run().display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{run}:5432,{run}:5433/{database}")
    }

    pub fn owner(&self, database: &str) -> Client {
        let (run, user) = (self.run(), "owner");
        Client::connect(&format!("host={} port=5432 user={user} dbname={database}", run.display()), NoTls).unwrap()
    }

    /// Creates a host's folder with a key, and a new database with tables.
    pub fn host(&self) -> (TempDir, Host) {
        let name = format!("trial{}", self.databases.replace(self.databases.get() + 1));
        self.owner("postgres").batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("postrider.toml"), format!("store = {:?}\n", self.address("postrider", &name)))
            .unwrap();
        let host = Host::open(folder.path()).unwrap();
        host.make_folders().unwrap();
        SecretsFile::create(host.service_secrets()).unwrap().keep(&Secret::Key { seed: Hash([3; 32]) }).unwrap();
        prepare(&host, &self.address("owner", &name), "postrider").unwrap();
        (folder, host)
    }

    #[cfg(test)]
    pub(crate) fn sql(&self, host: &Host) -> Client {
        let name = host.settings.store.rsplit('/').next().unwrap();
        self.owner(name)
    }

    /// Ends all connections of the program, as if its process were killed, and waits until the
    /// server has done so.
    #[cfg(test)]
    pub(crate) fn end_connections(&self, host: &Host) {
        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'postrider'";
        let ended = self.sql(host).query(end, &[]).unwrap();
        assert!(!ended.is_empty() && ended.iter().all(|row| row.get(0)), "every connection ends");
    }

    /// Copies a host's folder and its database, which must no longer be in use.
    pub fn copy_of(&self, folder: &Path, host: &Host) -> (TempDir, Host) {
        let name = format!("copy{}", self.databases.replace(self.databases.get() + 1));
        let from = host.settings.store.rsplit('/').next().unwrap();
        // It takes a moment until closed connections are gone.
        while let Err(why) = self.owner("postgres").batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {from}")) {
            assert!(why.to_string().contains("db error"), "{why}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let copied = tempfile::tempdir().unwrap();
        fs::create_dir(copied.path().join("secrets")).unwrap();
        fs::copy(folder.join("secrets/_service.jsonl"), copied.path().join("secrets/_service.jsonl")).unwrap();
        let settings = format!("store = {:?}\n", self.address("postrider", &name));
        fs::write(copied.path().join("postrider.toml"), settings).unwrap();
        let host = Host::open(copied.path()).unwrap();
        (copied, host)
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        let _ = Command::new(script("down")).arg(self.base.path().join("pg")).status();
    }
}
