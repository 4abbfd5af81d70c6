//! Fault injection for the calls of this crate.
//!
//! [`run`] numbers every [`Call`] made by a piece of work and can make one of them fail. It also
//! models a disk with a cache: [`power_cut`] undoes every change that was not synced, as if the
//! machine had lost power. Syncs are only recorded, not executed, so that thousands of runs take
//! seconds.
//!
//! A real machine behaves between two extremes: a killed program keeps everything that it wrote,
//! and a power cut loses everything that was not synced. Code that recovers from both recovers from
//! anything in between.

use super::Call;
use std::{
    cell::RefCell,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The failure injected at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program is killed before the call.
    Kill,
    /// The program is killed during the call. This percentage of a write is done; any other call is
    /// not done at all.
    Torn(usize),
    /// The machine loses power before the call.
    PowerCut,
    /// The disk is full from this call on. If it is a write, the first half still fits.
    Full,
    /// The call returns an I/O error once.
    Error,
}

impl Fault {
    /// All faults, with two positions for a torn write.
    pub const ALL: [Fault; 6] =
        [Fault::Kill, Fault::Torn(50), Fault::Torn(99), Fault::PowerCut, Fault::Full, Fault::Error];
}

impl Fault {
    /// Returns `true` if the fault can happen at `call`, an entry of [`Trace::calls`]. Only a write
    /// can be torn.
    pub fn concerns(self, call: &str) -> bool {
        match self {
            Fault::Torn(_) => call.starts_with("write"),
            Fault::Full => call.starts_with("write") || call.starts_with("create"),
            Fault::Kill | Fault::PowerCut | Fault::Error => true,
        }
    }
}

/// The changes that a piece of work made to the disk.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// A description of every call, for example `write 120 bytes to journal/lone-pine.jsonl`.
    pub calls: Vec<String>,
}

#[derive(Default)]
struct Plan {
    at: Option<(usize, Fault)>,
    /// `true` once the program was killed: its further calls fail and change nothing.
    dead: bool,
    full: bool,
    trace: Trace,
}

