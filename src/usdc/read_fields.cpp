// SPDX-License-Identifier: Apache-2.0
// Lists of fields: structural ones go to the members of a spec, the others stay fields.

#include <iterator>
#include <new>
#include <utility>

#include "core/format_text.hpp"
#include "usdc/fit_value.hpp"
#include "usdc/layer_reader.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Field;
using layer::FieldType;
using layer::ListOp;
using layer::Path;
using layer::PrimExtra;
using layer::PropertyExtra;
using layer::PropertySpec;
using layer::Value;

namespace {

// Whether the layer has no such field, as prims and variants do.
bool is_of_prims(Key key) noexcept {
  switch (key) {
    case Key::specifier:
    case Key::type_name:
    case Key::references:
    case Key::payload:
    case Key::inherit_paths:
    case Key::specializes:
    case Key::variant_set_names:
    case Key::variant_selection:
    case Key::property_order:
      return true;
    default:
      return false;
  }
}

bool is_of_type(const Value& value, const layer::ValueType& type) noexcept {
  return value.type() == type.element && value.is_array() == type.is_array;
}

}  // namespace

// A walk over one list of fields.
struct LayerReader::Run {
  std::uint32_t item = 0;  // Whose it is.
  std::size_t next = 0;    // Into the field sets.
  std::size_t count = 0;
  std::uint32_t name = 0;  // Token of the present field.
  std::uint64_t bits = 0;  // Its value.
  Key key = Key::unknown;
  Token token;
};

// Each token is looked up once: a file may hold a text twice.
void LayerReader::look_up_field(std::uint32_t token) {
  FieldName& name = field_names_[token];
  const std::string_view text = c_.tables.tokens.text(token);
  name.key = find_key(text);
  name.first = first_names_.try_emplace(text, token).first->second;
}

bool LayerReader::next_field(Run& run) {
  const Tables& tables = c_.tables;
  for (;;) {
    const std::uint32_t field = tables.field_sets[run.next];
    if (field == kNoIndex) return false;
    ++run.next;
    const std::uint32_t token = tables.field_names[field];
    if (field_names_[token].key == Key::unknown) look_up_field(token);
    const FieldName name = field_names_[token];
    run.name = name.first;
    run.bits = tables.field_values[field];
    run.key = name.key;
    values_.set_place(run.item, field);
    const bool is_repeated = std::exchange(seen_[name.first], run_number_) == run_number_;
    if (++run.count > most_fields_ || is_repeated) {
      if (!skip_field(run)) return false;
    } else if (name.key != Key::ignored) {
      return true;
    }
  }
}

// A field that is there twice, or beyond the limit: then nothing more is read.
bool LayerReader::skip_field(const Run& run) {
  if (run.count > most_fields_) {
    return limit(run.item, "fields of one spec", most_fields_);
  }
  values_.warn("usdc-fields", "a field is there twice; the first counts");
  return true;
}

void LayerReader::misplaced(Run&) {
  values_.misplaced();
}

PrimPlan& LayerReader::prim_plan(std::uint32_t item, SpecKind kind) {
  const std::uint32_t begin = c_.paths.items()[item].fields;
  const std::uint32_t known = prim_plan_of_[begin];
  return known != kNone && kind != SpecKind::layer ? prim_plans_[known]
                                                   : read_prim_plan(item, begin, kind);
}

PrimPlan& LayerReader::read_prim_plan(std::uint32_t item, std::uint32_t begin, SpecKind kind) {
  Run run;
  run.item = item;
  run.next = begin;
  const PrimPlan plan = new_prim_plan(run);
  if (kind != SpecKind::layer) {
    prim_plan_of_[begin] = static_cast<std::uint32_t>(prim_plans_.size());
  }
  return prim_plans_.emplace_back(plan);
}

