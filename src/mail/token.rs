//! One-time tokens, which connect an answer to its prompt.
//!
//! A letter has a token in its Reply-To address, `postrider+lone-pine.q41.k7m2…@host`, and in its
//! Message-ID, `<lone-pine.B.412.9f3c51aa.letter.q41.k7m2…@host>`, which an answer repeats even if
//! a provider drops the text after the plus sign. Hosts without such addresses use the subject,
//! `[lone-pine q41.k7m2…]`.

use std::{fmt, str::FromStr};

use data_encoding::BASE32_NOPAD;

use super::{Incoming, incoming::RECIPIENT_FIELDS};
use postrider_journal::is_game_id;

/// Length of a written [`Token`] in characters.
pub const TOKEN_CHARS: usize = 26;

/// Maximum length of a local part that all mail systems must accept, in octets (RFC 5321 section
/// 4.5.3.1.1).
const MAX_LOCAL_PART: usize = 64;

/// 128 random bits that only the mail to the asked player contains.
///
/// They are written as 26 characters of lower-case base32 (RFC 4648 without padding), and read
/// ignoring case. `Debug` hides them, because logs must not contain what could forge an order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token([u8; 16]);

impl Token {
    /// Creates a token from bytes, which must come from the system's randomness.
    pub fn new(random: [u8; 16]) -> Token {
        Token(random)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE32_NOPAD.encode(&self.0).to_ascii_lowercase())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromStr for Token {
    type Err = AddressFault;

    fn from_str(text: &str) -> Result<Token, AddressFault> {
        if text.len() != TOKEN_CHARS {
            return Err(AddressFault::NoToken);
        }
        let bytes = BASE32_NOPAD.decode(text.to_ascii_uppercase().as_bytes()).map_err(|_| AddressFault::NoToken)?;
        <[u8; 16]>::try_from(bytes).map(Token).map_err(|_| AddressFault::NoToken)
    }
}

/// An invalid address or token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// A text other than 26 characters of base32.
    #[error("this is not a token")]
    NoToken,
    /// A local part of the service that is empty, contains a character outside `A-Z a-z 0-9 . _ -`,
    /// has misplaced dots, or leaves no room for a token.
    #[error("`{0}` cannot be the name before the separator: 1 to 25 of a-z, 0-9, dot, dash, underscore")]
    LocalPart(String),
    /// A separator that mail systems do not use, or that may be part of a name.
    #[error("`{0}` cannot separate the name from what follows: use + or =")]
    Separator(char),
    /// A host that is empty or contains a character outside `A-Z a-z 0-9 . -`.
    #[error("`{0}` is not a host name")]
    Host(String),
}

/// The service's own mail address, and the encoding of prompts in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressBookConfig {
    local: String,
    host: String,
    separator: Option<char>,
}

