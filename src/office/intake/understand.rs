//! What words mean: orders by number, by letter and in the game's language, and `help`, which does nothing.

use super::{
    clause::{Clause, Label},
    context::{Context, names_it},
    proposal::{Proposal, reads_as},
    sheet::Picked,
};
use crate::{
    letters::{Block, Failed, Section},
    office::{
        error::OfficeError,
        services::Services,
        session::{GameSession, refusal, sentence},
    },
    orders::{Doubt, Misread, Phrase, corrects, is_confirmation, is_idiom, is_telling, list_or, option_ref, peels},
    table::{Explained, PromptId, Seat, Understood, map::Way},
};
use std::collections::BTreeSet;

/// What an order of a mail comes to. Only [`Reading::Order`] moves anything.
pub(super) enum Reading {
    /// An order, and how it was given.
    Order(Understood, String),
    /// Words that order nothing.
    Nothing,
    /// It is in doubt, or not understood.
    Unclear(Unclear),
}

/// Why an order is not carried out.
#[derive(Debug)]
pub(super) struct Unclear {
    /// What its writer is told.
    pub failed: Failed,
    /// The question that it is about, where that can be told.
    pub about: Option<PromptId>,
    /// The order that it may be meant as.
    pub proposal: Option<Proposal>,
    /// Whether it is a sentence rather than an attempt at an order, so that nothing depends on it.
    pub chatter: bool,
    /// Whether no question knows the word that it begins with.
    pub unread: bool,
    /// Whether it begins as an order does, and ends before that is one.
    pub ends_early: bool,
}

impl Unclear {
    /// What is no order for the words of its writer or for this reason, though it can be read.
    fn held(failed: Failed, about: Option<PromptId>, proposal: Option<Proposal>) -> Unclear {
        Unclear { failed, about, proposal, chatter: false, unread: false, ends_early: false }
    }
}

/// An order that was only looked at.
pub(super) struct Looked {
    /// Its words, perhaps with a line of marks below.
    pub pointed: Vec<String>,
    /// What it means, or why that is not known.
    pub says: Vec<String>,
    /// The order, and why it is not legal now, if it is not.
    pub read: Option<(Understood, Result<(), String>)>,
    /// What it would do on the map.
    pub ways: Vec<Way>,
}

impl GameSession {
    /// What one order of a mail comes to now. Nothing changes.
    pub(super) fn reading(&mut self, seat: Seat, clause: &Clause, context: &Context) -> Reading {
        let reading = match self.of_words(seat, clause, context) {
            Reading::Order(understood, what) => {
                let brackets = clause.doubt.is_none() && self.hangs_on_brackets(seat, clause, context, &understood);
                let why = match clause.doubt {
                    None if !brackets => return Reading::Order(understood, what),
                    None => "What stands in brackets makes another order of this; please write it without brackets."
                        .to_owned(),
                    Some(doubt) => why_open(doubt),
                };
                // What is asked, or left open by another line, can be proposed as it stands.
                let proposal = self.proposal(seat, &understood, &clause.phrase).filter(|_| match clause.doubt {
                    Some(Doubt::Alternative | Doubt::Negation) => false,
                    // Of two orders the one that takes the other's place may be meant.
                    Some(Doubt::Retraction) => corrects(&clause.phrase),
                    Some(Doubt::Question | Doubt::Condition | Doubt::Hedge | Doubt::Remark) | None => true,
                });
                let failed = Failed { pointed: vec![clause.phrase.text().to_owned()], why };
                Unclear::held(failed, Some(understood.prompt), proposal)
            }
            Reading::Nothing => return Reading::Nothing,
            Reading::Unclear(unclear) => unclear,
        };
        Reading::Unclear(reading)
    }

    /// Whether an order would be another one without what stands in brackets, `2706 > 2707 (2708)`: that may be part of it, or a remark.
    /// Options that are copied from the letter say what they say.
    fn hangs_on_brackets(&mut self, seat: Seat, clause: &Clause, context: &Context, understood: &Understood) -> bool {
        let text = clause.phrase.text();
        if !text.contains('(') || context.sheet.copied(&clause.phrase).is_some() {
            return false;
        }
        let mut depth = 0_usize;
        let outside: String = (text.chars())
            .filter(|&c| {
                depth += usize::from(c == '(');
                let within = depth > 0;
                depth = depth.saturating_sub(usize::from(c == ')'));
                !within
            })
            .collect();
        let without = Clause { phrase: Phrase::new(&outside), label: clause.label.clone(), doubt: None };
        matches!(self.of_words(seat, &without, context),
            Reading::Order(other, _) if other.prompt != understood.prompt || other.order != understood.order)
    }

