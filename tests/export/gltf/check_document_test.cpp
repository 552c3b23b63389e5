// SPDX-License-Identifier: Apache-2.0
// Whatever names something by its number is looked at before a file is written: the last that there
// is will do, one more and one before the first will not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/gltf/document.hpp"
#include "export/json.hpp"
#include "sinew/export/glb_builder.hpp"

namespace sinew::exporter::check_document_test {
namespace {

// JSON with @ where the number stands.
Json with(std::string_view text, int index) {
  std::string filled(text);
  for (std::size_t at = filled.find('@'); at != std::string::npos; at = filled.find('@')) {
    filled.replace(at, 1, std::to_string(index));
  }
  ParsedJson json = parse_json(filled);
  EXPECT_FALSE(json.fault) << filled;
  return std::move(json.document);
}

/// Two of everything.
struct Document {
  GlbBuilder builder;
  GlbBuilder::Impl& impl = GlbBuilderAccess::of(builder);

  Document() {
    for (int i = 0; i < 2; ++i) {
      impl.nodes.push_back(with("{}", 0));
      impl.parents.push_back(kNoGlbIndex);
      impl.in_scene.push_back(true);
      impl.meshes.push_back(with(R"({"primitives": [{}]})", 0));
      impl.mesh_facts.push_back({.targets = 0, .has_joints = true, .joints = 1});
      impl.skins.push_back(with(R"({"joints": [0, 1]})", 0));
      impl.animations.push_back(with(R"({"channels": [], "samplers": []})", 0));
      for (auto* list :
           {&impl.cameras, &impl.materials, &impl.textures, &impl.images, &impl.samplers}) {
        list->push_back(with("{}", 0));
      }
    }
    impl.extensions = with(
        R"({"KHR_implicit_shapes": {"shapes": [{}, {}]}, "KHR_physics_rigid_bodies": {
            "physicsMaterials": [{}, {}], "collisionFilters": [{}, {}], "physicsJoints": [{}, {}]}})",
        0);
  }
};

struct Reference {
  std::vector<Json> GlbBuilder::Impl::*list;
  const char* json;  ///< In place of the second object of the list.
  const char* name;  ///< "A WHAT names 'KEY'".
};

using Impl = GlbBuilder::Impl;

const Reference kReferences[] = {
    {&Impl::nodes, R"({"mesh": @})", "A node names 'mesh'"},
    {&Impl::nodes, R"({"mesh": 0, "skin": @})", "A node names 'skin'"},
    {&Impl::nodes, R"({"camera": @})", "A node names 'camera'"},
    {&Impl::skins, R"({"joints": [@]})", "A skin names 'joints'"},
    {&Impl::skins, R"({"joints": [0], "skeleton": @})", "A skin names 'skeleton'"},
    {&Impl::meshes, R"({"primitives": [{}, {"material": @}]})", "A mesh names 'material'"},
    {&Impl::textures, R"({"source": @})", "A texture names 'source'"},
    {&Impl::textures, R"({"sampler": @})", "A texture names 'sampler'"},
    {&Impl::textures, R"({"extensions": {"EXT_texture_webp": {"source": @}}})",
     "A texture names 'source'"},
    {&Impl::materials, R"({"normalTexture": {"index": @}})", "A material names 'index'"},
    {&Impl::materials, R"({"pbrMetallicRoughness": {"baseColorTexture": {"index": @}}})",
     "A material names 'index'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": @}}}}})",
     "A collider names 'shape'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"mesh": @}}}}})",
     "A collider names 'mesh'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"node": @}}}}})",
     "A collider names 'node'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"collider": {"physicsMaterial": @}}}})",
     "A collider names 'physicsMaterial'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"collider": {"collisionFilter": @}}}})",
     "A collider names 'collisionFilter'"},
    {&Impl::nodes,
     R"({"extensions": {"KHR_physics_rigid_bodies": {"joint": {"connectedNode": @}}}})",
     "A joint names 'connectedNode'"},
    {&Impl::nodes, R"({"extensions": {"KHR_physics_rigid_bodies": {"joint": {"joint": @}}}})",
     "A joint names 'joint'"},
};

TEST(CheckDocument, LooksAtEveryIndex) {
  for (const Reference& reference : kReferences) {
    for (const int index : {0, 1, 2, -1}) {
      Document document;
      (document.impl.*reference.list)[1] = with(reference.json, index);
      const Status status = check_document(document.impl);
      if (index == 0 || index == 1) {
        EXPECT_TRUE(status) << reference.json << ": " << status.error().message;
        continue;
      }
      ASSERT_FALSE(status) << reference.json << " of " << index;
      EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
      EXPECT_EQ(status.error().message,
                fmt::format("{} {}, but there are 2.", reference.name, index));
    }
  }
}

TEST(CheckDocument, LooksAtParents) {
  for (const int parent : {2, -2}) {
    Document document;
    document.impl.parents[1] = parent;
    const Status status = check_document(document.impl);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message,
              fmt::format("Node 1 has the parent {}, but there are 2.", parent));
  }
}

}  // namespace
}  // namespace sinew::exporter::check_document_test
