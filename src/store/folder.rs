//! A host's folder: its settings and where everything lies.

use super::{MailIn, StoreError};
use fs_err as fs;
use postrider_dice::Hash;
use postrider_disk as disk;
use postrider_journal::{Secret, is_game_id};
use postrider_mail::{AddressBookConfig, DkimKey, Maildir};
use postrider_wire::{Security, SmtpConfig};
use serde::{Deserialize, Serialize};
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The name of the settings file in a host's folder.
pub const SETTINGS: &str = "postrider.toml";

/// What a new host's settings file says: every setting, with its default.
pub const DEFAULT_SETTINGS: &str = include_str!("../../templates/postrider.toml");

/// The settings of a host, as `postrider.toml` gives them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The service's own mail address.
    pub address: String,
    /// The name its mails come from.
    pub name: String,
    /// What parts the address from a prompt's token: `+`, `=`, or nothing for hosts without sub-addressing.
    pub separator: String,
    /// The time zone of players who named none (IANA name).
    pub time_zone: String,
    /// A folder whose files replace the built-in templates of the same names; relative to the host's folder.
    pub templates: Option<PathBuf>,
    /// Whether letters have an HTML part beside their text.
    pub html: bool,
    /// Whether a mail counts whose `Sender` is another address than its author's.
    pub other_senders: bool,
    /// What is asked of the signatures (DKIM) of mails that come in; a seat can have another rule.
    pub sender_check: SenderCheck,
    /// Domains, such as those of lists, whose word counts that a mail which they changed was signed (ARC).
    pub arc_sealers: Vec<String>,
    /// The name server that is asked for keys; those that the system names otherwise.
    pub resolver: Option<SocketAddr>,
    /// How many mails of one seat are answered in an hour, and twice as many of one address; 0 for any number.
    pub answers_per_hour: usize,
    /// Whether players may ask what the steady bot would do (`advice`), and leave it to that (`as advised`).
    pub advice: bool,
    /// The host's own mail address, to which goes what players tell him; without one it waits to be looked at.
    pub host_mail: Option<String>,
    /// What players may write to each other.
    pub press: PressRule,
    /// Who may watch games by writing `watch` and a game's name.
    pub watching: Watching,
    /// How long mails are kept as they came in.
    pub keep_mails: KeepMails,
    /// With which letters a picture of the map goes along.
    pub pictures: Pictures,
    /// How mails leave.
    pub mail_out: MailOut,
    /// How mails come in, where `serve` takes them.
    pub mail_in: MailIn,
    /// Where games and mails are kept: `files` in the host's folder, or the address of a database, `postgres://user@host/name`.
    pub store: String,
    /// What is to be known of that database beside its address.
    pub postgres: Postgres,
    /// Where `serve` shows how it is: `127.0.0.1:9925`, or `unix:` and a path; nowhere without it.
    pub status_page: Option<String>,
}

/// How `store` says that games are kept as files in the host's folder.
pub const FILES: &str = "files";

/// What is to be known of a PostgreSQL database beside its address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Postgres {
    /// So many standbys have a commit before it counts. With 0 a single server is enough, and what it confirmed is lost with its disk.
    pub standbys: u32,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// A file with a certificate that is trusted beside the system's (PEM); relative to the host's folder.
    pub ca: Option<PathBuf>,
}

impl Default for Postgres {
    fn default() -> Self {
        Postgres { standbys: 1, password_file: None, ca: None }
    }
}

/// What is asked of the signatures (DKIM, RFC 6376) of mails that come in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SenderCheck {
    /// Nothing: they are not looked at.
    #[default]
    Off,
    /// They are checked, and it is kept what they said.
    Recorded,
    /// A mail for which its author's domain does not vouch orders nothing.
    Required,
}

impl std::str::FromStr for SenderCheck {
    type Err = ();

