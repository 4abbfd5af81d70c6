//! What the lines of a mail are, before any of them is carried out: orders with what they say of questions and of each other,
//! words to the office, and what orders nothing.
//!
//! Nothing here moves a piece, and everything here is about what must not. A line that is no order may still qualify one that
//! stands before it (`unless he evades`), behind it (`If he attacks,`), or all (`scratch that`); so all lines are looked at
//! before the first order is carried out.

use super::{
    clause::{Clause, END, Label, Line, Plan, What, mark},
    context::Context,
    layout::{is_passed_over, renumber, several_options, ticked, without_remark},
    request::{Request, Standing, luck_alone, request_before, said},
    sheet::{Picked, Sheet},
};
use crate::{
    office::{error::OfficeError, session::GameSession},
    orders::{
        Doubt, Phrase, clauses, corrects, doubt_beside, is_closing, is_confirmation, is_date, is_greeting, is_silent,
        is_telling, looks_back, option_ref, peels, replaces, sentences,
    },
    table::Seat,
};

/// What is known of the writer and his game.
struct Writer<'a> {
    /// His name and the words of his address.
    pub own: Vec<String>,
    /// The letter of his seat.
    pub seat: String,
    /// The names of all players.
    pub names: Vec<&'a str>,
    /// Whether the game has begun.
    pub begun: bool,
    /// The kinds of questions that there are.
    pub kinds: &'a [String],
    /// Whether orders of his wait, so that `stop` is for them.
    pub waits: bool,
    /// Terms of the game that leave nothing open.
    pub terms: &'a [&'a str],
    /// What breaks off orders for further turns, by all its names.
    pub breaks: Vec<&'a str>,
}

/// A signature has no more lines than these.
const LONGEST_SIGNATURE: usize = 8;

impl Writer<'_> {
    /// Whether the words are one letter with which he may sign: the first one of his name, or that of his seat.
    fn may_sign(&self, phrase: &Phrase) -> bool {
        let [word] = phrase.words() else { return false };
        let letter = &word.text;
        let own = self.own.first().is_some_and(|own| own.starts_with(letter.as_str()));
        letter.chars().count() == 1 && (own || *letter == self.seat)
    }
}

/// Says whether words can be read as an order now, and if not, how many of them from the first on are understood.
type Reads<'r> = dyn FnMut(&Phrase) -> Result<(), usize> + 'r;

