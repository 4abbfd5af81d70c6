//! Letters and mails in the database.

use super::{
    Inner, PgStore,
    database::{Connection, Given},
};
use crate::{DAY, HOUR, HandedOver, Mails, OutboxRow, StoreError, TakenMail, Undelivered, contract::counts_again};
use postgres::Row;
use postrider_dice::{Hash, sha256};
use postrider_mail::{Composed, Envelope, MAX_MESSAGE_BYTES};
use postrider_mailbox::{Delivery, MaildirFault};
use serde::{Deserialize, Serialize};

/// An envelope, stored as a line of JSON before its mail and sealed together with it.
#[derive(Serialize, Deserialize)]
struct Form {
    sender: Option<String>,
    recipients: Vec<String>,
}

/// Returns the place of a letter, to which its seal is bound.
pub(super) fn letter_place(letter: &str) -> String {
    format!("letter/{letter}")
}

fn why_place(letter: &str) -> String {
    format!("why/{letter}")
}

fn mail_place(mail: &str) -> String {
    format!("mail/{mail}")
}

fn filed_place(kind: &str, hash: &str) -> String {
    format!("{kind}/{hash}")
}

fn taken_place(game: &str, hash: &str) -> String {
    format!("taken/{game}/{hash}")
}

/// Joins a mail and its envelope into one value.
pub(super) fn envelope_and_mail(mail: &Composed) -> Result<Vec<u8>, StoreError> {
    let Envelope { sender, recipients } = mail.envelope.clone();
    let mut value = serde_json::to_vec(&Form { sender, recipients })?;
    value.push(b'\n');
    value.extend_from_slice(&mail.raw);
    Ok(value)
}

fn composed(value: &[u8]) -> Option<Composed> {
    let end = value.iter().position(|&byte| byte == b'\n')?;
    let Form { sender, recipients } = serde_json::from_slice(&value[..end]).ok()?;
    Some(Composed { envelope: Envelope { sender, recipients }, raw: value[end + 1..].to_vec() })
}

impl Inner {
    fn letter(&self, unique: &str, sealed: &[u8]) -> Result<OutboxRow, StoreError> {
        let place = letter_place(unique);
        let mail = composed(&self.open(&place, sealed)?).ok_or(StoreError::Unopened { place })?;
        Ok(OutboxRow { unique: unique.to_owned(), mail })
    }

    fn text(&self, place: &str, sealed: &[u8]) -> Result<String, StoreError> {
        Ok(String::from_utf8_lossy(&self.open(place, sealed)?).into_owned())
    }

    fn rows(&self, sql: &'static str, given: Given<'_>) -> Result<Vec<Row>, StoreError> {
        self.database.with(|connection| connection.rows(sql, given))
    }

    fn run(&self, sql: &'static str, given: Given<'_>) -> Result<u64, StoreError> {
        self.database.with(|connection| connection.run(sql, given))
    }

    fn names(&self, sql: &'static str, given: Given<'_>) -> Result<Vec<String>, StoreError> {
        Ok(self.rows(sql, given)?.iter().map(|row| row.get(0)).collect())
    }

    /// Offers the next letter after `last` that no other process is handling. Returns its name, and
    /// whether to continue.
    fn offer(
        &self,
        connection: &mut Connection,
        last: &str,
        take: &mut dyn FnMut(&OutboxRow) -> HandedOver,
    ) -> Result<Option<(String, bool)>, StoreError> {
        // Its row stays locked until the result is known. If the process ends, the lock ends too.
        connection.batch("BEGIN")?;
        let row = connection.row(
            "SELECT letter, sealed FROM outbox WHERE state = 'waiting' AND letter > $1 ORDER BY letter LIMIT 1 \
             FOR UPDATE SKIP LOCKED",
            &[&last],
        )?;
        let Some(row) = row else {
            connection.batch("COMMIT")?;
            return Ok(None);
        };
        let letter = self.letter(row.get(0), row.get(1))?;
        let (state, why, go_on) = match take(&letter) {
            HandedOver::Taken => (Some("sent"), None, true),
            HandedOver::Never(why) => {
                (Some("refused"), Some(self.seal(&why_place(&letter.unique), why.as_bytes())?), true)
            }
            HandedOver::Later => (None, None, true),
            HandedOver::Stop => (None, None, false),
        };
        if let Some(state) = state {
            connection.run(
                "UPDATE outbox SET state = $2, why = coalesce($3, why), place = nextval('handed_over') WHERE letter = $1",
                &[&letter.unique, &state, &why],
            )?;
        }
        connection.batch("COMMIT")?;
        Ok(Some((letter.unique, go_on)))
    }

    fn file(&self, kind: &'static str, raw: &[u8], why: Option<&str>) -> Result<(), StoreError> {
        let hash = sha256(raw).to_string();
        let place = filed_place(kind, &hash);
        let sealed = self.seal(&place, raw)?;
        let why = why.map(|why| self.seal(&why_place(&hash), why.as_bytes())).transpose()?;
        self.run(
            "INSERT INTO filed (kind, hash, sealed, why) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (kind, hash) DO UPDATE SET why = excluded.why",
            &[&kind, &hash, &sealed, &why],
        )
        .map(drop)
    }

