//! Mails of directors. Queries are answered; actions are first shown and wait for a `yes`.

use crate::{
    admission::{outcome::Outcome, watcher_mail::reply_to},
    carry_out::directing::{self, looks},
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::{self, By},
        handled::{self, copies},
        watching::{self, ToWatcher},
    },
    reading::{
        directive::{Act, Directive, NoDirective},
        hints::Situation,
    },
    services::Services,
    transaction::Transaction,
};
use postrider_dice::{Hash, sha256};
use postrider_letters::{Block, Section, text};
use postrider_mail::{Incoming, Note};
use postrider_orders::{People, Phrase, is_confirmation, is_courtesy, visible, without_courtesies};
use postrider_store::{Answered, Directed, Kept, LetterId, Proposed, Watcher, Whose};
use postrider_table::PromptId;

/// Maximum number of lines that are read of a director's mail.
const MOST_LINES: usize = 20;

/// Maximum length of such a line, in characters.
const LONGEST_LINE: usize = 2_000;

/// The content of a director's mail.
enum Said {
    /// Nothing that can be read, with the reason.
    Nothing(String),
    /// A confirmation, `yes`, on this line.
    Yes(String),
    /// `no`.
    No,
    /// Orders, each with its line.
    Orders(Vec<(String, Directive)>),
    /// Lines that are not orders, each with the reason. The mail may contain orders too.
    Unread(Vec<(String, String)>),
}

/// Carries out a director's mail and answers it. `refused` is the reason if nothing of it is
/// allowed.
pub(crate) fn take_from_director(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash): (&Incoming, Hash),
    director: &Watcher,
    refused: Option<String>,
) -> Result<Outcome, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Outcome::Again);
    }
    let mut reply = reply_to(mail, hash);
    let (mut done, mut total) = (0, 0);
    let said = match refused {
        Some(why) => Said::Nothing(why),
        None => read(tx, mail),
    };
    match said {
        Said::Nothing(why) => reply.notes.push(why),
        Said::Unread(lines) => reply.extra.push(unread(&lines)),
        Said::Yes(line) => (done, total) = confirmed(tx, services, (mail, hash, &line), director, &mut reply)?,
        Said::No => withdrawn(tx, (mail, hash), director, &mut reply)?,
        Said::Orders(orders) => answer(tx, services, hash, director, orders, &mut reply)?,
    }
    tx.news.answer_watcher(director.clone(), reply);
    tx.news.beside.kept.push(handled::of(hash, copies(mail)));
    Ok(Outcome::Answered { done, total })
}

/// Parses the sender's own lines.
fn read(game: &Game, mail: &Incoming) -> Said {
    let text = match &mail.orders {
        Ok(text) => text,
        Err(why) => return Said::Nothing(format!("Nothing was done: {why}. Please write once more, in plain text.")),
    };
    if text.notes.contains(&Note::UnquotedCopy) {
        let why = "Nothing was done: your mail holds a copy of our letter that cannot be told from your own words. Please answer once \
                   more with your orders alone.";
        return Said::Nothing(why.to_owned());
    }
    let names = game.seats.players.iter().map(|player| &player.name);
    let people = People::new(names.chain(game.live.motions.directors().names()));
    let polite = |phrase: &Phrase| people.are_named_by(phrase) || is_courtesy(phrase, &people);
    let own: Vec<_> = { text.lines.iter() }.filter(|line| !polite(&Phrase::new(&line.text))).collect();
    let yes = |text: &str| is_confirmation(&Phrase::new(text), &people);
    match own.as_slice() {
        [] => {
            return Said::Nothing(
                "No order was found in your mail: nothing was done. `help` lists the orders.".to_owned(),
            );
        }
        [line] if line.marked.is_none() && yes(&line.text) => return Said::Yes(line.text.clone()),
        [line] if line.marked.is_none() && is_no(&line.text, &people) => return Said::No,
        lines if lines.len() > MOST_LINES || lines.iter().any(|line| line.text.chars().count() > LONGEST_LINE) => {
            let why = format!(
                "Nothing was done: a mail has {MOST_LINES} lines of at most {LONGEST_LINE} characters. Please send several mails."
            );
            return Said::Nothing(why);
        }
        _ => {}
    }
    let (mut orders, mut wrong) = (Vec::new(), Vec::new());
    // Courtesies are removed from queries (`status please`) only, not from orders that change the
    // game.
    let polite_look = |text: &str| {
        let looks = without_courtesies(&Phrase::new(text), &people).into_iter();
        looks.map(|form| Directive::read(form.text())).find(|read| matches!(read, Ok(Directive::Look(_))))
    };
    for line in own {
        let read = Directive::read(&line.text);
        let read = if read.is_ok() { read } else { polite_look(&line.text).unwrap_or(read) };
        match (&line.marked, read) {
            (Some(marked), _) => wrong.push((line.text.clone(), marked.to_string())),
            (None, Ok(directive)) => orders.push((line.text.trim().to_owned(), directive)),
            (None, Err(_)) if yes(&line.text) => {
                wrong.push((line.text.clone(), "A `yes` is a mail of its own.".to_owned()));
            }
            (None, Err(why)) => {
                let hint = Situation::of_director(game).hint(&line.text, &people, false);
                let said = match (why, hint) {
                    (NoDirective::Unknown | NoDirective::Like { .. }, Some(hint)) => hint,
                    (why @ NoDirective::Like { .. }, None) => format!("Not understood: {why}"),
                    (why, hint) => format!("Not understood: {why}. {}", hint.unwrap_or_default()).trim_end().to_owned(),
                };
                wrong.push((line.text.clone(), said));
            }
        }
    }
    if wrong.is_empty() { Said::Orders(orders) } else { Said::Unread(wrong) }
}

