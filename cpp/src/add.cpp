#include "posenc/add.hpp"

#include <array>
#include <cassert>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;

/// out = embeddings · factor + the rows one after the other, for a run of neighbouring values.
template <class... Rows>
void add_run(const float* embeddings, std::size_t size, Floats factor, float* out, const Rows*... rows) noexcept {
  // Four registers a turn, their loads before their stores: measured a third faster than one.
  constexpr std::size_t turn = 4 * lanes::floats;
  const std::size_t whole = size - size % turn;
  for (std::size_t i = 0; i < whole; i += turn) {
    std::array<Floats, 4> sums;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::size_t at = k * lanes::floats;
      sums[k] = ((Floats::load_unaligned(embeddings + i + at) * factor) + ... + Floats::load_unaligned(rows + i + at));
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].store_unaligned(out + i + k * lanes::floats);
  }
  for (std::size_t i = whole; i < size; i += lanes::floats) {
    const std::size_t rest = size - i;
    const auto values = lanes::load_part<Floats>(embeddings + i, rest);
    lanes::store_part(((values * factor) + ... + lanes::load_part<Floats>(rows + i, rest)), out + i, rest);
  }
}

}  // namespace

void add(std::span<const float> encoding, const Segments& segments, std::span<const float> embeddings, BatchShape shape,
         float scale, std::span<float> out) noexcept {
  assert(encoding.size() == shape.length * shape.dim);
  assert(embeddings.size() == shape.size() && out.size() == shape.size());
  assert(segments.ids.empty() || segments.ids.size() * shape.dim == shape.size());

  // Both orders are runs of embeddings beside a run of the encoding: whole sequences, or a row for each of the batch.
  // With segments a run is a row.
  const bool batch_first = shape.order == Order::batch_first;
  const bool segmented = !segments.ids.empty();
  const std::size_t run = batch_first && !segmented ? shape.length * shape.dim : shape.dim;
  const std::size_t repeats = batch_first ? 1 : shape.batch;
  for (std::size_t begin = 0, index = 0; begin < out.size(); begin += run, ++index) {
    const float* const from = embeddings.data() + begin;
    const float* const rows = encoding.data() + index / repeats * run % encoding.size();
    if (segmented) {
      const float* const segment = segments.table.data() + segments.ids[index] * shape.dim;
      add_run(from, run, Floats(scale), out.data() + begin, segment, rows);
    } else {
      add_run(from, run, Floats(scale), out.data() + begin, rows);
    }
  }
}

}  // namespace posenc
