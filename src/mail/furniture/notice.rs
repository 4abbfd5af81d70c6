//! What mail systems write above and below a mail: warnings about its sender, confidentiality notes, advertisements of scanners.

/// Words of such a notice that no order has, in lower case.
const NOTICES: &[&str] = &[
    // Who may read it.
    "intended recipient",
    "not the addressee",
    "mail is confidential",
    "message is confidential",
    "intended only for",
    "intended solely for",
    "solely for the use of",
    "received this email in error",
    "received this e-mail in error",
    "received this message in error",
    "received this mail in error",
    "received this communication in error",
    "received this transmission in error",
    "received this in error",
    "received it in error",
    "confidentiality notice",
    "confidentiality note",
    "may contain confidential",
    "contains confidential",
    "contain privileged",
    "legally privileged",
    "privileged and confidential",
    "confidential and privileged",
    "is strictly prohibited",
    "are strictly prohibited",
    "richtige adressat",
    "vertrauliche informationen",
    "informations confidentielles",
    "información confidencial",
    // Paper and trees.
    "before printing",
    "before you print",
    "consider the environment",
    // Lists and tickets.
    "reply stop to",
    "reply \"stop\"",
    "to unsubscribe",
    "unsubscribe from",
    "type your reply above",
    "reply above this line",
    // Scanners.
    "virus-free",
    "scanned for viruses",
    "checked for viruses",
    "scanned by ",
    "avast antivirus",
    "this email has been checked",
    "this message has been scanned",
    // Banners of companies.
    "originated from outside",
    "originates from outside",
    "outside of the organi",
    "outside of your organi",
    "outside your organi",
    "outside our organi",
    "from an external sender",
    "external sender",
    "external email:",
    "do not click links",
    "do not click on links",
    "open attachments unless",
    "links or open attachments",
    "learnaboutsenderidentification",
    "you don't often get email from",
    "you don’t often get email from",
    // Reactions.
    "reacted via gmail",
    "reacted to your message",
];

/// Lines that are nothing but the mark of a mail from outside.
const MARKS: &[&str] =
    &["external", "external email", "external mail", "extern", "caution", "ext", "confidential", "internal", "public"];

/// Sentences of such a paragraph go on below a line that is at least so long.
const LONG_LINE: usize = 50;

/// Whether a line belongs to a notice that a mail system has put there.
fn tells(text: &str) -> bool {
    let lower = text.to_lowercase();
    let line = lower.trim();
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let marked = line.starts_with(['[', '*', '(', '<']) && MARKS.contains(&bare);
    let disclaims = bare.starts_with("disclaimer") && line.contains(':');
    marked || disclaims || NOTICES.iter().any(|words| line.contains(words))
}

/// Says of each line of a paragraph whether it belongs to a notice: it has words of one, or is of the same sentence as a line that does.
pub(in crate::mail) fn notice<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<bool> {
    let lines: Vec<&str> = lines.collect();
    let mut all: Vec<bool> = lines.iter().map(|line| tells(line)).collect();
    let long = |at: usize| lines[at].trim().chars().count() >= LONG_LINE;
    for at in 1..lines.len() {
        // Its words may be parted by the end of a line.
        if !all[at - 1] && !all[at] && long(at - 1) && tells(&format!("{} {}", lines[at - 1].trim(), lines[at].trim()))
        {
            (all[at - 1], all[at]) = (true, true);
        }
    }
    for at in 1..lines.len() {
        all[at] |= all[at - 1] && long(at - 1) && !lines[at - 1].trim_end().ends_with(['.', '!', ':']);
    }
    for at in (1..lines.len()).rev() {
        all[at - 1] |= all[at] && long(at - 1) && !lines[at - 1].trim_end().ends_with(['.', '!', ':']);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_seen_whole_and_orders_are_none() {
        let footer = [
            "This e-mail and any files that come with it are for the person to whom",
            "they are addressed. If you are not the intended recipient, please delete",
            "it and do not copy it.",
        ];
        assert_eq!(notice(footer.into_iter()), [true; 3]);
        let mail = ["1a", "CAUTION: this mail originated from outside the company. Do not open it", "if in doubt."];
        assert_eq!(notice(mail.into_iter()), [false, true, true]);
        for line in ["[EXTERNAL]", "Disclaimer: No liability is taken.", "Virus-free. www.example.org"] {
            assert_eq!(notice(std::iter::once(line)), [true], "{line}");
        }
        for line in ["caution", "external", "raid utah", "Reply stops nothing", "if he evades, stop", "done"] {
            assert_eq!(notice(std::iter::once(line)), [false], "{line}");
        }
    }
}
