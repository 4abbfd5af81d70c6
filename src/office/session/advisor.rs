//! What the steady bot would answer in a player's place: `as advised` in standing orders, and the advice in letters.

use super::GameSession;
use crate::{
    dice::{DiceStream, h},
    letters::{Block, Section},
    office::{error::OfficeError, services::Services},
    store::AdviceTerms,
    table::{AnyOrder, Asked, DynGame, NamedBot, Seat},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Gives advice in one game. The same question has the same advice however often it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Advisor {
    bot: NamedBot,
    game: String,
    /// What nobody but the host knows: else everybody could reckon what others are advised.
    key: String,
}

impl Advisor {
    /// What the bot thinks best, by what the seat that is asked may see; `None` where it has no opinion, or breaks down: nobody who
    /// leaves a question to advice means an answer at random.
    pub fn advise(&self, dyn_game: &mut dyn DynGame, asked: &Asked) -> Option<AnyOrder> {
        self.ranked(dyn_game, asked, 1).into_iter().next()
    }
}

/// So many answers are listed at most.
const LISTED: usize = 3;

impl Advisor {
    /// The answers that the bot thinks best, the best first.
    fn ranked(&self, dyn_game: &mut dyn DynGame, asked: &Asked, most: usize) -> Vec<AnyOrder> {
        let mut stream = self.stream(asked);
        let mut bot = (self.bot.make)();
        let ranked = AssertUnwindSafe(|| bot.ranked(dyn_game, asked, &mut |n| stream.below(n), most));
        catch_unwind(ranked).unwrap_or_default()
    }

    fn stream(&self, asked: &Asked) -> DiceStream {
        let place = [asked.seat.to_string(), asked.id.to_string()];
        DiceStream::new(h("postrider/advice/v1", &[&self.game, &place[0], &place[1], &self.key]))
    }
}

impl GameSession {
    /// The two or three answers to each open question of a seat that the steady bot thinks best, as text that can be sent back, with the
    /// odds that the question gives for them.
    pub(crate) fn advice(&mut self, services: &Services, seat: Seat) -> Result<Section, OfficeError> {
        let Some(advisor) = self.advisor(services) else {
            return Ok(Section::paragraph("There is no advice in this game."));
        };
        let questions = self.questions(seat)?;
        let Some(dyn_game) = &mut self.live.dyn_game else {
            return Ok(Section::paragraph("There is no advice yet: the game has not begun."));
        };
        let about = "What the steady bot would do, the best first. It plays plainly, and sees no more than you do.";
        let mut section = vec![Block::paragraph(about, 0)];
        for listed in questions.iter().filter(|listed| listed.asked.required) {
            let mut says = Vec::new();
            for order in advisor.ranked(&mut **dyn_game, &listed.asked, LISTED) {
                let Some(words) = dyn_game.say(listed.asked.id, &order) else { continue };
                let note =
                    listed.choices.iter().find(|choice| choice.order == order).map(|choice| choice.note.as_str());
                let note = note.filter(|note| !note.is_empty()).map(|note| format!(" ({note})")).unwrap_or_default();
                says.push(self.seats.named(&format!("`{words}`{note}")));
            }
            if says.is_empty() {
                says.push("It has no opinion.".to_owned());
            }
            section.push(Block::Preview { pointed: vec![self.seats.named(&listed.text.title)], says });
        }
        if section.len() == 1 {
            return Ok(Section::paragraph("Nothing that waits is asked of you, so there is no advice."));
        }
        Ok(Section::of(section))
    }

    /// Whether advice stands in the letters to a seat.
    pub(crate) fn lists_advice(&self, services: &Services, seat: Seat) -> bool {
        let listed = self.secrets.advice == AdviceTerms::Listed;
        self.advisor(services).is_some() && self.pace(seat).advice.unwrap_or(listed)
    }

    /// What the table has agreed on about advice, for the invitation; `None` where that is what all tables have.
    pub(crate) fn agreed_on_advice(&self) -> Option<String> {
        match self.secrets.advice {
            AdviceTerms::Asked => None,
            AdviceTerms::Listed => {
                Some("Advice: letters list what the steady bot would answer, until you write `advice off`.".to_owned())
            }
            AdviceTerms::Off => Some("Advice: nobody is told what a bot would answer.".to_owned()),
        }
    }

    /// Who gives advice in this game: the first bot of the game that does not play at random; nobody where the host or the table has it
    /// so.
    pub(crate) fn advisor(&self, services: &Services) -> Option<Advisor> {
        if !services.host.settings.advice || self.secrets.advice == AdviceTerms::Off {
            return None;
        }
        let bot = *self.live.opened.ruleset.bots().first()?;
        let key = services.key_seed.hex().as_str().to_owned();
        Some(Advisor { bot, game: self.game.clone(), key })
    }
}
