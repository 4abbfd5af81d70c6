//! A letter to a player: the results of the player's mail, the news, and the open questions.

use crate::{
    error::OfficeError,
    game::{Game, clock, data, map, page, undoing},
    post::{due::Due, heading},
    services::Services,
    transaction::reply::Reply,
};
use postrider_drawing::Picture;
use postrider_letters as letters;
use postrider_letters::{
    Block, Letter, Letters, Question, Section, View, capital,
    html::{self, AnswerTo},
    text::{self, Length},
};
use postrider_mail::{Attached, Content, Token};
use postrider_orders::{spelt, visible};
use postrider_replay::marks::called;
use postrider_store::{LetterLength, OutgoingLetter, Player, Written, answered_by};
use postrider_table::{Asked, Listed, PromptId, Seat};

/// The maximum number of lines of a letter with a question but without the whole position.
const QUESTION_LINES: usize = 45;

/// The maximum number of lines of an answer to a mail after which there is no new question.
const FOLLOW_UP_LINES: usize = 25;

/// The legend of a map's arrows.
const WAYS: &str =
    "On the map blue arrows show planned moves (a dot: where a unit enters), red ones attacks, and dashed lines fire.";

/// The name of the file with the salts of a player's hidden cards.
const SEALS: &str = "seals.txt";

/// The name of the file with all data about a player.
const DATA: &str = "my-data.json";

/// The maximum size of that file, in bytes. A larger one omits the mails.
const MOST_DATA: usize = 2_000_000;

/// The extent of a letter.
struct Shape {
    /// The reader asked for the position.
    status: bool,
    /// There is news, or the position was requested.
    fresh: bool,
    /// The answered mail had no effect.
    nothing_done: bool,
    /// It only answers queries such as `help`.
    help_alone: bool,
    /// It contains the whole position.
    in_full: bool,
    /// The length that the reader prefers.
    length: LetterLength,
}

impl Shape {
    fn of(game: &Game, seat: Seat, old: &Written, due: &Due, reply: Option<&Reply>) -> Shape {
        let done = |reply: &Reply| reply.order_report.as_ref().is_some_and(|report| !report.done.is_empty());
        let status = reply.is_some_and(|reply| reply.status);
        let fresh = due.is_news() || status;
        let length = game.pace(seat).letters;
        Shape {
            status,
            fresh,
            nothing_done: reply.is_some_and(|reply| !done(reply)),
            help_alone: reply.is_some_and(|reply| !reply.extra.is_empty() && reply.refused.is_none()) && !fresh,
            in_full: due.in_full() || status || old.n == 0 || fresh && length == LetterLength::Long,
            length,
        }
    }

    /// Returns the line after which the story is told; `None` if it is not told.
    fn since(&self, game: &Game, old: &Written) -> Option<u64> {
        match (self.status, self.nothing_done && !self.fresh) {
            // From the beginning of this Turn.
            (true, _) => Some(game.turn_began().min(old.n)),
            (false, true) => None,
            (false, false) => Some(old.n),
        }
    }
}

/// The questions in a letter.
struct Questions {
    listed: Vec<Listed>,
    asked: Vec<Question>,
    urgent: Vec<Question>,
    open: Vec<Question>,
    /// `true` if a question is in no earlier letter and not of a kind that the answered mail has
    /// answered.
    anew: bool,
}

impl Questions {
    fn of(
        game: &Game,
        services: &Services,
        seat: Seat,
        old: &Written,
        reply: Option<&Reply>,
    ) -> Result<Questions, OfficeError> {
        let listed = game.questions(seat)?;
        let (mut asked, open) = letters::shown(&listed, &game.seats);
        let (urgent, open): (Vec<Question>, Vec<Question>) =
            open.into_iter().partition(|question| listed[question.no - 1].asked.urgent);
        for question in &mut asked {
            question.deadline = clock::deadline(game, services, seat, listed[question.no - 1].asked.id);
        }
        let known = |asked: &Asked| {
            old.asked.contains(&asked.id) || reply.is_some_and(|reply| reply.kinds.contains(asked.kind))
        };
        let anew = listed.iter().map(|listed| &listed.asked).any(|asked| asked.required && !known(asked));
        Ok(Questions { listed, asked, urgent, open, anew })
    }

