#include "posenc/sinusoidal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "golden.hpp"
#include "posenc/limits.hpp"

namespace {

using posenc::Columns;

/// An encoding with its own memory.
struct Encoding {
  Encoding(std::size_t columns, double base)
      : dim(columns), radians((dim + 1) / 2), high(radians.size()), low(radians.size()) {
    posenc::frequencies(base, static_cast<double>(dim) / 2, 1, radians, high, low);
  }

  posenc::Sinusoidal encoding() const {
    const bool exact = numerics == posenc::Numerics::exact;
    const auto frequencies = exact ? posenc::Turns{high, low} : posenc::Turns{radians, {}};
    return {frequencies, layout, (dim + 1) / 2, dim / 2, scale, zero_at, numerics};
  }

  std::vector<float> rows(std::size_t count, double start = 0, double step = 1) const {
    return rows(count, start, step, {0, dim}, count);
  }

  std::vector<float> rows(std::size_t count, double start, double step, Columns columns, std::size_t block) const {
    std::vector<double> state(posenc::sinusoidal_state_size(columns.width()), std::numeric_limits<double>::quiet_NaN());
    std::vector<float> out(count * columns.width());
    posenc::SinusoidalRows stream(encoding(), columns, start, step, state);
    for (std::size_t row = 0; row < count; row += block) {
      const std::size_t size = std::min(block, count - row) * columns.width();
      stream.next(std::span(out).subspan(row * columns.width(), size));
    }
    return out;
  }

  std::vector<float> at(const std::vector<double>& positions, Columns columns) const {
    std::vector<double> state(posenc::sinusoidal_state_size(columns.width()), std::numeric_limits<double>::quiet_NaN());
    std::vector<float> out(positions.size() * columns.width());
    posenc::sinusoidal_at(encoding(), columns, positions, state, out);
    return out;
  }

  std::size_t dim;
  posenc::Layout layout = posenc::Layout::interleaved;
  double scale = 1;
  double zero_at = std::numeric_limits<double>::quiet_NaN();
  posenc::Numerics numerics = posenc::Numerics::exact;
  std::vector<double> radians;
  std::vector<double> high;
  std::vector<double> low;
};

/// The promise: half a unit in the last place, and 2^-36 for cases that are closer than that to a tie.
double promise(double value) {
  const auto nearest = static_cast<float>(std::abs(value));
  return double{std::nextafter(nearest, 2.0F) - nearest} / 2 + 0x1p-36;
}

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, EveryValueIsTheReferenceRounded) {
  const auto rows = read_golden(GetParam(), 5);
  ASSERT_GT(rows.size(), 100U);
  std::map<std::pair<std::size_t, double>, Encoding> encodings;
  for (const auto& row : rows) {
    const auto dim = static_cast<std::size_t>(row[0]);
    const Encoding& encoding = encodings.try_emplace({dim, row[1]}, dim, row[1]).first->second;
    const auto column = static_cast<std::size_t>(row[3]);
    const Columns columns{column, column + 1};
    EXPECT_NEAR(encoding.at({row[2]}, columns)[0], row[4], promise(row[4])) << dim << ' ' << row[1] << ' ' << row[2];
    // The 200th row of a run is the furthest from an exact phase that a run of so many can be.
    const double before = std::max(-posenc::limits::position, row[2] - 200);
    const auto count = static_cast<std::size_t>(row[2] - before);
    if (before + static_cast<double>(count) != row[2]) continue;  // a fraction that the first row cannot share
    EXPECT_NEAR(encoding.rows(count + 1, before, 1, columns, count + 1)[count], row[4], promise(row[4]))
        << dim << ' ' << row[1] << ' ' << row[2] << " after " << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Sinusoidal, Golden, testing::Values("sinusoidal.tsv", "tables.tsv"),
                         [](const auto& file) { return std::string(file.param).substr(0, 6); });

TEST(Sinusoidal, TablesCutAtMultiplesOf256HaveTheSameBits) {
  for (const std::size_t dim : {1U, 2U, 7U, 64U, 129U}) {
    const Encoding encoding(dim, 10000);
    for (const double start : {0.0, -512.0, 1024.0 * 1048576.0, 0.0 - 256.0}) {
      const auto whole = encoding.rows(1024, start);
      for (std::size_t cut = 256; cut < 1024; cut += 256) {
        const auto rest = encoding.rows(1024 - cut, start + static_cast<double>(cut));
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + static_cast<std::ptrdiff_t>(cut * dim)));
      }
    }
  }
}

