//! Engagements (12), and the special situations of the Enemies (13).
//!
//! This file has an engagement from ambush to end. It uses the [`sides`], the [`dice`], the
//! [`losses`], the [`offers`] of cards, and [`retreat`] and [`withdraw`](mod@withdraw). Before it
//! comes the [`limit`] of a region, and at its end the attack on [`wagons`].

pub mod dice;
pub mod limit;
pub mod losses;
pub mod odds;
pub mod offers;
pub mod retreat;
pub mod sides;
pub mod wagons;
pub mod withdraw;

use self::{
    dice::{Dice, roll, roll_both},
    losses::{Losses, lose, score},
    offers::{black_kettle, winter_campaign},
    retreat::{retreat, treaty},
    sides::{fighters, leader},
    wagons::attack_wagons,
    withdraw::withdraw,
};
use super::{
    Ask, T,
    asking::{Colour, Place},
    components::{Face, Faction, RegionId, Spot},
    movement::has_enemies,
    state::{Cubes, State, tell_cubes},
};
use postrider_table::Pick;

/// Ends movement (13, 4.4, 10.5), and resolves all waiting engagements in the order that the attacker
/// chooses (12). Those whose enemies have gone are dropped.
pub async fn engagements(t: &T, g: &mut State, active: Faction) {
    // Withdrawn cubes do not count against the limit, which may send the last Cavalry away.
    keep_peace(t, g, active).await;
    limit::keep_to_the_limit(t, g).await;
    keep_peace(t, g, active).await;
    let seat = g.owner(active);
    loop {
        let waiting = std::mem::take(&mut g.contested);
        let indian = active.is_indian();
        let waits = |r: &RegionId| g.region(*r).side(indian) > 0 && has_enemies(g, *r, indian);
        g.contested = waiting.into_iter().filter(waits).collect();
        let r = match g.contested[..] {
            [] => return,
            [only] => only,
            _ => {
                let among = g.contested.iter().map(|&r| Place(Spot::Region(r))).collect();
                let pick =
                    Pick::new(Ask::Engagement, "12.1.8", "Which engagement comes next", among).verbs(&["engage"]);
                match t.ask(g, seat, pick).await.0 {
                    Spot::Region(r) => r,
                    _ => g.contested[0],
                }
            }
        };
        g.contested.retain(|&other| other != r);
        engage(t, g, r, active).await;
        keep_peace(t, g, active).await;
    }
}

/// Separates Settlers and Enemies who are together without Cavalry (13). The faction that did not
/// move in withdraws; if the Cavalry has left them, the Settlers do.
async fn keep_peace(t: &T, g: &mut State, active: Faction) {
    if g.variant.may_mingle() {
        return;
    }
    for r in g.c.region_ids() {
        let here = *g.region(r);
        if here[Faction::Settlers] == 0 || here[Faction::Enemies] == 0 || here[Faction::Cavalry] > 0 {
            continue;
        }
        let came = g.moved[usize::from(r.0)][Faction::Settlers] > 0 || g.fx.settled == Some(r);
        let moved_in = came && active == Faction::Settlers;
        let goes = if moved_in { Faction::Enemies } else { Faction::Settlers };
        withdraw(t, g, r, goes).await;
    }
}

