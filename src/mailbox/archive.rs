//! Files that contain other files. Zip, gzip and tar are unpacked; other archives are recognized by
//! their first bytes and reported.

use std::{
    borrow::Cow,
    io::{self, Cursor, Read},
};

use serde::{Serialize, Serializer};

use super::mbox::{MAX_MAILS, MAX_SAVED_BYTES};

/// Maximum [`weight`] of all that is unpacked from one file of a mailbox, including nested
/// archives.
pub(super) const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// Number of bytes that each member of an archive counts besides its own, so that their number is
/// limited too.
const MEMBER: u64 = 16 * 1024;

/// Number of bytes that each line counts besides its own, since short lines take long to parse.
const LINE: u64 = 64;

/// Returns the number of bytes that a file or mail counts against a limit.
pub(super) fn weight(bytes: &[u8]) -> u64 {
    let ends = |end: u8| bytes.iter().filter(|&&byte| byte == end).count();
    bytes.len() as u64 + LINE * ends(b'\n').max(ends(b'\r')) as u64
}

/// Maximum nesting of archives within each other or within attachments of mails. A compressed tar
/// file counts as two.
pub const MOST_NESTED: usize = 6;

/// Maximum nesting of folders. Longer paths would be expensive, and no mail program nests folders
/// that deep.
pub(super) const MOST_FOLDERS: usize = 64;

/// Number of bytes at the start of a file that identify its format: the size of a tar header.
pub(super) const TELLING: usize = 512;

/// A part of a mailbox that was not read, so that its content is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotRead {
    /// Its path; in an archive, the archive's path and the name in it.
    pub place: String,
    /// The reason.
    pub why: Unreadable,
}

/// The reason a part of a mailbox was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is larger than any letter of a game.
    #[error("it has more than {} MiB, counting {LINE} bytes more for each line", MAX_SAVED_BYTES >> 20)]
    Large,
    /// A file with too many mails.
    #[error("it has more than {MAX_MAILS} mails")]
    Many,
    /// It has more header fields than are passed to the parser.
    #[error("it has too many header fields")]
    Fields,
    /// An archive or mail format that this program does not support.
    #[error("it is {0}, which this program does not open; unpack it or save its mails as files")]
    Closed(&'static str),
    /// An encrypted member of an archive.
    #[error("it is encrypted; unpack it first")]
    Locked,
    /// A malformed archive, or a malformed member of one.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// Too many nested archives.
    #[error("it is nested in more than {MOST_NESTED} archives")]
    Nested,
    /// Too many nested folders.
    #[error("it is nested in more than {MOST_FOLDERS} folders")]
    Deep,
    /// An archive that unpacks to too many bytes.
    #[error("it unpacks to more than {} MiB, counting {LINE} bytes more for each line", MAX_UNPACKED >> 20)]
    Unpacks,
    /// A member of an archive that is a link.
    #[error("it is a link")]
    Link,
    /// A pipe, a socket or a device.
    #[error("it is not a file")]
    Special,
    /// An error of the system.
    #[error("{0}")]
    Io(String),
}

impl Serialize for Unreadable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The format of a file according to its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Mails that each begin with a `From ` line.
    Mbox,
    Zip,
    Gzip,
    Tar,
    /// A format that may contain mails and is not supported, with its description.
    Closed(&'static str),
    /// Anything else: a mail, or a text read as one.
    Plain,
}

/// The first bytes of unsupported formats that may contain mails.
const CLOSED: [(&[u8], &str); 9] = [
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x1f\x9d", "a file packed by compress"),
    (b"!BDN", "an Outlook store"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Outlook message or a document of Office"),
    (b"\xcf\xad\x12\xfe", "a folder of Outlook Express"),
    (b"%PDF-", "a PDF"),
];

impl Form {
    /// Returns the format, given the first [`TELLING`] bytes.
    pub(super) fn of(start: &[u8]) -> Form {
        let is_bzip2 = start.starts_with(b"BZh") && start.get(4..10) == Some(b"1AY&SY");
        match start {
            _ if start.starts_with(b"From ") => Form::Mbox,
            _ if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") => Form::Zip,
            _ if start.starts_with(b"\x1f\x8b") => Form::Gzip,
            _ if start.get(257..262) == Some(b"ustar") => Form::Tar,
            _ if is_bzip2 => Form::Closed("a bzip2 archive"),
            _ => CLOSED
                .iter()
                .find(|(magic, _)| start.starts_with(magic))
                .map_or(Form::Plain, |(_, name)| Form::Closed(name)),
        }
    }

    /// Returns the format of a file.
    pub(super) fn of_file(bytes: &[u8]) -> Form {
        Form::of(&bytes[..bytes.len().min(TELLING)])
    }
}

/// Returns `true` if a file contains other files, in a supported format or not. A PDF does not: it
/// is at most the text of a mail, and many mails have one attached.
#[must_use]
pub fn is_archive(bytes: &[u8]) -> bool {
    match Form::of_file(bytes) {
        Form::Zip | Form::Gzip | Form::Tar => true,
        Form::Closed(name) => name != "a PDF",
        Form::Mbox | Form::Plain => false,
    }
}

/// A file from an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The archive's path and the name in it.
    pub(super) place: String,
    pub(super) bytes: Vec<u8>,
}

