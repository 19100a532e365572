#include "posenc/sinusoidal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "halves.hpp"
#include "lanes.hpp"
#include "phase.hpp"
#include "posenc/limits.hpp"
#include "rounding.hpp"

namespace posenc {
namespace {

using detail::Segment;
using detail::Wave;
using lanes::Floats;

// Over 256 rows the recurrence x[p+1] = 2 cos(w) x[p] - x[p-1] has an error below 8e-12.
constexpr std::size_t seed_period = 256;

/// The segments of the columns, in order. The others are empty.
std::array<Segment, detail::most_segments> segments_of(const Sinusoidal& encoding, Columns columns,
                                                       std::span<double> state) noexcept {
  const bool cosine_first = encoding.layout == Layout::cosine_first;
  const bool interleaved = cosine_first || encoding.layout == Layout::interleaved;
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
      {cosine_first  ? Wave::cosine_sine
       : interleaved ? Wave::sine_cosine
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
    // Interleaved columns are computed in pairs, and a range may begin or end inside a pair.
    const std::size_t of_one = interleaved && wave != Wave::zero ? 2 : 1;
    segment.first = (from - begin) / of_one;
    segment.count = (to - begin + of_one - 1) / of_one - segment.first;
    segment.skip = (from - begin) % of_one;
    const std::size_t stride = detail::stride(segment.width);
    segment.twice_cosine = memory;
    segment.current = memory + stride;
    segment.following = memory + 2 * stride;
    segment.step_cosine = memory + 3 * stride;
    segment.step_sine = memory + 4 * stride;
    memory += detail::state_arrays * stride;
    // With all-zero state, the recurrence gives zeros.
    if (wave == Wave::zero) std::fill(segment.twice_cosine, memory, 0.0);
  }
  return segments;
}

/// Calls `each(index, frequency)` for each register of a segment's frequencies.
template <class Each>
void for_frequencies(const Segment& segment, const Sinusoidal& encoding, const Each& each) noexcept {
  if (segment.wave == Wave::zero) return;
  const auto [high, low] = encoding.frequencies;
  const bool exact = encoding.numerics == Numerics::exact;
  for (std::size_t index = 0; index < segment.count; index += lanes::doubles) {
    const std::size_t i = segment.first + index;
    const std::size_t count = segment.count - index;
    each(index, Sum<Doubles>{lanes::load_part<Doubles>(&high[i], count),
                             exact ? lanes::load_part<Doubles>(&low[i], count) : Doubles(0.0)});
  }
}

/// Stores the sines and cosines that the segment has in the columns of the frequencies from `index` on.
void store(Wave wave, std::size_t index, const SineCosine& values, double* columns) noexcept {
  if (wave == Wave::sine_cosine || wave == Wave::cosine_sine) {
    const Doubles first = wave == Wave::sine_cosine ? values.sine : values.cosine;
    const Doubles second = wave == Wave::sine_cosine ? values.cosine : values.sine;
    xsimd::zip_lo(first, second).store_unaligned(columns + 2 * index);
    xsimd::zip_hi(first, second).store_unaligned(columns + 2 * index + lanes::doubles);
  } else {
    (wave == Wave::sine ? values.sine : values.cosine).store_unaligned(columns + index);
  }
}

/// Computes one row of a segment from a single position, or from one position for each frequency; and of another
/// segment, if there is one, which has the other wave of the same frequencies.
void evaluate(const Segment& segment, const Segment* other, const Sinusoidal& encoding,
              std::span<const double> positions) noexcept {
  const bool exact = encoding.numerics == Numerics::exact;
  const int bits = encoding.numerics == Numerics::float32 ? 24 : 8;
  const Doubles scale(encoding.scale);
  const Sum<Doubles> per_radian{Doubles(inverse_two_pi.high), Doubles(inverse_two_pi.low)};
  for_frequencies(segment, encoding, [&](std::size_t index, const Sum<Doubles>& frequency) {
    const auto rounded = [=](const Doubles& value) { return exact ? value : round_to_bits(bits, value); };
    const std::size_t first = segment.first + index;
    const Doubles position = positions.size() == 1
                                 ? Doubles(positions[0])
                                 : lanes::load_part<Doubles>(&positions[first], segment.count - index);
    Doubles turns;
    if (exact) {
      turns = turn_fraction(position, frequency);
    } else {
      turns = turn_fraction(rounded(rounded(position) * rounded(frequency.high)), per_radian);
    }
    const auto [sine, cosine] = sine_cosine(turns);
    const SineCosine values{rounded(sine * scale), rounded(cosine * scale)};
    store(segment.wave, index, values, segment.current);
    if (other != nullptr) store(other->wave, index, values, other->current);
  });
}

/// The scale; or the next float64 towards zero, if it is a tie of the type whose even neighbour is on that side. The
/// sines and cosines of 0 are the only values that would be ties, and `narrowed_normal` rounds those away from zero.
double off_tie(Half type, double scale) noexcept {
  const int dropped = 52 - lanes::format_of(type).fraction;
  const auto bits = std::bit_cast<std::uint64_t>(scale);
  const std::uint64_t last = bits & ((std::uint64_t{2} << dropped) - 1);
  return std::bit_cast<double>(last == std::uint64_t{1} << (dropped - 1) ? bits - 1 : bits);
}

/// Where values go: as float32, or as 16-bit numbers.
struct Output {
  float* floats;
  std::uint16_t* halves;
  Half type;

