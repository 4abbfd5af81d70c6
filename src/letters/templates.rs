//! What the office writes: the texts of its mails, from templates that a host can replace.

use super::LetterError;
use super::text::{self, Row};
use crate::{
    mail::CUT_LINE_MARK,
    table::{Hosted, Listed, Ruleset, Seat, Told, Whom},
};
use crate::{
    replay::StoryLine,
    store::{Host, Players},
};
use fs_err as fs;
use minijinja::{Environment, Value, context, syntax::SyntaxConfig};
use serde::Serialize;

/// The built-in templates by name.
const TEMPLATES: [(&str, &str); 6] = [
    ("letter.txt", include_str!("../../templates/letter.txt")),
    ("question.txt", include_str!("../../templates/question.txt")),
    ("footer.txt", include_str!("../../templates/footer.txt")),
    ("invitation.txt", include_str!("../../templates/invitation.txt")),
    ("help.txt", include_str!("../../templates/help.txt")),
    ("spoken.txt", include_str!("../../templates/spoken.txt")),
];

/// Of a question that waits for an answer this many options are listed, of any other [`FEW_ROWS`].
const MANY_ROWS: usize = 40;
const FEW_ROWS: usize = 4;

/// The templates, ready for use.
pub struct Letters {
    env: Environment<'static>,
}

/// A question as a mail shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// Its number in this mail, from 1.
    pub no: usize,
    /// What is asked.
    pub title: String,
    /// The rule that asks; `-` for none.
    pub rule: String,
    /// What the reader needs to know.
    pub lines: Vec<String>,
    /// Until when it is to be answered; "" for no deadline.
    pub deadline: String,
    /// Whether the options are all there are.
    pub complete: bool,
    /// The options that are listed.
    pub rows: Vec<Row>,
    /// How many options are left out.
    pub more: usize,
}

/// A part of the story: lines under one heading.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Part {
    /// The Round or phase.
    pub under: String,
    /// What happened.
    pub lines: Vec<String>,
}

/// The order of a mail that was not carried out.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Failed {
    /// The order's line, and perhaps a line of marks below it.
    pub pointed: Vec<String>,
    /// What was wrong.
    pub why: String,
}

/// What became of the orders of a mail.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct OrderReport {
    /// The orders that were carried out.
    pub done: Vec<String>,
    /// The one that was not.
    pub failed: Option<Failed>,
    /// Those after it.
    pub left: Vec<String>,
    /// How many there were.
    pub total: usize,
}

/// The journal's head as a mail names it, whole: a copy of these lines is a receipt, wherever it was pasted
/// ([`super::evidence`] reads it back).
#[derive(Clone, Debug, Default, Serialize)]
pub struct HeadShown {
    /// The seat that the mail goes to.
    pub seat: String,
    /// n of the last line.
    pub n: u64,
    /// Its hash, 64 hex digits.
    pub hash: String,
    /// Its signature, 128 hex digits.
    pub signature: String,
    /// The service's public key, 64 hex digits.
    pub key: String,
}

/// A letter: what happened, where the seat stands, what is asked of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Letter {
    /// The game's id.
    pub game: String,
    /// The first sentences.
    pub opening: String,
    /// What became of the reader's orders, if this answers a mail of his.
    pub order_report: Option<OrderReport>,
    /// Remarks of the office, a paragraph each.
    pub notes: Vec<String>,
    /// Text that is laid out already: help, a preview.
    pub extra: String,
    /// Whether the reader has had no letter of this game before.
    pub first_mail: bool,
    /// What happened since his last letter.
    pub since: Vec<Part>,
    /// The final ranking.
    pub outcome: String,
    /// His view of the game.
    pub view: String,
    /// What waits for him.
    pub asked: Vec<Question>,
    /// What is open to him although nothing waits.
    pub open: Vec<Question>,
    /// Orders that he could send back.
    pub examples: Vec<String>,
    /// An answer by number and letter.
    pub lettered: String,
    /// Whether the game is over.
    pub over: bool,
    /// Cards of his that are hidden from others; in an answer to a mail only those that came since his last letter.
    pub cards: Vec<CardShown>,
    /// The journal's head.
    pub head: HeadShown,
}

/// A card of the reader's hand, with what he needs to check it against the journal (section 7).
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct CardShown {
    /// Deck, epoch and position.
    pub place: String,
    /// The card's id.
    pub name: String,
    /// Its salt.
    pub salt: String,
}

/// An invitation.
#[derive(Clone, Debug, Serialize)]
pub struct Invitation {
    /// The game's id.
    pub game: String,
    /// The ruleset's title.
    pub title: String,
    /// Whom it invites.
    pub name: String,
    /// Whether he has joined already.
    pub joined: bool,
    /// Who else.
    pub players: Vec<Invited>,
    /// Scenario and options, a line each.
    pub options: Vec<String>,
    /// The journal's head.
    pub head: HeadShown,
}

