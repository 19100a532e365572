#include "posenc/add.hpp"

#include <array>
#include <cassert>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;

/// out = embeddings · factor + encoding for a run of neighbouring values.
void add_run(const float* encoding, const float* embeddings, std::size_t size, Floats factor, float* out) noexcept {
  // Four registers a turn, their loads before their stores: measured a third faster than one.
  constexpr std::size_t turn = 4 * lanes::floats;
  for (; size >= turn; size -= turn, encoding += turn, embeddings += turn, out += turn) {
    std::array<Floats, 4> sums;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::size_t at = k * lanes::floats;
      sums[k] = Floats::load_unaligned(embeddings + at) * factor + Floats::load_unaligned(encoding + at);
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].store_unaligned(out + k * lanes::floats);
  }
  for (std::size_t i = 0; i < size; i += lanes::floats) {
    const std::size_t rest = size - i;
    const auto values = lanes::load_part<Floats>(embeddings + i, rest);
    lanes::store_part(values * factor + lanes::load_part<Floats>(encoding + i, rest), out + i, rest);
  }
}

}  // namespace

void add(std::span<const float> encoding, std::span<const float> embeddings, BatchShape shape, float scale,
         std::span<float> out) noexcept {
  assert(encoding.size() == shape.length * shape.dim);
  assert(embeddings.size() == shape.size() && out.size() == shape.size());

  // Both orders are runs of embeddings beside a run of the encoding: whole sequences, or a row for each of the batch.
  const bool batch_first = shape.order == Order::batch_first;
  const std::size_t run = batch_first ? shape.length * shape.dim : shape.dim;
  const std::size_t repeats = batch_first ? 1 : shape.batch;
  for (std::size_t begin = 0, index = 0; begin < out.size(); begin += run, ++index) {
    const float* const rows = encoding.data() + (batch_first ? 0 : index / repeats * run);
    add_run(rows, embeddings.data() + begin, run, Floats(scale), out.data() + begin);
  }
}

}  // namespace posenc
