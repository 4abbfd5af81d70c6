//! Verification that a mail comes from its author's domain: by DKIM signatures (RFC 6376) of a
//! domain aligned with it (DMARC, RFC 7489 section 3.1 and RFC 9989 section 4.4), or by the
//! statement of a trusted forwarder (ARC, RFC 8617).

use super::{KeyLookup, LookupFault, Signed, Unsigned, results::results};
use crate::{FoundToken, incoming::without_mbox_line};
use mail_auth::{
    AuthenticatedMessage, DkimOutput, DkimResult, DmarcResult, DnsError, DnssecStatus, Error, MX, MessageAuthenticator,
    Parameters, RecordSet, ResolverCache, SpfOutput, Txt,
    common::{
        cache::NoCache, crypto::Algorithm, parse::TxtRecordParser, resolver::ToFqdn, to_a_label, verify::DomainKey,
        verify::VerifySignature,
    },
    dkim::Signature,
    dmarc::{Dmarc, verify::DmarcParameters},
    hickory_resolver::{
        config::{ResolverConfig, ResolverOpts},
        proto::op::ResponseCode,
    },
};
use mail_parser::MessageParser;
use std::{
    borrow::{Borrow, Cow},
    cell::RefCell,
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// Maximum number of signatures that are verified. Each costs a DNS query.
const MOST_SIGNATURES: usize = 6;

/// Maximum numbers of signatures, of header fields, and of names in the list of one signature. A
/// mail with more is unusual and could take long, because each name is searched for among all
/// fields.
const MOST_BORNE: usize = 20;
const MOST_FIELDS: usize = 500;
const MOST_NAMES: usize = 200;

/// Number of labels up to which a name's parents are looked up one label at a time (RFC 9989
/// section 4.10).
const MOST_LABELS: usize = 8;

/// Fields that RFC 5322 section 3.6 and RFC 2045 allow only once. If one occurs twice, a signature
/// may cover one of them while a reader sees the other.
const ONCE: [&str; 13] = [
    "From",
    "Sender",
    "Reply-To",
    "To",
    "Cc",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// Fields that a signature must cover if the mail has them. They identify the author and the
/// message, and determine how it is parsed.
const COVERED: [&str; 9] = [
    "From",
    "To",
    "Date",
    "Message-ID",
    "Subject",
    "In-Reply-To",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// Verifies that a mail comes from its author's domain, and that its author put these tokens into
/// it: a signature counts only if it covers a field that contains each. `sealers` are domains
/// trusted to confirm mails that they forwarded and changed.
///
/// # Errors
/// [`LookupFault`] if the result depends on a record that cannot be looked up now.
pub fn check_signatures(
    raw: &[u8],
    (author, tokens): (&str, &[FoundToken]),
    sealers: &[String],
    keys: &dyn KeyLookup,
) -> Result<Signed, LookupFault> {
    // No mail may end the service, even if it triggers a bug in the library.
    catch_unwind(AssertUnwindSafe(|| check(&as_sent(raw), (author, tokens), sealers, keys)))
        .unwrap_or(Ok(Signed::Nobody { why: Unsigned::Unreadable }))
}

fn check(
    raw: &[u8],
    (author, tokens): (&str, &[FoundToken]),
    sealers: &[String],
    keys: &dyn KeyLookup,
) -> Result<Signed, LookupFault> {
    let nobody = |why| Ok(Signed::Nobody { why });
    let message = AuthenticatedMessage::parse(raw);
    let (Some(message), Some((_, domain))) = (message, author.rsplit_once('@')) else {
        return nobody(Unsigned::Unreadable);
    };
    let names = message.dkim_headers.iter().map(|one| one.header.h.len());
    let names = names.chain(message.ams_headers.iter().map(|one| one.header.h.len()));
    let borne = message.dkim_headers.len().max(message.as_headers.len());
    if borne > MOST_BORNE || message.headers.len() > MOST_FIELDS || names.max().is_some_and(|most| most > MOST_NAMES) {
        return nobody(Unsigned::Many);
    }
    // Both libraries must have read the same fields: the signature is checked by one, the mail used
    // as the other reads it.
    if !reads_alike(raw, &message) {
        return nobody(Unsigned::Unreadable);
    }
    let of =
        |name: &str| message.headers.iter().filter(|(field, _)| field.eq_ignore_ascii_case(name.as_bytes())).count();
    if let Some(field) = ONCE.iter().find(|name| of(name) > 1) {
        return nobody(Unsigned::Twice((*field).to_owned()));
    }
    // The signed author must be the one that the rest of the program uses.
    if !matches!(&message.from[..], [one] if one.eq_ignore_ascii_case(author)) {
        return nobody(Unsigned::Unreadable);
    }
    let Some(library) = Library::new() else { return nobody(Unsigned::Unreadable) };
    let domain = to_a_label(domain);
    let records = Records::default();
    let mut late = None;
    let signatures: Vec<&Signature> = message
        .dkim_headers
        .iter()
        .map(|header| &header.header)
        .filter(|one| is_near(one, &domain))
        .take(MOST_SIGNATURES)
        .collect();
    keys.ahead(&wanted(&signatures, &domain));
    for signature in &signatures {
        if let Err(fault) = records.fetch::<DomainKey>(keys, &signature.domain_key(), is_for_mail) {
            late = Some(fault);
        }
    }
    let outputs = library.dkim(&message, &records);
    let passed = |output: &&DkimOutput<'_>| {
        *output.result() == DkimResult::Pass
            && output.signature().is_some_and(|signature| {
                is_near(signature, &domain)
                    && counts((&signature.h, signature.l, signature.a), &message, tokens).is_ok()
            })
    };
    let passed: Vec<DkimOutput<'_>> = outputs.iter().filter(passed).cloned().collect();
    let domains = || passed.iter().filter_map(|output| output.signature()).map(|signature| to_a_label(&signature.d));
    if domains().any(|signer| signer == domain) {
        return Ok(Signed::Dkim { domain: domain.into_owned() });
    }
    if let Some(signer) = domains().next() {
        for name in std::iter::once(Cow::Borrowed(&*domain)).chain(domains()).flat_map(|name| policies(&name)) {
            records.fetch::<Dmarc>(keys, &name, |_| true)?;
        }
        if library.is_aligned(&message, &passed, &records) {
            return Ok(Signed::Dkim { domain: signer.into_owned() });
        }
    }
    if let Some(sealer) = sealed(&library, (&message, tokens), (&domain, sealers), keys, &records)? {
        return Ok(Signed::Arc { sealer });
    }
    if let Some(fault) = late {
        return Err(fault);
    }
    nobody(why_unsigned(&message, &outputs, &domain, tokens))
}

/// Returns the reason a mail without a valid signature of its author's domain has none.
fn why_unsigned(
    message: &AuthenticatedMessage<'_>,
    outputs: &[DkimOutput<'_>],
    domain: &str,
    tokens: &[FoundToken],
) -> Unsigned {
    let near = |output: &&DkimOutput<'_>| output.signature().is_some_and(|signature| is_near(signature, domain));
    if let Some((output, signature)) = outputs.iter().find(near).and_then(|one| Some((one, one.signature()?))) {
        let why = match (output.result(), counts((&signature.h, signature.l, signature.a), message, tokens)) {
            (_, Err(why)) => why,
            (
                DkimResult::Neutral(why)
                | DkimResult::Fail(why)
                | DkimResult::PermError(why)
                | DkimResult::TempError(why),
                _,
            ) => why.to_string(),
            (DkimResult::Pass | DkimResult::None, _) => {
                "that domain is not aligned with the author's (DMARC)".to_owned()
            }
        };
        return Unsigned::Broken { domain: signature.d.clone(), why };
    }
    match (message.dkim_headers.first(), message.has_dkim_errors) {
        (Some(other), _) => Unsigned::Other(other.header.d.clone()),
        (None, true) => Unsigned::Broken { domain: domain.to_owned(), why: "it cannot be read".to_owned() },
        (None, false) => Unsigned::Missing,
    }
}

/// Returns the names that these signatures may require to be looked up.
fn wanted(signatures: &[&Signature], domain: &str) -> Vec<String> {
    let mut names: Vec<String> = signatures.iter().map(|one| one.domain_key()).collect();
    if signatures.iter().any(|one| to_a_label(&one.d) != domain) {
        names.extend(policies(domain));
        names.extend(signatures.iter().flat_map(|one| policies(&to_a_label(&one.d))));
    }
    names.iter().map(|name| name.to_fqdn().into_owned()).collect()
}

/// Returns the trusted domain that forwarded the mail, if it confirms a signature of the author's
/// domain and the mail has not changed since.
fn sealed(
    library: &Library,
    (message, tokens): (&AuthenticatedMessage<'_>, &[FoundToken]),
    (domain, sealers): (&str, &[String]),
    keys: &dyn KeyLookup,
    records: &Records,
) -> Result<Option<String>, LookupFault> {
    let (Some(seal), Some(signature), Some(said)) =
        (message.as_headers.last(), message.ams_headers.last(), message.aar_headers.last())
    else {
        return Ok(None);
    };
    // The last sealer vouches for all before it. For a chain that ends with an untrusted domain, no
    // keys are looked up.
    let sealer = &seal.header.d;
    let signed = &signature.header;
    let covers = counts((&signed.h, signed.l, signed.a), message, tokens).is_ok();
    let trusted = sealers.iter().any(|one| one.eq_ignore_ascii_case(sealer));
    if !trusted || !covers || !signature.header.d.eq_ignore_ascii_case(sealer) || !vouches(said.value, domain) {
        return Ok(None);
    }
    let seals = message.as_headers.iter().map(|seal| seal.header.domain_key()).take(MOST_SIGNATURES);
    let names: Vec<String> = seals.chain([signature.header.domain_key()]).collect();
    keys.ahead(&names.iter().map(|name| name.to_fqdn().into_owned()).collect::<Vec<_>>());
    for name in names {
        records.fetch::<DomainKey>(keys, &name, is_for_mail)?;
    }
    Ok(library.arc_holds(message, records).then(|| sealer.clone()))
}

/// Returns `true` if the results recorded by a sealer (RFC 8601) confirm a signature of this
/// domain.
fn vouches(noted: &[u8], domain: &str) -> bool {
    let Some(all) = std::str::from_utf8(noted).ok().and_then(results) else { return false };
    let is_it = |named: Option<&str>| named.is_some_and(|named| named.eq_ignore_ascii_case(domain));
    all.iter().filter(|one| one.result == "pass").any(|one| match one.method.as_str() {
        "dmarc" => is_it(one.property("header.from")),
        "dkim" => match one.property("header.d") {
            Some(signer) => is_it(Some(signer)),
            None => is_it(one.property("header.i").and_then(|agent| Some(agent.rsplit_once('@')?.1))),
        },
        _ => false,
    })
}

/// Restores the mail to its transmitted form, which was signed: programs that pass it on may have
/// added an mbox line and replaced CRLF by LF.
fn as_sent(raw: &[u8]) -> Cow<'_, [u8]> {
    let raw = without_mbox_line(raw);
    let lone = |at: usize| raw[at] == b'\n' && (at == 0 || raw[at - 1] != b'\r');
    if !(0..raw.len()).any(lone) {
        return Cow::Borrowed(raw);
    }
    let mut whole = Vec::with_capacity(raw.len() + raw.len() / 32);
    for (at, byte) in raw.iter().enumerate() {
        if lone(at) {
            whole.push(b'\r');
        }
        whole.push(*byte);
    }
    Cow::Owned(whole)
}

/// Returns `true` if the header that the signatures are checked on is that of the mail as the
/// program reads it: the same fields in the same order, and the same beginning of the body. Names
/// of fields consist of the characters of RFC 5322 section 3.6.8, and an empty line ends the
/// header.
fn reads_alike(raw: &[u8], message: &AuthenticatedMessage<'_>) -> bool {
    let Some(read) = MessageParser::default().parse(raw) else { return false };
    let root = read.root_part();
    let named = |name: &[u8]| !name.is_empty() && name.iter().all(|byte| (33..=126).contains(byte));
    let body = message.body_offset as usize;
    let ends = message.headers.is_empty() || raw.get(..body).is_some_and(|header| header.ends_with(b"\r\n\r\n"));
    let same = root.headers.len() == message.headers.len()
        && root.headers.iter().zip(&message.headers).all(|(one, (name, _))| {
            let start = one.offset_field as usize;
            raw.get(start..start + name.len()) == Some(*name) && raw.get(start + name.len()) == Some(&b':')
        });
    ends && same && root.offset_body as usize == body && message.headers.iter().all(|(name, _)| named(name))
}

/// Returns `true` if a signature's domain may have the same owner as the author's: it is the same,
/// a parent or a child, or shares its last two labels.
fn is_near(signature: &Signature, author: &str) -> bool {
    let signer = to_a_label(&signature.d);
    let common = signer.rsplit('.').zip(author.rsplit('.')).take_while(|(one, other)| one == other).count();
    common >= 2 || common > 0 && (common == signer.split('.').count() || common == author.split('.').count())
}

/// Checks that a signature covers everything that the program uses from a mail.
///
/// # Errors
/// A description of the part that is not covered.
fn counts(
    (fields, length, algorithm): (&[String], u64, Algorithm),
    message: &AuthenticatedMessage<'_>,
    tokens: &[FoundToken],
) -> Result<(), String> {
    // RFC 6376 section 5.4: a signature must cover `From`, even if the mail has none.
    if let Some(field) = COVERED.iter().find(|field| {
        let there = **field == "From" || has(message, field);
        there && !fields.iter().any(|covered| covered.eq_ignore_ascii_case(field))
    }) {
        return Err(format!("it does not cover the field {field}"));
    }
    // If a field may occur twice, the signature may cover the other one.
    let covered = |field: &&str| ONCE.contains(field) && fields.iter().any(|one| one.eq_ignore_ascii_case(field));
    if let Some(token) = tokens.iter().find(|token| !token.fields.iter().any(&covered)) {
        let names = token.fields.join(", ");
        return Err(format!("it does not cover the field that names the answered letter ({names})"));
    }
    // RFC 6376 section 8.2. With `l=0` the library wants the whole text covered.
    if length > 0 {
        return Err("it covers a part of the text only (l=)".to_owned());
    }
    // RFC 8301 section 3.1.
    if algorithm == Algorithm::RsaSha1 {
        return Err("it is made with SHA-1".to_owned());
    }
    Ok(())
}

/// Returns `true` if a mail has a header field of this name.
fn has(message: &AuthenticatedMessage<'_>, name: &str) -> bool {
    message.headers.iter().any(|(field, _)| field.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns the names that may have a domain's policy (RFC 9989 section 4.10).
fn policies(domain: &str) -> Vec<String> {
    let labels: Vec<&str> = domain.split('.').collect();
    let depth = |count: usize| labels[labels.len() - count..].join(".");
    let below = if labels.len() >= MOST_LABELS { MOST_LABELS - 1 } else { labels.len().saturating_sub(1) };
    let counts = std::iter::once(labels.len()).chain((1..=below).rev());
    counts.map(|count| format!("_dmarc.{}", depth(count))).collect()
}

/// Returns `true` if the record of a key lets it sign mail with SHA-256, the only hash in use (RFC
/// 6376 section 3.6.1: `s`, `h`).
fn is_for_mail(record: &str) -> bool {
    let allows = |tag: &str, wanted: &[&str]| {
        let mut tags = record.split(';').filter_map(|one| one.split_once('='));
        let list = tags.find(|(name, _)| name.trim() == tag).map(|(_, list)| list);
        list.is_none_or(|list| list.split(':').any(|one| wanted.iter().any(|all| one.trim().eq_ignore_ascii_case(all))))
    };
    allows("s", &["*", "email"]) && allows("h", &["sha256"])
}

/// The records that were looked up. The library finds them here as its cache and makes no queries.
#[derive(Default)]
struct Records(RefCell<HashMap<Box<str>, Txt>>);

impl Records {
    /// Looks up a record: the first that `fits` and can be read.
    fn fetch<T: TxtRecordParser + Into<Txt>>(
        &self,
        keys: &dyn KeyLookup,
        name: &str,
        fits: fn(&str) -> bool,
    ) -> Result<(), LookupFault> {
        let name = name.to_fqdn();
        if self.0.borrow().contains_key(&*name) {
            return Ok(());
        }
        let texts = keys.txt(&name)?;
        let mut found = Err(Error::Dns(match texts.is_empty() {
            true => DnsError::RecordNotFound(ResponseCode::NXDomain),
            false => DnsError::InvalidRecordType,
        }));
        for text in texts.into_iter().filter(|text| fits(&String::from_utf8_lossy(text))) {
            if let Ok(record) = T::parse(&text) {
                found = Ok(record);
                break;
            }
        }
        self.0.borrow_mut().insert(name.into(), found.into());
        Ok(())
    }
}

impl ResolverCache<Box<str>, Txt> for Records {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let none = || Txt::Error(Error::Dns(DnsError::RecordNotFound(ResponseCode::NXDomain)));
        Some(self.0.borrow().get(name).cloned().unwrap_or_else(none))
    }

    fn remove<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: Txt, _: std::time::Instant) {}
}

/// An empty cache of addresses, because they do not matter here.
struct NoAddresses;

impl ResolverCache<Box<str>, RecordSet<Ipv4Addr>> for NoAddresses {
    fn get<Q>(&self, _: &Q) -> Option<RecordSet<Ipv4Addr>>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        Some(RecordSet { rrset: Arc::new([]), dnssec_status: DnssecStatus::Indeterminate })
    }

    fn remove<Q>(&self, _: &Q) -> Option<RecordSet<Ipv4Addr>>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: RecordSet<Ipv4Addr>, _: std::time::Instant) {}
}

/// Parameters of the library that give it only these records.
type Asked<'x, P> = Parameters<
    'x,
    P,
    Records,
    NoCache<Box<str>, RecordSet<MX>>,
    NoAddresses,
    NoCache<Box<str>, RecordSet<Ipv6Addr>>,
    NoCache<IpAddr, RecordSet<Box<str>>>,
>;

/// The library, with a resolver without servers.
struct Library(MessageAuthenticator);

impl Library {
    fn new() -> Option<Library> {
        let config = ResolverConfig::from_parts(None, Vec::new(), Vec::new());
        Some(Library(MessageAuthenticator::new(config, ResolverOpts::default()).ok()?))
    }

    fn asked<P>(params: P, records: &Records) -> Asked<'_, P> {
        Parameters::new(params).with_txt_cache(records).with_ipv4_cache(&NoAddresses)
    }

    fn dkim<'x>(&self, message: &'x AuthenticatedMessage<'x>, records: &'x Records) -> Vec<DkimOutput<'x>> {
        at_once(self.0.verify_dkim(Library::asked(message, records))).unwrap_or_default()
    }

    fn is_aligned(&self, message: &AuthenticatedMessage<'_>, passed: &[DkimOutput<'_>], records: &Records) -> bool {
        let spf_output = &SpfOutput::default();
        let asked = DmarcParameters {
            message,
            dkim_output: passed,
            dkim2_output: None,
            rfc5321_mail_from_domain: "",
            spf_output,
        };
        let found = at_once(self.0.verify_dmarc(Library::asked(asked, records)));
        found.is_some_and(|found| *found.dkim_result() == DmarcResult::Pass)
    }

    fn arc_holds(&self, message: &AuthenticatedMessage<'_>, records: &Records) -> bool {
        let found = at_once(self.0.verify_arc(Library::asked(message, records)));
        found.is_some_and(|found| *found.result() == DkimResult::Pass)
    }
}

/// Polls a future once. It is ready immediately if all records are present.
fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}

#[cfg(test)]
mod tests;
