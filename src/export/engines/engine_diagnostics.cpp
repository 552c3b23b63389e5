// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/engine_file.hpp"

namespace sinew::exporter {

std::span<const EngineDiagnostic> engine_diagnostics() noexcept {
  static constexpr EngineDiagnostic kKnown[] = {
      {"engine-no-mass", Severity::error, "a body that moves has no mass or a moment of 0"},
      {"engine-not-finite", Severity::error, "a pose, a frame, a drive or gravity is not a number"},
      {"engine-plane-moves", Severity::error, "an infinite plane on a body that moves"},
      {"engine-kinematic-jointed", Severity::error, "a mechanism has a part that animation moves"},
      {"engine-loop-unsupported", Severity::error, "a joint closes a loop and has no counterpart"},
      {"engine-joint-unsupported", Severity::error, "a joint has no counterpart"},
      {"engine-joint-one-body", Severity::error, "both ends of a joint are one body"},
      {"engine-joint-inconsistent", Severity::error, "no pose satisfies a joint"},
      {"engine-shape-unsupported", Severity::error, "a collider without geometry"},
      {"engine-joint-apart", Severity::warning, "poses and joint frames disagree"},
      {"engine-joints-parallel", Severity::warning,
       "joints between the same bodies leave nothing to move"},
      {"engine-starts-outside-limit", Severity::warning, "a joint starts outside its range"},
      {"engine-mesh-becomes-hull", Severity::warning, "a concave mesh collides as its hull"},
      {"engine-flat-mesh", Severity::warning, "a flat mesh collides as a thin box"},
      {"engine-cone-as-hinges", Severity::warning, "an elliptic cone becomes a pyramid"},
      {"engine-drive-acceleration", Severity::warning,
       "a drive that states an acceleration gets the inertia of the start"},
      {"engine-drive-gains-dropped", Severity::warning, "stiffness and damping of a drive"},
      {"engine-loop-limit-dropped", Severity::warning, "limits and drives of a loop joint"},
      {"engine-filter-inexact", Severity::warning, "some pairs collide that should not"},
      {"engine-filter-dropped", Severity::warning, "the format holds no filters"},
      {"engine-restitution-dropped", Severity::warning, "the engine has no restitution"},
      {"engine-inertia-triangle", Severity::warning, "moments that no solid has"},
      {"engine-many-scenes", Severity::warning, "more than one scene"},
      {"engine-start-dropped", Severity::warning, "a start position or velocity"},
      {"engine-root-cut", Severity::warning, "something outside --root acts on what is below it"},
      {"engine-nothing", Severity::warning, "there are no bodies, colliders or joints"},
      {"engine-motion-dropped", Severity::warning,
       "the place of a body is known at times alone; the file has it without"},
      {"engine-nested-body", Severity::info, "bodies inside bodies are kept"},
      {"engine-no-scene", Severity::info, "without a scene gravity is that of the earth"},
      {"engine-euler-order", Severity::info, "several turns: engines order them differently"},
      {"engine-limit-one-sided", Severity::info, "an open end of a range gets a large number"},
      {"engine-limit-soft", Severity::info, "limits give way under load"},
      {"engine-loop-soft", Severity::info, "loop joints give way under load"},
      {"engine-joint-free", Severity::info, "a joint that locks nothing"},
      {"engine-shape-approximated", Severity::info, "a round shape becomes a hull"},
      {"engine-friction-single", Severity::info, "one friction instead of two"},
      {"engine-friction-combine", Severity::info, "how two frictions make one"},
      {"engine-feature-dropped", Severity::info, "a feature that the engine lacks"},
      {"engine-instancer-skipped", Severity::info, "point instancers are left out"},
      {"engine-effort-unset", Severity::info, "the format wants a force limit and none is given"},
      {"engine-velocity-unset", Severity::info,
       "the format wants a cap of speed and none is given"},
      {"engine-link-added", Severity::info, "light links stand between the axes of a joint"},
      {"engine-visual-skipped", Severity::info, "what is shown and the format cannot show"},
      {"engine-state-differs", Severity::info, "a dialect gives another start than the poses"},
  };
  return kKnown;
}

}  // namespace sinew::exporter
