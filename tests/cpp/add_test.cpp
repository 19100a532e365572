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
using posenc::Order;

class Add : public testing::TestWithParam<BatchShape> {};

TEST_P(Add, IsTheLoop) {
  const BatchShape shape = GetParam();
  const auto encoding = random_values(shape.length * shape.dim, 1);
  const auto embeddings = random_values(shape.size(), 2);
  const auto table = random_values(3 * shape.dim, 3);
  std::vector<std::uint32_t> ids(shape.batch * shape.length);
  for (std::size_t row = 0; row < ids.size(); ++row) ids[row] = static_cast<std::uint32_t>(row * row % 3);
  for (const float scale : {1.0F, 22.627417F, -0.5F}) {
    std::vector<float> expected(embeddings);
    std::vector<float> segmented(expected);
    for (std::size_t b = 0; b < shape.batch; ++b) {
      for (std::size_t l = 0; l < shape.length; ++l) {
        const std::size_t row = shape.order == Order::batch_first ? b * shape.length + l : l * shape.batch + b;
        for (std::size_t i = 0; i < shape.dim; ++i) {
          const float product = embeddings[row * shape.dim + i] * scale;
          const float sum = product + table[ids[row] * shape.dim + i];
          expected[row * shape.dim + i] = product + encoding[l * shape.dim + i];
          segmented[row * shape.dim + i] = sum + encoding[l * shape.dim + i];
        }
      }
    }
    std::vector<float> out(shape.size());
    posenc::add(encoding, {}, {embeddings, {}}, shape, scale, out);
    EXPECT_EQ(out, expected);
    posenc::add(encoding, {table, ids}, {embeddings, {}}, shape, scale, out);
    EXPECT_EQ(out, segmented);
    // The same rows by their ids, in a table where they stand backwards.
    std::vector<float> backwards(embeddings.size());
    std::vector<std::uint32_t> token_ids(ids.size());
    for (std::size_t row = 0; row < ids.size(); ++row) {
      const std::size_t to = ids.size() - 1 - row;
      token_ids[row] = static_cast<std::uint32_t>(to);
      for (std::size_t i = 0; i < shape.dim; ++i) backwards[to * shape.dim + i] = embeddings[row * shape.dim + i];
    }
    posenc::add(encoding, {}, {backwards, token_ids}, shape, scale, out);
    EXPECT_EQ(out, expected);
    posenc::add(encoding, {table, ids}, {backwards, token_ids}, shape, scale, out);
    EXPECT_EQ(out, segmented);
    auto in_place = embeddings;
    posenc::add(encoding, {}, {in_place, {}}, shape, scale, in_place);
    EXPECT_EQ(in_place, expected);
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
        posenc::add(encoding, {}, {wide, {}}, shape, scale, embeddings);
        std::vector<std::uint16_t> expected(shape.size());
        posenc::narrow(type, embeddings, expected);
        std::vector<std::uint16_t> out(shape.size());
        posenc::add(type, encoding, bits, shape, scale, out);
        EXPECT_EQ(out, expected) << scale;
        out = bits;
        posenc::add(type, encoding, out, shape, scale, out);
        EXPECT_EQ(out, expected) << scale << " in place";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Add,
    testing::Values(BatchShape{1, 1, 1, Order::batch_first}, BatchShape{3, 5, 7, Order::batch_first},
                    BatchShape{3, 5, 7, Order::sequence_first}, BatchShape{2, 10, 512, Order::batch_first},
                    BatchShape{4, 6, 33, Order::sequence_first}, BatchShape{5, 9, 67, Order::batch_first},
                    BatchShape{0, 5, 7, Order::batch_first}, BatchShape{3, 0, 7, Order::sequence_first}));

}  // namespace
