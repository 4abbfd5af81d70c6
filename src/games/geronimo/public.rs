//! The public form of a position: all that lies open, as terse canonical JSON, for the digest of every Round.
//!
//! Pieces go by their ids, which are their places in the component file that the journal names; so nearly everything is a
//! row of integers. A row's length is fixed but for zeros at its end, which are left out. Seats count from 1, and 0 is
//! nobody. What a word of [`view`](super::view) says beyond that follows from these numbers and the components.

use super::{
    State,
    state::{CivilWar, CommanderPlace, Events, Place, Use, Weather},
    variant::Scenario,
};
use crate::table::Seat;

/// Adds the public form of a position to `out`.
pub fn public(g: &State, out: &mut String) {
    out.reserve(4096);
    out.push('{');
    let mut form = Form { out, first: true };
    form.rows("alliances", &g.alliances, |alliance, form| {
        form.list(|form| {
            form.row(&[i64::from(alliance.leader.0) + 1]);
            form.list(|form| alliance.parties.iter().for_each(|party| form.number(party.0.into())));
            form.list(|form| alliance.villages.iter().for_each(|village| form.number(village.0.into())));
        });
    });
    form.rows("areas", &g.areas, |area, form| {
        let weather = match area.weather {
            None => 0,
            Some(Weather::Good) => 1,
            Some(Weather::Bad) => 2,
        };
        let counted = [area.settlements, area.towns, area.rrs, area.broke, area.massacres, area.skulls].map(i64::from);
        let [settlements, towns, rrs, broke, massacres, skulls] = counted;
        let marks = flags([area.state, area.mission]);
        form.row(&[settlements, towns, rrs, marks, massacres, broke, weather, skulls]);
    });
    form.rows("chiefs", g.c.chief_ids(), |chief, form| {
        let now = &g.chiefs[chief.index()];
        // How the Teton Chiefs were divided shows only with the card (6.51).
        let shown = g.tribes[g.c[chief].tribe.index()].revealed;
        let assigned = now.assigned.filter(|_| shown).map_or(0, |village| i64::from(village.0) + 1);
        let with = now.with.map_or(0, |party| i64::from(party.0) + 1);
        form.row(&[flags([now.killed, now.prison, now.used]), assigned, with]);
    });
    form.rows("columns", &g.columns, |column, form| {
        form.row(&[
            i64::from(column.id.0),
            i64::from(column.area.0),
            column.bps.into(),
            column.commander.map_or(0, |commander| i64::from(commander.0) + 1),
            flags([column.in_fort]),
            column.played_in.into(),
            column.guns.into(),
            column.gatlings.into(),
            column.group.map_or(0, |group| i64::from(group) + 1),
            column.attacked_in.into(),
        ]);
    });
    form.key("commanders");
    form.list(|form| {
        for place in &g.commanders {
            form.number(match place {
                CommanderPlace::Cup => 0,
                CommanderPlace::Reserve => 1,
                CommanderPlace::Dead => 2,
                CommanderPlace::Column(column) => 3 + i64::from(column.0),
            });
        }
    });
    events(g, &mut form);
    let fx = &g.fx;
    let raid = fx.mexico_raid.map_or([0, 0], |raid| [i64::from(raid.raider.0) + 1, raid.vps.into()]);
    let held = flags([
        fx.peace_policy,
        fx.reform_movement,
        fx.winter_campaigning,
        fx.indian_massacre,
        fx.mexico_closed,
        fx.rampage,
        fx.springfield,
        fx.gatlings,
        fx.telegraph,
        fx.land_rush,
        fx.civil_war == CivilWar::Over,
        fx.civil_war == CivilWar::Now,
        fx.bloody_kansas,
        fx.mormons_due,
    ]);
    let mormons = fx.mormon_column.map_or(0, |column| i64::from(column.0) + 1);
    form.key("fx");
    form.row(&[held, seat(fx.atrocity), raid[0], raid[1], mormons]);
    form.key("game");
    form.row(&[
        g.turn.into(),
        g.round.into(),
        g.phase as i64,
        seat(g.active),
        seat(Some(g.us)),
        seat(g.us_before),
        g.players.into(),
        g.turns.0.into(),
        g.turns.1.into(),
        g.dealt.into(),
        g.us_rounds.into(),
        // A cup has as many Mines as the component file, far fewer than 2^53.
        g.mine_cup.len() as i64,
        g.skulls_left.into(),
        flags([g.transcontinental.is_some(), g.finished]),
        g.desk.given.into(),
    ]);
    // A Mine lies in the Area for which it is printed.
    form.rows("mines", g.areas.iter().flat_map(|area| &area.mines), |mine, form| {
        form.number(2 * i64::from(mine.id.0) + i64::from(mine.hit));
    });
    let offers = g.desk.offers.iter().map(|offer| (0, offer)).chain(g.desk.signed.iter().map(|offer| (1, offer)));
    form.rows("offers", offers, |(signed, offer), form| {
        form.row(&[i64::from(offer.village.0), offer.vps.into(), seat(Some(offer.by)), signed]);
    });
    form.rows("parties", &g.parties, |party, form| {
        form.list(|form| {
            form.row(&[
                i64::from(party.id.0),
                i64::from(party.village.0),
                i64::from(party.area.0),
                party.bps.into(),
                party.no.into(),
                party.actions.into(),
                party.attacked_in.into(),
                party.on_foot.into(),
            ]);
            form.list(|form| party.chiefs.iter().for_each(|chief| form.number(chief.0.into())));
        });
    });
    form.rows("pile", &g.pile, |&(who, card, what), form| {
        form.list(|form| {
            form.row(&[seat(Some(who)), flags([what == Use::Discarded])]);
            form.name(card.name());
        });
    });
    form.rows("removed", &g.removed, |card, form| form.name(card.name()));
    form.key("reserve");
    form.row(&[g.reserve.bps.into(), g.reserve.guns.into(), g.reserve.gatlings.into()]);
    // The Basic Game has none, and its journals know no such member.
    if !g.rr_due.is_empty() {
        form.rows("rr_due", &g.rr_due, |area, form| form.number(area.0.into()));
    }
    form.rows("seats", g.seats(), |seat, form| {
        let tally = &g.tally[seat.index()];
        // Everybody may count the cards of a hand, and the Tribal Cards that somebody holds face down.
        let tribes = g.tribes.iter().filter(|tribe| tribe.holder == Some(seat)).count();
        form.row(&[
            tally.vps.into(),
            tally.at_start.into(),
            tally.as_us().into(),
            g.hands[seat.index()].len() as i64,
            tribes as i64,
            flags([tally.operation_used, tally.card_used, tally.event_rolled]),
        ]);
    });
    if g.variant.solitaire {
        form.key("solitaire");
        let solo = &g.solo;
        form.list(|form| {
            form.row(&[
                // Decks of at most 49 cards.
                solo.shaman.len() as i64,
                solo.tribal.len() as i64,
                solo.tribe.map_or(0, |tribe| i64::from(tribe.0) + 1),
                g.transcontinental.map_or(0, i64::from),
            ]);
            form.list(|form| solo.looked_at().for_each(|tribe| form.number(tribe.0.into())));
        });
    }
    form.key("tribes");
    form.list(|form| {
        g.tribes.iter().for_each(|tribe| form.number(if tribe.revealed { 1 + seat(tribe.holder) } else { 0 }));
    });
    // Where nobody asks for it, it is not written: so Basic Games keep their digests.
    if g.variant.scenario == Scenario::Campaign {
        form.key("us_turns");
        form.number(g.us_in_a_row.into());
    }
    form.rows("villages", &g.villages, |village, form| {
        let (place, area) = match village.place {
            Place::Area(area) => (0, i64::from(area.0)),
            Place::Mexico { from } => (1, i64::from(from.0)),
            Place::Canada { from } => (2, i64::from(from.0)),
            Place::Reservation { from } => (3, i64::from(from.0)),
            Place::Extinct => (4, 0),
        };
        let treaty = village.treaty.map_or([0; 3], |t| [seat(Some(t.with)), t.vps.into(), t.lost.into()]);
        let marks = flags([
            village.finished,
            village.peace_chief,
            village.blood_lust,
            village.shaman_medicine,
            village.scouting,
            village.dormant,
            village.party_returned,
        ]);
        form.row(&[
            5 * area + place,
            village.bps.into(),
            marks,
            village.actions.into(),
            village.devastation.into(),
            village.attacked_in.into(),
            village.parties_sent.into(),
            village.attacked_by.iter().fold(0, |set, tribe| set | (1 << tribe.index())),
            treaty[0],
            treaty[1],
            treaty[2],
        ]);
    });
    form.out.push('}');
}

