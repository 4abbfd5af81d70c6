//! Simulated ends of the program and broken connections at any statement, for tests on this thread.

use crate::StoreError;
use postgres::Client;
use std::cell::Cell;

/// A simulated fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program ends before the statement is sent.
    EndsBefore,
    /// The program ends after the server has executed the statement.
    EndsAfter,
    /// The connection breaks before the statement is sent.
    BreaksBefore,
    /// The connection breaks after the server has executed the statement.
    BreaksAfter,
}

/// All faults.
pub const FAULTS: [Fault; 4] = [Fault::EndsBefore, Fault::EndsAfter, Fault::BreaksBefore, Fault::BreaksAfter];

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static AT: Cell<Option<(u64, Fault)>> = const { Cell::new(None) };
    static ENDED: Cell<bool> = const { Cell::new(false) };
}

/// Starts counting statements; the fault happens at the given one.
pub fn begin(at: Option<(u64, Fault)>) {
    COUNT.set(0);
    AT.set(at);
    ENDED.set(false);
}

/// Stops what [`begin`] started; returns the number of statements.
pub fn end() -> u64 {
    AT.set(None);
    ENDED.set(false);
    COUNT.get()
}

fn error(why: &str) -> StoreError {
    StoreError::Database { place: "a trial".to_owned(), why: why.to_owned() }
}

/// Returns an error after the program has ended.
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
        // The server notices this as it notices a cut connection.
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
