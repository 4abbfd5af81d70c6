//! Hints: everyday words, each with the sentence that names the command for what they mean. They
//! explain a line that was not understood; nothing acts by them.

use crate::{
    game::{Game, absence, directors, motions, seats},
    reading::request::begins_command,
    services::Services,
};
use postrider_orders::{People, Phrase, list_and, without_courtesies};
use postrider_replay::{RoundMark, Terms};
use postrider_table::Seat;

/// The rows: words, and sentences with the situation before each. Words after `=` are the whole line
/// without [`LITTLE`] words, others a part of it, and `NAME:` stands for another player's name. The
/// first row that fits and has a sentence for the situation counts.
const TABLE: &str = include_str!("hints.tsv");

/// The help page, which lists the commands.
const HELP: &str = include_str!("../../../templates/help.txt");

/// Maximum number of words of a line in which a part is searched for. A longer line is prose.
const LONGEST: usize = 12;

/// Maximum number of words of a line that may be a vote.
const SHORT_VOTE: usize = 4;

/// The sentence for such a line.
const VOTE: &str = "A proposal awaits your answer: {votes}.";

/// Words without which a whole line is compared.
const LITTLE: [&str; 5] = ["a", "an", "i", "my", "the"];

/// Words that end a question in one game or another.
const ENDS: [&str; 2] = ["pass", "done"];

/// The state of the game for one player, on which the sentences depend.
#[derive(Clone, Debug, Default)]
pub(crate) struct Situation {
    /// The situations of the table that hold.
    holds: Vec<&'static str>,
    /// The names in the sentences, with their values.
    values: Vec<(&'static str, String)>,
    /// The names of the other players, in lower case.
    others: Vec<String>,
}

impl Situation {
    /// Returns the state of the game for a player.
    pub fn of(game: &Game, services: &Services, seat: Seat) -> Situation {
        let others: Vec<String> =
            game.seats.players.iter().filter(|one| one.seat != seat).map(|one| one.name.to_lowercase()).collect();
        let asked = game.asked().unwrap_or_default();
        let mine: Vec<&str> = asked.iter().filter(|one| one.seat == seat && one.required).map(|one| one.kind).collect();
        let rules = game.live.opened.ruleset;
        let subjects = rules.subjects(&game.live.opened.setup.components);
        let subject = subjects.all().first().and_then(|one| Some(one.names.first()?.to_lowercase()));
        let kind = mine.first().copied().or_else(|| rules.kinds().first().copied()).unwrap_or("KIND");
        let reads = |word: &&&str| game.read(seat, &Phrase::new(word)).is_ok();
        let ends = ENDS.iter().chain(rules.enough()).find(|word| reads(word)).map(|&word| word.to_owned());
        let (votes, own) = motions::open_to(game, services, seat);
        let votes: Vec<String> = votes.iter().map(|n| format!("`agree {n}` or `disagree {n}`")).collect();
        // A player for whom the game waits is named first.
        let waits =
            asked.iter().find(|one| one.seat != seat && one.required).and_then(|one| game.seats.player(one.seat));
        let name = waits.map(|one| one.name.to_lowercase()).or_else(|| others.first().cloned());
        let name = name.unwrap_or_else(|| "host".to_owned());
        let directors = directors::in_words(game);
        let back = game.live.marks.last().map(|mark| match mark {
            RoundMark { turn: 1.., round: 1.., .. } => format!("turn {} round {}", mark.turn, mark.round),
            mark => format!("entry {}", mark.n),
        });
        let values = [
            ("{other}", Some(name)),
            ("{back}", Some(back.unwrap_or_else(|| "turn 1 round 1".to_owned()))),
            ("{kind}", Some(kind.to_owned())),
            ("{subject}", subject),
            ("{votes}", (!votes.is_empty()).then(|| votes.join(", "))),
            ("{mine}", own.map(|n| n.to_string())),
            ("{ends}", ends.clone()),
            ("{directors}", directors.clone()),
            ("{terms}", game.live.deadlines.terms().map(Terms::words)),
        ];
        let (over, begun) = (game.live.closed, game.live.started.is_some());
        let joined = seats::has_joined(game, seat);
        let holds = [
            ("over", over),
            ("before", !begun && !joined),
            ("joined", !begun && joined),
            ("away", absence::is_away(game, services, seat)),
            ("vote", !votes.is_empty()),
            ("mine", own.is_some()),
            ("timed", game.live.deadlines.terms().is_some()),
            ("untimed", game.live.deadlines.terms().is_none()),
            ("ends", !mine.is_empty() && ends.is_some()),
            ("asked", !mine.is_empty()),
            ("idle", mine.is_empty()),
            ("directed", directors.is_some()),
            ("any", begun),
        ];
        Situation {
            // After its end, a game has few answers.
            holds: holds
                .into_iter()
                .filter(|(when, holds)| *holds && (!over || *when == "over"))
                .map(|(when, _)| when)
                .collect(),
            values: values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
            others,
        }
    }

