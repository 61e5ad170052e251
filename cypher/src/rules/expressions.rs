//! What expressions and conditions may say.

use std::collections::BTreeSet;

use super::scope::{Check, Kind, Level, Name, Scope, variables};
use super::{Rule, Tree};

/// Functions that answer otherwise at each call, or on each engine.
const CLOCKS: [&str; 11] =
    ["timestamp", "datetime", "date", "time", "localtime", "localdatetime", "randomuuid", "rand", "datetime.epochmillis", "point", "elementid"];
const AGGREGATES: [&str; 11] =
    ["count", "collect", "min", "max", "sum", "avg", "stdev", "stdevp", "percentilecont", "percentiledisc", "percentile_disc"];
/// Properties that read as something made up where they are not stored, but for `name`, which every node of the graph has.
const MADE_UP: [&str; 3] = ["title", "type", "label"];
/// Main labels whose nodes all have these.
const ALWAYS_STORED: [(&str, &[&str]); 3] = [
    ("label", &["Tag", "WorkflowStep"]),
    ("type", &["Workflow", "Case", "RequestForData", "SegmentationCategory", "SuppressedSignal", "RiskAssessment", "File", "UncountedCase"]),
    ("title", &[]),
];

pub(super) fn is_aggregate(part: &Tree) -> bool {
    part.is("FunctionCall") && AGGREGATES.contains(&&*function(part))
}

/// A function's name in small letters.
pub(super) fn function(part: &Tree) -> String {
    part.get("name").text().unwrap_or_default().to_ascii_lowercase()
}

pub(super) fn has_aggregate(part: &Tree) -> bool {
    part.all().into_iter().any(is_aggregate)
}

impl Check {
    /// A condition of a `WHERE`.
    pub(super) fn condition(&mut self, predicate: &Tree, scope: &mut Scope) {
        self.expressions(predicate, scope);
        scope.two_things |= predicate.all().iter().any(|part| part.is("Comparison") && things(part, scope).len() > 1);
        for part in conjuncts(predicate).into_iter().filter(|part| part.is("IsNotNull")) {
            for name in variables(part) {
                if let Some(name) = scope.names.get_mut(&name).filter(|_| part.get("0").is("Variable")) {
                    name.absent = false;
                }
            }
        }
    }

    /// Goes through an expression, whatever is in it.
    pub(super) fn expressions(&mut self, part: &Tree, scope: &Scope) {
        match part.name() {
            "PropertyAccess" => self.property(part, scope),
            "FunctionCall" => self.function(part, scope),
            "LabelCheck" => self.label_as_data(part),
            "MapProjection" => self.projection_as_data(part, scope),
            "WindowFunction" => self.broken(Rule::Extensions, "window functions are unknown to Neo4j"),
            "Add" => self.sum(part, scope),
            "Case" => return self.case(part, scope),
            "IsNull" | "IsNotNull" => self.null_check(part, scope),
            "ListLiteral" => self.list(part),
            "ListComprehension" | "QuantifiedList" | "Reduce" => return self.bound(part, scope),
            "Exists" | "CountSubquery" | "PatternComprehension" => return self.sub_pattern(part, scope),
            _ => {}
        }
        for part in part.parts() {
            self.expressions(part, scope);
        }
    }

    fn property(&mut self, part: &Tree, scope: &Scope) {
        let (Some(variable), Some(property)) = (part.get("variable").text(), part.get("property").text()) else { return };
        self.property_as_data(variable, property, scope);
        let Some(name) = scope.names.get(variable).filter(|name| name.kind == Kind::Node) else { return };
        let is_always_stored = ALWAYS_STORED
            .iter()
            .any(|(stored, labels)| *stored == property && name.labels.first().is_some_and(|label| labels.contains(&label.as_str())));
        if MADE_UP.contains(&property) && !is_always_stored && !scope.guarded.contains(variable) {
            let reason =
                format!("`{variable}.{property}` reads as something made up on the embedded engine where it is not stored: ask for it where it is");
            self.broken(Rule::MadeUpNames, reason);
        }
        if (MADE_UP.contains(&property) || property == "name") && scope.may_be_absent(variable) {
            self.broken(Rule::MadeUpNames, format!("`{variable}.{property}` of a node that was not found is not null on the embedded engine"));
        }
    }

