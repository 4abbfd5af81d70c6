//! Going back: where a game can go on from, a `rewound` line, orders that are taken back, and what letters tell of it.

use crate::{
    bug::Bug,
    error::{NotDone, OfficeError},
    misuse::Misuse,
    services::Services,
    session::{Game, Transaction},
};
use postrider_audit::Disclosed;
use postrider_dice::{ChainRoot, DICE_CHAIN, GENERATIONS, Hash, SeedChain};
use postrider_journal::{Body, Text, Via};
use postrider_letters::{self as letters, Section};
use postrider_orders::list_and;
use postrider_replay::{
    Answered, StoryLine,
    facts::{Came, Rewound},
    index::Rewind,
    marks::place,
    rebuild,
};
use postrider_store::{Kept, Undoing};
use postrider_table::{DynGame, PromptId, Seat, Watch};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// A point to which a game can be rewound: between two steps.
pub(crate) struct Point {
    /// n of the last line before it.
    pub to: u64,
    /// Turn and Round in words.
    pub place: String,
    /// How many questions had been put.
    pub prompts: PromptId,
    /// Whether the game was over.
    pub over: bool,
}

impl Game {
    /// The point behind the step to which line `n` belongs.
    pub(crate) fn point(&self, services: &Services, n: u64) -> Result<Point, OfficeError> {
        let asked =
            |dyn_game: &Option<Box<dyn DynGame>>| dyn_game.as_ref().map_or(0, |dyn_game| dyn_game.next_prompt());
        let over = |dyn_game: &Option<Box<dyn DynGame>>| dyn_game.as_ref().is_some_and(|it| it.outcome().is_some());
        if let Some(then) = self.live.then(n)? {
            let (prompts, over) = (asked(&then.dyn_game), over(&then.dyn_game));
            return Ok(Point { to: then.n, place: then.place, prompts, over });
        }
        // Play that a rewind has undone is not remembered.
        let watch = Watch { tell: true, ..Watch::NONE };
        let then = rebuild(&self.source, &services.catalog, Some(self.secrets.chains.clone()), Some(n), watch)?;
        let (prompts, over) = (asked(&then.dyn_game), over(&then.dyn_game));
        Ok(Point { to: then.head.n, place: place(&then.marks), prompts, over })
    }

    /// The roots of all chains by their labels: those from which the chains of `opened` follow. A game whose opening was broken off
    /// and done again has others too.
    pub(crate) fn roots(&self) -> BTreeMap<String, ChainRoot> {
        let opened = |root: &&ChainRoot| {
            let several = self.secrets.roots.iter().filter(|other| other.label() == root.label()).count() > 1;
            let follows = |chain: &SeedChain| {
                self.live.opened.chains.get(root.label()) == Some(&chain.tip())
                    && root.origin(0) == Some(chain.origin())
            };
            !several || self.secrets.chains.iter().any(follows)
        };
        self.secrets.roots.iter().filter(opened).map(|root| (root.label().to_owned(), root.clone())).collect()
    }

    /// n of the last order of a seat, if it can still be taken back; else why not.
    /// What it depends on, and what it says, is public: lines of the journal, and whom the game waits for.
    pub(crate) fn can_take_back(&mut self, seat: Seat) -> Result<u64, String> {
        if self.live.closed {
            return Err("The game is over.".to_owned());
        }
        // Where the rules cannot be asked, nothing is taken back.
        let asked = self.asked().map_err(|why| format!("Your last order cannot be taken back now: {why}."))?;
        let required = asked.into_iter().filter(|asked| asked.required && asked.seat != seat);
        let awaited: Vec<(Seat, PromptId)> = required.map(|asked| (asked.seat, asked.id)).collect();
        let none = "You have given no order that could be taken back.";
        let (n, came) = self.facts.last_order(seat).ok_or_else(|| none.to_owned())?;
        let name = |seat: Seat| self.seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
        let mut between: Vec<String> = Vec::new();
        for what in came {
            between.push(match what {
                Came::Order(seat, Via::Deadline) => format!("a deadline of {} has passed", name(seat)),
                Came::Order(seat, _) => format!("{} has given an order", name(seat)),
                Came::Dice => "dice have fallen".to_owned(),
                Came::Cards => "cards have been dealt or shown".to_owned(),
                Came::Standing(seat) => format!("{} has left or ended a standing order", name(seat)),
                Came::Director => "the director has ruled".to_owned(),
            });
        }
        between.dedup();
        if let Some(Answered { kind, asks_from, .. }) = self.live.answered(n) {
            if self.live.opened.ruleset.binding().contains(&kind) {
                return Err(format!(
                    "Your last order (entry {n}) cannot be taken back: an offer, and an answer to one, binds as soon as it is \
                     given."
                ));
            }
            let asked: BTreeSet<Seat> =
                { awaited }.into_iter().filter(|(_, id)| *id >= asks_from).map(|(s, _)| s).collect();
            if !asked.is_empty() {
                let has = if asked.len() == 1 { "has" } else { "have" };
                let names: Vec<String> = asked.into_iter().map(name).collect();
                between.push(format!("{} {has} been asked to go on", list_and(&names)));
            }
        }
        if between.is_empty() {
            return Ok(n);
        }
        Err(format!(
            "Your last order (entry {n}) cannot be taken back: since then {}. The host can rewind the game.",
            list_and(&between)
        ))
    }

