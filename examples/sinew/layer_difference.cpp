// SPDX-License-Identifier: Apache-2.0
#include "layer_difference.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/usda/writer.hpp"

namespace sinew::tool {

namespace {

using layer::ElementType;
using layer::ListOp;
using layer::PrimExtra;
using layer::PrimSpec;
using layer::PropertySpec;
using layer::Value;

std::string text_of(const Value& value);

std::string dictionary_text(const layer::Dictionary& dictionary) {
  std::map<std::string_view, const layer::DictionaryEntry*> sorted;
  for (const layer::DictionaryEntry& entry : dictionary) sorted.emplace(entry.key.view(), &entry);
  std::string text = "{";
  for (const auto& [key, entry] : sorted) {
    if (text.size() > 1) text += ", ";
    text += std::string(key) + " = " + text_of(entry->value);
  }
  return text + "}";
}

template <typename T, typename Show>
std::string list_text(const ListOp<T>& op, Show show) {
  std::string text;
  const auto add = [&](std::string_view edit, const std::vector<T>& items, bool always) {
    if (items.empty() && !always) return;
    if (!text.empty()) text += "; ";
    text += std::string(edit) + "[";
    for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + show(items[i]);
    text += "]";
  };
  if (op.is_explicit) {
    add("", op.explicit_items, true);
    return text;
  }
  add("delete ", op.deleted, false);
  add("add ", op.added, false);
  add("prepend ", op.prepended, false);
  add("append ", op.appended, false);
  add("reorder ", op.ordered, false);
  return text;
}

// Insertions at the ends have names of their own.
layer::ArrayEdit plain(layer::ArrayEdit edit) {
  using Kind = layer::ArrayEdit::Kind;
  for (layer::ArrayEdit::Instruction& i : edit.instructions) {
    if (i.kind != Kind::insert) continue;
    if (i.index == 0) i.kind = Kind::prepend;
    if (i.index == std::numeric_limits<std::int64_t>::min()) i.kind = Kind::append;
    if (i.kind != Kind::insert) i.index = 0;
  }
  return edit;
}

// The value as text, with its type where the text alone does not tell.
std::string text_of(const Value& value) {
  if (const auto* entries = value.as_dictionary()) return dictionary_text(*entries);
  if (const auto* op = value.as_token_list_op()) {
    return list_text(*op, [](Token token) { return '"' + token.str() + '"'; });
  }
  if (const auto* op = value.as_list_op()) {
    return list_text(*op, [](const Value& item) { return text_of(item); });
  }
  if (const auto* edit = value.as_array_edit()) {
    return usda::write_value(Value::array_edit(plain(*edit)));
  }
  return usda::write_value(value);
}

bool same(const Value& a, const Value& b) {
  if (a.type() != b.type() || a.is_array() != b.is_array()) return false;
  // What is the same bit by bit needs no text; text takes nan for nan.
  return a == b || text_of(a) == text_of(b);
}

bool same(const layer::TimeSamples& a, const layer::TimeSamples& b) {
  return a.times == b.times &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const Value& x, const Value& y) { return same(x, y); });
}

std::string number(double value) {
  return usda::write_number(value);
}

std::string offset_text(const layer::LayerOffset& offset) {
  if (offset == layer::LayerOffset()) return {};
  return " (" + number(offset.offset) + ", " + number(offset.scale) + ")";
}

std::string reference_text(const layer::Reference& reference) {
  std::string text = "@" + reference.asset.str() + "@<" + reference.prim_path.str() + ">" +
                     offset_text(reference.offset);
  const layer::Dictionary* custom = reference.custom_data.as_dictionary();
  if (custom != nullptr && !custom->empty()) text += " " + dictionary_text(*custom);
  return text;
}

std::string path_text(const layer::Path& path) {
  return "<" + path.str() + ">";
}

