//! The letters of the office as trees of blocks, arranged by templates that a host can replace.

use super::{
    About, Block, CardShown, Column, HeadShown, LetterError, OrderReport, Part, Question, QuestionOption, Section,
    Sentence, Table, records,
};
use fs_err as fs;
use minijinja::{
    Environment, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
    value::{Enumerator, Object, ObjectExt},
};
use postrider_orders::option_letter;
use postrider_replay::StoryLine;
use postrider_store::{Host, Players};
use postrider_table::{DynGame, Listed, Outcome, Ruleset, Seat, Told, Whom};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The built-in templates, by name.
const TEMPLATES: [(&str, &str); 5] = [
    ("letter.txt", include_str!("../../templates/letter.txt")),
    ("footer.txt", include_str!("../../templates/footer.txt")),
    ("invitation.txt", include_str!("../../templates/invitation.txt")),
    ("help.txt", include_str!("../../templates/help.txt")),
    ("spoken.txt", include_str!("../../templates/spoken.txt")),
];

/// Maximum number of options listed for a question that the game waits for or that is urgent; for
/// any other question it is [`FEW_ROWS`].
const MANY_ROWS: usize = 40;
const FEW_ROWS: usize = 4;

/// The templates. Those of the host are parsed when they are loaded, the built-in ones when they
/// are first used.
pub struct Letters {
    env: Environment<'static>,
    built_in: Arc<Mutex<BTreeMap<String, &'static str>>>,
}

/// A letter: the events, the position, and the questions to the seat.
#[derive(Clone, Debug, Default)]
pub struct Letter {
    /// The game's id.
    pub game: String,
    /// The first sentences.
    pub opening: String,
    /// The results of the reader's orders, if this answers a mail of the reader.
    pub order_report: Option<OrderReport>,
    /// Remarks of the office, one paragraph each.
    pub notes: Vec<String>,
    /// `true` if the remarks are the whole answer to a mail of the reader; then they come first.
    pub notes_first: bool,
    /// The information that the reader asked for: help, a preview.
    pub told: Vec<Section>,
    /// Other content, such as a report of a rewind.
    pub extra: Vec<Section>,
    /// `true` if the events begin before the reader's last letter, or there was none.
    pub from_before: bool,
    /// The events since the reader's last letter, or since an earlier time.
    pub since: Vec<Part>,
    /// The final ranking.
    pub outcome: Vec<Section>,
    /// The reader's view of the game.
    pub view: Vec<Section>,
    /// `true` if the text contains the whole view instead of the brief one.
    pub in_full: bool,
    /// `true` if the HTML contains it too.
    pub html_in_full: bool,
    /// The view in a line or two.
    pub brief: Vec<Section>,
    /// The questions that the game waits for.
    pub asked: Vec<Question>,
    /// A standing order offered for the first question.
    pub offered: Vec<Section>,
    /// Optional questions that the reader may want to answer now.
    pub urgent: Vec<Question>,
    /// Other optional questions; a letter without the whole view shows only their titles.
    pub open: Vec<Question>,
    /// The description of the attached picture; "" without one.
    pub picture: String,
    /// The player that the game waits for, if not the reader.
    pub awaited: String,
    /// An example of an answer by number and letter.
    pub lettered: String,
    /// `true` if the game is over.
    pub over: bool,
    /// `true` if the reader is a spectator.
    pub watches: bool,
    /// `true` for a director, who is not asked anything.
    pub directs: bool,
    /// The reader's cards that are hidden from others; in an answer to a mail, only those dealt
    /// since the reader's last letter.
    pub cards: Vec<CardShown>,
    /// The journal's head.
    pub head: HeadShown,
}

/// An invitation.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The game's id.
    pub game: String,
    /// The ruleset's title.
    pub title: String,
    /// The name of the player invited.
    pub name: String,
    /// The person or service that invites.
    pub host: String,
    /// `true` if the reader has joined already.
    pub joined: bool,
    /// All players.
    pub players: Vec<Invited>,
    /// The winning condition and the length of the game, one paragraph each.
    pub about: Vec<String>,
    /// The scenario and options, one per line.
    pub options: Vec<String>,
    /// The journal's head.
    pub head: HeadShown,
}

