#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make docs/performance.md from the results that bench/run writes.

usage: performance_page.py RESULT.json... > docs/performance.md
       performance_page.py --check docs/performance.md

A result of bench/compare may be among them. The second form compares everything but the measured figures with what this script would write, and
fails with the first line that differs.
"""
import json
import re
import statistics
import sys

MESH = "/points:{}/influences:{}/weights:{}"
KEEP, MOVED = "/order:keep/level:best", "/order:by_joint/level:best"


def lbs(points, influences, weights, order, kind="lbs"):
    return f"Skinning/{kind}" + MESH.format(points, influences, weights) + order


def traffic(points, joints):
    return f"Memory/block_traffic/points:{points}/joints_per_block:{joints}"


def eigen(influences, weights, kind="eigen"):
    return f"Reference/{kind}" + MESH.format(100000, influences, weights)


# Sections: title, program, sentences, rows. A row: benchmark, what it is compared with or "", and
# how many times as fast it should be ("" if nothing is asked).
SKINNING = [
    (lbs(100000, 4, "dense", KEEP), eigen(4, "dense"), "10"),
    (lbs(100000, 8, "dense", KEEP), eigen(8, "dense"), "10"),
    (lbs(100000, 4, "real", KEEP), eigen(4, "real"), "10"),
    (lbs(100000, 4, "real", MOVED), eigen(4, "real"), "19"),
    (lbs(100000, 8, "real", KEEP), eigen(8, "real"), "10"),
    (lbs(100000, 8, "real", MOVED), eigen(8, "real"), "19"),
    (lbs(100000, 4, "dense", "/order:keep/level:avx2"), eigen(4, "dense"), "7"),
    (lbs(100000, 4, "real", KEEP, "lbs_normals"), eigen(4, "real", "eigen_normals"), "5"),
    (lbs(100000, 4, "dense", KEEP, "lbs_normals"), eigen(4, "dense", "eigen_normals"), "5"),
    (lbs(100000, 4, "real", KEEP) + "/packed", lbs(100000, 4, "real", KEEP), ""),
    (lbs(100000, 4, "dense", KEEP) + "/packed", lbs(100000, 4, "dense", KEEP), ""),
    (lbs(100000, 4, "real", KEEP, "lbs_normals") + "/packed",
     lbs(100000, 4, "real", KEEP, "lbs_normals"), ""),
    (lbs(100000, 4, "real", KEEP, "dqs"), lbs(100000, 4, "real", KEEP), "0.6"),
    (lbs(100000, 4, "dense", KEEP, "dqs"), lbs(100000, 4, "dense", KEEP), "0.6"),
    ("Skinning/bake/points:100000/order:keep", "", "50 ns"),
    ("Skinning/bake/points:100000/order:by_joint", "", "50 ns"),
    ("Skinning/bake/points:1000000/order:by_joint", "", "50 ns"),
    ("Skinning/crowd/agents:1000/points:3264/output:streamed", "", ""),
]
CACHED = [(lbs(10000, k, w, order), "Reference/eigen" + MESH.format(10000, k, w), wanted)
          for k, w, order, wanted in (
              (4, "dense", KEEP, "10"), (8, "dense", KEEP, "10"), (4, "real", KEEP, "10"),
              (4, "real", MOVED, "19"), (8, "real", MOVED, "19"),
              (4, "dense", "/order:keep/level:avx2", "7"))]
MULTIPLY_ADDS = "Reference/multiply_add/level:best"
BOUNDS = [
    (lbs(10000, 4, "real", MOVED), MULTIPLY_ADDS, "0.6"),
    (lbs(10000, 4, "real", KEEP), MULTIPLY_ADDS, "0.6"),
    (lbs(10000, 4, "dense", KEEP), MULTIPLY_ADDS, ""),
    (lbs(10000, 8, "dense", KEEP), MULTIPLY_ADDS, "0.88"),
    (lbs(100000, 4, "dense", KEEP), traffic(100000, 7), ""),
    (lbs(100000, 8, "dense", KEEP), traffic(100000, 15), ""),
    (lbs(100000, 4, "real", KEEP), traffic(100000, 4), ""),
    (lbs(100000, 4, "real", MOVED), traffic(100000, 2), ""),
    (lbs(1000000, 4, "real", MOVED + "/output:streamed"), "Memory/copy/bytes:34000000", "0.85"),
]
SHAPES = "/shapes:50/offsets:2000/points:100000"
BLEND = [
    ("BlendShape/sparse" + SHAPES, "BlendShape/baseline_indexed" + SHAPES, "2.5"),
    ("BlendShape/fused_with_lbs" + SHAPES, "BlendShape/then_lbs" + SHAPES, "1"),
]
POSE = "/joints:100/agents:"
POSING = [
    ("Pose/local_to_skeleton" + POSE + "16", "Pose/baseline_eigen_local_to_skeleton" + POSE + "1",
     "0.1 us"),
    ("Pose/local_to_skeleton" + POSE + "1024", "Pose/baseline_eigen_local_to_skeleton" + POSE + "1",
     "0.1 us"),
    ("Pose/sample_to_palette" + POSE + "1", "", "1 us"),
    ("Pose/sample_to_palette" + POSE + "16", "", "0.35 us"),
    ("Pose/sample_to_palette" + POSE + "1000", "", "0.35 us"),
    ("Pose/sample_to_palette" + POSE + "100000", "Pose/sample_to_palette" + POSE + "1000", "1"),
]
CLOCK = "/real_time"  # What Google Benchmark adds to names of rows that are measured by the clock.
FRAMES = [(f"Frame/{row}/{name}" + CLOCK * row.startswith("split"), f"Frame/{against}/{name}", wanted)
          for name, times in (("character", "4"), ("made", "3"))
          for row, against, wanted in (
              ("fast", "evaluate", times), ("fast", "jobs", "0.9"),
              ("fast_points", "evaluate_points", times), ("fast_points", "jobs_points", "0.9"),
              ("fast_pose", "evaluate_pose", "6"), ("fast_pose", "jobs_pose", "0.9"),
              ("split", "evaluate", ""), ("split_points", "evaluate_points", ""))]
# The parts of a frame, a column each.
PARTS = ["sample_and_pose", "palette", "blend", "skin", "upload", "fast", "evaluate"]
SECTIONS = [
    ("What a frame costs", "frame",
     "One frame of a character from a file: `character` is `examples/data/character.usda`, six meshes of "
     "2,762 points; `made` has 100 joints and eleven meshes of 50,000 points, the largest with eight "
     "blend shapes of 2,000 offsets, all with normals. `fast` is `Character`: sample, pose, palettes, "
     "blend and skin; `evaluate` is `evaluate_pose()` and `evaluate_target()`, which read the stage; "
     "`jobs` are the jobs written out by hand for packed data. `_points` is the frame without normals, "
     "`_pose` without meshes: sample, pose and palette; `split` is `fast` with the meshes split over "
     "all processors, by the clock.", FRAMES),
    ("Skinning", "skinning",
     "Linear (`lbs`) and dual quaternion (`dqs`) skinning of 100,000 points by 100 joints, beside the "
     "plain loop with Eigen. Influences are packed into blocks of points that share a short list of "
     "joints and a dense tile of weights, so a frame reads no index per point; `by_joint` lets the "
     "binding reorder the points. See `sinew/skel/packed_influences.hpp`.", SKINNING),
    ("Skinning in the cache", "skinning",
     "The same with 10,000 points, which fit the second-level cache of most machines.", CACHED),
    ("Skinning beside what the machine can do", "skinning",
     "`multiply_add` does nothing but multiply-adds, of whole vectors; a vector of points takes 12 per "
     "joint, and the ratio counts only these. "
     "`block_traffic` reads and writes what blocks of about as many joints do, without arithmetic: "
     "where it is close, memory decides and not the kernel. The million points are written past the "
     "caches and compared in bytes per second with a copy.",
     BOUNDS),
    ("Blend shapes", "skinning",
     "Fifty sparse shapes, beside a loop over their indices; then blending and skinning block by block "
     "beside one after the other.", BLEND),
    ("Posing", "pose",
     "100 joints per agent. `sample_to_palette` reads a clip, poses and writes the palette; agents of a "
     "crowd have different clips and times. Time is per agent.", POSING),
    ("Text", "parse", "Reading `.usda` text.",
     [(f"Parse/{kind}/numbers:1500000/level:{level}",
       f"Parse/Baseline/from_chars/{kind}/numbers:1500000", "")
      for kind in ("points3f", "weights", "ints", "doubles", "matrices")
      for level in ("avx512", "scalar")] + [("Parse/prims/count:60000", "", "")]),
    ("Stages", "stage",
     "From text to an open stage: flat scenes of attributes and meshes, and instances of one asset.",
     [("Stage/flat/prims:10000", "", ""), ("Stage/flat/prims:100000", "Stage/flat/prims:10000", "1"),
      ("Stage/flat_distinct/prims:100000", "", ""),
      ("Stage/instances/instances:10000", "", "")]),
    ("Physics", "physics",
     "Robots of ten links with two shapes and a joint each; items are bodies, pairs or matrices. Rows "
     "that are compared with a smaller scene show that the time grows in proportion.",
     [("Physics/Read/FromText/bodies:10000", "", ""),
      ("Physics/Read/FromStage/bodies:10000", "", ""),
      ("Physics/Read/FromStage/bodies:100000", "Physics/Read/FromStage/bodies:10000", "1"),
      ("Physics/Read/FromStageWithMass/bodies:10000", "", ""),
      ("Physics/Check/bodies:10000", "", ""),
      ("Physics/Check/bodies:100000", "Physics/Check/bodies:10000", "1"),
      ("Physics/Mass/bodies:100000", "Physics/Mass/bodies:10000", "1"),
      ("Physics/PairFilter/Build/bodies:100000", "Physics/PairFilter/Build/bodies:10000", "1"),
      ("Physics/PairFilter/Query/bodies:10000/same_robot:0", "", ""),
      ("Physics/PairFilter/Query/bodies:10000/same_robot:1", "", ""),
      ("Physics/Articulations/bodies:100000", "Physics/Articulations/bodies:10000", "1"),
      ("Physics/Decompose", "", "")]),
]
HEAD = """# Performance

