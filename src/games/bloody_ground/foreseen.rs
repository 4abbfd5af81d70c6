//! Every question of the game with all its possible choices, so that orders can be read before they
//! are asked for.

use super::{
    Ask, BloodyGround, Order, State,
    action::Act,
    asking::{Asking, Named, Place},
    battle, combat,
    components::Side,
    leaders::Entry,
    placing::{Item, Lots},
    ranking::Ranking,
    reaction::React,
    settlers,
    state::Spot,
};
use postrider_orders::{Misread, Phrase};
use postrider_table::{
    AnyPrompt, Candidate, Choice, Description, NO, Pick, Prompt, Refusal, Seat, YES, foresee, refuse,
};
use std::{collections::BTreeSet, rc::Rc};

type Foreseen = Box<dyn AnyPrompt<BloodyGround>>;

/// Returns one question of each kind, with every choice that it could list.
pub fn foreseen(g: &State, seat: Seat) -> Vec<Foreseen> {
    let Some(side) = Side::ALL.into_iter().find(|&side| g.seat(side) == seat) else { return Vec::new() };
    let mut all: Vec<Foreseen> = vec![foresee(Act { side }), foresee(React::of(side))];
    all.extend(put(g, side));
    all.extend(picked(g, side));
    all.extend(match side {
        Side::Us => of_the_us(g),
        Side::Na => of_the_nations(g),
    });
    all.extend(on_the_board(g));
    all
}

/// Returns the questions in which pieces are placed.
fn put(g: &State, side: Side) -> Vec<Foreseen> {
    let kinds = || g.c.kind_ids().filter(|&kind| g.c[kind].class.side() == side).map(|kind| g.c[kind].id.clone());
    let leaders = || g.c.leader_ids().filter(|&l| g.c[l].side == side).map(|l| g.c[l].name.clone());
    let areas: Vec<String> = g.c.area_ids().map(|a| g.c[a].id.clone()).collect();
    let with = |more: &[&str]| areas.iter().cloned().chain(more.iter().map(|&place| place.to_owned())).collect();
    let routed = kinds().map(|kind| format!("routed-{kind}"));
    let sheltered = kinds().chain(leaders()).chain(routed).collect();
    let pieces: Vec<String> = kinds().chain(leaders()).collect();
    let settled = ["settler", "village", "fort"].map(str::to_owned);
    let set_up = pieces.iter().cloned().chain(settled.into_iter().filter(|_| side == Side::Us)).collect();
    let units = g.c.kind_ids().flat_map(|kind| (1..=g.c[kind].count).map(move |n| format!("{} {n}", g.c[kind].id)));
    let fight = units.chain(["walls 1", "walls 2"].map(str::to_owned)).collect();
    let walled = kinds().chain(["walls".to_owned()]).collect();
    let relocated = pieces.iter().cloned().chain(["settler".to_owned()]).collect();
    vec![
        lots(Ask::BattleRelocate, "10.7.1", relocated, areas.clone()),
        lots(Ask::BattleSetUp, "10.2", pieces, battle::hexes(g)),
        lots(Ask::Muster, "8.3.2", kinds().collect(), with(&["edge"])),
        lots(Ask::Pairing, "11.1", walled, fight),
        lots(Ask::SetUp, "15", set_up, areas.clone()),
        lots(Ask::Shelter, "10.7", sheltered, vec!["fort".to_owned()]),
        lots(Ask::Supply, "7.0.1", kinds().collect(), with(&["out-of-supply"])),
    ]
}

/// Returns the questions with one choice that both sides are asked.
fn picked(g: &State, side: Side) -> Vec<Foreseen> {
    let leaders = || {
        let own = g.c.leader_ids().filter(move |&l| g.c[l].side == side);
        own.map(|l| Named::new(g.c[l].name.clone(), ())).collect::<Vec<_>>()
    };
    let entries = g.c.area_ids().map(Spot::On).chain([Spot::Edge]).map(Entry).collect();
    let numbers = 1..=u8::try_from(g.unit_ids().count()).unwrap_or(u8::MAX);
    vec![
        pick(Ask::Assault, "11.3.2", combat::SIEGE_OR_ASSAULT.to_vec()),
        pick(Ask::Assault, "11.3.2", combat::AGREE_OR_REFUSE.to_vec()),
        pick(Ask::BattlePrimary, "10.7.1", leaders()),
        pick(Ask::Combat, "4.5", places(g)),
        pick(Ask::CombatKind, "11.1", combat::BATTLE_OR_SKIRMISH.to_vec()),
        pick(Ask::MilitiaLeader, "14.0.7", entries),
        pick(Ask::PairOrder, "11.1.1", numbers.collect()),
        pick(Ask::Retreat, "11.1.2", places(g)),
        pick(
            Ask::Loss,
            "12.0.3",
            g.c.kind_ids()
                .filter(|&kind| g.c[kind].class.side() == side)
                .map(|kind| super::raid::lost_of_kind(g, kind))
                .collect(),
        ),
    ]
}

