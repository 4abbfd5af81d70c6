//! Help for directors.

use postrider_letters::{Block, Section};
use postrider_table::Ruleset;

/// Directors' orders and their effects.
const ORDERS: [(&str, &str); 19] = [
    ("status", "all games that you direct: whom each waits for, and open appeals"),
    ("log 30", "the last entries"),
    ("docket 30", "the last decisions: when each came in, how, its words and what came of it"),
    ("ledger 30", "the last changes of VPs, each with its rule"),
    ("show at turn 4 round 2", "the position, as everybody sees it; `show` for the present one"),
    ("adjudicate", "how bots would play on; `adjudicate at turn 4 round 2` from there"),
    ("rule EFFECT: MEMBER=VALUE, MEMBER=VALUE: reason", "a ruling with an effect on the position"),
    ("rule on 41: reason", "a ruling in words alone, here on the appeal of entry 41"),
    ("rewind to turn 4 round 2: reason", "play goes on from there; also `rewind to entry 41: reason`"),
    (
        "result anna 1, ben 2: reason",
        "the game ends with these places; `result draw: reason`; `result anna 1, ben 2 as adjudicated: reason` has rollouts recorded",
    ),
    ("abandon: reason", "the game ends without a result"),
    ("reopen: reason", "a game that was ended before its last Turn goes on"),
    ("extend ben 2 days: reason", "more time for what is asked of a player now"),
    ("pause: reason", "stops all deadlines; `resume` restarts them"),
    ("stand-in carl steady", "a bot plays for a player; `stand-in carl off` ends it"),
    ("reseat carl to Emil <emil@example.net>", "a seat gets another player"),
    ("warn ben: text", "a warning that all players read"),
    ("tell ben: text", "a message to a player alone; `tell all: text`"),
    ("new token", "earlier letters to you become void"),
];

/// Explains directors' orders in games of these rules.
pub(crate) fn help(rules: &dyn Ruleset) -> Section {
    let mut blocks = vec![Block::paragraph("Orders of a director, a line each:", 0)];
    blocks.extend(ORDERS.map(|(order, does)| Block::Entry { text: format!("`{order}`: {does}"), details: Vec::new() }));
    let effects = rules.effects();
    if !effects.is_empty() {
        blocks.push(Block::paragraph("Effects of rulings in this game, with their members:", 0));
        let entry = |(name, members)| Block::Entry { text: format!("`{name}`: {members}"), details: Vec::new() };
        blocks.extend(effects.into_iter().map(entry));
    }
    blocks.push(Block::paragraph(
        "An order that changes the game, one in a mail, is answered by what it would do, and done when you reply `yes`. If a line \
         is not understood, nothing of the mail is done.",
        0,
    ));
    Section::of(blocks)
}
