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
    return {{high, low}, posenc::Layout::interleaved, (dim + 1) / 2, dim / 2, scale, zero_at};
  }

  std::vector<float> rows(std::size_t count, double start, Columns columns) const {
    std::vector<double> state(posenc::sinusoidal_state_size(columns.width()));
    std::vector<float> out(count * columns.width());
    posenc::SinusoidalRows(encoding(), columns, start, 1, state).next(out);
    return out;
  }

  std::vector<float> at(const std::vector<double>& positions, Columns columns) const {
    std::vector<double> state(posenc::sinusoidal_state_size(columns.width()));
    std::vector<float> out(positions.size() * columns.width());
    posenc::sinusoidal_at(encoding(), columns, positions, state, out);
    return out;
  }

  std::size_t dim;
  double scale = 1;
  double zero_at = std::numeric_limits<double>::quiet_NaN();
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
    EXPECT_NEAR(encoding.rows(count + 1, before, columns)[count], row[4], promise(row[4]))
        << dim << ' ' << row[1] << ' ' << row[2] << " after " << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Sinusoidal, Golden, testing::Values("sinusoidal.tsv", "tables.tsv"),
                         [](const auto& file) { return std::string(file.param).substr(0, 6); });

// Rounded once, they are at most a neighbour of what float32 rounded again would be, and seldom that.
TEST(Sinusoidal, RowsOfHalvesAreRoundedOnce) {
  Encoding table(38, 10000);
  table.zero_at = 300;
  std::vector<double> state(posenc::sinusoidal_state_size(table.dim));
  std::size_t differ = 0;
  for (const auto type : {posenc::Half::float16, posenc::Half::bfloat16}) {
    for (const double start : {0.0, 12345.0}) {
      const std::vector<float> singles = table.rows(3001, start, {0, table.dim});
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

}  // namespace
