//! Which statements a request causes: noted while it is carried out, for whoever wants to try them in Neo4j Browser.
//!
//! What is asked for several nodes at once is one statement here as there, with all their ids.

use std::sync::{Arc, Mutex, PoisonError};

use cypher::{Params, Value};

/// A statement and what it was given.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedStatement {
    pub text: Arc<str>,
    /// All but `$ids`.
    pub params: Params,
    /// Of which nodes it was asked, where it is asked of nodes.
    pub ids: Vec<Arc<str>>,
}

tokio::task_local! {
    static NOTED: Mutex<Vec<AskedStatement>>;
}

/// Carries a request out, and tells which statements it asked, in the order in which they were first asked.
pub async fn explained<F: Future>(request: F) -> (F::Output, Vec<AskedStatement>) {
    let noting = async {
        let output = request.await;
        (output, NOTED.with(|noted| std::mem::take(&mut *noted.lock().unwrap_or_else(PoisonError::into_inner))))
    };
    NOTED.scope(Mutex::default(), noting).await
}

/// Whether somebody wants to know of the request that is being carried out.
pub(crate) fn is_wanted() -> bool {
    NOTED.try_with(|_| ()).is_ok()
}

/// Notes a statement of the request that is being carried out, if somebody wants to know.
pub(crate) fn note(text: impl FnOnce() -> Arc<str>, params: &Params, id: Option<&str>) {
    let _ = NOTED.try_with(|noted| {
        let (text, mut noted) = (text(), noted.lock().unwrap_or_else(PoisonError::into_inner));
        let known = noted.iter().position(|asked| asked.text == text && asked.params == *params);
        let at = known.unwrap_or_else(|| {
            noted.push(AskedStatement { text, params: params.clone(), ids: Vec::new() });
            noted.len() - 1
        });
        if let Some(id) = id.filter(|id| !noted[at].ids.iter().any(|known| **known == **id)) {
            noted[at].ids.push(Arc::from(id));
        }
    });
}

impl AskedStatement {
    /// As Neo4j Browser takes it: the parameters, then the statement.
    pub fn for_browser(&self) -> String {
        let ids = (!self.ids.is_empty()).then(|| ("ids", Value::List(self.ids.iter().map(|id| Value::from(&**id)).collect())));
        let ids = ids.iter().map(|(name, value)| (*name, value));
        let params: Vec<String> = ids
            .chain(self.params.0.iter().map(|(name, value)| (&**name, value)))
            .map(|(name, value)| format!("{name}: {}", literal(value)))
            .collect();
        format!(":params {{{}}}\n{}", params.join(", "), self.text.trim_end())
    }
}

/// A value as Cypher writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => format!("{float:?}"),
        Value::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::List(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            format!("{{{}}}", entries.iter().map(|(key, value)| format!("{key}: {}", literal(value))).collect::<Vec<_>>().join(", "))
        }
    }
}
