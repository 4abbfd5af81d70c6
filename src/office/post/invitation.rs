//! Invitations.

use crate::{
    error::OfficeError,
    game::{
        Game, absence, advice, directors, motions,
        seats::{self, DAYS_TO_JOIN},
    },
    post::letter,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::sha256;
use postrider_journal::Consent;
use postrider_letters::{Invitation, Invited, plain, text};
use postrider_orders::list_and;
use postrider_store::{Kept, OutgoingLetter, Player, Written};
use postrider_table::{Ruleset, Seat, Setup};
use std::collections::BTreeSet;

/// The location of a game's rules.
const RULES: &str =
    "The rules are those of the printed game; `help` in any answer explains them, with the numbers of the rulebook.";

/// Measured numbers of mails and days per game.
const COSTS: &str = include_str!("../../../docs/few-mails.md");

/// Returns how many mails and days games of this scenario have taken; "" if none were measured. A
/// row without a scenario is about the first one.
fn cost_in_words(rules: &dyn Ruleset, setup: &Setup) -> String {
    let (title, players) = (rules.title(), format!("{} players", setup.seats));
    let is_first = rules.scenarios().first().is_none_or(|first| *first == setup.scenario);
    let of_it = |what: &str| what == format!("{}, {players}", setup.scenario) || is_first && what == players;
    let cost = |row: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, what, _, _, rounds, _, mails, .., days, _] = cells[..] else { return None };
        let of = what.strip_prefix(&format!("*{title}*, "))?;
        let number = |cell: &str| cell.parse::<f64>().ok();
        let (rounds, mails, days) = (number(rounds)?, number(mails)?, number(days)?);
        of_it(of).then_some((rounds * mails, days))
    };
    let costs: Vec<(f64, f64)> = COSTS.lines().filter_map(cost).collect();
    let [(most_mails, most_days), (mails, days)] = costs[..] else { return String::new() };
    format!(
        "Such a game takes {mails:.0} to {most_mails:.0} mails from all players together, over {days:.0} to {most_days:.0} days if \
         everyone writes once a day. Standing orders make it shorter."
    )
}

/// Lists everything agreed on before the game: scenario, optional rules, deadlines, absences, bots,
/// the host's own seats.
fn terms(game: &Game) -> Vec<String> {
    let (setup, ruleset) = (&game.live.opened.setup, game.live.opened.ruleset);
    let mut options = vec![match ruleset.about_scenario(&setup.scenario) {
        "" => format!("Scenario: {}", setup.scenario),
        about => format!("Scenario: {}, {about}", setup.scenario),
    }];
    options.extend(setup.options.iter().map(|(key, value)| {
        match ruleset.options().iter().find(|rule| rule.name == key && *value == serde_json::Value::Bool(true)) {
            Some(rule) => format!("Optional rule {key}: {}", rule.about),
            None => format!("{key}: {}", plain(value)),
        }
    }));
    if let Some(parent) = &game.live.opened.parent {
        options.push(format!(
            "It continues the game {} after entry {}: {}. Everything drawn there is public and stays; later draws are new, with \
             your luck phrases.",
            parent.game, parent.n, parent.reason
        ));
    }
    options.extend(game.live.deadlines.terms().map(postrider_replay::Terms::words));
    options.extend(absence::agreed(game));
    options.extend(motions::plays_on(game));
    options.extend(directors::in_words(game));
    options.extend(game.live.motions.consent().map(|Consent::Majority| {
        "A proposal to go back, for more time or a pause is carried by more than half of the players.".to_owned()
    }));
    options.extend(advice::said_of_rating(game));
    options.extend(advice::agreed(game));
    let bots: BTreeSet<&str> = game.seats.players.iter().filter_map(Player::bot).collect();
    for bot in bots {
        let of = |other: &&Player| other.bot() == Some(bot);
        let seats: Vec<String> = game.seats.players.iter().filter(of).map(|other| other.seat.to_string()).collect();
        options.push(match seats.as_slice() {
            [seat] => format!(
                "Seat {seat} is played by a program of the host's, the bot {bot}, which sees what its seat may see."
            ),
            several => format!(
                "Seats {} are kept by a program of the host's, the bot {bot}. At each seat it is shown what that seat may \
                 see.",
                list_and(several)
            ),
        });
    }
    let by_bots = |name: &&String| {
        Seat::from_letter(name).is_some_and(|seat| game.seats.player(seat).is_some_and(|player| player.bot().is_some()))
    };
    let host: Vec<&str> =
        game.live.opened.operator_seats.iter().filter(|name| !by_bots(name)).map(String::as_str).collect();
    if !host.is_empty() {
        let seats = host.join(", ");
        options.push(format!("The host plays seat {seats}, and could foresee dice and see hidden cards."));
    }
    options
}

