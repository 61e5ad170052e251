use super::*;

fn variables(pairs: &[(&str, &str)]) -> HashMap<String, String> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Settings out of a file's text, variables and flags.
fn settings(file: &str, pairs: &[(&str, &str)], flags: Flags) -> anyhow::Result<Settings> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("amlgraph.toml");
    std::fs::write(&path, file)?;
    load_from(&Flags { config: Some(path), ..flags }, variables(pairs))
}

fn refusal(file: &str, pairs: &[(&str, &str)]) -> String {
    format!("{:#}", settings(file, pairs, Flags::default()).expect_err("must be refused"))
}

#[test]
fn nothing_given_means_the_defaults() {
    let settings = settings("", &[], Flags::default()).expect("defaults");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.database.store, Store::Embedded("./data".into()));
    assert_eq!(settings.database.timeout, Duration::from_secs(5));
    assert_eq!(settings.limits.body, 33 << 20);
    assert_eq!(settings.graphql.batch, 0);
    assert!(settings.admin_key.is_none() && settings.token.jwt_only.is_empty());
}

/// Before a Neo4j all processes that write have to have it.
#[test]
fn the_cache_is_off_with_neo4j_unless_it_is_set() {
    let neo4j = ("AMLGRAPH_DATABASE__URL", "bolt://localhost:7687");
    for (pairs, bytes) in
        [(vec![], 64 << 20), (vec![neo4j], 0), (vec![neo4j, ("AMLGRAPH_CACHE__BYTES", "1MiB")], 1 << 20), (vec![("AMLGRAPH_CACHE__BYTES", "0")], 0)]
    {
        assert_eq!(settings("", &pairs, Flags::default()).expect("good settings").cache_bytes, bytes, "{pairs:?}");
    }
    assert!(refusal("", &[("AMLGRAPH_CACHE__BYTES", "some")]).contains("cache.bytes"));
    let cluster = ("AMLGRAPH_DATABASE__URL", "neo4j+s://graph.example.com:7687");
    assert!(refusal("", &[cluster, ("AMLGRAPH_CACHE__BYTES", "1MiB")]).contains("cache.bytes"));
    assert_eq!(settings("", &[cluster], Flags::default()).expect("good settings").cache_bytes, 0);
    // A process that answers nobody tells what it writes where there may be others.
    for (pairs, bytes) in [(vec![], 0), (vec![neo4j], 0), (vec![neo4j, ("AMLGRAPH_CACHE__BYTES", "1MiB")], 1 << 20)] {
        assert_eq!(settings("", &pairs, Flags::default()).expect("good settings").only_telling().cache_bytes, bytes, "{pairs:?}");
    }
}

#[test]
fn how_stale_an_answer_may_be_has_bounds() {
    for (given, millis) in [(None, 500), (Some("200ms"), 200), (Some("10s"), 10_000)] {
        let pairs: Vec<(&str, &str)> = given.map(|given| ("AMLGRAPH_CACHE__STALENESS", given)).into_iter().collect();
        let read = settings("", &pairs, Flags::default()).expect("good settings").cache_staleness;
        assert_eq!(read, Duration::from_millis(millis), "{given:?}");
    }
    for given in ["0s", "199ms", "11s", "soon"] {
        assert!(refusal("", &[("AMLGRAPH_CACHE__STALENESS", given)]).contains("cache.staleness"), "{given}");
    }
}

