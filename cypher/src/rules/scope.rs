//! Going through the clauses of a statement with what is known of its names.

use std::collections::{BTreeMap, BTreeSet};

use super::{Rule, Terms, Tree, Violation};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Node,
    Link,
    Value,
}

/// A name.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) kind: Kind,
    /// Of a node: as the pattern has them that named it.
    pub(super) labels: Vec<String>,
    /// It may be null.
    pub(super) absent: bool,
    /// An `OPTIONAL MATCH` since the last `WITH` has found it, or not.
    pub(super) just_sought: bool,
    /// Which `OPTIONAL MATCH` it was: all of its names are there, or none.
    pub(super) sought_by: Option<usize>,
    /// It was made just now.
    pub(super) is_new: bool,
}

impl Name {
    pub(super) fn of(kind: Kind, labels: Vec<String>) -> Self {
        Self { kind, labels, absent: false, just_sought: false, sought_by: None, is_new: false }
    }

    /// A value; null, as far as is known.
    pub(super) fn value() -> Self {
        Self { absent: true, ..Self::of(Kind::Value, Vec::new()) }
    }
}

/// Where a clause stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Top,
    Call,
    Foreach,
}

/// What is known where a clause begins.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) names: BTreeMap<String, Name>,
    pub(super) level: Level,
    /// Names that a `WITH` has left behind, while its rows go on.
    pub(super) left_behind: BTreeSet<String>,
    /// Rows were cut off before.
    pub(super) limited: bool,
    /// All nodes of a label are gone through.
    pub(super) whole_label: bool,
    /// A condition was about two things.
    pub(super) two_things: bool,
    /// What was written: names and properties, and `*` for those of a map.
    pub(super) written: BTreeSet<(String, String)>,
    /// Names that are known to be there, or not to be, here.
    pub(super) guarded: BTreeSet<String>,
}

impl Scope {
    fn begin(level: Level) -> Self {
        Self {
            names: BTreeMap::new(),
            level,
            left_behind: BTreeSet::new(),
            limited: false,
            whole_label: false,
            two_things: false,
            written: BTreeSet::new(),
            guarded: BTreeSet::new(),
        }
    }

    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.names.get(name).map(|name| name.kind)
    }

    pub(super) fn is_node_or_link(&self, name: &str) -> bool {
        matches!(self.kind(name), Some(Kind::Node | Kind::Link))
    }

    /// Whether it may be null here.
    pub(super) fn may_be_absent(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|name| name.absent) && !self.guarded.contains(name)
    }

    /// The same, where these names are asked for.
    pub(super) fn guarding(&self, names: impl IntoIterator<Item = String>) -> Self {
        let mut scope = self.clone();
        for name in names {
            let by = self.names.get(&name).and_then(|name| name.sought_by);
            let together = self.names.iter().filter(|(_, other)| by.is_some() && other.sought_by == by).map(|(other, _)| other.clone());
            scope.guarded.extend(together);
            scope.guarded.insert(name);
        }
        scope
    }

    pub(super) fn with(&self, name: &str, what: Name) -> Self {
        let mut scope = self.clone();
        scope.names.insert(name.to_owned(), what);
        scope
    }
}

/// A check under way.
pub(super) struct Check {
    pub(super) terms: Terms,
    /// How many `OPTIONAL MATCH` there were.
    pub(super) sought: usize,
    place: Vec<String>,
    found: Vec<Violation>,
}

impl Check {
    pub(super) fn of(clauses: &Tree, terms: Terms) -> Vec<Violation> {
        let mut check = Self { terms, sought: 0, place: Vec::new(), found: Vec::new() };
        check.clauses(clauses.items(), Scope::begin(Level::Top));
        check.found
    }

    pub(super) fn broken(&mut self, rule: Rule, reason: impl Into<String>) {
        let violation = Violation { rule, place: self.place.join(", "), reason: reason.into() };
        if !self.found.contains(&violation) {
            self.found.push(violation);
        }
    }

    /// Goes through clauses one after the other; what is known behind them.
    pub(super) fn clauses(&mut self, clauses: &[Tree], mut scope: Scope) -> Scope {
        for (at, clause) in clauses.iter().enumerate() {
            self.place.push(format!("clause {} ({})", at + 1, keyword(clause.name())));
            self.moved_beside_id(clauses, at, &scope);
            self.clause(clause, clauses.get(at + 1), &mut scope);
            self.place.pop();
        }
        scope
    }

