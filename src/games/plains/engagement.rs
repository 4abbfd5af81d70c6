//! Engagements (12) and the Enemies' special situations (13).

use super::{
    Ask, T,
    components::{Face, Faction, RegionId, Spot},
    retreat::{Colour, Place, retreat, treaty, withdraw},
    state::{Cubes, State, tell_cubes},
    wagons::attack_wagons,
};
use crate::table::{NO, Pick, Seat, YES};

/// 6.3: Cavalry eliminated in one battle for a VP.
const CAVALRY_FOR_A_VP: u8 = 2;
/// 9.2.2: what the Indians get for the whole of Custer's force.
pub const CUSTER_VPS: i32 = 2;

/// Who speaks for a side in a region: the owner of its largest faction there; of none, its first player.
pub fn leader(g: &State, r: RegionId, indian: bool) -> Seat {
    let here = g.region(r);
    let factions = Faction::FIGHTING.into_iter().filter(|f| f.is_indian() == indian);
    // Of several equal ones the first.
    let largest = factions.rev().max_by_key(|&f| here[f]).unwrap_or(Faction::Npt);
    let none = if indian { Faction::Npt } else { Faction::Cavalry };
    g.owner(if here[largest] > 0 { largest } else { none })
}

/// 12: all engagements that wait, in the order that the attacker likes; those whose enemies have gone are over.
pub async fn engagements(t: &T, g: &mut State, active: Faction) {
    keep_peace(t, g, active).await;
    let seat = g.owner(active);
    loop {
        let waiting = std::mem::take(&mut g.contested);
        g.contested = waiting.into_iter().filter(|&r| has_enemies(g, r, active.is_indian())).collect();
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

fn has_enemies(g: &State, r: RegionId, indian: bool) -> bool {
    let cubes = g.region(r);
    let enemies = if indian { cubes.us() + cubes[Faction::Wagons] } else { cubes.indian() };
    cubes.side(indian) > 0 && enemies > 0
}

/// 13: Settlers and Enemies do not stay together without Cavalry. Whoever did not move in withdraws; where Cavalry has left them,
/// the Settlers do.
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

/// 12.1: one engagement from ambush to end.
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
        // The attacker takes his losses and retreats first (12.1.4, 12.1.6).
        for side in [attacker, !attacker] {
            let (own, enemy) = if side { (&indian, &us) } else { (&us, &indian) };
            let lost = lose(t, g, r, side, enemy.hits, out).await;
            rounds.add(lost);
            let mut blanks = own.blanks;
            if let Some(f) = out {
                blanks[f] = 0;
            }
            // 12.1.7: where no enemy is left, or will be when he has taken the hits of this roll, the engagement is over.
            let doomed = if side == attacker { own.hits } else { 0 };
            if fighters(g, r, !side, out) > doomed {
                retreat(t, g, r, side, &blanks, out).await;
            }
        }
    }
    score(t, g, rounds);
    if g.region(r).indian() > 0 {
        leave_out(t, g, r, out).await;
    }
    if attacker && g.region(r).indian() > 0 && g.region(r).us() == 0 {
        attack_wagons(t, g, r).await;
    }
    rounds
}

/// Cubes that fight on one side.
pub fn fighters(g: &State, r: RegionId, indian: bool, out: Option<Faction>) -> u8 {
    let here = g.region(r);
    here.side(indian) - if indian { 0 } else { out.map_or(0, |f| here[f]) }
}

/// What a battle has cost, by faction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses(pub Cubes);

impl Losses {
    fn add(&mut self, cubes: Cubes) {
        self.0 += cubes;
    }
}

/// VP: a VP for every two Cavalry cubes of the battle, and two when the last of Custer's force has fallen (9.2.2).
fn score(t: &T, g: &mut State, losses: Losses) {
    let vps = i32::from(losses.0[Faction::Cavalry] / CAVALRY_FOR_A_VP);
    if vps > 0 {
        g.battle_vps += vps;
        t.tell(|| {
            let s = if vps == 1 { "" } else { "s" };
            format!("{vps} VP{s} for the Indians: {} Cavalry eliminated in one battle.", losses.0[Faction::Cavalry])
        });
    }
    if !g.custer.is_empty() && g.custer.iter().all(|&n| n == 0) {
        g.custer.clear();
        g.custer_vps += CUSTER_VPS;
        t.tell(|| format!("Custer's force is eliminated: {CUSTER_VPS} VPs for the Indians."));
    }
}

