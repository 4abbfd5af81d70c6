//! Attacks of Columns on Indians: Coordination, Evasion, Pursuit, Ambush and Battle (5.7, 7.5).

use super::{
    Ask, State, T,
    battle::{Cost, Fight, award, fight, parties_lose, reprisal},
    columns::highest_speed,
    components::VillageId,
    deal::divide_teton_chiefs,
    events::lose_stronghold,
    facts,
    losses::{Defender, attrition, columns_pay},
    ratings::{Force, Troops},
    reservation::{ask, reveal},
    state::{ColumnId, Place},
};
use postrider_orders::{counted, list_and};
use postrider_standing::Fact;
use postrider_table::{Pick, Seat, Word};

pub const EVADE: Word = Word::new("evade");
pub const STAND: Word = Word::new("stand").or(&["fight", "accept battle", "do not evade"]);
pub const WAIT: Word = Word::new("wait");
pub const PURSUE: Word = Word::new("pursue");
pub const LET_GO: Word = Word::new("let go").or(&["let them go", "no pursuit", "do not pursue"]);
pub const AMBUSH: Word = Word::new("ambush");
pub const ACCEPT_BATTLE: Word = Word::new("accept battle").or(&["battle", "stand", "fight", "no ambush"]);

/// An attack, with the Columns that try to join it.
pub struct Attack {
    /// The Columns that attack in any case.
    pub troops: Troops,
    /// The Columns that must still make a Coordination DR (5.72), combined ones as one (5.723).
    /// After the attack, those that did not make one (5.721).
    pub joining: Vec<Troops>,
    pub target: Force,
    /// `true` if any Column has joined.
    pub combined: bool,
}

impl Attack {
    /// Returns an attack that no Column has joined yet.
    pub fn new(troops: Troops, joining: Vec<Troops>, target: Force) -> Self {
        Attack { troops, joining, target, combined: false }
    }
}

/// Carries out an attack of a Column, with others that try to join it, on Indians (5.71, 7.5).
/// Returns `None` if there was no Battle. An attack of revenge that is evaded has also failed to
/// earn VPs (house reading of 9.2C).
pub async fn attack(t: &T, g: &mut State, attack: &mut Attack) -> Option<Cost> {
    unmask(t, g, &attack.target).await;
    let revenge = reprisal(g, &attack.target);
    let cost = chase(t, g, attack).await;
    if revenge && cost.is_none() {
        let us = g.us;
        award(t, g, us, -1, "9.2C");
    }
    cost
}

async fn chase(t: &T, g: &mut State, attack: &mut Attack) -> Option<Cost> {
    let Attack { troops, joining, target, combined } = attack;
    target.mark_attacked(g);
    t.tell(|| format!("{} attacks {}.", troops.name(g), target.name(g)));
    let defender = target.player(g).filter(|_| target.may_evade(g));
    // The Indians may try to evade before every Coordination DR; then only those Columns that have
    // joined pursue (5.721).
    let mut evading = false;
    while !joining.is_empty() {
        if let Some(seat) = defender
            && ask_evasion(t, g, seat, target, troops, WAIT).await
        {
            evading = true;
            break;
        }
        *combined |= coordinate(t, g, troops, joining.remove(0));
    }
    if let Some(seat) = defender {
        evading = evading || ask_evasion(t, g, seat, target, troops, STAND).await;
        if evading && evades(t, g, target).await {
            if !target.stands(g) || !pursues(t, g, troops, target).await {
                return None;
            }
            return match ambushes(t, g, seat, target, troops).await {
                Ambushed::Escape => None,
                ambush => Some(battle(t, g, troops, target, ambush == Ambushed::Yes).await),
            };
        }
    }
    Some(battle(t, g, troops, target, false).await)
}

/// Reveals the player of an attacked Tribe. The Sioux player then divides the Teton Chiefs, if not
/// yet done (6.51).
pub async fn unmask(t: &T, g: &mut State, target: &Force) {
    for v in target.villages(g) {
        unmask_village(t, g, v).await;
    }
}

/// Reveals the Tribal Card of an Active Village.
pub async fn unmask_village(t: &T, g: &mut State, v: VillageId) {
    if g.player_of(v).is_some() {
        reveal(t, g, g.c[v].tribe);
        if g.c.tribe_by_name("Sioux") == Some(g.c[v].tribe) {
            divide_teton_chiefs(t, g).await;
        }
    }
}

async fn battle(t: &T, g: &mut State, troops: &mut Troops, target: &Force, ambush: bool) -> Cost {
    fight(t, g, Fight { troops, force: target, attacker: None, ambush }).await
}

/// Makes a Coordination DR, and returns `true` if the Column joins (5.72), or those combined with it
/// (5.723).
fn coordinate(t: &T, g: &State, troops: &mut Troops, joining: Troops) -> bool {
    if !joining.stands(g) {
        return false;
    }
    let speed = joining.speed(g);
    let dr = t.d10("coordination") as i32;
    let joins = dr <= speed;
    t.tell(|| {
        let what = if joins { "joins the attack" } else { "does not join" };
        format!("{} {what}: Coordination DR {dr}, needed {speed} or less.", joining.name(g))
    });
    if joins {
        troops.0.extend(joining.0);
    }
    joins
}

