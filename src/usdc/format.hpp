// SPDX-License-Identifier: Apache-2.0
// The constants of the .usdc binary format ("crate"), shared by its reader and its writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/usdc/version.hpp"

namespace sinew::usdc {

inline constexpr std::string_view kMagic = "PXR-USDC";
inline constexpr std::size_t kHeaderBytes = 88;
inline constexpr std::size_t kVersionOffset = 8;        // Three bytes: major, minor, patch.
inline constexpr std::size_t kContentsOffsetAt = 16;    // i64: where the table of contents begins.
inline constexpr std::size_t kSectionNameBytes = 16;    // Ended by a NUL.
inline constexpr std::size_t kContentsEntryBytes = 32;  // Name, i64 start, i64 size.

inline constexpr std::string_view kSectionNames[] = {"TOKENS",    "STRINGS", "FIELDS",
                                                     "FIELDSETS", "PATHS",   "SPECS"};

/// "No index": ends a run of fields.
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFF;

/// Arrays and lists shorter than this are never compressed.
inline constexpr std::size_t kMinCompressedCount = 16;

/// Plain bytes of one LZ4 block; longer data is split.
inline constexpr std::size_t kMaxChunkBytes = 0x7E000000;
inline constexpr std::size_t kMaxChunks = 127;

/// The type numbers of values.
enum class Type : std::uint8_t {
  invalid = 0,
  bool_ = 1,
  uchar = 2,
  int_ = 3,
  uint = 4,
  int64 = 5,
  uint64 = 6,
  half = 7,
  float_ = 8,
  double_ = 9,
  string = 10,
  token = 11,
  asset = 12,
  matrix2d = 13,
  matrix3d = 14,
  matrix4d = 15,
  quatd = 16,
  quatf = 17,
  quath = 18,
  double2 = 19,
  float2 = 20,
  half2 = 21,
  int2 = 22,
  double3 = 23,
  float3 = 24,
  half3 = 25,
  int3 = 26,
  double4 = 27,
  float4 = 28,
  half4 = 29,
  int4 = 30,
  dictionary = 31,
  token_list_op = 32,
  string_list_op = 33,
  path_list_op = 34,
  reference_list_op = 35,
  int_list_op = 36,
  int64_list_op = 37,
  uint_list_op = 38,
  uint64_list_op = 39,
  path_vector = 40,
  token_vector = 41,
  specifier = 42,
  permission = 43,
  variability = 44,
  variant_selection_map = 45,
  time_samples = 46,
  payload = 47,
  double_vector = 48,
  layer_offset_vector = 49,
  string_vector = 50,
  value_block = 51,
  value = 52,
  unregistered_value = 53,
  unregistered_value_list_op = 54,
  payload_list_op = 55,
  timecode = 56,
  path_expression = 57,
  relocates = 58,
  spline = 59,
  animation_block = 60,
};

/// A value representation: flags, type and payload, which is an offset or the value itself.
inline constexpr std::uint64_t kArrayBit = 1ULL << 63;
inline constexpr std::uint64_t kInlineBit = 1ULL << 62;
inline constexpr std::uint64_t kCompressedBit = 1ULL << 61;
inline constexpr std::uint64_t kArrayEditBit = 1ULL << 60;
inline constexpr std::uint64_t kPayloadMask = (1ULL << 48) - 1;
inline constexpr int kTypeShift = 48;

/// The bits of a list operation, and the order in which its lists are stored.
inline constexpr std::uint8_t kListIsExplicit = 0x01;
inline constexpr std::uint8_t kListExplicit = 0x02;
inline constexpr std::uint8_t kListAdded = 0x04;
inline constexpr std::uint8_t kListPrepended = 0x20;
inline constexpr std::uint8_t kListAppended = 0x40;
inline constexpr std::uint8_t kListDeleted = 0x08;
inline constexpr std::uint8_t kListOrdered = 0x10;

enum class SpecType : std::uint32_t {
  attribute = 1,
  connection = 2,
  expression = 3,
  mapper = 4,
  mapper_argument = 5,
  prim = 6,
  pseudo_root = 7,
  relationship = 8,
  relationship_target = 9,
  variant = 10,
  variant_set = 11,
};
inline constexpr std::size_t kSpecTypes = 12;

/// How floating-point arrays are compressed.
inline constexpr std::uint8_t kFloatsAsIntegers = 'i';
inline constexpr std::uint8_t kFloatsFromTable = 't';

/// The words of an array edit: operation in the highest byte, how many follow below.
enum class EditOperation : std::uint8_t {
  write_literal = 0,
  write_copy = 1,
  insert_literal = 2,
  insert_copy = 3,
  erase = 4,
  min_size = 5,
  min_size_filled = 6,
  resize = 7,
  resize_filled = 8,
  max_size = 9,
};
inline constexpr int kEditOperationShift = 56;

}  // namespace sinew::usdc
