#!/usr/bin/env bash
# neo4rs 0.9.0-rc.11, `Graph::run`: what fails behind the beginning of a statement is asked again for up to a minute, whatever it is, also where it was done.
# A statement is answered twice, where it begins and where it has ended and is committed. A failure of the first kind is looked at, as the text says: only
# what is transient is tried again. One of the second kind is turned into the error with `?`, and that makes it one to try again. So a connection that is
# lost between the commit and its answer has a payment made twice, and reported once as made; and a refusal that will never change is asked for 60 s.
# The refusals of a statement that writes come there where it has a RETURN. What was written before them in transactions of its own is written each time.
# `execute` and then `finish`, and a transaction (`start_txn`), ask once.
# Seen also of Neo4j 5.26.24, with a proxy that loses the last answer: two nodes of one CREATE. Without a proxy: a CREATE with a RETURN that breaks a unique
# constraint fails after 54 s, without the RETURN in 14 ms; `UNWIND [1, 0] AS x CALL (x) { CREATE (y:Y {v: 1 / x}) RETURN y } IN TRANSACTIONS OF 1 ROW
# RETURN y.v` had made 14 nodes after 8 s.
# Expected: what the text of `run` says, and the other two ways do: an error. Who does not know whether it was done has to look.
# Needs a stable Rust of 2026; it compiles for a minute or two. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "neo4rs-run-again"
version = "0.0.0"
edition = "2024"

[dependencies]
neo4rs = "=0.9.0-rc.11"
tokio = { version = "=1.54.1", features = ["macros", "rt"] }
TOML
cat > "$folder/src/main.rs" << 'RUST'
use neo4rs::{Error, Graph, query};
use std::io::{Read, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What becomes of the first statements.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    /// The first is done, and the connection is lost before it is said that it has begun.
    LostAtBeginning,
    /// The first is done, and the connection is lost before it is said that it has ended.
    LostAtEnd,
    /// The first three are refused where they begin.
    RefusedAtBeginning,
    /// The first three are refused where they end.
    RefusedAtEnd,
}

#[derive(Default)]
struct Seen {
    asked: usize,
    done: usize,
}

/// One message that has one map of texts.
fn message(tag: u8, map: &[(&str, &str)]) -> Vec<u8> {
    let mut body = vec![0xb1, tag, 0xa0 | map.len() as u8];
    for text in map.iter().flat_map(|(key, value)| [key, value]) {
        body.extend([0xd0, text.len() as u8]);
        body.extend(text.as_bytes());
    }
    [&(body.len() as u16).to_be_bytes()[..], &body, &[0, 0]].concat()
}

fn read(stream: &mut TcpStream) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        if length == [0, 0] {
            return Ok(body);
        }
        let at = body.len();
        body.resize(at + u16::from_be_bytes(length) as usize, 0);
        stream.read_exact(&mut body[at..])?;
    }
}

