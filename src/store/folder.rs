//! A host's folder: its settings and the paths of its files.

use super::{MailIn, StoreError, settings_file::explained};
use fs_err as fs;
use postrider_dice::Hash;
use postrider_disk as disk;
use postrider_journal::{Secret, is_game_id};
use postrider_mail::{AddressBookConfig, DkimFault, DkimKey, SIGNATURES};
use postrider_mailbox::Maildir;
use postrider_replay::Zone;
use postrider_wire::{Security, SmtpConfig};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Read as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The name of the settings file in a host's folder.
pub const SETTINGS: &str = "postrider.toml";

/// The content of a new host's settings file: every setting as a comment, with its default or an
/// example.
pub const DEFAULT_SETTINGS: &str = include_str!("../../templates/postrider.toml");

/// The settings of a host in `postrider.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The service's own mail address.
    pub address: String,
    /// The display name of its mails.
    pub name: String,
    /// The separator between the address and a question's token: `+`, `=`, or nothing for hosts
    /// without sub-addressing.
    pub separator: String,
    /// The time zone of players who have not named one (IANA name).
    pub time_zone: String,
    /// A folder whose files replace the built-in templates of the same names; relative to the
    /// host's folder.
    pub templates: Option<PathBuf>,
    /// `true` if letters have an HTML part in addition to their text.
    pub html: bool,
    /// `true` to accept a mail whose `Sender` differs from its author's address.
    pub other_senders: bool,
    /// The required check of signatures (DKIM) of incoming mails; a seat can have its own rule.
    pub sender_check: SenderCheck,
    /// Domains, such as those of mailing lists, that are trusted to report that a mail was signed
    /// before they changed it (ARC).
    pub arc_sealers: Vec<String>,
    /// The name server to query for keys; the system's if there is none.
    pub resolver: Option<SocketAddr>,
    /// The maximum number of mails answered per hour to a seat, or to an address without a seat,
    /// and twice that to the address of a seat; 0 for no limit.
    pub answers_per_hour: usize,
    /// `true` if players may ask for the steady bot's advice (`advice`) and follow it (`as
    /// advised`).
    pub advice: bool,
    /// The host's own mail address for messages from players; without one they wait to be read.
    pub host_mail: Option<String>,
    /// The messages that players may send each other.
    pub press: PressRule,
    /// The people who may watch games by writing `watch` and a game's id.
    pub watching: Watching,
    /// The time for which mails are kept as they came in.
    pub keep_mails: KeepMails,
    /// The letters that include a picture of the map.
    pub pictures: Pictures,
    /// The way out for mails.
    pub mail_out: MailOut,
    /// The ways in for mails, for `serve`.
    pub mail_in: MailIn,
    /// The place of games and mails: `files` in the host's folder, or the address of a database,
    /// `postgres://user@host/name`.
    pub store: String,
    /// Further settings of that database.
    pub postgres: Postgres,
    /// The address of the status page of `serve`: `127.0.0.1:9925`, or `unix:` and a path; none if
    /// not set.
    pub status_page: Option<String>,
    /// The address at which `serve` shows the games, in the same form; none if not set.
    pub http_page: Option<String>,
    /// The address of these pages for the world, such as `https://play.example.org/games`.
    pub http_url: Option<String>,
    /// The file whose first line is the password of the host's own page; relative to the host's
    /// folder. Without one there is no such page.
    pub http_password_file: Option<PathBuf>,
}

/// The value of `store` for files in the host's folder.
pub const FILES: &str = "files";

/// The settings of a PostgreSQL database other than its address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Postgres {
    /// The number of standbys that must have a commit before it counts. With 0 a single server is
    /// enough, and committed data is lost with its disk.
    pub standbys: u32,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// A file with a certificate to trust in addition to the system's (PEM); relative to the host's
    /// folder.
    pub ca: Option<PathBuf>,
}

impl Default for Postgres {
    fn default() -> Self {
        Postgres { standbys: 1, password_file: None, ca: None }
    }
}

/// The required check of signatures (DKIM, RFC 6376) of incoming mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SenderCheck {
    /// Signatures are ignored.
    #[default]
    Off,
    /// Signatures are checked, and the results are stored.
    Recorded,
    /// A mail for which its author's domain does not vouch gives no orders.
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

/// The messages that players may send each other through the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PressRule {
    /// Messages that name their author.
    #[default]
    Named,
    /// Also anonymous messages.
    Anonymous,
    /// No messages, except to the host.
    None,
}