fn of_the_us(g: &State) -> Vec<Foreseen> {
    let areas = || g.c.area_ids().map(|a| g.c[a].id.clone()).collect::<Vec<_>>();
    let kinds: Vec<String> =
        g.c.kind_ids().filter(|&kind| g.c[kind].class.side() == Side::Us).map(|kind| g.c[kind].id.clone()).collect();
    let nations = || g.c.nation_ids().map(|n| g.c[n].name.clone());
    let named = |name: String| Named::new(name, ());
    let leaders = || g.c.leader_ids().filter(|&l| g.c[l].side == Side::Us).map(|l| named(g.c[l].name.clone()));
    let edge = areas().into_iter().chain(["edge".to_owned()]).collect();
    let refugees = g.c.area_ids().map(|a| settlers::refugee(g, a));
    let settlers = ["village", "settler", "ohio-settler", "eastern-settler"].map(str::to_owned);
    vec![
        lots(Ask::Settlers, "6.0.1", settlers.into_iter().chain(refugees).collect(), areas()),
        lots(Ask::Pledge, "8.4.2", kinds.clone(), areas()),
        lots(Ask::Removal, "8.4.2", kinds, edge),
        lots(Ask::Treaties, "8.6.3", vec!["treaty".to_owned()], nations().collect()),
        pick(Ask::Event, "5.0", nations().map(named).collect()),
        pick(Ask::Group, "8.5.2", vec![NO, YES]),
        pick(Ask::MilitiaLeader, "14.0.7", leaders().chain([named("no".to_owned())]).collect()),
        pick(Ask::Primary, "9.1.1", leaders().collect()),
        pick(Ask::Removal, "14.0.8", leaders().collect()),
        pick(Ask::Settlers, "6.0.2", places(g)),
    ]
}

fn of_the_nations(g: &State) -> Vec<Foreseen> {
    let areas = || g.c.area_ids().map(|a| g.c[a].id.clone());
    let warriors = || g.c.nation_ids().map(|n| g.c[g.c.warriors(n)].id.clone());
    let leaders = || g.c.leader_ids().filter(|&l| g.c[l].side == Side::Na).map(|l| g.c[l].name.clone());
    let british = g.c.kind_ids().filter(|&kind| g.c[kind].class.is_british()).map(|kind| g.c[kind].id.clone());
    let british = british.chain([g.c[g.named("Dorchester")].name.clone()]).collect();
    let nations = g.c.nation_ids().map(|n| Named::new(g.c[n].name.clone(), ())).collect();
    let armed = areas().chain(["edge".to_owned()]).chain(battle::hexes(g)).collect();
    vec![
        foresee(Ranking { among: g.c.nation_ids().collect() }),
        lots(Ask::Event, "14.0.2", warriors().collect(), armed),
        lots(Ask::Gather, "8.1", vec!["warrior".to_owned()], areas().collect()),
        lots(Ask::Home, "12.0.4", warriors().chain(leaders()).collect(), areas().collect()),
        lots(Ask::Loss, "14.0.5", warriors().collect(), areas().collect()),
        lots(Ask::BritishEntry, "8.5.3", british, areas().collect()),
        pick(Ask::Event, "5.0", nations),
        pick(Ask::Event, "14.0.4", places(g)),
        pick(Ask::RaidOrder, "12.0.2", places(g)),
        pick(Ask::Rating, "8.1.1", vec![YES, NO]),
        pick(Ask::Rating, "14.0.3", leaders().map(|name| Named::new(name, ())).collect()),
    ]
}

