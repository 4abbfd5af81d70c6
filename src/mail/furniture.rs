//! What mail programs put around a quoted message: attributions, dividers, header fields of the original, and the line
//! that a telephone signs with. Words are known for many languages; where they are not, the shape of an address, a date
//! or a row of header fields is enough.

use super::flowed::Line;

/// Fields that name the author of the original, its date, whom it was for, and its subject; in lower case.
const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "de la",
    "van",
    "da",
    "mittente",
    "fra",
    "från",
    "od",
    "šalje",
    "nadawca",
    "lähettäjä",
    "feladó",
    "expeditor",
    "expeditorul",
    "kimden",
    "gönderen",
    "saatja",
    "от",
    "от кого",
    "отправитель",
    "від",
    "від кого",
    "από",
    "מאת",
    "差出人",
    "送信者",
    "送信元",
    "发件人",
    "寄件者",
    "寄件人",
    "보낸 사람",
    "보낸사람",
    "من",
    "expéditeur",
    "remitente",
    "remetente",
    "pošiljatelj",
    "avsändare",
    "absender",
    "afzender",
    "no",
    "nuo",
    "từ",
    "dari",
    "ผู้ส่ง",
    "از",
];
const DATE: &[&str] = &[
    "sent",
    "date",
    "datum",
    "gesendet",
    "gesendet am",
    "envoyé",
    "envoyé le",
    "enviado",
    "enviado el",
    "enviado em",
    "enviada em",
    "enviada",
    "fecha",
    "data",
    "verzonden",
    "inviato",
    "skickat",
    "sendt",
    "dato",
    "wysłano",
    "odesláno",
    "odoslané",
    "dátum",
    "elküldve",
    "lähetetty",
    "päivämäärä",
    "päiväys",
    "aika",
    "trimis",
    "dată",
    "data trimiterii",
    "gönderilme tarihi",
    "gönderme tarihi",
    "gönderilen",
    "tarih",
    "poslano",
    "отправлено",
    "дата",
    "дата отправки",
    "надіслано",
    "відправлено",
    "изпратено",
    "στάλθηκε",
    "ημερομηνία",
    "נשלח",
    "תאריך",
    "送信日時",
    "日時",
    "日付",
    "发送时间",
    "发送日期",
    "日期",
    "寄件日期",
    "傳送時間",
    "時間",
    "보낸 날짜",
    "보낸날짜",
    "날짜",
    "تاريخ",
    "le",
    "kuupäev",
    "saadetud",
    "išsiųsta",
    "nosūtīts",
];
const TO: &[&str] = &[
    "to",
    "an",
    "à",
    "a",
    "para",
    "aan",
    "til",
    "till",
    "do",
    "za",
    "komu",
    "címzett",
    "vastaanottaja",
    "către",
    "către:",
    "kime",
    "alıcı",
    "saaja",
    "кому",
    "получатель",
    "до",
    "προς",
    "אל",
    "宛先",
    "收件人",
    "收件者",
    "받는 사람",
    "받는사람",
    "إلى",
    "prima",
    "destinatario",
    "destinataire",
    "cc",
    "kopie",
    "kopia",
    "kopi",
    "kopio",
    "copia",
    "copie",
    "copie à",
    "kópia",
    "másolatot kap",
    "másolat",
    "bilgi",
    "dw",
    "копия",
    "копія",
    "κοιν.",
    "κοινοποίηση",
    "עותק",
    "抄送",
    "副本",
    "참조",
    "reply-to",
    "répondre à",
];
const SUBJECT: &[&str] = &[
    "subject",
    "betreff",
    "objet",
    "sujet",
    "asunto",
    "assunto",
    "onderwerp",
    "oggetto",
    "ämne",
    "emne",
    "temat",
    "předmět",
    "predmet",
    "tárgy",
    "aihe",
    "subiect",
    "subiectul",
    "konu",
    "teema",
    "тема",
    "относно",
    "θέμα",
    "נושא",
    "件名",
    "主题",
    "主題",
    "主旨",
    "제목",
    "موضوع",
    "naslov",
    "zadeva",
];

