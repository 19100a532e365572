#include "posenc/dropout.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "lanes.hpp"

namespace posenc {

using lanes::Floats;

void dropout(std::span<const float> factors, std::span<const float> values, std::span<float> out) noexcept {
  assert(!factors.empty() && values.size() % factors.size() == 0 && out.size() == values.size());

  const std::size_t run = values.size() / factors.size();
  if (run == 1) {
    lanes::fill(values.size(), out.data(), [=](lanes::Place at, std::size_t count) {
      const auto factor = lanes::load_part<Floats>(factors.data() + at, count);
      const Floats product = lanes::load_part<Floats>(values.data() + at, count) * factor;
      return xsimd::select(factor == 0.0F, Floats(0.0F), product);
    });
    return;
  }
  // Consecutive runs with the same factor are processed as one.
  for (std::size_t first = 0, last = 0; first < factors.size(); first = last) {
    last = first + 1;
    while (last < factors.size() && factors[last] == factors[first]) ++last;
    const float* const from = &values[first * run];
    float* const to = &out[first * run];
    const std::size_t size = (last - first) * run;
    if (factors[first] == 0) {
      std::fill_n(to, size, 0.0F);
      continue;
    }
    lanes::fill(size, to, [from, factor = Floats(factors[first])](lanes::Place at, std::size_t count) {
      return lanes::load_part<Floats>(from + at, count) * factor;
    });
  }
}

}  // namespace posenc
