//! Leaders (12): attachment, ratings, losses, replacements.

use super::{
    Ask, State, T,
    asking::{self, Asking, Named, choose},
    components::{Class, LeaderId, Num, Side, UnitId, Vp},
    doctrine::Will,
    state::{Spot, Wound},
};
use postrider_table::hex::Hex;

/// Returns the Leaders attached to a unit (12.A).
pub fn attached(g: &State, u: UnitId) -> impl Iterator<Item = LeaderId> + '_ {
    g.c.leader_ids().filter(move |&l| g.chief(l).with == Some(u) && g.chief(l).spot.hex().is_some())
}

/// Returns a Leader's current rating: that of the wounded side after a moderate wound, 0 after a
/// worse one (12.D.1).
pub fn rating(g: &State, l: LeaderId) -> i32 {
    match g.chief(l).wound {
        Wound::None => g.c[l].rating,
        Wound::Moderate => g.c[l].wounded[0].into(),
        Wound::Severe | Wound::Mortal => 0,
    }
}

/// Returns a Leader's Command Radius; `None` while he is Pinned (9.D.2) or severely or mortally
/// wounded (3.G).
pub fn radius(g: &State, l: LeaderId) -> Option<u16> {
    let chief = g.chief(l);
    match chief.wound {
        _ if chief.pinned => None,
        Wound::None => Some(g.c[l].radius),
        Wound::Moderate => Some(g.c[l].wounded[1].into()),
        Wound::Severe | Wound::Mortal => None,
    }
}

/// Returns `true` if a hex is within a Leader's Command Radius; while he is Pinned that is his own
/// hex (3.G, 9.D.2).
pub fn commands(g: &State, l: LeaderId, hex: Hex) -> bool {
    let far = g.chief(l).spot.hex().map(|at| g.charts.grid.distance(at, hex));
    !is_badly_hurt(g, l) && far.is_some_and(|far| far <= radius(g, l).unwrap_or(0))
}

/// Sets the Pinned state of the Leaders attached to a unit (12.A).
pub fn pin(g: &mut State, u: UnitId, pinned: bool) {
    for l in attached(g, u).collect::<Vec<_>>() {
        // 12.E.2: the HQ staff is always active.
        g.chief_mut(l).pinned = pinned && !is_staff(g, l);
    }
}

/// Removes the Pinned state of a side's Leaders, after its units have rallied (13.B).
pub fn recover(t: &T, g: &mut State, side: Side) {
    for l in g.c.leader_ids().filter(|&l| g.c[l].side == side && g.chief(l).pinned).collect::<Vec<_>>() {
        g.chief_mut(l).pinned = false;
        t.tell(|| format!("{} is no longer Pinned.", g.c[l].id));
    }
}

/// Returns `true` if a Leader is mortally or severely wounded, and so cannot lead (12.D.1).
pub fn is_badly_hurt(g: &State, l: LeaderId) -> bool {
    g.chief(l).wound.index() >= Wound::Severe.index()
}

/// Returns the Leader whose rating applies: the senior one who can lead (12.D.1), or the best for
/// Indians (12.A).
pub fn senior(g: &State, leaders: impl Iterator<Item = LeaderId>) -> Option<LeaderId> {
    leaders.filter(|&l| !is_badly_hurt(g, l)).min_by_key(|&l| (g.c[l].rank, -rating(g, l), l))
}

/// Returns the Leader whose rating applies to a unit's Morale Checks, with the rating: the one
/// attached to it (12.A), or the best within whose Command Radius a Pinned or Routed unit is (3.G).
pub fn of_unit(g: &State, u: UnitId) -> Option<(LeaderId, i32)> {
    let (at, unit) = (g.hex(u)?, g.unit(u));
    let near = |&l: &LeaderId| g.c[l].side == g.side(u) && g.chief(l).with != Some(u) && commands(g, l, at);
    let others = g.c.leader_ids().filter(|l| (unit.pinned || unit.routed) && near(l));
    let all = senior(g, attached(g, u)).into_iter().chain(others);
    all.map(|l| (l, rating(g, l))).min_by_key(|&(_, rating)| -rating)
}

/// Attaches each Leader in a hex with units: to his previous unit, or else the largest (12.A).
pub fn settle(g: &mut State, hex: Hex) {
    for l in g.leaders_in(hex).collect::<Vec<_>>() {
        let stays = g.chief(l).with.is_some_and(|u| g.hex(u) == Some(hex));
        if !stays {
            g.chief_mut(l).with = largest(g, hex, g.c[l].side, None);
        }
    }
}

