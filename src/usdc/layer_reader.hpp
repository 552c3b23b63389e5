// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layer/shared/fields.hpp"
#include "layer/shared/layer_impl.hpp"
#include "usdc/keys.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

/// A list of names in a pool that all specs share.
struct NameList {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t at = 0;  ///< Where the file has it.
};

/// What the fields of a prim or variant say, or of the root.
struct PrimPlan {
  Token type_name;
  layer::Specifier specifier = layer::Specifier::over;
  std::span<const layer::Field> fields;
  layer::PrimExtra* extra = nullptr;
  NameList children;
  NameList properties;
  NameList variant_sets;
  NameList variants;  ///< Of a variant set.
  /// Where a prim that has only these properties has them, see properties_as_before().
  std::uint32_t places = PathTree::kNone;
};

/// Makes a layer of the tables: lists of fields first, each once however many specs share it, then
/// prims from the root downwards.
class LayerReader {
 public:
  explicit LayerReader(ReadContext& context);

  Result<layer::LayerPtr> run(std::string identifier);

 private:
  static constexpr std::uint32_t kNone = PathTree::kNone;
  static constexpr std::size_t kMaxNameBytes = 64 * 1024;
  using SpecKind = layer::SpecKind;

  struct Work {
    layer::PrimSpec* prim = nullptr;
    std::uint32_t item = 0;
    std::uint32_t depth = 0;          // Of prims.
    std::uint32_t variant_depth = 0;  // Of variants.
  };
  struct Run;
  /// What is known of a token as the name of fields.
  struct FieldName {
    Key key = Key::unknown;
    std::uint32_t first = 0;  // The first token of that text that names fields.
  };
  // The children of one prim that have a spec, by the kinds that have lists.
  struct Present {
    std::size_t prims = 0;
    std::size_t properties = 0;
    std::size_t variant_sets = 0;
    std::size_t variants = 0;

    bool are_properties() const noexcept { return prims + variant_sets + variants == 0; }
  };

  /// A property of a name that was read without a fault: the next one of that name mostly has the
  /// same fields and another default value.
  struct Model {
    const layer::PropertySpec* spec = nullptr;  // Without extra; null: there is none.
    std::uint32_t name = 0;                     // A token.
    std::uint32_t run = 0;                      // Where its fields begin,
    std::uint32_t default_at = kNone;           // and which of them is the default value.
    layer::ValueType declared;
  };

  // Specs that say nothing that other fields do not say, or nothing any more.
  struct Leftovers {
    std::size_t count = 0;
    std::uint32_t first = 0;
  };

  // layer_reader.cpp
  bool assign_specs();
  bool is_other_spec(std::size_t index, std::uint32_t type, std::uint32_t item);
  void report_unreachable();
  static bool fits(const PathTree::Item& item, std::uint32_t type) noexcept;
  bool build();
  void fetch_ahead() const noexcept;
  bool build_prim(const Work& work);
  Present survey(std::uint32_t parent);
  bool add_children(const Work& work, const PrimPlan& plan, std::size_t present);
  void add_properties(const Work& work);
  bool add_variant_sets(const Work& work, const PrimPlan& plan, const Present& present);
  bool add_variants(const Work& work, std::string_view set, std::uint32_t set_item,
                    layer::VariantSetSpec& spec);
  bool limit(std::uint32_t item, std::string_view what, std::uint64_t limit);
  std::string path_of(std::uint32_t item) const;
  /// Reports something about an item of PATHS.
  void note(Severity severity, std::string_view code, std::string_view message, std::uint32_t item);

  // list_children.cpp
  bool list_children(std::uint32_t parent, PathTree::Kind kind, NameList names, std::size_t present,
                     LargeVector<std::uint32_t>& items);
  bool properties_as_before(std::uint32_t prim, const PrimPlan& plan);
  void remember_places(std::uint32_t prim, PrimPlan& plan);
  bool take_listed(std::uint32_t parent, PathTree::Kind kind, std::uint32_t name, std::uint64_t at,
                   std::uint32_t& taken, bool& any_known);
  std::uint32_t listed_item(std::uint32_t parent, PathTree::Kind kind, std::uint32_t name);
  bool drop_repeated(std::uint32_t parent, PathTree::Kind kind, std::uint64_t at,
                     LargeVector<std::uint32_t>& items);
  bool may_repeat(const LargeVector<std::uint32_t>& items);
  std::uint32_t find_by_text(std::uint32_t parent, PathTree::Kind kind, std::uint32_t name);
  void report_unlisted(std::uint32_t parent, PathTree::Kind kind);
  bool is_good_name(std::uint32_t token, PathTree::Kind kind);
  void meet_names(std::span<const std::uint32_t> names, PathTree::Kind kind);
  bool bad_child(std::uint32_t parent, std::string_view name, std::string_view what,
                 std::uint64_t at);

