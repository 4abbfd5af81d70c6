//! Who is written to after a step, why, and what the letter says.

use crate::{
    error::OfficeError,
    game::{Game, clock, data, map, undoing},
    post::{due::Due, heading, reply::Reply},
    services::Services,
    transaction::Transaction,
};
use postrider_letters as letters;
use postrider_letters::{
    Letter, Letters, Question, Section, View, capital,
    html::{self, AnswerTo},
    text::{self, Length},
};
use postrider_mail::{Attached, Content, Token};
use postrider_orders::{spelt, visible};
use postrider_replay::marks::called;
use postrider_store::{LetterLength, OutgoingLetter, Player, Written, answered_by};
use postrider_table::{Asked, Seat};

/// A letter that asks something, without the whole position, has at most so many lines.
const QUESTION_LINES: usize = 45;

/// So many has an answer to a mail after which nothing new is asked.
const FOLLOW_UP_LINES: usize = 25;

/// The file with the salts of a player's hidden cards.
const SEALS: &str = "seals.txt";

/// The file with what is kept of a player.
const DATA: &str = "my-data.json";

/// A letter takes no more of it along than so many bytes; then the mails are left out.
const MOST_DATA: usize = 2_000_000;

/// How long a letter is that need not say all.
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

/// What is kept of a player, as a file for him.
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

/// A letter as HTML, if the host sends any.
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

