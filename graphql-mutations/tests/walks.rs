//! Random documents, answered by composed walks whose pages are written at once, by one statement for each link, field by field, and out of the read
//! cache: the same answers, on both engines.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_graphql::{EmptyMutation, EmptySubscription, Request, Schema, Variables};
use cypher::{Bolt, BoltAddress, Embedded, Engine, Params, Statement};
use graphql_api::at_once::WRITTEN;
use graphql_api::query::Query;
use graphql_api::user::user_of_principal;
use graphql_api::walk::StepsAtOnce;
use graphql_mutations::mutation::Mutation;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use resolvers::explain::explained;
use resolvers::explore::{FilterSet, Link, Node, Number, links, node};
use resolvers::{Caller, Resolvers, Settings};
use serde_json::json;

pub type QuerySchema = Schema<Query, EmptyMutation, EmptySubscription>;

/// A small graph in which everything is linked with several of everything: `$p` begins every id, so that it is alone in a store that others use.
const GRAPH: &[&str] = &[
    "UNWIND range(0, 5) AS i MERGE (n:Actor {id: $p + 'actor-' + i}) SET n.name = 'Actor ' + i, n.type = 'INDIVIDUAL', n.status = 'ACTIVE', \
     n.dateOfBirth = '1990-01-0' + (i + 1)",
    "UNWIND range(0, 4) AS i MERGE (n:Account {id: $p + 'account-' + i}) SET n.name = 'Account ' + i, n.record = '{}', n.status = 'ACTIVE'",
    "UNWIND range(0, 1) AS i MERGE (d:Device {id: $p + 'device-' + i}) SET d.name = 'Device ' + i, d.kind = 'PHONE' \
     MERGE (a:IpAddress {id: $p + 'ip-' + i}) SET a.name = 'Address ' + i MERGE (d)-[:SEEN_AT]->(a)",
    "UNWIND range(0, 1) AS i MERGE (l:ChannelLocation {id: $p + 'place-' + i}) SET l.name = 'Place ' + i, l.type = 'ATM', l.record = '{}'",
    "UNWIND range(0, 29) AS i MERGE (t:Transaction {id: $p + 'payment-' + i}) SET t.name = 'Payment ' + i, t.amount = toFloat(i % 7), \
     t.amountUnits = i % 7, t.amountNanos = 0, t.standardizedAmount = toFloat(i % 9), t.standardUnits = i % 9, t.standardNanos = 0, t.currency = 'EUR', t.createdAt = 1000 * (i % 11), \
     t.direction = 'OUTBOUND', t.status = CASE WHEN i % 3 = 0 THEN 'COMPLETED' ELSE 'PENDING' END, t.accountId = $p + 'account-' + (i % 5), \
     t.accountOwnerId = $p + 'actor-' + (i % 6), t.channel = 'ATM'",
    "UNWIND range(0, 29) AS i MATCH (t:Transaction {id: $p + 'payment-' + i}) MATCH (a:Account {id: $p + 'account-' + (i % 5)}) \
     MATCH (b:Account {id: $p + 'account-' + (i % 3)}) MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MERGE (t)<-[:SENT]-(a) \
     MERGE (t)-[:RECEIVED_BY]->(b) MERGE (t)-[:OWNED_BY]->(o)",
    "UNWIND range(0, 29) AS i MATCH (t:Transaction {id: $p + 'payment-' + i}) MATCH (d:Device {id: $p + 'device-' + (i % 2)}) \
     MATCH (a:IpAddress {id: $p + 'ip-' + (i % 2)}) MATCH (l:ChannelLocation {id: $p + 'place-' + (i % 2)}) \
     MATCH (o:Actor {id: $p + 'actor-' + (i % 4)}) MERGE (t)-[:USED]->(d) MERGE (t)-[:CONNECTED_FROM]->(a) MERGE (t)-[:AT]->(l) \
     MERGE (t)-[:INVOLVES]->(o)",
    "UNWIND range(0, 24) AS i MATCH (a:Account {id: $p + 'account-' + (i % 5)}) MATCH (b:Account {id: $p + 'account-' + (i / 5)}) \
     MERGE (a)-[r:TRANSFERRED_TO {currency: CASE WHEN i % 2 = 0 THEN 'EUR' ELSE 'USD' END}]->(b) SET r.count = i % 4, r.total = toFloat(i % 6), \
     r.totalUnits = i % 6, r.totalNanos = 0, r.largerTally = 'SENT', r.sentStandardUnits = i % 5, r.sentStandardNanos = 500000000, \
     r.first = i, r.last = 100 + i",
    "UNWIND range(0, 11) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (a:Account {id: $p + 'account-' + (i % 5)}) \
     MERGE (o)-[r:HAS_ROLE {role: CASE WHEN i % 2 = 0 THEN 'OWNER' ELSE 'SIGNER' END}]->(a) SET r.asOfDate = '2024-01-01'",
    "UNWIND range(0, 9) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (b:Actor {id: $p + 'actor-' + ((i + 1) % 6)}) \
     MERGE (o)-[r:ASSOCIATED_WITH {type: 'INVESTOR'}]->(b) SET r.ratio = 0.5, r.asOfDate = '2024-01-01'",
    "UNWIND range(0, 5) AS i MATCH (o:Actor {id: $p + 'actor-' + i}) MERGE (h:Phone {id: $p + 'phone-' + (i % 2)}) SET h.name = 'Phone' \
     MERGE (e:Email {id: $p + 'mail-' + (i % 3)}) SET e.name = 'Mail' MERGE (o)-[:HAS_PHONE]->(h) MERGE (o)-[:HAS_EMAIL]->(e)",
    "UNWIND range(0, 4) AS i MATCH (a:Account {id: $p + 'account-' + i}) MERGE (n:AccountIdentifier {id: $p + 'number-' + i}) SET n.name = 'Number' \
     MERGE (r:Reference {id: $p + 'reference-' + (i % 2)}) SET r.name = 'Reference' MERGE (a)-[:IDENTIFIED_BY]->(n) MERGE (a)-[:HAS_REFERENCE]->(r)",
    "UNWIND range(0, 9) AS i MATCH (d:Device {id: $p + 'device-' + (i % 2)}) MATCH (a:Account {id: $p + 'account-' + (i % 4)}) \
     MERGE (d)-[r:SIGNED_IN {at: i, ipAddress: $p + 'ip-' + (i % 2)}]->(a)",
    "UNWIND range(0, 5) AS i MERGE (s:Observation {id: $p + 'observation-' + i}) SET s.name = 'Observation ' + i, s.type = 'ALERT_RULE', \
     s.record = '{}', s.observedAt = 10 * (i % 4), s.behaviorId = 'b' MERGE (m:ObservationRule {id: $p + 'rule-' + (i % 2)}) SET m.name = 'Rule' \
     MERGE (s)-[r:MATCHED]->(m) SET r.status = 'HIT', r.score = 0.5, r.matched = ['c']",
    "UNWIND range(0, 17) AS i MATCH (s:Observation {id: $p + 'observation-' + (i % 6)}) MATCH (o:Actor {id: $p + 'actor-' + (i % 5)}) \
     MATCH (t:Transaction {id: $p + 'payment-' + (i % 4)}) MERGE (s)-[r:ABOUT]->(o) SET r.primary = i % 2 = 0, r.recorded = true \
     MERGE (s)-[:CITES]->(t) MERGE (s)-[:MENTIONS]->(o)",
    "UNWIND range(0, 3) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 2)}) MERGE (s:SuppressedSignal {id: $p + 'signal-' + i}) \
     SET s.name = 'Signal', s.signalId = i, s.actorId = o.id, s.reviewDate = '2024-01-0' + (1 + i % 2) MERGE (s)-[:SUPPRESSED_FOR]->(o)",
    "UNWIND range(0, 2) AS i MATCH (o:Actor {id: $p + 'actor-' + i}) MERGE (v:ActorVersion {id: $p + 'version-' + i}) \
     SET v.name = 'Version', v.asOfDate = '2024-01-0' + (i + 1), v.recordedAt = i, v.record = '{}' MERGE (o)-[:HAS_VERSION]->(v)",
    "UNWIND range(0, 9) AS i MATCH (t:Transaction {id: $p + 'payment-' + (i % 3)}) MERGE (v:TransactionVersion {id: $p + 'payment-version-' + i}) \
     SET v.name = 'Version', v.record = '{}', v.knownFrom = i, v.knownUntil = i + 1, v.amountUnits = i, v.amountNanos = 0, v.currency = 'EUR', \
     v.standardUnits = i, v.standardNanos = 0, v.createdAt = 1000 * i, v.direction = 'OUTBOUND', v.status = 'PENDING', \
     v.accountId = $p + 'account-' + (i % 5), v.accountOwnerId = $p + 'actor-' + (i % 6), v.senderId = v.accountId MERGE (t)-[:HAD_VERSION]->(v)",
    "UNWIND range(0, 11) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (a:Account {id: $p + 'account-' + (i % 4)}) \
     MATCH (b:Actor {id: $p + 'actor-' + ((i + 2) % 6)}) MERGE (o)-[r:HAD_ROLE {role: 'GUARANTOR'}]->(a) SET r.asOfDate = '2023-01-01', r.since = i % 3, \
     r.until = 2 + i MERGE (b)-[s:WAS_ASSOCIATED_WITH {type: 'INVESTOR'}]->(o) SET s.ratio = 0.25, s.since = i % 3, s.until = 2 + i",
    "UNWIND range(0, 1) AS i MERGE (c:SegmentationCategory {id: $p + 'category-' + i}) SET c.name = 'Category ' + i, c.type = 'COMPUTED_BY_CUSTOMER', \
     c.createdAt = i, c.changedAt = i, c.createdBy = 'me', c.changedBy = 'me'",
    "UNWIND range(0, 3) AS i MATCH (c:SegmentationCategory {id: $p + 'category-' + (i % 2)}) MERGE (g:SegmentationGroup {id: $p + 'group-' + i}) \
     SET g.name = 'Group ' + i, g.categoryId = c.id, g.createdAt = i, g.changedAt = i, g.createdBy = 'me', g.changedBy = 'me' MERGE (g)-[:IN_CATEGORY]->(c)",
    "UNWIND range(0, 11) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (g:SegmentationGroup {id: $p + 'group-' + (i / 3)}) \
     MERGE (o)-[m:MEMBER_OF]->(g) SET m.since = i, m.by = 'me'",
    "UNWIND range(0, 5) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 2)}) MATCH (g:SegmentationGroup {id: $p + 'group-' + (i % 3)}) \
     MERGE (o)-[m:OWNS_GROUP]->(g) SET m.since = i, m.by = 'me'",
    "UNWIND range(0, 11) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (g:SegmentationGroup {id: $p + 'group-' + ((i + 1) % 4)}) \
     MERGE (o)-[m:WAS_MEMBER_OF]->(g) SET m.since = i % 4, m.until = i + 1, m.by = 'me' \
     MERGE (o)-[w:OWNED_GROUP]->(g) SET w.since = i % 4, w.until = i + 1, w.by = 'me'",
    "UNWIND range(0, 7) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 6)}) MATCH (b:Actor {id: $p + 'actor-' + (i % 4)}) \
     MERGE (m:Communication {id: $p + 'mail-' + i}) SET m.name = 'Mail ' + i, m.communicationType = 'email', m.subject = 'Mail ' + i \
     MERGE (m)-[:SENT_BY]->(o) MERGE (m)-[:SENT_TO]->(b)",
    "UNWIND range(0, 5) AS i MATCH (o:Actor {id: $p + 'actor-' + (i % 3)}) MATCH (m:Communication {id: $p + 'mail-' + (i % 4)}) \
     MERGE (q:RequestForData {id: $p + 'request-' + i}) SET q.name = 'Request ' + i, q.type = 'KYC', q.status = 'COMPLETED', q.request = '{}', \
     q.createdAt = i, q.dueAt = 10 + i, q.requestedBy = 'me' MERGE (q)-[:ANSWERED_BY]->(o) MERGE (q)-[:ANSWERED_BY]->(m)",
    "UNWIND range(0, 7) AS i MATCH (t:Transaction {id: $p + 'payment-' + (i % 3)}) MATCH (o:Observation {id: $p + 'observation-' + (i % 2)}) \
     MERGE (s:Screening {id: $p + 'screening-' + i}) SET s.name = 'Screening', s.operation = 'SANCTIONS', s.providerName = 'watchlists', \
     s.response = CASE WHEN i % 2 = 0 THEN 'HIT' ELSE 'MISS' END, s.screenedAt = i % 4 MERGE (t)-[:HAS_SCREENING]->(s) MERGE (s)-[:FOUND]->(o)",
    "UNWIND range(0, 5) AS i MATCH (a:Actor {id: $p + 'actor-' + (i % 3)}) MERGE (s:Screening {id: $p + 'actor-screening-' + i}) \
     SET s.name = 'Screening', s.operation = 'SANCTIONS', s.providerName = 'watchlists', s.response = 'MISS', s.screenedAt = i % 4, \
     s.listVersions = ['own/1'], s.cleared = [] MERGE (a)-[:HAS_SCREENING]->(s)",
    "UNWIND range(0, 5) AS i MATCH (a:Actor {id: $p + 'actor-' + (i % 3)}) MERGE (c:ClearedMatch {id: $p + 'cleared-' + i}) SET c.name = 'Cleared', \
     c.actorId = a.id, c.entry = 'own/Q' + i, c.entryName = 'Entry', c.listVersion = 'own/1', c.partyName = 'Party', c.until = 10 + i, \
     c.reason = 'known', c.clearedAt = i % 4, c.clearedBy = 'me', c.clearedByName = 'Me' MERGE (c)-[:CLEARED_FOR]->(a)",
    "UNWIND range(0, 5) AS i MATCH (s:Observation {id: $p + 'observation-' + (i % 3)}) MERGE (a:ObservationAction {id: $p + 'action-' + i}) \
     SET a.name = 'WHITELIST', a.action = 'WHITELIST', a.userId = 'me', a.createdAt = i MERGE (a)-[:TAKEN_ON]->(s)",
];