  // read_fields.cpp
  void look_up_field(std::uint32_t token);
  PrimPlan& prim_plan(std::uint32_t item, SpecKind kind);  // Until the next.
  PrimPlan& read_prim_plan(std::uint32_t item, std::uint32_t begin, SpecKind kind);
  PrimPlan new_prim_plan(Run& run);
  layer::PropertySpec& read_property(std::uint32_t item, layer::PropertySpec* place);
  layer::PropertySpec& read_new_property(std::uint32_t item, layer::PropertySpec* place,
                                         layer::PropertySpec::Kind kind, std::uint32_t& known);
  bool is_like(const Model& model, const PathTree::Item& item) const noexcept;
  layer::PropertySpec& read_like(const Model& model, std::uint32_t item,
                                 layer::PropertySpec* place);
  layer::PropertySpec& read_model(Model& model, std::uint32_t item, layer::PropertySpec* place,
                                  layer::PropertySpec::Kind kind);
  bool next_field(Run& run);
  bool skip_field(const Run& run);
  void prim_field(Run& run, PrimPlan& plan);
  layer::PrimExtra& extra(PrimPlan& plan);
  void layer_field(Run& run);
  void property_field(Run& run, layer::PropertySpec& spec);
  bool name_list(Run& run, NameList& names);
  void name_order(Run& run, std::vector<Token>& names);
  void other_field(Run& run, SpecKind kind);
  void fit_field(layer::Value& value, SpecKind kind, std::string_view key);
  void fit_property(layer::PropertySpec& spec, const layer::ValueType& declared);
  layer::ValueType declared_type(Token name, std::uint32_t type_name);
  void misplaced(Run& run);

  ReadContext& c_;
  const std::size_t most_fields_;  // Of one spec.
  ValueReader values_;
  std::unique_ptr<layer::LayerAccess::Impl> layer_;
  bool is_complete_ = true;
  bool is_rejected_ = false;
  std::size_t sub_layer_count_ = 0;
  std::string offsets_place_;  // Of the offsets of sublayers, in words.

  Leftovers leftovers_;
  std::vector<Work> work_;

  // By token.
  std::vector<FieldName> field_names_;
  std::vector<std::uint32_t> prim_slots_;      // The child of a name of the parent at hand.
  std::vector<std::uint32_t> property_slots_;  // Its property.
  std::vector<std::uint32_t> type_places_;     // In types_, from 1.
  std::vector<std::uint8_t> name_flags_;
  std::vector<std::uint32_t> seen_;  // The number of the list of fields it was last seen in.
  std::uint32_t run_number_ = 0;
  std::vector<std::uint8_t> is_placed_;                              // By item.
  std::unordered_map<std::string_view, std::uint32_t> first_names_;  // Of fields, by text.
  int has_duplicate_texts_ = -1;                                     // Unknown as yet.

  // By the place where a list of fields begins.
  std::vector<std::uint32_t> prim_plan_of_;
  // In known_properties_, by kind; of a kind that there is not, nothing.
  std::array<std::vector<std::uint32_t>, 2> property_of_;
  std::vector<PrimPlan> prim_plans_;
  std::vector<const layer::PropertySpec*> known_properties_;  // The first with its list.
  std::array<Model, 64> models_;                              // By token, modulo their number.
  std::vector<std::uint32_t> name_pool_;
  std::vector<std::uint32_t> place_pool_;

  std::vector<layer::Field> fields_;
  LargeVector<std::uint32_t> listed_;
  std::vector<layer::ValueType> types_;
};

}  // namespace sinew::usdc
