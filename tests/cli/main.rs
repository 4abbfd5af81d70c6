//! The program as it is run: its commands, its servers, and its documentation pages.

#[path = "../scripted/program.rs"]
mod program;
#[path = "../postgres/relay.rs"]
mod relay;
#[path = "../samples/mod.rs"]
mod samples;
#[path = "../scripted/mod.rs"]
mod scripted;
#[path = "../postgres/trial.rs"]
mod trial;

mod a_letter;
mod architecture;
mod backup;
mod commands;
mod faults;
mod init;
mod mail_costs;
mod many_workers;
mod maps;
mod packaging;
mod page;
mod pages;
mod phone;
mod pictures;
mod play;
mod postgres;
mod reading_only;
mod readme;
mod real_servers;
mod reference;
mod senders;
mod sending;
mod serve;
mod sizes;
mod spam;
mod terminal;
mod web;
