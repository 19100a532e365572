#include "posenc/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "rounding.hpp"

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

TEST_P(Halves, ConvertAnyNumberOfValuesAndNoMore) {
  for (std::size_t count = 0; count < 40; ++count) {
    const std::vector<float> values(count, 1.5F);
    std::vector<std::uint16_t> bits(count + 1, 7);
    posenc::narrow(type, values, {bits.data(), count});
    EXPECT_EQ(bits[count], 7);
    std::vector<float> wide(count + 1, -1);
    posenc::widen(type, {bits.data(), count}, {wide.data(), count});
    EXPECT_EQ(wide[count], -1);
    wide.pop_back();
    EXPECT_EQ(wide, values);
  }
}

// A value first rounded to odd is in effect rounded once: to the nearest neighbour of the float64, or on a tie to even.
TEST_P(Halves, AreThoseOfFloat64WhenRoundedToOddBetween) {
  std::mt19937_64 random(1);
  std::size_t doubles_rounded_twice = 0;
  for (int i = 0; i < 200000; ++i) {
    // Next to a tie of float32's normal range, closer than float32 can tell.
    const std::uint32_t least = type == Half::float16 ? 0 : 0x80;
    const auto bits = least + static_cast<std::uint32_t>(random() % (infinity - 1 - least));
    const double tie = (value_of(type, bits) + value_of(type, bits + 1)) / 2;
    const int side = static_cast<int>(random() % 3) - 1;
    const double value = tie * (1 + side * 0x1p-40);
    const posenc::lanes::Doubles both(value);
    const float odd = posenc::demote_to_odd(both, both).get(0);
    const std::uint32_t expected = side == 0 ? bits + bits % 2 : bits + (side > 0 ? 1 : 0);
    ASSERT_EQ(narrowed(type, odd), expected) << bits << ' ' << side;
    if (narrowed(type, static_cast<float>(value)) != expected) ++doubles_rounded_twice;
  }
  EXPECT_GT(doubles_rounded_twice, 50000U);  // so the test would fail if rounding happened twice
}

}  // namespace