    fn of_words(&mut self, seat: Seat, clause: &Clause, context: &Context) -> Reading {
        let sheet = &context.sheet;
        let phrase = &clause.phrase;
        let mut only = None;
        match &clause.label {
            Some(Label::Number(number)) => match sheet.numbered(*number) {
                Some(prompt) => only = Some(prompt),
                None => {
                    let why = match sheet.len() {
                        0 => "That letter listed no question.".to_owned(),
                        listed => format!("There is no question {number}; the letter you answer lists {listed}."),
                    };
                    return self.unclear(clause, why, None);
                }
            },
            Some(Label::Kind(kind)) => {
                let asked = self
                    .asked()
                    .unwrap_or_default()
                    .into_iter()
                    .find(|asked| asked.seat == seat && asked.kind == *kind);
                match asked {
                    Some(asked) => only = Some(asked.id),
                    None => {
                        return self.unclear(clause, format!("No question \"{kind}\" is open to you now."), None);
                    }
                }
            }
            Some(Label::Letter(number, letters)) => {
                let choice = Phrase::new(letters);
                let index = option_ref(&Phrase::new(&format!("option {letters}"))).and_then(|option| option.index());
                let picked = sheet.pick(*number, index, letters);
                let read = self.first_read(seat, phrase, context, None);
                return match (picked, read) {
                    (_, Ok(None)) if is_telling(phrase) => Reading::Nothing,
                    (Picked::One(one, words), Ok(Some((other, said)))) if one == other => {
                        let what = if said == words { words } else { format!("{} ({words})", choice.text()) };
                        self.known(seat, clause, context, other, what, phrase)
                    }
                    (Picked::One(_, words), Ok(Some(_))) => {
                        let why = format!(
                            "The letter {letters} stands for `{words}`, and the words behind it for something else."
                        );
                        self.unclear(clause, self.seats.named(&why), None)
                    }
                    (Picked::One(..), Ok(None) | Err(_)) => {
                        let why = format!("A letter before a mark is a label, and \"{}\" is no order.", phrase.text());
                        self.unclear(clause, why, None)
                    }
                    (Picked::Several(_) | Picked::None(_), Ok(Some((other, said)))) => {
                        let why = format!("There is no option {letters} of which this could be the words.");
                        let proposal = self.proposal(seat, &other, &Phrase::new(&said));
                        self.unclear(clause, why, proposal)
                    }
                    (_, Ok(None)) => Reading::Nothing,
                    (_, Err(why)) => self.misread(seat, clause, context, &why),
                };
            }
            None => {}
        }
        match self.first_read(seat, phrase, context, only) {
            Ok(Some((understood, what))) => {
                let words = Phrase::new(phrase.text());
                self.known(seat, clause, context, understood, what, &words)
            }
            Ok(None) => Reading::Nothing,
            Err(why) => self.misread(seat, clause, context, &why),
        }
    }

    /// Reads the words, as they stand or without the courtesies around them: the order and how it was given. Nothing, where nothing is
    /// left without courtesies.
    fn first_read(
        &mut self,
        seat: Seat,
        phrase: &Phrase,
        context: &Context,
        only: Option<PromptId>,
    ) -> Result<Option<(Understood, String)>, Trouble> {
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        let mut trouble: Option<Misread> = None;
        let mut refused = None;
        let open: BTreeSet<PromptId> = self.asked().unwrap_or_default().into_iter().map(|asked| asked.id).collect();
        let fits = |understood: &Understood| only.is_none_or(|only| understood.prompt == only);
        for said in peels(phrase, &names) {
            if let Some(understood) = context.sheet.copied(&said).filter(|one| fits(one) && open.contains(&one.prompt))
            {
                return self.unforced(seat, phrase, &said, understood, said.text().to_owned());
            }
            if let Some(choice) = option_ref(&said) {
                let number = choice.prompt.or_else(|| {
                    let only = only?;
                    (1..).take(context.sheet.len()).find(|&n| context.sheet.numbered(n) == Some(only))
                });
                match context.sheet.pick(number, choice.index(), &choice.choice) {
                    Picked::One(understood, _) if !open.contains(&understood.prompt) => {
                        refused = Some("The question with that list is not asked any more.".to_owned());
                    }
                    Picked::One(understood, words) if fits(&understood) => {
                        let what = format!("{} ({})", said.text(), self.seats.named(&words));
                        return self.unforced(seat, phrase, &said, understood, what);
                    }
                    Picked::One(..) => {}
                    Picked::Several(all) => {
                        refused = Some(format!(
                            "The letter you answer lists several questions; please write {}.",
                            quoted_or(&all)
                        ));
                    }
                    Picked::None(why) => refused = Some(why),
                }
            }
            let read = match only {
                Some(only) => self.read_at(seat, only, &said),
                None => self.read(seat, &said),
            };
            match read {
                Ok(understood) => return self.unforced(seat, phrase, &said, understood, said.text().to_owned()),
                Err(why) => {
                    trouble = Some(match trouble {
                        Some(other) => other.best(why),
                        None => why,
                    });
                }
            }
        }
        match (refused, trouble) {
            (Some(why), _) => Err(Trouble::Refused(why)),
            _ if is_telling(phrase) && !is_confirmation(phrase) => Ok(None),
            (None, Some(why)) => Err(Trouble::Misread(why)),
            (None, None) => Ok(None),
        }
    }

