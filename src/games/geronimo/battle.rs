//! Battles: odds, modifiers, the Battle Table, losses and VPs (7.3, 7.4, 7.6).

use super::{
    Ask, Geronimo, State, T,
    alliance::{partners, share},
    columns::strength,
    components::{AreaId, ChiefId, Loss, Odds, VillageId},
    events::{horses_killed, lose_stronghold, takes_hostages},
    losses::{columns_lose, devastate, party_loses, village_loses},
    ratings::{Force, Troops},
    reservation::{ask, unrest_after_massacre},
    state::PartyId,
};
use postrider_orders::counted;
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// The losses of a Battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// BPs lost by the US or, in a Battle between Tribes, by the attacker.
    pub attacker: i32,
    /// Losses of the defender. For a Village these are its losses on the Battle Table, including
    /// those turned into Devastation (7.41; house reading of 5.36).
    pub defender: i32,
}

/// Returns the odds of the US, rounded up to the next printed ratio, or down in an Ambush (7.31).
/// Both sides must have BPs.
pub fn us_odds(us: i32, indian: i32, ambush: bool) -> Odds {
    // Each printed ratio as a fraction, from the best for the US.
    let printed = Odds::ALL.iter().zip([(3, 1), (2, 1), (3, 2), (1, 1), (2, 3), (1, 2), (1, 3)]);
    if ambush {
        let below = printed.clone().find(|(_, (n, d))| n * indian <= us * d);
        below.map_or(Odds::OneThree, |(&odds, _)| odds)
    } else {
        let above = printed.rev().find(|(_, (n, d))| n * indian >= us * d);
        above.map_or(Odds::ThreeOne, |(&odds, _)| odds)
    }
}

/// Returns `true` if the attacker is the non-active player (7.31), that is, attacks out of turn in
/// the defender's Round. In a Round of neither player the attacker counts as active (house
/// reading).
pub fn attacker_waits(g: &State, attacker: Option<Seat>, defender: Option<Seat>) -> bool {
    g.active.is_some() && defender == g.active && attacker != g.active
}

/// Returns the attacker's odds between Tribes: larger to smaller, rounded to the nearest printed
/// ratio (7.31). A tie goes to the ratio that is better for the non-active side.
pub fn tribal_odds(attacker: i32, defender: i32, attacker_waits: bool) -> Odds {
    let (large, small) = (attacker.max(defender), attacker.min(defender));
    // Distances in twelfths of the smaller side's BPs: 1, 1.5, 2, 3 are 12, 18, 24, 36.
    let ratios = [(Odds::OneOne, 12), (Odds::ThreeTwo, 18), (Odds::TwoOne, 24), (Odds::ThreeOne, 36)];
    let off = |twelfths: i32| (large * 12 - twelfths * small).abs();
    let attacker_is_larger = attacker >= defender;
    let mut best = ratios[0];
    for candidate in &ratios[1..] {
        let (new, old) = (off(candidate.1), off(best.1));
        // The higher ratio favours the larger side.
        if new < old || (new == old && attacker_is_larger == attacker_waits) {
            best = *candidate;
        }
    }
    if attacker_is_larger { best.0 } else { best.0.inverse() }
}

/// Limits a sum of DRMs to the range -8 to +8 (7.31).
fn capped(drm: i32) -> i32 {
    drm.clamp(-8, 8)
}

/// DRM instead of odds against a Village without BPs (7.4).
const UNDEFENDED: i32 = 6;
/// DRM of an Ambush (7.54).
const AMBUSH: i32 = 3;

/// A Battle between US troops and Indians (7.3, 7.4).
pub struct Fight<'a> {
    pub troops: &'a mut Troops,
    pub force: &'a Force,
    /// The player whose Indians attack, who leads them even if they are all another's (6.76);
    /// `None` if the US attacks. The US also counts as the attacker when it is ambushed (7.54).
    pub attacker: Option<Seat>,
    pub ambush: bool,
}

