//! The fire phases (4.B, 4.D, 4.E), and the choice of firers in reactions.

use super::{
    Ask, Order, RosebudCreek, State, T, ammo, asking, charge,
    components::{Side, UnitId},
    eagle, facts,
    fire::{self, Target, Volley},
    horses,
    movement::Mover,
    order::Shot,
    standing,
    state::{Phase, Volume},
    view, words,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, hex::Hex, refuse};

/// The question for the shots of a side.
#[derive(Clone, Debug)]
pub struct Fires {
    side: Side,
    volley: Volley,
    /// In a reaction, the possible firers and targets.
    bound: Option<(Vec<UnitId>, Vec<UnitId>)>,
}

/// A shot that can have an effect: firer, target, and how many of 36 dice rolls give at least a
/// check, and a Casualty Point.
pub type Apt = (UnitId, Target, (u8, u8));

/// A checked shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fair {
    pub who: UnitId,
    pub at: Target,
    pub volley: Volley,
}

impl Fires {
    /// Returns the question of a fire phase.
    pub fn phase(side: Side, volley: Volley) -> Fires {
        Fires { side, volley, bound: None }
    }
    /// Returns the question of a reaction by some units against others.
    pub fn reaction(side: Side, volley: Volley, who: Vec<UnitId>, at: Vec<UnitId>) -> Fires {
        Fires { side, volley, bound: Some((who, at)) }
    }
    /// Returns the firing side.
    pub fn side(&self) -> Side {
        self.side
    }
    fn rule(&self) -> &'static str {
        match self.volley {
            Volley::Offensive(_) => "4.B",
            Volley::Defensive(_) => "4.D",
            Volley::Advance => "4.E",
            Volley::Opportunity(_) => "9.F",
            Volley::Retreat(_) => "9.G",
            Volley::HitAndRun => "16.G",
        }
    }
    /// Returns the fire at full or half strength.
    fn at(&self, half: bool) -> Volley {
        self.volley.of(if half { Volume::Half } else { Volume::Full })
    }
    /// Returns `true` if a unit may choose half strength (4.B, 14.D).
    fn halves(&self, g: &State, u: UnitId) -> bool {
        match self.volley {
            Volley::Offensive(_) => true,
            Volley::Defensive(_) | Volley::Opportunity(_) | Volley::Retreat(_) => ammo::counted(g, u),
            Volley::Advance | Volley::HitAndRun => false,
        }
    }
    /// Returns `true` if a unit can only fire at half strength: it has half a box left (14.D), or has to
    /// keep MPs to go back to the Eagle's Nest (16.D).
    fn only_half(&self, g: &State, u: UnitId) -> bool {
        let keeps = matches!(self.volley, Volley::Offensive(_)) && eagle::is_due(g, Mover::Unit(u));
        keeps || !ammo::allows(g, u, self.at(false))
    }
    /// Returns `true` if a unit can still fire in this phase: once in its side's Offensive and Advance
    /// Fire Phases together (4.E), not while it gives or takes ammunition, which alone halts a unit in
    /// good order before the Movement Phase (14.C, 14.G), and not after Hit & Run (16.G).
    fn ready(&self, g: &State, u: UnitId) -> bool {
        let did = &g.unit(u).did;
        let free = match (&self.bound, self.volley) {
            (Some((who, _)), _) => who.contains(&u),
            (None, Volley::Offensive(_)) => did.fired.is_none() && !did.halted,
            (None, _) => did.fired.is_none() && !did.ran,
        };
        free && g.side(u) == self.side && fire::is_armed(g, u)
    }
    /// Checks that a shot is legal, and returns it with its type of fire.
    pub fn may(&self, g: &State, u: UnitId, at: Target, half: bool) -> Result<Fair, Refusal> {
        let volley = self.at(half);
        let name = || g.name(u);
        if !self.ready(g, u) {
            let why = if g.unit(u).did.fired.is_some() { "has fired already" } else { "cannot fire now" };
            return refuse(self.rule(), format!("{} {why}.", name()));
        }
        if half && !self.halves(g, u) {
            return refuse("4.B", "Half strength is chosen in the Offensive Fire Phase, or where boxes are counted.");
        }
        if !ammo::allows(g, u, volley) {
            return refuse("14.D", format!("{} has no boxes for that.", name()));
        }
        if !half && self.only_half(g, u) {
            let why = format!("{} has to go back to the Eagle's Nest: it fires at half strength at most.", name());
            return refuse("16.D", why);
        }
        let Some(to) = at.hex(g) else { return refuse("9.A", "The target is not on the map.") };
        let listed = fire::is_target(g, to, self.side.enemy(), at);
        let bound = self.bound.as_ref().is_none_or(|(_, among)| among.iter().any(|&u| at == Target::Unit(u)));
        if !listed || !bound {
            return refuse("9.A", format!("{} is no target.", at.name(g)));
        }
        if matches!(self.volley, Volley::Advance) && charge::binds(g, u).is_some_and(|hex| hex != to) {
            return refuse("16.A", format!("{} charges another hex and fires at no other.", name()));
        }
        if !fire::bears(g, u, to) {
            return refuse(
                "9.B.3",
                format!("{} does not reach {}: too far, mounted, or no line of sight.", name(), g.id(to)),
            );
        }
        Ok(Fair { who: u, at, volley })
    }
    /// Returns the hexes with possible targets, in order.
    fn marks(&self, g: &State) -> Vec<Hex> {
        let enemy = self.side.enemy();
        let leaders = g.c.leader_ids().filter(|&l| g.c[l].side == enemy).filter_map(|l| g.chief(l).spot.hex());
        let mut all: Vec<Hex> = g.on_map(enemy).filter_map(|u| g.hex(u)).chain(leaders).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    /// Returns the shots of a unit at these hexes that can have an effect.
    fn apt_of(&self, g: &State, u: UnitId, marks: &[Hex]) -> Vec<Apt> {
        let mut shots = Vec::new();
        let Some(from) = g.hex(u).filter(|_| self.ready(g, u)) else { return shots };
        let half = self.only_half(g, u);
        for &to in marks.iter().filter(|&&to| (1..=2).contains(&g.charts.grid.distance(from, to))) {
            for at in fire::targets(g, to, self.side.enemy()) {
                if let Ok(fair) = self.may(g, u, at, half)
                    && fire::matters(g, u, at, fair.volley)
                {
                    shots.push((u, at, fire::chances(g, u, at, fair.volley)));
                }
            }
        }
        shots
    }
    /// Returns all shots that can have an effect, best first.
    pub fn apt(&self, g: &State) -> Vec<Apt> {
        let marks = self.marks(g);
        let mut shots: Vec<Apt> = g.on_map(self.side).flat_map(|u| self.apt_of(g, u, &marks)).collect();
        shots.sort_by_key(|&(u, _, (checks, losses))| (std::cmp::Reverse((losses, checks)), u));
        shots
    }
    /// Returns `true` if a unit has no shot that can have an effect.
    fn is_mute(&self, g: &State, u: UnitId, marks: &[Hex]) -> bool {
        let Some(from) = g.hex(u).filter(|_| self.ready(g, u)) else { return true };
        let half = self.only_half(g, u);
        let near = marks.iter().copied().filter(|&to| (1..=2).contains(&g.charts.grid.distance(from, to)));
        let hits = |at: Target| self.may(g, u, at, half).is_ok_and(|fair| fire::matters(g, u, at, fair.volley));
        !near.flat_map(|to| fire::targets(g, to, self.side.enemy())).any(hits)
    }
    /// Returns `true` if no shot can have an effect.
    pub fn is_idle(&self, g: &State) -> bool {
        let marks = self.marks(g);
        g.on_map(self.side).all(|u| self.is_mute(g, u, &marks))
    }
    fn shot(&self, g: &State, u: UnitId, at: Target) -> Shot {
        Shot { who: g.name(u), at: at.name(g), half: self.only_half(g, u) }
    }
    /// Returns the best shot of each unit, if its chance of a Casualty Point is at least `least`
    /// percent.
    pub fn best(&self, g: &State, least: u32) -> Vec<Shot> {
        Fires::best_of(&self.apt(g), least).into_iter().map(|(u, at, _)| self.shot(g, u, at)).collect()
    }
    /// Returns the question of the current fire phase; `None` in other phases.
    pub fn of_phase(g: &State) -> Option<Fires> {
        Some(match g.phase {
            Phase::Offensive => Fires::phase(g.phasing, Volley::Offensive(Volume::Full)),
            Phase::Defensive => Fires::phase(g.phasing.enemy(), Volley::Defensive(Volume::Full)),
            Phase::Advance => Fires::phase(g.phasing, Volley::Advance),
            _ => return None,
        })
    }
    /// Returns `true` if each shot of `fire all at best` is chosen in turn, as in a fire phase. In
    /// a reaction all shots are named before any is fired (9.F).
    pub fn chooses(&self) -> bool {
        self.bound.is_none()
    }
    /// Returns the best shots of the units without one in `shots`.
    pub fn rest(&self, g: &State, shots: &[Shot], least: u32) -> Vec<Shot> {
        let mut all = self.best(g, least);
        all.retain(|shot| !shots.iter().any(|other| other.who == shot.who));
        all
    }
    /// Returns the best remaining shot with at least this chance; units that have fired have none.
    fn next(&self, g: &State, least: u8) -> Option<Fair> {
        let (u, at, _) = Fires::best_of(&self.apt(g), least.into()).into_iter().next()?;
        self.may(g, u, at, self.only_half(g, u)).ok()
    }
    /// Returns why no unit has a shot with the wanted chance: the chance of the best one.
    fn no_such(&self, g: &State) -> String {
        match self.apt(g).first() {
            None => "Nobody has a shot that can have an effect.".to_owned(),
            Some(&(u, at, (_, losses))) => format!(
                "Nobody has such a shot: the best, {} at {}, costs a point in {} of a hundred.",
                g.name(u),
                at.name(g),
                u32::from(losses) * 100 / 36
            ),
        }
    }
    /// Returns the best shot of each unit among these shots, which are sorted best first.
    fn best_of(apt: &[Apt], least: u32) -> Vec<Apt> {
        let mut shots: Vec<Apt> = Vec::new();
        for &(u, at, chances) in apt {
            // A shot that only matters on a natural 2 must be named.
            let hits = chances.0 > 0 && u32::from(chances.1) * 100 >= least * 36;
            if hits && !shots.iter().any(|shot| shot.0 == u) {
                shots.push((u, at, chances));
            }
        }
        shots
    }
    /// Returns the chance of a Casualty Point for each shot in percent, and the expected number of
    /// hits.
    fn expected(shots: &[Apt], g: &State) -> String {
        let each: Vec<String> = shots
            .iter()
            .map(|&(u, at, (_, losses))| format!("{} at {} {}%", g.name(u), at.name(g), u32::from(losses) * 100 / 36))
            .collect();
        let sum: u32 = shots.iter().map(|shot| u32::from(shot.2.1)).sum();
        // Tenths, rounded.
        let tenths = (sum * 10 + 18) / 36;
        format!("{}; {}.{} of {} cost a point on average", each.join(", "), tenths / 10, tenths % 10, shots.len())
    }
    fn kind_of(&self) -> Ask {
        match self.volley {
            Volley::Offensive(_) => Ask::OffensiveFire,
            Volley::Defensive(_) => Ask::DefensiveFire,
            Volley::Advance => Ask::AdvanceFire,
            Volley::Opportunity(_) => Ask::OpportunityFire,
            Volley::Retreat(_) => Ask::RetreatFire,
            Volley::HitAndRun => Ask::HitAndRun,
        }
    }
    /// Returns a description of a shot for lists: firer, target, strength, row of the table,
    /// modifiers and chances.
    fn note(&self, g: &State, u: UnitId, at: Target, (checks, losses): (u8, u8)) -> String {
        let Some(to) = at.hex(g) else { return String::new() };
        let volley = self.at(self.only_half(g, u));
        let drm = fire::modifiers(g, u, at);
        let (strength, _) = fire::strength(g, u, to, volley);
        let column = fire::column(g, u, to, volley).map_or("-", |column| &*g.c.fire_columns[column].id);
        let far = g.hex(u).is_some_and(|from| g.charts.grid.distance(from, to) > 1);
        let line = fire::thresholds(g, u, to, volley).map_or(String::new(), |least| fire::line(least, far));
        let percent = |n: u8| u32::from(n) * 100 / 36;
        let (who, whom) = (g.short(u), at.short(g));
        let range = if far { ", long range" } else { "" };
        let leader = if fire::endangers_leader(g, u, to) { "; a natural 2 checks a Leader" } else { "" };
        format!(
            "{who} at {whom}, {}: strength {strength}{range}, column {column} ({line}), {drm}; check {}%, loss {}%{leader}",
            g.id(to),
            percent(checks),
            percent(losses)
        )
    }
    /// Returns the hexes of the units with effective shots, and of their targets.
    fn hexes(&self, g: &State) -> Vec<Hex> {
        let mut hexes: Vec<Hex> = Vec::new();
        for (u, at, _) in self.apt(g) {
            hexes.extend(g.hex(u).into_iter().chain(at.hex(g)).filter(|hex| !hexes.contains(hex)).collect::<Vec<_>>());
        }
        hexes
    }
}