/// What can be asked of nodes of a kind besides links, and of the edges that lead to them.
fn scalars(label: &str) -> &'static str {
    match label {
        "Actor" => "id name known type status dateOfBirth",
        "Account" => "id nodeId name known external status",
        "Transaction" => "id name amount currency createdAt status channel standardizedAmount",
        "Device" => "id name known type",
        "ChannelLocation" => "id name type",
        "ActorVersion" | "AccountVersion" => "asOfDate recordedAt",
        "TransactionVersion" => "amount currency knownFrom knownUntil status direction ownerId senderId",
        "SegmentationCategory" => "id nodeId name type createdAt",
        "SegmentationGroup" => "id name description changedBy",
        "IpAddress" | "ObservationRule" => "id name",
        "Observation" => "id name known finalized type date",
        "ObservationFeedback" => "id feedback createdAt",
        "ObservationAction" => "id action userId comment",
        "SuppressedSignal" => "id reviewDate decisionReason",
        "ClearedMatch" => "id name entry until reason clearedAt clearedByName endedAt",
        "Screening" => "id name response screenedAt score listVersions cleared",
        "RequestForData" => "id nodeId name type status dueAt reason",
        "RiskScore" => "id name asOfDate finalScore riskBand overridden recordedAt",
        "RiskAssessment" => "id name type value comment asOfDate recordedAt",
        "ActorExclusion" => "id name type storedAt comment",
        "ExtendedInformation" => "id name asOfDate numberOfLoans",
        "AccountBalance" => "id name asOfDate currency current available",
        "File" => "id name url",
        "Communication" => "id name known type subject",
        _ => "id kind name",
    }
}

