//! Reservations: Treaties, going on and off, prison (7.81, 8). Also the functions for asking
//! questions while Treaties are possible.
//!
//! A Treaty may be offered and answered at any time during the Card Play Phase (8.11). Every seat
//! has a permanent question for this, its *desk*, which is open together with other questions and
//! does not reveal who holds a Tribe. A Treaty signed during an action takes effect when that
//! action is over (house reading: the Tribe does not disappear in the middle of a Battle).

use super::{
    Ask, Geronimo, Order, State, T,
    card::Card,
    cards::among::NOBODY,
    components::{ChiefId, TribeId, VillageId},
    deal::tell_division,
    events::keep_markers,
    naming,
    solitaire::hats,
    state::{Desk, Offer, Place, Treaty, Use},
};
use postrider_orders::{Grammar, Misread, Phrase, Reader, filler, just, nothing, number, one_of, variant};
use postrider_standing::Fact;
use postrider_table::{Candidate, Choice, Description, OneOr, Pick, Prompt, Refusal, SCORE, Seat, refuse};
use std::borrow::Cow;

/// Number of VPs of a Treaty that are free (8.11).
pub const FREE_VPS: i32 = 5;

/// An action at a desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    Offer(Offer),
    Withdraw(VillageId),
    Accept(Offer),
    Refuse(Offer),
    Federales,
}

/// The permanent question for Treaties (8.11), and for Federales out of turn (9.2I).
pub struct DeskPrompt;

impl DeskPrompt {
    /// Returns the VPs that the US could still give beyond the free ones (8.11).
    fn purse(g: &State) -> i32 {
        (g.tally[g.us.index()].at_start - g.desk.given).max(0)
    }
    /// Returns the offer for a Village that this seat may answer.
    fn open_to(g: &State, seat: Seat, village: VillageId) -> Option<Offer> {
        let to_me =
            |o: &&Offer| o.village == village && o.by != seat && (seat == g.us || g.player_of(village) == Some(seat));
        g.desk.offers.iter().find(to_me).copied()
    }
    fn village(g: &State, name: &str) -> Result<VillageId, Refusal> {
        g.c.village_by_name(name)
            .ok_or_else(|| Refusal { rule: "8.11", why: format!("There is no Village called {name}.") })
    }
    /// Refuses a Village with a signed Treaty, which will go On Reservation when the current action
    /// is over (8.12).
    fn unsigned(g: &State, village: VillageId) -> Result<(), Refusal> {
        match g.desk.signed.iter().any(|signed| signed.village == village) {
            true => {
                let name = &g.c[village].name;
                refuse(
                    "8.12",
                    format!("The {name} have signed a Treaty already: they go On Reservation after this action."),
                )
            }
            false => Ok(()),
        }
    }
    fn federales_open(g: &State, seat: Seat) -> bool {
        g.fx.mexico_raid.is_some_and(|raid| raid.raider != seat)
            && g.hands[seat.index()].iter().any(|h| h.card == Card::Federales)
    }
}

