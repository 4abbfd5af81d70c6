//! A program that ends, or a connection that breaks, at any statement: for tests of this thread.

use crate::StoreError;
use postgres::Client;
use std::cell::Cell;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program ends before the statement is sent.
    EndsBefore,
    /// The program ends when the server has done it.
    EndsAfter,
    /// The connection breaks before the statement is sent.
    BreaksBefore,
    /// The connection breaks when the server has done it.
    BreaksAfter,
}

/// All of them.
pub const FAULTS: [Fault; 4] = [Fault::EndsBefore, Fault::EndsAfter, Fault::BreaksBefore, Fault::BreaksAfter];

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static AT: Cell<Option<(u64, Fault)>> = const { Cell::new(None) };
    static ENDED: Cell<bool> = const { Cell::new(false) };
}

/// Counts from here on; the fault comes at that statement.
pub fn begin(at: Option<(u64, Fault)>) {
    COUNT.set(0);
    AT.set(at);
    ENDED.set(false);
}

/// Ends what was begun; says how many statements there were.
pub fn end() -> u64 {
    AT.set(None);
    ENDED.set(false);
    COUNT.get()
}

fn error(why: &str) -> StoreError {
    StoreError::Database { place: "a trial".to_owned(), why: why.to_owned() }
}

/// Whether the program still is.
pub(super) fn alive() -> Result<(), StoreError> {
    if ENDED.get() { Err(error("the program has ended")) } else { Ok(()) }
}

fn comes(client: &mut Client, ends: Fault, breaks: Fault) -> Result<(), StoreError> {
    let now = AT.get().filter(|(at, _)| *at == COUNT.get()).map(|(_, fault)| fault);
    if now == Some(ends) {
        ENDED.set(true);
        return alive();
    }
    if now == Some(breaks) {
        AT.set(None);
        // The server notices it as when the way there is cut.
        let _ = client.batch_execute("SELECT pg_terminate_backend(pg_backend_pid())");
        return Err(error("the connection is broken"));
    }
    Ok(())
}

pub(super) fn before(client: &mut Client) -> Result<(), StoreError> {
    alive()?;
    comes(client, Fault::EndsBefore, Fault::BreaksBefore)
}

pub(super) fn after(client: &mut Client) -> Result<(), StoreError> {
    let done = comes(client, Fault::EndsAfter, Fault::BreaksAfter);
    COUNT.set(COUNT.get() + 1);
    done
}
