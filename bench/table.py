#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print Google Benchmark results as one table.

usage: table.py RESULT.json...

Rows with the same first name element belong together. The column "x" compares a row with the
baseline of its group: the row whose name holds "Baseline" and whose arguments are the same, else
the one that names the same kind, else the first baseline of the group. Rates come from the counters points_per_second, bytes_per_second
or items_per_second, whichever a benchmark sets.
"""
import json
import sys

RATES = [("points_per_second", "points/s"), ("joints_per_second", "joints/s"),
         ("bytes_per_second", "B/s"), ("items_per_second", "items/s")]


def scaled(value):
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.2f} {prefix}"
    return f"{value:.2f} "


def duration(row):
    ns = row["real_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[row["time_unit"]]
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= factor:
            return f"{ns / factor:.2f} {unit}"
    return f"{ns:.0f} ns"


def rate(row):
    for key, unit in RATES:
        if key in row:
            return row[key], unit
    return None, ""


def arguments(name):
    return "/".join(part for part in name.split("/") if ":" in part)


def best_of_repetitions(rows):
    """One row per benchmark: the fastest, or the first that failed."""
    best = {}
    for row in rows:
        kept = best.setdefault(row["name"], row)
        if row.get("error_occurred") or (not kept.get("error_occurred")
                                         and row["cpu_time"] < kept["cpu_time"]):
            best[row["name"]] = row
    return list(best.values())


def main():
    rows, context = [], {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        context = data["context"]
        rows += [r for r in data["benchmarks"] if r.get("run_type", "iteration") == "iteration"]
    rows = best_of_repetitions(rows)
    if not rows:
        print("no results")
        return 1
    print(f"{context.get('num_cpus')} CPUs at {context.get('mhz_per_cpu')} MHz, "
          f"load {context.get('load_avg', ['?'])[0]}")
    width = max(len(r["name"]) for r in rows)
    print(f"{'benchmark':<{width}}  {'time':>10}  {'rate':>18}  {'x':>7}")
    previous = None
    for row in rows:
        group = row["name"].split("/")[0]
        if previous not in (None, group):
            print()
        previous = group
        if row.get("error_occurred"):
            print(f"{row['name']:<{width}}  failed: {row.get('error_message', '')}")
            continue
        value, unit = rate(row)
        baselines = [b for b in rows if b["name"].split("/")[0] == group
                     and "baseline" in b["name"].lower() and rate(b)[1] == unit]
        same = [b for b in baselines if arguments(b["name"]) == arguments(row["name"])]
        kind = row["name"].split("/")[1:2]
        same = same or [b for b in baselines if kind[0] in b["name"].split("/")]
        reference = (same or baselines or [None])[0]
        ratio = ""
        if reference is not None and reference is not row and value and rate(reference)[0]:
            ratio = f"{value / rate(reference)[0]:.2f}"
        text = scaled(value) + unit if value else ""
        print(f"{row['name']:<{width}}  {duration(row):>10}  {text:>18}  {ratio:>7}")
    return 1 if any(r.get("error_occurred") for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
