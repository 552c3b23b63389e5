// SPDX-License-Identifier: Apache-2.0
// A resolver of one's own, derived from each of the library's.
#include <cstdio>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <sinew/sinew.hpp>

namespace {

/// Counts what is read, whatever reads it.
template <typename Base>
class Counting : public Base {
 public:
  using Base::Base;
  sinew::Result<sinew::Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override {
    ++count;
    return Base::read(identifier, max_bytes);
  }
  int count = 0;
};

/// All of the interface.
class OneLayer : public sinew::stage::AssetResolver {
 public:
  sinew::Result<std::string> resolve(std::string_view path, std::string_view) override {
    return std::string(path);
  }
  sinew::Result<sinew::Bytes> read(std::string_view, std::uint64_t) override {
    return sinew::Bytes(std::string("#usda 1.0\ndef \"A\" {}\n"));
  }
};

std::size_t layers(sinew::stage::AssetResolver& resolver) {
  sinew::Diagnostics diagnostics;
  sinew::stage::OpenOptions options;
  options.resolver = &resolver;
  const auto stage = sinew::stage::Stage::open("root.usda", diagnostics, options);
  return stage ? (*stage)->layers().size() : 0;
}

/// What programs with type information do with it; the others say what these find.
bool is_told_apart(sinew::stage::AssetResolver& memory, sinew::stage::AssetResolver& files) {
#if defined(__GXX_RTTI) || defined(_CPPRTTI)
  return typeid(memory) != typeid(files) &&
         typeid(sinew::stage::PackageResolver).name() != nullptr &&
         dynamic_cast<sinew::stage::MemoryResolver*>(&memory) != nullptr &&
         dynamic_cast<sinew::stage::FileResolver*>(&files) != nullptr &&
         dynamic_cast<sinew::stage::PackageResolver*>(&files) == nullptr;
#else
  return &memory != &files;
#endif
}

}  // namespace

int main() {
  Counting<sinew::stage::MemoryResolver> memory;
  memory.add("root.usda", "#usda 1.0\n(subLayers = [@./other.usda@])\n");
  memory.add("other.usda", "#usda 1.0\n");
  Counting<sinew::stage::FileResolver> files;
  OneLayer one;
  sinew::Diagnostics diagnostics;
  Counting<sinew::stage::PackageResolver> packages(memory, diagnostics,
                                                   sinew::stage::PackageResolver::Options());

  const std::size_t in_memory = layers(memory);
  std::printf("memory: %zu layers, read %d times\n", in_memory, memory.count);
  std::printf("one: %zu layers\n", layers(one));
  const std::size_t in_packages = layers(packages);
  std::printf("packages: %zu layers, read %d times\n", in_packages, packages.count);
  const std::size_t in_files = layers(files);
  std::printf("files: %zu layers, read %d times\n", in_files, files.count);
  std::printf("told apart: %s\n", is_told_apart(memory, files) ? "yes" : "no");
  return 0;
}
