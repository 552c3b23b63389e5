#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""Write character.usda: a gecko that walks and waves.

usage: make_character.py > character.usda

41 joints with oriented bind frames, six meshes (body, two hands with a joint order of their own,
a head with three blend shapes of which one has an in-between, two rigid eyes), a clip of 24
frames. The skin is the zero level of a smooth union of tapered capsules around the bones, turned
into quads by surface nets. Needs nothing but Python; the same bytes come out every time.
"""
import math

# --- vectors and 3x3 rotations (rows), just what is needed -------------------------------------


def add(a, b): return tuple(x + y for x, y in zip(a, b))
def sub(a, b): return tuple(x - y for x, y in zip(a, b))
def mul(a, s): return tuple(x * s for x in a)
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def length(a): return math.sqrt(dot(a, a))
def unit(a): return mul(a, 1.0 / (length(a) or 1.0))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def matmul(a, b): return tuple(tuple(dot(row, col) for col in zip(*b)) for row in a)
def transpose(a): return tuple(zip(*a))
def apply(m, v): return tuple(dot(row, v) for row in m)


def rotation(axis, degrees):
    """The matrix that turns column vectors about an axis."""
    x, y, z = unit(axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    t = 1 - c
    return ((t * x * x + c, t * x * y - s * z, t * x * z + s * y),
            (t * x * y + s * z, t * y * y + c, t * y * z - s * x),
            (t * x * z - s * y, t * y * z + s * x, t * z * z + c))


def quaternion(m):
    """(w, x, y, z) of a rotation matrix, w >= 0."""
    candidates = [1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                  1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]]
    k = max(range(4), key=lambda i: candidates[i])
    s = 2 * math.sqrt(candidates[k])
    a, b, c = m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    d, e, f = m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] + m[1][2]
    q = [(s / 4, a / s, b / s, c / s), (a / s, s / 4, d / s, e / s),
         (b / s, d / s, s / 4, f / s), (c / s, e / s, f / s, s / 4)][k]
    return q if q[0] >= 0 else mul(q, -1)


# --- the skeleton: name, parent, position, end of the bone, radii, in centimetres ---------------

BONES = []


def bone(name, parent, head, tail, r0, r1):
    BONES.append((name, parent, head, tail, r0, r1))


bone("Hips", None, (0, 52, 0), (0, 60, -1), 10.5, 10.0)
bone("Spine1", "Hips", (0, 60, -1), (0, 69, -1), 10.0, 10.5)
bone("Spine2", "Spine1", (0, 69, -1), (0, 78, -1), 10.5, 10.5)
bone("Chest", "Spine2", (0, 78, -1), (0, 88, 0), 10.5, 6.5)
bone("Neck", "Chest", (0, 88, 0), (0, 95, 2), 5.5, 5.5)
bone("Head", "Neck", (0, 95, 2), (0, 108, 3), 9.0, 9.0)
bone("Jaw", "Head", (0, 97, 4), (0, 94, 15), 3.0, 3.0)
for side, s in (("L", 1), ("R", -1)):
    bone("Clavicle" + side, "Chest", (3 * s, 85, 0), (11 * s, 85, -1), 5.0, 4.8)
    bone("UpperArm" + side, "Clavicle" + side, (11 * s, 85, -1), (23 * s, 74, -2), 4.8, 3.9)
    bone("Forearm" + side, "UpperArm" + side, (23 * s, 74, -2), (33 * s, 63, 1), 3.9, 3.2)
    bone("Hand" + side, "Forearm" + side, (33 * s, 63, 1), (37 * s, 58.5, 2), 3.3, 3.4)
    for finger, base, middle, tip in (
            ("Thumb", (35, 61.5, 4.5), (35.5, 59.5, 8), (36, 57.5, 11)),
            ("Index", (38, 57.5, 4.0), (40.5, 53.5, 5.5), (42, 50.0, 6)),
            ("Ring", (38, 57.0, 0.0), (40.5, 53.0, -0.5), (42, 49.5, -0.5))):
        base, middle, tip = ((p[0] * s, p[1], p[2]) for p in (base, middle, tip))
        bone(finger + "1" + side, "Hand" + side, base, middle, 1.7, 1.5)
        bone(finger + "2" + side, finger + "1" + side, middle, tip, 1.5, 1.6)
    bone("Thigh" + side, "Hips", (7 * s, 50, 0), (8.5 * s, 29, 3), 7.5, 5.0)
    bone("Shin" + side, "Thigh" + side, (8.5 * s, 29, 3), (9 * s, 7, -1), 5.0, 3.8)
    bone("Foot" + side, "Shin" + side, (9 * s, 7, -1), (9.5 * s, 3.2, 9), 4.0, 3.4)
    bone("Toe" + side, "Foot" + side, (9.5 * s, 3.2, 9), (10 * s, 2.8, 15), 3.4, 3.0)
TAIL = [(0, 50, -6), (0, 43, -15), (0, 36, -24), (0, 30, -33), (0, 26, -42), (0, 25, -51), (0, 27, -60)]
for i in range(6):
    bone(f"Tail{i + 1}", f"Tail{i}" if i else "Hips", TAIL[i], TAIL[i + 1], 7.5 - i, 6.5 - i)

NAMES = [b[0] for b in BONES]
INDEX = {name: i for i, name in enumerate(NAMES)}
PARENT = [INDEX[b[1]] if b[1] else -1 for b in BONES]
HEAD_PARTS = {"Head", "Jaw"}
FINGERS = {n for n in NAMES if n.startswith(("Thumb", "Index", "Ring"))}


def joint_path(i):
    return NAMES[i] if PARENT[i] < 0 else joint_path(PARENT[i]) + "/" + NAMES[i]


def bind_rotation(i):
    """Columns are the axes of the joint's frame: x along the bone."""
    x = unit(sub(BONES[i][3], BONES[i][2]))
    z = unit(cross(x, (0, 1, 0) if abs(x[1]) < 0.9 else (0, 0, 1)))
    return transpose((x, cross(z, x), z))