    fn from_str(text: &str) -> Result<SenderCheck, ()> {
        match text {
            "off" => Ok(SenderCheck::Off),
            "recorded" => Ok(SenderCheck::Recorded),
            "required" => Ok(SenderCheck::Required),
            _ => Err(()),
        }
    }
}

/// What players may write to each other by the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PressRule {
    /// What bears its writer's name.
    #[default]
    Named,
    /// Also what bears no name.
    Anonymous,
    /// Nothing; they can write to the host.
    None,
}

/// Who may watch a game by a mail of his; whom the host names may watch in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Watching {
    /// Nobody.
    Off,
    /// Whoever plays, or watches, in some game of this host.
    #[default]
    Players,
    /// Anybody. A stranger is sent a letter that asks whether he wants to; there are limits to how many.
    Anyone,
}

/// How long mails that did something are kept as they came in, under their SHA-256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeepMails {
    /// Until their game has been over for thirty days.
    #[default]
    Game,
    /// Until somebody removes them.
    Always,
    /// Not at all.
    Never,
    /// For so many days.
    #[serde(untagged)]
    Days(u32),
}

/// With which letters a picture of the map goes along. It stands in their HTML part; without one there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pictures {
    /// With those that leave by a mail server.
    #[default]
    Smtp,
    /// With all that ask something or bring the position.
    Always,
    /// With none.
    Never,
}

impl Settings {
    /// Whether each seat has an address of its own to which bounces of its letters come back.
    #[must_use]
    pub fn verp(&self) -> bool {
        matches!(&self.mail_out, MailOut::Smtp(smtp) if smtp.verp) && !self.separator.is_empty()
    }

    /// Whether pictures are drawn for letters.
    #[must_use]
    pub fn draws(&self) -> bool {
        let by_smtp = matches!(self.mail_out, MailOut::Smtp(_));
        self.html && (self.pictures == Pictures::Always || self.pictures == Pictures::Smtp && by_smtp)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            address: "postrider@localhost".to_owned(),
            name: "Postrider".to_owned(),
            separator: "+".to_owned(),
            time_zone: "UTC".to_owned(),
            templates: None,
            html: true,
            other_senders: false,
            sender_check: SenderCheck::default(),
            arc_sealers: Vec::new(),
            resolver: None,
            answers_per_hour: 60,
            advice: true,
            host_mail: None,
            press: PressRule::default(),
            watching: Watching::default(),
            keep_mails: KeepMails::default(),
            pictures: Pictures::default(),
            mail_out: MailOut::Maildir,
            mail_in: MailIn::default(),
            store: FILES.to_owned(),
            postgres: Postgres::default(),
            status_page: None,
        }
    }
}

/// How mails leave the house.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MailOut {
    /// They stay in `mail/out` until the host's own mail system fetches them.
    #[default]
    Maildir,
    /// Through a mail server.
    Smtp(Box<Smtp>),
}

/// A mail server that sends for this host.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    /// Its name.
    pub host: String,
    /// Its port; 465 unless told.
    #[serde(default = "Smtp::default_port")]
    pub port: u16,
    /// `tls` from the first byte (the default), `starttls`, or `none` for a server on this machine.
    #[serde(default)]
    pub security: SmtpSecurity,
    /// The user, if the server wants one.
    pub user: Option<String>,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// Instead of a password: a program with its arguments that prints an access token (OAuth 2).
    pub token_command: Option<Vec<String>>,
    /// A file with a certificate that is trusted beside the system's (PEM); relative to the host's folder.
    pub ca: Option<PathBuf>,
    /// For so many seconds each answer of the server is waited for; 20 unless told.
    #[serde(default = "Smtp::default_timeout")]
    pub timeout: u64,
    /// Whether letters come back, where they cannot be delivered, to an address of their seat's own (VERP). It needs a separator.
    #[serde(default = "Smtp::default_verp")]
    pub verp: bool,
    /// The key with which letters are signed as they leave (DKIM), where the server does not do it.
    pub dkim: Option<Dkim>,
}

