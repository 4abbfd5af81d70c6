//! Every Round of a whole game of each system, and every heading of its story, is a moment to
//! rewind to and to fork from.

use super::other::Other;
use postrider::{
    audit::verify,
    dice::{ChainRoot, DICE_CHAIN, DiceStream, SeedChain, deck_chain, h, sha256},
    games::rulesets,
    journal::{Body, Drawn, FORMAT, Joined, Json, Opened, Parent, Rewound, Ruleset as Named, Via, Writer},
    replay::{
        Catalog, Checkpoint, CheckpointError, LiveGame, RoundMark, Source, Step,
        index::Rewind,
        parent::epochs,
        rebuild::{rebuild, rebuild_within},
    },
    table::{Ruleset, Seat, Understood, Watch},
};

const AT: &str = "2026-01-01T00:00:00Z";

/// A game whose players answer at random.
struct Table {
    rules: &'static dyn Ruleset,
    catalog: Catalog,
    roots: Vec<ChainRoot>,
    chains: Vec<SeedChain>,
    live: LiveGame,
    writer: Writer,
    bytes: Vec<u8>,
    drawn: Drawn,
    /// The number of rewinds with new chains.
    rewinds: u64,
    chance: DiceStream,
}

impl Table {
    fn begin(rules: &'static dyn Ruleset, game: &str, parent: Option<Parent<'static>>, catalog: Catalog) -> Table {
        let secret = |what: &str| h("postrider/test/rounds", &[game, what]);
        let labels = std::iter::once(DICE_CHAIN.to_owned()).chain(rules.decks().iter().map(|deck| deck_chain(deck)));
        let roots: Vec<ChainRoot> = labels.map(|label| ChainRoot::new(&label, secret(&label)).unwrap()).collect();
        let chains: Vec<SeedChain> = roots.iter().map(|root| root.first().unwrap()).collect();
        let seats: Vec<String> = (0..*rules.seats().end().min(&3)).map(|seat| Seat(seat).to_string()).collect();
        let mut writer = Writer::new(game).unwrap();
        let components = sha256(rules.components().as_bytes());
        let opened = Body::Opened(Opened {
            format: FORMAT,
            game: game.to_owned().into(),
            ruleset: Named { name: rules.name().into(), version: u64::from(rules.version()), components },
            scenario: rules.scenarios()[0].into(),
            options: Json::empty(),
            seats: seats.iter().map(Into::into).collect(),
            operator_seats: Vec::new(),
            chains: tips(&chains),
            clock: Json::empty(),
            key: secret("key"),
            directors: vec![],
            consent: None,
            parent: parent.map(Box::new),
        });
        let mut text = writer.line(AT, &opened).unwrap();
        for seat in &seats {
            let (address, via) = (secret(seat), Via::Cli);
            let joined = Joined { seat: seat.into(), address, luck: "".into(), via, mail: None, director: None };
            text += &writer.line(AT, &Body::Joined(joined)).unwrap();
        }
        let bytes = text.into_bytes();
        let live = rebuild(&bytes.as_slice().into(), &catalog, Some(chains.clone()), None, Watch::ALL).unwrap();
        let (drawn, chance) = (Drawn::default(), DiceStream::new(secret("players")));
        let mut table = Table { rules, catalog, roots, chains, live, writer, bytes, drawn, rewinds: 0, chance };
        let Step { bodies, .. } = table.live.start(table.writer.n()).unwrap();
        table.append(&bodies);
        table
    }

    fn append(&mut self, bodies: &[Body<'_>]) {
        for body in bodies {
            self.drawn.note(self.writer.n(), body);
            self.bytes.extend_from_slice(self.writer.line(AT, body).unwrap().as_bytes());
        }
        self.live.advance(self.writer.head().unwrap());
    }

    fn play(&mut self, most: usize) {
        for _ in 0..most {
            let dyn_game = self.live.dyn_game.as_mut().unwrap();
            let asked: Vec<_> = dyn_game.asked().unwrap_or_default().into_iter().filter(|one| one.required).collect();
            if self.live.closed || asked.is_empty() {
                break;
            }
            let asked = &asked[self.chance.below(asked.len() as u32) as usize];
            let chance = &mut self.chance;
            let order = dyn_game.sample(asked.id, &mut |n| chance.below(n)).unwrap();
            let answer = Understood::answer(asked, order);
            let step = self.live.decide(self.writer.n(), asked.seat, &answer, Via::Cli, None).unwrap();
            self.append(&step.bodies);
        }
    }

    fn rewind(&mut self, mark: &RoundMark) {
        let (to, at) = (mark.n, self.writer.n());
        let within = self.live.step_log.goes_on(to).map(|step| step.first);
        let mut fresh = Vec::new();
        if self.drawn.renews(within.unwrap_or(to)) {
            self.rewinds += 1;
            let chain = |root: &ChainRoot| root.chain(self.rewinds, root.first().unwrap().tip()).unwrap();
            fresh = self.roots.iter().map(chain).collect();
        }
        self.chains.extend(fresh.iter().cloned());
        let (by, reason, chains) = ("host".into(), "a slip".into(), tips(&fresh));
        let rewound = Rewound { to, by, reason, chains, of: None, within, via: None, words: None };
        self.append(&[Body::Rewound(rewound)]);
        let bodies = self.live.go_back(Rewind { to, at, within }, fresh).unwrap();
        self.append(&bodies.unwrap_or_else(|| panic!("{mark:?} is in memory")));
    }

    fn rebuilt(&self) -> LiveGame {
        let source = Source::from(self.bytes.as_slice());
        rebuild(&source, &self.catalog, Some(self.chains.clone()), None, Watch::ALL).unwrap()
    }

    fn fork(&self, mark: &RoundMark) -> Table {
        let (source, watch) = (Source::from(self.bytes.as_slice()), Watch { tell: true, ..Watch::NONE });
        let within = self.live.step_log.goes_on(mark.n).map(|step| step.first);
        let then = match within {
            Some(_) => rebuild_within(&source, &self.catalog, mark.n, watch).unwrap().0,
            None => rebuild(&source, &self.catalog, None, Some(mark.n), watch).unwrap(),
        };
        assert_eq!(then.head.n, mark.n, "{mark:?}");
        let parent = Parent {
            game: self.live.game.clone().into(),
            n: then.head.n,
            hash: then.head.hash,
            within,
            epochs: epochs(&then).into_iter().map(|(deck, count)| (deck.into(), count)).collect(),
            reason: "".into(),
        };
        let game = format!("{}-{}", self.live.game, mark.n);
        Table::begin(self.rules, &game, Some(parent), self.catalog.clone().with_parent(source))
    }
}

fn tips(chains: &[SeedChain]) -> std::collections::BTreeMap<postrider::journal::Text<'static>, postrider::dice::Hash> {
    chains.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect()
}

