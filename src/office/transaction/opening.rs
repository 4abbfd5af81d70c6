//! The opening of a game: its seed chains, with their commitments, and its first lines.

use super::{bots::bot_called, joining::joined};
use crate::{
    bug::Bug,
    error::OfficeError,
    game::{
        Game, directors,
        invitee::{Invitee, TERMINAL},
        names::{check_name, first_free, look_the_same},
    },
    misuse::Misuse,
    services::Services,
};
use postrider_dice::{ChainRoot, DICE_CHAIN, Hash, deck_chain, sha256};
use postrider_disk as disk;
use postrider_journal::{
    ALL_PLAYERS, Body, Consent, FORMAT, Json, Opened, Parent, Ruleset as RulesetLine, SERVICE, Text, Writer,
    is_game_id, is_name,
};
use postrider_mail::is_address;
use postrider_replay::Terms;
use postrider_store::{AdviceTerms, Append, Kept, Lease, OPEN_SEAT, Player, Players, StoreError, Watcher, bot_name};
use postrider_table::{Ruleset, Seat, SeededChance, Setup, Watch};
use std::collections::BTreeMap;

/// A request for a new game.
#[derive(Clone, Debug, Default)]
pub struct NewGame {
    /// The ruleset's name.
    pub ruleset: String,
    /// The id, or `None` for a random one.
    pub id: Option<String>,
    /// The scenario, or `None` for the ruleset's first.
    pub scenario: Option<String>,
    /// The optional rules.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The players in the order of their seats.
    pub players: Vec<Invitee>,
    /// The number of further seats that anyone may take by mail.
    pub open_seats: u8,
    /// The directors, who settle disputes by mail. If there are none, the host decides who directs.
    pub directors: Vec<Invitee>,
    /// `true` if a majority can accept proposals to go back, extend a deadline or pause. Otherwise
    /// all players must agree.
    pub majority: bool,
    /// An owner's component file, or `None` for the built-in one.
    pub components: Option<String>,
    /// The seats that the host plays.
    pub operator_seats: Vec<Seat>,
    /// `true` if all players join at once with an empty luck phrase.
    pub join_all: bool,
    /// The version of the rules, for a fork, which has its parent's; `None` for the newest.
    pub version: Option<u32>,
    /// The line of another game from which this one continues.
    pub parent: Option<Parent<'static>>,
    /// The terms of deadlines, or `None` if there are none.
    pub clock: Option<Terms>,
    /// The bot that plays for players on leave, if any.
    pub away_bot: Option<String>,
    /// The bot that plays on for players who have given the game up, or `None` for the usual one.
    pub conceded_bot: Option<String>,
    /// The person who invites the players; `None` for the service.
    pub invited_by: Option<String>,
    /// The agreed use of advice.
    pub advice: AdviceTerms,
    /// `true` if the game counts in a rating. Then no player has advice unless all have it.
    pub rated: bool,
    /// `true` if one address may have several seats, for a person who plays them all. A mail is for
    /// the seat whose letter it answers.
    pub shared_address: bool,
}

/// The words of which random ids are composed.
const ADJECTIVES: [&str; 16] = [
    "lone", "red", "dusty", "silent", "high", "broken", "white", "lost", "dry", "far", "iron", "blue", "wild", "still",
    "long", "early",
];
const NOUNS: [&str; 16] = [
    "pine", "mesa", "river", "canyon", "creek", "ridge", "hawk", "pass", "prairie", "butte", "wolf", "trail", "ford",
    "valley", "arrow", "sky",
];