/// Introspection, suggestions and the page are for those at this machine, and for others when they are set.
#[test]
fn the_schema_is_shown_by_address_unless_it_is_set() {
    use Switch::{Off, On};
    let wanted = ("AMLGRAPH_GRAPHQL__INTROSPECTION", "on");
    for (listen, set, shown) in [
        ("127.0.0.1:1", None, [On, On, On]),
        ("127.8.8.8:1", None, [On, On, On]),
        ("[::1]:1", None, [On, On, On]),
        ("0.0.0.0:1", None, [Off, Off, Off]),
        ("[::]:1", None, [Off, Off, Off]),
        ("192.0.2.1:1", None, [Off, Off, Off]),
        ("192.0.2.1:1", Some(wanted), [On, Off, Off]),
        ("192.0.2.1:1", Some(("AMLGRAPH_GRAPHQL__SUGGESTIONS", "true")), [Off, On, Off]),
        ("192.0.2.1:1", Some(("AMLGRAPH_GRAPHQL__GRAPHIQL", "on")), [Off, Off, On]),
        ("127.0.0.1:1", Some(("AMLGRAPH_GRAPHQL__GRAPHIQL", "off")), [On, On, Off]),
        // What compose files make of a variable that is absent.
        ("127.0.0.1:1", Some(("AMLGRAPH_GRAPHQL__GRAPHIQL", "")), [On, On, On]),
    ] {
        let pairs: Vec<_> = [Some(("AMLGRAPH_LISTEN", listen)), set].into_iter().flatten().collect();
        let graphql = settings("", &pairs, Flags::default()).expect("good settings").graphql;
        assert_eq!([graphql.introspection, graphql.suggestions, graphql.graphiql], shown, "{pairs:?}");
    }
    // The address that counts is the one that is listened on, wherever it was set.
    let flags = Flags { listen: Some("127.0.0.1:1".into()), ..Flags::default() };
    assert_eq!(settings("listen = '0.0.0.0:1'", &[], flags).expect("good settings").graphql.graphiql, On);
    let text = refusal("", &[("AMLGRAPH_GRAPHQL__GRAPHIQL", "perhaps"), ("AMLGRAPH_GRAPHQL__BATCH", "many")]);
    assert!(text.contains("graphql.graphiql") && text.contains("on or off") && text.contains("graphql.batch"), "{text}");
}

#[test]
fn a_flag_beats_a_variable_beats_the_file() {
    let file = "listen = '127.0.0.1:1'\nlog = 'warn'\n[database]\nurl = 'bolt://file:7687'\nconnections = 3\ntimeout = '7s'\n";
    let pairs = [("AMLGRAPH_LISTEN", "127.0.0.1:2"), ("AMLGRAPH_DATABASE__URL", "bolt://variable:7687"), ("AMLGRAPH_DATABASE__PASSWORD", "hush")];
    let flags = Flags { listen: Some("127.0.0.1:3".into()), ..Flags::default() };
    let settings = settings(file, &pairs, flags).expect("good settings");
    assert_eq!(settings.listen.port(), 3);
    assert_eq!(settings.log, "warn");
    assert_eq!((settings.database.connections, settings.database.timeout), (3, Duration::from_secs(7)));
    let Store::Bolt { url, user, password, name } = settings.database.store else { panic!("Neo4j was asked for") };
    assert_eq!((url.as_str(), user.as_str(), password.reveal(), name), ("bolt://variable:7687", "neo4j", "hush", None));
}

#[test]
fn unknown_settings_are_named_wherever_they_stand() {
    let text = refusal("[database]\nulr = 'embedded:x'\n", &[("AMLGRAPH_LIMITS__BODDY", "1MiB"), ("AMLGRAPH_DATABASE__TIMOUT", "5s")]);
    assert!(text.contains("database.ulr in ") && text.contains("amlgraph.toml: unknown setting"), "{text}");
    assert!(text.contains("limits.boddy (AMLGRAPH_LIMITS__BODDY): unknown setting"), "{text}");
    assert!(text.contains("AMLGRAPH_DATABASE__TIMOUT"), "{text}");
}

#[test]
fn every_bad_value_is_told_at_once() {
    let pairs = [
        ("AMLGRAPH_LISTEN", "here"),
        ("AMLGRAPH_DATABASE__URL", "mysql://x"),
        ("AMLGRAPH_LIMITS__BODY_TIME", "30"),
        ("AMLGRAPH_RISK__HIGH_FROM", "1"),
    ];
    let text = refusal("", &pairs);
    for name in ["listen", "database.url", "limits.body_time", "risk.high_from"] {
        assert!(text.contains(name), "{name} in {text}");
    }
}

/// What somebody is just sending is never taken for nobody's.
#[test]
fn files_stay_longer_than_an_upload_takes() {
    let text = refusal("", &[("AMLGRAPH_FILES__UNCLAIMED_FOR", "599s")]);
    assert!(text.contains("files.unclaimed_for") && text.contains("limits.upload_time"), "{text}");
    assert!(settings("", &[("AMLGRAPH_FILES__UNCLAIMED_FOR", "10m")], Flags::default()).is_ok());
    let pairs = [("AMLGRAPH_FILES__UNCLAIMED_FOR", "6m"), ("AMLGRAPH_LIMITS__UPLOAD_TIME", "1m")];
    assert!(settings("", &pairs, Flags::default()).is_ok());
    assert!(refusal("", &[("AMLGRAPH_LIMITS__UPLOAD_TIME", "1h")]).contains("files.unclaimed_for"));
}

