//! Parsing of commands to the service, one per line.

use crate::{
    dates::about_absence,
    game::{advice::Wanted, queue::ATTACKED},
    reading::watch_words::Wish,
};
use postrider_letters::LONGEST_LOG;
use postrider_orders::{People, Phrase, clauses, is_confirmation, is_courtesy, near, without_courtesies};
use postrider_standing::even_if;
use postrider_store::{Digest, Hours, LetterLength, Messages};

/// The maximum number of orders in a standing order.
pub const MOST_STANDING: usize = 50;

/// The maximum number of lines in a draft.
pub const MOST_DRAFTED: usize = 100;

/// The maximum number that refers to a line of a draft.
const FURTHEST_LINE: usize = 999;

/// Number of lines of the story that `log` shows.
const USUAL_LOG: usize = 20;

/// The maximum delay of orders, in minutes: a day.
pub const LONGEST_DELAY: u32 = 24 * 60;

/// A command to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `join`, perhaps with a luck phrase.
    Join { luck: String },
    /// `preview`: carry nothing out.
    Preview,
    /// `status`: show the position.
    Status,
    /// `advice`: show the steady bot's preferences, and with `advice played out` their results in
    /// short games.
    Advice(Wanted),
    /// `map`: show the map in letters.
    Map,
    /// `page`: the game as one HTML file is wanted.
    Page,
    /// `help`, perhaps with a subject; also `neighbours of …`.
    Help { subject: Option<Phrase> },
    /// `standing …`.
    Standing(Standing),
    /// `next round: …`: orders for the next Round, in sequence; none for `next round end`.
    Ahead(Vec<String>),
    /// `back`: undo the last order.
    Back,
    /// `confirm always`, `confirm never`: `true` if every order is to be confirmed.
    Confirm(bool),
    /// `delay 10 minutes`, `delay off`: the delay of orders, in minutes.
    Delay(u32),
    /// `letters short`, `letters long`, `letters usual`: the length of letters.
    Letters(LetterLength),
    /// `messages now`, `messages later`: the time at which messages are sent.
    Messages(Messages),
    /// `digest daily`, `digest round`, `digest turn`, `digest off`: the frequency of letters
    /// without a question.
    Digest(Option<Digest>),
    /// `advice on`, `advice off`: `true` if letters contain advice.
    Advised(bool),
    /// `away until Monday`, `vacation 3 to 12 December`, `away off`: the words after the first.
    Away(Vec<String>),
    /// `zone America/Denver`: the time zone for letters.
    Zone(String),
    /// `hours 8 to 22`, `hours off`: the hours in which reminders are sent and deadlines expire.
    Hours(Option<Hours>),
    /// `watch lone-pine` in a mail with other lines, which cannot be used to watch a game.
    Watch,
    /// `my data`: send all data about the player.
    Data,
    /// `stop`: take back waiting orders.
    Stop,
    /// `draft …`: keep the mail's orders without carrying them out.
    Draft(Drafted),
    /// `new token`: make earlier letters void.
    NewToken,
    /// A change of address: `my address is now …` and the like.
    Address(AddressWanted),
    /// `standing pause`: standing orders do not answer in this Round until the player does.
    Pause,
    /// `even if …`, `whatever happens`: the events that do not break off the orders for further
    /// turns before it.
    EvenIf(String),
    /// `boilerplate`, `boilerplate forget`: show or forget the lines that are skipped.
    Boilerplate {
        /// `true` to forget them.
        forget: bool,
    },
    /// `no thanks`, `decline`: decline the invitation.
    Decline,
    /// `games open`: list the games at this host that have an open seat.
    OpenGames,
    /// `rematch`: invite the same players to another game, with their sides exchanged.
    Rematch,
    /// `log`, `log 40`: show the last lines of the story.
    Log(usize),
    /// `games`: list the player's games at this host.
    Games,
    /// `remind ben`: ask a player to answer.
    Remind(String),
    /// `concede`, `resign`: give the game up.
    Concede,
    /// `propose …`: a proposal to all, in words.
    Propose(String),
    /// `agree`, `disagree 41`: vote on the proposal of this entry, or on the only one.
    Vote(bool, Option<u64>),
    /// `withdraw 41`: take back a proposal.
    Withdraw(Option<u64>),
}

