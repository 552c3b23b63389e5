// SPDX-License-Identifier: Apache-2.0
// The sections of a crate, the table of contents and the header.
#include <cstring>

#include "usdc/compress.hpp"
#include "usdc/layer_writer.hpp"

namespace sinew::usdc {

namespace {

template <typename T>
void put_number(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// The container of `plain`, with its size in front.
void put_compressed(std::vector<std::byte>& out, std::span<const std::byte> plain) {
  const std::size_t at = out.size();
  put_number(out, std::uint64_t{0});
  append_compressed(plain, out);
  const std::uint64_t size = out.size() - at - sizeof(std::uint64_t);
  std::memcpy(out.data() + at, &size, sizeof size);
}

}  // namespace

void LayerWriter::begin_section() {
  section_starts_[section_count_++] = output_.size();
}

void LayerWriter::write_sections() {
  // The names of all paths are tokens, so paths come to their order before tokens are written.
  write_tokens();
  write_strings();
  write_fields();
  write_paths();
  write_specs();
  section_starts_[section_count_] = output_.size();
}

void LayerWriter::write_tokens() {
  begin_section();
  const TextTable& tokens = values_.tokens();
  std::vector<std::byte> plain;
  plain.reserve(static_cast<std::size_t>(tokens.bytes()));
  for (const std::string_view text : tokens.texts()) {
    const auto bytes = std::as_bytes(std::span(text));
    plain.insert(plain.end(), bytes.begin(), bytes.end());
    plain.push_back(std::byte{0});
  }
  std::vector<std::byte> section;
  put_number(section, std::uint64_t{tokens.texts().size()});
  put_number(section, std::uint64_t{plain.size()});
  put_compressed(section, plain);
  output_.append(section);
}

void LayerWriter::write_strings() {
  begin_section();
  output_.append_number(std::uint64_t{values_.strings().size()});
  output_.append(std::as_bytes(values_.strings()));
}

void LayerWriter::write_fields() {
  begin_section();
  std::vector<std::uint32_t> tokens;
  std::vector<std::uint64_t> reps;
  for (const FieldTable::Field& field : fields_.fields()) {
    tokens.push_back(field.token);
    reps.push_back(field.rep);
  }
  std::vector<std::byte> section;
  put_number(section, std::uint64_t{tokens.size()});
  append_run(tokens, section);
  put_compressed(section, std::as_bytes(std::span(reps)));
  output_.append(section);

  begin_section();
  section.clear();
  put_number(section, std::uint64_t{fields_.runs().size()});
  append_run(fields_.runs(), section);
  output_.append(section);
}

void LayerWriter::write_paths() {
  begin_section();
  const PathTable& paths = values_.paths();
  const PathTable::Ordered ordered = paths.ordered();
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> jumps;
  for (std::size_t i = 0; i < ordered.nodes.size(); ++i) {
    const PathTable::Node& node = paths[ordered.nodes[i]];
    // The negative number of its token marks a property.
    elements.push_back(node.kind == PathTable::Kind::property ? 0U - node.token : node.token);
    jumps.push_back(static_cast<std::uint32_t>(ordered.jumps[i]));
  }
  std::vector<std::byte> section;
  put_number(section, std::uint64_t{paths.size()});
  put_number(section, std::uint64_t{ordered.nodes.size()});
  append_run(ordered.nodes, section);
  append_run(elements, section);
  append_run(jumps, section);
  output_.append(section);
}

void LayerWriter::write_specs() {
  begin_section();
  std::vector<std::byte> section;
  put_number(section, std::uint64_t{specs_.size()});
  std::vector<std::uint32_t> column(specs_.size());
  const auto put = [&](auto get) {
    for (std::size_t i = 0; i < specs_.size(); ++i) column[i] = get(specs_[i]);
    append_run(column, section);
  };
  put([](const Spec& spec) { return spec.path; });
  put([](const Spec& spec) { return spec.run; });
  put([](const Spec& spec) { return static_cast<std::uint32_t>(spec.type); });
  output_.append(section);
}

void LayerWriter::write_contents(Version version) {
  const std::uint64_t start = output_.size();
  output_.append_number(std::uint64_t{section_count_});
  for (std::size_t i = 0; i < section_count_; ++i) {
    std::byte name[kSectionNameBytes] = {};
    std::memcpy(name, kSectionNames[i].data(), kSectionNames[i].size());
    output_.append(name);
    output_.append_number(section_starts_[i]);
    output_.append_number(section_starts_[i + 1] - section_starts_[i]);
  }
  std::byte header[kHeaderBytes] = {};
  std::memcpy(header, kMagic.data(), kMagic.size());
  const std::uint8_t numbers[] = {version.major, version.minor, version.patch};
  std::memcpy(header + kVersionOffset, numbers, sizeof numbers);
  std::memcpy(header + kContentsOffsetAt, &start, sizeof start);
  output_.finish(header);
}

}  // namespace sinew::usdc
