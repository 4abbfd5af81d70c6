#!/usr/bin/env python3
"""An independent checker of journals, format version 1, written from the page of the format alone.

    python3 tests/checker.py JOURNAL.jsonl [--json]
    python3 tests/checker.py --self-test

It does steps 1-7 of section 9 (canonical lines, the hash chain, `opened` first, seed chains, dice, decks, sealed
entries) and checks `luck` in `started` against `joined`. Left out: the replay (8), and receipts and `key` (9), since
Ed25519 is not in the standard library. Lines count from 1: line N holds the entry with n = N - 1.
Exit status: 0 all of this proved, 1 a contradiction, 2 some parts unproved, 64 wrong use.
"""
import hashlib, json, re, sys
from types import SimpleNamespace as Record

WORD, INT_LIMIT, LINE_LIMIT = 2**32 - 1, 2**53 - 1, 65536
KEYS = ["at", "body", "game", "hash", "kind", "n", "prev", "v"]
OTHER_KINDS = {"decision", "round", "ruling", "clock"}  # of these only the place in the chain is looked at here
HEX, GAME, AT = r"[0-9a-f]{64}", r"[a-z0-9-]{3,40}", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"

class Bad(Exception):  # a contradiction: Bad(what is wrong, expected, found)
    pass

def require(truth, what, expected, found):
    if not truth:
        raise Bad(what, expected, found)

def equal(what, expected, found):  # compared as JSON text, for in Python True == 1
    require(canon(expected) == canon(found), what, expected, found)

def typed(obj, key, kind, form=""):
    value = obj.get(key)
    good = type(value) is kind and (not form or re.fullmatch(form, value, re.ASCII))
    require(good, f"`{key}`", f"{kind.__name__} {form}", value if key in obj else "nothing")
    return value

# Sections 1 and 2: canonical JSON and hashes
def canon(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

def parse(line):
    def members(pairs):
        if len(dict(pairs)) < len(pairs) or not all(key.isascii() for key, _ in pairs):
            raise ValueError("duplicate or non-ASCII key")
        return dict(pairs)
    def walk(v):
        if v is None or type(v) is float or (type(v) is int and abs(v) > INT_LIMIT):
            raise ValueError("null, float or too large an integer")
        for part in v.values() if type(v) is dict else v if type(v) is list else ():
            walk(part)
    try:
        value = json.loads(line.decode(), object_pairs_hook=members)
        walk(value)
        again = canon(value)
    except (ValueError, RecursionError) as error:
        raise Bad("not canonical JSON", "a canonical line", str(error))
    require(again == line, "not in canonical form", again.decode(), line.decode())
    return value

def sha(data):
    return hashlib.sha256(data).hexdigest()

def H(*fields):  # in hex; integers in decimal
    for f in fields:
        require(type(f) is int or type(f) is str and "\n" not in f, "hashed field", "integer or one-line string", f)
    return sha("".join(f"{f}\n" for f in fields).encode())

# Sections 6 and 7: ChaCha20 and what is drawn from it
def block(key, tail):  # RFC 8439, 2.3; `tail`: words 12-15 of the state; gives 16 words
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += [int.from_bytes(key[i:i + 4], "little") for i in range(0, 32, 4)] + tail
    x = start[:]
    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for a, b, c, d in (columns + diagonals) * 10:
        for p, q, r, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] = (x[p] + x[q]) & WORD
            t = x[r] ^ x[p]
            x[r] = (t << turn | t >> (32 - turn)) & WORD
    return [(s + t) & WORD for s, t in zip(start, x)]

def words(seed):
    counter = 0
    while True:
        yield from block(bytes.fromhex(seed), [counter & WORD, counter >> 32, 0, 0])
        counter += 1

def below(n, stream):
    return next(w for w in stream if w < 2**32 - 2**32 % n) % n

def shuffle(cards, stream):
    cards = cards[:]
    for i in reversed(range(1, len(cards))):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return cards