    /// Returns the question to which an answer primarily belongs. If the reader takes back an
    /// order, its question is open again, and the same mail may answer it.
    fn first(&self, game: &Game, seat: Seat, back: bool) -> Option<PromptId> {
        let first = self.listed.first().map(|listed| listed.asked.id);
        if first.is_some() || !back {
            return first;
        }
        let n = undoing::can_take_back(game, seat).ok()?;
        game.live.answered(n).map(|answered| answered.prompt)
    }
}

/// The parts of a letter other than the game's.
pub(crate) struct Beside<'a> {
    /// All open questions of all seats.
    pub all: &'a [Asked],
    /// Notes since the last letter.
    pub notes: Vec<String>,
    /// Messages, advice, reports of rewinds.
    pub extra: Vec<Section>,
    /// `true` if the reader can take back the last order.
    pub back: bool,
    /// A standing order offered for the first question.
    pub offered: Option<Section>,
}

/// Returns the maximum length of a letter that need not be complete.
fn most_lines(game: &Game, length: LetterLength, old: &Written, reply: Option<&Reply>, anew: bool) -> Length {
    let same_round = game.live.marks.last().is_none_or(|mark| mark.n <= old.n);
    let follows = reply.is_some_and(|reply| reply.extra.is_empty()) && same_round;
    let most = |lines: usize| if length == LetterLength::Short { lines * 2 / 3 } else { lines };
    match follows {
        true if anew => Length::Changes(most(QUESTION_LINES)),
        true => Length::Changes(most(FOLLOW_UP_LINES)),
        false => Length::Letter(most(QUESTION_LINES)),
    }
}

/// Returns all data about a player as the text of a file.
fn data_as_text(game: &Game, services: &Services, seat: Seat) -> Result<String, OfficeError> {
    let mut data = data::of_player(game, services, seat)?;
    let text = |data: &serde_json::Value| serde_json::to_string_pretty(data).unwrap_or_default() + "\n";
    let whole = text(&data);
    if whole.len() <= MOST_DATA {
        return Ok(whole);
    }
    let mails = data["mails_from_you"].as_array().map_or(0, Vec::len);
    data["mails_from_you"] = format!("{mails} mails, too many for a letter: ask the host for them").into();
    Ok(text(&data))
}

/// Returns a letter as HTML, if the host sends HTML.
pub(crate) fn as_html(
    game: &Game,
    services: &Services,
    tree: &[Section],
    token: (u32, Token),
    subject: &str,
) -> Option<String> {
    let (address, subject) = answered_by(&services.host, &game.id, token, subject);
    let bare = subject.strip_prefix("Re: ").unwrap_or(&subject);
    let answer = AnswerTo { address, subject: format!("Re: {bare}") };
    services.host.settings.html.then(|| html::render(tree, &subject, &answer))
}

/// Lists all luck phrases, for the first letter of the game. All dice and shuffles follow from
/// these and from secrets fixed before them, so every player must be able to see that theirs is
/// among them.
pub(crate) fn words_for_luck(game: &Game) -> Section {
    let said = |(seat, phrase): (Seat, &Option<String>)| {
        let name = game.seats.called(seat);
        match phrase.as_deref().unwrap_or_default() {
            "" => format!("{name}: none"),
            words if game.facts.luck_by_mail.contains(&seat) => format!("{name}: \"{}\"", visible(words)),
            words => format!("{name} (not by mail): \"{}\"", visible(words)),
        }
    };
    let said: Vec<String> = (0..).map(Seat).zip(&game.live.joined).map(said).collect();
    Section::paragraph(format!(
        "LUCK PHRASES. All dice and shuffles of this game follow from these phrases and from secrets that were fixed before \
         them. {}. If yours is not here as you sent it, please tell the others.",
        said.join("; ")
    ))
}

