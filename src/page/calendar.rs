//! The deadlines of a seat as a calendar (iCalendar, RFC 5545).

use chrono::{DateTime, Utc};
use postrider_replay::Deadline;
use postrider_store::GameStatus;
use std::fmt::Write as _;

/// Maximum length of a line in octets, without its end.
const LINE: usize = 75;

/// Returns the calendar of a seat: an event for each deadline that is running or over. `domain` is
/// that of the service.
#[must_use]
pub fn calendar(game: &str, seat: &str, status: &GameStatus, domain: &str, now: DateTime<Utc>) -> String {
    let mut out = String::new();
    let mut line = |text: &str| folded(&mut out, text);
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//Postrider//Deadlines//EN");
    line(&format!("X-WR-CALNAME:{}", escaped(&format!("Postrider {game}"))));
    line("REFRESH-INTERVAL;VALUE=DURATION:PT1H");
    let mine = status.deadlines.iter().filter(|(whose, _)| whose == seat);
    let mut all: Vec<(DateTime<Utc>, &str)> = mine
        .filter_map(|(_, deadline)| match deadline {
            Deadline::Until(until) => Some((*until, "your answer is due")),
            Deadline::Expired(until) => Some((*until, "your answer is overdue")),
            Deadline::Paused(_) => None,
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    for (until, what) in all {
        let time = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ");
        line("BEGIN:VEVENT");
        line(&format!("UID:{game}-{seat}-{}@{domain}", until.timestamp()));
        line(&format!("DTSTAMP:{}", time(now)));
        line(&format!("DTSTART:{}", time(until)));
        line(&format!("SUMMARY:{}", escaped(&format!("{game}: {what}"))));
        line(&format!("DESCRIPTION:{}", escaped(&format!("{}, {}", status.ruleset, status.moment))));
        line("TRANSP:TRANSPARENT");
        line("END:VEVENT");
    }
    line("END:VCALENDAR");
    out
}

/// Escapes a text (section 3.3.11).
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Writes a line, folded where it is too long (section 3.1).
fn folded(out: &mut String, text: &str) {
    let mut length = 0;
    for c in text.chars() {
        if length + c.len_utf8() > LINE {
            out.push_str("\r\n ");
            length = 1;
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "{c}");
        length += c.len_utf8();
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone as _;

    #[test]
    fn a_calendar_has_the_deadlines_of_its_seat_alone() {
        let at = |hour| Utc.with_ymd_and_hms(2026, 11, 29, hour, 0, 0).unwrap();
        let status = GameStatus {
            ruleset: "some-rules".to_owned(),
            moment: format!("Turn 3, Round 2; {}", "é".repeat(60)),
            lines: 413,
            head: None,
            closed: false,
            outcome: None,
            ended: None,
            awaited: Vec::new(),
            declined: Vec::new(),
            open_seats: 0,
            appeals: Vec::new(),
            paused: Some(false),
            deadlines: vec![
                ("A".to_owned(), Deadline::Until(at(12))),
                ("A".to_owned(), Deadline::Until(at(12))),
                ("B".to_owned(), Deadline::Until(at(13))),
                ("A".to_owned(), Deadline::Expired(at(9))),
                ("A".to_owned(), Deadline::Paused(3_600)),
            ],
            due: None,
        };
        let text = calendar("lone-pine", "A", &status, "play.example", at(10));
        assert_eq!(text.matches("BEGIN:VEVENT\r\n").count(), 2);
        assert!(text.contains("DTSTART:20261129T090000Z\r\nSUMMARY:lone-pine: your answer is overdue\r\n"), "{text}");
        assert!(text.contains("DTSTART:20261129T120000Z\r\nSUMMARY:lone-pine: your answer is due\r\n"), "{text}");
        assert!(text.contains("DTSTAMP:20261129T100000Z\r\n") && !text.contains("T130000Z"), "{text}");
        assert!(text.contains("DESCRIPTION:some-rules\\, Turn 3\\, Round 2\\; é"), "{text}");
        assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
        assert!(text.replace("\r\n ", "").contains(&"é".repeat(60)), "folded lines can be unfolded");
    }
}
