// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::geom {

/// A scene with some of everything that geometry knows.
inline constexpr const char* kEverything = R"(#usda 1.0
(
    upAxis = "Z"
)
def Xform "World" (
    apiSchemas = ["CollectionAPI:parts", "CollectionAPI:some", "MaterialBindingAPI"]
) {
    uniform token collection:parts:expansionRule = "expandPrims"
    bool collection:parts:includeRoot = 0
    rel collection:parts:includes = [</World/Body>, </World.collection:some>]
    rel collection:parts:excludes = [</World/Body/Ball>]
    uniform token collection:some:expansionRule = "explicitOnly"
    rel collection:some:includes = [</World/Points>, </World/Curves.widths>]
    pathExpression collection:some:membershipExpression = "//"
    rel material:binding = </World/Looks/Red>
    rel material:binding:collection:mine = [</World.collection:parts>, </World/Looks/Blue>]
    double3 xformOp:translate = (1, 2, 3)
    double xformOp:rotateZ.timeSamples = { 0: 0, 4: 90 }
    float3 xformOp:scale:big = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale:big", "!invert!xformOp:scale:big"]
    token visibility = "inherited"
    float[] primvars:width = [1.5]
    def Scope "Looks" {
        def Material "Red" {
        }
        def Material "Blue" {
        }
    }
    def Xform "Body" {
        uniform token purpose = "render"
        token visibility.timeSamples = { 0: "inherited", 4: "invisible" }
        quatd xformOp:orient = (0.6, 0, 0, 0.8)
        float3 xformOp:rotateXYZ = (10, 20, 30)
        matrix4d xformOp:transform:m = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1))
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:orient", "xformOp:rotateXYZ", "xformOp:transform:m"]
        def Sphere "Ball" (
            apiSchemas = ["MaterialBindingAPI"]
        ) {
            double radius = 2
            float3[] extent = [(-2, -2, -2), (2, 2, 2)]
            rel material:binding = </World/Looks/Blue> (
                bindMaterialAs = "strongerThanDescendants"
            )
        }
        def Cone "Tip" {
            double height = 3
            double radius = 0.5
            uniform token axis = "X"
        }
        def Cylinder "Rod" {
            uniform token axis = "Y"
            token visibility = "invisible"
        }
        def Capsule "Pill" {
            double radius = 0.25
            uniform token purpose = "proxy"
        }
        def Plane "Floor" {
            double width = 4
            double length = 6
        }
        def Cube "Box" {
            double size = 3
        }
    }
    def Points "Points" {
        point3f[] points = [(0, 0, 0), (1, 2, 3)]
        float[] widths = [1, 2]
    }
    def BasisCurves "Curves" {
        int[] curveVertexCounts = [4]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 1, 0)]
        float[] widths = [0.5]
    }
    def Mesh "Mesh" (
        apiSchemas = ["MaterialBindingAPI"]
    ) {
        uniform token subdivisionScheme = "none"
        uniform token orientation = "leftHanded"
        uniform bool doubleSided = 1
        int[] faceVertexCounts = [4, 3, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 0, 2, 4, 2, 3, 4]
        int[] holeIndices = [2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)]
        normal3f[] normals = [(0, 0, 1), (0, 1, 0), (1, 0, 0)] (
            interpolation = "uniform"
        )
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1)] (
            interpolation = "vertex"
        )
        int[] primvars:st:indices = [0, 1, 2, 1, 0]
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] (
            elementSize = 2
            interpolation = "constant"
        )
        uniform token subsetFamily:materialBind:familyType = "partition"
        def GeomSubset "Front" (
            apiSchemas = ["MaterialBindingAPI"]
        ) {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [0, 2]
            rel material:binding = </World/Looks/Red>
        }
        def GeomSubset "Back" {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1]
        }
    }
}
)";

}  // namespace sinew::geom
