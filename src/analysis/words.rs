//! The adjudication for readers: as text, and as one self-contained HTML page with plots.

use super::{
    Adjudication, Clocks, Estimate, Luck, SeatForecast, SeatNamed, TimeUsed, estimate::ENOUGH, interventions_in_words,
};
use minijinja::{Environment, syntax::SyntaxConfig, value::Serde};
use postrider_letters::{self as letters, Block, Column, LetterError, Section, Table};
use postrider_orders::{list_and, visible};
use serde::Serialize;
use std::collections::BTreeMap;

const OF_ROLLOUTS: &str = "Expected points and chances are for games in which such bots play all seats from here on, with new dice and \
     shuffles. The intervals contain the true figure of such games in 95 of 100 cases; they do not say whether your \
     players would play like the bots. In a draw, the seats that draw share the win.";

const OF_LUCK: &str = "By the seat whose decision caused the roll. Deviations are the standard deviations by which those dice together exceed \
     their mean (negative: fall short of it); values beyond 2 or -2 occur once in twenty times. They show how high the \
     dice were, not whom they helped: whether high is good depends on the rule, and a roll may matter more to another \
     seat. Draws among things (rolls of one name with changing numbers of faces) are counted but not measured.";

const OF_TIME: &str = "The time in which the game waited for an answer of the seat; it can wait for several seats at once. This includes \
     time in which the clock of the seat was stopped (pauses, leave, weekends that are off) and time that a rewind undid. \
     Times are by the operator's clock, which proves nothing.";

impl Adjudication {
    /// Returns the label of a seat's current player: `Anna (A)`, or the letter alone.
    fn called(&self, seat: &str) -> String {
        self.called_since(seat, u64::MAX)
    }

    /// Returns the label of the player who took the seat at entry `since`.
    fn called_since(&self, seat: &str, since: u64) -> String {
        called_since(&self.seats, seat, since)
    }

    /// Returns the seats by chance of winning, highest first; ties are ordered by points, best
    /// first.
    fn ranked(&self) -> Vec<&SeatForecast> {
        let mut seats: Vec<&SeatForecast> = self.rollouts.seats.iter().collect();
        let worth =
            |seat: &SeatForecast| self.rollouts.counted.map_or(0.0, |counted| counted.worth(seat.expected.value));
        seats.sort_by(|a, b| b.wins.value.total_cmp(&a.wins.value).then_with(|| worth(b).total_cmp(&worth(a))));
        seats
    }

    /// Returns the name of the points.
    fn counted(&self) -> &'static str {
        self.rollouts.counted.map_or("", |counted| counted.name)
    }

    /// Returns the outcome of a game that is over, in a sentence.
    fn ended(&self) -> Option<String> {
        self.outcome.as_ref().map(|outcome| outcome.in_words(|seat| self.called(&seat.to_string())))
    }

    /// Describes the basis of the forecast in a few sentences.
    fn basis(&self) -> String {
        let Adjudication { rollouts, outcome, .. } = self;
        let mut text = match (outcome, rollouts.count) {
            (Some(_), _) => "The game is over: this is its outcome, and nothing was played out.".to_owned(),
            (None, 1) => format!("Played out once by the bot \"{}\", seed {}.", rollouts.bot, rollouts.seed),
            (None, n) => format!("Played out {n} times by the bot \"{}\", seed {}.", rollouts.bot, rollouts.seed),
        };
        if let Some(why) = &rollouts.failure {
            text += &format!(" {} more did not end and do not count; the first one: {why}.", rollouts.failed);
        }
        if rollouts.too_few {
            text += &format!(
                " These are too few to trust: a result that occurs once in ten games may be missing, and no interval accounts \
                 for that. Use {ENOUGH} or more."
            );
        }
        text
    }
}

