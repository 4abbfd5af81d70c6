//! What can go wrong on a disk, on purpose.
//!
//! [`run`] numbers every [`Call`] that some work makes and lets one of them go wrong. It also keeps the books of a disk
//! with a cache: what was changed and not synced since can be taken back by [`power_cut`], as if the machine had lost its
//! power. Syncs are only noted down, not made, so that thousands of runs take seconds.
//!
//! Two extremes bound what a real machine does: a killed program leaves all that it wrote, a power cut takes all that was
//! not synced. What is right after both is right after anything between them.

use super::Call;
use std::{
    cell::RefCell,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program is killed before it.
    Kill,
    /// The program is killed within it: of a write this many hundredths are done, anything else not at all.
    Torn(usize),
    /// The machine loses its power before it.
    PowerCut,
    /// The disk is full from here on: of this write the first half still fits.
    Full,
    /// The system reports an error, this once.
    Error,
}

impl Fault {
    /// All of them, with two places at which a write is torn.
    pub const ALL: [Fault; 6] =
        [Fault::Kill, Fault::Torn(50), Fault::Torn(99), Fault::PowerCut, Fault::Full, Fault::Error];
}

impl Fault {
    /// Whether it can happen at a call, given in the words of a [`Trace`]. Nothing but a write can be done by halves.
    pub fn concerns(self, call: &str) -> bool {
        match self {
            Fault::Torn(_) => call.starts_with("write"),
            Fault::Full => call.starts_with("write") || call.starts_with("create"),
            Fault::Kill | Fault::PowerCut | Fault::Error => true,
        }
    }
}

/// What some work did to the disk.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Every call, in words: `write journal/lone-pine.jsonl`.
    pub calls: Vec<String>,
}

#[derive(Default)]
struct Plan {
    at: Option<(usize, Fault)>,
    /// The program is no more: nothing that it still tries has any effect.
    dead: bool,
    full: bool,
    trace: Trace,
}

/// How a change that is not yet safe is taken back, and what makes it safe.
enum Undo {
    /// A file's bytes as they were; its own sync makes the new ones safe.
    Bytes(PathBuf, Vec<u8>),
    /// A name that was not listed; its folder's sync makes it safe.
    Listed(PathBuf),
    /// A name that was listed, and the bytes under it.
    Gone(PathBuf, Vec<u8>),
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
    /// Oldest first. It outlives a program: the system's cache is not emptied by a kill.
    static UNSAFE: RefCell<Vec<Undo>> = const { RefCell::new(Vec::new()) };
}

/// Does some work as a program of its own would, with one fault at the call of this number (from 0) or without any.
pub fn run<T>(fault: Option<(usize, Fault)>, work: impl FnOnce() -> T) -> (T, Trace) {
    PLAN.set(Some(Plan { at: fault, ..Plan::default() }));
    let done = work();
    let plan = PLAN.take().unwrap_or_default();
    (done, plan.trace)
}

/// Takes back, newest first, all that was never made safe.
pub fn power_cut() {
    let undo = UNSAFE.take();
    for change in undo.into_iter().rev() {
        match change {
            // A file that is no longer under its name has been taken back already.
            Undo::Bytes(path, bytes) if path.exists() => fs::write(path, bytes).unwrap(),
            Undo::Gone(path, bytes) => put_back(&path, &bytes),
            Undo::Bytes(..) => {}
            Undo::Listed(path) => _ = fs::remove_file(path),
        }
    }
}

/// Forgets what is not safe: the files are looked at no more.
pub fn forget() {
    UNSAFE.take();
}

fn put_back(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

/// Makes a change, or lets it go wrong.
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

/// Makes safe what was changed, in the books alone while some work is watched, or lets it go wrong.
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

/// Notes down how a change that was made can be taken back.
fn note(call: Call<'_>, before: Vec<Undo>) {
    UNSAFE.with_borrow_mut(|all| {
        if let Call::Publish(from, to) | Call::Rename(from, to) = call {
            // Bytes that are not safe go with their file.
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

/// How this change could be taken back.
fn before(call: Call<'_>) -> Vec<Undo> {
    let gone = |path: &Path| fs::read(path).ok().map(|bytes| Undo::Gone(path.to_owned(), bytes));
    match call {
        Call::Create(path) => vec![Undo::Listed(path.to_owned())],
        // Of several writes that are not synced the first one's "before" is the one to go back to.
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

/// A call in words. Random parts of temporary names are left out.
fn words(call: Call<'_>) -> String {
    let name = |path: &Path| {
        let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let mut parts = parts[parts.len().saturating_sub(3)..].to_vec();
        if let Some(last) = parts.last_mut().filter(|last| last.ends_with(".tmp")) {
            *last = "a temporary file".to_owned();
        }
        // The tests' own folders have names of this sort.
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