/// One of the players of an [`Invitation`].
#[derive(Clone, Debug)]
pub struct Invited {
    /// The seat.
    pub seat: String,
    /// The name.
    pub name: String,
    /// The side; "" if sides are assigned during the game.
    pub side: String,
    /// `true` if this is the reader.
    pub you: bool,
    /// `true` if the player has joined.
    pub joined: bool,
}

/// The data of a view for templates, with the players' names filled in. Templates use the variables
/// `view`, and `names` for the players' names by seat letter.
pub struct View(Value);

impl View {
    /// Creates it from the view of a seat or a spectator.
    #[must_use]
    pub fn of(mut view: serde_json::Value, seats: &Players) -> View {
        seats.name_all(&mut view);
        View(context! { view => jinja(view), names => names(seats) })
    }
}

impl Letters {
    /// Loads the templates: those of the host if present, otherwise the built-in ones.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if a template of the host cannot be read or is malformed.
    pub fn load(host: &Host) -> Result<Letters, LetterError> {
        let env = environment().map_err(|error| LetterError::Template { name: "syntax".to_owned(), error })?;
        let mut letters = Letters { env, built_in: Arc::default() };
        let built_in = letters.built_in.clone();
        letters.env.set_loader(move |name| Ok(known(&built_in).get(name).copied()));
        for (name, built_in) in TEMPLATES {
            letters.add(host, name, built_in)?;
        }
        Ok(letters)
    }

    /// Adds a ruleset's templates for the whole view, the brief view and the ending, under the
    /// names `view-<ruleset>.txt`, `brief-<ruleset>.txt` and `end-<ruleset>.txt`.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if one is malformed.
    pub fn add_view(&mut self, host: &Host, ruleset: &dyn Ruleset) -> Result<(), LetterError> {
        self.add(host, &view_name(ruleset), ruleset.view_template())?;
        if let Some(template) = ruleset.brief_template() {
            self.add(host, &brief_name(ruleset), template)?;
        }
        ruleset.end_template().map_or(Ok(()), |template| self.add(host, &end_name(ruleset), template))
    }

    fn add(&mut self, host: &Host, name: &str, built_in: &'static str) -> Result<(), LetterError> {
        let own = host.settings.templates.as_ref().map(|folder| host.root().join(folder).join(name));
        match own {
            Some(path) if path.try_exists()? => self
                .env
                .add_template_owned(name.to_owned(), fs::read_to_string(path)?)
                .map_err(|error| LetterError::Template { name: name.to_owned(), error }),
            _ => {
                known(&self.built_in).insert(name.to_owned(), built_in);
                Ok(())
            }
        }
    }

    /// Renders a view.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if the template fails.
    pub fn view(&self, ruleset: &dyn Ruleset, view: &View) -> Result<Vec<Section>, LetterError> {
        self.arrange(&view_name(ruleset), view.0.clone())
    }

    /// Renders a summary of a seat's position in a line or two; empty if the ruleset has no
    /// template for it.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if the template fails.
    pub fn brief(&self, ruleset: &dyn Ruleset, view: &View) -> Result<Vec<Section>, LetterError> {
        match ruleset.brief_template() {
            Some(_) => self.arrange(&brief_name(ruleset), view.0.clone()),
            None => Ok(Vec::new()),
        }
    }

    /// Renders the end of a game: its outcome, and the text of the ruleset's template.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if the template fails.
    pub fn ending(
        &self,
        ruleset: &dyn Ruleset,
        outcome: Option<&Outcome>,
        dyn_game: &dyn DynGame,
        seats: &Players,
    ) -> Result<Vec<Section>, LetterError> {
        // A game that was abandoned before it began has no outcome.
        let Some(outcome) = outcome else { return Ok(Vec::new()) };
        let named = |seat| seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
        let mut sections = super::outcome(outcome, named);
        if let (Some(_), Some(end)) = (ruleset.end_template(), dyn_game.ending()) {
            sections.extend(self.arrange(&end_name(ruleset), context! { end => jinja(end), names => names(seats) })?);
        }
        Ok(sections)
    }

    /// Renders a letter about the game.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if its template fails.
    pub fn letter(&self, letter: &Letter) -> Result<Vec<Section>, LetterError> {
        self.arrange("letter.txt", letter.values()?)
    }

    /// Renders the answer to orders given on the command line.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if its template fails.
    pub fn spoken(&self, letter: &Letter) -> Result<Vec<Section>, LetterError> {
        self.arrange("spoken.txt", letter.values()?)
    }