impl AddressBookConfig {
    /// Creates the configuration for `local@host`. `separator` is `+` on most systems (qmail: `=`
    /// or `+`), or `None` for hosts without subaddressing (RFC 5233), whose prompts are identified
    /// only by the subject.
    ///
    /// # Errors
    /// [`AddressFault`] if the parts cannot form valid addresses with at most 64 octets before the
    /// `@`.
    pub fn new(local: &str, separator: Option<char>, host: &str) -> Result<AddressBookConfig, AddressFault> {
        let local_fits = !local.is_empty()
            && local.len() + 1 + prompt_code(u32::MAX, &Token([0; 16])).len() <= MAX_LOCAL_PART
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && local.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-'));
        if !local_fits {
            return Err(AddressFault::LocalPart(local.to_string()));
        }
        if let Some(other) = separator.filter(|c| !matches!(c, '+' | '=')) {
            return Err(AddressFault::Separator(other));
        }
        if host.is_empty() || !host.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-')) {
            return Err(AddressFault::Host(host.to_string()));
        }
        Ok(AddressBookConfig { local: local.to_ascii_lowercase(), host: host.to_ascii_lowercase(), separator })
    }

    /// Returns the plain address, `postrider@host`.
    pub fn plain(&self) -> String {
        format!("{}@{}", self.local, self.host)
    }

    /// Returns `true` for an address of the service, with anything after the separator.
    pub fn is_own(&self, address: &str) -> bool {
        let Some((local, host)) = address.trim().rsplit_once('@') else { return false };
        let local = local.to_ascii_lowercase();
        let rest = local.strip_prefix(&self.local);
        host.eq_ignore_ascii_case(&self.host)
            && rest.is_some_and(|rest| rest.is_empty() || self.separator.is_some_and(|s| rest.starts_with(s)))
    }

    /// Returns the reply address for a prompt. The game's id is omitted if the local part would
    /// exceed 64 octets. Without subaddressing, this is the plain address.
    pub fn reply_address(&self, game: &str, prompt_no: u32, token: &Token) -> String {
        let Some(separator) = self.separator else { return self.plain() };
        let code = prompt_code(prompt_no, token);
        let with_game = format!("{}{separator}{game}.{code}", self.local);
        let local =
            if with_game.len() <= MAX_LOCAL_PART { with_game } else { format!("{}{separator}{code}", self.local) };
        format!("{local}@{}", self.host)
    }

    /// Returns the tag for the subject, including brackets: `[lone-pine q41.k7m2…]`.
    pub fn subject_tag(&self, game: &str, prompt_no: u32, token: &Token) -> String {
        format!("[{game} {}]", prompt_code(prompt_no, token))
    }

    /// Returns the Message-ID of a letter. `name` identifies it; its parts are separated by dots,
    /// beginning with the game.
    pub fn letter_id(&self, name: &str, prompt_no: u32, token: &Token) -> String {
        format!("<{name}.{}@{}>", prompt_code(prompt_no, token), self.host)
    }

    fn in_letter_id(&self, id: &str) -> Option<(Option<String>, u32, Token)> {
        let (left, host) = id.trim_matches(['<', '>']).rsplit_once('@')?;
        let (name, code) = left.match_indices(".q").last().map(|(at, _)| (&left[..at], &left[at + 1..]))?;
        let (no, token) = code.split_once('.').and_then(|(no, token)| parse_code(no, token))?;
        let game = name.split('.').next().filter(|game| is_game_id(game))?;
        host.eq_ignore_ascii_case(&self.host).then(|| (Some(game.to_owned()), no, token))
    }

    /// Returns the address for delivery reports on letters to one seat (VERP):
    /// `postrider+lone-pine.B.k7m2q3aa@host`.
    ///
    /// `code` proves that this service created the address. Returns `None` without subaddressing,
    /// or if the local part would exceed 64 octets.
    pub fn return_address(&self, game: &str, seat: &str, code: &str) -> Option<String> {
        let local = format!("{}{}{game}.{seat}.{code}", self.local, self.separator?);
        (local.len() <= MAX_LOCAL_PART).then(|| format!("{local}@{}", self.host))
    }

    /// Returns the game, seat and code of such an address.
    pub fn in_return_address(&self, address: &str) -> Option<(String, String, String)> {
        match self.own(address)?.split('.').collect::<Vec<_>>()[..] {
            [game, seat, code] if is_game_id(game) => {
                Some((game.to_owned(), seat.to_ascii_uppercase(), code.to_owned()))
            }
            _ => None,
        }
    }

    /// Returns the text after the separator in an address of the service, in lower case.
    fn own(&self, address: &str) -> Option<String> {
        let (local, host) = address.rsplit_once('@')?;
        if !host.eq_ignore_ascii_case(&self.host) {
            return None;
        }
        let local = local.to_ascii_lowercase();
        Some(local.strip_prefix(&self.local)?.strip_prefix(self.separator?)?.to_owned())
    }

    fn in_address(&self, address: &str) -> Option<(Option<String>, u32, Token)> {
        let rest = self.own(address)?;
        // A game's id has no dots, so the first of three parts is the game.
        match rest.split('.').collect::<Vec<_>>().as_slice() {
            [no, token] => parse_code(no, token).map(|(no, token)| (None, no, token)),
            [game, no, token] if is_game_id(game) => {
                parse_code(no, token).map(|(no, token)| (Some((*game).to_string()), no, token))
            }
            _ => None,
        }
    }
}

fn prompt_code(prompt_no: u32, token: &Token) -> String {
    format!("q{prompt_no}.{token}")
}