/// A key for signing letters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dkim {
    /// The name of the key: its record is that of `<selector>._domainkey.<domain>`.
    pub selector: String,
    /// The domain; that of the service's address otherwise.
    pub domain: Option<String>,
    /// The file with the private key (PEM); relative to the host's folder.
    pub key_file: PathBuf,
}

impl Smtp {
    fn default_port() -> u16 {
        465
    }

    fn default_timeout() -> u64 {
        20
    }

    fn default_verp() -> bool {
        true
    }
}

/// How a connection to a mail server is kept private.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmtpSecurity {
    /// TLS from the first byte.
    #[default]
    Tls,
    /// TLS by STARTTLS.
    Starttls,
    /// None.
    None,
}

/// A host's folder.
#[derive(Clone, Debug)]
pub struct Host {
    root: PathBuf,
    /// Its settings.
    pub settings: Settings,
    /// Its mail address.
    pub addresses: AddressBookConfig,
}

/// The Maildirs of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailFolder {
    /// Mails that have come in and wait for `receive --maildir`.
    In,
    /// Letters that wait to be sent.
    Out,
    /// Mails that were handed over.
    Sent,
    /// Mails that were not answered: a machine's, and those that no answer could help.
    Refused,
    /// Mails that could not be handled, each with its reason.
    Poison,
}

/// Makes sure that this is a folder.
///
/// # Errors
/// [`StoreError::NoHost`] with what it is instead.
pub fn is_folder(root: &Path) -> Result<(), StoreError> {
    let shown = root.display();
    match fs::metadata(root) {
        Err(_) => Err(StoreError::NoHost { why: format!("there is no folder {shown}") }),
        Ok(about) if !about.is_dir() => {
            Err(StoreError::NoHost { why: format!("{shown} is a file, not a host's folder") })
        }
        Ok(_) => Ok(()),
    }
}

/// Makes sure that this is a host's folder: one with settings or with journals.
///
/// # Errors
/// [`StoreError::NoHost`] with what it is instead.
pub fn is_host(root: &Path) -> Result<(), StoreError> {
    is_folder(root)?;
    if root.join(SETTINGS).exists() || root.join("journal").is_dir() {
        return Ok(());
    }
    let why = format!("{} is no host's folder: it holds neither {SETTINGS} nor journal/", root.display());
    Err(StoreError::NoHost { why })
}

impl Host {
    /// Opens a host's folder, which must hold a settings file.
    ///
    /// # Errors
    /// [`StoreError::NoHost`] when there is no such folder, [`StoreError::NoSettings`] when there is no settings file in it,
    /// [`StoreError::Settings`] when it makes no sense.
    pub fn open(root: impl Into<PathBuf>) -> Result<Host, StoreError> {
        let root = root.into();
        is_host(&root)?;
        let path = root.join(SETTINGS);
        let text = fs::read_to_string(&path).map_err(|why| StoreError::NoSettings { error: why })?;
        Host::with_settings(root, &path, &text)
    }

    /// Opens a host's folder for looking at it; a folder without a settings file counts as one with default settings, whether or not
    /// a host's it is ([`is_host`]). No file is made.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when there is a settings file and it makes no sense.
    pub fn look(root: impl Into<PathBuf>) -> Result<Host, StoreError> {
        let root = root.into();
        let path = root.join(SETTINGS);
        let text = if path.try_exists()? { fs::read_to_string(&path)? } else { DEFAULT_SETTINGS.to_owned() };
        Host::with_settings(root, &path, &text)
    }

