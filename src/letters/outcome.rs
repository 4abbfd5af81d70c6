//! The outcome of a game, as told to all readers.

use super::{Block, Column, Section, Table};
use postrider_table::{Outcome, Seat};

/// Returns the outcome: a ranking table, if the game ranks its seats, and a sentence with the
/// winner and the reason.
pub fn outcome(outcome: &Outcome, named: impl Fn(Seat) -> String) -> Vec<Section> {
    let sentence = Block::paragraph(outcome.in_words(&named), 1);
    let ranking = outcome.ranking();
    let (Some(counted), Some(first)) = (outcome.counted(), ranking.first()) else {
        return vec![Section::of([sentence])];
    };
    let parts = ranking.iter().any(|one| one.part().is_some());
    let part = parts.then(|| Column::words("Plays"));
    let names = first.figures.iter().map(|(name, _)| *name);
    let columns = [Column::numbers("Place"), Column::words("Player")];
    let numbers = std::iter::once(counted.name).chain(names).map(Column::numbers);
    let mut table = Table::new(1, columns.into_iter().chain(part).chain(numbers));
    for one in ranking {
        let part = parts.then(|| one.part().unwrap_or_default().to_owned());
        let numbers = std::iter::once(one.points).chain(one.figures.iter().map(|(_, value)| *value));
        let place = [format!("{}.", one.rank), named(one.seat)];
        table.row(place.into_iter().chain(part).chain(numbers.map(|number| number.to_string())));
    }
    vec![Section::of([Block::Table(table)]), Section::of([sentence])]
}