/// The people who may start to watch a game by mail. Those named by the host may always watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Watching {
    /// No one.
    Off,
    /// People who play in or watch some game of this host.
    #[default]
    Players,
    /// Anyone. A stranger first gets a letter that asks for confirmation; the number of such
    /// letters is limited.
    Anyone,
}

/// The time for which mails that had an effect are kept as they came in, under their SHA-256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(
    rename_all = "lowercase",
    expecting = "the value must be \"game\", \"always\", \"never\" or a whole number of days"
)]
pub enum KeepMails {
    /// Until thirty days after the end of their game.
    #[default]
    Game,
    /// Until they are removed by hand.
    Always,
    /// Not at all.
    Never,
    /// For this number of days.
    #[serde(untagged)]
    Days(u32),
}

/// The letters that include a picture of the map. The picture is in the HTML part; letters without
/// one have no picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pictures {
    /// Letters that are sent by a mail server.
    #[default]
    Smtp,
    /// All letters that ask a question or show the position.
    Always,
    /// No letters.
    Never,
}

impl Settings {
    /// Returns `true` if bounces of a seat's letters go to an address of its own (VERP).
    #[must_use]
    pub fn verp(&self) -> bool {
        matches!(&self.mail_out, MailOut::Smtp(smtp) if smtp.verp) && !self.separator.is_empty()
    }

    /// Returns `true` if pictures are drawn for letters.
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
            http_page: None,
            http_url: None,
            http_password_file: None,
        }
    }
}

/// The way out for mails.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MailOut {
    /// They stay in `mail/out` for the host's own mail system.
    #[default]
    Maildir,
    /// A mail server sends them.
    Smtp(Box<Smtp>),
}

/// A mail server that sends this host's mails.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    /// Its name.
    pub host: String,
    /// Its port; default 465.
    #[serde(default = "Smtp::default_port")]
    pub port: u16,
    /// `tls` from the first byte (default), `starttls`, or `none` for a server on this machine.
    #[serde(default)]
    pub security: SmtpSecurity,
    /// The user, if the server requires one.
    pub user: Option<String>,
    /// The file whose first line is the password; relative to the host's folder.
    pub password_file: Option<PathBuf>,
    /// A program with its arguments that prints an access token (OAuth 2), instead of a password.
    pub token_command: Option<Vec<String>>,
    /// A file with a certificate to trust in addition to the system's (PEM); relative to the host's
    /// folder.
    pub ca: Option<PathBuf>,
    /// The timeout for each answer of the server, in seconds; default 20.
    #[serde(default = "Smtp::default_timeout")]
    pub timeout: u64,
    /// `true` to have bounces sent to an address of the seat's own (VERP). Requires a separator.
    #[serde(default = "Smtp::default_verp")]
    pub verp: bool,
    /// The key with which letters are signed (DKIM), unless the server signs them.
    pub dkim: Option<Dkim>,
}

/// A key for signing letters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dkim {
    /// The name of the key: its DNS record is at `<selector>._domainkey.<domain>`.
    pub selector: String,
    /// The domain; default: that of the service's address.
    pub domain: Option<String>,
    /// The file of the private key (PEM); relative to the host's folder.
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

/// The encryption of a connection to a mail server.
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
    /// Incoming mails that wait for `receive --maildir`.
    In,
    /// Letters that wait to be sent.
    Out,
    /// Letters that were handed over.
    Sent,
    /// Letters that were refused or bounced, and mails that are not answered, such as those from
    /// machines.
    Refused,
    /// Mails that could not be handled, each with its reason.
    Poison,
}

/// Checks that the path is a folder.
///
/// # Errors
/// Returns [`StoreError::NoHost`] with the reason.
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

/// Checks that the path is a host's folder: one with settings or with journals.
///
/// # Errors
/// Returns [`StoreError::NoHost`] with the reason.
pub fn is_host(root: &Path) -> Result<(), StoreError> {
    is_folder(root)?;
    if root.join(SETTINGS).exists() || root.join("journal").is_dir() {
        return Ok(());
    }
    let why = format!("{} is no host's folder: it holds neither {SETTINGS} nor journal/", root.display());
    Err(StoreError::NoHost { why })
}

/// Maximum length of a component file in bytes. Those of the games have up to 50,000.
const MAX_COMPONENTS: u64 = 1 << 20;

/// Reads a component file.
///
/// # Errors
/// Returns an [`io::Error`] if it cannot be read, or is longer than a mebibyte.
pub fn read_components(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(MAX_COMPONENTS + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MAX_COMPONENTS {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{}: a component file has at most 1 MiB", path.display()),
        )),
        false => Ok(text),
    }
}

