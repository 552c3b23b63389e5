#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make faults in src/, one at a time, and ask the conformance suite alone whether it notices.

usage: run.py [--work DIR] [--only TEXT] [--resume] [--build COMMAND] [--part I/N] [--suite ARGUMENTS] [--launcher "nice -n 19"] [--jobs N]

The faults are the lines of faults.tsv: a file below src/, a text that stands once in it, what it is
replaced by, the topics of the suite to ask first, and what the fault means. Everything happens in
a copy of the tree (DIR, default build/mutants), of which only the tool is built, without
optimisation. COMMAND builds it instead of CMake, with DIR as its argument. A fault is noticed if any case fails; the suite stops there. Outcomes are written to
results.tsv beside this file after each fault; --resume keeps those that are there. --part does
every N-th fault from the I-th, into DIR/results.tsv, so that several can run at once; only a run
without it begins with an unchanged tool, which must pass. ARGUMENTS go to the suite.
Exit status: 0 if at most two faults are missed.
"""
import argparse
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(SUITE))
COPIED = ("CMakeLists.txt", "README.md", "LICENSE", "src", "include", "examples")
FLAGS = ("-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_UNITY_BUILD=ON", "-DSINEW_BUILD_TESTS=OFF")
MISSES_ALLOWED = 2


def read_table(file):
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def prepare(work):
    """A copy of the tree, configured. Returns where the tool will be."""
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    if not os.path.exists(build):
        for name in COPIED:
            at = os.path.join(ROOT, name)
            copy = shutil.copytree if os.path.isdir(at) else shutil.copy
            os.makedirs(source, exist_ok=True)
            copy(at, os.path.join(source, name))
        make = ["cmake", "-S", source, "-B", build, *FLAGS]
        make += ["-G", "Ninja"] if shutil.which("ninja") else []
        make += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(build, "examples", "sinew", "sinew")


def compile_tool(work, command, launcher):
    how = [command, work] if command else ["cmake", "--build", os.path.join(work, "build"), "-j", "1", "--target", "sinew_tool"]
    made = subprocess.run([*launcher, *how], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if made.returncode:
        raise SystemExit("does not compile:\n" + made.stdout[-3000:])


def ask_suite(tool, topics, launcher, jobs, more):
    """The first failure of the suite, or None if it notices nothing."""
    run = subprocess.run([*launcher, sys.executable, os.path.join(SUITE, "run.py"), tool, "--stop", "--first", topics, "-j", str(jobs), *more],
                         text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = re.search(r"^FAIL (\S+) \[\w+\] (.*)$", run.stdout, re.M)
    if found:
        return found[1]
    if run.returncode:
        raise SystemExit("the suite did not run:\n" + run.stdout[-2000:])
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "mutants"))
    parser.add_argument("--only", default="")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--build", default="")
    parser.add_argument("--part", default="")
    parser.add_argument("--suite", default="")
    parser.add_argument("--launcher", default="nice -n 19")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    launcher = shlex.split(arguments.launcher)
    results = os.path.join(arguments.work if arguments.part else HERE, "results.tsv")
    known = {}
    if arguments.resume and os.path.exists(results):
        known = {(row["file"], row["after"]): row["noticed by"] for row in read_table(results)}

    work = os.path.abspath(arguments.work)
    tool = prepare(work)
    compile_tool(work, arguments.build, launcher)
    more = shlex.split(arguments.suite)
    by = None if arguments.part else ask_suite(tool, "physics", launcher, arguments.jobs, more)
    if by:
        raise SystemExit(f"without a fault the suite fails already: {by}")
    faults = [fault for fault in read_table(os.path.join(HERE, "faults.tsv")) if arguments.only in fault["file"]]
    if arguments.part:
        first, step = map(int, arguments.part.split("/"))
        faults = faults[first - 1::step]
    outcomes = []
    for number, fault in enumerate(faults, 1):
        began = time.monotonic()
        key = (fault["file"], fault["after"])
        if key in known:
            by = known[key]
        else:
            file = os.path.join(work, "source", "src", fault["file"])
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
            if text.count(fault["before"]) != 1:
                raise SystemExit(f"{fault['file']}: '{fault['before']}' does not stand there once")
            try:
                with open(file, "w", encoding="utf-8") as stream:
                    stream.write(text.replace(fault["before"], fault["after"]))
                compile_tool(work, arguments.build, launcher)
                by = ask_suite(tool, fault["topics"], launcher, arguments.jobs, more) or "-"
            finally:
                with open(file, "w", encoding="utf-8") as stream:
                    stream.write(text)
        outcomes.append((fault, by))
        print(f"{number:3} {time.monotonic() - began:5.0f} s  {'MISSED ' if by == '-' else 'noticed'}  {fault['fault']}: {by}", flush=True)
        with open(results, "w", encoding="utf-8") as stream:
            stream.write("file\tfault\tnoticed by\tafter\n")
            for done, noticed in outcomes:
                stream.write(f"{done['file']}\t{done['fault']}\t{noticed}\t{done['after']}\n")
    missed = sum(by == "-" for _, by in outcomes)
    print(f"{len(outcomes) - missed} of {len(outcomes)} faults are noticed by the suite")
    return 1 if missed > MISSES_ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