/// Writes the first lines of a game.
///
/// # Errors
/// [`OfficeError::Use`] or [`OfficeError::Setup`] if the request is invalid; nothing has been
/// written then.
pub(crate) fn create(services: &mut Services, new: &NewGame) -> Result<String, OfficeError> {
    let no_rules = || Misuse::NoRules { name: new.ruleset.clone() };
    let newest = services.catalog.ruleset(&new.ruleset).ok_or_else(no_rules)?;
    let ruleset = match new.version {
        Some(version) => services.catalog.version(&new.ruleset, version.into())?,
        None => newest,
    };
    let new = &with_open_seats(with_bots(new));
    let seats = check(new, ruleset)?;
    let components = match &new.components {
        Some(text) => {
            ruleset.print_components(text, "the component file")?;
            text.as_str()
        }
        None => ruleset.components(),
    };
    let setup = Setup {
        seats,
        scenario: new.scenario.clone().unwrap_or_else(|| first_scenario(ruleset)),
        options: new.options.clone(),
        components: components.into(),
    };
    // Any refusal by the ruleset should come now, not when play begins.
    ruleset.open(&setup, Box::new(SeededChance::new(0)), Watch::NONE)?;
    let hash = sha256(components.as_bytes());
    if new.components.is_some() && components != ruleset.components() {
        let path = services.host.components(&hash.to_string());
        fs_err::create_dir_all(path.parent().unwrap_or(services.host.root()))?;
        disk::put(&path, components.as_bytes())?;
        services.catalog = services.catalog.clone().with_components(components);
    }
    let game = match &new.id {
        Some(id) => id.clone(),
        None => made_up_id(services)?,
    };
    let mut lease = match services.store.create(&game) {
        Err(StoreError::Exists { .. }) => {
            return Err(Misuse::GameExists { id: game }.into());
        }
        lease => lease?,
    };
    let chains = keep_chains(services, &mut *lease, ruleset, &game)?;
    let players = keep_players(services, &mut *lease, new)?;
    let seat_names = |seats: &[Seat]| seats.iter().map(|seat| seat.to_string().into()).collect();
    let opened = Body::Opened(Opened {
        format: FORMAT,
        game: game.as_str().into(),
        ruleset: RulesetLine { name: ruleset.name().into(), version: u64::from(ruleset.version()), components: hash },
        scenario: setup.scenario.into(),
        options: Json::new(&new.options).map_err(|why| Misuse::NotJson { why: why.to_string() })?,
        seats: seat_names(&(0..seats).map(Seat).collect::<Vec<_>>()),
        operator_seats: seat_names(&new.operator_seats),
        chains,
        clock: match &new.clock {
            Some(terms) => Json::new(terms).map_err(|why| Bug::NotJson { what: "the time for an answer", why })?,
            None => Json::empty(),
        },
        key: services.key.public(),
        directors: new.directors.iter().map(|one| one.name.as_str().into()).collect(),
        consent: new.majority.then_some(Consent::Majority),
        parent: new.parent.clone().map(Box::new),
    });
    let at = services.at();
    let mut writer = Writer::new(&game)?;
    let mut lines = writer.line(&at, &opened)?;
    // A player without mail cannot answer an invitation, and so joins now with an empty luck
    // phrase.
    for player in players.players.iter().filter(|player| !player.is_open() && (new.join_all || !player.by_mail())) {
        lines.push_str(&writer.line(&at, &joined(player, "", None, director_at(new, &player.address)))?);
    }
    if writer.n() > 1 {
        lease.keep(&Kept::Append(Append { from: 0, to: writer.n() - 1, by: None }))?;
    }
    lease.append(0, lines.as_bytes())?;
    lease.release(None)?;
    Ok(game)
}

/// Makes and stores the secret chains of a game. Returns their public tips.
fn keep_chains(
    services: &mut Services,
    lease: &mut dyn Lease,
    ruleset: &dyn Ruleset,
    game: &str,
) -> Result<BTreeMap<Text<'static>, Hash>, OfficeError> {
    let labels = std::iter::once(DICE_CHAIN.to_owned()).chain(ruleset.decks().iter().map(|deck| deck_chain(deck)));
    let mut tips = BTreeMap::new();
    for label in labels {
        let unknown = || Bug::NoChain { game: game.to_owned(), label: label.clone() };
        let root = ChainRoot::new(&label, services.environment.secret()?).ok_or_else(unknown)?;
        let chain = root.first().ok_or_else(unknown)?;
        lease.keep(&Kept::Root(root))?;
        tips.insert(label.into(), chain.tip());
        lease.keep(&Kept::Chain(chain))?;
    }
    Ok(tips)
}

