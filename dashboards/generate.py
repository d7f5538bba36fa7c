#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py [FOLDER]: writes functions.json and exporter.json, for Grafana, beside itself.

Here are the panels, each once: a title, what it tells, its unit, its queries. What all panels have in
common, and where they lie, is worked out. A dashboard names no data source, no job and no instance:
those are variables, and so is the family (`metric` of a probe) that *functions* shows.
"""

import json
import pathlib
import sys
from dataclasses import dataclass, field

RATE = "[$__rate_interval]"
EXPORTERS = 'job=~"$job", instance=~"$instance"'
PROBES = EXPORTERS + ', probe=~"$probe"'
FUNCTIONS = PROBES + ', function=~"$function"'
WIDTH = 24  # of Grafana's grid


@dataclass
class Query:
    expression: str
    legend: str = "__auto"
    is_instant: bool = False
    format: str = "time_series"


@dataclass
class Panel:
    title: str
    description: str
    unit: str
    queries: list
    kind: str = "timeseries"
    width: int = 8
    height: int = 8
    custom: dict = field(default_factory=dict)  # of fieldConfig.defaults
    options: dict = field(default_factory=dict)
    transformations: list = field(default_factory=list)


@dataclass
class Variable:
    name: str
    label: str
    query: str
    kind: str = "query"
    is_multi: bool = True
    regex: str = ""
    current: object = None


def by(expression):
    return f"sum by (${{by:csv}}) ({expression})"


def of_family(suffix, window=RATE):
    """Of the family that is chosen: its counter's rate."""
    return f"rate(${{family}}_{suffix}{{{FUNCTIONS}}}{window})"


def quantile(q):
    return (f"histogram_quantile({q}, sum by (le, ${{by:csv}}) "
            f"({of_family('duration_seconds_bucket')}))")


def of_probe(name):
    return f"uprobe_exporter_{name}{{{PROBES}}}"


def of_exporter(name):
    return f"uprobe_exporter_{name}{{{EXPORTERS}}}"


def probe_rate(name):
    return f"sum by (instance, probe) (rate({of_probe(name)}{RATE}))"


LINK = {"links": [{"title": "Status page, with the reason", "targetBlank": True,
                   "url": "http://${__field.labels.instance}/"}]}
ZERO = {"min": 0}
# Of a table, these columns alone, in this order.
COLUMNS = ["instance", "probe", "reason"]
SHARE = {"min": 0, "max": 1}

COMMON = [
    Variable("datasource", "Data source", "prometheus", "datasource", False),
    Variable("job", "Job", "label_values(uprobe_exporter_build_info, job)"),
    Variable("instance", "Instance",
             'label_values(uprobe_exporter_build_info{job=~"$job"}, instance)'),
    Variable("probe", "Probe", f"label_values(uprobe_exporter_probe_up{{{EXPORTERS}}}, probe)"),
]

FUNCTION_VARIABLES = COMMON + [
    Variable("family", "Metric", 'metrics(.+_calls_total)', is_multi=False,
             regex="/^(?!uprobe_exporter)(.+)_calls_total$/", current="uprobe_function"),
    Variable("function", "Function",
             f"label_values(${{family}}_calls_total{{{PROBES}}}, function)"),
    Variable("by", "By", "probe,function,instance,binary", "custom",
             current=["probe", "function"]),
]