/// Returns the adjudication as sections of text.
#[must_use]
pub fn in_words(found: &Adjudication) -> Vec<Section> {
    let title = format!("{} {}: {} (entry {})", found.title, found.game, found.moment, found.line.saturating_sub(1));
    let mut first =
        vec![Block::paragraph(title, 0), Block::paragraph(format!("The entry's hash is {}.", found.hash), 0)];
    if let Some(why) = &found.not_further {
        let why =
            format!("The journal alone proves no later position: {why}. The host, who has the secrets, can continue.");
        first.push(Block::paragraph(why, 0));
    }
    let mut sections = vec![Section::of(first)];
    match &found.outcome {
        Some(outcome) => {
            sections.push(Section::headed("HOW IT ENDED", [Block::paragraph(found.basis(), 1)]));
            sections.extend(letters::outcome(outcome, |seat| found.called(&seat.to_string())));
        }
        None => {
            sections.push(Section::headed("HOW IT WOULD CONTINUE", [Block::paragraph(found.basis(), 1)]));
            sections.extend(forecast(found));
            if !found.out.is_empty() {
                let out: Vec<String> = found.out.iter().map(|seat| found.called(seat)).collect();
                let said = format!("Out of the game, and so behind the others: {}.", list_and(&out));
                sections.push(Section::of([Block::paragraph(said, 1)]));
            }
            sections.push(Section::of([Block::paragraph(OF_ROLLOUTS, 1)]));
        }
    }
    sections.extend(luck(found));
    sections.push(Section::headed("TIME USED", [Block::paragraph(OF_TIME, 1)]));
    let mut times = vec![Block::Table(times(&found.seats, &found.time))];
    if found.time.iter().any(|time| time.stood + time.undone + time.leave > 0 || time.bank.is_some()) {
        times.push(Block::Table(ran(&found.seats, &found.time)));
    }
    if found.clock_set_back > 0 {
        times.push(Block::paragraph(set_back(found.clock_set_back), 1));
    }
    sections.push(Section::of(times));
    sections.push(interventions_in_words(&found.interventions));
    sections
}

/// Returns the sections on the dice, by player.
fn luck(found: &Adjudication) -> Vec<Section> {
    if found.luck.is_empty() {
        return vec![Section::headed("LUCK SO FAR", [Block::paragraph("No die has been rolled.", 1)])];
    }
    let columns = ["dice", "shown", "mean", "deviations"].map(Column::numbers);
    let mut table = Table::new(1, [Column::default()].into_iter().chain(columns));
    for luck in &found.luck {
        let all = &luck.all;
        let (count, deviations) = (all.count.to_string(), format!("{:+.2}", all.deviations));
        table.row([found.called_since(&luck.seat, luck.since), count, String::new(), String::new(), deviations]);
        for (kind, sum) in &luck.kinds {
            let (got, mean) = (sum.got.unwrap_or_default(), sum.mean.unwrap_or_default());
            let (got, mean, deviations) =
                (format!("{got:.2}"), format!("{mean:.2}"), format!("{:+.2}", sum.deviations));
            table.row([format!("  {kind}"), sum.count.to_string(), got, mean, deviations]);
        }
        if luck.draws > 0 {
            table.row(["  draws among things".to_owned(), luck.draws.to_string()]);
        }
    }
    let explained = Section::headed("LUCK SO FAR", [Block::paragraph(OF_LUCK, 1)]);
    vec![explained, Section::of([Block::Table(table)])]
}

/// Returns the label of the player who took the seat at entry `since`: `Anna (A)`, or the letter
/// alone.
fn called_since(seats: &[SeatNamed], seat: &str, since: u64) -> String {
    match seats.iter().rfind(|named| named.seat == seat && named.since <= since) {
        Some(named) if named.name != named.seat => format!("{} ({})", named.name, named.seat),
        _ if seat.is_empty() => "before any order".to_owned(),
        _ => seat.to_owned(),
    }
}

/// Returns the recomputed times as sections of text.
#[must_use]
pub fn clocks_in_words(clocks: &Clocks) -> Vec<Section> {
    let mut blocks = vec![Block::paragraph(OF_TIME, 1)];
    blocks.extend(clocks.terms.iter().map(|terms| Block::paragraph(terms.as_str(), 1)));
    blocks.extend(clocks.not_further.iter().map(|why| Block::paragraph(format!("The times end early: {why}."), 1)));
    if clocks.clock_set_back > 0 {
        blocks.push(Block::paragraph(set_back(clocks.clock_set_back), 1));
    }
    let tables = [times(&clocks.seats, &clocks.time), ran(&clocks.seats, &clocks.time)];
    vec![Section::headed("CLOCKS", blocks), Section::of(tables.map(Block::Table))]
}

