//! Standing orders as players leave, end and list them.

use super::{
    From,
    request::{MOST_STANDING, Standing},
    understand::Context,
};
use crate::{
    office::{
        error::NotDone,
        services::Services,
        session::{GameSession, Queue},
    },
    orders::{Phrase, list_or, near, peels},
    table::Seat,
};

impl GameSession {
    /// Keeps an order that was given before its question came, if it is one: words that answer a kind of question in any position,
    /// given while somebody else has to answer first. It is good for the next such question of this Round.
    pub(super) fn keep_for_then(
        &mut self,
        services: &mut Services,
        seat: Seat,
        (said, context): (&Phrase, &Context),
        from: &From<'_>,
        place: usize,
    ) -> Result<Option<String>, NotDone> {
        let names: Vec<&str> = context.names.iter().map(String::as_str).collect();
        let asked = self.asked()?;
        if !asked.iter().any(|asked| asked.required && asked.seat != seat) {
            return Ok(None);
        }
        let answers = self.live.opened.ruleset.answers();
        let fits = |said: &Phrase| {
            let words = said.plain();
            let found = answers.iter().find(|(_, all)| all.contains(&words.as_str()));
            found.map(|(kind, _)| ((*kind).to_owned(), words))
        };
        let Some((kind, order)) = peels(said, &names).iter().find_map(fits) else { return Ok(None) };
        // What was asked of him already, open or answered, is not what he means by it, or nobody can tell.
        let known = context.sheet.asks_kind(&kind) || context.kinds.contains(kind.as_str());
        if known
            || asked.iter().any(|asked| asked.seat == seat && asked.kind == kind)
            || self.standing(seat, &kind).is_some()
        {
            return Ok(None);
        }
        let origin = match from {
            From::Mail { hash, .. } => format!("{hash} {place} {order}"),
            From::Cli => String::new(),
        };
        let once = Some(self.place());
        self.seal(services, seat, &Queue { kind, orders: vec![order.clone()], always: false, from: origin, once })?;
        Ok(Some(format!("kept for then: {order}")))
    }

    pub(crate) fn list_standing(&self, seat: Seat) -> String {
        let all = self.all_standing(seat);
        if all.is_empty() {
            return "You have no standing orders.".to_owned();
        }
        let one = |(n, queue): &(u64, Queue)| match queue.always {
            _ if queue.once.is_some() => format!("{}, once in this Round: {}", queue.kind, queue.orders.join("; ")),
            true => format!("{} always: {}", queue.kind, queue.orders.join("; ")),
            false => {
                let used = self.facts.uses(*n, seat, &queue.kind).min(queue.orders.len());
                format!("{}: {} ({used} used)", queue.kind, queue.orders[used..].join("; "))
            }
        };
        format!("Your standing orders: {}.", all.iter().map(one).collect::<Vec<_>>().join(" / "))
    }

    /// Leaves or ends a standing order; says what was done or why not.
    pub(crate) fn stand(
        &mut self,
        services: &mut Services,
        seat: Seat,
        standing: Standing,
        from: &From<'_>,
        place: usize,
    ) -> Result<String, NotDone> {
        let (kind, leave) = match standing {
            Standing::Leave { kind, orders, always } => (kind, Some((orders, always))),
            Standing::End { kind } => (kind, None),
            Standing::List | Standing::Unclear => {
                return Err(NotDone::why(
                    "A standing order reads: standing KIND: ORDER; ORDER (or: standing KIND always: ORDER, or: \
                     standing KIND end).",
                ));
            }
        };
        let kinds = self.kinds()?;
        let Some(kind) = kinds.iter().find(|known| **known == kind).cloned() else {
            let alike = near(&kind, kinds.iter().map(String::as_str), 3);
            let offered = if alike.is_empty() { kinds } else { alike };
            return Err(NotDone::why(format!(
                "There is no kind of question called \"{kind}\"; {}?",
                list_or(&offered)
            )));
        };
        if leave.as_ref().is_some_and(|(orders, _)| orders.len() > MOST_STANDING) {
            return Err(NotDone::why(format!("A standing order holds {MOST_STANDING} orders at most.")));
        }
        let Some((orders, always)) = leave else {
            let none = || NotDone::why(format!("You have no standing order for \"{kind}\"."));
            let (n, _) = self.standing(seat, &kind).ok_or_else(none)?;
            self.unseal(services, n)?;
            return Ok(format!("standing {kind}: ended"));
        };
        let origin = match from {
            From::Mail { hash, .. } => format!("{hash} {place}"),
            From::Cli => String::new(),
        };
        let what = match always {
            true => format!("standing {kind} always: {}", orders.join("; ")),
            false => format!("standing {kind}: {}", orders.join("; ")),
        };
        // The same line of the same mail has been sealed before. What the journal does not commit to was kept by a program that
        // ended before it could.
        let again = |queue: Queue| !origin.is_empty() && queue.from == origin;
        let sealed = self.secrets.sealed.iter().filter(|one| self.facts.sealed.contains(&one.commit));
        let sealed = sealed.filter_map(|one| serde_json::from_str(&one.content).ok());
        if !sealed.into_iter().any(again) {
            self.seal(services, seat, &Queue { kind, orders, always, from: origin, once: None })?;
        }
        Ok(what)
    }
}
