//! Peers that say anything, for tests and fuzz targets.

use crate::{
    games::Games,
    http, imap,
    inbox::Inbox,
    lmtp::{SILENCE, Taker},
    reader::Desk,
    room::Room,
    state::State,
};
use postrider_mail::AddressBookConfig;
use postrider_store::{Host, HostStore, MailFolder, Protocol};
use std::{
    path::Path,
    sync::{Arc, mpsc},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    runtime::{Builder, Runtime},
};

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("the system has a clock")
}

/// Returns the listener's answers to a client that says this, and the mails in the inbox of the
/// host in this folder afterwards.
pub fn lmtp(folder: &Path, protocol: Protocol, says: &[u8]) -> (String, Vec<String>) {
    let host = Host::open_or_create(folder).expect("there is room");
    let (worker, _woken) = mpsc::channel();
    let inbox = Inbox::of(HostStore::open(&host).expect("it is a folder"), Arc::new(State::new()), worker);
    let addresses = AddressBookConfig::new("postrider", Some('+'), "play.example").expect("it is an address");
    let taker = Taker { inbox, addresses: Arc::new(addresses), protocol };
    let said = runtime().block_on(async move {
        let (theirs, ours) = tokio::io::duplex(64 * 1024);
        let (mut hear, mut write) = tokio::io::split(theirs);
        let mut said = String::new();
        let writing = async {
            // A disconnected client cannot send the rest.
            let _ = write.write_all(says).await;
            let _ = write.shutdown().await;
        };
        let talking = async move {
            let place = Room::new(1, SILENCE).enter().await;
            drop(taker.talk(ours, &place).await);
        };
        let _ = tokio::join!(hear.read_to_string(&mut said), talking, writing);
        said
    });
    let mails = host.mail(MailFolder::In).expect("it is a folder").list().expect("it can be read");
    let texts = mails.into_iter().map(|mail| std::fs::read(mail.path).expect("a mail"));
    (said, texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect())
}

/// Returns the answers of the games' pages, none of which can be read now, to a browser that says
/// this.
pub fn http(says: &[u8]) -> String {
    let (desk, asked, _watched) = Desk::new();
    drop(asked);
    runtime().block_on(async move {
        let (mut theirs, ours) = tokio::io::duplex(says.len() + 64 * 1024);
        let _ = theirs.write_all(says).await;
        let _ = theirs.shutdown().await;
        let place = Room::new(1, SILENCE).enter().await;
        http::connection(Box::new(ours), place, Arc::new(Games::testing(desk, b"right"))).await;
        let mut said = Vec::new();
        let _ = theirs.read_to_end(&mut said).await;
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// Reads everything that an IMAP server says; returns the number of its responses.
pub fn imap(says: &[u8]) -> usize {
    runtime().block_on(async {
        let (mut theirs, ours) = tokio::io::duplex(says.len().max(1));
        let _ = theirs.write_all(says).await;
        drop(theirs);
        let mut client = imap::client(Box::new(ours));
        let mut responses = 0;
        while let Ok(Some(_)) = client.read_response().await {
            responses += 1;
        }
        responses
    })
}
