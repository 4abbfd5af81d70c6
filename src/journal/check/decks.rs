//! Step 6: shuffles, deals, cards shown, and reveals.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
    track::Epoch,
};
use crate::body::{Dealt, Revealed, Shown, Shuffled};
use postrider_dice::{Hash, deck_chain, is_committed};

impl Checker {
    pub(super) fn shuffled(&mut self, shuffled: &Shuffled<'_>) -> Result<(), Found> {
        self.luck("shuffled")?;
        let n = self.n;
        let track = self.track(&deck_chain(&shuffled.deck))?;
        if shuffled.epoch != track.epochs {
            let wrong = Wrong::EpochNumber { deck: shuffled.deck.to_string(), epoch: shuffled.epoch };
            return Err(Found::new(Step::Decks, wrong).right(track.epochs));
        }
        let epoch = Epoch {
            epoch: shuffled.epoch,
            at: n,
            list: shuffled.list.iter().map(ToString::to_string).collect(),
            cards: shuffled.cards.clone(),
            dealt: vec![false; shuffled.cards.len()],
        };
        let chain = track.current();
        chain.take(epoch).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        track.epochs += 1;
        self.counts.shuffled += 1;
        Ok(())
    }

    fn epoch(&mut self, deck: &str, number: u64) -> Result<&mut Epoch, Found> {
        let missing = || Found::new(Step::Decks, Wrong::NoEpoch { deck: deck.to_owned(), epoch: number });
        self.track(&deck_chain(deck))?.epoch(number).ok_or_else(missing)
    }

    pub(super) fn dealt(&mut self, dealt: &Dealt<'_>) -> Result<(), Found> {
        self.seat_or_nobody(&dealt.seat)?;
        let epoch = self.epoch(&dealt.deck, dealt.epoch)?;
        let cards = epoch.dealt.len() as u64;
        let last = dealt.from.saturating_add(dealt.count - 1);
        if last >= cards {
            let wrong = Wrong::NoPosition { deck: dealt.deck.to_string(), pos: last };
            return Err(Found::new(Step::Decks, wrong).against(epoch.at));
        }
        // Both are less than `cards`, the length of a vector.
        epoch.dealt[dealt.from as usize..=last as usize].fill(true);
        Ok(())
    }

    pub(super) fn shown(&mut self, shown: &Shown<'_>) -> Result<(), Found> {
        self.seat_or_nobody(&shown.seat)?;
        let game = self.game.clone();
        let epoch = self.epoch(&shown.deck, shown.epoch)?;
        let (deck, pos) = (shown.deck.to_string(), shown.pos);
        let place = usize::try_from(pos).ok();
        let wrong = match place.and_then(|place| Some((*epoch.dealt.get(place)?, epoch.cards.get(place)?))) {
            None => Wrong::NoPosition { deck, pos },
            Some((false, _)) => Wrong::NotDealt { deck, pos },
            Some((true, card)) => {
                if is_committed(card, &game, &deck, shown.epoch, pos, &shown.card, &shown.salt) {
                    self.counts.shown += 1;
                    return Ok(());
                }
                Wrong::Card { deck, pos, card: shown.card.to_string() }
            }
        };
        Err(Found::new(Step::Decks, wrong).against(epoch.at))
    }

    pub(super) fn revealed(&mut self, revealed: &Revealed<'_>) -> Result<(), Found> {
        let (luck, _) = self.luck("revealed")?;
        let (n, game) = (self.n, self.game.clone());
        let (deck, number) = (revealed.deck.to_string(), revealed.epoch);
        let track = self.track(&deck_chain(&deck))?;
        let Some(chain) = track.generation_of(number) else {
            return Err(Found::new(Step::Decks, Wrong::NoEpoch { deck, epoch: number }));
        };
        let epoch = match chain.open.pop_front() {
            Some(epoch) if epoch.epoch == number => epoch,
            // An older link follows from a newer one, so revealing out of order would reveal hidden
            // cards.
            other => {
                let (oldest, at) = other.map_or((number, n), |epoch| (epoch.epoch, epoch.at));
                return Err(Found::new(Step::Decks, Wrong::RevealOrder { deck, epoch: number, oldest }).against(at));
            }
        };
        chain.tip.reveal(revealed.secret).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        chain.tip_at = n;
        self.counts.links += 1;
        self.prove(epoch, &game, &deck, &revealed.secret, &luck)
    }

    pub(super) fn prove(
        &mut self,
        epoch: Epoch,
        game: &str,
        deck: &str,
        secret: &Hash,
        luck: &Hash,
    ) -> Result<(), Found> {
        let at = epoch.at;
        self.counts.cards += epoch.prove(game, deck, secret, luck).map_err(|wrong| {
            let right = wrong.right;
            Found::new(Step::Decks, Wrong::Shuffle { deck: deck.to_owned(), pos: wrong.pos }).against(at).right(right)
        })?;
        Ok(())
    }
}
