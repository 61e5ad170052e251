//! The statement of a rule.
//!
//! It is a statement as data: it reads, it is bounded, and both engines answer it alike. Beside that it takes `$actors` or `$payments`, where
//! it begins, of `$from`, `$to`, `$knownUpTo` and `$countries` what it needs, and the passes of its rule by their names
//! (`$shared_by_at_most`); and it answers with `actor`, `anchor`, `transactions` and `measures`. The pass `window` is `$from` and `$to`, and
//! no parameter of its own.
//!
//! `$payments` are what the actors reported in the window, as it was known. A statement that begins there costs what the window has, however
//! long the history of an actor is.

use cypher::{AskedStatement, LoadedRows, LoadedStatement, ParameterType, Params, Row, Value};
use detection::{Fault, Mark, Pack, Quantity, Role, Rule, Search, Settings};

/// The file in a rule's folder.
const FILE: &str = "rule.cypher";
/// The columns, in the order of the alphabet.
const COLUMNS: [&str; 4] = ["actor", "anchor", "measures", "transactions"];
/// What a statement may be asked with beside the passes of its rule.
const PARAMETERS: [(&str, ParameterType); 6] = [
    ("actors", ParameterType::ListOfStrings),
    ("payments", ParameterType::ListOfStrings),
    ("from", ParameterType::Integer),
    ("to", ParameterType::Integer),
    ("knownUpTo", ParameterType::Integer),
    ("countries", ParameterType::ListOfStrings),
];
/// The pass that says how long the window is.
const WINDOW: &str = "window";
/// Decimals of a measure that count: beyond them, the order in which an engine sums may show.
const DECIMALS: usize = 6;

/// The statement of a rule, without faults. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MarkStatement {
    rule: Box<str>,
    statement: LoadedStatement,
}

/// What a statement is asked with.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// Ids of the actors that are monitored.
    pub actors: &'a [&'a str],
    /// Ids of the records by which they reported the payments of the window.
    pub payments: &'a [&'a str],
    /// The window, half-open, and what was known when: epoch milliseconds.
    pub from: i64,
    pub to: i64,
    pub known_up_to: i64,
    /// Codes of countries of high risk.
    pub countries: &'a [String],
}

/// A row that is no mark.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule {rule}: column {column} of a row of its statement must be {wanted}")]
pub struct InvalidMark {
    pub rule: String,
    pub column: &'static str,
    pub wanted: &'static str,
}

impl MarkStatement {
    /// The statement of a rule; nothing where it is a kernel. All faults are told at once.
    pub fn of(rule: &Rule) -> Result<Option<Self>, Vec<Fault>> {
        let Search::Statement(text) = &rule.search else { return Ok(None) };
        let file = format!("{}/{FILE}", rule.id);
        let fault = |place: &str, says: String| Fault { file: file.clone(), place: place.to_owned(), says };
        let statement = LoadedStatement::read(&rule.id, text)
            .map_err(|faults| faults.into_iter().map(|found| fault(&found.place, found.reason)).collect::<Vec<_>>())?;
        let mut faults: Vec<Fault> =
            faults_of_parameters(rule, &statement).into_iter().map(|(name, says)| fault(&format!("${name}"), says)).collect();
        let mut columns: Vec<&str> = statement.columns().iter().map(String::as_str).collect();
        columns.sort_unstable();
        if columns != COLUMNS {
            faults.push(fault("// returns", format!("it says {}; it must say {}", columns.join(", "), COLUMNS.join(", "))));
        }
        if faults.is_empty() { Ok(Some(Self { rule: rule.key().into(), statement })) } else { Err(faults) }
    }

    /// Whether it is given payments and no actors: then it marks nothing of an actor who reported none.
    pub fn begins_at_payments(&self) -> bool {
        let declares = |name: &str| self.statement.parameters().iter().any(|parameter| parameter.name == name);
        declares("payments") && !declares("actors")
    }