/// One of the players of an [`Invitation`].
#[derive(Clone, Debug, Serialize)]
pub struct Invited {
    /// His seat.
    pub seat: String,
    /// His name.
    pub name: String,
    /// Whether he is the reader.
    pub you: bool,
    /// Whether he has joined.
    pub joined: bool,
}

impl Letters {
    /// Loads the templates: the host's own where there are some, else the built-in ones.
    ///
    /// # Errors
    /// [`LetterError`] when a template of the host's cannot be read or is malformed.
    pub fn load(host: &Host) -> Result<Letters, LetterError> {
        let mut letters =
            Letters { env: environment().map_err(|error| LetterError::Template { name: "syntax".to_owned(), error })? };
        for (name, built_in) in TEMPLATES {
            letters.add(host, name, built_in)?;
        }
        Ok(letters)
    }

    /// Adds the templates of a ruleset's views and of its end, under the names `view-<ruleset>.txt` and `end-<ruleset>.txt`.
    ///
    /// # Errors
    /// [`LetterError`] when one is malformed.
    pub fn add_view(&mut self, host: &Host, ruleset: &dyn Ruleset) -> Result<(), LetterError> {
        self.add(host, &view_name(ruleset), ruleset.view_template())?;
        ruleset.end_template().map_or(Ok(()), |template| self.add(host, &end_name(ruleset), template))
    }

    fn add(&mut self, host: &Host, name: &str, built_in: &str) -> Result<(), LetterError> {
        let own = host.settings.templates.as_ref().map(|folder| host.root().join(folder).join(name));
        let text = match own {
            Some(path) if path.try_exists()? => fs::read_to_string(path)?,
            _ => built_in.to_owned(),
        };
        self.env
            .add_template_owned(name.to_owned(), text)
            .map_err(|error| LetterError::Template { name: name.to_owned(), error })
    }

    /// Shows a view as text, with the players' names written into it. The template knows it as `view`, and the players' names
    /// by the letters of their seats as `names`.
    ///
    /// # Errors
    /// [`LetterError`] when the template breaks down.
    pub fn view(
        &self,
        ruleset: &dyn Ruleset,
        mut view: serde_json::Value,
        seats: &Players,
    ) -> Result<String, LetterError> {
        seats.name_all(&mut view);
        self.render(&view_name(ruleset), &serde_json::json!({ "view": view, "names": names(seats) }))
    }

    /// Tells how a game has ended, by its ruleset's template or else member by member.
    ///
    /// # Errors
    /// [`LetterError`] when the template breaks down.
    pub fn ending(&self, ruleset: &dyn Ruleset, hosted: &dyn Hosted, seats: &Players) -> Result<String, LetterError> {
        if ruleset.end_template().is_none() {
            let mut outcome = hosted.outcome().unwrap_or_default();
            seats.name_outcome(&mut outcome);
            let lines = text::plain(&outcome);
            return Ok(lines.lines().map(|line| text::fill(line, "  ", "    ")).collect::<Vec<_>>().join("\n"));
        }
        let end = hosted.ending().unwrap_or_default();
        let text = self.render(&end_name(ruleset), &serde_json::json!({ "end": end, "names": names(seats) }))?;
        Ok(text.trim_end().to_owned())
    }

    /// Renders a template.
    ///
    /// # Errors
    /// [`LetterError`] when it breaks down.
    pub fn render(&self, name: &str, values: &impl Serialize) -> Result<String, LetterError> {
        let broken = |error| LetterError::Template { name: name.to_owned(), error };
        let values = serde_json::to_value(values)?;
        let text = self.env.get_template(name).and_then(|t| t.render(jinja(&values))).map_err(broken)?;
        Ok(tidy(&text))
    }

    /// The answer to `help` alone.
    ///
    /// # Errors
    /// [`LetterError`] when the template breaks down.
    pub fn help(&self, kinds: &[String]) -> Result<String, LetterError> {
        let kinds = kinds.join(", ");
        let broken = |error| LetterError::Template { name: "help.txt".to_owned(), error };
        let text = self.env.get_template("help.txt").and_then(|t| t.render(context! { kinds })).map_err(broken)?;
        Ok(tidy(&text))
    }
}

/// What templates are rendered in: their syntax, and the filters and functions that they have beyond minijinja's own.
pub(crate) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut env = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    env.set_syntax(syntax?);
    // Mails are plain text, whatever a template is called.
    env.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    env.add_filter("fill", fill);
    env.add_filter("table", table);
    env.add_function("wrap", wrap);
    env.add_global("cut_mark", CUT_LINE_MARK);
    Ok(env)
}

fn view_name(ruleset: &dyn Ruleset) -> String {
    format!("view-{}.txt", ruleset.name())
}

