//! `docs/cli.md` is generated from clap's help, and the effects of rulings in `docs/director.md`
//! from the games; these tests keep both up to date.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates them.

use clap::{Arg, Command};
use postrider::{
    cli::{GROUPS, program},
    games::rulesets,
};
use std::{collections::BTreeMap, env, fmt::Write, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cli.md");

const DIRECTOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/director.md");

const HEAD: &str = "# The command line

The program's own help, by purpose; `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` regenerates the page.

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

Arguments of several commands, unless a command explains them itself; the first two are in all commands, like `--help`:

| Argument | Meaning |
|---|---|
";

/// The number of commands from which on an argument is explained once, at the head of the page.
const OFTEN: usize = 3;

/// Arguments as they are written, each with its help, and the number of commands that have it.
type Seen = BTreeMap<(String, String), usize>;

fn explained(arg: &Arg) -> (String, String) {
    let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        write!(help, " [default: {}]", defaults.join(", ")).expect("a String takes whatever is written");
    }
    (arg.to_string(), help)
}

fn commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

fn count(command: &Command, seen: &mut Seen) {
    for sub in commands(command) {
        let own = sub.get_arguments().filter(|arg| arg.get_id() != "help");
        own.for_each(|arg| *seen.entry(explained(arg)).or_default() += 1);
        count(sub, seen);
    }
}

/// Writes the usage, purpose and arguments of a command and those of its subcommands.
fn entry(command: &Command, name: &str, often: &Seen, page: &mut String) {
    let is_often = |arg: &Arg| often.contains_key(&explained(arg));
    let also = command.get_arguments().filter(|arg| is_often(arg) && !arg.is_global_set() && !arg.is_required_set());
    let also: Vec<_> = also.filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect();
    let own = |arg: Arg| if arg.get_id() == "help" || is_often(&arg) { arg.hide(true) } else { arg };
    let shown = command.clone().mut_args(own).term_width(100).bin_name(name);
    let help = shown.help_template("{usage}\n    {about}\n{positionals}\n{options}").render_help().to_string();
    let lines = help.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.for_each(|line| writeln!(page, "{line}").expect("a String takes whatever is written"));
    if !also.is_empty() {
        writeln!(page, "      also {}", also.join(", ")).expect("a String takes whatever is written");
    }
    page.push('\n');
    commands(command).for_each(|sub| entry(sub, &format!("{name} {}", sub.get_name()), often, page));
}

#[test]
fn the_reference_is_up_to_date() {
    let mut program = program();
    // Only a built command contains the global options.
    program.build();
    let mut often = Seen::new();
    count(&program, &mut often);
    often.retain(|_, commands| *commands >= OFTEN);
    let mut rows: Vec<_> = often.iter().collect();
    rows.sort_by_key(|(arg, commands)| (usize::MAX - **commands, *arg));
    let mut page = HEAD.to_owned();
    for ((arg, help), _) in &rows {
        writeln!(page, "| `{}` | {help} |", arg.replace('|', "\\|")).expect("a String takes whatever is written");
        let same = rows.iter().filter(|((other, _), _)| other == arg);
        assert_eq!(same.count(), 1, "{arg} is explained in two ways");
    }
    for (title, names) in GROUPS {
        write!(page, "\n## {title}\n\n```text\n").expect("a String takes whatever is written");
        for name in names {
            let command = program.find_subcommand(name).expect("a command of the list");
            entry(command, &format!("postrider {name}"), &often, &mut page);
        }
        page.truncate(page.trim_end().len());
        page.push_str("\n```\n");
    }
    is_up_to_date(PAGE, &page);
}

/// Rewrites a page on request, and checks that it has this text.
fn is_up_to_date(path: &str, page: &str) {
    if env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        fs::write(path, page).expect("docs/ can be written");
    }
    let written = fs::read_to_string(path).expect("the page is part of the project");
    let fault = "run `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- reference` to write it anew";
    assert!(written == page, "{path} is out of date: {fault}");
}

#[test]
fn the_effects_of_rulings_are_listed() {
    let mut tables = String::new();
    for rules in rulesets() {
        write!(tables, "\n**{}**\n\n| Effect | Members |\n|---|---|\n", rules.title()).expect("a String");
        for (effect, members) in rules.effects() {
            writeln!(tables, "| `{effect}` | {members} |").expect("a String takes whatever is written");
        }
    }
    let page = fs::read_to_string(DIRECTOR).expect("docs/director.md is part of the project");
    let (before, rest) = page.split_once("<!-- effects:").expect("where the effects begin");
    let (mark, rest) = rest.split_once('\n').expect("the effects");
    let (_, after) = rest.split_once("\n<!-- end of effects -->").expect("where the effects end");
    is_up_to_date(DIRECTOR, &format!("{before}<!-- effects:{mark}\n{tables}\n<!-- end of effects -->{after}"));
}