fn said(link: &Link) -> &'static str {
    match link.name {
        "Actor.accounts" | "Account.actors" => "role asOfDate since until",
        "Actor.associates" | "Actor.associateOf" => "type ratio asOfDate dataSource isCustomer references since until",
        "Actor.identities" | "Account.identities" => "source",
        "Actor.sharesIdentityWith" => "identity { kind id name }",
        "Account.devices" | "Device.accounts" | "IpAddress.accounts" => "count first last",
        "Actor.segmentationGroups" | "Actor.ownedGroups" | "SegmentationGroup.actors" | "SegmentationGroup.owners" => "since by until endedBy",
        "Observation.actors" | "Actor.observations" => "primary",
        "Observation.rules" | "ObservationRule.observations" => "status score matched",
        "Account.transferredTo" | "Account.receivedFrom" => "count total currency first last",
        _ => "",
    }
}

/// Writes random documents.
struct Writer {
    random: StdRng,
    aliases: usize,
    fragments: String,
}

impl Writer {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent, 100)
    }

    /// What is selected of a node.
    fn node(&mut self, of: &'static Node, depth: usize) -> String {
        let (label, shown) = if of.is_identity() { ("Identity", "Identity") } else { (of.label, of.label) };
        let mut fields = String::new();
        for scalar in scalars(label).split(' ') {
            // A selection is never empty.
            if fields.is_empty() || self.chance(40) {
                let _ = write!(fields, "{scalar} ");
            }
        }
        for (percent, again) in [(20, "__typename "), (10, "... { id } ")] {
            if self.chance(percent) && fields.contains("id ") {
                fields.push_str(again);
            }
        }
        let own = |link: &&&'static Link| {
            let of_it = link.name.starts_with(&format!("{shown}."));
            of_it && link.number != Number::Few && !matches!(link.to.label, "Case" | "User")
        };
        let all: Vec<&'static Link> = links::ALL.iter().collect();
        let own: Vec<&&'static Link> = all.iter().filter(own).collect();
        for _ in 0..self.random.random_range(0..3) {
            if let (Some(link), true) = (own.choose(&mut self.random), depth > 0) {
                fields.push_str(&self.link(link, depth));
            }
        }
        match self.random.random_range(0..6) {
            0 => format!("... {{ {fields} }} "),
            1 if !label.is_empty() => {
                self.aliases += 1;
                let name = format!("f{}", self.aliases);
                let _ = write!(self.fragments, "fragment {name} on {shown} {{ {fields} }} ");
                format!("...{name} ")
            }
            _ => fields,
        }
    }

    fn link(&mut self, link: &'static Link, depth: usize) -> String {
        let field = link.name.split_once('.').map_or("", |(_, field)| field);
        self.aliases += 1;
        let name = if self.chance(60) { format!("a{}: {field}", self.aliases) } else { format!("b{}: {field}", self.aliases) };
        let node = self.node(link.to, depth - 1);
        if link.number == Number::One {
            return format!("{name} {{ {node} }} ");
        }
        let mut arguments = vec![match self.random.random_range(0..4) {
            0 => "first: $few".to_owned(),
            1 => format!("last: {}", self.random.random_range(1..4)),
            _ => format!("first: {}", self.random.random_range(1..4)),
        }];
        if link.sorts.len() > 1 && self.chance(40) {
            // These are what amounts are compared by where no currency is named.
            let sorts: Vec<_> = link.sorts.iter().filter(|sort| !sort.name.starts_with("STANDARDIZED")).collect();
            let sort = sorts.choose(&mut self.random).map_or("", |sort| sort.name);
            let direction = if self.chance(50) { "ASC" } else { "DESC" };
            arguments.push(format!("orderBy: {{field: {sort}, direction: {direction}}}"));
        }
        if link.filters == FilterSet::Transactions && self.chance(30) {
            arguments.push("filter: {currency: \"EUR\", minAmount: 2, maxStandardizedAmount: 20, statuses: [COMPLETED]}".to_owned());
        }
        if link.past.is_some() && self.chance(50) {
            arguments.push(format!("asOf: \"1970-01-01T00:00:00.0{:02}Z\"", self.random.random_range(0..14)));
        }
        if link.filters == FilterSet::Transfers && self.chance(30) {
            let filter = if self.chance(50) { "currency: \"EUR\", minTotal: 1" } else { "minStandardizedTotal: 1.5" };
            arguments.push(format!("filter: {{{filter}}}"));
        }
        let count = if self.chance(40) { "totalCount " } else { "" };
        let more = if self.chance(40) { "pageInfo { hasNextPage hasPreviousPage startCursor endCursor } " } else { "" };
        let cursor = if self.chance(20) { "cursor" } else { "" };
        format!("{name}({}) {{ {count}{more}{EDGES} {cursor} {} node {{ {node} }} }} }} ", arguments.join(", "), said(link))
    }
}

