#pragma once

#include <cstdint>
#include <span>

namespace posenc {

/// Frequencies in turns (not radians) per position, each an unevaluated sum high + low of 106 bits:
/// what keeps the phase of position 2^53 - 1 exact.
struct Turns {
  std::span<const double> high;
  std::span<const double> low;
};

/// The NTK-aware change of a base for longer texts: with s = 1 + factor · more / length it is multiplied by
/// s^(steps / (steps - 1)), which divides the lowest frequency by s and leaves the highest alone.
struct Stretch {
  double factor = 0;  ///< not negative; 0 changes nothing
  double more = 1;    ///< not negative
  double length = 1;  ///< positive; all three at most 2^53, and s at most 1e28
};

/// Fills the geometric frequencies of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5):
/// frequency i is max_frequency · base^(-i / steps) radians per position; in the paper steps = dim / 2, max_frequency
/// = 1.
///
/// @param base   in [limits::min_base, limits::max_base]
/// @param steps  positive; the number of frequencies (it may be fractional) in which they fall by a factor of base
/// @param max_frequency  positive, at most 1e12
/// @param stretch  needs steps > 1
/// @param radians, high, low  of equal size, at most limits::frequencies: radians per position, correctly rounded but
///               for cases within 2^-98 of a tie, and the same over 2π as a double-double of relative error below 2^-96
void frequencies(double base, double steps, double max_frequency, std::span<double> radians, std::span<double> high,
                 std::span<double> low, const Stretch& stretch = {}) noexcept;

/// Frequencies of one's own, over 2π: a double-double of relative error below 2^-102.
///
/// @param radians    per position, finite, at most 1e12 in magnitude
/// @param high, low  as many
void turns(std::span<const double> radians, std::span<double> high, std::span<double> low) noexcept;

/// Along what the share of its divisor that a frequency takes rises from 0 to 1.
enum class Ramp : std::uint8_t {
  none,   ///< it is 1 for all
  index,  ///< the index of the frequency, between those that turn `fast` and `slow` times in `length` (YaRN)
  turns,  ///< how often the frequency turns in `length`, from `fast` down to `slow` (Llama 3.1)
};

/// How frequencies are divided for texts that are longer than a model was trained on.
struct Scaling {
  Ramp ramp = Ramp::none;
  double length = 1;    ///< positions of the original texts; 1 to 2^53
  double fast = 2;      ///< turns, positive, at most 1e12
  double slow = 1;      ///< likewise; at most `fast`, and less than it over `turns`
  bool whole = true;    ///< over `index`: the ends are rounded outwards to whole indices
  double base = 10000;  ///< over `index`: that of the frequencies
  double steps = 1;     ///< likewise
};

/// Multiplies each frequency by 1 - r + r / divisor, r being the ramp's value (Peng et al. 2023, "YaRN", section 3.2;
/// with transformers' clamp of the ends to 0 and 2 · steps - 1, and 0.001 between ends that meet).
///
/// @param radians    the divisors, from 1e-12 to 1e12; then the frequencies in radians, as near as those of
/// `frequencies`
/// @param high, low  the frequencies in turns; the error that comes in is below 2^-90 of what they were
void scale(const Scaling& scaling, std::span<double> radians, std::span<double> high, std::span<double> low) noexcept;

}  // namespace posenc
