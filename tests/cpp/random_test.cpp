#include "posenc/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace {

using posenc::Distribution;
using State = std::array<std::uint32_t, posenc::twister_size>;

State seeded(std::uint32_t number) {
  State state;
  posenc::seed(number, state);
  return state;
}

/// The standard library's twister and plain loops: what the draws are compared with.
class Reference {
 public:
  explicit Reference(std::uint32_t number) : twister_(number) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(twister_()); }
  float fraction() { return static_cast<float>(word() & 0xffffffU) * 0x1p-24F; }
  float uniform(float bound) { return std::fma(fraction(), 2 * bound, -bound); }

  std::vector<double> normals(std::size_t size) {
    std::vector<float> fractions(size);
    for (float& each : fractions) each = fraction();
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; i += i % 16 == 7 ? 9U : 1U) {
      const double radius = std::sqrt(-2 * std::log1p(-static_cast<double>(fractions[i])));
      const double angle = static_cast<float>(2 * std::numbers::pi) * fractions[i + 8];
      values[i] = radius * std::cos(angle);
      values[i + 8] = radius * std::sin(angle);
    }
    return values;
  }

 private:
  std::mt19937 twister_;
};

/// Rounded once: half a unit in the last place, and what float64 errs by.
void expect_rounded(float value, double exact, std::size_t place) {
  const double unit = std::ldexp(1, std::ilogb(exact) - 23);
  EXPECT_LE(std::abs(value - exact), unit / 2 + 1e-10 * std::abs(exact) + 1e-15) << "value " << place;
}

class Random : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Random, NormalsAreBoxMuller) {
  Reference reference(GetParam());
  State state = seeded(GetParam());
  for (const std::size_t size : {16UL, 0UL, 48UL, 16000UL}) {
    std::vector<float> values(size);
    posenc::draw(Distribution::normal, 0, state, values);
    const auto exact = reference.normals(size);
    for (std::size_t i = 0; i < size; ++i) {
      // Near their zeros, sine and cosine are right to 2^-52 absolute.
      EXPECT_LE(std::abs(values[i] - exact[i]), 0x1p-24 * std::abs(exact[i]) + 1e-14) << "value " << i;
    }
  }
}

TEST_P(Random, UniformsAreRoundedOnce) {
  Reference reference(GetParam());
  State state = seeded(GetParam());
  for (const float bound : {1.0F, 0.0856968F, 1.7320508F}) {
    for (const std::size_t size : {1UL, 15UL, 1000UL}) {
      std::vector<float> values(size);
      posenc::draw(Distribution::uniform, bound, state, values);
      for (const float value : values) ASSERT_EQ(value, reference.uniform(bound));
    }
  }
}

TEST_P(Random, TruncatedNormalsInvertTheErrorFunction) {
  Reference reference(GetParam());
  State state = seeded(GetParam());
  for (const std::size_t size : {1UL, 15UL, 20000UL}) {
    std::vector<float> values(size);
    posenc::draw(Distribution::truncated_normal, 0, state, values);
    for (std::size_t i = 0; i < size; ++i) {
      const double x = reference.uniform(static_cast<float>(std::erf(std::numbers::sqrt2)));
      double exact = values[i];
      for (int step = 0; step < 2; ++step) {  // Newton's
        const double slope = std::exp(exact * exact / -2) * std::sqrt(2 / std::numbers::pi);
        exact -= (std::erf(exact / std::numbers::sqrt2) - x) / slope;
      }
      expect_rounded(values[i], exact, i);
      EXPECT_LE(std::abs(values[i]), 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Values(0U, 1U, 5489U, 0xffffffffU));

TEST(Random, ExtremesOfTheFractions) {
  // States whose tempered words are all zeros or all ones: fractions of 0 and 1 - 2^-24.
  State zeros{};
  std::vector<float> values(16);
  posenc::draw(Distribution::normal, 0, zeros, values);
  for (const float value : values) EXPECT_EQ(value, 0);
  zeros.back() = 0;
  posenc::draw(Distribution::truncated_normal, 0, zeros, values);
  for (const float value : values) EXPECT_NEAR(value, -2, 2e-7);
  zeros.back() = 0;
  posenc::draw(Distribution::uniform, 3, zeros, values);
  for (const float value : values) EXPECT_EQ(value, -3);
}

}  // namespace
