//! Parsing of directors' orders, one per line.

use crate::{misuse::Misuse, reading::effect::effect_and_text};
use postrider_letters::LONGEST_LOG;
use postrider_replay::Checkpoint;
use serde_json::{Map, Value};

/// Number of lines of the story that `log` shows.
const USUAL_LOG: usize = 30;

/// An order of a director.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Directive {
    /// A query, which is answered at once.
    Look(Look),
    /// An action, which changes the game and waits for a `yes`.
    Act(Act),
}

/// A director's query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The status of all the director's games.
    Status,
    /// The last lines of the story.
    Log(usize),
    /// The position, now or at a point in the past.
    Show(Option<Checkpoint>),
    /// How bots would play on.
    Adjudicate,
    /// The list of directors' orders.
    Help,
}

/// A director's action. Players are named as the director wrote them. An optional reason may be "".
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// `rule vps: seat=B, change=-3: reason`, `rule on 41: reason`.
    Rule {
        /// The entry of the appeal that it answers.
        of: Option<u64>,
        /// The effect; an empty object for a ruling in words only.
        effect: Value,
        /// The ruling in words.
        text: String,
    },
    /// `result anna 1, ben 2: reason`.
    Result { places: String, reason: String },
    /// `abandon: reason`.
    Abandon { reason: String },
    /// `reopen: reason`.
    Reopen { reason: String },
    /// `rewind to turn 4 round 2: reason`. Headings may contain colons too, so there is a pair for each
    /// colon; the first whose checkpoint is one of the game counts.
    Rewind { points: Vec<(Checkpoint, String)> },
    /// `extend ben 2 days`.
    Extend { whom: String, time: String, reason: String },
    /// `pause`, `resume`.
    Pause { pause: bool, reason: String },
    /// `stand-in carl steady`, `stand-in carl off`.
    StandIn { whom: String, bot: Option<String> },
    /// `reseat carl to Emil <emil@example.net>`.
    Reseat { whom: String, who: String },
    /// `warn ben: text`.
    Warn { whom: String, text: String },
}

/// The reason why a line is not a director's order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDirective {
    /// Its first word is not that of an order.
    #[error("it is not a director's order; `help` lists them")]
    Unknown,
    /// It is incomplete.
    #[error("it is written `{form}`")]
    Form {
        /// The form with an example.
        form: &'static str,
    },
    /// The effect of a ruling cannot be parsed.
    #[error(transparent)]
    Effect(#[from] Misuse),
}

impl Directive {
    /// Parses a line.
    ///
    /// # Errors
    /// [`NoDirective`]; nothing of the line may be carried out then.
    pub fn read(line: &str) -> Result<Directive, NoDirective> {
        let line = line.trim();
        let (first, rest) = line.split_at(line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len()));
        let first = first.trim_end_matches(['.', '!', '?']).to_lowercase();
        if let Some(look) = look(&first, rest)? {
            return Ok(Directive::Look(look));
        }
        act(&first, rest).map(Directive::Act)
    }
}

fn look(first: &str, rest: &str) -> Result<Option<Look>, NoDirective> {
    let rest = rest.trim().trim_end_matches(['.', '!', '?']);
    let form = |form| Err(NoDirective::Form { form });
    Ok(Some(match (first, rest) {
        ("status" | "games", "") => Look::Status,
        ("help", _) => Look::Help,
        ("adjudicate", "") => Look::Adjudicate,
        ("log", "") => Look::Log(USUAL_LOG),
        ("log", lines) => match lines.parse() {
            Ok(lines) if lines <= LONGEST_LOG => Look::Log(lines),
            _ => return form("log 30"),
        },
        ("show" | "position", "") => Look::Show(None),
        ("show" | "position", at) => {
            let moment = at.strip_prefix("at ").unwrap_or(at);
            match moment.parse() {
                Ok(to) => Look::Show(Some(to)),
                Err(_) => return form("show at turn 4 round 2"),
            }
        }
        ("status" | "games" | "adjudicate", _) => return form("status"),
        _ => return Ok(None),
    }))
}

