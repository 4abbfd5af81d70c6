//! Properties of a single position.

use postrider::{
    orders::Phrase,
    table::{Below, Game, Kind, Ruleset, Seat, Snapshot},
};
use std::{collections::BTreeMap, fmt::Debug};

/// Number of positions with hidden information that a test needs to be meaningful.
pub const ENOUGH: usize = 100;

/// Returns the faults of the answers to the open questions. Every option must be accepted, and its
/// words must be read as the same order, even before the question is asked. Samples and default
/// answers must be legal. A question that the game waits for must have all three.
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
        // A list that is declared complete must contain every legal order.
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

/// Checks that the view and questions of a seat or spectator do not depend on hidden information.
/// `shuffled` counts the positions with hidden information up to [`ENOUGH`], because formatting two
/// positions takes longer than everything else here.
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

/// Collects the words in questions that `help` should explain, with the kind of question in which
/// they first occurred: the words of the options and of an order that may not be listed, and the
/// abbreviations in the text.
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

/// Returns the words that `help` does not explain: of these, of those that end a question, and of
/// the names of kinds of questions.
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

/// Returns the kinds of questions that need not be asked, because they have only one possible
/// answer.
pub fn idle<G: Game>(seen: &Snapshot<G>) -> impl Iterator<Item = G::Kind> {
    let idle = seen.tickets.iter().filter(|ticket| {
        ticket.required
            && ticket.prompt.describe(&seen.state, ticket.seat).complete
            && ticket.prompt.options(&seen.state, ticket.seat).len() < 2
    });
    idle.map(|ticket| ticket.prompt.kind())
}