impl Request {
    /// Returns `true` if it is a proposal, a vote or a concession.
    pub fn is_motion(&self) -> bool {
        matches!(self, Request::Concede | Request::Propose(_) | Request::Vote(..) | Request::Withdraw(_))
    }

    /// Returns `true` if it is only a query.
    pub fn only_looks(&self) -> bool {
        matches!(
            self,
            Request::Status
                | Request::Map
                | Request::Page
                | Request::Advice(_)
                | Request::Help { .. }
                | Request::Standing(Standing::List)
                | Request::Boilerplate { forget: false }
                | Request::Log(_)
                | Request::Games
                | Request::OpenGames
        )
    }
}

/// A change to a player's addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressWanted {
    /// Replace the present address.
    Now(String),
    /// Also accept orders from this address.
    Also(String),
    /// No longer accept orders from this address.
    NoLonger(String),
}

/// A command about standing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// List them.
    List,
    /// End one.
    End {
        /// The kind of question, as written.
        kind: String,
        /// The name; "" for the one without a name.
        name: String,
    },
    /// Leave one.
    Leave {
        /// The kind of question, as written.
        kind: String,
        /// The orders, as written; at least one.
        orders: Vec<String>,
        /// `true` if the first order that fits answers every such question.
        always: bool,
        /// The name that distinguishes several of the same kind; "" for the one without a name.
        name: String,
        /// `true` if it is tried before the others of its kind.
        first: bool,
    },
    /// Not understood.
    Unclear,
}

/// A change to a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drafted {
    /// `draft`: add the mail's orders and show the draft.
    Orders,
    /// `draft: …`: add this order.
    Add(String),
    /// `draft 3: …`: replace a line.
    Put(usize, String),
    /// `draft drop 3`, `draft drop 2-4`: remove these lines.
    Drop(Vec<usize>),
    /// `draft end`: remove all lines.
    End,
}

/// The words with which commands begin, and with which lines begin that other modules read.
const FIRST: &str = "join preview back undo confirm letters messages digest advice delay draft stop status position map \
     page help commands standing decline unsubscribe log history story journal games rematch concede \
     resign agree disagree withdraw boilerplate remind propose zone hours neighbours away vacation tell \
     note appeal watch";

/// Returns the command of which a line is a misspelt form, unless its first word is nearer to one
/// of `others`.
pub(crate) fn misspelt<'w>(line: &str, others: impl Iterator<Item = &'w str>) -> Option<String> {
    let phrase = Phrase::new(line);
    let first = phrase.words().first()?;
    let nearest =
        near(&first.text, others.chain(FIRST.split_whitespace()), 1).pop().filter(|word| begins_command(word))?;
    let command = nearest + rest_from(phrase.line(), first.end).trim_end();
    let by_others = ["tell", "note", "appeal"].iter().any(|word| command.starts_with(word)) && command.contains(':');
    (by_others || said(&command).is_some()).then_some(command)
}

/// Returns `true` if commands begin with this word.
pub(crate) fn begins_command(word: &str) -> bool {
    FIRST.split_whitespace().any(|one| one == word)
}

/// Parses a command.
pub fn said(line: &str) -> Option<Request> {
    if Wish::of(line).is_some_and(|wish| wish.names_game()) {
        return Some(Request::Watch);
    }
    let phrase = Phrase::new(line);
    let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let plain = words.join(" ");
    fixed(if line.trim() == "?" { "help" } else { &plain })
        .or_else(|| even_if(&phrase).map(Request::EvenIf))
        .or_else(|| with_more(line, &phrase, &words))
        .or_else(|| about_absence(&words).map(|days| Request::Away(days.iter().map(|&word| word.to_owned()).collect())))
}

