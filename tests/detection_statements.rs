//! Rules that are statements: each finds in what was sent what payments alone do not tell.

use serde_json::{Value, json};

use crate::detection::{DAY, HOUR, NOON, observations, received, run};
use crate::support::fixtures::{Other, Payment, account, actor, with};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: what_a_statement_marks_is_an_observation_with_its_evidence];

/// What was sent of a case: about whom it is, and the payments that are to be cited.
struct Planted {
    rule: &'static str,
    actors: Vec<String>,
    payments: Vec<String>,
}

/// Sends payments to one server, of actors of one line of business.
struct Sender<'a> {
    server: &'a Server,
    ids: &'a Ids,
    line: String,
}

async fn what_a_statement_marks_is_an_observation_with_its_evidence(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let sender = Sender { server: &server, ids: &ids, line: ids.of("line") };
    let planted =
        [sender.high_risk_country().await, sender.sanctioned_counterparty().await, sender.mule_ring().await, sender.layered_ownership().await];
    let run = run(&server, &sender.line).await;
    assert_eq!(run["result"]["leftOut"], json!(0), "{run}");
    for Planted { rule, actors, mut payments } in planted {
        payments.sort();
        for actor in actors {
            let found = observations(&server, &actor).await;
            let found = found.iter().find(|found| found["behaviorId"] == rule).unwrap_or_else(|| panic!("{rule}: {found:#?} {run}"));
            let mut cited: Vec<String> = serde_json::from_value(found["record"]["transactionIds"].clone()).expect("ids");
            cited.sort();
            assert_eq!(cited, payments, "{rule}: {found:#}");
            let necessary: Vec<String> = serde_json::from_value(found["record"]["metadata"]["necessary"].clone()).expect("ids");
            assert!(!necessary.is_empty() && necessary.iter().all(|id| cited.contains(id)), "{rule}: {found:#}");
            assert_eq!((&found["businessDate"], &found["batchId"]), (&json!(DAY), &run["id"]), "{rule}");
        }
    }
}

impl Sender<'_> {
    fn api(&self) -> &Api {
        self.server
    }

    async fn post(&self, path: &str, body: Value) {
        self.api().post(path, body.to_string()).await.expect(200);
    }

    /// Somebody of the line with an account; answers with the account. Its owner is `owner-of-ACCOUNT`.
    async fn customer(&self, name: &str, more: Value) -> String {
        let id = self.ids.of(name);
        let of_line = json!({"customData": {"lineOfBusiness": self.line}});
        self.post("/api/actors", with(with(actor(&owner_of(&id)), of_line), more)).await;
        self.post("/api/accounts", account(&id)).await;
        id
    }

    async fn pays(&self, payment: &Payment) -> String {
        self.api().post("/api/v2/transactions", payment.text()).await.expect(200);
        payment.id.clone()
    }

    /// A payment from a customer's account at noon, as the customer's bank reports it.
    fn payment(&self, name: &str, from: &str, to: &str, amount: &str) -> Payment {
        Payment::new(self.ids.of(name), from, to).amount(amount).at(NOON)
    }

    /// Nobody of whom an account is known has an IBAN of Lebanon.
    async fn high_risk_country(&self) -> Planted {
        let account = self.customer("importer", json!({"domicile": "DE"})).await;
        let other = Other::Iban("LB62 0999 0000 0001 0019 0122 9114".to_owned());
        let payment = Payment { other, ..self.payment("imported", &account, "", "14000.00") };
        let payments = vec![self.pays(&payment).await];
        Planted { rule: "high-risk-country", actors: vec![owner_of(&account)], payments }
    }

    /// The account that is paid is another's, and a sanctioned person has a role on it.
    async fn sanctioned_counterparty(&self) -> Planted {
        let account = self.customer("donor", json!({})).await;
        let (other, listed) = (self.ids.of("foundation"), self.ids.of("listed"));
        let role = json!({"actors": [{"id": listed, "role": "AUTHORIZED"}]});
        self.post(&format!("/api/accounts/{other}/actors"), role).await;
        let assessed = json!([{"asOfDate": "2024-05-01", "type": "SANCTIONS", "value": "EU"}]);
        self.post(&format!("/api/actors/{listed}/riskAssessments"), assessed).await;
        let payments = vec![self.pays(&self.payment("donated", &account, &other, "75.00")).await];
        Planted { rule: "sanctioned-counterparty", actors: vec![owner_of(&account)], payments }
    }

    /// Three with one phone receive from strangers and pay one account.
    async fn mule_ring(&self) -> Planted {
        let phones = json!({"phones": [{"number": format!("+49 30 {}", self.ids.digits(7))}]});
        let collector = self.ids.of("collector");
        let mut planted = Planted { rule: "mule-ring", actors: Vec::new(), payments: Vec::new() };
        for n in 0..3 {
            let account = self.customer(&format!("mule-{n}"), phones.clone()).await;
            let victim = self.ids.of(&format!("victim-{n}"));
            let got = self.payment(&format!("got-{n}"), &victim, &account, "1500.00").at(NOON - 6 * HOUR);
            self.pays(&received(got, &account)).await;
            planted.payments.push(self.pays(&self.payment(&format!("passed-{n}"), &account, &collector, "1400.00")).await);
            planted.actors.push(owner_of(&account));
        }
        planted
    }

    /// One person owns two companies by a holding each; the one pays the other.
    async fn layered_ownership(&self) -> Planted {
        let company = json!({"type": "LEGAL_ENTITY"});
        let (buyer, seller) = (self.customer("buyer", company.clone()).await, self.customer("seller", company).await);
        let owner = self.ids.of("person");
        for account in [&buyer, &seller] {
            let holding = format!("holding-of-{account}");
            self.owns(&holding, &owner_of(account)).await;
            self.owns(&owner, &holding).await;
            let role = json!({"actors": [{"id": owner_of(account), "role": "OWNER"}]});
            self.post(&format!("/api/accounts/{account}/actors"), role).await;
        }
        let payments = vec![self.pays(&self.payment("traded", &buyer, &seller, "48000.00")).await];
        Planted { rule: "layered-ownership", actors: vec![owner_of(&buyer)], payments }
    }

    async fn owns(&self, owner: &str, owned: &str) {
        let associates = json!({"actorAssociates": [{"id": owner, "type": "INVESTOR", "ratio": 0.6}]});
        self.post(&format!("/api/actors/{owned}/associates"), associates).await;
    }
}

fn owner_of(account: &str) -> String {
    format!("owner-of-{account}")
}
