//! Reads `rule.toml` and tells all its faults at once.

use std::collections::BTreeMap;

use toml::Table;

use super::{Compare, Parameter, RedFlag, Role, Rule, Score, Search, Severity, Status, Threshold, Unit, Version};
use crate::fault::Fault;
use crate::kernels::{Kernel, marked};
use crate::pack::fields::Fields;
use crate::quantity::Quantity;

const STATUSES: [(&str, Status); 3] = [("live", Status::Live), ("shadow", Status::Shadow), ("off", Status::Off)];
const SEVERITIES: [(&str, Severity); 3] = [("low", Severity::Low), ("medium", Severity::Medium), ("high", Severity::High)];
const COMPARISONS: [(&str, Compare); 4] =
    [("at-least", Compare::AtLeast), ("more-than", Compare::MoreThan), ("at-most", Compare::AtMost), ("less-than", Compare::LessThan)];
const UNITS: [Unit; 9] = [Unit::Hours, Unit::Days, Unit::Payments, Unit::Accounts, Unit::Actors, Unit::Links, Unit::Amount, Unit::Share, Unit::Times];

/// What a parameter's `kind` says.
#[derive(Clone, Copy)]
enum Kind {
    Pass,
    Threshold,
}

impl Rule {
    /// Reads the rule of a folder. The statement is the text of `rule.cypher`, where there is one.
    pub(crate) fn read(folder: &str, table: &Table, statement: Option<&str>) -> Result<Self, Vec<Fault>> {
        let file = format!("{folder}/rule.toml");
        let mut fields = Fields::new(&file, table);
        let id = read_id(&mut fields, folder);
        let version = fields.parsed::<Version>("version");
        let status = fields.one_of("status", &STATUSES);
        let severity = fields.one_of("severity", &SEVERITIES);
        let [owner, name, typology, rationale] = ["owner", "name", "typology", "rationale"].map(|key| fields.text(key).to_owned());
        let red_flags = fields.list("red_flags", |fields| RedFlag { says: fields.text("says").to_owned(), source: fields.text("source").to_owned() });
        if red_flags.is_empty() {
            fields.fault("red_flags", "is empty; a rule names at least one red flag with its source");
        }
        let false_positives = fields.texts("false_positives");
        let lines = fields.texts("lines");
        let score = fields.table("score", read_score).flatten();
        let parameters = fields.tables("parameters", |_, fields| read_parameter(fields));
        let search = read_search(&mut fields, statement);
        let complete: Option<BTreeMap<String, Parameter>> = parameters.into_iter().map(|(name, parameter)| Some((name, parameter?))).collect();
        if let (Some(parameters), Some(search)) = (&complete, &search) {
            check_search(&mut fields, parameters, search);
        }
        if let (Some(parameters), Some(score)) = (&complete, &score) {
            check_score(&mut fields, parameters, score);
        }
        let read = (version, status, severity, score, complete, search);
        let faults = fields.finish();
        match read {
            (Some(version), Some(status), Some(severity), Some(score), Some(parameters), Some(search)) if faults.is_empty() => Ok(Self {
                id,
                version,
                status,
                owner,
                name,
                typology,
                red_flags,
                rationale,
                false_positives,
                severity,
                lines,
                score,
                parameters,
                search,
            }),
            _ => Err(faults),
        }
    }
}

fn read_id(fields: &mut Fields<'_>, folder: &str) -> String {
    let id = fields.text("id");
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !id.bytes().all(plain) {
        fields.fault("id", format!("is {id:?}; it may have small letters, digits and hyphens"));
    }
    if !id.is_empty() && id != folder {
        fields.fault("id", format!("is {id:?}; it must be the folder's name, {folder:?}"));
    }
    id.to_owned()
}

fn read_score(fields: &mut Fields<'_>) -> Option<Score> {
    let base = fields.number("base");
    let full = fields.numbers("full");
    let base = base?;
    if base < Quantity::ZERO || base > Quantity::ONE {
        fields.fault("base", format!("is {base}; it must be from 0 to 1"));
    }
    Some(Score { base, full })
}

fn read_parameter(fields: &mut Fields<'_>) -> Option<Parameter> {
    let kind = fields.one_of("kind", &[("pass", Kind::Pass), ("threshold", Kind::Threshold)]);
    let unit = fields.one_of("unit", &UNITS.map(|unit| (unit.word(), unit)));
    let [min, max, step, default] = ["min", "max", "step", "default"].map(|key| fields.number(key));
    let says = fields.text("says").to_owned();
    let role = match kind? {
        Kind::Pass => Role::Pass,
        Kind::Threshold => {
            let measure = fields.text("measure").to_owned();
            Role::Threshold(Threshold { measure, compare: fields.one_of("compare", &COMPARISONS)? })
        }
    };
    let parameter = Parameter { role, unit: unit?, min: min?, max: max?, step: step?, default: default?, says };
    check_range(fields, &parameter);
    Some(parameter)
}

