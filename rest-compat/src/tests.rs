//! Every operation once over the embedded store: what goes in, what status and body come out. Both engines and the
//! whole of HTTP are the business of the tests of the root package.

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::DefaultBodyLimit,
    http::{HeaderMap, HeaderValue, Request, header},
};
use resolvers::{Caller, CredentialType, Identified, Resolvers, Role, Settings};
use tower::ServiceExt;

use crate::{ADMIN_OPERATIONS, Credentials, OPERATIONS, State, admin_routes, routes};

struct Service {
    router: Router,
    _folder: tempfile::TempDir,
}

/// A request, and what of its answer is wanted: the status and how the body begins.
type Exchange<'a> = (&'a str, &'a str, &'a str, u16, &'a str);

const BODY_LIMIT: usize = 10_000;

impl Service {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = cypher::Embedded::open(folder.path()).await.unwrap();
        let engine = cypher::Engine::Embedded(engine);
        cypher::migrate(&engine).await.unwrap();
        let resolvers = Resolvers::new(engine, Settings::default());
        let router =
            routes().merge(admin_routes()).fallback(crate::not_found).layer(DefaultBodyLimit::max(BODY_LIMIT)).with_state(State { resolvers });
        Self { router, _folder: folder }
    }

    async fn answer(&self, request: Request<Body>) -> (u16, HeaderMap, String) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        (parts.status.as_u16(), parts.headers, body)
    }

    async fn exchange(&self, exchanges: &[Exchange<'_>]) {
        for &(method, path, body, status, wanted) in exchanges {
            let answer = self.answer(json(method, path, body)).await;
            assert_eq!(answer.0, status, "{method} {path} {body}: {}", answer.2);
            assert!(answer.2.starts_with(wanted), "{method} {path} {body}: {}", answer.2);
        }
    }
}

fn request(method: &str, path: &str, media_type: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(header::CONTENT_TYPE, media_type);
    request.body(Body::from(body.to_owned())).unwrap()
}

fn json(method: &str, path: &str, body: &str) -> Request<Body> {
    let mut request = request(method, path, "application/json; charset=utf-8", body);
    let (id, name, roles) = ("1".to_owned(), "tester".to_owned(), Role::Admin.into());
    let tester = Identified { id, name, roles, means: CredentialType::ApiKey, expires_at: None, follows_groups: false, user: None };
    request.extensions_mut().insert(Caller::new(tester, None, "r1".into()));
    request.headers_mut().insert("x-request-id", HeaderValue::from_static("r1"));
    request
}

const ACTOR: &str = r#"{"id":"a 1",  "asOfDate":"2024-01-01","type":"INDIVIDUAL","name":"Ada"}"#;
const ASSOCIATES: &str = r#"{"actorAssociates":[{"id":"b","type":"SPOUSE","ratio":0.50}]}"#;
const ASSESSMENTS: &str = r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"yes"}]"#;
const SCORE: &str = r#"{"as_of_date":"2024-01-01","final_score":1.50,"risk_rule_id":"r"}"#;

