//! The building blocks of bodies: text and JSON borrowed from the line, and structs read only from
//! objects.

use std::{
    borrow::{Borrow, Cow},
    fmt,
    marker::PhantomData,
    ops::Deref,
};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::value::{RawValue, to_raw_value};

/// Text in a body. It is borrowed from the line, unless it contains an escape or is being written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Text<'_> {
    /// Converts it to a `String`.
    #[must_use]
    pub fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text<'_> {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Text<'a> {
    fn from(text: &'a String) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Cow::Owned(text))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// JSON text whose content is defined elsewhere (an order, options, an outcome).
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Json<'a>(pub(super) Cow<'a, RawValue>);

impl Json<'_> {
    /// Converts any value to JSON.
    ///
    /// # Errors
    /// If `value` cannot be serialized.
    pub fn new(value: &(impl Serialize + ?Sized)) -> Result<Json<'static>, serde_json::Error> {
        to_raw_value(value).map(|raw| Json(Cow::Owned(raw)))
    }

    /// Returns the empty object.
    #[must_use]
    pub fn empty() -> Json<'static> {
        let raw = RawValue::from_string("{}".to_owned()).expect("{} is JSON");
        Json(Cow::Owned(raw))
    }

    /// Returns the JSON text. It is canonical if it was read from a journal.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Parses it as a type.
    ///
    /// # Errors
    /// If it is not a value of that type.
    pub fn parse<'t, T: Deserialize<'t>>(&'t self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    pub(super) fn is_object(&self) -> bool {
        self.get().trim_start().starts_with('{')
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Json(Cow::Borrowed(raw)))
    }
}

/// A struct that is read only from an object. By default, serde would also accept an array of the
/// members' values, which other checkers would reject.
struct FromObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FromObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Visitor(PhantomData)).map(FromObject)
    }
}

pub(super) fn from_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    FromObject::deserialize(deserializer).map(|object| object.0)
}

pub(super) fn from_some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    from_object(deserializer).map(Some)
}
