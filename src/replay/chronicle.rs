//! Everything that happened in a game, also beside its rules.

use super::{
    deadlines::{moment, moved_deadline},
    marks::StoryLine,
    projection::Projection,
};
use postrider_journal::{
    Ballot, Body, Checked, Clock, ClockEvent, Closed, Decision, Leave, Motion, Rewound, Via, Vote, What,
};
use postrider_orders::visible;
use postrider_table::{Seat, Told, Whom};

/// Everything that happened in a game, in the order of its entries: the story that the rules tell, and
/// beside it rewinds, motions, appeals, deadlines, and changes of players. This [`Projection`] collects
/// what is beside the story.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    beside: Vec<StoryLine>,
    /// `true` while the game is paused: a pause has an entry for each open question.
    paused: bool,
}

impl Chronicle {
    fn tell(&mut self, n: u64, under: &'static str, line: &str) {
        self.beside.push(told(n, under, line));
    }
    /// Returns what a seat, or everybody, may know of a game with this story. `changes` are the changes of
    /// players, each with its entry. Undone entries are omitted, the rewinds themselves are not.
    pub fn with(
        &self,
        story: &[StoryLine],
        seat: Option<Seat>,
        changes: impl IntoIterator<Item = (u64, String)>,
    ) -> Vec<StoryLine> {
        let mine = |line: &&StoryLine| match line.told.whom {
            Whom::All => true,
            Whom::Seat(told) => seat == Some(told),
        };
        let mut all: Vec<StoryLine> = story.iter().filter(mine).chain(&self.beside).cloned().collect();
        all.extend(changes.into_iter().map(|(n, words)| told(n, "Players", &words)));
        all.sort_by_key(|line| line.n);
        all
    }
}

fn told(n: u64, under: &'static str, line: &str) -> StoryLine {
    let told = Told { whom: Whom::All, under: under.into(), line: visible(line).into_owned(), after: 0, rounds: 0 };
    StoryLine { n, told }
}

/// Returns a seat as the story names it, and any other name as it is.
fn as_called(by: &str) -> String {
    if Seat::from_letter(by).is_some() { format!("@{by}") } else { by.to_owned() }
}

/// Says what a motion does, behind the name of whoever makes it.
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
                self.paused = false;
                let place = if within.is_some() { ", the beginning of its Round" } else { "" };
                let why = match (to + 1..n).is_empty() {
                    true if within.is_some() => "The dice of that Round are rolled again.".to_owned(),
                    true => "Nothing is undone.".to_owned(),
                    false if to + 2 == n => format!("Entry {} is undone; `show --entry` still shows it.", to + 1),
                    false => format!("Entries {} to {} are undone; `show --entry` still shows them.", to + 1, n - 1),
                };
                let reason = reason.trim_end_matches('.');
                self.tell(n, "Rewound", &format!("{by} rewinds to entry {to}{place}: {reason}. {why}"));
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
            Body::Vote(Vote { of, seat, vote, .. }) => {
                let what = match vote {
                    Ballot::Agree => "agrees to the motion of entry",
                    Ballot::Disagree => "does not agree to the motion of entry",
                    Ballot::Withdraw => "withdraws the motion of entry",
                };
                self.tell(n, "Motions", &format!("@{seat} {what} {of}."));
            }
            Body::Appeal(appeal) => self.tell(n, "Appeals", &format!("@{} appeals.", appeal.seat)),
            _ if undone => {}
            Body::Clock(Clock { event: ClockEvent::Paused, .. }) if self.paused => {}
            Body::Clock(Clock { event: ClockEvent::Resumed, .. }) if !self.paused => {}
            Body::Clock(Clock { prompt, seat, event }) => {
                match event {
                    ClockEvent::Paused => self.paused = true,
                    ClockEvent::Resumed => self.paused = false,
                    _ => {}
                }
                let line = match event {
                    ClockEvent::Reminded => format!("@{seat} is reminded of question {prompt}."),
                    ClockEvent::Expired => format!("The deadline of @{seat} for question {prompt} passes."),
                    ClockEvent::Paused => "The game is paused: all deadlines are stopped.".to_owned(),
                    ClockEvent::Resumed => "The game is resumed: the deadlines run again.".to_owned(),
                    ClockEvent::Held => {
                        format!("A letter to @{seat} does not leave: the clock of @{seat} stands still.")
                    }
                    ClockEvent::Sent => format!("The letter to @{seat} has left: the clock of @{seat} runs again."),
                };
                self.tell(n, "Deadlines", &line);
            }
            Body::Decision(Decision { seat, prompt, via: Via::Deadline, .. }) => {
                let line = format!("Question {prompt} is answered for @{seat}, since the deadline has passed.");
                self.tell(n, "Deadlines", &line);
            }
            Body::Closed(Closed { of: Some(of), .. }) => {
                self.tell(n, "Motions", &format!("The game ends by the motion of entry {of}."));
            }
            Body::Ruling(ruling) => {
                if let Some((seat, until)) = moved_deadline(ruling.effect.get()) {
                    self.tell(n, "Deadlines", &format!("The deadline of @{seat} is {} now.", moment(until, "UTC")));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chronicle, Projection as _};
    use postrider_journal::{Body, Checker, Clock, ClockEvent, Line, Writer};

    /// A pause has an entry for each open question.
    #[test]
    fn a_pause_is_told_once() {
        let vector = include_str!("../../tests/vectors/journal.jsonl");
        let first = Line::parse(vector.lines().next().unwrap().as_bytes()).unwrap();
        let Body::Opened(opened) = first.read_body().unwrap() else { panic!("the first line opens a game") };
        let mut writer = Writer::new(&opened.game).unwrap();
        let (mut checker, mut chronicle) = (Checker::new(), Chronicle::default());
        let clock = |seat: usize, event| {
            let seat = opened.seats[seat].to_string().into();
            Body::Clock(Clock { prompt: 0, seat, event })
        };
        let events = [ClockEvent::Paused, ClockEvent::Resumed, ClockEvent::Paused];
        let bodies = events.into_iter().flat_map(|event| [clock(0, event), clock(1, event)]);
        for body in [first.read_body().unwrap()].into_iter().chain(bodies) {
            let line = writer.line(first.at, &body).unwrap();
            chronicle.apply(&checker.feed(line.trim_end().as_bytes()).unwrap(), false);
        }
        let told: Vec<u64> = chronicle.beside.iter().map(|line| line.n).collect();
        assert_eq!(told, [1, 3, 5]);
    }
}
