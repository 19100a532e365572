#include "posenc/dropout.hpp"

#include <cassert>
#include <cstddef>

#include "lanes.hpp"

namespace posenc {

using lanes::Floats;

void dropout(std::span<const float> factors, std::span<const float> values, std::span<float> out) noexcept {
  assert(!factors.empty() && values.size() % factors.size() == 0 && out.size() == values.size());

  const auto multiply = [](const float* from, const Floats& factor, std::size_t count, float* to) {
    const Floats product = lanes::load_part<Floats>(from, count) * factor;
    lanes::store_part(xsimd::select(factor == 0.0F, Floats(0.0F), product), to, count);
  };
  const std::size_t run = values.size() / factors.size();
  if (run == 1) {
    lanes::for_registers(values.size(), [&](std::size_t i, std::size_t count) {
      multiply(&values[i], lanes::load_part<Floats>(&factors[i], count), count, &out[i]);
    });
    return;
  }
  const float* factor = factors.data();
  for (std::size_t begin = 0; begin < values.size(); begin += run, ++factor) {
    lanes::for_registers(run, [&](std::size_t i, std::size_t count) {
      multiply(&values[begin + i], Floats(*factor), count, &out[begin + i]);
    });
  }
}

}  // namespace posenc