/// A player's answer to a fire question.
#[derive(Clone, Debug)]
pub enum Answer {
    Done,
    Standing(Order),
    /// These shots, and then the best shots of all other units with at least this chance of a
    /// Casualty Point, in percent.
    Shots(Vec<Fair>, Option<u8>),
}

impl Prompt<RosebudCreek> for Fires {
    type Answer = Answer;
    fn kind(&self) -> Ask {
        self.kind_of()
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Answer, Refusal> {
        let (shots, best) = match order {
            Order::Done {} => return Ok(Answer::Done),
            Order::Doctrine { about, how } if self.bound.is_none() => {
                standing::check(g, self.side, about, how)?;
                return Ok(Answer::Standing(order.clone()));
            }
            Order::Fire { shots, best } if best.is_none() || self.chooses() => (shots, *best),
            _ => return refuse(self.rule(), "Here units fire: fire 3a at h1, or done."),
        };
        let mut all: Vec<Fair> = Vec::new();
        for shot in shots {
            let Some((u, at)) = g.c.unit(&shot.who).zip(fire::target_named(g, &shot.at)) else {
                return refuse("9.A", format!("There is no {} or no {} on the map.", shot.who, shot.at));
            };
            if all.iter().any(|other| other.who == u) {
                return refuse("9.A", format!("{} fires once.", shot.who));
            }
            all.push(self.may(g, u, at, shot.half)?);
        }
        let none = all.is_empty() && best.is_none_or(|least| self.best(g, least.into()).is_empty());
        if none { refuse(self.rule(), self.no_such(g)) } else { Ok(Answer::Shots(all, best)) }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let title = match self.volley {
            Volley::Offensive(_) => "Offensive Fire",
            Volley::Defensive(_) => "Defensive Fire",
            Volley::Advance => "Advance Fire, at half strength",
            Volley::Opportunity(_) => "Opportunity Fire, at half strength",
            Volley::Retreat(_) => "Retreat Fire",
            Volley::HitAndRun => "Fire at a Hit & Run attack",
        };
        let mut firers: Vec<UnitId> = Vec::new();
        for (u, ..) in self.apt(g) {
            if !firers.contains(&u) {
                firers.push(u);
            }
        }
        let line = format!("Who can hit: {}. Each fires once, in the order that you name.", g.all_called(&firers));
        let title = if self.bound.is_none() { format!("{title}, turn {}", g.turn) } else { title.to_owned() };
        let d = Description::new(title, self.rule()).line(line).drawing(view::around(g, &self.hexes(g)));
        let d = match self.volley {
            Volley::Offensive(_) => d.line("Who fires cannot move; `half` keeps half of the movement."),
            Volley::Advance => d.line("Who fires into a hex can attack only that hex in melee."),
            _ => d,
        };
        d.few(4)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::fire(g, self).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::fire(g, self).say(order)
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        facts::shots(g, self, order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::fire(g, self);
        let apt = self.apt(g);
        let best = Fires::best_of(&apt, 0);
        let volley = (best.len() > 1).then(|| {
            let note = format!("the best shot of each: {}", Fires::expected(&best, g));
            let shots = || best.iter().map(|&(u, at, _)| self.shot(g, u, at)).collect();
            let order = match self.chooses() {
                true => Order::Fire { shots: Vec::new(), best: Some(0) },
                false => Order::fire(shots()),
            };
            Choice::said(order, &grammar).note(note)
        });
        let shots = apt.into_iter().map(|(u, at, chances)| {
            let order = Order::fire(vec![self.shot(g, u, at)]);
            Choice::said(order, &grammar).note(self.note(g, u, at, chances))
        });
        [Choice::said(Order::Done {}, &grammar)].into_iter().chain(volley).chain(shots).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        if self.bound.is_none() && below(40) == 0 {
            return Some(standing::sample(below));
        }
        let shots = self.apt(g);
        if shots.is_empty() || below(6) == 0 {
            return Some(Order::Done {});
        }
        let (u, at, _) = shots[below(shots.len() as u32) as usize];
        let mut shot = self.shot(g, u, at);
        if matches!(self.volley, Volley::Offensive(_)) && below(2) == 0 {
            shot.half = true;
        }
        let best = (self.chooses() && below(4) == 0).then(|| below(12) as u8);
        Some(Order::Fire { shots: vec![shot], best })
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// Asks for the shots of a reaction, and returns them with their types of fire.
pub async fn answer(t: &T, g: &mut State, prompt: Fires) -> Vec<(UnitId, UnitId, Volley)> {
    let seat = g.seat(prompt.side);
    match t.ask(g, seat, prompt).await {
        Answer::Shots(shots, _) => shots
            .into_iter()
            .filter_map(
                |Fair { who, at, volley }| if let Target::Unit(at) = at { Some((who, at, volley)) } else { None },
            )
            .collect(),
        _ => Vec::new(),
    }
}

/// Runs a fire phase of a side; at its end, Holders may replace losses (4.B, 4.D, 4.E, 8.D.2).
pub async fn phase(t: &T, g: &mut State, side: Side, phase: Phase, volley: Volley) {
    shots(t, g, side, phase, volley).await;
    horses::replacements(t, g).await;
}

/// Resolves the shots one by one. A side without an effective shot is not asked.
async fn shots(t: &T, g: &mut State, side: Side, phase: Phase, volley: Volley) {
    g.phase = phase;
    g.fresh_phase();
    if phase == Phase::Advance {
        let aims = std::mem::take(&mut g.aims);
        for (u, target) in aims.into_iter().filter(|aim| g.side(aim.0) == side).collect::<Vec<_>>() {
            match Fires::phase(side, volley).may(g, u, Target::Unit(target), false) {
                Ok(fair) => discharge(t, g, fair).await,
                Err(why) => t.tell(|| format!("{} not fire: {}", g.does(u, "does"), why.why)),
            }
        }
    }
    loop {
        let prompt = Fires::phase(side, volley);
        if prompt.is_idle(g) {
            return;
        }
        match asking::settled(t, g, side, prompt).await {
            Answer::Done => return,
            Answer::Standing(order) => standing::set(t, g, side, &order),
            Answer::Shots(shots, best) => {
                for fair in shots {
                    let Fair { who, at, volley } = fair;
                    // Shots that earlier results have made impossible are skipped.
                    let half = volley.halves() == 1 && volley != Volley::Advance;
                    if Fires::phase(side, volley).may(g, who, at, half).is_err() {
                        t.tell(|| format!("{} not fire: the target is gone.", g.does(who, "does")));
                        continue;
                    }
                    discharge(t, g, fair).await;
                }
                while let Some(fair) = best.and_then(|least| Fires::phase(side, volley).next(g, least)) {
                    discharge(t, g, fair).await;
                }
            }
        }
    }
}

/// Resolves one shot of a fire phase, and records it for the unit (4.B, 10.B).
async fn discharge(t: &T, g: &mut State, Fair { who, at, volley }: Fair) {
    let hex = at.hex(g);
    let did = &mut g.unit_mut(who).did;
    did.fired = Some(if volley.halves() == 1 { Volume::Half } else { Volume::Full });
    if volley == Volley::Advance {
        did.advance = hex;
    }
    fire::shoot(t, g, who, at, volley).await;
}