fn opening(game: &Game, player: &Player, due: &Due, reply: Option<&Reply>, asked: &[Question], urgent: bool) -> String {
    let name = &player.name;
    let failed =
        reply.and_then(|reply| reply.order_report.as_ref()).is_some_and(|order_report| order_report.failed.is_some());
    let what = match asked.len() {
        0 => None,
        1 => Some("one thing is asked of you".to_owned()),
        n => Some(format!("{} things are asked of you", spelt(n))),
    };
    let place = called(&game.live.marks);
    match (what, reply) {
        _ if let Some(why) = game.abandoned().filter(|_| due.over) => {
            let why = visible(why.trim_end_matches('.'));
            format!("{name}, this game is abandoned: {why}. Nothing is asked any more.")
        }
        _ if game.live.closed && due.over => format!("{name}, the game is over. Thank you for playing."),
        (what, None) if due.taken => {
            let what = what.unwrap_or_else(|| "nothing is asked of you now".to_owned());
            format!("{name}, you play seat {} of this game from now on; {what} ({place}).", player.seat)
        }
        (Some(what), None) if due.rewound => format!("{name}, the game was rewound, and {what} ({place})."),
        (None, None) if due.rewound => {
            format!("{name}, the game was rewound; nothing is asked of you now ({place}).")
        }
        (Some(what), None) if due.ruled => format!("{name}, there is a ruling, and {what} ({place})."),
        (None, None) if due.ruled => {
            format!("{name}, there is a ruling; nothing is asked of you now ({place}).")
        }
        (what, None) if due.proposed => {
            let asked =
                what.map_or_else(|| "nothing else is asked of you now".to_owned(), |what| format!("and {what}"));
            format!("{name}, a proposal awaits your answer; {asked} ({place}).")
        }
        (what, None) if due.only_words() => {
            let asked = what.map_or_else(|| "nothing is asked of you now".to_owned(), |what| format!("still, {what}"));
            format!("{name}, there is a message for you; {asked} ({place}).")
        }
        (Some(what), None) if due.reminds() => {
            format!("{name}, this is a reminder: half of your time is gone, and {what} ({place}).")
        }
        // Failures come first.
        _ if failed => String::new(),
        (_, Some(reply)) if !due.any() && (reply.order_report.is_none() && !reply.status) => String::new(),
        (Some(what), None) => format!("{name}, {what} ({place})."),
        (Some(what), Some(reply)) if reply.order_report.is_some() => {
            capital(&format!("{name}, your orders were carried out; {what} ({place})."))
        }
        (Some(what), Some(_)) => format!("{name}, {what} ({place})."),
        (None, Some(reply)) if reply.order_report.is_some() && !urgent => {
            format!("{name}, your orders were carried out. Nothing more is asked of you now.")
        }
        (None, _) if game.live.started.is_none() => String::new(),
        (None, _) if urgent => format!("{name}, nothing waits for you ({place}), but you may want to answer this."),
        (None, _) => format!("{name}, nothing is asked of you now ({place})."),
    }
}

/// Writes a letter to a player: the results of the player's mail, the news, and the open questions.
///
/// # Errors
/// [`OfficeError`] if the rules or a template fail.
pub(crate) fn letter(
    game: &Game,
    services: &Services,
    player: &Player,
    old: &Written,
    due: &Due,
    reply: Option<&Reply>,
    beside: Beside<'_>,
) -> Result<OutgoingLetter, OfficeError> {
    let seat = player.seat;
    let shape = Shape::of(game, seat, old, due, reply);
    let questions = Questions::of(game, services, seat, old, reply)?;
    let back = beside.back;
    let (letter, picture) = content(game, services, player, (old, due, reply), (&shape, &questions), beside)?;
    let subject = heading::subject(game, seat, due, reply);
    let (unique, kind) = heading::named_letter(game, seat, reply.map(|reply| reply.mail));
    // A mail from a link has no In-Reply-To; its subject tells which letter it answers.
    let answer_subject = match reply {
        Some(_) => format!("{subject} ({kind})"),
        None => subject.clone(),
    };
    let tree = services.letters.letter(&letter)?;
    let attached = attached(game, services, seat, &letter, (due, reply), picture.as_ref())?;
    let first = questions.first(game, seat, back);
    let token = first.map_or((0, game.letterbox(seat)), |id| (id, game.token(seat, id)));
    Ok(OutgoingLetter {
        unique,
        kind,
        html: as_html(game, services, &tree, token, &answer_subject),
        subject,
        text: match shape.in_full || shape.length == LetterLength::Long {
            true => text::render(&tree),
            false => text::render_within(&tree, most_lines(game, shape.length, old, reply, questions.anew)),
        },
        picture: picture.and_then(|picture| map::as_inline(game, &picture)),
        attached,
        token,
        thread: reply.map(|reply| reply.thread.clone()),
        date: services.now(),
    })
}

