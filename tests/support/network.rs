//! A small network in which every kind of link occurs five times.

use std::net::Ipv6Addr;

use serde_json::{Value, json};

use super::fixtures::{NOON, Payment, account, actor, with};
use super::{Api, Ids};

/// How often each kind of link occurs.
pub const LINKS: usize = 5;

/// Ids of its nodes.
pub struct Network {
    pub ids: Ids,
    pub actor: String,
    pub account: String,
    pub device: String,
    pub place: String,
}

/// A payment of the network: from the account or to it.
fn payment(network: &Network, number: usize) -> Payment {
    let other = network.ids.of(&format!("other-{number}"));
    let sent = number.is_multiple_of(2);
    // Two share an amount and two a time, so that orders have ties.
    let (amount, at) = ([1, 2, 3, 4, 2, 6, 7, 8, 9, 10][number], NOON + [0, 60, 120, 60, 240, 300, 360, 420, 480, 540][number]);
    let payment = Payment::new(network.ids.of(&format!("payment-{number}")), &network.account, other).amount(format!("{amount}.50")).at(at);
    Payment { owner: network.actor.clone(), direction: if sent { "OUTBOUND" } else { "INBOUND" }, ..payment }
}

impl Network {
    /// An address of this network alone, in its canonical form.
    pub fn ip(&self, number: usize) -> String {
        let own = u128::from_str_radix(&self.ids.0, 16).expect("hexadecimal digits");
        Ipv6Addr::from_bits((0x2001_0db8 << 96) | (own << 48) | number as u128).to_string()
    }

    /// Sends it, each record by its own operation.
    pub async fn make(api: &Api) -> Self {
        let ids = Ids::new();
        let of = |name: &str| ids.of(name);
        let network = Self { actor: of("actor"), account: of("account"), device: of("device"), place: of("place"), ids: ids.clone() };
        network.make_parties(api).await;
        network.make_payments(api).await;
        network.make_devices(api).await;
        network
    }

    async fn make_parties(&self, api: &Api) {
        let number = |n: usize| format!("+49 30 {}{n}", self.ids.digits(6));
        let phones: Vec<Value> = (0..LINKS).map(|n| json!({"type": "HOME", "number": number(n)})).collect();
        let record = with(actor(&self.actor), json!({"name": "Ada Actor", "phones": phones}));
        api.post("/api/actors", record.to_string()).await.expect(200);
        let references: Vec<Value> = (0..LINKS).map(|n| json!({"id": self.ids.of(&format!("reference-{n}")), "systemName": "System"})).collect();
        let record = with(account(&self.account), json!({"name": "Main account", "references": references}));
        api.post("/api/accounts", record.to_string()).await.expect(200);
        for n in 0..LINKS {
            // Each shares one phone with the actor.
            let record = with(actor(&self.ids.of(&format!("sharing-{n}"))), json!({"phones": [{"number": number(n)}]}));
            api.post("/api/actors", record.to_string()).await.expect(200);
            let role = json!({"actors": [{"id": self.actor, "role": "OWNER"}]});
            api.post(&format!("/api/accounts/{}/actors", self.ids.of(&format!("owned-{n}"))), role.to_string()).await.expect(200);
            let associate = json!({"actorAssociates": [{"id": self.actor, "type": "INVESTOR", "ratio": 0.5}]});
            api.post(&format!("/api/actors/{}/associates", self.ids.of(&format!("company-{n}"))), associate.to_string()).await.expect(200);
        }
        let people = |name: &str, more: Value| -> Vec<Value> {
            (0..LINKS).map(|n| with(json!({"id": self.ids.of(&format!("{name}-{n}"))}), more.clone())).collect()
        };
        let holders = json!({"actors": people("holder", json!({"role": "OWNER"}))});
        api.post(&format!("/api/accounts/{}/actors", self.account), holders.to_string()).await.expect(200);
        let associates = json!({"actorAssociates": people("associate", json!({"type": "GUARANTOR"}))});
        api.post(&format!("/api/actors/{}/associates", self.actor), associates.to_string()).await.expect(200);
    }

    async fn make_payments(&self, api: &Api) {
        let place = json!({"id": self.place, "type": "ATM", "address": {"city": "Ulm"}});
        api.post("/api/channel_locations", place.to_string()).await.expect(200);
        for number in 0..2 * LINKS {
            let sent = number.is_multiple_of(2);
            let mut more = json!({"channel": if sent { "ATM" } else { "ONLINE" }, "method": if number < 4 { "CASH" } else { "CARD" }});
            let payment = payment(self, number);
            if sent {
                let device = json!({"id": self.device, "ip_address": self.ip(number)});
                more = with(more, json!({"channel_location_id": self.place, "device": device}));
            } else {
                let account = json!({"id": self.ids.of(&format!("other-{number}"))});
                let party = json!({"object": "INDIVIDUAL", "id": self.ids.of("party"), "name": "Paul", "account_info": account});
                more = with(more, json!({"counterparty": with(party, json!({"metadata": {"identifiable_as_actor": "true"}}))}));
            }
            let record = with(serde_json::from_str(&payment.text()).expect("JSON"), more);
            api.post("/api/v2/transactions", record.to_string()).await.expect(200);
        }
    }

    async fn make_devices(&self, api: &Api) {
        let sign_in = |device: &str, account: &str| json!({"deviceId": device, "accountId": account, "at": "2024-06-01T12:00:00Z"});
        let sign_ins: Vec<Value> = (0..LINKS)
            .flat_map(|n| {
                let visited = sign_in(&self.device, &self.ids.of(&format!("visited-{n}")));
                [sign_in(&self.ids.of(&format!("seen-{n}")), &self.account), with(visited, json!({"ipAddress": self.ip(2 * n)}))]
            })
            .collect();
        let query = "mutation($signIns: [SignInInput!]!) { recordSignIns(signIns: $signIns) }";
        let data = api.graphql(query, json!({"signIns": sign_ins})).await;
        assert_eq!(data["recordSignIns"], json!(2 * LINKS));
    }

    /// Its payments, ten of them: the even ones sent, the others received.
    pub fn payments(&self) -> Vec<Payment> {
        (0..2 * LINKS).map(|number| payment(self, number)).collect()
    }
}
