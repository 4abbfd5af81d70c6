use super::*;

#[test]
fn it_attacks_where_it_expects_to_gain() {
    use crate::testing::*;
    let mut g = bare();
    for id in ["3A", "3E", "3I"] {
        foot(&mut g, id, "1610");
    }
    foot(&mut g, "H1", "1611");
    let strong: Vec<UnitId> = ["3A", "3E", "3I"].map(|id| unit(&g, id)).to_vec();
    let many = promise(&g, &melee::reckon(&g, &strong, hex(&g, "1611")));
    let one = promise(&g, &melee::reckon(&g, &strong[..1], hex(&g, "1611")));
    assert!(many > one && one < WORTH_A_MELEE, "{many} {one}");
}
