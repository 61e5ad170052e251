use graph_schema::given::check;
use graph_schema::workflow::NewWorkflow;
use serde_json::{Value, json};

fn workflow(steps: &[(&str, &str)], moves: &[(&str, &str, &str)]) -> Value {
    let steps: Vec<Value> = steps.iter().map(|(id, state)| json!({"id": id, "label": id, "status": "S", "state": state})).collect();
    let moves: Vec<Value> = moves.iter().map(|(action, from, to)| json!({"action": action, "from": from, "to": to})).collect();
    json!({"id": "w", "name": "W", "type": "ANALYSIS", "steps": steps, "moves": moves})
}

fn faults(value: Value) -> Vec<String> {
    let workflow: NewWorkflow = serde_json::from_value(value).unwrap();
    let mut at: Vec<String> = check(&workflow).err().map(|error| error.faults().iter().map(|fault| fault.at.clone()).collect()).unwrap_or_default();
    at.sort();
    at
}

#[test]
fn what_no_case_could_go_through_is_refused() {
    const OPEN: &str = "OPEN";
    const CLOSED: &str = "CLOSED";
    let right = [("a", OPEN), ("b", OPEN), ("z", CLOSED)];
    let moves = [("GO", "a", "b"), ("BACK", "b", "a"), ("CLOSE", "b", "z")];
    assert_eq!(faults(workflow(&right, &moves)), Vec::<String>::new());
    type Steps<'a> = &'a [(&'a str, &'a str)];
    type Moves<'a> = &'a [(&'a str, &'a str, &'a str)];
    let table: [(Steps, Moves, &[&str]); 8] = [
        (&[], &[], &["steps"]),
        (&[("a", CLOSED)], &[], &["steps[0].state"]),
        (&[("a", OPEN)], &[], &["steps"]),
        (&[("a", OPEN), ("a", CLOSED)], &[("GO", "a", "b")], &["moves[0].to", "steps[1].id"]),
        (&right, &[("GO", "a", "b"), ("GO", "a", "z"), ("CLOSE", "b", "z")], &["moves[1].action"]),
        (&right, &[("GO", "a", "a"), (" ", "x", "b")], &["moves[0].to", "moves[1].action", "moves[1].from"]),
        (&right, &[("CLOSE", "a", "z")], &["steps[1]"]),
        (&right, &[("GO", "a", "b"), ("CLOSE", "a", "z")], &["steps[1]"]),
    ];
    for (steps, moves, wanted) in table {
        assert_eq!(faults(workflow(steps, moves)), wanted, "{steps:?} {moves:?}");
    }
    let mut slashes = workflow(&right, &moves);
    slashes["id"] = json!("a/b");
    slashes["name"] = json!(" ");
    slashes["steps"][1]["id"] = json!("b/c");
    slashes["steps"][1]["label"] = json!("");
    let wanted = ["id", "moves[0].to", "moves[1].from", "moves[2].from", "name", "steps[1].id", "steps[1].label"];
    assert_eq!(faults(slashes), wanted);
    let many: Vec<(String, &str)> = (0..101).map(|n| (n.to_string(), OPEN)).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(id, state)| (id.as_str(), *state)).collect();
    assert_eq!(faults(workflow(&many, &[])), ["steps", "steps"]);
}
