//! What words mean: orders by number, by letter and in the game's language, and `preview` and `help`, which do nothing.

use super::{From, orders_in, request::Request};
use crate::{
    letters::{Block, Failed, Section, letter, questions},
    office::{
        error::{NotDone, OfficeError},
        services::Services,
        session::{GameSession, refusal, sentence},
    },
    orders::{OptionRef, Phrase, option_ref},
    table::{AnyOrder, Choice, Explained, Listed, Seat, Understood},
};

impl GameSession {
    /// Makes an order of words: by number and letter as the mail that is answered listed them, else as the game reads them.
    pub(crate) fn understand(
        &mut self,
        services: &Services,
        seat: Seat,
        order: &Phrase,
        from: &From<'_>,
        options: &mut Option<Vec<Listed>>,
    ) -> Result<(Understood, String), NotDone> {
        let read = self.read(seat, order);
        let text = order.text().to_owned();
        if let Some(choice) = option_ref(order) {
            // A lone number is rather an amount that the game asks for.
            if let (Ok(understood), true) = (&read, choice.index().is_some() && choice.choice.starts_with(is_digit)) {
                return Ok((understood.clone(), text));
            }
            if options.is_none() {
                *options = Some(self.listed_for(services, seat, from)?);
            }
            let picked = options.as_deref().and_then(|listed| pick(listed, &choice));
            if let Some((question, picked)) = picked {
                let what = format!("{text} ({})", self.seats.named(&picked.words));
                let (prompt, kind) = (question.asked.id, question.asked.kind);
                return Ok((Understood { prompt, kind, order: picked.order.clone() }, what));
            }
            // A number with a letter can mean nothing but an option; a letter alone may be a word of the game.
            if let (Err(_), Some(_)) = (&read, choice.prompt) {
                let why = no_option(options.as_deref().unwrap_or_default(), &choice);
                return Err(NotDone::Refused(Failed { pointed: vec![text], why }));
            }
        }
        read.map(|understood| (understood, text)).map_err(|why| {
            NotDone::Refused(Failed {
                pointed: why.point(order.line()).lines().map(str::to_owned).collect(),
                why: sentence(&self.seats.named(&why.to_string())),
            })
        })
    }

    /// The numbered questions as the mail that is answered listed them; as they are now, where that cannot be told.
    fn listed_for(&mut self, services: &Services, seat: Seat, from: &From<'_>) -> Result<Vec<Listed>, OfficeError> {
        if let From::Mail { mail, .. } = from {
            let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
            let head = self.head().n;
            let start = format!("{}.{seat}.", self.game);
            let n = ids.filter_map(|id| id.strip_prefix(&start)?.split('.').next()?.parse::<u64>().ok()).next();
            if let Some(n) = n.filter(|&n| n < head)
                && let Some(mut dyn_game) = self.as_of(services, n)?
            {
                return Ok(questions(&mut *dyn_game, seat)?);
            }
        }
        self.questions(seat)
    }

    /// Says how orders would be understood, and whether the first is legal now. Rolls no die and changes nothing.
    pub(crate) fn preview(
        &mut self,
        services: &Services,
        seat: Seat,
        all: &[Request],
        from: &From<'_>,
    ) -> Result<Vec<Section>, OfficeError> {
        let mut out = vec![Section::paragraph("PREVIEW: nothing was done.")];
        let mut options = None;
        let mut first = true;
        let several = all.iter().map(orders_in).sum::<usize>() > 1;
        for said in all {
            let Request::Orders(orders) = said else { continue };
            for order in orders {
                let block = match self.understand(services, seat, order, from, &mut options) {
                    Err(NotDone::Error(why)) => return Err(why),
                    Err(NotDone::Refused(failed)) => {
                        let mut says = vec![failed.why];
                        if !first {
                            says.push("(It may be understood once the orders before it are carried out.)".to_owned());
                        }
                        Block::Preview { pointed: failed.pointed, says }
                    }
                    Ok((understood, _)) => {
                        let mut says = vec![self.in_words(&understood, order)?];
                        if let Some(dyn_game) = &mut self.live.dyn_game {
                            says.push(match dyn_game.check(seat, understood.prompt, &understood.order) {
                                _ if !first => {
                                    "Whether it is legal is seen when the orders before it are done.".to_owned()
                                }
                                Ok(()) => "It is legal now.".to_owned(),
                                Err(why) => {
                                    let skipped = if several { " What stands behind it would be skipped." } else { "" };
                                    format!("It is not legal now: {}{skipped}", self.seats.named(&refusal(&why, "-")))
                                }
                            });
                        }
                        Block::Preview { pointed: vec![order.text().to_owned()], says }
                    }
                };
                out.push(Section::of([block]));
                first = false;
            }
        }
        if first {
            out.push(Section::paragraph("There was no order to look at."));
        }
        Ok(out)
    }

