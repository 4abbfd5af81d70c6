//! Card play (7, 9): the round of a faction and the ways to play a card.

use super::{
    Ask, Order, Plains, T,
    components::{CardId, Event, Faction},
    engagement::engagements,
    events,
    hand::{discard, draw},
    march::march,
    movement::March,
    placement::reinforce,
    state::{HAND, State},
};
use postrider_orders::{Grammar, Misread, Names, Phrase, Reader, capital, filler, flag, one_of, variant, with_article};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// Maximum number of Event cards in a round, in addition to the movement card (7).
const MOST_EVENTS: u8 = 2;
/// Groups and regions of an Event card that is played as a movement card (9.2).
const ACTIVATED: (u8, u8) = (2, 2);

/// Plays a faction's round of one to three cards (7). The hand is refilled later, by [`refill`].
pub async fn round(t: &T, g: &mut State, faction: Faction) {
    let seat = g.owner(faction);
    let (mut events_played, mut moved) = (0, false);
    loop {
        let prompt = CardPlay { faction, events: events_played, moved };
        if prompt.plays(g).is_empty() || prompt.is_over(g) {
            break;
        }
        g.at_rest = true;
        let play = t.ask(g, seat, prompt).await;
        g.at_rest = false;
        let Play::Card(card, mode) = play else { break };
        discard(t, g, faction, card);
        if mode == Mode::Movement {
            // An Event card that is used for movement has no text (9.2).
            g.set_enduring(faction, None);
        }
        g.moving = true;
        match mode {
            Mode::Text => {
                events_played += 1;
                let name = &g.c[card].name;
                t.tell(|| format!("{} plays {name}.", g.who(seat)));
                if let Some(event) = g.c[card].event {
                    events::play(t, g, faction, event, g.c[card].cubes).await;
                }
                // Before the movement card, engagements wait until all movement has ended (9.2).
                if moved {
                    engagements(t, g, faction).await;
                }
            }
            Mode::Movement => {
                moved = true;
                movement(t, g, faction, card).await;
            }
        }
    }
    g.contested.clear();
}

/// Plays a movement card, or an Event card in its place: cubes, groups, engagements (9.1).
async fn movement(t: &T, g: &mut State, faction: Faction, card: CardId) {
    let played = g.c[card].clone();
    t.tell(|| match played.event {
        None => format!("{} plays {} ({}).", g.who(g.owner(faction)), played.name, faction.card_type()),
        Some(_) => format!(
            "{} plays {} to move, for want of {} card.",
            g.who(g.owner(faction)),
            played.name,
            with_article(faction.card_type())
        ),
    });
    let mut plan = match played.event {
        None => March::of_card(faction, played.groups, played.moves),
        // Only Engagement and Migration cards allow railroad movement (11.1).
        Some(_) => March { recover: true, ..March::new(faction, ACTIVATED.0, ACTIVATED.1) },
    };
    if played.event.is_none() {
        reinforce(t, g, faction, played.cubes, &mut plan).await;
    }
    march(t, g, plan).await;
    engagements(t, g, faction).await;
}

/// Refills a hand to three cards (7, 9). Custer is played as soon as he is drawn and then replaced
/// (9.2.2).
pub async fn refill(t: &T, g: &mut State, faction: Faction) {
    loop {
        draw(t, g, faction, HAND);
        let c = g.c.clone();
        let Some(card) = g.hand(faction).find(|&card| c[card].event == Some(Event::Custer)) else { break };
        discard(t, g, faction, card);
        t.tell(|| format!("{} has drawn Custer, who is played at once.", g.who(g.owner(faction))));
        events::play(t, g, faction, Event::Custer, g.c[card].cubes).await;
    }
    if g.deck(faction).is_spent() {
        g.stopped |= !g.joined();
        t.tell(|| format!("The {} have played their last card.", faction.name()));
    }
}

/// The way in which a card is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// For the text of an Event card.
    Text,
    /// As the movement card of the round.
    Movement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    Card(CardId, Mode),
    End,
}

/// The question for the next card of a round (7, 9).
pub struct CardPlay {
    pub faction: Faction,
    pub events: u8,
    pub moved: bool,
}

