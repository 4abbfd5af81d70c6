//! The position of a game: what lies on the map, in the cups, on the Tally Sheets and in the hands.

mod events;
mod offers;
mod solo;

pub use self::{
    events::Events,
    offers::{Desk, Offer},
    solo::{Solo, TribalCard},
};
use super::{
    card::Card,
    components::*,
    tally::Tally,
    variant::{Scenario, Variant},
};
use postrider_table::Seat;
use std::sync::Arc;

/// Everything there is to know about a position.
#[derive(Clone, Debug)]
pub struct State {
    /// What lies in the box.
    pub c: Arc<Components>,
    /// Which game of the box this is.
    pub variant: Variant,
    /// How many play, the US player among them; the two hats of a Solitaire Game count as two (11.3).
    pub players: u8,
    /// The Turn, 4 to 7 in the Basic Game, 1 to 8 in the Campaign Game.
    pub turn: u8,
    /// First and last Turn of this game.
    pub turns: (u8, u8),
    /// The Round within the Turn, from 1; 0 before the Card Play Phase.
    pub round: u32,
    /// Where in the Turn the game stands (4.1).
    pub phase: Phase,
    /// Whose Round it is.
    pub active: Option<Seat>,
    /// Who plays the US this Turn, and who did in the Turn before.
    pub us: Seat,
    pub us_before: Option<Seat>,
    /// How many Turns running `us_before` has played the US; the Campaign Game asks for it (3.3).
    pub us_in_a_row: u8,
    /// Tally Sheets, by seat.
    pub tally: Vec<Tally>,
    /// By [`AreaId`].
    pub areas: Vec<AreaState>,
    /// By [`VillageId`].
    pub villages: Vec<VillageState>,
    /// By [`ChiefId`].
    pub chiefs: Vec<ChiefState>,
    /// By [`TribeId`]: the Tribal Cards.
    pub tribes: Vec<TribeState>,
    /// The Chiefs of each seat for the second Teton Village this Turn, should it hold the Sioux;
    /// `None` for a seat that was not asked (6.51).
    pub divisions: Vec<Option<Vec<ChiefId>>>,
    /// War Parties on the map.
    pub parties: Vec<WarParty>,
    /// Tribal Alliances of this Turn (6.75).
    pub alliances: Vec<Alliance>,
    /// Columns on the map.
    pub columns: Vec<Column>,
    /// The US Reserve (5.344).
    pub reserve: Reserve,
    /// Commanders by [`CommanderId`]: where each is.
    pub commanders: Vec<CommanderPlace>,
    /// Shaman Cards in hand, by seat; hidden from the others.
    pub hands: Vec<Vec<Held>>,
    /// Shaman Cards played or discarded this Turn, for all to see.
    pub pile: Vec<(Seat, Card, Use)>,
    /// Shaman Cards out of the game (9.12).
    pub removed: Vec<Card>,
    /// Which shuffle of each deck is in use this Turn.
    pub shaman_epoch: u32,
    pub tribal_epoch: u32,
    /// How many Shaman Cards each seat was dealt this Turn, and so how many Rounds there are (4.4).
    pub dealt: u32,
    /// What Shaman Cards have in effect.
    pub fx: Effects,
    /// What random events have in effect (12.1).
    pub events: Events,
    /// Mines not yet drawn.
    pub mine_cup: Vec<MineId>,
    /// The Turn in which the Transcontinental Railroad was completed (5.241).
    pub transcontinental: Option<u8>,
    /// Areas that must get the first RR markers (11.12); empty in the Basic Game.
    pub rr_due: Vec<AreaId>,
    /// US Rounds since the start of the game, for Column Plays (5.33).
    pub us_rounds: u32,
    /// Treaties offered and signed (8.11).
    pub desk: Desk,
    /// The decks of the Solitaire Game (11.3).
    pub solo: Solo,
    /// Next numbers for Columns and War Parties.
    pub next_column: u16,
    pub next_party: u16,
    /// Set when the last Turn has been scored.
    pub finished: bool,
}

/// Where in the Turn the game stands (4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    SetUp,
    Sides,
    Cards,
    Order,
    CardPlay,
    Survival,
    Statehood,
    EndOfTurn,
}

