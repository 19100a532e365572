#include "posenc/add.hpp"

#include <cassert>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;
using lanes::Place;

/// A function that computes embeddings · factor + rows at any place, adding the rows in order.
template <class... Added>
auto sum(Floats factor, const float* embeddings, const Added*... rows) noexcept {
  return [=](Place at, std::size_t count) {
    const auto values = lanes::load_part<Floats>(embeddings + at, count);
    return ((values * factor) + ... + lanes::load_part<Floats>(rows + at, count));
  };
}

}  // namespace

void add(std::span<const float> encoding, const Rows& segments, const Rows& embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept {
  assert(encoding.size() == shape.length * shape.dim && out.size() == shape.size());
  assert(segments.ids.empty() || segments.ids.size() == shape.rows());
  assert(embeddings.ids.empty() ? embeddings.table.size() == shape.size() : embeddings.ids.size() == shape.rows());

  const Floats factor(scale);
  const std::size_t dim = shape.dim;
  const auto encoding_at = [&](std::size_t row) {
    return &encoding[(shape.order == Order::batch_first ? row % shape.length : row / shape.batch) * dim];
  };
  if (!segments.table.empty()) {
    lanes::fill_rows(shape.rows(), dim, out.data(), [&](std::size_t row) {
      return sum(factor, embeddings.at(row, dim), segments.at(row, dim), encoding_at(row));
    });
  } else if (shape.order == Order::sequence_first || !embeddings.ids.empty()) {
    lanes::fill_rows(shape.rows(), dim, out.data(),
                     [&](std::size_t row) { return sum(factor, embeddings.at(row, dim), encoding_at(row)); });
  } else {
    for (std::size_t begin = 0; begin < out.size(); begin += encoding.size()) {
      lanes::fill(encoding.size(), &out[begin], sum(factor, &embeddings.table[begin], encoding.data()));
    }
  }
}

}  // namespace posenc
