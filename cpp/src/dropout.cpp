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
    for (std::size_t i = 0; i < values.size(); i += lanes::floats) {
      const std::size_t rest = values.size() - i;
      multiply(&values[i], lanes::load_part<Floats>(&factors[i], rest), rest, &out[i]);
    }
    return;
  }
  const float* factor = factors.data();
  for (std::size_t begin = 0; begin < values.size(); begin += run, ++factor) {
    for (std::size_t i = 0; i < run; i += lanes::floats) {
      multiply(&values[begin + i], Floats(*factor), run - i, &out[begin + i]);
    }
  }
}

}  // namespace posenc
