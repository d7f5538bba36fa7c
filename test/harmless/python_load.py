# SPDX-License-Identifier: Apache-2.0
"""python_load.py TIMES [MODULE...]: works the interpreter, and prints only what is the same each time.

First modules of its own test suite, by outcome of each test, then generators, exceptions, threads,
children and what is written in C. The last lines say how often sys.setrecursionlimit() was called,
which is the one caller of Py_SetRecursionLimit(), and how often os.fork() returned in the parent,
which it does through PyOS_AfterFork_Parent().
"""

import functools
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import threading
import unittest
import zlib

counts = {"limits set": 0, "children forked": 0}


def count(what):
    counts[what] += 1


def counted(limit, set_limit=sys.setrecursionlimit):
    count("limits set")
    set_limit(limit)


sys.setrecursionlimit = counted
os.register_at_fork(after_in_parent=functools.partial(count, "children forked"))


class Outcomes(unittest.TestResult):
    """A line for each test."""

    def stopTest(self, test):
        super().stopTest(test)
        bad = [f[0] for f in self.failures + self.errors]
        print(test.id(), "failed" if test in bad else "ok")


def suite(name):
    try:
        importlib.import_module("test.support").verbose = 0
        module = importlib.import_module(f"test.{name}")
    except ImportError:
        print(f"{name} is not installed")
        return
    unittest.defaultTestLoader.loadTestsFromModule(module).run(Outcomes())


def walk(depth):
    if depth:
        yield from walk(depth - 1)
    yield depth


def thrown(depth):
    if not depth:
        raise KeyError("at the bottom")
    try:
        thrown(depth - 1)
    except KeyError as e:
        raise ValueError(depth) from e
    finally:
        counted(1000)


def exceptions(n):
    caught = 0
    for i in range(n):
        try:
            thrown(i % 8)
        except (KeyError, ValueError):
            caught += 1
    return caught


def threads(n):
    sums = [0] * n

    def work(i):
        sums[i] = sum(x * x for x in range(200 * i))

    started = [threading.Thread(target=work, args=(i,)) for i in range(n)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return sums


def endless(n):
    return endless(n + 1)


def too_deep():
    try:
        endless(0)
    except RecursionError as e:
        return str(e)


def children(n):
    statuses = []
    for i in range(n):
        pid = os.fork()
        if not pid:
            os._exit(i)
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    code = "import sys; print(sys.argv[1:]); sys.exit(3)"
    child = subprocess.run([sys.executable, "-c", code, "a"], capture_output=True, check=False)
    return statuses, child.stdout, child.returncode


def in_c(n):
    data = [{"n": i, "s": str(i) * 3, "f": i / 3} for i in range(n)]
    text = json.dumps(data, indent=1)
    words = re.findall(r'"s": "(\d+)"', text)
    words.sort(key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))
    packed = zlib.compress(text.encode())
    return (json.loads(text) == data, zlib.decompress(packed) == text.encode(),
            hashlib.sha256("".join(words).encode()).hexdigest())


times = int(sys.argv[1])
for module in sys.argv[2:]:
    suite(module)
print(sum(walk(100)), exceptions(times), threads(8))
print(too_deep(), children(5), in_c(times))
for what, n in counts.items():
    print(f"{what}: {n}")