/// How edges are selected, so that their page can be written at once.
const EDGES: &str = "edges { __typename";

/// The same document whose pages are left to async-graphql: edges that are selected twice are put together by nobody else.
pub fn field_by_field(text: &str) -> String {
    text.replace(EDGES, "edges { __typename } edges {")
}

/// A document that begins at a node of some kind, and its variables.
pub fn document(seed: u64, prefix: &str) -> (String, serde_json::Value) {
    let mut writer = Writer { random: StdRng::seed_from_u64(seed), aliases: 0, fragments: String::new() };
    let roots = [
        ("actor", "Actor", "actor"),
        ("account", "Account", "account"),
        ("transaction", "Transaction", "payment"),
        ("device", "Device", "device"),
        ("segmentationCategory", "SegmentationCategory", "category"),
    ];
    let (field, label, id) = roots.choose(&mut writer.random).copied().unwrap_or(roots[0]);
    let node = writer.node(node(label).expect("a kind"), 4);
    let id = format!("{prefix}{id}-{}", writer.random.random_range(0..2));
    let body = format!("{{ {field}(id: $id) {{ {node} }} }} {}", writer.fragments);
    let text = format!("query($id: ID!{}) {body}", if body.contains("$few") { ", $few: Int = 2" } else { "" });
    (text, json!({"id": id}))
}

