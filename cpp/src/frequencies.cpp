#include "posenc/frequencies.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "double_double.hpp"
#include "posenc/limits.hpp"

namespace posenc {
namespace {

// With i = a · stride + b, frequency i is the product of two exponentials, so n frequencies need only 2 √n of them.
// This is exact enough, and n is up to 65536.
constexpr std::size_t max_stride = 256;
static_assert(max_stride * max_stride >= limits::frequencies);

constexpr DoubleDouble one{1, 0};

/// The index, possibly fractional, of the frequency that turns this many times in the length.
DoubleDouble index_of(double turns, const Scaling& scaling) noexcept {
  const DoubleDouble wavelength = log(scaling.length) + -(log(turns) + ln_two_pi);
  return wavelength * scaling.steps / log(scaling.base);
}

/// The ends of the ramp, in its units.
struct Ends {
  DoubleDouble from;
  DoubleDouble to;
};

Ends ends_of(const Scaling& scaling) noexcept {
  if (scaling.ramp != Ramp::index) return {{scaling.fast, 0}, {scaling.slow, 0}};
  DoubleDouble from = index_of(scaling.fast, scaling);
  DoubleDouble to = index_of(scaling.slow, scaling);
  if (scaling.whole) {
    from = floor(from);
    to = -floor(-to);
  }
  const double last = 2 * scaling.steps - 1;
  if (from.high < 0) from = {0, 0};
  if (to.high > last) to = {last, 0};
  if (from.high == to.high && from.low == to.low) to = to + DoubleDouble{0.001, 0};
  return {from, to};
}

/// How far a place is along the ramp, from 0 to 1. With equal ends the ramp is a step: 1 below them, 0 from them on.
DoubleDouble part_of(DoubleDouble at, const Ends& ends) noexcept {
  const DoubleDouble way = at + -ends.from;
  const DoubleDouble width = ends.to + -ends.from;
  if (width.high == 0) return way.high < 0 ? one : DoubleDouble{0, 0};
  const DoubleDouble part = way / width;
  if (part.high < 0) return {0, 0};
  // Just past the end, only the low word shows it. The scaled frequency may be as small as that difference.
  return part.high > 1 || (part.high == 1 && part.low > 0) ? one : part;
}

}  // namespace

void frequencies(double base, double steps, double max_frequency, std::span<double> radians, std::span<double> high,
                 std::span<double> low, const Stretch& stretch) noexcept {
  assert(max_frequency > 0 && base >= limits::min_base && base <= limits::max_base && steps > 0);
  assert(radians.size() == high.size() && high.size() == low.size() && high.size() <= limits::frequencies);

  const std::size_t count = radians.size();
  DoubleDouble fall = -(log(base) / steps);
  if (stretch.factor > 0) {
    const DoubleDouble growth = one + two_product(stretch.factor, stretch.more) / stretch.length;
    // The second term is the low part's share of the logarithm.
    fall = fall + -((log(growth.high) + DoubleDouble{growth.low / growth.high, 0}) / (steps - 1));
  }
  std::size_t stride = 1;
  while (stride * stride < count) ++stride;

  std::array<DoubleDouble, max_stride> fine;
  for (std::size_t b = 0; b < stride; ++b) fine[b] = exp(fall * static_cast<double>(b));
  for (std::size_t first = 0; first < count; first += stride) {
    const DoubleDouble coarse = exp(fall * static_cast<double>(first)) * max_frequency;
    for (std::size_t i = first; i < std::min(first + stride, count); ++i) {
      const DoubleDouble frequency = coarse * fine[i - first];
      const DoubleDouble turns = frequency * inverse_two_pi;
      radians[i] = frequency.high;
      high[i] = turns.high;
      low[i] = turns.low;
    }
  }
}

void turns(std::span<const double> radians, std::span<double> high, std::span<double> low) noexcept {
  assert(radians.size() == high.size() && high.size() == low.size());
  for (std::size_t i = 0; i < radians.size(); ++i) {
    const DoubleDouble turns = inverse_two_pi * radians[i];
    high[i] = turns.high;
    low[i] = turns.low;
  }
}

void scale(const Scaling& scaling, std::span<double> radians, std::span<double> high, std::span<double> low) noexcept {
  assert(radians.size() == high.size() && high.size() == low.size());
  const Ends ends = ends_of(scaling);
  for (std::size_t i = 0; i < radians.size(); ++i) {
    DoubleDouble turns{high[i], low[i]};
    const DoubleDouble share = one / radians[i];
    if (scaling.ramp == Ramp::none) {
      turns = turns * share;
    } else {
      const DoubleDouble at =
          scaling.ramp == Ramp::index ? DoubleDouble{static_cast<double>(i), 0} : turns * scaling.length;
      turns = turns * (one + -(part_of(at, ends) * (one + -share)));
    }
    radians[i] = (turns * two_pi).high;
    high[i] = turns.high;
    low[i] = turns.low;
  }
}

}  // namespace posenc
