//! The source of dice and shuffles in a real game: first the journal's records, then the operator's
//! committed chains.

use super::secret_book::{InUse, SecretBook};
use postrider_dice::{
    ChainFault, DICE_CHAIN, DiceStream, Hash, SeedChain, card_commitment, card_salt, deck_chain, deck_seed,
    is_committed, roll_seed, shuffle,
};
use postrider_journal as journal;
use postrider_table::{Chance, ChanceFault, Event, Recorded, RecordedShuffle, RolledDie, SeededChance, Shuffle};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    mem,
    rc::Rc,
};

/// The values that a live step drew from the chains; they must be written to the journal before the
/// next step.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The secret of the `rolled` entry, if dice were rolled.
    pub rolled: Option<Hash>,
    /// The commitments of each shuffle, in order.
    pub commitments: Vec<Vec<Hash>>,
}

/// The kind of record that was missing when a [`ChanceFault`] stopped the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The rules requested a die after all recorded dice were used.
    Die,
    /// The rules requested a shuffle after all recorded ones were used.
    Shuffle,
    /// The order of a recorded shuffle is not public yet.
    Order,
}

/// The state of a game's dice and decks: counters, chains and secrets. It is shared by the running
/// rules and the office.
pub struct ChanceLedger {
    game: String,
    luck: Hash,
    book: SecretBook,
    chains: BTreeMap<String, InUse>,
    /// The number of `rolled` entries, including undone ones.
    rolled: u64,
    /// The number of shuffles of each deck, including undone ones.
    epochs: HashMap<String, u64>,
    /// The chain (by tip) and the link of each shuffle that is not revealed yet.
    hidden: HashMap<(String, u64), InUse>,
    /// Shuffles whose secret is public, by a reveal (even an undone one) or because the game was
    /// closed. No more lines are written when their cards are dealt, shown or revealed.
    public: HashSet<(String, u64)>,
    recorded: Recorded,
    /// The Rounds from which the next step was played again, in order.
    turns: VecDeque<Turn>,
    /// The values given to the rules in the last step.
    given: Recorded,
    /// For each Round that began in the last step, the values given before it.
    given_before: Vec<Given>,
    lack: Option<Lack>,
    live: Option<Live>,
    /// The random source of an imagined continuation, if this game is one.
    imagined: Option<SeededChance>,
}

/// The number of values given to the rules in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    pub dice: usize,
    pub shuffles: usize,
}

impl Given {
    /// Returns the number of these values.
    pub(crate) fn of(chance: &Recorded) -> Given {
        Given { dice: chance.dice.len(), shuffles: chance.shuffles.len() }
    }
}

/// A Round from which a step was played again.
struct Turn {
    /// The number of Rounds that begin in the step before this one.
    after: usize,
    /// The dice and shuffles recorded from there on.
    next: Recorded,
}

/// The state of a step that draws from the chains.
#[derive(Default)]
pub struct Live {
    stream: Option<DiceStream>,
    drawn: Drawn,
}