/// Parses a command with a fixed wording.
fn fixed(plain: &str) -> Option<Request> {
    Some(match plain {
        "join" | "join luck" => Request::Join { luck: String::new() },
        "preview" => Request::Preview,
        "back" | "undo" | "take back" | "take it back" => Request::Back,
        "confirm always" | "confirm on" => Request::Confirm(true),
        "confirm never" | "confirm off" => Request::Confirm(false),
        "letters short" => Request::Letters(LetterLength::Short),
        "letters long" => Request::Letters(LetterLength::Long),
        "letters usual" => Request::Letters(LetterLength::Usual),
        "messages now" => Request::Messages(Messages::Now),
        "messages later" => Request::Messages(Messages::Later),
        "digest off" | "no digest" => Request::Digest(None),
        "advice" => Request::Advice(Wanted::Opinion),
        "advice played out" => Request::Advice(Wanted::PlayedOut),
        "advice on" => Request::Advised(true),
        "advice off" | "no advice" => Request::Advised(false),
        "delay off" | "no delay" => Request::Delay(0),
        "my data" => Request::Data,
        "stop" => Request::Stop,
        "draft" | "my draft" => Request::Draft(Drafted::Orders),
        "draft end" | "end draft" | "draft off" | "draft drop all" => Request::Draft(Drafted::End),
        "new token" | "new tokens" => Request::NewToken,
        "standing pause" | "pause standing" | "pause standing orders" => Request::Pause,
        "status" | "position" => Request::Status,
        "map" | "the map" => Request::Map,
        "page" | "the page" | "my page" => Request::Page,
        "help" | "help me" | "commands" => Request::Help { subject: None },
        "standing" => Request::Standing(Standing::List),
        "if attacked end" | "if attacked off" => {
            Request::Standing(Standing::End { kind: ATTACKED.to_owned(), name: String::new() })
        }
        "next round end" | "next round off" => Request::Ahead(Vec::new()),
        "decline" | "i decline" | "no thanks" | "no thank you" | "unsubscribe" => Request::Decline,
        "log" | "history" | "story" | "journal" => Request::Log(USUAL_LOG),
        "games" | "my games" => Request::Games,
        "rematch" => Request::Rematch,
        "games open" | "open games" => Request::OpenGames,
        "concede" | "i concede" | "resign" | "i resign" | "i give up" | "surrender" | "i surrender" => Request::Concede,
        "agree" | "i agree" => Request::Vote(true, None),
        "disagree" | "i disagree" | "do not agree" | "i do not agree" | "dont agree" | "i dont agree" => {
            Request::Vote(false, None)
        }
        "withdraw" | "withdraw proposal" => Request::Withdraw(None),
        "boilerplate" => Request::Boilerplate { forget: false },
        "boilerplate forget" | "forget boilerplate" => Request::Boilerplate { forget: true },
        _ => return None,
    })
}

