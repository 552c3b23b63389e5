// SPDX-License-Identifier: Apache-2.0
// sinew convert: layers rewritten in another encoding, one or a folder of them.

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "paths.hpp"
#include "sinew/stage/pack.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/package.hpp"
#include "sinew/usdz/package_path.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::tool {

namespace fs = std::filesystem;

namespace {

// "0.8.0", or shorter "0.8".
std::optional<usdc::Version> parse_version(std::string_view text) {
  std::uint8_t numbers[3] = {};
  std::size_t count = 0;
  for (; count < 3; ++count) {
    const char* const end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, numbers[count]);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (text.empty()) break;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
  const usdc::Version version = {numbers[0], numbers[1], numbers[2]};
  const bool known = count >= 1 && count < 3 && numbers[2] == 0 &&
                     version >= usdc::kOldestWritten && version <= usdc::kNewestWritten;
  return known ? std::optional(version) : std::nullopt;
}

void add_assets(const layer::Value& value, std::set<std::string>& files) {
  if (value.type() != layer::ElementType::asset) return;
  if (!value.is_array()) files.emplace(value.text().value_or(""));
  for (const Token asset : value.as_array<Token>()) files.insert(asset.str());
}

void add_assets(const layer::ListOp<layer::Reference>& arcs, std::set<std::string>& files) {
  for (const auto* list : {&arcs.explicit_items, &arcs.added, &arcs.prepended, &arcs.appended}) {
    for (const layer::Reference& arc : *list) files.insert(arc.asset.str());
  }
}

// The other files that a layer names, by arcs and by values, as they are written.
std::set<std::string> files_named_in(const layer::Layer& layer) {
  std::set<std::string> files;
  for (const layer::SubLayer& sub_layer : layer.sub_layers()) files.insert(sub_layer.asset.str());
  std::vector<const layer::PrimSpec*> open = {&layer.root()};  // Variants nest as deep as prims.
  while (!open.empty()) {
    const layer::PrimSpec& prim = *open.back();
    open.pop_back();
    for (const layer::PropertySpec& property : prim.properties) {
      add_assets(property.default_value, files);
      if (const layer::TimeSamples* samples = property.time_samples()) {
        for (const layer::Value& value : samples->values) add_assets(value, files);
      }
    }
    open.insert(open.end(), prim.children.begin(), prim.children.end());
    if (prim.extra == nullptr) continue;
    add_assets(prim.extra->references, files);
    add_assets(prim.extra->payloads, files);
    for (const auto& set : prim.extra->variant_sets) {
      for (const auto& variant : set.variants) open.push_back(variant.prim);
    }
  }
  files.erase("");
  return files;
}

// A package of one layer has no place for what the layer names.
void tell_what_is_not_packed(const layer::Layer& layer, Diagnostics& diagnostics) {
  const std::set<std::string> files = files_named_in(layer);
  if (files.empty()) return;
  Diagnostic& diagnostic = diagnostics.emplace_back();
  diagnostic.code = "convert-not-packed";
  diagnostic.message = fmt::format(
      "The package holds the layer alone; {} files that it names are not packed, such "
      "as '{}'.",
      files.size(), *files.begin());
  diagnostic.file = layer.identifier();
  diagnostic.hint = "--pack packs them too";
}

// Paths of assets stay as they are written: of layers that are now called otherwise, or lie in the
// package that this one was taken from.
void tell_of_names_kept(const FileJob& job, const layer::Layer& layer, bool is_one_of_many,
                        Diagnostics& diagnostics) {
  const bool was_packed = usdz::is_package_path(layer.identifier());
  const std::string ending = extension_of(job.output);
  if (usdz::is_package_name(job.output) || (!was_packed && !is_one_of_many)) return;
  std::set<std::string> files = files_named_in(layer);
  std::erase_if(files, [&](const std::string& file) {
    const std::string extension = extension_of(file);
    const bool is_layer = extension == ".usd" || extension == ".usda" || extension == ".usdc";
    return path_of(file).is_absolute() || file.find("://") != std::string::npos ||
           (!was_packed && (!is_layer || extension == ending));
  });
  if (files.empty()) return;
  Diagnostic& diagnostic = diagnostics.emplace_back();
  diagnostic.code = "convert-names-kept";
  diagnostic.file = layer.identifier();
  if (was_packed) {
    diagnostic.message = fmt::format(
        "{} files that the layer names, such as '{}', are not beside '{}': they are in the "
        "package.",
        files.size(), *files.begin(), job.output);
  } else {
    diagnostic.message = fmt::format(
        "The layer still names {} layers as before, such as '{}'; those that are made end in '{}'.",
        files.size(), *files.begin(), ending);
    diagnostic.hint = "layers that are named '.usd' keep their names whatever is in them";
  }
}

// Whether the file is a package with more in it than its first layer.
bool holds_more(const std::string& file) {
  Result<Bytes> bytes = map_file(file);
  if (!bytes) return false;
  Diagnostics unused;
  const Result<usdz::Package> package = usdz::Package::open(*std::move(bytes), file, unused);
  return package && package->entries().size() > 1;
}

// The layer and all it needs, in a package.
Status write_package(FileJob& job, const ConvertOptions& options, layer::LayerPtr layer,
                     usdc::Version version) {
  stage::PackOptions pack;
  pack.open = open_options(options.common);
  pack.name = utf8_of(path_of(job.output).stem()) + ".usdc";
  pack.binary = version;
  pack.layer = std::move(layer);
  const Result<std::vector<usdz::File>> files = stage::pack(job.input, job.diagnostics, pack);
  if (!files) return files.error();
  if (Status made = make_folder_of(job.output); !made) return made;
  const WriteScope scope;
  return usdz::write_file(*files, job.output, job.diagnostics);
}

void convert(FileJob& job, const ConvertOptions& options, usdc::Version version,
             bool is_one_of_many) {
  if (options.output.skip_existing && is_there(job.input) && is_there(job.output)) {
    job.is_skipped = true;
    return;
  }
  const std::string file = file_of(job.input);
  if (file != job.input && is_same_file(file, job.output)) {
    return job.fail({ErrorCode::invalid_argument,
                     "convert: the output would replace the package of '" + job.input + "'"});
  }
  if (usdz::is_package_name(job.output) && !options.pack && is_same_file(file, job.output) &&
      holds_more(file)) {
    return job.fail(
        {ErrorCode::invalid_argument,
         "convert: the output would replace '" + file +
             "' and all that it holds besides the layer; --pack keeps what that needs"});
  }
  const auto layer = read_layer(job.input, options.common, job.diagnostics);
  if (!layer) return job.fail_to_open(layer.error());
  const Status status = options.pack && usdz::is_package_name(job.output)
                            ? write_package(job, options, *layer, version)
                            : write_layer(**layer, job.output, version, job.diagnostics);
  if (!status) return job.fail(status.error());
  tell_of_names_kept(job, **layer, is_one_of_many, job.diagnostics);
}

// A sentence about an option that no output can follow. All have the same extension.
std::string unusable_option(std::span<const FileJob> jobs, const ConvertOptions& options) {
  const auto first = std::find_if(jobs.begin(), jobs.end(),
                                  [](const FileJob& job) { return !job.output.empty(); });
  if (first == jobs.end()) return {};
  if (options.pack && !usdz::is_package_name(first->output)) {
    return "convert: --pack makes packages, and '" + first->output + "' is none";
  }
  if (options.usdc_version && extension_of(first->output) == ".usda") {
    return "convert: --usdc-version is that of binary files, and '" + first->output + "' is text";
  }
  return {};
}

}  // namespace

