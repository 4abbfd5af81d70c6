//! Whole games of every system, with the properties that each must have.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../sentences/mod.rs"]
mod sentences;

#[path = "../english/mod.rs"]
mod english;

use sentences::whole;

mod agreement;
mod conditions;
mod follow_ups;
mod geronimo;
mod hidden_cards;
mod idle_questions;
mod listed;
mod plains;
mod relay;
mod rosebud_creek;
mod rules_coverage;
mod sentences_hold;
mod standard;
