//! Advice: the answers that the steady bot would give in a player's place.

use crate::{error::OfficeError, game::Game, services::Services};
use postrider_analysis::tries::{LENGTH, TRIES, Tried, tried};
use postrider_dice::{DiceStream, Hash, h};
use postrider_letters::{Block, Section};
use postrider_store::AdviceTerms;
use postrider_table::{AnyOrder, Asked, DynGame, NamedBot, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum number of answers listed.
const LISTED: usize = 3;

/// The source of advice in one game. Asking the same question again gives the same advice.
#[derive(Clone, Debug)]
pub(crate) struct Advisor {
    bot: NamedBot,
    game: String,
    /// A secret of the host. Without it, players could compute the advice given to others.
    key: String,
}

impl Advisor {
    /// Returns the answer that the bot prefers, given what the asked seat may see. Returns `None`
    /// if it has no preference or panics: an answer left to advice must not be random.
    pub fn advise(&self, dyn_game: &dyn DynGame, asked: &Asked) -> Option<AnyOrder> {
        self.ranked(dyn_game, asked, 1).into_iter().next()
    }
}

/// The amount of advice requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The bot's preferences.
    Opinion,
    /// The preferences and their results in short games.
    PlayedOut,
}

impl Advisor {
    /// Returns the answers that the bot prefers, the best first.
    fn ranked(&self, dyn_game: &dyn DynGame, asked: &Asked, most: usize) -> Vec<AnyOrder> {
        let mut stream = self.stream(asked);
        let mut bot = (self.bot.make)();
        let ranked = AssertUnwindSafe(|| bot.ranked(dyn_game, asked, &mut |n| stream.below(n), most));
        catch_unwind(ranked).unwrap_or_default()
    }

    /// Returns the seed of the short games.
    fn tries(&self) -> Hash {
        h("postrider/tries/v1", &[&self.game, &self.key])
    }

    fn stream(&self, asked: &Asked) -> DiceStream {
        let place = [asked.seat.to_string(), asked.id.to_string()];
        DiceStream::new(h("postrider/advice/v1", &[&self.game, &place[0], &place[1], &self.key]))
    }
}

/// Describes the results of an answer in short games.
fn in_words(Tried { ahead, level, games, lead }: Tried) -> String {
    let level = if level > 0 { format!(", level in {level}") } else { String::new() };
    let tenths = 10 * lead / i64::from(games.max(1));
    let lead = format!("{}{}.{}", if tenths < 0 { "-" } else { "+" }, tenths.abs() / 10, tenths.abs() % 10);
    format!("ahead in {ahead} of {games} short games{level}, lead {lead} VPs on average")
}

/// Returns up to three answers to each of a seat's open questions, the steady bot's favourites
/// first, as text that can be sent back, with the odds stated by the question.
pub(crate) fn advice(game: &Game, services: &Services, seat: Seat, wanted: Wanted) -> Result<Section, OfficeError> {
    let Some(advisor) = advisor(game, services) else {
        return Ok(Section::paragraph("There is no advice in this game."));
    };
    let questions = game.questions(seat)?;
    if game.live.dyn_game.is_none() {
        return Ok(Section::paragraph("There is no advice yet: the game has not begun."));
    }
    let about = "What the steady bot would do, the best first. It plays plainly, and sees no more than you do.";
    let mut section = vec![Block::paragraph(about, 0)];
    // Only the first question is played out, because the next one depends on its answer.
    let mut played_out = wanted == Wanted::PlayedOut;
    if played_out {
        let about = format!(
            "From each answer, steady bots played {TRIES} short games of up to {LENGTH} orders, with invented dice and hidden \
             information."
        );
        section.push(Block::paragraph(&about, 0));
    }
    for listed in questions.iter().filter(|listed| listed.asked.required) {
        let mut says = Vec::new();
        let Some(dyn_game) = &game.live.dyn_game else { continue };
        let ranked = advisor.ranked(&**dyn_game, &listed.asked, LISTED);
        let came = match std::mem::take(&mut played_out) {
            true => tried(&game.live, &listed.asked, &ranked, &advisor.bot, advisor.tries()),
            false => vec![None; ranked.len()],
        };
        let Some(dyn_game) = &game.live.dyn_game else { continue };
        for (order, came) in ranked.into_iter().zip(came) {
            let Some(words) = dyn_game.say(listed.asked.id, &order) else { continue };
            let note = listed.choices.iter().find(|choice| choice.order == order).map(|choice| choice.note.as_str());
            let note = note.filter(|note| !note.is_empty()).map(|note| format!(" ({note})")).unwrap_or_default();
            let came = came.map(|came| format!(": {}", in_words(came))).unwrap_or_default();
            says.push(game.seats.named(&format!("`{words}`{note}{came}")));
        }
        if says.is_empty() {
            says.push("It has no opinion.".to_owned());
        }
        section.push(Block::Preview { pointed: vec![game.seats.named(&listed.text.title)], says });
    }
    if section.len() == 1 {
        return Ok(Section::paragraph("No question waits for your answer, so there is no advice."));
    }
    Ok(Section::of(section))
}

/// Returns `true` if the letters to a seat contain advice.
pub(crate) fn is_listed(game: &Game, services: &Services, seat: Seat) -> bool {
    let listed = terms(game) == AdviceTerms::Listed;
    advisor(game, services).is_some() && game.pace(seat).advice.unwrap_or(listed)
}

/// Returns the terms of advice that the table agreed on. In a rated game there is no advice unless
/// all players have it.
fn terms(game: &Game) -> AdviceTerms {
    match game.secrets.advice {
        AdviceTerms::Asked if game.secrets.rated => AdviceTerms::Off,
        agreed => agreed,
    }
}

/// Says for the invitation that the game counts in a rating, if it does.
pub(crate) fn said_of_rating(game: &Game) -> Option<String> {
    game.secrets.rated.then(|| "This game is rated, says the host.".to_owned())
}

/// Describes the table's agreement about advice for the invitation, or returns `None` for the usual
/// one.
pub(crate) fn agreed(game: &Game) -> Option<String> {
    match terms(game) {
        AdviceTerms::Asked => None,
        AdviceTerms::Listed => {
            Some("Advice: letters list what the steady bot would answer, until you write `advice off`.".to_owned())
        }
        AdviceTerms::Off => Some("Advice: nobody is told what a bot would answer.".to_owned()),
    }
}

/// Returns the source of advice: the game's first bot that does not play at random. Returns `None`
/// if the host or the table has turned advice off.
pub(crate) fn advisor(game: &Game, services: &Services) -> Option<Advisor> {
    if !services.host.settings.advice || terms(game) == AdviceTerms::Off {
        return None;
    }
    let bot = *game.live.opened.ruleset.bots().first()?;
    let key = services.key_seed.text().as_str().to_owned();
    Some(Advisor { bot, game: game.id.clone(), key })
}
