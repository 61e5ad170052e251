//! Marks: what the statements of rules say of the payments of a run.
//!
//! Each statement is asked about some hundred actors and some thousand payments at a time, behind what people wait for, within the limits of time
//! and rows that its header says. Where it comes to no end within them the actors are asked about in halves, so that one who has too much is left
//! out alone.

use std::collections::{BTreeSet, HashMap};

use cypher::statements::rows::{OwnedGroup, PaymentRow};
use cypher::{AskedStatement, Error, LoadedRows};
use detection::{Day, Mark};
use marking::{Asking, MarkStatement};

use super::dataset::Loaded;
use super::rule_set::{Rules, RunRule};
use super::scope::{is_of_line, monitoring};
use crate::jobs::Stopped;
use crate::policy::Permit;
use crate::{Inner, Result};

/// Actors that a statement is asked about at once ...
const AT_ONCE: usize = 500;
/// ... and payments of the window; one actor may have more.
const PAYMENTS_AT_ONCE: usize = 10_000;

/// Of what marks are made.
pub(super) struct MarkedScope<'a> {
    pub loaded: &'a Loaded,
    pub groups: &'a [OwnedGroup],
    pub line: &'a str,
    pub day: Day,
    /// Epoch milliseconds.
    pub known_up_to: i64,
}

/// What statements have marked.
#[derive(Default)]
pub(super) struct Marked {
    pub marks: Vec<Mark>,
    /// Actors, counted once for each rule, whom a statement could not tell all about within its limits.
    pub left_out: usize,
}

impl Inner {
    /// The marks of all rules that are statements. A statement with faults, or with rows that are no marks, stops the run for ever.
    pub(super) async fn marks(&self, permit: &Permit<'_>, rules: &Rules, scope: &MarkedScope<'_>) -> std::result::Result<Marked, Stopped> {
        let reported = Reported::of(scope);
        let mut marked = Marked::default();
        for rule in &rules.0 {
            let statement = MarkStatement::of(&rule.rule).map_err(|faults| {
                let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Stopped::ForEver(told.join("; "))
            })?;
            if let Some(statement) = statement {
                self.marks_of(permit, (rule, &statement), &reported, scope, &mut marked).await?;
            }
        }
        Ok(marked)
    }

    async fn marks_of(
        &self,
        _permit: &Permit<'_>,
        (RunRule { rule, settings, .. }, statement): (&RunRule, &MarkStatement),
        reported: &Reported<'_>,
        scope: &MarkedScope<'_>,
        marked: &mut Marked,
    ) -> std::result::Result<(), Stopped> {
        let window = scope.day.window(settings.value("window").as_hours());
        let (from, to) = (window.start.millis(), window.end.millis());
        // A mark is a match with a payment of the day: whoever reported none then has none of his own.
        let actors = if statement.begins_at_payments() { &reported.of_day } else { &reported.actors };
        let mut left = reported.portions(actors, (from, to));
        left.reverse();
        while let Some(portion) = left.pop() {
            let countries = &self.settings.high_risk_countries;
            let asking = Asking { actors: portion.actors, payments: &portion.payments, from, to, known_up_to: scope.known_up_to, countries };
            let asked = statement.asked(&asking, settings).map_err(|faults| {
                let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Stopped::ForEver(format!("rule {}: {}", rule.id, told.join("; ")))
            })?;
            let answered = self.within_limits(asked).await?;
            if let Answered::All(rows) = &answered {
                marked.marks.extend(statement.marks(rows).map_err(|error| Stopped::ForEver(error.to_string()))?);
                continue;
            }
            if let Some((first, second)) = reported.halves(&portion, statement.begins_at_payments(), (from, to)) {
                left.extend([second, first]);
                continue;
            }
            // Of one actor a statement is refused that is at fault itself.
            let Answered::TooMuch(rows) = answered else {
                return Err(Stopped::ForEver(format!("the statement of the rule {} {} was refused; see the log", rule.id, rule.version)));
            };
            marked.left_out += 1;
            tracing::error!(rule = rule.id, actor = portion.actors.first(), "the rule's statement could not tell all within its limits");
            if let Some(rows) = rows {
                marked.marks.extend(statement.marks(&rows).map_err(|error| Stopped::ForEver(error.to_string()))?);
            }
        }
        Ok(())
    }