/// Makes the single Coordination DR of the Two Player Game, and returns `true` if the Columns
/// combine (11.2D); otherwise none of them attacks. It comes before any Evasion (house reading of
/// 5.721: there is no attack before it succeeds).
pub fn coordinate_all(t: &T, g: &State, columns: &[ColumnId]) -> bool {
    let needed = highest_speed(g, columns);
    let dr = t.d10("coordination") as i32;
    let success = dr <= needed;
    t.tell(|| {
        let what = if success { "coordinate their attack" } else { "fail to coordinate: no Column moves this Round" };
        let names: Vec<&str> = columns.iter().map(|&id| g.column_name(id)).collect();
        format!("{} {what}. Coordination DR {dr}, needed {needed} or less.", list_and(&names))
    });
    success
}

async fn ask_evasion(t: &T, g: &mut State, seat: Seat, target: &Force, troops: &Troops, otherwise: Word) -> bool {
    let (force, by) = (target.clone(), troops.clone());
    let pick = Pick::new(Ask::Evasion, "7.51", "Evade the attack or stand", vec![EVADE, otherwise]).telling(
        move |g: &State, d| {
            let capability = force.evasion_capability(g);
            let mut d = d
                .line(format!(
                    "{}, {} and Speed {}, attacks {}.",
                    by.name(g),
                    counted(by.bps(g), "BP"),
                    by.speed(g),
                    force.name(g)
                ))
                .line(format!("You evade on a DR of {capability} or less; a 0 costs a BP."))
                .line(format!(
                    "If you evade, {} may pursue, and catches you on {} or less.",
                    by.name(g),
                    by.pursuit_capability(g)
                ));
            if otherwise == WAIT {
                d = d.line("More Columns are trying to join; you may wait for that and evade later (5.721).");
            }
            if g.fx.winter_campaigning {
                d = d.line("Winter Campaigning: evading costs a BP.");
            }
            d
        },
    );
    let (force, by) = (target.clone(), troops.clone());
    let pick = pick.knowing(move |g: &State| {
        let mut facts = facts::meeting(g, &by, &force, false);
        facts.push(Fact::share("chance", facts::dr(force.evasion_capability(g)), 10));
        facts.push(Fact::share("caught", facts::dr(by.pursuit_capability(g)), 10));
        facts.push(Fact::whether("waiting", otherwise == WAIT));
        facts
    });
    ask(t, g, seat, pick).await == EVADE
}

/// Makes an Evasion DR (7.52). A Village that tries to evade loses its Stronghold (12.13).
async fn evades(t: &T, g: &mut State, target: &Force) -> bool {
    if let Force::Village(v) = *target {
        lose_stronghold(t, g, v);
    }
    let capability = target.evasion_capability(g);
    let dr = t.d10("evasion") as i32;
    let success = dr <= capability;
    t.tell(|| {
        let what = if success { "evades" } else { "fails to evade" };
        format!("{} {what}: Evasion DR {dr}, needed {capability} or less.", capitalised(&target.name(g)))
    });
    if dr == 0 {
        lose_on_the_run(t, g, target).await;
    }
    // Successful Evasion under Winter Campaigning also costs a BP (9.2HH).
    if success && g.fx.winter_campaigning && target.stands(g) {
        lose_on_the_run(t, g, target).await;
    }
    success
}

/// Removes a BP for Evasion Attrition (7.52, 7.54, 7.55, 9.2HH). The leader of an Alliance chooses
/// whose (6.76).
async fn lose_on_the_run(t: &T, g: &mut State, target: &Force) {
    match target {
        Force::Village(v) => {
            if g.village(*v).bps > 0 {
                t.tell(|| format!("{} loses a BP on the run.", capitalised(&target.name(g))));
            }
            attrition(t, g, Defender::Village(*v));
        }
        Force::Parties(ids) => {
            t.tell(|| format!("{} loses a BP on the run.", capitalised(&target.name(g))));
            let player = target.player(g);
            parties_lose(t, g, ids, player, 1).await;
        }
    }
}

