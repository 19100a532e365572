#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "posenc/frequencies.hpp"

namespace posenc {

/// How the columns of a row are ordered.
enum class Layout : std::uint8_t {
  interleaved,  ///< sine, cosine, sine, cosine, ... of one frequency after another
  sin_cos,      ///< all sines, then all cosines
  cos_sin,      ///< all cosines, then all sines
};

/// The arithmetic of a table.
enum class Numerics : std::uint8_t {
  exact,     ///< the real-number formula, rounded to float32 at the end
  float32,   ///< position, frequency, angle and result each rounded once to float32, as most libraries compute
  bfloat16,  ///< each rounded once to bfloat16
};

/// How values become float32.
enum class Rounding : std::uint8_t {
  nearest,  ///< ties to even
  odd,      ///< to the neighbour whose last bit is 1, unless exact: rounded again, to a narrower type, as if only once
};

/// A sinusoidal encoding: its row at position p holds sin(p · frequency i) · scale and cos(p · frequency i) · scale.
struct Sinusoidal {
  Turns frequencies;  ///< in turns; under other numerics than exact `high` is in radians, and `low` is not read
  Layout layout = Layout::interleaved;
  std::size_t sines = 0;    ///< columns of sines, of the frequencies 0, 1, ...
  std::size_t cosines = 0;  ///< columns of cosines; as many as sines, or one fewer or more
  double scale = 1;
  /// The position whose row is zeros, or NaN. Row k of SinusoidalRows is at start + k · step as float64 computes it, or
  /// exactly there where both are integers.
  double zero_at = std::numeric_limits<double>::quiet_NaN();
  Numerics numerics = Numerics::exact;
};

/// Columns [from, to) of an encoding, from < to. Those past its sines and cosines are zeros.
struct Columns {
  std::size_t from;
  std::size_t to;

  [[nodiscard]] constexpr std::size_t width() const noexcept { return to - from; }
};

namespace detail {

enum class Wave : std::uint8_t { sine_cosine, sine, cosine, zero };

/// Neighbouring columns of one kind, and their working memory.
struct Segment {
  Wave wave = Wave::zero;
  std::size_t width = 0;
  std::size_t first = 0;   // frequency
  std::size_t count = 0;   // of frequencies
  std::size_t skip = 0;    // 1 where interleaved columns begin with a cosine
  double* twice_cosine{};  // of the angle between two rows, a column each
  double* current{};       // the next row to write
  double* following{};     // the one after it
  double* step_cosine{};   // of the angle between two rows, a frequency each
  double* step_sine{};
};

inline constexpr std::size_t most_segments = 3;
inline constexpr std::size_t state_arrays = 5;  // of a segment, each of its stride

/// Columns of a segment as they are kept: a pair more, and whole registers.
[[nodiscard]] constexpr std::size_t stride(std::size_t width) noexcept {
  constexpr std::size_t widest_batch = 16;  // floats in the widest register (AVX-512)
  return width + 2 + 2 * widest_batch;
}

}  // namespace detail

/// Doubles of working memory that the columns of one row need, wherever the range begins: five a column.
[[nodiscard]] constexpr std::size_t sinusoidal_state_size(std::size_t width) noexcept {
  return detail::state_arrays * (width + detail::most_segments * detail::stride(0));
}

/// The rows of a sinusoidal table one after another; row k stands at position start + k · step.
///
/// Every value is the real-number formula rounded to float32, but where 2^-36 decides: its error is at most
/// 0.5 ulp + 2^-36 · |scale| for integer positions up to limits::position in magnitude, any base and any dim. Rows
/// follow a float64 recurrence that is begun anew from the exact phase at the first row and at every multiple of 256
/// steps from position 0, so that tables cut there have the same bits where start and step are integers.
class SinusoidalRows {
 public:
  /// @param encoding     of exact numerics, with the frequencies of all its columns
  /// @param start, step  finite; |start + k · step| <= limits::position for every row; step is not 0
  /// @param state        working memory of sinusoidal_state_size(columns.width()); it must outlive the object
  /// @param row          the first row to come: 0, or the row at which an earlier object with the same arguments
  ///                     stopped and left its state in the working memory
  SinusoidalRows(const Sinusoidal& encoding, Columns columns, double start, double step, std::span<double> state,
                 double row = 0) noexcept;

  /// Writes the next out.size() / columns.width() rows, a whole number of them.
  void next(std::span<float> out, Rounding rounding = Rounding::nearest) noexcept;

  /// out = embeddings · scale + the next rows, in one pass. Computed in float32: the product is rounded, then the sum.
  ///
  /// @param embeddings  whole rows
  /// @param out         as many; the embeddings themselves, or no part of them
  void add_next(std::span<const float> embeddings, float scale, std::span<float> out) noexcept;

 private:
  /// Rows of zeros among the next ones: one or none, or several where float64 does not tell their positions apart.
  struct Zeros {
    std::size_t first;
    std::size_t end;
  };
  [[nodiscard]] Zeros zeros(std::size_t rows) const noexcept;
  void seed() noexcept;
  /// Makes rows of `size` values: `put(low, high, place, count)` gets two registers of float64, which are one of
  /// float32, of which `count` values stand from `place` on.
  template <class Put>
  void emit(std::size_t size, const Put& put) noexcept;
  template <std::size_t rows, class Put>
  void pass(const detail::Segment& segment, const Put& put) const noexcept;

  Sinusoidal encoding_;
  std::size_t width_;
  std::array<detail::Segment, detail::most_segments> segments_;
  double start_;
  double step_;
  double row_;             // rows written so far
  std::size_t place_ = 0;  // steps since the last multiple of 256
};

/// Rows at arbitrary positions (integers or fractions, of either sign), each from its own exact phase, or in rounded
/// arithmetic where the encoding asks for it.
///
/// Error as for SinusoidalRows; the last place may differ from it, within that bound. Under other numerics the sine of
/// the rounded angle is exact to 2^-51 before it is rounded.
/// @param positions  one a row, or one for each frequency of a row, of several axes; finite, their magnitudes at most
///                   limits::position
/// @param state      working memory of sinusoidal_state_size(columns.width())
/// @param out        [rows, columns.width()]
void sinusoidal_at(const Sinusoidal& encoding, Columns columns, std::span<const double> positions,
                   std::span<double> state, std::span<float> out, Rounding rounding = Rounding::nearest) noexcept;

}  // namespace posenc
