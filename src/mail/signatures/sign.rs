//! Signing letters with the key of this host's domain (RFC 6376, and RFC 8463 for Ed25519).

use super::DkimFault;
use data_encoding::BASE64;
use mail_auth::{
    common::{
        crypto::{self, Ed25519Key, RsaKey, Sha256},
        headers::HeaderWriter,
    },
    dkim::{self, Done},
};
use rustls_pki_types::{PrivateKeyDer, pem::PemObject};

/// The signed fields. A field listed twice is signed once more than it occurs, so that nobody can
/// add another one (RFC 6376 section 8.15).
const SIGNED: [&str; 16] = [
    "From",
    "From",
    "To",
    "To",
    "Subject",
    "Subject",
    "Date",
    "Date",
    "Message-ID",
    "Reply-To",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Auto-Submitted",
];

/// Number of characters in a line of a PEM file (RFC 7468 section 2).
const PEM_LINE: usize = 64;

/// The key for signing letters, with the DNS name of its public key.
pub struct DkimKey {
    signer: dkim::DkimSigner<crypto::DkimKey, Done>,
    record: String,
}

/// Omits the key.
impl std::fmt::Debug for DkimKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DkimKey({})", self.name())
    }
}

impl DkimKey {
    /// Reads the key from a PEM file, for `selector._domainkey.domain`.
    ///
    /// # Errors
    /// [`DkimFault`] if there is none, or it is too short according to RFC 8301 (RSA with less than
    /// 2,048 bits).
    pub fn new(domain: &str, selector: &str, pem: &[u8]) -> Result<DkimKey, DkimFault> {
        for name in [domain, selector] {
            let fits = |part: &str| {
                !part.is_empty() && part.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_')
            };
            if !name.split('.').all(fits) {
                return Err(DkimFault::Name(name.to_owned()));
            }
        }
        let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| DkimFault::NoKey)?;
        let ed25519 = Ed25519Key::from_pkcs8_maybe_unchecked_der(key.secret_der());
        let (kind, public, key) = match ed25519 {
            Ok(key) => ("ed25519", key.public_key(), crypto::DkimKey::from(key)),
            Err(_) => {
                let key = RsaKey::<Sha256>::from_key_der(key).map_err(|why| DkimFault::Refused(why.to_string()))?;
                ("rsa", public_key_info(&key.public_key()), crypto::DkimKey::from(key))
            }
        };
        let record = format!("v=DKIM1; k={kind}; p={}", BASE64.encode(&public));
        Ok(DkimKey {
            signer: dkim::DkimSigner::from_key(key).domain(domain).selector(selector).headers(SIGNED),
            record,
        })
    }

    /// Creates a new Ed25519 key as a PEM file.
    ///
    /// # Errors
    /// [`DkimFault::Refused`] if the system provides no randomness.
    pub fn new_pem() -> Result<String, DkimFault> {
        let der = Ed25519Key::generate_pkcs8().map_err(|why| DkimFault::Refused(why.to_string()))?;
        let coded = BASE64.encode(&der);
        let lines = coded.as_bytes().chunks(PEM_LINE).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\n");
        Ok(format!("-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----\n"))
    }

    /// Returns the name of the required TXT record.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}._domainkey.{}", self.signer.template.s, self.signer.template.d)
    }

    /// Returns the content of that record.
    #[must_use]
    pub fn record(&self) -> &str {
        &self.record
    }

    /// Returns the message with a signature prepended. The signature is dated by the system's
    /// clock.
    ///
    /// # Errors
    /// [`DkimFault::Refused`] if the library fails.
    pub fn sign(&self, raw: &[u8]) -> Result<Vec<u8>, DkimFault> {
        let signature = self.signer.sign(raw).map_err(|why| DkimFault::Refused(why.to_string()))?;
        // Folding does not affect the signature (RFC 6376 section 3.4.2). The library makes the
        // first line too long.
        let mut signed = signature.to_header().replacen("; d=", ";\r\n\td=", 1).into_bytes();
        signed.extend_from_slice(raw);
        Ok(signed)
    }
}

/// Encodes an RSA public key as a SubjectPublicKeyInfo (RFC 5280 section 4.1), as required in the
/// record, from its PKCS #1 form.
fn public_key_info(key: &[u8]) -> Vec<u8> {
    /// The AlgorithmIdentifier: rsaEncryption (1.2.840.113549.1.1.1) and NULL (RFC 3279 section
    /// 2.3.1).
    const RSA: [u8; 15] = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
    let tagged = |tag: u8, content: &[u8]| {
        let length = content.len().to_be_bytes();
        let length: Vec<u8> = length.into_iter().skip_while(|byte| *byte == 0).collect();
        let mut out = vec![tag];
        match length[..] {
            [] => out.push(0),
            [short] if short < 0x80 => out.push(short),
            _ => {
                // A length has at most eight bytes.
                out.push(0x80 | u8::try_from(length.len()).unwrap_or_default());
                out.extend(length);
            }
        }
        out.extend_from_slice(content);
        out
    };
    let bits = tagged(0x03, &[&[0], key].concat());
    tagged(0x30, &[&RSA[..], &bits].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Keys, Signed, check_signatures};

    const LETTER: &[u8] = b"From: Postrider <postrider@play.example>\r\nTo: ben@example.net\r\nSubject: x\r\n\
                            Date: Mon, 23 Nov 2026 09:12:00 +0000\r\nMIME-Version: 1.0\r\n\r\nhello\r\n";

    /// Created with `openssl genrsa 2048`, only for tests.
    const RSA: &[u8] = include_bytes!("../../../tests/keys/rsa.pem");

    #[test]
    fn what_is_signed_is_found_to_be_signed_by_the_record_that_is_printed() {
        let pem = DkimKey::new_pem().unwrap();
        for (pem, kind) in [(pem.as_bytes(), "ed25519"), (RSA, "rsa")] {
            let key = DkimKey::new("play.example", "pr1", pem).unwrap();
            assert_eq!(key.name(), "pr1._domainkey.play.example");
            assert!(key.record().starts_with(&format!("v=DKIM1; k={kind}; p=")), "{}", key.record());
            let signed = key.sign(LETTER).unwrap();
            let text = String::from_utf8(signed.clone()).unwrap();
            assert!(text.starts_with("DKIM-Signature: v=1; a=") && text.ends_with("hello\r\n"), "{text}");
            assert!(text.lines().all(|line| line.len() <= 78), "{text}");
            let keys = Keys::of(&[(&key.name(), key.record())]);
            let by = Signed::Dkim { domain: "play.example".into() };
            assert_eq!(check_signatures(&signed, ("postrider@play.example", &[]), &[], &keys), Ok(by));
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        assert_eq!(DkimKey::new("play.example", "x", b"").unwrap_err(), DkimFault::NoKey);
        let pem = DkimKey::new_pem().unwrap();
        assert_eq!(
            DkimKey::new("play.example", "x; y", pem.as_bytes()).unwrap_err(),
            DkimFault::Name("x; y".to_owned())
        );
        assert!(DkimKey::new("play..example", "x", pem.as_bytes()).is_err());
        let shown = format!("{:?}", DkimKey::new("play.example", "x", pem.as_bytes()).unwrap());
        assert_eq!(shown, "DkimKey(x._domainkey.play.example)");
    }
}
