#include "posenc/rotate.hpp"

#include <algorithm>
#include <cassert>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;

/// Every second lane of two concatenated registers, from lane `first` on.
template <std::uint32_t first>
struct EverySecond {
  static constexpr std::uint32_t get(std::uint32_t index, std::uint32_t /*size*/) { return 2 * index + first; }
};

template <std::uint32_t first>
Floats every_second(const Floats& low, const Floats& high) noexcept {
  using Arch = Floats::arch_type;
  return xsimd::shuffle(low, high, xsimd::make_batch_constant<std::uint32_t, EverySecond<first>, Arch>());
}

/// Number of values that stay in the second-level cache.
constexpr std::size_t in_cache = 65536;

/// Rotates the pairs that fill whole registers in `streams` vectors, which are `step` values apart. Their rows are
/// `row_step` values apart.
template <Pairs layout>
void turn(const float* x, float* out, std::size_t step, const float* rows, std::size_t row_step, std::size_t pairs,
          const Floats& sign) noexcept {
  // The columns of a pair are `pairs` columns apart, or in two consecutive registers.
  constexpr std::size_t every = layout == Pairs::half ? 1 : 2;
  const std::size_t second = layout == Pairs::half ? pairs : lanes::floats;
  for (std::size_t i = 0; i + lanes::floats <= pairs; i += lanes::floats) {
    const float* from = x + every * i;
    const float* row = rows + i;
    float* to = out + every * i;
    for (std::size_t k = 0; k < lanes::streams; ++k, from += step, to += step, row += row_step) {
      const Floats cosine = Floats::load_unaligned(row);
      const Floats sine = Floats::load_unaligned(row + pairs) ^ sign;
      Floats a = Floats::load_unaligned(from);
      Floats b = Floats::load_unaligned(from + second);
      if constexpr (layout == Pairs::interleaved) {
        const Floats low = a;
        a = every_second<0>(low, b);
        b = every_second<1>(low, b);
      }
      Floats left = a * cosine - b * sine;
      Floats right = b * cosine + a * sine;
      if constexpr (layout == Pairs::interleaved) {
        const Floats even = left;
        left = xsimd::zip_lo(even, right);
        right = xsimd::zip_hi(even, right);
      }
      left.store_unaligned(to);
      right.store_unaligned(to + second);
    }
  }
}

/// Rotates the remaining pairs of one vector, from pair `first` on.
[[gnu::noinline]] void turn_rest(std::size_t first, const float* x, float* out, const float* cosines,
                                 const Rotation& rotation) noexcept {
  const std::size_t pairs = rotation.pairs;
  const bool half = rotation.layout == Pairs::half;
#pragma GCC unroll 1
  for (std::size_t i = first; i < pairs; ++i) {
    const std::size_t left = half ? i : 2 * i;
    const std::size_t right = half ? pairs + i : 2 * i + 1;
    const float a = x[left];
    const float b = x[right];
    const float cosine = cosines[i];
    const float sine = rotation.inverse ? -cosines[pairs + i] : cosines[pairs + i];
    out[left] = a * cosine - b * sine;
    out[right] = b * cosine + a * sine;
  }
}

/// The step from vector (b, l) to the next one, (b + next.b, l + next.l).
struct Next {
  std::size_t b;
  std::size_t l;
};

struct Vectors {
  const Rotation& rotation;
  const float* rows;
  const float* x;
  float* out;
  std::size_t dim;
  std::size_t along;   // distance between vectors of a batch, in values
  std::size_t across;  // distance between positions, in values

  [[gnu::noinline]] void turn_some(std::size_t b, std::size_t l, std::size_t count, Next next) const noexcept {
    const std::size_t pairs = rotation.pairs;
    const float* from = x + b * along + l * across;
    float* to = out + b * along + l * across;
    const float* row = rows + 2 * pairs * l;
    const std::size_t step = next.b * along + next.l * across;
    const std::size_t row_step = 2 * pairs * next.l;
    std::size_t whole = 0;
    if (count == lanes::streams) {
      const Floats sign(rotation.inverse ? -0.0F : 0.0F);
      const auto run = rotation.layout == Pairs::half ? turn<Pairs::half> : turn<Pairs::interleaved>;
      run(from, to, step, row, row_step, pairs, sign);
      whole = pairs - pairs % lanes::floats;
    }
    if (whole == pairs && (from == to || dim == 2 * pairs)) return;
    for (std::size_t k = 0; k < count; ++k, from += step, to += step, row += row_step) {
      turn_rest(whole, from, to, row, rotation);
      if (from != to) std::copy(from + 2 * pairs, from + dim, to + 2 * pairs);
    }
  }

  /// Rotates all vectors of a position.
  void turn_batch(std::size_t l, std::size_t batch) const noexcept {
    for (std::size_t b = 0, some = 0; b < batch; b += some) {
      some = batch - b < lanes::streams ? 1 : lanes::streams;
      turn_some(b, l, some, {1, 0});
    }
  }
};

}  // namespace

void rotate(std::span<const float> rows, const Rotation& rotation, const BatchShape& shape, std::span<const float> x,
            std::span<float> out) noexcept {
  const std::size_t batch = shape.batch;
  const std::size_t length = shape.length;
  const std::size_t dim = shape.dim;
  const bool apart = shape.order == Order::batch_first;
  assert(rotation.pairs > 0 && 2 * rotation.pairs <= dim && rows.size() == 2 * rotation.pairs * length);
  assert(x.size() == shape.size() && out.size() == x.size());

  const Vectors vectors{
      rotation, rows.data(), x.data(), out.data(), dim, apart ? length * dim : dim, apart ? dim : batch * dim};
  // Several parts of the memory are processed alternately, unless the vectors of a position are consecutive and all of
  // them stay in the cache.
  const bool parted = apart || shape.size() > in_cache || batch < lanes::streams;
  const std::size_t part = parted ? length / lanes::streams : 0;
  const std::size_t outer = apart ? batch : part;
  const std::size_t inner = apart ? part : batch;
  for (std::size_t i = 0; i < outer; ++i) {
    for (std::size_t k = 0; k < inner; ++k) {
      vectors.turn_some(apart ? i : k, apart ? k : i, lanes::streams, {0, part});
    }
  }
  for (std::size_t l = lanes::streams * part; l < length; ++l) vectors.turn_batch(l, batch);
}

}  // namespace posenc