/// 12.1.1: the one Indian cube of an attacked region may strike first at a cube of the largest enemy group.
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

/// 13: Settlers and Enemies do not fight side by side; the US side says who stays out.
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

/// 13: whoever stayed out must leave when its allies are gone and Indians remain.
async fn leave_out(t: &T, g: &mut State, r: RegionId, out: Option<Faction>) {
    if let Some(f) = out
        && g.region(r).indian() > 0
        && fighters(g, r, false, out) == 0
    {
        withdraw(t, g, r, f).await;
    }
}

async fn yes(t: &T, g: &mut State, seat: Seat, kind: Ask, title: &'static str, line: String) -> bool {
    let pick = Pick::new(kind, "9.2", title, vec![NO, YES]).telling(move |_, d| d.line(line.clone()));
    t.ask(g, seat, pick).await == YES
}

/// Winter Campaign: a third die for Blue in one engagement of the round.
async fn winter_campaign(t: &T, g: &mut State, r: RegionId, out: Option<Faction>) -> bool {
    let fights = g.fx.winter && g.region(r)[Faction::Cavalry] > 0 && g.region(r).indian() > 0;
    if !fights || fighters(g, r, false, out) == 0 {
        return false;
    }
    let others = g.contested.len();
    let more = if others == 0 { String::new() } else { format!(" {others} more engagements wait.") };
    let line = format!(
        "The engagement in {}: {}. Blue rolls a die more in each roll of it, in one engagement this round.{more}",
        g.name(r),
        tell_cubes(g.region(r))
    );
    if yes(t, g, g.owner(Faction::Cavalry), Ask::WinterCampaign, "Whether Winter Campaign is used here", line).await {
        g.fx.winter = false;
        t.tell(|| "Winter Campaign: Blue rolls one more die here.".to_owned());
        return true;
    }
    false
}

/// Black Kettle: after any roll the Indian player may end one engagement as by Treaty.
pub async fn black_kettle(t: &T, g: &mut State, r: RegionId) -> bool {
    if !g.fx.black_kettle || g.region(r).indian() == 0 {
        return false;
    }
    let (indian, us) = (g.region(r).indian(), g.region(r).us());
    let goes = match indian.cmp(&us) {
        _ if us == 0 => "the Wagon stays and is left alone",
        std::cmp::Ordering::Greater => "the US cubes are sent away",
        std::cmp::Ordering::Less => "the Indian cubes are sent away",
        std::cmp::Ordering::Equal => "the defender sends the attacker away",
    };
    let line = format!(
        "The engagement in {}: {}. This roll's hits would not count, and {goes}.",
        g.name(r),
        tell_cubes(g.region(r))
    );
    if yes(t, g, g.owner(Faction::Spt), Ask::BlackKettle, "Whether Black Kettle ends this engagement", line).await {
        g.fx.black_kettle = false;
        t.tell(|| "Black Kettle: the engagement ends as if both sides had rolled a Treaty.".to_owned());
        return true;
    }
    false
}

/// Who rolls, and with what.
#[derive(Clone, Copy)]
pub struct Dice {
    pub out: Option<Faction>,
    pub winter: bool,
    /// Only the Wagon under attack answers.
    pub wagon: bool,
}

/// What one side rolled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rolled {
    pub hits: u8,
    pub treaties: u8,
    /// By the faction whose dice showed them.
    pub blanks: Cubes,
}

/// A roll of the Indians and of the US.
pub fn roll_both(t: &T, g: &State, r: RegionId, dice: Dice) -> [Rolled; 2] {
    let mut told = Vec::new();
    let rolled = [true, false].map(|indian| roll_side(t, g, r, indian, dice, &mut told));
    t.tell(|| format!("Dice: {}.", told.join("; ")));
    rolled
}