    fn function(&mut self, part: &Tree, scope: &Scope) {
        let name = function(part);
        let argument = part.get("args").items().first();
        self.function_as_data(part, &name);
        if CLOCKS.contains(&name.as_str()) {
            self.broken(Rule::Clocks, format!("what `{name}()` says comes as a parameter"));
        } else if name.contains('.') {
            self.broken(Rule::Extensions, format!("`{name}()` is not on both engines"));
        }
        let is_of_fractions = |argument: &Tree| argument.is("FunctionCall") && function(argument) == "tofloat";
        if name == "sum" && !argument.is_some_and(|argument| argument.is("Literal") || is_of_fractions(argument)) {
            let reason =
                "where a sum passes 64 bits it becomes a fraction on Neo4j, and an error on the embedded engine: `sum(toFloat(…))` is one on both";
            self.broken(Rule::NumberTypes, reason);
        }
        let Some(argument) = argument.filter(|argument| is_aggregate(part) && argument.is("PropertyAccess")) else { return };
        let (variable, property) = (argument.get("variable").text().unwrap_or_default(), argument.get("property").text().unwrap_or_default());
        if scope.limited && scope.is_node_or_link(variable) && property != "id" {
            let reason =
                format!("Neo4j leaves out nodes without `{property}` before the `LIMIT`, if it has an index: aggregate something that is there");
            self.broken(Rule::AbsentBehindLimit, reason);
        }
    }

    /// `a + b`: of lists, neither may be null.
    fn sum(&mut self, part: &Tree, scope: &Scope) {
        let (left, right) = (part.get("0"), part.get("1"));
        if !is_list(left) && !is_list(right) {
            return;
        }
        for side in [left, right] {
            if may_be_null(side, scope) {
                self.broken(
                    Rule::MaybeNull,
                    "a list and null are null on Neo4j, and a longer list on the embedded engine: `coalesce` what may be null",
                );
            }
        }
    }

    /// What stands in a branch is asked for in the condition.
    fn case(&mut self, part: &Tree, scope: &Scope) {
        let branches = part.get("when_clauses").items();
        let asked: BTreeSet<String> = branches.iter().flat_map(|branch| nulls_and_labels(&branch.items()[0])).collect();
        let guarded = scope.guarding(asked);
        self.expressions(part.get("operand"), scope);
        for branch in branches {
            for part in branch.items() {
                self.expressions(part, &guarded);
            }
        }
        self.expressions(part.get("else_expr"), &guarded);
        let results = branches.iter().map(|branch| &branch.items()[1]).chain(part.get("else_expr").some());
        if mixes_numbers(results) {
            self.broken(Rule::NumberTypes, "1 and 1.0 are one value on Neo4j and two on the embedded engine: all branches give one type");
        }
    }

    fn list(&mut self, part: &Tree) {
        if mixes_numbers(part.get("0").items().iter()) {
            self.broken(Rule::NumberTypes, "1 and 1.0 are one value on Neo4j and two on the embedded engine: a list has one type of number");
        }
    }

    fn null_check(&mut self, part: &Tree, scope: &Scope) {
        let asked = part.get("0");
        let is_sought_outside = |name: &str| scope.names.get(name).is_some_and(|name| name.absent && name.kind != Kind::Value && !name.just_sought);
        if let Some(name) = asked.get("0").text().filter(|name| asked.is("Variable") && scope.level == Level::Call && is_sought_outside(name)) {
            let reason = format!("whether `{name}` was found is asked outside of the `CALL`: the embedded engine does not know it inside");
            self.broken(Rule::MaybeNull, reason);
        }
    }

