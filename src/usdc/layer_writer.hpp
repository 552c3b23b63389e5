// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layer/shared/fields.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/layer.hpp"
#include "usdc/format.hpp"
#include "usdc/output.hpp"
#include "usdc/value_writer.hpp"
#include "usdc/write_tables.hpp"

namespace sinew::usdc {

/// Writes one layer: its values, the tables, and the header.
class LayerWriter {
 public:
  LayerWriter(const layer::Layer& layer, Output& output, Diagnostics& diagnostics)
      : layer_(layer), output_(output), diagnostics_(diagnostics), values_(output) {}

  /// `limit_exceeded` if the tables outgrow the format.
  Status write(Version at_least);

 private:
  /// A prim, variant, variant set or property to be written.
  struct Item {
    std::uint32_t path = 0;
    SpecType type = SpecType::prim;
    const layer::PrimSpec* prim = nullptr;
    const layer::VariantSetSpec* variant_set = nullptr;
    const layer::PropertySpec* property = nullptr;
  };
  struct Spec {
    std::uint32_t path = 0;
    std::uint32_t run = 0;
    SpecType type = SpecType::prim;
  };
  /// One sample of one property, in the order of time.
  struct Sample {
    double time = 0.0;
    std::uint32_t property = 0;
    std::uint32_t index = 0;
  };

  void collect();
  void collect_properties(const layer::PrimSpec& prim, std::uint32_t path);
  void collect_variants(const layer::PrimSpec& prim, std::uint32_t path,
                        std::vector<Item>& pending);
  void sort_items();
  void write_sampled(std::span<const Item> items);

  void finish_spec(const Item& item);
  void field(std::string_view key, std::uint64_t rep);
  void metadata(std::span<const layer::Field> fields, layer::SpecKind kind);
  std::uint64_t field_value(const layer::Field& field, layer::SpecKind kind);
  void layer_fields();
  void prim_fields(const Item& item);
  void prim_extra(const layer::PrimExtra& extra, bool is_root);
  void children_fields(const layer::PrimSpec& prim);
  void property_fields(const Item& item, std::uint64_t samples);
  void warn(std::string_view what, std::string_view key, std::uint32_t line);

  void write_sections();
  void begin_section();
  void write_tokens();
  void write_strings();
  void write_fields();
  void write_paths();
  void write_specs();
  void write_contents(Version version);

  const layer::Layer& layer_;
  Output& output_;
  Diagnostics& diagnostics_;
  ValueWriter values_;
  FieldTable fields_;
  std::vector<Item> items_;       // Prims, variants and variant sets.
  std::vector<Item> properties_;  // Those without samples first.
  std::vector<Spec> specs_;
  std::array<std::uint64_t, 7> section_starts_{};
  std::size_t section_count_ = 0;

  // Of the spec that is being written:
  std::uint32_t path_ = 0;
  std::uint32_t line_ = 0;
  std::vector<std::uint32_t> run_;
  std::size_t warnings_ = 0;
};

}  // namespace sinew::usdc