/// Like [`settle`], and reports new attachments.
pub fn join(t: &T, g: &mut State, hex: Hex) {
    let there: Vec<(LeaderId, Option<UnitId>)> = g.leaders_in(hex).map(|l| (l, g.chief(l).with)).collect();
    settle(g, hex);
    for (l, before) in there {
        if let Some(u) = g.chief(l).with.filter(|&u| before != Some(u) && !is_staff(g, l)) {
            attach(t, g, l, u);
        }
    }
}

/// Attaches a Leader to a unit and reports it.
fn attach(t: &T, g: &mut State, l: LeaderId, u: UnitId) {
    g.chief_mut(l).with = Some(u);
    t.tell(|| format!("{} joins {}.", g.c[l].id, g.the(u)));
}

/// Returns the unit in a hex that a Leader joins: the largest, preferably not a Holder. `but` is
/// left out.
pub fn largest(g: &State, hex: Hex, side: Side, but: Option<UnitId>) -> Option<UnitId> {
    let others = g.of_side(hex, side).filter(|&u| Some(u) != but && !g.unit(u).abandoned);
    others.max_by_key(|&u| (!g.class(u).is_holder(), !g.unit(u).routed, g.cf(u), std::cmp::Reverse(u)))
}

/// Returns `true` for the HQ staff, which is the reverse side of the Column HQ counter (12.E.2).
pub fn is_staff(g: &State, l: LeaderId) -> bool {
    g.charts.staff == Some(l)
}

/// Returns the unit that a Leader joins when his unit leaves its hex by a result or is Pinned;
/// `None` if he stays with it (12.A). `largest` is the choice of the doctrine.
async fn joins(
    t: &T,
    g: &mut State,
    l: LeaderId,
    (u, hex): (UnitId, Hex),
    why: &str,
    largest: Option<UnitId>,
) -> Option<UnitId> {
    let will = g.doctrine[g.side(u).index()].leaders;
    // A player who is asked may also choose a Holder; the doctrine never does.
    let fit = |&o: &UnitId| o != u && (will == Will::Ask || !g.class(o).is_holder()) && !g.unit(o).abandoned;
    let others: Vec<UnitId> = g.of_side(hex, g.side(u)).filter(fit).collect();
    match will {
        _ if others.is_empty() || is_staff(g, l) => None,
        Will::No => None,
        Will::Yes => largest,
        Will::Ask => {
            let line = format!("{} is attached to {}, which {why} {}.", g.c[l].id, g.name(u), g.id(hex));
            named(t, g, l, &others, Some(Named::new("stay with it", None)), line).await
        }
    }
}

/// Asks the owner which of these units a Leader joins, or if he stays (12.A).
async fn named(
    t: &T,
    g: &mut State,
    l: LeaderId,
    others: &[UnitId],
    stays: Option<Named<Option<UnitId>>>,
    line: String,
) -> Option<UnitId> {
    let asking = Asking { kind: Ask::Leader, rule: "12.A", title: "Whom a Leader goes with" };
    let all = stays.into_iter().chain(others.iter().map(|&o| asking::unit(g, o, Some(o)))).collect();
    choose(t, g, g.seat(g.c[l].side), asking, all, move |_| line.clone()).await.value
}

/// Returns the Leaders who go along with a unit that leaves its hex by a result; the others join
/// another unit there (12.A).
pub async fn part(t: &T, g: &mut State, u: UnitId, hex: Hex) -> Vec<LeaderId> {
    let mut along = Vec::new();
    for l in attached(g, u).collect::<Vec<_>>() {
        let natural = largest(g, hex, g.side(u), Some(u));
        match joins(t, g, l, (u, hex), "leaves", natural).await {
            Some(o) => attach(t, g, l, o),
            None => along.push(l),
        }
    }
    along
}