    fn with_settings(root: PathBuf, path: &Path, text: &str) -> Result<Host, StoreError> {
        let settings: Settings =
            toml::from_str(text).map_err(|why| StoreError::Settings { path: path.to_owned(), why: why.to_string() })?;
        let wrong = |why: String| StoreError::Settings { path: path.to_owned(), why };
        let (local, name) = settings.address.split_once('@').ok_or_else(|| wrong("address has no @".to_owned()))?;
        let separator = match settings.separator.as_str() {
            "" => None,
            one if one.chars().count() == 1 => one.chars().next(),
            _ => return Err(wrong("separator is one character or nothing".to_owned())),
        };
        if !is_store(&settings.store) {
            return Err(wrong(format!(
                "store = {:?} names no place for games: it is \"{FILES}\", or the address of a database as in \
                 \"postgres://user@host/name\"",
                settings.store
            )));
        }
        check_zone(&settings.time_zone).map_err(|why| wrong(why.to_string()))?;
        let addresses = AddressBookConfig::new(local, separator, name).map_err(|why| wrong(why.to_string()))?;
        Ok(Host { root, settings, addresses })
    }

    /// Opens a host's folder; if it holds no settings file yet, makes it a host's folder with default settings.
    ///
    /// # Errors
    /// As [`Host::open`], or [`StoreError::Io`].
    pub fn open_or_create(root: impl Into<PathBuf>) -> Result<Host, StoreError> {
        let root = root.into();
        fs::create_dir_all(&root)?;
        let path = root.join(SETTINGS);
        if !path.try_exists()? {
            disk::put(&path, DEFAULT_SETTINGS.as_bytes())?;
        }
        Host::open(root)
    }

    /// The settings file.
    #[must_use]
    pub fn settings_path(&self) -> PathBuf {
        self.root.join(SETTINGS)
    }

    /// Whether games are kept as files in this folder.
    #[must_use]
    pub fn keeps_files(&self) -> bool {
        self.settings.store == FILES
    }

    /// The seed of the service's signing key, if there is one yet.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn service_seed(&self) -> Result<Option<Hash>, StoreError> {
        let text = match fs::read_to_string(self.service_secrets()) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        Ok({ whole }.find_map(|line| match serde_json::from_str(line) {
            Ok(Secret::Key { seed }) => Some(seed),
            _ => None,
        }))
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The journal of a game.
    pub fn journal(&self, game: &str) -> PathBuf {
        self.journals().join(format!("{game}.jsonl"))
    }

    /// The folder of the journals.
    #[must_use]
    pub fn journals(&self) -> PathBuf {
        self.root.join("journal")
    }

    /// The secrets of a game.
    pub fn secrets(&self, game: &str) -> PathBuf {
        self.root.join("secrets").join(format!("{game}.jsonl"))
    }

    /// Where the mails to a game are kept as they came in.
    #[must_use]
    pub fn taken(&self) -> PathBuf {
        self.root.join("mail").join("taken")
    }

    /// The service's own secrets: its signing key. No game's id holds an underscore, so no game's file is meant.
    pub fn service_secrets(&self) -> PathBuf {
        self.root.join("secrets").join("_service.jsonl")
    }

    /// Where a component file of an owner's own is kept, by its hash.
    pub fn components(&self, hash: &str) -> PathBuf {
        self.root.join("components").join(format!("{hash}.toml"))
    }