impl DeskPrompt {
    /// `offer ute 5` · `withdraw treaty ute` · `accept treaty ute` · `refuse treaty ute` ·
    /// `federales`.
    fn grammar(g: &State, seat: Seat) -> Grammar<'_, Order> {
        const FILLERS: &[&str] = &["a", "the", "treaty", "with", "for", "to", "of"];
        let village = |says| filler(says, FILLERS).then(naming::village(g));
        let end = || filler("", &["treaty"]);
        // `accept` alone means the only offer.
        let offered = || {
            let only = move |words: &mut Reader<'_>| {
                let mut mine = g.desk.offers.iter().filter(|o| Self::open_to(g, seat, o.village) == Some(**o));
                match (words.at_end(), mine.next(), mine.next()) {
                    (true, Some(only), None) => Ok(g.c[only.village].name.clone()),
                    _ => naming::village(g).read(words),
                }
            };
            filler("treaty", FILLERS).then(Grammar::leaf(only, |name: &String| Some(name.clone()))).before(end())
        };
        let vps = number("for how many VPs?").map(|n| n.clamp(-1, *SCORE.end()) as i32, |n| Some((*n).into()));
        let vps = vps.before(filler("", &["vp", "vps", "victory", "point", "points"])).before(end());
        let offer = village("").and(filler("", &["for", "at", "a", "treaty"]).then(vps));
        let withdraw = village("treaty").before(end());
        let federales = match Self::federales_open(g, seat) {
            true => just(Order::Federales {}),
            false => Grammar::leaf(
                |words| Err(words.phrase().reader().fail("Federales cannot be played out of turn now")),
                |_| None,
            ),
        };
        one_of()
            .on(&["federales", "play federales"], federales)
            .on(&["offer", "treaty"], variant!(offer => (village, vps) => Order::Offer { village, vps }))
            .on(&["withdraw"], variant!(withdraw => village => Order::Withdraw { village }))
            .on(&["accept"], variant!(offered() => village => Order::Accept { village }))
            .on(&["refuse", "decline"], variant!(offered() => village => Order::Refuse { village }))
            .otherwise(nothing("a Treaty is offered, withdrawn, accepted or refused"))
    }
    /// Returns the offer of a Treaty that a seat makes.
    fn offered(g: &State, seat: Seat, village: &str, vps: i32) -> Result<Deed, Refusal> {
        let v = Self::village(g, village)?;
        if g.area_of(v).is_none() {
            let why = format!("The {village} are not on the map: only a Village there can sign a Treaty.");
            return refuse("8.11", why);
        }
        Self::unsigned(g, v)?;
        if seat != g.us && g.player_of(v) != Some(seat) {
            let why = format!("The {village} are not yours this Turn: you can only sign for your own Tribes.");
            return refuse("8.11", why);
        }
        if vps < 0 {
            return refuse("8.11", "A Treaty gives the Indian player 0 VPs or more.");
        }
        if let Some(cap) = g.variant.treaty_most().filter(|cap| vps > *cap) {
            let why = format!("By the cap for tournaments a Treaty gives at most {}.", postrider_table::vps(cap));
            return refuse("8.11", why);
        }
        if vps - FREE_VPS > Self::purse(g) {
            let most = postrider_table::vps(FREE_VPS + Self::purse(g));
            let why =
                format!("Beyond {FREE_VPS} VPs the US pays from what it had when the Turn began: at most {most}.");
            return refuse("8.11", why);
        }
        Ok(Deed::Offer(Offer { village: v, vps, by: seat }))
    }
}