    /// Expressions with a name of their own.
    fn bound(&mut self, part: &Tree, scope: &Scope) {
        self.expressions(part.get("list_expr"), scope);
        let mut inner = scope.clone();
        for name in ["variable", "accumulator"].into_iter().filter_map(|member| part.get(member).text()) {
            inner = inner.with(name, Name::value());
        }
        for member in ["filter", "map_expr", "init", "body"] {
            self.expressions(part.get(member), &inner);
        }
    }

    /// A pattern as an expression.
    fn sub_pattern(&mut self, part: &Tree, scope: &Scope) {
        let mut inner = scope.clone();
        let patterns = part.get("patterns").items().iter().chain(part.is("PatternComprehension").then(|| part.get("pattern")));
        let condition = part.get("where_clause").some();
        for pattern in patterns {
            self.product(pattern, condition, &inner);
            self.pattern(pattern, &mut inner);
        }
        self.beside_id(part, condition, &inner);
        if let Some(condition) = condition {
            self.expressions(condition, &inner);
        }
        self.expressions(part.get("map_expr"), &inner);
    }
}

/// The names whose being null, or whose labels, a condition asks for.
fn nulls_and_labels(condition: &Tree) -> BTreeSet<String> {
    let asks = |part: &&Tree| matches!(part.name(), "IsNull" | "IsNotNull" | "LabelCheck");
    condition.all().into_iter().filter(asks).flat_map(variables).collect()
}

/// The nodes, links and values that a condition compares.
pub(super) fn things(part: &Tree, scope: &Scope) -> BTreeSet<String> {
    variables(part).into_iter().filter(|name| scope.names.contains_key(name)).collect()
}

/// What must all hold.
pub(super) fn conjuncts(predicate: &Tree) -> Vec<&Tree> {
    match predicate.name() {
        "And" => predicate.parts().flat_map(conjuncts).collect(),
        // A condition in brackets.
        "PredicateExpr" => conjuncts(predicate.get("0")),
        _ => vec![predicate],
    }
}

fn mixes_numbers<'a>(parts: impl Iterator<Item = &'a Tree>) -> bool {
    let kinds: BTreeSet<&str> =
        parts.filter(|part| part.is("Literal")).map(|part| part.get("0").name()).filter(|kind| matches!(*kind, "Int64" | "Float64")).collect();
    kinds.len() > 1
}

/// Whether an expression is a list, as far as it says so itself.
fn is_list(part: &Tree) -> bool {
    match part.name() {
        "ListLiteral" | "ListComprehension" | "ListSlice" | "PatternComprehension" => true,
        "FunctionCall" if function(part) == "coalesce" => part.get("args").items().iter().any(is_list),
        "FunctionCall" => matches!(function(part).as_str(), "collect" | "range" | "keys" | "labels" | "split" | "tail"),
        "Add" => is_list(part.get("0")) || is_list(part.get("1")),
        _ => false,
    }
}

/// Whether an expression may be null. Parameters and their members are taken to be there.
pub(super) fn may_be_null(part: &Tree, scope: &Scope) -> bool {
    match part.name() {
        "ListLiteral" | "MapLiteral" | "Parameter" | "PatternComprehension" | "CountSubquery" => false,
        "Literal" => part.get("0").is("Null"),
        "Variable" => part.get("0").text().is_none_or(|name| scope.names.get(name).is_none_or(|name| name.absent)),
        "ExprPropertyAccess" => !part.get("expr").is("Parameter"),
        "ListComprehension" => may_be_null(part.get("list_expr"), scope),
        "ListSlice" => may_be_null(part.get("expr"), scope),
        "Add" => may_be_null(part.get("0"), scope) || may_be_null(part.get("1"), scope),
        "FunctionCall" => match function(part).as_str() {
            "collect" | "count" => false,
            "coalesce" => part.get("args").items().iter().all(|argument| may_be_null(argument, scope)),
            "range" | "size" | "labels" | "keys" | "tail" | "split" => part.get("args").items().iter().any(|argument| may_be_null(argument, scope)),
            _ => true,
        },
        _ => true,
    }
}