/// Words for "wrote" as attributions have them, in lower case.
const VERBS: &[&str] = &[
    "wrote",
    "writes",
    "said",
    "schrieb",
    "schrieben sie",
    "geschrieben",
    "a écrit",
    "écrivait",
    "nous a dit",
    "escribió",
    "escribio",
    "va escriure",
    "schreef",
    "geschreven",
    "ha scritto",
    "scrive",
    "escreveu",
    "skrev",
    "skreiv",
    "kirjoitti",
    "napisał",
    "napisała",
    "napisał(a)",
    "pisze",
    "napsal",
    "napsal(a)",
    "napsala",
    "píše",
    "napísal",
    "napísal(a)",
    "napísala",
    "írta",
    "írt",
    "написал",
    "написала",
    "написал(а)",
    "пишет",
    "пише",
    "написав",
    "написала",
    "написа",
    "έγραψε",
    "yazdı",
    "yazdi",
    "כתב",
    "כתבה",
    "כתב/ה",
    "كتب",
    "写道",
    "寫道",
    "さんは書きました",
    "は書きました",
    "が書きました",
    "님이 작성",
    "작성",
    "님이 씀",
    "napisao",
    "napisala",
    "napisao/la",
    "je napisal",
    "je napisal/a",
    "a scris",
    "kirjutas",
    "rakstīja",
    "rašė",
    "đã viết",
    "menulis",
    "เขียนว่า",
    "نوشت",
    "написао",
];

/// Words that begin an attribution which names no date.
const QUOTING: &[&str] =
    &["quoting ", "zitat von ", "citando a ", "citando ", "citat från ", "citaat van ", "citation de "];

/// How an attribution may begin before its date.
const LEADS: &[&str] = &[
    "on ",
    "at ",
    "am ",
    "le ",
    "el ",
    "op ",
    "il ",
    "em ",
    "a ",
    "den ",
    "d. ",
    "w dniu ",
    "dnia ",
    "dne ",
    "dňa ",
    "a(z) ",
    "în ",
    "la ",
    "в ",
    "на ",
    "у ",
    "στις ",
    "dana ",
    "dne ",
    "ב",
    "בתאריך ",
    "在 ",
    "於 ",
    "pada ",
    "vào ",
    "in message ",
];

/// What a divider may say between its dashes.
const DIVIDERS: &[&str] = &[
    "original message",
    "original appointment",
    "forwarded message",
    "reply message",
    "ursprüngliche nachricht",
    "originalnachricht",
    "original-nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message d’origine",
    "message original",
    "message initial",
    "message transféré",
    "message transmis",
    "mensaje original",
    "mensaje reenviado",
    "mensagem original",
    "mensagem encaminhada",
    "mensagem reencaminhada",
    "oorspronkelijk bericht",
    "doorgestuurd bericht",
    "messaggio originale",
    "messaggio inoltrato",
    "ursprungligt meddelande",
    "originalmeddelande",
    "vidarebefordrat meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "videresendt meddelelse",
    "videresendt melding",
    "wiadomość oryginalna",
    "oryginalna wiadomość",
    "przekazana wiadomość",
    "treść oryginalnej wiadomości",
    "původní zpráva",
    "původní e-mail",
    "pôvodná správa",
    "eredeti üzenet",
    "továbbított üzenet",
    "alkuperäinen viesti",
    "mesaj original",
    "mesajul original",
    "orijinal ileti",
    "orijinal mesaj",
    "özgün ileti",
    "исходное сообщение",
    "пересылаемое сообщение",
    "оригінальне повідомлення",
    "вихідне повідомлення",
    "оригинално съобщение",
    "αρχικό μήνυμα",
    "הודעה מקורית",
    "元のメッセージ",
    "原始邮件",
    "原始郵件",
    "原邮件",
    "转发邮件信息",
    "원본 메시지",
    "원본메시지",
    "izvorna poruka",
    "izvorno sporočilo",
    "رسالة أصلية",
];

