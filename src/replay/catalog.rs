//! The rulesets and component files available for replaying journals.

use super::source::Source;
use postrider_dice::{Hash, sha256};
use postrider_journal::{self as journal, Line};
use postrider_orders::list_and;
use postrider_table::{Chance, DynGame, Ruleset, Setup, SetupFault, Watch};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// The rulesets of this release, component files, and places that hold journals of forks' parents.
#[derive(Clone)]
pub struct Catalog {
    rulesets: &'static [&'static dyn Ruleset],
    owners: Vec<Arc<str>>,
    /// Folders that may contain the journals of parents, each as `<game>.jsonl`.
    folders: Vec<PathBuf>,
    /// Journals of parents that were passed in directly.
    parents: Vec<Source>,
    /// Other places that may have the journals of parents.
    shelves: Vec<Shelf>,
    /// The number of forks between the journal that was requested and the one being read.
    forks: usize,
}

/// Returns the journal of a game, or `None` if it does not have it.
type Shelf = Arc<dyn Fn(&str) -> Option<Source> + Send + Sync>;

/// An error in setting up a game from its `opened` line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogFault {
    /// This release does not have the ruleset.
    #[error("this release has no ruleset \"{0}\"")]
    NoRuleset(String),
    /// This release does not have the version that the journal needs.
    #[error("the journal needs version {wanted} of the ruleset \"{name}\"; this release has {}", list_and(known))]
    NoVersion {
        /// The ruleset.
        name: String,
        /// The version named by the journal.
        wanted: u64,
        /// The versions of this release, newest first.
        known: Vec<String>,
    },
    /// The component file is not built in and was not provided.
    #[error("the component file with SHA-256 {0} is missing")]
    NoComponents(Hash),
    /// The options are not an object of plain values.
    #[error("the options cannot be read: {0}")]
    Options(String),
    /// The ruleset rejects the set-up.
    #[error("the ruleset refuses this set-up: {0}")]
    Setup(#[from] SetupFault),
}

/// The contents of an `opened` line, with the rules and components resolved.
#[derive(Clone)]
pub struct Opened {
    /// The ruleset.
    pub ruleset: &'static dyn Ruleset,
    /// The set-up, including components.
    pub setup: Setup,
    /// SHA-256 of the components.
    pub components: Hash,
    /// The seats' names in the journal; `Seat(0)` is the first.
    pub seats: Vec<String>,
    /// The names of the seats played by the operator.
    pub operator_seats: Vec<String>,
    /// The service's public key.
    pub key: Hash,
    /// The tips of the first seed chains, by label.
    pub chains: BTreeMap<String, Hash>,
    /// The deadline terms as canonical JSON.
    pub clock: String,
    /// For a fork, the line of another game from which this one continues.
    pub parent: Option<journal::Parent<'static>>,
}

impl Opened {
    /// Sets up the game and runs the rules to their first questions.
    pub fn open(&self, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        self.ruleset.open(&self.setup, chance, watch)
    }
}

