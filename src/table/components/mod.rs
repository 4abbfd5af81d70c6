//! Component files: the pieces of a game as TOML, read into a game's own tables with every fault named where it stands.
//!
//! A game gives [`read`] the keys of its file and a function that makes its pieces of the rows; the [`Reader`] notes what is
//! missing, misspelt, out of range or named twice, and goes on, so that an owner of the box sees all that is wrong at once.

mod fault;
mod read;

pub use self::{
    fault::{ComponentFault, Fault, FaultKind},
    read::{Reader, Row, Seen, Word},
};
use toml::de::DeTable;

/// Reads a component file with these keys; `file_name` only names it in messages.
///
/// # Errors
/// [`ComponentFault`] with all that is wrong: text that is no TOML, or what `build` and its reader noted.
pub fn read<'t, T>(
    text: &'t str,
    file_name: &str,
    keys: &[&'static str],
    build: impl FnOnce(&mut Reader<'t>, Row<'_, 't>) -> T,
) -> Result<T, ComponentFault> {
    let fail = |mut faults: Vec<Fault>| {
        faults.sort_by_key(|fault| (fault.line, fault.column));
        ComponentFault { file: file_name.to_owned(), faults }
    };
    let mut reader = Reader::new(text);
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            reader.fault(&span, "file", FaultKind::Syntax(error.message().to_owned()));
        }
        return Err(fail(reader.faults));
    }
    let file = reader.open("", document.get_ref(), 0..0, keys);
    let pieces = build(&mut reader, file);
    if reader.faults.is_empty() { Ok(pieces) } else { Err(fail(reader.faults)) }
}
