//! The terminal: colours where it has them, long texts through a pager. Into a pipe or a file goes plain text.

mod pager;
mod paint;

pub(super) use self::{
    pager::show,
    paint::{painted, prompt},
};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use postrider_orders::visible;
use std::{
    borrow::Cow,
    io::{self, IsTerminal},
};
use terminal_size::{Width, terminal_size};

/// What stands over others.
const HEAD: Style = Style::new().bold();
/// What can be typed, and where.
const TYPED: Style = AnsiColor::Cyan.on_default().bold();
/// What was done.
const DONE: Style = AnsiColor::Green.on_default();
/// What was not.
const NOT_DONE: Style = AnsiColor::Red.on_default();
/// Remarks.
const FAINT: Style = Style::new().dimmed();

/// Whether standard output shows colours: a terminal, unless NO_COLOR or TERM=dumb (and CLICOLOR=0) say otherwise, or anything where
/// CLICOLOR_FORCE does. In a CI (where CI is set) a terminal that says dumb shows them still: such logs are read where colours show.
pub(super) fn has_colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// How wide texts for standard output are: as the terminal, 100 columns where it does not say; `None` where it is none, since what goes into
/// a pipe or a file is broken by nobody.
pub(super) fn width() -> Option<usize> {
    const UNKNOWN: usize = 100;
    io::stdout().is_terminal().then(|| terminal_size().map_or(UNKNOWN, |(Width(columns), _)| usize::from(columns)))
}

/// A text in a style, or as it is where there are no colours.
fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Bold where there are colours; as it is anywhere else.
pub(super) fn bold(text: &str) -> String {
    if has_colours() { styled(HEAD, text) } else { text.to_owned() }
}

/// A text in which whatever could deceive its reader's eyes is spelt out, but for the marks that [`bold`] has put there.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    if !has_colours() {
        return shown;
    }
    let marks = [HEAD.render().to_string(), HEAD.render_reset().to_string()];
    marks.iter().fold(shown, |text, mark| text.replace(&*visible(mark), mark).into())
}
