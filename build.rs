//! Passes flags to the linker that make a release smaller and quicker to start, where the linker
//! knows them.

use std::{env, fs, path::Path, process::Command};

/// Packs the addresses that the loader has to adjust: they are most of the time of a start.
const PACKED: &str = "-Wl,-z,pack-relative-relocs";
/// Keeps one of functions with the same code.
const FOLDED: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, wanted: &str| env::var(name).is_ok_and(|value| value == wanted);
    if !is("PROFILE", "release") || !is("CARGO_CFG_TARGET_OS", "linux") {
        return;
    }
    for flag in [PACKED, FOLDED].into_iter().filter(|flag| links(flag).unwrap_or(false)) {
        println!("cargo::rustc-link-arg-bins={flag}");
    }
}

/// Links an empty program with a flag; `false` if the linker refuses it.
fn links(flag: &str) -> Option<bool> {
    let (out, rustc, target) = (env::var_os("OUT_DIR")?, env::var_os("RUSTC")?, env::var_os("TARGET")?);
    let source = Path::new(&out).join("empty.rs");
    fs::write(&source, "fn main() {}").ok()?;
    let mut rustc = Command::new(rustc);
    rustc
        .arg(&source)
        .arg("--out-dir")
        .arg(&out)
        .arg("--target")
        .arg(&target)
        .args(["-C", &format!("link-arg={flag}")]);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.to_string_lossy()));
    }
    Some(rustc.output().ok()?.status.success())
}