/// Asks whether the US pursues and makes the Pursuit DR; returns `true` if the Indians are caught
/// (7.53).
async fn pursues(t: &T, g: &mut State, troops: &mut Troops, target: &Force) -> bool {
    let us = g.us;
    let (by, of) = (troops.clone(), target.clone());
    let pick =
        Pick::new(Ask::Pursuit, "7.53", "Pursue or let them go", vec![PURSUE, LET_GO]).telling(move |g: &State, d| {
            let mut d = d.line(format!("{} evades {}.", capitalised(&of.name(g)), by.name(g))).line(format!(
                "You catch them on a DR of {} or less; they may then try an Ambush ({} or less).",
                by.pursuit_capability(g),
                of.ambush_capability(g)
            ));
            if g.fx.winter_campaigning {
                d = d.line("Winter Campaigning: pursuing costs a BP.");
            }
            d
        });
    let (by, of) = (troops.clone(), target.clone());
    let pick = pick.knowing(move |g: &State| {
        let mut facts = facts::meeting(g, &by, &of, true);
        facts.push(Fact::share("chance", facts::dr(by.pursuit_capability(g)), 10));
        facts
    });
    if ask(t, g, us, pick).await == LET_GO {
        t.tell(|| format!("{} does not pursue.", troops.name(g)));
        return false;
    }
    // The Capability is determined before the attempt (7.53), which costs a BP under Winter
    // Campaigning (9.2HH).
    let capability = troops.pursuit_capability(g);
    if g.fx.winter_campaigning {
        columns_pay(t, g, &troops.0).await;
        troops.muster(g);
        if !troops.stands(g) {
            return false;
        }
    }
    let dr = t.d10("pursuit") as i32;
    let caught = dr <= capability;
    t.tell(|| {
        let what = if caught { "catches them" } else { "loses them" };
        format!("{} pursues and {what}: Pursuit DR {dr}, needed {capability} or less.", troops.name(g))
    });
    caught
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ambushed {
    Yes,
    No,
    Escape,
}

/// Asks whether the Indians try an Ambush and makes the Ambush DR (7.54).
async fn ambushes(t: &T, g: &mut State, seat: Seat, target: &Force, troops: &Troops) -> Ambushed {
    if target.bps(g) == 0 {
        return Ambushed::No;
    }
    let (force, by) = (target.clone(), troops.clone());
    let pick = Pick::new(Ask::Ambush, "7.54", "Ambush the pursuers or accept battle", vec![AMBUSH, ACCEPT_BATTLE])
        .telling(move |g: &State, d| {
            let (force_name, bps) = (capitalised(&force.name(g)), counted(by.bps(g), "BP"));
            d.line(format!("{force_name} has been caught by {}, {bps}.", by.name(g)))
                .line(format!("The Ambush works on a DR of {} or less (+3 in the Battle).", force.ambush_capability(g)))
                .line("If it fails with a 9 you get away after all, for one BP.")
        });
    let (force, by) = (target.clone(), troops.clone());
    let pick = pick.knowing(move |g: &State| {
        let mut facts = facts::meeting(g, &by, &force, false);
        facts.push(Fact::share("chance", facts::dr(force.ambush_capability(g)), 10));
        facts
    });
    if ask(t, g, seat, pick).await == ACCEPT_BATTLE {
        return Ambushed::No;
    }
    let capability = target.ambush_capability(g);
    let dr = t.d10("ambush") as i32;
    let result = match dr {
        _ if dr <= capability => Ambushed::Yes,
        9 => Ambushed::Escape,
        _ => Ambushed::No,
    };
    t.tell(|| {
        let what = match result {
            Ambushed::Yes => "the Ambush works",
            Ambushed::No => "the Ambush fails",
            Ambushed::Escape => "the Ambush is foiled, but they get away",
        };
        format!("Ambush DR {dr}, needed {capability} or less: {what}.")
    });
    if result == Ambushed::Escape {
        lose_on_the_run(t, g, target).await;
    }
    result
}

/// Returns the text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns the reason why the US may not attack a Village now, with the rule. `reacting` is `true`
/// against a relocating Village.
pub fn village_barred(g: &State, troops: &Troops, v: VillageId, reacting: bool) -> Option<(&'static str, String)> {
    let state = g.village(v);
    let name = &g.c[v].name;
    if !matches!(state.place, Place::Area(_)) {
        return Some(("8.16", format!("The {name} Village is not on the map.")));
    }
    if state.peace_chief {
        return Some(("9.2Q", format!("The {name} have a Peace Chief: the US may not attack their Village.")));
    }
    if state.scouting {
        return Some(("9.2Y", format!("The {name} scout for the US: they may not be attacked this Turn.")));
    }
    if state.attacked_in == g.round && g.round > 0 {
        return Some(("7.34", format!("The {name} Village has already been attacked in this Round.")));
    }
    if reacting { None } else { policy_bars(g, troops).map(|(rule, why)| (rule, why.into())) }
}

/// Returns the reason why these troops may attack no Village in a US Round (9.2R, 9.2W). Columns
/// that try to coordinate are judged together, before Coordination; the first then attacks whatever
/// the others do (5.71; house reading).
fn policy_bars(g: &State, troops: &Troops) -> Option<(&'static str, &'static str)> {
    let aggression = troops.aggression(g);
    if g.fx.peace_policy && aggression < 3 {
        return Some(("9.2R", "Under the Peace Policy only Columns with an Aggression of 3 or more attack Villages."));
    }
    if g.fx.reform_movement && aggression < 2 {
        return Some((
            "9.2W",
            "Under the Reform Movement only Columns with an Aggression of 2 or more attack Villages.",
        ));
    }
    None
}
