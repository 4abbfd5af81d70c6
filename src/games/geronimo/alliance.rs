//! Tribal Alliances (6.7, 9.2FF).

use super::{
    Ask, Geronimo, Order, State, T,
    campaign::unmask_village,
    cards::After,
    components::{AreaId, ChiefId, TribeId, TribeSet, VillageId},
    indian::war_party_action,
    naming,
    order::{Contribution, Target},
    ratings::Force,
    reaction::Action,
    reservation::ask,
    solitaire,
    state::{Alliance, PartyId},
    target_words::{place, target},
    village_action::VillageAction,
    village_words::{contribution, definite, place_of},
    war_party::{self, Aim},
};
use postrider_orders::{
    Grammar, Misread, Names, Phrase, Reader, filler, just, list_and, nothing, one_of, variant, word_as,
};
use postrider_table::{Choice, Description, OneOr, Pick, Prompt, Refusal, Seat, Word, refuse};

/// The name of an Alliance's combined War Party in orders.
pub const NAME: &str = "alliance";

/// The checked contribution of a Village.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gift {
    pub village: VillageId,
    /// The BPs of a new War Party, or the War Party that is already out.
    pub force: Result<i32, PartyId>,
    pub chiefs: Vec<ChiefId>,
}

/// The checked operation of an Alliance.
pub struct Plan {
    pub area: AreaId,
    pub gifts: Vec<Gift>,
    pub target: Target,
    /// The aim of the attack if nobody else joins.
    pub aim: Aim,
    /// The players who are asked to join (6.76): all if the Alliance is formed by a Tribal Alliances
    /// card, otherwise those with Villages in it (6.75).
    pub asks: Vec<Seat>,
    /// The Villages with which they may join; empty for any.
    pub only: Vec<VillageId>,
}

/// Separates acting War Parties from those with which they are combined (6.75). The others stay
/// where they are, combined with each other.
pub fn part(t: &T, g: &mut State, acting: &[PartyId]) {
    let Some(at) = g.alliances.iter().position(|a| a.parties.iter().any(|id| acting.contains(id))) else { return };
    let (going, staying): (Vec<PartyId>, Vec<PartyId>) =
        g.alliances[at].parties.iter().partition(|id| acting.contains(id));
    if staying.is_empty() {
        return;
    }
    t.tell(|| {
        let names: Vec<String> = staying.iter().filter_map(|&id| g.party(id)).map(|p| g.party_name(p)).collect();
        format!("Of the Alliance the {} stay where they are.", list_and(&names))
    });
    let rest = Alliance { parties: staying, ..g.alliances[at].clone() };
    g.alliances[at].parties = going;
    g.alliances.push(rest);
}

/// Returns the leader who moves a combined War Party (6.76); `None` for a single one.
pub fn mover(g: &State, id: PartyId) -> Option<Seat> {
    g.alliances.iter().find(|a| a.parties.len() > 1 && a.parties.contains(&id)).map(|a| a.leader)
}

/// Returns the War Parties combined by this leader's Alliances, each group with its name in orders
/// (6.75): `alliance`, or `alliance of the crow` if there are several groups.
pub fn groups(g: &State, leader: Seat) -> Vec<(String, Vec<PartyId>)> {
    let mine: Vec<&Alliance> = g.alliances.iter().filter(|a| a.leader == leader && a.parties.len() > 1).collect();
    let name = |a: &Alliance| match (mine.len(), g.party(a.parties[0])) {
        (2.., Some(first)) => format!("{NAME} of the {}", g.party_name(first)),
        _ => NAME.to_owned(),
    };
    mine.iter().map(|a| (name(a), a.parties.clone())).collect()
}

/// Parses `of the crow attacks` if there are several groups, as the group of that War Party.
fn group(g: &State, seat: Seat) -> Grammar<'_, String> {
    let names = move || {
        let mut names = Names::new("War Party of your Alliances");
        for (at, (_, parties)) in groups(g, seat).iter().enumerate() {
            for party in parties.iter().filter_map(|&id| g.party(id)) {
                names.add(&g.party_name(party), at);
            }
        }
        names
    };
    let named = Grammar::leaf(
        move |words: &mut Reader<'_>| words.name(&names()).map(|at| groups(g, seat)[at].0.clone()),
        |name: &String| name.strip_prefix(NAME)?.strip_prefix(" of the ").map(str::to_owned),
    );
    filler("the", &["the"]).then(named).before(word_as("attacks", &["attack"]))
}

