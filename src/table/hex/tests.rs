//! Each function of the board, compared with a simple second computation.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The board of a game of battles in the woods, the map of *Rosebud Creek*, and a small board with
/// even columns lower.
fn boards() -> [Grid; 3] {
    [Grid::new(1..=15, 1..=12, Low::Odd), Grid::new(11..=47, 0..=20, Low::Odd), Grid::new(4..=11, 3..=9, Low::Even)]
}

/// Returns the position of a hex on paper. Hexes are flat-topped; a row is 2 high and a column
/// 1.732 wide, so that the centres of neighbours are 2 apart.
fn paper(grid: &Grid, hex: Hex, low: Low) -> (f64, f64) {
    let (column, row) = (grid.column(hex), grid.row(hex));
    let lower = (column % 2 == 1) == (low == Low::Odd);
    (f64::from(column) * 3_f64.sqrt(), f64::from(row) * 2.0 + if lower { 1.0 } else { 0.0 })
}

fn any_board() -> impl Strategy<Value = (Grid, Low)> {
    (0_usize..3).prop_map(|i| (boards()[i].clone(), [Low::Odd, Low::Odd, Low::Even][i]))
}

fn two_hexes() -> impl Strategy<Value = (Grid, Low, Hex, Hex)> {
    any_board().prop_flat_map(|(grid, low)| {
        let n = grid.len() as u16;
        (0..n, 0..n).prop_map(move |(a, b)| (grid.clone(), low, Hex(a), Hex(b)))
    })
}

/// Returns a pseudorandom number from 0 to 65535 for each hex.
fn noise(grid: &Grid, seed: u32) -> Layer<u32> {
    Layer::new(grid, |hex| {
        let mixed = (u32::from(hex.0) + 1).wrapping_mul(2_654_435_761).wrapping_add(seed.wrapping_mul(40_503));
        (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519) >> 13 & 0xffff
    })
}

#[test]
fn ids_are_those_of_the_map() {
    let [board, map, _] = boards();
    assert_eq!((board.len(), map.len(), map.size(), board.is_empty()), (180, 777, (37, 21), false));
    for grid in boards() {
        for hex in grid.hexes() {
            assert_eq!(grid.hex(&grid.id(hex)), Some(hex));
            assert_eq!(grid.at(grid.column(hex), grid.row(hex)), Some(hex));
        }
        assert!(grid.hexes().map(|hex| grid.id(hex)).is_sorted());
    }
    for wrong in ["1048", "1021", "4800", "102", "10-1", "ab00", "", "11000", "é00"] {
        assert_eq!(map.hex(wrong), None, "{wrong}");
    }
    // Odd columns are lower: 4213 touches 4312, but 3709 does not touch 3610 from above.
    let at = |id: &str| map.hex(id).expect("a hex of the map");
    let near = |id: &str| map.neighbours(at(id)).map(|hex| map.id(hex)).collect::<Vec<_>>();
    assert_eq!(near("4213"), ["4212", "4312", "4313", "4214", "4113", "4112"]);
    assert_eq!(near("4312"), ["4311", "4412", "4413", "4313", "4213", "4212"]);
    assert_eq!(near("1100"), ["1200", "1201", "1101"]);
    // The distance to an edge counts the hex itself: 2603 is the fourth from the north.
    assert_eq!([Edge::North, Edge::South, Edge::West, Edge::East].map(|e| map.to_edge(at("2603"), e)), [4, 18, 16, 22]);
    assert!(map.on_edge(at("1105")) && map.on_edge(at("4720")) && !map.on_edge(at("1201")));
    assert_eq!(map.said(&[at("1100"), at("1201")]), "1100-1201");
    assert!(Grid::new(1..=15, 100..=120, Low::Odd).is_empty());
}

