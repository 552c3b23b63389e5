#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make docs/conformance.md: the cases by topic, and what implementations make of them.

usage: page.py [--check] [PAGE]          writes PAGE (default: docs/conformance.md), or compares with it
       page.py --keep OUTCOMES [...]     condenses what run.py --json wrote into results/NAME.json

Everything on the page comes from cases.tsv, rules.tsv, differences.tsv, results/ and
mutants/results.tsv.
"""
import json
import os
import sys
from collections import Counter, defaultdict

import run

HERE = run.HERE
PAGE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "conformance.md")
TOPICS = {"text": "Text", "stage": "Stage", "skel": "Skeletons", "physics": "Physics", "crate": "Binary layers", "package": "Packages"}
FORMS = {"parse": "verdict on a layer", "damage": "what becomes of a damaged file", "stage": "composed stage", "skel": "evaluated skeletons", "physics": "resolved physics",
         "findings": "findings", "bake": "baked layer", "gltf": "deformed points of exported glTF", "twin": "binary and text hold the same", "points": "deformed points"}
# Every row of the table, whether it has been run or not: file of results/, name, how to run it.
ROWS = [
    ("sinew", "Sinew", "python3 tests/conformance/run.py build/release/examples/sinew/sinew"),
    ("tinyusdz", "tinyusdz, WebAssembly",
     "(cd tests/conformance/adapters && npm install tinyusdz)\n"
     "SINEW=build/release/examples/sinew/sinew python3 tests/conformance/run.py tests/conformance/adapters/tinyusdz.mjs --serve --rules openusd --form parse,damage,stage"),
    ("three", "three.js, USDLoader",
     "(cd tests/conformance/adapters && npm install three)\n"
     "python3 tests/conformance/run.py tests/conformance/adapters/three.mjs --rules openusd --form points"),
    ("openusd", "OpenUSD, Python",
     "pip install usd-core\n"
     "python3 tests/conformance/run.py tests/conformance/adapters/usd_core.py --rules openusd --form parse,damage,stage,points"),
]


def keep(file):
    with open(file, encoding="utf-8") as stream:
        outcomes = json.load(stream)
    counts = defaultdict(lambda: [0, 0, 0])
    causes = defaultdict(Counter)
    failures = defaultdict(set)
    for one in outcomes["outcomes"]:
        key = f"{one['topic']} {one['form']} {one['rules']}"
        counts[key][("pass", "fail", "not answered").index(one["outcome"])] += 1
        if one["outcome"] == "fail":
            causes[f"{one['topic']} {one['form']}"][one["cause"]] += 1
            failures[one["cause"]].add(one["case"])
    kept = {"suite": outcomes["suite"], "name": outcomes["name"], "version": outcomes["version"], "counts": dict(sorted(counts.items())),
            "causes": {key: dict(value.most_common()) for key, value in sorted(causes.items())},
            "failures": {cause: sorted(cases) for cause, cases in sorted(failures.items())}}
    target = os.path.join(HERE, "results", os.path.basename(file).replace(".outcomes", ""))
    with open(target, "w", encoding="utf-8") as stream:
        json.dump(kept, stream, indent=1)
        stream.write("\n")


def cell(results, topic):
    """Passed of answered in a topic, both columns together."""
    mine = [count for key, count in results["counts"].items() if key.split()[0] == topic]
    passed, failed = sum(c[0] for c in mine), sum(c[1] for c in mine)
    return f"{passed} of {passed + failed}" if passed + failed else "-"


def implementations():
    lines = ["| implementation | version | " + " | ".join(TOPICS.values()) + " | not answered |", "|---" * (len(TOPICS) + 3) + "|"]
    notes, commands = [], []
    for file, name, command in ROWS:
        path = os.path.join(HERE, "results", file + ".json")
        commands.append(f"# {name}\n{command}")
        if not os.path.exists(path):
            lines.append(f"| {name} | not run here |" + " |" * (len(TOPICS) + 1))
            continue
        with open(path, encoding="utf-8") as stream:
            results = json.load(stream)
        declined = sum(count[2] for count in results["counts"].values())
        lines.append(f"| {name} | {results['version']} | " + " | ".join(cell(results, topic) for topic in TOPICS) + f" | {declined} |")
        for key, causes in results["causes"].items():
            topic, form = key.split()
            notes += [f"| {name} | {TOPICS[topic]}, {FORMS[form]} | {cause} | {count} |" for cause, count in causes.items()]
    return lines, notes, commands


def page():
    cases, rules = run.read_cases(), run.read_table("rules.tsv")
    differences = run.read_table("differences.tsv")
    columns = sum(case.expected[column] != "-" for case in cases for column in run.COLUMNS)
    by_topic = Counter(case.topic for case in cases)
    by_form = defaultdict(Counter)
    by_rule = Counter(rule for case in cases for rule in case.rules)
    for case in cases:
        by_form[case.topic][case.form] += 1
    apart = [case for case in cases if case.expected["openusd"] != case.expected["documented"]]
    single = sum("-" in case.expected.values() for case in apart)
    table, causes, commands = implementations()
    out = [
        "# Conformance",
        "",
        "<!-- Made by tests/conformance/page.py; a test compares. -->",
        "",
        f"Suite {run.SUITE} has {len(cases):,} cases: small files written for it, and the result each must give, as JSON. {len(apart) - single} of them have two",
        f"expectations that differ, one of OpenUSD and one of the documents of UsdSkel and UsdPhysics, and {single} have one of the two only, each with the",
        f"reason; together that makes {columns:,} checks. It lies in [tests/conformance](../tests/conformance/README.md), needs nothing but Python, and runs against any tool:",
        "",
        "```sh",
        "python3 tests/conformance/run.py TOOL",
        "```",
        "",
        "## Implementations",
        "",
        "Passed of answered, of both columns of expectations where an implementation has both sets of rules. What it has no call for is not",
        "answered. tinyusdz answers with layers and composed stages, three.js with deformed points. A row that is empty has not been run here.",
        "",
        *table,
        "",
        "Failures by cause:",
        "",
        "| implementation | cases | cause | count |",
        "|---|---|---|---|",
        *(causes or ["| - | - | - | - |"]),
        "",
        "Every row is made by these commands, from the root of this repository:",
        "",
        "```sh",
        "\n\n".join(commands),
        "```",
        "",
        "Which cases fail: `tests/conformance/results`. `page.py --keep` puts what `run.py --json` wrote there, and `page.py` makes this page.",
        "",
        "## Cases by topic",
        "",
        "| topic | cases | of which |",
        "|---|---|---|",
        *(f"| {name} | {by_topic[topic]} | " + ", ".join(f"{count} {FORMS[form]}" for form, count in by_form[topic].most_common()) + " |" for topic, name in TOPICS.items()),
        "",
        "`run.py --list` prints a sentence for each case; `cases.tsv` has the rule, where it is written, and both expectations.",
        "",
        "## Where the documents and OpenUSD differ",
        "",
        "| | subject | documents | OpenUSD | written in | cases |",
        "|---|---|---|---|---|---|",
    ]
    reasons = Counter(word.rstrip(":") for case in cases for word in case.because.split(":")[0].split())
    for row in differences:
        out.append(f"| {row['id']} | {row['subject']} | {row['documented']} | {row['openusd']} | {row['documents']} | {reasons[row['id']]} |")
    out += ["", "## Rules", ""]
    groups = [("T", "Text"), ("S", "Stage"), ("K", "Skeletons"), ("P", "Physics: bodies, shapes, joints, articulations"), ("R", "Physics: mass"), ("G", "Physics: groups"), ("M", "Physics: units"), ("V", "Physics: findings"),
              ("C", "Binary layers"), ("Z", "Packages")]
    for letter, title in groups:
        out += [f"### {title}", "", "| rule | | written in | cases |", "|---|---|---|---|"]
        for row in rules:
            if row["id"].startswith(letter):
                proof = str(by_rule[row["id"]]) if by_rule[row["id"]] else "none: " + row["reason"]
                out.append(f"| {row['id']} | {row['rule']} | {row['documents']} | {proof} |")
        out.append("")
    out += ["## Does the suite notice faults?", ""]
    results = os.path.join(HERE, "mutants", "results.tsv")
    if os.path.exists(results):
        faults = run.read_table(os.path.join("mutants", "results.tsv"))
        missed = [row for row in faults if row["noticed by"] == "-"]
        listed = len(run.read_table(os.path.join("mutants", "faults.tsv")))
        out += [f"`tests/conformance/mutants/run.py` makes single-line faults in `src/`, builds the tool and asks the suite alone. Of {listed} listed faults {len(faults)}",
                f"have been made, and {len(faults) - len(missed)} were noticed." + (" Missed: " + "; ".join(row["fault"] for row in missed) + "." if missed else ""), "", "| file | fault | noticed by |", "|---|---|---|"]
        out += [f"| {row['file']} | {row['fault']} | {row['noticed by']} |" for row in faults]
    else:
        out += ["`tests/conformance/mutants/run.py` makes single-line faults in `src/`, builds the tool and asks the suite alone. It has not been run yet."]
    return "\n".join(out) + "\n"


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--keep"]:
        for file in arguments[1:]:
            keep(file)
        return 0
    check = "--check" in arguments
    target = next((argument for argument in arguments if not argument.startswith("-")), PAGE)
    text = page()
    if not check:
        with open(target, "w", encoding="utf-8") as stream:
            stream.write(text)
        return 0
    with open(target, encoding="utf-8") as stream:
        if stream.read() == text:
            return 0
    print(f"{target} is not what tests/conformance/page.py makes; run it")
    return 1


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
