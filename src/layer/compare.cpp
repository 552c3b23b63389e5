// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/compare.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "layer/compare_values.hpp"
#include "layer/difference_text.hpp"
#include "sinew/layer/value_type.hpp"

namespace sinew::layer {

namespace {

std::string_view word_of(Variability variability) noexcept {
  return variability == Variability::uniform ? "uniform" : "varying";
}

std::vector<Token> names_of(std::span<const PrimSpec* const> prims) {
  std::vector<Token> names;
  for (const PrimSpec* prim : prims) names.push_back(prim->name);
  return names;
}

bool same_tokens(std::span<const Token> a, std::span<const Token> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](Token x, Token y) { return x.view() == y.view(); });
}

// Compares two layers, prim by prim. Prims nest no deeper than a parser lets them.
class Comparison {
 public:
  explicit Comparison(const DifferenceOptions& options)
      : most_(options.most), values_(options.spell_value) {}

  void layers(const Layer& a, const Layer& b);
  std::vector<Difference> take() { return std::move(found_); }

 private:
  bool is_full() const noexcept { return found_.size() >= most_; }
  void add(std::string_view field, std::string_view a, std::string_view b) {
    if (is_full()) return;
    auto [in_a, in_b] = shortened(a, b);
    found_.push_back({path_, std::string(field), std::move(in_a), std::move(in_b)});
  }
  void add(std::string_view field, const std::pair<std::string, std::string>& both) {
    add(field, both.first, both.second);
  }
  // Tells both sides if they are not the same.
  template <typename T>
  void check(bool same, std::string_view field, const T& a, const T& b) {
    if (!same && !is_full()) add(field, told(a), told(b));
  }
  void words(std::string_view a, std::string_view b, std::string_view field) {
    check(a == b, field, a, b);
  }
  void names(std::span<const Token> a, std::span<const Token> b, std::string_view field) {
    check(same_tokens(a, b), field, a, b);
  }
  void fields(std::span<const Field> a, std::span<const Field> b);
  void prims(const PrimSpec& a, const PrimSpec& b);
  void extras(const PrimExtra& a, const PrimExtra& b);
  void variant_sets(const PrimExtra& a, const PrimExtra& b);
  void children(const PrimSpec& a, const PrimSpec& b);
  void properties(const PrimSpec& a, const PrimSpec& b);
  void property(const PropertySpec& a, const PropertySpec& b);

  // Runs with a longer path.
  template <typename Run>
  void below(std::string_view suffix, Run run) {
    const std::size_t size = path_.size();
    if (path_ == "/") path_.clear();
    path_ += suffix;
    run();
    path_.resize(std::min(size, path_.size()));
    if (size == 1) path_ = "/";
  }

  std::size_t most_;
  ValueTelling values_;
  std::string path_ = "/";
  std::vector<Difference> found_;
};

bool same_offsets(const LayerOffset& a, const LayerOffset& b) noexcept {
  return same_double(a.offset, b.offset) && same_double(a.scale, b.scale);
}

bool same_references(const Reference& a, const Reference& b) {
  return a.asset.view() == b.asset.view() && a.prim_path == b.prim_path &&
         same_offsets(a.offset, b.offset) && same_custom_data(a.custom_data, b.custom_data);
}

bool same_paths(const Path& a, const Path& b) {
  return a == b;
}

// Calls `both` for each pair of one name, `only` where one side lacks it.
template <typename T, typename Both, typename Only>
void match(std::span<const T> a, std::span<const T> b, Both both, Only only) {
  std::map<std::string_view, std::pair<const T*, const T*>> by_name;
  for (const T& item : a) by_name[item.name.view()].first = &item;
  for (const T& item : b) by_name[item.name.view()].second = &item;
  for (const auto& [name, pair] : by_name) {
    if (pair.first != nullptr && pair.second != nullptr) {
      both(*pair.first, *pair.second);
    } else {
      only(name, pair.first != nullptr);
    }
  }
}

// An empty comment says nothing, text has none; and neither do edits that edit nothing.
bool says_nothing(const Field& field) {
  if (const auto* op = field.value.as_token_list_op()) return op->empty();
  if (const auto* op = field.value.as_list_op()) return op->empty();
  return field.key.view() == "comment" && field.value.text() == "";
}

