//! Taking mails and orders in: whose they are, what they say, what becomes of them.

mod answered;
mod plan;
mod propose;
mod request;
mod sheet;
mod standing;
mod understand;
mod waiting;

use self::{
    plan::{Clause, Line, What},
    propose::Proposal,
    request::{Request, Standing, said},
    understand::{Context, Reading, Unclear},
};
use super::session::{GameSession, Reply, refusal};
use crate::{
    dice::{Hash, sha256},
    journal::{Via, is_game_id, words_digest},
    letters::{Failed, Letter, OrderReport, Section, text},
    mail::{FoundToken, Incoming, Note, Token, check_sender, find_tokens, is_address},
    office::{
        error::{NotDone, OfficeError},
        misuse::Misuse,
        service::Office,
        services::Services,
    },
    orders::{Phrase, doubt, is_confirmation, list_and},
    replay::{FromMail, LiveFault},
    store::{Kept, OutgoingLetter, Pace, Player, Players, Proposed, Thread, TokenIssuer},
    table::{PromptId, Seat, Understood},
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More orders than these are not taken at once: each is read against all that its game knows.
const MOST_ORDERS: usize = 200;

/// No line of orders is longer, in characters.
const LONGEST_ORDER: usize = 2_000;

/// Of mails that carry no token of their sender so many of one seat are answered in an hour.
const MOST_TURNED_AWAY: usize = 4;

/// Why a mail beyond the limits is filed.
const TOO_MANY: &str = "beyond the number of mails that are answered in an hour";

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was filed in `mail/refused` and is not answered; the reason is for the host's log.
    Filed(String),
    /// It has been answered before; nothing was done.
    Again,
    /// It could not be handled, twice, and lies in `mail/poison` with the reason.
    Poison(String),
    /// It could not be taken in for now, and lies where it lay to be tried again; the reason is for the host's log.
    Kept(String),
    /// It was answered: how many of its orders were carried out, and how many there were.
    Answered {
        /// Carried out.
        done: usize,
        /// In all.
        total: usize,
    },
}

/// A mail that was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processed {
    /// The game it was for, where that could be told.
    pub game: Option<String>,
    /// Who wrote it.
    pub seat: Option<Seat>,
    /// What became of it.
    pub outcome: Outcome,
}

/// Where words come from.
pub(crate) enum From<'m> {
    Mail { mail: &'m Incoming, hash: Hash },
    Cli,
}

/// What the token of a mail opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// A question with this number; orders count as long as it is open.
    Question(PromptId),
    /// A question of play that a rewind has undone, or a letter from before it.
    Undone,
    /// A letter that asked nothing: everything but orders.
    Letterbox,
    /// The host himself.
    Host,
}

impl Office {
    /// Takes one raw message in. When this returns, what it decided is safe in the journal and the answers lie in the
    /// outbox; the message itself is no longer needed. One that cannot be handled is tried again and then put into `mail/poison`.
    ///
    /// # Errors
    /// [`OfficeError`]: the message should be tried again later.
    pub fn receive(&mut self, raw: &[u8]) -> Result<Processed, OfficeError> {
        match self.receive_once(raw) {
            Err(why) if why.is_of_one_mail() => {
                tracing::warn!(%why, "a mail is tried once more");
                self.close_games();
            }
            done => return done,
        }
        match self.receive_once(raw) {
            Err(why) if why.is_of_one_mail() => {
                tracing::error!(%why, "a mail is put into mail/poison");
                self.close_games();
                self.services.store.poison(raw, &why.to_string())?;
                Ok(Processed { game: None, seat: None, outcome: Outcome::Poison(why.to_string()) })
            }
            done => done,
        }
    }