impl NewGame {
    /// Returns a game with the people of another one and their agreements, but without its rules.
    pub(crate) fn with_people_of(game: &Game) -> NewGame {
        let player = |player: &Player| Invitee {
            name: player.name.clone(),
            address: player.address.clone(),
            zone: player.zone.clone(),
            sender_check: game.secrets.checks.get(&player.seat).copied(),
        };
        let director = |one: &Watcher| Invitee {
            name: one.name.clone(),
            address: one.address.clone(),
            zone: one.zone.clone(),
            sender_check: None,
        };
        NewGame {
            players: game.seats.players.iter().map(player).collect(),
            directors: directors::all(game).map(director).collect(),
            away_bot: game.secrets.away_bot.clone(),
            conceded_bot: game.secrets.conceded_bot.clone(),
            advice: game.secrets.advice,
            rated: game.secrets.rated,
            // The host has already allowed players with two seats.
            shared_address: true,
            ..NewGame::default()
        }
    }
}

/// Stores the players and the agreements with them.
fn keep_players(services: &mut Services, lease: &mut dyn Lease, new: &NewGame) -> Result<Players, OfficeError> {
    let mut players = Players::default();
    for (i, invitee) in (0..).zip(&new.players) {
        let player = Kept::Player(Player {
            seat: Seat(i),
            name: invitee.name.clone(),
            address: invitee.address.clone(),
            salt: services.environment.secret()?,
            zone: invitee.zone.clone(),
        });
        lease.keep(&player)?;
        players.learn(&player);
        if let Some(check) = invitee.sender_check {
            lease.keep(&Kept::SenderCheck(Seat(i), check))?;
        }
    }
    if let Some(bot) = &new.away_bot {
        lease.keep(&Kept::AwayBot(bot.clone()))?;
    }
    if let Some(name) = &new.invited_by {
        lease.keep(&Kept::InvitedBy(name.clone()))?;
    }
    if let Some(bot) = &new.conceded_bot {
        lease.keep(&Kept::ConcededBot(bot.clone()))?;
    }
    for director in &new.directors {
        let Invitee { name, address, zone, .. } = director.clone();
        let watcher = Watcher { address, name, zone, confirmed: true, director: true, ..Watcher::default() };
        lease.keep(&Kept::Watcher(watcher))?;
    }
    if new.advice != AdviceTerms::default() {
        lease.keep(&Kept::Advice(new.advice))?;
    }
    if new.rated {
        lease.keep(&Kept::Rated)?;
    }
    Ok(players)
}

/// Returns the name of the director with this address.
fn director_at(new: &NewGame, address: &str) -> Option<String> {
    let director = new.directors.iter().find(|one| one.address.eq_ignore_ascii_case(address));
    director.map(|one| one.name.clone())
}

fn first_scenario(ruleset: &dyn Ruleset) -> String {
    ruleset.scenarios().first().map_or_else(|| "standard".to_owned(), |name| (*name).to_owned())
}

/// Returns the game with the seats of bots and of the terminal among the operator's, because the
/// host's machine plays them. Bots of the same name are numbered.
fn with_bots(new: &NewGame) -> NewGame {
    let mut new = new.clone();
    for i in 0..new.players.len() {
        let (name, address) = (new.players[i].name.clone(), new.players[i].address.clone());
        if bot_name(&address).is_none() && address != TERMINAL {
            continue;
        }
        let seat = Seat(u8::try_from(i).unwrap_or(u8::MAX));
        if !new.operator_seats.contains(&seat) {
            new.operator_seats.push(seat);
        }
        let taken = |name: &str| new.players[..i].iter().any(|other| other.name.eq_ignore_ascii_case(name));
        new.players[i].name = first_free(&name, taken);
    }
    new.operator_seats.sort_unstable();
    new
}

/// Returns the game with its open seats among the players.
fn with_open_seats(new: NewGame) -> NewGame {
    let open = (1..=new.open_seats).map(|n| Invitee {
        name: format!("Open seat {n}"),
        address: OPEN_SEAT.to_owned(),
        zone: None,
        sender_check: None,
    });
    NewGame { players: new.players.into_iter().chain(open).collect(), open_seats: 0, ..new }
}

