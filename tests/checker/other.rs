//! The independent checker (`tests/checker.py`), which shares no code with this program, started
//! once for many journals.

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
    thread,
};
use tempfile::TempDir;

/// The independent checker as a process that checks one journal after the other.
pub struct Other {
    folder: TempDir,
    python: Child,
    broken: bool,
}

/// Answers each line, a list of arguments of the checker, with its status and output. Many journals
/// have the same letters, so the validity of a signature is cached for each key, text and
/// signature.
const OTHER: &str = "\
import contextlib, functools, io, json, sys
sys.path.insert(0, sys.argv[1])
import checker
checker.signed = functools.lru_cache(None)(checker.signed)
for line in sys.stdin:
    sys.argv[1:] = json.loads(line)
    said = io.TextIOWrapper(io.BytesIO(), 'utf-8')
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = checker.main()
    said.flush()
    print(json.dumps([status, said.buffer.getvalue().decode()]), flush=True)
";

impl Other {
    pub fn start() -> Other {
        let folder = tempfile::tempdir().expect("there is room");
        let mut python = Command::new("python3");
        python.args(["-B", "-c", OTHER, concat!(env!("CARGO_MANIFEST_DIR"), "/tests")]);
        let python = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python 3 is there");
        Other { folder, python, broken: false }
    }

    /// Checks a journal with these additional arguments; returns status and output, or an error if
    /// the checker failed.
    pub fn says(&mut self, journal: impl AsRef<[u8]>, more: &[String]) -> Result<(i64, String), String> {
        let path = self.folder.path().join("journal.jsonl");
        fs::write(&path, journal).expect("there is room");
        let mut arguments = vec![path.display().to_string()];
        arguments.extend_from_slice(more);
        let answer = self.answer(&serde_json::json!(arguments).to_string());
        self.broken |= answer.is_err();
        answer.map_err(|why| format!("the other checker broke: {why}"))
    }

    fn answer(&mut self, line: &str) -> Result<(i64, String), String> {
        let input = self.python.stdin.as_mut().expect("a pipe");
        writeln!(input, "{line}").map_err(|why| why.to_string())?;
        let output = self.python.stdout.as_mut().expect("a pipe");
        match serde_json::Deserializer::from_reader(output).into_iter().next() {
            Some(answer) => answer.map_err(|why| why.to_string()),
            None => Err(format!("{:?}", self.python.wait())),
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.python.stdin.take());
        let ended = self.python.wait();
        let said = self.broken || thread::panicking();
        assert!(said || ended.expect("it is our own").success(), "it ends in good order");
    }
}