    /// Renders an invitation.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if its template fails.
    pub fn invitation(&self, invitation: &Invitation) -> Result<Vec<Section>, LetterError> {
        self.arrange("invitation.txt", invitation.values()?)
    }

    /// Returns the reader's hidden cards with their salts, and the head that they belong to. This
    /// goes with a letter as an attachment that proves the hand wherever it is kept.
    pub fn seals(letter: &Letter) -> Vec<Section> {
        vec![
            Section::headed("YOUR HIDDEN CARDS, as the journal has sealed them", [Block::Seals(letter.cards.clone())]),
            Section::of([Block::SignedHead(letter.head.clone())]),
        ]
    }

    /// Renders the answer to a bare `help`.
    ///
    /// # Errors
    ///
    /// Returns [`LetterError`] if the template fails.
    pub fn help(&self, kinds: &[String]) -> Result<Vec<Section>, LetterError> {
        self.arrange("help.txt", context! { kinds => kinds.join(", ") })
    }

    /// Renders a template with these values.
    fn arrange(&self, name: &str, values: Value) -> Result<Vec<Section>, LetterError> {
        let broken = |error| LetterError::Template { name: name.to_owned(), error };
        let text = self.env.get_template(name).and_then(|t| t.render(values)).map_err(broken)?;
        records::read(&text).map_err(broken)
    }
}

impl Letter {
    /// Returns the variables of `letter.txt` and `spoken.txt`: blocks to place, and words.
    fn values(&self) -> Result<Value, LetterError> {
        let blocks = |blocks: Vec<Block>| records::write(&[Section::of(blocks)]);
        let questions = |questions: &[Question]| blocks(questions.iter().cloned().map(Block::Question).collect());
        let story =
            (!self.since.is_empty()).then(|| Block::Story { parts: self.since.clone(), level: 0, whole: false });
        let failed = self.order_report.as_ref().is_some_and(|report| report.failed.is_some());
        Ok(context! {
            game => &self.game,
            opening => clean(&self.opening),
            carried_out => self.order_report.as_ref().map(carried_out).unwrap_or_default(),
            order_report => blocks(self.order_report.clone().map(Block::OrderReport).into_iter().collect())?,
            notes => self.notes.iter().map(|note| clean(note)).collect::<Vec<_>>(),
            failed,
            notes_first => self.notes_first || failed,
            told => records::write(&self.told)?,
            extra => records::write(&self.extra)?,
            from_before => self.from_before,
            since => blocks(story.into_iter().collect())?,
            outcome => records::write(&self.outcome)?,
            view => records::write(&self.view)?,
            brief => records::write(&self.brief)?,
            asked => questions(&self.asked)?,
            offered => records::write(&self.offered)?,
            urgent => questions(&self.urgent)?,
            open => questions(&self.open)?,
            open_titles => titles(&self.open),
            in_full => self.in_full,
            html_in_full => self.html_in_full,
            picture => clean(&self.picture),
            awaited => clean(&self.awaited),
            lettered => &self.lettered,
            over => self.over,
            watches => self.watches,
            directs => self.directs,
            head => blocks(vec![Block::SignedHead(self.head.clone())])?,
        })
    }
}

/// Lists questions by their titles and rules.
fn titles(questions: &[Question]) -> String {
    let titles: Vec<String> =
        questions.iter().map(|question| clean(&titled(&question.title, &question.rule))).collect();
    titles.join("; ")
}

/// Formats the title of a question, with its rule if it has one.
pub(crate) fn titled(title: &str, rule: &str) -> String {
    if matches!(rule, "" | "-") { title.to_owned() } else { format!("{title} (rule {rule})") }
}

/// Describes the number of orders executed, if not all were.
fn carried_out(report: &OrderReport) -> String {
    match (&report.failed, report.done.len()) {
        (None, _) => String::new(),
        (Some(_), 0) => "Nothing was carried out.".to_owned(),
        (Some(_), 1) => format!("1 of your {} orders was carried out.", report.total),
        (Some(_), done) => format!("{done} of your {} orders were carried out.", report.total),
    }
}