/// Returns `true` if a player may use a Village in an Alliance: their own (6.71) or, in the
/// Solitaire Game, one of the Tribes that were looked at (11.36).
fn may_give(g: &State, seat: Seat, v: VillageId) -> bool {
    g.player_of(v) == Some(seat) || g.solo.looked_at().any(|tribe| tribe == g.c[v].tribe) && !g.village(v).dormant
}

/// Checks the contribution of a Village of `seat` to `leader`'s Alliance in an Area (6.71, 6.72).
fn gift(g: &State, seat: Seat, leader: Seat, area: AreaId, what: &Contribution) -> Result<Gift, Refusal> {
    let name = &what.village;
    let Some(v) = g.c.village_by_name(name).filter(|&v| may_give(g, seat, v)) else {
        return refuse("6.71", format!("The {name} are not an Active Tribe of yours."));
    };
    let state = g.village(v);
    // In the Solitaire Game this would be the first or second action of an Alliance (11.36).
    if state.finished || state.actions >= 2 {
        return refuse("6.8", format!("The {name} Village is Finished for this Turn."));
    }
    let mut chiefs = Vec::new();
    for chief in &what.chiefs {
        match g.c.chief_by_name(chief) {
            Some(h) if !chiefs.contains(&h) => chiefs.push(h),
            _ => return refuse("6.51", format!("{chief} cannot lead here.")),
        }
    }
    if what.bps == 0 {
        let Some(party) = g.parties_of(v).next() else {
            return refuse("6.72", format!("The {name} have no War Party out: say how many BPs they send."));
        };
        if !chiefs.is_empty() {
            return refuse("6.53", "The Chiefs of a War Party that is out already are with it.");
        }
        if mover(g, party.id).is_some_and(|mover| mover != seat && mover != leader) {
            return refuse("6.76", format!("The {name} are in another player's Alliance, who moves their War Party."));
        }
        if let Some(home) = g.area_of(v) {
            VillageAction::reach(g, party.area, home, area)?;
            VillageAction::on_foot(g, v, party.on_foot, home, area)?;
        }
        return Ok(Gift { village: v, force: Err(party.id), chiefs });
    }
    let home = VillageAction::launch(g, v, what.bps, &chiefs)?;
    VillageAction::reach(g, home, home, area)?;
    VillageAction::on_foot(g, v, g.events.no_horses.contains(&v), home, area)?;
    Ok(Gift { village: v, force: Ok(what.bps), chiefs })
}

/// Returns the Tribes that could join an Alliance with these Villages (6.76): Friends of a member
/// or of a possible member, and Enemies of no member.
fn welcome(g: &State, villages: &[VillageId]) -> TribeSet {
    let mut all: TribeSet = villages.iter().map(|&v| g.c[v].tribe).collect();
    let own = all;
    let hostile = |a: TribeId, b: TribeId| g.c[a].enemies.contains(b) || g.c[b].enemies.contains(a);
    loop {
        let fits = |tribe: &TribeId| {
            let friends = g.c[*tribe].friends;
            !own.iter().any(|other| hostile(*tribe, other)) && all.iter().any(|other| friends.contains(other))
        };
        let Some(tribe) = g.c.tribe_ids().filter(|tribe| !all.contains(*tribe)).find(fits) else { return all };
        all.insert(tribe);
    }
}

/// Checks that every Tribe is a Friend of at least one other, and an Enemy of none (6.71).
fn friendly(g: &State, villages: &[VillageId]) -> Result<(), Refusal> {
    for (i, &a) in villages.iter().enumerate() {
        let tribe = g.c[a].tribe;
        let others = || villages.iter().enumerate().filter(move |(j, _)| *j != i).map(|(_, &b)| g.c[b].tribe);
        if let Some(enemy) = others().find(|&b| g.c[tribe].enemies.contains(b)) {
            return refuse("6.71", format!("The {} and the {} are Enemies.", g.c[tribe].name, g.c[enemy].name));
        }
        if !others().any(|b| g.c[tribe].friends.contains(b)) {
            return refuse("6.71", format!("The {} are Friends of no other Tribe in this Alliance.", g.c[tribe].name));
        }
    }
    Ok(())
}

