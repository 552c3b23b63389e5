# SPDX-License-Identifier: Apache-2.0
"""Small files that ask for much: each below 100 kB, each a way in which a scene can multiply.

kinds() gives (name, root layer, other layers): texts without their header line, or whole ones.
"""
import math

LEVELS = 40  # Of doubling: 2^40 prims, arcs or values, if nothing bounds them.
IDENTITY = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))"
HEADER = "#usda 1.0\n"


def many(count, line):
    """`line` for 0 to count - 1, which stands in for '#'."""
    return "".join(line.replace("#", str(i)) for i in range(count))


def prim(name, body="", metadata="", kind=""):
    return f'def {kind} "{name}" ({metadata}) {{\n{body}}}\n'


# Composition ---------------------------------------------------------------------------------------

def doubling(arc, leaf="", more="", width=2, levels=LEVELS, kind=""):
    """Prims whose children each bring the prim before."""
    text = prim("C0", leaf or prim("Leaf"), kind=kind)
    for i in range(1, levels):
        below = "".join(prim(f"p{k}", metadata=f"{more}{arc} = </C{i - 1}>") for k in range(width))
        text += prim(f"C{i}", below)
    return text


def fan(arc, count=LEVELS):
    """Every prim brings all before it."""
    return "".join(prim(f"C{i}", metadata=f"{arc} = [" + many(i, "</C#>, ") + "]" if i else "") for i in range(count))


def mutual(arc, count):
    """Every prim has a child for each of the others, which brings it."""
    return "".join(prim(f"C{i}", "".join(prim(f"p{k}", metadata=f"{arc} = </C{k}>") for k in range(count) if k != i))
                   for i in range(count))


def chain(arc, count=400):
    text = prim("C0", prim("c"))
    for i in range(1, count):
        text += prim(f"C{i}", prim("c", metadata=f"{arc} = </C{i - 1}/c>"))
    return text


def doubling_variants(depth):
    text = prim("C0", prim("Leaf"))
    for i in range(1, LEVELS):
        body = "".join(prim(f"p{k}", metadata=f"references = </C{i - 1}>") for k in range(2))
        for level in reversed(range(depth)):
            inner = f'variantSets = "v{level + 1}"' if level + 1 < depth else ""
            body = f'variantSet "v{level}" = {{ "x" ({inner}) {{\n{body}}}\n}}\n'
        chosen = "".join(f'string v{level} = "x"\n' for level in range(depth))
        text += prim(f"C{i}", body, f'variantSets = "v0"; variants = {{ {chosen} }}')
    return text


def relocates(count):
    body = prim("S", many(count, 'def "p#" {}\n')) + prim("W", prim("R", metadata="references = </S>"))
    moves = "".join(f"</W/R/p{i}>: </W/q{i}>,\n" for i in range(count))
    return f"(relocates = {{\n{moves}}})\n{body}" + many(count, 'def "A#" (references = </W>) {}\n')


def relocated_cycles(count):
    """Classes that inherit each other around a ring, below prims that are moved."""
    moves = "".join(f"</A{i}/c>: </A{i}/d>,\n" for i in range(count))
    body = "".join(prim(f"K{i}", prim("c"), f"inherits = </K{(i + 1) % count}>") for i in range(count))
    return f"(relocates = {{\n{moves}}})\n{body}" + "".join(
        prim(f"A{i}", metadata=f"references = </K{i}>") for i in range(count))


def sublayers(levels):
    """Layers that name the next one twice."""
    files = {}
    for i in range(levels):
        files[f"l{i}.usda"] = HEADER + (f"(subLayers = [@l{i + 1}.usda@, @l{i + 1}.usda@ (offset = {i + 1})])\n"
                                        if i + 1 < levels else "") + prim(f"P{i}", "int a = 1\n")
    return "(subLayers = [@l0.usda@])\n", files


def offset_instances(count):
    return prim("S", many(count, 'def "p#" {}\n')) + many(
        count, 'def "A#" (instanceable = true; references = </S> (offset = #)) {}\n')


def nested_instances(leaf, levels=LEVELS):
    return doubling("references", leaf, "instanceable = true; ", levels=levels)


