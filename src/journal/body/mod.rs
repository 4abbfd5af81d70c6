//! The bodies of section 4, read in place where they can be and written canonically.

mod fault;
mod first;
mod members;
mod shape;
#[cfg(test)]
mod tests;
mod text;

pub use self::{
    fault::{BodyFault, ShapeFault},
    members::{
        Clock, ClockEvent, Closed, Dealt, Decision, Joined, Opened, Parent, Press, Reseated, Revealed, Rewound, Roll,
        Rolled, Round, Ruleset, Ruling, Sealed, Shown, Shuffled, Started, Unsealed, Via,
    },
    text::{Json, Text},
};

use serde::Deserialize;
use serde_json::Value;

use self::shape::{Shape, further};
use super::{canon::to_canon, version::Version};

/// Makes [`Body`] and all that goes by its kinds out of one list: each kind with its type.
macro_rules! bodies {
    ($($kind:literal => $member:ident $(<$line:lifetime>)?,)*) => {
        /// What a line says, by kind.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "each variant is the type of its name")]
        pub enum Body<'a> {
            $($member($member$(<$line>)?),)*
            /// A kind that this release does not know.
            Other {
                /// The kind.
                kind: Text<'a>,
                /// Its body, an object.
                body: Json<'a>,
            },
        }

        /// The kinds that have a type.
        const KNOWN: &[&str] = &[$($kind),*];

        impl<'a> Body<'a> {
            /// The kind, as the line spells it.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Body::$member(_) => $kind,)*
                    Body::Other { kind, .. } => kind,
                }
            }

            fn parse(
                kind: &'a str,
                body: &'a str,
                unlisted: Unlisted<'_>,
            ) -> Result<Body<'a>, serde_json::Error> {
                Ok(match kind {
                    $($kind => Body::$member(listed(body, unlisted)?),)*
                    _ => Body::Other { kind: kind.into(), body: serde_json::from_str(body)? },
                })
            }

            fn to_value(&self) -> Result<Value, serde_json::Error> {
                match self {
                    $(Body::$member(body) => serde_json::to_value(body),)*
                    Body::Other { body, .. } => serde_json::to_value(body),
                }
            }

            /// The rules of section 4 that types alone do not hold.
            fn shape(&self, version: Version) -> Result<(), ShapeFault> {
                match self {
                    $(Body::$member(body) => body.shape(version),)*
                    Body::Other { kind, body } => further(kind, body, KNOWN),
                }
            }
        }
    };
}

bodies! {
    "opened" => Opened<'a>,
    "joined" => Joined<'a>,
    "started" => Started,
    "decision" => Decision<'a>,
    "rolled" => Rolled<'a>,
    "shuffled" => Shuffled<'a>,
    "dealt" => Dealt<'a>,
    "shown" => Shown<'a>,
    "revealed" => Revealed<'a>,
    "sealed" => Sealed<'a>,
    "unsealed" => Unsealed<'a>,
    "round" => Round<'a>,
    "rewound" => Rewound<'a>,
    "ruling" => Ruling<'a>,
    "reseated" => Reseated<'a>,
    "clock" => Clock<'a>,
    "press" => Press,
    "closed" => Closed<'a>,
}

/// Where the members are noted that the type of a body does not have; nowhere, where nobody wants to know them.
type Unlisted<'n> = Option<&'n mut Vec<String>>;

/// Reads a body of a known kind and notes members that its type does not have.
fn listed<'a, T: Deserialize<'a>>(body: &'a str, unlisted: Unlisted<'_>) -> Result<T, serde_json::Error> {
    let Some(unlisted) = unlisted else { return serde_json::from_str(body) };
    let mut text = serde_json::Deserializer::from_str(body);
    let read = serde_ignored::deserialize(&mut text, |path| unlisted.push(name_of(&path)))?;
    text.end()?;
    Ok(read)
}

/// Where a member stands, without the numbers of items.
fn name_of(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, .. }
        | Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => name_of(parent),
        Path::Map { parent, key } => match name_of(parent) {
            outer if outer.is_empty() => key.clone(),
            outer => format!("{outer}.{key}"),
        },
    }
}

impl<'a> Body<'a> {
    /// Reads the body of a line of this version and kind. Members beyond those of section 4 are passed over.
    ///
    /// # Errors
    /// [`BodyFault`] when members are missing, of the wrong type, or break a rule of section 4.
    pub fn read(version: Version, kind: &'a str, body: &'a str) -> Result<Body<'a>, BodyFault> {
        Body::read_noting(version, kind, body, None)
    }

    /// The same, with the names of the members that were passed over: `rolls.colour` of a roll.
    pub(super) fn read_noting(
        version: Version,
        kind: &'a str,
        body: &'a str,
        unlisted: Unlisted<'_>,
    ) -> Result<Body<'a>, BodyFault> {
        let read = match (version, kind) {
            (Version::One, "joined") => Body::Joined(listed::<first::Joined<'_>>(body, unlisted)?.into()),
            (Version::One, "decision") => Body::Decision(listed::<first::Decision<'_>>(body, unlisted)?.into()),
            _ => Body::parse(kind, body, unlisted)?,
        };
        read.shape(version)?;
        Ok(read)
    }

    /// Whether dice, and whether cards, were drawn or became known by this entry: an order before it is not taken back by its seat.
    #[must_use]
    pub fn draws(&self) -> (bool, bool) {
        let closed = matches!(self, Body::Closed(_));
        let cards = matches!(self, Body::Shuffled(_) | Body::Dealt(_) | Body::Shown(_) | Body::Revealed(_));
        (closed || matches!(self, Body::Rolled(_)), closed || cards)
    }

    /// The body's canonical text in a version of the format.
    ///
    /// # Errors
    /// [`BodyFault`] when it breaks a rule of section 4 or holds what has no canonical form.
    pub fn to_text(&self, version: Version) -> Result<String, BodyFault> {
        self.shape(version)?;
        Ok(to_canon(&self.to_value()?)?)
    }
}
