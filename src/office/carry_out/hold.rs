//! Mails on hold: the answer shows how they were read, and a `yes` carries that out.
//!
//! A letter's proposal is stored next to the journal, under the mail that it answers, before the
//! letter is sent. So a crash loses nothing, and nobody but the host can make a proposal. The mail
//! that says `yes` is the one that the journal names.

use crate::{
    carry_out::{barred, fulfil, help, motions, order, trial, work::Work},
    error::OfficeError,
    game::Game,
    reading::{
        MOST_UNREAD, Origin,
        context::Context,
        marks::strange_mark,
        read::{self, Proposal, Reader},
        request::{Request, said},
        value::{Is, Order, ReadLine, Reading},
        whole::acting,
    },
    services::Services,
    transaction::{Transaction, reply::Reply},
};
use postrider_letters::{Block, Section};
use postrider_orders::{OptionRef, Phrase, counted};
use postrider_store::{Boilerplate, Kept, Proposed, Whose};
use postrider_table::{PromptId, Seat};
use std::ops::Range;

/// Maximum number of sentences that a proposal reads as one order.
const LONGEST_RUN: usize = 4;

/// Maximum number of questions that one answer explains.
const MOST_EXPLAINED: usize = 3;

/// Returns `true` if a mail is put on hold: a line was not understood, the player confirms every
/// order, or the mail concedes the game.
pub(crate) fn holds(game: &Game, reading: &Reading, work: &Work<'_>) -> bool {
    let confirmed = reading.lines.iter().any(|line| matches!(line.is, Is::Confirmed(_)));
    let confirms = game.pace(work.seat).confirm
        && matches!(work.from, Origin::Mail { .. })
        && !confirmed
        && (reading.orders().next().is_some() || reading.has(Request::is_motion));
    confirms || concedes(game, reading, work) || reading.unread().next().is_some()
}

/// Returns `true` if a mail concedes the game without having been confirmed, and its seat has not
/// conceded before.
fn concedes(game: &Game, reading: &Reading, work: &Work<'_>) -> bool {
    matches!(work.from, Origin::Mail { .. })
        && reading.has(|request| *request == Request::Concede)
        && !game.live.closed
        && !game.live.motions.has_conceded(game.live.seat_name(work.seat))
}

fn why_held(game: &Game, services: &Services, reading: &Reading, work: &Work<'_>, answered: bool) -> String {
    let unread = reading.unread().count();
    let acts = reading.lines.iter().any(ReadLine::acts);
    let nothing = if answered { "Nothing else was done" } else { "Nothing was done yet" };
    if concedes(game, reading, work) {
        let unread = if unread > 0 { ", and not all of your mail was understood" } else { "" };
        return format!("{nothing}{unread}. Do you concede? {}", motions::what_it_means(game, services, work.seat));
    }
    match unread {
        0 => format!("{nothing}: you confirm every order first (`confirm never` ends that)."),
        1 if acts => format!("{nothing}, because one line was not understood."),
        1 => format!("{nothing}: your mail was not understood."),
        lines => format!("{nothing}, because {lines} lines were not understood."),
    }
}

/// Returns the proposals for a line that was understood.
fn as_proposed(game: &Game, seat: Seat, line: &ReadLine) -> Vec<Proposal> {
    let mut all = Vec::new();
    match &line.is {
        Is::Orders(orders) => all.extend(orders.iter().map(|order| proposal(game, seat, order))),
        Is::Draft(lines) | Is::Confirmed(lines) => {
            all.extend(lines.iter().flat_map(|line| as_proposed(game, seat, line)));
        }
        // As shown: a later proposal is another one.
        Is::Command(Request::Vote(agrees, Some(n))) => {
            all.push((None, format!("{} {n}", if *agrees { "agree" } else { "disagree" })));
        }
        Is::Command(_) if line.acts() => all.push((None, line.text.trim_end_matches(['.', '!']).to_owned())),
        Is::Message(_) => all.push((None, line.text.clone())),
        _ => {}
    }
    all
}

