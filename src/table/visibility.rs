//! One declaration of who sees what of a position.

/// Declares who sees each field of a game's state. What follows from it: `masked`, the position as a seat can know it, from
/// which views and the questions of bots are made; and `public`, the canonical form of what lies open, for the digests of a
/// journal. A field that stands nowhere does not compile, nor does one that lies open and is not in the digest.
///
/// - `given`: settled by the first line of the journal.
/// - `open`: for everybody to see; the digest holds it, `form` says how.
/// - `hidden`: not for everybody; a function makes up anew what a seat cannot know of it.
/// - `passing`: what the rules have counted for the question at hand; it follows from what was told, or is told later.
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
        /// A position that looks the same to this seat, or to a spectator, with everything hidden from it made up.
        // In a game in which all lies open nothing is made up.
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

        /// Adds the public form of a position to `out`.
        pub fn public(state: &$State, out: &mut String) {
            let $State { $($given: _,)* $($passing: _,)* $($open,)* $($hidden,)* } = state;
            $(let $g = state;)?
            $crate::Form::object(out, |$form| $write);
        }
    };
}
