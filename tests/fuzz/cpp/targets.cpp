// The public functions on inputs made of any bytes, under the sanitizers, each against a plain loop.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "input.hpp"
#include "posenc/add.hpp"
#include "posenc/colorize.hpp"
#include "posenc/dropout.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/half.hpp"
#include "posenc/limits.hpp"
#include "posenc/lookup.hpp"
#include "posenc/random.hpp"
#include "posenc/rotate.hpp"
#include "posenc/similarity.hpp"
#include "posenc/sinusoidal.hpp"

namespace {

/// The promise, against x87's 64-bit sines, which hold at small angles, of rows in pieces and of a listed row.
void sinusoidal(Input& in) {
  const std::size_t count = in.between(1, 24);
  const double base = 1.0001 + std::ldexp(in.take<std::uint32_t>(), -static_cast<int>(in.between(0, 31)));
  std::vector<double> radians(count);
  std::vector<double> high(count);
  std::vector<double> low(count);
  const auto steps = static_cast<double>(in.between(1, 64));
  posenc::frequencies(base, steps, 1, radians, high, low, {.factor = steps > 1 && in.coin() ? 4.0 : 0.0});
  if (in.coin()) posenc::turns(radians, high, low);
  if (in.coin()) {
    std::ranges::fill(radians, 8);
    const auto ramp = static_cast<posenc::Ramp>(in.between(0, 2));
    posenc::scale({.ramp = ramp, .length = 4096, .fast = 32, .base = base, .steps = steps}, radians, high, low);
  }
  posenc::Sinusoidal encoding{.frequencies = {.high = high, .low = low}};
  encoding.layout = static_cast<posenc::Layout>(in.between(0, 3));
  encoding.sines = count;
  encoding.cosines = count - in.between(0, 1);
  if (in.coin()) encoding.scale = in.tame(1)[0];
  const std::size_t waves = encoding.sines + encoding.cosines;
  const std::size_t zeros = in.between(0, 1);
  const std::size_t from = in.between(0, waves + zeros - 1);
  const posenc::Columns columns{.from = from, .to = in.between(from + 1, waves + zeros)};
  const double start = static_cast<double>(in.take<std::int16_t>());
  const double step = static_cast<double>(in.between(1, 3)) * (in.coin() ? 1 : -1);
  const std::size_t rows = in.between(1, 700);
  const auto position_of = [&](std::size_t row) { return start + static_cast<double>(row) * step; };
  const std::size_t row = in.between(0, rows - 1);
  if (in.coin()) encoding.zero_at = position_of(in.coin() ? row : in.between(0, rows));

  std::vector<double> state(posenc::sinusoidal_state_size(columns.width()), std::numeric_limits<double>::quiet_NaN());
  std::vector<float> out(rows * columns.width());
  posenc::SinusoidalRows run(encoding, columns, start, step, state);
  for (std::size_t done = 0; done < rows;) {
    // Another object goes on with the state.
    if (in.coin()) run = {encoding, columns, start, step, state, static_cast<double>(done)};
    const std::size_t some = std::min(rows - done, in.between(1, 80));
    run.next(std::span(out).subspan(done * columns.width(), some * columns.width()));
    done += some;
  }
  std::vector<float> whole(out.size());
  posenc::SinusoidalRows(encoding, columns, start, step, state).next(whole);
  expect(out == whole, "rows in pieces", 0);
  // No rows and no frequencies write nothing.
  posenc::frequencies(base, steps, 1, {}, {}, {});
  run.next(std::span<float>());
  posenc::sinusoidal_at(encoding, columns, {}, state, std::span<float>());

  // Or of several axes, a position for each frequency.
  std::vector<double> positions(in.coin() ? 1 : count, position_of(row));
  for (std::size_t i = 1; i < positions.size(); ++i) positions[i] += static_cast<double>(in.between(0, 99));
  std::vector<float> listed(columns.width());
  posenc::sinusoidal_at(encoding, columns, positions, state, listed);
  for (std::size_t i = 0; i < columns.width(); ++i) {
    const std::size_t column = columns.from + i;
    const bool cosine_first = encoding.layout == posenc::Layout::cosine_first;
    const bool interleaved = cosine_first || encoding.layout == posenc::Layout::interleaved;
    const std::size_t first = encoding.layout == posenc::Layout::cos_sin ? encoding.cosines : encoding.sines;
    const bool second = interleaved ? column % 2 == 1 : column >= first;
    const std::size_t pair = interleaved ? column / 2 : (second ? column - first : column);
    const bool cosine = second != (cosine_first || encoding.layout == posenc::Layout::cos_sin);
    const auto check = [&](float value, double position, bool zero, const char* what) {
      if (column >= waves || zero) return expect(value == 0, what, i);
      const long double angle = static_cast<long double>(position) *
                                (high[pair] + static_cast<long double>(low[pair])) * 2 *
                                3.14159265358979323846264338327950288L;
      const long double exact = (cosine ? std::cos(angle) : std::sin(angle)) * encoding.scale;
      const float near = std::abs(static_cast<float>(exact));
      const long double bound = (std::nextafter(near, std::numeric_limits<float>::infinity()) - near) / 2.0L +
                                0x1p-36L * std::abs(encoding.scale);
      expect(std::abs(value - exact) <= bound, what, i);
    };
    const bool zero = position_of(row) == encoding.zero_at;
    check(out[row * columns.width() + i], position_of(row), zero, "a row");
    check(listed[i], positions[std::min(pair, positions.size() - 1)], zero && positions.size() == 1, "a listed row");
  }
}

/// A batch in one of its orders. Sequences may be parts of longer ones.
posenc::BatchShape shape_of(Input& in, std::size_t dim) {
  const std::size_t length = in.between(0, 9);
  const std::size_t apart = in.coin() ? 1 : length + in.between(0, 2);
  return {.batch = in.between(0, 9), .length = length, .dim = dim, .apart = apart};
}

/// Columns of few registers or of many.
std::size_t width_of(Input& in) { return in.between(1, in.coin() ? 40 : 300); }

/// Calls `each(row, position)` for all rows of a batch.
template <class Each>
void for_each_row(const posenc::BatchShape& shape, const Each& each) {
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t l = 0; l < shape.length; ++l) each(shape.row(b, l), l);
  }
}

