-- The tables of a Postrider host. What is not public is sealed (bytea) with a key that is not in the database.

-- What is true of the whole host: whose key seals it, when kept mails were last looked through.
CREATE TABLE meta (
    name text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
);

-- A row for each game, written with everything that a command does to it.
CREATE TABLE games (
    game text COLLATE "C" PRIMARY KEY,
    -- How many lines its journal has, and the hash of the last.
    lines bigint NOT NULL DEFAULT 0 CHECK (lines >= 0),
    head bytea CHECK ((head IS NULL) = (lines = 0) AND length(head) = 32),
    -- The number of the next row of secrets.
    kept bigint NOT NULL DEFAULT 0,
    -- How often its secrets were changed.
    changes bigint NOT NULL DEFAULT 0,
    -- The token of the lease under which it was last changed: none that is older changes it again.
    token bigint NOT NULL DEFAULT 0,
    -- How it stands, and to how many lines and changes that belongs.
    status bytea,
    status_lines bigint,
    status_changes bigint
);

-- The journals: the bytes of each line, with its newline.
CREATE TABLE events (
    game text COLLATE "C" NOT NULL REFERENCES games,
    n bigint NOT NULL CHECK (n >= 0),
    line bytea NOT NULL,
    PRIMARY KEY (game, n)
);

CREATE FUNCTION journals_are_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a line of a journal is never changed and never removed' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION journals_are_for_ever();
CREATE TRIGGER no_truncation BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION journals_are_for_ever();

-- What is kept beside a journal, a JSON object a row, oldest first.
CREATE TABLE secrets (
    game text COLLATE "C" NOT NULL REFERENCES games,
    k bigint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (game, k)
);

-- In which games an address sits. Addresses are hashed with the key.
CREATE TABLE players (
    address bytea NOT NULL,
    game text COLLATE "C" NOT NULL REFERENCES games,
    PRIMARY KEY (address, game)
);

CREATE SEQUENCE handed_over;

-- Letters: those that wait, those that were handed over, those that were refused.
CREATE TABLE outbox (
    letter text COLLATE "C" PRIMARY KEY,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'refused')),
    sealed bytea NOT NULL,
    -- When it left, by number.
    place bigint,
    -- Why it did not arrive.
    why bytea
);
CREATE INDEX outbox_waiting ON outbox (letter) WHERE state = 'waiting';
CREATE INDEX outbox_lost ON outbox (letter) WHERE why IS NOT NULL;

-- Mails that have come in, with the connection of whoever takes one in.
CREATE TABLE inbox (
    mail text COLLATE "C" PRIMARY KEY,
    sealed bytea NOT NULL,
    pid integer,
    started timestamptz,
    claimed timestamptz
);

-- Mails that were not answered, and such as could not be handled.
CREATE TABLE filed (
    kind text NOT NULL CHECK (kind IN ('refused', 'poison')),
    hash text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    why bytea,
    PRIMARY KEY (kind, hash)
);

-- Mails to games as they came in.
CREATE TABLE taken (
    game text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (game, hash)
);

-- To whom answers went within the last hour. A crash may forget it.
CREATE UNLOGGED TABLE answers (
    whose bytea NOT NULL,
    at bigint NOT NULL
);
CREATE INDEX answers_whose ON answers (whose, at);

CREATE SEQUENCE tokens;

-- Who works on a game now: the connection by which he does. A crash of the server ends every connection, and with them every lease.
CREATE UNLOGGED TABLE leases (
    name text COLLATE "C" PRIMARY KEY,
    token bigint NOT NULL,
    pid integer NOT NULL,
    started timestamptz NOT NULL,
    until timestamptz NOT NULL
);