Status write_layer(const layer::Layer& layer, const std::string& file, usdc::Version version,
                   Diagnostics& diagnostics) {
  if (Status made = make_folder_of(file); !made) return made;
  const WriteScope scope;
  const fs::path path = path_of(file);
  const std::string extension = extension_of(file);
  if (extension == ".usda") return usda::write_file(layer, file, diagnostics);
  usdc::WriteOptions options;
  options.version = version;
  if (extension != ".usdz") return usdc::write_file(layer, file, diagnostics, options);
  tell_what_is_not_packed(layer, diagnostics);
  Result<Bytes> bytes = usdc::write(layer, diagnostics, options);
  if (!bytes) return std::move(bytes).error();
  const usdz::File only = {utf8_of(path.stem()) + ".usdc", *std::move(bytes)};
  return usdz::write_file({&only, 1}, file, diagnostics);
}

ExitStatus run_convert(const ConvertOptions& options, Reporter& reporter) {
  usdc::Version version = usdc::kOldestWritten;
  if (options.usdc_version) {
    const std::optional<usdc::Version> asked = parse_version(*options.usdc_version);
    if (!asked) {
      return reporter.usage_error("convert: --usdc-version takes 0.8.0 to 0.15.0, not '" +
                                  *options.usdc_version + "'");
    }
    version = *asked;
  }
  Result<std::vector<FileJob>> jobs =
      find_jobs(options.batch.inputs, options.output, "convert", kLayerExtensions);
  if (!jobs) return reporter.usage_error(jobs.error().message);
  if (const std::string problem = unusable_option(*jobs, options); !problem.empty()) {
    return reporter.usage_error(problem);
  }
  const bool are_many = options.batch.inputs.size() > 1 || is_folder(options.batch.inputs.front());
  return run_jobs(*jobs, options.batch, "converting", "converted", reporter,
                  [&](FileJob& job) { convert(job, options, version, are_many); });
}

}  // namespace sinew::tool
