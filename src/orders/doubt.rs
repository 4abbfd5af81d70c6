//! Words by which a writer leaves open what he wants.

use super::Phrase;

/// Why words are not an order although they may hold the words of one. In doubt nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// `attack?`, `may I attack`
    Question,
    /// `not b`, `don't attack`, `anything but utah`
    Negation,
    /// `b or c`
    Alternative,
    /// `return unless Miles reacts`
    Condition,
    /// `maybe b`, `I am not sure yet`
    Hedge,
    /// `scratch that`, `on second thoughts`
    Retraction,
    /// Another line that nothing reads, and that may be about it
    Remark,
}

/// Rows of words that take back what was said.
const RETRACTIONS: &[&str] = &[
    "scratch that",
    "scratch the",
    "never mind",
    "nevermind",
    "on second thought",
    "on second thoughts",
    "forget it",
    "forget that",
    "forget the",
    "forget what",
    "forget about",
    "ignore that",
    "ignore the",
    "ignore my",
    "ignore this",
    "cancel that",
    "cancel my",
    "cancel the",
    "disregard",
    "strike that",
    "hold on",
    "wait a",
    "wait no",
    "no wait",
    "wait wait",
    "changed my mind",
    "change my mind",
    "i take that back",
    "i take it back",
    "take that back",
    "correction",
    "i meant",
    "i mean",
    "sorry i meant",
    "just kidding",
    "kidding",
    "only joking",
    "just joking",
    "not yet",
    "undo that",
    "oops",
    "my mistake",
    "wrong one",
    "do nothing yet",
    "dont do",
    "do not do",
    "instead",
    "scrap that",
    "scrap the",
    "scrap this",
    "scrap it",
    "bin that",
    "bin it",
    "belay that",
    "belay my",
    "belay the",
    "nvm",
    "strike the above",
    "delete that",
    "delete the above",
    "delete this",
    "erase that",
    "remove that",
    "rub that out",
    "omit that",
    "omit the above",
    "skip that",
    "skip the above",
    "the above",
    "above is wrong",
    "that is wrong",
    "thats wrong",
    "wrong game",
    "wrong line",
    "wrong mail",
    "other game",
    "typo",
    "a mistake",
    "my bad",
    "retract",
    "revoke",
    "rescind",
    "withdraw that",
    "withdraw the",
    "withdraw my",
    "withdrawn",
    "cancelled",
    "canceled",
    "null and void",
    "that is void",
    "jk",
    "joking",
    "april fools",
    "fat chance",
    "in your dreams",
    "yeah right",
    "pretend",
    "did not mean",
    "didnt mean",
    "the other one",
    "other way round",
    "other way around",
    "vice versa",
    "the opposite",
    "reverse that",
    "this is a test",
    "only a test",
    "just a test",
    "just testing",
    "a draft",
    "hold off",
    "hold that",
    "hold it",
    "hang on",
    "hold your horses",
    "not so fast",
    "do not process",
    "dont process",
    "do not execute",
    "dont execute",
    "do not send",
    "dont send",
    "do not carry",
    "dont carry",
    "doch nicht",
    "vergiss es",
    "vergesst es",
    "kommando zuruck",
    "korrektur",
    "quatsch",
    "annulla",
    "annule",
    "annuler",
    "annulez",
    "oubliez",
    "oublie ca",
    "laisse tomber",
    "lascia perdere",
    "cancela",
    "cancelar",
    "olvidalo",
    "laat maar",
    "toch niet",
];

/// Rows of words that leave it open whether what was said is wanted.
const HEDGES: &[&str] = &[
    "maybe",
    "perhaps",
    "possibly",
    "probably",
    "presumably",
    "not sure",
    "unsure",
    "undecided",
    "dont know",
    "do not know",
    "no idea",
    "i guess",
    "i suppose",
    "i think",
    "i believe",
    "i assume",
    "i would think",
    "might",
    "could",
    "let me think",
    "thinking about",
    "thinking of",
    "consider",
    "considering",
    "tempted",
    "leaning",
    "tend to",
    "havent decided",
    "have not decided",
    "cant decide",
    "cannot decide",
    "can not decide",
    "what about",
    "how about",
    "hypothetically",
    "in theory",
    "sort of",
    "kind of",
    "suppose",
    "supposing",
    "imagine",
    "wonder",
    "wondering",
    "vielleicht",
    "peut etre",
    "quizas",
    "quiza",
    "forse",
    "talvez",
    "kanske",
    "misschien",
    "maske",
    "mozna",
    "tomorrow",
    "later on",
    "next time",
    "next turn",
    "next round",
    "would have",
    "should have",
    "could have",
    "need to think",
    "have to think",
    "to be confirmed",
    "tbc",
    "tbd",
    "tentative",
    "tentatively",
    "provisional",
    "provisionally",
    "subject to",
    "pending",
    "will confirm",
    "not final",
    "final answer",
    "sleep on it",
    "think about it",
    "think it over",
    "ask me again",
    "on reflection",
    "next mail",
    "my next",
    "told me",
    "asked me to",
    "wants me to",
    "last turn",
    "last round",
    "last time",
];