/// Returns the battle questions with every piece of the game, because the participants are not
/// known in advance.
fn on_the_board(g: &State) -> Vec<Foreseen> {
    let words = |all: BTreeSet<String>| all.into_iter().map(|name| Named::new(name, ())).collect::<Vec<_>>();
    let units = || words(battle::unit_words(g));
    let ways = || words(battle::way_words(g));
    let letters = g.charts.boards.iter().flat_map(|board| &board.letters).map(|(letter, _)| letter.to_string());
    let letters: BTreeSet<String> = letters.collect();
    let letters = words(letters).into_iter().map(|letter| {
        let alias = format!("hex {}", letter.name);
        letter.or(alias)
    });
    let mut all: Vec<Foreseen> =
        battle::GRAMMARS.iter().map(|&(kind, grammar)| foresee(OnBoard { kind, grammar })).collect();
    all.extend([
        pick(Ask::BattleLeader, "10.5.3", ways()),
        foresee(Pick::new(Ask::BattleLoss, "10.6.1", "", units()).verbs(&["we lose", "lose"])),
        pick(Ask::BattleRetreat, "10.6", ways()),
        pick(Ask::BattleHex, "10.2", letters.collect()),
        pick(Ask::BattleStack, "10.4.1", units()),
    ]);
    all
}

fn places(g: &State) -> Vec<Place> {
    g.c.area_ids().map(Place).collect::<Vec<_>>()
}

fn pick<C: Candidate<BloodyGround>>(kind: Ask, rule: &'static str, among: Vec<C>) -> Foreseen {
    foresee(Pick::new(kind, rule, "", among))
}

/// Returns a question that places any number of each thing at any of the places.
fn lots(kind: Ask, rule: &'static str, what: Vec<String>, at: Vec<String>) -> Foreseen {
    let places: Rc<[(String, u8)]> = at.into_iter().map(|at| (at, u8::MAX)).collect();
    let items = what.into_iter().map(|what| Item { what, n: u8::MAX, places: places.clone(), must: false });
    foresee(Lots::new(Asking { kind, rule, title: "" }, items.collect()))
}

/// A battle question that can be read outside a battle.
struct OnBoard {
    kind: Ask,
    grammar: battle::Words,
}

impl Prompt<BloodyGround> for OnBoard {
    type Answer = ();
    fn kind(&self) -> Ask {
        self.kind
    }
    fn accept(&self, _: &State, _: Seat, _: &Order) -> Result<(), Refusal> {
        refuse("10.1", "This is asked in a battle.")
    }
    fn describe(&self, _: &State, _: Seat) -> Description {
        Description::new("", "10.1")
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        match g.fight.as_ref().map(|_| (self.grammar)(g).whole(said)) {
            Some(Ok(order)) => Ok(order),
            // Pieces that are set up later are not in the battle yet.
            _ => (self.grammar)(&battle::imagined(g)).whole(said),
        }
    }
    fn options(&self, _: &State, _: Seat) -> Vec<Choice<Order>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::war;
    use postrider_table::Kind as _;

    #[test]
    fn every_kind_of_question_is_foreseen() {
        let g = war();
        let kinds =
            |seat: u8| foreseen(&g, Seat(seat)).into_iter().map(|prompt| prompt.kind()).collect::<BTreeSet<_>>();
        let both: BTreeSet<Ask> = kinds(0).union(&kinds(1)).copied().collect();
        assert_eq!(both, Ask::ALL.iter().copied().collect());
    }

    #[test]
    fn orders_of_a_battle_are_read_before_it_begins() {
        let g = war();
        let reads = |words: &str| {
            let all = foreseen(&g, Seat(0)).into_iter();
            let mut reading = all.filter(|prompt| prompt.read(&g, Seat(0), &Phrase::new(words)).is_ok());
            reading.next().map(|prompt| prompt.kind())
        };
        assert_eq!(reads("fire at disrupted, else nearest from 2 in 6"), Some(Ask::BattleFire));
        assert_eq!(reads("attack wherever odds are 2-1"), Some(Ask::BattleMelee));
        assert_eq!(reads("regular 3 0809-0808, harmar 0809"), Some(Ask::BattleMove));
        assert_eq!(reads("rally regular 2"), Some(Ask::BattleRally));
        assert_eq!(reads("fire at moose"), None);
    }
}
