//! What must hold of one position.

use postrider::{
    orders::Phrase,
    table::{Below, Game, Kind, Ruleset, Seat, Snapshot},
};
use std::{collections::BTreeMap, fmt::Debug};

/// So many positions with something hidden show that a test hides anything.
pub const ENOUGH: usize = 100;

/// What is wrong with the answers that questions list: every option is accepted, and its words are read as the same order;
/// samples and the answers of silence are legal, and a question that the game waits for has all three. The words
/// are read before the question is asked, too.
pub fn options<G: Game>(seen: &Snapshot<G>, below: &mut Below<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for ticket in &seen.tickets {
        let (kind, seat) = (ticket.prompt.kind(), ticket.seat);
        let check = |order: &G::Order| ticket.prompt.check(&seen.state, seat, order);
        let options = ticket.prompt.options(&seen.state, seat);
        let sample = ticket.prompt.sample(&seen.state, seat, below);
        let late = ticket.prompt.at_deadline(&seen.state, seat);
        let known = G::masked(&seen.state, Some(seat), &mut |_| 0);
        let foreseen = G::foreseen(&known, seat);
        if ticket.required && (options.is_empty() || sample.is_none() || late.is_none()) {
            let rule = ticket.prompt.describe(&seen.state, seat).rule;
            let count = options.len();
            wrong
                .push(format!("{seat} is asked {kind} ({rule}): {count} options, sample {sample:?}, silence {late:?}"));
        }
        // A list that claims to be whole has whatever is legal.
        let whole = ticket.prompt.describe(&seen.state, seat).complete;
        let listed = |order: &G::Order| options.iter().any(|choice| choice.order == *order);
        if let Some(order) = sample.iter().find(|order| whole && !listed(order)) {
            wrong.push(format!("{kind}: {order:?} is legal and not listed"));
        }
        for choice in options {
            let (taken, words) = (check(&choice.order), &choice.words);
            let read = ticket.prompt.read(&seen.state, seat, &Phrase::new(words));
            if taken.is_err() || read.as_ref() != Ok(&choice.order) {
                wrong.push(format!("{kind}: `{words}` is {taken:?} and read as {read:?}"));
            }
            let mut alike = foreseen.iter().filter(|prompt| prompt.kind() == kind);
            if !alike.any(|prompt| prompt.read(&known, seat, &Phrase::new(words)).is_ok()) {
                wrong.push(format!("{kind}: `{words}` is not foreseen"));
            }
        }
        for order in sample.iter().chain(&late) {
            if let Err(why) = check(order) {
                wrong.push(format!("{kind}: {order:?}, a sample or said by silence, is refused: {why}"));
            }
        }
    }
    wrong
}

/// Makes sure that what somebody sees, and what he is asked, is the same when everything hidden from him is another.
/// `shuffled` counts the positions in which anything was, as far as [`ENOUGH`]: writing two positions out takes longer than
/// all else here.
pub fn secrets<G: Game<State: Debug>>(
    seen: &Snapshot<G>,
    onlooker: Option<Seat>,
    below: &mut Below<'_>,
    shuffled: &mut usize,
) {
    let other = G::masked(&seen.state, onlooker, below);
    assert_eq!(G::faults(&other), Vec::<String>::new(), "what is made up for {onlooker:?}");
    assert_eq!(G::view(&seen.state, onlooker), G::view(&other, onlooker), "{onlooker:?}");
    let public = |state: &G::State| {
        let mut text = String::new();
        G::public(state, &mut text);
        text
    };
    assert_eq!(public(&seen.state), public(&other), "{onlooker:?}");
    for ticket in seen.tickets.iter().filter(|ticket| Some(ticket.seat) == onlooker) {
        let texts = |g: &G::State| (ticket.prompt.describe(g, ticket.seat), ticket.prompt.options(g, ticket.seat));
        assert_eq!(texts(&seen.state), texts(&other), "{}", ticket.prompt.kind());
    }
    if *shuffled < ENOUGH {
        *shuffled += usize::from(format!("{other:?}") != format!("{:?}", seen.state));
    }
}

/// What questions say that `help` should explain, and which kind of question said it first: the words of the options and of
/// an order that need not be listed, and the abbreviations of the text.
#[allow(dead_code, reason = "the tests of games with a page of help use it")]
pub fn words<G: Game>(seen: &Snapshot<G>, below: &mut Below<'_>, words: &mut BTreeMap<String, &'static str>) {
    for ticket in &seen.tickets {
        let (kind, seat, g) = (ticket.prompt.kind().name(), ticket.seat, &seen.state);
        let mut add = |word: &str| {
            if !words.contains_key(word) {
                words.insert(word.to_owned(), kind);
            }
        };
        let options = ticket.prompt.options(g, seat);
        let sample = ticket.prompt.sample(g, seat, below).and_then(|order| ticket.prompt.say(g, seat, &order));
        for said in options.iter().map(|choice| &choice.words).chain(&sample) {
            Phrase::new(said).words().iter().for_each(|word| add(&word.text));
        }
        let text = ticket.prompt.describe(g, seat);
        let notes = options.iter().map(|choice| &choice.note);
        for line in text.lines.iter().chain([&text.title]).chain(notes) {
            let apart = line.split(|c: char| !c.is_alphanumeric());
            let capitals =
                |word: &&str| word.len() > 1 && word.trim_end_matches('s').chars().all(|c| c.is_ascii_uppercase());
            apart.filter(capitals).for_each(&mut add);
        }
    }
}

/// The words among these, those that end a question, and the names of kinds of questions, that `help` does not explain.
#[allow(dead_code, reason = "the tests of games with a page of help use it")]
pub fn unexplained<G: Game>(rules: &dyn Ruleset, words: &BTreeMap<String, &'static str>) -> Vec<String> {
    let subjects = rules.subjects(rules.components());
    let answers = |word: &str| {
        let said = subjects.find(&Phrase::new(&format!("help {word}")));
        said.is_ok_and(|said| said != subjects.list() && !(said.text.is_empty() && said.orders.is_empty()))
    };
    let words = words.iter().map(|(word, kind)| (word.clone(), *kind));
    let kinds = G::Kind::ALL.iter().map(|kind| (kind.name().to_owned(), "a kind of question"));
    let always = rules.enough().iter().flat_map(|said| {
        Phrase::new(said).words().iter().map(|word| (word.text.clone(), "enough")).collect::<Vec<_>>()
    });
    let missing = words.chain(kinds).chain(always).filter(|(word, _)| !answers(word));
    missing.map(|(word, kind)| format!("{word} ({kind})")).collect()
}

/// The kinds of questions that need not be asked: those with one possible answer.
pub fn idle<G: Game>(seen: &Snapshot<G>) -> impl Iterator<Item = G::Kind> {
    let idle = seen.tickets.iter().filter(|ticket| {
        ticket.required
            && ticket.prompt.describe(&seen.state, ticket.seat).complete
            && ticket.prompt.options(&seen.state, ticket.seat).len() < 2
    });
    idle.map(|ticket| ticket.prompt.kind())
}