/// Resolves a Battle: dice, losses, VPs, Massacre.
pub async fn fight(t: &T, g: &mut State, fight: Fight<'_>) -> Cost {
    let Fight { troops, force, attacker, ambush } = fight;
    let Some(area) = force.area(g) else { return Cost::default() };
    let us_attacks = attacker.is_none();
    let player = attacker.or_else(|| force.player(g));
    let allies = player.map_or_else(Vec::new, |seat| partners(g, seat, force));
    let us_seat = g.us;
    // 7.34 is about targets. War Parties that attack a Column may still be attacked themselves, for
    // example by a Reaction.
    if us_attacks {
        force.mark_attacked(g);
    }
    let (us_bps, indian_bps) = (troops.bps(g), force.bps(g));
    let undefended = indian_bps == 0;
    let odds = if undefended { Odds::OneOne } else { us_odds(us_bps, indian_bps, ambush) };
    // Gatlings are tried before the modifiers are totalled (5.54).
    let working = (0..troops.gatlings(g)).filter(|_| gatling_works(t)).count() as i32;
    let us_drm = capped(
        if undefended { UNDEFENDED } else { g.c.odds.drm(odds) }
            + troops.combat(g)
            + troops.guns(g)
            + working
            + i32::from(g.fx.springfield)
            + if us_attacks { force.shelter_drm(g) } else { 0 },
    );
    let indian_drm = capped(
        g.c.odds.drm(odds.inverse())
            + force.chief_combat(g)
            + force.tribal_drms(g)
            + if us_attacks { force.battle_rating(g) } else { 0 }
            + if ambush { AMBUSH } else { 0 },
    );
    let us_dr = t.d10("battle, US") as i32;
    let us_result = g.c.battle.at(us_dr + us_drm);
    let indian_roll = (!undefended).then(|| t.d10("battle, Indians") as i32);
    let indian_result = indian_roll.map(|dr| g.c.battle.at(dr + indian_drm));
    t.tell(|| {
        let versus = format!(
            "Battle in {}: {}, {}, and {}, {}",
            g.c[area].name,
            troops.name(g),
            strength(us_bps, 0, 0),
            force.name(g),
            strength(indian_bps, 0, 0)
        );
        let us = format!("the US rolls {us_dr} {us_drm:+} = {}", us_dr + us_drm);
        match indian_roll {
            Some(dr) => format!("{versus} (odds {odds}): {us}, the Indians {dr} {indian_drm:+} = {}.", dr + indian_drm),
            None => format!("{versus} (undefended): {us}."),
        }
    });
    let (chiefs, spell) = (force.chiefs(g), believers(g, force));
    let devastation = force.devastation(g);
    // The Aggression at the time of the attack counts, even if Commanders are lost (7.62).
    let us_aggression = troops.aggression(g);
    let atrocity = match us_attacks {
        true => reprisal(g, force),
        false => player.is_some() && g.fx.atrocity == player && troops.has_aggression(g, 2),
    };
    let defender = indian_losses(t, g, force, player, us_result.loss).await;
    let to_lose = match indian_result.map(|r| r.loss) {
        None => 0,
        Some(Loss::Bps(n)) => n,
        Some(Loss::All) => i32::MAX,
    };
    let attacker = columns_lose(t, g, &troops.0, to_lose).await;
    troops.muster(g);
    let bps_lost = indian_bps - force.bps(g);
    t.tell(|| {
        let rest = if bps_lost == defender { String::new() } else { format!(" ({bps_lost} of them BPs)") };
        format!("Losses: US {attacker}, Indians {defender}{rest}.")
    });
    // VPs (7.33, 10.12). Devastation does not count as BPs.
    let mut us_vps = i32::from(us_attacks && !force.is_village() && bps_lost > attacker);
    let mut indian_vps = if player.is_some() { (attacker - bps_lost).max(0) } else { 0 };
    if atrocity {
        let vps = if us_attacks { &mut us_vps } else { &mut indian_vps };
        *vps = if *vps == 0 { -1 } else { *vps * 2 };
    }
    award(t, g, us_seat, us_vps, "7.33");
    if let Some(seat) = player {
        award(t, g, seat, indian_vps, "7.33");
        share(t, g, seat, &allies, indian_vps).await;
    }
    // Devastation alone does not break the spell; a lost BP does (9.2Z).
    shaman_medicine_breaks(t, g, &spell, bps_lost, &chiefs);
    // Only an attack by the US on a Village can be a US Massacre (7.62).
    if us_attacks && force.is_village() && us_result.massacre.is_some_and(|m| us_aggression >= m) {
        g.area_mut(area).massacres += 1;
        t.tell(|| format!("A Massacre by US troops in {}.", g.c[area].name));
        // Hostages cancel the Massacre, so there is no unrest (12.13).
        if !takes_hostages(t, g, force, area).await {
            unrest_after_massacre(t, g, area);
        }
    }
    horses_killed(t, g, force, devastation).await;
    Cost { attacker, defender }
}