fn seen(live: &LiveGame) -> String {
    let dyn_game = live.dyn_game.as_ref().unwrap();
    let now = (dyn_game.view(None).unwrap(), dyn_game.asked().ok(), dyn_game.outcome(), dyn_game.next_prompt());
    let story: Vec<_> = live.story.iter().map(|line| (line.n, line.told.clone())).collect();
    format!("{now:?} {story:?} {:?} {:?} {:?}", live.marks, live.closed, live.head)
}

/// Finds a Round by its heading; of several with the same one by that with its entry.
fn by_heading(mark: &RoundMark, marks: &[RoundMark]) -> u64 {
    let find = |text: &str| text.parse::<Checkpoint>().unwrap().find(marks);
    match find(&mark.label) {
        Err(CheckpointError::Ambiguous { .. }) => find(&format!("{} (entry {})", mark.label, mark.n)).unwrap(),
        found => found.unwrap(),
    }
}

#[test]
fn every_round_is_a_moment() {
    let (mut other, mut within) = (Other::start(), 0);
    let folder = tempfile::tempdir().unwrap();
    for rules in rulesets() {
        let mut table = Table::begin(*rules, rules.name(), None, Catalog::new(rulesets()));
        table.play(usize::MAX);
        assert!(table.live.closed, "{}", rules.name());
        let marks = table.live.marks.clone();
        let path = folder.path().join("parent.jsonl");
        std::fs::write(&path, &table.bytes).unwrap();
        let parent = ["--parent".to_owned(), path.display().to_string()];
        for mark in marks.iter().rev() {
            assert_eq!(by_heading(mark, &marks), mark.n, "{mark:?}");
            let then = table.live.view_at(mark, None).unwrap();
            assert!(then.is_some(), "{mark:?} is shown");
            let mut fork = table.fork(mark);
            let begins = fork.live.view_at(&fork.live.marks[0], None).unwrap();
            assert!(begins.is_none() || begins == then, "{mark:?}");
            fork.play(2);
            let report = verify(&Source::from(fork.bytes.as_slice()), &fork.catalog, |_| ()).unwrap();
            assert!(report.contradictions.is_empty(), "{mark:?}: {report}");
            let (status, said) = other.says(&fork.bytes, &parent).unwrap();
            assert_eq!(i64::from(report.status), status, "{mark:?}: {said} {report}");
        }
        // From within the last step the game could end again without a die, and then no further
        // rewind is possible.
        let (log, end) = (&table.live.step_log, table.live.head.n);
        let ends = |mark: &RoundMark| log.goes_on(mark.n).is_some_and(|step| step.last == end);
        let before = marks.iter().position(ends).unwrap_or(marks.len());
        assert!(before + 8 > marks.len() && before > 8, "{}: {before} of {}", rules.name(), marks.len());
        for (i, mark) in marks.iter().enumerate().take(before).rev() {
            let Some(then) = table.live.view_at(mark, None).unwrap() else { panic!("{mark:?} is not seen") };
            table.rewind(mark);
            within += usize::from(table.live.step_log.goes_on(mark.n).is_some());
            assert_eq!(table.live.marks[..=i], marks[..=i]);
            assert_eq!(table.live.view_at(mark, None).unwrap(), Some(then), "{mark:?}");
            if i % 16 == 0 {
                assert_eq!(seen(&table.live), seen(&table.rebuilt()), "{mark:?}");
            }
        }
        table.play(usize::MAX);
        let report = verify(&Source::from(table.bytes.as_slice()), &table.catalog, |_| ()).unwrap();
        assert_eq!(report.status, 0, "{}: {report}", rules.name());
        let (status, said) = other.says(&table.bytes, &[]).unwrap();
        assert_eq!(status, 0, "{}: {said}", rules.name());
    }
    assert!(within > 0, "some Rounds have dice or no question");
}