  void store(const Doubles& low, const Doubles& high, std::size_t at, std::size_t count) const noexcept {
    if (floats != nullptr) {
      lanes::store_part(lanes::demote(low, high), floats + at, count);
    } else {
      lanes::store_halves_part(lanes::narrowed(type, low, high), halves + at, count);
    }
  }
};

/// Computes `size` values of rows one by one.
void rows_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions, std::span<double> state,
             std::size_t size, const Output& out) noexcept {
  const std::size_t width = columns.width();
  assert(columns.from < columns.to);
  assert(std::max(encoding.sines, encoding.cosines) <= encoding.frequencies.high.size());
  const std::size_t rows = size / width;
  const std::size_t each = rows > 0 ? positions.size() / rows : 1;
  assert(state.size() >= sinusoidal_state_size(width) && size == rows * width);
  assert(positions.size() == rows * each && (each == 1 || each == encoding.frequencies.high.size()));

  const auto segments = segments_of(encoding, columns, state);
  // All sines and all cosines of the same frequencies are computed together.
  const bool paired = segments[0].first == segments[1].first && segments[0].count == segments[1].count;
  const Segment* const other = paired ? &segments[1] : nullptr;
  std::size_t at = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto position = positions.subspan(row * each, each);
    const auto not_zero = xsimd::batch_bool<double>(each != 1 || position[0] != encoding.zero_at);
    for (const Segment& segment : segments) {
      if (&segment != other) evaluate(segment, other, encoding, position);
      const double* const current = segment.current + segment.skip;
      lanes::for_registers(segment.width, [=, &out](std::size_t column, std::size_t count) {
        const auto load = [=](std::size_t place) {
          return xsimd::select(not_zero, Doubles::load_unaligned(current + place), Doubles(0.0));
        };
        out.store(load(column), load(column + lanes::doubles), at + column, count);
      });
      at += segment.width;
    }
  }
}

}  // namespace

SinusoidalRows::SinusoidalRows(const Sinusoidal& encoding, Columns columns, double start, double step,
                               std::span<double> state, double row) noexcept
    : encoding_(encoding),
      width_(columns.width()),
      segments_(segments_of(encoding, columns, state)),
      start_(start),
      step_(step),
      row_(row) {
  assert(columns.from < columns.to && encoding.numerics == Numerics::exact);
  assert(std::max(encoding.sines, encoding.cosines) <= encoding.frequencies.high.size());
  assert(state.size() >= sinusoidal_state_size(columns.width()));
  assert(std::isfinite(start) && std::isfinite(step) && step != 0);
  assert(row >= 0 && row == std::floor(row));

  constexpr double period = seed_period;
  double steps = std::floor(start / step);  // infinite if the step is tiny compared to the start
  steps = std::isfinite(steps) ? steps - period * std::floor(steps / period) : 0;
  steps += row - period * std::floor(row / period);
  place_ = static_cast<std::size_t>(steps) % seed_period;
}

[[gnu::noinline]] SinusoidalRows::Zeros SinusoidalRows::zeros(std::size_t rows) const noexcept {
  const bool whole = start_ == std::floor(start_) && step_ == std::floor(step_);
  // Positions are monotonic, so a binary search finds both ends.
  std::array<std::size_t, 2> ends{};
  for (std::size_t& end : ends) {
    const bool last = &end != ends.data();
    for (std::size_t to = rows; end < to;) {
      const std::size_t middle = end + (to - end) / 2;
      const double row = row_ + static_cast<double>(middle);
      double position = start_ + row * step_;
      if (whole) {
        // The product may be inexact in float64 although every position is exact.
        const double half = std::floor(row / 2);
        position = start_ + half * step_ + half * step_ + (row - 2 * half) * step_;
      }
      const double ahead = step_ > 0 ? encoding_.zero_at - position : position - encoding_.zero_at;
      if (last ? ahead >= 0 : ahead > 0) {
        end = middle + 1;
      } else {
        to = middle;
      }
    }
  }
  return {ends[0], ends[1]};
}

