//! Tests of the rules, by rule number.

mod actions;
mod activation;
mod after;
mod alone;
mod board;
mod charts;
mod combat;
mod doctrine;
mod figures;
mod homes;
mod leaders;
mod legal;
mod limits;
mod melee;
mod mobilization;
mod movement;
mod pledges;
mod raids;
mod reaction;
mod refusals;
mod rout;
mod seasons;
mod settlers;
mod setups;
mod supply;
mod words;

use super::{
    components::*,
    order::{Lot, Order},
    setup,
    testing::*,
};

/// St. Clair's campaign at the first proposal of a set-up that puts out Trotter, with its lots.
///
/// dark-and-bloody-ground 15.2.1
fn trotter_is_put_out() -> (Running, Vec<Lot>) {
    let g = setup::position(Components::builtin().clone(), "st-clair-1791", Default::default());
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .dice("settlers of the set-up", [1])
    .any_dice([0; 16])
    .start();
    loop {
        match trial.options().remove(0).order {
            Order::Put { lots } if lots.iter().any(|lot| lot.what == "Trotter") => return (trial, lots),
            other => trial.order(other).expect("an option"),
        };
    }
}