    fn noted(&self, rows: &[Row]) -> Result<Vec<Undelivered>, StoreError> {
        let one = |row: &Row| {
            let unique: String = row.get(0);
            let why = self.text(&why_place(&unique), row.get(1))?;
            Ok(Undelivered { unique, why })
        };
        rows.iter().map(one).collect()
    }
}

impl Mails for PgStore {
    fn hand_over(&self, take: &mut dyn FnMut(&OutboxRow) -> HandedOver) -> Result<(), StoreError> {
        let database = &self.inner.database;
        let mut connection = database.connection()?;
        let mut last = String::new();
        // After an error the connection is dropped, and its locks with it.
        while let Some((letter, go_on)) = self.inner.offer(&mut connection, &last, take)? {
            if !go_on {
                break;
            }
            last = letter;
        }
        database.give_back(connection);
        Ok(())
    }

    fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError> {
        let rows = self.inner.rows("SELECT letter, why FROM outbox WHERE why IS NOT NULL ORDER BY letter", &[])?;
        self.inner.noted(&rows)
    }

    fn came_back(&self, begins: &str, why: &str) -> Result<Option<String>, StoreError> {
        let newest =
            "SELECT letter FROM outbox WHERE starts_with(letter, $1) AND state = 'sent' ORDER BY place DESC LIMIT 1";
        let Some(letter) = self.inner.names(newest, &[&begins])?.into_iter().next() else { return Ok(None) };
        let why = self.inner.seal(&why_place(&letter), why.as_bytes())?;
        self.inner.run("UPDATE outbox SET state = 'refused', why = $2 WHERE letter = $1", &[&letter, &why])?;
        Ok(Some(letter))
    }

    fn forgive(&self, begins: &str) -> Result<(), StoreError> {
        self.inner
            .run("UPDATE outbox SET why = NULL WHERE why IS NOT NULL AND starts_with(letter, $1)", &[&begins])
            .map(drop)
    }

    fn waiting(&self) -> Result<Vec<String>, StoreError> {
        self.inner.names("SELECT letter FROM outbox WHERE state = 'waiting' ORDER BY letter", &[])
    }

    fn letter(&self, unique: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let rows = self.inner.rows("SELECT sealed FROM outbox WHERE letter = $1", &[&unique])?;
        rows.first().map(|row| Ok(self.inner.letter(unique, row.get(0))?.mail.raw)).transpose()
    }

    fn comes_in(&self, unique: &str, raw: &[u8]) -> Result<Delivery, StoreError> {
        let sealed = self.inner.seal(&mail_place(unique), raw)?;
        self.inner.database.with(|connection| {
            // An existing mail is also written, so that this commit waits for the standby; the
            // process that put it there may not have waited.
            let new = "INSERT INTO inbox (mail, sealed) VALUES ($1, $2) ON CONFLICT (mail) DO UPDATE SET mail = excluded.mail \
                       RETURNING xmax = 0";
            if !connection.row(new, &[&unique, &sealed])?.is_some_and(|row| row.get(0)) {
                return Ok(Delivery::AlreadyThere);
            }
            connection.batch("NOTIFY postrider_in")?;
            Ok(Delivery::Stored)
        })
    }

    fn inbox(&self) -> Result<Vec<String>, StoreError> {
        let free = |connection: &mut Connection| {
            connection.rows(
                "SELECT mail FROM inbox WHERE pid IS NULL OR pid = pg_backend_pid() OR claimed < now() - interval '10 minutes' \
                 OR NOT EXISTS (SELECT FROM pg_stat_get_activity(pid) AS there WHERE there.backend_start = started) ORDER BY mail",
                &[],
            )
        };
        Ok(self.inner.on_main(free)?.iter().map(|row| row.get(0)).collect())
    }

    fn read(&self, unique: &str) -> Result<Vec<u8>, StoreError> {
        // Reading a mail claims it; others skip it as long as this connection exists.
        let claim = |connection: &mut Connection| {
            connection.row(
                "UPDATE inbox SET pid = me.pid, started = me.backend_start, claimed = now() \
                 FROM pg_stat_get_activity(pg_backend_pid()) AS me WHERE mail = \
                 (SELECT mail FROM inbox WHERE mail = $1 AND (inbox.pid IS NULL OR inbox.pid = pg_backend_pid() \
                 OR claimed < now() - interval '10 minutes' OR NOT EXISTS \
                 (SELECT FROM pg_stat_get_activity(inbox.pid) AS there WHERE there.backend_start = inbox.started)) \
                 FOR UPDATE SKIP LOCKED) RETURNING sealed",
                &[&unique],
            )
        };
        let gone = || MaildirFault::NotFound(unique.to_owned());
        let row = self.inner.on_main(claim)?.ok_or_else(gone)?;
        let mut raw = self.inner.open(&mail_place(unique), row.get(0))?;
        raw.truncate(MAX_MESSAGE_BYTES + 1);
        Ok(raw)
    }