fn parse_code(no: &str, token: &str) -> Option<(u32, Token)> {
    let digits = no.strip_prefix(['q', 'Q'])?;
    // `parse` alone would accept a plus sign.
    if !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, token.parse().ok()?))
}

/// A token found in a message. The caller must check that it is correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundToken {
    /// The game's id, unless it was omitted from the address.
    pub game: Option<String>,
    /// The ordinal of the prompt in its game.
    pub prompt_no: u32,
    /// The token.
    pub token: Token,
    /// The fields that contain it. If an address of a recipient does, the first is that field.
    pub fields: Vec<&'static str>,
}

impl FoundToken {
    /// Returns `true` if the address of a recipient contains the token.
    pub fn is_addressed(&self) -> bool {
        self.fields.first().is_some_and(|field| RECIPIENT_FIELDS.contains(field))
    }
}

const SUBJECT: &str = "Subject";
const IN_REPLY_TO: &str = "In-Reply-To";
const REFERENCES: &str = "References";

/// Returns the distinct tokens of a message: first those in the recipients' addresses, then those
/// in the subject. If there are none, returns the token of the newest letter of the service that it
/// answers.
pub fn find_tokens(mail: &Incoming, addresses: &AddressBookConfig) -> Vec<FoundToken> {
    let mut found: Vec<FoundToken> = Vec::new();
    let in_recipients =
        mail.recipients.iter().filter_map(|one| Some((addresses.in_address(&one.address)?, &one.fields[..])));
    let in_subject = in_subject(&mail.subject).into_iter().map(|hit| (hit, &[SUBJECT][..]));
    for ((game, prompt_no, token), fields) in in_recipients.chain(in_subject) {
        let same = |one: &&mut FoundToken| one.token == token && one.prompt_no == prompt_no;
        match found.iter_mut().find(same) {
            // The subject completes an address without the game's id. Different games remain
            // separate results.
            Some(known) if known.game.is_none() || game.is_none() || known.game == game => {
                known.game = known.game.take().or(game);
                known.fields.extend(fields);
            }
            _ => found.push(FoundToken { game, prompt_no, token, fields: fields.to_vec() }),
        }
    }
    // The letters that it answers, the newest first.
    let answered = [(IN_REPLY_TO, &mail.in_reply_to), (REFERENCES, &mail.references)].into_iter();
    let answered: Vec<_> = answered
        .flat_map(|(field, ids)| ids.iter().rev().map(move |id| (field, id)))
        .filter_map(|(field, id)| Some((field, addresses.in_letter_id(id)?)))
        .collect();
    if let (true, Some((_, (game, prompt_no, token)))) = (found.is_empty(), answered.first()) {
        found.push(FoundToken { game: game.clone(), prompt_no: *prompt_no, token: *token, fields: Vec::new() });
    }
    for (field, (_, prompt_no, token)) in answered {
        let same = found.iter_mut().filter(|one| one.token == token && one.prompt_no == prompt_no);
        same.for_each(|one| one.fields.push(field));
    }
    found
}

/// Returns the recipients whose addresses contain a token of this game, for any name of the
/// service.
pub fn coded_recipients(mail: &Incoming, game: &str) -> Vec<String> {
    let is_coded = |address: &&String| {
        let Some((local, host)) = address.rsplit_once('@') else { return false };
        let books = ['+', '=']
            .into_iter()
            .filter_map(|separator| AddressBookConfig::new(local.split_once(separator)?.0, Some(separator), host).ok());
        books.into_iter().any(|book| {
            let of_game = |found: &FoundToken| found.is_addressed() && found.game.as_deref() == Some(game);
            book.in_address(address).is_some() && find_tokens(mail, &book).iter().any(of_game)
        })
    };
    mail.recipients.iter().map(|one| &one.address).filter(is_coded).cloned().collect()
}

