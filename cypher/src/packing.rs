//! Rows of the hottest statements as Neo4j gets them: as lists, and not as maps that say each name again in every row.
//!
//! A payment's row has some seventy names, half of what is sent of it. Each is allocated, hashed, copied and written here, and read, hashed and put into a
//! map there. So where a statement goes through `$batch.rows` and asks of a row nothing but its members, `row.id` becomes `row[0]`, and the
//! row a list in this order; the same with maps in it that have a name of their own (`row.props AS p`). The files stay as they are, and the embedded
//! engine, for which nothing is sent, runs them as they are.

use std::collections::BTreeMap;

use crate::scan::{is_in_a_name, without_comments, words};
use crate::{Params, Value};

/// Statements whose rows go as lists.
const PACKED: [&str; 3] = ["actor/record_newer", "transaction/record", "transaction/record_one_sided"];
/// The parameter that has the rows, their name in it, and how a statement begins to go through them.
const BATCH: &str = "batch";
const ROWS: &str = "rows";
const UNWIND: &str = "UNWIND $batch.rows AS ";

/// The members of a map that a statement asks for: their places in the list that is sent for it.
#[derive(Debug, PartialEq)]
pub(crate) struct Packing(Vec<Column>);

#[derive(Debug, PartialEq)]
struct Column {
    name: String,
    /// Of a map that is a list, too.
    members: Option<Packing>,
}

/// The text of a statement that asks for places, and the order of these; none of a statement whose rows go as maps.
pub(crate) fn packed(label: &str, text: &str) -> Option<(String, Packing)> {
    PACKED.contains(&label).then(|| by_places(text)).flatten()
}

fn by_places(text: &str) -> Option<(String, Packing)> {
    let code = without_comments(text);
    let row = name_at(&code, code.find(UNWIND)? + UNWIND.len());
    // By where each stands that is replaced.
    let mut places = BTreeMap::new();
    let packing = members_of(&code, row, &mut places);
    let mut packed = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, (name, place)) in places {
        packed.push_str(&text[copied..at]);
        packed.push_str(&format!("[{place}]"));
        copied = at + 1 + name.len();
    }
    packed.push_str(&text[copied..]);
    Some((packed, packing))
}

/// What is asked of a map, in the order in which it is first asked for. `places` gets where each `.name` stands, and its place.
fn members_of<'a>(code: &'a str, map: &str, places: &mut BTreeMap<usize, (&'a str, usize)>) -> Packing {
    let mut columns: Vec<Column> = Vec::new();
    for at in words(code, map).map(|at| at + map.len()).filter(|at| code[*at..].starts_with('.')) {
        let name = name_at(code, at + 1);
        let place = columns.iter().position(|column| column.name == name).unwrap_or(columns.len());
        places.insert(at, (name, place));
        if place == columns.len() {
            columns.push(Column { name: name.to_owned(), members: None });
        }
        if let Some(alias) = code[at + 1 + name.len()..].strip_prefix(" AS ").map(|rest| name_at(rest, 0))
            && words(code, alias).any(|at| code[at + alias.len()..].starts_with('.'))
        {
            columns[place].members = Some(members_of(code, alias, places));
        }
    }
    Packing(columns)
}

fn name_at(code: &str, begin: usize) -> &str {
    let end = code[begin..].find(|character| !is_in_a_name(Some(character))).unwrap_or(code.len() - begin);
    &code[begin..begin + end]
}

impl Packing {
    /// The parameters with their rows as lists.
    pub(crate) fn pack(&self, mut params: Params) -> Params {
        let batch = params.0.iter_mut().find(|(name, _)| name == BATCH).map(|(_, value)| value);
        if let Some(Value::Map(lists)) = batch
            && let Some((_, Value::List(rows))) = lists.iter_mut().find(|(name, _)| name == ROWS)
        {
            rows.iter_mut().for_each(|row| self.pack_row(row));
        }
        params
    }

