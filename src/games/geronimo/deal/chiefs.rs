//! The Teton Chiefs, who are divided between two Villages (6.51).

use super::super::{
    Ask, Geronimo, Order, State, T,
    components::{ChiefId, TribeId, VillageId},
    reservation::ask,
    state::Place,
};
use postrider_orders::{Grammar, Misread, Names, Phrase, just, list_and, one_of, variant};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// Returns the Chiefs without a fixed Village, who are the Teton Chiefs.
fn teton_chiefs(g: &State) -> impl Iterator<Item = ChiefId> + '_ {
    g.c.chief_ids().filter(|&h| g.c[h].village.is_none() && g.c[h].available_in(g.turn) && !g.chiefs[h.index()].killed)
}

/// Returns the Teton Villages that their player can use this Turn.
fn teton_villages(g: &State) -> Vec<VillageId> {
    let chief = g.c.chief_ids().find(|&h| g.c[h].village.is_none());
    let mut villages = chief.map_or_else(Vec::new, |h| g.c.villages_of_chief(h));
    villages.retain(|&v| g.in_play(v) && !g.village(v).dormant);
    villages
}

/// Returns the Teton Villages On Reservation. If no Teton Village is in play, their Chiefs are with
/// them. They count when a Massacre causes unrest there (8.21), and defend the Village when it
/// returns (7.4, 7.82).
fn reserved_villages(g: &State) -> Vec<VillageId> {
    let chief = g.c.chief_ids().find(|&h| g.c[h].village.is_none());
    let mut villages = chief.map_or_else(Vec::new, |h| g.c.villages_of_chief(h));
    villages.retain(|&v| matches!(g.village(v).place, Place::Reservation { .. }));
    villages
}

/// Assigns this Turn's Teton Chiefs alternately to the two Villages, until the Sioux player divides
/// them (6.51). Those In Prison come last; they also need a Village in case of a Parole (7.82).
pub(super) fn assign_teton_chiefs(g: &mut State) {
    let mut villages = teton_villages(g);
    if villages.is_empty() {
        villages = reserved_villages(g);
    }
    let mut chiefs: Vec<ChiefId> = teton_chiefs(g).collect();
    chiefs.sort_by_key(|h| g.chiefs[h.index()].prison);
    for (h, &v) in chiefs.into_iter().zip(villages.iter().cycle()) {
        g.chiefs[h.index()].assigned = Some(v);
    }
}

/// Returns `true` if the Teton Chiefs are divided at the start of the Turn, before it is known who
/// holds the Sioux (6.51). In the Solitaire Game they are divided when the card of the Sioux is
/// drawn (11.36).
pub fn is_divided_at_start(g: &State) -> bool {
    !g.variant.solitaire
}

/// Divides the Teton Chiefs at the start of the Turn (6.51). Until the Sioux are revealed, every
/// Indian player gives a division, so that nobody learns who holds them. The holder's division
/// counts, and becomes known with the card.
pub async fn at_the_start_of_the_turn(t: &T, g: &mut State) {
    let Some(sioux) = g.c.tribe_by_name("Sioux") else { return };
    if g.tribes[sioux.index()].revealed {
        return divide_teton_chiefs(t, g).await;
    }
    let &[first, second] = teton_villages(g).as_slice() else { return };
    if free_chiefs(g).next().is_none() {
        return;
    }
    let seats: Vec<Seat> = g.indian_seats().collect();
    let tickets = seats.iter().map(|&seat| t.open(seat, Divide { first, second })).collect();
    let said = t.all(g, tickets).await;
    for (seat, with_second) in seats.into_iter().zip(said) {
        t.tell(|| {
            let names: Vec<&str> = with_second.iter().map(|&h| g.c[h].name.as_str()).collect();
            let gets = if names.is_empty() { "nobody".to_owned() } else { list_and(&names) };
            format!("If {} holds the Sioux, the {} gets {gets}.", g.who(seat), g.c[second].name)
        });
        g.divisions[seat.index()] = Some(with_second);
    }
    keep_to_division(g, sioux);
}

/// Assigns the Teton Chiefs as the holder of the Sioux has said, or alternately to the two Villages
/// if nobody holds the Sioux.
pub fn keep_to_division(g: &mut State, sioux: TribeId) {
    let &[first, second] = teton_villages(g).as_slice() else { return };
    let said = g.tribes[sioux.index()].holder.and_then(|seat| g.divisions[seat.index()].clone());
    match said {
        Some(with_second) => divide(g, [first, second], &with_second),
        None => assign_teton_chiefs(g),
    }
}

fn divide(g: &mut State, [first, second]: [VillageId; 2], with_second: &[ChiefId]) {
    for h in free_chiefs(g).collect::<Vec<_>>() {
        let v = if with_second.contains(&h) { second } else { first };
        g.chiefs[h.index()].assigned = Some(v);
    }
}

/// Returns `true` if, as far as everyone knows, a Tribe's Chiefs may be with another of its
/// Villages than they appear to be (6.51).
pub fn is_unsure(g: &State, tribe: TribeId) -> bool {
    let state = &g.tribes[tribe.index()];
    if is_divided_at_start(g) { !state.revealed } else { !state.divided }
}

/// Tells how the Teton Chiefs were divided at the start of the Turn, once the Sioux are revealed.
pub fn tell_division(t: &T, g: &State, tribe: TribeId) {
    let &[first, second] = teton_villages(g).as_slice() else { return };
    if g.c[first].tribe == tribe && g.divisions.iter().any(Option::is_some) {
        tell_chiefs(t, g, [first, second]);
    }
}