Made by `bench/performance_page.py` from the results of `bench/run`; do not edit. One thread, no `-march`, by processor time where
nothing else is said. Every figure is the best and the median of the repetitions in one run; a ratio compares the best two of it. Never
compare figures of two runs, and look at the load: other programs take caches and memory away. `-` stands for what was not
measured, or cannot be.

    bench/run
    bench/compare OLD/build/measured build/measured --out build/bench/compared.json
    python3 bench/performance_page.py build/bench/*.json > docs/performance.md

`SINEW_BENCH_CHARACTERS=FILE:FOLDER bench/run` measures the frames of more characters.
"""
NOTES = """
## What was tried and did not help

On a server core with 48 kB and 2 MB of caches and 3 GHz; kernels in cycles, medians of 80 interleaved rounds.

- Asking for points, weights and output 2 to 64 blocks ahead, into either cache: -4 to 8 % of the traffic alone, nothing with
  arithmetic, and up to half of the traffic lost where all is in the cache. Asking for weights past the second-level cache:
  half the speed.
- Larger pages: -4 to 8 % of the traffic alone.
- Streamed output below a million points: a fifth lost. It stays a choice of the job.
- Keeping rows of weights and masks in registers by force, and permutations of two registers in place of blends: within the
  noise.
- On a core with AVX2, 512 kB and 3.2 GHz, where kernels are bound by how many instructions of the next blocks a processor sees:
  - Blocks in the order of their numbers of joints, so that it foresees every loop: nothing gained, and up to a fifth lost if
    memory is read in that order. Asking for points and weights ahead: 3 to 6 % lost.
  - Joints of half a block kept apart: a twentieth to a tenth gained with eight lanes, kept there and with sixteen, where it was
    not measured; up to a tenth lost with four.
  - Looking for NaN in the results of many blocks at once, by additions: 15 % gained over a branch on those of each, which waits
    for them; kept. Registers that hold what many blocks share instead of its addresses: 8 %, kept.
  - Directions normalised a few blocks at a time: a tenth to a seventh gained with points, kept. Square root and division by bits
    and two Newton steps: a tenth lost. Points and directions in two passes over a few blocks: up to a tenth lost. Directions
    alone moved first and weighted then, as points are: a quarter gained over blending matrices, kept.
  - Offsets of blend shapes added to the registers of the points, in place of copies: a seventh of a frame with eight shapes, kept.
  - Palettes that hold each element once per lane, so that multiply-adds read it from memory: 9 % gained for points with
    directions, 3 to 15 % lost for points alone; not kept, as every job would have to make them.
- Asking for samples and palettes eight joints ahead when posing crowds: nothing at 100,000 agents, a tenth lost at 1,000.
  Asking for the places of the whole next group: a sixth of the time at 100,000, nothing lost below; kept.
- Large pages for the names, specs and tables of a layer: a tenth gained at 100 MB of small prims, 2 to 5 % lost at 1 to 10 MB
  and nothing gained by who reads the layer. Half of a hash beside the entry in the table of names: 5 % lost.
- Slerp with square root and division: 10 to 15 % slower than the polynomial that took its place.

At 100,000 points this machine moves 40 GB/s between its second and third level, and a point of four dense influences takes
64 bytes of that, so `block_traffic` is the ratio to look at there; compare kernels at 10,000 points.

Other libraries are not measured here: no program of these links them.
"""
RATES = [("points_per_second", "points"), ("bytes_per_second", "B"),
         ("numbers_per_second", "numbers"), ("prims_per_second", "prims"),
         ("items_per_second", "items")]


def scaled(value, unit):
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.2f} {prefix}{unit}/s"
    return f"{value:.2f} {unit}/s"


def figures(runs, key=None):
    """Best and median of a benchmark, higher is better, and how to write them."""
    if not runs:
        return None
    if "us_per_agent" in runs[0]:
        values = [1 / r["us_per_agent"] for r in runs]
        return max(values), statistics.median(values), lambda v: f"{1 / v:.3f} us"
    if "us_per_frame" in runs[0]:
        values = [1 / r["us_per_frame"] for r in runs]
        return max(values), statistics.median(values), lambda v: f"{1 / v:.2f} us"
    for name, unit in RATES:
        if name in runs[0] and key in (None, name):
            values = [r[name] for r in runs]
            return max(values), statistics.median(values), lambda v, u=unit: scaled(v, u)
    values = [1 / r["cpu_time"] for r in runs]
    unit = runs[0]["time_unit"]
    return max(values), statistics.median(values), lambda v: f"{1 / v:.2f} {unit}"


def ratio(results, simd, name, against):
    runs = results.get(name)
    if not runs or not against:
        return None
    if against == MULTIPLY_ADDS:
        lanes = {"avx512": 16, "avx2": 8}.get(simd)
        if lanes is None or against not in results:
            return None
        done = max(r["joints_per_register"] * r["points_per_second"] for r in runs) * 12 / lanes
        return done / max(r["items_per_second"] for r in results[against])
    key = "bytes_per_second" if against.startswith("Memory/copy") else None
    ours, theirs = figures(runs, key), figures(results.get(against), key)
    return ours[0] / theirs[0] if theirs else None


def part_table(results):
    """What the parts of a frame cost, a row for each character that was measured."""
    names = ["character", "made"]
    names += sorted({n.split("/")[2] for n in results if n.startswith("Frame/fast/")} - set(names))
    lines = ["### Its parts", "",
             "Each part by itself, on this frame's data: samples read and joints posed in one pass, "
             "palettes of the meshes and weights of their shapes, shapes blended, points and normals "
             "skinned, and `upload`: deformed points and normals written into the interleaved vertices "
             "of a renderer. `fast` is the frame of `Character`, which blends and skins in one pass, "
             "without the upload. Best times; `-` where a file has more than the loop by hand is made "
             "for.", "",
             "| character | joints | meshes | points | " + " | ".join(PARTS) + " |",
             "| --- " * (len(PARTS) + 4) + "|"]
    for name in names:
        runs = results.get(f"Frame/fast/{name}")
        cells = [f"{runs[0][key]:.0f}" if runs else "-" for key in ("joints", "meshes", "points")]
        for part in PARTS:
            found = figures(results.get(f"Frame/{part}/{name}"))
            cells.append(found[2](found[0]) if found else "-")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines + [""]


def machine(context):
    return (f"{context.get('num_cpus', '-')} processors at {context.get('ghz', '-')[:4]} GHz, "
            f"{context.get('simd', '-')}")


def comparison_table(compared, old, context):
    """How many times as fast this version is as an earlier one, a row for each program."""
    paired = sum("pairs" in row for row in compared)
    lines = ["## Beside an earlier version", "",
             "How many times as fast this version is in the rows that both have, all measured in turn "
             "by `bench/compare`: by best times, and by the median of pairs where best times call a row slower.",
             "", f"Earlier version: {old}, on {machine(context)}; {paired} of {len(compared)} rows by pairs.", "",
             "| program | rows | median | slowest | slowest row |", "| --- | --- | --- | --- | --- |"]
    programs = {}
    for row in compared:
        programs.setdefault(row["program"], []).append((row["ratio"], row["name"]))
    for program, ratios in sorted(programs.items()):
        slowest, name = min(ratios)
        median = statistics.median(ratio for ratio, _ in ratios)
        lines.append(f"| {program} | {len(ratios)} | {median:.2f} | {slowest:.3f} | `{name}` |")
    return lines + [""]


def page(results, context, compared=(), old="-", compared_on=None):
    lines = [HEAD, f"Machine: {machine(context)}, load "
             f"{context.get('load_avg', ['-'])[0]}.", ""]
    for title, program, sentences, rows in SECTIONS:
        lines += [f"## {title}", "", sentences, "",
                  "One row again: `build/measured/bench/sinew_bench_" + program +
                  " --benchmark_filter='^(NAME|COMPARED WITH)$'`", "",
                  "| name | compared with | wanted | best | median | ratio |",
                  "| --- | --- | --- | --- | --- | --- |"]
        for name, against, wanted in rows:
            found = figures(results.get(name))
            times = ratio(results, context.get("simd"), name, against)
            cells = [found[2](found[0]), found[2](found[1])] if found else ["-", "-"]
            cells.append(f"{times:.2f}" if times else "-")
            shown = f"`{against}`" if against else ""
            lines.append(f"| `{name}` | {shown} | {wanted} | " + " | ".join(cells) + " |")
        lines.append("")
        if program == "frame":
            lines += part_table(results)
    lines += comparison_table(compared, old, compared_on or {})
    return "\n".join(lines[:-1]) + "\n" + NOTES


def structure(text):
    """The page without its figures: of table rows the first three cells, nothing of the machine."""
    kept = []
    for line in text.splitlines():
        if line.startswith("| `"):
            line = "|".join(line.split("|")[:4])
        elif re.match(r"\| [\w-]+ \| [\d-]", line):
            continue  # A character's figures.
        for measured in ("Machine:", "Earlier version:"):
            if line.startswith(measured):
                line = measured
        kept.append(line)
    return kept


def check(path):
    with open(path, encoding="utf-8") as file:
        found = structure(file.read())
    expected = structure(page({}, {}))
    for number, (have, want) in enumerate(zip(found, expected), 1):
        if have != want:
            print(f"{path}:{number}: is    {have}\n{path}:{number}: should be {want}")
            return 1
    if len(found) != len(expected):
        print(f"{path}: {len(found)} lines instead of {len(expected)}")
        return 1
    return 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return check(sys.argv[2])
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    results, context = {}, {}
    compared, old, compared_on = [], "-", {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if "compared" in data:
            compared, old, compared_on = data["compared"], data["old"], data["context"]
            continue
        context = data["context"]
        for row in data["benchmarks"]:
            if row.get("run_type") == "iteration" and not row.get("error_occurred"):
                results.setdefault(row["name"], []).append(row)
    # The best level and the one of that name are the same benchmark.
    simd = f"/level:{context.get('simd')}"
    for name in [n for n in results if simd in n]:
        results.setdefault(name.replace(simd, "/level:best"), results[name])
    sys.stdout.write(page(results, context, compared, old, compared_on))
    return 0


if __name__ == "__main__":
    sys.exit(main())
