//! Telling what the sender wrote from what his program put there: quotes, the line that introduces them, headers of
//! the original message, signatures.

use super::{
    answered::{Answered, Seen},
    flowed::Line,
    furniture::{
        attribution, is_attribution_with_text, is_broken_divider, is_device_line, is_divider, is_header_block,
        is_page_heading, is_telling, is_unknown_divider, may_be_attribution, may_be_header_block, may_be_sentence,
        notice,
    },
    order_text::Note,
};
use crate::orders::{People, Phrase, is_courtesy};

/// The words by which our mails mark where their own text goes on. What stands after an unquoted copy of this line is
/// ours. The templates print it at the start of a line; a mail program may wrap it.
pub const CUT_LINE_MARK: &str = "ANSWER by replying; write your orders above this line";

/// A quoted line that a program has broken on the way would have gone beyond this column with its next word, and is itself no
/// longer than [`LONGEST_QUOTED`].
const LONGEST_UNBROKEN: usize = 78;
const LONGEST_QUOTED: usize = 100;

/// What a line is, apart from the sender's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Own,
    Blank,
    Quoted,
    /// Neither quoted nor the sender's: an attribution, "Sent from my …", PGP armour.
    Furniture,
    Signature,
    /// Below the line that a telephone signs with, while words stand above it: a quotation without marks, or an afterthought.
    BelowDevice,
}

/// What is left of a text once everything foreign is taken off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stripped {
    /// The sender's own lines.
    pub own: Vec<Line>,
    /// Lines that may be the sender's and are not read: they stand below the quoted message, inside it, or below "Sent from …".
    pub unread: Vec<Line>,
    /// Lines below a signature mark.
    pub signature: Vec<Line>,
    /// All other lines that say something, in order: quoted ones and what introduces them.
    pub foreign: Vec<Line>,
    pub notes: Vec<Note>,
    /// Set if lines above the quote and lines inside it both look like answers, or what is inside could be either.
    pub unclear: bool,
}