    fn receive_once(&mut self, raw: &[u8]) -> Result<Processed, OfficeError> {
        let mail = match Incoming::parse(raw) {
            Ok(mail) => mail,
            Err(why) => return self.file(raw, why.to_string()),
        };
        if let Some(risk) = &mail.loop_risk {
            return self.file(raw, format!("written by a machine: {risk:?}"));
        }
        let Some(author) = mail.author() else { return self.file(raw, "no single author".to_owned()) };
        let hash: Hash = mail.sha256.parse().map_err(|_| OfficeError::Bug("a hash that is none".to_owned()))?;
        let tokens = find_tokens(&mail, &self.services.host.addresses);
        // Whoever cannot be written to cannot play.
        if !is_address(author) {
            return self.file(raw, "from an address that is none".to_owned());
        }
        // The index may name a game too many, never one too few: no other game need be opened.
        let his = self.services.store.games_of(author)?;
        let mut unopened = None;
        for found in &tokens {
            let games = match &found.game {
                Some(game) if his.contains(game) => std::slice::from_ref(game),
                Some(_) => &[],
                None => &his[..],
            };
            for game in games {
                let taken = self.with_session(game, |services, session| {
                    let others = services.host.settings.other_senders;
                    let Some((seat, access)) = session.admit(&mail, found.prompt_no, found.token, others) else {
                        return Ok(None);
                    };
                    if !session.is_handled(&mail, hash) && services.answers_too_many(&session.game, seat, author)? {
                        return Ok(Some((seat, Outcome::Filed(TOO_MANY.to_owned()))));
                    }
                    session.take(services, &mail, hash, seat, access).map(|outcome| Some((seat, outcome)))
                });
                match taken {
                    Ok(Some((seat, outcome))) => {
                        let processed = Processed { game: Some(game.clone()), seat: Some(seat), outcome };
                        return self.filed_if_silent(raw, processed);
                    }
                    Ok(None) | Err(OfficeError::NoGame(_)) => {}
                    Err(why) if found.game.is_some() => return Err(why),
                    Err(why) if why.is_fatal() => return Err(why),
                    // The mail may belong to another game, which must not suffer for this one.
                    Err(why) => {
                        tracing::error!(game, %why, "a game cannot be opened");
                        unopened = Some(why);
                    }
                }
            }
        }
        // It may be a good order to that game: it is nobody else's, and no stranger's.
        if let Some(why) = unopened {
            return Err(why);
        }
        let named = tokens.iter().find_map(|found| found.game.clone());
        for game in his.into_iter().filter(|game| named.as_ref().is_none_or(|named| named == game)) {
            let told = self.with_session(&game, |services, session| {
                let mine = |player: &&Player| player.by_mail() && check_sender(&mail, &player.address, false).is_ok();
                let Some(seat) = session.seats.players.iter().find(mine).map(|player| player.seat) else {
                    return Ok(None);
                };
                // Whoever forges his address has him told a few times, not for ever.
                let whose = format!("{} {seat} without a token", session.game);
                if !session.is_handled(&mail, hash)
                    && services.store.count_answer(&whose, services.environment.now().timestamp())? > MOST_TURNED_AWAY
                {
                    return Ok(Some((seat, Outcome::Filed(TOO_MANY.to_owned()))));
                }
                session.turn_away(services, &mail, hash, seat).map(|outcome| Some((seat, outcome)))
            });
            match told {
                Ok(Some((seat, outcome))) => {
                    return self.filed_if_silent(raw, Processed { game: Some(game), seat: Some(seat), outcome });
                }
                Ok(None) | Err(OfficeError::NoGame(_)) => {}
                Err(why) => return Err(why),
            }
        }
        if let Some((game, token)) = self.elsewhere(&mail, &tokens)? {
            let outcome = self.with_session(&game, |services, session| {
                session.wrong_address(services, &mail, hash, (author, token))
            })?;
            return self.filed_if_silent(raw, Processed { game: Some(game), seat: None, outcome });
        }
        tracing::info!(author = %crate::mail::Redacted(author), "a mail from nobody who plays here");
        self.file(raw, "from no address that plays here".to_owned())
    }

    /// Files a mail that is not answered because too many were.
    fn filed_if_silent(&self, raw: &[u8], processed: Processed) -> Result<Processed, OfficeError> {
        if let Outcome::Filed(why) = &processed.outcome {
            tracing::warn!(game = processed.game, why, "a mail is not answered");
            self.services.store.refuse(raw)?;
        }
        Ok(processed)
    }

    /// The game of whose letters a mail carries a token, and that token, found without opening any: from what is kept beside the journal. A token
    /// without a game's id comes with the Message-ID of the letter, which begins with it.
    fn elsewhere(&self, mail: &Incoming, tokens: &[FoundToken]) -> Result<Option<(String, Token)>, OfficeError> {
        let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
        let answered = ids.filter_map(|id| id.trim_start_matches('<').split('.').next()).find(|game| is_game_id(game));
        for found in tokens {
            let Some(game) = found.game.as_deref().or(answered) else { continue };
            if self.services.store.journal(game)?.is_none() {
                continue;
            }
            let kept = self.services.store.kept(game)?.kept;
            let rewinds = kept.iter().filter(|one| matches!(one, Kept::Rewound(_))).count() as u64;
            let issuer = TokenIssuer::new(game, self.services.key_seed);
            let was_made = |seat: Seat| {
                (0..=rewinds).any(|voided| issuer.token(seat, found.prompt_no, voided) == found.token)
                    || found.prompt_no == 0 && issuer.letterbox(seat) == found.token
            };
            if Players::of(&kept).players.iter().any(|player| was_made(player.seat)) {
                return Ok(Some((game.to_owned(), found.token)));
            }
        }
        Ok(None)
    }

    /// Takes in everything that lies in `mail/in`, oldest name first. What was taken in is removed; a mail for a game that cannot
    /// be opened stays, and keeps no other mail waiting.
    ///
    /// # Errors
    /// Any other [`OfficeError`]; what was not taken in still lies there.
    pub fn receive_all(&mut self) -> Result<Vec<Processed>, OfficeError> {
        let mut all = Vec::new();
        for mail in self.services.store.inbox()? {
            let raw = self.services.store.read(&mail)?;
            match self.receive(&raw) {
                Ok(processed) => {
                    all.push(processed);
                    self.services.store.taken_in(&mail)?;
                }
                // What is wrong with one game alone.
                Err(why) if why.is_of_one_game() => {
                    tracing::error!(%why, "a mail is kept and tried again");
                    all.push(Processed { game: None, seat: None, outcome: Outcome::Kept(why.to_string()) });
                }
                Err(why) => return Err(why),
            }
        }
        Ok(all)
    }

    /// Takes orders from the command line, a line each; gives the answer as text, and whether all of them were carried out.
    ///
    /// # Errors
    /// [`OfficeError`]; what was carried out before it is in the journal.
    pub fn order(&mut self, game: &str, seat: Seat, text: &str) -> Result<(String, bool), OfficeError> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let looks =
            lines.iter().any(|line| said(line) == Request::Preview) || lines.iter().all(|line| said(line).only_looks());
        let work = |services: &mut Services, session: &mut GameSession| {
            if seat.index() >= session.live.opened.seats.len() {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            let lines: Vec<Line<'_>> = (1..).zip(&lines).map(|(no, &text)| Line { text, no }).collect();
            let reply = session.work(services, seat, &lines, &From::Cli, Access::Host)?;
            if !looks {
                session.run_pending(services, None)?;
            }
            let (done, total) = reply.counts();
            let all = looks || reply.refused.is_none() && done == total;
            let view = match &mut session.live.dyn_game {
                Some(dyn_game) if reply.status => {
                    let view = dyn_game.view(Some(seat))?;
                    services.letters.view(session.live.opened.ruleset, view, &session.seats)?
                }
                _ => Vec::new(),
            };
            let letter = Letter {
                game: game.to_owned(),
                order_report: reply.order_report,
                notes: reply.notes,
                told: reply.extra,
                view,
                in_full: true,
                ..Letter::default()
            };
            Ok((text::render(&services.letters.spoken(&letter)?), all))
        };
        if looks { self.look_at(game, work) } else { self.with_session(game, work) }
    }

