//! Mails of directors. Queries are answered; actions are first shown and wait for a `yes`.

use crate::{
    admission::{
        outcome::Outcome,
        watcher_mail::{note_to, reply_to},
    },
    carry_out::directing::{self, looks},
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::{self, By},
        handled::{self, copies},
        watching::{self, ToWatcher},
    },
    post::settle,
    reading::directive::{Act, Directive},
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_letters::{Block, Section};
use postrider_mail::{Incoming, Note};
use postrider_orders::{People, Phrase, is_confirmation, is_courtesy, visible};
use postrider_store::{Kept, LetterId, Proposed, Watcher, Whose};
use std::collections::BTreeMap;

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
        Said::Orders(orders) => answer(tx, services, hash, director, orders, &mut reply)?,
    }
    settle::settle(tx, services, None)?;
    note_to(tx, services, director, &reply)?;
    tx.keep_written(BTreeMap::new(), Some(hash), copies(mail))?;
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
        lines if lines.len() > MOST_LINES || lines.iter().any(|line| line.text.chars().count() > LONGEST_LINE) => {
            let why = format!(
                "Nothing was done: a mail has {MOST_LINES} lines of at most {LONGEST_LINE} characters. Please send several mails."
            );
            return Said::Nothing(why);
        }
        _ => {}
    }
    let (mut orders, mut wrong) = (Vec::new(), Vec::new());
    for line in own {
        match (&line.marked, Directive::read(&line.text)) {
            (Some(marked), _) => wrong.push((line.text.clone(), marked.to_string())),
            (None, Ok(directive)) => orders.push((line.text.trim().to_owned(), directive)),
            (None, Err(_)) if yes(&line.text) => {
                wrong.push((line.text.clone(), "A `yes` is a mail of its own.".to_owned()));
            }
            (None, Err(why)) => wrong.push((line.text.clone(), format!("Not understood: {why}."))),
        }
    }
    if wrong.is_empty() { Said::Orders(orders) } else { Said::Unread(wrong) }
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

/// Answers orders: shows the results of queries, and asks for a `yes` to actions.
fn answer(
    tx: &mut Transaction,
    services: &mut Services,
    mail: Hash,
    director: &Watcher,
    orders: Vec<(String, Directive)>,
    reply: &mut ToWatcher,
) -> Result<(), OfficeError> {
    let by = By { name: &director.name, words: None };
    let (mut foreseen, mut acts, mut looked, mut wrong) = (Vec::new(), Vec::new(), Vec::new(), false);
    for (line, directive) in orders {
        let shown = match &directive {
            Directive::Look(look) if looked.contains(look) => continue,
            Directive::Look(look) => {
                looked.push(look.clone());
                looks::look(tx, services, (&director.name, &director.address), look)
            }
            Directive::Act(act) => directing::foresee(tx, services, &by, act),
        };
        let is_act = matches!(directive, Directive::Act(_));
        match shown {
            Ok(sections) if is_act => {
                foreseen.push(Section::paragraph(format!("`{}`", visible(&line))));
                foreseen.extend(sections);
                acts.push((None, line));
            }
            Ok(sections) => reply.extra.extend(sections),
            Err(NotDone::Refused(why)) => {
                wrong |= is_act;
                let says = vec![why.why];
                foreseen.push(Section::of([Block::Preview { pointed: vec![visible(&line).into_owned()], says }]));
            }
            Err(NotDone::Error(why)) => return Err(why),
        }
    }
    reply.extra.extend(foreseen);
    if wrong {
        reply.extra.push(Section::paragraph(
            "Nothing was done, and nothing of this mail can be confirmed. Please write again.",
        ));
    } else if !acts.is_empty() {
        let whole = if acts.len() == 1 { "this" } else { "all of this, in this order" };
        let said = format!("Nothing was done yet. To do {whole}, reply `yes` to this mail.");
        let whose = Whose::Director(director.name.clone());
        let proposed = Proposed { whose, mail, lines: acts, unread: Vec::new(), confirmed: None };
        tx.keep(Kept::Proposed(proposed))?;
        reply.extra.push(Section::of([Block::paragraph(said, 0), Block::Orders(vec!["yes".to_owned()])]));
    }
    Ok(())
}

/// Carries out the actions of the letter that a `yes` answers. Returns the number of orders carried
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
    let Some(proposed) = proposed_in(tx, mail, director) else {
        return note(reply, "the letter that you answer asks for no `yes`. Please answer the letter that asks for it.");
    };
    if proposed.confirmed.is_some_and(|(by, _)| by != hash) {
        return note(reply, "another mail of yours has confirmed this already.");
    }
    // From here on any other mail is too late, even if the program ends before all is done.
    let (_, first) = proposed.confirmed.unwrap_or((hash, tx.facts.directed.len()));
    tx.keep(Kept::Proposed(Proposed { confirmed: Some((hash, first)), ..proposed.clone() }))?;
    let words = directors::words(tx, &director.name, mail, line);
    let by = By { name: &director.name, words: Some(words) };
    let before = tx.facts.directed.iter().skip(first).filter(|one| **one == words).count();
    let (mut done, total, mut blocks) = (0, proposed.lines.len(), Vec::new());
    for (at, (_, line)) in proposed.lines.iter().enumerate() {
        let act: Option<Act> = match Directive::read(line) {
            Ok(Directive::Act(act)) => Some(act),
            _ => None,
        };
        let carried_out = match act {
            // The same mail carried it out before the program ended.
            _ if at < before => Ok("done".to_owned()),
            Some(act) => directing::carry_out(tx, services, &by, &act),
            None => Err(NotDone::why("It is not understood any more.")),
        };
        match carried_out {
            Ok(said) => {
                done += 1;
                blocks.push(Block::Entry { text: format!("done: `{}`", visible(line)), details: vec![said] });
            }
            Err(NotDone::Refused(why)) => {
                blocks.push(Block::Entry { text: format!("not done: `{}`", visible(line)), details: vec![why.why] });
                let left = proposed.lines[at + 1..].iter();
                blocks.extend(
                    left.map(|(_, line)| Block::Entry {
                        text: format!("left: `{}`", visible(line)),
                        details: Vec::new(),
                    }),
                );
                break;
            }
            Err(NotDone::Error(why)) => return Err(why),
        }
    }
    reply.extra.push(Section::of(blocks));
    Ok((done, total))
}

/// Returns the proposal of the letter that a mail answers. It is found by the mail that the letter
/// itself answered.
fn proposed_in(game: &Game, mail: &Incoming, director: &Watcher) -> Option<Proposed> {
    let (_, kind) = watching::watch_names(game, director);
    let answered = LetterId::answered_by(mail).find(|id| id.game == game.id)?;
    let start = answered.kind.strip_prefix(&kind)?.strip_prefix('-').filter(|start| start.len() >= 8)?;
    let whose = Whose::Director(director.name.clone());
    let mut all = game.secrets.proposed.iter().rev();
    all.find(|one| one.whose == whose && one.mail.text().as_str().starts_with(start)).cloned()
}