/// Returns `true` if a line only withdraws the orders that await a `yes`.
fn is_no(line: &str, people: &People) -> bool {
    let forms = without_courtesies(&Phrase::new(line), people);
    forms.iter().any(|form| matches!(form.plain().as_str(), "no" | "withdraw"))
}

/// Returns the answer to a mail with lines that were not understood.
fn unread(lines: &[(String, String)]) -> Section {
    let which = if lines.len() == 1 { "a line was" } else { "lines were" };
    let mut blocks = vec![Block::paragraph(format!("Nothing was done, because {which} not understood."), 0)];
    blocks.extend(lines.iter().map(|(line, why)| Block::Preview {
        pointed: vec![visible(line).into_owned()],
        says: vec![visible(why).into_owned()],
    }));
    blocks.push(Block::paragraph("Please send all of it again. `help` lists the orders.", 0));
    Section::of(blocks)
}

/// The effects of an order, as a letter shows them.
struct Foreseen {
    sections: Vec<Section>,
    /// It is refused, so it cannot be confirmed.
    refused: bool,
}

impl Foreseen {
    fn of(
        tx: &mut Transaction,
        services: &mut Services,
        director: &Watcher,
        (line, act): (&str, &Act),
    ) -> Result<Foreseen, OfficeError> {
        // The line that will give the order is not known yet; any digest marks the order as sent by
        // mail.
        let by = By { name: &director.name, words: Some(sha256(line.as_bytes())) };
        Ok(match directing::foresee(tx, services, &by, act) {
            Ok(effects) => {
                let sections = std::iter::once(Section::paragraph(format!("`{}`", visible(line)))).chain(effects);
                Foreseen { sections: sections.collect(), refused: false }
            }
            Err(why) => Foreseen { sections: vec![not_done(line, why)?], refused: true },
        })
    }

    fn digest(&self) -> Hash {
        sha256(text::render(&self.sections).as_bytes())
    }
}

/// A line with the reason for which it is refused.
fn not_done(line: &str, why: NotDone) -> Result<Section, OfficeError> {
    match why {
        NotDone::Refused(why) => {
            Ok(Section::of([Block::Preview { pointed: vec![visible(line).into_owned()], says: vec![why.why] }]))
        }
        NotDone::Error(why) => Err(why),
    }
}

/// Answers orders: shows the results of queries, and asks for a `yes` to an action.
fn answer(
    tx: &mut Transaction,
    services: &mut Services,
    mail: Hash,
    director: &Watcher,
    orders: Vec<(String, Directive)>,
    reply: &mut ToWatcher,
) -> Result<(), OfficeError> {
    let (mut acts, mut looked) = (Vec::new(), Vec::new());
    for (line, directive) in orders {
        match directive {
            Directive::Act(act) => acts.push((line, act)),
            Directive::Look(look) if looked.contains(&look) => {}
            Directive::Look(look) => {
                match looks::look(tx, services, (&director.name, &director.address), &look) {
                    Ok(sections) => reply.extra.extend(sections),
                    Err(why) => reply.extra.push(not_done(&line, why)?),
                }
                looked.push(look);
            }
        }
    }
    match acts.as_slice() {
        [] => Ok(()),
        [(line, act)] => {
            let foreseen = Foreseen::of(tx, services, director, (line, act))?;
            propose(tx, mail, director, line, foreseen, reply)
        }
        // The effects of the second cannot be shown before the first is done.
        [_, (second, _), ..] => {
            let why = "A mail holds one order that changes the game. Please send the others one after another.";
            reply.extra.push(unread(&[(second.clone(), why.to_owned())]));
            Ok(())
        }
    }
}

/// Asks for a `yes` to an order, unless it is refused.
fn propose(
    tx: &mut Transaction,
    mail: Hash,
    director: &Watcher,
    line: &str,
    foreseen: Foreseen,
    reply: &mut ToWatcher,
) -> Result<(), OfficeError> {
    let shown = foreseen.digest();
    reply.extra.extend(foreseen.sections);
    if foreseen.refused {
        reply.extra.push(Section::paragraph("Nothing was done, and nothing can be confirmed. Please write again."));
        return Ok(());
    }
    let said = "Nothing was done yet. To do this, reply `yes` to this mail; `no` withdraws it.";
    let lines = vec![(None, line.to_owned())];
    keep(tx, mail, lines, Directed { director: director.name.clone(), shown, answered: None })?;
    reply.extra.push(Section::of([Block::paragraph(said, 0), Block::Orders(vec!["yes".to_owned()])]));
    Ok(())
}

