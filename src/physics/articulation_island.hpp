// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Where an articulation root stands among the bodies and joints of a model.
struct RootPlace {
  std::int32_t body = kNone;      ///< The root, if it is a body.
  std::int32_t joint = kNone;     ///< The root, if it is a joint.
  std::int32_t first_body = 0;    ///< The bodies at or below it...
  std::int32_t end_body = kNone;  ///< ...end before this one.
};

/// The articulations of a model whose bodies are in namespace order and whose paths are distinct,
/// as reading prim by prim leaves them: nothing has to be sorted or looked up by path.
/// @param places     Parallel to `roots`.
/// @param body_ends  Per body: one past the last body at or below it.
std::vector<Articulation> resolve_in_place(const PhysicsModel& model, std::span<const Text> roots,
                                           std::span<const RootPlace> places,
                                           std::span<const std::int32_t> body_ends,
                                           Diagnostics& diagnostics);

/// The articulations of any model.
std::vector<Articulation> resolve_by_path(const PhysicsModel& model, std::span<const Text> roots,
                                          Diagnostics& diagnostics);

/// The trees of all articulations of a finished model, one articulation after the other.
std::vector<ArticulationTree> all_articulation_trees(const PhysicsModel& model);

/// Bodies and joints of a model as a graph: what articulations are cut from.
class ArticulationGraph {
 public:
  enum class Paths : std::uint8_t {
    any,
    distinct,  ///< And bodies in namespace order: sorted only if a path has to be found.
  };

  ArticulationGraph(const PhysicsModel& model, std::span<const std::int32_t> preorder, Paths paths);

  const PhysicsModel& model() const noexcept { return model_; }
  std::size_t body_count() const noexcept { return model_.rigid_bodies.size(); }
  std::string_view body_path(std::int32_t body) const noexcept;

  /// Joints at a body in path order, a joint from a body to itself twice.
  std::span<const std::int32_t> joints_of(std::int32_t body) const noexcept;
  bool linkable(std::int32_t body) const noexcept {
    return body != kNone && !joints_of(body).empty();
  }
  /// The enabled body at an end of a joint; kNone for anything else.
  std::int32_t end(std::int32_t joint, int which) const noexcept;

  /// First body or joint of this path, kNone if there is none.
  std::int32_t find_body(std::string_view path);
  std::int32_t find_joint(std::string_view path);
  /// Bodies at or below a prim, in namespace order of the stage.
  std::vector<std::int32_t> bodies_below(std::string_view path);

  /// Path order; of equal paths the first in the model.
  bool joint_before(std::int32_t a, std::int32_t b) const noexcept;
  bool body_before(std::int32_t a, std::int32_t b) const noexcept;

 private:
  void connect();
  void sort();

  const PhysicsModel& model_;
  bool sorted_ = false;
  std::vector<std::int32_t> bodies_by_path_;
  std::vector<std::int32_t> joints_by_path_;
  std::vector<std::int32_t> body_rank_;
  std::vector<std::int32_t> joint_rank_;
  std::vector<std::int32_t> position_;  // Of a body in the stage's namespace order.
  std::vector<std::uint32_t> first_joint_;
  std::vector<std::int32_t> joint_list_;
};

/// A body inside an island, with what the choice of a root depends on.
struct IslandLink {
  std::int32_t body = kNone;
  std::span<const std::int32_t> joints;
  std::size_t first_child = 0;  ///< See Island::children_of().
  std::int64_t weight = 0;
  std::int32_t root_joint = kNone;  ///< The last joint to the world.
};

/// Bodies connected by joints that are not excluded. Without links if its top has no joints.
struct Island {
  std::int32_t top = kNone;
  bool fixed = false;  ///< Some link is anchored in the world.
  std::vector<IslandLink> links;
  std::vector<std::int32_t> children;  ///< Of all links.

  /// Bodies at the other ends of a link's joints, one per joint; kNone for the world.
  std::span<const std::int32_t> children_of(const IslandLink& link) const noexcept {
    return std::span(children).subspan(link.first_child, link.joints.size());
  }
};

/// The root chosen for an island: a body or a joint, the other kNone.
struct IslandRoot {
  std::int32_t body = kNone;
  std::int32_t joint = kNone;
};

/// Working memory shared by all roots of a model: arrays over all bodies that are cleaned up after
/// use, so that a root costs no more than its own bodies.
struct IslandWorkspace {
  explicit IslandWorkspace(std::size_t body_count)
      : link_of_body(body_count, kNone), order_of_body(body_count, kNone) {}
  std::vector<std::int32_t> link_of_body;   ///< Within the body's own island; see link_in().
  std::vector<std::int32_t> order_of_body;  ///< Position in the visiting order of the root.
  std::int32_t order_count = 0;
};

/// The link of a body in an island, kNone if the body is not part of that island.
std::int32_t link_in(const Island& island, const IslandWorkspace& work, std::int32_t body) noexcept;

/// Follows the joints from `top`. Leaves link_of_body filled in for the island's links.
Island visit_island(const ArticulationGraph& graph, std::int32_t top, IslandWorkspace& work);

/// Chooses the root of an island that was visited with this workspace.
IslandRoot choose_root(const ArticulationGraph& graph, const Island& island,
                       const IslandWorkspace& work);

}  // namespace sinew::physics