/// Checks an order of an Alliance. Unless a Tribal Alliances card was played, only an existing
/// Alliance of this Turn may act (6.75).
pub fn plan(
    g: &State,
    seat: Seat,
    area: AreaId,
    with: &[Contribution],
    target: &Target,
    after: After,
) -> Result<Plan, Refusal> {
    if with.len() > g.villages.len() {
        return refuse("6.71", "An Alliance has one War Party from each Village at the most.");
    }
    let mut gifts: Vec<Gift> = Vec::new();
    for what in with {
        let gift = gift(g, seat, seat, area, what)?;
        if gifts.iter().any(|other| other.village == gift.village) {
            return refuse("6.71", format!("The {} are named twice.", what.village));
        }
        gifts.push(gift);
    }
    let villages: Vec<VillageId> = gifts.iter().map(|x| x.village).collect();
    let new = after == After::Alliance;
    let lasting = |a: &&Alliance| a.leader == seat && villages.iter().all(|v| a.villages.contains(v));
    if !new && !g.alliances.iter().any(|a| lasting(&a)) {
        return refuse(
            "6.71",
            "An Alliance needs the Tribal Alliances card, or the Villages of an Alliance of this Turn.",
        );
    }
    // Another player may provide the second one (6.76).
    let of_others = |v: &VillageId| g.player_of(*v).is_some_and(|who| who != seat);
    let only: Vec<VillageId> = match after {
        After::Alliance | After::Alone => Vec::new(),
        _ => g.alliances.iter().filter(lasting).flat_map(|a| a.villages.iter().copied()).filter(of_others).collect(),
    };
    let joins = |s: &Seat| *s != seat && (new || only.iter().any(|&v| g.player_of(v) == Some(*s)));
    let asks: Vec<Seat> = g.indian_seats().filter(joins).collect();
    let fewest = if asks.is_empty() { 2 } else { 1 };
    if villages.len() < fewest {
        return refuse("6.71", "An Alliance combines at least two Villages.");
    }
    if villages.len() > 1 {
        friendly(g, &villages)?;
    }
    solitaire::alliance(g, &villages)?;
    let aim = war_party::aim(g, &villages, area, target, None)?;
    Ok(Plan { area, gifts, target: target.clone(), aim, asks, only })
}

/// Gathers the War Parties of an Alliance and attacks (6.7). Returns `None` if nobody joins, so
/// that there is no Alliance.
pub async fn operate(t: &T, g: &mut State, seat: Seat, mut plan: Plan) -> Option<Action> {
    for gift in plan.gifts.clone() {
        let tribe = g.c[gift.village].tribe;
        solitaire::take_out(t, g, tribe).await;
        unmask_village(t, g, gift.village).await;
    }
    if !plan.asks.is_empty() {
        others_join(t, g, seat, &mut plan).await;
        if plan.gifts.len() < 2 {
            t.tell(|| "Nobody joins: there is no Alliance.".into());
            return None;
        }
    }
    let Plan { area, gifts, aim, .. } = plan;
    let villages: Vec<VillageId> = gifts.iter().map(|x| x.village).collect();
    let mut parties = Vec::new();
    for gift in gifts {
        let id = match gift.force {
            Err(id) => id,
            Ok(bps) => {
                let bps = bps.min(g.village(gift.village).bps);
                let chiefs: Vec<ChiefId> = g.chiefs_at(gift.village).filter(|h| gift.chiefs.contains(h)).collect();
                g.send_party(gift.village, bps, &chiefs, area)
            }
        };
        if let Some(party) = g.party_mut(id) {
            party.area = area;
        }
        g.leave_alliance(id);
        parties.push(id);
    }
    // An Alliance lasts for the Turn, even if its War Parties are gone; it ends if this one
    // includes all its Villages (6.75).
    let taken_in = |a: &Alliance| a.leader == seat && a.villages.iter().all(|v| villages.contains(v));
    g.alliances.retain(|a| !a.parties.is_empty() || !taken_in(a));
    g.alliances.push(Alliance { leader: seat, villages: villages.clone(), parties: parties.clone() });
    Some(war_party_action(t, g, seat, parties, area, aim, false).await)
}