void add(Input& in) {
  const posenc::BatchShape shape = shape_of(in, width_of(in));
  const bool by_position = in.coin() || shape.rows() == 0 || shape.size() != shape.rows() * shape.dim;
  const bool in_place = in.coin();
  const float scale = in.tame(1)[0];
  const std::vector<std::uint32_t> ids = in.ids(by_position ? 0 : shape.rows(), 7);
  const std::vector<float> table = in.floats((by_position ? shape.length : 7) * shape.dim);
  const std::vector<float> x = in.floats(shape.size());
  const std::vector<float> before = in_place ? x : in.floats(x.size());
  std::vector<float> out = before;
  posenc::add({table, ids}, in_place ? out : x, shape, scale, out);
  for_each_row(shape, [&](std::size_t row, std::size_t l) {
    const std::size_t added = by_position ? l : ids[row];
    for (std::size_t column = 0; column < shape.dim; ++column) {
      const std::size_t i = row * shape.dim + column;
      expect(same(out[i], x[i] * scale + table[added * shape.dim + column]), "a sum", i);
      out[i] = before[i];
    }
  });
  for (std::size_t i = 0; i < x.size(); ++i) expect(same(out[i], before[i]), "a value between parts", i);
}

void rotate(Input& in) {
  const std::size_t parts = in.between(1, 3);
  const std::size_t own = in.between(1, in.coin() ? 20 : 100);
  const std::size_t pairs = parts * own;
  const posenc::BatchShape shape = shape_of(in, 2 * pairs + in.between(0, 9));
  const posenc::Rotation rotation{
      .layout = static_cast<posenc::Pairs>(in.between(0, 1)), .pairs = pairs, .parts = parts, .inverse = in.coin()};
  const bool in_place = in.coin();
  const std::vector<float> rows = in.floats(shape.length * 2 * pairs);
  const std::vector<float> x = in.floats(shape.size());
  const std::vector<float> before = in_place ? x : in.floats(x.size());
  std::vector<float> out = before;
  posenc::rotate(rows, rotation, shape, in_place ? out : x, out);
  for_each_row(shape, [&](std::size_t vector, std::size_t position) {
    for (std::size_t i = 2 * pairs; i < shape.dim; ++i)
      expect(same(out[vector * shape.dim + i], x[vector * shape.dim + i]), "a column that stays", i);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const bool half = rotation.layout == posenc::Pairs::half;
      const std::size_t left = vector * shape.dim + (half ? 2 * pair - pair % own : 2 * pair);
      const std::size_t right = left + (half ? own : 1);
      const float c = rows[position * 2 * pairs + pair];
      const float s = (rotation.inverse ? -1.0F : 1.0F) * rows[position * 2 * pairs + pairs + pair];
      expect(same(out[left], x[left] * c - x[right] * s), "a rotated x", pair);
      expect(same(out[right], x[right] * c + x[left] * s), "a rotated y", pair);
    }
    std::copy_n(&before[vector * shape.dim], shape.dim, &out[vector * shape.dim]);
  });
  for (std::size_t i = 0; i < x.size(); ++i) expect(same(out[i], before[i]), "a value between parts", i);
}