impl Prompt<Geronimo> for DeskPrompt {
    type Answer = Deed;
    fn kind(&self) -> Ask {
        Ask::Desk
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Deed, Refusal> {
        match order {
            Order::Offer { village, vps } => Self::offered(g, seat, village, *vps),
            Order::Withdraw { village } => {
                let v = Self::village(g, village)?;
                if g.desk.offers.iter().any(|o| o.village == v && o.by == seat) {
                    Ok(Deed::Withdraw(v))
                } else {
                    refuse("8.11", format!("You have made no offer about the {village}."))
                }
            }
            Order::Accept { village } | Order::Refuse { village } => {
                let v = Self::village(g, village)?;
                match (Self::open_to(g, seat, v), order) {
                    (Some(offer), Order::Accept { .. }) if offer.vps - FREE_VPS <= Self::purse(g) => {
                        Ok(Deed::Accept(offer))
                    }
                    (Some(_), Order::Accept { .. }) => refuse("8.11", "This Treaty can no longer be kept; refuse it."),
                    (Some(offer), _) => Ok(Deed::Refuse(offer)),
                    (None, _) => refuse("8.11", format!("No Treaty for the {village} is offered to you.")),
                }
            }
            Order::Federales {} => {
                if !g.hands[seat.index()].iter().any(|h| h.card == Card::Federales) {
                    refuse("9.2I", "You do not hold Federales.")
                } else if Self::federales_open(g, seat) {
                    Ok(Deed::Federales)
                } else {
                    refuse(
                        "9.2I",
                        "Out of turn, Federales answers another player's Raid into Mexico, before the next Shaman Card.",
                    )
                }
            }
            _ => refuse("8.11", "Here a Treaty can be offered, withdrawn, accepted or refused."),
        }
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        let mut d = Description::new("Treaties, at any time", "8.11").examples();
        for offer in &g.desk.offers {
            let name = &g.c[offer.village].name;
            if offer.by == seat {
                d = d.line(format!("You offer: the {name} go On Reservation for {}.", postrider_table::vps(offer.vps)));
            } else if Self::open_to(g, seat, offer.village).is_some() {
                let (who, vps, low) = (g.who(offer.by), postrider_table::vps(offer.vps), name.to_lowercase());
                d = d.line(format!(
                    "{who} offers: the {name} go On Reservation for {vps}. `accept {low}` or `refuse {low}`."
                ));
            }
        }
        if seat == g.us {
            let most = FREE_VPS + Self::purse(g);
            let most = g.variant.treaty_most().map_or(most, |cap| most.min(cap));
            d = d.line(format!(
                "You can give up to {}; the first {FREE_VPS} cost you nothing.",
                postrider_table::vps(most)
            ));
        }
        if let Some(cap) = g.variant.treaty_most() {
            d = d.line(format!(
                "A Treaty gives at most {} in this game (the cap for tournaments).",
                postrider_table::vps(cap)
            ));
        }
        // Offers of others are answered with the words shown with them.
        let mine = |&v: &VillageId| {
            g.area_of(v).is_some() && Self::unsigned(g, v).is_ok() && (seat == g.us || g.player_of(v) == Some(seat))
        };
        if let Some(v) = g.village_ids().find(mine).filter(|_| g.desk.offers.is_empty()) {
            let (name, low) = (&g.c[v].name, g.c[v].name.to_lowercase());
            let gain = if seat == g.us { "2 VPs for you, 5 for their player" } else { "5 VPs for you, 2 for the US" };
            d = d.line(format!(
                "`offer {low} {FREE_VPS}` offers that the {name} go On Reservation: {gain} (`help treaties`)."
            ));
        }
        if Self::federales_open(g, seat) {
            d = d.line("You hold Federales: it can undo the Raid into Mexico until the next Shaman Card is chosen.");
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
        let grammar = Self::grammar(g, seat);
        let choice = |order| Choice::said(order, &grammar);
        let mut options = Vec::new();
        if Self::federales_open(g, seat) {
            options.push(choice(Order::Federales {}).note("undoes the Raid into Mexico"));
        }
        for offer in &g.desk.offers {
            let village = g.c[offer.village].name.clone();
            if offer.by == seat {
                options.push(choice(Order::Withdraw { village }));
            } else if Self::open_to(g, seat, offer.village).is_some() {
                if offer.vps - FREE_VPS <= Self::purse(g) {
                    let order = Order::Accept { village: village.clone() };
                    options.push(choice(order).note(postrider_table::vps(offer.vps)));
                }
                options.push(choice(Order::Refuse { village }));
            }
        }
        options
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        None
    }
    fn facts(&self, g: &State, seat: Seat, order: Option<&Order>) -> Vec<Fact> {
        let (Some(Order::Accept { village }) | Some(Order::Refuse { village })) = order else { return Vec::new() };
        let about =
            |offer: &&Offer| g.c[offer.village].name == *village && Self::open_to(g, seat, offer.village).is_some();
        let offer = g.desk.offers.iter().find(about);
        let facts = |offer: &Offer| [Fact::number("offer", offer.vps), Fact::is("village", village)];
        offer.into_iter().flat_map(facts).collect()
    }
    fn urgent(&self, g: &State, seat: Seat) -> bool {
        Self::federales_open(g, seat) || g.desk.offers.iter().any(|o| Self::open_to(g, seat, o.village).is_some())
    }
}

/// Opens the desks for the Card Play Phase. In the Solitaire Game there are no Treaties (11.39).
pub fn open_desks(t: &T, g: &mut State) {
    if g.variant.solitaire {
        return;
    }
    g.desk = Desk { tickets: g.seats().map(|_| t.number()).collect(), ..Desk::default() };
}

/// Closes the desks. Open offers lapse.
pub fn close_desks(g: &mut State) {
    g.desk = Desk::default();
}

enum Said<A> {
    Answer(A),
    Desk(Seat, Deed),
}

/// Asks a question during an action. Treaties signed in the meantime wait for [`keep_treaties`].
pub async fn ask<P: Prompt<Geronimo>>(t: &T, g: &mut State, seat: Seat, prompt: P) -> P::Answer {
    let question = hats::open(t, g, seat, prompt).map(Said::Answer);
    loop {
        match beside_the_desks(t, g, &question).await {
            Said::Answer(answer) => return answer,
            Said::Desk(seat, deed) => at_the_desk(t, g, seat, deed),
        }
    }
}

/// Asks a question between actions. Treaties signed in the meantime take effect immediately, and
/// directors may correct pieces, so the prompt must judge orders by the current state alone.
pub async fn ask_at_rest<P: Prompt<Geronimo>>(t: &T, g: &mut State, seat: Seat, prompt: P) -> P::Answer {
    let question = hats::open(t, g, seat, prompt).map(Said::Answer);
    loop {
        match between_actions(t, g, &question).await {
            Said::Answer(answer) => return answer,
            Said::Desk(seat, deed) => {
                at_the_desk(t, g, seat, deed);
                keep_treaties(t, g).await;
            }
        }
    }
}

/// Like [`ask_at_rest`], but returns `None` if an action at a desk has settled the question.
pub async fn ask_at_rest_unless<P: Prompt<Geronimo>>(
    t: &T,
    g: &mut State,
    seat: Seat,
    prompt: P,
    settled: impl Fn(&State) -> bool,
) -> Option<P::Answer> {
    let question = hats::open(t, g, seat, prompt).map(Said::Answer);
    loop {
        match between_actions(t, g, &question).await {
            Said::Answer(answer) => return Some(answer),
            Said::Desk(seat, deed) => {
                at_the_desk(t, g, seat, deed);
                keep_treaties(t, g).await;
            }
        }
        if settled(g) {
            return None;
        }
    }
}

/// Waits like [`beside_the_desks`] while [no action is under way](State::at_rest).
async fn between_actions<A: 'static>(
    t: &T,
    g: &mut State,
    question: &postrider_table::Ticket<Geronimo, Said<A>>,
) -> Said<A> {
    g.at_rest = true;
    let said = beside_the_desks(t, g, question).await;
    g.at_rest = false;
    said
}

async fn beside_the_desks<A: 'static>(
    t: &T,
    g: &mut State,
    question: &postrider_table::Ticket<Geronimo, Said<A>>,
) -> Said<A> {
    let desks: Vec<_> = g
        .desk
        .tickets
        .iter()
        .zip(g.seats())
        .map(|(&id, seat)| t.reopen(id, seat, DeskPrompt).optional().map(move |deed| Said::Desk(seat, deed)))
        .collect();
    let open: Vec<_> = std::iter::once(question).chain(&desks).collect();
    t.any(g, &open).await
}

