//! Raw mails are kept as the host's own proof, for as long as the settings say.

use super::{
    by_mail::{answer, begun, office_in, table, take_mail},
    needed::*,
};
use postrider_dice::sha256;
use postrider_journal::is_game_id;
use postrider_store::KeepMails;
use postrider_table::Seat;
use std::{fs, path::PathBuf};

const GAME: &str = "lone-pine";
const ANNA: &str = "anna@example.net";
const DKIM: &str = "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=k1; h=from:to:subject; bh=abc=; b=def=\r\n";

fn taken(office: &Office) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = office.host().root().join("mail/taken").join(GAME);
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    files.map(|file| file.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn a_mail_that_gave_an_order_is_kept_as_it_came_in() {
    let (_folder, mut office) = begun();
    assert!(is_game_id(GAME));
    let letter = take_mail(&office, "lone-pine.A.");
    for words in ["status", "bid nonsense", "confirm never", "preview\nbid 1"] {
        office.receive(answer(ANNA, &letter, words).as_bytes()).unwrap();
    }
    office.receive(answer("mallory@example.net", &letter, "bid 1").as_bytes()).unwrap();
    assert_eq!(taken(&office), [], "none of them gave an order");
    let raw = format!("{DKIM}{}", answer(ANNA, &letter, "bid 1"));
    office.receive(raw.as_bytes()).unwrap();
    let kept = taken(&office);
    let [(path, bytes)] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(String::from_utf8_lossy(bytes), raw);
    let hash = sha256(raw.as_bytes()).to_string();
    assert!(path.ends_with(format!("{hash}.eml")));
    let named = office.change(GAME, |_, tx| Ok(tx.facts.mailed.last().and_then(|(n, _)| tx.secrets.mail_of(*n))));
    let named = named.unwrap();
    assert_eq!(named, Some(sha256(raw.as_bytes())));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(path), mode(&office.host().root().join("mail/taken"))), (0o600, 0o700));
    }
    // The host's copies show whose words each order is, as the player's own do.
    let folder = office.host().root().join("mail/taken").join(GAME);
    let sent = postrider_audit::Sent::of(&Source::from(office.host().journal(GAME).as_path()), &folder, None).unwrap();
    assert!(sent.is_proved(), "{sent}");
    // A second copy has no effect, and does not remove the first.
    office.receive(raw.as_bytes()).unwrap();
    assert_eq!(taken(&office).len(), 1);
}

/// The program ends before it is noted that the answer is written: the mail comes again, changes
/// nothing, and stays.
#[test]
fn a_mail_that_comes_again_after_a_crash_stays() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    let raw = answer(ANNA, &letter, "bid 1");
    office.receive(raw.as_bytes()).unwrap();
    let secrets = office.host().secrets(GAME);
    let text = fs::read_to_string(&secrets).unwrap();
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    assert!(text[last..].contains("\"written\""), "that the mail was answered: {}", &text[last..]);
    fs::write(&secrets, &text[..last]).unwrap();
    office.close_games();
    assert_eq!(office.receive(raw.as_bytes()).unwrap().outcome, Outcome::Again);
    assert_eq!(taken(&office).len(), 1);
}

#[test]
fn a_mail_that_waits_is_kept_and_a_message_takes_its_mail_along() {
    let (_folder, mut office) = begun();
    let letter = take_mail(&office, "lone-pine.A.");
    office.receive(answer(ANNA, &letter, "delay 10 minutes").as_bytes()).unwrap();
    office.receive(answer(ANNA, &letter, "bid 1").as_bytes()).unwrap();
    assert_eq!(taken(&office).len(), 1);
    let ben = take_mail(&office, "lone-pine.B.");
    office.receive(answer("ben@example.net", &ben, "tell carl: let Anna win").as_bytes()).unwrap();
    assert_eq!(taken(&office).len(), 2);
    let [message] = &office.terminal(GAME).messages(MessagesOf::All).unwrap()[..] else { panic!("one message") };
    office.forget_message(GAME, message.entry).unwrap();
    let kept = taken(&office);
    assert!(kept.len() == 1 && !String::from_utf8_lossy(&kept[0].1).contains("let Anna win"));
}

#[test]
fn mails_are_kept_as_long_as_the_settings_say() {
    let day = |n: i64| n * 24 * 3_600;
    for (setting, keep, gone) in [
        ("\"always\"", KeepMails::Always, None),
        ("\"never\"", KeepMails::Never, Some(0)),
        ("7", KeepMails::Days(7), Some(7)),
        ("\"game\"", KeepMails::Game, Some(30)),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(SETTINGS), format!("keep_mails = {setting}\n")).unwrap();
        let mut office = office_in(folder.path());
        assert_eq!(office.host().settings.keep_mails, keep);
        office.new_game(&table()).unwrap();
        let letter = take_mail(&office, "lone-pine.A.");
        office.receive(answer(ANNA, &letter, "bid 1").as_bytes()).unwrap();
        if keep == KeepMails::Never {
            assert_eq!(taken(&office), []);
            continue;
        }
        let begun = office.services.now().timestamp();
        let later = |office: &mut Office, days: i64| {
            let now = office.services.now().timestamp();
            office.services.environment.advance(begun + day(days) - now);
            office.sweep().unwrap()
        };
        // While the game is in progress it is kept, unless the setting is a number of days.
        assert_eq!(later(&mut office, 6), 0);
        assert_eq!(later(&mut office, 40), usize::from(gone == Some(7)), "{setting}");
        if gone == Some(7) {
            continue;
        }
        super::attacks::play_on(&mut office);
        assert!(office.terminal(GAME).glance().unwrap().over);
        office.close_games();
        assert_eq!(later(&mut office, 41), usize::from(gone.is_some()), "{setting}");
        assert_eq!(taken(&office).len(), usize::from(gone.is_none()), "{setting}");
        assert_eq!(office.terminal(GAME).called(Seat(0)).unwrap(), "Anna (A)");
    }
}