    /// The order that was read in a part of the phrase, unless what was taken off contradicts it: `Yes, no`.
    fn unforced(
        &mut self,
        seat: Seat,
        whole: &Phrase,
        said: &Phrase,
        understood: Understood,
        what: String,
    ) -> Result<Option<(Understood, String)>, Trouble> {
        if whole.words().len() != said.words().len() {
            let outside = |word: &&crate::orders::Word| !said.words().iter().any(|inner| inner.start == word.start);
            let yes = whole
                .words()
                .iter()
                .filter(outside)
                .any(|word| matches!(word.text.as_str(), "yes" | "yeah" | "yep" | "yup" | "sure"));
            let first = said.words().first().map_or("", |word| word.text.as_str());
            let denies = matches!(first, "no" | "not" | "pass" | "none" | "nothing" | "nobody");
            let other = yes
                && self
                    .read_at(seat, understood.prompt, &Phrase::new("yes"))
                    .is_ok_and(|yes| yes.order != understood.order);
            if yes && denies || other {
                return Err(Trouble::Refused("This says yes and something else.".to_owned()));
            }
        }
        Ok(Some((understood, what)))
    }

    /// The order, if its words name it or its question was before the writer.
    fn known(
        &mut self,
        seat: Seat,
        clause: &Clause,
        context: &Context,
        understood: Understood,
        what: String,
        words: &Phrase,
    ) -> Reading {
        let enough = self.says_enough(words);
        let labelled = matches!(clause.label, Some(Label::Kind(_)));
        let named = || names_it(words) && option_ref(words).is_none() && !self.is_bare(words);
        if labelled || context.knows(&understood, words, enough) || named() {
            return Reading::Order(understood, what);
        }
        let asked = self.title(understood.prompt);
        let why = format!(
            "This would answer a question that you had not been sent: {asked}. There `{}: {}` would count.",
            understood.kind,
            words.text()
        );
        // What would end a question that its writer has not seen is not one `yes` away.
        let proposal = if enough { None } else { self.proposal(seat, &understood, words) };
        let failed = Failed { pointed: vec![clause.phrase.text().to_owned()], why };
        Reading::Unclear(Unclear::held(failed, Some(understood.prompt), proposal))
    }

    /// Whether words are the name of a place or piece alone, `oregon`: behind an order they are more likely part of it than an answer to a
    /// question that its writer has not seen.
    fn is_bare(&self, phrase: &Phrase) -> bool {
        let plain = phrase.plain();
        let answers = self.live.opened.ruleset.answers();
        let digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        if phrase.words().len() > 3
            || phrase.words().iter().any(|word| digit(&word.text))
            || answers.iter().any(|(_, all)| all.contains(&plain.as_str()))
        {
            return false;
        }
        let words = self.game_words();
        !phrase.words().iter().any(|word| words.orders(&word.text))
    }

    /// What a question is called.
    fn title(&mut self, prompt: PromptId) -> String {
        let listed = self.live.dyn_game.as_mut().and_then(|dyn_game| dyn_game.listed(prompt).ok().flatten());
        self.seats.named(&listed.map(|listed| listed.text.title).unwrap_or_default())
    }