#[tokio::test]
async fn actors() {
    let service = Service::start().await;
    service
        .exchange(&[
            ("POST", "/api/actors", ACTOR, 200, ACTOR),
            ("GET", "/api/actors/a%201", "", 200, ACTOR),
            ("GET", "/api/actors/b", "", 404, r#"{"errors":["id: "#),
            ("GET", &format!("/api/actors/{}", "x".repeat(257)), "", 400, r#"{"errors":["id: must be at most 256"#),
            ("GET", "/api/actors/%FF", "", 400, r#"{"errors":["path: "#),
            ("GET", "/api/actors/a%201?x=1", "", 400, r#"{"errors":["x: is not a parameter"#),
            ("POST", "/api/actors", "{", 400, r#"{"errors":["body: "#),
            ("POST", "/api/actors", "{}", 422, r#"{"errors":[""#),
            ("POST", "/api/actors/a%201/associates", ASSOCIATES, 200, ASSOCIATES),
            ("GET", "/api/actors/b", "", 404, ""),
            ("POST", "/api/actors/a%201/exclusions", r#"{"exclusion_type":"SUPPRESSED"}"#, 200, r#""a 1""#),
            ("POST", "/api/actors/a%201/exclusions", "{", 422, r#"{"errors":[""#),
            ("POST", "/api/actors/a%201/riskAssessments", ASSESSMENTS, 200, ASSESSMENTS),
            ("POST", "/api/actors/a%201/riskAssessments", "{}", 422, r#"{"errors":["body: must be an array"#),
            ("GET", "/api/actors/a%201/extendedInfo", "", 404, ""),
            ("POST", "/api/actors/a%201/extendedInfo", r#"{"numberOfLoans":1.0}"#, 200, r#"{"numberOfLoans":1.0"#),
            ("GET", "/api/actors/a%201/extendedInfo", "", 200, r#"{"numberOfLoans":1.0"#),
            ("POST", "/api/actors/a%201/risk_scores", SCORE, 200, "{"),
            ("POST", "/api/actors/a%201/risk_scores", "{}", 400, ""),
            ("GET", "/api/risk_scores?filter.actor_ids.in[]=a%201,b&filter.newest_entry=true", "", 200, "[{"),
            ("GET", "/api/risk_scores?risk_rule_id=other", "", 200, "[]"),
            ("GET", "/api/risk_scores?limit=1001", "", 400, r#"{"errors":["limit: "#),
        ])
        .await;
}

const ACCOUNT: &str = r#"{"id":"k","asOfDate":"2024-01-01","accountType":"CURRENT"}"#;
const ROLES: &str = r#"{"actors":[{"id":"a","role":"OWNER"}]}"#;

#[tokio::test]
async fn accounts() {
    let service = Service::start().await;
    service
        .exchange(&[
            ("POST", "/api/accounts", ACCOUNT, 200, ACCOUNT),
            ("POST", "/api/accounts", "{", 422, r#"{"errors":[""#),
            ("POST", "/api/accounts/k/balances", r#"{"currency":"EUR","current":1.10}"#, 200, "{"),
            ("POST", "/api/accounts/k/balances", r#"{"currency":"eur","current":1}"#, 422, r#"{"errors":["currency: "#),
            ("POST", "/api/accounts/k/actors", ROLES, 200, ROLES),
            ("DELETE", "/api/accounts/k/actors/a", "", 200, "{}"),
            ("DELETE", "/api/accounts/k/actors/a", "", 404, r#"{"error":""#),
        ])
        .await;
}

const TRANSACTION: &str = r#"{"id":"t","account_id":"k","account_owner_id":"a","amount":{"value":1.50,"currency":"EUR"},"counterparty":{"object":"EMPTY"},"created_at":1592721059.060,"direction":"OUTBOUND","standardized_amount":1.50,"status":"COMPLETED"}"#;

#[tokio::test]
async fn transactions_and_the_places_they_are_made_at() {
    let service = Service::start().await;
    let place = r#"{"id":"p","type":"ATM","address":{"city":"Ulm"}}"#;
    service
        .exchange(&[
            ("POST", "/api/v2/transactions", TRANSACTION, 200, "{"),
            ("GET", "/api/v2/transactions/t", "", 200, TRANSACTION),
            ("GET", "/api/v2/transactions/u", "", 404, ""),
            ("POST", "/api/v2/transactions?blocking=maybe", "{}", 400, r#"{"errors":["blocking: must be true or false"#),
            ("POST", "/api/channel_locations", place, 200, "{}"),
            ("POST", "/api/channel_locations", "{}", 400, ""),
            ("GET", "/api/channel_locations?sort_by=-id", "", 200, &format!(r#"{{"locations":[{place}]}}"#)),
            ("GET", "/api/channel_locations?filter_type=BRANCH", "", 200, r#"{"locations":[]}"#),
            ("GET", "/api/channel_locations?sort_by=city", "", 400, r#"{"errors":["sort_by: "#),
        ])
        .await;
}

const CASE: &str = r#"{"id":"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37","actors":[{"id":"a"}]}"#;
const MADE: &str = r#"{"case_id":"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37"}"#;
const ADDED: &str = r#"{"actor":{"id":"b","type":"INDIVIDUAL","as_of_date":"2024-01-01"},"type":"FOCAL"}"#;

#[tokio::test]
async fn cases() {
    let service = Service::start().await;
    let path = "/api/cases/0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";
    let (actors, actor) = (format!("{path}/actors"), format!("{path}/actors/a"));
    service
        .exchange(&[
            ("POST", "/api/cases", CASE, 200, MADE),
            ("POST", "/api/cases", CASE, 200, MADE),
            ("POST", "/api/cases", &CASE.replace("\"a\"", "\"b\""), 422, r#"{"errors":["id: "#),
            ("POST", "/api/cases", r#"{"workflow_id":"w"}"#, 422, r#"{"errors":["workflow_id: "#),
            ("POST", "/api/cases", "{", 422, r#"{"errors":["body: "#),
            ("PATCH", path, r#"{"c__x":[1.0]}"#, 200, "OK"),
            ("PATCH", path, r#"{"x":1}"#, 400, r#"{"errors":["x: unknown field"#),
            ("PUT", path, r#"{"communication_ids":["m"]}"#, 200, r#"{"case_id":"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37","communicationIds":["m"]}"#),
            ("PUT", path, r#"{"c__x":1}"#, 422, r#"{"errors":["c__x: "#),
            ("POST", &actors, ADDED, 200, r#"{"id":"b","type":"FOCAL"}"#),
            ("PATCH", &actors, r#"[{"actor_id":"b","properties":{"c__y":2.50}}]"#, 200, "OK"),
            ("PATCH", &actors, r#"[{"actor_id":"z","properties":{}}]"#, 400, r#"{"errors":["[0].actor_id: "#),
            ("PATCH", &actor, r#"{"c__y":"z"}"#, 200, "OK"),
            ("PATCH", &format!("{actors}/z"), r#"{"c__y":"z"}"#, 404, r#"{"errors":["#),
            ("GET", path, "", 200, r#"{"id":"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37","created_at":""#),
            ("GET", "/api/cases/none", "", 404, r#"{"errors":["id: "#),
            ("GET", "/api/cases?filter.type.in[]=FILING", "", 200, "[]"),
            ("GET", "/api/cases?sort.by=name", "", 400, r#"{"errors":["sort.by: "#),
        ])
        .await;
    let (_, _, body) = service.answer(json("GET", "/api/cases?sort.by=-type,id&limit=1", "")).await;
    let workflow =
        r#"[{"id":"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37","workflow":{"id":"default-analysis","step_id":"to-do","status":"TO_DO","state":"OPEN"},"#;
    assert!(body.starts_with(workflow) && body.ends_with(r#""type":"ANALYSIS","tags":[]}]"#), "{body}");
    let (_, _, body) = service.answer(json("GET", path, "")).await;
    let actors = r#""actors":[{"id":"b","type":"FOCAL","c__y":2.50},{"id":"a","type":"CONNECTION","c__y":"z"}]"#;
    assert!(body.contains(actors) && body.ends_with(r#""c__x":[1.0]}"#), "{body}");
}

#[tokio::test]
async fn observations_are_taken_linked_read_and_reported() {
    let service = Service::start().await;
    let body = r#"{"id":"o","type":"ALERT_RULE","behaviorId":"b","behaviorName":"B","date":1,"score":0.50,"transactionIds":["t"]}"#;
    let missing = r#"{"caseIds":[],"observationFailedFinalization":[{"missingReferences":[{"id":"t","type":"TRANSACTION"}],"observationId":"o"}]}"#;
    let span = "startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z";
    service
        .exchange(&[
            ("POST", "/api/observations", body, 200, missing),
            ("POST", "/api/observations?create_case=true", body, 200, r#"{"caseIds":[""#),
            ("POST", "/api/observations", r#"{"id":"p"}"#, 422, r#"{"errors":["#),
            ("POST", "/api/observations", "{", 400, r#"{"errors":["body: "#),
            ("POST", "/api/observations/o/actors", r#"[{"actorId":"a"}]"#, 200, r#"{"status":"OK"}"#),
            ("POST", "/api/observations/p/actors", r#"[{"actorId":"a"}]"#, 404, r#"{"errors":["id: "#),
            ("GET", "/api/observations/o", "", 200, r#"{"id":"o","type":"ALERT_RULE","behaviorId":"b","behaviorName":"B","date":1,"score":"0.50","#),
            ("GET", "/api/observations/p", "", 404, r#"{"errors":["id: "#),
            ("GET", &format!("/api/reporting/observation_feedback?{span}"), "", 200, "[]"),
            ("GET", "/api/reporting/observation_feedback", "", 400, r#"{"errors":["startDate: is required","endDate: is required"]}"#),
            (
                "GET",
                "/api/reporting/suppressed_signals?startDate=2020-01-01&endDate=2020-01-01",
                "",
                200,
                r#"{"signals_suppressed":[],"limit":100,"offset":0,"number_of_signals":0}"#,
            ),
            ("GET", "/api/reporting/suppressed_signals?startDate=2020-01-02&endDate=2020-01-01", "", 422, r#"{"errors":["endDate: "#),
        ])
        .await;
}

#[tokio::test]
async fn a_retry_gets_the_first_answer_and_says_so() {
    let service = Service::start().await;
    let keyed = |body: &str| {
        let mut request = json("POST", "/api/v2/transactions", body);
        request.headers_mut().insert("idempotency-key", "k1".parse().unwrap());
        request
    };
    let first = service.answer(keyed(TRANSACTION)).await;
    assert!(first.0 == 200 && !first.1.contains_key("idempotent-replayed"), "{}", first.2);
    let again = service.answer(keyed(TRANSACTION)).await;
    assert_eq!((again.0, &again.1["idempotent-replayed"], &again.2), (200, &"true".parse().unwrap(), &first.2));
    let other = service.answer(keyed(&TRANSACTION.replace("1.50", "2"))).await;
    assert_eq!(other.0, 400, "{}", other.2);
}

#[tokio::test]
async fn bodies_must_be_json_and_not_too_large() {
    let service = Service::start().await;
    let mut form = json("POST", "/api/actors", ACTOR);
    form.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    let (status, _, body) = service.answer(form).await;
    assert_eq!((status, body.as_str()), (415, r#"{"errors":["content-type: must be application/json"]}"#));
    let mut untyped = json("POST", "/api/actors", ACTOR);
    untyped.headers_mut().remove(header::CONTENT_TYPE);
    assert_eq!(service.answer(untyped).await.0, 200);
    let large = json("POST", "/api/actors", &" ".repeat(BODY_LIMIT + 1));
    let (status, _, body) = service.answer(large).await;
    assert_eq!((status, body.as_str()), (413, r#"{"errors":["body: is larger than the service takes"]}"#));
}

#[tokio::test]
async fn the_audit_log_needs_a_span_of_time() {
    let service = Service::start().await;
    let span = "/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z";
    let turned = "/api/audit_logs?startDate=2020-01-02T00:00:00Z&endDate=2020-01-01T00:00:00Z";
    service
        .exchange(&[
            ("POST", "/api/actors", ACTOR, 200, ""),
            ("GET", span, "", 200, r#"{"offset":0,"limit":100,"number_of_values":1,"values":[{"#),
            ("GET", &format!("{span}&logType=READ"), "", 200, r#"{"offset":0,"limit":100,"number_of_values":0"#),
            ("GET", "/api/audit_logs", "", 400, r#"{"errors":["startDate: is required","endDate: is required"]}"#),
            ("GET", turned, "", 422, r#"{"errors":["endDate: must not be before startDate"]}"#),
        ])
        .await;
}

/// Nobody gives positions here: the feed stays at its beginning.
#[tokio::test]
async fn events_are_followed_by_position() {
    let service = Service::start().await;
    let nothing = r#"{"events":[],"next":"0","more":false}"#;
    service
        .exchange(&[
            ("GET", "/events", "", 200, nothing),
            ("GET", "/events?after=0&limit=1&types=case.created,*&wait=0", "", 200, nothing),
            ("GET", "/events?after=1", "", 400, r#"{"errors":["after: must be a position that was read before; the last one is 0"]}"#),
            ("GET", "/events?after=x&limit=0", "", 400, r#"{"errors":["after: must be a position that an answer gave"#),
            ("POST", "/events", "", 405, r#"{"errors":["path: POST is not allowed"#),
        ])
        .await;
}

#[tokio::test]
async fn credentials_are_made_used_listed_and_revoked() {
    let service = Service::start().await;
    let wanted = r#"{"role":"INGEST","name":"loader"}"#;
    let (status, headers, body) = service.answer(json("POST", "/admin/clients", wanted)).await;
    assert_eq!((status, &headers[header::CACHE_CONTROL]), (201, &"no-store".parse().unwrap()));
    let made: serde_json::Value = serde_json::from_str(&body).unwrap();
    let id = made["client_id"].as_str().unwrap();
    let secret = made["client_secret"].as_str().unwrap();

    let form = "application/x-www-form-urlencoded";
    let asking = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let token = service.answer(request("POST", "/auth/token", form, &asking)).await;
    assert_eq!((token.0, &token.1[header::CACHE_CONTROL]), (200, &"no-store".parse().unwrap()));
    assert!(token.2.contains(r#""token_type":"Bearer","expires_in":900"#), "{}", token.2);
    let wrong = service.answer(request("POST", "/auth/token", form, &format!("{asking}x"))).await;
    assert_eq!(wrong.0, 401);
    assert!(wrong.2.starts_with(r#"{"error":"invalid_client""#), "{}", wrong.2);
    let not_a_form = service.answer(request("POST", "/auth/token", "application/json", "{}")).await;
    assert_eq!(not_a_form.0, 400);

    let revoke = format!("/admin/clients/{id}");
    service
        .exchange(&[
            ("GET", "/admin/clients", "", 200, r#"[{"id":""#),
            ("DELETE", &revoke, "", 204, ""),
            ("DELETE", &revoke, "", 404, r#"{"errors":["id: "#),
            ("POST", "/admin/keys", wanted, 201, r#"{"id":""#),
            ("POST", "/admin/keys", r#"{"role":"KING"}"#, 422, r#"{"errors":["role: must be one of INGEST, ANALYST, SUPERVISOR, AUDITOR, ADMIN"#),
            ("GET", "/admin/keys", "", 200, r#"[{"id":""#),
            ("DELETE", "/admin/keys/none", "", 404, r#"{"errors":["id: "#),
        ])
        .await;
}

#[tokio::test]
async fn every_operation_is_shut_to_those_without_credentials() {
    let service = Service::start().await;
    for operation in OPERATIONS.iter().chain(ADMIN_OPERATIONS) {
        let method = operation.method.as_str();
        let (status, headers, body) = service.answer(request(method, operation.path, "application/json", "{}")).await;
        match operation.credentials {
            Credentials::None => assert_eq!(operation.path, "/auth/token"),
            Credentials::Required => {
                assert_eq!(status, 401, "{}: {body}", operation.name);
                assert_eq!(headers.get_all(header::WWW_AUTHENTICATE).iter().count(), 2);
            }
        }
    }
    assert_eq!(OPERATIONS.len(), 70);
}

/// Every body that is sent has an example in the document, and the service takes it: together they are one story.
// Bulk ingest reads its body on a thread that may block.
#[tokio::test(flavor = "multi_thread")]
async fn examples_are_taken() {
    let document = serde_json::to_value(crate::openapi()).unwrap();
    let service = Service::start().await;
    let (_, _, made) = service.answer(json("POST", "/api/segmentation/categories", r#"{"name":"of the example"}"#)).await;
    let category = serde_json::from_str::<serde_json::Value>(&made).unwrap()["id"].clone();
    let mut without = Vec::new();
    for operation in OPERATIONS.iter().chain(ADMIN_OPERATIONS) {
        let text = &document["paths"][operation.path][operation.method.as_str().to_lowercase()];
        let Some(content) = text["requestBody"]["content"].as_object().and_then(|content| content.values().next()) else { continue };
        let Some(example) = content.get("example") else {
            // A file is no example of JSON.
            without.extend(text["requestBody"]["content"].get("application/json").is_some().then_some(operation.name));
            continue;
        };
        if operation.credentials == Credentials::None {
            continue;
        }
        let body = example.to_string().replace("\"category_id\":\"0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37\"", &format!("\"category_id\":{category}"));
        let ids = [("{id}", id_of_example(operation.path)), ("{case_id}", EXAMPLE_CASE), ("{actor_id}", "actor-1"), ("{account_id}", "account-1")];
        let path = ids.iter().fold(operation.path.to_owned(), |path, (name, id)| path.replace(name, id));
        let (status, _, answer) = service.answer(json(operation.method.as_str(), &path, &body)).await;
        assert!(![400, 413, 415, 422].contains(&status), "{} {path} {body}: {status} {answer}", operation.name);
    }
    assert_eq!(without, Vec::<&str>::new(), "bodies without an example: see documented/examples.rs");
}

const EXAMPLE_CASE: &str = "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

/// Of what a path's `{id}` is.
fn id_of_example(path: &str) -> &'static str {
    match path.split('/').nth(2) {
        Some("actors") => "actor-1",
        Some("accounts") => "account-1",
        Some("observations") => "observation-1",
        _ => EXAMPLE_CASE,
    }
}