/// Returns the content of a letter, and its map.
fn content(
    game: &Game,
    services: &Services,
    player: &Player,
    (old, due, reply): (&Written, &Due, Option<&Reply>),
    (shape, questions): (&Shape, &Questions),
    beside: Beside<'_>,
) -> Result<(Letter, Option<Picture>), OfficeError> {
    let (seat, closed) = (player.seat, game.live.closed);
    let Questions { asked, urgent, open, .. } = questions;
    let (view, brief) = match shape.fresh || reply.is_some() {
        true => position(game, services, seat, shape.in_full)?,
        false => Default::default(),
    };
    let mut outcome = match &game.live.dyn_game {
        Some(dyn_game) if closed => {
            services.letters.ending(game.live.opened.ruleset, game.live.outcome().as_ref(), &**dyn_game, &game.seats)?
        }
        _ => Vec::new(),
    };
    if closed && due.over && game.abandoned().is_none() {
        let again = "The same players again? This line invites all of you to another game, with the sides exchanged:";
        outcome.push(Section::of([Block::paragraph(again, 0), Block::Orders(vec!["rematch".to_owned()])]));
    }
    let tells = !shape.help_alone && (!asked.is_empty() || !urgent.is_empty() || reply.is_some());
    let mut notes = notes(game, seat, due, reply, &beside, tells);
    let ways = reply.map(|reply| reply.ways.clone()).unwrap_or_default();
    let drawn = !shape.help_alone && (shape.fresh || !asked.is_empty()) || !ways.is_empty();
    let mut picture = None;
    if drawn && map::draws(services) {
        let since = game.known_to(seat);
        picture = map::picture(game, Some(seat), since)?;
    }
    if let Some(shown) = picture.take_if(|_| !ways.is_empty()) {
        notes.push(WAYS.to_owned());
        picture = Some(shown.with_ways(ways));
    }
    let pieces = game.live.dyn_game.as_ref().map(|dyn_game| dyn_game.pieces(seat)).unwrap_or_default();
    let decided = |n: u64| game.live.decided_by(n) == Some(seat);
    let reader = letters::Reader { seat: Some(seat), pieces: &pieces, decided: &decided };
    let told = |after: u64| letters::story(&game.live.story, reader, Some(after).filter(|&n| n > 0), &game.seats);
    let unless_help = |shown: &Vec<Question>| if shape.help_alone { Vec::new() } else { shown.clone() };
    let letter = Letter {
        game: game.id.clone(),
        picture: picture.as_ref().map(|picture| picture.words().join(". ")).unwrap_or_default(),
        opening: opening(game, player, due, reply, asked, !urgent.is_empty()),
        order_report: reply.and_then(|reply| reply.order_report.clone()),
        notes,
        notes_first: shape.nothing_done && !shape.fresh,
        told: reply.iter().flat_map(|reply| &reply.extra).cloned().collect(),
        extra: beside.extra,
        from_before: old.n == 0 || shape.status,
        since: shape.since(game, old).map(told).unwrap_or_default(),
        outcome,
        view,
        in_full: shape.in_full,
        html_in_full: shape.status || shape.length == LetterLength::Long,
        brief: if shape.help_alone { Vec::new() } else { brief },
        lettered: lettered(&unless_help(if asked.is_empty() { urgent } else { asked })),
        offered: beside.offered.filter(|_| !shape.help_alone).into_iter().collect(),
        asked: unless_help(asked),
        urgent: unless_help(urgent),
        open: unless_help(open),
        awaited: match asked.is_empty() && !closed && game.live.started.is_some() {
            true => clock::awaited(game, services, Some(seat), game.zone(services, seat), beside.all),
            false => String::new(),
        },
        over: closed,
        watches: false,
        directs: false,
        cards: match (shape.fresh, shape.nothing_done) {
            (true, _) => data::hidden_cards(game, seat, None),
            (false, true) => Vec::new(),
            (false, false) => data::hidden_cards(game, seat, Some(old.n)),
        },
        head: game.head_shown(services, seat),
    };
    Ok((letter, picture))
}