/// Looks at all lines.
fn plan<'m>(lines: &[Line<'m>], writer: &Writer<'_>, sheet: &Sheet, reads: &mut Reads<'_>) -> Plan<'m> {
    let mut plan: Plan<'m> = Vec::new();
    let (mut label, mut closed, mut taken_leave) = (None, false, false);
    let boxes = lines.iter().any(|line| is_passed_over(line.text));
    // Of a list with boxes only the ticked rows are left.
    let pasted = sheet.is_pasted(lines.iter().filter_map(|line| ticked(line.text, boxes)));
    for (at, line) in lines.iter().enumerate() {
        let Some(text) = ticked(line.text, boxes) else {
            plan.push((line.text, What::Nothing));
            continue;
        };
        let line = &Line { text, ..*line };
        let ordered = plan.iter().any(|(_, what)| !matches!(what, What::Nothing | What::Below));
        let phrase = Phrase::new(line.text);
        let quoted = sheet.quotes(&phrase, false) && (sheet.quotes(&phrase, true) || reads(&phrase).is_err());
        // A standing order for no kind of question may be an order of the game itself.
        let own = |request: &Request, reads: &mut Reads<'_>| match request {
            Request::Standing(Standing::Leave { kind, .. }) => !writer.kinds.contains(kind) && reads(&phrase).is_ok(),
            Request::Standing(Standing::Unclear) | Request::Draft(_) => reads(&phrase).is_ok(),
            // Elsewhere such words leave open what stands before them.
            Request::EvenIf(words) => {
                !writer.breaks.iter().any(|name| words.is_empty() || words.to_lowercase().contains(name))
            }
            _ => false,
        };
        let asked = request(line.text, writer).filter(|request| !own(request, reads));
        // `Preview only, please.`, `preview settle kansas`: nothing is done, wherever it stands.
        let asked = asked.or_else(|| {
            let preview = writer.begun && wants_preview(&phrase).is_some() && reads(&phrase).is_err();
            preview.then_some(Request::Preview)
        });
        let silent = is_silent(&phrase) && !line.text.contains(['?', '？']) && !numbers_answer(&phrase, sheet, reads);
        let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
        let postscript = phrase.words().first().is_some_and(|word| matches!(word.text.as_str(), "ps" | "pps"));
        let what = if closed && !silent && (postscript || readable(&phrase)) && !writer.may_sign(&phrase) {
            What::Below
        } else if closed || silent {
            What::Nothing
        } else if let Some(request) = asked {
            What::Office(request)
        } else if !writer.begun {
            What::Orders(vec![Clause { phrase, label: None, doubt: None }])
        } else if signs(&phrase, writer, lines.len() > 1, at + 1 == lines.len()) {
            // What stands below a name that ends a mail belongs to it.
            closed = ordered || taken_leave;
            What::Nothing
        } else if is_closing(&phrase)
            && !readable(&phrase)
            && !sentences(line.text)
                .iter()
                .map(|said| Phrase::new(said))
                .any(|said| !writer.may_sign(&said) && readable(&said))
        {
            // Thanks at the beginning are for something else; a name below them, or the letter for it, orders nothing.
            let below = lines[at + 1..].iter().map(|line| Phrase::new(line.text));
            let mut below = below.take_while(|phrase| !signs(phrase, writer, true, false));
            closed = ordered
                || lines.len() - at <= LONGEST_SIGNATURE
                    && !below.any(|phrase| !writer.may_sign(&phrase) && readable(&phrase));
            taken_leave = true;
            What::Nothing
        } else if is_greeting(&phrase) && !parts(line.text).iter().any(|said| readable(&Phrase::new(said)))
            || quoted
            || pasted && sheet.is_row(&phrase)
        {
            What::Nothing
        } else if let Some(only) =
            label_alone(line.text, &phrase, sheet).filter(|_| at + 1 < lines.len() || !readable(&phrase))
        {
            label = Some(only);
            What::Nothing
        } else if is_telling(&phrase) && !is_confirmation(&phrase) && !readable(&phrase) {
            What::Nothing
        } else {
            let mut all = Vec::new();
            let said = sentences(line.text);
            for sentence in &said {
                // `Hi! Raid Utah.`, `Thanks! Raid Utah.`
                let phrase = Phrase::new(sentence);
                let polite =
                    is_greeting(&phrase) || is_closing(&phrase) || is_telling(&phrase) && !is_confirmation(&phrase);
                let mut readable =
                    |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
                if polite && said.len() > 1 && !readable(&phrase) {
                    continue;
                }
                all.extend(of_sentence(sentence, line.text, sheet, writer, reads));
            }
            if let (Some(label), Some(first)) = (label.take(), all.first_mut()) {
                first.label.get_or_insert(label);
            }
            if all.is_empty() { What::Nothing } else { What::Orders(all) }
        };
        plan.push((line.text, what));
    }
    if !writer.begun {
        join(&mut plan);
    }
    initial(&mut plan, writer);
    renumber(&mut plan, sheet);
    qualify(&mut plan, lines, writer, reads);
    if writer.begun {
        put_off(&mut plan, lines);
    }
    plan
}

/// Of words that want a preview the place of that word; none where they want none.
pub(super) fn wants_preview(phrase: &Phrase) -> Option<usize> {
    const DENYING: &[&str] = &["no", "not", "dont", "never", "without", "skip", "need"];
    let words = phrase.words();
    let denied = words.iter().any(|word| DENYING.contains(&word.text.as_str()));
    words.iter().position(|word| word.text == "preview").filter(|_| !denied)
}

