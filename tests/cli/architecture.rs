//! The layers of docs/architecture.md hold: no import runs upwards, and every folder says in a sentence what it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// What inside `office` may know what: each only those before it.
const OFFICE: [&str; 8] = ["bug", "error", "environment", "services", "session", "service", "commands", "intake"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The layers by folder, as the table of the page has them.
fn layers() -> BTreeMap<String, u32> {
    let page = fs::read_to_string(source().with_file_name("docs").join("architecture.md")).unwrap();
    let table = page.split("<!-- end of the layers -->").next().unwrap();
    let row = |line: &str| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let layer = cells.next()?.parse().ok()?;
        Some((cells.next()?.trim_matches('`').to_owned(), layer))
    };
    table.lines().filter_map(row).collect()
}

/// Every Rust file below a folder that is part of the program: those of tests alone are not.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let of_tests = ["tests", "tests.rs", "testing.rs", "testing", "test_games"].contains(&name);
        if path.is_dir() && !of_tests {
            files(&path, found);
        } else if name.ends_with(".rs") && !of_tests {
            found.push(path);
        }
    }
}

/// A file without comments and without what is compiled for tests alone.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// What follows each `root` in a file: `crate::` gives `a` and `b` of `use crate::{a::x, b}` and of `crate::a::x`.
fn named<'c>(code: &'c str, root: &str) -> Vec<&'c str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(root) {
        let rest = &code[at + root.len()..];
        let Some(inner) = rest.strip_prefix('{') else {
            found.push(first_name(rest));
            continue;
        };
        let (mut depth, mut from) = (0, 0);
        for (i, letter) in inner.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' if depth == 0 => {
                    found.push(first_name(inner[from..i].trim()));
                    from = i + 1;
                }
                '}' => {
                    found.push(first_name(inner[from..i].trim()));
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

fn first_name(path: &str) -> &str {
    path.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or("")
}

fn place(path: &Path) -> String {
    path.strip_prefix(source()).unwrap().display().to_string()
}

#[test]
fn no_import_runs_upwards() {
    let layers = layers();
    let mut all = Vec::new();
    files(&source(), &mut all);
    let mut upwards = Vec::new();
    for path in &all {
        let place = place(path);
        let own = place.split('/').next().unwrap();
        let Some(layer) = layers.get(own) else { continue };
        for name in named(&code(path), "crate::") {
            if name != own && layers.get(name).is_some_and(|other| other >= layer) {
                upwards.push(format!("{place} imports {name}"));
            }
        }
    }
    assert_eq!(upwards, Vec::<String>::new());
    assert!(all.len() > 200 && layers.len() == 18, "something was looked at");
}

#[test]
fn no_import_inside_the_office_runs_upwards() {
    let mut all = Vec::new();
    files(&source().join("office"), &mut all);
    let height = |name: &str| OFFICE.iter().position(|part| *part == name);
    let mut upwards = Vec::new();
    for path in &all {
        let place = place(path);
        let mut parts = place.trim_end_matches(".rs").split('/').skip(1);
        let Some(own) = parts.next().and_then(height) else { continue };
        let code = code(path);
        // A file of a folder says `super::` of its folder, one beside it of the office.
        let beside = if parts.next().is_none() { named(&code, "super::") } else { Vec::new() };
        for name in named(&code, "office::").into_iter().chain(beside) {
            match height(name) {
                Some(other) if other > own => upwards.push(format!("{place} imports office::{name}")),
                Some(_) => {}
                // By the name of its file it is seen where a thing comes from.
                None if name.starts_with(char::is_uppercase) => {
                    upwards.push(format!("{place}: office::{name} without its file"));
                }
                None => {}
            }
        }
    }
    assert_eq!(upwards, Vec::<String>::new());
}

/// The module that a path from a file means: of `super::a::B` in `src/x/y.rs` the file or folder `src/x/a`; none for what a folder itself has.
fn modules(path: &Path) -> Vec<PathBuf> {
    let code = code(path);
    let folder = path.parent().unwrap();
    let own = path.file_name().unwrap() == "mod.rs";
    let above = folder.parent().unwrap();
    let mut all = Vec::new();
    let mut add = |from: &Path, root: &str| {
        for (at, _) in code.match_indices(root) {
            // `super::` of `super::super::`, and `crate::` of `pub(crate)`, are looked at once.
            if !code[..at].ends_with("::") {
                all.extend(leaves(&code[at + root.len()..]).into_iter().filter_map(|leaf| module(from, &leaf)));
            }
        }
    };
    add(&source(), "crate::");
    add(if own { above } else { folder }, "super::");
    add(if own { above.parent().unwrap() } else { above }, "super::super::");
    all
}

/// The paths of one that may go on in several: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn leaves(text: &str) -> Vec<Vec<String>> {
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let (mut path, mut name, mut all) = (Vec::new(), String::new(), Vec::new());
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(letter),
            ':' if name.is_empty() => {}
            ':' => path.push(std::mem::take(&mut name)),
            '{' => open.push(path.clone()),
            ',' | '}' | ';' | '(' | ')' | '<' | '>' | '!' | '.' | '[' | ']' => {
                if !name.is_empty() {
                    path.push(std::mem::take(&mut name));
                }
                all.push(path.clone());
                if letter == '}' {
                    open.pop();
                }
                if open.len() < 2 {
                    break;
                }
                path = open.last().unwrap().clone();
            }
            _ if open.len() < 2 => {
                path.push(std::mem::take(&mut name));
                all.push(path.clone());
                break;
            }
            _ => {}
        }
    }
    all
}

