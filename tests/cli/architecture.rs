//! The layers in `docs/architecture.md`, compared with the manifests of the workspace, and their
//! picture.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- architecture` draws `docs/architecture.svg`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
};

/// The crates of the program by their folders in `src`, each with the folders of the crates that it
/// uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Width and height of a box, and the horizontal and vertical gaps, in points.
const BOX: (usize, usize) = (132, 30);
const GAP: (usize, usize) = (14, 34);

#[test]
fn each_crate_uses_only_those_below_it() {
    let (layers, uses) = (layers(), uses());
    assert!(uses.len() > 20, "{uses:?}");
    for (folder, used) in &uses {
        let own = layers.get(folder).unwrap_or_else(|| panic!("docs/architecture.md has no layer for {folder}"));
        for below in used {
            assert!(layers[below] < *own, "{folder} (layer {own}) uses {below} (layer {})", layers[below]);
        }
    }
    let unknown: Vec<&String> = layers.keys().filter(|folder| !uses.contains_key(*folder)).collect();
    assert!(unknown.is_empty(), "no crate is in {unknown:?}");
}

#[test]
fn the_picture_shows_the_crates_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.svg");
    let drawn = picture(&layers(), &uses());
    if std::env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == drawn, "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- architecture draws it");
}

fn layers() -> BTreeMap<String, usize> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let mut layers = BTreeMap::new();
    for row in page.lines() {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (Some(layer), Some(folders)) = (cells.next().and_then(|cell| cell.parse().ok()), cells.next()) else {
            continue;
        };
        let named = folders.split('`').skip(1).step_by(2).flat_map(|folder| match folder.strip_suffix("/*") {
            Some(above) => folders_in(above),
            None => vec![folder.to_owned()],
        });
        layers.extend(named.map(|folder| (folder, layer)));
    }
    layers
}

fn folders_in(above: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(above)).unwrap();
    let folders = entries.map(Result::unwrap).filter(|entry| entry.path().is_dir());
    folders.map(|entry| format!("{above}/{}", entry.file_name().to_str().unwrap())).collect()
}

fn uses() -> Uses {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let folder = |package: &serde_json::Value| {
        let manifest = package["manifest_path"].as_str().unwrap();
        let folder = Path::new(manifest).parent().unwrap().strip_prefix(root.join("src")).ok()?;
        Some(folder.to_str().unwrap().to_owned()).filter(|folder| folder != "test_games")
    };
    let named: BTreeMap<&str, String> =
        packages.iter().filter_map(|one| Some((one["name"].as_str()?, folder(one)?))).collect();
    let used = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap();
        let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
        normal.filter_map(|dependency| named.get(dependency["name"].as_str()?).cloned()).collect()
    };
    packages.iter().filter_map(|package| Some((folder(package)?, used(package)))).collect()
}

fn by_way_of(uses: &Uses, from: &str, to: &str) -> bool {
    uses[from].iter().any(|next| next != to && (uses[next].contains(to) || by_way_of(uses, next, to)))
}

/// Draws the crates as boxes, one row per layer, with a line for each direct dependency that is not
/// also indirect.
fn picture(layers: &BTreeMap<String, usize>, uses: &Uses) -> String {
    let top = layers.values().max().copied().unwrap_or_default();
    let rows: Vec<Vec<&String>> = (0..=top)
        .rev()
        .map(|layer| layers.iter().filter(|(_, at)| **at == layer).map(|(name, _)| name).collect())
        .collect();
    let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
    let (step_x, step_y) = (BOX.0 + GAP.0, BOX.1 + GAP.1);
    let (width, height) = (longest * step_x + GAP.0, rows.len() * step_y + GAP.0);
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (row, names) in rows.iter().enumerate() {
        let left = (width + GAP.0 - names.len() * step_x) / 2;
        places.extend(
            names.iter().enumerate().map(|(at, name)| (name.as_str(), (left + at * step_x, GAP.0 + row * step_y))),
        );
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>The crates of Postrider, from the command line down to dice and disk</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (from, used) in uses {
        for to in used.iter().filter(|to| !by_way_of(uses, from, to)) {
            let ((x, y), (to_x, to_y)) = (places[from.as_str()], places[to.as_str()]);
            let (x, y, to_x) = (x + BOX.0 / 2, y + BOX.1, to_x + BOX.0 / 2);
            let half = GAP.1 / 2 + 4;
            _ = writeln!(
                svg,
                "<path d=\"M{x} {y}C{x} {},{to_x} {},{to_x} {to_y}\" fill=\"none\" stroke=\"#8a8f98\"/>",
                y + half,
                to_y - half
            );
        }
    }
    for (name, (x, y)) in &places {
        let (width, height) = BOX;
        _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"#f3efe4\" stroke=\"#5b4a2f\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1f1a12\">{}</text>",
            x + width / 2,
            y + 20,
            name.rsplit('/').next().unwrap_or(name)
        );
    }
    svg + "</svg>\n"
}
