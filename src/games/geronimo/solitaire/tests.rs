//! The Solitaire Game, tried rule by rule.
