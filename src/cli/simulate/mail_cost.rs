//! `postrider simulate --mail-cost`: plays whole games by mail and counts the mails per Round.

use super::{CliError, Output, Simulate, letters::play_by_mail};
use postrider_demo::Finished;
use postrider_journal::{Body, Line};
use postrider_table::Ruleset;
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// The number of mails that games take.
#[derive(Clone, Debug, Default, Serialize)]
struct Cost {
    games: u64,
    players: u8,
    /// The number of Rounds begun, in all games.
    rounds: usize,
    /// The number of letters to players, except invitations and answers to `join`.
    letters: usize,
    /// The number of mails by players after they joined.
    mails: usize,
    /// The length of the longest path of mails that each depend on the previous one, from the first
    /// Round to the end.
    exchanges: usize,
    /// The number of times that a player waited for another player's mail on this path.
    waits: usize,
    /// The number of Turns with the minimum number of Rounds of all Turns, and of the exchanges in
    /// them. In a game where some Turns have battles, these are the Turns without.
    quiet_turns: usize,
    exchanges_in_quiet_turns: usize,
    /// The kinds of questions that the mails on the longest path answered: in all Rounds, and in
    /// quiet Turns.
    answered: BTreeMap<String, usize>,
    answered_in_quiet_turns: BTreeMap<String, usize>,
    #[serde(skip)]
    turns: Vec<Turn>,
    /// The maximum number of exchanges in a Round.
    most_exchanges_in_a_round: usize,
    letters_per_round: f64,
    mails_per_round: f64,
    letters_per_player_and_round: f64,
    exchanges_per_round: f64,
    waits_per_round: f64,
    /// The length of a game in days if every player writes once a day, as much as possible each
    /// time: every wait for another player is a day.
    days_at_one_sitting_a_day: f64,
}

/// The measurements of a Turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Turn {
    rounds: usize,
    exchanges: usize,
    /// The kinds of questions that the exchanges answered.
    answered: BTreeMap<String, usize>,
}

/// Plays the games and counts their mails.
pub(super) fn run(args: &Simulate, rules: &dyn Ruleset, players: u8) -> Result<Output, CliError> {
    let mut cost = Cost { games: args.games, players, ..Cost::default() };
    for game in 0..args.games {
        let folder = tempfile::tempdir()?;
        let finished = play_by_mail(args, rules, players, game, folder.path())?;
        cost.add(&finished)?;
    }
    cost.count_quiet();
    let (rounds, games) = (cost.rounds.max(1) as f64, cost.games as f64);
    cost.letters_per_round = cost.letters as f64 / rounds;
    cost.mails_per_round = cost.mails as f64 / rounds;
    cost.letters_per_player_and_round = cost.letters_per_round / f64::from(players);
    cost.exchanges_per_round = cost.exchanges as f64 / rounds;
    cost.waits_per_round = cost.waits as f64 / rounds;
    cost.days_at_one_sitting_a_day = cost.waits as f64 / games;
    match (args.json, args.row) {
        (true, _) => Output::json(&cost),
        (_, true) => Ok(cost.row(&title_of(args, rules, players)).into()),
        _ => Ok(cost.in_words(rules.title()).into()),
    }
}

/// Returns the title of a row of the table.
fn title_of(args: &Simulate, rules: &dyn Ruleset, players: u8) -> String {
    let scenario = args.scenario.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    let standing = if args.standing { "with standing orders" } else { "without" };
    format!("*{}*{scenario}, {players} players | {standing}", rules.title())
}

impl Cost {
    /// Formats a row of the table in docs/few-mails.md.
    fn row(&self, title: &str) -> String {
        let (rounds, games) = (self.rounds as f64 / self.games.max(1) as f64, self.games);
        format!(
            "| {title} | {games} | {rounds:.0} | {:.2} | {:.2} | {:.2} | {} | {:.2} | {:.0} |\n",
            self.letters_per_round,
            self.mails_per_round,
            self.exchanges_per_round,
            self.most_exchanges_in_a_round,
            self.waits_per_round,
            self.days_at_one_sitting_a_day
        )
    }

