//! Separation of the sender's text from quoted text and from lines added by mail programs.
//!
//! A line in doubt counts as the sender's: such an error costs a `yes`, while the opposite error
//! would lose words silently.

use super::{
    answered::Answered,
    flowed::Line,
    marks::{
        attribution, is_attribution_with_text, is_device_line, is_divider, is_header_block, is_page_heading,
        may_introduce, names_author,
    },
    order_text::{Marked, Note},
};

/// The cut line of letters. Text after an unquoted copy of it belongs to the letter. The templates
/// print it at the start of a line; mail programs may wrap it.
pub const CUT_LINE_MARK: &str = "ANSWER by replying; write your orders above this line";

/// The cut line of letters that ask nothing.
pub const QUIET_CUT_LINE_MARK: &str = "To reply, write above this line";

/// The author of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Own,
    Blank,
    Quoted,
    /// Added by a mail program: an attribution, "Sent from my …", PGP armor.
    Program,
    Signature,
}

/// A text separated by authors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stripped {
    /// The sender's own lines in order.
    pub own: Vec<Line>,
    /// The lines of the signature.
    pub signature: Vec<Line>,
    /// Quoted lines and lines added by mail programs, in order.
    pub foreign: Vec<Line>,
    pub notes: Vec<Note>,
}

/// Separates the lines of a text. `answered` is the letter that it answers, if available.
pub(super) fn strip(mut lines: Vec<Line>, answered: Option<&Answered>) -> Stripped {
    let mut result = Stripped::default();
    for line in &mut lines {
        line.text = tidy(&line.text);
    }
    let copied = answered.map_or_else(|| vec![false; lines.len()], |letter| letter.copied(&lines));
    let last_copied = copied.iter().rposition(|copied| *copied);
    if let Some(letter) = answered {
        // Quoted header fields of the original directly precede its copy.
        let first = copied.iter().position(|copied| *copied).unwrap_or_default();
        let fields = lines[..first].iter().rposition(|line| line.depth == 0 && !line.is_blank()).map_or(0, |at| at + 1);
        for at in 0..lines.len() {
            let above = at.checked_sub(1).map(|above| &lines[above]);
            let below_copy = above.is_some_and(|above| above.depth > 0);
            // The rest of an order that is broken before its `>`.
            let goes_on =
                above.is_some_and(|above| above.depth == 0 && !above.is_blank() && !above.text.ends_with(':'));
            let line = &mut lines[at];
            // Carets under a line of the letter.
            let points = below_copy && !line.is_blank() && line.text.chars().all(|c| c == '^' || c.is_whitespace());
            line.depth = match copied[at] || points {
                true => line.depth.max(1),
                // Text that is not in the letter is the sender's, even if it is marked as quoted.
                false if line.depth > 0 && !(fields..first).contains(&at) && (goes_on || !letter.holds(&line.text)) => {
                    line.marked = line.marked.or(Some(Marked::Quoted));
                    0
                }
                false => line.depth,
            };
        }
    }
    let mut cut = Vec::new();
    match (original_begins(&lines, answered.is_none()), last_copied) {
        // The letter is available: lines inside or below its copy that are not in the letter are
        // the sender's. So is a mark that no copy follows.
        (Some((at, _)), last) if answered.is_some() && last.is_none_or(|last| at <= last) => {
            let header = lines[at + 1..].iter().take_while(|line| !line.is_blank() && !line.after_blank);
            let below = at + 1 + header.count();
            // The first line of the letter may be on the same line as the attribution.
            if copied[at..below].contains(&true) || quotes_below(&lines[below..]) {
                lines[at..below].iter_mut().for_each(|line| line.depth = line.depth.max(1));
            }
        }
        (Some((at, unquoted)), _) => {
            if unquoted {
                result.notes.push(Note::UnquotedCopy);
            }
            cut = lines.split_off(at);
            // The line directly above may introduce it.
            lines.push(Line { depth: 1, ..Line::default() });
        }
        (None, _) => {}
    }
    let has_quotes = lines.iter().any(|line| line.depth > 0);
    let roles = roles(&lines);
    let of = |wanted: &[Role]| -> Vec<Line> {
        let all = lines.iter().zip(&roles).filter(|(_, role)| wanted.contains(role));
        all.map(|(line, _)| line.clone()).collect()
    };
    result.own = of(&[Role::Own]);
    result.signature = of(&[Role::Signature]);
    result.foreign = of(&[Role::Quoted, Role::Program]);
    result.foreign.extend(cut);
    if has_quotes && result.own.is_empty() {
        result.notes.push(Note::OnlyQuoted);
    }
    result
}

/// Removes invisible characters and replaces other white space by spaces. Trailing white space is
/// kept.
fn tidy(text: &str) -> String {
    text.chars()
        .filter(
            |c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{ad}' | '\u{1427}'),
        )
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect()
}

