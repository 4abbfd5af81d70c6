//! Shaman Cards that equip the US permanently (9.2J, BB, CC).

use super::super::{State, T, card::Card};

/// The first Turn in which the Springfield Rifle can be played (9.2BB).
pub const SPRINGFIELD_TURN: u8 = 3;

/// Allows the US to take one Gatling each Turn as one of its Artillery markers (9.2J).
pub fn gatling_guns(t: &T, g: &mut State) {
    g.fx.gatlings = true;
    g.removed.push(Card::GatlingGuns);
    t.tell(|| "From now on the US may take a Gatling as one of its Artillery markers each Turn.".to_owned());
}

/// Adds 1 to all US DRs on the Battle Table (9.2BB).
pub fn springfield_rifle(t: &T, g: &mut State) {
    g.fx.springfield = true;
    g.removed.push(Card::SpringfieldRifle);
    t.tell(|| "From now on the US adds 1 to all its Battle DRs.".to_owned());
}

/// Allows reactions into adjacent Areas (9.2CC).
pub fn telegraph(t: &T, g: &mut State) {
    g.fx.telegraph = true;
    g.removed.push(Card::Telegraph);
    t.tell(|| "From now on Columns may React into adjacent Areas, with 1 added to the DR.".to_owned());
}