impl ChanceLedger {
    pub fn new(book: SecretBook) -> ChanceLedger {
        ChanceLedger {
            game: String::new(),
            luck: Hash::ZERO,
            book,
            chains: BTreeMap::new(),
            rolled: 0,
            epochs: HashMap::new(),
            hidden: HashMap::new(),
            public: HashSet::new(),
            recorded: Recorded::default(),
            turns: VecDeque::new(),
            given: Recorded::default(),
            given_before: Vec::new(),
            lack: None,
            live: None,
            imagined: None,
        }
    }
    pub fn opened(&mut self, game: &str, chains: &BTreeMap<journal::Text<'_>, Hash>) {
        game.clone_into(&mut self.game);
        self.renew(chains);
    }
    /// Turns this ledger of a parent game into that of its fork. Past draws stay known and shuffle
    /// counts continue, but all further values are drawn from the fork's own secrets.
    pub fn fork(&mut self, book: SecretBook) {
        (self.book, self.rolled, self.luck) = (book, 0, Hash::ZERO);
        self.hidden.clear();
        let counts = self.epochs.iter().flat_map(|(deck, &count)| (0..count).map(move |epoch| (deck.clone(), epoch)));
        self.public.extend(counts);
    }
    /// Returns the number of shuffles of each deck.
    pub fn epochs(&self) -> &HashMap<String, u64> {
        &self.epochs
    }
    /// Replaces the tips of all chains, after `opened` or a rewind.
    pub fn renew(&mut self, chains: &BTreeMap<journal::Text<'_>, Hash>) {
        self.chains = chains.iter().map(|(label, &tip)| (label.to_string(), tip.into())).collect();
    }
    /// Replaces all chains with new ones of the operator's, after a rewind.
    pub(crate) fn renew_with(&mut self, fresh: Vec<SeedChain>) {
        self.chains = fresh.iter().map(|chain| (chain.label().to_owned(), chain.tip().into())).collect();
        for chain in fresh {
            self.book.add(chain);
        }
    }
    pub fn started(&mut self, luck: Hash) {
        self.luck = luck;
    }
    /// Records a `rolled` line; its dice will be replayed unless it is `undone`.
    pub fn rolled(&mut self, rolled: &journal::Rolled<'_>, undone: bool) {
        self.rolled += 1;
        if let Some(chain) = self.chains.get_mut(DICE_CHAIN) {
            chain.used += 1;
        }
        if undone {
            return;
        }
        for roll in &rolled.rolls {
            let die = |&got| RolledDie { label: roll.label.to_string(), low: roll.low, high: roll.high, got };
            self.coming().dice.extend(roll.got.iter().map(die));
        }
    }
    /// Returns the record to which the next line adds.
    fn coming(&mut self) -> &mut Recorded {
        self.turns.back_mut().map_or(&mut self.recorded, |turn| &mut turn.next)
    }
    /// Records a `shuffled` line; it will be replayed unless it is `undone`.
    pub fn shuffled(&mut self, shuffled: &journal::Shuffled<'_>, undone: bool) {
        let (deck, epoch) = (&*shuffled.deck, shuffled.epoch);
        *self.epochs.entry(deck.to_owned()).or_default() += 1;
        let Some(chain) = self.chains.get_mut(&deck_chain(deck)) else { return };
        let taken = chain.clone();
        chain.used += 1;
        if undone {
            return;
        }
        let secret = self.book.secret(taken.tip, taken.used, deck, epoch);
        self.hidden.insert((deck.to_owned(), epoch), taken);
        let order = secret.and_then(|secret| {
            let order = self.order(deck, epoch, &secret, shuffled.list.len());
            // A revealed secret that does not match the commitment is ignored here; the line that
            // reveals it is reported.
            let (Some(&first), Some(commitment)) = (order.first(), shuffled.cards.first()) else { return Some(order) };
            let (card, salt) = (&shuffled.list[first as usize], card_salt(&secret, 0));
            is_committed(commitment, &self.game, deck, epoch, 0, card, &salt).then_some(order)
        });
        self.coming().shuffles.push_back(RecordedShuffle {
            deck: deck.to_owned(),
            list: shuffled.list.iter().map(ToString::to_string).collect(),
            epoch: u32::try_from(epoch).unwrap_or(u32::MAX),
            order,
        });
    }
    /// Records that the secret of a shuffle is public.
    pub fn revealed(&mut self, deck: &str, epoch: u64) {
        self.hidden.remove(&(deck.to_owned(), epoch));
        self.public.insert((deck.to_owned(), epoch));
    }
    /// Records that the `s_0` of these chains is public, and with it the secrets of all their
    /// shuffles so far.
    pub fn laid_open<'l>(&mut self, chains: impl IntoIterator<Item = &'l str>) {
        for deck in chains.into_iter().filter_map(|label| label.strip_prefix("deck:")) {
            for epoch in 0..self.epochs.get(deck).copied().unwrap_or(0) {
                self.hidden.remove(&(deck.to_owned(), epoch));
                self.public.insert((deck.to_owned(), epoch));
            }
        }
    }
    /// Records that the game was closed, which makes the `s_0` of all its chains public.
    pub(crate) fn all_laid_open(&mut self) {
        let labels: Vec<String> = self.chains.keys().cloned().collect();
        self.laid_open(labels.iter().map(String::as_str));
    }
    /// Returns `true` if an event concerns a shuffle whose secret is already public, so that no
    /// line is written for it. This happens when a game is rewound to a line before a reveal: what
    /// is public cannot be hidden again.
    pub(crate) fn is_public(&self, event: &Event) -> bool {
        match event {
            Event::Dealt { deck, epoch, .. } | Event::Shown { deck, epoch, .. } | Event::Revealed { deck, epoch } => {
                !self.public.is_empty() && self.public.contains(&((*deck).to_owned(), u64::from(*epoch)))
            }
            Event::Rolled { .. } | Event::Shuffled { .. } | Event::Round { .. } => false,
        }
    }
    fn order(&self, deck: &str, epoch: u64, secret: &Hash, cards: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0_u32..).take(cards).collect();
        shuffle(deck_seed(&self.game, deck, epoch, secret, &self.luck), &mut order);
        order
    }
    /// Returns the secret of a shuffle that is still hidden, if it is known.
    pub fn secret(&self, deck: &str, epoch: u64) -> Option<Hash> {
        let taken = self.hidden.get(&(deck.to_owned(), epoch))?;
        self.book.secret(taken.tip, taken.used, deck, epoch)
    }
    /// Sets the recorded dice and shuffles for the next step of the rules.
    pub fn record(&mut self, chance: Recorded) {
        (self.recorded, self.lack) = (chance, None);
        self.turns.clear();
        self.take_given();
    }
    /// Makes the next step switch, at its Round number `after`, from the values recorded so far to
    /// those recorded or drawn from now on. Undoes switches at that Round and later ones.
    pub fn turn_at(&mut self, after: usize) {
        while self.turns.pop_back_if(|turn| turn.after >= after).is_some() {}
        self.turns.push_back(Turn { after, next: Recorded::default() });
    }
    /// Returns `true` if a switch was set for a Round that the last step did not reach.
    pub(crate) fn missed_a_turn(&self) -> bool {
        !self.turns.is_empty()
    }
    /// Takes the recorded dice and shuffles that the rules did not use in the last replayed step.
    pub(crate) fn left_over(&mut self) -> Recorded {
        mem::take(&mut self.recorded)
    }
    /// Returns the kind of record that was missing, if that stopped the rules.
    pub fn lack(&self) -> Option<Lack> {
        self.lack
    }
    /// Switches to drawing dice and shuffles from the operator's chains. Fails with the label of
    /// the first missing chain.
    pub(crate) fn go_live(&mut self) -> Result<(), String> {
        match self.chains.iter().find(|(_, chain)| self.book.chain(chain.tip).is_none()) {
            Some((label, _)) => Err(label.clone()),
            None => {
                self.live = Some(Live::default());
                Ok(())
            }
        }
    }
    /// Switches to recorded dice and shuffles only, until [`go_on`](ChanceLedger::go_on).
    pub fn pause(&mut self) -> Option<Live> {
        self.live.take()
    }
    /// Returns to the source of dice and shuffles used before the [pause](ChanceLedger::pause).
    pub fn go_on(&mut self, live: Option<Live>) {
        self.live = live;
    }
    /// Switches to drawing dice and shuffles from `chance`, permanently, but only after the Round at
    /// which a step [turns](ChanceLedger::turn_at), if it does.
    pub fn imagine(&mut self, chance: SeededChance) {
        (self.live, self.imagined) = (None, Some(chance));
    }
    pub fn is_live(&self) -> bool {
        self.live.is_some()
    }
    /// Returns `true` if the next die or shuffle comes from the chains, not from a record.
    fn draws(&self) -> bool {
        self.live.is_some() && self.turns.is_empty()
    }
    /// Takes the values given to the rules in the last step, and for each Round that began in it
    /// how many of them were given before.
    pub(crate) fn take_given(&mut self) -> (Recorded, Vec<Given>) {
        (mem::take(&mut self.given), mem::take(&mut self.given_before))
    }
    /// Takes the values drawn in the last live step.
    pub(crate) fn take_drawn(&mut self) -> Drawn {
        self.live.as_mut().map(|live| mem::take(live).drawn).unwrap_or_default()
    }
    /// Returns `true` if something was ever drawn from these chains of the opening or later ones.
    pub fn has_drawn(&self, opened: &BTreeMap<String, Hash>) -> bool {
        self.chains.iter().any(|(label, chain)| chain.used > 0 || opened.get(label) != Some(&chain.tip))
    }
    /// Returns the `s_0` of each chain, for a `closed` line.
    pub fn origins(&self) -> Result<BTreeMap<journal::Text<'static>, Hash>, ChanceFault> {
        let origin = |(label, chain): (&String, &InUse)| {
            let kept = self.book.chain(chain.tip).ok_or_else(|| ChanceFault::NoSecrets { label: label.clone() })?;
            match kept.is_whole() {
                true => Ok((label.clone().into(), kept.origin())),
                false => Err(ChainFault::Damaged { label: label.clone() }.into()),
            }
        };
        self.chains.iter().map(origin).collect()
    }
    /// Draws the next link of a chain.
    fn draw(&mut self, label: &str) -> Result<(Hash, InUse), ChanceFault> {
        let missing = || ChanceFault::NoSecrets { label: label.to_owned() };
        let chain = self.chains.get_mut(label).ok_or_else(missing)?;
        let kept = self.book.chain(chain.tip).ok_or_else(missing)?;
        let secret = kept.reveal(chain.used)?;
        let taken = chain.clone();
        chain.used += 1;
        Ok((secret, taken))
    }
    fn live_roll(&mut self, low: i64, high: i64) -> Result<i64, ChanceFault> {
        if self.live.as_ref().is_some_and(|live| live.stream.is_none()) {
            let (secret, _) = self.draw(DICE_CHAIN)?;
            let seed = roll_seed(&self.game, self.rolled, &secret, &self.luck);
            if let Some(live) = &mut self.live {
                live.stream = Some(DiceStream::new(seed));
                live.drawn.rolled = Some(secret);
            }
            self.rolled += 1;
        }
        let stream = self.live.as_mut().and_then(|live| live.stream.as_mut());
        stream
            .map(|stream| stream.die(low, high))
            .ok_or_else(|| ChanceFault::NoSecrets { label: DICE_CHAIN.to_owned() })
    }
    fn live_shuffle(&mut self, deck: &str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let (secret, taken) = self.draw(&deck_chain(deck))?;
        let counter = self.epochs.entry(deck.to_owned()).or_default();
        let epoch = *counter;
        *counter += 1;
        self.hidden.insert((deck.to_owned(), epoch), taken);
        let order = self.order(deck, epoch, &secret, list.len());
        let commitment = |(pos, &at): (u64, &u32)| {
            card_commitment(&self.game, deck, epoch, pos, &list[at as usize], &card_salt(&secret, pos))
        };
        let commitments = (0..).zip(&order).map(commitment).collect();
        if let Some(live) = &mut self.live {
            live.drawn.commitments.push(commitments);
        }
        // A chain has 256 shuffles, and each rewind at most one more chain, so an epoch stays far
        // below 2^32.
        Ok(Shuffle { epoch: u32::try_from(epoch).unwrap_or(u32::MAX), order })
    }
}