/// How a line begins by which a telephone or a web mail advertises itself, in lower case.
const DEVICES: &[&str] = &[
    "sent from ",
    "sent with proton mail",
    "sent with protonmail",
    "sent with airmail",
    "sent with spark",
    "sent with canary",
    "sent via ",
    "sent using ",
    "sent by ",
    "<<sent by ",
    "get outlook for ",
    "get bluemail for ",
    "yahoo mail: search, organize, conquer",
    "secured with tutanota",
    "secured with proton",
    "von meinem ",
    "von meiner ",
    "diese nachricht wurde von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "gesendet über ",
    "gesendet aus ",
    "holen sie sich outlook",
    "envoyé de mon ",
    "envoyé depuis ",
    "envoyé à partir d",
    "envoyé avec ",
    "envoyé par ",
    "obtenir outlook pour ",
    "télécharger outlook pour ",
    "enviado desde ",
    "enviado con ",
    "enviado do meu ",
    "enviado de meu ",
    "enviado a partir d",
    "enviado pelo ",
    "enviado via ",
    "obtener outlook",
    "obter o outlook",
    "enviat des d",
    "verzonden vanaf ",
    "verstuurd vanaf ",
    "verzonden met ",
    "verzonden via ",
    "outlook voor ",
    "inviato da ",
    "inviato dal ",
    "inviato con ",
    "ottieni outlook",
    "scarica outlook",
    "sendt fra ",
    "sendt med ",
    "hent outlook",
    "få outlook",
    "skickat från ",
    "skickades från ",
    "hämta outlook",
    "lähetetty ",
    "hanki outlook",
    "wysłane z ",
    "wysłano z ",
    "pobierz outlook",
    "odesláno z ",
    "získat outlook",
    "získať outlook",
    "odoslané z ",
    "odoslané zo ",
    "küldve ",
    "elküldve ",
    "trimis de pe ",
    "trimis din ",
    "obțineți outlook",
    "отправлено с ",
    "отправлено из ",
    "отправлено от ",
    "скачать outlook",
    "надіслано з ",
    "відправлено з ",
    "изпратено от ",
    "στάλθηκε από ",
    "εστάλη από ",
    "poslano s ",
    "poslano sa ",
    "poslano iz ",
    "poslano z ",
    "נשלח מ",
    "发自我的",
    "发送自",
    "從我的",
    "发自",
    "iphoneから送信",
    "ipadから送信",
    "나의 iphone",
    "내 iphone",
    "获取 outlook",
    "取得 outlook",
    "outlook for ",
];

/// How such a line ends in languages that put the device first.
const DEVICE_ENDS: &[&str] = &["gönderildi", "から送信", "에서 보냄", "에서 전송", "传送", "傳送"];

/// Whether a text holds a mail address.
pub(super) fn has_address(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || "<>()[]{},;:\"'*«»„“”".contains(c)).any(|word| {
        word.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && host.split_once('.').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        })
    })
}

/// Whether a text holds a time of day such as `9:12`, `09.12` or `9h12`.
fn has_time(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | 'h'))).any(|word| {
        let mut parts = word.split([':', '.', 'h']);
        let (hour, minute) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        (1..=2).contains(&hour.len()) && minute.len() == 2
    })
}

/// Whether a text holds a date of this century: a year, or three numbers such as `23.11.26`.
fn has_date(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-')));
    words.any(|word| {
        let numbers: Vec<&str> = word.split(['/', '.', '-']).filter(|number| !number.is_empty()).collect();
        let year = |number: &&str| number.len() == 4 && number.starts_with("20");
        numbers.iter().any(year) || (numbers.len() == 3 && numbers.iter().all(|number| number.len() <= 2))
    })
}

/// Whether a text alone says that a quoted message is near: it names an address, or a date with its time.
pub(super) fn is_telling(text: &str) -> bool {
    has_address(text) || (has_date(text) && has_time(text))
}