/// Resolves one engagement from ambush to end (12.1).
pub async fn engage(t: &T, g: &mut State, r: RegionId, active: Faction) -> Losses {
    let attacker = active.is_indian();
    let before = *g.region(r);
    t.tell(|| format!("Engagement in {}: {}.", g.name(r), tell_cubes(&before)));
    let mut rounds = Losses::default();
    if !attacker && before.indian() == 1 {
        rounds.add(ambush(t, g, r).await);
    }
    let out = sitting_out(t, g, r).await;
    let winter = winter_campaign(t, g, r, out).await;
    while fighters(g, r, true, out) > 0 && fighters(g, r, false, out) > 0 {
        let dice = Dice { out, winter, wagon: false };
        let [indian, us] = roll_both(t, g, r, dice);
        let struck = indian.treaties > 0 && us.treaties > 0;
        if struck || black_kettle(t, g, r).await {
            t.tell(|| format!("A Treaty in {} ends the engagement.", g.name(r)));
            treaty(t, g, r, attacker, out).await;
            score(t, g, rounds);
            leave_out(t, g, r, out).await;
            return rounds;
        }
        // The attacker removes losses and retreats first (12.1.4, 12.1.6).
        for side in [attacker, !attacker] {
            let (own, enemy) = if side { (&indian, &us) } else { (&us, &indian) };
            let lost = lose(t, g, r, side, enemy.hits, out).await;
            rounds.add(lost);
            // The engagement ends when no enemy is left (12.1.7).
            if fighters(g, r, !side, out) > 0 {
                retreat(t, g, r, side, &own.blanks, out).await;
            }
        }
    }
    score(t, g, rounds);
    if g.region(r).indian() > 0 {
        leave_out(t, g, r, out).await;
    }
    if attacker && g.region(r).indian() > 0 && g.region(r).us() == 0 {
        attack_wagons(t, g, r, active).await;
    }
    rounds
}

/// Lets the only Indian cube of an attacked region roll one die against a cube of the largest enemy
/// group (12.1.1).
async fn ambush(t: &T, g: &mut State, r: RegionId) -> Cubes {
    let here = *g.region(r);
    let faction = if here[Faction::Npt] > 0 { Faction::Npt } else { Faction::Spt };
    let most = [Faction::Cavalry, Faction::Settlers, Faction::Enemies].map(|f| here[f]).into_iter().max().unwrap_or(0);
    let largest: Vec<Faction> =
        Faction::FIGHTING.into_iter().filter(|f| !f.is_indian() && here[*f] == most && most > 0).collect();
    let target = match largest[..] {
        [] => return Cubes::default(),
        [only] => only,
        _ => {
            let pick =
                Pick::new(Ask::Ambush, "12.1.1", "Which cube is ambushed", largest.into_iter().map(Colour).collect())
                    .verbs(&["ambush"])
                    .telling(move |g, d| {
                        d.line(format!(
                    "The US attacks {}: {}. Your single cube strikes first, with one die, at the largest group.",
                    g.name(r),
                    tell_cubes(g.region(r))
                ))
                    });
            t.ask(g, g.owner(faction), pick).await.0
        }
    };
    let face = roll(t, g, faction);
    t.tell(|| format!("Ambush by 1 {} against {}: {}.", faction.cubes(), target.cubes(), face.name()));
    if face != Face::Weapon {
        return Cubes::default();
    }
    g.kill(Spot::Region(r), target);
    t.tell(|| format!("1 {} is lost.", target.cubes()));
    Cubes::of(target, 1)
}

/// Asks the US side whether Settlers or Enemies stay out of the fight, since they do not fight
/// together (13).
async fn sitting_out(t: &T, g: &mut State, r: RegionId) -> Option<Faction> {
    let here = g.region(r);
    if here[Faction::Settlers] == 0 || here[Faction::Enemies] == 0 || here.indian() == 0 {
        return None;
    }
    let among = [Faction::Settlers, Faction::Enemies].map(Colour).to_vec();
    let pick = Pick::new(
        Ask::StaysOut,
        "13.0",
        "Who stays out of the fight: Settlers and Enemies do not fight together",
        among,
    )
    .verbs(&["leave out"])
    .telling(move |g, d| {
        d.line(format!(
            "The engagement in {}: {}. Who stays out must leave if its friends are lost.",
            g.name(r),
            tell_cubes(g.region(r))
        ))
    });
    let seat = leader(g, r, false);
    Some(t.ask(g, seat, pick).await.0)
}

/// Makes the faction that stayed out leave, if its allies are gone and Indians remain (13).
async fn leave_out(t: &T, g: &mut State, r: RegionId, out: Option<Faction>) {
    if let Some(f) = out
        && g.region(r).indian() > 0
        && fighters(g, r, false, out) == 0
    {
        withdraw(t, g, r, f).await;
    }
}