/// Returns the table of details on the time used.
fn ran(seats: &[SeatNamed], times: &[TimeUsed]) -> Table {
    let columns = ["clock ran", "stopped", "undone", "left", "leave taken"].map(Column::numbers);
    let mut table = Table::new(1, [Column::default()].into_iter().chain(columns));
    for time in times {
        let left = time.bank.map_or_else(|| "-".to_owned(), lasted);
        let name = called_since(seats, &time.seat, time.since);
        let ran = lasted(time.waited - time.stood);
        table.row([name, ran, some_time(time.stood), some_time(time.undone), left, some_time(time.leave)]);
    }
    table
}

/// A duration; `-` for none.
fn some_time(seconds: i64) -> String {
    if seconds > 0 { lasted(seconds) } else { "-".to_owned() }
}

/// Returns the table of the time used by each player.
fn times(seats: &[SeatNamed], times: &[TimeUsed]) -> Table {
    let columns = ["waited for", "answers", "standing", "absent", "open", "longest"].map(Column::numbers);
    let columns = [Column::default()].into_iter().chain(columns).chain([Column::default()]);
    let mut table = Table::new(1, columns);
    for time in times {
        let (longest, line) = match time.longest_line {
            0 => ("-".to_owned(), String::new()),
            line => (lasted(time.longest), format!("entry {}", line - 1)),
        };
        let (answers, standing, absent) = (time.answers, time.standing, time.absent);
        let counts = [answers.to_string(), standing.to_string(), absent.to_string(), some_time(time.open)];
        let name = [called_since(seats, &time.seat, time.since), lasted(time.waited)];
        table.row(name.into_iter().chain(counts).chain([longest, line]));
    }
    table
}

/// Returns the results of the rollouts as tables.
fn forecast(found: &Adjudication) -> Vec<Section> {
    let mut sections = Vec::new();
    let columns = [found.counted(), "95 of 100", "least", "most"].map(Column::numbers);
    let columns = [Column::default()].into_iter().chain(columns).chain([Column::words("share of the wins")]);
    let mut table = Table::new(1, columns);
    for seat in found.ranked() {
        let [least, .., most] = seat.spread;
        table.row([
            found.called(&seat.seat),
            format!("{:.1}", seat.expected.value),
            if least == most { "all equal".to_owned() } else { span(&seat.expected, |x| format!("{x:.1}")) },
            least.to_string(),
            most.to_string(),
            if found.out.contains(&seat.seat) { "-".to_owned() } else { percent(&seat.wins) },
        ]);
    }
    if !table.rows.is_empty() {
        sections.push(Section::of([Block::Table(table)]));
    }
    if !found.rollouts.verdicts.is_empty() {
        let mut table = Table::new(1, [Column::default(), Column::default()]);
        for verdict in &found.rollouts.verdicts {
            table.row([percent(&verdict.share), verdict.verdict.clone()]);
        }
        sections.push(Section::of([Block::Table(table)]));
    }
    sections
}

fn set_back(count: u64) -> String {
    match count {
        1 => "Once the time of an entry is before that of the previous entry: the clock was set back.".to_owned(),
        n => format!("{n} times the time of an entry is before that of the previous entry: the clock was set back."),
    }
}

/// Formats both ends of an interval.
fn span(estimate: &Estimate, show: impl Fn(f64) -> String) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("{} to {}", show(low), show(high)),
        _ => "-".to_owned(),
    }
}

fn percent(share: &Estimate) -> String {
    let show = |x: f64| format!("{:.0}", 100.0 * x);
    format!("{} % ({})", show(share.value), span(share, show))
}

/// Formats a duration in its two largest units.
pub fn lasted(seconds: i64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

/// The width of a plot in pixels; its bars are between [`LEFT`] and [`RIGHT`].
const WIDTH: f64 = 720.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 620.0;
/// The maximum number of characters of a label to the left of the bars.
const LONGEST_LABEL: usize = 18;
/// The height of a row in pixels.
const ROW: f64 = 34.0;
/// The height of the space above the rows in pixels.
const TOP: f64 = 14.0;

/// The horizontal scale of a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Scale {
    from: f64,
    to: f64,
    /// The horizontal positions and labels of the marks.
    marks: Vec<(f64, String)>,
}