/// The inverse of a change that is not yet synced.
enum Undo {
    /// The previous bytes of a file, until the file is synced.
    Bytes(PathBuf, Vec<u8>),
    /// A path that did not exist before, until its folder is synced.
    Listed(PathBuf),
    /// A path that existed before, with its bytes, until its folder is synced.
    Gone(PathBuf, Vec<u8>),
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
    /// Oldest first. Kept between runs, because killing a program does not empty the system's
    /// cache.
    static UNSAFE: RefCell<Vec<Undo>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` as if it were a separate program. If `fault` is given, it happens at the call with
/// its number (counted from 0).
pub fn run<T>(fault: Option<(usize, Fault)>, work: impl FnOnce() -> T) -> (T, Trace) {
    PLAN.set(Some(Plan { at: fault, ..Plan::default() }));
    let done = work();
    let plan = PLAN.take().unwrap_or_default();
    (done, plan.trace)
}

/// Undoes all changes that were never synced, newest first.
pub fn power_cut() {
    let undo = UNSAFE.take();
    for change in undo.into_iter().rev() {
        match change {
            // A file that no longer has this name has already been undone.
            Undo::Bytes(path, bytes) if path.exists() => fs::write(path, bytes).unwrap(),
            Undo::Gone(path, bytes) => put_back(&path, &bytes),
            Undo::Bytes(..) => {}
            Undo::Listed(path) => _ = fs::remove_file(path),
        }
    }
}

/// Forgets all changes that were not synced, when the files are no longer needed.
pub fn forget() {
    UNSAFE.take();
}

fn put_back(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

/// Makes a change, or fails as planned.
pub(super) fn change<T>(call: Call<'_>, make: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    match PLAN.with_borrow_mut(|plan| plan.as_mut().map(|plan| plan.next(call))) {
        None => make(),
        Some(fault) => {
            fault?;
            let before = before(call);
            let done = make()?;
            note(call, before);
            Ok(done)
        }
    }
}

/// Makes a change durable, or fails as planned. Within [`run`] it is only recorded.
pub(super) fn settle(call: Call<'_>, make: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match PLAN.with_borrow_mut(|plan| plan.as_mut().map(|plan| plan.next(call))) {
        None => make(),
        Some(fault) => {
            fault?;
            let is_safe = |undo: &Undo| match (call, undo) {
                (Call::Sync(file), Undo::Bytes(path, _)) => path == file,
                (Call::SyncFolder(folder), Undo::Listed(path) | Undo::Gone(path, _)) => path.parent() == Some(folder),
                _ => false,
            };
            UNSAFE.with_borrow_mut(|all| all.retain(|undo| !is_safe(undo)));
            Ok(())
        }
    }
}

/// Records how to undo a change that was made.
fn note(call: Call<'_>, before: Vec<Undo>) {
    UNSAFE.with_borrow_mut(|all| {
        if let Call::Publish(from, to) | Call::Rename(from, to) = call {
            // Unsynced bytes move with their file.
            for undo in all.iter_mut() {
                if let Undo::Bytes(path, _) = undo
                    && path == from
                {
                    to.clone_into(path);
                }
            }
        }
        all.extend(before);
    });
}

impl Plan {
    fn next(&mut self, call: Call<'_>) -> io::Result<()> {
        let number = self.trace.calls.len();
        if self.dead {
            return Err(io::Error::other("the program is no more"));
        }
        self.trace.calls.push(words(call));
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        if self.full && needs_room(call) {
            return Err(full());
        }
        let Some((_, fault)) = self.at.filter(|(at, _)| *at == number) else { return Ok(()) };
        match fault {
            Fault::Kill => self.dead = true,
            Fault::Torn(hundredths) => {
                self.dead = true;
                write_part(call, hundredths);
            }
            Fault::PowerCut => {
                self.dead = true;
                power_cut();
            }
            Fault::Full => {
                self.full = true;
                if !needs_room(call) {
                    return Ok(());
                }
                write_part(call, 50);
                return Err(full());
            }
            Fault::Error => return Err(io::Error::other("input/output error")),
        }
        Err(io::Error::other("the program is killed"))
    }
}

fn needs_room(call: Call<'_>) -> bool {
    matches!(call, Call::Create(_) | Call::Write(..))
}

fn write_part(call: Call<'_>, hundredths: usize) {
    if let Call::Write(path, bytes) = call {
        note(call, before(call));
        let part = &bytes[..bytes.len() * hundredths / 100];
        OpenOptions::new().append(true).open(path).unwrap().write_all(part).unwrap();
    }
}

/// Returns how to undo this change.
fn before(call: Call<'_>) -> Vec<Undo> {
    let gone = |path: &Path| fs::read(path).ok().map(|bytes| Undo::Gone(path.to_owned(), bytes));
    match call {
        Call::Create(path) => vec![Undo::Listed(path.to_owned())],
        // After several unsynced writes, the bytes before the first one are restored.
        Call::Write(path, _) | Call::Cut(path) => match is_changed(path) {
            true => Vec::new(),
            false => fs::read(path).ok().map(|bytes| Undo::Bytes(path.to_owned(), bytes)).into_iter().collect(),
        },
        Call::Sync(_) | Call::SyncFolder(_) => Vec::new(),
        Call::Publish(from, to) => gone(from).into_iter().chain([Undo::Listed(to.to_owned())]).collect(),
        Call::Rename(from, to) => {
            let replaced = gone(to).unwrap_or_else(|| Undo::Listed(to.to_owned()));
            gone(from).into_iter().chain([replaced]).collect()
        }
        Call::Remove(path) => gone(path).into_iter().collect(),
    }
}

fn is_changed(path: &Path) -> bool {
    UNSAFE.with_borrow(|all| all.iter().any(|undo| matches!(undo, Undo::Bytes(changed, _) if changed == path)))
}

/// Describes a call, without the random parts of temporary names.
fn words(call: Call<'_>) -> String {
    let name = |path: &Path| {
        let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let mut parts = parts[parts.len().saturating_sub(3)..].to_vec();
        if let Some(last) = parts.last_mut().filter(|last| last.ends_with(".tmp")) {
            *last = "a temporary file".to_owned();
        }
        // The folders of the tests have such names.
        parts.retain(|part| !part.starts_with(".tmp"));
        parts.join("/")
    };
    match call {
        Call::Create(path) => format!("create {}", name(path)),
        Call::Write(path, bytes) => format!("write {} bytes to {}", bytes.len(), name(path)),
        Call::Cut(path) => format!("cut {}", name(path)),
        Call::Sync(path) => format!("sync {}", name(path)),
        Call::SyncFolder(path) => format!("sync folder {}", name(path)),
        Call::Publish(_, to) => format!("publish {}", name(to)),
        Call::Rename(from, to) => format!("rename {} to {}", name(from), name(to)),
        Call::Remove(path) => format!("remove {}", name(path)),
    }
}
