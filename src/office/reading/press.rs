//! Messages in a mail, `tell ben: …` or `@ben: …`. They are separated before anything else is read,
//! so nothing in them can become an order.

use crate::{
    game::names::{Meant, meant},
    reading::value::{Line, Told},
};
use postrider_orders::list_and;
use postrider_store::{Party, Players};
use std::collections::BTreeSet;

/// Words that introduce a message.
const BEGINNINGS: [&str; 3] = ["tell", "press", "message"];

/// The word that introduces an appeal to the directors.
const APPEAL: &str = "appeal";

/// The word that introduces a note, which is for its author alone.
const NOTE: &str = "note";

/// A part of a mail.
pub(crate) enum Part<'l> {
    /// A line outside all messages.
    Line(&'l Line),
    /// A message.
    Message(Told),
}

impl<'l> Part<'l> {
    /// Returns the line, if it is outside all messages.
    pub fn line(&self) -> Option<&'l Line> {
        match self {
            Part::Line(line) => Some(line),
            Part::Message(_) => None,
        }
    }
}

/// The people to whom messages go.
pub(crate) struct Known<'k> {
    pub players: &'k Players,
    /// The names of the directors, if the game names any.
    pub directors: &'k [String],
}

/// The beginning of a message.
pub(crate) struct Head<'l> {
    to: Result<(Vec<Party>, bool), String>,
    appeals: bool,
    /// The text after the colon.
    text: &'l str,
}

/// Divides a mail into lines and messages.
pub(crate) fn parts<'l>(lines: &'l [Line], known: &Known<'_>) -> Vec<Part<'l>> {
    let mut out = Vec::new();
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        let Some(Head { to, appeals, text }) = head(&line.text, known).filter(|_| line.marked.is_none()) else {
            out.push(Part::Line(line));
            continue;
        };
        let (begins_with_text, whole) = (!text.is_empty(), line.text.clone());
        let mut told = Told { to, appeals, text: text.to_owned(), whole, begins_with_text, ended: false };
        if text.is_empty() {
            let mut all = Vec::new();
            for line in rest.by_ref() {
                told.whole = format!("{}\n{}", told.whole, line.text);
                if line.text.trim().trim_end_matches('.').eq_ignore_ascii_case("end") {
                    told.ended = true;
                    break;
                }
                all.push(line.text.as_str());
            }
            told.text = all.join("\n");
            if all.is_empty() && told.to.is_ok() {
                told.to = Err("The message is empty: nobody was told anything.".to_owned());
            }
        } else {
            let mut before = line;
            while let Some(next) = rest.next_if(|next| next.no == before.no + 1 && head(&next.text, known).is_none()) {
                told.text = format!("{}\n{}", told.text, next.text);
                told.whole = format!("{}\n{}", told.whole, next.text);
                before = next;
            }
        }
        out.push(Part::Message(told));
    }
    out
}

/// Parses `tell ben, carl: …`. Returns `None` for any other line.
pub(crate) fn head<'l>(line: &'l str, known: &Known<'_>) -> Option<Head<'l>> {
    let line = line.trim();
    if let Some((first, text)) = line.split_once(':') {
        let is = |word| first.trim().eq_ignore_ascii_case(word);
        let to = [(APPEAL, vec![Party::Directors]), (NOTE, Vec::new())].into_iter().find(|(word, _)| is(word));
        if let Some((word, to)) = to {
            return Some(Head { to: Ok((to, false)), appeals: word == APPEAL, text: text.trim() });
        }
    }
    let rest = match line.strip_prefix('@') {
        Some(rest) => rest.trim_start(),
        None => {
            let (first, rest) = line.split_once(char::is_whitespace)?;
            if !BEGINNINGS.iter().any(|begins| first.eq_ignore_ascii_case(begins)) {
                return None;
            }
            strip_word(rest.trim_start(), "to").unwrap_or(rest).trim_start()
        }
    };
    let Some((names, text)) = rest.split_once(':') else {
        // `tell ben that …`: Ben is meant, but it is unclear where the message begins.
        let named = rest.split_whitespace().next().is_some_and(|name| !party(name, known).is_empty());
        let why = "A message needs a colon after the names, `tell ben: …` or `tell all: …`; nothing was sent.";
        return named.then(|| Head { to: Err(why.to_owned()), appeals: false, text: rest });
    };
    // The first colon is too late to follow the names, and belongs to a text.
    if names.split_whitespace().count() > 2 * known.players.players.len() + 8 {
        return None;
    }
    let names = names.trim();
    let (names, anonymous) = match names.to_ascii_lowercase().strip_suffix("anonymously") {
        Some(rest) => (&names[..rest.len()], true),
        None => (names, false),
    };
    Some(Head { to: parties(names, known).map(|to| (to, anonymous)), appeals: false, text: text.trim() })
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(word).then_some(rest)
}

