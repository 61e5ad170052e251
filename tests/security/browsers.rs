//! What answers say to browsers.

use crate::support::fixtures::actor;
use crate::support::{Answer, Engine, Server, Store, tests};

tests![embedded: every_answer_says_what_browsers_may_do_with_it, so_do_refusals_of_too_much];

fn says_what_browsers_may_do(answer: &Answer, is_page: bool) {
    for (header, wanted) in
        [("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(answer.header(header), wanted, "{header}: {answer:?}");
    }
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';") && policy.contains("frame-ancestors 'none'"), "{answer:?}");
    // Pages run what is bundled with them; of all else a browser runs nothing.
    assert_eq!(policy.contains("script-src 'self'"), is_page, "{answer:?}");
    assert!(!policy.contains("script-src 'self' 'unsafe") && !policy.contains("http"), "{policy}");
}

async fn every_answer_says_what_browsers_may_do_with_it(engine: Engine) {
    let server = Server::shared(engine);
    let nobody = server.anonymous();
    let page = |path: &str| nobody.request("GET", path).header("accept", "text/html");
    let answers = [
        (server.get("/").await, false),
        (server.get("/openapi.json").await, false),
        (server.get("/api/risk_scores").await, false),
        (server.get("/api/actors/nobody").await, false),
        (server.get("/nowhere").await, false),
        (server.put("/api/risk_scores", "{}").await, false),
        (server.post("/api/actors", "{").await, false),
        (server.post("/graphql", r#"{"query":"{ __typename }"}"#).await, false),
        (server.get("/health/live").await, false),
        (server.get("/health/ready").await, false),
        (server.get("/metrics").await, false),
        (nobody.get("/api/risk_scores").await, false),
        (server.with_key("nonsense").get("/api/risk_scores").await, false),
        (nobody.send(nobody.request("POST", "/auth/token").form(&[("grant_type", "password")])).await, false),
        (nobody.send(page("/docs")).await, true),
        (nobody.get("/docs/page.js").await, true),
        (nobody.get("/docs/nothing.js").await, false),
        (nobody.send(page("/graphql")).await, true),
        (nobody.get("/graphiql/page.js").await, true),
    ];
    for (answer, is_page) in answers {
        says_what_browsers_may_do(&answer, is_page);
    }
    // What the pages hold runs under their policy: no script stands in them.
    for path in ["/docs", "/graphql"] {
        let html = nobody.send(page(path)).await.expect(200).text;
        let scripts = html.matches("<script").count();
        assert!(scripts > 0 && scripts == html.matches("<script src=\"/").count(), "{html}");
    }
}

async fn so_do_refusals_of_too_much(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__GUESSES", "1"), ("AMLGRAPH_LIMITS__BODY", "64KiB")]);
    let large = format!("{}{}", " ".repeat(64 << 10), actor("a"));
    says_what_browsers_may_do(&server.post("/api/actors", large).await.expect(413), false);
    let guess = async |number: usize| server.with_key(&format!("aml_{number:043}")).get("/api/risk_scores").await;
    let mut told = guess(0).await;
    for number in 1..10 {
        if told.status == 401 {
            told = guess(number).await;
        }
    }
    says_what_browsers_may_do(&told.expect(429), false);
}
