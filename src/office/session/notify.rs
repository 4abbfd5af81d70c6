//! Who is written to after a step, why, and what the letter says.

use super::{Game, Reply, Transaction, Wanted};
use crate::{error::OfficeError, services::Services};
use postrider_dice::{Shuffled, sha256};
use postrider_letters::{
    self as letters, CardShown, HeadShown, Invitation, Invited, Letter, Letters, Question, Section, View, capital,
    html,
    html::AnswerTo,
    plain,
    text::{self, Length},
};
use postrider_mail::{Attached, Content, Token};
use postrider_orders::{list_and, spelt, visible};
use postrider_replay::marks::{called, place};
use postrider_store::{LetterLength, Messages, OutgoingLetter, Player, Written, answered_by};
use postrider_table::{Asked, PromptId, Seat};
use std::collections::{BTreeMap, BTreeSet};

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

impl Game {
    /// The Turn of the last Round that began; 0 before the first.
    pub(crate) fn turn(&self) -> u32 {
        self.live.marks.last().map_or(0, |mark| u32::try_from(mark.turn).unwrap_or(u32::MAX))
    }

    /// n of the line that began the present Turn; 0 before the first.
    pub(super) fn turn_began(&self) -> u64 {
        let marks = &self.live.marks;
        let turn = marks.last().map(|mark| mark.turn);
        marks.iter().find(|mark| Some(mark.turn) == turn).map_or(0, |mark| mark.n)
    }

    /// Turn and Round in words.
    pub fn place(&self) -> String {
        place(&self.live.marks)
    }

    pub(crate) fn head_shown(&self, services: &Services, seat: Seat) -> HeadShown {
        let head = self.head();
        HeadShown {
            game: self.id.clone(),
            seat: self.live.seat_name(seat).to_owned(),
            n: head.n,
            hash: head.hash.to_string(),
            signature: services.key.sign(&head),
            key: services.key.public().to_string(),
        }
    }

    pub(crate) fn invitation(&self, services: &Services, player: &Player) -> Result<OutgoingLetter, OfficeError> {
        let joined = |seat: Seat| self.live.joined.get(seat.index()).is_some_and(Option::is_some);
        let setup = &self.live.opened.setup;
        let ruleset = self.live.opened.ruleset;
        let mut options = vec![match ruleset.about_scenario(&setup.scenario) {
            "" => format!("Scenario: {}", setup.scenario),
            about => format!("Scenario: {}, {about}", setup.scenario),
        }];
        options.extend(setup.options.iter().map(|(key, value)| {
            match ruleset.options().iter().find(|rule| rule.name == key && *value == serde_json::Value::Bool(true)) {
                Some(rule) => format!("Optional rule {key}: {}", rule.about),
                None => format!("{key}: {}", plain(value)),
            }
        }));
        if let Some(parent) = &self.live.opened.parent {
            options.push(format!(
                "It goes on from the game {}, after entry {}: {}. Everything drawn there is public and stays; what comes is \
                 drawn anew, with your words for luck.",
                parent.game, parent.n, parent.reason
            ));
        }
        options.extend(self.live.deadlines.terms().map(|terms| terms.words()));
        options.extend(self.agreed_for_the_away());
        options.extend(self.said_of_rating());
        options.extend(self.agreed_on_advice());
        let bots: BTreeSet<&str> = self.seats.players.iter().filter_map(Player::bot).collect();
        for bot in bots {
            let of = |other: &&Player| other.bot() == Some(bot);
            let seats: Vec<String> = self.seats.players.iter().filter(of).map(|other| other.seat.to_string()).collect();
            options.push(match seats.as_slice() {
                [seat] => format!(
                    "Seat {seat} is kept by a program of the host's, the bot {bot}. It is shown what its seat may see."
                ),
                several => format!(
                    "Seats {} are kept by a program of the host's, the bot {bot}. At each seat it is shown what that seat may \
                     see.",
                    list_and(several)
                ),
            });
        }
        let introduction = ruleset.introduction(setup);
        let by_bots = |name: &&String| {
            Seat::from_letter(name)
                .is_some_and(|seat| self.seats.player(seat).is_some_and(|player| player.bot().is_some()))
        };
        let host: Vec<&str> =
            self.live.opened.operator_seats.iter().filter(|name| !by_bots(name)).map(String::as_str).collect();
        if !host.is_empty() {
            let seats = host.join(", ");
            options.push(format!("The host himself plays seat {seats}: he could foresee dice and see hidden cards."));
        }
        let one = |other: &Player| Invited {
            seat: other.seat.to_string(),
            name: other.name.clone(),
            side: introduction.sides.get(other.seat.index()).cloned().unwrap_or_default(),
            you: other.seat == player.seat,
            joined: joined(other.seat),
        };
        let invitation = Invitation {
            game: self.id.clone(),
            title: self.live.opened.ruleset.title().to_owned(),
            name: player.name.clone(),
            joined: joined(player.seat),
            players: self.seats.players.iter().map(one).collect(),
            about: [&introduction.goal, &introduction.length]
                .into_iter()
                .filter(|about| !about.is_empty())
                .cloned()
                .collect(),
            options,
            head: self.head_shown(services, player.seat),
        };
        let tree = services.letters.invitation(&invitation)?;
        let token = (0, self.letterbox(player.seat));
        let subject = format!("{} by mail: will you play, {}?", invitation.title, player.name);
        Ok(OutgoingLetter {
            unique: format!("{}.{}.invitation", self.id, player.seat),
            kind: "invitation".to_owned(),
            text: text::render(&tree),
            html: self.as_html(services, &tree, token, &subject),
            subject,
            picture: None,
            attached: Vec::new(),
            token,
            thread: None,
            date: services.environment.now(),
        })
    }