impl Invitation {
    /// Returns the variables of `invitation.txt`.
    fn values(&self) -> Result<Value, LetterError> {
        let mut players = Table::new(1, [const { Column { head: String::new(), right: false } }; 4]);
        for Invited { seat, name, side, you, joined } in &self.players {
            let about = match (*you, *joined) {
                (true, true) => "(you) has joined",
                (true, false) => "(you)",
                (false, true) => "has joined",
                (false, false) => "",
            };
            players.row([seat.clone(), name.clone(), side.clone(), about.to_owned()]);
        }
        Ok(context! {
            game => &self.game,
            title => &self.title,
            name => clean(&self.name),
            host => clean(&self.host),
            joined => self.joined,
            players => records::write(&[Section::of([Block::Table(players)])])?,
            about => self.about.iter().map(|about| clean(about)).collect::<Vec<_>>(),
            options => self.options.iter().map(|option| clean(option)).collect::<Vec<_>>(),
            service_key => &self.head.key,
            head => records::write(&[Section::of([Block::SignedHead(self.head.clone())])])?,
        })
    }
}

/// Locks the built-in templates. A poisoned lock is ignored, because the map is always valid.
fn known<'m>(templates: &'m Mutex<BTreeMap<String, &'static str>>) -> MutexGuard<'m, BTreeMap<String, &'static str>> {
    templates.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prepares a text for templates: record separators are removed, so that no player can write a
/// block.
fn clean(text: &str) -> String {
    text.replace(records::SEPARATOR, " ")
}

/// Creates the environment of templates: their syntax, and the functions beyond those of minijinja.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut env = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    env.set_syntax(syntax?);
    // An undefined name is an error instead of an empty place in a letter; `if` may test for it.
    env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    // Mails are plain text, whatever the name of the template.
    env.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    records::add_functions(&mut env);
    Ok(env)
}

/// Renders the text of a template with these values.
#[cfg(any(test, feature = "testing"))]
pub fn arranged(template: &str, values: &serde_json::Value) -> Result<Vec<Section>, minijinja::Error> {
    records::read(&environment()?.render_str(template, jinja(values.clone()))?)
}

fn view_name(ruleset: &dyn Ruleset) -> String {
    format!("view-{}.txt", ruleset.name())
}

fn brief_name(ruleset: &dyn Ruleset) -> String {
    format!("brief-{}.txt", ruleset.name())
}

fn end_name(ruleset: &dyn Ruleset) -> String {
    format!("end-{}.txt", ruleset.name())
}

/// Returns the players' names by seat letter.
fn names(seats: &Players) -> Value {
    Value::from_pairs(seats.players.iter().map(|player| (player.seat.to_string(), clean(&player.name))))
}

/// Converts JSON to a template value.
fn jinja(value: serde_json::Value) -> Value {
    use serde_json::Value as J;
    match value {
        J::Null => ().into(),
        J::Bool(truth) => truth.into(),
        J::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        J::String(text) if text.contains(records::SEPARATOR) => clean(&text).into(),
        J::String(text) => text.into(),
        J::Array(items) => items.into_iter().map(jinja).collect::<Vec<_>>().into(),
        J::Object(members) => {
            let mut members: Vec<(String, Value)> =
                members.into_iter().map(|(name, item)| (name, jinja(item))).collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::from_object(Members(members))
        }
    }
}

/// The members of a JSON object, sorted by name. Views consist of thousands of them, and lookups by
/// name are by far the most frequent operation of templates.
#[derive(Debug)]
struct Members(Vec<(String, Value)>);

impl Object for Members {
    fn get_value(self: &Arc<Self>, name: &Value) -> Option<Value> {
        self.get_value_by_str(name.as_str()?)
    }
    fn get_value_by_str(self: &Arc<Self>, wanted: &str) -> Option<Value> {
        let at = self.0.binary_search_by(|(name, _)| name.as_str().cmp(wanted)).ok()?;
        Some(self.0[at].1.clone())
    }
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.mapped_rev_enumerator(|this| Box::new(this.0.iter().map(|(name, _)| Value::from(name.as_str()))))
    }
    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.0.len())
    }
}

/// Returns the open questions of a seat in the order in which mails number them: those that the
/// game waits for, then the others. Options that end an action are moved to the end of the listed
/// options of each question. Answers by number are resolved with the same list.
pub fn questions(ruleset: &dyn Ruleset, dyn_game: &dyn DynGame, seat: Seat) -> Result<Vec<Listed>, LetterError> {
    let mut asked: Vec<_> = dyn_game.asked()?.into_iter().filter(|asked| asked.seat == seat).collect();
    asked.sort_by_key(|asked| (!asked.required, !asked.urgent));
    let mut listed = Vec::with_capacity(asked.len());
    for one in asked {
        listed.extend(dyn_game.listed(one.id)?);
    }
    for one in &mut listed {
        let (ending, mut others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut one.choices).into_iter().partition(|choice| ends_action(ruleset, &choice.words));
        let at = most_rows(one).saturating_sub(ending.len()).min(others.len());
        others.splice(at..at, ending);
        one.choices = others;
    }
    Ok(listed)
}

