// SPDX-License-Identifier: Apache-2.0
// Opens small scenes for the tests of the reading half.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/parser.hpp"
#include "support/folders.hpp"

namespace sinew::skel {

/// A stage, what is bound on it, and what was said about it.
struct SkelScene {
  stage::StagePtr stage;
  Diagnostics diagnostics;
  std::vector<SkeletonBinding> bindings;

  const SkeletonBinding* find(std::string_view skeleton) const {
    for (const SkeletonBinding& binding : bindings) {
      if (binding.skeleton_prim.path() == skeleton) return &binding;
    }
    return nullptr;
  }
  const SkinTarget* find_target(std::string_view prim) const {
    for (const SkeletonBinding& binding : bindings) {
      for (const SkinTarget& target : binding.targets) {
        if (target.prim.path() == prim) return &target;
      }
    }
    return nullptr;
  }
  /// The diagnostics with this code.
  std::vector<Diagnostic> said(std::string_view code) const {
    std::vector<Diagnostic> result;
    std::copy_if(diagnostics.begin(), diagnostics.end(), std::back_inserter(result),
                 [&](const Diagnostic& d) { return d.code == code; });
    return result;
  }

  SkeletonPose pose(std::size_t binding, stage::Time time) {
    SkeletonPose result;
    evaluate_pose(bindings.at(binding), time, result, diagnostics);
    return result;
  }
  /// Evaluates the prim of that path.
  DeformedPrim deform(std::string_view prim, stage::Time time, const DeformOptions& options = {}) {
    for (const SkeletonBinding& binding : bindings) {
      for (const SkinTarget& target : binding.targets) {
        if (target.prim.path() != prim) continue;
        SkeletonPose at_time;
        evaluate_pose(binding, time, at_time, diagnostics);
        DeformedPrim result;
        evaluate_target(target, at_time, result, diagnostics, options);
        return result;
      }
    }
    ADD_FAILURE() << "no skeleton deforms " << prim;
    return {};
  }
};

/// Opens a stage on text; `layers` are what it refers to, by name.
inline SkelScene open_scene(const std::string& text, Rules rules = Rules::documented,
                            const std::vector<std::pair<std::string, std::string>>& layers = {}) {
  SkelScene scene;
  stage::MemoryResolver resolver;
  resolver.add("scene.usda", text);
  for (const auto& [name, contents] : layers) resolver.add(name, contents);
  stage::OpenOptions options;
  options.rules = rules;
  options.resolver = &resolver;
  auto opened = stage::Stage::open(std::string("scene.usda"), scene.diagnostics, options);
  if (!opened) {
    ADD_FAILURE() << opened.error().message;
    return scene;
  }
  scene.stage = *opened;
  scene.bindings = read_bindings(*scene.stage, scene.diagnostics);
  return scene;
}

/// Opens a file of tests/data.
inline SkelScene open_data(const std::string& file, Rules rules = Rules::documented) {
  SkelScene scene;
  stage::OpenOptions options;
  options.rules = rules;
  auto opened = stage::Stage::open(test::data_folder() + "/" + file, scene.diagnostics, options);
  if (!opened) {
    ADD_FAILURE() << opened.error().message;
    return scene;
  }
  scene.stage = *opened;
  scene.bindings = read_bindings(*scene.stage, scene.diagnostics);
  return scene;
}

inline std::vector<std::string> target_paths(const SkeletonBinding& binding) {
  std::vector<std::string> paths;
  for (const SkinTarget& target : binding.targets) paths.push_back(target.prim.path().str());
  return paths;
}

inline std::vector<std::string> skeleton_paths(const SkelScene& scene) {
  std::vector<std::string> paths;
  for (const SkeletonBinding& b : scene.bindings) paths.push_back(b.skeleton_prim.path().str());
  return paths;
}

/// Whether two lists of points agree to `tolerance` in every coordinate.
inline ::testing::AssertionResult points_near(const std::vector<Vector3f>& actual,
                                              const std::vector<Vector3f>& expected,
                                              float tolerance) {
  if (actual.size() != expected.size()) {
    return ::testing::AssertionFailure()
           << actual.size() << " points instead of " << expected.size();
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!((actual[i] - expected[i]).cwiseAbs().maxCoeff() <= tolerance)) {
      return ::testing::AssertionFailure() << "point " << i << " is " << actual[i].transpose()
                                           << " instead of " << expected[i].transpose();
    }
  }
  return ::testing::AssertionSuccess();
}
#define EXPECT_POINTS_NEAR(actual, expected, tolerance) \
  EXPECT_TRUE(::sinew::skel::points_near(actual, expected, tolerance))

/// Influences of a prim: the texts of two primvars, each with its metadata.
inline std::string influences(const std::string& indices, const std::string& weights,
                              const std::string& index_metadata,
                              const std::string& weight_metadata) {
  return "int[] primvars:skel:jointIndices = " + indices + " (" + index_metadata + ")\n" +
         "float[] primvars:skel:jointWeights = " + weights + " (" + weight_metadata + ")\n";
}

/// The same metadata for both.
inline std::string influences(const std::string& indices, const std::string& weights,
                              const std::string& metadata) {
  return influences(indices, weights, metadata, metadata);
}

}  // namespace sinew::skel
