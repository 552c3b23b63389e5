// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/scene_text.hpp"

namespace sinew::test {

/// What a random scene is about.
enum class Subject {
  composition,  ///< Every arc, list edits, samples and blocks, targets, transforms, collections.
  skeletons,    ///< Skeletons, animations, bindings, blend shapes.
  physics,      ///< Bodies, colliders, joints, groups, materials, masses.
};

/// A scene of a few layers, the same on every machine for the same seed.
///
/// Root prims named S0, S1, ... are sources, in any of the layers; each may be composed of those
/// before it. "/World" in the root layer places them. It is valid in all its parts, and no layer
/// has opinions on what lies below an instance but through the instance's own arcs, so that
/// instances differ from plain prims in nothing that a reader could see.
Scene random_scene(Subject subject, std::uint64_t seed);

// Scenes of which two ways to say the same differ, as the rules have it.

/// What is specialized in a layer that names itself is in two layer stacks: which of the two is
/// stronger depends on how far in an instance stands, and prototypes are shared all the same.
bool specializes_where_layers_name_themselves(const Scene& scene);
/// Of two sources that a prim specializes, what a child of the second specializes in turn is
/// stronger than that child itself: a class then decides what the prim is.
bool specializes_several(const Scene& scene);

/// Something that can be the matter with a scene: a description, or nothing.
using Complaint = std::function<std::string(const Scene&)>;

struct Seeds {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Checks a claim on scenes of a subject, or on the one that the environment variable
/// SINEW_SCENE_SEED names. The first that fails is reported with its seed and its text, without the
/// statements that do not matter.
void for_random_scenes(Subject subject, Seeds seeds, const Complaint& complaint);

/// What `describe` says of each of the first scenes of a subject, every fourth composed under
/// Rules::documented, in a line of few words: to be recorded. Nobody looked at each, but a change
/// that was not meant is seen.
std::string in_one_line_each(
    Subject subject, std::uint64_t count,
    const std::function<std::string(const Scene& scene, Rules rules)>& describe);

/// "" if the texts are equal, else the first line that differs, with the ones that say where.
std::string difference(const std::string& expected, const std::string& actual);

// For the parts of the generator.

/// What can be said of a prim that others refer to.
struct Source {
  std::string name;                   ///< Also its path, after a slash.
  std::string layer;                  ///< Where it stands.
  bool instance = false;              ///< What is composed of it is an instance.
  std::vector<std::string> children;  ///< Names of children that opinions may be added to.
  std::vector<std::string> movable;   ///< Children that a relocate may rename.
};

/// Fills a prim, or adds opinions to one that is composed of others (`stronger`).
void add_composition_content(Random& random, PrimText& prim, Source& source, int depth);
void add_composition_opinions(Random& random, PrimText& prim);
void add_skeleton_content(Random& random, PrimText& prim, Source& source);
void add_physics_content(Random& random, PrimText& prim, Source& source);
/// What only the world has: skeletons and animations that placed prims bind, joints between them.
void add_skeleton_world(Random& random, PrimText& world);
void add_physics_world(Random& random, Scene& scene, PrimText& world);

std::string number(double value);
std::string quoted(const std::string& text);

}  // namespace sinew::test
