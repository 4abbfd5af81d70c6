-- Since when a mail waits, in and out, so that whoever watches sees that one waits too long. What waits already counts from now on.

ALTER TABLE inbox ADD COLUMN since timestamptz NOT NULL DEFAULT now();
ALTER TABLE outbox ADD COLUMN since timestamptz NOT NULL DEFAULT now();

-- The oldest form of the tables that a program may know to work with these: a form that only adds something leaves it as it is.
INSERT INTO meta (name, value) VALUES ('least_form', '1') ON CONFLICT DO NOTHING;