fn keep(
    tx: &mut Transaction,
    mail: Hash,
    lines: Vec<(Option<PromptId>, String)>,
    directed: Directed,
) -> Result<(), OfficeError> {
    Ok(tx.keep(Kept::Proposed(Proposed { whose: Whose::Director(directed), mail, lines, unread: Vec::new() }))?)
}

/// Withdraws the orders shown in the answered letter.
fn withdrawn(
    tx: &mut Transaction,
    (mail, hash): (&Incoming, Hash),
    director: &Watcher,
    reply: &mut ToWatcher,
) -> Result<(), OfficeError> {
    let why = match proposed_in(tx, mail, director) {
        None => "The letter that you answer asks for no `yes`: there is nothing to withdraw.",
        Some((_, Directed { answered: Some(Answered::Yes { mail, .. }), .. })) if mail != hash => {
            "It was done already, as you confirmed."
        }
        Some((proposed, directed)) => {
            keep(tx, proposed.mail, proposed.lines, Directed { answered: Some(Answered::No), ..directed })?;
            "Nothing was done, and nothing of that letter can be confirmed any more."
        }
    };
    reply.notes.push(why.to_owned());
    Ok(())
}

/// Carries out the order of the letter that a `yes` answers. Returns the number of orders carried
/// out and the total.
fn confirmed(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash, line): (&Incoming, Hash, &str),
    director: &Watcher,
    reply: &mut ToWatcher,
) -> Result<(usize, usize), OfficeError> {
    let note = |reply: &mut ToWatcher, why: &str| {
        reply.notes.push(format!("Nothing was done: {why}"));
        Ok((0, 0))
    };
    let Some((proposed, directed)) = proposed_in(tx, mail, director) else {
        return note(reply, "the letter that you answer asks for no `yes`. Please answer the letter that asks for it.");
    };
    let act = match &proposed.lines[..] {
        [(_, line)] => match Directive::read(line) {
            Ok(Directive::Act(act)) => Some((line.clone(), act)),
            _ => None,
        },
        _ => None,
    };
    let Some((order, act)) = act else {
        return note(reply, "its order is not understood any more. Please write again.");
    };
    let first = match directed.answered {
        Some(Answered::No) => return note(reply, "you have withdrawn it. Please order it once more."),
        Some(Answered::Yes { mail, .. }) if mail != hash => {
            return note(reply, "another mail of yours has confirmed this already.");
        }
        Some(Answered::Yes { before, .. }) => before,
        None => {
            let foreseen = Foreseen::of(tx, services, director, (&order, &act))?;
            if foreseen.digest() != directed.shown {
                note(reply, "the game has moved on, and your order would now do this instead.")?;
                propose(tx, hash, director, &order, foreseen, reply)?;
                return Ok((0, 0));
            }
            tx.facts.directed.len()
        }
    };
    // From here on any other mail is too late, even if the program ends before all is done.
    let answered = Some(Answered::Yes { mail: hash, before: first });
    keep(tx, proposed.mail, proposed.lines.clone(), Directed { answered, ..directed })?;
    let words = directors::words(tx, &director.name, mail, line);
    let by = By { name: &director.name, words: Some(words) };
    // The same mail may have carried it out before the program ended.
    let carried_out = match tx.facts.directed.iter().skip(first).any(|one| *one == words) {
        true => Ok("done".to_owned()),
        false => directing::carry_out(tx, services, &by, &act),
    };
    let (done, text, said) = match carried_out {
        Ok(said) => (1, "done", said),
        Err(NotDone::Refused(why)) => (0, "not done", why.why),
        Err(NotDone::Error(why)) => return Err(why),
    };
    let text = format!("{text}: `{}`", visible(&order));
    reply.extra.push(Section::of([Block::Entry { text, details: vec![said] }]));
    Ok((done, 1))
}

/// Returns the proposal of the letter that a mail answers. It is found by the mail that the letter
/// itself answered.
fn proposed_in(game: &Game, mail: &Incoming, director: &Watcher) -> Option<(Proposed, Directed)> {
    let (_, kind) = watching::watch_names(game, director);
    let answered = LetterId::answered_by(mail).find(|id| id.game == game.id)?;
    let start = answered.kind.strip_prefix(&kind)?.strip_prefix('-').filter(|start| start.len() >= 8)?;
    let his = |one: &Proposed| match &one.whose {
        Whose::Director(directed) if directed.director == director.name => Some((one.clone(), directed.clone())),
        _ => None,
    };
    let mut all = game.secrets.proposed.iter().rev();
    all.find_map(|one| his(one).filter(|_| one.mail.text().as_str().starts_with(start)))
}
