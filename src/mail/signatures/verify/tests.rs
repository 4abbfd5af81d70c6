//! Signed mails, and what is done to them on the way.

use super::*;
use crate::{DkimKey, Keys};
use mail_auth::{
    ArcOutput, AuthenticationResults,
    arc::ArcSealer,
    common::{crypto::Ed25519Key, headers::HeaderWriter},
    dkim::DkimSigner,
};

const BEN: &str = "ben@mail.example.net";
const MAIL: &str = "From: Ben <ben@mail.example.net>\r\nTo: postrider@play.example\r\nSubject: Re: x\r\n\
                    Message-ID: <1@mail.example.net>\r\n\r\npass\r\n";

fn key(domain: &str) -> DkimKey {
    DkimKey::new(domain, "s", DkimKey::new_pem().unwrap().as_bytes()).unwrap()
}

fn text(signed: &[u8]) -> String {
    String::from_utf8(signed.to_vec()).unwrap()
}

fn checked(raw: &str, keys: &Keys) -> Signed {
    check_signatures(raw.as_bytes(), (BEN, &[]), &[], keys).unwrap()
}

fn why(signed: Signed) -> String {
    let Signed::Nobody { why } = signed else { panic!("{signed:?}") };
    why.to_string()
}

#[test]
fn the_authors_own_domain_counts() {
    let key = key("mail.example.net");
    let keys = Keys::of(&[(&key.name(), key.record())]);
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    let by = Signed::Dkim { domain: "mail.example.net".into() };
    assert_eq!(checked(&raw, &keys), by);
    assert_eq!(keys.asked.get(), 1, "no policy is needed for it");
    // As passed on by programs that use LF line endings.
    assert_eq!(checked(&raw.replace("\r\n", "\n"), &keys), by);
    assert_eq!(checked(&format!("From ben@x Mon Nov 23 09:00:00 2026\n{raw}"), &keys), by);
    assert!(why(checked(&raw.replace("pass", "1a"), &keys)).contains("body hash"));
    assert!(why(checked(&raw.replace("Re: x", "Re: y"), &keys)).contains("mail.example.net is invalid"));
    assert!(why(checked(&raw, &Keys::default())).contains("record not found"));
    let other = check_signatures(raw.as_bytes(), ("anna@mail.example.net", &[]), &[], &keys).unwrap();
    assert_eq!(why(other), "its header cannot be read", "nobody else is the author");
}

#[test]
fn a_key_is_used_for_what_its_domain_allows() {
    let key = key("mail.example.net");
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    for (tags, holds) in [("s=email; h=sha1:sha256", true), ("s=*", true), ("s=tlsrpt", false), ("h=sha1", false)] {
        let keys = Keys::of(&[(&key.name(), &format!("{}; {tags}", key.record()))]);
        assert_eq!(checked(&raw, &keys).holds(), holds, "{tags}");
    }
}

#[test]
fn domains_of_one_owner_count_where_a_policy_says_so() {
    let key = key("news.example.net");
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    let with = |policy: &str| Keys::of(&[(&key.name(), key.record()), ("_dmarc.example.net", policy)]);
    assert_eq!(checked(&raw, &with("v=DMARC1; p=reject")), Signed::Dkim { domain: "news.example.net".into() });
    assert!(why(checked(&raw, &with("v=DMARC1; p=none; adkim=s"))).contains("not aligned"));
    assert!(why(checked(&raw, &Keys::of(&[(&key.name(), key.record())]))).contains("not aligned"), "no policy");
    let above = self::key("net");
    let keys = Keys::of(&[(&above.name(), above.record()), ("_dmarc.net", "v=DMARC1; p=none; psd=y")]);
    let raw = text(&above.sign(MAIL.as_bytes()).unwrap());
    assert!(why(checked(&raw, &keys)).contains("not aligned"), "a registry owns no domain below it");
}

#[test]
fn strangers_signatures_and_none_count_for_nothing_and_cost_nothing() {
    let key = key("mallory.example");
    let keys = Keys::of(&[(&key.name(), key.record())]);
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    assert_eq!(why(checked(&raw, &keys)), "it is signed by mallory.example, which is not the domain of its author");
    assert_eq!(why(checked(MAIL, &keys)), "it has no signature (DKIM)");
    let garbage = format!("DKIM-Signature: v=1; a=none; b=!\r\n{MAIL}");
    assert!(!checked(&garbage, &keys).holds());
    assert_eq!(keys.asked.get(), 0, "nobody was asked");
}

