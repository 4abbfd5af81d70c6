//! The information disclosed in the entries that a rewind undoes. All players are told of it.

use super::sent::entries_in_words;
use postrider_journal::{Body, Line};
use postrider_letters::{Block, Part, Section};
use postrider_orders::list_and;
use postrider_replay::{
    ReplayFault, Source,
    index::{JournalIndex, tail_kind},
};
use postrider_store::Players;
use postrider_table::Seat;
use serde::Serialize;
use std::collections::BTreeMap;

/// The maximum number of lines of the story in a report.
const MOST_TOLD: usize = 80;

/// A roll or a shown card, with its line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The `n` of the line.
    pub n: u64,
    /// The name and result of the dice, or the deck and card.
    pub what: String,
    /// The letter of the card's holder; "" for dice and for cards that no seat held.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub seat: String,
}

/// A shuffle from before the rewind's target whose secret is now known to all; its cards keep their
/// order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenDeck {
    /// The deck.
    pub deck: String,
    /// The number of the shuffle.
    pub epoch: u64,
    /// The `n` of the last line before the step that shuffled it: a rewind to that line would
    /// shuffle it again. `None` if it was shuffled at the beginning of play.
    pub fresh_after: Option<u64>,
}

/// The entries that a rewind undoes, and the information disclosed in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disclosed {
    /// The `n` of the line after which play continues.
    pub to: u64,
    /// The `n` of the last undone line.
    pub end: u64,
    /// The number of undone orders by seat.
    #[serde(serialize_with = "by_letter")]
    pub orders: BTreeMap<Seat, u64>,
    /// The entries of orders that an earlier rewind had undone and that count again, by seat.
    #[serde(serialize_with = "by_letter", skip_serializing_if = "BTreeMap::is_empty")]
    pub again: BTreeMap<Seat, Vec<u64>>,
    /// The dice, one item per journal line.
    pub dice: Vec<Seen>,
    /// The cards that were shown.
    pub shown: Vec<Seen>,
    /// The number of hidden cards dealt by seat.
    #[serde(serialize_with = "by_letter")]
    pub dealt: BTreeMap<Seat, u64>,
    /// The shuffles whose cards are all known and keep their order.
    pub open_decks: Vec<OpenDeck>,
    /// The number of standing orders that are undone, by seat.
    #[serde(serialize_with = "by_letter")]
    pub standing: BTreeMap<Seat, u64>,
}

fn by_letter<S: serde::Serializer, T: Serialize>(seats: &BTreeMap<Seat, T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(seats.iter().map(|(seat, of_it)| (seat.to_string(), of_it)))
}