    /// Words that could not be read.
    fn misread(&mut self, seat: Seat, clause: &Clause, context: &Context, trouble: &Trouble) -> Reading {
        let phrase = &clause.phrase;
        let doubt = self.doubt(phrase).or(clause.doubt);
        if phrase.is_empty() {
            return Reading::Nothing;
        }
        let (pointed, why, understood) = match (trouble, doubt) {
            (_, Some(Doubt::Retraction)) if phrase.words().iter().any(|word| word.text == "undo") => {
                (vec![phrase.text().to_owned()], "`back` takes back what was done last.".to_owned(), 0)
            }
            (_, Some(doubt)) => (vec![phrase.text().to_owned()], why_open(doubt), 0),
            (Trouble::Refused(why), None) => (vec![phrase.text().to_owned()], why.clone(), 1),
            (Trouble::Misread(_), None) if is_confirmation(phrase) => {
                let why = "There was nothing in that letter to say yes to.".to_owned();
                (vec![phrase.text().to_owned()], why, 1)
            }
            (Trouble::Misread(_), None) if self.is_option(phrase, context) => {
                let first = phrase.part(0..1);
                let why = format!(
                    "`{}` is an option, and the words behind it are not understood: please write the option alone, or the order in words.",
                    first.text()
                );
                (vec![phrase.text().to_owned()], why, 1)
            }
            (Trouble::Misread(why), None) => (
                why.point(phrase.line()).lines().map(str::to_owned).collect(),
                sentence(&self.seats.named(&why.to_string())),
                why.understood,
            ),
        };
        let proposal = match (doubt, trouble) {
            (Some(Doubt::Negation | Doubt::Alternative | Doubt::Retraction | Doubt::Question), _) => None,
            (_, Trouble::Refused(_)) => None,
            (doubt, Trouble::Misread(_)) => reads_as(self, seat, clause, context, doubt),
        };
        let strange = phrase.words().iter().filter(|word| !word.everyday).count();
        let sentence = phrase.words().len() > 3 && 3 * strange <= phrase.words().len();
        let remark = sentence && understood == 0 || is_idiom(phrase);
        let chatter = proposal.is_none() && doubt.is_none() && remark;
        let about = proposal.as_ref().map(|proposal| proposal.prompt);
        let unread = understood == 0 && doubt.is_none() && proposal.is_none();
        let why = match self.waits_for_seat(seat) {
            false if unread && !self.live.closed => {
                "Nothing waits for your answer now, and what may be said at any time has no such words. (`help plan` says how to write ahead.)"
                    .to_owned()
            }
            _ => why,
        };
        let ends_early =
            matches!(trouble, Trouble::Misread(why) if why.understood > 0 && why.understood == phrase.words().len());
        Reading::Unclear(Unclear { failed: Failed { pointed, why }, about, proposal, chatter, unread, ends_early })
    }

    /// Whether words begin with an option of the letter: `1a (3 BPs)`.
    fn is_option(&self, phrase: &Phrase, context: &Context) -> bool {
        let first = phrase.part(0..1);
        let option = option_ref(&first).filter(|option| option.prompt.is_some());
        phrase.words().len() > 1
            && option.is_some_and(|option| {
                matches!(context.sheet.pick(option.prompt, option.index(), &option.choice), Picked::One(..))
            })
    }

    /// An order that is not carried out for this reason, or for what it leaves open.
    fn unclear(&self, clause: &Clause, why: String, proposal: Option<Proposal>) -> Reading {
        let why = match self.doubt(&clause.phrase).or(clause.doubt) {
            Some(doubt) => why_open(doubt),
            None => why,
        };
        let failed = Failed { pointed: vec![clause.phrase.text().to_owned()], why };
        let about = proposal.as_ref().map(|proposal| proposal.prompt);
        Reading::Unclear(Unclear::held(failed, about, proposal))
    }

    /// Whether a question waits for an answer of this seat.
    fn waits_for_seat(&mut self, seat: Seat) -> bool {
        self.asked().is_ok_and(|asked| asked.iter().any(|asked| asked.seat == seat && asked.required))
    }

