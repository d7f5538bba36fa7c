// SPDX-License-Identifier: Apache-2.0
//
// Says ready, waits for a line, makes garbage and JSON, and reports how often what was done and how
// long it took, by its own counts and by those of V8; waits for a line again before it ends.
const { PerformanceObserver, constants } = require('node:perf_hooks');
const calls = Number(process.argv[2]);
const collections = new Map();
const seconds = new Map();

function note(entries) {
  for (const { detail, duration } of entries.getEntries()) {
    collections.set(detail.kind, (collections.get(detail.kind) || 0) + 1);
    seconds.set(detail.kind, (seconds.get(detail.kind) || 0) + duration / 1000);
  }
}

function garbage() {
  let kept = [];
  for (let i = 0; i < 400000; i++) {
    kept.push({ i, list: [i] });
    if (kept.length > 50000)
      kept = [];
  }
  for (let i = 0; i < 3; i++)
    gc();
}

function json() {
  for (let i = 0; i < calls; i++)
    JSON.parse(JSON.stringify({ i, text: 'some' }));
}

function report() {
  const write = (text) => process.stdout.write(text + '\n');
  write(`minor ${collections.get(constants.NODE_PERFORMANCE_GC_MINOR)}`);
  write(`major ${collections.get(constants.NODE_PERFORMANCE_GC_MAJOR)}`);
  write(`major_seconds ${seconds.get(constants.NODE_PERFORMANCE_GC_MAJOR)}`);
  write('done');
}

function work() {
  new PerformanceObserver(note).observe({ entryTypes: ['gc'] });
  garbage();
  json();
  setTimeout(report, 100);
}

process.stdin.once('data', () => {
  process.stdin.once('data', () => process.exit(0));
  work();
});
process.stdout.write('ready\n');
