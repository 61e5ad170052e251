//! Files of cases and of memberships, to a server and straight into a store: they arrive as the single operations would have brought them.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::bulk::{SOON, arrived, bulk_actor};
use crate::support::fixtures::{actor, case_id, with};
use crate::support::import::{folder, to_server, to_store};
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

tests![both: cases_of_a_file_are_those_that_rest_makes, members_of_a_file_are_in_their_groups, a_line_that_is_wrong_is_told_with_its_place,
    what_names_something_that_is_not_there, lines_that_come_again_change_nothing, lines_about_one_case_count_in_their_order,
    of_lines_about_one_associate_the_last_counts];

/// Where the files go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    ToServer,
    ToStore,
}

const WAYS: [Way; 2] = [Way::ToServer, Way::ToStore];

impl Way {
    /// Imports a folder; answers with the summary.
    fn import(self, folder: &TempDir, server: &mut Server) -> String {
        let (summary, output) = match self {
            Self::ToServer => to_server(folder, server, server.key()),
            Self::ToStore => to_store(folder, server),
        };
        assert!(!summary.is_empty(), "{self:?}: {}", String::from_utf8_lossy(&output.stderr));
        summary
    }
}

fn observation(id: &str, actor: &str) -> Value {
    json!({"id": id, "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": "b", "actor_ids": [actor]})
}

fn message(id: &str) -> Value {
    json!({"id": id, "type": "email", "subject": "Hello"})
}

async fn group(api: &Api, ids: &Ids, name: &str) -> String {
    let made = async |path: &str, body: Value| api.post(&format!("/api/segmentation/{path}"), body.to_string()).await.expect(200).json()["id"].take();
    let category = made("categories", json!({"name": ids.of(name)})).await;
    made("groups", json!({"category_id": category, "name": name})).await.as_str().expect("an id").to_owned()
}

async fn members(api: &Api, group: &str) -> Value {
    let mut ids = api.get(&format!("/api/segmentation/groups/{group}/actors")).await.expect(200).json()["actor_ids"].take();
    ids.as_array_mut().expect("an array").sort_by_key(Value::to_string);
    ids
}

/// A case as it is shown, but for what is its own: its id, and when it was changed.
async fn shown(api: &Api, case: &str) -> Value {
    let mut shown = api.get(&format!("/api/cases/{case}")).await.expect(200).json();
    let fields = shown.as_object_mut().expect("an object");
    assert_eq!(fields.remove("id"), Some(json!(case)));
    assert!(fields.remove("updated_at").is_some_and(|at| at.is_string()));
    let query = "query($id: ID!) { case(id: $id) { communications { edges { node { known type subject content customData } } } } }";
    let mut communications = api.graphql(query, json!({"id": case})).await["case"]["communications"]["edges"].take();
    communications.as_array_mut().expect("an array").sort_by_key(Value::to_string);
    with(shown, json!({"communications": communications}))
}

/// What the create request says of a case.
fn request(id: &str, ids: &Ids) -> Value {
    json!({"id": id, "type": "FILING", "created_at": "2024-06-13T12:00:00.500Z", "metadata": {"branch": 7}, "observation_ids": [ids.of("o")],
        "actors": [{"id": ids.of("anna"), "type": "FOCAL"}, {"id": ids.of("bert")}],
        "communications": [{"communication_type": "sms", "subject": "Call me", "content": "…", "custom_data": {"x": 1}}]})
}

