//! Signed heads, which every mail of a game carries (section 8).

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use postrider_dice::Hash;

/// The last line of a journal at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The game.
    pub game: String,
    /// The `n` of the line.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
}

impl Head {
    /// Returns the signed bytes: `postrider/head/v1\n<game>\n<n>\n<hash>\n`.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        format!("postrider/head/v1\n{}\n{}\n{}\n", self.game, self.n, self.hash).into_bytes()
    }
}

/// The reason a signature is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptFault {
    /// The public key is not a point of the curve.
    #[error("the key is not an Ed25519 public key")]
    Key,
    /// Not 86 characters of base64url, or unused bits are not 0.
    #[error("the signature is not 64 bytes in base64url")]
    Spelling,
    /// A signature by another key, or of another head.
    #[error("the signature does not fit this head and key")]
    Signature,
}

/// The service's signing key. Its `Debug` output shows only the public key.
#[derive(Clone)]
pub struct ReceiptKey(SigningKey);

impl ReceiptKey {
    /// Creates the key from 32 secret random bytes (the seed of RFC 8032).
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> ReceiptKey {
        ReceiptKey(SigningKey::from_bytes(seed))
    }

    /// Returns the public key as in `opened.key`.
    #[must_use]
    pub fn public(&self) -> Hash {
        Hash(self.0.verifying_key().to_bytes())
    }

    /// Returns the signature of a head: 86 characters of base64url.
    #[must_use]
    pub fn sign(&self, head: &Head) -> String {
        BASE64URL_NOPAD.encode(&self.0.sign(&head.signed_bytes()).to_bytes())
    }
}

impl fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReceiptKey").field(&self.public()).finish()
    }
}

/// Verifies the signature of a head.
///
/// # Errors
/// [`ReceiptFault`] if the key or signature is malformed, or the signature is invalid.
pub fn verify_receipt(key: &Hash, head: &Head, signature: &str) -> Result<(), ReceiptFault> {
    let key = VerifyingKey::from_bytes(&key.0).map_err(|_| ReceiptFault::Key)?;
    let bytes = BASE64URL_NOPAD.decode(signature.as_bytes()).map_err(|_| ReceiptFault::Spelling)?;
    let signature = Signature::from_slice(&bytes).map_err(|_| ReceiptFault::Spelling)?;
    // Strict, because a signature that only some verifiers accept would be useless as evidence.
    key.verify_strict(&head.signed_bytes(), &signature).map_err(|_| ReceiptFault::Signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_fits_one_head_and_one_key() {
        let key = ReceiptKey::from_seed(&[7; 32]);
        let head = Head { game: "my-game".into(), n: 12, hash: Hash([1; 32]) };
        let signature = key.sign(&head);
        assert_eq!(verify_receipt(&key.public(), &head, &signature), Ok(()));
        for other in [
            Head { game: "my-gamf".into(), ..head.clone() },
            Head { n: 13, ..head.clone() },
            Head { hash: Hash([2; 32]), ..head.clone() },
        ] {
            assert_eq!(verify_receipt(&key.public(), &other, &signature), Err(ReceiptFault::Signature));
        }
        let stranger = ReceiptKey::from_seed(&[8; 32]).public();
        assert_eq!(verify_receipt(&stranger, &head, &signature), Err(ReceiptFault::Signature));
        assert_eq!(verify_receipt(&key.public(), &head, &signature[2..]), Err(ReceiptFault::Spelling));
        let spare = |end: char| signature[..85].to_owned() + &end.to_string();
        assert!(
            ['B', '+', '=']
                .iter()
                .all(|&end| { verify_receipt(&key.public(), &head, &spare(end)) == Err(ReceiptFault::Spelling) })
        );
    }

    #[test]
    fn keys_are_those_of_rfc_8032() {
        // RFC 8032 section 7.1, test 1.
        let bytes = |hex: &str| data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap().try_into().map(Hash).unwrap();
        let seed = bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
        let public = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        assert_eq!(ReceiptKey::from_seed(&seed.0).public(), public);
        assert!(!format!("{:?}", ReceiptKey::from_seed(&seed.0)).contains(&seed.to_string()[..6]));
    }
}
