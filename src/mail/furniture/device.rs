//! "Sent from my telephone".

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

/// "Sent from my iPhone" and its kin: one line that a program adds below what was written.
pub(in crate::mail) fn is_device_line(text: &str) -> bool {
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

/// Whether such a line goes on as a sentence of its writer's does: "Sent from my desk, which is where I play."
pub(in crate::mail) fn may_be_sentence(text: &str) -> bool {
    text.contains(", ") && text.split_whitespace().count() > 7
}
