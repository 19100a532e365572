#include "posenc/colorize.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const std::vector<std::uint32_t> colors{10, 11, 12, 13, 99};  // four, and that of NaN

std::vector<std::uint32_t> colorize(const std::vector<float>& values, double low, double high) {
  std::vector<std::uint32_t> out(values.size());
  posenc::colorize(values, low, high, colors, out);
  return out;
}

TEST(Colorize, TakesTheEntryOfTheValue) {
  EXPECT_EQ(colorize({0, 0.24F, 0.25F, 0.5F, 0.74F, 0.75F, 0.99F}, 0, 1),
            (std::vector<std::uint32_t>{10, 10, 11, 12, 12, 13, 13}));
}

TEST(Colorize, KeepsToTheEndsBeyondTheDomain) {
  EXPECT_EQ(colorize({-1, 1, 2, -infinity, infinity, -3e38F, 3e38F}, -1, 1),
            (std::vector<std::uint32_t>{10, 13, 13, 10, 13, 10, 13}));
}

TEST(Colorize, HasAColorForNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(colorize({nan, 0, nan}, -1, 1), (std::vector<std::uint32_t>{99, 12, 99}));
}

TEST(Colorize, OfNothingIsNothing) { EXPECT_TRUE(colorize({}, 0, 1).empty()); }

}  // namespace
