// SPDX-License-Identifier: Apache-2.0
#include "usdc/layer_writer.hpp"

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "usdc/keys.hpp"
#include "usdc/value_types.hpp"

namespace sinew::usdc {

using layer::Field;
using layer::PrimExtra;
using layer::PrimSpec;
using layer::PropertySpec;
using layer::SpecKind;
using layer::Value;

namespace {

constexpr std::size_t kMostWarnings = 100;

}  // namespace

void LayerWriter::collect_properties(const PrimSpec& prim, std::uint32_t path) {
  for (const PropertySpec& property : prim.properties) {
    Item item;
    item.path = values_.paths().add(path, PathTable::Kind::property,
                                    values_.tokens().add(property.name.view()));
    item.type = property.is_attribute() ? SpecType::attribute : SpecType::relationship;
    item.property = &property;
    properties_.push_back(item);
  }
}

void LayerWriter::collect_variants(const PrimSpec& prim, std::uint32_t path,
                                   std::vector<Item>& pending) {
  for (const layer::VariantSetSpec& set : prim.extra->variant_sets) {
    path_ = path;
    if (set.name.empty()) {
      warn("a variant set without a name", "variantSet", prim.line);
      continue;
    }
    const auto element = [&](std::string_view variant) {
      const std::string text = "{" + set.name.str() + "=" + std::string(variant) + "}";
      return values_.paths().add(path, PathTable::Kind::variant, values_.tokens().add_copy(text));
    };
    items_.push_back({element(""), SpecType::variant_set, nullptr, &set, nullptr});
    for (const layer::VariantSpec& variant : set.variants) {
      if (variant.name.empty()) {
        warn("a variant without a name", format_text("variantSet:{}", set.name.view()),
             variant.prim->line);
        continue;
      }
      pending.push_back(
          {element(variant.name.view()), SpecType::variant, variant.prim, nullptr, nullptr});
    }
  }
}

// Gives every spec its path. No recursion: prims may nest as deep as they like.
void LayerWriter::collect() {
  std::vector<Item> pending = {
      {PathTable::kRoot, SpecType::pseudo_root, &layer_.root(), nullptr, nullptr}};
  while (!pending.empty()) {
    const Item item = pending.back();
    pending.pop_back();
    items_.push_back(item);
    const PrimSpec& prim = *item.prim;
    if (item.path != PathTable::kRoot) {
      collect_properties(prim, item.path);
    } else if (!prim.properties.empty()) {
      warn("properties of the root", "properties", 0);
    }
    const std::size_t first = pending.size();
    if (prim.extra != nullptr) collect_variants(prim, item.path, pending);
    for (const PrimSpec* child : prim.children) {
      const std::uint32_t path = values_.paths().add(item.path, PathTable::Kind::prim,
                                                     values_.tokens().add(child->name.view()));
      pending.push_back({path, SpecType::prim, child, nullptr, nullptr});
    }
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
  }
}

// Prims by path, properties by name and then by path, those with samples last: so what stands still
// is in one place, and players read the rest forward.
void LayerWriter::sort_items() {
  const PathTable::Ordered ordered = values_.paths().ordered();
  std::vector<std::uint32_t> rank(values_.paths().size());
  for (std::size_t i = 0; i < ordered.nodes.size(); ++i) {
    rank[ordered.nodes[i]] = static_cast<std::uint32_t>(i);
  }
  sort_range(items_.begin(), items_.end(),
             [&](const Item& a, const Item& b) { return rank[a.path] < rank[b.path]; });
  const auto has_samples = [](const Item& item) {
    return item.property->extra != nullptr && item.property->extra->has_time_samples;
  };
  sort_range(properties_.begin(), properties_.end(), [&](const Item& a, const Item& b) {
    if (has_samples(a) != has_samples(b)) return has_samples(b);
    const int order = a.property->name.view().compare(b.property->name.view());
    return order != 0 ? order < 0 : rank[a.path] < rank[b.path];
  });
}

Status LayerWriter::write(Version at_least) {
  output_.append_zeros(kHeaderBytes);
  collect();
  sort_items();
  for (const Item& item : items_) {
    path_ = item.path;
    if (item.prim != nullptr) {
      prim_fields(item);
    } else {
      std::vector<Token> names;
      for (const layer::VariantSpec& variant : item.variant_set->variants) {
        if (!variant.name.empty()) names.push_back(variant.name);
      }
      if (!names.empty()) field("variantChildren", values_.token_vector(names));
    }
    finish_spec(item);
  }
  const auto sampled = std::find_if(properties_.begin(), properties_.end(), [](const Item& item) {
    return item.property->extra != nullptr && item.property->extra->has_time_samples;
  });
  const auto still = static_cast<std::size_t>(sampled - properties_.begin());
  for (const Item& item : std::span(properties_).first(still)) {
    path_ = item.path;
    property_fields(item, 0);
    finish_spec(item);
  }
  write_sampled(std::span(properties_).subspan(still));
  write_sections();
  constexpr std::size_t kMost = 0x7FFFFFFE;
  if (values_.tokens().texts().size() > kMost || values_.paths().size() > kMost ||
      fields_.runs().size() > kMost || output_.size() > kPayloadMask) {
    return {ErrorCode::limit_exceeded,
            format_text("'{}' has more names, paths or values than the binary format can number.",
                        layer_.identifier())};
  }
  write_contents(std::max(at_least, values_.version_needed()));
  return {};
}

// The values of one time are kept together.
void LayerWriter::write_sampled(std::span<const Item> items) {
  std::vector<Sample> samples;
  std::vector<std::size_t> first(items.size() + 1);
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const layer::TimeSamples& own = items[i].property->extra->time_samples;
    for (std::uint32_t k = 0; k < own.times.size(); ++k) {
      if (!std::isnan(own.times[k])) samples.push_back({own.times[k], i, k});
    }
    first[i + 1] = first[i] + own.times.size();
  }
  stable_sort_range(samples.begin(), samples.end(),
                    [](const Sample& a, const Sample& b) { return a.time < b.time; });
  // 0 is not a rep: what has no place in the file is left out below.
  std::vector<std::uint64_t> reps(first.back());
  for (const Sample& sample : samples) {
    const PropertySpec& property = *items[sample.property].property;
    const Value& value = property.extra->time_samples.values[sample.index];
    const bool may_be = may_be_sample(value);
    const std::uint64_t rep = may_be ? values_.value(value) : 0;
    const std::string_view problem = may_be ? values_.take_problem() : "such a value at a time";
    path_ = items[sample.property].path;
    if (problem.empty()) {
      reps[first[sample.property] + sample.index] = rep;
    } else {
      warn(problem, "timeSamples", property.line);
    }
  }
  std::vector<double> times;
  std::vector<std::uint64_t> own_reps;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const layer::TimeSamples& own = items[i].property->extra->time_samples;
    path_ = items[i].path;
    times.clear();
    own_reps.clear();
    for (std::size_t k = 0; k < own.times.size(); ++k) {
      if (std::isnan(own.times[k])) {
        warn("a time that is not a number", "timeSamples", items[i].property->line);
      }
      const std::uint64_t rep = reps[first[i] + k];
      if (rep == 0) continue;
      times.push_back(own.times[k]);
      own_reps.push_back(rep);
    }
    property_fields(items[i], values_.time_samples(times, own_reps));
    finish_spec(items[i]);
  }
}