TEST(Sinusoidal, BlocksOfAnySizeHaveTheSameBits) {
  const Encoding encoding(37, 10000);
  const auto whole = encoding.rows(700, 100);
  for (const std::size_t block : {1U, 2U, 3U, 5U, 64U, 255U, 257U}) {
    EXPECT_EQ(encoding.rows(700, 100, 1, {0, 37}, block), whole) << block;
  }
}

TEST(Sinusoidal, AStateThatWasKeptGoesOnWithTheSameBits) {
  Encoding encoding(37, 10000);
  encoding.zero_at = 355;
  for (const double step : {1.0, -3.0, 0.5}) {
    const auto whole = encoding.rows(700, 100, step);
    std::vector<double> state(posenc::sinusoidal_state_size(37));
    for (std::size_t row = 0; row < 700; row += 70) {
      std::vector<float> out(std::size_t{70} * 37);
      posenc::SinusoidalRows(encoding.encoding(), {0, 37}, 100, step, state, static_cast<double>(row)).next(out);
      EXPECT_TRUE(std::equal(out.begin(), out.end(), whole.begin() + static_cast<std::ptrdiff_t>(row * 37))) << row;
    }
  }
}

TEST(Sinusoidal, RangesOfColumnsAreSlicesOfTheWhole) {
  using enum posenc::Layout;
  for (const auto layout : {interleaved, sin_cos, cos_sin, cosine_first}) {
    for (const std::size_t dim : {1U, 2U, 3U, 17U, 40U}) {
      Encoding encoding(dim, 10000);
      encoding.layout = layout;
      const auto whole = encoding.rows(9, 250);
      for (std::size_t from = 0; from < dim; ++from) {
        for (std::size_t to = from + 1; to <= dim; ++to) {
          const auto slice = encoding.rows(9, 250, 1, {from, to}, 9);
          for (std::size_t row = 0; row < 9; ++row) {
            for (std::size_t column = from; column < to; ++column) {
              ASSERT_EQ(slice[row * (to - from) + column - from], whole[row * dim + column]);
            }
          }
          const auto first = encoding.at({250}, {from, to});
          EXPECT_TRUE(std::equal(first.begin(), first.end(), slice.begin()));
        }
      }
    }
  }
}

TEST(Sinusoidal, TheRowAtThePaddingIsZeros) {
  Encoding encoding(6, 10000);
  encoding.zero_at = 257;
  const auto rows = encoding.rows(400, 0.0, 1, {0, 6}, 7);
  const auto listed = encoding.at({256, 257, 258}, {0, 6});
  for (std::size_t row = 0; row < 400; ++row) EXPECT_EQ(rows[row * 6 + 1] == 0, row == 257) << row;
  EXPECT_NE(listed[1], 0);
  EXPECT_EQ((std::vector<float>(listed.begin() + 6, listed.begin() + 12)), std::vector<float>(6));
  EXPECT_NE(listed[13], 0);
}

TEST(Sinusoidal, TheRowOfZerosIsWhereFloat64ComesToThePosition) {
  struct Case {
    double start;
    double step;
    double zero_at;
    std::vector<std::size_t> zeros;
  };
  const double last = posenc::limits::position;
  const std::vector<Case> cases{
      {-last, 6004799503160659, last - 5, {3}},  // the product has 54 bits
      {last, -6004799503160659, 5 - last, {3}},
      {0.1, 0.1, 0.1 + 5 * 0.1, {5}},
      {0.1, 0.1, 6 * 0.1, {}},
      {0x1p52, 0.125, 0x1p52, {0, 1, 2, 3, 4}},
      {2e-323, -1e10, 0, {}},
      {2e-323, 1, 1, {1}},
      {5, 1, 4, {}},
      {5, -1, 6, {}},
  };
  for (const auto& [start, step, zero_at, zeros] : cases) {
    Encoding encoding(2, 10000);
    encoding.layout = posenc::Layout::cos_sin;
    encoding.zero_at = zero_at;
    const std::size_t count = std::abs(step) > 1e15 ? 4 : 12;
    for (const std::size_t block : {std::size_t{1}, count}) {
      const auto rows = encoding.rows(count, start, step, {0, 2}, block);
      std::vector<std::size_t> found;
      for (std::size_t row = 0; row < count; ++row) {
        if (rows[2 * row] == 0 && rows[2 * row + 1] == 0) found.push_back(row);
      }
      EXPECT_EQ(found, zeros) << start << ", " << step << ", " << zero_at;
    }
  }
}

