//! Tests of the public form: it is canonical, contains no secrets, and changes whenever the view
//! does.

use super::public;
use crate::{Geronimo, State, testing, view};
use postrider_dice::{DiceStream, h};
use postrider_table::{Decision, SeededChance, Session, Watch};

fn text(g: &State) -> String {
    let mut out = String::new();
    public(g, &mut out);
    out
}

fn positions(mut look: impl FnMut(u64, &State)) {
    for seed in 0..3 {
        let mut players = DiceStream::new(h("postrider/test/v1", &["public", &seed.to_string()]));
        let first = testing::basic(3 + seed as u8);
        let mut session = Session::<Geronimo>::start(first, Box::new(SeededChance::new(seed)), Watch::NONE);
        loop {
            let seen = session.look().unwrap();
            look(seed, &seen.state);
            let required: Vec<_> = seen.tickets.iter().filter(|ticket| ticket.required).collect();
            if required.is_empty() {
                break;
            }
            let ticket = required[players.below(required.len() as u32) as usize];
            let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut |n| players.below(n)).unwrap();
            let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
            session.submit(&decision).unwrap();
        }
    }
}

#[test]
fn it_is_canonical_and_short() {
    positions(|_, g| {
        let text = text(g);
        postrider_journal::check(text.as_bytes()).unwrap_or_else(|why| panic!("{why}: {text}"));
        assert!(text.len() < 4096, "{} bytes", text.len());
    });
}

#[test]
fn it_changes_whenever_the_view_changes() {
    let mut before: Option<(u64, serde_json::Value, String)> = None;
    let mut changes = 0;
    positions(|game, g| {
        let (view, text) = (view::view(g, None), text(g));
        if let Some((of, seen, form)) = before.take().filter(|(of, ..)| *of == game)
            && seen != view
        {
            assert_ne!(form, text, "game {of}");
            changes += 1;
        }
        before = Some((game, view, text));
    });
    assert!(changes > 100, "{changes}");
}
