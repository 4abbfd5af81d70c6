//! Telling what the sender wrote from what his program put there: quotes, the line that introduces them, headers of
//! the original message, signatures.

use super::{flowed::Line, order_text::Note};

/// The words by which our mails mark where their own text goes on. What stands after an unquoted copy of this line is
/// ours. The templates print it at the start of a line; a mail program may wrap it.
pub const CUT_LINE_MARK: &str = "ANSWER by replying; write your orders above this line";

/// What a line is, apart from the sender's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Own,
    Blank,
    Quoted,
    /// Neither quoted nor the sender's: an attribution, "Sent from my …", PGP armour.
    Furniture,
    Signature,
}

/// What is left of a text once everything foreign is taken off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stripped {
    /// The sender's own lines.
    pub own: Vec<Line>,
    pub notes: Vec<Note>,
    /// Set if lines above the quote and lines inside it both look like answers, or what is inside could be either.
    pub unclear: bool,
}

/// Takes everything off that the sender did not write.
pub(super) fn strip(mut lines: Vec<Line>) -> Stripped {
    let mut result = Stripped::default();
    for line in &mut lines {
        line.text = tidy(&line.text);
    }
    if let Some(at) = original_begins(&lines, &mut result.notes) {
        lines.truncate(at);
        lines.push(Line { depth: 1, text: String::new(), no: 0, signature: false });
    }
    let roles = roles(&lines, &mut result.notes);
    let first_quoted = roles.iter().position(|role| *role == Role::Quoted);
    let last_quoted = roles.iter().rposition(|role| *role == Role::Quoted);
    let (Some(first), Some(last)) = (first_quoted, last_quoted) else {
        result.own = pick(&lines, &roles, |_| true);
        return result;
    };
    let above = pick(&lines, &roles, |at| at < first);
    let below = pick(&lines, &roles, |at| at > last);
    let (leftover, inside): (Vec<usize>, Vec<usize>) =
        (first..last).filter(|&at| roles[at] == Role::Own).partition(|&at| is_wrapped_rest(&lines, &roles, at));
    let inside: Vec<Line> = inside.into_iter().map(|at| lines[at].clone()).collect();
    if !above.is_empty() {
        // Answers above and words inside: which of them are meant, only the sender knows. Words below are footers.
        result.unclear = !inside.is_empty();
        if !below.is_empty() {
            result.notes.push(Note::BelowQuoteIgnored);
        }
        if !leftover.is_empty() {
            result.notes.push(Note::WrappedQuote);
        }
        result.own = above;
        return result;
    }
    if !leftover.is_empty() {
        result.notes.push(Note::WrappedQuote);
        result.unclear = below.is_empty();
    }
    if !inside.is_empty() {
        result.notes.push(Note::InsideQuote);
    }
    if inside.is_empty() && below.is_empty() {
        result.notes.push(Note::OnlyQuoted);
    }
    result.own = inside;
    result.own.extend(below);
    result
}

fn pick(lines: &[Line], roles: &[Role], wanted: impl Fn(usize) -> bool) -> Vec<Line> {
    let own = |at: &usize| roles[*at] == Role::Own && wanted(*at);
    (0..lines.len()).filter(own).map(|at| lines[at].clone()).collect()
}

/// A single line between two quoted ones, after a long one: most likely the end of a quoted line that a program wrapped.
fn is_wrapped_rest(lines: &[Line], roles: &[Role], at: usize) -> bool {
    let quoted = |at: Option<usize>| at.is_some_and(|at| roles.get(at) == Some(&Role::Quoted));
    quoted(at.checked_sub(1)) && quoted(Some(at + 1)) && lines[at - 1].text.chars().count() >= 60
}

/// Removes invisible characters and turns odd spaces into plain ones; white space at the end stays.
fn tidy(text: &str) -> String {
    text.chars()
        .filter(
            |c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}'),
        )
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect()
}

fn roles(lines: &[Line], notes: &mut Vec<Note>) -> Vec<Role> {
    let mut roles = Vec::with_capacity(lines.len());
    let mut in_signature = false;
    let mut furniture_until = 0;
    for (at, line) in lines.iter().enumerate() {
        let role = if line.depth > 0 {
            in_signature = false;
            Role::Quoted
        } else if at < furniture_until {
            Role::Furniture
        } else if let Some(length) = attribution(&lines[at..]) {
            in_signature = false;
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
            Role::Furniture
        } else if line.text.starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
            // RFC 4880 section 7: "Hash:" fields follow up to a blank line.
            let fields = lines[at..].iter().take(8).position(Line::is_blank).unwrap_or(1);
            furniture_until = at + fields;
            Role::Furniture
        } else if line.text.starts_with("-----BEGIN PGP SIGNATURE-----") {
            in_signature = true;
            Role::Signature
        } else {
            Role::Own
        };
        roles.push(role);
    }
    if roles.contains(&Role::Signature) {
        notes.push(Note::SignatureIgnored);
    }
    roles
}