impl CardPlay {
    /// Returns everything that may be played now, including the end of the round once the movement
    /// card has been played.
    fn plays(&self, g: &State) -> Vec<Play> {
        let hand = g.hand(self.faction);
        let mut plays: Vec<Play> = Vec::new();
        for card in hand {
            for mode in [Mode::Text, Mode::Movement] {
                if self.why_not(g, card, mode).is_none() {
                    plays.push(Play::Card(card, mode));
                }
            }
        }
        if self.moved {
            plays.push(Play::End);
        }
        plays
    }
    /// Returns `true` if everyone can see that nothing more can be played. Only then does a round
    /// end without a question: a player with cards who is not asked would reveal that none of them
    /// is a playable Event.
    fn is_over(&self, g: &State) -> bool {
        self.moved && (self.events >= MOST_EVENTS || g.hand(self.faction).len() == 0)
    }
    fn why_not(&self, g: &State, card: CardId, mode: Mode) -> Option<Refusal> {
        let no = |rule: &'static str, why: String| Some(Refusal { rule, why });
        let (c, mut hand) = (&g.c, g.hand(self.faction));
        let name = &c[card].name;
        let cards = hand.len();
        let movement_in_hand = hand.any(|card| c[card].is_movement());
        let kind = self.faction.card_type();
        match (mode, c[card].event) {
            (Mode::Text, None) => no("9.1", format!("{name} is {} card.", with_article(kind))),
            (Mode::Text, Some(_)) if !self.moved && cards == 1 => {
                no("9.2", format!("It is your last card and you have played no {kind} card: use {name} to move."))
            }
            (Mode::Text, Some(_)) if self.events >= MOST_EVENTS => {
                no("7.0", format!("One or {MOST_EVENTS} Event cards can be played in a round, not more."))
            }
            (Mode::Text, Some(event)) => {
                let why = events::why_not(g, self.faction, event)?;
                let rule = if self.faction.is_indian() { "10.1.2" } else { "9.2" };
                no(rule, format!("{name} has nothing to act on: {why}."))
            }
            (Mode::Movement, _) if self.moved => no("9.0", format!("One {kind} card a round, and you have played it.")),
            (Mode::Movement, None) => None,
            (Mode::Movement, Some(_)) if movement_in_hand => {
                no("9.2", format!("An Event card moves groups only when there is no {kind} card in hand."))
            }
            (Mode::Movement, Some(_)) => None,
        }
    }
    /// `end the round` · `play sitting bull` · `use great hunt to move`. Not `done`, which belongs
    /// to moves and may arrive after they have ended automatically.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let to_move = || flag(&["to move"]);
        let used = filler("", &["play"]).then(self.card(g)).and(to_move());
        let used = used.map(|(card, _)| card, |card| Some((card.clone(), true)));
        let played = filler("play", &["play"]).then(self.card(g)).and(to_move());
        let played = played.map(
            |(card, to_move)| if to_move { Order::Activate { card } } else { Order::Play { card } },
            |order| match order {
                Order::Play { card } => Some((card.clone(), false)),
                _ => None,
            },
        );
        one_of()
            .on(&["end"], filler("the round", &["the", "round"]).means(Order::End {}))
            .on(&["use", "activate"], variant!(used => card => Order::Activate { card }))
            .otherwise(played)
    }
    /// Parses the name of a card in hand. The full name of a card that is not in hand means that
    /// card, even if a card in hand has a similar name.
    fn card<'g>(&self, g: &'g State) -> Grammar<'g, String> {
        let faction = self.faction;
        let read = move |words: &mut Reader<'_>| {
            let hand = || g.hand(faction);
            let said = words.rest().to_lowercase();
            let said = said.strip_suffix(" to move").unwrap_or(&said);
            let held = |name: &str| hand().any(|held| g.c[held].name == name);
            match g.c.cards.iter().find(|card| !held(&card.name) && said == card.name.to_lowercase()) {
                Some(card) if words.eat_phrase(&card.name.to_lowercase()) => Ok(card.name.clone()),
                _ => {
                    let names = Names::from_iter("card", hand().map(|card| (&g.c[card].name, card)));
                    words.name(&names).map(|card| g.c[card].name.clone())
                }
            }
        };
        Grammar::leaf(read, |name| Some(name.clone()))
    }
    fn choice(&self, g: &State, play: Play) -> Choice<Order> {
        let (order, note) = match play {
            Play::End => (Order::End {}, String::new()),
            Play::Card(card, mode) => {
                let name = g.c[card].name.clone();
                match mode {
                    Mode::Movement if g.c[card].event.is_some() => {
                        let note = format!("{}, in place of its text", events::marching_line(ACTIVATED.0, ACTIVATED.1));
                        (Order::Activate { card: name }, note)
                    }
                    _ => {
                        let mut note = events::card_line(&g.c, card);
                        if let Some(late) = g.c[card].event.filter(|_| self.moved).and_then(events::too_late) {
                            note = format!("{note}; {late}");
                        }
                        (Order::Play { card: name }, note)
                    }
                }
            }
        };
        Choice::said(order, &self.grammar(g)).note(note)
    }
    /// Returns the way in which `play` plays a card.
    fn mode(g: &State, card: CardId) -> Mode {
        if g.c[card].is_movement() { Mode::Movement } else { Mode::Text }
    }
}