    /// The statement with its parameters. Passes have the values of the settings.
    pub fn asked(&self, asking: &Asking<'_>, settings: &Settings) -> Result<AskedStatement, Vec<cypher::Fault>> {
        let value = |name: &str, kind: ParameterType| -> Value {
            match name {
                "actors" => asking.actors.to_vec().into(),
                "payments" => asking.payments.to_vec().into(),
                "from" => asking.from.into(),
                "to" => asking.to.into(),
                "knownUpTo" => asking.known_up_to.into(),
                "countries" => asking.countries.to_vec().into(),
                _ => pass(settings.value(name), kind),
            }
        };
        let parameters = self.statement.parameters().iter();
        self.statement.given(Params(parameters.map(|parameter| (parameter.name.clone().into(), value(&parameter.name, parameter.kind))).collect()))
    }

    /// The marks of what the statement answered.
    pub fn marks(&self, rows: &LoadedRows) -> Result<Vec<Mark>, InvalidMark> {
        rows.rows.iter().map(|row| self.mark(row)).collect()
    }

    fn mark(&self, row: &Row) -> Result<Mark, InvalidMark> {
        let invalid = |column, wanted| InvalidMark { rule: self.rule.to_string(), column, wanted };
        let text = |column| row.get(column).as_text().ok_or_else(|| invalid(column, "a text"));
        let Value::List(records) = row.get("transactions") else { return Err(invalid("transactions", "a list of ids")) };
        let records = records.iter().map(|id| id.as_text().map(Into::into)).collect::<Option<Vec<Box<str>>>>();
        let Value::Map(measures) = row.get("measures") else { return Err(invalid("measures", "a map of numbers")) };
        let measures = measures.iter().map(|(name, value)| Some((name.as_ref().into(), measure(value)?))).collect::<Option<_>>();
        Ok(Mark {
            rule: self.rule.clone(),
            actor: text("actor")?.into(),
            anchor: text("anchor")?.into(),
            records: records.ok_or_else(|| invalid("transactions", "a list of ids"))?,
            measures: measures.ok_or_else(|| invalid("measures", "a map of numbers"))?,
        })
    }
}

/// All faults of the statements of a pack.
pub fn check(pack: &Pack) -> Vec<Fault> {
    pack.rules().iter().filter_map(|packed| MarkStatement::of(&packed.rule).err()).flatten().collect()
}

/// Parameters that are wrong, each with what would be right.
fn faults_of_parameters(rule: &Rule, statement: &LoadedStatement) -> Vec<(String, String)> {
    let is_pass = |name: &str| name != WINDOW && rule.parameters.get(name).is_some_and(|parameter| parameter.role == Role::Pass);
    let mut faults = Vec::new();
    for parameter in statement.parameters() {
        let known = PARAMETERS.iter().find(|(name, _)| *name == parameter.name).map(|(_, kind)| *kind);
        match known {
            Some(kind) if kind != parameter.kind => faults.push((parameter.name.clone(), format!("it is a {}; it must be a {kind}", parameter.kind))),
            Some(_) => {}
            None if !is_pass(&parameter.name) => {
                let names: Vec<String> = PARAMETERS.iter().map(|(name, _)| format!("${name}")).collect();
                let says = format!("it is no parameter of kind \"pass\" of the rule, and none of {}", names.join(", "));
                faults.push((parameter.name.clone(), says));
            }
            None if !matches!(parameter.kind, ParameterType::Float | ParameterType::Integer) => {
                faults.push((parameter.name.clone(), format!("it is a {}; a pass is a FLOAT or an INTEGER", parameter.kind)));
            }
            None => {}
        }
    }
    let declares = |name: &str| statement.parameters().iter().any(|parameter| parameter.name == name);
    if !declares("actors") && !declares("payments") {
        let says = "it is not declared, and neither is $payments; a statement begins at the actors that are monitored, or at what they reported";
        faults.push(("actors".to_owned(), says.to_owned()));
    }
    let unused = rule.parameters.keys().filter(|name| is_pass(name) && !declares(name));
    faults.extend(unused.map(|name| (name.clone(), "it is a pass of the rule, and the statement does not declare it".to_owned())));
    faults
}

/// A pass as a statement takes it.
fn pass(value: Quantity, kind: ParameterType) -> Value {
    match kind {
        ParameterType::Integer => i64::try_from(value.as_count()).unwrap_or(i64::MAX).into(),
        _ => value.to_f64().into(),
    }
}

fn measure(value: &Value) -> Option<Quantity> {
    match value {
        Value::Int(whole) => whole.to_string().parse().ok(),
        Value::Float(number) => format!("{number:.DECIMALS$}").parse().ok(),
        _ => None,
    }
}
