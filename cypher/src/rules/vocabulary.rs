//! The names that the graph has: labels, types of links, properties.
//!
//! They are what the statements of the catalogue and the table of links say, so that nothing has to be declared anywhere else.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Tree;
use crate::embedded::syntax_of;
use crate::graph::{Column, links, lists, nodes};
use crate::scan::{is_in_a_name, name_at};
use crate::statements::ALL;

/// Names of one kind.
pub(super) type Known = BTreeSet<String>;

/// All names.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) labels: Known,
    pub(super) types: Known,
    pub(super) properties: Known,
}

/// What nodes get in maps of properties, and no statement names.
const IN_MAPS: &[&str] = &[
    // Accounts, balances, extended information.
    "accountInDefault",
    "accountInDefaultDays",
    "accountName",
    "bankCode",
    "closingBalance",
    "collateral",
    "depositable",
    "depositsAvailableBalanceLcy",
    "depositsFixedTermBalanceLcy",
    "depositsTotalBalanceLcy",
    "derivativesBalanceLcy",
    "firstProductDate",
    "ingestDate",
    "internal",
    "lastProductDate",
    "loansBalanceLcy",
    "loansCreditLimitLcy",
    "loansOverdraftLcy",
    "loansPrincipalLcy",
    "monitored",
    "numberOfBankAccounts",
    "numberOfCreditCards",
    "numberOfDepositAccounts",
    "numberOfDerivativesPortfolios",
    "numberOfLoans",
    "numberOfSecuritiesPortfolios",
    "openedDate",
    "productId",
    "productType",
    "securitiesBalanceLcy",
    "terminated",
    "terminationDate",
    "withdrawable",
    // Actors.
    "customerSince",
    "dateOfRegistration",
    "displayName",
    "fullName",
    "gender",
    "isActive",
    "legalEntityType",
    "middleName",
    "segmentation",
    "subType",
    "taxResidency",
    // Risk assessments.
    "value",
    // Observations.
    "batchId",
    "behaviorDescription",
    "behaviors",
    "btlFlag",
    "businessDate",
    "businessDateEnd",
    "businessDateStart",
    "decisionTree",
    "detectionDate",
    "dispositionNarrative",
    "features",
    "observationLabel",
    "programGroup",
    "submitterId",
    "submitterName",
    "transactionId",
    "validationStatus",
];

/// Labels of what the service keeps for itself, secrets among it: nothing of the graph that is to be looked into.
const OF_THE_SERVICE: &[&str] = &[
    "ApiKey",
    "AuditEntry",
    "BulkItem",
    "BulkPart",
    "BulkRequest",
    "CacheNote",
    "CacheWriter",
    "CaseCount",
    "CaseCounting",
    "ChangeFeed",
    "ChangeSet",
    "Client",
    "DeadLetter",
    "DeferredItem",
    "Delivery",
    "DeliveryLane",
    "Event",
    "FileStore",
    "IdempotencyKey",
    "ImportingWatchlist",
    "Job",
    "JobInstance",
    "JobKind",
    "LogicalClock",
    "Migration",
    "OpenJob",
    "Pending",
    "PendingPaymentScreening",
    "PendingScreening",
    "RemovedWebhook",
    "UncountedCase",
    "UniqueName",
    "Unsequenced",
    "WakingWebhook",
    "WatchlistUpload",
    "Webhook",
];
/// Properties that only those have, by which they could be read without their label.
const SECRET: &[&str] = &["answer", "attemptLog", "bodyHash", "checkpoint", "formerSecret", "hash", "newValue", "oldValue", "payload", "secret"];

pub(super) fn known() -> &'static Vocabulary {
    static KNOWN: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::collect);
    &KNOWN
}

