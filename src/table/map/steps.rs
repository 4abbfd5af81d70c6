//! Distances between the places of a map.

/// Returns the number of steps from each place to the nearest starting place: 0 for the starting
/// places, `None` if there is no path. Places are numbered from 0; `beside` returns the neighbours
/// of a place.
pub fn steps<N: IntoIterator<Item = usize>>(
    places: usize,
    from: impl IntoIterator<Item = usize>,
    beside: impl Fn(usize) -> N,
) -> Vec<Option<u8>> {
    let mut far = vec![None; places];
    let mut edge: Vec<usize> = from.into_iter().collect();
    edge.iter().for_each(|&place| far[place] = Some(0));
    // Maps are far less than 255 steps wide.
    for steps in 1..u8::MAX {
        let mut next = Vec::new();
        for place in edge.iter().flat_map(|&place| beside(place)) {
            if far[place].is_none() {
                far[place] = Some(steps);
                next.push(place);
            }
        }
        if next.is_empty() {
            break;
        }
        edge = next;
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_round_what_is_closed() {
        // A chain of five places, 0 to 4, and an isolated place.
        let beside = |place: usize| match place {
            0 => vec![1],
            1..=3 => vec![place - 1, place + 1],
            4 => vec![3],
            _ => Vec::new(),
        };
        assert_eq!(steps(6, [0], beside), [Some(0), Some(1), Some(2), Some(3), Some(4), None]);
        assert_eq!(steps(6, [0, 4], beside), [Some(0), Some(1), Some(2), Some(1), Some(0), None]);
        assert_eq!(steps(6, [], beside), [None; 6]);
    }
}
