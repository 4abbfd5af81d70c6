//! Which rules and component files are at hand to replay a journal with.

use super::source::Source;
use postrider_dice::{Hash, sha256};
use postrider_journal::{self as journal, Line};
use postrider_orders::list_and;
use postrider_table::{Chance, DynGame, Ruleset, Setup, SetupFault, Watch};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// The rulesets of this release and the component files to go with them.
#[derive(Clone)]
pub struct Catalog {
    rulesets: &'static [&'static dyn Ruleset],
    owners: Vec<Arc<str>>,
    /// Folders in which the journals of parents may lie, each as `<game>.jsonl`.
    folders: Vec<PathBuf>,
    /// Journals of parents that were given by themselves.
    parents: Vec<Source>,
    /// Other places in which they may be.
    shelves: Vec<Shelf>,
    /// How many forks led from the journal that was asked for to the one that is being read.
    forks: usize,
}

/// Gives the journal of a game, if it has it.
type Shelf = Arc<dyn Fn(&str) -> Option<Source> + Send + Sync>;

/// Why a game cannot be set up again from its `opened` line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogFault {
    /// The ruleset is not part of this release.
    #[error("this release has no ruleset \"{0}\"")]
    NoRuleset(String),
    /// The journal needs another release.
    #[error("the journal needs version {wanted} of the ruleset \"{name}\"; this release has {}", list_and(known))]
    NoVersion {
        /// The ruleset.
        name: String,
        /// The version that the journal names.
        wanted: u64,
        /// The versions of this release, the newest first.
        known: Vec<String>,
    },
    /// The component file is an owner's own and was not given.
    #[error("the component file with SHA-256 {0} is not at hand")]
    NoComponents(Hash),
    /// The options are not an object of plain values.
    #[error("the options cannot be read: {0}")]
    Options(String),
    /// The ruleset refuses the set-up.
    #[error("the ruleset refuses this set-up: {0}")]
    Setup(#[from] SetupFault),
}

/// What an `opened` line says, with the rules found.
#[derive(Clone)]
pub struct Opened {
    /// The rules.
    pub ruleset: &'static dyn Ruleset,
    /// Set-up, components included.
    pub setup: Setup,
    /// SHA-256 of the components.
    pub components: Hash,
    /// The seats' names in the journal; `Seat(0)` is the first.
    pub seats: Vec<String>,
    /// Those of the seats that the operator holds.
    pub operator_seats: Vec<String>,
    /// The service's public key.
    pub key: Hash,
    /// The tips of the first chains, by label.
    pub chains: BTreeMap<String, Hash>,
    /// How deadlines are counted, canonical JSON.
    pub clock: String,
    /// The line of another game from which this one goes on, if it is a fork.
    pub parent: Option<journal::Parent<'static>>,
}

impl Opened {
    /// Sets the game up and runs it to its first questions.
    pub fn open(&self, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        self.ruleset.open(&self.setup, chance, watch)
    }
}

impl Catalog {
    /// These rulesets and their built-in components.
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
    /// Adds a folder in which parents of forks are looked for, by the name `<game>.jsonl`.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Catalog {
        self.folders.push(folder.into());
        self
    }
    /// Adds a place in which parents of forks are looked for by their ids.
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
    /// The same for reading the parent of what was read with this one; `None` after `most` forks.
    pub fn older(&self, most: usize) -> Option<Catalog> {
        (self.forks < most).then(|| Catalog { forks: self.forks + 1, ..self.clone() })
    }
    /// The journal of this game: one that was given by itself, else one of the folders.
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
    /// The newest rules of this name, which new games open with.
    #[must_use]
    pub fn ruleset(&self, name: &str) -> Option<&'static dyn Ruleset> {
        self.rulesets.iter().copied().find(|ruleset| ruleset.name() == name)
    }
    /// The rules of this name and version, which a journal names.
    ///
    /// # Errors
    /// [`CatalogFault::NoRuleset`] or [`CatalogFault::NoVersion`] when this release does not have them.
    pub fn version(&self, name: &str, wanted: u64) -> Result<&'static dyn Ruleset, CatalogFault> {
        let newest = self.ruleset(name).ok_or_else(|| CatalogFault::NoRuleset(name.to_owned()))?;
        let versions = || std::iter::once(newest).chain(newest.earlier().iter().copied());
        versions().find(|rules| u64::from(rules.version()) == wanted).ok_or_else(|| CatalogFault::NoVersion {
            name: name.to_owned(),
            wanted,
            known: versions().map(|rules| rules.version().to_string()).collect(),
        })
    }
    /// The component text with this hash: an owner's, or the built-in one of these rules.
    #[must_use]
    pub fn components(&self, ruleset: &'static dyn Ruleset, hash: Hash) -> Option<Arc<str>> {
        let is_it = |text: &str| sha256(text.as_bytes()) == hash;
        let own = self.owners.iter().find(|text| is_it(text)).cloned();
        own.or_else(|| Some(ruleset.components()).filter(|text| is_it(text)).map(Arc::from))
    }
    /// Finds what an `opened` line names.
    ///
    /// # Errors
    /// [`CatalogFault`] when something of it is not at hand.
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