FUNCTION_PANELS = [
    Panel("Calls", "Calls a second, counted when they begin. A function that is not attached has no "
          "line at all; one at 0 is not called.", "ops",
          [Query(by(of_family("calls_total")))], custom=ZERO),
    Panel("Errors", "Calls a second that failed, by the probe's `errors`. Empty for probes without.",
          "ops", [Query(by(of_family("errors_total")))], custom=ZERO),
    Panel("Error ratio", "Of the calls, how many failed, from 0 to 100 %.", "percentunit",
          [Query(f"{by(of_family('errors_total'))} / {by(of_family('calls_total'))}")],
          custom=SHARE),
    Panel("Latency", "How many calls took how long: the darker, the more. A bucket that is not reached "
          "is empty; calls shorter than the probe's own floor can't be told apart.", "s",
          [Query(f"sum by (le) (increase(${{family}}_duration_seconds_bucket{{{FUNCTIONS}}}{RATE}))",
                 "{{le}}", format="heatmap")], "heatmap", 16, 9,
          options={"calculate": False, "yAxis": {"unit": "s", "axisPlacement": "left"},
                   "color": {"mode": "scheme", "scheme": "Oranges", "steps": 64},
                   "cellGap": 1, "tooltip": {"show": True, "yHistogram": True}}),
    Panel("In flight", "Calls that have begun and not ended, of probes with `measure: [in_flight]`. "
          "A line that only rises is one of calls that never return.", "short",
          [Query(by(f"${{family}}_in_flight{{{FUNCTIONS}}}"))], height=9, custom=ZERO),
    Panel("p50", "Half of the calls take no longer. Read off the buckets: as exact as these are narrow.",
          "s", [Query(quantile(0.5))], custom=ZERO),
    Panel("p90", "Nine of ten calls take no longer.", "s", [Query(quantile(0.9))], custom=ZERO),
    Panel("p99", "99 of 100 calls take no longer.", "s", [Query(quantile(0.99))], custom=ZERO),
    Panel("Mean duration", "Time spent in calls that have returned, divided by their number.", "s",
          [Query(f"{by(of_family('duration_seconds_sum'))}"
                 f" / {by(of_family('duration_seconds_count'))}")], custom=ZERO),
    Panel("Time spent", "Seconds spent in the function each second, callees and waiting included: 1 is "
          "one thread that is always there.", "short",
          [Query(by(of_family("duration_seconds_sum")))], custom=ZERO),
    Panel("Top functions by time spent", "The ten in which most time was spent, over the range that is "
          "shown; in seconds a second.", "short",
          [Query(f"topk(10, sum by (function, binary) ("
                 f"{of_family('duration_seconds_sum', '[$__range]')}))",
                 "{{function}}", True)], "bargauge", custom=ZERO,
          options={"orientation": "horizontal", "displayMode": "gradient",
                   "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}),
]

EXPORTER_PANELS = [
    Panel("Probes up", "Probes of which everything that they select is attached and fires.", "short",
          [Query(f"sum({of_probe('probe_up')})", "up")], "stat", 4, 5),
    Panel("Probes not up", "Probes that do not see all calls. The list beside it names them.", "short",
          [Query(f"sum(1 - {of_probe('probe_up')})", "not up")], "stat", 4, 5,
          custom={"thresholds": {"mode": "absolute", "steps": [
              {"color": "green", "value": None}, {"color": "red", "value": 1}]}}),
    Panel("Configuration", "1: the last reload was taken. 0: it was refused, and the one before is in "
          "force.", "bool_yes_no",
          [Query(of_exporter("config_last_reload_successful"), "{{instance}}")], "stat", 4, 5),
    Panel("Configuration loaded", "When the configuration that is in force was loaded.",
          "dateTimeFromNow",
          [Query(of_exporter("config_last_reload_success_timestamp_seconds") + " * 1000",
                 "{{instance}}")], "stat", 6, 5),
    Panel("Version", "Exporters, by version.", "short",
          [Query(f"count by (version) ({of_exporter('build_info')})", "{{version}}")], "stat", 6, 5,
          options={"textMode": "value_and_name"}),
    Panel("Why probes are not up", "What is refused, waits or failed, by probe, and why: the beginning "
          "of what the exporter's own page says, which a click on a row opens.", "short",
          [Query(f"sum by (instance, probe, reason) ({of_probe('probe_reason')})", is_instant=True,
                 format="table")], "table", 24, 7, custom=LINK,
          options={"showHeader": True, "cellHeight": "sm"},
          transformations=[{"id": "filterFieldsByName", "options": {"include": {"names": COLUMNS}}},
                           {"id": "organize", "options": {
                               "indexByName": {name: i for i, name in enumerate(COLUMNS)}}}]),
    Panel("Sites not attached", "Addresses that are selected and not probed, by probe. A click on a row "
          "opens the exporter's own page, which has each of them with its reason.", "short",
          [Query(f'sum by (instance, probe, state) (uprobe_exporter_probe_sites{{{PROBES}, '
                 f'state!="attached"}})', "{{instance}} {{probe}} {{state}}", True)],
          "bargauge", 12, 9, custom={**ZERO, **LINK},
          options={"orientation": "horizontal",
                   "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}),
    Panel("Sites", "Addresses that are selected, by what became of them: attached, refused with a reason, "
          "failed (the kernel said no), shed (taken off for what they cost).", "short",
          [Query(f"sum by (state) ({of_probe('probe_sites')})", "{{state}}")], width=12, height=9,
          custom=ZERO),
    Panel("Overhead", "CPU cores that probes cost the programs: calls × what one costs here. It is "
          "charged to the programs, not to the exporter.", "short",
          [Query(probe_rate("overhead_cpu_seconds_total"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Taken off for their cost", "How often probes were over their budget and were taken off, in "
          "the last hour.", "short",
          [Query(f"sum by (instance, probe) (increase({of_probe('sheddings_total')}[1h]))",
                 "{{instance}} {{probe}}")], custom=ZERO),
    Panel("What a site costs", "Seconds that it costs a program to pass a site, by the class of its "
          "instruction; measured when the exporter started.", "s",
          [Query(f"max by (class) ({of_exporter('site_cost_seconds')})", "{{class}}", True)],
          "bargauge", options={"orientation": "horizontal"}, custom=ZERO),
    Panel("Missed returns", "Calls a second that are counted and have no duration: nested too deep, or too "
          "many under way.", "ops",
          [Query(probe_rate("missed_returns_total"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Abandoned calls", "Calls a second that ended without returning: by longjmp, an exception, or "
          "the end of their thread.", "ops",
          [Query(probe_rate("abandoned_calls_total"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Read faults", "How often a second something that a call carries could not be read. Labels "
          "from it read \"unreadable\".", "ops",
          [Query(probe_rate("read_faults_total"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Series", "Series in use, and the most that there may be.", "short",
          [Query(f"sum by (instance) ({of_exporter('series')})", "{{instance}}"),
           Query(of_exporter("series_limit"), "{{instance}}: most")], custom=ZERO),
    Panel("Series by probe", "Series in use.", "short",
          [Query(of_probe("series"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Calls past max_series", "Calls a second whose labels found no room, and that are counted as "
          "\"other\".", "ops",
          [Query(probe_rate("series_overflow_total"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Scrape duration", "How long the exporter took to make its last answer, and Prometheus to have "
          "it.", "s",
          [Query(of_exporter("scrape_duration_seconds"), "{{instance}}: made"),
           Query(f"scrape_duration_seconds{{{EXPORTERS}}}", "{{instance}}: fetched")], custom=ZERO),
    Panel("The exporter's CPU", "CPU cores of the exporter itself.", "short",
          [Query(f"rate(process_cpu_seconds_total{{{EXPORTERS}}}{RATE})", "{{instance}}")],
          custom=ZERO),
    Panel("The exporter's memory", "Resident, maps of counts included as far as they were touched.",
          "bytes", [Query(f"process_resident_memory_bytes{{{EXPORTERS}}}", "{{instance}}")],
          custom=ZERO),
    Panel("Open files", "Descriptors; in `perf` mode each site takes one.", "short",
          [Query(f"process_open_fds{{{EXPORTERS}}}", "{{instance}}")], custom=ZERO),
    Panel("Files probed", "Files that a probe's path means, here and in containers.", "short",
          [Query(of_probe("targets"), "{{instance}} {{probe}}")], custom=ZERO),
    Panel("Shortest duration", "What a call would measure that takes no time. Shorter ones can't be told "
          "apart.", "s",
          [Query(of_exporter("duration_floor_seconds"), "{{instance}}")], custom=ZERO),
]

DASHBOARDS = {
    "functions": ("uprobe_exporter: functions", FUNCTION_VARIABLES, FUNCTION_PANELS),
    "exporter": ("uprobe_exporter: the exporter", COMMON, EXPORTER_PANELS),
}

SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def target_json(query, letter):
    return {"refId": letter, "datasource": SOURCE, "expr": query.expression,
            "legendFormat": query.legend, "format": query.format,
            "instant": query.is_instant, "range": not query.is_instant, "editorMode": "code"}


def panel_json(panel, number, x, y):
    return {
        "id": number, "title": panel.title, "description": panel.description, "type": panel.kind,
        "datasource": SOURCE, "gridPos": {"x": x, "y": y, "w": panel.width, "h": panel.height},
        "fieldConfig": {"defaults": {"unit": panel.unit, **panel.custom}, "overrides": []},
        "options": panel.options, "transformations": panel.transformations,
        "targets": [target_json(query, chr(ord("A") + i)) for i, query in enumerate(panel.queries)],
    }


def laid_out(panels):
    """From left to right, and below when a row is full."""
    x = y = row = 0
    for number, panel in enumerate(panels, 1):
        if x + panel.width > WIDTH:
            x, y, row = 0, y + row, 0
        yield panel_json(panel, number, x, y)
        x, row = x + panel.width, max(row, panel.height)


def chosen(variable):
    """What is selected at first: All, where there is no other."""
    if variable.kind == "datasource":
        return {}
    value = variable.current or ["$__all"]
    return {"text": "All" if value == ["$__all"] else value, "value": value}


def variable_json(variable):
    common = {"name": variable.name, "label": variable.label, "type": variable.kind,
              "query": variable.query, "regex": variable.regex, "hide": 0,
              "multi": variable.is_multi, "current": chosen(variable)}
    if variable.kind == "datasource":
        return common
    common |= {"includeAll": variable.is_multi and variable.kind == "query"}
    if variable.kind == "custom":
        return common | {"options": [{"text": name, "value": name, "selected":
                                      name in variable.current}
                                     for name in variable.query.split(",")]}
    if variable.is_multi:
        common |= {"allValue": ".*"}
    return common | {"datasource": SOURCE, "refresh": 2, "sort": 1, "definition": variable.query}


def dashboard_json(title, variables, panels):
    return {
        "id": None, "title": title, "tags": ["uprobe_exporter"], "schemaVersion": 39,
        "editable": True, "graphTooltip": 1, "refresh": "30s", "timezone": "browser",
        "time": {"from": "now-1h", "to": "now"},
        "links": [{"type": "dashboards", "tags": ["uprobe_exporter"], "title": "uprobe_exporter",
                   "asDropdown": False, "includeVars": True, "keepTime": True}],
        "templating": {"list": [variable_json(variable) for variable in variables]},
        "panels": list(laid_out(panels)),
    }


def main(folder=pathlib.Path(__file__).parent):
    for name, dashboard in DASHBOARDS.items():
        text = json.dumps(dashboard_json(*dashboard), indent="\t", ensure_ascii=False)
        (pathlib.Path(folder) / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