impl Phase {
    /// The rulebook's name of the phase.
    pub fn name(self) -> &'static str {
        match self {
            Phase::SetUp => "Set-up",
            Phase::Sides => "Player/Side Determination",
            Phase::Cards => "Card Distribution",
            Phase::Order => "Player Order Determination",
            Phase::CardPlay => "Card Play Rounds",
            Phase::Survival => "Survival Phase",
            Phase::Statehood => "Statehood Phase",
            Phase::EndOfTurn => "End of Turn",
        }
    }
}

/// What lies in one Area.
#[derive(Clone, Debug, Default)]
pub struct AreaState {
    pub settlements: i32,
    pub towns: i32,
    /// Unbroken and Broke RR markers.
    pub rrs: i32,
    pub broke: i32,
    pub mines: Vec<MineState>,
    /// `true` if it is a State.
    pub state: bool,
    pub mission: bool,
    /// Massacre markers of this Turn.
    pub massacres: i32,
    pub weather: Option<Weather>,
    pub skulls: i32,
}

impl AreaState {
    /// Town and Settlement Resource Points (5.24).
    pub fn town_points(&self) -> i32 {
        self.settlements + 5 * self.towns
    }
    /// RR markers, Broke or not.
    pub fn all_rrs(&self) -> i32 {
        self.rrs + self.broke
    }
}

#[derive(Clone, Copy, Debug)]
pub struct MineState {
    pub id: MineId,
    /// Attacked with success this Turn (7.26).
    pub hit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weather {
    Good,
    Bad,
}

impl Weather {
    /// Survival Points that the marker gives or takes (6.62, 9.2E, 9.2L).
    pub fn points(self) -> i32 {
        match self {
            Weather::Good => 2,
            Weather::Bad => -2,
        }
    }
}

/// Where a Village is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Area(AreaId),
    /// Across the border (6.23); `from` is the Area it left.
    Mexico {
        from: AreaId,
    },
    Canada {
        from: AreaId,
    },
    /// On Reservation; `from` is the Area it left (8.12).
    Reservation {
        from: AreaId,
    },
    Extinct,
}

#[derive(Clone, Debug)]
pub struct VillageState {
    pub place: Place,
    /// BPs in the Village itself (or with it across the border, or On Reservation); those of War Parties stand there.
    pub bps: i32,
    /// Actions taken this Turn (6.8).
    pub actions: u8,
    /// On its "Finished" side.
    pub finished: bool,
    /// Smallpox has flipped it this Turn (9.2AA), which the Solitaire Game asks for (6.64, 11.37).
    pub smallpox: bool,
    /// Strength of its Devastated marker, 0 to 3 (7.41).
    pub devastation: i32,
    pub peace_chief: bool,
    pub blood_lust: bool,
    pub shaman_medicine: bool,
    pub scouting: bool,
    /// Back from the Reservation this Turn: on the map, but not active until its card is dealt (8.24).
    pub dormant: bool,
    /// Tribes whose War Parties have attacked this Tribe's Villages or War Parties this Turn (6.33).
    pub attacked_by: TribeSet,
    /// War Parties sent out this Turn (6.32).
    pub parties_sent: u8,
    /// `true` if a War Party of it has gone home this Turn (6.32).
    pub party_returned: bool,
    /// The Treaty under which it went On Reservation this Turn (8.13).
    pub treaty: Option<Treaty>,
    /// The number of the Round in which it was last attacked (7.34); 0: not this Turn.
    pub attacked_in: u32,
}

impl VillageState {
    /// A Village at the start of a Turn: no actions taken, no markers on it.
    pub fn new(place: Place, bps: i32) -> VillageState {
        VillageState {
            place,
            bps,
            actions: 0,
            finished: false,
            smallpox: false,
            devastation: 0,
            peace_chief: false,
            blood_lust: false,
            shaman_medicine: false,
            scouting: false,
            dormant: false,
            attacked_by: TribeSet::new(),
            parties_sent: 0,
            party_returned: false,
            treaty: None,
            attacked_in: 0,
        }
    }
}

/// A Treaty signed this Turn (8.12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Treaty {
    pub with: Seat,
    /// VPs the Indian player got.
    pub vps: i32,
    /// VPs lost since to Agency Corruption (8.22).
    pub lost: i32,
}

