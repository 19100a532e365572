#include "posenc/rotate.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "random_values.hpp"

namespace {

using posenc::BatchShape;
using posenc::Pairs;
using posenc::Rotation;

/// Vector by vector, column by column. What lies between parts of sequences stays as it is in `out`.
std::vector<float> loop(const std::vector<float>& rows, const Rotation& rotation, const BatchShape& shape,
                        const std::vector<float>& x, std::vector<float> out) {
  const std::size_t pairs = rotation.pairs;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t l = 0; l < shape.length; ++l) {
      const std::size_t at = shape.row(b, l) * shape.dim;
      for (std::size_t i = 2 * pairs; i < shape.dim; ++i) out[at + i] = x[at + i];
      for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t own = pairs / rotation.parts;
        const std::size_t part = at + 2 * (i - i % own);
        const std::size_t left = part + (rotation.layout == Pairs::half ? i % own : 2 * (i % own));
        const std::size_t right = rotation.layout == Pairs::half ? left + own : left + 1;
        const float cosine = rows[2 * pairs * l + i];
        const float sine = rotation.inverse ? -rows[2 * pairs * l + pairs + i] : rows[2 * pairs * l + pairs + i];
        out[left] = x[left] * cosine - x[right] * sine;
        out[right] = x[right] * cosine + x[left] * sine;
      }
    }
  }
  return out;
}

class Rotate : public testing::TestWithParam<BatchShape> {};

TEST_P(Rotate, IsTheLoop) {
  const BatchShape shape = GetParam();
  const auto x = random_values(shape.size(), 1);
  for (const std::size_t pairs : {shape.dim / 2, (shape.dim + 3) / 4}) {
    const auto rows = random_values(2 * pairs * shape.length, 2);
    for (const auto& [layout, parts] :
         {std::pair{Pairs::half, std::size_t{1}}, {Pairs::half, 2 - pairs % 2}, {Pairs::interleaved, 1}}) {
      for (const bool inverse : {false, true}) {
        const Rotation rotation{layout, pairs, parts, inverse};
        std::vector<float> out(x.size(), 7.0F);
        const auto expected = loop(rows, rotation, shape, x, out);
        posenc::rotate(rows, rotation, shape, x, out);
        EXPECT_EQ(out, expected);
        auto in_place = x;
        posenc::rotate(rows, rotation, shape, in_place, in_place);
        EXPECT_EQ(in_place, loop(rows, rotation, shape, x, x));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Rotate,
                         // [batch, length, dim], [length, batch, dim], and parts of longer sequences.
                         testing::Values(BatchShape{1, 1, 2, 1}, BatchShape{1, 11, 10, 11}, BatchShape{6, 5, 64, 5},
                                         BatchShape{3, 4, 34, 4}, BatchShape{9, 2, 128, 2}, BatchShape{1, 9, 64, 1},
                                         BatchShape{6, 5, 70, 1}, BatchShape{32, 1, 128, 1}, BatchShape{2, 7, 16, 1},
                                         BatchShape{8, 70, 128, 1}, BatchShape{5, 3, 20, 8}, BatchShape{8, 2, 16, 3}));

}  // namespace