/// The number of lines of an attribution ("On … wrote:") that begins here; programs wrap it over several.
pub(super) fn attribution(lines: &[Line]) -> Option<usize> {
    let first = lines.first()?;
    if first.depth > 0 || first.is_blank() {
        return None;
    }
    let mut text = String::new();
    let mut blanks = 0;
    for (at, line) in lines.iter().enumerate().take(7) {
        let open = text.matches(['<', '[']).count() > text.matches(['>', ']']).count();
        // Some programs set the address between brackets on lines of its own.
        let next_opens = line.is_blank() && lines.get(at + 1).is_some_and(|next| next.text.trim() == "<");
        if (line.depth > 0 && !open) || (line.is_blank() && !open && !next_opens) {
            return None;
        }
        blanks += usize::from(line.is_blank());
        if at - blanks >= 5 {
            return None;
        }
        if at > 0 {
            text.push(' ');
        }
        if line.depth > 0 {
            text.push('>');
        }
        text.push_str(line.text.trim());
        let follows = lines[at + 1..].iter().find(|next| !next.is_blank());
        // "On Saturday Postrider wrote:" names neither date nor address; the quote below it says what it is.
        let quote_follows = follows.is_some_and(|next| next.depth > 0);
        if at == 0 && quote_follows && ends_in_verb(&text.to_lowercase(), true) {
            return Some(1);
        }
        if is_attribution(&text) {
            return begins_it(lines, at).then_some(at + 1);
        }
    }
    None
}

/// Whether the attribution that ends at line `end` begins at the first line, and not below an order right above it.
fn begins_it(lines: &[Line], end: usize) -> bool {
    let joined = |from: usize| lines[from..=end].iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ");
    if end == 0 {
        return true;
    }
    let named_below = lines[1].text.trim_start().starts_with('<');
    let begins = strong_begin(&lines[0].text) || weak_begin(&lines[0].text) || named_below;
    let first = &lines[0].text;
    // Of two lines that could be the first, the one with the date is; of two with dates the later one.
    let later = (1..=end).any(|at| {
        let text = &lines[at].text;
        let begins = match (strong_begin(first), has_date(first)) {
            (_, true) => has_date(text),
            (true, false) => has_date(text) && strong_begin(text),
            (false, false) => strong_begin(text) || weak_begin(text),
        };
        begins && is_attribution(&joined(at))
    });
    begins && !later
}

/// A line with a date, or with a figure after the word for "on".
fn strong_begin(text: &str) -> bool {
    let lower = text.trim().trim_start_matches(['-', '—', '–', '<', '*', ' ']).to_lowercase();
    let lead = LEADS.iter().any(|lead| lower.starts_with(lead)) && lower.bytes().any(|byte| byte.is_ascii_digit());
    !closes_only(&lower) && (lead || has_date(&lower))
}

/// A line that names an address.
fn weak_begin(text: &str) -> bool {
    let text = text.trim();
    !text.starts_with('<') && !closes_only(text) && text.contains('@')
}

/// The end of an address that was broken inside its brackets, "postrider@play.example.org> wrote:".
fn closes_only(text: &str) -> bool {
    text.find('>').is_some_and(|at| !text[..at].contains('<'))
}

/// Yahoo's programs for telephones go on with the original right after "wrote:".
pub(super) fn is_attribution_with_text(text: &str) -> bool {
    let ends = text.match_indices(": ").map(|(at, _)| &text[..=at]);
    (strong_begin(text) || weak_begin(text)) && ends.take(4).any(is_attribution)
}

