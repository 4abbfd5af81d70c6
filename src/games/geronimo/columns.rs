//! Columns: their status and plays, and the Operations Segment of the US (5.3 to 5.7).

use super::{
    Ask, Geronimo, Order, State, T,
    battle::avengeable,
    campaign::{Attack, attack, coordinate_all, village_barred},
    cards::mormons,
    column_words,
    components::{AreaId, CommanderId},
    muster::{NewColumn, enough, muster, reserve_commander},
    order::Target,
    ratings::{Force, Troops},
    reservation::{ask, ask_at_rest, keep_treaties},
    restraint,
    state::{COLUMN_ARTILLERY, COLUMN_BPS, Column, ColumnId, CommanderPlace, Reserve},
};
use postrider_orders::{Misread, Phrase, counted};
use postrider_table::{Choice, Description, Pick, Prompt, Refusal, Seat, Word, refuse};
use std::cmp::Reverse;

pub const SEPARATE: Word = Word::new("separate");
pub const TOGETHER: Word = Word::new("stay together");

pub use super::{column_words::strength, ratings::speed};

/// Lets the US play as many Columns as there are Indian players (5.33).
pub async fn operations(t: &T, g: &mut State) {
    let us = g.us;
    let most = g.indians();
    let mut played = 0;
    let mut divided = Vec::new();
    if let Some(id) = mormons::designate(t, g).await {
        mark_played(g, id);
        played = 1;
    }
    while played < most {
        let revenge = g.variant.solitaire && g.fx.atrocity == Some(us);
        let prompt = ColumnPlay { left: most - played, first: played == 0, divided: divided.clone(), revenge };
        match ask_at_rest(t, g, us, prompt).await {
            Act::Done => break,
            act => {
                if let Act::Divide { column, .. } = act {
                    divided.push(column);
                }
                let plays = play(t, g, act).await;
                keep_treaties(t, g).await;
                played += plays.unwrap_or(most);
            }
        }
    }
}

/// A checked Column play.
pub enum Act {
    Move(ColumnId, AreaId),
    /// `true` into the Fort, `false` out of it.
    Fort(Vec<ColumnId>, bool),
    Reinforce(ColumnId, i32),
    New(NewColumn),
    Divide {
        column: ColumnId,
        commander: CommanderId,
        bps: i32,
        guns: i32,
        gatlings: i32,
    },
    /// Columns that are `alone` separate first (5.723).
    Attack {
        columns: Vec<ColumnId>,
        force: Force,
        alone: bool,
    },
    Done,
}

/// Carries out a play. Returns the number of Columns played, or `None` if it is the only operation
/// of the Round (5.724).
async fn play(t: &T, g: &mut State, act: Act) -> Option<i32> {
    match act {
        Act::Done => {}
        Act::Move(id, to) => {
            t.tell(|| format!("{} moves to {}.", g.column_name(id), g.c[to].name));
            mark_played(g, id);
            separate(g, id);
            if let Some(column) = g.column_mut(id) {
                column.area = to;
            }
        }
        Act::Fort(columns, fort) => {
            for &id in &columns {
                t.tell(|| format!("{} goes {}.", g.column_name(id), if fort { "In Fort" } else { "On Patrol" }));
                mark_played(g, id);
                if let Some(column) = g.column_mut(id) {
                    column.in_fort = fort;
                }
            }
            match columns[..] {
                [id] => separate(g, id),
                _ => return None,
            }
        }
        Act::Reinforce(id, bps) => {
            g.reserve.bps -= bps;
            mark_played(g, id);
            separate(g, id);
            if let Some(column) = g.column_mut(id) {
                column.bps += bps;
            }
            t.tell(|| format!("{} receives {} from the Reserve.", g.column_name(id), counted(bps, "BP")));
        }
        Act::New(new) => {
            let id = muster(t, g, &new);
            mark_played(g, id);
        }
        Act::Divide { column, commander, bps, guns, gatlings } => {
            let Some(old) = g.column_mut(column) else { return Some(1) };
            old.bps -= bps;
            old.guns -= guns;
            old.gatlings -= gatlings;
            let area = old.area;
            let id = raise(g, Some(commander), bps, guns, gatlings, area, false);
            // Every new Column is a play (5.33), and the old one counts as played as well (house
            // reading of 5.45).
            mark_played(g, column);
            separate(g, column);
            mark_played(g, id);
            t.tell(|| {
                let from = g.column_name(column);
                format!(
                    "{} divides: {} goes On Patrol with {}.",
                    from,
                    g.c[commander].name,
                    strength(bps, guns, gatlings)
                )
            });
        }
        Act::Attack { columns, force, alone } => {
            if alone {
                columns.iter().for_each(|&id| separate(g, id));
            }
            return column_attack(t, g, columns, force).await;
        }
    }
    Some(1)
}

