// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/robot_import/reading.hpp"
#include "physics/shared/actuator_words.hpp"

namespace sinew::exporter::robot_import {

/// Elements of actuators that stand for a <general> one.
inline constexpr std::string_view kActuatorShortcuts[] = {"motor",       "position", "velocity",
                                                          "intvelocity", "damper",   "muscle"};

inline bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads a world of MJCF. Its functions are spread over read_mjcf.cpp, mjcf_elements.cpp,
/// mjcf_meshes.cpp, mjcf_actuators.cpp and mjcf_sections.cpp.
class MjcfReader {
 public:
  explicit MjcfReader(const RobotInput& input) : in_(input), robot_(*input.robot) {}
  bool run(XmlElement& root);

 private:
  /// What the engine keeps of an actuator: how its force follows from its control. Shortcuts such
  /// as <position> write into it one after the other, those of the classes around first.
  struct ActuatorNumbers {
    std::string_view gain_type = "fixed";
    std::string_view bias_type = "none";
    std::string_view dynamics_type = "none";
    std::array<double, physics::kMostLawNumbers> gain = {1.0};
    std::array<double, physics::kMostLawNumbers> bias = {};
    std::array<double, physics::kMostLawNumbers> time = {1.0};
  };
  /// Defaults of a class; those of the class that it lies in apply besides.
  struct DefaultsClass {
    const DefaultsClass* parent = nullptr;
    /// By what they are defaults of, see default_of(), and by name. Of equal ones the last.
    std::map<std::string_view, std::map<std::string_view, const XmlAttribute*>> attributes;
    ActuatorNumbers actuator;  ///< With those of the class that it lies in.
  };
  /// An element with what its class adds.
  struct View {
    const XmlElement* element;
    const DefaultsClass* defaults;
    const XmlAttribute* find(std::string_view name) const;
    /// What find() returns, then what that hides: of one class after the other.
    std::vector<const XmlAttribute*> find_all(std::string_view name) const;
    /// Which of these the element has; else which its class has, and so on; of several the first.
    std::optional<std::string_view> nearest(std::initializer_list<std::string_view> names) const;
    std::string_view text(std::string_view name, std::string_view fallback = {}) const;
  };
  /// An element inside a body that is still to be read.
  struct Pending {
    const XmlElement* element;
    std::int32_t body;
    Posed offset;  ///< Of the frames between it and the body.
    const DefaultsClass* defaults;
  };
  struct Site {
    std::int32_t body;
    std::int32_t index;  ///< Into Robot::sites.
  };
  enum class InertiaMode { from_geoms, as_stated, automatic };

  // --- read_mjcf.cpp
  bool include_files(XmlElement& root);
  void read_compiler(const XmlElement& compiler);
  void read_option(const XmlElement& option);
  void read_defaults(const XmlElement& outermost);
  const DefaultsClass* class_of(const XmlElement& element, const DefaultsClass* around) const;
  void read_bodies(const XmlElement& root);
  void read_element(const Pending& pending);
  void read_body(const Pending& pending);
  void finish_masses();
  void bound_mass(RobotBody& body) const;
  std::string name_of(const View& view, std::string_view what, std::set<std::string_view>& taken);

  // --- mjcf_elements.cpp
  std::optional<double> number(const View& view, std::string_view name) const;
  /// Of a list of any length what it leaves open is as in the class around.
  std::optional<std::vector<double>> several(const View& view, std::string_view name,
                                             std::size_t least, std::size_t most) const;
  std::optional<Vector3d> vector(const View& view, std::string_view name) const;
  /// Of the attributes `names`, each with the most numbers it may have, those that are there.
  NamedNumbers named_numbers(const View& view,
                             std::span<const std::pair<std::string_view, std::size_t>> names) const;
  bool flag(const View& view, std::string_view name, bool fallback) const;
  /// Whether a range counts. Where the file leaves that to it, one from 0 to 0 does not.
  bool is_limited(const View& view, std::string_view name, const std::vector<double>& range) const;
  Quatd orientation(const View& view) const;
  Posed pose(const View& view) const;
  double angle(double value) const;
  void read_inertial(const Pending& pending);
  void read_joint(const Pending& pending);
  void read_geom(const Pending& pending);
  /// @param missing  Each number of the size that is not given.
  bool read_size(const View& view, RobotGeom& geom, double missing) const;
  void read_contact(const View& view, RobotGeom& geom) const;
  std::optional<std::array<float, 4>> color_of(const View& view) const;
  void read_site(const Pending& pending);
  std::int32_t mesh_named(std::string_view name, const Where& where);
  std::int32_t read_mesh(const View& view, std::string name);
  MeshWeighing read_weighing(const View& view) const;

  // --- mjcf_actuators.cpp
  void read_actuators(const XmlElement& root);
  void read_actuator(const View& view, const ActuatorNumbers& numbers);
  /// What an element of an actuator says; nothing of any other.
  void read_numbers(const XmlElement& element, ActuatorNumbers& numbers) const;
  void read_muscle(const View& view, ActuatorNumbers& numbers) const;
  /// @return What is wrong with them, as the end of a sentence; empty if nothing is.
  static std::string_view read_law(const ActuatorNumbers& numbers, RobotActuator& actuator);
  std::optional<std::array<double, 2>> actuator_range(const View& view, const char* limited,
                                                      const char* name) const;
  void make_drives();

  // --- mjcf_sections.cpp
  void read_assets(const XmlElement& root);
  void read_contacts(const XmlElement& root);
  void read_equalities(const XmlElement& root);
  void read_equality(const View& view);
  void read_coupling(const View& view);
  void read_tendons(const XmlElement& root);
  void read_keyframes(const XmlElement& root);
  std::optional<std::int32_t> body_named(const View& view, std::string_view attribute) const;
  std::int32_t joint_named(const View& view, std::string_view attribute) const;

  const RobotInput& in_;
  Robot& robot_;

  // The compiler.
  bool degrees_ = true;
  bool auto_limits_ = true;
  bool strip_path_ = false;
  std::string euler_order_ = "xyz";
  std::string mesh_folder_;
  InertiaMode inertia_mode_ = InertiaMode::automatic;
  int first_group_ = 0;
  int last_group_ = 5;
  double least_mass_ = 0.0;
  double least_inertia_ = 0.0;
  bool balances_ = false;
  MeshWeighing weighing_ = MeshWeighing::legacy;
  std::optional<double> total_mass_;
  bool has_gravity_ = true;  ///< Of the options: their flag holds whatever vector they give.

  std::deque<DefaultsClass> classes_;
  std::map<std::string_view, const DefaultsClass*> class_by_name_;
  std::map<std::string_view, const XmlElement*> materials_;
  std::map<std::string, const XmlElement*, std::less<>> mesh_elements_;
  std::map<std::string, std::int32_t, std::less<>> meshes_;  ///< Those that were asked for.
  std::vector<Pending> pending_;
  std::vector<bool> has_inertial_;  ///< Per body.
  std::map<std::string_view, std::int32_t> bodies_by_name_;
  std::map<std::string_view, std::int32_t> joints_by_name_;
  std::set<std::string_view> geom_names_;
  std::map<std::string_view, Site> sites_;
  /// Number of joints that move each body, as it stands in keyframes.
  std::vector<double> controls_;              ///< Of the actuators, by the keyframe.
  std::vector<std::int32_t> actuator_order_;  ///< Of each in the file, its index, or kNothing.
  std::vector<std::int32_t> activated_;       ///< Of those with an activation.
};

}  // namespace sinew::exporter::robot_import
