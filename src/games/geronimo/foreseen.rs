//! The widest form of each question, used to read orders before they are asked for.

use super::{
    Ask, Geronimo, Order, State,
    alliance::{Join, KEEP},
    campaign::{ACCEPT_BATTLE, AMBUSH, EVADE, LET_GO, PURSUE, STAND, WAIT},
    cards::{
        After, OneTribe, OneVillage, ShamanChoice,
        among::{InArea, NOBODY},
        policy::{Corruption, NO_MORE},
        resources::{OneMine, OneRailroad, Shrinks},
    },
    columns::{ColumnPlay, SEPARATE, TOGETHER},
    components::VillageId,
    deal::{
        army::{Arm, FirstColumn, Leaderless, RESERVE},
        chiefs::Divide,
    },
    events::{self, army, sand_creek},
    indian::{Compelled, RETURN, STAY},
    muster::{Deployment, MormonColumn},
    order::Target,
    ratings::Force,
    reaction::{Occasion, Reaction},
    reservation::{DeskPrompt, Prisoner},
    resources::{NO_RAILROAD, Site},
    solitaire::{INDIANS, US, hats::Worn},
    state::{COLUMN_BPS, Phase},
    survival::Attrition,
    target_words::aimed_at,
    village_action::VillageAction,
};
use postrider_orders::{Misread, Phrase};
use postrider_table::{AnyPrompt, Candidate, Choice, Description, OneOr, Pick, Prompt, Refusal, Seat, Word, foresee};
use std::borrow::Cow;

type Foreseen = Box<dyn AnyPrompt<Geronimo>>;

/// A piece that may not be in the game yet, with its name and aliases.
#[derive(Clone)]
struct Named(String, Vec<String>);

impl Candidate<Geronimo> for Named {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        self.0.clone().into()
    }
    fn aliases(&self, _: &State) -> Vec<String> {
        self.1.clone()
    }
}

impl From<String> for Named {
    fn from(name: String) -> Named {
        Named(name, Vec::new())
    }
}

/// A question whose answer must include the verb, so that a bare name is not enough.
struct Said(Pick<Geronimo, Named>);

