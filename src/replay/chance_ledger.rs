//! The dice and decks of a real game: first what its journal recorded, then the operator's committed chains.

use super::secret_book::{InUse, SecretBook};
use postrider_dice::{
    ChainFault, DICE_CHAIN, DiceStream, Hash, SeedChain, card_commitment, card_salt, deck_chain, deck_seed,
    is_committed, roll_seed, shuffle,
};
use postrider_journal as journal;
use postrider_table::{Chance, ChanceFault, Event, Recorded, RecordedShuffle, RolledDie, SeededChance, Shuffle};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
    mem,
    rc::Rc,
};

/// What a live step drew from the chains; it must be written before anything else happens.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The secret of the rolled entry, if there were dice.
    pub rolled: Option<Hash>,
    /// The commitments of each shuffle, in order.
    pub commitments: Vec<Vec<Hash>>,
}

/// Why the rules and the record parted ways, beyond what a [`ChanceFault`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The rules want a die, and all recorded dice are used.
    Die,
    /// The rules want a shuffle, and all recorded ones are used.
    Shuffle,
    /// The order of a recorded shuffle is not public yet.
    Order,
}

/// The books of a game's chance: counters, chains and secrets, shared by the running rules and the office.
pub struct ChanceLedger {
    game: String,
    luck: Hash,
    book: SecretBook,
    chains: BTreeMap<String, InUse>,
    /// How many rolled entries there are, undone ones counted.
    rolled: u64,
    /// How many shuffles of each deck there are, undone ones counted.
    epochs: HashMap<String, u64>,
    /// The chain (by tip) and link of each shuffle that is not revealed yet.
    hidden: HashMap<(String, u64), InUse>,
    /// Shuffles whose secret is public, by a reveal, an undone one too, or because the game was closed: nothing of them is dealt, shown or revealed again.
    public: HashSet<(String, u64)>,
    recorded: Recorded,
    lack: Option<Lack>,
    live: Option<Live>,
    /// A future that is only played out to see how it goes.
    imagined: Option<SeededChance>,
}