impl Scale {
    /// Returns a scale that covers the range, with about five round marks.
    fn holding(from: f64, to: f64, show: impl Fn(f64) -> String) -> Scale {
        let span = if to > from { to - from } else { 1.0 };
        let rough = span / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
        let (from, to) = ((from / step).floor() * step, ((from + span) / step).ceil() * step);
        let mut scale = Scale { from, to, marks: Vec::new() };
        let count = ((to - from) / step).round() as u32;
        scale.marks = (0..=count).map(|k| from + f64::from(k) * step).map(|x| (scale.x(x), show(x))).collect();
        scale
    }

    /// Returns the horizontal position of a value, in pixels.
    fn x(&self, value: f64) -> f64 {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        ((LEFT + share * (RIGHT - LEFT)) * 10.0).round() / 10.0
    }
}

/// A row of a plot: a bar from `a` to `b`, a whisker from `low` to `high`, and a mark. All are
/// positions in pixels.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row {
    label: String,
    /// The vertical middle of the row.
    y: f64,
    a: f64,
    b: f64,
    low: f64,
    high: f64,
    mark: f64,
    text: String,
}

/// A plot with one row per seat or player.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Plot {
    width: f64,
    height: f64,
    /// The lower edge of the rows, at which the scale is drawn.
    foot: f64,
    scale: Scale,
    rows: Vec<Row>,
}

impl Plot {
    fn new(scale: Scale, mut rows: Vec<Row>) -> Plot {
        let mut y = TOP + ROW / 2.0;
        for row in &mut rows {
            // Labels that are too long are cut here; the table below the plot has them in full.
            if row.label.chars().count() > LONGEST_LABEL {
                row.label = row.label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect();
            }
            row.y = y;
            y += ROW;
        }
        let foot = y - ROW / 2.0 + 4.0;
        Plot { width: WIDTH, height: foot + 24.0, foot, scale, rows }
    }
}

/// Returns the plot of points: the bar covers the middle half of the rollouts, the line the middle
/// nine tenths; the mark is the mean.
fn points_plot(found: &Adjudication) -> Plot {
    let seats = found.ranked();
    let ends = seats.iter().flat_map(|seat| [seat.spread[1], seat.spread[5]]);
    let (least, most) = ends.fold((i64::MAX, i64::MIN), |(least, most), x| (least.min(x), most.max(x)));
    let (least, most) = if seats.is_empty() { (0, 1) } else { (least, most) };
    let scale = Scale::holding(least as f64, most as f64, |x| format!("{x:.0}"));
    let row = |seat: &&SeatForecast| {
        let at = |k: usize| scale.x(seat.spread[k] as f64);
        let text = format!("{:.1}", seat.expected.value);
        let (a, b, low, high) = (at(2), at(4), at(1), at(5));
        Row { label: found.called(&seat.seat), y: 0.0, a, b, low, high, mark: scale.x(seat.expected.value), text }
    };
    let rows = seats.iter().map(row).collect();
    Plot::new(scale, rows)
}

fn wins_plot(found: &Adjudication) -> Plot {
    let scale = Scale::holding(0.0, 100.0, |x| format!("{x:.0} %"));
    let row = |seat: &SeatForecast| {
        let wins = &seat.wins;
        let at = |share: f64| scale.x(100.0 * share);
        let (low, high) = (at(wins.low.unwrap_or(wins.value)), at(wins.high.unwrap_or(wins.value)));
        let (a, b, text) = (at(0.0), at(wins.value), format!("{:.0} %", 100.0 * wins.value));
        Row { label: found.called(&seat.seat), y: 0.0, a, b, low, high, mark: b, text }
    };
    let rows = found.ranked().into_iter().map(row).collect();
    Plot::new(scale, rows)
}

fn luck_plot(found: &Adjudication) -> Plot {
    let most = found.luck.iter().map(|luck| luck.all.deviations.abs()).fold(3.0, f64::max);
    let scale = Scale::holding(-most, most, |x| format!("{x:.0}"));
    let row = |luck: &Luck| {
        let (zero, here) = (scale.x(0.0), scale.x(luck.all.deviations));
        let (a, b) = if here < zero { (here, zero) } else { (zero, here) };
        let (text, label) = (format!("{:+.2}", luck.all.deviations), found.called_since(&luck.seat, luck.since));
        Row { label, y: 0.0, a, b, low: scale.x(-2.0), high: scale.x(2.0), mark: zero, text }
    };
    let rows = found.luck.iter().map(row).collect();
    Plot::new(scale, rows)
}