/// The file or folder that a path names from a folder on, as deep as it leads.
fn module(from: &Path, path: &[String]) -> Option<PathBuf> {
    let mut at = from.to_owned();
    for name in path {
        let next = at.join(name);
        if next.is_dir() {
            at = next;
        } else if next.with_extension("rs").is_file() {
            return Some(next);
        } else {
            break;
        }
    }
    (at != from).then_some(at)
}

/// Nobody has to untangle a circle of files: beside each other in a folder, they import each other one way only. Within one game the rules
/// name each other as its rulebook does.
#[test]
fn no_files_of_a_folder_import_each_other_in_a_circle() {
    let mut all = Vec::new();
    files(&source(), &mut all);
    let mut imports: BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<PathBuf>>> = BTreeMap::new();
    for path in &all {
        for module in modules(path) {
            // Both as what lies in the folder in which their ways part.
            let own = path.with_extension("");
            let own = if own.file_name().unwrap() == "mod" { own.parent().unwrap().to_owned() } else { own };
            let same = own.iter().zip(&module).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (own.iter().nth(same), module.iter().nth(same)) else { continue };
            let folder: PathBuf = own.iter().take(same).collect();
            let beside = imports.entry(folder).or_default();
            beside.entry(from.into()).or_default().insert(to.into());
        }
    }
    let mut circles = Vec::new();
    for (folder, mut imports) in imports {
        let of_a_game = folder.strip_prefix(source().join("games")).is_ok_and(|rest| rest.iter().next().is_some());
        if folder == source() || of_a_game {
            continue;
        }
        // Whoever imports nothing that is left, or is imported by nothing that is left, is in no circle.
        let mut left = usize::MAX;
        while imports.len() < left {
            left = imports.len();
            let importing: BTreeSet<PathBuf> = imports.keys().cloned().collect();
            imports.values_mut().for_each(|to| to.retain(|name| importing.contains(name)));
            let imported: BTreeSet<PathBuf> = imports.values().flatten().cloned().collect();
            imports.retain(|from, to| !to.is_empty() && imported.contains(from));
        }
        for (from, to) in imports {
            circles.push(format!("{}: {} imports {to:?}", place(&folder), from.display()));
        }
    }
    assert_eq!(circles, Vec::<String>::new());
    assert!(all.len() > 200, "something was looked at");
}

#[test]
fn every_folder_says_what_it_is() {
    let layers = layers();
    for entry in fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(path.join("README.md")).unwrap_or_else(|_| panic!("{name} has no README.md"));
        let first = text.split("\n\n").next().unwrap();
        assert!(first.len() < 240 && first.trim_end().ends_with(['.', ':']), "{name} begins with a sentence: {first}");
        assert!(layers.contains_key(&name) || name == "test_games", "{name} has no layer in docs/architecture.md");
    }
}
