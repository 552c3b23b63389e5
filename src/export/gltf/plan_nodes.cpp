// SPDX-License-Identifier: Apache-2.0
// The tree of prims as nodes.

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/plan_nodes.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/visibility.hpp"

namespace sinew::exporter {

namespace {

using stage::Prim;
using stage::SchemaType;

/// A prim to be visited.
struct Pending {
  Prim prim;
  std::int32_t parent = kTop;
  bool visible = true;
  geom::PurposeInfo purpose;
};

bool is_shown_tree(const Prim& prim) {
  const SchemaType type = prim.schema_type();
  return type == SchemaType::unknown || type == SchemaType::typed ||
         prim.is_a(SchemaType::imageable);
}

void report_unsupported(Writer& w, const Prim& prim) {
  const bool is_other_shape = prim.is_a(SchemaType::boundable) && !prim.is_a(SchemaType::mesh) &&
                              !prim.is_a(SchemaType::skel_root) &&
                              !prim.is_a(SchemaType::skeleton) &&
                              !prim.is_a(SchemaType::point_instancer) && !is_simple_shape(prim);
  if (!is_other_shape && !prim.is_a(SchemaType::nonboundable_light_base)) return;
  w.warn("gltf-unsupported-prim", prim,
         format_text("{} is a {}, which glTF has no place for; it is left out.", prim.path().view(),
                     prim.type_name().view()));
}

/// Whether an `orient` operation of a prim has a value of nothing but zeros that is written.
bool has_zero_rotation(const Writer& w, const Prim& prim) {
  if (!prim.is_a(SchemaType::xformable)) return false;
  const auto order = prim.attribute("xformOpOrder").get_array<Token>();
  if (!order) return false;
  for (const Token& entry : *order) {
    std::string_view name = entry.view();
    if (constexpr std::string_view kInvert = "!invert!"; name.starts_with(kInvert)) {
      name.remove_prefix(kInvert.size());
    }
    if (!name.starts_with("xformOp:orient")) continue;
    const stage::Attribute attribute = prim.attribute(name);
    if (!attribute) continue;
    const auto is_zero = [&](stage::Time time) {
      const auto is_none = [](const auto& q) {
        return q && q->template cast<double>().coeffs().isZero(0.0);
      };
      return is_none(attribute.get<Quatf>(time)) || is_none(attribute.get<Quatd>(time)) ||
             is_none(attribute.get<Quath>(time));
    };
    const std::vector<double> samples = attribute.time_samples();
    const bool any_sample = std::any_of(samples.begin(), samples.end(), [&](double sample) {
      return sample >= w.first && sample <= w.last && is_zero(stage::Time(sample));
    });
    if (any_sample || is_zero(w.shown)) return true;
  }
  return false;
}

class Planner {
 public:
  explicit Planner(Writer& writer) : w_(writer) {}

  void walk(const Pending& top, bool as_prototype, std::vector<std::int32_t>* made) {
    std::vector<Pending> stack;
    stack.push_back(top);
    bool is_top = true;
    while (!stack.empty() && !w_.error) {
      const Pending item = stack.back();
      stack.pop_back();
      visit(item, is_top, as_prototype, stack, made);
      is_top = false;
    }
  }

 private:
  void visit(const Pending& item, bool is_top, bool as_prototype, std::vector<Pending>& stack,
             std::vector<std::int32_t>* made) {
    const Prim& prim = item.prim;
    if (!is_shown_tree(prim)) return;
    const bool visible =
        item.visible && geom::own_visibility(prim, w_.shown) != geom::Visibility::invisible;
    if (item.visible && geom::own_visibility_might_vary(prim)) {
      w_.warn("gltf-visibility-animation", prim,
              format_text("The visibility of {} varies; it is written as at the first time.",
                          prim.path().view()));
    }
    const geom::PurposeInfo purpose = geom::compute_purpose(prim, item.purpose);
    const Origin origin = as_prototype ? Origin() : read_origin(prim);
    const geom::LocalTransform local = geom::local_transform(prim, w_.shown, &w_.diagnostics);
    const bool resets = local.resets_stack && !as_prototype;
    if (has_zero_rotation(w_, prim)) {
      w_.warn(
          "gltf-zero-rotation", prim,
          format_text("Rotations of {} that are zero are written as none.", prim.path().view()));
    }
    Matrix4d matrix = scaled_translation(local.parent_from_prim, w_.meters);
    std::int32_t parent = item.parent;
    PlanNode::Motion motion = PlanNode::Motion::local;
    if (is_top && !as_prototype && !prim.parent().is_root()) {  // A default prim further down.
      matrix = scaled_translation(geom::world_from_prim(prim, w_.shown), w_.meters);
      parent = w_.root;
      motion = PlanNode::Motion::world;
    } else if (resets) {
      parent = w_.root;
    }
    if (!fits_floats(matrix)) {
      w_.warn(
          "gltf-not-finite", prim,
          format_text("The transform of {} is not finite; it is left out.", prim.path().view()));
      matrix = Matrix4d::Identity();
    }
    const bool shown = visible && w_.options.purposes.contains(purpose.purpose);
    if (origin.part && !resets && is_part(prim, matrix, is_top, parent, shown)) {
      if (shown && !is_top && !prim.is_a(SchemaType::skeleton)) {
        w_.node(parent).parts.push_back(prim);
      }
      w_.part_of.try_emplace(prim, parent);
      if (parent != kTop) w_.node_of_prim.try_emplace(prim, parent);
      push_children(prim, parent, visible, purpose, as_prototype, stack);
      return;
    }
    const std::int32_t index =
        w_.add_node(parent, origin.name.value_or(std::string(prim.name().view())), matrix);
    if (w_.error) return;
    PlanNode& node = w_.node(index);
    node.prim = prim;
    node.motion = motion;
    node.needed = origin.empty;
    node.joint = origin.joint;
    if (!node.joint.empty()) w_.joint_nodes.push_back(index);
    node.skeleton = origin.skeleton;
    if (w_.options.extras) node.imported_extras = origin.extras;
    node.source_path = prim.path().str();
    node.visible = shown;
    node.resets = resets;
    node.is_copy = as_prototype;
    if (node.visible) report_unsupported(w_, prim);
    if (!as_prototype) w_.node_of_prim.try_emplace(prim, index);
    if (made != nullptr) made->push_back(index);
    if (prim.is_instance()) ++w_.document.summary.instances;
    if (prim.is_a(SchemaType::point_instancer)) return;  // Its prototypes show through it alone.
    push_children(prim, index, visible, purpose, as_prototype, stack);
  }