#[test]
fn a_side_is_the_same_from_both() {
    for grid in boards() {
        let mut places = BTreeMap::new();
        for side in grid.sides() {
            let (a, b) = side.hexes();
            assert!(a < b && side.is_of(a) && side.is_of(b));
            assert_eq!((grid.side(b, a), grid.side(a, b)), (Some(side), Some(side)));
            assert!(side.index() < 3 * grid.len());
            assert_eq!(places.insert(side.index(), side), None, "two sides at one place");
            let there = grid.direction(a, b).expect("a direction");
            assert_eq!(grid.step(a, there), Some(b));
            assert_ne!(grid.direction(b, a), Some(there));
        }
        let beside: usize = grid.hexes().map(|hex| grid.neighbours(hex).count()).sum();
        assert_eq!(places.len() * 2, beside);
    }
    let [board, ..] = boards();
    let stream = board.side_of("0603/0604").expect("a hexside");
    let mut streams = Sides::new(&board);
    streams[stream] = true;
    let at = |id: &str| board.hex(id).expect("a hex");
    assert!(streams.between(&board, at("0604"), at("0603")) && !streams.between(&board, at("0604"), at("0605")));
    assert!(!streams.between(&board, at("0604"), at("1212")));
    assert_eq!(board.side_of("0603/0605"), None);
    assert_eq!(Sides::of(&board, |side| side == stream), streams);
}

#[test]
fn layers_are_read_by_rows() {
    let grid = Grid::new(1..=3, 1..=2, Low::Odd);
    let read = |rows: &[&str]| Layer::of_rows(&grid, rows, |c| c.is_ascii_lowercase().then_some(c));
    let layer = read(&["abc", "def"]).expect("it fits");
    let hex = |id: &str| grid.hex(id).expect("a hex");
    assert_eq!([layer[hex("0101")], layer[hex("0301")], layer[hex("0202")]], ['a', 'c', 'e']);
    assert_eq!(layer.each().map(|(_, &c)| c).collect::<String>(), "adbecf");
    for wrong in [&["abc"][..], &["ab", "cd"], &["abc", "dEf"]] {
        assert_eq!(read(wrong), None);
    }
}

#[test]
fn lines_along_sides_pass_two_hexes() {
    let [board, ..] = boards();
    let at = |id: &str| board.hex(id).expect("a hex");
    let between = |a: &str, b: &str| Passed::Between([board.hex(a), board.hex(b)]);
    assert_eq!(board.line(at("0805"), at("0605")).collect::<Vec<_>>(), [between("0705", "0704")]);
    assert_eq!(
        board.line(at("0805"), at("0802")).collect::<Vec<_>>(),
        ["0804", "0803"].map(|id| Passed::Through(at(id)))
    );
    assert_eq!(board.line(at("0805"), at("0805")).count(), 0);
    assert_eq!(board.line(at("0805"), at("0704")).count(), 0);
    // At the top of the board one of the two hexes is missing, and the other alone decides.
    let top = board.line(at("0201"), at("0401")).collect::<Vec<_>>();
    assert_eq!(top, [Passed::Between([None, board.hex("0301")])]);
    assert!(!board.sees(at("0201"), at("0401"), |_, into| into != at("0301")));
    // Along a side, sight is blocked only if both hexes block it.
    let sees = |blocks: &[&str]| {
        let blocks: Vec<Hex> = blocks.iter().map(|id| at(id)).collect();
        board.sees(at("0805"), at("0605"), |_, into| !blocks.contains(&into))
    };
    assert!(sees(&[]) && sees(&["0704"]) && sees(&["0705"]) && !sees(&["0704", "0705"]));
}

#[test]
fn a_named_way_goes_as_far_as_it_can() {
    let [board, ..] = boards();
    let at = |id: &str| board.hex(id).expect("a hex");
    let way: Vec<Hex> = ["0809", "0808", "0707", "0706"].map(at).to_vec();
    let step = |_: Hex, to: Hex| (to != at("0101")).then(|| Step::of(2).ends(to == at("0706")));
    let walk = |steps, cost, ended| Walk { steps, cost, ended };
    assert_eq!(board.walk(&way, 6, false, step), walk(3, 6, true));
    assert_eq!(board.walk(&way, 5, false, step), walk(2, 4, false));
    // A minimum move takes all movement points and ends movement.
    assert_eq!(board.walk(&way, 1, true, step), walk(1, 1, true));
    assert_eq!(board.walk(&way, 1, false, step), walk(0, 0, false));
    assert_eq!(board.walk(&[at("0809"), at("0807")], 9, true, step), walk(0, 0, false));
}