fn act(first: &str, rest: &str) -> Result<Act, NoDirective> {
    let whole = |form: &'static str| {
        let (what, reason) = rest.split_once(':').ok_or(NoDirective::Form { form })?;
        let (what, reason) = (what.trim().to_owned(), reason.trim().to_owned());
        if reason.is_empty() { Err(NoDirective::Form { form }) } else { Ok((what, reason)) }
    };
    let (what, reason) = rest.split_once(':').map_or((rest.trim(), ""), |(what, why)| (what.trim(), why.trim()));
    let (whom, more) = what.split_once(char::is_whitespace).map_or((what, ""), |(whom, more)| (whom, more.trim()));
    let (whom, more, reason) = (whom.to_owned(), more.to_owned(), reason.to_owned());
    let needed = |form: &'static str| {
        if whom.is_empty() || more.is_empty() { Err(NoDirective::Form { form }) } else { Ok(()) }
    };
    Ok(match first {
        "rule" => ruling(rest)?,
        "result" => {
            let (places, reason) = whole("result anna 1, ben 2: reason")?;
            Act::Result { places, reason }
        }
        "rewind" => {
            const FORM: &str = "rewind to turn 4 round 2: reason";
            let split = |(at, _)| {
                let (to, reason): (&str, &str) = rest.split_at(at);
                let to = to.trim().strip_prefix("to ").unwrap_or(to.trim()).parse().ok()?;
                let reason = reason[1..].trim().to_owned();
                if reason.is_empty() { None } else { Some((to, reason)) }
            };
            let points: Vec<_> = rest.match_indices(':').filter_map(split).collect();
            if points.is_empty() {
                return Err(NoDirective::Form { form: FORM });
            }
            Act::Rewind { points }
        }
        "extend" => {
            needed("extend ben 2 days: reason")?;
            Act::Extend { whom, time: more, reason }
        }
        "abandon" if what.is_empty() && !reason.is_empty() => Act::Abandon { reason },
        "reopen" if what.is_empty() && !reason.is_empty() => Act::Reopen { reason },
        "pause" | "resume" if what.is_empty() => Act::Pause { pause: first == "pause", reason },
        "stand-in" if !more.contains(char::is_whitespace) => {
            needed("stand-in carl steady")?;
            Act::StandIn { whom, bot: Some(more).filter(|bot| bot != "off") }
        }
        "reseat" => {
            const FORM: &str = "reseat carl to Emil <emil@example.net>";
            let who = more.strip_prefix("to ").ok_or(NoDirective::Form { form: FORM })?;
            Act::Reseat { whom, who: who.trim().to_owned() }
        }
        "warn" => {
            let (whom, text) = whole("warn ben: text")?;
            Act::Warn { whom, text }
        }
        "abandon" => return Err(NoDirective::Form { form: "abandon: reason" }),
        "reopen" => return Err(NoDirective::Form { form: "reopen: reason" }),
        "pause" | "resume" => return Err(NoDirective::Form { form: "pause: reason" }),
        "stand-in" => return Err(NoDirective::Form { form: "stand-in carl steady" }),
        _ => return Err(NoDirective::Unknown),
    })
}

