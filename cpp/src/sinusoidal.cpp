#include "posenc/sinusoidal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lanes.hpp"
#include "phase.hpp"
#include "posenc/limits.hpp"

namespace posenc {
namespace {

using lanes::Floats;

constexpr std::size_t seed_period = 256;  // x[p+1] = 2 cos(w) x[p] - x[p-1] errs by less than 8e-12 over so many rows

/// Columns are computed in pairs, sine and cosine of a frequency; a range may begin or end inside one.
struct Pairs {
  std::size_t first;
  std::size_t count;
  std::size_t skip;  // 1 where the range begins with a cosine

  explicit Pairs(Columns columns) noexcept
      : first(columns.from / 2), count((columns.to + 1) / 2 - first), skip(columns.from % 2) {}
};

/// Calls `each(pair, sine and cosine, frequency)` for a register of pairs at a time.
template <class Each>
void for_each_pair(Turns frequencies, Pairs pairs, DoubleDouble position, const Each& each) noexcept {
  for (std::size_t pair = 0; pair < pairs.count; pair += lanes::doubles) {
    const std::size_t i = pairs.first + pair;
    const std::size_t count = pairs.count - pair;
    const Sum<Doubles> frequency{lanes::load_part<Doubles>(&frequencies.high[i], count),
                                 lanes::load_part<Doubles>(&frequencies.low[i], count)};
    each(pair, sine_cosine(turn_fraction(position, frequency)), frequency);
  }
}

/// Stores pairs as neighbouring columns.
void interleave(const Doubles& even, const Doubles& odd, double* out) noexcept {
  xsimd::zip_lo(even, odd).store_unaligned(out);
  xsimd::zip_hi(even, odd).store_unaligned(out + lanes::doubles);
}

Floats demoted(const double* values) noexcept {
  return lanes::demote(Doubles::load_unaligned(values), Doubles::load_unaligned(values + lanes::doubles));
}

}  // namespace

SinusoidalRows::SinusoidalRows(Turns frequencies, Columns columns, double start, double step,
                               std::span<double> state) noexcept
    : frequencies_(frequencies),
      columns_(columns),
      start_(start),
      step_(step),
      twice_cosine_(state.data()),
      current_(twice_cosine_ + detail::stride(columns.width())),
      following_(current_ + detail::stride(columns.width())) {
  assert(columns.from < columns.to && columns.to <= 2 * frequencies.high.size());
  assert(state.size() >= sinusoidal_state_size(columns.width()));
  assert(std::isfinite(start) && std::isfinite(step) && step != 0);

  constexpr double period = seed_period;
  const double steps = std::floor(start / step);  // infinite for a step that is nothing beside the start
  place_ = std::isfinite(steps) ? static_cast<std::size_t>(steps - period * std::floor(steps / period)) : 0;
}

void SinusoidalRows::seed() noexcept {
  const Pairs pairs(columns_);
  const DoubleDouble travelled = two_product(row_, step_);
  const DoubleDouble position = DoubleDouble{start_, 0} + travelled;
  const DoubleDouble step{step_, 0};
  for_each_pair(frequencies_, pairs, position, [&](std::size_t pair, SineCosine at, const Sum<Doubles>& frequency) {
    const SineCosine turn = sine_cosine(turn_fraction(step, frequency));
    const std::size_t column = 2 * pair;
    interleave(turn.cosine + turn.cosine, turn.cosine + turn.cosine, twice_cosine_ + column);
    interleave(at.sine, at.cosine, current_ + column);
    interleave(at.sine * turn.cosine + at.cosine * turn.sine, at.cosine * turn.cosine - at.sine * turn.sine,
               following_ + column);
  });
}

void SinusoidalRows::next(std::span<float> out) noexcept {
  const std::size_t width = columns_.width();
  assert(out.size() % width == 0);
  std::size_t rows = out.size() / width;
  float* to = out.data();
  while (rows > 0) {
    if (place_ == 0 || !seeded_) seed();
    seeded_ = true;
    const std::size_t run = std::min(rows, seed_period - place_);
    advance(run, to);
    to += run * width;
    rows -= run;
    row_ += static_cast<double>(run);
    place_ = (place_ + run) % seed_period;
  }
}

template <std::size_t rows>
void SinusoidalRows::pass(float* out) noexcept {
  const std::size_t width = columns_.width();
  const std::size_t skip = Pairs(columns_).skip;
  // Two registers of float64 columns make one of float32.
  const auto columns = [&](std::size_t column, const auto& store) {
    double* const current = current_ + skip + column;
    double* const following = following_ + skip + column;
    const double* const factor = twice_cosine_ + skip + column;
    const Doubles c0 = Doubles::load_unaligned(factor);
    const Doubles c1 = Doubles::load_unaligned(factor + lanes::doubles);
    Doubles a0 = Doubles::load_unaligned(current);
    Doubles a1 = Doubles::load_unaligned(current + lanes::doubles);
    Doubles b0 = Doubles::load_unaligned(following);
    Doubles b1 = Doubles::load_unaligned(following + lanes::doubles);
    for (std::size_t row = 0; row < rows; ++row) {
      store(lanes::demote(a0, a1), out + row * width + column);
      const Doubles n0 = c0 * b0 - a0;
      const Doubles n1 = c1 * b1 - a1;
      a0 = b0;
      a1 = b1;
      b0 = n0;
      b1 = n1;
    }
    a0.store_unaligned(current);
    a1.store_unaligned(current + lanes::doubles);
    b0.store_unaligned(following);
    b1.store_unaligned(following + lanes::doubles);
  };
  const std::size_t rest = width % lanes::floats;
  for (std::size_t column = 0; column < width - rest; column += lanes::floats) {
    columns(column, [](const Floats& values, float* to) { values.store_unaligned(to); });
  }
  if (rest > 0) {
    columns(width - rest, [rest](const Floats& values, float* to) { lanes::store_part(values, to, rest); });
  }
}

void SinusoidalRows::advance(std::size_t rows, float* out) noexcept {
  constexpr std::size_t together = 4;  // rows a pass, so that the state is loaded and stored once for all of them
  const std::size_t width = columns_.width();
  for (; rows >= together; rows -= together, out += together * width) pass<together>(out);
  for (; rows > 0; --rows, out += width) pass<1>(out);
}

void sinusoidal_at(Turns frequencies, Columns columns, std::span<const double> positions, std::span<double> state,
                   std::span<float> out) noexcept {
  const std::size_t width = columns.width();
  assert(columns.from < columns.to && columns.to <= 2 * frequencies.high.size());
  assert(state.size() >= sinusoidal_state_size(width) && out.size() == positions.size() * width);

  const Pairs pairs(columns);
  float* to = out.data();
  for (const double position : positions) {
    for_each_pair(frequencies, pairs, {position, 0}, [&](std::size_t pair, SineCosine at, const Sum<Doubles>&) {
      interleave(at.sine, at.cosine, state.data() + 2 * pair);
    });
    for (std::size_t column = 0; column < width; column += lanes::floats) {
      lanes::store_part(demoted(state.data() + pairs.skip + column), to + column, width - column);
    }
    to += width;
  }
}

}  // namespace posenc