    /// Adds a finished game.
    fn add(&mut self, finished: &Finished) -> Result<(), CliError> {
        let begun = first_round(finished)?;
        self.rounds += finished.rounds;
        self.letters += letters_after(finished, begun)?;
        self.mails += finished.written.saturating_sub(joined(finished)?);
        // Nothing before the first Round counts, such as the wait for answers to invitations.
        let before = finished.exchanges.first().copied().unwrap_or_default();
        let last = finished.exchanges.last().copied().unwrap_or_default();
        self.exchanges += last.0 - before.0;
        self.waits += last.1 - before.1;
        let turns = turns(finished)?;
        let mut each: BTreeMap<u64, Turn> = BTreeMap::new();
        for (turn, pair) in turns.iter().zip(finished.exchanges.windows(2)) {
            let known = each.entry(*turn).or_default();
            known.rounds += 1;
            known.exchanges += pair[1].0 - pair[0].0;
        }
        for step in finished.steps.iter().filter(|step| step.place > before.0) {
            *self.answered.entry(step.answers.clone()).or_default() += 1;
            // The first Round includes the mail that started it.
            let round = finished.exchanges.partition_point(|(mails, _)| *mails < step.place).saturating_sub(1);
            if let Some(known) = turns.get(round).and_then(|turn| each.get_mut(turn)) {
                *known.answered.entry(step.answers.clone()).or_default() += 1;
            }
        }
        self.turns.extend(each.into_values());
        let most = finished.exchanges.windows(2).map(|pair| pair[1].0 - pair[0].0).max().unwrap_or_default();
        self.most_exchanges_in_a_round = self.most_exchanges_in_a_round.max(most);
        Ok(())
    }

    /// Counts the Turns with the minimum number of Rounds of all Turns in all games.
    fn count_quiet(&mut self) {
        let least = self.turns.iter().map(|turn| turn.rounds).min();
        for turn in self.turns.iter().filter(|turn| Some(turn.rounds) == least) {
            self.quiet_turns += 1;
            self.exchanges_in_quiet_turns += turn.exchanges;
            for (kind, count) in &turn.answered {
                *self.answered_in_quiet_turns.entry(kind.clone()).or_default() += count;
            }
        }
    }

    fn in_words(&self, title: &str) -> String {
        let Cost { games, players, rounds, .. } = self;
        let each = |count: f64| format!("{count:.2}");
        let rows = [
            ("letters out, a Round", each(self.letters_per_round)),
            ("letters out, a player and Round", each(self.letters_per_player_and_round)),
            ("mails in, a Round", each(self.mails_per_round)),
            ("exchanges one after the other, a Round", each(self.exchanges_per_round)),
            (
                "the same, a Turn of the fewest Rounds",
                each(self.exchanges_in_quiet_turns as f64 / self.quiet_turns.max(1) as f64),
            ),
            ("the most in one Round", self.most_exchanges_in_a_round.to_string()),
            ("waits for another player, a Round", each(self.waits_per_round)),
            ("days at one sitting a day, a game", format!("{:.0}", self.days_at_one_sitting_a_day)),
        ];
        let lines: String = rows.iter().map(|(what, count)| format!("  {what:40} {count:>8}\n")).collect();
        let quiet_turns = self.quiet_turns.max(1) as f64;
        let quiet = |kind: &String| self.answered_in_quiet_turns.get(kind).copied().unwrap_or_default();
        let mut kinds: Vec<_> = self.answered.iter().map(|(kind, all)| (quiet(kind), *all, kind)).collect();
        kinds.sort_by(|one, other| other.cmp(one));
        let kinds: String = kinds
            .into_iter()
            .map(|(quiet, all, kind)| format!("  {kind:40} {:>8.2} {all:>8}\n", quiet as f64 / quiet_turns))
            .collect();
        let kinds = format!("What these exchanges answered, a Turn of the fewest Rounds, and in all\n{kinds}");
        let games_played = if *games == 1 { "game" } else { "games" };
        format!("{title}, {players} players, {games} {games_played} by mail, {rounds} Rounds\n{lines}{kinds}")
    }
}