fn at_the_desk(t: &T, g: &mut State, seat: Seat, deed: Deed) {
    let name = |g: &State, v: VillageId| g.c[v].name.clone();
    match deed {
        Deed::Offer(offer) => {
            g.desk.offers.retain(|o| o.village != offer.village || o.by != seat);
            g.desk.offers.push(offer);
            t.tell(|| {
                format!(
                    "{} offers a Treaty: the {} On Reservation for {}.",
                    g.who(seat),
                    name(g, offer.village),
                    postrider_table::vps(offer.vps)
                )
            });
        }
        Deed::Withdraw(v) => {
            g.desk.offers.retain(|o| o.village != v || o.by != seat);
            t.tell(|| format!("{} withdraws the Treaty offered for the {}.", g.who(seat), name(g, v)));
        }
        Deed::Refuse(offer) => {
            g.desk.offers.retain(|o| *o != offer);
            t.tell(|| format!("{} refuses the Treaty for the {}.", g.who(seat), name(g, offer.village)));
        }
        Deed::Accept(offer) => {
            g.desk.offers.retain(|o| o.village != offer.village);
            g.desk.signed.push(offer);
            g.desk.given += (offer.vps - FREE_VPS).max(0);
            t.tell(|| {
                let vps = postrider_table::vps(offer.vps);
                format!("{} accepts the Treaty for the {}, {vps}.", g.who(seat), name(g, offer.village))
            });
        }
        Deed::Federales => federales(t, g, seat),
    }
}