/// Takes everything off that the sender did not write. `answered` is the letter that he answers, if it is at hand; `by_elements`
/// says that elements of HTML mark what is quoted.
pub(super) fn strip(mut lines: Vec<Line>, by_elements: bool, answered: Option<&Answered>) -> Stripped {
    let mut result = Stripped::default();
    for line in &mut lines {
        line.text = tidy(&line.text);
    }
    let seen = answered.map_or_else(|| vec![Seen::Outside; lines.len()], |letter| letter.see(&lines));
    let first_copied = seen.iter().position(|seen| *seen == Seen::Letter);
    let last_copied = seen.iter().rposition(|seen| *seen == Seen::Letter);
    for (line, seen) in lines.iter_mut().zip(&seen) {
        if *seen == Seen::Letter {
            line.depth = line.depth.max(1);
        }
    }
    let mut cut = Vec::new();
    let mut is_cut = false;
    let mut doubtful = false;
    match (original_begins(&lines), last_copied) {
        // The letter is known: what its copy does not hold below it may be the sender's.
        (Some(begins), Some(last)) if begins.at <= last => {
            let between = |at: usize| matches!(seen[at], Seen::BetweenMarked | Seen::BetweenUnmarked);
            for at in (begins.at..last).filter(|&at| !between(at)) {
                lines[at].depth = lines[at].depth.max(1);
            }
        }
        (Some(begins), _) => {
            if begins.unquoted {
                result.notes.push(Note::UnquotedCopy);
            }
            doubtful = begins.doubtful;
            cut = lines.split_off(begins.at);
            is_cut = true;
            lines.push(Line { depth: 1, text: String::new(), no: 0, signature: false, after_blank: false });
        }
        (None, _) => {}
    }
    if first_copied.is_some() || lines.iter().any(|line| line.depth > 0) {
        mark_heading(&mut lines, answered);
    }
    let roles = roles(&lines, &mut result.notes);
    result.foreign = (0..lines.len())
        .filter(|&at| matches!(roles[at], Role::Quoted | Role::Furniture))
        .map(|at| lines[at].clone())
        .chain(cut)
        .collect();
    let of = |wanted: Role| (0..lines.len()).filter(|&at| roles[at] == wanted).map(|at| lines[at].clone()).collect();
    result.signature = of(Role::Signature);
    let afterthought = |line: &Line| may_be_afterthought(&line.text);
    result.unread = result.signature.iter().filter(|line| afterthought(line)).cloned().collect();
    let first_quoted = roles.iter().position(|role| *role == Role::Quoted);
    let last_quoted = roles.iter().rposition(|role| *role == Role::Quoted);
    result.unread.extend(of(Role::BelowDevice));
    let (Some(first), Some(last)) = (first_quoted, last_quoted) else {
        result.own = pick(&lines, &roles, |_| true);
        return result;
    };
    let seen = |at: usize| seen.get(at).copied().unwrap_or(Seen::Outside);
    let above = pick(&lines, &roles, |at| at < first);
    let below = pick(&lines, &roles, |at| at > last);
    // Beside the letter it is certain what is quoted and what is not.
    let known = first_copied.is_some();
    let (leftover, inside): (Vec<usize>, Vec<usize>) =
        (first..last).filter(|&at| roles[at] == Role::Own).partition(|&at| {
            is_wrapped_rest(&lines, &roles, at) && seen(at) != Seen::BetweenMarked && seen(at - 1) != Seen::Letter
        });
    let open = inside.iter().any(|&at| seen(at) == Seen::BetweenUnmarked);
    // Set off by blank lines, or by elements, it is no rest of a quoted line that a program wrapped.
    let set_off = inside.iter().all(|&at| by_elements || is_set_off(&roles, at)) && leftover.is_empty() && !is_cut;
    // A long quoted line that stops within a sentence, and words right below it without a mark: their end, or an answer.
    let attached = !known && !by_elements && (first + 1..lines.len()).any(|at| is_attached(&lines, &roles, at));
    let inside: Vec<Line> = inside.into_iter().map(|at| lines[at].clone()).collect();
    // Who greets above the quoted message and says no more there has answered below or inside it.
    let greets = above.iter().all(|line| is_courtesy(&Phrase::new(&line.text), &People::default()));
    if !greets || (inside.is_empty() && below.is_empty() && !above.is_empty()) {
        // Who answers inside the quoted message goes on below it.
        let below_says = below.iter().any(|line| !says_nothing(&line.text));
        let answers = !inside.is_empty();
        let half = answers && below_says;
        if known && !open {
            // All of it is the sender's.
            result.own = above;
            result.own.extend(inside);
        } else if set_off && !(doubtful || open || half) {
            result.own = above;
            result.own.extend(inside);
        } else {
            // Answers above and words inside: which of them are meant, only the sender knows.
            result.unclear = (answers && !open) || doubtful;
            result.own = above;
            result.unread.extend(inside);
        }
        if known && !open && answers {
            result.own.extend(below);
        } else if !below.is_empty() {
            result.notes.push(Note::BelowQuoteIgnored);
            result.unread.extend(below);
        }
        if !leftover.is_empty() {
            result.notes.push(Note::WrappedQuote);
        }
        return result;
    }
    if !leftover.is_empty() {
        result.notes.push(Note::WrappedQuote);
        result.unclear = below.is_empty();
    }
    result.unclear |= open || doubtful || attached;
    if !inside.is_empty() {
        result.notes.push(Note::InsideQuote);
    }
    if inside.is_empty() && below.is_empty() {
        result.notes.push(Note::OnlyQuoted);
    }
    result.own = above;
    result.own.extend(inside);
    result.own.extend(below);
    result
}