/// Asks the other Indian players to join (6.76, 9.2FF), and accepts contributions that fit the
/// members at that point.
async fn others_join(t: &T, g: &mut State, leader: Seat, plan: &mut Plan) {
    let own: Vec<VillageId> = plan.gifts.iter().map(|x| x.village).collect();
    t.tell(|| {
        let names: Vec<&str> = own.iter().map(|&v| g.c[v].name.as_str()).collect();
        format!("{} calls an Alliance with the {} in {}.", g.who(leader), list_and(&names), g.c[plan.area].name)
    });
    let join = |&seat: &Seat| {
        let (own, target, only) = (own.clone(), plan.target.clone(), plan.only.clone());
        t.open(seat, Join { leader, area: plan.area, own, target, only })
    };
    let tickets = plan.asks.iter().map(join).collect();
    let mut offered: Vec<Gift> = t.all(g, tickets).await.into_iter().flatten().collect();
    for gift in &offered {
        unmask_village(t, g, gift.village).await;
    }
    let fits = |g: &State, plan: &Plan, gift: &Gift| {
        let villages: Vec<VillageId> = plan.gifts.iter().chain([gift]).map(|x| x.village).collect();
        friendly(g, &villages)?;
        war_party::aim(g, &villages, plan.area, &plan.target, None)
    };
    // A new member may be the Friend that another one needs.
    while let Some((at, aim)) = (0..offered.len()).find_map(|at| Some((at, fits(g, plan, &offered[at]).ok()?))) {
        plan.aim = aim;
        plan.gifts.push(offered.remove(at));
    }
    for gift in offered {
        if let Err(Refusal { rule, why }) = fits(g, plan, &gift) {
            t.tell(|| format!("The {} cannot join the Alliance: {why} ({rule})", g.c[gift.village].name));
        }
    }
}

/// Returns the other players with Tribes in a force.
pub fn partners(g: &State, leader: Seat, force: &Force) -> Vec<Seat> {
    let villages = force.villages(g);
    g.indian_seats().filter(|&s| s != leader && villages.iter().any(|&v| g.player_of(v) == Some(s))).collect()
}

pub const KEEP: Word = Word::new("keep").or(&["keep them", "keep all"]);

/// Lets the leader, who earns the VPs of an Alliance as attacker or defender, share them (6.76).
pub async fn share(t: &T, g: &mut State, leader: Seat, partners: &[Seat], vps: i32) {
    let mut left = vps;
    while left > 0 && !partners.is_empty() && !g.variant.solitaire {
        let among = OneOr::among(KEEP, partners.iter().copied());
        let pick = Pick::new(Ask::Share, "6.76", "Keep the VPs, or give one to a player who joined", among)
            .verbs(&["give"])
            .telling(move |_, d| d.line(format!("VPs of this Alliance that are yours to share: {left}.")));
        let OneOr::One(to) = ask(t, g, leader, pick).await else { break };
        g.score(leader, -1, "6.76");
        g.score(to, 1, "6.76");
        t.tell(|| format!("{} gives 1 VP to {}.", g.who(leader), g.who(to)));
        left -= 1;
    }
}

/// The question of what another player contributes to an Alliance (6.76).
pub struct Join {
    pub leader: Seat,
    pub area: AreaId,
    pub own: Vec<VillageId>,
    pub target: Target,
    /// The Villages of the lasting Alliance (6.75); empty for a new one, which any may join.
    pub only: Vec<VillageId>,
}

impl Join {
    /// Returns the contributions that this player could make, each alone.
    fn possible(&self, g: &State, seat: Seat) -> Vec<Contribution> {
        let mine = g.village_ids().filter(|&v| g.player_of(v) == Some(seat));
        let all = mine.map(|v| Contribution {
            village: g.c[v].name.clone(),
            bps: if g.parties_of(v).next().is_some() { 0 } else { g.village(v).bps },
            chiefs: if g.parties_of(v).next().is_some() {
                Vec::new()
            } else {
                g.chiefs_at(v).map(|h| g.c[h].name.clone()).collect()
            },
        });
        all.filter(|c| self.accept(g, seat, &Order::Volunteer { with: vec![c.clone()] }).is_ok()).collect()
    }
}

