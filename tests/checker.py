#!/usr/bin/env python3
"""An independent checker of journals, written from docs/journal-format.md alone: steps 1 to 7 of its section 9.

    python3 tests/checker.py JOURNAL.jsonl
    python3 tests/checker.py --self-test

Left out are the replay (8) and the receipts (9): Ed25519 is not in the standard library. Lines are counted from 1.
Exit status: 0 all of this proved, 1 a contradiction, 2 some parts unproved, 64 wrong use.
"""
import hashlib, json, re, sys
from types import SimpleNamespace as Record

class Bad(Exception): pass

def need(truth, what):
    if not truth: raise Bad(what)

# Sections 1 and 2: canonical JSON and hashes.
def canon(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def sha(data): return hashlib.sha256(data).hexdigest()
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
        start = [*b"expand 32-byte k"] + [*bytes.fromhex(key)]
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

class Chain:  # section 5; link k is s_(N-k), link 0 the tip
    def __init__(self, label, tip):
        self.label, self.length, self.used = label, 65536 if label == "dice" else 256, 0
        self.last, self.link, self.hidden, self.origin = tip, 0, [], None
    def take(self):
        self.used += 1
        need(not self.origin and self.used <= self.length, f"no link of chain {self.label} is left")
        return self.used
    def reveal(self, link, secret):  # hashes on to the last public link; gives the hidden epochs that are open by it
        path = [secret]
        for _ in range(link - self.link): path.append(H("postrider/link/v1", self.label, path[-1]))
        need(path[-1] == self.last, f"link {link} of chain {self.label} does not lead to its last public link")
        self.last, self.link = secret, link
        opened, self.hidden = ([e for e in self.hidden if e.link <= link], [e for e in self.hidden if e.link > link])
        return [(e, path[link - e.link]) for e in opened]

ENTRY = {"at": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "game": "[a-z0-9-]{3,40}", "kind": "[a-z0-9_-]{1,40}",
         "hash": "[0-9a-f]{64}"}
KINDS = {"opened", "joined", "started", "decision", "rolled", "shuffled", "dealt", "shown", "revealed", "sealed", "unsealed",
         "round", "rewound", "ruling", "reseated", "clock", "closed"}

class Journal:
    def __init__(self):
        self.n, self.prev, self.game, self.started, self.rolled = 0, "0" * 64, None, None, 0
        self.sat, self.phrases, self.epochs, self.seals, self.unproved = set(), {}, {}, {}, []
        self.generations, self.rewinds = {}, []
    def entry(self, line):
        e = parse(line)
        need(type(e) is dict and set(e) == {*ENTRY, "body", "n", "prev", "v"}, "not the eight members of an entry")
        for key, form in ENTRY.items():
            need(type(e[key]) is str and re.fullmatch(form, e[key], re.ASCII), f"`{key}`")
        need(type(e["body"]) is dict and canon(e["v"]) == b"1", "`body` or `v`")
        self.game = self.game or e["game"]
        need(e["hash"] == sha(b"postrider/entry/v1\n" + line.replace(f'"hash":"{e["hash"]}",'.encode(), b"", 1)), "`hash`")
        need((e["n"], e["prev"], e["game"]) == (self.n, self.prev, self.game), "`n`, `prev` or `game`")
        kind, b = e["kind"], e["body"]
        need((kind == "opened") == (self.n == 0), "`opened` stands in the first line and only there")
        if kind not in KINDS: self.unproved.append(f"line {self.n + 1}: the kind {kind}")
        need(kind not in ("rolled", "shuffled", "revealed", "rewound") or self.started is not None, "not yet `started`")
        need(kind == "opened" or kind not in KINDS or b.get("seat", "") in [*self.seats, ""], "no such seat")
        try: getattr(self, "on_" + kind, lambda b: None)(b)
        except (KeyError, TypeError, AttributeError, ValueError) as error: raise Bad(f"the members of `{kind}`: {error!r}")
        self.n, self.prev = self.n + 1, e["hash"]
    def chain(self, label):  # the one in use
        need(label in self.generations, f"no chain {label}")
        return self.generations[label][-1]
    def on_opened(self, b):
        self.seats = b["seats"]
        need(set(b["operator_seats"]) <= set(self.seats), "an operator's seat that is none")
        self.generations = {label: [Chain(label, tip)] for label, tip in b["chains"].items()}
        if b["operator_seats"]: print("The operator holds", *b["operator_seats"], "and can foresee dice and see hands.")
    def on_joined(self, b):
        need(self.started is None and b["seat"] not in self.sat, "joined twice, or after `started`")
        self.sat.add(b["seat"])
        self.phrases[b["seat"]] = b["luck"]
    def on_reseated(self, b): self.phrases[b["seat"]] = b["luck"]
    def on_started(self, b):
        phrases = [self.phrases.get(seat, "") for seat in self.seats]
        self.luck = H("postrider/luck/v1", *(sha(phrase.encode()) for phrase in phrases))
        need(self.started is None and b["luck"] == self.luck, "started twice, or another `luck` than of the phrases")
        self.started = self.n
    def on_rolled(self, b):
        need(b["cause"] < self.n and b["i"] == self.rolled, "`cause` or `i`")
        self.rolled += 1
        chain = self.chain("dice")
        chain.reveal(chain.take(), b["secret"])
        stream = words(H("postrider/roll/v1", self.game, b["i"], b["secret"], self.luck))
        for roll in b["rolls"]:
            low, size = roll["low"], roll["high"] - roll["low"] + 1
            need(1 <= size < 2**32, "from `low` to `high`")
            need(roll["got"] == [low + below(size, stream) for _ in roll["got"]], f"the dice of {roll['label']!r}")
    def on_shuffled(self, b):
        deck, chain = b["deck"], self.chain("deck:" + b["deck"])
        need(b["epoch"] == sum(name == deck for name, _ in self.epochs), "`epoch`")
        need(len(b["list"]) == len(b["cards"]), "`list` and `cards` differ in length")
        epoch = Record(deck=deck, number=b["epoch"], list=b["list"], cards=b["cards"], chain=chain, link=chain.take())
        epoch.dealt = set()
        self.epochs[deck, b["epoch"]] = epoch
        chain.hidden.append(epoch)
    def hidden(self, deck, number):
        e = self.epochs.get((deck, number))
        need(e and e in e.chain.hidden, f"epoch {number} of {deck} is not shuffled, or revealed already")
        return e
    def on_dealt(self, b):
        e, end = self.hidden(b["deck"], b["epoch"]), b["from"] + b["count"]
        need(end <= len(e.cards), "dealt beyond the deck")
        e.dealt.update(range(b["from"], end))
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
        e = self.hidden(b["chain"].removeprefix("deck:"), b["epoch"])
        need(e is e.chain.hidden[0], "an older epoch of the chain is not revealed yet")
        self.prove(e.chain.reveal(e.link, b["secret"]))
    def on_sealed(self, b): self.seals[self.n] = b
    def on_unsealed(self, b):
        seal = self.seals.pop(b["of"], None)
        need(seal, "`of` names no sealed entry that is not open yet")
        content = sha(canon(b["content"]))
        need(seal["commit"] == H("postrider/sealed/v1", self.game, seal["seat"], b["salt"], content), "not what was sealed")
    def on_rewound(self, b):
        need(self.started <= b["to"] < self.n and set(b["chains"]) == set(self.generations), "`to` or the labels of `chains`")
        self.rewinds.append(self.n)
        need(len(self.rewinds) < 4096, "more than 4,095 rewinds")
        for label, tip in b["chains"].items(): self.generations[label].append(Chain(label, tip))
    def on_closed(self, b):
        for label, s_0 in b["secrets"].items():
            self.chain(label)
            for k, chain in reversed([*enumerate(self.generations[label])]):  # the s_0 before rewind k follows from the one after it
                need(chain.origin in (None, s_0), f"another s_0 of chain {label} before rewind {k + 1} than was laid open")
                if chain.origin: break
                self.prove(chain.reveal(chain.length, s_0))
                chain.origin, s_0 = s_0, H("postrider/rewound/v1", label, k, s_0)

def check(path):
    journal = Journal()
    with open(path, "rb") as file:
        while (line := file.readline(65537)) or journal.n == 0:
            try:
                need(line.endswith(b"\n") and len(line) <= 65536, "no newline within 64 KiB")
                journal.entry(line[:-1])
            except Bad as bad:
                print(f"Line {journal.n + 1} contradicts: {bad}")
                return 1
    for e in journal.epochs.values():
        if e in e.chain.hidden: journal.unproved.append(f"the order of {e.deck}, epoch {e.number}")
    journal.unproved += [f"what line {n + 1} seals" for n in journal.seals]
    for k, n in enumerate(journal.rewinds, 1):
        fresh = [label for label, chains in journal.generations.items() if not chains[k].origin]
        if fresh: journal.unproved.append(f"that the fresh chains of line {n + 1} were fixed at the opening: " + ", ".join(fresh))
    for what in journal.unproved: print("Unproved:", what)
    print(f"{journal.n} lines, {journal.rolled} rolls, {len(journal.epochs)} shuffles. Left out: replay (8), receipts (9).")
    return 2 if journal.unproved else 0

def self_test():
    key = bytes(range(32)).hex()
    stream = words(key, 1 | 0x09000000 << 32, (0x4A000000, 0))  # RFC 8439, 2.3.2
    assert b"".join(next(stream).to_bytes(4, "little") for _ in range(4)).hex() == "10f1e7e4d13b5915500fdd1fa32071c4"
    assert below(6, iter([0xFFFFFFFC, 0xFFFFFFFB])) == 5
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

if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]: sys.exit(self_test())
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    try: sys.exit(check(sys.argv[1]))
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(64)
