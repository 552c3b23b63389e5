// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::web {

/// The files that a page handed over. A path is looked for beside the layer that wrote it, then as
/// it stands, then by its file name alone where exactly one file has that name. What is not found
/// is remembered, so that the page can ask for it.
class DroppedFiles : public stage::AssetResolver {
 public:
  /// Takes a file over; a second one of the same name replaces the first.
  void add(std::string name, Bytes bytes) { files_[std::move(name)] = std::move(bytes); }

  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override;
  Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                       std::string_view root) override;
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override;

  /// Paths that layers ask for and no file answers, as they are written, each once, in order.
  const std::vector<std::string>& missing() const noexcept { return missing_; }
  /// Adds to missing().
  void miss(std::string_view asset_path);
  /// All files together.
  std::uint64_t size_in_bytes() const noexcept;

 private:
  const std::string* find(std::string_view asset_path, std::string_view anchor) const;

  std::map<std::string, Bytes, std::less<>> files_;
  std::vector<std::string> missing_;
};

/// What a stage is to be made of: files and options, collected call by call.
struct OpenRequest {
  DroppedFiles files;          ///< All that can be reached.
  stage::OpenOptions options;  ///< With limits for files that nobody vouches for.
  /// Skeleton path -> path of the SkelAnimation that plays it instead of its own.
  std::map<std::string, std::string> animations;

  OpenRequest();

  /// Sets an option by the name that the JavaScript interface has for it: "rules", "payloads",
  /// "closedPackages", "interpolation" or one of Limits in camel case.
  /// @return ok, or invalid_argument with the values that it takes.
  Status set(std::string_view name, std::string_view value);
};

/// The text of a session layer that binds skeletons to other animations.
std::string session_layer_of(const std::map<std::string, std::string>& animations);

}  // namespace sinew::web
