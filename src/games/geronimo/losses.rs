//! Losses of BPs by Villages, War Parties and Columns, of their leaders, and extinction (5.37,
//! 5.55, 6.66, 7.41, 7.42, 7.8).

use super::{
    Ask, Geronimo, State, T,
    components::{CommanderId, VillageId},
    events::keep_markers,
    reservation::{ask, offers_lapse, reveal},
    state::{ColumnId, CommanderPlace, DEVASTATION, PartyId, Place},
};
use postrider_standing::Fact;
use postrider_table::{Candidate, Pick};
use std::borrow::Cow;

/// Makes a Village Extinct if it has no BPs left and no War Party out (6.66, 7.42). Its player
/// loses 3 VPs.
pub fn check_extinction(t: &T, g: &mut State, v: VillageId) {
    if !g.in_play(v) || g.total_bps(v) > 0 {
        return;
    }
    let player = g.player_of(v);
    for chief in g.chiefs_at(v).collect::<Vec<_>>() {
        g.chiefs[chief.index()].killed = true;
    }
    g.village_mut(v).place = Place::Extinct;
    offers_lapse(t, g, v);
    match player {
        Some(seat) => {
            reveal(t, g, g.c[v].tribe);
            g.score(seat, -3, "7.42");
            t.tell(|| {
                let loss = g.scoring(|| format!(": {} loses 3 VPs", g.who(seat)));
                format!("The {} are extinct{loss}.", g.c[v].name)
            });
        }
        None => t.tell(|| format!("The {} are extinct.", g.c[v].name)),
    }
}

/// Removes up to `n` BPs present in a Village, and returns the number removed.
pub fn village_loses(t: &T, g: &mut State, v: VillageId, n: i32) -> i32 {
    let lost = n.clamp(0, g.village(v).bps);
    g.village_mut(v).bps -= lost;
    check_extinction(t, g, v);
    keep_markers(t, g);
    lost
}

/// Removes up to `n` BPs from a Village, and from its War Parties if none are left at home (6.65).
/// Returns the number removed.
pub fn tribe_loses(t: &T, g: &mut State, v: VillageId, n: i32) -> i32 {
    let mut lost = village_loses(t, g, v, n);
    while lost < n {
        let Some(party) = g.parties_of(v).max_by_key(|p| p.bps).map(|p| p.id) else { break };
        lost += party_loses(t, g, party, n - lost);
    }
    lost
}

/// Removes up to `n` BPs from a War Party, and returns the number removed. Without BPs it is
/// eliminated together with its Chiefs (7.8).
pub fn party_loses(t: &T, g: &mut State, id: PartyId, n: i32) -> i32 {
    let Some(party) = g.party_mut(id) else { return 0 };
    let lost = n.clamp(0, party.bps);
    party.bps -= lost;
    if party.bps == 0 {
        let village = party.village;
        let chiefs = std::mem::take(&mut party.chiefs);
        for chief in &chiefs {
            let state = &mut g.chiefs[chief.index()];
            state.killed = true;
            state.with = None;
        }
        t.tell(|| {
            let names: Vec<_> = chiefs.iter().map(|&h| g.c[h].name.as_str()).collect();
            let fell = if names.is_empty() {
                String::new()
            } else {
                format!("; killed: {}", postrider_orders::list_and(&names))
            };
            format!("The War Party of the {} is wiped out{fell}.", g.c[village].name)
        });
        g.parties.retain(|p| p.id != id);
        g.leave_alliance(id);
        check_extinction(t, g, village);
        keep_markers(t, g);
    }
    lost
}

/// Adds a Devastated marker of at most -3 to a Village (7.41). All markers of a Turn add up (6.64).
pub fn devastate(t: &T, g: &mut State, v: VillageId, strength: i32) {
    let marker = strength.min(DEVASTATION);
    g.village_mut(v).devastation += marker;
    if marker != 0 {
        t.tell(|| format!("The Village of the {} is Devastated -{}.", g.c[v].name, g.village(v).devastation));
    }
}

/// Removes a BP for Evasion Attrition, or Devastates a Village without BPs by -1 (7.52, 7.54,
/// 7.55).
pub fn attrition(t: &T, g: &mut State, who: Defender) {
    match who {
        Defender::Party(id) => {
            party_loses(t, g, id, 1);
        }
        Defender::Village(v) if g.village(v).bps == 0 => devastate(t, g, v, 1),
        Defender::Village(v) => {
            village_loses(t, g, v, 1);
        }
    }
}

/// Attacked Indians: a Village or a War Party.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defender {
    Village(VillageId),
    Party(PartyId),
}

