//! The comparison of mails with a journal: step 9 of the format, and the hands of section 7.

use super::{
    claim::{Claim, Contradiction, Grade, RECEIPTS, name},
    evidence::{Evidence, GivenMailbox, Hand, HeldCard, Receipt},
    grading::graded,
    judged::{CardStanding, Judged, JudgedCard, JudgedReceipt, Standing},
};
use postrider_dice::{Hash, is_committed};
use postrider_journal::{Body, Checked, verify_receipt};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A witness that reads the journal line by line and records the lines that mails refer to.
pub struct Witness<'e> {
    evidence: &'e Evidence,
    pinned: Option<Hash>,
    game: String,
    /// The key in `opened`.
    key: Option<Hash>,
    /// The hash of every line that a head names.
    hashes: BTreeMap<u64, Hash>,
    wanted: BTreeSet<u64>,
    shuffles: HashMap<(String, u64), Shuffle>,
}

/// A shuffle that a hand refers to.
#[derive(Default)]
struct Shuffle {
    /// The `n` of its line; `None` before that line was read.
    n: Option<u64>,
    cards: Vec<Hash>,
    /// Its deals: seat, first position, count.
    dealt: Vec<(String, u64, u64)>,
}

impl<'e> Witness<'e> {
    pub fn new(evidence: &'e Evidence, pinned: Option<Hash>) -> Self {
        let cards = evidence.hands.iter().flat_map(|hand| &hand.cards);
        Witness {
            evidence,
            pinned,
            game: String::new(),
            key: None,
            hashes: BTreeMap::new(),
            wanted: evidence.receipts.iter().map(|receipt| receipt.n).collect(),
            shuffles: cards.map(|card| ((card.deck.clone(), card.epoch), Shuffle::default())).collect(),
        }
    }

    /// Processes the next line, which a checker has accepted.
    pub fn hear(&mut self, checked: &Checked<'_>) {
        let line = &checked.line;
        if self.wanted.contains(&line.n) {
            self.hashes.insert(line.n, line.hash);
        }
        match &checked.body {
            Body::Opened(opened) => {
                self.key = Some(opened.key);
                self.game = opened.game.to_string();
            }
            Body::Shuffled(shuffled) if !self.shuffles.is_empty() => {
                if let Some(found) = self.shuffles.get_mut(&(shuffled.deck.to_string(), shuffled.epoch)) {
                    found.n = Some(line.n);
                    found.cards.clone_from(&shuffled.cards);
                }
            }
            Body::Dealt(dealt) if !self.shuffles.is_empty() => {
                if let Some(found) = self.shuffles.get_mut(&(dealt.deck.to_string(), dealt.epoch)) {
                    found.dealt.push((dealt.seat.to_string(), dealt.from, dealt.count));
                }
            }
            _ => {}
        }
    }

    /// Returns the claim of step 9, the contradictions, and the results of all mails, after `lines`
    /// lines were read. `whole` is `true` if the journal was read to its end.
    pub fn judge(self, lines: u64, whole: bool) -> (Claim, Vec<Contradiction>, Option<Judged>) {
        let claim = Claim {
            step: RECEIPTS,
            name: name(RECEIPTS),
            grade: Grade::NotJudged,
            proved: BTreeMap::new(),
            unproved: vec!["no mails were given whose heads could be looked for".to_owned()],
            notes: vec![],
        };
        if self.evidence.is_empty() {
            return (claim, vec![], None);
        }
        let receipts = self.receipts(lines, whole);
        let mut against = contradictions(&receipts, &self.hashes);
        let cards = self.cards(&receipts, whole, &mut against);
        let is_signed =
            |one: &JudgedReceipt| !matches!(one.standing, Standing::Unsigned | Standing::Forged | Standing::OtherKey);
        let headless =
            |given: &&GivenMailbox| !given.receipts.iter().filter_map(|&at| receipts[at].as_ref()).any(is_signed);
        let headless = self.evidence.mailboxes.iter().filter(headless).map(|given| given.place.clone()).collect();
        let mut ours: Vec<JudgedReceipt> = receipts.into_iter().flatten().collect();
        ours.sort_by(|a, b| (a.receipt.n, &a.receipt).cmp(&(b.receipt.n, &b.receipt)));
        let on_chain = ours.iter().filter(|one| one.standing == Standing::OnChain).map(|one| one.receipt.n);
        let judged = Judged {
            mails: self.evidence.mails,
            others: (self.evidence.receipts.len() - ours.len()) as u64,
            damaged: self.damaged(&ours),
            without: self.evidence.files.iter().filter(|file| file.letters < file.mails).cloned().collect(),
            not_read: self.evidence.not_read.clone(),
            held: on_chain.max().map_or(0, |n| n + 1),
            receipts: ours,
            cards,
            headless,
        };
        let claim = Claim { unproved: vec![], ..claim };
        (graded(claim, &judged, &against, lines), against, Some(judged))
    }

