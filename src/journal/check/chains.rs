//! Step 4: seed chains, when a rewind renews them and when the end lays them open.

use super::{
    Checker, Note, Step,
    fault::{Found, Wrong},
    track::{FalseOrigin, Track, Unfolded},
};
use crate::{
    dice::GENERATIONS,
    journal::body::{Closed, Rewound},
};

/// From how many unused links on a [`Checker`] may pass them over.
const PASSED: u64 = 1_000;

impl Checker {
    pub(super) fn track(&mut self, label: &str) -> Result<&mut Track, Found> {
        let missing = || Found::new(Step::Chains, Wrong::NoChain(label.to_owned())).against(0);
        self.tracks.get_mut(label).ok_or_else(missing)
    }

    pub(super) fn rewound(&mut self, rewound: &Rewound<'_>) -> Result<(), Found> {
        let (_, started) = self.luck("rewound")?;
        if rewound.to < started || rewound.to >= self.n {
            return Err(Found::new(Step::Frame, Wrong::RewoundTo(rewound.to)).against(started));
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
        let (passing, looking, n) = (self.passing, self.looking, self.n);
        for (label, origin) in &closed.secrets {
            let track = self.track(label)?;
            let first = track.rewinds() == 0;
            let chain = track.current();
            let left = chain.tip.length - chain.tip.used;
            // Shuffles that are still hidden take their secrets from s_0, and the chains before a rewind are proved by it: then
            // it is always followed.
            if passing && first && left >= PASSED && chain.open.is_empty() {
                let links = track.pass_over(*origin, n);
                self.notes.push(Note::Unused { chain: label.to_string(), links, n });
                continue;
            }
            let Unfolded { links, epochs } = track.lay_open(*origin, n, looking).map_err(|why| match why {
                FalseOrigin::Chain(fault, at) => Found::new(Step::Chains, fault).against(at),
                FalseOrigin::Other(earlier, at) => {
                    Found::new(Step::Chains, Wrong::Origin { label: label.to_string(), earlier }).against(at)
                }
            })?;
            self.counts.links += links;
            self.notes.retain(|Note::Unused { chain, .. }| **chain != **label);
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            for (epoch, secret) in epochs {
                // A shuffle is only taken once the luck is known, so there is one wherever there is an epoch.
                self.prove(epoch, &game, deck, &secret, &luck.unwrap_or_default())?;
            }
        }
        Ok(())
    }
}
