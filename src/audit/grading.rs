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
    let on_chain = || judged.receipts.iter().filter(|one| one.standing == Standing::OnChain);
    let seats: BTreeSet<&str> =
        on_chain().map(|one| one.receipt.seat.as_str()).filter(|seat| !seat.is_empty()).collect();
    let heads: BTreeSet<u64> = on_chain().map(|one| one.receipt.n).collect();
    let fitting = cards(judged, CardStanding::Fits);
    claim.proved =
        [("cards", fitting), ("heads", heads.len() as u64), ("seats", seats.len() as u64), ("mails", judged.mails)]
            .into();
    claim.unproved.extend(beyond(judged));
    if heads.is_empty() && claim.unproved.is_empty() && (fitting == 0 || !judged.headless.is_empty()) {
        claim.unproved.push("no mail holds a signed head of this game".to_owned());
    } else if !judged.headless.is_empty() {
        let more = format!("what these hold for the game, without a signed head of it: {}", list_and(&judged.headless));
        claim.unproved.push(more);
    }
    let unsigned = unsigned(judged);
    let signed_elsewhere = count(judged, Standing::Unsigned) - unsigned.len() as u64;
    claim.unproved.extend(worthless(judged, unsigned));
    if !heads.is_empty() && against.is_empty() {
        claim.notes.push(held(judged.held, lines, seats));
    }
    for (n, what) in [
        (signed_elsewhere, "heads without a signature, which other letters sign"),
        (cards(judged, CardStanding::NotJudged), "cards without a signed head next to them, which --hand would judge"),
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

fn count(judged: &Judged, standing: Standing) -> u64 {
    judged.receipts.iter().filter(|one| one.standing == standing).count() as u64
}

fn cards(judged: &Judged, standing: CardStanding) -> u64 {
    judged.cards.iter().filter(|one| one.standing == standing).count() as u64
}

/// Describes contents of the letters that this journal cannot confirm: later entries, or another
/// key.
fn beyond(judged: &Judged) -> Vec<String> {
    let mut unproved = Vec::new();
    if let Some(newest) = judged.newest(Standing::Beyond) {
        unproved.push(format!(
            "that this copy is complete: letters name later entries, up to entry {} ({}; such heads: {}); it is older than they \
             are, or was truncated",
            newest.n,
            newest.place,
            count(judged, Standing::Beyond)
        ));
    }
    if let Some(other) = judged.newest(Standing::OtherKey) {
        unproved.push(format!(
            "whose journal this is: letters are signed by another key than it names, such as {} by {} (such heads: {}); if that \
             letter is genuine, --key {} says that this journal is not",
            other.place,
            other.key.unwrap_or_default(),
            count(judged, Standing::OtherKey),
            other.place
        ));
    }
    match count(judged, Standing::NotReached) + cards(judged, CardStanding::NotReached) {
        0 => {}
        n => unproved.push(format!("heads and cards of entries to which this copy does not come: {n}")),
    }
    unproved
}

/// Returns the mails with heads without a signature. A head quoted without its signature, or
/// incompletely, is not a gap if the letter itself is present.
fn unsigned(judged: &Judged) -> Vec<String> {
    let signed = |receipt: &Receipt| {
        let same = |one: &&JudgedReceipt| (one.receipt.n, one.receipt.hash) == (receipt.n, receipt.hash);
        judged.receipts.iter().filter(|one| one.standing == Standing::OnChain).any(|one| same(&one))
    };
    let open = judged.receipts.iter().filter(|one| one.standing == Standing::Unsigned);
    open.filter(|one| !signed(&one.receipt)).map(|one| one.receipt.place.clone()).collect()
}

/// Describes the contents of the mails that prove nothing: files that were not read, and forged,
/// unsigned or damaged heads.
fn worthless(judged: &Judged, unsigned: Vec<String>) -> Vec<String> {
    let mut unproved = Vec::new();
    if !judged.not_read.is_empty() {
        let places = judged.not_read.iter().map(|one| one.place.clone());
        unproved.push(format!("what was not read says: {}", named(places.collect())));
    }
    if let n @ 1.. = count(judged, Standing::Forged) {
        unproved.push(format!(
            "what the service signed where a signature does not fit, which proves nothing (such heads: {n}): {}",
            named(places(judged, Standing::Forged))
        ));
    }
    if !unsigned.is_empty() {
        let what = "what the service signed where a head has no signature, which proves nothing";
        unproved.push(format!("{what} (such heads: {}): {}", unsigned.len(), named(unsigned)));
    }
    if !judged.damaged.is_empty() {
        let places = judged.damaged.clone();
        unproved.push(format!("what damaged receipts say ({}): {}", places.len(), named(places)));
    }
    unproved
}

/// Describes how far letters attest a journal with this number of lines.
fn held(held: u64, lines: u64, seats: BTreeSet<&str>) -> String {
    let seats: Vec<String> = seats.into_iter().map(str::to_owned).collect();
    let whose = if seats.is_empty() { String::new() } else { format!(" of seat {}", list_and(&seats)) };
    if held < lines {
        let last = held.saturating_sub(1);
        format!("entries 0 to {last} are held by letters{whose}; later ones rest on the journal alone")
    } else {
        format!("all {held} entries are held by letters{whose}")
    }
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
