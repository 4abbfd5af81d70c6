//! The names of regions and boxes that players may use.

use super::components::{Components, Spot};
use postrider_orders::Names;

/// Returns every spot by its name and, for regions, by its id on the map.
pub fn spots(c: &Components) -> Names<Spot> {
    let mut names = Names::new("region");
    for spot in c.spots() {
        names.add(c.spot_name(spot), spot);
        if let Spot::Region(r) = spot {
            names.add(&c[r].id, spot);
        }
    }
    names.add("Saint Louis", Spot::StLouis);
    names
}