    /// How many orders a mail has taken back: what it did before a crash is not done again.
    pub(crate) fn taken_back_by(&self, mail: Hash) -> usize {
        let rewinds = self.facts.rewinds.len() as u64;
        let done = |undoing: &&Undoing| undoing.mail == Some(mail) && undoing.rewind <= rewinds;
        self.secrets.rewinds.values().filter(done).count()
    }

    /// The seat whose mail took an order back by the last line and was not answered before the program ended. More may stand in
    /// that mail; it comes again, and its answer says all there is to say.
    pub(crate) fn unanswered_back(&self) -> Option<Seat> {
        let last = self.facts.rewinds.last().filter(|rewound| rewound.n == self.head().n)?;
        let mail = self.secrets.rewinds.get(&(self.facts.rewinds.len() as u64))?.mail?;
        last.taken_back().filter(|_| !self.secrets.handled.contains(&mail))
    }

    /// How often letters about this question have become void.
    pub(crate) fn voided(&self, prompt: PromptId) -> u64 {
        self.secrets.voided(prompt, self.facts.rewinds.len() as u64)
    }

    /// The last rewind in words, for whoever answers a letter from before it.
    pub(crate) fn last_rewind(&self) -> String {
        let Some(Rewound { n, to, by, reason, .. }) = self.facts.rewinds.last() else { return String::new() };
        let who =
            Seat::from_letter(by).and_then(|seat| self.seats.player(seat)).map_or(by.as_str(), |player| &player.name);
        format!("{who} has the game go on after entry {to} (entry {n}: {reason})")
    }
}

impl Transaction {
    /// Writes a rewind, and has the game as it was then. Letters about the questions from number `from` on are void. Where nothing was
    /// drawn behind the point the chains in use stay: nobody is to have other dice by going back.
    pub(crate) fn undo(
        &mut self,
        services: &Services,
        point: &Point,
        by: String,
        reason: String,
        from: PromptId,
        mail: Option<Hash>,
    ) -> Result<(), OfficeError> {
        let stays = !self.facts.drawn_since(point.to);
        let fresh = if stays { Vec::new() } else { self.fresh_chains()? };
        self.undo_with(services, point, (by, reason), from, mail, fresh)
    }

    /// Goes on after the last line with fresh chains: what lines that were lost drew is not drawn again. No letter from before counts.
    pub(crate) fn go_on_afresh(&mut self, services: &Services, by: String, reason: String) -> Result<(), OfficeError> {
        let point = self.point(services, self.head().n)?;
        let fresh = self.fresh_chains()?;
        self.undo_with(services, &point, (by, reason), 0, None, fresh)
    }

    fn undo_with(
        &mut self,
        services: &Services,
        point: &Point,
        (by, reason): (String, String),
        from: PromptId,
        mail: Option<Hash>,
        fresh: Vec<SeedChain>,
    ) -> Result<(), OfficeError> {
        let rewind = self.facts.rewinds.len() as u64 + 1;
        self.keep(Kept::Rewound(Undoing { rewind, from, mail }))?;
        let chains = fresh.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect();
        let rewound = journal_rewound(point.to, by, reason, chains);
        let at = self.line(services, &rewound)?;
        self.append(None)?;
        let rewind = Rewind { to: point.to, at };
        match self.live.go_back(rewind, fresh) {
            Ok(true) => {
                self.facts.rewound(rewind);
                #[cfg(test)]
                assert_eq!(self.read_anew(services)?.1, self.facts, "the journal, read anew, says the same");
            }
            _ => {
                self.replay_again(services)?;
            }
        }
        // Orders of mails that are undone are not carried out again if a mail comes a second time.
        let old: Vec<Hash> = self.facts.mails.keys().copied().filter(|hash| Some(*hash) != mail).collect();
        for hash in old {
            if !self.secrets.handled.contains(&hash) {
                self.keep_written(BTreeMap::new(), Some(hash), None)?;
            }
        }
        Ok(())
    }

    /// The chains with which play goes on after a rewind, the next of each label.
    fn fresh_chains(&mut self) -> Result<Vec<SeedChain>, OfficeError> {
        let generation = self.facts.generations() + 1;
        if generation >= GENERATIONS {
            return Err(Misuse::NoMoreRewinds { most: GENERATIONS - 1 }.into());
        }
        let roots = self.roots();
        if roots.is_empty() {
            return Err(Misuse::NoRoots.into());
        }
        let mut fresh = Vec::new();
        for root in roots.values() {
            fresh.push(self.chain(root, generation)?);
        }
        Ok(fresh)
    }