def expressions(count):
    """Variables that repeat another one twice each."""
    entries = 'string V0 = "xxxxxxxxxxxxxxxx"\n' + "".join(
        f'string V{i} = "`\\"${{V{i - 1}}}${{V{i - 1}}}\\"`"\n' for i in range(1, count))
    return f"(expressionVariables = {{\n{entries}}})\n" + prim(
        "A", metadata=f'references = @`"${{V{count - 1}}}.usda"`@')


def long_lists(what, item, count):
    return prim("S", metadata=f"{what} = [" + many(count, item) + "]") + many(800, 'def "A#" (references = </S>) {}\n')


def properties(count, users):
    return prim("S", many(count, "float p#\n")) + many(users, 'def "A#" (references = </S>) {}\n')


def deep_nesting(depth):
    body = prim("R", many(100, 'def "p#" {}\n'))
    return body + 'def "a" (references = </R>) {\n' * depth + "}\n" * depth


# Values --------------------------------------------------------------------------------------------

def clips(count, times):
    active = "".join(f"({i}, {i % count}), " for i in range(times))
    pairs = "".join(f"({i}, {i % 7}), " for i in range(times))
    root = prim("A", many(100, "double a#\n"), f'''clips = {{ dictionary default = {{
asset[] assetPaths = [{"@c.usda@, " * count}]
asset manifestAssetPath = @c.usda@
string primPath = "/A"
double2[] active = [{active}]
double2[] times = [{pairs}]
}} }}''')
    body = many(100, "double a#.timeSamples = { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7 }\n")
    return root, {"c.usda": HEADER + prim("A", body)}


def clip_template():
    return prim("A", "double a\n", '''clips = { dictionary default = {
string templateAssetPath = "c.####.usda"
double templateStartTime = 0
double templateEndTime = 1e12
double templateStride = 1e-6
string primPath = "/A"
} }''')


def splines(count):
    knots = many(count, "#: #; pre (1, 1); post curve (1, 1),\n")
    return prim("A", "double a.spline = {\nloop: (0, 10, 0, 1000000000, 1),\n" + knots + "}\n")


def array_edits(count):
    return prim("A", many(count, "point3f[] p# = edit [minsize 30000]\nint[] i# = edit [resize 100000 fill 1]\n"))


def filled_points(users):
    """Meshes whose points an edit fills, brought many times."""
    body = prim("M", 'point3f[] points = edit [minsize 100000]\nint[] faceVertexCounts = [3]\n'
                     "int[] faceVertexIndices = [0, 1, 2]\n", 'apiSchemas = ["PhysicsCollisionAPI"]', "Mesh")
    return body + many(users, 'def "A#" (references = </M>) {}\n')


def dictionaries(depth):
    return "(customLayerData = " + "{ dictionary d = " * depth + "{}" + "\n}" * depth + ")\n" + prim("A")


def connections(count):
    """Attributes connected to the one before, twice."""
    return prim("A", "float a0 = 1\nfloat a1 = 1\n" + "".join(
        f"float a{i}.connect = [</A.a{i - 1}>, </A.a{i - 2}>]\n" for i in range(2, count)))


def forwarding(count):
    """Relationships that name the one before, and another that does."""
    body = "rel r0 = </A>\nrel s0 = </A>\n"
    for i in range(1, count):
        body += f"rel r{i} = [</A.r{i - 1}>, </A.s{i - 1}>]\nrel s{i} = [</A.s{i - 1}>, </A.r{i - 1}>]\n"
    # Read by whoever asks what collides with what.
    body += f"rel physics:filteredPairs = [</A.r{count - 1}>]\n"
    return prim("A", body, 'apiSchemas = ["PhysicsFilteredPairsAPI", "PhysicsRigidBodyAPI"]')


# Skeletons -----------------------------------------------------------------------------------------

def skeleton(joints, prefix="", more=""):
    return prim("Skel", f"uniform token[] joints = [{joints}]\n{prefix}{more}", kind="Skeleton")


def deep_joints(depth):
    """A chain of joints: their names alone grow with the square of its length."""
    names = []
    for i in range(depth):
        names.append((names[-1] + "/" if names else "") + "j")
    return prim("Root", skeleton("".join(f'"{name}", ' for name in names)), kind="SkelRoot")


