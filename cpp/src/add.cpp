#include "posenc/add.hpp"

#include <array>
#include <cassert>

#include "batch.hpp"
#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;
using lanes::Place;

/// A function that computes embeddings · factor + row at any place.
auto sum(Floats factor, const float* embeddings, const float* row) noexcept {
  return [=](Place at, std::size_t count) {
    return lanes::load_part<Floats>(embeddings + at, count) * factor + lanes::load_part<Floats>(row + at, count);
  };
}

/// Adds a row of the encoding to the rows of its position in four sequences, which are `step` values apart. Its
/// registers are loaded once. Measured: 0.6 of the time of loading them for each sequence.
void add_to_four(const float* row, const float* embeddings, float* out, std::size_t step, Floats factor,
                 std::size_t dim) noexcept {
  std::array from{embeddings, embeddings + step, embeddings + 2 * step, embeddings + 3 * step};
  std::array to{out, out + step, out + 2 * step, out + 3 * step};
  const std::size_t whole = dim - dim % lanes::turn;
  for (const float* at = row; at != row + whole; at += lanes::turn) {
    std::array<Floats, lanes::together> added;
    for (std::size_t k = 0; k < added.size(); ++k) added[k] = Floats::load_unaligned(at + k * lanes::floats);
    for (std::size_t stream = 0; stream < from.size(); ++stream) {
      std::array<Floats, lanes::together> sums;
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] = Floats::load_unaligned(from[stream] + k * lanes::floats) * factor + added[k];
      }
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k].store_unaligned(to[stream] + k * lanes::floats);
      from[stream] += lanes::turn;
      to[stream] += lanes::turn;
    }
  }
  if (whole == dim) return;
  for (std::size_t k = 0; k < from.size(); ++k) {
    lanes::fill_rest(whole, dim, out + k * step, sum(factor, embeddings + k * step, row));
  }
}

}  // namespace

void add(const Rows& rows, std::span<const float> embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept {
  assert(rows.ids.empty() ? rows.table.size() == shape.length * shape.dim : rows.ids.size() == shape.rows());
  assert(embeddings.size() == shape.size() && out.size() == shape.size());

  const Floats factor(scale);
  const std::size_t dim = shape.dim;
  const bool by_position = rows.ids.empty();
  for_rows(
      shape, by_position,
      [&](std::size_t first, std::size_t l) {
        add_to_four(rows.at(l, dim), &embeddings[first * dim], &out[first * dim], shape.apart * dim, factor, dim);
      },
      [&](std::size_t row, std::size_t l) {
        const float* added = rows.at(by_position ? l : row, dim);
        lanes::fill_row(dim, &out[row * dim], sum(factor, &embeddings[row * dim], added));
      });
}

}  // namespace posenc
