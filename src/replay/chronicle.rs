//! Everything that happened in a game, including events outside its rules.

use super::{
    deadlines::{Event, What as Change, exact, span},
    live_game::LiveGame,
    marks::StoryLine,
    projection::Projection,
};
use chrono::DateTime;
use postrider_journal::{
    ALL_PLAYERS, Ballot, Body, Checked, ClockEvent, Closed, Decision, Leave, Motion, Rewound, SERVICE, StandIn, Via,
    Vote, What, Zone,
};
use postrider_orders::visible;
use postrider_table::{Seat, Told, Whom};
use std::collections::BTreeSet;

/// A day, and the time from which lateness is told in whole days, in seconds.
const DAY: i64 = 86_400;
const TWO_DAYS: i64 = 2 * DAY;

/// Everything that happened in a game, in the order of its entries: the story that the rules tell,
/// and also rewinds, motions, appeals, deadlines, and changes of players. This [`Projection`]
/// collects the events outside the story.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    beside: Vec<StoryLine>,
    /// The entries that answer a question for a player: a bot's, and those by deadline.
    not_by_player: BTreeSet<u64>,
}

impl Chronicle {
    fn tell(&mut self, n: u64, under: &'static str, line: &str) {
        self.beside.push(told(n, under, line));
    }
    /// Returns the events that a seat, or everybody, may know. `changes` are the changes of
    /// players, each with its entry. Undone entries are omitted, the rewinds themselves are not.
    pub fn with(
        &self,
        live: &LiveGame,
        seat: Option<Seat>,
        changes: impl IntoIterator<Item = (u64, String)>,
    ) -> Vec<StoryLine> {
        let mine = |line: &&StoryLine| match line.told.whom {
            Whom::All => true,
            Whom::Seat(told) => seat == Some(told),
        };
        let mut all: Vec<StoryLine> = live.story.iter().filter(mine).chain(&self.beside).cloned().collect();
        let by_player =
            |event: &&Event| !matches!(event.what, Change::Late(_)) || !self.not_by_player.contains(&event.n);
        all.extend(clock_lines(live.deadlines.events.iter().filter(by_player)));
        all.extend(changes.into_iter().map(|(n, words)| told(n, "Players", &words)));
        all.sort_by_key(|line| line.n);
        all
    }
}

fn told(n: u64, under: &'static str, line: &str) -> StoryLine {
    let told = Told { whom: Whom::All, under: under.into(), line: visible(line).into_owned(), after: 0, rounds: 0 };
    StoryLine { n, told }
}

/// Returns the lines about these events. A pause has an event for each open question, and is told
/// once.
fn clock_lines<'e>(events: impl Iterator<Item = &'e Event>) -> Vec<StoryLine> {
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut before: Option<&Event> = None;
    for event in events {
        let Event { n, prompt, seat, what, until } = event;
        let was = until.map(exact).unwrap_or_default();
        let stops = matches!(what, Change::Clock(ClockEvent::Paused | ClockEvent::Resumed));
        let told_already =
            before.replace(event).is_some_and(|before| stops && (before.n + 1, &before.what) == (*n, what));
        let time = |seconds: &i64| DateTime::from_timestamp(*seconds, 0).map(exact).unwrap_or_default();
        let line = match what {
            _ if told_already => continue,
            Change::Low(_) => continue,
            Change::Clock(ClockEvent::Reminded) => format!("@{seat} is reminded of question {prompt}, due {was}."),
            Change::Clock(ClockEvent::Expired) => {
                format!("The deadline of @{seat} for question {prompt}, {was}, passes.")
            }
            Change::Clock(ClockEvent::Paused) => "The game is paused: all deadlines are stopped.".to_owned(),
            Change::Clock(ClockEvent::Resumed) => "The game is resumed: the deadlines run again.".to_owned(),
            Change::Clock(ClockEvent::Held) => {
                format!("A letter to @{seat} does not leave: the clock of @{seat} stands still.")
            }
            Change::Clock(ClockEvent::Sent) => {
                format!("The letter to @{seat} has left: the clock of @{seat} runs again.")
            }
            Change::Moved(to, _) => {
                let instead = if was.is_empty() { String::new() } else { format!(" instead of {was}") };
                format!("The deadline of @{seat} for question {prompt} is {} now{instead}.", time(to))
            }
            Change::Late(at) => {
                let late = match until.map_or(0, |until| at - until.timestamp()) {
                    seconds @ 0..60 => format!("{seconds} seconds"),
                    seconds @ TWO_DAYS.. => span(seconds - seconds % DAY),
                    seconds => span(seconds),
                };
                format!("@{seat} answers question {prompt} at {}, {late} after its deadline of {was}.", time(at))
            }
        };
        lines.push(told(*n, "Deadlines", &line));
    }
    lines
}

