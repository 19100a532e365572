#include "double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using posenc::DoubleDouble;

// e and ln 10 as the nearest float64 and the nearest to the rest.
constexpr DoubleDouble e{0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53};
constexpr DoubleDouble ln_10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};

double distance(DoubleDouble a, DoubleDouble b) { return (a.high - b.high) + (a.low - b.low); }

TEST(DoubleDouble, TwoSumAndTwoProductLoseNothing) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double a = uniform(random);
    const double b = uniform(random) * 0x1p-20;
    const auto sum = posenc::two_sum(a, b);
    EXPECT_EQ(sum.high, a + b);
    EXPECT_EQ((sum.high - a) - b, -sum.low);  // exact: both differences are representable
    const auto product = posenc::two_product(a, b);
    EXPECT_EQ(product.high, a * b);
    EXPECT_EQ(product.low, std::fma(a, b, -product.high));
  }
}

TEST(DoubleDouble, ExpAndLogOfKnownValues) {
  EXPECT_NEAR(distance(posenc::exp({1, 0}), e), 0, 0x1p-100);
  EXPECT_EQ(posenc::exp({0, 0}).high, 1);
  EXPECT_EQ(posenc::exp({0, 0}).low, 0);
  EXPECT_NEAR(distance(posenc::log(10), ln_10), 0, 0x1p-100);
  EXPECT_NEAR(distance(posenc::log(2), posenc::ln_2), 0, 0x1p-102);
}

TEST(DoubleDouble, ExpUndoesLogOverTheBasesAndTheirStretches) {
  for (double x = 1.0001; x <= 1e28; x *= 1.37) {
    const DoubleDouble back = posenc::exp(posenc::log(x));
    EXPECT_NEAR(distance(back, {x, 0}) / x, 0, 0x1p-96) << x;
  }
}

}  // namespace