/// 12.1.2: one die for one cube, two for more, by faction.
fn roll_side(t: &T, g: &State, r: RegionId, indian: bool, dice: Dice, told: &mut Vec<String>) -> Rolled {
    let here = *g.region(r);
    let fierce = indian && g.fx.fierce.contains(&r);
    let mut rolled = Rolled::default();
    for faction in Faction::ALL {
        let counts = match faction {
            Faction::Railroad => 0,
            Faction::Wagons => {
                if dice.wagon && !indian {
                    2
                } else {
                    0
                }
            }
            f if f.is_indian() != indian || Some(f) == dice.out || dice.wagon && !indian => 0,
            f => here[f].min(2) + u8::from(dice.winter && f == Faction::Cavalry && here[f] > 0),
        };
        if counts == 0 {
            continue;
        }
        let faces: Vec<Face> = (0..counts).map(|_| roll(t, g, faction)).collect();
        for face in &faces {
            match face {
                Face::Weapon => rolled.hits += 1,
                Face::Treaty if fierce => rolled.hits += 1,
                Face::Treaty => rolled.treaties += 1,
                Face::Blank => rolled.blanks[faction] += 1,
            }
        }
        let names: Vec<&str> = faces.iter().map(|f| f.name()).collect();
        told.push(format!("{} {}", faction.cubes(), names.join(", ")));
    }
    rolled
}

/// One die of a faction; Wagons roll their own row of the component file, which is the Settlers' die.
fn roll(t: &T, g: &State, faction: Faction) -> Face {
    const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
    let at = t.roll(LABELS[faction.index().min(5)], 1, 6);
    g.c.pieces[faction.index()].die[(at - 1) as usize]
}

/// 6.7.2: whether a Settlers die shows a symbol.
pub fn settlers_symbol(t: &T, g: &State) -> bool {
    roll(t, g, Faction::Settlers) != Face::Blank
}

/// 12.1.6: cubes of the largest faction first; of equal ones the player chooses, between allies a coin.
pub async fn lose(t: &T, g: &mut State, r: RegionId, indian: bool, hits: u8, out: Option<Faction>) -> Cubes {
    let mut lost = Cubes::default();
    // Where all are lost nobody chooses.
    if hits >= fighters(g, r, indian, out) {
        for faction in Faction::FIGHTING.into_iter().filter(|&f| f.is_indian() == indian && Some(f) != out) {
            while g.region(r)[faction] > 0 {
                g.kill(Spot::Region(r), faction);
                lost[faction] += 1;
            }
        }
    }
    for _ in lost.fighting()..hits {
        let here = *g.region(r);
        let fights = |f: &Faction| f.is_indian() == indian && Some(*f) != out && here[*f] > 0;
        let most = Faction::FIGHTING.into_iter().filter(fights).map(|f| here[f]).max();
        let Some(most) = most else { break };
        let largest: Vec<Faction> = Faction::FIGHTING.into_iter().filter(|f| fights(f) && here[*f] == most).collect();
        let one_player = largest.windows(2).all(|w| g.owner(w[0]) == g.owner(w[1]));
        let faction = match largest[..] {
            [only] => only,
            _ if one_player => {
                let seat = g.owner(largest[0]);
                let among = largest.into_iter().map(Colour).collect();
                let still = hits - lost.fighting();
                let pick = Pick::new(Ask::Loss, "12.1.6", "Which cube is lost", among).verbs(&["lose"]).telling(
                    move |g, d| {
                        let still = if still == 1 { "1 hit is".to_owned() } else { format!("{still} hits are") };
                        d.line(format!(
                            "In {} stand {}; {still} still to be taken.",
                            g.name(r),
                            tell_cubes(g.region(r))
                        ))
                    },
                );
                t.ask(g, seat, pick).await.0
            }
            _ => largest[t.draw("coin", largest.len())],
        };
        g.kill(Spot::Region(r), faction);
        lost[faction] += 1;
    }
    if !lost.is_empty() {
        t.tell(|| format!("Lost: {}.", tell_cubes(&lost)));
    }
    lost
}

/// Geronimo: dice of Orange against one region; hits and Treaties remove cubes and nobody answers.
pub async fn strike(t: &T, g: &mut State, r: RegionId, dice: u8) {
    let faces: Vec<Face> = (0..dice).map(|_| roll(t, g, Faction::Spt)).collect();
    let hits = faces.iter().filter(|&&f| f != Face::Blank).count() as u8;
    t.tell(|| {
        let names: Vec<&str> = faces.iter().map(|f| f.name()).collect();
        format!("Geronimo strikes {}: {}.", g.name(r), names.join(", "))
    });
    let lost = lose(t, g, r, false, hits, None).await;
    score(t, g, Losses(lost));
}