async fn cases_of_a_file_are_those_that_rest_makes(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        let (case, plain, twin, mail) = (case_id(), case_id(), case_id(), case_id());
        let custom = json!({"c__score": 1.50, "c__tags": ["a"], "resolution": {"value": ["x"]}});
        let files = folder(&[
            (
                "cases",
                vec![
                    with(with(request(&case, &ids), custom.clone()), json!({"communication_ids": [mail, mail]})),
                    json!({"id": plain}),
                    // What comes later about a case that is there changes it.
                    json!({"id": case, "c__tags": ["b"], "resolution": {"value": ["y"]}}),
                ],
            ),
            ("communications", vec![message(&mail)]),
            ("observations", vec![observation(&ids.of("o"), &ids.of("anna"))]),
            ("actors", vec![bulk_actor(&ids.of("anna")), bulk_actor(&ids.of("bert"))]),
        ]);
        assert_eq!(way.import(&files, &mut server).trim(), "accepted 7\nfailed   0\nskipped  0", "{way:?}");

        server.post("/api/cases", request(&twin, &ids).to_string()).await.expect(200);
        let path = format!("/api/cases/{twin}");
        server.put(&path, json!({"communication_ids": [mail]}).to_string()).await.expect(200);
        server.patch(&path, custom.to_string()).await.expect(200);
        server.patch(&path, json!({"c__tags": ["b"], "resolution": {"value": ["y"]}}).to_string()).await.expect(200);
        let wanted = shown(&server, &twin).await;
        assert_eq!((&wanted["c__tags"], wanted["communications"].as_array().map(Vec::len)), (&json!(["a", "b"]), Some(2)));
        assert_eq!(shown(&server, &case).await, wanted, "{way:?}");
        assert_eq!(shown(&server, &plain).await["workflow"]["id"], "default-analysis", "{way:?}");
        let events = server.cypher(&format!("MATCH (e:Event) WHERE e.caseId = '{case}' RETURN e.name AS name ORDER BY e.sequence"));
        assert_eq!(events, [json!({"name": "case.created"}), json!({"name": "case.updated"})], "{way:?}");
    }
}

async fn members_of_a_file_are_in_their_groups(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        let (one, other) = (group(&server, &ids, "one").await, group(&server, &ids, "other").await);
        let member = |actor: &str, group: &str| json!({"actor_id": ids.of(actor), "group_id": group});
        let files = folder(&[
            ("actor_segmentation_groups", vec![member("anna", &one), member("bert", &one), member("anna", &other), member("anna", &one)]),
            ("actors", vec![bulk_actor(&ids.of("anna")), bulk_actor(&ids.of("bert"))]),
        ]);
        assert_eq!(way.import(&files, &mut server).trim(), "accepted 6\nfailed   0\nskipped  0", "{way:?}");
        assert_eq!(members(&server, &one).await, json!([ids.of("anna"), ids.of("bert")]), "{way:?}");
        assert_eq!(members(&server, &other).await, json!([ids.of("anna")]), "{way:?}");
    }
}

async fn a_line_that_is_wrong_is_told_with_its_place(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        let (first, last, other, property) = (case_id(), case_id(), case_id(), format!("c__{}", ids.of("level")));
        let group = group(&server, &ids, "group").await;
        let define = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { name } }";
        server.graphql(define, json!({"input": {"entity": "CASE", "name": property, "schema": {"type": "integer"}}})).await;
        let files = folder(&[
            ("actors", vec![bulk_actor(&ids.of("anna"))]),
            ("actor_segmentation_groups", vec![json!({"actor_id": ids.of("anna")}), json!({"actor_id": ids.of("anna"), "group_id": group})]),
            (
                "cases",
                vec![
                    json!({"id": first, &property: 1}),
                    json!({"id": case_id(), "actors": [{"id": ids.of("anna"), "type": "SUSPECT"}], "narrative": "?"}),
                    // Only the store knows what the property may be, of a new case and of one that is there.
                    json!({"id": other, &property: "high"}),
                    json!({"id": first, &property: "high"}),
                    json!({"id": last, "actors": [{"id": ids.of("anna")}]}),
                ],
            ),
        ]);
        let summary = way.import(&files, &mut server);
        assert!(summary.starts_with("accepted 4\nfailed   4\nskipped  0\n"), "{way:?} {summary}");
        let reasons = [
            ("group_id: is required", "(actor_segmentation_groups.ndjson:1)"),
            ("actors[].type: ", "(cases.ndjson:2)"),
            ("narrative: ", "(cases.ndjson:2)"),
            (&*format!("{property}: "), "(cases.ndjson:3, cases.ndjson:4)"),
        ];
        for (reason, place) in reasons {
            assert!(summary.lines().any(|line| line.contains(reason) && line.contains(place)), "{way:?} {reason} {place} in\n{summary}");
        }
        assert_eq!(members(&server, &group).await, json!([ids.of("anna")]), "{way:?}");
        assert_eq!(shown(&server, &first).await[&property], 1, "{way:?}");
        assert_eq!(shown(&server, &last).await["actors"][0]["id"], ids.of("anna"), "{way:?}");
        server.get(&format!("/api/cases/{other}")).await.expect(404);
    }
}

