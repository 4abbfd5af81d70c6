//! The position of a game: the map, the cups, the Tally Sheets and the hands.

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
    deal::shaman_hand,
    tally::Tally,
    variant::{Scenario, Variant},
};
use postrider_table::Seat;
use std::sync::Arc;

/// A complete position.
#[derive(Clone, Debug)]
pub struct State {
    /// The components.
    pub c: Arc<Components>,
    /// The scenario and options of this game.
    pub variant: Variant,
    /// Number of players including the US. The two hats of a Solitaire Game count as two (11.3).
    pub players: u8,
    /// The Turn: 4 to 7 in the Basic Game, 1 to 8 in the Campaign Game.
    pub turn: u8,
    /// The first and last Turn of this game.
    pub turns: (u8, u8),
    /// The Round within the Turn, from 1; 0 outside the Card Play Phase.
    pub round: u32,
    /// The phase of the Turn (4.1).
    pub phase: Phase,
    /// The player whose Round it is.
    pub active: Option<Seat>,
    /// The US players of this Turn and of the previous one.
    pub us: Seat,
    pub us_before: Option<Seat>,
    /// Number of consecutive Turns in which `us_before` has played the US, needed for the Campaign
    /// Game (3.3).
    pub us_in_a_row: u8,
    /// The Tally Sheets, by seat.
    pub tally: Vec<Tally>,
    /// Indexed by [`AreaId`].
    pub areas: Vec<AreaState>,
    /// Indexed by [`VillageId`].
    pub villages: Vec<VillageState>,
    /// Indexed by [`ChiefId`].
    pub chiefs: Vec<ChiefState>,
    /// The Tribal Cards, indexed by [`TribeId`].
    pub tribes: Vec<TribeState>,
    /// The Chiefs that each seat assigns to the second Teton Village this Turn if it holds the
    /// Sioux; `None` for a seat that was not asked (6.51).
    pub divisions: Vec<Option<Vec<ChiefId>>>,
    /// War Parties on the map.
    pub parties: Vec<WarParty>,
    /// Tribal Alliances of this Turn (6.75).
    pub alliances: Vec<Alliance>,
    /// Columns on the map.
    pub columns: Vec<Column>,
    /// The US Reserve (5.344).
    pub reserve: Reserve,
    /// The places of the Commanders, indexed by [`CommanderId`].
    pub commanders: Vec<CommanderPlace>,
    /// Shaman Cards in hand, by seat; hidden from the other players.
    pub hands: Vec<Vec<Held>>,
    /// Shaman Cards played or discarded this Turn, which are public.
    pub pile: Vec<(Seat, Card, Use)>,
    /// Shaman Cards out of the game (9.12).
    pub removed: Vec<Card>,
    /// The shuffles of both decks in this Turn.
    pub shaman_epoch: u32,
    pub tribal_epoch: u32,
    /// Number of Shaman Cards that each seat was dealt this Turn, which determines the number of
    /// Rounds (4.4).
    pub dealt: u32,
    /// The effects of Shaman Cards.
    pub fx: Effects,
    /// The effects of random events (12.1).
    pub events: Events,
    /// Mines not yet drawn.
    pub mine_cup: Vec<MineId>,
    /// The Turn in which the Transcontinental Railroad was completed (5.241).
    pub transcontinental: Option<u8>,
    /// Areas that must get the first RR markers (11.12); empty in the Basic Game.
    pub rr_due: Vec<AreaId>,
    /// Number of US Rounds since the start of the game, for Column Plays (5.33).
    pub us_rounds: u32,
    /// Treaties offered and signed (8.11).
    pub desk: Desk,
    /// The decks of the Solitaire Game (11.3).
    pub solo: Solo,
    /// The next numbers for Columns and War Parties.
    pub next_column: u16,
    pub next_party: u16,
    /// `true` while a question between actions is open. Nothing is under way then, so that a
    /// director can correct pieces.
    pub at_rest: bool,
    /// `true` when the last Turn has been scored.
    pub finished: bool,
}