    fn taken_in(&self, unique: &str) -> Result<(), StoreError> {
        self.inner.run("DELETE FROM inbox WHERE mail = $1", &[&unique]).map(drop)
    }

    fn poison(&self, raw: &[u8], why: &str) -> Result<(), StoreError> {
        self.inner.file("poison", raw, Some(why))
    }

    fn count_answer(&self, whose: &str, now: i64, most: usize) -> Result<Option<i64>, StoreError> {
        let (key, hour_ago) = (self.inner.sealer.lookup(whose), now - HOUR);
        self.inner.run("DELETE FROM answers WHERE whose = $1 AND at <= $2", &[&key, &hour_ago])?;
        let rows = self.inner.rows("SELECT at FROM answers WHERE whose = $1 ORDER BY at", &[&key])?;
        let again = counts_again(&rows.iter().map(|row| row.get(0)).collect::<Vec<i64>>(), most);
        if again.is_none() {
            self.inner.run("INSERT INTO answers (whose, at) VALUES ($1, $2)", &[&key, &now])?;
        }
        Ok(again)
    }

    fn refuse(&self, raw: &[u8]) -> Result<(), StoreError> {
        self.inner.file("refused", raw, None)
    }

    fn keep_taken(&self, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError> {
        let hash = sha256(raw).to_string();
        let sealed = self.inner.seal(&taken_place(game, &hash), raw)?;
        let new = "INSERT INTO taken (game, hash, at, sealed) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
        Ok(self.inner.run(new, &[&game, &hash, &at, &sealed])? > 0)
    }

    fn games_of_taken(&self) -> Result<Vec<String>, StoreError> {
        self.inner.names("SELECT DISTINCT game FROM taken ORDER BY game", &[])
    }

    fn taken(&self, game: &str) -> Result<Vec<TakenMail>, StoreError> {
        let rows = self.inner.rows("SELECT hash, at FROM taken WHERE game = $1 ORDER BY hash", &[&game])?;
        let one = |row: &Row| Some(TakenMail { hash: row.get::<_, &str>(0).parse().ok()?, at: row.get(1) });
        Ok(rows.iter().filter_map(one).collect())
    }

    fn forget_taken(&self, game: &str, mail: &Hash) -> Result<(), StoreError> {
        self.inner.run("DELETE FROM taken WHERE game = $1 AND hash = $2", &[&game, &mail.to_string()]).map(drop)
    }

    fn read_taken(&self, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
        let hash = mail.to_string();
        let rows = self.inner.rows("SELECT sealed FROM taken WHERE game = $1 AND hash = $2", &[&game, &hash])?;
        rows.first().map(|row| self.inner.open(&taken_place(game, &hash), row.get(0))).transpose()
    }

    fn letters(&self, begins: &str) -> Result<Vec<String>, StoreError> {
        self.inner.names("SELECT letter FROM outbox WHERE starts_with(letter, $1) ORDER BY letter", &[&begins])
    }

    fn forget_letter(&self, unique: &str) -> Result<(), StoreError> {
        self.inner.run("DELETE FROM outbox WHERE letter = $1", &[&unique]).map(drop)
    }

    fn forget_filed(&self, gone: &dyn Fn(&[u8]) -> bool) -> Result<usize, StoreError> {
        let mut removed = 0;
        for row in self.inner.rows("SELECT kind, hash, sealed FROM filed", &[])? {
            let (kind, hash): (String, String) = (row.get(0), row.get(1));
            if gone(&self.inner.open(&filed_place(&kind, &hash), row.get(2))?) {
                removed += self.inner.run("DELETE FROM filed WHERE kind = $1 AND hash = $2", &[&kind, &hash])?;
            }
        }
        Ok(usize::try_from(removed).unwrap_or(usize::MAX))
    }

    fn put_notice(&self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        let sealed = self.inner.seal(&letter_place(&mail.unique), &envelope_and_mail(&mail.mail)?)?;
        self.inner.database.with(|connection| {
            let new = "INSERT INTO outbox (letter, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            if connection.run(new, &[&mail.unique, &sealed])? == 0 {
                return Ok(Delivery::AlreadyThere);
            }
            connection.batch("NOTIFY postrider_out")?;
            Ok(Delivery::Stored)
        })
    }

    fn poisoned(&self) -> Result<Vec<Undelivered>, StoreError> {
        let rows = self
            .inner
            .rows("SELECT hash, why FROM filed WHERE kind = 'poison' AND why IS NOT NULL ORDER BY hash", &[])?;
        self.inner.noted(&rows)
    }

    fn sweep_due(&self, now: i64) -> Result<bool, StoreError> {
        if self.inner.rows("SELECT 1 FROM taken LIMIT 1", &[])?.is_empty() {
            return Ok(false);
        }
        // Only one of several simultaneous callers gets `true`. A clock that was wrong once must
        // not delay the search for years.
        let swept = self.inner.run(
            "INSERT INTO meta AS had (name, value) VALUES ('swept', $1::bigint::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value \
             WHERE $1 - had.value::bigint NOT BETWEEN 0 AND $2::bigint - 1",
            &[&now, &DAY],
        )?;
        Ok(swept > 0)
    }
}