void halves(Input& in) {
  const auto type = static_cast<posenc::Half>(in.between(0, 1));
  const std::vector<float> values = in.floats(in.between(0, 70));
  std::vector<std::uint16_t> bits(values.size());
  std::vector<float> back(values.size());
  posenc::narrow(type, values, bits);
  posenc::widen(type, bits, back);
  std::vector<float> neighbours(2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    expect(std::isnan(values[i]) == std::isnan(back[i]), "a number of 16 bits", i);
    if (std::isnan(values[i]) || std::isinf(back[i])) continue;
    const std::array<std::uint16_t, 2> near{
        static_cast<std::uint16_t>(bits[i] + 1),
        static_cast<std::uint16_t>(std::max(bits[i] & 0x7fff, 1) - 1 + (bits[i] & 0x8000))};
    posenc::widen(type, near, neighbours);
    for (const float other : neighbours)
      expect(std::abs(static_cast<double>(values[i]) - back[i]) <= std::abs(static_cast<double>(values[i]) - other),
             "the nearest of 16 bits", i);
  }
}

void half_sums(Input& in) {
  const auto type = static_cast<posenc::Half>(in.between(0, 1));
  const posenc::BatchShape shape = shape_of(in, width_of(in));
  const bool in_place = in.coin();
  // From what float32 hardly holds to what float16 doesn't hold.
  const float scale = std::ldexp(in.tame(1)[0], 40 * static_cast<int>(in.between(0, 4)) - 120);
  const std::vector<float> encoding = in.values(shape.length * shape.dim);
  std::vector<float> values = in.values(shape.size());
  std::vector<std::uint16_t> bits(values.size());
  posenc::narrow(type, values, bits);
  posenc::widen(type, bits, values);
  posenc::add({encoding, {}}, values, shape, scale, values);
  std::vector<std::uint16_t> expected(values.size());
  posenc::narrow(type, values, expected);
  std::vector<std::uint16_t> out = bits;
  posenc::add(type, encoding, in_place ? out : bits, shape, scale, out);
  std::vector<float> sums(out.size());
  posenc::widen(type, out, sums);
  for (std::size_t i = 0; i < out.size(); ++i)
    expect(out[i] == expected[i] || (std::isnan(values[i]) && std::isnan(sums[i])), "a sum of 16 bits", i);
}