/// Returns an order in the exact words of its question or, failing that, in the player's words.
fn proposal(game: &Game, seat: Seat, order: &Order) -> Proposal {
    let Some(understood) = order.understood() else { return (None, order.shown()) };
    let prompt = understood.prompt;
    let own = game.live.dyn_game.as_ref().and_then(|game| game.say(prompt, &understood.order));
    let same = |game: &Game, words: &str| {
        game.read_at(seat, prompt, &Phrase::new(words)).is_ok_and(|read| read.order == understood.order)
    };
    let words = own.filter(|words| same(game, words)).unwrap_or_else(|| order.phrase.text().to_owned());
    (Some(prompt), words)
}

/// Returns the orders that a line may mean although it was not understood, and its words that are
/// not part of them. Tries the line's sentences, then the nearest of the listed answers.
fn doubtful(
    game: &Game,
    seat: Seat,
    line: &ReadLine,
    why: &crate::reading::value::Unread,
    context: &Context,
) -> (Vec<Proposal>, Vec<String>) {
    // Two answers of which only one is meant are not split, nor is text next to marks that may
    // strike it out.
    let torn = why.whole || why.hint || strange_mark(line.text.trim_end_matches(['?', '!', '…'])).is_some();
    let (proposals, left_out) = match torn || game.live.started.is_none() {
        true => (why.sequence.iter().map(|order| proposal(game, seat, order)).collect(), Vec::new()),
        false => in_sentences(game, seat, &line.text, context),
    };
    if !proposals.is_empty() {
        return (proposals, left_out);
    }
    if !torn
        && !line.text.contains(['?', ':'])
        && let Some((understood, words)) = context.sheet.nearest(&Phrase::new(&line.text))
    {
        let order = Order::listed(&Phrase::new(&line.text), understood, words);
        if may_be_done(game, seat, &order) {
            return (vec![proposal(game, seat, &order)], Vec::new());
        }
    }
    (Vec::new(), vec![line.text.clone()])
}

/// Returns the orders in the sentences of a line that consist only of orders, and the other
/// sentences.
fn in_sentences(game: &Game, seat: Seat, line: &str, context: &Context) -> (Vec<Proposal>, Vec<String>) {
    let (mut proposals, mut left_out) = (Vec::new(), Vec::new());
    let all = sentences(line);
    let mut next = 0;
    while next < all.len() {
        let text = |to: usize| line[all[next].start..all[to - 1].end].trim();
        // A mark may be part of a name (`St. Louis`), so the longest readable run is taken.
        let mut runs = (next + 1..=all.len().min(next + LONGEST_RUN)).rev();
        let whole = runs.find_map(|to| {
            let orders = Reader::new(game, seat, context).orders(text(to)).ok()?;
            let letter = orders.iter().any(Order::is_letter);
            let meant = !letter || text(to) == line.trim_matches(|c: char| c.is_whitespace() || "?!.()".contains(c));
            (meant && orders.iter().all(|order| may_be_done(game, seat, order))).then_some((to, orders))
        });
        match whole {
            Some((to, orders)) => {
                proposals.extend(orders.iter().map(|order| proposal(game, seat, order)));
                next = to;
            }
            None => {
                left_out.push(text(next + 1).to_owned());
                next += 1;
            }
        }
    }
    // An order that ends a phase may have been meant to come after the words left out.
    let ends = proposals.iter().all(|(_, words)| game.says_enough(&Phrase::new(words)));
    if ends && !left_out.is_empty() { Default::default() } else { (proposals, left_out) }
}

/// Returns `true` if the rules accept an order, or if its question is not open.
fn may_be_done(game: &Game, seat: Seat, order: &Order) -> bool {
    let open = game.asked_of(seat, order.kind()).is_some();
    match (order.understood(), &game.live.dyn_game) {
        (Some(understood), Some(game)) => game.check(seat, understood.prompt, &understood.order).is_ok(),
        _ => !open && order.named && order.phrase.words().len() > 2,
    }
}

/// Separates unambiguous proposals from those whose question has another answer among the proposals
/// or in `unread` words, since either may be meant.
fn one_answer_each(
    game: &Game,
    seat: Seat,
    context: &Context,
    all: Vec<Proposal>,
    unread: &[String],
) -> (Vec<Proposal>, Vec<String>) {
    let repeats = game.live.opened.ruleset.repeats();
    let asked = game.asked().unwrap_or_default();
    let once = |prompt: PromptId| {
        asked.iter().any(|asked| asked.seat == seat && asked.id == prompt && !repeats.contains(&asked.kind))
    };
    let mut kept: Vec<Proposal> = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    let answers = |prompt: PromptId| kept.iter().filter(|(other, _)| *other == Some(prompt)).count();
    let twice = |prompt: &Option<PromptId>| prompt.is_some_and(|prompt| once(prompt) && answers(prompt) > 1);
    let (doubted, kept): (Vec<_>, Vec<_>) = kept.iter().cloned().partition(|(prompt, words)| {
        twice(prompt) || prompt.is_some() && unread.iter().any(|text| context.sheet.may_change(text, words))
    });
    (kept, doubted.into_iter().map(|(_, words)| words).collect())
}