#[derive(Clone, Debug, Default)]
pub struct ChiefState {
    pub killed: bool,
    pub prison: bool,
    /// With which Teton Village this Turn (6.51).
    pub assigned: Option<VillageId>,
    /// The War Party he is with.
    pub with: Option<PartyId>,
    /// Already sent out with a War Party this Turn (6.53).
    pub used: bool,
}

/// A Tribal Card.
#[derive(Clone, Debug, Default)]
pub struct TribeState {
    /// Who holds it this Turn; hidden from the others until it is revealed.
    pub holder: Option<Seat>,
    pub revealed: bool,
    /// Its position in this Turn's Tribal Deck, if it lies there or was dealt from there.
    pub pos: Option<usize>,
    /// `true` if the Teton Chiefs have been divided this Turn when the card was shown (6.51); only
    /// the Sioux use it.
    pub divided: bool,
}

/// A War Party's number, unique over the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartyId(pub u16);

#[derive(Clone, Debug)]
pub struct WarParty {
    pub id: PartyId,
    pub village: VillageId,
    /// First or second of its Village this Turn; players name it so.
    pub no: u8,
    pub bps: i32,
    pub area: AreaId,
    pub chiefs: Vec<ChiefId>,
    /// Actions of the Turn that this War Party has taken.
    pub actions: u8,
    /// The Round in which it was last attacked by anybody (7.34).
    pub attacked_in: u32,
    /// Sent out after its Village lost its horses: it acts in the Village's Area only (12.13).
    pub on_foot: bool,
}

/// Tribes combined by a Tribal Alliances card, for the rest of the Turn (6.75).
#[derive(Clone, Debug)]
pub struct Alliance {
    /// Who played the card: he commands, and earns the VPs (6.76).
    pub leader: Seat,
    pub villages: Vec<VillageId>,
    /// War Parties that stand together now.
    pub parties: Vec<PartyId>,
}

/// A Column's number, unique over the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColumnId(pub u16);

#[derive(Clone, Debug)]
pub struct Column {
    pub id: ColumnId,
    /// `None` only between the end of a Turn and the next draw (5.39).
    pub commander: Option<CommanderId>,
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
    pub area: AreaId,
    pub in_fort: bool,
    /// The US Round (counted over the game) in which it was last played; 0: never (5.33).
    pub played_in: u32,
    /// Columns that stay together after a coordinated attack share a number (5.723).
    pub group: Option<u16>,
    /// The Round in which it was last attacked (7.34).
    pub attacked_in: u32,
}

/// The US Reserve (5.344).
#[derive(Clone, Copy, Debug, Default)]
pub struct Reserve {
    pub bps: i32,
    pub guns: i32,
    pub gatlings: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommanderPlace {
    Cup,
    Reserve,
    Column(ColumnId),
    Dead,
}

/// A Shaman Card in hand.
pub type Held = postrider_table::Held<Card>;

/// What became of a Shaman Card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Played,
    Discarded,
}

/// How far the American Civil War is (9.2A). In the Basic Game it is over (3.42).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CivilWar {
    #[default]
    ToCome,
    /// In effect until the end of this Turn.
    Now,
    Over,
}

/// Whether a Shaman Card that could have had an effect has come to nothing (9.13, 9.14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vain {
    #[default]
    No,
    /// It was its player's choice, but nobody else can tell: he is asked like one whose card came to nothing (9.2Y).
    ByChoice,
    Yes,
}

/// What Shaman Cards have in effect, for the Turn or for good.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// 9.2R; cancelled by an Indian-led Massacre, Agency Corruption or the Civil War.
    pub peace_policy: bool,
    /// 9.2W.
    pub reform_movement: bool,
    /// 9.2HH.
    pub winter_campaigning: bool,
    /// An Indian-led Massacre has occurred this Turn (9.2S).
    pub indian_massacre: bool,
    /// 9.2I: no Raids and Relocations into Mexico for the rest of the Turn.
    pub mexico_closed: bool,
    /// The last Raid into Mexico, while Federales may still answer it (9.2I).
    pub mexico_raid: Option<MexicoRaid>,
    /// 9.2C: the seat whose attacks count double this Round.
    pub atrocity: Option<Seat>,
    /// 9.2V: this Round's War Party attacks twice.
    pub rampage: bool,
    /// Whether the card just played came to nothing after all, which allows a random event (12.1).
    pub vain: Vain,
    /// 9.2BB, for good.
    pub springfield: bool,
    /// 9.2J, for good.
    pub gatlings: bool,
    /// 9.2CC, for good; in the Basic Game from the start (3.42).
    pub telegraph: bool,
    /// 9.2DD, for good.
    pub land_rush: bool,
    /// 9.2A: it comes once, for one Turn.
    pub civil_war: CivilWar,
    /// 9.2DD before the Civil War: no more Columns come into Kansas this Turn, or out of its Fort.
    pub bloody_kansas: bool,
    /// 9.2O: the US owes a Mormon Column in its next Round with a card played.
    pub mormons_due: bool,
    /// 9.2O: the Mormon Column of this Turn; it may be gone from the map.
    pub mormon_column: Option<ColumnId>,
}