/// Words that make what was said hang on something.
const CONDITIONS: &[&str] = &[
    "if",
    "unless",
    "when",
    "whenever",
    "once",
    "after",
    "before",
    "until",
    "till",
    "while",
    "provided",
    "assuming",
    "otherwise",
    "else",
    "depending",
    "depends",
    "as long as",
    "as soon as",
    "in case",
    "in the event",
    "should he",
    "should she",
    "should they",
    "only if",
    "only with",
    "whether",
    "except",
    "wenn",
    "falls",
    "sobald",
    "sauf",
    "sinon",
    "oder",
];

/// Words between things of which one is meant.
const ALTERNATIVES: &[&str] = &[
    "or",
    "either",
    "alternatively",
    "respectively",
    "versus",
    "vs",
    "whichever",
    "whatever",
    "any of",
    "one of",
    "otherwise",
    "ou",
    "rather than",
];

/// Words that say what is not wanted.
const NEGATIONS: &[&str] = &[
    "not",
    "dont",
    "never",
    "no longer",
    "without",
    "instead",
    "anything but",
    "neither",
    "nor",
    "nothing but",
    "wont",
    "cannot",
    "cant",
    "shouldnt",
    "wouldnt",
    "didnt",
    "doesnt",
    "isnt",
    "aint",
    "refrain",
    "avoid",
    "am against",
    "are against",
    "decide against",
    "decided against",
    "advise against",
    "rather not",
    "stop short",
    "nicht",
    "kein",
    "jamais",
    "nunca",
    "but",
];

/// Rows of words that put off what somebody wants to say.
const DEFERRALS: &[&str] = &[
    "will look",
    "will have a look",
    "will answer",
    "will reply",
    "will respond",
    "will write",
    "will send",
    "will decide",
    "will think",
    "will do it",
    "will do this",
    "will do that",
    "will get back",
    "will come back",
    "will let you know",
    "ill look",
    "ill have a look",
    "ill answer",
    "ill reply",
    "ill respond",
    "ill write",
    "ill send",
    "ill decide",
    "ill think",
    "ill do it",
    "ill do this",
    "ill do that",
    "ill get back",
    "ill come back",
    "ill let you know",
    "answer follows",
    "orders follow",
    "reply follows",
    "need time",
    "need more time",
    "more time",
    "need to think",
    "have to think",
    "let me think",
    "let me check",
    "let me look",
    "not now",
    "not yet",
    "wait for me",
    "later",
    "tonight",
    "tomorrow",
    "soon",
    "shortly",
    "this evening",
    "this afternoon",
    "this weekend",
    "next week",
    "at the weekend",
    "over the weekend",
    "heute",
    "später",
    "spater",
    "ce soir",
    "demain",
    "plus tard",
    "mañana",
    "manana",
    "domani",
    "morgen abend",
    "morgen früh",
];

/// What people say without leaving anything open, although such words may.
const IDIOMS: &[&str] = &[
    "if only",
    "not much of",
    "not much choice",
    "not bad",
    "not to worry",
    "no worries",
    "no problem",
    "no hurry",
    "no rush",
    "no choice",
    "no other choice",
    "no more",
    "no offence",
    "no offense",
    "no pun intended",
    "no surprise",
    "no luck",
    "cant complain",
    "cannot complain",
    "cant believe",
    "cannot believe",
    "better late than never",
    "as if",
    "if you ask me",
    "if you like",
    "if i may say so",
    "when it rains it pours",
    "after you",
    "after that",
    "after all",
    "once again",
    "once more",
];

/// First words of a question.
const ASKING: &[&str] = &[
    "may", "can", "could", "should", "shall", "would", "will", "must", "do", "does", "did", "is", "are", "am", "was",
    "were", "have", "has",
];

/// Words that begin a question where one of [`ASKING`] follows: `where should I`. Before one of [`SUBJECTS`] they are mostly none:
/// `when my turn comes`.
const ASKING_FOR: &[&str] = &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];