/// Returns `true` if a Gatling works, on an odd DR (5.54).
fn gatling_works(t: &T) -> bool {
    let dr = t.d10("gatling");
    let works = dr % 2 == 1;
    t.tell(|| format!("Gatling DR {dr}, needed an odd one: it {}.", if works { "works" } else { "jams" }));
    works
}

/// Adds or subtracts VPs and tells the story (7.33, 10.1).
pub fn award(t: &T, g: &mut State, seat: Seat, vps: i32, rule: &'static str) {
    if vps != 0 && !g.variant.solitaire {
        g.score(seat, vps, rule);
        t.tell(|| {
            let verb = if vps > 0 { "earns" } else { "loses" };
            format!("{} {verb} {}.", g.who(seat), counted(vps.abs(), "VP"))
        });
    }
}

/// Returns `true` if a US attack on these Indians is one of revenge (9.2C): in the Round of its
/// card, against an Active Tribe with a Chief of Aggression 2 or more.
pub fn reprisal(g: &State, force: &Force) -> bool {
    g.fx.atrocity == Some(g.us) && avengeable(g, force)
}

/// Returns `true` for an Active Tribe with a Chief of Aggression 2 or more (9.2C).
pub fn avengeable(g: &State, force: &Force) -> bool {
    force.player(g).is_some() && force.chiefs(g).iter().any(|&h| g.c[h].aggression >= 2)
}

/// Removes the Indians' losses against US troops (7.32, 7.41).
async fn indian_losses(t: &T, g: &mut State, force: &Force, player: Option<Seat>, loss: Loss) -> i32 {
    match force {
        Force::Village(v) => village_battle_loss(t, g, *v, loss),
        Force::Parties(ids) => {
            let n = match loss {
                Loss::Bps(n) => n,
                Loss::All => i32::MAX,
            };
            parties_lose(t, g, ids, player, n).await
        }
    }
}