/// A step that draws from the chains.
#[derive(Default)]
pub struct Live {
    stream: Option<DiceStream>,
    drawn: Drawn,
    /// What the rules were given.
    given: Recorded,
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
            lack: None,
            live: None,
            imagined: None,
        }
    }
    pub fn opened(&mut self, game: &str, chains: &BTreeMap<journal::Text<'_>, Hash>) {
        game.clone_into(&mut self.game);
        self.renew(chains);
    }
    /// The game of this ledger was forked: what it has drawn is known and shuffles are counted on, but everything that comes
    /// is drawn from the fork's own book.
    pub fn fork(&mut self, book: SecretBook) {
        (self.book, self.rolled, self.luck) = (book, 0, Hash::ZERO);
        self.hidden.clear();
        let counts = self.epochs.iter().flat_map(|(deck, &count)| (0..count).map(move |epoch| (deck.clone(), epoch)));
        self.public.extend(counts);
    }
    /// How many shuffles of each deck there were.
    pub fn epochs(&self) -> &HashMap<String, u64> {
        &self.epochs
    }
    /// New tips, after `opened` or a rewind.
    pub fn renew(&mut self, chains: &BTreeMap<journal::Text<'_>, Hash>) {
        self.chains = chains.iter().map(|(label, &tip)| (label.to_string(), tip.into())).collect();
    }
    /// New chains of the operator's, after a rewind.
    pub fn renew_with(&mut self, fresh: Vec<SeedChain>) {
        self.chains = fresh.iter().map(|chain| (chain.label().to_owned(), chain.tip().into())).collect();
        for chain in fresh {
            self.book.add(chain);
        }
    }
    pub fn started(&mut self, luck: Hash) {
        self.luck = luck;
    }
    /// A rolled line, `undone` or to be replayed.
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
            self.recorded.dice.extend(roll.got.iter().map(die));
        }
    }
    /// A shuffled line, undone or to be replayed.
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
            // A revealed secret that does not fit is not used: the line that reveals it is the one to blame.
            let (Some(&first), Some(commitment)) = (order.first(), shuffled.cards.first()) else { return Some(order) };
            let (card, salt) = (&shuffled.list[first as usize], card_salt(&secret, 0));
            is_committed(commitment, &self.game, deck, epoch, 0, card, &salt).then_some(order)
        });
        self.recorded.shuffles.push_back(RecordedShuffle {
            deck: deck.to_owned(),
            list: shuffled.list.iter().map(ToString::to_string).collect(),
            epoch: u32::try_from(epoch).unwrap_or(u32::MAX),
            order,
        });
    }
    /// A shuffle has no more secrets.
    pub fn revealed(&mut self, deck: &str, epoch: u64) {
        self.hidden.remove(&(deck.to_owned(), epoch));
        self.public.insert((deck.to_owned(), epoch));
    }
    /// s_0 of these chains is laid open: no shuffle so far has secrets any more.
    pub fn laid_open<'l>(&mut self, chains: impl IntoIterator<Item = &'l str>) {
        for deck in chains.into_iter().filter_map(|label| label.strip_prefix("deck:")) {
            for epoch in 0..self.epochs.get(deck).copied().unwrap_or(0) {
                self.hidden.remove(&(deck.to_owned(), epoch));
                self.public.insert((deck.to_owned(), epoch));
            }
        }
    }
    /// The game was closed, and with that s_0 of all its chains laid open.
    pub fn all_laid_open(&mut self) {
        let labels: Vec<String> = self.chains.keys().cloned().collect();
        self.laid_open(labels.iter().map(String::as_str));
    }
    /// Whether an event concerns a shuffle that is public already, so that it leaves no line. That happens when a game is
    /// rewound to before a reveal: what is public cannot be hidden again.
    pub fn is_public(&self, event: &Event) -> bool {
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
    /// The secret of a shuffle, where it is known.
    pub fn secret(&self, deck: &str, epoch: u64) -> Option<Hash> {
        let taken = self.hidden.get(&(deck.to_owned(), epoch))?;
        self.book.secret(taken.tip, taken.used, deck, epoch)
    }
    /// The rules take a step that drew this before.
    pub fn record(&mut self, chance: Recorded) {
        (self.recorded, self.lack) = (chance, None);
    }
    /// What is recorded for the step that comes next.
    pub fn recorded(&self) -> &Recorded {
        &self.recorded
    }
    /// What is recorded for the step that was replayed last and the rules did not ask for.
    pub fn left_over(&mut self) -> Recorded {
        mem::take(&mut self.recorded)
    }
    /// What the record lacked, if the rules broke off for that.
    pub fn lack(&self) -> Option<Lack> {
        self.lack
    }
    /// From now on dice and shuffles come from the operator's chains. Gives the label of the first chain that is missing.
    pub fn go_live(&mut self) -> Result<(), String> {
        match self.chains.iter().find(|(_, chain)| self.book.chain(chain.tip).is_none()) {
            Some((label, _)) => Err(label.clone()),
            None => {
                self.live = Some(Live::default());
                Ok(())
            }
        }
    }
    /// From now on dice and shuffles come from the record alone, until the ledger [goes on](ChanceLedger::go_on).
    pub fn pause(&mut self) -> Option<Live> {
        self.live.take()
    }
    /// From now on dice and shuffles come from where they came before the [pause](ChanceLedger::pause).
    pub fn go_on(&mut self, live: Option<Live>) {
        self.live = live;
    }
    /// From now on dice and shuffles come from here.
    pub fn imagine(&mut self, chance: SeededChance) {
        (self.live, self.imagined) = (None, Some(chance));
    }
    pub fn is_live(&self) -> bool {
        self.live.is_some()
    }
    /// What the rules were given in the last live step; before [`ChanceLedger::take_drawn`].
    pub fn take_given(&mut self) -> Recorded {
        self.live.as_mut().map(|live| mem::take(&mut live.given)).unwrap_or_default()
    }
    /// What the last live step drew.
    pub fn take_drawn(&mut self) -> Drawn {
        self.live.as_mut().map(|live| mem::take(live).drawn).unwrap_or_default()
    }
    /// Each chain's s_0, for `closed`.
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
    /// The next link of a chain.
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
        // 256 shuffles to a chain, and a chain to a rewind: an epoch never comes near 2^32.
        Ok(Shuffle { epoch: u32::try_from(epoch).unwrap_or(u32::MAX), order })
    }
}

/// Chance as a real game has it: first what is recorded for the step, then, where the operator's secrets are at hand and
/// the whole journal is replayed, the next links of the committed chains.
pub struct LedgerChance(pub Rc<RefCell<ChanceLedger>>);

impl Chance for LedgerChance {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let ledger = &mut *self.0.borrow_mut();
        if let Some(imagined) = &mut ledger.imagined {
            return imagined.roll(label, low, high);
        }
        if ledger.live.is_some() {
            let got = ledger.live_roll(low, high)?;
            if let Some(live) = &mut ledger.live {
                live.given.dice.push_back(RolledDie { label: label.to_owned(), low, high, got });
            }
            return Ok(got);
        }
        if ledger.recorded.dice.is_empty() {
            ledger.lack.get_or_insert(Lack::Die);
        }
        ledger.recorded.roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let ledger = &mut *self.0.borrow_mut();
        if let Some(imagined) = &mut ledger.imagined {
            let epoch = ledger.epochs.entry(deck.to_owned()).or_default();
            let shuffle = Shuffle { epoch: u32::try_from(*epoch).unwrap_or(u32::MAX), ..imagined.shuffle(deck, list)? };
            *epoch += 1;
            return Ok(shuffle);
        }
        if ledger.live.is_some() {
            let shuffle = ledger.live_shuffle(deck, list)?;
            if let Some(live) = &mut ledger.live {
                live.given.shuffles.push_back(RecordedShuffle {
                    deck: deck.to_owned(),
                    list: list.to_vec(),
                    epoch: shuffle.epoch,
                    order: Some(shuffle.order.clone()),
                });
            }
            return Ok(shuffle);
        }
        if ledger.recorded.shuffles.is_empty() {
            ledger.lack.get_or_insert(Lack::Shuffle);
        }
        let shuffle = ledger.recorded.shuffle(deck, list);
        if let Err(ChanceFault::Hidden { .. }) = shuffle {
            ledger.lack.get_or_insert(Lack::Order);
        }
        shuffle
    }
}
