//! By what the orders of one mail are read: what the letter that is answered listed, and what the mail itself has answered so far.

use super::{Access, From, sheet::Sheet};
use crate::{
    letters::questions,
    office::{error::OfficeError, services::Services, session::GameSession},
    orders::{Doubt, Phrase, doubt_beside},
    table::{Listed, PromptId, Seat, Understood},
};
use std::collections::BTreeSet;

/// What the orders of one mail are read by.
pub(super) struct Context {
    /// What the letter that is answered listed.
    pub sheet: Sheet,
    /// The names of all players.
    pub names: Vec<String>,
    /// The kinds of questions that orders of this mail have answered in so many words.
    pub kinds: BTreeSet<&'static str>,
    /// The kind that the last of them has answered.
    pub last: Option<&'static str>,
    /// The Turn and Round in which the mail began to be carried out.
    pub place: String,
    /// Whether any other question may be answered by a number or by `yes`: at the command line everything is before the writer.
    pub all_known: bool,
}

impl Context {
    /// Whether words that could stand for anything (`yes`, `done`, a number) may answer this question: it stands in the letter, or
    /// they only end what this mail has begun.
    pub(super) fn knows(&self, understood: &Understood, words: &Phrase, enough: bool) -> bool {
        let enough =
            enough || matches!(words.plain().as_str(), "done" | "pass" | "finished" | "nothing" | "none" | "stop");
        self.all_known
            || self.sheet.asks(understood.prompt)
            || enough && (self.kinds.contains(understood.kind) || self.sheet.asks_kind(understood.kind))
    }
}

/// Words that could answer many a question.
const GENERAL: &[&str] = &[
    "yes", "no", "y", "n", "ok", "okay", "pass", "none", "nothing", "done", "stay", "stop", "all", "nobody", "both",
    "yep", "nope", "finished", "end", "go", "on",
];

/// Whether the words name what they order.
pub(super) fn names_it(phrase: &Phrase) -> bool {
    let general = |text: &str| GENERAL.contains(&text) || text.len() < 2 || text.bytes().all(|b| b.is_ascii_digit());
    let numbered = |phrase: &Phrase| phrase.reader().number().is_some();
    let words = phrase.words().len();
    (0..words).any(|at| !general(&phrase.words()[at].text) && !numbered(&phrase.part(at..at + 1)))
}

/// Words by which an attempt at an order is known.
pub(super) struct GameWords {
    /// In names and orders; none of everyday mails.
    pub(super) all: BTreeSet<String>,
    /// With which orders begin.
    first: BTreeSet<String>,
}

impl GameWords {
    /// Whether an order may begin with this word, perhaps with a slip in it.
    pub(super) fn begins(&self, word: &str) -> bool {
        let slip = |first: &String| word.chars().count() > 3 && strsim::damerau_levenshtein(first, word) == 1;
        self.first.contains(word) || self.first.iter().any(slip)
    }
    /// Whether an order begins with this word, or says what is done by it: `attacks`.
    pub(super) fn orders(&self, word: &str) -> bool {
        self.first.contains(word) || word.strip_suffix('s').is_some_and(|plain| self.first.contains(plain))
    }
}

impl GameSession {
    /// What the orders of a mail are read by.
    pub(super) fn context(
        &mut self,
        services: &Services,
        seat: Seat,
        from: &From<'_>,
        access: Access,
    ) -> Result<Context, OfficeError> {
        let asked = match access {
            Access::Question(id) => Some(id),
            _ => None,
        };
        let sheet = match self.live.started.is_some() && !self.live.closed {
            true => self.sheet(services, seat, from, asked)?,
            false => Sheet::default(),
        };
        let names = self.seats.players.iter().map(|player| player.name.clone()).collect();
        let all_known = matches!(from, From::Cli);
        Ok(Context { sheet, names, kinds: BTreeSet::new(), last: None, place: self.place(), all_known })
    }

    /// What the letter that is answered listed. Where no letter is named the question of the token alone counts, and only what stood
    /// in the last letter as it would now.
    fn sheet(
        &mut self,
        services: &Services,
        seat: Seat,
        from: &From<'_>,
        asked: Option<PromptId>,
    ) -> Result<Sheet, OfficeError> {
        let From::Mail { mail, .. } = from else {
            let now = self.questions(seat)?;
            return Ok(Sheet::new(&now, &self.seats));
        };
        let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
        let start = format!("{}.{seat}.", self.game);
        let written = |id: &String| {
            let (n, rest) = id.strip_prefix(&start)?.split_once('.')?;
            let n = n.parse::<u64>().ok()?;
            let hash = self.facts.hashes.get(usize::try_from(n).ok()?)?;
            rest.starts_with(&hash.hex().as_str()[..8]).then_some(n)
        };
        if let Some(n) = ids.filter_map(written).next() {
            let listed = self.listed_at(services, seat, n)?;
            return Ok(Sheet::new(&listed, &self.seats));
        }
        let last = self.secrets.written.get(&seat).map_or(0, |written| written.n);
        let then = self.listed_at(services, seat, last)?;
        let now = self.questions(seat)?;
        let same = |listed: &Listed| {
            now.iter().any(|other| {
                other.asked.id == listed.asked.id && other.text == listed.text && other.choices == listed.choices
            })
        };
        let kept: Vec<_> =
            then.into_iter().take(1).filter(|listed| Some(listed.asked.id) == asked && same(listed)).collect();
        Ok(Sheet::new(&kept, &self.seats))
    }

    /// The questions of a seat as they stood after line `n`.
    fn listed_at(&mut self, services: &Services, seat: Seat, n: u64) -> Result<Vec<Listed>, OfficeError> {
        if n >= self.head().n {
            return self.questions(seat);
        }
        match self.as_of(services, n)? {
            Some(mut dyn_game) => Ok(questions(&mut *dyn_game, seat)?),
            None => Ok(Vec::new()),
        }
    }

    /// What the words leave open; terms of the game leave nothing open.
    pub(super) fn doubt(&self, phrase: &Phrase) -> Option<Doubt> {
        doubt_beside(phrase, self.live.opened.ruleset.terms())
    }

    /// The words of which names and orders of the game are made, and with which its orders begin.
    pub(super) fn game_words(&self) -> GameWords {
        let opened = &self.live.opened;
        let subjects = opened.ruleset.subjects(&opened.setup.components);
        let verbs = opened.ruleset.next().lines().filter_map(|row| row.split('\t').nth(1)).map(str::to_owned);
        let answers = opened.ruleset.answers().iter().flat_map(|(_, all)| all.iter().map(|&words| words.to_owned()));
        let examples = subjects.all().iter().flat_map(|one| one.explained.orders.clone());
        let kinds = opened.ruleset.kinds().into_iter().map(str::to_owned);
        let orders: Vec<String> = verbs.chain(answers).chain(examples).chain(kinds).collect();
        let names = subjects.all().iter().flat_map(|one| &one.names);
        let (mut all, mut first) = (BTreeSet::new(), BTreeSet::new());
        for text in orders.iter().chain(names) {
            let words = Phrase::new(text).words().to_vec();
            all.extend(words.into_iter().filter(|word| !word.everyday).map(|word| word.text));
        }
        first.extend(orders.iter().filter_map(|text| Some(Phrase::new(text).words().first()?.text.clone())));
        GameWords { all, first }
    }
}