/// Carries out an attack (5.71, 5.723, 5.724). Columns with a Coordination DR count as played,
/// whether they joined or not (5.72).
async fn column_attack(t: &T, g: &mut State, columns: Vec<ColumnId>, target: Force) -> Option<i32> {
    let united = together(g, columns[0]).len() > 1;
    let at_once = !united && g.two_players() && columns.len() > 1;
    if at_once && !coordinate_all(t, g, &columns) {
        // No Column moves this Round (11.2D). They still count as played, as in 5.72 (house
        // reading).
        columns.iter().for_each(|&id| mark_played(g, id));
        return None;
    }
    let (troops, joining) = match united || at_once {
        true => (columns.clone(), Vec::new()),
        false => (vec![columns[0]], columns[1..].iter().map(|&id| Troops(vec![id])).collect()),
    };
    let mut now = Attack::new(Troops(troops), joining, target);
    now.combined = at_once;
    attack(t, g, &mut now).await;
    let mut played = 0;
    for &id in columns.iter().filter(|id| !now.joining.iter().any(|troops| troops.0.contains(id))) {
        mark_played(g, id);
        played += 1;
    }
    if !united && !now.combined {
        return Some(played);
    }
    if !united {
        stay_together(t, g, now.troops.0).await;
    }
    None
}

/// Asks whether coordinated Columns stay together, and returns the answer (5.723).
pub async fn stay_together(t: &T, g: &mut State, joined: Vec<ColumnId>) -> bool {
    if joined.len() < 2 {
        return false;
    }
    let us = g.us;
    let among = vec![SEPARATE, TOGETHER];
    let pick = Pick::new(Ask::Group, "5.723", "Do the coordinated Columns separate or stay together", among);
    if ask(t, g, us, pick).await != TOGETHER {
        return false;
    }
    let group = g.next_column;
    g.next_column += 1;
    for id in joined {
        if let Some(column) = g.column_mut(id) {
            column.group = Some(group);
        }
    }
    true
}

/// Returns a Column and those that have stayed together with it (5.723).
pub fn together(g: &State, id: ColumnId) -> Vec<ColumnId> {
    let group = g.column(id).and_then(|k| k.group);
    let mates = g.columns.iter().filter(|k| group.is_some() && k.group == group && k.id != id).map(|k| k.id);
    std::iter::once(id).chain(mates).collect()
}

/// Separates a Column, with its own BPs, from those with which it is combined (5.723). If only one
/// Column is left, it is no longer combined either.
pub fn separate(g: &mut State, id: ColumnId) {
    let Some(group) = g.column_mut(id).and_then(|k| k.group.take()) else { return };
    let mut left = g.columns.iter_mut().filter(|k| k.group == Some(group));
    if let (Some(last), None) = (left.next(), left.next()) {
        last.group = None;
    }
}

fn mark_played(g: &mut State, id: ColumnId) {
    let round = g.us_rounds;
    if let Some(column) = g.column_mut(id) {
        column.played_in = round;
    }
}

/// Puts a new Column on the map.
pub fn raise(
    g: &mut State,
    commander: Option<CommanderId>,
    bps: i32,
    guns: i32,
    gatlings: i32,
    area: AreaId,
    in_fort: bool,
) -> ColumnId {
    let id = ColumnId(g.next_column);
    g.next_column += 1;
    if let Some(m) = commander {
        g.commanders[m.index()] = CommanderPlace::Column(id);
    }
    g.columns.push(Column {
        id,
        commander,
        bps,
        guns,
        gatlings,
        area,
        in_fort,
        played_in: 0,
        group: None,
        attacked_in: 0,
    });
    id
}