/// A phase of the Turn (4.1).
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
    /// Returns the rulebook's name of the phase.
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

/// The state of an Area.
#[derive(Clone, Debug, Default)]
pub struct AreaState {
    pub settlements: i32,
    pub towns: i32,
    /// Number of unbroken and of Broke RR markers.
    pub rrs: i32,
    pub broke: i32,
    pub mines: Vec<MineState>,
    /// `true` if it is a State.
    pub state: bool,
    pub mission: bool,
    /// Number of Massacre markers of this Turn.
    pub massacres: i32,
    pub weather: Option<Weather>,
    pub skulls: i32,
}

impl AreaState {
    /// Returns the Town and Settlement Resource Points (5.24).
    pub fn town_points(&self) -> i32 {
        self.settlements + 5 * self.towns
    }
    /// Returns the number of RR markers, Broke or not.
    pub fn all_rrs(&self) -> i32 {
        self.rrs + self.broke
    }
}

#[derive(Clone, Copy, Debug)]
pub struct MineState {
    pub id: MineId,
    /// `true` if successfully attacked this Turn (7.26).
    pub hit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weather {
    Good,
    Bad,
}

impl Weather {
    /// Returns the change of Survival Points (6.62, 9.2E, 9.2L).
    pub fn points(self) -> i32 {
        match self {
            Weather::Good => 2,
            Weather::Bad => -2,
        }
    }
}

/// The place of a Village.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Area(AreaId),
    /// In Mexico or Canada (6.23); `from` is the Area that it left.
    Mexico {
        from: AreaId,
    },
    Canada {
        from: AreaId,
    },
    /// On Reservation; `from` is the Area that it left (8.12).
    Reservation {
        from: AreaId,
    },
    Extinct,
}

#[derive(Clone, Debug)]
pub struct VillageState {
    pub place: Place,
    /// BPs in the Village itself, wherever it is, without those of War Parties.
    pub bps: i32,
    /// Number of actions taken this Turn (6.8).
    pub actions: u8,
    /// `true` if on its "Finished" side.
    pub finished: bool,
    /// `true` if Smallpox has flipped it this Turn (9.2AA), as the Solitaire Game needs to know
    /// (6.64, 11.37).
    pub smallpox: bool,
    /// Strength of its Devastated markers (7.41).
    pub devastation: i32,
    pub peace_chief: bool,
    pub blood_lust: bool,
    pub shaman_medicine: bool,
    pub scouting: bool,
    /// `true` if back from the Reservation this Turn: on the map, but not active until its card is
    /// dealt (8.24).
    pub dormant: bool,
    /// Tribes whose War Parties have attacked this Tribe's Villages or War Parties this Turn
    /// (6.33).
    pub attacked_by: TribeSet,
    /// Number of War Parties sent out this Turn (6.32).
    pub parties_sent: u8,
    /// `true` if one of its War Parties has returned this Turn (6.32).
    pub party_returned: bool,
    /// The Treaty under which it went On Reservation this Turn (8.13).
    pub treaty: Option<Treaty>,
    /// The Round in which it was last attacked (7.34); 0 if not this Turn.
    pub attacked_in: u32,
}

impl VillageState {
    /// Returns a Village at the start of a Turn, without actions and markers.
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
    /// VPs that the Indian player received.
    pub vps: i32,
    /// VPs lost since to Agency Corruption (8.22).
    pub lost: i32,
}

#[derive(Clone, Debug, Default)]
pub struct ChiefState {
    pub killed: bool,
    pub prison: bool,
    /// A Teton Chief's Village this Turn (6.51).
    pub assigned: Option<VillageId>,
    /// The War Party that the Chief is with.
    pub with: Option<PartyId>,
    /// `true` if already sent out with a War Party this Turn (6.53).
    pub used: bool,
}

