#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/add.hpp"

namespace posenc {

/// The columns that form pair i of a vector.
enum class Pairs : std::uint8_t {
  half,         ///< i and i + pairs, or so in each of `parts`: GPT-NeoX, Hugging Face
  interleaved,  ///< 2i and 2i + 1: the paper (Su et al. 2021, "RoFormer", section 3.2), GPT-J, Meta
};

/// A rotation of the first 2 · pairs columns of vectors. The other columns stay.
struct Rotation {
  Pairs layout = Pairs::half;
  std::size_t pairs = 1;
  std::size_t parts = 1;  ///< equal parts of these columns, each with the layout of its own: the axes of a grid
  bool inverse = false;   ///< rotates by the opposite angles
};

/// Rotates each pair (x, y) of every vector to (x · cos - y · sin, y · cos + x · sin). The arithmetic is float32: both
/// products are rounded, then their sum.
///
/// @param rows   [shape.length, 2 · pairs]: the cosines of a position, then its sines
/// @param shape  of the vectors; the batch (of heads) at position l is rotated by row l
/// @param x      vectors of the given shape, with at least 2 · pairs columns
/// @param out    of the given shape; x itself, or memory that does not overlap it
void rotate(std::span<const float> rows, const Rotation& rotation, const BatchShape& shape, std::span<const float> x,
            std::span<float> out) noexcept;

}  // namespace posenc
