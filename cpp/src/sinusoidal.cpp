#include "posenc/sinusoidal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lanes.hpp"
#include "phase.hpp"
#include "posenc/limits.hpp"
#include "rounding.hpp"

namespace posenc {
namespace {

using detail::Segment;
using detail::Wave;
using lanes::Floats;

constexpr std::size_t seed_period = 256;  // x[p+1] = 2 cos(w) x[p] - x[p-1] errs by less than 8e-12 over so many rows

/// The segments that the columns fall into, in order; the rest are empty.
std::array<Segment, detail::most_segments> segments_of(const Sinusoidal& encoding, Columns columns,
                                                       std::span<double> state) noexcept {
  const bool interleaved = encoding.layout == Layout::interleaved;
  const bool sines_first = encoding.layout == Layout::sin_cos;
  const std::size_t waves = encoding.sines + encoding.cosines;
  const std::size_t half = interleaved ? 0 : sines_first ? encoding.sines : encoding.cosines;
  struct Part {
    Wave wave;
    std::size_t from;
    std::size_t to;
  };
  const std::array<Part, detail::most_segments> parts{{
      {sines_first ? Wave::sine : Wave::cosine, 0, half},
      {interleaved   ? Wave::sine_cosine
       : sines_first ? Wave::cosine
                     : Wave::sine,
       half, waves},
      {Wave::zero, waves, std::max(waves, columns.to)},
  }};

  std::array<Segment, detail::most_segments> segments;
  double* memory = state.data();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [wave, begin, end] = parts[i];
    const std::size_t from = std::max(columns.from, begin);
    const std::size_t to = std::min(columns.to, end);
    if (from >= to) continue;
    Segment& segment = segments[i];
    segment.wave = wave;
    segment.width = to - from;
    // Interleaved columns are computed in pairs; a range may begin or end inside one.
    const std::size_t of_one = wave == Wave::sine_cosine ? 2 : 1;
    segment.first = (from - begin) / of_one;
    segment.count = (to - begin + of_one - 1) / of_one - segment.first;
    segment.skip = (from - begin) % of_one;
    const std::size_t stride = detail::stride(segment.width);
    segment.twice_cosine = memory;
    segment.current = memory + stride;
    segment.following = memory + 2 * stride;
    memory += 3 * stride;
    // The recurrence of zeros is zeros.
    if (wave == Wave::zero) std::fill(segment.twice_cosine, memory, 0.0);
  }
  return segments;
}

/// Calls `each(index, frequency)` for a register of a segment's frequencies at a time.
template <class Each>
void for_frequencies(const Segment& segment, Turns frequencies, const Each& each) noexcept {
  if (segment.wave == Wave::zero) return;
  for (std::size_t index = 0; index < segment.count; index += lanes::doubles) {
    const std::size_t i = segment.first + index;
    const std::size_t count = segment.count - index;
    each(index, Sum<Doubles>{lanes::load_part<Doubles>(&frequencies.high[i], count),
                             lanes::load_part<Doubles>(&frequencies.low[i], count)});
  }
}

/// Stores sines and cosines where the segment has them, in the columns of the frequencies from `index` on.
void store(Wave wave, std::size_t index, const SineCosine& values, double* columns) noexcept {
  if (wave == Wave::sine_cosine) {
    xsimd::zip_lo(values.sine, values.cosine).store_unaligned(columns + 2 * index);
    xsimd::zip_hi(values.sine, values.cosine).store_unaligned(columns + 2 * index + lanes::doubles);
  } else {
    (wave == Wave::sine ? values.sine : values.cosine).store_unaligned(columns + index);
  }
}

template <Numerics numerics>
Doubles rounded(const Doubles& value) noexcept {
  if constexpr (numerics == Numerics::float32) return round_to_bits<24>(value);
  if constexpr (numerics == Numerics::bfloat16) return round_to_bits<8>(value);
  return value;
}

/// One row of a segment, from the position alone.
template <Numerics numerics>
void evaluate(const Segment& segment, const Sinusoidal& encoding, double position) noexcept {
  const Doubles scale(encoding.scale);
  for_frequencies(segment, encoding.frequencies, [&](std::size_t index, const Sum<Doubles>& frequency) {
    SineCosine at;
    if constexpr (numerics == Numerics::exact) {
      at = sine_cosine(turn_fraction(DoubleDouble{position, 0}, frequency));
    } else {
      const Doubles angle = rounded<numerics>(rounded<numerics>(Doubles(position)) * rounded<numerics>(frequency.high));
      at = sine_cosine(turn_fraction(angle, inverse_two_pi));
    }
    store(segment.wave, index, {rounded<numerics>(at.sine * scale), rounded<numerics>(at.cosine * scale)},
          segment.current);
  });
}

template <Numerics numerics>
void evaluate_rows(const Sinusoidal& encoding, std::size_t width, std::span<const double> positions,
                   const std::array<Segment, detail::most_segments>& segments, float* out) noexcept {
  for (const double position : positions) {
    if (position == encoding.zero_at) {
      std::fill_n(out, width, 0.0F);
      out += width;
      continue;
    }
    for (const Segment& segment : segments) {
      evaluate<numerics>(segment, encoding, position);
      const double* const current = segment.current + segment.skip;
      for (std::size_t column = 0; column < segment.width; column += lanes::floats) {
        const Floats values = lanes::demote(Doubles::load_unaligned(current + column),
                                            Doubles::load_unaligned(current + column + lanes::doubles));
        lanes::store_part(values, out + column, segment.width - column);
      }
      out += segment.width;
    }
  }
}

}  // namespace