#[test]
fn variables_of_clients_and_tests_are_no_settings() {
    let pairs =
        [("AMLGRAPH_URL", "http://x"), ("AMLGRAPH_KEY", "k"), ("AMLGRAPH_TEST_NEO4J_URL", "bolt://x"), ("AMLGRAPH_ADMIN_KEY", ""), ("PATH", "/bin")];
    assert!(settings("", &pairs, Flags::default()).is_ok());
}

#[test]
fn lists_come_as_arrays_or_with_commas() {
    let file = "[token]\njwt_only = ['POST /api/actors', 'Add Account']\n[webhooks]\nretry_schedule = ['5s', '1m']\n";
    let from_file = settings(file, &[], Flags::default()).expect("good settings");
    let from_variable = settings("", &[("AMLGRAPH_TOKEN__JWT_ONLY", "POST /api/actors, Add Account")], Flags::default()).expect("good settings");
    assert_eq!(from_file.token.jwt_only, ["POST /api/actors", "Add Account"]);
    assert_eq!(from_file.token.jwt_only, from_variable.token.jwt_only);
    assert_eq!(from_file.webhooks.retry_schedule, [Duration::from_secs(5), Duration::from_secs(60)]);
    // The program's defaults are those of the operations.
    let (unset, default) = (from_variable.webhooks, WebhookSettings::default());
    assert_eq!((unset.retry_schedule, unset.keep_for, unset.reach), (default.retry_schedule, default.keep_for, default.reach));
}

#[test]
fn origins_are_as_browsers_say_them() {
    let origins = |text| settings("", &[("AMLGRAPH_LIVE__ORIGINS", text)], Flags::default()).map(|settings| settings.live.origins);
    let good = origins("https://desk.example, http://127.0.0.1:3000").expect("good settings");
    assert_eq!(good, ["https://desk.example", "http://127.0.0.1:3000"]);
    for wrong in ["desk.example", "https://desk.example/page", "https://desk.example:443", "*", "null"] {
        let text = format!("{:#}", origins(wrong).expect_err("must be refused"));
        assert!(text.contains("live.origins") && text.contains(wrong), "{text}");
    }
}