/// Where the original message begins without quote marks, so that all that follows is its text.
fn original_begins(lines: &[Line], notes: &mut Vec<Note>) -> Option<usize> {
    let last_quoted = lines.iter().rposition(|line| line.depth > 0);
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.depth == 0 && !line.is_blank()) {
        let (line, rest) = (&lines[at], &lines[at..]);
        if is_divider(&line.text) || is_header_block(rest) || is_attribution_with_text(&line.text) {
            return Some(at);
        }
        // An attribution with nothing quoted after it: a program that quotes without marks.
        if last_quoted.is_none_or(|last| last < at) && attribution(rest).is_some() {
            return Some(at);
        }
        if is_cut_line(rest) {
            notes.push(Note::UnquotedCopy);
            return Some(at);
        }
    }
    None
}

fn is_cut_line(lines: &[Line]) -> bool {
    let mark = squeezed(CUT_LINE_MARK);
    // Wrapped, it still begins here and goes on in the next line or two.
    let text = lines.iter().take(3).map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
    let text = squeezed(&text);
    text.starts_with(&mark) || squeezed(&lines[0].text).contains(&mark)
}

/// Lower case, single spaces, no emphasis marks.
fn squeezed(text: &str) -> String {
    text.replace(['*', '_'], "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// "-----Original Message-----" in several languages, and the bar of underscores that Outlook on the web draws.
fn is_divider(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "original message",
        "original appointment",
        "forwarded message",
        "reply message",
        "ursprüngliche nachricht",
        "originalnachricht",
        "weitergeleitete nachricht",
        "message d'origine",
        "message d’origine",
        "message original",
        "message transféré",
        "mensaje original",
        "mensaje reenviado",
        "mensagem original",
        "oorspronkelijk bericht",
        "doorgestuurd bericht",
        "messaggio originale",
        "ursprungligt meddelande",
        "oprindelig meddelelse",
        "opprinnelig melding",
        "wiadomość oryginalna",
        "元のメッセージ",
    ];
    let text = text.trim();
    if text.len() >= 20 && text.bytes().all(|byte| byte == b'_') {
        return true;
    }
    let lower = text.to_lowercase();
    if lower == "begin forwarded message:" {
        return true;
    }
    text.starts_with("--") && text.ends_with("--") && {
        let inner = lower.trim_matches(['-', ' ']);
        WORDS.contains(&inner)
    }
}

/// "From: … / Sent: … / To: … / Subject: …" as Outlook writes it above what it does not mark.
fn is_header_block(lines: &[Line]) -> bool {
    const FROM: &[&str] =
        &["from", "von", "de", "van", "da", "fra", "från", "od", "lähettäjä", "差出人", "发件人", "от"];
    const OTHERS: &[&str] = &[
        "sent",
        "date",
        "to",
        "cc",
        "subject",
        "gesendet",
        "datum",
        "an",
        "betreff",
        "envoyé",
        "à",
        "objet",
        "enviado",
        "enviado el",
        "enviada em",
        "fecha",
        "data",
        "para",
        "asunto",
        "assunto",
        "verzonden",
        "aan",
        "onderwerp",
        "inviato",
        "a",
        "oggetto",
        "skickat",
        "till",
        "ämne",
        "sendt",
        "til",
        "emne",
        "wysłano",
        "do",
        "temat",
        "送信日時",
        "宛先",
        "件名",
        "发送时间",
        "收件人",
        "主题",
        "отправлено",
        "кому",
        "тема",
    ];
    let label = |line: &Line| {
        let text = line.text.replace('*', "");
        let (label, value) = text.split_once([':', '：'])?;
        (!value.trim().is_empty()).then(|| label.trim().to_lowercase())
    };
    let Some(first) = lines.first().and_then(label) else { return false };
    if !FROM.contains(&first.as_str()) {
        return false;
    }
    let following = lines.iter().skip(1).filter(|line| !line.is_blank()).take(4).filter_map(label);
    following.filter(|label| OTHERS.contains(&label.as_str())).count() >= 2
}

/// The number of lines of an attribution ("On … wrote:") that begins here; programs wrap it over up to four.
fn attribution(lines: &[Line]) -> Option<usize> {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate().take(4) {
        if line.depth > 0 || line.is_blank() {
            return None;
        }
        if at > 0 {
            text.push(' ');
        }
        text.push_str(line.text.trim());
        // "On Saturday Postrider wrote:" names neither date nor address; the quote right below it says what it is.
        let quote_follows = lines.get(at + 1).is_some_and(|next| next.depth > 0);
        if at == 0 && quote_follows && text.to_lowercase().starts_with("on ") && text.trim_end().ends_with(" wrote:") {
            return Some(1);
        }
        if is_attribution(&text) {
            // An order right above a whole attribution is none of its lines.
            let begins = at == 0 || (begins_attribution(&lines[0].text) && !begins_attribution(&lines[at].text));
            return begins.then_some(at + 1);
        }
    }
    None
}

/// Yahoo's programs for telephones go on with the original right after "wrote:".
fn is_attribution_with_text(text: &str) -> bool {
    let ends = text.match_indices(": ").map(|(at, _)| &text[..=at]);
    begins_attribution(text) && ends.take(4).any(is_attribution)
}

/// Whether a line can be the first of several: it names the sender or, after the word for "on", has a figure of the date.
fn begins_attribution(text: &str) -> bool {
    const LEADS: &[&str] = &[
        "on ", "am ", "le ", "el ", "op ", "il ", "em ", "den ", "w dniu ", "dne ", "em ", "a(z) ", "в ", "пн", "на ",
    ];
    let lower = text.trim().to_lowercase();
    // The end of an address that was broken inside its brackets, "postrider@play.example.org> wrote:".
    let closes_only = lower.find('>').is_some_and(|at| !lower[..at].contains('<'));
    if lower.starts_with('<') || closes_only {
        return false;
    }
    lower.contains('@')
        || (lower.bytes().any(|byte| byte.is_ascii_digit()) && LEADS.iter().any(|lead| lower.starts_with(lead)))
}

fn is_attribution(text: &str) -> bool {
    const VERBS: &[&str] = &[
        " wrote",
        " schrieb",
        " a écrit",
        " escribió",
        " schreef",
        " ha scritto",
        " escreveu",
        " skrev",
        " kirjoitti",
        " napisał",
        " napsal",
        " írta",
        " написал",
        " пише",
        " さんは書きました",
        " 写道",
    ];
    let Some(body) = text.trim_end().strip_suffix([':', '：']) else { return false };
    let lower = body.trim_end().to_lowercase();
    let has_digit = lower.bytes().any(|byte| byte.is_ascii_digit());
    let has_address = lower.split_whitespace().any(|word| {
        let word = word.trim_matches(['<', '>', '(', ')', '[', ']', ',', '"', '\'', '*']);
        word.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.'))
    });
    let verb = VERBS.iter().any(|verb| match lower.find(verb) {
        // The verb ends the line ("On … X wrote") or what follows names whom or when ("schrieb X <…>").
        Some(at) => {
            let after = &lower[at + verb.len()..];
            after.chars().next().is_none_or(|c| !c.is_alphanumeric())
        }
        None => false,
    });
    // With a verb a date or an address is enough; in a language we do not know it must have both.
    (verb && (has_digit || has_address)) || (has_address && has_time(&lower))
}

fn has_time(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.'))).any(|word| {
        let mut parts = word.split([':', '.']);
        let (hour, minute) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        (1..=2).contains(&hour.len()) && minute.len() == 2
    })
}

