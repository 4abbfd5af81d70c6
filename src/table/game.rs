//! The declaration of a game from its parts.

/// Declares a game: its type, the types of its state, orders and kinds of questions, the name of
/// its [`Table`](crate::Table), and the implementation of each function of [`Game`](crate::Game).
/// Omitted functions keep their defaults; `play` is an `async fn`.
///
/// ```ignore
/// postrider_table::game! {
///     /// The game of Relay.
///     pub struct Relay of State, Order, Ask, at T;
///     play = play::play,
///     view = view::view,
///     outcome = view::outcome,
/// }
/// ```
#[macro_export]
macro_rules! game {
    (
        $(#[$about:meta])*
        pub struct $Game:ident of $State:ty, $Order:ty, $Kind:ty, at $T:ident;
        $($part:ident = $does:expr),* $(,)?
    ) => {
        $(#[$about])*
        pub struct $Game;

        #[doc = concat!("The table of [`", stringify!($Game), "`].")]
        pub type $T = $crate::Table<$Game>;

        impl $crate::Game for $Game {
            type State = $State;
            type Order = $Order;
            type Kind = $Kind;
            $($crate::game! { @$part $does })*
        }
    };
    (@play $does:expr) => {
        fn play(table: $crate::Table<Self>, state: Self::State) -> $crate::Rules<Self> {
            Box::pin($does(table, state))
        }
    };
    (@foreseen $does:expr) => { $crate::game! { @fn foreseen(state: &Self::State, seat: $crate::Seat) -> Vec<Box<dyn $crate::AnyPrompt<Self>>> = $does } };
    (@view $does:expr) => { $crate::game! { @fn view(state: &Self::State, seat: Option<$crate::Seat>) -> $crate::Json = $does } };
    (@public $does:expr) => { $crate::game! { @fn public(state: &Self::State, out: &mut String) -> () = $does } };
    (@masked $does:expr) => {
        $crate::game! { @fn masked(state: &Self::State, seat: Option<$crate::Seat>, below: &mut $crate::Below<'_>) -> Self::State = $does }
    };
    (@faults $does:expr) => { $crate::game! { @fn faults(state: &Self::State) -> Vec<String> = $does } };
    (@effects $does:expr) => { const EFFECTS: &'static [$crate::EffectKind<Self::State>] = $does; };
    (@may_rule $does:expr) => { $crate::game! { @fn may_rule(state: &Self::State) -> Result<(), $crate::Refusal> = $does } };
    (@uses $does:expr) => { $crate::game! { @fn uses(order: &Self::Order) -> Vec<String> = $does } };
    (@after_ruling $does:expr) => { $crate::game! { @fn after_ruling(state: &mut Self::State) -> () = $does } };
    (@outcome $does:expr) => { $crate::game! { @fn outcome(state: &Self::State) -> $crate::Outcome = $does } };
    (@ending $does:expr) => { $crate::game! { @fn ending(state: &Self::State) -> $crate::Json = $does } };
    (@pieces $does:expr) => { $crate::game! { @fn pieces(state: &Self::State, seat: $crate::Seat) -> Vec<String> = $does } };
    (@facts $does:expr) => { $crate::game! { @fn facts(state: &Self::State, seat: $crate::Seat) -> Vec<$crate::Fact> = $does } };
    (@fact_names $does:expr) => { $crate::game! { @fn fact_names(state: &Self::State, fact: &str) -> Vec<String> = $does } };
    (@ways $does:expr) => { $crate::game! { @fn ways(state: &Self::State, order: &Self::Order) -> Vec<$crate::map::Way> = $does } };
    (@tell_points $does:expr) => { $crate::game! { @fn tell_points(table: &$crate::Table<Self>, state: &mut Self::State) -> () = $does } };
    (@earned $does:expr) => { $crate::game! { @fn earned(state: &Self::State, seat: $crate::Seat) -> Vec<(&'static str, i64)> = $does } };
    (@figures $does:expr) => { $crate::game! { @fn figures(state: &Self::State) -> Vec<(&'static str, i64)> = $does } };
    (@fn $name:ident($($arg:ident: $Arg:ty),*) -> $Out:ty = $does:expr) => {
        fn $name($($arg: $Arg),*) -> $Out {
            let does: fn($($Arg),*) -> $Out = $does;
            does($($arg),*)
        }
    };
}