/// Parses a command with arguments.
fn with_more(line: &str, phrase: &Phrase, words: &[&str]) -> Option<Request> {
    let after = |n: usize| phrase.words().get(n).map_or("", |word| rest_from(line, word.start));
    let (head, tail) =
        line.split_once(':').map_or((String::new(), ""), |(head, tail)| (Phrase::new(head).plain(), tail));
    Some(match words {
        ["my", "address", "is", "now", ..]
        | ["my", "new", "address", "is", ..]
        | ["change", "my", "address", "to", ..] => Request::Address(AddressWanted::Now(address(after(4))?)),
        ["also", "write", "from", ..] => Request::Address(AddressWanted::Also(address(after(3))?)),
        ["no", "longer", "write", "from", ..] => Request::Address(AddressWanted::NoLonger(address(after(4))?)),
        ["join", "luck", ..] => Request::Join { luck: luck(after(2)) },
        ["log" | "history" | "story", lines] => Request::Log(lines.parse().ok().filter(|&lines| lines <= LONGEST_LOG)?),
        ["remind", name, ..] if words.len() <= 4 && *name != "me" => {
            Request::Remind(after(1).trim_end_matches(['.', '!']).to_owned())
        }
        ["propose", _, ..] => Request::Propose(after(1).to_owned()),
        ["agree", n] | ["agree", "to", n] => Request::Vote(true, Some(n.parse().ok()?)),
        ["disagree", n] | ["disagree", "with", n] => Request::Vote(false, Some(n.parse().ok()?)),
        ["withdraw", n] | ["withdraw", "proposal", n] => Request::Withdraw(Some(n.parse().ok()?)),
        ["digest", often] => Request::Digest(Some(often.parse().ok()?)),
        ["delay", number, unit @ ..] if unit.len() <= 1 => delay(number.parse().ok()?, unit.first().copied())?,
        ["zone", _, ..] => Request::Zone(after(1).trim().trim_end_matches(['.', '!']).to_owned()),
        ["hours", hours @ ..] => Request::Hours(hours_of(hours)?),
        ["draft", ..] => Request::Draft(drafted(line, words)?),
        ["neighbours" | "neighbors", ..] => Request::Help { subject: Some(phrase.clone()) },
        ["what", "is" | "are", "a" | "an" | "the", _, ..] => Request::Help { subject: Some(Phrase::new(after(3))) },
        ["help", ..] => Request::Help { subject: Some(Phrase::new(after(1))) },
        ["next", "round", ..] if head == "next round" => {
            let orders: Vec<String> = clauses(tail).iter().map(|clause| clause.text().to_owned()).collect();
            Request::Ahead(Some(orders).filter(|orders| !orders.is_empty())?)
        }
        ["if", "attacked", ..] if head == "if attacked" => {
            let (kind, orders) = (ATTACKED.to_owned(), Some(orders_of(tail)).filter(|orders| !orders.is_empty())?);
            Request::Standing(Standing::Leave { kind, orders, always: true, name: String::new(), first: false })
        }
        ["standing", ..] => Request::Standing(standing(line, words)),
        _ => return None,
    })
}

/// Parses a single mail address. A mail program may have added a link.
fn address(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['>', ',', ';', '!', '.']);
    let address = text.split_once(['<', '>']).map_or(text, |(before, _)| before).to_ascii_lowercase();
    (address.contains('@') && !address.contains(char::is_whitespace)).then_some(address)
}

/// Parses `delay 10 minutes` or `delay 2 hours`; a number without a unit means minutes.
fn delay(number: u32, unit: Option<&str>) -> Option<Request> {
    let minutes = match unit {
        None | Some("minute" | "minutes" | "min") => number,
        Some("hour" | "hours") => number.checked_mul(60)?,
        Some(_) => return None,
    };
    (minutes <= LONGEST_DELAY).then_some(Request::Delay(minutes))
}

/// Returns `true` if these words send a draft.
pub fn is_send(phrase: &Phrase) -> bool {
    matches!(phrase.plain().as_str(), "send" | "send it" | "send draft" | "send my draft" | "send the draft")
}

/// Parses a change to the draft: `draft: …`, `draft 3: …`, `draft drop 2`.
fn drafted(line: &str, words: &[&str]) -> Option<Drafted> {
    if let Some((head, order)) = line.split_once(':').filter(|(_, order)| !Phrase::new(order).is_empty()) {
        let order = order.trim().to_owned();
        return match Phrase::new(head).plain().split_once(' ') {
            None => Some(Drafted::Add(order)),
            Some((_, at)) => at.parse().ok().filter(|&at| at > 0).map(|at| Drafted::Put(at, order)),
        };
    }
    match words {
        ["draft", "drop", ..] => {
            let start = Phrase::new(line).words().get(2).map_or(0, |word| word.start);
            lines_of(rest_from(line, start)).map(Drafted::Drop)
        }
        _ => None,
    }
}