    /// How long a letter is that need not say all.
    fn most_lines(&self, length: LetterLength, old: &Written, reply: Option<&Reply>, anew: bool) -> Length {
        let same_round = self.live.marks.last().is_none_or(|mark| mark.n <= old.n);
        let follows = reply.is_some_and(|reply| reply.extra.is_empty()) && same_round;
        let most = |lines: usize| if length == LetterLength::Short { lines * 2 / 3 } else { lines };
        match follows {
            true if anew => Length::Changes(most(QUESTION_LINES)),
            true => Length::Changes(most(FOLLOW_UP_LINES)),
            false => Length::Letter(most(QUESTION_LINES)),
        }
    }

    /// What is kept of a player, as a file for him.
    fn data_as_text(&self, services: &Services, seat: Seat) -> Result<String, OfficeError> {
        let mut data = self.data_of(services, seat)?;
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
    fn as_html(&self, services: &Services, tree: &[Section], token: (u32, Token), subject: &str) -> Option<String> {
        let (address, subject) = answered_by(&services.host, &self.id, token, subject);
        let bare = subject.strip_prefix("Re: ").unwrap_or(&subject);
        let answer = AnswerTo { address, subject: format!("Re: {bare}") };
        services.host.settings.html.then(|| html::render(tree, &subject, &answer))
    }

    /// The cards of a seat that are still hidden from others, each with its salt: all of them, or those dealt after line `after`.
    pub(crate) fn hidden_cards(&self, seat: Seat, after: Option<u64>) -> Vec<CardShown> {
        let Some(begun) = &self.live.started else { return Vec::new() };
        let show = |(deck, epoch, list, pos): (&str, u64, &[String], u64)| {
            let secret = self.live.deck_secret(deck, u32::try_from(epoch).ok()?)?;
            let shuffled = Shuffled::new(&self.id, deck, epoch, secret, &begun.luck, list.to_vec());
            let name = shuffled.order().get(usize::try_from(pos).ok()?)?.clone();
            let place = format!("{deck}, epoch {epoch}, position {pos}");
            Some(CardShown { place, name, salt: shuffled.salt(pos).to_string() })
        };
        self.facts.hidden_cards(seat, after).filter_map(show).collect()
    }

    /// The words for luck of all, for the first letter of the game: from these and the secrets that were fixed before them all dice
    /// and shuffles follow, so everybody must see that his are among them.
    fn words_for_luck(&self) -> Section {
        let said = |(seat, phrase): (Seat, &Option<String>)| {
            let name = self.seats.called(seat);
            match phrase.as_deref().unwrap_or_default() {
                "" => format!("{name}: none"),
                words if self.facts.luck_by_mail.contains(&seat) => format!("{name}: \"{}\"", visible(words)),
                words => format!("{name} (not by mail): \"{}\"", visible(words)),
            }
        };
        let said: Vec<String> = (0..).map(Seat).zip(&self.live.joined).map(said).collect();
        Section::paragraph(format!(
            "WORDS FOR LUCK. All dice and shuffles of this game follow from these words and from secrets that were fixed before them. \
             {}. If yours are not here as you sent them, please tell the others.",
            said.join("; ")
        ))
    }

    fn opening(&self, player: &Player, due: &Due, reply: Option<&Reply>, asked: &[Question], urgent: bool) -> String {
        let name = &player.name;
        let failed = reply
            .and_then(|reply| reply.order_report.as_ref())
            .is_some_and(|order_report| order_report.failed.is_some());
        let what = match asked.len() {
            0 => None,
            1 => Some("one thing is asked of you".to_owned()),
            n => Some(format!("{} things are asked of you", spelt(n))),
        };
        let place = called(&self.live.marks);
        match (what, reply) {
            _ if due.over && self.secrets.abandoned.is_some() => {
                let why = self.secrets.abandoned.as_deref().unwrap_or_default();
                format!(
                    "{name}, this game is abandoned: {}. Nothing is asked any more.",
                    visible(why.trim_end_matches('.'))
                )
            }
            _ if self.live.closed && due.over => format!("{name}, the game is over. Thank you for playing."),
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
                let asked =
                    what.map_or_else(|| "nothing is asked of you now".to_owned(), |what| format!("still, {what}"));
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
            (None, _) if self.live.started.is_none() => String::new(),
            (None, _) if urgent => format!("{name}, nothing waits for you ({place}), but you may want to answer this."),
            (None, _) => format!("{name}, nothing is asked of you now ({place})."),
        }
    }
}

impl Transaction {
    /// Puts the letters that are due now into the outbox, and keeps in mind that it was done.
    pub(crate) fn notify(&mut self, services: &Services, reply: Option<(Seat, Reply)>) -> Result<(), OfficeError> {
        let head = self.head();
        let all = self.asked()?;
        let mut rewound = std::mem::take(&mut self.rewind_reports);
        let mut news = BTreeMap::new();
        let mut dues = Vec::new();
        for player in self.seats.players.clone() {
            if !player.by_mail() {
                continue;
            }
            let mut old = self.secrets.written.get(&player.seat).cloned().unwrap_or_default();
            // Who takes a seat over has read nothing yet; what was decided before him he need not be told.
            let taken = self.facts.reseated.get(&player.seat).copied().filter(|&n| n > old.n);
            let since = taken.unwrap_or(old.n);
            if taken.is_some() {
                old = Written { invited: true, ..Written::default() };
            }
            let mine = all.iter().filter(|asked| asked.seat == player.seat && (asked.required || asked.urgent));
            let asked: Vec<PromptId> = mine.map(|asked| asked.id).collect();
            let (clock, reminded) = self.live.deadlines.news(player.seat, since, &asked);
            let due = Due {
                taken: taken.is_some(),
                clock,
                reminded,
                fresh: asked.iter().any(|id| !old.asked.contains(id)),
                turn: self.turn() > old.turn && self.pace(player.seat).digest.is_none(),
                digest: self.digest_due(services, player.seat, &old, since),
                over: self.live.closed && !old.over,
                invitation: (!old.invited || taken.is_some()) && self.live.started.is_none() && !self.live.closed,
                words: self.pace(player.seat).messages == Messages::Now
                    && self.pace(player.seat).digest.is_none()
                    && !self.messages_to(player.seat, since).is_empty(),
                ruled: self.facts.rulings.iter().any(|&n| n > since),
                rewound: self.facts.rewinds.iter().any(|r| r.n > since && r.taken_back().is_none()),
            };
            dues.push((player, old, (since, taken), asked, due));
        }
        self.write_to_host(services, &head)?;
        self.write_to_watchers(services, &head)?;
        for (player, old, (since, taken), asked, due) in dues {
            let seat = player.seat;
            let reply = reply.as_ref().filter(|(whose, _)| *whose == seat).map(|(_, reply)| reply);
            let invited = old.invited && !due.invitation;
            if self.live.started.is_none() && !self.live.closed && reply.is_none() && invited && !due.words {
                continue;
            }
            if reply.is_none() && self.unanswered_back() == Some(seat) {
                continue;
            }
            let (n, hash, at) = (head.n, Some(head.hash), services.environment.now().timestamp());
            let new = Written { n, hash, asked, turn: self.turn(), invited: true, over: self.live.closed, at };
            if reply.is_none() && !due.any() {
                // What was asked once and is no longer may be asked again.
                if new.asked != old.asked {
                    news.insert(seat, Written { n: old.n, hash: old.hash, at: old.at, ..new });
                }
                continue;
            }
            let letter = if due.invitation && reply.is_none() {
                let mut letter = self.invitation(services, &player)?;
                if let Some(n) = taken {
                    letter.unique = format!("{}-{n}", letter.unique);
                    letter.kind = format!("{}-{n}", letter.kind);
                }
                letter
            } else {
                if due.clock {
                    let notes = self.clock_notes(services, seat, since, &all);
                    self.notes.extend(notes.into_iter().map(|note| (seat, note)));
                }
                let mut extra = Vec::new();
                extra.extend(self.messages_shown(&self.messages_to(seat, since), seat));
                extra.extend(self.live.started.filter(|begun| begun.n > since).map(|_| self.words_for_luck()));
                if (due.fresh || reply.is_some_and(|reply| reply.status)) && self.lists_advice(services, seat) {
                    extra.push(self.advice(services, seat, Wanted::Opinion)?);
                }
                if due.rewound {
                    extra.extend(rewound.report(self, services, seat, since)?);
                }
                let back = reply.is_some_and(|reply| {
                    reply.order_report.as_ref().is_some_and(|order_report| !order_report.done.is_empty())
                }) && self.can_take_back(seat).is_ok();
                self.letter(services, &player, &old, &due, reply, &Beside { extra, back, all: &all })?
            };
            self.send(services, &head, &player, &letter)?;
            if new != old {
                news.insert(seat, new);
            }
        }
        self.notes.clear();
        self.rewind_reports = rewound;
        let (mail, copies) = reply.map_or((None, None), |(_, reply)| (Some(reply.mail), reply.copies));
        self.keep_written(news, mail, copies)?;
        Ok(())
    }

