//! Reads lines into a [`Reading`], in one pass.

use crate::{
    error::OfficeError,
    game::{Game, draft::draft_for, seats},
    reading::{
        Access, MOST_UNREAD, Origin,
        context::{self, Context},
        marks::{Mark, cuts, is_decoration, previewed, split_label, strange_mark, unwrapped},
        press::{self, Known},
        request::{Request, Standing, is_send, misspelt, request_before, said},
        value::{By, Is, Label, Line, Order, ReadLine, Reading, Told, hinted, misread, refused, unread},
        whole::{beside_a_vote, contradictions, join_luck, signatures, skip_boilerplate},
    },
    services::Services,
};
use postrider_dice::Hash;
use postrider_mail::Marked;
use postrider_orders::{
    Misread, OptionRef, People, Phrase, is_confirmation, is_courtesy, is_surrounding, option_ref, sentences, visible,
    without_courtesies,
};
use postrider_store::{LetterId, Proposed, Whose};
use postrider_table::{PromptId, Seat, Understood};
use std::collections::{BTreeSet, HashMap};

/// The maximum number of places at which the reader tries to divide a line into orders.
const MOST_CUTS: usize = 40;

/// The maximum number of lines into which a mail program may have broken one line.
const MOST_BROKEN: usize = 4;

/// Words that answer many questions, or a proposal, and so identify none.
const GENERAL: &[&str] = &[
    "yes", "no", "y", "n", "ok", "okay", "pass", "none", "nothing", "done", "stay", "stop", "all", "nobody", "both",
    "yep", "nope", "finished", "end", "go", "on", "accept", "accepted", "reject", "rejected", "refuse", "agreed",
];

/// Words that join what is before and behind them.
const JOINTS: &[&str] = &["and", "or", "but", "with", "to", "from"];

/// Marks at the beginning of list items.
const BULLETS: &[&str] = &["- ", "* ", "• ", "· ", "– ", "+ "];

