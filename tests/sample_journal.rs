//! The journals that the repository keeps: each is proved, by this program and by one that shares no code with it.
//!
//! None of them ever changes, and no component file that they name: a rule that would tell one otherwise is an amendment of
//! a later version. `POSTRIDER_NEW_SAMPLES=1 cargo test --release --test sample_journal` plays those samples that are not there
//! yet; they go into [`FROZEN`] then.

#[path = "checker/other.rs"]
mod other;

use other::Other;
use postrider::{
    audit::verify,
    demo::{Demo, play_demo},
    dice::{Hash, sha256},
    games::ruleset,
    replay::{Catalog, Source},
};
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::Once,
};

/// A finished game that the repository keeps as `journal/<id>.jsonl`.
struct Sample {
    id: &'static str,
    ruleset: &'static str,
    version: u32,
    scenario: Option<&'static str>,
    seats: u8,
}

const SAMPLES: [Sample; 13] = [
    Sample { id: "sample-geronimo", ruleset: "geronimo", version: 1, scenario: None, seats: 4 },
    Sample { id: "sample-geronimo-campaign", ruleset: "geronimo", version: 1, scenario: Some("campaign"), seats: 3 },
    Sample { id: "sample-geronimo-solitaire", ruleset: "geronimo", version: 1, scenario: Some("campaign"), seats: 1 },
    Sample { id: "sample-plains-indian-wars", ruleset: "plains-indian-wars", version: 1, scenario: None, seats: 4 },
    Sample { id: "sample-geronimo-2", ruleset: "geronimo", version: 2, scenario: None, seats: 4 },
    Sample { id: "sample-geronimo-campaign-2", ruleset: "geronimo", version: 2, scenario: Some("campaign"), seats: 3 },
    Sample { id: "sample-geronimo-solitaire-2", ruleset: "geronimo", version: 2, scenario: Some("campaign"), seats: 1 },
    Sample { id: "sample-plains-indian-wars-2", ruleset: "plains-indian-wars", version: 2, scenario: None, seats: 4 },
    Sample {
        id: "sample-dark-and-bloody-ground",
        ruleset: "dark-and-bloody-ground",
        version: 1,
        scenario: None,
        seats: 2,
    },
    Sample {
        id: "sample-dark-and-bloody-ground-battle",
        ruleset: "dark-and-bloody-ground",
        version: 1,
        scenario: Some("harmars-defeat"),
        seats: 2,
    },
    Sample {
        id: "sample-dark-and-bloody-ground-2",
        ruleset: "dark-and-bloody-ground",
        version: 2,
        scenario: None,
        seats: 2,
    },
    Sample {
        id: "sample-dark-and-bloody-ground-battle-2",
        ruleset: "dark-and-bloody-ground",
        version: 2,
        scenario: Some("harmars-defeat"),
        seats: 2,
    },
    Sample { id: "sample-rosebud-creek", ruleset: "rosebud-creek", version: 1, scenario: None, seats: 2 },
];

/// The seed that their dice, cards and players follow from.
const SEED: u64 = 1;

/// What never changes, with its SHA-256: the journals that are kept, and every component file that games were opened with. The
/// older ones of these lie beside the newest, in `components/`, and stand in `older_components` of their game.
const FROZEN: [(&str, &str); 17] = [
    ("journal/sample-geronimo-campaign.jsonl", "cdcb37480660303909449b9c43b43ca73e3e33cd213562332162485afeca4ae5"),
    ("journal/sample-geronimo-solitaire.jsonl", "def7c99cba55f2078b92225537aa2a8c21bf236a8456356280fb53aac865790a"),
    ("journal/sample-geronimo.jsonl", "913e92627fdc7479de27574017c5ea474d54af02cc9d88f3c5a5160a21d6439f"),
    ("journal/sample-plains-indian-wars.jsonl", "ff6695a4b5f1ccee9e2823fb1abcde80c99fb36fde4e8b3c75494b572fa6c4b0"),
    ("journal/sample-geronimo-2.jsonl", "6023f87ff67b94cb31698c043bbeadfd4b4bcf4f9979a96a66a1c14a0835bfd1"),
    ("journal/sample-geronimo-campaign-2.jsonl", "2049a14370f279c6b7835b5a329f8c12ab1a975a378656688cec82068c58c5c0"),
    ("journal/sample-geronimo-solitaire-2.jsonl", "807a5a4ed57fc56e74cc1676c4db64e945a721ab69a73d5554480930fefc6aad"),
    ("journal/sample-plains-indian-wars-2.jsonl", "3b126ad14edfd8241c02861c8d36e90e6e68fba26960fe32111017f6fb2cb084"),
    (
        "journal/sample-dark-and-bloody-ground-battle.jsonl",
        "b45218e18ba3371c7a4be3413738bc53671d8aa92ee7b342f0f596c8de3e8e61",
    ),
    ("journal/sample-dark-and-bloody-ground.jsonl", "d84761ba40b554592358d53c18031801b83051c70c60bb0e5d69f2333e3f5968"),
    (
        "journal/sample-dark-and-bloody-ground-2.jsonl",
        "d456aa3955c4e1792b1411e6451bc207872e3dfe112cda0e0a0f5e3c4b52bed7",
    ),
    (
        "journal/sample-dark-and-bloody-ground-battle-2.jsonl",
        "9d0d336fa678d77fd700605dcdf7d1a159032615e2cf683164205aa444df37ad",
    ),
    ("journal/sample-rosebud-creek.jsonl", "76fe7911b81b76db915b14676d435d49e66a004efafe0498b190da6cb724b827"),
    ("src/games/bloody_ground/components.toml", "384a4be10821f38b4c793c9542ab3cdb89d1e22aa47fe319f561f4b253763404"),
    ("src/games/geronimo/components.toml", "cadcdccfe129a476efc4dec2294ba69b76ced1cd25e537a3962203ce6aaeb897"),
    ("src/games/plains/components.toml", "517a7feee8aaa74fd038b83a694b07617e4d4793ad3d2c4e0e227752b44cb89c"),
    ("src/games/rosebud_creek/components.toml", "92f3ed4490896447908c51f821f1b9b7847a45d680d040e8ba0f17e543c91f85"),
];

