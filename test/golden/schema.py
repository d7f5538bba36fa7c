#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""schema.py CONFIG_DUMP: the JSON Schema and the loader say the same of every golden case.

Where they can't agree (a schema knows no ascending order, no environment, no two probes) the case
has a file beyond-schema that says why. Such a mark fails where they do agree, so it can't hide that
they have drifted apart. Then, that the two know the same keys: every key of the schema is used in a
case that the loader accepts.
"""
import json
import pathlib
import re
import sys

import jsonschema
import yaml

import cases

CONFIG = pathlib.Path(__file__).resolve().parents[2] / "config"


class CoreLoader(yaml.SafeLoader):
    """YAML as editors read it: the core schema of YAML 1.2, keys as text, none of them twice."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if not all(isinstance(key, str) for key in keys):
            raise yaml.YAMLError("a key that is no text")
        if len(set(keys)) < len(keys):
            raise yaml.YAMLError("repeated key")
        values = [self.construct_object(value, deep=True) for _, value in node.value]
        return dict(zip(keys, values))


def construct_number(_, node):
    text = node.value.lower()
    for prefix, base in (("0x", 16), ("0o", 8)):
        if text.startswith(prefix):
            return int(text[2:], base)
    try:
        return int(text)
    except ValueError:
        return float(re.sub(r"\.(?=inf|nan)", "", text))


for tag, pattern in (
        ("null", r"^(null|Null|NULL|~|)$"),
        ("bool", r"^(true|True|TRUE|false|False|FALSE)$"),
        ("number", r"^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
                   r"|[-+]?\.(inf|Inf|INF)|\.nan|\.NaN|\.NAN)$")):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), None)
CoreLoader.add_constructor("tag:yaml.org,2002:number", construct_number)
CoreLoader.add_constructor("tag:yaml.org,2002:map", CoreLoader.construct_mapping)


def schema_says(validator, text):
    """Whether an editor would show no error, and the first one."""
    try:
        document = yaml.load(text, CoreLoader)
    except yaml.YAMLError as error:
        return False, f"not YAML: {error}"
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return error is None, error and f"{error.json_path}: {error.message}"


def check_case(case, dump, validator):
    """None, or what is wrong."""
    outcome, _ = case.load(dump)
    loader_accepts = outcome == "expected.config"
    schema_accepts, why = schema_says(validator, case.input.read_bytes())
    if (loader_accepts != schema_accepts) == case.beyond_schema:
        return None
    if case.beyond_schema:
        return f"FAILED {case.name}: marked beyond-schema, but the schema agrees: {why or 'accepted'}"
    return (f"FAILED {case.name}: the loader {'accepts' if loader_accepts else 'rejects'} it, "
            f"the schema does not: {why or 'accepted'}")


def objects(schema):
    """Every schema of a mapping with keys of its own."""
    if isinstance(schema, list):
        for item in schema:
            yield from objects(item)
    elif isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            yield schema
        for item in schema.values():
            yield from objects(item)


def keys_used(value):
    """Every key in a document, but for names of labels and the numbers that they name."""
    if isinstance(value, list):
        for item in value:
            yield from keys_used(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key == "labels":
                yield from keys_used(list(item.values()))
            elif key not in ("values", "ranges") or isinstance(item, list):
                yield from keys_used(item)


def check_keys(schema, dump):
    """What is wrong with the schema's own keys, a text each."""
    known = {key for item in objects(schema) for key in item["properties"]}
    used = set()
    for case in cases.all_cases():
        if case.load(dump)[0] == "expected.config" and not case.beyond_schema:
            used.update(keys_used(yaml.load(case.input.read_bytes(), CoreLoader)))
    for key in sorted(known ^ used):
        yield f"FAILED key {key}: {'in no accepted case' if key in known else 'not in the schema'}"
    for item in objects(schema):
        if item.get("additionalProperties") is not False:
            yield f"FAILED {sorted(item['properties'])}: other keys are allowed"
        for key, value in item["properties"].items():
            if not value.get("description"):
                yield f"FAILED key {key}: no description"


def main():
    dump = sys.argv[1]
    schema = json.loads((CONFIG / "uprobe_exporter.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    everything = cases.all_cases()
    failures = [check_case(case, dump, validator) for case in everything]
    failures = [failure for failure in failures if failure] + list(check_keys(schema, dump))
    return cases.report(failures, max(len(everything), len(failures)))


sys.exit(main())
