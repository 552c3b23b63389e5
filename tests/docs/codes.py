#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that every code of a diagnostic is on a page: docs/*.md but the changelog and conformance.md.

A code is a literal such as "usda-syntax" in src or examples/sinew. A page names `usda-bad-path`, `-name`
both by that. Exit status 0: all are, 1: those that are printed are not.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"

# What physics::to_string() calls the reasons of PairDecision.
NO_CODES = {"same-shape", "shape-invalid", "collision-disabled", "same-body", "both-static", "filtered-pair",
            "collision-groups", "self-collision"}


def codes():
    """Each code, and where it first stands."""
    found = {}
    for folder in ("src", "examples/sinew"):
        for file in sorted((ROOT / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if line.lstrip().startswith("//"):
                    continue
                for code in re.findall(f'"({WORDS})"', line):
                    found.setdefault(code, f"{file.relative_to(ROOT)}:{number}")
    return {code: place for code, place in found.items() if code not in NO_CODES}


def named():
    """What pages name, in full or by their ends after one that is."""
    names = set()
    for page in sorted((ROOT / "docs").glob("*.md")):
        if page.name in ("changelog.md", "conformance.md"):
            continue
        for line in page.read_text(encoding="utf-8").splitlines():
            names.update(re.findall(rf"(?<![\w-]){WORDS}(?![\w-])", line))
            full = []
            for word in re.findall(r"`([^`]+)`", line):
                if re.fullmatch(WORDS, word):
                    full = word.split("-")
                elif re.fullmatch(r"(-[a-z0-9]+)+", word):
                    names.update("-".join(full[:i]) + word for i in range(1, len(full)))
    return names


def main():
    known = named()
    all_codes = codes()
    missing = {code: place for code, place in all_codes.items() if code not in known}
    for code, place in sorted(missing.items()):
        print(f"{place}: '{code}' is on no page")
    print(f"{len(all_codes)} codes, {len(missing)} on no page")
    return 1 if missing or not all_codes else 0


if __name__ == "__main__":
    sys.exit(main())