[[gnu::noinline]] void SinusoidalRows::seed() noexcept {
  const DoubleDouble travelled = two_product(row_, step_);
  const DoubleDouble position = DoubleDouble{start_, 0} + travelled;
  const DoubleDouble step{step_, 0};
  const bool at_zero = position.high == 0;
  const Doubles scale(encoding_.scale);
  for (const Segment& segment : segments_) {
    for_frequencies(segment, encoding_, [&](std::size_t index, const Sum<Doubles>& frequency) {
      // The step between rows is always the same angle, so its sine and cosine are kept from the first row on.
      SineCosine turn;
      if (row_ == 0) {
        turn = sine_cosine(turn_fraction(step, frequency));
        const Doubles twice_cosine = turn.cosine + turn.cosine;
        store(segment.wave, index, {twice_cosine, twice_cosine}, segment.twice_cosine);
        turn.sine.store_unaligned(segment.step_sine + index);
        turn.cosine.store_unaligned(segment.step_cosine + index);
      } else {
        turn = {Doubles::load_unaligned(segment.step_sine + index),
                Doubles::load_unaligned(segment.step_cosine + index)};
      }
      // Tables begin at 0. Measured: 0.7 of the time of the first row.
      auto [sine, cosine] =
          at_zero ? SineCosine{Doubles(0.0), Doubles(1.0)} : sine_cosine(turn_fraction(position, frequency));
      sine = sine * scale;
      cosine = cosine * scale;
      store(segment.wave, index, {sine, cosine}, segment.current);
      store(segment.wave, index, {sine * turn.cosine + cosine * turn.sine, cosine * turn.cosine - sine * turn.sine},
            segment.following);
    });
  }
}

namespace {

/// Stores values as float32.
struct Floats32 {
  float* out;

  struct Seen {};

  void put(const Doubles& low, const Doubles& high, std::size_t at, Seen& /*seen*/) const noexcept {
    lanes::demote(low, high).store_unaligned(out + at);
  }
  [[nodiscard]] static bool right(const Seen& /*seen*/) noexcept { return true; }
  void put_any(const Doubles& low, const Doubles& high, std::size_t at, std::size_t count) const noexcept {
    lanes::store_part(lanes::demote(low, high), out + at, count);
  }
  void clear(std::size_t at, std::size_t count) const noexcept { std::fill_n(out + at, count, 0.0F); }
};

/// Stores values as numbers of 16 bits, as if all were normal in the type, which is seen afterwards. Measured: 0.8 of
/// the time of looking at each register.
struct Floats16 {
  std::uint16_t* out;
  Half type;
  bool bounded;                // whether no value is infinite in the type
  lanes::Words unsigned_bits;  // of an upper word
  lanes::Words sign;           // the sign's bit in a word that was shifted

  Floats16(std::uint16_t* values, Half half, double most) noexcept
      : out(values),
        type(half),
        bounded(most <= 65504),  // the largest float16
        unsigned_bits(lanes::held<lanes::Words, 0x7fffffff>()),
        sign(lanes::held<lanes::Words, 0x8000>()) {}

  /// The least magnitudes.
  struct Seen {
    lanes::Integers least{std::numeric_limits<std::int32_t>::max()};
  };

  void put(const Doubles& low, const Doubles& high, std::size_t at, Seen& seen) const noexcept {
    const lanes::Words upper = lanes::upper_words(low, high);
    const auto magnitude = xsimd::bitwise_cast<std::int32_t>(upper & unsigned_bits);
    seen.least = xsimd::min(seen.least, magnitude);
    lanes::store_halves(lanes::narrowed_normal(lanes::format_of(type), upper, magnitude, sign), out + at);
  }
  [[nodiscard]] bool right(const Seen& seen) const noexcept {
    return bounded && !xsimd::any(seen.least < lanes::Integers(lanes::least_normal(lanes::format_of(type))));
  }
  void put_any(const Doubles& low, const Doubles& high, std::size_t at, std::size_t count) const noexcept {
    lanes::store_halves_part(lanes::narrowed(type, low, high), out + at, count);
  }
  void clear(std::size_t at, std::size_t count) const noexcept { std::fill_n(out + at, count, std::uint16_t{0}); }
};

/// Where the state of a segment's columns is.
struct State {
  const double* twice_cosine;
  double* current;
  double* following;

  State(const Segment& segment, std::size_t column) noexcept
      : twice_cosine(segment.twice_cosine + segment.skip + column),
        current(segment.current + segment.skip + column),
        following(segment.following + segment.skip + column) {}

  void advance(std::size_t columns) noexcept {
    twice_cosine += columns;
    current += columns;
    following += columns;
  }
};

/// The recurrence in two registers of float64 columns, which become one of float32.
struct Recurrence {
  Doubles c0, c1;  // twice the cosine
  Doubles a0, a1;  // the present row
  Doubles b0, b1;  // the following one

