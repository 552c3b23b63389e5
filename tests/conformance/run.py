#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the conformance suite against a tool and say which cases it passes.

usage: run.py TOOL [options]

TOOL is a program with the commands listed under "Commands" in README.md, or an adapter of
adapters/. The cases are those of cases.tsv beside this file; each is run once for every column of
expectations that the tool is asked for. Standard Python 3.9 or later, nothing else.

  --rules openusd|documented|both|once   which column; both is the default; once is both where they
                                    differ, and else one of them, in turn: for tools that start slowly
  --form FORM[,FORM...]             only cases of these result forms
  --topic TOPIC[,TOPIC...]          only these topics
  --only TEXT                       only cases whose id contains TEXT
  -j N, --jobs N                    how many at once (default: one per processor)
  --serve                           start TOOL once for each job, with the argument "serve"; it reads
                                    {"arguments": [...]} from a line and writes a line with
                                    {"status", "stdout", "stderr"}: for tools that start slowly
  --first TOPIC[,TOPIC...]          these topics before the others
  --stop                            stop at the first failure
  -v, --verbose                     list what passes as well
  --json FILE                       write every outcome as JSON (schema/outcomes.schema.json)
  --name TEXT, --version TEXT       what the tool is called in that file
  --errors                          print the largest error met in each field
  --list                            list the cases and stop
  --lint                            check the suite itself and stop

