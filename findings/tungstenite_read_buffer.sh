#!/usr/bin/env bash
# tungstenite 0.29.0: a connection keeps the memory of its largest frame until it closes, and a small message that is kept holds a whole buffer.
# A frame is read into the connection's buffer, which grows to the frame's length and is never made smaller, however many small ones follow; a smaller
# `read_buffer_size` changes nothing then. The same message in frames of 64 KiB leaves 256 KiB. What was read is a part of the buffer and no copy, so
# whoever keeps a text of 20 bytes keeps 128 KiB, also when the connection is gone. axum 0.8.9 reads its WebSockets with it (`tokio-tungstenite` 0.29.0).
# Expected: the text of `read_buffer_size` names the buffer, with 128 KiB or 4 KiB, as what many connections hold; what a larger one needed is given back.
# Needs a stable Rust of 2026. Exits with 1 when what is held has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "tungstenite-read-buffer"
version = "0.0.0"
edition = "2024"

[dependencies]
tungstenite = { version = "=0.29.0", default-features = false }
TOML
cat > "$folder/src/main.rs" << 'RUST'
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use tungstenite::{WebSocket, protocol::{Role, WebSocketConfig}};

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// The system's allocator, which counts what is held.
struct Counting;
static HELD: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::SeqCst);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::SeqCst);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a client sends; its own memory is not counted against the connection.
struct Client {
    sent: &'static [u8],
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.sent.is_empty() { Err(Error::from(ErrorKind::WouldBlock)) } else { self.sent.read(buffer) }
    }
}

impl Write for Client {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A message of text of this length, in frames of at most that length, masked with zeros.
fn message(length: usize, frame: usize) -> &'static [u8] {
    let mut bytes = Vec::new();
    let mut left = length;
    while left > 0 {
        let part = left.min(frame);
        let kind = u8::from(left == length);
        left -= part;
        let last = if left == 0 { 0x80 } else { 0 };
        bytes.extend([last | kind, 0x80 | 127]);
        bytes.extend((part as u64).to_be_bytes());
        bytes.extend([0; 4]);
        bytes.resize(bytes.len() + part, b'x');
    }
    Box::leak(bytes.into_boxed_slice())
}

/// What a connection holds, in KiB, when it has read these messages, given each away, and waits for more.
fn held_behind(messages: &[&'static [u8]]) -> usize {
    held_with(WebSocketConfig::default(), messages)
}

fn held_with(config: WebSocketConfig, messages: &[&'static [u8]]) -> usize {
    let before = HELD.load(Ordering::SeqCst);
    let mut connection = WebSocket::from_raw_socket(Client { sent: &[] }, Role::Server, Some(config));
    for sent in messages {
        connection.get_mut().sent = sent;
        connection.read().expect("a message");
        connection.read().expect_err("no more yet");
    }
    (HELD.load(Ordering::SeqCst) - before) / KIB
}

/// What is held, in KiB, for each of 100 connections that are gone, of which one message of 20 bytes is kept.
fn held_by_one_message(copied: bool) -> usize {
    let mut kept = Vec::with_capacity(100);
    let mut copies = Vec::with_capacity(100);
    let sent = message(20, MIB);
    let before = HELD.load(Ordering::SeqCst);
    for _ in 0..100 {
        let mut connection = WebSocket::from_raw_socket(Client { sent }, Role::Server, None);
        let text = connection.read().expect("a message").into_text().expect("a text");
        if copied { copies.push(text.as_str().to_owned()) } else { kept.push(text) }
    }
    (HELD.load(Ordering::SeqCst) - before) / KIB / 100
}

fn main() {
    let small = message(20, MIB);
    let frugal = WebSocketConfig::default().read_buffer_size(4 * KIB);
    let mut many = vec![small; 20_001];
    many[0] = message(8 * MIB, 8 * MIB);
    let cases = [
        ("nothing", held_behind(&[]), 128, "128"),
        ("a message of 20 bytes", held_behind(&[small]), 128, "128"),
        ("one of 8 MiB", held_behind(&many[..1]), 8320, "128"),
        ("one of 8 MiB, and 20,000 of 20 bytes", held_behind(&many), 8320, "128"),
        ("a message of 20 bytes, with a buffer of 4 KiB", held_with(frugal, &[small]), 4, "4"),
        ("one of 8 MiB, and 20,000 of 20 bytes, with a buffer of 4 KiB", held_with(frugal, &many), 8196, "4"),
        ("one of 8 MiB in frames of 64 KiB", held_behind(&[message(8 * MIB, 64 * KIB)]), 256, "128 to 256"),
        ("a message of 20 bytes that is kept; the connection is gone", held_by_one_message(false), 128, "0"),
        ("a copy of it", held_by_one_message(true), 0, "0"),
    ];
    let mut changed = 0;
    println!("tungstenite 0.29.0: what is held behind, in KiB");
    for (what, found, known, expected) in cases {
        println!("\n  {what}\n    comes:    {found}\n    expected: {expected}");
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
