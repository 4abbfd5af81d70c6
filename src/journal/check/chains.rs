//! Step 4: seed chains, when a rewind renews them and when the end lays them open.

use super::{
    Checker, Note, Step,
    fault::{Found, Wrong},
    track::Track,
};
use crate::journal::body::{Closed, Rewound};

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
        for (track, tip) in self.tracks.values_mut().zip(rewound.chains.values()) {
            track.renew(*tip, self.n);
        }
        Ok(())
    }

    pub(super) fn closed(&mut self, closed: &Closed<'_>) -> Result<(), Found> {
        let (luck, game) = (self.started.map(|(luck, _)| luck), self.game.clone());
        let (passing, n) = (self.passing, self.n);
        for (label, origin) in &closed.secrets {
            let chain = self.track(label)?.current();
            let left = chain.tip.length - chain.tip.used;
            // Shuffles that are still hidden take their secrets from s_0, so their chain is always followed.
            if passing && left >= PASSED && chain.open.is_empty() {
                chain.tip.used = chain.tip.length;
                self.notes.push(Note::Unused { chain: label.to_string(), links: left, n });
                continue;
            }
            let against = chain.tip_at;
            let links = chain.tip.unfold(*origin, chain.open.len());
            let links = links.map_err(|fault| Found::new(Step::Chains, fault).against(against))?;
            // Everything of the chain is public now, so nothing may be drawn from it any more.
            chain.tip.used = chain.tip.length;
            let open = std::mem::take(&mut chain.open);
            self.counts.links += left;
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            for (epoch, secret) in open.into_iter().zip(links) {
                // A shuffle is only taken once the luck is known, so there is one wherever there is an epoch.
                self.prove(epoch, &game, deck, &secret, &luck.unwrap_or_default())?;
            }
        }
        Ok(())
    }
}
