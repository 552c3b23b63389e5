#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run every command that a page shows: README.md, docs/*.md and the README of the conformance suite.

usage: commands.py TOOL [--list] [-v]

The commands are the lines of blocks marked sh or console. Each starts in a folder of its page, which
holds small files by the names that pages use (made of examples/data), and must end with status 0.
`sinew` and `build/release/examples/sinew/sinew` are TOOL; words of capitals such as FILE stand for
one of those files, `A|B` for both. What cannot be run here is a line of ELSEWHERE, with the test
that does it, or the reason why none does. The last line is "N passed, N failed".
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ["README.md", "tests/conformance/README.md", *sorted(os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "docs", "*.md")))]

# Commands that other tests run: a pattern of the whole command, and where.
ELSEWHERE = [
    (r"git clone .*", "no network in tests"),
    (r"sudo apt-get install .*", "check setup of .ci/run"),
    (r"examples/run", "check examples of .ci/run"),
    (r"tests/run", "check tests of .ci/run"),
    (r"bench/run", "check bench of .ci/run"),
    (r"(examples|tests)/web/run", "check web of .ci/run"),
    (r"bench/web/run", "measures for minutes"),
    (r"python3 bench/performance_page.py .*", "test Docs.PerformancePageIsTheOneTheScriptMakes"),
    (r"doxygen docs/Doxyfile", "check reference of .ci/run"),
    (r"cmake (-S|--build|--install) .*", "checks install-* of .ci/run"),
    (r"c\+\+ .*pkg-config.*", "check install-pc of .ci/run"),
    (r"python3 (tests/conformance/)?run.py \S*(TOOL|sinew/sinew)( --rules \S+| --topic \S+)*", "test Conformance.Suite"),
    (r".*run.py \S*adapters/.*", "needs packages of npm or PyPI: docs/conformance.md says which have been run"),
    (r"\(cd tests/conformance/adapters && npm install .*", "no network in tests"),
    (r"pip install .*", "no network in tests"),
    (r"find .*(parallel|awk).*", "sinew convert with --threads 1 is Tool.ConvertsToBinary; the others are no part of this"),
    (r"#SBATCH.*", "a line that Slurm reads"),
]

# Words of capitals.
WORDS = {"FILE...": "character.usda", "FILE": "character.usda", "ROBOT": "robot.usda", "A": "a.usda", "B": "a.usda", "IN.usda": "in.usda", "IN.glb": "fox.glb", "/Prim.attribute": "/Gecko.purpose"}
# Commands that need another file than the word says.
INSTEAD = {"sinew stage FILE --explain /Prim.attribute": "sinew stage robot.usda --explain /Arm/base.physics:mass",
           "sinew mass FILE --explain": "sinew mass robot.usda --explain"}


def commands(page):
    """The commands of a page: comments cut off, lines that go on joined."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as stream:
        text = stream.read()
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.M | re.S):
        going_on = ""
        for line in block.splitlines():
            line = re.sub(r"^\$ ", "", line)
            line = re.sub(r"(^|\s)#( .*|!.*)$", "", line) if not line.startswith("#SBATCH") else line
            line = (going_on + " " + line.strip()).strip()
            if line.endswith(("|", "\\")) or " | while " in line and not line.endswith("done") or line.endswith("do"):
                going_on = line.rstrip("\\")
                continue
            going_on = ""
            if line:
                yield line


def prepare(folder, tool):
    """The files that pages speak of."""
    data = os.path.join(ROOT, "examples", "data")

    def make(*arguments):
        subprocess.run([tool, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for name, source in {"character.usda": "character.usda", "in.usda": "arm.usda", "a.usda": "arm.usda", "b.usda": "robot_arm.usda", "robot.usda": "robot_arm.usda"}.items():
        shutil.copy(os.path.join(data, source), os.path.join(folder, name))
    for shots in ("shot", "shots", "meshes"):
        os.mkdir(os.path.join(folder, shots))
        shutil.copy(os.path.join(data, "arm.usda"), os.path.join(folder, shots, f"{shots}_one.usda"))
    make("convert", "in.usda", "cached.usdz")
    robots = sorted(glob.glob(os.path.join(ROOT, "tests", "data", "robots", "*.urdf")))
    shutil.copy(robots[0], os.path.join(folder, "robot.urdf"))
    make("export", "robot.usda", "-o", "world.xml")
    make("convert", "character.usda", "model.usdz")
    make("export", "in.usda", "-o", "fox.glb")
    make("export", "in.usda", "-o", "crate.glb")
    for file in glob.glob(os.path.join(ROOT, "tests", "data", "gltf", "strip*")):
        shutil.copy(file, os.path.join(folder, os.path.basename(file).replace("strip.gltf", "fox.gltf")))
    os.mkdir(os.path.join(folder, "suite"))


def spelled_out(command):
    """The commands that one line stands for: words replaced, alternatives one by one."""
    command = INSTEAD.get(command, command)
    words = command.split()
    for i, word in enumerate(words):
        if "|" in word and word != "|" and not word.startswith(("'", '"')):
            first = word.split("|")[0]
            stem = first.rsplit(".", 1)[0]
            for option in word.split("|"):
                yield from spelled_out(" ".join([*words[:i], option if not option.startswith(".") else stem + option, *words[i + 1:]]))
            return
    yield " ".join(WORDS.get(word, word) for word in words)


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    tool = os.path.abspath(arguments[0]) if arguments else ""
    passed = failed = 0
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            ready = False
            for command in commands(page):
                where = next((why for pattern, why in ELSEWHERE if re.fullmatch(pattern, command)), None)
                if "--list" in sys.argv:
                    print(f"{page}: {command}" + (f"   [{where}]" if where else ""))
                    continue
                if where:
                    passed += 1
                    continue
                if not ready:
                    prepare(folder, tool)
                    ready = True
                for line in spelled_out(command):
                    line = re.sub(r"(^|[;&|(] ?)(build/release/examples/sinew/)?sinew(?= )", lambda m: m[1] + shlex.quote(tool), line)
                    line = re.sub(r"(^| )((tests/conformance/)?run\.py TOOL)", f" {ROOT}/tests/conformance/run.py {shlex.quote(tool)}", line)
                    ran = subprocess.run(["sh", "-c", line], cwd=folder, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                    # What cannot be said in a format is an error, and the file is written all the same.
                    partly = ran.returncode == 1 and re.search(r" export .*\.urdf$", line) and glob.glob(os.path.join(folder, "*.urdf"))
                    if ran.returncode and not partly:
                        failed += 1
                        print(f"FAIL {page}: {command}\n     status {ran.returncode}: {ran.stdout.strip()[-300:]}")
                    else:
                        passed += 1
                        if "-v" in sys.argv:
                            print(f"ok   {page}: {command}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
