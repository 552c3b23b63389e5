// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes of a package are, its entries lie inside, all look-ups end, and what is found
// is found again.
#include <string>

#include "fuzz/target.hpp"
#include "sinew/usdz/package.hpp"
#include "sinew/usdz/package_path.hpp"
#include "sinew/usdz/writer.hpp"

namespace {

using namespace sinew;

void look_up(const usdz::Package& package, const Bytes& bytes) {
  Diagnostics diagnostics;
  for (const usdz::Entry& entry : package.entries()) {
    fuzz::require(entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset,
                  "an entry lies inside its package");
    const usdz::Entry* found = package.find(entry.name);
    fuzz::require(found != nullptr && found->name == entry.name, "an entry is found by its name");
    (void)package.read(entry, diagnostics);
    const std::string address = usdz::join(package.identifier(), entry.name);
    const bool is_plain =
        !entry.name.empty() && !entry.name.ends_with('\\') && !usdz::is_package_path(entry.name);
    fuzz::require(!is_plain || usdz::split_inner(address).first == package.identifier(),
                  "an address names its package");
  }
  if (const auto layer = package.default_layer(diagnostics)) {
    (void)package.read(*layer, diagnostics);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  const Bytes bytes = Bytes::copy_of(text);
  for (const bool strict : {false, true}) {
    usdz::OpenOptions options;
    options.rules = fuzz::rules_for(size);
    options.strict = strict;
    Diagnostics diagnostics;
    const auto package = usdz::Package::open(bytes, "p.usdz", diagnostics, options);
    if (package) look_up(*package, bytes);
    fuzz::require(package || !diagnostics.empty(), "what is refused is reported");
  }
  // The bytes as an address.
  const auto [outer, inner] = usdz::split_outer(text);
  const auto [package, file] = usdz::split_inner(text);
  fuzz::require(outer.size() + inner.size() <= size && package.size() + file.size() <= size,
                "the parts of an address are no longer than the whole");
  // And as the contents of a file.
  const usdz::File packed[] = {{"a.usda", bytes}, {"b.usdz", bytes}};
  Diagnostics diagnostics;
  const auto written = usdz::write(packed, diagnostics);
  fuzz::require(written.has_value(), "anything can be packed");
  const auto again =
      usdz::Package::open(*written, "w.usdz", diagnostics, {Rules::documented, true});
  fuzz::require(again.has_value() && again->read("a.usda", diagnostics)->text() == text,
                "what was packed is read back");
  look_up(*again, *written);
  return 0;
}