#[test]
fn only_listed_documents_need_a_list() {
    let others = ("AMLGRAPH_GRAPHQL__OTHER_DOCUMENTS", "refused");
    assert!(refusal("", &[others]).contains("graphql.other_documents"));
    assert!(refusal("", &[("AMLGRAPH_GRAPHQL__OTHER_DOCUMENTS", "perhaps")]).contains("taken or refused"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("documents.json").display().to_string();
    let pairs = [others, ("AMLGRAPH_GRAPHQL__DOCUMENTS", path.as_str())];
    let told = refusal("", &pairs);
    assert!(told.contains("can't be read") && !told.contains("other_documents"), "{told}");
    std::fs::write(&path, "[]").expect("written");
    assert!(refusal("", &pairs).contains("it must be a manifest"));
    std::fs::write(&path, r#"{"a": "{ __typename }"}"#).expect("written");
    let shown = format!("{:?}", settings("", &pairs, Flags::default()).expect("good settings").graphql);
    assert!(shown.contains("1 trusted documents") && !shown.contains("__typename"), "{shown}");
}

#[test]
fn secrets_stay_hidden() {
    let pairs = [
        ("AMLGRAPH_ADMIN_KEY", ADMIN_KEY),
        ("AMLGRAPH_TOKEN__SECRET", SECRET),
        ("AMLGRAPH_DATABASE__URL", "bolt://x"),
        ("AMLGRAPH_DATABASE__PASSWORD", "hush-hush"),
        ("AMLGRAPH_WEBHOOKS__KEY", WEBHOOKS_KEY),
    ];
    let shown = format!("{:?}", settings("", &pairs, Flags::default()).expect("good settings"));
    for secret in ["hush", ADMIN_KEY, SECRET, WEBHOOKS_KEY] {
        assert!(!shown.contains(secret), "{shown}");
    }
    let wrong =
        [("AMLGRAPH_ADMIN_KEY", "short-key"), ("AMLGRAPH_DATABASE__URL", "bolt://u:pw-in-url@x"), ("AMLGRAPH_WEBHOOKS__KEY", "no-key-at-all")];
    let text = refusal("", &wrong);
    assert!(!text.contains("short-key") && !text.contains("pw-in-url") && !text.contains("no-key-at-all"), "{text}");
    assert!(text.contains("webhooks.key (AMLGRAPH_WEBHOOKS__KEY)"), "{text}");
}

const ADMIN_KEY: &str = "Hq3vT8zLkX0cYwB1nR6uJ4mPdE7sGfA2iO5tVbN9xKc=";
const SECRET: &str = "zX8cV5bN2mQ9wE6rT3yU0iO7pA4sD1fG8hJ5kL2xC9v";
const WEBHOOKS_KEY: &str = "dGVzdHMtc2VhbC1hbGwtc2VjcmV0cy1ieS10aGlzISE=";

/// Of each secret: how long it must be, how many different characters it must have, and what to do about it. None of it is repeated.
#[test]
fn secrets_that_could_be_guessed_are_refused_with_a_way_to_make_good_ones() {
    let of_length = |length: usize| ADMIN_KEY.chars().cycle().take(length).collect::<String>();
    let of_different = |different: usize| ('a'..='z').take(different).cycle().take(60).collect::<String>();
    for name in ["AMLGRAPH_ADMIN_KEY", "AMLGRAPH_TOKEN__SECRET", "AMLGRAPH_WEBHOOKS__KEY"] {
        for weak in ["changeme".to_owned(), of_length(16), of_length(42), of_different(1), of_different(15), "0123456789".repeat(10)] {
            let text = refusal("", &[(name, &weak)]);
            assert!(text.contains(name) && text.contains("openssl rand -base64 32"), "{name}: {text}");
            assert!(!text.contains(&weak), "{name}: {text}");
        }
        assert!(settings("", &[(name, WEBHOOKS_KEY)], Flags::default()).is_ok(), "{name}");
    }
    for name in ["AMLGRAPH_ADMIN_KEY", "AMLGRAPH_TOKEN__SECRET"] {
        for strong in [of_length(43), of_different(16)] {
            assert!(settings("", &[(name, &strong)], Flags::default()).is_ok(), "{name}: {strong}");
        }
    }
}

/// A provider has all that it needs, or the start is refused with what is missing.
#[test]
fn providers_of_screening_have_a_url_and_a_secret() {
    let secret = format!("acme={WEBHOOKS_KEY}");
    let good = [
        ("AMLGRAPH_SCREENING__SANCTIONS", "watchlists, acme"),
        ("AMLGRAPH_SCREENING__FRAUD", "acme"),
        ("AMLGRAPH_SCREENING__URLS", "acme=https://screening.example.com/v1"),
        ("AMLGRAPH_SCREENING__SECRETS", secret.as_str()),
        ("AMLGRAPH_SCREENING__BULK", "SANCTIONS"),
        ("AMLGRAPH_SCREENING__ACTORS", "SANCTIONS"),
    ];
    let screening = settings("", &good, Flags::default()).expect("good settings").screening;
    let names: Vec<(&str, &str)> = screening.providers.iter().map(|provider| (provider.operation.as_str(), provider.name.as_str())).collect();
    assert_eq!(names, [("FRAUD", "acme"), ("SANCTIONS", "watchlists"), ("SANCTIONS", "acme")]);
    assert!(!format!("{screening:?}").contains(WEBHOOKS_KEY));
    for (name, wrong, problem) in [
        ("AMLGRAPH_SCREENING__FRAUD", "watchlists,acme", "sanctions alone"),
        ("AMLGRAPH_SCREENING__SANCTIONS", "kernels,acme", "fraud alone"),
        ("AMLGRAPH_SCREENING__FRAUD", "acme,other", "other has no URL"),
        ("AMLGRAPH_SCREENING__FRAUD", "acme,acme", "twice"),
        ("AMLGRAPH_SCREENING__FRAUD", "a b", "letters, digits"),
        ("AMLGRAPH_SCREENING__URLS", "acme=http://screening.example.com", "https://"),
        ("AMLGRAPH_SCREENING__URLS", "acme=https://127.0.0.1/", "no address on the internet"),
        ("AMLGRAPH_SCREENING__URLS", "acme=https://x.example,more=https://y.example", "more is no provider"),
        ("AMLGRAPH_SCREENING__SECRETS", "acme=c2hvcnQtc2VjcmV0", "24 to 64"),
        ("AMLGRAPH_SCREENING__BULK", "sanctions", "FRAUD, SANCTIONS"),
        ("AMLGRAPH_SCREENING__ACTORS", "ALL", "FRAUD, SANCTIONS"),
        ("AMLGRAPH_SCREENING__TIMEOUT", "3500ms", "less than limits.request_time"),
        ("AMLGRAPH_SCREENING__CASES", "all", "none, actor or ring"),
        ("AMLGRAPH_SCREENING__SCORING", "exact", "standard or ofac"),
    ] {
        let pairs: Vec<_> = good.into_iter().filter(|(known, _)| *known != name).chain([(name, wrong)]).collect();
        let text = refusal("", &pairs);
        assert!(text.contains(problem) && !text.contains("c2hvcnQtc2VjcmV0"), "{name}: {text}");
    }
}

/// The variables of all settings, with their defaults.
fn all() -> Vec<(String, Option<String>)> {
    let all: Vec<_> = names().into_iter().map(|(name, default)| (reading::variable(&name), default)).collect();
    assert!(all.len() > 40, "{all:?}");
    all
}

/// What an example says of a variable: nothing where it does not name it.
fn example_of<'a>(example: &'a str, variable: &str) -> Option<&'a str> {
    let lines = example.lines().map(|line| line.strip_prefix('#').unwrap_or(line));
    lines.filter_map(|line| line.split_once('=')).find(|(name, _)| *name == variable).map(|(_, value)| value)
}

#[test]
fn the_example_has_every_setting_with_its_default() {
    let example = include_str!("../../.env.example");
    for (variable, default) in all() {
        let value = example_of(example, &variable).unwrap_or_else(|| panic!(".env.example does not have {variable}"));
        assert_eq!(value, default.unwrap_or_default(), "{variable}");
    }
    let named = example.lines().filter_map(|line| line.strip_prefix('#').unwrap_or(line).split_once('=')).map(|(name, _)| name);
    for name in named.filter(|name| name.starts_with("AMLGRAPH_") && !name.contains(' ')) {
        assert!(all().iter().any(|(variable, _)| variable == name), "there is no setting {name}");
    }
}

/// What is set in `.env` counts in the container, unless the composition itself says what it is there.
#[test]
fn the_composition_passes_every_setting_on() {
    let compose = include_str!("../../docker-compose.yml");
    let said: HashMap<&str, &str> = compose.lines().filter_map(|line| line.trim().split_once(':')).collect();
    let fixed = ["AMLGRAPH_LISTEN", "AMLGRAPH_DATABASE__URL", "AMLGRAPH_DATABASE__USER"];
    for (variable, _) in all() {
        let value = said.get(variable.as_str()).unwrap_or_else(|| panic!("docker-compose.yml does not pass {variable} on"));
        let passed_on = value.is_empty() || value.trim().starts_with(&format!("${{{variable}"));
        assert_eq!(passed_on, !fixed.contains(&variable.as_str()), "{variable}: {value}");
    }
    for name in said.keys().filter(|name| name.starts_with("AMLGRAPH_")) {
        assert!(all().iter().any(|(variable, _)| variable == name), "there is no setting {name}");
    }
}

/// Nothing but the service's own port is published, and on this machine alone; what a container may take is bounded.
#[test]
fn the_composition_opens_no_door_that_nobody_asked_for() {
    let compose = include_str!("../../docker-compose.yml");
    let (neo4j, service) = compose.split_once("\n  amlgraph:\n").expect("two services");
    assert!(!neo4j.contains("ports:"), "{neo4j}");
    for part in [neo4j, service] {
        for limit in ["mem_limit:", "cpus:", "pids_limit:", "no-new-privileges:true"] {
            assert!(part.contains(limit), "{limit}: {part}");
        }
    }
    let published = |text: &'static str| -> Vec<&str> {
        let items = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        items.filter(|item| item.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())).collect()
    };
    assert_eq!(published(compose), ["127.0.0.1:8080:8080"]);
    let browser = published(include_str!("../../docker-compose.browser.yml"));
    assert!(browser.len() == 2 && browser.iter().all(|port| port.starts_with("127.0.0.1:")), "{browser:?}");
}
