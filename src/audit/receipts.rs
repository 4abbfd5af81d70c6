//! Holding what mails testify to against a journal: step 9 of the format, and the hands of section 7.

use super::{
    claim::{Claim, Contradiction, Grade, RECEIPTS, name},
    evidence::{Evidence, Hand, HeldCard, Receipt},
};
use crate::{
    dice::{Hash, is_committed},
    journal::{Body, Checked, verify_receipt},
    orders::list_and,
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

/// What a head in a mail is worth against a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Signed by the service, and the journal has this line.
    OnChain,
    /// Signed by the service, and the journal has another line there, or another signed head does.
    Contradicts,
    /// Signed by the service, and the journal ends before it.
    Beyond,
    /// Signed by the service; the journal is contradicted before this line, so it was not looked at.
    NotReached,
    /// Signed by another key, which the mail itself names.
    OtherKey,
    /// The signature fits neither the head nor any key that is known.
    Forged,
    /// There is no signature.
    Unsigned,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Standing::OnChain => "signed, on the chain",
            Standing::Contradicts => "signed, CONTRADICTS",
            Standing::Beyond => "signed, beyond the end",
            Standing::NotReached => "signed, not reached",
            Standing::OtherKey => "signed by another key",
            Standing::Forged => "signature does not fit",
            Standing::Unsigned => "not signed",
        })
    }
}

/// What a card in a mail is worth against a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardStanding {
    /// It is the card that the shuffle committed to at this position.
    Fits,
    /// The shuffle committed to something else there, or has no such position.
    Other,
    /// The journal deals this position to another seat, or to nobody.
    NotDealt,
    /// The journal does not come to this shuffle or deal.
    NotReached,
    /// Nothing signed stands beside it, and nobody asked.
    NotJudged,
}

impl fmt::Display for CardStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CardStanding::Fits => "as it was sealed",
            CardStanding::Other => "NOT what was sealed",
            CardStanding::NotDealt => "NOT dealt to this seat",
            CardStanding::NotReached => "not reached",
            CardStanding::NotJudged => "not judged: no signed head beside it",
        })
    }
}

/// A head and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedReceipt {
    /// The head.
    #[serde(flatten)]
    pub receipt: Receipt,
    /// Its worth.
    pub standing: Standing,
}

/// A card and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedCard {
    /// The card.
    #[serde(flatten)]
    pub card: HeldCard,
    /// Whose letter showed it; "" where that is not to be seen.
    pub seat: String,
    /// Where the mail lies.
    pub place: String,
    /// Its worth.
    pub standing: CardStanding,
}

/// All that the mails say of one journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// How many mails were read, of this game or not.
    pub mails: u64,
    /// How many heads of other games they hold; those are not judged.
    pub others: u64,
    /// Mails in which a receipt begins and does not go on.
    pub damaged: Vec<String>,
    /// The number of lines that receipts hold: all up to the newest signed head on the chain.
    pub held: u64,
    /// Every head of this game, oldest first.
    pub receipts: Vec<JudgedReceipt>,
    /// Every card, once for each seat.
    pub cards: Vec<JudgedCard>,
}

/// Hears the journal line by line and remembers what the mails speak of.
pub(crate) struct Witness<'e> {
    evidence: &'e Evidence,
    pinned: Option<Hash>,
    game: String,
    /// The key of `opened`.
    key: Option<Hash>,
    /// The hash of every line that some head names.
    hashes: BTreeMap<u64, Hash>,
    wanted: BTreeSet<u64>,
    shuffles: HashMap<(String, u64), Shuffle>,
}

/// A shuffle that some hand speaks of.
#[derive(Default)]
struct Shuffle {
    /// n of its line; `None` until it came.
    n: Option<u64>,
    cards: Vec<Hash>,
    /// What was dealt of it: seat, first position, count.
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

