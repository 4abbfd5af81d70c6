#!/usr/bin/env python3
"""An independent checker of journals, written from docs/journal-format.md alone: steps 1 to 7 and 9 of its section 9.

    python3 checker.py JOURNAL.jsonl [--receipts LIST.json] [--mail PATH]... [--key KEY] [--parent PARENT.jsonl]... [--sent PATH]...
    python3 checker.py --each        journals by their paths, one in each line of the standard input
    python3 checker.py --self-test

LIST.json is a list of heads as a bundle holds it; PATH is a mail, an mbox file, an archive of such (zip, tar, gzip), or a folder
of them under any names; PARENT.jsonl is the journal that a fork goes on from, held against its first line (12). With --sent the mails
are those that a player has sent: of each order of his seat that came by mail it is said whether it is his, word for word (lines that
his program quotes without a mark count as his). Left out are the replay (8), which needs the rules of the game, and the times (10), which need the replay. Entries are counted
from 0, as `n` does, and lines of a file from 1. Whoever keeps this program may read it whole.
Exit status: 0 all of this proved, 1 a contradiction, 2 some parts unproved, 64 wrong use, 65 the file is no journal, 66 no such file.
"""
import argparse, base64, datetime, email, email.utils, functools, gzip, hashlib, html, html.parser, io, itertools, json, os, re, sys, tarfile, zipfile
from types import SimpleNamespace as Record

class Bad(Exception): pass

def print(*parts, print=print, **how):  # with escape sequences, marks of writing direction and the like spelt out
    print("".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in " ".join(map(str, parts))), **how)

def need(truth, what):
    if not truth: raise Bad(what)

# Sections 1 and 2: canonical JSON and hashes.
def canon(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def spelt(data): return base64.urlsafe_b64encode(data).decode().rstrip("=")
def bytes_of(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
def spells(text, count):  # whether the text is the one spelling of so many bytes
    return type(text) is str and re.fullmatch("[A-Za-z0-9_-]*", text) and len(text) == (8 * count + 5) // 6 and spelt(bytes_of(text)) == text
def sha(data): return spelt(hashlib.sha256(data).digest())
def H(*fields): return sha("".join(f"{field}\n" for field in fields).encode())

def parse(line):
    def walk(v, depth=1):
        need(v is not None and type(v) is not float, "null or a number that is not whole")
        need(type(v) is not int or abs(v) < 2**53, "an integer beyond 2^53 - 1")
        need(type(v) not in (dict, list) or depth <= 64, "more than 64 levels")
        for key in v if type(v) is dict else (): need(re.fullmatch(r'[ !#-\[\]-~]*', key), f"the key {key!r}")
        for part in v.values() if type(v) is dict else v if type(v) is list else (): walk(part, depth + 1)
    try:
        value = json.loads(line.decode())
        walk(value)
        need(canon(value) == line, "another spelling than the canonical one")
    except (ValueError, RecursionError) as error: raise Bad(f"not canonical JSON: {error}")
    return value

# Sections 6 and 7: the stream of ChaCha20 (RFC 8439) and what is drawn from it.
def words(key, counter=0, nonce=(0, 0)):
    mask = 2**32 - 1
    while True:
        start = [*b"expand 32-byte k"] + [*bytes_of(key)]
        start = [int.from_bytes(start[i:i + 4], "little") for i in range(0, 48, 4)]
        start += [counter & mask, counter >> 32, *nonce]
        x = start[:]
        for i in [0, 1, 2, 3, 4, 5, 6, 7] * 10:  # four columns, then four diagonals
            a, b, c, d = (i, i + 4, i + 8, i + 12) if i < 4 else (i - 4, 4 + (i - 3) % 4, 8 + (i - 2) % 4, 12 + (i - 1) % 4)
            for p, q, r, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[p] = (x[p] + x[q]) & mask
                t = x[r] ^ x[p]
                x[r] = (t << turn | t >> (32 - turn)) & mask
        yield from ((s + t) & mask for s, t in zip(start, x))
        counter += 1

def below(n, stream): return next(w for w in stream if w < 2**32 - 2**32 % n) % n

def shuffled(cards, stream):
    cards = cards[:]
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return cards

# Section 8: Ed25519 (RFC 8032) over points (X, Y, Z, T), checked strictly.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ONE = (0, 1, 1, 0)

def add(a, b):
    m, n = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    c, d = 2 * D * a[3] * b[3], 2 * a[2] * b[2]
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P

def times(k, point):
    product = ONE
    for bit in bin(k)[2:]:
        product = add(product, product)
        if bit == "1": product = add(product, point)
    return product

def point(data):  # None where the bytes are no point, or one of small order
    y, odd = int.from_bytes(data, "little") & 2**255 - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and odd): return None
    if x & 1 != odd: x = P - x
    found = (x, y % P, 1, x * y % P)
    return found if times(8, found)[0] else None

def signed(key, text, signature):
    if not spells(signature, 64) or not spells(key, 32): return False
    key, signature = bytes_of(key), bytes_of(signature)
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    left, right = times(s, BASE), add(r, times(k, a))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))

BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))

def head_signed(key, r):
    return bool(key) and signed(key, f"postrider/head/v1\n{r['game']}\n{r['n']}\n{r['hash']}\n".encode(), r["signature"])

@functools.lru_cache(64)  # of several journals of one game the chains are the same
def links(label, secret, count):
    path = [secret]
    for _ in range(count): path.append(sha(f"postrider/link/v1\n{label}\n{path[-1]}\n".encode()))
    return path

class Chain:  # section 5; link k is s_(N-k), link 0 the tip
    def __init__(self, label, tip):
        self.label, self.length, self.used = label, 65536 if label == "dice" else 256, 0
        self.last, self.link, self.hidden, self.origin = tip, 0, [], None
    def take(self):
        self.used += 1
        need(not self.origin and self.used <= self.length, f"no link of chain {self.label} is left")
        return self.used
    def reveal(self, link, secret):  # hashes on to the last public link; gives the hidden epochs that are open by it
        path = links(self.label, secret, link - self.link)
        need(path[-1] == self.last, f"link {link} of chain {self.label} does not lead to its last public link")
        self.last, self.link = secret, link
        opened, self.hidden = ([e for e in self.hidden if e.link <= link], [e for e in self.hidden if e.link > link])
        return [(e, path[link - e.link]) for e in opened]

ENTRY = {"at": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "kind": "[a-z0-9_-]{1,40}"}
GAME = "[a-z0-9-]{3,40}"
MEMBERS = {kind: [member.split(":") for member in members.split()] for kind, members in {  # section 4; with ? those that may be missing
    "opened": "format:i game:s ruleset:rules scenario:s options:o seats:n* operator_seats:n* chains:c clock:o key:h directors?:n* consent?:consent parent?:parent",
    "joined": "seat:n address:h luck:s via?:came mail?:h director?:n", "reseated": "seat:n address:h luck:s via?:bot director?:n", "started": "luck:h",
    "decision": "seat:n prompt:i ask:s order:o via?:via words?:h", "rolled": "secret:h rolls:roll*", "clock": "prompt:i seat:n event:event",
    "shuffled": "deck:n epoch:i list:n* cards:h*", "dealt": "deck:n epoch:i seat:s from:i count:i",
    "shown": "deck:n epoch:i pos:i card:n salt:h seat:s", "revealed": "deck:n epoch:i secret:h",
    "sealed": "seat:n what:s commit:h", "press": "commit:h", "unsealed": "of:i content:a salt:h", "round": "turn:i round:i label:s state:h",
    "rewound": "to:i by:s reason:s chains:c of?:i within?:i via?:cli words?:h", "ruling": "by:s text:s effect:o of?:i via?:cli words?:h",
    "appeal": "seat:n commit:h via?:via words?:h", "closed": "outcome:o secrets:c of?:i",
    "motion": "by:n what:what reason?:s rollouts?:rollouts via?:via words?:h", "vote": "of:i seat:n vote:ballot via?:via words?:h",
    "leave": "seat:n from:time until:time via?:via words?:h", "zone": "seat:n zone:n", "stand_in": "seat:n bot?:n by:s via?:cli words?:h",
    "rollouts": "entry:i bot:n count:i seed:i wins:wins",
    "rules": "name:s version:i components:h", "parent": "game:s n:i hash:h within?:i epochs?:o reason?:s"}.items()}