/// Before the game begins: words for luck on a line of their own belong to the `join` beside them.
fn join(plan: &mut Plan<'_>) {
    let spoken = plan.iter().enumerate().find_map(|(at, (line, what))| {
        let What::Orders(_) = what else { return None };
        Some((at, luck_alone(line)?))
    });
    let plain = |(_, what): &&mut (&str, What)| matches!(what, What::Office(Request::Join { luck }) if luck.is_empty());
    let Some((at, words)) = spoken else { return };
    let Some((_, what)) = plan.iter_mut().find(plain) else { return };
    *what = What::Office(Request::Join { luck: words });
    plan[at].1 = What::Nothing;
}

/// A word to the office, with what politeness stands around it.
fn request(line: &str, writer: &Writer<'_>) -> Option<Request> {
    let read = |line: &str| match if writer.begun { said(line) } else { request_before(line) } {
        Request::Orders(_) => None,
        Request::Stop if !writer.waits => None,
        Request::Pause if !writer.begun => None,
        request => Some(request),
    };
    let asked = line.contains(['?', '？']);
    let request = read(line).or_else(|| {
        let phrase = Phrase::new(line);
        let left = peels(&phrase, &writer.names);
        left.iter().skip(1).filter(|left| left.words().len() <= 3).find_map(|left| read(left.text()))
    })?;
    // `I am back`, `Hi, back again`: somebody has come home.
    let taking = |text: &str| matches!(text, "back" | "take" | "it" | "that" | "please" | "pls");
    if request == Request::Back && !Phrase::new(line).words().iter().all(|word| taking(&word.text)) {
        return None;
    }
    (!asked || request.only_looks()).then_some(request)
}

/// Whether the line is the writer's own name, or its initials.
fn signs(phrase: &Phrase, writer: &Writer<'_>, others: bool, last: bool) -> bool {
    let words = phrase.words();
    let is_own = |text: &str| writer.own.iter().any(|own| own == text);
    let initial = |text: &str| text.chars().count() == 1 && writer.own.iter().any(|own| own.starts_with(text));
    let initials: String = writer.own.iter().filter_map(|own| own.chars().next()).collect();
    let own = words.iter().any(|word| is_own(&word.text))
        && words.iter().all(|word| is_own(&word.text) || initial(&word.text));
    let short = words.len() == 1 && words[0].text.len() > 1 && initials.starts_with(&words[0].text);
    others && words.len() <= 4 && (own || short && last)
}

/// The last of several lines is a letter with which its writer may sign. Behind orders he does; else it may be an option as well.
fn initial(plan: &mut Plan<'_>, writer: &Writer<'_>) {
    let lines = plan.len();
    let mut says = plan.iter_mut().enumerate().filter(|(_, (_, what))| !matches!(what, What::Nothing | What::Below));
    let Some((at, (_, last))) = says.next_back() else { return };
    let alone = says.next().is_none();
    let What::Orders(all) = last else { return };
    let [Clause { phrase, label: None, doubt }] = &mut all[..] else { return };
    if !writer.may_sign(phrase) {
        return;
    }
    if !alone {
        *last = What::Nothing;
    } else if lines > 1 && at + 1 == lines && phrase.text().starts_with(char::is_uppercase) {
        *doubt = doubt.or(Some(Doubt::Hedge));
    }
}

/// `1.`, `Question 1:` or the title of a question on a line of its own: what follows answers that question.
fn label_alone(line: &str, phrase: &Phrase, sheet: &Sheet) -> Option<Label> {
    if let Some(number) = sheet.titled(phrase) {
        return Some(Label::Number(number));
    }
    let (label, rest, marked) = label(phrase)?;
    let ends = line.trim_end().ends_with(['.', ':', ')', ']', '-', '–', '—']) || line.contains('#');
    match label {
        Label::Number(_) if rest == phrase.words().len() && (marked || ends || phrase.words().len() > 1) => Some(label),
        _ => None,
    }
}

/// `1: 2`: a question of the letter, a mark, and a number that is an answer.
fn numbers_answer(phrase: &Phrase, sheet: &Sheet, reads: &mut Reads<'_>) -> bool {
    match label(phrase) {
        Some((Label::Number(number), 1, true)) if phrase.words().len() == 2 => {
            sheet.numbered(number).is_some() && reads(&phrase.part(1..2)).is_ok()
        }
        _ => false,
    }
}

