//! Leaders (12): attachment, ratings, losses, replacements.

use super::{
    Ask, State, T,
    asking::{self, Asking, Named, choose},
    components::{Class, LeaderId, Num, Side, UnitId, Vp},
    doctrine::Will,
    state::{Spot, Wound},
};
use postrider_table::hex::Hex;

/// 12.A: Leaders attached to a unit.
pub fn attached(g: &State, u: UnitId) -> impl Iterator<Item = LeaderId> + '_ {
    g.c.leader_ids().filter(move |&l| g.chief(l).with == Some(u) && g.chief(l).spot.hex().is_some())
}

/// His rating now: that of the reverse side after a moderate wound, none after a worse one (12.D.1).
pub fn rating(g: &State, l: LeaderId) -> i32 {
    match g.chief(l).wound {
        Wound::None => g.c[l].rating,
        Wound::Moderate => g.c[l].wounded[0].into(),
        Wound::Severe | Wound::Mortal => 0,
    }
}

/// 3.G: his Command Radius; none while he is Pinned (9.D.2) or badly wounded.
pub fn radius(g: &State, l: LeaderId) -> Option<u16> {
    let chief = g.chief(l);
    match chief.wound {
        _ if chief.pinned => None,
        Wound::None => Some(g.c[l].radius),
        Wound::Moderate => Some(g.c[l].wounded[1].into()),
        Wound::Severe | Wound::Mortal => None,
    }
}

/// 12.A: those who are with a unit are Pinned with it, or not any more.
pub fn pin(g: &mut State, u: UnitId, pinned: bool) {
    for l in attached(g, u).collect::<Vec<_>>() {
        // 12.E.2: the staff is always active.
        g.chief_mut(l).pinned = pinned && !is_staff(g, l);
    }
}

/// 13.B: the Leaders of a side recover, after everybody else.
pub fn recover(t: &T, g: &mut State, side: Side) {
    for l in g.c.leader_ids().filter(|&l| g.c[l].side == side && g.chief(l).pinned).collect::<Vec<_>>() {
        g.chief_mut(l).pinned = false;
        t.tell(|| format!("{} is no longer Pinned.", g.c[l].id));
    }
}

/// 12.D.1: `true` if he is mortally or severely wounded, so that he leads nobody.
pub fn is_badly_hurt(g: &State, l: LeaderId) -> bool {
    g.chief(l).wound.index() >= Wound::Severe.index()
}

/// 12.A: of some Leaders the one whose rating counts: the senior who can lead (12.D.1), of Indians the best.
pub fn senior(g: &State, leaders: impl Iterator<Item = LeaderId>) -> Option<LeaderId> {
    leaders.filter(|&l| !is_badly_hurt(g, l)).min_by_key(|&l| (g.c[l].rank, -rating(g, l), l))
}

/// 12.A: what the Leader attached to a unit adds, with his name.
pub fn of_unit(g: &State, u: UnitId) -> Option<(LeaderId, i32)> {
    senior(g, attached(g, u)).map(|l| (l, rating(g, l)))
}

/// 12.A: who stands in a hex with units is attached to one of them: as he was, else to the largest.
pub fn settle(g: &mut State, hex: Hex) {
    for l in g.leaders_in(hex).collect::<Vec<_>>() {
        let stays = g.chief(l).with.is_some_and(|u| g.hex(u) == Some(hex));
        if !stays {
            g.chief_mut(l).with = largest(g, hex, g.c[l].side, None);
        }
    }
}

/// The same where it is told whom a Leader joins.
pub fn join(t: &T, g: &mut State, hex: Hex) {
    let there: Vec<(LeaderId, Option<UnitId>)> = g.leaders_in(hex).map(|l| (l, g.chief(l).with)).collect();
    settle(g, hex);
    for (l, before) in there {
        if let Some(u) = g.chief(l).with.filter(|&u| before != Some(u) && !is_staff(g, l)) {
            t.tell(|| format!("{} joins {}.", g.c[l].id, g.called(u)));
        }
    }
}