std::string names_text(std::span<const Token> names) {
  std::string text = "[";
  for (const Token name : names) text += (text.size() == 1 ? "" : ", ") + name.str();
  return text + "]";
}

std::string relocates_text(std::span<const layer::Relocate> relocates) {
  std::string text = "{";
  for (const layer::Relocate& relocate : relocates) {
    text += (text.size() == 1 ? "" : ", ") + path_text(relocate.source) + ": " +
            path_text(relocate.target);
  }
  return text + "}";
}

std::string extrapolation_text(const layer::Spline::Extrapolate& extrapolate) {
  using Mode = layer::Spline::Extrapolation;
  const Mode mode = extrapolate.mode == Mode::unset ? Mode::held : extrapolate.mode;
  std::string text = std::to_string(static_cast<int>(mode));
  if (extrapolate.parameter) text += "(" + number(*extrapolate.parameter) + ")";
  return text;
}

// A spline with everything spelled out that is meant where nothing is written.
std::string spline_text(const layer::Spline& spline) {
  using S = layer::Spline;
  const bool hermite = spline.curve_type == S::CurveType::hermite;
  std::string text = hermite ? "hermite" : "bezier";
  text += " pre " + extrapolation_text(spline.pre) + " post " + extrapolation_text(spline.post);
  if (spline.loop) {
    text += " loop " + number(spline.loop->prototype_start) + " " +
            number(spline.loop->prototype_end) + " " + number(spline.loop->pre_loops) + " " +
            number(spline.loop->post_loops) + " " + number(spline.loop->value_offset);
  }
  const auto tangent = [&](const std::optional<S::Tangent>& written) {
    const S::Tangent t = written.value_or(S::Tangent());
    return " (" + (hermite ? "" : number(t.width.value_or(0.0)) + ", ") + number(t.slope) + ", " +
           std::to_string(static_cast<int>(t.algorithm)) + ")";
  };
  for (const S::Knot& knot : spline.knots) {
    text += "; " + number(knot.time) + ": " + number(knot.value);
    if (knot.pre_value) text += " & " + number(*knot.pre_value);
    text +=
        " " + std::to_string(static_cast<int>(knot.interpolation.value_or(S::Interpolation::held)));
    text += tangent(knot.pre_tangent) + tangent(knot.post_tangent);
    const layer::Dictionary* custom = knot.custom_data.as_dictionary();
    if (custom != nullptr && !custom->empty()) text += " " + dictionary_text(*custom);
  }
  return text;
}

std::string samples_text(const layer::TimeSamples& samples) {
  std::string text = "{";
  for (std::size_t i = 0; i < samples.times.size(); ++i) {
    text += (i == 0 ? "" : ", ") + number(samples.times[i]) + ": " + text_of(samples.values[i]);
  }
  return text + "}";
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 120;
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  if (text.size() <= kMost) return text;
  return text.substr(0, kMost / 2) + " ... " + text.substr(text.size() - kMost / 2);
}

std::string child_path(const std::string& path, std::string_view name) {
  const bool plain = path == "/" || path.ends_with('}');
  return path + (plain ? "" : "/") + std::string(name);
}

}  // namespace

LayerDifference::LayerDifference(const layer::Layer& a, const layer::Layer& b) {
  compare_items(items_of(a), items_of(b), "/");
  compare_children(a.root(), b.root(), "/");
}

void LayerDifference::add(std::string path, std::string field, std::string a, std::string b) {
  found_.push_back(
      {std::move(path), std::move(field), shortened(std::move(a)), shortened(std::move(b))});
}