impl Host {
    /// Opens a host's folder, which must contain a settings file.
    ///
    /// # Errors
    /// Returns [`StoreError::NoHost`] if there is no such folder, [`StoreError::NoSettings`] if it
    /// has no settings file, and [`StoreError::Settings`] if that is invalid.
    pub fn open(root: impl Into<PathBuf>) -> Result<Host, StoreError> {
        let root = root.into();
        is_host(&root)?;
        let path = root.join(SETTINGS);
        let text = fs::read_to_string(&path).map_err(|why| StoreError::NoSettings { error: why })?;
        Host::with_settings(root, &text)
    }

    /// Opens a host's folder for reading. A folder without a settings file gets the default
    /// settings, even if it is not a host's folder ([`is_host`]). Creates no file.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if there is a settings file and it is invalid.
    pub fn look(root: impl Into<PathBuf>) -> Result<Host, StoreError> {
        let root = root.into();
        let path = root.join(SETTINGS);
        let text = if path.try_exists()? { fs::read_to_string(&path)? } else { DEFAULT_SETTINGS.to_owned() };
        Host::with_settings(root, &text)
    }

    /// Opens a host's folder with this text as its settings.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if the text is invalid.
    pub fn with_settings(root: impl Into<PathBuf>, text: &str) -> Result<Host, StoreError> {
        let root = root.into();
        let path = root.join(SETTINGS);
        let settings: Settings = toml::from_str(text)
            .map_err(|why| StoreError::Settings { path: path.clone(), why: explained(text, &why) })?;
        let wrong = |why: String| StoreError::Settings { path: path.clone(), why };
        let (local, name) = settings
            .address
            .split_once('@')
            .ok_or_else(|| wrong(format!("the address \"{}\" has no @; write it as name@domain", settings.address)))?;
        let separator = match settings.separator.as_str() {
            "" => None,
            one if one.chars().count() == 1 => one.chars().next(),
            other => return Err(wrong(format!("the separator is one character or \"\", not \"{other}\""))),
        };
        if !is_store(&settings.store) {
            return Err(wrong(format!(
                "store = {:?} is not valid: it is \"{FILES}\", or the address of a database such as \
                 \"postgres://user@host/name\"",
                settings.store
            )));
        }
        if settings.sender_check == SenderCheck::Required && !SIGNATURES {
            let why = "sender_check = \"required\" needs signatures";
            return Err(wrong(format!("{why}: {}", DkimFault::Absent)));
        }
        check_zone(&settings.time_zone).map_err(|why| wrong(format!("time_zone: {why}")))?;
        if let Some(mail) = settings.host_mail.as_ref().filter(|mail| !mail.contains('@')) {
            return Err(wrong(format!("host_mail: \"{mail}\" has no @; write it as name@domain")));
        }
        let addresses = AddressBookConfig::new(local, separator, name).map_err(|why| wrong(why.to_string()))?;
        Ok(Host { root, settings, addresses })
    }

    /// Opens a host's folder; makes it one with default settings if it has no settings file.
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

    /// Returns an error of the settings file.
    pub(crate) fn wrong(&self, why: String) -> StoreError {
        StoreError::Settings { path: self.root.join(SETTINGS), why }
    }

    /// Reads a file that this setting names, relative to the folder.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if it cannot be read.
    pub fn file_of(&self, setting: &str, file: &Path) -> Result<Vec<u8>, StoreError> {
        let path = self.root.join(file);
        std::fs::read(&path).map_err(|why| self.wrong(format!("{setting}: {} cannot be read: {why}", path.display())))
    }

    /// Returns `true` if games are stored as files in this folder.
    #[must_use]
    pub fn keeps_files(&self) -> bool {
        self.settings.store == FILES
    }

