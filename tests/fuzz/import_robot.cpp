// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes of a robot are, they are refused with a reason or become a layer that can be
// written and read again.
#include <string>

#include "fuzz/target.hpp"
#include "sinew/export/import_robot.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace {

using namespace sinew;

// Robots of four corners, and a file that includes itself, are what may be referred to.
class Resolver : public stage::MemoryResolver {
 public:
  explicit Resolver(const Bytes& bytes) {
    add("m.obj", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n"));
    add("robot.xml", bytes);
    add("m.stl", bytes);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(std::string(fuzz::as_text(data, size)));
  Resolver resolver(bytes);
  exporter::ImportRobotOptions options;
  options.resolver = &resolver;
  options.elements = 10'000;
  options.nesting = 1000;
  options.limits.decoded_bytes = 8 << 20;
  if (size % 2 != 0) options.base = exporter::RobotBase::fixed;
  Diagnostics said;
  const bool is_urdf = exporter::robot_format(bytes.text()) == exporter::RobotFormat::urdf;
  const auto made = is_urdf ? exporter::import_urdf(bytes, options, said)
                            : exporter::import_mjcf(bytes, options, said);
  fuzz::require(made || !said.empty(), "what is refused is reported");
  if (!made) return 0;
  Diagnostics found;
  const std::string text = usda::write(*made->layer);
  const auto again = usda::parse(text, "again.usda", found);
  fuzz::require(again.has_value() && (*again)->complete(), "the layer can be written and read");
  fuzz::require(layer::equal(*made->layer, **again), "what was written is read back");
  return 0;
}