PrimPlan LayerReader::new_prim_plan(Run& run) {
  ++run_number_;
  fields_.clear();
  PrimPlan plan;
  while (next_field(run)) prim_field(run, plan);
  plan.fields = layer_->keep_fields(fields_);
  if (plan.extra == nullptr) return plan;
  const PrimExtra& extra = *plan.extra;
  const bool says_nothing = extra.references.empty() && extra.payloads.empty() &&
                            extra.inherits.empty() && extra.specializes.empty() &&
                            extra.variant_set_names.empty() && extra.variant_selections.empty() &&
                            extra.child_order.empty() && extra.property_order.empty();
  if (says_nothing) {
    plan.extra = nullptr;
    layer_->prim_extras.pop_back();
  }
  return plan;
}

PrimExtra& LayerReader::extra(PrimPlan& plan) {
  if (plan.extra == nullptr) plan.extra = &layer_->prim_extras.emplace_back();
  return *plan.extra;
}

void LayerReader::prim_field(Run& run, PrimPlan& plan) {
  const bool is_root = run.item == 0;
  if (is_root && is_of_prims(run.key)) return misplaced(run);
  const auto keep_whole = [](bool is_whole, auto& out) {
    if (!is_whole) out = {};
  };
  switch (run.key) {
    case Key::specifier: {
      constexpr layer::Specifier kSpecifiers[] = {layer::Specifier::def, layer::Specifier::over,
                                                  layer::Specifier::class_};
      if (const auto word = values_.word(run.bits, Type::specifier, std::size(kSpecifiers))) {
        plan.specifier = kSpecifiers[*word];
      }
      return;
    }
    case Key::type_name:
      if (!values_.name(run.bits, plan.type_name)) return;
      if (plan.type_name == "__AnyType__") plan.type_name = {};
      return;
    case Key::references:
      return keep_whole(values_.references(run.bits, extra(plan).references),
                        extra(plan).references);
    case Key::payload:
      return keep_whole(values_.payloads(run.bits, extra(plan).payloads), extra(plan).payloads);
    case Key::inherit_paths:
      return keep_whole(values_.path_list(run.bits, true, extra(plan).inherits),
                        extra(plan).inherits);
    case Key::specializes:
      return keep_whole(values_.path_list(run.bits, true, extra(plan).specializes),
                        extra(plan).specializes);
    case Key::variant_set_names:
      return keep_whole(values_.token_list(run.bits, extra(plan).variant_set_names),
                        extra(plan).variant_set_names);
    case Key::variant_selection:
      return keep_whole(values_.variant_selections(run.bits, extra(plan).variant_selections),
                        extra(plan).variant_selections);
    case Key::prim_order:
      return name_order(run, extra(plan).child_order);
    case Key::property_order:
      return name_order(run, extra(plan).property_order);
    case Key::prim_children:
      name_list(run, plan.children);
      return;
    case Key::properties:
      name_list(run, plan.properties);
      return;
    case Key::variant_set_children:
      name_list(run, plan.variant_sets);
      return;
    case Key::variant_children:
      name_list(run, plan.variants);
      return;
    case Key::sub_layers:
    case Key::sub_layer_offsets:
    case Key::layer_relocates:
      return is_root ? layer_field(run) : misplaced(run);
    case Key::other:
      return other_field(run, is_root ? SpecKind::layer : SpecKind::prim);
    default:
      return misplaced(run);
  }
}

void LayerReader::layer_field(Run& run) {
  std::vector<layer::SubLayer>& sub_layers = layer_->sub_layers;
  if (run.key == Key::layer_relocates) {
    if (!values_.relocates(run.bits, layer_->relocates)) layer_->relocates = {};
  } else if (run.key == Key::sub_layers) {
    std::vector<Token> assets;
    if (!values_.string_vector(run.bits, assets)) return;
    sub_layer_count_ = assets.size();
    if (sub_layers.size() < assets.size()) sub_layers.resize(assets.size());
    for (std::size_t i = 0; i < assets.size(); ++i) sub_layers[i].asset = assets[i];
  } else {
    // They may come before the layers they belong to.
    std::vector<layer::LayerOffset> offsets;
    if (!values_.offsets(run.bits, offsets)) return;
    offsets_place_ = values_.place();
    if (sub_layers.size() < offsets.size()) sub_layers.resize(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) sub_layers[i].offset = offsets[i];
  }
}

