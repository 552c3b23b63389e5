// SPDX-License-Identifier: Apache-2.0
// Composition: the input is cut before every "#usda" into layers a.usda, b.usda, ... that may refer
// to each other; the first is opened as a stage and everything on it is read.
#include <string>
#include <string_view>

#include "fuzz/target.hpp"
#include "sinew/geom/collections.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;

constexpr std::size_t kPrimsRead = 200;  // Instances show a prim many times.

stage::MemoryResolver make_layers(std::string_view text) {
  stage::MemoryResolver resolver;
  char name = 'a';
  do {
    const std::size_t next = text.find("#usda", 1);
    resolver.add(std::string(1, name) + ".usda", std::string(text.substr(0, next)));
    text = next == std::string_view::npos ? std::string_view() : text.substr(next);
  } while (!text.empty() && ++name <= 'z');
  return resolver;
}

void read_attribute(const stage::Attribute& attribute, Diagnostics& diagnostics) {
  for (const stage::Time time : {stage::Time::default_time(), stage::Time(1.5)}) {
    (void)attribute.value(time);
    (void)attribute.source(time);
  }
  (void)attribute.time_samples();
  (void)attribute.connections(&diagnostics);
  (void)attribute.resolved_asset();
  (void)attribute.explain(1.0);
}

void read_prim(const stage::Prim& prim, Diagnostics& diagnostics) {
  const stage::Stage& stage = prim.stage();
  if (!prim.is_root()) {
    fuzz::require(stage.prim(prim.path()) == prim, "a prim is found at its path");
  }
  for (const stage::Attribute& attribute : prim.attributes()) {
    read_attribute(attribute, diagnostics);
  }
  for (const stage::Relationship& relationship : prim.relationships()) {
    (void)relationship.targets(&diagnostics);
    (void)relationship.forwarded_targets(&diagnostics);
    (void)relationship.explain();
  }
  for (const char* key :
       {"customData", "assetInfo", "kind", "clips", "apiSchemas", "instanceable"}) {
    (void)prim.metadata(key);
  }
  (void)prim.variant_selections();
  (void)prim.has_api("CollectionAPI");
  (void)geom::local_transform(prim, 1.0, &diagnostics);
  (void)geom::world_from_prim(prim, stage::Time::earliest(), &diagnostics);
  (void)geom::local_transform_samples(prim);
  const geom::Collection collection = geom::Collection::read(prim, "c", &diagnostics);
  (void)collection.contains(prim.path());
  (void)collection.contains(prim);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stage::MemoryResolver resolver = make_layers(fuzz::as_text(data, size));
  stage::OpenOptions options;
  options.rules = fuzz::rules_for(size);
  options.limits = fuzz::small_limits();
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto opened = stage::Stage::open("a.usda", diagnostics, options);
  if (!opened) {
    fuzz::require(count(diagnostics, Severity::error) != 0, "a stage that fails says why");
    return 0;
  }
  const stage::Stage& stage = **opened;
  fuzz::require(stage.prim_count() <= options.limits.prims, "the limit of prims holds");
  geom::MaterialBindings materials(stage, "physics");
  std::size_t read = 0;
  for (const stage::Prim prim : stage.root().descendants(stage::Traversal::all())) {
    read_prim(prim, diagnostics);
    if (!prim.is_root()) (void)materials.resolve(prim);
    if (++read == kPrimsRead) break;
  }
  return 0;
}
