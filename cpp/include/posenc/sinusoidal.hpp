#pragma once

#include <cstddef>
#include <span>

#include "posenc/frequencies.hpp"

namespace posenc {

/// Columns [from, to) of an encoding, from < to. Column 2i is sin(position · frequency i), column 2i + 1 its cosine.
struct Columns {
  std::size_t from;
  std::size_t to;

  [[nodiscard]] constexpr std::size_t width() const noexcept { return to - from; }
};

namespace detail {

/// Columns as they are kept: a pair more at either end of a range, and whole registers.
[[nodiscard]] constexpr std::size_t stride(std::size_t width) noexcept {
  constexpr std::size_t widest_batch = 16;  // floats in the widest register (AVX-512)
  return width + 2 + 2 * widest_batch;
}

}  // namespace detail

/// Doubles of working memory that the columns of one row need, wherever the range begins: three a column.
[[nodiscard]] constexpr std::size_t sinusoidal_state_size(std::size_t width) noexcept {
  return 3 * detail::stride(width);
}

/// The rows of a sinusoidal table one after another; row k stands at position start + k · step.
///
/// Every value is the real-number formula rounded to float32: its error is at most 0.5 ulp + 2^-36 for integer
/// positions up to limits::position in magnitude, any base and any dim. Rows follow a float64 recurrence that is begun
/// anew from the exact phase at the first row and at every multiple of 256 steps from position 0, so that tables cut
/// there have the same bits.
class SinusoidalRows {
 public:
  /// @param frequencies  those of the whole encoding, at least up to the last column's
  /// @param start, step  finite; |start + k · step| <= limits::position for every row; step is not 0
  /// @param state        working memory of sinusoidal_state_size(columns.width()); it must outlive the object
  SinusoidalRows(Turns frequencies, Columns columns, double start, double step, std::span<double> state) noexcept;

  /// Writes the next out.size() / columns.width() rows, a whole number of them.
  void next(std::span<float> out) noexcept;

 private:
  void seed() noexcept;
  void advance(std::size_t rows, float* out) noexcept;
  template <std::size_t rows>
  void pass(float* out) noexcept;

  Turns frequencies_;
  Columns columns_;
  double start_;
  double step_;
  double row_ = 0;     // rows written so far
  std::size_t place_;  // steps since the last multiple of 256
  bool seeded_ = false;
  double* twice_cosine_;  // of the angle between two rows, a column each
  double* current_;       // the next row to write
  double* following_;     // the one after it
};

/// Rows at arbitrary positions (integers or fractions, of either sign), each from its own exact phase.
///
/// Error as for SinusoidalRows; the last place may differ from it, within that bound.
/// @param positions  finite, at most limits::position in magnitude
/// @param state      working memory of sinusoidal_state_size(columns.width())
/// @param out        [positions.size(), columns.width()]
void sinusoidal_at(Turns frequencies, Columns columns, std::span<const double> positions, std::span<double> state,
                   std::span<float> out) noexcept;

}  // namespace posenc
