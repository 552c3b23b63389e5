// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/read/character.hpp"
#include "skel/read/character_palette.hpp"
#include "skel/read/character_pose.hpp"
#include "skel/read/target_inputs.hpp"

namespace sinew::skel {

/// The palettes of a Character, each for all meshes that want the same.
class CharacterPalettes {
 public:
  explicit CharacterPalettes(std::span<const Matrix4d> inverse_bind)
      : inverse_bind_(inverse_bind) {}

  /// Index of the palette for these needs.
  std::size_t add(const PaletteNeeds& needs);
  void clear() noexcept { entries_.clear(); }
  void forget_views() noexcept;
  /// The palette for this pose; made once until forget_views().
  const SkinPaletteView& view(std::size_t index, CharacterPose& pose);

 private:
  struct Entry {
    CharacterPalette palette;
    const SkinPaletteView* view = nullptr;
  };
  std::span<const Matrix4d> inverse_bind_;
  std::vector<Entry> entries_;
};

/// The jobs of a frame. Most differ from those of the frame before in palettes and weights alone,
/// so they stay in their places.
class FrameJobs {
 public:
  /// Room for `most` jobs per frame, and none of the frame before: what jobs are made from changes.
  void reset(std::size_t most) {
    jobs_.resize(most);
    sources_.assign(most, nullptr);
    count_ = 0;
  }
  void begin_frame() noexcept { count_ = 0; }
  /// The next job of the frame, a copy of `source`, which stays as it is until reset(); but what
  /// the frame before changed in the copy may still be changed.
  BlendAndSkinJob& next(const BlendAndSkinJob& source);
  std::span<const BlendAndSkinJob> of_frame() const noexcept {
    return std::span(jobs_).first(count_);
  }

 private:
  std::vector<BlendAndSkinJob> jobs_;
  std::vector<const BlendAndSkinJob*> sources_;  // Of each; null: it was made from none.
  std::size_t count_ = 0;
};

/// One prim of a Character.
class CharacterTarget {
 public:
  /// @param mesh  Where the results of a frame go.
  CharacterTarget(const SkinTarget& target, const SkeletonBinding& binding,
                  const CharacterOptions& options, CharacterMesh& mesh);

  /// Reads and packs what is the same at all times of a kind: time codes, or the default time.
  void open(stage::Time time, CharacterPalettes& palettes);

  /// Prepares a frame, for which the mesh is empty: adds jobs that skin, or deforms by the slow
  /// road.
  void begin(CharacterPose& pose, CharacterPalettes& palettes, const Executor& executor,
             Reporter& reporter, FrameJobs& jobs);

  /// Empties the results of the frame.
  void clear();
  /// Jobs that begin() adds at most.
  static constexpr std::size_t kMostJobs = 2;

 private:
  enum class Blend : std::uint8_t { none, applies, misfits };
  Blend blend_weights(const CharacterPose& pose);
  void deform_slowly(CharacterPose& pose, const Executor& executor, Reporter& reporter);
  void reorder(std::span<const Vector3f>& values, std::vector<Vector3f>& out) const;
  void keep_blended(const Executor& executor);
  void move_rigidly(CharacterPose& pose, CharacterPalettes& palettes);
  void prepare_jobs();
  void skin(bool blend, const SkinPaletteView& palette, FrameJobs& jobs);

  const SkinTarget* target_;
  const SkeletonBinding* binding_;
  CharacterOptions options_;
  CharacterMesh* mesh_;

  std::optional<TargetInputs> inputs_;  // None: something varies or does not fit.
  std::size_t palette_ = 0;
  std::size_t rigid_palette_ = 0;
  BlendAndSkinJob job_, face_job_;  // But for palettes and shapes.

  // Of a frame; all memory is there since open().
  std::vector<float> local_weights_;
  std::vector<SubShapeWeight> weights_;
  std::vector<float> applied_weights_;
  std::vector<float> flat_weights_;
  std::vector<Vector3f> points_, normals_, tangents_, blended_points_, blended_normals_;
  DeformedPrim slow_;
};

}  // namespace sinew::skel
