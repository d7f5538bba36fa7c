# SPDX-License-Identifier: Apache-2.0
"""The cases of test/golden/config, for the scripts that run them.

A case is a folder with
    config.yml       the input
    environment      NAME=value lines, if it needs any
    expected.config  what config_dump prints of it, or
    expected.error   the errors
    beyond-schema    if loader and JSON Schema don't agree on it: why they can't (see schema.py)
"""
import pathlib
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent / "config"


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        self.input = folder / "config.yml"
        self.beyond_schema = (folder / "beyond-schema").exists()

    def environment(self):
        path = self.folder / "environment"
        lines = path.read_text().splitlines() if path.exists() else []
        return dict(line.split("=", 1) for line in lines)

    def load(self, dump):
        """What config_dump says: the name of the file it belongs in, and its text."""
        run = subprocess.run(
            [dump, self.input.name], cwd=self.folder, env=self.environment(), timeout=20,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if run.returncode == 0:
            return "expected.config", run.stdout.decode()
        if run.returncode == 1:
            return "expected.error", run.stderr.decode()
        return f"exit status {run.returncode}", run.stderr.decode()


def all_cases():
    return [Case(folder) for folder in sorted(FOLDER.iterdir())]


def report(failures, total):
    """Prints failures, a text each, and the summary; the exit status."""
    for failure in failures:
        print(failure)
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not total else 0