/// Parses line numbers from 1: `2`, `2-4`, `lines 2 to 4 and 7`. Returns `None` if there is
/// anything else.
fn lines_of(text: &str) -> Option<Vec<usize>> {
    let text = text.to_lowercase().replace(['-', '–'], " to ");
    let parts = text.split([' ', ',']).map(|part| part.trim_end_matches(['.', '!']));
    let mut parts = parts.filter(|part| !["", "and", "line", "lines"].contains(part)).peekable();
    let mut all = Vec::new();
    while let Some(part) = parts.next() {
        let first: usize = part.parse().ok().filter(|number| (1..=FURTHEST_LINE).contains(number))?;
        let last = match parts.next_if(|next| ["to", "until"].contains(next)) {
            Some(_) => parts.next()?.parse().ok().filter(|number| (first..=FURTHEST_LINE).contains(number))?,
            None => first,
        };
        all.extend(first..=last);
    }
    Some(all).filter(|all| !all.is_empty())
}

/// Splits the orders of a standing order at semicolons.
fn orders_of(text: &str) -> Vec<String> {
    text.split(';').map(|order| order.trim().to_owned()).filter(|order| !Phrase::new(order).is_empty()).collect()
}

/// Parses the hours of `hours 8 to 22`, `hours 8-22`, `hours 8:00 to 22:00`, `hours off`.
fn hours_of(words: &[&str]) -> Option<Option<Hours>> {
    let hour = |word: &str| word.parse::<u32>().ok().filter(|hour| word.len() <= 2 && *hour <= 24);
    match words.iter().copied().filter(|word| !["00", "to"].contains(word)).collect::<Vec<_>>()[..] {
        ["off"] => Some(None),
        [from, to] => {
            let (from, to) = (hour(from)? % 24, hour(to)?);
            let to = if to == 0 { 24 } else { to };
            (from != to).then_some(Some(Hours { from, to }))
        }
        _ => None,
    }
}

/// Parses a line of a mail before the game begins. There can be no orders yet, so a confirmation
/// answers the invitation.
pub fn request_before(line: &str, people: &People) -> Option<Request> {
    let phrase = Phrase::new(line);
    match (said(line), phrase.words()) {
        (None, words) => match words.iter().position(|word| word.text == "join") {
            // `Hi, join luck: seven horses`
            Some(at) if at > 0 && is_courtesy(&phrase.part(0..at), people) => {
                request_before(rest_from(line, words[at].start), people)
            }
            // The invitation asks whether the player will play.
            _ if !line.contains(['?', '？']) && says_that_he_plays(&phrase, people) => {
                Some(Request::Join { luck: String::new() })
            }
            _ => None,
        },
        (said, _) => said,
    }
}

/// Returns `true` for `Yes, I will play`, `count me in` and the like, if there is nothing else.
fn says_that_he_plays(phrase: &Phrase, people: &People) -> bool {
    const PLAYS: &[&str] =
        &["i will play", "ill play", "i play", "i am in", "im in", "count me in", "i will join", "id love to play"];
    let left = without_courtesies(phrase, people);
    is_confirmation(phrase, people) || left.iter().any(|left| PLAYS.contains(&left.plain().as_str()))
}

/// Parses a luck phrase on a line of its own: `luck seven horses`, `My words for luck: seven
/// horses`.
pub fn luck_alone(line: &str) -> Option<String> {
    let phrase = Phrase::new(line);
    let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let from = match words.as_slice() {
        ["luck", _, ..] => 1,
        ["my", "luck", _, ..] => 2,
        ["words", "for", "luck", _, ..] => 3,
        ["my", "words", "for", "luck", _, ..] => 4,
        _ => return None,
    };
    Some(luck(rest_from(line, phrase.words()[from].start)))
}

