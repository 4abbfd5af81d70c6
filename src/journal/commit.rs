//! The hashes in bodies that commit to hidden values (sections 4 and 7).

use postrider_dice::{Hash, Hasher, h, sha256};

/// Returns `joined.address`, the commitment to a mail address. The letters A–Z are lowercased; all
/// other characters are kept.
#[must_use]
pub fn address_commitment(salt: &Hash, address: &str) -> Hash {
    let address = sha256(address.to_ascii_lowercase().as_bytes());
    h("postrider/address/v1", &[salt.text().as_str(), address.text().as_str()])
}

/// Returns `started.luck`, the digest of the luck phrases of all seats in the order of
/// `opened.seats`. A seat without a phrase has "".
#[must_use]
pub fn luck_digest<'a>(phrases: impl IntoIterator<Item = &'a str>) -> Hash {
    luck_of_hashes(phrases.into_iter().map(|phrase| sha256(phrase.as_bytes())))
}

/// Computes [`luck_digest`] from the SHA-256 of each phrase.
pub(super) fn luck_of_hashes(phrases: impl IntoIterator<Item = Hash>) -> Hash {
    let start = Hasher::new("postrider/luck/v1");
    phrases.into_iter().fold(start, |hasher, phrase| hasher.field(phrase.text().as_str())).finish()
}

/// Returns `sealed.commit`, the commitment to `content`, which must be canonical JSON.
#[must_use]
pub fn sealed_commitment(game: &str, seat: &str, salt: &Hash, content: &str) -> Hash {
    let content = sha256(content.as_bytes());
    h("postrider/sealed/v1", &[game, seat, salt.text().as_str(), content.text().as_str()])
}

/// Returns `press.commit`, the commitment to the content of a message, which must be canonical
/// JSON.
#[must_use]
pub fn press_commitment(game: &str, salt: &Hash, content: &str) -> Hash {
    let content = sha256(content.as_bytes());
    h("postrider/press/v1", &[game, salt.text().as_str(), content.text().as_str()])
}

/// Returns `decision.words`, a digest of data that the author of the mail also has.
///
/// `lines` are those that contained the order, in order; surrounding white space is trimmed.
/// Control characters are removed, so that no mail can put a line break into a field.
#[must_use]
pub fn words_digest<'a>(game: &str, seat: &str, message_id: &str, lines: impl IntoIterator<Item = &'a str>) -> Hash {
    let plain = |field: &str| -> String { field.chars().filter(|c| !c.is_control()).collect() };
    let start = Hasher::new("postrider/words/v1").field(game).field(seat).field(&plain(message_id));
    lines.into_iter().fold(start, |hasher, line| hasher.field(plain(line).trim())).finish()
}

/// Returns `round.state`: SHA-256 of `postrider/state/v1`, a newline and `state`, which must be
/// canonical JSON.
#[must_use]
pub fn state_digest(state: &str) -> Hash {
    use sha2::{Digest, Sha256};
    Hash(Sha256::new().chain_update("postrider/state/v1\n").chain_update(state).finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_same_in_any_case_but_differs_by_salt() {
        let salt = Hash([1; 32]);
        let address = address_commitment(&salt, "Ann@Example.org");
        assert_eq!(address, address_commitment(&salt, "ann@example.ORG"));
        assert_ne!(address, address_commitment(&Hash([2; 32]), "ann@example.org"));
    }

    #[test]
    fn luck_depends_on_the_order_of_seats_and_takes_any_text() {
        assert_ne!(luck_digest(["a", "b"]), luck_digest(["b", "a"]));
        assert_ne!(luck_digest(["a\nb"]), luck_digest(["a", "b"]));
        assert_ne!(luck_digest([""]), luck_digest([]));
    }
}