/// The ways in which a Column can take the loss of one BP (5.55).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Bp,
    Gun,
    Gatling,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sacrifice {
    column: ColumnId,
    gives: Gives,
}

impl Candidate<Geronimo> for Sacrifice {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        let what = match self.gives {
            Gives::Bp => "BP",
            Gives::Gun => "Field Gun",
            Gives::Gatling => "Gatling",
        };
        format!("{} {what}", g.column_name(self.column)).into()
    }
    fn facts(&self, g: &State) -> Vec<Fact> {
        let bps = g.column(self.column).map_or(0, |column| column.bps);
        vec![Fact::is("column", g.column_name(self.column)), Fact::number("column bps", bps)]
    }
}

/// Removes `n` BPs from Columns after a Battle (5.55, 5.723, 7.32). The US chooses the Columns, and
/// whether to lose Artillery instead; without a choice it is not asked. Returns the number lost,
/// including Artillery.
pub async fn columns_lose(t: &T, g: &mut State, columns: &[ColumnId], n: i32) -> i32 {
    let here = || columns.iter().filter_map(|&id| g.column(id));
    if n >= here().map(|k| k.bps + k.guns + k.gatlings).sum::<i32>() {
        // No choice is left. Artillery counts only if it replaces a BP.
        let bps = here().map(|k| k.bps).sum();
        for &id in columns {
            destroy_column(t, g, id);
        }
        return bps;
    }
    let mut lost = 0;
    while lost < n {
        let choices: Vec<Sacrifice> = columns.iter().flat_map(|&id| sacrifices(g, id)).collect();
        let given = match choices.len() {
            0 => break,
            1 => choices[0],
            _ => {
                let left = n - lost;
                let pick = Pick::new(Ask::ColumnLoss, "5.55", "Which BP or Artillery marker is lost", choices)
                    .verbs(&["lose"])
                    .telling(move |_, d| d.line(format!("{left} to lose; each Artillery marker counts as one BP.")));
                let us = g.us;
                ask(t, g, us, pick).await
            }
        };
        column_gives(t, g, given.column, given.gives);
        lost += 1;
    }
    lost
}

/// Removes one BP from the Column that the US chooses (5.723, 9.2HH). Artillery can replace BPs
/// only in Combat and Attrition (5.55).
pub async fn columns_pay(t: &T, g: &mut State, columns: &[ColumnId]) {
    let column = match columns {
        [] => return,
        [only] => *only,
        _ => {
            let among = columns.iter().map(|&column| Sacrifice { column, gives: Gives::Bp }).collect();
            let pick = Pick::new(Ask::PursuitLoss, "9.2HH", "Which Column loses the BP of a Pursuit in winter", among)
                .verbs(&["lose"]);
            let us = g.us;
            ask(t, g, us, pick).await.column
        }
    };
    t.tell(|| format!("{} loses a BP to the winter.", g.column_name(column)));
    column_gives(t, g, column, Gives::Bp);
}

fn sacrifices(g: &State, id: ColumnId) -> impl Iterator<Item = Sacrifice> + use<> {
    let counts = g.column(id).map_or([0; 3], |k| [k.bps, k.guns, k.gatlings]);
    let kinds = [Gives::Bp, Gives::Gun, Gives::Gatling];
    kinds.into_iter().zip(counts).filter(|&(_, n)| n > 0).map(move |(gives, _)| Sacrifice { column: id, gives })
}

/// Removes one BP or Artillery marker from a Column. Without BPs it is eliminated, and its
/// Commander is killed (7.8).
pub fn column_gives(t: &T, g: &mut State, id: ColumnId, gives: Gives) {
    let Some(column) = g.column_mut(id) else { return };
    match gives {
        Gives::Bp => column.bps -= 1,
        Gives::Gun => column.guns -= 1,
        Gives::Gatling => column.gatlings -= 1,
    }
    if column.bps == 0 {
        destroy_column(t, g, id);
    }
}

/// Eliminates a Column with its Commander and Artillery (7.8).
pub fn destroy_column(t: &T, g: &mut State, id: ColumnId) {
    let Some(at) = g.columns.iter().position(|k| k.id == id) else { return };
    let column = g.columns.remove(at);
    keep_markers(t, g);
    let kill = |g: &mut State, m: CommanderId| g.commanders[m.index()] = CommanderPlace::Dead;
    match column.commander {
        Some(m) => {
            kill(g, m);
            t.tell(|| format!("{}'s Column is lost, and {} with it.", g.c[m].surname, g.c[m].name));
        }
        None => t.tell(|| format!("A Column in {} is lost.", g.c[column.area].name)),
    }
}
