#include "posenc/dropout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

TEST(Dropout, MultipliesEachRunByItsFactor) {
  for (const std::size_t run : {1UL, 2UL, 3UL, 4UL, 17UL, 64UL}) {
    for (const std::size_t runs : {1UL, 2UL, 5UL, 16UL, 33UL}) {
      std::vector<float> factors(runs);
      std::vector<float> values(runs * run);
      for (std::size_t i = 0; i < runs; ++i) factors[i] = i % 3 == 1 ? 0 : 1.1111112F;
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.3F * static_cast<float>(i) - 7;
      std::vector<float> expected(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) expected[i] = values[i] * factors[i / run];
      std::vector<float> out(values.size());
      posenc::dropout(factors, values, out);
      EXPECT_EQ(out, expected);
      posenc::dropout(factors, values, values);
      EXPECT_EQ(values, expected);
    }
  }
}

TEST(Dropout, DropsWhateverTheValue) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t copies : {1UL, 3UL}) {
    std::vector<float> values;
    for (std::size_t i = 0; i < copies; ++i) {
      values.insert(values.end(), {-1.0F, infinity, -infinity, std::nanf(""), -0.0F, 1e-45F});
    }
    const std::vector<float> factors(6, 0.0F);
    posenc::dropout(factors, values, values);
    for (const float value : values) EXPECT_TRUE(value == 0 && !std::signbit(value));
  }
}

}  // namespace