    /// Returns the standing of each head in the order of the evidence; `None` for those of other
    /// games.
    fn receipts(&self, lines: u64, whole: bool) -> Vec<Option<JudgedReceipt>> {
        let key = self.pinned.or(self.key);
        let judge = |receipt: &Receipt| {
            let fits = |key: Hash| verify_receipt(&key, &receipt.head(), &receipt.signature).is_ok();
            // Without a single valid line, the game is unknown.
            if !self.game.is_empty() && receipt.game != self.game {
                return None;
            }
            let standing = if receipt.signature.is_empty() {
                Standing::Unsigned
            } else if !key.is_some_and(fits) {
                match receipt.key.is_some_and(fits) {
                    true => Standing::OtherKey,
                    false => Standing::Forged,
                }
            } else if receipt.n >= lines {
                if whole { Standing::Beyond } else { Standing::NotReached }
            } else if self.hashes.get(&receipt.n) == Some(&receipt.hash) {
                Standing::OnChain
            } else {
                Standing::Contradicts
            };
            Some(JudgedReceipt { receipt: receipt.clone(), standing })
        };
        let mut all: Vec<Option<JudgedReceipt>> = self.evidence.receipts.iter().map(judge).collect();
        // The journal says nothing beyond its end, but two heads of one line still contradict each
        // other.
        let signed = |one: &&JudgedReceipt| matches!(one.standing, Standing::Beyond | Standing::NotReached);
        let mut heads: BTreeMap<u64, BTreeSet<Hash>> = BTreeMap::new();
        for one in all.iter().flatten().filter(signed) {
            heads.entry(one.receipt.n).or_default().insert(one.receipt.hash);
        }
        for one in all.iter_mut().flatten() {
            if signed(&&*one) && heads[&one.receipt.n].len() > 1 {
                one.standing = Standing::Contradicts;
            }
        }
        all
    }

    /// Returns the mails with an incomplete head of this game, unless a signed letter has a head of
    /// the same entry.
    fn damaged(&self, ours: &[JudgedReceipt]) -> Vec<String> {
        let held = |n: u64| ours.iter().any(|one| one.standing == Standing::OnChain && one.receipt.n == n);
        let open = self.evidence.damaged.iter().filter(|damaged| match &damaged.head {
            Some((game, n)) => (self.game.is_empty() || *game == self.game) && !held(*n),
            None => true,
        });
        open.map(|damaged| damaged.place.clone()).collect()
    }