    fn file(&mut self, raw: &[u8], why: String) -> Result<Processed, OfficeError> {
        self.services.store.refuse(raw)?;
        Ok(Processed { game: None, seat: None, outcome: Outcome::Filed(why) })
    }
}

impl GameSession {
    /// Whose mail it is, if it comes from a registered address and carries a token made for that seat.
    fn admit(&self, mail: &Incoming, number: u32, token: Token, other_senders: bool) -> Option<(Seat, Access)> {
        let people = self.seats.players.iter().filter(|player| player.by_mail());
        let mine = people.filter(|player| check_sender(mail, &player.address, other_senders).is_ok());
        mine.map(|player| player.seat).find_map(|seat| {
            if self.token(seat, number) == token {
                Some((seat, Access::Question(number)))
            } else if self.was_token(seat, number, token) {
                Some((seat, Access::Undone))
            } else if number == 0 && self.tokens.letterbox(seat) == token {
                Some((seat, Access::Letterbox))
            } else {
                None
            }
        })
    }

    /// Whether this token was good for a question before a rewind.
    fn was_token(&self, seat: Seat, number: u32, token: Token) -> bool {
        (0..self.voided(number)).any(|voided| self.tokens.token(seat, number, voided) == token)
    }

    /// Tells whoever answers a player's letter from another address that nothing was done. It may be the player at another
    /// mail program or somebody else, so the answer tells nothing of the game and carries no token that is good for anything. For
    /// one token this is done once a day, whoever writes.
    fn wrong_address(
        &mut self,
        services: &Services,
        mail: &Incoming,
        hash: Hash,
        (author, token): (&str, Token),
    ) -> Result<Outcome, OfficeError> {
        if self.is_handled(mail, hash) {
            return Ok(Outcome::Again);
        }
        let day = services.environment.now().format("%F");
        let told_today = sha256(format!("{} {token} told on {day}", self.game).as_bytes());
        if self.secrets.handled.contains(&told_today) {
            return Ok(Outcome::Filed("of a wrong address, of which somebody was told today".to_owned()));
        }
        let is_player = self.seats.players.iter().any(|player| player.address.eq_ignore_ascii_case(author));
        let told = Section::paragraph(match is_player {
            true => {
                "Nothing was done: your mail names another sender (in its field Sender) than its author, as mails do that one \
                 account sends for another. Please send your orders from your own account, or ask the host to allow this."
            }
            false => {
                "Nothing was done: your mail answers a letter of this game, but does not come from the address to which that \
                 letter was sent, and orders count from that address alone. Please send them again from there."
            }
        });
        let (id, name) = (hash.to_string(), String::new());
        let to = Player { seat: Seat(0), name, address: author.to_owned(), salt: Hash([0; 32]), zone: None };
        let letter = OutgoingLetter {
            unique: format!("{}.elsewhere.{}", self.game, &id[..16]),
            kind: format!("elsewhere-{}", &id[..8]),
            subject: "Re: your mail was not taken".to_owned(),
            text: text::render(&[told]),
            html: None,
            picture: None,
            attached: Vec::new(),
            token: (0, Token::new([0; 16])),
            thread: Some(Thread::of(mail)),
            date: services.environment.now(),
        };
        self.send(services, &self.head(), &to, &letter)?;
        self.keep_written(BTreeMap::new(), Some(hash), copies(mail))?;
        self.keep_written(BTreeMap::new(), Some(told_today), None)?;
        Ok(Outcome::Answered { done: 0, total: 0 })
    }

    /// Whether a mail has been answered, be it another copy of it: the same Message-ID and the same words, whatever servers on
    /// another way have written above them. Whoever uses one Message-ID for two mails is not robbed of the second.
    fn is_handled(&self, mail: &Incoming, hash: Hash) -> bool {
        [Some(hash), copies(mail)].into_iter().flatten().any(|key| self.secrets.handled.contains(&key))
    }