/// Whether a text is one attribution from its first word to its last.
pub(super) fn is_attribution(text: &str) -> bool {
    let text = text.trim();
    // Without a date and an address nothing below can hold; most lines are done with by this.
    if text.len() > 1_600 || !text.bytes().any(|byte| byte == b'@' || byte.is_ascii_digit()) {
        return false;
    }
    let ends = text.ends_with([':', '：', '-', '—', '–', '_', '*', '>']);
    if !ends && !text.contains('@') && !has_date(text) {
        return false;
    }
    let dashed = text.starts_with("--") && text.ends_with("--");
    let body = text.trim_end_matches(['-', '—', '–', '_', '*', ' ']);
    let (body, colon) = match body.strip_suffix([':', '：']) {
        Some(body) => (body, true),
        None => (body, false),
    };
    let lower = body.trim_start_matches(['-', '—', '–', '*', ' ']).trim_end().to_lowercase();
    let (address, date, time) = (has_address(&lower), has_date(&lower), has_time(&lower));
    if dashed {
        // Zoho: "---- On … wrote ----", in any language.
        return lower.contains(' ') && (address || (date && time) || (date && ends_in_verb(&lower, false)));
    }
    if !colon {
        let closes = lower.ends_with('>') && begins_with_date(&lower) && address;
        let named = begins_with_date(&lower) && time && (lower.contains(" gmt") || lower.contains(" utc"));
        return closes || (named && lower.chars().count() < 120) || (ends_in_verb(&lower, false) && (address || date));
    }
    let digit = lower.bytes().any(|byte| byte.is_ascii_digit());
    // With a verb a date or an address is enough; in a language that is not known it must have both.
    (has_verb(&lower) && (digit || address))
        || (address && time)
        || (address && date)
        || (address && QUOTING.iter().any(|lead| lower.starts_with(lead)))
}

/// "2026-11-23 9:12 GMT+01:00 Postrider", as Gmail once had it.
fn begins_with_date(lower: &str) -> bool {
    has_date(lower.split_whitespace().next().unwrap_or_default()) && lower.starts_with(|c: char| c.is_ascii_digit())
}

/// Where words are not parted by spaces, a verb stands anywhere.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{0e00}'..='\u{0e7f}')
}

fn has_verb(lower: &str) -> bool {
    VERBS.iter().any(|verb| {
        lower.match_indices(verb).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + verb.len()..].chars().next();
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || is_unspaced(c));
            verb.starts_with(is_unspaced) || (edge(before) && edge(after))
        })
    })
}

/// Whether the verb is the last word, as in "On … Postrider wrote".
fn ends_in_verb(lower: &str, colon: bool) -> bool {
    let body = lower.trim_end_matches(['-', '—', ' ', '.']);
    let body = if colon { body.strip_suffix([':', '：']) } else { Some(body) };
    body.map(str::trim_end).is_some_and(|body| {
        VERBS.iter().any(|verb| {
            body.strip_suffix(verb).is_some_and(|before| {
                !before.trim().is_empty()
                    && (verb.starts_with(is_unspaced) || before.ends_with(|c: char| !c.is_alphanumeric()))
            })
        })
    })
}

/// "-----Original Message-----" in several languages, and the bar of underscores that Outlook on the web draws.
pub(super) fn is_divider(text: &str) -> bool {
    let text = text.trim().trim_matches(['*', ' ']);
    if text.len() >= 20 && text.bytes().all(|byte| byte == b'_') {
        return true;
    }
    let lower = text.to_lowercase();
    if ["begin forwarded message:", "reply message", "original message:"].contains(&lower.as_str()) {
        return true;
    }
    let Some(inner) = lower.strip_prefix("--") else { return false };
    let inner = inner.trim_start_matches(['-', ' ']);
    match inner.split_once("--") {
        // Yahoo goes on with the header of the original on the same line.
        Some((words, rest)) => {
            DIVIDERS.contains(&words.trim()) && (rest.trim_matches(['-', ' ']).is_empty() || rest.contains('@'))
        }
        None => false,
    }
}

/// A line of dashes with words between them, in whatever language; what follows says whether it is a divider.
fn may_be_divider(text: &str) -> bool {
    let text = text.trim();
    let dash = |c: char| matches!(c, '-' | '—' | '–' | '_' | '=');
    let inner = text.trim_matches(dash);
    let rule = inner.is_empty() && text.chars().count() >= 5;
    rule || (text.starts_with("---") && text.ends_with("---") && !inner.trim().is_empty())
}