/// Returns the DR that Columns need to coordinate with two players (11.2D).
pub fn highest_speed(g: &State, columns: &[ColumnId]) -> i32 {
    columns.iter().filter_map(|&id| g.column(id)).map(|k| speed(g, k)).max().unwrap_or(0)
}

/// Returns `true` if a Column may not be played in this US Round because it was played in this or
/// the last one (5.33).
pub fn worn_out(g: &State, column: &Column) -> bool {
    column.played_in > 0 && column.played_in + 1 >= g.us_rounds
}

/// Maximum number of Columns in a coordinated attack (5.71). Such an attack is the only operation
/// of its Round (5.724), whatever the number of plays (5.33).
const MOST_TOGETHER: usize = 3;

/// Number of Areas that a letter lists for a new Column.
const EXAMPLES: i32 = 4;

/// The question for the next Column play.
pub struct ColumnPlay {
    pub left: i32,
    /// `true` if nothing has been played in this Round. Only then may combined Columns operate, or
    /// others try to coordinate (house reading), because a success must be the only operation
    /// (5.724).
    pub first: bool,
    /// Columns that have divided in this Round. They may divide again but do nothing else (5.45).
    pub divided: Vec<ColumnId>,
    /// `true` if a leader of Aggression 2 or more must be attacked, as in the Solitaire Game
    /// (9.2C).
    pub revenge: bool,
}

/// Returns `true` if a Column can attack an Active Tribe with a Chief of Aggression 2 or more
/// (9.2C, 11.36).
pub fn can_avenge(g: &State) -> bool {
    !ColumnPlay { left: 1, first: true, divided: Vec::new(), revenge: true }.acts(g, 0).is_empty()
}