#[test]
fn the_minimum_move_is_one_step_for_all_points() {
    let [board, ..] = boards();
    let start = board.hex("0809").expect("a hex");
    let step = |_: Hex, to: Hex| (board.row(to) <= 9).then(|| Step::of(5));
    let plain = board.reach(start, 4, step);
    assert_eq!(plain.each().count(), 0);
    let reach = board.reach_at_least_one(start, 4, step);
    let open = board.neighbours(start).filter(|&hex| board.row(hex) <= 9).count();
    assert_eq!(reach.each().map(|(_, cost)| cost).collect::<Vec<_>>(), vec![4; open]);
    assert_eq!(reach.cost(start), Some(0));
    assert_eq!(reach.way(start), Some(vec![start]));
}

#[test]
fn a_way_off_the_board_is_a_retreat_too() {
    let [board, ..] = boards();
    let at = |id: &str| board.hex(id).expect("a hex");
    let how = Retreat { steps: 2, straight: true, leaves: true };
    let ways = board.retreats(at("0102"), how, |_, to| (to == at("0101")).then_some(1));
    // A unit already at the edge leaves at once; 0101 is not two hexes away.
    assert_eq!(ways, [Way { hexes: Vec::new(), penalty: 0, leaves: true }]);
    assert_eq!(ways[0].end(at("0102")), None);
    let inside = Retreat { leaves: false, ..how };
    assert_eq!(board.retreats(at("0102"), inside, |_, to| (to == at("0101")).then_some(1)), []);
    // Of two paths to the same destination, the one without a penalty is chosen.
    let ways = board.retreats(at("0805"), inside, |_, to| Some(u16::from(to == at("0804"))));
    let north = ways.iter().find(|way| way.end(at("0805")) == Some(at("0903"))).expect("a way");
    assert_eq!((board.said(&north.hexes), north.penalty), ("0904-0903".to_owned(), 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Neighbours are the hexes one step away on paper; distances are numbers of steps.
    #[test]
    fn the_board_is_that_on_paper((grid, low, a, b) in two_hexes()) {
        let apart = |x: Hex, y: Hex| {
            let ((ax, ay), (bx, by)) = (paper(&grid, x, low), paper(&grid, y, low));
            (ax - bx).hypot(ay - by)
        };
        let near: BTreeSet<Hex> = grid.neighbours(a).collect();
        let on_paper: BTreeSet<Hex> = grid.hexes().filter(|&hex| hex != a && apart(a, hex) < 2.1).collect();
        prop_assert_eq!(&near, &on_paper);
        prop_assert_eq!(grid.adjacent(a, b), near.contains(&b));
        // Counts steps by a breadth-first search.
        let steps = crate::steps(grid.len(), [a.index()], |place| {
            grid.neighbours(Hex(place as u16)).map(Hex::index).collect::<Vec<_>>()
        });
        prop_assert_eq!(Some(grid.distance(a, b)), steps[b.index()].map(u16::from));
        for far in [0, 1, 2, 5] {
            let at = |wanted: &dyn Fn(u8) -> bool| {
                grid.hexes().filter(|hex| steps[hex.index()].is_some_and(wanted)).collect::<Vec<_>>()
            };
            prop_assert_eq!(grid.ring(a, far).collect::<Vec<_>>(), at(&|s| u16::from(s) == far));
            prop_assert_eq!(grid.within(a, far).collect::<Vec<_>>(), at(&|s| u16::from(s) <= far));
        }
        let set: HexSet = near.iter().copied().collect();
        prop_assert!(grid.hexes().all(|hex| set.has(hex) == near.contains(&hex)));
        prop_assert_eq!(grid.nearest(a, near.iter().copied()), Some(1));
        prop_assert_eq!(grid.nearest(a, []), None);
    }

    /// A line passes a hex if part of it is strictly inside all six sides on paper.
    #[test]
    fn lines_pass_what_a_ruler_passes((grid, low, a, b) in two_hexes()) {
        let ((ax, ay), (bx, by)) = (paper(&grid, a, low), paper(&grid, b, low));
        let ruled = |hex: Hex| {
            let (hx, hy) = paper(&grid, hex, low);
            let (mut from, mut to) = (0.0_f64, 1.0_f64);
            // Each side is at distance 1 from the centre, perpendicular to the line of length 2 to
            // a neighbour.
            let sides = [(0.0, 1.0), (3_f64.sqrt() / 2.0, 0.5), (3_f64.sqrt() / 2.0, -0.5)];
            for (nx, ny) in sides.into_iter().flat_map(|(nx, ny)| [(nx, ny), (-nx, -ny)]) {
                let start = (ax - hx) * nx + (ay - hy) * ny;
                let slope = (bx - ax) * nx + (by - ay) * ny;
                // The condition is start + slope * t < 1.
                if slope.abs() < 1e-9 {
                    if start > 1.0 - 1e-9 {
                        return false;
                    }
                } else if slope > 0.0 {
                    to = to.min((1.0 - start) / slope);
                } else {
                    from = from.max((1.0 - start) / slope);
                }
            }
            to - from > 1e-9
        };
        let ruler: BTreeSet<Hex> = grid.hexes().filter(|&hex| hex != a && hex != b && ruled(hex)).collect();
        let mut passed = BTreeSet::new();
        let mut before = a;
        let line: Vec<Passed> = grid.line(a, b).collect();
        for (i, one) in line.iter().enumerate() {
            match one {
                Passed::Through(hex) => {
                    passed.insert(*hex);
                    prop_assert!(i > 0 && matches!(line[i - 1], Passed::Between(_)) || grid.adjacent(before, *hex));
                    before = *hex;
                }
                Passed::Between(sides) => {
                    let there: Vec<Hex> = sides.iter().flatten().copied().collect();
                    prop_assert!(!there.is_empty() && there.iter().all(|&hex| grid.adjacent(before, hex)));
                }
            }
        }
        prop_assert_eq!(passed, ruler);
    }

    #[test]
    fn sight_is_mutual((grid, _low, a, b) in two_hexes(), seed in any::<u32>()) {
        let noise = noise(&grid, seed);
        let blocks = |hex: Hex| noise[hex].is_multiple_of(6);
        let forth = grid.sees(a, b, |_, into| into == b || !blocks(into));
        let back = grid.sees(b, a, |_, into| into == a || !blocks(into));
        prop_assert_eq!(forth, back);
        let mut free = true;
        for passed in grid.line(a, b) {
            free &= match passed {
                Passed::Through(hex) => !blocks(hex),
                Passed::Between(two) => two.into_iter().flatten().any(|hex| !blocks(hex)),
            };
        }
        prop_assert_eq!(forth, free);
    }

    /// Computes the reachable hexes and costs by trying all paths; each path returned must have the
    /// stated cost.
    #[test]
    fn reach_agrees_with_trying_all(
        (grid, _low, start, _b) in two_hexes(), seed in any::<u32>(), allowance in 0_u16..12,
    ) {
        let noise = noise(&grid, seed);
        let step = |from: Hex, to: Hex| {
            let (n, side) = (noise[to], (noise[from] + noise[to]).is_multiple_of(3));
            (!n.is_multiple_of(7)).then(|| Step::of(1 + (n % 3) as u16 + u16::from(side)).ends(n.is_multiple_of(5)))
        };
        let reach = grid.reach(start, allowance, step);
        let mut arrived: BTreeMap<Hex, (u16, u32)> = BTreeMap::new();
        // The number of paths, by cost and hex, on which movement can continue.
        let mut ways: BTreeMap<(u16, Hex), u32> = BTreeMap::from([((0, start), 1)]);
        let mut all: BTreeMap<(u16, Hex), u32> = BTreeMap::new();
        for cost in 0..=allowance {
            for at in grid.hexes() {
                // Only the cheapest paths continue.
                let cheapest = (0..cost).all(|less| !ways.contains_key(&(less, at)));
                let Some(&n) = ways.get(&(cost, at)).filter(|_| cheapest) else { continue };
                for to in grid.neighbours(at).filter(|&to| to != start) {
                    if let Some(s) = step(at, to) {
                        *all.entry((cost + s.cost, to)).or_default() += n;
                        if !s.ends {
                            *ways.entry((cost + s.cost, to)).or_default() += n;
                        }
                    }
                }
            }
        }
        for (&(cost, hex), &n) in all.iter().filter(|((cost, _), _)| *cost <= allowance) {
            arrived.entry(hex).or_insert((cost, n));
        }
        for hex in grid.hexes().filter(|&hex| hex != start) {
            prop_assert_eq!(reach.cost(hex), arrived.get(&hex).map(|found| found.0));
            prop_assert_eq!(reach.is_plain(hex), arrived.get(&hex).is_some_and(|found| found.1 == 1));
            let Some(way) = reach.way(hex) else { continue };
            prop_assert_eq!((way[0], way[way.len() - 1]), (start, hex));
            let walk = grid.walk(&way, allowance, false, step);
            prop_assert_eq!((walk.steps, Some(walk.cost)), (way.len() - 1, reach.cost(hex)));
        }
        prop_assert_eq!(reach.each().count(), arrived.len());
    }

    /// Computes retreats by trying all paths and keeping the best for each destination.
    #[test]
    fn retreats_agree_with_all_ways(
        (grid, _low, from, _b) in two_hexes(), seed in any::<u32>(), steps in 1_u16..4, straight: bool, leaves: bool,
    ) {
        let noise = noise(&grid, seed);
        let step = |at: Hex, to: Hex| match noise[to] % 5 {
            0 => None,
            1 => Some(1 + (noise[at] % 2) as u16),
            _ => Some(0),
        };
        let mut ways = vec![(vec![from], 0_u16)];
        let mut best: BTreeMap<Option<Hex>, u16> = BTreeMap::new();
        for taken in 1..=steps {
            for (way, penalty) in &ways {
                if leaves && grid.on_edge(way[way.len() - 1]) {
                    let old = best.entry(None).or_insert(*penalty);
                    *old = (*old).min(*penalty);
                }
            }
            let mut next = Vec::new();
            for (way, penalty) in ways {
                let at = way[way.len() - 1];
                for to in grid.neighbours(at).filter(|&to| !straight || grid.distance(from, to) == taken) {
                    if let Some(more) = step(at, to) {
                        next.push(([&way[..], &[to]].concat(), penalty + more));
                    }
                }
            }
            ways = next;
        }
        for (way, penalty) in ways {
            let old = best.entry(Some(way[way.len() - 1])).or_insert(penalty);
            *old = (*old).min(penalty);
        }
        let found = grid.retreats(from, Retreat { steps, straight, leaves }, step);
        let by_end: BTreeMap<Option<Hex>, u16> = found.iter().map(|way| (way.end(from), way.penalty)).collect();
        prop_assert_eq!(by_end.len(), found.len());
        prop_assert_eq!(by_end, best);
    }

    #[test]
    fn steps_away_lead_further_off((grid, _low, at, threat) in two_hexes(), other in 0_u16..50) {
        let threats = [threat, Hex(other)];
        let here = grid.nearest(at, threats);
        let ways = grid.away(at, &threats, |_| true);
        let wanted: BTreeSet<Hex> =
            grid.neighbours(at).filter(|&hex| grid.nearest(hex, threats) > here).collect();
        prop_assert_eq!(ways.iter().flatten().copied().collect::<BTreeSet<_>>(), wanted);
        prop_assert!(!ways.contains(&None) || grid.on_edge(at));
        prop_assert_eq!(grid.away(at, &[], |_| true).contains(&None), grid.on_edge(at));
        prop_assert!(grid.away(at, &threats, |_| false).into_iter().all(|way| way.is_none()));
    }
}
