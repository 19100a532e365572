#include "posenc/frequencies.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "double_double.hpp"
#include "posenc/limits.hpp"

namespace posenc {
namespace {

// Frequency i = a · stride + b is the product of two exponentials out of 2 √n: exact enough, and n is up to 32768.
constexpr std::size_t max_stride = 182;
static_assert(max_stride * max_stride >= limits::frequencies);

}  // namespace

void frequencies(double base, double steps, double max_frequency, std::span<double> radians, std::span<double> high,
                 std::span<double> low) noexcept {
  assert(max_frequency > 0 && base >= limits::min_base && base <= limits::max_base && steps > 0);
  assert(radians.size() == high.size() && high.size() == low.size() && high.size() <= limits::frequencies);

  const std::size_t count = radians.size();
  const DoubleDouble fall = -(log(base) / steps);
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

}  // namespace posenc
