//! Commands to the service, a line each.

use crate::{
    dates::about_absence,
    game::{advice::Wanted, queue::ATTACKED},
    reading::{address_words::AddressWanted, watch_words::Named},
};
use postrider_orders::{
    People, Phrase, clauses, is_confirmation, is_courtesy, without_courtesies,
};
use postrider_standing::even_if;
use postrider_store::{Digest, Hours, LetterLength, Messages};

/// A standing order holds no more orders than these.
pub const MOST_STANDING: usize = 50;

/// A draft has no more lines than these.
pub const MOST_DRAFTED: usize = 100;

/// No line of a draft has a number beyond this.
const FURTHEST_LINE: usize = 999;

/// Orders wait a day at most, in minutes.
pub const LONGEST_DELAY: u32 = 24 * 60;

/// Luck phrases are kept to a length that a journal line and a mail can show.
const LONGEST_LUCK: usize = 200;

/// One line of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `join`, perhaps with words for luck.
    Join { luck: String },
    /// `preview`: nothing is to be done.
    Preview,
    /// `status`: the position is wanted.
    Status,
    /// `advice`: what the steady bot would answer is wanted; with `advice played out` also what comes of it in short games.
    Advice(Wanted),
    /// `map`: the map in letters is wanted.
    Map,
    /// `help`, perhaps with a subject; also `neighbours of …`.
    Help { subject: Option<Phrase> },
    /// `standing …`.
    Standing(Standing),
    /// `next round: …`: orders for the next Round, in order; `next round end`, none.
    Ahead(Vec<String>),
    /// `back`: the last order is to be undone.
    Back,
    /// `confirm always`, `confirm never`: whether every order is proposed first.
    Confirm(bool),
    /// `delay 10 minutes`, `delay off`: for how many minutes orders wait.
    Delay(u32),
    /// `letters short`, `letters long`, `letters usual`: how long letters are.
    Letters(LetterLength),
    /// `messages now`, `messages later`: when words of others are sent.
    Messages(Messages),
    /// `digest daily`, `digest round`, `digest turn`, `digest off`: how often he is written to when nothing is asked of him.
    Digest(Option<Digest>),
    /// `advice on`, `advice off`: whether advice stands in his letters.
    Advised(bool),
    /// `away until Monday`, `vacation 3 to 12 December`, `away off`: what stands behind the first word, in words.
    Away(Vec<String>),
    /// `zone America/Denver`: in which zone times are read.
    Zone(String),
    /// `hours 8 to 22`, `hours off`: in which hours reminders come and deadlines pass.
    Hours(Option<Hours>),
    /// `watch lone-pine` beside something else: the game cannot be watched by such a mail.
    Watch,
    /// `my data`: what is kept of the writer.
    Data,
    /// `stop`: the orders that wait are taken back.
    Stop,
    /// `draft …`: the orders of the mail are kept, and nothing is done.
    Draft(Drafted),
    /// `new token`: letters from before are to be void.
    NewToken,
    /// `my address is now …` and the like.
    Address(AddressWanted),
    /// `pause`: nothing that was left answers in this Round until its writer does.
    Pause,
    /// `even if …`, `whatever happens`: what does not break off the orders for further turns that stand before it.
    EvenIf(String),
    /// `boilerplate`, `boilerplate forget`: the lines that are passed over are shown, or forgotten.
    Boilerplate {
        /// Whether they are to be forgotten.
        forget: bool,
    },
    /// Everyday words for something that the service does otherwise or not by mail: what to do instead.
    Instead(&'static str),
}

impl Request {
    /// Whether it wants to know something and nothing else.
    pub fn only_looks(&self) -> bool {
        matches!(
            self,
            Request::Status
                | Request::Map
                | Request::Advice(_)
                | Request::Help { .. }
                | Request::Standing(Standing::List)
                | Request::Boilerplate { forget: false }
                | Request::Instead(_)
        )
    }
}

/// An instruction about standing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// What stands?
    List,
    /// No more answers ahead to this kind of question.
    End {
        /// The kind, as written.
        kind: String,
        /// What it is called; "" for the one without a name.
        name: String,
    },
    /// Answers ahead.
    Leave {
        /// The kind, as written.
        kind: String,
        /// The orders, as written; at least one.
        orders: Vec<String>,
        /// Whether they answer every such question: the first of them that fits.
        always: bool,
        /// What it is called among several for the same kind; "" for the one without a name.
        name: String,
        /// Whether it goes before the others of its kind.
        first: bool,
    },
    /// Not understood.
    Unclear,
}

