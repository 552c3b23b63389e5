// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/usdz/package.hpp"

namespace sinew::stage {

/// Finds files inside .usdz packages too, whatever resolver finds the packages themselves. A stage
/// wraps the resolver that it is given in one of these; wrap yours to find the textures of a stage.
///
/// The identifier of a file in a package is "/dir/set.usdz[house/Table.usd]". A package where a
/// layer is wanted means its first file. In a layer inside a package, "./" and "../" lead to files
/// of that package and nowhere else; other relative paths are looked for beside the layer, then
/// beside the package's first file, then outside.
class SINEW_API PackageResolver : public AssetResolver {
 public:
  /// How packages are read, and what may be reached from inside.
  struct Options {
    /// How lists of entries are read, and whether '\' separates directories (documented: it does).
    Rules rules = Rules::documented;
    /// Nothing that is written inside a package leads out of it.
    bool closed_packages = false;
    /// Packages whose list of entries is not what is in them are refused.
    bool strict = false;
    std::uint64_t max_bytes = Limits().file_bytes;  ///< Of a package.
  };

  /// What is wrong with packages goes to `diagnostics`. Both are used as long as this lives.
  PackageResolver(AssetResolver& outside, Diagnostics& diagnostics, const Options& options)
      : outside_(outside), diagnostics_(diagnostics), options_(options) {}

  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override;
  Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                       std::string_view root) override;
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override;

 private:
  using PackagePtr = std::shared_ptr<const usdz::Package>;

  Result<PackagePtr> open(const std::string& identifier);
  Result<PackagePtr> open_new(const std::string& identifier);
  // `root` is the root layer of the stage; null where there is none to look beside.
  Result<std::string> resolve_from(std::string_view asset, std::string_view anchor,
                                   const std::string_view* root);
  Result<std::string> resolve_outside(std::string_view asset, std::string_view anchor,
                                      const std::string_view* root);
  Result<std::string> resolve_inside(const std::string& asset, const std::string& package,
                                     std::string_view layer, const std::string_view* root);
  Result<std::string> enter(const std::string& found, const std::string& inner);
  Result<std::string> default_layer_of(const std::string& package);
  void tell(Diagnostics&& of_reading);
  const usdz::Entry* find_entry(const usdz::Package& package, std::string_view directory,
                                const std::string& path);

  AssetResolver& outside_;
  Diagnostics& diagnostics_;
  Options options_;
  std::map<std::string, Result<PackagePtr>, std::less<>> packages_;  // By identifier.
  std::map<std::string, Result<std::string>> default_layers_;        // Of those.
  std::set<std::string> with_backslashes_;  // Paths in packages that were told of.
  std::size_t wrong_checksums_ = 0;         // That were told of.
};

}  // namespace sinew::stage