/// Returns the members of an archive in order. `left` is the number of bytes that may still be
/// unpacked.
pub(super) fn unpack(form: Form, place: &str, bytes: &[u8], left: &mut u64) -> Vec<Result<Member, NotRead>> {
    match form {
        Form::Zip => unzip(place, bytes, left),
        Form::Tar => untar(place, bytes, left),
        _ => vec![limited(flate2::read::MultiGzDecoder::new(bytes), place.to_owned(), left)],
    }
}

/// Counts one more member. Returns `false` if nothing more is unpacked.
fn counted(left: &mut u64) -> bool {
    let more = *left > 0;
    *left = left.saturating_sub(MEMBER);
    more
}

/// Reads one member completely.
fn limited(reader: impl Read, place: String, left: &mut u64) -> Result<Member, NotRead> {
    let mut bytes = Vec::new();
    // One more byte than allowed shows that the limit is exceeded. Nothing more is unpacked then,
    // since each further member could take as long.
    let why = match reader.take(*left + 1).read_to_end(&mut bytes) {
        Ok(_) => match left.checked_sub(weight(&bytes)) {
            Some(rest) => {
                *left = rest;
                return Ok(Member { place, bytes });
            }
            None => {
                *left = 0;
                Unreadable::Unpacks
            }
        },
        Err(error) => Unreadable::Damaged(error.to_string()),
    };
    Err(NotRead { place, why })
}

fn unzip(place: &str, bytes: &[u8], left: &mut u64) -> Vec<Result<Member, NotRead>> {
    let damaged = |place: String, why: &dyn ToString| NotRead { place, why: Unreadable::Damaged(why.to_string()) };
    let mut zip = match zip::ZipArchive::new(Cursor::new(bytes)) {
        Ok(zip) => zip,
        Err(why) => return vec![Err(damaged(place.to_owned(), &why))],
    };
    let mut all = Vec::new();
    // The library keeps only one of several members with the same name.
    if listed(bytes).is_some_and(|listed| listed != zip.len()) {
        all.push(Err(damaged(place.to_owned(), &"it holds several files with the same name")));
    }
    for at in 0..zip.len() {
        if !counted(left) {
            all.push(Err(NotRead { place: place.to_owned(), why: Unreadable::Unpacks }));
            break;
        }
        let name = zip.name_for_index(at).and_then(Result::ok).map_or_else(|| format!("{}", at + 1), Cow::into_owned);
        let place = within(place, &name);
        all.push(match zip.by_index_data(at).map(|file| (file.encrypted(), file.is_dir(), file.is_symlink())) {
            Ok((_, true, _)) => continue,
            Ok((true, ..)) => Err(NotRead { place, why: Unreadable::Locked }),
            Ok((.., true)) => Err(NotRead { place, why: Unreadable::Link }),
            Ok(_) => match zip.by_index(at) {
                Ok(file) => limited(file, place, left),
                Err(why) => Err(damaged(place, &why)),
            },
            Err(why) => Err(damaged(place, &why)),
        });
    }
    all
}

/// Returns the number of members according to the end record of a zip archive, or `None` if the
/// record cannot represent it.
fn listed(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06")?;
    let count = u16::from_le_bytes(bytes.get(end + 10..end + 12)?.try_into().ok()?);
    (count != u16::MAX).then_some(usize::from(count))
}