fn hash(text: &str) -> Hash {
    text.parse().unwrap_or_else(|_| panic!("{text} is no hash"))
}

/// Every journal in `journal/`, sorted; samples that are not there are played before if that is wanted.
fn journals() -> Vec<PathBuf> {
    static RENEWED: Once = Once::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("journal");
    RENEWED.call_once(|| {
        if env::var_os("POSTRIDER_NEW_SAMPLES").is_some() {
            let path = |sample: &Sample| folder.join(sample.id).with_extension("jsonl");
            for sample in SAMPLES.iter().filter(|sample| !path(sample).exists()) {
                fs::write(path(sample), play(sample)).unwrap();
            }
        }
    });
    let mut journals: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    journals.retain(|path| path.extension().is_some_and(|ext| ext == "jsonl"));
    journals.sort();
    for Sample { id, .. } in &SAMPLES {
        assert!(journals.iter().any(|path| path.file_stem().is_some_and(|stem| stem == *id)), "{id} is there");
    }
    journals
}

/// Plays a sample by mail and gives its journal.
fn play(sample: &Sample) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo {
        folder: folder.path().to_owned(),
        ruleset: sample.ruleset.to_owned(),
        id: Some(sample.id.to_owned()),
        seats: sample.seats,
        seed: Some(SEED),
        scenario: sample.scenario.map(str::to_owned),
        version: Some(sample.version),
        options: [].into(),
        clock: None,
        most: None,
        bot: None,
        pictures: false,
        standing: false,
    };
    let finished = play_demo(&demo, Catalog::released(), &mut |_, _| {}).unwrap();
    assert!(finished.over);
    fs::read(finished.journal).unwrap()
}

#[test]
fn every_journal_is_proved_by_the_version_that_it_names() {
    for path in journals() {
        let report = verify(&Source::from(path.as_path()), &Catalog::released(), |_| ()).unwrap();
        assert_eq!(report.status, 0, "{}: {report}", path.display());
        assert!(report.lines > 0, "{}", path.display());
        let named = report.rules.clone().unwrap();
        let sample = SAMPLES.iter().find(|sample| sample.id == report.game).unwrap();
        assert_eq!((named.name.as_str(), named.version), (sample.ruleset, u64::from(sample.version)));
        let said = format!("Rules {} version {}, component file {}\n", named.name, named.version, named.components);
        assert!(report.to_string().contains(&said), "{report}");
    }
}

#[test]
fn what_was_released_never_changes() {
    for (path, frozen) in FROZEN {
        let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        assert_eq!(sha256(&bytes), hash(frozen), "{path} is frozen: games under way rest on it");
    }
    let frozen: BTreeSet<PathBuf> = FROZEN.iter().map(|(path, _)| PathBuf::from(path)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in journals() {
        assert!(frozen.contains(path.strip_prefix(root).unwrap()), "{} is not in the list", path.display());
    }
}

/// Journals name component files by their hashes: each that was ever released is found.
#[test]
fn every_component_file_is_found_by_its_hash() {
    let catalog = Catalog::released();
    for (game, folder) in [
        ("geronimo", "geronimo"),
        ("plains-indian-wars", "plains"),
        ("dark-and-bloody-ground", "bloody_ground"),
        ("rosebud-creek", "rosebud_creek"),
    ] {
        let ruleset = ruleset(game).unwrap();
        let of_game = |path: &str| path.starts_with(&format!("src/games/{folder}/"));
        let frozen: Vec<Hash> = FROZEN.iter().filter(|(path, _)| of_game(path)).map(|(_, text)| hash(text)).collect();
        for &file in &frozen {
            let text = catalog.components(ruleset, file).unwrap_or_else(|| panic!("{game} has no file {file}"));
            assert_eq!(sha256(text.as_bytes()), file);
        }
        let newest = sha256(ruleset.components().as_bytes());
        assert!(frozen.contains(&newest), "the component file of new games of {game} is not in the list");
    }
}

#[test]
fn the_other_checker_agrees() {
    let mut other = Other::start();
    for path in journals() {
        let journal = fs::read_to_string(&path).expect("a sample");
        let (status, said) = other.says(&journal, &[]).expect("it does not break");
        assert_eq!(status, 0, "{}: {said}", path.display());
    }
}