/// The [`Chance`] of a real game: first the values recorded for the step, then, once the whole
/// journal is replayed and if the operator's secrets are available, the next links of the committed
/// chains.
pub struct LedgerChance(pub Rc<RefCell<ChanceLedger>>);

impl Chance for LedgerChance {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let ledger = &mut *self.0.borrow_mut();
        if let Some(imagined) = ledger.imagined.as_mut().filter(|_| ledger.turns.is_empty()) {
            return imagined.roll(label, low, high);
        }
        let got = if ledger.draws() {
            ledger.live_roll(low, high)?
        } else {
            if ledger.recorded.dice.is_empty() {
                ledger.lack.get_or_insert(Lack::Die);
            }
            ledger.recorded.roll(label, low, high)?
        };
        ledger.given.dice.push_back(RolledDie { label: label.to_owned(), low, high, got });
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let ledger = &mut *self.0.borrow_mut();
        if let Some(imagined) = ledger.imagined.as_mut().filter(|_| ledger.turns.is_empty()) {
            let epoch = ledger.epochs.entry(deck.to_owned()).or_default();
            let shuffle = Shuffle { epoch: u32::try_from(*epoch).unwrap_or(u32::MAX), ..imagined.shuffle(deck, list)? };
            *epoch += 1;
            return Ok(shuffle);
        }
        let shuffle = if ledger.draws() {
            ledger.live_shuffle(deck, list)?
        } else {
            if ledger.recorded.shuffles.is_empty() {
                ledger.lack.get_or_insert(Lack::Shuffle);
            }
            let shuffle = ledger.recorded.shuffle(deck, list);
            if let Err(ChanceFault::Hidden { .. }) = shuffle {
                ledger.lack.get_or_insert(Lack::Order);
            }
            shuffle?
        };
        let (deck, order) = (deck.to_owned(), Some(shuffle.order.clone()));
        let given = RecordedShuffle { deck, list: list.to_vec(), epoch: shuffle.epoch, order };
        ledger.given.shuffles.push_back(given);
        Ok(shuffle)
    }
    fn round(&mut self) {
        let ledger = &mut *self.0.borrow_mut();
        if let Some(turn) = ledger.turns.pop_front_if(|turn| turn.after == ledger.given_before.len()) {
            ledger.recorded = turn.next;
        }
        ledger.given_before.push(Given::of(&ledger.given));
    }
}
