// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "physics/read/names.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/physics/tokens.hpp"
#include "sinew/stage/stage.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

/// Checks one stage. The rules are spread over check_physics.cpp (walk, bodies, colliders),
/// check_joints.cpp, check_values.cpp (mass and single values) and check_filters.cpp (relations).
class Checker {
 public:
  Checker(const stage::Stage& stage, Diagnostics& diagnostics, const ReadOptions& options)
      : stage_(stage),
        diagnostics_(diagnostics),
        options_(options),
        names_(stage),
        reporter_(stage, diagnostics) {}

  void run();

 private:
  // What a prim takes over from those above it.
  struct Context {
    Matrix4d world = Matrix4d::Identity();
    bool in_body = false;           ///< A body lies above, or is the prim itself.
    bool body_enabled = false;      ///< Of the nearest such body.
    bool body_kinematic = false;    ///< The same.
    bool reset_since_body = false;  ///< A transform reset stands between the body and here.
    bool in_articulation = false;   ///< An articulation root lies above.
    /// The lowest prim at or above this one whose transform has samples and no default.
    stage::Prim timed;
  };

  void visit(const stage::Prim& prim, const Context& parent);
  void check_place(const stage::Prim& prim, const stage::Prim& timed);
  void check_body(const stage::Prim& prim, const Context& parent, Context& context);
  void check_collider(const stage::Prim& prim, const Context& context);
  bool follows_along_spine(const stage::Prim& prim, const Vector3d& scale) const;
  void check_sphere_points(const stage::Prim& prim);
  void check_articulation(const stage::Prim& prim, Context& context);

  void check_joint(const stage::Prim& prim);
  void check_joint_values(const stage::Prim& prim);
  void check_distances(const stage::Prim& prim);
  void check_degree(const stage::Prim& prim, std::string_view schema, std::string_view instance);
  bool has_enabled_body(const stage::Prim& end) const;
  stage::Prim body_above(const stage::Prim& prim) const;
  stage::Prim joint_end(const stage::Prim& prim, const Name& name, bool& unusable);

  void check_mass(const stage::Prim& prim);
  void check_inertia(const stage::Prim& prim);
  void check_not_negative(const stage::Prim& prim, const Name& name, std::string_view code,
                          Severity severity);
  void check_finite(const stage::Prim& prim, const Name& name);
  void check_not_nan(const stage::Prim& prim, const Name& name);
  void check_token(const stage::Prim& prim, const Name& name,
                   std::initializer_list<std::string_view> allowed);

  /// Whether a schema applies, on its own or through one of the application.
  bool has_api(const stage::Prim& prim, std::string_view schema) const;
  /// Whether the geometry is one that only the application knows.
  bool is_custom(const stage::Prim& prim) const;

  /// `is_simulated`: it is a body or collides.
  void check_relations(const stage::Prim& prim, bool is_simulated);
  void check_targets(const stage::Prim& prim, const Name& name, std::string_view wanted,
                     bool (*fits)(const stage::Prim&));

  /// An attribute's name that is known only now, with an instance of a schema in it.
  Name find_name(std::string_view text) const { return {stage_.find_token(text), 0}; }

  /// The default of an attribute, of whatever type; null if there is none.
  const layer::Value* value(const stage::Prim& prim, const Name& name, layer::Value& made) const {
    if (name.number == 0) return stage::default_value(prim, name.token, made);
    return properties_.value(prim, name, made);
  }
  /// The same of certain types; values of others are passed over.
  const layer::Value* value(const stage::Prim& prim, const Name& name, layer::Value& made,
                            stage::ValueTypes wanted) const {
    const layer::Value* found = value(prim, name, made);
    if (found == nullptr || wanted.accept(*found)) return found;
    return stage::default_value(prim, name.token, made, wanted);
  }
  template <typename T>
  std::optional<T> value(const stage::Prim& prim, const Name& name) const {
    const Rules rules = stage_.rules();
    layer::Value made;
    const layer::Value* found = value(prim, name, made, stage::scalars_read_as<T>(rules));
    return found != nullptr ? stage::scalar_as<T>(*found, rules) : std::nullopt;
  }
  bool flag(const stage::Prim& prim, const Name& name, bool fallback) const {
    return value<bool>(prim, name).value_or(fallback);
  }
  bool documented() const noexcept { return stage_.rules() == Rules::documented; }

  void report(Severity severity, std::string_view code, const stage::Prim& prim,
              std::string message, std::string_view hint = {});
  /// About a property: with the text position of the opinion in force.
  void report(Severity severity, std::string_view code, const stage::Property& property,
              std::string message, std::string_view hint = {});

  const stage::Stage& stage_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  Names names_;
  stage::PropertyTable properties_{names_};  // Of the prim that is visited.
  stage::Reporter reporter_;
  std::set<std::uint32_t> timed_told_;  // Nodes that check_place() was asked about.
  bool has_bodies_ = false;
  bool has_scene_ = false;
};

}  // namespace sinew::physics
