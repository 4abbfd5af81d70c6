//! What the Message-ID of a letter says of it.

use postrider_journal::is_game_id;
use postrider_mail::Incoming;
use postrider_table::Seat;
use std::fmt;

/// The beginning of a letter's Message-ID: `lone-pine.B.10.AlU_g8rZ.letter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetterId<'i> {
    /// The game.
    pub game: &'i str,
    /// The seat that it was written to.
    pub seat: Seat,
    /// n of the last entry of the journal when it was written.
    pub n: u64,
    /// The first eight characters of that entry's hash.
    pub hash: &'i str,
    /// `letter`, `re-` and the beginning of the digest of the mail that it answers, and so on.
    pub kind: &'i str,
}

impl<'i> LetterId<'i> {
    /// Reads a Message-ID; `None` for one that is not ours.
    pub fn parse(id: &'i str) -> Option<LetterId<'i>> {
        let parts: Vec<&str> = id.trim_start_matches('<').split(['.', '@']).collect();
        let [game, seat, n, hash, kind, ..] = parts[..] else { return None };
        let (seat, n) = (Seat::from_letter(seat)?, n.parse().ok()?);
        is_game_id(game).then_some(LetterId { game, seat, n, hash, kind })
    }

    /// The letters that a mail answers: that of its In-Reply-To, then those of its References, the last first.
    pub fn answered_by(mail: &'i Incoming) -> impl Iterator<Item = LetterId<'i>> {
        mail.in_reply_to.iter().chain(mail.references.iter().rev()).filter_map(|id| LetterId::parse(id))
    }

    /// The letters to a seat of a game that a mail answers.
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
