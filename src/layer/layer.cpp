// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/layer.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/short_text.hpp"
#include "core/unicode.hpp"
#include "layer/shared/layer_impl.hpp"

namespace sinew::layer {

std::string_view to_string(Specifier specifier) noexcept {
  switch (specifier) {
    case Specifier::def:
      return "def";
    case Specifier::over:
      break;
    case Specifier::class_:
      return "class";
  }
  return "over";
}

Layer::Impl::Impl() {
  root = new_prim();
  prim_count = 0;
}

Layer::Impl::~Impl() {
  for (Value* value : owners) std::destroy_at(value);
}

PrimSpec* Layer::Impl::new_prim() {
  static_assert(std::is_trivially_destructible_v<PrimSpec>);
  ++prim_count;
  return ::new (arena.allocate<PrimSpec>(1)) PrimSpec;
}

std::span<const Field> Layer::Impl::keep_fields(std::span<Field> fields) {
  const std::span<Field> kept = arena.move_in(fields);
  for (Field& field : kept) {
    if (field.value.owns_memory()) owners.push_back(&field.value);
  }
  return kept;
}

std::span<const PropertySpec> Layer::Impl::keep_properties(std::span<PropertySpec> properties) {
  const std::span<PropertySpec> kept = arena.move_in(properties);
  for (PropertySpec& property : kept) {
    if (property.default_value.owns_memory()) owners.push_back(&property.default_value);
  }
  return kept;
}

std::span<const PrimSpec* const> Layer::Impl::keep_children(std::span<PrimSpec* const> children) {
  if (children.empty()) return {};
  auto* memory = arena.allocate<const PrimSpec*>(children.size());
  std::uninitialized_copy(children.begin(), children.end(), memory);
  return {memory, children.size()};
}

PrimExtra& Layer::Impl::extra(PrimSpec& prim) {
  if (prim.extra == nullptr) prim.extra = &prim_extras.emplace_back();
  return const_cast<PrimExtra&>(*prim.extra);  // Made above, mutable until the layer is finished.
}

PropertyExtra& Layer::Impl::extra(PropertySpec& property) {
  if (property.extra == nullptr) property.extra = &property_extras.emplace_back();
  return const_cast<PropertyExtra&>(*property.extra);
}

void Layer::Impl::index_names(const PrimSpec& prim, std::size_t children_known,
                              std::size_t properties_known) {
  // Slots are scattered over memory: several are fetched at a time.
  const auto enter = [&](NameTable& places, std::size_t count, std::size_t known, auto name_at) {
    constexpr std::size_t kAhead = 8;
    if (count <= kScanLimit) return;
    places.reserve(count - known);
    for (std::size_t i = known; i < count; ++i) {
      if (i + kAhead < count) places.prefetch(&prim, name_at(i + kAhead));
      places.insert(&prim, name_at(i), static_cast<std::uint32_t>(i));
    }
  };
  enter(child_places, prim.children.size(), children_known,
        [&](std::size_t i) { return prim.children[i]->name; });
  enter(property_places, prim.properties.size(), properties_known,
        [&](std::size_t i) { return prim.properties[i].name; });
}

const Value* find_field(std::span<const Field> fields, std::string_view key) noexcept {
  for (const Field& field : fields) {
    if (equal_text(field.key.view(), key)) return &field.value;
  }
  return nullptr;
}

const Value* PrimSpec::field(std::string_view key) const noexcept {
  return find_field(fields, key);
}

Layer::Layer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Layer::~Layer() = default;

const std::string& Layer::identifier() const noexcept {
  return impl_->identifier;
}
int Layer::version() const noexcept {
  return impl_->version;
}
bool Layer::complete() const noexcept {
  return impl_->complete;
}
std::size_t Layer::damaged_values() const noexcept {
  return impl_->damaged_values == nullptr ? 0 : impl_->damaged_values->load();
}
const PrimSpec& Layer::root() const noexcept {
  return *impl_->root;
}
std::span<const SubLayer> Layer::sub_layers() const noexcept {
  return impl_->sub_layers;
}
std::span<const Relocate> Layer::relocates() const noexcept {
  return impl_->relocates;
}
std::size_t Layer::prim_count() const noexcept {
  return impl_->prim_count;
}
const std::shared_ptr<TokenTable>& Layer::tokens() const noexcept {
  return impl_->tokens;
}

const Value* Layer::field(std::string_view key) const noexcept {
  return impl_->root->field(key);
}

const PrimSpec* Layer::find_child(const PrimSpec& parent, Token name) const noexcept {
  if (parent.children.size() > Impl::kScanLimit) {
    const std::uint32_t place =
        impl_->child_places.find(&parent, name, parent.children.size(),
                                 [&](std::uint32_t i) { return parent.children[i]->name; });
    return place == NameTable::kNone ? nullptr : parent.children[place];
  }
  for (const PrimSpec* child : parent.children) {
    if (child->name == name) return child;
  }
  return nullptr;
}

const PropertySpec* Layer::find_property(const PrimSpec& prim, Token name) const noexcept {
  if (prim.properties.size() > Impl::kScanLimit) {
    const std::uint32_t place =
        impl_->property_places.find(&prim, name, prim.properties.size(),
                                    [&](std::uint32_t i) { return prim.properties[i].name; });
    return place == NameTable::kNone ? nullptr : &prim.properties[place];
  }
  for (const PropertySpec& property : prim.properties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

const PrimSpec* Layer::find_variant(const PrimSpec& prim, Token set, Token variant) const noexcept {
  if (prim.extra == nullptr) return nullptr;
  for (const VariantSetSpec& spec : prim.extra->variant_sets) {
    if (spec.name != set) continue;
    for (const VariantSpec& candidate : spec.variants) {
      if (candidate.name == variant) return candidate.prim;
    }
  }
  return nullptr;
}

const PrimSpec* Layer::find_prim(std::string_view path) const noexcept {
  if (path.empty() || path.front() != '/') return nullptr;
  const TokenTable& table = *impl_->tokens;
  const PrimSpec* prim = impl_->root;
  path.remove_prefix(1);
  while (!path.empty() && prim != nullptr) {
    if (path.front() == '{') {
      const std::size_t equals = path.find('=');
      const std::size_t close = path.find('}');
      if (close == std::string_view::npos || equals > close) return nullptr;
      const std::string_view variant = path.substr(equals + 1, close - equals - 1);
      const Token token = table.find(variant);
      if (token.empty() && !variant.empty()) return nullptr;
      prim = find_variant(*prim, table.find(path.substr(1, equals - 1)), token);
      path.remove_prefix(close + 1);
      continue;
    }
    const std::size_t length = identifier_length(path);
    const Token name = table.find(path.substr(0, length));
    if (name.empty()) return nullptr;
    prim = find_child(*prim, name);
    path.remove_prefix(length);
    if (path.starts_with('/')) {
      path.remove_prefix(1);
      if (path.empty()) return nullptr;
    } else if (!path.empty() && path.front() != '{') {
      return nullptr;
    }
  }
  return prim;
}

Path Layer::path_of(const PrimSpec& prim) {
  if (prim.parent == nullptr) return Path::root();
  std::vector<const PrimSpec*> chain;
  for (const PrimSpec* p = &prim; p->parent != nullptr; p = p->parent) chain.push_back(p);
  Path path = Path::root();
  for (auto p = chain.rbegin(); p != chain.rend(); ++p) {
    if (!(*p)->is_variant) {
      path = path.child((*p)->name.view());
      continue;
    }
    std::string_view set;
    for (const VariantSetSpec& spec : (*p)->parent->extra->variant_sets) {
      for (const VariantSpec& variant : spec.variants) {
        if (variant.prim == *p) set = spec.name.view();
      }
    }
    std::string text = path.str();
    text += '{';
    text += set;
    text += '=';
    text += (*p)->name.view();
    text += '}';
    path = Path::from_trusted(std::move(text));
  }
  return path;
}

namespace {

bool same(Token a, Token b) noexcept {
  return a.view() == b.view();
}

bool same(std::span<const Token> a, std::span<const Token> b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](Token x, Token y) { return same(x, y); });
}

bool same(const ListOp<Token>& a, const ListOp<Token>& b) noexcept {
  return a.is_explicit == b.is_explicit && same(a.explicit_items, b.explicit_items) &&
         same(a.deleted, b.deleted) && same(a.added, b.added) && same(a.prepended, b.prepended) &&
         same(a.appended, b.appended) && same(a.ordered, b.ordered);
}

bool same(std::span<const Field> a, std::span<const Field> b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const Field& field) {
    const Value* other = find_field(b, field.key.view());
    return other != nullptr && *other == field.value;
  });
}