    /// Returns the standing of each card.
    fn cards(
        &self,
        receipts: &[Option<JudgedReceipt>],
        whole: bool,
        against: &mut Vec<Contradiction>,
    ) -> Vec<JudgedCard> {
        let mut all = Vec::new();
        // Each letter of a Turn shows the same cards.
        let mut seen = BTreeSet::new();
        for hand in &self.evidence.hands {
            let beside = hand.receipt.map(|at| &receipts[at]);
            // The letter belongs to another game.
            if let Some(None) = beside {
                continue;
            }
            let receipt = beside.and_then(Option::as_ref);
            let seat = receipt.map(|one| one.receipt.seat.as_str()).unwrap_or_default();
            for card in &hand.cards {
                let standing = self.card(hand, card, receipt, whole);
                if !seen.insert((seat, card, standing)) {
                    continue;
                }
                if let CardStanding::Other | CardStanding::NotDealt = standing {
                    let n = self.shuffles.get(&(card.deck.clone(), card.epoch)).and_then(|shuffle| shuffle.n);
                    against.push(Contradiction {
                        line: n.unwrap_or(0) + 1,
                        step: RECEIPTS,
                        what: format!(
                            "a letter{} shows {:?} at position {} of deck {}, epoch {} ({}), which is {}",
                            to(seat),
                            card.card,
                            card.pos,
                            card.deck,
                            card.epoch,
                            hand.place,
                            if standing == CardStanding::Other {
                                "not what this line committed to"
                            } else {
                                "dealt otherwise"
                            },
                        ),
                        contradicts: None,
                        right: None,
                    });
                }
                let (seat, place) = (seat.to_owned(), hand.place.clone());
                all.push(JudgedCard { card: card.clone(), seat, place, standing });
            }
        }
        all
    }

    fn card(&self, hand: &Hand, card: &HeldCard, receipt: Option<&JudgedReceipt>, whole: bool) -> CardStanding {
        let signed = receipt
            .is_some_and(|one| !matches!(one.standing, Standing::Forged | Standing::Unsigned | Standing::OtherKey));
        if !signed && !hand.asked {
            return CardStanding::NotJudged;
        }
        let Some(shuffle) = self.shuffles.get(&(card.deck.clone(), card.epoch)).filter(|one| one.n.is_some()) else {
            return CardStanding::NotReached;
        };
        let sealed = usize::try_from(card.pos).ok().and_then(|pos| shuffle.cards.get(pos));
        let fits = |sealed| is_committed(sealed, &self.game, &card.deck, card.epoch, card.pos, &card.card, &card.salt);
        if !sealed.is_some_and(fits) {
            return CardStanding::Other;
        }
        let covers = |from: u64, count: u64| (from..from.saturating_add(count)).contains(&card.pos);
        let seat = receipt.map(|one| one.receipt.seat.as_str()).unwrap_or_default();
        let dealt =
            shuffle.dealt.iter().any(|(to, from, count)| covers(*from, *count) && (seat.is_empty() || to == seat));
        // The deal may be in lines that this copy does not have.
        let cut = !whole || receipt.is_some_and(|one| one.standing == Standing::Beyond);
        match dealt {
            true => CardStanding::Fits,
            false if cut => CardStanding::NotReached,
            false => CardStanding::NotDealt,
        }
    }
}

fn to(seat: &str) -> String {
    if seat.is_empty() { String::new() } else { format!(" to seat {seat}") }
}

/// Returns one contradiction for each line of the journal for which a signed head contradicts the
/// journal or another signed head.
fn contradictions(receipts: &[Option<JudgedReceipt>], hashes: &BTreeMap<u64, Hash>) -> Vec<Contradiction> {
    let mut places: BTreeMap<u64, Vec<&Receipt>> = BTreeMap::new();
    for one in receipts.iter().flatten() {
        if matches!(one.standing, Standing::Contradicts | Standing::OnChain) {
            places.entry(one.receipt.n).or_default().push(&one.receipt);
        }
    }
    let letter = |receipt: &Receipt| format!("{} in the letter{} ({})", receipt.hash, to(&receipt.seat), receipt.place);
    let mut found = Vec::new();
    for (n, heads) in places {
        let recorded = hashes.get(&n);
        let Some(bad) = heads.iter().find(|head| recorded != Some(&head.hash)) else { continue };
        let what = match (heads.iter().find(|head| head.hash != bad.hash), recorded) {
            (Some(other), _) => format!(
                "the service signed two histories: the head of entry {n} is {} and {}",
                letter(bad),
                letter(other)
            ),
            (None, _) => format!("the service signed another history: the head of entry {n} is {}", letter(bad)),
        };
        let right = recorded.map(|hash| format!("{hash}, as the journal has it"));
        found.push(Contradiction { line: n + 1, step: RECEIPTS, what, contradicts: None, right });
    }
    found
}
