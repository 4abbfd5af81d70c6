//! Incoming mails and outgoing letters, over whole games.

#[allow(dead_code, reason = "views are checked in `games`")]
#[path = "../english/mod.rs"]
mod english;
#[path = "../samples/mod.rs"]
mod samples;

/// Forwards the methods of a `Ruleset` to `self.0`, except `open`, `standing` and those for bots.
macro_rules! as_it_is {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) -> $out:ty;)+) => {
        $(fn $name(&self $(, $arg: $type)*) -> $out {
            self.0.$name($($arg),*)
        })+
    };
    () => {
        as_it_is! {
            fn name(&self) -> &'static str;
            fn title(&self) -> &'static str;
            fn version(&self) -> u32;
            fn seats(&self) -> RangeInclusive<u8>;
            fn scenarios(&self) -> &'static [&'static str];
            fn introduction(&self, setup: &Setup) -> Introduction;
            fn absent(&self) -> &'static [Absent];
            fn about_scenario(&self, name: &str) -> &'static str;
            fn rules(&self) -> &'static str;
            fn options(&self) -> &'static [OptionalRule];
            fn decks(&self) -> &'static [&'static str];
            fn components(&self) -> &'static str;
            fn print_components(&self, text: &str, file: &str) -> Result<String, SetupFault>;
            fn view_template(&self) -> &'static str;
            fn brief_template(&self) -> Option<&'static str>;
            fn end_template(&self) -> Option<&'static str>;
            fn fits(&self, setup: &Setup, seats_rule: &'static str) -> Result<(), SetupFault>;
            fn kinds(&self) -> Vec<&'static str>;
            fn binding(&self) -> Vec<&'static str>;
            fn repeats(&self) -> Vec<&'static str>;
            fn enough(&self) -> &'static [&'static str];
            fn facts(&self) -> &'static [FactKind];
            fn every_kind(&self) -> Vec<&'static str>;
            fn attacked(&self) -> &'static [&'static str];
            fn next(&self) -> &'static str;
            fn balance(&self) -> &'static [Figure];
            fn map(&self) -> Option<&'static GameMap>;
            fn map_of(&self, components: &str) -> Option<&'static GameMap>;
            fn help(&self, components: &str) -> Subjects;
            fn subjects(&self, components: &str) -> Subjects;
        }
    };
}

mod bloody_ground;
mod bodies;
mod corpus;
mod endings;
mod few_mails;
mod geronimo;
mod letter_leaks;
mod order_leaks;
mod plains;
mod post;
mod replies;
mod rosebud_creek;