/// Returns the results of `wanted` for the lines of a game's journal.
fn lines<T>(finished: &Finished, mut wanted: impl FnMut(&Line<'_>) -> Option<T>) -> Result<Vec<T>, CliError> {
    let text = fs_err::read_to_string(&finished.journal)?;
    let mut all = Vec::new();
    for line in text.lines() {
        let line = Line::parse(line.as_bytes()).map_err(|why| CliError::Broken(why.to_string()))?;
        all.extend(wanted(&line));
    }
    Ok(all)
}

/// Returns the Turn of each Round.
fn turns(finished: &Finished) -> Result<Vec<u64>, CliError> {
    lines(finished, |line| match line.read_body() {
        Ok(Body::Round(round)) if round.round > 0 => Some(round.turn),
        _ => None,
    })
}

/// Returns the entry that begins the first Round.
fn first_round(finished: &Finished) -> Result<u64, CliError> {
    Ok(lines(finished, |line| (line.kind == "round").then_some(line.n))?.first().copied().unwrap_or_default())
}

/// Returns the number of players who joined by mail.
fn joined(finished: &Finished) -> Result<usize, CliError> {
    Ok(lines(finished, |line| (line.kind == "joined").then_some(()))?.len())
}

/// Returns the number of letters written after the first Round had begun.
fn letters_after(finished: &Finished, begun: u64) -> Result<usize, CliError> {
    let mut count = 0;
    for mailbox in fs_err::read_dir(&finished.mailboxes)? {
        let files = fs_err::read_dir(mailbox?.path().join("new"))?;
        let files: Vec<PathBuf> = files.map(|file| Ok(file?.path())).collect::<Result<_, CliError>>()?;
        for file in files {
            let raw = fs_err::read(file)?;
            let text = String::from_utf8_lossy(&raw);
            // X-Postrider-Head contains the game, the entry, and its hash.
            let head = text.lines().find_map(|line| line.strip_prefix("X-Postrider-Head: "));
            let entry = head.and_then(|head| head.split(' ').nth(1)?.parse::<u64>().ok());
            count += usize::from(entry.is_some_and(|entry| entry >= begun));
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_demo::{Demo, play_demo};
    use postrider_replay::Catalog;
    use postrider_test_games::auction::TOYS;

    /// In each Round of this game for three, all bid; that is one exchange if they need not wait
    /// for each other.
    #[test]
    fn exchanges_are_counted_on_the_longest_path() {
        let folder = tempfile::tempdir().unwrap();
        let demo = Demo {
            folder: folder.path().to_owned(),
            ruleset: "auction".to_owned(),
            seats: 3,
            seed: Some(5),
            ..Demo::default()
        };
        let finished = play_demo(&demo, Catalog::new(TOYS), &mut |_, _| {}).unwrap();
        assert_eq!(finished.exchanges.len(), finished.rounds + 1);
        assert!(finished.exchanges.is_sorted());
        let (longest, waits) = *finished.exchanges.last().unwrap();
        assert!(waits <= longest && waits > 0, "{waits} of {longest}");
        // The longest path has fewer mails than the game, because players also write at the same
        // time, and at least one per Round.
        assert!(longest < finished.written && longest >= finished.rounds, "{longest} of {}", finished.written);
        let mut cost = Cost { games: 1, players: 3, ..Cost::default() };
        cost.add(&finished).unwrap();
        assert_eq!((cost.rounds, cost.mails), (finished.rounds, finished.written - 3));
        assert!(cost.letters <= finished.delivered && cost.letters >= cost.mails, "{cost:?}");
        // Each exchange answered something.
        cost.count_quiet();
        assert_eq!(cost.answered.values().sum::<usize>(), cost.exchanges);
        assert_eq!(cost.answered_in_quiet_turns.values().sum::<usize>(), cost.exchanges_in_quiet_turns);
        assert_eq!(cost.answered.keys().collect::<Vec<_>>(), ["bid", "gift"], "{cost:?}");
        assert!(cost.exchanges <= cost.mails && cost.most_exchanges_in_a_round <= cost.exchanges, "{cost:?}");
    }

    #[test]
    fn turns_with_more_rounds_than_others_are_not_quiet() {
        let turn = |rounds, exchanges| Turn {
            rounds,
            exchanges,
            answered: BTreeMap::from([("action".to_owned(), exchanges)]),
        };
        let mut cost = Cost { turns: vec![turn(4, 7), turn(9, 31), turn(4, 6)], ..Cost::default() };
        cost.count_quiet();
        assert_eq!((cost.quiet_turns, cost.exchanges_in_quiet_turns), (2, 13));
        assert_eq!(cost.answered_in_quiet_turns, BTreeMap::from([("action".to_owned(), 13)]));
        let mut none = Cost::default();
        none.count_quiet();
        assert_eq!(none.quiet_turns, 0);
    }
}