class Chain:  # section 5: one seed chain from one tip; link k is s_(N-k), link 0 the tip
    def __init__(self, label, tip):
        self.label, self.length, self.known, self.used = label, 65536 if label == "dice" else 256, [tip], 0

    def next_link(self):
        self.used += 1
        require(self.used <= self.length, f"links of chain {self.label}", f"at most {self.length}", self.used)
        return self.used

    def reveal(self, secret, k):  # hash forward to the newest known link; links passed on the way become known too
        path = [secret]
        for _ in range(len(self.known), k + 1):
            path.append(H("postrider/link/v1", self.label, path[-1]))
        equal(f"link {k} of chain {self.label}", self.known[min(k, len(self.known) - 1)], path.pop())
        self.known += reversed(path)

class Journal:
    def __init__(self):
        self.n, self.game, self.prev, self.luck, self.closed, self.operator_seats = -1, "", "0" * 64, "", False, []
        self.chains, self.phrases, self.epochs, self.sealed, self.rewinds, self.unproved = {}, {}, {}, {}, [], []
        self.counts = dict(entries=0, rolled=0, dice=0, shuffled=0, shuffles_proved=0, shown=0, unsealed=0)

    def alive(self, n):  # an earlier entry, not undone by a rewind
        return 0 <= n < self.n and not any(to < n < at for to, at in self.rewinds)

    def entry(self, line):  # steps 1-3
        e = parse(line)
        require(type(e) is dict and list(e) == KEYS, "keys of the entry", KEYS, sorted(e) if type(e) is dict else e)
        self.n += 1
        self.game = self.game or typed(e, "game", str, GAME)
        for key, value in (("v", 1), ("n", self.n), ("prev", self.prev), ("game", self.game)):
            equal(f"`{key}`", value, e[key])
        typed(e, "at", str, AT), typed(e, "body", dict)
        kind, found = typed(e, "kind", str), e.pop("hash")
        self.prev = sha(b"postrider/entry/v1\n" + canon(e))
        equal("`hash`", self.prev, found)
        require((kind == "opened") == (self.n == 0), "`kind`", "`opened` first and only there", kind)
        if check := getattr(self, "on_" + kind, None):
            try:
                check(e["body"])
            except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
                raise Bad(f"body of `{kind}`", "the fields of section 4", repr(error))
        elif kind not in OTHER_KINDS:
            self.unproved.append(f"line {self.n + 1}: unknown kind {show(kind)}")
        self.counts["entries"] += 1
        if kind in self.counts:
            self.counts[kind] += 1

    def on_opened(self, b):
        self.seats, self.operator_seats = typed(b, "seats", list), typed(b, "operator_seats", list)
        typed(b, "key", str, HEX), typed(b["chains"], "dice", str)
        self.set_chains(b["chains"])

    def set_chains(self, tips):
        self.chains = {label: Chain(label, typed(tips, label, str, HEX)) for label in tips}

    def on_joined(self, b):
        require(b["seat"] not in self.phrases, "`seat`", "joined once", b["seat"])
        self.on_reseated(b)

    def on_reseated(self, b):
        require(b["seat"] in self.seats, "`seat`", self.seats, b["seat"])
        self.phrases[b["seat"]] = typed(b, "luck", str)

    def on_started(self, b):
        require(not self.luck, "`kind`", "one `started`", "a second one")
        self.luck = H("postrider/luck/v1", *(sha(self.phrases.get(seat, "").encode()) for seat in self.seats))
        equal("`luck`", self.luck, b["luck"])

    def in_play(self):
        require(self.luck and not self.closed, "place of dice or shuffle", "after `started`, before `closed`", "not so")

    def on_rolled(self, b):  # step 5
        self.in_play()
        equal("`i`", self.counts["rolled"], b["i"])
        require(self.alive(typed(b, "cause", int)), "`cause`", "an earlier entry, not undone", b["cause"])
        self.chains["dice"].reveal(typed(b, "secret", str, HEX), self.chains["dice"].next_link())
        stream = words(H("postrider/roll/v1", self.game, b["i"], b["secret"], self.luck))
        for number, roll in enumerate(typed(b, "rolls", list)):
            low, size = typed(roll, "low", int), typed(roll, "high", int) - roll["low"] + 1
            require(1 <= size <= 2**32, f"range of roll {number}", "low <= high", [low, roll["high"]])
            equal(f"roll {number}", [low + below(size, stream) for _ in typed(roll, "got", list)], roll["got"])
            self.counts["dice"] += len(roll["got"])

    def on_shuffled(self, b):  # step 6, as far as `prove`
        self.in_play()
        deck, cards, chain = b["deck"], typed(b, "cards", list), self.chains["deck:" + b["deck"]]
        equal("`epoch`", sum(d == deck for d, _ in self.epochs), b["epoch"])
        equal("number of `cards`", len(typed(b, "list", list)), len(cards))
        self.epochs[deck, b["epoch"]] = Record(n=self.n, deck=deck, number=b["epoch"], list=b["list"], cards=cards,
                                               dealt={}, chain=chain, link=chain.next_link(), proved=False)

    def epoch(self, deck, number):
        require((deck, number) in self.epochs, "deck and epoch", "shuffled before", [deck, number])
        return self.epochs[deck, number]

    def on_dealt(self, b):
        epoch, end = self.epoch(b["deck"], typed(b, "epoch", int)), typed(b, "from", int) + typed(b, "count", int)
        require(b["seat"] in [*self.seats, ""], "`seat`", [*self.seats, ""], b["seat"])
        require(self.alive(epoch.n), "`epoch`", "not undone", b["epoch"])
        require(0 <= b["from"] <= end <= len(epoch.cards), "end of cards dealt", len(epoch.cards), [b["from"], end])
        for pos in range(b["from"], end):
            require(not self.alive(epoch.dealt.get(pos, -1)), "position dealt", "one not yet dealt", pos)
            epoch.dealt[pos] = self.n

    def on_shown(self, b):
        epoch, pos = self.epoch(b["deck"], typed(b, "epoch", int)), typed(b, "pos", int)
        require(pos in epoch.dealt and b["card"] in epoch.list, "shown", "a dealt card of the deck", [pos, b["card"]])
        self.commitment(epoch, pos, b["card"], typed(b, "salt", str, HEX))

    def commitment(self, e, pos, card, salt):
        equal(f"deck {e.deck} epoch {e.number} (line {e.n + 1}): commitment to {card} at {pos}",
              H("postrider/card/v1", self.game, e.deck, e.number, pos, card, salt), e.cards[pos])

    def on_revealed(self, b):
        epoch = self.epoch(b["chain"].removeprefix("deck:"), typed(b, "epoch", int))
        equal("`chain`", epoch.chain.label, b["chain"])
        self.reveal_deck(epoch.chain, typed(b, "secret", str, HEX), epoch.link)

    def reveal_deck(self, chain, secret, link):  # proves every shuffle whose secret is known from now on
        chain.reveal(secret, link)
        for e in self.epochs.values():
            if e.chain is chain and not e.proved and e.link < len(chain.known):
                secret, e.proved = chain.known[e.link], True
                seed = H("postrider/deck/v1", self.game, e.deck, e.number, secret, self.luck)
                for pos, card in enumerate(shuffle(e.list, words(seed))):
                    self.commitment(e, pos, card, H("postrider/salt/v1", secret, pos))
                self.counts["shuffles_proved"] += 1

    def on_sealed(self, b):  # step 7
        self.sealed[self.n] = Record(seat=typed(b, "seat", str), commit=typed(b, "commit", str, HEX), opened=False)

    def on_unsealed(self, b):
        sealed = self.sealed.get(typed(b, "of", int))
        require(sealed, "`of`", "a sealed entry", b["of"])
        commit = H("postrider/sealed/v1", self.game, sealed.seat, typed(b, "salt", str), sha(canon(b["content"])))
        equal(f"content sealed at line {b['of'] + 1}", sealed.commit, commit)
        sealed.opened = True

    def on_rewound(self, b):
        require(self.alive(typed(b, "to", int)), "`to`", "an earlier entry, not undone", b["to"])
        equal("labels of `chains`", sorted(self.chains), sorted(b["chains"]))
        self.set_chains(b["chains"])
        self.rewinds.append((b["to"], self.n))
        self.closed = False

    def on_closed(self, b):
        self.closed = True
        for label in sorted(b["secrets"]):
            chain = self.chains[label]
            self.reveal_deck(chain, typed(b["secrets"], label, str, HEX), chain.length)
        self.unproved += [f"chain {show(label)} closed without its s_0" for label in self.chains.keys() - b["secrets"]]

    def check(self, file):  # gives the first contradiction: (line, what, expected, found)
        while (raw := file.readline(LINE_LIMIT + 1)) or self.n < 0:  # in binary: split on byte 0x0A alone
            line = self.n + 2
            try:
                require(raw.endswith(b"\n"), "end of line", "byte 0x0A within 64 KiB", f"none after {len(raw)} bytes")
                self.entry(raw[:-1])
            except Bad as bad:
                return line, *bad.args
            except RecursionError:
                return line, "not canonical JSON", "values less deeply nested", f"{len(raw)} bytes"
        self.unproved += [f"line {e.n + 1}: deck {show(e.deck)} epoch {e.number} is not revealed"
                          for e in self.epochs.values() if not e.proved]
        self.unproved += [f"line {n + 1}: sealed and never opened" for n, s in self.sealed.items() if not s.opened]