// What is not a list of names at all may not be read: there is no telling what it would leave out.
bool LayerReader::name_list(Run& run, NameList& names) {
  std::vector<std::uint32_t> indices;
  if (!values_.token_vector(run.bits, indices)) {
    if (c_.options.on_error == OnError::keep_what_was_read) {
      is_complete_ = false;
      return false;
    }
    if (!is_rejected_) {
      c_.report.reject("usdc-children", "a list of children is damaged" + values_.place(),
                       Report::kNoOffset, values_.last_failure());
    }
    is_rejected_ = true;
    return false;
  }
  names.first = static_cast<std::uint32_t>(name_pool_.size());
  names.count = static_cast<std::uint32_t>(indices.size());
  names.at = Representation{run.bits}.payload();
  name_pool_.insert(name_pool_.end(), indices.begin(), indices.end());
  return true;
}

void LayerReader::name_order(Run& run, std::vector<Token>& names) {
  std::vector<std::uint32_t> indices;
  if (!values_.token_vector(run.bits, indices)) return;
  names.reserve(indices.size());
  for (const std::uint32_t index : indices) names.push_back(values_.token(index));
}

void LayerReader::other_field(Run& run, SpecKind kind) {
  Value value;
  if (!values_.read(run.bits, value)) return;
  if (const auto* op = value.as_token_list_op(); op != nullptr && op->empty()) return;
  if (const auto* op = value.as_list_op(); op != nullptr && op->empty()) return;
  const Token key = values_.token(run.name);
  fit_field(value, kind, key.view());
  fields_.push_back({key, std::move(value), 0});
}

// Metadata whose type is known.
void LayerReader::fit_field(Value& value, SpecKind kind, std::string_view key) {
  using Shape = FieldType::Shape;
  const FieldType declared = find_metadata_type(kind, key);
  Fit fit = Fit::same;
  switch (declared.shape) {
    case Shape::unknown:
    case Shape::not_metadata:
      return;
    case Shape::value:
      if (value.type() == ElementType::unregistered) {
        fit = fit_unregistered(value, declared.type, *c_.names);
      } else {
        fit = fit_value(value, declared.type, false);
      }
      break;
    case Shape::dictionary:
      fit = value.as_dictionary() != nullptr ? Fit::same : Fit::unfit;
      break;
    case Shape::token_list_op:
      fit = value.as_token_list_op() != nullptr ? Fit::same : Fit::unfit;
      break;
    case Shape::int64_list_op:
      fit = fit_int64_list(value);
      break;
  }
  if (fit == Fit::converted) {
    values_.warn("usdc-type", "the value has been given the type of this field", Severity::info);
  } else if (fit == Fit::unfit) {
    values_.warn("usdc-type", "the value does not have the type of this field");
  }
}

// Properties that share a list of fields are copies of the first, which owns what they hold. Made
// at `place`.
PropertySpec& LayerReader::read_property(std::uint32_t item, PropertySpec* place) {
  const PathTree::Item& its = c_.paths.items()[item];
  const auto kind =
      its.is_attribute ? PropertySpec::Kind::attribute : PropertySpec::Kind::relationship;
  std::vector<std::uint32_t>& all_known = property_of_[static_cast<std::size_t>(kind)];
  if (all_known.empty()) all_known.assign(c_.tables.field_sets.size(), kNone);
  std::uint32_t& known = all_known[its.fields];
  if (known != kNone) return layer::LayerAccess::repeat(*known_properties_[known], place);
  return read_new_property(item, place, kind, known);
}

