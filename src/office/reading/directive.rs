//! Parsing of directors' orders, one per line.

use crate::{misuse::Misuse, reading::effect::effect_and_text};
use postrider_letters::LONGEST_LOG;
use postrider_orders::near;
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
    /// The last decisions, each with its time, way and result.
    Docket(usize),
    /// The last changes of VPs, each with its rule.
    Ledger(usize),
    /// Rollouts by bots, from now or from a point in the past.
    Adjudicate(Option<Checkpoint>),
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
    Result {
        places: String,
        /// `true` if it is given `as adjudicated`: the entry has the results of rollouts.
        adjudicated: bool,
        reason: String,
    },
    /// `abandon: reason`.
    Abandon { reason: String },
    /// `reopen: reason`.
    Reopen { reason: String },
    /// `rewind to turn 4 round 2: reason`. Headings may contain colons too, so there is a pair for
    /// each colon; the last whose checkpoint is one of the game counts.
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
    /// `tell ben: text`, `tell all: text`.
    Tell { whom: String, text: String },
    /// `new token`.
    NewToken,
}

/// The reason why a line is not a director's order.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDirective {
    /// Its first word is not that of an order.
    #[error("it is not a director's order; `help` lists them")]
    Unknown,
    /// The same, but the word is similar to that of an order.
    #[error("it is not a director's order; do you mean `{form}`?")]
    Like {
        /// The form of that order with an example.
        form: &'static str,
    },
    /// It is incomplete.
    #[error("it is written `{form}`")]
    Form {
        /// The form with an example.
        form: &'static str,
    },
    /// Only its reason is missing.
    #[error("its reason is missing; it is written `{form}`")]
    NoReason {
        /// The form with an example.
        form: &'static str,
    },
    /// The effect of a ruling cannot be parsed.
    #[error(transparent)]
    Effect(#[from] Misuse),
}

/// The form of each order, with an example.
const FORMS: &[(&str, &str)] = &[
    ("status", "status"),
    ("games", "games"),
    ("adjudicate", "adjudicate at turn 4 round 2"),
    ("log", "log 30"),
    ("docket", "docket 30"),
    ("ledger", "ledger 30"),
    ("show", "show at turn 4 round 2"),
    ("position", "position at turn 4 round 2"),
    ("rule", "rule EFFECT: MEMBER=VALUE: reason"),
    ("result", "result anna 1, ben 2: reason"),
    ("rewind", "rewind to turn 4 round 2: reason"),
    ("extend", "extend ben 2 days: reason"),
    ("abandon", "abandon: reason"),
    ("reopen", "reopen: reason"),
    ("pause", "pause: reason"),
    ("resume", "resume: reason"),
    ("stand-in", "stand-in carl steady"),
    ("reseat", "reseat carl to Emil <emil@example.net>"),
    ("warn", "warn ben: text"),
    ("tell", "tell ben: text"),
    ("new", "new token"),
];

impl Directive {
    /// Parses a line.
    ///
    /// # Errors
    /// [`NoDirective`]; nothing of the line may be carried out then.
    pub fn read(line: &str) -> Result<Directive, NoDirective> {
        let with_reason = || Directive::parse(&format!("{line}: -")).is_ok();
        match Directive::parse(line) {
            Err(NoDirective::Form { form }) if with_reason() => Err(NoDirective::NoReason { form }),
            Err(NoDirective::Effect(_)) if with_reason() => {
                Err(NoDirective::NoReason { form: "rule EFFECT: MEMBER=VALUE: reason" })
            }
            read => read,
        }
    }

    fn parse(line: &str) -> Result<Directive, NoDirective> {
        let line = line.trim();
        let (first, rest) = line.split_at(line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len()));
        let first = first.trim_end_matches(['.', '!', '?']).to_lowercase();
        let read = match first.as_str() {
            "rule" => ruling(rest)?.map(Directive::Act),
            first => look(first, rest).map(Directive::Look).or_else(|| act(first, rest).map(Directive::Act)),
        };
        let form = || FORMS.iter().find(|(word, _)| *word == first).map(|(_, form)| *form);
        let like = || {
            let like = near(&first, FORMS.iter().map(|(word, _)| *word), 1).pop()?;
            FORMS.iter().find(|(word, _)| *word == like).map(|(_, form)| NoDirective::Like { form })
        };
        read.ok_or_else(|| match form() {
            Some(form) => NoDirective::Form { form },
            None => like().unwrap_or(NoDirective::Unknown),
        })
    }
}

fn look(first: &str, rest: &str) -> Option<Look> {
    let rest = rest.trim().trim_end_matches(['.', '!', '?']);
    Some(match (first, rest) {
        ("status" | "games", "") => Look::Status,
        ("help", _) => Look::Help,
        ("adjudicate", at) => Look::Adjudicate(moment(at)?),
        ("log", lines) => Look::Log(count(lines)?),
        ("docket", rows) => Look::Docket(count(rows)?),
        ("ledger", rows) => Look::Ledger(count(rows)?),
        ("show" | "position", at) => Look::Show(moment(at)?),
        _ => return None,
    })
}