async fn answered(schema: &QuerySchema, resolvers: &Resolvers, text: &str, variables: &serde_json::Value) -> serde_json::Value {
    let request = Request::new(text).variables(Variables::from_json(variables.clone())).data(Caller::operator("test"));
    let response = resolvers.loader().gather(schema.execute(request)).await;
    assert!(response.errors.is_empty(), "{text}: {:?}", response.errors);
    response.data.into_json().expect("an answer")
}

/// The answer, and how many statements it took.
async fn asked(schema: &QuerySchema, resolvers: &Resolvers, text: &str, variables: &serde_json::Value) -> (serde_json::Value, usize) {
    let (answer, statements) = explained(answered(schema, resolvers, text, variables)).await;
    (answer, statements.len())
}

/// Writes the graph, and answers with how its ids begin and with what reads it.
pub async fn graph(engine: Engine) -> (String, Resolvers) {
    let prefix = format!("{:x}-", rand::random::<u64>());
    for text in GRAPH {
        let params = Params::none().with("p", prefix.as_str());
        engine.write_within(Statement::new("test/graph", text), params, Duration::from_secs(60)).await.expect("it is written");
    }
    (prefix, Resolvers::new(engine, Settings { read_limit: Duration::from_secs(60), ..Settings::default() }))
}

