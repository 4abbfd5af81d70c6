//! Orders for a whole impulse: fire by a list of aims, and attacks at given odds (10.5, 10.6).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        asking::{Asking, Named},
        components::{Class, Ground, Side},
        facts,
        order::{Aim, Until},
    },
    Odds, odds,
};
use postrider_orders::{Grammar, Misread, Names, Phrase, Reader, list_or};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Pick, Prompt, Refusal, Seat, hex::Hex, status::Condition};

/// Aims that are not names of units: the word in journals, and its synonyms.
const AIMS: &[(&str, &[&str])] = &[
    ("best", &["will", "any", "anybody", "best shot", "best target"]),
    ("nearest", &["nearest enemy", "closest"]),
    ("disrupted", &[]),
    ("routed", &[]),
    ("sound", &["normal", "undisrupted"]),
    ("regulars", &["regular"]),
    ("militia", &[]),
    ("warriors", &["warrior"]),
    ("british", &["canadians", "british or canadians"]),
    ("leaders", &["leader", "led"]),
];

/// Returns `true` if a target matches an aim: a word of [`AIMS`], a kind of unit, a unit's name, or
/// a hex.
fn fits(g: &State, j: usize, aim: &Aim) -> bool {
    let piece = &g.battle().pieces[j];
    let Some(hex) = piece.stand.hex() else { return false };
    let (class, condition) = (g.class(piece.unit), g.unit(piece.unit).condition);
    let at = aim.at.strip_prefix(NEAREST).unwrap_or(&aim.at);
    let still = match aim.until {
        Some(Until::Disrupted) => condition == Condition::Normal,
        Some(Until::Routed) => condition != Condition::Routed,
        None => true,
    };
    let meant = match at {
        "best" | "nearest" => true,
        "disrupted" => condition == Condition::Disrupted,
        "routed" => condition == Condition::Routed,
        "sound" => condition == Condition::Normal,
        "regulars" => class.is_regular(),
        "militia" => matches!(class, Class::Militia | Class::Canadian),
        "warriors" => class == Class::Warrior,
        "british" => class.is_british(),
        "leaders" => g.heads_in(hex).any(|h| g.c[g.battle().heads[h].leader].side == class.side()),
        at => piece.label == at || g.c[g.unit(piece.unit).kind].id == at || g.field().grid.id(hex) == at,
    };
    still && meant
}

/// Prefix of an aim that means the nearest of its kind: `nearest sound`.
const NEAREST: &str = "nearest ";

/// Returns `true` if `nearest` may precede this aim: it must be a state or a kind, not a single
/// unit.
fn has_nearest(g: &State, at: &str) -> bool {
    let word = AIMS.iter().any(|(word, _)| *word == at) && !matches!(at, "best" | "nearest");
    word || g.battle().pieces.iter().any(|piece| g.c[g.unit(piece.unit).kind].id == at)
}

/// Returns `true` if an aim can match anything in this battle.
pub fn is_known(g: &State, aim: &Aim) -> bool {
    let at = &*aim.at;
    if let Some(of) = at.strip_prefix(NEAREST) {
        return has_nearest(g, of);
    }
    AIMS.iter().any(|(word, _)| *word == at)
        || g.battle().pieces.iter().any(|piece| piece.label == at || g.c[g.unit(piece.unit).kind].id == at)
        || g.field().grid.hex(at).is_some()
}

/// Returns the target of unit `i`: among the targets of the first aim that matches any, the one
/// most likely to be hit, or the nearest. `shots` are its targets with the number of die faces that
/// hit; those with fewer than `least` are ignored.
pub fn target(g: &State, i: usize, aims: &[Aim], least: u8, shots: &[(usize, usize)]) -> Option<usize> {
    let far = |j: usize| match (g.battle().pieces[i].stand.hex(), g.battle().pieces[j].stand.hex()) {
        (Some(from), Some(to)) => g.field().grid.distance(from, to),
        _ => u16::MAX,
    };
    let good = || shots.iter().copied().filter(|shot| shot.1 >= usize::from(least.max(1)));
    aims.iter().find_map(|aim| {
        let meant = good().filter(|&(j, _)| fits(g, j, aim));
        let best = match &*aim.at {
            at if at == "nearest" || at.starts_with(NEAREST) => {
                meant.min_by_key(|&(j, faces)| (far(j), std::cmp::Reverse(faces), j))
            }
            _ => meant.min_by_key(|&(j, faces)| (std::cmp::Reverse(faces), far(j), j)),
        };
        best.map(|(j, _)| j)
    })
}