    /// What an order means: the question it answers and, where that is listed, the words of the choice.
    fn in_words(&mut self, understood: &Understood, order: &Phrase) -> Result<String, OfficeError> {
        let Some(dyn_game) = &mut self.live.dyn_game else { return Ok(String::new()) };
        let Some(listed) = dyn_game.listed(understood.prompt)? else { return Ok(String::new()) };
        let words = dyn_game.say(understood.prompt, &understood.order).unwrap_or_else(|| order.text().to_owned());
        Ok(self.seats.named(&format!("is read as \"{words}\", in answer to: {}.", listed.text.title)))
    }

    pub(crate) fn help(&mut self, services: &Services, subject: Option<&Phrase>) -> Result<Vec<Section>, OfficeError> {
        let kinds: Vec<String> = self.kinds()?;
        let ruleset = self.live.opened.ruleset;
        let Some(subject) = subject else {
            let mut help = services.letters.help(&kinds)?;
            let subjects = ruleset.help(&Phrase::new(""));
            help.extend(
                subjects.map(|all| Section::of([Block::paragraph(all.title, 0), Block::paragraph(all.text, 1)])),
            );
            return Ok(help);
        };
        let map = ruleset.map_of(&self.live.opened.setup.components);
        let explained = map.and_then(|map| map.explain(subject)).or_else(|| ruleset.help(subject));
        let Some(explained) = explained else {
            let mut help = vec![Section::paragraph(format!("There is no help on \"{}\".", subject.text()))];
            help.extend(services.letters.help(&kinds)?);
            return Ok(help);
        };
        let Explained { title, text, orders } = explained;
        Ok(vec![Section::of([Block::Explanation { title, text, orders }])])
    }

    /// The kinds of questions that the rules can ask, or have asked so far.
    pub(crate) fn kinds(&mut self) -> Result<Vec<String>, OfficeError> {
        let mut kinds = self.facts.kinds.clone();
        kinds.extend(self.live.opened.ruleset.kinds().into_iter().map(str::to_owned));
        kinds.extend(self.asked()?.into_iter().map(|asked| asked.kind.to_owned()));
        Ok(kinds.into_iter().collect())
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// The choice that a number and a letter mean.
fn pick<'l>(listed: &'l [Listed], choice: &OptionRef) -> Option<(&'l Listed, &'l Choice<AnyOrder>)> {
    let question = match choice.prompt {
        Some(number) => listed.get(usize::try_from(number).ok()?.checked_sub(1)?)?,
        // A lone letter means the first question, a lone number the only one.
        None if choice.choice.starts_with(is_digit) && listed.len() != 1 => return None,
        None => listed.first()?,
    };
    Some((question, question.choices.get(choice.index()?)?))
}

/// Why a number and a letter mean no option, and which do.
fn no_option(listed: &[Listed], choice: &OptionRef) -> String {
    let number = choice.prompt.unwrap_or_default();
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    match place.and_then(|place| listed.get(place)).map(|question| question.choices.len()) {
        None if listed.is_empty() => "That letter listed no question.".to_owned(),
        None => format!("There is no question {number}; the letter you answer lists {}.", listed.len()),
        Some(0) => format!("Question {number} lists no options; please answer it in words."),
        Some(options) => format!(
            "Question {number} has no option {}; its options go from {} to {}.",
            choice.choice,
            letter(0),
            letter(options - 1)
        ),
    }
}