fn rest_from(line: &str, column: usize) -> &str {
    line.char_indices().nth(column).map_or("", |(byte, _)| &line[byte..])
}

/// Cleans a luck phrase: one line of plain text of limited length.
pub(crate) fn luck(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).collect()
}

pub(crate) fn standing(line: &str, words: &[&str]) -> Standing {
    if words.len() == 1 {
        return Standing::List;
    }
    let Some((head, orders)) = line.split_once(':') else {
        return match words {
            [_, kind @ .., "end" | "off" | "stop"] if !kind.is_empty() => {
                let (kind, name) = kind_and_name(kind);
                Standing::End { kind, name }
            }
            _ => Standing::Unclear,
        };
    };
    let head = Phrase::new(head);
    let mut kind: Vec<&str> = head.words().iter().skip(1).map(|word| word.text.as_str()).collect();
    let (mut always, mut first) = (false, false);
    while let Some(flag) = kind.pop_if(|word| ["always", "first"].contains(word)) {
        (always, first) = (always || flag == "always", first || flag == "first");
    }
    let orders = orders_of(orders);
    if kind.is_empty() || orders.is_empty() {
        return Standing::Unclear;
    }
    let (kind, name) = kind_and_name(&kind);
    Standing::Leave { kind, orders, always, name, first }
}