void LayerDifference::compare_items(const Items& a, const Items& b, const std::string& path) {
  const auto show = [](const Item& item) {
    if (item.value != nullptr) return text_of(*item.value);
    return item.samples != nullptr ? samples_text(*item.samples) : item.text;
  };
  for (const auto& [key, item] : a) {
    const auto other = b.find(key);
    if (other == b.end()) {
      add(path, key, show(item), "-");
      continue;
    }
    const Item& there = other->second;
    bool equal = false;
    if (item.value != nullptr && there.value != nullptr) {
      equal = same(*item.value, *there.value);
    } else if (item.samples != nullptr && there.samples != nullptr) {
      equal = same(*item.samples, *there.samples);
    } else {
      equal = show(item) == show(there);
    }
    if (!equal) add(path, key, show(item), show(there));
  }
  for (const auto& [key, item] : b) {
    if (!a.contains(key)) add(path, key, "-", show(item));
  }
}

void LayerDifference::add_fields(Items& items, std::span<const layer::Field> fields) {
  for (const layer::Field& field : fields) {
    const auto* tokens = field.value.as_token_list_op();
    const auto* values = field.value.as_list_op();
    const bool says_nothing =
        (tokens != nullptr && tokens->empty()) || (values != nullptr && values->empty());
    if (!says_nothing) items.insert_or_assign(field.key.str(), Item{&field.value, nullptr, {}});
  }
}

LayerDifference::Items LayerDifference::items_of(const layer::Layer& layer) {
  Items items;
  add_fields(items, layer.root().fields);
  std::string text;
  for (const layer::SubLayer& sub_layer : layer.sub_layers()) {
    text += "@" + sub_layer.asset.str() + "@" + offset_text(sub_layer.offset) + " ";
  }
  if (!text.empty()) items["subLayers"].text = text;
  if (!layer.relocates().empty()) items["relocates"].text = relocates_text(layer.relocates());
  const PrimExtra* extra = layer.root().extra;
  if (extra != nullptr && !extra->child_order.empty()) {
    items["primOrder"].text = names_text(extra->child_order);
  }
  return items;
}

LayerDifference::Items LayerDifference::items_of(const PrimSpec& prim) {
  Items items;
  constexpr std::string_view kSpecifiers[] = {"def", "over", "class"};
  items["specifier"].text = kSpecifiers[static_cast<std::size_t>(prim.specifier)];
  if (!prim.type_name.empty()) items["typeName"].text = prim.type_name.str();
  add_fields(items, prim.fields);
  if (prim.extra == nullptr) return items;
  const PrimExtra& extra = *prim.extra;
  const auto put = [&](std::string_view key, std::string text) {
    if (!text.empty() && text != "[]") items[std::string(key)].text = std::move(text);
  };
  const auto put_list = [&](std::string_view key, const auto& op, auto show) {
    if (!op.empty()) items[std::string(key)].text = list_text(op, show);
  };
  put_list("references", extra.references, reference_text);
  put_list("payload", extra.payloads, reference_text);
  put_list("inherits", extra.inherits, path_text);
  put_list("specializes", extra.specializes, path_text);
  put_list("variantSets", extra.variant_set_names, [](Token name) { return name.str(); });
  std::map<std::string_view, std::string_view> selections;
  for (const auto& [set, variant] : extra.variant_selections) {
    selections.emplace(set.view(), variant.view());
  }
  for (const auto& [set, variant] : selections) {
    items["variants " + std::string(set)].text = '"' + std::string(variant) + '"';
  }
  if (!extra.relocates.empty()) put("relocates", relocates_text(extra.relocates));
  put("primOrder", names_text(extra.child_order));
  put("propertyOrder", names_text(extra.property_order));
  return items;
}

LayerDifference::Items LayerDifference::items_of(const PropertySpec& property) {
  Items items;
  items["kind"].text = property.is_attribute() ? "attribute" : "relationship";
  if (property.is_attribute()) {
    items["typeName"].text = layer::modern_type_name(property.type_name.view());
  }
  if (property.custom) items["custom"].text = "true";
  items["variability"].text =
      property.variability == layer::Variability::uniform ? "uniform" : "varying";
  if (property.default_value.has_value()) items["default"].value = &property.default_value;
  add_fields(items, property.fields);
  if (property.extra == nullptr) return items;
  if (property.extra->has_time_samples) {
    items["timeSamples"].samples = &property.extra->time_samples;
  }
  if (const layer::Spline* spline = property.spline()) items["spline"].text = spline_text(*spline);
  if (const auto* targets = property.targets()) {
    items[property.is_attribute() ? "connect" : "targets"].text = list_text(*targets, path_text);
  }
  return items;
}

