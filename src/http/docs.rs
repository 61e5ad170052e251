//! `/docs`: the operations of the OpenAPI document as a page to read, without a script and without any other host.

use std::fmt::Write;

use serde_json::Value;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a2e;background:#fff}\
    h1{margin-bottom:0}nav a{margin-right:1rem}details{border:1px solid #d5d8e0;border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}\
    summary{cursor:pointer}code,pre{font:14px/1.45 ui-monospace,monospace}pre{background:#f4f5f9;padding:.8rem;overflow:auto;max-height:24rem}\
    .m{display:inline-block;min-width:4.5rem;font-weight:600}table{border-collapse:collapse}td,th{padding:.15rem .9rem .15rem 0;text-align:left;vertical-align:top}\
    @media(prefers-color-scheme:dark){body{color:#e6e6ef;background:#16161f}details{border-color:#3a3b4a}pre{background:#20202c}a{color:#9db7ff}}";

/// How deep references are followed when a body's shape is written out; deeper, only the name is shown.
const DEPTH: usize = 6;

/// The page.
pub fn html(openapi: &Value) -> String {
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut page, openapi);
    page
}

fn write_page(page: &mut String, openapi: &Value) -> std::fmt::Result {
    let title = escaped(openapi["info"]["title"].as_str().unwrap_or("API"));
    let version = escaped(openapi["info"]["version"].as_str().unwrap_or_default());
    write!(
        page,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style>"
    )?;
    write!(
        page,
        "<h1>{title}</h1><p>Version {version}. Send <code>x-api-key</code>, or <code>authorization: Bearer</code> with a token of <code>/auth/token</code>. For programs: <a href=/openapi.json>openapi.json</a></p><nav>"
    )?;
    let groups = groups(openapi);
    for (group, _) in &groups {
        let group = escaped(group);
        write!(page, "<a href=\"#{group}\">{group}</a>")?;
    }
    page.push_str("</nav>");
    for (group, operations) in &groups {
        let group = escaped(group);
        write!(page, "<h2 id=\"{group}\">{group}</h2>")?;
        for operation in operations {
            write_operation(page, openapi, operation)?;
        }
    }
    page.push_str("</html>\n");
    Ok(())
}

/// One operation and where it is.
struct Operation<'a> {
    method: String,
    path: &'a str,
    text: &'a Value,
}

/// The operations by their first tag, in the order of the document.
fn groups(openapi: &Value) -> Vec<(&str, Vec<Operation<'_>>)> {
    let mut groups: Vec<(&str, Vec<Operation>)> = Vec::new();
    for (path, item) in openapi["paths"].as_object().into_iter().flatten() {
        for (method, text) in item.as_object().into_iter().flatten().filter(|(_, text)| text["responses"].is_object()) {
            let group = text["tags"][0].as_str().unwrap_or("other");
            let operation = Operation { method: method.to_ascii_uppercase(), path, text };
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, operations)) => operations.push(operation),
                None => groups.push((group, vec![operation])),
            }
        }
    }
    groups
}

fn write_operation(page: &mut String, openapi: &Value, operation: &Operation) -> std::fmt::Result {
    let Operation { method, path, text } = operation;
    let summary = escaped(text["summary"].as_str().unwrap_or_default());
    write!(page, "<details><summary><span class=m>{method}</span> <code>{}</code> {summary}</summary>", escaped(path))?;
    if let Some(description) = text["description"].as_str() {
        write!(page, "<p>{}</p>", escaped(description))?;
    }
    let parameters = text["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        page.push_str("<table><tr><th>parameter<th>in<th>required<th>");
        for parameter in parameters {
            let [name, place, about] = ["name", "in", "description"].map(|key| escaped(parameter[key].as_str().unwrap_or_default()));
            let required = if parameter["required"] == true { "yes" } else { "no" };
            write!(page, "<tr><td><code>{name}</code><td>{place}<td>{required}<td>{about}")?;
        }
        page.push_str("</table>");
    }
    for (kind, content) in text["requestBody"]["content"].as_object().into_iter().flatten() {
        write!(page, "<p>Body, <code>{}</code>:</p><pre>{}</pre>", escaped(kind), escaped(&shape(openapi, &content["schema"])))?;
    }
    page.push_str("<table><tr><th>status<th>");
    for (status, response) in text["responses"].as_object().into_iter().flatten() {
        write!(page, "<tr><td>{}<td>{}", escaped(status), escaped(response["description"].as_str().unwrap_or_default()))?;
    }
    page.push_str("</table></details>");
    Ok(())
}

