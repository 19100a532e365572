#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

enum class Metric : std::uint8_t {
  cosine,    ///< a·b / (|a| |b|), or 0 if a or b is a row of zeros
  dot,       ///< a·b
  distance,  ///< |a - b|, Euclidean
};

/// Adds the products of row i of a with row j of b (for Metric::distance, the squared differences) to sums[i, j].
///
/// Sums are float64, so long rows can be passed in pieces: one call per piece, then `similarity`.
/// @param a, b   [rows, length]
/// @param sums   [rows of a, rows of b]
void accumulate(Metric metric, std::span<const float> a, std::span<const float> b, std::size_t length,
                std::span<double> sums) noexcept;

/// Adds the squared norm of row i to sums[i], in the same order of additions as `accumulate`.
void accumulate_squares(std::span<const float> rows, std::size_t length, std::span<double> sums) noexcept;

/// Computes the metric from accumulated sums, rounded once to float32.
///
/// @param squares_a, squares_b  squared norms of the rows, only used by Metric::cosine
/// @param sums, out             [squares_a.size(), squares_b.size()]
void similarity(Metric metric, std::span<const double> sums, std::span<const double> squares_a,
                std::span<const double> squares_b, std::span<float> out) noexcept;

}  // namespace posenc
