// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/joint_transforms.hpp"

#include <optional>

#include "core/format_text.hpp"
#include "core/full_inverse.hpp"
#include "skel/factor_transform.hpp"
#include "skel/job.hpp"

namespace sinew::skel {
namespace {

Status check(const Topology& topology, std::size_t from, std::size_t to) {
  const std::size_t count = topology.joint_count();
  if (from != count || to != count) {
    return {ErrorCode::size_mismatch,
            format_text("There are {} transforms instead of {}, one per joint.",
                        from != count ? from : to, count)};
  }
  return topology.validate();
}

}  // namespace

Matrix4d make_transform(const Vector3f& translation, const Quatf& rotation, const Vector3h& scale) {
  const float x = rotation.x();
  const float y = rotation.y();
  const float z = rotation.z();
  const float w = rotation.w();
  // Column j is where axis j goes. Written out, so that it rounds as it does in USD.
  Matrix3f matrix;
  matrix.col(0) << 1.0F - 2.0F * (y * y + z * z), 2.0F * (x * y + z * w), 2.0F * (z * x - y * w);
  matrix.col(1) << 2.0F * (x * y - z * w), 1.0F - 2.0F * (z * z + x * x), 2.0F * (y * z + x * w);
  matrix.col(2) << 2.0F * (z * x + y * w), 2.0F * (y * z - x * w), 1.0F - 2.0F * (y * y + x * x);
  return make_transform(translation, matrix, scale);
}

Matrix4d make_transform(const Vector3f& translation, const Matrix3f& rotation,
                        const Vector3h& scale) {
  Matrix4d result = Matrix4d::Identity();
  for (int column = 0; column < 3; ++column) {
    const auto factor = static_cast<float>(scale[column]);
    for (int row = 0; row < 3; ++row) {
      result(row, column) = static_cast<double>(rotation(row, column) * factor);
    }
    result(column, 3) = static_cast<double>(translation[column]);
  }
  return result;
}

Status make_transforms(std::span<const Vector3f> translations, std::span<const Quatf> rotations,
                       std::span<const Vector3h> scales, std::span<Matrix4d> transforms) {
  const std::size_t count = transforms.size();
  if (Status s = check_size("translations", translations.size(), count); !s) return s;
  if (Status s = check_size("rotations", rotations.size(), count); !s) return s;
  if (Status s = check_size("scales", scales.size(), count); !s) return s;
  for (std::size_t i = 0; i < count; ++i) {
    transforms[i] = make_transform(translations[i], rotations[i], scales[i]);
  }
  return {};
}

Result<TransformParts> decompose_transform(const Matrix4d& transform) {
  const std::optional<PolarFactors> factors =
      factor_linear(Matrix3d(transform.topLeftCorner<3, 3>()));
  Matrix3d rotation = factors ? factors->rotation : Matrix3d::Zero();
  if (!factors || !orthonormalise(rotation)) {
    return {ErrorCode::not_invertible, "The transform is singular."};
  }
  const Quatd q = quaternion_of(rotation);
  TransformParts parts;
  parts.translation = transform.topRightCorner<3, 1>().cast<float>();
  parts.rotation = Quatf(static_cast<float>(q.w()), static_cast<float>(q.x()),
                         static_cast<float>(q.y()), static_cast<float>(q.z()));
  for (int i = 0; i < 3; ++i) parts.scale[i] = Half(static_cast<float>(factors->scale[i]));
  return parts;
}

Status decompose_transforms(std::span<const Matrix4d> transforms, std::span<Vector3f> translations,
                            std::span<Quatf> rotations, std::span<Vector3h> scales) {
  const std::size_t count = transforms.size();
  if (translations.size() != count || rotations.size() != count || scales.size() != count) {
    return {
        ErrorCode::size_mismatch,
        format_text(
            "There are {} transforms, but room for {} translations, {} rotations and {} scales.",
            count, translations.size(), rotations.size(), scales.size())};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Result<TransformParts> parts = decompose_transform(transforms[i]);
    if (!parts) {
      return {parts.error().code, format_text("Transform {}: {}", i, parts.error().message)};
    }
    translations[i] = parts->translation;
    rotations[i] = parts->rotation;
    scales[i] = parts->scale;
  }
  return {};
}

Matrix4d inverse_transform(const Matrix4d& matrix) {
  return full_inverse(matrix);
}

Status concat_joint_transforms(const Topology& topology, std::span<const Matrix4d> local,
                               std::span<Matrix4d> skel, const Matrix4d* root) {
  if (Status status = check(topology, local.size(), skel.size()); !status) return status;
  for (std::size_t j = 0; j < local.size(); ++j) {
    const Eigen::Matrix4d own = local[j];
    if (!topology.is_root(j)) {
      skel[j] = skel[static_cast<std::size_t>(topology.parent(j))] * own;
    } else if (root != nullptr) {
      skel[j] = *root * own;
    } else {
      skel[j] = own;
    }
  }
  return {};
}

Status joint_local_from_skel(const Topology& topology, std::span<const Matrix4d> skel,
                             std::span<Matrix4d> local, const Matrix4d* root) {
  if (Status status = check(topology, skel.size(), local.size()); !status) return status;
  for (std::size_t j = 0; j < skel.size(); ++j) {
    if (!topology.is_root(j)) {
      local[j] = inverse_transform(skel[static_cast<std::size_t>(topology.parent(j))]) * skel[j];
    } else if (root != nullptr) {
      local[j] = inverse_transform(*root) * skel[j];
    } else {
      local[j] = skel[j];
    }
  }
  return {};
}

Range3f joints_extent(std::span<const Matrix4d> skel, float padding, const Matrix4d* root) {
  Range3f range;
  for (const Matrix4d& transform : skel) {
    const Vector3f pivot = transform.topRightCorner<3, 1>().cast<float>();
    if (root == nullptr) {
      range.add(pivot);
    } else {
      const Vector3d moved =
          root->topLeftCorner<3, 3>() * pivot.cast<double>() + root->topRightCorner<3, 1>();
      range.add(Vector3f(moved.cast<float>()));
    }
  }
  if (!skel.empty()) {
    range.min.array() -= padding;
    range.max.array() += padding;
  }
  return range;
}

}  // namespace sinew::skel