/// A field added above a signed one may be the one that a reader sees.
#[test]
fn no_field_can_be_added_to_a_signed_mail() {
    let key = key("mail.example.net");
    let keys = Keys::of(&[(&key.name(), key.record())]);
    let signer = |fields: &[&str]| {
        let ed25519 = Ed25519Key::from_pkcs8_der(&Ed25519Key::generate_pkcs8().unwrap()).unwrap();
        let record = format!("v=DKIM1; k=ed25519; p={}", data_encoding::BASE64.encode(&ed25519.public_key()));
        let signer = DkimSigner::from_key(ed25519).domain("mail.example.net").selector("s");
        let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        (signer.headers(fields).sign(MAIL.as_bytes()).unwrap().to_header() + MAIL, record)
    };
    let (raw, record) = signer(&["From"]);
    let few = Keys::of(&[("s._domainkey.mail.example.net", &record)]);
    assert!(why(checked(&raw, &few)).contains("does not cover the field To"), "it covers too little");
    let all: Vec<&str> = COVERED.to_vec();
    let (raw, record) = signer(&all);
    let few = Keys::of(&[("s._domainkey.mail.example.net", &record)]);
    assert!(checked(&raw, &few).holds());
    // Fields that the mail did not have, and that the signature therefore does not cover,
    // cannot be added.
    for added in ["Content-Type: multipart/mixed; boundary=x", "In-Reply-To: <2@play.example>"] {
        assert!(!checked(&format!("{added}\r\n{raw}"), &few).holds(), "{added}");
    }
    for added in ["Subject: 1a", "To: x@y.example", "from: ben@mail.example.net", "Content-Type: text/html"] {
        let twice = format!("{added}\r\n{}", raw.replacen("\r\n\r\n", "\r\nContent-Type: text/plain\r\n\r\n", 1));
        assert!(why(checked(&twice, &few)).contains("it has two"), "{added}");
    }
    let (raw, record) = signer(&["Subject"]);
    let uncovered = Keys::of(&[("s._domainkey.mail.example.net", &record)]);
    assert!(why(checked(&raw, &uncovered)).contains("does not cover the field From"));
    // RFC 6376 section 3.5: a signature may have an expiry time.
    let ed25519 = Ed25519Key::from_pkcs8_der(&Ed25519Key::generate_pkcs8().unwrap()).unwrap();
    let record = format!("v=DKIM1; k=ed25519; p={}", data_encoding::BASE64.encode(&ed25519.public_key()));
    let fields: Vec<String> = COVERED.iter().map(|field| (*field).to_owned()).collect();
    let brief = DkimSigner::from_key(ed25519).domain("mail.example.net").selector("s").headers(fields).expiration(1);
    let raw = brief.sign(MAIL.as_bytes()).unwrap().to_header() + MAIL;
    let few = Keys::of(&[("s._domainkey.mail.example.net", &record)]);
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    assert!(why(checked(&raw, &few)).contains("xpired"));
    // RFC 6376 section 8.2: text can be added after a signed length.
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    assert!(!checked(&raw.replacen("c=relaxed/relaxed", "c=relaxed/relaxed; l=6", 1), &keys).holds());
}

/// A header that the two libraries read differently is not what was signed: names with blanks or
/// other bytes, and a body that begins without an empty line.
#[test]
fn a_header_that_can_be_read_in_two_ways_counts_as_unsigned() {
    let key = key("mail.example.net");
    let keys = Keys::of(&[(&key.name(), key.record())]);
    let raw = key.sign(MAIL.as_bytes()).unwrap();
    let end = raw.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 2;
    let with = |added: &[u8]| [&raw[..end], added, &raw[end..]].concat();
    let holds = |raw: &[u8]| check_signatures(raw, (BEN, &[]), &[], &keys).unwrap().holds();
    assert!(holds(&raw) && holds(&with(b"X-Added: x\r\n")));
    for added in [
        &b"Message- ID: <2@mail.example.net>\r\n"[..],
        b"Message-ID\t: <2@mail.example.net>\r\n",
        b"Message-ID\xff: <2@mail.example.net>\r\n",
        b"Content-Type : multipart/mixed; boundary=\"=20\"\r\n",
        b" : x\r\n",
    ] {
        assert!(!holds(&with(added)), "{}", String::from_utf8_lossy(added));
    }
    let joined = [&raw[..end], b"x", &raw[end..]].concat();
    assert!(!holds(&joined), "{}", String::from_utf8_lossy(&joined));
}

#[test]
fn a_header_that_is_made_to_take_long_is_not_looked_through() {
    let key = key("mail.example.net");
    let keys = Keys::of(&[(&key.name(), key.record())]);
    let raw = text(&key.sign(MAIL.as_bytes()).unwrap());
    let (signature, _) = raw.split_once("From: ").unwrap();
    let many = format!("{}{raw}", signature.repeat(5_000));
    let fields = format!("{}{raw}", "X-A: b\r\n".repeat(600));
    let names = raw.replacen("h=", &format!("h={}", "x:".repeat(9_000)), 1);
    for mail in [many, fields, names] {
        assert!(why(checked(&mail, &keys)).contains("too many signatures or fields"), "{}", &mail[..200]);
    }
    assert_eq!(keys.asked.get(), 0);
    assert!(checked(&format!("{}{raw}", signature.repeat(3)), &keys).holds(), "a few are borne");
}

