// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/physics/mass.hpp"

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

std::string text(double value) {
  return rounded_text(value);
}

std::string text(const Vector3d& v) {
  return format_text("({}, {}, {})", text(v.x()), text(v.y()), text(v.z()));
}

std::string text(const Quatd& q) {
  return format_text("({}, {}, {}, {})", text(q.w()), text(q.x()), text(q.y()), text(q.z()));
}

// Writes one body's explanation, a line at a time, indented by depth.
class Explainer {
 public:
  Explainer(const PhysicsModel& model, const BodyMass& mass)
      : model_(model), mass_(mass), nodes_(model.mass_nodes_of(mass.body)) {
    children_.resize(mass.steps.size());
    for (std::size_t i = 1; i < mass.steps.size(); ++i) {
      const std::int32_t parent = mass.steps[i].parent;
      if (parent >= 0 && static_cast<std::size_t>(parent) < i) {
        at(children_, parent).push_back(i);
      }
    }
  }

  std::string run() {
    // An explicit stack, because the depth of the tree comes from the file.
    std::vector<std::size_t> stack = {0};
    std::vector<std::size_t> depth(mass_.steps.size(), 0);
    while (!stack.empty()) {
      const std::size_t index = stack.back();
      stack.pop_back();
      depth_ = depth[index];
      write_step(index);
      for (std::size_t i = children_[index].size(); i-- > 0;) {
        const std::size_t child = children_[index][i];
        depth[child] = depth[index] + 1;
        stack.push_back(child);
      }
    }
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(Pattern<std::type_identity_t<Args>...> pattern, const Args&... args) {
    out_.append(2 * (depth_ + extra_), ' ');
    append_text(out_, pattern, args...);
    out_.push_back('\n');
  }

  std::string_view path_of(std::size_t index) const {
    if (index < nodes_.size()) return model_.node_path(mass_.body, nodes_[index]);
    return model_.body(mass_.body).path;
  }

  void write_step(std::size_t index) {
    const MassStep& step = mass_.steps[index];
    const bool is_body = index == 0;
    extra_ = 0;
    line("{}: {} {}", path_of(index), is_body ? "mass" : "adds", text(step.share));
    extra_ = 1;
    write_mass(step, is_body);
    if (index < nodes_.size() && nodes_[index].is_collider) write_collider(step, index);
    if (is_body) {
      line("center of mass {}, {}", text(mass_.center_of_mass),
           step.center_source == FigureSource::authored ? "physics:centerOfMass" : "computed");
      line("diagonal inertia {}, {}", text(mass_.diagonal_inertia),
           inertia_origin(step.inertia_source));
      line("principal axes {}, {}", text(mass_.principal_axes),
           step.axes_source == FigureSource::authored ? "physics:principalAxes" : "computed");
    } else {
      if (step.center_source == FigureSource::authored) {
        line("center of mass {} in the body's frame, from physics:centerOfMass", text(step.center));
      }
      if (step.inertia_source == FigureSource::authored)
        line("inertia from physics:diagonalInertia");
      if (step.axes_source == FigureSource::authored) {
        line("inertia turned by physics:principalAxes");
      }
    }
    write_ignored(step.ignored);
  }

  static std::string_view inertia_origin(FigureSource source) {
    switch (source) {
      case FigureSource::authored:
        return "physics:diagonalInertia";
      case FigureSource::small_sphere:
        return "that of a ball of 0.1 m, because there is no volume";
      case FigureSource::unit:
        return "a placeholder, because nothing is known";
      case FigureSource::computed:
        break;
    }
    return "computed";
  }

  void write_mass(const MassStep& step, bool is_body) {
    switch (step.mass_source) {
      case MassSource::authored:
        if (step.parts_mass > 0.0 && step.parts_mass != step.mass) {
          line("mass {}: physics:mass; the parts weigh {} and are scaled to it", text(step.mass),
               text(step.parts_mass));
        } else {
          line("mass {}: physics:mass", text(step.mass));
        }
        break;
      case MassSource::parts:
        if (is_body) line("mass {}: the sum of what its parts add", text(step.mass));
        break;
      case MassSource::assumed:
        line("mass {}: assumed, because there is neither a mass nor a volume", text(step.mass));
        break;
      case MassSource::unset:
        line("mass {}: not set, because there is neither a mass nor a collider", text(step.mass));
        break;
      case MassSource::none:
        break;
    }
  }

  void write_collider(const MassStep& step, std::size_t index) {
    const Shape* shape = model_.node_shape(nodes_[index]);
    if ((step.ignored & kVolumeUnknown) != 0) {
      line("collider of unknown volume");
      return;
    }
    if (step.density_source == DensitySource::none) {
      line("collider, not needed: mass, center and inertia are given by the body");
      return;
    }
    const std::string_view kind = shape == nullptr ? "Custom" : to_string(shape->type());
    line("{} of volume {} times density {} = {}", kind, text(step.volume), text(step.density),
         text(step.volume * step.density));
    switch (step.density_source) {
      case DensitySource::mass_api:
        line("density {}: physics:density of {}", text(step.density),
             path_of(static_cast<std::size_t>(step.density_node)));
        if (shape != nullptr && shape->bound_material_density > 0.0F) {
          line("ignored density {} of the material {}: a mass schema comes first",
               text(shape->bound_material_density), shape->bound_material_path);
        }
        break;
      case DensitySource::material:
        line("density {}: physics:density of the material {}", text(step.density),
             shape == nullptr ? std::string_view{} : std::string_view(shape->bound_material_path));
        break;
      case DensitySource::water:
        line("density {}: water, 1000 kg/m^3, because no mass schema or material gives one",
             text(step.density));
        break;
      case DensitySource::none:
        break;
    }
    if ((step.ignored & kColliderDisabled) != 0) {
      line("collisions are disabled, which does not change the mass");
    }
  }

  void write_ignored(std::uint16_t ignored) {
    const auto tell = [&](IgnoredFigure figure, std::string_view sentence) {
      if ((ignored & figure) != 0) line("{}", sentence);
    };
    tell(kMassNotPositive, "ignored physics:mass: only a finite value above 0 counts");
    tell(kDensityNotPositive, "ignored physics:density: only a finite value above 0 counts");
    tell(kCenterNotFinite, "ignored physics:centerOfMass: not finite");
    tell(kInertiaTooSmall, "ignored physics:diagonalInertia: zero or not finite");
    tell(kAxesZero, "ignored physics:principalAxes: zero or not finite");
    tell(kNotConsulted, "ignored the mass schema: OpenUSD looks at the body and at colliders only");
    tell(kMassOverruled, "physics:mass is a proportion only: a prim above gives the total");
    tell(kDensityOverruled, "physics:density has no effect on the mass: physics:mass is given too");
    tell(kCenterOverruled, "a prim above gives the center of mass that counts");
    tell(kInertiaOverruled, "a prim above gives the inertia that counts");
  }

  const PhysicsModel& model_;
  const BodyMass& mass_;
  std::span<const MassNode> nodes_;
  std::vector<std::vector<std::size_t>> children_;
  std::string out_;
  std::size_t depth_ = 0;
  std::size_t extra_ = 0;
};

}  // namespace

std::string explain_mass(const PhysicsModel& model, const BodyMass& mass) {
  const bool known =
      mass.body >= 0 && static_cast<std::size_t>(mass.body) < model.rigid_bodies.size();
  if (!known || mass.steps.empty()) return {};
  return Explainer(model, mass).run();
}

}  // namespace sinew::physics
