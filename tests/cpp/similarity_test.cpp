#include "posenc/similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random_values.hpp"

namespace {

using posenc::Metric;

std::vector<float> compare(Metric metric, std::span<const float> a, std::span<const float> b, std::size_t length) {
  const std::size_t rows_a = a.size() / length;
  const std::size_t rows_b = b.size() / length;
  std::vector<double> sums(rows_a * rows_b);
  std::vector<double> squares_a(rows_a);
  std::vector<double> squares_b(rows_b);
  posenc::accumulate(metric, a, b, length, sums);
  posenc::accumulate_squares(a, length, squares_a);
  posenc::accumulate_squares(b, length, squares_b);
  std::vector<float> out(sums.size());
  posenc::similarity(metric, sums, squares_a, squares_b, out);
  return out;
}

double expected(Metric metric, const float* a, const float* b, std::size_t length) {
  double dot = 0;
  double square_a = 0;
  double square_b = 0;
  double square = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const double x = a[i];
    const double y = b[i];
    dot += x * y;
    square_a += x * x;
    square_b += y * y;
    square += (x - y) * (x - y);
  }
  if (metric == Metric::dot) return dot;
  return metric == Metric::distance ? std::sqrt(square) : dot / std::sqrt(square_a * square_b);
}

class EveryMetric : public testing::TestWithParam<Metric> {};

TEST_P(EveryMetric, IsTheFloat64LoopRounded) {
  for (const std::size_t rows_a : {1U, 2U, 5U}) {
    for (const std::size_t rows_b : {1U, 4U, 7U}) {
      for (const std::size_t length : {1U, 2U, 3U, 16U, 131U}) {
        const auto a = random_values(rows_a * length, 1);
        const auto b = random_values(rows_b * length, 2);
        const auto got = compare(GetParam(), a, b, length);
        for (std::size_t i = 0; i < rows_a; ++i) {
          for (std::size_t j = 0; j < rows_b; ++j) {
            const double value = expected(GetParam(), &a[i * length], &b[j * length], length);
            // Half a unit of float32, and the order of float64 additions.
            EXPECT_NEAR(got[i * rows_b + j], value, std::abs(value) * 0x1p-24 + static_cast<double>(length) * 0x1p-50)
                << rows_a << " x " << rows_b << " rows of " << length;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Similarity, EveryMetric, testing::Values(Metric::cosine, Metric::dot, Metric::distance));

TEST(Similarity, PiecesAddUpToTheWhole) {
  const auto a = random_values(20, 4);
  std::vector<double> whole(1);
  std::vector<double> pieces(1);
  posenc::accumulate(Metric::dot, a, a, 20, whole);
  posenc::accumulate(Metric::dot, std::span(a).first(8), std::span(a).first(8), 8, pieces);
  posenc::accumulate(Metric::dot, std::span(a).subspan(8), std::span(a).subspan(8), 12, pieces);
  EXPECT_NEAR(pieces[0], whole[0], 1e-13);
}

}  // namespace
