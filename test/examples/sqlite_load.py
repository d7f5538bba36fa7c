# SPDX-License-Identifier: Apache-2.0
"""sqlite_load.py LIBRARY ROUNDS: uses SQLite as a C program does, and says what it asked of it.

It speaks the protocol of test/targets/target.h: ready, a line, the report, done, a line. The report
has lines of WHAT, NUMBER and, of statements that were prepared, their text.
"""
import ctypes
import sys
from collections import Counter

ROW, DONE, CONSTRAINT = 100, 101, 19
INSERT = b"insert into item values (1)"
SELECT = b"with recursive n(i) as (select 1 union all select i + 1 from n limit 5) select i from n"
WRONG = b"select no_such_column from item"

sqlite = ctypes.CDLL(sys.argv[1])
rounds = int(sys.argv[2])
database = ctypes.c_void_p()
prepared, reported = Counter(), Counter()


def prepare(text):
    statement = ctypes.c_void_p()
    result = sqlite.sqlite3_prepare_v2(database, text, -1, ctypes.byref(statement), None)
    prepared[text] += 1
    reported["prepare_errors"] += result != 0
    return statement


def run(text):
    statement = prepare(text)
    if not statement:
        return
    result = ROW
    while result == ROW:
        result = sqlite.sqlite3_step(statement)
        reported["steps"] += 1
    reported["ok" if result == DONE else "constraint"] += 1
    assert result in (DONE, CONSTRAINT)
    sqlite.sqlite3_reset(statement)
    sqlite.sqlite3_finalize(statement)


def wait(state):
    print(state, flush=True)
    sys.stdin.readline()


sqlite.sqlite3_open(b":memory:", ctypes.byref(database))
# The schema is read now, by statements of SQLite's own.
run(b"create table item (id integer primary key)")
run(b"select * from item")
prepared.clear()
reported.clear()
wait("ready")
for _ in range(rounds):
    run(INSERT)
    run(SELECT)
    run(WRONG)
for what, count in reported.items():
    print(what, count)
for text, count in prepared.items():
    print("prepared", count, text.decode())
wait("done")
