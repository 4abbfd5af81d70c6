//! Incoming mails and outgoing letters, over whole games.

#[allow(dead_code, reason = "views are checked in `games`")]
#[path = "../english/mod.rs"]
mod english;

mod bloody_ground;
mod bodies;
mod corpus;
mod endings;
mod few_mails;
mod geronimo;
mod letter_leaks;
mod order_leaks;
mod plains;
mod post;
mod replies;
mod rosebud_creek;
