use axum::http::HeaderValue;

use super::*;

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
}

#[test]
fn a_route_is_shut_unless_it_is_listed() {
    assert_eq!(Access::to(&Method::GET, Some("/api/actors/{id}")), Access::Closed);
    assert_eq!(Access::to(&Method::POST, Some("/docs")), Access::Closed);
    assert_eq!(Access::to(&Method::HEAD, Some("/docs")), Access::Open);
    assert_eq!(Access::to(&Method::GET, Some("/metrics")), Access::Operational);
    assert_eq!(Access::to(&Method::GET, Some(SOCKET)), Access::Open);
    for method in [Method::GET, Method::POST] {
        assert_eq!(Access::to(&method, Some("/graphql/stream")), Access::Closed, "{method}");
    }
    for method in [Method::POST, Method::GET, Method::HEAD, Method::DELETE] {
        assert_eq!(Access::to(&method, Some("/auth/token")), Access::Apart, "{method}");
    }
}

#[test]
fn one_credential_is_taken_and_two_are_not() {
    assert_eq!(presented(&headers(&[])).ok(), Some(None));
    assert_eq!(presented(&headers(&[("x-api-key", "k")])).ok(), Some(Some(Credential::Key("k"))));
    assert_eq!(presented(&headers(&[("authorization", "bearer t")])).ok(), Some(Some(Credential::Token("t"))));
    assert_eq!(presented(&headers(&[("authorization", "Basic dTpw")])).ok(), Some(None));
    assert!(presented(&headers(&[("x-api-key", "k"), ("authorization", "Bearer t")])).is_err());
    for name in [API_KEY, AUTHORIZATION] {
        for second in ["Bearer t", "Bearer other", "Basic dTpw"] {
            let mut twice = HeaderMap::from_iter([(name.clone(), HeaderValue::from_static("Bearer t"))]);
            twice.append(&name, HeaderValue::from_static(second));
            let refused = Refusal::Unauthenticated(format!("{name}: must be given once"));
            assert_eq!(presented(&twice).err(), Some(refused), "{second}");
        }
    }
}

#[test]
fn operations_are_named_either_way() {
    for name in ["GET /api/actors/{id}", "get /api/actors/{id}", "Get Actor", "get actor"] {
        let chosen = TokenOnly::of(&[name.to_owned()]).expect("a known operation");
        assert!(chosen.includes(&Method::GET, "/api/actors/{id}"), "{name}");
        assert!(chosen.includes(&Method::HEAD, "/api/actors/{id}"), "{name}: it is GET without a body");
        assert!(!chosen.includes(&Method::POST, "/api/actors"), "{name}");
    }
    let graphql = TokenOnly::of(&["POST /graphql".to_owned()]).expect("a known operation");
    for (method, template) in [(Method::POST, "/graphql"), (Method::GET, SOCKET), (Method::GET, "/graphql/stream"), (Method::POST, "/graphql/stream")]
    {
        assert!(graphql.includes(&method, template), "{method} {template}: it answers the same");
    }
    assert!(!graphql.includes(&Method::GET, "/graphql"), "it has a name of its own");
    assert!(TokenOnly::of(&["Get Actr".to_owned()]).is_err());
}