/// Those who are asked about.
const SUBJECTS: &[&str] =
    &["i", "we", "you", "he", "she", "it", "they", "this", "that", "there", "the", "my", "these", "those"];

/// Words of a question or a remark about what stands before it.
const POINTING: &[&str] = &[
    "that", "this", "it", "ok", "okay", "right", "legal", "allowed", "possible", "correct", "still", "those", "sense",
    "good", "wise", "better",
];

fn holds(plain: &str, rows: &[&str]) -> bool {
    let padded = format!(" {plain} ");
    rows.iter().any(|row| padded.contains(&format!(" {row} ")))
}

/// Whether the words put off what their writer wants to say: `I will answer tomorrow`, `orders follow`.
#[must_use]
pub fn puts_off(phrase: &Phrase) -> bool {
    holds(&phrase.plain(), DEFERRALS)
}

/// Whether the words are one of those remarks that order nothing and leave nothing open: `if only I had more`, `no choice here`.
#[must_use]
pub fn is_idiom(phrase: &Phrase) -> bool {
    holds(&phrase.plain(), IDIOMS)
}

/// Whether the words are struck through, as plain text shows it: `~~1a~~`, `~1a~`, `--1a--`.
#[must_use]
pub fn is_struck(line: &str) -> bool {
    let line = line.trim().trim_end_matches(['.', ',', ';', '!']);
    let within = |mark: &str| line.len() > 2 * mark.len() && line.starts_with(mark) && line.ends_with(mark);
    line.matches("~~").count() >= 2 || within("~") || within("--")
}

/// The gravest doubt that the words leave, if they leave any. Where a game reads all of these words as an order there is none:
/// `do not pursue` may be one.
///
/// ```
/// use postrider::orders::{Doubt, Phrase, doubt};
/// let of = |line| doubt(&Phrase::new(line));
/// assert_eq!(of("attack?"), Some(Doubt::Question));
/// assert_eq!(of("return unless Miles reacts"), Some(Doubt::Condition));
/// assert_eq!((of("b or c"), of("not b"), of("maybe b")), (Some(Doubt::Alternative), Some(Doubt::Negation), Some(Doubt::Hedge)));
/// assert_eq!(of("attack utah"), None);
/// ```
#[must_use]
pub fn doubt(phrase: &Phrase) -> Option<Doubt> {
    doubt_beside(phrase, &[])
}

