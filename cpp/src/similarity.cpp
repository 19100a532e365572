#include "posenc/similarity.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Doubles;

struct Product {
  static Doubles of(const Doubles& a, const Doubles& b) noexcept { return a * b; }
};

struct SquaredDifference {
  static Doubles of(const Doubles& a, const Doubles& b) noexcept {
    const Doubles difference = a - b;
    return difference * difference;
  }
};

/// Sums over [height] rows of a and [width] rows of b at once, so that each loaded value is used several times. The
/// order of additions does not depend on the tile.
template <class Term, std::size_t height, std::size_t width>
void accumulate_tile(const float* a, const float* b, std::size_t length, double* sums, std::size_t stride) noexcept {
  std::array<std::array<Doubles, width>, height> totals;
  for (auto& row : totals) row.fill(Doubles(0.0));

  const auto step = [&](const float* from_a, const float* from_b, std::size_t row_length) {
    std::array<Doubles, height> left;
    for (std::size_t i = 0; i < height; ++i) left[i] = lanes::promote(from_a + i * row_length);
    for (std::size_t j = 0; j < width; ++j) {
      const Doubles right = lanes::promote(from_b + j * row_length);
      for (std::size_t i = 0; i < height; ++i) totals[i][j] += Term::of(left[i], right);
    }
  };
  const std::size_t whole = length - length % lanes::doubles;
  for (std::size_t k = 0; k < whole; k += lanes::doubles) step(a + k, b + k, length);
  if (whole < length) {
    std::array<float, height * lanes::doubles> rest_a{};
    std::array<float, width * lanes::doubles> rest_b{};
    for (std::size_t i = 0; i < height; ++i) {
      std::copy_n(a + i * length + whole, length - whole, rest_a.data() + i * lanes::doubles);
    }
    for (std::size_t j = 0; j < width; ++j) {
      std::copy_n(b + j * length + whole, length - whole, rest_b.data() + j * lanes::doubles);
    }
    step(rest_a.data(), rest_b.data(), lanes::doubles);
  }
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) sums[i * stride + j] += xsimd::reduce_add(totals[i][j]);
  }
}

template <class Term>
void accumulate_terms(std::span<const float> a, std::span<const float> b, std::size_t length,
                      std::span<double> sums) noexcept {
  constexpr std::size_t height = 2;  // 2 x 4 totals and their operands fit 16 registers
  constexpr std::size_t width = 4;
  const std::size_t rows_a = a.size() / length;
  const std::size_t rows_b = b.size() / length;
  const std::size_t tiled_a = rows_a - rows_a % height;
  const std::size_t tiled_b = rows_b - rows_b % width;
  for (std::size_t i = 0; i < rows_a; i += i < tiled_a ? height : 1) {
    const float* const from = a.data() + i * length;
    double* const to = sums.data() + i * rows_b;
    if (i < tiled_a) {
      for (std::size_t j = 0; j < tiled_b; j += width) {
        accumulate_tile<Term, height, width>(from, b.data() + j * length, length, to + j, rows_b);
      }
    }
    for (std::size_t row = i; row < (i < tiled_a ? i + height : i + 1); ++row) {
      for (std::size_t j = i < tiled_a ? tiled_b : 0; j < rows_b; ++j) {
        accumulate_tile<Term, 1, 1>(a.data() + row * length, b.data() + j * length, length,
                                    sums.data() + row * rows_b + j, rows_b);
      }
    }
  }
}

}  // namespace

void accumulate(Metric metric, std::span<const float> a, std::span<const float> b, std::size_t length,
                std::span<double> sums) noexcept {
  assert(length > 0 && a.size() % length == 0 && b.size() % length == 0);
  assert(sums.size() == (a.size() / length) * (b.size() / length));
  if (metric == Metric::distance) {
    accumulate_terms<SquaredDifference>(a, b, length, sums);
  } else {
    accumulate_terms<Product>(a, b, length, sums);
  }
}

void accumulate_squares(std::span<const float> rows, std::size_t length, std::span<double> sums) noexcept {
  assert(length > 0 && rows.size() == sums.size() * length);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const float* const row = rows.data() + i * length;
    accumulate_tile<Product, 1, 1>(row, row, length, &sums[i], 1);
  }
}

void similarity(Metric metric, std::span<const double> sums, std::span<const double> squares_a,
                std::span<const double> squares_b, std::span<float> out) noexcept {
  assert(sums.size() == squares_a.size() * squares_b.size() && out.size() == sums.size());
  const std::size_t width = squares_b.size();
  for (std::size_t index = 0; index < sums.size(); ++index) {
    double value = sums[index];
    if (metric == Metric::distance) value = std::sqrt(value);
    if (metric == Metric::cosine) {
      const double norms = std::sqrt(squares_a[index / width]) * std::sqrt(squares_b[index % width]);
      value = norms == 0 ? 0 : value / norms;
    }
    out[index] = static_cast<float>(value);
  }
}

}  // namespace posenc