    /// Does what an admitted mail says, and answers it.
    fn take(
        &mut self,
        services: &mut Services,
        mail: &Incoming,
        hash: Hash,
        seat: Seat,
        access: Access,
    ) -> Result<Outcome, OfficeError> {
        if self.is_handled(mail, hash) {
            return Ok(Outcome::Again);
        }
        self.take_waiting(services)?;
        let orders = mail.orders_beside(self.answered(services, mail, seat)?.as_ref());
        let mut reply = match &orders {
            Err(why) => {
                let note = format!(
                    "Nothing was done: {why}. Please answer once more, in plain text, with your orders above everything \
                     that your mail program quotes."
                );
                Reply { notes: vec![note], ..Reply::default() }
            }
            // Lines of our own letter would pass for orders: nothing is guessed.
            Ok(text) if text.notes.contains(&Note::UnquotedCopy) => {
                let note = "Nothing was done: your mail holds a copy of our letter that cannot be told from your own words. Please \
                            answer once more with your orders alone, or with the copy marked by `>`."
                    .to_owned();
                Reply { notes: vec![note], ..Reply::default() }
            }
            Ok(text) if text.lines.is_empty() => {
                let note =
                    "No order was found in your mail: nothing was done. Orders stand above the quoted letter, one a \
                            line."
                        .to_owned();
                Reply { notes: vec![note], ..Reply::default() }
            }
            Ok(text) => {
                let lines: Vec<Line<'_>> =
                    text.lines.iter().map(|line| Line { text: line.text.as_str(), no: line.line_no }).collect();
                let orders = self.holds_orders(services, seat, &lines, &From::Mail { mail, hash }, access)?;
                if orders && let Some(reply) = self.put_aside(services, seat, (mail, hash), &lines, access)? {
                    self.run_pending(services, Some((seat, reply)))?;
                    return Ok(Outcome::Answered { done: 0, total: 0 });
                }
                self.work(services, seat, &lines, &From::Mail { mail, hash }, access)?
            }
        };
        reply.notes.extend(orders.iter().filter_map(|text| answered::not_read(&text.unread)));
        address(&mut reply, mail, hash);
        let (done, total) = reply.counts();
        self.run_pending(services, Some((seat, reply)))?;
        Ok(Outcome::Answered { done, total })
    }

    /// Tells a player that his mail carried no token of his.
    fn turn_away(
        &mut self,
        services: &Services,
        mail: &Incoming,
        hash: Hash,
        seat: Seat,
    ) -> Result<Outcome, OfficeError> {
        if self.is_handled(mail, hash) {
            return Ok(Outcome::Again);
        }
        let told = Section::paragraph(
            "Nothing was done: your mail does not answer a letter that was written to you. Please answer the newest letter \
             of this game; it carries a mark, in the address to which you answer, by which your orders are known.",
        );
        let mut reply = Reply { extra: vec![told], ..Reply::default() };
        address(&mut reply, mail, hash);
        self.run_pending(services, Some((seat, reply)))?;
        Ok(Outcome::Answered { done: 0, total: 0 })
    }