/// A Raid into Mexico that Federales may still answer (9.2I).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MexicoRaid {
    pub raider: Seat,
    /// What it earned; 0 if it failed.
    pub vps: i32,
}

impl State {
    /// 11.2: two players, and nobody wears two hats.
    pub fn two_players(&self) -> bool {
        self.variant.two_players(self.players)
    }
    /// How many Indian players there are; so many Columns the US may play a Round (5.33).
    pub fn indians(&self) -> i32 {
        i32::from(self.players) - 1
    }
    /// All seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.players).map(Seat)
    }
    /// The Indian players' seats in order.
    pub fn indian_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let us = self.us;
        self.seats().filter(move |&s| s != us)
    }
    /// The seat that follows clockwise.
    pub fn after(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.players)
    }
    pub fn area(&self, a: AreaId) -> &AreaState {
        &self.areas[a.index()]
    }
    pub fn area_mut(&mut self, a: AreaId) -> &mut AreaState {
        &mut self.areas[a.index()]
    }
    pub fn village(&self, v: VillageId) -> &VillageState {
        &self.villages[v.index()]
    }
    pub fn village_mut(&mut self, v: VillageId) -> &mut VillageState {
        &mut self.villages[v.index()]
    }
    /// All Areas.
    pub fn area_ids(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.areas.len() as u8).map(AreaId)
    }
    /// All Villages, wherever they are.
    pub fn village_ids(&self) -> impl Iterator<Item = VillageId> + use<> {
        (0..self.villages.len() as u8).map(VillageId)
    }
    /// The Area in which a Village stands, if it is on the map.
    pub fn area_of(&self, v: VillageId) -> Option<AreaId> {
        match self.village(v).place {
            Place::Area(a) => Some(a),
            _ => None,
        }
    }
    /// Neither Extinct nor On Reservation (5.46).
    pub fn in_play(&self, v: VillageId) -> bool {
        matches!(self.village(v).place, Place::Area(_) | Place::Mexico { .. } | Place::Canada { .. })
    }
    /// `true` if any Village of the Tribe is in play: its Tribal Card is in the deck.
    pub fn tribe_in_play(&self, tribe: TribeId) -> bool {
        self.c[tribe].villages.iter().any(|&v| self.in_play(v))
    }
    /// Villages that stand in an Area.
    pub fn villages_in(&self, a: AreaId) -> impl Iterator<Item = VillageId> + '_ {
        self.village_ids().filter(move |&v| self.area_of(v) == Some(a))
    }
    /// The player of a Village this Turn: its Tribal Card is in that hand and it did not come back
    /// from the Reservation since.
    pub fn player_of(&self, v: VillageId) -> Option<Seat> {
        let state = self.village(v);
        if state.dormant || !self.in_play(v) { None } else { self.tribes[self.c[v].tribe.index()].holder }
    }
    /// As [`State::player_of`], but only what everybody knows.
    pub fn known_player_of(&self, v: VillageId) -> Option<Seat> {
        self.player_of(v).filter(|_| self.tribes[self.c[v].tribe.index()].revealed)
    }
    pub fn party(&self, id: PartyId) -> Option<&WarParty> {
        self.parties.iter().find(|p| p.id == id)
    }
    pub fn party_mut(&mut self, id: PartyId) -> Option<&mut WarParty> {
        self.parties.iter_mut().find(|p| p.id == id)
    }
    /// War Parties of a Village.
    pub fn parties_of(&self, v: VillageId) -> impl Iterator<Item = &WarParty> + '_ {
        self.parties.iter().filter(move |p| p.village == v)
    }
    /// BPs of a Village and its War Parties together.
    pub fn total_bps(&self, v: VillageId) -> i32 {
        self.village(v).bps + self.parties_of(v).map(|p| p.bps).sum::<i32>()
    }
    pub fn column(&self, id: ColumnId) -> Option<&Column> {
        self.columns.iter().find(|k| k.id == id)
    }
    pub fn column_mut(&mut self, id: ColumnId) -> Option<&mut Column> {
        self.columns.iter_mut().find(|k| k.id == id)
    }
    /// Columns of an Area.
    pub fn columns_in(&self, a: AreaId) -> impl Iterator<Item = &Column> + '_ {
        self.columns.iter().filter(move |k| k.area == a)
    }
    /// `true` if a Chief can be used this Turn (6.51): his Turn, alive, free.
    pub fn chief_available(&self, chief: ChiefId) -> bool {
        let state = &self.chiefs[chief.index()];
        self.c[chief].available_in(self.turn) && !state.killed && !state.prison
    }
    /// The Village that a Chief belongs to this Turn.
    pub fn chief_village(&self, chief: ChiefId) -> Option<VillageId> {
        self.c[chief].village.or(self.chiefs[chief.index()].assigned)
    }
    /// Available Chiefs of a Village, with it or out with War Parties.
    pub fn chiefs_of(&self, v: VillageId) -> impl Iterator<Item = ChiefId> + '_ {
        let all = (0..self.chiefs.len() as u8).map(ChiefId);
        all.filter(move |&h| {
            self.c[h].tribe == self.c[v].tribe && self.chief_village(h) == Some(v) && self.chief_available(h)
        })
    }
    /// Available Chiefs who are in the Village itself.
    pub fn chiefs_at(&self, v: VillageId) -> impl Iterator<Item = ChiefId> + '_ {
        self.chiefs_of(v).filter(|h| self.chiefs[h.index()].with.is_none())
    }
    /// Resource Points in an Area that count for Survival and Statehood: all but Broke RRs (5.2, 6.62, 10.21).
    pub fn resource_points(&self, a: AreaId) -> i32 {
        let area = self.area(a);
        let mines: i32 = area.mines.iter().map(|m| self.c[m.id].value).sum();
        area.town_points() + RR_POINTS * area.rrs + mines
    }
    /// Buffalo Skull markers in the box (9.2G).
    pub fn skulls_left(&self) -> i32 {
        SKULLS - self.areas.iter().map(|area| area.skulls).sum::<i32>()
    }
    /// Survival Points available in an Area, never below zero (6.62).
    pub fn survival_points(&self, a: AreaId) -> i32 {
        self.raw_survival_points(a).max(0)
    }
    /// Survival Points before they are cut off at zero: Buffalo Skulls ask for positive ones (9.2G).
    pub fn raw_survival_points(&self, a: AreaId) -> i32 {
        let area = self.area(a);
        let weather = area.weather.map_or(0, Weather::points);
        self.c[a].survival - self.resource_points(a) + weather - 2 * area.skulls
    }
    /// 6.8: how many actions a Village has in a Turn. In the Solitaire Game it is one, in the Round of its Tribe, but two for
    /// Villages of an Alliance (11.36, 11.37).
    pub fn most_actions(&self, v: VillageId) -> u8 {
        if self.variant.solitaire && !self.alliances.iter().any(|a| a.villages.contains(&v)) { 1 } else { 2 }
    }
    /// Adds (or takes) VPs, which the Solitaire Game does without (11.31).
    pub fn score(&mut self, seat: Seat, vps: i32) {
        if !self.variant.solitaire {
            self.tally[seat.index()].vps += vps;
        }
    }
    /// `: 2 VPs for @A (US)`, to end a sentence with; nothing where there are no VPs (11.31).
    pub fn earning(&self, seat: Seat, vps: i32) -> String {
        self.scoring(|| format!(": {} for {}", postrider_table::vps(vps), self.who(seat)))
    }
    /// Words about VPs, where there are any (11.31).
    pub fn scoring(&self, words: impl FnOnce() -> String) -> String {
        if self.variant.solitaire { String::new() } else { words() }
    }
    /// An Area and its neighbours by name: what can be reached from there.
    pub fn near(&self, a: AreaId) -> String {
        let names: Vec<&str> =
            std::iter::once(a).chain(self.c[a].adjacent.iter().copied()).map(|a| self.c[a].name.as_str()).collect();
        postrider_orders::list_or(&names)
    }
    /// `@B (US)`, `@C (Indians)`: the office puts the player's name for the `@` word.
    pub fn who(&self, seat: Seat) -> String {
        format!("@{} ({})", self.chair(seat), self.side(seat))
    }
    /// The side that a seat plays this Turn, as players call it.
    pub fn side(&self, seat: Seat) -> &'static str {
        if seat == self.us { "US" } else { "Indians" }
    }
    /// The seat at the table to which a seat of the rules belongs: itself, but in the Solitaire Game both are hats of the one
    /// player there is (11.3).
    pub fn chair(&self, seat: Seat) -> Seat {
        if self.variant.solitaire { Seat(0) } else { seat }
    }
    /// The name of a Column: its Commander's.
    pub fn column_name(&self, id: ColumnId) -> &str {
        self.column(id).and_then(|k| k.commander).map_or("a Column without a Commander", |m| self.c[m].surname.as_str())
    }
    /// The Column that bears a Commander's surname.
    pub fn column_named(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|k| k.commander.is_some_and(|m| self.c[m].surname == name))
    }
    /// `Comanche`, or where a Village has sent two War Parties `Comanche 2`.
    pub fn party_name(&self, party: &WarParty) -> String {
        let name = &self.c[party.village].name;
        if party.no > 1 { format!("{name} {}", party.no) } else { name.clone() }
    }
    /// Puts a new War Party on the map; the Village must have the BPs. Chiefs go along.
    pub fn send_party(&mut self, village: VillageId, bps: i32, chiefs: &[ChiefId], area: AreaId) -> PartyId {
        let id = PartyId(self.next_party);
        self.next_party += 1;
        let on_foot = self.events.no_horses.contains(&village);
        let state = self.village_mut(village);
        state.bps -= bps;
        state.parties_sent += 1;
        let no = state.parties_sent;
        for chief in chiefs {
            let chief = &mut self.chiefs[chief.index()];
            chief.with = Some(id);
            chief.used = true;
        }
        self.parties.push(WarParty {
            id,
            village,
            no,
            bps,
            area,
            chiefs: chiefs.to_vec(),
            actions: 0,
            attacked_in: 0,
            on_foot,
        });
        id
    }
    /// Takes a War Party off the map: its BPs and Chiefs go home.
    pub fn bring_home(&mut self, id: PartyId) {
        let Some(at) = self.parties.iter().position(|p| p.id == id) else { return };
        let party = self.parties.remove(at);
        let village = self.village_mut(party.village);
        village.bps += party.bps;
        village.party_returned = true;
        for chief in party.chiefs {
            self.chiefs[chief.index()].with = None;
        }
        self.leave_alliance(id);
    }
    /// Takes a War Party out of the Alliance that combines it (6.75).
    pub fn leave_alliance(&mut self, id: PartyId) {
        self.alliances.iter_mut().for_each(|alliance| alliance.parties.retain(|&other| other != id));
    }
    /// `true` if this is the Campaign Game (11.1).
    pub fn is_campaign(&self) -> bool {
        self.variant.scenario == Scenario::Campaign
    }
}

/// What one RR marker is worth; the rules print it only in the sum of the example in 6.65 (house ruling 9).
pub const RR_POINTS: i32 = 2;
/// Buffalo Skull markers in the counter set (9.2G).
pub const SKULLS: i32 = 16;
/// The most Settlements of an Area: five become a Town (5.22).
pub const SETTLEMENTS: i32 = 5;
/// The most actions of a Village in a Turn (6.8).
pub const ACTIONS: u8 = 2;
/// Mission markers in the counter set (2.3, 9.2N).
pub const MISSIONS: usize = 3;
/// The most BPs of a single Column (5.31).
pub const COLUMN_BPS: i32 = 20;
/// More BPs than the US receives in a game, all of which may wait in the Reserve (4.23, 5.344).
pub const RESERVE_BPS: i32 = 999;
/// The most Artillery markers of a single Column (5.52).
pub const COLUMN_ARTILLERY: i32 = 3;
/// The strongest Devastated marker (7.41).
pub const DEVASTATION: i32 = 3;
/// More than all Devastated markers of a Village in a Turn come to: it is attacked once a Round, and may lose one more on the run.
pub const DEVASTATIONS: i32 = 255;
