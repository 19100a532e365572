#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "posenc/frequencies.hpp"
#include "posenc/half.hpp"

namespace posenc {

/// How the columns of a row are ordered.
enum class Layout : std::uint8_t {
  interleaved,   ///< the sine and the cosine of each frequency side by side
  sin_cos,       ///< all sines, then all cosines
  cos_sin,       ///< all cosines, then all sines
  cosine_first,  ///< the cosine and the sine of each frequency side by side
};

/// The arithmetic of a table.
enum class Numerics : std::uint8_t {
  exact,     ///< the real-number formula, rounded to float32 at the end
  float32,   ///< position, frequency, angle and result each rounded once to float32, as most libraries compute
  bfloat16,  ///< likewise, each rounded once to bfloat16
};

/// A sinusoidal encoding: its row at position p holds sin(p · frequency i) · scale and cos(p · frequency i) · scale.
struct Sinusoidal {
  Turns frequencies;  ///< in turns; for Numerics other than exact, `high` is in radians and `low` is not used
  Layout layout = Layout::interleaved;
  std::size_t sines = 0;    ///< number of columns of sines, for frequencies 0, 1, ...
  std::size_t cosines = 0;  ///< number of columns of cosines; it differs from that of sines by at most 1
  double scale = 1;
  /// The position whose row is zeros, or NaN. Row k of SinusoidalRows is compared at start + k · step, exactly if both
  /// are integers, or else as float64 computes it.
  double zero_at = std::numeric_limits<double>::quiet_NaN();
  Numerics numerics = Numerics::exact;
};

/// Columns [from, to) of an encoding, from < to. Columns past its sines and cosines are zeros.
struct Columns {
  std::size_t from;
  std::size_t to;

  [[nodiscard]] constexpr std::size_t width() const noexcept { return to - from; }
};

namespace detail {

enum class Wave : std::uint8_t { sine_cosine, cosine_sine, sine, cosine, zero };

/// Consecutive columns of one kind, and their working memory.
struct Segment {
  Wave wave = Wave::zero;
  std::size_t width = 0;
  std::size_t first = 0;   // index of the first frequency
  std::size_t count = 0;   // number of frequencies
  std::size_t skip = 0;    // 1 if interleaved columns begin with a cosine
  double* twice_cosine{};  // of the angle between two rows, one for each column
  double* current{};       // the next row to write
  double* following{};     // the row after it
  double* step_cosine{};   // of the angle between two rows, one for each frequency
  double* step_sine{};     // likewise
};

inline constexpr std::size_t most_segments = 3;
inline constexpr std::size_t state_arrays = 5;  // in each segment, each of its stride

/// Size of an array in a segment: its columns, one more pair, and space for whole registers.
[[nodiscard]] constexpr std::size_t stride(std::size_t width) noexcept {
  constexpr std::size_t widest_batch = 16;  // floats in the widest register (AVX-512)
  return width + 2 + 2 * widest_batch;
}

}  // namespace detail

/// Number of doubles of working memory for a row of this width, wherever the range begins: five per column.
[[nodiscard]] constexpr std::size_t sinusoidal_state_size(std::size_t width) noexcept {
  return detail::state_arrays * (width + detail::most_segments * detail::stride(0));
}

/// Computes the rows of a sinusoidal table one after another. Row k is at position start + k · step.
///
/// Every value is the real-number formula rounded to float32, except within 2^-36 of a rounding boundary: the error is
/// at most 0.5 ulp + 2^-36 · |scale| for integer positions up to limits::position in magnitude, any base and any dim.
/// Rows follow a float64 recurrence that restarts from the exact phase at the first row and at every multiple of 256
/// steps from position 0. So a table that is split there has the same bits if start and step are integers.
class SinusoidalRows {
 public:
  /// @param encoding     with exact numerics and the frequencies of all its columns
  /// @param start, step  finite; |start + k · step| <= limits::position for every row; step is not 0
  /// @param state        working memory of sinusoidal_state_size(columns.width()); it must outlive the object
  /// @param row          the next row: 0, or the row at which an earlier object with the same arguments stopped and
  ///                     left its state in the working memory
  SinusoidalRows(const Sinusoidal& encoding, Columns columns, double start, double step, std::span<double> state,
                 double row = 0) noexcept;

  /// Writes the next out.size() / columns.width() rows; out holds whole rows.
  void next(std::span<float> out) noexcept;

  /// Writes them as 16-bit numbers, each rounded once. Too large values become infinite.
  void next(Half type, std::span<std::uint16_t> out) noexcept;

 private:
  /// The rows of zeros among the next ones: none, one, or several if their positions are equal in float64.
  struct Zeros {
    std::size_t first;
    std::size_t end;
  };
  [[nodiscard]] Zeros zeros(std::size_t rows) const noexcept;
  void seed() noexcept;
  /// Computes `size` values of rows and puts them in place.
  template <class Put>
  void emit(std::size_t size, const Put& put) noexcept;

  Sinusoidal encoding_;
  std::size_t width_;
  std::array<detail::Segment, detail::most_segments> segments_;
  double start_;
  double step_;
  double row_;             // rows written so far
  std::size_t place_ = 0;  // steps since the last multiple of 256
};

/// Computes rows at arbitrary positions (integers or fractions, of either sign), each from its exact phase, or in the
/// encoding's rounded arithmetic.
///
/// The error is bounded as for SinusoidalRows, but the last bit may differ from its results. With rounded numerics, the
/// sine of the rounded angle is exact to 2^-51 before it is rounded.
/// @param positions  one per row, or for several axes one for each frequency of each row; finite, with magnitudes of at
///                   most limits::position
/// @param state      working memory of sinusoidal_state_size(columns.width())
/// @param out        [rows, columns.width()]
void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, std::span<float> out) noexcept;

/// The same as 16-bit numbers, each rounded once.
void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, Half type, std::span<std::uint16_t> out) noexcept;

}  // namespace posenc