    /// Returns the seed of the service's signing key, if there is one.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn service_seed(&self) -> Result<Option<Hash>, StoreError> {
        match fs::read_to_string(self.service_secrets()) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
            text => Ok(first_key(&text?)),
        }
    }

    /// Returns the path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a game's journal.
    pub fn journal(&self, game: &str) -> PathBuf {
        self.journals().join(format!("{game}.jsonl"))
    }

    /// Returns the path of the journals' folder.
    #[must_use]
    pub fn journals(&self) -> PathBuf {
        self.root.join("journal")
    }

    /// Returns the path of a game's secrets.
    pub fn secrets(&self, game: &str) -> PathBuf {
        self.root.join("secrets").join(format!("{game}.jsonl"))
    }

    /// Returns the path of the folder in which mails are kept as they came in.
    #[must_use]
    pub fn taken(&self) -> PathBuf {
        self.root.join("mail").join("taken")
    }

    /// Returns the path of the service's own secrets: its signing key. No game's id contains an
    /// underscore, so it cannot collide with a game's file.
    pub fn service_secrets(&self) -> PathBuf {
        self.root.join("secrets").join("_service.jsonl")
    }

    /// Returns `true` if there are secrets of a game.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn has_secrets(&self) -> Result<bool, StoreError> {
        let names = fs::read_dir(self.root.join("secrets"))?.map(|file| Ok::<_, StoreError>(file?.file_name()));
        let names = names.collect::<Result<Vec<_>, _>>()?;
        let is_of_game = |name: &str| name.ends_with(".jsonl") && !name.starts_with('_');
        Ok(names.iter().any(|name| is_of_game(&name.to_string_lossy())))
    }

    /// Returns the path of an additional component file, given by its hash.
    pub fn components(&self, hash: &str) -> PathBuf {
        self.root.join("components").join(format!("{hash}.toml"))
    }

    /// Returns the texts of all additional component files.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub fn own_components(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.root.join("components");
        if !folder.try_exists()? {
            return Ok(Vec::new());
        }
        let mut texts = Vec::new();
        for file in fs::read_dir(folder)? {
            texts.push(read_components(&file?.path())?);
        }
        Ok(texts)
    }

    /// Creates the folders of journals and secrets.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
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

    /// Opens one of the Maildirs.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`].
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

    /// Locks the outbox for sending, so that no mail is handed over by two processes at once.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    pub(crate) fn lock_outbox(&self) -> Result<fs::File, StoreError> {
        let path = self.root.join("mail").join(".sending");
        let file = fs::OpenOptions::new().append(true).create(true).open(path)?;
        file.file().lock()?;
        Ok(file)
    }

    /// Returns the ids of all games of this host, sorted. An empty journal does not count, because
    /// its game was never opened.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
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

    /// Returns the path of the key with which letters are signed, if the settings name one.
    #[must_use]
    pub fn dkim_file(&self) -> Option<PathBuf> {
        self.dkim_settings().map(|dkim| self.root.join(&dkim.key_file))
    }

    /// Returns the key with which letters are signed, if the settings name one.
    ///
    /// # Errors
    /// Returns [`StoreError::Settings`] if its file cannot be read or contains no key.
    pub fn dkim(&self) -> Result<Option<DkimKey>, StoreError> {
        let Some(dkim) = self.dkim_settings() else { return Ok(None) };
        let setting = "mail_out.smtp.dkim.key_file";
        let pem = self.file_of(setting, &dkim.key_file)?;
        let plain = self.addresses.plain();
        let own = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        let key = DkimKey::new(dkim.domain.as_deref().unwrap_or(own), &dkim.selector, &pem);
        Ok(Some(key.map_err(|why| self.wrong(format!("{setting}: {}: {why}", dkim.key_file.display())))?))
    }

    /// Returns the configuration of the mail server, if mails are sent by one.
    ///
    /// # Errors
    /// As [`Host::dkim`], also if the password file or the certificate cannot be read.
    pub fn smtp(&self) -> Result<Option<SmtpConfig>, StoreError> {
        let MailOut::Smtp(smtp) = &self.settings.mail_out else { return Ok(None) };
        let login = self.login("mail_out.smtp", smtp.password_file.as_deref(), smtp.token_command.as_ref())?;
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
            ca: smtp.ca.as_ref().map(|file| self.file_of("mail_out.smtp.ca", file)).transpose()?,
            timeout: Duration::from_secs(smtp.timeout.clamp(1, 600)),
            dkim: self.dkim()?.map(Arc::new),
        }))
    }
}

/// Returns the seed in the first complete line that has one.
#[must_use]
pub fn first_key(text: &str) -> Option<Hash> {
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    { whole }.find_map(|line| match serde_json::from_str(line) {
        Ok(Secret::Key { seed }) => Some(seed),
        _ => None,
    })
}

/// Checks the name of a time zone.
///
/// # Errors
/// Returns [`StoreError::Zone`] if it is not in the IANA database.
pub fn check_zone(name: &str) -> Result<(), StoreError> {
    match Zone::named(name) {
        Some(_) => Ok(()),
        None => Err(StoreError::Zone { name: name.to_owned() }),
    }
}

/// Returns `true` if the text is a valid value of the setting `store`.
pub(crate) fn is_store(text: &str) -> bool {
    text == FILES || is_database(text)
}

/// Returns `true` if the text is the address of a database.
pub(crate) fn is_database(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}
