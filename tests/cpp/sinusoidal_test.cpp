#include "posenc/sinusoidal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

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

  std::size_t dim;
  double scale = 1;
  double zero_at = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> radians;
  std::vector<double> high;
  std::vector<double> low;
};

// Rounded once, they are at most a neighbour of what float32 rounded again would be, and seldom that.
TEST(Sinusoidal, RowsOfHalvesAreRoundedOnce) {
  Encoding table(38, 10000);
  table.zero_at = 300;
  std::vector<double> state(posenc::sinusoidal_state_size(table.dim));
  std::size_t differ = 0;
  for (const auto type : {posenc::Half::float16, posenc::Half::bfloat16}) {
    for (const double start : {0.0, 12345.0, posenc::limits::position - 3000}) {
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
