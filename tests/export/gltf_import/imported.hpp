// SPDX-License-Identifier: Apache-2.0
// A file that was imported and opened as a stage, for the tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "export/gltf_import/glb_file.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"
#include "support/recorded.hpp"

namespace sinew::test {

class Imported {
 public:
  explicit Imported(const GlbFile& file, const exporter::ImportGlbOptions& options = {}) {
    auto made = exporter::import_glb(file.bytes(), options, said);
    if (!made) {
      ADD_FAILURE() << made.error().message;
      return;
    }
    result = *std::move(made);
    open();
  }

  /// Opens the stage from the layer's text, and looks at what checking finds.
  void open() {
    stage::MemoryResolver resolver;
    text = usda::write(*result.layer);
    resolver.add("imported.usda", text);
    stage::OpenOptions options;
    options.resolver = &resolver;
    auto opened = stage::Stage::open("imported.usda", found, options);
    ASSERT_TRUE(opened) << lines_of(found);
    stage = *opened;
    skel::check_bindings(*stage, found);
    skel::check_skinning(*stage, found);
    physics::check_physics(*stage, found);
    Diagnostics ignored;
    bindings = skel::read_bindings(*stage, ignored);
    for (const stage::Prim prim : stage->root().descendants()) {
      by_name[std::string(prim.name().view())] = prim;
    }
  }

  stage::Prim prim(const std::string& name) const {
    const auto found_prim = by_name.find(name);
    if (found_prim != by_name.end()) return found_prim->second;
    ADD_FAILURE() << "no prim " << name << " in\n" << text;
    return {};
  }

  static stage::Time time_of(double seconds) {
    return seconds < 0.0 ? stage::Time() : stage::Time(seconds * 24.0);
  }

  Eigen::Matrix4d world(const std::string& name, double seconds = -1.0) const {
    return geom::world_from_prim(prim(name), time_of(seconds));
  }

  /// Points of a mesh in the world, deformed.
  std::vector<Eigen::Vector3d> points(const std::string& name, double seconds = -1.0) {
    const stage::Prim mesh = prim(name);
    const stage::Time time = time_of(seconds);
    std::vector<Vector3f> local;
    Eigen::Matrix4d place = geom::world_from_prim(mesh, time);
    const auto rest = mesh.attribute("points").get_array<Vector3f>(time);
    if (rest) local.assign(rest->begin(), rest->end());
    Diagnostics diagnostics;
    for (const skel::SkeletonBinding& binding : bindings) {
      for (const skel::SkinTarget& target : binding.targets) {
        if (target.prim.path() != mesh.path()) continue;
        skel::SkeletonPose pose;
        skel::evaluate_pose(binding, time, pose, diagnostics);
        skel::DeformedPrim deformed;
        skel::evaluate_target(target, pose, deformed, diagnostics);
        if (deformed.skinned) {
          local = deformed.points;
          place = pose.world_from_skel;
        } else if (deformed.blended) {
          local = deformed.blended_points;
        }
      }
    }
    EXPECT_EQ(lines_of(diagnostics), "");
    std::vector<Eigen::Vector3d> placed;
    for (const Vector3f& point : local) {
      placed.push_back((place * Eigen::Vector4d(point.x(), point.y(), point.z(), 1.0)).head<3>());
    }
    return placed;
  }

  template <typename T>
  std::vector<T> array(const std::string& name, const std::string& attribute) const {
    const auto values = prim(name).attribute(attribute).template get_array<T>();
    if (!values) return {};
    return {values->begin(), values->end()};
  }

  exporter::ImportedGlb result;
  Diagnostics said;   ///< By the importer.
  Diagnostics found;  ///< By checks of the stage.
  std::string text;
  stage::StagePtr stage;
  std::vector<skel::SkeletonBinding> bindings;
  std::map<std::string, stage::Prim> by_name;
};

inline double largest_difference(const std::vector<Eigen::Vector3d>& a,
                                 const std::vector<Eigen::Vector3d>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

/// Neither the importer nor the checks have anything to say.
inline void expect_clean(const Imported& imported) {
  EXPECT_EQ(lines_of(imported.said), "");
  EXPECT_EQ(lines_of(imported.found), "") << imported.text;
}

}  // namespace sinew::test