/// Returns the reasons why proposed orders may not be carried out as written, as sentences with a
/// space before each.
fn cautioned(game: &Game, seat: Seat, proposals: &[Proposal]) -> String {
    let mut all: Vec<String> = Vec::new();
    for (prompt, words) in proposals {
        let Some(prompt) = prompt else { continue };
        let Ok(understood) = game.read_at(seat, *prompt, &Phrase::new(words)) else { continue };
        for said in trial::cautions(game, &understood).into_iter().chain(order::dangers(game, &understood)) {
            if !all.contains(&said) {
                all.push(said);
            }
        }
    }
    all.iter().map(|said| format!(" {said}")).collect()
}

/// Answers a mail on hold with its reading and the effect of a `yes`. Queries are answered.
pub(crate) fn hold(
    tx: &mut Transaction,
    services: &mut Services,
    reading: &Reading,
    mut work: Work<'_>,
) -> Result<Reply, OfficeError> {
    let (seat, from) = (work.seat, work.from);
    for (place, line) in reading.lines.iter().enumerate() {
        if let Is::Command(request) = &line.is
            && request.only_looks()
        {
            fulfil::fulfil(tx, services, (request.clone(), "", place), &mut work)?;
        }
        if matches!(line.is, Is::Withdrawn) {
            withdraw(tx, &mut work)?;
        }
    }
    let joins = reading.has(|request| matches!(request, Request::Join { .. }));
    let barred = match reading.orders().next().is_none() && concedes(tx, reading, &work) {
        true => barred::from_motions(tx, seat, from, work.access)?,
        false => barred::barred(tx, seat, from, work.access)?,
    }
    .filter(|_| !joins);
    let mut blocks = {
        let answered = work.reply.status || !work.reply.extra.is_empty();
        vec![Block::paragraph(why_held(tx, services, reading, &work, answered), 0)]
    };
    let questions = reading.unread().filter(|(line, _)| line.text.contains('?'));
    let unclear = questions.filter(|(_, why)| !why.hint && tx.live.started.is_some());
    let explained = unclear.filter_map(|(line, _)| help::asked_about(tx, &line.text)).take(MOST_EXPLAINED);
    work.reply.extra.extend(explained);
    let (shown, mut proposals, unread) = read_back(tx, seat, reading, &work.context);
    blocks.extend(shown);
    // The proposal of the answered letter can still be confirmed. A player who is asked to confirm
    // a concession and answers anything but `yes` is not asked again.
    let before = read::proposed_in(tx, seat, from);
    let again = before.as_ref().filter(|before| proposals.is_empty() && !unread.is_empty() && !gives_up(before));
    let other = |(_, words): &Proposal| unread.iter().any(|text| work.context.sheet.may_change(text, words));
    proposals.extend(again.into_iter().flat_map(|before| before.lines.clone()).filter(|one| !other(one)));
    let confirmed = reading.lines.iter().any(|line| matches!(line.is, Is::Confirmed(_)));
    let earlier = before.filter(|_| confirmed).map(|before| before.unread).unwrap_or_default();
    match barred {
        Some(why) => {
            work.reply.refused = Some(why.clone());
            blocks.push(Block::paragraph(why, 0));
        }
        None => blocks.extend(ask(tx, reading, &work, proposals, (unread, earlier))?),
    }
    work.reply.extra.insert(0, Section::of(blocks));
    work.reply.refused.get_or_insert_with(|| "nothing was done yet".to_owned());
    Ok(work.reply)
}

