#include "posenc/add.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "random_values.hpp"

namespace {

using posenc::BatchShape;

class Add : public testing::TestWithParam<BatchShape> {};

TEST_P(Add, IsTheLoop) {
  const BatchShape shape = GetParam();
  const auto encoding = random_values(shape.length * shape.dim, 1);
  const auto embeddings = random_values(shape.size(), 2);
  for (const float scale : {1.0F, 22.627417F, -0.5F}) {
    // What lies between parts of sequences stays.
    std::vector<float> expected(shape.size(), 7.0F);
    auto expected_in_place = embeddings;
    for (std::size_t b = 0; b < shape.batch; ++b) {
      for (std::size_t l = 0; l < shape.length; ++l) {
        for (std::size_t i = 0; i < shape.dim; ++i) {
          const std::size_t at = shape.row(b, l) * shape.dim + i;
          const float product = embeddings[at] * scale;
          expected[at] = product + encoding[l * shape.dim + i];
          expected_in_place[at] = expected[at];
        }
      }
    }
    std::vector<float> out(shape.size(), 7.0F);
    posenc::add({encoding, {}}, embeddings, shape, scale, out);
    EXPECT_EQ(out, expected);
    auto in_place = embeddings;
    posenc::add({encoding, {}}, in_place, shape, scale, in_place);
    EXPECT_EQ(in_place, expected_in_place);
  }
}

TEST(Add, RowsOfIdsAreTheLoop) {
  for (const BatchShape shape : {BatchShape{1, 9, 33, 9}, BatchShape{1, 2, 512, 2}, BatchShape{1, 1, 1, 1}}) {
    const auto table = random_values(3 * shape.dim, 3);
    const auto embeddings = random_values(shape.size(), 2);
    std::vector<std::uint32_t> ids(shape.rows());
    for (std::size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<std::uint32_t>((row * row + 1) % 3);
    std::vector<float> expected(shape.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const float product = embeddings[i] * -0.5F;
      expected[i] = product + table[ids[i / shape.dim] * shape.dim + i % shape.dim];
    }
    std::vector<float> out(shape.size());
    posenc::add({table, ids}, embeddings, shape, -0.5F, out);
    EXPECT_EQ(out, expected);
  }
}

// The sums are those of float32, rounded: also beyond the type's range, and where a value is no number.
TEST_P(Add, HalvesAreTheRoundedSums) {
  const BatchShape shape = GetParam();
  const auto encoding = random_values(shape.length * shape.dim, 1);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr std::array special{0.0F,     -0.0F,     infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                               65504.0F, -65504.0F, 0x1p-24F, -0x3p-20F};
  for (const auto type : {posenc::Half::float16, posenc::Half::bfloat16}) {
    for (const bool plain : {true, false}) {
      auto embeddings = random_values(shape.size(), 2);
      for (std::size_t i = 0; i < (plain ? 0 : embeddings.size()); i += 7) embeddings[i] = special[i % special.size()];
      std::vector<std::uint16_t> bits(shape.size());
      posenc::narrow(type, embeddings, bits);
      std::vector<float> wide(shape.size());
      posenc::widen(type, bits, wide);
      for (const float scale : {1.0F, 22.627417F, -0.5F, 1e-40F, 70000.0F}) {
        embeddings = wide;
        posenc::add({encoding, {}}, wide, shape, scale, embeddings);
        std::vector<std::uint16_t> expected(shape.size());
        posenc::narrow(type, embeddings, expected);
        // What lies between parts of sequences stays.
        std::vector<std::uint16_t> out(bits);
        posenc::add(type, encoding, bits, shape, scale, out);
        EXPECT_EQ(out, expected) << scale;
        out = bits;
        posenc::add(type, encoding, out, shape, scale, out);
        EXPECT_EQ(out, expected) << scale << " in place";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Add,
                         // [batch, length, dim], [length, batch, dim], and parts of longer sequences.
                         testing::Values(BatchShape{1, 1, 1, 1}, BatchShape{3, 5, 7, 5}, BatchShape{3, 5, 7, 1},
                                         BatchShape{2, 10, 512, 10}, BatchShape{4, 6, 33, 6}, BatchShape{4, 6, 33, 1},
                                         BatchShape{5, 9, 67, 9}, BatchShape{9, 3, 80, 3}, BatchShape{5, 3, 20, 8},
                                         BatchShape{8, 2, 16, 3}, BatchShape{0, 5, 7, 5}, BatchShape{3, 0, 7, 1}));

}  // namespace
