//! A syntax tree of names, lists and texts.

/// A part of a syntax tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    /// A part of a kind. Those of its members that have no name are called by their places: `0`, `1`, …
    Node { name: String, members: Vec<(String, Tree)> },
    /// A list; of a map, lists of a key and a value.
    List(Vec<Tree>),
    /// What stood between quotes.
    Text(String),
}

static NOTHING: Tree = Tree::List(Vec::new());

impl Tree {
    /// Reads what Rust prints of derived types.
    pub(crate) fn of_debug(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let tree = reader.tree()?;
        reader.rest.is_empty().then_some(tree)
    }

    /// The kind; empty where it is none.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Node { name, .. } => name,
            Self::List(_) | Self::Text(_) => "",
        }
    }

    pub(crate) fn is(&self, kind: &str) -> bool {
        self.name() == kind
    }

    /// A member; an empty list where there is none.
    pub(crate) fn get(&self, member: &str) -> &Self {
        match self {
            Self::Node { members, .. } => members.iter().find(|(name, _)| name == member).map_or(&NOTHING, |(_, tree)| tree),
            Self::List(_) | Self::Text(_) => &NOTHING,
        }
    }

    /// What is in `Some`; nothing of `None` and of what is not there.
    pub(crate) fn some(&self) -> Option<&Self> {
        self.is("Some").then(|| self.get("0"))
    }

    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Node { .. } | Self::Text(_) => &[],
        }
    }

    /// Keys and values of a map.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Self)> {
        self.items().iter().filter_map(|entry| match entry.items() {
            [key, value] => Some((key.text()?, value)),
            _ => None,
        })
    }

    /// The text, be it in a `Some` or not.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Node { .. } => self.some().and_then(Self::text),
            Self::List(_) => None,
        }
    }

    /// The parts right below.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Node { members, .. } => Box::new(members.iter().map(|(_, tree)| tree)),
            Self::List(items) => Box::new(items.iter()),
            Self::Text(_) => Box::new(std::iter::empty()),
        }
    }

    /// This part and all below.
    pub(crate) fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        let mut at = 0;
        while at < all.len() {
            let part = all[at];
            all.extend(part.parts());
            at += 1;
        }
        all
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn tree(&mut self) -> Option<Tree> {
        match self.rest.chars().next()? {
            '[' => self.list('[', ']').map(Tree::List),
            '(' => self.list('(', ')').map(Tree::List),
            '{' => self.list('{', '}').map(Tree::List),
            '"' | '\'' => self.quoted().map(Tree::Text),
            _ => self.node(),
        }
    }

    fn node(&mut self) -> Option<Tree> {
        let name = self.word()?;
        let members = if self.takes(" {") {
            self.members()?
        } else if self.rest.starts_with('(') {
            self.list('(', ')')?.into_iter().enumerate().map(|(at, tree)| (at.to_string(), tree)).collect()
        } else {
            Vec::new()
        };
        Some(Tree::Node { name, members })
    }

    fn word(&mut self) -> Option<String> {
        let end = self.rest.find([',', ' ', '(', ')', '[', ']', '{', '}', '"']).unwrap_or(self.rest.len());
        // The colon of a key belongs to the map, that of a time to the word.
        let end = if self.rest[..end].ends_with(':') { end - 1 } else { end };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// Behind the brace: `name: value, … }`.
    fn members(&mut self) -> Option<Vec<(String, Tree)>> {
        let mut members = Vec::new();
        self.blanks();
        while !self.takes("}") {
            let name = self.word()?;
            self.expected(":")?;
            members.push((name, self.tree()?));
            self.blanks();
            if self.takes(",") {
                self.blanks();
            }
        }
        Some(members)
    }

    fn list(&mut self, open: char, close: char) -> Option<Vec<Tree>> {
        self.expected(open.encode_utf8(&mut [0; 4]))?;
        let mut items = Vec::new();
        while !self.takes(close.encode_utf8(&mut [0; 4])) {
            let item = self.tree()?;
            let item = if self.takes(": ") { Tree::List(vec![item, self.tree()?]) } else { item };
            items.push(item);
            if self.takes(",") {
                self.blanks();
            }
        }
        Some(items)
    }

    fn quoted(&mut self) -> Option<String> {
        let mut characters = self.rest.char_indices();
        let (_, quote) = characters.next()?;
        let mut text = String::new();
        while let Some((at, character)) = characters.next() {
            if character == quote {
                self.rest = &self.rest[at + quote.len_utf8()..];
                return Some(text);
            }
            if character != '\\' {
                text.push(character);
                continue;
            }
            match characters.next()?.1 {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                '0' => text.push('\0'),
                'u' => {
                    let code: String = characters.by_ref().map(|(_, digit)| digit).skip(1).take_while(|digit| *digit != '}').collect();
                    text.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => text.push(other),
            }
        }
        None
    }

    fn takes(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expected(&mut self, token: &str) -> Option<()> {
        let taken = self.takes(token);
        self.blanks();
        taken.then_some(())
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Debug)]
    #[expect(dead_code, reason = "it is printed")]
    enum Shape {
        Bare,
        Of(Box<Shape>, i64),
        With { name: Option<String>, sizes: Vec<f64>, by: BTreeMap<String, Shape>, pair: (u8, char), none: Vec<Shape> },
    }

    #[test]
    fn what_rust_prints_is_read() {
        let by = BTreeMap::from([("a, \"b\"".to_owned(), Shape::Of(Box::new(Shape::Bare), -1))]);
        let shape = Shape::With { name: Some("it's \\ \n\u{200b}{".to_owned()), sizes: vec![1.0, -1e300], by, pair: (1, '\''), none: Vec::new() };
        let tree = Tree::of_debug(&format!("{shape:?}")).expect("it is read");
        assert_eq!(tree.name(), "With");
        assert_eq!(tree.get("name").text(), Some("it's \\ \n\u{200b}{"));
        assert_eq!(tree.get("sizes").items().iter().map(Tree::name).collect::<Vec<_>>(), ["1.0", "-1e300"]);
        let (key, value) = tree.get("by").entries().next().expect("an entry");
        assert_eq!((key, value.name(), value.get("0").name(), value.get("1").name()), ("a, \"b\"", "Of", "Bare", "-1"));
        assert_eq!(tree.get("pair").items()[1], Tree::Text("'".to_owned()));
        assert_eq!((tree.get("none").items().len(), tree.get("unknown").items().len()), (0, 0));
        assert!(tree.all().iter().any(|part| part.is("Bare")));
        assert_eq!(Tree::of_debug("Unfinished { a: "), None);
        assert_eq!(Tree::of_debug("2024-01-31"), Some(Tree::Node { name: "2024-01-31".to_owned(), members: Vec::new() }));
    }
}
