//! Why a mutation has done nothing, where its sender can do something about it: with a code for programs, a sentence for people, and the place in the input, so
//! that a form shows it beside the field.

use std::borrow::Cow;

use async_graphql::{OutputType, Result, SimpleObject, TypeName};
use graph_schema::fault::Fault;
use resolvers::{Error, ObjectKind};

use crate::refused::{message, refused};

// `C` are the codes that such mutations have. The type is called as they are: `JobUserError`, where they are `JobErrorCode`.
/// A reason why a mutation has done nothing.
#[derive(SimpleObject)]
#[graphql(name_type)]
pub struct UserErrorOf<C: OutputType> {
    /// The place in the input, from `input` on, with positions in lists as digits. Empty where no one field is to blame.
    pub path: Vec<String>,
    /// The kind of error, for programs.
    pub code: C,
    /// The error in a sentence, with the path of the input field where one is wrong.
    pub message: String,
}

impl<C: OutputType> TypeName for UserErrorOf<C> {
    fn type_name() -> Cow<'static, str> {
        Cow::Owned(C::type_name().replace("ErrorCode", "UserError"))
    }
}

impl<C: OutputType> UserErrorOf<C> {
    /// Something in the input breaks a rule.
    pub fn of_fault(code: C, fault: &Fault) -> Self {
        Self { path: path_of(&fault.at), code, message: fault.to_string() }
    }

    /// An error as a whole; `place` is the field to blame, in the form of [`path_of`].
    pub fn at(code: C, place: &str, error: &Error) -> Self {
        Self { path: path_of(place), code, message: message(error) }
    }

    /// The same of an item of a list, whose fields have places of their own ([`in_list`]).
    pub fn of_item(mut self, list: &str, at: usize, own: &[&str]) -> Self {
        in_list((&mut self.path, &mut self.message), list, at, own);
        self
    }
}

/// What the one who asked can do something about: that something is not there, and what breaks a rule. All else is an error of the field.
pub fn user_errors<C: OutputType + Copy>(error: Error, [not_found, invalid]: [C; 2]) -> Result<Vec<UserErrorOf<C>>> {
    match error {
        Error::NotFound { kind, .. } => Ok(vec![UserErrorOf::at(not_found, field_of(kind), &error)]),
        Error::Invalid(faults) => Ok(faults.iter().map(|fault| UserErrorOf::of_fault(invalid, fault)).collect()),
        error => Err(refused(error)),
    }
}

/// Where the faults of an error are in the input, in their order. Operations that are not made for the input alone have other places: `place` makes one of
/// the input of one of them.
pub fn paths_of<T>(done: &resolvers::Result<T>, place: impl Fn(&str) -> String) -> Vec<Vec<String>> {
    match done {
        Err(Error::Invalid(faults)) => faults.iter().map(|fault| path_of(&place(&fault.at))).collect(),
        _ => Vec::new(),
    }
}

/// Puts errors at these paths, one each. Their sentences stay.
pub fn put_at<C: OutputType>(errors: &mut [UserErrorOf<C>], paths: Vec<Vec<String>>) {
    errors.iter_mut().zip(paths).for_each(|(error, path)| error.path = path);
}

/// A place of an input as a list of names: `properties[2].name` is `input`, `properties`, `2`, `name`. That of the whole is empty.
pub fn path_of(place: &str) -> Vec<String> {
    let names = place.split(['.', '[', ']']).filter(|name| !["", "body", "input"].contains(name));
    let mut path: Vec<String> = names.map(str::to_owned).collect();
    if !path.is_empty() {
        path.insert(0, "input".to_owned());
    }
    path
}

/// Moves the place of an error in the input of one act to where it is in that of a list of such acts, as a path and in the sentence. `own` are the fields that each
/// item has of its own; all others are fields of the list's input, too.
pub fn in_list((path, message): (&mut Vec<String>, &mut String), list: &str, at: usize, own: &[&str]) {
    let Some(field) = path.get(1).filter(|field| own.contains(&field.as_str())).cloned() else { return };
    path.splice(1..1, [list.to_owned(), at.to_string()]);
    begin_at(message, &field, &format!("{list}[{at}].{field}"));
}

/// Lets a sentence that begins with a field begin with another place. One that names no place stays.
pub fn begin_at(message: &mut String, field: &str, place: &str) {
    if let Some(rest) = message.strip_prefix(field).filter(|rest| rest.starts_with([':', '.', '['])) {
        *message = format!("{place}{rest}");
    }
}

/// `observation_ids[0]`, as operations say it, as inputs have it: `observationIds[0]`.
pub fn in_camel_case(place: &str) -> String {
    let mut text = String::with_capacity(place.len());
    let mut begins_word = false;
    for letter in place.chars() {
        match letter {
            '_' => begins_word = true,
            _ if std::mem::take(&mut begins_word) => text.push(letter.to_ascii_uppercase()),
            _ => text.push(letter),
        }
    }
    text
}

/// The field of an input that names a thing of a kind.
pub fn field_of(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Actor
        | ObjectKind::AccountRole
        | ObjectKind::CaseActor
        | ObjectKind::ExtendedInformation
        | ObjectKind::SegmentationActor
        | ObjectKind::SegmentationOwner => "actorId",
        ObjectKind::ApiKey => "keyId",
        ObjectKind::Case | ObjectKind::BulkCase => "caseId",
        ObjectKind::ClearedMatch => "clearedMatchId",
        ObjectKind::Client => "clientId",
        ObjectKind::Delivery => "deliveryId",
        ObjectKind::File => "fileId",
        ObjectKind::Job => "jobId",
        ObjectKind::Observation => "observationId",
        ObjectKind::RequestForData => "requestForDataId",
        ObjectKind::RequestForDataSchema => "type",
        ObjectKind::SegmentationCategory => "categoryId",
        ObjectKind::SegmentationGroup => "groupId",
        ObjectKind::Snooze => "snoozeId",
        ObjectKind::Transaction => "transactionId",
        ObjectKind::User => "userId",
        ObjectKind::Watchlist => "list",
        ObjectKind::WatchlistUpload => "uploadId",
        ObjectKind::Webhook => "webhookId",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_from_the_input_on() {
        for (place, path) in [("properties[2].name", "input properties 2 name"), ("caseId", "input caseId"), ("input", ""), ("body", ""), ("", "")] {
            assert_eq!(path_of(place).join(" "), path, "{place}");
        }
    }

    #[test]
    fn a_field_of_an_item_is_below_the_item() {
        let in_cases = |(place, message): (&str, &str)| {
            let (mut path, mut message) = (path_of(place), message.to_owned());
            in_list((&mut path, &mut message), "cases", 3, &["caseId", "expectedVersion"]);
            format!("{} | {message}", path.join(" "))
        };
        for (place, message, moved) in [
            ("caseId", "there is no case x", "input cases 3 caseId | there is no case x"),
            ("expectedVersion", "expectedVersion: late", "input cases 3 expectedVersion | cases[3].expectedVersion: late"),
            ("expectedVersion", "expectedVersions are late", "input cases 3 expectedVersion | expectedVersions are late"),
            ("userId", "userId: late", "input userId | userId: late"),
            ("input", "too much", " | too much"),
        ] {
            assert_eq!(in_cases((place, message)), moved);
        }
    }

    #[test]
    fn words_of_operations_are_fields_of_inputs() {
        assert_eq!(in_camel_case("observation_ids[0].as_of_date"), "observationIds[0].asOfDate");
    }
}