    /// The next line, which a checker has passed.
    pub fn hear(&mut self, checked: &Checked<'_>) {
        let line = &checked.line;
        if self.wanted.contains(&line.n) {
            self.hashes.insert(line.n, line.hash);
        }
        match &checked.body {
            Body::Opened(opened) => {
                self.key = Some(opened.key);
                line.game.clone_into(&mut self.game);
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

    /// After `lines` lines, `whole` if that was the end of the journal: the claim of step 9 and what contradicts the journal.
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
        let mut ours: Vec<JudgedReceipt> = receipts.into_iter().flatten().collect();
        ours.sort_by(|a, b| (a.receipt.n, &a.receipt).cmp(&(b.receipt.n, &b.receipt)));
        let judged = Judged {
            mails: self.evidence.mails,
            others: (self.evidence.receipts.len() - ours.len()) as u64,
            damaged: self.evidence.damaged.clone(),
            held: newest(&ours, Standing::OnChain).map_or(0, |receipt| receipt.n + 1),
            receipts: ours,
            cards,
        };
        let claim = Claim { unproved: vec![], ..claim };
        (graded(claim, &judged, &against, lines), against, Some(judged))
    }

    /// What each head is worth, in the order of the evidence; `None` for those of other games.
    fn receipts(&self, lines: u64, whole: bool) -> Vec<Option<JudgedReceipt>> {
        let key = self.pinned.or(self.key);
        let judge = |receipt: &Receipt| {
            let fits = |key: Hash| verify_receipt(&key, &receipt.head(), &receipt.signature).is_ok();
            // Of a journal of which not one line holds nobody knows what game it is.
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
        // Beyond the end the journal says nothing, but two heads of one place still contradict each other.
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

    /// What each card is worth.
    fn cards(
        &self,
        receipts: &[Option<JudgedReceipt>],
        whole: bool,
        against: &mut Vec<Contradiction>,
    ) -> Vec<JudgedCard> {
        let mut all = Vec::new();
        // Each letter of a Turn shows the same cards again.
        let mut seen = BTreeSet::new();
        for hand in &self.evidence.hands {
            let beside = hand.receipt.map(|at| &receipts[at]);
            // The letter of another game.
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
        // The deal may stand in lines that this copy does not have.
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

fn newest(receipts: &[JudgedReceipt], standing: Standing) -> Option<&Receipt> {
    let all = receipts.iter().filter(|one| one.standing == standing).map(|one| &one.receipt);
    all.max_by_key(|receipt| receipt.n)
}

/// Signed heads that the journal, or each other, gives the lie: one contradiction for each place in the journal.
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

/// Grades the claim of step 9.
fn graded(mut claim: Claim, judged: &Judged, against: &[Contradiction], lines: u64) -> Claim {
    let count = |standing| judged.receipts.iter().filter(|one| one.standing == standing).count() as u64;
    let cards = |standing| judged.cards.iter().filter(|one| one.standing == standing).count() as u64;
    let on_chain = judged.receipts.iter().filter(|one| one.standing == Standing::OnChain);
    let seats: BTreeSet<&str> =
        on_chain.clone().map(|one| one.receipt.seat.as_str()).filter(|seat| !seat.is_empty()).collect();
    let heads: BTreeSet<u64> = on_chain.map(|one| one.receipt.n).collect();
    claim.proved = [
        ("cards", cards(CardStanding::Fits)),
        ("heads", heads.len() as u64),
        ("seats", seats.len() as u64),
        ("mails", judged.mails),
    ]
    .into();
    if let Some(newest) = newest(&judged.receipts, Standing::Beyond) {
        claim.unproved.push(format!(
            "that this copy is whole: letters go on behind its end, up to entry {} ({}; such heads: {}); it is older than they \
             are, or was cut short",
            newest.n,
            newest.place,
            count(Standing::Beyond)
        ));
    }
    if let Some(other) = newest(&judged.receipts, Standing::OtherKey) {
        claim.unproved.push(format!(
            "whose journal this is: letters are signed by another key than it names, such as {} by {} (such heads: {}); if that \
             letter is genuine, --key {} says that this journal is not",
            other.place,
            other.key.unwrap_or_default(),
            count(Standing::OtherKey),
            other.place
        ));
    }
    match count(Standing::NotReached) + cards(CardStanding::NotReached) {
        0 => {}
        n => claim.unproved.push(format!("heads and cards of lines to which this copy does not come: {n}")),
    }
    if heads.is_empty() && claim.unproved.is_empty() && cards(CardStanding::Fits) == 0 {
        claim.unproved.push("no mail holds a signed head of this game".to_owned());
    }
    if !heads.is_empty() && against.is_empty() {
        let seats: Vec<String> = seats.into_iter().map(str::to_owned).collect();
        let whose = if seats.is_empty() { String::new() } else { format!(" of seat {}", list_and(&seats)) };
        let held = judged.held;
        claim.notes.push(if held < lines {
            format!("lines 1 to {held} are held by letters{whose}; later ones rest on the journal alone")
        } else {
            format!("all {held} lines are held by letters{whose}")
        });
    }
    for (n, what) in [
        (count(Standing::Unsigned), "heads without a signature, which prove nothing"),
        (count(Standing::Forged), "heads whose signature does not fit, which prove nothing"),
        (cards(CardStanding::NotJudged), "cards without a signed head beside them, which --hand would judge"),
        (judged.damaged.len() as u64, "receipts that are damaged"),
        (judged.others, "heads of other games"),
    ] {
        if n > 0 {
            claim.notes.push(format!("{what}: {n}"));
        }
    }
    claim.grade = match (against.is_empty(), claim.unproved.is_empty()) {
        (false, _) => Grade::Contradicted,
        (true, true) => Grade::ProvedByReceipts,
        (true, false) => Grade::Unproved,
    };
    claim
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.receipts.is_empty() {
            writeln!(f, "HEADS IN MAILS: entry, hash, seat, standing, mail")?;
        }
        for JudgedReceipt { receipt, standing } in &self.receipts {
            let hash = receipt.hash.to_string();
            let seat = if receipt.seat.is_empty() { "?" } else { &receipt.seat };
            writeln!(f, "{:>6}  {}  {seat:<8} {standing:<22}  {}", receipt.n, &hash[..16], receipt.place)?;
        }
        if !self.cards.is_empty() {
            writeln!(
                f,
                "{}CARDS IN HANDS: place, card, seat, standing, mail",
                if self.receipts.is_empty() { "" } else { "\n" }
            )?;
        }
        for JudgedCard { card, seat, place, standing } in &self.cards {
            let at = format!("{}, epoch {}, position {}", card.deck, card.epoch, card.pos);
            let seat = if seat.is_empty() { "?" } else { seat };
            writeln!(f, "  {at:<32} {:<26} {seat:<8} {standing:<22}  {place}", card.card)?;
        }
        Ok(())
    }
}
