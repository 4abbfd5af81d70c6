//! Reasons for refusals, as sentences.

use postrider_letters::capital;
use postrider_table::Rejected;

/// Returns the rules' reason for a refusal as a sentence with the rule's number.
pub(crate) fn refusal(why: &Rejected, id: &str) -> String {
    match why {
        Rejected::Refused(refusal) if refusal.rule == "-" => sentence(&refusal.why),
        Rejected::Refused(refusal) => format!("{} (Rule {})", sentence(&refusal.why), refusal.rule),
        Rejected::Over => "The game is over.".to_owned(),
        Rejected::Chance(_) | Rejected::Panicked(_) => format!(
            "The rules failed on this order, which is a fault of this program, not yours. We are sorry. The game stands as it \
             did before it; the host can find the fault under {id}."
        ),
    }
}

pub(crate) fn sentence(text: &str) -> String {
    let text = capital(text.trim());
    if text.ends_with(['.', '?', '!']) { text } else { text + "." }
}
