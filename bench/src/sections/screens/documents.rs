//! The screens: what is asked now, what was asked before, and about what.

use serde_json::{Map, Value, json};

use super::casework::Casework;
use crate::http;

/// All that the sample and the casework have happened between these times.
const FROM: &str = "2020-01-01T00:00:00Z";
const TO: &str = "2030-01-01T00:00:00Z";
const FROM_DAY: &str = "2020-01-01";
const TO_DAY: &str = "2030-01-01";

macro_rules! present {
    ($name:literal) => {
        include_str!(concat!("../../../../docs/screens/", $name, ".graphql"))
    };
}

macro_rules! former {
    ($name:literal) => {
        include_str!(concat!("../../../documents/", $name, ".graphql"))
    };
}

macro_rules! screens {
    ($($caption:literal $name:literal $variables:expr;)*) => {
        [$(Screen { caption: $caption, present: present!($name), former: Some(former!($name)), variables: $variables }),*]
    };
}

/// A screen of a user interface.
pub struct Screen {
    pub caption: &'static str,
    /// As it is asked for now.
    pub present: &'static str,
    /// What was asked before of the same screen, and is answered still; none where nothing of it could be asked.
    pub former: Option<&'static str>,
    /// Variables of either, each once about something else.
    variables: fn(&Casework) -> Vec<Value>,
}

/// `mine` needs a user's token, so that the inbox and the requests for data are asked without their counts.
static ASKED_BEFORE: [Screen; 11] = screens![
    "Case inbox" "01-case-inbox" |work| each(&work.users, |id| json!({"user": id, "view": {"states": ["OPEN"]}, "withCounts": false}));
    "Case page" "02-case-page" |work| each(&work.cases, |id| json!({"id": id}));
    "Actor 360" "03-actor-360" |work| each(&work.actors, |id| json!({"id": id, "from": FROM, "to": TO}));
    "Account statement" "04-account-statement" |work| each(&work.accounts, |id| json!({"id": id, "from": FROM, "to": TO}));
    "Transaction" "05-transaction" |work| each(&work.payments, |id| json!({"id": id}));
    "Link chart" "06-link-chart" |work| each(&work.actors, of_chart);
    "Alerts queue" "07-alerts" |_| vec![json!({"view": {"handled": false}})];
    "Webhooks" "09-webhooks" |_| vec![json!({"from": days_from_now(-60), "to": days_from_now(30)})];
    "Requests for data" "10-requests-for-data" |_| vec![json!({"view": {"statuses": ["REQUESTED"]}, "withCounts": false})];
    "Reports" "11-reports" |_| vec![json!({"from": FROM, "to": TO, "fromDay": FROM_DAY, "toDay": TO_DAY})];
    "Segmentation" "12-segmentation" |work| each(&work.groups, |id| json!({"groupId": id, "groupOpen": true}));
];

/// GraphQL had nothing of it.
static AUDIT: Screen = Screen {
    caption: "Audit view",
    present: present!("08-audit"),
    former: None,
    variables: |work| each(&work.cases, |id| json!({"filter": {"caseIds": [id], "logTypes": ["UPDATE"]}})),
};

/// A time as it is written. What deliveries come to is told of 92 days at most.
fn days_from_now(days: i64) -> String {
    (chrono::Utc::now() + chrono::Duration::days(days)).to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

fn of_chart(actor: &str) -> Value {
    let node = format!("Actor:{actor}");
    json!({"id": actor, "open": [node], "expand": [node]})
}

fn each(ids: &[String], variables: impl Fn(&str) -> Value) -> Vec<Value> {
    ids.iter().map(|id| variables(id)).collect()
}

/// All of them.
pub fn screens() -> impl Iterator<Item = &'static Screen> {
    ASKED_BEFORE.iter().chain([&AUDIT])
}

impl Screen {
    /// The role that works with it, as its first lines say.
    pub fn role(&self) -> &'static str {
        let role = self.present.split_once("Role: ").and_then(|(_, behind)| behind.split('.').next());
        role.unwrap_or_default()
    }

    /// Requests with the present or the former document by a key, each about something else.
    pub fn requests(&self, document: &str, key: &str, work: &Casework) -> Vec<Vec<u8>> {
        let body = |variables: &Value| json!({"query": document, "variables": declared(document, variables)}).to_string();
        (self.variables)(work).iter().map(|variables| http::post("/graphql", key, &body(variables))).collect()
    }
}

/// Those variables that a document has.
fn declared(document: &str, variables: &Value) -> Value {
    let all = variables.as_object().into_iter().flatten();
    let of_it = all.filter(|(name, _)| document.contains(&format!("${name}: ")));
    of_it.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<String, Value>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of variables that a document can't do without.
    fn required(document: &str) -> impl Iterator<Item = &str> {
        let declarations = document.split(['(', ',', '\n', ')']).filter_map(|part| part.trim().strip_prefix('$'));
        declarations.filter_map(|part| part.split_once(": ")).filter(|(_, of)| of.ends_with('!')).map(|(name, _)| name)
    }

    #[test]
    fn each_document_gets_the_variables_that_it_has() {
        let work = Casework::of_one_each();
        for screen in screens() {
            assert!(["ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"].contains(&screen.role()), "{}: {}", screen.caption, screen.role());
            let variables = (screen.variables)(&work);
            assert_eq!(variables.len(), 1, "{}", screen.caption);
            for document in [Some(screen.present), screen.former].into_iter().flatten() {
                let given = declared(document, &variables[0]);
                for name in required(document) {
                    assert!(given.get(name).is_some(), "{}: ${name} in {given}", screen.caption);
                }
            }
        }
        assert_eq!(declared("query($fromDay: Date!) {", &json!({"from": 1, "fromDay": 2})), json!({"fromDay": 2}));
        assert_eq!(required("query A($id: ID!, $day: Date! = 1, $more: Int) {").collect::<Vec<_>>(), ["id"]);
    }
}