void LayerDifference::compare_prims(const PrimSpec& a, const PrimSpec& b, const std::string& path) {
  compare_items(items_of(a), items_of(b), path);
  compare_properties(a, b, path);
  compare_variants(a, b, path);
  compare_children(a, b, path);
}

void LayerDifference::compare_properties(const PrimSpec& a, const PrimSpec& b,
                                         const std::string& path) {
  using Pair = std::pair<const PropertySpec*, const PropertySpec*>;
  std::map<std::string_view, Pair> properties;
  for (const PropertySpec& property : a.properties) {
    properties[property.name.view()].first = &property;
  }
  for (const PropertySpec& property : b.properties) {
    properties[property.name.view()].second = &property;
  }
  for (const auto& [name, pair] : properties) {
    const std::string at = path + "." + std::string(name);
    if (pair.first == nullptr || pair.second == nullptr) {
      only_in(pair.first != nullptr, at);
    } else {
      compare_items(items_of(*pair.first), items_of(*pair.second), at);
    }
  }
}

void LayerDifference::compare_variants(const PrimSpec& a, const PrimSpec& b,
                                       const std::string& path) {
  using Pair = std::pair<const PrimSpec*, const PrimSpec*>;
  std::map<std::string, Pair> variants;  // "{set=variant}", and "{set=}" for the sets.
  const auto collect = [&](const PrimSpec& prim, bool is_first) {
    if (prim.extra == nullptr) return;
    for (const layer::VariantSetSpec& set : prim.extra->variant_sets) {
      const auto put = [&](std::string_view variant, const PrimSpec* spec) {
        Pair& pair = variants["{" + set.name.str() + "=" + std::string(variant) + "}"];
        (is_first ? pair.first : pair.second) = spec;
      };
      if (set.variants.empty()) put("", &prim);
      for (const layer::VariantSpec& variant : set.variants) put(variant.name.view(), variant.prim);
    }
  };
  collect(a, true);
  collect(b, false);
  for (const auto& [element, pair] : variants) {
    if (pair.first == nullptr || pair.second == nullptr) {
      only_in(pair.first != nullptr, path + element);
    } else if (!element.ends_with("=}")) {
      compare_prims(*pair.first, *pair.second, path + element);
    }
  }
}

// Children in the order of the first layer, then those that only the second one has.
void LayerDifference::compare_children(const PrimSpec& a, const PrimSpec& b,
                                       const std::string& path) {
  std::map<std::string_view, const PrimSpec*> others;
  for (const PrimSpec* child : b.children) others.emplace(child->name.view(), child);
  std::vector<std::string_view> common;
  for (const PrimSpec* child : a.children) {
    const auto other = others.find(child->name.view());
    const std::string at = child_path(path, child->name.view());
    if (other == others.end()) {
      only_in(true, at);
      continue;
    }
    common.push_back(child->name.view());
    compare_prims(*child, *other->second, at);
    other->second = nullptr;  // Found.
  }
  std::size_t next = 0;
  bool same_order = true;
  for (const PrimSpec* child : b.children) {
    if (others[child->name.view()] != nullptr) {
      only_in(false, child_path(path, child->name.view()));
    } else {
      same_order = same_order && child->name.view() == common[next++];
    }
  }
  if (same_order) return;
  const auto order = [](const PrimSpec& prim) {
    std::vector<Token> names;
    for (const PrimSpec* child : prim.children) names.push_back(child->name);
    return names_text(names);
  };
  add(path, "order of children", order(a), order(b));
}

}  // namespace sinew::tool
