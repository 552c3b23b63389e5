// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What import_glb() notes of a glTF file where prims cannot say it, so that write_glb() makes the
/// same file again: entries of a dictionary `gltf` in customData. A prim without it is written as
/// any other; an entry that no longer fits what the stage holds does not count.
namespace sinew::exporter::origin {

inline constexpr std::string_view kDictionary = "gltf";

/// bool: the prim is a part of the node that its parent stands for (of the scene, for a root prim)
/// and no node of its own.
inline constexpr std::string_view kPart = "part";
/// bool: the prim was a node with nothing in it, and is written nevertheless.
inline constexpr std::string_view kEmpty = "empty";
/// string: the name in the file, where it is no identifier or not that of the prim.
inline constexpr std::string_view kName = "name";
/// string: the name of the mesh of a Mesh prim. Meshes of one name that are equal are one, and what
/// has no material in the stage had none in the file.
inline constexpr std::string_view kMesh = "mesh";
/// string: the name of the skin of a Mesh prim, whose joints are those of skel:joints.
inline constexpr std::string_view kSkin = "skin";
/// string[]: the names of the morph targets.
inline constexpr std::string_view kTargets = "targets";
/// string[], of a Skeleton: the names of the nodes of its joints.
inline constexpr std::string_view kJoints = "joints";
/// bool: the colours of the points count although there is a material.
inline constexpr std::string_view kColors = "colors";
/// string: a joint that the prim is the node of, and the name of its Skeleton.
inline constexpr std::string_view kJoint = "joint";
inline constexpr std::string_view kSkeleton = "skeleton";
/// bool: the collider stands on the node of the prim itself.
inline constexpr std::string_view kCollider = "collider";
/// string: the node of the second side of a physics joint.
inline constexpr std::string_view kConnected = "connected";
/// bool, of a physics joint: the first, or second, side is the node of its body.
inline constexpr std::string_view kOnBody0 = "onBody0";
inline constexpr std::string_view kOnBody1 = "onBody1";
/// string, of the default prim: the names of the scene and of the clip.
inline constexpr std::string_view kScene = "scene";
inline constexpr std::string_view kClip = "clip";
/// bool, of a Material: what it covers is blended with what lies behind, also where it is opaque.
inline constexpr std::string_view kBlend = "blend";
/// string: extras of the node, or material; and of the mesh of a Mesh prim. JSON.
inline constexpr std::string_view kExtras = "extras";
inline constexpr std::string_view kMeshExtras = "meshExtras";

}  // namespace sinew::exporter::origin
