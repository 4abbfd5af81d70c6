//! A limit on simultaneous connections. When it is reached, the connection that has been silent
//! longest makes room, so that idle connections do not block others.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::Notify,
    time::{Instant, sleep},
};

/// Interval at which connections are checked for silence.
const LOOK: Duration = Duration::from_millis(250);

/// A limited number of places.
#[derive(Debug)]
pub(super) struct Room {
    most: usize,
    /// Duration of silence after which a connection can be closed in favour of others.
    silence: Duration,
    places: Mutex<Vec<Arc<Held>>>,
    left: Notify,
}

/// A place in use.
#[derive(Debug)]
struct Held {
    /// The start of the client's silence; `None` while the client is being served.
    silent: Mutex<Option<Instant>>,
    ends: Notify,
}

/// A place in a room; it is released on drop.
#[derive(Debug)]
pub(super) struct Place {
    room: Arc<Room>,
    held: Arc<Held>,
}

/// Locks a mutex. A poisoned lock is ignored, because no holder leaves inconsistent data.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Room {
    /// Creates a room with `most` places, in which a connection silent for `silence` makes room.
    pub fn new(most: usize, silence: Duration) -> Arc<Room> {
        Arc::new(Room { most, silence, places: Mutex::default(), left: Notify::new() })
    }

    /// Waits for a free place. If all are taken, the connection that has been silent longest is
    /// asked to end, provided that it has been silent for long enough.
    pub async fn enter(self: &Arc<Room>) -> Place {
        loop {
            {
                let mut places = lock(&self.places);
                if places.len() < self.most {
                    let held = Arc::new(Held { silent: Mutex::new(Some(Instant::now())), ends: Notify::new() });
                    places.push(Arc::clone(&held));
                    return Place { room: Arc::clone(self), held };
                }
                let silent = places.iter().filter_map(|held| (*lock(&held.silent)).zip(Some(held)));
                if let Some((since, held)) = silent.min_by_key(|(since, _)| *since)
                    && since.elapsed() >= self.silence
                {
                    held.ends.notify_one();
                }
            }
            tokio::select! {
                () = self.left.notified() => {}
                () = sleep(LOOK) => {}
            }
        }
    }
}

impl Place {
    /// Marks the client as being served; it need not make room.
    pub fn serves(&self) {
        *lock(&self.held.silent) = None;
    }

    /// Marks the start of waiting for the client.
    pub fn listens(&self) {
        self.listens_since(Instant::now());
    }

    /// Marks the connection as waiting for a slow client, which counts as silent since then.
    pub fn listens_since(&self, since: Instant) {
        *lock(&self.held.silent) = Some(since);
    }

    /// Waits until the connection is asked to make room.
    pub async fn ends(&self) {
        self.held.ends.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.room.places).retain(|held| !Arc::ptr_eq(held, &self.held));
        self.room.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    #[test]
    fn whoever_is_silent_longest_makes_room_and_whoever_is_served_does_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let millis = Duration::from_millis;
            let room = Room::new(2, millis(900));
            let (served, silent) = (room.enter().await, room.enter().await);
            served.serves();
            let third = tokio::spawn({
                let room = Arc::clone(&room);
                async move { room.enter().await }
            });
            assert!(timeout(millis(300), silent.ends()).await.is_err(), "not at once");
            assert!(timeout(Duration::from_secs(10), silent.ends()).await.is_ok());
            assert!(!third.is_finished());
            drop(silent);
            let third = timeout(Duration::from_secs(10), third).await.unwrap().unwrap();
            third.serves();
            // If all are being served, a new one waits for one of them to end.
            assert!(timeout(millis(1_500), room.enter()).await.is_err());
            assert!(timeout(millis(10), served.ends()).await.is_err());
            drop(served);
            assert!(timeout(Duration::from_secs(10), room.enter()).await.is_ok());
        });
    }
}
