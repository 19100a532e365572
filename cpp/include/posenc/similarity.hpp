#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

enum class Metric : std::uint8_t {
  cosine,    ///< a·b / (|a| |b|), 0 where a or b is a row of zeros
  dot,       ///< a·b
  distance,  ///< |a - b|, Euclidean
};

/// Adds to sums[i, j] the products of row i of a with row j of b (for Metric::distance, the squared differences).
///
/// Sums are float64, so that long rows may be given in pieces: one call a piece, then `similarity`.
/// @param a, b   [rows, length]
/// @param sums   [rows of a, rows of b]
void accumulate(Metric metric, std::span<const float> a, std::span<const float> b, std::size_t length,
                std::span<double> sums) noexcept;

/// Adds to sums[i] the square of row i's norm, in the same order of additions as `accumulate`.
void accumulate_squares(std::span<const float> rows, std::size_t length, std::span<double> sums) noexcept;

/// Turns accumulated sums into the metric, rounded once to float32.
///
/// @param squares_a, squares_b  squared norms of the rows, read by Metric::cosine alone
/// @param sums, out             [squares_a.size(), squares_b.size()]
void similarity(Metric metric, std::span<const double> sums, std::span<const double> squares_a,
                std::span<const double> squares_b, std::span<float> out) noexcept;

}  // namespace posenc
