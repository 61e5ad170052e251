//! Files of cases: taken in while they come, kept in a folder or in S3, given out as attachments. What is refused or breaks off leaves nothing.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::fixtures::case_id;
use crate::support::s3::S3;
use crate::support::stored;
use crate::support::wire::{Wire, status};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, files_in, tests};

tests![both: a_file_is_uploaded_shown_and_given_out, a_key_stores_it_once, forms_that_break_a_rule, what_stands_before_a_boundary_is_bounded;
    embedded: types_are_decided_by_content_and_name, a_name_is_never_a_path, fifty_megabytes_and_not_more, an_upload_that_breaks_off_leaves_nothing,
    a_killed_process_leaves_nothing, files_in_s3, a_store_that_is_away, a_refusal_does_not_wait, who_may, names_in_other_spellings];

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
const MEGABYTE: usize = 1 << 20;
/// Far less than an upload may take, and far more than a busy machine does for what is done at once.
const SOON: Duration = Duration::from_secs(90);
const BOUNDARY: &str = "a-boundary-of-the-tests";

/// What stands before the content of a form's one file.
fn head_of(name: &str) -> String {
    format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: application/octet-stream\r\n\r\n")
}

fn form(name: &str, content: &[u8]) -> Vec<u8> {
    [head_of(name).as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

fn uploading(api: &Api, path: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
    api.request("POST", &format!("{path}/files")).header("content-type", format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}

async fn upload(api: &Api, path: &str, name: &str, content: &[u8]) -> Answer {
    api.send(uploading(api, path, form(name, content))).await
}

/// A case of its own; answers with its path.
async fn case(api: &Api) -> String {
    let made = api.post("/api/cases", "{}").await.expect(200).json();
    format!("/api/cases/{}", made["case_id"].as_str().expect("an id"))
}

async fn files_of(api: &Api, path: &str) -> Value {
    let query = "query($id: ID!) { case(id: $id) { files { totalCount edges { node { id name givenName mediaType size sha256 uploadedAt uploadedBy url case { id } } } } } }";
    api.graphql(query, json!({"id": path.rsplit('/').next()})).await["case"]["files"].take()
}

/// The content as it is given out.
async fn content(api: &Api, id: &str) -> Vec<u8> {
    let response = api.request("GET", &format!("/files/{id}")).send().await.expect("an answer");
    assert_eq!(response.status().as_u16(), 200);
    response.bytes().await.expect("a body").to_vec()
}

/// A server of its own that keeps its files in a folder.
fn with_folder(engine: Engine) -> (Server, TempDir) {
    let folder = tempfile::Builder::new().prefix("amlgraph-files-").tempdir().expect("a folder");
    let url = format!("file:{}", folder.path().display());
    (Server::with(Store::of(engine), &[("AMLGRAPH_FILES__URL", &url)]), folder)
}

/// A file that looks as if somebody had put it there two hours ago.
fn put_long_ago(file: &Path) {
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("it is made");
    std::fs::write(file, "nobody's").expect("it is written");
    make_old(file);
}

fn make_old(file: &Path) {
    let then = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    std::fs::File::options().write(true).open(file).and_then(|file| file.set_modified(then)).expect("it has a time");
}

/// Has what nobody owns looked for now, and not within the hour.
async fn look_for_stray(server: &mut Server) {
    stored::write(server, "MATCH (j:Job {id: 'stray-files'}) SET j.dueAt = 0, j.restUntil = 0", cypher::Params::none()).await;
}

/// What is no content of this graph's files, wherever its own are: another graph's, somebody else's, what is not called by an id.
fn foreign(root: &Path, own: &Path) -> Vec<PathBuf> {
    let unfinished = format!("{}#1", case_id());
    vec![
        root.join(case_id()),
        root.join(unfinished),
        root.join(case_id()).join(case_id()),
        own.join("notes.txt"),
        own.join(case_id()).join(case_id()),
    ]
}

async fn becomes_empty(folder: &Path) {
    eventually("nothing is left", SOON, async || files_in(folder).is_empty()).await;
}

async fn a_file_is_uploaded_shown_and_given_out(engine: Engine) {
    let server = Server::shared(engine);
    let path = case(&server).await;
    let answer = upload(&server, &path, "übersicht 1.png", PNG).await.expect(200).json();
    let (id, at) = (answer["id"].as_str().expect("an id"), &answer["uploaded_at"]);
    let wanted =
        json!({"id": id, "name": "übersicht 1.png", "media_type": "image/png", "size": PNG.len(), "sha256": answer["sha256"], "uploaded_at": at});
    assert_eq!(answer, wanted);
    assert_eq!(answer["sha256"].as_str().map(str::len), Some(64));
    let shown = files_of(&server, &path).await;
    let file = &shown["edges"][0]["node"];
    assert_eq!((&shown["totalCount"], &file["size"], &file["sha256"], &file["uploadedAt"]), (&json!(1), &json!(PNG.len()), &answer["sha256"], at));
    assert_eq!((&file["name"], &file["givenName"], &file["mediaType"]), (&json!("übersicht 1.png"), &json!("übersicht 1.png"), &json!("image/png")));
    assert_eq!(file["case"]["id"].as_str(), path.rsplit('/').next());
    let response = server.request("GET", file["url"].as_str().expect("a path")).send().await.expect("an answer");
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "image/png");
    assert_eq!(header("content-disposition"), "attachment; filename=\"_bersicht 1.png\"; filename*=UTF-8''%C3%BCbersicht%201.png");
    assert_eq!((header("x-content-type-options"), header("content-length")), ("nosniff".to_owned(), PNG.len().to_string()));
    assert_eq!(response.bytes().await.expect("a body"), PNG);
    server.get(&format!("/files/{}", case_id())).await.expect(404);
    // Adding it is in the audit log, and so is reading it.
    let span = "startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z";
    let case = path.rsplit('/').next().expect("an id");
    let added = server.get(&format!("/api/audit_logs?{span}&caseId={case}")).await.expect(200).json();
    assert!(added["values"].as_array().expect("entries").iter().any(|entry| entry["json_"]["action"] == "case.file.added"), "{added}");
    eventually("reading it is told", SOON, async || {
        let read = server.get(&format!("/api/audit_logs?{span}&logType=READ&limit=1000")).await.expect(200).json();
        read["values"].as_array().expect("entries").iter().any(|entry| entry["json_"]["objectId"] == id)
    })
    .await;
}

async fn a_key_stores_it_once(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let (path, ids) = (case(&server).await, Ids::new());
    let keyed = |content: &[u8]| server.send(uploading(&server, &path, form("a.txt", content)).header("idempotency-key", ids.of("key")));
    let first = keyed(b"one").await.expect(200);
    let again = keyed(b"one").await.expect(200);
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
    assert_eq!(keyed(b"two").await.expect(400).places(), ["idempotency-key"]);
    assert_eq!(files_in(folder.path()).len(), 1, "what was sent again is not there twice");
    assert_eq!(files_of(&server, &path).await["totalCount"], 1);
    // Without a key it is another file.
    upload(&server, &path, "a.txt", b"one").await.expect(200);
    assert_eq!((files_in(folder.path()).len(), &files_of(&server, &path).await["totalCount"]), (2, &json!(2)));
}

async fn forms_that_break_a_rule(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    let with_body = |body: String| server.send(uploading(&server, &path, body));
    let end = format!("\r\n--{BOUNDARY}--\r\n");
    let other = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"document\"; filename=\"a.txt\"\r\n\r\nx{end}");
    let two = format!("{}x\r\n--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"note\"\r\n\r\nx{end}", head_of("a.txt"));
    let unnamed = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nx{end}");
    for (body, place) in [
        (other, "document"),
        (two, "note"),
        (unnamed, "file"),
        (format!("--{BOUNDARY}--\r\n"), "file"),
        (form_text("a.txt", ""), "file"),
        ("no form".to_owned(), "body"),
        (head_of("a.txt") + "its end is missing", "body"),
    ] {
        assert_eq!(with_body(body.clone()).await.expect(400).places(), [place], "{body}");
    }
    let plain = server.request("POST", &format!("{path}/files")).header("content-type", "text/plain").body("x");
    assert_eq!(server.send(plain).await.expect(415).places(), ["content-type"]);
    let no_boundary = server.request("POST", &format!("{path}/files")).header("content-type", "multipart/form-data").body("x");
    assert_eq!(server.send(no_boundary).await.expect(400).places(), ["content-type"]);
    upload(&server, &format!("/api/cases/{}", case_id()), "a.txt", b"x").await.expect(404);
    let answering = uploading(&server, &path, form("a.txt", b"x"));
    assert_eq!(server.send(answering.header("service-rfd-id", case_id())).await.expect(400).places(), ["service-rfd-id"]);
    assert_eq!(files_of(&server, &path).await["totalCount"], 0);
    assert_eq!(files_in(folder.path()), Vec::<std::path::PathBuf>::new(), "what is refused leaves nothing");
}

fn form_text(name: &str, content: &str) -> String {
    String::from_utf8(form(name, content.as_bytes())).expect("text")
}

/// Neither a boundary that does not come nor the head of a part that does not end is waited for.
async fn what_stands_before_a_boundary_is_bounded(engine: Engine) {
    // Of its own: its worker would take up what other tests leave, and memory for it.
    let server = Server::on(Store::private(engine));
    let path = case(&server).await;
    let filler = "x".repeat(1 << 16);
    let head = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nx-filler: ");
    let behind = format!("{}x\r\n--{BOUNDARY}\r\nx-filler: ", head_of("a.txt"));
    for begin in [String::new(), "--another\r\n".to_owned(), head, behind] {
        let before = server.resident_bytes();
        let mut wire = Wire::open(&server).await;
        let about = format!("host: x\r\nx-api-key: {}\r\ncontent-type: multipart/form-data; boundary={BOUNDARY}", server.key());
        wire.say(&format!("POST {path}/files HTTP/1.1\r\n{about}\r\ntransfer-encoding: chunked\r\n\r\n")).await;
        wire.say(&format!("{:x}\r\n{begin}{filler}\r\n", begin.len() + filler.len())).await;
        let mut sent = filler.len();
        while sent < 64 << 20 && wire.send(format!("{:x}\r\n{filler}\r\n", filler.len()).as_bytes()).await {
            sent += filler.len();
        }
        assert!(sent < 32 << 20, "it is read on: {sent} bytes of {begin}");
        let more = server.resident_bytes().saturating_sub(before);
        assert!(more < 24 << 20, "{} MiB more for {begin}", more >> 20);
    }
    // What is told is that, and at once.
    let long = format!("{filler}\r\n{}", form_text("a.txt", "x"));
    let answer = server.send(uploading(&server, &path, long)).await.expect(400);
    assert!(answer.places() == ["body"] && answer.text.contains("65536 bytes"), "{answer:?}");
    let short = format!("A form for those who can't read one.\r\n{}", form_text("a.txt", "x"));
    server.send(uploading(&server, &path, short)).await.expect(200);
    assert_eq!(files_of(&server, &path).await["totalCount"], 1);
}

/// Browsers send a name as it is; others as RFC 8187 has it. What says that a content is to be read otherwise than it is, is refused.
async fn names_in_other_spellings(engine: Engine) {
    let server = Server::shared(engine);
    let path = case(&server).await;
    let with_head = |head: &str| {
        let body = format!("--{BOUNDARY}\r\n{head}\r\n\r\nx\r\n--{BOUNDARY}--\r\n");
        server.send(uploading(&server, &path, body))
    };
    for (named, wanted) in [
        ("filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
        ("filename=\"EURO.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
        ("filename*=utf-8'de'%C3%BC.txt; filename=\"u.txt\"", "ü.txt"),
        ("filename*=ISO-8859-1''%FC.txt", "ü.txt"),
        ("filename*=UTF-8''..%2F..%2Fpasswd.txt", "passwd.txt"),
        ("filename=\"ü.txt\"", "ü.txt"),
    ] {
        let answer = with_head(&format!("content-disposition: form-data; name=\"file\"; {named}")).await.expect(200).json();
        assert_eq!(answer["name"], json!(wanted), "{named}");
    }
    for wrong in ["filename*=UTF-8''%zz.txt", "filename*=koi8-r''a.txt", "filename*=a.txt"] {
        let answer = with_head(&format!("content-disposition: form-data; name=\"file\"; {wrong}")).await.expect(400);
        assert!(answer.places() == ["file"] && answer.text.contains("filename*"), "{answer:?}");
    }
    let named = "content-disposition: form-data; name=\"file\"; filename=\"a.txt\"";
    for (said, status) in [
        ("content-transfer-encoding: base64", 415),
        ("content-transfer-encoding: quoted-printable", 415),
        ("content-encoding: gzip", 415),
        ("content-transfer-encoding: binary", 200),
        ("Content-Transfer-Encoding: 8BIT", 200),
    ] {
        let answer = with_head(&format!("{named}\r\n{said}")).await.expect(status);
        assert!(status == 200 || answer.text.contains(&said[..16]), "{said}: {answer:?}");
    }
}

async fn types_are_decided_by_content_and_name(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    let archive = |part: &str| [b"PK\x03\x04", [0; 26].as_slice(), part.as_bytes(), b"...", b"PK\x01\x02", part.as_bytes()].concat();
    let office = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 100]].concat();
    let right: [(&str, Vec<u8>, &str); 17] = [
        ("a.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec(), "image/jpeg"),
        ("a.JPEG", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec(), "image/jpeg"),
        ("a.png", PNG.to_vec(), "image/png"),
        ("a.gif", b"GIF89a\x01\0\x01\0".to_vec(), "image/gif"),
        ("a.pdf", b"%PDF-1.7\n%\xE2\xE3\n".to_vec(), "application/pdf"),
        ("a.doc", office.clone(), "application/msword"),
        ("a.xls", office.clone(), "application/vnd.ms-excel"),
        ("a.docx", archive("word/document.xml"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("a.xlsx", archive("xl/workbook.xml"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("a.json", r#"{"a": "ü"}"#.as_bytes().to_vec(), "application/json"),
        ("a.txt", "ü".as_bytes().to_vec(), "text/plain"),
        ("a.csv", b"a;b\r\n1;2\r\n".to_vec(), "text/csv"),
        // As spreadsheets and older programs write them.
        ("a.csv", b"\xFF\xFEa\0;\0\xFC\0".to_vec(), "text/csv"),
        ("a.txt", b"\xFE\xFF\0a\0\xFC".to_vec(), "text/plain"),
        ("a.csv", b"M\xFCller;5,00 \x80\r\n".to_vec(), "text/csv"),
        ("a.txt", "\u{feff}ü".as_bytes().to_vec(), "text/plain"),
        ("a.json", "\u{feff}{}".as_bytes().to_vec(), "application/json"),
    ];
    for (name, content, media_type) in &right {
        let answer = upload(&server, &path, name, content).await.expect(200).json();
        assert_eq!(answer["media_type"], *media_type, "{name}");
    }
    let stored = files_in(folder.path()).len();
    assert_eq!(stored, right.len());
    for (name, content) in [
        ("a.png", b"GIF89a\x01\0\x01\0".to_vec()),
        ("a.jpg", b"<html><script>alert(1)</script></html>".to_vec()),
        ("a.pdf", PNG.to_vec()),
        ("a.docx", archive("xl/workbook.xml")),
        ("a.xlsx", archive("other")),
        ("a.doc", b"plain".to_vec()),
        ("a.json", b"{".to_vec()),
        ("a.txt", PNG.to_vec()),
        ("a.csv", b"\xFF\xFEa".to_vec()),
        ("a.txt", b"a\0b".to_vec()),
        ("a.json", b"\xFF\xFE{\0}\0".to_vec()),
        ("a.docx", [archive("word/document.xml"), archive("word/vbaProject.bin")].concat()),
        ("a.xlsx", [archive("xl/workbook.xml"), archive("xl/vbaProject.bin")].concat()),
        ("a.exe", b"MZ".to_vec()),
        ("a.html", b"<p>".to_vec()),
        ("a.svg", b"<svg/>".to_vec()),
        ("a.png.exe", PNG.to_vec()),
    ] {
        assert_eq!(upload(&server, &path, name, &content).await.expect(415).places(), ["file"], "{name}");
    }
    assert_eq!(files_in(folder.path()).len(), stored, "what is refused leaves nothing");
}

async fn a_name_is_never_a_path(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    let long = format!("{}.txt", "x".repeat(300));
    for (given, wanted) in [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("a/b.txt", "b.txt"),
        ("C:\\\\temp\\\\b.txt", "b.txt"),
        ("収入 📄.txt", "収入 📄.txt"),
        ("report\u{202E}fdp.txt", "reportfdp.txt"),
        (&long, &format!("{}.txt", "x".repeat(251))),
    ] {
        let answer = upload(&server, &path, given, b"x").await.expect(200).json();
        assert_eq!(answer["name"], wanted, "{given:?}");
        assert_eq!(content(&server, answer["id"].as_str().expect("an id")).await, b"x");
    }
    assert_eq!(upload(&server, &path, "a\0b.txt", b"x").await.expect(400).places(), ["body"], "no header has such a name");
    for nothing in ["..", "../..", "a/", "passwd"] {
        assert_eq!(upload(&server, &path, nothing, b"x").await.expect(400).places(), ["file"], "{nothing:?}");
    }
    // In the store they are called by their ids, below the graph's own prefix.
    let stored = files_in(folder.path());
    assert!(stored.iter().all(|file| file.parent() == stored[0].parent() && file.file_name().is_some_and(|name| name.len() == 36)), "{stored:?}");
    assert_eq!(stored[0].parent().and_then(Path::parent), Some(folder.path()));
}

/// A body in pieces of a megabyte, whose length is not told beforehand.
fn pieces(name: &str, bytes: usize) -> reqwest::Body {
    let content = (0..bytes.div_ceil(MEGABYTE)).map(move |n| vec![b'x'; MEGABYTE.min(bytes - n * MEGABYTE)]);
    let whole = [head_of(name).into_bytes()].into_iter().chain(content).chain([format!("\r\n--{BOUNDARY}--\r\n").into_bytes()]);
    let frames: Vec<_> = whole.map(|part| Ok::<_, std::io::Error>(Frame::data(Bytes::from(part)))).collect();
    reqwest::Body::wrap(StreamBody::new(futures::stream::iter(frames)))
}

async fn fifty_megabytes_and_not_more(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    let most = 50 * MEGABYTE;
    let answer = server.send(uploading(&server, &path, pieces("a.txt", most))).await.expect(200).json();
    assert_eq!(answer["size"], most);
    assert_eq!(content(&server, answer["id"].as_str().expect("an id")).await.len(), most);
    // Told beforehand, and found while it comes.
    let known = upload(&server, &path, "a.txt", &vec![b'x'; most + 1]).await.expect(413);
    assert!(known.errors()[0].contains("50 MB"), "{known:?}");
    server.send(uploading(&server, &path, pieces("a.txt", most + 1))).await.expect(413);
    assert_eq!(server.try_send(uploading(&server, &path, pieces("a.txt", 2 * most))).await.map(|answer| answer.status).unwrap_or(413), 413);
    eventually("only the first is left", SOON, async || files_in(folder.path()).len() == 1).await;
    assert_eq!(files_of(&server, &path).await["totalCount"], 1);
}

/// What is refused is answered at once, however slowly the rest of it comes.
async fn a_refusal_does_not_wait(engine: Engine) {
    let server = Server::shared(engine);
    let nowhere = format!("/api/cases/{}", case_id());
    let mut wire = Wire::open(&server).await;
    wire.say(&head_of_upload(&server, &nowhere)).await;
    wire.send(&[b'x'; 1000]).await;
    let answer = wire.hear(SOON).await;
    assert_eq!(status(&answer), 404, "{answer}");
}

/// The head of an upload of 20 megabytes.
fn head_of_upload(server: &Server, path: &str) -> String {
    let length = 20 * MEGABYTE;
    let form = format!("content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {length}\r\n\r\n{}", head_of("a.txt"));
    format!("POST {path}/files HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\n{form}", server.key())
}

/// Begins an upload of 20 megabytes and sends 12 of them.
async fn half_an_upload(server: &Server, path: &str) -> TcpStream {
    let mut connection = TcpStream::connect(server.base.strip_prefix("http://").expect("an address")).await.expect("a connection");
    connection.write_all(head_of_upload(server, path).as_bytes()).await.expect("it is sent");
    for _ in 0..12 {
        connection.write_all(&vec![b'x'; MEGABYTE]).await.expect("it is sent");
    }
    connection.flush().await.expect("it is sent");
    connection
}

async fn an_upload_that_breaks_off_leaves_nothing(engine: Engine) {
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    let connection = half_an_upload(&server, &path).await;
    eventually("it is on its way", SOON, async || !files_in(folder.path()).is_empty()).await;
    drop(connection);
    becomes_empty(folder.path()).await;
    assert_eq!(files_of(&server, &path).await["totalCount"], 0);
}

async fn a_killed_process_leaves_nothing(engine: Engine) {
    let (mut server, folder) = with_folder(engine);
    let path = case(&server).await;
    let kept = upload(&server, &path, "kept.txt", b"kept").await.expect(200).json();
    let _connection = half_an_upload(&server, &path).await;
    eventually("it is on its way", SOON, async || files_in(folder.path()).len() == 2).await;
    server.kill();
    let kept = kept["id"].as_str().expect("an id");
    let left = files_in(folder.path());
    left.iter().for_each(|file| make_old(file));
    let kept_at = left.iter().find(|file| file.ends_with(kept)).expect("it is there");
    let own = kept_at.parent().expect("a folder");
    // One that was complete when the process died, and that no case came to own; and another that may yet come to be a case's.
    let (old, new) = (own.join(case_id()), own.join(case_id()));
    put_long_ago(&old);
    std::fs::write(&new, "nobody's as yet").expect("it is written");
    let foreign = foreign(folder.path(), own);
    foreign.iter().for_each(|file| put_long_ago(file));
    server.start_again();
    look_for_stray(&mut server).await;
    let mut wanted: Vec<&PathBuf> = foreign.iter().chain([kept_at, &new]).collect();
    wanted.sort();
    eventually("what nobody owns is gone", SOON, async || files_in(folder.path()).iter().all(|file| wanted.contains(&file))).await;
    // All that is looked at is looked at within milliseconds.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut found = files_in(folder.path());
    found.sort();
    assert_eq!(found.iter().collect::<Vec<_>>(), wanted);
    assert_eq!(content(&server, kept).await, b"kept");
}

async fn files_in_s3(engine: Engine) {
    let s3 = S3::start();
    let settings = s3.settings();
    let settings: Vec<(&'static str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut server = Server::with(Store::of(engine), &settings);
    let path = case(&server).await;
    let small = upload(&server, &path, "small.png", PNG).await.expect(200).json();
    assert_eq!(content(&server, small["id"].as_str().expect("an id")).await, PNG);
    // In three parts.
    let large = server.send(uploading(&server, &path, pieces("large.txt", 12 * MEGABYTE))).await.expect(200).json();
    let found = content(&server, large["id"].as_str().expect("an id")).await;
    assert!(found.len() == 12 * MEGABYTE && found.iter().all(|byte| *byte == b'x'));
    assert_eq!(s3.objects().len(), 2);
    // Refused at its end, when the first parts are there.
    let broken = [vec![b'"'; 1], vec![b'x'; 12 * MEGABYTE]].concat();
    upload(&server, &path, "large.json", &broken).await.expect(415);
    server.send(uploading(&server, &path, form("a.txt", b"x")).header("service-rfd-id", case_id())).await.expect(400);
    assert_eq!(s3.objects().len(), 2, "what is refused leaves nothing");
    // What nobody owns goes; what somebody owns stays, and so does what is not this graph's.
    let stray = s3.objects()[0].with_file_name(case_id());
    let own = stray.parent().expect("a folder");
    let foreign = foreign(own.parent().expect("a folder"), own);
    foreign.iter().chain([&stray]).for_each(|file| put_long_ago(file));
    look_for_stray(&mut server).await;
    eventually("it is removed", SOON, async || !stray.exists()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(foreign.iter().all(|file| file.exists()), "{foreign:?}");
    assert_eq!(content(&server, small["id"].as_str().expect("an id")).await, PNG);
}

async fn a_store_that_is_away(engine: Engine) {
    let nowhere = [
        ("AMLGRAPH_FILES__URL", "s3://bucket"),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:1"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "x"),
        ("AWS_ACCESS_KEY_ID", "x"),
        ("AWS_SECRET_ACCESS_KEY", "x"),
    ];
    let server = Server::with(Store::of(engine), &nowhere);
    let path = case(&server).await;
    let answer = upload(&server, &path, "a.txt", b"x").await.expect(503);
    assert!(!answer.header("retry-after").is_empty(), "{answer:?}");
    assert_eq!(files_of(&server, &path).await["totalCount"], 0);
    // A folder that can't be written to.
    let (server, folder) = with_folder(engine);
    let path = case(&server).await;
    std::fs::remove_dir_all(folder.path()).expect("it is removed");
    std::fs::write(folder.path(), "no folder").expect("it is written");
    upload(&server, &path, "a.txt", b"x").await.expect(503);
    assert_eq!(files_of(&server, &path).await["totalCount"], 0);
    std::fs::remove_file(folder.path()).expect("it is removed");
}

async fn who_may(engine: Engine) {
    let server = Server::shared(engine);
    let path = case(&server).await;
    let id = upload(&server, &path, "a.txt", b"x").await.expect(200).json()["id"].as_str().expect("an id").to_owned();
    for (role, uploads, reads) in [("INGEST", 200, 403), ("ANALYST", 200, 200), ("SUPERVISOR", 200, 200), ("AUDITOR", 403, 200), ("ADMIN", 200, 200)]
    {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        assert_eq!(upload(&api, &path, "a.txt", b"x").await.status, uploads, "{role}");
        assert_eq!(api.get(&format!("/files/{id}")).await.status, reads, "{role}");
    }
    assert_eq!(upload(&server.anonymous(), &path, "a.txt", b"x").await.status, 401);
    server.anonymous().get(&format!("/files/{id}")).await.expect(401);
}
