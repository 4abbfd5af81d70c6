#![doc = include_str!("README.md")]

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
pub use postrider_mailbox as mailbox;
pub use postrider_office as office;
pub use postrider_orders as orders;
pub use postrider_page as page;
pub use postrider_replay as replay;
pub use postrider_serve as serve;
pub use postrider_standing as standing;
pub use postrider_store as store;
pub use postrider_table as table;
pub use postrider_wire as wire;
