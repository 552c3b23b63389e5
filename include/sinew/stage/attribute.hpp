// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/opinion.hpp"
#include "sinew/stage/time.hpp"
#include "sinew/stage/value_types.hpp"

namespace sinew::stage {

class AssetResolver;
class Prim;
class Stage;

/// Where a value comes from.
enum class ValueSource : std::uint8_t {
  none,          ///< No opinion at all.
  default_,      ///< A default.
  time_samples,  ///< Samples in a layer.
  spline,        ///< A curve in a layer; see layer::evaluate().
  blocked,       ///< The strongest opinion is `None`.
  value_clips,   ///< Layers that `clips` metadata of the prim, or of one above it, names.
};

/// An asset path and who wrote it: what AssetResolver::resolve_on_stage() wants to know.
struct AssetReference {
  std::string path;   ///< As written; empty: none.
  std::string layer;  ///< Identifier of the layer.
};

/// An array read from a stage: a view with shared ownership, so it outlives the stage. Copying it
/// copies no elements.
template <typename T>
class ArrayValue {
 public:
  ArrayValue() = default;
  /// Takes the elements of an array stored as T; anything else gives no elements.
  explicit ArrayValue(layer::Value value) : value_(std::move(value)) {}

  /// All elements, valid as long as this or a copy of it.
  std::span<const T> span() const noexcept { return value_.as_array<T>(); }
  /// Number of elements.
  std::size_t size() const noexcept { return span().size(); }
  /// Whether there are none.
  bool empty() const noexcept { return size() == 0; }
  /// Element `i`, below size(); not checked.
  const T& operator[](std::size_t i) const noexcept { return span()[i]; }
  /// The first element.
  auto begin() const noexcept { return span().begin(); }
  /// Behind the last element.
  auto end() const noexcept { return span().end(); }
  /// The array with its type, e.g. to put it into a layer.
  const layer::Value& value() const noexcept { return value_; }

 private:
  layer::Value value_;
};

/// What attributes and relationships share. A handle; valid as long as the stage. One that stands
/// for no property answers as a property without opinions would.
class SINEW_API Property {
 public:
  /// Whether it stands for a property.
  bool valid() const noexcept { return stage_ != nullptr; }
  /// The same as valid().
  explicit operator bool() const noexcept { return valid(); }

  /// With its namespaces: "xformOp:translate".
  Token name() const noexcept { return name_; }
  /// The prim it belongs to, on the side of the instance that it was asked for.
  Prim prim() const noexcept;
  /// O(depth); makes the text.
  layer::Path path() const;
  bool is_custom() const noexcept;                  ///< Any opinion says so.
  layer::Variability variability() const noexcept;  ///< Of the weakest opinion.
  /// Metadata composed over all opinions, as Prim::metadata(). No value if not authored.
  layer::Value metadata(std::string_view key) const;
  /// Every opinion, strongest first; `time` decides which one wins.
  std::vector<Opinion> explain(Time time = {}) const;

 protected:
  friend class Prim;
  friend struct StageAccess;
  const Stage* stage_ = nullptr;  ///< Null: no property.
  std::uint64_t context_ = 0;     ///< Of an instance proxy, else 0.
  std::uint32_t node_ = 0;        ///< The composed prim.
  Token name_;                    ///< Of the property.
};

/// A composed attribute.
///
/// Reads give no value where nothing is authored: schema fallbacks are the reader's business.
class SINEW_API Attribute : public Property {
 public:
  /// The value type name of the strongest opinion, as usda spells it today: "point3f[]".
  std::string_view type_name() const noexcept;

  /// The source that a read at `time` uses.
  ValueSource source(Time time = {}) const noexcept;
  /// A default or samples are authored and the strongest opinion is not a block.
  bool has_authored_value() const noexcept;
  bool has_authored_opinion() const noexcept;  ///< As above, blocks included.

  /// The value, interpolated where the type allows, arrays shared where possible. No value if there
  /// is none, or it is blocked at that time. Asset paths that are variable expressions are
  /// evaluated; such a text lives as long as the stage.
  layer::Value value(Time time = {}) const { return value(time, ValueTypes::any()); }
  /// The value of the strongest opinion that holds one of the wanted types; see ValueTypes. This is
  /// how an attribute of a schema is read, whose type is known.
  layer::Value value(Time time, ValueTypes wanted) const;

  /// The scalar, of the strongest opinion that holds one stored as T; no conversion between types.
  template <typename T>
  std::optional<T> get(Time time = {}) const {
    return value(time, ValueTypes::scalar_of<T>()).template get<T>();
  }
  /// The array, of the strongest opinion that holds one whose elements are stored as T.
  template <typename T>
  std::optional<ArrayValue<T>> get_array(Time time = {}) const {
    layer::Value v = value(time, ValueTypes::array_of<T>());
    if (!v.has_value()) return std::nullopt;
    return ArrayValue<T>(std::move(v));
  }
  /// Text of the strongest opinion that is one: a string, token, asset or the like.
  std::optional<std::string> get_text(Time time = {}) const;

  /// Stage times of the samples of the winning source, infinite ones left out; empty if it is a
  /// default. Array edits show the samples that they edit. Value clips have samples where a clip
  /// becomes active, at the pairs of `times` and just before a jump, and where an active clip has
  /// some. A read at a listed time gives that sample.
  std::vector<double> time_samples() const;
  /// Stage times to sample a spline at where only samples will do, see layer::sample_times(). Empty
  /// if no spline wins.
  std::vector<double> spline_sample_times() const;
  /// How many time_samples() there are, without making the list.
  std::size_t time_sample_count() const noexcept;
  /// More than one sample, a spline of more than one value, or several value clips.
  bool might_be_time_varying() const noexcept;

  /// Whether any opinion states connections, an explicit empty list included.
  bool has_connections() const noexcept;
  /// Connections as composed, in order. Those that an arc cannot map are left out and reported.
  std::vector<layer::Path> connections(Diagnostics* diagnostics = nullptr) const;

  /// An asset value as it is written, its expression evaluated, and where; nothing if not an asset.
  AssetReference asset(Time time = {}) const;
  /// Where an asset value is looked for first: beside the layer that wrote it, in the same package;
  /// empty if not an asset. Purely lexical: nothing is opened, and it may be elsewhere.
  std::string resolved_asset(Time time = {}) const;
  /// The identifier an asset value resolves to, by the rules that layers are found by. Wrap your
  /// resolver in a PackageResolver to find what is in packages.
  /// @return The identifier; `not_found` if there is no such file, or no asset value.
  Result<std::string> find_asset(AssetResolver& resolver, Time time = {}) const;
};

/// A composed relationship.
class SINEW_API Relationship : public Property {
 public:
  /// Any opinion, an explicit empty list included.
  bool has_authored_targets() const noexcept;
  /// Targets as composed, in order, on this prim's side of instances. Those that an arc cannot
  /// map are left out and reported.
  std::vector<layer::Path> targets(Diagnostics* diagnostics = nullptr) const;
  /// Targets that are relationships replaced by their targets, recursively, without repeats.
  std::vector<layer::Path> forwarded_targets(Diagnostics* diagnostics = nullptr) const;
};

}  // namespace sinew::stage