The last line is "N passed, N failed", followed by ", N not answered" if the tool declined some.
Exit status: 0 nothing failed, 1 something did, 2 wrong usage.
"""
import argparse
import csv
import json
import math
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

SUITE = 1
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "cases")

# A tool that cannot answer a question says so by this exit status: not answered, not failed.
NOT_ANSWERED = 77

# What one call may cost. A suite that waits for ever tells nothing.
SECONDS = 60
# What a small damaged or hostile file may cost.
HOSTILE_SECONDS, HOSTILE_BYTES = 5, 1 << 30

# --- Tolerances -------------------------------------------------------------------------------
# A number passes if |got - expected| <= absolute + relative * |expected|. By form and field; "*"
# for the fields that are not named. Integers, strings, paths, tokens and flags compare exactly.
#
# A value of single precision may be written with the shortest text that reads back to it, 0.7, or
# with nine digits, 0.699999988: half a unit in the last place apart, 6e-8 relative. Nothing below
# that is told apart.
FLOAT = "single precision, after a chain of a few operations in another order"
EXACT = "read, not computed: the same number of single precision, however it is written"
TOLERANCES = {
    "stage": {
        "*": (1e-12, 1.2e-7, EXACT),
    },
    "skel": {
        "*": (1e-12, 1.2e-7, EXACT),
        "jointLocalTransforms": (2e-6, 2e-6, FLOAT + "; quaternions of single precision make matrices"),
        "jointSkelTransforms": (4e-6, 4e-6, "products of local transforms along the chain of joints"),
        "skinningTransforms": (4e-6, 4e-6, "products of local transforms and an inverse"),
        "jointWorldTransforms": (4e-6, 4e-6, "products of local transforms and the skeleton's place"),
        "blendShapeWeights": (1e-6, 1e-6, FLOAT),
        "subShapeWeights": (1e-6, 1e-6, FLOAT),
        "blendedPoints": (2e-6, 2e-6, FLOAT),
        "skinnedTransform": (4e-6, 4e-6, FLOAT + "; weights add up as single precision"),
        "points": (4e-6, 4e-6, FLOAT + "; the order of joints in a sum is the implementation's"),
        "normals": (4e-6, 4e-6, "as points; unit length amplifies the error of short sums"),
    },
    "physics": {
        "*": (1e-9, 1e-6, "one operation in single precision"),
        "localPos": (2e-6, 2e-6, "a transform in double precision, stored in single precision"),
        "position": (2e-6, 2e-6, "a transform in double precision, stored in single precision"),
        "localPose0Position": (2e-6, 2e-6, "as localPos, rebased to the body"),
        "localPose1Position": (2e-6, 2e-6, "as localPos, rebased to the body"),
        "localRot": (2e-6, 0, "a rotation factored out of a matrix; compared up to sign"),
        "rotation": (2e-6, 0, "a rotation factored out of a matrix; compared up to sign"),
        "localPose0Orientation": (2e-6, 0, "as localRot"),
        "localPose1Orientation": (2e-6, 0, "as localRot"),
        "principalAxes": (2e-6, 0, "as localRot; where inertia is compared as a tensor, not at all"),
        "localScale": (1e-6, 1e-6, "a scale factored out of a matrix"),
        "scale": (1e-6, 1e-6, "a scale factored out of a matrix"),
        "meshScale": (1e-6, 1e-6, "a scale factored out of a matrix"),
        "halfExtents": (1e-6, 1e-6, "a size times a scale factored out of a matrix"),
        "radius": (1e-6, 1e-6, "a size times a scale factored out of a matrix"),
        "center": (1e-6, 1e-6, "a point times a scale"),
        "mass": (1e-9, 4e-6, "sums of volumes in single precision"),
        "centerOfMass": (2e-6, 2e-6, "a quotient of sums in single precision"),
        "diagonalInertia": (1e-9, 4e-6, "alone: as mass"),
        "tensor": (1e-9, 2e-5, "relative to its largest entry: the axes of nearly equal moments are not determined"),
    },
    "points": {
        "*": (1e-5, 1e-5, "as points of skel, where a renderer computes in single precision throughout"),
    },
    "gltf": {
        "*": (4e-6, 1e-5, "metres; clips hold parts of poses in single precision, where USD rounds scales to half"),
    },
    "bake": {
        "*": (4e-6, 4e-6, "as points of skel"),
    },
}

# Expected values that stand for many.
ANY, FINITE = "?any", "?finite"

# --- What may come in another order -----------------------------------------------------------
BY_PATH = {"scenes", "materials", "collisionGroups", "rigidBodies", "shapes", "joints", "articulations", "mass"}
SETS = {"collisions", "filteredCollisions", "mergedGroups", "filteredGroups", "articulatedJoints", "articulatedBodies",
        "simulationOwners", "findings", "collisionGroups"}
QUATERNIONS = {"localRot", "rotation", "localPose0Orientation", "localPose1Orientation", "principalAxes"}
MASS_FIGURES = ("mass", "centerOfMass", "diagonalInertia", "principalAxes")

# --- Findings ---------------------------------------------------------------------------------
# Names of OpenUSD's validators, by the codes of the tool here. An adapter prints the names.
VALIDATORS = {
    "physics-rigid-body-non-xformable": "RigidBodyNonXformable",
    "physics-rigid-body-non-instanceable": "RigidBodyNonInstanceable",
    "physics-rigid-body-orientation-scale": "RigidBodyOrientationScale",
    "physics-collider-plane-dynamic": "ColliderPlaneDynamic",
    "physics-collider-non-uniform-scale": "ColliderNonUniformScale",
    "physics-collider-sphere-points-data-missing": "ColliderSpherePointsDataMissing",
    "physics-mass-invalid-values": "MassInvalidValues",
    "physics-density-invalid-values": "DensityInvalidValues",
    "physics-inertia-invalid-values": "InertiaInvalidValues",
    "physics-nested-articulation": "NestedArticulation",
    "physics-articulation-on-static-body": "ArticulationOnStaticBody",
    "physics-joint-invalid-prim-rel": "JointInvalidPrimRel",
    "physics-joint-rel-not-xformable": "JointRelNotXformable",
    "physics-joint-no-enabled-rigid-body": "JointNoEnabledRigidBody",
    "physics-joint-multiple-prims-rel": "JointMultiplePrimsRel",
    "skel-missing-binding-api": "MissingSkelBindingAPI",
}


class Failure(Exception):
    """Why a case failed: a cause, of a few kinds that can be counted, and a sentence."""

    def __init__(self, cause, message):
        super().__init__(message)
        self.cause = cause


class NotAnswered(Exception):
    """The tool does not do this."""


# --- Running ----------------------------------------------------------------------------------
class Watchdog:
    """Ends programs that take too long or too much memory. One thread looks at all of them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = {}
        threading.Thread(target=self.watch, daemon=True).start()

    def add(self, process, seconds, limit):
        with self.lock:
            self.running[process.pid] = [process, time.monotonic() + seconds, limit, None]

    def remove(self, process):
        """Why the program was ended, or None."""
        with self.lock:
            return self.running.pop(process.pid)[3]

    def watch(self):
        page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
        while True:
            time.sleep(0.05)
            with self.lock:
                for entry in self.running.values():
                    process, deadline, limit, why = entry
                    if why:
                        continue
                    if time.monotonic() > deadline:
                        entry[3] = ("takes too long", "no answer in time")
                    elif limit:
                        try:
                            with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
                                if int(file.read().split()[1]) * page > limit:
                                    entry[3] = ("takes too much memory", f"uses more than {limit >> 20} MiB")
                        except (OSError, IndexError):
                            pass  # It has just ended, or this system has no /proc.
                    if entry[3]:
                        process.kill()