BIND = [(bind_rotation(i), BONES[i][2]) for i in range(len(BONES))]


def local(i, skel):
    """The transform of joint i relative to its parent, from skeleton space transforms."""
    if PARENT[i] < 0:
        return skel[i]
    r, t = skel[PARENT[i]]
    inverse = transpose(r)
    return matmul(inverse, skel[i][0]), apply(inverse, sub(skel[i][1], t))


REST = [local(i, BIND) for i in range(len(BONES))]

# --- the skin ----------------------------------------------------------------------------------


def segment(p, a, b):
    """Distance to a segment, and where on it the nearest point is, 0 to 1."""
    ab, ap = sub(b, a), sub(p, a)
    t = min(1.0, max(0.0, dot(ap, ab) / dot(ab, ab)))
    return length(sub(ap, mul(ab, t))), t


def smooth_union(a, b, k):
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k / 4


def field(p, bones, k):
    result = 1e9
    for _, _, a, b, r0, r1 in bones:
        d, t = segment(p, a, b)
        d -= r0 + (r1 - r0) * t
        if d < result + k:
            result = smooth_union(result, d, k)
    return result


def gradient(p, bones, k):
    e = 0.05
    return unit(tuple(field(add(p, d), bones, k) - field(sub(p, d), bones, k)
                      for d in ((e, 0, 0), (0, e, 0), (0, 0, e))))


