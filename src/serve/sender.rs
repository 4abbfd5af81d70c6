//! Sending of letters in a thread of its own, so that nothing else ever waits for a mail server.

use super::{
    inbox::{Watch, Woken},
    state::State,
};
use postrider_store::{Host, HostStore, Queue, Sending, Sent, StoreError, put_out};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// Interval at which the outbox is checked without a notification, because other programs also
/// write letters.
const LOOK: Duration = Duration::from_millis(100);

/// Delay that lets letters written in quick succession be sent together.
const GATHER: Duration = Duration::from_millis(20);

/// Interval of retries for waiting letters, as far as the delays of letters and server allow.
const AGAIN: Duration = Duration::from_secs(5);

/// The means of sending letters.
pub(super) enum Way {
    /// A mail server.
    Server(Box<Sending>),
    /// The folder `mail/out`, filled from a database.
    Folder,
}

impl Way {
    fn run(&mut self, host: &Host, store: &HostStore) -> Result<Sent, StoreError> {
        match self {
            Way::Server(sending) => sending.run(store.as_store()),
            Way::Folder => Ok(Sent { sent: put_out(host, store.as_store())?, ..Sent::default() }),
        }
    }

    fn rest(&mut self) {
        if let Way::Server(sending) = self {
            sending.rest();
        }
    }
}

/// Sends letters until the process ends.
pub(super) fn send(
    host: &Host,
    store: &HostStore,
    mut way: Way,
    state: &Arc<State>,
    woken: &Receiver<Woken>,
) -> Result<(), StoreError> {
    let mut watch = Watch::of(host, store, Queue::Out)?;
    let (mut waiting, mut tried) = (true, None::<Instant>);
    while !state.stops() {
        let told = match woken.recv_timeout(LOOK) {
            Ok(Woken) => true,
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if told {
            thread::sleep(GATHER);
            while woken.try_recv().is_ok() {}
        }
        let again = waiting && tried.is_none_or(|at| at.elapsed() >= AGAIN);
        if !(watch.changed() || again) {
            way.rest();
            continue;
        }
        match way.run(host, store) {
            Ok(sent) => {
                waiting = sent.waiting.0 > 0;
                tell(&sent, state);
            }
            Err(why) => {
                waiting = true;
                state.fails("sender", &why.to_string());
            }
        }
        tried = Some(Instant::now());
    }
    Ok(())
}

fn tell(sent: &Sent, state: &State) {
    state.sent(sent.sent, sent.refused.len(), sent.waiting.0);
    for (letter, why) in &sent.refused {
        tracing::error!(letter, why = super::state::without_addresses(why), "a letter was refused for good");
    }
    if sent.sent > 0 {
        tracing::info!(letters = sent.sent, waiting = sent.waiting.0, "letters were handed over");
    }
    match &sent.trouble {
        None => state.works("sender"),
        Some(why) => state.fails("sender", why),
    }
}