impl ColumnPlay {
    fn column<'g>(g: &'g State, name: &str) -> Result<&'g Column, Refusal> {
        let column = g
            .column_named(name)
            .ok_or_else(|| Refusal { rule: "5.31", why: format!("No Column on the map is commanded by {name}.") })?;
        if worn_out(g, column) {
            let when = if column.played_in == g.us_rounds { "in this Round already" } else { "in the last US Round" };
            return refuse("5.33", format!("{name} was played {when}: no Column plays in two US Rounds running."));
        }
        restraint::may_play(g, column)?;
        Ok(column)
    }
    fn patrol<'g>(g: &'g State, name: &str) -> Result<&'g Column, Refusal> {
        let column = Self::column(g, name)?;
        if column.in_fort {
            return refuse(
                "5.62",
                format!("{name} is In Fort: it can go On Patrol, be reinforced or divide, nothing else."),
            );
        }
        Ok(column)
    }
    fn fort<'g>(g: &'g State, name: &str) -> Result<&'g Column, Refusal> {
        let column = Self::column(g, name)?;
        if !column.in_fort {
            return refuse("5.342", format!("{name} is On Patrol; this is for Columns In Fort."));
        }
        // Dividing it would send a part On Patrol (5.45; house reading).
        if g.events.sieges.contains(&column.id) {
            return refuse("12.13", format!("{name} is under siege: nobody leaves the Fort or gets in this Turn."));
        }
        Ok(column)
    }
    /// Returns a Column In Fort that may divide, into two or more (5.45).
    fn dividing<'g>(&self, g: &'g State, name: &str) -> Result<&'g Column, Refusal> {
        match g.column_named(name) {
            Some(column) if self.divided.contains(&column.id) => Ok(column),
            _ => Self::fort(g, name),
        }
    }
    /// Returns the Columns that act as one with a Column: those combined with it, unless it is
    /// `alone` (5.723).
    fn united(&self, g: &State, column: &Column, alone: bool) -> Result<Vec<ColumnId>, Refusal> {
        if alone && !may_separate(g, column.id) {
            return refuse("5.723", "None of these Columns has combined with others: it acts by itself anyway.");
        }
        let all = if alone { vec![column.id] } else { together(g, column.id) };
        self.only(all.len())?;
        all.iter().try_for_each(|&id| Self::column(g, g.column_name(id)).map(drop))?;
        Ok(all)
    }
    /// Checks that several Columns act together only before any other play.
    fn only(&self, columns: usize) -> Result<(), Refusal> {
        if self.first || columns < 2 {
            return Ok(());
        }
        refuse("5.724", "Several Columns together are the only operation of a Round; others have been played.")
    }
    fn attack(&self, g: &State, names: &[String], target: &Target, alone: bool) -> Result<Act, Refusal> {
        let Some(first) = names.first().filter(|_| names.len() <= MOST_TOGETHER) else {
            return refuse("5.71", "One Column attacks, and up to two more may try to join it.");
        };
        let lead = Self::patrol(g, first)?;
        let mut columns = Vec::new();
        for name in names {
            let column = Self::patrol(g, name)?;
            if columns.contains(&column.id) {
                return refuse("5.71", format!("{name} is named twice."));
            }
            columns.push(column.id);
        }
        if columns.iter().any(|&id| g.column(id).is_none_or(|k| k.area != lead.area)) {
            return refuse("5.71", "Columns that attack together start in the same Area.");
        }
        // Whoever has combined with any of them is addressed, too.
        let one = columns.iter().filter_map(|&id| g.column(id)).find(|k| may_separate(g, k.id)).unwrap_or(lead);
        let united = self.united(g, one, alone)?;
        self.only(columns.len())?;
        if united.len() > 1 {
            if let Some(other) = columns.iter().find(|id| !united.contains(id)) {
                let name = g.column_name(*other);
                return refuse("5.723", format!("{name} is not one of the Columns that stay together."));
            }
            columns = united;
        } else if g.two_players() {
            // One DR decides for all of them, and none leads (11.2D).
        } else if columns.iter().any(|&id| g.column(id).is_some_and(|k| speed(g, k) > speed(g, lead))) {
            return refuse("5.71", "The fastest Column leads the attack; name it first.");
        }
        // Those who stay together with the leader attack, too.
        columns.iter().filter_map(|&id| g.column(id)).try_for_each(|column| restraint::may_attack(g, column))?;
        let force = column_target(g, lead.area, target)?;
        let troops = Troops(columns.clone());
        barred(g, &troops, &force, false)?;
        if self.revenge && !avengeable(g, &force) {
            return refuse("9.2C", "Revenge is taken on an Active Tribe with a Chief whose Aggression is 2 or more.");
        }
        Ok(Act::Attack { columns, force, alone })
    }
}

/// Returns `true` if a Column is combined with others and could act without them (5.723).
pub fn may_separate(g: &State, id: ColumnId) -> bool {
    together(g, id).len() > 1
}

/// Returns the Commanders in the Reserve.
pub fn reserve_commanders(g: &State) -> impl Iterator<Item = CommanderId> + '_ {
    (0..g.commanders.len() as u8).map(CommanderId).filter(|m| g.commanders[m.index()] == CommanderPlace::Reserve)
}

/// Returns the Indians that a Column can name as its target in an Area.
pub fn column_target(g: &State, area: AreaId, target: &Target) -> Result<Force, Refusal> {
    match target {
        Target::Village { name } => match g.c.village_by_name(name).filter(|&v| g.area_of(v) == Some(area)) {
            Some(v) => Ok(Force::Village(v)),
            None => refuse("5.341", format!("There is no {name} Village in {}.", g.c[area].name)),
        },
        Target::Party { name } => {
            let found = g.parties.iter().find(|p| p.area == area && g.party_name(p) == *name);
            match found {
                Some(party) => Ok(allied(g, party.id)),
                None => refuse("5.341", format!("There is no War Party of the {name} in {}.", g.c[area].name)),
            }
        }
        _ => refuse("7.1", "Columns attack Villages and War Parties."),
    }
}

/// Returns a War Party, or all War Parties of an Alliance combined with it (6.73).
pub fn allied(g: &State, id: super::state::PartyId) -> Force {
    match g.alliances.iter().find(|a| a.parties.contains(&id)) {
        Some(alliance) if alliance.parties.len() > 1 => Force::Parties(alliance.parties.clone()),
        _ => Force::party(id),
    }
}

