// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/check_package.hpp"

#include <cstddef>
#include <utility>

#include "sinew/usdz/package_path.hpp"
#include "usdz/unusual_file.hpp"

namespace sinew::usdz {

namespace {

void check(const Package& package, std::size_t depth, Diagnostics& diagnostics) {
  for (const Entry& entry : package.entries()) {
    warn_if_unusual(diagnostics, package.identifier(), entry.name);
    if (content_kind(entry.name) != ContentKind::package || depth == Package::kMaxNesting) continue;
    Diagnostics of_opening;  // Told whenever something in it is read.
    Result<Bytes> bytes = package.read(entry, of_opening);
    if (!bytes) continue;
    const Result<Package> inner =
        Package::open(*std::move(bytes), join(package.identifier(), entry.name), of_opening);
    if (inner) check(*inner, depth + 1, diagnostics);
  }
}

}  // namespace

void check_package(const Package& package, Diagnostics& diagnostics) {
  check(package, 1, diagnostics);
}

}  // namespace sinew::usdz
