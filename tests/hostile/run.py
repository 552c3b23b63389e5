#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Give the tool small files that ask for much, and measure what they get: seconds and megabytes.

usage: run.py TOOL [--only TEXT] [--seconds S] [--megabytes M] [--markdown] [--keep DIR]

Each kind of files.py, below 100 kB, is read by every command that reads scenes. A line per kind:
the worst seconds and megabytes, and the command that took them. A kind fails if a command takes
more than S seconds of processor time (default 5; the least of three attempts, since the time of
the same work grows when others use the machine) or M megabytes (default 1024), crashes, or cannot
be read at all. At the end the kinds that failed, again; the last line counts. --markdown prints a
table instead; --keep writes the files.
"""
import argparse
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


def limit_process(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (HARD_SECONDS, HARD_SECONDS))
        # Address space is more than memory: this stops what runs away, the measured peak decides.
        resource.setrlimit(resource.RLIMIT_AS, (8 * megabytes << 20, 8 * megabytes << 20))
    return limit


def measure(command, megabytes):
    """Exit status, seconds of processor time, and the peak of resident memory in megabytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=limit_process(megabytes))
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


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    parser.add_argument("tool")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args()
    tool = os.path.abspath(arguments.tool)
    passed, failed = 0, []
    if arguments.markdown:
        print("| kind | kB | seconds | MB | by |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(arguments.keep) if arguments.keep else scratch
        for name, (root, others) in files.kinds().items():
            if arguments.only not in name:
                continue
            place = os.path.join(folder, name)
            os.makedirs(place, exist_ok=True)
            for file, text in {"root.usda": root, **others}.items():
                with open(os.path.join(place, file), "w", encoding="utf-8") as stream:
                    stream.write(text)
            size = len(root) + sum(map(len, others.values()))
            faults = [f"{size} bytes are too many"] if size > LARGEST_FILE else []
            worst_time, worst_memory = (0.0, ""), (0.0, "")
            for command, words in COMMANDS.items():
                out = os.path.join(scratch, "out")
                full = [tool] + [word.replace("FILE", os.path.join(place, "root.usda")).replace("OUT", out) for word in words]
                status, seconds, megabytes = measure_best(full, arguments)
                worst_time = max(worst_time, (seconds, command))
                worst_memory = max(worst_memory, (megabytes, command))
                if status < 0 or status > 2:
                    faults.append(f"{command} ended with {status}")
                if seconds > arguments.seconds:
                    faults.append(f"{command} took {seconds:.1f} s")
                if megabytes > arguments.megabytes:
                    faults.append(f"{command} took {megabytes:.0f} MB")
            if subprocess.run([tool, "check", "--parse-only", os.path.join(place, "root.usda")], capture_output=True, check=False).returncode:
                faults.append("is no layer")
            by = worst_time[1] if worst_time[1] == worst_memory[1] else f"{worst_time[1]}, {worst_memory[1]}"
            line = (f"{'FAIL' if faults else 'ok  '}  {name:26} {size / 1000:4.0f} kB {worst_time[0]:6.2f} s {worst_memory[0]:6.0f} MB  {by}"
                    + "".join(f"; {fault}" for fault in faults))
            passed += not faults
            failed += [line] if faults else []
            if arguments.markdown:
                print(f"| {name} | {size / 1000:.0f} | {worst_time[0]:.2f} | {worst_memory[0]:.0f} | {by} |", flush=True)
            else:
                print(line, flush=True)
    if not arguments.markdown:
        print("\n".join([*failed, f"{passed} passed, {len(failed)} failed"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
