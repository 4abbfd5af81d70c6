//! A player of the demonstration, who reads letters as text, picks a listed answer, and replies as
//! a mail program would.

use super::DemoError;
use chrono::{DateTime, Utc};
use mail_parser::MessageParser;
use postrider_dice::DiceStream;
use postrider_mailbox::Maildir;

/// The reply style of a mail program.
#[derive(Clone, Copy)]
enum Style {
    /// Above a quote, after an attribution line that may be wrapped.
    Gmail,
    /// Above an unquoted copy with its header.
    Outlook,
    /// Below a quote, before a signature.
    Mutt,
}

/// A letter as its reader sees it.
struct Letter {
    message_id: String,
    reply_to: String,
    subject: String,
    date: String,
    text: String,
}

/// A player who knows only the mails received.
pub struct Puppet {
    /// The player's name.
    pub name: String,
    /// The player's address.
    pub address: String,
    folder: Maildir,
    style: Style,
    /// The newest letter, until it is answered.
    newest: Option<Letter>,
    written: usize,
    /// Lines that the player writes before the first order.
    pub(super) first_words: Vec<String>,
    /// The chain of mails that led to the newest letter.
    pub(super) path: MailPath,
    /// `true` if the player accepts standing orders that letters offer.
    pub(super) accepts: bool,
    /// The number of the player's mails that were not understood at once.
    pub(super) held: usize,
}

/// A chain of dependent mails: each was written after a letter that the mail before caused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MailPath {
    /// The number of mails.
    pub mails: usize,
    /// The number of mails whose writer is not the writer of the mail before, including the first:
    /// how often one player waited for another.
    pub waits: usize,
    /// The seat number of the last writer.
    pub last: Option<usize>,
}

impl MailPath {
    /// Returns the chain with one more mail, written by seat `who`.
    pub fn and(self, who: usize) -> MailPath {
        let waits = self.waits + usize::from(self.last != Some(who));
        MailPath { mails: self.mails + 1, waits, last: Some(who) }
    }
}

/// A question as printed in a letter.
#[derive(Debug, PartialEq, Eq)]
struct Question {
    number: String,
    /// The letter and the words of each choice; no words if they do not fit on one line.
    choices: Vec<(String, Option<String>)>,
}

impl Puppet {
    /// Creates a player who keeps letters in `folder` and writes replies as one of three mail
    /// programs does, depending on the seat number.
    pub fn new(name: &str, seat: usize, folder: Maildir) -> Puppet {
        let style = [Style::Gmail, Style::Mutt, Style::Outlook][seat % 3];
        let address = format!("{}@example.net", name.to_lowercase());
        Puppet {
            name: name.to_owned(),
            address,
            folder,
            style,
            newest: None,
            written: 0,
            first_words: Vec::new(),
            path: MailPath::default(),
            accepts: false,
            held: 0,
        }
    }

    /// Stores a letter under its number and makes it the newest one.
    ///
    /// # Errors
    /// Returns a [`DemoError`] if the letter cannot be stored or parsed.
    pub fn get(&mut self, number: usize, raw: &[u8]) -> Result<(), DemoError> {
        self.folder.deliver(&format!("{number:06}"), raw)?;
        let parsed = MessageParser::default().parse(raw);
        let letter = parsed.and_then(|mail| {
            Some(Letter {
                message_id: mail.message_id()?.to_owned(),
                reply_to: mail.reply_to()?.first()?.address()?.to_owned(),
                subject: mail.subject()?.to_owned(),
                date: mail.date()?.to_rfc822(),
                text: mail.body_text(0)?.replace("\r\n", "\n"),
            })
        });
        self.held += usize::from(letter.as_ref().is_some_and(|letter| letter.text.contains("Nothing was done yet")));
        self.newest = Some(letter.ok_or_else(|| DemoError::NotAMail { player: self.name.clone(), number })?);
        Ok(())
    }

    /// Returns `true` if the newest letter asks for an answer.
    pub fn wants_to_write(&self) -> bool {
        self.newest.as_ref().is_some_and(|letter| {
            is_invitation(&letter.text) || confirmation(&letter.text).is_some() || !questions(&letter.text).is_empty()
        })
    }

    /// Answers the newest letter with the advice, or randomly if there is none. Returns `None` if
    /// there is no unanswered letter.
    pub fn write(&mut self, advice: Vec<String>, chance: &mut DiceStream, now: DateTime<Utc>) -> Option<Vec<u8>> {
        let letter = self.newest.take()?;
        let lines = if is_invitation(&letter.text) {
            vec![format!("join luck {} says {}", self.name.to_lowercase(), chance.below(1_000_000))]
        } else if let Some(yes) = confirmation(&letter.text) {
            vec![yes]
        } else if let Some(offer) = offer(&letter.text).filter(|_| self.accepts) {
            vec![offer.to_owned()]
        } else {
            let orders = if advice.is_empty() { answers(&questions(&letter.text), chance) } else { advice };
            std::mem::take(&mut self.first_words).into_iter().chain(orders).collect()
        };
        self.written += 1;
        let raw = self.reply(&letter, &lines, now);
        Some(raw.replace('\n', "\r\n").into_bytes())
    }

