# SPDX-License-Identifier: Apache-2.0
"""The rules of the house that a compiler does not know.

Who may include whom (each floor only floors below it; third-party headers have one home), and
what every file looks like. A rule is a function from a File to the complaints about it; RULES
lists them. Adding a rule, a room or a library is adding a row.
"""

import os
import re
from dataclasses import dataclass

# Floor of each room. A room includes itself and lower floors.
FLOORS = {
    "base": 0,
    "config": 1, "elf": 1, "code": 1, "target": 1,
    "plan": 2,
    "trace": 3,
    "metric": 4,
    "web": 5,
    "cli": 6, "main": 6,
}

# Neighbours on one floor: code decodes for the machine that an ELF file names; main runs cli.
NEIGHBOURS = {("code", "elf"), ("main", "cli")}

# The header that BPF programs share with user space, and who reads it.
BPF_READERS = {"plan", "trace"}

# Home of each third-party header: pattern -> rooms.
HOMES = {
    r"yaml\.h": {"config"},
    r"(libelf|gelf|dwarf|elfutils/.*|libdw.*)(\.h)?": {"elf"},
    r"libiberty/demangle\.h": {"elf"},
    r"lzma\.h": {"elf"},
    r"capstone/.*": {"code"},
    r"bpf/.*": {"trace", "bpf"},
    r"cap-ng\.h": {"trace"},
    r"microhttpd\.h": {"web"},
    r"jansson\.h": {"web", "cli"},
    r"ut(hash|list|array|string)\.h": set(FLOORS),
}

# The C library's and the kernel's, which every room may include. <bpf/...> is libbpf's, "bpf/..."
# is ours.
SYSTEM = re.compile(
    r"(std\w+|string|strings|errno|ctype|limits|inttypes|math|assert|signal|time|setjmp|locale"
    r"|unistd|fcntl|dirent|fnmatch|glob|regex|poll|pthread|sched|semaphore|getopt|dlfcn|elf|link"
    r"|endian|byteswap|libgen|netdb|pwd|grp|termios|spawn|syslog|malloc|ftw|wchar|features|mntent"
    r"|(sys|linux|asm|arpa|netinet|net)/[\w/-]+)\.h")

LICENCE = "Apache-2.0"
BPF_LICENCE = "GPL-2.0-only OR BSD-2-Clause"  # the kernel asks for GPL
MAX_LINES = 400
MAX_COLUMNS = 100

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
TYPEDEF = re.compile(r"^\s*typedef\b(.*)")
CALLBACK = re.compile(r"\(")


@dataclass
class File:
    path: str  # relative to the root
    text: str

    def lines(self):
        return enumerate(self.text.splitlines(), 1)

    @property
    def is_c(self):
        return self.path.endswith((".c", ".h"))

    @property
    def is_script(self):
        return self.path.endswith((".sh", ".py")) or self.text.startswith("#!")

    @property
    def is_bpf(self):
        return self.path.startswith("bpf/") or ".bpf." in self.path

    @property
    def room(self):
        """src/ROOM/x.c -> ROOM, src/main.c -> main, bpf/x -> bpf, all else None."""
        parts = self.path.split("/")
        if parts[0] == "bpf":
            return "bpf"
        if parts[0] != "src":
            return None
        return parts[1] if len(parts) > 2 else os.path.splitext(parts[1])[0]

    def includes(self):
        """(line, is_own, header) for each #include."""
        for number, line in self.lines():
            match = INCLUDE.match(line)
            if match:
                yield number, match[1] == '"', match[2]


def may_include(room, other):
    """Whether a file of one room may include a header of another."""
    if room == other or (room, other) in NEIGHBOURS:
        return True
    if other == "bpf":
        return room in BPF_READERS
    return room != "bpf" and FLOORS[room] > FLOORS[other]


