//! Postrider plays board wargames by mail.
//!
//! Every decision of a game is a line in an append-only, hash-chained [`journal`]. Dice and cards come from seeds that were
//! committed before anybody could know what they would decide ([`dice`]). The rules of a game run on the [`table`], read
//! orders by its [`orders`] language, and know nothing of mail; [`standing`] orders answer for an absent player. [`replay`]
//! rebuilds a game from its journal, [`audit`] says what a journal proves, and the [`office`] takes mails in, appends, and
//! writes the answers.
//!
//! Each of these is a crate in a folder of `src`, and uses only the crates below it, as `docs/architecture.md` shows. To
//! write a game, begin with [`table`]; to read one that was played, with [`replay`].
//!
//! Two bots play a whole battle:
//!
//! ```
//! use postrider::{
//!     dice::{DiceStream, h},
//!     games::ruleset,
//!     table::{Bots, SeededChance, Watch, every_setup},
//! };
//!
//! let rules = ruleset("rosebud-creek").ok_or("no such game")?;
//! let setup = every_setup(rules).swap_remove(0);
//! let mut game = rules.open(&setup, Box::new(SeededChance::new(7)), Watch::ALL)?;
//! let mut bots = Bots::new((0..setup.seats).map(|_| rules.bot("random")).collect());
//! let mut stream = DiceStream::new(h("the bots' choices", &[]));
//! while let Some(decision) = bots.decide(&*game, &mut |n| stream.below(n))? {
//!     game.decide(decision.asked.seat, decision.asked.id, &decision.order)?;
//! }
//! let story = game.take_told();
//! story.iter().for_each(|told| println!("{}", told.line));
//! assert!(game.outcome().is_some(), "the battle is over");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use postrider_analysis as analysis;
pub use postrider_audit as audit;
pub use postrider_cli as cli;
pub use postrider_demo as demo;
pub use postrider_dice as dice;
pub use postrider_drawing as drawing;
pub use postrider_games as games;
pub use postrider_journal as journal;
pub use postrider_letters as letters;
pub use postrider_mail as mail;
pub use postrider_office as office;
pub use postrider_orders as orders;
pub use postrider_page as page;
pub use postrider_replay as replay;
pub use postrider_serve as serve;
pub use postrider_standing as standing;
pub use postrider_store as store;
pub use postrider_table as table;
pub use postrider_wire as wire;