/// A Tribal Card.
#[derive(Clone, Debug, Default)]
pub struct TribeState {
    /// The holder this Turn, hidden from the other players until the card is revealed.
    pub holder: Option<Seat>,
    pub revealed: bool,
    /// Its position in this Turn's Tribal Deck, if it is or was there.
    pub pos: Option<usize>,
    /// `true` if the Teton Chiefs were divided this Turn when the card was revealed (6.51). Only
    /// for the Sioux.
    pub divided: bool,
}

/// A War Party's number, unique within the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartyId(pub u16);

#[derive(Clone, Debug)]
pub struct WarParty {
    pub id: PartyId,
    pub village: VillageId,
    /// First or second of its Village this Turn; part of its name.
    pub no: u8,
    pub bps: i32,
    pub area: AreaId,
    pub chiefs: Vec<ChiefId>,
    /// Number of actions that this War Party has taken this Turn.
    pub actions: u8,
    /// The Round in which it was last attacked (7.34).
    pub attacked_in: u32,
    /// `true` if sent out after its Village lost its horses, so that it acts only in the Village's
    /// Area (12.13).
    pub on_foot: bool,
}

/// Tribes combined by a Tribal Alliances card for the rest of the Turn (6.75).
#[derive(Clone, Debug)]
pub struct Alliance {
    /// The player of the card, who commands the Alliance and earns its VPs (6.76).
    pub leader: Seat,
    pub villages: Vec<VillageId>,
    /// War Parties that are combined now.
    pub parties: Vec<PartyId>,
}

/// A Column's number, unique within the game.
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
    /// The US Round, counted from the start of the game, in which it was last played (5.33); 0 if
    /// never.
    pub played_in: u32,
    /// A number shared by Columns that stay together after a coordinated attack (5.723).
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

/// The way in which a Shaman Card was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Played,
    Discarded,
}

/// The status of the American Civil War (9.2A). In the Basic Game it is over (3.42).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CivilWar {
    #[default]
    ToCome,
    /// In effect until the end of this Turn.
    Now,
    Over,
}

/// The lack of an effect of a Shaman Card that could have had one (9.13, 9.14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vain {
    #[default]
    No,
    /// It had no effect by its player's choice, which nobody else can tell. The player is asked as
    /// if the card could have had none (9.2Y).
    ByChoice,
    Yes,
}

/// The effects of Shaman Cards, for the Turn or for the game.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// 9.2R; cancelled by an Indian-led Massacre, Agency Corruption or the Civil War.
    pub peace_policy: bool,
    /// 9.2W.
    pub reform_movement: bool,
    /// 9.2HH.
    pub winter_campaigning: bool,
    /// `true` if an Indian-led Massacre has occurred this Turn (9.2S).
    pub indian_massacre: bool,
    /// `true` if Raids and Relocations into Mexico are impossible for the rest of the Turn (9.2I).
    pub mexico_closed: bool,
    /// The last Raid into Mexico, while Federales may still answer it (9.2I).
    pub mexico_raid: Option<MexicoRaid>,
    /// The seat whose attacks count double this Round (9.2C).
    pub atrocity: Option<Seat>,
    /// `true` if a War Party may attack twice this Round (9.2V).
    pub rampage: bool,
    /// The lack of an effect of the card just played, which allows a random event (12.1).
    pub vain: Vain,
    /// 9.2BB, for the rest of the game.
    pub springfield: bool,
    /// 9.2J, for the rest of the game.
    pub gatlings: bool,
    /// 9.2CC, for the rest of the game; in the Basic Game from the start (3.42).
    pub telegraph: bool,
    /// 9.2DD, for the rest of the game.
    pub land_rush: bool,
    /// The Civil War occurs once, for one Turn (9.2A).
    pub civil_war: CivilWar,
    /// `true` if no more Columns may enter Kansas this Turn or leave its Fort (9.2DD before the
    /// Civil War).
    pub bloody_kansas: bool,
    /// `true` if the US must designate a Mormon Column in its next Round with a played card (9.2O).
    pub mormons_due: bool,
    /// The Mormon Column of this Turn, which may no longer exist (9.2O).
    pub mormon_column: Option<ColumnId>,
}

