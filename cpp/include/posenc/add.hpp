#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

enum class Order : std::uint8_t {
  batch_first,     ///< [batch, length, dim]
  sequence_first,  ///< [length, batch, dim]
};

/// The shape of a batch of embeddings; batch = 1 is the unbatched [length, dim].
struct BatchShape {
  std::size_t batch;
  std::size_t length;
  std::size_t dim;
  Order order;

  [[nodiscard]] constexpr std::size_t size() const noexcept { return batch * length * dim; }
};

/// Rows of segment embeddings, and which of them each row of the embeddings takes.
struct Segments {
  std::span<const float> table{};        ///< [rows, dim]
  std::span<const std::uint32_t> ids{};  ///< [batch · length] in the embeddings' order, each below rows; or none at all
};

/// out = embeddings · scale + segments + encoding, the encoding's row l added to position l of every sequence of the
/// batch. Computed in float32: the product is rounded, then each sum.
///
/// @param encoding    [length, dim]
/// @param embeddings  of the given shape
/// @param out         of the given shape; the embeddings themselves, or no part of them
void add(std::span<const float> encoding, const Segments& segments, std::span<const float> embeddings, BatchShape shape,
         float scale, std::span<float> out) noexcept;

}  // namespace posenc