    /// Does what the lines say, in order. What is not understood, refused or in doubt costs itself and what depends on it:
    /// what stands behind it in its line, what answers the same question, and what answers a question that the letter did not list.
    fn work(
        &mut self,
        services: &mut Services,
        seat: Seat,
        lines: &[Line<'_>],
        from: &From<'_>,
        access: Access,
    ) -> Result<Reply, OfficeError> {
        let mut reply = Reply::default();
        let begun = self.live.started.is_some();
        if let Some(line) = lines.iter().map(|line| line.text).find(|line| line.chars().count() > LONGEST_ORDER) {
            let start: String = line.chars().take(40).collect();
            reply.refused = Some(format!(
                "Nothing was done: the line that begins \"{start}\" has {} characters, and an order has {LONGEST_ORDER} at most. \
                 Please give your orders a line each.",
                line.chars().count()
            ));
            reply.notes.extend(reply.refused.clone());
            return Ok(reply);
        }
        let mut context = self.context(services, seat, from, access)?;
        let plan = self.planned(seat, lines, &context)?;
        let count: usize = plan.iter().map(|(_, what)| orders_in(what)).sum();
        if count > MOST_ORDERS {
            reply.refused = Some(format!(
                "Nothing was done: your mail holds {count} orders, and {MOST_ORDERS} is the most that is taken at once. Please send \
                 them in several mails."
            ));
            reply.notes.extend(reply.refused.clone());
            return Ok(reply);
        }
        let says = |wanted: &dyn Fn(&Request) -> bool| {
            plan.iter().any(|(_, what)| matches!(what, What::Office(request) if wanted(request)))
        };
        // Whoever wants a preview wants nothing to be done, wherever he says so.
        if says(&|request| *request == Request::Preview) {
            reply.extra = self.preview(seat, &plan, &context)?;
            return Ok(reply);
        }
        let mut barred = self.barred(seat, from, access)?;
        // Whoever takes an order back need not be asked anything now; that goes for nothing else in his mail.
        let backs_count = begun && !self.live.closed && access != Access::Undone;
        let takes_back = backs_count && says(&|request| *request == Request::Back);
        // Beside a `join` whatever else stands there is a greeting: no order is possible yet.
        let joins = !begun && says(&|request| matches!(request, Request::Join { .. }));
        if let Some(why) = barred.as_ref().filter(|_| count > 0 && !takes_back && !joins) {
            reply.refused = Some(why.clone());
            reply.notes.push(why.clone());
        }
        let mut work = Work::new(self.done_by(from));
        let mut backs_before = match from {
            From::Mail { hash, .. } => self.taken_back_by(*hash),
            From::Cli => 0,
        };
        let mut confirms = self.proposed_in(seat, from);
        let mut orderly = false;
        for (i, (line, what)) in plan.into_iter().enumerate() {
            let request = match what {
                What::Nothing => continue,
                What::Office(request) => request,
                What::Orders(_) if joins => continue,
                What::Orders(all) if barred.is_some() && !takes_back => {
                    if self.answers_newest(seat, from, access) {
                        for clause in
                            all.iter().filter(|clause| clause.doubt.is_none() && doubt(&clause.phrase).is_none())
                        {
                            let kept = self.keep_for_then(services, seat, (&clause.phrase, &context), from, i);
                            reply.notes.extend(kept.or_else(only_errors)?);
                        }
                    }
                    continue;
                }
                What::Orders(all) => {
                    orderly = true;
                    if let Some(why) = &barred {
                        work.report.total += all.len();
                        match work.report.failed {
                            Some(_) => work.report.left.push(line.to_owned()),
                            None => work.fail(Failed { pointed: vec![line.to_owned()], why: why.clone() }),
                        }
                        continue;
                    }
                    match confirms
                        .take_if(|_| matches!(&all[..], [one] if one.doubt.is_none() && is_confirmation(&one.phrase)))
                    {
                        Some(proposed) => {
                            self.confirm(services, seat, (&all[0].phrase, line), proposed, from, &mut work)?;
                        }
                        None => self.carry_out_line(services, seat, (all, line, i), from, &mut context, &mut work)?,
                    }
                    continue;
                }
            };
            orderly = true;
            match request {
                Request::Join { luck } => reply.notes.push(self.joining(services, seat, &luck, from)?),
                Request::Map => reply.extra.push(self.map_section(seat)?),
                Request::Status => {
                    reply.status = true;
                    if begun {
                        reply.notes.push(self.pace_in_words(seat));
                    }
                }
                Request::Confirm(confirm) => {
                    let pace = Pace { confirm, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Delay(delay) => {
                    let pace = Pace { delay, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Letters(letters) => {
                    let pace = Pace { letters, ..self.pace(seat) };
                    reply.notes.push(self.set_pace(seat, pace)?);
                }
                Request::Stop => reply.notes.push(self.stop_waiting(seat)?),
                Request::Help { subject } => {
                    reply.extra.extend(self.help(services, subject.as_ref())?);
                }
                Request::Standing(Standing::List) => reply.notes.push(self.list_standing(seat)),
                Request::Back if !backs_count => {}
                Request::Back => {
                    work.report.total += 1;
                    if work.report.failed.is_some() {
                        work.report.left.push(line.to_owned());
                    } else if backs_before > 0 {
                        backs_before -= 1;
                        work.report.done.push("back".to_owned());
                    } else {
                        let mail = match from {
                            From::Mail { hash, .. } => Some(*hash),
                            From::Cli => None,
                        };
                        let done = self.take_back(services, seat, mail);
                        work.note(line, done)?;
                        // What it asked is perhaps open again.
                        barred = self.barred(seat, from, access)?;
                        context = self.context(services, seat, from, access)?;
                    }
                }
                Request::Standing(standing) if barred.is_none() => {
                    work.report.total += 1;
                    let done = self.stand(services, seat, standing, from, i);
                    work.note(line, done)?;
                }
                Request::Standing(_) | Request::Preview | Request::Orders(_) => {}
            }
        }
        if !orderly && !joins {
            reply.notes.push("No order was found in your mail: nothing was done.".to_owned());
        }
        let Work { report, mut notes, proposals, .. } = work;
        notes.extend(self.propose(seat, from, &proposals)?);
        reply.notes.append(&mut notes);
        reply.order_report = (report.total > 0 && reply.refused.is_none()).then_some(report);
        Ok(reply)
    }

    /// Whether the lines hold orders, and are no preview.
    fn holds_orders(
        &mut self,
        services: &Services,
        seat: Seat,
        lines: &[Line<'_>],
        from: &From<'_>,
        access: Access,
    ) -> Result<bool, OfficeError> {
        if self.pace(seat).delay == 0 || self.live.started.is_none() {
            return Ok(false);
        }
        let context = self.context(services, seat, from, access)?;
        let plan = self.planned(seat, lines, &context)?;
        let previews =
            plan.iter().any(|(_, what)| matches!(what, What::Office(Request::Preview | Request::Stop | Request::Back)));
        Ok(!previews && plan.iter().any(|(_, what)| matches!(what, What::Orders(_))))
    }

    /// What the orders of a mail are read by.
    fn context(
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
            false => sheet::Sheet::default(),
        };
        let names = self.seats.players.iter().map(|player| player.name.clone()).collect();
        let all_known = matches!(from, From::Cli);
        Ok(Context { sheet, names, kinds: BTreeSet::new(), all_known })
    }

    /// The digests of the lines whose orders a mail has carried out already, before the service broke off.
    fn done_by(&self, from: &From<'_>) -> VecDeque<Option<Hash>> {
        match from {
            From::Mail { hash, .. } => {
                self.facts.mails.get(hash).map(|words| words.iter().copied().collect()).unwrap_or_default()
            }
            From::Cli => VecDeque::new(),
        }
    }

    /// Does what the orders of one line say.
    fn carry_out_line(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (all, line, place): (Vec<Clause>, &str, usize),
        from: &From<'_>,
        context: &mut Context,
        work: &mut Work,
    ) -> Result<(), OfficeError> {
        let mut failed = false;
        let sentences: Vec<String> = all.iter().skip(1).map(|clause| clause.phrase.line().to_owned()).collect();
        for (at, clause) in all.into_iter().enumerate() {
            // What stands behind a colon depends on what stands before it.
            let goes_on = sentences.get(at).is_some_and(|next| next == clause.phrase.line());
            let text = clause.phrase.text().to_owned();
            let enough = self.says_enough(&clause.phrase);
            if failed {
                work.report.total += 1;
                work.report.left.push(text);
                continue;
            }
            match work.was_done(self.words(seat, from, line), enough) {
                Before::Done => {
                    work.report.total += 1;
                    work.report.done.push(text);
                    continue;
                }
                Before::Unknown
                    if enough && work.before.front().is_some_and(Option::is_some) && clause.doubt.is_none() =>
                {
                    work.report.total += 1;
                    work.report.done.push(format!("{text} (nothing was left that it would end)"));
                    continue;
                }
                Before::Unknown => {
                    let why = "The service broke off over this mail. Please send again what has not been done.";
                    work.report.total += 1;
                    work.fail(Failed { pointed: vec![text], why: why.to_owned() });
                    failed = true;
                    continue;
                }
                Before::Not => {}
            }
            if enough
                && !work.report.done.is_empty()
                && clause.doubt.is_none()
                && self.read(seat, &clause.phrase).is_err()
            {
                work.report.total += 1;
                work.report.done.push(format!("{text} (nothing was left that it would end)"));
                continue;
            }
            match self.reading(seat, &clause, context) {
                Reading::Nothing => {}
                Reading::Order(understood, what) if !work.blocked.allows(&understood, &context.sheet) => {
                    work.report.total += 1;
                    work.report.left.push(text);
                    if !work.proposals.iter().any(|other| other.prompt == understood.prompt)
                        && context.sheet.asks(understood.prompt)
                    {
                        work.proposals.extend(self.proposal(seat, &understood, &clause.phrase));
                    }
                    let _ = what;
                    failed = true;
                }
                Reading::Order(understood, _) if self.pace(seat).confirm && matches!(from, From::Mail { .. }) => {
                    work.report.total += 1;
                    let why = "Every order of yours is confirmed first, as you wanted (`confirm never` ends that).";
                    work.fail(Failed { pointed: vec![text], why: why.to_owned() });
                    work.blocked.add(understood.prompt);
                    work.proposals.extend(self.proposal(seat, &understood, &clause.phrase));
                    failed = true;
                }
                Reading::Order(understood, what) => {
                    work.report.total += 1;
                    let (prompt, kind) = (understood.prompt, understood.kind);
                    match self.carry_out(services, seat, (&understood, line), from) {
                        Ok(()) => {
                            work.report.done.push(what);
                            context.kinds.insert(kind);
                        }
                        Err(NotDone::Error(why)) => return Err(why),
                        Err(NotDone::Refused(mut why)) => {
                            if why.pointed.is_empty() {
                                why.pointed.push(text);
                            }
                            work.fail(why);
                            work.blocked.add(prompt);
                            failed = true;
                        }
                    }
                }
                Reading::Unclear(Unclear { failed: why, about, proposal, chatter }) => {
                    // What comes after something that failed may depend on it.
                    let first = work.report.failed.is_none() && clause.label.is_none();
                    if first && clause.doubt.is_none() && doubt(&clause.phrase).is_none() {
                        let kept = self.keep_for_then(services, seat, (&clause.phrase, context), from, place);
                        if let Some(kept) = kept.or_else(only_errors)? {
                            work.report.total += 1;
                            work.report.done.push(kept);
                            continue;
                        }
                    }
                    if chatter && !goes_on {
                        work.notes.push(format!("Not read as an order: \"{text}\""));
                        continue;
                    }
                    work.report.total += 1;
                    work.fail(why);
                    match about {
                        Some(prompt) => work.blocked.add(prompt),
                        None => self.block_first(seat, &mut work.blocked)?,
                    }
                    work.proposals
                        .extend(proposal.filter(|new| !work.proposals.iter().any(|old| old.prompt == new.prompt)));
                    failed = true;
                }
            }
        }
        Ok(())
    }

    /// Orders may depend on one of which it is not known what it answers: those to the first question that waits, at least.
    fn block_first(&mut self, seat: Seat, blocked: &mut Blocked) -> Result<(), OfficeError> {
        let first = self.asked()?.into_iter().find(|asked| asked.seat == seat && asked.required);
        blocked.further = true;
        blocked.prompts.extend(first.map(|asked| asked.id));
        Ok(())
    }

    /// Carries out what a letter proposed and its reader has said yes to.
    fn confirm(
        &mut self,
        services: &Services,
        seat: Seat,
        (yes, line): (&Phrase, &str),
        proposed: Proposed,
        from: &From<'_>,
        work: &mut Work,
    ) -> Result<(), OfficeError> {
        let plainly = yes.words().first().is_some_and(|word| word.text.starts_with("confirm"));
        if !plainly && self.reads_yes(seat, &proposed.orders) {
            work.report.total += 1;
            let why = "This could answer the question itself, or confirm what that letter proposed. Please write `confirm`, or the \
                       order in words.";
            work.fail(Failed { pointed: vec![line.to_owned()], why: why.to_owned() });
            self.block_first(seat, &mut work.blocked)?;
            return Ok(());
        }
        for (prompt, words) in proposed.orders {
            work.report.total += 1;
            let shown = self.seats.named(&words);
            if work.report.failed.is_some() {
                work.report.left.push(shown);
                continue;
            }
            if matches!(work.was_done(self.words(seat, from, line), false), Before::Done) {
                work.report.done.push(shown);
                continue;
            }
            let done = match self.read_at(seat, prompt, &Phrase::new(&words)) {
                Ok(understood) => self.carry_out(services, seat, (&understood, line), from).map(|()| shown.clone()),
                Err(_) => Err(NotDone::why("What that letter proposed is no longer asked.")),
            };
            work.note(&shown, done)?;
            if work.report.failed.is_some() {
                work.blocked.add(prompt);
            }
        }
        Ok(())
    }

    /// Whether `yes` is an answer to an open question, and not the one that is proposed.
    fn reads_yes(&mut self, seat: Seat, proposed: &[(PromptId, String)]) -> bool {
        let Ok(yes) = self.read(seat, &Phrase::new("yes")) else { return false };
        let same = |session: &mut GameSession, (prompt, words): &(PromptId, String)| {
            session.read_at(seat, *prompt, &Phrase::new(words)).is_ok_and(|read| read == yes)
        };
        !matches!(proposed, [one] if same(self, one))
    }

    /// What the letter that is answered proposed: found by the mail which that letter answered.
    fn proposed_in(&self, seat: Seat, from: &From<'_>) -> Option<Proposed> {
        let From::Mail { mail, .. } = from else { return None };
        let start = format!("{}.{seat}.", self.game);
        let id = mail.in_reply_to.iter().chain(mail.references.iter().rev()).find(|id| id.starts_with(&start))?;
        let answered = id.split('@').next()?.rsplit('.').next()?.strip_prefix("re-")?;
        let mut all = self.secrets.proposed.iter().rev();
        all.find(|one| one.seat == seat && one.mail.hex().as_str().starts_with(answered)).cloned()
    }

    /// Whether a mail answers the newest letter that its writer has had.
    fn answers_newest(&self, seat: Seat, from: &From<'_>, access: Access) -> bool {
        let From::Mail { mail, .. } = from else { return access == Access::Host };
        let newest = self.secrets.written.get(&seat).map_or(0, |written| written.n);
        let ids = mail.in_reply_to.iter().chain(mail.references.iter().rev());
        let start = format!("{}.{seat}.", self.game);
        let answered = { ids }.find_map(|id| id.strip_prefix(&start)?.split('.').next()?.parse::<u64>().ok());
        access != Access::Undone && answered.is_some_and(|n| n >= newest)
    }

    /// Keeps what the answer to this mail proposes, and says it.
    fn propose(&mut self, seat: Seat, from: &From<'_>, proposals: &[Proposal]) -> Result<Option<String>, OfficeError> {
        if proposals.is_empty() {
            return Ok(None);
        }
        let words: Vec<String> = proposals.iter().map(|one| self.seats.named(&one.words)).collect();
        let words = words.join("; then ");
        let From::Mail { hash, .. } = from else { return Ok(Some(format!("Read as: {words}."))) };
        let orders: Vec<_> = proposals.iter().map(|one| (one.prompt, one.words.clone())).collect();
        let yes = if self.reads_yes(seat, &orders) { "confirm" } else { "yes" };
        self.keep(Kept::Proposed(Proposed { seat, mail: *hash, orders }))?;
        Ok(Some(format!("Read as: {words}. Reply {yes}.")))
    }

    /// Why orders do not count now, if they do not.
    fn barred(&mut self, seat: Seat, from: &From<'_>, access: Access) -> Result<Option<String>, OfficeError> {
        if self.live.closed {
            return Ok(Some("The game is over: no order was carried out.".to_owned()));
        }
        if self.live.started.is_none() {
            let what = "The game has not begun: no order was carried out.";
            return Ok(Some(match self.has_joined(seat) {
                true => format!("{what} {}", self.waiting()),
                false => format!("{what} To take your seat, answer with the one word `join` on a line of its own."),
            }));
        }
        let stale = match access {
            Access::Host => false,
            Access::Undone => {
                return Ok(Some(format!(
                    "No order was carried out: that letter is void, since {}. Please answer the newest letter, which may be \
                     this one.",
                    self.last_rewind()
                )));
            }
            Access::Letterbox => true,
            Access::Question(id) => !self.asked()?.iter().any(|asked| asked.seat == seat && asked.id == id),
        };
        // A mail that was carried out in part before a crash has closed its own question.
        let begun = matches!(from, From::Mail { hash, .. } if self.facts.mails.contains_key(hash));
        if !stale || begun {
            return Ok(None);
        }
        let asked = self.asked()?;
        if asked.iter().any(|asked| asked.seat == seat) {
            let why = "No order was carried out: what that letter asked is no longer open. Please answer the newest letter, \
                       which may be this one.";
            return Ok(Some(why.to_owned()));
        }
        let awaited = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
        let awaited: BTreeSet<Seat> = awaited.collect();
        let names: Vec<&str> =
            awaited.iter().filter_map(|&seat| Some(self.seats.player(seat)?.name.as_str())).collect();
        Ok(Some(format!(
            "No order was carried out: nothing is asked of you now. The game waits for {}.",
            list_and(&names)
        )))
    }

    /// Whether an order says no more than that its player has done enough: among several in a mail it may come to nothing.
    fn says_enough(&self, order: &Phrase) -> bool {
        let words = self.live.opened.ruleset.enough();
        words.iter().any(|word| order.text().eq_ignore_ascii_case(word))
    }

    /// The digest of a line of a mail, by which its writer can prove that an order is his.
    fn words(&self, seat: Seat, from: &From<'_>, line: &str) -> Option<Hash> {
        let From::Mail { mail, .. } = from else { return None };
        let id = mail.message_id.as_deref().unwrap_or_default();
        Some(words_digest(&self.game, self.live.seat_name(seat), id, [line]))
    }

    /// Gives an order to the rules; `line` is the line of the mail in which it stands.
    fn carry_out(
        &mut self,
        services: &Services,
        seat: Seat,
        (understood, line): (&Understood, &str),
        from: &From<'_>,
    ) -> Result<(), NotDone> {
        let (via, mail) = match (from, self.words(seat, from, line)) {
            (From::Mail { hash, .. }, Some(words)) => (Via::Mail, Some(FromMail { mail: *hash, words })),
            _ => (Via::Cli, None),
        };
        match self.decide(services, seat, understood, via, mail) {
            Ok(()) => Ok(()),
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                let id = sha256(format!("{} {} {line}", self.game, self.head().n).as_bytes()).to_string();
                Err(NotDone::why(self.seats.named(&refusal(&why, &id[..8]))))
            }
            Err(other) => Err(other.into()),
        }
    }

    fn joining(&mut self, services: &Services, seat: Seat, luck: &str, from: &From<'_>) -> Result<String, OfficeError> {
        if self.has_joined(seat) || self.live.started.is_some() {
            return Ok("You have joined already.".to_owned());
        }
        let mail = match from {
            From::Mail { hash, .. } => Some(*hash),
            From::Cli => None,
        };
        self.join(services, seat, luck, mail)?;
        if self.live.joined.iter().all(Option::is_some) {
            return Ok("You have joined, and so have all: the game begins.".to_owned());
        }
        Ok(format!("You have joined. {}", self.waiting()))
    }

    fn has_joined(&self, seat: Seat) -> bool {
        self.live.joined.get(seat.index()).is_some_and(Option::is_some)
    }

    /// Who has not joined yet.
    fn waiting(&self) -> String {
        let open = |player: &&Player| self.live.joined.get(player.seat.index()).is_some_and(Option::is_none);
        let names: Vec<&str> = self.seats.players.iter().filter(open).map(|player| player.name.as_str()).collect();
        format!(
            "The game begins when {} joined too.",
            match names.as_slice() {
                [one] => format!("{one} has"),
                several => format!("{} have", list_and(several)),
            }
        )
    }
}

/// What could not be kept was none to keep.
fn only_errors(why: NotDone) -> Result<Option<String>, OfficeError> {
    match why {
        NotDone::Refused(_) => Ok(None),
        NotDone::Error(why) => Err(why),
    }
}

/// What has become of the orders of a mail so far.
struct Work {
    report: OrderReport,
    /// Remarks, a paragraph each.
    notes: Vec<String>,
    proposals: Vec<Proposal>,
    blocked: Blocked,
    /// The lines whose orders were carried out before the service broke off.
    before: VecDeque<Option<Hash>>,
}

/// Whether an order was carried out before the service broke off.
enum Before {
    Done,
    Not,
    /// It was not, and something behind it was; or nobody can tell.
    Unknown,
}

/// What must not be answered any more in this mail, since it depends on an order that was not carried out.
#[derive(Default)]
struct Blocked {
    prompts: BTreeSet<PromptId>,
    /// Also questions that the letter did not list.
    further: bool,
}

impl Blocked {
    fn add(&mut self, prompt: PromptId) {
        self.prompts.insert(prompt);
        self.further = true;
    }

    fn allows(&self, order: &Understood, sheet: &sheet::Sheet) -> bool {
        !self.prompts.contains(&order.prompt) && (!self.further || sheet.asks(order.prompt))
    }
}

impl Work {
    fn new(before: VecDeque<Option<Hash>>) -> Work {
        let (report, notes, proposals) = (OrderReport::default(), Vec::new(), Vec::new());
        Work { report, notes, proposals, blocked: Blocked::default(), before }
    }

    /// Notes that something was not done. The first such order stands in the report, the others below it.
    fn fail(&mut self, failed: Failed) {
        match self.report.failed {
            None => self.report.failed = Some(failed),
            Some(_) => {
                let said = failed.pointed.first().map_or("", String::as_str);
                self.notes.push(format!("Not done either: \"{said}\". {}", failed.why));
            }
        }
    }

    /// Notes what became of a line.
    fn note(&mut self, line: &str, done: Result<String, NotDone>) -> Result<(), OfficeError> {
        match done {
            Ok(what) => self.report.done.push(what),
            Err(NotDone::Error(why)) => return Err(why),
            Err(NotDone::Refused(mut failed)) => {
                if failed.pointed.is_empty() {
                    failed.pointed.push(line.to_owned());
                }
                self.fail(failed);
            }
        }
        Ok(())
    }

    /// Whether the next order of a line with this digest was carried out by the same mail before. Journals from before version 2
    /// of the format have no digests: there words that may have come to nothing leave it open what stands behind them.
    fn was_done(&mut self, words: Option<Hash>, enough: bool) -> Before {
        match self.before.front() {
            None => Before::Not,
            Some(None) if enough => {
                self.before = VecDeque::from([Some(Hash([0; 32]))]); // no line has this digest
                Before::Unknown
            }
            Some(front) if front.is_none() || *front == words => {
                self.before.pop_front();
                Before::Done
            }
            Some(_) => Before::Unknown,
        }
    }
}

/// What is the same in every copy of a mail: its Message-ID (RFC 5322, 3.6.4), what it answers, its writer and his words. `None`
/// without a Message-ID or without words.
fn copies(mail: &Incoming) -> Option<Hash> {
    let (id, orders) = (mail.message_id.as_deref()?, mail.orders.as_ref().ok()?);
    let mut text = format!("{id}\n{}", mail.author().unwrap_or_default());
    for answered in &mail.in_reply_to {
        text.push('\n');
        text.push_str(answered);
    }
    for line in &orders.lines {
        text.push('\n');
        text.push_str(&line.text);
    }
    Some(sha256(text.as_bytes()))
}

fn address(reply: &mut Reply, mail: &Incoming, hash: Hash) {
    reply.mail = hash;
    reply.copies = copies(mail);
    reply.subject.clone_from(&mail.subject);
    reply.thread = Thread::of(mail);
}

/// How many orders a line holds.
fn orders_in(what: &What) -> usize {
    match what {
        What::Orders(all) => all.len(),
        What::Office(Request::Back) => 1,
        What::Office(Request::Standing(standing)) if *standing != Standing::List => 1,
        What::Office(_) | What::Nothing => 0,
    }
}