/// Returns a seat as the story names it, and any other name as it is.
fn as_called(by: &str) -> String {
    match by {
        SERVICE => "The host".to_owned(),
        _ if Seat::from_letter(by).is_some() => format!("@{by}"),
        _ => by.to_owned(),
    }
}

/// Names the player for whom a bot stands in, or who plays again, as `@A` and so on.
pub(super) fn stand_in_in_words(entry: &StandIn<'_>) -> String {
    let StandIn { seat, bot, by, .. } = entry;
    let by = if *by == *SERVICE { String::new() } else { format!(", as {by} has decided") };
    match bot {
        Some(bot) => format!("The bot {bot} plays for @{seat}{by}."),
        None => format!("@{seat} plays again{by}."),
    }
}

/// Returns the predicate for a motion, to follow the name of its author.
fn moves(what: &What) -> String {
    match what {
        What::Concede {} => "concedes".to_owned(),
        What::Forfeit {} => "has not answered in time and loses the game".to_owned(),
        What::Result(places) if places.is_empty() => "abandons the game".to_owned(),
        What::Result(places) => {
            let rows = places.iter().map(|(seat, place)| format!("@{seat} {place}"));
            format!("moves that the game ends: {}", rows.collect::<Vec<_>>().join(", "))
        }
        What::Back { to, within: None } => format!("moves to go back to entry {to}"),
        What::Back { to, within: Some(_) } => format!("moves to go back to entry {to}, the beginning of its Round"),
        What::Extend { seconds } => format!("moves to extend all deadlines by {} hours", seconds / 3_600),
        What::Pause { until } => format!("moves to pause until {until}"),
    }
}

