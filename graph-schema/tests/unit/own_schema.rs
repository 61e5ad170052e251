use graph_schema::fault::Fault;
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use graph_schema::own_schema::OwnSchema;
use graph_schema::testing::own_schema::MAX_BYTES;
use serde_json::{Value, json};

fn compiled(schema: &Value) -> Result<OwnSchema, String> {
    OwnSchema::compile(&JsonObject::parse(&schema.to_string()).unwrap())
}

#[test]
fn what_breaks_a_schema_is_told_by_place() {
    let schema = json!({"type": "object", "properties": {"level": {"$ref": "#/$defs/level"}, "since": {"type": "string", "format": "date"}},
        "required": ["level"], "additionalProperties": false, "$defs": {"level": {"enum": ["low", "high"]}}});
    let schema = compiled(&schema).unwrap();
    let faults = |value: Value| {
        let mut faults = Vec::new();
        schema.check(&JsonText::parse(&value.to_string()).unwrap(), "c__risk", &mut faults);
        faults.iter().map(Fault::to_string).collect::<Vec<_>>()
    };
    assert_eq!(faults(json!({"level": "low", "since": "2024-01-31"})), Vec::<String>::new());
    assert_eq!(faults(json!("low")), ["c__risk: must be an object, not a string"]);
    let mut found = faults(json!({"Level": "low", "since": "31.1.2024"}));
    found.sort();
    let wanted = ["c__risk.Level: unknown field (did you mean \"level\"?)", "c__risk.level: is required"];
    assert_eq!(found[..2], wanted);
    assert!(found[2].starts_with("c__risk.since: must be"), "{found:?}");
    assert_eq!(faults(json!({"level": "none"})), ["c__risk.level: must be one of low, high"]);
}

#[test]
fn what_could_cost_too_much_is_refused() {
    let laughs: serde_json::Map<String, Value> = (0..30)
        .map(|n| (format!("d{n}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", n + 1)}, {"$ref": format!("#/$defs/d{}", n + 1)}]})))
        .collect();
    let mut laughs = json!({"$ref": "#/$defs/d0", "$defs": laughs});
    laughs["$defs"]["d30"] = json!({});
    let deep = (0..120).fold(json!({}), |inner, _| json!({"items": inner}));
    // Each step is looked at when the one that it refers to is known.
    let steps: serde_json::Map<String, Value> =
        (0..200).map(|n| (format!("d{n:03}"), if n == 0 { json!({}) } else { json!({"$ref": format!("#/$defs/d{:03}", n - 1)}) })).collect();
    let ladder = json!({"$defs": steps});
    let table = [
        (json!({"$ref": "#"}), "refer to itself"),
        (json!({"allOf": [{"$ref": "#"}]}), "refer to itself"),
        (json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}), "refer to itself"),
        (json!({"properties": {"next": {"$ref": "#"}}}), "refer to itself"),
        (json!({"$ref": "https://example.com/schema"}), "part of this schema"),
        (json!({"$ref": "file:///etc/passwd"}), "part of this schema"),
        (json!({"$ref": "#/$defs/none"}), "part of this schema"),
        (json!({"$ref": "#/%64efs/a", "%64efs": {"a": {}}, "defs": {"a": {"$ref": "#/%64efs/a"}}}), "percent-encoded"),
        (json!({"$ref": "#/$defs/a%25", "$defs": {"a%25": {}}}), "percent-encoded"),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$id": "a", "$ref": "#/$defs/b", "$defs": {"b": {"$ref": "#/$defs/b"}}}, "b": {}}}),
            "at the top only",
        ),
        (json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"id": "a"}}}), "at the top only"),
        (json!({"properties": {"a": {"$schema": "http://json-schema.org/draft-04/schema#"}}}), "at the top only"),
        (json!({"$dynamicRef": "#a"}), "not taken"),
        (json!({"$schema": "https://example.com/draft"}), "JSON Schema"),
        (json!({"type": "nothing"}), "JSON Schema"),
        (json!({"pattern": "("}), "JSON Schema"),
        (json!({"pattern": "(?=a)b"}), "JSON Schema"),
        (json!({"description": "x".repeat(MAX_BYTES)}), "at most"),
        (laughs, "at most"),
        (json!({"pattern": "(a{1000}){1000}"}), "bytes compiled"),
        (json!({"pattern": "\\p{L}{1,1000}"}), "bytes compiled"),
        (json!({"patternProperties": {"^(x{999}){999}$": {}}}), "bytes compiled"),
        (json!({"items": {"not": {"pattern": "((a{100}){100}){100}"}}}), "bytes compiled"),
        (json!({"patternProperties": (0..201).map(|n| (format!("^a{n}b*"), json!({}))).collect::<serde_json::Map<_, _>>()}), "at most 200 patterns"),
        (json!({"allOf": vec![json!({"$ref": "#/$defs/a"}); 201], "$defs": {"a": {"pattern": "a+b"}}}), "at most 200 patterns"),
        (deep, "deeper"),
        (ladder, "deeper"),
    ];
    for (schema, problem) in table {
        match compiled(&schema) {
            Err(said) => assert!(said.contains(problem), "{schema}: {said}"),
            Ok(_) => panic!("{schema} is taken"),
        }
    }
}

#[test]
fn older_versions_are_taken_and_data_is_no_reference() {
    for schema in [
        json!({}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"type": "string"}}, "items": {"$ref": "#/definitions/a"}}),
        json!({"properties": {"$ref": {"type": "string"}, "id": {"default": "x"}}, "examples": [{"id": "x"}]}),
        json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": true}}),
        json!({"pattern": "^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$", "patternProperties": {"^\\p{L}[\\w -]{0,99}$": {"pattern": "^\\d{4}-\\d{2}$"}}}),
        json!({"allOf": (0..200).map(|n| json!({"pattern": format!("^[a-z]{{1,9}}{n}$")})).collect::<Vec<_>>()}),
    ] {
        assert!(compiled(&schema).is_ok(), "{schema}");
    }
}
