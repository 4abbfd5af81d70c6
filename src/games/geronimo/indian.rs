//! The Operations Segment of Indian players: one action with one Village (6.1), and its
//! consequences (6.35, 6.8).

use super::{
    Ask, Geronimo, State, T, alliance,
    battle::Cost,
    campaign::unmask_village,
    cards::After,
    components::{AreaId, ChiefId, VillageId},
    events::keep_markers,
    facts, raids,
    ratings::Force,
    reaction::{Action, react},
    relocation,
    reservation::{ask, ask_at_rest},
    state::PartyId,
    village_action::{Act, VillageAction},
    war_party::{self, Aim},
};
use postrider_orders::{counted, list_and};
use postrider_standing::Fact;
use postrider_table::{Candidate, Pick, Seat, Word};
use std::borrow::Cow;

pub use super::war_party::Compelled;

pub const STAY: Word = Word::new("stay").or(&["remain", "stay on the map"]);
pub const RETURN: Word = Word::new("return").or(&["return home", "go home", "home"]);

/// The options of War Parties after an action (6.35).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Afterwards {
    Stay,
    Return,
    /// One War Party of an Alliance returns alone.
    Leave(PartyId),
}

impl Candidate<Geronimo> for Afterwards {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        match self {
            Afterwards::Stay => Candidate::<Geronimo>::key(&STAY, g),
            Afterwards::Return => Candidate::<Geronimo>::key(&RETURN, g),
            Afterwards::Leave(id) => {
                g.party(*id).map_or_else(String::new, |party| format!("return {}", g.party_name(party))).into()
            }
        }
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        match self {
            Afterwards::Stay => Candidate::<Geronimo>::aliases(&STAY, g),
            Afterwards::Return => Candidate::<Geronimo>::aliases(&RETURN, g),
            Afterwards::Leave(id) => {
                g.party(*id).map_or_else(Vec::new, |party| vec![format!("{} returns", g.party_name(party))])
            }
        }
    }
    fn note(&self, _: &State) -> String {
        match self {
            Afterwards::Leave(_) => "the others are asked again".to_owned(),
            Afterwards::Stay | Afterwards::Return => String::new(),
        }
    }
}

/// Asks for and carries out one action with one Village, as the played card allows (6.1). Returns
/// the action if one was taken.
pub async fn operation(t: &T, g: &mut State, seat: Seat, mut after: After) -> Option<Action> {
    if after == After::Nothing || !g.village_ids().any(|v| g.player_of(v) == Some(seat)) {
        return None;
    }
    let mut action = Action::default();
    loop {
        match ask_at_rest(t, g, seat, VillageAction { after, compelled: None }).await {
            Act::Pass => {
                t.tell(|| format!("{} takes no action.", g.who(seat)));
                return None;
            }
            Act::Relocate(v, to) => {
                unmask_village(t, g, v).await;
                relocation::relocate(t, g, &mut action, v, to).await;
                acted(t, g, &mut action, v).await;
            }
            Act::Raid(v, target) => {
                unmask_village(t, g, v).await;
                raids::raid(t, g, seat, v, target);
                acted(t, g, &mut action, v).await;
            }
            Act::MissionParty(v) => {
                unmask_village(t, g, v).await;
                if raids::mission_war_party(t, g, v) {
                    acted(t, g, &mut action, v).await;
                } else {
                    g.village_mut(v).actions += 1;
                    finish(t, g, &mut action, v).await;
                }
            }
            Act::NewParty { village, bps, chiefs, area, aim } => {
                unmask_village(t, g, village).await;
                // The division of the Teton Chiefs may just have moved some of them to the other
                // Village (6.51).
                let chiefs: Vec<_> = g.chiefs_at(village).filter(|h| chiefs.contains(h)).collect();
                let id = send_out(t, g, village, bps, &chiefs, area);
                action = war_party_action(t, g, seat, vec![id], area, aim, false).await;
            }
            Act::PartyAttack { parties, area, aim } => {
                action = war_party_action(t, g, seat, parties, area, aim, false).await;
            }
            Act::Alliance(plan) => {
                let Some(theirs) = alliance::operate(t, g, seat, plan).await else {
                    // One Village may still act (4.4B).
                    after = After::Alone;
                    continue;
                };
                action = theirs;
            }
        }
        return Some(action);
    }
}