/// Reads the lines of one mail.
pub(crate) struct Reader<'r> {
    pub game: &'r Game,
    pub seat: Seat,
    pub context: &'r Context,
    /// `true` after an order, because then `done` may end what that order began.
    ordered: bool,
    /// The mail, if the lines come from one.
    mail: Option<Hash>,
    /// `true` if the answered letter asks for a `yes`. Then a single letter, such as `n` or `k`, is
    /// not an option.
    asks_yes: bool,
    verbs: Option<BTreeSet<String>>,
    /// Lines already read, by their text and whether an order precedes them.
    known: HashMap<(String, bool), Is>,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(game: &'r Game, seat: Seat, context: &'r Context) -> Reader<'r> {
        Reader { game, seat, context, ordered: false, mail: None, asks_yes: false, verbs: None, known: HashMap::new() }
    }

    /// Reads lines outside all messages.
    pub(crate) fn lines<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) -> Vec<ReadLine> {
        lines.into_iter().map(|text| ReadLine { text: text.to_owned(), is: self.line(text) }).collect()
    }

    fn mail(&mut self, lines: &[Line]) -> Reading {
        let players = self.game.seats.clone();
        let directors = self.game.live.motions.directors().names();
        let parts = press::parts(lines, &Known { players: &players, directors });
        let mut reading = Reading::default();
        let mut label: Option<Label> = None;
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            at += 1;
            let next = parts.get(at).and_then(press::Part::line);
            let line = match part {
                press::Part::Message(told) => {
                    reading.lines.push(ReadLine { text: told.whole.clone(), is: self.message(told) });
                    continue;
                }
                press::Part::Line(line) => line,
            };
            if let Some(marked) = line.marked {
                let phrase = Phrase::new(&line.text);
                let says_nothing = phrase.is_empty() || self.is_courtesy(&phrase);
                let mut is = if says_nothing { Is::Nothing } else { refused(&line.text, &marked.to_string()) };
                // Some mail programs also mark an answer between quoted lines as quoted.
                if let (Is::Unread(why), Marked::Quoted) = (&mut is, marked)
                    && let Is::Orders(orders) = self.line(&line.text)
                {
                    why.sequence = orders;
                }
                reading.lines.push(ReadLine { text: line.text.clone(), is });
                continue;
            }
            if let Some(only) = self.label_alone(&line.text).filter(|_| next.is_some()) {
                label = Some(only);
                reading.lines.push(ReadLine { text: line.text.clone(), is: Is::Nothing });
                continue;
            }
            // `preview settle kansas`
            let mut text = line.text.clone();
            if let Some(rest) =
                previewed(&text).filter(|rest| matches!(self.line(rest), Is::Orders(_) | Is::Command(_)))
            {
                reading.lines.push(ReadLine { text: "preview".to_owned(), is: Is::Command(Request::Preview) });
                text = rest.to_owned();
            }
            let mut is = self.labelled(&text, label.take());
            if let Some(next) = next.filter(|next| next.no == line.no + 1)
                && goes_on(&text, &is)
                && !matches!(self.line(&next.text), Is::Nothing)
            {
                is = unread(&text, "It ends as if it went on in the next line; please write it on one line.");
            }
            if self.follows(&text, &is) {
                is = unread(&text, "It begins as if it went on from the line above; please write it on one line.");
            }
            // A mail in which nothing is understood is not an order broken over several lines by a
            // mail program.
            let unread = reading.lines.iter().rev().take_while(|line| matches!(line.is, Is::Unread(_))).count();
            if unread < MOST_UNREAD
                && let Some((whole, more)) = self.broken(line, &text, &is, &parts[at..])
            {
                (text, is) = whole;
                at += more;
            }
            self.ordered |= matches!(is, Is::Orders(_) | Is::Draft(_));
            reading.lines.push(ReadLine { text, is });
        }
        if self.game.live.started.is_none() {
            join_luck(&mut reading);
        }
        reading
    }

    /// Returns `true` for an order that begins with a joining word and names no action: it may be
    /// the rest of the order above.
    fn follows(&mut self, text: &str, is: &Is) -> bool {
        let phrase = Phrase::new(text);
        let joined = phrase.words().first().is_some_and(|word| JOINTS.contains(&word.text.as_str()));
        joined && self.ordered && matches!(is, Is::Orders(_)) && !self.has_verb(&phrase)
    }

    /// Joins a line that a mail program has broken with the lines after it, if only the whole can
    /// be read. Returns the joined line and the number of lines added.
    fn broken(&mut self, line: &Line, text: &str, is: &Is, below: &[press::Part<'_>]) -> Option<((String, Is), usize)> {
        let mut joined = text.to_owned();
        for (more, part) in (1..MOST_BROKEN).zip(below) {
            let next = part.line().filter(|next| next.no == line.no + more && next.marked.is_none())?;
            if !matches!(self.line(&next.text), Is::Unread(_)) {
                return None;
            }
            joined = format!("{joined} {}", next.text);
            if !matches!(is, Is::Unread(_)) && self.context.sheet.copied(&Phrase::new(&joined)).is_none() {
                continue;
            }
            let whole = self.line(&joined);
            if matches!(whole, Is::Orders(_) | Is::Command(_)) {
                return Some(((joined, whole), more));
            }
        }
        None
    }

    fn message(&mut self, told: &Told) -> Is {
        if let Some(line) = self.could_be_order(told) {
            let why = "It could belong to the message above it, or be an order. Write `end` on a line of its own where a message \
                       ends, or write the orders first.";
            return refused(&line, why);
        }
        match &told.to {
            Err(why) => refused(&told.whole, why),
            Ok(_) => Is::Message(told.clone()),
        }
    }

    /// Returns a line of a message that could be an order.
    fn could_be_order(&mut self, told: &Told) -> Option<String> {
        if told.ended || told.to.is_err() {
            return None;
        }
        let further = told.text.lines().skip(usize::from(told.begins_with_text));
        further.map(str::to_owned).find(|line| matches!(self.line(line), Is::Orders(_) | Is::Command(_)))
    }

    fn labelled(&mut self, text: &str, label: Option<Label>) -> Is {
        let Some(label) = label else { return self.line(text) };
        match self.order(&Phrase::new(text), Some(&label)) {
            Ok(order) => Is::Orders(vec![order]),
            Err(why) => misread(text, &why),
        }
    }

    /// Reads one line.
    pub(crate) fn line(&mut self, text: &str) -> Is {
        let key = (text.to_owned(), self.ordered);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let is = self.line_anew(text);
        self.known.insert(key, is.clone());
        is
    }

    fn line_anew(&mut self, text: &str) -> Is {
        let text = BULLETS.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text).trim();
        let text = unwrapped(text);
        let phrase = Phrase::new(text);
        if is_decoration(text) {
            return Is::Nothing;
        }
        if self.asks_yes && says_no(&phrase, &self.context.people) {
            return Is::Withdrawn;
        }
        if self.context.sheet.copied(&phrase).is_none() && self.is_courtesy(&phrase) {
            return Is::Nothing;
        }
        if let Some(request) = self.command(text) {
            return Is::Command(request);
        }
        if self.game.live.started.is_none() {
            return match self.context.situation.hint(text, &self.context.people, false) {
                Some(hint) => hinted(text, hint),
                None if seats::has_joined(self.game, self.seat) => {
                    unread(text, &format!("{NOT_BEGUN} {}", seats::waiting(self.game)))
                }
                None => unread(text, &format!("{NOT_BEGUN} Reply `join` to take your seat.")),
            };
        }
        if without_courtesies(&phrase, &self.context.people).iter().any(is_send) && !text.contains(['?', '？']) {
            return self.draft();
        }
        let mut orders = Vec::new();
        let mut first = None;
        for sentence in sentences(text) {
            let phrase = Phrase::new(&sentence);
            if phrase.is_empty() && is_decoration(&sentence) || self.is_courtesy(&phrase) {
                continue;
            }
            match self.orders(&sentence) {
                Ok(more) => orders.extend(more),
                Err(why) => _ = first.get_or_insert((sentence, why)),
            }
        }
        match first {
            _ if self.context.sheet.quotes(&phrase) => Is::Nothing,
            Some((sentence, why)) if !orders.is_empty() => misread(&sentence, &why),
            Some((sentence, why)) => self.explained(text, &sentence, &why),
            None if orders.is_empty() => Is::Nothing,
            // Dots at the end show that the author wanted to say more.
            None if text.contains("..") => unread(text, "“..” is not part of an order"),
            None => Is::Orders(orders),
        }
    }

    /// Returns the meaning of a line that was misread: with a hint if it is in everyday words, and
    /// not nearly an order.
    fn explained(&mut self, text: &str, sentence: &str, why: &Misread) -> Is {
        let context = self.context;
        let situation = &context.situation;
        let hint = situation.hint(text, &context.people, why.understood > 0);
        match hint.or_else(|| self.nearly_a_command(text).filter(|_| why.understood == 0)) {
            Some(hint) => hinted(text, hint),
            None => match situation.idle().filter(|_| why.understood == 0 && why.nearest.is_empty()) {
                Some(idle) => unread(text, &format!("It is no command, and {idle}. `help` lists the commands.")),
                None => misread(sentence, why),
            },
        }
    }

    /// Returns a sentence that offers the command of which a line is a misspelt form.
    fn nearly_a_command(&mut self, text: &str) -> Option<String> {
        let game = self.game;
        let verbs = self.verbs.get_or_insert_with(|| context::verbs(game));
        let command = misspelt(text, verbs.iter().map(String::as_str))?;
        Some(format!(
            "Did you mean the command `{}`? Then please write it so.",
            visible(command.trim_end_matches(['!', '.', '?']))
        ))
    }

    /// Returns `true` if the words mean nothing. They do mean something if a question lists them as
    /// an answer.
    fn is_courtesy(&self, phrase: &Phrase) -> bool {
        let people = &self.context.people;
        if self.picks(phrase) {
            return false;
        }
        if people.are_named_by(phrase) || is_courtesy(phrase, people) {
            return true;
        }
        is_surrounding(phrase)
            && !phrase.line().contains("..")
            && !self.game.read(self.seat, phrase).is_ok_and(|understood| self.says_so(phrase, &understood))
            && !is_confirmation(phrase, people)
    }

    fn picks(&self, phrase: &Phrase) -> bool {
        option_ref(phrase).is_some_and(|option| self.context.sheet.pick(&option).is_ok())
    }

    /// Returns `true` if the words are exactly those of the order.
    fn says_so(&self, phrase: &Phrase, understood: &Understood) -> bool {
        let game = self.game.live.dyn_game.as_ref();
        let words = game.and_then(|game| game.say(understood.prompt, &understood.order));
        words.is_some_and(|words| Phrase::new(&words).plain() == phrase.plain())
    }

    /// Parses a command, perhaps with courtesies around it. Only queries may have a question mark.
    fn command(&self, text: &str) -> Option<Request> {
        let begun = self.game.live.started.is_some();
        let waits = self.game.secrets.waiting.iter().any(|(whose, _)| *whose == self.seat);
        let (seat, phrase) = (self.seat, Phrase::new(text));
        let is_order = |game: &Game| game.read(seat, &phrase).is_ok();
        let read = |line: &str| match if begun { said(line) } else { request_before(line, &self.context.people) } {
            // Before the game begins there is nothing to give up but the seat.
            Some(Request::Concede) if !begun => Some(Request::Decline),
            Some(Request::Stop) if !waits && is_order(self.game) => None,
            // It answers a question of the game.
            Some(Request::Vote(_, None) | Request::Withdraw(_)) if is_order(self.game) => None,
            Some(Request::Vote(agrees, None)) => match self.context.proposals[..] {
                [n] => Some(Request::Vote(agrees, Some(n))),
                _ => Some(Request::Vote(agrees, None)),
            },
            Some(Request::Pause) if !begun => None,
            // It may end the absence.
            Some(Request::Back) if Phrase::new(line).plain() == "back" && self.context.situation.is_away() => None,
            // It declines an open question.
            Some(Request::Decline) if begun && (phrase.plain().starts_with("no ") || is_order(self.game)) => None,
            read => read,
        };
        let request = read(text).or_else(|| {
            let left = without_courtesies(&phrase, &self.context.people);
            left.iter().skip(1).filter(|left| left.words().len() <= 3).find_map(|left| read(left.text()))
        })?;
        let asks = text.contains(['?', '？']) && !request.only_looks();
        (!asks).then_some(request)
    }

    /// Returns the lines of the draft in place of `send`.
    fn draft(&mut self) -> Is {
        let lines = draft_for(self.game, self.seat, self.mail);
        let read = self.lines(lines.iter().map(String::as_str));
        let wrong = (1..).zip(&read).find_map(|(at, line)| match &line.is {
            Is::Unread(why) => Some(format!("Line {at} of your draft is not understood: {}", why.why)),
            _ => None,
        });
        match wrong {
            Some(why) => unread("send", &why),
            None => Is::Draft(read),
        }
    }

    /// Parses the orders of a sentence: one that is read whole, or several separated by `;`, `:`,
    /// "then" and the like.
    pub(crate) fn orders(&mut self, text: &str) -> Result<Vec<Order>, Misread> {
        self.orders_of(text, &mut BTreeSet::new())
    }

    /// Parses the orders of a sentence. `failed` contains the lengths of the sentence's ends
    /// already found unreadable.
    fn orders_of(&mut self, text: &str, failed: &mut BTreeSet<usize>) -> Result<Vec<Order>, Misread> {
        let text = text.trim().trim_end_matches(['.', '!', ',', ';']).trim();
        let whole = Phrase::new(text);
        if let Some(at) = strange_mark(text).filter(|_| !self.context.sheet.prints(&whole)) {
            let why = match text.chars().nth(at).unwrap_or_default() {
                '?' => {
                    let other = self.game.seats.players.iter().find(|player| player.seat != self.seat);
                    let other = other.map_or("host", |player| player.name.as_str()).to_lowercase();
                    format!(
                        "a question is not an order: `status` shows the position, `help` explains, `tell {other}: …` asks a player"
                    )
                }
                mark => format!("“{mark}” is not part of an order"),
            };
            return Err(Misread { start: at, end: at + 1, why, nearest: Vec::new(), understood: 0 });
        }
        if whole.words().last().is_some_and(|last| JOINTS.contains(&last.text.as_str())) {
            return Err(whole.reader().fail("it ends as if it went on"));
        }
        let mut first = match self.order(&whole, None) {
            Ok(order) => return Ok(vec![order]),
            Err(why) => why,
        };
        // `1a 2c`
        let labels: Vec<Phrase> = text.split_whitespace().map(Phrase::new).collect();
        if labels.iter().all(|label| option_ref(label).is_some_and(|option| option.prompt.is_some())) {
            return labels.iter().map(|label| self.order(label, None)).collect();
        }
        for cut in cuts(text).into_iter().take(MOST_CUTS) {
            let (head, tail) = (&text[..cut.head], text[cut.tail..].trim_start());
            if failed.contains(&tail.len()) {
                continue;
            }
            let Ok(head) = self.order(&Phrase::new(head), None) else { continue };
            // `A: settle utah` may answer a question of the player's own; a letter and a colon are
            // never two orders.
            if text[cut.head..].starts_with(':') && option_ref(&head.phrase).is_some() {
                continue;
            }
            let before = std::mem::replace(&mut self.ordered, true);
            let read = self.orders_of(tail, failed);
            self.ordered = before;
            let Ok(tail) = read.map_err(|why| {
                let at = text[..text.len() - tail.len()].chars().count();
                first =
                    if cut.weak { first.clone() } else { Misread { start: why.start + at, end: why.end + at, ..why } };
            }) else {
                continue;
            };
            let option = |order: &Order| matches!(&order.by, By::Listed(..)) && option_ref(&order.phrase).is_some();
            let ends = |order: &Order| self.game.says_enough(&order.phrase);
            // A comma also occurs within one order; it separates two only if they cannot be taken
            // for one.
            let plain = option(&head) && tail.iter().all(|order| option(order) || ends(order)) || tail.iter().all(ends);
            if !cut.weak || plain {
                return Ok(std::iter::once(head).chain(tail).collect());
            }
        }
        failed.insert(text.len());
        Err(first)
    }

    /// Parses the whole phrase as one order.
    pub(crate) fn order(&mut self, phrase: &Phrase, label: Option<&Label>) -> Result<Order, Misread> {
        let mut trouble: Option<Misread> = None;
        for said in without_courtesies(phrase, &self.context.people) {
            let Some(left) = self.context.words_left.get().checked_sub(said.words().len()) else {
                return Err(phrase
                    .reader()
                    .fail("the mail is too long to be understood; please write one order a line"));
            };
            self.context.words_left.set(left);
            match self.one(&said, label.cloned()) {
                Ok(order) => return Ok(order),
                Err(why) => trouble = Some(trouble.map_or(why.clone(), |other| other.best(why))),
            }
        }
        Err(trouble.unwrap_or_else(|| phrase.reader().fail("nothing is ordered")))
    }

    fn one(&mut self, phrase: &Phrase, label: Option<Label>) -> Result<Order, Misread> {
        if let Some(label) = label {
            return self.under_label(phrase, label);
        }
        if let Some(understood) = self.context.sheet.copied(phrase) {
            return Ok(Order::listed(phrase, understood, phrase.text().to_owned()));
        }
        if let Some(picked) = self.option(phrase, None) {
            return picked;
        }
        let whole = match self.by_grammar(phrase, None) {
            Ok(order) => return Ok(order),
            Err(why) => why,
        };
        let Some((label, rest)) = self.label_of(phrase) else { return Err(whole) };
        self.under(label, &rest).map_err(|why| why.best(whole))
    }

    /// Parses an order after a label. Both must refer to the same question.
    fn under(&mut self, label: Mark, rest: &Phrase) -> Result<Order, Misread> {
        match label {
            Mark::Question(label) => self.order(rest, Some(&label)),
            Mark::Option(option) => {
                let order = self.order(rest, None)?;
                match self.context.sheet.pick(&option) {
                    Ok((one, words)) if Some(&one) == order.understood() => {
                        Ok(Order { by: By::Listed(one, words), ..order })
                    }
                    Ok((_, words)) => {
                        let why =
                            format!("{} means `{words}`, and the words after it mean something else", option.choice);
                        Err(rest.reader().fail(self.game.seats.named(&why)))
                    }
                    Err(why) => Err(rest.reader().fail(why)),
                }
            }
        }
    }

    fn under_label(&mut self, phrase: &Phrase, label: Label) -> Result<Order, Misread> {
        let prompt = match &label {
            Label::Number(number) => self.context.sheet.numbered(*number).map_err(|why| phrase.reader().fail(why))?,
            Label::Kind(kind) => match self.game.asked_of(self.seat, kind) {
                Some(prompt) => prompt,
                None => return self.of_kind(phrase, label.clone(), kind),
            },
        };
        if let Some(understood) = self.context.sheet.copied(phrase).filter(|one| one.prompt == prompt) {
            let order = Order::listed(phrase, understood, phrase.text().to_owned());
            return Ok(Order { label: Some(label), ..order });
        }
        if let Some(picked) = self.option(phrase, Some(prompt)) {
            return picked.map(|order| Order { label: Some(label), ..order });
        }
        self.by_grammar(phrase, Some(prompt)).map(|order| Order { label: Some(label), named: true, ..order })
    }

    /// Parses an order for a kind of question that is not open.
    fn of_kind(&self, phrase: &Phrase, label: Label, kind: &str) -> Result<Order, Misread> {
        match self.game.foreseen(self.seat, phrase).into_iter().find(|other| *other == kind) {
            Some(kind) => Ok(Order { phrase: phrase.clone(), label: Some(label), by: By::Kind(kind), named: true }),
            None => Err(phrase.reader().fail(format!("this is not an order for “{}”", kind.replace('-', " ")))),
        }
    }

    /// Returns the answered letter's option with these two letters, which may be a word.
    fn bare(&self, phrase: &Phrase) -> Option<OptionRef> {
        let [word] = phrase.words() else { return None };
        let option = OptionRef { prompt: None, choice: word.text.clone() };
        (word.text.len() == 2 && self.context.sheet.pick(&option).is_ok()).then_some(option)
    }

    /// Returns the answered letter's option with this letter, or `None` if the words are no such
    /// reference.
    fn option(&self, phrase: &Phrase, only: Option<PromptId>) -> Option<Result<Order, Misread>> {
        let sheet = &self.context.sheet;
        let option = option_ref(phrase).or_else(|| self.bare(phrase))?;
        if option.prompt.is_none() && only.is_none() && self.bare(phrase).is_some() {
            let why = format!("`{}` may be a word; write it with its question's number", option.choice);
            return Some(Err(phrase.reader().fail(why)));
        }
        if phrase.line().trim_end().ends_with([':', '：']) {
            return None;
        }
        if self.asks_yes && option.prompt.is_none() && only.is_none() {
            let why = "the letter you answer asks for a `yes`; please write an answer in words, or with its question's number";
            return Some(Err(phrase.reader().fail(why)));
        }
        let numbered = |only| (1..).take(sheet.len()).find(|&n| sheet.numbered(n) == Ok(only));
        let option = OptionRef { prompt: option.prompt.or_else(|| numbered(only?)), ..option };
        match sheet.pick(&option) {
            Ok((understood, words)) => Some(Ok(Order::listed(phrase, understood, words))),
            // A piece may have the name of an option.
            Err(_) if option.prompt.is_some() && self.game.read(self.seat, phrase).is_ok() => None,
            Err(why) => Some(Err(phrase.reader().fail(why))),
        }
    }

    /// Parses an order by the grammar of an open question or of a kind of question of this game.
    fn by_grammar(&mut self, phrase: &Phrase, only: Option<PromptId>) -> Result<Order, Misread> {
        let read = match only {
            Some(only) => self.game.read_at(self.seat, only, phrase),
            None => self.game.read(self.seat, phrase),
        };
        let (by, not_asked) = match read {
            Ok(understood) if self.context.unseen.contains(&understood.prompt) => {
                return Err(phrase.reader().fail(UNSEEN));
            }
            Ok(understood) => (By::Open(understood), None),
            Err(why) if only.is_some() => return Err(why),
            Err(why) => {
                // If several kinds fit, the one in the answered letter is preferred.
                let kinds = self.game.foreseen(self.seat, phrase);
                let asked = kinds.iter().find(|kind| self.context.sheet.asks_kind(kind));
                match asked.or(kinds.first()) {
                    Some(kind) => (By::Kind(kind), Some(why)),
                    None => return Err(why),
                }
            }
        };
        let named = self.names_it(phrase);
        let order = Order { phrase: phrase.clone(), label: None, by, named };
        let listed = self.context.sheet.asks_kind(order.kind()) || self.context.all_known && not_asked.is_none();
        let ends = self.ordered && self.game.says_enough(phrase);
        if named || listed || ends || only.is_some() {
            return Ok(order);
        }
        Err(not_asked.unwrap_or_else(|| {
            let kind = order.kind();
            phrase.reader().fail(format!(
                "this would answer a question that you were not sent; `{kind}: {}` would count",
                phrase.text()
            ))
        }))
    }

    /// Returns `true` if every word fits many questions: `none`, `yes`, `done`.
    pub(crate) fn is_general(phrase: &Phrase) -> bool {
        phrase.words().iter().all(|word| GENERAL.contains(&word.text.as_str()))
    }

    /// Returns `true` if the words name an action, not only a place, a piece, a number or a general
    /// word.
    pub(crate) fn names_it(&mut self, phrase: &Phrase) -> bool {
        let words = phrase.words();
        let general =
            |text: &str| GENERAL.contains(&text) || text.len() < 2 || text.bytes().all(|b| b.is_ascii_digit());
        let numbered = |at: usize| phrase.part(at..at + 1).reader().number().is_some();
        if (0..words.len()).all(|at| general(&words[at].text) || numbered(at)) {
            return false;
        }
        let digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        if words.len() > 3 || words.iter().any(|word| digit(&word.text)) {
            return true;
        }
        self.has_verb(phrase)
    }

    /// Returns `true` if a word is one with which the game's orders begin.
    pub(crate) fn has_verb(&mut self, phrase: &Phrase) -> bool {
        let game = &self.game;
        let verbs = self.verbs.get_or_insert_with(|| context::verbs(game));
        phrase.words().iter().any(|word| {
            verbs.contains(&word.text) || word.text.strip_suffix('s').is_some_and(|plain| verbs.contains(plain))
        })
    }

    /// Parses a question's number or title on a line of its own.
    fn label_alone(&self, text: &str) -> Option<Label> {
        let phrase = Phrase::new(text);
        if let Some(number) = self.context.sheet.titled(&phrase) {
            return Some(Label::Number(number));
        }
        let (mark, rest) = split_label(&phrase)?;
        let ends = text.trim_end().ends_with(['.', ':', ')', ']']) || text.contains('#') || phrase.words().len() > 1;
        match mark {
            Mark::Question(label) if rest == phrase.words().len() && ends => Some(label),
            _ => None,
        }
    }

    /// Splits off the label before an order: a question's number, an option's letter, a kind of
    /// question or a question's title.
    fn label_of(&self, phrase: &Phrase) -> Option<(Mark, Phrase)> {
        let words = phrase.words().len();
        if let Some((mark, at)) = split_label(phrase).filter(|(_, at)| *at < words) {
            return Some((mark, phrase.part(at..words)));
        }
        let head = Phrase::new(phrase.text().split_once(':')?.0);
        let rest = phrase.part(head.words().len()..words);
        let kind = head.plain().replace(' ', "-");
        let known = context::kinds(self.game).is_ok_and(|kinds| kinds.contains(&kind));
        let label =
            self.context.sheet.titled(&head).map(Label::Number).or_else(|| known.then_some(Label::Kind(kind)))?;
        (!rest.is_empty()).then_some((Mark::Question(label), rest))
    }

    /// Replaces a `yes` by the lines of the proposal that it confirms. `yes, boilerplate` also
    /// skips lines that the letter showed as not understood.
    fn confirmed(&mut self, reading: &mut Reading, proposed: &Proposed) {
        let people = &self.context.people;
        // `Yes, done` is not the order alone.
        for line in reading.lines.iter_mut().filter(|line| matches!(line.is, Is::Orders(_))) {
            let phrase = Phrase::new(&line.text);
            if (1..phrase.words().len()).any(|words| is_confirmation(&phrase.part(0..words), people)) {
                line.is = refused(&line.text, "Write `yes` on a line of its own, and further orders below it.");
            }
        }
        let says =
            |line: &ReadLine| matches!(&line.is, Is::Nothing) && !is_confirmation(&Phrase::new(&line.text), people);
        let shown = |line: &ReadLine| proposed.unread.contains(&line.text);
        let Some(yes) = reading.lines.iter_mut().find(|line| !says(line) && !shown(line)) else { return };
        // It does not confirm if it is struck out or hidden, or contains a mark such as a question
        // mark or a thumb down.
        let marked = matches!(&yes.is, Is::Unread(why) if why.whole);
        let bare = sentences(&yes.text).join(" ");
        if marked || bare.contains(['(', ')', '?', '？']) || strange_mark(&bare).is_some() {
            return;
        }
        let phrase = Phrase::new(&yes.text);
        let words = phrase.words();
        let skips = words.len() > 1 && words.last().is_some_and(|word| word.text == "boilerplate");
        let phrase = phrase.part(0..words.len() - usize::from(skips));
        let plainly = phrase.words().first().is_some_and(|word| word.text.starts_with("confirm"));
        if !is_confirmation(&phrase, people) {
            return;
        }
        if !plainly && reads_yes(self.game, self.seat, &proposed.lines) {
            let why = "It may confirm what that letter offers, or answer the question: write `confirm`, or the answer with its \
                       question's number.";
            yes.is = refused(&yes.text, why);
            return;
        }
        let mut lines = Vec::new();
        for (prompt, text) in &proposed.lines {
            let is = match prompt {
                Some(prompt) => match self.by_grammar(&Phrase::new(text), Some(*prompt)) {
                    Ok(order) => Is::Orders(vec![order]),
                    Err(_) => unread(text, "What that letter proposed is no longer asked."),
                },
                // Its effect depends on who else has given the game up.
                None if said(text) == Some(Request::Concede)
                    && self.game.live.motions.conceded_after(self.context.seen).next().is_some() =>
                {
                    unread(text, "Another player has left the game since that letter. Please write `concede` again.")
                }
                None => self.proposed(text),
            };
            self.ordered |= matches!(is, Is::Orders(_));
            lines.push(ReadLine { text: text.clone(), is });
        }
        yes.is = Is::Confirmed(lines);
        for line in &mut reading.lines {
            if skips && matches!(line.is, Is::Unread(_)) && proposed.unread.contains(&line.text) {
                line.is = Is::Nothing;
            }
        }
    }

    /// Reads a proposed line that belongs to no question. A message has several lines.
    fn proposed(&mut self, text: &str) -> Is {
        let line = |(no, text): (usize, &str)| Line { text: text.to_owned(), no, marked: None };
        let lines: Vec<Line> = (1..).zip(text.lines()).map(line).collect();
        match self.mail(&lines).lines.pop() {
            Some(read) if read.text == text => read.is,
            _ => unread(text, "What that letter proposed is not understood any more."),
        }
    }

    /// Reads the player's own words in the subject as a line too.
    fn subject(&self, reading: &mut Reading, own: &str) {
        if !own.is_empty() && !self.is_courtesy(&Phrase::new(own)) {
            reading.lines.push(ReadLine { is: unread(own, "It is in the subject."), text: own.to_owned() });
        }
    }
}