/// Whether a line below the mark of a signature may be meant as an order all the same: a postscript, or an option by its number.
fn may_be_afterthought(text: &str) -> bool {
    let phrase = Phrase::new(text);
    let words = phrase.words();
    let first = words.first().map_or("", |word| word.text.as_str());
    let postscript = matches!(first, "ps" | "pps") || first == "p" && words.get(1).is_some_and(|word| word.text == "s");
    let named = |word: &crate::orders::Word| {
        let letters = word.text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = word.text.len() - letters.len();
        (1..=2).contains(&digits) && letters.len() == 1 && letters.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    postscript || words.len() <= 6 && words.iter().any(named)
}

/// Whether a line is a greeting, a closing such as `Regards, Ben`, or nothing that means something.
pub(super) fn says_nothing(text: &str) -> bool {
    let phrase = Phrase::new(text);
    phrase.is_empty() || is_courtesy(&phrase, &People::default())
}

/// Marks as quoted what stands right above the quoted message and names an address, a date with its time, the letter's
/// subject or its sender: a header or an attribution, in whatever language.
fn mark_heading(lines: &mut [Line], answered: Option<&Answered>) {
    let Some(first) = lines.iter().position(|line| line.depth > 0) else { return };
    let mut bottom = first;
    while bottom > 0 && first - bottom < 2 && lines[bottom - 1].is_blank() {
        bottom -= 1;
    }
    let mut top = None;
    for at in (bottom.saturating_sub(8)..bottom).rev() {
        let line = &lines[at];
        // HTML has no blank lines of its own; those that it shows stand before the next one.
        if line.is_blank() || (at + 1 < bottom && lines[at + 1].after_blank) {
            break;
        }
        let named = || answered.is_some_and(|letter| letter.is_named_in(&line.text));
        // "Hi Postrider," is the player's.
        let tells = is_telling(&line.text) || is_unknown_divider(&line.text);
        if tells || (named() && !is_courtesy(&Phrase::new(&line.text), &People::default())) {
            top = Some(at);
        } else if top.is_none() && bottom - at > 3 {
            break;
        }
    }
    if let Some(top) = top {
        // An attribution may begin some lines above the one that tells.
        let begins =
            (top.saturating_sub(4)..top).find(|&at| attribution(&lines[at..]).is_some_and(|length| at + length > top));
        let top = begins.unwrap_or(top);
        for line in &mut lines[top..first] {
            line.depth = 1;
        }
    }
}

/// Whether a line of the sender's may be the rest of the quoted one right above it.
fn is_attached(lines: &[Line], roles: &[Role], at: usize) -> bool {
    let above = lines[at - 1].text.trim_end();
    let own = roles[at] == Role::Own && roles[at - 1] == Role::Quoted;
    let within = !above.ends_with(|c: char| c.is_ascii_punctuation());
    let word = lines[at].text.split_whitespace().next().unwrap_or_default();
    own && within
        && above.chars().count() <= LONGEST_QUOTED
        && above.chars().count() + 1 + word.chars().count() > LONGEST_UNBROKEN
}

/// Whether the paragraph that holds this line of the sender's begins below a blank line that is not quoted.
fn is_set_off(roles: &[Role], at: usize) -> bool {
    let above = (0..at).rev().find(|&at| roles[at] != Role::Own);
    above.is_none_or(|at| roles[at] == Role::Blank)
}

fn pick(lines: &[Line], roles: &[Role], wanted: impl Fn(usize) -> bool) -> Vec<Line> {
    let own = |at: &usize| roles[*at] == Role::Own && wanted(*at);
    (0..lines.len()).filter(own).map(|at| lines[at].clone()).collect()
}

/// A single line between two quoted ones, after a long one: most likely the end of a quoted line that a program wrapped. So is one
/// word after a line that ends in the address of a page.
fn is_wrapped_rest(lines: &[Line], roles: &[Role], at: usize) -> bool {
    let quoted = |at: Option<usize>| at.is_some_and(|at| roles.get(at) == Some(&Role::Quoted));
    let between = quoted(at.checked_sub(1)) && quoted(Some(at + 1));
    let before = at.checked_sub(1).map_or("", |before| lines[before].text.trim_end());
    let page = before.split_whitespace().next_back().is_some_and(|word| word.contains("://"));
    let one_word = lines[at].text.split_whitespace().count() == 1;
    between
        && (before.chars().count() >= 60 || (page && one_word && lines[at].text.contains(['=', '/', '&', '%', '_'])))
}

/// Removes invisible characters and turns odd spaces into plain ones; white space at the end stays.
fn tidy(text: &str) -> String {
    text.chars()
        .filter(
            |c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{ad}' | '\u{1427}'),
        )
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect()
}

fn roles(lines: &[Line], notes: &mut Vec<Note>) -> Vec<Role> {
    let mut roles = Vec::with_capacity(lines.len());
    let mut in_signature = false;
    let mut below_device = false;
    let mut furniture_until = 0;
    for (at, line) in lines.iter().enumerate() {
        let role = if line.depth > 0 {
            in_signature = false;
            below_device = false;
            Role::Quoted
        } else if at < furniture_until {
            Role::Furniture
        } else if let Some(length) = attribution(&lines[at..]) {
            in_signature = false;
            below_device = false;
            furniture_until = at + length;
            Role::Furniture
        } else if in_signature || line.signature {
            Role::Signature
        } else if line.is_blank() {
            Role::Blank
        } else if matches!(line.text.trim_end(), "--" | "—-" | "–-") {
            in_signature = true;
            Role::Signature
        } else if is_device_line(&line.text) {
            below_device = roles.contains(&Role::Own);
            if below_device && may_be_sentence(&line.text) { Role::BelowDevice } else { Role::Furniture }
        } else if !line.text.chars().any(char::is_alphanumeric)
            || (is_omission(&line.text) && has_quoted_beside(lines, at))
            || is_bracketed_name(lines, at)
        {
            Role::Furniture
        } else if line.text.starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
            // RFC 4880 section 7: "Hash:" fields follow up to a blank line.
            let fields = lines[at..].iter().take(8).position(Line::is_blank).unwrap_or(1);
            furniture_until = at + fields;
            Role::Furniture
        } else if line.text.starts_with("-----BEGIN PGP SIGNATURE-----") {
            in_signature = true;
            Role::Signature
        } else if below_device {
            Role::BelowDevice
        } else {
            Role::Own
        };
        roles.push(role);
    }
    mark_notices(lines, &mut roles);
    if roles.contains(&Role::Signature) {
        notes.push(Note::SignatureIgnored);
    }
    roles
}

