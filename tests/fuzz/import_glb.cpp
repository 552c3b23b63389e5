// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes of a glTF file are, it is refused with a reason or becomes a layer that can be
// written and read again.
#include <algorithm>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace {

using namespace sinew;

// The bytes as they are, or, unless they are a container, as JSON and what follows a NUL as the
// binary chunk.
std::string container_of(std::string_view text) {
  if (text.starts_with("glTF")) return std::string(text);
  const std::size_t end = std::min(text.find('\0'), text.size());
  const std::string_view json = text.substr(0, end);
  const std::string_view binary = end < text.size() ? text.substr(end + 1) : std::string_view();
  std::string bytes = "glTF";
  const auto word = [&](std::size_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
  };
  word(2);
  word(28 + json.size() + binary.size());
  word(json.size());
  bytes.append("JSON").append(json);
  word(binary.size());
  bytes.append("BIN\0", 4).append(binary);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(container_of(fuzz::as_text(data, size)));
  exporter::ImportGlbOptions options;
  options.limits.decoded_bytes = 8 << 20;
  if (size % 2 != 0) {
    options.up = Axis::z;
    options.meters_per_unit = 0.01;
  }
  Diagnostics said;
  const auto made = exporter::import_glb(bytes, options, said);
  fuzz::require(made || !said.empty(), "what is refused is reported");
  if (!made) return 0;
  Diagnostics found;
  const std::string text = usda::write(*made->layer);
  const auto again = usda::parse(text, "again.usda", found);
  fuzz::require(again.has_value() && (*again)->complete(), "the layer can be written and read");
  fuzz::require(layer::equal(*made->layer, **again), "what was written is read back");
  return 0;
}
