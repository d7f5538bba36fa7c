# SPDX-License-Identifier: Apache-2.0
"""Collects garbage, imports and opens files, and says what Python's own hooks saw of that.

It speaks the protocol of test/targets/target.h: ready, a line, the report, done, a line.
"""
import gc
import itertools
import os
import sys
import threading

ROUNDS = int(sys.argv[1])
MODULES = ("json", "csv", "textwrap", "no_such_module")


class Counter:
    """One that threads can share."""

    def __init__(self):
        self.numbers = itertools.count()

    def add(self):
        next(self.numbers)

    def value(self):
        return next(self.numbers)


def wait(state):
    print(state, flush=True)
    sys.stdin.readline()


def load():
    for i in range(ROUNDS):
        gc.collect(i % 3)
        for name in list(sys.modules):
            if name.split(".")[0] in MODULES:
                del sys.modules[name]
        for name in MODULES:
            try:
                __import__(name)
            except ModuleNotFoundError:
                pass


def main():
    collections, imports, events = Counter(), Counter(), Counter()

    full, opened, collected = Counter(), Counter(), []

    def note_collection(phase, info):
        if phase == "start":
            collections.add()
            if info["generation"] == 2:
                full.add()
        else:
            collected.append(info["collected"] + info["uncollectable"])

    def note_event(event, arguments):
        if not is_counting:
            return
        events.add()
        if event == "open":
            opened.add()
        if event == "import" and arguments[1] is None:  # a file's name: a library that is loaded
            imports.add()

    gc.disable()
    is_counting = False
    gc.callbacks.append(note_collection)
    sys.addaudithook(note_event)
    wait("ready")
    is_counting = True
    load()
    threads = [threading.Thread(target=gc.collect) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    is_counting = False
    print("collections", collections.value())
    print("imports", imports.value())
    print("events", events.value())
    print("full", full.value())
    print("opened", opened.value())
    print("collected", sum(collected))
    wait("done")
    os._exit(0)


main()
