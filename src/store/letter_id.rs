//! The information in the Message-ID of a letter.

use postrider_journal::is_game_id;
use postrider_mail::Incoming;
use postrider_table::Seat;
use std::fmt;

/// The beginning of a letter's Message-ID: `lone-pine.B.10.AlU_g8rZ.letter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetterId<'i> {
    /// The game.
    pub game: &'i str,
    /// The seat to which it was written.
    pub seat: Seat,
    /// The `n` of the journal's last entry when it was written.
    pub n: u64,
    /// The first eight characters of that entry's hash.
    pub hash: &'i str,
    /// The kind, such as `letter`, or `re-` with the beginning of the digest of the answered mail.
    pub kind: &'i str,
}

impl<'i> LetterId<'i> {
    /// Parses a Message-ID; `None` if it is not one of ours.
    pub fn parse(id: &'i str) -> Option<LetterId<'i>> {
        let parts: Vec<&str> = id.trim_start_matches('<').split(['.', '@']).collect();
        let [game, seat, n, hash, kind, ..] = parts[..] else { return None };
        let (seat, n) = (Seat::from_letter(seat)?, n.parse().ok()?);
        is_game_id(game).then_some(LetterId { game, seat, n, hash, kind })
    }

    /// Returns the letters that a mail answers: that in its In-Reply-To, then those in its
    /// References, last first.
    pub fn answered_by(mail: &'i Incoming) -> impl Iterator<Item = LetterId<'i>> {
        mail.in_reply_to.iter().chain(mail.references.iter().rev()).filter_map(|id| LetterId::parse(id))
    }

    /// Returns the letters to a seat of a game that a mail answers.
    pub fn answered_in(mail: &'i Incoming, game: &str, seat: Seat) -> impl Iterator<Item = LetterId<'i>> {
        LetterId::answered_by(mail).filter(move |id| id.game == game && id.seat == seat)
    }
}

impl fmt::Display for LetterId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LetterId { game, seat, n, hash, kind } = self;
        write!(f, "{game}.{seat}.{n}.{hash}.{kind}")
    }
}
