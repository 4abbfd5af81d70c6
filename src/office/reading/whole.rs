//! Checks after all lines of a mail are read: contradictions, signatures, boilerplate.

use crate::reading::{
    read::Reader,
    request::{Request, luck, luck_alone},
    value::{Is, Label, Order, ReadLine, Reading, refused},
};
use postrider_orders::{Phrase, is_confirmation, is_courtesy, is_greeting, option_ref};
use postrider_store::Party;
use postrider_table::{PromptId, Ruleset, Understood};
use std::collections::{BTreeMap, BTreeSet};

/// Marks two answers to one question as not understood: both name the same listed question, both
/// answer a kind of question that is asked only once, or they do not [go on](goes_on) from each
/// other. The same holds for lines that may be about the orders: a `back` after one, which might be
/// carried out before it turns out that it cannot be taken back, a question, and a message to the
/// person who carries them out.
pub(crate) fn contradictions(reading: &mut Reading, rules: &dyn Ruleset) {
    let repeats = &rules.repeats();
    // The line numbers and answers for each question.
    let mut answers: BTreeMap<Question, Vec<(usize, String)>> = BTreeMap::new();
    let (mut ordered, reads_order) = (false, reading.orders().next().is_some());
    for line in &mut reading.lines {
        ordered |= line.orders().next().is_some();
        if ordered && matches!(line.is, Is::Command(Request::Back)) {
            line.is = refused(&line.text, "Your mail orders something above it; please write only what you want done.");
        }
        if reads_order && doubts(line) {
            line.is = refused(&line.text, "It may be about what your mail orders.");
        }
    }
    // A request that replaces playing, or must be settled first, is not carried out in a mail with
    // orders.
    let moves = |request: &Request| matches!(request, Request::Propose(_) | Request::Vote(..) | Request::Concede);
    if reading.has(moves) {
        for line in &mut reading.lines {
            if matches!(line.is, Is::Command(Request::Delay(1..))) {
                line.is = refused(&line.text, "It holds orders back, but no proposal, vote or concession.");
            }
        }
    }
    for line in reading.lines.iter_mut().filter(|_| ordered) {
        let why = match &line.is {
            Is::Command(Request::Hours(_)) => "It may be part of your signature. Please send it in a mail of its own.",
            Is::Command(Request::Confirm(true) | Request::Delay(1..)) => {
                "It would not count for the orders of this mail. Please send it in a mail of its own, before them."
            }
            _ => continue,
        };
        line.is = refused(&line.text, why);
    }
    let mut known: Vec<(usize, &Understood)> = Vec::new();
    let (mut twice, mut said_again): (BTreeSet<usize>, Vec<usize>) = Default::default();
    for (at, line) in reading.lines.iter().enumerate() {
        for (question, answer) in line_answers(line, repeats) {
            answers.entry(question).or_default().push((at, answer));
        }
        for order in line.orders() {
            if let Some(read) = order.understood().filter(|_| repeats.contains(&order.kind())) {
                let again = |(by, earlier): &&(usize, &Understood)| {
                    let other = &reading.lines[*by];
                    earlier.prompt == read.prompt
                        && earlier.order.json() == read.order.json()
                        && Phrase::new(&other.text).plain() != Phrase::new(&line.text).plain()
                };
                if line.orders().count() == 1 && known.iter().any(|one| again(&one)) {
                    said_again.push(at);
                    continue;
                }
                // A `yes` confirms a sequence as it was shown.
                let shown = |earlier: usize| earlier == at && matches!(line.is, Is::Confirmed(_));
                let same = known.iter().filter(|(by, earlier)| earlier.prompt == read.prompt && !shown(*by));
                let against = same.filter(|(_, earlier)| !goes_on(rules, earlier, read));
                twice.extend(against.flat_map(|(earlier, _)| [*earlier, at]));
                known.push((at, read));
            }
        }
    }
    for all in answers.values() {
        let Some((_, first)) = all.first() else { continue };
        if !all.iter().all(|(_, other)| other == first) {
            twice.extend(all.iter().map(|(at, _)| *at));
        }
    }
    // An option's letter, and the option in words, are one answer.
    for at in said_again {
        reading.lines[at].is = Is::Nothing;
    }
    for at in twice {
        let line = &mut reading.lines[at];
        let again = line.orders().all(|order| repeats.contains(&order.kind()));
        let why = match again {
            true => {
                "Your mail answers this question in two ways: do you mean both, one after the other, or one of them?"
            }
            false => "Your mail answers this question in two ways; please write the one answer that you want.",
        };
        let mut is = refused(&line.text, why);
        if let (Is::Unread(why), Is::Orders(orders), true) = (&mut is, &mut line.is, again) {
            why.sequence.append(orders);
        }
        line.is = is;
    }
}