    /// Sends the invitation of a seat once more, under another name.
    pub(crate) fn invite_again(&mut self, services: &Services, seat: Seat, at: &str) -> Result<(), OfficeError> {
        let Some(player) = self.seats.player(seat).cloned() else { return Ok(()) };
        let mut letter = self.invitation(services, &player)?;
        let mark = sha256(at.as_bytes()).to_string();
        letter.unique = format!("{}-{}", letter.unique, &mark[..8]);
        letter.kind = format!("{}-{}", letter.kind, &mark[..8]);
        let head = self.head();
        Ok(self.send(services, &head, &player, &letter)?)
    }

    fn letter(
        &mut self,
        services: &Services,
        player: &Player,
        old: &Written,
        due: &Due,
        reply: Option<&Reply>,
        beside: &Beside<'_>,
    ) -> Result<OutgoingLetter, OfficeError> {
        let seat = player.seat;
        let questions = self.questions(seat)?;
        let (mut asked, open) = letters::shown(&questions, &self.seats);
        let (urgent, open): (Vec<Question>, Vec<Question>) =
            open.into_iter().partition(|question| questions[question.no - 1].asked.urgent);
        for question in &mut asked {
            question.deadline = self.deadline(services, seat, questions[question.no - 1].asked.id);
        }
        // What is asked now and was in no letter before, nor is of a kind that this mail has answered.
        let anew = questions.iter().map(|listed| &listed.asked).any(|asked| {
            let known = old.asked.contains(&asked.id) || reply.is_some_and(|reply| reply.kinds.contains(asked.kind));
            asked.required && !known
        });
        let closed = self.live.closed;
        let nothing_done = reply
            .is_some_and(|reply| reply.order_report.as_ref().is_none_or(|order_report| order_report.done.is_empty()));
        let status = reply.is_some_and(|reply| reply.status);
        let fresh = due.is_news() || status;
        let length = self.pace(seat).letters;
        let in_full = due.in_full() || status || old.n == 0 || fresh && length == LetterLength::Long;
        let (mut view, mut brief) = (Vec::new(), Vec::new());
        if let Some(dyn_game) = &mut self.live.dyn_game
            && (fresh || reply.is_some())
        {
            let seen = View::of(dyn_game.view(Some(seat))?, &self.seats);
            if !closed {
                brief = services.letters.brief(self.live.opened.ruleset, &seen)?;
            }
            if in_full {
                view = services.letters.view(self.live.opened.ruleset, &seen)?;
            }
        }
        let outcome = match &self.live.dyn_game {
            Some(dyn_game) if closed => services.letters.ending(self.live.opened.ruleset, &**dyn_game, &self.seats)?,
            _ => Vec::new(),
        };
        let help_alone = reply.is_some_and(|reply| !reply.extra.is_empty()) && !fresh;
        let mut notes = self.notes_for(seat, due, reply);
        let tells = !asked.is_empty() || !urgent.is_empty() || reply.is_some();
        if let (lines @ 1.., true, false) = (self.draft(seat).len(), tells, help_alone) {
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
                let since = self.known_to(seat);
                self.picture(Some(seat), since)?
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
            (true, _) => Some(self.turn_began().min(old.n)),
            (false, true) => None,
            (false, false) => Some(old.n),
        };
        let pieces = self.live.dyn_game.as_mut().map(|dyn_game| dyn_game.pieces(seat)).unwrap_or_default();
        let decided = |n: u64| self.live.decided_by(n) == Some(seat);
        let reader = letters::Reader { seat: Some(seat), pieces: &pieces, decided: &decided };
        let told = |after: u64| letters::story(&self.live.story, reader, Some(after).filter(|&n| n > 0), &self.seats);
        let awaited = match asked.is_empty() && !closed && self.live.started.is_some() {
            true => self.awaited(services, Some(seat), self.zone(services, seat), beside.all),
            false => String::new(),
        };
        let letter = Letter {
            game: self.id.clone(),
            picture: picture.as_ref().map(|picture| picture.words().join(". ")).unwrap_or_default(),
            opening: self.opening(player, due, reply, &asked, !urgent.is_empty()),
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
            lettered: if help_alone {
                String::new()
            } else {
                lettered(if asked.is_empty() { &urgent } else { &asked })
            },
            asked: if help_alone { Vec::new() } else { asked },
            urgent: if help_alone { Vec::new() } else { urgent },
            open: if help_alone { Vec::new() } else { open },
            awaited,
            over: closed,
            watches: false,
            cards: match (fresh, nothing_done) {
                (true, _) => self.hidden_cards(seat, None),
                (false, true) => Vec::new(),
                (false, false) => self.hidden_cards(seat, Some(old.n)),
            },
            head: self.head_shown(services, seat),
        };
        let subject = self.subject(seat, due, reply);
        let answers = self.answered_mail(seat, reply);
        let (unique, kind) = self.named_letter(seat, answers);
        // Who takes his order back can give another one in the same mail: his question is open again then.
        let mut first = questions.first().map(|q| q.asked.id);
        if first.is_none()
            && beside.back
            && let Ok(n) = self.can_take_back(seat)
        {
            first = self.live.answered(n).map(|answered| answered.prompt);
        }
        let thread = match (reply, answers) {
            (Some(reply), _) => Some(reply.thread.clone()),
            // The answer to a mail that was done before the program ended.
            (None, Some(mail)) => self.thread_of(services, &mail)?,
            (None, None) => None,
        };
        let tree = services.letters.letter(&letter)?;
        let mut attached = Vec::new();
        if !letter.cards.is_empty() {
            let content = Content::Text(text::render(&Letters::seals(&letter)));
            attached.push(Attached { name: SEALS.to_owned(), content });
        }
        if reply.is_some_and(|reply| reply.data) {
            let content = Content::Text(self.data_as_text(services, seat)?);
            attached.push(Attached { name: DATA.to_owned(), content });
        }
        // Beside the part that a letter shows, the whole where it tells what has happened.
        let tells = picture.as_ref().filter(|_| reply.is_none() || status);
        attached.extend(tells.and_then(|picture| self.whole_map(picture)));
        let token = first.map_or((0, self.letterbox(seat)), |id| (id, self.token(seat, id)));
        Ok(OutgoingLetter {
            unique,
            kind,
            html: self.as_html(services, &tree, token, &subject),
            subject,
            text: match in_full || length == LetterLength::Long {
                true => text::render(&tree),
                false => text::render_within(&tree, self.most_lines(length, old, reply, anew)),
            },
            picture: picture.and_then(|picture| self.as_inline(&picture)),
            attached,
            token,
            thread,
            date: services.environment.now(),
        })
    }

