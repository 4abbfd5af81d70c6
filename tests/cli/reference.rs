//! `docs/cli.md` is generated from clap's help; this test keeps it up to date.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates the page.

use clap::{Command, CommandFactory};
use postrider::cli::Cli;
use std::{env, fmt::Write, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cli.md");

const HEAD: &str = "# The command line

This page is made from the program's own help; `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates it. The exit status is that of
`sysexits.h`: 0 the command was carried out (`order` too, when the orders were refused: read what it prints), 64 wrong use, 65
a file that makes no sense, 66 no such file or game, 70 a bug of the program, 74 a disk error, 75 try again later, 78 wrong
settings or templates. `receive` ends with 75 for any error. `verify`
has its own: see [the director's page](director.md).
";

/// Writes the chapter of a command and those of its subcommands, each under its full name.
fn chapters(mut command: Command, name: &str, page: &mut String) {
    let help = command.render_long_help().to_string();
    let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    writeln!(page, "\n## {name}\n\n```text\n{}\n```", help.join("\n")).expect("a String takes whatever is written");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("{name} {}", sub.get_name());
        // The page has a fixed width and no colours.
        chapters(sub.clone().term_width(100).bin_name(name.clone()), &name, page);
    }
}

#[test]
fn the_reference_is_up_to_date() {
    let mut command = Cli::command().term_width(100);
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