/// Returns the attack on a hex with the best odds column: by all of these units, or by those that
/// are not Disrupted if the Disrupted ones would worsen the column.
pub fn attack(g: &State, at: Hex, can: &[usize]) -> (Vec<usize>, Odds) {
    let sound = |&&i: &&usize| g.unit(g.battle().pieces[i].unit).condition == Condition::Normal;
    let all = (can.to_vec(), odds(g, can, at));
    let some: Vec<usize> = can.iter().filter(sound).copied().collect();
    if some.is_empty() || some.len() == can.len() {
        return all;
    }
    let without = odds(g, &some, at);
    if without.column > all.1.column { (some, without) } else { all }
}

/// Returns the possible aims and their names; each name maps to an index in that list.
fn aims(g: &State) -> (Vec<String>, Names<usize>) {
    let (mut list, mut names) = (Vec::new(), Names::new("aim"));
    let mut add = |aim: &str, called: &[&str]| {
        for name in called {
            names.add(name, list.len());
        }
        list.push(aim.to_owned());
    };
    for (word, others) in AIMS {
        add(word, &[&[*word], *others].concat());
    }
    let fight = g.battle();
    let mut kinds: Vec<&str> = fight.pieces.iter().map(|piece| &*g.c[g.unit(piece.unit).kind].id).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.retain(|kind| AIMS.iter().all(|(_, others)| !others.contains(kind)));
    for kind in &kinds {
        add(kind, &[kind]);
    }
    let nearest = |words: &[&str]| -> Vec<String> {
        let with = |before: &str| words.iter().map(|word| format!("{before} {word}")).collect::<Vec<_>>();
        [with("nearest"), with("closest")].concat()
    };
    for (word, others) in AIMS.iter().filter(|(word, _)| has_nearest(g, word)) {
        let called = nearest(&[&[*word], *others].concat());
        add(&format!("{NEAREST}{word}"), &called.iter().map(String::as_str).collect::<Vec<_>>());
    }
    for kind in &kinds {
        let called = nearest(&[kind]);
        add(&format!("{NEAREST}{kind}"), &called.iter().map(String::as_str).collect::<Vec<_>>());
    }
    fight.pieces.iter().for_each(|piece| add(&piece.label, &[&piece.label]));
    (list, names)
}

/// Reads a fire doctrine: `will`, `disrupted, else regulars, else nearest from 2 in 6`, `wyandot 2
/// until disrupted, else wyandot 5`.
fn doctrine(words: &mut Reader<'_>, g: &State) -> Result<(Vec<Aim>, u8), Misread> {
    let (known, names) = aims(g);
    let mut list: Vec<Aim> = Vec::new();
    loop {
        let before = words.understood();
        words.skip(&["else", "then", "or", "and", "at", "the", "on", "otherwise"]);
        if words.at_end() || words.peek() == Some("from") {
            break;
        }
        // Two aims with nothing between them may be one aim: `nearest sound` does not mean all the
        // nearest and then all the sound.
        let comma = words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma);
        if let Some(last) = list.last().filter(|_| before == words.understood() && !comma) {
            let (last, next) = (said(std::slice::from_ref(last), 1), words.peek().unwrap_or_default().to_owned());
            return Err(words.fail(format!(
                "put `else` between two aims, as in `{last}, else {next}`; `nearest sound` is the nearest of those"
            )));
        }
        let hex = words.peek().filter(|word| g.field().grid.hex(word).is_some()).map(str::to_owned);
        let at = match hex {
            Some(id) => {
                words.skip(&[&id]);
                id
            }
            None => known[words.name(&names)?].clone(),
        };
        words.skip(&["one", "ones", "unit", "units"]);
        let until = match words.eat("until") {
            false => None,
            true if words.eat("disrupted") => Some(Until::Disrupted),
            true if words.eat("routed") => Some(Until::Routed),
            true => return Err(words.fail("until disrupted, or until routed")),
        };
        list.push(Aim { at, until });
    }
    let mut least = 1;
    if words.eat("from") {
        least = words.number().filter(|n| (1..=5).contains(n)).ok_or_else(|| words.fail("from 1 to 5 in 6"))?;
        words.skip(&["in", "of"]);
        if words.number().is_some_and(|faces| faces != 6) {
            return Err(words.fail("a die has six faces: from 2 in 6"));
        }
    }
    match list.is_empty() {
        true => Err(words.fail("at whom: will, nearest, disrupted, regulars, a unit")),
        false => Ok((list, least as u8)),
    }
}