// Rounded once, they are at most a neighbour of what float32 rounded again would be, and seldom that.
TEST(Sinusoidal, RowsOfHalvesAreRoundedOnce) {
  Encoding table(38, 10000);
  table.zero_at = 300;
  std::vector<double> state(posenc::sinusoidal_state_size(table.dim));
  std::size_t differ = 0;
  for (const auto type : {posenc::Half::float16, posenc::Half::bfloat16}) {
    for (const double start : {0.0, 12345.0}) {
      const std::vector<float> singles = table.rows(3001, start);
      std::vector<std::uint16_t> twice(singles.size());
      posenc::narrow(type, singles, twice);
      std::vector<std::uint16_t> once(singles.size());
      posenc::SinusoidalRows(table.encoding(), {0, table.dim}, start, 1, state).next(type, once);
      std::vector<double> positions(3001);
      for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = start + static_cast<double>(i);
      std::vector<std::uint16_t> each(once.size());
      posenc::sinusoidal_at(table.encoding(), {0, table.dim}, positions, state, type, each);
      EXPECT_EQ(each, once);
      for (std::size_t i = 0; i < once.size(); ++i) {
        ASSERT_LE(std::abs(once[i] - twice[i]), 1) << i;
        if (once[i] != twice[i]) ++differ;
      }
    }
  }
  EXPECT_GT(differ, 0U);
  EXPECT_LT(differ, 200U);
}

// The cosine of 0 is 1, so the scale itself is rounded: ties to even, and what the type doesn't hold to infinity.
TEST(Sinusoidal, HalvesOfAScaleAreTheNearest) {
  Encoding encoding(6, 10000);
  for (const auto type : {posenc::Half::float16, posenc::Half::bfloat16}) {
    for (const double scale : {1.0, 1 + 0x1p-11, 1 + 3 * 0x1p-11, -1 - 0x1p-11, 3 * 0x1p-25, 0x1p-25, 0x1p-30, 65504.0,
                               65519.0, 65520.0, -1e6, 3e38}) {
      encoding.scale = scale;
      std::vector<double> state(posenc::sinusoidal_state_size(encoding.dim));
      // Four rows are computed together, and a fifth alone.
      std::vector<std::uint16_t> rows(5 * encoding.dim);
      posenc::SinusoidalRows(encoding.encoding(), {0, encoding.dim}, 0, 1, state).next(type, rows);
      const auto exact = static_cast<float>(scale);  // each is a float32, or rounds to the same
      std::vector<std::uint16_t> expected(1);
      posenc::narrow(type, {&exact, 1}, expected);
      EXPECT_EQ(rows[0] & 0x7fff, 0) << scale;
      EXPECT_EQ(rows[1], expected[0]) << scale;
    }
  }
}

TEST(Sinusoidal, RoundedNumericsRoundAtEveryStep) {
  Encoding encoding(2, 10000);
  encoding.numerics = posenc::Numerics::float32;
  EXPECT_EQ(encoding.at({16777217}, {0, 1})[0], static_cast<float>(std::sin(16777216.0)));
  encoding.numerics = posenc::Numerics::bfloat16;
  EXPECT_EQ(encoding.at({257}, {0, 1})[0], encoding.at({256}, {0, 1})[0]);
  EXPECT_EQ(encoding.at({1}, {0, 1})[0], 0.83984375F);  // sin 1 = 0.84147 to eight bits
}

TEST(Sinusoidal, NoRowsWriteNothing) {
  const Encoding encoding(4, 10000);
  EXPECT_TRUE(encoding.rows(0).empty());
  EXPECT_TRUE(encoding.at({}, {0, 4}).empty());
}

// Of several axes: column i of a row takes what the row at its own position has there.
TEST(Sinusoidal, HasAPositionForEachFrequency) {
  for (const auto layout : {posenc::Layout::interleaved, posenc::Layout::cos_sin}) {
    Encoding encoding(36, 10000);
    encoding.layout = layout;
    const Columns columns{3, 36};
    const std::size_t frequencies = encoding.radians.size();
    std::vector<double> positions(2 * frequencies);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<double>(i * i % 7) * 1e15;
    std::vector<double> state(posenc::sinusoidal_state_size(columns.width()));
    std::vector<float> out(2 * columns.width());
    posenc::sinusoidal_at(encoding.encoding(), columns, positions, state, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t column = columns.from + i % columns.width();
      const bool interleaved = layout == posenc::Layout::interleaved;
      const std::size_t frequency = interleaved ? column / 2 : column % frequencies;
      const double position = positions[i / columns.width() * frequencies + frequency];
      EXPECT_EQ(out[i], encoding.at({position}, {column, column + 1})[0]) << column;
    }
  }
}

}  // namespace