/// The unit of a hex that a Leader joins: the largest, not a holder if there is another one.
pub fn largest(g: &State, hex: Hex, side: Side, but: Option<UnitId>) -> Option<UnitId> {
    let others = g.of_side(hex, side).filter(|&u| Some(u) != but && !g.unit(u).abandoned);
    others.max_by_key(|&u| (!g.class(u).is_holder(), !g.unit(u).routed, g.cf(u), std::cmp::Reverse(u)))
}

/// `true` if he is the staff of the Column HQ, who is the unit's reverse side (12.E.2).
pub fn is_staff(g: &State, l: LeaderId) -> bool {
    g.charts.staff == Some(l)
}

/// 12.A: whom a Leader joins whose unit leaves its hex by a result, or is Pinned; `None` where he stays with it. `largest` is the
/// one that he joins by doctrine.
async fn joins(
    t: &T,
    g: &mut State,
    l: LeaderId,
    (u, hex): (UnitId, Hex),
    why: &str,
    largest: Option<UnitId>,
) -> Option<UnitId> {
    let will = g.doctrine[g.side(u).index()].leaders;
    // Who is asked may name a Holder too; doctrine sends nobody there.
    let fit = |&o: &UnitId| o != u && (will == Will::Ask || !g.class(o).is_holder()) && !g.unit(o).abandoned;
    let others: Vec<UnitId> = g.of_side(hex, g.side(u)).filter(fit).collect();
    match will {
        _ if others.is_empty() || is_staff(g, l) => None,
        Will::No => None,
        Will::Yes => largest,
        Will::Ask => {
            let asking = Asking { kind: Ask::Leader, rule: "12.A", title: "Whom a Leader goes with" };
            let stays = Named::new("stay with it", None);
            let all = others.iter().map(|&o| asking::unit(g, o, Some(o)));
            let all: Vec<_> = std::iter::once(stays).chain(all).collect();
            let line = format!("{} is attached to {}, which {why} {}.", g.c[l].id, g.name(u), g.id(hex));
            choose(t, g, g.seat(g.side(u)), asking, all, move |_| line.clone()).await.value
        }
    }
}

/// 12.A: a unit leaves its hex by a result: each of its Leaders goes along, or joins another unit there.
pub async fn part(t: &T, g: &mut State, u: UnitId, hex: Hex) -> Vec<LeaderId> {
    let mut along = Vec::new();
    for l in attached(g, u).collect::<Vec<_>>() {
        let natural = largest(g, hex, g.side(u), Some(u));
        match joins(t, g, l, (u, hex), "leaves", natural).await {
            Some(o) => {
                g.chief_mut(l).with = Some(o);
                t.tell(|| format!("{} joins {}.", g.c[l].id, g.called(o)));
            }
            None => along.push(l),
        }
    }
    along
}

/// 12.A: a unit is Pinned: each of its Leaders is Pinned with it, or joins another unit of the hex at once; by doctrine only one that can
/// use him, neither Pinned nor Routed.
pub async fn leave_pinned(t: &T, g: &mut State, u: UnitId) {
    let Some(hex) = g.hex(u) else { return };
    for l in attached(g, u).collect::<Vec<_>>() {
        let fit = |&o: &UnitId| {
            let unit = g.unit(o);
            o != u && !g.class(o).is_holder() && !unit.abandoned && !unit.pinned && !unit.routed
        };
        let natural = g.of_side(hex, g.side(u)).filter(fit).max_by_key(|&o| (g.cf(o), std::cmp::Reverse(o)));
        if let Some(o) = joins(t, g, l, (u, hex), "is Pinned in", natural).await {
            g.chief_mut(l).with = Some(o);
            t.tell(|| format!("{} joins {}.", g.c[l].id, g.called(o)));
        }
    }
}

/// A unit has gone for good: its Leaders join another one in the hex, or stand alone; in melee they die with it (12.D.5).
pub fn bereft(t: &T, g: &mut State, u: UnitId, melee: bool) {
    for l in g.c.leader_ids().filter(|&l| g.chief(l).with == Some(u)).collect::<Vec<_>>() {
        g.chief_mut(l).with = None;
        if melee || is_staff(g, l) {
            kill(t, g, l);
        } else if let Some(hex) = g.chief(l).spot.hex() {
            join(t, g, hex);
        }
    }
}