/// Returns `true` if an order ends an action, such as `done`: no other answer to the same question
/// can follow it.
pub fn ends_action(ruleset: &dyn Ruleset, words: &str) -> bool {
    ruleset.enough().contains(&words) || ruleset.by_turns().iter().any(|by_turns| by_turns.pass == words)
}

/// Returns the maximum number of options to list for a question.
fn most_rows(listed: &Listed) -> usize {
    let most = if listed.asked.required || listed.asked.urgent { MANY_ROWS } else { FEW_ROWS };
    listed.text.enough.map_or(most, |enough| enough.min(most))
}

/// Converts questions to the form shown in a mail: those that the game waits for, and the others.
pub fn shown(questions: &[Listed], seats: &Players) -> (Vec<Question>, Vec<Question>) {
    let (mut asked, mut open) = (Vec::new(), Vec::new());
    for (i, listed) in questions.iter().enumerate() {
        let most = most_rows(listed);
        let row = |(i, choice): (usize, &postrider_table::Choice<postrider_table::AnyOrder>)| QuestionOption {
            letter: option_letter(i),
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
            options: listed.choices.iter().take(most).enumerate().map(row).collect(),
            more: if listed.text.complete { listed.choices.len().saturating_sub(most) } else { 0 },
            drawing: listed.text.drawing.clone(),
        };
        if listed.asked.required { asked.push(question) } else { open.push(question) }
    }
    (asked, open)
}

/// The reader of a story, with the data to decide which sentences are about this reader, in
/// addition to those that name the player.
#[derive(Clone, Copy)]
pub struct Reader<'r> {
    /// The reader's seat; `None` for a spectator.
    pub seat: Option<Seat>,
    /// The reader's pieces, by the names used in the story.
    pub pieces: &'r [String],
    /// Returns `true` if the journal line with this number is a decision of the reader; everything
    /// that it caused is about the reader.
    pub decided: &'r dyn Fn(u64) -> bool,
}

impl Reader<'_> {
    /// Creates a reader with a seat and no other data.
    pub fn at(seat: Option<Seat>) -> Reader<'static> {
        Reader { seat, pieces: &[], decided: &|_| false }
    }

    fn about(&self, n: u64, told: &Told, seats: &Players) -> About {
        match self.seat {
            Some(seat) if matches!(told.whom, Whom::Seat(_)) || is_named(&told.line, &format!("@{seat}")) => {
                About::Reader
            }
            Some(_) if (self.decided)(n) || self.pieces.iter().any(|name| is_named(&told.line, name)) => About::Reader,
            _ if seats.named_at(n, &told.line) != told.line => About::Player,
            _ => About::Table,
        }
    }
}

/// Returns the story after the line `after`, as far as a reader may see it, under its headings.
pub fn story(lines: &[StoryLine], reader: Reader<'_>, after: Option<u64>, seats: &Players) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for StoryLine { n, told } in lines.iter().filter(|line| after.is_none_or(|n| line.n > n)) {
        if !may_read(told, reader.seat) {
            continue;
        }
        let line = Sentence { text: seats.named_at(*n, &told.line), about: reader.about(*n, told, seats) };
        let under = seats.named_at(*n, &told.under);
        match parts.last_mut() {
            Some(part) if part.under == under => part.lines.push(line),
            _ => parts.push(Part { under, lines: vec![line] }),
        }
    }
    parts
}

/// Returns `true` if a line of the story, in which players are `@A`, `@B` …, contains this name as
/// a whole word.
fn is_named(line: &str, name: &str) -> bool {
    let whole = |at: usize| {
        !line[at + name.len()..].starts_with(char::is_alphanumeric) && !line[..at].ends_with(char::is_alphanumeric)
    };
    !name.is_empty() && line.match_indices(name).any(|(at, _)| whole(at))
}

fn may_read(told: &Told, seat: Option<Seat>) -> bool {
    match told.whom {
        Whom::All => true,
        Whom::Seat(whose) => seat == Some(whose),
    }
}