    /// The texts of all component files of owners' own.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn own_components(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.root.join("components");
        if !folder.try_exists()? {
            return Ok(Vec::new());
        }
        let mut texts = Vec::new();
        for file in fs::read_dir(folder)? {
            texts.push(fs::read_to_string(file?.path())?);
        }
        Ok(texts)
    }

    /// Makes the folders that hold journals and secrets.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn make_folders(&self) -> Result<(), StoreError> {
        let (journals, secrets) = (self.root.join("journal"), self.root.join("secrets"));
        if journals.is_dir() && secrets.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(journals)?;
        fs::create_dir_all(&secrets)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&secrets, std::fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    /// One of the Maildirs.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    pub fn mail(&self, folder: MailFolder) -> Result<Maildir, StoreError> {
        let name = match folder {
            MailFolder::In => "in",
            MailFolder::Out => "out",
            MailFolder::Sent => "sent",
            MailFolder::Refused => "refused",
            MailFolder::Poison => "poison",
        };
        Ok(Maildir::open(self.root.join("mail").join(name))?)
    }

    /// The lock of the outbox: whoever sends holds it, so that no mail is handed over by two processes at once.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn lock_outbox(&self) -> Result<fs::File, StoreError> {
        let path = self.root.join("mail").join(".sending");
        let file = fs::OpenOptions::new().append(true).create(true).open(path)?;
        file.file().lock()?;
        Ok(file)
    }

    /// The ids of all games of this host, sorted. A journal without a byte is none: its game was never opened.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn games(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.root.join("journal");
        if !folder.try_exists()? {
            return Ok(Vec::new());
        }
        let mut games = Vec::new();
        for file in fs::read_dir(folder)? {
            let file = file?;
            if file.metadata()?.len() == 0 {
                continue;
            }
            let name = file.file_name();
            if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".jsonl")).filter(|id| is_game_id(id)) {
                games.push(id.to_owned());
            }
        }
        games.sort();
        Ok(games)
    }

    fn dkim_settings(&self) -> Option<&Dkim> {
        match &self.settings.mail_out {
            MailOut::Smtp(smtp) => smtp.dkim.as_ref(),
            MailOut::Maildir => None,
        }
    }

    /// The file of the key with which letters are signed, if the settings name one.
    #[must_use]
    pub fn dkim_file(&self) -> Option<PathBuf> {
        self.dkim_settings().map(|dkim| self.root.join(&dkim.key_file))
    }

    /// The key with which letters are signed, if the settings name one.
    ///
    /// # Errors
    /// [`StoreError::Io`] when its file cannot be read, [`StoreError::Settings`] when there is no key in it.
    pub fn dkim(&self) -> Result<Option<DkimKey>, StoreError> {
        let (Some(dkim), Some(path)) = (self.dkim_settings(), self.dkim_file()) else { return Ok(None) };
        let plain = self.addresses.plain();
        let own = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        let key = DkimKey::new(dkim.domain.as_deref().unwrap_or(own), &dkim.selector, &fs::read(&path)?);
        Ok(Some(key.map_err(|why| StoreError::Settings { path, why: why.to_string() })?))
    }

    /// How to reach the mail server, if mails leave by one.
    ///
    /// # Errors
    /// As [`Host::dkim`], and [`StoreError::Io`] when the password file cannot be read.
    pub fn smtp(&self) -> Result<Option<SmtpConfig>, StoreError> {
        let MailOut::Smtp(smtp) = &self.settings.mail_out else { return Ok(None) };
        let login = self.login(smtp.password_file.as_deref(), smtp.token_command.as_ref())?;
        Ok(Some(SmtpConfig {
            host: smtp.host.clone(),
            port: smtp.port,
            security: match smtp.security {
                SmtpSecurity::Tls => Security::Implicit,
                SmtpSecurity::Starttls => Security::StartTls,
                SmtpSecurity::None => Security::None,
            },
            credentials: smtp.user.clone().map(|user| (user, login)),
            hello_name: None,
            ca: smtp.ca.as_ref().map(|file| fs::read(self.root.join(file))).transpose()?,
            timeout: Duration::from_secs(smtp.timeout.clamp(1, 600)),
            dkim: self.dkim()?.map(Arc::new),
        }))
    }
}

/// Checks the name of a time zone.
///
/// # Errors
/// [`StoreError::Zone`] when it is not in the IANA database.
pub fn check_zone(name: &str) -> Result<(), StoreError> {
    match name.parse::<chrono_tz::Tz>() {
        Ok(_) => Ok(()),
        Err(_) => Err(StoreError::Zone { name: name.to_owned() }),
    }
}

/// Whether the setting `store` names a place for games.
pub fn is_store(text: &str) -> bool {
    text == FILES || is_database(text)
}

/// Whether this is the address of a database.
pub fn is_database(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}
