#include "posenc/add.hpp"

#include <cassert>

#include "lanes.hpp"

namespace posenc {

void add(std::span<const float> encoding, std::span<const float> embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept {
  assert(encoding.size() == shape.length * shape.dim);
  assert(embeddings.size() == shape.size() && out.size() == shape.size());

  // Both orders are runs of embeddings beside runs of the encoding: whole sequences, or one row for the whole batch.
  const bool batch_first = shape.order == Order::batch_first;
  const std::size_t run = batch_first ? shape.length * shape.dim : shape.dim;
  const std::size_t repeats = batch_first ? 1 : shape.batch;
  const lanes::Floats factor(scale);
  for (std::size_t begin = 0, index = 0; begin < out.size(); begin += run, ++index) {
    const float* const rows = encoding.data() + (batch_first ? 0 : index / repeats * run);
    const float* const from = embeddings.data() + begin;
    float* const to = out.data() + begin;
    for (std::size_t i = 0; i < run; i += lanes::floats) {
      const auto values = lanes::load_part<lanes::Floats>(from + i, run - i);
      lanes::store_part(values * factor + lanes::load_part<lanes::Floats>(rows + i, run - i), to + i, run - i);
    }
  }
}

}  // namespace posenc
