//! Words to other people, `tell ben: …` or `@ben: …`: found before anything else is read, so that nothing in them can be an order.
//!
//! A message is its line and the lines of its paragraph; or, where nothing stands behind the colon, all lines up to `end` or to the
//! end of the mail. A line there that could be an order leaves both in doubt, but above `end`: then nothing is sent and nothing is done.

use super::{
    From,
    clause::Line,
    context::Context,
    request::{Request, said},
};
use crate::{
    mail::without_tokens,
    office::{
        error::OfficeError,
        services::Services,
        session::{GameSession, NewMessage},
    },
    orders::{Phrase, is_confirmation, list_and, option_ref, peels},
    store::{Party, Player, Players, PressRule},
    table::Seat,
};
use std::collections::BTreeSet;

/// A message has at most so many characters.
const LONGEST: usize = 4_000;

/// A mail has at most so many messages.
const MOST: usize = 20;

/// Words that begin a message.
const BEGINNINGS: [&str; 3] = ["tell", "press", "message"];

/// What stands in a mail for other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// To whom, and whether without a name; or why nobody can be told.
    pub to: Result<(Vec<Party>, bool), String>,
    /// What.
    pub text: String,
}

/// Lines that hold no message, and the messages.
pub(super) struct Separated<'m> {
    pub orders: Vec<Line<'m>>,
    pub told: Vec<Told>,
}

/// Takes the messages out of a mail. `reads` says whether a line could be an order.
pub(super) fn separate<'m>(
    lines: &[Line<'m>],
    players: &Players,
    reads: &mut dyn FnMut(&str) -> bool,
) -> Separated<'m> {
    let mut out = Separated { orders: Vec::new(), told: Vec::new() };
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        let Some(Head { to, text }) = head(line.text, players) else {
            out.orders.push(*line);
            continue;
        };
        let mut told = Told { to, text: text.to_owned() };
        if text.is_empty() {
            let ends = |line: &&Line<'_>| line.text.trim().trim_end_matches('.').eq_ignore_ascii_case("end");
            let (mut all, mut ended) = (Vec::new(), false);
            for line in rest.by_ref() {
                if ends(&line) {
                    ended = true;
                    break;
                }
                all.push(line.text);
            }
            let order = all.iter().find(|text| !matches!(said(text), Request::Orders(_)) || reads(text));
            if let Some(order) = order.filter(|_| !ended && told.to.is_ok()) {
                told.to = Err(format!(
                    "\"{order}\" could belong to the message above it, or be an order: the message was not sent, and nothing below its \
                     beginning was done. Write `end` on a line of its own where a message ends, or give the orders first."
                ));
            }
            told.text = all.join("\n");
            if all.is_empty() && told.to.is_ok() {
                told.to = Err("The message is empty: nobody was told anything.".to_owned());
            }
            out.told.push(told);
            continue;
        }
        let mut before = line;
        while let Some(next) = rest.next_if(|next| goes_on(before, next) && head(next.text, players).is_none()) {
            if told.to.is_ok() && (!matches!(said(next.text), Request::Orders(_)) || reads(next.text)) {
                told.to = Err(format!(
                    "\"{}\" could belong to the message above it, or be an order: the message was not sent, and nothing of its paragraph \
                     was done. Leave an empty line between a message and orders, or give the orders first.",
                    next.text
                ));
            }
            told.text.push('\n');
            told.text.push_str(next.text);
            before = next;
        }
        out.told.push(told);
    }
    out
}

/// Whether a line belongs to the same paragraph as the one before it.
fn goes_on(before: &Line<'_>, next: &Line<'_>) -> bool {
    next.no == before.no + 1
}

/// How a message begins.
struct Head<'l> {
    to: Result<(Vec<Party>, bool), String>,
    /// What stands behind the colon.
    text: &'l str,
}

/// Reads `tell ben, carl: …`; `None` where a line is something else.
fn head<'l>(line: &'l str, players: &Players) -> Option<Head<'l>> {
    let line = line.trim();
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
        // `tell ben that …`: whoever is named there is meant, but nobody knows where the message begins.
        let named = rest.split_whitespace().next().is_some_and(|name| !party(name, players).is_empty());
        let why = "Words to others have a colon behind the names, `tell ben: …` or `tell all: …`; nothing was sent.";
        return named.then(|| Head { to: Err(why.to_owned()), text: rest });
    };
    // A colon further on belongs to what is said.
    if names.split_whitespace().count() > 2 * players.players.len() + 8 {
        return None;
    }
    let names = names.trim();
    let (names, anonymous) = match names.to_ascii_lowercase().strip_suffix("anonymously") {
        Some(rest) => (&names[..rest.len()], true),
        None => (names, false),
    };
    Some(Head { to: parties(names, players).map(|to| (to, anonymous)), text: text.trim() })
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(word).then_some(rest)
}

/// Everybody whom a list of names means, or why not.
fn parties(names: &str, players: &Players) -> Result<Vec<Party>, String> {
    let known = || {
        let names: Vec<String> = players.players.iter().map(|player| players.called(player.seat)).collect();
        format!("Players of this game: {}. Also `all` and `host`.", list_and(&names))
    };
    let mut to = BTreeSet::new();
    for name in names.replace(" and ", ",").split([',', '&', '+', ';']).map(str::trim).filter(|name| !name.is_empty()) {
        match party(name, players)[..] {
            [] => return Err(format!("Nobody here is called \"{name}\": the message was not sent. {}", known())),
            [one] => _ = to.insert(one),
            _ if everybody(name) => to.extend(party(name, players)),
            _ => {
                return Err(format!(
                    "\"{name}\" is the name of several players: the message was not sent. {}",
                    known()
                ));
            }
        }
    }
    if to.is_empty() {
        return Err(format!("It is not said who is to be told: the message was not sent. {}", known()));
    }
    Ok(to.into_iter().collect())
}

