//! The declaration of the visibility of a state's fields.

/// Declares the visibility of each field of a game's state. Generates `masked`, which returns the
/// position as known to a seat, for views and bots, and `public`, which writes the canonical form
/// of the open fields, for the digests of a journal. Code that omits a field, or an open field in
/// the digest, does not compile.
///
/// - `given`: fixed by the first line of the journal.
/// - `open`: visible to everyone; included in the digest in the way `form` defines.
/// - `hidden`: not visible to everyone; a function makes up the values that a seat cannot know.
/// - `passing`: temporary values of the rules for the current question, which follow from what has
///   been told or will be.
#[macro_export]
macro_rules! visibility {
    (
        $State:ident;
        given { $($given:ident),* $(,)? }
        open { $($open:ident),* $(,)? }
        hidden { $($(#[$why:meta])* $hidden:ident => $make_up:expr),* $(,)? }
        passing { $($passing:ident),* $(,)? }
        form($form:ident $(, $g:ident)?) $write:block
    ) => {
        /// Returns a position that looks the same to this seat, or to a spectator, with everything
        /// hidden from it made up.
        // Unused in a game without hidden fields.
        #[allow(unused_mut, unused_variables)]
        pub fn masked(
            state: &$State,
            seat: Option<$crate::Seat>,
            below: &mut $crate::Below<'_>,
        ) -> $State {
            let mut other = state.clone();
            $({
                let make_up: fn(&mut $State, Option<$crate::Seat>, &mut $crate::Below<'_>) = $make_up;
                make_up(&mut other, seat, below);
            })*
            other
        }

        /// Appends the public form of a position to `out`.
        pub fn public(state: &$State, out: &mut String) {
            let $State { $($given: _,)* $($passing: _,)* $($open,)* $($hidden,)* } = state;
            $(let $g = state;)?
            $crate::Form::object(out, |$form| $write);
        }
    };
}
