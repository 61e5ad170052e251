//! What is no statement to be taken, and why.

use std::fs;

use cypher::{FolderError, LoadedStatement, Params, Value, check_folder};

const HEADER: &str = "// Why.\n// $id: STRING\n// returns: x\n";

/// What stands below the header that is above, and a word of the reason.
const BODIES: &[(&str, &str)] = &[
    // Changes.
    ("MATCH (n:Actor {id: $id}) SET n.status = 'x' RETURN n.id AS x", "changes the graph"),
    ("CREATE (n:Actor {id: $id}) RETURN n.id AS x", "changes the graph"),
    ("MERGE (n:Actor {id: $id}) RETURN n.id AS x", "changes the graph"),
    ("MATCH (n:Actor {id: $id}) DETACH DELETE n RETURN 1 AS x", "changes the graph"),
    ("MATCH (n:Actor {id: $id}) REMOVE n.status RETURN n.id AS x", "changes the graph"),
    ("MATCH (n:Actor {id: $id}) FOREACH (i IN [1] | SET n.status = 'x') RETURN n.id AS x", "changes the graph"),
    ("MATCH (n:Actor {id: $id}) CALL { WITH n SET n.status = 'x' RETURN 1 AS x } RETURN x", "CALL"),
    ("MATCH (n:Actor {id: $id}) WHERE EXISTS { CREATE (m:Actor {id: 'x'}) } RETURN n.id AS x", "the statement: "),
    // Without an end.
    ("MATCH (n:Actor {id: $id})-[:ASSOCIATED_WITH*]->(b) RETURN b.id AS x", "no end"),
    ("MATCH (n:Actor {id: $id})-[:ASSOCIATED_WITH*2..]->(b) RETURN b.id AS x", "no end"),
    ("MATCH (n:Actor {id: $id})-[:ASSOCIATED_WITH*1..7]->(b) RETURN b.id AS x", "7 links"),
    ("MATCH (n:Actor {id: $id})-[:ASSOCIATED_WITH*1..4]->(b)-[:ASSOCIATED_WITH*1..3]->(c) RETURN c.id AS x", "7 links"),
    ("MATCH (n:Account {id: $id}) MATCH p = shortestPath((n)-[:TRANSFERRED_TO*]->(b:Account)) RETURN length(p) AS x", "no end"),
    ("MATCH (n:Actor {id: $id}) WHERE EXISTS { (n)-[:ASSOCIATED_WITH*]->(:Actor) } RETURN n.id AS x", "no end"),
    ("UNWIND range(1, 1000000000) AS x WITH x WHERE x > 1 AND $id = 'x' RETURN x", "how long"),
    ("UNWIND range(1, toInteger($id)) AS x RETURN x", "how long"),
    ("MATCH (n:Actor {id: $id}) MATCH (b:Account) RETURN b.id AS x", "nothing in common"),
    ("MATCH (n:Actor), (b:Account) WHERE n.id < b.id AND n.status = $id RETURN b.id AS x", "nothing in common"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id AS x UNION MATCH (n:Account {id: $id}) RETURN n.id AS x", "no end in common"),
    ("MATCH (n:Actor {id: $id})-[:HAS_ROLE]->(a:Account) RETURN a.id AS x LIMIT 20000", "more than the 10000"),
    ("MATCH (n:Actor {id: $id})-[:HAS_ROLE]->(a:Account) RETURN a.id AS x LIMIT $id", "is a number"),
    // What the service keeps for itself.
    ("MATCH (n:ApiKey {id: $id}) RETURN n.id AS x", "ApiKey"),
    ("MATCH (n:IdempotencyKey {id: $id}) RETURN n.createdAt AS x", "IdempotencyKey"),
    ("MATCH (n {id: $id}) RETURN n.hash AS x", "hash"),
    // The nineteen rules, as far as they are about reads.
    ("MATCH (n:Actor {id: $id}) RETURN n.type AS x", "(rule 1)"),
    ("MATCH (n:Event {caseId: $id}) RETURN n.id AS x", "(rule 2)"),
    ("MATCH (n:Actor {id: $id}) RETURN count(*) AS end", "backticks"),
    ("MATCH (n:Actor {id: $id}) /* why */ RETURN n.id AS x", "(rule 5)"),
    ("MATCH (n:Actor {id: $id}) WITH n, 1 AS y RETURN n{.id, y} AS x", "(rule 7)"),
    ("MATCH (n:Actor {id: $id}) RETURN n AS x", "(rule 7)"),
    ("MATCH (n:Actor {id: $id}) RETURN n{.*} AS x", "name what is wanted"),
    ("MATCH (a:Account {id: $id}), p = shortestPath((a)-[:TRANSFERRED_TO*1..3]-(b:Account)) RETURN length(p) AS x", "(rule 8)"),
    ("MATCH (n:Transaction {id: $id}) RETURN n.createdAt - timestamp() AS x", "(rule 9)"),
    ("MATCH (n:Actor) WITH n ORDER BY n.status LIMIT 5 RETURN n.id + $id AS x", "(rule 10)"),
    ("MATCH (n:Actor {id: $id}) WHERE n.recordedAt < 5 AND coalesce(n.asOfDate, '') = '' RETURN n.id AS x", "(rule 12)"),
    ("MATCH (n:Actor {id: $id}) WITH n WHERE n.recordedAt < 5 AND NOT n:Placeholder RETURN n.id AS x", "(rule 12)"),
    (
        "MATCH (n:Account {id: $id})<-[r:SIGNED_IN]-(:Device)-[:SEEN_AT]->(b:IpAddress) WHERE r.ipAddress = b.id RETURN count(DISTINCT b) AS x",
        "(rule 13)",
    ),
    ("MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-[:HAS_ROLE]->(a:Account) WITH a, count(*) AS x RETURN x", "(rule 15)"),
    ("MATCH (n:Transaction) WHERE n.createdAt > 1 AND n.status = $id WITH n LIMIT 5 RETURN min(n.amount) AS x, count(*) AS y", "(rule 17)"),
    ("MATCH (n:Transaction {id: $id}) RETURN n.counterpartyNumbers + ['y'] AS x", "(rule 18)"),
    ("MATCH (n:Account {id: $id})-[:SENT]->(t:Transaction) RETURN sum(t.amountUnits) AS x, count(*) AS y", "(rule 19)"),
    // What one engine has alone.
    ("CALL db.labels() YIELD label RETURN label AS x", "CALL"),
    ("CALL apoc.meta.stats() YIELD labels RETURN labels AS x", "APOC"),
    ("LOAD CSV FROM $id AS row RETURN row AS x", "files are read by no statement"),
    ("USE other MATCH (n:Actor {id: $id}) RETURN n.id AS x", "begins with"),
    ("EXPLAIN MATCH (n:Actor {id: $id}) RETURN n.id AS x", "begins with"),
    ("PROFILE MATCH (n:Actor {id: $id}) RETURN n.id AS x", "begins with"),
    ("CYPHER 25 MATCH (n:Actor {id: $id}) RETURN n.id AS x", "begins with"),
    ("CREATE INDEX FOR (n:Actor) ON (n.status)", "begins with"),
    ("SHOW INDEXES YIELD name RETURN name AS x", "begins with"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id AS x; MATCH (n:Actor) DETACH DELETE n", "one statement"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id AS x;", "without a semicolon"),
    ("MATCH (n:Actor {id: $id}) RETURN elementId(n) AS x", "elementid"),
    ("MATCH (n:Actor {id: $id}) RETURN id(n) AS x", "`id()`"),
    ("MATCH (n:Actor {id: $id}) RETURN tolwer(n.status) AS x", "`tolower()`?"),
    ("MATCH (n:Actor {id: $id}) WITH n, n.status AS s WHERE s != 'x' RETURN n.id AS x", "`<>`"),
    ("MATCH (n:Actor {id: $id}) WITH n, n.status AS s WHERE s =~ 'x.*' RETURN n.id AS x", "regular expressions"),
    ("MATCH (n:Actor {id: $id}) RETURN 'a\\u0027b' AS x", "as they are"),
    ("MATCH (n:Actor {id: $id}) RETURN COLLECT { MATCH (n)--(b) RETURN b.id } AS x", "COLLECT"),
    ("MATCH (n:Actor {id: $id} WHERE n.status = 'x') RETURN n.id AS x", "behind the pattern"),
    // Names.
    ("MATCH (n:Akteur {id: $id}) RETURN n.id AS x", "no label `Akteur`"),
    ("MATCH (n:Acount {id: $id}) RETURN n.id AS x", "no label `Acount`: `Account`?"),
    ("MATCH (n:Account {id: $id})-[:SEND]->(t) RETURN t.id AS x", "no type of link `SEND`: `SENT`?"),
    ("MATCH (n:Transaction {id: $id}) RETURN n.amout AS x", "no property `amout`: `amount`?"),
    ("MATCH (n:Transaction {id: $id}) RETURN n{.currncy} AS x", "`currency`?"),
    ("MATCH (n:Actor {id: $id}) WHERE n:Placholder RETURN n.id AS x", "`Placeholder`?"),
    // What header and statement say.
    ("MATCH (n:Actor {id: $ids}) RETURN n.id AS x", "$ids: it is not declared (`$id`?)"),
    ("MATCH (n:Actor {id: 'x'}) RETURN n.id AS x", "$id: it is declared"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id AS y", "does not answer with a column `x`"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id AS x, n.status AS y", "column `y` is not in"),
    ("MATCH (n:Actor {id: $id}) RETURN n.id", "column 1 has no name"),
    ("MATCH (n:Actor {id: $id})", "RETURN"),
    ("", "begins with"),
    ("MTCH (n:Actor {id: $id}) RETURN n.id AS x", "MTCH"),
];

/// Whole texts, and a word of the reason.
const HEADERS: &[(&str, &str)] = &[
    ("// returns: x\nRETURN 1 AS x", "what the statement is for"),
    ("// Why.\nRETURN 1 AS x", "which columns are answered"),
    ("// Why.\n// $id: TEXT\n// returns: x\nRETURN $id AS x", "line 2: \"TEXT\" is no type"),
    ("// Why.\n// $id: STRNG\n// returns: x\nRETURN $id AS x", "(`STRING`?)"),
    ("// Why.\n// $ids: LIST<STRNG>\n// returns: x\nRETURN $ids AS x", "(`LIST<STRING>`?)"),
    ("// Why.\n// $id STRING\n// returns: x\nRETURN $id AS x", "a parameter is declared by"),
    ("// Why.\n// $id: STRING\n// $id: STRING\n// returns: x\nRETURN $id AS x", "line 3: `$id` is declared a second time"),
    ("// Why.\n// returns: x\n// returns: x\nRETURN 1 AS x", "line 3: `returns:` is said a second time"),
    ("// Why.\n// returns: x, x\nRETURN 1 AS x", "said twice"),
    ("// Why.\n// returns: x y,, z\nRETURN 1 AS x", "columns are names"),
    ("// Why.\n// returns: x\n// limit: 51s\nRETURN 1 AS x", "50 s at most"),
    ("// Why.\n// returns: x\n// limit: 0s\nRETURN 1 AS x", "50 s at most"),
    ("// Why.\n// returns: x\n// limit: soon\nRETURN 1 AS x", "50 s at most"),
    ("// Why.\n// returns: x\n// rows: 100001\nRETURN 1 AS x", "between 1 and 100000"),
    ("// Why.\n// returns: x\n// rows: 0\nRETURN 1 AS x", "between 1 and 100000"),
    ("// Why.\n// returns: x\n// columns: 5\nRETURN 1 AS x", "no line of a header"),
    ("// Why.\n// returns: x\n// allows: 19 because they are few\nRETURN 1 AS x", "do not count"),
];

fn faults(text: &str) -> Vec<String> {
    LoadedStatement::read("refused", text).err().into_iter().flatten().map(|fault| fault.to_string()).collect()
}

pub fn each_fault_is_told_with_its_reason() {
    let mut wrong = Vec::new();
    let bodies = BODIES.iter().map(|(body, reason)| (format!("{HEADER}{body}"), *reason));
    for (text, reason) in bodies.chain(HEADERS.iter().map(|(text, reason)| ((*text).to_owned(), *reason))) {
        let faults = faults(&text);
        if !faults.iter().any(|fault| fault.contains(reason)) {
            wrong.push(format!("{text}\n  wanted {reason:?}, and not {faults:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let long = format!("{HEADER}MATCH (n:Actor {{id: $id}}) RETURN n.id AS x //{}", "x".repeat(70_000));
    assert!(faults(&long)[0].contains("65536 at most"));
}

pub fn all_faults_are_told_at_once() {
    let text = "// Why.\n// $from: INTEGR\n// returns: actor, anchr\n\
        MATCH (n:Actr {id: $id})-[:HAS_ROLE*]->(a:Account)\nRETURN n.id AS actor, a.amout AS anchor, timestamp() AS now";
    let found = faults(text);
    for wanted in [
        "line 2:",
        "`Actor`?",
        "no end",
        "`amount`?",
        "rule 9",
        "$id: it is not declared",
        "column `anchr` (`anchor`?)",
        "column `anchor`",
        "column `now`",
    ] {
        assert!(found.iter().any(|fault| fault.contains(wanted)), "{wanted}: {found:#?}");
    }
    // Lines are those of the file.
    let found = faults(&format!("{HEADER}MATCH (n:Actor {{id: $id}})\nRETURN n.id AS AS x"));
    assert!(found.iter().any(|fault| fault.contains("line 5")), "{found:#?}");
}

pub fn what_is_given_is_what_is_declared() {
    let text = "// Why.\n// $whole: INTEGER\n// $part: FLOAT\n// $texts: LIST<STRING>\n// $note: STRING?\n// returns: x\n\
        RETURN [$whole, $part, $texts, $note] AS x";
    let statement = LoadedStatement::read("given", text).unwrap_or_else(|faults| panic!("{faults:?}"));
    let right = || Params::none().with("whole", 1i64).with("part", 1i64).with("texts", vec!["a"]).with("note", Value::Null);
    assert!(statement.given(right()).is_ok());
    for (given, wanted) in [
        (right().replacing("whole", 1.5), vec!["$whole: it is a FLOAT, and not INTEGER"]),
        (right().replacing("texts", Value::List(vec!["a".into(), 1i64.into()])), vec!["$texts: member 1: it is an INTEGER, and not STRING"]),
        (right().replacing("texts", "a"), vec!["$texts: it is a STRING, and not LIST<STRING>"]),
        (right().replacing("part", Value::Null), vec!["$part: it is null"]),
        (right().with("noted", 1i64), vec!["$noted: the statement has no such parameter (`$note`?)"]),
        (right().with("whole", 2i64), vec!["$whole: it is given a second time"]),
        (Params::none().with("whole", "x"), vec!["$whole: it is a STRING", "$part: it is missing", "$texts: it is missing", "$note: it is missing"]),
    ] {
        let faults: Vec<String> = statement.given(given).expect_err("it is refused").iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), wanted.len(), "{faults:?}");
        for (fault, wanted) in faults.iter().zip(wanted) {
            assert!(fault.starts_with(wanted), "{fault}");
        }
    }
}

pub fn a_folder_is_read_within_its_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("written");
    assert!(matches!(check_folder(&folder.path().join("none")), Err(FolderError::Unreadable { .. })));
    write("notes.txt", b"nothing");
    assert!(matches!(check_folder(folder.path()), Err(FolderError::Empty(_))));
    write("b.cypher", b"// Why.\r\n// returns: x\r\nRETURN 1 AS x\r\n");
    write("a.cypher", b"\xff");
    write("C d.cypher", b"// Why.\n// returns: x\nRETURN 1 AS x");
    write("e.cypher", &vec![b' '; 70_000]);
    fs::create_dir(folder.path().join("f.cypher")).expect("a folder");
    let files = check_folder(folder.path()).expect("it is read");
    let told: Vec<(&str, String)> = files
        .iter()
        .map(|file| match &file.outcome {
            Ok(statement) => (file.name.as_str(), statement.label().to_owned()),
            Err(faults) => (file.name.as_str(), faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
        })
        .collect();
    let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["C d.cypher", "a.cypher", "b.cypher", "e.cypher", "f.cypher"]);
    for ((name, told), wanted) in told.iter().zip(["small letters", "no UTF-8", "data/b", "more than 65536 bytes", "it is none"]) {
        assert!(told.contains(wanted), "{name}: {told}");
    }
    for number in 0..501 {
        write(&format!("x{number}.cypher"), b"");
    }
    assert!(matches!(check_folder(folder.path()), Err(FolderError::TooLarge(_))));
}