SinusoidalRows::SinusoidalRows(const Sinusoidal& encoding, Columns columns, double start, double step,
                               std::span<double> state) noexcept
    : encoding_(encoding),
      width_(columns.width()),
      segments_(segments_of(encoding, columns, state)),
      start_(start),
      step_(step) {
  assert(columns.from < columns.to && encoding.numerics == Numerics::exact);
  assert(std::max(encoding.sines, encoding.cosines) <= encoding.frequencies.high.size());
  assert(state.size() >= sinusoidal_state_size(columns.width()));
  assert(std::isfinite(start) && std::isfinite(step) && step != 0);

  constexpr double period = seed_period;
  const double steps = std::floor(start / step);  // infinite for a step that is nothing beside the start
  if (std::isfinite(steps)) place_ = static_cast<std::size_t>(steps - period * std::floor(steps / period));
}

void SinusoidalRows::seed() noexcept {
  const DoubleDouble travelled = two_product(row_, step_);
  const DoubleDouble position = DoubleDouble{start_, 0} + travelled;
  const DoubleDouble step{step_, 0};
  const Doubles scale(encoding_.scale);
  for (const Segment& segment : segments_) {
    for_frequencies(segment, encoding_.frequencies, [&](std::size_t index, const Sum<Doubles>& frequency) {
      const auto [turn_sine, turn_cosine] = sine_cosine(turn_fraction(step, frequency));
      auto [sine, cosine] = sine_cosine(turn_fraction(position, frequency));
      sine = sine * scale;
      cosine = cosine * scale;
      const Doubles twice_cosine = turn_cosine + turn_cosine;
      store(segment.wave, index, {twice_cosine, twice_cosine}, segment.twice_cosine);
      store(segment.wave, index, {sine, cosine}, segment.current);
      store(segment.wave, index, {sine * turn_cosine + cosine * turn_sine, cosine * turn_cosine - sine * turn_sine},
            segment.following);
    });
  }
}

void SinusoidalRows::next(std::span<float> out) noexcept {
  assert(out.size() % width_ == 0);
  std::size_t rows = out.size() / width_;
  float* to = out.data();
  // Which of the rows, if any, is the one of zeros.
  const double zero_row = (encoding_.zero_at - start_) / step_ - row_;
  const bool has_zero_row = zero_row >= 0 && zero_row < static_cast<double>(rows) && zero_row == std::floor(zero_row);

  while (rows > 0) {
    if (place_ == 0 || !seeded_) seed();
    seeded_ = true;
    const std::size_t run = std::min(rows, seed_period - place_);
    advance(run, to);
    to += run * width_;
    rows -= run;
    row_ += static_cast<double>(run);
    place_ = (place_ + run) % seed_period;
  }
  if (has_zero_row) std::fill_n(out.data() + static_cast<std::size_t>(zero_row) * width_, width_, 0.0F);
}

template <std::size_t rows>
void SinusoidalRows::pass(const Segment& segment, float* out) const noexcept {
  // Locals: stores of registers may alias members, which would be loaded again after each.
  const std::size_t width = width_;
  double* const all_current = segment.current + segment.skip;
  double* const all_following = segment.following + segment.skip;
  const double* const factors = segment.twice_cosine + segment.skip;
  // Two registers of float64 columns make one of float32.
  const auto columns = [=](std::size_t column, const auto& store) {
    double* const current = all_current + column;
    double* const following = all_following + column;
    const double* const factor = factors + column;
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
  const std::size_t rest = segment.width % lanes::floats;
  for (std::size_t column = 0; column < segment.width - rest; column += lanes::floats) {
    columns(column, [](const Floats& values, float* to) { values.store_unaligned(to); });
  }
  if (rest > 0) {
    columns(segment.width - rest, [rest](const Floats& values, float* to) { lanes::store_part(values, to, rest); });
  }
}

void SinusoidalRows::advance(std::size_t rows, float* out) noexcept {
  constexpr std::size_t together = 4;  // rows a pass, so that the state is loaded and stored once for all of them
  while (rows > 0) {
    const std::size_t taken = rows >= together ? together : 1;
    float* to = out;
    for (const Segment& segment : segments_) {
      if (taken == together) {
        pass<together>(segment, to);
      } else {
        pass<1>(segment, to);
      }
      to += segment.width;
    }
    out += taken * width_;
    rows -= taken;
  }
}

void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, std::span<float> out) noexcept {
  const std::size_t width = columns.width();
  assert(columns.from < columns.to);
  assert(std::max(encoding.sines, encoding.cosines) <= encoding.frequencies.high.size());
  assert(state.size() >= sinusoidal_state_size(width) && out.size() == positions.size() * width);

  const auto segments = segments_of(encoding, columns, state);
  switch (encoding.numerics) {
    case Numerics::exact:
      return evaluate_rows<Numerics::exact>(encoding, width, positions, segments, out.data());
    case Numerics::float32:
      return evaluate_rows<Numerics::float32>(encoding, width, positions, segments, out.data());
    case Numerics::bfloat16:
      return evaluate_rows<Numerics::bfloat16>(encoding, width, positions, segments, out.data());
  }
}

}  // namespace posenc