impl Prompt<Geronimo> for Said {
    type Answer = Named;
    fn kind(&self) -> Ask {
        self.0.kind()
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Named, Refusal> {
        self.0.accept(g, seat, order)
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        self.0.describe(g, seat)
    }
    fn read(&self, g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
        said.reader().expect_any(&["attack"])?;
        self.0.read(g, seat, said)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        self.0.options(g, seat)
    }
}

/// Returns one question of each kind, with every candidate that it could list. In the Solitaire
/// Game the player is asked for both sides.
pub fn foreseen(g: &State, seat: Seat) -> Vec<Foreseen> {
    let hats = if g.variant.solitaire { vec![US, INDIANS] } else { vec![seat] };
    // The most frequent questions come first, because an ambiguous answer is taken for the first
    // question that can read it.
    let mut all = Vec::new();
    for hat in hats {
        all.push(worn(hat, ShamanChoice));
        all.extend(if hat == g.us { army(g, hat) } else { indians(g, hat) });
        all.push(worn(hat, DeskPrompt));
    }
    all.extend(cards(g));
    if g.variant.random_events {
        all.extend(random_events(g));
    }
    all
}

fn worn(hat: Seat, prompt: impl Prompt<Geronimo>) -> Foreseen {
    foresee(Worn { hat, prompt })
}

/// Returns the questions for the US only.
fn army(g: &State, hat: Seat) -> Vec<Foreseen> {
    let sites = || g.area_ids().map(Site);
    let prisoners = OneOr::among(NOBODY, g.c.chief_ids().map(Prisoner));
    let columns = || g.columns.iter().map(|column| Leaderless(column.id));
    let losses = || commanders(g).flat_map(|name| ["BP", "Field Gun", "Gatling"].map(|what| format!("{name} {what}")));
    let utah = g.c.area_by_code("UT").into_iter();
    let target = Force::Parties(Vec::new());
    let mut all = vec![
        worn(hat, Deployment::default()),
        worn(hat, ColumnPlay { left: 1, first: true, divided: Vec::new(), revenge: false }),
        worn(hat, Reaction(Occasion { target, areas: Vec::new(), what: String::new(), tried: Vec::new() })),
        worn(hat, Attrition { count: 1 }),
        pick(Ask::Settlement, &["settle", "settlement", "place"], sites().collect()),
        pick(Ask::Railroad, &["build", "railroad", "rr"], OneOr::among(NO_RAILROAD, sites())),
        pick(Ask::Gatling, &["take"], vec![Arm::Gatling, Arm::Guns]),
        pick(Ask::Group, &[], vec![SEPARATE, TOGETHER]),
        pick(Ask::Pursuit, &[], vec![PURSUE, LET_GO]),
        pick(Ask::ColumnLoss, &["lose"], losses().map(Named::from).collect()),
        pick(Ask::PursuitLoss, &["lose"], commanders(g).map(|name| Named::from(format!("{name} BP"))).collect()),
        pick(Ask::Prison, &["imprison"], prisoners),
        pick(Ask::DrivenOut, &["place"], g.area_ids().map(InArea).collect()),
        pick(Ask::Dissolve, &["dissolve"], columns().collect()),
        pick(Ask::DissolveInto, &["to"], OneOr::among(RESERVE, columns())),
        pick(Ask::DissolveBps, &[], (1..=COLUMN_BPS.unsigned_abs() as u8).collect()),
        pick(Ask::GhostTown, &["remove"], vec![Shrinks::Settlement, Shrinks::Town]),
    ];
    // Only before the Rounds of the first Turn (3.45).
    if g.phase != Phase::CardPlay {
        all.push(worn(hat, FirstColumn { left: 1 }));
    }
    all.extend(utah.map(|utah| worn(hat, MormonColumn { utah, standing: Vec::new(), fresh: true })));
    all
}

/// Returns the questions for Indian players only.
fn indians(g: &State, hat: Seat) -> Vec<Foreseen> {
    let compelled = Some((Compelled::BloodLust, Vec::new()));
    let area = g.area_ids().next().into_iter();
    let join = |area| Join { leader: hat, area, own: Vec::new(), target: Target::Settlement {}, only: Vec::new() };
    let tribes = g.c.tribe_ids().map(OneTribe);
    let mut all = vec![
        worn(hat, VillageAction { after: After::Alliance, compelled: None }),
        worn(hat, VillageAction { after: After::Operation, compelled }),
        pick(Ask::InitialTribe, &["choose"], tribes.collect()),
        pick(Ask::Evasion, &[], vec![EVADE, STAND, WAIT]),
        pick(Ask::Ambush, &[], vec![AMBUSH, ACCEPT_BATTLE]),
        pick(Ask::PostAction, &[], afterwards(g)),
        foresee(Said(Pick::new(Ask::Rampage, "9.2V", "", second_targets(g)).verbs(&["attack"]))),
        pick(Ask::AllianceLoss, &[], parties(g).map(Named::from).collect()),
        pick(Ask::StormLoss, &["lose"], parties(g).map(Named::from).collect()),
        pick(Ask::Share, &["give"], OneOr::among(KEEP, g.indian_seats())),
    ];
    all.extend(Divide::of(g).map(|divide| worn(hat, divide)));
    all.extend(area.map(|area| worn(hat, join(area))));
    all
}

/// Returns the questions for the player of a Shaman Card.
fn cards(g: &State) -> Vec<Foreseen> {
    let areas = || g.area_ids().map(InArea).collect::<Vec<_>>();
    let tribes = || g.c.tribe_ids().map(OneTribe).collect::<Vec<_>>();
    let or_nobody = || OneOr::among(NOBODY, g.village_ids().map(OneVillage));
    let mines = g.area_ids().flat_map(|area| g.area(area).mines.iter().map(move |m| OneMine { area, mine: m.id }));
    let railroads = g.area_ids().flat_map(|area| [false, true].map(|broke| OneRailroad { area, broke }));
    vec![
        pick(Ask::AgencyCorruption, &[], vec![Corruption::CancelPeacePolicy, Corruption::Rolls]),
        pick(Ask::BadBlood, &["bad blood"], tribes()),
        pick(Ask::BadWeather, &["bad weather"], areas()),
        pick(Ask::BloodLust, &["blood lust"], villages(g)),
        pick(Ask::BuffaloHunters, &["skull", "buffalo skull", "hunt"], areas()),
        pick(Ask::GhostTowns, &["mine", "play out"], mines.collect()),
        pick(Ask::GoodWeather, &["good weather"], areas()),
        pick(Ask::Mission, &["mission", "mission in"], areas()),
        pick(Ask::MissionFrom, &["move from", "from"], areas()),
        pick(Ask::PeaceChief, &["ask for", "ask", "peace chief"], tribes()),
        pick(Ask::PeaceVillage, &["peace chief"], villages(g)),
        pick(Ask::ReservationUnrest, &["bring back"], OneOr::among(NO_MORE, g.village_ids().map(OneVillage))),
        pick(Ask::RrSkimming, &["remove rr", "remove"], railroads.collect()),
        pick(Ask::Scouts, &["scout"], or_nobody()),
        pick(Ask::ShamanMedicine, &["medicine for", "medicine"], or_nobody()),
        pick(Ask::Smallpox, &["smallpox"], villages(g)),
        pick(Ask::TexasRangers, &["attack", "rangers"], anybody(g)),
        pick(Ask::TribalUnrest, &["unrest"], or_nobody()),
        pick(Ask::WinterStorm, &["storm"], areas()),
    ]
}

/// Returns the questions of random events (12.1).
fn random_events(g: &State) -> Vec<Foreseen> {
    let besieged = commanders(g).map(|name| Named(name.clone(), vec![format!("column {name}")]));
    let tribes = g.c.tribe_ids().map(OneTribe);
    vec![
        pick(Ask::RandomEvent, &[], vec![events::NO_ROLL, events::ROLL]),
        pick(Ask::Event, &[], vec![events::PLAY, events::DISCARD]),
        pick(Ask::Gunrunners, &["gunrunners for", "gunrunners", "guns for"], tribes.collect()),
        pick(Ask::BuffaloCampaign, &["campaign of", "campaign"], anybody(g)),
        pick(Ask::LinesCut, &["lines cut by", "cut by", "cut"], anybody(g)),
        pick(Ask::Siege, &["besiege", "siege of", "siege"], besieged.collect()),
        pick(Ask::Stronghold, &["stronghold for", "stronghold of", "stronghold"], villages(g)),
        pick(Ask::SandCreek, &[], vec![sand_creek::DRAW, sand_creek::DECLINE]),
        pick(Ask::HorseKillers, &[], vec![army::SPARE, army::KILL]),
        pick(Ask::Hostages, &[], vec![army::NONE, army::TAKE]),
    ]
}

fn pick<C: Candidate<Geronimo>>(kind: Ask, verbs: &'static [&'static str], among: Vec<C>) -> Foreseen {
    foresee(Pick::new(kind, "4.1", "", among).verbs(verbs))
}