    fn reply(&self, letter: &Letter, lines: &[String], now: DateTime<Utc>) -> String {
        let Letter { message_id, reply_to, subject, date, text } = letter;
        let orders = lines.join("\n");
        let re = if subject.starts_with("Re: ") { subject.clone() } else { format!("Re: {subject}") };
        let own_id = format!("{}.{}@example.net", self.written, self.name.to_lowercase());
        let quoted: String = text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect();
        let body = match self.style {
            Style::Gmail => {
                // Gmail has its own date format, and may break the line before a long address.
                let at =
                    DateTime::parse_from_rfc2822(date).map(|at| at.format("%a, %b %-d, %Y at %-I:%M %p").to_string());
                let at = at.unwrap_or_else(|_| date.clone());
                format!("{orders}\n\nOn {at} Postrider\n<{reply_to}> wrote:\n\n{quoted}")
            }
            Style::Outlook => format!(
                "{orders}\n\n{}\n\n-----Original Message-----\nFrom: Postrider <{reply_to}>\nSent: {date}\nTo: {} <{}>\n\
                 Subject: {subject}\n\n{text}",
                self.name, self.name, self.address
            ),
            Style::Mutt => format!("On {date}, Postrider wrote:\n{quoted}\n{orders}\n\n-- \n{}\n", self.name),
        };
        format!(
            "From: {} <{}>\nTo: Postrider <{reply_to}>\nSubject: {re}\nDate: {}\nMessage-ID: <{own_id}>\n\
             In-Reply-To: <{message_id}>\nReferences: <{message_id}>\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{body}",
            self.name,
            self.address,
            now.to_rfc2822(),
        )
    }
}

/// Returns the words that confirm a proposal in a letter, if there is one. Lines that were not
/// understood are boilerplate.
fn confirmation(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let yes = ["yes", "confirm"].into_iter().find(|yes| text.contains(&format!("Reply `{yes}` to c")))?;
    let all = format!("{yes}, boilerplate");
    Some(if text.contains(&all) { all } else { yes.to_owned() })
}

/// Returns the standing order that a letter offers.
fn offer(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("     ").filter(|line| line.starts_with("standing ")))
}

fn is_invitation(text: &str) -> bool {
    text.contains("Answer `join luck`")
}

/// Returns the required questions of a letter that list choices.
fn questions(text: &str) -> Vec<Question> {
    let mut found: Vec<Question> = Vec::new();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.starts_with("ANSWER by replying")).collect();
    for (i, line) in lines.iter().enumerate() {
        if line.starts_with("YOU MAY") {
            break;
        }
        let indent = line.len() - line.trim_start().len();
        let words = line.trim_start();
        if indent == 2
            && let Some((number, _)) = words.split_once(". ").filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit()))
        {
            found.push(Question { number: number.to_owned(), choices: Vec::new() });
        } else if indent == 5
            && let Some((letter, rest)) = words.split_once("  ").filter(|(l, _)| is_letter(l))
            && let Some(question) = found.last_mut()
        {
            let rest = rest.trim_start();
            // Words that continue on the next line are not a complete order; after two spaces a
            // note begins.
            let goes_on = lines.get(i + 1).is_some_and(|next| next.starts_with("        ") && !rest.contains("  "));
            let words = (!goes_on).then(|| rest.split("  ").next().unwrap_or(rest).to_owned());
            question.choices.push((letter.to_owned(), words));
        }
    }
    found.retain(|question| !question.choices.is_empty());
    found
}

fn is_letter(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase())
}

/// Returns an answer to the first question or, one time in four, answers to all of them.
fn answers(questions: &[Question], chance: &mut DiceStream) -> Vec<String> {
    let all = chance.below(4) == 0;
    let mut lines = Vec::new();
    for question in questions.iter().take(if all { questions.len() } else { 1 }) {
        let choices = u32::try_from(question.choices.len()).unwrap_or(1);
        let (letter, words) = &question.choices[chance.below(choices) as usize];
        lines.push(match words.as_ref().filter(|_| chance.below(3) > 0) {
            Some(words) => words.clone(),
            None => format!("{}{letter}", question.number),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found_in_a_letter() {
        let text = "Ben, two things are asked of you.\n\n  1. Play or discard (rule 4.4B)\n     Odds are even.\n     \
                    a  play raid          then raid\n     b  a long order that goes on\n          in the next line\n  2. Evade\n     \
                    a  evade\n\nANSWER by replying\n     a  nothing\n";
        let found = questions(text);
        assert_eq!(found.len(), 2);
        let choice = |letter: &str, words: Option<&str>| (letter.to_owned(), words.map(str::to_owned));
        assert_eq!(found[0].choices, [choice("a", Some("play raid")), choice("b", None)]);
        assert_eq!(found[1].choices, [choice("a", Some("evade"))]);
    }
}