class Runner:
    def __init__(self, tool, serve=False):
        self.tool = tool
        self.watchdog = Watchdog()
        self.own = threading.local() if serve else None  # The server of each thread.

    def ask_server(self, arguments, seconds, limit):
        """As call(), of a tool that serves. One that has ended is started anew for the next question."""
        server = getattr(self.own, "server", None)
        if server is None or server.poll() is not None:
            server = self.own.server = subprocess.Popen([*self.tool, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.watchdog.add(server, seconds, limit)
        try:
            server.stdin.write(json.dumps({"arguments": arguments}).encode() + b"\n")
            server.stdin.flush()
            line = server.stdout.readline()
        except BrokenPipeError:
            line = b""
        why = self.watchdog.remove(server)
        if not line:
            server.wait()
            raise Failure(*(why or ("crashes", f"exit status {server.returncode}")))
        answer = json.loads(line)
        if answer["status"] == NOT_ANSWERED:
            raise NotAnswered
        return answer["status"], answer["stdout"].encode(), answer["stderr"]

    def call(self, *arguments, seconds=SECONDS, limit=0):
        """Exit status, standard output, standard error of one call of the tool."""
        if self.own:
            return self.ask_server(list(arguments), seconds, limit)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([*self.tool, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            self.watchdog.add(process, seconds, limit)
            try:
                process.wait()
            finally:
                why = self.watchdog.remove(process)
            out.seek(0)
            err.seek(0)
            output, errors = out.read(), err.read(1 << 20).decode("utf-8", "replace")
        if why:
            raise Failure(*why)
        status = process.returncode
        if status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
            raise Failure("crashes", f"ended by {name}")
        if status == NOT_ANSWERED:
            raise NotAnswered
        return status, output, errors

    def json(self, *arguments, schema=None, statuses=(0,)):
        status, output, errors = self.call(*arguments)
        if status not in statuses:
            raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")
        try:
            result = json.loads(output)
        except ValueError as error:
            raise Failure("gives no JSON", str(error)) from None
        if schema:
            wrong = validate(result, schema, schema)
            if wrong:
                raise Failure("result of another form", wrong)
        return result


# --- JSON schemas -----------------------------------------------------------------------------
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_kind(value, kind):
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def validate(value, schema, root, where="$"):
    """What breaks a schema first, or None. The words of JSON Schema that schema/ uses, no others."""
    if "$ref" in schema:
        target = root
        for step in schema["$ref"][2:].split("/"):
            target = target[step]
        return validate(value, target, root, where)
    if "anyOf" in schema:
        wrong = [validate(value, option, root, where) for option in schema["anyOf"]]
        return None if None in wrong else wrong[0]
    kinds = schema.get("type")
    if kinds and not any(is_kind(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return f"{where}: {str(value)[:40]!r} is no {kinds if isinstance(kinds, str) else ' or '.join(kinds)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where}: {value!r} is none of {schema['enum']}"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                return f"{where}.{key}: missing"
        known, rest = schema.get("properties", {}), schema.get("additionalProperties")
        for key, item in value.items():
            inner = known.get(key, rest)
            wrong = validate(item, inner, root, f"{where}.{key}") if isinstance(inner, dict) else None
            if wrong:
                return wrong
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{where}: {len(value)} elements"
        inner = schema.get("items")
        if inner:
            for i, item in enumerate(value):
                wrong = validate(item, inner, root, f"{where}[{i}]")
                if wrong:
                    return wrong
    return None


def schema_of(form):
    file = os.path.join(HERE, "schema", form + ".schema.json")
    with open(file, encoding="utf-8") as stream:
        return json.load(stream)


# --- Comparing --------------------------------------------------------------------------------
def number(x):
    if isinstance(x, bool):
        return None
    if isinstance(x, (int, float)):
        return float(x)
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.get(x) if isinstance(x, str) else None


def finite(x):
    if isinstance(x, list):
        return all(finite(item) for item in x)
    return isinstance(x, (int, float)) and math.isfinite(x)


def inertia_tensor(figures):
    w, x, y, z = figures["principalAxes"]
    n = math.sqrt(w * w + x * x + y * y + z * z) or 1.0
    w, x, y, z = w / n, x / n, y / n, z / n
    r = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    d = figures["diagonalInertia"]
    return [[sum(r[i][k] * d[k] * r[j][k] for k in range(3)) for j in range(3)] for i in range(3)]


def names_of(items):
    return [item.get("path", "...") if isinstance(item, dict) else item for item in items][:6]


class Comparison:
    """Compares a result with what is expected: keys that are expected must be there, others may."""

    def __init__(self, form, largest=None):
        self.form = form
        self.tolerances = TOLERANCES.get(form, {"*": (0, 0, "")})
        self.largest = largest

    def close(self, got, expected, field):
        if got == expected:
            return True
        if math.isnan(got) or math.isnan(expected):
            return math.isnan(got) and math.isnan(expected)
        if math.isinf(got) or math.isinf(expected):
            return False
        absolute, relative, _ = self.tolerances.get(field) or self.tolerances["*"]
        error, allowed = abs(got - expected), absolute + relative * abs(expected)
        if self.largest is not None:
            key = (self.form, field if field in self.tolerances else "*")
            self.largest[key] = max(self.largest.get(key, (0, ""))[:2], (error / allowed if allowed else math.inf, f"{expected} {got}"))
        return error <= allowed

    def check(self, expected, got, where, field):
        if expected == ANY:
            return
        if expected == FINITE:
            if not finite(got):
                raise Failure("another value", f"{where}: {got!r} is not finite")
        elif isinstance(expected, dict):
            self.check_object(expected, got, where, field)
        elif isinstance(expected, list):
            self.check_list(expected, got, where, field)
        else:
            wanted, have = number(expected), number(got)
            if wanted is not None and have is not None:
                if not self.close(have, wanted, field):
                    raise Failure("another value", f"{where}: expected {expected}, got {got}")
            elif expected != got or isinstance(expected, bool) != isinstance(got, bool):
                raise Failure("another value", f"{where}: expected {expected!r}, got {str(got)[:80]!r}")

    def check_object(self, expected, got, where, field):
        if not isinstance(got, dict):
            raise Failure("another value", f"{where}: expected an object, got {str(got)[:60]!r}")
        apart = ()
        if all(finite(o.get(k)) for o in (expected, got) for k in MASS_FIGURES):
            wanted, have = inertia_tensor(expected), inertia_tensor(got)
            size = max(abs(entry) for row in wanted for entry in row)
            absolute, relative, _ = self.tolerances["tensor"]
            for i in range(3):
                for j in range(3):
                    if abs(wanted[i][j] - have[i][j]) > absolute + relative * size:
                        raise Failure("another value", f"{where}: inertia [{i}][{j}] expected {wanted[i][j]:.6g}, got {have[i][j]:.6g}")
            apart = ("diagonalInertia", "principalAxes")
        for key, item in expected.items():
            if key in apart:
                continue
            if key not in got:
                raise Failure("something missing", f"{where}.{key}: missing")
            self.check(item, got[key], f"{where}.{key}", key if key in self.tolerances or isinstance(item, (dict, list)) else field if field in self.tolerances else key)

    def check_list(self, expected, got, where, field):
        if not isinstance(got, list):
            raise Failure("another value", f"{where}: expected a list, got {str(got)[:60]!r}")
        if field in BY_PATH and all(isinstance(item, dict) and "path" in item for item in expected + got):
            expected, got = (sorted(items, key=lambda item: item["path"]) for items in (expected, got))
        elif field == "collisionGroupTable" and all(isinstance(item, list) for item in expected + got):
            expected, got = (sorted(sorted(pair) for pair in items) for items in (expected, got))
        elif field in SETS and all(isinstance(item, str) for item in expected + got):
            expected, got = sorted(expected), sorted(got)
        if len(expected) != len(got):
            cause = "something missing" if len(got) < len(expected) else "something too much"
            raise Failure(cause, f"{where}: expected {len(expected)} elements {str(names_of(expected))[:150]}, got {len(got)} {str(names_of(got))[:150]}")
        if field in QUATERNIONS and len(expected) == 4 and finite(expected) and finite(got) and sum(a * b for a, b in zip(expected, got)) < 0:
            got = [-x for x in got]
        for i, (a, b) in enumerate(zip(expected, got)):
            name = a["path"] if isinstance(a, dict) and "path" in a else i
            self.check(a, b, f"{where}[{name}]", field)


def overlay(base, changes):
    """A result with changes: objects merge, lists of things with paths merge by path, null removes."""
    if not isinstance(changes, dict):
        return changes
    if isinstance(base, list) and all(isinstance(item, dict) and "path" in item for item in base):
        items = {item["path"]: item for item in base}
        for path, change in changes.items():
            if change is None:
                items.pop(path, None)
            else:
                items[path] = overlay(items.get(path, {"path": path}), change)
        return list(items.values())
    result = dict(base) if isinstance(base, dict) else {}
    for key, change in changes.items():
        result[key] = overlay(result.get(key), change)
    return result


# --- Cases ------------------------------------------------------------------------------------
COLUMNS = ("openusd", "documented")


class Case:
    """A line of cases.tsv."""

    def __init__(self, row):
        self.id, self.form, self.input, self.time = row["id"], row["form"], row["input"], row["time"]
        self.topic, self.rules, self.documents = row["topic"], row["rules"].split(), row["documents"]
        self.because, self.shows = row["because"], row["shows"]
        self.expected = {"openusd": row["openusd"], "documented": row["documented"]}
        if self.expected["documented"] == "=":
            self.expected["documented"] = self.expected["openusd"]

    @property
    def file(self):
        return os.path.join(CASES, self.input)

    def result(self, column):
        """The expected result of a column as JSON."""
        with open(os.path.join(CASES, self.expected[column]), encoding="utf-8") as stream:
            result = json.load(stream)
        if "like" in result:
            like = os.path.join(os.path.dirname(os.path.join(CASES, self.expected[column])), result["like"])
            with open(like, encoding="utf-8") as stream:
                result = overlay(json.load(stream), result["changes"])
        return result


def read_table(name):
    with open(os.path.join(HERE, name), encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_cases():
    return [Case(row) for row in read_table("cases.tsv")]


# --- Forms: how each kind of result is asked for and judged -----------------------------------
def words(case, column):
    return case.expected[column].split(",")


def run_parse(run, case, column, largest):
    """Whether one layer reads without error."""
    status, output, errors = run.call("check", case.file, "--parse-only", "--rules", column)
    got = {0: "accept", 1: "reject"}.get(status)
    if got is None:
        raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")
    if got not in words(case, column):
        said = (output.decode("utf-8", "replace") + errors).strip()[:200]
        raise Failure("accepts what is malformed" if got == "accept" else "rejects what is well formed", f"expected {case.expected[column]}, got {got}: {said}")


def run_damage(run, case, column, largest):
    """What becomes of a damaged file: within 5 s and 1 GiB it is read, read in part, or refused."""
    limits = {"seconds": HOSTILE_SECONDS, "limit": HOSTILE_BYTES}
    status, output, errors = run.call("check", case.file, "--parse-only", "--rules", column, **limits)
    if status not in (0, 1):
        raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")
    wanted = words(case, column)
    if "any" in wanted:
        return
    said = (output.decode("utf-8", "replace") + errors).strip()
    if status == 0:
        got = ["accept", "warn"] if said else ["accept"]
    else:
        kept, _, _ = run.call("stage", case.file, "--json", "--rules", column, **limits)
        got = ["drop" if kept == 0 else "reject"]
    if not set(got) & set(wanted):
        cause = "accepts what is malformed" if status == 0 else "rejects what is well formed" if {"accept", "warn"} & set(wanted) else "keeps or drops the wrong part"
        raise Failure(cause, f"expected {case.expected[column]}, got {got[-1]}: {said[:200]}")


def run_json(run, case, column, largest):
    """A result as JSON: stage, skel or physics."""
    at = ["--time", case.time] if case.form == "skel" else []
    got = run.json(case.form, case.file, "--json", *at, "--rules", column, schema=SCHEMAS[case.form])
    Comparison(case.form, largest).check(case.result(column), got, "$", "$")


def run_twin(run, case, column, largest):
    """A binary layer and its text hold the same."""
    status, output, errors = run.call("diff", case.file, os.path.join(CASES, case.expected[column]))
    if status == 1:
        raise Failure("another value", output.decode("utf-8", "replace").strip()[:300])
    if status:
        raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")


def run_findings(run, case, column, largest):
    """What a validator finds, by the names of OpenUSD's validators."""
    got = run.json("check", case.file, "--json", "--rules", column, schema=SCHEMAS["findings"], statuses=(0, 1))
    names = set(VALIDATORS.values())
    found = set()
    for finding in got["diagnostics"]:
        name = VALIDATORS.get(finding["code"], finding["code"])
        if name in names:
            found.add(f"{name} {(finding.get('path') or '').split('.')[0]}")
    Comparison("findings").check(case.result(column), {"findings": sorted(found)}, "$", "$")


def run_bake(run, case, column, largest):
    """Deformed meshes written as a layer, and what that layer holds."""
    expected = case.result(column)
    with tempfile.TemporaryDirectory() as folder:
        baked = os.path.join(folder, "baked.usda")
        status, _, errors = run.call("skin", case.file, "--frames", case.time, "-o", baked, "--rules", column)
        if status:
            raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")
        stage = run.json("stage", baked, "--json", schema=SCHEMAS["stage"])
    prims = {prim["path"]: prim for prim in stage["prims"]}
    got = {"types": {path: prims.get(path, {}).get("typeName") for path in expected.get("types", {})}, "times": {}, "values": {}}
    for name in set(expected.get("times", {})) | set(expected.get("values", {})):
        path, attribute = name.split(".", 1)
        samples = prims.get(path, {}).get("attributes", {}).get(attribute, {}).get("timeSamples", [])
        got["times"][name] = [when for when, _ in samples]
        got["values"][name] = {f"{when:g}": value for when, value in samples}
    compare = Comparison("bake", largest)
    for key in ("types", "times"):
        compare.check(expected.get(key, {}), got[key], "$." + key, "$")
    for name, values in expected.get("values", {}).items():
        for when, value in values.items():
            if when not in got["values"][name]:
                raise Failure("something missing", f"{name} at {when}: missing")
            compare.check(value, got["values"][name][when], f"{name} at {when}", name.rsplit(".", 1)[1])


class Gltf:
    """Just enough of glTF to say where the points of its meshes are at a time: skins, targets, clips."""

    NUMBERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
    COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, data):
        length = struct.unpack_from("<I", data, 12)[0]
        self.document, self.binary = json.loads(data[20:20 + length]), data[28 + length:]
        self.nodes = self.document.get("nodes", [])
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}
        self.at = {}

    def read(self, index):
        """An accessor as a list of tuples."""
        accessor = self.document["accessors"][index]
        count, kind = self.COUNTS[accessor["type"]], self.NUMBERS[accessor["componentType"]]
        size = struct.calcsize("<" + kind * count)
        rows = [(0,) * count] * accessor["count"]
        if "bufferView" in accessor:
            view = self.document["bufferViews"][accessor["bufferView"]]
            first, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", size)
            rows = [struct.unpack_from("<" + kind * count, self.binary, first + i * stride) for i in range(accessor["count"])]
        if "sparse" in accessor:
            sparse, part = accessor["sparse"], {}
            for key, letters in (("indices", self.NUMBERS[sparse["indices"]["componentType"]]), ("values", kind * count)):
                view = self.document["bufferViews"][sparse[key]["bufferView"]]
                first = view.get("byteOffset", 0) + sparse[key].get("byteOffset", 0)
                part[key] = [struct.unpack_from("<" + letters, self.binary, first + i * struct.calcsize("<" + letters)) for i in range(sparse["count"])]
            for (i,), value in zip(part["indices"], part["values"]):
                rows[i] = value
        if accessor.get("normalized"):
            largest = {"B": 255, "H": 65535, "b": 127, "h": 32767}[kind]
            rows = [tuple(x / largest for x in row) for row in rows]
        return rows

    def sample(self, sampler, seconds, path):
        times = [row[0] for row in self.read(sampler["input"])]
        values = self.read(sampler["output"])
        each = len(values) // len(times)
        keys = [[x for row in values[i * each:(i + 1) * each] for x in row] for i in range(len(times))]
        after = next((i for i, when in enumerate(times) if when > seconds), len(times))
        if after == 0 or after == len(times) or sampler.get("interpolation") == "STEP":
            return keys[max(after - 1, 0)]
        a, b, f = keys[after - 1], keys[after], (seconds - times[after - 1]) / (times[after] - times[after - 1])
        if path != "rotation":
            return [x + (y - x) * f for x, y in zip(a, b)]
        dot = sum(x * y for x, y in zip(a, b))
        b, dot = ([-y for y in b], -dot) if dot < 0 else (b, dot)
        angle = math.acos(min(dot, 1.0))
        k0, k1 = (1 - f, f) if angle < 1e-6 else (math.sin((1 - f) * angle) / math.sin(angle), math.sin(f * angle) / math.sin(angle))
        return [k0 * x + k1 * y for x, y in zip(a, b)]

    def play(self, seconds):
        """Sets the first clip to a time."""
        for animation in self.document.get("animations", [])[:1]:
            for channel in animation["channels"]:
                target = channel["target"]
                if "node" in target:
                    sampler = animation["samplers"][channel["sampler"]]
                    self.at[target["node"], target["path"]] = self.sample(sampler, seconds, target["path"])

    def matrix(self, i):
        """Where a node is in the world, as 16 numbers, columns first."""
        node = self.nodes[i]
        if "matrix" in node:
            own = node["matrix"]
        else:
            t, r, s = (self.at.get((i, key), node.get(key, standard)) for key, standard in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1])))
            n = math.sqrt(sum(x * x for x in r)) or 1.0
            x, y, z, w = (c / n for c in r)
            turn = ((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)), (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)), (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
            own = [turn[c][k] * s[c] if k < 3 else 0.0 for c in range(3) for k in range(4)] + [*t, 1.0]
        return self.product(self.matrix(self.parents[i]), own) if i in self.parents else list(own)

    @staticmethod
    def product(a, b):
        return [sum(a[k * 4 + row] * b[column * 4 + k] for k in range(4)) for column in range(4) for row in range(4)]

    def points(self, i):
        """The points of a node's mesh in the world."""
        node = self.nodes[i]
        mesh = self.document["meshes"][node["mesh"]]
        first = mesh["primitives"][0]
        places = [list(row) for row in self.read(first["attributes"]["POSITION"])]
        weights = self.at.get((i, "weights"), node.get("weights", mesh.get("weights", [])))
        for weight, target in zip(weights, first.get("targets", ())):
            if weight and "POSITION" in target:
                for place, offset in zip(places, self.read(target["POSITION"])):
                    for k in range(3):
                        place[k] += weight * offset[k]
        if "skin" not in node:
            return [self.move(self.matrix(i), place) for place in places]
        skin = self.document["skins"][node["skin"]]
        joints = [self.product(self.matrix(joint), inverse) for joint, inverse in zip(skin["joints"], self.read(skin["inverseBindMatrices"]))]
        moved = [[0.0, 0.0, 0.0] for _ in places]
        for n in range(2):
            if f"JOINTS_{n}" in first["attributes"]:
                for place, out, js, ws in zip(places, moved, self.read(first["attributes"][f"JOINTS_{n}"]), self.read(first["attributes"][f"WEIGHTS_{n}"])):
                    for joint, weight in zip(js, ws):
                        if weight:
                            for k, x in enumerate(self.move(joints[joint], place)):
                                out[k] += weight * x
        return moved

    @staticmethod
    def move(m, p):
        return [m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k] for k in range(3)]


def run_gltf(run, case, column, largest):
    """An exported file: where glTF says the points are."""
    expected = case.result(column)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.glb")
        status, _, errors = run.call("export", case.file, "-o", out, "--influences", "8", "--rules", column)
        if not os.path.exists(out):  # Errors elsewhere in a file do not stop what can be written.
            raise Failure("gives no result", f"exit status {status}: {errors.strip()[:200]}")
        with open(out, "rb") as stream:
            file = Gltf(stream.read())
    file.play(expected["seconds"])
    nodes = {node.get("extras", {}).get("usd", {}).get("path"): i for i, node in enumerate(file.nodes) if "mesh" in node}
    compare = Comparison("gltf", largest)
    for path, points in expected["meshes"].items():
        if path not in nodes:
            raise Failure("something missing", f"{path}: no mesh")
        compare.check(points, file.points(nodes[path]), path, "points")


def points_of(result):
    return {target["path"]: target["points"] for binding in result["bindings"] for target in binding.get("targets", ()) if target.get("points")}


def run_points(run, case, column, largest):
    """Deformed points alone, of a case of skel."""
    expected = points_of(case.result(column))
    got = run.json("points", case.file, "--time", case.time, "--json", "--rules", column, schema=SCHEMAS["points"])
    got = {mesh["path"]: mesh["points"] for mesh in got["meshes"]}
    compare = Comparison("points", largest)
    for path, points in expected.items():
        if path not in got:
            raise Failure("something missing", f"{path}: no points")
        compare.check(points, got[path], path, "points")


FORMS = {
    "parse": run_parse,
    "damage": run_damage,
    "stage": run_json,
    "skel": run_json,
    "physics": run_json,
    "twin": run_twin,
    "findings": run_findings,
    "bake": run_bake,
    "gltf": run_gltf,
    "points": run_points,
}
SCHEMAS = {}


def run_case(run, case, column, largest):
    """(outcome, cause, message) of one case under one column."""
    try:
        FORMS[case.form](run, case, column, largest)
    except NotAnswered:
        return "not answered", "", ""
    except Failure as failure:
        return "fail", failure.cause, str(failure)
    return "pass", "", ""


# --- The suite itself -------------------------------------------------------------------------
def lint(cases):
    """What is wrong with the suite, as sentences."""
    wrong = []
    ids = Counter(case.id for case in cases)
    wrong += [f"{name}: listed {count} times" for name, count in ids.items() if count > 1]
    rules = {row["id"]: row for row in read_table("rules.tsv")}
    used, files = set(), set()
    for case in cases:
        used.update(case.rules)
        if case.form not in FORMS:
            wrong.append(f"{case.id}: no form {case.form}")
        if not case.rules:
            wrong.append(f"{case.id}: no rule")
        wrong += [f"{case.id}: no rule {rule}" for rule in case.rules if rule not in rules]
        if not case.shows or not case.documents:
            wrong.append(f"{case.id}: does not say what it shows, and where that is written")
        if not os.path.exists(case.file):
            wrong.append(f"{case.id}: no file {case.input}")
        files.add(case.input)
        for column in COLUMNS:
            expected = case.expected[column]
            if case.form in ("parse", "damage"):
                if expected != "-" and not set(words(case, column)) <= {"accept", "reject", "warn", "drop", "any"}:
                    wrong.append(f"{case.id}: {expected} is no verdict")
            elif expected != "-":
                files.add(expected)
                if not os.path.exists(os.path.join(CASES, expected)):
                    wrong.append(f"{case.id}: no file {expected}")
                elif case.form != "twin":
                    like = json.load(open(os.path.join(CASES, expected), encoding="utf-8")).get("like")
                    if like:
                        files.add(os.path.join(os.path.dirname(expected), like))
        if case.expected["openusd"] != case.expected["documented"] and not case.because:
            wrong.append(f"{case.id}: two expectations without a reason")
    for name, row in rules.items():
        if (name in used) == bool(row["reason"]):
            wrong.append(f"rule {name}: " + ("a case and a reason for having none" if name in used else "neither a case nor a reason"))
    for folder, _, names in os.walk(CASES):
        for name in names:
            file = os.path.relpath(os.path.join(folder, name), CASES).replace(os.sep, "/")
            if file not in files and "/assets/" not in file and not file.endswith(".md"):
                wrong.append(f"{file}: no case uses it")
    return wrong


def parse_arguments():
    parser = argparse.ArgumentParser(usage="run.py TOOL [options]", add_help=False)
    parser.add_argument("tool", nargs="?")
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--rules", choices=("openusd", "documented", "both", "once"), default="both")
    parser.add_argument("--form", default="")
    parser.add_argument("--topic", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--first", default="")
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--name", default="")
    parser.add_argument("--version", default="")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--lint", action="store_true")
    return parser.parse_args()


def chosen_cases(arguments):
    forms = set(filter(None, arguments.form.split(",")))
    topics = set(filter(None, arguments.topic.split(",")))
    cases = [case for case in read_cases() if (not topics or case.topic in topics) and arguments.only in case.id]
    chosen = [case for case in cases if not forms or case.form in forms]
    if "points" in forms:  # A view of the cases of skel: not another case, so only where it is asked for.
        for case in cases:
            if case.form == "skel" and case.expected["openusd"] != "-" and points_of(case.result("openusd")):
                case.form = "points"
                chosen.append(case)
    return chosen


def columns_of(case, rules, turn):
    """The columns that a case is run under; turn is its place in the suite."""
    if rules == "once":
        return COLUMNS if case.expected["openusd"] != case.expected["documented"] else (COLUMNS[turn % 2],)
    return COLUMNS if rules == "both" else (rules,)


def command_of(tool):
    """How to start a tool: an executable, or a script by its interpreter."""
    path = os.path.abspath(tool) if os.path.exists(tool) else tool
    if path.endswith(".py"):
        return [sys.executable, path]
    if path.endswith((".js", ".mjs")):
        return ["node", path]
    return [path]


def main():
    arguments = parse_arguments()
    if arguments.help or not (arguments.tool or arguments.list or arguments.lint):
        print(__doc__.strip())
        return 0 if arguments.help else 2
    cases = chosen_cases(arguments)
    if arguments.list:
        for case in cases:
            print(f"{case.id}\t{case.form}\t{case.shows}")
        return 0
    if arguments.lint:
        wrong = lint(cases)
        print("\n".join(wrong) or f"suite {SUITE}: {len(cases)} cases, nothing wrong")
        return 1 if wrong else 0

    for form in ("stage", "skel", "physics", "findings", "points"):
        SCHEMAS[form] = schema_of(form)
    run = Runner(command_of(arguments.tool), arguments.serve)
    work = [(case, column) for turn, case in enumerate(cases) for column in columns_of(case, arguments.rules, turn)
            if case.expected[column] != "-"]
    first = arguments.first.split(",")
    work.sort(key=lambda item: first.index(item[0].topic) if item[0].topic in first else len(first))
    largest = {} if arguments.errors else None
    stopped = threading.Event()

    def run_one(item):
        return ("not run", "", "") if stopped.is_set() else run_case(run, *item, largest)

    began, outcomes, counts, causes = time.monotonic(), [], Counter(), Counter()
    with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for (case, column), (outcome, cause, message) in zip(work, pool.map(run_one, work)):
            if stopped.is_set():
                break
            counts[outcome] += 1
            if outcome == "fail":
                causes[cause] += 1
                print(f"FAIL {case.id} [{column}] {cause}: {message}")
                if arguments.stop:
                    stopped.set()
            elif arguments.verbose:
                print(f"{'ok  ' if outcome == 'pass' else 'none'} {case.id} [{column}]")
            outcomes.append({"case": case.id, "topic": case.topic, "form": case.form, "rules": column, "outcome": outcome, "cause": cause, "message": message[:300]})
    if arguments.errors:
        for (form, field), (share, example) in sorted(largest.items()):
            print(f"{form:8} {field:24} {share:8.3f} of the tolerance ({example})")
    for cause, count in causes.most_common():
        print(f"{count:5}  {cause}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as stream:
            json.dump({"suite": SUITE, "name": arguments.name or os.path.basename(arguments.tool), "version": arguments.version,
                       "seconds": round(time.monotonic() - began, 1), "outcomes": outcomes}, stream, indent=0)
            stream.write("\n")
    declined = counts["not answered"]
    print(f"{counts['pass']} passed, {counts['fail']} failed" + (f", {declined} not answered" if declined else ""))
    return 1 if counts["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