/// At a server it waits. Straight into a store it is taken as single operations take it: they make placeholders, or refuse.
async fn what_names_something_that_is_not_there(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        let (group, absent) = (group(&server, &ids, "group").await, ids.of("no-group"));
        let (case, mail, unmade) = (case_id(), case_id(), case_id());
        let files = folder(&[
            ("actors", vec![bulk_actor(&ids.of("anna"))]),
            (
                "actor_segmentation_groups",
                vec![json!({"actor_id": ids.of("late"), "group_id": group}), json!({"actor_id": ids.of("anna"), "group_id": absent})],
            ),
            (
                "cases",
                vec![
                    json!({"id": case, "actors": [{"id": ids.of("late")}], "observation_ids": [ids.of("o")], "communication_ids": [mail]}),
                    json!({"id": case, "resolution": "done"}),
                    json!({"id": unmade, "workflow_id": ids.of("workflow")}),
                ],
            ),
        ]);
        let summary = way.import(&files, &mut server);
        let (counts, reasons) = match way {
            Way::ToServer => (
                "accepted 6\nfailed   0\nskipped  0\n  5 of those accepted wait at the server for what they name",
                vec![
                    format!("waits for: ACTOR {} (actor_segmentation_groups.ndjson:1)", ids.of("late")),
                    format!("waits for: SEGMENTATION_GROUP {absent} (actor_segmentation_groups.ndjson:2)"),
                    format!("waits for: ACTOR {} (cases.ndjson:1)", ids.of("late")),
                    format!("waits for: OBSERVATION {} (cases.ndjson:1)", ids.of("o")),
                    format!("waits for: COMMUNICATION {mail} (cases.ndjson:1)"),
                    "waits for an earlier item about the same thing (cases.ndjson:2)".to_owned(),
                    format!("waits for: WORKFLOW {} (cases.ndjson:3)", ids.of("workflow")),
                ],
            ),
            Way::ToStore => (
                "accepted 3\nfailed   3\nskipped  0\n",
                vec![
                    "actor_id: must match an actor that was ingested (actor_segmentation_groups.ndjson:1)".to_owned(),
                    "group_id: must match a segmentation group that was made (actor_segmentation_groups.ndjson:2)".to_owned(),
                    "workflow_id: there is no workflow with this id for cases of the type ANALYSIS (cases.ndjson:3)".to_owned(),
                ],
            ),
        };
        assert!(summary.starts_with(counts), "{way:?} {summary}");
        for reason in reasons {
            assert!(summary.contains(&reason), "{way:?} {reason} in\n{summary}");
        }
        let is_there = server.get(&format!("/api/cases/{case}")).await.status == 200;
        assert_eq!(is_there, way == Way::ToStore);
        if is_there {
            let unknown = json!([{"node": {"known": false, "type": null, "subject": null, "content": null, "customData": null}}]);
            assert_eq!(shown(&server, &case).await["communications"], unknown);
            server.post("/api/cases", json!({"communications": [{"communication_id": mail, "subject": "Told"}]}).to_string()).await.expect(200);
            let known = json!([{"node": {"known": true, "type": null, "subject": "Told", "content": null, "customData": null}}]);
            assert_eq!(shown(&server, &case).await["communications"], known);
        }
        // What has come then is what was named.
        server.post("/api/actors", actor(&ids.of("late")).to_string()).await.expect(200);
        let rest = folder(&[("observations", vec![observation(&ids.of("o"), &ids.of("late"))]), ("communications", vec![message(&mail)])]);
        assert_eq!(Way::ToServer.import(&rest, &mut server).trim(), "accepted 2\nfailed   0\nskipped  0", "{way:?}");
        arrived(&server, &format!("/api/cases/{case}")).await;
        eventually("it is changed, too", SOON, async || shown(&server, &case).await["resolution"] == "done").await;
        let made = shown(&server, &case).await;
        assert_eq!((&made["actors"][0]["id"], &made["observations"][0]["id"]), (&json!(ids.of("late")), &json!(ids.of("o"))), "{way:?}");
        assert_eq!((&made["communications"][0]["node"]["known"], &made["communications"][1]), (&json!(true), &Value::Null), "{way:?}");
        if way == Way::ToServer {
            eventually("the member is there", SOON, async || members(&server, &group).await == json!([ids.of("late")])).await;
        }
    }
}

