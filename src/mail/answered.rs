//! Recognition of the original letter in a reply, independent of quote marks, line wrapping, and
//! the language of the reader's mail program.

use mail_parser::{MessageParser, PartType};
use std::sync::OnceLock;

use super::{flowed::Line, html};

/// Number of consecutive letters and digits that must agree to begin a match.
const SEED: usize = 12;

/// Maximum number of places in the letter at which a seed is tried; further ones are ignored.
const MOST_PLACES: usize = 48;

/// Minimum number of characters in a copy of the letter. Fewer may be an order copied from it.
const LEAST_COPY: usize = 150;

/// Minimum share of a short letter in a copy, in percent. It applies if it is less than
/// [`LEAST_COPY`].
const SHARE: usize = 60;

/// Maximum number of characters in the reply between two matches of one copy, such as answers and
/// link addresses.
const WIDEST_GAP: usize = 1_200;

/// Minimum length of a match at the edge of a copy, unless it directly adjoins the rest.
const SHORT: usize = 80;

/// Additional indentation, in spaces, by which a line continues the row above it.
const CONTINUED: usize = 4;

/// A letter of this service, prepared for recognition in replies.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its subject.
    pub(super) subject: String,
    text: Vec<char>,
    /// Its words in lower case, each between single spaces.
    words: String,
    /// The places in `text` at which a seed can begin, in the order of the seeds; those of equal
    /// seeds in the order of the text. Found when needed.
    places: OnceLock<Vec<u32>>,
    /// The start of each row in `text`. A row is a line and the lines that continue it.
    rows: Vec<usize>,
    /// The HTML version of the letter, which has more text and other lines. A reply quotes one of
    /// the two. Read when needed.
    html: OnceLock<Box<Answered>>,
    /// Its source, if there is one.
    page: Option<String>,
}

/// A part of the reply that equals a part of the letter. Ends are exclusive.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: usize,
    to: usize,
    /// Its start in the letter.
    of: usize,
}

impl Run {
    fn length(self) -> usize {
        self.to - self.at
    }

    fn of_end(self) -> usize {
        self.of + self.length()
    }
}

/// Returns the letters and digits of a text in lower case, which do not depend on the layout.
pub(super) fn essence(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Returns the words of a text in lower case, each between single spaces.
fn spaced(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |all, word| all + &word.to_lowercase() + " ")
}

/// Removes link addresses that mail programs write after a link's text, as in
/// `play raid <mailto:…>`. An address may span several lines.
#[derive(Default)]
struct Links {
    /// Number of lines of an address that has not ended yet.
    open: Option<usize>,
}

impl Links {
    /// Maximum number of lines of an address, so that one that never ends hides nothing.
    const LONGEST: usize = 40;

    fn without(&mut self, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut rest = text;
        if let Some(lines) = self.open.take() {
            match rest.find(['>', ']']) {
                Some(end) => rest = &rest[end + 1..],
                None if lines < Links::LONGEST && !rest.trim().is_empty() && !rest.trim().contains(' ') => {
                    self.open = Some(lines + 1);
                    return kept;
                }
                None => {}
            }
        }
        while let Some(at) = rest.find(['<', '[']) {
            let inner = &rest[at + 1..];
            let is_link = ["mailto:", "http://", "https://", "cid:", "div>", "/div>"]
                .iter()
                .any(|scheme| inner.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
            kept.push_str(&rest[..at]);
            if !is_link {
                kept.push_str(&rest[at..=at]);
                rest = inner;
                continue;
            }
            match inner.find(['>', ']']) {
                Some(end) => rest = &inner[end + 1..],
                None => {
                    self.open = Some(1);
                    return kept;
                }
            }
        }
        kept.push_str(rest);
        kept
    }
}

impl Answered {
    /// Reads a letter as it was sent, both its text and its HTML, because programs quote either.
    /// Returns `None` if it is not a message or has no text.
    pub fn parse(raw: &[u8]) -> Option<Answered> {
        let message = MessageParser::default().parse(raw)?;
        let page = message.parts.iter().find_map(|part| match &part.body {
            PartType::Html(page) => Some(page.to_string()),
            _ => None,
        });
        let subject = message.subject().unwrap_or_default().to_owned();
        Some(Answered { subject, page, ..Answered::new(&message.body_text(0)?) })
    }