pub(crate) fn invitation(game: &Game, services: &Services, player: &Player) -> Result<OutgoingLetter, OfficeError> {
    let joined = |seat: Seat| game.live.joined.get(seat.index()).is_some_and(Option::is_some);
    let setup = &game.live.opened.setup;
    let ruleset = game.live.opened.ruleset;
    let introduction = ruleset.introduction(setup);
    let one = |other: &Player| Invited {
        seat: other.seat.to_string(),
        name: other.name.clone(),
        side: introduction.sides.get(other.seat.index()).cloned().unwrap_or_default(),
        you: other.seat == player.seat,
        joined: joined(other.seat),
    };
    let until = format!("Please answer within {DAYS_TO_JOIN} days; after that, the seat is open again.");
    let is_held = seats::takers(game).any(|taker| taker.seat == player.seat);
    let invitation = Invitation {
        game: game.id.clone(),
        title: game.live.opened.ruleset.title().to_owned(),
        name: player.name.clone(),
        host: { game.secrets.invited_by.as_ref() }
            .filter(|name| **name != player.name)
            .unwrap_or(&services.host.settings.name)
            .clone(),
        joined: joined(player.seat),
        players: game.seats.players.iter().map(one).collect(),
        about: [introduction.goal, introduction.length, cost_in_words(ruleset, setup), RULES.to_owned()]
            .into_iter()
            .chain(is_held.then_some(until))
            .filter(|about| !about.is_empty())
            .collect(),
        options: terms(game),
        head: game.head_shown(services, player.seat),
    };
    let tree = services.letters.invitation(&invitation)?;
    let token = (0, game.letterbox(player.seat));
    // A further invitation to a seat has another name.
    let again = game.secrets.written.get(&player.seat).map(|written| {
        let mark = sha256(format!("{} {}", player.commitment(), written.at).as_bytes()).to_string();
        format!("-{}", &mark[..8])
    });
    let kind = format!("invitation{}", again.unwrap_or_default());
    let subject = format!("{} by mail: will you play, {}?", invitation.title, player.name);
    Ok(OutgoingLetter {
        unique: format!("{}.{}.{kind}", game.id, player.seat),
        kind,
        text: text::render(&tree),
        html: letter::as_html(game, services, &tree, token, &subject),
        subject,
        picture: None,
        attached: Vec::new(),
        token,
        thread: None,
        date: services.now(),
    })
}

/// Makes a seat's invitation due again, also if its player has declined.
pub(crate) fn invite_again(tx: &mut Transaction, services: &Services, seat: Seat) -> Result<(), OfficeError> {
    let old = tx.secrets.written.get(&seat).cloned().unwrap_or_default();
    let written = Written { invited: false, at: services.now().timestamp(), ..old };
    tx.keep(Kept::Written { seats: vec![(seat, written)], mail: None, copies: None })?;
    if tx.secrets.declined.contains(&seat) {
        tx.keep(Kept::Declined(seat, false))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_every_scenario_is_measured() {
        for rules in postrider_games::rulesets() {
            let ways = rules.seats().flat_map(|seats| rules.scenarios().iter().map(move |name| (seats, *name)));
            for (seats, scenario) in ways.filter(|(seats, _)| *seats > 1) {
                let (scenario, components) = (scenario.to_owned(), rules.components().into());
                let setup = Setup { seats, scenario, options: [].into(), components };
                let said = cost_in_words(*rules, &setup);
                assert!(said.starts_with("Such a game takes "), "{}, {}, {seats}", rules.title(), setup.scenario);
            }
        }
    }
}