/// An import that died between the store's answer and its own note brings the same again under the same name.
async fn lines_that_come_again_change_nothing(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        // Notes about a store are notes about what is in it.
        server.post("/api/actors", actor(&ids.of("anna")).to_string()).await.expect(200);
        let case = case_id();
        let files = folder(&[("cases", vec![json!({"id": case, "c__a": [1]}), json!({"id": case, "c__a": [2]}), json!({"id": case, "c__a": [3]})])]);
        let broken_off = folder(&[("cases", vec![json!({"id": case, "c__a": [1]}), json!({"id": case, "c__a": [2]})])]);
        for (folder, lines) in [(&broken_off, 2), (&files, 3), (&files, 3)] {
            if way == Way::ToServer && lines == 2 {
                // A server knows requests, not lines: those of another length are others.
                continue;
            }
            note(folder, &server, way, &ids.0);
            assert_eq!(way.import(folder, &mut server).trim(), format!("accepted {lines}\nfailed   0\nskipped  0"), "{way:?}");
        }
        assert_eq!(shown(&server, &case).await["c__a"], json!([1, 2, 3]), "{way:?}");
        let changes = format!("MATCH (a:AuditEntry) WHERE a.objectId = '{case}' AND a.logType = 'UPDATE'");
        let entries = server.cypher(&format!("{changes} RETURN a.action AS action ORDER BY a.timestamp, action"));
        let action = |action: &str| json!({"action": action});
        assert_eq!(entries, [action("case.created"), action("case.updated"), action("case.updated")], "{way:?}");
        assert!(!files.path().join(".amlgraph-import.json").exists(), "it has come to its end");
    }
}

/// Straight into a store: the last line is the last word, also when it says what the first has said; and of a case whose first line is refused nothing is made.
async fn lines_about_one_case_count_in_their_order(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (back, never) = (case_id(), case_id());
    let said = |resolution: &str| json!({"id": back, "resolution": resolution});
    let refused = json!({"id": never, "workflow_id": ids.of("unknown"), "observation_ids": [ids.of("observation")]});
    let files = folder(&[("cases", vec![said("a"), said("b"), said("a"), refused, json!({"id": never, "resolution": "done"})])]);
    let (summary, _) = to_store(&files, &mut server);
    assert!(summary.starts_with("accepted 3\nfailed   2\nskipped  0\n"), "{summary}");
    assert!(summary.lines().any(|line| line.contains("an earlier line") && line.contains("(cases.ndjson:5)")), "{summary}");
    assert_eq!(shown(&server, &back).await["resolution"], "a");
    server.get(&format!("/api/cases/{never}")).await.expect(404);
}

/// Leaves a note of an import that has got nowhere yet.
fn note(folder: &TempDir, server: &Server, way: Way, run: &str) {
    let target = match way {
        Way::ToServer => server.base.clone(),
        Way::ToStore => server.store.name(),
    };
    let note = json!({target: {"run": run}}).to_string();
    std::fs::write(folder.path().join(".amlgraph-import.json"), note).expect("a file");
}

/// However their texts sort: all lines of a pair are in one batch.
async fn of_lines_about_one_associate_the_last_counts(engine: Engine) {
    for way in WAYS {
        let (mut server, ids) = (Server::start(engine), Ids::new());
        let ratios = [[0.9, 0.1], [0.1, 0.9], [0.5, 0.4]];
        let line = |pair: usize, ratio: f64| {
            let associate = json!({"id": ids.of(&format!("owner-{pair}")), "type": "INVESTOR", "ratio": ratio});
            json!({"actor_id": ids.of("company"), "actorAssociates": [associate], "asOfDate": "2024-01-01"})
        };
        let lines = [0, 1].into_iter().flat_map(|turn| (0..ratios.len()).map(move |pair| (pair, ratios[pair][turn])));
        let lines = lines.map(|(pair, ratio)| line(pair, ratio)).collect();
        let files = folder(&[("associates", lines)]);
        assert_eq!(way.import(&files, &mut server).trim(), "accepted 6\nfailed   0\nskipped  0", "{way:?}");
        let stored = server
            .cypher(&format!("MATCH (:Actor {{id: '{}'}})-[r:ASSOCIATED_WITH]-(a:Actor) RETURN r.ratio AS ratio ORDER BY a.id", ids.of("company")));
        assert_eq!(stored, ratios.map(|said| json!({"ratio": said[1]})), "{way:?}");
    }
}