/// The reason for not reading an answer to a question that its author may not have seen.
const UNSEEN: &str =
    "this would answer a question that came after the letter that you answer; please answer the newest letter";

/// The reason for not reading an order before the game.
const NOT_BEGUN: &str = "The game has not begun: there is nothing to order yet.";

/// A line that a `yes` carries out: its open question, if any, and its words.
pub(crate) type Proposal = (Option<PromptId>, String);

/// Returns `true` if `yes` answers an open question in a way that differs from the proposal.
pub(crate) fn reads_yes(game: &Game, seat: Seat, proposed: &[Proposal]) -> bool {
    let Ok(yes) = game.read(seat, &Phrase::new("yes")) else { return false };
    let same = |game: &Game, (prompt, words): &Proposal| {
        prompt.is_some_and(|prompt| game.read_at(seat, prompt, &Phrase::new(words)).is_ok_and(|read| read == yes))
    };
    !matches!(proposed, [one] if same(game, one))
}

/// Returns the proposal of the answered letter, unless it was withdrawn. It is found by the mail
/// that the letter itself answered.
pub(crate) fn proposed_in(game: &Game, seat: Seat, from: &Origin<'_>) -> Option<Proposed> {
    let Origin::Mail { mail, .. } = from else { return None };
    let answered = match LetterId::answered_in(mail, &game.id, seat).next() {
        Some(id) => id.kind.strip_prefix("re-")?,
        // A mail from a button begins a thread; its subject names the letter.
        None => mail.subject.rsplit_once("(re-")?.1.strip_suffix(')').filter(|start| start.len() >= 8)?,
    };
    let mut all = game.secrets.proposed.iter().rev();
    let asked = all.find(|one| one.whose == Whose::Seat(seat) && one.mail.text().as_str().starts_with(answered));
    asked.filter(|one| !one.lines.is_empty()).cloned()
}

