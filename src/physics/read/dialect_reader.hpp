// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "physics/read/applied_apis.hpp"
#include "sinew/physics/lookup.hpp"
#include "sinew/physics/read/read_dialects.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::physics {

/// One number or many, of whatever type a file has them; none of other values.
std::vector<double> all_numbers_of(const layer::Value& value);

/// Reads what dialects say into one model. The functions are spread over read_dialects.cpp,
/// read_dialect_joints.cpp and dialect_values.cpp.
class DialectReader {
 public:
  DialectReader(const stage::Stage& stage, std::span<const Dialect> dialects, PhysicsModel& model,
                Diagnostics& diagnostics)
      : stage_(stage),
        dialects_(dialects),
        model_(model),
        lookup_(model),
        reporter_(stage, diagnostics) {}

  void run();

 private:
  // The objects of the model that a prim is.
  struct Place {
    std::string path;
    std::int32_t joint = kNone;
    std::int32_t body = kNone;
    std::int32_t shape = kNone;
    std::int32_t material = kNone;
    std::int32_t scene = kNone;
    std::int32_t articulation = kNone;
    std::int32_t site = kNone;
  };

  // What attributes say of a joint that follows another one, the first of equal ones.
  struct Coupling {
    Mimic mimic;
    bool follows = false;
    bool is_enabled = true;
    std::optional<float> ratio;
    std::optional<float> offset;

    Mimic finished() const {
      Mimic result = mimic;
      result.ratio = ratio.value_or(mimic.ratio);
      result.offset = offset.value_or(mimic.offset);
      return result;
    }
  };

  // What a prim has of the dialects that are asked for, by precedence.
  using FoundAttributes = std::vector<std::pair<const DialectAttribute*, Token>>;

  // --- read_dialects.cpp
  bool asks_for(Dialect dialect) const { return physics::asks_for(dialects_, dialect); }
  void read(const stage::Prim& prim);
  Place place_of(const stage::Prim& prim) const;
  void read_mjc_schemas(const stage::Prim& prim, const Place& place);
  void read_apple(const stage::Prim& prim, const Place& place);  // This and next: read_apple.cpp
  void read_apple_mass(const stage::Prim& prim, const RigidBody& body);
  void read_apple_material(const stage::Prim& prim, RigidBodyMaterial& material);
  /// What an attribute is not read for, unless it is 0.
  void tell_unless_zero(const stage::Prim& prim, Token name, std::string_view code,
                        std::string_view what);
  /// The numbers of an attribute; none, and reported, if its value is of another kind.
  std::vector<double> numbers_of(const stage::Prim& prim, Token name);
  /// A value that should be text, in the same way.
  layer::Value text_of(const stage::Prim& prim, Token name);
  void tell_type(const stage::Attribute& attribute, const layer::Value& value,
                 std::string_view wanted);
  std::optional<double> value_of(const stage::Prim& prim, Token name);
  void read_object(const stage::Prim& prim, const Place& place, const DialectAttribute& row,
                   Token name);
  void read_distances(const stage::Prim& prim, const FoundAttributes& found, ShapeExtras& extras);
  std::vector<double> mjc_numbers(const stage::Prim& prim, Token name, std::size_t most);
  void tell_refused(const stage::Prim& prim, Token name);
  void read_solver(const stage::Prim& prim, std::string_view field, Token name, MjcSolver& solver);
  void read_friction_solver(const stage::Prim& prim, std::string_view field, Token name,
                            MjcFriction& friction);
  void read_contact(const stage::Prim& prim, std::string_view field, Token name,
                    MjcContact& contact);
  void read_keyframe(const stage::Prim& prim, const DialectAttribute& row, Token name);
  void read_robot(const stage::Prim& prim, const DialectAttribute& row, Token name, Robot& robot);
  void finish_keyframe();
  void compare_starts();
  void finish();

  template <typename T>
  static void fill(std::optional<T>& field, double value) {
    if (!field) field = static_cast<T>(value);
  }
  /// Of a material, or of a collider for itself.
  template <typename Extras>
  static void read_friction(Extras& extras, std::string_view field, double value) {
    if (field == "torsional_friction") fill(extras.torsional_friction, value);
    if (field == "rolling_friction") fill(extras.rolling_friction, value);
  }

  void report(Severity severity, std::string_view code, const stage::Prim& prim,
              std::string message, std::string_view hint = {});
  void tell_once(Severity severity, std::string_view code, const stage::Prim& prim,
                 std::string_view key, std::string message, std::string_view hint = {});
  void tell_unknown(const stage::Prim& prim, std::string_view name);
  void tell_schema(const stage::Prim& prim, const DialectAttribute& row, std::string_view name);

  // --- Freedoms of joints, couplings and actuators (read_dialect_joints.cpp)
  void read_dof(const stage::Prim& prim, const Place& place, const DialectAttribute& row,
                Token name);
  std::int32_t joint_named(const stage::Prim& prim, Token name) const;
  void read_mimic(const stage::Prim& prim, const DialectAttribute& row, Token name,
                  Coupling& coupling);
  void add_mimic(const stage::Prim& prim, Mimic mimic);
  void read_actuator(const stage::Prim& prim, const DialectAttribute& row, Token name,
                     Actuator& actuator);
  /// What a token says, or what it says if it is not there.
  std::string word_of(const stage::Prim& prim, std::string_view name, std::string_view fallback);
  /// Whether an actuator is one that Actuator stands for, and its dynamics or its law; told if not.
  bool read_kind(const stage::Prim& prim, Actuator& actuator);
  std::vector<double> law_numbers_of(const stage::Prim& prim, std::string_view name);
  void obey_limited(const stage::Prim& prim, Actuator& actuator);

  const stage::Stage& stage_;
  const std::span<const Dialect> dialects_;
  PhysicsModel& model_;
  const Lookup lookup_;
  stage::Reporter reporter_;
  std::unordered_map<std::string, std::int32_t> articulations_;
  std::unordered_map<std::string, std::int32_t> sites_;
  /// Of each MjcActuator prim: its index, kNone if left out.
  std::vector<std::int32_t> actuators_;
  std::vector<std::int32_t> activated_;  ///< Of those with an activation.
  stage::Prim keyframe_;                 ///< The one to start from, if there is one.
  std::vector<double> controls_;         ///< What it says of `actuators_`; may be empty.
  std::vector<double> activations_;      ///< What it says of `activated_`; may be empty.
  std::set<std::string> told_;
};

}  // namespace sinew::physics
