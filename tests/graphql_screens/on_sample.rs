//! The pages of an actor, an account and a payment, and the link chart, over the whole of the bundled sample: beside plain code over its tables.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::desk::{assert_near, each, list, number, text};
use super::documents;
use super::network::{ACCOUNT, FROM, OTHER_ACCOUNT, SUBJECT, TO, is_between, rows_with};
use crate::support::Api;

/// The other end of a payment.
const OTHER: &str = "/counterparty/account_info/id";

/// Ids at a place of rows that have the account at another.
fn ends<'a>(rows: &'a [Value], account_at: &str, other_at: &str) -> BTreeSet<&'a str> {
    rows.iter().filter(|row| row.pointer(account_at) == Some(&json!(ACCOUNT))).filter_map(|row| row.pointer(other_at)?.as_str()).collect()
}

/// `files` has the tables as `amlgraph sample` writes them.
pub async fn pages_are_those_of_the_tables(api: &Api, files: &Path) {
    let documents = documents::all();
    let ask = async |name: &str, variables: Value| api.graphql(&documents[name].text, variables).await;
    let named = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<String>>();
    let payments = rows_with(files, "transactions", &named(&[ACCOUNT, OTHER_ACCOUNT]));
    let associates = rows_with(files, "associates", &named(&[SUBJECT]));
    let invest = associates.iter().filter(|row| row["actor_id"] == SUBJECT).count();

    let shown = ask("03-actor-360", json!({"id": SUBJECT, "from": FROM, "to": TO})).await["actor"].take();
    let mut own: Vec<&Value> = payments.iter().filter(|row| row["account_owner_id"] == SUBJECT).filter(is_between).collect();
    own.sort_by(|one, other| number(&other["amount"]["value"]).total_cmp(&number(&one["amount"]["value"])));
    let counts = ["accounts", "associates", "associateOf"].map(|name| shown[name]["totalCount"].as_u64());
    assert_eq!(counts, [2, invest, associates.len() - invest].map(|count| Some(count as u64)), "{shown}");
    let completed = |direction: &str| own.iter().filter(|row| row["status"] == "COMPLETED" && row["direction"] == direction).collect::<Vec<_>>();
    for (field, rows) in [("outbound", completed("OUTBOUND")), ("inbound", completed("INBOUND"))] {
        let total = &shown["flowTotals"][field];
        assert_eq!(total["count"], json!(rows.len()), "{field}");
        assert_near(&total["standardizedTotal"], rows.iter().map(|row| number(&row["standardized_amount"])).sum());
    }
    assert_eq!(each(&shown["largest"]["nodes"], "id"), own.iter().map(|row| &row["id"]).collect::<Vec<_>>());

    let shown = ask("04-account-statement", json!({"id": ACCOUNT, "from": FROM, "to": TO})).await["account"].take();
    let touches = |row: &&Value| row["account_id"] == ACCOUNT || row.pointer(OTHER) == Some(&json!(ACCOUNT));
    let mut rows: Vec<&Value> = payments.iter().filter(touches).filter(is_between).collect();
    rows.sort_by_key(|row| text(&row["created_at"]).to_owned());
    assert_eq!(each(&shown["transactions"]["nodes"], "id"), rows.iter().map(|row| &row["id"]).collect::<Vec<_>>());
    for (payment, row) in list(&shown["transactions"]["nodes"]).iter().zip(&rows) {
        assert_near(&payment["amount"], number(&row["amount"]["value"]));
    }
    let (sent_to, received_from) = (ends(&payments, "/account_id", OTHER), ends(&payments, OTHER, "/account_id"));
    let counts = ["transferredTo", "receivedFrom"].map(|name| shown[name]["totalCount"].as_u64());
    assert_eq!(counts, [sent_to.len(), received_from.len()].map(|count| Some(count as u64)));

    let row = rows[0];
    let shown = ask("05-transaction", json!({"id": row["id"]})).await["transaction"].take();
    let names = [&shown["account"], &shown["owner"], &shown["sender"], &shown["receiver"]].map(|side| &side["id"]);
    assert_eq!(names, [&row["account_id"], &row["account_owner_id"], &row["account_id"], &row["counterparty"]["account_info"]["id"]]);

    let ids = [format!("Actor:{SUBJECT}"), format!("Account:{ACCOUNT}")];
    let shown = ask("06-link-chart", json!({"open": ids, "expand": ids})).await;
    assert_eq!(each(&shown["nodes"], "nodeId"), ids.each_ref().map(|id| json!(id)).each_ref());
    let [company, account] = [0, 1].map(|n| &shown["expanded"][n]);
    assert_eq!(company["associates"]["totalCount"], json!(invest));
    let reached: BTreeSet<&str> = list(&account["transferredTo"]["edges"]).iter().map(|edge| text(&edge["node"]["id"])).collect();
    assert_eq!(reached, sent_to);
}