impl Vocabulary {
    fn collect() -> Self {
        let mut known = Self::default();
        known.properties.extend(IN_MAPS.iter().map(|name| (*name).to_owned()));
        for statement in ALL {
            // One whose syntax is not known says nothing here; that there is none is a test's business.
            if let Ok(syntax) = syntax_of(statement.text) {
                known.of_statement(&syntax.clauses);
            }
        }
        known.labels.extend(nodes::ALL.iter().map(|node| node.label.to_owned()));
        known.of_columns(nodes::ALL.iter().flat_map(|node| node.summary));
        for link in links::ALL.iter().chain(lists::ALL.iter().map(|list| &list.link)) {
            known.of_columns(link.edge);
            link.filters.all().iter().for_each(|filter| known.of_template(filter.text));
            link.sorts.iter().flat_map(|sort| sort.keys).for_each(|key| known.of_template(key.text));
        }
        known.labels.retain(|label| !OF_THE_SERVICE.contains(&label.as_str()));
        known.properties.retain(|property| !SECRET.contains(&property.as_str()));
        known
    }

    fn of_statement(&mut self, clauses: &Tree) {
        let all = clauses.all();
        let mut variables = BTreeSet::new();
        for part in &all {
            let (names, is_node) = match part.name() {
                "NodePattern" | "CreateNodePattern" => (&mut self.labels, true),
                "EdgePattern" | "CreateEdgePattern" => (&mut self.types, false),
                _ => continue,
            };
            let members: &[&str] =
                if is_node { &["node_type", "label", "extra_labels", "alt_labels"] } else { &["connection_type", "connection_types"] };
            for member in members.iter().map(|member| part.get(member)) {
                names.extend(member.text().map(str::to_owned));
                names.extend(member.some().unwrap_or(member).items().iter().filter_map(Tree::text).map(str::to_owned));
            }
            variables.extend(part.get("variable").text());
            let properties = part.get("properties");
            self.properties.extend(properties.some().unwrap_or(properties).entries().map(|(property, _)| property.to_owned()));
        }
        for part in all {
            let is_of_node = part.get("variable").text().is_some_and(|name| variables.contains(name));
            if is_of_node && let Some(property) = part.get("property").text() {
                self.properties.insert(property.to_owned());
            }
            if is_of_node && let Some(label) = part.get("label").text() {
                self.labels.insert(label.to_owned());
            }
        }
    }

    fn of_columns<'a>(&mut self, columns: impl IntoIterator<Item = &'a Column>) {
        columns.into_iter().for_each(|column| self.of_template(column.text));
    }

    /// The properties of `{b}.amount` and its like.
    fn of_template(&mut self, text: &str) {
        let properties = text.match_indices("}.").map(|(at, found)| name_at(text, at + found.len()));
        self.properties.extend(properties.filter(|name| !name.is_empty()).map(str::to_owned));
    }
}

/// The name that another was probably meant to be: at most a third of it is otherwise.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A text that is no name at all is compared with none.
    if name.len() > 100 || !name.chars().all(|character| is_in_a_name(Some(character))) {
        return None;
    }
    let most = (name.chars().count() / 3).max(1);
    let (distance, nearest) = names.into_iter().map(|other| (distance(name, other), other)).min()?;
    (distance <= most).then_some(nearest)
}

/// How many characters are to be put in, taken out or changed, whether large or small.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, character) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (to, theirs) in other.iter().enumerate() {
            let changed = diagonal + usize::from(character != *theirs);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_statements_and_of_the_table() {
        let known = known();
        for label in ["Actor", "Transaction", "Case", "ExternalAccount", "Placeholder", "AwaitedTransaction", "LegalEntity"] {
            assert!(known.labels.contains(label), "{label}: {:?}", known.labels);
        }
        for link in ["SENT", "RECEIVED_BY", "OWNED_BY", "HAS_ROLE", "USED", "TRANSFERRED_TO", "SIGNED_IN"] {
            assert!(known.types.contains(link), "{link}: {:?}", known.types);
        }
        for property in ["amount", "createdAt", "standardizedAmount", "nationality", "domicile", "bankCode", "role", "counted"] {
            assert!(known.properties.contains(property), "{property}: {:?}", known.properties);
        }
        assert!(!known.properties.contains("amout") && !known.labels.contains("SENT"));
    }

    #[test]
    fn the_nearest_name_is_near() {
        let names = ["amount", "createdAt", "currency"];
        for (name, near) in [("amout", Some("amount")), ("AMOUNT", Some("amount")), ("created_at", Some("createdAt")), ("x", None), ("status", None)]
        {
            assert_eq!(nearest(name, names), near, "{name}");
        }
    }
}