/// Sends a War Party out of its Village (6.31, 6.32).
fn send_out(t: &T, g: &mut State, village: VillageId, bps: i32, chiefs: &[ChiefId], area: AreaId) -> PartyId {
    t.tell(|| {
        let names: Vec<&str> = chiefs.iter().map(|&h| g.c[h].name.as_str()).collect();
        let led = if names.is_empty() { String::new() } else { format!(" with {}", list_and(&names)) };
        format!("The {} send out a War Party of {}{led}.", g.c[village].name, counted(bps, "BP"))
    });
    g.send_party(village, bps, chiefs, area)
}

/// Carries out an action of one War Party or of allied ones: the attack, a second one on a Rampage
/// (9.2V), Reaction, and returning or staying. It counts as an Operation of each other player with
/// a War Party in it (6.76). `double` is for Bad Blood (9.2D).
pub async fn war_party_action(
    t: &T,
    g: &mut State,
    seat: Seat,
    parties: Vec<PartyId>,
    area: AreaId,
    aim: Aim,
    double: bool,
) -> Action {
    let force = Force::Parties(parties.clone());
    for who in alliance::partners(g, seat, &force) {
        g.tally[who.index()].operation_used = true;
    }
    alliance::part(t, g, &parties);
    let villages = force.villages(g);
    // A Village that has sent out all its BPs loses its Stronghold.
    keep_markers(t, g);
    for &id in &parties {
        if let Some(party) = g.party_mut(id) {
            party.area = area;
        }
    }
    // Only attacks on Resources and Columns allow a Reaction, but so does any returning War Party
    // (5.35).
    let mut provokes = !matches!(aim, Aim::Indians(_));
    let alike = match aim {
        Aim::Resource(a, resource) => resource.count(g, a),
        Aim::Indians(_) | Aim::Column(_) => 1,
    };
    war_party::strike(t, g, seat, &parties, &aim, double).await;
    if std::mem::take(&mut g.fx.rampage) && force.stands(g) {
        let among = war_party::second_targets(g, &parties, area, &aim, alike);
        if !among.is_empty() {
            let pick = Pick::new(Ask::Rampage, "9.2V", "Rampage: the second target, or none", among).verbs(&["attack"]);
            if let Some(second) = ask(t, g, seat, pick).await.aim() {
                provokes |= !matches!(second, Aim::Indians(_));
                war_party::strike(t, g, seat, &parties, &second, double).await;
            }
        }
    }
    for &v in &villages {
        g.village_mut(v).actions += 1;
    }
    for &id in &parties {
        if let Some(party) = g.party_mut(id) {
            party.actions += 1;
        }
    }
    let target = Force::Parties(parties.iter().copied().filter(|&id| g.party(id).is_some()).collect());
    let mut action = Action::default();
    if provokes && target.stands(g) {
        let what = format!("{} has attacked in {}.", super::campaign::capitalised(&target.name(g)), g.c[area].name);
        let occasion = action.occasion(target, vec![area], what);
        react(t, g, &mut action, occasion).await;
    }
    go_home_or_stay(t, g, seat, &mut action, &parties, &villages).await;
    action
}

/// Makes Villages Finished after their second action, and asks whether the other War Parties return
/// (6.35, 6.75, 6.8). In the Solitaire Game War Parties return in the same Round, those of an
/// Alliance after its second action (11.36, 11.37).
async fn go_home_or_stay(
    t: &T,
    g: &mut State,
    seat: Seat,
    action: &mut Action,
    parties: &[PartyId],
    villages: &[VillageId],
) {
    for &v in villages {
        if g.village(v).actions >= g.most_actions(v) {
            finish(t, g, action, v).await;
        }
    }
    loop {
        let left: Vec<PartyId> = parties.iter().copied().filter(|&id| g.party(id).is_some()).collect();
        if left.is_empty() || g.variant.solitaire {
            return;
        }
        let mut among = vec![Afterwards::Stay, Afterwards::Return];
        if left.len() > 1 {
            among.extend(left.iter().copied().map(Afterwards::Leave));
        }
        let force = Force::Parties(left);
        let home = force.clone();
        let areas = force.area(g).into_iter().collect();
        let returning = action.occasion(home.clone(), areas, String::new());
        let pick = Pick::new(Ask::PostAction, "6.35", "Stay on the map or return to the Village", among).telling(
            move |g: &State, d| {
                let feared = returning.feared(g);
                let reaction = if feared.is_empty() {
                    "No Column can react to its return.".to_owned()
                } else {
                    format!("To its return can react, on a Reaction DR: {}.", list_and(&feared))
                };
                d.line(format!(
                    "{} has acted once. If it returns, its Village is Finished for the Turn.",
                    super::campaign::capitalised(&home.name(g))
                ))
                .line(reaction)
            },
        );
        let mine = force.clone();
        let returning = action.occasion(mine.clone(), mine.area(g).into_iter().collect(), String::new());
        let pick = pick.knowing(move |g: &State| {
            let (reactors, needed) = returning.reactors(g);
            let mut facts = vec![
                Fact::number("bps", mine.bps(g)),
                Fact::number("reactors", reactors),
                Fact::share("danger", needed.map_or(0, facts::dr), 10),
            ];
            facts.extend(mine.area(g).map(|a| Fact::is("area", &g.c[a].name)));
            facts
        });
        let (going, all) = match ask(t, g, seat, pick).await {
            Afterwards::Stay => return,
            Afterwards::Return => (force, true),
            Afterwards::Leave(id) => (Force::party(id), false),
        };
        for v in going.villages(g) {
            finish(t, g, action, v).await;
        }
        if all {
            return;
        }
    }
}