fn time_plot(found: &Adjudication) -> Plot {
    let most = found.time.iter().map(|time| time.waited).max().unwrap_or(0).max(1) as f64;
    let (unit, word) = match most {
        most if most >= 2.0 * 86_400.0 => (86_400.0, "d"),
        most if most >= 2.0 * 3600.0 => (3600.0, "h"),
        most if most >= 120.0 => (60.0, "min"),
        _ => (1.0, "s"),
    };
    let scale = Scale::holding(0.0, most / unit, |x| format!("{x:.0} {word}"));
    let row = |time: &TimeUsed| {
        let (a, b) = (scale.x(0.0), scale.x(time.waited as f64 / unit));
        Row {
            label: found.called_since(&time.seat, time.since),
            y: 0.0,
            a,
            b,
            low: b,
            high: b,
            mark: b,
            text: lasted(time.waited),
        }
    };
    let rows = found.time.iter().map(row).collect();
    Plot::new(scale, rows)
}

/// The values for the page's template.
#[derive(Serialize)]
struct Page<'f> {
    found: &'f Adjudication,
    ranked: Vec<&'f SeatForecast>,
    counted: &'static str,
    ended: Option<String>,
    basis: String,
    set_back: Option<String>,
    of: BTreeMap<&'static str, &'static str>,
    points: Plot,
    wins: Plot,
    luck: Plot,
    time: Plot,
    left: f64,
    top: f64,
}

/// Returns the adjudication as one HTML page with plots, which loads nothing from elsewhere.
///
/// # Errors
/// Returns [`LetterError::Template`] if the built-in template is faulty.
pub fn page(found: &Adjudication) -> Result<String, LetterError> {
    let broken = |error| LetterError::Template { name: "adjudication.html".to_owned(), error };
    let mut env = Environment::new();
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(broken)?);
    env.add_filter("called", {
        let found = found.clone();
        move |seat: &str, since: Option<u64>| found.called_since(seat, since.unwrap_or(u64::MAX))
    });
    env.add_filter("lasted", lasted);
    env.add_filter("percent", |share: f64| format!("{:.0} %", 100.0 * share));
    env.add_filter("fixed", |x: f64, digits: usize| format!("{x:.digits$}"));
    env.add_filter("signed", |x: f64| format!("{x:+.2}"));
    env.add_template("adjudication.html", include_str!("../../templates/adjudication.html")).map_err(broken)?;
    let template = env.get_template("adjudication.html").map_err(broken)?;
    let page = Page {
        found,
        ranked: found.ranked(),
        counted: found.counted(),
        ended: found.ended(),
        basis: found.basis(),
        set_back: (found.clock_set_back > 0).then(|| set_back(found.clock_set_back)),
        of: [("rollouts", OF_ROLLOUTS), ("luck", OF_LUCK), ("time", OF_TIME)].into(),
        points: points_plot(found),
        wins: wins_plot(found),
        luck: luck_plot(found),
        time: time_plot(found),
        left: LEFT,
        top: TOP,
    };
    let values = minijinja::Value::from(Serde(&page));
    Ok(visible(&template.render(values).map_err(broken)?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_marks() {
        let marks = |from, to| {
            let scale = Scale::holding(from, to, |x| format!("{x}"));
            scale.marks.iter().map(|mark| mark.1.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marks(0.0, 100.0), "0 20 40 60 80 100");
        assert_eq!(marks(3.0, 48.0), "0 10 20 30 40 50");
        assert_eq!(marks(-3.0, 3.0), "-4 -2 0 2 4");
        assert_eq!(marks(7.0, 7.0), "7 7.2 7.4 7.6 7.8 8");
        let scale = Scale::holding(0.0, 100.0, |x| format!("{x}"));
        assert_eq!((scale.x(0.0), scale.x(50.0), scale.x(200.0)), (LEFT, 385.0, RIGHT));
    }

    #[test]
    fn times_are_told_in_two_units() {
        assert_eq!(
            [0, 59, 60, 3725, 90_000, 200_000].map(lasted),
            ["0 s", "59 s", "1 min", "1 h 2 min", "1 d 1 h", "2 d 7 h"]
        );
    }
}
