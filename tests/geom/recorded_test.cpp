// SPDX-License-Identifier: Apache-2.0
// A scene with some of everything that geometry knows, and each of its words with something wrong
// in its place: what comes of it and everything that is said, as recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

#include "geom/everything_scene.hpp"
#include "sinew/geom/bounds.hpp"
#include "sinew/geom/collections.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/subsets.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/visibility.hpp"
#include "support/recorded_scene.hpp"

namespace sinew::geom::recorded_test {
namespace {

template <typename Vector>
std::string text_of(const Vector& v) {
  return fmt::format("({:.6g} {:.6g} {:.6g})", test::plain(v[0]), test::plain(v[1]),
                     test::plain(v[2]));
}

std::string text_of(const Matrix4d& m) {
  std::string text;
  for (int column = 0; column < 4; ++column) text += text_of(Vector3d(m.col(column).head<3>()));
  return text;
}

template <typename Range>
std::string text_of_range(const Range& range) {
  return range.empty() ? "empty" : text_of(range.min) + text_of(range.max);
}

void describe_mesh(const stage::Prim& prim, Diagnostics& diagnostics, std::string& text) {
  const Mesh mesh = read_mesh(prim, {}, &diagnostics);
  const Triangles triangles = triangulate(mesh);
  text += fmt::format("  mesh {}{}{}, {} points, {} faces, {} holes, {} normals, {} uvs {}\n",
                      to_string(mesh.subdivision), mesh.left_handed ? " left-handed" : "",
                      mesh.double_sided ? " double-sided" : "", mesh.points.size(),
                      mesh.face_counts.size(), mesh.hole_faces.size(), mesh.normals.size(),
                      mesh.uvs.size(), mesh.uv_name.view());
  text += fmt::format("  triangles {}; left out {} {} {} {}\n", fmt::join(triangles.corners, " "),
                      triangles.hole_faces, triangles.small_faces, triangles.broken_faces,
                      triangles.not_finite_faces);
  for (const std::string& family : subset_families(prim)) {
    const Status status = check_subset_family(prim, SubsetElement::face, family, {}, &diagnostics);
    const auto unassigned = unassigned_indices(prim, SubsetElement::face, family);
    text += fmt::format(
        "  family {} of type {}: {}, unassigned {}\n", family,
        static_cast<int>(subset_family_type(prim, family)),
        status ? "good" : status.error().message,
        unassigned ? fmt::format("{}", fmt::join(*unassigned, " ")) : unassigned.error().message);
  }
}

void describe(const stage::Prim& prim, MaterialBindings& bindings, BoundsCache& bounds,
              Diagnostics& diagnostics, std::string& text) {
  text += fmt::format("{} {}\n", prim.path().view(), prim.type_name().view());
  for (const double time : {0.0, 3.0, 4.0}) {
    const LocalTransform local = local_transform(prim, time, &diagnostics);
    text += fmt::format("  @{}{} {}{}\n", time, local.resets_stack ? " reset" : "",
                        text_of(local.parent_from_prim),
                        compute_visibility(prim, time) == Visibility::invisible ? " hidden" : "");
  }
  const PurposeInfo purpose = compute_purpose(prim);
  text += fmt::format("  {}{}, bound {}\n", to_string(purpose.purpose),
                      purpose.inheritable ? " for all below" : "",
                      text_of_range(aligned_range(bounds.world_bound(prim))));
  if (const auto own = extent(prim, {}, &diagnostics)) {
    text += fmt::format("  extent {}\n", text_of_range(*own));
  }
  const MaterialBinding binding = bindings.resolve(prim);
  if (binding.bound) {
    text += fmt::format("  {} by {}\n",
                        binding.material ? binding.material.path().view() : "no material",
                        binding.relationship.view());
  }
  for (const Primvar& primvar : find_inherited_primvars(prim)) {
    const Status status = check_primvar(primvar, prim);
    const Result<layer::Value> flat = primvar.flattened();
    text += fmt::format("  primvar {} {} x{}: {}; {}\n", primvar.name(),
                        to_string(primvar.interpolation()), primvar.element_size(),
                        status ? "good" : status.error().message,
                        flat ? fmt::format("{} values", flat->size()) : flat.error().message);
  }
  if (prim.is_a(stage::SchemaType::mesh)) describe_mesh(prim, diagnostics, text);
}

test::ToldScene tell(const std::string& scene) {
  stage::MemoryResolver resolver;
  const stage::StagePtr stage = test::open_without_errors(resolver, scene);
  test::ToldScene told;
  if (stage == nullptr) return told;
  told.is_usable = true;
  Diagnostics diagnostics;
  BoundsCache bounds(0.0, {.purposes = PurposeSet::all(), .diagnostics = &diagnostics});
  MaterialBindings bindings(*stage, "");
  for (const stage::Prim prim : stage->root().descendants()) {
    describe(prim, bindings, bounds, diagnostics, told.result);
  }
  const stage::Prim world = stage->prim("/World");
  for (const char* name : {"parts", "some"}) {
    if (!world) break;
    const Collection collection = Collection::read(world, name, &diagnostics);
    told.result += fmt::format("{}: {}\n ", name, collection.expression());
    for (const char* path : {"/World", "/World/Body", "/World/Body/Ball", "/World/Body/Box",
                             "/World/Points", "/World/Curves", "/World/Curves.widths"}) {
      if (collection.contains(layer::Path::from_trusted(path)))
        told.result += fmt::format(" {}", path);
    }
    told.result += "\n";
  }
  told.said = test::lines_of(diagnostics, "  ");
  return told;
}

TEST(RecordedGeometry, IsTheSameLineByLine) {
  const test::ToldScene told = tell(kEverything);
  ASSERT_TRUE(told.is_usable);
  test::expect_recorded("everything.geom.txt", told.said + told.result);
}

TEST(RecordedGeometry, IsToldWhatIsWrongInEveryPlace) {
  test::expect_recorded(
      "faults.geom.txt",
      test::told_of_each_damage(
          kEverything, {"", "-1", "7", "nan", "\"a\"", "</World/Nothing>", "None", "token"}, tell) +
          test::told_of_each_other_type(kEverything, tell));
}

}  // namespace
}  // namespace sinew::geom::recorded_test