fn untar(place: &str, bytes: &[u8], left: &mut u64) -> Vec<Result<Member, NotRead>> {
    let damaged = |why: io::Error| Err(NotRead { place: place.to_owned(), why: Unreadable::Damaged(why.to_string()) });
    let mut tar = tar::Archive::new(bytes);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(why) => return vec![damaged(why)],
    };
    let mut all = Vec::new();
    for entry in entries {
        if !counted(left) {
            all.push(Err(NotRead { place: place.to_owned(), why: Unreadable::Unpacks }));
            break;
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(why) => {
                all.push(damaged(why));
                break;
            }
        };
        let place = within(place, &String::from_utf8_lossy(&entry.path_bytes()));
        let kind = entry.header().entry_type();
        if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
            all.push(limited(entry, place, left));
        } else if kind.is_symlink() || kind.is_hard_link() {
            all.push(Err(NotRead { place, why: Unreadable::Link }));
        } else if !(kind.is_dir() || kind.is_pax_global_extensions()) {
            all.push(Err(NotRead { place, why: Unreadable::Special }));
        }
    }
    all
}

/// Returns the path of a member of an archive.
fn within(archive: &str, name: &str) -> String {
    visible(&format!("{archive}/{}", name.trim_start_matches("./")))
}

/// Replaces control characters, so that a name can be shown in a terminal.
pub(super) fn visible(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn unpacked(bytes: &[u8], mut left: u64) -> Vec<Result<Member, NotRead>> {
        unpack(Form::of(bytes), "a", bytes, &mut left)
    }

    #[test]
    fn archives_are_told_by_their_first_bytes() {
        let zip = zipped(&[("x/1.eml", b"one"), ("2\x1b[2J", b"two")]);
        assert_eq!(Form::of(&zip), Form::Zip);
        let found: Vec<Member> = unpacked(&zip, 2 * MEMBER + 100).into_iter().map(Result::unwrap).collect();
        assert_eq!((found[0].place.as_str(), &found[0].bytes[..]), ("a/x/1.eml", &b"one"[..]));
        assert_eq!(found[1].place, "a/2\u{fffd}[2J", "no name reaches a terminal as it is");
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.set_size(3);
        header.set_entry_type(tar::EntryType::Regular);
        tar.append_data(&mut header, "./d/3.eml", &b"tri"[..]).unwrap();
        let mut link = tar::Header::new_ustar();
        link.set_size(0);
        link.set_entry_type(tar::EntryType::Symlink);
        tar.append_link(&mut link, "l", "d/3.eml").unwrap();
        let tar = tar.into_inner().unwrap();
        assert_eq!(Form::of(&tar), Form::Tar);
        let found = unpacked(&tar, 2 * MEMBER + 100);
        assert_eq!(found[0], Ok(Member { place: "a/d/3.eml".into(), bytes: b"tri".to_vec() }));
        assert_eq!(found[1], Err(NotRead { place: "a/l".into(), why: Unreadable::Link }));
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(&tar).unwrap();
        let gz = gz.finish().unwrap();
        assert_eq!(unpacked(&gz, 9_999)[0].as_ref().unwrap().bytes, tar);
        for (start, archive) in [(&b"Rar!\x1a\x07\0"[..], true), (b"%PDF-1.7", false), (b"BZh91AY&SY", true)] {
            assert!(matches!(Form::of(start), Form::Closed(_)));
            assert_eq!(is_archive(start), archive);
        }
        assert_eq!(
            (Form::of(b"From a@b"), Form::of(b"BZhello"), Form::of(b"")),
            (Form::Mbox, Form::Plain, Form::Plain)
        );
    }

    #[test]
    fn what_cannot_be_unpacked_is_named() {
        let zip = zipped(&[("1", b"one"), ("2", &[7; 50])]);
        let found = unpacked(&zip, 2 * MEMBER + 20);
        assert!(found[0].is_ok());
        assert_eq!(found[1], Err(NotRead { place: "a/2".into(), why: Unreadable::Unpacks }));
        let many: Vec<String> = (0..9).map(|n| n.to_string()).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let found = unpacked(&zipped(&many), 4 * MEMBER);
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(found[4], Err(NotRead { place: "a".into(), why: Unreadable::Unpacks }));
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(&[7; 9_999]).unwrap();
        let gz = gz.finish().unwrap();
        assert!(matches!(&unpacked(&gz, 99)[0], Err(NotRead { why: Unreadable::Unpacks, .. })));
        assert!(matches!(&unpacked(&gz[..gz.len() - 9], 99_999)[0], Err(NotRead { why: Unreadable::Damaged(_), .. })));
        assert!(matches!(&unpacked(b"PK\x03\x04 no", 9)[0], Err(NotRead { why: Unreadable::Damaged(_), .. })));
    }
}
