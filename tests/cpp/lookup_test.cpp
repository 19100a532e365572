#include "posenc/lookup.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

TEST(Lookup, CopiesTheRowsOfTheIds) {
  for (const std::size_t dim : {1U, 2U, 4U, 7U, 16U, 33U, 64U, 512U}) {
    constexpr std::size_t rows = 11;
    std::vector<float> table(rows * dim);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 8U, 23U}) {
      std::vector<std::uint32_t> ids(count);
      for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<std::uint32_t>((i * i + 3) % rows);
      std::vector<float> out(count * dim, -1);
      posenc::lookup({table, ids}, out);
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out[i], static_cast<float>(ids[i / dim] * dim + i % dim)) << dim << ' ' << count << ' ' << i;
      }
    }
  }
}

TEST(Lookup, NoIdsWriteNothing) {
  const std::vector<float> table(4);
  std::vector<float> out;
  posenc::lookup({table, {}}, out);
  EXPECT_TRUE(out.empty());
}

}  // namespace