/// Plays Federales out of turn (9.2I): cancels the VPs of the last Raid into Mexico, and closes the
/// border for the Turn.
fn federales(t: &T, g: &mut State, seat: Seat) {
    let hand = &mut g.hands[seat.index()];
    // Accepted only if the card is in hand and there is a Raid to answer.
    let (Some(at), Some(raid)) = (hand.iter().position(|h| h.card == Card::Federales), g.fx.mexico_raid.take()) else {
        return;
    };
    let held = hand.remove(at);
    t.show("shaman", g.shaman_epoch, held.pos, held.card.name(), Some(seat));
    g.pile.push((seat, held.card, Use::Played));
    g.score(raid.raider, -raid.vps, "9.2I");
    g.fx.mexico_closed = true;
    g.tally[seat.index()].card_used = true;
    t.tell(|| {
        format!(
            "{} plays Federales out of turn: {} loses {} for the Raid into Mexico, and the border is closed for the rest of the Turn.",
            g.who(seat),
            g.who(raid.raider),
            postrider_table::vps(raid.vps)
        )
    });
}

/// Puts signed Treaties into effect. Called whenever no action is under way.
pub async fn keep_treaties(t: &T, g: &mut State) {
    while let Some(offer) = g.desk.signed.pop() {
        let v = offer.village;
        let own = (offer.vps - FREE_VPS).max(0);
        let Some(with) = g.player_of(v).filter(|_| g.area_of(v).is_some()) else {
            // The promised VPs become available again.
            g.desk.given -= own;
            t.tell(|| format!("The Treaty for the {} lapses.", g.c[v].name));
            continue;
        };
        reveal(t, g, g.c[v].tribe);
        g.score(with, offer.vps, "8.12");
        let us = g.us;
        g.score(us, -own, "8.12");
        t.tell(|| {
            let price =
                if own > 0 { format!("; {} loses {}", g.who(us), postrider_table::vps(own)) } else { String::new() };
            format!("The Treaty for the {}{}{price}.", g.c[v].name, g.earning(with, offer.vps))
        });
        let chiefs: Vec<_> = g.chiefs_of(v).collect();
        g.village_mut(v).treaty = Some(Treaty { with, vps: offer.vps, lost: 0 });
        go_on_reservation(t, g, v);
        imprison_one(t, g, v, chiefs).await;
    }
}

/// Cancels the offers for a Village that has left the map (8.11).
pub fn offers_lapse(t: &T, g: &mut State, v: VillageId) {
    let before = g.desk.offers.len();
    g.desk.offers.retain(|offer| offer.village != v);
    if g.desk.offers.len() < before {
        t.tell(|| format!("No Treaty for the {} is offered any more.", g.c[v].name));
    }
}