/// 12.D.5: enemies come into a hex where Leaders are alone.
pub fn overrun(t: &T, g: &mut State, hex: Hex, by: Side) {
    for l in g.leaders_in(hex).filter(|&l| g.c[l].side != by).collect::<Vec<_>>() {
        t.tell(|| format!("{} is alone in {} and is overrun.", g.c[l].id, g.id(hex)));
        kill(t, g, l);
    }
}

/// 9.E, 12.D.1, 12.D.4: one Leader of a side in a hex, at random, is checked.
pub async fn one_in_hex(t: &T, g: &mut State, hex: Hex, side: Side) {
    let there: Vec<LeaderId> = g.leaders_in(hex).filter(|&l| g.c[l].side == side).collect();
    if !there.is_empty() {
        let l = there[t.draw("leader", there.len())];
        check(t, g, l);
    }
}

/// 12.D: Leader Loss Check, and how severe a wound is.
pub fn check(t: &T, g: &mut State, l: LeaderId) {
    let dice = t.roll("leader loss", 1, 6) + t.roll("leader loss", 1, 6);
    let result = g.charts.leader_loss.at(dice as i32).clone();
    t.tell(|| format!("{} is checked for loss: {dice}: {result}.", g.c[l].id));
    match &*result {
        "killed" => kill(t, g, l),
        "wounded" => {
            let die = t.roll("wound", 1, 6);
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
    g.chief_mut(l).wound = wound;
    if wound == Wound::Mortal {
        let die = t.roll("mortal wound", 1, 6);
        // A die of 6, a turn below 20.
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
}

/// 12.D.1: killed VPs replace wounded ones.
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
    g.score(g.c[l].side.enemy(), points - scored);
    g.chief_mut(l).scored = points;
}

/// 12.D.6: a Lieutenant may take his place; not that of the HQ's (12.E.2).
fn vacancy(g: &mut State, l: LeaderId) {
    if g.c[l].side == Side::Us && !is_staff(g, l) {
        g.lieutenants_due += 1;
    }
}

/// 12.D: a Leader dies.
pub fn kill(t: &T, g: &mut State, l: LeaderId) {
    if g.chief(l).spot == Spot::Dead {
        return;
    }
    let replaced = g.chief(l).wound.index() >= Wound::Severe.index();
    let commands = commander(g) == Some(l);
    t.tell(|| format!("{} is killed.", g.c[l].id));
    let chief = g.chief_mut(l);
    (chief.spot, chief.with, chief.dies) = (Spot::Dead, None, None);
    award(g, l, true);
    if !replaced {
        vacancy(g, l);
    }
    if commands && let Some(next) = commander(g) {
        t.tell(|| format!("{} commands the US now (12.D.6).", g.c[next].id));
    }
}

/// Returns the US commander: the senior Leader on the map who can command (12.D.6).
fn commander(g: &State) -> Option<LeaderId> {
    let fit = |l: &LeaderId| {
        let chief = g.chief(*l);
        g.c[*l].side == Side::Us && chief.spot.hex().is_some() && chief.wound.index() < Wound::Severe.index()
    };
    senior(g, g.c.leader_ids().filter(fit))
}

/// The Lieutenants who have not come yet (12.D.6).
pub fn lieutenants(g: &State) -> Vec<LeaderId> {
    let waits = |l: &LeaderId| g.c[*l].id.starts_with("Lieutenant") && g.chief(*l).spot == Spot::Pool;
    g.c.leader_ids().filter(waits).take(usize::from(g.lieutenants_due.min(g.c.n(Num::Replacements) as u8))).collect()
}

/// `true` if a mortally wounded Leader is safe (12.D.1): with the Column HQ or a Pack Train, of
/// Indians off the map.
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

/// 12.D.1: what becomes of the mortally wounded in their side's Rally Phase.
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

/// 12.D.1: one bare Rally roll: he lives, severely wounded, or dies.
pub fn surgeon(t: &T, g: &mut State, l: LeaderId) {
    let die = t.roll("mortal wound", 1, 6);
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