/// Returns the position as a seat sees it: whole if requested, otherwise in brief while the game is
/// in progress.
fn position(
    game: &Game,
    services: &Services,
    seat: Seat,
    in_full: bool,
) -> Result<(Vec<Section>, Vec<Section>), OfficeError> {
    let (closed, ruleset) = (game.live.closed, game.live.opened.ruleset);
    let Some(dyn_game) = &game.live.dyn_game else { return Ok(Default::default()) };
    let seen = View::of(dyn_game.view(Some(seat))?, &game.seats);
    let brief = if closed { Vec::new() } else { services.letters.brief(ruleset, &seen)? };
    let view = if in_full { services.letters.view(ruleset, &seen)? } else { Vec::new() };
    Ok((view, brief))
}

/// Returns the attachments of a letter: salts of hidden cards, the reader's data, the page of the
/// game, the whole map.
fn attached(
    game: &Game,
    services: &Services,
    seat: Seat,
    letter: &Letter,
    (due, reply): (&Due, Option<&Reply>),
    picture: Option<&Picture>,
) -> Result<Vec<Attached>, OfficeError> {
    let mut attached = Vec::new();
    if !letter.cards.is_empty() {
        let content = Content::Text(text::render(&Letters::seals(letter)));
        attached.push(Attached { name: SEALS.to_owned(), content });
    }
    if reply.is_some_and(|reply| reply.data) {
        let content = Content::Text(data_as_text(game, services, seat)?);
        attached.push(Attached { name: DATA.to_owned(), content });
    }
    let asked = reply.is_some_and(|reply| reply.page);
    if asked || page::goes_along(services, due.turn || due.over) {
        attached.extend(page::attached(game, services, seat, asked));
    }
    // A letter that tells the news and shows part of the map also has the whole map.
    let tells = picture.filter(|_| reply.is_none_or(|reply| reply.status));
    attached.extend(tells.and_then(|picture| map::whole_map(game, picture)));
    Ok(attached)
}

/// Returns the notes other than those about the reader's questions. `tells` is `true` if the letter
/// has news or questions.
fn notes(game: &Game, seat: Seat, due: &Due, reply: Option<&Reply>, beside: &Beside<'_>, tells: bool) -> Vec<String> {
    let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
    notes.extend(beside.notes.iter().cloned());
    if due.reminds() {
        notes.push(
            "If you are going away, write `away until Monday` or similar; if you cannot continue, `tell host: …`, and another \
             player can take your seat."
                .to_owned(),
        );
    }
    if let (lines @ 1.., true) = (game.draft(seat).len(), tells) {
        let lines = if lines == 1 { "a line".to_owned() } else { format!("{lines} lines") };
        notes.push(format!("Your draft has {lines} (`draft` shows it, `send` carries it out)."));
    }
    if beside.back {
        notes.push("As long as nobody else has acted, `back` takes your last order back.".to_owned());
    }
    notes
}

/// Returns the reference to the first listed option, by number and letter.
pub(crate) fn lettered(asked: &[Question]) -> String {
    let first = asked.iter().find(|question| !question.options.is_empty());
    first.map(|question| format!("{}{}", question.no, question.options[0].letter)).unwrap_or_default()
}