PropertySpec& LayerReader::read_new_property(std::uint32_t item, PropertySpec* place,
                                             PropertySpec::Kind kind, std::uint32_t& known) {
  const PathTree::Item& its = c_.paths.items()[item];
  Model& model = models_[its.token % models_.size()];
  const std::uint64_t fill = c_.budget->fill_left();
  PropertySpec& spec =
      is_like(model, its) ? read_like(model, item, place) : read_model(model, item, place, kind);
  if (c_.budget->fill_left() == fill) {
    known = static_cast<std::uint32_t>(known_properties_.size());
    known_properties_.push_back(&spec);
  } else {
    model.spec = nullptr;  // What array edits fill is counted for each use, so each is read.
  }
  if (spec.default_value.owns_memory()) layer_->owners.push_back(&spec.default_value);
  return spec;
}

// Whether a list of fields differs from that of the model in the default value alone.
bool LayerReader::is_like(const Model& model, const PathTree::Item& item) const noexcept {
  if (model.spec == nullptr || model.name != item.token || model.default_at == kNone ||
      model.spec->is_attribute() != item.is_attribute) {
    return false;
  }
  const Tables& tables = c_.tables;
  const std::uint32_t* const old_fields = tables.field_sets.data() + model.run;
  const std::uint32_t* const new_fields = tables.field_sets.data() + item.fields;
  for (std::size_t i = 0;; ++i) {
    const std::uint32_t before = old_fields[i];
    const std::uint32_t after = new_fields[i];
    if (before == after) {
      if (before == kNoIndex) return true;
    } else if (before == kNoIndex || after == kNoIndex ||
               tables.field_names[before] != tables.field_names[after]) {
      return false;
    } else if (i != model.default_at) {  // Not every writer stores equal fields once.
      if (tables.field_values[before] != tables.field_values[after]) return false;
    } else if (Representation{tables.field_values[after]}.is_array_edit()) {
      return false;  // What edits fill is counted.
    }
  }
}

PropertySpec& LayerReader::read_like(const Model& model, std::uint32_t item, PropertySpec* place) {
  PropertySpec& spec = layer::LayerAccess::repeat_all_but_default(*model.spec, place);
  const std::uint32_t begin = c_.paths.items()[item].fields;
  const std::uint32_t field = c_.tables.field_sets[begin + model.default_at];
  values_.set_place(item, field);
  values_.read(c_.tables.field_values[field], spec.default_value);
  if (spec.is_attribute() && !is_of_type(spec.default_value, model.declared)) {
    fit_property(spec, model.declared);
  }
  return spec;
}

// Reads all fields of a property, which is the model of its name from now on.
PropertySpec& LayerReader::read_model(Model& model, std::uint32_t item, PropertySpec* place,
                                      PropertySpec::Kind kind) {
  PropertySpec& spec = *::new (place) PropertySpec;
  spec.kind = kind;
  const PathTree::Item& its = c_.paths.items()[item];
  model = {nullptr, its.token, its.fields, kNone, {}};
  const std::size_t faults = c_.report.faults();
  Run run;
  run.item = item;
  run.next = its.fields;
  ++run_number_;
  fields_.clear();
  std::uint32_t type_name = kNone;
  while (next_field(run)) {
    if (std::uint32_t index = 0; run.key == Key::type_name && spec.is_attribute() &&
                                 values_.is_plain_token(run.bits, index)) {
      type_name = index;
      spec.type_name = values_.token(index);
    } else {
      if (run.key == Key::default_value) {
        model.default_at = static_cast<std::uint32_t>(run.next - 1 - its.fields);
      }
      property_field(run, spec);
    }
  }
  if (spec.is_attribute()) {
    model.declared = declared_type(spec.type_name, type_name);
    if (model.default_at != kNone) {
      values_.set_place(run.item, c_.tables.field_sets[its.fields + model.default_at]);
    }
    fit_property(spec, model.declared);
  }
  spec.fields = layer_->keep_fields(fields_);
  if (spec.extra != nullptr && !spec.extra->has_time_samples && spec.extra->spline == nullptr &&
      spec.extra->targets.empty()) {
    spec.extra = nullptr;
    layer_->property_extras.pop_back();
  }
  if (c_.report.faults() == faults && spec.extra == nullptr) model.spec = &spec;
  return spec;
}

