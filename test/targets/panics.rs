// SPDX-License-Identifier: Apache-2.0
//
// panics TIMES [EVERY]: panics in every third call, or every EVERYth, that pass through functions
// that are meant to be probed, caught at once, in another thread, on the way of an iterator, and
// while values are dropped. Built a second time to abort instead of unwinding: then a child does,
// and the rest of them is left out. It speaks the protocol of target.h.
use std::cell::Cell;
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::{catch_unwind, resume_unwind, set_hook, AssertUnwindSafe};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

thread_local!(static DROPPED: Cell<usize> = Cell::new(0));
static PASSED: AtomicUsize = AtomicUsize::new(0);
static EVERY: AtomicUsize = AtomicUsize::new(3);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.with(|d| d.set(d.get() + 1));
    }
}

#[no_mangle]
#[inline(never)]
pub extern "Rust" fn panic_some(value: usize) -> usize {
    if value % EVERY.load(Ordering::Relaxed) == 0 {
        resume_unwind(Box::new(value));
    }
    value + 1
}

/// With something to drop on the way out.
#[no_mangle]
#[inline(never)]
pub extern "Rust" fn pass_through(value: usize) -> usize {
    let _here = Counted;
    PASSED.fetch_add(1, Ordering::Relaxed);
    panic_some(value) * 2
}

#[no_mangle]
#[inline(never)]
pub extern "Rust" fn catch_panic(value: usize) -> usize {
    match catch_unwind(|| pass_through(value)) {
        Ok(sum) => sum,
        Err(e) => *e.downcast::<usize>().unwrap(),
    }
}

#[no_mangle]
#[inline(never)]
pub extern "Rust" fn index_past(values: &[usize], at: usize) -> usize {
    values[at]
}

/// A real panic, with the hook and a message, out of the middle of an iterator.
fn in_an_iterator(n: usize) -> usize {
    let values: Vec<usize> = (0..n).collect();
    let result = catch_unwind(|| (0..2 * n).map(|i| index_past(&values, i)).sum::<usize>());
    let text = result.unwrap_err().downcast::<String>().unwrap();
    text.len()
}

fn in_threads(n: usize) -> usize {
    let threads: Vec<_> = (0..n).map(|i| thread::spawn(move || pass_through(i))).collect();
    threads.into_iter().filter(|_| true).map(|t| t.join()).filter(|r| r.is_err()).count()
}

/// Sorted by a comparison that panics once.
fn in_a_sort(n: usize) -> bool {
    let mut values: Vec<usize> = (0..n).rev().collect();
    catch_unwind(AssertUnwindSafe(|| {
        values.sort_by(|a, b| if *a == 7 || *b == 7 { panic!("seven") } else { a.cmp(b) })
    }))
    .is_err()
}

fn wait(state: &str) {
    let mut line = String::new();
    println!("{}", state);
    stdout().flush().unwrap();
    stdin().lock().read_line(&mut line).unwrap();
}

/// The child, where a panic is the end.
fn abort() -> ! {
    catch_panic(1);
    let values = [1, 2, 3];
    index_past(&values, std::env::args().count() + 5);
    unreachable!()
}

fn unwinding(times: usize) {
    let sum: usize = (1..=times).map(catch_panic).sum();
    println!("#sum {}", sum);
    println!("#dropped {}", DROPPED.with(|d| d.get()));
    let panicked = in_threads(20);
    println!("#threads that panicked {}", panicked);
    println!("#iterator {} sort {}", in_an_iterator(100), in_a_sort(50));
    let passed = PASSED.load(Ordering::Relaxed);
    let panics = times / EVERY.load(Ordering::Relaxed) + panicked;
    println!("catch_panic {} {} 0 0", times, times);
    println!("pass_through {} {} 0 {}", passed, passed - panics, panics);
    println!("panic_some {} {} 0 {}", passed, passed - panics, panics);
    println!("index_past 101 100 0 1");
}

fn aborting() {
    let child = Command::new(std::env::current_exe().unwrap()).arg("abort").status().unwrap();
    println!("#child {}", child);
    println!("catch_panic 1 1 0 0");
    println!("index_past 1 0 0 1");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, otherwise| arguments.get(i).map_or(otherwise, |a| a.parse().unwrap());
    set_hook(Box::new(|_| {}));
    if arguments.len() > 1 && arguments[1] == "abort" {
        abort();
    }
    EVERY.store(number(2, 3), Ordering::Relaxed);
    wait("ready");
    if cfg!(panic = "abort") {
        aborting();
    } else {
        unwinding(number(1, 300));
    }
    wait("done");
}