    fn new(text: &str) -> Answered {
        let words = spaced(text);
        let (mut rows, mut indent, mut at) = (Vec::new(), 0, 0);
        for line in text.lines() {
            let own = line.len() - line.trim_start().len();
            if rows.is_empty() || own < indent + CONTINUED {
                rows.push(at);
                indent = own;
            }
            at += essence(line).count();
        }
        let text = essence(text).collect();
        let (places, html) = (OnceLock::new(), OnceLock::new());
        Answered { subject: String::new(), text, words, places, rows, html, page: None }
    }

    fn html(&self) -> Option<&Answered> {
        let page = self.page.as_ref()?;
        Some(self.html.get_or_init(|| {
            let lines = html::lines(page);
            let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            Box::new(Answered::new(&lines.join("\n")))
        }))
    }

    /// Returns `true` if the letter contains these consecutive words, or if there are none.
    pub(super) fn holds(&self, text: &str) -> bool {
        let letters: Vec<char> = essence(text).collect();
        let here = match letters.len() {
            0..SEED => self.words.contains(&spaced(text)),
            length => self.text.windows(length).any(|part| part == letters),
        };
        here || self.html().is_some_and(|html| html.holds(text))
    }

    /// Returns `true` for each line that is copied from the letter.
    ///
    /// A line of the letter outside the copy of the whole letter is the sender's: an order in the
    /// words of the letter.
    pub(super) fn copied(&self, lines: &[Line]) -> Vec<bool> {
        let reply: Vec<char> = lines.iter().flat_map(|line| essence(&line.text)).collect();
        if reply.len() < SEED {
            return vec![false; lines.len()];
        }
        let matched = |letter: &Answered| letter.runs(&reply, |_| false).iter().map(|run| run.length()).sum::<usize>();
        match self.html() {
            Some(html) if matched(html) > matched(self) => html.copied_of_one(lines),
            _ => self.copied_of_one(lines),
        }
    }