void LayerReader::property_field(Run& run, PropertySpec& spec) {
  const bool is_attribute = spec.is_attribute();
  switch (run.key) {
    case Key::type_name:
      if (!is_attribute) return misplaced(run);
      values_.name(run.bits, spec.type_name);
      return;
    case Key::custom: {
      Value value;
      if (!values_.read(run.bits, value)) return;
      if (!value.get<bool>()) return misplaced(run);
      spec.custom = *value.get<bool>();
      return;
    }
    case Key::variability: {
      constexpr layer::Variability kVariabilities[] = {
          layer::Variability::varying, layer::Variability::uniform, layer::Variability::uniform};
      if (const auto word = values_.word(run.bits, Type::variability, std::size(kVariabilities))) {
        spec.variability = kVariabilities[*word];
      }
      return;
    }
    case Key::default_value:
      values_.read(run.bits, spec.default_value);
      return;
    case Key::time_samples: {
      if (!is_attribute) return misplaced(run);
      PropertyExtra& extra = layer_->extra(spec);
      extra.has_time_samples = values_.samples(run.bits, extra.time_samples);
      if (!extra.has_time_samples) extra.time_samples = {};
      return;
    }
    case Key::spline: {
      if (!is_attribute) return misplaced(run);
      auto curve = std::make_unique<layer::Spline>();
      if (values_.spline(run.bits, *curve)) layer_->extra(spec).spline = std::move(curve);
      return;
    }
    case Key::connection_paths:
    case Key::target_paths: {
      if (is_attribute != (run.key == Key::connection_paths)) return misplaced(run);
      ListOp<Path>& targets = layer_->extra(spec).targets;
      if (!values_.path_list(run.bits, false, targets)) targets = {};
      return;
    }
    case Key::other:
      return other_field(run, is_attribute ? SpecKind::attribute : SpecKind::relationship);
    default:
      return misplaced(run);
  }
}

// The type of that name, which is usually that of a token.
layer::ValueType LayerReader::declared_type(Token name, std::uint32_t type_name) {
  if (type_name == kNone) return layer::find_value_type(name.view());
  std::uint32_t& place = type_places_[type_name];
  if (place == 0) {
    types_.push_back(layer::find_value_type(name.view()));
    place = static_cast<std::uint32_t>(types_.size());
  }
  return types_[place - 1];
}

// Default and samples of an attribute whose declared type is known.
void LayerReader::fit_property(PropertySpec& spec, const layer::ValueType& declared) {
  if (spec.type_name.empty()) {
    values_.warn("usdc-type", "an attribute has no type");
    return;
  }
  if (declared.element == ElementType::none) return;
  bool any_converted = false;
  bool any_unfit = false;
  const auto fit = [&](Value& value) {
    if (!value.has_value()) return;
    if (is_of_type(value, declared)) return;
    // OpenUSD keeps what it finds, and cannot read it as the declared type.
    Value kept = value;
    const Fit result = fit_value(value, declared, true);
    if (result == Fit::converted && c_.options.rules == Rules::openusd) value = kept;
    any_converted = any_converted || result == Fit::converted;
    any_unfit = any_unfit || result == Fit::unfit;
  };
  fit(spec.default_value);
  if (spec.extra != nullptr) {
    for (Value& value : layer_->extra(spec).time_samples.values) fit(value);
  }
  if (any_unfit) {
    values_.warn("usdc-type",
                 format_text("a value does not have the declared type {}", spec.type_name.view()));
  } else if (any_converted && c_.options.rules == Rules::documented) {
    values_.warn("usdc-type",
                 format_text("values have been given the declared type {}", spec.type_name.view()),
                 Severity::info);
  }
}

}  // namespace sinew::usdc
