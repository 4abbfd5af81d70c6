//! Tests of deadlines and banks. Times are in seconds since 1970, a Thursday.

use super::*;

const HOUR: i64 = 3_600;

/// A step after which the game waits for these questions. Each is at a time of its own.
fn step(at: i64, answered: Option<PromptId>, awaited: &[(PromptId, u8)]) -> Heard {
    let put = awaited.iter().map(|(prompt, _)| prompt + 1).max().unwrap_or(0);
    let awaited = awaited.iter().map(|&(prompt, seat)| (prompt, Seat(seat), "bid")).collect();
    Heard::Step(Step { first: at.unsigned_abs(), at, answered, put, awaited })
}

fn clock(n: u64, at: i64, prompt: PromptId, seat: u8, event: ClockEvent) -> Heard {
    Heard::Event { at, event: Event::new(n, prompt, Seat(seat), What::Clock(event)) }
}

fn until(deadlines: &Deadlines, prompt: PromptId) -> Option<i64> {
    match deadlines.deadline(prompt)? {
        Deadline::Until(at) | Deadline::Expired(at) => Some(at.timestamp()),
        Deadline::Paused(_) => None,
    }
}

#[test]
fn a_deadline_passes_neither_early_nor_in_a_pause() {
    let mut deadlines = Deadlines::of(r#"{"answer":7200}"#).unwrap();
    deadlines.hear(1, step(0, None, &[(0, 0)]));
    let wrong = |deadlines: &Deadlines, at, event| deadlines.wrong(at, 0, event).unwrap_or_default();
    let early = wrong(&deadlines, 7_199, ClockEvent::Expired);
    assert!(early.contains("has not passed: it is Thu 1 Jan 1970, 02:00 UTC"), "{early}");
    assert_eq!(wrong(&deadlines, 7_200, ClockEvent::Expired), "");
    assert!(wrong(&deadlines, 3_599, ClockEvent::Reminded).contains("no reminder"));
    assert_eq!(wrong(&deadlines, 3_600, ClockEvent::Reminded), "");
    deadlines.hear(2, clock(2, 3_600, 0, 0, ClockEvent::Paused));
    assert!(wrong(&deadlines, 9_000, ClockEvent::Expired).ends_with("the game is paused"));
    assert_eq!(wrong(&deadlines, 9_000, ClockEvent::Resumed), "");
    assert!(Deadlines::default().wrong(0, 0, ClockEvent::Expired).is_some_and(|why| why.ends_with("there is none")));
}

/// Three Columns are placed in the time of one answer; anything learned meanwhile gives a new one.
#[test]
fn answers_of_one_kind_share_their_time_until_something_is_drawn() {
    let mut deadlines = Deadlines::of(r#"{"answer":7200,"at_flag":"play"}"#).unwrap();
    deadlines.hear(1, step(0, None, &[(0, 0)]));
    deadlines.hear(2, step(HOUR, Some(0), &[(1, 0)]));
    assert_eq!(until(&deadlines, 1), Some(2 * HOUR));
    deadlines.hear(3, step(HOUR, Some(1), &[(2, 0)]));
    deadlines.hear(4, Heard::Drawn);
    assert_eq!(until(&deadlines, 2), Some(3 * HOUR));
    // Another seat, or another kind of question, has its own time.
    deadlines.hear(5, step(2 * HOUR, Some(2), &[(3, 1)]));
    assert_eq!(until(&deadlines, 3), Some(4 * HOUR));
    let other = Step { first: 6, at: 3 * HOUR, answered: Some(3), put: 5, awaited: vec![(4, Seat(1), "pass")] };
    deadlines.hear(6, Heard::Step(other));
    deadlines.hear(7, Heard::Drawn);
    assert_eq!(until(&deadlines, 4), Some(5 * HOUR));
    // Once the time is over, it is over for the next one of the kind too.
    deadlines.hear(8, step(5 * HOUR, Some(4), &[(5, 0)]));
    deadlines.hear(9, clock(9, 7 * HOUR, 5, 0, ClockEvent::Expired));
    deadlines.hear(10, step(7 * HOUR, Some(5), &[(6, 0)]));
    assert_eq!(deadlines.due(6, 7 * HOUR), Some(ClockEvent::Expired));
}

#[test]
fn a_clock_stands_still_until_the_letter_has_left() {
    let mut deadlines = Deadlines::of(r#"{"answer":7200}"#).unwrap();
    deadlines.hear(1, step(100, None, &[(0, 0), (1, 1)]));
    deadlines.hear(2, clock(2, 100 + HOUR, 0, 0, ClockEvent::Held));
    assert_eq!((deadlines.held(Seat(0)), deadlines.held(Seat(1)), deadlines.paused()), (true, false, false));
    assert_eq!(deadlines.deadline(0), Some(Deadline::Paused(2 * HOUR)));
    assert_eq!((deadlines.due(0, 90 * HOUR), deadlines.next_due(0)), (None, None));
    assert!(deadlines.wrong(90 * HOUR, 0, ClockEvent::Expired).unwrap().ends_with("the letter with it has not left"));
    assert_eq!(until(&deadlines, 1), Some(100 + 2 * HOUR));
    deadlines.hear(3, clock(3, 9 * HOUR, 0, 0, ClockEvent::Sent));
    assert_eq!((until(&deadlines, 0), deadlines.held(Seat(0))), (Some(11 * HOUR), false));
}

#[test]
fn leave_moves_the_deadline_of_one_seat() {
    let mut deadlines = Deadlines::of(r#"{"answer":7200,"leave":86400}"#).unwrap();
    deadlines.hear(1, step(0, None, &[(0, 0), (1, 1)]));
    deadlines.hear(2, Heard::Leave(Seat(1), vec![(3_600, 5 * HOUR)]));
    assert_eq!((until(&deadlines, 0), until(&deadlines, 1)), (Some(2 * HOUR), Some(6 * HOUR)));
    assert_eq!(
        (deadlines.due(0, 2 * HOUR), deadlines.due(1, 5 * HOUR)),
        (Some(ClockEvent::Expired), Some(ClockEvent::Reminded))
    );
    assert_eq!(deadlines.next_due(1), Some(HOUR));
}

/// Ten hours, one more each Round, at most twelve.
const BANK: &str = r#"{"bank":{"start":36000,"round":3600,"cap":43200},"at_flag":{"forfeit":7200}}"#;

#[test]
fn a_bank_runs_while_the_game_waits_for_its_seat() {
    let mut deadlines = Deadlines::of(BANK).unwrap();
    deadlines.hear(1, step(0, None, &[(0, 0)]));
    assert_eq!(until(&deadlines, 0), Some(10 * HOUR));
    // It goes on from question to question.
    deadlines.hear(2, step(4 * HOUR, Some(0), &[(1, 0), (2, 1)]));
    assert_eq!((until(&deadlines, 1), until(&deadlines, 2)), (Some(10 * HOUR), Some(14 * HOUR)));
    deadlines.hear(3, step(5 * HOUR, Some(1), &[(2, 1)]));
    assert_eq!(
        (deadlines.bank(Seat(0), 9 * HOUR), deadlines.bank(Seat(1), 9 * HOUR)),
        (Some(5 * HOUR), Some(5 * HOUR))
    );
    // A Round adds an hour to both, but never beyond twelve.
    deadlines.hear(4, step(5 * HOUR, None, &[(2, 1)]));
    deadlines.hear(5, Heard::Round);
    assert_eq!((deadlines.bank(Seat(0), 9 * HOUR), until(&deadlines, 2)), (Some(6 * HOUR), Some(15 * HOUR)));
    for n in 6..20 {
        deadlines.hear(n, Heard::Round);
    }
    assert_eq!((deadlines.bank(Seat(0), 9 * HOUR), until(&deadlines, 2)), (Some(12 * HOUR), Some(17 * HOUR)));
    assert!(deadlines.events.is_empty(), "no bank is low");
}

#[test]
fn a_low_bank_is_told_once_and_an_empty_one_loses_after_the_grace() {
    let mut deadlines = Deadlines::of(BANK).unwrap();
    deadlines.hear(1, step(0, None, &[(0, 0)]));
    deadlines.hear(2, step(8 * HOUR, Some(0), &[(1, 0)]));
    deadlines.hear(3, step(9 * HOUR, Some(1), &[(2, 0)]));
    let low: Vec<_> = deadlines.events.iter().map(|event| (event.n, event.what.clone())).collect();
    assert_eq!(low, [(2, What::Low(2 * HOUR))]);
    assert_eq!((deadlines.due(2, 10 * HOUR), deadlines.next_due(2)), (Some(ClockEvent::Expired), Some(5 * HOUR)));
    assert!(!deadlines.forfeits(Seat(0), 13 * HOUR), "no line says that the deadline has passed");
    deadlines.hear(4, clock(4, 10 * HOUR, 2, 0, ClockEvent::Expired));
    assert_eq!(deadlines.next_due(2), Some(12 * HOUR));
    assert!(!deadlines.forfeits(Seat(0), 12 * HOUR - 1) && deadlines.forfeits(Seat(0), 12 * HOUR));
    // A director gives more time.
    let what = What::Moved(20 * HOUR, "ill".into());
    let event = Event::new(5, 2, Seat(0), what);
    deadlines.hear(5, Heard::Event { at: 11 * HOUR, event });
    assert_eq!((deadlines.forfeits(Seat(0), 13 * HOUR), until(&deadlines, 2)), (false, Some(20 * HOUR)));
}

#[test]
fn what_is_undone_costs_no_bank_and_leave_stays() {
    let mut deadlines = Deadlines::of(BANK).unwrap();
    deadlines.remember(false);
    deadlines.hear(1, step(0, None, &[(0, 0)]));
    deadlines.hear(2, step(HOUR, Some(0), &[(1, 1)]));
    deadlines.hear(3, step(4 * HOUR, Some(1), &[(2, 0)]));
    deadlines.hear(4, Heard::Leave(Seat(1), vec![(6 * HOUR, 8 * HOUR)]));
    deadlines.hear_again(&|n| n <= 2, None);
    deadlines.hear(5, Heard::Rewound { at: 5 * HOUR });
    assert_eq!(deadlines.bank(Seat(0), 20 * HOUR), Some(9 * HOUR));
    assert_eq!(until(&deadlines, 1), Some(17 * HOUR), "ten hours from the rewind, and two of leave");
}
