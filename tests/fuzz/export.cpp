// SPDX-License-Identifier: Apache-2.0
// Whatever a stage holds, what is written of it as glTF is a sound container.
#include <cstring>
#include <string>

#include "fuzz/open_stage.hpp"
#include "fuzz/target.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;

std::uint32_t word(const Buffer& file, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

void check(const Buffer& file) {
  fuzz::require(file.size() >= 20 && word(file, 0) == 0x46546C67 && word(file, 8) == file.size(),
                "a file has a header and its length");
  const std::size_t json = word(file, 12);
  fuzz::require(json % 4 == 0 && 20 + json <= file.size(), "the JSON chunk is inside");
  const std::size_t rest = 20 + json;
  if (rest == file.size()) return;
  fuzz::require(rest + 8 <= file.size() && rest + 8 + word(file, rest) == file.size(),
                "the binary chunk ends with the file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stage::MemoryResolver resolver;
  Diagnostics diagnostics;
  const stage::StagePtr stage = fuzz::open_stage(data, size, resolver, diagnostics);
  if (stage == nullptr) return 0;
  exporter::GlbOptions glb;
  glb.resolver = &resolver;
  glb.limits.nodes = 5'000;
  glb.limits.vertices = 100'000;
  glb.limits.keys = 200'000;
  glb.instancing = size % 3 == 0 ? exporter::GlbInstancing::gpu : exporter::GlbInstancing::nodes;
  glb.influences = size % 5 == 0 ? exporter::GlbInfluences::all : exporter::GlbInfluences::four;
  const auto file = exporter::write_glb(*stage, glb, diagnostics);
  if (!file) {
    fuzz::require(file.error().code == ErrorCode::limit_exceeded,
                  "what is not written is beyond a limit");
    return 0;
  }
  check(file->bytes);
  return 0;
}