/// Parses a number of lines, [`USUAL_LOG`] if there is none; `None` if it is none or too many.
fn count(text: &str) -> Option<usize> {
    if text.is_empty() { Some(USUAL_LOG) } else { text.parse().ok().filter(|lines| *lines <= LONGEST_LOG) }
}

/// Parses a point in the past; `Some(None)` is now.
fn moment(text: &str) -> Option<Option<Checkpoint>> {
    if text.is_empty() { Some(None) } else { text.strip_prefix("at ").unwrap_or(text).parse().ok().map(Some) }
}

fn act(first: &str, rest: &str) -> Option<Act> {
    let (what, reason) = rest.split_once(':').map_or((rest.trim(), ""), |(what, why)| (what.trim(), why.trim()));
    let (whom, more) = what.split_once(char::is_whitespace).map_or((what, ""), |(whom, more)| (whom, more.trim()));
    let is_alone = what.is_empty();
    let is_reasoned = !reason.is_empty();
    let (whom, more, reason) = (whom.to_owned(), more.to_owned(), reason.to_owned());
    Some(match first {
        "result" if !is_alone && is_reasoned => {
            let places = what.strip_suffix("as adjudicated").map(|places| places.trim_end_matches([' ', ',']));
            Act::Result { places: places.unwrap_or(what).to_owned(), adjudicated: places.is_some(), reason }
        }
        "rewind" => {
            let split = |(at, _)| {
                let (to, reason): (&str, &str) = rest.split_at(at);
                let to = to.trim().strip_prefix("to ").unwrap_or(to.trim()).parse().ok()?;
                let reason = reason[1..].trim().to_owned();
                if reason.is_empty() { None } else { Some((to, reason)) }
            };
            let points: Vec<_> = rest.match_indices(':').filter_map(split).collect();
            Act::Rewind { points: Some(points).filter(|points| !points.is_empty())? }
        }
        "extend" if !more.is_empty() => Act::Extend { whom, time: more, reason },
        "abandon" if is_alone && is_reasoned => Act::Abandon { reason },
        "reopen" if is_alone && is_reasoned => Act::Reopen { reason },
        "pause" | "resume" if is_alone => Act::Pause { pause: first == "pause", reason },
        "stand-in" if !more.is_empty() && !more.contains(char::is_whitespace) => {
            Act::StandIn { whom, bot: Some(more).filter(|bot| bot != "off") }
        }
        "reseat" => Act::Reseat { whom, who: more.strip_prefix("to ")?.trim().to_owned() },
        "warn" if !is_alone && is_reasoned => Act::Warn { whom: what.to_owned(), text: reason },
        "tell" if !is_alone && is_reasoned => Act::Tell { whom: what.to_owned(), text: reason },
        "new" if what.trim_end_matches('.') == "token" => Act::NewToken,
        _ => return None,
    })
}

/// Parses `on 41 vps: seat=B, change=-3: counted twice`, `on 41: counted twice` or `: counted
/// twice`; `None` if something is missing.
fn ruling(rest: &str) -> Result<Option<Act>, Misuse> {
    let rest = rest.trim_start();
    let (of, rest) = match rest.strip_prefix("on ") {
        Some(more) => {
            let digits = more.find(|c: char| !c.is_ascii_digit()).unwrap_or(more.len());
            let Ok(of) = more[..digits].parse() else { return Ok(None) };
            (Some(of), more[digits..].trim_start())
        }
        None => (None, rest),
    };
    let (effect, text) = match rest.strip_prefix(':') {
        Some(text) => (Value::Object(Map::new()), text),
        None => effect_and_text(rest)?,
    };
    let text = text.trim().to_owned();
    Ok(if text.is_empty() { None } else { Some(Act::Rule { of, effect, text }) })
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
        let result = |adjudicated| Act::Result { places: "anna 1, ben 2".into(), adjudicated, reason: "time".into() };
        assert_eq!(act("result anna 1, ben 2: time"), result(false));
        assert_eq!(act("result anna 1, ben 2, as adjudicated: time"), result(true));
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
            ("adjudicate", Look::Adjudicate(None)),
            ("adjudicate at entry 41", Look::Adjudicate(Some(Checkpoint::Line(41)))),
            ("docket", Look::Docket(30)),
            ("ledger 5", Look::Ledger(5)),
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
            "tell ben",
            "new game",
            "log many",
            "status of ben",
        ] {
            assert!(Directive::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn an_incomplete_order_is_answered_by_its_own_form() {
        let form = |line: &str| Directive::read(line).unwrap_err().to_string();
        for line in ["rule vps: seat=B, change=-3", "rewind to turn 4", "result draw", "warn ben"] {
            assert!(form(line).starts_with("its reason is missing; it is written `"), "{line}");
        }
        assert_eq!(form("resume ben"), "it is written `resume: reason`");
        assert_eq!(
            form("rewnd to turn 4: a slip"),
            "it is not a director's order; do you mean `rewind to turn 4 round 2: reason`?"
        );
        assert_eq!(form("reseat carl"), "it is written `reseat carl to Emil <emil@example.net>`");
    }
}