impl Disclosed {
    /// Returns the information disclosed after line `to` and up to line `end`, in the history of
    /// line `end`.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be read.
    pub fn between(source: &Source, to: u64, end: u64) -> Result<Disclosed, ReplayFault> {
        let index = JournalIndex::of(source)?;
        let (now, then) = (index.undone(end), index.undone(to));
        let mut disclosed = Disclosed {
            to,
            end,
            orders: BTreeMap::new(),
            again: BTreeMap::new(),
            dice: Vec::new(),
            shown: Vec::new(),
            dealt: BTreeMap::new(),
            open_decks: Vec::new(),
            standing: BTreeMap::new(),
        };
        let mut hidden: Vec<OpenDeck> = Vec::new();
        let mut cause = None;
        let (mut lines, mut at) = (source.lines()?, 0);
        while let Some(text) = lines.next_line()? {
            let n = at;
            at += 1;
            if n > end {
                break;
            }
            let (before, counts) = (n <= to && !then.holds(n), n > to && !now.holds(n));
            let again = before && now.holds(n);
            // Most lines before the target are irrelevant, and the kind can be read without
            // parsing.
            match tail_kind(text) {
                Some(b"decision") if !counts && !again => {
                    cause = Some(n);
                    continue;
                }
                Some(b"shuffled") if before => {}
                Some(b"started" | b"revealed" | b"closed") => {}
                _ if counts || again => {}
                _ => continue,
            }
            let line = Line::parse(text).map_err(|why| ReplayFault::Unread(why.to_string()))?;
            match line.read_body().map_err(|why| ReplayFault::Unread(why.to_string()))? {
                Body::Decision(decision) => {
                    cause = Some(n);
                    match Seat::from_letter(&decision.seat) {
                        Some(seat) if counts => *disclosed.orders.entry(seat).or_default() += 1,
                        Some(seat) => disclosed.again.entry(seat).or_default().push(n),
                        None => {}
                    }
                }
                Body::Started(_) => cause = None,
                Body::Rolled(rolled) if counts => {
                    let roll = |roll: &postrider_journal::Roll<'_>| {
                        let got: Vec<String> = roll.got.iter().map(ToString::to_string).collect();
                        format!("{} {}", roll.label, got.join(" "))
                    };
                    let what = rolled.rolls.iter().map(roll).collect::<Vec<_>>().join("; ");
                    disclosed.dice.push(Seen { n, what, seat: String::new() });
                }
                Body::Shuffled(shuffled) if before => {
                    let fresh_after = cause.and_then(|n| n.checked_sub(1));
                    hidden.push(OpenDeck { deck: shuffled.deck.to_string(), epoch: shuffled.epoch, fresh_after });
                }
                Body::Dealt(dealt) if counts => {
                    if let Some(seat) = Seat::from_letter(&dealt.seat) {
                        *disclosed.dealt.entry(seat).or_default() += dealt.count;
                    }
                }
                Body::Shown(shown) if counts => {
                    let what = format!("{}: {}", shown.deck, shown.card);
                    disclosed.shown.push(Seen { n, what, seat: shown.seat.to_string() });
                }
                // A revealed secret stays public even if its line is undone.
                Body::Revealed(revealed) => {
                    let is_it = |one: &mut OpenDeck| *one.deck == *revealed.deck && one.epoch == revealed.epoch;
                    let open = hidden.extract_if(.., is_it);
                    disclosed.open_decks.extend(open.filter(|_| !before));
                }
                Body::Closed(closed) => {
                    let opened = |one: &mut OpenDeck| {
                        let label = postrider_dice::deck_chain(&one.deck);
                        closed.secrets.keys().any(|name| **name == *label)
                    };
                    disclosed.open_decks.extend(hidden.extract_if(.., opened));
                }
                Body::Sealed(sealed) if counts && sealed.what == "standing" => {
                    if let Some(seat) = Seat::from_letter(&sealed.seat) {
                        *disclosed.standing.entry(seat).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        Ok(disclosed)
    }

    /// Returns the report for one reader. `story` is the part of the story that the reader was told
    /// in the undone lines.
    #[must_use]
    pub fn report(&self, reader: Option<Seat>, seats: &Players, story: &[Part]) -> Section {
        let mut blocks = Vec::new();
        let mut add = |text: &str, level: usize, item: bool| {
            let text = seats.named(text);
            blocks.push(if item { Block::item(text, level) } else { Block::paragraph(text, level) });
        };
        let counted = |counts: &BTreeMap<Seat, u64>| {
            let one = |(seat, count): (&Seat, &u64)| format!("@{seat} {count}");
            counts.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        if self.orders.is_empty() {
            add("No order was given there.", 1, false);
        } else {
            add(&format!("Orders undone: {}.", counted(&self.orders)), 1, true);
        }
        if !self.again.is_empty() {
            let one = |(seat, all): (&Seat, &Vec<u64>)| format!("@{seat} {}", entries_in_words(all));
            let all = self.again.iter().map(one).collect::<Vec<_>>().join(", ");
            add(&format!("Orders that an earlier rewind had undone, and that count again: {all}."), 1, true);
        }
        match reader.map(|seat| self.standing.get(&seat).copied().unwrap_or(0)) {
            None if !self.standing.is_empty() => {
                add(&format!("Standing orders no longer in force: {}.", counted(&self.standing)), 1, true);
            }
            Some(1..) => {
                add("The standing orders that you left there are no longer in force; leave them again.", 1, true);
            }
            _ => {}
        }
        let rolled = self.dice.len();
        if rolled > 0 {
            add(&format!("Dice of {rolled} {}:", if rolled == 1 { "step" } else { "steps" }), 1, false);
            for seen in &self.dice {
                add(&format!("entry {}: {}", seen.n, seen.what), 2, true);
            }
        }
        if !self.shown.is_empty() {
            add("Cards shown:", 1, false);
            for seen in &self.shown {
                let holder = if seen.seat.is_empty() { String::new() } else { format!(" (@{})", seen.seat) };
                add(&format!("entry {}: {}{holder}", seen.n, seen.what), 2, true);
            }
        }
        if !self.dealt.is_empty() {
            add(&format!("Hidden cards dealt: {}. They go back.", counted(&self.dealt)), 1, true);
        }
        for deck in &self.open_decks {
            let OpenDeck { deck, epoch, fresh_after } = deck;
            add(
                &format!(
                    "EVERY CARD of the deck {deck}, epoch {epoch}, is known to all: it was revealed in what is undone, and the cards \
                     stay where they were dealt, so everybody can read every hand of it."
                ),
                1,
                true,
            );
            let advice = match fresh_after {
                Some(n) => {
                    format!("A rewind to entry {n}, before the order after which it was shuffled, shuffles it again.")
                }
                None => "It was shuffled at the beginning of play, before which no rewind can go.".to_owned(),
            };
            add(&advice, 2, false);
        }
        let lines: usize = story.iter().map(|part| part.lines.len()).sum();
        if lines > 0 {
            add("As it was told:", 1, false);
        }
        let mut left = MOST_TOLD;
        let mut parts = Vec::new();
        for part in story {
            if left == 0 {
                break;
            }
            let lines = part.lines.iter().take(left).map(|line| seats.named(&line.text).into()).collect();
            parts.push(Part { under: seats.named(&part.under), lines });
            left = left.saturating_sub(part.lines.len());
        }
        if !parts.is_empty() {
            blocks.push(Block::Story { parts, level: 1, whole: false });
        }
        if lines > MOST_TOLD {
            let more = format!("... and {} lines more, which the journal keeps.", lines - MOST_TOLD);
            blocks.push(Block::paragraph(more, 3));
        }
        Section::headed("WHAT WAS LEARNED IN WHAT IS UNDONE", blocks)
    }

    /// Returns the players whose orders are undone, as a list in words.
    #[must_use]
    pub fn whose(&self, seats: &Players) -> String {
        list_and(&self.orders.keys().map(|&seat| seats.called(seat)).collect::<Vec<_>>())
    }
}