/// Moves a Village On Reservation with all its BPs, including War Parties (8.12, 8.15). The US
/// earns 2 VPs (8.17).
pub fn go_on_reservation(t: &T, g: &mut State, v: VillageId) {
    let Some(from) = g.area_of(v) else { return };
    for id in g.parties_of(v).map(|p| p.id).collect::<Vec<_>>() {
        g.bring_home(id);
    }
    g.village_mut(v).place = Place::Reservation { from };
    offers_lapse(t, g, v);
    keep_markers(t, g);
    let us = g.us;
    g.score(us, 2, "8.17");
    t.tell(|| format!("The {} go On Reservation from {}{}.", g.c[v].name, g.c[from].name, g.earning(us, 2)));
}

/// Returns a Village to the map (8.24). Its card is not active until it is dealt again.
pub fn leave_reservation(t: &T, g: &mut State, v: VillageId, vps: i32) {
    let Place::Reservation { from } = g.village(v).place else { return };
    let state = g.village_mut(v);
    state.place = Place::Area(from);
    state.dormant = true;
    let us = g.us;
    g.score(us, -vps, "8.24");
    t.tell(|| {
        let price = if vps > 0 { g.scoring(|| format!(": {} loses {vps} VP", g.who(us))) } else { String::new() };
        format!("The {} leave the Reservation and return to {}{price}.", g.c[v].name, g.c[from].name)
    });
}

/// A Chief whom the US may imprison (7.81).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prisoner(pub ChiefId);

impl Candidate<Geronimo> for Prisoner {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
}

/// Lets the US put one available Chief of the Village In Prison after a Treaty (7.81). If only one
/// Village of a Tribe signs, it is the "Tribe" of the rule (house reading): 8.14 calls the Mimbres
/// a Tribe, and 6.53 the Southern Cheyenne.
async fn imprison_one(t: &T, g: &mut State, v: VillageId, chiefs: Vec<ChiefId>) {
    if chiefs.is_empty() {
        return;
    }
    let among = OneOr::among(NOBODY, chiefs.into_iter().map(Prisoner));
    let pick = Pick::new(Ask::Prison, "7.81", "Which Chief goes In Prison", among)
        .verbs(&["imprison"])
        .telling(move |g: &State, d| d.line(format!("The {} have signed a Treaty.", g.c[v].name)));
    let us = g.us;
    if let OneOr::One(Prisoner(h)) = t.ask(g, us, pick).await {
        g.chiefs[h.index()].prison = true;
        t.tell(|| format!("{} is put In Prison.", g.c[h].name));
    }
}

/// Reveals a Tribal Card, and so the player of the Tribe (3.5B).
pub fn reveal(t: &T, g: &mut State, tribe: TribeId) {
    let state = &mut g.tribes[tribe.index()];
    if state.revealed {
        return;
    }
    let Some(holder) = state.holder else { return };
    state.revealed = true;
    if let Some(pos) = state.pos {
        t.show("tribal", g.tribal_epoch, pos, &g.c[tribe].name, Some(holder));
    }
    t.tell(|| format!("{} shows the {} card.", g.who(holder), g.c[tribe].name));
    tell_division(t, g, tribe);
}

/// Rolls for each Tribe that went On Reservation from an Area to leave it, after a Massacre by the
/// US there (8.21).
pub fn unrest_after_massacre(t: &T, g: &mut State, area: super::components::AreaId) {
    for v in g.village_ids() {
        if g.village(v).place != (Place::Reservation { from: area }) {
            continue;
        }
        let chiefs: i32 = g.chiefs_of(v).map(|h| g.c[h].aggression).sum();
        let total = g.c[v].aggression + chiefs;
        let dr = t.d10("unrest") as i32;
        t.tell(|| format!("Unrest DR of the {}: {dr} ({total} or less leaves the Reservation).", g.c[v].name));
        if dr <= total {
            leave_reservation(t, g, v, 1);
        }
    }
}
