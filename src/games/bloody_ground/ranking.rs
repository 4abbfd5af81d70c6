//! The order in which nations roll, in one answer (8.1).

use super::{
    Ask, BloodyGround, Order, State,
    components::{NationId, Side},
    leaders,
};
use postrider_orders::{Grammar, Misread, Names, Phrase, Reader, one_of, variant};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// The question of which nations roll first; nations not named follow in the listed order.
pub struct Ranking {
    pub among: Vec<NationId>,
}

impl Ranking {
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let mut names: Names<u16> = Names::new("nation that rolls");
        for n in &self.among {
            names.add(&g.c[*n].name, u16::from(n.0));
        }
        let name = Grammar::leaf(
            move |words: &mut Reader<'_>| {
                words.skip(&["the"]);
                words.name(&names).map(|at| g.c[NationId(at as u8)].name.clone())
            },
            |name: &String| Some(name.to_lowercase()),
        );
        let more = |words: &mut Reader<'_>| {
            words.skip(&["and", "then"]);
            !words.at_end()
        };
        let list = variant!(name.many(",", more) => of => Order::Rank { of });
        one_of()
            .on(&["as"], postrider_orders::filler("listed", &["listed"]).means(Order::Rank { of: Vec::new() }))
            .on(&["first", "order"], list.clone())
            .otherwise(list)
    }
}

impl Prompt<BloodyGround> for Ranking {
    type Answer = Vec<NationId>;
    fn kind(&self) -> Ask {
        Ask::NextNation
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<NationId>, Refusal> {
        let Order::Rank { of } = order else { return refuse("8.1", "Say in which order the nations roll.") };
        let mut all: Vec<NationId> = Vec::new();
        for name in of {
            match g.c.nation(name).filter(|n| self.among.contains(n) && !all.contains(n)) {
                Some(n) => all.push(n),
                None => return refuse("8.1", format!("{name} does not roll now, or is named twice.")),
            }
        }
        let rest: Vec<NationId> = self.among.iter().copied().filter(|n| !all.contains(n)).collect();
        all.extend(rest);
        Ok(all)
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let names: Vec<&str> = self.among.iter().map(|&n| &*g.c[n].name).collect();
        let primary = g.primary[Side::Na.index()].is_some_and(|l| leaders::in_play(g, l)) || g.british;
        let first = "The leader of the first that goes to war is your primary leader (9.1.2).";
        let description = Description::new("In which order the nations roll", "8.1")
            .line(format!(
                "These roll, in this order if you name none: {}. Who is not named follows.",
                names.join(", ")
            ))
            .few(4);
        if primary { description } else { description.line(first) }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = self.grammar(g);
        let first = self.among.iter().skip(1).map(|&n| Order::Rank { of: vec![g.c[n].name.clone()] });
        [Order::Rank { of: Vec::new() }].into_iter().chain(first).map(|order| Choice::said(order, &grammar)).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let mut left: Vec<String> = self.among.iter().map(|&n| g.c[n].name.clone()).collect();
        let named = below(left.len() as u32 + 1) as usize;
        let of = (0..named).map(|_| left.swap_remove(below(left.len() as u32) as usize)).collect();
        Some(Order::Rank { of })
    }
}
