//! The finished games under `journal/`: one for each scenario, number of players and set of
//! optional rules of every game. Each is replayed by its rules, and some are read by the
//! independent checker. `journal/README.md` explains how they are written.

use crate::samples;
use chrono::{DateTime, Duration, Utc};
use flate2::{Compression, write::GzEncoder};
use postrider::{
    audit::verify,
    dice::sha256,
    games::rulesets,
    journal::{Body, Line},
    office::{Environment, Invitee, NewGame, Office},
    replay::{Catalog, Source},
    store::Host,
    table::{Ruleset, Setup, every_setup},
};
use std::{
    collections::BTreeSet,
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// A finished game, stored as `journal/<rules>-<version>/<id>.jsonl.gz`.
struct Sample {
    rules: &'static dyn Ruleset,
    id: String,
    setup: Setup,
}

impl Sample {
    fn new(rules: &'static dyn Ruleset, setup: Setup) -> Sample {
        let id = samples::id(rules, &setup);
        Sample { rules, id, setup }
    }
    fn name(&self) -> String {
        format!("{}-{}/{}", self.rules.name(), self.rules.version(), self.id)
    }
    /// Plays the game with the random bot. Dice and bots depend only on the rules and the name, so
    /// that two versions can be compared.
    fn play(&self) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let [a, b, c, d, ..] = sha256(format!("{}/{}", self.rules.name(), self.id).as_bytes()).0;
        let start: DateTime<Utc> = DateTime::UNIX_EPOCH + Duration::days(20_000);
        let environment = Environment::fixed(u32::from_be_bytes([a, b, c, d]).into(), start);
        let host = Host::open_or_create(folder.path()).expect("a host's folder");
        let mut office =
            Office::open(host, Catalog::new(postrider::games::rulesets()), environment).expect("an office");
        let bot: Invitee = "bot:random".parse().expect("a bot");
        let new = NewGame {
            ruleset: self.rules.name().to_owned(),
            id: Some(self.id.clone()),
            scenario: Some(self.setup.scenario.clone()),
            options: self.setup.options.clone(),
            players: vec![bot; self.setup.seats.into()],
            ..NewGame::default()
        };
        office.new_game(&new).unwrap_or_else(|why| panic!("{}: {why}", self.name()));
        assert!(office.open_game(&self.id).expect("a game").closed, "{}: bots play by themselves", self.name());
        fs::read(office.host().journal(&self.id)).expect("a journal")
    }
}

/// Returns the samples of these rules. For each scenario there is one for every number of players
/// without optional rules, and one with each optional rule alone and with as many as possible
/// together, each with the next number of players in turn.
fn of_rules(rules: &'static dyn Ruleset) -> Vec<Sample> {
    let all = every_setup(rules);
    let (mut chosen, mut turn) = (Vec::new(), 0);
    for scenario in rules.scenarios() {
        let here: Vec<&Setup> = all.iter().filter(|setup| setup.scenario == *scenario).collect();
        let most = here.iter().map(|setup| setup.options.len()).max();
        let sets: BTreeSet<Vec<&String>> = here.iter().map(|setup| setup.options.keys().collect()).collect();
        for set in sets {
            let open: Vec<&Setup> = here.iter().copied().filter(|setup| setup.options.keys().eq(set.clone())).collect();
            match set.len() {
                0 => chosen.extend(open.into_iter().cloned()),
                n if n == 1 || Some(n) == most => {
                    chosen.push(open[turn % open.len()].clone());
                    turn += 1;
                }
                _ => {}
            }
        }
    }
    chosen.into_iter().map(|setup| Sample::new(rules, setup)).collect()
}

/// Returns every sample, including those of frozen versions.
fn samples() -> Vec<Sample> {
    let versions = rulesets().iter().flat_map(|rules| std::iter::once(*rules).chain(rules.earlier().iter().copied()));
    versions.flat_map(of_rules).collect()
}

/// Processes the samples on all cores.
fn each(samples: &[Sample], work: impl Fn(&Sample) + Sync) {
    let next = AtomicUsize::new(0);
    let one_by_one = || {
        while let Some(sample) = samples.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(sample);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(one_by_one);
        }
    });
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("journal")
}

fn path(name: &str) -> PathBuf {
    folder().join(format!("{name}.jsonl.gz"))
}

fn writes() -> bool {
    env::var_os("POSTRIDER_WRITE_JOURNALS").is_some()
}

fn write(sample: &Sample) {
    let (path, journal) = (path(&sample.name()), sample.play());
    if path.exists() && samples::read(&sample.name()) == journal {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder of its rules")).expect("journal/ can be written");
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&journal).expect("memory");
    fs::write(path, packed.finish().expect("memory")).expect("journal/ can be written");
}

fn kept() -> BTreeSet<PathBuf> {
    let entries = |path: &Path| fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries(&folder()).filter(|path| path.is_dir()).flat_map(|path| entries(&path)).collect()
}

#[test]
fn every_way_to_play_has_a_sample_and_no_other_journal_is_kept() {
    let all = samples();
    if writes() {
        let newest: Vec<Sample> = rulesets().iter().flat_map(|rules| of_rules(*rules)).collect();
        each(&newest, write);
    }
    let wanted: BTreeSet<PathBuf> = all.iter().map(|sample| path(&sample.name())).collect();
    assert_eq!(wanted.len(), all.len(), "each has a name of its own");
    if writes() {
        kept().difference(&wanted).for_each(|path| fs::remove_file(path).expect("journal/ can be written"));
    }
    assert_eq!(kept(), wanted);
}

#[test]
fn every_sample_comes_out_as_it_did() {
    if writes() {
        return;
    }
    each(&samples(), |sample| {
        let (name, journal) = (sample.name(), samples::read(&sample.name()));
        let report = verify(&Source::from(&journal[..]), &Catalog::new(postrider::games::rulesets()), |_| ())
            .expect("it is read");
        assert_eq!(report.status, 0, "{name}: {report}");
        let first = journal.split(|&byte| byte == b'\n').next().expect("a line");
        let Body::Opened(opened) = Line::parse(first).expect("a line").read_body().expect("a body") else {
            panic!("{name} does not begin with `opened`");
        };
        let found = Catalog::new(postrider::games::rulesets()).find(&opened).expect("its rules are there");
        assert_eq!((found.ruleset.name(), found.ruleset.version()), (sample.rules.name(), sample.rules.version()));
        let Setup { seats, scenario, options, .. } = found.setup;
        let wanted = &sample.setup;
        assert_eq!((seats, &scenario, &options), (wanted.seats, &wanted.scenario, &wanted.options), "{name}");
    });
}
