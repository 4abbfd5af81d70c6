//! Step 4: seed chains, including those renewed by a rewind or published at the end.

use super::{
    Checker, Note, Step,
    fault::{Found, Wrong},
    track::{FalseOrigin, Track, Unfolded},
};
use crate::body::{Closed, Rewound};
use postrider_dice::GENERATIONS;

impl Checker {
    pub(super) fn track(&mut self, label: &str) -> Result<&mut Track, Found> {
        let missing = || Found::new(Step::Chains, Wrong::NoChain(label.to_owned())).against(0);
        self.tracks.get_mut(label).ok_or_else(missing)
    }

    pub(super) fn rewound(&mut self, rewound: &Rewound<'_>) -> Result<(), Found> {
        let (_, started) = self.luck("rewound")?;
        let within = rewound.within.unwrap_or(started);
        if within < started || rewound.to < within || rewound.to >= self.n {
            return Err(Found::new(Step::Frame, Wrong::RewoundTo(rewound.to)).against(started));
        }
        let behind = rewound.behind();
        let (dice, cards) = self.drawn.since(behind);
        let seat = self.seats.iter().any(|seat| seat.name == *rewound.by);
        if seat && (dice || cards) {
            let found = Found::new(Step::Frame, Wrong::TakenBackBehind(rewound.by.to_string()));
            return Err(Found { contradicts: self.drawn.last(), ..found });
        }
        let fresh = self.drawn.renews(behind);
        if dice || cards {
            let (by, to, n) = (rewound.by.to_string(), rewound.to, self.n);
            self.undone.push(Note::Undone { by, to, n, dice, cards, fresh });
        }
        if !fresh {
            let stays = rewound.chains.is_empty();
            return if stays { Ok(()) } else { Err(Found::new(Step::Chains, Wrong::NeedlessChains).right("{}")) };
        }
        if self.drawn.leaves_a_choice() {
            return Err(Found::new(Step::Chains, Wrong::ChosenChains));
        }
        if !rewound.chains.keys().map(|label| &**label).eq(self.tracks.keys()) {
            let right = self.tracks.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(Found::new(Step::Chains, Wrong::OtherChains).against(0).right(right));
        }
        let k = self.tracks.values().next().map_or(0, Track::rewinds) + 1;
        if k >= GENERATIONS {
            return Err(Found::new(Step::Chains, Wrong::TooManyRewinds(k)));
        }
        for (track, tip) in self.tracks.values_mut().zip(rewound.chains.values()) {
            track.renew(*tip, self.n);
        }
        Ok(())
    }

    pub(super) fn closed(&mut self, closed: &Closed<'_>) -> Result<(), Found> {
        let (luck, game) = (self.started.map(|(luck, _)| luck), self.game.clone());
        let (looking, n) = (self.looking, self.n);
        for (label, origin) in &closed.secrets {
            let track = self.track(label)?;
            let Unfolded { links, epochs } = track.lay_open(*origin, n, looking).map_err(|why| match why {
                FalseOrigin::Chain(fault, at) => Found::new(Step::Chains, fault).against(at),
                FalseOrigin::Other(earlier, at) => {
                    Found::new(Step::Chains, Wrong::Origin { label: label.to_string(), earlier }).against(at)
                }
            })?;
            self.counts.links += links;
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            for (epoch, secret) in epochs {
                // There is an epoch only after a shuffle, which requires the luck.
                self.prove(epoch, &game, deck, &secret, &luck.unwrap_or_default())?;
            }
        }
        Ok(())
    }
}