// Times compare by bits, so that NaN equals itself.
bool same(const TimeSamples& a, const TimeSamples& b) noexcept {
  return a.values == b.values && a.times.size() == b.times.size() &&
         (a.times.empty() ||
          std::memcmp(a.times.data(), b.times.data(), a.times.size() * sizeof(double)) == 0);
}

bool same(const PropertySpec& a, const PropertySpec& b) {
  static const PropertyExtra none;
  const PropertyExtra& x = a.extra != nullptr ? *a.extra : none;
  const PropertyExtra& y = b.extra != nullptr ? *b.extra : none;
  const bool splines = (x.spline == nullptr) == (y.spline == nullptr) &&
                       (x.spline == nullptr || *x.spline == *y.spline);
  return same(a.name, b.name) && same(a.type_name, b.type_name) && a.kind == b.kind &&
         a.variability == b.variability && a.custom == b.custom &&
         a.default_value == b.default_value && same(a.fields, b.fields) &&
         x.has_time_samples == y.has_time_samples && same(x.time_samples, y.time_samples) &&
         x.targets == y.targets && splines;
}

bool same(const PrimSpec& a, const PrimSpec& b);

bool same(const PrimExtra& a, const PrimExtra& b) {
  const auto same_selection = [](const auto& x, const auto& y) {
    return same(x.first, y.first) && same(x.second, y.second);
  };
  const auto same_variant = [](const VariantSpec& x, const VariantSpec& y) {
    return same(x.name, y.name) && same(*x.prim, *y.prim);
  };
  const auto same_set = [&](const VariantSetSpec& x, const VariantSetSpec& y) {
    return same(x.name, y.name) && std::equal(x.variants.begin(), x.variants.end(),
                                              y.variants.begin(), y.variants.end(), same_variant);
  };
  return a.references == b.references && a.payloads == b.payloads && a.inherits == b.inherits &&
         a.specializes == b.specializes && same(a.variant_set_names, b.variant_set_names) &&
         std::equal(a.variant_selections.begin(), a.variant_selections.end(),
                    b.variant_selections.begin(), b.variant_selections.end(), same_selection) &&
         std::equal(a.variant_sets.begin(), a.variant_sets.end(), b.variant_sets.begin(),
                    b.variant_sets.end(), same_set) &&
         a.relocates == b.relocates && same(a.child_order, b.child_order) &&
         same(a.property_order, b.property_order);
}

bool same(const PrimSpec& a, const PrimSpec& b) {
  static const PrimExtra none;
  return same(a.name, b.name) && same(a.type_name, b.type_name) && a.specifier == b.specifier &&
         same(a.fields, b.fields) &&
         std::equal(a.properties.begin(), a.properties.end(), b.properties.begin(),
                    b.properties.end(),
                    [](const PropertySpec& x, const PropertySpec& y) { return same(x, y); }) &&
         same(a.extra != nullptr ? *a.extra : none, b.extra != nullptr ? *b.extra : none) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const PrimSpec* x, const PrimSpec* y) { return same(*x, *y); });
}

}  // namespace

bool equal(const Layer& a, const Layer& b) {
  const bool sub_layers =
      std::equal(a.sub_layers().begin(), a.sub_layers().end(), b.sub_layers().begin(),
                 b.sub_layers().end(), [](const SubLayer& x, const SubLayer& y) {
                   return same(x.asset, y.asset) && x.offset == y.offset;
                 });
  return sub_layers &&
         std::equal(a.relocates().begin(), a.relocates().end(), b.relocates().begin(),
                    b.relocates().end()) &&
         same(a.root(), b.root());
}

}  // namespace sinew::layer
