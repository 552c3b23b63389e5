// SPDX-License-Identifier: Apache-2.0
#include "web/open_request.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/files.hpp"
#include "core/read_double.hpp"

namespace sinew::web {

namespace {

constexpr std::uint64_t kMebibyte = 1ULL << 20;

std::string_view folder_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash + 1);
}

std::string_view file_part(std::string_view name) {
  return name.substr(folder_part(name).size());
}

bool has_scheme(std::string_view path) noexcept {
  return path.find("://") != std::string_view::npos;
}

Error not_found(std::string_view asset_path) {
  return {ErrorCode::not_found,
          "cannot find '" + std::string(asset_path) + "' among the files that were given."};
}

struct NamedLimit {
  std::string_view name;
  std::uint32_t Limits::*small = nullptr;
  std::uint64_t Limits::*large = nullptr;
};

constexpr NamedLimit kLimits[] = {
    {"primNesting", &Limits::prim_nesting, nullptr},
    {"valueNesting", &Limits::value_nesting, nullptr},
    {"variantNesting", &Limits::variant_nesting, nullptr},
    {"namesPerSpec", &Limits::names_per_spec, nullptr},
    {"layers", &Limits::layers, nullptr},
    {"arcsPerPrim", &Limits::arcs_per_prim, nullptr},
    {"arcsPerStage", &Limits::arcs_per_stage, nullptr},
    {"compositionSteps", nullptr, &Limits::composition_steps},
    {"compositionStepsPerPrim", &Limits::composition_steps_per_prim, nullptr},
    {"prims", nullptr, &Limits::prims},
    {"instanceProxies", nullptr, &Limits::instance_proxies},
    {"clipEntries", nullptr, &Limits::clip_entries},
    {"fileBytes", nullptr, &Limits::file_bytes},
    {"arrayElements", nullptr, &Limits::array_elements},
    {"arrayEditBytes", nullptr, &Limits::array_edit_bytes},
    {"decodedBytes", nullptr, &Limits::decoded_bytes},
    {"decodedPerByte", nullptr, &Limits::decoded_per_byte},
    {"valueItems", nullptr, &Limits::value_items},
};

/// `value` where it is `first` or `second`; the index of it, or -1.
int choice(std::string_view value, std::string_view first, std::string_view second) {
  return value == first ? 0 : value == second ? 1 : -1;
}

}  // namespace

const std::string* DroppedFiles::find(std::string_view asset_path, std::string_view anchor) const {
  std::string asset(stage::split_format_arguments(asset_path).path);
  if (asset.empty() || has_scheme(asset)) return nullptr;
  std::replace(asset.begin(), asset.end(), '\\', '/');
  for (const std::string& name : {join_names(folder_part(anchor), asset), asset}) {
    if (const auto found = files_.find(name); found != files_.end()) return &found->first;
  }
  const std::string* only = nullptr;
  for (const auto& [name, bytes] : files_) {
    if (file_part(name) != file_part(asset)) continue;
    if (only != nullptr) return nullptr;
    only = &name;
  }
  return only;
}

Result<std::string> DroppedFiles::resolve(std::string_view asset_path, std::string_view anchor) {
  if (const std::string* name = find(asset_path, anchor)) return *name;
  return not_found(asset_path);
}

Result<std::string> DroppedFiles::resolve_on_stage(std::string_view asset_path,
                                                   std::string_view anchor, std::string_view root) {
  for (const std::string_view from : {anchor, root}) {
    if (const std::string* name = find(asset_path, from)) return *name;
  }
  miss(asset_path);
  return not_found(asset_path);
}

Result<Bytes> DroppedFiles::read(std::string_view identifier, std::uint64_t max_bytes) {
  const auto found = files_.find(identifier);
  if (found == files_.end()) return not_found(identifier);
  if (found->second.size() > max_bytes) {
    return Error{ErrorCode::limit_exceeded,
                 "'" + std::string(identifier) + "' has " + std::to_string(found->second.size()) +
                     " bytes, more than the limit of " + std::to_string(max_bytes) + "."};
  }
  return found->second;
}

void DroppedFiles::miss(std::string_view asset_path) {
  if (asset_path.empty()) return;
  if (std::find(missing_.begin(), missing_.end(), asset_path) == missing_.end()) {
    missing_.emplace_back(asset_path);
  }
}

std::uint64_t DroppedFiles::size_in_bytes() const noexcept {
  std::uint64_t size = 0;
  for (const auto& [name, bytes] : files_) size += bytes.size();
  return size;
}

OpenRequest::OpenRequest() {
  Limits& limits = options.limits;
  limits.file_bytes = 1024 * kMebibyte;
  limits.decoded_bytes = 1024 * kMebibyte;
  limits.decoded_per_byte = 64;
  limits.array_elements = 64 * kMebibyte;
  limits.prims = 2'000'000;
  limits.instance_proxies = 1'000'000;
  limits.clip_entries = 4'000'000;
  limits.value_items = 4'000'000;
  limits.arcs_per_stage = 1'000'000;
}

Status OpenRequest::set(std::string_view name, std::string_view value) {
  const auto refuse = [&](std::string_view takes) {
    return Status(ErrorCode::invalid_argument, std::string(name) + " takes " + std::string(takes) +
                                                   ", not '" + std::string(value) + "'.");
  };
  if (name == "rules") {
    const int which = choice(value, "documented", "openusd");
    if (which < 0) return refuse("'documented' or 'openusd'");
    options.rules = which == 0 ? Rules::documented : Rules::openusd;
    return {};
  }
  if (name == "payloads") {
    const int which = choice(value, "load", "skip");
    if (which < 0) return refuse("'load' or 'skip'");
    options.payloads = which == 0 ? stage::Payloads::load : stage::Payloads::skip;
    return {};
  }
  if (name == "interpolation") {
    const int which = choice(value, "linear", "held");
    if (which < 0) return refuse("'linear' or 'held'");
    options.interpolation = which == 0 ? stage::Interpolation::linear : stage::Interpolation::held;
    return {};
  }
  if (name == "closedPackages") {
    const int which = choice(value, "false", "true");
    if (which < 0) return refuse("true or false");
    options.closed_packages = which == 1;
    return {};
  }
  for (const NamedLimit& limit : kLimits) {
    if (limit.name != name) continue;
    const std::optional<double> number = read_double(value);
    if (!number || !(*number >= 0.0)) return refuse("a number that is not negative");
    const auto clamped = [&]<typename T>(T) {
      constexpr T kMost = std::numeric_limits<T>::max();
      return *number >= static_cast<double>(kMost) ? kMost : static_cast<T>(*number);
    };
    if (limit.small != nullptr) options.limits.*limit.small = clamped(std::uint32_t{});
    if (limit.large != nullptr) options.limits.*limit.large = clamped(std::uint64_t{});
    return {};
  }
  return {ErrorCode::invalid_argument, "there is no option '" + std::string(name) + "'."};
}

std::string session_layer_of(const std::map<std::string, std::string>& animations) {
  std::string text = "#usda 1.0\n";
  for (const auto& [skeleton, animation] : animations) {
    std::size_t depth = 0;
    for (std::size_t at = 1; at < skeleton.size();) {
      const std::size_t end = std::min(skeleton.find('/', at), skeleton.size());
      text += "over \"" + skeleton.substr(at, end - at) + "\" {\n";
      ++depth;
      at = end + 1;
    }
    text += "rel skel:animationSource = <" + animation + ">\n";
    for (; depth != 0; --depth) text += "}\n";
  }
  return text;
}

}  // namespace sinew::web