/// Returns the author of each line.
fn roles(lines: &[Line]) -> Vec<Role> {
    let mut roles = Vec::with_capacity(lines.len());
    let mut in_signature = false;
    let mut program_until = 0;
    // A mail may hold any number of beginnings without an end, which must not be searched for each.
    let last_end = lines.iter().rposition(ends_pgp_signature);
    for (at, line) in lines.iter().enumerate() {
        let role = if line.depth > 0 {
            in_signature = false;
            Role::Quoted
        } else if at < program_until {
            Role::Program
        } else if let Some(length) = attribution(&lines[at..]).filter(|length| quotes_below(&lines[at + length..])) {
            in_signature = false;
            program_until = at + length;
            Role::Program
        } else if in_signature || line.signature {
            Role::Signature
        } else if line.is_blank() {
            Role::Blank
        } else if line.text == "-- " {
            in_signature = true;
            Role::Signature
        } else if is_device_line(&line.text) || is_rule(&line.text) {
            Role::Program
        } else if line.text.starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
            // RFC 4880 section 7: "Hash:" fields follow up to a blank line.
            let fields = lines[at..].iter().take(8).position(Line::is_blank).unwrap_or(1);
            program_until = at + fields;
            Role::Program
        } else if line.text.starts_with("-----BEGIN PGP SIGNATURE-----") {
            let ends = last_end.filter(|last| at < *last).and_then(|_| lines[at..].iter().position(ends_pgp_signature));
            program_until = at + ends.map_or(1, |last| last + 1);
            Role::Program
        } else {
            Role::Own
        };
        roles.push(role);
    }
    for at in (0..lines.len()).filter(|&at| roles[at] == Role::Own).collect::<Vec<_>>() {
        let below =
            (at + 1..lines.len()).find(|&next| !lines[next].is_blank() || lines[next].depth > 0 || next > at + 2);
        let introduces = below.is_some_and(|next| matches!(roles[next], Role::Quoted | Role::Program));
        if introduces && may_introduce(&lines[at].text) {
            roles[at] = Role::Program;
        }
    }
    roles
}

fn ends_pgp_signature(line: &Line) -> bool {
    line.text.starts_with("-----END PGP SIGNATURE-----")
}

/// Returns `true` if the next line that is not blank is quoted.
fn quotes_below(lines: &[Line]) -> bool {
    lines.iter().find(|line| !line.is_blank() || line.depth > 0).is_some_and(|line| line.depth > 0)
}

/// Returns the line at which an original message without quote marks begins, and `true` if it is
/// only recognized by the cut line. `unknown` is `true` if the answered letter is not available.
fn original_begins(lines: &[Line], unknown: bool) -> Option<(usize, bool)> {
    (0..lines.len()).filter(|&at| !lines[at].is_blank()).find_map(|at| {
        let (line, rest) = (&lines[at], &lines[at..]);
        if line.depth > 0 {
            return None;
        }
        // An attribution above unquoted text, by a program that quotes without marks.
        let unmarked = |length: usize| {
            let below = (at + length..lines.len()).find(|&next| !lines[next].is_blank() && !is_rule(&lines[next].text));
            let signed = || lines[at..at + length].iter().any(|line| names_author(&line.text));
            below.is_some_and(|next| lines[next].depth == 0) && (unknown || signed())
        };
        let begins = is_divider(&line.text)
            || is_header_block(rest)
            || is_page_heading(rest)
            || is_attribution_with_text(&line.text)
            || attribution(rest).is_some_and(unmarked);
        match begins {
            true => Some((at, false)),
            false => is_cut_line(rest).then_some((at, true)),
        }
    })
}

/// Returns `true` for a rule or the rest of a mark: at least two dashes, stars, brackets or similar
/// characters.
fn is_rule(text: &str) -> bool {
    text.trim().chars().count() > 1
        && text.chars().all(|c| c.is_whitespace() || "-–—―─━_=~*•·#|+<>[](){}\"':/\\".contains(c))
}

fn is_cut_line(lines: &[Line]) -> bool {
    [CUT_LINE_MARK, QUIET_CUT_LINE_MARK].into_iter().any(|mark| begins_with_mark(lines, &squeezed(mark)))
}

/// Returns `true` if this mark, given in lower case, begins in the first of these lines.
fn begins_with_mark(lines: &[Line], mark: &str) -> bool {
    // A quick check, because most lines do not contain its first word.
    let first = mark.split(' ').next().unwrap_or_default();
    if !lines[0].text.to_ascii_lowercase().contains(first) {
        return false;
    }
    let has_mark = |lines: &[Line]| {
        let text = lines.iter().take(3).map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
        squeezed(&text).contains(mark)
    };
    // If wrapped, it continues on the next line or two.
    has_mark(lines) && !has_mark(&lines[1..])
}

