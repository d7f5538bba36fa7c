#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""config.py CONFIG_DUMP [--accept]: every case's outcome, byte for byte.

--accept writes what comes out as what is expected; read the difference before committing it.
"""
import difflib
import sys

import cases


def expectation(case):
    """The one file expected.* of a case: its name and text."""
    files = list(case.folder.glob("expected.*"))
    if len(files) != 1:
        return f"{len(files)} expected files", ""
    return files[0].name, files[0].read_text()


def check(case, dump):
    """None, or what is wrong."""
    expected_name, expected = expectation(case)
    name, text = case.load(dump)
    if (name, text) == (expected_name, expected):
        return None
    lines = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), expected_name, name, lineterm="")
    return f"FAILED {case.name}\n" + "\n".join(lines)


def accept(case, dump):
    name, text = case.load(dump)
    for old in case.folder.glob("expected.*"):
        old.unlink()
    (case.folder / name).write_text(text)


def main():
    dump = sys.argv[1]
    everything = cases.all_cases()
    if sys.argv[2:] == ["--accept"]:
        for case in everything:
            accept(case, dump)
    failures = [failure for failure in (check(case, dump) for case in everything) if failure]
    return cases.report(failures, len(everything))


sys.exit(main())