def bound_meshes(users, joints):
    names = many(joints, '"j#", ')
    matrices = f"{IDENTITY}, " * joints
    mesh = prim("Mesh", "rel skel:skeleton = </Root/Skel>\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
                "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
                "int[] primvars:skel:jointIndices = [0, 1, 2] ( interpolation = \"vertex\"; elementSize = 1 )\n"
                "float[] primvars:skel:jointWeights = [1, 1, 1] ( interpolation = \"vertex\"; elementSize = 1 )\n",
                'apiSchemas = ["SkelBindingAPI"]', "Mesh")
    skel = skeleton(names, f"uniform matrix4d[] bindTransforms = [{matrices}]\nuniform matrix4d[] restTransforms = [{matrices}]\n")
    return prim("Root", skel + mesh + many(users, 'def "A#" (references = </Root/Mesh>) {}\n'), kind="SkelRoot")


def skeleton_instances():
    leaf = bound_meshes(0, 20)
    return doubling("references", leaf, "instanceable = true; ", levels=30)


def blend_shapes(count, users):
    shapes = many(count, '"s#", ')
    targets = many(count, "</Root/Mesh/S#>, ")
    mesh = prim("Mesh", f"uniform token[] skel:blendShapes = [{shapes}]\nrel skel:blendShapeTargets = [{targets}]\n"
                "rel skel:skeleton = </Root/Skel>\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
                "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n" +
                prim("S0", "uniform vector3f[] offsets = [" + "(1, 1, 1), " * 3 + "]\n" + many(
                    50, "uniform vector3f[] inbetweens:i# = [(1, 1, 1), (1, 1, 1), (1, 1, 1)] (weight = 0.#)\n"), kind="BlendShape"),
                'apiSchemas = ["SkelBindingAPI"]', "Mesh")
    return prim("Root", skeleton('"j"') + mesh + many(users, 'def "A#" (references = </Root/Mesh>) {}\n'), kind="SkelRoot")


def animation(samples, joints):
    """One animation of many times that many skeletons share."""
    names = many(joints, '"j#", ')
    times = many(samples, "#: [" + "(#, 0, 0), " * joints + "],\n")
    anim = prim("Anim", f"uniform token[] joints = [{names}]\nfloat3[] translations.timeSamples = {{\n{times}}}\n", kind="SkelAnimation")
    skel = prim("Skel", f"uniform token[] joints = [{names}]\nrel skel:animationSource = </Anim>\n",
                'apiSchemas = ["SkelBindingAPI"]', "Skeleton")
    return anim + skel + many(500, 'def SkelRoot "R#" {\ndef "S" (references = </Skel>) {}\n}\n')


# Physics -------------------------------------------------------------------------------------------

BODY = 'apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"]'


def collider_instances(leaf):
    return doubling("references", leaf, "instanceable = true; ", levels=30)


def sphere_points(count):
    """Points of a hull that is nothing but corners."""
    golden = math.pi * (3 - math.sqrt(5))
    out = []
    for i in range(count):
        z = 1 - 2 * (i + 0.5) / count
        r = math.sqrt(1 - z * z)
        out.append(f"({r * math.cos(golden * i):.4f}, {r * math.sin(golden * i):.4f}, {z:.4f})")
    return ", ".join(out)


