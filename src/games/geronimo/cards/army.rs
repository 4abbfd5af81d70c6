//! Shaman Cards that equip the US for good (9.2J, BB, CC).

use super::super::{State, T, card::Card};

/// 9.2BB: the first Turn in which the Springfield Rifle can be played.
pub const SPRINGFIELD_TURN: u8 = 3;

/// 9.2J: from now on one of each Turn's Artillery markers may be a Gatling.
pub fn gatling_guns(t: &T, g: &mut State) {
    g.fx.gatlings = true;
    g.removed.push(Card::GatlingGuns);
    t.tell(|| "From now on the US may take a Gatling as one of its Artillery markers each Turn.".to_owned());
}

/// 9.2BB: +1 to all US DRs on the Battle Table.
pub fn springfield_rifle(t: &T, g: &mut State) {
    g.fx.springfield = true;
    g.removed.push(Card::SpringfieldRifle);
    t.tell(|| "From now on the US adds 1 to all its Battle DRs.".to_owned());
}

/// 9.2CC: reactions into adjacent Areas.
pub fn telegraph(t: &T, g: &mut State) {
    g.fx.telegraph = true;
    g.removed.push(Card::Telegraph);
    t.tell(|| "From now on Columns may React into adjacent Areas, with 1 added to the DR.".to_owned());
}