/// Takes out of the sender's lines what a mail system has put there: paragraph by paragraph.
fn mark_notices(lines: &[Line], roles: &mut [Role]) {
    let mut at = 0;
    while at < lines.len() {
        let goes_on = |next: usize| roles[next] == Role::Own && (next == at || !lines[next].after_blank);
        let end = (at..lines.len()).find(|&next| !goes_on(next)).unwrap_or(lines.len()).max(at + 1);
        if roles[at] == Role::Own {
            let found = notice(lines[at..end].iter().map(|line| line.text.as_str()));
            found
                .iter()
                .zip(&mut roles[at..end])
                .filter(|(found, _)| **found)
                .for_each(|(_, role)| *role = Role::Furniture);
        }
        at = end;
    }
}

/// Where the original message begins without quote marks.
struct Begins {
    at: usize,
    /// Nothing but our own mark says so.
    unquoted: bool,
    /// It may as well be the sender's own sentence.
    doubtful: bool,
}

/// Where the original message begins without quote marks, so that all that follows is its text.
fn original_begins(lines: &[Line]) -> Option<Begins> {
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_blank()) {
        let rest = &lines[at..];
        if line.depth > 0 {
            // Some programs mark the header of the original and not its text.
            let begins_quote = at == 0 || lines[at - 1].depth == 0;
            if begins_quote && is_marked_header_alone(rest) {
                return Some(Begins { at, unquoted: false, doubtful: false });
            }
            continue;
        }
        if is_divider(&line.text)
            || is_broken_divider(rest)
            || is_header_block(rest)
            || is_page_heading(rest)
            || is_attribution_with_text(&line.text)
        {
            return Some(Begins { at, unquoted: false, doubtful: false });
        }
        // An attribution with nothing quoted right after it: a program that quotes without marks.
        if let Some(length) = attribution(rest)
            && rest[length..].iter().find(|next| !is_omission(&next.text)).is_none_or(|next| next.depth == 0)
        {
            return Some(Begins { at, unquoted: false, doubtful: false });
        }
        if is_cut_line(rest) {
            return Some(Begins { at, unquoted: true, doubtful: false });
        }
    }
    // "Postrider wrote:" or "---- Words ----", and no mark and no header anywhere: who can tell where his words end?
    if lines.iter().any(|line| line.depth > 0) {
        return None;
    }
    let at = (0..lines.len()).find(|&at| {
        let text = &lines[at].text;
        may_be_attribution(text) || is_unknown_divider(text) || may_be_header_block(&lines[at..])
    })?;
    let follows = lines[at + 1..].iter().any(|line| !line.is_blank());
    follows.then_some(Begins { at, unquoted: false, doubtful: true })
}

/// Whether the nearest line above or below that is not blank is quoted.
fn has_quoted_beside(lines: &[Line], at: usize) -> bool {
    let quoted = |line: Option<&Line>| line.is_some_and(|line| line.depth > 0);
    quoted(lines[..at].iter().rev().find(|line| !line.is_blank()))
        || quoted(lines[at + 1..].iter().find(|line| !line.is_blank()))
}