impl Catalog {
    /// Creates a catalog of these rulesets and their built-in components.
    #[must_use]
    pub fn new(rulesets: &'static [&'static dyn Ruleset]) -> Catalog {
        Catalog {
            rulesets,
            owners: Vec::new(),
            folders: Vec::new(),
            parents: Vec::new(),
            shelves: Vec::new(),
            forks: 0,
        }
    }
    /// Adds an owner's component file.
    #[must_use]
    pub fn with_components(mut self, text: impl Into<Arc<str>>) -> Catalog {
        self.owners.push(text.into());
        self
    }
    /// Adds a folder that is searched for parents of forks, under the name `<game>.jsonl`.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Catalog {
        self.folders.push(folder.into());
        self
    }
    /// Adds a function that looks up parents of forks by their ids.
    #[must_use]
    pub fn with_shelf(mut self, shelf: impl Fn(&str) -> Option<Source> + Send + Sync + 'static) -> Catalog {
        self.shelves.push(Arc::new(shelf));
        self
    }
    /// Adds the journal of a fork's parent.
    #[must_use]
    pub fn with_parent(mut self, journal: Source) -> Catalog {
        self.parents.push(journal);
        self
    }
    /// Returns this catalog for reading the parent of a journal; `None` after `most` forks.
    pub fn older(&self, most: usize) -> Option<Catalog> {
        (self.forks < most).then(|| Catalog { forks: self.forks + 1, ..self.clone() })
    }
    /// Returns the journal of a game: one passed in directly, or else from the folders, or else
    /// from the shelves.
    #[must_use]
    pub fn journal(&self, game: &str) -> Option<Source> {
        let is_of = |source: &&Source| {
            let mut lines = source.lines().ok()?;
            Some(Line::parse(lines.next_line().ok()??).ok()?.opened_game()? == game)
        };
        let given = self.parents.iter().find(|source| is_of(source) == Some(true)).cloned();
        let given = given.or_else(|| {
            let paths = self.folders.iter().map(|folder| folder.join(format!("{game}.jsonl")));
            paths.filter(|path| path.is_file()).map(Source::File).next()
        });
        given.or_else(|| self.shelves.iter().find_map(|shelf| shelf(game)))
    }
    /// Returns the newest version of a ruleset, which new games use.
    #[must_use]
    pub fn ruleset(&self, name: &str) -> Option<&'static dyn Ruleset> {
        self.rulesets.iter().copied().find(|ruleset| ruleset.name() == name)
    }
    /// Returns the version of a ruleset that a journal names.
    ///
    /// # Errors
    /// Returns [`CatalogFault::NoRuleset`] or [`CatalogFault::NoVersion`] if this release does not
    /// have it.
    pub fn version(&self, name: &str, wanted: u64) -> Result<&'static dyn Ruleset, CatalogFault> {
        let newest = self.ruleset(name).ok_or_else(|| CatalogFault::NoRuleset(name.to_owned()))?;
        let versions = || std::iter::once(newest).chain(newest.earlier().iter().copied());
        versions().find(|rules| u64::from(rules.version()) == wanted).ok_or_else(|| CatalogFault::NoVersion {
            name: name.to_owned(),
            wanted,
            known: versions().map(|rules| rules.version().to_string()).collect(),
        })
    }
    /// Returns the component text with this hash: one that was provided, or the built-in one of the
    /// ruleset.
    #[must_use]
    pub fn components(&self, ruleset: &'static dyn Ruleset, hash: Hash) -> Option<Arc<str>> {
        let is_it = |text: &str| sha256(text.as_bytes()) == hash;
        let own = self.owners.iter().find(|text| is_it(text)).cloned();
        own.or_else(|| Some(ruleset.components()).filter(|text| is_it(text)).map(Arc::from))
    }
    /// Resolves the rules and components that an `opened` line names.
    ///
    /// # Errors
    /// Returns a [`CatalogFault`] if one of them is not available or the options are invalid.
    pub fn find(&self, opened: &journal::Opened<'_>) -> Result<Opened, CatalogFault> {
        let ruleset = self.version(&opened.ruleset.name, opened.ruleset.version)?;
        let hash = opened.ruleset.components;
        let components = self.components(ruleset, hash).ok_or(CatalogFault::NoComponents(hash))?;
        let options = opened.options.parse().map_err(|why| CatalogFault::Options(why.to_string()))?;
        let seats = opened.seats.len();
        let seats = u8::try_from(seats).map_err(|_| SetupFault::Seats(seats))?;
        let names = |list: &[journal::Text<'_>]| list.iter().map(ToString::to_string).collect();
        Ok(Opened {
            ruleset,
            setup: Setup { seats, scenario: opened.scenario.to_string(), options, components },
            components: hash,
            seats: names(&opened.seats),
            operator_seats: names(&opened.operator_seats),
            key: opened.key,
            chains: opened.chains.iter().map(|(label, &tip)| (label.to_string(), tip)).collect(),
            clock: opened.clock.get().to_owned(),
            parent: opened.parent.as_deref().map(journal::Parent::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_test_games::raffle::RAFFLE;

    #[test]
    fn rules_are_found_by_name_and_version() {
        let catalog = Catalog::new(RAFFLE);
        assert_eq!(catalog.ruleset("raffle").unwrap().version(), 2);
        for version in [1, 2] {
            assert_eq!(u64::from(catalog.version("raffle", version).unwrap().version()), version);
        }
        let fault = |name, version| catalog.version(name, version).err().unwrap().to_string();
        assert_eq!(fault("lottery", 1), "this release has no ruleset \"lottery\"");
        let wanted = "the journal needs version 3 of the ruleset \"raffle\"; this release has 2 and 1";
        assert_eq!(fault("raffle", 3), wanted);
    }

    #[test]
    fn component_files_are_found_by_their_hashes() {
        let catalog = Catalog::new(RAFFLE);
        let [old, new] = [1, 2].map(|version| catalog.version("raffle", version).unwrap());
        let found = |catalog: &Catalog, rules, text: &str| catalog.components(rules, sha256(text.as_bytes()));
        for (rules, other) in [(old, new), (new, old)] {
            assert_eq!(found(&catalog, rules, rules.components()).as_deref(), Some(rules.components()));
            assert_eq!(found(&catalog, rules, other.components()), None);
        }
        let own = "tickets = 9\n";
        assert_eq!(found(&catalog, new, own), None);
        assert_eq!(found(&catalog.with_components(own), new, own).as_deref(), Some(own));
    }
}
