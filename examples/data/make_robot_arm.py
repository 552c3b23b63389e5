#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes robot_arm.usda: a six-axis arm with a gripper, bolted to the floor. Metres, Z up.

usage: make_robot_arm.py > robot_arm.usda
"""

# name, offset from the previous link, axis, lower, upper (degrees), length, radius, mass (kg)
LINKS = [
    ("turntable", (0, 0, 0.10), "Z", -170, 170, 0.20, 0.09, 9.0),
    ("shoulder", (0, 0, 0.25), "Y", -95, 110, 0.45, 0.08, 7.5),
    ("upper_arm", (0, 0, 0.45), "Y", -130, 130, 0.40, 0.07, 5.0),
    ("forearm", (0, 0, 0.40), "Z", -180, 180, 0.25, 0.05, 2.5),
    ("wrist", (0, 0, 0.25), "Y", -115, 115, 0.12, 0.045, 1.2),
    ("flange", (0, 0, 0.12), "Z", -350, 350, 0.06, 0.04, 0.4),
]

HEADER = '''#usda 1.0
(
    doc = "A six-axis robot arm with a two-finger gripper. Written by make_robot_arm.py."
    defaultPrim = "Arm"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)

def PhysicsScene "Scene"
{
}

def Material "Steel" (
    prepend apiSchemas = ["PhysicsMaterialAPI"]
)
{
    float physics:density = 7850
    float physics:dynamicFriction = 0.4
    float physics:restitution = 0.2
    float physics:staticFriction = 0.5
}

def Xform "Arm" (
    prepend apiSchemas = ["PhysicsArticulationRootAPI", "MaterialBindingAPI"]
)
{
    rel material:binding:physics = </Steel>
'''


def body(name, z, x=0.0, mass=None):
    apis = '"PhysicsRigidBodyAPI"' + (', "PhysicsMassAPI"' if mass else "")
    lines = [f'    def Xform "{name}" (', f"        prepend apiSchemas = [{apis}]", "    )", "    {"]
    if mass:
        lines.append(f"        float physics:mass = {mass}")
    lines += [
        f"        double3 xformOp:translate = ({x:g}, 0, {z:g})",
        '        uniform token[] xformOpOrder = ["xformOp:translate"]',
        "",
    ]
    return lines


def shape(kind, name, attributes, offset=None, scale=None):
    lines = [
        f'        def {kind} "{name}" (',
        '            prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]',
        "        )",
        "        {",
    ]
    lines += [f"            {a}" for a in attributes]
    ops = []
    if offset:
        lines.append("            double3 xformOp:translate = (%g, %g, %g)" % offset)
        ops.append('"xformOp:translate"')
    if scale:
        lines.append("            float3 xformOp:scale = (%g, %g, %g)" % scale)
        ops.append('"xformOp:scale"')
    if ops:
        lines.append(f"            uniform token[] xformOpOrder = [{', '.join(ops)}]")
    return lines + ["        }"]


def joint(kind, name, body0, body1, pos0, axis=None, limits=None, drive=None):
    lines = [f'    def Physics{kind}Joint "{name}"']
    if drive:
        lines[0] += " ("
        lines += [f'        prepend apiSchemas = ["PhysicsDriveAPI:{drive[0]}"]', "    )"]
    lines.append("    {")
    if body0:
        lines.append(f"        rel physics:body0 = </Arm/{body0}>")
    lines.append(f"        rel physics:body1 = </Arm/{body1}>")
    if axis:
        lines.append(f'        uniform token physics:axis = "{axis}"')
    lines.append("        point3f physics:localPos0 = (%g, %g, %g)" % pos0)
    if limits:
        lines.append(f"        float physics:lowerLimit = {limits[0]:g}")
        lines.append(f"        float physics:upperLimit = {limits[1]:g}")
    if drive:
        prefix = f"        float drive:{drive[0]}:physics:"
        lines += [f"{prefix}stiffness = {drive[1]:g}", f"{prefix}damping = {drive[2]:g}",
                  f"{prefix}maxForce = {drive[3]:g}"]
    return lines + ["    }", ""]


def main():
    out = []
    out += body("base", 0, mass=14)
    out += shape("Cylinder", "foot", ["double height = 0.1", "double radius = 0.16"], (0, 0, 0.05))
    out += ["    }", ""]
    out += joint("Fixed", "bolts", None, "base", (0, 0, 0))
    z, previous = 0.0, "base"
    for name, offset, axis, lower, upper, length, radius, mass in LINKS:
        z += offset[2]
        out += body(name, z, mass=mass)
        out += shape("Capsule", "tube", [f"double height = {length:g}", f"double radius = {radius:g}"],
                     (0, 0, length / 2))
        out += ["    }", ""]
        out += joint("Revolute", f"{name}_joint", previous, name, offset, axis, (lower, upper),
                     ("angular", 400 * mass, 40 * mass, 330))
        previous = name
    z += 0.06
    for side, x in (("left", -0.03), ("right", 0.03)):
        finger = f"{side}_finger"
        out += body(finger, z, x)
        out += shape("Cube", "pad", ["double size = 1"], (0, 0, 0.04), (0.01, 0.02, 0.08))
        out += ["    }", ""]
        limits = (-0.02, 0.03) if side == "left" else (-0.03, 0.02)
        out += joint("Prismatic", f"{finger}_joint", "flange", finger, (x, 0, 0.06), "X", limits,
                     ("linear", 2000, 100, 40))
    print(HEADER)
    print("\n".join(out).rstrip())
    print("}\n")
    print('def Plane "Floor" (\n    prepend apiSchemas = ["PhysicsCollisionAPI"]\n)\n{')
    print('    uniform token axis = "Z"\n}')


main()
