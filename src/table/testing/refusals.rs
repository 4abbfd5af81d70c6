//! Detection of refusals in a game's code that no unit test provokes.

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

/// The log file and the locations already in it, which are logged only once.
struct Log {
    file: fs::File,
    seen: BTreeSet<(&'static str, u32)>,
}

/// Logs the location of a refusal, once per location, if [`unprovoked`] started this process.
pub fn log(here: &'static Location<'static>) {
    static LOGGED: OnceLock<Option<Mutex<Log>>> = OnceLock::new();
    let open = || {
        let path = env::var_os(LOG)?;
        let file = fs::OpenOptions::new().append(true).open(path).expect("the log");
        Some(Mutex::new(Log { file, seen: BTreeSet::new() }))
    };
    let Some(logged) = LOGGED.get_or_init(open) else { return };
    let mut logged = logged.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.seen.insert((here.file(), here.line())) {
        writeln!(logged.file, "{}:{}", here.file(), here.line()).expect("the log");
    }
}

/// Returns the locations in a game's sources that refuse an order but are not reached by any unit
/// test of this program, as `file:line`. Runs the tests again, except the caller and [`OTHERS`].
///
/// # Panics
///
/// Panics if those tests fail.
pub fn unprovoked(folder: &str, caller: &str) -> Vec<String> {
    let log = env::temp_dir().join(format!("refusals-{}", std::process::id()));
    fs::write(&log, "").expect("a log");
    let program = env::current_exe().expect("this program");
    let skipped = OTHERS.iter().chain([&caller]).flat_map(|name| ["--skip", name]);
    let run = Command::new(program).args(skipped).env(LOG, &log).output().expect("its tests");
    let provoked = fs::read_to_string(&log).expect("the log");
    fs::remove_file(&log).expect("the log");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let provoked: BTreeSet<&str> = provoked.lines().collect();
    let mut sources = Vec::new();
    collect(Path::new(folder), &mut sources);
    assert!(!sources.is_empty(), "no sources in {folder}");
    let mut left = Vec::new();
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        for line in sites(&text) {
            let place = format!("{}:{line}", path.display());
            // Paths in the log are relative to the root of the workspace.
            if !provoked.iter().any(|log| Path::new(&place).ends_with(log)) {
                left.push(place);
            }
        }
    }
    left
}

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