/// Checks everything that can be checked before writing. Returns the number of seats.
pub(crate) fn check(new: &NewGame, ruleset: &dyn Ruleset) -> Result<u8, OfficeError> {
    let wrong = |why: Misuse| Err(why.into());
    let title = || ruleset.title().to_owned();
    let allowed = ruleset.seats();
    let seats = u8::try_from(new.players.len()).unwrap_or(u8::MAX);
    if !allowed.contains(&seats) {
        return wrong(Misuse::Players { title: title(), allowed, given: new.players.len() });
    }
    if let Some(name) = &new.invited_by {
        directors::one_line("the name of who invites", name)?;
    }
    if let Some(id) = new.id.as_deref().filter(|id| !is_game_id(id) || id.starts_with('-')) {
        return wrong(Misuse::GameId { id: id.to_owned() });
    }
    if let Some(name) = new.scenario.as_deref().filter(|name| !ruleset.scenarios().contains(name)) {
        if let Some(absent) = ruleset.absent().iter().find(|absent| absent.is_called(name)) {
            return wrong(Misuse::AbsentScenario { name: name.to_owned(), why: absent.why });
        }
        return wrong(Misuse::NoScenario {
            title: title(),
            name: name.to_owned(),
            known: ruleset.scenarios().join(", "),
        });
    }
    // A fork has its parent's bots. If a frozen version lacks one of them, the random bot plays.
    if new.parent.is_none() {
        let players = new.players.iter().filter_map(|player| bot_name(&player.address));
        let bots = players.chain(new.away_bot.as_deref()).chain(new.conceded_bot.as_deref());
        bots.map(|bot| bot_called(ruleset, bot)).collect::<Result<Vec<_>, _>>()?;
    }
    for (i, player) in new.players.iter().enumerate() {
        let before = &new.players[..i];
        check_name(&player.name)?;
        // Equal names are always a mistake, because they would be ambiguous.
        if before.iter().any(|other| look_the_same(&other.name, &player.name)) {
            return wrong(Misuse::SameNames { name: player.name.clone() });
        }
        let same = |other: &Invitee| other.address.eq_ignore_ascii_case(&player.address);
        if let Some(held) = before.iter().position(same).filter(|_| player.by_mail() && !new.shared_address) {
            let held = Seat(u8::try_from(held).unwrap_or(u8::MAX));
            return wrong(Misuse::SharedAddress { address: player.address.clone(), held });
        }
    }
    check_directors(new)?;
    if let Some(seat) = new.operator_seats.iter().find(|seat| seat.0 >= seats) {
        return wrong(Misuse::SeatBeyond { seat: *seat, seats });
    }
    Ok(seats)
}

/// Checks that directors can be told from players and from each other, and that at least one does
/// not play.
fn check_directors(new: &NewGame) -> Result<(), OfficeError> {
    for (i, director) in new.directors.iter().enumerate() {
        let Invitee { name, address, .. } = director;
        let others = || new.directors[..i].iter();
        let players = new.players.iter();
        let same = |one: &Invitee| one.address.eq_ignore_ascii_case(address);
        let mut named = others().chain(players.filter(|player| !same(player)));
        let why = match () {
            () if !is_address(address) => "letters cannot be sent to that address",
            () if !is_name(name) => "a director's name has 1 to 64 letters without accents",
            () if Seat::from_letter(name).is_some() || [SERVICE, ALL_PLAYERS].contains(&name.as_str()) => {
                "a seat or the program itself uses this name"
            }
            () if named.any(|one| look_the_same(&one.name, name)) => "somebody else has this name",
            () if others().any(same) => "another director has this address",
            () => continue,
        };
        return Err(Misuse::Director { name: name.clone(), why }.into());
    }
    let plays = |one: &Invitee| new.players.iter().any(|player| player.address.eq_ignore_ascii_case(&one.address));
    match new.directors.iter().all(plays) && !new.directors.is_empty() {
        true => Err(Misuse::DirectorsPlay.into()),
        false => Ok(()),
    }
}

fn made_up_id(services: &mut Services) -> Result<String, OfficeError> {
    loop {
        let bytes = services.environment.secret()?.0;
        let pick = |words: &[&'static str; 16], byte: u8| words[usize::from(byte % 16)];
        let id = format!("{}-{}-{}", pick(&ADJECTIVES, bytes[0]), pick(&NOUNS, bytes[1]), 10 + bytes[2] % 90);
        if services.store.journal(&id)?.is_none() {
            return Ok(id);
        }
    }
}
