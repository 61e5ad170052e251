//! The three faces agree: what JSON says is what GraphQL and OpenAPI say.

use async_graphql::{EmptyMutation, EmptySubscription, MergedObject, Object, Schema, futures_util};
use graph_schema::account::{AccountActors, AccountBalance, AccountBalanceRecord, AccountRecord, AccountType};
use graph_schema::actor::{ActorExclusion, ActorRecord};
use graph_schema::associate::ActorAssociates;
use graph_schema::audit::{AuditLogPage, LogTypeFilter};
use graph_schema::channel_location::ChannelLocationRecord;
use graph_schema::date::{Date, EpochSeconds, Timestamp};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::enum_name::EnumName;
use graph_schema::given::{Given, read};
use graph_schema::id::{AccountId, ActorId};
use graph_schema::json_object::JsonObject;
use graph_schema::money::Money;
use graph_schema::number::Number;
use graph_schema::risk::{ExtendedInformation, ExtendedInformationRecord, RiskAssessment, RiskScore, RiskScoreRecord};
use graph_schema::transaction::TransactionRecord;
use serde_json::{Value, json};

struct Records;

/// Every record, so that the names of all their types are registered beside each other.
#[Object]
impl Records {
    async fn actor(&self, id: ActorId) -> Option<ActorRecord> {
        let body = json!({"id": id, "type": "LEGAL_ENTITY", "asOfDate": "2024-01-31", "customData": {"a": [1.5]},
            "subType": ["PSP"]});
        Some(given(&body).value)
    }
    async fn account(&self, _id: AccountId, _kind: Option<AccountType>) -> Option<AccountRecord> {
        let body = json!({"id": "a", "accountType": "PRE_PAID_CARD", "asOfDate": "2024-01-31", "closingBalance": 1.10,
            "brokerage": {"is1940ActAccount": true, "region": 7}});
        Some(given(&body).value)
    }
    async fn exclusion(&self) -> Option<ActorExclusion> {
        None
    }
    async fn associates(&self) -> Option<ActorAssociates> {
        None
    }
    async fn assessment(&self) -> Option<RiskAssessment> {
        None
    }
    async fn information(&self) -> Option<ExtendedInformation> {
        None
    }
    async fn stored_information(&self) -> Option<ExtendedInformationRecord> {
        None
    }
    async fn score(&self) -> Option<RiskScore> {
        None
    }
    async fn stored_score(&self) -> Option<RiskScoreRecord> {
        None
    }
    async fn balance(&self) -> Option<AccountBalance> {
        None
    }
    async fn stored_balance(&self) -> Option<AccountBalanceRecord> {
        None
    }
    async fn roles(&self) -> Option<AccountActors> {
        None
    }
    async fn transaction(&self) -> Option<TransactionRecord> {
        None
    }
    async fn location(&self) -> Option<ChannelLocationRecord> {
        None
    }
    async fn device(&self) -> Option<DeviceRecord> {
        None
    }
    async fn sign_in(&self) -> Option<SignInRecord> {
        None
    }
    async fn audit(&self, _kind: LogTypeFilter) -> Option<AuditLogPage> {
        None
    }
}

struct Scalars;

#[Object]
impl Scalars {
    async fn money(&self, amount: Money) -> Money {
        amount + amount
    }
    async fn number(&self, number: Number) -> Number {
        number
    }
    async fn opaque(&self, object: JsonObject) -> JsonObject {
        object
    }
    async fn days(&self, date: Date) -> Date {
        date
    }
    async fn instant(&self, at: Timestamp) -> Timestamp {
        at
    }
    async fn created(&self, at: EpochSeconds) -> EpochSeconds {
        at
    }
}

#[derive(MergedObject)]
struct Query(Records, Scalars);

fn given<T: graph_schema::given::Input>(body: &Value) -> Given<T> {
    read(body.to_string().as_bytes()).unwrap()
}

#[test]
fn all_records_live_in_one_graphql_schema() {
    let schema = Schema::new(Query(Records, Scalars), EmptyMutation, EmptySubscription);
    let sdl = schema.sdl();
    for part in [
        "type ActorRecord {",
        "id: ID!",
        "type: ActorType!",
        "createdAt: DateTime!",
        "standardizedAmount: Decimal!",
        "customData: JSON",
        "is1940ActAccount: Boolean",
        "userIP: String",
        "BOTH_HIC_AND_COD",
        "NO_TRADING",
    ] {
        assert!(sdl.contains(part), "{part} is missing in {sdl}");
    }
    let query = r#"{ actor(id: "p-1") { id type asOfDate customData subType }
        account(id: 5) { accountType closingBalance brokerage { is1940ActAccount region } }
        money(amount: "0.1") number(number: "1.50e1") opaque(object: {a: 1}) days(date: "2024-02-29")
        instant(at: "2020-06-21T06:30:59.06Z") created(at: "2020-06-21T06:30:59.06Z") }"#;
    let answer = futures_util::FutureExt::now_or_never(schema.execute(query)).unwrap();
    assert_eq!(answer.errors, []);
    assert_eq!(
        answer.data.into_json().unwrap(),
        json!({
            "actor": {"id": "p-1", "type": "LEGAL_ENTITY", "asOfDate": "2024-01-31", "customData": {"a": [1.5]},
                      "subType": ["PSP"]},
            "account": {"accountType": "PRE_PAID_CARD", "closingBalance": "1.1",
                        "brokerage": {"is1940ActAccount": true, "region": "7"}},
            "money": "0.2", "number": "15", "opaque": {"a": 1}, "days": "2024-02-29",
            "instant": "2020-06-21T06:30:59.060Z", "created": "2020-06-21T06:30:59.060Z",
        })
    );
    let wrong = futures_util::FutureExt::now_or_never(schema.execute(r#"{ days(date: "2023-02-29") }"#));
    assert!(wrong.unwrap().errors[0].message.contains("must be a date that exists"));
}

#[test]
fn enums_have_one_name_everywhere() {
    for kind in AccountType::names().iter().map(|name| AccountType::named(name).unwrap()) {
        assert_eq!(json!(kind), kind.text());
    }
    assert_eq!(AccountType::BothHicAndCod.text(), "BOTH_HIC_AND_COD");
    assert_eq!(AccountType::PrePaidCard.text(), "PRE_PAID_CARD");
    assert_eq!(AccountType::named("SAVING"), None);
}