/// The same where a game has terms of its own that hold such words ([`Ruleset::terms`](crate::table::Ruleset::terms)): these leave
/// nothing open.
///
/// ```
/// use postrider::orders::{Doubt, Phrase, doubt_beside};
/// let of = |line| doubt_beside(&Phrase::new(line), &["before melee"]);
/// assert_eq!(of("doctrine before melee: sometimes"), None);
/// assert_eq!(of("doctrine before melee: ask if he attacks"), Some(Doubt::Condition));
/// assert_eq!(of("attack before he does"), Some(Doubt::Condition));
/// ```
#[must_use]
pub fn doubt_beside(phrase: &Phrase, terms: &[&str]) -> Option<Doubt> {
    let without =
        |plain: String, term: &&str| format!(" {plain} ").replace(&format!(" {term} "), " ").trim().to_owned();
    let plain = terms.iter().chain(IDIOMS).fold(phrase.plain(), without);
    let mut words = plain.split(' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let asks = ASKING.contains(&first) && SUBJECTS.contains(&second)
        || ASKING_FOR.contains(&first) && ASKING.contains(&second)
        || plain.starts_with("a question")
        || plain.starts_with("i wonder");
    let asked = phrase.line().contains(['?', '？', '¿']);
    if is_struck(phrase.line()) {
        return Some(Doubt::Negation);
    }
    [
        (asked || asks, Doubt::Question),
        (holds(&plain, RETRACTIONS), Doubt::Retraction),
        (holds(&plain, CONDITIONS), Doubt::Condition),
        (holds(&plain, ALTERNATIVES), Doubt::Alternative),
        (holds(&plain, HEDGES), Doubt::Hedge),
        (holds(&plain, NEGATIONS), Doubt::Negation),
    ]
    .into_iter()
    .find_map(|(found, doubt)| found.then_some(doubt))
}

/// Whether an order that stands behind another one takes that one's place: `Actually, stay`, `No, Kansas`.
#[must_use]
pub fn corrects(phrase: &Phrase) -> bool {
    const OPENINGS: &[&str] =
        &["actually", "sorry", "rather", "instead", "correction", "wait", "nope", "nah", "better"];
    let words = phrase.words();
    let first = words.first().map_or("", |word| word.text.as_str());
    let comma = words.get(1).is_some_and(|next| next.after_comma);
    words.len() > 1
        && (OPENINGS.contains(&first) || first == "no" && comma || holds(&phrase.plain(), &["i mean", "i meant"]))
}

/// Words that say how much of something is meant.
const LIMITS: &[&str] = &[
    "only",
    "just",
    "half",
    "all",
    "except",
    "leave",
    "leaves",
    "leaving",
    "keep",
    "keeps",
    "keeping",
    "some",
    "few",
    "minus",
    "less",
    "fewer",
    "more",
    "most",
    "part",
    "rest",
    "each",
    "other",
    "others",
    "both",
    "hold",
    "holds",
    "holding",
    "stay",
    "stays",
    "remain",
    "remains",
    "later",
    "with",
    "without",
    "no",
    "none",
    "nobody",
    "alone",
    "together",
    "nur",
    "bleibt",
    "seulement",
    "solo",
    "alleen",
];

/// Whether words may say how much of an order is meant, or of whom: `3 BPs only`, `the Chiefs stay`. Every number does.
///
/// ```
/// use postrider::orders::{Phrase, limits};
/// assert!(limits(&Phrase::new("keep two at home")) && limits(&Phrase::new("only Satanta")));
/// assert!(!limits(&Phrase::new("we need points there")));
/// ```
#[must_use]
pub fn limits(phrase: &Phrase) -> bool {
    let numbered = |at: usize| phrase.part(at..at + 1).reader().number().is_some();
    phrase.words().iter().enumerate().any(|(at, word)| {
        LIMITS.contains(&word.text.as_str()) || word.text.contains(|c: char| c.is_ascii_digit()) || numbered(at)
    })
}

/// Words that say of what stands beside them that it is not settled yet.
const PUTTING_OFF: &[&str] = &[
    "to be confirmed",
    "tbc",
    "tbd",
    "tentative",
    "tentatively",
    "provisional",
    "provisionally",
    "subject to",
    "pending",
    "will confirm",
    "not final",
    "final answer",
    "sleep on it",
    "think about it",
    "think it over",
    "need to think",
    "have to think",
    "ask me again",
    "on reflection",
];

/// So few words that leave something open are about what stands beside them: `should I?`, `don't`, `not final`.
const SHORT: usize = 3;

/// Whether words that are no order say something about the orders before them: `unless he evades`, `or the other one`, `scratch
/// that`, `is that legal?`.
#[must_use]
pub fn looks_back(phrase: &Phrase) -> bool {
    const OPENINGS: &[&str] = &[
        "unless",
        "if",
        "but",
        "or",
        "only",
        "except",
        "otherwise",
        "instead",
        "provided",
        "assuming",
        "when",
        "once",
        "until",
        "not",
        "though",
        "although",
        "as",
        "while",
        "without",
        "after",
        "before",
        "and",
        "even",
        "wait",
        "no",
        "nope",
        "nah",
        "sorry",
        "actually",
        "hm",
        "hmm",
        "rather",
        "either",
        "then",
    ];
    let plain = phrase.plain();
    if is_idiom(phrase) {
        return false;
    }
    let first = plain.split(' ').next().unwrap_or_default();
    let denies = phrase.words().len() <= 3
        && plain
            .split(' ')
            .any(|word| matches!(word, "no" | "nope" | "nah" | "nein" | "non" | "nee" | "cancel" | "void"));
    if corrects(phrase) || denies {
        return true;
    }
    // A word or two beside an order that leave something open leave that order open.
    let found = doubt(phrase);
    if found.is_some() && (phrase.words().len() <= SHORT || holds(&plain, PUTTING_OFF)) {
        return true;
    }
    match found {
        None => {
            plain.is_empty() && phrase.line().contains('?')
                || matches!(first, "wait" | "stop" | "undo" | "nope" | "nah" | "but" | "only")
        }
        Some(Doubt::Retraction) => true,
        Some(Doubt::Question) => {
            let short = phrase.words().len() <= 8;
            plain.is_empty()
                || OPENINGS.contains(&first)
                || short && plain.split(' ').any(|word| POINTING.contains(&word))
        }
        Some(Doubt::Hedge) => {
            OPENINGS.contains(&first)
                || holds(
                    &plain,
                    &[
                        "not sure",
                        "undecided",
                        "maybe not",
                        "perhaps not",
                        "let me think",
                        "that",
                        "it",
                        "this",
                        "dont know",
                        "do not know",
                    ],
                )
        }
        Some(_) => OPENINGS.contains(&first) || holds(&plain, &["that", "this", "above"]),
    }
}
