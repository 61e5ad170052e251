//! The questions that show what the kinds of writes do. `@name` is the id of something of the test's own ([`super::scene`]).

/// By the names that `kinds.tsv` has for them.
const QUESTIONS: [(&str, &str); 30] = [
    (
        "person",
        r#"{ actor(id: "@person") { known name type status nationality riskScore riskBand
            riskHistory(first: 5) { finalScore band } record { name asOfDate }
            history(first: 5) { totalCount edges { node { asOfDate } } }
            identities(first: 5) { totalCount edges { node { name } } }
            sharesIdentityWith(first: 5) { totalCount edges { node { id name } } }
            accounts(first: 5) { totalCount edges { role node { id name status } } }
            associates(first: 5) { totalCount edges { type node { id name } } }
            associateOf(first: 5) { totalCount edges { type node { id name } } }
            segmentationGroups(first: 5) { totalCount edges { node { id name category { id name } } } }
            ownedGroups(first: 5) { totalCount edges { node { id name } } } } }"#,
    ),
    (
        "risk",
        r#"{ actor(id: "@person") { riskScore exclusion { type comment } exclusions(first: 5) { totalCount edges { node { type } } }
            riskAssessments(first: 5) { totalCount edges { node { type value } } } extendedInformation { asOfDate numberOfLoans }
            effectiveRiskScore { finalScore overridden } riskScores(first: 5) { totalCount edges { node { finalScore } } } } }"#,
    ),
    (
        "involvement",
        r#"{ actor(id: "@person") { name
            cases(first: 5) { totalCount edges { type decision customProperties customData node { id title version } } }
            communications(first: 5) { totalCount edges { node { id subject } } }
            observations(first: 5) { totalCount edges { node { id behaviorName handled } } }
            transactions(first: 5) { totalCount edges { node { id amount status } } }
            involvedIn(first: 5) { totalCount edges { node { id } } }
            answeredRequests(first: 5) { totalCount edges { node { id status } } } } }"#,
    ),
    (
        "payer",
        r#"{ account(id: "@payer") { known name status currencyCode iban record { name }
            history(first: 5) { totalCount edges { node { asOfDate } } } balances(first: 5) { totalCount edges { node { asOfDate current } } }
            actors(first: 5) { totalCount edges { role node { id name nationality } } }
            identities(first: 5) { totalCount edges { node { name } } }
            devices(first: 5) { totalCount edges { count node { id type blocked } } }
            ipAddresses(first: 5) { totalCount edges { node { id } } }
            sent(first: 5) { totalCount edges { node { id amount status receiver { id name external } channelLocation { id city } } } }
            transferredTo(first: 5) { totalCount edges { count total node { id name external } } } } }"#,
    ),
    (
        "hops",
        r#"{ account(id: "@payer") { transferredTo(first: 5) { edges { count total node { id name
            transferredTo(first: 5) { edges { count total node { id name actors(first: 5) { edges { role node { id name } } }
            transferredTo(first: 5) { totalCount edges { count total last node { id name status } } } } } } } } } } }"#,
    ),
    (
        "payee",
        r#"{ account(id: "@payee") { known name received(first: 5) { totalCount edges { node { id amount status sender { id name } } } }
            receivedFrom(first: 5) { totalCount edges { count total node { id name } } } } }"#,
    ),
    (
        "payment",
        r#"{ transaction(id: "@payment") { amount status currency account { id name } owner { id name } sender { id } receiver { id name }
            device { id type } ipAddress { id } channelLocation { id city } parties(first: 5) { totalCount edges { node { id name } } }
            history(first: 5) { totalCount } record { status }
            observations(first: 5) { totalCount edges { node { id title } } }
            decidedIn(first: 5) { totalCount edges { decision comment node { id version } } } } }"#,
    ),
    (
        "payments",
        r#"{ transactions(first: 5, filter: {minStandardizedAmount: @digits, maxStandardizedAmount: @digits}) { totalCount edges { node { id amount } } } }"#,
    ),
    ("place", r#"{ channelLocation(id: "@place") { type city transactions(first: 5) { totalCount edges { node { id } } } } }"#),
    ("places", "{ channelLocations(first: 500) { edges { node { id name } } } }"),
    (
        "device",
        r#"{ device(id: "@device") { known type blocked accounts(first: 5) { totalCount edges { count node { id name } } }
            ipAddresses(first: 5) { totalCount edges { node { id } } } transactions(first: 5) { totalCount edges { node { id } } } } }"#,
    ),
    (
        "observation",
        r#"{ observation(id: "@observation") { known title behaviorName priority score handled handling { kind reason } record { title }
            actors(first: 5) { totalCount edges { primary node { id name } } }
            transactions(first: 5) { totalCount edges { node { id amount } } }
            rules(first: 5) { totalCount edges { node { id } } }
            feedback(first: 5) { totalCount edges { node { feedback } } }
            actions(first: 5) { totalCount edges { node { action comment } } }
            cases(first: 5) { totalCount edges { node { id version } } } } }"#,
    ),
    (
        "observations",
        r#"{ all: observations(first: 10, filter: {behaviorIds: ["@behavior"]}) { totalCount edges { node { id title handled } } }
            open: observations(first: 10, filter: {behaviorIds: ["@behavior"], handled: false}) { totalCount edges { node { id } } } }"#,
    ),
    (
        "case",
        r#"{ case(id: "@case") { name version title source type jurisdiction narrative closeReason metadata resolution customProperties actions
            tags { id label } workflow { stepId state } assignee { id known username } step { stepId label }
            actors(first: 5) { totalCount edges { type decision customProperties customData node { id name known } } }
            comments(first: 5) { totalCount edges { node { text } } }
            communications(first: 5) { totalCount edges { node { id subject known } } }
            files(first: 5) { totalCount edges { node { id givenName } } } filings(first: 5) { totalCount edges { node { id version } } } } }"#,
    ),
    (
        "casework",
        r#"{ case(id: "@case-3") { version
            observations(first: 5) { totalCount edges { action node { id title handled } } }
            feedback(first: 5) { totalCount edges { node { feedback } } }
            observationActions(first: 5) { totalCount edges { node { action comment } } }
            decidedTransactions(first: 5) { totalCount edges { decision comment node { id amount } } }
            transactions(first: 5) { totalCount edges { decision observationIds node { id amount } } }
            requestsForData(first: 5) { totalCount edges { node { id status } } }
            events(first: 5) { totalCount } } }"#,
    ),
    (
        "cases",
        r#"{ tagged: cases(first: 5, filter: {anyTag: ["@tag"]}) { totalCount edges { node { id version workflow { state } } } }
            open: cases(first: 5, filter: {anyTag: ["@tag"], state: [OPEN]}) { totalCount edges { node { id } } } }"#,
    ),
    ("newest", "{ cases(first: 100) { edges { node { id } } } }"),
    (
        "letter",
        r#"{ communication(id: "@letter") { known subject type senderId sender { id } cases(first: 5) { totalCount edges { node { id version } } }
            answeredRequests(first: 5) { totalCount } } }"#,
    ),
    ("user", r#"{ user(id: "@user") { known username firstName enabled groups cases(first: 5) { totalCount edges { node { id version } } } } }"#),
    ("users", "{ users(first: 100) { edges { node { username } } } }"),
    (
        "category",
        r#"{ segmentationCategory(id: "@category") { name description groups(first: 5) { totalCount edges { node { id name } } }
            actors(first: 5) { totalCount edges { node { id name } } } } }"#,
    ),
    ("categories", "{ segmentationCategories(first: 100) { edges { node { name } } } }"),
    (
        "group",
        r#"{ segmentationGroup(id: "@group") { name description category { name } actors(first: 5) { totalCount edges { node { id name } } }
            owners(first: 5) { totalCount edges { node { id name } } } } }"#,
    ),
    ("groups", "{ segmentationGroups(first: 100) { edges { node { name category { name } } } } }"),
    (
        "requests",
        r#"{ requestsForData(first: 5, filter: {type: ["@kyc"]}) { totalCount edges { node { id status reason case { id version }
            answeringActor { id } answeringCommunication { id } } } } }"#,
    ),
    ("schemas", "{ requestForDataSchemas(first: 100) { edges { node { type schema } } } }"),
    ("webhook", r#"{ webhook(id: "@webhook") { name url status events formerSecretUntil } }"#),
    ("webhooks", "{ webhooks(first: 100) { edges { node { id name } } } }"),
    (
        "workflow",
        r#"{ workflow(id: "@workflow") { name steps(first: 5) { totalCount edges { node { stepId label } } } cases(first: 5) { totalCount edges { node { id } } } } }"#,
    ),
    ("properties", "{ customProperties(first: 100) { edges { node { name schema } } } }"),
];

/// The text of a question.
#[track_caller]
pub fn text_of(question: &str) -> &'static str {
    QUESTIONS.iter().find(|(name, _)| *name == question).unwrap_or_else(|| panic!("no question {question:?}")).1
}

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    QUESTIONS.iter().map(|(name, _)| *name)
}
