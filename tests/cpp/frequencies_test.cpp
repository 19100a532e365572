#include "posenc/frequencies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "golden.hpp"
#include "posenc/limits.hpp"

namespace {

struct Frequencies {
  explicit Frequencies(std::size_t count, double base, double steps, const posenc::Stretch& stretch = {})
      : radians(count), high(count), low(count) {
    posenc::frequencies(base, steps, 1, radians, high, low, stretch);
  }
  std::vector<double> radians;
  std::vector<double> high;
  std::vector<double> low;
};

// 25 digits read as float64 are the nearest float64, but where a tie is nearer than 1e-25.
TEST(Frequencies, AreTheNearestFloat64OfTheReference) {
  const auto rows = read_golden("frequencies.tsv", 4);
  ASSERT_GT(rows.size(), 100U);
  for (const auto& row : rows) {
    const auto dim = static_cast<std::size_t>(row[0]);
    const Frequencies got((dim + 1) / 2, row[1], row[0] / 2);
    EXPECT_EQ(got.radians[static_cast<std::size_t>(row[2])], row[3]) << "dim " << dim << " base " << row[1];
  }
}

TEST(Frequencies, InTurnsAreThoseInRadiansOverTwoPi) {
  const Frequencies got(posenc::limits::frequencies, 10000, posenc::limits::dim / 2.0);
  for (std::size_t i = 0; i < got.high.size(); ++i) {
    EXPECT_NEAR(got.high[i] * 2 * std::numbers::pi / got.radians[i], 1, 4e-16);
    EXPECT_LE(std::abs(got.low[i]), std::abs(got.high[i]) * 0x1p-53);
  }
}

TEST(Frequencies, AreTheSameWhateverTheirNumber) {
  const Frequencies many(1000, 10000, 500.5);
  const Frequencies few(7, 10000, 500.5);
  // Products in another grouping: equal to a few units of the 106th bit, so in every float64.
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(few.radians[i], many.radians[i]);
    EXPECT_NEAR(few.low[i], many.low[i], few.high[i] * 0x1p-98);
  }
}

// Powers of two, which float64 holds: both ways lead to the same turns.
TEST(Frequencies, OfOnesOwnBecomeTheSameTurns) {
  const Frequencies expected(40, 16, 4);
  std::vector<double> radians(40);
  for (std::size_t i = 0; i < radians.size(); ++i) radians[i] = std::ldexp(1, -static_cast<int>(i));
  std::vector<double> high(40);
  std::vector<double> low(40);
  posenc::turns(radians, high, low);
  for (std::size_t i = 0; i < radians.size(); ++i) {
    EXPECT_EQ(high[i], expected.high[i]);
    EXPECT_NEAR(low[i], expected.low[i], high[i] * 0x1p-96);
  }
}

// The base 10000 · 4^(8/6), of 4 steps: by the reference, and the last is the plain one's quarter.
TEST(Frequencies, OfAStretchedBase) {
  const Frequencies plain(4, 10000, 4);
  const Frequencies got(4, 10000, 4, {3, 1, 1});
  EXPECT_EQ(got.radians[0], 1);
  EXPECT_EQ(got.radians[1], 0.062996052494743658);
  EXPECT_EQ(got.radians[3], plain.radians[3] / 4);
  EXPECT_EQ(got.high[3], plain.high[3] / 4);
  EXPECT_NEAR(got.low[3], plain.low[3] / 4, got.high[3] * 0x1p-94);
  // Longer by a half, with a factor of 6: the same.
  const Frequencies grown(4, 10000, 4, {6, 2048, 4096});
  EXPECT_EQ(grown.radians, got.radians);
  EXPECT_EQ(grown.high, got.high);
}

TEST(Frequencies, DividedByPowersOfTwoKeepTheirBits) {
  const Frequencies plain(32, 10000, 32);
  Frequencies got(32, 10000, 32);
  for (std::size_t i = 0; i < 32; ++i) got.radians[i] = i % 2 == 0 ? 8 : 0.25;
  posenc::scale({}, got.radians, got.high, got.low);
  for (std::size_t i = 0; i < 32; ++i) {
    const double divisor = i % 2 == 0 ? 8 : 0.25;
    EXPECT_EQ(got.radians[i], plain.radians[i] / divisor);
    EXPECT_EQ(got.high[i], plain.high[i] / divisor);
    EXPECT_NEAR(got.low[i], plain.low[i] / divisor, got.high[i] * 0x1p-96);
  }
}

// The ends of Qwen2.5's ramp are the pairs 23 and 40.
TEST(Frequencies, AreDividedAlongARamp) {
  const Frequencies plain(64, 1e6, 64);
  Frequencies got(64, 1e6, 64);
  std::fill(got.radians.begin(), got.radians.end(), 4);
  posenc::scale({posenc::Ramp::index, 32768, 32, 1, true, 1e6, 64}, got.radians, got.high, got.low);
  for (std::size_t i = 0; i < 64; ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - 23) / 17, 0.0, 1.0);
    EXPECT_NEAR(got.high[i] / plain.high[i], 1 - 0.75 * ramp, 1e-15) << i;
    EXPECT_NEAR(got.high[i] * 2 * std::numbers::pi / got.radians[i], 1, 4e-16) << i;
  }
}

TEST(Frequencies, OfNoneWritesNothing) { posenc::frequencies(10000, 1, 1, {}, {}, {}); }

}  // namespace