def floors(file):
    """Each floor includes only floors below it."""
    if not file.is_c or not file.room:
        return
    if file.room not in FLOORS and file.room != "bpf":
        yield 1, f"room {file.room} has no floor; add it to FLOORS"
        return
    for line, is_own, header in file.includes():
        if not is_own:
            continue
        other = header.split("/")[0] if "/" in header else None
        if other not in FLOORS and other != "bpf":
            yield line, f'"{header}" is not a path below src/ or bpf/'
        elif not may_include(file.room, other):
            yield line, f"{file.room} must not include {header}"


def homes(file):
    """A third-party header is included in its home alone."""
    if not file.is_c or not file.room:
        return
    for line, is_own, header in file.includes():
        if is_own:
            continue
        owners = next((rooms for pattern, rooms in HOMES.items() if re.fullmatch(pattern, header)),
                      None)
        if owners is None and not SYSTEM.fullmatch(header):
            yield line, f"<{header}> has no home; add it to HOMES or SYSTEM"
        elif owners is not None and file.room not in owners:
            yield line, f"<{header}> belongs to {', '.join(sorted(owners))}, not {file.room}"


def licence(file):
    """Every source and script says its licence in its first lines."""
    if not (file.is_c or file.is_script):
        return
    wanted = BPF_LICENCE if file.is_bpf else LICENCE
    head = "\n".join(file.text.splitlines()[:3])
    match = re.search(r"SPDX-License-Identifier: (.*?)\s*(\*/)?$", head, re.M)
    if not match:
        yield 1, "no SPDX-License-Identifier in the first three lines"
    elif match[1] != wanted:
        yield 1, f"licence is {match[1]}, should be {wanted}"


def length(file):
    """Files are short enough to be read at once."""
    n = file.text.count("\n")
    if (file.is_c or file.is_script) and n > MAX_LINES:
        yield n, f"{n} lines, more than {MAX_LINES}"


def typedefs(file):
    """No typedefs but for callbacks."""
    if not file.is_c or not file.room:
        return
    for number, line in file.lines():
        match = TYPEDEF.match(line)
        if match and not CALLBACK.search(match[1]):
            yield number, "a typedef that is not a callback"


def layout(file):
    """Tabs, lines of at most 100 columns, no trailing blanks, a newline at the end."""
    if not file.is_c:
        return
    for number, line in file.lines():
        if len(line.expandtabs(8)) > MAX_COLUMNS:
            yield number, f"longer than {MAX_COLUMNS} columns"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        if re.match(r" +[^ */]", line):
            yield number, "indented by blanks"
    if not file.text.endswith("\n"):
        yield file.text.count("\n") + 1, "no newline at the end"


def guards(file):
    """Headers are guarded by #pragma once."""
    if file.path.endswith(".h") and file.room and "#pragma once" not in file.text:
        yield 1, "no #pragma once"


def kernel(file):
    """No probe by way of tracefs, whose failures crashed kernels; no map that forgets counts."""
    if not file.is_c or not file.room:
        return
    for number, line in file.lines():
        if re.search(r"kernel/(debug/)?tracing|/tracefs|\buprobe_events\b", line):
            yield number, "tracefs"
        if re.search(r"BPF_MAP_TYPE_LRU", line):
            yield number, "a map that evicts"


RULES = [floors, homes, licence, length, typedefs, layout, guards, kernel]


def complaints(rule, files):
    for file in files:
        for line, text in rule(file):
            yield f"{file.path}:{line}: {text}"


def read_tree(root, folders=("src", "bpf", "test", "examples", "deploy", "dashboards", ".ci")):
    """All text files below the folders, but what a build or an editor left."""
    for folder in folders:
        for where, names, files in os.walk(os.path.join(root, folder)):
            names[:] = sorted(n for n in names if n not in ("__pycache__", "build"))
            for name in sorted(files):
                path = os.path.join(where, name)
                try:
                    with open(path, encoding="utf-8") as stream:
                        yield File(os.path.relpath(path, root), stream.read())
                except (UnicodeDecodeError, FileNotFoundError):
                    continue
