#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

/// Rows of a table of embeddings: those of the ids, or all rows in order if there are no ids.
struct Rows {
  std::span<const float> table{};        ///< [rows, dim]
  std::span<const std::uint32_t> ids{};  ///< each below rows

  [[nodiscard]] constexpr const float* at(std::size_t index, std::size_t dim) const noexcept {
    return &table[(ids.empty() ? index : ids[index]) * dim];
  }
};

/// Copies the rows of the ids: row i of out is row ids[i] of the table.
///
/// @param out  [ids.size(), dim]; its size determines dim; it does not overlap the table
void lookup(const Rows& rows, std::span<float> out) noexcept;

}  // namespace posenc