#[test]
fn a_name_server_that_does_not_answer_leaves_it_open() {
    let key = key("mail.example.net");
    let raw = key.sign(MAIL.as_bytes()).unwrap();
    let fault = check_signatures(&raw, (BEN, &[]), &[], &Keys::silent()).unwrap_err();
    assert_eq!(fault.to_string(), "DNS lookup of s._domainkey.mail.example.net. failed: nobody answers");
    // A mail that needs no lookup is still judged.
    assert!(!check_signatures(MAIL.as_bytes(), (BEN, &[]), &[], &Keys::silent()).unwrap().holds());
}

/// Returns a mail changed by a mailing list, which breaks the signature, and the key of the
/// list's seal. The seal states whether the signature was valid.
fn through_a_list(whole: bool) -> (String, Keys) {
    let ed25519 = Ed25519Key::from_pkcs8_der(&Ed25519Key::generate_pkcs8().unwrap()).unwrap();
    let record = format!("v=DKIM1; k=ed25519; p={}", data_encoding::BASE64.encode(&ed25519.public_key()));
    let changed = MAIL.replace("Re: x", "Re: [list] x");
    let message = AuthenticatedMessage::parse(changed.as_bytes()).unwrap();
    let key = key("mail.example.net");
    let signed = key.sign(MAIL.as_bytes()).unwrap();
    let came = if whole { text(&signed) } else { text(&signed).replace("Re: x", "Re: y") };
    let (library, records) = (Library::new().unwrap(), Records::default());
    records.fetch::<DomainKey>(&Keys::of(&[(&key.name(), key.record())]), &key.name(), is_for_mail).unwrap();
    let came = AuthenticatedMessage::parse(came.as_bytes()).unwrap();
    let outputs = library.dkim(&came, &records);
    let said = AuthenticationResults::new("lists.example.org").with_dkim_results(&outputs, BEN);
    let sealer = ArcSealer::from_key(ed25519).domain("lists.example.org").selector("s").headers(COVERED);
    let seal = sealer.seal(&message, &said, &ArcOutput::default()).unwrap().to_header();
    (seal + &changed, Keys::of(&[("s._domainkey.lists.example.org", &record)]))
}

#[test]
fn a_trusted_sealer_counts_and_no_other() {
    let trusted = ["lists.example.org".to_owned()];
    let (raw, keys) = through_a_list(true);
    let by = |raw: &str, sealers: &[String]| check_signatures(raw.as_bytes(), (BEN, &[]), sealers, &keys).unwrap();
    assert_eq!(by(&raw, &trusted), Signed::Arc { sealer: "lists.example.org".into() }, "{raw}");
    assert!(!by(&raw, &[]).holds() && !by(&raw, &["example.org".to_owned()]).holds());
    assert!(!by(&raw.replace("pass\r\n", "1a\r\n"), &trusted).holds(), "it was changed after the seal");
    let late = check_signatures(raw.as_bytes(), (BEN, &[]), &trusted, &Keys::silent());
    assert!(late.is_err(), "it hangs on a key that cannot be had");
    // The statement is sealed too.
    let (raw, keys) = through_a_list(false);
    let by = |raw: &str| check_signatures(raw.as_bytes(), (BEN, &[]), &trusted, &keys).unwrap();
    assert!(raw.contains("dkim=fail") && !by(&raw).holds());
    assert!(!by(&raw.replace("dkim=fail", "dkim=pass")).holds());
}

#[test]
fn results_are_read_without_their_comments() {
    for (results, vouched) in [
        ("i=1; mx.example; dkim=pass header.i=@mail.example.net header.s=s", true),
        ("i=1; mx.example; spf=pass; dmarc=pass (p=REJECT) header.from=mail.example.net", true),
        ("i=1; mx.example; dkim=fail header.d=mail.example.net", false),
        ("i=1; mx.example; dkim=pass header.d=mallory.example", false),
        ("i=1; mx.example (; dkim=pass header.d=mail.example.net)", false),
        ("i=1; mx.example; spf=pass smtp.mailfrom=mail.example.net", false),
        // Text chosen by the sender.
        (
            "i=1; mx.example; spf=pass smtp.mailfrom=\"; dmarc=pass header.from=mail.example.net \"@mallory.example",
            false,
        ),
        ("i=1; mx.example; spf=pass (\\) ; dmarc=pass header.from=mail.example.net)", false),
        (
            "i=1; mx.example; spf=pass smtp.mailfrom=\"a\\\"; dmarc=pass header.from=mail.example.net; x=\"@b.example",
            false,
        ),
        ("i=1; mx.example; dkim=pass header.d=mallory.example header.i=@mail.example.net", false),
        ("i=1; mx.example; dmarc=pass header.from=mallory.example header.from=mail.example.net", false),
    ] {
        assert_eq!(vouches(results.as_bytes(), "mail.example.net"), vouched, "{results}");
    }
}

#[test]
fn policies_stand_at_a_name_and_those_above_it() {
    assert_eq!(policies("a.b.example"), ["_dmarc.a.b.example", "_dmarc.b.example", "_dmarc.example"]);
    let deep = policies("1.2.3.4.5.6.7.8.9.example");
    assert_eq!((deep.len(), deep[1].as_str()), (8, "_dmarc.4.5.6.7.8.9.example"));
}