/// "[Postrider]" right above a quoted line: whose words those are.
fn is_bracketed_name(lines: &[Line], at: usize) -> bool {
    let text = lines[at].text.trim();
    let bracketed = text.starts_with('[') && text.ends_with(']') && text.chars().count() <= 20;
    bracketed && lines.get(at + 1).is_some_and(|next| next.depth > 0 && !next.is_blank())
}

/// Words for "left out", as people write them between brackets.
const OMITTED: &[&str] = &["snip", "cut", "trimmed", "deleted", "omitted", "gekürzt", "coupé", "...", "…"];

/// Whether a line says nothing, or no more than that something was left out: "...", "[…]", "<snip>".
fn is_omission(text: &str) -> bool {
    let text = text.trim();
    let bracketed = text.starts_with(['[', '<', '(', '{']) && text.ends_with([']', '>', ')', '}']);
    let lower = || text.to_lowercase();
    !text.chars().any(char::is_alphanumeric)
        || (bracketed && text.chars().count() <= 20 && OMITTED.iter().any(|word| lower().contains(word)))
}

/// Whether a few marked lines are nothing but a header, and unmarked text follows them.
fn is_marked_header_alone(lines: &[Line]) -> bool {
    let marked: Vec<Line> =
        lines.iter().take_while(|line| line.depth > 0).filter(|line| !line.is_blank()).take(12).cloned().collect();
    if marked.len() > 8 || !lines.iter().skip_while(|line| line.depth > 0).any(|line| !line.is_blank()) {
        return false;
    }
    let is_field = |text: &str| text.contains([':', '：']) || is_telling(text) || is_divider(text);
    let fields = marked.iter().filter(|line| is_field(&line.text)).count();
    fields == marked.len() && (0..marked.len().min(2)).any(|from| is_header_block(&marked[from..]))
}

fn is_cut_line(lines: &[Line]) -> bool {
    // It begins in the first of these lines; most hold no word of it.
    if !lines[0].text.to_ascii_lowercase().contains("answer") {
        return false;
    }
    let mark = squeezed(CUT_LINE_MARK);
    let has_mark = |lines: &[Line]| {
        let text = lines.iter().take(3).map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
        squeezed(&text).contains(&mark)
    };
    // Wrapped, it goes on in the next line or two; what stands above it is none of it.
    has_mark(lines) && !has_mark(&lines[1..])
}

