// SPDX-License-Identifier: Apache-2.0
// Memory, and how a stage comes to be.

#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "sinew/core/simd.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/version.hpp"
#include "web/exports.hpp"

using namespace sinew;
using namespace sinew::web;

SINEW_WEB_EXPORT(sinew_version)(Answer* answer)->void {
  answer->give(SINEW_VERSION);
}

/// 1 if kernels use SIMD.
SINEW_WEB_EXPORT(sinew_simd)()->std::uint32_t {
  return is_supported(SimdLevel::wasm) ? 1 : 0;
}

/// Memory for JavaScript to write into; null if there is none left.
SINEW_WEB_EXPORT(sinew_allocate)(std::uint32_t size)->void* {
  return std::malloc(size == 0 ? 1 : size);
}

/// Gives back what sinew_allocate() gave, or the data of an answer that says so.
SINEW_WEB_EXPORT(sinew_free)(void* memory)->void {
  std::free(memory);
}

/// Begins to collect files and options.
SINEW_WEB_EXPORT(sinew_request)()->std::uint32_t {
  return handles().add(std::make_unique<OpenRequest>());
}

/// Adds a file. Takes the bytes over, which sinew_allocate() gave.
SINEW_WEB_EXPORT(sinew_request_file)
(std::uint32_t request, const char* name, std::uint32_t name_size, std::byte* bytes,
 std::uint32_t size)
    ->void {
  const std::shared_ptr<void> owner(bytes, [](void* memory) { std::free(memory); });
  if (OpenRequest* const asked = handles().request(request)) {
    asked->files.add(std::string(text_at(name, name_size)),
                     Bytes(std::span<const std::byte>(bytes, size), owner));
  }
}

/// Sets an option by name; see OpenRequest::set().
SINEW_WEB_EXPORT(sinew_request_option)
(std::uint32_t request, const char* name, std::uint32_t name_size, const char* value,
 std::uint32_t value_size, Answer* answer)
    ->void {
  OpenRequest* const asked = handles().request(request);
  if (asked == nullptr) return;
  const Status status = asked->set(text_at(name, name_size), text_at(value, value_size));
  if (!status) answer->fail(status.error());
}

/// Selects a variant, whatever the layers say.
SINEW_WEB_EXPORT(sinew_request_variant)
(std::uint32_t request, const char* prim, std::uint32_t prim_size, const char* set,
 std::uint32_t set_size, const char* variant, std::uint32_t variant_size)
    ->void {
  if (OpenRequest* const asked = handles().request(request)) {
    asked->options.variant_selections[std::string(text_at(prim, prim_size))]
                                     [std::string(text_at(set, set_size))] =
        text_at(variant, variant_size);
  }
}

/// Binds a skeleton to another animation.
SINEW_WEB_EXPORT(sinew_request_animation)
(std::uint32_t request, const char* skeleton, std::uint32_t skeleton_size, const char* animation,
 std::uint32_t animation_size, Answer* answer)
    ->void {
  OpenRequest* const asked = handles().request(request);
  if (asked == nullptr) return;
  // They are written into a layer, so they must be paths and nothing else.
  const auto from = layer::Path::parse(text_at(skeleton, skeleton_size));
  const auto to = layer::Path::parse(text_at(animation, animation_size));
  if (!from || !to || !from->is_absolute() || !from->is_prim() || !to->is_absolute() ||
      !to->is_prim()) {
    answer->fail({ErrorCode::invalid_argument, "animations takes paths of prims."});
    return;
  }
  asked->animations[from->str()] = to->str();
}

/// Opens what was collected, and ends the request.
/// @return The stage, or 0 with an error. The answer is WebStage::summary().
SINEW_WEB_EXPORT(sinew_open)
(std::uint32_t request, const char* root, std::uint32_t root_size, Answer* answer)->std::uint32_t {
  std::unique_ptr<OpenRequest> asked = handles().take_request(request);
  if (asked == nullptr) {
    answer->fail({ErrorCode::invalid_argument, "the request has been used."});
    return 0;
  }
  const std::string name(text_at(root, root_size));
  auto stage = WebStage::open(std::move(asked), name);
  if (!stage) {
    answer->fail(stage.error(), name);
    return 0;
  }
  answer->give((*stage)->summary());
  return handles().add(*std::move(stage));
}

/// Lets a stage or a request go.
SINEW_WEB_EXPORT(sinew_dispose)(std::uint32_t handle)->void {
  handles().remove(handle);
}
