//! A pager for long texts at a terminal.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal, Write},
    process::{Command, Stdio},
};
use terminal_size::{Height, terminal_size};

/// The pager if PAGER is not set.
const PAGER: &str = "less";
/// Options of `less`, unless LESS is set: show colours, and leave text that fits on the screen
/// there.
const LESS: &str = "FRX";

/// Writes a text to standard output, through the pager if it is longer than the terminal.
///
/// # Errors
///
/// Returns errors of writing, except that closing the pager early is not an error.
pub(crate) fn show(text: &str) -> io::Result<()> {
    let rows = terminal_size().filter(|_| io::stdout().is_terminal() && io::stdin().is_terminal());
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    let wanted = pager(env::var_os("PAGER")).filter(|_| !dumb);
    if let (Some((_, Height(rows))), Some(pager)) = (rows, wanted)
        && text.lines().count() >= usize::from(rows)
        && paged(&pager, text)?
    {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Returns the command for a value of PAGER; `None` for no pager.
fn pager(named: Option<OsString>) -> Option<OsString> {
    let named = named.unwrap_or_else(|| PAGER.into());
    let plain = named.to_str().is_some_and(|name| matches!(name.trim(), "" | "cat"));
    (!plain).then_some(named)
}

/// Shows a text in the pager; returns `false` if the pager does not exist.
fn paged(pager: &OsString, text: &str) -> io::Result<bool> {
    let mut command = command(pager);
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return Ok(false) };
    if let Some(mut to) = child.stdin.take() {
        match to.write_all(text.as_bytes()) {
            // The reader may leave the pager before the end.
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => return Err(why),
            _ => {}
        }
    }
    // The exit status of a shell that cannot run a command (POSIX, 2.8.2).
    Ok(!matches!(child.wait()?.code(), Some(126 | 127)))
}

/// PAGER is a command line for a shell (POSIX, `man`).
#[cfg(unix)]
fn command(pager: &OsString) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(pager);
    command
}

#[cfg(not(unix))]
fn command(pager: &OsString) -> Command {
    Command::new(pager)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pager_that_ends_early_is_no_fault() {
        let long = "a line\n".repeat(100_000);
        assert!(paged(&"head -n 1 > /dev/null".into(), &long).expect("the shell runs"));
    }
}
