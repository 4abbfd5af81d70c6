//! The table of the refusals in a game's code, as its unit tests provoke them.

use crate::Refusal;
use std::{
    collections::BTreeSet,
    env, fs,
    io::Write,
    panic::Location,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, OnceLock, PoisonError},
};

/// The environment variable with the path of the file that [`log`] writes.
const LOG: &str = "POSTRIDER_REFUSALS";

/// Prefixes of tests to skip: tests of bots, helps, views and whole games, which are slow and do
/// not test refusals.
const OTHERS: &[&str] = &["bot::", "help::", "view::", "visibility::", "tests::games"];

/// The log file and the lines already in it.
struct Log {
    file: fs::File,
    seen: BTreeSet<String>,
}

/// Logs the location and the words of a refusal, each only once, if [`table`] started this process.
pub fn log(here: &'static Location<'static>, refusal: &Refusal) {
    static LOGGED: OnceLock<Option<Mutex<Log>>> = OnceLock::new();
    let open = || {
        let path = env::var_os(LOG)?;
        let file = fs::OpenOptions::new().append(true).open(path).expect("the log");
        Some(Mutex::new(Log { file, seen: BTreeSet::new() }))
    };
    let Some(logged) = LOGGED.get_or_init(open) else { return };
    let mut logged = logged.lock().unwrap_or_else(PoisonError::into_inner);
    let line = format!("{}:{}\t{}", here.file(), here.line(), refusal.to_string().replace('\n', " "));
    if !logged.seen.contains(&line) {
        writeln!(logged.file, "{line}").expect("the log");
        logged.seen.insert(line);
    }
}

/// Returns a row for each place in a game's sources that refuses an order: the file and the words
/// with the rule, the first in the alphabet of those that the unit tests of this program provoke,
/// or [`UNPROVOKED`]. Runs the tests again, except the caller and [`OTHERS`].
///
/// # Panics
///
/// Panics if those tests fail.
pub fn table(folder: &str, caller: &str) -> String {
    let log = env::temp_dir().join(format!("refusals-{}", std::process::id()));
    fs::write(&log, "").expect("a log");
    let program = env::current_exe().expect("this program");
    let skipped = OTHERS.iter().chain([&caller]).flat_map(|name| ["--skip", name]);
    let run = Command::new(program).args(skipped).env(LOG, &log).output().expect("its tests");
    let provoked = fs::read_to_string(&log).expect("the log");
    fs::remove_file(&log).expect("the log");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let provoked: BTreeSet<(&str, &str)> = provoked.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut sources = Vec::new();
    collect(Path::new(folder), &mut sources);
    sources.sort();
    assert!(!sources.is_empty(), "no sources in {folder}");
    let mut rows = Vec::new();
    for path in sources {
        let file = path.strip_prefix(folder).unwrap_or(&path).display();
        for line in sites(&fs::read_to_string(&path).expect("a source")) {
            let place = format!("{}:{line}", path.display());
            // Paths in the log are relative to the root of the workspace.
            let words = provoked.iter().find(|(at, _)| Path::new(&place).ends_with(at)).map(|(_, words)| *words);
            rows.push(format!("{file}: {}", words.unwrap_or(UNPROVOKED)));
        }
    }
    rows.join("\n")
}

/// The words of a row without a test.
pub const UNPROVOKED: &str = "no test provokes this";

/// Collects the Rust files of a folder that are not tests.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "testing");
        match path.is_dir() {
            _ if is_test => {}
            true => collect(&path, found),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Returns the numbers of the lines of a source that refuse something, up to its tests.
fn sites(text: &str) -> impl Iterator<Item = usize> + '_ {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).enumerate();
    let refuses = |line: &str| {
        let word = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !line.trim_start().starts_with("//") && line.split_once("refuse(").is_some_and(|(before, _)| !word(before))
    };
    code.filter(move |(_, line)| refuses(line)).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::sites;

    #[test]
    fn every_refusal_of_the_code_is_a_site() {
        let text = "use x::refuse;\n// refuse(\nif bad {\n    return refuse(\n}\nlet a = || x::refuse(\"1\", y);\n\
                    fn may_refuse() {}\nmay_refuse(1)\n#[cfg(test)]\nrefuse(\n";
        assert_eq!(sites(text).collect::<Vec<_>>(), [4, 6]);
    }
}