def show(value):  # as one line of printable ASCII
    text = json.dumps(value)[1:-1] if type(value) is str else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."

def self_test():
    def stream(*tails):
        return b"".join(w.to_bytes(4, "little") for tail in tails for w in block(bytes(range(32)), list(tail)))
    def same(found, expected):
        if found != expected:
            raise SystemExit(f"self-test: expected {expected!r} found {found!r}")
    def verdict(text):
        try:
            return parse(text) is not None
        except Bad:
            return False
    same(stream((1, 0x09000000, 0x4A000000, 0)).hex(),  # RFC 8439, 2.3.2
         "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
         "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e")
    text = (b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
            b"sunscreen would be it.")
    same(bytes(a ^ b for a, b in zip(text, stream((1, 0, 0x4A000000, 0), (2, 0, 0x4A000000, 0)))).hex(),  # 2.4.2
         "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b357"
         "1639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
         "5af90bbf74a35be6b40b8eedf2785e42874d")
    same(below(6, iter([0xFFFFFFFC, 0xFFFFFFFB])), 5)  # 2^32 mod 6 = 4: the first word is refused
    for good in ('{}', '[]', '0', '-1', '9007199254740991', '{"A":1,"a":{"b":[true,false,""]}}',
                 '"\\u0001\\b\\"\\\\/"', '"\u00e9\u2028\U0001F3B2\x7f"'):
        same((good, verdict(good.encode())), (good, True))
    for bad in ('', ' 1', '1 ', '[1, 2]', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"\u00e9":1}', 'null', '[null]', '1.0',
                '1e2', '-0', '01', 'NaN', '9007199254740992', '"\\u00e9"', '"\\/"', '"\\u000A"', '"\\ud800"',
                '[' * 9999):
        same((bad, verdict(bad.encode())), (bad, False))
    same([verdict(raw) for raw in (b'"\xff"', b'"\xed\xa0\x80"', b'\xef\xbb\xbf{}')], [False] * 3)
    print("self-test passed")

def main(args):
    if args == ["--self-test"]:
        return self_test()
    paths = [a for a in args if a != "--json"]
    if len(paths) != 1 or paths[0].startswith("-"):
        return print(__doc__, file=sys.stderr) or 64
    journal = Journal()
    try:
        with open(paths[0], "rb") as file:
            bad = journal.check(file)
    except OSError as error:
        return print(error, file=sys.stderr) or 64
    status, left_out = 1 if bad else 2 if journal.unproved else 0, ["replay (8)", "receipts and key (9)"]
    if "--json" in args:
        bad = bad and dict(zip(("line", "what", "expected", "found"), bad))
        print(json.dumps(dict(status=status, operator_seats=journal.operator_seats, checked=journal.counts,
                              contradiction=bad, unproved=journal.unproved, left_out=left_out)))
    elif bad:
        print("line {}: {}: expected {} found {}".format(bad[0], *map(show, bad[1:])))
    else:
        if journal.operator_seats:
            print(f"the operator holds seats {show(journal.operator_seats)}: he can foresee dice and see hands")
        print("proved:", ", ".join(f"{name} {count}" for name, count in journal.counts.items()))
        for name in journal.unproved:
            print("unproved:", name)
        print("left out:", ", ".join(left_out))
    return status

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