FORMS = {
    "s": lambda v: type(v) is str, "n": lambda v: type(v) is str and re.fullmatch("[ -~]{1,64}", v, re.ASCII),
    "h": lambda v: spells(v, 32), "i": lambda v: type(v) is int and v >= 0, "o": lambda v: type(v) is dict, "a": lambda v: True,
    "c": lambda v: type(v) is dict and all(re.fullmatch("dice|deck:[ -~]{1,59}", k) and FORMS["h"](h) for k, h in v.items()),
    "roll": lambda v: type(v) is list and len(v) > 3 and type(v[0]) is str and all(type(i) is int for i in v[1:]) and 0 < v[2] - v[1] + 1 < 2**32,
    "wins": lambda v: type(v) is dict and all(FORMS["n"](k) and type(w) is list and len(w) == 3 and all(type(i) is int and 0 <= i <= 1000 for i in w) for k, w in v.items()),
    "consent": lambda v: v == "majority", "cli": lambda v: v == "cli", "bot": lambda v: v == "bot", "came": lambda v: v in ("cli", "bot"), "via": lambda v: v in ("cli", "standing", "deadline", "bot"),
    "time": lambda v: type(v) is str and re.fullmatch(ENTRY["at"], v, re.ASCII) and is_date(v),
    "event": lambda v: v in ("reminded", "expired", "paused", "resumed", "held", "sent"), "ballot": lambda v: v in ("agree", "disagree", "withdraw"),
    "what": lambda v: type(v) is dict and len(v) == 1 and all(type(b) is dict and WHAT.get(k, lambda b: False)(b) for k, b in v.items())}
WHAT = {  # what a motion proposes
    "concede": lambda b: not b, "forfeit": lambda b: not b, "result": lambda b: all(FORMS["n"](seat) and FORMS["i"](place) for seat, place in b.items()),
    "back": lambda b: {"to"} <= set(b) <= {"to", "within"} and all(map(FORMS["i"], b.values())),
    "extend": lambda b: set(b) == {"seconds"} and FORMS["i"](b["seconds"]) and b["seconds"] > 0,
    "pause": lambda b: set(b) == {"until"} and FORMS["time"](b["until"])}
SERVICE, ALL = "host", "all players"  # who writes what follows from no director
KINDS = MEMBERS.keys() - {"rules", "parent", "rollouts"}
DRAWS = {"rolled", "shuffled", "dealt", "shown", "revealed", "closed"}  # behind these an order is not taken back

def members(kind, b):
    need(type(b) is dict, f"`{kind}` is no object")
    more = b.keys() - {name.rstrip("?") for name, _ in MEMBERS[kind]}
    need(not more, f"members of `{kind}` that the format does not list: {sorted(more)}")
    for name, form in MEMBERS[kind]:
        if name[-1] == "?" and name[:-1] not in b: continue
        name = name.rstrip("?")
        need(name in b, f"`{kind}` without `{name}`")
        need(type(b[name]) is list or form[-1] != "*", f"`{name}` is no list")
        for value in b[name] if form[-1] == "*" else [b[name]]:
            if form in MEMBERS: members(form, value)
            else: need(FORMS[form.rstrip("*")](value), f"`{name}` of `{kind}`")