    async fn within_limits(&self, asked: AskedStatement) -> Result<Answered> {
        match self.long_reads.read_loaded(asked).await {
            Ok(rows) if rows.truncated => Ok(Answered::TooMuch(Some(rows))),
            Ok(rows) => Ok(Answered::All(rows)),
            Err(Error::TimeLimit { .. }) => Ok(Answered::TooMuch(None)),
            // The embedded engine refuses what would hold too many rows at once.
            Err(Error::Rejected { statement, detail }) => {
                tracing::warn!(statement, detail, "the statement of a rule was refused");
                Ok(Answered::Refused)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// What a statement answered.
enum Answered {
    All(LoadedRows),
    /// More than its limits of time and rows let through; the rows that it came to.
    TooMuch(Option<LoadedRows>),
    Refused,
}

/// Actors who are asked about together, and what they reported.
struct Portion<'s, 'a> {
    actors: &'s [&'a str],
    payments: Vec<&'a str>,
}

/// Whom statements are asked about, and what they reported.
struct Reported<'a> {
    actors: Vec<&'a str>,
    /// Those of them who reported a payment of the business day.
    of_day: Vec<&'a str>,
    by_owner: HashMap<&'a str, Vec<&'a PaymentRow>>,
}

impl<'a> Reported<'a> {
    fn of(scope: &MarkedScope<'a>) -> Self {
        let mut reported = Self { actors: actors(scope), of_day: Vec::new(), by_owner: scope.loaded.by_owner() };
        let day = (scope.day.start().millis(), scope.day.end().millis());
        reported.of_day = reported.actors.iter().copied().filter(|actor| !reported.payments(&[actor], day).is_empty()).collect();
        reported
    }

    /// Records of some actors in a window (epoch milliseconds, half-open).
    fn payments(&self, actors: &[&str], (from, to): (i64, i64)) -> Vec<&'a str> {
        let of_actors = actors.iter().filter_map(|actor| self.by_owner.get(actor)).flatten();
        of_actors.filter(|payment| (from..to).contains(&payment.created_at)).map(|payment| payment.id.as_str()).collect()
    }

    /// Half of the actors each; of one actor half of the payments, where the statement begins at these. Nothing where it can't be divided.
    fn halves<'s>(&self, portion: &Portion<'s, 'a>, at_payments: bool, window: (i64, i64)) -> Option<(Portion<'s, 'a>, Portion<'s, 'a>)> {
        let Portion { actors, payments } = portion;
        if actors.len() > 1 {
            let (first, second) = actors.split_at(actors.len() / 2);
            let of = |actors: &'s [&'a str]| Portion { actors, payments: self.payments(actors, window) };
            return Some((of(first), of(second)));
        }
        let (first, second) = payments.split_at(payments.len() / 2);
        let of = |payments: &[&'a str]| Portion { actors, payments: payments.to_vec() };
        (at_payments && !first.is_empty()).then(|| (of(first), of(second)))
    }

    /// Actors that are asked about together.
    fn portions<'s>(&self, actors: &'s [&'a str], window: (i64, i64)) -> Vec<Portion<'s, 'a>> {
        let mut portions = Vec::new();
        let portion = |actors: &'s [&'a str]| Portion { actors, payments: self.payments(actors, window) };
        let (mut begin, mut payments) = (0, 0);
        for (place, actor) in actors.iter().enumerate() {
            let more = self.payments(&[actor], window).len();
            if place > begin && (place - begin == AT_ONCE || payments + more > PAYMENTS_AT_ONCE) {
                portions.push(portion(&actors[begin..place]));
                (begin, payments) = (place, 0);
            }
            payments += more;
        }
        if begin < actors.len() {
            portions.push(portion(&actors[begin..]));
        }
        portions
    }
}

/// Everybody who is monitored in the run, and the members of groups whose owners are.
fn actors<'a>(scope: &MarkedScope<'a>) -> Vec<&'a str> {
    let known = &scope.loaded.actors;
    let is_of_run = |id: &str| known.get(id).is_some_and(|actor| is_of_line(actor, scope.line) && monitoring(actor).is_some());
    let groups = scope.groups.iter().filter(|group| group.owners.iter().any(|owner| is_of_run(owner)));
    let members = groups.flat_map(|group| &group.members).map(String::as_str).filter(|id| known.contains_key(*id));
    let actors: BTreeSet<&str> = known.keys().map(String::as_str).filter(|id| is_of_run(id)).chain(members).collect();
    actors.into_iter().collect()
}
