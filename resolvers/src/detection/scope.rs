//! Who is monitored, and in whose runs.

use cypher::statements::rows::MonitoredActor;
use graph_schema::json_object::JsonObject;

/// What becomes of what is found about somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monitoring {
    /// It is an observation.
    Alerted,
    /// He is excluded from alerts (`SUPPRESSED`): it is a signal that was suppressed.
    Suppressed,
}

/// How an actor is monitored; nothing where he is not. The deprecated `monitored` of the record has no effect.
pub fn monitoring(actor: &MonitoredActor) -> Option<Monitoring> {
    if !actor.recorded || actor.status.as_deref() == Some("TERMINATED") {
        return None;
    }
    match actor.exclusion.as_deref() {
        Some("NOT_MONITORED") => None,
        Some("SUPPRESSED") => Some(Monitoring::Suppressed),
        _ => Some(Monitoring::Alerted),
    }
}

/// Whether a line of business has an actor: by type, by the text of his `customData.lineOfBusiness`, or by a segmentation group of that name.
pub fn is_of_line(actor: &MonitoredActor, line: &str) -> bool {
    match line {
        "INDIVIDUAL" | "LEGAL_ENTITY" => actor.kind.as_deref() == Some(line),
        _ => actor.groups.iter().any(|group| group == line) || said_line(actor).as_deref() == Some(line),
    }
}

fn said_line(actor: &MonitoredActor) -> Option<String> {
    let said = JsonObject::parse(actor.custom_data.as_deref()?)?.get("lineOfBusiness")?;
    said.as_str().map(str::to_owned)
}

/// Whether a rule is snoozed for an actor at a moment (epoch milliseconds). At the moment up to which it is, it no longer is.
pub fn is_snoozed(actor: &MonitoredActor, rule: &str, at: i64) -> bool {
    actor.snoozes.iter().any(|snooze| snooze.rule == rule && at < snooze.until)
}

/// What a result says where it is about nobody. A line of business that is misspelt selects nobody, and is as good as any other text.
pub fn nobody(who: &str, line: &str) -> String {
    format!(
        "nobody was looked at: {who} is of the line of business {line:?}. It is INDIVIDUAL, LEGAL_ENTITY, what actors have as customData.lineOfBusiness, or the \
         name of a segmentation group"
    )
}