/// Lower case, single spaces, no emphasis marks.
fn squeezed(text: &str) -> String {
    text.replace(['*', '_'], "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::flowed::{Format, lines};

    fn own(text: &str) -> Vec<String> {
        stripped(text).own.into_iter().map(|line| line.text).collect()
    }

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.text.as_str()).collect()
    }

    fn stripped(text: &str) -> Stripped {
        strip(lines(text, Format::Fixed), false, None)
    }

    #[test]
    fn attributions_in_many_languages() {
        for line in [
            "On Mon, 23 Nov 2026 at 09:12, Postrider <postrider@play.example.org> wrote:",
            "On 23/11/2026 09:12, Postrider wrote:",
            "On Mon, Nov 23, 2026 at 09:12:33AM +0000, Postrider wrote:",
            "Am Mo., 23. Nov. 2026 um 09:12 Uhr schrieb Postrider <postrider@play.example.org>:",
            "Am 23.11.26 um 09:12 schrieb Postrider:",
            "Le lun. 23 nov. 2026 à 09:12, Postrider <postrider@play.example.org> a écrit :",
            "Le 23/11/2026 à 09:12, Postrider a écrit\u{a0}:",
            "El lun, 23 nov 2026 a las 9:12, Postrider (<postrider@play.example.org>) escribió:",
            "Op ma 23 nov 2026 om 09:12 schreef Postrider <postrider@play.example.org>:",
            "Il giorno lun 23 nov 2026 alle ore 09:12 Postrider <postrider@play.example.org> ha scritto:",
            "Den mån 23 nov. 2026 kl 09:12 skrev Postrider <postrider@play.example.org>:",
            "W dniu 23.11.2026 o 09:12, Postrider <postrider@play.example.org> pisze:",
            "* Postrider <postrider@play.example.org> [2026-11-23 09:12]:",
            "[Postrider <postrider@play.example.org> 2026-11-23 09:12]",
            // Languages of which no word is known here.
            "Ar 23/11/2026 9:12, ysgrifennodd Postrider:",
            "23.11.2026 09:12, Postrider წერს:",
            "د ۲۰۲۶/۱۱/۲۳ په ۹:۱۲ Postrider لیکلي:",
        ] {
            assert_eq!(own(&format!("pass\n\n{line}\n> quoted\n")), ["pass"], "{line}");
            assert_eq!(own(&format!("pass\n\n{line}\nunmarked copy\n")), ["pass"], "{line}");
        }
    }

    #[test]
    fn orders_are_no_attributions() {
        for line in ["play raid: comanche raid mexico", "move 3 to 10:", "column crook attacks kiowa:", "accept"] {
            assert_eq!(own(&format!("{line}\n> quoted\n")), [line]);
        }
    }

    #[test]
    fn a_wrapped_attribution_goes_whole() {
        let text =
            "pass\n\nOn Mon, Nov 23, 2026 at 9:12 AM Postrider\n<postrider@play.example.org> wrote:\n\n> quoted\n";
        let gmail_inside =
            "pass\n\nOn Mon, Nov 23, 2026 at 9:12 AM Postrider <\npostrider@play.example.org> wrote:\n\n> quoted\n";
        assert_eq!(own(gmail_inside), ["pass"]);
        assert_eq!(own(text), ["pass"]);
    }

    #[test]
    fn headers_of_the_original_end_the_text() {
        for block in [
            "From: Postrider <p@x.org>\nSent: Monday\nTo: Ben\nSubject: x\n",
            "*Von:* Postrider <p@x.org>\n*Gesendet:* Montag\n*An:* Ben\n*Betreff:* x\n",
            "De : Postrider\nEnvoyé : lundi\nÀ : Ben\nObjet : x\n",
            "De: Postrider\nEnviado el: lunes\nPara: Ben\nAsunto: x\n",
            "Van: Postrider\nVerzonden: maandag\nAan: Ben\nOnderwerp: x\n",
            "Von: \"Postrider\"\nDatum: 23. November 2026\nAn: Ben\n",
            "Từ: Postrider\nĐã gửi: 23 Tháng Mười Một 2026 9:12 SA\nĐến: Ben\nChủ đề: x\n",
            "จาก: Postrider\nส่ง: 23 พฤศจิกายน 2569 9:12\nถึง: Ben\nเรื่อง: x\n",
            "Saatja: Postrider\nSaadetud: esmaspäev, 23. november 2026 09:12\nAdressaat: Ben\nTeema: x\n",
        ] {
            assert_eq!(own(&format!("pass\n\n{block}\na  play raid\n")), ["pass"], "{block}");
        }
        assert_eq!(own("from: texas\nto: mexico\n"), ["from: texas", "to: mexico"]);
    }

    #[test]
    fn dividers_end_the_text() {
        for line in [
            "-----Original Message-----",
            "-----Ursprüngliche Nachricht-----",
            "------- Original Message -------",
            "---------- Forwarded message ---------",
            "________________________________",
            "----- Přeposlaná zpráva ----- Od: Postrider <p@x.org>Komu: Ben <b@x.org>Datum: 23. 11. 2026",
            "-------- Ursprüngliche Nachricht --------Von: Postrider  Datum: 23.11.26  09:12 An: Ben",
            "<div>-------- Original message --------</div><div>From: Postrider <p@x.org></div><div>Date: Monday</div>",
            "---- Postrider wrote ----",
            "------On 23/11/2026 09:12, Postrider wrote-----",
            "From: p@x.org Date: Mon, 23 Nov 2026 09:12:33 -0700",
            "On 23/11/2026 at 9:12 AM, \"Postrider\" wrote:Ben, it is your Round",
        ] {
            assert_eq!(own(&format!("pass\n{line}\na  play raid\n")), ["pass"], "{line}");
        }
    }

    #[test]
    fn a_header_without_labels_for_author_and_date_ends_the_text() {
        for block in [
            "\tAnna Smith@PLAY\n\t23/11/2026 09:12 AM\n\t\t To: Ben Jones/PLAY@PLAY\n\t\t cc: \n\t\t Subject: Re: x\n",
            "\tAnna Smith\n\tSent by: Carl Smith\n\t23/11/2026 09:12 AM\n\n\t\t To: Ben Jones/PLAY@PLAY\n\t\t Subject: x\n",
            "   Anna Smith     23/11/2026 09:12 AM\nTo: Ben Jones/PLAY@PLAY\ncc:  \nSubject: Re: x\n",
            "From:  Anna Smith   23/11/2026 09:12 AM\nTo: Ben/PLAY@PLAY, Carl/PLAY@PLAY, Dora\nSmith/PLAY@PLAY, Emma\nJones/PLAY@PLAY\ncc:\nSubject: x\n",
            "------------------- Forwarded by Anna Smith/PLAY on\n23/11/2026 09:12 AM ---------------------------\n",
            "____________________Reply Separator____________________\nSubject: x\nAuthor: Anna <a@x.org>\nDate: 23/11/2026 2:40 PM\n",
        ] {
            assert_eq!(own(&format!("pass\n\n{block}\na  play raid\n")), ["pass"], "{block}");
        }
        // A line above the date that is no name stays.
        assert_eq!(own("raid utah\n23/11/2026 09:12\nTo: Ben\nSubject: x\n\nq\n"), ["raid utah"]);
    }

    #[test]
    fn fields_that_are_no_header_end_nothing_without_a_word() {
        let report = "pass\nLoaded: loaded (niusrp; generated)\nActive: active since Mon 2026-11-23 09:37:21 CET\nTasks: 4\nraid utah\n";
        assert!(stripped(report).unclear);
        let note = "pass\n\nNote: \"raid utah\"\n\nFrom: Anna <a@x.org>\n\nSent: Tuesday, 23 November 2026 at 21:47\n\nSubject: x\n\nq\n";
        assert_eq!(own(note), ["pass", "Note: \"raid utah\""]);
    }

    #[test]
    fn what_was_copied_from_a_page_ends_the_text() {
        assert_eq!(own("pass\n\nPostrider <p@x.org>\n19:27 (21 hours ago)\nto me\na  play raid\n"), ["pass"]);
        assert_eq!(own("tell anna <a@x.org>\npass (please)\n").len(), 2);
    }

    #[test]
    fn the_rest_of_a_broken_address_is_no_order() {
        let text = "pass\n> see https://play.example.org/a\n_nonce=3dd518)\n> quoted\n";
        assert_eq!((own(text), stripped(text).unclear), (vec!["pass".to_owned()], false));
    }

    #[test]
    fn our_own_mark_ends_the_text_even_wrapped() {
        let copy = "pass\n\nANSWER by replying; write your orders\nabove this line, one a line\nrefuse treaty navajo\n";
        assert_eq!(stripped(copy).notes, [Note::UnquotedCopy]);
        assert_eq!(own(copy), ["pass"]);
    }

    #[test]
    fn answers_inside_the_quote_count_when_nothing_stands_above() {
        let text = "> 1. Play a card\n\nplay raid\n\n> 2. A Treaty\n\nrefuse treaty navajo\n";
        assert_eq!(own(text), ["play raid", "refuse treaty navajo"]);
        let both = format!("see below\n{text}");
        assert!(stripped(&both).unclear, "half of the answers is worse than a question");
    }

    #[test]
    fn words_above_the_quote_and_inside_it_are_both_read_where_blank_lines_set_them_off() {
        let quote = ["> 1. Play a card\n", "> 2. A Treaty\n", "> the end\n"];
        let apart = format!("see below\n\n{}\nplay raid\n\n{}\nRegards, Ben\n", quote[0], quote[1]);
        assert_eq!(own(&apart), ["see below", "play raid"]);
        let tight = format!("see below\n{}play raid\n{}evade\n{}", quote[0], quote[1], quote[2]);
        assert!(stripped(&tight).unclear);
        let unmarked = format!(
            "see below\n{}\nplay raid\n\nFrom: Anna <a@x.org>\nSent: 23/11/2026 09:12\nSubject: x\n\nq\n",
            quote[0]
        );
        assert!(stripped(&unmarked).unclear, "what has no marks below may have none here");
    }

    #[test]
    fn words_right_below_a_long_quoted_line_may_be_its_end() {
        let long = format!("> {}number almost of all those that were played in\n", "ten letter ".repeat(3));
        assert_eq!(own(&format!("{long}turn 5\n> the end\n\npass\n")), ["pass"]);
        let long = format!("> {}number almost of all those that were played in\n", "ten letter ".repeat(4));
        assert!(stripped(&format!("{long}millions of turns\nof the game\n> the end\n\npass\n")).unclear);
    }

    #[test]
    fn a_greeting_above_the_quote_leaves_the_answers_below_and_inside_it_to_be_read() {
        let quote = "On 23/11/2026 09:12, Postrider wrote:\n> 1. Play a card\n";
        assert_eq!(own(&format!("Hi Postrider,\n\n{quote}\nplay raid\n")), ["Hi Postrider,", "play raid"]);
        let inside = format!("Guten Morgen,\n\n{quote}\nplay raid\n\n> 2. A Treaty\n");
        assert_eq!(own(&inside), ["Guten Morgen,", "play raid"]);
        let more = stripped(&format!("pass\n\n{quote}\nplay raid\n"));
        assert_eq!((texts(&more.own), texts(&more.unread)), (vec!["pass"], vec!["play raid"]));
    }

    #[test]
    fn what_says_that_something_was_left_out_is_no_order() {
        let begins = "On 23/11/2026 09:12, Postrider wrote:\n[...]\n> 1. Play a card\n\nplay raid\n";
        assert_eq!(own(begins), ["play raid"]);
        assert_eq!(own("> 1. Play a card\n<snip>\n> 2. A Treaty\n\nplay raid\n"), ["play raid"]);
        assert_eq!(own("[Postrider]\n> 1. Play a card\n\nplay raid\n"), ["play raid"]);
        assert_eq!(own("> 1. Play a card\n<nod>\n\n[raid]\n"), ["<nod>", "[raid]"]);
    }

    #[test]
    fn a_name_and_a_verb_above_a_quote_are_no_order_and_without_marks_a_doubt() {
        for verb in ["asked", "wrote", "fragte", "mentioned", "stated the following"] {
            assert_eq!(own(&format!("Postrider {verb}:\n> quoted\n\npass\n")), ["pass"], "{verb}");
        }
        assert!(stripped("pass\n\nPostrider wrote:\nplay raid\n").unclear);
        assert!(stripped("pass\n\n-----Antwort-Nachricht-----\nplay raid\n").unclear);
        assert!(!stripped("pass\nmove 3 to 10:\nplay raid\n").unclear);
        assert_eq!(own("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\npass\n"), ["pass"]);
    }

    #[test]
    fn the_rest_of_a_wrapped_quote_is_no_order() {
        let long = "> ".to_string() + &"long ".repeat(14);
        let text = format!("pass\n{long}\nrefuse treaty navajo\n> quoted\n");
        assert_eq!(own(&text), ["pass"]);
        // With nothing else there, it could be an answer as well.
        let text = format!("{long}\nrefuse treaty navajo\n> quoted\n");
        assert!(stripped(&text).unclear);
    }

    #[test]
    fn what_stands_below_a_device_line_is_no_order_and_not_lost() {
        let below = stripped("pass\n\nSent from my telephone\n\nrefuse treaty navajo\n");
        assert_eq!(texts(&below.own), ["pass"]);
        assert_eq!(texts(&below.unread), ["refuse treaty navajo"]);
        assert_eq!(own("Sent from my telephone\n\npass\n"), ["pass"]);
        let quoted = stripped("pass\n\nSent from my telephone\n\nOn 23/11/2026 09:12, Postrider wrote:\n> q\n");
        assert_eq!((texts(&quoted.own), quoted.unread), (vec!["pass"], vec![]));
        let sentence = stripped("pass\nSent from my desk, so I had the time to look at the map\n");
        assert_eq!(texts(&sentence.unread).len(), 1);
    }

    #[test]
    fn signatures_and_device_lines_go() {
        assert_eq!(own("pass\n-- \nBen\n+1 555 0100\n"), ["pass"]);
        assert_eq!(own("pass\n--\nBen\n\nOn 23/11/2026 09:12, Postrider wrote:\n> q\n"), ["pass"]);
        for line in [
            "Sent from my iPhone",
            "Von meinem iPhone gesendet",
            "Get Outlook for Android<https://aka.ms/x>",
            "Az iPhone-omról küldve",
            "ส่งจาก iPhone ของฉัน",
            "Sent from my iPhone, so please excuse the brevity and any typos",
        ] {
            assert_eq!(own(&format!("pass\n\n{line}\n")), ["pass"], "{line}");
        }
    }
}