    /// What the statement does not ask for is not sent; what a row has not is null, as it is to a statement that asks a map for it.
    fn pack_row(&self, row: &mut Value) {
        let Value::Map(entries) = row else { return };
        let mut values = vec![Value::Null; self.0.len()];
        // Rows are made in much the same order as they are asked in, so that the next column is a short way off.
        let mut next = 0;
        for (name, mut value) in std::mem::take(entries) {
            let columns = self.0[next..].iter().chain(&self.0[..next]);
            if let Some((passed, column)) = columns.enumerate().find(|(_, column)| column.name == name) {
                if let Some(members) = &column.members {
                    members.pack_row(&mut value);
                }
                let at = (next + passed) % self.0.len();
                values[at] = value;
                next = (at + 1) % self.0.len();
            }
        }
        *row = Value::List(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;
    use crate::statements::ALL;

    fn column(name: &str, members: Option<Packing>) -> Column {
        Column { name: name.to_owned(), members }
    }

    #[test]
    fn members_become_places() {
        let text = "// row.id\nUNWIND $batch.rows AS row MATCH (a {id: row.id, x: 'row.id'})\nWITH a, row, row.props AS p, row.at AS at\nCREATE (b {id: row.id, n: p.n, arrow.id})";
        let wanted = "// row.id\nUNWIND $batch.rows AS row MATCH (a {id: row[0], x: 'row.id'})\nWITH a, row, row[1] AS p, row[2] AS at\nCREATE (b {id: row[0], n: p[0], arrow.id})";
        let (packed, packing) = by_places(text).expect("a statement of rows");
        assert_eq!(packed, wanted);
        let p = Packing(vec![column("n", None)]);
        assert_eq!(packing, Packing(vec![column("id", None), column("props", Some(p)), column("at", None)]));
        assert_eq!(by_places("UNWIND $rows AS row RETURN row.id"), None);
        assert_eq!(packed_labels(), PACKED);
    }

    fn packed_labels() -> Vec<&'static str> {
        ALL.iter().filter(|statement| packed(statement.label, statement.text).is_some()).map(|statement| statement.label).collect()
    }

    #[test]
    fn rows_become_lists() {
        let props = Packing(vec![column("n", None), column("m", None)]);
        let packing = Packing(vec![column("id", None), column("props", Some(props)), column("at", None)]);
        for (row, wanted) in [
            (map([("id", "a".into()), ("props", map([("n", 1i64.into()), ("m", 2i64.into())])), ("at", 3i64.into())]), "[a, [1, 2], 3]"),
            (map([("at", 3i64.into()), ("other", 4i64.into()), ("id", "a".into())]), "[a, null, 3]"),
            (map([("props", map([("m", 2i64.into())]))]), "[null, [null, 2], null]"),
        ] {
            let params = Params::none().with("batch", map([("rows", vec![row].into()), ("numbers", Value::List(vec![]))]));
            let packed = packing.pack(params);
            let batch = &packed.0[0].1;
            assert_eq!(shown(&batch.get("rows").as_list()[0]), wanted);
            assert_eq!(batch.get("numbers"), &Value::List(vec![]));
        }
    }

    fn shown(value: &Value) -> String {
        match value {
            Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Value::Null => "null".to_owned(),
            Value::Int(int) => int.to_string(),
            value => value.as_text().unwrap_or("?").to_owned(),
        }
    }

    /// A list in the place of a map would be taken for something else where a statement passes the whole of it to a function, or gives its name to another.
    #[test]
    fn of_what_is_packed_nothing_but_members_is_asked() {
        for statement in ALL.iter().filter(|statement| PACKED.contains(&statement.label)) {
            let code = without_comments(statement.text);
            let row = name_at(&code, code.find(UNWIND).expect("rows") + UNWIND.len());
            let inner =
                words(&code, row).filter_map(|at| code[at + row.len()..].strip_prefix('.')?.split_once(" AS ").map(|(_, rest)| name_at(rest, 0)));
            let (_, packing) = packed(statement.label, statement.text).expect("packed");
            let packed_inner: Vec<&str> = inner.filter(|alias| words(&code, alias).any(|at| code[at + alias.len()..].starts_with('.'))).collect();
            assert!(packing.0.iter().filter(|column| column.members.is_some()).count() > 0, "{}", statement.label);
            for name in packed_inner.into_iter().chain([row]) {
                let (mut made, mut used) = (0, 0);
                for at in words(&code, name) {
                    let before = code[..at].trim_end();
                    let rest = code[at + name.len()..].trim_start();
                    let is_made = before.ends_with(" AS");
                    let is_passed_on = (before.ends_with("WITH") || before.ends_with(',')) && (rest.starts_with(',') || rest.starts_with("WHERE"));
                    let is_asked = code[at + name.len()..].starts_with('.');
                    assert!(is_made || is_passed_on || is_asked, "{}: {name} at {}", statement.label, &code[at..(at + 40).min(code.len())]);
                    made += usize::from(is_made);
                    used += usize::from(is_asked);
                }
                assert!(made == 1 && used > 0, "{}: {name} is made {made} times", statement.label);
            }
        }
    }
}