/// A schema as one would write the JSON: `{ "id": string, "name"?: string }`.
fn shape(openapi: &Value, schema: &Value) -> String {
    let mut text = String::new();
    write_shape(&mut text, openapi, schema, 0);
    text
}

fn write_shape(text: &mut String, openapi: &Value, schema: &Value, depth: usize) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        let target = &openapi["components"]["schemas"][name];
        if depth >= DEPTH || target.is_null() {
            text.push_str(name);
        } else {
            write_shape(text, openapi, target, depth);
        }
    } else if let Some(properties) = schema["properties"].as_object() {
        write_object(text, openapi, (schema, properties), depth);
    } else if schema["items"].is_object() {
        text.push('[');
        write_shape(text, openapi, &schema["items"], depth);
        text.push_str(", …]");
    } else if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        text.push_str(&values.join(" | "));
    } else if let Some(choices) = ["oneOf", "anyOf", "allOf"].iter().find_map(|key| schema[*key].as_array()) {
        for (index, choice) in choices.iter().filter(|choice| choice["type"] != "null").enumerate() {
            if index > 0 {
                text.push_str(" | ");
            }
            write_shape(text, openapi, choice, depth);
        }
    } else {
        text.push_str(&kind(schema));
    }
}

fn write_object(text: &mut String, openapi: &Value, (schema, properties): (&Value, &serde_json::Map<String, Value>), depth: usize) {
    let inner = "  ".repeat(depth + 1);
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    text.push_str("{\n");
    for (name, property) in properties {
        let mark = if required.iter().any(|known| known == name) { "" } else { "?" };
        text.push_str(&format!("{inner}\"{name}\"{mark}: "));
        write_shape(text, openapi, property, depth + 1);
        text.push('\n');
    }
    text.push_str(&"  ".repeat(depth));
    text.push('}');
}

/// The schema's type, or types, in words.
fn kind(schema: &Value) -> String {
    let kind = match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect::<Vec<_>>().join(" | "),
        _ => "anything".to_owned(),
    };
    match schema["format"].as_str() {
        Some(format) => format!("{kind} ({format})"),
        None => kind,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_shows_operations_bodies_and_statuses_and_nothing_raw() {
        let openapi = json!({
            "info": {"title": "A <b>title</b>", "version": "1"},
            "paths": {"/api/things/{id}": {"post": {
                "tags": ["things"], "summary": "Add Thing",
                "parameters": [{"name": "id", "in": "path", "required": true}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                "responses": {"200": {"description": "the thing"}},
            }}},
            "components": {"schemas": {"Thing": {
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}},
            }}},
        });
        let page = html(&openapi);
        assert!(page.contains("<span class=m>POST</span> <code>/api/things/{id}</code> Add Thing"), "{page}");
        assert!(page.contains("&quot;name&quot;: string") && page.contains("&quot;parts&quot;?: ["), "{page}");
        assert!(page.contains("<td>200<td>the thing") && !page.contains("<b>title"), "{page}");
    }

    #[test]
    fn the_page_of_this_service_needs_no_other_host() {
        let page = html(&serde_json::to_value(rest_compat::openapi()).expect("the document is JSON"));
        assert!(page.contains("/api/actors") && !page.contains("src=") && !page.contains("@import"));
    }
}