fn everybody(name: &str) -> bool {
    ["all", "everybody", "everyone", "all players"].iter().any(|all| name.eq_ignore_ascii_case(all))
}

/// Whom a name means: a player by his name, the first word of it or his seat's letter, the host, all.
fn party(name: &str, players: &Players) -> Vec<Party> {
    let name = name.trim_start_matches("the ").trim();
    let same = |one: &str| one.to_lowercase() == name.to_lowercase();
    let by = |fits: &dyn Fn(&Player) -> bool| -> Vec<Party> {
        players.players.iter().filter(|player| fits(player)).map(|player| Party::Seat(player.seat)).collect()
    };
    let found = [
        by(&|player| same(&player.name)),
        by(&|player| player.name.split_whitespace().next().is_some_and(same)),
        by(&|player| same(&player.seat.to_string())),
    ];
    if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
        return found;
    }
    match name.to_lowercase().as_str() {
        "host" | "director" | "operator" => vec![Party::Host],
        _ if everybody(name) => by(&|_| true),
        _ => Vec::new(),
    }
}

impl GameSession {
    /// The lines without what they say to others.
    pub(super) fn separated<'m>(&mut self, seat: Seat, lines: &[Line<'m>], context: &Context) -> Separated<'m> {
        let players = self.seats.clone();
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        separate(lines, &players, &mut |line| {
            let phrase = Phrase::new(line);
            context.sheet.is_row(&phrase)
                || option_ref(&phrase).is_some()
                || is_confirmation(&phrase)
                || peels(&phrase, &names).iter().any(|phrase| self.read(seat, phrase).is_ok())
        })
    }

    /// Says what a mail holds for others; a remark for its writer about each.
    pub(super) fn pass_on(
        &mut self,
        services: &mut Services,
        seat: Seat,
        told: Vec<Told>,
        from: &From<'_>,
    ) -> Result<Vec<String>, OfficeError> {
        let by = Party::Seat(seat);
        let press = services.host.settings.press;
        let mut notes = Vec::new();
        for (at, Told { to, text }) in (0..).zip(told) {
            let (mut to, anonymous) = match to {
                Ok(to) => to,
                Err(why) => {
                    notes.push(why);
                    continue;
                }
            };
            to.retain(|&one| one != by);
            // What opens his own questions is nobody else's: mail programs write it beside an option that is copied.
            let shown = without_tokens(&text);
            if shown != text {
                notes.push("Your message held an address that answers for you; `[token]` stands there now.".to_owned());
            }
            let text = shown;
            let length = text.chars().count();
            let why = match () {
                () if at >= MOST as u64 => Some(format!("{MOST} messages are the most that a mail may hold")),
                () if press == PressRule::None && to != [Party::Host] => {
                    Some("players of this host do not write to each other by it; `tell host: …` is open".to_owned())
                }
                () if anonymous && press != PressRule::Anonymous => {
                    Some("this host passes nothing on without its writer's name".to_owned())
                }
                () if to.is_empty() => Some("you need no help to tell yourself anything".to_owned()),
                () if length > LONGEST => Some(format!("it has {length} characters, and {LONGEST} are the most")),
                () => None,
            };
            if let Some(why) = why {
                notes.push(format!("A message of yours was not sent: {why}."));
                continue;
            }
            let bots = to.iter().filter(|one| matches!(one, Party::Seat(seat) if self.is_a_bots(*seat)));
            let bots: Vec<String> = bots.map(|&one| self.party(one, by)).collect();
            let names: Vec<String> = to.iter().map(|&one| self.party(one, by)).collect();
            let mail = match from {
                From::Mail { hash, .. } => Some((*hash, at)),
                From::Cli => None,
            };
            self.say(services, NewMessage { by, anonymous, to, text, mail })?;
            let without = if anonymous { " without your name" } else { "" };
            notes.push(format!("Told {}{without}.", list_and(&names)));
            if !bots.is_empty() {
                notes.push(format!("{} is played by a program, which reads no messages.", list_and(&bots)));
            }
        }
        Ok(notes)
    }

    fn is_a_bots(&self, seat: Seat) -> bool {
        self.seats.player(seat).is_some_and(|player| player.bot().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Hash;

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

    /// The orders that are left, and of each message its readers and its text, or `!` and the text.
    fn read(mail: &str) -> (Vec<String>, Vec<(String, String)>) {
        let lines: Vec<Line<'_>> =
            (1..).zip(mail.lines()).filter(|(_, text)| !text.is_empty()).map(|(no, text)| Line { text, no }).collect();
        let mut reads = |line: &str| line.starts_with("settle");
        let Separated { orders, told } = separate(&lines, &players(), &mut reads);
        let to = |told: &Told| match &told.to {
            Ok((to, anonymous)) => {
                let to: Vec<String> = to.iter().map(ToString::to_string).collect();
                to.join(" ") + if *anonymous { "?" } else { "" }
            }
            Err(_) => "!".to_owned(),
        };
        let told = told.iter().map(|one| (to(one), one.text.clone())).collect();
        (orders.iter().map(|line| line.text.to_owned()).collect(), told)
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
            ("tell dora", "!"),
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
    fn in_doubt_nothing_is_sent_and_nothing_done() {
        for second in ["settle utah", "back", "status"] {
            let (orders, messages) = read(&format!("tell ben: peace\n{second}\n"));
            assert_eq!((orders.len(), messages[0].0.as_str()), (0, "!"), "{second}");
        }
        assert_eq!(read("tell ben:").1[0].0, "!");
    }
}