/// The label at the beginning of a phrase, how many words it has, and whether a mark parts it from what follows.
fn label(phrase: &Phrase) -> Option<(Label, usize, bool)> {
    const QUESTIONS: &[&str] = &["question", "prompt", "number", "nr", "item", "q", "to", "re", "answer"];
    const OPTIONS: &[&str] = &["option", "choice", "answer", "letter"];
    let words = phrase.words();
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut at = 0;
    // `no. 1b` is a number, `no 1b` refuses it.
    let numbers = |at: usize| QUESTIONS.contains(&text(at)) || text(at) == "no" && phrase.is_dotted(at);
    while at < 3 && (numbers(at) && !text(at + 1).is_empty() || text(at) == "for" && text(at + 1) == "question") {
        at += 1;
    }
    let named = at > 0;
    let optional = OPTIONS.contains(&text(at)) || at > 0 && OPTIONS.contains(&text(at - 1));
    if OPTIONS.contains(&text(at)) {
        at += 1;
    }
    let word = words.get(at)?;
    // `Q1`
    let bare = word.text.strip_prefix('q').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let text = bare.unwrap_or(&word.text);
    let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &text[..text.len() - letters.len()];
    let number = match number {
        "" => None,
        number => Some(number.parse::<u32>().ok().filter(|n| *n > 0)?),
    };
    let lettered = letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_lowercase());
    let single = letters.len() == 1 || optional || number.is_some();
    let label = match (number, letters) {
        (Some(number), "") => Label::Number(number),
        (number, letters) if lettered && !letters.is_empty() && single && (!named || optional || number.is_some()) => {
            Label::Letter(number, letters.to_owned())
        }
        _ => return None,
    };
    let end = words.get(at + 1).map(|next| next.start);
    let between: String = phrase.line().chars().skip(word.end).take(end.map_or(0, |end| end - word.end)).collect();
    let mark = between.trim();
    let only_marks = !mark.contains(['/', '&', '@']);
    // 10:30 is a time, 1.5 a number.
    let figures =
        between.len() == 1 && words.get(at + 1).is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
    // `1, 2` may be two answers.
    let listed = mark == "," && words.get(at + 1).is_some_and(|next| next.text.bytes().all(|b| b.is_ascii_digit()));
    if !only_marks || (figures || listed) && number.is_some() {
        return None;
    }
    let marked = !mark.is_empty() || named && matches!(label, Label::Number(_));
    Some((label, at + 1, marked))
}

/// The sentences of a line, and what stands behind its first colon.
fn parts(line: &str) -> Vec<String> {
    let mut all = sentences(line);
    all.extend(line.split_once(':').map(|(_, rest)| rest.to_owned()));
    all
}