/// What becomes of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drafted {
    /// `draft`: it gets the orders of the mail, and is shown.
    Orders,
    /// `draft: …`: it gets this order.
    Add(String),
    /// `draft 3: …`: this takes the place of a line.
    Put(usize, String),
    /// `draft drop 3`, `draft drop 2-4`: these lines go.
    Drop(Vec<usize>),
    /// `draft end`: all of them go.
    End,
}

/// Reads one line.
pub fn said(line: &str) -> Option<Request> {
    if let Some(wanted) = AddressWanted::of(line) {
        return Some(Request::Address(wanted));
    }
    if Named::of_line(line).is_some() {
        return Some(Request::Watch);
    }
    let phrase = Phrase::new(line);
    let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let after = |n: usize| phrase.words().get(n).map_or("", |word| rest_from(line, word.start));
    if let Some(words) = even_if(&phrase) {
        return Some(Request::EvenIf(words));
    }
    Some(match words.as_slice() {
        ["join"] => Request::Join { luck: String::new() },
        ["join", "luck"] => Request::Join { luck: String::new() },
        ["join", "luck", ..] => Request::Join { luck: luck(after(2)) },
        ["preview"] => Request::Preview,
        ["back"] | ["undo"] | ["take", "back"] | ["take", "it", "back"] => Request::Back,
        ["confirm", "always" | "on"] => Request::Confirm(true),
        ["confirm", "never" | "off"] => Request::Confirm(false),
        ["letters", "short"] => Request::Letters(LetterLength::Short),
        ["letters", "long"] => Request::Letters(LetterLength::Long),
        ["letters", "usual" | "normal" | "default"] => Request::Letters(LetterLength::Usual),
        ["messages" | "press", "now"] | ["messages" | "press", "at", "once"] => Request::Messages(Messages::Now),
        ["messages" | "press", "later"] | ["messages" | "press", "with", "letters"] => {
            Request::Messages(Messages::Later)
        }
        ["digest", "off" | "never" | "none"] | ["no", "digest"] => Request::Digest(None),
        ["digest", often] | ["a", "digest", often] if often.parse::<Digest>().is_ok() => {
            Request::Digest(often.parse().ok())
        }
        ["advice", "on"] => Request::Advised(true),
        ["advice", "off"] | ["no", "advice"] => Request::Advised(false),
        ["delay", "off" | "never" | "none" | "0"] => Request::Delay(0),
        ["delay", number, unit @ ..] if unit.len() <= 1 => match (number.parse::<u32>(), unit.first().copied()) {
            (Ok(minutes), None | Some("minute" | "minutes" | "min" | "mins")) if minutes <= LONGEST_DELAY => {
                Request::Delay(minutes)
            }
            (Ok(hours), Some("hour" | "hours")) if hours <= LONGEST_DELAY / 60 => Request::Delay(60 * hours),
            _ => return None,
        },
        ["zone", ..] | ["time", "zone", ..] if words.len() > 1 => {
            Request::Zone(after(if words[0] == "time" { 2 } else { 1 }).trim().trim_end_matches(['.', '!']).to_owned())
        }
        ["hours", hours @ ..] | ["my", "hours", hours @ ..] if hours_of(hours).is_some() => {
            Request::Hours(hours_of(hours).unwrap_or_default())
        }
        ["my", "data"] | ["export", "my", "data"] => Request::Data,
        ["stop"] => Request::Stop,
        ["draft" | "add", ..] | ["my", "draft", ..] | ["end" | "clear" | "delete" | "drop", "draft"]
            if !is_send(&phrase) =>
        {
            Request::Draft(drafted(line, &words)?)
        }
        ["new", "token" | "tokens"] => Request::NewToken,
        ["pause"] | ["and", "pause"] | ["then", "pause"] => Request::Pause,
        ["status"] | ["position"] => Request::Status,
        ["map"] | ["map", "whole" | "all"] | ["the" | "whole", "map"] | ["the", "whole", "map"] => Request::Map,
        ["advice"] | ["advise", "me"] => Request::Advice(Wanted::Opinion),
        ["advice", "played", "out"]
        | ["advice", "with", "games" | "rollouts"]
        | ["advice", "with", "short", "games"]
        | ["advice", "with", "roll", "outs"] => Request::Advice(Wanted::PlayedOut),
        ["neighbours" | "neighbors", ..] => Request::Help { subject: Some(phrase.clone()) },
        ["help"] | ["commands"] => Request::Help { subject: None },
        [] if line.trim() == "?" => Request::Help { subject: None },
        ["what", "is" | "are", "a" | "an" | "the", _, ..] => Request::Help { subject: Some(Phrase::new(after(3))) },
        ["help", ..] => Request::Help { subject: Some(Phrase::new(after(1))) },
        ["next", "round", ..] | ["in", "my", "next", "round", ..] if ahead(line, &words).is_some() => {
            Request::Ahead(ahead(line, &words).unwrap_or_default())
        }
        ["standing", ..] => Request::Standing(standing(line, &words)),
        ["if" | "when", ..] if if_attacked(line, &words).is_some() => {
            Request::Standing(if_attacked(line, &words).unwrap_or(Standing::Unclear))
        }
        ["boilerplate"] => Request::Boilerplate { forget: false },
        ["boilerplate", "forget" | "off" | "end"] | ["forget", "boilerplate"] => Request::Boilerplate { forget: true },
        _ => match (about_absence(&words), everyday(&words)) {
            (Some(rest), _) => Request::Away(rest.iter().map(|word| (*word).to_owned()).collect()),
            (None, Some(instead)) => Request::Instead(instead),
            (None, None) => return None,
        },
    })
}