/// A header field of the original: its name in lower case, and what it says.
fn field(line: &Line) -> Option<(String, String)> {
    let text = line.text.replace(['*', '_'], "");
    let (label, value) = text.split_once([':', '：'])?;
    let label = label.trim().trim_matches('\u{a0}').to_lowercase();
    let fits = !label.is_empty()
        && label.chars().count() <= 26
        && label.split_whitespace().count() <= 3
        && label.chars().all(|c| {
            c.is_alphabetic() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '\'') || is_unspaced(c) || !c.is_ascii()
        });
    fits.then(|| (label, value.trim().to_lowercase()))
}

/// "From: … / Sent: … / To: … / Subject: …" as many programs write it above what they do not mark.
pub(super) fn is_header_block(lines: &[Line]) -> bool {
    let Some(first) = lines.first() else { return false };
    if may_be_divider(&first.text) {
        let from = 1 + lines.iter().skip(1).take_while(|line| line.is_blank()).count();
        let rest = lines.get(from..).unwrap_or_default();
        return rest.first().is_some_and(|next| !may_be_divider(&next.text) && !next.is_blank())
            && (is_header_block(rest) || attribution(rest).is_some());
    }
    let Some(opening) = field(first) else { return false };
    let mut fields = vec![opening];
    let mut strangers = 0;
    for line in lines.iter().skip(1).take(14) {
        match field(line) {
            Some(field) => {
                strangers = 0;
                fields.push(field);
            }
            None if line.is_blank() => {}
            // A value that went on in the next line, or the name of a field whose value did.
            None if strangers < 1 && (line.text.starts_with([' ', '\t']) || line.text.contains('@')) => strangers += 1,
            None => break,
        }
    }
    fields.truncate(8);
    let class = |label: &str| [FROM, DATE, TO, SUBJECT].iter().position(|names| names.contains(&label));
    let mut classes: Vec<usize> = fields.iter().filter_map(|(label, _)| class(label)).collect();
    classes.sort_unstable();
    classes.dedup();
    let addressed = fields.iter().filter(|(_, value)| has_address(value)).count();
    let dated = fields.iter().any(|(_, value)| has_date(value) && has_time(value));
    if class(&fields[0].0).is_some() {
        return match classes.len() {
            4 => true,
            3 => addressed > 0 || dated || fields.iter().any(|(_, value)| value.starts_with("re: ")),
            2 => {
                (addressed > 0 && (dated || addressed > 1))
                    || (addressed + usize::from(dated) > 0 && classes.contains(&3))
            }
            _ => false,
        };
    }
    // A language that is not known: fields in a row, of which one names an address or a date and another what a header has.
    let subject = fields.iter().any(|(_, value)| value.starts_with("re:") || value.starts_with('['));
    (fields.len() >= 3 && dated) || (fields.len() >= 2 && addressed > 0 && (dated || subject))
}

/// "Sent from my iPhone" and its kin: one line that a program adds below what was written.
pub(super) fn is_device_line(text: &str) -> bool {
    // Proton Mail writes the name of the program as a Markdown link.
    let lower = text.trim().replace(['*', '_', '['], "").to_lowercase();
    if lower.chars().count() > 110 {
        return false;
    }
    let begins = DEVICES.iter().any(|beginning| lower.starts_with(beginning));
    // "von meinem" alone could begin a sentence.
    let sentence =
        (lower.starts_with("von meine") || lower.starts_with("diese nachricht")) && !lower.contains("gesendet");
    (begins && !sentence)
        || DEVICE_ENDS.iter().any(|end| lower.ends_with(end))
        || lower.contains("aka.ms/")
        || (lower.contains("outlook") && ["android", " ios", "iphone"].iter().any(|name| lower.contains(name)))
}