  static void push_children(const Prim& prim, std::int32_t parent, bool visible,
                            const geom::PurposeInfo& purpose, bool as_prototype,
                            std::vector<Pending>& stack) {
    stage::Traversal traversal = stage::Traversal::with_instance_proxies();
    traversal.undefined = as_prototype;  // An `over` keeps prototypes from being shown elsewhere.
    const std::vector<Prim> children = prim.children(traversal);
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
      stack.push_back({*it, parent, visible, purpose});
    }
  }

  // Whether a prim that came into being as a part of a node can still be one: it stands where the
  // node does, and the node has room for it.
  bool is_part(const Prim& prim, const Matrix4d& local, bool is_top, std::int32_t parent,
               bool shown) {
    if (geom::local_transform_might_vary(prim)) return false;
    const bool is_shape = prim.is_a(SchemaType::gprim) || prim.is_a(SchemaType::camera);
    const bool is_still = local.isIdentity(1e-12);
    if (is_top) return is_still && !is_shape && !prim.is_a(SchemaType::point_instancer);
    if (prim.is_a(SchemaType::skeleton)) return is_still;
    if (!is_shape || parent == kTop) return false;
    const PlanNode& node = w_.node(parent);
    if (!node.prim || node.prim.is_a(SchemaType::gprim) || node.prim.is_a(SchemaType::camera)) {
      return false;
    }
    // What is not shown collides, wherever that is, or counts for nothing.
    if (!shown || !is_still) return !shown && prim.children().empty();
    if (prim.is_a(SchemaType::mesh)) return true;  // A primitive of its own, if it fits.
    return prim.is_a(SchemaType::camera) &&
           std::none_of(node.parts.begin(), node.parts.end(),
                        [](const Prim& part) { return part.is_a(SchemaType::camera); });
  }

  Writer& w_;
};

/// Whether something at or below a prim would be written if it were not elsewhere.
bool holds_something(const Writer& w, const Prim& top) {
  for (const Prim& prim : top.descendants(stage::Traversal::with_instance_proxies())) {
    if (w.options.physics && is_physical(prim)) return true;
    const bool is_shown = prim.is_a(SchemaType::gprim) || prim.is_a(SchemaType::camera) ||
                          prim.is_a(SchemaType::point_instancer);
    if (is_shown && geom::compute_visibility(prim, w.shown) == geom::Visibility::inherited &&
        w.options.purposes.contains(geom::compute_purpose(prim).purpose)) {
      return true;
    }
  }
  return false;
}

// The default prim is what others refer to; what stands beside it is not.
void report_left_out(Writer& w, const Prim& top) {
  for (Prim inner = top; inner && !inner.is_root(); inner = inner.parent()) {
    for (const Prim& beside : inner.parent().children()) {
      if (beside == inner || !holds_something(w, beside)) continue;
      w.warn("gltf-outside-default-prim", beside,
             format_text("{} is not below the default prim {}; it is left out.",
                         beside.path().view(), top.path().view()));
    }
  }
}

}  // namespace

bool is_simple_shape(const Prim& prim) {
  return prim.is_a(SchemaType::cube) || prim.is_a(SchemaType::sphere) ||
         prim.is_a(SchemaType::cylinder) || prim.is_a(SchemaType::cylinder_1) ||
         prim.is_a(SchemaType::capsule) || prim.is_a(SchemaType::capsule_1) ||
         prim.is_a(SchemaType::cone) || prim.is_a(SchemaType::plane);
}

bool is_physical(const Prim& prim) {
  return prim.has_api("PhysicsRigidBodyAPI") || prim.has_api("PhysicsCollisionAPI");
}

void plan_nodes(Writer& w) {
  Planner planner(w);
  if (const Prim top = w.stage.default_prim();
      top && top.matches(stage::Traversal::with_instance_proxies())) {
    const bool visible =
        geom::compute_visibility(top.parent(), w.shown) == geom::Visibility::inherited;
    planner.walk({top, w.root, visible, geom::compute_purpose(top.parent())}, false, nullptr);
    report_left_out(w, top);
    return;
  }
  if (!w.stage.metrics().default_prim.empty()) {
    w.warn("gltf-default-prim", w.stage.root(),
           format_text("The default prim \"{}\" does not exist; all root prims are written.",
                       w.stage.metrics().default_prim));
  }
  for (const Prim& prim : w.stage.root().children()) {
    planner.walk({prim, w.root, true, geom::PurposeInfo()}, false, nullptr);
  }
}

std::vector<std::int32_t> plan_copy(Writer& w, const Prim& prim, std::int32_t parent,
                                    bool visible) {
  std::vector<std::int32_t> made;
  Planner(w).walk({prim, parent, visible, geom::compute_purpose(prim.parent())}, true, &made);
  return made;
}

}  // namespace sinew::exporter
