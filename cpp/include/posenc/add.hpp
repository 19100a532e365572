#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/half.hpp"
#include "posenc/lookup.hpp"

namespace posenc {

enum class Order : std::uint8_t {
  batch_first,     ///< [batch, length, dim]
  sequence_first,  ///< [length, batch, dim]
};

/// The shape of a batch of embeddings. With batch = 1 it is [length, dim].
struct BatchShape {
  std::size_t batch;
  std::size_t length;
  std::size_t dim;
  Order order;

  [[nodiscard]] constexpr std::size_t rows() const noexcept { return batch * length; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return rows() * dim; }
};

/// out = embeddings · scale + segments + encoding, where row l of the encoding is added to position l of every
/// sequence. The arithmetic is float32: the product is rounded, then each sum.
///
/// @param encoding    [length, dim]
/// @param segments    a row for each of the embeddings, in their order; or an empty table
/// @param embeddings  rows of the given shape
/// @param out         of the given shape; the embeddings' own table if it has no ids, or memory outside the tables
void add(std::span<const float> encoding, const Rows& segments, const Rows& embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept;

/// The same for embeddings of 16 bits without segments, whose float32 sums are rounded.
///
/// @param out  of the given shape; the embeddings themselves, or memory outside them and the encoding
void add(Half type, std::span<const float> encoding, std::span<const std::uint16_t> embeddings, BatchShape shape,
         float scale, std::span<std::uint16_t> out) noexcept;

}  // namespace posenc
