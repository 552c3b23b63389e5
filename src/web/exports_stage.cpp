// SPDX-License-Identifier: Apache-2.0
// What is asked of a stage: prims, values, physics, files.

#include "sinew/export/json.hpp"
#include "web/exports.hpp"
#include "web/number_kind.hpp"

using namespace sinew;
using namespace sinew::web;

SINEW_WEB_EXPORT(sinew_summary)(std::uint32_t handle, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) answer->give(stage->summary());
}

SINEW_WEB_EXPORT(sinew_diagnostics)(std::uint32_t handle, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) answer->give(stage->diagnostics());
}

SINEW_WEB_EXPORT(sinew_tree)(std::uint32_t handle, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) answer->give(stage->tree());
}

SINEW_WEB_EXPORT(sinew_properties)
(std::uint32_t handle, const char* path, std::uint32_t size, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) {
    give(stage->properties(text_at(path, size)), answer);
  }
}

/// The value of an attribute. `kind` tells what it is: NumberKind::none is a JSON text, which
/// JavaScript frees; else numbers, valid until the next call.
SINEW_WEB_EXPORT(sinew_attribute)
(std::uint32_t handle, const char* path, std::uint32_t size, double time, Answer* answer)->void {
  WebStage* const stage = stage_or_fail(handle, answer);
  if (stage == nullptr) return;
  Result<layer::Value> value = stage->attribute(text_at(path, size), time_of(time));
  if (!value) {
    answer->fail(value.error());
    return;
  }
  const NumberKind kind = number_kind(*value);
  answer->kind = static_cast<std::uint32_t>(kind);
  if (kind == NumberKind::none) {
    exporter::JsonWriter json;
    exporter::write_value_json(json, *value);
    answer->give(json.take());
    return;
  }
  stage->last_value = *std::move(value);
  answer->show(stage->last_value.bytes());
}

SINEW_WEB_EXPORT(sinew_explain)
(std::uint32_t handle, const char* path, std::uint32_t size, double time, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) {
    give(stage->explain(text_at(path, size), time_of(time)), answer);
  }
}

SINEW_WEB_EXPORT(sinew_physics)(std::uint32_t handle, std::uint32_t si, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) answer->give(stage->physics(si != 0));
}

SINEW_WEB_EXPORT(sinew_masses)(std::uint32_t handle, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) answer->give(stage->masses());
}

SINEW_WEB_EXPORT(sinew_collide)
(std::uint32_t handle, const char* a, std::uint32_t a_size, const char* b, std::uint32_t b_size,
 Answer* answer)
    ->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) {
    give(stage->collide(text_at(a, a_size), text_at(b, b_size)), answer);
  }
}

/// Points (three doubles each) and triangles (three ints each) of a collider, in metres and in its
/// frame, valid until the next call.
SINEW_WEB_EXPORT(sinew_shape_mesh)
(std::uint32_t handle, std::uint32_t shape, std::uint32_t form, Answer* answer)->void {
  WebStage* const stage = stage_or_fail(handle, answer);
  if (stage == nullptr) return;
  const physics::HullMesh* const mesh = stage->shape_mesh(
      shape, form == 1 ? WebStage::ShapeForm::hull : WebStage::ShapeForm::surface);
  if (mesh == nullptr) {
    answer->fail({ErrorCode::index_out_of_range, "there is no such collider."});
    return;
  }
  answer->show(std::span<const Vector3d>(mesh->points));
  answer->show_more(std::span<const std::array<std::int32_t, 3>>(mesh->triangles));
}

/// The stage as binary glTF, which JavaScript frees.
SINEW_WEB_EXPORT(sinew_glb)
(std::uint32_t handle, const char* options, std::uint32_t size, Answer* answer)->void {
  if (WebStage* const stage = stage_or_fail(handle, answer)) {
    give(stage->glb(text_at(options, size)), answer);
  }
}

/// The bytes of a file, valid until the next call.
SINEW_WEB_EXPORT(sinew_file)
(std::uint32_t handle, const char* identifier, std::uint32_t size, Answer* answer)->void {
  WebStage* const stage = stage_or_fail(handle, answer);
  if (stage == nullptr) return;
  Result<Bytes> bytes = stage->file(text_at(identifier, size));
  if (!bytes) {
    answer->fail(bytes.error());
    return;
  }
  stage->last_file = *std::move(bytes);
  answer->show(stage->last_file.span());
}