    /// Compares the reply with one version of the letter.
    fn copied_of_one(&self, lines: &[Line]) -> Vec<bool> {
        let mut reply: Vec<char> = Vec::new();
        let mut starts = Vec::with_capacity(lines.len() + 1);
        let mut links = Links::default();
        // Lines that contain only a link address.
        let mut link_alone = vec![false; lines.len()];
        for (line, alone) in lines.iter().zip(&mut link_alone) {
            starts.push(reply.len());
            let text = links.without(&line.text);
            reply.extend(essence(&text));
            *alone = text.len() < line.text.len() && essence(&text).next().is_none();
        }
        starts.push(reply.len());
        let line_of = |at: usize| starts.partition_point(|&start| start <= at).saturating_sub(1);
        let mut copied = vec![false; lines.len()];
        let mut covered = vec![0; lines.len()];
        // `true` for each line that continues a match from the line before it.
        let mut goes_on = vec![false; lines.len()];
        let is_marked = |at: usize| lines[line_of(at)].depth > 0;
        for copy in self.copies(&self.runs(&reply, is_marked), |run| is_marked(run.at)) {
            let (Some(first), Some(last)) = (copy.first(), copy.last()) else { continue };
            for at in line_of(first.at)..=line_of(last.to - 1) {
                copied[at] |= link_alone[at];
            }
            for run in &copy {
                for at in line_of(run.at)..=line_of(run.to - 1) {
                    covered[at] += run.to.min(starts[at + 1]).saturating_sub(run.at.max(starts[at]));
                    goes_on[at] |= run.at < starts[at] && run.to > starts[at];
                }
            }
        }
        for at in 0..lines.len() {
            let length = starts[at + 1] - starts[at];
            // A line that is only partly copied is not a copy, because the sender may have added
            // words.
            copied[at] |= covered[at] > 0 && covered[at] == length;
        }
        // If there are quote marks both above and below, an unmarked line is not quoted, even if
        // its words are in the letter. Exception: the end of a quoted line that was wrapped
        // continues at the point where that line stopped. In an unmarked copy, such lines follow
        // each other.
        let runs_on = |at: usize| goes_on[at] || goes_on.get(at + 1).is_some_and(|&on| on);
        let bare = |at: usize| lines[at].depth == 0 && copied[at] && runs_on(at);
        // Returns `Some` for a line that can delimit a copy, with `true` if it has a quote mark. It
        // is used for the nearest such line above and below each line.
        let marked = |at: usize| {
            let edge = copied[at] && (lines[at].depth > 0 || bare(at));
            edge.then(|| lines[at].depth > 0 || (goes_on[at] && at > 0 && lines[at - 1].depth > 0))
        };
        let nearest = |order: &mut dyn Iterator<Item = usize>| {
            let mut last = false;
            let mut found = vec![false; lines.len()];
            for at in order {
                found[at] = last;
                last = marked(at).unwrap_or(last);
            }
            found
        };
        let above = nearest(&mut (0..lines.len()));
        let below = nearest(&mut (0..lines.len()).rev());
        let own: Vec<usize> = (0..lines.len())
            .filter(|&at| lines[at].depth == 0 && copied[at] && !bare(at) && above[at] && below[at])
            .collect();
        for at in own {
            copied[at] = false;
        }
        copied
    }

    /// Returns the first places in the letter at which this seed begins.
    fn places_of(&self, seed: &[char]) -> &[u32] {
        let at = |place: u32| &self.text[place as usize..][..SEED];
        let places = self.places.get_or_init(|| {
            let last = self.text.len().saturating_sub(SEED - 1);
            let mut places: Vec<u32> = (0..u32::try_from(last).unwrap_or(u32::MAX)).collect();
            places.sort_by_key(|&place| at(place));
            places
        });
        let from = places.partition_point(|&place| at(place) < seed);
        let all = &places[from..];
        &all[..all.partition_point(|&place| at(place) == seed).min(MOST_PLACES)]
    }

    /// Returns the longest parts that agree in both, in the order of the reply. `is_marked` returns
    /// `true` if the character at a position is in a quoted line.
    fn runs(&self, reply: &[char], is_marked: impl Fn(usize) -> bool) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut at = 0;
        while at + SEED <= reply.len() {
            let places = self.places_of(&reply[at..at + SEED]);
            let before = runs.last().map_or(0, |run| run.of_end());
            let best = places.iter().map(|&of| {
                let of = of as usize;
                let length = reply[at..].iter().zip(&self.text[of..]).take_while(|(a, b)| a == b).count();
                // Of two matches of equal length, prefer the one that continues the last match.
                (length, of >= before, std::cmp::Reverse(of), of)
            });
            match best.max() {
                Some((length, _, _, of)) => {
                    // This match repeats the end of the match before it and continues from there.
                    // One of the two is the sender's: the one without quote marks if only one has
                    // them, otherwise the repetition. If it repeats more than that match, it starts
                    // again.
                    let mut again = before.saturating_sub(of);
                    if again >= SHORT.min(length) || runs.last().is_none_or(|last| again > last.length()) {
                        again = 0;
                    }
                    if let Some(last) =
                        runs.last_mut().filter(|last| again > 0 && is_marked(at) && !is_marked(last.to - 1))
                    {
                        last.to -= again;
                        again = 0;
                    }
                    let mut run = Run { at: at + again, to: at + length, of: of + again };
                    // The first characters of a copy may have matched as the end of a shorter
                    // match.
                    while let Some(last) =
                        runs.last_mut().filter(|last| last.to == run.at && last.length() < run.length())
                        && run.of > 0
                        && last.length() > 0
                        && reply[run.at - 1] == self.text[run.of - 1]
                    {
                        (last.to, run.at, run.of) = (last.to - 1, run.at - 1, run.of - 1);
                    }
                    runs.pop_if(|last| last.length() == 0);
                    runs.push(run);
                    at += length;
                }
                None => at += 1,
            }
        }
        runs
    }