/// The words for luck of all, for the first letter of the game: from these and the secrets that were fixed before them all dice
/// and shuffles follow, so everybody must see that his are among them.
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
        "WORDS FOR LUCK. All dice and shuffles of this game follow from these words and from secrets that were fixed before them. \
         {}. If yours are not here as you sent them, please tell the others.",
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
        _ if due.over && game.secrets.abandoned.is_some() => {
            let why = game.secrets.abandoned.as_deref().unwrap_or_default();
            format!(
                "{name}, this game is abandoned: {}. Nothing is asked any more.",
                visible(why.trim_end_matches('.'))
            )
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
        (Some(what), None) if due.ruled => format!("{name}, the director has ruled, and {what} ({place})."),
        (None, None) if due.ruled => {
            format!("{name}, the director has ruled; nothing is asked of you now ({place}).")
        }
        (what, None) if due.only_words() => {
            let asked = what.map_or_else(|| "nothing is asked of you now".to_owned(), |what| format!("still, {what}"));
            format!("{name}, there are words to you; {asked} ({place}).")
        }
        (Some(what), None) if due.reminds() => {
            format!("{name}, this is a reminder: half of your time is gone, and {what} ({place}).")
        }
        // What went wrong comes first.
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

pub(crate) fn letter(
    tx: &mut Transaction,
    services: &Services,
    player: &Player,
    old: &Written,
    due: &Due,
    reply: Option<&Reply>,
    beside: &Beside<'_>,
) -> Result<OutgoingLetter, OfficeError> {
    let seat = player.seat;
    let questions = tx.questions(seat)?;
    let (mut asked, open) = letters::shown(&questions, &tx.seats);
    let (urgent, open): (Vec<Question>, Vec<Question>) =
        open.into_iter().partition(|question| questions[question.no - 1].asked.urgent);
    for question in &mut asked {
        question.deadline = clock::deadline(tx, services, seat, questions[question.no - 1].asked.id);
    }
    // What is asked now and was in no letter before, nor is of a kind that this mail has answered.
    let anew = questions.iter().map(|listed| &listed.asked).any(|asked| {
        let known = old.asked.contains(&asked.id) || reply.is_some_and(|reply| reply.kinds.contains(asked.kind));
        asked.required && !known
    });
    let closed = tx.live.closed;
    let nothing_done =
        reply.is_some_and(|reply| reply.order_report.as_ref().is_none_or(|order_report| order_report.done.is_empty()));
    let status = reply.is_some_and(|reply| reply.status);
    let fresh = due.is_news() || status;
    let length = tx.pace(seat).letters;
    let in_full = due.in_full() || status || old.n == 0 || fresh && length == LetterLength::Long;
    let (mut view, mut brief) = (Vec::new(), Vec::new());
    if let Some(dyn_game) = &mut tx.live.dyn_game
        && (fresh || reply.is_some())
    {
        let seen = View::of(dyn_game.view(Some(seat))?, &tx.seats);
        if !closed {
            brief = services.letters.brief(tx.live.opened.ruleset, &seen)?;
        }
        if in_full {
            view = services.letters.view(tx.live.opened.ruleset, &seen)?;
        }
    }
    let outcome = match &tx.live.dyn_game {
        Some(dyn_game) if closed => services.letters.ending(tx.live.opened.ruleset, &**dyn_game, &tx.seats)?,
        _ => Vec::new(),
    };
    let help_alone = reply.is_some_and(|reply| !reply.extra.is_empty()) && !fresh;
    let mut notes = notes_for(tx, seat, due, reply);
    let tells = !asked.is_empty() || !urgent.is_empty() || reply.is_some();
    if let (lines @ 1.., true, false) = (tx.draft(seat).len(), tells, help_alone) {
        let lines = if lines == 1 { "a line".to_owned() } else { format!("{lines} lines") };
        notes.push(format!("Your draft has {lines} (`draft` shows it, `send` carries it out)."));
    }
    if beside.back {
        notes.push("As long as nobody else has acted, `back` takes your last order back.".to_owned());
    }
    let ways = reply.map(|reply| reply.ways.clone()).unwrap_or_default();
    let drawn = !help_alone && (fresh || !asked.is_empty()) || !ways.is_empty();
    let mut picture = match drawn && services.host.settings.draws() {
        true => {
            let since = tx.known_to(seat);
            map::picture(tx, Some(seat), since)?
        }
        false => None,
    };
    if let Some(shown) = picture.take_if(|_| !ways.is_empty()) {
        notes.push(
            "On the map a blue arrow shows where somebody would go (a dot, where he would enter), a red one what he would attack, and \
             a dashed line at whom he would fire."
                .to_owned(),
        );
        picture = Some(shown.with_ways(ways));
    }
    let since = match (status, nothing_done && !fresh) {
        // All that happened in this Turn.
        (true, _) => Some(tx.turn_began().min(old.n)),
        (false, true) => None,
        (false, false) => Some(old.n),
    };
    let pieces = tx.live.dyn_game.as_mut().map(|dyn_game| dyn_game.pieces(seat)).unwrap_or_default();
    let decided = |n: u64| tx.live.decided_by(n) == Some(seat);
    let reader = letters::Reader { seat: Some(seat), pieces: &pieces, decided: &decided };
    let told = |after: u64| letters::story(&tx.live.story, reader, Some(after).filter(|&n| n > 0), &tx.seats);
    let awaited = match asked.is_empty() && !closed && tx.live.started.is_some() {
        true => clock::awaited(tx, services, Some(seat), tx.zone(services, seat), beside.all),
        false => String::new(),
    };
    let letter = Letter {
        game: tx.id.clone(),
        picture: picture.as_ref().map(|picture| picture.words().join(". ")).unwrap_or_default(),
        opening: opening(tx, player, due, reply, &asked, !urgent.is_empty()),
        order_report: reply.and_then(|reply| reply.order_report.clone()),
        notes,
        notes_first: nothing_done && !fresh,
        told: reply.iter().flat_map(|reply| &reply.extra).cloned().collect(),
        extra: beside.extra.clone(),
        first_mail: old.n == 0,
        since: since.map(told).unwrap_or_default(),
        outcome,
        view,
        in_full,
        html_in_full: status || length == LetterLength::Long,
        brief: if help_alone { Vec::new() } else { brief },
        lettered: if help_alone { String::new() } else { lettered(if asked.is_empty() { &urgent } else { &asked }) },
        asked: if help_alone { Vec::new() } else { asked },
        urgent: if help_alone { Vec::new() } else { urgent },
        open: if help_alone { Vec::new() } else { open },
        awaited,
        over: closed,
        watches: false,
        cards: match (fresh, nothing_done) {
            (true, _) => data::hidden_cards(tx, seat, None),
            (false, true) => Vec::new(),
            (false, false) => data::hidden_cards(tx, seat, Some(old.n)),
        },
        head: tx.head_shown(services, seat),
    };
    let subject = heading::subject(tx, seat, due, reply);
    let answers = heading::answered_mail(tx, seat, reply);
    let (unique, kind) = heading::named_letter(tx, seat, answers);
    // Who takes his order back can give another one in the same mail: his question is open again then.
    let mut first = questions.first().map(|q| q.asked.id);
    if first.is_none()
        && beside.back
        && let Ok(n) = undoing::can_take_back(tx, seat)
    {
        first = tx.live.answered(n).map(|answered| answered.prompt);
    }
    let thread = match (reply, answers) {
        (Some(reply), _) => Some(reply.thread.clone()),
        // The answer to a mail that was done before the program ended.
        (None, Some(mail)) => heading::thread_of(tx, services, &mail)?,
        (None, None) => None,
    };
    let tree = services.letters.letter(&letter)?;
    let mut attached = Vec::new();
    if !letter.cards.is_empty() {
        let content = Content::Text(text::render(&Letters::seals(&letter)));
        attached.push(Attached { name: SEALS.to_owned(), content });
    }
    if reply.is_some_and(|reply| reply.data) {
        let content = Content::Text(data_as_text(tx, services, seat)?);
        attached.push(Attached { name: DATA.to_owned(), content });
    }
    // Beside the part that a letter shows, the whole where it tells what has happened.
    let tells = picture.as_ref().filter(|_| reply.is_none() || status);
    attached.extend(tells.and_then(|picture| map::whole_map(tx, picture)));
    let token = first.map_or((0, tx.letterbox(seat)), |id| (id, tx.token(seat, id)));
    Ok(OutgoingLetter {
        unique,
        kind,
        html: as_html(tx, services, &tree, token, &subject),
        subject,
        text: match in_full || length == LetterLength::Long {
            true => text::render(&tree),
            false => text::render_within(&tree, most_lines(tx, length, old, reply, anew)),
        },
        picture: picture.and_then(|picture| map::as_inline(tx, &picture)),
        attached,
        token,
        thread,
        date: services.environment.now(),
    })
}

/// Remarks that are not about what the reader is asked.
fn notes_for(tx: &Transaction, seat: Seat, due: &Due, reply: Option<&Reply>) -> Vec<String> {
    let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
    notes.extend(tx.notes.iter().filter(|(whose, _)| *whose == seat).map(|(_, note)| tx.seats.named(note)));
    if due.reminds() {
        notes.push(
            "If you are going away, write `away until Monday` or the like; if you cannot go on, `tell host: …`, and somebody else \
             can take your seat."
                .to_owned(),
        );
    }
    notes
}

/// What a letter says beside the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside<'a> {
    /// What is asked of anybody.
    pub(crate) all: &'a [Asked],
    /// What is told of rewinds.
    pub(crate) extra: Vec<Section>,
    /// Whether the reader can take back his last order.
    pub(crate) back: bool,
}

/// How the first option that is listed could be answered, by number and letter.
pub(crate) fn lettered(asked: &[Question]) -> String {
    let first = asked.iter().find(|question| !question.options.is_empty());
    first.map(|question| format!("{}{}", question.no, question.options[0].letter)).unwrap_or_default()
}
