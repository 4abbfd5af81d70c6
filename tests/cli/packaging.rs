//! The recipe of the container image, compared with the files that the build includes.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

#[test]
fn the_image_is_built_from_all_files_that_the_program_includes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recipe = fs::read_to_string(root.join("Containerfile")).unwrap();
    let lines = recipe.lines().take_while(|line| !line.starts_with("RUN"));
    let copied: Vec<&str> =
        lines.filter_map(|line| line.strip_prefix("COPY ")).flat_map(|line| line.split(' ').rev().skip(1)).collect();
    let mut included = Vec::new();
    visit(&root.join("src"), &mut included);
    assert!(included.len() > 20, "{} files", included.len());
    for path in included {
        let path = path.strip_prefix(root).unwrap().to_owned();
        assert!(copied.iter().any(|from| path.starts_with(from)), "the image is built without {}", path.display());
    }
}

fn visit(folder: &Path, included: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            visit(&path, included);
        } else if name.ends_with(".rs") && !["tests.rs", "testing.rs"].contains(&&*name) {
            let text = fs::read_to_string(&path).unwrap();
            let program = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let files = ["include_str!(\"", "include_bytes!(\""].map(|macro_call| program.split(macro_call).skip(1));
            let files = files.into_iter().flatten().filter_map(|rest| rest.split('"').next());
            included.extend(files.map(|file| without_dots(&folder.join(file))));
        }
    }
}

fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut all, part| {
        match part {
            Component::ParentDir => _ = all.pop(),
            part => all.push(part),
        }
        all
    })
}