fn villages(g: &State) -> Vec<OneVillage> {
    g.village_ids().map(OneVillage).collect()
}

/// Returns the surnames of all Commanders.
fn commanders(g: &State) -> impl Iterator<Item = String> {
    g.c.commander_ids().map(|m| g.c[m].surname.clone())
}

/// Returns the names of the War Parties that Villages may send out, two each (6.32).
fn parties(g: &State) -> impl Iterator<Item = String> {
    let names = |v: VillageId| [g.c[v].name.clone(), format!("{} 2", g.c[v].name)];
    g.village_ids().flat_map(names)
}

/// Returns all Villages and War Parties.
fn anybody(g: &State) -> Vec<Named> {
    let village = |v: VillageId| {
        let name = &g.c[v].name;
        Named(name.clone(), vec![g.c[v].short.clone(), format!("Village {name}")])
    };
    let party = |name: String| Named(format!("War Party {name}"), vec![format!("{name} War Party")]);
    g.village_ids().map(village).chain(parties(g).map(party)).collect()
}

/// Returns the answers to the question after an action (6.35, 6.75).
fn afterwards(g: &State) -> Vec<Named> {
    let word = |word: Word| {
        let name = Candidate::<Geronimo>::key(&word, g).into_owned();
        Named(name, Candidate::<Geronimo>::aliases(&word, g))
    };
    let leaves = |name: String| Named(format!("return {name}"), vec![format!("{name} returns")]);
    [STAY, RETURN].map(word).into_iter().chain(parties(g).map(leaves)).collect()
}

/// Returns every target of a War Party, and `none` (9.2V). The verb is required: `kiowa village`
/// alone is not an order.
fn second_targets(g: &State) -> Vec<Named> {
    let mut values: Vec<i32> = g.c.mines.iter().map(|mine| mine.value).collect();
    values.sort_unstable();
    values.dedup();
    let targets = [Target::Settlement {}, Target::Town {}, Target::Railroad {}].into_iter();
    let targets = targets.chain(values.into_iter().map(|value| Target::Mine { value }));
    let targets = targets.chain(g.village_ids().map(|v| Target::Village { name: g.c[v].name.clone() }));
    let targets = targets.chain(parties(g).map(|name| Target::Party { name }));
    let targets = targets.chain(commanders(g).map(|name| Target::Column { name }));
    let words = targets.map(|target| aimed_at(&target).to_lowercase());
    words.chain(["none".to_owned()]).map(Named::from).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::testing::basic, *};
    use postrider_table::Kind as _;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_is_foreseen() {
        let mut g = basic(3);
        g.variant.random_events = true;
        let kinds: BTreeSet<&str> =
            g.seats().flat_map(|seat| foreseen(&g, seat)).map(|prompt| prompt.kind().name()).collect();
        let missing: Vec<&str> = Ask::ALL.iter().map(|kind| kind.name()).filter(|name| !kinds.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    /// geronimo 9.2X, 9.2GG
    #[test]
    fn unrest_is_of_one_card() {
        let g = basic(3);
        let kinds = |words: &str| -> Vec<Ask> {
            let said = Phrase::new(words);
            let mut all = cards(&g);
            all.retain(|prompt| prompt.read(&g, Seat(1), &said).is_ok());
            all.iter().map(|prompt| prompt.kind()).collect()
        };
        assert_eq!(kinds("unrest comanche"), [Ask::TribalUnrest]);
        assert_eq!(kinds("bring back comanche"), [Ask::ReservationUnrest]);
    }

    #[test]
    fn a_village_alone_is_not_attacked() {
        let g = basic(3);
        let said = Phrase::new("the kiowa village");
        let reads = |prompt: &Foreseen| prompt.read(&g, Seat(1), &said).is_ok();
        let kinds: Vec<Ask> = foreseen(&g, Seat(1)).iter().filter(|prompt| reads(prompt)).map(|p| p.kind()).collect();
        assert_eq!(kinds, []);
    }
}