def is_date(at):
    year, month, day, hour, minute, second = map(int, re.findall("[0-9]+", at))
    days = [31, 28 + (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return year > 0 and 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour < 24 and minute < 60 and second < 60

def answers(content, ask):  # whether a standing order does; of what kind a plan's questions are, only the rules know
    if type(content) is not dict or type(content.get("for")) is not str or type(content.get("orders")) is not list: return False
    return bool(content["orders"]) and content["for"] in ("", "attacked", ask)

def seconds(at): return int(datetime.datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp())

class Journal:
    def __init__(self, expected=None):
        self.expected, self.hashes = expected, []
        self.n, self.prev, self.game, self.started, self.rolled = 0, "A" * 43, None, None, 0
        self.sat, self.phrases, self.epochs, self.seals, self.unproved = set(), {}, {}, {}, []
        self.generations, self.rewinds, self.counted, self.opened, self.closed = {}, [], {}, None, False
        self.used = False
        self.drawn, self.linked, self.undone, self.said, self.ordered, self.since = -1, -1, [], {}, [], {}
        self.stand_ins, self.unexplained, self.lasts = set(), set(), {}  # the last: decisions by seat, and "" for rulings
        self.bots, self.motions, self.carried, self.conceded, self.ended = set(), {}, {}, [], None
        self.flagged, self.leave, self.due, self.unsealed = set(), {}, None, []
        self.directors, self.playing, self.appeals = [], {}, set()  # named by the game; of seats, by whom they are played
    def entry(self, line):
        e = parse(line)
        need(type(e) is dict and set(e) == {*ENTRY, "body", "hash", "n", "prev"}, "not the six members of an entry")
        for key, form in ENTRY.items():
            need(type(e[key]) is str and re.fullmatch(form, e[key], re.ASCII), f"`{key}`")
        need(type(e["body"]) is dict and FORMS["h"](e["hash"]) and is_date(e["at"]), "`body`, `hash` or `at`")
        need(e["hash"] == sha(b"postrider/entry/v1\n" + line.replace(f'"hash":"{e["hash"]}",'.encode(), b"", 1)), "`hash`")
        need(type(e["n"]) is int and (e["n"], e["prev"]) == (self.n, self.prev), "`n` or `prev`")
        kind, b = e["kind"], e["body"]
        need(kind != "opened" or b.get("format") == 1, f"the format is {b.get('format')}, and this program reads format 1")
        if kind in KINDS: members(kind, b)
        need((kind == "opened") == (self.n == 0), "`opened` stands in the first line and only there")
        if kind not in KINDS: self.unproved.append(f"line {self.n + 1}: the kind {kind}")
        need(kind not in ("rolled", "shuffled", "revealed", "rewound") or self.started is not None, "not yet `started`")
        if kind in ("decision", "ruling", "motion", "vote"): need(self.ended is None, f"`{kind}` after the end of the game")
        self.at = e["at"]
        nobody = [""] if kind in ("dealt", "shown") else []
        need(kind == "opened" or kind not in KINDS or "seat" not in b or b["seat"] in [*self.seats, *nobody], "no such seat")
        due, self.due = self.due, None
        brought = kind == "closed" and "of" in b or kind == "rewound" and b.get("of") == due or kind == "motion" and "forfeit" in b["what"]
        need(due is None or brought, "not what the motion brings that the entry before carried")
        try: getattr(self, "on_" + kind, lambda b: None)(b)
        except (KeyError, TypeError, AttributeError, ValueError) as error: raise Bad(f"the members of `{kind}`: {error!r}")
        if kind in DRAWS: self.drawn = self.n
        if kind in ("rolled", "shuffled"): self.linked, self.used = self.n, True
        if kind == "closed" and b["secrets"]: self.linked = self.n
        self.n, self.prev = self.n + 1, e["hash"]
        self.hashes.append(e["hash"])
    def chain(self, label):  # the one in use
        need(label in self.generations, f"no chain {label}")
        return self.generations[label][-1]
    def on_opened(self, b):
        self.game, self.seats, self.key, self.opened = b["game"], b["seats"], b["key"], b
        need(re.fullmatch(GAME, self.game, re.ASCII), "`game`")
        need(self.expected in (None, self.key), f"the key {self.key} is not the one that the mails give")
        need(set(b["operator_seats"]) <= set(self.seats), "an operator's seat that is none")
        for seats in (self.seats, b["operator_seats"]): need(len(set(seats)) == len(seats), "a seat is named twice")
        self.directors = b.get("directors", [])
        need(len(set(self.directors)) == len(self.directors), "a director is named twice")
        need(not set(self.directors) & {*self.seats, SERVICE, ALL}, "a director is called like a seat, or like the program")
        need(self.seats and b["ruleset"]["version"] > 0, "no seats, or a version below 1")
        if "parent" in b:
            need(re.fullmatch(GAME, b["parent"]["game"], re.ASCII), "`parent.game`")
            self.counted = b["parent"].get("epochs", {})  # shuffles of the parent, from which a fork counts on
            need(all(FORMS["i"](k) and k > 0 and "deck:" + deck in b["chains"] for deck, k in self.counted.items()), "`parent.epochs`")
        self.generations = {label: [Chain(label, tip)] for label, tip in b["chains"].items()}
        if b["operator_seats"]: print("The operator holds", *b["operator_seats"], "and can foresee dice and see hands.")
    def seated(self, b):  # a player, who may be a director
        need(b.get("director") in [None, *self.directors], "a director whom the game does not name")
        self.playing[b["seat"]] = b.get("director")
        self.stand_ins.discard(b["seat"])
        (self.bots.add if b.get("via") == "bot" else self.bots.discard)(b["seat"])
    def on_stand_in(self, b):  # a bot plays for an absent player, or no longer does
        if b["by"] == SERVICE: self.others(b, SERVICE)
        else: self.directs(b["by"], b)
        need("bot" not in b or b["seat"] not in self.bots, "a bot stands in for a bot")
        need("bot" in b or b["seat"] in self.stand_ins, "no bot stands in for the seat")
        (self.stand_ins.add if "bot" in b else self.stand_ins.discard)(b["seat"])
    def directs(self, by, b, said=True):  # what a director does; `said`: it has `via` or `words` only then
        need(by in (self.directors or [SERVICE]), f"{by!r} is none of the directors")
        need(not self.directors or by not in self.playing.values(), f"{by!r} plays in the game that he directs")
        need(not said or ("via" in b) + ("words" in b) == (1 if self.directors else 0), "what a director does has either `words` or `via`")
        if self.directors: self.acts(b, by)
    def others(self, b, by):  # what no director does
        need(b["by"] == by, f"{b['by']!r} is none of the directors")
        need("via" not in b and "words" not in b, "`words` or `via` of what no director does")
    def acts(self, b, seat):  # with the entry that gave the seat to its player
        self.ordered.append((self.n, seat, b.get("words"), b.get("via"), self.since.get(seat, 0)))
    def on_appeal(self, b):
        self.acts(b, b["seat"])
        need(("via" in b) != ("words" in b), "either `via` or `words`")
        self.appeals.add(self.n)
    def on_ruling(self, b):
        self.lasts[""] = self.n
        if "of" in b and "extend" in self.carried.get(b["of"], ("", {}))[1]:
            need(set(b["effect"]) == {"deadline"}, "an agreement on more time does something else")
            self.others(b, ALL)
        elif "of" not in b and self.directors and b["by"] == SERVICE and not b["effect"]: self.others(b, SERVICE)
        else:
            need("of" not in b or b["of"] in self.appeals, "`of` is no appeal")
            self.directs(b["by"], b)
    def on_joined(self, b):
        self.seated(b)
        need(self.started is None and b["seat"] not in self.sat, "joined twice, or after `started`")
        self.sat.add(b["seat"])
        need(("via" in b) != ("mail" in b), "either `via` or `mail`")
        self.says(b, b.get("via", "mail"))
    def on_reseated(self, b):
        self.since[b["seat"]] = self.n
        self.seated(b)
        if self.started is None: self.says(b, "cli")
    def says(self, b, via):  # a phrase for luck
        if b["luck"] != self.phrases.get(b["seat"], ""): self.said[b["seat"]] = (via, self.n)
        self.phrases[b["seat"]] = b["luck"]
    def on_started(self, b):
        phrases = [self.phrases.get(seat, "") for seat in self.seats]
        self.luck = H("postrider/luck/v1", *(sha(phrase.encode()) for phrase in phrases))
        need(self.started is None and b["luck"] == self.luck, "started twice, or another `luck` than of the phrases")
        self.started = self.n
    def on_decision(self, b):
        need(("via" in b) != ("words" in b), "either `via` or `words`")
        just_opened = any(n + 1 == self.n and seal["seat"] == b["seat"] and answers(content, b["ask"]) for n, seal, content in self.unsealed)
        if b.get("via") == "standing" and not just_opened:
            left = frozenset(n for n, seal in self.seals.items() if (seal["seat"], seal["what"]) == (b["seat"], "standing"))
            need(left, "no standing order of the seat is in force")
            self.unexplained.add((b["ask"], left))
        need(b.get("via") in ("bot", "deadline") or b["seat"] not in self.conceded_seats(), "a seat that has conceded")
        need(b.get("via") != "bot" or b["seat"] in self.bots | self.stand_ins | self.conceded_seats(), "no bot plays the seat")
        self.acts(b, b["seat"])
        self.flagged.discard(b["seat"])
        self.lasts[b["seat"]] = self.n
    def on_clock(self, b):
        if b["event"] == "expired": self.flagged.add(b["seat"])
    def on_leave(self, b):
        need(("via" in b) != ("words" in b), "either `via` or `words`")
        self.acts(b, b["seat"])
        now, begin, end = seconds(self.at), seconds(b["from"]), seconds(b["until"])
        need(now <= begin <= end, "leave that begins before its entry, or ends before it begins")
        granted = self.opened["clock"].get("leave", 0)
        taken = [(a, min(z, now)) for a, z in self.leave.get(b["seat"], []) if a < min(z, now)] + [(begin, end)]
        need(end - begin <= max(granted if type(granted) is int else 0, 0) - sum(z - a for a, z in taken[:-1]), "more leave than is left")
        self.leave[b["seat"]] = taken
    def on_motion(self, b):
        need(("via" in b) != ("words" in b), "either `via` or `words`")
        (what, how), = b["what"].items()
        by, seat = b["by"], b["by"] in self.seats
        if seat: self.acts(b, by)
        need(self.started is not None or (not seat and b["what"] == {"result": {}}), "not yet `started`")
        need(by not in self.conceded_seats(), "a seat that has conceded")
        need(seat or what == "result", "only a seat can propose this")
        if not seat: self.directs(by, b, said=False)
        if what == "result":
            need(set(how) <= set(self.seats), "a place of no seat")
            gone = [how[seat] for seat in how if seat in self.conceded_seats()]
            stay = [how[seat] for seat in how if seat not in self.conceded_seats()]
            ranks = all(place == 1 + sum(other < place for other in how.values()) for place in how.values())
            right = set(how) == set(self.seats) and ranks and all(one > other for one in gone for other in stay)
            need(right or not how and not seat, "not the places of all seats")
        of = b.get("rollouts", {"count": 1, "entry": -1, "wins": {}})
        need("rollouts" not in b or not seat and what == "result" and how, "rollouts of what is no director's result")
        need(of["count"] > 0 and of["entry"] < self.n and set(of["wins"]) <= set(self.seats), "`rollouts`")
        need(what != "back" or how["to"] < self.n, "it goes back to no earlier entry")
        need(what == "forfeit" or b.get("via") != "deadline", "no deadline brings this about")
        need(what != "forfeit" or b.get("via") == "deadline" and by in self.flagged, "a forfeit without a deadline that has passed")
        if what in ("concede", "forfeit"):
            self.conceded.append((self.n, by, self.at if what == "forfeit" else self.n))  # forfeits at one time are a tie
            self.motions = {}  # agreed on among others, and with other places
        elif seat:
            need(not any(m.by == by and m.until > seconds(self.at) for m in self.motions.values()), "an earlier one of the seat is open")
            awaits = set(self.seats) - {by} - self.bots - self.conceded_seats()
            need(awaits, "nobody votes on it")
            self.drop(lambda m: m.by == by)
            most = "consent" in self.opened and what in ("back", "extend", "pause")
            needs = (len(awaits) + 1) // 2 if most else len(awaits)
            until = min([seconds(self.at) + 7 * 86400] + ([seconds(how["until"])] if what == "pause" else []))
            self.motions[self.n] = Record(by=by, what=b["what"], until=until, awaits=awaits, needs=needs)
            return
        self.carry(self.n, by, b["what"])
    def on_vote(self, b):
        self.acts(b, b["seat"])
        need(("via" in b) != ("words" in b), "either `via` or `words`")
        m = self.motions.get(b["of"])
        need(m, "`of` is no motion that is open")
        need(b.get("via") != "deadline", "no deadline brings this about")
        need(seconds(self.at) < m.until, "the time to vote is over")
        need(b["seat"] == m.by if b["vote"] == "withdraw" else b["seat"] in m.awaits, "the seat has no such vote")
        m.awaits.discard(b["seat"])
        if b["vote"] == "agree": m.needs -= 1
        if m.needs and (b["vote"] == "agree" or b["vote"] == "disagree" and m.needs <= len(m.awaits)): return
        del self.motions[b["of"]]
        if b["vote"] == "agree": self.carry(b["of"], m.by, m.what)
    def carry(self, of, by, what):
        self.carried[of] = (by, what)
        try: ends = self.places(of) is not None
        except Bad: ends = False
        if ends or "back" in what: self.due = of  # which the next entry brings
    def drop(self, goes): self.motions = {n: m for n, m in self.motions.items() if not goes(m)}
    def conceded_seats(self): return {seat for _, seat, _ in self.conceded}
    def places(self, of):  # of the seats, where this motion ends the game
        need(of in self.carried, "`of` is no motion that was carried")
        (what, how), = self.carried[of][1].items()
        if what == "result": return how
        left = [seat for seat in self.seats if seat not in self.conceded_seats()]
        need(what in ("concede", "forfeit") and (len(left) < 2 or set(left) <= self.bots), "this motion does not end the game")
        places = dict.fromkeys(left, 1)
        for _, tied in itertools.groupby(reversed(self.conceded), key=lambda one: one[2]):
            places |= dict.fromkeys([seat for _, seat, _ in tied], len(places) + 1)
        return {} if len(self.seats) == 1 else places
    def on_rolled(self, b):
        need(b["rolls"], "no dice")
        chain = self.chain("dice")
        chain.reveal(chain.take(), b["secret"])
        stream = words(H("postrider/roll/v1", self.game, self.rolled, b["secret"], self.luck))
        self.rolled += 1
        for label, low, high, *got in b["rolls"]:
            need(got == [low + below(high - low + 1, stream) for _ in got], f"the dice of {label!r}")
    def on_shuffled(self, b):
        deck, chain = b["deck"], self.chain("deck:" + b["deck"])
        need(b["epoch"] == self.counted.get(deck, 0) + sum(name == deck for name, _ in self.epochs), "`epoch`")
        need(len(b["list"]) == len(b["cards"]), "`list` and `cards` differ in length")
        epoch = Record(deck=deck, number=b["epoch"], list=b["list"], cards=b["cards"], chain=chain, link=chain.take())
        epoch.dealt, epoch.spans, epoch.at = set(), [], self.n
        self.epochs[deck, b["epoch"]] = epoch
        chain.hidden.append(epoch)
    def hidden(self, deck, number):
        e = self.epochs.get((deck, number))
        need(e and e in e.chain.hidden, f"epoch {number} of {deck} is not shuffled, or revealed already")
        return e
    def on_dealt(self, b):
        need(b["count"] > 0, "`count` is 0")
        e, end = self.hidden(b["deck"], b["epoch"]), b["from"] + b["count"]
        need(end <= len(e.cards), "dealt beyond the deck")
        e.dealt.update(range(b["from"], end))
        e.spans.append((b["seat"], range(b["from"], end)))
    def card(self, e, pos, card, salt):
        commitment = H("postrider/card/v1", self.game, e.deck, e.number, pos, card, salt)
        need(commitment == e.cards[pos], f"{card} at {pos} of {e.deck}, epoch {e.number}, is not what was committed to")
    def on_shown(self, b):
        e = self.hidden(b["deck"], b["epoch"])
        need(b["pos"] in e.dealt, "shown but not dealt")
        self.card(e, b["pos"], b["card"], b["salt"])
    def prove(self, opened):
        for e, secret in opened:
            seed = H("postrider/deck/v1", self.game, e.deck, e.number, secret, self.luck)
            for pos, card in enumerate(shuffled(e.list, words(seed))):
                self.card(e, pos, card, H("postrider/salt/v1", secret, pos))
    def on_revealed(self, b):
        self.chain("deck:" + b["deck"])
        e = self.hidden(b["deck"], b["epoch"])
        need(e is e.chain.hidden[0], "an older epoch of the chain is not revealed yet")
        self.prove(e.chain.reveal(e.link, b["secret"]))
    def on_sealed(self, b): self.seals[self.n] = b
    def on_unsealed(self, b):
        seal = self.seals.pop(b["of"], None)
        need(seal, "`of` names no sealed entry that is not open yet")
        content = sha(canon(b["content"]))
        need(seal["commit"] == H("postrider/sealed/v1", self.game, seal["seat"], b["salt"], content), "not what was sealed")
        still = set()  # answers that no open order explains, with those still sealed that may
        for ask, left in self.unexplained:
            if b["of"] in left:
                if answers(b["content"], ask): continue
                left = left - {b["of"]}
                need(left, f"no standing order that was in force then answers a question {ask!r}")
            still.add((ask, left))
        self.unexplained = still
        self.unsealed = [(self.n, seal, b["content"])]
    def on_rewound(self, b):
        need(self.started <= b.get("within", self.started) <= b["to"] < self.n, "`to`")
        self.closed = False
        behind = b.get("within", b["to"])  # the dice of a step stand before its Rounds
        seat, drawn, back = b["by"] in self.seats, self.drawn > behind, {key: b[key] for key in ("to", "within") if key in b}
        need("of" not in b or self.carried.get(b["of"], ("", {}))[1] == {"back": back}, "`of` is no motion to go back there")
        if seat or "of" in b: self.others(b, b["by"] if seat else ALL)
        elif self.directors and b["by"] == SERVICE and "within" not in b and b["to"] + 1 == self.n: self.others(b, SERVICE)  # lines were lost
        else: self.directs(b["by"], b)
        if not seat: self.motions = {n: m for n, m in self.motions.items() if n <= b["to"]}  # what a seat takes back leaves them alone
        if not seat and "of" not in b: self.conceded = [one for one in self.conceded if one[0] <= b["to"]]  # no agreement of the others
        if self.ended is not None and self.ended > b["to"]: self.ended = None
        need(not seat or not drawn, "an order is taken back behind dice or cards")
        need(not seat or b["by"] not in self.conceded_seats(), "a seat that has conceded")
        others = [n for who, n in self.lasts.items() if who != b["by"]]
        need(not seat or max(others, default=0) <= b["to"], "a seat takes back its own orders alone")
        fresh = self.linked > behind  # links of the chains in use are known
        if drawn: self.undone.append((self.n, b["by"], b["to"], "all chains are fresh" if fresh else "the chains stay"))
        need(fresh or not b["chains"], "fresh `chains`, though none of the links in use has become known since")
        if not fresh: return
        need(self.used, "fresh `chains`, though nothing was drawn from those in use: a choice among dice")
        self.linked, self.used = -1, False
        need(set(b["chains"]) == set(self.generations), "the labels of `chains`")
        self.rewinds.append(self.n)
        need(len(self.rewinds) < 4096, "more than 4,095 rewinds")
        for label, tip in b["chains"].items(): self.generations[label].append(Chain(label, tip))
    def lucks(self):  # phrases that do not keep the operator from choosing the luck
        if self.started is None: return
        last = max(self.said, key=lambda seat: self.said[seat][1], default=None)
        mailed = lambda seat: self.said.get(seat, ("",))[0] == "mail"
        chosen = last is None or not mailed(last) or last in self.opened["operator_seats"]
        for seat in self.seats:
            if seat == last and chosen: yield seat, "came last, from the operator"
            elif not self.phrases.get(seat): yield seat, "are none"
            elif seat == last: yield seat, "came last"
            elif not mailed(seat): yield seat, "did not come by mail"
        if chosen: yield ", ".join(self.seats), "did not keep the operator from choosing the dice"
    def on_closed(self, b):
        if "of" in b:
            need(self.ended is None, "closed twice")
            rows = b["outcome"].get("ranking")
            for seat, place in self.places(b["of"]).items():
                ranks = [row.get("rank") for row in rows if type(row) is dict and row.get("seat") == seat] if type(rows) is list else []
                need(ranks == [place] and type(ranks[0]) is int, "other places than the motion gives")
        self.closed, self.ended, self.motions = True, self.n, {}
        for label, s_0 in b["secrets"].items():
            self.chain(label)
            for k, chain in reversed([*enumerate(self.generations[label])]):  # the s_0 before rewind k follows from the one after it
                need(chain.origin in (None, s_0), f"another s_0 of chain {label} before rewind {k + 1} than was laid open")
                if chain.origin: break
                self.prove(chain.reveal(chain.length, s_0))
                chain.origin, s_0 = s_0, H("postrider/rewound/v1", label, k, s_0)

# Mails: heads in their headers and texts, hidden cards in their texts (sections 7 and 8), quoted or forwarded or not.
DIGIT = "[A-Za-z0-9_-]"
HEAD = rf"Journal (?P<game>\S+), entry (?P<n>[0-9]{{1,19}}),* (?:for seat (?P<seat>[^\s,]+),* )?" \
       rf"signed(?:(?P<proof>(?: ?{DIGIT}){{128}})(?!{DIGIT})| \S{{31,}}| \S{{19,}} \S{{19,}})"
CARD = r"(?<!\S)(?P<deck>\S+), epoch (?P<epoch>[0-9]{1,19}), position (?P<pos>[0-9]{1,19}): (?P<card>.{1,64}?) " \
       rf"salt(?P<salt>(?: ?{DIGIT}){{43}})(?!{DIGIT})"
MAIL, PAGE, UNPACKED, MEMBER, LINE, MAILS, NESTED, FIELDS = 2**26, 2**22, 2**28, 2**14, 64, 200000, 6, 50000  # bytes of a mail, of an HTML part, that a file may unpack to, for each member of it, and for each line; mails of an mbox file, archives within each other, fields
CLOSED = {b"7z\xbc\xaf\x27\x1c": "a 7z archive", b"Rar!\x1a\x07": "a RAR archive", b"\xfd7zXZ\0": "an xz archive",
          b"\x28\xb5\x2f\xfd": "a Zstandard archive", b"\x1f\x9d": "a file packed by compress", b"!BDN": "an Outlook store",
          b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an Outlook message or a document of Office",
          b"\xcf\xad\x12\xfe": "a folder of Outlook Express", b"%PDF-": "a PDF"}

def form(start):  # what its first bytes say that a file is
    if start[:4] in (b"PK\3\4", b"PK\5\6"): return "zip"
    if start[:2] == b"\x1f\x8b": return "gzip"
    if start[257:262] == b"ustar": return "tar"
    if start[:3] == b"BZh" and start[4:10] == b"1AY&SY": return "a bzip2 archive"
    return next((name for magic, name in CLOSED.items() if start.startswith(magic)), None)

class Found:  # all that mails say
    def __init__(self): self.heads, self.cards, self.damaged, self.boxes, self.without, self.unread = [], [], [], [], [], []
    def box(self, path):
        before = len(self.heads)
        for place, why in files(path, set()):
            try:
                if not why and os.path.getsize(place) > (UNPACKED if form(begin(place)) in ("zip", "gzip", "tar") else MAIL) \
                        and begin(place)[:5] != b"From ": why = "it is too large"
                if not why:
                    with open(place, "rb") as file: self.file(place, file.read(), 0, [UNPACKED])
            except OSError as error: why = error.strerror
            if why: self.unread.append((place, why))
        self.boxes.append((path, self.heads[before:]))
    def file(self, place, data, nested, left):
        kind = form(data[:512])
        if kind in ("zip", "gzip", "tar"):
            if nested == NESTED: self.unread.append((place, "it lies in too many archives"))
            else:
                for name, inner, why in unpack(kind, data, left):
                    inside = place + (f"/{name}" if name else "")
                    if why: self.unread.append((inside, why))
                    else: self.file(inside, inner, nested + 1, left)
        elif kind: self.unread.append((place, f"it is {kind}, which this program does not open"))
        else:
            mails = messages(data) if data[:5] == b"From " else [data]
            if len(mails) > MAILS: self.unread.append((place, "it has too many mails"))
            mails, without = mails[:MAILS], 0
            for mail in mails:
                if weight(mail) > MAIL: self.unread.append((place, "it is too large"))
                elif fields(mail) > FIELDS: self.unread.append((place, "it has too many header fields"))
                else: without += not self.mail(place, mail, nested, left)
            if without: self.without.append(place if len(mails) == 1 else f"{place}: {without} of its {len(mails)} mails")
    def mail(self, place, data, nested, left):
        if data.startswith((b"\xff\xfe", b"\xfe\xff")): data = data.decode("utf-16", "replace").encode()
        data = data.removeprefix(b"\xef\xbb\xbf")
        try: heads, cards, damaged, archives = read_mail(email.message_from_bytes(data), data)
        except Exception as error:  # of a mail that is damaged where its library does not look
            self.unread.append((place, f"it cannot be read as a mail: {error!r}"))
            return False
        if not (heads or cards or damaged) and place.lower().endswith(".json"):
            try: heads = receipts(json.loads(data))
            except (ValueError, RecursionError): pass
        self.heads, self.cards, self.damaged = self.heads + heads, self.cards + cards, self.damaged + damaged
        for name, inner in archives: self.file(f"{place}/{name}", inner, nested + 1, left)
        return bool(heads or cards or damaged)

def weight(data): return len(data) + LINE * max(data.count(b"\n"), data.count(b"\r"))  # short lines take long

def messages(data):  # of an mbox file; a time and a year tell a line that begins one from prose
    dated = rb"(?=[^\n]*[^\S\n]\d\d(?::\d\d)+\s)(?=[^\n]*[^\S\n]\d{4}\s)"
    lines = re.finditer(rb"\AFrom [^\n]*\n|(?:(?<=\n\n)|(?<=\n\r\n))From " + dated + rb"[^\n]*\n", data)
    begins = [line.span() for line in lines]
    return [data[a:b] for (_, a), (b, _) in zip(begins, begins[1:] + [(len(data), 0)])]

def fields(data):  # lines that may be header fields, in whichever part of a mail
    inside, count = True, 0
    for line in re.finditer(rb"[^\r\n]*(?:[\r\n]|\Z)", data):
        line = line[0].rstrip(b"\r\n")
        folded, colon = line[:1] in (b" ", b"\t"), b":" in line
        inside = not line or line[:2] == b"--" or inside and (folded or colon)
        count += inside and (not folded and (colon or line[:2] == b"--")) + line.count(b";") + line.count(b",")
    return count

def begin(path):
    with open(path, "rb") as file: return file.read(512)

def files(path, seen):  # and why one cannot be read; each folder once, as links may lead round in a circle
    if os.path.isdir(path):
        if os.path.realpath(path) in seen: return
        seen.add(os.path.realpath(path))
        try: names = sorted(os.listdir(path))
        except OSError as error: yield path, error.strerror
        else:
            for name in names: yield from files(os.path.join(path, name), seen)
    else: yield path, None if os.path.isfile(path) else "it is not a file"

def unpack(kind, data, left):  # name, bytes, and why one cannot be read
    def whole(file):
        inner = file.read(left[0] + 1)
        most, left[0] = left[0], max(left[0] - weight(inner), 0)  # behind one that is too large nothing is unpacked
        need(weight(inner) <= most, "it unpacks to too much")
        return inner
    try:
        if kind == "gzip": yield "", whole(gzip.GzipFile(fileobj=io.BytesIO(data))), None
        archive = zipfile.ZipFile(io.BytesIO(data)) if kind == "zip" else tarfile.open(fileobj=io.BytesIO(data), mode="r:") if kind == "tar" else None
        if kind == "zip":
            need(len(set(archive.namelist())) == len(archive.namelist()), "it holds several files with the same name")
        for info in archive.infolist() if kind == "zip" else archive if kind == "tar" else ():
            need(left[0], "it unpacks to too much")
            left[0] = max(left[0] - MEMBER, 0)
            name = (info.filename if kind == "zip" else info.name).removeprefix("./")
            if info.is_dir() if kind == "zip" else info.isdir(): continue
            if (info.external_attr >> 28 == 10) if kind == "zip" else not info.isreg(): yield name, b"", "it is not a file"
            else:
                try:
                    plain = kind == "tar" or info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
                    need(plain, "it is packed in a way that this program does not open")  # the library unpacks others without a limit
                    inner = whole(archive.open(info) if kind == "zip" else archive.extractfile(info))
                except Exception as error: yield name, b"", str(error)
                else: yield name, inner, None
    except Exception as error: yield "", b"", str(error)  # of a damaged archive

def receipts(listed):  # a list of heads as a bundle holds it
    forms = {"game": "s", "n": "i", "hash": "h", "signature": "s", "seat": "s", "mail": "h"}
    json.dumps(listed, ensure_ascii=False).encode()  # text that is none is a ValueError
    if type(listed) is not list or any(type(r) is not dict for r in listed): raise ValueError("no list of receipts")
    for r in listed:
        if not all(name in r and FORMS[kind](r[name]) for name, kind in forms.items()) or r["n"] >= 2**64: raise ValueError("no list of receipts")
        if r.get("key") is not None and not FORMS["h"](r["key"]): raise ValueError("no list of receipts")
    return listed

def decoded(text):  # base64, as far as it is whole
    digits = re.sub("[^A-Za-z0-9+/]", "", text)
    return base64.b64decode(digits[:len(digits) - (len(digits) % 4 == 1)] + "==")

def words_of(text):  # without quote marks, and without what nobody sees: where a long word may be broken
    if not text.isascii(): text = re.sub("[\u00ad\u200b-\u200d\u2060\ufeff]", "", text)
    return " ".join(re.sub(r"(?m)^[>|\s]+", "", text).split())

def bare(text): return html.unescape(re.sub(r"<[^<>]*>", " ", text))

def read_mail(message, raw=None):
    """Heads, pairs of a card and the head below it, damaged heads as (game, n), and archives that a mail carries along."""
    heads, cards, damaged, archives, head = [], [], [], [], None
    field = lambda name: " ".join(str(message.get(name, "")).split())
    named = field("X-Postrider-Head").split()
    if len(named) >= 3 and re.fullmatch("[0-9]{1,19}", named[1]) and FORMS["h"](named[2]):
        mid = field("Message-ID").strip("<> ").split("@")[0].split(".")
        head = dict(game=named[0], n=int(named[1]), hash=named[2], signature=field("X-Postrider-Signature").replace(" ", ""), key=field("X-Postrider-Key").replace(" ", ""),
                    seat=mid[1] if len(mid) >= 5 and [mid[0], mid[2], mid[3]] == [named[0], str(int(named[1])), named[2][:8]] else "")
        heads.append(head)
    elif "X-Postrider-Head" in message: damaged.append(None)
    texts, parts = [], [message] if raw is None or message.keys() else []
    if raw is not None and not any(name in message for name in ("From", "Subject", "Date")):  # no mail, but perhaps the text of one
        text = raw.decode("utf-8", "replace")
        if text.lstrip()[:1] != "<": texts.append(text)
        elif len(raw) <= PAGE: texts.append(bare(text))
    while parts:
        part = parts.pop(0)
        data, inner = part.get_payload(decode=True), part.get_payload()
        name = part.get_filename() or "attachment"
        if part.get_content_type() == "message/rfc822" and type(inner) is list:
            for one in inner:
                coded = str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64" and type(one.get_payload()) is str
                more = read_mail(email.message_from_bytes(decoded(one.get_payload())) if coded else one)
                heads, cards, damaged, archives = heads + more[0], cards + more[1], damaged + more[2], archives + more[3]
        elif type(inner) is list: parts = inner + parts
        elif part.get_content_maintype() == "text":
            try: text = (data or b"").decode(part.get_content_charset() or "utf-8", "replace")
            except LookupError: text = data.decode("latin-1")  # a charset that nobody knows
            page = part.get_content_subtype() == "html"
            if not page or len(text.encode()) <= PAGE: texts.append(bare(text) if page else text)
        elif data and name.lower().endswith(".eml") and fields(data) <= FIELDS:
            more = read_mail(email.message_from_bytes(data), data)
            heads, cards, damaged, archives = heads + more[0], cards + more[1], damaged + more[2], archives + more[3]
        elif data and (form(data[:512]) or "a PDF") != "a PDF": archives.append((name, data))
    for text in texts:
        below = []
        text = words_of(text)
        for found in re.finditer(f"{HEAD}|{CARD.replace('?P<', '?P<c_')}", text) if " signed" in text or " salt" in text else ():
            f = found.groupdict()
            if f["game"] is None: below.append({k[2:]: v.replace(" ", "") if k == "c_salt" else v for k, v in f.items() if k.startswith("c_")})
            elif f["proof"] is None: damaged.append((f["game"], int(f["n"])))
            else:
                proof = bytes_of(f["proof"].replace(" ", ""))
                heads.append({"game": f["game"], "seat": f["seat"] or "", "n": int(f["n"]), "hash": spelt(proof[:32]),
                              "signature": spelt(proof[32:]), "key": (head or {}).get("key", "")})
                cards += [(card, heads[-1]) for card in below]
                below = []
        cards += [(card, head) for card in below]
    return heads, cards, damaged, archives

# A player's own copies of his mails (`words`, section 4).
class Page(html.parser.HTMLParser):  # lines of HTML, each with whether it is quoted
    def __init__(self, text):
        super().__init__()
        self.lines, self.quoted = [[False, ""]], 0
        self.feed(text)
    def handle_starttag(self, tag, attributes):
        self.quoted += tag == "blockquote"
        if tag in ("br", "p", "div", "li", "tr", "blockquote", "hr"): self.lines.append([self.quoted > 0, ""])
    def handle_endtag(self, tag):
        self.quoted -= tag == "blockquote" and self.quoted > 0
        if tag in ("p", "div", "li", "tr", "blockquote"): self.lines.append([self.quoted > 0, ""])
    def handle_data(self, data): self.lines[-1][1] += data.replace("\n", " ")

class SentMails(Found):  # mails as their writer kept them
    def __init__(self):
        super().__init__()
        self.mails = []
    def mail(self, place, data, nested, left):
        try: self.mails.append(SentMail(place, email.message_from_bytes(data)))
        except Exception as error: self.unread.append((place, f"it cannot be read as a mail: {error!r}"))
        return True

class SentMail:  # place, Message-ID, ids that it answers, addresses, subject, its writer's own lines
    def __init__(self, place, message):
        field = lambda name: " ".join(str(message.get(name, "")).split())
        addresses = lambda *names: [a.lower() for _, a in email.utils.getaddresses([str(one) for name in names for one in message.get_all(name, [])]) if a]
        self.place, self.id, self.subject = place, field("Message-ID").strip("<> "), field("Subject").lower()
        self.answers = re.findall("<([^<>]*)>", field("In-Reply-To") + field("References"))
        self.writer, self.recipients = addresses("From"), addresses("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
        plain, formatted, parts = [], [], [message]
        while parts:
            part = parts.pop(0)
            if part.get_content_type() == "message/rfc822": continue
            if part.is_multipart(): parts = part.get_payload() + parts
            elif part.get_content_maintype() == "text" and not part.get_filename():
                data = part.get_payload(decode=True) or b""
                try: text = data.decode(part.get_content_charset() or "utf-8", "replace")
                except LookupError: text = data.decode("latin-1")
                if part.get_content_subtype() == "html": formatted += Page(text).lines
                else: plain += [(line.lstrip().startswith((">", "|")), line) for line in text.splitlines()]
        self.lines = [" ".join("".join(c for c in text if c.isprintable() or c.isspace()).split()) for quoted, text in plain or formatted if not quoted]
    def coded(self, game):  # recipients with a token of the game: local+game.q41.token@host; a long id is in the subject alone
        tags = [inner.split() for inner in re.findall(r"\[([^\]]*)", self.subject)]
        for address in self.recipients:
            found = re.fullmatch(r"[^+=@]+[+=](?:([a-z0-9-]{3,40})\.)?(q\d+\.[a-z2-7]{26})@[^@]+", address)
            if found and (found[1] or (game if [game, found[2]] in tags else None)) == game: yield address

def sent(journal, mails):  # what is said, and whether each order is the player's own
    found, taken, speaks = {}, set(), [set() for _ in mails]
    for i, mail in enumerate(mails):
        if not mail.id and not list(mail.coded(journal.game)): continue  # without an id a line such as "yes" may be of any mail
        for seat in journal.seats + journal.directors:
            for k in range(len(mail.lines)):
                for end in range(k + 1, min(k + 4, len(mail.lines)) + 1):  # an order may have been wrapped
                    line = " ".join(mail.lines[k:end])
                    if mail.lines[k] and mail.lines[end - 1]: found.setdefault(H("postrider/words/v1", journal.game, seat, mail.id, line), (i, range(k, end), line))
    for _, seat, words, _, _ in journal.ordered:
        if words in found: speaks[found[words][0]].add(seat)
    times = {(seat, since) for _, seat, words, _, since in journal.ordered if words in found}
    # A folder may hold anything: another mail counts only if it is to the service, about the seat, and by nobody who plays another.
    known = [(mail, set(seats)) for mail, seats in zip(mails, speaks) if seats]
    service = {one for mail in mails for one in mail.coded(journal.game)} | {mail.recipients[0] for mail, _ in known if len(mail.recipients) == 1}
    for mail, seats in zip(mails, speaks):
        answered = {seat for seat in journal.seats for one in mail.answers if one.startswith(f"{journal.game}.{seat}.")}
        own = {seat for other, theirs in known for seat in theirs if set(other.writer) & set(mail.writer)}
        others = {seat for _, theirs in known for seat in theirs}
        if service & set(mail.recipients): seats |= answered & own if own else answered - others
    seats = set().union(*speaks)
    if not seats:
        print("Sent: none of these mails is surely to this game: none is to a reply address of it, and no entry has their words.")
        return False
    proved, any_entry = True, False
    for n, seat, words, via, since in journal.ordered:
        if seat not in seats: continue
        if (seat, since) not in times and any(one == seat for one, _ in times):
            print(f"Sent: entry {n} ({seat}): of another player of the seat, of whom no mail is given")
            continue
        any_entry = True
        if words in found:
            i, lines, line = found[words]
            taken.update((i, k) for k in lines)
            print(f"Sent: entry {n} ({seat}): mine, word for word: {line!r}, in {mails[i].place}")
        else:
            proved = False
            print(f"Sent: entry {n} ({seat}): " + ("not mine: none of these mails has its words" if words else f"by no mail ({via})"))
    for i, mail in enumerate(mails):
        for k, line in enumerate(mail.lines):
            if speaks[i] and line and (i, k) not in taken: print(f"Sent: mine, but of no entry above: {line!r}, in {mail.place}")
    return proved and any_entry

def judge(journal, found, key, whole):  # step 9: contradictions as (line, what), what stays unproved
    bad, unproved, held = [], set(), set()
    game, key = (journal.game, key or journal.key) if journal.n else (None, key)  # of a journal without a line that holds nothing is known
    heads = [r for r in found.heads if r["game"] == (game or r["game"])]
    known = {}
    for r in heads:
        head = (r["game"], r["n"], r["hash"], r["signature"])
        if head not in known: known[head] = head_signed(key, r)
        r["good"] = known[head]
        if not r["good"]:
            if r["signature"] and head_signed(r.get("key"), r): unproved.add("whose journal this is: mails are signed by another key")
            elif r["signature"]: unproved.add(f"what the service signed: the signature of a head of entry {r['n']} does not fit")
        elif r["n"] < journal.n:
            if journal.hashes[r["n"]] == r["hash"]: held.add((r["n"], r["hash"]))
            else: bad.append((r["n"] + 1, f"the service signed entry {r['n']} with hash {r['hash']}"))
        else: unproved.add("heads lie beyond the end" if whole else "heads that the check does not come to")
    late = {(r["n"], r["hash"]) for r in heads if r["good"] and r["n"] >= journal.n}
    for n in {n for n, _ in late if len([m for m, _ in late if m == n]) > 1}:
        bad.append((n + 1, f"the service signed two heads of entry {n}"))
    for r in heads:
        if not r["signature"] and (r["n"], r["hash"]) not in held: unproved.add(f"what the service signed: a head of entry {r['n']} has no signature")
    for one in found.damaged:
        if not one or one[0] == (game or one[0]) and one[1] not in {n for n, _ in held}: unproved.add("what damaged receipts say")
    for place, why in found.unread: unproved.add(f"what {place} says, which was not read: {why}")
    for path, those in found.boxes:
        if not any(r.get("good") for r in those): unproved.add(f"what {path} holds: no mail in it has a signed head of this game")
    fitting = {r["signature"]: r for r in reversed(heads) if r["good"]}
    for card, below in found.cards:  # letters to several seats may show the same head
        r = below if below and below.get("good") else fitting.get(below and below["signature"])
        e = journal.epochs.get((card["deck"], int(card["epoch"]))) if r else None
        if not e: continue
        pos = int(card["pos"])
        made = H("postrider/card/v1", journal.game, e.deck, e.number, pos, card["card"], card["salt"])
        if pos >= len(e.cards) or made != e.cards[pos]: bad.append((e.at + 1, f"a letter shows {card['card']} at {pos}"))
        elif r["seat"] and not any(to == r["seat"] and pos in span for to, span in e.spans):
            if whole and r["n"] < journal.n: bad.append((e.at + 1, f"position {pos} was not dealt to seat {r['seat']}"))
    return bad, sorted(unproved), len(held)

def descent(fork, paths, left=16):
    """Section 12: the line that a fork names, among the parents that were given; says which one was missed."""
    named = (fork.opened or {}).get("parent")
    if not named: return ""
    path = next((path for path in paths if first_game(path) == named["game"]), None)
    if path is None or left == 0: return named["game"]
    parent = Journal()
    with open(path, "rb") as file:
        while parent.n <= named["n"] and (line := file.readline(65537)):
            try:
                need(line.endswith(b"\n") and len(line) <= 65536, "no newline within 64 KiB")
                parent.entry(line[:-1])
            except Bad as why: raise Bad(f"entry {parent.n} of {named['game']}, from which it goes on, contradicts: {why}")
    if parent.n <= named["n"]: return named["game"]
    need(parent.prev == named["hash"], f"`parent.hash`: entry {named['n']} of {named['game']} has the hash {parent.prev}")
    need(parent.started is not None and not parent.closed, "`parent.n`: play has not begun there, or is over")
    for member in ("ruleset", "scenario", "options", "seats"):
        need(fork.opened[member] == parent.opened[member], f"`{member}` is not that of {named['game']}")
    right = dict(parent.counted)
    for deck, _ in parent.epochs: right[deck] = right.get(deck, 0) + 1
    need(fork.counted == right, f"`parent.epochs`: the shuffles up to there are {right}")
    return descent(parent, paths, left - 1)

def first_game(path):
    with open(path, "rb") as file:
        try: return parse(file.readline(65537)[:-1])["body"]["game"]
        except (Bad, KeyError, TypeError, ValueError): return None

def check(path, mails=None, key=None, parents=(), own=None):
    journal, bad = Journal(key), []
    with open(path, "rb") as file:
        begin = file.read(65536)
        if sum(mark in begin for mark in (b'{"at":"', b'"body":{', b'"hash":"', b'"kind":"', b'"prev":"')) < 2:  # of a line; a damaged journal has more
            print(f"{path} is no journal: its first line would begin with " + '{"at":"…","body":{')
            return 65
        file.seek(0)
        while line := file.readline(65537):
            try:
                need(line.endswith(b"\n") and len(line) <= 65536, "no newline within 64 KiB")
                journal.entry(line[:-1])
            except Bad as why:
                bad.append((journal.n + 1, str(why)))
                break
    unproved, left, good = [], [], 0
    try:
        if parents and not bad and (missed := descent(journal, parents)):
            unproved.append(f"what {missed} was up to the line where the fork leaves it: not given, or not so far")
    except Bad as why: bad.append((1, str(why)))
    if mails:
        more, left, good = judge(journal, mails, key, not bad)
        bad += more
    if bad:
        line, what = min(bad, key=lambda found: found[0])
        print(f"Line {line} (entry {line - 1}) contradicts: {what}")
        return 1
    if journal.n == 0: unproved.append("anything: the journal is empty")
    for e in journal.epochs.values():
        if e in e.chain.hidden: journal.unproved.append(f"the order of {e.deck}, epoch {e.number}")
    journal.unproved += [f"what entry {n} seals" for n in journal.seals]
    for k, n in enumerate(journal.rewinds, 1):
        fresh = [label for label, chains in journal.generations.items() if not chains[k].origin]
        if fresh: journal.unproved.append(f"that the fresh chains of entry {n} were fixed at the opening: " + ", ".join(fresh))
    for what in journal.unproved + unproved: print("Unproved:", what)
    for what in left: print("Unproved by mails:", what)
    for n, by, to, chains in journal.undone: print(f"Told: in entry {n} {by!r} goes back to entry {to} behind dice or cards; {chains}")
    for seat, why in journal.lucks(): print(f"Told: the words for luck of seat {seat} {why}")
    if mails and mails.without: print("Read, and no letter of a game in it:", ", ".join(mails.without))
    said = f"{good} signed heads on the chain" if mails else "no mails given (9)"
    untold = own is not None and not sent(journal, own.mails)
    print(f"{journal.n} lines, {journal.rolled} rolls, {len(journal.epochs)} shuffles, {said}. Left out: replay (8) and times (10).")
    return 2 if journal.unproved + unproved + left or untold else 0

def self_test():
    key = spelt(bytes(range(32)))
    stream = words(key, 1 | 0x09000000 << 32, (0x4A000000, 0))  # RFC 8439, 2.3.2
    assert b"".join(next(stream).to_bytes(4, "little") for _ in range(4)).hex() == "10f1e7e4d13b5915500fdd1fa32071c4"
    assert below(6, iter([0xFFFFFFFC, 0xFFFFFFFB])) == 5
    from_hex = lambda text: spelt(bytes.fromhex(text))
    public, sig = from_hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), from_hex(  # RFC 8032, 7.1, test 2
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    assert signed(public, b"r", sig) and not signed(public, b"s", sig) and not signed(public, b"r", sig[:-1] + "B")
    assert not signed(from_hex("01" + "00" * 31), b"r", from_hex("01" + "00" * 63)), "a key of small order signs nothing"
    assert spells("A" * 43, 32) and not spells("A" * 42 + "B", 32) and not spells("A" * 42 + "+", 32) and not spells("A" * 44, 32)
    for line in (b'{"A":1,"a":{"b":[true,""]}}', b"[" * 64 + b"]" * 64, b"-1",
                 '"\\u0001\\n\\"\\\\/\u00e9\u2028\x7f"'.encode()):
        parse(line)
    for line in (b"", b" 1", b"[1, 2]", b'{"b":1,"a":2}', b'{"a":1,"a":1}', b"null", b"1.0", b"1e2", b"-0", b"01", b"NaN",
                 b"9007199254740992", b'"\\u00e9"', b'"\\/"', b'"\\ud800"', b'"\xff"', b"[" * 65 + b"]" * 65, b"[" * 9999):
        try: parse(line)
        except Bad: continue
        raise AssertionError(f"{line[:40]} was taken for canonical")
    print("self-test passed")
    return 0

def main():
    for stream in (sys.stdout, sys.stderr): stream.reconfigure(errors="backslashreplace")
    if sys.argv[1:] == ["--self-test"]: return self_test()
    if sys.argv[1:] == ["--each"]:
        for path in sys.stdin:
            try: status = check(path.removesuffix("\n"))
            except OSError as error:
                print(error)
                status = 66
            print("-- status", status, flush=True)
        return 0
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("journal")
    parser.add_argument("--receipts", action="append", default=[])
    parser.add_argument("--mail", action="append", default=[])
    parser.add_argument("--key")
    parser.add_argument("--parent", action="append", default=[])
    parser.add_argument("--sent", action="append", default=[])
    try: args = parser.parse_args()
    except SystemExit: return 64
    try:
        mails = Found() if args.receipts or args.mail else None
        for path in args.receipts:
            with open(path, "rb") as file: listed = receipts(json.load(file))
            mails.heads += listed
            mails.boxes.append((path, listed))
        for path in args.mail:
            os.stat(path)
            mails.box(path)
        own = SentMails() if args.sent else None
        for path in args.sent:
            os.stat(path)
            own.box(path)
        return check(args.journal, mails, args.key, args.parent, own)
    except (OSError, ValueError, RecursionError) as error:
        print(error, file=sys.stderr)
        return 66 if isinstance(error, OSError) else 65

if __name__ == "__main__": sys.exit(main())
