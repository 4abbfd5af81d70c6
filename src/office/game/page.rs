//! The page of a game: one file to play from and to look back with.

use crate::{
    error::OfficeError,
    game::{Game, map, motions, status},
    services::Services,
};
use postrider_mail::{Attached, Content, Token};
use postrider_page::{Answer, Choice, Page, Question, Reader, Record};
use postrider_replay::project;
use postrider_store::{Player, Players};
use postrider_table::Seat;

/// Returns the page for a seat, which can answer from it, or for spectators. With `named`, players
/// are called by their names.
pub(crate) fn page(game: &Game, services: &Services, seat: Option<Seat>, named: bool) -> Result<Page, OfficeError> {
    let mut record = Record::default();
    project(&game.source, game.live.head.n, &mut [&mut record])?;
    let answer = match seat {
        Some(seat) => answer_to(game, services, seat)?,
        None => None,
    };
    let deadlines = Some(status::status(game, services)?.deadlines);
    // A spectator without names could read the same in the journal, which is public.
    let unnamed = Players::named_in(&[], game.live.opened.seats.len());
    let players = if named { &game.seats } else { &unnamed };
    let proposals = seat.map(|seat| motions::to_vote_on(game, services, seat)).unwrap_or_default();
    let proposals = proposals.into_iter().map(|(n, title)| proposal(n, title)).collect();
    let reader =
        Reader { seat, players, letters: &services.letters, record: &record, answer, deadlines, proposals, note: None };
    Ok(Page::of(&game.live, reader)?)
}

/// Returns the question for a vote on the motion of entry `n`.
fn proposal(n: u64, title: String) -> Question {
    let option = |vote: &str| Choice { words: format!("{vote} {n}"), ..Choice::default() };
    Question { title, complete: true, options: ["agree", "disagree"].map(option).to_vec(), ..Question::default() }
}

/// Maximum size of a page that is attached without a request, in bytes. The map of a large board
/// takes more.
const ALONG: usize = 640 * 1024;

/// Returns the page as an attachment. If it cannot be made, or is too large for a letter that did
/// not ask for it, the letter goes without it.
pub(crate) fn attached(game: &Game, services: &Services, seat: Seat, asked: bool) -> Option<Attached> {
    let html = page(game, services, Some(seat), true).and_then(|page| Ok(page.html()?));
    let said = |why: &OfficeError| tracing::error!(game = game.id, %why, "the page of the game cannot be made");
    let html = html.inspect_err(said).ok().filter(|html| asked || html.len() <= ALONG)?;
    Some(Attached { name: file_of(game), content: Content::Html(html) })
}

fn file_of(game: &Game) -> String {
    format!("{}.html", game.id)
}

/// Returns `true` if the page is attached without a request: to letters with pictures that begin a
/// Turn or end the game.
pub(crate) fn goes_along(services: &Services, begins: bool) -> bool {
    begins && map::draws(services)
}

/// Describes the page to its reader, with its addresses on the host's web server.
pub(crate) fn in_words(game: &Game, services: &Services, seat: Seat) -> String {
    let mut words = format!(
        "The page of this game is attached as {}: the map, the story, and what you can order. Open it in a browser; it needs no \
         network. Your answers can be sent from it, so show it to nobody while the game goes on.",
        file_of(game)
    );
    if let Some(url) = services.host.settings.http_url.as_deref().map(|url| url.trim_end_matches('/')) {
        let (game_id, token) = (&game.id, calendar_token(game, seat));
        words += &format!(
            " Spectators see the game at {url}/games/{game_id}/ and your calendar program finds your deadlines at \
             {url}/games/{game_id}/calendar/{token}.ics, an address for you alone."
        );
    }
    words
}

/// Returns the token of a seat's calendar. It becomes void with the seat's other tokens.
fn calendar_token(game: &Game, seat: Seat) -> Token {
    game.tokens.calendar(seat, game.bond(seat))
}

/// Returns the tokens of the calendars of all seats that are played by mail, with the names of the
/// seats.
pub(crate) fn calendars(game: &Game) -> Vec<(Token, String)> {
    let seats = game.seats.players.iter().filter(|player| player.by_mail()).map(|player| player.seat);
    seats.map(|seat| (calendar_token(game, seat), game.live.seat_name(seat).to_owned())).collect()
}

/// Returns the address and subject of a seat's answer, as its next letter would have them; `None`
/// for a seat that is not played by mail.
pub(crate) fn answer_to(game: &Game, services: &Services, seat: Seat) -> Result<Option<Answer>, OfficeError> {
    if !game.seats.player(seat).is_some_and(Player::by_mail) {
        return Ok(None);
    }
    let first = game.questions(seat)?.first().map(|listed| listed.asked.id);
    let (number, token) = match first {
        Some(id) => (id, game.token(seat, id)),
        None => (0, game.letterbox(seat)),
    };
    let addresses = &services.host.addresses;
    let to = addresses.reply_address(&game.id, number, &token);
    // Without sub-addressing the subject must carry the token.
    let tag = match to == addresses.plain() {
        true => addresses.subject_tag(&game.id, number, &token),
        false => format!("[{}]", game.id),
    };
    Ok(Some(Answer { to, subject: format!("Re: {tag} orders") }))
}
