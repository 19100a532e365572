#include "posenc/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "halves.hpp"

namespace {

using posenc::Half;

/// The value that bits stand for, by the formats' definitions; NaN where all of the exponent is set beside a fraction.
double value_of(Half type, std::uint32_t bits) {
  const int fraction_bits = type == Half::float16 ? 10 : 7;
  const int exponent_bits = 15 - fraction_bits;
  const int exponent = static_cast<int>((bits >> fraction_bits) & ((1U << exponent_bits) - 1));
  const int largest = (1 << exponent_bits) - 1;
  const double fraction = bits & ((1U << fraction_bits) - 1);
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == largest) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  const double whole = exponent == 0 ? fraction : std::ldexp(1, fraction_bits) + fraction;
  return sign * std::ldexp(whole, std::max(exponent, 1) - largest / 2 - fraction_bits);
}

std::uint16_t narrowed(Half type, float value) {
  std::uint16_t bits = 0;
  posenc::narrow(type, {&value, 1}, {&bits, 1});
  return bits;
}

class Halves : public testing::TestWithParam<Half> {
 protected:
  const Half type = GetParam();
  const std::uint32_t infinity = type == Half::float16 ? 0x7c00 : 0x7f80;
};

INSTANTIATE_TEST_SUITE_P(Types, Halves, testing::Values(Half::float16, Half::bfloat16));

TEST_P(Halves, WidenEveryValueExactlyAndNarrowItBack) {
  std::vector<std::uint16_t> bits(65536);
  std::iota(bits.begin(), bits.end(), std::uint16_t{0});
  std::vector<float> wide(bits.size());
  posenc::widen(type, bits, wide);
  std::vector<std::uint16_t> again(bits.size());
  posenc::narrow(type, wide, again);
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    const double expected = value_of(type, i);
    ASSERT_EQ(std::signbit(wide[i]), (i & 0x8000U) != 0) << i;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide[i])) << i;
    } else {
      ASSERT_EQ(wide[i], expected) << i;
    }
    ASSERT_EQ(again[i], i);
  }
}

// Between two neighbours lie a tie, which goes to the even one, and what is nearer to either.
TEST_P(Halves, NarrowToTheNearestTiesToEven) {
  for (std::uint32_t i = 0; i + 1 < infinity; ++i) {
    const auto low = static_cast<float>(value_of(type, i));
    const auto high = static_cast<float>(value_of(type, i + 1));
    const auto tie = static_cast<float>((value_of(type, i) + value_of(type, i + 1)) / 2);
    for (const float sign : {1.0F, -1.0F}) {
      const std::uint32_t top = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(narrowed(type, sign * tie), top | (i + i % 2)) << i;
      ASSERT_EQ(narrowed(type, sign * std::nextafter(tie, low)), top | i) << i;
      ASSERT_EQ(narrowed(type, sign * std::nextafter(tie, high)), top | (i + 1)) << i;
    }
  }
}

TEST_P(Halves, NarrowWhatIsTooLargeToInfinity) {
  const double largest = value_of(type, infinity - 1);
  const double tie = largest + (largest - value_of(type, infinity - 2)) / 2;
  const auto most = static_cast<float>(tie);
  EXPECT_EQ(narrowed(type, most), infinity);
  EXPECT_EQ(narrowed(type, std::nextafter(most, 0.0F)), infinity - 1);
  EXPECT_EQ(narrowed(type, -std::numeric_limits<float>::max()), 0x8000U | infinity);
  EXPECT_EQ(narrowed(type, std::numeric_limits<float>::infinity()), infinity);
}

TEST_P(Halves, NarrowEveryNaNToNaN) {
  for (const std::uint32_t bits : {0x7f800001U, 0x7fffffffU, 0x7fc00000U, 0xff800001U, 0xffffffffU}) {
    const std::uint16_t half = narrowed(type, std::bit_cast<float>(bits));
    EXPECT_TRUE(std::isnan(value_of(type, half))) << bits;
    EXPECT_EQ(half & 0x8000U, (bits >> 16) & 0x8000U) << bits;
  }
}

/// A float64 as one of all lanes, rounded.
std::uint16_t narrowed(Half type, double value, bool quickly) {
  using namespace posenc::lanes;
  const Doubles all(value);
  const Words upper = upper_words(all, all);
  const auto magnitude = xsimd::bitwise_cast<std::int32_t>(upper & Words(0x7fffffff));
  const Words words = quickly ? narrowed_normal(format_of(type), upper, magnitude, Words(0x8000))
                              : posenc::lanes::narrowed(type, all, all);
  return static_cast<std::uint16_t>(words.get(0));
}

TEST_P(Halves, AreTheNearestOfFloat64) {
  std::size_t doubles_rounded_twice = 0;
  for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
    const double low = value_of(type, bits);
    const double tie = (low + value_of(type, bits + 1)) / 2;
    for (const double sign : {1.0, -1.0}) {
      const std::uint32_t top = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(narrowed(type, sign * tie, false), top | (bits + bits % 2)) << bits;
      for (const bool quickly : {false, true}) {
        if (quickly && bits < std::uint32_t{1} << posenc::lanes::format_of(type).fraction) continue;  // not normal
        ASSERT_EQ(narrowed(type, sign * low, quickly), top | bits) << bits;
        // Next to a tie, closer than float32 can tell.
        ASSERT_EQ(narrowed(type, sign * tie * (1 - 0x1p-40), quickly), top | bits) << bits;
        ASSERT_EQ(narrowed(type, sign * tie * (1 + 0x1p-40), quickly), top | (bits + 1)) << bits;
      }
    }
    if (narrowed(type, static_cast<float>(tie * (1 - 0x1p-40))) != bits) ++doubles_rounded_twice;
  }
  EXPECT_GT(doubles_rounded_twice, infinity / 4);  // so the test would fail if rounding happened twice
}

TEST_P(Halves, AreInfiniteWhereFloat64IsTooLarge) {
  const double largest = value_of(type, infinity - 1);
  const double tie = largest + (largest - value_of(type, infinity - 2)) / 2;
  for (const bool quickly : {false, true}) {
    EXPECT_EQ(narrowed(type, tie * (1 - 0x1p-40), quickly), infinity - 1);
    EXPECT_EQ(narrowed(type, tie, quickly), infinity);
  }
  EXPECT_EQ(narrowed(type, -1e39, false), 0x8000U | infinity);
}

}  // namespace
