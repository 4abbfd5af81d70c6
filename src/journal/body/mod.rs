//! The bodies of section 4. They borrow from the line where possible and are written canonically.

mod fault;
mod members;
mod roll;
mod shape;
#[cfg(test)]
mod tests;
mod text;

pub use self::{
    fault::{BodyFault, ShapeFault},
    members::{
        Appeal, Ballot, Clock, ClockEvent, Closed, Consent, Dealt, Decision, FORMAT, Joined, Leave, Motion, Opened,
        Parent, Press, Reseated, Revealed, Rewound, Rolled, RolledOut, Round, Ruleset, Ruling, Sealed, Shown, Shuffled,
        StandIn, Started, Unsealed, Via, Vote, What, Zone,
    },
    roll::Roll,
    text::{Json, Text},
};

use serde::Deserialize;
use serde_json::Value;

use self::shape::{Shape, further};
use super::canon::to_canon;

/// Defines [`Body`] and everything that depends on its kinds from one list of kinds and their
/// types.
macro_rules! bodies {
    ($($kind:literal => $member:ident $(<$line:lifetime>)?,)*) => {
        /// The body of a line, by kind.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "each variant is the type of its name")]
        pub enum Body<'a> {
            $($member($member$(<$line>)?),)*
            /// A body of a kind that this release does not know.
            Other {
                /// The kind.
                kind: Text<'a>,
                /// Its content, an object.
                body: Json<'a>,
            },
        }

        /// The kinds that have a type.
        const KNOWN: &[&str] = &[$($kind),*];

        impl<'a> Body<'a> {
            /// Returns the kind as spelled in the line.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Body::$member(_) => $kind,)*
                    Body::Other { kind, .. } => kind,
                }
            }

            fn parse(kind: &'a str, body: &'a str) -> Result<Body<'a>, serde_json::Error> {
                Ok(match kind {
                    $($kind => Body::$member(serde_json::from_str(body)?),)*
                    _ => Body::Other { kind: kind.into(), body: serde_json::from_str(body)? },
                })
            }

            fn to_value(&self) -> Result<Value, serde_json::Error> {
                match self {
                    $(Body::$member(body) => serde_json::to_value(body),)*
                    Body::Other { body, .. } => serde_json::to_value(body),
                }
            }

            /// Checks the rules of section 4 that the types do not express.
            fn shape(&self) -> Result<(), ShapeFault> {
                match self {
                    $(Body::$member(body) => body.shape(),)*
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
    "motion" => Motion<'a>,
    "vote" => Vote<'a>,
    "reseated" => Reseated<'a>,
    "stand_in" => StandIn<'a>,
    "clock" => Clock<'a>,
    "leave" => Leave<'a>,
    "zone" => Zone<'a>,
    "press" => Press,
    "appeal" => Appeal<'a>,
    "closed" => Closed<'a>,
}

/// The member of `opened` that determines how to read the others.
#[derive(Deserialize)]
struct Format {
    format: u64,
}

impl<'a> Body<'a> {
    /// Reads the body of a line of this kind.
    ///
    /// # Errors
    /// [`BodyFault`] if the members or their types are not exactly those of section 4, or break one
    /// of its rules.
    pub fn read(kind: &'a str, body: &'a str) -> Result<Body<'a>, BodyFault> {
        let read = Body::parse(kind, body).map_err(|fault| match serde_json::from_str(body) {
            Ok(Format { format }) if kind == "opened" && format != FORMAT => ShapeFault::Format(format).into(),
            _ => BodyFault::Members(fault),
        })?;
        read.shape()?;
        Ok(read)
    }

    /// Returns whether the entry draws or reveals dice, and whether it draws or reveals cards. A
    /// seat cannot take back an order that precedes such an entry.
    #[must_use]
    pub fn draws(&self) -> (bool, bool) {
        let closed = matches!(self, Body::Closed(_));
        let cards = matches!(self, Body::Shuffled(_) | Body::Dealt(_) | Body::Shown(_) | Body::Revealed(_));
        (closed || matches!(self, Body::Rolled(_)), closed || cards)
    }

    /// Returns the canonical text of the body.
    ///
    /// # Errors
    /// [`BodyFault`] if it breaks a rule of section 4 or contains a value without a canonical form.
    pub(crate) fn to_text(&self) -> Result<String, BodyFault> {
        self.shape()?;
        Ok(to_canon(&self.to_value()?)?)
    }
}
