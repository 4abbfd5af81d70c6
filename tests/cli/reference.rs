//! `docs/cli.md` is generated from clap's help; this test keeps it up to date.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates the page.

use clap::{Arg, Command};
use postrider::cli::program;
use std::{env, fmt::Write, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cli.md");

const HEAD: &str = "# The command line

This is the program's own help; `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates the page.
Every command also takes `--root`, `--verbose` and `--help`. GAME is a game's id or the beginning of it, SEAT a seat (A, B,
C …) or its player's name.

| Exit status | Meaning |
|---|---|
| 0 | done |
| 1 | an order was refused; `doctor` found damage; `compare` found a difference; `verify` found a contradiction |
| 2 | `verify`: some parts are unproved |
| 64 | wrong use |
| 65 | invalid or damaged data |
| 66 | no such file or game |
| 70 | a fault of the program |
| 74 | a disk error |
| 75 | try again later; `receive` ends with it after any error |
| 78 | wrong settings or templates |
";

/// The help of arguments that mean the same in every command.
const SAME: [&str; 2] = ["The game's id, or the beginning of it", "The seat (A, B, C …) or its player's name"];

/// Returns true if the head of the page explains an argument for all commands.
fn is_everywhere(arg: &Arg) -> bool {
    let same = || arg.get_help().is_some_and(|help| SAME.contains(&help.to_string().as_str()));
    ["root", "verbose", "help"].contains(&arg.get_id().as_str())
        || (arg.is_positional() && arg.is_required_set() && same())
}

/// Writes the chapter of a command and those of its subcommands, each under its full name.
fn chapters(mut command: Command, name: &str, page: &mut String) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    writeln!(page, "\n## {name}\n\n```text\n{}\n```", help.join("\n")).expect("a String takes whatever is written");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("{name} {}", sub.get_name());
        // The page has a fixed width and no colours, and explains what is the same everywhere once.
        let sub = sub.clone().mut_args(|arg| if is_everywhere(&arg) { arg.hide(true) } else { arg });
        chapters(sub.term_width(100).bin_name(name.clone()), &name, page);
    }
}

#[test]
fn the_reference_is_up_to_date() {
    let mut command = program().term_width(100);
    // Only a built command contains the global options.
    command.build();
    let mut page = HEAD.to_owned();
    chapters(command, "postrider", &mut page);
    if env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        fs::write(PAGE, &page).expect("docs/ can be written");
    }
    let written = fs::read_to_string(PAGE).expect("docs/cli.md is part of the project");
    let fault = "run `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` to write docs/cli.md anew";
    assert!(written == page, "docs/cli.md is out of date: {fault}");
}