/// A schema whose statements have so many steps.
pub fn schema(resolvers: &Resolvers, steps: usize) -> QuerySchema {
    Schema::build(Query::default(), EmptyMutation, EmptySubscription)
        .data(resolvers.clone())
        .data(StepsAtOnce(steps))
        .data(user_of_principal())
        .finish()
}

async fn answers_alike(engine: Engine, documents: u64) {
    let (prefix, resolvers) = graph(engine.clone()).await;
    // Nobody else writes what is asked for, so that what others write may be as old as it likes: the cache is to answer on a slow machine, too.
    let (read_limit, cache_staleness) = (Duration::from_secs(60), Duration::from_secs(10));
    let caching = Resolvers::new(engine, Settings { read_limit, cache_bytes: 1 << 20, cache_staleness, ..Settings::default() });
    let (composed, single, cached) = (schema(&resolvers, 12), schema(&resolvers, 0), schema(&caching, 12));
    let (mut fewer, mut links) = (0, 0);
    let written = || WRITTEN.load(Ordering::Relaxed);
    let before = written();
    for seed in 0..documents {
        let (text, variables) = document(seed, &prefix);
        let (one, statements) = asked(&composed, &resolvers, &text, &variables).await;
        let (other, more) = asked(&single, &resolvers, &field_by_field(&text), &variables).await;
        assert_eq!(one, other, "seed {seed}: {text} {variables}");
        for time in ["first", "second"] {
            // What other documents have asked for is there already, and the second time all of it.
            let kept = answered(&cached, &caching, &text, &variables).await;
            assert_eq!(kept, one, "seed {seed}, by the cache the {time} time: {text} {variables}");
        }
        assert!(statements <= more, "seed {seed}: {statements} statements, {more} by links: {text}");
        fewer += usize::from(statements < more);
        links += usize::from(text.contains("edges"));
    }
    // Else other processes on the same store would wait for what it may still write.
    caching.close().await;
    // Or the documents show nothing. Each has at least one page that is all at hand, unless it asks for none.
    assert!(written() - before >= links as u64 / 2, "{} pages were written at once", written() - before);
    assert!(links as u64 > documents / 2 && fewer as u64 > documents / 3, "{links} with links, {fewer} of them in fewer statements");
}