/// Marks orders as not understood while a proposal awaits the player's vote: they could be meant for
/// it, as `I accept their offer` could. Only the letter or number of an option or its full words,
/// unless these are `yes` or `no`, are certainly meant for the game. A mail that votes leaves no
/// doubt about its other lines.
pub(crate) fn beside_a_vote(reading: &mut Reading, reader: &Reader<'_>) {
    let Some(votes) = reader.context.situation.votes() else { return };
    if reading.has(|request| matches!(request, Request::Vote(..))) {
        return;
    }
    let full = |order: &Order| {
        let understood = order.understood()?;
        let words = reader.game.live.dyn_game.as_ref()?.say(understood.prompt, &understood.order)?;
        Some(words).filter(|words| !matches!(&*Phrase::new(words).plain(), "yes" | "no"))
    };
    for line in &mut reading.lines {
        let doubtful = |order: &&Order| {
            let said = |words: String| Phrase::new(&words).plain() == order.phrase.plain();
            order.label.is_none() && option_ref(&order.phrase).is_none() && !full(order).is_some_and(said)
        };
        let Some(order) = line.orders().find(doubtful).filter(|_| matches!(line.is, Is::Orders(_))) else { continue };
        let instead = full(order).map(|words| format!(" or `{words}`")).unwrap_or_default();
        let why = format!(
            "A proposal awaits your answer, too: {votes}. Please vote first, or for the game use the letter \
             of an option{instead}."
        );
        line.is = refused(&line.text, &why);
    }
}

/// A question that a mail can answer only once.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    /// An open question of the game.
    Asked(PromptId),
    /// A kind of question that is not open.
    Kind(String),
    /// The invitation.
    Invitation,
    /// A proposal; `None` if the line does not say which.
    Proposal(Option<u64>),
}

/// Returns the questions that a line answers, also by a `yes`, with the answers. Kinds in `repeats`
/// can be answered more than once, except where a line says which question of a kind it means.
fn line_answers<'l>(line: &'l ReadLine, repeats: &'l [&str]) -> impl Iterator<Item = (Question, String)> + 'l {
    let lines = match &line.is {
        Is::Confirmed(lines) => lines.as_slice(),
        _ => std::slice::from_ref(line),
    };
    let requests = lines.iter().filter_map(|line| match &line.is {
        Is::Command(Request::Join { .. }) => Some((Question::Invitation, "join".to_owned())),
        Is::Command(Request::Decline) => Some((Question::Invitation, "decline".to_owned())),
        Is::Command(Request::Vote(agrees, of)) => Some((Question::Proposal(*of), agrees.to_string())),
        Is::Command(Request::Withdraw(of)) => Some((Question::Proposal(*of), "withdraw".to_owned())),
        _ => None,
    });
    let once = |order: &&Order| {
        matches!(order.label, Some(Label::Number(_)))
            || option_ref(&order.phrase).is_some_and(|option| option.prompt.is_some())
            || !repeats.contains(&order.kind())
    };
    let orders = line.orders().filter(once).map(|order| {
        let question = order.prompt().map_or_else(|| Question::Kind(order.kind().to_owned()), Question::Asked);
        let answer = order.understood().map(|understood| understood.order.json().to_string());
        (question, answer.unwrap_or_else(|| order.phrase.plain()))
    });
    requests.chain(orders)
}

/// Returns `true` if a line may be about the orders of its mail: a question, a request that is
/// asked before one decides, or a message to nobody or to those who carry out the mail.
fn doubts(line: &ReadLine) -> bool {
    match &line.is {
        Is::Command(Request::Stop | Request::Help { .. } | Request::Advice(_) | Request::Watch) => true,
        Is::Command(_) | Is::Nothing => line.text.contains(['?', '？']),
        Is::Message(told) => told.to.as_ref().is_ok_and(|(to, _)| !to.iter().any(|to| matches!(to, Party::Seat(_)))),
        _ => false,
    }
}

/// Returns `true` if a mail can answer a question that repeats with both orders, one after the
/// other: they use different things, or are the same.
fn goes_on(rules: &dyn Ruleset, earlier: &Understood, later: &Understood) -> bool {
    let after = rules.uses(&later.order);
    earlier.order.json() == later.order.json() || !rules.uses(&earlier.order).iter().any(|one| after.contains(one))
}