/// Returns the text in lower case, with single spaces and without emphasis marks.
fn squeezed(text: &str) -> String {
    text.replace(['*', '_'], "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowed::{Format, lines};

    fn own(text: &str) -> Vec<String> {
        stripped(text).own.into_iter().map(|line| line.text).collect()
    }

    fn stripped(text: &str) -> Stripped {
        strip(lines(text, Format::Fixed), None)
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
            // Languages without known words.
            "Ar 23/11/2026 9:12, ysgrifennodd Postrider:",
            "23.11.2026 09:12, Postrider წერს:",
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
        // People write this themselves, and nothing marks the end of the quote.
        for line in ["Ben said:", "as I wrote, my 2 orders are:", "Postrider asked:"] {
            assert_eq!(own(&format!("{line}\nraid utah\n")), [line, "raid utah"]);
        }
    }

    #[test]
    fn a_wrapped_attribution_goes_whole() {
        for attribution in [
            "On Mon, Nov 23, 2026 at 9:12 AM Postrider\n<postrider@play.example.org> wrote:",
            "On Mon, Nov 23, 2026 at 9:12 AM Postrider <\npostrider@play.example.org> wrote:",
        ] {
            assert_eq!(own(&format!("pass\n\n{attribution}\n\n> quoted\n")), ["pass"]);
            assert_eq!(own(&format!("pass\n{attribution}\n\n> quoted\n")), ["pass"]);
        }
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
            // A language without known words.
            "Saatja: Postrider <p@x.org>\nSaadetud: esmaspäev, 23. november 2026 09:12\nAdressaat: Ben\nTeema: x\n",
        ] {
            assert_eq!(own(&format!("pass\n\n{block}\na  play raid\n")), ["pass"], "{block}");
        }
        assert_eq!(own("from: texas\nto: mexico\n"), ["from: texas", "to: mexico"]);
        let note = "pass\n\nNote: \"raid utah\"\n\nFrom: Anna <a@x.org>\n\nSent: Tuesday, 23 November 2026 at 21:47\n\nSubject: x\n\nq\n";
        assert_eq!(own(note), ["pass", "Note: \"raid utah\""]);
    }

    #[test]
    fn dividers_end_the_text() {
        for line in [
            "-----Original Message-----",
            "-----Ursprüngliche Nachricht-----",
            "------- Original Message -------",
            "---------- Forwarded message ---------",
            "________________________________\nFrom: Postrider <p@x.org>\nSent: 23 November 2026 09:12\nTo: Ben\n",
            "---- Postrider wrote ----",
            "------On 23/11/2026 09:12, Postrider wrote-----",
            "From: p@x.org Date: Mon, 23 Nov 2026 09:12:33 -0700",
            "On 23/11/2026 at 9:12 AM, \"Postrider\" wrote:Ben, it is your Round",
            "Postrider <p@x.org>\n19:27 (21 hours ago)\nto me",
        ] {
            assert_eq!(own(&format!("pass\n{line}\na  play raid\n")), ["pass"], "{line}");
        }
        assert_eq!(own("tell anna <a@x.org>\npass (please)\n").len(), 2);
        // A rule drawn by a person ends nothing.
        assert_eq!(own("pass\n________________________________\nraid utah\n"), ["pass", "raid utah"]);
    }

    #[test]
    fn a_mark_above_what_the_letter_lacks_is_the_senders() {
        let words = "Ben, it is your Round.\nYou may play or discard a Shaman Card, and a Treaty with the Navajo is offered to you.";
        let letter = Answered::parse(format!("From: p@x.org\n\n{words}\n").as_bytes()).unwrap();
        let own = |text: &str| -> Vec<String> {
            let own = strip(lines(text, Format::Fixed), Some(&letter)).own;
            own.into_iter().map(|line| line.text).collect()
        };
        for mark in [
            "-----Original Message-----\nFrom: Anna <a@x.org>\nTo: Ben\nSubject: x",
            "On 23/11/2026 09:12, Anna <a@x.org> wrote:",
        ] {
            for below in ["", &format!("\n\nOn 24/11/2026 09:12, Postrider wrote:\n> {}", words.replace('\n', "\n> "))]
            {
                let lines: Vec<&str> = mark.lines().chain(["discard raid"]).collect();
                assert_eq!(own(&format!("{mark}\n\ndiscard raid{below}\n")), lines);
            }
            assert_eq!(own(&format!("pass\n\n{mark}\n\n{words}\n")), ["pass"]);
        }
    }

    #[test]
    fn our_own_mark_ends_the_text_even_wrapped() {
        let copy = "pass\n\nANSWER by replying; write your orders\nabove this line, one a line\nrefuse treaty navajo\n";
        assert_eq!(stripped(copy).notes, [Note::UnquotedCopy]);
        assert_eq!(own(copy), ["pass"]);
        assert_eq!(own("pass\n\nTo reply, write above\nthis line.\nrefuse treaty navajo\n"), ["pass"]);
    }

    #[test]
    fn lines_above_inside_and_below_the_quote_are_own_in_their_order() {
        let text = "see below\n> 1. Play a card\nplay raid\n> 2. A Treaty\n\nrefuse treaty navajo\n\n> the end\nRegards, Ben\n";
        assert_eq!(own(text), ["see below", "play raid", "refuse treaty navajo", "Regards, Ben"]);
        assert_eq!(own("> 1. Play a card\n<snip>\n[raid]\n👎\n?\n"), ["<snip>", "[raid]", "👎", "?"]);
    }

    /// A path is written with `>`, which may begin a line.
    #[test]
    fn a_mark_below_an_order_quotes_only_what_is_copied() {
        let raw = "Subject: x\r\n\r\n  1. Movement\r\n     a  move h1: 2500 > 2601 > 2701\r\n     b  done\r\n\r\nANSWER by replying.\r\n";
        let letter = Answered::parse(raw.as_bytes());
        let stripped = |text: &str| strip(lines(text, Format::Fixed), letter.as_ref());
        let own = |text: &str| stripped(text).own.into_iter().map(|line| (line.text, line.marked)).collect::<Vec<_>>();
        let [order, rest] = &own("h1: 2500 > 2601\n> 2701\n")[..] else { panic!("two lines") };
        assert_eq!(order, &("h1: 2500 > 2601".to_owned(), None));
        assert_eq!((&*rest.0, rest.1), ("2701", Some(Marked::Quoted)));
        let copy = ">   1. Movement\n>      a  move h1: 2500 > 2601 > 2701\n>      b  done\n>\n> ANSWER by replying.\n";
        for above in ["h1: 2500 > 2601", "h1: 2500 > 2601\n\nOn Monday Postrider wrote:"] {
            assert_eq!(own(&format!("{above}\n{copy}"))[0].0, "h1: 2500 > 2601");
            assert!(own(&format!("{above}\n{copy}")).iter().all(|(_, marked)| marked.is_none()), "{above}");
        }
    }

    /// Each beginning of a signature used to be followed by a search through all later lines.
    #[test]
    fn signatures_without_an_end_take_no_longer_than_other_lines() {
        let time = |line: &str| {
            let text = lines(&format!("{line}\n").repeat(20_000), Format::Fixed);
            let began = std::time::Instant::now();
            assert!(strip(text, None).own.len() <= 20_000);
            began.elapsed()
        };
        let (begins, others) = (time("-----BEGIN PGP SIGNATURE-----"), time("-----BEGIN PGP SIGNATURE:----"));
        assert!(begins < 10 * others, "{begins:?} and {others:?}");
        let text =
            "pass\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n-----BEGIN PGP SIGNATURE-----\ny\n";
        assert_eq!(own(text), ["pass", "y"]);
    }

    #[test]
    fn signatures_and_device_lines_go() {
        assert_eq!(own("pass\n-- \nBen\n+1 555 0100\n"), ["pass"]);
        // RFC 3676 section 4.3: two dashes and a space.
        assert_eq!(own("pass\n--\nnot yet\n\nOn 23/11/2026 09:12, Postrider wrote:\n> q\n"), ["pass", "not yet"]);
        assert_eq!(own("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\npass\n"), ["pass"]);
        for line in [
            "Sent from my iPhone",
            "Von meinem iPhone gesendet",
            "Get Outlook for Android<https://aka.ms/x>",
            "Az iPhone-omról küldve",
            "ส่งจาก iPhone ของฉัน",
            "Sent from my iPhone, please excuse the brevity and any typos",
        ] {
            assert_eq!(own(&format!("pass\n\n{line}\nraid utah\n")), ["pass", "raid utah"], "{line}");
        }
        for line in [
            "Sent from my desk, so do nothing yet",
            "Sent from my iPhone (do nothing yet)",
            "Sent from my iPhone, please ignore",
            "Sent from my iPhone by accident",
            "Von meinem iPhone gesendet, bitte noch nicht ausführen",
            "Get Outlook for iOS. And wait with this.",
            "Sent from my mother",
            "Sent via carrier pigeon, ignore",
            "Envoyé de mon iPhone, à ne pas exécuter",
            "Sent from my iPhone, please excuse and do nothing",
            "Sent from texas: 3 war parties",
            "von meiner Seite: nichts",
        ] {
            assert_eq!(own(line), [line]);
        }
    }
}