void similarity(Input& in) {
  const auto metric = static_cast<posenc::Metric>(in.between(0, 2));
  const std::size_t length = in.between(1, 140);
  const std::size_t rows = in.between(1, 9);
  const std::size_t others = in.between(1, 9);
  const std::vector<float> a = in.tame(rows * length);
  const std::vector<float> b = in.tame(others * length);
  std::vector<double> sums(rows * others);
  std::vector<double> squares_a(rows);
  std::vector<double> squares_b(others);
  std::vector<float> out(rows * others);
  posenc::accumulate(metric, a, b, length, sums);
  std::vector<double> twice = sums;
  posenc::accumulate(metric, a, b, length, twice);
  for (std::size_t i = 0; i < sums.size(); ++i) expect(twice[i] == 2 * sums[i], "a sum of two pieces", i);
  posenc::accumulate_squares(a, length, squares_a);
  posenc::accumulate_squares(b, length, squares_b);
  posenc::similarity(metric, sums, squares_a, squares_b, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    long double dot = 0;
    long double apart = 0;
    long double sizes = 0;
    for (std::size_t k = 0; k < length; ++k) {
      const long double x = a[i / others * length + k];
      const long double y = b[i % others * length + k];
      dot += x * y;
      sizes += std::abs(x * y);
      apart += (x - y) * (x - y);
    }
    const long double norms = std::sqrt(static_cast<long double>(squares_a[i / others])) *
                              std::sqrt(static_cast<long double>(squares_b[i % others]));
    const bool cosine = metric == posenc::Metric::cosine;
    const long double divisor = cosine ? norms : 1;
    const long double exact = metric == posenc::Metric::distance ? std::sqrt(apart) : (divisor > 0 ? dot / divisor : 0);
    const long double slack =
        0x1p-45L * (metric == posenc::Metric::distance ? exact : (divisor > 0 ? sizes / divisor : 0));
    expect(std::abs(out[i] - exact) <= std::abs(exact) * 0x1p-24L + slack + 0x1p-149L, "a similarity", i);
  }
}

void draws(Input& in) {
  const auto number = in.take<std::uint32_t>();
  std::array<std::uint32_t, posenc::twister_size> state{};
  posenc::seed(number, state);
  std::mt19937 reference(number);
  for (std::size_t k = in.between(1, 5); k > 0; --k) {
    std::vector<std::uint32_t> words(in.between(0, 1400));
    posenc::draw_words(state, words);
    for (std::size_t i = 0; i < words.size(); ++i) expect(words[i] == reference(), "a word", i);
  }
  const double share = std::ldexp(static_cast<double>(in.take<std::uint32_t>()), in.coin() ? -32 : -85);
  const double p = share > 0 && in.coin() ? 1 - std::max(share, 0x1p-53) : share;
  std::vector<float> factors(in.between(1, 700));
  posenc::draw_factors(p, state, factors);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::uint64_t high = reference();
    const std::uint64_t word = (high << 32U) | reference();
    const bool kept = std::ldexp(static_cast<double>(word & ((1ULL << 53U) - 1)), -53) < 1 - p;
    expect(factors[i] == (kept ? 1 / static_cast<float>(1 - p) : 0), "a factor", i);
  }
  const std::vector<float> values = in.floats(factors.size() * in.between(1, in.coin() ? 5 : 70));
  std::vector<float> out(values.size());
  posenc::dropout(factors, values, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float factor = factors[i / (values.size() / factors.size())];
    expect(factor == 0 ? std::bit_cast<std::uint32_t>(out[i]) == 0 : same(out[i], values[i] * factor),
           "what is dropped", i);
  }
}

void tables(Input& in) {
  const std::size_t dim = width_of(in);
  const std::vector<std::uint32_t> ids = in.ids(in.between(0, 20), 9);
  std::vector<std::uint32_t> colors(in.between(2, 40));
  std::vector<float> ends = in.tame(2);
  const std::vector<float> table = in.values(9 * dim);
  std::vector<float> out(ids.size() * dim);
  posenc::lookup({table, ids}, out);
  for (std::size_t i = 0; i < out.size(); ++i)
    expect(same(out[i], table[ids[i / dim] * dim + i % dim]), "a row of a table", i);

  for (std::size_t i = 0; i < colors.size(); ++i) colors[i] = static_cast<std::uint32_t>(i);
  if (ends[0] == ends[1]) ends[1] = ends[0] + 1;
  std::ranges::sort(ends);
  std::vector<std::uint32_t> pixels(table.size());
  posenc::colorize(table, ends[0], ends[1], colors, pixels);
  const auto last = static_cast<double>(colors.size() - 2);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const double place =
        std::floor((static_cast<double>(table[i]) - ends[0]) / (static_cast<double>(ends[1]) - ends[0]) * (last + 1));
    const double color = std::isnan(table[i]) ? last + 1 : std::clamp(place, 0.0, last);
    expect(pixels[i] == static_cast<std::uint32_t>(color), "a colour", i);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in({data, size});
  constexpr std::array targets{sinusoidal, add, rotate, halves, half_sums, similarity, draws, tables};
  targets[in.between(0, targets.size() - 1)](in);
  return 0;
}