impl Projection for Chronicle {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        let n = checked.line.n;
        // If a game cannot be replayed to its end, all lines are read again.
        if n == 0 {
            *self = Chronicle::default();
        }
        match &checked.body {
            Body::Rewound(Rewound { to, by, reason, within, .. }) => {
                let place = if within.is_some() { ", the beginning of its Round" } else { "" };
                let why = match (to + 1..n).is_empty() {
                    true if within.is_some() => "The dice of that Round are rolled again.".to_owned(),
                    true => "Nothing is undone.".to_owned(),
                    false if to + 2 == n => format!("Entry {} is undone; `show --entry` still shows it.", to + 1),
                    false => format!("Entries {} to {} are undone; `show --entry` still shows them.", to + 1, n - 1),
                };
                let reason = reason.trim_end_matches('.');
                self.tell(n, "Rewound", &format!("{} rewinds to entry {to}{place}: {reason}. {why}", as_called(by)));
            }
            // Rewinds leave motions alone.
            Body::Motion(Motion { by, what, reason, .. }) => {
                let reason = reason.trim_end_matches('.');
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                self.tell(n, "Motions", &format!("{} {}{why}.", as_called(by), moves(what)));
            }
            Body::Leave(Leave { seat, from, until, .. }) => {
                let what = match from == until {
                    true => "is back".to_owned(),
                    false => format!("takes leave from {from} until {until}"),
                };
                self.tell(n, "Deadlines", &format!("@{seat} {what}."));
            }
            Body::Zone(Zone { seat, zone }) => {
                self.tell(n, "Deadlines", &format!("The clock of @{seat} stops at weekends of {zone}."));
            }
            Body::Vote(Vote { of, seat, vote, .. }) => {
                let what = match vote {
                    Ballot::Agree => "agrees to the motion of entry",
                    Ballot::Disagree => "does not agree to the motion of entry",
                    Ballot::Withdraw => "withdraws the motion of entry",
                };
                self.tell(n, "Motions", &format!("@{seat} {what} {of}."));
            }
            Body::StandIn(entry) => self.tell(n, "Players", &stand_in_in_words(entry)),
            Body::Appeal(appeal) => self.tell(n, "Appeals", &format!("@{} appeals.", appeal.seat)),
            // No rewind undoes words, such as a warning or the answer to an appeal.
            Body::Ruling(ruling) if undone && *ruling.by != *ALL_PLAYERS => {
                let appeal = ruling.of.map(|of| format!(" on the appeal of entry {of}")).unwrap_or_default();
                let changed = if ruling.effect.get() == "{}" { "" } else { " What that changed is undone." };
                let text = ruling.text.trim_end_matches('.');
                self.tell(n, "Rulings", &format!("{} ruled{appeal}: {text}.{changed}", as_called(&ruling.by)));
            }
            _ if undone => {}
            Body::Decision(Decision { via: Via::Bot, .. }) => _ = self.not_by_player.insert(n),
            Body::Decision(Decision { seat, prompt, via: Via::Deadline, .. }) => {
                let line = format!("Question {prompt} is answered for @{seat}, since the deadline has passed.");
                self.tell(n, "Deadlines", &line);
                self.not_by_player.insert(n);
            }
            Body::Closed(Closed { of: Some(of), .. }) => {
                self.tell(n, "Motions", &format!("The game ends by the motion of entry {of}."));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, ClockEvent, Event, clock_lines};
    use chrono::DateTime;
    use postrider_table::Seat;

    #[test]
    fn deadlines_are_told_to_the_second_and_a_pause_once() {
        let event = |n, seat, what, until: Option<i64>| {
            let until = until.and_then(|until| DateTime::from_timestamp(until, 0));
            Event { until, ..Event::new(n, 7, Seat(seat), what) }
        };
        let events = [
            event(3, 0, Change::Clock(ClockEvent::Paused), None),
            event(4, 1, Change::Clock(ClockEvent::Paused), None),
            event(5, 0, Change::Clock(ClockEvent::Resumed), None),
            event(6, 1, Change::Clock(ClockEvent::Resumed), None),
            event(7, 0, Change::Moved(3_600, "ill".into()), Some(60)),
            event(8, 0, Change::Clock(ClockEvent::Expired), Some(3_600)),
            event(9, 0, Change::Late(3_665), Some(3_600)),
            // After a rewind, which ends a pause.
            event(12, 0, Change::Clock(ClockEvent::Paused), None),
            event(15, 0, Change::Clock(ClockEvent::Paused), None),
        ];
        let told: Vec<String> =
            clock_lines(events.iter()).iter().map(|line| format!("{} {}", line.n, line.told.line)).collect();
        assert_eq!(
            told,
            [
                "3 The game is paused: all deadlines are stopped.",
                "5 The game is resumed: the deadlines run again.",
                "7 The deadline of @A for question 7 is 1970-01-01 01:00:00 UTC now instead of 1970-01-01 00:01:00 UTC.",
                "8 The deadline of @A for question 7, 1970-01-01 01:00:00 UTC, passes.",
                "9 @A answers question 7 at 1970-01-01 01:01:05 UTC, one minute after its deadline of 1970-01-01 01:00:00 UTC.",
                "12 The game is paused: all deadlines are stopped.",
                "15 The game is paused: all deadlines are stopped.",
            ]
        );
    }
}
