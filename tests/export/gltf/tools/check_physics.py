# SPDX-License-Identifier: Apache-2.0
"""Checks the physics extensions of .glb files: check_physics.py SCHEMA FILE.glb..."""
import json
import struct
import sys

import jsonschema


def read_json(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length])


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)

    def check(kind, value, where):
        validator = jsonschema.Draft7Validator({"$ref": "#/definitions/" + kind, **schema})
        faults = [f"{where}: {error.message}" for error in validator.iter_errors(value)]
        return faults

    faults, objects = [], 0
    for path in sys.argv[2:]:
        document = read_json(path)
        extensions = document.get("extensions", {})
        for name in ("KHR_implicit_shapes", "KHR_physics_rigid_bodies"):
            if name in extensions:
                objects += 1
                faults += check(name, extensions[name], path)
        for i, node in enumerate(document.get("nodes", [])):
            body = node.get("extensions", {}).get("KHR_physics_rigid_bodies")
            if body is not None:
                objects += 1
                faults += check("node", body, f"{path} node {i}")
    for fault in faults[:50]:
        print(fault)
    print(f"{len(sys.argv) - 2} files, {objects} objects checked, {len(faults)} faults")
    return 1 if faults or objects == 0 else 0


sys.exit(main())