/// A Raid into Mexico that Federales may still answer (9.2I).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MexicoRaid {
    pub raider: Seat,
    /// The VPs that it earned; 0 if it failed.
    pub vps: i32,
}

impl State {
    /// Returns `true` in the Two Player Game (11.2), but not in the Solitaire Game.
    pub fn two_players(&self) -> bool {
        self.variant.two_players(self.players)
    }
    /// Returns the number of Indian players, and so of Column plays in a US Round (5.33).
    pub fn indians(&self) -> i32 {
        i32::from(self.players) - 1
    }
    /// Returns all seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.players).map(Seat)
    }
    /// Returns the Indian players' seats in order.
    pub fn indian_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let us = self.us;
        self.seats().filter(move |&s| s != us)
    }
    /// Returns the next seat clockwise.
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
    /// Returns all Areas.
    pub fn area_ids(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.areas.len() as u8).map(AreaId)
    }
    /// Returns all Villages, wherever they are.
    pub fn village_ids(&self) -> impl Iterator<Item = VillageId> + use<> {
        (0..self.villages.len() as u8).map(VillageId)
    }
    /// Returns the Area of a Village, if it is on the map.
    pub fn area_of(&self, v: VillageId) -> Option<AreaId> {
        match self.village(v).place {
            Place::Area(a) => Some(a),
            _ => None,
        }
    }
    /// Returns `true` if a Village is neither Extinct nor On Reservation (5.46).
    pub fn in_play(&self, v: VillageId) -> bool {
        matches!(self.village(v).place, Place::Area(_) | Place::Mexico { .. } | Place::Canada { .. })
    }
    /// Returns `true` if any Village of a Tribe is in play, so that its Tribal Card is in the deck.
    pub fn tribe_in_play(&self, tribe: TribeId) -> bool {
        self.c[tribe].villages.iter().any(|&v| self.in_play(v))
    }
    /// Returns the Villages in an Area.
    pub fn villages_in(&self, a: AreaId) -> impl Iterator<Item = VillageId> + '_ {
        self.village_ids().filter(move |&v| self.area_of(v) == Some(a))
    }
    /// Returns the player of a Village this Turn: the holder of its Tribal Card, unless it came
    /// back from the Reservation this Turn.
    pub fn player_of(&self, v: VillageId) -> Option<Seat> {
        let state = self.village(v);
        if state.dormant || !self.in_play(v) { None } else { self.tribes[self.c[v].tribe.index()].holder }
    }
    /// Like [`State::player_of`], but only if it is public.
    pub fn known_player_of(&self, v: VillageId) -> Option<Seat> {
        self.player_of(v).filter(|_| self.tribes[self.c[v].tribe.index()].revealed)
    }
    pub fn party(&self, id: PartyId) -> Option<&WarParty> {
        self.parties.iter().find(|p| p.id == id)
    }
    pub fn party_mut(&mut self, id: PartyId) -> Option<&mut WarParty> {
        self.parties.iter_mut().find(|p| p.id == id)
    }
    /// Returns the War Parties of a Village.
    pub fn parties_of(&self, v: VillageId) -> impl Iterator<Item = &WarParty> + '_ {
        self.parties.iter().filter(move |p| p.village == v)
    }
    /// Returns the BPs of a Village including its War Parties.
    pub fn total_bps(&self, v: VillageId) -> i32 {
        self.village(v).bps + self.parties_of(v).map(|p| p.bps).sum::<i32>()
    }
    pub fn column(&self, id: ColumnId) -> Option<&Column> {
        self.columns.iter().find(|k| k.id == id)
    }
    pub fn column_mut(&mut self, id: ColumnId) -> Option<&mut Column> {
        self.columns.iter_mut().find(|k| k.id == id)
    }
    /// Returns the Columns in an Area.
    pub fn columns_in(&self, a: AreaId) -> impl Iterator<Item = &Column> + '_ {
        self.columns.iter().filter(move |k| k.area == a)
    }
    /// Returns `true` if a Chief can be used this Turn: listed for it, alive, and not in prison
    /// (6.51).
    pub fn chief_available(&self, chief: ChiefId) -> bool {
        let state = &self.chiefs[chief.index()];
        self.c[chief].available_in(self.turn) && !state.killed && !state.prison
    }
    /// Returns the Village of a Chief this Turn.
    pub fn chief_village(&self, chief: ChiefId) -> Option<VillageId> {
        self.c[chief].village.or(self.chiefs[chief.index()].assigned)
    }
    /// Returns the available Chiefs of a Village, including those with War Parties.
    pub fn chiefs_of(&self, v: VillageId) -> impl Iterator<Item = ChiefId> + '_ {
        let all = (0..self.chiefs.len() as u8).map(ChiefId);
        all.filter(move |&h| {
            self.c[h].tribe == self.c[v].tribe && self.chief_village(h) == Some(v) && self.chief_available(h)
        })
    }
    /// Returns the available Chiefs in the Village itself.
    pub fn chiefs_at(&self, v: VillageId) -> impl Iterator<Item = ChiefId> + '_ {
        self.chiefs_of(v).filter(|h| self.chiefs[h.index()].with.is_none())
    }
    /// Returns the Resource Points in an Area for Survival and Statehood: all except Broke RRs
    /// (5.2, 6.62, 10.21).
    pub fn resource_points(&self, a: AreaId) -> i32 {
        let area = self.area(a);
        let mines: i32 = area.mines.iter().map(|m| self.c[m.id].value).sum();
        area.town_points() + RR_POINTS * area.rrs + mines
    }
    /// Returns the number of Rounds of this Turn, one for each Shaman Card dealt (4.4).
    pub fn rounds(&self) -> u32 {
        self.dealt * u32::from(self.players)
    }
    /// Returns the largest number of Rounds of a Turn, which is known before the cards are dealt
    /// (3.5D).
    pub fn most_rounds(&self) -> i32 {
        i32::from(self.players) * shaman_hand(self.players) as i32
    }
    /// Returns an upper limit for all Devastated markers of a Village in a Turn: in each Round one
    /// of a battle (7.41) and one of Evasion Attrition.
    pub fn devastations(&self) -> i32 {
        self.most_rounds() * (DEVASTATION + 1)
    }
    /// Returns the number of Buffalo Skull markers not on the map (9.2G).
    pub fn skulls_left(&self) -> i32 {
        SKULLS - self.areas.iter().map(|area| area.skulls).sum::<i32>()
    }
    /// Returns the Survival Points available in an Area, at least zero (6.62).
    pub fn survival_points(&self, a: AreaId) -> i32 {
        self.raw_survival_points(a).max(0)
    }
    /// Returns the Survival Points without the limit of zero, since Buffalo Skulls require positive
    /// ones (9.2G).
    pub fn raw_survival_points(&self, a: AreaId) -> i32 {
        let area = self.area(a);
        let weather = area.weather.map_or(0, Weather::points);
        self.c[a].survival - self.resource_points(a) + weather - 2 * area.skulls
    }
    /// Returns the number of actions of a Village in a Turn (6.8). In the Solitaire Game it is one,
    /// in the Round of its Tribe, or two for Villages of an Alliance (11.36, 11.37).
    pub fn most_actions(&self, v: VillageId) -> u8 {
        if self.variant.solitaire && !self.alliances.iter().any(|a| a.villages.contains(&v)) { 1 } else { 2 }
    }
    /// Adds VPs by a rule, which may be negative, except in the Solitaire Game (11.31).
    pub fn score(&mut self, seat: Seat, vps: i32, rule: &'static str) {
        if !self.variant.solitaire {
            let tally = &mut self.tally[seat.index()];
            tally.vps += vps;
            tally.earned.add((), rule, vps);
        }
    }
    /// Returns `: 2 VPs for @A (US)` for the end of a sentence, or nothing if there are no VPs
    /// (11.31).
    pub fn earning(&self, seat: Seat, vps: i32) -> String {
        self.scoring(|| format!(": {} for {}", postrider_table::vps(vps), self.who(seat)))
    }
    /// Returns words about VPs, or nothing if there are no VPs (11.31).
    pub fn scoring(&self, words: impl FnOnce() -> String) -> String {
        if self.variant.solitaire { String::new() } else { words() }
    }
    /// Returns the names of an Area and its adjacent Areas.
    pub fn near(&self, a: AreaId) -> String {
        let names: Vec<&str> =
            std::iter::once(a).chain(self.c[a].adjacent.iter().copied()).map(|a| self.c[a].name.as_str()).collect();
        postrider_orders::list_or(&names)
    }
    /// Returns a player as `@B (US)` or `@C (Indians)`. The office replaces the `@` word with the
    /// player's name.
    pub fn who(&self, seat: Seat) -> String {
        format!("@{} ({})", self.chair(seat), self.side(seat))
    }
    /// Returns the name of the side that a seat plays this Turn.
    pub fn side(&self, seat: Seat) -> &'static str {
        if seat == self.us { "US" } else { "Indians" }
    }
    /// Returns the seat at the table for a seat of the rules. They differ only in the Solitaire
    /// Game, where both hats belong to one player (11.3).
    pub fn chair(&self, seat: Seat) -> Seat {
        if self.variant.solitaire { Seat(0) } else { seat }
    }
    /// Returns the name of a Column, which is its Commander's.
    pub fn column_name(&self, id: ColumnId) -> &str {
        self.column(id).and_then(|k| k.commander).map_or("a Column without a Commander", |m| self.c[m].surname.as_str())
    }
    /// Returns the Column whose Commander has this surname.
    pub fn column_named(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|k| k.commander.is_some_and(|m| self.c[m].surname == name))
    }
    /// Returns the name of a War Party: `Comanche`, or `Comanche 2` for the second one of a
    /// Village.
    pub fn party_name(&self, party: &WarParty) -> String {
        let name = &self.c[party.village].name;
        if party.no > 1 { format!("{name} {}", party.no) } else { name.clone() }
    }
    /// Puts a new War Party with Chiefs on the map. The Village must have the BPs.
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
    /// Takes a War Party off the map, and returns its BPs and Chiefs to the Village.
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
    /// Removes a War Party from the Alliance that combines it (6.75).
    pub fn leave_alliance(&mut self, id: PartyId) {
        self.alliances.iter_mut().for_each(|alliance| alliance.parties.retain(|&other| other != id));
    }
    /// Returns `true` in the Campaign Game (11.1).
    pub fn is_campaign(&self) -> bool {
        self.variant.scenario == Scenario::Campaign
    }
}

/// Value of an RR marker, which only follows from the sum in the example of 6.65 (house ruling 9).
pub const RR_POINTS: i32 = 2;
/// Number of Buffalo Skull markers in the counter set (9.2G).
pub const SKULLS: i32 = 16;
/// Maximum number of Settlements in an Area, before five become a Town (5.22).
pub const SETTLEMENTS: i32 = 5;
/// Maximum number of actions of a Village in a Turn (6.8).
pub const ACTIONS: u8 = 2;
/// Number of Mission markers in the counter set (2.3, 9.2N).
pub const MISSIONS: usize = 3;
/// Maximum BPs of a single Column (5.31).
pub const COLUMN_BPS: i32 = 20;
/// Maximum number of Artillery markers of a single Column (5.52).
pub const COLUMN_ARTILLERY: i32 = 3;
/// The strongest Devastated marker (7.41).
pub const DEVASTATION: i32 = 3;
