// SPDX-License-Identifier: Apache-2.0
//
// server PORT: a store of texts that clients ask over TCP, a line a command: `set KEY TEXT`,
// `get KEY`, `break WHAT`, which panics, and `stats`, which says how often each was done. It knows
// nothing of being measured.
//
//     rustc -O server.rs
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Store {
    texts: Mutex<HashMap<String, String>>,
    gets: AtomicUsize,
    sets: AtomicUsize,
    breaks: AtomicUsize,
    sessions: AtomicUsize,
}

impl Store {
    // What is small the compiler puts into its callers, where it can't be seen any more.
    #[inline(never)]
    fn get(&self, key: &str) -> Option<String> {
        self.texts.lock().unwrap().get(key).cloned()
    }

    #[inline(never)]
    fn set(&self, key: &str, text: &str) {
        self.texts.lock().unwrap().insert(key.to_string(), text.to_string());
    }
}

trait Command {
    fn run(&self, store: &Store, rest: &str) -> String;
}

struct Get;
struct Set;
struct Break;
struct Stats;

impl Command for Get {
    fn run(&self, store: &Store, key: &str) -> String {
        store.gets.fetch_add(1, Ordering::Relaxed);
        store.get(key).unwrap_or_default()
    }
}

impl Command for Set {
    fn run(&self, store: &Store, rest: &str) -> String {
        let (key, text) = rest.split_once(' ').unwrap_or((rest, ""));
        store.sets.fetch_add(1, Ordering::Relaxed);
        store.set(key, text);
        "ok".to_string()
    }
}

impl Command for Break {
    fn run(&self, store: &Store, rest: &str) -> String {
        store.breaks.fetch_add(1, Ordering::Relaxed);
        if rest.is_empty() {
            return "whole".to_string();
        }
        panic!("asked to break {}", rest)
    }
}

impl Command for Stats {
    fn run(&self, store: &Store, _: &str) -> String {
        format!(
            "gets {} sets {} breaks {} sessions {}",
            store.gets.load(Ordering::Relaxed),
            store.sets.load(Ordering::Relaxed),
            store.breaks.load(Ordering::Relaxed),
            store.sessions.load(Ordering::Relaxed)
        )
    }
}

fn command(name: &str) -> Option<&'static dyn Command> {
    match name {
        "get" => Some(&Get),
        "set" => Some(&Set),
        "break" => Some(&Break),
        "stats" => Some(&Stats),
        _ => None,
    }
}

/// One line's answer. What panics is told to the client, and the session goes on.
fn answer(store: &Store, line: &str) -> String {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    match command(name) {
        None => "what?".to_string(),
        Some(c) => catch_unwind(AssertUnwindSafe(|| c.run(store, rest)))
            .unwrap_or_else(|_| "broken".to_string()),
    }
}

#[inline(never)]
fn serve(store: &Store, client: TcpStream) -> std::io::Result<()> {
    store.sessions.fetch_add(1, Ordering::Relaxed);
    let mut out = client.try_clone()?;
    for line in BufReader::new(client).lines() {
        writeln!(out, "{}", answer(store, &line?))?;
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(7878);
    let store = Arc::new(Store::default());
    for client in TcpListener::bind(("127.0.0.1", port))?.incoming() {
        let (store, client) = (store.clone(), client?);
        thread::spawn(move || serve(&store, client));
    }
    Ok(())
}
