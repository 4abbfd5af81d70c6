//! The claim of step 9: what the mails prove together, and what they leave unproved.

use super::{
    claim::{Claim, Contradiction, Grade},
    evidence::Receipt,
    judged::{CardStanding, Judged, JudgedReceipt, Standing},
};
use postrider_orders::list_and;
use std::collections::BTreeSet;

/// Grades the claim of step 9.
pub(super) fn graded(mut claim: Claim, judged: &Judged, against: &[Contradiction], lines: u64) -> Claim {
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
    if let Some(newest) = judged.newest(Standing::Beyond) {
        claim.unproved.push(format!(
            "that this copy is complete: letters name later entries, up to entry {} ({}; such heads: {}); it is older than they \
             are, or was truncated",
            newest.n,
            newest.place,
            count(Standing::Beyond)
        ));
    }
    if let Some(other) = judged.newest(Standing::OtherKey) {
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
        n => claim.unproved.push(format!("heads and cards of entries to which this copy does not come: {n}")),
    }
    if heads.is_empty() && claim.unproved.is_empty() && (cards(CardStanding::Fits) == 0 || !judged.headless.is_empty())
    {
        claim.unproved.push("no mail holds a signed head of this game".to_owned());
    } else if !judged.headless.is_empty() {
        let more = format!("what these hold for the game, without a signed head of it: {}", list_and(&judged.headless));
        claim.unproved.push(more);
    }
    if !judged.not_read.is_empty() {
        let places = judged.not_read.iter().map(|one| one.place.clone());
        claim.unproved.push(format!("what was not read says: {}", named(places.collect())));
    }
    if let n @ 1.. = count(Standing::Forged) {
        claim.unproved.push(format!(
            "what the service signed where a signature does not fit, which proves nothing (such heads: {n}): {}",
            named(places(judged, Standing::Forged))
        ));
    }
    // A head quoted without its signature, or incompletely, is no gap if the letter itself is
    // present.
    let open = judged.receipts.iter().filter(|one| one.standing == Standing::Unsigned);
    let signed = |receipt: &Receipt| {
        let same = |one: &&JudgedReceipt| (one.receipt.n, one.receipt.hash) == (receipt.n, receipt.hash);
        judged.receipts.iter().filter(|one| one.standing == Standing::OnChain).any(|one| same(&one))
    };
    let unsigned: Vec<String> = open.filter(|one| !signed(&one.receipt)).map(|one| one.receipt.place.clone()).collect();
    let unsigned_open = unsigned.len() as u64;
    if !unsigned.is_empty() {
        let what = "what the service signed where a head has no signature, which proves nothing";
        claim.unproved.push(format!("{what} (such heads: {}): {}", unsigned.len(), named(unsigned)));
    }
    if !judged.damaged.is_empty() {
        let places = judged.damaged.clone();
        claim.unproved.push(format!("what damaged receipts say ({}): {}", places.len(), named(places)));
    }
    if !heads.is_empty() && against.is_empty() {
        let seats: Vec<String> = seats.into_iter().map(str::to_owned).collect();
        let whose = if seats.is_empty() { String::new() } else { format!(" of seat {}", list_and(&seats)) };
        let held = judged.held;
        claim.notes.push(if held < lines {
            format!(
                "entries 0 to {} are held by letters{whose}; later ones rest on the journal alone",
                held.saturating_sub(1)
            )
        } else {
            format!("all {held} entries are held by letters{whose}")
        });
    }
    for (n, what) in [
        (count(Standing::Unsigned) - unsigned_open, "heads without a signature, which other letters sign"),
        (cards(CardStanding::NotJudged), "cards without a signed head next to them, which --hand would judge"),
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

/// Returns the mails that contain heads with this standing.
fn places(judged: &Judged, standing: Standing) -> Vec<String> {
    let all = judged.receipts.iter().filter(|one| one.standing == standing);
    all.map(|one| one.receipt.place.clone()).collect()
}

/// Names some of these places; the report lists heads and files one by one.
fn named(mut places: Vec<String>) -> String {
    const MOST: usize = 5;
    places.dedup();
    let more = places.len().saturating_sub(MOST);
    places.truncate(MOST);
    if more > 0 {
        places.push(format!("{more} more"));
    }
    list_and(&places)
}