/// Lets each Leader of a unit that is Pinned or Routed where it stands join another unit in the hex
/// (12.A). By doctrine he only joins a unit that is neither.
pub async fn leave(t: &T, g: &mut State, u: UnitId, why: &str) {
    let Some(hex) = g.hex(u) else { return };
    for l in attached(g, u).collect::<Vec<_>>() {
        let fit = |&o: &UnitId| {
            let unit = g.unit(o);
            o != u && !g.class(o).is_holder() && !unit.abandoned && !unit.pinned && !unit.routed
        };
        let natural = g.of_side(hex, g.side(u)).filter(fit).max_by_key(|&o| (g.cf(o), std::cmp::Reverse(o)));
        if let Some(o) = joins(t, g, l, (u, hex), why, natural).await {
            attach(t, g, l, o);
        }
    }
}

/// Handles the Leaders of a unit that is no longer there: they join another one in the hex, as the
/// owner says if he is asked, or are alone (12.A); in melee they are killed (12.D.5).
pub async fn bereft(t: &T, g: &mut State, u: UnitId, melee: bool) {
    for l in g.c.leader_ids().filter(|&l| g.chief(l).with == Some(u)).collect::<Vec<_>>() {
        g.chief_mut(l).with = None;
        if melee || is_staff(g, l) {
            kill(t, g, l);
        } else if let Some(hex) = g.chief(l).spot.hex() {
            let side = g.side(u);
            let others: Vec<UnitId> = g.of_side(hex, side).filter(|&o| !g.unit(o).abandoned).collect();
            let joined = match g.doctrine[side.index()].leaders {
                Will::Ask if !others.is_empty() => {
                    let line = format!("{} in {} was attached to {}, which is gone.", g.c[l].id, g.id(hex), g.name(u));
                    named(t, g, l, &others, None, line).await
                }
                _ => largest(g, hex, side, None),
            };
            joined.into_iter().for_each(|o| attach(t, g, l, o));
        }
    }
}

/// Kills Leaders who are alone in a hex that enemies enter (12.D.5).
pub fn overrun(t: &T, g: &mut State, hex: Hex, by: Side) {
    for l in g.leaders_in(hex).filter(|&l| g.c[l].side != by).collect::<Vec<_>>() {
        t.tell(|| format!("{} is alone in {} and is overrun.", g.c[l].id, g.id(hex)));
        kill(t, g, l);
    }
}

/// Checks one random Leader of a side in a hex for loss (9.E, 12.D.1, 12.D.4).
pub async fn one_in_hex(t: &T, g: &mut State, hex: Hex, side: Side) {
    let there: Vec<LeaderId> = g.leaders_in(hex).filter(|&l| g.c[l].side == side).collect();
    if !there.is_empty() {
        let l = there[t.draw("leader", there.len())];
        check(t, g, l);
    }
}

/// Makes a Leader Loss Check, and rolls for the severity of a wound (12.D).
pub fn check(t: &T, g: &mut State, l: LeaderId) {
    let dice = t.d6("leader loss") + t.d6("leader loss");
    let result = g.charts.leader_loss.at(dice as i32).clone();
    t.tell(|| format!("{} is checked for loss: {dice}: {result}.", g.c[l].id));
    match &*result {
        "killed" => kill(t, g, l),
        "wounded" => {
            let die = t.d6("wound");
            let severity = g.charts.wound.at(die as i32).clone();
            t.tell(|| format!("His wound: {die}: {severity}."));
            match &*severity {
                "mortal" => hurt(t, g, l, Wound::Mortal),
                "severe" => hurt(t, g, l, Wound::Severe),
                "moderate" => hurt(t, g, l, Wound::Moderate),
                _ => {}
            }
        }
        _ => {}
    }
}

fn hurt(t: &T, g: &mut State, l: LeaderId, wound: Wound) {
    let old = g.chief(l).wound;
    if wound.index() <= old.index() {
        return;
    }
    let before = commander(g);
    g.chief_mut(l).wound = wound;
    if wound == Wound::Mortal {
        let die = t.d6("mortal wound");
        // The die is at most 6 and the turn below 20, so this cannot overflow.
        g.chief_mut(l).dies = Some(g.turn + die as u8);
        t.tell(|| {
            format!(
                "A die of {die}: he dies in the Rally Phase of turn {} unless he is brought to safety.",
                i64::from(g.turn) + die
            )
        });
    }
    if old.index() < Wound::Severe.index() && wound.index() >= Wound::Severe.index() {
        vacancy(g, l);
    }
    award(g, l, false);
    succeeds(t, g, before);
}

