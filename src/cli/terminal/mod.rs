//! The terminal: colours if supported, and a pager for long texts. Pipes and files get plain text.

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

/// The style of headings.
const HEAD: Style = Style::new().bold();
/// The style of text that can be typed, and of the prompt.
const TYPED: Style = AnsiColor::Cyan.on_default().bold();
/// The style of good news, such as executed orders.
const GOOD: Style = AnsiColor::Green.on_default();
/// The style of bad news, such as orders not executed.
const BAD: Style = AnsiColor::Red.on_default();
/// The style of anything that is still open.
const OPEN: Style = AnsiColor::Yellow.on_default();
/// The style of remarks.
const FAINT: Style = Style::new().dimmed();

/// Returns `true` if standard output shows colours: on a terminal, unless NO_COLOR, TERM=dumb or
/// CLICOLOR=0 is set, and anywhere with CLICOLOR_FORCE. If CI is set, a terminal with TERM=dumb
/// also shows colours, because such logs are read where colours are supported.
pub(super) fn has_colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Returns the width of texts for standard output: that of the terminal, or 100 columns if it is
/// unknown; `None` if standard output is not a terminal, because text for pipes and files is not
/// wrapped.
pub(super) fn width() -> Option<usize> {
    const UNKNOWN: usize = 100;
    io::stdout().is_terminal().then(|| terminal_size().map_or(UNKNOWN, |(Width(columns), _)| usize::from(columns)))
}

/// Adds a style to a text.
fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The meaning of a text that is shown in colour. The text says the same in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Bad,
    Open,
}

/// Makes a text bold if colours are supported.
pub(super) fn bold(text: &str) -> String {
    if has_colours() { styled(HEAD, text) } else { text.to_owned() }
}

/// Colours a text if colours are supported.
pub(super) fn toned(tone: Tone, text: &str) -> String {
    let style = match tone {
        Tone::Good => GOOD,
        Tone::Bad => BAD,
        Tone::Open => OPEN,
    };
    if has_colours() { styled(style, text) } else { text.to_owned() }
}

/// Escapes deceptive characters in a text, but keeps the escape sequences of [`bold`] and
/// [`toned`].
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    if !has_colours() {
        return shown;
    }
    let styles = [HEAD, GOOD, BAD, OPEN].map(|style| style.render().to_string());
    let marks = styles.into_iter().chain([HEAD.render_reset().to_string()]);
    marks.fold(shown, |text, mark| text.replace(&*visible(&mark), &mark).into())
}