/// 12.1: lists of the pieces that bear each kind of marker, then Sand Creek's Area and what the US may still do. Positions
/// without any of it do not have the member.
fn events(g: &State, form: &mut Form<'_>) {
    let events = &g.events;
    if *events == Events::default() {
        return;
    }
    fn ids<X: Copy>(form: &mut Form<'_>, list: &[X], id: impl Fn(X) -> i64) {
        form.list(|form| list.iter().for_each(|&one| form.number(id(one))));
    }
    form.key("events");
    form.list(|form| {
        ids(form, &events.gunrunners, |tribe| tribe.0.into());
        ids(form, &events.buffalo_campaigns, |area| area.0.into());
        ids(form, &events.lines_cut, |area| area.0.into());
        ids(form, &events.sieges, |column| column.0.into());
        ids(form, &events.strongholds, |village| village.0.into());
        ids(form, &events.no_horses, |village| village.0.into());
        form.number(events.sand_creek.map_or(0, |area| i64::from(area.0) + 1));
        form.number(flags([events.horse_killers, events.hostages, events.sand_creek_over]));
    });
}

/// 0 for nobody.
fn seat(seat: Option<Seat>) -> i64 {
    seat.map_or(0, |seat| i64::from(seat.0) + 1)
}

/// One bit a flag, the first the lowest.
fn flags<const N: usize>(flags: [bool; N]) -> i64 {
    flags.iter().rev().fold(0, |all, &flag| 2 * all + i64::from(flag))
}