    /// Returns the copies of the letter, or of parts of it, in the reply.
    fn copies(&self, runs: &[Run], is_marked: impl Fn(&Run) -> bool) -> Vec<Vec<Run>> {
        let mut chains: Vec<Vec<Run>> = Vec::new();
        for &run in runs {
            let last = chains.last().and_then(|chain| chain.last());
            let near = |last: &&Run| run.of >= last.of_end().saturating_sub(SEED) && run.at - last.to <= WIDEST_GAP;
            match last.filter(near).map(|last| run.of_end() > last.of_end()) {
                Some(true) => chains.last_mut().into_iter().for_each(|chain| chain.push(run)),
                // It repeats the end of the match before it.
                Some(false) => {}
                None => chains.push(vec![run]),
            }
        }
        chains.iter_mut().for_each(trim);
        let size = |chain: &[Run]| chain.iter().map(|run| run.length()).sum::<usize>();
        let least = LEAST_COPY.min(self.text.len() * SHARE / 100).max(SEED);
        let largest = (0..chains.len()).max_by_key(|&at| size(&chains[at])).unwrap_or_default();
        let mut in_largest = vec![false; self.text.len()];
        for run in chains.get(largest).into_iter().flatten() {
            in_largest[run.of..run.of_end()].fill(true);
        }
        let is_copy = |at: usize, chain: &[Run]| {
            // A list of orders in the words of the letter omits the text between them. A program
            // omits nothing, and copies more than one row.
            let row_of = |at: usize| self.rows.partition_point(|&begins| begins <= at);
            let rows = chain.first().zip(chain.last()).map(|(first, last)| row_of(first.of)..row_of(last.of_end() - 1));
            if unbroken(chain) < least || rows.is_none_or(|rows| rows.is_empty()) {
                return false;
            }
            // An unmarked part whose words are also in a larger copy is the sender's, who copied it
            // from the letter.
            let marked: usize = chain.iter().filter(|run| is_marked(run)).map(|run| run.length()).sum();
            let shared =
                || chain.iter().flat_map(|run| &in_largest[run.of..run.of_end()]).filter(|&&held| held).count();
            let own = size(chain);
            let copied_out =
                at != largest && marked * 2 <= own && size(&chains[largest]) > own * 2 && shared() * 10 >= own * 8;
            !copied_out
        };
        let kept: Vec<bool> = chains.iter().enumerate().map(|(at, chain)| is_copy(at, chain)).collect();
        chains.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(chain, _)| chain).collect()
    }
}

/// Removes short matches at both ends that do not adjoin the next match.
fn trim(chain: &mut Vec<Run>) {
    let apart = |one: Run, next: Run| next.of.saturating_sub(one.of_end()) > SEED;
    while chain.len() > 1 && chain[0].length() < SHORT && apart(chain[0], chain[1]) {
        chain.remove(0);
    }
    while chain.len() > 1 {
        let last = chain[chain.len() - 1];
        if last.length() >= SHORT || !apart(chain[chain.len() - 2], last) {
            break;
        }
        chain.pop();
    }
}

