//! Postrider plays board wargames by mail.
//!
//! Every decision of a game is a line in an append-only, hash-chained [`journal`]; dice and cards come from seeds that
//! were committed before anybody could know what they would decide ([`dice`]). The rules of a game run on the [`table`],
//! speak through the [`orders`] language and know nothing of mail; [`standing`] orders answer for an absent player.
//! [`replay`] makes a game of a journal again, [`audit`] says what a journal proves, and the [`office`] takes mail in,
//! appends, and sends the answers. Each is a crate of its
//! own, in a folder of `src`, and uses only the crates below it; `docs/architecture.md` draws them.

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