def tube_points(count):
    """Points of a hull of two faces with as many corners as there are points around a tube."""
    out = []
    for i in range(count // 2):
        angle = 4 * math.pi * i / count
        out += [f"({math.cos(angle):.6f}, {math.sin(angle):.6f}, {z})" for z in (0, 1)]
    return ", ".join(out)


def hull(count, more="", points=sphere_points):
    return prim("Hull", f'point3f[] points = [{points(count)}]\nint[] faceVertexCounts = [3]\n'
                f'int[] faceVertexIndices = [0, 1, 2]\nuniform token physics:approximation = "convexHull"\n{more}',
                'apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "PhysicsMassAPI"]', "Mesh")


def hull_users(points, users):
    return hull(points) + many(users, 'def "A#" (references = </Hull>) {}\n')


def scaled_hulls(points, users):
    """Hulls that differ in their scales."""
    return hull(points) + many(users, 'def "A#" (references = </Hull>) { float3 xformOp:scale = (1, 1.#, 2)\n'
                               'uniform token[] xformOpOrder = ["xformOp:scale"]\n}\n')


def many_faces(corners, meshes):
    indices = many(corners, "#, ")
    body = f"int[] faceVertexCounts = [{corners}]\nint[] faceVertexIndices = [{indices}]\n"
    points = f"point3f[] points = [{', '.join(f'({i % 97}, {i * i % 101}, 0)' for i in range(corners))}]\n"
    return prim("M", body + points, BODY, "Mesh") + many(meshes, 'def "A#" (references = </M>) {}\n')


def nested_collections(count):
    """Collections that include the one before, twice."""
    text = ""
    for i in range(count):
        includes = f"[</G{i - 1}.collection:colliders>, </G{max(0, i - 2)}.collection:colliders>, </B>]" if i > 1 else "[</B>]"
        text += prim(f"G{i}", f"rel collection:colliders:includes = {includes}\n",
                     'apiSchemas = ["CollectionAPI:colliders"]', "PhysicsCollisionGroup")
    return prim("B", prim("c", metadata=BODY, kind="Cube")) + text


def broad_collections(groups, colliders):
    """Every group includes everything and filters every group."""
    filtered = many(groups, "</G#>, ")
    text = "".join(prim(f"G{i}", f"rel collection:colliders:includes = [</W>]\nrel physics:filteredGroups = [{filtered}]\n",
                        'apiSchemas = ["CollectionAPI:colliders"]', "PhysicsCollisionGroup") for i in range(groups))
    return text + prim("W", many(colliders, f'def Cube "c#" ({BODY}) {{}}\n'))


def path_expressions(groups, colliders):
    expression = " + ".join(f"//c{i}*" for i in range(200))
    text = "".join(prim(f"G{i}", f'pathExpression collection:colliders:membershipExpression = "{expression}"\n',
                        'apiSchemas = ["CollectionAPI:colliders"]', "PhysicsCollisionGroup") for i in range(groups))
    return text + prim("W", many(colliders, f'def Cube "c#" ({BODY}) {{}}\n'))


def expressions_referred(groups, colliders):
    """Small expressions that become as long as they may by what they refer to."""
    many_names = " + ".join(f"//c{i}*" for i in range(100))
    text = prim("X", f'pathExpression collection:x:membershipExpression = "{many_names}"\n')
    text += "".join(prim(f"G{i}", 'pathExpression collection:colliders:membershipExpression = "%/X:x"\n',
                         'apiSchemas = ["CollectionAPI:colliders"]', "PhysicsCollisionGroup") for i in range(groups))
    return text + prim("W", many(colliders, f'def Cube "c#" ({BODY}) {{}}\n'))


def filtered_pairs(bodies):
    """Everything is filtered from everything."""
    others = many(bodies, "</B#>, ")
    metadata = 'apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsFilteredPairsAPI"]'
    first = prim("B0", f"rel physics:filteredPairs = [{others}]\n", metadata, "Cube")
    return first + "".join(prim(f"B{i}", metadata="references = </B0>") for i in range(1, bodies))


def dense_joints(bodies, joints):
    text = many(bodies, f'def Cube "B#" ({BODY}) {{}}\n')
    for i in range(joints):
        a, b = i % bodies, (i * 7 + 1 + i // bodies) % bodies
        text += f'def PhysicsRevoluteJoint "J{i}" {{ rel physics:body0 = </B{a}>\nrel physics:body1 = </B{b}>\n}}\n'
    return prim("W", metadata='apiSchemas = ["PhysicsArticulationRootAPI"]') + text


def joint_doubling():
    leaf = many(3, f'def Cube "B#" ({BODY}) {{}}\n') + many(
        2, 'def PhysicsRevoluteJoint "J#" { rel physics:body0 = </C0/B#>\nrel physics:body1 = </C0/B2>\n}\n')
    return doubling("references", leaf, levels=30)


def deep_bodies(depth):
    """Mass is asked of each of a chain of nested bodies."""
    return f'def Cube "b" ({BODY}) {{ bool physics:resetXformStack = 1\n' * depth + "}\n" * depth


def instancer(prototypes, instances):
    body = prim("P", f"rel prototypes = [{many(prototypes, '</I/P/p#>, ')}]\nint[] protoIndices = [" +
                many(instances, "0, ").replace("#", "0") + "]\npoint3f[] positions = [" + many(instances, "(#, 0, 0), ") + "]\n" +
                many(prototypes, f'def Cube "p#" ({BODY}) {{}}\n'), kind="PointInstancer")
    return prim("I", body)


def instancer_doubling():
    leaf = prim("P", "rel prototypes = [</C0/P/p>]\nint[] protoIndices = [" + "0, " * 500 + "]\npoint3f[] positions = [" +
                many(500, "(#, 0, 0), ") + "]\n" + prim("p", kind="Cube"), kind="PointInstancer")
    return doubling("references", leaf, levels=30)


def materials(count, users):
    text = many(count, 'def Material "M#" (apiSchemas = ["PhysicsMaterialAPI"]) { float physics:density = 1\n}\n')
    binds = "".join(f"rel material:binding:collection:physics:b{i} = [</W.collection:c{i}>, </M{i}>]\n" for i in range(count))
    collections = "".join(f"rel collection:c{i}:includes = [</W>]\n" for i in range(count))
    names = ", ".join(f'"CollectionAPI:c{i}"' for i in range(count))
    return text + prim("W", binds + collections + many(users, f'def Cube "c#" ({BODY}) {{}}\n'),
                       f'apiSchemas = ["MaterialBindingAPI", {names}]')


def kinds():
    out = {}

    def add(name, root, others=None):
        out[name] = (root if root.startswith("#") else HEADER + root, others or {})

    for arc in ("references", "payload", "inherits", "specializes"):
        add(f"doubling_{arc}", doubling(arc))
        add(f"fan_{arc}", fan(arc, 90))
        add(f"chain_{arc}", chain(arc))
        add(f"mutual_{arc}", mutual(arc, 12))
    add("doubling_with_classes", doubling("references", more="inherits = </C0>; "))
    add("doubling_long_names", doubling("references", more=f'doc = "{"x" * 1000}"; '))
    add("doubling_heavy_leaf", doubling("references", "double[] a = [" + "1.25, " * 9000 + "]\n"))
    add("doubling_variants", doubling_variants(1))
    add("doubling_variants_deep", doubling_variants(12))
    add("relocates", relocates(300))
    add("relocated_cycles", relocated_cycles(60))
    add("sublayers_doubling", *sublayers(30))
    add("instances_with_offsets", offset_instances(500))
    add("instances_nested", nested_instances(prim("Leaf")))
    add("instances_nested_heavy", nested_instances("double[] a = [" + "1.25, " * 9000 + "]\n"))
    add("expressions_doubling", expressions(40))
    add("api_schemas", long_lists("prepend apiSchemas", '"A#", ', 5000))
    add("deleted_classes", long_lists("delete inherits", "</c#>, ", 5000))
    add("properties", properties(3000, 1000))
    add("deep_nesting", deep_nesting(300))
    add("clips_many", *clips(50, 2500))
    add("clips_template", clip_template())
    add("splines", splines(2300))
    add("array_edits", array_edits(300))
    add("array_edits_of_points", filled_points(1500))
    add("dictionaries", dictionaries(250))
    add("connections", connections(1500))
    add("forwarding", forwarding(500))
    add("joints_deep", deep_joints(300))
    add("joints_wide", prim("Root", skeleton(many(9000, '"j#", ')), kind="SkelRoot"))
    add("skinned_meshes", bound_meshes(1500, 200))
    add("skeleton_instances", skeleton_instances())
    add("blend_shapes", blend_shapes(500, 1000))
    add("animation_shared", animation(250, 20))
    add("hull", hull(3500))
    add("hull_of_tube", hull(3500, points=tube_points))
    add("hulls_shared", hull_users(2000, 1000))
    add("hulls_scaled", scaled_hulls(1200, 450))
    add("hull_instances", collider_instances(hull(200)))
    add("collider_instances", collider_instances(prim("Box", metadata=BODY, kind="Cube")))
    add("face_of_many_corners", many_faces(3000, 600))
    add("collections_nested", nested_collections(400))
    add("collections_broad", broad_collections(60, 600))
    add("path_expressions", path_expressions(20, 600))
    add("expressions_referred", expressions_referred(220, 500))
    add("filtered_pairs", filtered_pairs(1200))
    add("joints_dense", dense_joints(300, 700))
    add("joint_doubling", joint_doubling())
    add("bodies_nested", deep_bodies(300))
    add("instancer", instancer(500, 2500))
    add("instancer_doubling", instancer_doubling())
    add("materials", materials(150, 500))
    return out