    fn clause(&mut self, clause: &Tree, next: Option<&Tree>, scope: &mut Scope) {
        let body = clause.get("0");
        match clause.name() {
            "Match" | "OptionalMatch" => {
                let condition = body.get("where_clause").some().or_else(|| next.filter(|next| next.is("Where")).map(|next| next.get("0")));
                self.matched(body, condition.map(|condition| condition.get("predicate")), clause.is("OptionalMatch"), scope);
            }
            "Where" => self.condition(body.get("predicate"), scope),
            "With" => self.with(body, next, scope),
            "Return" => self.returned(body, scope),
            "OrderBy" => self.order(body, scope),
            "Skip" | "Limit" => {
                self.expressions(body, scope);
                scope.limited = true;
            }
            "Unwind" => self.unwind(body, scope),
            "Union" => {
                self.union_as_data(body, scope);
                let (query, level) = (body.get("query"), scope.level);
                self.clauses(query.get("clauses").items(), Scope::begin(level));
            }
            "CallSubquery" => self.call(clause, scope),
            "Create" => self.created(body, scope),
            "Merge" => self.merged(body, scope),
            "Set" => self.set(body.get("items").items(), scope, false),
            "Remove" => self.removed(body, scope),
            "Delete" => self.deleted(body, scope),
            "Foreach" => self.foreach(clause, scope),
            other => self.broken(Rule::Extensions, format!("`{}` is not on both engines", keyword(other))),
        }
    }

    /// A sub-query with what it takes from outside.
    fn call(&mut self, clause: &Tree, scope: &mut Scope) {
        let body = clause.get("body").get("clauses").items();
        let imported = clause.get("import");
        let mut inner = Scope::begin(Level::Call);
        inner.guarded.clone_from(&scope.guarded);
        if imported.is("All") {
            inner.names.clone_from(&scope.names);
        }
        for name in imported.get("0").items().iter().filter_map(Tree::text) {
            if let Some(there) = scope.names.get(name) {
                inner.names.insert(name.to_owned(), there.clone());
            }
        }
        let is_write = |part: &&Tree| matches!(part.name(), "Create" | "Merge" | "Set" | "Remove" | "Delete" | "Foreach");
        if body.iter().any(|clause| is_write(&clause)) {
            self.broken(Rule::Extensions, "nothing is written inside a `CALL { }`");
        }
        // What a branch of a UNION answers with, the first one does.
        let answers = body.iter().find(|clause| clause.is("Return")).map(|clause| clause.get("0").get("items").items());
        let behind = self.clauses(body, inner);
        for item in answers.unwrap_or_default() {
            if let Some(alias) = alias_of(item) {
                scope.names.insert(alias.to_owned(), behind.names.get(alias).cloned().unwrap_or_else(Name::value));
            }
        }
    }

    fn unwind(&mut self, body: &Tree, scope: &mut Scope) {
        self.expressions(body.get("expression"), scope);
        if let Some(alias) = body.get("alias").text() {
            scope.names.insert(alias.to_owned(), Name { absent: false, ..Name::value() });
        }
    }

    fn foreach(&mut self, clause: &Tree, scope: &mut Scope) {
        let list = clause.get("list");
        self.expressions(list, scope);
        let asked = variables(list);
        let mut inner = scope.guarding(asked);
        inner.level = Level::Foreach;
        if let Some(variable) = clause.get("variable").text() {
            inner.names.insert(variable.to_owned(), Name { absent: false, ..Name::value() });
        }
        let behind = self.clauses(clause.get("body").items(), inner);
        scope.written = behind.written;
    }
}

/// The names that a part speaks of.
pub(super) fn variables(part: &Tree) -> BTreeSet<String> {
    let of = |part: &Tree| match part.name() {
        "Variable" => part.get("0").text().map(str::to_owned),
        "PropertyAccess" | "LabelCheck" | "MapProjection" | "EqualsNodeProp" => {
            part.get("variable").text().or_else(|| part.get("var").text()).map(str::to_owned)
        }
        "EqualsVar" => part.get("0").text().map(str::to_owned),
        _ => None,
    };
    part.all().into_iter().filter_map(of).collect()
}

/// What a column is called.
pub(crate) fn alias_of(item: &Tree) -> Option<&str> {
    item.get("alias").text().or_else(|| item.get("expression").is("Variable").then(|| item.get("expression").get("0").text()).flatten())
}

/// `OptionalMatch` → `OPTIONAL MATCH`.
fn keyword(name: &str) -> String {
    match name {
        "CallSubquery" => "CALL".to_owned(),
        "OrderBy" => "ORDER BY".to_owned(),
        "OptionalMatch" => "OPTIONAL MATCH".to_owned(),
        other => other.to_uppercase(),
    }
}
