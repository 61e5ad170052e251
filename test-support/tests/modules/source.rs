//! Rust source, read as far as paths go: comments and literals are left out, `use` trees are taken apart.

/// A path that a file names: its segments, and the name under which a `use` makes it known.
#[derive(Debug, PartialEq)]
pub struct Named {
    pub path: Vec<String>,
    /// `None` for a path that stands in code.
    pub bound: Option<String>,
}

/// A file's own source without its unit tests.
pub fn without_tests(text: &str) -> &str {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let begins_tests =
            line.trim_end() == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.trim_end().ends_with('{'));
        if begins_tests {
            return &text[..at];
        }
        at += line.len();
    }
    text
}

/// The modules that a file declares, but for those of tests.
pub fn declared(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut of_tests = false;
    for line in without_tests(text).lines() {
        let line = line.trim_end();
        if let Some(name) = module_of(line).filter(|_| !of_tests) {
            names.push(name.to_owned());
        }
        of_tests = line == "#[cfg(test)]";
    }
    names
}

/// `name` of `mod name;`, whatever its visibility.
fn module_of(line: &str) -> Option<&str> {
    let line = line.strip_suffix(';')?;
    let rest = match line.strip_prefix("pub") {
        None => line,
        Some(rest) => rest.split_once(") ").map_or(rest.trim_start(), |(_, rest)| rest),
    };
    rest.strip_prefix("mod ")
}

/// The paths of a file: all that its `use`s name, and those in code that begin with `crate`, `self`, `super` or one of `children`.
pub fn paths(text: &str, children: &[String]) -> Vec<Named> {
    let tokens = tokens(without_tests(text));
    let mut named = Vec::new();
    // The depth in braces, and the depths at which modules within the file begin.
    let (mut depth, mut inline) = (0, Vec::new());
    let of_visibility = ["(".to_owned(), "in".to_owned()];
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let next = tokens.get(at + 1).map(String::as_str);
        let begins_path = matches!(token, "crate" | "self" | "super") || children.iter().any(|child| child == token);
        let first = named.len();
        if token == "use" && next != Some("<") {
            at = take_tree(&tokens, at + 1, &[], true, &mut named);
        } else if begins_path && next == Some("::") && !tokens[..at].ends_with(&["::".to_owned()]) && !tokens[..at].ends_with(&of_visibility) {
            at = take_tree(&tokens, at, &[], false, &mut named);
        } else {
            match token {
                "mod" if tokens.get(at + 2).is_some_and(|brace| brace == "{") => inline.push(depth),
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    inline.pop_if(|begun| *begun == depth);
                }
                _ => {}
            }
            at += 1;
        }
        for found in &mut named[first..] {
            seen_from_the_file(&mut found.path, inline.len());
        }
    }
    named
}

/// In a module within the file, the first `super` is the file itself.
fn seen_from_the_file(path: &mut Vec<String>, inline: usize) {
    let own = path.iter().take(inline).take_while(|segment| *segment == "super").count();
    if own > 0 {
        path.splice(..own, ["self".to_owned()]);
    }
}

/// Takes a path, or a tree of them in a `use`, beginning at a token; answers with the token behind it.
fn take_tree(tokens: &[String], mut at: usize, before: &[String], of_use: bool, named: &mut Vec<Named>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") if of_use => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    let behind = take_tree(tokens, at, &path, true, named);
                    let separated = tokens.get(behind).is_some_and(|token| token == ",");
                    at = behind.max(at + usize::from(!separated && behind == at)) + usize::from(separated);
                }
                return at + 1;
            }
            Some(token) if is_name(token) || (of_use && token == "*") => {
                // `self` behind a path is the path itself.
                if token != "self" || path.is_empty() {
                    path.push(token.to_owned());
                }
                at += 1;
            }
            // `::` at the beginning of a path names a crate; `::<` ends one.
            _ if path.len() > before.len() || of_use => {}
            _ => return at + 1,
        }
        if tokens.get(at).is_some_and(|token| token == "::") {
            at += 1;
            if of_use || tokens.get(at).is_some_and(|token| is_name(token)) {
                continue;
            }
        }
        break;
    }
    let mut bound = path.last().cloned();
    if of_use && tokens.get(at).is_some_and(|token| token == "as") {
        bound = tokens.get(at + 1).cloned();
        at += 2;
    }
    named.push(Named { path, bound: bound.filter(|_| of_use) });
    at.max(1)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, `::` and single signs. Comments, numbers, lifetimes and literals are left out.
fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let in_name = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += 2 + text[at + 2..].find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(length) = raw_string(rest) {
            at += length;
        } else if rest.starts_with(b"\"") || rest.starts_with(b"b\"") {
            at += 1 + usize::from(rest[0] == b'b');
            while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                at += 1 + usize::from(bytes[at] == b'\\');
            }
            at += 1;
        } else if rest[0] == b'\'' {
            at += character(text, at);
        } else if rest.starts_with(b"::") {
            tokens.push("::".to_owned());
            at += 2;
        } else if in_name(at) {
            let begin = at;
            while in_name(at) {
                at += 1;
            }
            tokens.push(text[begin..at].to_owned());
        } else {
            if rest[0].is_ascii_punctuation() {
                tokens.push(char::from(rest[0]).to_string());
            }
            at += 1;
        }
    }
    tokens
}

/// The length of a raw string that begins here.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let prefix = usize::from(rest.starts_with(b"b")) + 1;
    if rest.get(prefix - 1) != Some(&b'r') {
        return None;
    }
    let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(prefix + hashes) != Some(&b'"') {
        return None;
    }
    let end = [b"\"".as_slice(), &rest[prefix..prefix + hashes]].concat();
    let begin = prefix + hashes + 1;
    let length = rest[begin..].windows(end.len()).position(|window| window == end)?;
    Some(begin + length + end.len())
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(text: &str, at: usize) -> usize {
    let mut rest = text[at + 1..].char_indices();
    match rest.next() {
        Some((_, '\\')) => 3 + text[at + 3..].find('\'').map_or(0, |end| end + 1),
        _ => rest.next().filter(|(_, second)| *second == '\'').map_or(1, |(length, _)| length + 2),
    }
}

#[test]
fn paths_are_found_where_they_stand() {
    let text = r##"
        //! use crate::comment::A;
        use std::fmt::{self, Display};
        use crate::{a::{B, self}, c as d};
        pub(in crate::text) use super::super::e::*;
        mod child;
        fn f<'a>(x: &'a str) -> crate::g::H<'a> { let _ = ('"', '\'', "crate::text", r#"crate::"raw""#); child::i::<u8>(super::J) }
        #[cfg(test)]
    "##;
    let found: Vec<(String, Option<String>)> =
        paths(text, &["child".to_owned()]).into_iter().map(|named| (named.path.join("::"), named.bound)).collect();
    let bound = |path: &str, name: &str| (path.to_owned(), Some(name.to_owned()));
    let inline = |path: &str| (path.to_owned(), None);
    let expected = [
        bound("std::fmt", "fmt"),
        bound("std::fmt::Display", "Display"),
        bound("crate::a::B", "B"),
        bound("crate::a", "a"),
        bound("crate::c", "d"),
        bound("super::super::e::*", "*"),
        inline("crate::g::H"),
        inline("child::i"),
        inline("super::J"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn modules_of_tests_are_no_part_of_the_order() {
    let text = "mod a;\npub mod b;\npub(crate) mod c;\n#[cfg(test)]\nmod d_tests;\nmod e { }\n#[cfg(test)]\nmod tests {\nmod f;\n}\n";
    assert_eq!(declared(text), ["a", "b", "c"]);
}