  explicit Recurrence(const State& state) noexcept
      : c0(Doubles::load_unaligned(state.twice_cosine)),
        c1(Doubles::load_unaligned(state.twice_cosine + lanes::doubles)),
        a0(Doubles::load_unaligned(state.current)),
        a1(Doubles::load_unaligned(state.current + lanes::doubles)),
        b0(Doubles::load_unaligned(state.following)),
        b1(Doubles::load_unaligned(state.following + lanes::doubles)) {}

  void advance() noexcept {
    const Doubles n0 = c0 * b0 - a0;
    const Doubles n1 = c1 * b1 - a1;
    a0 = b0;
    a1 = b1;
    b0 = n0;
    b1 = n1;
  }

  void store(const State& state) const noexcept {
    a0.store_unaligned(state.current);
    a1.store_unaligned(state.current + lanes::doubles);
    b0.store_unaligned(state.following);
    b1.store_unaligned(state.following + lanes::doubles);
  }
};

/// Stores the columns [from, to) of rows that may have any values, `width` values apart.
template <class Put>
[[gnu::noinline]] void pass_any(const Segment& segment, std::size_t from, std::size_t to, std::size_t rows,
                                std::size_t width, std::size_t at, const Put& put) noexcept {
#pragma GCC unroll 1
  for (std::size_t column = from; column < to; column += lanes::floats) {
    const State state(segment, column);
    Recurrence columns(state);
#pragma GCC unroll 1
    for (std::size_t row = 0; row < rows; ++row) {
      put.put_any(columns.a0, columns.a1, at + row * width + column, to - column);
      columns.advance();
    }
    columns.store(state);
  }
}

/// Rows that are computed together, so that the state is loaded and stored once for all of them.
constexpr std::size_t together = 4;

/// Stores all columns of `together` rows, quickly where the values allow it. Places advance, because sums of a place
/// and a column for each load and store took 5 % more time.
template <class Put>
void pass(const Segment& segment, std::size_t width, std::size_t at, const Put& put) noexcept {
  const std::size_t whole = segment.width - segment.width % lanes::floats;
  State state(segment, 0);
  const double* const end = state.current + whole;
  for (std::size_t first = at; state.current != end; first += lanes::floats, state.advance(lanes::floats)) {
    Recurrence columns(state);
    typename Put::Seen seen;
    std::size_t place = first;
    for (std::size_t row = 0; row < together; ++row, place += width) {
      put.put(columns.a0, columns.a1, place, seen);
      columns.advance();
    }
    if (put.right(seen)) [[likely]] {
      columns.store(state);
    } else {
      pass_any(segment, first - at, first - at + lanes::floats, together, width, at, put);
    }
  }
  if (whole < segment.width) pass_any(segment, whole, segment.width, together, width, at, put);
}

}  // namespace

void SinusoidalRows::next(std::span<float> out) noexcept { emit(out.size(), Floats32{out.data()}); }

void SinusoidalRows::next(Half type, std::span<std::uint16_t> out) noexcept {
  encoding_.scale = off_tie(type, encoding_.scale);
  // No value is larger than the scale.
  emit(out.size(), Floats16(out.data(), type, std::abs(encoding_.scale)));
}

template <class Put>
void SinusoidalRows::emit(std::size_t size, const Put& put) noexcept {
  assert(size % width_ == 0);
  const std::size_t rows = size / width_;
  const auto [first_zero, after_zeros] = zeros(rows);

  for (std::size_t row = 0; row < rows;) {
    if (place_ == 0 || row_ == 0) seed();
    const bool is_zero = row >= first_zero && row < after_zeros;
    const std::size_t end = row < first_zero ? first_zero : rows;
    const std::size_t run = std::min(end - row, seed_period - place_);
    const std::size_t taken = run >= together && !is_zero ? together : 1;
    std::size_t at = row * width_;
    for (const Segment& segment : segments_) {
      if (segment.width == 0) continue;
      if (taken == together) {
        pass(segment, width_, at, put);
      } else {
        pass_any(segment, 0, segment.width, 1, width_, at, put);
      }
      at += segment.width;
    }
    if (is_zero) put.clear(row * width_, width_);
    row += taken;
    row_ += static_cast<double>(taken);
    place_ = (place_ + taken) % seed_period;
  }
}

void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, std::span<float> out) noexcept {
  rows_at(encoding, columns, positions, state, out.size(), {out.data(), nullptr, {}});
}

void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, Half type, std::span<std::uint16_t> out) noexcept {
  rows_at(encoding, columns, positions, state, out.size(), {nullptr, out.data(), type});
}

}  // namespace posenc
