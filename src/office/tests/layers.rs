//! The layers of this crate: its README lists them from the bottom up, and no file uses a later
//! one.

use std::{collections::BTreeMap, fs, path::Path};

#[test]
fn no_file_uses_a_later_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("README.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let layers: Vec<Vec<&str>> =
        rows.map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2).collect()).collect();
    let layer_of = |module: &str| layers.iter().position(|layer| layer.contains(&module));
    let mut looked_at = 0;
    for entry in walk(root) {
        let path = entry.strip_prefix(root).unwrap();
        let module = path.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if ["lib", "tests"].contains(&module) {
            continue;
        }
        let own = layer_of(module).unwrap_or_else(|| panic!("{module} is in no row of README.md"));
        let text = fs::read_to_string(&entry).unwrap();
        for used in layers.iter().skip(own + 1).flatten() {
            let found = text.contains(&format!("crate::{used}::")) || text.contains(&format!("\n    {used}::"));
            assert!(!found, "{} uses {used}, which is above it", path.display());
        }
        looked_at += 1;
    }
    assert!(looked_at > 60, "{looked_at} files");
}

/// Nobody understands a type that can do everything.
#[test]
fn no_type_has_more_than_forty_methods() {
    let mut methods: BTreeMap<String, usize> = BTreeMap::new();
    for entry in walk(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        let text = fs::read_to_string(entry).unwrap();
        let mut of = None;
        for line in text.lines() {
            if let Some(begins) = line.strip_prefix("impl") {
                let name = begins.trim_end_matches('{').rsplit(' ').find(|word| !word.is_empty());
                of = name.map(|name| name.split('<').next().unwrap_or(name).to_owned());
            } else if line == "}" {
                of = None;
            } else if let Some(name) = of.as_ref().filter(|_| line.starts_with("    ") && !line.starts_with("     ")) {
                *methods.entry(name.clone()).or_default() += usize::from(line.contains("fn ") && line.contains('('));
            }
        }
    }
    assert!(methods["Office"] > 20 && methods.len() > 40, "{methods:?}");
    methods.retain(|_, count| *count > 40);
    assert!(methods.is_empty(), "{methods:?}");
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}