fn said(aims: &[Aim], least: u8) -> String {
    let one = |aim: &Aim| {
        let until = match aim.until {
            None => "",
            Some(Until::Disrupted) => " until disrupted",
            Some(Until::Routed) => " until routed",
        };
        let at = if aim.at == "best" { "will" } else { &aim.at };
        format!("{at}{until}")
    };
    let from = if least > 1 { format!(" from {least} in 6") } else { String::new() };
    format!("{}{from}", aims.iter().map(one).collect::<Vec<_>>().join(", else "))
}

/// Grammar of a fire doctrine, after `fire at`.
pub fn fire(g: &State) -> Grammar<'_, Order> {
    Grammar::leaf(
        move |words: &mut Reader<'_>| doctrine(words, g).map(|(aims, least)| Order::Volley { aims, least }),
        |order: &Order| match order {
            Order::Volley { aims, least } => Some(said(aims, *least)),
            _ => None,
        },
    )
}

/// Grammar of attacks by odds, after `attack wherever`: `odds are 2-1`.
pub fn melee(g: &State) -> Grammar<'_, Order> {
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            words.skip(&["the", "odds", "are", "at", "from", "least", "with"]);
            let one = words.number();
            words.skip(&["to", "against"]);
            let (Some(one), Some(other)) = (one, words.number()) else {
                return Err(words.fail("odds of the table, as 2-1"));
            };
            words.skip(&["or", "better", "more"]);
            let odds = format!("{}-{}", one.abs(), other.abs());
            match column(g, &odds) {
                Some(_) => Ok(Order::Attack { odds }),
                None => Err(words.fail(format!("the table has no column {odds}"))),
            }
        },
        |order: &Order| match order {
            Order::Attack { odds } => Some(format!("odds are {odds}")),
            _ => None,
        },
    )
}

/// Returns the column with these odds.
pub fn column(g: &State, odds: &str) -> Option<usize> {
    (0..g.charts.odds.count()).find(|&column| g.charts.odds.label(column) == odds)
}

/// The words of [`OneUnit`] that are not kinds of units.
pub const UNIT_WORDS: [&str; 6] = ["sound", "disrupted", "routed", "militia", "regulars", "warriors"];
/// The words for paths that are not hexes: leaving the board, those of [`ways_called`], and those
/// for lone leaders.
pub const WAY_WORDS: [&str; 7] = ["off", "away", "leader", "woods", "any", "nearest", "stay"];

/// The question for one of several units. Its words for a state or kind, such as `disrupted`,
/// `militia` or `kentucky-militia`, mean a unit only if no other fits; `any militia` means the first,
/// and `any` the first of all.
struct OneUnit {
    pick: Pick<BloodyGround, Named<usize>>,
    /// The words that several units fit, with their names.
    vague: Names<usize>,
    fitting: Vec<Vec<String>>,
}