fn in_subject(subject: &str) -> Vec<(Option<String>, u32, Token)> {
    let lower = subject.to_ascii_lowercase();
    let mut found = Vec::new();
    for group in lower.split('[').skip(1).filter_map(|after| after.split(']').next()) {
        let words: Vec<&str> = group.split_whitespace().collect();
        let (game, code) = match words.as_slice() {
            [code] => (None, *code),
            [game, code] if is_game_id(game) => (Some((*game).to_string()), *code),
            _ => continue,
        };
        if let Some((no, token)) = code.split_once('.').and_then(|(no, token)| parse_code(no, token)) {
            found.push((game, no, token));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn book() -> AddressBookConfig {
        AddressBookConfig::new("postrider", Some('+'), "play.example.org").unwrap()
    }

    fn mail(to: &str, subject: &str) -> Incoming {
        let raw = format!("From: ben@example.net\r\nTo: {to}\r\nSubject: {subject}\r\n\r\npass\r\n");
        Incoming::parse(raw.as_bytes()).unwrap()
    }

    #[test]
    fn written_form_is_fixed() {
        let token = Token::new([0x5a; 16]);
        assert_eq!(token.to_string(), "ljnfuws2ljnfuws2ljnfuws2li");
        assert_eq!(token.to_string().len(), TOKEN_CHARS);
        assert_eq!("LJNFUWS2LJNFUWS2LJNFUWS2LI".parse(), Ok(token));
        // The last character carries two unused bits, which must be zero.
        assert_eq!("ljnfuws2ljnfuws2ljnfuws2lj".parse::<Token>(), Err(AddressFault::NoToken));
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn found_in_address_and_subject_in_any_case() {
        let token = Token::new([7; 16]);
        let address = book().reply_address("lone-pine", 41, &token);
        assert_eq!(address, format!("postrider+lone-pine.q41.{token}@play.example.org"));
        let expected = FoundToken { game: Some("lone-pine".into()), prompt_no: 41, token, fields: vec!["To"] };
        assert_eq!(find_tokens(&mail(&address.to_uppercase(), "Re: orders"), &book()), vec![expected.clone()]);
        let tag = book().subject_tag("lone-pine", 41, &token);
        let subject_only =
            find_tokens(&mail("postrider@play.example.org", &format!("AW: {}", tag.to_uppercase())), &book());
        assert_eq!(subject_only, [FoundToken { fields: vec![SUBJECT], ..expected.clone() }]);
        let both = FoundToken { fields: vec!["To", SUBJECT], ..expected };
        assert_eq!(find_tokens(&mail(&address, &format!("Re: {tag}")), &book()), [both]);
    }

    #[test]
    fn a_long_game_id_is_left_out_of_the_address() {
        let token = Token::new([9; 16]);
        let game = "a".repeat(40);
        let address = book().reply_address(&game, 41, &token);
        assert_eq!(address, format!("postrider+q41.{token}@play.example.org"));
        assert_eq!(find_tokens(&mail(&address, "Re: x"), &book())[0].game, None);
        let with_tag = mail(&address, &format!("Re: {}", book().subject_tag(&game, 41, &token)));
        let found = find_tokens(&with_tag, &book());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].game.as_deref(), Some(game.as_str()));
    }

    #[test]
    fn other_hosts_names_and_damaged_tokens_do_not_count() {
        let token = Token::new([7; 16]);
        for to in [
            format!("postrider+lone-pine.q41.{token}@elsewhere.example.org"),
            format!("other+lone-pine.q41.{token}@play.example.org"),
            format!("postrider+lone-pine.q41.{token}x@play.example.org"),
            format!("postrider+lone-pine.41.{token}@play.example.org"),
            format!("postrider+a.b.q41.{token}@play.example.org"),
        ] {
            assert_eq!(find_tokens(&mail(&to, "Re: [lone-pine] Turn 5"), &book()), [], "{to}");
        }
    }

    #[test]
    fn the_id_of_the_answered_letter_has_the_token_where_no_address_has_one() {
        let (one, two) = (Token::new([1; 16]), Token::new([2; 16]));
        let (older, newer) = (
            book().letter_id("lone-pine.B.4.deadbeef.letter", 7, &one),
            book().letter_id("lone-pine.B.9.deadbeef.re-12345678", 8, &two),
        );
        assert_eq!(newer, format!("<lone-pine.B.9.deadbeef.re-12345678.q8.{two}@play.example.org>"));
        let raw = |to: &str, ids: &str| {
            let raw = format!("From: ben@example.net\nTo: {to}\nSubject: Re: x\n{ids}\n\npass\n");
            find_tokens(&Incoming::parse(raw.as_bytes()).unwrap(), &book())
        };
        let found = |token, field| {
            vec![FoundToken { game: Some("lone-pine".into()), prompt_no: 8, token, fields: vec![field] }]
        };
        let plain = "postrider@play.example.org";
        assert_eq!(raw(plain, &format!("In-Reply-To: {newer}")), found(two, IN_REPLY_TO));
        // In a reply to the player's own mail, it is among the references.
        let references = format!("In-Reply-To: <own@example.net>\nReferences: {older} {newer} <own@example.net>");
        assert_eq!(raw(plain, &references), found(two, REFERENCES));
        let addressed = raw(&book().reply_address("lone-pine", 7, &one), &format!("In-Reply-To: {newer}"));
        assert_eq!((addressed.len(), addressed[0].token), (1, one));
        for id in [
            newer.replace("play.", "other."),
            newer.replace(&two.to_string(), "letter"),
            "<lone-pine.B.9@play.example.org>".into(),
        ] {
            assert_eq!(raw(plain, &format!("In-Reply-To: {id}")), [], "{id}");
        }
    }

    #[test]
    fn two_prompts_are_two_finds() {
        let (one, two) = (Token::new([1; 16]), Token::new([2; 16]));
        let to =
            format!("{}, {}", book().reply_address("lone-pine", 1, &one), book().reply_address("lone-pine", 2, &two));
        assert_eq!(find_tokens(&mail(&to, "x"), &book()).len(), 2);
    }

    #[test]
    fn bounces_come_back_to_an_address_of_the_seat() {
        let address = book().return_address("lone-pine", "B", "k7m2q3aa").unwrap();
        assert_eq!(address, "postrider+lone-pine.B.k7m2q3aa@play.example.org");
        let known = ("lone-pine".to_owned(), "B".to_owned(), "k7m2q3aa".to_owned());
        assert_eq!(book().in_return_address(&address.to_uppercase()), Some(known));
        assert_eq!(find_tokens(&mail(&address, "Undelivered"), &book()), [], "it is no token");
        let token = book().reply_address("lone-pine", 7, &Token::new([7; 16]));
        assert_eq!(book().in_return_address(&token).map(|(_, seat, _)| seat), Some("Q7".to_owned()), "no seat's name");
        assert_eq!(book().return_address(&"a".repeat(50), "B", "k7m2q3aa"), None);
        let plain = AddressBookConfig::new("postrider", None, "play.example.org").unwrap();
        assert_eq!(plain.return_address("lone-pine", "B", "k7m2q3aa"), None);
    }

    #[test]
    fn unusable_configurations_are_refused() {
        assert!(AddressBookConfig::new(&"p".repeat(25), Some('+'), "h.org").is_ok());
        assert!(AddressBookConfig::new(&"p".repeat(26), Some('+'), "h.org").is_err());
        assert!(AddressBookConfig::new("post rider", Some('+'), "h.org").is_err());
        assert_eq!(AddressBookConfig::new("p", Some('.'), "h.org"), Err(AddressFault::Separator('.')));
        assert!(AddressBookConfig::new("p", Some('+'), "a@b").is_err());
        let plain = AddressBookConfig::new("postrider", None, "h.org").unwrap();
        assert_eq!(plain.reply_address("lone-pine", 1, &Token::new([1; 16])), "postrider@h.org");
    }

    proptest! {
        #[test]
        fn addresses_fit_and_are_found_again(
            game in "[a-z0-9-]{3,40}", no: u32, bytes: [u8; 16], local in "[a-z]{1,25}"
        ) {
            let token = Token::new(bytes);
            let book = AddressBookConfig::new(&local, Some('+'), "play.example.org").unwrap();
            let address = book.reply_address(&game, no, &token);
            prop_assert!(address.split('@').next().unwrap().len() <= 64);
            let found = find_tokens(&mail(&address, &book.subject_tag(&game, no, &token)), &book);
            prop_assert_eq!(found, vec![FoundToken { game: Some(game), prompt_no: no, token, fields: vec!["To", SUBJECT] }]);
        }
    }
}
