#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/add.hpp"

namespace posenc {

/// Which columns of a vector turn together.
enum class Pairs : std::uint8_t {
  half,         ///< i and i + pairs: GPT-NeoX, Hugging Face
  interleaved,  ///< 2i and 2i + 1: the paper (Su et al. 2021, "RoFormer", section 3.2), GPT-J, Meta
};

/// How vectors are rotated: their first 2 · pairs columns turn, the others stay.
struct Rotation {
  Pairs layout = Pairs::half;
  std::size_t pairs = 1;
  bool inverse = false;  ///< the other way round
};

/// Rotates each pair (x, y) of every vector to (x · cos - y · sin, y · cos + x · sin). Computed in float32: both
/// products are rounded, then their sum.
///
/// @param rows   [shape.length, 2 · pairs]: the cosines of a position, then its sines
/// @param shape  of the vectors: position l is that of row l, for a whole batch (of heads) of them
/// @param x      vectors of the given shape, of at least 2 · pairs columns
/// @param out    of the given shape; x itself, or no part of it
void rotate(std::span<const float> rows, const Rotation& rotation, const BatchShape& shape, std::span<const float> x,
            std::span<float> out) noexcept;

}  // namespace posenc