/// Awards the VPs for a Leader; killed VPs replace wounded VPs (12.D.1).
fn award(g: &mut State, l: LeaderId, killed: bool) {
    let crook = g.c[l].rank == 1;
    let vp = match (g.c[l].side, crook, killed) {
        (Side::Indian, _, true) => Vp::IndianLeaderKilled,
        (Side::Indian, _, false) => Vp::IndianLeaderWounded,
        (Side::Us, true, true) => Vp::CrookKilled,
        (Side::Us, true, false) => Vp::CrookWounded,
        (Side::Us, false, true) => Vp::UsLeaderKilled,
        (Side::Us, false, false) => Vp::UsLeaderWounded,
    };
    let (points, scored) = (g.c.vp(vp), g.chief(l).scored);
    g.score(g.c[l].side.enemy(), points - scored, "17");
    g.chief_mut(l).scored = points;
}

/// Makes a Lieutenant available as a replacement, except for the HQ staff (12.D.6, 12.E.2).
fn vacancy(g: &mut State, l: LeaderId) {
    if g.c[l].side == Side::Us && !is_staff(g, l) {
        g.lieutenants_due += 1;
    }
}

/// Kills a Leader (12.D).
pub fn kill(t: &T, g: &mut State, l: LeaderId) {
    if g.chief(l).spot == Spot::Dead {
        return;
    }
    let replaced = g.chief(l).wound.index() >= Wound::Severe.index();
    let before = commander(g);
    t.tell(|| format!("{} is killed.", g.c[l].id));
    let chief = g.chief_mut(l);
    (chief.spot, chief.with, chief.dies) = (Spot::Dead, None, None);
    award(g, l, true);
    if !replaced {
        vacancy(g, l);
    }
    succeeds(t, g, before);
}

/// Tells who commands the US after a loss, if that has changed (12.D.6).
fn succeeds(t: &T, g: &State, before: Option<LeaderId>) {
    if let Some(next) = commander(g).filter(|&next| before != Some(next)) {
        t.tell(|| format!("{} commands the US now (12.D.6).", g.c[next].id));
    }
}

/// Returns the US commander: the senior Leader on the map who can command (12.D.6).
fn commander(g: &State) -> Option<LeaderId> {
    let fit = |l: &LeaderId| g.c[*l].side == Side::Us && g.chief(*l).spot.hex().is_some();
    senior(g, g.c.leader_ids().filter(fit))
}

/// Returns the Lieutenants who are available but not in play (12.D.6).
pub fn lieutenants(g: &State) -> Vec<LeaderId> {
    let waits = |l: &LeaderId| g.c[*l].id.starts_with("Lieutenant") && g.chief(*l).spot == Spot::Pool;
    g.c.leader_ids().filter(waits).take(usize::from(g.lieutenants_due.min(g.c.n(Num::Replacements) as u8))).collect()
}

/// Returns `true` if a mortally wounded Leader is safe: with the Column HQ or a Pack Train, or for
/// Indians off the map (12.D.1).
pub fn is_safe(g: &State, l: LeaderId) -> bool {
    match g.chief(l).spot {
        Spot::On(hex) => {
            let haven = |u: UnitId| matches!(g.class(u), Class::Hq | Class::Train) && !g.unit(u).abandoned;
            g.c[l].side == Side::Us && g.of_side(hex, Side::Us).any(haven)
        }
        Spot::Off => g.c[l].side == Side::Indian,
        _ => false,
    }
}

/// Resolves mortal wounds in a side's Rally Phase (12.D.1).
pub fn mortal(t: &T, g: &mut State, side: Side) {
    for l in g.c.leader_ids().filter(|&l| g.c[l].side == side).collect::<Vec<_>>() {
        let Some(dies) = g.chief(l).dies else { continue };
        if is_safe(g, l) {
            surgeon(t, g, l);
        } else if g.turn >= dies {
            kill(t, g, l);
        }
    }
}

/// Makes one Rally roll without modifiers: the Leader survives, severely wounded, or dies (12.D.1).
pub fn surgeon(t: &T, g: &mut State, l: LeaderId) {
    let die = t.d6("mortal wound");
    let lives = die >= i64::from(g.c.n(Num::RallyYes));
    t.tell(|| {
        format!(
            "{}, mortally wounded, is cared for: {die}: {}.",
            g.c[l].id,
            if lives { "he will live" } else { "he dies" }
        )
    });
    if lives {
        let chief = g.chief_mut(l);
        (chief.dies, chief.wound) = (None, Wound::Severe);
    } else {
        kill(t, g, l);
    }
}