    /// Makes the longest of the chains that the next rewind takes: 65,536 hashes, for which nobody waits now.
    pub(crate) fn make_spare(&mut self) -> Result<(), OfficeError> {
        let generation = self.facts.generations();
        if self.secrets.spare_due(generation)
            && let Some(root) = self.roots().get(DICE_CHAIN)
        {
            self.chain(root, generation + 1)?;
        }
        Ok(())
    }

    /// The chain of a generation: a rewind that was broken off, or the one before, may have kept it; else it is made and kept.
    pub(crate) fn chain(&mut self, root: &ChainRoot, generation: u64) -> Result<SeedChain, OfficeError> {
        let unknown = || Bug::NoChain { game: self.id.clone(), label: root.label().to_owned() };
        let origin = root.origin(generation).ok_or_else(unknown)?;
        let same = |chain: &&SeedChain| chain.label() == root.label() && chain.origin() == origin;
        if let Some(chain) = self.secrets.chains.iter().find(same) {
            return Ok(chain.clone());
        }
        let chain = root.chain(generation).ok_or_else(unknown)?;
        self.keep(Kept::Chain(chain.clone()))?;
        Ok(chain)
    }

    /// A seat takes its last order back, if nothing was learned since; says what was done or why not.
    pub(crate) fn take_back(&mut self, services: &Services, seat: Seat, mail: Option<Hash>) -> Result<String, NotDone> {
        self.append(mail.map(|mail| (seat, mail)))?;
        let n = self.can_take_back(seat).map_err(NotDone::why)?;
        let point = self.point(services, n - 1)?;
        // Questions from before keep their letters; those that the order led to are asked no more.
        let from = point.prompts;
        let by = self.live.seat_name(seat).to_owned();
        self.undo(services, &point, by, "taken back".to_owned(), from, mail)?;
        Ok(format!("back: your last order (entry {n}) is undone"))
    }
}

fn journal_rewound(to: u64, by: String, reason: String, chains: BTreeMap<Text<'static>, Hash>) -> Body<'static> {
    Body::Rewound(postrider_journal::Rewound { to, by: by.into(), reason: reason.into(), chains })
}

/// What a rewind undid, for the letters that tell of it.
pub(crate) struct RewindReport {
    /// Turn and Round after which play goes on.
    pub place: String,
    /// What was disclosed in what is undone.
    pub disclosed: Disclosed,
    /// The story that is undone.
    pub story: Vec<StoryLine>,
}

/// The reports of rewinds by n of the `rewound` line, made once for all readers.
#[derive(Default)]
pub(crate) struct RewindReports(pub BTreeMap<u64, RewindReport>);

impl RewindReports {
    /// What a seat that was last written to at line `after` is told of the rewinds since.
    pub fn report(
        &mut self,
        session: &Game,
        services: &Services,
        seat: Seat,
        after: u64,
    ) -> Result<Vec<Section>, OfficeError> {
        let mut out = Vec::new();
        for rewound in session.facts.rewinds.iter().filter(|r| r.n > after && r.taken_back().is_none()) {
            let Rewound { n, to, by, reason, fresh } = rewound;
            let (n, to) = (*n, *to);
            let chains = match fresh {
                true if n == to + 1 => {
                    "What was lost may have been seen, so the seed chains are fresh: no die and no shuffle will come as it did there."
                }
                true => "The seed chains are fresh: no die and no shuffle will come as it did there.",
                false => "Nothing was drawn there, so the dice and cards that come are those that were to come.",
            };
            let RewindReport { place, disclosed, story } = match self.0.entry(n) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let watch = Watch { tell: true, ..Watch::NONE };
                    let chains = Some(session.secrets.chains.clone());
                    let before = rebuild(&session.source, &services.catalog, chains, Some(n - 1), watch)?;
                    let story = before.story.into_iter().filter(|line| line.n > to).collect();
                    let disclosed = Disclosed::between(&session.source, to, n - 1)?;
                    new.insert(RewindReport { place: session.point(services, to)?.place, disclosed, story })
                }
            };
            let undone = match n - to {
                1 => "No entry of this journal is undone.".to_owned(),
                2 => format!("Entry {} is undone and counts no more.", to + 1),
                _ => format!("Entries {} to {} are undone and count no more.", to + 1, n - 1),
            };
            let heading = format!("THE GAME WAS REWOUND to entry {to} ({place}), by {by}: {reason}. {undone} {chains}");
            let story = letters::story(story, letters::Reader::at(Some(seat)), None, &session.seats);
            out.push(Section::paragraph(heading));
            if n > to + 1 {
                out.push(disclosed.report(Some(seat), &session.seats, &story));
            }
        }
        Ok(out)
    }
}
