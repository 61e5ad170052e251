//! Where in an input something is wrong with a rule. Operations know a rule's files by their paths, and what is tried by its name; inputs have lists.

/// The place of a fault in `files`, of which these are the paths. One of a file that is not there is of all files.
pub fn place_in_files(paths: &[String], place: &str) -> String {
    match paths.iter().position(|path| path == place) {
        Some(at) => format!("files[{at}].text"),
        None if ["files[", "idempotencyKey"].iter().any(|own| place.starts_with(*own)) => place.to_owned(),
        None => "files".to_owned(),
    }
}

/// The place of a fault in `sets`, of which these are the names. Of one name that comes twice in a set the last counts.
pub fn place_in_sets(sets: &[Vec<String>], place: &str) -> String {
    let Some((set, name)) = place.strip_prefix("sets[").and_then(|behind| behind.split_once("].")) else { return place.to_owned() };
    let names = set.parse::<usize>().ok().and_then(|at| sets.get(at));
    match names.and_then(|names| names.iter().rposition(|own| own == name)) {
        Some(at) => format!("sets[{set}][{at}]"),
        None => format!("sets[{set}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_file_is_at_the_text_of_its_item() {
        let paths = ["own/tests/one.toml", "own/rule.toml"].map(str::to_owned);
        for (place, wanted) in [
            ("own/rule.toml", "files[1].text"),
            ("own/rule.cypher", "files"),
            ("files[1].path", "files[1].path"),
            ("files", "files"),
            ("idempotencyKey", "idempotencyKey"),
        ] {
            assert_eq!(place_in_files(&paths, place), wanted, "{place}");
        }
    }

    #[test]
    fn a_fault_of_what_is_tried_is_at_its_item() {
        let sets = [vec!["a".to_owned()], vec!["a".to_owned(), "b.c".to_owned(), "a".to_owned()]];
        for (place, wanted) in [
            ("sets[0].a", "sets[0][0]"),
            ("sets[1].a", "sets[1][2]"),
            ("sets[1].b.c", "sets[1][1]"),
            ("sets[1].d", "sets[1]"),
            ("sets[9].a", "sets[9]"),
            ("sets", "sets"),
            ("to", "to"),
        ] {
            assert_eq!(place_in_sets(&sets, place), wanted, "{place}");
        }
    }
}
