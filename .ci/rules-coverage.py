#!/usr/bin/env python3
"""How many functions of a game's rules ran: rules-coverage makes the counters, this reads them.

    rules-coverage.py geronimo counters.json

The rules of a game are the files of its folder but for those below, and of their functions those that are not for reading or
writing words. A function counts as run when its body was entered; closures are part of the function that they stand in.
"""

import json
import re
import sys
from pathlib import Path

# No rules: tests, players, the component file, views, what people read and write, a director's rulings, checks of positions.
NO_RULES = re.compile(
    r"/(tests?|bot|components|view|visibility)(/|\.rs$)"
    r"|/(testing|tests|help|map|naming|words|\w+_words|ruleset|ruling|legal|introduction|things|order|ask|kind)\.rs$"
)
# What a question or a candidate says to people, and how it is answered where nobody answers: no bot reads it.
WORDS = set("describe read say sample at_deadline grammar words note name aliases about label title help who earning feared".split())
# Plains Indian Wars: why an order is refused, what a letter says of odds, crowds and allies, and lines of the story.
WORDS |= set("unreachable may_not_stand allies allies_of ratios in_reach part tenths percent options built crowd".split())
# What leads out of the rules: to views, rulings, checks, invitations.
WORDS |= set("view public ending faults rule pieces introduction".split())
FUNCTION = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+)?(?:async\s+)?fn\s+(\w+)")


def functions(path):
    """The functions of a file but for its tests: first and last line of each one's head, and its name."""
    lines = path.read_text().splitlines()
    at = 0
    while at < len(lines):
        if lines[at].strip() == "#[cfg(test)]" and at + 1 < len(lines) and lines[at + 1].lstrip().startswith("mod "):
            if lines[at + 1].rstrip().endswith("{"):
                return
        found = FUNCTION.match(lines[at])
        if found:
            end = at
            while not lines[end].rstrip().endswith(("{", "}", ";")):
                end += 1
            if not lines[end].rstrip().endswith(";"):
                yield at + 1, end + 1, found.group(1)
            at = end
        at += 1


def main(game, counters):
    root = Path(__file__).resolve().parent.parent
    games = root / "src" / "games"
    entry = f'("{game}",'
    folder = next(file.parent for file in games.glob("*/*.rs") if "Entry::new" in (text := file.read_text()) and entry in text)
    entered = {}
    for function in json.load(open(counters))["data"][0]["functions"]:
        path, line = function["filenames"][0], function["regions"][0][0]
        if str(folder) in path or f"src/games/{folder.name}/" in path:
            key = path[path.index("src/games/") :], line
            entered[key] = max(entered.get(key, 0), function["count"], function["regions"][0][4])
    run, missed = 0, []
    for path in sorted(folder.rglob("*.rs")):
        inside = str(path.relative_to(root))
        if NO_RULES.search("/" + str(path.relative_to(folder))):
            continue
        for first, last, name in functions(path):
            if name in WORDS:
                continue
            counts = [count for line in range(first, last + 1) if (count := entered.get((inside, line))) is not None]
            # What the compiler has dropped altogether has no counter: nothing calls it.
            if any(counts):
                run += 1
            else:
                missed.append(f"{inside}:{first} {name}{'' if counts else ' (never called)'}")
    whole = run + len(missed)
    print(f"{game}: {run} of {whole} functions of the rules ran, {100 * run / whole:.1f} %")
    for function in missed:
        print(f"  not run: {function}")


main(*sys.argv[1:])