/// Marks lines that may be a signature as not understood: an option's letter at the end, after a
/// closing or, as a capital, after anything but other capital letters, unless the author's name
/// begins with it; or a bare name or number after a closing. Once confirmed, it is learned
/// like other boilerplate.
pub(crate) fn signatures(reading: &mut Reading, reader: &mut Reader<'_>) {
    let people = &reader.context.people;
    let player = reader.game.seats.player(reader.seat);
    let initial = player.and_then(|player| player.name.chars().next()).map(|first| first.to_lowercase().to_string());
    let letter = |line: &ReadLine| line.orders().all(Order::is_letter);
    // `Carl, Texas`
    let names_first = |line: &ReadLine| {
        let first = Phrase::new(&line.text).part(0..1);
        people.are_named_by(&first) && !line.orders().any(|order| order.phrase.plain().starts_with(&first.plain()))
    };
    let (mut above, mut capitals, mut closed) = (false, false, false);
    let last = reading.lines.iter().rposition(|line| !Phrase::new(&line.text).is_empty());
    let mut open = Vec::new();
    for (at, line) in reading.lines.iter().enumerate() {
        let phrase = Phrase::new(&line.text);
        match &line.is {
            Is::Orders(_) if letter(line) => {
                // A mark may precede it, as in `-A`.
                let first = line.text.chars().find(|c| c.is_alphabetic());
                let capital = first.is_some_and(char::is_uppercase);
                let own = first.map(|first| first.to_lowercase().to_string()) == initial;
                let signs = capital && (above || capitals && own);
                open.extend((Some(at) == last && (closed || signs)).then_some(at));
                (above, capitals) = (above || !capital, true);
            }
            Is::Orders(_) if closed || names_first(line) => open.push(at),
            _ if line.acts() => above = true,
            Is::Nothing if people.are_named_by(&phrase) => (above, closed) = (true, true),
            Is::Nothing if is_greeting(&phrase, people) => above = true,
            Is::Nothing if is_courtesy(&phrase, people) => (above, closed) = (true, true),
            _ => above |= is_confirmation(&phrase, people),
        }
    }
    for at in open {
        let line = &reading.lines[at];
        let bare = |reader: &mut Reader<'_>| line.orders().all(|order| !reader.names_it(&order.phrase));
        if letter(line) || bare(reader) {
            reading.lines[at].is = refused(&line.text, "It may sign your mail, or be an answer.");
        }
    }
}

/// Reads a luck phrase after `join`, before the game begins: on a line that says so, on the line
/// after `join luck`, or on that after `join` if nothing else of the mail is unread.
pub(crate) fn join_luck(reading: &mut Reading) {
    let plain = |line: &ReadLine| matches!(&line.is, Is::Command(Request::Join { luck }) if luck.is_empty());
    let Some(at) = reading.lines.iter().position(plain) else { return };
    let alone = reading.lines.iter().filter(|line| matches!(line.is, Is::Unread(_))).count() == 1;
    let asks = alone || Phrase::new(&reading.lines[at].text).words().last().is_some_and(|word| word.text == "luck");
    let words = |(below, line): (usize, &ReadLine)| {
        let next = asks && below == at + 1 && !line.text.contains('?');
        let luck = luck_alone(&line.text).or_else(|| next.then(|| luck(&line.text)));
        Some((below, luck.filter(|_| matches!(line.is, Is::Unread(_)))?))
    };
    let Some((below, luck)) = reading.lines.iter().enumerate().skip(at + 1).find_map(words) else { return };
    reading.lines[at].is = Is::Command(Request::Join { luck });
    reading.lines[below].is = Is::Nothing;
}

/// Skips lines that their author has confirmed as meaningless in this place.
pub(crate) fn skip_boilerplate(reading: &mut Reading, known: &[postrider_store::Boilerplate]) {
    let (first, last) = acting(reading);
    for (at, line) in reading.lines.iter_mut().enumerate() {
        let at_place = |one: &postrider_store::Boilerplate| if one.above { at < first } else { at > last };
        if matches!(line.is, Is::Unread(_)) && known.iter().any(|one| one.line == line.text && at_place(one)) {
            line.is = Is::Nothing;
        }
    }
}

/// Returns the indexes of the first and last lines of a mail that have an effect.
pub(crate) fn acting(reading: &Reading) -> (usize, usize) {
    let says = |line: &ReadLine| matches!(line.is, Is::Command(_)) || line.acts();
    let first = reading.lines.iter().position(says).unwrap_or(0);
    (first, reading.lines.iter().rposition(says).unwrap_or(0))
}