/// Asks the author to confirm the proposals or to use other words. `unread` are the lines that were
/// not understood, now and in an earlier letter.
fn ask(
    tx: &mut Transaction,
    reading: &Reading,
    work: &Work<'_>,
    proposals: Vec<Proposal>,
    (mut unread, earlier): (Vec<String>, Vec<String>),
) -> Result<Vec<Block>, OfficeError> {
    if proposals.is_empty() && reading.unread().all(|(_, why)| why.hint) {
        return Ok(Vec::new());
    }
    if proposals.is_empty() {
        let first = OptionRef { prompt: Some(1), choice: "a".to_owned() };
        let how = match work.context.sheet.pick(&first).is_ok() {
            true => "Please choose an answer below, or write your order in other words.",
            false => "Please write again. `help` explains how orders are written.",
        };
        return Ok(vec![Block::paragraph(how, 0)]);
    }
    let Origin::Mail { hash, .. } = work.from else {
        let words: Vec<String> = proposals.iter().map(|(_, words)| tx.seats.named(words)).collect();
        return Ok(vec![Block::paragraph(format!("It may be meant as: {}.", in_one_line(&words)), 0)]);
    };
    let skips = !unread.is_empty();
    // Lines shown in an earlier letter are not shown again.
    unread.extend(earlier);
    let cautions = cautioned(tx, work.seat, &proposals);
    let proposed = Proposed { whose: Whose::Seat(work.seat), mail: *hash, lines: proposals, unread };
    let (yes, does) = offer(tx, work.seat, proposed)?;
    let (without, footer) = match skips {
        true => (
            ", without what is not understood",
            format!(
                " If those lines are in all your mails, reply `{yes}, boilerplate`, and they are skipped from then on."
            ),
        ),
        false => ("", String::new()),
    };
    Ok(vec![
        Block::paragraph(format!("{does}{without}. Or write again.{footer}{cautions}"), 0),
        Block::Orders(vec![yes.to_owned()]),
    ])
}

