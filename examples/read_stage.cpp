// SPDX-License-Identifier: CC0-1.0
// Composes a file and lists its meshes with their points at a time.
// Run: read_stage FILE.usda [TIME]

#include <cstdio>
#include <cstdlib>

#include "sinew/geom/transforms.hpp"
#include "sinew/stage/stage.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: read_stage FILE.usda [TIME]\n");
    return 2;
  }
  const sinew::stage::Time time =
      argc == 3 ? sinew::stage::Time(std::atof(argv[2])) : sinew::stage::Time::earliest();
  sinew::Diagnostics diagnostics;
  const auto stage = sinew::stage::Stage::open(std::string(argv[1]), diagnostics);
  // What could not be found or composed is listed; everything else is there.
  for (const sinew::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", sinew::format(diagnostic).c_str());
  }
  if (!stage) return 1;

  for (const sinew::stage::Prim prim :
       (*stage)->root().descendants(sinew::stage::Traversal::with_instance_proxies())) {
    if (!prim.is_a(sinew::stage::SchemaType::mesh)) continue;
    const auto attribute = prim.attribute("points");
    const auto points = attribute ? attribute.get_array<sinew::Vector3f>(time) : std::nullopt;
    const sinew::Matrix4d world = sinew::geom::world_from_prim(prim, time);
    std::printf("%s: %zu points, origin at (%g, %g, %g)\n", prim.path().str().c_str(),
                points ? points->size() : 0, world(0, 3), world(1, 3), world(2, 3));
  }
}