/// The orders of one sentence of a line.
fn of_sentence(sentence: &str, line: &str, sheet: &Sheet, writer: &Writer<'_>, reads: &mut Reads<'_>) -> Vec<Clause> {
    if let Some((order, end)) = parted_end(sentence, writer) {
        let mut both = of_sentence(order, line, sheet, writer, reads);
        both.extend(of_sentence(end, line, sheet, writer, reads));
        return both;
    }
    let whole = Phrase::new(sentence);
    let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
    let asked = line.contains(['?', '？', '¿']).then_some(Doubt::Question);
    if whole.is_empty() {
        return match asked {
            Some(_) => vec![Clause { phrase: whole, label: None, doubt: asked }],
            None => Vec::new(),
        };
    }
    let one = |phrase: Phrase, label: Option<Label>| Clause { phrase, label, doubt: asked };
    // `Settle Nebraska (we need points there).`
    if !readable(&whole)
        && let Some(bare) = without_remark(sentence, writer.terms)
        && readable(&Phrase::new(&bare))
    {
        return vec![one(Phrase::new(&bare), None)];
    }
    // `1b; 2c`, `1b and 2c`
    let refs = several_options(&whole);
    if !refs.is_empty() {
        return refs.into_iter().map(|phrase| one(phrase, None)).collect();
    }
    // A line of the letter's own list is whole, whatever marks stand in it.
    if sheet.copied(&whole).is_some() {
        return vec![one(whole, None)];
    }
    if let Some((label, length, marked)) = label(&whole) {
        let rest = whole.part(length..whole.words().len());
        // `a: -` is a row of a list that is not chosen.
        if rest.is_empty()
            && sentence.trim_end().ends_with(['-', '–', '—', '✗', '✘', '❌'])
            && !sentence.trim_end().ends_with("->")
        {
            return Vec::new();
        }
        if rest.is_empty() {
            return vec![one(whole, None)];
        }
        // Where the letter has no such question it may be a name: `3a: 2909 > 2808` in a game in which a company is called 3A.
        let nowhere = matches!(label, Label::Letter(Some(number), _) if sheet.numbered(number).is_none());
        if nowhere && (readable(&whole) || reads(&whole).is_err_and(|understood| understood >= length)) {
            return vec![one(whole, None)];
        }
        // A piece may be called as an option is: `2i: 3412` where the second question has an option i.
        if let Label::Letter(Some(number), letters) = &label {
            let index = option_ref(&Phrase::new(&format!("option {letters}"))).and_then(|option| option.index());
            let says = match sheet.pick(Some(*number), index, letters) {
                Picked::One(_, words) => Phrase::new(&words).plain() == rest.plain(),
                _ => false,
            };
            let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
            if !says && !readable(&rest) && readable(&whole) {
                return vec![one(whole, None)];
            }
        }
        let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
        if is_silent(&rest) {
            return Vec::new();
        }
        // `a war party attacks` may begin with an article, `S. Dakota` with an initial; what stands before a colon or a bracket is a
        // label whatever it could be.
        let strict = matches!(label, Label::Number(_)) || after_label(&whole, length).contains([':', ')', ']']);
        if marked && strict || !readable(&whole) && readable(&rest) {
            let text = rest.text().to_owned();
            // `1: 3a: 2909` is one order too.
            let said = Phrase::new(&text);
            return if readable(&said) { vec![one(said, Some(label))] } else { of_clauses(&text, Some(label), asked) };
        }
    }
    if let Some((head, rest)) = sentence.split_once(':') {
        let head = Phrase::new(head);
        let kind = head.plain().replace(' ', "-");
        let label = sheet
            .titled(&head)
            .map(Label::Number)
            .or_else(|| writer.kinds.contains(&kind).then_some(Label::Kind(kind)));
        if label.is_some() && !Phrase::new(rest).is_empty() {
            // `movement: old: recover` is one order with a mark in it, also where its phase is to come.
            let said = Phrase::new(rest.trim());
            let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
            let parts = clauses(rest);
            if parts.len() > 1 && (readable(&said) || !parts.iter().any(readable)) {
                return vec![one(said, label)];
            }
            return of_clauses(rest, label, asked);
        }
        // `orange: 2 in denver, 1 in brazos`, `Hi, move h2: 2901 > 2902` is one order, with a mark in it.
        let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
        if readable(&whole) {
            return vec![one(whole, None)];
        }
        // `My order: …`, `Hi Bob: …`
        if is_telling(&head) || is_greeting(&head) || is_confirmation(&head) {
            return of_sentence(rest, line, sheet, writer, reads);
        }
        // So it is where reading stops behind the mark.
        let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
        if !readable(&head) && reads(&whole).is_err_and(|understood| understood > head.words().len()) {
            return vec![one(whole, None)];
        }
    }
    // `Return: Monday 30 November` tells when somebody is back.
    let dated = sentence.split_once(':').is_some_and(|(_, rest)| is_date(rest));
    let asked = asked.or(dated.then_some(Doubt::Hedge));
    let mut readable = |phrase: &Phrase| peels(phrase, &writer.names).iter().any(|left| reads(left).is_ok());
    of_clauses(sentence, None, asked).into_iter().flat_map(|clause| ended(clause, &mut readable)).collect()
}