void Comparison::fields(std::span<const Field> a, std::span<const Field> b) {
  for (const Field& field : a) {
    if (says_nothing(field)) continue;
    const Value* const other = find_field(b, field.key.view());
    const bool is_same = other != nullptr && (same_metadata(field.value, *other) ||
                                              values_.is_source(field.value, *other) ||
                                              values_.is_source(*other, field.value));
    if (!is_same) {
      add(field.key.view(), other != nullptr
                                ? values_.told(field.value, *other)
                                : std::pair(values_.told(&field.value), std::string("-")));
    }
  }
  for (const Field& field : b) {
    if (says_nothing(field)) continue;
    const auto same_key = [&](const Field& other) { return other.key.view() == field.key.view(); };
    const auto other = std::find_if(a.begin(), a.end(), same_key);
    if (other == a.end() || says_nothing(*other)) {
      add(field.key.view(), "-", values_.told(&field.value));
    }
  }
}

void Comparison::property(const PropertySpec& a, const PropertySpec& b) {
  static const PropertyExtra none;
  const PropertyExtra& x = a.extra != nullptr ? *a.extra : none;
  const PropertyExtra& y = b.extra != nullptr ? *b.extra : none;
  words(a.is_attribute() ? "attribute" : "relationship",
        b.is_attribute() ? "attribute" : "relationship", "kind");
  words(modern_type_name(a.type_name.view()), modern_type_name(b.type_name.view()), "typeName");
  words(word_of(a.variability), word_of(b.variability), "variability");
  words(a.custom ? "true" : "false", b.custom ? "true" : "false", "custom");
  if (!same_value(a.default_value, b.default_value)) {
    add("default", values_.told(a.default_value, b.default_value));
  }
  const TimeSamples& s = x.time_samples;
  const TimeSamples& t = y.time_samples;
  const bool same_samples =
      x.has_time_samples == y.has_time_samples &&
      std::equal(s.times.begin(), s.times.end(), t.times.begin(), t.times.end(), same_double) &&
      std::equal(s.values.begin(), s.values.end(), t.values.begin(), t.values.end(), same_value);
  if (!same_samples) {
    add("timeSamples",
        values_.told(x.has_time_samples ? &s : nullptr, y.has_time_samples ? &t : nullptr));
  }
  const bool both = x.spline != nullptr && y.spline != nullptr;
  check(both ? same_splines(*x.spline, *y.spline, find_value_type(a.type_name.view()).element)
             : x.spline == y.spline,
        "spline", x.spline.get(), y.spline.get());
  check(same_list_ops(x.targets, y.targets, same_paths),
        a.is_attribute() ? "connectionPaths" : "targetPaths", x.targets, y.targets);
  fields(a.fields, b.fields);
}

void Comparison::properties(const PrimSpec& a, const PrimSpec& b) {
  match<PropertySpec>(
      a.properties, b.properties,
      [&](const PropertySpec& x, const PropertySpec& y) {
        below(format_text(".{}", x.name.view()), [&] { property(x, y); });
      },
      [&](std::string_view name, bool in_a) {
        below(format_text(".{}", name),
              [&] { add({}, in_a ? "only here" : "-", in_a ? "-" : "only here"); });
      });
}

void Comparison::variant_sets(const PrimExtra& a, const PrimExtra& b) {
  const auto missing = [&](std::string_view name, bool in_a) {
    below("{" + std::string(name) + "}",
          [&] { add({}, in_a ? "only here" : "-", in_a ? "-" : "only here"); });
  };
  match<VariantSetSpec>(
      a.variant_sets, b.variant_sets,
      [&](const VariantSetSpec& x, const VariantSetSpec& y) {
        match<VariantSpec>(
            x.variants, y.variants,
            [&](const VariantSpec& v, const VariantSpec& w) {
              below("{" + x.name.str() + "=" + v.name.str() + "}",
                    [&] { prims(*v.prim, *w.prim); });
            },
            missing);
      },
      missing);
}