impl Join {
    /// `join with crow 3 bps with plenty coups` · `stay out`.
    fn grammar(g: &State, seat: Seat) -> Grammar<'_, Order> {
        let own = move || naming::villages(g, g.village_ids().filter(|&v| g.player_of(v) == Some(seat)));
        let more = |words: &mut Reader<'_>| {
            words.skip(&["and"]);
            !words.at_end()
        };
        let with = filler("with", &["with", "the", "alliance"]).then(contribution(g, own).many(",", more));
        one_of()
            .on(&["stay out", "no", "pass", "nothing", "stay"], filler("", &["out"]).means(Order::Pass {}))
            .on(&["join"], variant!(with => with => Order::Volunteer { with }))
            .otherwise(nothing("`join with …`, or `stay out`"))
    }
}

impl Prompt<Geronimo> for Join {
    type Answer = Vec<Gift>;
    fn kind(&self) -> Ask {
        Ask::JoinAlliance
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Vec<Gift>, Refusal> {
        let with = match order {
            Order::Pass {} => return Ok(Vec::new()),
            Order::Volunteer { with } if with.len() <= g.villages.len() => with,
            _ => return refuse("6.76", "Say what joins the Alliance, or `stay out`."),
        };
        let welcome = welcome(g, &self.own);
        let mut gifts: Vec<Gift> = Vec::new();
        for what in with {
            let gift = gift(g, seat, self.leader, self.area, what)?;
            if gifts.iter().any(|other| other.village == gift.village) {
                return refuse("6.76", format!("The {} are named twice.", what.village));
            }
            if !self.only.is_empty() && !self.only.contains(&gift.village) {
                return refuse("6.75", format!("The {} are not in this Alliance.", what.village));
            }
            if !welcome.contains(g.c[gift.village].tribe) {
                let why = format!("The {} are Enemies of a Tribe in this Alliance, or Friends of none.", what.village);
                return refuse("6.76", why);
            }
            let villages: Vec<VillageId> = self.own.iter().copied().chain([gift.village]).collect();
            war_party::aim(g, &villages, self.area, &self.target, None)?;
            gifts.push(gift);
        }
        if gifts.is_empty() {
            return refuse("6.76", "Say what joins the Alliance, or `stay out`.");
        }
        Ok(gifts)
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        let names: Vec<&str> = self.own.iter().map(|&v| g.c[v].name.as_str()).collect();
        let mut d = Description::new("Join the Alliance or stay out", "6.76")
            .line(format!("{} calls an Alliance in {}: {}.", g.who(self.leader), g.c[self.area].name, list_and(&names)))
            .line("He earns the VPs, may share them, and says who takes losses. Your next Operation is used up.")
            .line("A Tribe must be a Friend of one that is in it, or that another player brings into it.")
            .examples();
        if self.possible(g, seat).is_empty() {
            d = d.line("None of your Tribes can join.");
        }
        d
    }
    fn read(&self, g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
        Self::grammar(g, seat).whole(said)
    }
    fn say(&self, g: &State, seat: Seat, order: &Order) -> Option<String> {
        Self::grammar(g, seat).say(order)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        let joined = self.possible(g, seat).into_iter().map(|what| Order::Volunteer { with: vec![what] });
        let grammar = Self::grammar(g, seat);
        std::iter::once(Order::Pass {}).chain(joined).map(|order| Choice::said(order, &grammar)).collect()
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Pass {})
    }
}