/// `move 2 from canada to fort union, movement: done` as the order and what ends its kind of question.
fn parted_end<'s>(sentence: &'s str, writer: &Writer<'_>) -> Option<(&'s str, &'s str)> {
    let (head, end) = sentence.trim_end_matches(['.', '!', ' ']).rsplit_once(':')?;
    let (order, kind) = head.rsplit_once(',')?;
    let kind = Phrase::new(kind).plain().replace(' ', "-");
    let ends = Phrase::new(end).plain() == END && writer.kinds.contains(&kind) && !Phrase::new(order).is_empty();
    ends.then(|| (order, sentence[order.len() + 1..].trim()))
}

/// `move 2 purple from canada to fort union, done` is two orders: both can be read, and the clause as a whole cannot.
fn ended(clause: Clause, readable: &mut dyn FnMut(&Phrase) -> bool) -> Vec<Clause> {
    let words = clause.phrase.words().len();
    let last = clause.phrase.words().last().is_some_and(|word| word.text == END);
    if words < 2 || !last || readable(&clause.phrase) {
        return vec![clause];
    }
    let joint = clause.phrase.words()[words - 2].text == "and";
    let order = clause.phrase.part(0..words - 1 - usize::from(joint));
    let end = clause.phrase.part(words - 1..words);
    if order.is_empty() || !readable(&order) || !readable(&end) {
        return vec![clause];
    }
    let Clause { label, doubt, .. } = clause;
    vec![Clause { phrase: order, label, doubt }, Clause { phrase: end, label: None, doubt }]
}

/// What stands between a label of so many words and the words behind it.
fn after_label(phrase: &Phrase, length: usize) -> String {
    let words = phrase.words();
    let (start, end) = (words[length - 1].end, words.get(length).map_or(0, |next| next.start));
    phrase.line().chars().skip(start).take(end.saturating_sub(start)).collect()
}

fn of_clauses(text: &str, label: Option<Label>, asked: Option<Doubt>) -> Vec<Clause> {
    let mut label = label;
    let all = clauses(text).into_iter();
    all.map(|phrase| Clause { phrase, label: label.take(), doubt: asked }).collect()
}

/// Finds the lines that are no orders and leave orders open.
fn qualify(plan: &mut Plan<'_>, lines: &[Line<'_>], writer: &Writer<'_>, reads: &mut Reads<'_>) {
    let mut open: Option<(usize, Doubt)> = None;
    for at in 0..plan.len() {
        let goes_on = open.take().filter(|(before, _)| lines[at].no == lines[*before].no + 1);
        let What::Orders(all) = &plan[at].1 else { continue };
        let mut back = None;
        let mut within: Option<Doubt> = None;
        // `make it 4`, `correction: 10`: what stands behind it takes the place of something above.
        let whole = Phrase::new(lines[at].text);
        if plan[..at].iter().any(|(_, what)| matches!(what, What::Orders(_))) && replaces(&whole) {
            back = Some((0, Doubt::Retraction));
            within = Some(Doubt::Retraction);
        }
        for (place, clause) in all.iter().enumerate() {
            if peels(&clause.phrase, &writer.names).iter().any(|left| reads(left).is_ok()) {
                let before = place > 0 || plan[..at].iter().any(|(_, what)| matches!(what, What::Orders(_)));
                if before && corrects(&clause.phrase) {
                    back = Some((place, Doubt::Retraction));
                    within = within.or(Some(Doubt::Retraction));
                }
                continue;
            }
            let found = doubt_beside(&clause.phrase, writer.terms);
            // `If he catches us, ambush.` leaves open what it says itself, and nothing else.
            if found == Some(Doubt::Condition) && says_then_what(&clause.phrase, &writer.names, reads) {
                continue;
            }
            // `When my disc is drawn: play Red Cloud`: what stands behind the colon hangs on it, and no other line does.
            let opens =
                clause.phrase.words().first().is_some_and(|word| matches!(word.text.as_str(), "when" | "once" | "if"));
            if found == Some(Doubt::Condition)
                && opens
                && place == 0
                && clause.phrase.words().len() > 2
                && all.len() > 1
            {
                within = within.or(found);
                continue;
            }
            within = within.or(found);
            if looks_back(&clause.phrase) {
                back = Some((place, found.or(clause.doubt).unwrap_or(Doubt::Retraction)));
            }
        }
        if let Some((place, doubt)) = back {
            for (_, what) in &mut plan[..at] {
                mark(what, doubt);
            }
            within = within.or((place > 0).then_some(doubt));
        }
        if let Some(doubt) = within.or(goes_on.map(|(_, doubt)| doubt)) {
            mark(&mut plan[at].1, doubt);
            let ends = lines[at].text.trim_end().ends_with(['.', '!', '?', '？', '…', '。']);
            open = (!ends).then_some((at, doubt));
        }
    }
}

