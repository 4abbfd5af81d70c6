//! The contents of a game's box, from the built-in component file or from an owner's.

use super::{ComponentFault, File, Table, print, read};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// The contents of a game's box: all its pieces, checked.
pub trait Kit: Send + Sync + Sized + 'static {
    /// The built-in component file.
    const FILE: &'static str;
    /// The tables of a component file, in reading order.
    const TABLES: &'static [Table];

    /// Builds the pieces from a file's tables, noting faults.
    fn assemble(file: &mut File<'_, '_>) -> Self;

    /// Reads a component file. `name` is used only in messages.
    ///
    /// # Errors
    ///
    /// Returns [`ComponentFault`] with all faults, each with its location in the file and the
    /// correction.
    fn parse(text: &str, name: &str) -> Result<Self, ComponentFault> {
        read(text, name, Self::TABLES, Self::assemble)
    }

    /// Returns the built-in pieces, which are read once.
    fn builtin() -> &'static Arc<Self> {
        static KITS: LazyLock<Mutex<HashMap<TypeId, &'static (dyn Any + Send + Sync)>>> = LazyLock::new(Mutex::default);
        // A kit is inserted only when complete, so a poisoned map is still valid.
        let mut kits = KITS.lock().unwrap_or_else(PoisonError::into_inner);
        let kit = kits.entry(TypeId::of::<Self>()).or_insert_with(|| {
            let kit = Self::parse(Self::FILE, "components.toml").expect("the tests of every game parse this very text");
            Box::leak(Box::new(Arc::new(kit)))
        });
        kit.downcast_ref().expect("it stands under its own type")
    }

    /// Reads the pieces of a component file, which may be the built-in one.
    ///
    /// # Errors
    ///
    /// See [`Kit::parse`].
    fn of(text: &str) -> Result<Arc<Self>, ComponentFault> {
        if text == Self::FILE { Ok(Self::builtin().clone()) } else { Self::parse(text, "components").map(Arc::new) }
    }

    /// Formats a component file as tables for people, each row marked as known or house value.
    ///
    /// # Errors
    ///
    /// See [`Kit::parse`].
    fn print(text: &str, name: &str) -> Result<String, ComponentFault> {
        Self::parse(text, name).map(|_| print(text, Self::TABLES))
    }
}

/// Declares the contents of a box as lists of pieces in the order in which they are read;
/// [`pieces!`](crate::pieces) declares each kind of piece. Generates the struct and its [`Kit`].
/// `check` is a function that notes violations of the rules' assumptions about the pieces.
#[macro_export]
macro_rules! kit {
    (
        $(#[$meta:meta])*
        pub struct $Box:ident of $file:expr, check $check:path {
            $($(#[$about:meta])* $list:ident: $Piece:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Box {
            $($(#[$about])* pub $list: Vec<$Piece>,)*
        }

        // The box is the same in every position of a game, and far longer than the rest of it.
        impl std::fmt::Debug for $Box {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Box)).finish_non_exhaustive()
            }
        }

        impl $crate::components::Kit for $Box {
            const FILE: &'static str = $file;
            const TABLES: &'static [$crate::components::Table] =
                &[$(<$Piece as $crate::components::Piece>::TABLE),*];

            fn assemble(file: &mut $crate::components::File<'_, '_>) -> Self {
                let kit = $Box { $($list: file.pieces(),)* };
                $check(&kit, file);
                kit
            }
        }
    };
}
