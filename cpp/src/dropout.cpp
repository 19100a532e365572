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
    lanes::for_registers(values.size(), [=](std::size_t i, std::size_t count) {
      const auto factor = lanes::load_part<Floats>(&factors[i], count);
      const Floats product = lanes::load_part<Floats>(&values[i], count) * factor;
      lanes::store_part(xsimd::select(factor == 0.0F, Floats(0.0F), product), &out[i], count);
    });
    return;
  }
  // Dropped rows are read, too. Measured on rows of 2 kB: runs of kept rows take twice as long in a large array.
  lanes::for_parts(factors.size(), [=](std::size_t row) {
    const Floats factor(factors[row]);
    const float* from = &values[row * run];
    lanes::fill_row(run, &out[row * run], [=](lanes::Place at, std::size_t count) {
      return xsimd::select(factor == 0.0F, Floats(0.0F), lanes::load_part<Floats>(from + at, count) * factor);
    });
  });
}

}  // namespace posenc