/// Removes the losses of a Village attacked by Columns (7.41): at most one BP, the rest as
/// Devastation. "All" eliminates all BPs and Chiefs there.
fn village_battle_loss(t: &T, g: &mut State, v: VillageId, loss: Loss) -> i32 {
    let there = g.village(v).bps;
    match loss {
        Loss::Bps(0) => 0,
        Loss::Bps(n) => {
            let bps = n.min(1).min(there);
            if n > bps {
                lose_stronghold(t, g, v);
                devastate(t, g, v, n - bps);
            }
            village_loses(t, g, v, bps);
            n
        }
        Loss::All => {
            lose_stronghold(t, g, v);
            devastate(t, g, v, super::state::DEVASTATION);
            for chief in g.chiefs_at(v).collect::<Vec<_>>() {
                g.chiefs[chief.index()].killed = true;
                t.tell(|| format!("{} is killed.", g.c[chief].name));
            }
            village_loses(t, g, v, there);
            there.max(super::state::DEVASTATION)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bearer(PartyId);

impl Candidate<Geronimo> for Bearer {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.party(self.0).map_or_else(|| "nobody".into(), |p| g.party_name(p).into())
    }
    fn note(&self, g: &State) -> String {
        g.party(self.0).map_or_else(String::new, |p| counted(p.bps, "BP"))
    }
}

/// Removes the losses of one War Party, or of allied ones as their leader decides (6.76).
pub async fn parties_lose(t: &T, g: &mut State, ids: &[PartyId], player: Option<Seat>, n: i32) -> i32 {
    let mut lost = 0;
    let allied = ids.iter().filter(|&&id| g.party(id).is_some()).count() > 1;
    while lost < n {
        let left: Vec<Bearer> = ids.iter().copied().filter(|&id| g.party(id).is_some()).map(Bearer).collect();
        let (Bearer(id), due) = match (left.as_slice(), player) {
            ([], _) => break,
            (&[only], _) => (only, n - lost),
            (_, Some(seat)) if n - lost < left.iter().filter_map(|b| g.party(b.0)).map(|p| p.bps).sum() => {
                let to_go = n - lost;
                let pick = Pick::new(Ask::AllianceLoss, "6.76", "Which Tribe of the Alliance loses a BP", left)
                    .telling(move |_, d| d.line(format!("{to_go} to lose.")));
                (ask(t, g, seat, pick).await, 1)
            }
            (&[first, ..], _) => (first, n - lost),
        };
        let due = due.min(g.party(id).map_or(0, |p| p.bps));
        if allied {
            t.tell(|| {
                let name = g.party(id).map_or_else(String::new, |p| g.party_name(p));
                format!("Of the Alliance the {name} lose {}.", counted(due, "BP"))
            });
        }
        lost += party_loses(t, g, id, due).max(1);
    }
    lost
}

/// Returns the Villages of a force that have Shaman Medicine.
fn believers(g: &State, force: &Force) -> Vec<VillageId> {
    force.villages(g).into_iter().filter(|&v| g.village(v).shaman_medicine).collect()
}

/// Ends Shaman Medicine at the first BP lost in Battle, and rolls for each Chief there (9.2Z).
fn shaman_medicine_breaks(t: &T, g: &mut State, believers: &[VillageId], lost: i32, chiefs: &[ChiefId]) {
    if lost == 0 || believers.is_empty() {
        return;
    }
    for &v in believers {
        g.village_mut(v).shaman_medicine = false;
    }
    for &chief in chiefs {
        if g.chiefs[chief.index()].killed {
            continue;
        }
        let dr = t.d10("shaman medicine");
        let dies = dr % 2 == 0;
        t.tell(|| {
            format!(
                "Shaman Medicine fails {}: DR {dr}, he {}.",
                g.c[chief].name,
                if dies { "is killed" } else { "lives" }
            )
        });
        if dies {
            kill_chief(g, chief);
        }
    }
}

/// Removes a Chief from the game.
pub fn kill_chief(g: &mut State, chief: ChiefId) {
    let state = &mut g.chiefs[chief.index()];
    state.killed = true;
    if let Some(id) = state.with.take()
        && let Some(party) = g.party_mut(id)
    {
        party.chiefs.retain(|&h| h != chief);
    }
}

/// Resolves a Battle between Tribes (7.3, 7.4), without Evasion, Devastation or Massacre (7.61).
/// The attackers act for `seat`, even if they are all another player's (6.76). `double` is for Bad
/// Blood (9.2D).
pub async fn tribal_fight(
    t: &T,
    g: &mut State,
    (seat, attackers): (Seat, &Force),
    defenders: &Force,
    double: bool,
) -> Cost {
    let Some(area) = defenders.area(g) else { return Cost::default() };
    let (attacker_seat, defender_seat) = (Some(seat), defenders.player(g));
    let allies = |seat: Option<Seat>, force: &Force| seat.map_or_else(Vec::new, |seat| partners(g, seat, force));
    let (a_allies, d_allies) = (allies(attacker_seat, attackers), allies(defender_seat, defenders));
    defenders.mark_attacked(g);
    remember_attack(g, attackers, defenders);
    let (a, d) = (attackers.bps(g), defenders.bps(g));
    let undefended = d == 0;
    let odds =
        if undefended { Odds::OneOne } else { tribal_odds(a, d, attacker_waits(g, attacker_seat, defender_seat)) };
    let own = |g: &State, f: &Force| f.battle_rating(g) + f.chief_combat(g) + f.tribal_drms(g);
    let a_odds = if undefended { UNDEFENDED } else { g.c.odds.drm(odds) };
    let a_drm = capped(a_odds + own(g, attackers) + defenders.shelter_drm(g));
    let d_drm = capped(g.c.odds.drm(odds.inverse()) + own(g, defenders));
    let a_dr = t.d10("battle, attacker") as i32;
    let d_dr = (!undefended).then(|| t.d10("battle, defender") as i32);
    t.tell(|| {
        let versus = format!(
            "Battle in {}: {}, {}, attacks {}, {}",
            g.c[area].name,
            attackers.name(g),
            strength(a, 0, 0),
            defenders.name(g),
            strength(d, 0, 0)
        );
        match d_dr {
            Some(dr) => format!(
                "{versus} (odds {odds}): {a_dr} {a_drm:+} = {} against {dr} {d_drm:+} = {}.",
                a_dr + a_drm,
                dr + d_drm
            ),
            None => format!("{versus} (undefended): {a_dr} {a_drm:+} = {}.", a_dr + a_drm),
        }
    });
    let bps = |loss: Loss, there: i32| match loss {
        Loss::Bps(n) => n.min(there),
        Loss::All => there,
    };
    let to_d = bps(g.c.battle.at(a_dr + a_drm).loss, d);
    let to_a = d_dr.map_or(0, |dr| bps(g.c.battle.at(dr + d_drm).loss, a));
    let (a_chiefs, d_chiefs) = (attackers.chiefs(g), defenders.chiefs(g));
    let (a_spell, d_spell) = (believers(g, attackers), believers(g, defenders));
    let atrocity = attacker_seat.is_some()
        && g.fx.atrocity == attacker_seat
        && defender_seat.is_some()
        && d_chiefs.iter().any(|&h| g.c[h].aggression >= 2);
    let lost_d = match defenders {
        Force::Village(v) => village_loses(t, g, *v, to_d),
        Force::Parties(ids) => parties_lose(t, g, ids, defender_seat, to_d).await,
    };
    let lost_a = match attackers {
        Force::Village(v) => village_loses(t, g, *v, to_a),
        Force::Parties(ids) => parties_lose(t, g, ids, attacker_seat, to_a).await,
    };
    t.tell(|| format!("Losses: attacker {lost_a}, defender {lost_d}."));
    // The side with fewer losses gains a VP, unless both are the same player (7.33). An Inactive
    // Tribe earns nothing, but its opponent does (house reading of 7.4).
    let mut vps = i32::from(lost_d > lost_a && attacker_seat != defender_seat);
    if double {
        vps *= 2;
    }
    if atrocity {
        vps = if vps == 0 { -1 } else { vps * 2 };
    }
    if let Some(seat) = attacker_seat {
        award(t, g, seat, vps, "7.33");
        share(t, g, seat, &a_allies, vps).await;
    }
    if let Some(seat) = defender_seat
        && lost_a > lost_d
        && attacker_seat != defender_seat
    {
        award(t, g, seat, 1, "7.33");
        share(t, g, seat, &d_allies, 1).await;
    }
    shaman_medicine_breaks(t, g, &d_spell, lost_d, &d_chiefs);
    shaman_medicine_breaks(t, g, &a_spell, lost_a, &a_chiefs);
    Cost { attacker: lost_a, defender: lost_d }
}

/// Records an attack, so that the defender's Tribe may strike back this Turn (6.33).
fn remember_attack(g: &mut State, attackers: &Force, defenders: &Force) {
    let by: Vec<_> = attackers.villages(g).iter().map(|&v| g.c[v].tribe).collect();
    let of: Vec<_> = defenders.villages(g).iter().map(|&v| g.c[v].tribe).collect();
    for v in g.village_ids() {
        if of.contains(&g.c[v].tribe) {
            let c = g.c.clone();
            let state = &mut g.villages[v.index()];
            for &tribe in by.iter().filter(|&&tribe| tribe != c[v].tribe) {
                state.attacked_by.insert(tribe);
            }
        }
    }
}

/// Records a Massacre by Indians (7.64), which ends Peace Policy (9.2R) and Reform Movement (9.2W).
pub fn indian_massacre(t: &T, g: &mut State, area: AreaId) {
    g.area_mut(area).massacres += 1;
    g.fx.indian_massacre = true;
    t.tell(|| format!("A Massacre by Indians in {}.", g.c[area].name));
    if std::mem::take(&mut g.fx.peace_policy) {
        t.tell(|| "The Peace Policy is at an end.".into());
    }
    if std::mem::take(&mut g.fx.reform_movement) {
        t.tell(|| "The Reform Movement is at an end.".into());
    }
}
