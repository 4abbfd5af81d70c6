//! Complete replies in the format of present mail programs to a letter of a game in progress. Only
//! the player's own order is carried out.

use super::{
    by_mail::{begun, decisions, field, outbox, unfolded},
    needed::*,
};
use mail_parser::MessageParser;

/// The layout of a program's reply.
#[derive(Clone, Copy)]
enum Shape {
    /// Text only: the player's words, the lead, the letter after this mark.
    Text(&'static str),
    /// The same as `format=flowed`, with the letter's lines wrapped again.
    Flowed(&'static str),
    /// A greeting, the lead, the letter after marks, and the player's words at the bottom.
    Below,
    /// A greeting, the lead, and the player's words within the letter after marks.
    Inside,
    /// Text with marks, and HTML with the letter between these two.
    Beside(&'static str, &'static str),
    /// Text without marks but with the address of each link, and HTML with the letter after this.
    Outlook(&'static str),
    /// HTML only, with the letter between these two.
    Html(&'static str, &'static str),
}

const GMAIL: Shape = Shape::Beside(
    "<br><div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">LEAD<br></div>\
     <blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex\">",
    "</blockquote></div>",
);
const APPLE: Shape = Shape::Beside(
    "<br id=\"lineBreakAtBeginningOfSignature\"><div dir=\"ltr\">Sent from my iPhone</div><div dir=\"ltr\"><br><blockquote \
     type=\"cite\">LEAD<br><br></blockquote></div><blockquote type=\"cite\"><div dir=\"ltr\">",
    "</div></blockquote>",
);
const THUNDERBIRD: Shape = Shape::Beside(
    "<div class=\"moz-cite-prefix\">LEAD<br></div><blockquote type=\"cite\" cite=\"mid:x\">",
    "</blockquote>",
);
const DESKTOP: Shape = Shape::Outlook(
    "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>LEAD</p></div></div>",
);
const WEB: Shape = Shape::Outlook(
    "<div id=\"appendonsend\"></div><hr tabindex=\"-1\" style=\"display:inline-block;width:98%\"><div id=\"divRplyFwdMsg\" \
     dir=\"ltr\">LEAD</div>",
);

/// Program and language, layout, and the text above the letter, in which bars separate lines.
/// `NAME` and `ADDRESS` are the host's.
const PROGRAMS: &[(&str, Shape, &str)] = &[
    ("Gmail, English", GMAIL, "On Fri, Nov 20, 2026 at 11:30 AM NAME <ADDRESS> wrote:"),
    ("Gmail, German", GMAIL, "Am Fr., 20. Nov. 2026 um 19:30 Uhr schrieb NAME <ADDRESS>:"),
    ("Gmail, French", GMAIL, "Le ven. 20 nov. 2026 à 19:30, NAME <ADDRESS> a écrit :"),
    ("Gmail, Japanese", GMAIL, "2026年11月21日(土) 3:30 NAME <ADDRESS>:"),
    ("Gmail for Android, Polish", Shape::Text("> "), "pt., 20 lis 2026, 19:30 użytkownik NAME <ADDRESS> napisał:"),
    ("Gmail for Android, Turkish", Shape::Text("> "), "NAME <ADDRESS>, 20 Kas 2026 Cum, 21:30 tarihinde şunu yazdı:"),
    ("Gmail for iOS, Spanish", GMAIL, "El El vie, 20 nov 2026 a la(s) 19:30, NAME <ADDRESS> escribió:"),
    ("Apple Mail on a telephone", APPLE, "On 20 Nov 2026, at 18:30, NAME <ADDRESS> wrote:"),
    (
        "Apple Mail on a telephone, Dutch",
        APPLE,
        "Op 20 nov 2026 om 19:30 heeft NAME <ADDRESS> het volgende geschreven:",
    ),
    ("Apple Mail, Italian", Shape::Text("> "), "Il giorno 20 nov 2026, alle ore 19:30, NAME <ADDRESS> ha scritto:"),
    (
        "Outlook, English",
        DESKTOP,
        "From: NAME <ADDRESS>|Sent: Friday, November 20, 2026 7:30 PM|To: Ben <ben@example.net>|Subject: SUBJECT",
    ),
    (
        "Outlook, German",
        DESKTOP,
        "Von: NAME <ADDRESS>|Gesendet: Freitag, 20. November 2026 19:30|An: Ben <ben@example.net>|Betreff: SUBJECT",
    ),
    (
        "Outlook, Finnish",
        DESKTOP,
        "Lähettäjä: NAME <ADDRESS>|Lähetetty: perjantai 20. marraskuuta 2026 20.30|Vastaanottaja: Ben|Aihe: SUBJECT",
    ),
    (
        "Outlook, Czech",
        DESKTOP,
        "Od: NAME <ADDRESS>|Odesláno: pátek 20. listopadu 2026 19:30|Komu: Ben|Předmět: SUBJECT",
    ),
    (
        "Outlook, Ukrainian",
        DESKTOP,
        "Від: NAME <ADDRESS>|Надіслано: 20 листопада 2026 р. 20:30|Кому: Ben|Тема: SUBJECT",
    ),
    (
        "Outlook, Chinese",
        DESKTOP,
        "发件人: NAME <ADDRESS>|发送时间: 2026年11月21日 3:30|收件人: Ben <ben@example.net>|主题: SUBJECT",
    ),
    (
        "Outlook on the web, Swedish",
        WEB,
        "Från: NAME <ADDRESS>|Skickat: den 20 november 2026 19:30|Till: Ben|Ämne: SUBJECT",
    ),
    (
        "Outlook on the web, Greek",
        WEB,
        "Από: NAME <ADDRESS>|Στάλθηκε: Παρασκευή, 20 Νοεμβρίου 2026 8:30 μμ|Προς: Ben|Θέμα: SUBJECT",
    ),
    (
        "Outlook on a telephone",
        WEB,
        "From: NAME <ADDRESS>|Sent: Friday, November 20, 2026 7:30:00 PM|To: Ben|Subject: SUBJECT",
    ),
    ("Thunderbird", THUNDERBIRD, "On 11/20/26 19:30, NAME wrote:"),
    ("Thunderbird, Hungarian", Shape::Flowed("> "), "2026. 11. 20. 19:30 keltezéssel, NAME írta:"),
    ("Thunderbird with bars", Shape::Flowed("| "), "On 2026-11-20 19:30, NAME wrote:"),
    ("Thunderbird, answered at the bottom", Shape::Below, "Am 20.11.26 um 19:30 schrieb NAME:"),
    (
        "Yahoo",
        Shape::Html(
            "<div id=\"ydp1yahoo_quoted_1\" class=\"ydp1yahoo_quoted\"><div>LEAD</div><div><br></div><div>",
            "</div></div>",
        ),
        "On Friday, November 20, 2026 at 07:30:00 PM GMT+1, NAME <ADDRESS> wrote:",
    ),
    (
        "Proton Mail",
        Shape::Beside(
            "<div class=\"protonmail_quote\">LEAD<br><blockquote class=\"protonmail_quote\" type=\"cite\">",
            "</blockquote></div>",
        ),
        "On Friday, November 20th, 2026 at 7:30 PM, NAME <ADDRESS> wrote:",
    ),
    ("Zoho", Shape::Text(" > "), "---- On Fri, 20 Nov 2026 19:30:00 +0100 NAME <ADDRESS> wrote ---"),
    (
        "GMX",
        Shape::Html(
            "<div name=\"quote\" style=\"margin:10px 5px 5px 10px\"><div>LEAD</div><div name=\"quoted-content\">",
            "</div></div>",
        ),
        "Gesendet: Freitag, 20. November 2026 um 19:30 Uhr|Von: \"NAME\" <ADDRESS>|An: ben@example.net|Betreff: SUBJECT",
    ),
    ("K-9 Mail", Shape::Text(">"), "On 20 November 2026 18:30:00 UTC, NAME <ADDRESS> wrote:"),
    (
        "FairEmail",
        Shape::Beside("<div class=\"fairemail_quote\"><p>LEAD</p><blockquote>", "</blockquote></div>"),
        "20 Nov 2026 19:30:00 NAME <ADDRESS>:",
    ),
    (
        "Samsung Mail",
        Shape::Text(""),
        "-------- Original message --------|From: NAME <ADDRESS> |Date: 20/11/2026  19:30  (GMT+01:00) |To: ben@example.net |Subject: SUBJECT ",
    ),
    (
        "Spark",
        Shape::Beside("<div name=\"messageReplySection\">LEAD<br><blockquote type=\"cite\">", "</blockquote></div>"),
        "On 20 Nov 2026 at 19:30 +0100, NAME <ADDRESS>, wrote:",
    ),
    ("mutt, answered inside", Shape::Inside, "On Fri, Nov 20, 2026 at 06:30:00PM +0000, NAME wrote:"),
    ("Zimbra", Shape::Text("| "), "----- Le 20 Nov 26, à 19:30, NAME ADDRESS a écrit :"),
    (
        "Zimbra on the web",
        Shape::Html("<hr id=\"zwchr\" data-marker=\"__DIVIDER__\"><div>LEAD</div><div>", "</div>"),
        "De: \"NAME\" <ADDRESS>|À: \"ben\" <ben@example.net>|Envoyé: Vendredi 20 Novembre 2026 19:30:00|Objet: SUBJECT",
    ),
    (
        "Notes",
        Shape::Text(""),
        "\tPost Rider@PLAY|\t11/20/2026 07:30 PM|\t\t To: Ben/PLAY@PLAY|\t\t cc: |\t\t Subject: SUBJECT",
    ),
    ("a program of which nothing is known", Shape::Text("> "), "20/11/2026 19:30 - NAME:"),
];

/// A letter as it arrived.
struct Letter {
    header: String,
    text: String,
    page: String,
}

impl Letter {
    fn of(raw: &str) -> Letter {
        let message = MessageParser::default().parse(raw.as_bytes()).unwrap();
        let page = message.body_html(0).unwrap();
        let inner =
            page.split_once("<body").and_then(|(_, rest)| rest.split_once('>')).map_or(&*page, |(_, rest)| rest);
        Letter {
            header: unfolded(raw),
            text: message.body_text(0).unwrap().replace("\r\n", "\n"),
            page: inner.split("</body>").next().unwrap_or_default().to_owned(),
        }
    }

    /// Returns the text that Outlook makes of the HTML, with each button's address after its words.
    fn spelt_out(&self) -> String {
        let button = |line: &str| match line.find("bid ") {
            Some(at) => format!(
                "{line}<mailto:postrider+lone-pine@play.example.org?subject=Re&body={}>\n",
                &line[at..].replace(' ', "%20")
            ),
            None => format!("{line}\n"),
        };
        self.text.lines().map(button).collect()
    }

    fn lead(&self, lead: &str) -> String {
        let lead = lead.replace("SUBJECT", field(&self.header, "Subject")).replace('|', "\n");
        lead.replace("NAME", "Postrider").replace("ADDRESS", "postrider@play.example.org")
    }
}

/// Returns the complete reply with the player's words.
fn reply(letter: &Letter, shape: Shape, lead: &str) -> String {
    let lead = letter.lead(lead);
    let marked = |mark: &str, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let escaped = lead.replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>");
    let page = |open: &str, close: &str| {
        format!("<html><body><div>bid 4</div>{}{}{close}</body></html>\n", open.replace("LEAD", &escaped), letter.page)
    };
    let plain = |flowed: &str, text: &str| format!("Content-Type: text/plain; charset=utf-8{flowed}\n\n{text}");
    let both = |text: &str, html: &str| {
        format!(
            "Content-Type: multipart/alternative; boundary=\"b\"\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n{text}\n--b\n\
             Content-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
        )
    };
    let body = match shape {
        Shape::Text(mark) => plain("", &format!("bid 4\n\n{lead}\n\n{}", marked(mark, &letter.text))),
        Shape::Flowed(mark) => {
            let anew = textwrap::fill(&letter.text, 60);
            plain("; format=flowed", &format!("bid 4\n\n{lead}\n{}", marked(mark, &anew)))
        }
        Shape::Below => plain("", &format!("Hi Postrider,\n\n{lead}\n{}\nbid 4\n", marked("> ", &letter.text))),
        Shape::Inside => {
            let half = letter.text.len() / 2;
            let at = half + letter.text[half..].find('\n').unwrap() + 1;
            let (above, below) = letter.text.split_at(at);
            plain("", &format!("Hello,\n\n{lead}\n{}\nbid 4\n\n{}", marked("> ", above), marked("> ", below)))
        }
        Shape::Beside(open, close) => {
            both(&format!("bid 4\n\n{lead}\n\n{}", marked("> ", &letter.text)), &page(open, close))
        }
        Shape::Outlook(open) => both(&format!("bid 4\n\n{lead}\n\n{}", letter.spelt_out()), &page(open, "")),
        Shape::Html(open, close) => format!("Content-Type: text/html; charset=utf-8\n\n{}", page(open, close)),
    };
    format!(
        "From: Ben <ben@example.net>\nTo: {}\nSubject: Re: {}\nMessage-ID: <r1@example.net>\nIn-Reply-To: {}\nMIME-Version: 1.0\n\
         Content-Transfer-Encoding: 8bit\n{body}",
        field(&letter.header, "Reply-To"),
        field(&letter.header, "Subject"),
        field(&letter.header, "Message-ID"),
    )
}

#[test]
fn a_reply_of_any_program_is_carried_out_and_nothing_that_it_quotes() {
    let mut wrong = Vec::new();
    for (name, shape, lead) in PROGRAMS {
        let (_folder, mut office) = begun();
        let raw = outbox(&office).into_iter().find(|(name, _)| name.starts_with("lone-pine.B.")).unwrap().1;
        let mail = reply(&Letter::of(&raw), *shape, lead);
        let outcome = office.receive(mail.as_bytes()).unwrap().outcome;
        let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
        let bid = journal.matches(r#""order":{"bid":{"coins":4}}"#).count();
        // Notes puts a header without a sender above the copy. Its lines are not understood, so the
        // player is asked.
        let done = usize::from(*name != "Notes");
        if outcome != (Outcome::Answered { done, total: done }) || decisions(&office) != done || bid != done {
            wrong.push(format!("{name}: {outcome:?}, {} orders\n{mail}", decisions(&office)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), PROGRAMS.len(), wrong.join("\n\n"));
    assert!(PROGRAMS.len() >= 36);
}

/// If the letter is unknown, some replies are asked about; nothing quoted is carried out.
#[test]
fn without_the_letter_nothing_that_a_reply_quotes_is_carried_out() {
    let mut read = 0;
    for (name, shape, lead) in PROGRAMS {
        let (_folder, mut office) = begun();
        let raw = outbox(&office).into_iter().find(|(name, _)| name.starts_with("lone-pine.B.")).unwrap().1;
        let mail = reply(&Letter::of(&raw), *shape, lead);
        let unknown: String =
            mail.lines().filter(|line| !line.starts_with("In-Reply-To")).map(|line| format!("{line}\n")).collect();
        office.receive(unknown.as_bytes()).unwrap();
        let journal = std::fs::read_to_string(office.host().journal("lone-pine")).unwrap();
        let orders = decisions(&office);
        assert_eq!(orders, journal.matches(r#""order":{"bid":{"coins":4}}"#).count(), "{name}");
        assert!(orders <= 1, "{name}");
        read += orders;
    }
    assert!(read * 10 >= PROGRAMS.len() * 8, "{read} of {}", PROGRAMS.len());
}