/// Leaves open all orders of a mail with a line that puts them off: `later:`, `for later`.
fn put_off(plan: &mut Plan<'_>, lines: &[Line<'_>]) {
    const LATER: &[&str] = &["later", "for later", "options"];
    let off = |line: &Line<'_>| {
        let text = line.text.trim().to_lowercase();
        let bare = text.trim_end_matches([':', '.', ' ']);
        let headed = text.split_once(':').is_some_and(|(head, _)| matches!(head.trim(), "later" | "for later"));
        LATER.contains(&bare) || headed
    };
    if lines.iter().any(off) {
        plan.iter_mut().for_each(|(_, what)| mark(what, Doubt::Hedge));
    }
}

/// Whether a condition comes with what is to be done then: an order behind a comma, which begins like one.
fn says_then_what(phrase: &Phrase, names: &[&str], reads: &mut Reads<'_>) -> bool {
    const OPENINGS: &[&str] = &["and", "but", "if", "when", "whenever", "once", "should", "in", "unless"];
    const GOES_ON: &[&str] = &["to", "into", "with", "in", "from", "at", "against", "by", "and", "or"];
    let words = phrase.words();
    let opens = words.first().is_some_and(|word| OPENINGS.contains(&word.text.as_str()));
    let behind = |at: &usize| words[*at].after_comma;
    opens
        // `if not, stay` looks back.
        && (3..words.len()).filter(behind).any(|at| {
            let then = phrase.part(at..words.len());
            !GOES_ON.contains(&words[at].text.as_str()) && peels(&then, names).iter().any(|left| reads(left).is_ok())
        })
}

impl GameSession {
    /// What the lines of a mail are.
    pub(super) fn planned<'m>(
        &mut self,
        seat: Seat,
        lines: &[Line<'m>],
        context: &Context,
    ) -> Result<Plan<'m>, OfficeError> {
        let (kinds, whose) = (self.kinds()?, seat);
        let words = |text: &str| Phrase::new(text).words().iter().map(|word| word.text.clone()).collect::<Vec<_>>();
        let mut own = Vec::new();
        if let Some(player) = self.seats.player(seat) {
            own.extend(words(&player.name));
            let local = player.address.split('@').next().unwrap_or_default();
            own.extend(words(&local.replace(['.', '_', '+'], " ")).into_iter().filter(|word| word.len() > 2));
        }
        let names = context.names.iter().map(String::as_str).collect();
        let waits = self.secrets.waiting.iter().any(|(whose, _)| *whose == seat);
        let (answers, terms) = (self.live.opened.ruleset.answers(), self.live.opened.ruleset.terms());
        let rules = self.live.opened.ruleset;
        let named = rules.by_turns().iter().flat_map(|rule| rule.breaks).flat_map(|&name| {
            let also = rules.facts().iter().filter(move |fact| fact.name == name).flat_map(|fact| fact.also);
            std::iter::once(name).chain(also.copied())
        });
        let breaks = named.collect();
        let seat = seat.to_string().to_lowercase();
        let writer =
            Writer { own, seat, names, begun: self.live.started.is_some(), kinds: &kinds, waits, terms, breaks };
        let mut reads = |phrase: &Phrase| {
            // Words of the game that answer a later question are no words about the others.
            let later = || answers.iter().any(|(_, all)| all.contains(&phrase.plain().as_str()));
            if option_ref(phrase).is_some() || context.sheet.copied(phrase).is_some() || later() {
                return Ok(());
            }
            self.read(whose, phrase).map(drop).map_err(|why| why.understood)
        };
        Ok(plan(lines, &writer, &context.sheet, &mut reads))
    }
}