    /// How an order would be understood, and whether it is legal now; nothing for words that order nothing.
    pub(super) fn looked_at(
        &mut self,
        seat: Seat,
        clause: &Clause,
        context: &Context,
    ) -> Result<Option<Looked>, OfficeError> {
        Ok(match self.reading(seat, clause, context) {
            Reading::Nothing => None,
            Reading::Unclear(Unclear { failed, proposal, .. }) => {
                let mut says = vec![failed.why];
                says.extend(
                    proposal.map(|proposal| format!("It may be meant as: {}.", self.seats.named(&proposal.words))),
                );
                Some(Looked { pointed: failed.pointed, says, read: None, ways: Vec::new() })
            }
            Reading::Order(understood, _) => {
                let mut says = vec![self.in_words(&understood, &clause.phrase)?];
                for said in self.cautions(&understood).into_iter().chain(self.dangers(&understood)) {
                    // What is a danger may be a caution too.
                    if !says.contains(&said) {
                        says.push(said);
                    }
                }
                let Some(dyn_game) = &mut self.live.dyn_game else { return Ok(None) };
                let legal = dyn_game.check(seat, understood.prompt, &understood.order);
                let legal = legal.map_err(|why| self.seats.named(&refusal(&why, "-")));
                let pointed = vec![clause.phrase.text().to_owned()];
                let ways = dyn_game.ways(seat, &understood.order);
                Some(Looked { pointed, says, read: Some((understood, legal)), ways })
            }
        })
    }

    /// What may keep an order from being done as it says.
    pub(super) fn cautions(&mut self, understood: &Understood) -> Vec<String> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Vec::new() };
        let all = dyn_game.cautions(understood.prompt, &understood.order);
        all.iter().map(|one| self.seats.named(one)).collect()
    }

    /// What an order means: the question it answers and, where that is listed, the words of the choice with its odds.
    fn in_words(&mut self, understood: &Understood, order: &Phrase) -> Result<String, OfficeError> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Ok(String::new()) };
        let Some(listed) = dyn_game.listed(understood.prompt)? else { return Ok(String::new()) };
        let words = dyn_game.say(understood.prompt, &understood.order).unwrap_or_else(|| order.text().to_owned());
        let choice = listed.choices.iter().find(|choice| choice.order == understood.order);
        let note = choice.filter(|choice| !choice.note.is_empty()).map(|choice| format!(" ({})", choice.note));
        let note = note.unwrap_or_default();
        Ok(self.seats.named(&format!("is read as \"{words}\"{note}, in answer to: {}.", listed.text.title)))
    }

    pub(crate) fn help(&mut self, services: &Services, subject: Option<&Phrase>) -> Result<Vec<Section>, OfficeError> {
        let ruleset = self.live.opened.ruleset;
        let subjects = ruleset.subjects(&self.live.opened.setup.components);
        let Some(subject) = subject else {
            let mut help = services.letters.help(&self.kinds()?)?;
            let all = subjects.list();
            help.push(Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)]));
            return Ok(help);
        };
        let map = ruleset.map_of(&self.live.opened.setup.components);
        let neighbours = map.and_then(|map| map.explain(subject));
        Ok(vec![match neighbours.map_or_else(|| subjects.find(subject), Ok) {
            Ok(Explained { title, text, orders, chart }) => {
                let chart = (!chart.is_empty()).then_some(Block::Lines(chart));
                Section::of([Block::Explanation { title, text, orders }].into_iter().chain(chart))
            }
            Err(none) => Section::paragraph(none.to_string()),
        }])
    }

    /// The kinds of questions that the rules can ask, or have asked so far.
    pub(crate) fn kinds(&mut self) -> Result<Vec<String>, OfficeError> {
        let mut kinds = self.facts.kinds.clone();
        kinds.extend(self.live.opened.ruleset.kinds().into_iter().map(str::to_owned));
        kinds.extend(self.asked()?.into_iter().map(|asked| asked.kind.to_owned()));
        Ok(kinds.into_iter().collect())
    }
}

/// Why words were not read.
enum Trouble {
    /// No question reads them.
    Misread(Misread),
    /// They can be read, but not as an order to be carried out.
    Refused(String),
}

fn quoted_or(all: &[String]) -> String {
    list_or(&all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>())
}

/// What a doubt means to whoever left it.
fn why_open(doubt: Doubt) -> String {
    match doubt {
        Doubt::Question => "A question orders nothing. Without the question mark it may be an order.",
        Doubt::Negation => "This says what you do not want; please write what you want.",
        Doubt::Alternative => "This names more than one thing; please write the one you want.",
        Doubt::Condition => {
            "No open question reads this with its condition. What you would do each time can be left as a standing order: `standing KIND: \
             ORDER` (see `help`)."
        }
        Doubt::Hedge => "Your words leave open whether you want it.",
        Doubt::Retraction => "Something in your mail takes this back.",
        Doubt::Remark => "A line below it, which nothing here reads, may be about it.",
    }
    .to_owned()
}