fn check_range(fields: &mut Fields<'_>, parameter: &Parameter) {
    let Parameter { min, max, step, default, .. } = *parameter;
    if min < Quantity::ZERO {
        fields.fault("min", format!("is {min}; it must be zero or more"));
    }
    if min >= max {
        fields.fault("max", format!("is {max}; it must be more than min, {min}"));
    }
    if default < min || default > max {
        fields.fault("default", format!("is {default}; it must be from {min} to {max}"));
    }
    if step <= Quantity::ZERO || step > max.minus(min) {
        fields.fault("step", format!("is {step}; it must be more than zero and at most {}", max.minus(min)));
    }
}

fn read_search(fields: &mut Fields<'_>, statement: Option<&str>) -> Option<Search> {
    match (fields.optional_text("kernel"), statement) {
        (Some(name), None) => {
            let kernel = Kernel::named(name);
            if kernel.is_none() {
                let names: Vec<&str> = Kernel::ALL.iter().map(|kernel| kernel.name()).collect();
                fields.fault("kernel", format!("is {name:?}; it may be {}", names.join(", ")));
            }
            kernel.map(Search::Kernel)
        }
        (None, Some(statement)) => Some(Search::Statement(statement.to_owned())),
        (Some(_), Some(_)) => {
            fields.fault("kernel", "stands beside a rule.cypher; a rule has one of them");
            None
        }
        (None, None) => {
            fields.fault("kernel", "is absent, and so is rule.cypher; a rule has one of them");
            None
        }
    }
}

/// Whether the parameters are those that the kernel asks for, and its measures those that are compared.
fn check_search(fields: &mut Fields<'_>, parameters: &BTreeMap<String, Parameter>, search: &Search) {
    match search {
        Search::Kernel(kernel) => check_kernel(fields, parameters, *kernel),
        Search::Statement(_) => check_statement(fields, parameters),
    }
    if !parameters.values().any(|parameter| matches!(parameter.role, Role::Threshold(_))) {
        fields.fault("parameters", "have no threshold; a rule compares at least one measure");
    }
}

/// A statement takes whatever passes there are, a window among them, and measures what it likes beside what is measured of all marks. Whether it has these
/// parameters, whoever runs it knows.
fn check_statement(fields: &mut Fields<'_>, parameters: &BTreeMap<String, Parameter>) {
    for &(name, unit) in marked::PASSES {
        if !parameters.get(name).is_some_and(|parameter| parameter.role == Role::Pass && parameter.unit == unit) {
            let says = format!("must be a parameter of kind \"pass\" and unit {:?}: payments of a mark count within it", unit.word());
            fields.fault(&format!("parameters.{name}"), says);
        }
    }
    for (name, parameter) in parameters {
        let Role::Threshold(threshold) = &parameter.role else { continue };
        let known = marked::MEASURES.iter().find(|(known, _)| *known == threshold.measure);
        if let Some((measure, unit)) = known.filter(|(_, unit)| *unit != parameter.unit) {
            let says = format!("is {measure:?} in {}; of marks it is measured in {}", parameter.unit.word(), unit.word());
            fields.fault(&format!("parameters.{name}.measure"), says);
        }
    }
}

fn check_kernel(fields: &mut Fields<'_>, parameters: &BTreeMap<String, Parameter>, kernel: Kernel) {
    for &(name, unit) in kernel.passes() {
        match parameters.get(name) {
            Some(parameter) if parameter.role == Role::Pass && parameter.unit == unit => {}
            _ => {
                let says = format!("must be a parameter of kind \"pass\" and unit {:?}: the kernel {} asks for it", unit.word(), kernel.name());
                fields.fault(&format!("parameters.{name}"), says);
            }
        }
    }
    for (name, parameter) in parameters {
        match &parameter.role {
            Role::Pass if kernel.passes().iter().any(|(known, _)| known == name) => {}
            Role::Pass => {
                let known: Vec<&str> = kernel.passes().iter().map(|&(name, _)| name).collect();
                fields.fault(&format!("parameters.{name}"), format!("the kernel {} has no such pass; it has {}", kernel.name(), known.join(", ")));
            }
            Role::Threshold(threshold) => {
                let measure = kernel.measures().iter().find(|(known, _)| *known == threshold.measure);
                if measure.is_none_or(|&(_, unit)| unit != parameter.unit) {
                    let known: Vec<String> = kernel.measures().iter().map(|(name, unit)| format!("{name} ({})", unit.word())).collect();
                    let says = format!("{:?} in {}; the kernel measures {}", threshold.measure, parameter.unit.word(), known.join(", "));
                    fields.fault(&format!("parameters.{name}.measure"), format!("is {says}"));
                }
            }
        }
    }
}

fn check_score(fields: &mut Fields<'_>, parameters: &BTreeMap<String, Parameter>, score: &Score) {
    for (name, &full) in &score.full {
        let place = format!("score.full.{name}");
        match parameters.get(name) {
            Some(Parameter { role: Role::Threshold(threshold), default, .. }) => {
                let grows = matches!(threshold.compare, Compare::AtLeast | Compare::MoreThan);
                if grows && full <= *default || !grows && full >= *default {
                    let side = if grows { "more" } else { "less" };
                    fields.fault(&place, format!("is {full}; it must be {side} than the default, {default}"));
                }
            }
            _ => fields.fault(&place, "is the name of no threshold"),
        }
    }
}