/// Everyday words that other services take, and what to write here.
fn everyday(words: &[&str]) -> Option<&'static str> {
    Some(match words {
        ["log"] | ["history"] | ["story"] | ["journal"] => {
            "The story of this Turn comes with `status`; the host can show the whole log (`postrider log`)."
        }
        ["score"] | ["scores"] | ["standings"] | ["who", "is", "winning"] | ["points"] => {
            "Reply `status`: it shows the score."
        }
        ["games"] | ["my", "games"] => "Each game writes letters of its own; `[...]` in the subject names the game.",
        ["rules"] | ["rulebook"] => {
            "Reply `help` for the list of subjects, or `help` and a subject, such as `help raid`."
        }
        ["page"] => "The host can make the page of this game (`postrider page`).",
        ["resign"] | ["concede"] | ["i", "resign"] | ["i", "concede"] => {
            "Nobody can give a game up by mail yet. Write `tell host: I resign`, and the host can give your seat to somebody else."
        }
        ["draw"] | ["propose", "draw"] => {
            "A draw is agreed by messages: `tell all: draw?`, and the host then ends the game."
        }
        ["decline"] | ["no", "thanks"] | ["unsubscribe"] => {
            "Write `tell host: I will not play`, and the host can give your seat to somebody else."
        }
        _ => return None,
    })
}

/// Whether these words send a draft.
pub fn is_send(phrase: &Phrase) -> bool {
    matches!(phrase.plain().as_str(), "send" | "send it" | "send draft" | "send my draft" | "send the draft")
}

/// What a line about the draft wants.
fn drafted(line: &str, words: &[&str]) -> Option<Drafted> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    if let Some((head, order)) = line.split_once(':').filter(|(_, order)| !Phrase::new(order).is_empty()) {
        let head = Phrase::new(head);
        let order = order.trim().to_owned();
        match head.words().iter().map(|word| word.text.as_str()).collect::<Vec<_>>().as_slice() {
            ["draft" | "add"] | ["add", "to", "draft"] | ["my", "draft"] => return Some(Drafted::Add(order)),
            ["draft", at] | ["draft", "line", at] => {
                if let Some(at) = number(at) {
                    return Some(Drafted::Put(at, order));
                }
            }
            _ => {}
        }
    }
    Some(match words {
        ["draft", "end" | "off" | "clear" | "delete"]
        | ["end" | "clear" | "delete" | "drop", "draft"]
        | ["draft", "drop", "all" | "everything"] => Drafted::End,
        ["draft", "drop" | "remove" | "delete", _, ..] => {
            let start = Phrase::new(line).words().get(2).map_or(0, |word| word.start);
            Drafted::Drop(lines_of(rest_from(line, start))?)
        }
        ["draft"] | ["my", "draft"] => Drafted::Orders,
        _ => return None,
    })
}

/// `2`, `2-4`, `lines 2 to 4 and 7`: numbers from 1; nothing where there is anything else.
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