/// Parses `column loss named careful`: the kind as in journals, and the name.
fn kind_and_name(words: &[&str]) -> (String, String) {
    match words.iter().position(|word| ["named", "called"].contains(word)) {
        Some(at) if at > 0 => (words[..at].join("-"), words[at + 1..].join(" ")),
        _ => (words.join("-"), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn leave(kind: &str, orders: &[&str], always: bool) -> Request {
        let (kind, orders) = (kind.to_owned(), words(orders));
        Request::Standing(Standing::Leave { kind, orders, always, name: String::new(), first: false })
    }

    fn end(kind: &str, name: &str) -> Request {
        Request::Standing(Standing::End { kind: kind.to_owned(), name: name.to_owned() })
    }

    #[test]
    fn the_commands_of_the_page_are_known_by_their_first_words() {
        let page = include_str!("../../../docs/player.md");
        let commands = page.split("## Commands").nth(1).unwrap().split("\n## ").next().unwrap();
        let rows = commands.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        let first = rows.filter_map(|row| row.split('`').nth(1)?.split([' ', ':']).next());
        let known = |word: &&str| begins_command(word);
        let (known, others): (Vec<&str>, Vec<&str>) = first.partition(known);
        assert!(known.len() > 25, "{known:?}");
        // Everyday words are not misspelt commands.
        assert_eq!(others, ["my", "also", "new", "my"]);
    }

    #[test]
    fn commands_are_read() {
        let join = |luck: &str| Request::Join { luck: luck.to_owned() };
        let help = |subject: &str| Request::Help { subject: Some(Phrase::new(subject)) };
        let hours = |from, to| Request::Hours(Some(Hours { from, to }));
        let now = |address: &str| Request::Address(AddressWanted::Now(address.to_owned()));
        for (line, request) in [
            ("My address is now Ben@New.example.", now("ben@new.example")),
            ("my address is now: <ben@new.example>", now("ben@new.example")),
            ("my new address is ben@new.example<mailto:ben@new.example>", now("ben@new.example")),
            ("Also write from b@x.example!", Request::Address(AddressWanted::Also("b@x.example".into()))),
            ("no longer write from b@x.example", Request::Address(AddressWanted::NoLonger("b@x.example".into()))),
            ("Join!", join("")),
            ("join luck: Seven grey horses", join("Seven grey horses")),
            ("Back.", Request::Back),
            ("neighbours of utah", help("neighbours of utah")),
            ("What is a raid", help("raid")),
            ("?", Request::Help { subject: None }),
            ("Advice?", Request::Advice(Wanted::Opinion)),
            ("Advice, played out.", Request::Advice(Wanted::PlayedOut)),
            ("confirm never.", Request::Confirm(false)),
            ("Letters LONG", Request::Letters(LetterLength::Long)),
            ("delay 10 minutes", Request::Delay(10)),
            ("delay 2 hours", Request::Delay(120)),
            ("delay off", Request::Delay(0)),
            ("stop!", Request::Stop),
            ("New tokens.", Request::NewToken),
            ("Hours 8 to 22.", hours(8, 22)),
            ("hours 8-22", hours(8, 22)),
            ("hours: 20:00 to 6:00", hours(20, 6)),
            ("hours off", Request::Hours(None)),
            ("watch lone-pine", Request::Watch),
            ("Draft:", Request::Draft(Drafted::Orders)),
            ("draft: 1 c: 2405 > 2306", Request::Draft(Drafted::Add("1 c: 2405 > 2306".into()))),
            ("Draft 3: raid utah", Request::Draft(Drafted::Put(3, "raid utah".into()))),
            ("draft drop 2", Request::Draft(Drafted::Drop(vec![2]))),
            ("draft drop lines 2-4 and 7.", Request::Draft(Drafted::Drop(vec![2, 3, 4, 7]))),
            ("draft end", Request::Draft(Drafted::End)),
            ("Next round: play raid, then raid utah.", Request::Ahead(words(&["play raid", "raid utah"]))),
            ("Next round off.", Request::Ahead(Vec::new())),
            ("if attacked: evade if alone; stand", leave(ATTACKED, &["evade if alone", "stand"], true)),
            ("if attacked end", end(ATTACKED, "")),
            ("standing", Request::Standing(Standing::List)),
            ("standing settlement: nebraska; kansas ;", leave("settlement", &["nebraska", "kansas"], false)),
            ("Standing Shaman Card always: pass", leave("shaman-card", &["pass"], true)),
            ("standing settlement end.", end("settlement", "")),
            ("standing column loss named careful end", end("column-loss", "careful")),
            ("standing settlement", Request::Standing(Standing::Unclear)),
        ] {
            assert_eq!(said(line), Some(request), "{line}");
        }
        let Some(Request::Standing(Standing::Leave { kind, name, first, always, .. })) =
            said("standing evasion named brave first always: evade; otherwise stand")
        else {
            panic!("no standing order");
        };
        assert_eq!((kind.as_str(), name.as_str(), first, always), ("evasion", "brave", true, true));
    }

    #[test]
    fn other_lines_are_no_commands() {
        for line in [
            "fall back",
            "my address is now",
            "my address is now here",
            "my address is now b@x.example, I hope",
            "ben@new.example",
            "map the raid",
            "preview the raid",
            "play raid: comanche raid utah",
            "if attacked i would evade",
            "if he attacks: evade",
            "hours 8 to 99",
            "delay 9 days",
            "delay 99999",
            "This is only a draft!",
            "draft drop it",
            "first pick in the draft!",
            "next round I will attack",
            "next round:",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
        assert!(is_send(&Phrase::new("Send it.")) && !is_send(&Phrase::new("do not send")));
    }

    #[test]
    fn before_the_game_a_line_may_answer_the_invitation() {
        let luck = |line: &str| match request_before(line, &People::new(["Anna"])) {
            Some(Request::Join { luck }) => Some(luck),
            _ => None,
        };
        for (line, words) in [
            ("join luck owls", "owls"),
            ("Hi, join luck: seven horses", "seven horses"),
            ("Hello Anna, join!", ""),
            ("Count me in", ""),
        ] {
            assert_eq!(luck(line).as_deref(), Some(words), "{line}");
        }
        for other in ["help join", "we join", "join lone-pine", "join the draft horses"] {
            assert!(luck(other).is_none(), "{other}");
        }
    }
}