fn end_name(ruleset: &dyn Ruleset) -> String {
    format!("end-{}.txt", ruleset.name())
}

/// The players' names by the letters of their seats.
fn names(seats: &Players) -> serde_json::Map<String, serde_json::Value> {
    seats.players.iter().map(|player| (player.seat.to_string(), player.name.clone().into())).collect()
}

/// Templates may leave blanks at line ends and too many blank lines.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if blank > 0 && !out.is_empty() {
            out.push('\n');
        }
        blank = 0;
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn fill(text: &str, first: Option<String>, rest: Option<String>) -> String {
    let first = first.unwrap_or_default();
    let rest = rest.unwrap_or_else(|| " ".repeat(first.chars().count()));
    text::fill(text, &first, &rest)
}

/// The head as it stands, then the words of the text; lines after the first have so many blanks before them.
#[expect(clippy::needless_pass_by_value)]
fn wrap(head: String, text: Value, indent: usize) -> String {
    text::fill(&text.to_string(), &head, &" ".repeat(indent))
}

// Filters are given their values.
#[expect(clippy::needless_pass_by_value)]
fn table(rows: Value) -> Result<String, minijinja::Error> {
    let text = |row: &Value, member: &str| row.get_attr(member).map(|value| value.to_string());
    let row =
        |row: Value| Ok(Row { letter: text(&row, "letter")?, words: text(&row, "words")?, note: text(&row, "note")? });
    Ok(text::table(&rows.try_iter()?.map(row).collect::<Result<Vec<_>, minijinja::Error>>()?))
}

/// JSON as templates take it.
pub(crate) fn jinja(value: &serde_json::Value) -> Value {
    use serde_json::Value as J;
    match value {
        J::Null => ().into(),
        J::Bool(truth) => (*truth).into(),
        J::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        J::String(text) => text.as_str().into(),
        J::Array(items) => items.iter().map(jinja).collect::<Vec<_>>().into(),
        J::Object(members) => Value::from_pairs(members.iter().map(|(key, item)| (key.as_str(), jinja(item)))),
    }
}

/// The questions open to a seat in the order in which mails number them: those that the game waits for, then the others.
/// A numbered answer is understood by the same list.
pub fn questions(hosted: &mut dyn Hosted, seat: Seat) -> Result<Vec<Listed>, LetterError> {
    let mut asked: Vec<_> = hosted.asked()?.into_iter().filter(|asked| asked.seat == seat).collect();
    asked.sort_by_key(|asked| (!asked.required, !asked.urgent));
    let mut listed = Vec::with_capacity(asked.len());
    for one in asked {
        listed.extend(hosted.listed(one.id)?);
    }
    Ok(listed)
}

/// Questions as a mail shows them: those that wait, and the others.
pub fn shown(questions: &[Listed], seats: &Players) -> (Vec<Question>, Vec<Question>) {
    let (mut asked, mut open) = (Vec::new(), Vec::new());
    for (i, listed) in questions.iter().enumerate() {
        let most = if listed.asked.required || listed.asked.urgent { MANY_ROWS } else { FEW_ROWS };
        let most = listed.text.enough.map_or(most, |enough| enough.min(most));
        let row = |(i, choice): (usize, &crate::table::Choice<crate::table::AnyOrder>)| Row {
            letter: text::letter(i),
            words: seats.named(&choice.words),
            note: seats.named(&choice.note),
        };
        let question = Question {
            no: i + 1,
            title: seats.named(&listed.text.title),
            rule: listed.text.rule.to_owned(),
            lines: listed.text.lines.iter().map(|line| seats.named(line)).collect(),
            deadline: String::new(),
            complete: listed.text.complete,
            rows: listed.choices.iter().take(most).enumerate().map(row).collect(),
            more: if listed.text.complete { listed.choices.len().saturating_sub(most) } else { 0 },
        };
        if listed.asked.required { asked.push(question) } else { open.push(question) }
    }
    (asked, open)
}

/// What journal lines after `after` tell a seat (or a spectator), under the headings under which it was told.
pub fn story(lines: &[StoryLine], seat: Option<Seat>, after: Option<u64>, seats: &Players) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let news = lines.iter().filter(|line| after.is_none_or(|n| line.n > n)).map(|line| &line.told);
    for told in news.filter(|told| may_read(told, seat)) {
        let line = seats.named(&told.line);
        let under = seats.named(&told.under);
        match parts.last_mut() {
            Some(part) if part.under == under => part.lines.push(line),
            _ => parts.push(Part { under, lines: vec![line] }),
        }
    }
    parts
}

fn may_read(told: &Told, seat: Option<Seat>) -> bool {
    match told.whom {
        Whom::All => true,
        Whom::Seat(whose) => seat == Some(whose),
    }
}
