// SPDX-License-Identifier: Apache-2.0
//
// node_load.js TIMES: promises, exceptions, worker threads, code that is compiled while it runs,
// children, files, streams; prints only what is the same each time.
'use strict';
const { execFileSync } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const vm = require('vm');
const zlib = require('zlib');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const times = Number(process.argv[2]);

// Hot enough that the optimizing compiler takes it, and then wrong in what it assumed.
function hot(n, add) {
	let sum = 0;
	for (let i = 0; i < n; i++)
		sum = add(sum, i) % 1000003;
	return sum;
}

function compiled() {
	const numbers = hot(300000, (a, b) => a + b);
	const floats = hot(1000, (a, b) => a + b + 0.5);
	let odd;
	try {
		odd = hot(10, (a, b) => a + { valueOf() { throw new Error('no number'); } });
	} catch (e) {
		odd = e.message;
	}
	return [numbers, floats, odd];
}

function thrown(depth) {
	if (!depth)
		throw new RangeError('at the bottom');
	try {
		return thrown(depth - 1);
	} finally {
		depth++;
	}
}

function exceptions(n) {
	let caught = 0;
	for (let i = 0; i < n; i++) {
		try {
			thrown(i % 16);
		} catch (e) {
			caught += e instanceof RangeError;
		}
	}
	return caught;
}

function tooDeep() {
	const endless = () => endless() + 1;
	try {
		return endless();
	} catch (e) {
		return e.name;
	}
}

async function promises(n) {
	let settled = 0;
	for (let i = 0; i < n; i++)
		await Promise.allSettled([Promise.resolve(i), Promise.reject(new Error('x'))])
			.then(all => settled += all.length);
	return settled;
}

function* count(n) {
	for (let i = 0; i < n; i++)
		yield i;
}

function work(seed) {
	const all = [...count(500)].map(i => ({ i, s: String(i * seed) }));
	const text = JSON.stringify(all.sort((a, b) => a.s < b.s ? -1 : 1));
	return crypto.createHash('sha256').update(zlib.gunzipSync(zlib.gzipSync(text))).digest('hex');
}

function inWorker(seed) {
	return new Promise((resolve, reject) => {
		const worker = new Worker(__filename, { workerData: seed, argv: [times] });
		let answer;
		worker.on('message', m => answer = m);
		worker.on('error', e => resolve(e.message));
		worker.on('exit', code => resolve([answer, code]));
	});
}

async function main() {
	console.log(compiled(), exceptions(times), tooDeep(), await promises(times));
	console.log(await Promise.all([1, 2, 3, 0].map(inWorker)));
	console.log(vm.runInNewContext('[1, 2].map(x => x * y)', { y: 21 }), work(7));
	console.log(/(\d+)-(\w+)\1/.exec('12-ab12').slice(), new WebAssembly.Module(
		Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) instanceof WebAssembly.Module);
	console.log(execFileSync('/bin/echo', ['from a child']).toString());
	await fs.promises.writeFile('file', 'x'.repeat(100000));
	let size = 0;
	for await (const chunk of fs.createReadStream('file'))
		size += chunk.length;
	for (let i = 0; i < times; i++)
		os.setPriority(0, 0);
	console.log(size, 'priorities set:', times);
	if (global.gc)
		gc();
	process.exitCode = 7;
	await new Promise(resolve => setTimeout(resolve, 5));
	throw new TypeError('at the end');
}

process.on('unhandledRejection', e => console.log('unhandled:', e.message));
if (isMainThread)
	main();
else if (!workerData)
	throw new Error('a worker without data');
else
	parentPort.postMessage([work(workerData), exceptions(times)]);