/// Asks the Sioux player to divide the Teton Chiefs between the two Teton Villages, once each Turn
/// (6.51).
pub async fn divide_teton_chiefs(t: &T, g: &mut State) {
    let Some(sioux) = g.c.tribe_by_name("Sioux") else { return };
    let state = &g.tribes[sioux.index()];
    let (Some(seat), &[first, second]) = (state.holder, teton_villages(g).as_slice()) else { return };
    let said = g.divisions[seat.index()].is_some();
    if state.divided || said || free_chiefs(g).next().is_none() {
        return;
    }
    g.tribes[sioux.index()].divided = true;
    let with_second = ask(t, g, seat, Divide { first, second }).await;
    divide(g, [first, second], &with_second);
    tell_chiefs(t, g, [first, second]);
}

fn tell_chiefs(t: &T, g: &State, villages: [VillageId; 2]) {
    for v in villages {
        t.tell(|| {
            let chiefs: Vec<&str> = g.chiefs_of(v).map(|h| g.c[h].name.as_str()).collect();
            let chiefs = if chiefs.is_empty() { "nobody".to_owned() } else { list_and(&chiefs) };
            format!("Chiefs with the {}: {chiefs}.", g.c[v].name)
        });
    }
}

/// Returns the Teton Chiefs who can be divided now: available, and not with a War Party.
fn free_chiefs(g: &State) -> impl Iterator<Item = ChiefId> + '_ {
    teton_chiefs(g).filter(|&h| g.chief_available(h) && g.chiefs[h.index()].with.is_none())
}

/// The question of which Chiefs go to the second Village (6.51). All others stay with the first.
pub struct Divide {
    first: VillageId,
    second: VillageId,
}

/// Maximum number of Chiefs for which all divisions are listed.
const MOST_LISTED: usize = 4;

impl Divide {
    /// Returns the question for this Turn, if two Teton Villages are in play.
    pub fn of(g: &State) -> Option<Divide> {
        let &[first, second] = teton_villages(g).as_slice() else { return None };
        Some(Divide { first, second })
    }
    /// `teton 2 gets crazy horse and gall`, or nobody.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let second = self.second;
        let village = Grammar::leaf(
            move |words| {
                let mut villages = Names::new("Village");
                villages.add(&g.c[second].short, ()).add(&g.c[second].name, ());
                if words.try_name(&villages).is_some() {
                    words.skip(&["gets", "get", "with", "takes", "has"]);
                }
                Ok(())
            },
            move |()| Some(format!("{} gets", g.c[second].short)),
        );
        let chiefs = Grammar::leaf(
            move |words| {
                let chiefs = Names::from_iter("Chief", free_chiefs(g).map(|h| (&g.c[h].name, h)));
                let mut names = Vec::new();
                loop {
                    names.push(g.c[words.name(&chiefs)?].name.clone());
                    words.skip(&["and"]);
                    if words.at_end() {
                        return Ok(names);
                    }
                }
            },
            |names: &Vec<String>| (!names.is_empty()).then(|| list_and(names)),
        );
        let names = one_of().on(&["nobody", "none"], just(Vec::new())).otherwise(chiefs);
        variant!(village.then(names) => names => Order::List { names })
    }
}

impl Prompt<Geronimo> for Divide {
    type Answer = Vec<ChiefId>;
    fn kind(&self) -> Ask {
        Ask::TetonChiefs
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<ChiefId>, Refusal> {
        let second = &g.c[self.second].name;
        let Order::List { names } = order else {
            return refuse("6.51", format!("Name the Chiefs who go with the {second}."));
        };
        let mut chiefs = Vec::with_capacity(names.len());
        for name in names {
            let Some(h) = free_chiefs(g).find(|&h| g.c[h].name == *name) else {
                return refuse("6.51", format!("{name} is no Teton Chief who is available now."));
            };
            if chiefs.contains(&h) {
                return refuse("6.51", format!("{name} is named twice."));
            }
            chiefs.push(h);
        }
        Ok(chiefs)
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        let (first, second) = (&g.c[self.first].name, &g.c[self.second].name);
        let mut d = Description::new(format!("Which Teton Chiefs go with the {second}"), "6.51")
            .line(format!("All whom you do not name are with the {first} this Turn."));
        let sioux = &g.tribes[g.c[self.first].tribe.index()];
        if !sioux.revealed {
            let yours = match sioux.holder == Some(seat) {
                true => "You hold the Sioux, so what you say counts.",
                false => "You do not hold the Sioux, so what you say changes nothing.",
            };
            d = d.line(format!(
                "{yours} Every Indian player is asked, and all will read what each has said, so that nobody learns who holds them."
            ));
        }
        for h in free_chiefs(g) {
            let c = &g.c[h];
            d = d.line(format!("{}: Combat {}, Evasion {}, Aggression {}", c.name, c.combat, c.evasion, c.aggression));
        }
        if free_chiefs(g).count() > MOST_LISTED { d.examples() } else { d }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let chiefs: Vec<ChiefId> = free_chiefs(g).collect();
        let listed = chiefs.len().min(MOST_LISTED);
        let now = chiefs.iter().filter(|h| g.chiefs[h.index()].assigned == Some(self.second));
        let now: Vec<String> = now.map(|&h| g.c[h].name.clone()).collect();
        // The current division comes first, because it is the default at the deadline.
        let grammar = self.grammar(g);
        let choice = |names| Choice::said(Order::List { names }, &grammar);
        let mut options = vec![choice(now.clone()).note("as they stand now")];
        for set in 0..1_u32 << listed {
            let names = (0..listed).filter(|i| set & (1 << i) != 0).map(|i| g.c[chiefs[i]].name.clone());
            let names: Vec<String> = names.collect();
            if names != now {
                options.push(choice(names));
            }
        }
        options
    }
}