/// The orders behind `next round:`, none for its end; `None` where it is no plan.
pub(crate) fn ahead(line: &str, words: &[&str]) -> Option<Vec<String>> {
    if matches!(words, [.., "round", "end" | "off" | "stop" | "nothing"]) {
        return Some(Vec::new());
    }
    let (head, orders) = line.split_once(':')?;
    let head = Phrase::new(head);
    let orders: Vec<String> = clauses(orders).iter().map(|clause| clause.text().to_owned()).collect();
    (head.words().last()?.text == "round" && !orders.is_empty()).then_some(orders)
}

/// `if attacked: evade`: a standing order for all questions that come of attacks; `if attacked end` ends it.
fn if_attacked(line: &str, words: &[&str]) -> Option<Standing> {
    const HEADS: &[&[&str]] = &[
        &["attacked"],
        &["i", "am", "attacked"],
        &["im", "attacked"],
        &["we", "are", "attacked"],
        &["they", "attack"],
    ];
    let says = |words: &[&str]| HEADS.contains(&words);
    if let ["if" | "when", head @ .., "end" | "off" | "stop" | "nothing"] = words
        && says(head)
        && !line.contains(':')
    {
        return Some(Standing::End { kind: ATTACKED.to_owned(), name: String::new() });
    }
    let (head, orders) = line.split_once(':')?;
    let head = Phrase::new(head);
    let head: Vec<&str> = head.words().iter().skip(1).map(|word| word.text.as_str()).collect();
    let orders = orders_of(orders);
    (says(&head) && !orders.is_empty()).then(|| Standing::Leave {
        kind: ATTACKED.to_owned(),
        orders,
        always: true,
        name: String::new(),
        first: false,
    })
}

/// The orders of a standing order, between semicolons.
fn orders_of(text: &str) -> Vec<String> {
    text.split(';').map(|order| order.trim().to_owned()).filter(|order| !Phrase::new(order).is_empty()).collect()
}

/// What stands behind `hours`: `8 to 22`, `8-22`, `8:00 to 22:00`, `off`; `None` where it is nothing of the kind.
fn hours_of(words: &[&str]) -> Option<Option<Hours>> {
    let words: Vec<&str> =
        words.iter().flat_map(|word| word.split(['-', '–'])).filter(|word| !word.is_empty()).collect();
    let hour = |word: &&str| {
        let digits = word.strip_suffix(":00").unwrap_or(word);
        digits.parse::<u32>().ok().filter(|hour| digits.len() <= 2 && *hour <= 24)
    };
    let words: Vec<&str> = words.into_iter().filter(|word| !["00", "from", "are", "oclock"].contains(word)).collect();
    match words.as_slice() {
        ["off" | "all" | "any"] => Some(None),
        [from, to] | [from, "to" | "until" | "till" | "and", to] => {
            let (from, to) = (hour(from)? % 24, hour(to)?);
            let to = if to == 0 { 24 } else { to };
            (from != to).then_some(Some(Hours { from, to }))
        }
        _ => None,
    }
}

/// Reads one line of a mail that comes before the game begins: what follows `join` is for luck, as there can be no orders yet.
pub fn request_before(line: &str, people: &People) -> Option<Request> {
    let phrase = Phrase::new(line);
    match (said(line), phrase.words()) {
        (None, [first, second, ..]) if first.text == "join" => {
            Some(Request::Join { luck: luck(rest_from(line, second.start)) })
        }
        (None, words) => match words.iter().position(|word| word.text == "join") {
            // `Hi, join luck: seven horses`
            Some(at) if at > 0 && is_courtesy(&phrase.part(0..at), people) => {
                request_before(rest_from(line, words[at].start), people)
            }
            // The invitation asks whether he will play.
            _ if !line.contains(['?', '？']) && says_that_he_plays(&phrase, people) => {
                Some(Request::Join { luck: String::new() })
            }
            _ => None,
        },
        (said, _) => said,
    }
}

/// `Yes, I will play`, `count me in`, and nothing else.
fn says_that_he_plays(phrase: &Phrase, people: &People) -> bool {
    const PLAYS: &[&str] =
        &["i will play", "ill play", "i play", "i am in", "im in", "count me in", "i will join", "id love to play"];
    let left = without_courtesies(phrase, people);
    is_confirmation(phrase, people) || left.iter().any(|left| PLAYS.contains(&left.plain().as_str()))
}

