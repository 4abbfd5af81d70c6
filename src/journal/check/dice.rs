//! Step 5: dice.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
};
use crate::body::Rolled;
use postrider_dice::{DICE_CHAIN, DiceStream, roll_seed};

impl Checker {
    pub(super) fn rolled(&mut self, rolled: &Rolled<'_>) -> Result<(), Found> {
        let (luck, _) = self.luck("rolled")?;
        let n = self.n;
        let dice = |wrong| Found::new(Step::Dice, wrong);
        let chain = self.track(DICE_CHAIN)?.current();
        chain.tip.reveal(rolled.secret).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        chain.tip_at = n;
        let mut stream = DiceStream::new(roll_seed(&self.game, self.counts.rolled, &rolled.secret, &luck));
        for (k, roll) in rolled.rolls.iter().enumerate() {
            for (die, &got) in roll.got.iter().enumerate() {
                let right = stream.die(roll.low, roll.high);
                if got != right {
                    let label = roll.label.to_string();
                    return Err(dice(Wrong::Die { roll: k + 1, die: die + 1, label, got }).right(right));
                }
            }
            self.counts.dice += roll.got.len() as u64;
        }
        self.counts.rolled += 1;
        self.counts.links += 1;
        Ok(())
    }
}
