#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads every workflow, and looks whether the checks and files that its steps run exist. That the
jobs pass is for their host to show."""
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    checks = set(re.findall(r"^check(?:_if_early)? (\S+) ", (ROOT / ".ci/run").read_text(), re.M))
    problems = []
    jobs = 0
    for file in sorted((ROOT / ".github/workflows").glob("*.yml")):
        workflow = yaml.safe_load(file.read_text())
        if not workflow.get("name") or True not in workflow:  # YAML takes `on` for true.
            problems.append(f"{file.name}: has no name, or does not say when it runs")
        for name, job in workflow["jobs"].items():
            jobs += 1
            if "runs-on" not in job or "timeout-minutes" not in job:
                problems.append(f"{file.name}, {name}: says not where it runs, or for how long")
            for step in job["steps"]:
                if ("run" in step) == ("uses" in step):
                    problems.append(f"{file.name}, {name}: a step is neither run nor uses: {step}")
                for line in step.get("run", "").splitlines():
                    called = re.match(r"\s*(?:\w+=\S+ )*(\.ci/\S+|tests/\S+|src/cmake/\S+)((?: \S+)*)", line)
                    if not called:
                        continue
                    if not (ROOT / called.group(1)).exists():
                        problems.append(f"{file.name}, {name}: there is no {called.group(1)}")
                    if called.group(1) == ".ci/run":
                        for check in called.group(2).split():
                            if check not in checks:
                                problems.append(f"{file.name}, {name}: .ci/run has no check {check}")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{jobs} jobs can be read, and run what exists")


if __name__ == "__main__":
    main()
