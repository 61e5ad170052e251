//! Finding clauses and patterns in the text of a statement.
//!
//! No parser: it knows as much of Cypher as our own statements need, and tests go through all of them.

/// What may come after the pattern of a clause.
const AFTER_A_PATTERN: [&str; 17] = [
    "OPTIONAL", "MATCH", "WHERE", "WITH", "RETURN", "SET", "MERGE", "CREATE", "FOREACH", "CALL", "UNWIND", "DELETE", "DETACH", "REMOVE", "UNION",
    "ORDER", "LIMIT",
];

/// The text with blanks in the place of comments and of what stands between quotes, and all else where it was.
pub(crate) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut inside = Inside::Code;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (inside, character) {
            (Inside::Quotes(quote), _) if character == quote => inside = Inside::Code,
            (Inside::Quotes(_), '\\') => {
                // What is escaped ends nothing.
                code.push(' ');
                code.extend(characters.next().into_iter().flat_map(blanks));
                continue;
            }
            (Inside::Comment, '\n') | (Inside::Backticks, '`') => inside = Inside::Code,
            (Inside::Quotes(_) | Inside::Comment, _) => {
                code.extend(blanks(character));
                continue;
            }
            (Inside::Code, '\'' | '"') => inside = Inside::Quotes(character),
            (Inside::Code, '`') => inside = Inside::Backticks,
            (Inside::Code, '/') if characters.peek() == Some(&'/') => inside = Inside::Comment,
            _ => {}
        }
        code.push(character);
    }
    // The first slash of a comment is no code either.
    code.replace('/', " ")
}

/// Where in a text a character stands.
#[derive(Debug, Clone, Copy)]
enum Inside {
    Code,
    /// A name that is written with backticks, quotes included.
    Backticks,
    Quotes(char),
    Comment,
}

/// As many blanks as a character has bytes.
fn blanks(character: char) -> impl Iterator<Item = char> {
    std::iter::repeat_n(' ', character.len_utf8())
}

/// Where each clause of this name begins; what stands behind an ON (`ON MATCH`, `ON CREATE`) is none.
pub(crate) fn clauses<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    words(code, name).filter(|at| code[..*at].split_whitespace().next_back() != Some("ON"))
}

/// Where a word stands.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| !is_in_a_name(code[..*at].chars().next_back()) && is_word_at(code, *at, word))
}

fn is_word_at(code: &str, at: usize, word: &str) -> bool {
    code[at..].starts_with(word) && !is_in_a_name(code[at + word.len()..].chars().next())
}

/// The name that begins here; empty where none does.
pub(crate) fn name_at(code: &str, begin: usize) -> &str {
    let end = code[begin..].find(|character| !is_in_a_name(Some(character))).unwrap_or(code.len() - begin);
    &code[begin..begin + end]
}

pub(crate) fn is_in_a_name(character: Option<char>) -> bool {
    character.is_some_and(|character| character.is_alphanumeric() || character == '_' || character == '`')
}

/// What stands between here and the next clause, or the end of the sub-query.
pub(crate) fn pattern_at(code: &str, begin: usize) -> &str {
    let mut depth = 0;
    for (at, character) in code[begin..].char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return &code[begin..begin + at],
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && AFTER_A_PATTERN.iter().any(|word| is_word_at(code, begin + at, word)) => return &code[begin..begin + at],
            _ => {}
        }
    }
    &code[begin..]
}

/// The hints of a pattern: a seek for each node that it names by `{id: …}`.
pub(crate) fn seeks_by_id(pattern: &str) -> String {
    named_by_id(pattern).map(|(variable, label)| format!(" USING INDEX SEEK {variable}:{label}(id)")).collect()
}

/// The nodes of a pattern that have a name and an id: their names and first labels.
pub(crate) fn named_by_id(pattern: &str) -> impl Iterator<Item = (&str, &str)> {
    pattern.split('(').skip(1).filter_map(|node| {
        let (variable, rest) = node.split_once(':')?;
        let (labels, _) = rest.split_once(" {id: ")?;
        let label = labels.split(':').next()?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|character| is_in_a_name(Some(character)));
        (is_name(variable) && labels.split(':').all(is_name)).then_some((variable, label))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_or_said_beside_is_blank() {
        for (text, code) in [
            ("RETURN 'å' AS x // it's", "RETURN '  ' AS x        "),
            ("RETURN 'it\\'s' + \"'//\" AS x", "RETURN '     ' + \"   \" AS x"),
            ("MATCH (n:`It's`) // a\nRETURN 1", "MATCH (n:`It's`)     \nRETURN 1"),
            (r"RETURN 'open \", "RETURN '      "),
        ] {
            assert_eq!(without_comments(text), code);
        }
    }
}