/// Parses an order after the word `alliance`:
/// `in montana with teton sioux 1 6 bps with crazy horse, arapaho 5 bps attacks column miles`, or
/// for an Alliance on the map `attacks …` and `of the arapaho attacks …`.
pub fn grammar(g: &State, seat: Seat) -> Grammar<'_, Order> {
    let attack = move |(party, (target, place)): (String, (Target, Option<String>)), words: &Reader<'_>| {
        let meant = groups(g, seat).into_iter().filter(|(other, _)| *other == party || party == NAME);
        let from: Vec<_> = meant
            .flat_map(|(_, ids)| ids)
            .filter_map(|id| g.party(id))
            .map(|p| (p.area, p.village, p.on_foot))
            .collect();
        let area = place.and_then(|area| g.c.area_by_name(&area)).or_else(|| place_of(g, &target));
        let (area, target) = definite(g, target, area, &from, words)?;
        Ok(Order::PartyAttack { party, area, target })
    };
    let attacked = |order: &Order| match order.clone() {
        Order::PartyAttack { party, area, target } if party.starts_with(NAME) => Some((party, (target, Some(area)))),
        _ => None,
    };
    let only = just(NAME.to_owned()).and(target(g).and(place(g))).try_map(attack, attacked);
    let one = group(g, seat).and(target(g).and(place(g))).try_map(attack, attacked);
    let gift = move || contribution(g, move || naming::villages(g, g.village_ids().filter(|&v| may_give(g, seat, v))));
    let given = Grammar::leaf(
        move |words| {
            let (gift, mut with) = (gift(), Vec::new());
            while !words.eat("attack") {
                if words.at_end() {
                    return Err(words.fail("and what does the Alliance attack?"));
                }
                with.push(gift.read(words)?);
                words.skip(&["and", "with"]);
            }
            Ok(with)
        },
        move |with: &Vec<Contribution>| {
            let gift = gift();
            let said: Vec<String> = with.iter().map(|what| gift.say(what)).collect::<Option<_>>()?;
            Some(format!("{} attacks", said.join(", ")))
        },
    );
    let called = filler("in", &["in"]).then(naming::area(g));
    let called = called.and(filler("with", &["with", "of"]).then(given));
    let called = called.and(filler("", &["the", "a"]).then(target(g)).and(place(g)));
    let called = called.try_map(
        |((area, with), (target, place)), words| {
            if let Some(place) = place.filter(|place| *place != area) {
                return Err(words.fail(format!("the Alliance meets and attacks in one Area: {area} or {place}?")));
            }
            let (area, target) = definite(g, target, g.c.area_by_name(&area), &[], words)?;
            Ok(Order::Alliance { area, with, target })
        },
        |order| match order.clone() {
            Order::Alliance { area, with, target } => Some(((area, with), (target, None))),
            _ => None,
        },
    );
    one_of().said("attacks", &["attack"], only).on(&["of"], one).otherwise(called)
}

/// Returns examples of Alliances: for each Area and each target in it, all suitable Villages in
/// reach, if there are at least two.
pub fn examples(g: &State, seat: Seat) -> Vec<Order> {
    let mut all = Vec::new();
    for area in g.area_ids() {
        let targets = war_party::targets(g, area);
        if targets.is_empty() {
            continue;
        }
        let mut gifts: Vec<(VillageId, Contribution)> = Vec::new();
        let mut mine: Vec<VillageId> = g.village_ids().filter(|&v| may_give(g, seat, v)).collect();
        // The drawn Tribe goes first, because in the Solitaire Game there is no Alliance without it
        // (11.36).
        mine.sort_by_key(|&v| !solitaire::concerns(g, v));
        for v in mine {
            let out = g.parties_of(v).next().is_some();
            let chiefs = if out {
                Vec::new()
            } else {
                g.chiefs_at(v).filter(|h| !g.chiefs[h.index()].used).map(|h| g.c[h].name.clone()).collect()
            };
            let what =
                Contribution { village: g.c[v].name.clone(), bps: if out { 0 } else { g.village(v).bps }, chiefs };
            if gift(g, seat, seat, area, &what).is_ok() {
                let mut villages: Vec<VillageId> = gifts.iter().map(|x| x.0).collect();
                villages.push(v);
                if villages.len() == 1 || friendly(g, &villages).is_ok() {
                    gifts.push((v, what));
                }
            }
        }
        if gifts.len() < 2 {
            continue;
        }
        let with: Vec<Contribution> = gifts.into_iter().map(|x| x.1).collect();
        let call = |target| Order::Alliance { area: g.c[area].name.clone(), with: with.clone(), target };
        all.extend(targets.into_iter().map(call));
    }
    all
}
