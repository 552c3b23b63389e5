#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the recipes of package managers, which are not at hand where the tests run: that they can
be parsed, name the version of the project, and ask for exactly what CMake looks for."""
import ast
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]

# What CMake, vcpkg, Conan and Debian call a dependency.
NAMES = {
    "Eigen3": ("eigen3", "eigen", "libeigen3-dev"),
    "FastFloat": ("fast-float", "fast_float", "libfast-float-dev"),
    "fmt": ("fmt", "fmt", "libfmt-dev"),
    "hwy": ("highway", "highway", "libhwy-dev"),
    "lz4": ("lz4", "lz4", "liblz4-dev"),
    "Qhull": ("qhull", "qhull", "libqhull-dev"),
    "CLI11": ("cli11", "cli11", "libcli11-dev"),
    "nlohmann_json": ("nlohmann-json", "nlohmann_json", "nlohmann-json3-dev"),
    "pugixml": ("pugixml", "pugixml", "libpugixml-dev"),
}


def cmake_dependencies():
    """What the library needs, and what the tool needs besides."""
    library, tool, where = set(), set(), "library"
    for line in (HERE.parent / "SinewDependencies.cmake").read_text().splitlines():
        if line.startswith("if(SINEW_BUILD_"):
            where = "tool" if "SINEW_BUILD_TOOL" in line else "neither"
        elif line.startswith("endif()"):
            where = "library"
        found = re.match(r"\s*sinew_dependency\((\w+) ", line)
        if found and where != "neither":
            (tool if where == "tool" else library).add(found.group(1))
    return library, tool


def main():
    problems = []

    def same(what, listed, needed):
        if set(listed) != set(needed):
            problems.append(f"{what}: has {sorted(listed)}, CMake needs {sorted(needed)}")

    library, tool = cmake_dependencies()
    unknown = (library | tool) - NAMES.keys()
    if unknown or not library or not tool:
        sys.exit(f"SinewDependencies.cmake: {sorted(unknown)} have no names here")
    version = re.search(r"^  VERSION (\S+)$", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)

    port = json.loads((HERE / "vcpkg/ports/sinew/vcpkg.json").read_text())
    same("vcpkg.json", [d for d in port["dependencies"] if isinstance(d, str)],
         {NAMES[name][0] for name in library})
    same("vcpkg.json, tools", port["features"]["tools"]["dependencies"],
         {NAMES[name][0] for name in tool})
    if port["version"] != version:
        problems.append(f"vcpkg.json: version {port['version']}, the project has {version}")

    recipe = ast.parse((HERE / "conan/conanfile.py").read_text())
    tables = {statement.targets[0].id: ast.literal_eval(statement.value) for statement in recipe.body
              if isinstance(statement, ast.Assign)}
    same("conanfile.py", tables["REQUIREMENTS"], {NAMES[name][1] for name in library})
    same("conanfile.py, tool", tables["TOOL_REQUIREMENTS"], {NAMES[name][1] for name in tool})

    control = (HERE / "debian/control").read_text()
    listed = re.findall(r"^ (\S+-dev)\b", control.split("Package:")[0], re.M)
    same("debian/control", listed, {NAMES[name][2] for name in library | tool})
    if f"sinew ({version}-" not in (HERE / "debian/changelog").read_text().splitlines()[0]:
        problems.append(f"debian/changelog: does not begin with version {version}")

    if problems:
        sys.exit("\n".join(problems))
    print(f"vcpkg, Conan and Debian: version {version}, {len(library)} and {len(tool)} dependencies")


if __name__ == "__main__":
    main()