/// Returns how each line was read, the orders that a `yes` would carry out, and the lines that were
/// not understood.
fn read_back(
    game: &Game,
    seat: Seat,
    reading: &Reading,
    context: &Context,
) -> (Vec<Block>, Vec<Proposal>, Vec<String>) {
    let (mut shown, mut proposals, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    let mut outside: Vec<String> = Vec::new();
    for line in &reading.lines {
        match &line.is {
            Is::Unread(why) => {
                unread.push(line.text.clone());
                if unread.len() > MOST_UNREAD {
                    outside.push(line.text.clone());
                    continue;
                }
                let (mine, left_out) = doubtful(game, seat, line, why, context);
                let mut says = vec![format!("Not understood. {}", why.why)];
                if !mine.is_empty() && !left_out.is_empty() {
                    let pieces: Vec<String> = left_out.iter().map(|piece| format!("“{piece}”")).collect();
                    says.push(format!("No part of an order: {}.", pieces.join(", ")));
                }
                shown.push(Block::Preview { pointed: why.pointed.clone(), says });
                proposals.extend(mine);
                outside.extend(left_out);
            }
            _ if line.acts() => {
                let mine = as_proposed(game, seat, line);
                let words: Vec<String> = mine.iter().map(|(_, words)| game.seats.named(words)).collect();
                let words = if words.is_empty() { vec![line.text.clone()] } else { words };
                shown.push(Block::Entry { text: format!("understood: {}", in_one_line(&words)), details: Vec::new() });
                proposals.extend(mine);
            }
            _ => {}
        }
    }
    if let more @ 1.. = unread.len().saturating_sub(MOST_UNREAD) {
        let text = format!("{} more were not understood either", counted(more, "line"));
        shown.push(Block::Entry { text, details: Vec::new() });
    }
    let (proposals, doubted) = one_answer_each(game, seat, context, proposals, &outside);
    if !doubted.is_empty() {
        let doubted: Vec<String> = doubted.iter().map(|words| format!("“{words}”")).collect();
        let text = format!("Left out, because your mail speaks of other answers, too: {}", doubted.join(", "));
        shown.push(Block::Entry { text, details: Vec::new() });
    }
    (shown, proposals, unread)
}

/// Offers a `yes` for the orders left over after a failed one, as far as they are still legal.
pub(crate) fn offer_left(tx: &mut Transaction, work: &Work<'_>) -> Result<Option<String>, OfficeError> {
    let Origin::Mail { hash, .. } = work.from else { return Ok(None) };
    let mut lines: Vec<Proposal> = Vec::new();
    for order in &work.left {
        let now = order::at_its_turn(tx, order, work);
        let waits = now.as_ref().is_ok_and(|(understood, _)| !order::dangers(tx, understood).is_empty());
        // An order that ends a phase may have been meant to follow the failed one, unless it was
        // itself waiting to be confirmed.
        if !waits && tx.says_enough(&order.phrase) {
            break;
        }
        let Ok((understood, _)) = now else { continue };
        let legal = tx.live.dyn_game.as_ref().map(|game| game.check(work.seat, understood.prompt, &understood.order));
        let again = lines.iter().any(|(prompt, _)| *prompt == Some(understood.prompt));
        if legal.is_some_and(|legal| legal.is_ok()) && !again {
            let (_, words) = proposal(tx, work.seat, order);
            lines.push((Some(understood.prompt), words));
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let whose = Whose::Seat(work.seat);
    let proposed = Proposed { whose, mail: *hash, lines, unread: Vec::new() };
    let (_, does) = offer(tx, work.seat, proposed)?;
    Ok(Some(format!("{does}.")))
}

/// Stores a proposal. Returns the word that confirms it and the sentence that offers it.
fn offer(tx: &mut Transaction, seat: Seat, proposed: Proposed) -> Result<(&'static str, String), OfficeError> {
    let yes = if read::reads_yes(tx, seat, &proposed.lines) { "confirm" } else { "yes" };
    let words: Vec<String> = proposed.lines.iter().map(|(_, words)| tx.seats.named(words)).collect();
    tx.keep(Kept::Proposed(proposed))?;
    Ok((yes, format!("Reply `{yes}` to carry out: {}", in_one_line(&words))))
}

/// Returns `true` if a `yes` would give the game up.
fn gives_up(proposed: &Proposed) -> bool {
    proposed.lines.iter().any(|(_, words)| said(words) == Some(Request::Concede))
}

/// Withdraws the proposals in the answered letter.
pub(crate) fn withdraw(tx: &mut Transaction, work: &mut Work<'_>) -> Result<(), OfficeError> {
    let Some(proposed) = read::proposed_in(tx, work.seat, work.from) else { return Ok(()) };
    let done = gives_up(&proposed) && tx.live.motions.has_conceded(tx.live.seat_name(work.seat));
    tx.keep(Kept::Proposed(Proposed { lines: Vec::new(), unread: Vec::new(), ..proposed }))?;
    let said = match done {
        true => "It was done already, as you confirmed: you have conceded.",
        false => "Nothing was done, and nothing of that letter can be confirmed any more.",
    };
    work.reply.notes.push(said.to_owned());
    Ok(())
}

/// Learns boilerplate: lines that were unread both in a mail and in the mail that confirms it mean
/// nothing, if the player says so.
pub(crate) fn learn_boilerplate(
    tx: &mut Transaction,
    reading: &Reading,
    from: &Origin<'_>,
    seat: Seat,
) -> Result<(), OfficeError> {
    let Some(proposed) = read::proposed_in(tx, seat, from) else { return Ok(()) };
    if !reading.lines.iter().any(|line| matches!(line.is, Is::Confirmed(_))) {
        return Ok(());
    }
    let (first, _) = acting(reading);
    for (at, line) in reading.lines.iter().enumerate() {
        let one = Boilerplate { above: at < first, line: line.text.clone() };
        let again = matches!(line.is, Is::Nothing) && proposed.unread.contains(&line.text);
        if again && !tx.secrets.boilerplate(seat).contains(&one) {
            tx.keep(Kept::Boilerplate(seat, one))?;
        }
    }
    Ok(())
}

/// Joins orders and messages into one line, with only the first line of each.
fn in_one_line(words: &[String]) -> String {
    let short = |words: &String| match words.split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => words.clone(),
    };
    words.iter().map(short).collect::<Vec<_>>().join("; then ")
}

/// Returns the sentences of a line, as byte ranges.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let ends = line.match_indices(['.', ';', '!', '?', '…']).map(|(at, mark)| (at, at + mark.len()));
    let mut from = 0;
    let all = ends.chain([(line.len(), line.len())]).map(|(end, next)| std::mem::replace(&mut from, next)..end);
    all.filter(|piece| !Phrase::new(&line[piece.clone()]).is_empty()).collect()
}
