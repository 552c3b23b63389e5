// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew {

/// What a file may ask for. Exceeding a limit is an ordinary error that names the limit: a layer is
/// refused, a stage keeps what came before. Raise or lower them as far as you trust the input.
struct Limits {
  std::uint32_t prim_nesting = 512;    ///< Depth of prims inside prims.
  std::uint32_t value_nesting = 256;   ///< Depth of nested dictionaries, lists and tuples.
  std::uint32_t variant_nesting = 64;  ///< Depth of variant sets inside variants.
  /// Metadata fields of one prim, property or layer; variant sets, and selections, of one prim;
  /// variants of one set.
  std::uint32_t names_per_spec = 10'000;
  std::uint32_t layers = 100'000;             ///< Layers of one stage.
  std::uint32_t arcs_per_prim = 10'000;       ///< Composition arcs that reach one prim.
  std::uint32_t arcs_per_stage = 10'000'000;  ///< Composition arcs of one stage.
  /// Steps of composing one stage, so many for any stage and so many more for each prim spec of its
  /// layers: sites visited, counted again for each prim, and what arcs and classes add to them.
  std::uint64_t composition_steps = 1'000'000;
  std::uint32_t composition_steps_per_prim = 200;  ///< The part of composition_steps that grows.
  std::uint64_t prims = 100'000'000;  ///< Prims of one layer, and of one composed stage.
  /// Prims that a stage shows below instances, never more than the steps of composing: a few nested
  /// ones show a prototype billions of times.
  std::uint64_t instance_proxies = 10'000'000;
  /// What the value clips of one stage add up to: clips, time pairs, attributes, prims they reach;
  /// and the samples that one attribute can show through them.
  std::uint64_t clip_entries = 100'000'000;
  std::uint64_t file_bytes = 64ULL << 30;     ///< Size of one layer's file.
  std::uint64_t array_elements = 4ULL << 30;  ///< Elements of one array.
  /// What the sizes of array edits (`resize`, `minsize`) in one layer can fill arrays up to,
  /// together.
  std::uint64_t array_edit_bytes = 256ULL << 20;
  /// What the compressed and shared parts of one binary layer unpack to, together.
  std::uint64_t decoded_bytes = 16ULL << 30;
  /// The same as a multiple of the size of the file, besides 64 MiB; 0: no limit of this kind. 64
  /// is plenty for untrusted input.
  std::uint64_t decoded_per_byte = 0;
  /// Entries of dictionaries and items of lists in one binary layer.
  std::uint64_t value_items = 100'000'000;
};

}  // namespace sinew