/// Asks a side for one of these units, of which no two are alike.
pub async fn choose_unit(
    t: &T,
    g: &mut State,
    side: Side,
    asking: Asking,
    mut among: Vec<Named<usize>>,
    line: String,
) -> usize {
    if let [only] = &among[..] {
        return only.value;
    }
    let mut words: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, named) in among.iter().enumerate() {
        let unit = g.battle().pieces[named.value].unit;
        let state = match g.unit(unit).condition {
            Condition::Normal => "sound",
            Condition::Disrupted => "disrupted",
            Condition::Routed => "routed",
        };
        let class = match g.class(unit) {
            Class::Militia | Class::Canadian => "militia",
            Class::Regular | Class::British => "regulars",
            Class::Warrior => "warriors",
        };
        for word in [state, class, &g.c[g.unit(unit).kind].id] {
            match words.iter_mut().find(|(known, _)| known == word) {
                Some((_, fit)) => fit.push(at),
                None => words.push((word.to_owned(), vec![at])),
            }
        }
    }
    let (mut vague, mut fitting) = (Names::new("such choice"), Vec::new());
    for (word, fit) in words {
        among[fit[0]].aliases.push(format!("any {word}"));
        if fit.len() == 1 {
            among[fit[0]].aliases.push(word);
        } else {
            vague.add(&word, fitting.len());
            fitting.push(fit.iter().map(|&at| format!("`{}`", among[at].name.to_lowercase())).collect());
        }
    }
    among[0].aliases.push("any".to_owned());
    let pick = Pick::new(asking.kind, asking.rule, asking.title, among)
        .telling(move |_, d| d.line(line.clone()))
        .knowing(move |g| facts::battle(g, side));
    t.ask(g, g.seat(side), OneUnit { pick, vague, fitting }).await.value
}

impl Prompt<BloodyGround> for OneUnit {
    type Answer = Named<usize>;
    fn kind(&self) -> Ask {
        self.pick.kind()
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Named<usize>, Refusal> {
        self.pick.accept(g, seat, order)
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        self.pick.describe(g, seat)
    }
    fn facts(&self, g: &State, seat: Seat, order: Option<&Order>) -> Vec<Fact> {
        self.pick.facts(g, seat, order)
    }
    fn read(&self, g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        words.eat_any(&["we lose", "lose"]);
        words.skip(&["the", "a"]);
        match words.try_name(&self.vague) {
            // It fails behind the words, as an answer that is not complete: alternatives of a
            // standing order after it do not count.
            Some(at) if words.at_end() => Err(words.fail(format!("say which: {}", list_or(&self.fitting[at])))),
            _ => self.pick.read(g, seat, said),
        }
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        self.pick.options(g, seat)
    }
}

/// Adds names to retreat paths: `away` (farthest from the nearest enemy), `leader` (nearest to a
/// friendly leader), `woods` and `any`.
pub fn ways_called<V: Clone + 'static>(
    g: &State,
    side: Side,
    mut among: Vec<Named<V>>,
    end: impl Fn(&V) -> Option<Hex>,
) -> Vec<Named<V>> {
    let (grid, fight) = (&g.field().grid, g.battle());
    let enemies: Vec<Hex> = g.on_board(side.enemy()).filter_map(|i| fight.pieces[i].stand.hex()).collect();
    let own = fight.heads.iter().filter(|head| g.c[head.leader].side == side);
    let leaders: Vec<Hex> = own.filter_map(|head| head.stand.hex()).collect();
    let near = |hex: Hex, of: &[Hex]| grid.nearest(hex, of.iter().copied()).unwrap_or(u16::MAX);
    let ends: Vec<Option<Hex>> = among.iter().map(|named| end(&named.value)).collect();
    let on_board = || ends.iter().enumerate().filter_map(|(at, hex)| Some((at, (*hex)?)));
    let away = on_board().max_by_key(|&(at, hex)| (near(hex, &enemies), std::cmp::Reverse(at)));
    let leader = on_board().filter(|_| !leaders.is_empty()).min_by_key(|&(_, hex)| near(hex, &leaders));
    let mut woods = on_board().filter(|&(_, hex)| g.field().ground[hex] == Ground::Woods);
    for (word, found) in [("away", away), ("leader", leader), ("woods", woods.next())] {
        if let Some((at, _)) = found {
            among[at].aliases.push(word.to_owned());
        }
    }
    if let Some(first) = among.first_mut() {
        first.aliases.push("any".to_owned());
    }
    among
}
