#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check.py UPROBE_EXPORTER: what the pages say exists, and what exists is on the pages.

Metric families, keys of the configuration, options, fields of the plan, test suites, messages,
links, and every complete configuration that a page shows. A check is a function that yields
complaints; CHECKS lists them.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXPORTER = sys.argv[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "doc").glob("*.md"))]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def literals():
    """All string literals of the source, neighbours joined, in one text."""
    texts = []
    for path in sorted((ROOT / "src").rglob("*.c")):
        for run in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', path.read_text()):
            texts.append("".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run)).replace('\\"', ""))
    return "\n".join(texts)


def differences(what, wanted, found):
    for name in sorted(wanted - found):
        yield f"{what} {name} is not documented"
    for name in sorted(found - wanted):
        yield f"{what} {name} is documented and does not exist"


def families():
    source = "".join(path.read_text() for path in (ROOT / "src/metric").glob("*.c"))
    exist = set(re.findall(r'"((?:uprobe_exporter|process)_[a-z_]+[a-z])"', source))
    prefix = re.search(r'"(uprobe_function)"', source)[1]
    exist |= {prefix + suffix for suffix in re.findall(r'MEASURED?_\w+, "(_\w+)"', source)}
    rows = [line for line in read("doc/metrics.md").splitlines() if line.startswith("| `")]
    cells = " ".join(row.split("|")[1] for row in rows if "sum by" not in row)
    return differences("family", exist, set(re.findall(r"((?:uprobe|process)_\w+)", cells)))


def keys():
    definitions = json.loads(read("config/uprobe_exporter.schema.json"))
    properties = set(definitions["definitions"]["probe"]["properties"])
    common = set(definitions["properties"]["global"]["properties"])
    page = read("doc/configuration.md")
    yield from differences("key", properties, set(re.findall(r"\*\*`(\w+)`\*\*", page)))
    rows = page.split("### `global`")[1].split("### `probes`")[0]
    yield from differences("global key", common, set(re.findall(r"^\| `(\w+)` \|", rows, re.M)))
    rows = read("README.md").split("## Configuration")[1].split("## Metrics")[0]
    cells = " ".join(re.findall(r"^\| (`.*?) \|", rows, re.M))
    yield from differences("README key", properties, set(re.findall(r"`(\w+)`", cells)))
    rows = read("doc/uprobe_exporter.8").split(".Sh CONFIGURATION")[1].split(".Sh THE PLAN")[0]
    manual = set(re.findall(r"^\.It Cm (\w+)$", rows, re.M))
    yield from differences("manual key", properties | common, manual)


def options():
    exist = set()
    for command in ([], ["plan"], ["check"], ["list"]):
        text = subprocess.run([EXPORTER, *command, "--help"], check=True, capture_output=True)
        exist |= set(re.findall(r"--([a-z.-]+[a-z])", text.stdout.decode()))
    manual = read("doc/uprobe_exporter.8").split(".Sh DESCRIPTION")[1]
    found = set(re.findall(r"^\.It .*?Fl -([a-z.-]+[a-z])", manual, re.M))
    return differences("option", exist, found)


def fields():
    """Those of a function in the plan and the list."""
    listed = subprocess.run([EXPORTER, "list", EXPORTER, "main", "--json"], check=True,
                            capture_output=True)
    exist = set(json.loads(listed.stdout)["functions"][0])
    manual = read("doc/uprobe_exporter.8").split(".It Li sites[]")[1].split("Of a refused")[0]
    lines = re.findall(r"^\.Li (.*)$", manual, re.M)
    return differences("field", exist, set(re.findall(r"\w+", " ".join(lines))))


def suites():
    exist = set(re.search(r"^SUITES='(.*)'", read("test/run"), re.M)[1].split())
    rows = read("CONTRIBUTING.md").split("| suite |")[1].split("\n\n")[0]
    return differences("suite", exist, set(re.findall(r"^\| `(\w+)` \|", rows, re.M)))


def messages():
    """The fixed parts of every message in the first column of a table."""
    source = literals()
    for line in read("doc/troubleshooting.md").splitlines():
        cell = line.split(" | ")[0]
        for message in re.findall(r"``? ?(.*?) ?``?(?:[,(| ]|$)", cell) if "|" in line else []:
            parts = re.split(r"\.\.\.|\b[A-Z]{2,}\b(?!_)|\bN\b|\d[\w.:()/-]*|[\"`%]", message)
            for part in (part.strip(" :;,(") for part in parts):
                if len(part) > 5 and part not in source:
                    yield f"no message says: {part!r} (of {message!r})"


# Where reasons for refusing, and complaints about privileges, are written.
REASONS = """
    code/arm64.c code/function.c code/x86.c elf/file.c elf/identity.c plan/body.c
    plan/carried.c plan/exit.c plan/file.c plan/go.c plan/outcome.c plan/request.c
    plan/rules.c plan/site.c plan/usdt.c plan/usdt_arguments.c plan/usdt_site.c
    target/guard.c target/moved.c target/target.c trace/kernel.c trace/nop5.c trace/proof.c
    trace/uretprobe.c""".split()


def said_in(path):
    """The longest fixed part of each message in a file; what is short isn't one."""
    text = re.sub(r"(?s)/\*.*?\*/|(?-s:#include.*)", "", read(path))
    for run in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
        literal = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))
        parts = re.split(r'(?:0x)?%[-\w*.]*[a-z]?|\\n|\\"|`', literal)
        longest = max((part.strip(" :;,(") for part in parts), key=len)
        if len(longest) >= 15 and " " in longest and "\\n." not in literal:
            yield longest


def explained():
    """The other way round: each reason has an entry, known by its first words."""
    page = re.sub(r'[`"\\]', "", read("doc/troubleshooting.md"))
    for path in REASONS:
        for message in said_in(f"src/{path}"):
            if " ".join(message.split()[:4]) not in page:
                yield f"{path} says what has no entry: {message!r}"


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
            path, _, fragment = target.partition("#")
            if "://" in target:
                continue
            file = (page.parent / path) if path else page
            if not file.exists():
                yield f"{page.name}: no {target}"
            elif fragment and fragment not in map(
                    anchor, re.findall(r"^#+ (.*)$", file.read_text(), re.M)):
                yield f"{page.name}: no heading for {target}"


def configurations():
    for page in PAGES:
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(), re.S):
            if not re.search(r"^probes:", block, re.M):
                continue
            with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
                file.write(block)
                file.flush()
                done = subprocess.run([EXPORTER, "check", file.name], check=False,
                                      capture_output=True)
            if done.returncode:
                yield f"{page.name}: {done.stderr.decode()}"


CHECKS = [families, keys, options, fields, suites, messages, explained, links, configurations]


def main():
    failed = 0
    for check in CHECKS:
        complaints = list(check())
        failed += bool(complaints)
        print("".join(f"{check.__name__}: {complaint}\n" for complaint in complaints), end="")
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
