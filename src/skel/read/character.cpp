// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/character.hpp"

#include <utility>
#include <vector>

#include "sinew/core/assert.hpp"
#include "sinew/skel/skin_many.hpp"
#include "skel/read/character_pose.hpp"
#include "skel/read/character_target.hpp"
#include "skel/run_valid.hpp"

namespace sinew::skel {

struct Character::Impl {
  SkeletonBinding binding;
  CharacterOptions options;
  Diagnostics diagnostics;
  Reporter reporter;
  CharacterPose pose;
  CharacterPalettes palettes;
  std::vector<CharacterTarget> targets;
  std::vector<CharacterMesh> meshes;
  FrameJobs jobs;
  bool opened_at_default = false;  // What the targets were opened for.
  bool deformed = false;           // The meshes are those of the present pose.

  Impl(const SkeletonBinding& source, const CharacterOptions& wanted)
      : binding(source),
        options(wanted),
        reporter(source.skeleton_prim.stage(), diagnostics, Reporter::Repeats::once_per_prim),
        palettes(source.skeleton != nullptr ? source.skeleton->inverse_bind_transforms()
                                            : std::span<const Matrix4d>()) {}

  void open_targets(stage::Time time) {
    opened_at_default = time.is_default();
    palettes.clear();
    jobs.reset(CharacterTarget::kMostJobs * targets.size());
    for (CharacterTarget& target : targets) target.open(time, palettes);
  }

  // Of the pose before.
  void forget() {
    if (deformed) clear_meshes();
    palettes.forget_views();
  }

  // Single samples count at time codes only.
  void open_anew_for(stage::Time time) {
    if (time.is_default() == opened_at_default) return;
    open_targets(time);
    clear_meshes();
  }

  void clear_meshes() {
    deformed = false;
    for (CharacterTarget& target : targets) target.clear();
  }
};

Character::Character(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Character::Character(Character&& other) noexcept = default;
Character& Character::operator=(Character&& other) noexcept = default;
Character::~Character() = default;

Result<Character> Character::open(const SkeletonBinding& binding, Diagnostics& diagnostics,
                                  const CharacterOptions& options) {
  if (!binding.skeleton_prim) {
    return {ErrorCode::invalid_argument, "The binding is of no skeleton."};
  }
  auto impl = std::make_unique<Impl>(binding, options);
  if (Status status = impl->pose.open(impl->binding, options.deform.level, diagnostics); !status) {
    return std::move(status).error();
  }
  impl->meshes.resize(impl->binding.targets.size());
  for (std::size_t i = 0; i < impl->meshes.size(); ++i) {
    impl->targets.emplace_back(impl->binding.targets[i], impl->binding, impl->options,
                               impl->meshes[i]);
  }
  impl->open_targets(stage::Time::earliest());
  impl->clear_meshes();
  return Character(std::move(impl));
}

void Character::pose(stage::Time time) {
  Impl& impl = *impl_;
  impl.forget();
  impl.pose.evaluate(time, impl.reporter);
  impl.open_anew_for(time);
}

Status Character::pose(stage::Time time, std::span<const Affine34f> skel_from_joint,
                       std::span<const float> blend_shape_weights) {
  Impl& impl = *impl_;
  if (Status status = impl.pose.take(time, skel_from_joint, blend_shape_weights); !status) {
    return status;
  }
  impl.forget();
  impl.open_anew_for(time);
  return {};
}

void Character::deform(const Executor& executor) {
  Impl& impl = *impl_;
  if (impl.deformed) impl.clear_meshes();
  impl.deformed = true;
  impl.jobs.begin_frame();
  for (CharacterTarget& target : impl.targets) {
    target.begin(impl.pose, impl.palettes, executor, impl.reporter, impl.jobs);
  }
  const SkinManyJob job = {.meshes = impl.jobs.of_frame()};
  SINEW_ASSERT(job.validate());  // Everything was made to fit by open().
  run_valid(job, executor);
}

const SkeletonBinding& Character::binding() const noexcept {
  return impl_->binding;
}

stage::Time Character::time() const noexcept {
  return impl_->pose.time();
}

PoseStatus Character::status() const noexcept {
  return impl_->pose.status();
}

bool Character::is_posed_fast() const noexcept {
  return impl_->pose.is_of_clip();
}

std::span<const Affine34f> Character::skel_from_joint() const noexcept {
  return impl_->pose.skel_from_joint();
}

std::span<const Affine34f> Character::skinning() const noexcept {
  return impl_->pose.skinning();
}

const Matrix4d& Character::world_from_skel() const noexcept {
  return impl_->pose.world_from_skel();
}

std::optional<std::span<const float>> Character::blend_shape_weights() const noexcept {
  return impl_->pose.weights();
}

std::span<const CharacterMesh> Character::meshes() const noexcept {
  return impl_->meshes;
}

const Diagnostics& Character::diagnostics() const noexcept {
  return impl_->diagnostics;
}

}  // namespace sinew::skel
