//! Rows of the hottest statements as Neo4j gets them: as lists, and not as maps that say each name again in every row.
//!
//! A payment's row has some sixty names, about half of what is sent of a short one. Each is allocated, hashed, copied and written here, and read, hashed
//! and put into a map there. So where a statement goes through `$batch.rows` and asks of a row nothing but its members, `row.id` becomes `row[0]`, and the
//! row a list in this order; the same with maps in it that have a name of their own (`row.props AS p`). The files stay as they are, and the embedded
//! engine, for which nothing is sent, runs them as they are.

use std::collections::BTreeMap;

use crate::scan::{name_at, without_comments, words};
use crate::{Params, Value};

/// Statements whose rows go as lists.
const PACKED: [&str; 4] = ["actor/record_newer", "transaction/record", "transaction/record_by_number", "transaction/record_one_sided"];
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
    let mut packed = text.to_owned();
    // From the end, so that all before it stays where it was found.
    for (at, (name, place)) in places.into_iter().rev() {
        packed.replace_range(at..at + ".".len() + name.len(), &format!("[{place}]"));
    }
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
        // The longest maps are made in much the same order as they are asked, so that the next column is mostly a short way off.
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

    /// Anything else would be given a list for a map, or read a list in another order than it is sent in.
    #[test]
    fn of_what_is_packed_nothing_but_members_is_asked() {
        for label in PACKED {
            let statement = ALL.iter().find(|statement| statement.label == label).expect("a statement of the catalogue");
            let code = without_comments(statement.text);
            assert_eq!(code.matches("$batch.rows").count(), 1, "{label}");
            let row = name_at(&code, code.find(UNWIND).expect("rows") + UNWIND.len());
            let (_, packing) = packed(label, statement.text).expect("packed");
            nothing_but_members(label, &code, row, &packing);
        }
    }

    fn nothing_but_members(label: &str, code: &str, map: &str, packing: &Packing) {
        let mut made = 0;
        for at in words(code, map) {
            let here = format!("{label}: {}", &code[at..(at + 40).min(code.len())]);
            assert!(!code[..at].ends_with(['$', '.']), "{here}");
            let is_asked = code[at + map.len()..].starts_with('.');
            let is_made = code[..at].trim_end().ends_with(" AS");
            assert!(is_asked || is_made || is_passed_on(code, at, map), "{here}");
            made += usize::from(is_made);
        }
        assert_eq!(made, 1, "{label}: {map}");
        for Column { name, members } in packing.0.iter() {
            let Some(members) = members else { continue };
            let member = format!("{map}.{name}");
            let places: Vec<usize> = words(code, &member).collect();
            assert_eq!(places.len(), 1, "{label}: {member} has a name of its own, and is asked for elsewhere");
            let alias = code[places[0] + member.len()..].strip_prefix(" AS ").map(|rest| name_at(rest, 0)).expect("its name");
            nothing_but_members(label, code, alias, members);
        }
    }

    /// Whether it stands by itself among what a WITH keeps.
    fn is_passed_on(code: &str, at: usize, name: &str) -> bool {
        let Some(with) = words(&code[..at], "WITH").last() else { return false };
        let between = code[with + "WITH".len()..at].trim();
        let rest = code[at + name.len()..].trim_start();
        let depth = between.matches(['(', '[', '{']).count() as i64 - between.matches([')', ']', '}']).count() as i64;
        let is_in_it =
            ["MATCH", "MERGE", "CREATE", "SET", "FOREACH", "UNWIND", "WHERE", "RETURN"].iter().all(|word| words(between, word).next().is_none());
        depth == 0 && is_in_it && (between.is_empty() || between.ends_with(',')) && (rest.starts_with([',', '\n']) || rest.starts_with("WHERE"))
    }
}