/// Parses `on 41 vps: seat=B, change=-3: counted twice`, `on 41: counted twice` or `: counted
/// twice`.
fn ruling(rest: &str) -> Result<Act, NoDirective> {
    const FORM: NoDirective = NoDirective::Form { form: "rule EFFECT: MEMBER=VALUE: reason" };
    let rest = rest.trim_start();
    let (of, rest) = match rest.strip_prefix("on ") {
        Some(more) => {
            let digits = more.find(|c: char| !c.is_ascii_digit()).unwrap_or(more.len());
            (Some(more[..digits].parse().map_err(|_| FORM)?), more[digits..].trim_start())
        }
        None => (None, rest),
    };
    let (effect, text) = match rest.strip_prefix(':') {
        Some(text) => (Value::Object(Map::new()), text),
        None => effect_and_text(rest)?,
    };
    let text = text.trim().to_owned();
    if text.is_empty() { Err(FORM) } else { Ok(Act::Rule { of, effect, text }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn act(line: &str) -> Act {
        match Directive::read(line) {
            Ok(Directive::Act(act)) => act,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn what_directors_do_is_read() {
        let rule = |of, effect, text: &str| Act::Rule { of, effect, text: text.to_owned() };
        assert_eq!(act("Rule: no more of that: it is late"), rule(None, json!({}), "no more of that: it is late"));
        assert_eq!(act("rule on 41: so it stays"), rule(Some(41), json!({}), "so it stays"));
        let vps = json!({"vps": {"seat": "B", "change": -3}});
        assert_eq!(act("rule on 41 vps: seat=B, change=-3: twice"), rule(Some(41), vps.clone(), "twice"));
        assert_eq!(act("rule vps: seat=B, change=-3: twice"), rule(None, vps, "twice"));
        let result = Act::Result { places: "anna 1, ben 2".into(), reason: "time".into() };
        assert_eq!(act("result anna 1, ben 2: time"), result);
        let to = Checkpoint::Turn(4, Some(2));
        assert_eq!(act("rewind to turn 4 round 2: a slip"), Act::Rewind { points: vec![(to, "a slip".into())] });
        let Act::Rewind { points } = act("rewind to Turn 1, disc 1: SPT: a slip") else { panic!("no rewind") };
        let label = |label: &str| Checkpoint::Label(label.into());
        let wanted =
            [(label("Turn 1, disc 1"), "SPT: a slip".to_owned()), (label("Turn 1, disc 1: SPT"), "a slip".to_owned())];
        assert_eq!(points, wanted);
        let extend = Act::Extend { whom: "ben".into(), time: "2 days".into(), reason: String::new() };
        assert_eq!(act("extend ben 2 days"), extend);
        assert_eq!(act("abandon: both are gone"), Act::Abandon { reason: "both are gone".into() });
        assert_eq!(act("reopen: he is back"), Act::Reopen { reason: "he is back".into() });
        assert_eq!(act("resume: he is back"), Act::Pause { pause: false, reason: "he is back".into() });
        assert_eq!(act("stand-in carl steady"), Act::StandIn { whom: "carl".into(), bot: Some("steady".into()) });
        assert_eq!(act("stand-in carl off"), Act::StandIn { whom: "carl".into(), bot: None });
        let emil = Act::Reseat { whom: "carl".into(), who: "Emil <emil@example.net>".into() };
        assert_eq!(act("reseat carl to Emil <emil@example.net>"), emil);
        assert_eq!(act("warn ben: be polite"), Act::Warn { whom: "ben".into(), text: "be polite".into() });
    }

    #[test]
    fn what_directors_look_at_is_read() {
        for (line, look) in [
            ("Status.", Look::Status),
            ("log", Look::Log(30)),
            ("log 12", Look::Log(12)),
            ("show", Look::Show(None)),
            ("show at turn 2", Look::Show(Some(Checkpoint::Turn(2, None)))),
            ("adjudicate", Look::Adjudicate),
            ("help rule", Look::Help),
        ] {
            assert!(matches!(Directive::read(line), Ok(Directive::Look(read)) if read == look), "{line}");
        }
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "",
            "I rule: no",
            "rule",
            "rule vps",
            "rule vps: seat=B, change=-3",
            "rule on him: no",
            "rule:",
            "rewind",
            "rewind to turn 4",
            "result draw",
            "extend ben",
            "pause ben",
            "abandon",
            "abandon ben: late",
            "reopen",
            "stand-in carl steady now",
            "reseat carl",
            "warn ben",
            "log many",
            "status of ben",
        ] {
            assert!(Directive::read(line).is_err(), "{line}");
        }
    }
}