    /// Remarks that are not about what the reader is asked.
    fn notes_for(&self, seat: Seat, due: &Due, reply: Option<&Reply>) -> Vec<String> {
        let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
        notes.extend(self.notes.iter().filter(|(whose, _)| *whose == seat).map(|(_, note)| self.seats.named(note)));
        if due.reminds() {
            notes.push(
                "If you are going away, write `away until Monday` or the like; if you cannot go on, `tell host: …`, and somebody else \
                 can take your seat."
                    .to_owned(),
            );
        }
        notes
    }
}

/// Why a seat is written to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due {
    /// The reader has taken the seat over.
    pub(super) taken: bool,
    pub(super) fresh: bool,
    pub(super) turn: bool,
    pub(super) over: bool,
    pub(super) invitation: bool,
    pub(super) rewound: bool,
    pub(super) ruled: bool,
    /// A deadline passed or was moved, or the clock stopped or went on.
    pub(super) clock: bool,
    /// Half of the time for a question is gone.
    pub(super) reminded: bool,
    /// Others have written to him.
    pub(super) words: bool,
    /// He collects what happens, and it is time for it.
    pub(super) digest: bool,
}

/// What a letter says beside the game.
#[derive(Clone, Debug, Default)]
struct Beside<'a> {
    /// What is asked of anybody.
    all: &'a [Asked],
    /// What is told of rewinds.
    extra: Vec<Section>,
    /// Whether the reader can take back his last order.
    back: bool,
}

impl Due {
    pub(crate) fn any(self) -> bool {
        self.is_news() || self.reminded || self.words
    }

    /// Whether something has happened that he is to be told.
    pub(crate) fn is_news(self) -> bool {
        let game = self.fresh || self.turn || self.over || self.invitation;
        game || self.taken || self.rewound || self.ruled || self.clock || self.digest
    }

    /// Whether it is worth the whole position.
    pub(crate) fn in_full(self) -> bool {
        self.turn || self.over || self.taken || self.rewound || self.ruled || self.digest
    }

    /// Whether it is for a reminder alone.
    pub(crate) fn reminds(self) -> bool {
        self.reminded && !self.is_news()
    }

    /// Whether it is for what others have written alone.
    pub(crate) fn only_words(self) -> bool {
        self.words && !self.reminded && !self.is_news()
    }
}

/// How the first option that is listed could be answered, by number and letter.
fn lettered(asked: &[Question]) -> String {
    let first = asked.iter().find(|question| !question.options.is_empty());
    first.map(|question| format!("{}{}", question.no, question.options[0].letter)).unwrap_or_default()
}