/// Refuses an attack that cards or an earlier attack forbid.
pub fn barred(g: &State, troops: &Troops, force: &Force, reacting: bool) -> Result<(), Refusal> {
    let bar = match force {
        Force::Village(v) => village_barred(g, troops, *v, reacting),
        Force::Parties(_) if force.attacked_this_round(g) => {
            Some(("7.34", "This War Party has already been attacked in this Round.".into()))
        }
        Force::Parties(_) => None,
    };
    match bar {
        Some((rule, why)) => refuse(rule, why),
        None => Ok(()),
    }
}

impl Prompt<Geronimo> for ColumnPlay {
    type Answer = Act;
    fn kind(&self) -> Ask {
        Ask::ColumnPlay
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Act, Refusal> {
        if self.revenge && !matches!(order, Order::ColumnAttack { .. }) {
            return refuse("9.2C", "Atrocity and Reprisal: a Column must attack now.");
        }
        match order {
            Order::Pass {} => Ok(Act::Done),
            Order::Move { column, to } => {
                let column = Self::patrol(g, column)?;
                match g.c.area_by_name(to) {
                    Some(a) if g.c.adjacent(column.area, a) => {
                        restraint::may_leave(g, column)?;
                        restraint::may_enter(g, a)?;
                        Ok(Act::Move(column.id, a))
                    }
                    Some(_) => {
                        let next: Vec<&str> = g.c[column.area].adjacent.iter().map(|&a| g.c[a].name.as_str()).collect();
                        let next = postrider_orders::list_and(&next);
                        refuse("5.341", format!("{to} is not adjacent to {}: {next} are.", g.c[column.area].name))
                    }
                    None => refuse("5.341", format!("There is no Area called {to}.")),
                }
            }
            Order::EnterFort { column, alone } => {
                Ok(Act::Fort(self.united(g, Self::patrol(g, column)?, *alone)?, true))
            }
            Order::LeaveFort { column, alone } => {
                let all = self.united(g, Self::fort(g, column)?, *alone)?;
                for column in all.iter().filter_map(|&id| g.column(id)) {
                    restraint::may_leave_fort(g, Self::fort(g, g.column_name(column.id))?)?;
                }
                Ok(Act::Fort(all, false))
            }
            Order::Reinforce { column, bps } => {
                let target = Self::fort(g, column)?;
                if *bps < 1 || *bps > g.reserve.bps {
                    return refuse("5.342", format!("The Reserve has {}.", counted(g.reserve.bps, "BP")));
                }
                if target.bps + bps > COLUMN_BPS {
                    return refuse(
                        "5.31",
                        format!("{column} has {}; a Column has {COLUMN_BPS} at the most.", counted(target.bps, "BP")),
                    );
                }
                Ok(Act::Reinforce(target.id, *bps))
            }
            Order::NewColumn { .. } => {
                let new = NewColumn::of(g, order, g.reserve)?;
                restraint::may_enter(g, new.area)?;
                Ok(Act::New(new))
            }
            Order::Divide { column, commander, bps, guns, gatlings } => {
                let old = self.dividing(g, column)?;
                restraint::may_leave_fort(g, old)?;
                let m = reserve_commander(g, commander)?;
                let spare = Reserve { bps: old.bps - 1, guns: old.guns, gatlings: old.gatlings };
                enough(*bps, *guns, *gatlings, spare, "The rest of the Column must keep a BP; it")?;
                Ok(Act::Divide { column: old.id, commander: m, bps: *bps, guns: *guns, gatlings: *gatlings })
            }
            Order::ColumnAttack { columns, target, alone } => self.attack(g, columns, target, *alone),
            _ => refuse(
                "5.33",
                "A Column can move, attack, enter or leave its Fort, be reinforced, be placed new, or divide; or say `done`.",
            ),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let d = match self.revenge {
            false => Description::new(format!("Play a Column ({} left) or be done", self.left), "5.33").examples(),
            true => {
                let title = "Atrocity and Reprisal: attack a Tribe whose Chief has Aggression 2 or more";
                Description::new(title, "9.2C").examples()
            }
        };
        let resting: Vec<&str> = g.columns.iter().filter(|k| worn_out(g, k)).map(|k| g.column_name(k.id)).collect();
        let d = match resting.is_empty() {
            true => d,
            false => d.line(format!(
                "At rest, since played in this US Round or the last: {}.",
                postrider_orders::list_and(&resting)
            )),
        };
        let held: Vec<&str> =
            g.columns.iter().filter(|k| restraint::may_play(g, k).is_err()).map(|k| g.column_name(k.id)).collect();
        let d = match held.is_empty() {
            true => d,
            false => d.line(format!("Held in place by the Civil War (9.2A): {}.", postrider_orders::list_and(&held))),
        };
        let d = match g.two_players() {
            true => d.line(
                "Up to three may coordinate, on one DR up to their highest Speed; if it fails none moves (11.2D).",
            ),
            false if g.variant.solitaire => {
                d.line("Up to three may try to coordinate; that is one play, the fastest first (11.38).")
            }
            false => d,
        };
        d.line(format!("Reserve: {}.", strength(g.reserve.bps, g.reserve.guns, g.reserve.gatlings)))
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        column_words::plays(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        column_words::plays(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut acts = self.acts(g, EXAMPLES);
        // A letter lists two moves of each Column, to leave room for other plays.
        let mut moves: Vec<String> = Vec::new();
        acts.retain(|(order, _)| {
            let Order::Move { column, .. } = order else { return true };
            moves.push(column.clone());
            moves.iter().filter(|other| *other == column).count() <= 2
        });
        acts.sort_by_key(|(order, _)| matches!(order, Order::Move { .. } | Order::EnterFort { .. }));
        acts.truncate(24);
        if !self.revenge {
            acts.push((Order::Pass {}, "no more Columns this Round".to_owned()));
        }
        let grammar = column_words::plays(g);
        acts.into_iter().map(|(order, note)| Choice::said(order, &grammar).note(note)).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let mut acts = self.acts(g, i32::MAX);
        if acts.is_empty() || (!self.revenge && below(8) == 0) {
            return (!self.revenge).then_some(Order::Pass {});
        }
        // Attacks make a game interesting, so half of the random choices consider only them.
        if below(2) == 0 {
            let attacks: Vec<_> =
                acts.iter().filter(|(order, _)| matches!(order, Order::ColumnAttack { .. })).cloned().collect();
            if !attacks.is_empty() {
                acts = attacks;
            }
        }
        let (mut order, _) = acts.swap_remove(below(acts.len() as u32) as usize);
        if let Order::NewColumn { bps, .. } | Order::Reinforce { bps, .. } | Order::Divide { bps, .. } = &mut order {
            *bps = 1 + below(*bps as u32) as i32;
        }
        Some(order)
    }
    fn at_deadline(&self, g: &State, _: Seat) -> Option<Order> {
        match self.revenge {
            false => Some(Order::Pass {}),
            true => self.acts(g, 0).into_iter().next().map(|(order, _)| order),
        }
    }
}

impl ColumnPlay {
    /// Returns the legal plays with notes, attacks first. At most `places` Areas are listed for a
    /// new Column.
    fn acts(&self, g: &State, places: i32) -> Vec<(Order, String)> {
        let mut acts = self.possible_acts(g, places);
        if restraint::any(g) {
            acts.retain(|(order, _)| self.accept(g, g.us, order).is_ok());
        }
        acts
    }
    /// Returns the possible plays without regard to special restrictions on Columns.
    fn possible_acts(&self, g: &State, places: i32) -> Vec<(Order, String)> {
        let mut acts = Vec::new();
        let ready: Vec<&Column> = g.columns.iter().filter(|k| k.commander.is_some() && !worn_out(g, k)).collect();
        for column in ready.iter().filter(|k| !k.in_fort) {
            for (target, note) in indian_targets(g, column.area) {
                let lead = g.column_name(column.id).to_owned();
                let attack = |columns: Vec<String>, alone: bool| {
                    let order = Order::ColumnAttack { columns, target: target.clone(), alone };
                    self.accept(g, g.us, &order).is_ok().then_some(order)
                };
                let united = may_separate(g, column.id);
                let all = if united { format!("all that stay together; {note}") } else { note.clone() };
                acts.extend(attack(vec![lead.clone()], false).map(|order| (order, all)));
                acts.extend(attack(vec![lead.clone()], true).map(|order| (order, note)));
                // No Column leads, so the same Columns are not listed again in another order
                // (11.2D).
                let alike = |k: &&Column| g.two_players() && k.id == column.id;
                let from = ready.iter().position(alike).unwrap_or(0);
                let mates = ready[from..].iter().filter(|k| k.area == column.area && !k.in_fort && k.id != column.id);
                let mates = mates.take(MOST_TOGETHER - 1);
                let names: Vec<String> =
                    std::iter::once(lead).chain(mates.map(|k| g.column_name(k.id).to_owned())).collect();
                if names.len() > 1
                    && let Some(order) = attack(names.clone(), false)
                {
                    let note = match g.two_players() {
                        true => {
                            let ids: Vec<ColumnId> =
                                names.iter().filter_map(|name| g.column_named(name)).map(|k| k.id).collect();
                            format!("together on {} or less, or no Column moves", highest_speed(g, &ids))
                        }
                        false => "tries to coordinate".to_owned(),
                    };
                    acts.push((order, note));
                }
            }
        }
        if self.revenge {
            return acts;
        }
        let mut play = |order: Order| acts.push((order, String::new()));
        for column in &ready {
            let name = g.column_name(column.id).to_owned();
            if column.in_fort && g.events.sieges.contains(&column.id) {
                continue;
            }
            let status = |alone: bool| match column.in_fort {
                true => Order::LeaveFort { column: name.clone(), alone },
                false => Order::EnterFort { column: name.clone(), alone },
            };
            let may = [false, true].map(status).into_iter().filter(|order| self.accept(g, g.us, order).is_ok());
            if column.in_fort {
                may.for_each(&mut play);
                let room = (COLUMN_BPS - column.bps).min(g.reserve.bps);
                if room > 0 {
                    play(Order::Reinforce { column: name.clone(), bps: room });
                }
                division(g, column).into_iter().for_each(&mut play);
            } else {
                for &to in &g.c[column.area].adjacent {
                    play(Order::Move { column: name.clone(), to: g.c[to].name.clone() });
                }
                may.for_each(&mut play);
            }
        }
        self.divided.iter().filter_map(|&id| division(g, g.column(id)?)).for_each(&mut play);
        if let Some(m) = reserve_commanders(g).next()
            && g.reserve.bps > 0
        {
            let bps = g.reserve.bps.min(COLUMN_BPS);
            let guns = g.reserve.guns.min(COLUMN_ARTILLERY);
            let gatlings = g.reserve.gatlings.min(COLUMN_ARTILLERY - guns);
            // Areas with the most Tribes that are known to be Active come first, because a letter
            // has room for only a few.
            let mut areas: Vec<AreaId> = g.area_ids().collect();
            areas.sort_by_key(|&a| Reverse(g.villages_in(a).filter(|&v| g.known_player_of(v).is_some()).count()));
            for area in areas.into_iter().take(usize::try_from(places).unwrap_or(usize::MAX)) {
                play(NewColumn { commander: m, bps, guns, gatlings, area, fort: false }.order(g));
            }
        }
        acts
    }
}

/// Returns an example of a division: half of a Column's BPs to the first Commander in the Reserve
/// (5.45).
fn division(g: &State, column: &Column) -> Option<Order> {
    let m = reserve_commanders(g).next().filter(|_| column.bps > 1)?;
    let (column, bps) = (g.column_name(column.id).to_owned(), column.bps / 2);
    Some(Order::Divide { column, commander: g.c[m].surname.clone(), bps, guns: 0, gatlings: 0 })
}

/// Returns the Indians in an Area that a Column could name, with notes.
pub fn indian_targets(g: &State, area: AreaId) -> Vec<(Target, String)> {
    let villages =
        g.villages_in(area).map(|v| (Target::Village { name: g.c[v].name.clone() }, counted(g.village(v).bps, "BP")));
    let parties = g.parties.iter().filter(move |p| p.area == area);
    let parties = parties.map(|p| (Target::Party { name: g.party_name(p) }, counted(p.bps, "BP")));
    villages.chain(parties).collect()
}