/// Reads a mail, or lines from the command line. Changes nothing.
pub(crate) fn read(
    game: &Game,
    services: &Services,
    seat: Seat,
    lines: &[Line],
    from: &Origin<'_>,
    access: Access,
) -> Result<(Reading, Context), OfficeError> {
    let context = context::context(game, services, seat, from, access)?;
    let proposed = proposed_in(game, seat, from);
    let boilerplate = game.secrets.boilerplate(seat).to_vec();
    let mut reader = Reader::new(game, seat, &context);
    if let Origin::Mail { hash, .. } = from {
        reader.mail = Some(*hash);
    }
    reader.asks_yes = proposed.is_some();
    let mut reading = reader.mail(lines);
    signatures(&mut reading, &mut reader);
    if let Origin::Mail { mail, letter, .. } = from {
        reader.subject(&mut reading, &mail.own_subject(*letter));
    }
    if let Some(proposed) = &proposed {
        reader.confirmed(&mut reading, proposed);
    }
    skip_boilerplate(&mut reading, &boilerplate);
    contradictions(&mut reading, reader.game.live.opened.ruleset);
    beside_a_vote(&mut reading, &reader);
    Ok((reading, context))
}

/// Returns `true` for `no`, `No, I play on`, `cancel` and the like, if there is nothing else.
fn says_no(phrase: &Phrase, people: &People) -> bool {
    const NO: &[&str] = &[
        "no",
        "nope",
        "no i play on",
        "no i will play on",
        "no i do not",
        "no i dont",
        "no never mind",
        "i play on",
        "cancel",
        "no cancel",
        "never mind",
        "nevermind",
        "do not",
        "dont",
        "no do not",
        "no dont",
        "not now",
        "no not now",
        "not yet",
    ];
    without_courtesies(phrase, people).iter().any(|left| NO.contains(&left.plain().as_str()))
}

/// Returns `true` if a line orders something, now or later, and ends with a mark or a word after
/// which more follows.
fn goes_on(text: &str, is: &Is) -> bool {
    let orders =
        matches!(is, Is::Orders(_) | Is::Command(Request::Standing(Standing::Leave { .. }) | Request::Ahead(_)));
    let text = text.trim_end();
    orders && (text.ends_with([';', ',', ':', '&', '+', '>', '-', '–', '→']) || text.ends_with(" then"))
}
