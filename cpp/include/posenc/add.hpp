#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/half.hpp"
#include "posenc/lookup.hpp"

namespace posenc {

/// The places of a batch's rows: in each sequence a row for each of `length` positions. With batch = 1 it is [length,
/// dim].
struct BatchShape {
  std::size_t batch;
  std::size_t length;
  std::size_t dim;
  /// Rows from that of a position to that of the same position in the next sequence: 1 in [length, batch, dim],
  /// `length` in [batch, length, dim], and more between parts of such sequences.
  std::size_t apart;

  /// Whether the rows of a position are consecutive. If not, those of a sequence are.
  [[nodiscard]] constexpr bool sequence_first() const noexcept { return apart == 1; }
  [[nodiscard]] constexpr std::size_t row(std::size_t b, std::size_t l) const noexcept {
    return b * apart + l * (sequence_first() ? batch : 1);
  }
  [[nodiscard]] constexpr std::size_t rows() const noexcept { return batch * length; }
  /// Number of values from the first row to the last.
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return rows() == 0 ? 0 : (row(batch - 1, length - 1) + 1) * dim;
  }
};

/// out = embeddings · scale + rows. The arithmetic is float32: the product is rounded, then the sum.
///
/// @param rows        row l is added to position l of every sequence; or those of the ids, one for each of the
/// embeddings
/// @param embeddings  of the given shape
/// @param out         of the given shape; the embeddings themselves, or memory outside them and the rows
void add(const Rows& rows, std::span<const float> embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept;

/// The same for embeddings of 16 bits, whose float32 sums are rounded.
///
/// @param encoding  [length, dim]: row l is added to position l of every sequence
void add(Half type, std::span<const float> encoding, std::span<const std::uint16_t> embeddings, BatchShape shape,
         float scale, std::span<std::uint16_t> out) noexcept;

}  // namespace posenc
