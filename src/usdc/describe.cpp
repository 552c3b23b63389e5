// SPDX-License-Identifier: Apache-2.0
// What a file consists of, for people to look at.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/sort.hpp"
#include "usdc/format.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

namespace {

// Goes through the distinct values of a file. Values stored in place take no bytes of their own.
class ValueCount {
 public:
  explicit ValueCount(const CrateFile& file) : file_(file) {}

  void add(std::uint64_t bits) {
    const Representation rep{bits};
    const bool is_stored = rep.is_array() || rep.is_array_edit() || !rep.is_inlined();
    if (!is_stored || info_of(rep.type()).form == TypeInfo::Form::invalid || rep.payload() == 0 ||
        !known_.insert(bits).second) {
      return;
    }
    if (rep.is_array()) {
      add_array(rep);
    } else if (rep.type() == Type::time_samples) {
      add_samples(rep);
    } else {
      const TypeInfo& info = info_of(rep.type());
      Info::Values& values = of(std::string(info.name) + (rep.is_array_edit() ? "[] edits" : ""));
      ++values.count;
      if (!rep.is_array_edit()) values.bytes += info.stored_bytes;
    }
  }

  std::vector<Info::Values> take() {
    std::vector<Info::Values> all;
    for (auto& [type, values] : by_type_) all.push_back(std::move(values));
    stable_sort_range(all.begin(), all.end(), [](const Info::Values& a, const Info::Values& b) {
      return a.bytes > b.bytes;
    });
    return all;
  }

 private:
  Info::Values& of(std::string type) {
    Info::Values& values = by_type_[type];
    values.type = std::move(type);
    return values;
  }

  void add_array(Representation rep) {
    const TypeInfo& info = info_of(rep.type());
    if (!info.may_be_array()) return;
    ByteReader reader = file_.value_at(rep.payload());
    const std::uint64_t start = reader.position();
    std::uint64_t count = 0;
    std::uint32_t word = 0;
    if (file_.since(7)) {
      if (!reader.read(count)) return;
    } else {
      if ((!file_.since(5) && !reader.read(word)) || !reader.read(word)) return;
      count = word;
    }
    const bool integers = packs_as_integers(rep.type());
    const bool is_packed =
        rep.is_compressed() && count >= kMinCompressedCount && file_.since(integers ? 5 : 6);
    std::uint64_t size = 0;
    if (is_packed) {
      std::uint8_t code = 0;
      const bool has_code = !integers;
      if (has_code && !reader.read(code)) return;
      if (code == kFloatsFromTable &&
          (!reader.read(word) || !reader.skip(std::uint64_t{word} * info.stored_bytes))) {
        return;
      }
      if (!reader.read(size) || !reader.skip(size)) return;
    } else if (count > reader.left() / info.stored_bytes ||
               !reader.skip(count * info.stored_bytes)) {
      return;
    }
    Info::Values& values = of(std::string(info.name) + "[]");
    ++values.count;
    values.compressed += is_packed ? 1 : 0;
    values.elements += count;
    values.bytes += reader.position() - start;
  }

  void add_samples(Representation rep) {
    ByteReader reader = file_.value_at(rep.payload());
    std::uint64_t times = 0;
    std::uint64_t count = 0;
    for (std::uint64_t* const last : {&times, &count}) {
      std::int64_t jump = 0;
      if (!reader.read(jump) || jump < static_cast<std::int64_t>(sizeof jump) ||
          !reader.skip(static_cast<std::uint64_t>(jump) - sizeof jump) || !reader.read(*last)) {
        return;
      }
    }
    if (count > reader.left() / sizeof(std::uint64_t)) return;
    Info::Values& values = of(std::string(info_of(rep.type()).name));
    ++values.count;
    values.elements += count;
    values.bytes += count * sizeof(std::uint64_t);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t bits = 0;
      reader.read(bits);
      // Samples cannot hold samples.
      if (Representation{bits}.type() != Type::time_samples) add(bits);
    }
  }

  const CrateFile& file_;
  std::unordered_set<std::uint64_t> known_;
  std::map<std::string, Info::Values> by_type_;
};

}  // namespace

Result<Info> describe(const Bytes& bytes, std::string identifier, Diagnostics& diagnostics,
                      const Limits& limits) {
  ReadOptions options;
  options.limits = limits;
  ReadContext context(options, std::move(identifier), diagnostics);
  Info info;
  const auto count_specs = [&](const SpecBlock& specs) { info.specs += specs.size(); };
  if (!context.open(bytes) || !context.read_specs(count_specs)) return context.report.error();
  info.version = context.file.version();
  info.file_bytes = bytes.size();
  for (const CrateFile::Section& section : context.file.sections()) {
    info.sections.push_back(
        {section.name, section.range.start, section.range.end - section.range.start});
  }
  const Tables& tables = context.tables;
  info.tokens = tables.tokens.size();
  info.strings = tables.strings.size();
  info.fields = tables.field_names.size();
  info.field_sets = static_cast<std::uint64_t>(
      std::count(tables.field_sets.begin(), tables.field_sets.end(), kNoIndex));
  info.paths = context.paths.path_count();
  ValueCount values(context.file);
  for (const std::uint64_t bits : tables.field_values) values.add(bits);
  info.values = values.take();
  return info;
}

}  // namespace sinew::usdc