void Comparison::extras(const PrimExtra& a, const PrimExtra& b) {
  check(same_list_ops(a.references, b.references, same_references), "references", a.references,
        b.references);
  check(same_list_ops(a.payloads, b.payloads, same_references), "payload", a.payloads, b.payloads);
  check(same_list_ops(a.inherits, b.inherits, same_paths), "inheritPaths", a.inherits, b.inherits);
  check(same_list_ops(a.specializes, b.specializes, same_paths), "specializes", a.specializes,
        b.specializes);
  check(same_list_ops(a.variant_set_names, b.variant_set_names,
                      [](Token x, Token y) { return x.view() == y.view(); }),
        "variantSetNames", a.variant_set_names, b.variant_set_names);
  const auto selections = [](const PrimExtra& extra) {
    VariantChoices all;
    for (const auto& [set, variant] : extra.variant_selections) {
      all.emplace(set.view(), variant.view());
    }
    return all;
  };
  const VariantChoices chosen_in_a = selections(a);
  const VariantChoices chosen_in_b = selections(b);
  check(chosen_in_a == chosen_in_b, "variantSelection", chosen_in_a, chosen_in_b);
  names(a.child_order, b.child_order, "primOrder");
  names(a.property_order, b.property_order, "propertyOrder");
  check(a.relocates == b.relocates, "relocates", std::span<const Relocate>(a.relocates),
        std::span<const Relocate>(b.relocates));
  variant_sets(a, b);
}

void Comparison::children(const PrimSpec& a, const PrimSpec& b) {
  std::map<std::string_view, const PrimSpec*> others;
  for (const PrimSpec* child : b.children) others.emplace(child->name.view(), child);
  std::size_t matched = 0;
  for (const PrimSpec* child : a.children) {
    const std::string_view name = child->name.view();
    const auto other = others.find(name);
    below(format_text("/{}", name), [&] {
      if (other == others.end()) return add({}, "only here", "-");
      ++matched;
      prims(*child, *other->second);
    });
    if (is_full()) return;
  }
  std::set<std::string_view> known;
  for (const PrimSpec* child : a.children) known.insert(child->name.view());
  for (const PrimSpec* child : b.children) {
    if (known.contains(child->name.view())) continue;
    below(format_text("/{}", child->name.view()), [&] { add({}, "-", "only here"); });
  }
  if (matched == a.children.size() && matched == b.children.size()) {
    const bool same_order = std::equal(
        a.children.begin(), a.children.end(), b.children.begin(),
        [](const PrimSpec* x, const PrimSpec* y) { return x->name.view() == y->name.view(); });
    if (!same_order) names(names_of(a.children), names_of(b.children), "primChildren");
  }
}

void Comparison::prims(const PrimSpec& a, const PrimSpec& b) {
  static const PrimExtra none;
  if (is_full()) return;
  words(to_string(a.specifier), to_string(b.specifier), "specifier");
  words(a.type_name.view(), b.type_name.view(), "typeName");
  fields(a.fields, b.fields);
  extras(a.extra != nullptr ? *a.extra : none, b.extra != nullptr ? *b.extra : none);
  properties(a, b);
  children(a, b);
}

void Comparison::layers(const Layer& a, const Layer& b) {
  const auto same_sub_layer = [](const SubLayer& x, const SubLayer& y) {
    return x.asset.view() == y.asset.view() && same_offsets(x.offset, y.offset);
  };
  check(std::equal(a.sub_layers().begin(), a.sub_layers().end(), b.sub_layers().begin(),
                   b.sub_layers().end(), same_sub_layer),
        "subLayers", a.sub_layers(), b.sub_layers());
  check(std::equal(a.relocates().begin(), a.relocates().end(), b.relocates().begin(),
                   b.relocates().end()),
        "layerRelocates", a.relocates(), b.relocates());
  prims(a.root(), b.root());
}

}  // namespace

std::vector<Difference> differences(const Layer& a, const Layer& b,
                                    const DifferenceOptions& options) {
  Comparison comparison(options);
  comparison.layers(a, b);
  return comparison.take();
}

}  // namespace sinew::layer