def surface_nets(bones, cell, k):
    """Points, normals and quads of the zero level of field()."""
    low = [min(min(b[2][i] - b[4], b[3][i] - b[5]) for b in bones) - 2 * cell for i in range(3)]
    high = [max(max(b[2][i] + b[4], b[3][i] + b[5]) for b in bones) + 2 * cell for i in range(3)]
    low[0] = -cell * math.ceil(-low[0] / cell) + cell / 2 if low[0] < 0 < high[0] else low[0]
    n = [int((high[i] - low[i]) / cell) + 2 for i in range(3)]

    def at(i, j, m): return (low[0] + i * cell, low[1] + j * cell, low[2] + m * cell)

    values = {(i, j, m): field(at(i, j, m), bones, k)
              for i in range(n[0]) for j in range(n[1]) for m in range(n[2])}
    points, ids = [], {}
    corners = [(i, j, m) for i in (0, 1) for j in (0, 1) for m in (0, 1)]
    edges = [(a, b) for a in corners for b in corners
             if a < b and sum(abs(x - y) for x, y in zip(a, b)) == 1]
    for i in range(n[0] - 1):
        for j in range(n[1] - 1):
            for m in range(n[2] - 1):
                v = {c: values[i + c[0], j + c[1], m + c[2]] for c in corners}
                if len({x < 0 for x in v.values()}) == 1:
                    continue
                crossings = []
                for a, b in edges:
                    if (v[a] < 0) != (v[b] < 0):
                        t = v[a] / (v[a] - v[b])
                        pa, pb = at(i + a[0], j + a[1], m + a[2]), at(i + b[0], j + b[1], m + b[2])
                        crossings.append(add(pa, mul(sub(pb, pa), t)))
                p = mul(tuple(map(sum, zip(*crossings))), 1 / len(crossings))
                for _ in range(3):
                    p = sub(p, mul(gradient(p, bones, k), 0.9 * field(p, bones, k)))
                ids[i, j, m] = len(points)
                points.append(p)
    quads = []
    for (i, j, m), value in values.items():
        for axis in range(3):
            step = [0, 0, 0]
            step[axis] = 1
            other = values.get((i + step[0], j + step[1], m + step[2]))
            if other is None or (value < 0) == (other < 0):
                continue
            u, w = [0, 0, 0], [0, 0, 0]
            u[(axis + 1) % 3], w[(axis + 2) % 3] = 1, 1
            ring = [ids[i - a * u[0] - b * w[0], j - a * u[1] - b * w[1], m - a * u[2] - b * w[2]]
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            quads.append(ring if value < 0 else ring[::-1])
    return points, [gradient(p, bones, k) for p in points], quads


def tidy(weights, total=1000):
    """Rounds weights that sum to 1 to thousandths that sum to exactly 1."""
    scaled = [w * total for w in weights]
    floors = [int(s) for s in scaled]
    order = sorted(range(len(scaled)), key=lambda i: (floors[i] - scaled[i], i))
    for i in order[:total - sum(floors)]:
        floors[i] += 1
    return [f / total for f in floors]


def influences(p, allowed, count=4):
    """The strongest bones at a point: (index, weight), strongest first, padded with zeros."""
    found = []
    for name in allowed:
        _, _, a, b, r0, r1 = BONES[INDEX[name]]
        d, t = segment(p, a, b)
        found.append((max(d / (r0 + (r1 - r0) * t), 0.2) ** -5, INDEX[name]))
    found = sorted(found, key=lambda f: (-f[0], f[1]))[:count]
    found = [f for f in found if f[0] > 0.02 * found[0][0]]
    total = sum(f[0] for f in found)
    weights = tidy([f[0] / total for f in found])
    pairs = [(f[1], w) for f, w in zip(found, weights) if w > 0]
    return pairs + [(pairs[0][0], 0.0)] * (count - len(pairs))


def head_mesh():
    """A deformed sphere: points, normals by face averaging, quads (triangles at the poles)."""
    rows, columns, center = 15, 20, (0, 101, 6)
    points = [add(center, (0, 9.5, -2))]
    for i in range(1, rows):
        phi = math.pi * i / rows
        for j in range(columns):
            theta = 2 * math.pi * j / columns
            x, y, z = math.sin(phi) * math.sin(theta), math.cos(phi), math.sin(phi) * math.cos(theta)
            snout = max(0.0, z) ** 2
            points.append(add(center, (x * (10 - 2.5 * snout), y * (9 - 3.5 * snout) - 1.5 * snout,
                                       z * 9 + 5 * snout - 2 * max(0.0, y))))
    points.append(add(center, (0, -9, 0)))
    faces = [[0, 1 + j, 1 + (j + 1) % columns] for j in range(columns)]
    for i in range(rows - 2):
        a, b = 1 + i * columns, 1 + (i + 1) * columns
        faces += [[a + j, b + j, b + (j + 1) % columns, a + (j + 1) % columns] for j in range(columns)]
    last, a = len(points) - 1, 1 + (rows - 2) * columns
    faces += [[last, a + (j + 1) % columns, a + j] for j in range(columns)]
    return points, face_normals(points, faces), faces


def face_normals(points, faces):
    normals = [(0.0, 0.0, 0.0)] * len(points)
    for face in faces:
        p = [points[i] for i in face]
        n = cross(sub(p[2], p[0]), sub(p[-1], p[1])) if len(p) == 4 else cross(sub(p[1], p[0]), sub(p[2], p[0]))
        for i in face:
            normals[i] = add(normals[i], n)
    return [unit(n) for n in normals]


def sphere(center, radius, rows=6, columns=8):
    points = [add(center, (0, radius, 0))]
    for i in range(1, rows):
        phi = math.pi * i / rows
        points += [add(center, mul((math.sin(phi) * math.sin(2 * math.pi * j / columns), math.cos(phi),
                                    math.sin(phi) * math.cos(2 * math.pi * j / columns)), radius))
                   for j in range(columns)]
    points.append(add(center, (0, -radius, 0)))
    faces = [[0, 1 + j, 1 + (j + 1) % columns] for j in range(columns)]
    for i in range(rows - 2):
        a, b = 1 + i * columns, 1 + (i + 1) * columns
        faces += [[a + j, b + j, b + (j + 1) % columns, a + (j + 1) % columns] for j in range(columns)]
    last, a = len(points) - 1, 1 + (rows - 2) * columns
    return points, faces + [[last, a + (j + 1) % columns, a + j] for j in range(columns)]


# --- the clip ----------------------------------------------------------------------------------

FRAMES = range(1, 26, 2)


def swings(time):
    """Rotations about skeleton axes, in degrees, added to the bind pose: name -> [(axis, angle)]."""
    phase = 2 * math.pi * (time - 1) / 24
    sin, cos = math.sin(phase), math.cos(phase)
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    moves = {"Hips": [(y, 5 * sin), (z, 2 * cos)], "Spine1": [(y, -4 * sin)], "Spine2": [(y, -4 * sin)],
             "Chest": [(z, -2 * cos)], "Neck": [(x, 3 * math.sin(2 * phase))],
             "Head": [(z, 6 * sin), (y, 8 * cos)], "Jaw": [(x, 6 + 6 * sin)]}
    for side, s in (("L", 1), ("R", -1)):
        moves["Thigh" + side] = [(x, -28 * s * sin)]
        moves["Shin" + side] = [(x, 25 + 22 * s * cos)]
        moves["Foot" + side] = [(x, -10 - 12 * s * cos)]
    moves["UpperArmL"] = [(x, 22 * sin)]
    moves["ForearmL"] = [(x, -14 + 8 * sin)]
    moves["UpperArmR"] = [(z, -75)]
    moves["ForearmR"] = [(z, -35 + 24 * math.sin(2 * phase))]
    moves["HandR"] = [(z, 14 * math.cos(2 * phase))]
    for i in range(6):
        moves[f"Tail{i + 1}"] = [(y, 11 * math.sin(phase - 0.7 * i)), (x, 2 * math.cos(phase - 0.5 * i))]
    for finger in ("Index", "Ring"):
        moves[finger + "1L"] = [(z, -10 - 8 * sin)]
        moves[finger + "2L"] = [(z, -14 - 8 * sin)]
    return moves


ANIMATED = [n for n in NAMES if n in swings(1)]


def pose(name, time):
    """Rotation and translation of an animated joint relative to its parent."""
    i = INDEX[name]
    delta = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    for axis, angle in swings(time)[name]:
        delta = matmul(delta, rotation(axis, angle))
    frame = BIND[i][0]
    turned = matmul(transpose(frame), matmul(delta, frame))  # The same turn seen from the joint.
    translation = REST[i][1]
    if name == "Hips":
        phase = 2 * math.pi * (time - 1) / 24
        translation = add(translation, (0.8 * math.sin(phase), 1.4 * math.cos(2 * phase) - 1.6, 0))
    return matmul(REST[i][0], turned), translation


# --- text --------------------------------------------------------------------------------------


def number(x, digits=3):
    text = f"{x:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tuple_text(v, digits=3): return "(" + ", ".join(number(x, digits) for x in v) + ")"


def array(items, indent):
    """Items joined into lines of at most about 100 characters."""
    lines, line = [], ""
    for item in items:
        if len(line) + len(item) + 2 > 100 - indent:
            lines.append(line.rstrip())
            line = ""
        line += item + ", "
    lines.append(line.rstrip(", "))
    if len(lines) == 1:
        return "[" + lines[0] + "]"
    pad = "\n" + " " * (indent + 4)
    return "[" + pad + pad.join(lines) + "\n" + " " * indent + "]"


def matrix(transform):
    r, t = transform
    rows = [tuple(column) + (0,) for column in zip(*r)] + [tuple(t) + (1,)]
    return "(" + ", ".join(tuple_text(row, 6) for row in rows) + ")"


def extent(points):
    return array([tuple_text([min(p[i] for p in points) for i in range(3)]),
                  tuple_text([max(p[i] for p in points) for i in range(3)])], 8)


def put(text): print(text)


def mesh(name, points, normals, faces, colour, skin_lines, body=None):
    put(f'\n    def Mesh "{name}" (\n        prepend apiSchemas = ["SkelBindingAPI"]\n    )\n    {{')
    put(f"        float3[] extent = {extent(points)}")
    put(f"        int[] faceVertexCounts = {array([str(len(f)) for f in faces], 8)}")
    put(f"        int[] faceVertexIndices = {array([str(i) for f in faces for i in f], 8)}")
    put(f"        normal3f[] normals = {array([tuple_text(n, 2) for n in normals], 8)} (")
    put('            interpolation = "vertex"\n        )')
    put(f"        point3f[] points = {array([tuple_text(p, 2) for p in points], 8)}")
    put(f"        color3f[] primvars:displayColor = [{tuple_text(colour)}]")
    for line in skin_lines:
        put(line)
    put('        uniform token subdivisionScheme = "none"')
    if body:
        body()
    put("    }")


def skin(rows, count, interpolation="vertex", joints=None):
    lines = []
    if joints:
        order = {INDEX[n]: k for k, n in enumerate(joints)}
        rows = [[(order[i], w) for i, w in row] for row in rows]
    meta = f' (\n            elementSize = {count}\n            interpolation = "{interpolation}"\n        )'
    indices = array([str(i) for row in rows for i, _ in row], 8)
    weights = array([number(w) for row in rows for _, w in row], 8)
    lines.append(f"        int[] primvars:skel:jointIndices = {indices}{meta}")
    lines.append(f"        float[] primvars:skel:jointWeights = {weights}{meta}")
    if joints:
        names = array([f'"{joint_path(INDEX[n])}"' for n in joints], 8)
        lines.append(f"        uniform token[] skel:joints = {names}")
    return lines


def skeleton():
    put('\n    def Skeleton "Rig" (\n        prepend apiSchemas = ["SkelBindingAPI"]\n    )\n    {')
    pad = " " * 12
    put("        uniform matrix4d[] bindTransforms = [")
    for transform in BIND:
        put(f"{pad}{matrix(transform)},")
    put("        ]")
    put(f"""        uniform token[] joints = {array([f'"{joint_path(i)}"' for i in range(len(NAMES))], 8)}""")
    put("        uniform matrix4d[] restTransforms = [")
    for transform in REST:
        put(f"{pad}{matrix(transform)},")
    put("        ]\n        rel skel:animationSource = </Gecko/Rig/WalkAndWave>\n")
    put('        def SkelAnimation "WalkAndWave"\n        {')
    put('            uniform token[] blendShapes = ["Smile", "Blink", "Surprise"]')
    put("            float[] blendShapeWeights.timeSamples = {")
    for time in FRAMES:
        phase = 2 * math.pi * (time - 1) / 24
        blink = 1.0 if time in (7, 9) else 0.0
        put(f"{' ' * 16}{time}: [{number(0.5 - 0.5 * math.cos(phase))}, {number(blink)}, "
            f"{number(max(0.0, math.sin(phase)))}],")
    put("            }")
    paths = array([f'"{joint_path(INDEX[n])}"' for n in ANIMATED], 12)
    put(f"            uniform token[] joints = {paths}")
    put("            quatf[] rotations.timeSamples = {")
    previous = {}
    for time in FRAMES:
        quaternions = []
        for name in ANIMATED:
            q = quaternion(pose(name, time)[0])
            if dot(q, previous.get(name, q)) < 0:
                q = mul(q, -1)
            previous[name] = q
            quaternions.append(tuple_text(q, 5))
        put(f"{' ' * 16}{time}: {array(quaternions, 16)},")
    put("            }")
    put(f"            half3[] scales = {array(['(1, 1, 1)'] * len(ANIMATED), 12)}")
    put("            float3[] translations.timeSamples = {")
    for time in FRAMES:
        put(f"{' ' * 16}{time}: {array([tuple_text(pose(n, time)[1]) for n in ANIMATED], 16)},")
    put("            }\n        }\n    }")


def blend_shapes(points, normals, faces):
    """Three shapes of the head; Surprise passes through a different half-way shape."""

    def falloff(p, center, radius):
        d = length(sub(p, center)) / radius
        return (1 - d * d) ** 2 if d < 1 else 0.0

    def smile(p):
        w = falloff(p, (6.5, 97, 13), 6) + falloff(p, (-6.5, 97, 13), 6)
        return (0.9 * w * (1 if p[0] > 0 else -1), 1.8 * w, -0.6 * w)

    def blink(p):
        w = falloff(p, (5.5, 106, 9), 4.5) + falloff(p, (-5.5, 106, 9), 4.5)
        return (0, -1.6 * w, 0.5 * w)

    def surprise(p):
        w, v = falloff(p, (0, 94.5, 15), 7), falloff(p, (0, 107, 9), 8)
        return (0, -2.6 * w + 1.7 * v, 0.4 * w)

    def surprise_half(p):
        w, v = falloff(p, (0, 94.5, 15), 7), falloff(p, (0, 107, 9), 8)
        return (0, -0.7 * w + 1.3 * v, 0.1 * w)

    def used(shape): return [i for i, p in enumerate(points) if length(shape(p)) > 0.01]

    def turned(shape):
        moved = face_normals([add(p, shape(p)) for p in points], faces)
        return [sub(a, b) for a, b in zip(moved, normals)]

    for name, shape, half in (("Smile", smile, None), ("Blink", blink, None),
                              ("Surprise", surprise, surprise_half)):
        indices = used(shape)
        put(f'\n        def BlendShape "{name}"\n        {{')
        turns = turned(shape)
        put(f"            uniform vector3f[] normalOffsets = {array([tuple_text(turns[i], 2) for i in indices], 12)}")
        put(f"            uniform vector3f[] offsets = {array([tuple_text(shape(points[i])) for i in indices], 12)}")
        if half:
            offsets = array([tuple_text(half(points[i])) for i in indices], 12)
            put(f"            uniform vector3f[] inbetweens:half = {offsets} (\n                weight = 0.5\n            )")
        put(f"            uniform int[] pointIndices = {array([str(i) for i in indices], 12)}")
        put("        }")


def main():
    put("""#usda 1.0
(
    doc = \"\"\"A gecko that walks on the spot and waves: 41 joints, six skinned meshes, three blend
    shapes. Written by make_character.py. Run: sinew draw character.usda --time 12 -o gecko.svg\"\"\"
    defaultPrim = "Gecko"
    endTimeCode = 25
    metersPerUnit = 0.01
    startTimeCode = 1
    timeCodesPerSecond = 24
    upAxis = "Y"
)

def SkelRoot "Gecko" (
    prepend apiSchemas = ["SkelBindingAPI"]
    kind = "component"
)
{
    float3[] extent = [(-60, -5, -66), (60, 120, 30)]
    rel skel:skeleton = </Gecko/Rig>""")
    skeleton()

    green, pale, dark = (0.36, 0.62, 0.31), (0.55, 0.72, 0.4), (0.1, 0.1, 0.12)
    body_bones = [b for b in BONES if b[0] not in HEAD_PARTS | FINGERS and not b[0].startswith("Hand")]
    names = [b[0] for b in body_bones] + ["HandL", "HandR"]
    points, normals, faces = surface_nets(body_bones, 3.0, 4.0)
    rows = [influences(p, names) for p in points]
    mesh("Body", points, normals, faces, green, skin(rows, 4))

    for side in ("L", "R"):
        own = ["Forearm" + side, "Hand" + side] + [n for n in NAMES if n in FINGERS and n.endswith(side)]
        bones = [BONES[INDEX[n]] for n in own[1:]]
        points, normals, faces = surface_nets(bones, 1.45, 0.9)
        rows = [influences(p, own) for p in points]
        origin = BONES[INDEX["Hand" + side]][2]  # Modelled around the wrist, put in place by the bind.
        lines = [f"        matrix4d primvars:skel:geomBindTransform = "
                 f"{matrix((((1, 0, 0), (0, 1, 0), (0, 0, 1)), origin))}"]
        lines += skin(rows, 4, joints=own)
        mesh("Hand" + side, [sub(p, origin) for p in points], normals, faces, pale, lines)

    points, normals, faces = head_mesh()

    def head_row(p):
        jaw = max(0.0, min(1.0, (96.5 - p[1]) / 3)) * max(0.0, min(1.0, (p[2] - 4) / 5))
        neck = max(0.0, min(1.0, (96 - p[1]) / 5)) * max(0.0, min(1.0, (4 - p[2]) / 6)) * 0.6
        weights = tidy([1 - jaw - neck, jaw, neck, 0.0])
        return list(zip((INDEX["Head"], INDEX["Jaw"], INDEX["Neck"], INDEX["Head"]), weights))

    lines = skin([head_row(p) for p in points], 4)
    lines += ['        uniform token[] skel:blendShapes = ["Smile", "Blink", "Surprise"]',
              "        rel skel:blendShapeTargets = [\n            </Gecko/Face/Smile>,\n"
              "            </Gecko/Face/Blink>,\n            </Gecko/Face/Surprise>,\n        ]"]
    mesh("Face", points, normals, faces, green, lines, lambda: blend_shapes(points, normals, faces))

    for side, s in (("L", 1), ("R", -1)):
        points, faces = sphere((6 * s, 105.5, 9.5), 2.2)
        mesh("Eye" + side, points, face_normals(points, faces), faces, dark,
             skin([[(INDEX["Head"], 1.0)]], 1, "constant"))
    put("}")


if __name__ == "__main__":
    main()
