// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::skel {

/// A scene with some of everything that skeletons know.
inline constexpr const char* kEverything = R"(#usda 1.0
(
    startTimeCode = 0
    endTimeCode = 4
    metersPerUnit = 1
    upAxis = "Y"
)
def SkelRoot "Root" (apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </Root/Skel>
    double3 xformOp:translate = (0, 0, 5)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Skeleton "Skel" (apiSchemas = ["SkelBindingAPI"]) {
        uniform token[] joints = ["a", "a/b", "a/b/c", "a/d"]
        uniform token[] jointNames = ["hip", "knee", "foot", "tail"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (2, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1))]
        rel skel:animationSource = </Root/Anim>
    }
    def SkelAnimation "Anim" {
        uniform token[] joints = ["a/b", "a", "a/d"]
        float3[] translations.timeSamples = { 0: [(1, 0, 0), (0, 0, 0), (0, 1, 0)], 4: [(1, 2, 0), (0, 0, 3), (0, 1, 0)] }
        quatf[] rotations = [(1, 0, 0, 0), (0.6, 0, 0, 0.8), (0.8, 0.6, 0, 0)]
        half3[] scales = [(1, 1, 1), (2, 2, 2), (1, 1, 0.5)]
        uniform token[] blendShapes = ["smile", "frown"]
        float[] blendShapeWeights.timeSamples = { 0: [0, 1], 4: [1, 0.25] }
    }
    def Mesh "Body" (apiSchemas = ["SkelBindingAPI"]) {
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (2, 1, 0), (0, 1, 1)]
        normal3f[] normals = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1)] (interpolation = "vertex")
        uniform token subdivisionScheme = "none"
        int[] primvars:skel:jointIndices = [0, 1, 1, 2, 2, 0, 1, 0] (
            elementSize = 2
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [0.5, 0.5, 1, 0, 0.75, 0.25, 0.4, 0.6] (
            elementSize = 2
            interpolation = "vertex"
        )
        matrix4d primvars:skel:geomBindTransform = ((2, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))
        uniform token primvars:skel:skinningMethod = "dualQuaternion"
        uniform token[] skel:joints = ["a/b/c", "a", "a/b"]
        uniform token[] skel:blendShapes = ["frown", "smile"]
        rel skel:blendShapeTargets = [</Root/Body/Frown>, </Root/Body/Smile>]
        def BlendShape "Frown" {
            uniform vector3f[] offsets = [(0, -1, 0), (0, 0, -1)]
            uniform vector3f[] normalOffsets = [(1, 0, 0), (0, 0, 1)]
            uniform int[] pointIndices = [3, 1]
        }
        def BlendShape "Smile" {
            uniform vector3f[] offsets = [(0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 4, 0)]
            uniform vector3f[] inbetweens:half = [(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0)] (
                weight = 0.5
            )
            uniform vector3f[] inbetweens:half:normalOffsets = [(0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0)]
        }
    }
    def Mesh "Hat" (apiSchemas = ["SkelBindingAPI"]) {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [3, 0] (
            elementSize = 2
            interpolation = "constant"
        )
        float[] primvars:skel:jointWeights = [0.25, 0.75] (
            elementSize = 2
            interpolation = "constant"
        )
    }
}
)";

}  // namespace sinew::skel
