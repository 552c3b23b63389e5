#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenUSD, by its Python package, as a tool of the conformance suite.

    pip install usd-core
    python3 ../run.py usd_core.py --rules openusd --form parse,damage,stage,points

It answers whether a layer reads (Sdf.Layer), what a stage holds (Usd.Stage, instance proxies
included) and where deformed points are (UsdSkel.Cache). Physics, baking, twins and findings are
not answered (exit status 77).
"""
import json
import math
import sys

NOT_ANSWERED = 77


def plain(value):
    """A value as the suite writes it."""
    from pxr import Gf, Sdf, Vt
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, Sdf.AssetPath):
        return value.path
    if isinstance(value, Sdf.TimeCode):
        return plain(float(value.GetValue()))
    if isinstance(value, (Gf.Quath, Gf.Quatf, Gf.Quatd)):
        return [plain(float(value.GetReal())), *(plain(float(x)) for x in value.GetImaginary())]
    if isinstance(value, (Gf.Matrix2d, Gf.Matrix3d, Gf.Matrix4d)):
        return [plain(float(x)) for row in value for x in row]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    try:
        return [plain(item) for item in value]
    except TypeError:
        pass
    try:
        return plain(float(value))
    except TypeError:
        return str(value)


def read_layer(file):
    """A layer, or None with what was said about it."""
    from pxr import Sdf, Tf
    try:
        layer = Sdf.Layer.OpenAsAnonymous(file)
    except Tf.ErrorException as error:
        return None, str(error)
    return layer, ""


def stage_of(file):
    from pxr import Usd
    stage = Usd.Stage.Open(file)
    result = {"upAxis": str(UsdGeom.GetStageUpAxis(stage)), "metersPerUnit": UsdGeom.GetStageMetersPerUnit(stage),
              "kilogramsPerUnit": UsdPhysics.GetStageKilogramsPerUnit(stage), "timeCodesPerSecond": stage.GetTimeCodesPerSecond(),
              "startTimeCode": stage.GetStartTimeCode(), "endTimeCode": stage.GetEndTimeCode(),
              "defaultPrim": str(stage.GetDefaultPrim().GetPath()) if stage.GetDefaultPrim() else None, "prims": []}
    words = {Sdf.SpecifierDef: "def", Sdf.SpecifierOver: "over", Sdf.SpecifierClass: "class"}
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies(Usd.PrimAllPrimsPredicate)):
        if prim.IsPseudoRoot():
            continue
        schemas = prim.GetPrimTypeInfo().GetAppliedAPISchemas()
        entry = {"path": str(prim.GetPath()), "specifier": words[prim.GetSpecifier()], "typeName": str(prim.GetTypeName()),
                 "active": prim.IsActive(), "instanceable": prim.IsInstanceable(), "apiSchemas": [str(name) for name in schemas],
                 "attributes": {}, "relationships": {}}
        if prim.HasAuthoredMetadata("kind"):
            entry["kind"] = prim.GetMetadata("kind")
        for attribute in prim.GetAuthoredAttributes():
            it = {"type": str(attribute.GetTypeName()), "uniform": attribute.GetVariability() == Sdf.VariabilityUniform, "custom": attribute.IsCustom()}
            value = attribute.Get() if attribute.HasAuthoredValueOpinion() else None
            if value is not None and attribute.GetResolveInfo().GetSource() != Usd.ResolveInfoSourceFallback:
                it["default"] = plain(value)
            samples = attribute.GetTimeSamples()
            if samples:
                it["timeSamples"] = [[time, plain(attribute.Get(time))] for time in samples]
            for key in ("interpolation", "elementSize"):
                if attribute.HasAuthoredMetadata(key):
                    it[key] = attribute.GetMetadata(key)
            if attribute.GetConnections():
                it["connections"] = [str(path) for path in attribute.GetConnections()]
            entry["attributes"][attribute.GetName()] = it
        for relationship in prim.GetAuthoredRelationships():
            entry["relationships"][relationship.GetName()] = [str(path) for path in relationship.GetTargets()]
        result["prims"].append(entry)
    return result


def points_of(file, time):
    """Deformed points in skeleton space of every skinned mesh."""
    from pxr import Usd, UsdSkel
    stage = Usd.Stage.Open(file)
    at = Usd.TimeCode.Default() if time == "default" else Usd.TimeCode(float(time))
    visit = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    cache, meshes = UsdSkel.Cache(), []
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), visit):
        root = UsdSkel.Root(prim)
        if not root:
            continue
        cache.Populate(root, visit)
        for binding in cache.ComputeSkelBindings(root, visit):
            skeleton = cache.GetSkelQuery(binding.GetSkeleton())
            for target in binding.GetSkinningTargets():
                points = target.GetPrim().GetAttribute("points").Get(at)
                if points is None:
                    continue
                if target.HasBlendShapes() and skeleton.GetAnimQuery():
                    shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(target.GetPrim()))
                    weights = skeleton.GetAnimQuery().ComputeBlendShapeWeights(at)
                    mapper = target.GetBlendShapeMapper()
                    weights = mapper.Remap(weights) if mapper and not mapper.IsNull() else weights
                    computed = shapes.ComputeSubShapeWeights(weights)
                    shapes.ComputeDeformedPoints(*computed, shapes.ComputeBlendShapePointIndices(), shapes.ComputeSubShapePointOffsets(), points)
                transforms = skeleton.ComputeSkinningTransforms(at)
                if transforms and target.HasJointInfluences():
                    target.ComputeSkinnedPoints(transforms, points, at)
                meshes.append({"path": str(target.GetPrim().GetPath()), "points": plain(points)})
    return {"meshes": meshes}


def main():
    command, file, *options = sys.argv[1:]
    parse = command == "check" and "--parse-only" in options
    if not parse and command not in ("stage", "points"):
        return NOT_ANSWERED
    layer, said = read_layer(file)
    if said:
        print(said, file=sys.stderr)
    if layer is None:
        return 1
    if parse:
        return 0
    result = stage_of(file) if command == "stage" else points_of(file, options[options.index("--time") + 1])
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    try:
        from pxr import Sdf, Usd, UsdGeom, UsdPhysics
    except ImportError:
        print("This needs OpenUSD's Python package: pip install usd-core", file=sys.stderr)
        sys.exit(NOT_ANSWERED)
    sys.stdout.flush()
    sys.exit(main())