/// Counts an action of a Village; the last one makes it Finished (6.8).
async fn acted(t: &T, g: &mut State, action: &mut Action, v: VillageId) {
    g.village_mut(v).actions += 1;
    if g.village(v).actions >= g.most_actions(v) {
        finish(t, g, action, v).await;
    }
}

/// Makes a Village Finished. Its War Parties return immediately, and Columns may react to them
/// (6.35, 6.8).
pub async fn finish(t: &T, g: &mut State, action: &mut Action, v: VillageId) {
    g.village_mut(v).finished = true;
    for id in g.parties_of(v).map(|p| p.id).collect::<Vec<_>>() {
        let Some(area) = g.party(id).map(|p| p.area) else { continue };
        let target = Force::party(id);
        let what = format!("{} is returning to its Village.", super::campaign::capitalised(&target.name(g)));
        // It defends alone, with the ratings of its own Tribe (6.75).
        g.leave_alliance(id);
        let occasion = action.occasion(target.clone(), vec![area], what);
        react(t, g, action, occasion).await;
        if target.stands(g) {
            t.tell(|| {
                format!("{} returns to its Village, which is Finished.", super::campaign::capitalised(&target.name(g)))
            });
        }
        g.bring_home(id);
    }
}

/// Returns `true` if any of these Villages could make a compelled attack now.
pub fn can_be_compelled(g: &State, villages: &[VillageId], why: Compelled) -> bool {
    let Some(seat) = villages.iter().find_map(|&v| g.player_of(v)) else { return false };
    let prompt = VillageAction { after: After::Operation, compelled: Some((why, villages.to_vec())) };
    !prompt.acts(g, seat).is_empty()
}

/// Makes one of these Villages attack out of turn, chosen by its player, if possible (9.2D, 9.2F).
/// Returns `true` if the attack was made.
pub async fn compelled_attack(t: &T, g: &mut State, villages: &[VillageId], why: Compelled) -> bool {
    let Some(seat) = villages.iter().find_map(|&v| g.player_of(v)) else { return false };
    let prompt = VillageAction { after: After::Operation, compelled: Some((why, villages.to_vec())) };
    if prompt.acts(g, seat).is_empty() {
        t.tell(|| format!("{} has nothing to attack.", g.who(seat)));
        return false;
    }
    let double = why == Compelled::BadBlood;
    let (parties, area, aim) = match ask(t, g, seat, prompt).await {
        Act::NewParty { village, bps, chiefs, area, aim } => {
            unmask_village(t, g, village).await;
            let chiefs: Vec<_> = g.chiefs_at(village).filter(|h| chiefs.contains(h)).collect();
            (vec![send_out(t, g, village, bps, &chiefs, area)], area, aim)
        }
        Act::PartyAttack { parties, area, aim } => (parties, area, aim),
        _ => return false,
    };
    war_party_action(t, g, seat, parties, area, aim, double).await;
    true
}

/// Returns `true` if a Battle stopped a Relocation, because the Indians lost more than the Columns
/// (5.36).
pub fn stopped(cost: Option<Cost>) -> bool {
    cost.is_some_and(|c| c.defender > c.attacker)
}
