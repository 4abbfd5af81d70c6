//! The options that Event cards give in an engagement: Winter Campaign and Black Kettle.

use super::sides::fighters;
use crate::{
    Ask, T,
    components::{Faction, RegionId},
    facts,
    state::{State, tell_cubes},
};
use postrider_table::{NO, Pick, Seat, YES};

async fn yes(t: &T, g: &mut State, r: RegionId, (seat, kind): (Seat, Ask), title: &'static str, line: String) -> bool {
    let indian = g.variant.is_indian(seat);
    let pick = Pick::new(kind, "9.2", title, vec![NO, YES])
        .telling(move |_, d| d.line(line.clone()))
        .knowing(move |g| facts::fight(g, r, indian));
    t.ask(g, seat, pick).await == YES
}

/// Asks whether Winter Campaign is used here, and returns the answer. Blue then rolls one more die
/// in each roll of this engagement.
pub async fn winter_campaign(t: &T, g: &mut State, r: RegionId, out: Option<Faction>) -> bool {
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
    if yes(t, g, r, (g.owner(Faction::Cavalry), Ask::WinterCampaign), "Whether Winter Campaign is used here", line)
        .await
    {
        g.fx.winter = false;
        t.tell(|| "Winter Campaign: Blue rolls one more die here.".to_owned());
        return true;
    }
    false
}

/// Asks whether Black Kettle ends this engagement as if by a Treaty, and returns the answer. This
/// is possible after any roll.
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
    if yes(t, g, r, (g.owner(Faction::Spt), Ask::BlackKettle), "Whether Black Kettle ends this engagement", line).await
    {
        g.fx.black_kettle = false;
        t.tell(|| "Black Kettle: the engagement ends as if both sides had rolled a Treaty.".to_owned());
        return true;
    }
    false
}