/// Returns the parties in a list of names, or the reason why they cannot be determined.
fn parties(names: &str, known: &Known<'_>) -> Result<Vec<Party>, String> {
    let people = || {
        let players = known.players;
        let names: Vec<String> = players.players.iter().map(|player| players.called(player.seat)).collect();
        let directors = if known.directors.is_empty() { "" } else { ", `directors`" };
        format!("Players of this game: {}. Also `all`{directors} and `host`.", list_and(&names))
    };
    let mut to = BTreeSet::new();
    for name in names.replace(" and ", ",").split([',', '&', '+', ';']).map(str::trim).filter(|name| !name.is_empty()) {
        match party(name, known)[..] {
            [] => return Err(format!("Nobody here is called \"{name}\": the message was not sent. {}", people())),
            [one] => _ = to.insert(one),
            _ if meant(name) == Some(Meant::Everybody) => to.extend(party(name, known)),
            _ => {
                return Err(format!(
                    "\"{name}\" is the name of several players: the message was not sent. {}",
                    people()
                ));
            }
        }
    }
    if to.is_empty() {
        return Err(format!("The message names no recipient, so it was not sent. {}", people()));
    }
    Ok(to.into_iter().collect())
}

/// Returns the parties that a name means: a player by full name, seat letter or first word; a
/// director, for all of them; the host; or all.
fn party(name: &str, known: &Known<'_>) -> Vec<Party> {
    let Known { players, directors } = known;
    let found = players.seats_named(name.trim_start_matches("the ").trim());
    if !found.is_empty() {
        return found.into_iter().map(Party::Seat).collect();
    }
    let first = |director: &String| director.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is = |director: &String| director.eq_ignore_ascii_case(name) || first(director) == name.to_lowercase();
    match meant(name) {
        Some(Meant::Directors) => vec![Party::Directors],
        None if directors.iter().any(is) => vec![Party::Directors],
        Some(Meant::Host) => vec![Party::Host],
        Some(Meant::Everybody) => players.players.iter().map(|player| Party::Seat(player.seat)).collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_dice::Hash;
    use postrider_store::Player;
    use postrider_table::Seat;

    fn players() -> Players {
        let player = |seat, name: &str| Player {
            seat: Seat(seat),
            name: name.into(),
            address: format!("{name}@example.net"),
            salt: Hash::ZERO,
            zone: None,
        };
        let mut players = Players::default();
        players.players = vec![player(0, "Anna"), player(1, "Ben Hur"), player(2, "Carl")];
        players
    }

    /// Returns the remaining lines, and each message's readers and text, or `!` and the text.
    fn read(mail: &str) -> (Vec<String>, Vec<(String, String)>) {
        let line = |(no, text): (usize, &str)| Line { text: text.to_owned(), no, marked: None };
        let lines: Vec<Line> = (1..).zip(mail.lines()).filter(|(_, text)| !text.is_empty()).map(line).collect();
        let (mut orders, mut told) = (Vec::new(), Vec::new());
        let (players, directors) = (players(), ["Dora Day".to_owned()]);
        for part in parts(&lines, &Known { players: &players, directors: &directors }) {
            match part {
                Part::Line(line) => orders.push(line.text.clone()),
                Part::Message(message) => told.push(message),
            }
        }
        let to = |told: &Told| match &told.to {
            Ok((to, anonymous)) => {
                let to: Vec<String> = to.iter().map(ToString::to_string).collect();
                to.join(" ") + if *anonymous { "?" } else { "" }
            }
            Err(_) => "!".to_owned(),
        };
        let told = told.iter().map(|one| (to(one), one.text.clone())).collect();
        (orders, told)
    }

    fn told(to: &str, text: &str) -> Vec<(String, String)> {
        vec![(to.to_owned(), text.to_owned())]
    }

    #[test]
    fn names_are_found() {
        for (head, to) in [
            ("tell ben", "B"),
            ("Tell Ben Hur", "B"),
            ("press to c", "C"),
            ("tell Anna and carl", "A C"),
            ("tell all", "A B C"),
            ("tell everybody", "A B C"),
            ("tell host, ben", "B host"),
            ("tell ben anonymously", "B?"),
            ("@Ben", "B"),
            ("@carl, anna", "A C"),
            ("tell dora", "directors"),
            ("tell the directors, ben", "B directors"),
            ("tell dan", "!"),
            ("tell", ""),
        ] {
            let (orders, messages) = read(&format!("{head}: we attack: now?"));
            match to {
                "" => assert_eq!(orders.len(), 1, "{head}"),
                to => assert_eq!((orders.len(), messages), (0, told(to, "we attack: now?")), "{head}"),
            }
        }
        assert_eq!(read("tell me about raids").0, ["tell me about raids"]);
        assert_eq!(read("tell ben that I settle").1[0].0, "!");
    }

    #[test]
    fn nothing_of_a_message_is_an_order() {
        let (orders, messages) = read("settle utah\ntell ben: I go first.\nThen you.\n\nsettle idaho\n");
        assert_eq!(
            (orders, messages),
            (vec!["settle utah".into(), "settle idaho".into()], told("B", "I go first.\nThen you."))
        );
        let (orders, messages) = read("tell ben:\nsettle utah\n\nback\nend\nsettle idaho\n");
        assert_eq!((orders, messages), (vec!["settle idaho".into()], told("B", "settle utah\nback")));
    }

    #[test]
    fn an_empty_message_is_sent_to_nobody() {
        assert_eq!(read("tell ben:").1[0].0, "!");
    }
}
