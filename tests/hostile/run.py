#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Give the tool small files that ask for much, and measure what they get: seconds and megabytes.

usage: run.py TOOL [--only TEXT] [--seconds S] [--megabytes M] [--jobs N] [--markdown] [--keep DIR]

Each kind of files.py, below 100 kB, is read by every command that reads scenes. A line per kind:
the worst seconds and megabytes, and the command that took them. A kind fails if a command takes
more than S seconds of processor time (default 5; the least of three attempts, since the time of
the same work grows when others use the machine) or M megabytes (default 1024), crashes, or cannot
be read at all. At the end the kinds that failed, again; the last line counts. --markdown prints a
table instead; --keep writes the files. N files are tried at a time, as many as there are processors;
what fails then is tried again by itself, and that counts. For figures of a machine at rest say 1.
"""
import argparse
import concurrent.futures
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import files  # noqa: E402

COMMANDS = {
    "check": ["check", "FILE"],
    "stage": ["stage", "--json", "FILE"],
    "skel": ["skel", "--json", "FILE"],
    "physics": ["physics", "--json", "FILE"],
    "mass": ["mass", "--explain", "FILE"],
    "glb": ["export", "FILE", "-o", "OUT.glb"],
    "mjcf": ["export", "FILE", "-o", "OUT.xml"],
    "usdc": ["convert", "FILE", "OUT.usdc"],
}
LARGEST_FILE = 100_000
HARD_SECONDS = 60
ATTEMPTS = 3


def measure(command, megabytes):
    """Exit status, seconds of processor time, and the peak of resident memory in megabytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Address space is more than memory: this stops what runs away, the measured peak decides.
    for limit, most in ((resource.RLIMIT_CPU, HARD_SECONDS), (resource.RLIMIT_AS, 8 * megabytes << 20)):
        try:
            resource.prlimit(process.pid, limit, (most, most))
        except ProcessLookupError:
            break
    started = time.monotonic()
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - started > 3 * HARD_SECONDS:
            process.kill()
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure_best(command, arguments):
    """As measure(), by the attempt that took the least time; one is enough within the limits."""
    best = measure(command, arguments.megabytes)
    for _ in range(1, ATTEMPTS):
        if best[0] < 0 or best[1] <= arguments.seconds:
            break
        best = min(best, measure(command, arguments.megabytes), key=lambda result: result[1])
    return best


class Trial:
    """What the tool made of one kind of file."""

    def __init__(self, name, texts, folder, arguments):
        self.name = name
        self.size = sum(map(len, texts.values()))
        self.faults = [f"{self.size} bytes are too many"] if self.size > LARGEST_FILE else []
        self.time, self.memory = (0.0, ""), (0.0, "")
        tool = os.path.abspath(arguments.tool)
        place = os.path.join(folder, name)
        os.makedirs(place, exist_ok=True)
        for file, text in texts.items():
            with open(os.path.join(place, file), "w", encoding="utf-8") as stream:
                stream.write(text)
        root = os.path.join(place, "root.usda")
        with tempfile.TemporaryDirectory() as scratch:
            for command, words in COMMANDS.items():
                full = [tool] + [word.replace("FILE", root).replace("OUT", os.path.join(scratch, "out")) for word in words]
                self.judge(command, measure_best(full, arguments), arguments)
        if subprocess.run([tool, "check", "--parse-only", root], capture_output=True, check=False).returncode:
            self.faults.append("is no layer")

    def judge(self, command, result, arguments):
        status, seconds, megabytes = result
        self.time = max(self.time, (seconds, command))
        self.memory = max(self.memory, (megabytes, command))
        if status < 0 or status > 2:
            self.faults.append(f"{command} ended with {status}")
        if seconds > arguments.seconds:
            self.faults.append(f"{command} took {seconds:.1f} s")
        if megabytes > arguments.megabytes:
            self.faults.append(f"{command} took {megabytes:.0f} MB")

    def by(self):
        return self.time[1] if self.time[1] == self.memory[1] else f"{self.time[1]}, {self.memory[1]}"

    def line(self):
        return (f"{'FAIL' if self.faults else 'ok  '}  {self.name:26} {self.size / 1000:4.0f} kB {self.time[0]:6.2f} s {self.memory[0]:6.0f} MB  {self.by()}"
                + "".join(f"; {fault}" for fault in self.faults))

    def show(self, is_markdown):
        row = f"| {self.name} | {self.size / 1000:.0f} | {self.time[0]:.2f} | {self.memory[0]:.0f} | {self.by()} |"
        print(row if is_markdown else self.line(), flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    parser.add_argument("tool")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args()
    trials = []
    if arguments.markdown:
        print("| kind | kB | seconds | MB | by |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(arguments.keep) if arguments.keep else scratch
        kinds = [(name, {"root.usda": root, **others}) for name, (root, others) in files.kinds().items() if arguments.only in name]
        alone = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for kind, trial in zip(kinds, pool.map(lambda kind: Trial(*kind, folder, arguments), kinds)):
                if trial.faults and arguments.jobs > 1:
                    alone.append(kind)  # Others slowed it; it is tried again when they are done.
                else:
                    trials.append(trial)
                    trial.show(arguments.markdown)
        for kind in alone:
            trials.append(Trial(*kind, folder, arguments))
            trials[-1].show(arguments.markdown)
    failed = [trial for trial in trials if trial.faults]
    passed = len(trials) - len(failed)
    if not arguments.markdown:
        print("\n".join([*(trial.line() for trial in failed), f"{passed} passed, {len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