/// An embedded store in a folder.
pub async fn embedded(folder: &Path) -> Engine {
    let engine = Engine::Embedded(Embedded::open(folder).await.expect("it opens"));
    cypher::migrate(&engine).await.expect("it migrates");
    engine
}

/// The Neo4j that all tests share, where there is one.
pub async fn neo4j() -> Option<Engine> {
    if let Err(reason) = test_support::neo4j::available() {
        assert!(std::env::var("CI").is_err(), "{reason}");
        eprintln!("not run: {reason}");
        return None;
    }
    let server = tokio::task::spawn_blocking(test_support::neo4j::shared).await.expect("a server");
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    let engine = Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections: 8 }).expect("an address"));
    cypher::migrate(&engine).await.expect("it migrates");
    Some(engine)
}

#[tokio::test(flavor = "multi_thread")]
async fn composed_walks_answer_as_single_links_do_embedded() {
    let folder = tempfile::tempdir().expect("a folder");
    answers_alike(embedded(folder.path()).await, 150).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn composed_walks_answer_as_single_links_do_on_neo4j() {
    if let Some(engine) = neo4j().await {
        answers_alike(engine, 25).await;
    }
}

/// The link to the edges is a step, too: where a statement may have one alone, what is behind it is another statement.
#[tokio::test(flavor = "multi_thread")]
async fn edges_of_a_payload_keep_to_the_steps_of_a_statement() {
    let folder = tempfile::tempdir().expect("a folder");
    let (prefix, resolvers) = graph(embedded(folder.path()).await).await;
    let text = "mutation($input: SegmentationGroupOwnerInput!) { addSegmentationGroupOwner(input: $input) {
        ownerEdge { node { id accounts(first: 1) { totalCount } } } userErrors { message } } }";
    let input = json!({"groupId": format!("{prefix}group-3"), "actorId": format!("{prefix}actor-0")});
    let mut answers = Vec::new();
    for steps in [2, 1] {
        let builder = Schema::build(Query::default(), Mutation::default(), EmptySubscription);
        let schema = builder.data(resolvers.clone()).data(StepsAtOnce(steps)).data(user_of_principal()).finish();
        let request = Request::new(text).variables(Variables::from_json(json!({"input": input}))).data(Caller::operator("test"));
        let (response, statements) = explained(resolvers.loader().gather(schema.execute(request))).await;
        assert!(response.errors.is_empty(), "{:?}", response.errors);
        answers.push((response.data.into_json().expect("an answer"), statements.len()));
    }
    let [(composed, fewer), (single, more)] = &answers[..] else { panic!("two answers") };
    assert_eq!(composed["addSegmentationGroupOwner"]["ownerEdge"]["node"]["id"], input["actorId"], "{composed}");
    assert_eq!((composed, fewer + 1), (single, *more));
}