impl Prompt<Plains> for CardPlay {
    type Answer = Play;
    fn kind(&self) -> Ask {
        Ask::Card
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Play, Refusal> {
        let held = |name: &str| {
            let found = g.hand(self.faction).find(|&card| g.c[card].name == name);
            let hand: Vec<&str> = g.hand(self.faction).map(|card| g.c[card].name.as_str()).collect();
            found.ok_or_else(|| Refusal {
                rule: "9.0",
                why: format!(
                    "{name} is not in the hand of the {}, which is {}.",
                    self.faction.name(),
                    postrider_orders::list_and(&hand)
                ),
            })
        };
        let (card, mode) = match order {
            Order::End {} if self.moved => return Ok(Play::End),
            Order::End {} => {
                let kind = with_article(self.faction.card_type());
                return refuse(
                    "9.0",
                    format!("A round has {kind} card, or an Event card in its place: play one first."),
                );
            }
            Order::Play { card } => held(card).map(|card| (card, Self::mode(g, card)))?,
            Order::Activate { card } => (held(card)?, Mode::Movement),
            _ => {
                let words: Vec<String> = self.plays(g).into_iter().map(|play| self.choice(g, play).words).collect();
                return refuse("9.0", format!("A card is asked for: {}.", postrider_orders::list_or(&words)));
            }
        };
        match self.why_not(g, card, mode) {
            None => Ok(Play::Card(card, mode)),
            Some(why) => Err(why),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let kind = self.faction.card_type();
        let mut d = Description::new(format!("Which card the {} play", self.faction.name()), "9");
        let left = MOST_EVENTS.saturating_sub(self.events);
        let events = if left == 1 { "one Event card".to_owned() } else { format!("up to {left} Event cards") };
        d = d.line(match (self.moved, left) {
            (true, 0) => format!("The {kind} card is played, and no more Event cards can be."),
            (true, _) => format!("The {kind} card is played; {events} may follow, and engagements come at once."),
            (false, _) if !g.hand(self.faction).any(|card| g.c[card].is_movement()) => {
                let also = if left == 0 { "Its" } else { "Others can be played for what they say; its" };
                format!(
                    "You hold no {kind} card: one Event card moves groups in its place. {also} text is then not done."
                )
            }
            (false, 0) => format!("{} card must be played now.", capital(&with_article(kind))),
            (false, _) => {
                format!("One {kind} card must be played; {events} before it or after it. Engagements wait for it.")
            }
        });
        if self.plays(g) == [Play::End] {
            d = d.line("None of your cards can be played now. You are asked as long as you hold any, so that nobody learns that.");
        }
        // Cards that cannot be played, and why; the others are listed among the answers.
        for card in g.hand(self.faction) {
            let modes = [Mode::Text, Mode::Movement].map(|mode| self.why_not(g, card, mode));
            if let [Some(text), Some(_)] = modes
                && !g.c[card].is_movement()
            {
                d = d.line(format!("{}: not now. {text}", g.c[card].name));
            }
        }
        d
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        self.plays(g).into_iter().map(|play| self.choice(g, play)).collect()
    }
    fn at_deadline(&self, g: &State, _: Seat) -> Option<Order> {
        let plays = self.plays(g);
        // End the round if possible, otherwise play a movement card.
        let movement = plays.iter().find(|p| matches!(p, Play::Card(_, Mode::Movement)));
        let play = if self.moved { Some(&Play::End) } else { movement };
        play.or(plays.first()).map(|&play| self.choice(g, play).order)
    }
}
