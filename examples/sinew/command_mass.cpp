// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "commands.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace sinew::tool {

ExitStatus run_mass(const MassOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  const physics::PhysicsModel model = physics::read_physics(**stage, diagnostics);
  const std::vector<physics::BodyMass> masses = physics::body_masses(model, diagnostics);
  add_places(diagnostics, **stage);
  reporter.report(diagnostics, options.file);
  if (masses.empty()) std::printf("no rigid bodies\n");
  for (const physics::BodyMass& mass : masses) {
    if (options.explain) {
      std::printf("%s\n", physics::explain_mass(model, mass).c_str());
      continue;
    }
    const physics::RigidBody& body = model.body(mass.body);
    std::printf("%s: mass %g, centre (%g, %g, %g), inertia (%g, %g, %g)", body.path.c_str(),
                mass.mass, mass.center_of_mass.x(), mass.center_of_mass.y(),
                mass.center_of_mass.z(), mass.diagonal_inertia.x(), mass.diagonal_inertia.y(),
                mass.diagonal_inertia.z());
    if (const Quatd& axes = mass.principal_axes; axes.vec().norm() > 1e-6) {
      std::printf(" about axes turned by (%g, %g, %g, %g)", axes.w(), axes.x(), axes.y(), axes.z());
    }
    std::printf("\n");
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