/// Bolt 4.4, as far as it is needed.
fn serve(mut stream: TcpStream, fate: Fate, seen: &Mutex<Seen>) -> Result<()> {
    stream.read_exact(&mut [0; 20])?;
    stream.write_all(&[0, 0, 4, 4])?;
    let refusal = message(0x7f, &[("code", "Neo.ClientError.Schema.ConstraintValidationFailed"), ("message", "there is one")]);
    let success = message(0x70, &[]);
    let (mut refused, mut open) = (false, false);
    loop {
        let tag = read(&mut stream)?[1];
        let mut seen = seen.lock().unwrap();
        match tag {
            0x02 => return Ok(()), // GOODBYE
            0x01 => stream.write_all(&message(0x70, &[("server", "Neo4j/5.26.24"), ("connection_id", "bolt-1")]))?, // HELLO
            0x0f => { // RESET
                (refused, open) = (false, false);
                stream.write_all(&success)?;
            }
            _ if refused => stream.write_all(&[0, 2, 0xb0, 0x7e, 0, 0])?, // It is ignored.
            0x11 => { // BEGIN
                open = true;
                stream.write_all(&success)?;
            }
            0x10 => { // RUN
                seen.asked += 1;
                if fate == Fate::LostAtBeginning && seen.asked == 1 {
                    // What ends it comes in the same breath.
                    seen.done += 1;
                    return Ok(());
                }
                if fate == Fate::RefusedAtBeginning && seen.asked <= 3 {
                    refused = true;
                    stream.write_all(&refusal)?;
                    continue;
                }
                stream.write_all(&[&[0, 11, 0xb1, 0x70, 0xa1, 0x86], &b"fields"[..], &[0x90, 0, 0]].concat())?;
            }
            // PULL or DISCARD ends a statement that has no transaction, COMMIT the transaction.
            0x12 | 0x2f | 0x3f if tag == 0x12 || !open => {
                if fate == Fate::RefusedAtEnd && seen.asked <= 3 {
                    refused = true;
                    stream.write_all(&refusal)?;
                    continue;
                }
                seen.done += 1;
                if fate == Fate::LostAtEnd && seen.asked == 1 {
                    return Ok(());
                }
                stream.write_all(&message(0x70, &[("bookmark", "b"), ("type", "w"), ("db", "neo4j")]))?;
            }
            _ => stream.write_all(&success)?,
        }
    }
}

fn start(fate: Fate) -> (String, Arc<Mutex<Seen>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let seen = Arc::new(Mutex::new(Seen::default()));
    let place = format!("bolt://{}", listener.local_addr().unwrap());
    let shared = seen.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = shared.clone();
            thread::spawn(move || serve(stream, fate, &shared));
        }
    });
    (place, seen)
}

async fn pay(graph: &Graph, way: &str) -> neo4rs::Result<()> {
    let payment = query("CREATE (p:Payment {amount: 5}) RETURN p.amount");
    match way {
        "run" => graph.run(payment).await.map(drop),
        "execute, finish" => graph.execute(payment).await?.finish().await.map(drop),
        _ => {
            let mut transaction = graph.start_txn().await?;
            transaction.run(payment).await?;
            transaction.commit().await.map(drop)
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    use Fate::{LostAtBeginning, LostAtEnd, RefusedAtBeginning, RefusedAtEnd};
    let lost = "1 asked, 1 done: lost";
    let refused = "1 asked, 0 done: refused";
    let cases = [
        // The way; what becomes of it; what comes; what one expects.
        ("run", LostAtBeginning, lost, lost),
        ("run", LostAtEnd, "2 asked, 2 done: well", lost),
        ("execute, finish", LostAtEnd, lost, lost),
        ("transaction", LostAtEnd, lost, lost),
        ("run", RefusedAtBeginning, refused, refused),
        ("run", RefusedAtEnd, "4 asked, 1 done: well", refused),
        ("execute, finish", RefusedAtEnd, refused, refused),
        ("transaction", RefusedAtEnd, refused, refused),
    ];
    println!("neo4rs 0.9.0-rc.11; the connection is lost once, or the first three are refused");
    let mut changed = 0;
    for (way, fate, known, expected) in cases {
        let (place, seen) = start(fate);
        let graph = Graph::new(&place, "name", "word").unwrap();
        let end = match pay(&graph, way).await {
            Ok(()) => "well",
            Err(Error::Neo4j(_)) => "refused",
            Err(_) => "lost",
        };
        let seen = seen.lock().unwrap();
        let found = format!("{} asked, {} done: {end}", seen.asked, seen.done);
        let what = match fate {
            LostAtBeginning => "lost at the beginning",
            LostAtEnd => "lost at the end",
            RefusedAtBeginning => "refused at the beginning",
            RefusedAtEnd => "refused at the end",
        };
        println!("\n  {way}: {what}\n    comes:    {found}\n    expected: {expected}");
        if found != known {
            println!("    CHANGED:  it was {known}");
            changed += 1;
        }
    }
    std::process::exit(i32::from(changed > 0));
}
RUST
cd "$folder"
cargo run --quiet