/// Returns the length of the longest part of the letter that a chain contains without a gap.
fn unbroken(chain: &[Run]) -> usize {
    let (mut longest, mut current, mut end) = (0, 0, usize::MAX);
    for run in chain {
        let goes_on = run.of.abs_diff(end) <= 2;
        current = if goes_on { current + run.length() } else { run.length() };
        longest = longest.max(current);
        end = run.of_end();
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowed::{Format, lines};

    const TEXT: &str = "Ben, it is your Round. Two things are asked of you, by Thursday.\n\n\
        WHAT IS ASKED\n  1. Play or discard a Shaman Card\n     a  play raid          then raid with a Raider tribe\n\
        \x20    b  discard raid       ends your Round\n  2. Anna offers a Treaty: the Navajo go On Reservation\n\
        \x20    a  accept treaty navajo\n     b  refuse treaty navajo\n\nANSWER by replying; write your orders above this line.\n\
        Check it: postrider verify lone-pine.jsonl\n";

    fn letter() -> Answered {
        Answered::new(TEXT)
    }

    fn outside(reply: &str) -> Vec<String> {
        let lines = lines(reply, Format::Fixed);
        let copied = letter().copied(&lines);
        let own = lines.iter().zip(copied).filter(|(line, copied)| !copied && !line.is_blank());
        own.map(|(line, _)| line.text.clone()).collect()
    }

    #[test]
    fn a_copy_is_seen_however_it_was_wrapped_and_marked() {
        let words: Vec<&str> = TEXT.split_whitespace().collect();
        for width in [30, 51, 76, 400] {
            for mark in ["", "> ", "| ", "   "] {
                let copy: Vec<String> =
                    textwrap::wrap(&words.join(" "), width).into_iter().map(|line| format!("{mark}{line}")).collect();
                let reply = format!("discard raid\n\n{}\n\nrefuse treaty navajo\n", copy.join("\n"));
                assert_eq!(outside(&reply), ["discard raid", "refuse treaty navajo"], "{width} {mark:?}");
            }
        }
    }

    #[test]
    fn addresses_of_links_are_no_words() {
        let link =
            "<mailto:postrider+lone-pine.q41.ljnfuws2ljnfuws2ljnfuws2li@play.example.org?subject=Re%3A%20x&body=order>";
        for link in
            [link.to_string(), link.replace("ws2l", "ws2\nl"), format!("\n{link}"), link.replace("&body", "\n&body")]
        {
            let copy = TEXT.replace("raid ", &format!("raid {link} ")).replace("navajo\n", &format!("navajo{link}\n"));
            assert_eq!(outside(&format!("discard raid\n\n{copy}\n\nsee you\n")), ["discard raid", "see you"], "{link}");
        }
    }

    #[test]
    fn a_letter_is_known_by_its_html_too() {
        let raw = b"From: Postrider <p@x.org>\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nShort.\r\n--b\r\n\
            Content-Type: text/html\r\n\r\n<table><tr><td>All that is asked of you stands here, and in the text it does not.</td></tr>\
            <tr><td>A Treaty with the Navajo is offered; it would put them On Reservation.</td></tr></table>\r\n--b--\r\n";
        let reply = "pass\n\nAll that is asked of you stands here, and in the\ntext it does not.\nA Treaty with the Navajo is offered; it\nwould put them On Reservation.\n";
        let copied = Answered::parse(raw).unwrap().copied(&lines(reply, Format::Fixed));
        assert_eq!(copied, [false, false, true, true, true, true]);
    }

    #[test]
    fn orders_in_the_words_of_the_letter_are_the_senders() {
        let orders = ["b  discard raid       ends your Round", "     b  refuse treaty navajo"];
        let alone = orders.join("\n");
        assert_eq!(outside(&alone), orders);
        assert_eq!(outside(&format!("{alone}\n\n{TEXT}")), orders);
        assert_eq!(outside(&format!("{alone}\n\n{}", TEXT.replace('\n', "\n> "))), orders);
        assert_eq!(outside(&format!("{TEXT}\n{alone}")), orders);
        // A long row of the letter can be an order too: alone, or above or below the copy.
        let row = "little turtle at 0111, 2 miami at 0212, 3 miami at 0310, 2 miami at 0311, 2 shawnee at 0111, 2 shawnee at 0112, \
                   1 shawnee at 0211, mckee at 0111, tecumseh at 0111, black hoof at 0111, 2 iroquois at 0312";
        let wrapped = row.replace(", 2 shawnee at 0112", ",\n          2 shawnee at 0112");
        let letter = TEXT.replace("  2. Anna", &format!("     c  {wrapped}\n  2. Anna"));
        for mark in ["", "> "] {
            let copy = letter.replace('\n', &format!("\n{mark}"));
            for reply in [row.to_owned(), format!("{row}\n\n{mark}{copy}"), format!("{mark}{copy}\n\n{row}")] {
                let lines = lines(&reply, Format::Fixed);
                let copied = Answered::new(&letter).copied(&lines);
                let own: Vec<&str> = (lines.iter().zip(copied))
                    .filter(|(line, copied)| !copied && !line.is_blank())
                    .map(|(line, _)| line.text.as_str())
                    .collect();
                assert_eq!(own, [row], "{mark:?}");
            }
        }
    }

    #[test]
    fn words_of_the_letter_above_its_copy_are_the_senders() {
        let marked = TEXT.replace('\n', "\n> ");
        // Words from near its beginning, and its last ones.
        for own in
            ["two things are asked of you", "Thursday. What is asked", "check it: postrider verify lone-pine.jsonl"]
        {
            let above = format!("{own}\nthx\n\nOn Monday somebody wrote:\n> {marked}");
            assert_eq!(outside(&above)[..2], [own, "thx"], "{own}");
        }
    }

    #[test]
    fn an_order_in_the_words_of_the_last_row_that_is_quoted_is_the_senders() {
        let quoted = "> 1. Play or discard a Shaman Card\n>    a  play raid          then raid with a Raider tribe\n\
                      >    b  discard raid       ends your Round\n> 2. Anna offers a Treaty: the Navajo go On Reservation\n\
                      >    a  accept treaty navajo\n>    b  refuse treaty navajo\n";
        assert_eq!(outside(&format!("{quoted}\nrefuse treaty navajo\n")), ["refuse treaty navajo"]);
    }

    #[test]
    fn words_that_are_added_to_a_quoted_row_are_the_senders() {
        let row = "     b  discard raid       ends your Round";
        let quoted = TEXT.replace('\n', "\n> ").replace(row, &format!("{row}  <- not this"));
        assert_eq!(outside(&format!("pass\n\n> {quoted}")), ["pass", &format!("{row}  <- not this")[0..]]);
    }

    #[test]
    fn a_short_word_is_held_by_a_word_and_not_by_a_part_of_one() {
        let letter = letter();
        assert!(letter.holds("raid") && letter.holds("Treaty:") && !letter.holds("aid") && !letter.holds("treat"));
    }

    /// The end of the subject and the first word of the copy also occur together elsewhere in the
    /// letter.
    #[test]
    fn a_copy_begins_with_its_first_word() {
        let letter = Answered::new(&format!("Ben, it is your Round.\n{TEXT}\nTurn 4, Round 14: Ben discarded Raid.\n"));
        let reply = format!("pass\nSubject: Turn 4, Round 14\n\nBen, it is your Round.\n{TEXT}");
        let copied = letter.copied(&lines(&reply, Format::Fixed));
        assert_eq!(copied[..4], [false, false, false, true]);
    }

    #[test]
    fn nothing_is_seen_in_a_mail_about_something_else() {
        assert_eq!(outside("accept treaty navajo\nThanks, see you on Thursday.\n").len(), 2);
        assert_eq!(outside(""), [""; 0]);
    }

    #[test]
    fn a_hostile_text_takes_no_long_time() {
        let begun = std::time::Instant::now();
        for unit in ["refuse treaty navajo\n", "WHAT IS ASKED 1. Play or", "> a\nb\n", "accepttreatynavajo"] {
            let reply = lines(&unit.repeat(700_000 / unit.len()), Format::Fixed);
            letter().copied(&reply);
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }
}