void LayerWriter::finish_spec(const Item& item) {
  specs_.push_back({item.path, fields_.add_run(run_), item.type});
  run_.clear();
}

void LayerWriter::warn(std::string_view what, std::string_view key, std::uint32_t line) {
  if (++warnings_ > kMostWarnings + 1) return;
  Diagnostic diagnostic;
  diagnostic.code = "usdc-not-representable";
  diagnostic.message =
      warnings_ > kMostWarnings
          ? std::string("More of the layer has no place in a binary file and is left out.")
          : format_text("'{}' is left out: a binary file has no place for {}.", key, what);
  diagnostic.file = layer_.identifier();
  diagnostic.line = line;
  diagnostic.path = values_.paths().text(path_);
  diagnostics_.push_back(std::move(diagnostic));
}

void LayerWriter::field(std::string_view key, std::uint64_t rep) {
  const std::string_view problem = values_.take_problem();
  const std::vector<ValueWriter::Omission> omissions = values_.take_omissions();
  if (!problem.empty()) return warn(problem, key, line_);
  for (const ValueWriter::Omission& omission : omissions) {
    warn(omission.what, format_text("{}{}", key, omission.name), line_);
  }
  run_.push_back(fields_.add({values_.tokens().add(key), rep}));
}

std::uint64_t LayerWriter::field_value(const Field& field, SpecKind kind) {
  using Shape = layer::FieldType::Shape;
  const std::string_view key = field.key.view();
  const Value& value = field.value;
  const bool is_private = value.text() == "private";
  if (key == "permission" && kind != SpecKind::layer && (is_private || value.text() == "public")) {
    return ValueWriter::inlined(Type::permission, is_private ? 1 : 0);
  }
  const Shape shape = find_metadata_type(kind, key).shape;
  if (const auto* op = value.as_token_list_op(); op != nullptr && key == "clipSets") {
    return values_.string_list_op(*op);
  }
  if (value.as_list_op() != nullptr && shape == Shape::int64_list_op) {
    return values_.int64_list_op(value);
  }
  if (value.as_dictionary() != nullptr && shape == Shape::unknown) {
    return values_.unregistered(value);
  }
  return values_.value(value);
}

void LayerWriter::metadata(std::span<const Field> fields, SpecKind kind) {
  for (const Field& entry : fields) {
    line_ = entry.line;
    if (kind == SpecKind::attribute && entry.key.view() == "displayUnit") {
      warn("display units", "displayUnit", entry.line);
      continue;
    }
    if (find_key(entry.key.view()) != Key::other) {
      warn("metadata of such a name", entry.key.view(), entry.line);
      continue;
    }
    field(entry.key.view(), field_value(entry, kind));
  }
}

