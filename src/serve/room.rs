//! Who is connected: so many at once, and when that many are, whoever has kept silent longest makes room. Connections that do nothing hold up
//! nobody.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::Notify,
    time::{Instant, sleep},
};

/// So often it is looked whether somebody has kept silent for long enough.
const LOOK: Duration = Duration::from_millis(250);

/// A number of places.
#[derive(Debug)]
pub(super) struct Room {
    most: usize,
    /// Whoever has said nothing for so long gives way to others.
    silence: Duration,
    places: Mutex<Vec<Arc<Held>>>,
    left: Notify,
}

/// A place that somebody has.
#[derive(Debug)]
struct Held {
    /// Since when nothing came from there; `None` while he is served.
    silent: Mutex<Option<Instant>>,
    ends: Notify,
}

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    room: Arc<Room>,
    held: Arc<Held>,
}

/// Nothing is left half done by whoever holds one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Room {
    /// Room for so many, of whom one gives way who has been silent for so long.
    pub fn new(most: usize, silence: Duration) -> Arc<Room> {
        Arc::new(Room { most, silence, places: Mutex::default(), left: Notify::new() })
    }

    /// A place, as soon as there is one: where all are taken, that of whoever has been silent longest, and long enough.
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
    /// He is being served, and gives way to nobody.
    pub fn serves(&self) {
        *lock(&self.held.silent) = None;
    }

    /// It is his turn to say something.
    pub fn listens(&self) {
        *lock(&self.held.silent) = Some(Instant::now());
    }

    /// Comes when he is to make room.
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
            // Where all are served, it is waited for one of them.
            assert!(timeout(millis(1_500), room.enter()).await.is_err());
            assert!(timeout(millis(10), served.ends()).await.is_err());
            drop(served);
            assert!(timeout(Duration::from_secs(10), room.enter()).await.is_ok());
        });
    }
}