/// "Sent from my iPhone" and its kin: one line that a program adds below what was written.
fn is_device_line(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "sent from my ",
        "sent from mail for ",
        "sent from outlook",
        "sent from yahoo mail",
        "sent from proton mail",
        "sent from protonmail",
        "sent from gmail",
        "sent from the all new aol",
        "sent with proton mail",
        "sent with protonmail",
        "sent via ",
        "get outlook for ",
        "yahoo mail: search, organize, conquer",
        "von meinem ",
        "gesendet von ",
        "gesendet mit ",
        "envoyé de mon ",
        "envoyé depuis ",
        "envoyé à partir d",
        "obtenir outlook pour ",
        "enviado desde ",
        "enviado do meu ",
        "verzonden vanaf ",
        "verstuurd vanaf ",
        "inviato da ",
        "inviato dal ",
        "sendt fra ",
        "skickat från ",
        "iphoneから送信",
    ];
    // Proton Mail writes the name of the program as a Markdown link.
    let lower = text.trim().replace(['*', '_', '['], "").to_lowercase();
    lower.chars().count() <= 90
        && BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        // "von meinem" alone could begin a sentence.
        && (!lower.starts_with("von meinem ") || lower.contains("gesendet"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::flowed::{Format, lines};

    fn own(text: &str) -> Vec<String> {
        stripped(text).own.into_iter().map(|line| line.text).collect()
    }

    fn stripped(text: &str) -> Stripped {
        strip(lines(text, Format::Fixed))
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
        ] {
            assert_eq!(own(&format!("pass\n{line}\na  play raid\n")), ["pass"], "{line}");
        }
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
        assert!(stripped(&both).unclear);
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
    fn signatures_and_device_lines_go() {
        assert_eq!(own("pass\n-- \nBen\n+1 555 0100\n"), ["pass"]);
        assert_eq!(own("pass\n--\nBen\n\nOn 23/11/2026 09:12, Postrider wrote:\n> q\n"), ["pass"]);
        for line in ["Sent from my iPhone", "Von meinem iPhone gesendet", "Get Outlook for Android<https://aka.ms/x>"] {
            assert_eq!(own(&format!("pass\n\n{line}\n")), ["pass"], "{line}");
        }
    }
}