/// Writes canonical JSON from front to back. Members must come sorted; the tests hold the result against the checker of
/// canonical form.
struct Form<'o> {
    out: &'o mut String,
    /// Nothing stands yet in the innermost array or object, so that no comma is due.
    first: bool,
}

impl Form<'_> {
    fn comma(&mut self) {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
    }
    /// The key of the next member.
    fn key(&mut self, key: &str) {
        self.comma();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        self.first = true;
    }
    /// An array of whatever `fill` writes.
    fn list(&mut self, fill: impl FnOnce(&mut Self)) {
        self.comma();
        self.out.push('[');
        self.first = true;
        fill(self);
        self.out.push(']');
        self.first = false;
    }
    /// A member that is an array with something for each item.
    fn rows<I: IntoIterator>(&mut self, key: &str, items: I, mut write: impl FnMut(I::Item, &mut Self)) {
        self.key(key);
        self.list(|form| items.into_iter().for_each(|item| write(item, form)));
    }
    /// An array of integers without the zeros at its end.
    fn row(&mut self, numbers: &[i64]) {
        let end = numbers.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        self.list(|form| numbers[..end].iter().for_each(|&number| form.number(number)));
    }
    /// A string that needs no escapes, as the names of cards do not.
    fn name(&mut self, name: &str) {
        self.comma();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push('"');
    }
    /// An integer. By hand, since formatting would cost more than everything else here.
    fn number(&mut self, number: i64) {
        self.comma();
        if number < 0 {
            self.out.push('-');
        }
        let mut left = number.unsigned_abs();
        let mut digits = [b'0'; 20];
        let mut from = digits.len();
        loop {
            from -= 1;
            digits[from] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        digits[from..].iter().for_each(|&digit| self.out.push(char::from(digit)));
    }
}

#[cfg(test)]
mod tests {
    use super::public;
    use crate::{
        dice::{DiceStream, h},
        games::geronimo::{Geronimo, State, testing, view},
        table::{Decision, SeededChance, Session, Watch},
    };

    fn text(g: &State) -> String {
        let mut out = String::new();
        public(g, &mut out);
        out
    }

    /// Calls `look` with every position of whole games, one after the other.
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
            crate::journal::check(text.as_bytes()).unwrap_or_else(|why| panic!("{why}: {text}"));
            assert!(text.len() < 4096, "{} bytes", text.len());
        });
    }

    #[test]
    fn it_tells_nothing_that_is_hidden() {
        let mut dice = DiceStream::new(h("postrider/test/v1", &["hidden"]));
        let mut differed = 0;
        positions(|_, g| {
            let other = view::shuffle_hidden(g, None, &mut |n| dice.below(n));
            // Each hand is another one; only the face of the cards can have changed.
            differed += u32::from(other.hands != g.hands);
            assert_eq!(text(g), text(&other));
        });
        assert!(differed > 100, "{differed}");
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
}