/// The words for luck on a line of their own: `luck seven horses`, `My words for luck: seven horses`.
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

/// One line of plain text.
pub(crate) fn luck(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(LONGEST_LUCK).collect()
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

/// `column loss named careful`: the kind as journals have it, and the name.
fn kind_and_name(words: &[&str]) -> (String, String) {
    match words.iter().position(|word| ["named", "called"].contains(word)) {
        Some(at) if at > 0 => (words[..at].join("-"), words[at + 1..].join(" ")),
        _ => (words.join("-"), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command of a line.
    #[track_caller]
    fn said(line: &str) -> Request {
        super::said(line).unwrap_or_else(|| panic!("{line:?} is no command"))
    }

    /// The command of a line before the game begins.
    #[track_caller]
    fn request_before(line: &str) -> Request {
        let people = People::new(["Anna"]);
        super::request_before(line, &people).unwrap_or_else(|| panic!("{line:?} is no command"))
    }

    #[test]
    fn words_to_the_office_are_told_from_orders() {
        assert_eq!(said("Join!"), Request::Join { luck: String::new() });
        assert_eq!(said("join luck: Seven grey horses"), Request::Join { luck: "Seven grey horses".into() });
        assert_eq!(said("PREVIEW"), Request::Preview);
        assert_eq!((said("Back."), said("take back")), (Request::Back, Request::Back));
        assert!(super::said("fall back").is_none());
        assert_eq!(said("help raid"), Request::Help { subject: Some(Phrase::new("raid")) });
        assert_eq!((said("Map!"), said("Advice?")), (Request::Map, Request::Advice(Wanted::Opinion)));
        for text in ["advice played out", "Advice, played out.", "advice with roll-outs"] {
            assert_eq!(said(text), Request::Advice(Wanted::PlayedOut), "{text}");
        }
        let neighbours = Phrase::new("neighbours of utah");
        assert_eq!(said("neighbours of utah"), Request::Help { subject: Some(neighbours) });
        assert!(super::said("map the raid").is_none());
        assert!(super::said("preview the raid").is_none());
        assert!(super::said("play raid: comanche raid utah").is_none());
    }

    #[test]
    fn what_is_left_for_attacks_is_a_standing_order() {
        let leave = |orders: &[&str]| {
            let orders = orders.iter().map(|&order| order.to_owned()).collect();
            Request::Standing(Standing::Leave {
                kind: ATTACKED.to_owned(),
                orders,
                always: true,
                name: String::new(),
                first: false,
            })
        };
        let both = leave(&["evade if outnumbered 2 to 1", "stand"]);
        assert_eq!(said("if attacked: evade if outnumbered 2 to 1; stand"), both);
        assert_eq!(said("If I am attacked: stand."), leave(&["stand."]));
        let end = Request::Standing(Standing::End { kind: ATTACKED.to_owned(), name: String::new() });
        assert_eq!((said("if attacked end"), said("when attacked: off")), (end.clone(), leave(&["off"])));
        for chat in ["if attacked i would evade", "if he attacks: evade", "if attacked:", "when attacked"] {
            assert!(super::said(chat).is_none(), "{chat}");
        }
    }

    #[test]
    fn before_the_game_all_words_behind_join_are_for_luck() {
        assert_eq!(request_before("join the draft horses"), Request::Join { luck: "the draft horses".into() });
        assert_eq!(request_before("join my dog is grey"), Request::Join { luck: "my dog is grey".into() });
        assert_eq!(request_before("join luck owls"), Request::Join { luck: "owls".into() });
        assert_eq!(request_before("Hi, join luck: seven horses"), Request::Join { luck: "seven horses".into() });
        assert_eq!(request_before("Hi, join!"), Request::Join { luck: String::new() });
        assert_eq!(request_before("Hello Anna, join"), Request::Join { luck: String::new() });
        assert_eq!(request_before("help join"), said("help join"));
        assert!(super::request_before("we join", &People::default()).is_none());
    }

    #[test]
    fn how_orders_are_taken_is_read() {
        assert_eq!((said("Confirm always"), said("confirm never.")), (Request::Confirm(true), Request::Confirm(false)));
        assert_eq!(said("Letters LONG"), Request::Letters(LetterLength::Long));
        assert_eq!((said("delay 10 minutes"), said("delay 2 hours")), (Request::Delay(10), Request::Delay(120)));
        assert_eq!((said("delay off"), said("stop!")), (Request::Delay(0), Request::Stop));
        assert_eq!((said("New token."), said("new tokens")), (Request::NewToken, Request::NewToken));
        let hours = |from, to| Request::Hours(Some(Hours { from, to }));
        assert_eq!((said("Hours 8 to 22."), said("hours 8-22")), (hours(8, 22), hours(8, 22)));
        assert_eq!((said("my hours: 20:00 to 6:00"), said("hours 9 to 24")), (hours(20, 6), hours(9, 24)));
        assert_eq!((said("hours off"), said("my data")), (Request::Hours(None), Request::Data));
        assert!(super::said("hours 8").is_none() && super::said("hours 8 to 99").is_none());
        assert_eq!(said("watch lone-pine"), Request::Watch);
        assert!(super::said("delay 9 days").is_none() && super::said("delay 99999").is_none());
    }

    #[test]
    fn words_about_a_draft_are_read() {
        let is = |line: &str, drafted: Drafted| assert_eq!(said(line), Request::Draft(drafted), "{line}");
        for line in ["draft", "Draft:", "my draft"] {
            is(line, Drafted::Orders);
        }
        for line in ["This is only a draft!", "draft drop it", "send the draft on Monday", "first pick in the draft!"] {
            assert!(super::said(line).is_none(), "{line}");
        }
        is("draft: 1 c: 2405 > 2306", Drafted::Add("1 c: 2405 > 2306".into()));
        is("Draft 3: raid utah", Drafted::Put(3, "raid utah".into()));
        is("draft drop 2", Drafted::Drop(vec![2]));
        is("draft drop 2-4", Drafted::Drop(vec![2, 3, 4]));
        is("draft drop lines 2 to 4 and 7.", Drafted::Drop(vec![2, 3, 4, 7]));
        is("draft drop 1, 3", Drafted::Drop(vec![1, 3]));
        is("draft end", Drafted::End);
        is("draft drop all", Drafted::End);
        for line in ["send", "Send it.", "send my draft"] {
            assert!(super::said(line).is_none() && is_send(&Phrase::new(line)), "{line}");
        }
        assert!(!is_send(&Phrase::new("send crook to utah")) && !is_send(&Phrase::new("do not send")));
    }

    #[test]
    fn plans_are_read() {
        let ahead = |orders: &[&str]| Request::Ahead(orders.iter().map(|order| (*order).to_owned()).collect());
        let both = ahead(&["play raid", "comanche raid utah"]);
        assert_eq!(said("Next round: play raid; comanche raid utah"), both);
        assert_eq!(said("in my next round: play raid, then comanche raid utah."), both);
        assert_eq!((said("next round end"), said("Next round off.")), (ahead(&[]), ahead(&[])));
        assert!(super::said("next round I will attack").is_none());
        assert!(super::said("next round:").is_none());
    }

    #[test]
    fn standing_orders_are_read() {
        let leave = |kind: &str, orders: &[&str], always| {
            let orders = orders.iter().map(|order| (*order).to_owned()).collect();
            Request::Standing(Standing::Leave { kind: kind.into(), orders, always, name: String::new(), first: false })
        };
        assert_eq!(
            said("standing settlement: nebraska; kansas ;"),
            leave("settlement", &["nebraska", "kansas"], false)
        );
        assert_eq!(said("Standing Shaman Card always: pass"), leave("shaman-card", &["pass"], true));
        assert_eq!(said("standing"), Request::Standing(Standing::List));
        assert_eq!(
            said("standing settlement end."),
            Request::Standing(Standing::End { kind: "settlement".into(), name: String::new() })
        );
        assert_eq!(
            said("standing column loss named careful end"),
            Request::Standing(Standing::End { kind: "column-loss".into(), name: "careful".into() })
        );
        assert_eq!(said("standing settlement"), Request::Standing(Standing::Unclear));
        assert_eq!(said("standing evade always: yes; no"), leave("evade", &["yes", "no"], true));
        let orders = vec!["evade if outnumbered 3:1".to_owned(), "otherwise stand".to_owned()];
        let (kind, name) = ("evasion".to_owned(), "brave".to_owned());
        assert_eq!(
            said("standing evasion named brave first always: evade if outnumbered 3:1; otherwise stand"),
            Request::Standing(Standing::Leave { kind, orders, always: true, name, first: true })
        );
    }
}