void LayerWriter::layer_fields() {
  metadata(layer_.root().fields, SpecKind::layer);
  if (!layer_.sub_layers().empty()) {
    std::vector<Token> assets;
    std::vector<layer::LayerOffset> offsets;
    for (const layer::SubLayer& sub_layer : layer_.sub_layers()) {
      assets.push_back(sub_layer.asset);
      offsets.push_back(sub_layer.offset);
    }
    field("subLayers", values_.string_vector(assets));
    field("subLayerOffsets", values_.layer_offsets(offsets));
  }
  if (!layer_.relocates().empty()) field("layerRelocates", values_.relocates(layer_.relocates()));
}

void LayerWriter::prim_fields(const Item& item) {
  const PrimSpec& prim = *item.prim;
  line_ = prim.line;
  const bool is_root = item.type == SpecType::pseudo_root;
  if (item.type == SpecType::prim) {
    field("specifier",
          ValueWriter::inlined(Type::specifier, static_cast<std::uint32_t>(prim.specifier)));
  }
  if (prim.type_name.view() == "__AnyType__") {
    warn("the word for no type", "typeName", prim.line);
  } else if (!prim.type_name.empty()) {
    field("typeName", values_.token(prim.type_name.view()));
  }
  if (is_root) {
    layer_fields();
  } else {
    metadata(prim.fields, SpecKind::prim);
  }
  line_ = prim.line;
  if (prim.extra != nullptr) prim_extra(*prim.extra, is_root);
  children_fields(prim);
}

void LayerWriter::prim_extra(const PrimExtra& extra, bool is_root) {
  const auto of_prims = [&](std::string_view key, bool is_empty, auto make) {
    if (is_empty) return;
    if (is_root) return warn("what only prims have", key, line_);
    field(key, make());
  };
  if (!extra.relocates.empty()) warn("relocates of a prim", "relocates", line_);
  of_prims("references", extra.references.empty(),
           [&] { return values_.references(extra.references); });
  of_prims("payload", extra.payloads.empty(), [&] { return values_.payloads(extra.payloads); });
  of_prims("inheritPaths", extra.inherits.empty(),
           [&] { return values_.path_list_op(extra.inherits); });
  of_prims("specializes", extra.specializes.empty(),
           [&] { return values_.path_list_op(extra.specializes); });
  of_prims("variantSetNames", extra.variant_set_names.empty(),
           [&] { return values_.string_list_op(extra.variant_set_names); });
  of_prims("variantSelection", extra.variant_selections.empty(),
           [&] { return values_.variant_selections(extra.variant_selections); });
  of_prims("propertyOrder", extra.property_order.empty(),
           [&] { return values_.token_vector(extra.property_order); });
  if (!extra.child_order.empty()) field("primOrder", values_.token_vector(extra.child_order));
}

void LayerWriter::children_fields(const PrimSpec& prim) {
  std::vector<Token> names;
  if (!prim.children.empty()) {
    for (const PrimSpec* child : prim.children) names.push_back(child->name);
    field("primChildren", values_.token_vector(names));
  }
  if (prim.parent != nullptr && !prim.properties.empty()) {
    names.clear();
    for (const PropertySpec& property : prim.properties) names.push_back(property.name);
    field("properties", values_.token_vector(names));
  }
  if (prim.extra != nullptr && !prim.extra->variant_sets.empty()) {
    names.clear();
    for (const layer::VariantSetSpec& set : prim.extra->variant_sets) {
      if (!set.name.empty()) names.push_back(set.name);
    }
    if (!names.empty()) field("variantSetChildren", values_.token_vector(names));
  }
}

void LayerWriter::property_fields(const Item& item, std::uint64_t samples) {
  const PropertySpec& property = *item.property;
  const bool is_attribute = property.is_attribute();
  line_ = property.line;
  if (is_attribute) {
    field("typeName", values_.token(layer::modern_type_name(property.type_name.view())));
  }
  if (property.custom) field("custom", ValueWriter::inlined(Type::bool_, 1));
  const bool uniform = property.variability == layer::Variability::uniform;
  if (uniform || !is_attribute) {
    field("variability", ValueWriter::inlined(Type::variability, uniform ? 1 : 0));
  }
  metadata(property.fields, is_attribute ? SpecKind::attribute : SpecKind::relationship);
  line_ = property.line;
  if (property.default_value.has_value()) field("default", values_.value(property.default_value));
  if (samples != 0) field("timeSamples", samples);
  if (const layer::Spline* spline = property.spline()) {
    const layer::ValueType type = layer::find_value_type(property.type_name.view());
    field("spline", values_.spline(*spline, type.element));
  }
  if (const auto* targets = property.targets()) {
    field(is_attribute ? "connectionPaths" : "targetPaths", values_.path_list_op(*targets));
  }
}

}  // namespace sinew::usdc
