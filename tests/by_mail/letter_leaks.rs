//! Mails of Geronimo! reveal no hidden information.
//!
//! The office plays the same game twice: once with the true rules, and once with rules under which
//! a seat always sees a position in which everything hidden from it is shuffled. All mails must be
//! identical, byte for byte.

use crate::samples::copy_folder;
use chrono::{TimeZone as _, Utc};
use postrider::{
    demo::{Demo, Finished, play_demo},
    dice::{DiceStream, h},
    games::geronimo::{
        Geronimo, Order, State,
        components::{Components, Kit as _},
        ruleset::RULES,
        setup,
        variant::Variant,
        view, visibility,
    },
    mailbox::MaildirEntry,
    office::{Environment, Office},
    orders::{Misread, Phrase},
    replay::Catalog,
    standing::{Fact, FactKind},
    store::{Host, MailFolder},
    table::{
        Absent, AnyOrder, Asked, Chance, Choice, DynGame, Event, Figure, GameMap, Introduction, Kind, Listed,
        OpenTicket, OptionalRule, Outcome, PromptId, Rejected, Ruleset, Seat, Session, Setup, SetupFault, Subjects,
        Told, Understood, Watch,
    },
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

/// The number of positions shown by a masked game, and the number of those examined that differed
/// from the true one.
static SHOWN: AtomicUsize = AtomicUsize::new(0);
static SHUFFLED: AtomicUsize = AtomicUsize::new(0);

/// A game that shows each seat only positions shuffled for it.
struct Masked {
    session: Session<Geronimo>,
    stream: RefCell<DiceStream>,
    /// `true` to shuffle hidden information.
    shuffles: bool,
}

impl Masked {
    /// Returns a position that is consistent with a seat's knowledge.
    fn guess(&self, seat: Option<Seat>) -> Result<State, Rejected> {
        let mut stream = self.stream.borrow_mut();
        let state = &self.session.look()?.state;
        if !self.shuffles {
            return Ok(state.clone());
        }
        let other = visibility::masked(state, seat, &mut |n| stream.below(n));
        SHOWN.fetch_add(1, Ordering::Relaxed);
        // Formatting positions takes time, so only one in four is examined.
        if SHOWN.load(Ordering::Relaxed).is_multiple_of(4) {
            SHUFFLED.fetch_add(usize::from(format!("{other:?}") != format!("{state:?}")), Ordering::Relaxed);
        }
        Ok(other)
    }
    fn tickets(&self) -> Result<Vec<OpenTicket<Geronimo>>, Rejected> {
        Ok(self.session.look()?.tickets.clone())
    }
    fn ticket(&self, prompt: PromptId) -> Result<Option<OpenTicket<Geronimo>>, Rejected> {
        Ok(self.tickets()?.into_iter().find(|ticket| ticket.id == prompt))
    }
}

fn asked(g: &State, ticket: &OpenTicket<Geronimo>) -> Asked {
    Asked {
        id: ticket.id,
        seat: ticket.seat,
        kind: ticket.prompt.kind().name(),
        required: ticket.required,
        urgent: ticket.required || ticket.prompt.urgent(g, ticket.seat),
    }
}

impl DynGame for Masked {
    fn answered(&self) -> &'static str {
        DynGame::answered(&self.session)
    }
    fn next_prompt(&self) -> PromptId {
        DynGame::next_prompt(&self.session)
    }
    fn set_watch(&mut self, watch: Watch) {
        DynGame::set_watch(&mut self.session, watch);
    }
    fn rule(&mut self, effect: &str, told: &str) -> Result<(), Rejected> {
        DynGame::rule(&mut self.session, effect, told)
    }
    fn order(&self, json: &str) -> Result<AnyOrder, Rejected> {
        DynGame::order(&self.session, json)
    }
    fn decide(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected> {
        DynGame::decide(&mut self.session, seat, prompt, order)
    }
    fn check(&self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected> {
        let other = self.guess(Some(seat))?;
        let Some(ticket) = self.ticket(prompt)?.filter(|ticket| ticket.seat == seat) else {
            return DynGame::check(&self.session, seat, prompt, order);
        };
        Ok(ticket.prompt.check(&other, seat, order.of().expect("an order of this game"))?)
    }
    fn asked(&self) -> Result<Vec<Asked>, Rejected> {
        let mut all = Vec::new();
        for ticket in self.tickets()? {
            let other = self.guess(Some(ticket.seat))?;
            all.push(asked(&other, &ticket));
        }
        Ok(all)
    }
    fn listed(&self, prompt: PromptId) -> Result<Option<Listed>, Rejected> {
        let Some(ticket) = self.ticket(prompt)? else { return Ok(None) };
        let other = self.guess(Some(ticket.seat))?;
        let untyped = |choice: Choice<Order>| Choice {
            order: AnyOrder::new(choice.order),
            words: choice.words,
            note: choice.note,
        };
        Ok(Some(Listed {
            asked: asked(&other, &ticket),
            text: ticket.prompt.describe(&other, ticket.seat),
            choices: ticket.prompt.options(&other, ticket.seat).into_iter().map(untyped).collect(),
        }))
    }
    fn read_at(&self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread> {
        let Ok(other) = self.guess(Some(seat)) else {
            return Err(said.reader().fail("the game cannot take orders now"));
        };
        let tickets = self.tickets().unwrap_or_default();
        let Some(ticket) = tickets.into_iter().find(|ticket| ticket.id == prompt && ticket.seat == seat) else {
            return Err(said.reader().fail("this question is no longer open"));
        };
        let order = ticket.prompt.read(&other, seat, said)?;
        Ok(Understood { prompt, kind: ticket.prompt.kind().name(), order: AnyOrder::new(order) })
    }
    fn read(&self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
        let Ok(other) = self.guess(Some(seat)) else {
            return Err(said.reader().fail("the game cannot take orders now"));
        };
        let mut tickets = self.tickets().unwrap_or_default();
        tickets.retain(|ticket| ticket.seat == seat);
        tickets.sort_by_key(|ticket| !ticket.required);
        let (mut illegal, mut misread) = (None, None::<Misread>);
        for ticket in tickets {
            match ticket.prompt.read(&other, seat, said) {
                Ok(order) => {
                    let legal = ticket.prompt.check(&other, seat, &order).is_ok();
                    let (kind, order) = (ticket.prompt.kind().name(), AnyOrder::new(order));
                    let understood = Understood { prompt: ticket.id, kind, order };
                    if legal {
                        return Ok(understood);
                    }
                    illegal.get_or_insert(understood);
                }
                Err(why) => misread = Some(misread.map_or(why.clone(), |before| before.best(why))),
            }
        }
        match (illegal, misread) {
            (Some(understood), _) => Ok(understood),
            (None, Some(why)) => Err(why),
            (None, None) => Err(said.reader().fail("nothing is asked of you now")),
        }
    }
    fn facts(&self, prompt: PromptId, order: Option<&AnyOrder>) -> Vec<Fact> {
        let Ok(Some(ticket)) = self.ticket(prompt) else { return Vec::new() };
        let Ok(other) = self.guess(Some(ticket.seat)) else { return Vec::new() };
        let mut facts = <Geronimo as postrider::table::Game>::facts(&other, ticket.seat);
        facts.extend(ticket.prompt.facts(&other, ticket.seat, order.and_then(AnyOrder::of)));
        facts
    }
    fn fact_names(&self, fact: &str) -> Vec<String> {
        DynGame::fact_names(&self.session, fact)
    }
    fn sample(&self, prompt: PromptId, below: &mut dyn FnMut(u32) -> u32) -> Option<AnyOrder> {
        DynGame::sample(&self.session, prompt, below)
    }
    fn at_deadline(&self, prompt: PromptId) -> Option<AnyOrder> {
        DynGame::at_deadline(&self.session, prompt)
    }
    fn view(&self, seat: Option<Seat>) -> Result<serde_json::Value, Rejected> {
        Ok(view::view(&self.guess(seat)?, seat))
    }
    fn pieces(&self, seat: Seat) -> Vec<String> {
        self.guess(Some(seat))
            .map(|guess| <Geronimo as postrider::table::Game>::pieces(&guess, seat))
            .unwrap_or_default()
    }
    fn take_events(&mut self) -> Vec<Event> {
        self.session.take_events()
    }
    fn take_told(&mut self) -> Vec<Told> {
        self.session.take_told()
    }
    fn decisions(&self) -> u32 {
        self.session.decisions()
    }
    fn fault(&self) -> Option<&Rejected> {
        self.session.fault()
    }
    fn outcome_now(&self) -> Result<Outcome, Rejected> {
        self.session.outcome_now()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }
    fn ending(&self) -> Option<serde_json::Value> {
        self.session.over().map(view::ending)
    }
}

/// Geronimo! with every position masked, if hidden information is shuffled.
struct MaskedRules(&'static dyn Ruleset, bool);

/// The orders that all seats leave first when standing orders are tested. Advice of the steady bot
/// is not included: the bot plays by its own seat's view, as `order_leaks` shows.
const LEFT: &str = "\
standing evasion always: evade if chance at least 40 %; evade if outnumbered 2 to 1; otherwise stand; stop if the village loses 3 BPs
standing pursuit always: pursue if chance at least 40 %; otherwise let go
standing post-action always: return if danger at most 40 %; otherwise stay
standing settlement always: nebraska if points at most 4 and not a state; kansas if villages near at most 1; texas; utah
standing railroad named west first always: california; nevada if settlements at least 2
standing teton-chiefs always: nobody
if attacked: ambush if chance at least 20 %; stand
advice off
digest round
";

impl Ruleset for MaskedRules {
    as_it_is! {}
    fn standing(&self) -> &'static str {
        LEFT
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        let state = setup::position(Components::builtin().clone(), setup.seats, Variant::of(setup)?);
        let stream = DiceStream::new(h("postrider/test-mail-leak/v1", &[]));
        Ok(Box::new(Masked {
            session: Session::start(state, chance, watch),
            stream: RefCell::new(stream),
            shuffles: self.1,
        }))
    }
}

static MASKED: &[&dyn Ruleset] = &[&MaskedRules(&RULES, true)];
static TRUE: &[&dyn Ruleset] = &[&MaskedRules(&RULES, false)];

/// Plays by mail in a folder: `most` mails, or a whole game.
fn play(folder: &Path, catalog: Catalog, seats: u8, seed: u64, most: Option<usize>) -> Finished {
    play_with(folder, catalog, (seats, seed), most, false)
}

/// Plays by mail; if `standing` is true, all seats first leave their standing orders.
fn play_with(
    folder: &Path,
    catalog: Catalog,
    (seats, seed): (u8, u64),
    most: Option<usize>,
    standing: bool,
) -> Finished {
    let demo = Demo {
        folder: folder.to_owned(),
        ruleset: "geronimo".into(),
        seats,
        seed: Some(seed),
        most,
        standing,
        id: None,
        ..Demo::default()
    };
    play_demo(&demo, catalog, &mut |_, _| {}).expect("a game by mail")
}

/// Returns every mail to a player, by player and number, in order of arrival.
fn mails(played: &Finished) -> BTreeMap<(String, String), String> {
    let mut mails = BTreeMap::new();
    for player in std::fs::read_dir(&played.mailboxes).expect("the mailboxes") {
        let player = player.expect("a mailbox");
        for mail in std::fs::read_dir(player.path().join("new")).expect("a Maildir") {
            let mail = mail.expect("a mail");
            let name = mail.file_name().to_string_lossy().chars().take(6).collect();
            let text = std::fs::read_to_string(mail.path()).expect("mails are UTF-8");
            mails.insert((player.file_name().to_string_lossy().into_owned(), name), text.replace("\r\n", "\n"));
        }
    }
    mails
}

/// Limits the number of mails that players write; on demand there is no limit and whole games are
/// played.
fn most(few: usize) -> Option<usize> {
    if std::env::var_os("POSTRIDER_GAMES").is_some() { None } else { Some(few) }
}

fn same(plain: &BTreeMap<(String, String), String>, masked: &BTreeMap<(String, String), String>, seed: u64) {
    for (which, text) in plain {
        let other = masked.get(which).unwrap_or_else(|| panic!("{which:?} was not written"));
        for (line, other) in text.lines().zip(other.lines()) {
            assert_eq!(line, other, "seed {seed}, {which:?}");
        }
        assert_eq!(text, other, "seed {seed}, {which:?}");
    }
    assert_eq!(plain.len(), masked.len());
}

/// Returns the pages of a game for every seat and for spectators, who may or may not know names,
/// and its feed. Where names are not known, there are none.
fn pages(played: &Finished, folder: &Path, catalog: Catalog, seats: u8) -> Vec<String> {
    let host = Host::open(folder).expect("a host's folder");
    let mut office = Office::open(host, catalog, Environment::System).expect("an office");
    let mut page = |reader, named| office.terminal(&played.game).page(reader, named).expect("a page");
    let readers = (0..seats).map(Seat).map(Some).chain([None]);
    let mut pages: Vec<String> = readers.map(|reader| page(reader, true).html().expect("a page")).collect();
    let unnamed = page(None, false);
    pages.extend([unnamed.live_html().expect("a page"), unnamed.feed("play.example").expect("a feed")]);
    // The page packs what its script unpacks.
    let all = pages[pages.len() - 2..].concat() + &serde_json::to_string(&unnamed).expect("a page");
    let all = all.to_lowercase();
    let words: BTreeSet<&str> = all.split(|c: char| !c.is_alphanumeric()).collect();
    for player in std::fs::read_dir(&played.mailboxes).expect("the mailboxes") {
        let name = player.expect("a mailbox").file_name();
        assert!(!words.contains(name.to_str().expect("a name")), "{name:?}");
    }
    pages
}

/// Shuffling everything hidden from a seat does not change its mails (Design, section 3).
#[test]
fn mails_are_the_same_whatever_is_hidden() {
    for (seats, seed) in [(3, 31), (5, 51)] {
        let (one, two) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        // Both have the same suggestions of standing orders.
        let rules = Catalog::new(TRUE);
        let plain = play(one.path(), rules.clone(), seats, seed, most(90));
        let masked = play(two.path(), Catalog::new(MASKED), seats, seed, most(90));
        same(&mails(&plain), &mails(&masked), seed);
        assert!(plain.delivered > 90, "{}", plain.delivered);
        // So are the pages, at the same moment.
        let plain = pages(&plain, one.path(), rules, seats);
        let whole = |page: &&String| page.contains("data-part=") && page.contains("id=\"score\"");
        assert_eq!(plain.iter().filter(whole).count(), usize::from(seats) + 2);
        assert!(plain == pages(&masked, two.path(), Catalog::new(MASKED), seats), "seed {seed}: the pages differ");
    }
    let (shown, shuffled) = (SHOWN.load(Ordering::Relaxed), SHUFFLED.load(Ordering::Relaxed));
    assert!(shuffled > 250 && 8 * shuffled > shown, "{shuffled} of {shown}: there was something to hide");
}

/// The same holds if all seats have left standing orders with conditions: whether a question is
/// answered by them or asked must not reveal hidden information.
#[test]
fn mails_are_the_same_whatever_is_hidden_where_standing_orders_answer() {
    for (seats, seed) in [(3, 33), (4, 41)] {
        let (one, two) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let played = play_with(one.path(), Catalog::new(TRUE), (seats, seed), most(110), true);
        let journal = std::fs::read_to_string(&played.journal).expect("the journal");
        let used = journal.matches("\"via\":\"standing\"").count();
        assert!(used > 3, "{used} answers by standing orders");
        let masked = play_with(two.path(), Catalog::new(MASKED), (seats, seed), most(110), true);
        same(&mails(&played), &mails(&masked), seed);
        assert_eq!(journal, std::fs::read_to_string(&masked.journal).expect("the journal"));
    }
}

/// Proposals, votes and concessions, up to the end of the game, with what a way back would undo.
#[test]
fn letters_about_motions_are_the_same_whatever_is_hidden() {
    let motions = [
        (0, "propose back to turn 4 round 1"),
        (1, "disagree"),
        (2, "propose end: ben wins"),
        (2, "withdraw"),
        (1, "propose back to turn 4 round 1"),
        (0, "agree"),
        (2, "agree"),
        (0, "concede"),
        (1, "propose draw"),
        (2, "agree"),
    ];
    let [plain, masked] = [TRUE, MASKED].map(|rules| {
        let folder = tempfile::tempdir().expect("a folder");
        let game = play(folder.path(), Catalog::new(rules), 3, 31, Some(90)).game;
        let host = Host::open(folder.path()).expect("a host's folder");
        let now = Environment::fixed(7, Utc.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap());
        let mut office = Office::open(host, Catalog::new(rules), now).expect("an office");
        for (seat, text) in motions {
            let (told, done) = office.order(&game, Seat(seat), text).expect("it is answered");
            assert!(done, "{text}: {told}");
        }
        assert!(office.terminal(&game).glance().expect("it is open").over);
        let letters = office.host().mail(MailFolder::Out).expect("an outbox").list().expect("letters");
        let read = |letter: &MaildirEntry| std::fs::read_to_string(&letter.path).expect("mails are UTF-8");
        letters.iter().map(read).collect::<Vec<_>>()
    });
    let tells = |words: &str| plain.iter().any(|letter| letter.replace("\r\n", " ").contains(words));
    for words in ["PROPOSAL.", "Orders undone", "Dice of", "has conceded", "share the first"] {
        assert!(tells(words), "{words}: {}", plain.concat());
    }
    assert_eq!(plain, masked);
}

/// geronimo 8.11
///
/// An offer goes to the player of the Village, who may be hidden. The reply to `back` is the same
/// for every Village.
#[test]
fn an_offer_that_is_taken_back_tells_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let played = play(folder.path(), Catalog::new(postrider::games::rulesets()), 4, 7, Some(130));
    let components = Components::builtin();
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for seat in (0..4).map(Seat) {
        for village in components.villages.iter().take(14) {
            if told.values().map(Vec::len).sum::<usize>() >= 8 {
                break;
            }
            let name = village.name.to_lowercase();
            let here = tempfile::tempdir().expect("a folder");
            copy_folder(folder.path(), here.path());
            let host = Host::open(here.path()).expect("a host's folder");
            let mut office =
                Office::open(host, Catalog::new(postrider::games::rulesets()), Environment::System).expect("an office");
            let (said, done) = office.order(&played.game, seat, &format!("offer {name} 5")).expect("it is answered");
            if !done || !said.contains("  done  ") {
                continue;
            }
            let mut all = String::new();
            for order in ["back", "preview\nback"] {
                all += &office.order(&played.game, seat, order).expect("it is answered").0;
            }
            assert!(all.contains("binds as soon as it is given"), "{all}");
            told.entry(all.replace(&village.name, "VILLAGE").replace(&name, "VILLAGE")).or_default().push(name);
        }
    }
    assert!(told.values().map(Vec::len).sum::<usize>() >= 4, "there was something to offer: {told:?}");
    assert_eq!(told.len(), 1, "{told:#?}");
}