    /// Returns the situation of a director.
    pub fn of_director(game: &Game) -> Situation {
        let others: Vec<String> = game.seats.players.iter().map(|one| one.name.to_lowercase()).collect();
        let values = others.first().map(|name| ("{other}", name.clone())).into_iter().collect();
        Situation { holds: vec!["director"], values, others }
    }

    /// Returns why no answer is wanted of the player, if none is.
    pub fn idle(&self) -> Option<&'static str> {
        let idle = self.holds("idle").then_some("nothing is asked of you now");
        self.holds("over").then_some("the game is over").or(idle)
    }

    /// Returns the ways to vote on the proposals that await the player's vote.
    pub fn votes(&self) -> Option<&str> {
        self.values.iter().find(|(name, _)| *name == "{votes}").map(|(_, ways)| ways.as_str())
    }

    /// Returns `true` if the player is away now.
    pub fn is_away(&self) -> bool {
        self.holds("away")
    }

    fn holds(&self, when: &str) -> bool {
        self.holds.contains(&when)
    }

    /// Returns the sentence for a line in everyday words. `whole` is `true` if only words that are
    /// the whole line count.
    pub fn hint(&self, line: &str, people: &People, whole: bool) -> Option<String> {
        let phrase = Phrase::new(line);
        let bare = |form: &Phrase| {
            let words: Vec<String> =
                form.plain().split(' ').filter(|word| !LITTLE.contains(word)).map(str::to_owned).collect();
            words.join(" ")
        };
        let forms: Vec<String> = without_courtesies(&phrase, people).iter().map(bare).collect();
        let padded = format!(" {} ", phrase.plain());
        let part = !whole && phrase.words().len() <= LONGEST;
        let named = self.named(line);
        let fits = |words: &str| match words.strip_prefix('=') {
            Some(words) => forms.iter().any(|form| form == words),
            None if words == "NAME:" => named.is_some(),
            None => part && padded.contains(&format!(" {words} ")),
        };
        let row = TABLE.lines().find_map(|row| {
            let (words, sentences) = row.split_once('\t')?;
            let sentences: Vec<&str> = sentences.split('\t').collect();
            let said = sentences.as_chunks::<2>().0.iter().find(|[when, _]| self.holds(when));
            said.filter(|_| words.split(", ").any(fits)).map(|[_, sentence]| *sentence)
        });
        // A short line may be a vote in words that the table does not have.
        let may_vote = part && phrase.words().len() <= SHORT_VOTE && self.holds("vote");
        let Some(row) = row.or_else(|| may_vote.then_some(VOTE)) else {
            return part.then(|| commands_like(&phrase)).flatten();
        };
        let other = self.others.iter().find(|name| padded.contains(&format!(" {name} ")));
        let name = named.map(|name| ("{name}", name)).or_else(|| Some(("{other}", other?.clone())));
        let mut said = row.to_owned();
        for (name, value) in name.into_iter().chain(self.values.iter().cloned()) {
            said = said.replace(name, &value);
        }
        Some(said)
    }

    /// Returns the player to whom a line seems to be addressed: `ben: nice move`, `to ida: hi`.
    fn named(&self, line: &str) -> Option<String> {
        let head = Phrase::new(line.split_once(':')?.0).plain();
        let head = head.strip_prefix("to ").unwrap_or(&head);
        self.others.iter().find(|name| *name == head).cloned()
    }
}

/// Returns the forms of the command whose first word a line has, as the help page lists them.
fn commands_like(phrase: &Phrase) -> Option<String> {
    let word = &phrase.words().first()?.text;
    let (_, page) = HELP.split_once("BESIDES ORDERS").filter(|_| begins_command(word))?;
    let forms = page.split('`').skip(1).step_by(2).filter(|form| form.split([' ', ':']).next() == Some(word));
    let forms: Vec<String> = forms.map(|form| format!("`{form}`")).collect();
    (!forms.is_empty()).then(|| format!("There is no such command, but {}.", list_and(&forms)))
}
